//! Checks on pictures before memory is allocated for what their headers claim.

use sinew_base::error::{Error, Kind, Result};
use std::io::Cursor;

/// More pixels than this (16,384 squared) are not a map for vertices.
const MAX_PIXELS: usize = 1 << 28;

/// Deflate, which most images use, compresses to no less than 1/1032.
pub(super) const DEFLATE_RATIO: usize = 1032;
/// DWA reduces a block of 64 equal numbers to one before it deflates.
const DWA_RATIO: usize = 64 * DEFLATE_RATIO;

/// Tiles and strips of an EXR image up to this size are accepted unchecked.
const LARGE_BLOCK: usize = 16 << 20;

/// The first bytes of a PNG file.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The first bytes of an EXR file.
pub(super) const EXR: &[u8] = &[0x76, 0x2f, 0x31, 0x01];

/// The size must be plausible for a picture.
pub(super) fn check_size(width: usize, height: usize) -> Result<()> {
    match width.checked_mul(height) {
        Some(0) => Err(Error::new(Kind::Parse, "the image has no pixels")),
        Some(pixels) if pixels <= MAX_PIXELS => Ok(()),
        _ => {
            let message = format!("{width} by {height} pixels; up to {MAX_PIXELS} pixels are read");
            Err(Error::new(Kind::TooLarge, message))
        }
    }
}

/// Refuses a header that claims more than the file can hold, before memory is allocated for it.
pub(super) fn check_packed(unpacked: usize, bytes: &[u8], ratio: usize) -> Result<()> {
    if unpacked / ratio <= bytes.len() {
        return Ok(());
    }
    let message = format!("the header says {unpacked} bytes of pixels; {} cannot hold them", bytes.len());
    Err(Error::new(Kind::Parse, message))
}

/// The width and the height, from the first chunk.
pub(super) fn png_size(bytes: &[u8]) -> Option<[usize; 2]> {
    let side = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    (bytes.len() > 25 && bytes.get(12..16)? == b"IHDR").then_some([side(16)?, side(20)?])
}

/// The bits of a pixel, from the already read fields of the first chunk.
pub(super) fn png_pixel_bits(bytes: &[u8]) -> usize {
    let samples = match bytes.get(25) {
        Some(2) => 3,
        Some(4) => 2,
        Some(6) => 4,
        _ => 1,
    };
    samples * usize::from(bytes.get(24).copied().unwrap_or(1))
}

/// Whether the headers fit the file, before memory is allocated for what they claim.
pub(super) fn check_exr(bytes: &[u8]) -> Result<()> {
    use ::exr::prelude::{Compression, MetaData};
    let wrong = |message: String| Error::new(Kind::Parse, format!("the EXR image: {message}"));
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(|e| wrong(e.to_string()))?;
    for header in &meta.headers {
        let (size, channels) = (header.layer_size, &header.channels.list);
        check_size(size.x(), size.y())?;
        // Each chunk takes at least its entry in the table: a file with fewer bytes is not such an image.
        if header.chunk_count.saturating_mul(8) > bytes.len() || channels.len() > 64 {
            let message = format!("{} by {} pixels in {} channels", size.x(), size.y(), channels.len());
            return Err(wrong(message));
        }
        if channels.iter().any(|c| (c.sampling.x(), c.sampling.y()) != (1, 1)) {
            let message = "the EXR image has channels of a lower resolution";
            return Err(Error::new(Kind::Unsupported, message));
        }
        let ratio = match header.compression {
            Compression::Uncompressed => 1,
            Compression::DWAA(_) | Compression::DWAB(_) => DWA_RATIO,
            _ => DEFLATE_RATIO,
        };
        let bytes_per_pixel: usize = channels.iter().map(|c| c.sample_type.bytes_per_sample()).sum();
        check_packed(size.area() * bytes_per_pixel, bytes, ratio)?;
        // A tile may be larger than the image, and memory is allocated for a whole one.
        let tile = header.max_block_pixel_size();
        let block = tile.x().saturating_mul(tile.y()).saturating_mul(bytes_per_pixel);
        if block > LARGE_BLOCK {
            check_packed(block, bytes, ratio)?;
        }
    }
    Ok(())
}
