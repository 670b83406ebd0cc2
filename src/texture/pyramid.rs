//! A texture and its reductions: each level the box mean of four texels of the one before, weighted by how much of them
//! is on an island or its padding, so that the background never bleeds in.

use super::curve::Sample;
use super::mix::{Mix, Sum};
use super::store::{Room, Store};
use rayon::prelude::*;
use sinew_base::error::Result;

/// Texels around the picture in the full resolution: bilinear probes at its border need one, the padding of islands
/// that end there the other.
pub(super) const APRON: usize = 2;

/// A texture at one resolution.
pub(super) struct Level<T> {
    /// Width and height in texels, with the apron.
    pub across: usize,
    pub down: usize,
    pub apron: usize,
    pub data: Store<T>,
    /// The coverage of each texel, 0 to 255.
    pub cover: Store<u8>,
}

/// A texture of one tile.
pub(super) struct Pyramid<T> {
    pub size: [usize; 2],
    pub levels: Vec<Level<T>>,
}

impl<T: Sample> Pyramid<T> {
    /// Adds the reductions, down to one texel.
    pub fn reduce<const C: usize>(&mut self, mix: &Mix, room: &mut Room) -> Result<()> {
        let mut size = self.size;
        while let Some(fine) = self.levels.last()
            && size != [1, 1]
        {
            size = size.map(|s| s.div_ceil(2));
            let made = reduced::<T, C>(fine, size, mix, room)?;
            self.levels.push(made);
        }
        Ok(())
    }
}

impl<T: Sample> Level<T> {
    /// A level without any coverage.
    pub fn new(size: [usize; 2], apron: usize, channels: usize, room: &mut Room) -> Result<Self> {
        let [across, down] = size.map(|s| s + 2 * apron);
        let (data, cover) = (room.take(across * down * channels)?, room.take(across * down)?);
        Ok(Level { across, down, apron, data, cover })
    }
}

fn reduced<T: Sample, const C: usize>(
    fine: &Level<T>,
    size: [usize; 2],
    mix: &Mix,
    room: &mut Room,
) -> Result<Level<T>> {
    let mut level = Level::new(size, 1, C, room)?;
    let across = level.across;
    let (fine_data, fine_cover) = (&fine.data[..], &fine.cover[..]);
    let rows = level.data.par_chunks_mut(across * C).zip(level.cover.par_chunks_mut(across));
    rows.enumerate().for_each(|(y, (data, cover))| {
        for (x, (out, cover)) in data.chunks_exact_mut(C).zip(cover).enumerate() {
            // Twice the place in the picture, which begins after the apron.
            let (left, top) = ((2 * x + fine.apron).wrapping_sub(2), (2 * y + fine.apron).wrapping_sub(2));
            let mut sum = Sum::<C>::new();
            for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (fx, fy) = (left.wrapping_add(i), top.wrapping_add(j));
                if fx >= fine.across || fy >= fine.down {
                    continue;
                }
                let at = fy * fine.across + fx;
                sum.add(mix.decode(&fine_data[at * C..][..C]), f32::from(fine_cover[at]));
            }
            *cover = (sum.weight() as u32 / 4) as u8;
            if let Some(mean) = sum.mean(mix) {
                mix.encode(mean, out);
            }
        }
    });
    Ok(level)
}
