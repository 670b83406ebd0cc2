//! Still images for people: a small rasteriser, lines and letters, pages of pictures, and procedural textures.

mod canvas;
mod font;
pub mod ink;
pub mod motifs;
pub mod page;

pub use canvas::{Camera, Canvas, Texture, corner_uvs};
