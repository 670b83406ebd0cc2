//! The distance of a carried map from a given one.

use super::super::half_edges::HalfEdges;
use super::super::trace::SurfacePoint;
use super::super::triangles::TriMesh;
use super::{check_points, mean_edge};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// The distance of two maps of the vertices into a surface, in mean edge lengths of that surface. It is measured
/// straight through space: never longer than along the surface, and for points a few edges apart practically equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapError {
    /// The root of the mean square.
    pub rms: Real,
    /// The largest.
    pub max: Real,
    /// The vertex with the largest.
    pub worst: u32,
    /// The mean edge length, in metres: the factor that converts the others to metres.
    pub mean_edge: Real,
}

impl MapError {
    /// Compares a map with the expected one. `edges` is the adjacency of the triangles.
    pub fn new(
        mesh: &TriMesh,
        edges: &HalfEdges,
        map: &[SurfacePoint],
        expected: &[SurfacePoint],
    ) -> Result<Self> {
        if map.len() != expected.len() || edges.len() != 3 * mesh.triangles.len() {
            return Err(Error::new(
                Kind::CountMismatch,
                "the maps, or mesh and adjacency, do not belong together",
            ));
        }
        check_points(map, mesh.triangles.len())?;
        check_points(expected, mesh.triangles.len())?;
        let mut error = MapError { mean_edge: mean_edge(mesh, edges), ..MapError::default() };
        let mut squares = 0.0;
        for (v, (a, b)) in map.iter().zip(expected).enumerate() {
            let square = (a.position(mesh) - b.position(mesh)).norm_squared();
            squares += square;
            if square > error.max {
                (error.max, error.worst) = (square, v as u32);
            }
        }
        if error.mean_edge > 0.0 {
            error.rms = (squares / map.len().max(1) as Real).sqrt() / error.mean_edge;
            error.max = error.max.sqrt() / error.mean_edge;
        }
        Ok(error)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::shapes;
    use super::*;

    #[test]
    fn errors_are_counted_in_edges() {
        let mesh = TriMesh::from_mesh(&shapes::sphere(1.0, 0)).unwrap();
        let edges = HalfEdges::of_triangles(12, &mesh.triangles);
        let at = |a: Real| SurfacePoint { triangle: 3, weights: [1.0 - a, a, 0.0] };
        let error = MapError::new(&mesh, &edges, &[at(0.0), at(1.0)], &[at(0.0), at(0.5)]).unwrap();
        assert!((error.max - 0.5).abs() < 1e-12 && (error.rms - 0.125f64.sqrt()).abs() < 1e-12);
        assert_eq!(error.worst, 1);
        let edge = (mesh.points(0)[1] - mesh.points(0)[0]).norm();
        assert!((error.mean_edge - edge).abs() < 1e-12);
        let none = MapError::new(&mesh, &edges, &[], &[]).unwrap();
        assert_eq!((none.rms, none.max), (0.0, 0.0));
        assert_eq!(MapError::new(&mesh, &edges, &[at(0.0)], &[]).unwrap_err().kind(), Kind::CountMismatch);
        let beyond = SurfacePoint { triangle: 99, weights: [1.0, 0.0, 0.0] };
        let bad = MapError::new(&mesh, &edges, &[at(0.0)], &[beyond]).unwrap_err();
        assert_eq!((bad.kind(), bad.place().vertex), (Kind::OutOfRange, Some(0)));
    }
}
