//! Numbers, vectors, rotations, rigid motions and small matrix decompositions.
//!
//! Everything inside Sinew computes in [`Real`]; `f32` exists only in the arrays of a host.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod decompose;
mod dual_quat;
pub mod elementary;
mod largest;
pub mod motion;
mod semidefinite;
mod space;
mod widest;

pub use decompose::{Polar2, Polar3, Svd2, polar2, polar3, pseudo_inverse, rotation2, svd2};
pub use dual_quat::DualQuat;
pub use largest::{Largest, copied, largest_magnitude, nan_or_larger};
pub use motion::Placement;
pub use semidefinite::without_falls;
pub use space::{Space, UpAxis};
pub use widest::{Work, widest};

use sinew_base::error::{Error, Kind, Result};

/// The number type used everywhere inside the library.
pub type Real = f64;

/// A number beyond its range by no more than this is at its end, as a weight below 0 is 0: exporters round. It is some
/// times the precision of single numbers at 1, 6e-8, because weights are sums and differences of others; far less than
/// anyone paints or sees.
pub const ROUNDING: Real = 1e-6;

/// A point or vector in the plane.
pub type Vec2 = nalgebra::Vector2<Real>;
/// A point or vector in space.
pub type Vec3 = nalgebra::Vector3<Real>;
/// A 2x2 matrix.
pub type Mat2 = nalgebra::Matrix2<Real>;
/// A 3x3 matrix.
pub type Mat3 = nalgebra::Matrix3<Real>;
/// A 3x2 matrix: two tangent vectors, or the gradient of a map from the plane into space.
pub type Mat3x2 = nalgebra::Matrix3x2<Real>;
/// An affine map of space: the upper three rows of the homogeneous matrix.
pub type Affine = nalgebra::Matrix3x4<Real>;
/// A twist (angular, linear).
pub type Vec6 = nalgebra::Vector6<Real>;
/// A 6x6 matrix: maps between twists.
pub type Mat6 = nalgebra::Matrix6<Real>;
/// A unit quaternion.
pub type Rotation = nalgebra::UnitQuaternion<Real>;

/// Whether all values are finite. Zero times a finite number is zero, with no bit set but its sign: a few vector
/// instructions test them all, where an early exit would look at them one by one.
pub fn all_finite(values: &[Real]) -> bool {
    struct Zeros<'a>(&'a [Real]);
    impl Work for Zeros<'_> {
        type Output = u64;
        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().fold(0, |bits, v| bits | (v * 0.0).abs().to_bits())
        }
    }
    widest(Zeros(values)) == 0
}

/// The linear part of an affine map.
pub fn linear(a: &Affine) -> Mat3 {
    a.fixed_columns::<3>(0).into_owned()
}

/// The translation of an affine map.
pub fn translation(a: &Affine) -> Vec3 {
    a.column(3).into_owned()
}

/// An affine map from its linear part and its translation.
pub fn affine(linear: &Mat3, translation: &Vec3) -> Affine {
    let mut a = Affine::zeros();
    a.fixed_columns_mut::<3>(0).copy_from(linear);
    a.set_column(3, translation);
    a
}

/// The affine map `a` after `b`.
pub fn compose(a: &Affine, b: &Affine) -> Affine {
    affine(&(linear(a) * linear(b)), &(linear(a) * translation(b) + translation(a)))
}

/// The image of a point.
pub fn transform_point(a: &Affine, p: &Vec3) -> Vec3 {
    linear(a) * p + translation(a)
}

/// The inverse of an affine map, or `None` when it flattens space (to within round-off of its own size).
pub fn invert(a: &Affine) -> Option<Affine> {
    let m = linear(a);
    let scale = m.abs().max();
    let determinant = m.determinant();
    // The |det| of a flat matrix is of the order of its rounding errors, about 1e-16 scale^3.
    if !(determinant.abs() > 1e-14 * scale * scale * scale && determinant.is_finite()) {
        return None;
    }
    let inverse = m.try_inverse()?;
    Some(affine(&inverse, &-(inverse * translation(a))))
}

/// The inverses of the matrices of joints at rest.
pub fn invert_rest(rest: &[Affine]) -> Result<Vec<Affine>> {
    let inverse = |(joint, matrix): (usize, &Affine)| {
        invert(matrix).ok_or_else(|| {
            let message = "the rest matrix of the joint cannot be inverted (a scale of zero?)";
            Error::new(Kind::Degenerate, message).joint(joint)
        })
    };
    rest.iter().enumerate().map(inverse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_found_wherever_it_is() {
        let sound = [0.0, -0.0, 1.0, Real::MAX, Real::MIN, Real::MIN_POSITIVE, 5e-324, -3.0, 7.5];
        for count in 0..=sound.len() {
            let mut values = sound[..count].to_vec();
            assert!(all_finite(&values));
            for k in 0..count {
                for bad in [Real::NAN, -Real::NAN, Real::INFINITY, -Real::INFINITY] {
                    let kept = std::mem::replace(&mut values[k], bad);
                    assert!(!all_finite(&values), "{values:?}");
                    values[k] = kept;
                }
            }
        }
    }
}
