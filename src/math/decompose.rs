//! Singular values of 2x2 matrices, polar factors of 2x2 and 3x3 matrices, with rotations that never mirror; the
//! pseudo-inverse.
//!
//! A = U S V^T with det U = det V = 1; a mirrored A therefore shows as a negative *last* singular value. This is
//! the convention that elastic energies need (Irving et al., "Invertible Finite Elements", 2004). A = R P with
//! R = U V^T the nearest rotation and P = V S V^T symmetric.

use super::{Mat2, Mat3, Real, Rotation, Vec2, Vec3};
use crate::elementary::{atan2, hypot, sin_cos};
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

/// The rotation of the plane by an angle.
pub fn rotation2(angle: Real) -> Mat2 {
    let (s, c) = sin_cos(angle);
    Mat2::new(c, -s, s, c)
}

/// The closed form: with e, f, g, h the half sums and differences of the entries, A splits into a scaled rotation
/// (e, h) and a scaled reflection (f, g); their lengths add up to s0 and differ by s1.
pub fn svd2(a: &Mat2) -> Svd2 {
    let (e, f) = (0.5 * (a.m11 + a.m22), 0.5 * (a.m11 - a.m22));
    let (g, h) = (0.5 * (a.m21 + a.m12), 0.5 * (a.m21 - a.m12));
    let (q, r) = (hypot(e, h), hypot(f, g));
    let (a1, a2) = (atan2(g, f), atan2(h, e));
    Svd2 { u: rotation2(0.5 * (a2 + a1)), s: Vec2::new(q + r, q - r), v: rotation2(0.5 * (a1 - a2)) }
}

/// The pseudo-inverse of the matrix with these rows, a column for each; singular values of at most `least` count as
/// zero.
///
/// One-sided Jacobi (Hestenes, "Inversion of matrices by biorthogonalization", 1958): rotations V of its columns make
/// them orthogonal, A V = U S, and A^+ = V S^-2 (A V)^T.
pub fn pseudo_inverse(rows: &[Vec3], least: Real) -> Vec<Vec3> {
    let (mut rows, mut v) = (rows.to_vec(), Mat3::identity());
    let product = |rows: &[Vec3], p: usize, q: usize| rows.iter().map(|r| r[p] * r[q]).sum::<Real>();
    // Convergence is quadratic: a few rounds do, and these end in any case.
    for _ in 0..30 {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b, across) = (product(&rows, p, p), product(&rows, q, q), product(&rows, p, q));
            if across.abs() <= Real::EPSILON * (a * b).sqrt() {
                continue;
            }
            turned = true;
            let zeta = 0.5 * (b - a) / across;
            let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            let sine = cosine * tangent;
            let turn = |x: Real, y: Real| (cosine * x - sine * y, sine * x + cosine * y);
            rows.iter_mut().for_each(|r| (r[p], r[q]) = turn(r[p], r[q]));
            (0..3).for_each(|k| (v[(k, p)], v[(k, q)]) = turn(v[(k, p)], v[(k, q)]));
        }
        if !turned {
            break;
        }
    }
    let inverse = Vec3::from_fn(|k, _| {
        let square = product(&rows, k, k);
        if square > least * least { 1.0 / square } else { 0.0 }
    });
    rows.iter().map(|row| v * row.component_mul(&inverse)).collect()
}

/// The nearest rotation and the stretch of a 2x2 matrix.
pub fn polar2(a: &Mat2) -> Polar2 {
    let (x, y) = (a.m11 + a.m22, a.m21 - a.m12);
    let length = hypot(x, y);
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
            let svd = a.svd(true, true);
            let (mut u, v) = (svd.u.unwrap(), svd.v_t.unwrap().transpose());
            let mut s = svd.singular_values;
            if (u * v.transpose()).determinant() < 0.0 {
                u.column_mut(2).neg_mut();
                s.z = -s.z;
            }
            let polar = polar3(&a);
            // The nearest rotation is well conditioned as far as the gap s1 + s2 allows.
            prop_assert!((polar.rotation - u * v.transpose()).norm() < 1e-9 / (s.y + s.z).min(1.0));
            prop_assert!((polar.rotation * polar.stretch - a).norm() < 1e-13 * 10.0);
        }
    }

    proptest! {
        /// By the four conditions of Moore and Penrose, which have one solution; of any rank.
        #[test]
        fn pseudo_inverses_are(m in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 1..7), rank in 1..4usize) {
            let rows: Vec<Vec3> = m.iter().map(|row| Vec3::from_fn(|k, _| if k < rank { row[k] } else { row[0] })).collect();
            let columns = pseudo_inverse(&rows, 1e-9);
            let a = nalgebra::DMatrix::from_fn(rows.len(), 3, |i, k| rows[i][k]);
            let b = nalgebra::DMatrix::from_fn(3, rows.len(), |k, i| columns[i][k]);
            let size = b.amax().max(1.0);
            prop_assume!(size < 1e5);
            let near = |x: nalgebra::DMatrix<Real>, y: &nalgebra::DMatrix<Real>| (x - y).amax() < 1e-13 * size * size;
            prop_assert!(near(&a * &b * &a, &a) && near(&b * &a * &b, &b));
            let (ab, ba) = (&a * &b, &b * &a);
            prop_assert!(near(ab.transpose(), &ab) && near(ba.transpose(), &ba));
        }
    }

    #[test]
    fn zero_and_mirrored_matrices_have_answers() {
        assert_eq!(polar2(&Mat2::zeros()).rotation, Mat2::identity());
        assert!((polar3(&Mat3::zeros()).rotation.determinant() - 1.0).abs() < 1e-15);
        let mirror = Mat3::from_diagonal(&Vec3::new(3.0, 2.0, -1.0));
        assert!((polar3(&mirror).rotation - Mat3::identity()).norm() < 1e-14);
    }
}
