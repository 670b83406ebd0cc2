//! Symmetric matrices over a segment's unknowns (x0, x1, s0, s1) that depend on no direction but the segment's own, t.
//! All of a segment's matrices are of this form, since its slope F and its stretch are along t:
//!
//! | | place k | material k |
//! |---|---|---|
//! | place i | across_ik (I - t t^T) + along_ik t t^T | mixed_ik t |
//! | material i | mixed_ki t^T | flow_ik |
//!
//! Sixteen numbers instead of sixty-four, and every product skips the zeros.

use sinew_math::{Real, Vec3};
use std::ops::{Add, AddAssign, Mul};

/// A vector over the unknowns of a segment.
pub type SegmentVector = nalgebra::SVector<Real, 8>;
/// A matrix over the unknowns of a segment.
#[cfg(test)]
pub type SegmentMatrix = nalgebra::SMatrix<Real, 8, 8>;

/// A vector from its parts.
pub fn vector(x: [Vec3; 2], s: [Real; 2]) -> SegmentVector {
    SegmentVector::from([x[0].x, x[0].y, x[0].z, x[1].x, x[1].y, x[1].z, s[0], s[1]])
}

/// A number for each pair of ends.
pub type Ends = nalgebra::Matrix2<Real>;

/// A symmetric matrix over the unknowns of a segment, for its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Form {
    /// Between positions, across the direction.
    pub across: Ends,
    /// Between positions, along it.
    pub along: Ends,
    /// Between positions, along it, and materials.
    pub mixed: Ends,
    /// Between materials.
    pub flow: Ends,
}

/// [same other; other same].
pub fn ends(same: Real, other: Real) -> Ends {
    Ends::new(same, other, other, same)
}

impl Form {
    /// u u^T with u = (x0 t, x1 t, s0, s1).
    pub fn square(x: [Real; 2], s: [Real; 2]) -> Self {
        let [x, s] = [x, s].map(nalgebra::Vector2::from);
        Form {
            along: x * x.transpose(),
            mixed: x * s.transpose(),
            flow: s * s.transpose(),
            ..Form::default()
        }
    }

    /// The matrix times a vector, for the direction t.
    pub fn times(&self, direction: &Vec3, v: &SegmentVector) -> SegmentVector {
        let x = [0, 3].map(|first| Vec3::new(v[first], v[first + 1], v[first + 2]));
        let (s, along) = ([v[6], v[7]], x.map(|x| direction.dot(&x)));
        let across = [0, 1].map(|k| x[k] - direction * along[k]);
        let row = |ends: &Ends, i: usize, of: [Real; 2]| ends[(i, 0)] * of[0] + ends[(i, 1)] * of[1];
        let place = |i: usize| {
            let forward = row(&self.along, i, along) + row(&self.mixed, i, s);
            across[0] * self.across[(i, 0)] + across[1] * self.across[(i, 1)] + direction * forward
        };
        let mixed = self.mixed.transpose();
        vector([0, 1].map(place), [0, 1].map(|i| row(&mixed, i, along) + row(&self.flow, i, s)))
    }
}

impl Add for Form {
    type Output = Form;

    fn add(self, other: Form) -> Form {
        Form {
            across: self.across + other.across,
            along: self.along + other.along,
            mixed: self.mixed + other.mixed,
            flow: self.flow + other.flow,
        }
    }
}

impl AddAssign for Form {
    fn add_assign(&mut self, other: Form) {
        *self = *self + other;
    }
}

impl Mul<Real> for Form {
    type Output = Form;

    fn mul(self, factor: Real) -> Form {
        Form {
            across: self.across * factor,
            along: self.along * factor,
            mixed: self.mixed * factor,
            flow: self.flow * factor,
        }
    }
}
