//! Detection of rows that contradict each other.
//!
//! Rows G v = g have no solution exactly when some combination w of them has no effect but a nonzero goal:
//! Gᵀ w = 0, wᵀ g ≠ 0 (Fredholm's alternative). The rows with a part in w are those in conflict.

use super::problem::Boxed;
use super::system::{System, largest};
use sinew_base::error::Result;
use sinew_math::Real;

/// Repetitions that separate w from the rest of a residual; each leaves at most a few percent of the rest.
const ROUNDS: usize = 10;
/// Unbalanced forces of w above this fraction show that the rows are only nearly dependent.
const BALANCED: Real = 1e-5;
/// Rows with less than this fraction of the largest entry of w are not involved.
const SMALLEST_PART: Real = 1e-4;

/// Reused memory, by rows and by velocities.
pub(super) struct Certificate {
    residual: Vec<Real>,
    w: Vec<Real>,
    forces: Vec<Real>,
}

impl Certificate {
    pub fn new(velocities: usize, rows: usize) -> Self {
        Certificate { residual: vec![0.0; rows], w: vec![0.0; rows], forces: vec![0.0; velocities] }
    }

    /// Looks for w in the residual of the enforced rows after the last solve, adds the rows involved to `conflicts`,
    /// and removes w from the multipliers, where it has no effect but would be large, inversely to the regularisation.
    ///
    /// A residual r that the rows can meet shrinks by ε (S + ε)⁻¹ per correction, S = G A⁻¹ Gᵀ; the part along w does
    /// not. So repeated corrections leave w.
    pub fn find(
        &mut self,
        system: &mut System,
        problem: &Boxed,
        multipliers: &mut [Real],
        conflicts: &mut Vec<usize>,
    ) -> Result<()> {
        self.residual.copy_from_slice(system.row_residual());
        let before = largest(&self.residual);
        for _ in 0..ROUNDS {
            system.answer_residual(&mut self.residual, &mut self.w)?;
        }
        // A residual of some rows may shrink, but must not vanish.
        if largest(&self.residual) < SMALLEST_PART * before || !self.is_balanced(system, problem) {
            return Ok(());
        }
        let part = |i: usize| self.w[i].abs() * system.mobility()[i].sqrt();
        let rows = (0..self.w.len()).filter(|&i| system.enforced()[i]);
        let limit = SMALLEST_PART * rows.clone().map(part).fold(0.0, Real::max);
        conflicts.extend(rows.clone().filter(|&i| part(i) > limit));
        let weighted = |i: usize, with: Real| system.row_shifts()[i] * self.w[i] * with;
        let along: Real = rows.clone().map(|i| weighted(i, multipliers[i])).sum();
        let square: Real = rows.clone().map(|i| weighted(i, self.w[i])).sum();
        rows.for_each(|i| multipliers[i] -= along / square * self.w[i]);
        Ok(())
    }

    /// Whether Gᵀ w is zero compared with its rows, both measured by energy.
    fn is_balanced(&mut self, system: &System, problem: &Boxed) -> bool {
        self.forces.fill(0.0);
        let mut size: Real = 0.0;
        for (i, &w) in self.w.iter().enumerate().filter(|(i, _)| system.enforced()[*i]) {
            problem.row(i).for_each(|(j, value)| self.forces[j] += value * w);
            size = size.max(w.abs() * system.mobility()[i].sqrt());
        }
        let energies = self.forces.iter().enumerate().map(|(j, force)| force.abs() / system.mass(j).sqrt());
        size > 0.0 && energies.fold(0.0, Real::max) <= BALANCED * size
    }
}
