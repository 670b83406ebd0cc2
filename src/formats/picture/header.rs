//! The size and the depth of a picture, from its header alone.

use super::limits::{EXR, PNG, check_size, png_size};
use super::{JPEG, TIFF};
use crate::file;
use ::image::{ColorType, ImageDecoder, ImageError, ImageFormat, ImageReader};
use sinew_base::error::{Error, Kind, Result};
use sinew_texture::Depth;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Pixels in a row, and rows.
    pub size: [usize; 2],
    /// Numbers per pixel; for a palette, those of its colours without alpha.
    pub channels: usize,
    /// The numbers.
    pub depth: Depth,
}

/// Reads the header of a file of any of the formats; no pixel is decoded.
pub fn header(path: &Path) -> Result<Header> {
    let mut input = BufReader::new(file::open(path)?);
    let begin = input.fill_buf().map_err(|e| Error::io(path, &e))?;
    let found = if begin.starts_with(PNG) {
        png(begin)
    } else if begin.starts_with(JPEG) {
        other(input, ImageFormat::Jpeg)
    } else if TIFF.iter().any(|magic| begin.starts_with(magic)) {
        other(input, ImageFormat::Tiff)
    } else if begin.starts_with(EXR) {
        exr(input)
    } else {
        Err(Error::new(Kind::Parse, "neither a PNG, a JPEG, a TIFF nor an EXR picture"))
    };
    let found = found.and_then(|header| check_size(header.size[0], header.size[1]).map(|()| header));
    found.map_err(|e| e.file(path))
}

fn png(begin: &[u8]) -> Result<Header> {
    let size = png_size(begin).ok_or_else(|| Error::new(Kind::Parse, "the PNG picture has no header"))?;
    let channels = match begin[25] {
        0 => 1,
        4 => 2,
        6 => 4,
        _ => 3,
    };
    Ok(Header { size, channels, depth: if begin[24] == 16 { Depth::Bits16 } else { Depth::Bits8 } })
}

fn other(input: impl BufRead + Seek, format: ImageFormat) -> Result<Header> {
    let wrong = |e: ImageError| Error::new(Kind::Parse, format!("the {format:?} picture: {e}"));
    let decoder = ImageReader::with_format(input, format).into_decoder().map_err(wrong)?;
    let ((width, height), colour) = (decoder.dimensions(), decoder.color_type());
    let depth = match colour {
        ColorType::L16 | ColorType::La16 | ColorType::Rgb16 | ColorType::Rgba16 => Depth::Bits16,
        ColorType::Rgb32F | ColorType::Rgba32F => Depth::Float,
        _ => Depth::Bits8,
    };
    Ok(Header { size: [width as usize, height as usize], channels: colour.channel_count().into(), depth })
}

fn exr(input: impl BufRead + Seek) -> Result<Header> {
    use ::exr::prelude::{MetaData, SampleType};
    let wrong = |message: String| Error::new(Kind::Parse, format!("the EXR picture: {message}"));
    let meta = MetaData::read_from_buffered(input, false).map_err(|e| wrong(e.to_string()))?;
    let first = meta.headers.first().ok_or_else(|| wrong("it has no header".into()))?;
    let (whole, list) = (first.shared_attributes.display_window.size, &first.channels.list);
    let halves = list.iter().all(|channel| channel.sample_type == SampleType::F16);
    let depth = if halves { Depth::Half } else { Depth::Float };
    Ok(Header { size: [whole.x(), whole.y()], channels: list.len(), depth })
}
