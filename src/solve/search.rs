//! Which rows of a boxed program are at a bound: block principal pivoting from an initial guess.

use super::conflict::Certificate;
use super::pivoting::{Pivoting, RowState};
use super::problem::{Boxed, Solved};
use super::system::{SOLVED, System, largest};
use sinew_base::error::Result;
use sinew_math::Real;
use sprs::CsMat;

/// A row counts as violated beyond this fraction of its absolute terms: above the solver's tolerance for enforced rows,
/// so that a redundant row is not switched back and forth.
const ROW_TOLERANCE: Real = 1e-9;
/// A multiplier counts as outside its bounds beyond this fraction of its own size.
const MULTIPLIER_TOLERANCE: Real = 1e-9;
/// Multipliers below this fraction of the largest one are not expected to have correct digits of their own.
const QUIET: Real = 1e-3;

/// Velocities under the rows of one coupled part: finds which rows are at a bound. Its inputs have the analysed
/// patterns and are validated.
pub(super) struct Search {
    system: System,
    certificate: Certificate,
    conflicts: Vec<usize>,
    /// The states implied by the last solution, and the best ones so far.
    next: Vec<RowState>,
    best: Vec<RowState>,
    /// G v + c l - g by rows, and the sum of each row's absolute terms.
    excess: Vec<Real>,
    scales: Vec<Real>,
    /// Whether the factor belongs to the loaded matrix and rows.
    factored: bool,
}

/// G v + c l - g of a row, given its coefficients with their velocities, and the sum of its absolute terms.
fn excess(row: impl Iterator<Item = (Real, Real)>, give: Real, goal: Real, fastest: Real) -> (Real, Real) {
    let (mut excess, mut scale) = (give - goal, give.abs() + goal.abs());
    for (value, v) in row {
        excess += value * v;
        scale += value.abs() * (v.abs() + QUIET * fastest);
    }
    (excess, scale)
}

/// Whether velocities violate a row that was not in the program: its coefficients with their velocities, and its goal.
pub(super) fn is_broken(row: impl Iterator<Item = (Real, Real)>, goal: Real, fastest: Real) -> bool {
    let (excess, scale) = excess(row, 0.0, goal, fastest);
    -excess > ROW_TOLERANCE * scale
}

/// How good the states of one round are.
struct Judged {
    wrong: usize,
    row_violation: Real,
    multiplier_violation: Real,
}

impl Search {
    /// Analyses the patterns of A, of which the entries on and below the diagonal are read, and G.
    pub fn new(matrix: &CsMat<Real>, rows: &CsMat<Real>) -> Result<Self> {
        let system = System::new(matrix, rows)?;
        let m = system.rows();
        Ok(Search {
            certificate: Certificate::new(system.velocities(), m),
            system,
            conflicts: Vec::new(),
            next: vec![RowState::Enforced; m],
            best: vec![RowState::Enforced; m],
            excess: vec![0.0; m],
            scales: vec![0.0; m],
            factored: false,
        })
    }

    /// Loads the matrix, the rows and their compliance.
    pub fn load(&mut self, problem: &Boxed) {
        self.factored = false;
        self.system.load(problem);
    }

    /// Solves for the forces, goals and bounds of a loaded problem, starting from the given states.
    pub fn solve(
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

    /// Whether there is a factor.
    pub fn is_factored(&self) -> bool {
        self.factored
    }

    /// See [`super::boxed::BoxedSolver::again`].
    pub fn again(
        &mut self,
        forces: &[Real],
        goals: &[Real],
        v: &mut [Real],
        multipliers: &mut [Real],
    ) -> Result<()> {
        self.system.solve_change(forces, goals, v, multipliers)
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
            self.system.factor(problem, states)?;
            self.factored = true;
            solved.factorisations += 1;
        }
        let sure = self.system.is_sure();
        solved.residual = self.system.solve(problem, states, v, multipliers)?.error;
        solved.factorisations += usize::from(self.system.is_sure() != sure);
        solved.regularised = self.system.replaced();
        self.find_excess(problem, v, multipliers);
        let judged = self.judge(problem, multipliers, states);
        solved.row_violation = judged.row_violation;
        solved.multiplier_violation = judged.multiplier_violation;
        Ok(judged)
    }

    fn find_excess(&mut self, problem: &Boxed, v: &[Real], multipliers: &[Real]) {
        let fastest = self.fastest(v);
        for (i, multiplier) in multipliers.iter().enumerate() {
            let (give, goal) = (problem.compliance[i] * multiplier, problem.goals[i]);
            let row = problem.row(i).map(|(j, value)| (value, v[j]));
            (self.excess[i], self.scales[i]) = excess(row, give, goal, fastest);
        }
    }

    /// Scales against which the velocities are measured.
    pub fn fastest(&self, v: &[Real]) -> Real {
        largest(v).max(self.system.fastest())
    }

    /// Finds the states implied by the solution, and how wrong the assumed ones are.
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
            // The natural unit is the multiplier that moves the row by the sum of its terms; a row at rest has none.
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
}
