//! glTF 2.0: `.glb` (one binary file) and `.gltf` (JSON, with buffers beside it or inside). Metres, y up.
//!
//! - Read: [`Asset`]. Meshes of triangles with UVs, normals and materials, skins, blend shapes ("morph targets") and
//!   animations, in the encodings of the specification: sparse and strided accessors, normalised integers. Compressed
//!   meshes are refused; extensions about materials, textures and lights are ignored, but for the scale that gives
//!   quantised UVs their size (`KHR_texture_transform`).
//! - Written: `.glb`, see [`write()`].
//!
//! The reader is our own, over serde_json: a file may be hostile: with up to three bytes of a small .glb file changed,
//! reading it with the crate `gltf` 1.4.1 ended in a panic 2 times in 2000. That crate also compiles a model of the
//! whole specification, of which meshes and motion are a small part.
//!
//! glTF splits a vertex where UVs or normals differ; vertices that agree in everything else are one again when read.
//!
//! A mesh posed by a skin or by blend shapes is read unposed, and posed by [`Posed`].

mod accessor;
mod animation;
mod asset;
mod container;
mod contents;
mod document;
mod geometry;
mod nodes;
mod posed;
mod rig;
mod tree;
mod write;

pub use asset::Asset;
pub(super) use contents::{describe, joint_file, mesh_file, rate, vertex_weights};
pub use posed::Posed;
pub use write::{Info, write};
