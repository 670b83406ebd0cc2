//! ST-maps: for each texel the UV to fetch, as compositors take it.

use super::layout::Layout;
use super::picture::{Depth, Picture, Samples};
use super::slide::Slide;
use super::texels::{BAND, Texels};
use crate::control::Control;
use crate::error::Result;
use rayon::prelude::*;

/// The names of the channels in a file.
pub const CHANNELS: [&str; 4] = ["R", "G", "B", "A"];

/// R, G: the UV to fetch, v up, whole tiles included (tile 1002 is at u = 1 to 2). B: how far away at rest that is on the
/// body, straight, in the mesh's unit. A: 1 on islands, 0 elsewhere. The padding has values in R, G and B too; beyond it
/// a texel fetches itself.
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
    Ok(Picture { width: size[0], height: size[1], channels: 4, depth: Depth::Float, samples })
}
