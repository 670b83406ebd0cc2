//! Solves sparse constraints for some of the unknowns in terms of the others: `A x = b` becomes
//! `x_pivot = e - C x_free`.
//!
//! Row by row LU factorisation with column pivoting. The pivots are chosen once and then only checked: new values of
//! the same rows are eliminated with the same pivots, without allocating, until one of them becomes too small.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sprs::CsMat;
use std::collections::BTreeSet;

/// A pivot is at least this fraction of its row's largest entry. Larger keeps the entries of `C` small, smaller leaves
/// more freedom for sparsity; it hardly matters for rows that couple the two unknowns of one vertex.
const PIVOT_THRESHOLD: Real = 0.3;
/// Below this fraction, pivots chosen for earlier values are chosen again.
const REUSE_THRESHOLD: Real = 0.03;
/// A row that cancels to this fraction of its terms depends on the rows before it: 1e-10 is far above round-off and far
/// below any meaningful constraint.
const REDUNDANT: Real = 1e-10;
/// The same for the right-hand side of such a row; looser, because right-hand sides are themselves computed.
const CONTRADICTION: Real = 1e-8;
/// Growth beyond which elimination is the wrong method: a row over all unknowns couples all of them.
const MOST_GROWTH: usize = 30;
/// Entries that are always allowed, so that small dense problems can be solved.
const SMALL: usize = 1_000_000;
/// The index for "no pivot" and "not a free unknown".
const NONE: usize = usize::MAX;

/// Rejects constraints whose elimination turns `before` entries into too many.
pub fn check_growth(after: usize, before: usize) -> Result<()> {
    if after > (MOST_GROWTH * before).max(SMALL) || after > u32::MAX as usize {
        let text = "the constraints involve too many unknowns each to be eliminated";
        return Err(Error::new(Kind::TooLarge, text));
    }
    Ok(())
}

/// One list of values per row, all in one vector.
#[derive(Default)]
struct Lists {
    starts: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<Real>,
}

impl Lists {
    fn new() -> Self {
        Lists { starts: vec![0], ..Lists::default() }
    }

    fn push(&mut self, entries: impl Iterator<Item = (usize, Real)>) {
        for (index, value) in entries {
            self.indices.push(index);
            self.values.push(value);
        }
        self.starts.push(self.indices.len());
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, Real)> + '_ {
        let range = self.range(row);
        self.indices[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }
}

/// The eliminated rows. Steps number the rows in the order of their elimination.
pub struct Elimination {
    /// The row of each step.
    rows: Vec<usize>,
    /// The pivot's unknown of each step; `NONE` for a redundant row.
    pivots: Vec<usize>,
    /// By step: the earlier steps that were subtracted, with their factors.
    lower: Lists,
    /// By step: the remainder of the row, pivot first.
    upper: Lists,
    /// By step, in terms of free unknowns (by their own numbering): `C`.
    coupling: Lists,
    /// The step that eliminates each unknown, or `NONE`.
    step_of: Vec<usize>,
    /// Each unknown's number among the free ones, or `NONE`.
    free_of: Vec<usize>,
    free: Vec<usize>,
    work: Vec<Real>,
    /// One number per step: intermediate right-hand sides.
    steps: Vec<Real>,
}

impl Elimination {
    /// Chooses the pivots for these values. `cost` is the cost of eliminating an unknown; among columns with large
    /// enough entries the one in the fewest rows is taken, then the cheapest, then the largest.
    pub fn new(matrix: &CsMat<Real>, cost: impl Fn(usize) -> usize) -> Result<Self> {
        let (m, n) = matrix.shape();
        let mut in_rows = vec![0usize; n];
        matrix.indices().iter().for_each(|&j| in_rows[j] += 1);
        let mut rows: Vec<usize> = (0..m).collect();
        let starts = matrix.indptr().into_raw_storage();
        // Short rows first: they are subtracted from long ones, not the other way around.
        rows.sort_by_key(|&i| starts[i + 1] - starts[i]);
        let mut this = Elimination {
            rows,
            pivots: Vec::with_capacity(m),
            lower: Lists::new(),
            upper: Lists::new(),
            coupling: Lists::new(),
            step_of: vec![NONE; n],
            free_of: vec![NONE; n],
            free: Vec::new(),
            work: vec![0.0; n],
            steps: vec![0.0; m],
        };
        for step in 0..m {
            this.choose(matrix, step, |j| (in_rows[j], cost(j)));
            check_growth(this.upper.indices.len(), matrix.nnz())?;
        }
        this.free = (0..n).filter(|&j| this.step_of[j] == NONE).collect();
        this.free.iter().enumerate().for_each(|(k, &j)| this.free_of[j] = k);
        this.couple(matrix.nnz())?;
        Ok(this)
    }

    /// Eliminates one row and picks its pivot.
    fn choose(&mut self, matrix: &CsMat<Real>, step: usize, cost: impl Fn(usize) -> (usize, usize)) {
        let row = self.rows[step];
        let (mut touched, mut scale) = (BTreeSet::new(), 0.0);
        for (j, &value) in matrix.outer_view(row).iter().flat_map(|r| r.iter()) {
            self.work[j] = value;
            scale = Real::max(scale, value.abs());
            touched.insert(j);
        }
        let mut pending: BTreeSet<usize> =
            touched.iter().map(|&j| self.step_of[j]).filter(|&s| s != NONE).collect();
        let mut factors = Vec::new();
        while let Some(earlier) = pending.pop_first() {
            let range = self.upper.range(earlier);
            for &j in &self.upper.indices[range] {
                touched.insert(j);
                let s = self.step_of[j];
                if s != NONE && s > earlier {
                    pending.insert(s);
                }
            }
            let (factor, largest) = self.subtract(earlier);
            scale = scale.max(largest);
            factors.push((earlier, factor));
        }
        let left: Vec<(usize, Real)> =
            touched.into_iter().filter(|&j| self.step_of[j] == NONE).map(|j| (j, self.work[j])).collect();
        left.iter().for_each(|&(j, _)| self.work[j] = 0.0);
        self.lower.push(factors.into_iter());
        let largest = left.iter().fold(0.0, |largest, (_, v)| Real::max(largest, v.abs()));
        if largest <= REDUNDANT * scale {
            self.pivots.push(NONE);
            self.upper.push(left.into_iter());
            return;
        }
        let fit = left.iter().filter(|(_, v)| v.abs() >= PIVOT_THRESHOLD * largest);
        let best = fit.min_by(|a, b| cost(a.0).cmp(&cost(b.0)).then(b.1.abs().total_cmp(&a.1.abs())));
        let pivot = *best.unwrap_or(&left[0]);
        self.pivots.push(pivot.0);
        self.step_of[pivot.0] = step;
        self.upper.push(std::iter::once(pivot).chain(left.into_iter().filter(|e| e.0 != pivot.0)));
    }

    /// Subtracts from the row in `work` the multiple of an earlier step that clears its pivot; returns the factor and
    /// the largest number subtracted.
    fn subtract(&mut self, earlier: usize) -> (Real, Real) {
        let range = self.upper.range(earlier);
        let (indices, values) = (&self.upper.indices[range.clone()], &self.upper.values[range]);
        let factor = self.work[indices[0]] / values[0];
        let mut largest = 0.0;
        for (&j, value) in indices.iter().zip(values) {
            self.work[j] -= factor * value;
            largest = Real::max(largest, (factor * value).abs());
        }
        self.work[indices[0]] = 0.0;
        (factor, largest)
    }

    /// `C` by back substitution: its pattern and its values.
    fn couple(&mut self, before: usize) -> Result<()> {
        let mut count = 0;
        let mut of_step: Vec<Vec<(usize, Real)>> = vec![Vec::new(); self.pivots.len()];
        for step in (0..self.pivots.len()).rev().filter(|&s| self.pivots[s] != NONE) {
            let mut sum: std::collections::BTreeMap<usize, Real> = std::collections::BTreeMap::new();
            for (j, value) in self.upper.row(step).skip(1) {
                match self.step_of[j] {
                    NONE => *sum.entry(self.free_of[j]).or_default() += value,
                    later => {
                        let entries = of_step[later].iter();
                        entries.for_each(|&(k, c)| *sum.entry(k).or_default() -= value * c);
                    }
                }
            }
            let pivot = self.upper.values[self.upper.starts[step]];
            of_step[step] = sum.into_iter().map(|(k, v)| (k, v / pivot)).collect();
            count += of_step[step].len();
            check_growth(count, before)?;
        }
        of_step.into_iter().for_each(|entries| self.coupling.push(entries.into_iter()));
        Ok(())
    }

    /// Eliminates new values with the same pivots; returns false if the pivots have become too small, and then the
    /// values stored here are invalid. `matrix` must have the analysed pattern.
    pub fn refresh(&mut self, matrix: &CsMat<Real>) -> bool {
        let (starts, values) = (matrix.indptr().into_raw_storage(), matrix.data());
        let columns = matrix.indices();
        let mut good = true;
        for step in 0..self.pivots.len() {
            let mut scale = 0.0;
            for k in starts[self.rows[step]]..starts[self.rows[step] + 1] {
                self.work[columns[k]] = values[k];
                scale = Real::max(scale, values[k].abs());
            }
            for k in self.lower.range(step) {
                let (factor, largest) = self.subtract(self.lower.indices[k]);
                self.lower.values[k] = factor;
                scale = scale.max(largest);
            }
            let mut largest = 0.0;
            for k in self.upper.range(step) {
                let value = std::mem::take(&mut self.work[self.upper.indices[k]]);
                self.upper.values[k] = value;
                largest = Real::max(largest, value.abs());
            }
            good &= if self.pivots[step] == NONE {
                largest <= REDUNDANT * scale
            } else {
                let pivot = self.upper.values[self.upper.starts[step]].abs();
                pivot >= REUSE_THRESHOLD * largest && largest > REDUNDANT * scale
            };
        }
        if good {
            self.refresh_coupling();
        }
        good
    }

    fn refresh_coupling(&mut self) {
        // Indexed by free unknowns, of which there are fewer than entries here; cleared as it is read.
        let work = &mut self.work;
        for step in (0..self.pivots.len()).rev().filter(|&s| self.pivots[s] != NONE) {
            for (j, value) in self.upper.row(step).skip(1) {
                match self.step_of[j] {
                    NONE => work[self.free_of[j]] += value,
                    later => self.coupling.row(later).for_each(|(k, c)| work[k] -= value * c),
                }
            }
            let pivot = self.upper.values[self.upper.starts[step]];
            for k in self.coupling.range(step) {
                self.coupling.values[k] = std::mem::take(&mut work[self.coupling.indices[k]]) / pivot;
            }
        }
    }

    /// The free unknowns, ascending.
    pub fn free(&self) -> &[usize] {
        &self.free
    }

    /// The position of an unknown's row of `C` in [`Elimination::couplings`], or its number among the free ones.
    pub fn place(&self, unknown: usize) -> std::result::Result<std::ops::Range<usize>, usize> {
        match self.step_of[unknown] {
            NONE => Err(self.free_of[unknown]),
            step => Ok(self.coupling.range(step)),
        }
    }

    /// The free unknowns and the values of all rows of `C`.
    pub fn couplings(&self) -> (&[usize], &[Real]) {
        (&self.coupling.indices, &self.coupling.values)
    }

    /// The solution of the rows with all free unknowns zero. Rejects right-hand sides that contradict each other.
    pub fn particular(&mut self, rhs: &[Real], x: &mut [Real]) -> Result<()> {
        for (step, &row) in self.rows.iter().enumerate() {
            let (mut value, mut scale) = (rhs[row], rhs[row].abs());
            for (earlier, factor) in self.lower.row(step) {
                value -= factor * self.steps[earlier];
                scale = scale.max((factor * self.steps[earlier]).abs());
            }
            if self.pivots[step] == NONE && value.abs() > CONTRADICTION * scale {
                let text = format!("constraint row {row} contradicts other rows by {value:.3e}");
                return Err(Error::new(Kind::NoConvergence, text));
            }
            self.steps[step] = value;
        }
        x.fill(0.0);
        for (step, &pivot) in self.pivots.iter().enumerate().rev().filter(|(_, p)| **p != NONE) {
            let known: Real = self.upper.row(step).skip(1).map(|(j, value)| value * x[j]).sum();
            x[pivot] = (self.steps[step] - known) / self.upper.values[self.upper.starts[step]];
        }
        Ok(())
    }

    /// The free part of a force on all unknowns: `out = Z^T force`, where `Z` is `-C` above the identity.
    pub fn restrict(&self, force: &[Real], out: &mut [Real]) {
        out.iter_mut().zip(&self.free).for_each(|(out, &j)| *out = force[j]);
        for (step, &pivot) in self.pivots.iter().enumerate().filter(|(_, p)| **p != NONE) {
            self.coupling.row(step).for_each(|(k, c)| out[k] -= c * force[pivot]);
        }
    }

    /// Adds the motion of all unknowns that results from the free ones: `x += Z free`.
    pub fn add_extended(&self, free: &[Real], x: &mut [Real]) {
        self.free.iter().zip(free).for_each(|(&j, value)| x[j] += value);
        for (step, &pivot) in self.pivots.iter().enumerate().filter(|(_, p)| **p != NONE) {
            x[pivot] -= self.coupling.row(step).map(|(k, c)| c * free[k]).sum::<Real>();
        }
    }

    /// The eliminated unknowns.
    pub fn eliminated(&self) -> impl Iterator<Item = usize> {
        self.pivots.iter().copied().filter(|&pivot| pivot != NONE)
    }

    /// The multipliers with `(A^T multipliers)_pivot = force_pivot`; zero for redundant rows.
    pub fn multipliers(&mut self, force: &[Real], out: &mut [Real]) {
        // U^T first: each step passes its share on to the later pivots in its row; then L^T backwards.
        let steps = &mut self.steps;
        for (step, &pivot) in self.pivots.iter().enumerate() {
            steps[step] = if pivot == NONE { 0.0 } else { force[pivot] };
        }
        for step in (0..self.pivots.len()).filter(|&s| self.pivots[s] != NONE) {
            steps[step] /= self.upper.values[self.upper.starts[step]];
            let share = steps[step];
            let later = self.upper.row(step).skip(1).filter(|(j, _)| self.step_of[*j] != NONE);
            later.for_each(|(j, value)| steps[self.step_of[j]] -= value * share);
        }
        for step in (0..self.pivots.len()).rev() {
            let share = steps[step];
            out[self.rows[step]] = share;
            self.lower.row(step).for_each(|(earlier, factor)| steps[earlier] -= factor * share);
        }
    }
}
