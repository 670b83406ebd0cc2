//! LDLᵀ factorisation of a symmetric quasi-definite matrix: the pattern is analysed once, values refactored per step.
//!
//! Quasi-definite: positive definite in some unknowns, negative definite in the others, in any order, as in the
//! optimality system of a regularised quadratic program. Such a matrix has a factor with a diagonal D in every
//! elimination order \[Vanderbei95\], so the order can be chosen once, for sparsity alone.
//!
//! Up-looking, entry by entry \[Davis06 ch. 4.9\]: for systems of a few thousand unknowns with very little fill, the
//! dense blocks of [`crate::spd`] cost more than they gain. Rows of the factor that are unaffected by a change
//! are kept, so that changing a few values, such as those of a row that is released, costs only what depends on them.
//!
//! - \[Davis06\]: Davis, "Direct methods for sparse linear systems", 2006.
//! - \[Vanderbei95\]: Vanderbei, "Symmetric quasidefinite matrices", 1995.
//! - \[Gill96\]: Gill, Saunders, Shinnerl, "On the stability of Cholesky factorization for symmetric quasidefinite
//!   systems", 1996.

mod pattern;
mod refinement;

use crate::order::{Order, out_of_memory, symmetric_rows};
use pattern::{PermutedRows, row_patterns, transposed};
pub use refinement::{Accuracy, Refined};
use refinement::{Refinement, Triangle};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, all_finite};
use sprs::CsMat;

/// A pivot smaller than this fraction of its terms is round-off; that is a few 1e-16 of them.
const SMALLEST_PIVOT: Real = 1e-13;
/// The replacement for such a pivot, in the same unit: the root of the round-off, so that half of the digits survive
/// the division and refinement can recover the others.
const REPLACED_PIVOT: Real = 1.5e-8;
/// The sign that the pivot of an unknown must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// An unknown of the positive definite part.
    Positive,
    /// An unknown of the negative definite part.
    Negative,
}

impl Sign {
    fn factor(self) -> Real {
        match self {
            Sign::Positive => 1.0,
            Sign::Negative => -1.0,
        }
    }
}

/// A sparse LDLᵀ factor with a fixed pattern.
///
/// Matrices are stored by rows and only the entries on and below the diagonal are read, so one triangle is enough.
/// Nothing is allocated after construction.
pub struct LdlSolver {
    order: Order,
    /// The analysed pattern, to detect a different one.
    given_starts: Vec<usize>,
    given_columns: Vec<usize>,
    triangle: Triangle,
    /// The strictly lower triangle of the permuted matrix by rows: columns, and the source of each value.
    starts: Vec<u32>,
    columns: Vec<u32>,
    sources: Vec<u32>,
    /// The source of each position's diagonal; `u32::MAX` if the pattern lacks it.
    diagonal: Vec<u32>,
    /// The sign of each position's pivot, as a factor of 1 or -1.
    signs: Vec<Real>,
    /// The columns of the entries in each row of L, ascending, and their indices in `factor`.
    reach_starts: Vec<u32>,
    reach: Vec<u32>,
    slots: Vec<u32>,
    /// L by columns without its unit diagonal, and D⁻¹.
    factor_starts: Vec<u32>,
    factor_rows: Vec<u32>,
    factor: Vec<Real>,
    inverses: Vec<Real>,
    factored: bool,
    /// The factored values: the strictly lower triangle, the diagonal, its largest absolute value.
    values: Vec<Real>,
    diagonals: Vec<Real>,
    largest: Real,
    /// Which rows of L differ from those of the previous factor, and which pivots were replaced.
    fresh: Vec<bool>,
    replaced: Vec<bool>,
    /// One row of L D.
    row: Vec<Real>,
    permuted: Vec<Real>,
    refinement: Refinement,
}

impl LdlSolver {
    /// Analyses the pattern of `matrix` in a minimum-degree order; its values are not read yet.
    pub fn new(matrix: &CsMat<Real>, signs: &[Sign]) -> Result<Self> {
        Self::with_order(matrix, signs, &Order::amd(matrix, 1)?)
    }

    /// Analyses the pattern of `matrix` in the given order; its values are not read yet.
    pub fn with_order(matrix: &CsMat<Real>, signs: &[Sign], order: &Order) -> Result<Self> {
        let (given_starts, given_columns) = symmetric_rows(matrix)?;
        let n = matrix.rows();
        if signs.len() != n {
            let text = format!("{} signs for {n} unknowns", signs.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        let order = order.postordered(matrix)?;
        let lower = PermutedRows::new(given_starts, given_columns, order.positions());
        let (reach_starts, reach) = row_patterns(&lower);
        if reach.len() >= u32::MAX as usize || given_columns.len() >= u32::MAX as usize {
            return Err(out_of_memory(n));
        }
        let (factor_starts, factor_rows, slots) = transposed(&reach_starts, &reach);
        let numbers = || vec![0.0; n];
        Ok(LdlSolver {
            signs: order.unknowns().iter().map(|&unknown| signs[unknown].factor()).collect(),
            order,
            given_starts: given_starts.to_vec(),
            given_columns: given_columns.to_vec(),
            triangle: Triangle::new(given_starts, given_columns),
            values: vec![0.0; lower.columns.len()],
            diagonals: numbers(),
            largest: 0.0,
            fresh: vec![true; n],
            replaced: vec![false; n],
            starts: lower.starts,
            columns: lower.columns,
            sources: lower.sources,
            diagonal: lower.diagonal,
            slots,
            reach_starts,
            factor: vec![0.0; reach.len()],
            reach,
            factor_starts,
            factor_rows,
            inverses: numbers(),
            factored: false,
            row: numbers(),
            permuted: numbers(),
            refinement: Refinement::new(signs),
        })
    }

    /// The number of unknowns.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The order of elimination.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The number of stored entries of the factor.
    pub fn factor_len(&self) -> usize {
        self.factor.len() + self.inverses.len()
    }

    /// Factors a matrix of the analysed pattern. After an error there is no valid factor.
    ///
    /// Returns how many pivots had the wrong sign or were round-off, and were replaced by small ones of the right sign:
    /// if there are any, the factor is that of a nearby matrix.
    ///
    /// Errors: a different pattern ([`Kind::Topology`]), a value that is not finite ([`Kind::NotFinite`]), overflow
    /// ([`Kind::NoConvergence`], naming the unknown).
    pub fn factor(&mut self, matrix: &CsMat<Real>) -> Result<usize> {
        self.check_pattern(matrix)?;
        let data = matrix.data();
        if !all_finite(data) {
            self.factored = false;
            not_finite(matrix)?;
        }
        let largest = self.diagonal.iter().filter_map(|&d| data.get(d as usize));
        let largest = largest.fold(0.0, |largest: Real, v| largest.max(v.abs()));
        let all = !self.factored || differ(largest, self.largest);
        (self.factored, self.largest) = (false, largest);
        for k in 0..self.len() {
            // A row of L depends on its row of the matrix, and on the rows of L for the columns that it reaches.
            let changed = self.take_row(k, data);
            self.fresh[k] = all || changed || self.reach_of(k).iter().any(|&i| self.fresh[i as usize]);
            if !self.fresh[k] {
                continue;
            }
            let (pivot, size) = self.eliminate(k);
            let sign = self.signs[k];
            self.replaced[k] = pivot * sign <= SMALLEST_PIVOT * size;
            let taken = if self.replaced[k] {
                let size = if size > 0.0 { size } else { largest };
                sign * REPLACED_PIVOT * if size > 0.0 { size } else { 1.0 }
            } else {
                pivot
            };
            self.inverses[k] = 1.0 / taken;
            if !(pivot.is_finite() && size.is_finite() && self.inverses[k].is_finite()) {
                let text = format!("the factor overflows at unknown {}", self.order.unknowns()[k]);
                return Err(Error::new(Kind::NoConvergence, text));
            }
        }
        self.factored = true;
        Ok(self.replaced.iter().filter(|replaced| **replaced).count())
    }

    /// The columns in which row `k` of L has entries.
    fn reach_of(&self, k: usize) -> &[u32] {
        &self.reach[self.reach_starts[k] as usize..self.reach_starts[k + 1] as usize]
    }

    /// Stores row `k` of the permuted matrix; returns whether it differs from the previous one.
    fn take_row(&mut self, k: usize, data: &[Real]) -> bool {
        let entries = self.starts[k] as usize..self.starts[k + 1] as usize;
        let diagonal = data.get(self.diagonal[k] as usize).copied().unwrap_or(0.0);
        let mut changed = differ(diagonal, self.diagonals[k]);
        self.diagonals[k] = diagonal;
        for (value, &source) in self.values[entries.clone()].iter_mut().zip(&self.sources[entries]) {
            changed |= differ(*value, data[source as usize]);
            *value = data[source as usize];
        }
        changed
    }

    /// Row `k` of L from the rows above it, and its pivot with the sum of the absolute terms \[Davis06 ch. 4.9\]:
    /// solve L_{<k} y = a_k, then l_k = D⁻¹ y and d_k = a_kk - l_kᵀ y.
    fn eliminate(&mut self, k: usize) -> (Real, Real) {
        // Slices: a vector's place in memory would be looked up again after every number stored.
        let (row, factor, factor_rows) = (&mut self.row[..], &mut self.factor[..], &self.factor_rows[..]);
        let (factor_starts, inverses) = (&self.factor_starts[..], &self.inverses[..]);
        let entries = self.starts[k] as usize..self.starts[k + 1] as usize;
        for (&column, &value) in self.columns[entries.clone()].iter().zip(&self.values[entries]) {
            row[column as usize] = value;
        }
        let mut pivot = self.diagonals[k];
        let mut size = pivot.abs();
        let reach = self.reach_starts[k] as usize..self.reach_starts[k + 1] as usize;
        for (&i, &slot) in self.reach[reach.clone()].iter().zip(&self.slots[reach]) {
            let (i, slot) = (i as usize, slot as usize);
            let y = std::mem::take(&mut row[i]);
            let l = y * inverses[i];
            factor[slot] = l;
            // Inactive rows are full of zeros.
            if y != 0.0 {
                let known = factor_starts[i] as usize..slot;
                for (&below, &value) in factor_rows[known.clone()].iter().zip(&factor[known]) {
                    row[below as usize] -= value * y;
                }
                pivot -= l * y;
                size += (l * y).abs();
            }
        }
        (pivot, size)
    }

    /// Solves in place: `x` holds the right-hand side and then the solution.
    pub fn solve(&mut self, x: &mut [Real]) -> Result<()> {
        self.check_rhs(x)?;
        self.substitute(x);
        Ok(())
    }

    /// Solves L D Lᵀ x = b in place; unknowns are in the caller's order.
    fn substitute(&mut self, x: &mut [Real]) {
        let permuted = &mut self.permuted[..];
        permuted.iter_mut().zip(self.order.unknowns()).for_each(|(to, &unknown)| *to = x[unknown]);
        let column = |k: usize| {
            let entries = self.factor_starts[k] as usize..self.factor_starts[k + 1] as usize;
            self.factor_rows[entries.clone()].iter().zip(&self.factor[entries])
        };
        for k in 0..permuted.len() {
            let value = permuted[k];
            if value != 0.0 {
                column(k).for_each(|(&row, l)| permuted[row as usize] -= l * value);
            }
        }
        for k in (0..permuted.len()).rev() {
            let entries = self.factor_starts[k] as usize..self.factor_starts[k + 1] as usize;
            let sum = product(&self.factor[entries.clone()], &self.factor_rows[entries], permuted);
            permuted[k] = permuted[k] * self.inverses[k] - sum;
        }
        permuted.iter().zip(self.order.unknowns()).for_each(|(&value, &unknown)| x[unknown] = value);
    }

    fn check_pattern(&self, matrix: &CsMat<Real>) -> Result<()> {
        let (starts, columns) = symmetric_rows(matrix)?;
        if starts != self.given_starts || columns != self.given_columns {
            return Err(Error::new(
                Kind::Topology,
                "the pattern of the matrix differs from the analysed one",
            ));
        }
        Ok(())
    }

    fn check_rhs(&self, x: &[Real]) -> Result<()> {
        if !self.factored {
            return Err(Error::new(Kind::MissingInput, "there is no factor to solve with"));
        }
        if x.len() != self.len() {
            let text = format!("{} numbers for {} unknowns", x.len(), self.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        if let Some(k) = x.iter().position(|v| !v.is_finite()) {
            let text = format!("the right-hand side is not finite at unknown {k}");
            return Err(Error::new(Kind::NotFinite, text));
        }
        Ok(())
    }
}

/// The product of a sparse vector with a dense one. Four partial sums avoid waiting for each other.
fn product(values: &[Real], places: &[u32], full: &[Real]) -> Real {
    let (fours, rest) = values.as_chunks::<4>();
    let (four_places, rest_places) = places.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (values, places) in fours.iter().zip(four_places) {
        (0..4).for_each(|k| sums[k] += values[k] * full[places[k] as usize]);
    }
    let rest: Real = rest.iter().zip(rest_places).map(|(value, &place)| value * full[place as usize]).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Whether two numbers differ in any bit.
fn differ(a: Real, b: Real) -> bool {
    a.to_bits() != b.to_bits()
}

/// Rejects a matrix with a value that is not finite in the part that is read.
fn not_finite(matrix: &CsMat<Real>) -> Result<()> {
    match matrix.iter().find(|(v, (row, column))| column <= row && !v.is_finite()) {
        Some((_, (row, column))) => {
            let text = format!("the matrix is not finite at row {row}, column {column}");
            Err(Error::new(Kind::NotFinite, text))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
