//! The contents and the flaws of a mesh, with indices, for diagnosing bad input.

use super::half_edges::{HalfEdges, IrregularEdge};
use super::measure::bounds;
use super::mesh::Mesh;
use super::triangles::{MAX_CORNERS, TriMesh, area_vector};
use super::uv::{Islands, face_uv_area};
use sinew_base::error::Result;
use sinew_math::Vec3;

/// Everything known about a mesh. Vertices, faces and corners are counted from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshReport {
    /// Vertices.
    pub vertices: usize,
    /// Edges, each counted once.
    pub edges: usize,
    /// Faces.
    pub faces: usize,
    /// Faces with three corners.
    pub triangles: usize,
    /// Faces with four corners.
    pub quads: usize,
    /// Faces with more than four corners.
    pub ngons: Vec<u32>,
    /// Connected pieces.
    pub pieces: usize,
    /// Vertices in use minus edges plus faces.
    pub euler_characteristic: i64,
    /// The smallest and the largest coordinates.
    pub bounds: [Vec3; 2],
    /// The vertices around each hole, borders included.
    pub holes: Vec<Vec<u32>>,
    /// Vertices in no face.
    pub isolated: Vec<u32>,
    /// Edges with more than two faces.
    pub non_manifold_edges: Vec<IrregularEdge>,
    /// Edges along which both faces run in the same direction.
    pub misoriented_edges: Vec<IrregularEdge>,
    /// Vertices where fans of faces meet at a single point only.
    pub pinched_vertices: Vec<u32>,
    /// Faces that use a vertex twice.
    pub repeating: Vec<u32>,
    /// Faces without area.
    pub flat: Vec<u32>,
    /// Faces with area that cross themselves, so that no triangulation is right.
    pub crossing: Vec<u32>,
    /// Faces with more corners than can be triangulated.
    pub too_large: Vec<u32>,
    /// What is known about the UVs, if there are any.
    pub uvs: Option<UvReport>,
}

/// What is known about a mesh's UVs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvReport {
    /// Pieces that are connected in UV space.
    pub islands: usize,
    /// Edges where the UVs of the two faces differ.
    pub seams: usize,
    /// Faces with a corner that has no UV.
    pub missing: Vec<u32>,
    /// Faces whose UVs have no area.
    pub flat: Vec<u32>,
    /// Faces with mirrored UVs.
    pub mirrored: Vec<u32>,
}

/// Indices that share a property, for listing.
pub struct Finding {
    /// What the items are, such as "vertices in no face".
    pub what: &'static str,
    /// The items, as text.
    pub items: Vec<String>,
}

/// An area below this fraction of the squared extent is round-off.
const FLAT: f64 = 1e-12;

impl MeshReport {
    /// Inspects everything. Counts and indices must be valid, as checked by [`Mesh::check_counts`].
    pub fn new(mesh: &Mesh) -> Result<Self> {
        mesh.check_counts()?;
        let edges = HalfEdges::of_mesh(mesh);
        let faces = |test: &dyn Fn(usize) -> bool| -> Vec<u32> {
            (0..mesh.face_count()).filter(|&f| test(f)).map(|f| f as u32).collect()
        };
        let flat = faces(&|f| is_flat(mesh, f));
        let too_large = faces(&|f| mesh.corners(f).len() > MAX_CORNERS);
        let crossing = if too_large.is_empty() {
            let flawed = TriMesh::from_mesh(mesh)?.flawed;
            flawed.into_iter().filter(|f| flat.binary_search(f).is_err()).collect()
        } else {
            Vec::new()
        };
        Ok(MeshReport {
            vertices: mesh.positions.len(),
            edges: edges.edge_count(),
            faces: mesh.face_count(),
            triangles: faces(&|f| mesh.corners(f).len() == 3).len(),
            quads: faces(&|f| mesh.corners(f).len() == 4).len(),
            ngons: faces(&|f| mesh.corners(f).len() > 4),
            pieces: edges.components().1,
            euler_characteristic: edges.euler_characteristic(),
            bounds: bounds(&mesh.positions),
            holes: edges.boundary_loops(),
            isolated: (0..mesh.positions.len() as u32).filter(|&v| !edges.is_used(v)).collect(),
            non_manifold_edges: edges
                .non_manifold_edges()
                .iter()
                .filter(|e| e.vertices[0] != e.vertices[1])
                .cloned()
                .collect(),
            misoriented_edges: edges.misoriented_edges().to_vec(),
            pinched_vertices: edges.pinched_vertices(),
            repeating: faces(&|f| repeats(mesh.face(f))),
            flat,
            crossing,
            too_large,
            uvs: uv_report(mesh, &edges),
        })
    }

    /// What the user has to repair, or at least to know: holes and n-gons are not included.
    pub fn problems(&self) -> Vec<Finding> {
        let numbers = |list: &[u32]| list.iter().map(u32::to_string).collect::<Vec<_>>();
        let edges = |list: &[IrregularEdge]| -> Vec<String> {
            let text = |e: &IrregularEdge| {
                let faces: Vec<_> = e.faces.iter().map(u32::to_string).collect();
                format!("{}-{} (faces {})", e.vertices[0], e.vertices[1], faces.join(" "))
            };
            list.iter().map(text).collect()
        };
        let uvs = self.uvs.clone().unwrap_or_default();
        [
            ("vertices in no face", numbers(&self.isolated)),
            ("edges with more than two faces", edges(&self.non_manifold_edges)),
            ("edges whose two faces have opposite orientation", edges(&self.misoriented_edges)),
            ("vertices where faces meet at a single point only", numbers(&self.pinched_vertices)),
            ("faces that use a vertex twice", numbers(&self.repeating)),
            ("faces without area", numbers(&self.flat)),
            ("faces that cross themselves", numbers(&self.crossing)),
            ("faces with too many corners to triangulate", numbers(&self.too_large)),
            ("faces with corners that have no UV", numbers(&uvs.missing)),
            ("faces without area in UV space", numbers(&uvs.flat)),
        ]
        .into_iter()
        .filter(|(_, items)| !items.is_empty())
        .map(|(what, items)| Finding { what, items })
        .collect()
    }
}

fn repeats(face: &[u32]) -> bool {
    let mut vertices = face.to_vec();
    vertices.sort_unstable();
    vertices.windows(2).any(|w| w[0] == w[1])
}

fn is_flat(mesh: &Mesh, face: usize) -> bool {
    let points: Vec<Vec3> = mesh.face(face).iter().map(|&v| mesh.positions[v as usize]).collect();
    let extent = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
    area_vector(&points).norm() <= FLAT * extent * extent
}

fn uv_report(mesh: &Mesh, edges: &HalfEdges) -> Option<UvReport> {
    let uvs = mesh.uvs.as_ref()?;
    let islands = Islands::new(mesh, uvs, edges);
    let mut report = UvReport { islands: islands.count, seams: islands.seams.len(), ..UvReport::default() };
    for face in 0..mesh.face_count() {
        let list = match face_uv_area(mesh, uvs, face) {
            None => &mut report.missing,
            Some(0.0) => &mut report.flat,
            Some(area) if area < 0.0 => &mut report.mirrored,
            Some(_) => continue,
        };
        list.push(face as u32);
    }
    Some(report)
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;

    fn report(mesh: &Mesh) -> MeshReport {
        MeshReport::new(mesh).unwrap()
    }

    fn add_face(mesh: &mut Mesh, vertices: &[u32]) {
        mesh.corner_vertices.extend(vertices);
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
    }

    #[test]
    fn sound_shapes_have_no_problem() {
        for mesh in [shapes::cube(1.0, 2), shapes::sphere(1.0, 1), shapes::cylinder(1.0, 1.0, 6, 2)] {
            assert!(report(&mesh).problems().is_empty());
        }
        let tube = report(&shapes::cylinder(1.0, 1.0, 6, 2));
        assert_eq!((tube.holes.len(), tube.quads, tube.pieces, tube.edges), (2, 12, 1, 30));
        assert_eq!(tube.uvs.unwrap().seams, 2);
        assert_eq!(report(&Mesh::default()), MeshReport { uvs: None, ..MeshReport::default() });
    }

    #[test]
    fn everything_wrong_is_found_with_its_indices() {
        let mut mesh = shapes::grid(2.0, 2.0, 2, 2);
        mesh.uvs = None;
        mesh.positions.extend([
            Vec3::new(0.0, 1.0, 0.0),
            Vec3::new(9.0, 0.0, 0.0),
            Vec3::new(0.0, -1.0, 0.5),
        ]);
        add_face(&mut mesh, &[1, 4, 9]); // Face 4: a third one on the edge 1-4.
        add_face(&mut mesh, &[0, 0, 1]); // Face 5: repeats a vertex, so it is flat too.
        add_face(&mut mesh, &[2, 11, 5, 8]); // Face 6 crosses nothing; a fan that joins the edge 2-5 is not there.
        let report = report(&mesh);
        assert_eq!(report.isolated, [10]);
        let edges: Vec<_> = report.non_manifold_edges.iter().map(|e| (e.vertices, e.faces.clone())).collect();
        assert_eq!(edges, [([0, 1], vec![0, 5]), ([1, 4], vec![0, 1, 4])]);
        assert_eq!((report.repeating.as_slice(), report.flat.as_slice()), (&[5][..], &[5][..]));
        let text: Vec<String> =
            report.problems().iter().map(|f| format!("{}: {}", f.what, f.items.join(", "))).collect();
        assert!(text.contains(&"vertices in no face: 10".into()), "{text:?}");
        assert!(text.iter().any(|t| t.contains("1-4 (faces 0 1 4)")), "{text:?}");
    }

    #[test]
    fn inside_out_faces_bow_ties_and_bad_uvs_are_found() {
        let mut mesh = shapes::grid(2.0, 1.0, 2, 1);
        mesh.corner_vertices[4..8].reverse();
        let found = report(&mesh);
        assert_eq!(found.misoriented_edges[0].vertices, [1, 4]);
        assert_eq!(found.uvs.unwrap().mirrored, [0u32; 0], "their UVs are as they were");
        let mut mesh = shapes::grid(2.0, 1.0, 2, 1);
        // The first face crosses itself, the second has one UV for all.
        mesh.corner_vertices[0..4].copy_from_slice(&[0, 1, 3, 4]);
        mesh.uvs.as_mut().unwrap().indices[4..8].fill(0);
        let found = report(&mesh);
        assert_eq!(found.flat, [0], "both halves of a bow tie cancel");
        assert_eq!(found.uvs.unwrap().flat, [1]);
    }

    #[test]
    fn a_crossing_pentagon_is_named() {
        let star = |k: u32| {
            let angle = std::f64::consts::TAU * f64::from(k) * 2.0 / 5.0;
            Vec3::new(angle.cos(), 0.0, angle.sin())
        };
        let mesh = Mesh {
            positions: (0..5).map(star).collect(),
            face_offsets: vec![0, 5],
            corner_vertices: (0..5).collect(),
            ..Mesh::default()
        };
        let found = report(&mesh);
        assert_eq!((found.crossing.as_slice(), found.ngons.as_slice()), (&[0][..], &[0][..]));
    }
}
