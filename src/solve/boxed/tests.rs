use super::*;
use RowState::{AtHigh, AtLow, Enforced};
use nalgebra::DMatrix;
use sinew_linalg::sparse;

const INF: Real = Real::INFINITY;

/// A program with unit masses, solved from the given states.
struct Small {
    matrix: CsMat<Real>,
    forces: Vec<Real>,
    rows: CsMat<Real>,
    goals: Vec<Real>,
    compliance: Vec<Real>,
    low: Vec<Real>,
    high: Vec<Real>,
    states: Vec<RowState>,
    v: Vec<Real>,
    l: Vec<Real>,
    solver: BoxedSolver,
}

impl Small {
    fn new(n: usize, rows: &[&[Real]], goals: &[Real], bounds: &[(Real, Real)]) -> Self {
        let m = rows.len();
        let (matrix, rows) = (CsMat::eye(n), sparse(&DMatrix::from_fn(m, n, |i, j| rows[i][j])));
        Small {
            solver: BoxedSolver::new(&matrix, &rows).unwrap(),
            matrix,
            forces: vec![0.0; n],
            rows,
            goals: goals.to_vec(),
            compliance: vec![0.0; m],
            low: bounds.iter().map(|b| b.0).collect(),
            high: bounds.iter().map(|b| b.1).collect(),
            states: vec![AtLow; m],
            v: vec![0.0; n],
            l: vec![0.0; m],
        }
    }

    fn solve(&mut self) -> Result<Solved> {
        let problem = Boxed {
            matrix: &self.matrix,
            forces: &self.forces,
            rows: &self.rows,
            goals: &self.goals,
            compliance: &self.compliance,
            low: &self.low,
            high: &self.high,
        };
        self.solver.solve(&problem, &mut self.v, &mut self.l, &mut self.states, 50)
    }
}

fn near(a: &[Real], b: &[Real]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

const JOINT: (Real, Real) = (-INF, INF);
const CONTACT: (Real, Real) = (0.0, INF);

#[test]
fn a_mass_rests_slides_and_sticks() {
    // Falls along y onto a floor, pushed along x, friction up to half of the weight.
    let mut small = Small::new(2, &[&[0.0, 1.0], &[1.0, 0.0]], &[0.0, 0.0], &[CONTACT, (-0.5, 0.5)]);
    for (push, v, l, state) in [
        (0.3, [0.0, 0.0], [1.0, -0.3], Enforced),
        (0.8, [0.3, 0.0], [1.0, -0.5], AtLow),
        (-0.8, [-0.3, 0.0], [1.0, 0.5], AtHigh),
    ] {
        small.forces = vec![push, -1.0];
        let solved = small.solve().unwrap();
        assert!(solved.converged && near(&small.v, &v) && near(&small.l, &l), "{:?}", small.v);
        assert_eq!(small.states, [Enforced, state]);
        assert_eq!(small.solve().unwrap().factorisations, 0, "nothing has changed");
    }
    small.forces[1] = 2.0;
    (small.low[1], small.high[1]) = (0.0, 0.0);
    assert!(small.solve().unwrap().converged);
    assert!(near(&small.v, &[-0.8, 2.0]) && near(&small.l, &[0.0, 0.0]));
    assert_eq!(small.states, [AtLow, AtLow]);
}

#[test]
fn a_compliant_row_gives_way() {
    // (G v + c l) = g with v = l: v = 1 / (1 + c).
    let mut small = Small::new(1, &[&[1.0]], &[1.0], &[JOINT]);
    for compliance in [0.0, 3.0, 1e6] {
        small.compliance[0] = compliance;
        assert!(small.solve().unwrap().converged);
        let expected = 1.0 / (1.0 + compliance);
        assert!((small.v[0] / expected - 1.0).abs() < 1e-9 && (small.l[0] / expected - 1.0).abs() < 1e-9);
    }
}

#[test]
fn the_same_row_twice_shares_its_multiplier() {
    let row: &[Real] = &[1.0, 2.0, 0.0];
    let mut small = Small::new(3, &[row, row, &[0.0, 0.0, 1.0]], &[5.0, 5.0, 1.0], &[JOINT; 3]);
    let solved = small.solve().unwrap();
    assert!(solved.converged && small.solver.conflicts().is_empty(), "{solved:?}");
    assert!(near(&small.v, &[1.0, 2.0, 1.0]));
    assert!((small.l[0] - 0.5).abs() < 1e-6 && (small.l[1] - 0.5).abs() < 1e-6, "{:?}", small.l);
    // A box on eight contacts, of which three would suffice: every multiplier pushes.
    let corners: Vec<Vec<Real>> = (0..8).map(|i| vec![1.0, (i as Real).sin(), (i as Real).cos()]).collect();
    let rows: Vec<&[Real]> = corners.iter().map(Vec::as_slice).collect();
    let mut small = Small::new(3, &rows, &[0.0; 8], &[CONTACT; 8]);
    small.forces = vec![-1.0, 0.2, 0.1];
    let solved = small.solve().unwrap();
    assert!(solved.converged && near(&small.v, &[0.0; 3]), "{solved:?} {:?}", small.v);
    assert!(small.l.iter().all(|l| *l > -1e-9) && (small.l.iter().sum::<Real>() - 1.0).abs() < 1e-9);
}

#[test]
fn rows_that_fight_are_named_and_the_others_hold() {
    // A triangle of speed differences that does not close, next to rows that are not involved.
    let rows: [&[Real]; 6] = [
        &[0.0, 0.0, 0.0, 1.0, 1.0],
        &[1.0, -1.0, 0.0, 0.0, 0.0],
        &[0.0, 1.0, -1.0, 0.0, 0.0],
        &[2.0, 0.0, -2.0, 0.0, 0.0],
        &[0.0, 0.0, 0.0, 0.0, 0.0],
        &[1.0, 1.0, 1.0, 1.0, 0.0],
    ];
    let bounds = [JOINT, JOINT, JOINT, JOINT, JOINT, CONTACT];
    let mut small = Small::new(5, &rows, &[1.0, 0.5, 0.25, 1.6, 0.0, 2.0], &bounds);
    let solved = small.solve().unwrap();
    assert!(!solved.converged);
    assert_eq!(small.solver.conflicts(), [1, 2, 3]);
    let v = &small.v;
    assert!((v[3] + v[4] - 1.0).abs() < 1e-9 && v[0] + v[1] + v[2] + v[3] > 2.0 - 1e-9);
    // The multipliers stay of the order of the problem.
    assert!(small.l.iter().all(|l| l.abs() < 10.0), "{:?}", small.l);
    small.goals[3] = 1.5;
    assert!(small.solve().unwrap().converged && small.solver.conflicts().is_empty());
    // A row of zeros with a nonzero goal is a conflict by itself.
    small.goals[4] = 0.1;
    assert!(!small.solve().unwrap().converged);
    assert_eq!(small.solver.conflicts(), [4]);
    (small.low[4], small.high[4]) = (-1.0, 1.0);
    assert!(small.solve().unwrap().converged, "friction gives in");
    assert_eq!(small.l[4], 1.0);
}

#[test]
fn a_motion_that_nothing_holds_is_not_called_solved() {
    let mut small = Small::new(2, &[&[1.0, 0.0]], &[1.0], &[JOINT]);
    small.matrix = sparse(&DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]));
    small.solver = BoxedSolver::new(&small.matrix, &small.rows).unwrap();
    assert!(small.solve().unwrap().converged);
    assert!(near(&small.v, &[1.0, 1.0]) && near(&small.l, &[0.0]), "{:?} {:?}", small.v, small.l);
    (small.low[0], small.high[0], small.forces[1]) = (0.0, 0.0, 1.0);
    let solved = small.solve().unwrap();
    assert!(!solved.converged && small.solver.conflicts().is_empty(), "{solved:?}");
}

#[test]
fn a_singular_mass_between_rows_follows_them() {
    // The middle unknown has no mass: it links the others, which share their momentum.
    let mut small = Small::new(3, &[&[1.0, -1.0, 0.0], &[0.0, 1.0, -1.0]], &[0.0, 0.0], &[JOINT; 2]);
    let mut massless = small.matrix.clone();
    massless.data_mut().copy_from_slice(&[1.0, 0.0, 3.0]);
    (small.matrix, small.forces) = (massless, vec![4.0, 0.0, 0.0]);
    let solved = small.solve().unwrap();
    assert!(solved.converged && near(&small.v, &[1.0; 3]) && near(&small.l, &[-3.0; 2]), "{solved:?}");
}

#[test]
fn again_gives_the_derivative_of_the_answer() {
    let mut small = Small::new(
        3,
        &[&[1.0, 1.0, 0.0], &[0.0, 1.0, 1.0], &[1.0, 0.0, 0.0]],
        &[1.0, 0.3, 0.0],
        &[JOINT, CONTACT, (-0.1, 0.1)],
    );
    small.forces = vec![1.0, -1.0, 0.2];
    small.solve().unwrap();
    let (v, l, states) = (small.v.clone(), small.l.clone(), small.states.clone());
    let (forces, goals) = ([0.01, 0.02, -0.01], [0.01, -0.01, 0.0]);
    let (mut dv, mut dl) = ([0.0; 3], [0.0; 3]);
    small.solver.again(&forces, &goals, &mut dv, &mut dl).unwrap();
    small.forces.iter_mut().zip(&forces).for_each(|(b, db)| *b += db);
    small.goals.iter_mut().zip(&goals).for_each(|(g, dg)| *g += dg);
    assert_eq!(small.solve().unwrap().factorisations, 0, "the factor serves again");
    assert_eq!(small.states, states, "a small change switches nothing");
    let sum = |a: &[Real], b: &[Real]| -> Vec<Real> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
    assert!(near(&small.v, &sum(&v, &dv)) && near(&small.l, &sum(&l, &dl)));
}

#[test]
fn nothing_to_hold_and_all_rows_off() {
    let mut small = Small::new(2, &[], &[], &[]);
    small.forces = vec![1.0, 2.0];
    assert!(small.solve().unwrap().converged && near(&small.v, &[1.0, 2.0]));
    let mut small = Small::new(0, &[], &[], &[]);
    assert!(small.solve().unwrap().converged);
    let mut small = Small::new(2, &[&[1.0, 0.0], &[1.0, 0.0]], &[5.0, 6.0], &[(0.0, 0.0); 2]);
    small.forces = vec![1.0, 2.0];
    small.states = vec![Enforced, AtHigh];
    let solved = small.solve().unwrap();
    assert!(solved.converged && solved.factorisations == 1 && near(&small.v, &[1.0, 2.0]));
}

#[test]
fn bad_input_is_refused_and_its_row_named() {
    let mut small = Small::new(2, &[&[1.0, 0.0], &[1.0, 1.0]], &[0.0, 1.0], &[JOINT, CONTACT]);
    assert!(small.solver.again(&[0.0; 2], &[0.0; 2], &mut [0.0; 2], &mut [0.0; 2]).is_err());
    let mut refuse = |change: fn(&mut Small), kind: Kind, text: &str| {
        change(&mut small);
        let error = small.solve().unwrap_err();
        assert!(error.kind() == kind && error.message().contains(text), "{error}");
        small.goals = vec![0.0, 1.0];
        (small.low, small.high) = (vec![-INF, 0.0], vec![INF, INF]);
        small.compliance = vec![0.0; 2];
        small.forces = vec![0.0; 2];
        small.rows.data_mut().fill(1.0);
        small.matrix = CsMat::eye(2);
    };
    refuse(|s| s.goals[1] = Real::NAN, Kind::NotFinite, "row 1");
    refuse(|s| s.rows.data_mut()[2] = INF, Kind::NotFinite, "row 1");
    refuse(|s| s.low[0] = INF, Kind::NotFinite, "row 0");
    refuse(|s| s.high[1] = Real::NAN, Kind::NotFinite, "row 1");
    refuse(|s| s.high[1] = -1.0, Kind::OutOfRange, "row 1");
    refuse(|s| s.compliance[0] = -1.0, Kind::OutOfRange, "row 0");
    refuse(|s| s.forces[1] = Real::NAN, Kind::NotFinite, "unknown 1");
    refuse(|s| s.matrix.data_mut()[0] = Real::NAN, Kind::NotFinite, "row 0");
    refuse(|s| s.matrix = CsMat::zero((2, 2)), Kind::Topology, "pattern");
    refuse(|s| s.goals = vec![0.0], Kind::CountMismatch, "goals");
    refuse(|s| s.forces = vec![0.0], Kind::CountMismatch, "forces");
    assert!(small.solve().unwrap().converged);
    small.states.pop();
    assert_eq!(small.solve().unwrap_err().kind(), Kind::CountMismatch);
    assert!(BoxedSolver::new(&CsMat::eye(3), &small.rows).is_err());
    assert!(BoxedSolver::new(&CsMat::zero((2, 3)), &small.rows).is_err());
}

#[test]
fn parts_that_nothing_ties_together_are_solved_as_if_each_were_alone() {
    let rows: [&[Real]; 4] = [&[1.0, 0.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 0.0], &[0.0; 4], &[0.0, 1.0, 0.0, 1.0]];
    let bounds = [JOINT, CONTACT, JOINT, (-0.1, 0.1)];
    let mut small = Small::new(4, &rows, &[1.0, 0.5, 0.0, 0.0], &bounds);
    small.forces = vec![1.0, -1.0, 3.0, 0.5];
    assert!(small.solve().unwrap().converged);
    assert!(near(&[small.v[0], small.v[2]], &[-0.5, 1.5]) && near(&small.l[..1], &[-1.5]));
    assert!(near(&[small.v[1], small.v[3]], &[0.5, 0.4]) && near(&[small.l[1], small.l[3]], &[1.6, -0.1]));
    // A change in one part leaves the bits of the other alone.
    let (kept, l) = ([small.v[0], small.v[2]], small.l[0]);
    small.forces[1] = 4.0;
    let solved = small.solve().unwrap();
    assert!(solved.converged && solved.pivots > 0 && near(&[small.v[1], small.v[3]], &[3.9, 0.4]));
    assert_eq!(([small.v[0], small.v[2]], small.l[0]), (kept, l));
    // A conflict is reported by the row numbers of the whole program, and the other part still holds.
    small.goals[2] = 1.0;
    small.goals[3] = 0.3;
    (small.low[3], small.high[3]) = JOINT;
    assert!(!small.solve().unwrap().converged);
    assert_eq!(small.solver.conflicts(), [2]);
    assert!((small.v[1] + small.v[3] - 0.3).abs() < 1e-9);
}
