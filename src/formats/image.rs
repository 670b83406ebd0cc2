//! Images as maps: PNG and EXR, grey or coloured, sampled at each vertex's UV.
//!
//! Numbers are taken as stored, integers scaled to 0 to 1: a painted map is data, not a colour to look at. Alpha is
//! ignored. The first row of the image is at v = 1. UVs outside 0 to 1 repeat the image.

use super::contents::{Asked, Contents};
use super::map::VertexMap;
use super::picture;
use crate::file;
use serde_json::json;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Mesh, NO_VALUE};
use sinew_math::{Real, Vec2};
use sinew_texture::{Depth, Picture, Samples};
use std::path::Path;

/// A picture of one or three numbers per pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Numbers per pixel: 1 when all pixels are grey, else 3.
    pub channels: usize,
    /// Row after row from the top.
    pub pixels: Vec<f32>,
}

/// Reads a file of either format.
pub fn read(path: &Path) -> Result<Image> {
    let bytes = file::read(path)?;
    parse(&bytes).map_err(|e| e.file(path))
}

/// Reads a file as a map for a mesh.
pub(super) fn vertex_map(path: &Path, mesh: &Mesh) -> Result<VertexMap> {
    read(path)?.to_vertex_map(mesh)
}

/// A larger image is described by its header: decoding it takes seconds and gigabytes.
const MOST_DECODED: usize = 1 << 22;

/// The size of an image and the range of its numbers.
pub(super) fn describe(path: &Path, _: &Asked) -> Result<Contents> {
    let picture::Header { size: [width, height], channels, depth } = picture::header(path)?;
    if width * height > MOST_DECODED {
        let kind = if channels < 3 { "grey" } else { "colours" };
        let bits = match depth {
            Depth::Bits8 => 8,
            Depth::Bits16 | Depth::Half => 16,
            Depth::Float => 32,
        };
        let range = format!("not read: only images of up to {MOST_DECODED} pixels are");
        let holds = json!({ "pixels": [width, height], "numbers": kind, "bits": bits, "range": range });
        return Ok(holds.into());
    }
    let image = read(path)?;
    let low = image.pixels.iter().copied().fold(f32::INFINITY, f32::min);
    let high = image.pixels.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let kind = if image.channels == 1 { "grey" } else { "colours" };
    Ok(json!({ "pixels": [image.width, image.height], "numbers": kind, "range": [low, high] }).into())
}

/// Reads an image from bytes.
pub fn parse(bytes: &[u8]) -> Result<Image> {
    let image = Image::of_picture(picture::decode(bytes)?);
    if let Some(k) = image.pixels.iter().position(|p| !p.is_finite()) {
        let pixel = k / image.channels;
        let (x, y) = (pixel % image.width, pixel / image.width);
        let message = format!("the pixel {x}, {y} (from the top left) is {}", image.pixels[k]);
        return Err(Error::new(Kind::NotFinite, message));
    }
    Ok(image.without_colour())
}

impl Image {
    /// Numbers as stored, integers scaled to 0 to 1, without alpha.
    fn of_picture(picture: Picture) -> Self {
        let pixels: Vec<f32> = match picture.samples {
            Samples::U8(samples) => samples.iter().map(|&s| f32::from(s) / 255.0).collect(),
            Samples::U16(samples) => samples.iter().map(|&s| f32::from(s) / 65535.0).collect(),
            Samples::F32(samples) => samples,
        };
        let channels = if picture.channels < 3 { 1 } else { 3 };
        let pixels = match picture.channels == channels {
            true => pixels,
            false => pixels.chunks_exact(picture.channels).flat_map(|p| &p[..channels]).copied().collect(),
        };
        Image { width: picture.width, height: picture.height, channels, pixels }
    }

    /// One channel if all pixels are grey: painted maps are often saved grey in RGB.
    fn without_colour(self) -> Self {
        if self.channels == 1 || self.pixels.chunks_exact(3).any(|p| p[0] != p[1] || p[1] != p[2]) {
            return self;
        }
        Image { channels: 1, pixels: self.pixels.into_iter().step_by(3).collect(), ..self }
    }

    /// The value at a UV, interpolated bilinearly between the four nearest pixel centres.
    pub fn sample(&self, uv: Vec2, channel: usize) -> Real {
        let place = |x: Real, size: usize| {
            let pixel = x.rem_euclid(1.0) * size as Real - 0.5;
            let low = pixel.floor();
            let wrap = |k: Real| (k.rem_euclid(size as Real) as usize).min(size - 1);
            (wrap(low), wrap(low + 1.0), pixel - low)
        };
        let (left, right, tx) = place(uv.x, self.width);
        let (top, bottom, ty) = place(1.0 - uv.y, self.height);
        let at = |x: usize, y: usize| Real::from(self.pixels[(y * self.width + x) * self.channels + channel]);
        let mix = |a: Real, b: Real, t: Real| a + (b - a) * t;
        mix(mix(at(left, top), at(right, top), tx), mix(at(left, bottom), at(right, bottom), tx), ty)
    }

    /// A value per vertex: the mean over the distinct UVs of a vertex. Every vertex needs a UV.
    pub fn to_vertex_map(&self, mesh: &Mesh) -> Result<VertexMap> {
        let message = "the mesh has no UVs, which a map from an image needs";
        let uvs = mesh.uvs.as_ref().ok_or_else(|| Error::new(Kind::MissingInput, message))?;
        let mut places: Vec<(u32, u32)> = mesh
            .corner_vertices
            .iter()
            .zip(&uvs.indices)
            .filter(|&(_, &uv)| uv != NO_VALUE)
            .map(|(&vertex, &uv)| (vertex, uv))
            .collect();
        places.sort_unstable();
        places.dedup();
        let mut values = vec![0.0; mesh.positions.len() * self.channels];
        let mut has_uv = vec![false; mesh.positions.len()];
        for group in places.chunk_by(|a, b| a.0 == b.0) {
            let vertex = group[0].0 as usize;
            has_uv[vertex] = true;
            for channel in 0..self.channels {
                let sum: Real =
                    group.iter().map(|&(_, uv)| self.sample(uvs.values[uv as usize], channel)).sum();
                values[vertex * self.channels + channel] = sum / group.len() as Real;
            }
        }
        match has_uv.iter().position(|has| !has) {
            Some(vertex) => {
                let message = "the vertex has no UV at which to sample the image";
                Err(Error::new(Kind::MissingInput, message).vertex(vertex))
            }
            None => Ok(VertexMap { components: self.channels, values }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;
    use std::io::Cursor;

    fn png(image: image::DynamicImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    fn ramp_png() -> Vec<u8> {
        png(image::ImageBuffer::from_fn(64, 4, |x, _| image::Luma([(x * 1040) as u16])).into())
    }

    fn exr(names: [&str; 2]) -> Vec<u8> {
        use exr::prelude::*;
        let data = |scale: f32| FlatSamples::F32((0..6).map(|k| k as f32 * scale).collect());
        let list = [AnyChannel::new(names[0], data(0.25)), AnyChannel::new(names[1], data(1.0))]
            .into_iter()
            .collect();
        let mut bytes = Cursor::new(Vec::new());
        let layer =
            Layer::new((3, 2), LayerAttributes::default(), Encoding::SMALL_LOSSLESS, AnyChannels::sort(list));
        Image::from_layer(layer).write().to_buffered(&mut bytes).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn grey_and_coloured_pngs_of_any_depth_have_their_numbers() {
        let grey = parse(&ramp_png()).unwrap();
        assert_eq!((grey.width, grey.height, grey.channels), (64, 4, 1));
        assert!((grey.pixels[63] - 63.0 * 1040.0 / 65535.0).abs() < 1e-7);
        let grey_in_rgb = png(image::RgbImage::from_pixel(2, 2, image::Rgb([51, 51, 51])).into());
        assert_eq!(parse(&grey_in_rgb).unwrap().pixels, [0.2; 4]);
        let coloured =
            parse(&png(image::RgbaImage::from_pixel(1, 1, image::Rgba([255, 0, 51, 7])).into())).unwrap();
        assert_eq!((coloured.channels, coloured.pixels.as_slice()), (3, &[1.0, 0.0, 0.2][..]));
    }

    #[test]
    fn exr_images_are_read_by_their_channels_names() {
        let grey = parse(&exr(["Y", "other"])).unwrap();
        assert_eq!((grey.channels, grey.pixels.as_slice()), (1, &[0.0, 0.25, 0.5, 0.75, 1.0, 1.25][..]));
        let error = parse(&exr(["depth", "id"])).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.message().contains("depth, id"), "{error}");
    }

    #[test]
    fn a_ramp_along_u_becomes_u_at_the_vertices() {
        let mesh = shapes::grid(1.0, 1.0, 8, 8);
        let image = parse(&ramp_png()).unwrap();
        let map = image.to_vertex_map(&mesh).unwrap();
        for (vertex, p) in mesh.positions.iter().enumerate() {
            // Between the first and the last pixel centre the ramp is linear.
            if p.x.abs() < 0.4 {
                let expected = ((p.x + 0.5) * 64.0 - 0.5) * 1040.0 / 65535.0;
                assert!((map.values[vertex] - expected).abs() < 1e-6);
            }
        }
        let tall =
            parse(&png(image::ImageBuffer::from_fn(1, 2, |_, y| image::Luma([255 * (1 - y as u8)])).into()));
        assert_eq!(tall.unwrap().sample(Vec2::new(0.5, 0.75), 0), 1.0, "the first row is at the top");
    }

    #[test]
    fn seams_give_the_mean_and_missing_uvs_an_error() {
        let mut mesh = shapes::cylinder(1.0, 1.0, 4, 1);
        let map = parse(&ramp_png()).unwrap().to_vertex_map(&mesh).unwrap();
        let ends = |u| parse(&ramp_png()).unwrap().sample(Vec2::new(u, 0.0), 0);
        assert!((map.values[0] - 0.5 * (ends(0.0) + ends(1.0))).abs() < 1e-12);
        mesh.positions.push(sinew_math::Vec3::zeros());
        let error = parse(&ramp_png()).unwrap().to_vertex_map(&mesh).unwrap_err();
        assert_eq!((error.kind(), error.place().vertex), (Kind::MissingInput, Some(8)));
        mesh.uvs = None;
        assert_eq!(parse(&ramp_png()).unwrap().to_vertex_map(&mesh).unwrap_err().kind(), Kind::MissingInput);
    }

    #[test]
    fn every_truncation_and_every_changed_header_byte_is_an_image_or_an_error() {
        for bytes in [ramp_png(), exr(["Y", "other"])] {
            (0..bytes.len()).for_each(|length| drop(parse(&bytes[..length])));
            for at in 0..bytes.len().min(400) {
                for value in [0, 1, 0x7f, 0xff] {
                    let mut lie = bytes.clone();
                    lie[at] = value;
                    drop(parse(&lie));
                }
            }
        }
        assert_eq!(parse(b"GIF89a").unwrap_err().kind(), Kind::Parse);
    }

    #[test]
    fn sizes_that_the_file_cannot_hold_are_refused_before_memory_is_taken() {
        let mut lie = ramp_png();
        lie[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
        let sum = crc32fast::hash(&lie[12..29]).to_be_bytes();
        lie[29..33].copy_from_slice(&sum);
        let error = parse(&lie).unwrap_err();
        assert!(error.message().contains("cannot hold"), "{error}");
        let mut lie = exr(["Y", "other"]);
        let window = lie.windows(11).position(|w| w == b"dataWindow\0").unwrap();
        // The right end of the window: one row of 2^24 pixels, compressed in a single block.
        lie[window + 29..window + 33].copy_from_slice(&0xff_ffffu32.to_le_bytes());
        let error = parse(&lie).unwrap_err();
        assert!(error.message().contains("cannot hold"), "{error}");
    }

    #[test]
    fn a_pixel_that_is_no_number_is_named() {
        use exr::prelude::*;
        let mut bytes = Cursor::new(Vec::new());
        let samples = FlatSamples::F32(vec![0.0, 1.0, f32::NAN, 2.0]);
        let list = [AnyChannel::new("Y", samples)].into_iter().collect();
        let layer =
            Layer::new((2, 2), LayerAttributes::default(), Encoding::UNCOMPRESSED, AnyChannels::sort(list));
        Image::from_layer(layer).write().to_buffered(&mut bytes).unwrap();
        let error = parse(&bytes.into_inner()).unwrap_err();
        assert!(error.message().starts_with("the pixel 0, 1 "), "{error}");
    }
}
