//! EXR: halves and floats.

use super::limits::check_exr;
use crate::error::{Error, Kind, Result};
use crate::formats::atomic;
use crate::texture::{Depth, Picture, Samples};
use ::exr::prelude::{
    AnyChannel, AnyChannels, Blocks, Compression, Encoding, FlatSamples, Image, Layer, LayerAttributes,
    LineOrder, ReadChannels, ReadLayers, WritableImage, f16, read,
};
use std::io::Cursor;
use std::path::Path;

/// Reads R, G, B and perhaps A; else Y and perhaps A; else the only channel, whatever its name.
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
    Ok(Picture { width: size.x(), height: size.y(), channels, depth, samples: Samples::F32(samples) })
}

/// Writes floats as EXR, the channels under the given names. A number that is too large for a half is refused.
pub fn write_exr(path: &Path, picture: &Picture, names: &[&str]) -> Result<()> {
    picture.check().map_err(|e| e.file(path))?;
    let Samples::F32(samples) = &picture.samples else {
        return Err(Error::new(Kind::Unsupported, "EXR is written from floats").file(path));
    };
    if names.len() != picture.channels {
        let message = format!("{} names for {} channels", names.len(), picture.channels);
        return Err(Error::new(Kind::CountMismatch, message).file(path));
    }
    let largest = f16::MAX.to_f32();
    if picture.depth == Depth::Half
        && let Some(bad) = samples.iter().find(|x| x.abs() > largest)
    {
        let message = format!("{bad} is more than a half holds, {largest}");
        return Err(Error::new(Kind::OutOfRange, message).file(path));
    }
    let channel = |(k, name): (usize, &&str)| {
        let values = samples[k..].iter().step_by(picture.channels).copied();
        let data = match picture.depth {
            Depth::Half => FlatSamples::F16(values.map(f16::from_f32).collect()),
            _ => FlatSamples::F32(values.collect()),
        };
        AnyChannel::new(*name, data)
    };
    let channels = AnyChannels::sort(names.iter().enumerate().map(channel).collect());
    let encoding = Encoding {
        compression: Compression::ZIP16,
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let size = (picture.width, picture.height);
    let image = Image::from_layer(Layer::new(size, LayerAttributes::default(), encoding, channels));
    atomic::write(path, |file| {
        image.write().to_buffered(file).map_err(|e| match e {
            ::exr::error::Error::Io(e) => e,
            other => std::io::Error::other(other),
        })
    })
}
