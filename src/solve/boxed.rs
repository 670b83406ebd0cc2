//! Velocities under linear rows whose multipliers have bounds: the quadratic program of constrained dynamics.
//!
//! It is the optimum of 1/2 vᵀ A v - bᵀ v plus, for each row, what the worst multiplier between the bounds makes of
//! g - G v: with the bounds 0 and ∞ that is the condition G v >= g, with ∓∞ it is G v = g.

use super::conflict::Certificate;
use super::pivoting::Pivoting;
pub use super::pivoting::RowState;
pub use super::problem::Boxed;
use super::system::{System, largest};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use sprs::CsMat;

/// A row counts as violated beyond this part of what it sums: above what the solver holds enforced rows to, so that a
/// redundant row is not switched back and forth.
const ROW_TOLERANCE: Real = 1e-9;
/// A multiplier counts as outside its bounds beyond this part of its own size.
const MULTIPLIER_TOLERANCE: Real = 1e-9;
/// The part of the largest multiplier below which multipliers are not expected to have correct digits of their own.
const QUIET: Real = 1e-3;
/// Linear systems solved worse than this are not solved: the rows fight, or a motion is held by nothing.
const SOLVED: Real = 1e-8;

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Whether every condition holds to the solver's tolerance.
    pub converged: bool,
    /// How many matrices were factored.
    pub factorisations: usize,
    /// How many rows were switched.
    pub pivots: usize,
    /// The largest violation of a row's condition on velocities, relative to what the row sums.
    pub row_violation: Real,
    /// The largest distance of a multiplier from its bounds, relative to the sizes of multipliers.
    pub multiplier_violation: Real,
    /// The largest residual of the balance of forces and of enforced rows, relative to what they sum.
    pub residual: Real,
    /// Pivots of the last factor that had to be replaced.
    pub regularised: usize,
}

/// One of a solver's ways: [`BoxedSolver::solve`] or [`BoxedSolver::solve_changed`].
pub type Way =
    fn(&mut BoxedSolver, &Boxed, &mut [Real], &mut [Real], &mut [RowState], usize) -> Result<Solved>;

/// Solves programs of one pattern: analysed once, active set kept by the caller, no memory taken in a solve without
/// conflicts.
pub struct BoxedSolver {
    system: System,
    certificate: Certificate,
    conflicts: Vec<usize>,
    /// The states that would be right for what was solved last, and the best ones so far.
    next: Vec<RowState>,
    best: Vec<RowState>,
    /// G v + c l - g by rows, and what each row sums.
    excess: Vec<Real>,
    scales: Vec<Real>,
    /// Whether the factor is that of the loaded matrix and rows.
    factored: bool,
    /// Pivots of the factor that had to be replaced.
    replaced: usize,
}

/// What the states of one round are worth.
struct Judged {
    wrong: usize,
    row_violation: Real,
    multiplier_violation: Real,
}

impl BoxedSolver {
    /// Analyses the patterns of A and G; their values are not read yet.
    pub fn new(matrix: &CsMat<Real>, rows: &CsMat<Real>) -> Result<Self> {
        let system = System::new(matrix, rows)?;
        let m = system.rows();
        Ok(BoxedSolver {
            certificate: Certificate::new(system.velocities(), m),
            system,
            conflicts: Vec::new(),
            next: vec![RowState::Enforced; m],
            best: vec![RowState::Enforced; m],
            excess: vec![0.0; m],
            scales: vec![0.0; m],
            factored: false,
            replaced: 0,
        })
    }

    /// Solves a program of the analysed patterns. `states` is the first guess and then the answer: kept between steps,
    /// it makes most of them cost one factorisation. With `budget` factorisations spent (at least one is), the best
    /// states so far are taken, for one more, and the answer says that it has not converged.
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
        self.factored = false;
        self.check_lengths(v, multipliers)?;
        self.check_lengths(v, states)?;
        problem.check()?;
        self.system.load(problem)?;
        self.search(problem, v, multipliers, states, budget)
    }

    /// Solves the last program with other forces, goals or bounds. Its matrix, rows and compliance are as they were, so the
    /// last factor serves as long as the same rows are enforced.
    pub fn solve_changed(
        &mut self,
        problem: &Boxed,
        v: &mut [Real],
        multipliers: &mut [Real],
        states: &mut [RowState],
        budget: usize,
    ) -> Result<Solved> {
        self.check_solved()?;
        self.check_lengths(v, multipliers)?;
        self.check_lengths(v, states)?;
        problem.check()?;
        self.search(problem, v, multipliers, states, budget)
    }

    fn search(
        &mut self,
        problem: &Boxed,
        v: &mut [Real],
        multipliers: &mut [Real],
        states: &mut [RowState],
        budget: usize,
    ) -> Result<Solved> {
        self.conflicts.clear();
        states.iter_mut().enumerate().for_each(|(i, state)| *state = problem.allowed(i, *state));
        let mut solved = Solved::default();
        let (mut pivoting, mut fewest) = (Pivoting::new(), usize::MAX);
        let wrong = loop {
            let judged = self.try_states(problem, v, multipliers, states, &mut solved)?;
            if judged.wrong < fewest {
                fewest = judged.wrong;
                self.best.copy_from_slice(states);
            }
            if judged.wrong == 0 {
                break 0;
            }
            if solved.factorisations >= budget.max(1) {
                if judged.wrong > fewest {
                    states.copy_from_slice(&self.best);
                    self.try_states(problem, v, multipliers, states, &mut solved)?;
                }
                break fewest;
            }
            solved.pivots += pivoting.switch(states, &self.next);
        };
        if solved.residual > SOLVED && solved.row_violation > SOLVED {
            self.certificate.find(&mut self.system, problem, multipliers, &mut self.conflicts)?;
        }
        solved.converged = wrong == 0 && solved.residual <= SOLVED;
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
        self.check_solved()?;
        // Where pivots were replaced, the factor is further from the matrix than that.
        self.system.solve_change(forces, goals, v, multipliers, self.replaced > 0)
    }

    fn check_solved(&self) -> Result<()> {
        match self.factored {
            true => Ok(()),
            false => Err(Error::new(Kind::MissingInput, "there is no solved program to solve again")),
        }
    }

    fn try_states(
        &mut self,
        problem: &Boxed,
        v: &mut [Real],
        multipliers: &mut [Real],
        states: &[RowState],
        solved: &mut Solved,
    ) -> Result<Judged> {
        if !(self.factored && self.system.enforces(states)) {
            self.factored = false;
            self.replaced = self.system.factor(problem, states)?;
            self.factored = true;
            solved.factorisations += 1;
        }
        solved.regularised = self.replaced;
        solved.residual = self.system.solve(problem, states, v, multipliers)?.error;
        self.find_excess(problem, v, multipliers);
        let judged = self.judge(problem, multipliers, states);
        solved.row_violation = judged.row_violation;
        solved.multiplier_violation = judged.multiplier_violation;
        Ok(judged)
    }

    fn find_excess(&mut self, problem: &Boxed, v: &[Real], multipliers: &[Real]) {
        let fastest = largest(v).max(self.system.fastest());
        for (i, multiplier) in multipliers.iter().enumerate() {
            let (give, goal) = (problem.compliance[i] * multiplier, problem.goals[i]);
            let (mut excess, mut scale) = (give - goal, give.abs() + goal.abs());
            for (j, value) in problem.row(i) {
                excess += value * v[j];
                scale += value.abs() * (v[j].abs() + QUIET * fastest);
            }
            (self.excess[i], self.scales[i]) = (excess, scale);
        }
    }

    /// Finds the states that would be right, and by how much those that were solved for are wrong.
    fn judge(&mut self, problem: &Boxed, multipliers: &[Real], states: &[RowState]) -> Judged {
        let largest = largest(multipliers);
        let mut judged = Judged { wrong: 0, row_violation: 0.0, multiplier_violation: 0.0 };
        for (i, &state) in states.iter().enumerate() {
            let (low, high, l) = (problem.low[i], problem.high[i], multipliers[i]);
            let violation = match state {
                RowState::Enforced => self.excess[i].abs(),
                _ if low == high => 0.0,
                RowState::AtLow => -self.excess[i],
                RowState::AtHigh => self.excess[i],
            };
            let violation = if violation > 0.0 { violation / self.scales[i] } else { 0.0 };
            judged.row_violation = judged.row_violation.max(violation);
            // The multiplier that moves the row by what it sums is the natural unit; a row at rest has none.
            let unit = l.abs() + self.scales[i] / self.system.mobility()[i] + QUIET * largest;
            let outside = (low - l).max(l - high);
            let outside = if outside > 0.0 { outside / unit } else { 0.0 };
            judged.multiplier_violation = judged.multiplier_violation.max(outside);
            self.next[i] = match state {
                RowState::Enforced if outside <= MULTIPLIER_TOLERANCE => RowState::Enforced,
                RowState::Enforced if l < low => RowState::AtLow,
                RowState::Enforced => RowState::AtHigh,
                _ if violation > ROW_TOLERANCE => RowState::Enforced,
                bound => bound,
            };
            judged.wrong += usize::from(self.next[i] != state);
        }
        judged
    }

    fn check_lengths<T>(&self, v: &[Real], by_row: &[T]) -> Result<()> {
        let (n, m) = (self.system.velocities(), self.system.rows());
        if v.len() != n || by_row.len() != m {
            let text = format!("{} and {} numbers for {n} velocities and {m} rows", v.len(), by_row.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
