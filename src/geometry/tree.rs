//! The tree of boxes around the triangles of a mesh, for queries.

use super::triangles::TriMesh;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Vec3;

pub(super) fn vector(p: &Vec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

pub(super) fn around([a, b, c]: &[Vec3; 3]) -> Aabb {
    Aabb::new(vector(&a.inf(b).inf(c)), vector(&a.sup(b).sup(c)))
}

/// The tree and the triangles of a mesh, whose positions must be finite.
pub(super) fn tree(mesh: &TriMesh) -> Result<(Bvh, Vec<[Vec3; 3]>)> {
    if mesh.triangles.is_empty() {
        return Err(Error::new(Kind::Degenerate, "the mesh has no faces, so there is no closest point"));
    }
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(Error::new(Kind::NotFinite, "the position is not a number").vertex(vertex));
    }
    let triangles: Vec<[Vec3; 3]> = (0..mesh.triangles.len()).map(|t| mesh.points(t)).collect();
    let boxes: Vec<Aabb> = triangles.iter().map(around).collect();
    Ok((Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes), triangles))
}
