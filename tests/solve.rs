//! Boxed programs against an interior-point solver and against every possible active set.

#[path = "support/programs.rs"]
mod programs;

use programs::{Noise, Program, interior_point, optimum};
use sinew::solve::boxed::{BoxedSolver, RowState};
use sprs::CsMat;

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
        assert_eq!((warm.factorisations, warm.pivots, &again), (0, 0, &v), "{case}");
        // One that knows nothing but the states finds the same bits.
        let mut new = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
        let (warm, again, _) = program.solve(&mut new, &mut states);
        assert_eq!((warm.factorisations, warm.pivots, &again), (1, 0, &v), "{case}");
        if let Some(expected) = interior_point(&program, equalities, 1e-11).and_then(optimum) {
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
fn programs_that_nothing_ties_together_are_solved_to_the_bits_that_each_has_alone() {
    let mut noise = Noise(23);
    for case in 0..40 {
        let n = 20 + noise.below(40);
        let (equalities, inequalities) = (noise.below(n / 4), noise.below(n / 2));
        let mut pair = [0; 2].map(|_| Program::strand(&mut noise, n, equalities, inequalities));
        let new = |program: &Program| {
            let states = program.cold();
            (BoxedSolver::new(&program.matrix, &program.rows).unwrap(), states)
        };
        let (mut alone, mut both) = ([new(&pair[0]), new(&pair[1])], new(&pair[0].beside(&pair[1])));
        // Round 0 solves both afresh; for round 1 only the second one's forces change; for round 2 nothing does.
        for round in 0..3 {
            let (solved, v, l) = pair[0].beside(&pair[1]).solve(&mut both.0, &mut both.1);
            let mut most = 0;
            for (k, program) in pair.iter().enumerate() {
                let (solver, states) = &mut alone[k];
                let (found, own_v, own_l) = program.solve(solver, states);
                let every = |all: &[f64]| all.iter().skip(k).step_by(2).copied().collect::<Vec<_>>();
                assert_eq!((every(&v), every(&l)), (own_v, own_l), "{case}, {round}, {k}");
                assert!(both.1.iter().skip(k).step_by(2).eq(states.iter()), "{case}, {round}, {k}");
                most = most.max(found.factorisations);
            }
            assert!(solved.converged && solved.factorisations == most, "{case}, {round}: {solved:?} {most}");
            assert!(round != 2 || most == 0);
            if round == 0 {
                pair[1].forces.iter_mut().for_each(|b| *b += noise.next());
            }
        }
    }
}

#[test]
fn rows_that_are_left_out_until_something_breaks_them_change_no_answer() {
    let mut noise = Noise(31);
    let (mut held, mut not) = (0, 0);
    for case in 0..200 {
        let n = 10 + noise.below(40);
        let (equalities, inequalities) = (noise.below(n / 4), noise.below(n / 2));
        let mut program = Program::strand(&mut noise, n, equalities, inequalities);
        // The goals of rows that may be left out are moved so far down that few are ever broken, except in every fourth
        // case.
        let seldom: Vec<bool> =
            (0..program.goals.len()).map(|row| row >= equalities && noise.next() > 0.0).collect();
        let far = if case % 4 == 0 { 0.0 } else { 50.0 };
        program
            .goals
            .iter_mut()
            .zip(&seldom)
            .filter(|(_, seldom)| **seldom)
            .for_each(|(goal, _)| *goal -= far);
        let mut plain = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
        let mut watched = BoxedSolver::with_seldom(&program.matrix, &program.rows, &seldom).unwrap();
        let mut states = [program.cold(), program.cold()];
        for round in 0..4 {
            let (_, expected, _) = program.solve(&mut plain, &mut states[0]);
            let (solved, v, l) = program.solve(&mut watched, &mut states[1]);
            assert!(solved.converged, "{case}, {round}: {solved:?}");
            let size = 1.0 + l.iter().chain(&v).fold(0.0, |size: f64, l| size.max(l.abs()));
            assert!(
                program.violation(&v, &l) < 1e-8 * size,
                "{case}, {round}: {}",
                program.violation(&v, &l)
            );
            let off = v.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-8 * size, "{case}, {round}: {off}");
            let holds = seldom.iter().zip(&states[1]).any(|(seldom, s)| *seldom && *s == RowState::Enforced);
            (held, not) = (held + usize::from(holds), not + usize::from(!holds));
            // The solve for a change of forces keeps the same rows enforced: the multipliers of all others stay 0.
            let (forces, goals) = (vec![1.0; n], vec![0.0; program.goals.len()]);
            let (mut change, mut other) = (vec![0.0; n], vec![9.0; goals.len()]);
            watched.again(&forces, &goals, &mut change, &mut other).unwrap();
            let bound = other.iter().zip(&states[1]).filter(|(_, s)| **s != RowState::Enforced);
            assert!(bound.into_iter().all(|(l, _)| *l == 0.0), "{case}, {round}");
            program.forces.iter_mut().for_each(|b| *b += 5.0 * noise.next());
        }
    }
    assert!(held > 100 && not > 100, "{held} {not}");
    let rows = CsMat::eye(3);
    assert!(BoxedSolver::with_seldom(&CsMat::eye(3), &rows, &[false; 2]).is_err());
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
fn a_spent_budget_is_reported_and_the_best_is_kept() {
    let mut noise = Noise(11);
    let program = Program::strand(&mut noise, 120, 20, 60);
    let mut solver = BoxedSolver::new(&program.matrix, &program.rows).unwrap();
    let mut states = program.cold();
    let (mut v, mut l) = (vec![0.0; 120], vec![0.0; 80]);
    let solved = solver.solve(&program.boxed(), &mut v, &mut l, &mut states, 1).unwrap();
    assert!(!solved.converged && solved.factorisations == 1 && solved.row_violation > 1e-6, "{solved:?}");
    assert!(solver.conflicts().is_empty());
    // Continuing from there.
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
