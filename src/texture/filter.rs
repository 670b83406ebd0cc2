//! Probes into a texture; the module's head says why this filter.

use super::curve::{Curve, Sample};
use super::pyramid::{Level, Pyramid};
use crate::math::{Mat2, Real, Vec2, svd2};

/// The most probes along the major axis; longer footprints go down the pyramid.
const MOST_PROBES: Real = 16.0;
/// Places in a texture are rounded to this part of a texel, so that a shift by whole texels is exact.
const GRAIN: Real = 65536.0;

/// The part of a texture that a texel sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footprint {
    probes: usize,
    /// From one probe to the next, in texels of the full resolution.
    step: Vec2,
    level: usize,
    /// How much of the next level is mixed in.
    blend: f32,
}

impl Footprint {
    /// `jacobian`: how the place in the source changes with that in the result, both in texels. None when a bilinear
    /// probe is all that is needed.
    pub fn new(jacobian: &Mat2) -> Option<Self> {
        let (square, area) = (jacobian.norm_squared(), jacobian.determinant());
        let major = (0.5 * (square + (square * square - 4.0 * area * area).max(0.0).sqrt())).sqrt();
        if major <= std::f64::consts::SQRT_2 {
            return None;
        }
        let svd = svd2(jacobian);
        let minor = svd.s.y.abs().max(major / MOST_PROBES).max(1.0);
        // Up to sqrt(2) the full resolution; from 2 on the level whose texels are as large; between, from one to other.
        let octaves = minor.log2();
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

/// The texel to the left of a coordinate, and how far towards the next one it is.
fn split(x: Real, count: usize) -> (usize, f32) {
    let grains = (x.clamp(0.0, (count - 1) as Real) * GRAIN + 0.5) as u64;
    let low = ((grains >> 16) as usize).min(count - 2);
    (low, (grains - ((low as u64) << 16)) as f32 / GRAIN as f32)
}

/// A straight run of bilinear probes in a level; `from` and `step` in its texels, from the first one's centre.
pub(super) fn bilinear<T: Sample, const C: usize>(
    level: &Level<T>,
    from: Vec2,
    step: Vec2,
    curves: &[&Curve; 4],
    count: usize,
    mut out: impl FnMut(usize, [f32; C]),
) {
    for k in 0..count {
        let at = from + step * k as Real;
        let ((x, fx), (y, fy)) = (split(at.x, level.across), split(at.y, level.down));
        let top = &level.data[(y * level.across + x) * C..][..2 * C];
        let bottom = &level.data[((y + 1) * level.across + x) * C..][..2 * C];
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let texel = std::array::from_fn(|c| {
            let curve = curves[c];
            let row = |row: &[T]| mix(row[c].decode(curve), row[C + c].decode(curve), fx);
            mix(row(top), row(bottom), fy)
        });
        out(k, texel);
    }
}

/// Adds a bilinear probe by what is known; `place` in texels of the full resolution, without an apron.
pub(super) fn probe<T: Sample, const C: usize>(
    level: &Level<T>,
    number: usize,
    place: Vec2,
    curves: &[&Curve; 4],
    weight: f32,
    sum: &mut ([f32; C], f32),
) {
    let at = place / (1u64 << number) as Real + Vec2::repeat(level.apron as Real - 0.5);
    let ((x, fx), (y, fy)) = (split(at.x, level.across), split(at.y, level.down));
    for (i, j, part) in
        [(0, 0, (1.0 - fx) * (1.0 - fy)), (1, 0, fx * (1.0 - fy)), (0, 1, (1.0 - fx) * fy), (1, 1, fx * fy)]
    {
        let texel = (y + j) * level.across + x + i;
        let weight = weight * part * f32::from(level.cover[texel]) / 255.0;
        if weight > 0.0 {
            let numbers = level.data[texel * C..][..C].iter().zip(curves);
            sum.0.iter_mut().zip(numbers).for_each(|(sum, (x, curve))| *sum += weight * x.decode(curve));
            sum.1 += weight;
        }
    }
}

/// The mean over a footprint around a place, in texels of the full resolution without the apron.
pub(super) fn filtered<T: Sample, const C: usize>(
    pyramid: &Pyramid<T>,
    place: Vec2,
    footprint: Option<&Footprint>,
    curves: &[&Curve; 4],
) -> [f32; C] {
    if let Some(print) = footprint {
        let mut sum = ([0.0; C], 0.0);
        let last = pyramid.levels.len() - 1;
        let mut level = |number: usize, at: Vec2, weight: f32| {
            let number = number.min(last);
            if weight > 0.0 {
                probe(&pyramid.levels[number], number, at, curves, weight, &mut sum);
            }
        };
        for k in 0..print.probes {
            let at = place + print.step * (k as Real + 0.5 - 0.5 * print.probes as Real);
            level(print.level, at, 1.0 - print.blend);
            level(print.level + 1, at, print.blend);
        }
        if sum.1 > 0.0 {
            return sum.0.map(|x| x / sum.1);
        }
    }
    let level = &pyramid.levels[0];
    let mut texel = [0.0; C];
    let from = place + Vec2::repeat(level.apron as Real - 0.5);
    bilinear(level, from, Vec2::zeros(), curves, 1, |_, found| texel = found);
    texel
}
