//! The polygon mesh as its author made it: n-gons, per-corner UVs and normals, groups.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Vec2, Vec3};

/// The index of a corner that has no value in a [`CornerLayer`].
pub const NO_VALUE: u32 = u32::MAX;

/// Values that live at face corners, indexed so that corners may share one.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CornerLayer<T> {
    /// The distinct values.
    pub values: Vec<T>,
    /// For each corner of the mesh, in order, its value or [`NO_VALUE`].
    pub indices: Vec<u32>,
}

/// A name per face: OBJ groups, objects and materials.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FaceLabels {
    /// The distinct names.
    pub names: Vec<String>,
    /// For each face its name, or [`NO_VALUE`].
    pub of_face: Vec<u32>,
}

/// A polygon mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Mesh {
    /// One point per vertex.
    pub positions: Vec<Vec3>,
    /// Where each face's corners begin, and one past the last: `faces + 1` numbers, the first 0.
    pub face_offsets: Vec<u32>,
    /// The vertex of every corner.
    pub corner_vertices: Vec<u32>,
    /// Texture coordinates.
    pub uvs: Option<CornerLayer<Vec2>>,
    /// Authored normals.
    pub normals: Option<CornerLayer<Vec3>>,
    /// OBJ `g`.
    pub groups: FaceLabels,
    /// OBJ `o`.
    pub objects: FaceLabels,
    /// OBJ `usemtl`.
    pub materials: FaceLabels,
}

impl Mesh {
    /// The number of faces.
    pub fn face_count(&self) -> usize {
        self.face_offsets.len().saturating_sub(1)
    }

    /// Where the corners of a face are in [`Mesh::corner_vertices`] and the layers' indices.
    pub fn corners(&self, face: usize) -> std::ops::Range<usize> {
        self.face_offsets[face] as usize..self.face_offsets[face + 1] as usize
    }

    /// The vertices of a face, in order.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.corner_vertices[self.corners(face)]
    }

    /// Checks everything that indexing relies on: offsets, indices, the lengths of the layers, finite numbers.
    /// Call this before trusting a mesh that was made by hand or read from outside.
    pub fn check_counts(&self) -> Result<()> {
        let corner_count = self.corner_vertices.len();
        if let Some(vertex) = self.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            let message = format!("the position is {:?}", self.positions[vertex].as_slice());
            return Err(Error::new(Kind::NotFinite, message).vertex(vertex));
        }
        if self.positions.len() >= NO_VALUE as usize || corner_count >= NO_VALUE as usize {
            return Err(Error::new(Kind::TooLarge, "more than 4294967294 vertices or corners"));
        }
        let offsets = &self.face_offsets;
        let last = offsets.last().copied().unwrap_or(0) as usize;
        if offsets.first().is_some_and(|&first| first != 0) || last != corner_count {
            let message = format!("the faces have {last} corners, but there are {corner_count}");
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if let Some(face) = offsets.windows(2).position(|w| w[1] < w[0] + 3.min(u32::MAX - w[0])) {
            let message = "a face needs at least three corners";
            return Err(Error::new(Kind::Topology, message).face(face));
        }
        let vertex_count = self.positions.len();
        self.check_indices("vertex", &self.corner_vertices, vertex_count, false)?;
        if let Some(uvs) = &self.uvs {
            check_finite("UV", uvs.values.iter().map(|v| v.as_slice()))?;
            self.check_indices("UV", &uvs.indices, uvs.values.len(), true)?;
        }
        if let Some(normals) = &self.normals {
            check_finite("normal", normals.values.iter().map(|v| v.as_slice()))?;
            self.check_indices("normal", &normals.indices, normals.values.len(), true)?;
        }
        for (what, labels) in
            [("group", &self.groups), ("object", &self.objects), ("material", &self.materials)]
        {
            let count = labels.of_face.len();
            if count != 0 && count != self.face_count() {
                let message = format!("{count} {what} labels for {} faces", self.face_count());
                return Err(Error::new(Kind::CountMismatch, message));
            }
            let bad = |&label: &u32| label != NO_VALUE && label as usize >= labels.names.len();
            if let Some(face) = labels.of_face.iter().position(bad) {
                let message = format!("{what} {} of {}", labels.of_face[face], labels.names.len());
                return Err(Error::new(Kind::OutOfRange, message).face(face));
            }
        }
        Ok(())
    }

    fn check_indices(&self, what: &str, indices: &[u32], count: usize, may_miss: bool) -> Result<()> {
        if indices.len() != self.corner_vertices.len() {
            let message =
                format!("{} {what} indices for {} corners", indices.len(), self.corner_vertices.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let bad = |&index: &u32| index as usize >= count && !(may_miss && index == NO_VALUE);
        let Some(corner) = indices.iter().position(bad) else { return Ok(()) };
        let face = self.face_offsets.partition_point(|&o| o as usize <= corner) - 1;
        let message = format!("{what} index {} of {count}", indices[corner]);
        Err(Error::new(Kind::OutOfRange, message).face(face))
    }
}

fn check_finite<'a>(what: &str, mut values: impl Iterator<Item = &'a [f64]>) -> Result<()> {
    match values.position(|v| !v.iter().all(|x| x.is_finite())) {
        Some(index) => Err(Error::new(Kind::NotFinite, format!("{what} value {index} is not a number"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quad() -> Mesh {
        Mesh {
            positions: vec![Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()],
            face_offsets: vec![0, 4],
            corner_vertices: vec![0, 1, 2, 3],
            ..Mesh::default()
        }
    }

    #[test]
    fn a_sound_mesh_passes_and_every_broken_count_is_named() {
        assert_eq!(quad().check_counts(), Ok(()));
        assert_eq!(Mesh::default().check_counts(), Ok(()));
        let kind = |change: fn(&mut Mesh)| {
            let mut mesh = quad();
            change(&mut mesh);
            mesh.check_counts().unwrap_err().kind()
        };
        assert_eq!(kind(|m| m.positions[2].y = f64::NAN), Kind::NotFinite);
        assert_eq!(kind(|m| m.corner_vertices[1] = 4), Kind::OutOfRange);
        assert_eq!(kind(|m| m.face_offsets = vec![0, 3]), Kind::CountMismatch);
        assert_eq!(kind(|m| m.face_offsets = vec![0, 2, 4]), Kind::Topology);
        assert_eq!(kind(|m| m.face_offsets = vec![0, 5, 4]), Kind::Topology);
        assert_eq!(kind(|m| m.uvs = Some(CornerLayer::default())), Kind::CountMismatch);
        assert_eq!(kind(|m| m.groups.of_face = vec![0, 0]), Kind::CountMismatch);
        assert_eq!(kind(|m| m.materials.of_face = vec![3]), Kind::OutOfRange);
    }

    #[test]
    fn the_error_names_the_vertex_and_the_face() {
        let mut mesh = quad();
        mesh.positions[2].z = f64::INFINITY;
        assert_eq!(mesh.check_counts().unwrap_err().place().vertex, Some(2));
        let mut mesh = quad();
        mesh.corner_vertices[0] = 7;
        assert_eq!(mesh.check_counts().unwrap_err().to_string(), "face 0: vertex index 7 of 4");
    }
}
