//! A texture and its reductions: each level the box mean of four texels of the one before, counted by how much of them
//! is on an island or its padding, so that the background never bleeds in.

use super::curve::{Curve, Sample};
use rayon::prelude::*;

/// Texels around the picture in the full resolution: bilinear probes at its border need one, the padding of islands that
/// end there the other.
pub(super) const APRON: usize = 2;

/// A texture at one resolution.
pub(super) struct Level<T> {
    /// Texels in a row and rows, with the apron.
    pub across: usize,
    pub down: usize,
    pub apron: usize,
    pub data: Vec<T>,
    /// How much of each texel is known, 0 to 255.
    pub cover: Vec<u8>,
}

/// A texture of one tile.
pub(super) struct Pyramid<T> {
    pub size: [usize; 2],
    pub levels: Vec<Level<T>>,
}

impl<T: Sample> Pyramid<T> {
    /// Adds the reductions, down to one texel.
    pub fn reduce(&mut self, channels: usize, curves: &[&Curve; 4]) {
        let mut size = self.size;
        while size != [1, 1] {
            size = size.map(|s| s.div_ceil(2));
            let Some(fine) = self.levels.last() else { return };
            let made = reduced(fine, size, channels, curves);
            self.levels.push(made);
        }
    }
}

fn reduced<T: Sample>(fine: &Level<T>, size: [usize; 2], channels: usize, curves: &[&Curve; 4]) -> Level<T> {
    let (across, down) = (size[0] + 2, size[1] + 2);
    let mut level = Level {
        across,
        down,
        apron: 1,
        data: vec![T::default(); across * down * channels],
        cover: vec![0; across * down],
    };
    let rows = level.data.par_chunks_mut(across * channels).zip(level.cover.par_chunks_mut(across));
    rows.enumerate().for_each(|(y, (data, cover))| {
        for (x, (out, cover)) in data.chunks_exact_mut(channels).zip(cover).enumerate() {
            // Twice the place in the picture, which begins after the apron.
            let (left, top) = ((2 * x + fine.apron).wrapping_sub(2), (2 * y + fine.apron).wrapping_sub(2));
            let (mut sums, mut weight) = ([0.0f32; 4], 0u32);
            for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (fx, fy) = (left.wrapping_add(i), top.wrapping_add(j));
                if fx >= fine.across || fy >= fine.down {
                    continue;
                }
                let at = fy * fine.across + fx;
                let known = fine.cover[at];
                weight += u32::from(known);
                let numbers = fine.data[at * channels..][..channels].iter().zip(curves);
                sums.iter_mut()
                    .zip(numbers)
                    .for_each(|(s, (x, curve))| *s += f32::from(known) * x.decode(curve));
            }
            *cover = (weight / 4) as u8;
            if weight > 0 {
                let means = sums.iter().map(|sum| sum / weight as f32).zip(curves);
                out.iter_mut().zip(means).for_each(|(out, (mean, curve))| *out = T::encode(mean, curve));
            }
        }
    });
    level
}
