//! Dense least squares with bounds on the unknowns: how much each muscle pulls to bring a motion close to its goal.
//!
//! By the normal equations: with the weights used in practice they are well conditioned, and the few unknowns are
//! refactored in microseconds for each set of bounds.

use super::pivoting::{Pivoting, RowState};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// Weight on the preferred values of unknowns without one, relative to the largest entry of JᵀJ + DᵀD: decides between
/// equally good answers, to six digits; answers that the goals decide change in the tenth.
const LEAST_WEIGHT: Real = 1e-10;
/// Slopes and distances from bounds below this fraction of their terms count as zero.
const TOLERANCE: Real = 1e-10;
/// Factorisations per unknown before a solve gives up; a solve usually takes a few in all. Murty's rule alone takes
/// about one per unknown.
const FACTORISATIONS: usize = 20;

/// Minimise |J a - r|² + |D (a - a0)|² with lo <= a <= hi.
#[derive(Clone, Copy, Debug)]
pub struct Bounded<'a> {
    /// J, row by row.
    pub jacobian: &'a [Real],
    /// r, one number per row.
    pub goals: &'a [Real],
    /// The diagonal of D, one number per unknown.
    pub weights: &'a [Real],
    /// a0.
    pub preferred: &'a [Real],
    /// The lower bounds, `-∞` for none.
    pub low: &'a [Real],
    /// The upper bounds, `∞` for none.
    pub high: &'a [Real],
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// Whether the answer is the optimum; otherwise it is the last one tried, and satisfies the bounds.
    pub converged: bool,
    /// The number of factorisations.
    pub factorisations: usize,
    /// The number of unknowns switched.
    pub pivots: usize,
}

/// Reused memory; nothing is allocated after the first solve of a given size.
#[derive(Clone, Debug, Default)]
pub struct BoundedSolver {
    /// H = JᵀJ + DᵀD by rows, f = Jᵀr + DᵀD a0.
    hessian: Vec<Real>,
    slope: Vec<Real>,
    /// The unknowns between their bounds, their factor by rows, and their values.
    free: Vec<usize>,
    factor: Vec<Real>,
    values: Vec<Real>,
    next: Vec<RowState>,
}

impl Bounded<'_> {
    fn check(&self, n: usize) -> Result<()> {
        let lengths = [self.weights.len(), self.preferred.len(), self.low.len(), self.high.len()];
        if lengths != [n; 4] || self.jacobian.len() != n * self.goals.len() {
            let text = format!("{lengths:?} and {} numbers for {n} unknowns", self.jacobian.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        let row_is_finite = |i: usize| {
            self.goals[i].is_finite() && self.jacobian[i * n..(i + 1) * n].iter().all(|v| v.is_finite())
        };
        if let Some(i) = (0..self.goals.len()).find(|&i| !row_is_finite(i)) {
            return Err(Error::new(Kind::NotFinite, format!("row {i} is not finite")));
        }
        for i in 0..n {
            let (low, high) = (self.low[i], self.high[i]);
            let bounds = low < Real::INFINITY && high > Real::NEG_INFINITY;
            if !(self.weights[i].is_finite() && self.preferred[i].is_finite() && bounds) {
                let text = format!("unknown {i}: its weight, preferred value or bounds are not finite");
                return Err(Error::new(Kind::NotFinite, text));
            }
            if low > high {
                let text = format!("unknown {i}: its lower bound is above its upper bound");
                return Err(Error::new(Kind::OutOfRange, text));
            }
        }
        Ok(())
    }
}

impl BoundedSolver {
    /// Solves for `a`. `states` is the initial guess, [`RowState::Enforced`] for an unknown between its bounds, and
    /// then the answer; keeping it between steps saves factorisations.
    ///
    /// Errors: counts ([`Kind::CountMismatch`]), numbers that are not finite ([`Kind::NotFinite`]), contradictory
    /// bounds ([`Kind::OutOfRange`]); the row or the unknown is named.
    pub fn solve(&mut self, problem: &Bounded, a: &mut [Real], states: &mut [RowState]) -> Result<Solved> {
        let n = a.len();
        problem.check(n)?;
        if states.len() != n {
            let text = format!("{} states for {n} unknowns", states.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        self.sum(problem, n);
        for (i, state) in states.iter_mut().enumerate() {
            let bound = bound(problem, i, *state);
            *state = if bound.is_some_and(Real::is_finite) { *state } else { RowState::Enforced };
        }
        let (mut solved, mut pivoting) = (Solved::default(), Pivoting::new());
        while solved.factorisations <= FACTORISATIONS * (n + 1) {
            self.solve_free(problem, a, states);
            solved.factorisations += 1;
            self.find_next(problem, a, states);
            let switched = pivoting.switch(states, &self.next);
            solved.pivots += switched;
            if switched == 0 {
                solved.converged = true;
                break;
            }
        }
        // Within the tolerance, or unfinished.
        a.iter_mut().enumerate().for_each(|(i, a)| *a = a.max(problem.low[i]).min(problem.high[i]));
        Ok(solved)
    }

    fn sum(&mut self, problem: &Bounded, n: usize) {
        self.hessian.clear();
        self.hessian.resize(n * n, 0.0);
        self.slope.clear();
        self.slope.resize(n, 0.0);
        self.next.resize(n, RowState::Enforced);
        for (row, goal) in problem.jacobian.chunks_exact(n.max(1)).zip(problem.goals) {
            for (i, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                let line = &mut self.hessian[i * n..(i + 1) * n];
                line.iter_mut().zip(row).for_each(|(sum, other)| *sum += value * other);
                self.slope[i] += value * goal;
            }
        }
        for (i, weight) in problem.weights.iter().enumerate() {
            self.hessian[i * (n + 1)] += weight * weight;
            self.slope[i] += weight * weight * problem.preferred[i];
        }
        let largest = (0..n).map(|i| self.hessian[i * (n + 1)]).fold(0.0, Real::max);
        let least = if largest > 0.0 { LEAST_WEIGHT * largest } else { 1.0 };
        for (i, preferred) in problem.preferred.iter().enumerate() {
            self.hessian[i * (n + 1)] += least;
            self.slope[i] += least * preferred;
        }
    }

    /// The optimum over the free unknowns, the others at their bounds: H_ff a_f = f_f - H_fb a_b.
    fn solve_free(&mut self, problem: &Bounded, a: &mut [Real], states: &[RowState]) {
        let n = a.len();
        self.free.clear();
        self.values.clear();
        for (i, &state) in states.iter().enumerate() {
            match bound(problem, i, state) {
                Some(value) => a[i] = value,
                None => self.free.push(i),
            }
        }
        for &i in &self.free {
            let held = (0..n).filter(|&j| states[j] != RowState::Enforced);
            let pull: Real = held.map(|j| self.hessian[i * n + j] * a[j]).sum();
            self.values.push(self.slope[i] - pull);
        }
        self.factor_free(n);
        let k = self.free.len();
        for row in 0..k {
            let (known, rest) = self.values.split_at_mut(row);
            let line = &self.factor[row * k..row * k + row];
            let sum: Real = line.iter().zip(known).map(|(l, x)| l * *x).sum();
            rest[0] = (rest[0] - sum) / self.factor[row * (k + 1)];
        }
        for row in (0..k).rev() {
            let value = self.values[row] / self.factor[row * (k + 1)];
            let line = &self.factor[row * k..row * k + row];
            self.values[..row].iter_mut().zip(line).for_each(|(x, l)| *x -= l * value);
            self.values[row] = value;
        }
        self.free.iter().zip(&self.values).for_each(|(&i, &value)| a[i] = value);
    }

    /// Cholesky, row by row.
    fn factor_free(&mut self, n: usize) {
        let k = self.free.len();
        self.factor.clear();
        self.factor.resize(k * k, 0.0);
        for row in 0..k {
            let (above, line) = self.factor.split_at_mut(row * k);
            for column in 0..=row {
                let dot: Real = match column {
                    _ if column == row => line[..row].iter().map(|l| l * l).sum(),
                    _ => line[..column].iter().zip(&above[column * k..]).map(|(a, b)| a * b).sum(),
                };
                let diagonal = self.hessian[self.free[row] * n + self.free[row]];
                let value = self.hessian[self.free[row] * n + self.free[column]] - dot;
                line[column] = if column < row {
                    value / above[column * (k + 1)]
                } else {
                    // Round-off may leave nothing of a dependent unknown; its minimum weight is then used.
                    value.max(LEAST_WEIGHT * diagonal).sqrt()
                };
            }
        }
    }

    /// The states implied by this solution: zero slope between the bounds, and at a bound a slope that presses against
    /// it.
    fn find_next(&mut self, problem: &Bounded, a: &[Real], states: &[RowState]) {
        let n = a.len();
        for (i, &state) in states.iter().enumerate() {
            let (low, high) = (problem.low[i], problem.high[i]);
            let line = &self.hessian[i * n..(i + 1) * n];
            let sum = |with: fn(Real) -> Real| -> Real { line.iter().zip(a).map(|(h, a)| with(h * a)).sum() };
            let slope = sum(|part| part) - self.slope[i];
            let flat = TOLERANCE * (sum(Real::abs) + self.slope[i].abs());
            let near = TOLERANCE * a[i].abs();
            self.next[i] = match state {
                _ if low == high => RowState::AtLow,
                RowState::Enforced if a[i] < low - near => RowState::AtLow,
                RowState::Enforced if a[i] > high + near => RowState::AtHigh,
                RowState::AtLow if slope < -flat => RowState::Enforced,
                RowState::AtHigh if slope > flat => RowState::Enforced,
                state => state,
            };
        }
    }
}

/// The value of an unknown at a bound.
fn bound(problem: &Bounded, i: usize, state: RowState) -> Option<Real> {
    match state {
        RowState::Enforced => None,
        RowState::AtLow => Some(problem.low[i]),
        RowState::AtHigh => Some(problem.high[i]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Projected gradient with the step 1 / trace(H), accelerated with restarts, until it converges.
    fn projected_gradient(problem: &Bounded, n: usize) -> Vec<Real> {
        let gradient = |a: &[Real]| -> Vec<Real> {
            let mut out: Vec<Real> =
                (0..n).map(|i| problem.weights[i].powi(2) * (a[i] - problem.preferred[i])).collect();
            for (row, goal) in problem.jacobian.chunks(n).zip(problem.goals) {
                let miss: Real = row.iter().zip(a).map(|(j, a)| j * a).sum::<Real>() - goal;
                row.iter().zip(&mut out).for_each(|(j, out)| *out += j * miss);
            }
            out
        };
        let squares = |values: &[Real]| values.iter().map(|v| v * v).sum::<Real>();
        let step = 1.0 / (squares(problem.jacobian) + squares(problem.weights));
        let mut a: Vec<Real> = (0..n).map(|i| problem.low[i].max(-1e3).min(problem.high[i])).collect();
        let (mut ahead, mut t) = (a.clone(), 1.0);
        for _ in 0..200_000 {
            let slope = gradient(&ahead);
            let to = |i: usize| (ahead[i] - step * slope[i]).max(problem.low[i]).min(problem.high[i]);
            let new: Vec<Real> = (0..n).map(to).collect();
            let uphill: Real = (0..n).map(|i| slope[i] * (new[i] - a[i])).sum();
            let moved = (0..n).map(|i| (new[i] - ahead[i]).abs()).fold(0.0, Real::max);
            let next: Real = if uphill > 0.0 { 1.0 } else { 0.5 + (0.25 + t * t as Real).sqrt() };
            ahead = (0..n).map(|i| new[i] + (t - 1.0).max(0.0) / next * (new[i] - a[i])).collect();
            if uphill > 0.0 {
                ahead.copy_from_slice(&new);
            }
            (a, t) = (new, next);
            if moved < 1e-15 {
                break;
            }
        }
        a
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn equals_projected_gradient(
            (n, m) in (1usize..12, 0usize..14),
            jacobian in prop::collection::vec(-1.0..1.0, 12 * 14),
            goals in prop::collection::vec(-3.0..3.0, 14),
            weights in prop::collection::vec(0.2..1.0, 12),
            low in prop::collection::vec(-0.5..0.2, 12),
            extent in prop::collection::vec(prop_oneof![Just(0.0), 0.1..0.6, Just(Real::INFINITY)], 12),
        ) {
            let high: Vec<Real> = low.iter().zip(&extent).map(|(a, b): (&Real, &Real)| a + b).collect();
            let problem = Bounded {
                jacobian: &jacobian[..n * m],
                goals: &goals[..m],
                weights: &weights[..n],
                preferred: &[0.1; 12][..n],
                low: &low[..n],
                high: &high[..n],
            };
            let (mut solver, mut a) = (BoundedSolver::default(), vec![0.0; n]);
            let mut states = vec![RowState::Enforced; n];
            let solved = solver.solve(&problem, &mut a, &mut states).unwrap();
            prop_assert!(solved.converged && solved.factorisations < 12, "{:?}", solved);
            let slow = projected_gradient(&problem, n);
            let apart = a.iter().zip(&slow).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
            prop_assert!(apart < 1e-7, "{} {:?} {:?}", apart, a, slow);
            // Starting from the answer: one factorisation, the same bits.
            let mut again = vec![0.0; n];
            prop_assert_eq!(solver.solve(&problem, &mut again, &mut states).unwrap().factorisations, 1);
            prop_assert_eq!(&again, &a);
            let mut fresh = vec![RowState::Enforced; n];
            BoundedSolver::default().solve(&problem, &mut again, &mut fresh).unwrap();
            prop_assert_eq!(&again, &a);
        }
    }

    #[test]
    fn muscles_that_pull_alike_share_the_load_and_a_full_one_passes_it_on() {
        // Sixty equal muscles, goal 20: a third each; if some may pull less, the others take over.
        let n = 60;
        let (jacobian, none) = (vec![1.0; n], vec![0.0; n]);
        let mut high = vec![1.0; n];
        let (mut solver, mut a, mut states) =
            (BoundedSolver::default(), vec![0.0; n], vec![RowState::AtLow; n]);
        let mut solve = |high: &[Real]| {
            let problem = Bounded {
                jacobian: &jacobian,
                goals: &[20.0],
                weights: &none,
                preferred: &none,
                low: &none,
                high,
            };
            assert!(solver.solve(&problem, &mut a, &mut states).unwrap().converged);
            a.clone()
        };
        assert!(solve(&high).iter().all(|a| (a - 1.0 / 3.0).abs() < 1e-4));
        high[..30].fill(0.1);
        let shared = solve(&high);
        assert!(shared[..30].iter().all(|a| *a == 0.1));
        assert!(shared[30..].iter().all(|a| (a - 17.0 / 30.0).abs() < 1e-4), "{shared:?}");
        high.fill(0.1);
        assert_eq!(solve(&high), high);
    }

    #[test]
    fn bad_input_is_refused_and_nothing_is_fine() {
        let mut solver = BoundedSolver::default();
        let mut solve = |jacobian: &[Real], weights: &[Real], low: &[Real]| {
            let n = weights.len();
            let (preferred, high) = (vec![0.0; n], vec![1.0; n]);
            let goals = &[1.0][..usize::from(!jacobian.is_empty())];
            let problem = Bounded { jacobian, goals, weights, preferred: &preferred, low, high: &high };
            solver.solve(&problem, &mut vec![0.0; n], &mut vec![RowState::Enforced; n])
        };
        assert!(solve(&[], &[], &[]).unwrap().converged);
        assert!(solve(&[], &[0.0, 0.0], &[-1.0, 0.5]).unwrap().converged);
        assert_eq!(solve(&[1.0], &[1.0, 1.0], &[0.0, 0.0]).unwrap_err().kind(), Kind::CountMismatch);
        assert_eq!(solve(&[1.0], &[1.0], &[0.0, 0.0]).unwrap_err().kind(), Kind::CountMismatch);
        let error = solve(&[1.0, Real::NAN], &[1.0, 1.0], &[0.0, 0.0]).unwrap_err();
        assert_eq!((error.kind(), error.message()), (Kind::NotFinite, "row 0 is not finite"));
        assert_eq!(solve(&[1.0, 1.0], &[1.0, Real::NAN], &[0.0, 0.0]).unwrap_err().kind(), Kind::NotFinite);
        let error = solve(&[1.0, 1.0], &[1.0, 1.0], &[0.0, 2.0]).unwrap_err();
        assert_eq!(error.kind(), Kind::OutOfRange);
        assert!(error.message().starts_with("unknown 1"), "{error}");
    }
}
