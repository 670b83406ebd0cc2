//! Solving bounded programs does not allocate once they are warm.

use crate::allocations::{alone, fewest_allocations};
use sinew::solve::bounded::{Bounded, BoundedSolver};
use sinew::solve::boxed::{Boxed, BoxedSolver, RowState};
use sprs::{CsMat, TriMat};

const N: usize = 200;
const M: usize = 50;

#[test]
fn warm_solves_do_not_allocate() {
    let _alone = alone();
    let mut rows = TriMat::new((M, N));
    (0..M).for_each(|i| (0..4).for_each(|k| rows.add_triplet(i, 4 * i + k, 1.0 + k as f64)));
    let (matrix, rows): (CsMat<f64>, CsMat<f64>) = (CsMat::eye(N), rows.to_csr());
    let mut solver = BoxedSolver::new(&matrix, &rows).unwrap();
    let (mut v, mut multipliers, mut states) = (vec![0.0; N], vec![0.0; M], vec![RowState::AtLow; M]);
    let (goals, compliance, low, high) = (vec![0.1; M], vec![0.0; M], vec![0.0; M], vec![f64::INFINITY; M]);
    let mut muscles = BoundedSolver::default();
    let (mut a, mut sides) = (vec![0.0; 20], vec![RowState::Enforced; 20]);
    let (mut dv, mut dl) = (vec![0.0; N], vec![0.0; M]);
    let taken = fewest_allocations(|| {
        for turn in [0.0, 1.0, 2.0] {
            let forces: [f64; N] = std::array::from_fn(|k| (k as f64 + turn).sin());
            let problem = Boxed {
                matrix: &matrix,
                forces: &forces,
                rows: &rows,
                goals: &goals,
                compliance: &compliance,
                low: &low,
                high: &high,
            };
            let solved = solver.solve(&problem, &mut v, &mut multipliers, &mut states, 30).unwrap();
            assert!(solved.converged && (turn == 0.0 || solved.pivots > 0));
            solver.again(&forces, &goals, &mut dv, &mut dl).unwrap();
            let problem = Bounded {
                jacobian: &forces[..60],
                goals: &forces[60..63],
                weights: &[0.1; 20],
                preferred: &[0.0; 20],
                low: &[0.0; 20],
                high: &[0.2; 20],
            };
            assert!(muscles.solve(&problem, &mut a, &mut sides).unwrap().converged);
        }
    });
    assert_eq!(taken, 0);
}
