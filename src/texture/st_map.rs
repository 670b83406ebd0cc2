//! ST-maps: for each texel the UV to fetch, for compositors.

use super::layout::Layout;
use super::picture::{Depth, Picture, Profile, Samples};
use super::slide::Slide;
use super::texels::{BAND, Texels};
use super::tile::Tile;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_math::elementary::{exp2, log2};

/// The names of the channels in a file.
pub const CHANNELS: [&str; 4] = ["R", "G", "B", "A"];

/// R, G: the UV to fetch, v up, integer tiles included (tile 1002 is at u = 1 to 2). B: its straight distance at rest
/// on the body, in the mesh's unit. A: 1 on islands, 0 elsewhere. The padding has values in R, G and B too; beyond it a
/// texel fetches itself.
pub fn st_map(layout: &Layout, texels: &Texels, slide: &Slide, control: &Control) -> Result<Picture> {
    let size = texels.size();
    let mut numbers = vec![0.0f32; 4 * size[0] * size[1]];
    let bands = numbers.par_chunks_mut(4 * size[0] * BAND).zip(&texels.bands).enumerate();
    bands.try_for_each(|(number, (out, band))| {
        control.check()?;
        for (row, out) in out.chunks_exact_mut(4 * size[0]).enumerate() {
            let y = number * BAND + row;
            for (x, out) in out.chunks_exact_mut(4).enumerate() {
                let uv = texels.grid.uv(x, y);
                (out[0], out[1]) = (uv.x as f32, uv.y as f32);
            }
            for span in band.row(row) {
                let piece = texels.piece(band, span);
                let covered = if texels.is_padding(span) { 0.0 } else { 1.0 };
                let (start, end) = (usize::from(span.start), usize::from(span.end));
                let (straight, ways) = (slide.straight(layout, &piece), slide.ways(layout, &piece));
                for (x, out) in (start..end).zip(out[4 * start..4 * end].chunks_exact_mut(4)) {
                    let uv = texels.grid.uv(x, y);
                    let fetch = match &straight {
                        Some((linear, offset)) => linear * uv + offset,
                        None => slide.fetch(layout, &piece, uv).uv,
                    };
                    let far = (ways.0 * uv + ways.1).norm();
                    out.copy_from_slice(&[fetch.x as f32, fetch.y as f32, far as f32, covered]);
                }
            }
        }
        Ok(())
    })?;
    let samples = Samples::F32(numbers);
    let depth = Depth::Float;
    Ok(Picture { width: size[0], height: size[1], channels: 4, depth, samples, profile: Profile::default() })
}

/// The largest error of an ST-map, in texels.
const WANTED: f64 = 1.0 / 16.0;

/// Whether sixteen bits resolve the UVs of an ST-map of that size in a tile to a sixteenth of a texel. A half has
/// eleven bits: UVs from 2^(e-1) to 2^e are rounded by up to 2^(e-12), which is 2^(e-12) N texels at a width of N. In
/// the first tile that is enough for 256 texels, in tiles up to u or v = 2 for 128, up to 4 for 64, and so on.
pub fn halves_hold(size: [usize; 2], tile: Tile) -> bool {
    let side = size[0].max(size[1]) as f64;
    let largest = f64::from(tile.u.max(tile.v) + 1);
    side * exp2(log2(largest).ceil()) / 4096.0 <= WANTED
}

/// Rounds the UVs to `steps` per texel, in powers of two of a tile, so that no unneeded bits are stored: the lower
/// bits of floats are noise, which compresses badly. The largest error is half a step.
pub fn round_uvs(map: &mut Picture, steps: u32) {
    let scale = |side: usize| (exp2(log2(side as f64 * f64::from(steps)).ceil())) as f32;
    let [across, down] = [map.width, map.height].map(scale);
    if let Samples::F32(numbers) = &mut map.samples {
        numbers.par_chunks_mut(4 * map.width.max(1)).for_each(|row| {
            for st in row.chunks_exact_mut(4) {
                st[0] = (st[0] * across).round() / across;
                st[1] = (st[1] * down).round() / down;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rounding error of halves, measured on the halves themselves.
    #[test]
    fn sixteen_bits_are_taken_up_to_the_size_that_they_hold() {
        for (tile, most) in
            [(Tile { u: 0, v: 0 }, 256), (Tile { u: 1, v: 0 }, 128), (Tile { u: 3, v: 0 }, 64)]
        {
            for side in [most / 2, most, 2 * most] {
                let off = |x: f64| f64::from((half(x as f32) - x as f32).abs()) * side as f64;
                let worst =
                    (0..40_000).map(|k| off(f64::from(tile.u) + f64::from(k) / 40_000.0)).fold(0.0, f64::max);
                assert_eq!(worst <= WANTED + 1e-9, halves_hold([side; 2], tile), "{tile} {side}: {worst}");
            }
        }
    }

    fn half(x: f32) -> f32 {
        ::exr::prelude::f16::from_f32(x).to_f32()
    }

    #[test]
    fn rounded_uvs_are_off_by_half_a_step_and_texels_at_rest_by_nothing() {
        let (side, steps) = (1024usize, 64);
        let mut map = Picture::new([side, 1], 4, Depth::Float);
        let exact: Vec<f32> = (0..side).map(|x| (x as f32 + 0.5) / side as f32).collect();
        let moved: Vec<f32> = exact.iter().map(|u| u * 0.987 + 0.0123).collect();
        for uvs in [&exact, &moved] {
            let numbers = uvs.iter().flat_map(|&u| [u, u, 0.1, 1.0]).collect();
            map.samples = Samples::F32(numbers);
            round_uvs(&mut map, steps);
            let Samples::F32(numbers) = &map.samples else { panic!() };
            let worst = numbers.chunks_exact(4).zip(uvs).map(|(st, u)| (st[0] - u).abs()).fold(0.0, f32::max);
            let least = if uvs == &exact { 0.0 } else { 0.3 / 64.0 / 1024.0 };
            assert!(worst <= 0.5 / 64.0 / 1024.0 && worst >= least, "{worst}");
        }
    }
}
