//! The surface on which skin can slide, as far as a mesh describes one.
//!
//! Meshes come with vertices split at UV seams, faces without area, copies of faces, fins, faces that touch at a single
//! point. [`Mended`] makes a mesh from them in which every edge has at most two faces and every vertex one fan of
//! faces, and keeps the correspondence. A sound mesh is left unchanged, vertex by vertex.
//!
//! | input | result |
//! |---|---|
//! | vertices at the same position, on open edges that match | one vertex; see [`Stitch`] for those that come apart |
//! | triangles without area | removed; adjacent faces are joined where their edges then coincide |
//! | faces with the same vertices | the one with the larger neighbourhood is kept |
//! | an edge with more than two faces | the two that continue most smoothly are joined there, then the next two; the rest end |
//! | an edge whose two faces have opposite orientation | both end there |
//! | fans of faces that share a vertex only | each gets a vertex of its own |
//! | vertices in no remaining face | removed |

mod faces;
mod findings;
mod join;
#[cfg(test)]
mod tests;
mod uvs;

use super::mesh::{CornerLayer, Mesh};
use super::triangles::TriMesh;
use faces::Polygons;
pub use findings::Findings;
pub use findings::{counted, with_commas};
use join::Joints;
pub use join::Stitch;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};
use uvs::UvSource;

/// The surface vertex of a given vertex without skin.
pub const NO_SKIN: u32 = u32::MAX;

/// A mesh with a sound surface, and its correspondence to the given one.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The surface. Positions are those of the first given vertex of each; it has UVs if the given mesh does.
    pub mesh: Mesh,
    /// Where two given vertices at the same place were joined along an edge.
    pub stitches: Vec<Stitch>,
    /// The irregularities found.
    pub findings: Findings,
    /// For each given vertex its vertex of the surface, or [`NO_SKIN`].
    vertex_of: Vec<u32>,
    /// The given vertices of each vertex, concatenated, and where each one's begin.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// The given face of each face, the given corner of each corner.
    faces: Vec<u32>,
    corners: Vec<u32>,
    /// Where each given corner takes its UVs from.
    sources: Vec<UvSource>,
    /// The vertices of isolated triangles.
    alone: Vec<bool>,
    plain: bool,
}

impl Mended {
    /// Mends a mesh. `opened` are the corners of stitches that must not be made, see [`Stitch::corners`]. A body all of
    /// whose pieces are lone triangles is an error: nothing can slide on it.
    pub fn new(mesh: &Mesh, opened: &[u32]) -> Result<Self> {
        let tri = TriMesh::from_mesh(mesh)?;
        let mut findings = Findings::of_faces(mesh, &tri);
        let polygons;
        (polygons, [findings.flat, findings.partly_flat]) = Polygons::new(mesh, &tri);
        let joints = Joints::new(mesh, &polygons, opened);
        let (polygons, joints) = match joints.copies(mesh, &polygons) {
            copies if copies.is_empty() => (polygons, joints),
            copies => {
                findings.set_copies(&polygons, &copies);
                let polygons = polygons.without(&copies);
                let joints = Joints::new(mesh, &polygons, opened);
                (polygons, joints)
            }
        };
        let mut made = Mended::assembled(mesh, polygons, joints, findings);
        made.check_pieces(mesh)?;
        made.sources = uvs::sources(mesh, &made);
        Ok(made)
    }

    fn assembled(mesh: &Mesh, polygons: Polygons, joints: Joints, mut findings: Findings) -> Self {
        let given = |h: usize| mesh.corner_vertices[polygons.corners[h] as usize];
        let n = mesh.positions.len();
        // Numbered by their first given vertex, so that a sound mesh keeps its numbers.
        let mut by_vertex: Vec<(u32, u32, u32)> =
            (0..polygons.corners.len()).map(|h| (given(h), joints.fan[h], h as u32)).collect();
        by_vertex.sort_unstable();
        by_vertex.dedup_by_key(|entry| (entry.0, entry.1));
        // A vertex's first fan is that of its first corner.
        by_vertex.sort_unstable_by_key(|entry| (entry.0, entry.2));
        let mut number = vec![NO_SKIN; polygons.corners.len()];
        let (mut vertex_of, mut positions) = (vec![NO_SKIN; n], Vec::new());
        for &(v, fan, _) in &by_vertex {
            let number = &mut number[fan as usize];
            if *number == NO_SKIN {
                *number = positions.len() as u32;
                positions.push(mesh.positions[v as usize]);
            }
            match vertex_of[v as usize] {
                NO_SKIN => vertex_of[v as usize] = *number,
                _ => findings.bow_ties.push(v),
            }
        }
        findings.bow_ties.dedup();
        let mut pairs: Vec<(u32, u32)> = by_vertex.iter().map(|e| (number[e.1 as usize], e.0)).collect();
        pairs.sort_unstable();
        let starts = (0..=positions.len() as u32).map(|v| pairs.partition_point(|p| p.0 < v) as u32);
        let starts = starts.collect();
        findings.loose = (0..n as u32).filter(|&v| vertex_of[v as usize] == NO_SKIN).collect();
        findings.set_joints(&joints, &polygons, mesh);
        findings.joined = pairs.chunk_by(|a, b| a.0 == b.0).map(|group| group.len() - 1).sum();
        findings.vertices = n;
        let corner_vertices: Vec<u32> = joints.fan.iter().map(|&fan| number[fan as usize]).collect();
        let uvs = mesh.uvs.as_ref().map(|layer| CornerLayer {
            values: layer.values.clone(),
            indices: polygons.corners.iter().map(|&c| layer.indices[c as usize]).collect(),
        });
        let same = positions.len() == n && polygons.corners.len() == mesh.corner_vertices.len();
        let plain = same && corner_vertices == mesh.corner_vertices;
        Mended {
            alone: vec![false; positions.len()],
            mesh: Mesh { positions, face_offsets: polygons.starts, corner_vertices, uvs, ..Mesh::default() },
            stitches: joints.stitches,
            findings,
            vertex_of,
            members: pairs.iter().map(|pair| pair.1).collect(),
            starts,
            faces: polygons.faces,
            corners: polygons.corners,
            sources: Vec::new(),
            plain,
        }
    }

    /// Counts the pieces, and marks the vertices of lone triangles.
    fn check_pieces(&mut self, mesh: &Mesh) -> Result<()> {
        let edges = super::HalfEdges::of_mesh(&self.mesh);
        let (piece, count) = edges.components();
        let mut sizes = vec![0usize; count];
        piece.iter().for_each(|&p| sizes[p as usize] += 1);
        let lone = |face: &usize| sizes[piece[*face] as usize] == 1 && self.mesh.corners(*face).len() == 3;
        let lone: Vec<usize> = (0..self.mesh.face_count()).filter(lone).collect();
        if lone.len() == self.mesh.face_count() {
            let message = match mesh.face_count() {
                0 => "the mesh at rest has no faces".to_string(),
                _ if lone.is_empty() => "no face of the mesh at rest has an area".to_string(),
                count => format!(
                    "skin cannot slide on this body: none of its {} shares an edge with another, even when coincident \
                     vertices are merged",
                    counted(count, "face", "faces")
                ),
            };
            let kind = if lone.is_empty() { Kind::Degenerate } else { Kind::Topology };
            return Err(Error::new(kind, message));
        }
        for &face in &lone {
            self.mesh.face(face).to_vec().into_iter().for_each(|v| self.alone[v as usize] = true);
        }
        self.plain &= lone.is_empty();
        self.findings.lone = lone.iter().map(|&face| self.faces[face]).collect();
        self.findings.pieces = count;
        Ok(())
    }

    /// Whether the surface is the given mesh: the same vertices, faces and corners, and nothing to be held.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// For each given vertex its vertex of the surface, or [`NO_SKIN`]; if it is in several fans, that of the first.
    pub fn vertex_of(&self) -> &[u32] {
        &self.vertex_of
    }

    /// The given vertices that a vertex of the surface stands for, ascending.
    pub fn members(&self, vertex: usize) -> &[u32] {
        &self.members[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The given face of each face of the surface.
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// For each vertex of the surface whether it is in a lone triangle.
    pub fn alone(&self) -> &[bool] {
        &self.alone
    }

    /// The positions of the vertices of the surface, from those of the given vertices: their means.
    pub fn places(&self, given: &[Vec3]) -> Vec<Vec3> {
        let place = |vertex: usize| {
            let members = self.members(vertex);
            let first = given[members[0] as usize];
            // Exactly the position if all are the same.
            let off: Vec3 = members[1..].iter().map(|&v| given[v as usize] - first).sum();
            if off == Vec3::zeros() { first } else { first + off / members.len() as Real }
        };
        (0..self.mesh.positions.len()).map(place).collect()
    }

    /// The UVs of all given corners, from those of the corners of the surface; none without UVs.
    pub fn spread_uvs(&self, found: &[Vec2]) -> Vec<Vec2> {
        self.sources.iter().map(|source| source.uv(found)).collect()
    }

    /// An error about the surface, with its place translated to the given mesh.
    pub fn given_place(&self, error: Error) -> Error {
        let place = error.place().clone();
        let mut made = Error::new(error.kind(), error.message());
        if let Some(vertex) = place.vertex.filter(|vertex| (*vertex as usize) < self.mesh.positions.len()) {
            made = made.vertex(self.members(vertex as usize)[0] as usize);
        }
        if let Some(face) = place.face.and_then(|face| self.faces.get(face as usize)) {
            made = made.face(*face as usize);
        }
        let made = place.port.iter().fold(made, |made, port| made.port(port));
        place.param.iter().fold(made, |made, param| made.param(param))
    }
}
