//! Our solver of boxed programs beside an interior-point one, Clarabel, on programs as strands make them: chains of
//! springs between masses over four decades, rows of few neighbours. A quarter as many equalities as velocities, half
//! as many inequalities. Times are medians of 20 steps, in each of which forces change by up to 2 %. Rows stay: other
//! ones might contradict each other.
//!
//! Clarabel takes no initial guess, so all its solves are cold starts.

#[path = "../support/programs.rs"]
mod programs;

use clarabel::solver::{IPSolver, SolverStatus};
use programs::{Noise, Program, interior_point};
use sinew::math::Real;
use sinew::solve::boxed::BoxedSolver;
use std::time::Instant;

const STEPS: usize = 20;
/// Clarabel's tolerances: its own, and about ours.
const TOLERANCES: [Real; 2] = [1e-8, 1e-11];

fn timed<T>(f: impl FnOnce() -> T) -> (Real, T) {
    let clock = Instant::now();
    let out = f();
    (1e6 * clock.elapsed().as_secs_f64(), out)
}

fn middle(mut values: Vec<Real>) -> Real {
    values.sort_by(Real::total_cmp);
    values[values.len() / 2]
}

fn line(name: &str, [set_up, solve]: [Real; 2], rounds: Real, off: Real) {
    println!("   {name:<22}{set_up:>10.0}{solve:>10.0}{rounds:>8.1}{off:>10.0e}");
}

fn compare(n: usize) {
    let [equalities, inequalities] = [n / 4, n / 2];
    println!("{n} velocities, {equalities} equalities, {inequalities} inequalities");
    let mut noise = Noise(3);
    let mut program = Program::strand(&mut noise, n, equalities, inequalities);
    let (analysing, mut solver) = timed(|| BoxedSolver::new(&program.matrix, &program.rows).unwrap());
    let mut states = program.cold();
    program.solve(&mut solver, &mut states);
    // For each method: time to set up and to solve, rounds, how far optimality is missed or velocities are from ours.
    let (mut times, mut rounds, mut off) = (vec![Vec::new(); 6], [0.0; 4], [0.0 as Real; 4]);
    let mut unsolved = [0; 4];
    for _ in 0..STEPS {
        program.forces.iter_mut().for_each(|b| *b += 0.2 * noise.next());
        let mut fresh = program.cold();
        let (cold, of_cold) = timed(|| program.solve(&mut solver, &mut fresh));
        let (warm, of_warm) = timed(|| program.solve(&mut solver, &mut states));
        let v = of_warm.1.clone();
        let largest = v.iter().fold(1.0, |largest: Real, v| largest.max(v.abs()));
        for (k, (time, (solved, v, l))) in [(cold, of_cold), (warm, of_warm)].into_iter().enumerate() {
            times[k].push(time);
            rounds[k] += solved.factorisations as Real;
            unsolved[k] += usize::from(!solved.converged);
            let scale = l.iter().fold(largest, |scale, l| scale.max(l.abs()));
            off[k] = off[k].max(program.violation(&v, &l) / scale);
        }
        for (k, tolerance) in TOLERANCES.into_iter().enumerate() {
            let (beginning, peer) = timed(|| interior_point(&program, equalities, tolerance));
            let mut peer = peer.unwrap();
            let (solving, ()) = timed(|| peer.solve());
            times[2 + 2 * k].push(beginning);
            times[3 + 2 * k].push(solving);
            rounds[2 + k] += Real::from(peer.solution.iterations);
            let solved = peer.solution.status == SolverStatus::Solved;
            unsolved[2 + k] += usize::from(!solved);
            let apart = v.iter().zip(&peer.solution.x).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
            off[2 + k] = off[2 + k].max(apart / largest);
        }
    }
    let times: Vec<Real> = times.into_iter().map(middle).collect();
    let each = rounds.map(|rounds| rounds / STEPS as Real);
    line("ours, cold", [analysing, times[0]], each[0], off[0]);
    line("ours, from the last", [analysing, times[1]], each[1], off[1]);
    line("Clarabel to 1e-8", [times[2], times[3]], each[2], off[2]);
    line("Clarabel to 1e-11", [times[4], times[5]], each[3], off[3]);
    println!("   not solved of {STEPS}: {unsolved:?}");
}

fn main() {
    println!(
        "microseconds; rounds: factorisations, Clarabel's iterations; off: how far optimality is missed, in parts of \
         the\n\
         largest number; of Clarabel how far its velocities are from ours"
    );
    println!("   {:<22}{:>10}{:>10}{:>8}{:>10}", "", "set up", "solve", "rounds", "off");
    [28, 113, 452, 1808].into_iter().for_each(compare);
}
