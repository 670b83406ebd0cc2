//! Points and matrices as rows of numbers, as nodes take them.

use crate::math::{Affine, Real, Vec3};

/// Three numbers for each point.
pub(super) fn of_points(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

/// Sixteen numbers for each matrix, row after row.
pub(super) fn of_matrices(matrices: &[Affine]) -> Vec<Real> {
    let cell = |m: &Affine, k: usize| if k < 12 { m[(k / 4, k % 4)] } else { Real::from(k == 15) };
    matrices.iter().flat_map(|m| (0..16).map(move |k| cell(m, k))).collect()
}
