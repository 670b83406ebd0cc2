//! Velocities under linear constraints with bounded multipliers: the quadratic program of constrained dynamics.
//!
//! It is the minimum of 1/2 vᵀ A v - bᵀ v plus, for each row, the maximum of l (g - G v) over the multipliers l between
//! the bounds: with the bounds 0 and ∞ that is the condition G v >= g, with ∓∞ it is G v = g.
//!
//! Uncoupled parts are solved separately: the fingers of a hand that nothing couples do not search each other's active
//! sets, and a part in which nothing has changed since the last solve keeps its answer.

use super::parts::{Group, split};
pub use super::pivoting::RowState;
pub use super::problem::{Boxed, Solved};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sprs::CsMat;

/// Solves programs of one pattern: analysed once, with the active set kept by the caller. A solve without conflicts
/// allocates nothing, except once when a factor first loses too many digits.
pub struct BoxedSolver {
    /// The analysed patterns.
    matrix_pattern: CsMat<Real>,
    rows_pattern: CsMat<Real>,
    parts: Vec<Group>,
    conflicts: Vec<usize>,
}

impl BoxedSolver {
    /// Analyses the patterns of A and G; their values are not read yet.
    pub fn new(matrix: &CsMat<Real>, rows: &CsMat<Real>) -> Result<Self> {
        BoxedSolver::with_seldom(matrix, rows, &vec![false; rows.rows()])
    }

    /// The same, where some rows are rarely active: their lower bound is 0, and their multiplier is usually at it. They
    /// join the system lazily: systems are smaller without them, but solves in which one of them is active cost more.
    pub fn with_seldom(matrix: &CsMat<Real>, rows: &CsMat<Real>, seldom: &[bool]) -> Result<Self> {
        if !(matrix.is_csr() && rows.is_csr() && matrix.cols() == matrix.rows()) {
            let text = "a square matrix and rows, both stored by rows, are needed";
            return Err(Error::new(Kind::InvalidArgument, text));
        }
        if rows.cols() != matrix.rows() {
            let text = format!("rows of {} unknowns for a matrix of {}", rows.cols(), matrix.rows());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        if seldom.len() != rows.rows() {
            let text = format!("{} marks for {} rows", seldom.len(), rows.rows());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        Ok(BoxedSolver {
            parts: split(matrix, rows, seldom)?,
            matrix_pattern: matrix.clone(),
            rows_pattern: rows.clone(),
            conflicts: Vec::new(),
        })
    }

    /// Solves a program of the analysed patterns. `states` is the initial guess and then the answer: when it is kept
    /// between steps, most of them cost one factorisation, and none if matrix, rows and compliance are those of the
    /// last one. After `budget` factorisations (at least one), the best states so far are used, for one more, and the
    /// result reports no convergence.
    ///
    /// Enforced rows that contradict each other are reported by [`BoxedSolver::conflicts`]; velocities are then those
    /// that violate them least.
    ///
    /// Errors: counts ([`Kind::CountMismatch`]), a different pattern ([`Kind::Topology`]), numbers that are not finite
    /// ([`Kind::NotFinite`], naming the row), invalid bounds ([`Kind::OutOfRange`]).
    pub fn solve(
        &mut self,
        problem: &Boxed,
        v: &mut [Real],
        multipliers: &mut [Real],
        states: &mut [RowState],
        budget: usize,
    ) -> Result<Solved> {
        self.check_lengths(v, multipliers)?;
        self.check_lengths(v, states)?;
        self.check(problem)?;
        self.conflicts.clear();
        let given = &*states;
        self.parts.par_iter_mut().for_each(|part| part.solve(problem, given, budget));
        let mut solved = Solved::default();
        for part in &mut self.parts {
            solved = solved.with(part.answer(v, multipliers, states)?);
            self.conflicts.extend(part.conflicts());
        }
        self.conflicts.sort_unstable();
        Ok(solved)
    }

    /// The enforced rows that contradicted each other in the last solve, ascending; empty when none did.
    pub fn conflicts(&self) -> &[usize] {
        &self.conflicts
    }

    /// Solves once more with the last factor and its enforced rows: A v = b + Gᵀ l, (G v + c l)_i = g_i for these, and
    /// l_i = 0 for the others. Linear in b and g, so it maps changes of those to changes of v and l, for corrections
    /// after a step and for sensitivities: accurate to about 1e-8 relative, the error of regularisation.
    pub fn again(
        &mut self,
        forces: &[Real],
        goals: &[Real],
        v: &mut [Real],
        multipliers: &mut [Real],
    ) -> Result<()> {
        self.check_lengths(v, multipliers)?;
        self.check_lengths(forces, goals)?;
        self.parts.iter_mut().try_for_each(|part| part.again(forces, goals, v, multipliers))
    }

    fn check(&self, problem: &Boxed) -> Result<()> {
        problem.check()?;
        let same = |a: &CsMat<Real>, b: &CsMat<Real>| {
            let starts = a.indptr().into_raw_storage() == b.indptr().into_raw_storage();
            a.is_csr() && b.is_csr() && a.shape() == b.shape() && starts && a.indices() == b.indices()
        };
        match same(problem.matrix, &self.matrix_pattern) && same(problem.rows, &self.rows_pattern) {
            true => Ok(()),
            false => {
                Err(Error::new(Kind::Topology, "the pattern of the program differs from the analysed one"))
            }
        }
    }

    fn check_lengths<T>(&self, v: &[Real], by_row: &[T]) -> Result<()> {
        let (n, m) = (self.matrix_pattern.rows(), self.rows_pattern.rows());
        if v.len() != n || by_row.len() != m {
            let text = format!("{} and {} numbers for {n} velocities and {m} rows", v.len(), by_row.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
