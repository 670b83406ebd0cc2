//! Quadratic programs like those of strands, and an interior-point solver to check ours.
#![allow(dead_code)] // each user takes a part

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use sinew::solve::boxed::{Boxed, BoxedSolver, RowState, Solved};
use sprs::{CsMat, TriMat};

/// Factorisations that a solve may take.
pub const BUDGET: usize = 100;

/// Numbers between -1 and 1 that are the same in every run.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f64) as usize % n
    }
}

pub struct Program {
    pub matrix: CsMat<f64>,
    pub forces: Vec<f64>,
    pub rows: CsMat<f64>,
    pub goals: Vec<f64>,
    pub compliance: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
}

impl Program {
    /// Chains of springs between masses over four decades, rows of few neighbours, goals that some velocities meet.
    pub fn strand(noise: &mut Noise, n: usize, equalities: usize, inequalities: usize) -> Self {
        let m = equalities + inequalities;
        let (mut matrix, mut rows) = (TriMat::new((n, n)), TriMat::new((m, n)));
        for i in 0..n {
            matrix.add_triplet(i, i, 10f64.powf(2.0 * noise.next()));
            if i % 20 != 0 {
                let stiffness = 10f64.powf(2.0 * noise.next());
                for (a, b, sign) in [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)] {
                    matrix.add_triplet(a, b, sign * stiffness);
                }
            }
        }
        let velocities: Vec<f64> = (0..n).map(|_| noise.next()).collect();
        let mut goals = Vec::new();
        for i in 0..m {
            let start = noise.below(n);
            let mut goal = 0.0;
            for k in 0..1 + noise.below(5).min(n - 1) {
                let (j, value) = ((start + k * k) % n, noise.next());
                rows.add_triplet(i, j, value);
                goal += value * velocities[j];
            }
            goals.push(if i < equalities { goal } else { goal - 0.1 * noise.next().abs() });
        }
        Program {
            matrix: matrix.to_csr(),
            forces: (0..n).map(|_| 10.0 * noise.next()).collect(),
            rows: rows.to_csr(),
            goals,
            compliance: vec![0.0; m],
            low: (0..m).map(|i| if i < equalities { f64::NEG_INFINITY } else { 0.0 }).collect(),
            high: vec![f64::INFINITY; m],
        }
    }

    /// Two programs of the same size in one, unknown by unknown and row by row in turn.
    pub fn beside(&self, other: &Program) -> Program {
        let both = |one: &[f64], other: &[f64]| one.iter().zip(other).flat_map(|(a, b)| [*a, *b]).collect();
        let mixed = |one: &CsMat<f64>, other: &CsMat<f64>| {
            let mut sum = TriMat::new((2 * one.rows(), 2 * one.cols()));
            for (k, matrix) in [one, other].into_iter().enumerate() {
                matrix.iter().for_each(|(value, (i, j))| sum.add_triplet(2 * i + k, 2 * j + k, *value));
            }
            sum.to_csr()
        };
        Program {
            matrix: mixed(&self.matrix, &other.matrix),
            forces: both(&self.forces, &other.forces),
            rows: mixed(&self.rows, &other.rows),
            goals: both(&self.goals, &other.goals),
            compliance: both(&self.compliance, &other.compliance),
            low: both(&self.low, &other.low),
            high: both(&self.high, &other.high),
        }
    }

    pub fn boxed(&self) -> Boxed<'_> {
        Boxed {
            matrix: &self.matrix,
            forces: &self.forces,
            rows: &self.rows,
            goals: &self.goals,
            compliance: &self.compliance,
            low: &self.low,
            high: &self.high,
        }
    }

    pub fn cold(&self) -> Vec<RowState> {
        self.low
            .iter()
            .map(|low| if low.is_finite() { RowState::AtLow } else { RowState::Enforced })
            .collect()
    }

    pub fn solve(&self, solver: &mut BoxedSolver, states: &mut [RowState]) -> (Solved, Vec<f64>, Vec<f64>) {
        let (mut v, mut l) = (vec![0.0; self.forces.len()], vec![0.0; self.goals.len()]);
        let solved = solver.solve(&self.boxed(), &mut v, &mut l, states, BUDGET).unwrap();
        (solved, v, l)
    }

    pub fn objective(&self, v: &[f64]) -> f64 {
        let product = times(&self.matrix, v);
        v.iter().zip(&product).zip(&self.forces).map(|((v, p), b)| v * (0.5 * p - b)).sum()
    }

    /// The largest violation of the optimality conditions, from their definition.
    pub fn violation(&self, v: &[f64], l: &[f64]) -> f64 {
        let mut balance = times(&self.matrix, v);
        balance.iter_mut().zip(&self.forces).for_each(|(p, b)| *p -= b);
        let mut worst: f64 = 0.0;
        for (i, row) in self.rows.outer_iterator().enumerate() {
            row.iter().for_each(|(j, value)| balance[j] -= value * l[i]);
            let speed: f64 = row.iter().map(|(j, value)| value * v[j]).sum();
            let excess = speed + self.compliance[i] * l[i] - self.goals[i];
            worst = worst.max(self.low[i] - l[i]).max(l[i] - self.high[i]);
            // The excess may push only against a bound that holds: the natural residual of a box.
            let natural = l[i] - (l[i] - excess).max(self.low[i]).min(self.high[i]);
            worst = worst.max(natural.abs());
        }
        balance.iter().fold(worst, |worst, b| worst.max(b.abs()))
    }
}

pub fn times(matrix: &CsMat<f64>, x: &[f64]) -> Vec<f64> {
    matrix.outer_iterator().map(|row| row.iter().map(|(j, value)| value * x[j]).sum()).collect()
}

/// The same program for an interior-point method, to be solved to a tolerance; the first rows are equalities.
pub fn interior_point(program: &Program, equalities: usize, tolerance: f64) -> Option<DefaultSolver> {
    let (n, m) = (program.forces.len(), program.goals.len());
    let upper: Vec<(usize, usize, f64)> =
        program.matrix.iter().filter(|(_, (i, j))| i <= j).map(|(v, (i, j))| (i, j, *v)).collect();
    // s = A x + b with A = -G for rows G v >= g, and s = 0 for equalities.
    let rows: Vec<(usize, usize, f64)> = program.rows.iter().map(|(v, (i, j))| (i, j, -v)).collect();
    let csc = |rows: usize, entries: &[(usize, usize, f64)]| {
        CscMatrix::new_from_triplets(
            rows,
            n,
            entries.iter().map(|e| e.0).collect(),
            entries.iter().map(|e| e.1).collect(),
            entries.iter().map(|e| e.2).collect(),
        )
    };
    let linear: Vec<f64> = program.forces.iter().map(|b| -b).collect();
    let goals: Vec<f64> = program.goals.iter().map(|g| -g).collect();
    let cones = [SupportedConeT::ZeroConeT(equalities), SupportedConeT::NonnegativeConeT(m - equalities)];
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: tolerance,
        tol_gap_rel: tolerance,
        tol_feas: tolerance,
        ..DefaultSettings::default()
    };
    DefaultSolver::new(&csc(n, &upper), &linear, &csc(m, &rows), &goals, &cones, settings).ok()
}

/// Its optimum; none when it does not reach one.
pub fn optimum(mut solver: DefaultSolver) -> Option<Vec<f64>> {
    solver.solve();
    (solver.solution.status == SolverStatus::Solved).then(|| solver.solution.x.clone())
}
