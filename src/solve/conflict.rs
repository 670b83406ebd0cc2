//! Which rows contradict each other.
//!
//! Rows G v = g have no solution exactly when some combination w of them moves nothing and yet asks for something:
//! Gᵀ w = 0, wᵀ g ≠ 0 (Fredholm's alternative). The rows with a part in w are those that fight.

use super::problem::Boxed;
use super::system::{System, largest};
use crate::error::Result;
use crate::math::Real;

/// Repetitions that separate w from the rest of a residual; each leaves at most some percent of the rest.
const ROUNDS: usize = 10;
/// Forces of w that are not balanced to this part show that the rows are only nearly dependent.
const BALANCED: Real = 1e-5;
/// Rows with less than this of the largest part in w do not take part.
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

    /// Looks for w in what the last solve left of the enforced rows, adds the rows that take part to `conflicts`, and
    /// takes w out of the multipliers, where it has no effect but would be as large as the regularisation is small.
    ///
    /// A residual r that rows can follow shrinks by ε (S + ε)⁻¹ when it is answered, S = G A⁻¹ Gᵀ; what w asks for
    /// stays. So answering it again and again leaves w.
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
        // What is left of a residual of some rows may be less than it was, but not nothing.
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

    /// Whether Gᵀ w is nothing beside its rows, both by the energy they stand for.
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
