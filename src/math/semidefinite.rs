//! Projection of a symmetric matrix onto the positive semidefinite cone.

use super::Real;
use nalgebra::Matrix4;

/// Rotations stop when the off-diagonal entries are round-off. Four to five sweeps get there; the bound only keeps NaN
/// from looping forever.
const SWEEPS: usize = 12;

/// Replaces the negative eigenvalues of a symmetric matrix by zero, which gives the nearest positive semidefinite one
/// (Higham, "Computing a nearest symmetric positive semidefinite matrix", 1988). Uses Jacobi rotations (Golub, Van
/// Loan, "Matrix computations", 2013, §8.5), which at this size are faster than tridiagonalisation.
pub fn without_falls(m: &mut Matrix4<Real>) {
    // Most have no negative eigenvalue, which a Cholesky factorisation finds out in a tenth of the time.
    if has_factor(m) {
        return;
    }
    let (mut a, mut axes) = (*m, Matrix4::identity());
    let size = a.norm_squared();
    for _ in 0..SWEEPS {
        let mut beside = 0.0;
        for p in 0..3 {
            for q in p + 1..4 {
                beside += a[(p, q)] * a[(p, q)];
                rotate(&mut a, &mut axes, p, q);
            }
        }
        // The rotations just made are accurate to the square of what this sum measures.
        if beside <= 1e-20 * size {
            break;
        }
    }
    m.fill(0.0);
    for k in 0..4 {
        let value = a[(k, k)].max(0.0);
        let axis = axes.column(k).into_owned();
        *m += (axis * value) * axis.transpose();
    }
}

fn has_factor(m: &Matrix4<Real>) -> bool {
    let mut l = *m;
    for j in 0..4 {
        let mut pivot = l[(j, j)];
        for k in 0..j {
            pivot -= l[(j, k)] * l[(j, k)];
        }
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        let inverse = 1.0 / pivot.sqrt();
        for i in j + 1..4 {
            let mut value = l[(i, j)];
            for k in 0..j {
                value -= l[(i, k)] * l[(j, k)];
            }
            l[(i, j)] = value * inverse;
        }
    }
    true
}

/// Rotates the axes `p` and `q` so that the entry between them becomes zero.
fn rotate(a: &mut Matrix4<Real>, axes: &mut Matrix4<Real>, p: usize, q: usize) {
    let between = a[(p, q)];
    if between == 0.0 {
        return;
    }
    let half = (a[(q, q)] - a[(p, p)]) / (2.0 * between);
    let tangent = half.signum() / (half.abs() + (1.0 + half * half).sqrt());
    let cos = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sin = tangent * cos;
    for k in 0..4 {
        let (x, y) = (a[(k, p)], a[(k, q)]);
        (a[(k, p)], a[(k, q)]) = (cos * x - sin * y, sin * x + cos * y);
        let (x, y) = (axes[(k, p)], axes[(k, q)]);
        (axes[(k, p)], axes[(k, q)]) = (cos * x - sin * y, sin * x + cos * y);
    }
    for k in 0..4 {
        let (x, y) = (a[(p, k)], a[(q, k)]);
        (a[(p, k)], a[(q, k)]) = (cos * x - sin * y, sin * x + cos * y);
    }
    (a[(p, q)], a[(q, p)]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_the_eigenvalues_say(n in prop::array::uniform10(-1.0..1.0f64), scale in -30..30i32) {
            let mut entries = n.iter().map(|x| x * 2f64.powi(scale));
            let mut m = Matrix4::zeros();
            for i in 0..4 {
                for j in 0..=i {
                    m[(i, j)] = entries.next().unwrap_or(0.0);
                    m[(j, i)] = m[(i, j)];
                }
            }
            let mut eigen = m.symmetric_eigen();
            eigen.eigenvalues.iter_mut().for_each(|v| *v = v.max(0.0));
            let mut found = m;
            without_falls(&mut found);
            prop_assert!((found - eigen.recompose()).norm() < 1e-12 * m.norm());
        }
    }

    #[test]
    fn nothing_is_done_to_what_falls_nowhere_and_numbers_that_are_none_end() {
        let mut good = Matrix4::from_diagonal_element(2.0);
        good[(0, 1)] = 0.5;
        good[(1, 0)] = 0.5;
        let before = good;
        without_falls(&mut good);
        assert_eq!(good, before);
        let mut zero = Matrix4::zeros();
        without_falls(&mut zero);
        assert_eq!(zero, Matrix4::zeros());
        without_falls(&mut Matrix4::from_element(Real::NAN));
    }
}
