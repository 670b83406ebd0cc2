//! Textures as they were painted, prepared once for all frames.

use super::colour::ColourSpace;
use super::content::Content;
use super::curve::Sample;
use super::filter::probe;
use super::frames::{self, turn_normal};
use super::grid::{Grid, Piece};
use super::layout::Layout;
use super::mix::{Mix, Sum};
use super::picture::{Depth, Picture, Profile};
use super::pyramid::{APRON, Level, Pyramid};
use super::store::Room;
use super::texels::{BAND, Texels, weights};
use super::tile::Tile;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Mat2, Real, Vec2};

/// Texels around islands that are filled from behind the seam before any blending.
const PADDING: usize = 4;
/// Padding is blended from texels some of which are padding themselves: each pass improves these, and reaches a texel
/// farther where there is nothing behind the border.
const PASSES: usize = PADDING + 1;

/// The tiles of a texture by number type.
pub(super) enum Tiles {
    U8(Vec<Pyramid<u8>>),
    U16(Vec<Pyramid<u16>>),
    F32(Vec<Pyramid<f32>>),
}

/// A texture, padded from behind the seams, with its reductions: a third more memory than the pictures, and one byte
/// per texel.
pub struct SourceTexture {
    pub(super) content: Content,
    pub(super) space: ColourSpace,
    /// What its file, or the chosen space, says about its colours.
    pub(super) profile: Profile,
    pub(super) names: Vec<Tile>,
    pub(super) tiles: Tiles,
    pub(super) channels: usize,
    pub(super) depth: Depth,
}

impl SourceTexture {
    /// From one picture for each tile of the layout, read one after the other, all with the same depth and channels;
    /// sizes may differ.
    pub fn new(
        layout: &Layout,
        content: Content,
        read: &mut dyn FnMut(Tile) -> Result<Picture>,
        room: &mut Room,
        control: &Control,
    ) -> Result<Self> {
        Self::in_space(layout, content, None, read, room, control)
    }

    /// The same, for colours in a space; by default integers are sRGB, floats linear.
    pub fn in_space(
        layout: &Layout,
        content: Content,
        space: Option<ColourSpace>,
        read: &mut dyn FnMut(Tile) -> Result<Picture>,
        room: &mut Room,
        control: &Control,
    ) -> Result<Self> {
        let names = layout.tiles().to_vec();
        let Some(&first) = names.first() else {
            let message = "the UVs have no area, so the mesh shows no texture";
            return Err(Error::new(Kind::Degenerate, message));
        };
        let picture = read(first)?;
        let (channels, depth) = (picture.channels, picture.depth);
        check(content, &picture)?;
        if space.is_some() && content != Content::Colour {
            return Err(Error::new(Kind::InvalidArgument, "only colours have a colour space"));
        }
        let profile = reported(content, space, &picture);
        let space = space.unwrap_or(ColourSpace::of_depth(depth));
        let mix = Mix::new(content, space, channels, depth);
        let mut prepare = Prepare { content, layout, grids: Vec::new(), mix, channels, depth, room, control };
        let tiles = match depth {
            Depth::Bits8 => Tiles::U8(prepare.pyramids(picture, read)?),
            Depth::Bits16 => Tiles::U16(prepare.pyramids(picture, read)?),
            Depth::Half | Depth::Float => Tiles::F32(prepare.pyramids(picture, read)?),
        };
        Ok(SourceTexture { content, space, profile, names, tiles, channels, depth })
    }

    /// How its numbers are stored.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// The width and height in texels of its largest picture.
    pub fn size(&self) -> [usize; 2] {
        let largest = |sizes: &mut dyn Iterator<Item = [usize; 2]>| sizes.max().unwrap_or_default();
        match &self.tiles {
            Tiles::U8(tiles) => largest(&mut tiles.iter().map(|p| p.size)),
            Tiles::U16(tiles) => largest(&mut tiles.iter().map(|p| p.size)),
            Tiles::F32(tiles) => largest(&mut tiles.iter().map(|p| p.size)),
        }
    }

    /// The same for the picture of a tile; for the largest if a tile has none.
    pub fn size_of(&self, tile: Tile) -> [usize; 2] {
        let Some(number) = self.names.iter().position(|&name| name == tile) else { return self.size() };
        match &self.tiles {
            Tiles::U8(tiles) => tiles[number].size,
            Tiles::U16(tiles) => tiles[number].size,
            Tiles::F32(tiles) => tiles[number].size,
        }
    }

    /// The number that means zero height.
    pub(super) fn middle(&self) -> f32 {
        match (self.content, self.depth) {
            (Content::Displacement { middle: Some(middle), .. }, _) => middle as f32,
            (_, Depth::Bits8 | Depth::Bits16) => 0.5,
            (_, Depth::Half | Depth::Float) => 0.0,
        }
    }
}

/// What results say about their colours: what the texture said, unless another space was chosen; undeclared integers
/// are declared as sRGB.
fn reported(content: Content, space: Option<ColourSpace>, first: &Picture) -> Profile {
    match space {
        Some(space) => space.profile(),
        None if content != Content::Colour || !first.profile.is_empty() => first.profile.clone(),
        None if matches!(first.depth, Depth::Bits8 | Depth::Bits16) => ColourSpace::Srgb.profile(),
        None => Profile::default(),
    }
}

fn check(content: Content, first: &Picture) -> Result<()> {
    if matches!(content, Content::Normal { .. }) && first.channels < 3 {
        let message = format!("normals need three channels, not {}", first.channels);
        return Err(Error::new(Kind::WrongType, message));
    }
    if let Content::Displacement { middle, scale } = content
        && !((middle.unwrap_or(0.0) as f32).is_finite() && (scale as f32).is_finite())
    {
        return Err(Error::new(
            Kind::NotFinite,
            format!("the middle ({middle:?}) and the scale ({scale}) of the displacement must be finite"),
        ));
    }
    Ok(())
}

/// A texel that takes its value from elsewhere.
struct Pad {
    at: usize,
    /// In the tile of its own place.
    tile: usize,
    place: Vec2,
    /// For normals: into the frame of the adjacent island.
    turn: Option<Mat2>,
}

struct Prepare<'a> {
    content: Content,
    layout: &'a Layout,
    grids: Vec<Grid>,
    mix: Mix,
    channels: usize,
    depth: Depth,
    room: &'a mut Room,
    control: &'a Control,
}

impl Prepare<'_> {
    fn pyramids<T: Sample>(
        &mut self,
        first: Picture,
        read: &mut dyn FnMut(Tile) -> Result<Picture>,
    ) -> Result<Vec<Pyramid<T>>> {
        let mut pyramids = Vec::new();
        let mut first = Some(first);
        for &tile in self.layout.tiles() {
            self.control.check()?;
            let picture = first.take().map_or_else(|| read(tile), Ok)?;
            pyramids.push(self.placed(tile, picture)?);
        }
        let mut pads = Vec::new();
        for (grid, pyramid) in self.grids.iter().zip(&mut pyramids) {
            let texels = Texels::around(self.layout, *grid, self.control)?;
            pads.push(self.known(&texels, &mut pyramid.levels[0]));
        }
        match self.channels {
            1 => self.padded::<T, 1>(&mut pyramids, &pads)?,
            2 => self.padded::<T, 2>(&mut pyramids, &pads)?,
            3 => self.padded::<T, 3>(&mut pyramids, &pads)?,
            _ => self.padded::<T, 4>(&mut pyramids, &pads)?,
        }
        Ok(pyramids)
    }

    /// A picture in the middle of its apron, without coverage.
    fn placed<T: Sample>(&mut self, tile: Tile, picture: Picture) -> Result<Pyramid<T>> {
        picture.check().map_err(|e| Error::new(e.kind(), format!("the tile {tile}: {}", e.message())))?;
        let size = [picture.width, picture.height];
        let (channels, depth) = (picture.channels, picture.depth);
        let samples = T::of(picture.samples);
        let (true, Some(samples)) = ((channels, depth) == (self.channels, self.depth), samples) else {
            let message = format!(
                "the tile {tile} has {channels} channels of {depth:?}, the tile {} has {} of {:?}",
                self.layout.tiles()[0],
                self.channels,
                self.depth
            );
            return Err(Error::new(Kind::CountMismatch, message));
        };
        self.grids.push(Grid { tile, width: size[0], height: size[1], padding: PADDING, apron: APRON });
        let mut level = Level::new(size, APRON, channels, self.room)?;
        let across = level.across;
        for (y, samples) in samples.chunks_exact(size[0] * channels).enumerate() {
            let at = ((y + APRON) * across + APRON) * channels;
            level.data[at..at + samples.len()].copy_from_slice(samples);
        }
        Ok(Pyramid { size, levels: vec![level] })
    }

    fn padded<T: Sample, const C: usize>(
        &mut self,
        pyramids: &mut [Pyramid<T>],
        pads: &[Vec<Pad>],
    ) -> Result<()> {
        let down = self.content == Content::Normal { green_down: true };
        for _ in 0..PASSES {
            self.control.check()?;
            pass::<T, C>(pyramids, pads, &self.mix, down);
        }
        for pyramid in pyramids {
            self.control.check()?;
            pyramid.reduce::<C>(&self.mix, self.room)?;
        }
        Ok(())
    }

    /// Marks the texels of islands as known, and lists those of the padding.
    fn known<T: Sample>(&self, texels: &Texels, level: &mut Level<T>) -> Vec<Pad> {
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

/// Gives each padding texel the known value at its source; if there is none, the mean of what is known around it.
fn pass<T: Sample, const C: usize>(
    pyramids: &mut [Pyramid<T>],
    pads: &[Vec<Pad>],
    mix: &Mix,
    green_down: bool,
) {
    for (number, pads) in pads.iter().enumerate() {
        let found: Vec<Option<[f32; C]>> = pads
            .par_iter()
            .with_min_len(256)
            .map(|pad| {
                let mut sum = Sum::new();
                probe(&pyramids[pad.tile].levels[0], 0, pad.place, mix, 1.0, &mut sum);
                if sum.weight() < 1e-3 {
                    return around(&pyramids[number].levels[0], pad.at, mix).mean(mix);
                }
                let mut texel = sum.mean(mix)?;
                if let Some(turn) = &pad.turn {
                    turn_normal(&mut texel, turn, green_down);
                }
                Some(texel)
            })
            .collect();
        let level = &mut pyramids[number].levels[0];
        for (pad, found) in pads.iter().zip(found) {
            let Some(texel) = found else { continue };
            mix.encode(texel, &mut level.data[pad.at * C..][..C]);
            level.cover[pad.at] = 255;
        }
    }
}

fn around<T: Sample, const C: usize>(level: &Level<T>, at: usize, mix: &Mix) -> Sum<C> {
    let (x, y) = (at % level.across, at / level.across);
    let mut sum = Sum::new();
    for fy in y.saturating_sub(1)..(y + 2).min(level.down) {
        for fx in x.saturating_sub(1)..(x + 2).min(level.across) {
            let texel = fy * level.across + fx;
            if level.cover[texel] > 0 {
                sum.add(mix.decode(&level.data[texel * C..][..C]), 1.0);
            }
        }
    }
    sum
}
