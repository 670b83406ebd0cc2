//! Textures as they were painted, prepared once for all frames.

use super::curve::{Curve, Sample};
use super::filter::probe;
use super::frames::{self, turn_normal};
use super::layout::Layout;
use super::picture::{Depth, Picture, Samples};
use super::pyramid::{APRON, Level, Pyramid};
use super::texels::{BAND, Grid, Piece, Texels, weights};
use super::tile::Tile;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::math::{Mat2, Real, Vec2};
use rayon::prelude::*;

/// Texels around islands that are taken from behind the seam before anything is mixed.
const PADDING: usize = 4;
/// Padding is mixed from texels of which some are padding themselves: each pass makes these better, and reaches a texel
/// farther where there is nothing behind the border.
const PASSES: usize = PADDING + 1;

/// What the numbers of a texture mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// Colours: sRGB when whole numbers, linear when floats.
    Colour,
    /// Numbers that are taken as they are: masks, roughness, linear colours.
    Data,
    /// Heights, of which `middle` is none: 0.5 in most whole numbers, 0 in most floats. What is above or below it is
    /// multiplied by `scale`; stretch does not change heights.
    Displacement {
        /// The number that means no height.
        middle: Real,
        /// 1 keeps the heights.
        scale: Real,
    },
    /// Normals in the tangent space of the UVs, 0 to 1 for -1 to 1 at all depths, turned by the local rotation and
    /// stretch of the map. Their length is kept.
    Normal {
        /// Whether green means down (as in DirectX), against v, and not up (as in OpenGL).
        green_down: bool,
    },
}

/// The tiles of a texture by the type of their numbers.
pub(super) enum Tiles {
    U8(Vec<Pyramid<u8>>),
    U16(Vec<Pyramid<u16>>),
    F32(Vec<Pyramid<f32>>),
}

/// A texture, padded from behind the seams, with its reductions: a third more memory than the pictures, and one byte
/// for each texel.
pub struct Source {
    pub(super) content: Content,
    pub(super) names: Vec<Tile>,
    pub(super) tiles: Tiles,
    pub(super) channels: usize,
    pub(super) depth: Depth,
}

impl Source {
    /// From one picture for each tile of the layout, all of the same depth and channels; the size may differ. Pictures of
    /// other tiles are left out.
    pub fn new(
        layout: &Layout,
        content: Content,
        pictures: Vec<(Tile, Picture)>,
        control: &Control,
    ) -> Result<Self> {
        let (names, pictures) = chosen(layout, pictures)?;
        let Some(first) = pictures.first() else {
            return Err(Error::new(
                Kind::Degenerate,
                "the UVs have no area, so that no texture is on the mesh",
            ));
        };
        let (channels, depth) = (first.channels, first.depth);
        check(content, &names, &pictures)?;
        let grids: Vec<Grid> = names
            .iter()
            .zip(&pictures)
            .map(|(&tile, p)| Grid { tile, width: p.width, height: p.height, padding: PADDING, apron: APRON })
            .collect();
        let curves = curves(content, channels);
        let prepare = Prepare { content, layout, grids, curves: &curves, channels, control };
        let mut each = (Vec::new(), Vec::new(), Vec::new());
        for picture in pictures {
            match picture.samples {
                Samples::U8(s) => each.0.push(s),
                Samples::U16(s) => each.1.push(s),
                Samples::F32(s) => each.2.push(s),
            }
        }
        let tiles = match depth {
            Depth::Bits8 => Tiles::U8(prepare.pyramids(each.0)?),
            Depth::Bits16 => Tiles::U16(prepare.pyramids(each.1)?),
            Depth::Half | Depth::Float => Tiles::F32(prepare.pyramids(each.2)?),
        };
        Ok(Source { content, names, tiles, channels, depth })
    }
}

/// The curve of each channel: alpha and what is no colour has none.
pub(super) fn curves(content: Content, channels: usize) -> [&'static Curve; 4] {
    let colours = if channels == 2 { 1 } else { 3 };
    let is_colour = |c: usize| content == Content::Colour && c < colours;
    std::array::from_fn(|c| if is_colour(c) { Curve::srgb() } else { Curve::straight() })
}

fn chosen(layout: &Layout, mut pictures: Vec<(Tile, Picture)>) -> Result<(Vec<Tile>, Vec<Picture>)> {
    let mut found = Vec::new();
    for &tile in layout.tiles() {
        let Some(at) = pictures.iter().position(|p| p.0 == tile) else {
            let message = format!("no picture for the tile {tile}, in which the mesh has UVs");
            return Err(Error::new(Kind::MissingInput, message));
        };
        found.push(pictures.swap_remove(at));
    }
    Ok(found.into_iter().unzip())
}

fn check(content: Content, names: &[Tile], pictures: &[Picture]) -> Result<()> {
    for (tile, picture) in names.iter().zip(pictures) {
        picture.check().map_err(|e| Error::new(e.kind(), format!("the tile {tile}: {}", e.message())))?;
        let first = &pictures[0];
        if (picture.channels, picture.depth) != (first.channels, first.depth) {
            let message = format!(
                "the tile {tile} has {} channels of {:?}, the tile {} has {} of {:?}",
                picture.channels, picture.depth, names[0], first.channels, first.depth
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
    }
    if matches!(content, Content::Normal { .. }) && pictures[0].channels < 3 {
        let message = format!("normals need three channels, not {}", pictures[0].channels);
        return Err(Error::new(Kind::WrongType, message));
    }
    if let Content::Displacement { middle, scale } = content
        && !((middle as f32).is_finite() && (scale as f32).is_finite())
    {
        return Err(Error::new(Kind::NotFinite, format!("the middle {middle} and the scale {scale}")));
    }
    Ok(())
}

/// A texel that gets its value from elsewhere.
struct Pad {
    at: usize,
    /// Of the tile in which its own place is.
    tile: usize,
    place: Vec2,
    /// Of normals: into the frame of the island that the texel is beside.
    turn: Option<Mat2>,
}

struct Prepare<'a> {
    content: Content,
    layout: &'a Layout,
    grids: Vec<Grid>,
    curves: &'a [&'static Curve; 4],
    channels: usize,
    control: &'a Control,
}

impl Prepare<'_> {
    fn pyramids<T: Sample>(&self, samples: Vec<Vec<T>>) -> Result<Vec<Pyramid<T>>> {
        let (mut pyramids, mut pads) = (Vec::new(), Vec::new());
        for (grid, samples) in self.grids.iter().zip(samples) {
            let texels = Texels::around(self.layout, *grid, self.control)?;
            let mut level = self.placed(grid, &samples);
            pads.push(self.known(&texels, &mut level));
            pyramids.push(Pyramid { size: [grid.width, grid.height], levels: vec![level] });
        }
        let down = self.content == Content::Normal { green_down: true };
        for _ in 0..PASSES {
            match self.channels {
                1 => pass::<T, 1>(&mut pyramids, &pads, self.curves, down),
                2 => pass::<T, 2>(&mut pyramids, &pads, self.curves, down),
                3 => pass::<T, 3>(&mut pyramids, &pads, self.curves, down),
                _ => pass::<T, 4>(&mut pyramids, &pads, self.curves, down),
            }
        }
        for pyramid in &mut pyramids {
            self.control.check()?;
            pyramid.reduce(self.channels, self.curves);
        }
        Ok(pyramids)
    }

    /// A picture in the middle of its apron, nothing known.
    fn placed<T: Sample>(&self, grid: &Grid, samples: &[T]) -> Level<T> {
        let (across, down, row) = (grid.across(), grid.down(), grid.width * self.channels);
        let mut data = vec![T::default(); across * down * self.channels];
        for (y, samples) in samples.chunks_exact(row).enumerate() {
            let at = ((y + APRON) * across + APRON) * self.channels;
            data[at..at + row].copy_from_slice(samples);
        }
        Level { across, down, apron: APRON, data, cover: vec![0; across * down] }
    }

    /// Marks the texels that the islands have as known, and lists those of the padding.
    fn known<T>(&self, texels: &Texels, level: &mut Level<T>) -> Vec<Pad> {
        let grid = &texels.grid;
        let mut pads = Vec::new();
        for (number, band) in texels.bands.iter().enumerate() {
            for row in 0..band.rows() {
                let y = number * BAND + row;
                let painted_row = (APRON..APRON + grid.height).contains(&y);
                for span in band.row(row) {
                    let piece = texels.piece(band, span);
                    for x in usize::from(span.start)..usize::from(span.end) {
                        let painted = painted_row && (APRON..APRON + grid.width).contains(&x);
                        let at = y * level.across + x;
                        if painted && !texels.is_padding(span) {
                            level.cover[at] = 255;
                        } else {
                            pads.push(self.pad(at, &piece, grid.uv(x, y), &grid.tile));
                        }
                    }
                }
            }
        }
        pads
    }

    fn pad(&self, at: usize, piece: &Piece, uv: Vec2, home: &Tile) -> Pad {
        let uv = piece.own(uv);
        let inside = |g: &Grid| uv.x.floor() == Real::from(g.tile.u) && uv.y.floor() == Real::from(g.tile.v);
        let tile = self.grids.iter().position(inside);
        let tile = tile.or_else(|| self.grids.iter().position(|g| g.tile == *home)).unwrap_or(0);
        let grid = Grid { apron: 0, ..self.grids[tile] };
        let turn = matches!(self.content, Content::Normal { .. }).then(|| {
            let t = piece.triangle as usize;
            let metric = frames::mix(&self.layout.metrics[t], &weights(&self.layout.uvs[t], uv));
            frames::turn(metric, &piece.turn, frames::turned(metric, &piece.turn))
        });
        Pad { at, tile, place: grid.pixel(uv), turn }
    }
}

/// Gives each padding texel what is known at its own place; where nothing is, the mean of what is known around it.
fn pass<T: Sample, const C: usize>(
    pyramids: &mut [Pyramid<T>],
    pads: &[Vec<Pad>],
    curves: &[&Curve; 4],
    green_down: bool,
) {
    for (number, pads) in pads.iter().enumerate() {
        let found: Vec<Option<[f32; C]>> = pads
            .par_iter()
            .with_min_len(256)
            .map(|pad| {
                let mut sum = ([0.0; C], 0.0);
                probe(&pyramids[pad.tile].levels[0], 0, pad.place, curves, 1.0, &mut sum);
                if sum.1 < 1e-3 {
                    sum = around(&pyramids[number].levels[0], pad.at, curves);
                    return (sum.1 > 0.0).then(|| sum.0.map(|x| x / sum.1));
                }
                let mut texel = sum.0.map(|x| x / sum.1);
                if let Some(turn) = &pad.turn {
                    turn_normal(&mut texel, turn, green_down);
                }
                Some(texel)
            })
            .collect();
        let level = &mut pyramids[number].levels[0];
        for (pad, found) in pads.iter().zip(found) {
            let Some(texel) = found else { continue };
            let out = level.data[pad.at * C..][..C].iter_mut();
            out.zip(texel).zip(curves).for_each(|((out, x), curve)| *out = T::encode(x, curve));
            level.cover[pad.at] = 255;
        }
    }
}

fn around<T: Sample, const C: usize>(level: &Level<T>, at: usize, curves: &[&Curve; 4]) -> ([f32; C], f32) {
    let (x, y) = (at % level.across, at / level.across);
    let mut sum = ([0.0; C], 0.0);
    for fy in y.saturating_sub(1)..(y + 2).min(level.down) {
        for fx in x.saturating_sub(1)..(x + 2).min(level.across) {
            let texel = fy * level.across + fx;
            if level.cover[texel] > 0 {
                sum.1 += 1.0;
                (0..C).for_each(|c| sum.0[c] += level.data[texel * C + c].decode(curves[c]));
            }
        }
    }
    sum
}
