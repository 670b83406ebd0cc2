//! USD: `.usda` (text), `.usdc` (binary), `.usdz` (an archive of either): meshes, their primvars and motion, skeletons.
//! The reader is our own, because a file may be hostile: with up to three bytes of a small .usdc file changed, opening
//! it with the crate `openusd` 0.6.0 ended in a panic or an abort 201 times in 2000.
//!
//! - Read: [`Stage`]. Sublayers, references, payloads, inherited and specialized prims and variants are composed as USD
//!   does, see `compose`; what cannot be followed is an error where a prim needs it. Value clips, splines and
//!   relocates are not supported. The files are held in memory; values are decoded on demand.
//! - Written: `.usda` and `.usdc`, see [`write()`]; also as layers over a mesh of another file, see [`super::over`];
//!   skinned meshes with blend shapes as `.usda`, see [`rig`].
//!
//! A mesh posed by a skeleton or blend shapes is read unposed, and posed by [`Posing`].
//!
//! Times are time codes, as the file counts them; [`Stage::frames`] turns them into frames. Between two samples numbers
//! are interpolated linearly, as USD does; indices and texts are held. The winding of a `leftHanded` mesh is reversed.

mod about;
mod archive;
mod arcs;
mod binary;
mod compose;
mod contents;
mod curves;
mod layer;
mod numbers;
mod pack;
mod pose;
mod prim;
mod skel;
mod stage;
mod text;
mod transform;
mod write;

pub(super) use contents::{describe, joint_file, mesh_file, rate};
pub use pose::Posing;
pub use stage::{Primvar, Stage};
pub use write::{Curves, CurvesData, FrameData, Info, Map, rig, write};
