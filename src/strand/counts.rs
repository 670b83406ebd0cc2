//! How many rows of constraints each part has.

use super::parts::{Axis, CurveShape, Joint, Motion, Parts, Rule};

impl Axis {
    /// One unless it is free, one for friction, one for its spring and ligaments, in this order.
    pub(super) fn row_count(&self) -> usize {
        let bound = self.motion != Motion::Free;
        usize::from(bound) + usize::from(self.friction > 0.0) + usize::from(self.is_soft())
    }
}

impl Joint {
    /// Those of its six motions.
    pub(super) fn row_count(&self) -> usize {
        self.axes.iter().map(Axis::row_count).sum()
    }
}

impl Rule {
    /// One for each direction in which it binds its point.
    pub(super) fn row_count(&self, parts: &Parts) -> usize {
        match self {
            Rule::Frame { .. } | Rule::Link { .. } => 3,
            Rule::Curve { curve, .. } => match parts.curves[*curve].shape {
                CurveShape::Line(..) => 3,
                CurveShape::Circle(..) => 2,
            },
            Rule::Plane { .. } | Rule::Bone { .. } => 1,
        }
    }
}

/// Contact points of two bodies: a face on a face needs three or four.
pub(super) const SPOTS: usize = 4;
/// Rows of a contact: the gaps, then two tangential motions and a rotation with friction.
pub(super) const CONTACT_ROWS: usize = SPOTS + 3;
