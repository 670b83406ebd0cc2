//! USD: `.usda` (text), `.usdc` (binary), `.usdz` (an archive of either): meshes, what lives on them and how they
//! move, skeletons. The reader is our own, because a file may be hostile: with up to three bytes of a small .usdc file
//! changed, opening it with the crate `openusd` 0.6.0 ended in a panic or an abort 201 times in 2000.
//!
//! - Read: [`Stage`]. One file is read as it stands: references, payloads, sublayers and variants are not followed; a
//!   mesh that is not found because of them is said to be so (`usdcat --flatten` makes one file of many). The file is
//!   held in memory, values are decoded when asked for.
//! - Written: `.usda` and `.usdc`, see [`write()`]; also as layers over a mesh of another file, see [`super::over`].
//!
//! A mesh that a skeleton or blend shapes pose is read as it is without them, and by [`Posing`] as it looks.
//!
//! Times are time codes, as the file counts them; [`Stage::frames`] turns them into frames. Between two samples numbers
//! are interpolated linearly, as USD does; indices and texts hold. A mesh that is `leftHanded` is turned round.

mod about;
mod binary;
mod curves;
mod layer;
mod numbers;
mod pack;
mod pose;
mod skel;
mod stage;
mod text;
mod transform;
mod write;

pub use pose::Posing;
pub use stage::{Primvar, Stage};
pub use write::{Curves, CurvesData, FrameData, Info, Map, identifier, identifiers, write};
