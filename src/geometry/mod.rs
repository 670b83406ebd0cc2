//! Meshes and what can be asked of them.

mod mesh;
#[cfg(feature = "opensubdiv")]
mod subdivision;

pub use mesh::{CornerLayer, FaceLabels, Mesh, NO_VALUE};
#[cfg(feature = "opensubdiv")]
pub use subdivision::{Boundary, MAX_LEVEL, Subdivision, SubdivisionOptions, UvSmoothing};
