//! The linear system of one set of enforced rows, in a pattern that never changes.
//!
//! With y = -l, the enforced rows and the balance of forces are one symmetric system
//!
//! | | v | y | | |
//! |---|---|---|---|---|
//! | balance | A | Gᵀ | = | b + Σ lᵢ Gᵢᵀ over rows at a bound |
//! | rows | G | -c | = | g |
//!
//! A row that is not enforced is -1 on the diagonal and zero beside it, with zero on the right: its y is 0.

use super::pivoting::RowState;
use super::problem::Boxed;
use crate::error::Result;
use crate::linalg::ldl::{Accuracy, LdlSolver, Refined, Sign};
use crate::math::Real;
use sprs::{CsMat, TriMat};

/// What is added to the diagonal of A, relative to it: makes a semidefinite A definite. Corrections get back what it
/// changes by this over the least eigenvalue of the scaled A where no row holds, so small; a singular A loses
/// round-off over this of its digits, so not smaller than the root of round-off by much.
const MATRIX_SHIFT: Real = 1e-9;
/// What is added to the compliance of a row, relative to the motion that a unit multiplier gives it: bounds the
/// multipliers of redundant rows. At the root of round-off the errors of the factor and of the shift are alike \[Gill96\].
const ROW_SHIFT: Real = 1e-8;
/// Unknowns with less than this of the largest mass do not count as mobile: they have no inertia, and follow the rows.
const MASSLESS: Real = 1e-12;
/// Rows are held to this part of what they sum. One digit below what callers are promised.
const TARGET: Real = 1e-11;
/// Corrections per solve: one or two are usual, nearly dependent rows take more.
const CORRECTIONS: usize = 20;

/// A force left over that is this part of the largest one is held by nothing: the motion grows until the shift holds
/// it. Round-off leaves 1e-16 times the condition of the scaled A.
const UNHELD: Real = 1e-6;

/// Forces below this part of mass times speed are round-off: above what round-off leaves of a fast motion, and so far
/// below [`MATRIX_SHIFT`] over [`UNHELD`] that a motion which only the shift holds is still seen.
const FELT: Real = 1e-5;

/// The system, its factor, and the memory to solve it.
pub(super) struct System {
    /// Velocities, then rows.
    velocities: usize,
    /// The system by rows, lower triangle, and the same with shifts on its diagonal.
    exact: CsMat<Real>,
    shifted: CsMat<Real>,
    /// Where the values of A's part come from; `None` for a diagonal that A's pattern lacks.
    sources: Vec<Option<u32>>,
    /// Where the diagonal of each unknown is.
    diagonal: Vec<u32>,
    /// What is added to each unknown's diagonal, without its sign.
    shifts: Vec<Real>,
    /// How far a unit multiplier moves each row by itself, about.
    mobility: Vec<Real>,
    ldl: LdlSolver,
    /// How fast the unknowns would be without rows, about.
    fastest: Real,
    /// Right-hand side and solution.
    x: Vec<Real>,
    enforced: Vec<bool>,
}

impl System {
    /// For a square matrix and rows, both stored by rows.
    pub fn new(matrix: &CsMat<Real>, rows: &CsMat<Real>) -> Result<Self> {
        let (n, m) = (matrix.rows(), rows.rows());
        let (mut pattern, mut sources) = (TriMat::new((n + m, n + m)), Vec::new());
        let mut found = 0;
        for (i, row) in matrix.outer_iterator().enumerate() {
            for (place, (&j, _)) in
                row.indices().iter().zip(row.data()).enumerate().filter(|(_, (j, _))| **j < i)
            {
                pattern.add_triplet(i, j, 0.0);
                sources.push(Some((found + place) as u32));
            }
            let diagonal = row.indices().iter().position(|&j| j == i);
            pattern.add_triplet(i, i, 0.0);
            sources.push(diagonal.map(|place| (found + place) as u32));
            found += row.nnz();
        }
        for (i, row) in rows.outer_iterator().enumerate() {
            row.indices().iter().for_each(|&j| pattern.add_triplet(n + i, j, 0.0));
            pattern.add_triplet(n + i, n + i, 0.0);
        }
        let exact: CsMat<Real> = pattern.to_csr();
        let signs: Vec<Sign> =
            (0..n + m).map(|k| if k < n { Sign::Positive } else { Sign::Negative }).collect();
        let ends = &exact.indptr().into_raw_storage()[1..];
        Ok(System {
            velocities: n,
            ldl: LdlSolver::new(&exact, &signs)?,
            // Rows are sorted, and nothing is right of the diagonal.
            diagonal: ends.iter().map(|end| *end as u32 - 1).collect(),
            shifted: exact.clone(),
            exact,
            sources,
            shifts: vec![0.0; n + m],
            mobility: vec![0.0; m],
            fastest: 0.0,
            x: vec![0.0; n + m],
            enforced: vec![false; m],
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.mobility.len()
    }

    /// The number of velocities.
    pub fn velocities(&self) -> usize {
        self.velocities
    }

    /// How far a unit multiplier moves each row by itself, about.
    pub fn mobility(&self) -> &[Real] {
        &self.mobility
    }

    /// What regularisation adds to the compliance of each row.
    pub fn row_shifts(&self) -> &[Real] {
        &self.shifts[self.velocities..]
    }

    /// Takes the numbers of a problem of the analysed patterns.
    pub fn load(&mut self, problem: &Boxed) {
        let from = problem.matrix.data();
        for (value, source) in self.exact.data_mut().iter_mut().zip(&self.sources) {
            *value = source.map_or(0.0, |place| from[place as usize]);
        }
        self.find_shifts(problem);
    }

    /// The mobility of row i is about (G A⁻¹ Gᵀ)_ii with A's diagonal for A; shifts are small parts of the diagonals.
    fn find_shifts(&mut self, problem: &Boxed) {
        let n = self.velocities;
        let (shifts, row_shifts) = self.shifts.split_at_mut(n);
        let (mut largest, mut sum): (Real, Real) = (0.0, 0.0);
        for (shift, &place) in shifts.iter_mut().zip(&self.diagonal) {
            *shift = self.exact.data()[place as usize].max(0.0);
            (largest, sum) = (largest.max(*shift), sum + *shift);
        }
        let mean = if sum > 0.0 { sum / n as Real } else { 1.0 };
        for (i, (mobility, row_shift)) in self.mobility.iter_mut().zip(row_shifts).enumerate() {
            let (mut moved, mut square) = (0.0, 0.0);
            for (j, value) in problem.row(i) {
                square += value * value;
                if shifts[j] > MASSLESS * largest {
                    moved += value * value / shifts[j];
                }
            }
            // Rows of massless unknowns alone, or of nothing, are scaled like the others.
            let fallback = if square > 0.0 { square / mean } else { 1.0 / mean };
            *mobility = if moved > 0.0 { moved } else { fallback };
            *row_shift = ROW_SHIFT * *mobility;
        }
        for shift in shifts {
            *shift = MATRIX_SHIFT * if *shift > MASSLESS * largest { *shift } else { mean };
        }
    }

    /// Factors the system of the enforced rows; how many pivots were replaced.
    pub fn factor(&mut self, problem: &Boxed, states: &[RowState]) -> Result<usize> {
        let values = self.exact.data_mut();
        let mut next = self.sources.len();
        for (i, state) in states.iter().enumerate() {
            self.enforced[i] = *state == RowState::Enforced;
            for (_, value) in problem.row(i) {
                values[next] = if self.enforced[i] { value } else { 0.0 };
                next += 1;
            }
            values[next] = if self.enforced[i] { -problem.compliance[i] } else { -1.0 };
            next += 1;
        }
        let shifted = self.shifted.data_mut();
        shifted.copy_from_slice(values);
        for (k, (&place, shift)) in self.diagonal.iter().zip(&self.shifts).enumerate() {
            match k.checked_sub(self.velocities) {
                None => shifted[place as usize] += shift,
                Some(row) if self.enforced[row] => shifted[place as usize] -= shift,
                Some(_) => (),
            }
        }
        self.ldl.factor(&self.shifted)
    }

    /// Whether the rows that are enforced in the factor are those of these states.
    pub fn enforces(&self, states: &[RowState]) -> bool {
        self.enforced.iter().zip(states).all(|(enforced, state)| *enforced == (*state == RowState::Enforced))
    }

    /// Velocities and multipliers of the factored rows, the others at their bounds.
    pub fn solve(
        &mut self,
        problem: &Boxed,
        states: &[RowState],
        v: &mut [Real],
        multipliers: &mut [Real],
    ) -> Result<Refined> {
        let (balance, _) = self.x.split_at_mut(self.velocities);
        balance.copy_from_slice(problem.forces);
        for (i, &state) in states.iter().enumerate().filter(|(_, state)| **state != RowState::Enforced) {
            multipliers[i] = problem.bound(i, state);
            if multipliers[i] != 0.0 {
                problem.row(i).for_each(|(j, value)| balance[j] += value * multipliers[i]);
            }
        }
        self.solve_loaded(problem.goals, v, multipliers)
    }

    /// The change of velocities and multipliers with forces and goals; multipliers at bounds stay as they are.
    pub fn solve_change(
        &mut self,
        forces: &[Real],
        goals: &[Real],
        v: &mut [Real],
        multipliers: &mut [Real],
        refined: bool,
    ) -> Result<()> {
        self.x[..self.velocities].copy_from_slice(forces);
        multipliers.fill(0.0);
        if refined {
            self.solve_loaded(goals, v, multipliers)?;
        } else {
            self.ask(goals);
            self.ldl.solve(&mut self.x)?;
            self.take(v, multipliers);
        }
        Ok(())
    }

    /// The goals of the enforced rows to the right-hand side.
    fn ask(&mut self, goals: &[Real]) {
        for (i, x) in self.x[self.velocities..].iter_mut().enumerate() {
            *x = if self.enforced[i] { goals[i] } else { 0.0 };
        }
    }

    /// The solution as velocities and as multipliers of the enforced rows.
    fn take(&self, v: &mut [Real], multipliers: &mut [Real]) {
        let (velocities, rest) = self.x.split_at(self.velocities);
        v.copy_from_slice(velocities);
        for (i, y) in rest.iter().enumerate().filter(|(i, _)| self.enforced[*i]) {
            multipliers[i] = -y;
        }
    }

    fn solve_loaded(&mut self, goals: &[Real], v: &mut [Real], multipliers: &mut [Real]) -> Result<Refined> {
        let n = self.velocities;
        self.ask(goals);
        let push = largest(&self.x[..n]);
        self.fastest = (0..n).fold(0.0, |fastest: Real, j| fastest.max(self.x[j].abs() / self.mass(j)));
        let accuracy = Accuracy { target: TARGET, rounds: CORRECTIONS, sizes: [self.fastest, 0.0] };
        let mut refined = self.ldl.solve_refined(&self.exact, &mut self.x, accuracy)?;
        self.take(v, multipliers);
        let left = self.unbalanced(push);
        if left > UNHELD {
            refined.error = refined.error.max(left);
        }
        Ok(refined)
    }

    /// The largest force that nothing answers, relative to the largest push on an unknown or of a row.
    fn unbalanced(&self, push: Real) -> Real {
        let n = self.velocities;
        let starts = self.exact.indptr().into_raw_storage();
        let pull = |i: usize| {
            let row = &self.exact.data()[starts[n + i]..starts[n + i + 1] - 1];
            largest(row) * self.x[n + i].abs()
        };
        let momentum = (0..n).map(|j| FELT * self.mass(j) * self.x[j].abs());
        let size = (0..self.rows()).map(pull).chain(momentum).fold(push, Real::max);
        let left = largest(&self.ldl.residual()[..n]);
        if left > 0.0 { left / size } else { 0.0 }
    }

    /// How fast the unknowns would be without rows, about: what their round-off in the last solve is measured by.
    pub fn fastest(&self) -> Real {
        self.fastest
    }

    /// The diagonal of A, or what stands for it where there is none.
    pub fn mass(&self, unknown: usize) -> Real {
        self.shifts[unknown] / MATRIX_SHIFT
    }

    /// The multipliers y = -l that a residual of the rows asks for, and what they leave of it.
    pub fn answer_residual(&mut self, residual: &mut [Real], y: &mut [Real]) -> Result<()> {
        let n = self.velocities;
        self.x[..n].fill(0.0);
        self.x[n..].copy_from_slice(residual);
        let once = Accuracy { target: Real::INFINITY, rounds: 0, sizes: [0.0; 2] };
        self.ldl.solve_refined(&self.exact, &mut self.x, once)?;
        y.copy_from_slice(&self.x[n..]);
        residual.copy_from_slice(self.row_residual());
        Ok(())
    }

    /// What the last solve left of each row.
    pub fn row_residual(&self) -> &[Real] {
        &self.ldl.residual()[self.velocities..]
    }

    /// Whether each row was enforced in the last factor.
    pub fn enforced(&self) -> &[bool] {
        &self.enforced
    }
}

/// The largest absolute value.
pub(super) fn largest(values: &[Real]) -> Real {
    values.iter().fold(0.0, |largest, v| largest.max(v.abs()))
}
