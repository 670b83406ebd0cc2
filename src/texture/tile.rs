//! UDIM tiles.

use sinew_base::error::{Error, Kind, Result};
use std::fmt;

/// Tiles in a row.
const ACROSS: u32 = 10;
/// The number of the first tile; the last one with four digits is 9999.
const FIRST: u32 = 1001;
const LAST: u32 = 9999;

/// A square of the UVs: u in `u..u + 1`, v in `v..v + 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    /// Its row: the integer part of v.
    pub v: u32,
    /// Its column: the integer part of u, 0 to 9.
    pub u: u32,
}

impl Tile {
    /// Tiles in a row.
    pub(super) const COLUMNS: u32 = ACROSS;
    /// Rows of tiles.
    pub(super) const ROWS: u32 = (LAST - FIRST) / ACROSS + 1;

    /// The UDIM number.
    pub fn number(self) -> u32 {
        FIRST + self.u + ACROSS * self.v
    }

    /// The tile of a UDIM number.
    pub fn from_number(number: u32) -> Result<Self> {
        if !(FIRST..=LAST).contains(&number) {
            let message = format!("the tile {number}; UDIM tiles are {FIRST} to {LAST}");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        Ok(Tile { u: (number - FIRST) % ACROSS, v: (number - FIRST) / ACROSS })
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}
