//! Changes of coordinates between charts.

use sinew_math::{Mat2, Vec2};

/// From the coordinates of one chart to those of another: phi(u) = linear u + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The factor for velocities.
    pub linear: Mat2,
    /// The shift.
    pub shift: Vec2,
}

impl Change {
    /// The identity.
    pub fn none() -> Self {
        Change { linear: Mat2::identity(), shift: Vec2::zeros() }
    }

    /// The image of coordinates.
    pub fn point(&self, uv: &Vec2) -> Vec2 {
        self.linear * uv + self.shift
    }

    /// The composition: this, then `next`.
    #[must_use]
    pub fn then(&self, next: &Change) -> Self {
        Change { linear: next.linear * self.linear, shift: next.point(&self.shift) }
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let linear = inverse(&self.linear);
        Change { linear, shift: -(linear * self.shift) }
    }
}

/// The inverse, or zero.
pub(super) fn inverse(m: &Mat2) -> Mat2 {
    m.try_inverse().unwrap_or_else(Mat2::zeros)
}
