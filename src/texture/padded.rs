//! A texture whose gutters show the true neighbours: made once, for renderers whose UVs continue across seams.

use super::bake::bake;
use super::curve::Sample;
use super::layout::Layout;
use super::picture::{Picture, Samples};
use super::pyramid::Pyramid;
use super::slide::Slide;
use super::source::{SourceTexture, Tiles};
use super::texels::{BAND, Texels};
use super::tile::Tile;
use sinew_base::control::Control;
use sinew_base::error::Result;

/// The texture of a tile as painted, with the padding of `texels` replaced by the surface behind each seam; paint
/// beyond it stays. A tile without islands, and so without a picture, gets the padding of its neighbours.
pub fn padded(
    layout: &Layout,
    texels: &Texels,
    source: &SourceTexture,
    control: &Control,
) -> Result<Picture> {
    let rest = Slide::at_rest(layout)?;
    let mut made = bake(layout, texels, &rest, source, control)?;
    let channels = source.channels;
    if let Some(tile) = source.names.iter().position(|&tile| tile == texels.tile()) {
        match (&mut made.samples, &source.tiles) {
            (Samples::U8(out), Tiles::U8(tiles)) => keep(texels, &tiles[tile], channels, out),
            (Samples::U16(out), Tiles::U16(tiles)) => keep(texels, &tiles[tile], channels, out),
            (Samples::F32(out), Tiles::F32(tiles)) => keep(texels, &tiles[tile], channels, out),
            _ => {}
        }
    }
    Ok(made)
}

/// The paint where no texel is covered, if both have the same size.
fn keep<T: Sample>(texels: &Texels, painted: &Pyramid<T>, channels: usize, out: &mut [T]) {
    if painted.size != texels.size() {
        return;
    }
    let (level, [width, _]) = (&painted.levels[0], painted.size);
    for (y, out) in out.chunks_exact_mut(width * channels).enumerate() {
        let from = ((y + level.apron) * level.across + level.apron) * channels;
        let row = &level.data[from..from + width * channels];
        let mut clear = 0;
        let band = &texels.bands[y / BAND];
        let spans = band.row(y % BAND).iter().map(|span| [usize::from(span.start), usize::from(span.end)]);
        for [start, end] in spans.chain([[width, width]]) {
            out[clear * channels..start * channels].copy_from_slice(&row[clear * channels..start * channels]);
            clear = end;
        }
    }
}

impl Layout {
    /// The tiles of the mesh, and their neighbours into which padding of this many texels reaches behind a seam.
    pub fn tiles_with_padding(&self, size: [usize; 2], padding: usize) -> Vec<Tile> {
        let reach = size.map(|side| padding as f64 / side as f64);
        let mut tiles = self.tiles().to_vec();
        for border in self.borders.iter().filter(|border| border.seam) {
            let [a, b] = border.uvs;
            let (low, high) = (a.inf(&b), a.sup(&b));
            let across = |low: f64, high: f64, reach: f64| {
                ((low - reach).floor().max(0.0) as u32, (high + reach).ceil().max(0.0) as u32)
            };
            let (u0, u1) = across(low.x, high.x, reach[0]);
            let (v0, v1) = across(low.y, high.y, reach[1]);
            for v in v0..v1.min(Tile::ROWS) {
                for u in u0..u1.min(Tile::COLUMNS) {
                    let tile = Tile { u, v };
                    if let Err(at) = tiles.binary_search(&tile) {
                        tiles.insert(at, tile);
                    }
                }
            }
        }
        tiles
    }
}
