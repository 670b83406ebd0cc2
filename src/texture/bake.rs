//! The bake: a texture as carried by the skin, in the layout in which it was painted.

use super::content::Content;
use super::curve::Sample;
use super::filter::{Footprint, bilinear, filtered};
use super::frames::{turn, turn_normal};
use super::grid::Piece;
use super::layout::Layout;
use super::mix::Mix;
use super::picture::{Picture, Samples};
use super::pyramid::Pyramid;
use super::slide::Slide;
use super::source::{SourceTexture, Tiles};
use super::texels::{BAND, Band, Span, Texels, inside, weights};
use super::tile::Tile;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_math::elementary::hypot;
use sinew_math::{Mat2, Real, Vec2};

/// A weight below this is past the border, not round-off.
const OUTSIDE: Real = 1e-9;

/// The texture of one frame in one tile, at its source's depth. Outside islands and padding it is black and
/// transparent; heights are the middle value, normals point straight up.
pub fn bake(
    layout: &Layout,
    texels: &Texels,
    slide: &Slide,
    source: &SourceTexture,
    control: &Control,
) -> Result<Picture> {
    let mix = Mix::new(source.content, source.space, source.channels, source.depth);
    let frame = Frame { layout, texels, slide, source, control, mix };
    let samples = match &source.tiles {
        Tiles::U8(tiles) => Samples::U8(frame.channels(tiles)?),
        Tiles::U16(tiles) => Samples::U16(frame.channels(tiles)?),
        Tiles::F32(tiles) => Samples::F32(frame.channels(tiles)?),
    };
    let [width, height] = texels.size();
    let (channels, depth, profile) = (source.channels, source.depth, source.profile.clone());
    Ok(Picture { width, height, channels, depth, samples, profile })
}

struct Frame<'a> {
    layout: &'a Layout,
    texels: &'a Texels,
    slide: &'a Slide,
    source: &'a SourceTexture,
    control: &'a Control,
    mix: Mix,
}

/// A row of the result.
#[derive(Clone, Copy)]
struct Row<'a, T> {
    tiles: &'a [Pyramid<T>],
    y: usize,
}

impl Frame<'_> {
    fn channels<T: Sample>(&self, tiles: &[Pyramid<T>]) -> Result<Vec<T>> {
        match self.source.channels {
            1 => self.texture::<T, 1>(tiles),
            2 => self.texture::<T, 2>(tiles),
            3 => self.texture::<T, 3>(tiles),
            _ => self.texture::<T, 4>(tiles),
        }
    }

    fn texture<T: Sample, const C: usize>(&self, tiles: &[Pyramid<T>]) -> Result<Vec<T>> {
        let [width, height] = self.texels.size();
        let mut out = vec![T::default(); width * height * C];
        let bands = out.par_chunks_mut(width * C * BAND).zip(&self.texels.bands).enumerate();
        bands.try_for_each(|(number, (out, band))| {
            self.control.check()?;
            self.clear::<T, C>(out);
            for (row, out) in out.chunks_exact_mut(width * C).enumerate() {
                let at = Row { tiles, y: number * BAND + row };
                band.row(row).iter().for_each(|span| self.span::<T, C>(at, band, span, out));
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// The background.
    fn clear<T: Sample, const C: usize>(&self, out: &mut [T]) {
        let texel: [f32; 4] = match self.source.content {
            Content::Colour | Content::Data => return,
            Content::Displacement { .. } if C == 2 => [self.source.middle(), 0.0, 0.0, 0.0],
            Content::Displacement { .. } => {
                [self.source.middle(), self.source.middle(), self.source.middle(), 0.0]
            }
            Content::Normal { .. } => [0.5, 0.5, 1.0, 0.0],
        };
        let mut stored = [T::default(); C];
        self.mix.encode(std::array::from_fn::<_, C, _>(|c| texel[c]), &mut stored);
        out.chunks_exact_mut(C).for_each(|out| out.copy_from_slice(&stored));
    }

    fn span<T: Sample, const C: usize>(&self, row: Row<T>, band: &Band, span: &Span, out: &mut [T]) {
        let piece = self.texels.piece(band, span);
        let (start, end) = (usize::from(span.start), usize::from(span.end));
        let out = &mut out[start * C..end * C];
        let padding = self.texels.is_padding(span);
        let ends = [start, end - 1].map(|x| self.texels.grid.uv(x, row.y));
        let past = padding && ends.iter().any(|uv| self.past_border(&piece, *uv).is_some());
        if let Some((linear, offset)) = self.slide.straight(self.layout, &piece).filter(|_| !past) {
            let [first, last] = ends.map(|uv| linear * uv + offset);
            let tile = self.tile_of(&(first + last).scale(0.5), &piece, padding);
            let alone = row.tiles.len() == 1 || padding;
            if alone || [first, last].iter().all(|uv| self.tile_of(uv, &piece, false) == tile) {
                let source = &row.tiles[tile];
                let texels = self.in_texels(&linear, source.size);
                let print = Footprint::new(&texels);
                let plain = !matches!(self.source.content, Content::Normal { .. });
                if print.is_none() && plain {
                    let level = &source.levels[0];
                    let from = self.place(first, tile, source.size) + Vec2::repeat(level.apron as Real - 0.5);
                    let step = texels.column(0).into_owned();
                    bilinear::<T, C>(level, from, step, &self.mix, end - start, |k, texel| {
                        self.store(texel, &mut out[k * C..(k + 1) * C]);
                    });
                    return;
                }
                if plain {
                    // The footprint is that of all texels of the span.
                    let (from, step) = (self.place(first, tile, source.size), texels.column(0).into_owned());
                    for (k, out) in out.chunks_exact_mut(C).enumerate() {
                        let at = from + step * k as Real;
                        self.store(filtered::<T, C>(source, at, print.as_ref(), &self.mix), out);
                    }
                    return;
                }
            }
        }
        for (k, out) in out.chunks_exact_mut(C).enumerate() {
            self.texel::<T, C>(row, &piece, start + k, padding, out);
        }
    }

    /// A single texel: near a seam, with a long footprint, or a normal.
    fn texel<T: Sample, const C: usize>(
        &self,
        row: Row<T>,
        piece: &Piece,
        x: usize,
        padding: bool,
        out: &mut [T],
    ) {
        let uv = self.texels.grid.uv(x, row.y);
        let past = if padding { self.past_border(piece, uv) } else { None };
        let fetch = match past {
            Some(uv) => self.slide.fetch(self.layout, &Piece::of_triangle(piece.triangle), uv),
            None => self.slide.fetch(self.layout, piece, uv),
        };
        let tile = self.tile_of(&fetch.uv, piece, padding);
        let source = &row.tiles[tile];
        let print = Footprint::new(&self.in_texels(&fetch.jacobian, source.size));
        let place = self.place(fetch.uv, tile, source.size);
        let mut texel = filtered::<T, C>(source, place, print.as_ref(), &self.mix);
        if let Content::Normal { green_down } = self.source.content {
            let [source, texel_metric] = fetch.metrics;
            turn_normal(&mut texel, &turn(source, &fetch.jacobian, texel_metric), green_down);
        }
        self.store(texel, out);
    }

    fn store<T: Sample, const C: usize>(&self, mut texel: [f32; C], out: &mut [T]) {
        if let Content::Displacement { scale, .. } = self.source.content
            && scale != 1.0
        {
            let heights = if C == 2 { 1 } else { C.min(3) };
            let (middle, scale) = (self.source.middle(), scale as f32);
            texel[..heights].iter_mut().for_each(|x| *x = middle + (*x - middle) * scale);
        }
        self.mix.encode(texel, out);
    }

    /// Where padding continues past a border of the mesh, the UV on the triangle's edge: nothing is painted beyond it.
    fn past_border(&self, piece: &Piece, uv: Vec2) -> Option<Vec2> {
        let uvs = &self.layout.uvs[piece.triangle as usize];
        let weights = weights(uvs, piece.own(uv));
        let outside = weights.iter().any(|&w| w < -OUTSIDE);
        outside.then(|| uvs.iter().zip(inside(weights)).map(|(uv, w)| uv * w).sum())
    }

    /// The Jacobian from UVs to texels.
    fn in_texels(&self, jacobian: &Mat2, source: [usize; 2]) -> Mat2 {
        let to = Mat2::new(source[0] as Real, 0.0, 0.0, -(source[1] as Real));
        let [width, height] = self.texels.size();
        to * jacobian * Mat2::new(1.0 / width as Real, 0.0, 0.0, -1.0 / height as Real)
    }

    /// The position of a UV in the picture of a tile, in texels from the top left.
    fn place(&self, uv: Vec2, tile: usize, size: [usize; 2]) -> Vec2 {
        let Tile { u, v } = self.source.names[tile];
        let (x, y) = (uv.x - Real::from(u), 1.0 - (uv.y - Real::from(v)));
        Vec2::new(x * size[0] as Real, y * size[1] as Real)
    }

    /// The number of the tile that a texel fetches from. Padding past a border of the mesh stays in the tile of the
    /// triangle that it continues, and a place outside all tiles uses the nearest.
    fn tile_of(&self, uv: &Vec2, piece: &Piece, padding: bool) -> usize {
        let names = &self.source.names;
        if names.len() == 1 {
            return 0;
        }
        let uv = match padding {
            true => {
                let middle = self.layout.uvs[piece.triangle as usize].iter().sum::<Vec2>() / 3.0;
                let whole = Piece::of_triangle(piece.triangle);
                self.slide.fetch(self.layout, &whole, middle).uv
            }
            false => *uv,
        };
        let outside = |tile: &Tile| {
            let (x, y) = (uv.x - Real::from(tile.u), uv.y - Real::from(tile.v));
            let beyond = |x: Real| (-x).max(x - 1.0).max(0.0);
            hypot(beyond(x), beyond(y))
        };
        let inside = |t: &Tile| uv.x.floor() == Real::from(t.u) && uv.y.floor() == Real::from(t.v);
        names.iter().position(inside).unwrap_or_else(|| {
            let nearest = (0..names.len()).min_by(|&a, &b| outside(&names[a]).total_cmp(&outside(&names[b])));
            nearest.unwrap_or(0)
        })
    }
}
