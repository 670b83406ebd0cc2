//! Pictures for textures: PNG, JPEG, TIFF and EXR at their stored depth.
//!
//! PNG and TIFF have 8 or 16 bits, JPEG 8, EXR halves or floats. Palettes are resolved; what a file says about its
//! colours is read and written back, but nothing is converted. The formats written are PNG (8 and 16 bits, compressed for
//! speed) and EXR (halves and floats, in scan lines or in tiles with mipmaps), each with the program that wrote it.

mod exr;
mod limits;
mod tiles;
mod whole;
mod window;

pub use exr::write_exr;
pub use tiles::{PLACEHOLDER, placeholder, read_tile, tile_files, tile_path};
pub use whole::write_png;

use crate::error::{Error, Kind, Result};
use crate::formats::file;
use crate::scene::Packing;
use crate::texture::{Depth, Picture};
use limits::EXR;
pub(super) use limits::PNG;
use std::path::Path;

/// How a picture is written; options that a format lacks are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Writing<'a> {
    /// EXR only: the compression.
    pub packing: Packing,
    /// EXR only: in tiles, with mipmaps.
    pub mipmaps: bool,
    /// EXR only: just the smallest rectangle that holds everything non-zero.
    pub crop: bool,
    /// EXR only: channels of floats to store with sixteen bits, if none of their numbers is too large.
    pub halves: &'a [usize],
    /// A description of the picture, such as the job and its frame.
    pub note: &'a str,
}

impl Default for Writing<'_> {
    fn default() -> Self {
        Writing { packing: Packing::Zip, mipmaps: false, crop: false, halves: &[], note: "" }
    }
}

/// The first bytes of a JPEG file.
const JPEG: &[u8] = &[0xff, 0xd8, 0xff];
/// The first bytes of a TIFF file, in the two orders of bytes.
const TIFF: [&[u8]; 2] = [b"II*\0", b"MM\0*"];

/// Reads a file of any of the formats.
pub fn read(path: &Path) -> Result<Picture> {
    let bytes = file::read(path)?;
    parse(&bytes).map_err(|e| e.file(path))
}

/// Reads a picture from bytes; its floats are finite.
pub fn parse(bytes: &[u8]) -> Result<Picture> {
    let picture = decode(bytes)?;
    picture.check()?;
    Ok(picture)
}

/// Reads a picture from bytes, whose floats may be anything.
pub(super) fn decode(bytes: &[u8]) -> Result<Picture> {
    if bytes.starts_with(PNG) {
        whole::parse(bytes, ::image::ImageFormat::Png)
    } else if bytes.starts_with(JPEG) {
        whole::parse(bytes, ::image::ImageFormat::Jpeg)
    } else if TIFF.iter().any(|magic| bytes.starts_with(magic)) {
        whole::parse(bytes, ::image::ImageFormat::Tiff)
    } else if bytes.starts_with(EXR) {
        exr::parse(bytes)
    } else {
        Err(Error::new(Kind::Parse, "neither a PNG, a JPEG, a TIFF nor an EXR picture"))
    }
}

/// Writes integers as PNG and floats as EXR; the extension must match.
pub fn write(path: &Path, picture: &Picture, writing: &Writing) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let names: &[&str] = match picture.channels {
        1 => &["Y"],
        2 => &["Y", "A"],
        3 => &["R", "G", "B"],
        _ => &["R", "G", "B", "A"],
    };
    match (ending.as_str(), picture.depth) {
        ("png", Depth::Bits8 | Depth::Bits16) => write_png(path, picture, writing),
        ("exr", Depth::Half | Depth::Float) => write_exr(path, picture, names, writing),
        (_, depth) => {
            let message = format!(
                "{depth:?} cannot be written as {ending:?}; integers are written as png, floats as exr"
            );
            Err(Error::new(Kind::Unsupported, message).file(path))
        }
    }
}

/// The extension of files that hold a depth.
pub fn ending(depth: Depth) -> &'static str {
    match depth {
        Depth::Bits8 | Depth::Bits16 => "png",
        Depth::Half | Depth::Float => "exr",
    }
}

#[cfg(test)]
mod tests;
