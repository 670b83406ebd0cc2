use super::*;
use crate::sparse;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

fn to(target: Real, rounds: usize) -> Accuracy {
    Accuracy { target, rounds, sizes: [0.0; 2] }
}

fn signs(positive: usize, negative: usize) -> Vec<Sign> {
    [vec![Sign::Positive; positive], vec![Sign::Negative; negative]].concat()
}

/// A chain of `n` masses on springs with every tenth one held: A and constraints G, and the optimality matrix with
/// `compliance` on the constraints.
fn held_chain(n: usize, compliance: Real) -> DMatrix<Real> {
    let m = n.div_ceil(10);
    let mut k = DMatrix::zeros(n + m, n + m);
    for i in 0..n {
        k[(i, i)] = 2.0;
        if i > 0 {
            (k[(i, i - 1)], k[(i - 1, i)]) = (-1.0, -1.0);
        }
    }
    for row in 0..m {
        (k[(n + row, 10 * row)], k[(10 * row, n + row)]) = (0.7, 0.7);
        k[(n + row, n + row)] = -compliance;
    }
    k
}

proptest! {
    #[test]
    fn equals_a_dense_solve_in_any_order(
        (n, m) in (1usize..20, 0usize..12),
        entries in prop::collection::vec((0usize..32, 0usize..32, -1.0..1.0), 0..90),
        rhs in prop::collection::vec(-1.0..1.0, 32),
        seed in 0usize..1000,
    ) {
        let size = n + m;
        let (mut a, mut c) = (DMatrix::<Real>::zeros(n, n), DMatrix::<Real>::zeros(m, m));
        let mut k = DMatrix::<Real>::zeros(size, size);
        for (i, j, v) in entries {
            let (i, j) = (i % size, j % size);
            match (i < n, j < n) {
                (true, true) => a[(i, j)] += v,
                (false, false) => c[(i - n, j - n)] += v,
                _ => (k[(i, j)], k[(j, i)]) = (v, v),
            }
        }
        k.view_mut((0, 0), (n, n)).copy_from(&(&a * a.transpose() + DMatrix::identity(n, n) * 0.1));
        let negative = -(&c * c.transpose() + DMatrix::identity(m, m) * 0.1);
        k.view_mut((n, n), (m, m)).copy_from(&negative);
        let matrix = sparse(&k);
        let mut unknowns: Vec<usize> = (0..size).collect();
        (1..size).for_each(|i| unknowns.swap(i, seed * (i + 7) % (i + 1)));
        let expected = k.clone().lu().solve(&DVector::from_column_slice(&rhs[..size])).unwrap();
        let signs = signs(n, m);
        let shuffled = LdlSolver::with_order(&matrix, &signs, &Order::new(unknowns).unwrap()).unwrap();
        let lower = sparse(&k.lower_triangle());
        for (mut solver, matrix) in
            [(shuffled, &matrix), (LdlSolver::new(&matrix, &signs).unwrap(), &matrix),
             (LdlSolver::new(&lower, &signs).unwrap(), &lower)]
        {
            prop_assert_eq!(solver.factor(matrix).unwrap(), 0);
            let mut x = rhs[..size].to_vec();
            solver.solve(&mut x).unwrap();
            prop_assert!((DVector::from_vec(x) - &expected).amax() < 1e-9 * (1.0 + expected.amax()));
            let mut x = rhs[..size].to_vec();
            let refined = solver.solve_refined(matrix.data(), &mut x, to(1e-15, 3)).unwrap();
            prop_assert!(refined.error < 1e-14, "{:?}", refined);
            // The sparse pattern holds exactly the predicted fill.
            prop_assert_eq!(solver.factor_len(), solver.order().fill(matrix).unwrap());
        }
    }
}

#[test]
fn a_factor_after_small_changes_is_that_of_a_new_solver_to_the_bit() {
    let mut chain = held_chain(60, 0.3);
    // Zero pivots are measured against the largest number on the diagonal.
    chain[(40, 40)] = 10.0;
    let matrix = |chain: &DMatrix<Real>| sparse(chain);
    let mut kept = LdlSolver::new(&matrix(&chain), &signs(60, 6)).unwrap();
    let fresh_rows = |solver: &LdlSolver| solver.fresh.iter().filter(|fresh| **fresh).count();
    for (round, (i, j, value)) in [
        (61, 10, 0.2),
        (5, 5, 3.0),
        (5, 5, 3.0),
        (17, 17, -9.0),
        (17, 17, 2.0),
        (62, 62, -1e-300),
        (0, 0, 1e9),
        (60, 0, 0.1),
    ]
    .into_iter()
    .enumerate()
    {
        (chain[(i, j)], chain[(j, i)]) = (value, value);
        let mut new = LdlSolver::new(&matrix(&chain), &signs(60, 6)).unwrap();
        let replaced = [&mut kept, &mut new].map(|solver| solver.factor(&matrix(&chain)).unwrap());
        assert_eq!(replaced[0], replaced[1], "{round}");
        assert!(kept.factor == new.factor && kept.inverses == new.inverses, "{round}");
        assert_eq!(fresh_rows(&new), 66);
        match round {
            0 | 6 => assert_eq!(fresh_rows(&kept), 66, "all is new, or the largest number"),
            2 => assert_eq!(fresh_rows(&kept), 0),
            _ => assert!((1..66).contains(&fresh_rows(&kept)), "{round}: {}", fresh_rows(&kept)),
        }
    }
    // Nothing is kept after a failure.
    (chain[(3, 3)], chain[(40, 40)]) = (Real::NAN, 5.0);
    assert!(kept.factor(&matrix(&chain)).is_err());
    chain[(3, 3)] = 2.0;
    let mut new = LdlSolver::new(&matrix(&chain), &signs(60, 6)).unwrap();
    [&mut kept, &mut new]
        .into_iter()
        .for_each(|solver| assert_eq!(solver.factor(&matrix(&chain)).unwrap(), 0));
    assert!(kept.factor == new.factor && kept.inverses == new.inverses);
}

#[test]
fn refinement_finds_the_digits_that_a_regularisation_lost() {
    let n = 400;
    let stored = sparse(&held_chain(n, 1.0));
    let with_compliance = |compliance: Real| {
        let mut matrix = stored.clone();
        // The diagonal is the last entry of the rows below A.
        let ends = stored.indptr().into_raw_storage();
        ends[n + 1..].iter().for_each(|end| matrix.data_mut()[end - 1] = -compliance);
        matrix
    };
    let (pattern, exact) = (with_compliance(1e-6), with_compliance(0.0));
    let mut solver = LdlSolver::new(&pattern, &signs(n, 40)).unwrap();
    assert_eq!(solver.factor(&pattern).unwrap(), 0);
    let rhs: Vec<Real> = (0..n + 40).map(|k| (k as Real).sin()).collect();
    let mut x = rhs.clone();
    solver.solve(&mut x).unwrap();
    let (dense, b) = (held_chain(n, 0.0), DVector::from_column_slice(&rhs));
    let error = |x: &[Real]| (&dense * DVector::from_column_slice(x) - &b).amax();
    assert!(error(&x) > 1e-9);
    let mut x = rhs.clone();
    let refined = solver.solve_refined(exact.data(), &mut x, to(1e-14, 10)).unwrap();
    assert!(refined.error < 1e-14 && (1..6).contains(&refined.rounds), "{refined:?}");
    assert!(error(&x) < 1e-12);
}

#[test]
fn a_nearly_dependent_row_is_found_by_longer_steps() {
    // Two rows that differ by 1e-5: the factor is off by 1 / (1 + 1e-10 / 1e-8) along their difference, which plain
    // corrections would take a thousand rounds to recover.
    let build = |shift: Real| {
        DMatrix::from_row_slice(
            4,
            4,
            &[
                1.0, 0.0, 1.0, 1.0, //
                0.0, 1.0, 0.0, 1e-5, //
                1.0, 0.0, -shift, 0.0, //
                1.0, 1e-5, 0.0, -shift,
            ],
        )
    };
    let keep = |dense: &DMatrix<Real>| {
        let mut sum = sprs::TriMat::new((4, 4));
        (0..4).for_each(|i| (0..=i).for_each(|j| sum.add_triplet(i, j, dense[(i, j)])));
        sum.to_csr::<usize>()
    };
    let (exact, shifted) = (keep(&build(0.0)), keep(&build(1e-8)));
    let mut solver = LdlSolver::new(&shifted, &signs(2, 2)).unwrap();
    solver.factor(&shifted).unwrap();
    let mut x = [0.3, -0.2, 1.0, 1.1];
    let refined = solver.solve_refined(exact.data(), &mut x, to(1e-12, 20)).unwrap();
    assert!(refined.error < 1e-12, "{refined:?}");
    assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] - 1e4).abs() < 1e-3, "{x:?}");
}

#[test]
fn pivots_of_the_wrong_sign_are_replaced_and_counted() {
    let n = 30;
    let mut chain = held_chain(n, 0.5);
    let healthy = sparse(&chain);
    let mut solver = LdlSolver::new(&healthy, &signs(n, 3)).unwrap();
    assert_eq!(solver.factor(&healthy).unwrap(), 0);
    (chain[(17, 17)], chain[(n + 1, n + 1)]) = (-9.0, 4.0);
    // A replaced pivot may spoil its neighbours, so there are at least these two.
    assert!(solver.factor(&sparse(&chain)).unwrap() >= 2);
    // A free chain is singular: its last pivot is round-off.
    let mut free = held_chain(n, 1.0).view((0, 0), (n, n)).into_owned();
    (free[(0, 0)], free[(n - 1, n - 1)]) = (1.0, 1.0);
    let free = sparse(&free);
    let mut solver = LdlSolver::new(&free, &signs(n, 0)).unwrap();
    assert_eq!(solver.factor(&free).unwrap(), 1);
    // A right-hand side that pushes no chain as a whole can still be solved.
    let mut x: Vec<Real> = (0..n).map(|i| [1.0, -1.0][i % 2]).collect();
    let refined = solver.solve_refined(free.data(), &mut x, to(1e-12, 10)).unwrap();
    assert!(refined.error < 1e-12, "{refined:?}");
    // One that does leaves a residual at a replaced pivot.
    let mut x = vec![1.0; n];
    solver.solve_refined(free.data(), &mut x, to(1e-12, 10)).unwrap();
    assert!((solver.residual().iter().sum::<Real>() - n as Real).abs() < 1e-3, "{:?}", solver.residual());
}

#[test]
fn bad_input_is_refused() {
    let matrix = sparse(&held_chain(10, 0.1));
    let signs = signs(10, 1);
    let mut solver = LdlSolver::new(&matrix, &signs).unwrap();
    let kind = |result: Result<()>| result.err().unwrap().kind();
    assert_eq!(kind(solver.solve(&mut [0.0; 11])), Kind::MissingInput);
    assert_eq!(kind(solver.factor(&CsMat::eye(11)).map(|_| ())), Kind::Topology);
    let error = solver.factor(&matrix.map(|&v| if v == 0.7 { Real::NAN } else { v })).unwrap_err();
    assert_eq!(error.kind(), Kind::NotFinite);
    assert!(error.message().ends_with("row 10, column 0"), "{error}");
    assert_eq!(solver.factor(&matrix).unwrap(), 0);
    assert_eq!(kind(solver.solve(&mut [0.0; 4])), Kind::CountMismatch);
    assert_eq!(kind(solver.solve(&mut [Real::INFINITY; 11])), Kind::NotFinite);
    assert_eq!(
        kind(solver.solve_refined(&[1.0; 11], &mut [0.0; 11], to(0.0, 1)).map(|_| ())),
        Kind::CountMismatch
    );
    assert_eq!(kind(LdlSolver::new(&matrix, &signs[1..]).map(|_| ())), Kind::CountMismatch);
    assert!(LdlSolver::new(&CsMat::zero((2, 3)), &signs[..2]).is_err());
    let error = solver.factor(&matrix.map(|&v| if v == -1.0 { 1e300 } else { v * 1e-200 })).unwrap_err();
    assert_eq!(error.kind(), Kind::NoConvergence);
    assert_eq!(kind(solver.solve(&mut [0.0; 11])), Kind::MissingInput);
}

#[test]
fn nothing_to_solve_and_nothing_stored() {
    let mut solver = LdlSolver::new(&CsMat::zero((0, 0)), &[]).unwrap();
    assert!(solver.is_empty());
    assert_eq!(solver.factor(&CsMat::zero((0, 0))).unwrap(), 0);
    solver.solve(&mut []).unwrap();
    let zero = CsMat::zero((3, 3));
    let mut solver = LdlSolver::new(&zero, &signs(2, 1)).unwrap();
    assert_eq!((solver.len(), solver.factor(&zero).unwrap()), (3, 3));
    let mut x = [0.0; 3];
    assert_eq!(solver.solve_refined(zero.data(), &mut x, to(1e-12, 3)).unwrap().error, 0.0);
}
