//! EXR: halves and floats.

use super::limits::check_exr;
use super::window::{Window, check_whole, placed};
use super::{Crop, Writing};
use crate::atomic;
use crate::provenance::PROGRAM;
use ::exr::image::Levels;
use ::exr::math::{RoundingMode, Vec2};
use ::exr::meta::attribute::{Chromaticities, IntegerBounds, Text};
use ::exr::prelude::{
    AnyChannel, AnyChannels, Blocks, Compression, Encoding, FlatSamples, Image, Layer, LayerAttributes,
    LineOrder, ReadChannels, ReadLayers, WritableImage, f16, read,
};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::Packing;
use sinew_texture::{Depth, Picture, Profile, Samples};
use std::io::Cursor;
use std::path::Path;

/// Reads R, G, B and optionally A; otherwise Y and optionally A; otherwise the only channel, whatever its name.
pub(super) fn parse(bytes: &[u8]) -> Result<Picture> {
    let wrong = |e: ::exr::error::Error| Error::new(Kind::Parse, format!("the EXR picture: {e}"));
    check_exr(bytes)?;
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .map_err(wrong)?;
    let (size, list) = (image.layer_data.size, &image.layer_data.channel_data.list);
    let find = |name: &str| list.iter().find(|c| c.name.eq_case_insensitive(name));
    let chosen: Vec<&AnyChannel<FlatSamples>> = match (find("R"), find("G"), find("B"), find("Y")) {
        (Some(r), Some(g), Some(b), _) => [r, g, b].into_iter().chain(find("A")).collect(),
        (_, _, _, Some(y)) => [y].into_iter().chain(find("A")).collect(),
        _ if list.len() == 1 => vec![&list[0]],
        _ => {
            let names: Vec<_> = list.iter().map(|c| c.name.to_string()).collect();
            let message = format!(
                "the EXR picture has the channels {}; R, G and B, or Y, or a single one are read",
                names.join(", ")
            );
            return Err(Error::new(Kind::Unsupported, message));
        }
    };
    let halves = chosen.iter().all(|c| matches!(c.sample_data, FlatSamples::F16(_)));
    let channels = chosen.len();
    let mut samples = vec![0.0; size.area() * channels];
    for (k, channel) in chosen.iter().enumerate() {
        let places = samples[k..].iter_mut().step_by(channels);
        places.zip(channel.sample_data.values_as_f32()).for_each(|(out, value)| *out = value);
    }
    let depth = if halves { Depth::Half } else { Depth::Float };
    let stated = image.attributes.chromaticities.map(|c| [c.red, c.green, c.blue, c.white]);
    let chromaticities = stated
        .map(|stated| std::array::from_fn(|k| if k % 2 == 0 { stated[k / 2].0 } else { stated[k / 2].1 }));
    let profile = Profile { chromaticities, ..Profile::default() };
    let (mut size, whole) = ([size.x(), size.y()], image.attributes.display_window);
    let first = image.layer_data.attributes.layer_position;
    let away = |first: i32, whole: i32| i64::from(first) - i64::from(whole);
    let place = [away(first.x(), whole.position.x()), away(first.y(), whole.position.y())];
    if (place, whole.size) != ([0, 0], Vec2(size[0], size[1])) {
        let all = [whole.size.x(), whole.size.y()];
        check_whole(all, channels, bytes.len())?;
        samples = placed(&samples, size, place, all, channels);
        size = all;
    }
    let samples = Samples::F32(samples);
    Ok(Picture { width: size[0], height: size[1], channels, depth, samples, profile })
}

/// Writes floats as EXR, with the given channel names. A number that is too large for a half is refused.
pub fn write_exr(path: &Path, picture: &Picture, names: &[&str], writing: &Writing) -> Result<()> {
    picture.check().map_err(|e| e.file(path))?;
    let Samples::F32(samples) = &picture.samples else {
        return Err(Error::new(Kind::Unsupported, "EXR is written from floats").file(path));
    };
    if names.len() != picture.channels {
        let message = format!("{} names for {} channels", names.len(), picture.channels);
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    if picture.depth == Depth::Half
        && let Some(bad) = samples.iter().find(|x| x.abs() > LARGEST)
    {
        let message = format!("{bad} exceeds the largest half, {LARGEST}");
        return Err(Error::new(Kind::OutOfRange, message).file(path));
    }
    let (whole, mut size) = ([picture.width, picture.height], [picture.width, picture.height]);
    let window = match writing.crop {
        Crop::No => None,
        Crop::NotZero => Some(Window::of_all_but_zeros(samples, size[0], picture.channels)),
        Crop::To([x, y]) => Some(Window { x: x[0]..x[1], y: y[0]..y[1] }),
    };
    let cut = window.as_ref().map(|window| window.cut(samples, size[0], picture.channels));
    let samples = cut.as_ref().unwrap_or(samples);
    let mut first = Vec2(0, 0);
    if let Some(window) = &window {
        (size, first) = (window.size(), Vec2(window.x.start as i32, window.y.start as i32));
    }
    let smaller = if writing.mipmaps { reductions(samples, size, picture.channels) } else { Vec::new() };
    let channel = |(k, name): (usize, &&str)| {
        let stored = |samples: &[f32]| flat(samples, k, picture, writing);
        let first = stored(samples);
        let levels = match writing.mipmaps {
            false => Levels::Singular(first),
            true => {
                let level_data = std::iter::once(first).chain(smaller.iter().map(|level| stored(level)));
                Levels::Mip { rounding_mode: RoundingMode::Down, level_data: level_data.collect() }
            }
        };
        AnyChannel::new(*name, levels)
    };
    let channels: Vec<AnyChannel<Levels<FlatSamples>>> = names.par_iter().enumerate().map(channel).collect();
    let blocks = if writing.mipmaps { Blocks::Tiles(Vec2(TILE, TILE)) } else { Blocks::ScanLines };
    let encoding =
        Encoding { compression: compression(writing.packing), blocks, line_order: LineOrder::Increasing };
    let attributes = LayerAttributes {
        software_name: Text::new_or_none(PROGRAM),
        layer_position: first,
        comments: Some(writing.note).filter(|note| !note.is_empty()).and_then(Text::new_or_none),
        ..LayerAttributes::default()
    };
    let channels = AnyChannels::sort(channels.into_iter().collect());
    let mut image = Image::from_layer(Layer::new((size[0], size[1]), attributes, encoding, channels));
    image.attributes.display_window = IntegerBounds::new((0, 0), (whole[0], whole[1]));
    image.attributes.chromaticities = picture.profile.chromaticities.map(chromaticities);
    atomic::write(path, |file| {
        image.write().to_buffered(file).map_err(|e| match e {
            ::exr::error::Error::Io(e) => e,
            other => std::io::Error::other(other),
        })
    })
}

/// The largest half.
const LARGEST: f32 = 65_504.0;
/// The tile size of files with mipmaps, as renderers' own tools choose it.
const TILE: usize = 64;

fn compression(packing: Packing) -> Compression {
    match packing {
        Packing::Zip => Compression::ZIP16,
        Packing::Zips => Compression::ZIP1,
        Packing::Piz => Compression::PIZ,
        Packing::Pxr24 => Compression::PXR24,
        Packing::Rle => Compression::RLE,
        Packing::None => Compression::Uncompressed,
    }
}

fn chromaticities([rx, ry, gx, gy, bx, by, wx, wy]: [f32; 8]) -> Chromaticities {
    Chromaticities { red: Vec2(rx, ry), green: Vec2(gx, gy), blue: Vec2(bx, by), white: Vec2(wx, wy) }
}

/// One channel of interleaved pixels.
fn flat(samples: &[f32], channel: usize, picture: &Picture, writing: &Writing) -> FlatSamples {
    let values = || samples[channel..].iter().step_by(picture.channels).copied();
    match (picture.depth, writing.coarse.contains(&channel)) {
        (Depth::Half, _) => FlatSamples::F16(values().map(f16::from_f32).collect()),
        (_, false) => FlatSamples::F32(values().collect()),
        (_, true) => FlatSamples::F32(values().map(rounded).collect()),
    }
}

/// To the digits of a half, so that it compresses as one does.
fn rounded(number: f32) -> f32 {
    if number.abs() <= LARGEST { f16::from_f32(number).to_f32() } else { number }
}

/// Whether halves can hold all of a picture's numbers.
pub fn fits_halves(picture: &Picture) -> bool {
    match &picture.samples {
        Samples::F32(samples) => samples.iter().all(|x| x.abs() <= LARGEST),
        Samples::U8(_) | Samples::U16(_) => true,
    }
}

/// The mipmaps: each the mean of two by two pixels, dropping an odd last row or column, down to one pixel.
fn reductions(samples: &[f32], size: [usize; 2], channels: usize) -> Vec<Vec<f32>> {
    let mut levels: Vec<Vec<f32>> = Vec::new();
    let mut size = size;
    while size != [1, 1] {
        let fine = levels.last().map_or(samples, |level| level.as_slice());
        let [across, down] = size.map(|side| (side / 2).max(1));
        let other = [usize::from(size[0] > 1), usize::from(size[1] > 1)];
        let mut level = vec![0.0; across * down * channels];
        level.par_chunks_mut(across * channels).enumerate().for_each(|(y, row)| {
            for (k, out) in row.iter_mut().enumerate() {
                let (x, c) = (2 * (k / channels) * other[0], k % channels);
                let at = |i: usize, j: usize| {
                    fine[((2 * y * other[1] + j * other[1]) * size[0] + x + i * other[0]) * channels + c]
                };
                *out = 0.25 * ((at(0, 0) + at(1, 0)) + (at(0, 1) + at(1, 1)));
            }
        });
        levels.push(level);
        size = [across, down];
    }
    levels
}
