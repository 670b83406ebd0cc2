//! Lines, arrows and letters on a picture, antialiased.

use super::font;
use image::{Rgb, RgbImage};
use sinew_math::{Real, Vec2};

/// The colour of lines and letters.
pub const INK: Rgb<u8> = Rgb([52, 58, 70]);
const HALO: Rgb<u8> = Rgb([255, 255, 255]);

/// Draws lines with round ends, two radii thick. Crossings are covered only once.
pub fn stroke(page: &mut RgbImage, lines: &[[Vec2; 2]], radius: Real, ink: Rgb<u8>) {
    let Some(first) = lines.first() else { return };
    let (low, high) =
        lines.iter().flatten().fold((first[0], first[0]), |(low, high), p| (low.inf(p), high.sup(p)));
    let size = Vec2::new(page.width().into(), page.height().into());
    let clamped = |p: Vec2| [0, 1].map(|k| p[k].clamp(0.0, size[k]) as u32);
    let margin = Vec2::repeat(radius + 1.0);
    let ([left, top], [right, bottom]) = (clamped(low - margin), clamped(high + margin + Vec2::repeat(1.0)));
    for (x, y) in (left..right).flat_map(|x| (top..bottom).map(move |y| (x, y))) {
        let p = Vec2::new(Real::from(x) + 0.5, Real::from(y) + 0.5);
        let distance = lines.iter().map(|line| to_line(p, *line)).fold(Real::INFINITY, Real::min);
        let cover = (radius + 0.5 - distance).clamp(0.0, 1.0);
        let pixel = page.get_pixel_mut(x, y);
        (0..3).for_each(|c| {
            let (old, new) = (Real::from(pixel[c]), Real::from(ink[c]));
            pixel[c] = (old + (new - old) * cover).round() as u8;
        });
    }
}

fn to_line(p: Vec2, [a, b]: [Vec2; 2]) -> Real {
    let length = (b - a).norm_squared();
    let along = if length > 0.0 { ((p - a).dot(&(b - a)) / length).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - (b - a) * along).norm()
}

/// The alignment of a line of text at its point.
#[derive(Clone, Copy, PartialEq)]
pub enum Align {
    /// It starts there.
    Left,
    /// It is centred there.
    Centre,
}

/// A line of text vertically centred at a point; a dot of the letters is `size` pixels.
pub fn write(page: &mut RgbImage, text: &str, at: Vec2, align: Align, size: Real, ink: Rgb<u8>) {
    let width = text.chars().count() as Real * Real::from(font::CELL[0]) * size;
    let shift = if align == Align::Left { 0.0 } else { -0.5 * width };
    let corner = at + Vec2::new(shift, -0.5 * 7.0 * size);
    // Letter by letter, so that a dot is tested against few strokes.
    for (k, letter) in text.chars().enumerate() {
        let corner = corner + Vec2::new((k as u32 * font::CELL[0]) as Real * size, 0.0);
        let lines: Vec<_> =
            font::strokes(letter).iter().map(|line| line.map(|p| corner + p * size)).collect();
        stroke(page, &lines, 0.48 * size, ink);
    }
}

/// An arrow with a light outline.
pub fn arrow(page: &mut RgbImage, from: Vec2, to: Vec2, ink: Rgb<u8>) {
    let along = to - from;
    let Some(unit) = along.try_normalize(1e-9) else { return };
    let side = Vec2::new(-unit.y, unit.x);
    let head = along.norm().min(14.0);
    let barb = |s: Real| [to, to - unit * head * 0.8 + side * (s * head * 0.5)];
    let lines = [[from, to], barb(1.0), barb(-1.0)];
    stroke(page, &lines, 4.0, HALO);
    stroke(page, &lines, 2.2, ink);
}

/// A dashed line.
pub fn dashes(page: &mut RgbImage, [a, b]: [Vec2; 2], ink: Rgb<u8>) {
    const DASH: Real = 9.0;
    let count = ((b - a).norm() / (2.0 * DASH)) as usize;
    let at = |part: Real| a.lerp(&b, part / count as Real);
    for k in 0..count {
        stroke(page, &[[at(k as Real), at(k as Real + 0.5)]], 1.1, ink);
    }
}
