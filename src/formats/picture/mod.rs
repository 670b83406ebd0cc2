//! Pictures for textures: PNG, JPEG, TIFF and EXR at their stored depth.
//!
//! PNG and TIFF have 8 or 16 bits, JPEG 8, EXR halves or floats. Palettes are resolved; what a file says about its
//! colours is read and written back, but nothing is converted. The formats written are PNG (8 and 16 bits, compressed
//! for speed) and EXR (halves and floats, in scan lines or in tiles with mipmaps), each with the program that wrote it.

mod complete;
mod exr;
mod header;
mod limits;
mod tiles;
mod whole;
mod window;

pub use exr::{fits_halves, write_exr};
pub use header::{Header, header};
pub use tiles::{PLACEHOLDER, placeholder, read_tile, tile_files, tile_path};
pub use whole::write_png;

use crate::file;
use limits::EXR;
pub(super) use limits::PNG;
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::Packing;
use sinew_texture::{Depth, Picture};
use std::path::Path;

/// How a picture is written; options that a format lacks are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Writing<'a> {
    /// EXR only: the compression.
    pub packing: Packing,
    /// EXR only: in tiles, with mipmaps.
    pub mipmaps: bool,
    /// EXR only: the part that is stored.
    pub crop: Crop,
    /// EXR only: channels of floats for which the digits of halves suffice: rounded, they compress as well as halves.
    /// They stay floats, because readers that want all channels in one array refuse files of mixed depths.
    pub coarse: &'a [usize],
    /// A description of the picture, such as the job and its frame.
    pub note: &'a str,
}

/// The part of a picture that its file stores, as the data window; the display window is the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crop {
    /// Everything.
    #[default]
    No,
    /// The smallest rectangle that holds everything non-zero.
    NotZero,
    /// The columns and the rows from the first to before the second.
    To([[usize; 2]; 2]),
}

impl Default for Writing<'_> {
    fn default() -> Self {
        Writing { packing: Packing::Zip, mipmaps: false, crop: Crop::No, coarse: &[], note: "" }
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
        complete::check_jpeg(bytes)?;
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
