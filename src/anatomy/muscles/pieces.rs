//! The pieces of a skin.

use sinew_geometry::{Around, HalfEdges, Mesh, TriMesh};

/// The pieces of a mesh that share no edge.
pub(super) struct Pieces {
    /// The piece of each triangle.
    pub of: Vec<u32>,
    /// Whether each has no border.
    pub closed: Vec<bool>,
}

impl Pieces {
    /// Of a mesh and its triangles; vertices at one place count as one.
    pub fn new(mesh: &Mesh, triangles: &TriMesh) -> Self {
        let first = Around::new(mesh).together;
        let welded = triangles.triangles.iter().map(|triangle| triangle.map(|v| first[v as usize]));
        let welded: Vec<[u32; 3]> = welded.collect();
        let edges = HalfEdges::of_triangles(first.len(), &welded);
        let (of, count) = edges.components();
        let mut closed = vec![true; count];
        for (triangle, piece) in of.iter().enumerate() {
            let is_border = edges.face_corners(triangle).any(|h| edges.twin(h as u32).is_none());
            closed[*piece as usize] &= !is_border;
        }
        Pieces { of, closed }
    }
}
