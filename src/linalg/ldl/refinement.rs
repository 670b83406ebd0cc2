//! Iterative refinement: recovers digits lost by a regularised factor from residuals of the true matrix.
//!
//! - \[Arioli89\]: Arioli, Demmel, Duff, "Solving sparse linear systems with sparse backward error", 1989.

use super::{LdlSolver, Sign};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::ops::Range;

/// Unknowns below this fraction of the largest one are not expected to have correct digits of their own: small enough
/// to hold small unknowns to their own size, large enough to stay above round-off times the usual condition number.
const QUIET: Real = 1e-3;
/// A correction below this fraction of the largest unknown leaves all magnitudes as they are, within a tenth of
/// [`QUIET`].
const SLIGHT: Real = 0.1 * QUIET;
/// Refinement that leaves more than this fraction of the error is slow, and its step is lengthened.
const SLOW: Real = 0.1;
/// The most that steps are lengthened: beyond it their change is round-off.
const LONGEST: Real = 1e6;
/// Refinement that leaves more than this fraction of the error has stalled; after this many such rounds it stops.
const STALLED: (Real, usize) = (0.7, 3);

/// When a solution is accurate enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The largest residual of a row, relative to the sum of its absolute terms.
    pub target: Real,
    /// The maximum number of corrections.
    pub rounds: usize,
    /// Typical magnitudes of the unknowns in the positive and negative parts. Where a solution is nearly zero, its
    /// round-off is measured against this; zero if unknown.
    pub sizes: [Real; 2],
}

/// The result of refinement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refined {
    /// Corrections that were kept.
    pub rounds: usize,
    /// The largest residual of a row, relative to the sum of its absolute terms.
    pub error: Real,
}

/// Reused memory of refinement, by unknowns.
pub(super) struct Refinement {
    rhs: Vec<Real>,
    residual: Vec<Real>,
    older: Vec<Real>,
    step: Vec<Real>,
    kept: Vec<Real>,
    /// The part to which each unknown belongs, 0 for positive and 1 for negative, and the typical magnitudes of the
    /// unknowns of both.
    parts: Vec<u8>,
    usual: [Real; 2],
    /// The magnitudes of the unknowns, and the sum of each row's absolute terms.
    sizes: Vec<Real>,
    scales: Vec<Real>,
}

impl LdlSolver {
    /// Solves in place and refines the solution against the matrix with these values, which has the analysed pattern
    /// and may differ slightly from the factored one (by regularisation or replaced pivots), until it is accurate
    /// enough or corrections no longer help.
    ///
    /// A singular matrix is fine if the right-hand side is consistent; otherwise the residual stays and shows where it
    /// is not.
    pub fn solve_refined(&mut self, numbers: &[Real], x: &mut [Real], accuracy: Accuracy) -> Result<Refined> {
        if numbers.len() != self.given_columns.len() {
            let text = format!("{} numbers for a matrix of {}", numbers.len(), self.given_columns.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        self.check_rhs(x)?;
        self.refinement.rhs.copy_from_slice(x);
        self.refinement.usual = accuracy.sizes;
        self.substitute(x);
        let mut refined = Refined { rounds: 0, error: self.weigh(numbers, x) };
        let mut stalls = 0;
        while refined.error > accuracy.target && refined.rounds < accuracy.rounds && stalls < STALLED.1 {
            let before = refined.error;
            let error = self.correct(numbers, x, before);
            stalls = if error > STALLED.0 * before { stalls + 1 } else { 0 };
            if error > 1.1 * before {
                x.copy_from_slice(&self.refinement.kept);
                refined.error = self.weigh(numbers, x);
                break;
            }
            refined = Refined { rounds: refined.rounds + 1, error };
        }
        Ok(refined)
    }

    /// The residual of the last refined solution: right-hand side minus matrix times solution.
    pub fn residual(&self) -> &[Real] {
        &self.refinement.residual
    }

    /// One correction x += s, s = K̃⁻¹ r. Where the factor is far off in a few directions, s is too short by the same
    /// factor each round, so a slow step is lengthened to minimise the residual along it: x += β s with
    /// β = <r, q> / <q, q>, where q = K s is the change of the residual.
    fn correct(&mut self, numbers: &[Real], x: &mut [Real], before: Real) -> Real {
        let mut step = std::mem::take(&mut self.refinement.step);
        self.refinement.kept.copy_from_slice(x);
        self.refinement.older.copy_from_slice(&self.refinement.residual);
        step.copy_from_slice(&self.refinement.residual);
        self.substitute(&mut step);
        add_scaled(x, 1.0, &step);
        let mut error = self.measure(numbers, x);
        // Scaled by the row sums before the step: a step that increases them is no better for it.
        if error > SLOW * before && error < before {
            let longer = self.refinement.longer();
            add_scaled(x, longer, &step);
            let lengthened = self.measure(numbers, x);
            if lengthened < error {
                error = lengthened;
            } else {
                add_scaled(x, -longer, &step);
                error = self.measure(numbers, x);
            }
        }
        if self.moved(x) {
            error = self.weigh(numbers, x);
        }
        self.refinement.step = step;
        error
    }

    /// The largest unknowns of the positive and negative parts.
    fn largest(&self, x: &[Real]) -> [Real; 2] {
        let mut largest: [Real; 2] = [0.0; 2];
        for (x, &part) in x.iter().zip(&self.refinement.parts) {
            let of_part = &mut largest[usize::from(part)];
            *of_part = x.abs().max(*of_part);
        }
        largest
    }

    /// Whether a correction changed the row sums by more than a little.
    fn moved(&self, x: &[Real]) -> bool {
        let (all, Refinement { kept, usual, parts, .. }) = (self.largest(x), &self.refinement);
        let limits = [0, 1].map(|k| SLIGHT * all[k].max(usual[k]));
        let mut changes = x.iter().zip(kept).zip(parts);
        changes.any(|((x, kept), &part)| (x - kept).abs() > limits[usize::from(part)])
    }

    /// The sum of each row's absolute terms, (|K| |x| + |b|)_i \[Arioli89\], with magnitudes of unknowns clamped to at
    /// least [`QUIET`] of the largest one of their sign; then as [`LdlSolver::measure`], in the same pass over the
    /// matrix.
    fn weigh(&mut self, numbers: &[Real], x: &[Real]) -> Real {
        let largest = self.largest(x);
        let Refinement { rhs, residual, sizes, scales, usual, parts, .. } = &mut self.refinement;
        let least = [0, 1].map(|part| QUIET * largest[part].max(usual[part]));
        for ((size, x), &part) in sizes.iter_mut().zip(x).zip(&*parts) {
            *size = x.abs() + least[usize::from(part)];
        }
        residual.copy_from_slice(rhs);
        scales.iter_mut().zip(rhs).for_each(|(scale, b)| *scale = b.abs());
        // Slices of one length: a vector's place in memory would be looked up again after every number stored.
        let n = x.len();
        let (sizes, scales, residual) = (&sizes[..n], &mut scales[..n], &mut residual[..n]);
        for i in 0..n {
            let (left, diagonal) = self.triangle.row(i);
            let on = numbers.get(diagonal).copied().unwrap_or(0.0);
            let (mut sum, mut product) = (on.abs() * sizes[i], on * x[i]);
            for (&j, &value) in self.given_columns[left.clone()].iter().zip(&numbers[left]) {
                sum += value.abs() * sizes[j];
                product += value * x[j];
                scales[j] += value.abs() * sizes[i];
                residual[j] -= value * x[i];
            }
            scales[i] += sum;
            residual[i] -= product;
        }
        self.refinement.error()
    }

    /// The residual of `x` by rows, and the largest relative to the row's absolute terms \[Arioli89\].
    fn measure(&mut self, numbers: &[Real], x: &[Real]) -> Real {
        let Refinement { rhs, residual, .. } = &mut self.refinement;
        let n = x.len();
        let residual = &mut residual[..n];
        residual.copy_from_slice(rhs);
        for i in 0..n {
            let (left, diagonal) = self.triangle.row(i);
            let mut sum = numbers.get(diagonal).map_or(0.0, |value| value * x[i]);
            for (&j, &value) in self.given_columns[left.clone()].iter().zip(&numbers[left]) {
                sum += value * x[j];
                residual[j] -= value * x[i];
            }
            residual[i] -= sum;
        }
        self.refinement.error()
    }
}

/// The position of the lower triangle's entries in a matrix stored by rows.
pub(super) struct Triangle {
    /// The first entry of each row, and its first entry that is not left of the diagonal.
    left: Vec<(u32, u32)>,
    /// The entry on the diagonal; past the end if there is none.
    diagonal: Vec<u32>,
}

impl Triangle {
    pub fn new(starts: &[usize], columns: &[usize]) -> Self {
        let rows = || starts.windows(2).map(|ends| &columns[ends[0]..ends[1]]).enumerate();
        let left = |i: usize, row: &[usize]| starts[i] + row.partition_point(|&j| j < i);
        let on = |i: usize, row: &[usize]| match row.binary_search(&i) {
            Ok(at) => (starts[i] + at) as u32,
            Err(_) => u32::MAX,
        };
        Triangle {
            left: rows().map(|(i, row)| (starts[i] as u32, left(i, row) as u32)).collect(),
            diagonal: rows().map(|(i, row)| on(i, row)).collect(),
        }
    }

    /// The entries left of the diagonal, and the one on it.
    fn row(&self, i: usize) -> (Range<usize>, usize) {
        let (start, end) = self.left[i];
        (start as usize..end as usize, self.diagonal[i] as usize)
    }
}

impl Refinement {
    pub fn new(signs: &[Sign]) -> Self {
        let numbers = || vec![0.0; signs.len()];
        Refinement {
            rhs: numbers(),
            residual: numbers(),
            older: numbers(),
            step: numbers(),
            kept: numbers(),
            parts: signs.iter().map(|sign| u8::from(*sign == Sign::Negative)).collect(),
            usual: [0.0; 2],
            sizes: numbers(),
            scales: numbers(),
        }
    }

    /// The largest residual of a row relative to its absolute terms.
    fn error(&self) -> Real {
        let parts = self.residual.iter().zip(&self.scales).filter(|(r, _)| **r != 0.0);
        parts
            .map(|(r, scale)| r.abs() / scale)
            .fold(0.0, |worst, part| if part.is_nan() { Real::INFINITY } else { part.max(worst) })
    }

    /// The factor by which the last step should have been longer to minimise the residual, rows weighted by their
    /// scales.
    fn longer(&self) -> Real {
        let (mut along, mut square) = (0.0, 0.0);
        for ((r, older), scale) in self.residual.iter().zip(&self.older).zip(&self.scales) {
            if *scale > 0.0 {
                let (r, change) = (r / scale, (older - r) / scale);
                along += r * change;
                square += change * change;
            }
        }
        // The change is zero or round-off: no length of this step helps.
        if along > 0.0 && along < LONGEST * square { along / square } else { 0.0 }
    }
}

fn add_scaled(x: &mut [Real], factor: Real, step: &[Real]) {
    x.iter_mut().zip(step).for_each(|(x, step)| *x += factor * step);
}
