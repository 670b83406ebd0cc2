//! Iterative refinement: digits that a regularised factor lost are found again from residuals of the true matrix.
//!
//! - \[Arioli89\]: Arioli, Demmel, Duff, "Solving sparse linear systems with sparse backward error", 1989.

use super::LdlSolver;
use crate::error::Result;
use crate::math::Real;
use sprs::CsMat;

/// The part of the largest unknown below which an unknown is not expected to have correct digits of its own: small
/// enough to hold small unknowns to their own size, large enough to stay above round-off times the usual condition.
const QUIET: Real = 1e-3;
/// Refinement that leaves more than this of the error is slow, and its step is lengthened.
const SLOW: Real = 0.1;
/// Refinement that leaves more than this of the error has stalled; after this many such rounds it stops.
const STALLED: (Real, usize) = (0.7, 3);

/// When a solution is good enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The largest residual of a row, relative to the numbers that the row sums.
    pub target: Real,
    /// The most corrections.
    pub rounds: usize,
    /// How large unknowns of the positive and of the negative part usually are. Where a solution is nearly zero, its
    /// round-off is measured by this; zero when nothing is known.
    pub sizes: [Real; 2],
}

/// How far refinement came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refined {
    /// Corrections that were kept.
    pub rounds: usize,
    /// The largest residual of a row, relative to the numbers that the row sums.
    pub error: Real,
}

/// Reused memory of refinement, by unknowns.
pub(super) struct Refinement {
    rhs: Vec<Real>,
    residual: Vec<Real>,
    older: Vec<Real>,
    step: Vec<Real>,
    kept: Vec<Real>,
    /// How large unknowns of both signs usually are.
    usual: [Real; 2],
    /// The sizes of the unknowns, and of what each row sums.
    sizes: Vec<Real>,
    scales: Vec<Real>,
}

impl LdlSolver {
    /// Solves in place and corrects the solution against `matrix`, which may differ a little from the one that was
    /// factored (by a regularisation, by replaced pivots), until it is accurate enough or corrections stop
    /// helping.
    ///
    /// A singular matrix is fine when the right-hand side suits it; else the residual stays and tells where.
    pub fn solve_refined(
        &mut self,
        matrix: &CsMat<Real>,
        x: &mut [Real],
        accuracy: Accuracy,
    ) -> Result<Refined> {
        self.check_pattern(matrix)?;
        self.check_rhs(x)?;
        self.refinement.rhs.copy_from_slice(x);
        self.refinement.usual = accuracy.sizes;
        self.substitute(x);
        let mut refined = Refined { rounds: 0, error: self.measure(matrix, x) };
        let mut stalls = 0;
        while refined.error > accuracy.target && refined.rounds < accuracy.rounds && stalls < STALLED.1 {
            let before = refined.error;
            let error = self.correct(matrix, x, before);
            stalls = if error > STALLED.0 * before { stalls + 1 } else { 0 };
            if error > 1.1 * before {
                x.copy_from_slice(&self.refinement.kept);
                refined.error = self.measure(matrix, x);
                break;
            }
            refined = Refined { rounds: refined.rounds + 1, error };
        }
        Ok(refined)
    }

    /// What the last refined solution left of each row: right-hand side minus matrix times solution.
    pub fn residual(&self) -> &[Real] {
        &self.refinement.residual
    }

    /// One correction x += s, s = K̃⁻¹ r. Where the factor is far off in few directions it is too short by the same
    /// part each round, so a slow step is lengthened to the least residual along it: x += β s with
    /// β = <r, q> / <q, q>, q = K s, which is the change of the residual.
    fn correct(&mut self, matrix: &CsMat<Real>, x: &mut [Real], before: Real) -> Real {
        let mut step = std::mem::take(&mut self.refinement.step);
        self.refinement.kept.copy_from_slice(x);
        self.refinement.older.copy_from_slice(&self.refinement.residual);
        step.copy_from_slice(&self.refinement.residual);
        self.substitute(&mut step);
        add_scaled(x, 1.0, &step);
        let mut error = self.measure(matrix, x);
        if error > SLOW * before && error < before {
            let longer = self.refinement.longer();
            add_scaled(x, longer, &step);
            let lengthened = self.measure(matrix, x);
            if lengthened < error {
                error = lengthened;
            } else {
                add_scaled(x, -longer, &step);
                error = self.measure(matrix, x);
            }
        }
        self.refinement.step = step;
        error
    }

    /// The residual of `x` by rows, and the largest part of it \[Arioli89\]: |r|_i / (|K| |x| + |b|)_i, with sizes of
    /// unknowns not below [`QUIET`] of the largest one of their sign.
    fn measure(&mut self, matrix: &CsMat<Real>, x: &[Real]) -> Real {
        let Refinement { rhs, residual, sizes, scales, usual, .. } = &mut self.refinement;
        let mut largest = *usual;
        let part = |sign: Real| usize::from(sign < 0.0);
        for (&unknown, &sign) in self.order.unknowns().iter().zip(&self.signs) {
            largest[part(sign)] = x[unknown].abs().max(largest[part(sign)]);
        }
        for (&unknown, &sign) in self.order.unknowns().iter().zip(&self.signs) {
            sizes[unknown] = x[unknown].abs() + QUIET * largest[part(sign)];
        }
        residual.copy_from_slice(rhs);
        scales.iter_mut().zip(rhs).for_each(|(scale, b)| *scale = b.abs());
        let (starts, columns, data) = (&self.given_starts, &self.given_columns, matrix.data());
        for i in 0..x.len() {
            let row = starts[i]..starts[i + 1];
            for (&j, &value) in columns[row.clone()].iter().zip(&data[row]).take_while(|(j, _)| **j <= i) {
                residual[i] -= value * x[j];
                scales[i] += value.abs() * sizes[j];
                if j != i {
                    residual[j] -= value * x[i];
                    scales[j] += value.abs() * sizes[i];
                }
            }
        }
        let parts = residual.iter().zip(scales.iter()).filter(|(r, _)| **r != 0.0);
        parts
            .map(|(r, scale)| r.abs() / scale)
            .fold(0.0, |worst, part| if part.is_nan() { Real::INFINITY } else { part.max(worst) })
    }
}

impl Refinement {
    pub fn new(n: usize) -> Self {
        let numbers = || vec![0.0; n];
        Refinement {
            rhs: numbers(),
            residual: numbers(),
            older: numbers(),
            step: numbers(),
            kept: numbers(),
            usual: [0.0; 2],
            sizes: numbers(),
            scales: numbers(),
        }
    }

    /// How much longer the last step should have been for the least residual, rows weighted by their scales.
    fn longer(&self) -> Real {
        let (mut along, mut square) = (0.0, 0.0);
        for ((r, older), scale) in self.residual.iter().zip(&self.older).zip(&self.scales) {
            if *scale > 0.0 {
                let (r, change) = (r / scale, (older - r) / scale);
                along += r * change;
                square += change * change;
            }
        }
        // Nothing changed: no length of this step helps.
        if square > 0.0 { (along / square).max(0.0) } else { 0.0 }
    }
}

fn add_scaled(x: &mut [Real], factor: Real, step: &[Real]) {
    x.iter_mut().zip(step).for_each(|(x, step)| *x += factor * step);
}
