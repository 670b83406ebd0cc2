//! Points and matrices as rows of numbers, as nodes take them. Points have the same memory layout: nothing is copied.

use sinew_math::{Affine, Real, Vec2, Vec3};

/// Three numbers for each point.
pub(crate) fn of_points(points: Vec<Vec3>) -> Vec<Real> {
    bytemuck::cast_vec(points)
}

/// Points of three numbers each; a remainder is dropped.
pub(crate) fn points_of(numbers: &[Real]) -> &[Vec3] {
    bytemuck::cast_slice(&numbers[..numbers.len() / 3 * 3])
}

/// UVs of two numbers each; a remainder is dropped.
pub(crate) fn uvs_of(numbers: &[Real]) -> &[Vec2] {
    bytemuck::cast_slice(&numbers[..numbers.len() / 2 * 2])
}

/// Sixteen numbers for each matrix, row by row.
pub(crate) fn of_matrices(matrices: &[Affine]) -> Vec<Real> {
    let cell = |m: &Affine, k: usize| if k < 12 { m[(k / 4, k % 4)] } else { Real::from(k == 15) };
    matrices.iter().flat_map(|m| (0..16).map(move |k| cell(m, k))).collect()
}
