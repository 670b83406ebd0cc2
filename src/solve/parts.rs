//! A boxed program split into uncoupled parts.

use super::pivoting::RowState;
use super::problem::{Boxed, Solved};
use super::search::{Search, is_broken};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sprs::{CsMat, TriMat};
use std::ops::Range;

/// A subset of a matrix's entries, their indices in the whole, and the same as runs.
struct Piece {
    matrix: CsMat<Real>,
    sources: Vec<u32>,
    runs: Runs,
}

/// Indices in a whole, as ranges of consecutive ones: a part has few.
struct Runs(Vec<Range<usize>>);

/// Coupled unknowns and rows, and their program.
struct Part {
    unknowns: Vec<u32>,
    rows: Vec<u32>,
    /// The same as runs.
    unknown_runs: Runs,
    row_runs: Runs,
    /// Of A, and of G.
    balance: Piece,
    held: Piece,
    forces: Vec<Real>,
    goals: Vec<Real>,
    compliance: Vec<Real>,
    low: Vec<Real>,
    high: Vec<Real>,
    /// The answer, and the initial guess.
    velocity: Vec<Real>,
    multipliers: Vec<Real>,
    states: Vec<RowState>,
    search: Search,
    /// How the last solve went.
    went: Result<Solved>,
    /// Forces and goals of another solve with the last factor, and its answer.
    other_forces: Vec<Real>,
    other_goals: Vec<Real>,
    change: Vec<Real>,
    other_multipliers: Vec<Real>,
}

/// A coupled component. Rows that are rarely active are left out until the velocities violate one: systems are smaller
/// without them.
pub(super) struct Group {
    often: Part,
    /// With all rows; `None` if none is rarely active.
    all: Option<Part>,
    /// Which of all rows are rarely active, and the index of each row among the others.
    seldom: Vec<usize>,
    often_of: Vec<Option<usize>>,
    /// Which of all rows the velocities violated without them.
    broken: Vec<bool>,
    /// Whether the last solve included all rows, and how many factorisations preceded it.
    in_all: bool,
    spent: usize,
}

impl Group {
    fn new(
        matrix: &CsMat<Real>,
        all_rows: &CsMat<Real>,
        unknowns: Vec<u32>,
        rows: Vec<u32>,
        seldom: &[bool],
    ) -> Result<Self> {
        let is_seldom = |row: &u32| seldom[*row as usize];
        let often: Vec<u32> = rows.iter().copied().filter(|row| !is_seldom(row)).collect();
        let often_of = rows.iter().map(|row| often.binary_search(row).ok()).collect();
        Ok(Group {
            seldom: (0..rows.len()).filter(|&k| is_seldom(&rows[k])).collect(),
            often_of,
            broken: vec![false; rows.len()],
            all: match often.len() < rows.len() {
                true => Some(Part::new(matrix, all_rows, unknowns.clone(), rows)?),
                false => None,
            },
            often: Part::new(matrix, all_rows, unknowns, often)?,
            in_all: false,
            spent: 0,
        })
    }

    /// Solves its part of a problem from the given states; see [`Group::answer`].
    pub fn solve(&mut self, problem: &Boxed, given: &[RowState], budget: usize) {
        let Group { often, all, seldom, often_of, broken, in_all, spent } = self;
        (*in_all, *spent) = (false, 0);
        if let Some(all) = all {
            let mut rows = seldom.iter().map(|&k| all.rows[k] as usize);
            *in_all = rows.any(|row| given[row] != RowState::AtLow || problem.low[row] != 0.0);
            if *in_all {
                return all.solve(problem, |_, row| given[row], budget);
            }
        }
        often.solve(problem, |_, row| given[row], budget);
        if let (Some(all), Ok(solved)) = (all, &often.went) {
            *spent = solved.factorisations;
            let fastest = often.search.fastest(&often.velocity);
            for &k in &*seldom {
                broken[k] = all.breaks(problem, k, &often.velocity, fastest);
                *in_all |= broken[k];
            }
            let from = |k: usize, _| match often_of[k] {
                Some(k) => often.states[k],
                None if broken[k] => RowState::Enforced,
                None => RowState::AtLow,
            };
            if *in_all {
                all.solve(problem, from, budget);
            }
        }
    }

    /// Writes the solution into the whole.
    pub fn answer(
        &self,
        v: &mut [Real],
        multipliers: &mut [Real],
        states: &mut [RowState],
    ) -> Result<Solved> {
        self.put(0.0, multipliers);
        self.put(RowState::AtLow, states);
        let solved = self.present().answer(v, multipliers, states)?;
        Ok(Solved { factorisations: solved.factorisations + self.spent * usize::from(self.in_all), ..solved })
    }

    /// The rows that contradict each other.
    pub fn conflicts(&self) -> impl Iterator<Item = usize> + '_ {
        self.present().conflicts()
    }

    /// See [`super::boxed::BoxedSolver::again`].
    pub fn again(
        &mut self,
        forces: &[Real],
        goals: &[Real],
        v: &mut [Real],
        multipliers: &mut [Real],
    ) -> Result<()> {
        self.put(0.0, multipliers);
        let present = self.all.as_mut().filter(|_| self.in_all).unwrap_or(&mut self.often);
        present.again(forces, goals, v, multipliers)
    }

    /// Inserts a value for the rows that are left out.
    fn put<T: Copy>(&self, value: T, by_row: &mut [T]) {
        if let Some(all) = self.all.as_ref().filter(|_| !self.in_all) {
            self.seldom.iter().for_each(|&k| by_row[all.rows[k] as usize] = value);
        }
    }

    /// The last solution.
    fn present(&self) -> &Part {
        self.all.as_ref().filter(|_| self.in_all).unwrap_or(&self.often)
    }
}

/// The parts of a program, in the order of their first unknowns. Rows without unknowns belong to the first part.
pub(super) fn split(matrix: &CsMat<Real>, rows: &CsMat<Real>, seldom: &[bool]) -> Result<Vec<Group>> {
    let n = matrix.rows();
    let mut first_of: Vec<usize> = (0..n).collect();
    for (i, row) in matrix.outer_iterator().enumerate() {
        row.indices().iter().for_each(|&j| join(&mut first_of, i, j));
    }
    for row in rows.outer_iterator() {
        row.indices().windows(2).for_each(|pair| join(&mut first_of, pair[0], pair[1]));
    }
    let mut number = vec![usize::MAX; n];
    let mut members: Vec<[Vec<u32>; 2]> = Vec::new();
    for i in 0..n {
        let first = first(&mut first_of, i);
        if first == i {
            number[i] = members.len();
            members.push([Vec::new(), Vec::new()]);
        }
        number[i] = number[first];
        members[number[i]][0].push(i as u32);
    }
    if members.is_empty() {
        members.push([Vec::new(), Vec::new()]);
    }
    for (k, row) in rows.outer_iterator().enumerate() {
        let part = row.indices().first().map_or(0, |&i| number[i]);
        members[part][1].push(k as u32);
    }
    members.into_iter().map(|[unknowns, held]| Group::new(matrix, rows, unknowns, held, seldom)).collect()
}

/// The smallest unknown known to be coupled to an unknown.
fn first(first_of: &mut [usize], i: usize) -> usize {
    let mut at = i;
    while first_of[at] != at {
        first_of[at] = first_of[first_of[at]];
        at = first_of[at];
    }
    at
}

fn join(first_of: &mut [usize], i: usize, j: usize) {
    let (a, b) = (first(first_of, i), first(first_of, j));
    first_of[a.max(b)] = a.min(b);
}

impl Piece {
    /// Some rows of a matrix, with their columns renumbered.
    fn new(matrix: &CsMat<Real>, rows: &[u32], columns: &[u32]) -> Self {
        let (starts, indices) = (matrix.indptr(), matrix.indices());
        let (mut pattern, mut sources) = (TriMat::new((rows.len(), columns.len())), Vec::new());
        for (i, &row) in rows.iter().enumerate() {
            for k in starts.outer_inds_sz(row as usize) {
                if let Ok(j) = columns.binary_search(&(indices[k] as u32)) {
                    pattern.add_triplet(i, j, 0.0);
                    sources.push(k as u32);
                }
            }
        }
        // Both numberings ascend, so entries stay in order.
        Piece { matrix: pattern.to_csr(), runs: Runs::new(&sources), sources }
    }

    fn take(&mut self, from: &CsMat<Real>) -> bool {
        self.runs.take(self.matrix.data_mut(), from.data())
    }
}

impl Runs {
    fn new(indices: &[u32]) -> Self {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for &index in indices {
            let index = index as usize;
            match runs.last_mut() {
                Some(run) if run.end == index => run.end += 1,
                _ => runs.push(index..index + 1),
            }
        }
        Runs(runs)
    }

    /// Copies these numbers of a whole; returns whether any bit has changed.
    fn take(&self, mut into: &mut [Real], from: &[Real]) -> bool {
        let mut changed = false;
        for run in &self.0 {
            let source = &from[run.clone()];
            let (target, rest) = into.split_at_mut(source.len());
            let differ = |bits: u64, (old, new): (&Real, &Real)| bits | (old.to_bits() ^ new.to_bits());
            if target.iter().zip(source).fold(0, differ) != 0 {
                target.copy_from_slice(source);
                changed = true;
            }
            into = rest;
        }
        changed
    }

    /// Copies some numbers to their positions in the whole.
    fn give<T: Copy>(&self, mut from: &[T], to: &mut [T]) {
        for run in &self.0 {
            let (source, rest) = from.split_at(run.len());
            to[run.clone()].copy_from_slice(source);
            from = rest;
        }
    }
}

impl Part {
    fn new(matrix: &CsMat<Real>, all_rows: &CsMat<Real>, unknowns: Vec<u32>, rows: Vec<u32>) -> Result<Self> {
        let balance = Piece::new(matrix, &unknowns, &unknowns);
        let held = Piece::new(all_rows, &rows, &unknowns);
        let search = Search::new(&balance.matrix, &held.matrix)?;
        let [by_unknown, by_row] = [unknowns.len(), rows.len()].map(|count| vec![0.0; count]);
        Ok(Part {
            forces: by_unknown.clone(),
            goals: by_row.clone(),
            compliance: by_row.clone(),
            low: by_row.clone(),
            high: by_row.clone(),
            velocity: by_unknown.clone(),
            multipliers: by_row.clone(),
            states: vec![RowState::Enforced; rows.len()],
            went: Ok(Solved::default()),
            other_forces: by_unknown.clone(),
            other_goals: by_row.clone(),
            change: by_unknown,
            other_multipliers: by_row,
            unknown_runs: Runs::new(&unknowns),
            row_runs: Runs::new(&rows),
            unknowns,
            rows,
            balance,
            held,
            search,
        })
    }

    /// Solves its part of a problem from the given states of its rows; see [`Part::answer`].
    fn solve(&mut self, problem: &Boxed, given: impl Fn(usize, usize) -> RowState, budget: usize) {
        let moved = [
            self.balance.take(problem.matrix),
            self.held.take(problem.rows),
            self.row_runs.take(&mut self.compliance, problem.compliance),
        ];
        let asked = [
            self.unknown_runs.take(&mut self.forces, problem.forces),
            self.row_runs.take(&mut self.goals, problem.goals),
            self.row_runs.take(&mut self.low, problem.low),
            self.row_runs.take(&mut self.high, problem.high),
        ];
        let mut same = !moved.contains(&true) && self.search.is_factored();
        let load = !same;
        // If the right states were not found, the next solve may continue to search for them.
        same &= self.went.as_ref().is_ok_and(|solved| solved.converged) && !asked.contains(&true);
        for (k, (state, &row)) in self.states.iter_mut().zip(&self.rows).enumerate() {
            let given = given(k, row as usize);
            same &= *state == given;
            *state = given;
        }
        if same {
            self.went = self.went.clone().map(|solved| Solved { factorisations: 0, pivots: 0, ..solved });
            return;
        }
        let problem = Boxed {
            matrix: &self.balance.matrix,
            forces: &self.forces,
            rows: &self.held.matrix,
            goals: &self.goals,
            compliance: &self.compliance,
            low: &self.low,
            high: &self.high,
        };
        if load {
            self.search.load(&problem);
        }
        self.went =
            self.search.solve(&problem, &mut self.velocity, &mut self.multipliers, &mut self.states, budget);
    }

    /// Whether velocities violate a row, given its bounds.
    fn breaks(&self, problem: &Boxed, k: usize, v: &[Real], fastest: Real) -> bool {
        let (held, row) = (&self.held.matrix, self.rows[k] as usize);
        let entries = held.indptr().outer_inds_sz(k);
        let values =
            self.held.sources[entries.clone()].iter().map(|&source| problem.rows.data()[source as usize]);
        let entries = values.zip(held.indices()[entries].iter().map(|&j| v[j]));
        problem.high[row] > problem.low[row] && is_broken(entries, problem.goals[row], fastest)
    }

    /// Writes the solution into the whole.
    fn answer(&self, v: &mut [Real], multipliers: &mut [Real], states: &mut [RowState]) -> Result<Solved> {
        self.unknown_runs.give(&self.velocity, v);
        self.row_runs.give(&self.multipliers, multipliers);
        self.row_runs.give(&self.states, states);
        let first = self.unknowns.first().copied().unwrap_or(0);
        let among = |error: Error| {
            Error::new(error.kind(), format!("{error} (numbered within the part of unknown {first})"))
        };
        self.went.clone().map_err(among)
    }

    /// The rows that contradict each other.
    fn conflicts(&self) -> impl Iterator<Item = usize> + '_ {
        self.search.conflicts().iter().map(|&row| self.rows[row] as usize)
    }

    /// See [`super::boxed::BoxedSolver::again`].
    fn again(
        &mut self,
        forces: &[Real],
        goals: &[Real],
        v: &mut [Real],
        multipliers: &mut [Real],
    ) -> Result<()> {
        if !self.search.is_factored() {
            return Err(Error::new(Kind::MissingInput, "there is no previous solve to repeat"));
        }
        self.unknown_runs.take(&mut self.other_forces, forces);
        self.row_runs.take(&mut self.other_goals, goals);
        let asked = self.other_forces.iter().chain(&self.other_goals).any(|value| *value != 0.0);
        if asked {
            let (change, other) = (&mut self.change, &mut self.other_multipliers);
            self.search.again(&self.other_forces, &self.other_goals, change, other)?;
        } else {
            self.change.fill(0.0);
            self.other_multipliers.fill(0.0);
        }
        self.unknown_runs.give(&self.change, v);
        self.row_runs.give(&self.other_multipliers, multipliers);
        Ok(())
    }
}
