//! The skin of the demo as a texture: a face in a few strokes, hair, freckles, and an anchor on the throat.

use super::body;
use image::{ImageFormat, Rgb, RgbImage};
use rayon::prelude::*;
use sinew_anatomy::head::HOOPS;
use sinew_anatomy::shaping::{hill, spline, step};
use sinew_base::error::{Error, Kind, Result};
use sinew_drawing::motifs::{anchor, ellipse, rgb, segment, star};
use sinew_formats::atomic;
use sinew_math::elementary::{powf, powf_of_colour};
use sinew_math::{Real, Vec2, Vec3};
use std::io::{Cursor, Write};
use std::path::Path;

/// The ink of tattoos.
const INK: u32 = 0x22465c;
const HAIR: u32 = 0x43302a;

/// The factor from the picture's numbers to linear light.
const GAMMA: Real = 2.2;
/// Rows of texels computed at a time.
const BAND: usize = 32;

/// The skin as an 8-bit picture: each texel is the mean of the colours at its four corners.
pub fn texture(size: u32) -> RgbImage {
    let mut image = RgbImage::new(size, size);
    let side = size as usize;
    let part = |k: usize| k as Real / size as Real;
    let corners =
        |y: usize| (0..=side).map(|x| colour(Vec2::new(part(x), 1.0 - part(y)))).collect::<Vec<_>>();
    image.par_chunks_mut(3 * side * BAND).enumerate().for_each(|(band, rows)| {
        let mut above = corners(band * BAND);
        for (k, row) in rows.chunks_exact_mut(3 * side).enumerate() {
            let below = corners(band * BAND + k + 1);
            for (x, texel) in row.chunks_exact_mut(3).enumerate() {
                let mean = (above[x] + above[x + 1] + below[x] + below[x + 1]) / 4.0;
                let encoded =
                    |c: Real| (powf_of_colour(c.clamp(0.0, 1.0), 1.0 / GAMMA) * 255.0).round() as u8;
                texel.copy_from_slice(&mean.data.0[0].map(encoded));
            }
            above = below;
        }
    });
    image
}

/// Writes the texture.
pub fn save(path: &Path, texture: &RgbImage) -> Result<()> {
    let mut bytes = Cursor::new(Vec::new());
    texture
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|e| Error::new(Kind::Io, e.to_string()).file(path))?;
    atomic::write(path, |file| file.write_all(bytes.get_ref()))
}

/// Samples a texture's colour in linear light at a UV, with interpolation.
pub fn reader(texture: &RgbImage) -> impl Fn(Vec2) -> Vec3 {
    let linear: Vec<Real> = (0..=255).map(|c| powf(Real::from(c) / 255.0, GAMMA)).collect();
    let (width, height) = texture.dimensions();
    move |uv| {
        let at = |part: Real, size: u32| (part * Real::from(size) - 0.5).clamp(0.0, Real::from(size - 1));
        let (x, y) = (at(uv.x, width), at(1.0 - uv.y, height));
        let texel = |x: u32, y: u32| {
            let Rgb(texel) = texture.get_pixel(x.min(width - 1), y.min(height - 1));
            Vec3::from(texel.map(|c| linear[usize::from(c)]))
        };
        let row = |y: u32| texel(x as u32, y).lerp(&texel(x as u32 + 1, y), x.fract());
        row(y as u32).lerp(&row(y as u32 + 1), y.fract())
    }
}

/// The colour of the skin in linear light for every UV.
fn colour(uv: Vec2) -> Vec3 {
    let [row, angle] = body::place(uv);
    let front = spline(&HOOPS, row)[0];
    // Metres on the skin, accurate enough for drawing: across, and the height of the front.
    let p = Vec2::new(angle * 0.072, front);
    let bare = features(p).unwrap_or_else(|| complexion(angle, row, p));
    let hairline = 14.6 - 0.9 * hill((angle.abs() - 0.9) / 0.35) - 8.3 * step(1.75, 2.15, angle.abs());
    let hair = rgb(HAIR) * (1.0 + 0.25 * noise(Vec2::new(angle * 60.0, row * 1.5)));
    bare.lerp(&hair, step(hairline - 0.15, hairline + 0.25, row))
}

/// Eyes, brows, lips; none elsewhere.
fn features(p: Vec2) -> Option<Vec3> {
    let side = Vec2::new(p.x.abs(), p.y);
    let eye = side - Vec2::new(0.031, 0.243);
    if (eye.x / 0.0150).powi(2) + (eye.y.abs() / 0.0062) < 1.0 {
        let colour = if ellipse(eye, [0.0022, 0.0026]) {
            0x0b0d10
        } else if ellipse(eye, [0.0050, 0.0060]) {
            0x41606e
        } else {
            0xeee8e0
        };
        return Some(rgb(colour));
    }
    if (eye.x / 0.0165).powi(2) + (eye.y.abs() / 0.0076) < 1.0 {
        return Some(rgb(0x5a3d33));
    }
    let brow = segment(side, Vec2::new(0.015, 0.2635), Vec2::new(0.037, 0.264));
    if brow < 0.0026 {
        return Some(rgb(HAIR));
    }
    let mouth = p - Vec2::new(0.0, 0.1765);
    if ellipse(mouth, [0.026, 0.0088]) {
        return Some(rgb(if mouth.y.abs() < 0.0009 { 0x6e2d2c } else { 0xb06058 }));
    }
    None
}

/// Skin with freckles and a flush on cheeks and nose, and the tattoo.
fn complexion(angle: Real, row: Real, p: Vec2) -> Vec3 {
    let side = Vec2::new(p.x.abs(), p.y);
    let flush = 0.5 * hill((side - Vec2::new(0.040, 0.205)).norm() / 0.020)
        + 0.4 * hill((p - Vec2::new(0.0, 0.203)).norm() / 0.013);
    let skin = rgb(0xe0b196).lerp(&rgb(0xcf8a76), flush.min(1.0));
    // Metres on the neck: its rows vary less in length than in height.
    let neck = Vec2::new(angle * 0.058, row * 0.025);
    let mottled = 1.0 + 0.05 * noise(neck * 260.0) + 0.04 * noise(neck * 900.0);
    let freckle = freckles(neck / 0.0075);
    let skin = (skin * mottled).lerp(&rgb(0xa8694f), 0.55 * freckle);
    let drawn = neck - Vec2::new(0.0, 4.05 * 0.025 - 0.004);
    let stars = Vec2::new(drawn.x.abs() - 0.047, drawn.y - 0.004);
    match anchor(drawn / 0.032) || star(stars / 0.010) {
        true => rgb(INK).lerp(&skin, 0.12 + 0.05 * noise(neck * 700.0)),
        false => skin,
    }
}

/// Dots of several sizes, at most one per cell of side 1.
fn freckles(p: Vec2) -> Real {
    let cell = Vec2::new(p.x.floor(), p.y.floor());
    let [a, b, c] = [0.0, 17.0, 31.0].map(|k| random(cell + Vec2::new(k, 2.0 * k)));
    let middle = cell + Vec2::new(0.3 + 0.4 * a, 0.3 + 0.4 * b);
    let radius = 0.22 * (c - 0.45).max(0.0);
    1.0 - step(0.5 * radius, radius + 0.02, (p - middle).norm())
}

/// Smooth noise between -1 and 1 over a lattice of side 1.
fn noise(p: Vec2) -> Real {
    let low = Vec2::new(p.x.floor(), p.y.floor());
    let (tx, ty) = (step(0.0, 1.0, p.x - low.x), step(0.0, 1.0, p.y - low.y));
    let at = |x: Real, y: Real| 2.0 * random(low + Vec2::new(x, y)) - 1.0;
    let along = |y: Real| at(0.0, y) + (at(1.0, y) - at(0.0, y)) * tx;
    along(0.0) + (along(1.0) - along(0.0)) * ty
}

/// A number between 0 and 1 for each lattice point, by an integer finalizer (splitmix64's).
fn random(p: Vec2) -> Real {
    let mut k = (p.x as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (p.y as i64 as u64).rotate_left(32);
    k = (k ^ (k >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    k = (k ^ (k >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((k ^ (k >> 31)) >> 11) as Real / (1u64 << 53) as Real
}
