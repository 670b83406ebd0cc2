//! Cholesky elimination of some columns of a dense symmetric matrix, and the Schur complement of the others.
//!
//! Sums run over a tile of [`COLUMNS`] columns and some rows at a time, which stay in registers (Goto, van de Geijn,
//! "Anatomy of high-performance matrix multiplication", 2008). The last tile of a column reads past its end; the
//! results from there are discarded.

use super::number::Number;

/// Columns of a tile.
const COLUMNS: usize = 4;
/// Rows of the last tiles of a column; the others have those of [`Tiled`].
const FEW_ROWS: usize = 4;
/// Columns that are eliminated before the rest of the matrix is updated: this many fit in the caches.
const DEPTH: usize = 128;
/// Numbers that must follow those of a matrix in memory: as many as the highest tile of any [`Tiled`] has rows.
pub(super) const SLACK: usize = 16;

/// A symmetric matrix, stored by columns; only the part on and below the diagonal is used.
pub(super) struct Front<'a, T> {
    /// The columns to eliminate, each from the first row on, and [`SLACK`] extra numbers.
    pub panel: &'a mut [T],
    pub width: usize,
    pub height: usize,
    /// The minimum pivot of each column; then 1 / the diagonal of its factor.
    pub inverses: &'a mut [T],
    /// The Schur complement of the rest, initially zero: its rows padded to [`padded`] ones.
    pub update: &'a mut [T],
}

/// Numbers, and how many rows of them make a tile that fills the registers.
pub(super) trait Tiled: Number {
    /// [`Front::eliminate`] in tiles of that size.
    fn eliminate(front: &mut Front<Self>) -> Result<(), usize>;
}

impl Tiled for f64 {
    #[inline(always)]
    fn eliminate(front: &mut Front<f64>) -> Result<(), usize> {
        front.eliminate::<8>()
    }
}

impl Tiled for f32 {
    #[inline(always)]
    fn eliminate(front: &mut Front<f32>) -> Result<(), usize> {
        front.eliminate::<16>()
    }
}

/// The stride between columns of an update.
pub(super) fn padded(rows: usize) -> usize {
    rows.next_multiple_of(FEW_ROWS)
}

impl<T: Number> Front<'_, T> {
    /// Eliminates, in tiles of that many rows; the error is the column whose pivot is too small or NaN.
    #[inline(always)]
    pub fn eliminate<const ROWS: usize>(&mut self) -> Result<(), usize> {
        let mut from = 0;
        while from < self.width {
            let to = self.width.min(from + DEPTH);
            let mut j = from;
            while j + COLUMNS <= to {
                self.eliminate_some::<ROWS, COLUMNS>(from, j)?;
                j += COLUMNS;
            }
            match to - j {
                0 => {}
                1 => self.eliminate_some::<ROWS, 1>(from, j)?,
                2 => self.eliminate_some::<ROWS, 2>(from, j)?,
                _ => self.eliminate_some::<ROWS, 3>(from, j)?,
            }
            self.subtract_from_panel::<ROWS>(from, to);
            self.subtract_from_update::<ROWS>(from, to);
            from = to;
        }
        Ok(())
    }

    /// `N` columns from the j-th on, updated by those from `from` on.
    #[inline(always)]
    fn eliminate_some<const ROWS: usize, const N: usize>(
        &mut self,
        from: usize,
        j: usize,
    ) -> Result<(), usize> {
        let (height, taken) = (self.height, self.products::<N, N>(from..j, j, j));
        let mut own = [[T::ZERO; N]; N];
        for c in 0..N {
            for r in c..N {
                own[c][r] = self.panel[(j + c) * height + j + r] - taken[c][r];
            }
        }
        let mut inverses = [T::ZERO; N];
        for c in 0..N {
            for b in 0..c {
                for r in c..N {
                    own[c][r] -= own[b][r] * own[b][c];
                }
            }
            // Written so that NaN fails as well; infinity results from an infinite entry.
            let pivot = own[c][c];
            let serves = pivot > self.inverses[j + c] && pivot < T::INFINITY;
            if !serves {
                return Err(j + c);
            }
            own[c][c] = pivot.sqrt();
            inverses[c] = T::ONE / own[c][c];
            own[c][c + 1..].iter_mut().for_each(|below| *below *= inverses[c]);
        }
        for c in 0..N {
            self.panel[(j + c) * height + j + c..][..N - c].copy_from_slice(&own[c][c..]);
        }
        self.inverses[j..j + N].copy_from_slice(&inverses);
        let mut row = j + N;
        while row + ROWS <= height {
            self.rows_below::<ROWS, N>(from, j, row, ROWS, &own, &inverses);
            row += ROWS;
        }
        while row < height {
            self.rows_below::<FEW_ROWS, N>(from, j, row, FEW_ROWS.min(height - row), &own, &inverses);
            row += FEW_ROWS;
        }
        Ok(())
    }

    /// The first `count` of `R` rows of those columns.
    #[inline(always)]
    fn rows_below<const R: usize, const N: usize>(
        &mut self,
        from: usize,
        j: usize,
        row: usize,
        count: usize,
        own: &[[T; N]; N],
        inverses: &[T; N],
    ) {
        let mut found = self.products::<R, N>(from..j, row, j);
        let at = |c: usize| (j + c) * self.height + row;
        for (c, found) in found.iter_mut().enumerate() {
            let given = &self.panel[at(c)..at(c) + R];
            for r in 0..R {
                found[r] = given[r] - found[r];
            }
        }
        for c in 0..N {
            for b in 0..c {
                let before = found[b];
                found[c].iter_mut().zip(before).for_each(|(value, before)| *value -= before * own[b][c]);
            }
            found[c] = found[c].map(|value| value * inverses[c]);
        }
        for (c, found) in found.iter().enumerate() {
            let at = at(c);
            if count == R {
                self.panel[at..at + R].copy_from_slice(found);
            } else {
                self.panel[at..at + count].copy_from_slice(&found[..count]);
            }
        }
    }

    /// Subtracts the products of some columns from those still to be eliminated.
    #[inline(always)]
    fn subtract_from_panel<const ROWS: usize>(&mut self, from: usize, to: usize) {
        for j in (to..self.width).step_by(COLUMNS) {
            let mut row = j;
            while row < self.height {
                let taken = self.products::<ROWS, COLUMNS>(from..to, row, j);
                for c in 0..COLUMNS.min(self.width - j) {
                    let column = &mut self.panel[(j + c) * self.height..(j + c + 1) * self.height];
                    let rest = column[row..].iter_mut().zip(&taken[c]);
                    rest.for_each(|(value, taken)| *value -= *taken);
                }
                row += ROWS;
            }
        }
    }

    /// And from the remaining ones.
    #[inline(always)]
    fn subtract_from_update<const ROWS: usize>(&mut self, from: usize, to: usize) {
        let rest = self.height - self.width;
        for j in (0..rest).step_by(COLUMNS) {
            let mut row = j;
            while row + ROWS <= rest {
                self.subtract_tile::<ROWS>(from, to, row, j);
                row += ROWS;
            }
            while row < rest {
                self.subtract_tile::<FEW_ROWS>(from, to, row, j);
                row += FEW_ROWS;
            }
        }
    }

    #[inline(always)]
    fn subtract_tile<const R: usize>(&mut self, from: usize, to: usize, row: usize, j: usize) {
        let taken = self.products::<R, COLUMNS>(from..to, self.width + row, self.width + j);
        let rest = self.height - self.width;
        for (c, taken) in taken.iter().enumerate().take(rest - j) {
            let at = (j + c) * padded(rest) + row;
            let tile = &mut self.update[at..at + R];
            if from == 0 {
                for r in 0..R {
                    tile[r] = -taken[r];
                }
            } else {
                for r in 0..R {
                    tile[r] -= taken[r];
                }
            }
        }
    }

    /// The products of `R` rows of the panel with `N` others, over some of its columns.
    #[inline(always)]
    fn products<const R: usize, const N: usize>(
        &self,
        along: std::ops::Range<usize>,
        row: usize,
        other: usize,
    ) -> [[T; R]; N] {
        let mut sums = [[T::ZERO; R]; N];
        for k in along {
            let (a, b) = (k * self.height + row, k * self.height + other);
            let (a, b) = (&self.panel[a..a + R], &self.panel[b..b + N]);
            for c in 0..N {
                for r in 0..R {
                    sums[c][r] += a[r] * b[c];
                }
            }
        }
        sums
    }
}
