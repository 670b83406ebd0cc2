//! Which faces carry skin: those with area, each once.

use crate::measure::triangle_areas;
use crate::mesh::Mesh;
use crate::triangles::TriMesh;
use sinew_math::Real;

/// A triangle with less than this fraction of the mean area carries no skin: strain on it would be round-off.
const SMALLEST_AREA: Real = 1e-9;

/// Faces by the given corners of the mesh; those with a part without area are cut into triangles.
#[derive(Clone, Default)]
pub(super) struct Polygons {
    /// The given corner of each corner.
    pub corners: Vec<u32>,
    /// First corner of each face, and the end.
    pub starts: Vec<u32>,
    /// The given face of each face.
    pub faces: Vec<u32>,
}

impl Polygons {
    /// The faces with area; those without any; those that have parts without.
    pub(super) fn new(mesh: &Mesh, tri: &TriMesh) -> (Self, [Vec<u32>; 2]) {
        let flat = without_area(tri);
        let mut made = Polygons { starts: vec![0], ..Polygons::default() };
        let mut triangle = 0;
        let (mut without, mut partly) = (Vec::new(), Vec::new());
        for face in 0..mesh.face_count() {
            let first = triangle;
            triangle += tri.faces[first..].iter().take_while(|&&f| f as usize == face).count();
            if !flat[first..triangle].contains(&true) {
                made.push(face, mesh.corners(face).map(|c| c as u32));
                continue;
            }
            for t in (first..triangle).filter(|&t| !flat[t]) {
                made.push(face, tri.corners[t].into_iter());
            }
            match flat[first..triangle].contains(&false) {
                true => partly.push(face as u32),
                false => without.push(face as u32),
            }
        }
        (made, [without, partly])
    }

    fn push(&mut self, face: usize, corners: impl Iterator<Item = u32>) {
        self.corners.extend(corners);
        self.starts.push(self.corners.len() as u32);
        self.faces.push(face as u32);
    }

    /// The corners of a face.
    pub(super) fn corners_of(&self, face: usize) -> std::ops::Range<usize> {
        self.starts[face] as usize..self.starts[face + 1] as usize
    }

    /// The same without some faces, given as the first of each pair.
    pub(super) fn without(&self, left_out: &[(u32, u32)]) -> Self {
        let mut made = Polygons { starts: vec![0], ..Polygons::default() };
        for face in 0..self.faces.len() {
            if left_out.binary_search_by_key(&(face as u32), |pair| pair.0).is_err() {
                let corners = self.corners[self.corners_of(face)].iter().copied();
                made.push(self.faces[face] as usize, corners);
            }
        }
        made
    }

    /// The faces that have the same vertices as others: these vertices, ascending, and the face.
    pub(super) fn alike(&self, mesh: &Mesh) -> Vec<(Vec<u32>, u32)> {
        let vertices = |face: u32| {
            self.corners[self.corners_of(face as usize)].iter().map(|&c| mesh.corner_vertices[c as usize])
        };
        // By a sum that faces with the same vertices share, so that few are compared vertex by vertex.
        let mix = |v: u32| (u64::from(v) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let key = |face: u32| vertices(face).map(mix).fold(0u64, |sum, v| sum.wrapping_add(v ^ (v >> 31)));
        let mut keys: Vec<(u64, u32)> = (0..self.faces.len() as u32).map(|f| (key(f), f)).collect();
        keys.sort_unstable();
        let mut found: Vec<(Vec<u32>, u32)> = Vec::new();
        for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            for &(_, face) in group {
                let mut vertices: Vec<u32> = vertices(face).collect();
                vertices.sort_unstable();
                found.push((vertices, face));
            }
        }
        found.sort_unstable();
        let chunks = found.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        chunks.flatten().cloned().collect()
    }
}

/// Which triangles have no area. The mean is that of the others, which form the surface.
fn without_area(tri: &TriMesh) -> Vec<bool> {
    let areas = triangle_areas(tri);
    let mut least = 0.0;
    loop {
        let (count, sum) =
            areas.iter().filter(|&&a| a > least).fold((0, 0.0), |(count, sum), a| (count + 1, sum + a));
        let next = SMALLEST_AREA * sum / Real::from(count.max(1));
        if next <= least || count == 0 {
            return areas.iter().map(|&area| area <= least).collect();
        }
        least = next;
    }
}
