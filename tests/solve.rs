//! Boxed programs against an interior-point solver and against every possible active set.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use sinew::solve::boxed::{Boxed, BoxedSolver, RowState, Solved};
use sprs::{CsMat, TriMat};

const BUDGET: usize = 100;

/// Numbers between -1 and 1 that are the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * n as f64) as usize % n
    }
}

struct Program {
    matrix: CsMat<f64>,
    forces: Vec<f64>,
    rows: CsMat<f64>,
    goals: Vec<f64>,
    compliance: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Program {
    /// Chains of springs between masses over four decades, rows of few neighbours, goals that some velocities meet.
    fn strand(noise: &mut Noise, n: usize, equalities: usize, inequalities: usize) -> Self {
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

    fn boxed(&self) -> Boxed<'_> {
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

    fn cold(&self) -> Vec<RowState> {
        self.low
            .iter()
            .map(|low| if low.is_finite() { RowState::AtLow } else { RowState::Enforced })
            .collect()
    }

    fn solve(&self, solver: &mut BoxedSolver, states: &mut [RowState]) -> (Solved, Vec<f64>, Vec<f64>) {
        let (mut v, mut l) = (vec![0.0; self.forces.len()], vec![0.0; self.goals.len()]);
        let solved = solver.solve(&self.boxed(), &mut v, &mut l, states, BUDGET).unwrap();
        (solved, v, l)
    }

    fn objective(&self, v: &[f64]) -> f64 {
        let product = times(&self.matrix, v);
        v.iter().zip(&product).zip(&self.forces).map(|((v, p), b)| v * (0.5 * p - b)).sum()
    }

    /// The largest violation of the optimality conditions, from their definition.
    fn violation(&self, v: &[f64], l: &[f64]) -> f64 {
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

fn times(matrix: &CsMat<f64>, x: &[f64]) -> Vec<f64> {
    matrix.outer_iterator().map(|row| row.iter().map(|(j, value)| value * x[j]).sum()).collect()
}

/// The optimum by an interior-point method; none when it does not reach one.
fn clarabel(program: &Program, equalities: usize) -> Option<Vec<f64>> {
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
        tol_gap_abs: 1e-11,
        tol_gap_rel: 1e-11,
        tol_feas: 1e-11,
        ..DefaultSettings::default()
    };
    let mut solver =
        DefaultSolver::new(&csc(n, &upper), &linear, &csc(m, &rows), &goals, &cones, settings).ok()?;
    solver.solve();
    (solver.solution.status == SolverStatus::Solved).then(|| solver.solution.x.clone())
}

#[test]
fn strands_equal_an_interior_point_method() {
    let (mut noise, mut compared, mut most, mut sum) = (Noise(1), 0, 0, 0);
    let mut worst: f64 = 0.0;
    for case in 0..300 {
        let n = 10 + noise.below(60);
        let (equalities, inequalities) = (noise.below(n / 4), noise.below(n / 2));
        let program = Program::strand(&mut noise, n, equalities, inequalities);
        let mut solver = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
        let mut states = program.cold();
        let (solved, v, l) = program.solve(&mut solver, &mut states);
        assert!(solved.converged, "{case}: {solved:?} {:?}", solver.conflicts());
        let size = 1.0 + l.iter().chain(&v).fold(0.0, |size: f64, l| size.max(l.abs()));
        assert!(program.violation(&v, &l) < 1e-8 * size, "{case}: {} {size}", program.violation(&v, &l));
        worst = worst.max(solved.residual).max(solved.row_violation);
        (most, sum) = (most.max(solved.factorisations), sum + solved.factorisations);
        let (warm, again, _) = program.solve(&mut solver, &mut states);
        assert_eq!((warm.factorisations, warm.pivots, &again), (1, 0, &v), "{case}");
        if let Some(expected) = clarabel(&program, equalities) {
            compared += 1;
            let largest = v.iter().fold(1.0, |largest: f64, v| largest.max(v.abs()));
            let apart = v.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let gain = program.objective(&expected) - program.objective(&v);
            assert!(apart < 1e-4 * largest, "{case}: {apart} {largest}");
            assert!(gain.abs() < 1e-6 * (1.0 + program.objective(&v).abs()), "{case}: {gain}");
        }
    }
    println!("{compared} compared, {} factorisations on average, {most} at most", sum as f64 / 300.0);
    println!("rows and forces are met to {worst:.1e} of what they sum");
    assert!(worst < 1e-10, "{worst}");
    assert!(compared > 270 && most < 30, "{compared} {most}");
}

#[test]
fn a_step_on_costs_few_factorisations() {
    let mut noise = Noise(7);
    let mut program = Program::strand(&mut noise, 100, 30, 40);
    let mut solver = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
    let mut states = program.cold();
    program.solve(&mut solver, &mut states);
    let mut factorisations = 0;
    for _ in 0..100 {
        program.forces.iter_mut().for_each(|b| *b += 0.01 * noise.next());
        program.rows.data_mut().iter_mut().for_each(|value| *value *= 1.0 + 1e-4 * noise.next());
        let (solved, ..) = program.solve(&mut solver, &mut states);
        assert!(solved.converged, "{solved:?}");
        factorisations += solved.factorisations;
    }
    println!("{factorisations} factorisations in 100 steps");
    assert!(factorisations < 150);
}

/// The one set of states whose solution keeps every condition, by trying all, each with a dense solve.
fn enumerated(program: &Program) -> Vec<f64> {
    let (n, m) = (program.forces.len(), program.goals.len());
    let dense = |matrix: &CsMat<f64>| {
        let mut out = nalgebra::DMatrix::zeros(matrix.rows(), matrix.cols());
        matrix.iter().for_each(|(v, (i, j))| out[(i, j)] = *v);
        out
    };
    let (a, g) = (dense(&program.matrix), dense(&program.rows));
    let mut best = (f64::INFINITY, Vec::new());
    for code in 0..3usize.pow(m as u32) {
        let mut k = nalgebra::DMatrix::zeros(n + m, n + m);
        k.view_mut((0, 0), (n, n)).copy_from(&a);
        k.view_mut((0, n), (n, m)).copy_from(&-g.transpose());
        let mut rhs = nalgebra::DVector::from_element(n + m, 0.0);
        rhs.rows_mut(0, n).copy_from_slice(&program.forces);
        let mut possible = true;
        for i in 0..m {
            let bound = [None, Some(program.low[i]), Some(program.high[i])][code / 3usize.pow(i as u32) % 3];
            match bound {
                None => {
                    k.view_mut((n + i, 0), (1, n)).copy_from(&g.row(i));
                    (k[(n + i, n + i)], rhs[n + i]) = (program.compliance[i], program.goals[i]);
                }
                Some(bound) => {
                    possible &= bound.is_finite();
                    (k[(n + i, n + i)], rhs[n + i]) = (1.0, bound);
                }
            }
        }
        if let Some(x) = possible.then(|| k.lu().solve(&rhs)).flatten() {
            let worst = program.violation(&x.as_slice()[..n], &x.as_slice()[n..]);
            if worst < best.0 {
                best = (worst, x.as_slice().to_vec());
            }
        }
    }
    assert!(best.0 < 1e-8, "{}", best.0);
    best.1
}

#[test]
fn friction_and_limits_equal_every_active_set_tried() {
    let (mut noise, mut most) = (Noise(3), 0);
    for case in 0..250 {
        let n = 4 + noise.below(4);
        let m = 1 + noise.below(5);
        let mut program = Program::strand(&mut noise, n, 0, m);
        for i in 0..m {
            (program.low[i], program.high[i]) = match noise.below(4) {
                0 => (0.0, f64::INFINITY),
                1 => (-3.0 * noise.next().abs(), 3.0 * noise.next().abs()),
                2 => (-0.3, 0.3),
                _ => (f64::NEG_INFINITY, 2.0 * noise.next()),
            };
            // A row that pulls only: the velocity that meets the others' goals must meet its goal from below.
            if program.low[i] == f64::NEG_INFINITY {
                program.goals[i] += 0.2;
            }
            program.compliance[i] = noise.next().max(0.0);
        }
        let expected = enumerated(&program);
        let mut solver = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
        for start in [RowState::AtLow, RowState::Enforced, RowState::AtHigh] {
            let mut states = vec![start; m];
            let (solved, v, l) = program.solve(&mut solver, &mut states);
            assert!(solved.converged, "{case}: {solved:?}");
            most = most.max(solved.factorisations);
            let apart = v.iter().chain(&l).zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
            assert!(apart < 1e-6 * size, "{case}: {apart} {size}");
        }
    }
    println!("{most} factorisations at most");
    assert!(most < 20);
}

#[test]
fn a_spent_budget_is_told_and_the_best_is_kept() {
    let mut noise = Noise(11);
    let program = Program::strand(&mut noise, 120, 20, 60);
    let mut solver = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
    let mut states = program.cold();
    let (mut v, mut l) = (vec![0.0; 120], vec![0.0; 80]);
    let solved = solver.solve(&program.boxed(), &mut v, &mut l, &mut states, 1).unwrap();
    assert!(!solved.converged && solved.factorisations == 1 && solved.row_violation > 1e-6, "{solved:?}");
    assert!(solver.conflicts().is_empty());
    // From there, on.
    assert!(program.solve(&mut solver, &mut states).0.converged);
}

#[test]
fn every_run_gives_the_same_bits() {
    let run = || {
        let program = Program::strand(&mut Noise(5), 200, 60, 80);
        let mut solver = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
        let (_, v, l) = program.solve(&mut solver, &mut program.cold());
        v.iter().chain(&l).map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}
