//! Seams and islands of a mesh's UVs.

use super::half_edges::HalfEdges;
use super::mesh::{CornerLayer, Mesh, NO_VALUE};
use sinew_math::{Real, Vec2};

/// Where the UVs of a mesh are cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Islands {
    /// The island of each face, numbered by their first faces.
    pub of_face: Vec<u32>,
    /// The number of islands.
    pub count: usize,
    /// One half-edge of each seam, the smaller of the two. Borders of the mesh are not seams.
    pub seams: Vec<u32>,
}

impl Islands {
    /// The islands of UVs; `edges` must be the adjacency of `mesh`.
    ///
    /// UVs are compared by value, not by index: some programs write a separate UV for every corner.
    pub fn new(mesh: &Mesh, uvs: &CornerLayer<Vec2>, edges: &HalfEdges) -> Self {
        debug_assert_eq!(edges.len(), mesh.corner_vertices.len());
        let joined = |h: u32| {
            let twin = edges.twin(h)?;
            let same = same_uv(uvs, h, edges.next(twin)) && same_uv(uvs, edges.next(h), twin);
            same.then_some(twin)
        };
        let (of_face, count) = edges.pieces(joined);
        let seam = |h: &u32| edges.twin(*h).is_some_and(|twin| *h < twin) && joined(*h).is_none();
        Islands { of_face, count, seams: (0..edges.len() as u32).filter(seam).collect() }
    }
}

fn same_uv(uvs: &CornerLayer<Vec2>, a: u32, b: u32) -> bool {
    let (a, b) = (uvs.indices[a as usize], uvs.indices[b as usize]);
    a == b || (a != NO_VALUE && b != NO_VALUE && uvs.values[a as usize] == uvs.values[b as usize])
}

/// Twice the signed area of a triangle, negative if it is mirrored.
pub fn twice_area([a, b, c]: &[Vec2; 3]) -> Real {
    (b - a).perp(&(c - a))
}

/// The signed area of a face in UV space, negative if it is mirrored; `None` if a corner has no UV.
pub fn face_uv_area(mesh: &Mesh, uvs: &CornerLayer<Vec2>, face: usize) -> Option<Real> {
    let indices = &uvs.indices[mesh.corners(face)];
    if indices.contains(&NO_VALUE) {
        return None;
    }
    let uv = |k: usize| uvs.values[indices[k] as usize];
    Some((1..indices.len() - 1).map(|k| 0.5 * (uv(k) - uv(0)).perp(&(uv(k + 1) - uv(0)))).sum())
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;

    fn islands(mesh: &Mesh) -> Islands {
        Islands::new(mesh, mesh.uvs.as_ref().unwrap(), &HalfEdges::of_mesh(mesh))
    }

    #[test]
    fn shapes_have_the_seams_that_they_were_given() {
        let plane = islands(&shapes::grid(1.0, 1.0, 4, 3));
        assert_eq!((plane.count, plane.seams.len()), (1, 0));
        let tube = islands(&shapes::cylinder(1.0, 1.0, 8, 5));
        assert_eq!((tube.count, tube.seams.len()), (1, 5));
        let ring = islands(&shapes::torus(2.0, 0.5, 8, 5));
        assert_eq!((ring.count, ring.seams.len()), (1, 13));
        let cube = islands(&shapes::cube(1.0, 3));
        assert_eq!((cube.count, cube.seams.len()), (6, 12 * 3));
        assert!((0..6).all(|island| cube.of_face.iter().filter(|&&i| i == island).count() == 9));
    }

    #[test]
    fn uvs_of_their_own_for_every_corner_are_no_seams() {
        let mut mesh = shapes::grid(1.0, 1.0, 3, 3);
        let shared = mesh.uvs.take().unwrap();
        let values: Vec<Vec2> = shared.indices.iter().map(|&i| shared.values[i as usize]).collect();
        mesh.uvs = Some(CornerLayer { indices: (0..values.len() as u32).collect(), values });
        assert_eq!(islands(&mesh).seams, [0u32; 0]);
        mesh.uvs.as_mut().unwrap().indices[0] = NO_VALUE;
        assert_eq!(face_uv_area(&mesh, mesh.uvs.as_ref().unwrap(), 0), None);
        assert!(islands(&mesh).seams.is_empty(), "corner 0 is at no inner edge");
    }

    #[test]
    fn areas_in_uv_space_are_signed() {
        let mut mesh = shapes::grid(1.0, 1.0, 2, 2);
        let area = |mesh: &Mesh| face_uv_area(mesh, mesh.uvs.as_ref().unwrap(), 0).unwrap();
        assert!((area(&mesh) - 0.25).abs() < 1e-15);
        mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| uv.x = -uv.x);
        assert!((area(&mesh) + 0.25).abs() < 1e-15);
    }
}
