//! PNG, JPEG and TIFF: whole numbers.

use super::limits::{DEFLATE_RATIO, check_packed, check_size, png_pixel_bits};
use crate::error::{Error, Kind, Result};
use crate::formats::atomic;
use crate::texture::{Depth, Picture, Samples};
use ::image::codecs::png::{CompressionType, FilterType, PngEncoder};
use ::image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, ImageReader};
use std::io::Cursor;
use std::path::Path;

/// No picture is packed smaller than to this part in JPEG or TIFF; a deeper one is a lie.
const OTHER_RATIO: usize = 4096;
/// TIFF and JPEG readers may take so many times the picture for themselves.
const WORK: u64 = 4;

pub(super) fn parse(bytes: &[u8], format: ImageFormat) -> Result<Picture> {
    let wrong = |e: ::image::ImageError| {
        let kind = match e {
            ::image::ImageError::Unsupported(_) => Kind::Unsupported,
            ::image::ImageError::Limits(_) => Kind::TooLarge,
            _ => Kind::Parse,
        };
        Error::new(kind, format!("the {format:?} picture: {e}"))
    };
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let (width, height) = reader().into_dimensions().map_err(wrong)?;
    let (width, height) = (width as usize, height as usize);
    check_size(width, height)?;
    let (bits, ratio) = match format {
        ImageFormat::Png => (png_pixel_bits(bytes), DEFLATE_RATIO),
        _ => (8, OTHER_RATIO),
    };
    check_packed(width * height * bits / 8, bytes, ratio)?;
    let mut reader = reader();
    let mut limits = ::image::Limits::no_limits();
    // Four channels of sixteen bits at most.
    limits.max_alloc = Some(WORK * (8 * width * height) as u64 + (1 << 20));
    reader.limits(limits);
    picture(reader.decode().map_err(wrong)?)
}

fn picture(image: DynamicImage) -> Result<Picture> {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (channels, depth, samples) = match image {
        DynamicImage::ImageLuma8(i) => (1, Depth::Bits8, Samples::U8(i.into_raw())),
        DynamicImage::ImageLumaA8(i) => (2, Depth::Bits8, Samples::U8(i.into_raw())),
        DynamicImage::ImageRgb8(i) => (3, Depth::Bits8, Samples::U8(i.into_raw())),
        DynamicImage::ImageRgba8(i) => (4, Depth::Bits8, Samples::U8(i.into_raw())),
        DynamicImage::ImageLuma16(i) => (1, Depth::Bits16, Samples::U16(i.into_raw())),
        DynamicImage::ImageLumaA16(i) => (2, Depth::Bits16, Samples::U16(i.into_raw())),
        DynamicImage::ImageRgb16(i) => (3, Depth::Bits16, Samples::U16(i.into_raw())),
        DynamicImage::ImageRgba16(i) => (4, Depth::Bits16, Samples::U16(i.into_raw())),
        DynamicImage::ImageRgb32F(i) => (3, Depth::Float, Samples::F32(i.into_raw())),
        DynamicImage::ImageRgba32F(i) => (4, Depth::Float, Samples::F32(i.into_raw())),
        other => {
            let message = format!("pixels of the type {:?} are not read", other.color());
            return Err(Error::new(Kind::Unsupported, message));
        }
    };
    Ok(Picture { width, height, channels, depth, samples })
}

/// Writes whole numbers as PNG.
pub fn write_png(path: &Path, picture: &Picture) -> Result<()> {
    picture.check().map_err(|e| e.file(path))?;
    let wide: Vec<u8>;
    let (bytes, deep) = match &picture.samples {
        Samples::U8(samples) => (samples.as_slice(), false),
        Samples::U16(samples) => {
            wide = samples.iter().flat_map(|s| s.to_ne_bytes()).collect();
            (wide.as_slice(), true)
        }
        Samples::F32(_) => {
            return Err(Error::new(Kind::Unsupported, "PNG holds no floats").file(path));
        }
    };
    let colour = match (picture.channels, deep) {
        (1, false) => ExtendedColorType::L8,
        (2, false) => ExtendedColorType::La8,
        (3, false) => ExtendedColorType::Rgb8,
        (_, false) => ExtendedColorType::Rgba8,
        (1, true) => ExtendedColorType::L16,
        (2, true) => ExtendedColorType::La16,
        (3, true) => ExtendedColorType::Rgb16,
        (_, true) => ExtendedColorType::Rgba16,
    };
    atomic::write(path, |file| {
        let encoder = PngEncoder::new_with_quality(file, CompressionType::Fast, FilterType::Up);
        let written = encoder.write_image(bytes, picture.width as u32, picture.height as u32, colour);
        written.map_err(|e| match e {
            ::image::ImageError::IoError(e) => e,
            other => std::io::Error::other(other),
        })
    })
}
