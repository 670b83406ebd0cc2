//! Means over the triangles at a vertex, and the derivative of positions by its coordinates.

use super::super::model::Model;
use super::charts::Charts;
use sinew_math::{Mat3x2, Real, Vec3};

/// The mean over the triangles at a vertex, weighted by area at rest, of a quantity in the vertex's coordinates.
pub(super) fn mean<T>(charts: &Charts, vertex: usize, zero: T, value: impl Fn(usize, usize) -> T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Mul<Real, Output = T>,
{
    let all = charts.fan(vertex).iter();
    all.fold(zero, |sum, c| sum + value(c.triangle as usize, c.corner as usize) * c.share)
}

/// dx/du at a vertex, in its coordinates, for values `at` the vertices.
pub(super) fn vertex_jacobian(
    model: &Model,
    charts: &Charts,
    vertex: usize,
    at: impl Fn(usize) -> Vec3,
) -> Mat3x2 {
    mean(charts, vertex, Mat3x2::zeros(), |t, k| {
        let corners = model.rest.mesh().triangles[t].map(|v| at(v as usize));
        charts.jacobian(t, &corners) * charts.turn(t, k)
    })
}
