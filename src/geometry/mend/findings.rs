//! The irregularities of a mesh, in words.

use super::faces::Polygons;
use super::join::Joints;
use crate::mesh::Mesh;
use crate::triangles::TriMesh;
use crate::uv::face_uv_area;

/// The irregularities of a mesh. Vertices and faces are those of the given mesh, ascending, counted from 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The number of its vertices.
    pub vertices: usize,
    /// Vertices that were joined with another at the same position.
    pub joined: usize,
    /// Connected pieces of the surface.
    pub pieces: usize,
    /// Faces without area.
    pub flat: Vec<u32>,
    /// Faces of which some triangles have no area.
    pub partly_flat: Vec<u32>,
    /// Faces that cross themselves.
    pub crossing: Vec<u32>,
    /// Faces with the same vertices as another, each with that one.
    pub copies: Vec<(u32, u32)>,
    /// The ends of edges with more than two faces.
    pub crowded: Vec<[u32; 2]>,
    /// The ends of edges whose two faces have opposite orientation.
    pub opposed: Vec<[u32; 2]>,
    /// Vertices in which fans of faces meet at a single point only.
    pub bow_ties: Vec<u32>,
    /// Vertices in no face that carries skin.
    pub loose: Vec<u32>,
    /// Triangles that are connected with no other face.
    pub lone: Vec<u32>,
    /// Faces whose UVs have no area.
    pub flat_uvs: Vec<u32>,
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// A number with thousands separators: 1,728.
pub fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 face", "3 faces".
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", with_commas(count), if count == 1 { one } else { many })
}

impl Findings {
    /// Records findings about single faces.
    pub(super) fn of_faces(mesh: &Mesh, tri: &TriMesh) -> Self {
        let no_area = |face: &usize| {
            mesh.uvs.as_ref().and_then(|uvs| face_uv_area(mesh, uvs, *face)).is_some_and(|area| area == 0.0)
        };
        let flat_uvs = (0..mesh.face_count()).filter(no_area).map(|face| face as u32).collect();
        Findings { crossing: tri.flawed.clone(), flat_uvs, ..Findings::default() }
    }

    /// Records copies, given by the faces of the surface.
    pub(super) fn set_copies(&mut self, polygons: &Polygons, copies: &[(u32, u32)]) {
        let given = |face: u32| polygons.faces[face as usize];
        self.copies = copies.iter().map(|&(copy, stays)| (given(copy), given(stays))).collect();
        self.copies.sort_unstable();
        self.copies.dedup_by_key(|copy| copy.0);
    }

    /// Records findings about edges.
    pub(super) fn set_joints(&mut self, joints: &Joints, polygons: &Polygons, mesh: &Mesh) {
        let vertex = |corner: u32| mesh.corner_vertices[polygons.corners[corner as usize] as usize];
        let ends = |list: &[u32]| list.iter().map(|&h| sorted([h, joints.next(h)].map(vertex))).collect();
        self.crowded = ends(&joints.crowded);
        self.opposed = ends(&joints.opposed);
        let flat = self.flat.iter().chain(&self.partly_flat).copied();
        let flat: std::collections::HashSet<u32> = flat.collect();
        self.crossing.retain(|face| !flat.contains(face));
    }

    /// A sentence for each, for users who let skin slide on the mesh.
    pub fn sentences(&self) -> Vec<String> {
        let mut reported = Vec::new();
        if self.joined > 0 {
            reported.push(format!(
                "{} of {} vertices coincide with others, as at UV seams, and are merged: the skin slides across",
                with_commas(self.joined),
                with_commas(self.vertices)
            ));
        }
        reported.extend(listed(
            &self.flat,
            ["face has no area at rest", "faces have no area at rest"],
            "face",
            "no skin there, and adjacent faces are joined where their edges coincide",
        ));
        reported.extend(listed(
            &self.partly_flat,
            ["face has a part without area at rest", "faces have a part without area at rest"],
            "face",
            "no skin on that part",
        ));
        reported.extend(listed(
            &self.crossing,
            ["face crosses itself", "faces cross themselves"],
            "face",
            "triangulated anyway, so the skin may be folded there",
        ));
        let copies: Vec<u32> = self.copies.iter().map(|copy| copy.0).collect();
        reported.extend(listed(
            &copies,
            ["face repeats the vertices of another", "faces repeat the vertices of others"],
            "face",
            "shown with the skin of the face that is kept",
        ));
        self.report_connections(&mut reported);
        reported
    }

    /// Findings about connectivity.
    fn report_connections(&self, reported: &mut Vec<String>) {
        reported.extend(of_edges(
            &self.crowded,
            ["edge has more than two faces", "edges have more than two faces"],
            "the skin slides across between the two faces that continue each other most smoothly, and ends there on \
             the others",
        ));
        reported.extend(of_edges(
            &self.opposed,
            ["edge has two faces of opposite orientation", "edges have two faces of opposite orientation"],
            "the skin does not slide across",
        ));
        reported.extend(listed(
            &self.bow_ties,
            ["vertex joins faces at a single point only", "vertices join faces at a single point only"],
            "vertex",
            "the skin of each side slides by itself, and per-vertex results are those of its first face",
        ));
        reported.extend(listed(
            &self.loose,
            ["vertex is in no face with area", "vertices are in no face with area"],
            "vertex",
            "no skin there",
        ));
        reported.extend(listed(
            &self.lone,
            ["piece is a lone triangle", "pieces are lone triangles"],
            "face",
            "the skin is held there",
        ));
        reported.extend(listed(
            &self.flat_uvs,
            ["face has UVs without area", "faces have UVs without area"],
            "face",
            "where its skin slides over other faces, it shows a line or a point of the texture",
        ));
        if self.pieces > 1 {
            let pieces = with_commas(self.pieces);
            reported.push(format!(
                "the body has {pieces} pieces that are not connected: the skin of each slides by itself"
            ));
        }
    }
}

fn listed(list: &[u32], what: [&str; 2], name: &str, then: &str) -> Option<String> {
    let first = list.first()?;
    Some(format!("{}, the first is {name} {first}: {then}", counted(list.len(), what[0], what[1])))
}

fn of_edges(list: &[[u32; 2]], what: [&str; 2], then: &str) -> Option<String> {
    let [a, b] = list.first()?;
    let count = counted(list.len(), what[0], what[1]);
    Some(format!("{count}, the first goes from vertex {a} to {b}: {then}"))
}
