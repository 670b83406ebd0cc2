//! Wavefront OBJ: `v vt vn f l g o usemtl`, n-gons, negative indices, any mix of corners with and without UVs.
//!
//! The reader streams line by line, so that memory holds the mesh and not the text. It refuses binary data at
//! its first NUL byte. Other statements (`p`, curves, material libraries) are skipped and
//! counted in [`Obj::ignored`]; smoothing groups and vertex colours are dropped.

mod lines;
mod read;
mod write;

pub use lines::{save_lines, save_with_lines};
pub(super) use read::mesh_file;
pub use read::{Obj, parse, read};
pub use write::{save, write};
