//! Still images for people: a small rasteriser, lines and letters, pages of pictures, and procedural textures.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod canvas;
mod font;
pub mod ink;
pub mod motifs;
pub mod page;

pub use canvas::{Camera, Canvas, Texture, corner_uvs};
