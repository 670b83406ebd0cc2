//! Velocities under linear rows whose multipliers have bounds: the quadratic program of constrained dynamics.
//!
//! It is the optimum of 1/2 vᵀ A v - bᵀ v plus, for each row, what the worst multiplier between the bounds makes of
//! g - G v: with the bounds 0 and ∞ that is the condition G v >= g, with ∓∞ it is G v = g.
//!
//! What no entry ties together is solved apart: the fingers of a hand that nothing holds together do not try each other's
//! rows, and a part in which nothing has changed since the last solve keeps its answer.

use super::parts::{Group, split};
pub use super::pivoting::RowState;
pub use super::problem::Boxed;
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use rayon::prelude::*;
use sprs::CsMat;

/// How a solve went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// Whether every condition holds to the solver's tolerance.
    pub converged: bool,
    /// How many matrices were factored: of parts that are apart the most that one took.
    pub factorisations: usize,
    /// How many rows were switched.
    pub pivots: usize,
    /// The largest violation of a row's condition on velocities, relative to what the row sums.
    pub row_violation: Real,
    /// The largest distance of a multiplier from its bounds, relative to the sizes of multipliers.
    pub multiplier_violation: Real,
    /// The largest residual of the balance of forces and of enforced rows, relative to what they sum.
    pub residual: Real,
    /// Pivots of the last factors that had to be replaced.
    pub regularised: usize,
}

impl Default for Solved {
    /// Of nothing.
    fn default() -> Self {
        Solved {
            converged: true,
            factorisations: 0,
            pivots: 0,
            row_violation: 0.0,
            multiplier_violation: 0.0,
            residual: 0.0,
            regularised: 0,
        }
    }
}

impl Solved {
    /// Of two parts that are apart.
    fn with(self, other: Solved) -> Solved {
        Solved {
            converged: self.converged && other.converged,
            factorisations: self.factorisations.max(other.factorisations),
            pivots: self.pivots + other.pivots,
            row_violation: self.row_violation.max(other.row_violation),
            multiplier_violation: self.multiplier_violation.max(other.multiplier_violation),
            residual: self.residual.max(other.residual),
            regularised: self.regularised + other.regularised,
        }
    }
}

/// Solves programs of one pattern: analysed once, active set kept by the caller, no memory taken in a solve without
/// conflicts, but once where a factor first loses too many digits.
pub struct BoxedSolver {
    /// The patterns that were analysed.
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

    /// The same where some rows are seldom more than watched: with the least multiplier 0, and mostly at it. Systems are
    /// smaller without them, and solves in which one of them holds cost more.
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

    /// Solves a program of the analysed patterns. `states` is the first guess and then the answer: kept between steps,
    /// it makes most of them cost one factorisation, and none where matrix, rows and compliance are those of the last one.
    /// With `budget` factorisations spent (at least one is), the best states so far are taken, for one more, and the answer
    /// says that it has not converged.
    ///
    /// Rows that are enforced and contradict each other are told by [`BoxedSolver::conflicts`]; velocities are then
    /// those that violate them least.
    ///
    /// Errors: counts ([`Kind::CountMismatch`]), another pattern ([`Kind::Topology`]), numbers that are not finite
    /// ([`Kind::NotFinite`], naming the row) or are no bounds ([`Kind::OutOfRange`]).
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
    /// l_i = 0 for the others. Linear in b and g, so with changes of those it gives the changes of v and l, for
    /// corrections after a step and for sensitivities: to about 1e-8 of themselves, which is what regularisation takes.
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
            false => Err(Error::new(Kind::Topology, "the program has another pattern than was analysed")),
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
