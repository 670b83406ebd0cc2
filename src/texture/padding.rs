//! The padding around islands: the surface continues behind a seam.

use super::grid::{Grid, NONE, Piece};
use super::layout::Layout;
use sinew_math::{Real, Vec2};
use std::collections::HashMap;
use std::ops::Range;

/// The nearest border of a texel: the square of its distance, and its number.
type Nearest = (f32, u32);

/// Fills the texels of some rows that no triangle covers: `owner` gets numbers from `first` on into the returned
/// pieces.
pub(super) fn pad(
    layout: &Layout,
    grid: &Grid,
    rows: Range<usize>,
    first: u32,
    owner: &mut [u32],
) -> Vec<Piece> {
    // Covers the same number of texels whether the border runs between texel centres or through them; half a texel or a
    // whole one more would make that depend on rounding.
    let reach = grid.padding as Real + 0.25;
    let mut nearest: Vec<Nearest> = vec![(f32::INFINITY, NONE); owner.len()];
    for (number, border) in layout.borders.iter().enumerate() {
        let ends = border.uvs.map(|uv| grid.pixel(uv));
        paint(grid, &rows, ends, number as u32, reach, owner, &mut nearest);
    }
    let mut pieces = Vec::new();
    let mut known: HashMap<(u32, u32, [u64; 4]), u32> = HashMap::new();
    for (at, &(_, number)) in nearest.iter().enumerate().filter(|(_, n)| n.1 != NONE) {
        let border = &layout.borders[number as usize];
        let (x, y) = (at % grid.across(), rows.start + at / grid.across());
        let [a, b] = border.uvs.map(|uv| grid.pixel(uv));
        let from = border.place(along(a, b, Vec2::new(x as Real + 0.5, y as Real + 0.5)));
        let uv = grid.uv(x, y);
        let piece = layout.islands.unfold(&from, uv).map_or_else(
            || Piece::of_triangle(border.triangle),
            |found| Piece {
                triangle: found.on.triangle,
                turn: found.turn,
                offset: found.uv - found.turn * uv,
            },
        );
        let bits = [0, 1, 2, 3].map(|k| piece.turn.as_slice()[k].to_bits());
        owner[at] = *known.entry((number, piece.triangle, bits)).or_insert_with(|| {
            pieces.push(piece);
            first + pieces.len() as u32 - 1
        });
    }
    pieces
}

/// The position on the edge from a to b of the point nearest to p, 0 to 1.
fn along(a: Vec2, b: Vec2, p: Vec2) -> Real {
    let edge = b - a;
    let s = edge.dot(&(p - a)) / edge.norm_squared();
    if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 }
}

/// Texels within reach of an edge are assigned to it unless an earlier one was nearer.
fn paint(
    grid: &Grid,
    rows: &Range<usize>,
    [a, b]: [Vec2; 2],
    number: u32,
    reach: Real,
    owner: &[u32],
    nearest: &mut [Nearest],
) {
    let top = (a.y.min(b.y) - reach - 0.5).max(rows.start as Real).ceil() as usize;
    let bottom = (a.y.max(b.y) + reach - 0.5).floor().min(rows.end as Real - 1.0);
    if bottom < top as Real {
        return;
    }
    for y in top..=bottom as usize {
        let centre = y as Real + 0.5;
        // The part of the edge within reach above and below.
        let part = |level: Real| {
            let s = (level - a.y) / (b.y - a.y);
            if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 }
        };
        let [x0, x1] = match a.y == b.y {
            true => [a.x, b.x],
            false => [centre - reach, centre + reach].map(|level| a.x + (b.x - a.x) * part(level)),
        };
        let start = (x0.min(x1) - reach - 0.5).ceil().max(0.0) as usize;
        let end = (x0.max(x1) + reach + 0.5).floor().clamp(0.0, grid.across() as Real) as usize;
        for x in start..end {
            let at = (y - rows.start) * grid.across() + x;
            if owner[at] != NONE {
                continue;
            }
            let p = Vec2::new(x as Real + 0.5, centre);
            let square = (a + (b - a) * along(a, b, p) - p).norm_squared();
            if square <= reach * reach && (square as f32) < nearest[at].0 {
                nearest[at] = (square as f32, number);
            }
        }
    }
}
