//! Unit dual quaternions: rigid motions that blend without the collapse of blended matrices.
//!
//! A rigid motion x -> R x + t is q_r + eps q_d with q_r the rotation and q_d = 1/2 t q_r. Blending a weighted
//! sum and normalising by |q_r| gives a rigid motion again (Kavan et al., "Skinning with Dual Quaternions", 2007).

use super::{Affine, Mat3, Real, Rotation, Vec3};
use nalgebra::Quaternion;

/// A dual quaternion; of unit length when made from a rigid motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// The rotation q_r.
    pub real: Quaternion<Real>,
    /// The translation part q_d = 1/2 t q_r.
    pub dual: Quaternion<Real>,
}

impl DualQuat {
    /// The dual quaternion of x -> `rotation` x + `translation`.
    pub fn from_rigid(rotation: &Rotation, translation: &Vec3) -> Self {
        let t = Quaternion::from_imag(*translation);
        DualQuat { real: *rotation.quaternion(), dual: t * rotation.quaternion() * 0.5 }
    }

    /// The rigid motion as a matrix, after dividing by the length of the rotation part.
    pub fn to_affine(self) -> Affine {
        let length = self.real.norm();
        let (real, dual) = (self.real / length, self.dual / length);
        let rotation: Mat3 = Rotation::new_unchecked(real).to_rotation_matrix().into_inner();
        let translation = (dual * real.conjugate()).imag() * 2.0;
        super::affine(&rotation, &translation)
    }
}

#[cfg(test)]
mod tests {
    use super::super::transform_point;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_rigid_motion_survives_the_round_trip(
            axis in prop::array::uniform3(-3.0..3.0f64), t in prop::array::uniform3(-5.0..5.0f64),
            p in prop::array::uniform3(-5.0..5.0f64),
        ) {
            let (rotation, t, p) = (Rotation::from_scaled_axis(Vec3::from(axis)), Vec3::from(t), Vec3::from(p));
            let back = DualQuat::from_rigid(&rotation, &t).to_affine();
            prop_assert!((transform_point(&back, &p) - (rotation * p + t)).norm() < 1e-13);
        }
    }
}
