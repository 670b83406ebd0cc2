//! The part of the body at each texel of a tile.
//!
//! Triangles are drawn in the order of their faces; a texel belongs to the first whose inside, closed to the left and
//! to the top, contains its centre. Where two triangles share an edge, its crossing with a row is computed from the
//! same two ends in the same order, so that no texel is lost or drawn twice. A row is stored as runs of texels of one
//! triangle, eight bytes each; the weights follow from the UVs of the triangle.

use super::grid::{Grid, NONE, Piece};
use super::layout::Layout;
use super::padding::pad;
use super::tile::Tile;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_geometry::twice_area;
use sinew_math::{Real, Vec2};
use std::ops::Range;

/// The longest side of a picture.
pub const MAX_SIDE: usize = 32_768;
/// The widest padding.
const MAX_PADDING: usize = 512;
/// Rows that one thread takes at a time.
pub(super) const BAND: usize = 32;
/// A texel is claimed twice if its centre is this many texels inside both triangles: less is a touching border.
const DEEP: Real = 0.05;
/// Triangles that cover the tile more often than this are a corrupt file, which would take hours.
const MOST_LAYERS: Real = 256.0;

/// Adjacent texels of one triangle; `end` is one past the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: u16,
    pub end: u16,
    /// A triangle, or from the number of triangles on a piece of the band.
    pub piece: u32,
}

/// Some rows.
pub(super) struct Band {
    spans: Vec<Span>,
    /// The first span of each row, and the end.
    rows: Vec<u32>,
    pieces: Vec<Piece>,
    overlap: Option<Overlap>,
}

impl Band {
    pub fn rows(&self) -> usize {
        self.rows.len() - 1
    }

    pub fn row(&self, row: usize) -> &[Span] {
        &self.spans[self.rows[row] as usize..self.rows[row + 1] as usize]
    }
}

/// Texels that two faces claim.
#[derive(Clone, Copy, Debug)]
struct Overlap {
    faces: [u32; 2],
    texels: usize,
}

/// The contents of a texel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covered {
    /// The place on the surface; a weight is negative only where padding continues past a border of the mesh.
    pub on: SurfacePoint,
    /// The polygon.
    pub face: u32,
    /// Whether the texel is in the padding.
    pub padding: bool,
}

/// The texels of one tile at one resolution: computed once, the same for all frames.
pub struct Texels {
    pub(super) grid: Grid,
    pub(super) bands: Vec<Band>,
    triangles: u32,
}

impl Texels {
    /// `padding` texels around the islands are covered too: 1 for ST-maps, 8 to 16 for textures that a renderer
    /// minifies.
    pub fn new(
        layout: &Layout,
        tile: Tile,
        size: [usize; 2],
        padding: usize,
        control: &Control,
    ) -> Result<Self> {
        Self::around(layout, Grid { tile, width: size[0], height: size[1], padding, apron: 0 }, control)
    }

    pub(super) fn around(layout: &Layout, grid: Grid, control: &Control) -> Result<Self> {
        check(layout, &grid)?;
        let bands = (0..grid.down().div_ceil(BAND)).into_par_iter().map(|band| {
            control.check()?;
            Ok(draw(layout, &grid, band * BAND..((band + 1) * BAND).min(grid.down())))
        });
        Ok(Texels { grid, bands: bands.collect::<Result<_>>()?, triangles: layout.uvs.len() as u32 })
    }

    /// The width and height in texels.
    pub fn size(&self) -> [usize; 2] {
        [self.grid.width, self.grid.height]
    }

    /// Its tile.
    pub fn tile(&self) -> Tile {
        self.grid.tile
    }

    /// The columns and the rows, from the first to before the second, of the smallest rectangle around everything that
    /// is covered, padding included; one texel if nothing is.
    pub fn window(&self) -> [[usize; 2]; 2] {
        let mut window: Option<[[usize; 2]; 2]> = None;
        let rows = self.bands.iter().flat_map(|band| (0..band.rows()).map(|row| band.row(row)));
        for (y, spans) in rows.enumerate() {
            let (Some(first), Some(last)) = (spans.first(), spans.last()) else { continue };
            let (start, end) = (usize::from(first.start), usize::from(last.end));
            let [x, rows] = window.unwrap_or([[start, end], [y, y]]);
            window = Some([[x[0].min(start), x[1].max(end)], [rows[0], y + 1]]);
        }
        window.unwrap_or([[0, 1], [0, 1]])
    }

    /// The first two faces that claim the same texels, and the number of texels claimed twice; the lower face gets
    /// them. None if the UVs do not overlap.
    pub fn warning(&self) -> Option<String> {
        let mut found = self.bands.iter().filter_map(|b| b.overlap);
        let first = found.next()?;
        let texels = first.texels + found.map(|o| o.texels).sum::<usize>();
        let [low, high] = first.faces;
        Some(format!(
            "tile {}: {texels} texels are covered twice, the first one by faces {low} and {high}: the UVs overlap, and \
             the face with the lower number is used",
            self.grid.tile
        ))
    }

    /// The contents of a texel; none if it is empty.
    pub fn at(&self, layout: &Layout, x: usize, y: usize) -> Option<Covered> {
        let band = self.bands.get(y / BAND)?;
        let row = band.row(y % BAND);
        let span = row.get(row.partition_point(|s| usize::from(s.end) <= x))?;
        if usize::from(span.start) > x {
            return None;
        }
        let piece = self.piece(band, span);
        let weights = weights(&layout.uvs[piece.triangle as usize], piece.own(self.grid.uv(x, y)));
        let on = SurfacePoint { triangle: piece.triangle, weights };
        let padding = self.is_padding(span);
        Some(Covered { on, face: layout.tri.faces[piece.triangle as usize], padding })
    }

    pub(super) fn is_padding(&self, span: &Span) -> bool {
        span.piece >= self.triangles
    }

    pub(super) fn piece(&self, band: &Band, span: &Span) -> Piece {
        match span.piece.checked_sub(self.triangles) {
            None => Piece::of_triangle(span.piece),
            Some(k) => band.pieces[k as usize],
        }
    }
}

/// The weights of a UV in a triangle with area.
pub(super) fn weights(uvs: &[Vec2; 3], uv: Vec2) -> [Real; 3] {
    let [a, b, c] = *uvs;
    let area = twice_area(uvs);
    let (second, third) = ((uv - a).perp(&(c - a)) / area, (b - a).perp(&(uv - a)) / area);
    [1.0 - second - third, second, third]
}

/// The weights of the nearest place in the triangle instead of one outside.
pub(super) fn inside(weights: [Real; 3]) -> [Real; 3] {
    let kept = weights.map(|w| w.max(0.0));
    let sum: Real = kept.iter().sum();
    kept.map(|w| w / sum)
}

fn check(layout: &Layout, grid: &Grid) -> Result<()> {
    let (width, height) = (grid.width, grid.height);
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) || grid.padding > MAX_PADDING {
        let message = format!(
            "{width} by {height} texels with {} of padding; sides of 1 to {MAX_SIDE} and padding up to {MAX_PADDING} \
             are allowed",
            grid.padding
        );
        return Err(Error::new(Kind::OutOfRange, message));
    }
    let end = Vec2::new(grid.across() as Real, grid.down() as Real);
    let covered = |uvs: &[Vec2; 3]| {
        let [a, b, c] = uvs.map(|uv| grid.pixel(uv));
        let size = a.sup(&b).sup(&c).inf(&end) - a.inf(&b).inf(&c).sup(&Vec2::zeros());
        let bounds = size.x.max(0.0) * size.y.max(0.0);
        bounds.min(twice_area(&[a, b, c]).abs())
    };
    let layers = layout.uvs.iter().map(covered).sum::<Real>() / (end.x * end.y);
    if layers > MOST_LAYERS {
        let message = format!("the UVs cover the tile {} {layers:.0} times over", grid.tile);
        return Err(Error::new(Kind::TooLarge, message));
    }
    Ok(())
}

fn draw(layout: &Layout, grid: &Grid, rows: Range<usize>) -> Band {
    let across = grid.across();
    let mut owner = vec![NONE; across * rows.len()];
    let mut overlap = None;
    for (t, uvs) in layout.uvs.iter().enumerate() {
        let corners = uvs.map(|uv| grid.pixel(uv));
        let (low, high) =
            (corners[0].inf(&corners[1]).inf(&corners[2]), corners[0].sup(&corners[1]).sup(&corners[2]));
        if high.y < rows.start as Real || low.y > rows.end as Real || high.x < 0.0 || low.x > across as Real {
            continue;
        }
        let first = ((low.y - 0.5).ceil().max(rows.start as Real)) as usize;
        for y in first..rows.end {
            let Some([start, end]) = crossed(&corners, y as Real + 0.5, across) else { break };
            let row = &mut owner[(y - rows.start) * across..][..across];
            for (x, owner) in row.iter_mut().enumerate().take(end).skip(start) {
                if *owner == NONE {
                    *owner = t as u32;
                } else {
                    let centre = Vec2::new(x as Real + 0.5, y as Real + 0.5);
                    claim(layout, grid, [*owner, t as u32], centre, &mut overlap);
                }
            }
        }
    }
    let pieces = if grid.padding > 0 {
        pad(layout, grid, rows.clone(), layout.uvs.len() as u32, &mut owner)
    } else {
        Vec::new()
    };
    let (mut spans, mut starts) = (Vec::new(), vec![0]);
    for row in owner.chunks_exact(across) {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] != NONE {
                spans.push(Span { start: x as u16, end: (x + run.len()) as u16, piece: run[0] });
            }
            x += run.len();
        }
        starts.push(spans.len() as u32);
    }
    spans.shrink_to_fit();
    Band { spans, rows: starts, pieces, overlap }
}

/// The texels of a row whose centres are in a triangle; none below it.
fn crossed(corners: &[Vec2; 3], y: Real, across: usize) -> Option<[usize; 2]> {
    let (mut left, mut right) = (Real::INFINITY, Real::NEG_INFINITY);
    for k in 0..3 {
        let (mut a, mut b) = (corners[k], corners[(k + 1) % 3]);
        if (a.y <= y) == (b.y <= y) {
            continue;
        }
        if a.y > b.y {
            (a, b) = (b, a);
        }
        let x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        (left, right) = (left.min(x), right.max(x));
    }
    let texel = |x: Real| (x - 0.5).ceil().clamp(0.0, across as Real) as usize;
    (left <= right).then(|| [texel(left), texel(right)])
}

fn claim(layout: &Layout, grid: &Grid, triangles: [u32; 2], centre: Vec2, overlap: &mut Option<Overlap>) {
    let depth = |t: u32| {
        let corners = layout.uvs[t as usize].map(|uv| grid.pixel(uv));
        let sign = twice_area(&corners).signum();
        (0..3)
            .map(|k| {
                let edge = corners[(k + 1) % 3] - corners[k];
                sign * edge.perp(&(centre - corners[k])) / edge.norm()
            })
            .fold(Real::INFINITY, Real::min)
    };
    let faces = triangles.map(|t| layout.reported_face(layout.tri.faces[t as usize]));
    if triangles.iter().all(|&t| depth(t) > DEEP) {
        overlap.get_or_insert(Overlap { faces, texels: 0 }).texels += 1;
    }
}
