//! Assembly and every solver do not allocate once they are warm.

use crate::allocations::{alone, fewest_allocations};
use sinew::control::Control;
use sinew::linalg::assembly::Assembly;
use sinew::linalg::cg::{self, BlockJacobi, Preconditioner, Settings};
use sinew::linalg::kkt::KktSolver;
use sinew::linalg::order::Order;
use sinew::linalg::spd::SpdSolver;
use sprs::{CsMat, TriMat};

/// Long enough that the parallel paths run.
const SIDE: usize = 110;
const N: usize = 2 * SIDE * SIDE;

/// The unknowns of the two ends of each edge of a grid, two per vertex.
fn edges() -> Vec<[usize; 4]> {
    let ends = |i: usize, j: usize| [2 * i, 2 * i + 1, 2 * j, 2 * j + 1];
    let right = (0..SIDE * SIDE).filter(|i| i % SIDE + 1 < SIDE).map(|i| ends(i, i + 1));
    right.chain((0..SIDE * (SIDE - 1)).map(|i| ends(i, i + SIDE))).collect()
}

fn spring(stiffness: f64) -> impl Fn(usize, &mut [f64], &mut [f64]) + Sync {
    move |_, block, vector| {
        for k in 0..4 {
            block[5 * k] = stiffness + 0.1;
            block[4 * k + (k + 2) % 4] = -stiffness;
            vector[k] = 1.0;
        }
    }
}

/// Every tenth vertex slides along a direction that depends on `turn`.
fn slides(turn: f64) -> CsMat<f64> {
    let m = SIDE * SIDE / 10;
    let mut rows = TriMat::new((m, N));
    for i in 0..m {
        let angle = 0.8 + turn * (i as f64).sin();
        rows.add_triplet(i, 20 * i, angle.cos());
        rows.add_triplet(i, 20 * i + 1, angle.sin());
    }
    rows.to_csr()
}

#[test]
fn warm_steps_do_not_allocate() {
    let _alone = alone();
    let mut assembly = Assembly::new(N, &edges()).unwrap();
    let (mut gradient, mut x) = (vec![0.0; N], vec![0.0; N]);
    let matrix = assembly.fill_both(&mut gradient, spring(1.0)).unwrap().clone();
    let order = Order::amd(&matrix, 2).unwrap();
    let mut factor = SpdSolver::new(&matrix, &order).unwrap();
    let constraints = [slides(0.0), slides(0.2)];
    let mut kkt = KktSolver::new(&matrix, &constraints[0], &order).unwrap();
    let mut jacobi = BlockJacobi::new(&matrix, 2).unwrap();
    let (mut scratch, control) = (cg::Scratch::default(), Control::default());
    let (mut many, mut multipliers) = (vec![0.0; 3 * N], vec![0.0; constraints[0].rows()]);
    let mut step = |stiffness: f64, constraints: &CsMat<f64>| {
        assembly.fill(|e, block| spring(stiffness)(e, block, &mut [0.0; 4])).unwrap();
        assembly.fill_gradient(&mut gradient, |_, vector| vector.fill(1.0)).unwrap();
        let matrix = assembly.fill_both(&mut gradient, spring(stiffness)).unwrap();
        factor.factor(matrix).unwrap();
        x.fill(1.0);
        factor.solve(&mut x).unwrap();
        many.fill(1.0);
        factor.solve_many(&mut many, 3).unwrap();
        kkt.factor(matrix, constraints).unwrap();
        multipliers.fill(0.1);
        kkt.solve(&mut x, &mut multipliers).unwrap();
        x.fill(1.0);
        multipliers.fill(0.1);
        kkt.solve_once(matrix, constraints, &mut x, &mut multipliers, &gradient).unwrap();
        jacobi.update(matrix).unwrap();
        let preconditioners: [&mut dyn Preconditioner; 2] = [&mut jacobi, &mut factor];
        for preconditioner in preconditioners {
            x.fill(0.0);
            let settings = Settings::default();
            cg::solve(matrix, &gradient, &mut x, preconditioner, settings, &mut scratch, &control).unwrap();
        }
    };
    let taken = fewest_allocations(|| {
        step(1.05, &constraints[1]);
        step(0.9, &constraints[0]);
    });
    assert_eq!(taken, 0);
    assert_eq!(kkt.analyses(), 1);
}
