//! The host's unit of length and up axis, and the conversion into Sinew's own: metres, y up, right-handed.
//!
//! Turning z up into y up is the rotation (x, y, z) -> (x, z, -y): a permutation with a sign, so it adds no rounding
//! error, and a host that already uses metres with y up gets its bits back unchanged.

use super::{Affine, Mat3, Real, Vec3, affine, linear, translation};
use sinew_base::error::{Error, Kind, Result};

/// The axis that points up in the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(i32)]
pub enum UpAxis {
    /// Maya's default, and Sinew's own.
    #[default]
    Y = 0,
    /// Blender's.
    Z = 1,
}

impl UpAxis {
    fn direction_in(self, v: Vec3) -> Vec3 {
        match self {
            UpAxis::Y => v,
            UpAxis::Z => Vec3::new(v.x, v.z, -v.y),
        }
    }

    /// The host's axes in Sinew's. A frame of the host whose columns are a, b, c is, as a map of Sinew's points, such a
    /// matrix times the transpose of this.
    pub fn turn(self) -> Mat3 {
        Mat3::from_columns(&[Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| self.direction_in(axis)))
    }
}

/// A host's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    metres_per_unit: Real,
    up: UpAxis,
}

/// The allowed units of hosts, in m: from an atom to beyond the sun, so that no position overflows.
const SMALLEST_UNIT: Real = 1e-10;
const LARGEST_UNIT: Real = 1e12;

impl Default for Space {
    /// Metres, y up: no conversion.
    fn default() -> Self {
        Space { metres_per_unit: 1.0, up: UpAxis::Y }
    }
}

impl Space {
    /// A space whose unit of length is `metres_per_unit` metres (0.01 for Maya's centimetres).
    pub fn new(metres_per_unit: Real, up: UpAxis) -> Result<Self> {
        if !metres_per_unit.is_finite() {
            return Err(Error::new(Kind::NotFinite, format!("metres per unit is {metres_per_unit}")));
        }
        if !(SMALLEST_UNIT..=LARGEST_UNIT).contains(&metres_per_unit) {
            let range = format!("{SMALLEST_UNIT:e} to {LARGEST_UNIT:e}");
            let message = format!("metres per unit must be from {range}, not {metres_per_unit:e}");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        Ok(Space { metres_per_unit, up })
    }

    /// Metres in one unit of the host.
    pub fn metres_per_unit(&self) -> Real {
        self.metres_per_unit
    }

    /// The host's up axis.
    pub fn up(&self) -> UpAxis {
        self.up
    }

    /// The axis (0, 1, 2 for x, y, z) that lies along one of another host.
    pub fn axis_along(&self, axis: usize, of: Space) -> usize {
        match axis {
            1 | 2 if self.up != of.up => 3 - axis,
            _ => axis,
        }
    }

    /// A direction of the host in Sinew's axes; its length is unchanged.
    pub fn direction_in(&self, v: Vec3) -> Vec3 {
        self.up.direction_in(v)
    }

    /// The inverse of [`Space::direction_in`].
    pub fn direction_out(&self, v: Vec3) -> Vec3 {
        match self.up {
            UpAxis::Y => v,
            UpAxis::Z => Vec3::new(v.x, -v.z, v.y),
        }
    }

    /// A point or displacement of the host in Sinew's axes and metres.
    pub fn point_in(&self, p: Vec3) -> Vec3 {
        self.direction_in(p) * self.metres_per_unit
    }

    /// The inverse of [`Space::point_in`].
    pub fn point_out(&self, p: Vec3) -> Vec3 {
        // Divided, not multiplied by a reciprocal: x * u / u comes back to x far more often.
        self.direction_out(p) / self.metres_per_unit
    }

    /// A host's affine map (points of the host to points of the host) as a map of Sinew's points.
    pub fn affine_in(&self, a: &Affine) -> Affine {
        let turn = self.turn();
        affine(&(turn * linear(a) * turn.transpose()), &self.point_in(translation(a)))
    }

    /// The inverse of [`Space::affine_in`].
    pub fn affine_out(&self, a: &Affine) -> Affine {
        let turn = self.turn();
        affine(&(turn.transpose() * linear(a) * turn), &self.point_out(translation(a)))
    }

    fn turn(&self) -> Mat3 {
        self.up.turn()
    }
}

#[cfg(test)]
mod tests {
    use super::super::transform_point;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn axes_lie_along_those_of_other_hosts() {
        let spaces = [UpAxis::Y, UpAxis::Z].map(|up| Space::new(0.01, up).unwrap());
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(a, b)| (spaces[a], spaces[b])) {
            for axis in 0..3 {
                let along = b.direction_out(a.direction_in(Vec3::ith(axis, 1.0)));
                assert_eq!(along[b.axis_along(axis, a)].abs(), 1.0, "{axis} of {a:?} in {b:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn converting_a_map_and_a_point_commutes(
            m in prop::array::uniform12(-3.0..3.0f64), p in prop::array::uniform3(-9.0..9.0f64), z: bool,
        ) {
            let space = Space::new(0.01, if z { UpAxis::Z } else { UpAxis::Y }).unwrap();
            let (a, p) = (Affine::from_row_slice(&m), Vec3::from(p));
            let inside = space.point_out(transform_point(&space.affine_in(&a), &space.point_in(p)));
            prop_assert!((inside - transform_point(&a, &p)).norm() < 1e-12 * 50.0);
            prop_assert!((space.affine_out(&space.affine_in(&a)) - a).norm() < 1e-13);
        }
    }

    #[test]
    fn z_up_becomes_y_up_without_a_mirror() {
        let space = Space::new(1.0, UpAxis::Z).unwrap();
        assert_eq!(space.point_in(Vec3::z()), Vec3::y());
        assert_eq!(space.turn().determinant(), 1.0);
        assert!(Space::new(Real::NAN, UpAxis::Y).is_err() && Space::new(0.0, UpAxis::Y).is_err());
    }
}
