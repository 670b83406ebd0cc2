//! PNG, JPEG and TIFF: integers.

use super::Writing;
use super::limits::{DEFLATE_RATIO, PNG, check_packed, check_size, png_pixel_bits, png_size};
use crate::atomic;
use crate::provenance::PROGRAM;
use ::image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use sinew_base::error::{Error, Kind, Result};
use sinew_texture::{Depth, Picture, Profile, Samples};
use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;

/// The highest compression ratio of JPEG or TIFF; a header that claims more is corrupt.
const OTHER_RATIO: usize = 4096;
/// TIFF and JPEG readers may allocate this many times the picture's size for themselves.
const WORK: u64 = 4;
/// A larger colour profile is none; those of cameras and printers have up to a few MB.
const MOST_PROFILE: usize = 8 << 20;

pub(super) fn parse(bytes: &[u8], format: ImageFormat) -> Result<Picture> {
    let wrong = |e: ::image::ImageError| {
        let kind = match e {
            ::image::ImageError::Unsupported(_) => Kind::Unsupported,
            ::image::ImageError::Limits(_) => Kind::TooLarge,
            _ => Kind::Parse,
        };
        Error::new(kind, format!("the {format:?} picture: {e}"))
    };
    // A profile is compressed by itself and would be unpacked whatever its size, so it is taken out first.
    let (stated, bytes) = match format {
        ImageFormat::Png => (reported_by_png(bytes), without_profile(bytes)),
        _ => (Profile::default(), Cow::Borrowed(bytes)),
    };
    let bytes = &*bytes;
    let reader = || ImageReader::with_format(Cursor::new(bytes), format);
    let known = if format == ImageFormat::Png { png_size(bytes) } else { None };
    let [width, height] = match known {
        Some(size) => size,
        None => reader().into_dimensions().map(|(w, h)| [w as usize, h as usize]).map_err(wrong)?,
    };
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
    let mut decoder = reader.into_decoder().map_err(wrong)?;
    let icc = if stated.icc.is_none() { decoder.icc_profile().map_err(wrong)? } else { stated.icc };
    picture(DynamicImage::from_decoder(decoder).map_err(wrong)?, Profile { icc, ..stated })
}

/// A PNG without its colour profile.
fn without_profile(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut at = PNG.len();
    while let Some(&[a, b, c, d, e, f, g, h]) = bytes.get(at..at + 8) {
        // The length of the data, and the length, the name and the sum around it.
        let end = at.saturating_add(12).saturating_add(u32::from_be_bytes([a, b, c, d]) as usize);
        match &[e, f, g, h] {
            b"iCCP" if end <= bytes.len() => return Cow::Owned([&bytes[..at], &bytes[end..]].concat()),
            b"IDAT" => break,
            _ => at = end,
        }
    }
    Cow::Borrowed(bytes)
}

fn picture(image: DynamicImage, profile: Profile) -> Result<Picture> {
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
            let message = format!("pixels of the type {:?} are not supported", other.color());
            return Err(Error::new(Kind::Unsupported, message));
        }
    };
    Ok(Picture { width, height, channels, depth, samples, profile })
}

/// Writes integers as PNG.
pub fn write_png(path: &Path, picture: &Picture, writing: &Writing) -> Result<()> {
    picture.check().map_err(|e| e.file(path))?;
    let wide: Vec<u8>;
    let (bytes, depth) = match &picture.samples {
        Samples::U8(samples) => (samples.as_slice(), png::BitDepth::Eight),
        Samples::U16(samples) => {
            wide = samples.iter().flat_map(|s| s.to_be_bytes()).collect();
            (wide.as_slice(), png::BitDepth::Sixteen)
        }
        Samples::F32(_) => {
            return Err(Error::new(Kind::Unsupported, "PNG cannot store floats").file(path));
        }
    };
    atomic::write(path, |file| {
        let mut info = png::Info::with_size(picture.width as u32, picture.height as u32);
        info.bit_depth = depth;
        info.color_type = match picture.channels {
            1 => png::ColorType::Grayscale,
            2 => png::ColorType::GrayscaleAlpha,
            3 => png::ColorType::Rgb,
            _ => png::ColorType::Rgba,
        };
        embed_profile(&picture.profile, &mut info);
        let mut encoder = png::Encoder::with_info(file, info)?;
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Up);
        encoder.add_text_chunk("Software".into(), PROGRAM.into())?;
        if !writing.note.is_empty() {
            encoder.add_itxt_chunk("Comment".into(), writing.note.into())?;
        }
        let mut writer = encoder.write_header()?;
        writer.write_image_data(bytes)?;
        Ok(writer.finish()?)
    })
}

/// What a PNG says about its colours: an ICC profile takes precedence.
fn embed_profile<'a>(profile: &'a Profile, info: &mut png::Info<'a>) {
    info.icc_profile = profile.icc.as_deref().map(Cow::Borrowed);
    if profile.icc.is_some() {
        return;
    }
    info.srgb = profile.srgb.then_some(png::SrgbRenderingIntent::RelativeColorimetric);
    // PNG stores the encoding exponent.
    info.source_gamma = profile.gamma.map(|gamma| png::ScaledFloat::new(1.0 / gamma));
    info.source_chromaticities = profile.chromaticities.map(|[rx, ry, gx, gy, bx, by, wx, wy]| {
        png::SourceChromaticities::new((wx, wy), (rx, ry), (gx, gy), (bx, by))
    });
}

/// What the chunks of a PNG say about its colours; nothing if they cannot be read.
fn reported_by_png(bytes: &[u8]) -> Profile {
    let limits = png::Limits { bytes: MOST_PROFILE };
    let decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    let Ok(reader) = decoder.read_info() else { return Profile::default() };
    let info = reader.info();
    let number = |x: png::ScaledFloat| x.into_value();
    let gamma = info.gama_chunk.map(number).filter(|gamma| *gamma > 0.0).map(|gamma| 1.0 / gamma);
    let chromaticities = info.chrm_chunk.map(|c| {
        let pairs = [c.red, c.green, c.blue, c.white];
        std::array::from_fn(|k| number(if k % 2 == 0 { pairs[k / 2].0 } else { pairs[k / 2].1 }))
    });
    let icc = info.icc_profile.as_ref().map(|icc| icc.to_vec());
    Profile { icc, srgb: info.srgb.is_some(), gamma, chromaticities }
}
