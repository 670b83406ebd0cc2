//! Textures that follow the skin: where each texel's material was painted, as a picture (ST-map), and the pictures
//! themselves carried there (bake).
//!
//! | question | answer |
//! |---|---|
//! | which part of the body is at a texel? | [`Layout`], once per mesh; [`Texels`], once per tile and resolution |
//! | what slid where? | [`Slide`], once per frame, from skin points or from slid UVs |
//! | what does a compositor fetch? | [`st_map()`] |
//! | what does a renderer load? | [`SourceTexture`], once per texture; [`bake()`], once per frame, tile and texture |
//! | what does a renderer load with slid UVs? | [`padded()`], once per texture |
//!
//! UVs have v up and integer tiles: the tile of u in i..i+1 and v in j..j+1 is UDIM 1001 + i + 10 j. The first row of a
//! picture is at the top, v = j + 1. A texel's value belongs to its centre.
//!
//! # Seams
//! A face whose skin straddles a seam is seen from one chart, which continues behind the seam: the triangles there are
//! unfolded into its plane ([`sinew_geometry::atlas::IslandUvs`]). Each texel of such a face is looked up on the
//! surface, and fetches in the island that the place belongs to. The padding around an island is the same walk,
//! outwards from the nearest point of its border: a padding texel shows the surface there, behind the seam. Behind a
//! border of the mesh the last triangle is extrapolated in an ST-map; a bake repeats the border.
//!
//! # The filter
//! A texel's footprint in the source is its parallelogram under the map's Jacobian, taken as the ellipse of
//! its singular values. Up to sqrt(2) source texels across, it is one bilinear probe in the full resolution; a longer
//! one is the mean of up to 16 probes along its major axis, each trilinear in a pyramid of box means at the level of
//! the minor axis. This rather than the elliptical Gaussian (EWA), because slid skin is nearly isometric: nearly all
//! footprints are one texel, which the Gaussian would blur and the bilinear probe leaves alone. Skin at rest, or slid
//! by whole texels, comes out bit for bit; a reduction by a power of two is the box mean.
//!
//! Colours are blended in linear light, by the curve of their space ([`ColourSpace`]); those of eight and sixteen bits
//! weighted by alpha, so that transparent colours do not show at the rim. Floats are taken as premultiplied, as in EXR.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bake;
mod colour;
mod content;
mod curve;
mod filter;
mod frames;
mod grid;
mod layout;
mod mix;
mod padded;
mod padding;
mod picture;
mod pyramid;
mod slide;
mod source;
mod st_map;
mod store;
mod texels;
mod tile;

pub use bake::bake;
pub use colour::ColourSpace;
pub use content::Content;
pub use layout::Layout;
pub use padded::padded;
pub use picture::{Depth, Picture, Profile, Samples};
pub use slide::Slide;
pub use source::SourceTexture;
pub use st_map::{CHANNELS, halves_hold, round_uvs, st_map};
pub use store::Room;
pub use texels::{Covered, MAX_SIDE, Texels};
pub use tile::Tile;

#[cfg(test)]
mod tests;
