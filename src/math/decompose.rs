//! Singular values and polar factors of 2x2 and 3x3 matrices, with rotations that never mirror.
//!
//! A = U S V^T with det U = det V = 1; a mirrored A therefore shows as a negative *last* singular value. This is
//! the convention that elastic energies need (Irving et al., "Invertible Finite Elements", 2004). A = R P with
//! R = U V^T the nearest rotation and P = V S V^T symmetric.

use super::{Mat2, Mat3, Real, Rotation, Vec2, Vec3};
use nalgebra::{Quaternion, SymmetricEigen};

/// A 2x2 singular value decomposition: `u * diag(s) * v^T`, both factors rotations.
#[derive(Clone, Copy, Debug)]
pub struct Svd2 {
    /// Left rotation.
    pub u: Mat2,
    /// Singular values, |s0| >= |s1|; s1 is negative for a mirrored matrix.
    pub s: Vec2,
    /// Right rotation.
    pub v: Mat2,
}

/// A 3x3 singular value decomposition: `u * diag(s) * v^T`, both factors rotations.
#[derive(Clone, Copy, Debug)]
pub struct Svd3 {
    /// Left rotation.
    pub u: Mat3,
    /// Singular values, |s0| >= |s1| >= |s2|; s2 is negative for a mirrored matrix.
    pub s: Vec3,
    /// Right rotation.
    pub v: Mat3,
}

/// A 2x2 polar decomposition: `rotation * stretch`.
#[derive(Clone, Copy, Debug)]
pub struct Polar2 {
    /// The nearest rotation.
    pub rotation: Mat2,
    /// The symmetric stretch.
    pub stretch: Mat2,
}

/// A 3x3 polar decomposition: `rotation * stretch`.
#[derive(Clone, Copy, Debug)]
pub struct Polar3 {
    /// The nearest rotation.
    pub rotation: Mat3,
    /// The symmetric stretch.
    pub stretch: Mat3,
}

fn rotation2(angle: Real) -> Mat2 {
    let (s, c) = angle.sin_cos();
    Mat2::new(c, -s, s, c)
}

/// The closed form: with e, f, g, h the half sums and differences of the entries, A splits into a scaled rotation
/// (e, h) and a scaled reflection (f, g); their lengths add up to s0 and differ by s1.
pub fn svd2(a: &Mat2) -> Svd2 {
    let (e, f) = (0.5 * (a.m11 + a.m22), 0.5 * (a.m11 - a.m22));
    let (g, h) = (0.5 * (a.m21 + a.m12), 0.5 * (a.m21 - a.m12));
    let (q, r) = (e.hypot(h), f.hypot(g));
    let (a1, a2) = (g.atan2(f), h.atan2(e));
    Svd2 { u: rotation2(0.5 * (a2 + a1)), s: Vec2::new(q + r, q - r), v: rotation2(0.5 * (a1 - a2)) }
}

/// nalgebra's decomposition, with mirrors moved into the sign of the last singular value.
pub fn svd3(a: &Mat3) -> Svd3 {
    let svd = a.svd(true, true);
    let (mut u, mut s) = (svd.u.unwrap_or_else(Mat3::identity), svd.singular_values);
    let mut v = svd.v_t.unwrap_or_else(Mat3::identity).transpose();
    for factor in [&mut u, &mut v] {
        if factor.determinant() < 0.0 {
            factor.column_mut(2).neg_mut();
            s.z = -s.z;
        }
    }
    Svd3 { u, s, v }
}

/// The nearest rotation and the stretch of a 2x2 matrix.
pub fn polar2(a: &Mat2) -> Polar2 {
    let (x, y) = (a.m11 + a.m22, a.m21 - a.m12);
    let length = x.hypot(y);
    let rotation = if length > 0.0 { Mat2::new(x, -y, y, x) / length } else { Mat2::identity() };
    Polar2 { rotation, stretch: rotation.transpose() * a }
}

/// The nearest rotation and the stretch of a 3x3 matrix.
///
/// The rotation is the eigenvector of the largest eigenvalue of Horn's 4x4 matrix ("Closed-form solution of
/// absolute orientation using unit quaternions", 1987, with A in place of the correlation matrix): mirrored and flat
/// matrices need no special case.
pub fn polar3(a: &Mat3) -> Polar3 {
    let (x, y, z) = (a.m32 - a.m23, a.m13 - a.m31, a.m21 - a.m12);
    #[rustfmt::skip]
    let horn = nalgebra::Matrix4::new(
        a.m11 + a.m22 + a.m33, x, y, z,
        x, a.m11 - a.m22 - a.m33, a.m12 + a.m21, a.m13 + a.m31,
        y, a.m12 + a.m21, a.m22 - a.m11 - a.m33, a.m23 + a.m32,
        z, a.m13 + a.m31, a.m23 + a.m32, a.m33 - a.m11 - a.m22,
    );
    let eigen = SymmetricEigen::new(horn);
    let q = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    let rotation = Rotation::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    let rotation = rotation.to_rotation_matrix().into_inner();
    Polar3 { rotation, stretch: rotation.transpose() * a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn two_by_two(m in prop::array::uniform4(-3.0..3.0f64)) {
            let a = Mat2::from_row_slice(&m);
            let Svd2 { u, s, v } = svd2(&a);
            prop_assert!((u * Mat2::from_diagonal(&s) * v.transpose() - a).norm() < 1e-13);
            prop_assert!((u.determinant() - 1.0).abs() < 1e-14 && (v.determinant() - 1.0).abs() < 1e-14);
            prop_assert!(s.x >= s.y.abs());
            let polar = polar2(&a);
            prop_assert!((polar.rotation - u * v.transpose()).norm() < 1e-9 / (s.x + s.y).min(1.0));
            prop_assert!((polar.stretch - polar.stretch.transpose()).norm() < 1e-13);
        }

        #[test]
        fn three_by_three(m in prop::array::uniform9(-3.0..3.0f64)) {
            let a = Mat3::from_row_slice(&m);
            let Svd3 { u, s, v } = svd3(&a);
            prop_assert!((u * Mat3::from_diagonal(&s) * v.transpose() - a).norm() < 1e-12);
            prop_assert!((u.determinant() - 1.0).abs() < 1e-12 && (v.determinant() - 1.0).abs() < 1e-12);
            prop_assert!(s.x >= s.y && s.y >= s.z.abs());
            let polar = polar3(&a);
            // The nearest rotation is well conditioned as far as the gap s1 + s2 allows.
            prop_assert!((polar.rotation - u * v.transpose()).norm() < 1e-9 / (s.y + s.z).min(1.0));
            prop_assert!((polar.rotation * polar.stretch - a).norm() < 1e-13 * 10.0);
        }
    }

    #[test]
    fn zero_and_mirrored_matrices_have_answers() {
        assert_eq!(polar2(&Mat2::zeros()).rotation, Mat2::identity());
        assert!((polar3(&Mat3::zeros()).rotation.determinant() - 1.0).abs() < 1e-15);
        let mirror = Mat3::from_diagonal(&Vec3::new(3.0, 2.0, -1.0));
        assert!((svd3(&mirror).s - Vec3::new(3.0, 2.0, -1.0)).norm() < 1e-14);
        assert!((polar3(&mirror).rotation - Mat3::identity()).norm() < 1e-14);
    }
}
