//! Meshes and what can be asked of them.

mod mesh;

pub use mesh::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
