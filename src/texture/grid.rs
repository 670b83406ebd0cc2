//! The texels of a tile, and which triangle a texel shows.

use super::tile::Tile;
use sinew_math::{Mat2, Real, Vec2};

/// Not covered by a triangle.
pub(super) const NONE: u32 = u32::MAX;

/// A triangle seen from a chart: the UV there becomes `turn * uv + offset` in the triangle's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub triangle: u32,
    pub turn: Mat2,
    pub offset: Vec2,
}

impl Piece {
    pub fn of_triangle(triangle: u32) -> Self {
        Piece { triangle, turn: Mat2::identity(), offset: Vec2::zeros() }
    }

    pub fn own(&self, uv: Vec2) -> Vec2 {
        self.turn * uv + self.offset
    }
}

/// The texels of a tile and around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub tile: Tile,
    pub width: usize,
    pub height: usize,
    pub padding: usize,
    /// Texels outside the tile on each side.
    pub apron: usize,
}

impl Grid {
    pub fn across(&self) -> usize {
        self.width + 2 * self.apron
    }

    pub fn down(&self) -> usize {
        self.height + 2 * self.apron
    }

    /// The UV of a texel's centre.
    pub fn uv(&self, x: usize, y: usize) -> Vec2 {
        let (x, y) = (x as Real + 0.5 - self.apron as Real, y as Real + 0.5 - self.apron as Real);
        Vec2::new(
            Real::from(self.tile.u) + x / self.width as Real,
            Real::from(self.tile.v) + 1.0 - y / self.height as Real,
        )
    }

    /// The position of a UV, in texels from the top left.
    pub fn pixel(&self, uv: Vec2) -> Vec2 {
        let apron = Vec2::repeat(self.apron as Real);
        let (u, v) = (uv.x - Real::from(self.tile.u), uv.y - Real::from(self.tile.v));
        apron + Vec2::new(u * self.width as Real, (1.0 - v) * self.height as Real)
    }
}
