//! The skin of the demo as a texture: a face in a few strokes, hair, freckles, and an anchor on the throat.

use super::body;
use crate::drawing::motifs::{anchor, ellipse, rgb, segment, star};
use crate::error::{Error, Kind, Result};
use crate::formats::atomic;
use crate::math::{Real, Vec2, Vec3};
use crate::scene::head::HOOPS;
use crate::scene::shaping::{hill, spline, step};
use image::{ImageFormat, Rgb, RgbImage};
use rayon::prelude::*;
use std::io::{Cursor, Write};
use std::path::Path;

/// The ink of tattoos.
const INK: u32 = 0x22465c;
const HAIR: u32 = 0x43302a;

/// Writes the texture as an 8-bit sRGB image.
pub fn save_texture(path: &Path, size: u32) -> Result<()> {
    let mut image = RgbImage::new(size, size);
    image.par_chunks_exact_mut(3 * size as usize).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
            pixel.copy_from_slice(&texel(x, y, size as usize).0);
        }
    });
    let mut bytes = Cursor::new(Vec::new());
    image
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|e| Error::new(Kind::Io, e.to_string()).file(path))?;
    atomic::write(path, |file| file.write_all(bytes.get_ref()))
}

/// The mean of two by two samples.
fn texel(x: usize, y: usize, size: usize) -> Rgb<u8> {
    let part = |k: usize, sub: Real| (k as Real + sub) / size as Real;
    let samples = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)];
    let sum: Vec3 = samples.iter().map(|(a, b)| colour(Vec2::new(part(x, *a), 1.0 - part(y, *b)))).sum();
    Rgb((sum / 4.0).data.0[0].map(|c| (c.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8))
}

/// The colour of the skin in linear light for every UV.
pub fn colour(uv: Vec2) -> Vec3 {
    let [row, angle] = body::place(uv);
    let front = spline(&HOOPS, row)[0];
    // Metres on the skin, near enough to draw with: across, and the height of the front.
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
    // Metres on the neck: its rows differ less in length than in height.
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

/// Dots of several sizes, one at most in a cell of side 1.
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

/// A number between 0 and 1 for each point of the lattice, by a finalizer of integers (splitmix64's).
fn random(p: Vec2) -> Real {
    let mut k = (p.x as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (p.y as i64 as u64).rotate_left(32);
    k = (k ^ (k >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    k = (k ^ (k >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((k ^ (k >> 31)) >> 11) as Real / (1u64 << 53) as Real
}
