//! Texture probes; the comment at the top of the module `texture` explains the choice of filter.

use super::curve::Sample;
use super::mix::{Mix, Sum};
use super::pyramid::{Level, Pyramid};
use sinew_math::elementary::log2;
use sinew_math::{Mat2, Real, Vec2, svd2};

/// The most probes along the major axis; longer footprints use coarser pyramid levels.
const MOST_PROBES: Real = 16.0;
/// Places in a texture are rounded to this fraction of a texel, so that a shift by whole texels is exact.
const GRAIN: Real = 65536.0;

/// The footprint of a texel in the texture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprint {
    probes: usize,
    /// The step between probes, in texels of the full resolution.
    step: Vec2,
    level: usize,
    /// The weight of the next level.
    blend: f32,
}

impl Footprint {
    /// `jacobian`: the derivative of the place in the source by that in the result, both in texels. None if a bilinear
    /// probe is sufficient.
    pub fn new(jacobian: &Mat2) -> Option<Self> {
        let (square, area) = (jacobian.norm_squared(), jacobian.determinant());
        let major = (0.5 * (square + (square * square - 4.0 * area * area).max(0.0).sqrt())).sqrt();
        if major <= std::f64::consts::SQRT_2 {
            return None;
        }
        let svd = svd2(jacobian);
        let minor = svd.s.y.abs().max(major / MOST_PROBES).max(1.0);
        // Up to sqrt(2) the full resolution; from 2 on the level with texels of that size; in between, a blend.
        let octaves = log2(minor);
        let lod = if octaves < 1.0 { (2.0 * octaves - 1.0).max(0.0) } else { octaves };
        let probes = if major <= std::f64::consts::SQRT_2 * minor { 1.0 } else { (major / minor).ceil() };
        let axis = Vec2::new(svd.u.m11, svd.u.m21) * major;
        Some(Footprint {
            probes: probes as usize,
            step: axis / probes,
            level: lod.floor() as usize,
            blend: (lod - lod.floor()) as f32,
        })
    }
}

/// The texel to the left of a coordinate, and the fraction towards the next one.
fn split(x: Real, count: usize) -> (usize, f32) {
    let grains = (x.clamp(0.0, (count - 1) as Real) * GRAIN + 0.5) as u64;
    let low = ((grains >> 16) as usize).min(count - 2);
    (low, (grains - ((low as u64) << 16)) as f32 / GRAIN as f32)
}

/// A row of bilinear probes in a level; `from` and `step` in its texels, from the first one's centre.
pub(super) fn bilinear<T: Sample, const C: usize>(
    level: &Level<T>,
    from: Vec2,
    step: Vec2,
    mix: &Mix,
    count: usize,
    mut out: impl FnMut(usize, [f32; C]),
) {
    let data = &level.data[..];
    for k in 0..count {
        let at = from + step * k as Real;
        let ((x, fx), (y, fy)) = (split(at.x, level.across), split(at.y, level.down));
        let row = |y: usize| {
            let pair = &data[(y * level.across + x) * C..][..2 * C];
            between(mix.decode::<T, C>(&pair[..C]), mix.decode(&pair[C..]), fx)
        };
        out(k, mix.mean(between(row(y), row(y + 1), fy)));
    }
}

fn between<const C: usize>(a: [f32; C], b: [f32; C], t: f32) -> [f32; C] {
    std::array::from_fn(|c| a[c] + (b[c] - a[c]) * t)
}

/// Adds a bilinear probe weighted by coverage; `place` in texels of the full resolution, without the apron.
pub(super) fn probe<T: Sample, const C: usize>(
    level: &Level<T>,
    number: usize,
    place: Vec2,
    mix: &Mix,
    weight: f32,
    sum: &mut Sum<C>,
) {
    let (data, cover) = (&level.data[..], &level.cover[..]);
    let at = place / (1u64 << number) as Real + Vec2::repeat(level.apron as Real - 0.5);
    let ((x, fx), (y, fy)) = (split(at.x, level.across), split(at.y, level.down));
    for (row, [left, right]) in
        [(y, [(1.0 - fx) * (1.0 - fy), fx * (1.0 - fy)]), (y + 1, [(1.0 - fx) * fy, fx * fy])]
    {
        let first = row * level.across + x;
        let (pair, known) = (&data[first * C..][..2 * C], &cover[first..][..2]);
        let [a, b] = [&pair[..C], &pair[C..]].map(|texel| mix.decode::<T, C>(texel));
        // Usually all texels are known, and a division takes as long as the rest.
        if known == [255, 255] {
            sum.add(a, weight * left);
            sum.add(b, weight * right);
            continue;
        }
        for (texel, part, known) in [(a, left, known[0]), (b, right, known[1])] {
            let weight = weight * part * f32::from(known) / 255.0;
            if weight > 0.0 {
                sum.add(texel, weight);
            }
        }
    }
}

/// The mean over a footprint around a place, in texels of the full resolution without the apron.
pub(super) fn filtered<T: Sample, const C: usize>(
    pyramid: &Pyramid<T>,
    place: Vec2,
    footprint: Option<&Footprint>,
    mix: &Mix,
) -> [f32; C] {
    if let Some(print) = footprint {
        let mut sum = Sum::new();
        let last = pyramid.levels.len() - 1;
        let mut level = |number: usize, at: Vec2, weight: f32| {
            let number = number.min(last);
            if weight > 0.0 {
                probe(&pyramid.levels[number], number, at, mix, weight, &mut sum);
            }
        };
        for k in 0..print.probes {
            let at = place + print.step * (k as Real + 0.5 - 0.5 * print.probes as Real);
            level(print.level, at, 1.0 - print.blend);
            level(print.level + 1, at, print.blend);
        }
        if let Some(mean) = sum.mean(mix) {
            return mean;
        }
    }
    let level = &pyramid.levels[0];
    let mut texel = [0.0; C];
    let from = place + Vec2::repeat(level.apron as Real - 0.5);
    bilinear(level, from, Vec2::zeros(), mix, 1, |_, found| texel = found);
    texel
}
