//! The polygon mesh as its author made it: n-gons, per-corner UVs and normals, groups.

use crate::math::{Vec2, Vec3};

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
