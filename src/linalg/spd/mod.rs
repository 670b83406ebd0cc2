//! Cholesky factorisation of a symmetric positive definite matrix: the pattern is analysed once, values refactored per
//! step, solved as often as needed.
//!
//! The bits of a factor and of a solution depend neither on the processor nor on the threads. Large matrices are
//! factored on several threads.

mod dense;
mod fronts;
mod number;
mod parts;
mod supernodes;
mod triangles;

use crate::order::{Order, out_of_memory, symmetric_rows};
use dense::Tiled;
use fronts::{Known, Plan, Updates, factor_memory};
use parts::{Parts, Tree};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sprs::CsMat;
use supernodes::{PermutedLower, Supernodes};
use triangles::{Lanes, Triangles};

/// Right-hand sides solved together: a factor is read once for all of them, and memory stays bounded.
const AT_ONCE: usize = 8;

/// A sparse Cholesky factor with a fixed pattern.
///
/// Matrices are stored by rows and only the entries on and below the diagonal are read, so one triangle is enough.
/// Nothing is allocated after the first [`Solver::factor`] and [`Solver::solve`].
pub type SpdSolver = Solver<Real>;

/// The same in single precision: half the memory and nearly half the time, for solutions that are good to a few digits.
/// Matrices and right-hand sides may be of any size.
pub type SingleSolver = Solver<f32>;

/// A sparse Cholesky factor in numbers of the type `T`: [`SpdSolver`] or [`SingleSolver`].
pub struct Solver<T> {
    order: Order,
    /// The analysed pattern, to detect a different one.
    given_starts: Vec<usize>,
    given_columns: Vec<usize>,
    nodes: Supernodes,
    parts: Parts,
    plan: Plan,
    updates: Updates<T>,
    factor: Vec<T>,
    /// 1 / the factor's diagonal.
    inverses: Vec<T>,
    factored: bool,
    /// What the matrix was multiplied by.
    scale: Real,
    /// The right-hand side in the order of the parts.
    permuted: Vec<T>,
    /// The rows of one supernode in each part.
    of_supernode: Vec<T>,
    /// The same for several right-hand sides; empty until they are used.
    side_by_side: Vec<[T; AT_ONCE]>,
    of_supernode_side_by_side: Vec<[T; AT_ONCE]>,
}

#[expect(private_bounds, reason = "there are no other numbers")]
impl<T: Tiled + Lanes> Solver<T> {
    /// Analyses the pattern of `matrix`; its values are not read yet.
    pub fn new(matrix: &CsMat<Real>, order: &Order) -> Result<Self> {
        let (given_starts, given_columns) = symmetric_rows(matrix)?;
        if given_columns.len() > u32::MAX as usize {
            return Err(out_of_memory(matrix.rows()));
        }
        let order = order.postordered(matrix)?;
        let lower = PermutedLower::new(given_starts, given_columns, &order);
        let n = order.len();
        let mut nodes = Supernodes::new(&lower);
        let tree = Tree::new(&nodes, n);
        let parts = Parts::new(&nodes, &tree, n);
        parts.keep_apart(&mut nodes);
        let plan = Plan::new(&nodes, &tree, &parts, &lower).ok_or_else(|| out_of_memory(n))?;
        Ok(Solver {
            order,
            given_starts: given_starts.to_vec(),
            given_columns: given_columns.to_vec(),
            updates: Updates::new(&plan),
            plan,
            factor: vec![T::ZERO; factor_memory(&nodes)],
            inverses: vec![T::ZERO; n],
            of_supernode: vec![T::ZERO; nodes.most_rows() * parts.all.len().max(1)],
            permuted: vec![T::ZERO; parts.len],
            nodes,
            parts,
            factored: false,
            scale: 1.0,
            side_by_side: Vec::new(),
            of_supernode_side_by_side: Vec::new(),
        })
    }

    /// The number of unknowns.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The order of elimination.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The number of stored entries of the factor, zeros inside its dense blocks included.
    pub fn factor_len(&self) -> usize {
        self.nodes.values_len()
    }

    /// Factors a matrix of the analysed pattern. After an error there is no valid factor.
    ///
    /// Errors: a different pattern ([`Kind::Topology`]), a value that is not finite ([`Kind::NotFinite`]), a matrix
    /// that is not positive definite ([`Kind::NoConvergence`], naming the unknown whose pivot failed).
    pub fn factor(&mut self, matrix: &CsMat<Real>) -> Result<()> {
        self.factor_named(matrix, |unknown| unknown)
    }

    /// [`Solver::factor`] for a matrix whose unknowns are numbered differently by the outer caller.
    pub(crate) fn factor_named(&mut self, matrix: &CsMat<Real>, name: impl Fn(usize) -> usize) -> Result<()> {
        self.factored = false;
        let (starts, columns) = symmetric_rows(matrix)?;
        if starts != self.given_starts || columns != self.given_columns {
            return Err(Error::new(
                Kind::Topology,
                "the pattern of the matrix differs from the analysed one",
            ));
        }
        let given = matrix.data();
        // No entry of a positive definite matrix is larger than the largest on its diagonal.
        self.scale = T::scale_to_one(given);
        let (nodes, parts, plan, scale) = (&self.nodes, &self.parts, &self.plan, self.scale);
        let known = Known { nodes, parts, plan, given, scale };
        if let Err(position) = known.factor(&mut self.factor, &mut self.inverses, &mut self.updates) {
            return Err(refused(matrix, name(self.order.unknowns()[position])));
        }
        self.factored = true;
        Ok(())
    }

    /// Solves in place: `x` holds the right-hand side and then the solution.
    pub fn solve(&mut self, x: &mut [Real]) -> Result<()> {
        self.solve_many(x, 1)
    }

    /// Solves for `columns` right-hand sides that lie one after the other in `x`.
    pub fn solve_many(&mut self, x: &mut [Real], columns: usize) -> Result<()> {
        let n = self.len();
        if !self.factored {
            return Err(Error::new(Kind::MissingInput, "there is no factor to solve with"));
        }
        if x.len() != n * columns {
            let text = format!("{} numbers for {columns} right-hand sides of {n} unknowns", x.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        if let Some(k) = x.iter().position(|v| !v.is_finite()) {
            let text = format!("the right-hand side is not finite at unknown {}", k % n);
            return Err(Error::new(Kind::NotFinite, text));
        }
        if n == 0 {
            return Ok(());
        }
        if columns == 1 {
            self.solve_one(x);
        } else {
            x.chunks_mut(n * AT_ONCE).for_each(|block| self.solve_some(block));
        }
        Ok(())
    }

    fn triangles(&self) -> Triangles<'_, T> {
        Triangles { nodes: &self.nodes, parts: &self.parts, factor: &self.factor, inverses: &self.inverses }
    }

    fn solve_one(&mut self, x: &mut [Real]) {
        let [mut permuted, mut rows] = [&mut self.permuted, &mut self.of_supernode].map(std::mem::take);
        let (places, unknowns) = (&self.parts.places, self.order.unknowns());
        let scale = T::scale_to_one(x);
        let all = || places.iter().zip(unknowns);
        all().for_each(|(&place, &unknown)| permuted[place as usize] = T::of(scale * x[unknown]));
        self.triangles().solve(&mut permuted, &mut rows);
        let back = self.scale / scale;
        all().for_each(|(&place, &unknown)| x[unknown] = back * permuted[place as usize].real());
        [self.permuted, self.of_supernode] = [permuted, rows];
    }

    /// Solves for at most [`AT_ONCE`] right-hand sides, side by side.
    fn solve_some(&mut self, block: &mut [Real]) {
        let [mut permuted, mut rows] =
            [&mut self.side_by_side, &mut self.of_supernode_side_by_side].map(std::mem::take);
        permuted.resize(self.parts.len, [T::ZERO; AT_ONCE]);
        rows.resize(self.of_supernode.len(), [T::ZERO; AT_ONCE]);
        let all = || self.parts.places.iter().zip(self.order.unknowns());
        let mut scales = [1.0; AT_ONCE];
        for (column, from) in block.chunks(self.order.len()).enumerate() {
            let scale = T::scale_to_one(from);
            scales[column] = scale;
            all().for_each(|(&place, &unknown)| {
                permuted[place as usize][column] = T::of(scale * from[unknown])
            });
        }
        self.triangles().solve(&mut permuted, &mut rows);
        for (column, to) in block.chunks_mut(self.order.len()).enumerate() {
            let back = self.scale / scales[column];
            all().for_each(|(&place, &unknown)| to[unknown] = back * permuted[place as usize][column].real());
        }
        [self.side_by_side, self.of_supernode_side_by_side] = [permuted, rows];
    }
}

/// Why a matrix cannot be factored: a NaN spoils the pivots after it.
fn refused(matrix: &CsMat<Real>, unknown: usize) -> Error {
    match matrix.iter().find(|(v, (row, column))| column <= row && !v.is_finite()) {
        Some((_, (row, column))) => {
            Error::new(Kind::NotFinite, format!("the matrix is not finite at row {row}, column {column}"))
        }
        None => {
            let text = format!("the matrix is not positive definite at unknown {unknown}");
            Error::new(Kind::NoConvergence, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    /// The negative second difference of `n` points between two fixed ends.
    fn chain(n: usize) -> DMatrix<Real> {
        DMatrix::from_fn(n, n, |i, j| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)])
    }

    proptest! {
        #[test]
        fn equals_a_dense_factorisation(
            n in 1usize..25,
            entries in prop::collection::vec((0usize..25, 0usize..25, -1.0..1.0), 0..60),
            rhs in prop::collection::vec(-1.0..1.0, 25 * 11),
            seed in 0usize..1000,
        ) {
            let mut b = DMatrix::<Real>::zeros(n, n);
            for (i, j, v) in entries {
                b[(i % n, j % n)] += v;
            }
            let dense = &b * b.transpose() + DMatrix::identity(n, n) * 0.5;
            let matrix = sparse(&dense);
            let mut unknowns: Vec<usize> = (0..n).collect();
            (1..n).for_each(|i| unknowns.swap(i, seed * (i + 7) % (i + 1)));
            let factor = dense.clone().cholesky().unwrap();
            for order in [Order::new(unknowns).unwrap(), Order::amd(&matrix, 1).unwrap()] {
                let mut solver = SpdSolver::new(&matrix, &order).unwrap();
                solver.factor(&matrix).unwrap();
                for columns in [1, 11] {
                    let mut x = rhs[..n * columns].to_vec();
                    solver.solve_many(&mut x, columns).unwrap();
                    let expected = factor.solve(&DMatrix::from_column_slice(n, columns, &rhs[..n * columns]));
                    prop_assert!((DMatrix::from_vec(n, columns, x) - expected).amax() < 1e-10);
                }
            }
        }
    }

    /// Positive definite: random off-diagonal entries, dominated by the diagonal.
    fn coupled(n: usize, coupled: impl Fn(usize, usize) -> bool) -> CsMat<Real> {
        let mut sum = sprs::TriMat::new((n, n));
        let mut size = vec![0.5; n];
        for i in 0..n {
            for j in (0..i).filter(|&j| coupled(i, j)) {
                let value = ((i * 7919 + j * 104_729) as Real).sin();
                sum.add_triplet(i, j, value);
                (size[i], size[j]) = (size[i] + value.abs(), size[j] + value.abs());
            }
        }
        size.iter().enumerate().for_each(|(i, &size)| sum.add_triplet(i, i, size));
        sum.to_csr()
    }

    #[test]
    fn fronts_of_all_shapes_are_factored() {
        // A full matrix has one front, deeper than one block of the elimination; stars have one child after another; in
        // a sheet they meet in pairs, with rows that are spread over their parent's.
        let sheet = |i: usize, j: usize| (i / 2).abs_diff(j / 2) <= 1 || (i / 2).abs_diff(j / 2) == 23;
        let matrices = [
            coupled(301, |_, _| true),
            coupled(450, |i, j| i >= 300 && (j >= 300 || (i + j) % 4 == 0)),
            coupled(201, |i, j| i == 200 || i - j == 100),
            coupled(2 * 23 * 20 + 1, sheet),
        ];
        for lower in &matrices {
            let n = lower.rows();
            for order in [Order::amd(lower, 1).unwrap(), Order::identity(n)] {
                let mut solver = SpdSolver::new(lower, &order).unwrap();
                solver.factor(lower).unwrap();
                let exact: Vec<Real> = (0..n).map(|i| (i as Real).cos()).collect();
                let mut x = vec![0.0; n];
                for (value, (i, j)) in lower {
                    x[i] += value * exact[j];
                    x[j] += if i == j { 0.0 } else { value * exact[i] };
                }
                solver.solve(&mut x).unwrap();
                let off = x.iter().zip(&exact).map(|(x, exact)| (x - exact).abs()).fold(0.0, Real::max);
                assert!(off < 1e-11, "{n}: {off:e}");
            }
        }
    }

    #[test]
    fn parts_of_large_matrices_are_solved_at_once_with_the_same_bits() {
        let wide = 30;
        let near = |i: usize, j: usize| (i / 2).abs_diff(j / 2) <= 1 || (i / 2).abs_diff(j / 2) == wide;
        // One sheet; three unconnected ones of different sizes.
        let piece = |i: usize| [0, 1, 2, 2][(i / 1500).min(3)];
        for lower in [coupled(6000, near), coupled(5400, |i, j| near(i, j) && piece(i) == piece(j))] {
            let n = lower.rows();
            let order = Order::amd(&lower, 1).unwrap();
            let exact: Vec<Real> = (0..3 * n).map(|i| (i as Real).cos()).collect();
            let mut known = vec![0.0; 3 * n];
            for (known, exact) in known.chunks_mut(n).zip(exact.chunks(n)) {
                for (value, (i, j)) in &lower {
                    known[i] += value * exact[j];
                    known[j] += if i == j { 0.0 } else { value * exact[i] };
                }
            }
            let solved = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let mut solver = SpdSolver::new(&lower, &order).unwrap();
                    assert!(
                        solver.parts.all.len() > 2 && !solver.parts.nodes(solver.parts.all.len()).is_empty()
                    );
                    // Once more, over the remains of the first.
                    (0..2).for_each(|_| solver.factor(&lower).unwrap());
                    let (mut one, mut all) = (known[..n].to_vec(), known.clone());
                    solver.solve(&mut one).unwrap();
                    solver.solve_many(&mut all, 3).unwrap();
                    (one, all)
                })
            };
            let (one, all) = solved(1);
            let off = |x: &[Real]| x.iter().zip(&exact).map(|(x, e)| (x - e).abs()).fold(0.0, Real::max);
            assert!(off(&one) < 1e-11 && off(&all) < 1e-11, "{:e} {:e}", off(&one), off(&all));
            assert!(solved(2) == (one.clone(), all.clone()) && solved(5) == (one, all));
            // Both a part and the top name the unknown that fails.
            let mut solver = SpdSolver::new(&lower, &order).unwrap();
            for position in [0, n - 1] {
                let unknown = order.postordered(&lower).unwrap().unknowns()[position];
                let mut spoiled = lower.clone();
                *spoiled.get_mut(unknown, unknown).unwrap() = -1.0;
                let error = solver.factor(&spoiled).unwrap_err();
                assert!(error.message().ends_with(&format!("unknown {unknown}")), "{error}");
            }
        }
    }

    #[test]
    fn single_precision_solves_to_a_few_digits_whatever_the_size_of_the_numbers() {
        let wide = 30;
        let near = |i: usize, j: usize| (i / 2).abs_diff(j / 2) <= 1 || (i / 2).abs_diff(j / 2) == wide;
        let lower = coupled(6000, near);
        let n = lower.rows();
        let order = Order::amd(&lower, 1).unwrap();
        let known: Vec<Real> = (0..3 * n).map(|i| (i as Real).cos()).collect();
        let mut exact = known.clone();
        let mut double = SpdSolver::new(&lower, &order).unwrap();
        double.factor(&lower).unwrap();
        double.solve_many(&mut exact, 3).unwrap();
        let most = exact.iter().fold(0.0, |most: Real, x| most.max(x.abs()));
        let solved = |threads: usize, of_matrix: Real, of_sides: Real, columns: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut single = SingleSolver::new(&lower, &order).unwrap();
                single.factor(&lower.map(|v| v * of_matrix)).unwrap();
                let mut x: Vec<Real> = known[..n * columns].iter().map(|v| v * of_sides).collect();
                single.solve_many(&mut x, columns).unwrap();
                x.iter().map(|x| x / of_sides * of_matrix).collect::<Vec<_>>()
            })
        };
        for columns in [1, 3] {
            let plain = solved(1, 1.0, 1.0, columns);
            let off = plain.iter().zip(&exact).map(|(x, e)| (x - e).abs()).fold(0.0, Real::max) / most;
            assert!(off < 1e-5, "{columns}: {off:e}");
            // By powers of two nothing is rounded otherwise, far beyond the range of single numbers.
            assert!(solved(2, 2.0_f64.powi(-300), 2.0_f64.powi(400), columns) == plain);
        }
    }

    #[test]
    fn what_cancels_in_single_precision_is_left_to_double() {
        let n = 300;
        let mut dense = chain(n);
        (dense[(0, 0)], dense[(n - 1, n - 1)]) = (1.0, 1.0);
        let matrix = sparse(&(dense + DMatrix::identity(n, n) * 1e-11));
        let order = Order::amd(&matrix, 1).unwrap();
        let error = SingleSolver::new(&matrix, &order).unwrap().factor(&matrix).unwrap_err();
        assert_eq!(error.kind(), Kind::NoConvergence);
        SpdSolver::new(&matrix, &order).unwrap().factor(&matrix).unwrap();
    }

    #[test]
    fn a_loaded_chain_hangs_in_a_parabola() {
        let n = 500;
        let matrix = sparse(&chain(n));
        let mut solver = SpdSolver::new(&matrix, &Order::amd(&matrix, 1).unwrap()).unwrap();
        for scale in [1.0, 4.0] {
            solver.factor(&matrix.map(|v| v * scale)).unwrap();
            let mut x = vec![1.0; n];
            solver.solve(&mut x).unwrap();
            for (i, got) in x.iter().enumerate() {
                let exact = (i + 1) as Real * (n - i) as Real / (2.0 * scale);
                assert!((got - exact).abs() < 1e-9 * exact, "{i}: {got} {exact}");
            }
        }
    }

    #[test]
    fn one_triangle_is_enough() {
        let lower = sparse(&chain(9).lower_triangle());
        let mut solver = SpdSolver::new(&lower, &Order::identity(9)).unwrap();
        solver.factor(&lower).unwrap();
        let mut x = vec![1.0; 9];
        solver.solve(&mut x).unwrap();
        assert!((chain(9) * DVector::from_vec(x) - DVector::from_element(9, 1.0)).amax() < 1e-13);
    }

    #[test]
    fn an_indefinite_matrix_is_refused_and_its_unknown_named() {
        let n = 200;
        let mut dense = chain(n);
        dense[(137, 137)] = -3.0;
        let matrix = sparse(&dense);
        // Eliminated first, the bad unknown is the one whose pivot fails.
        let order = Order::new([137].into_iter().chain((0..n).filter(|&i| i != 137)).collect()).unwrap();
        let mut solver = SpdSolver::new(&matrix, &order).unwrap();
        let error = solver.factor(&matrix).unwrap_err();
        assert_eq!(error.kind(), Kind::NoConvergence);
        assert!(error.message().ends_with("unknown 137"), "{error}");
        assert_eq!(solver.solve(&mut vec![0.0; n]).unwrap_err().kind(), Kind::MissingInput);
        solver.factor(&matrix.map(|&v| if v == -3.0 { 2.0 } else { v })).unwrap();
    }

    #[test]
    fn a_free_chain_is_singular_and_refused() {
        let n = 300;
        let mut dense = chain(n);
        (dense[(0, 0)], dense[(n - 1, n - 1)]) = (1.0, 1.0);
        let matrix = sparse(&(dense * 0.7));
        for order in [Order::identity(n), Order::amd(&matrix, 1).unwrap()] {
            let error = SpdSolver::new(&matrix, &order).unwrap().factor(&matrix).unwrap_err();
            assert_eq!(error.kind(), Kind::NoConvergence);
        }
    }

    #[test]
    fn other_patterns_and_bad_numbers_are_refused() {
        let matrix = sparse(&chain(5));
        let mut solver = SpdSolver::new(&matrix, &Order::identity(5)).unwrap();
        let kind = |result: Result<()>| result.err().unwrap().kind();
        assert_eq!(kind(solver.factor(&CsMat::eye(5))), Kind::Topology);
        assert_eq!(kind(solver.factor(&CsMat::eye(4))), Kind::Topology);
        let error = solver.factor(&matrix.map(|&v| if v < 0.0 { Real::NAN } else { v })).unwrap_err();
        assert_eq!(error.kind(), Kind::NotFinite);
        assert!(error.message().ends_with("row 1, column 0"), "{error}");
        let error = solver.factor(&matrix.map(|&v| if v > 0.0 { Real::INFINITY } else { v })).unwrap_err();
        assert_eq!(error.kind(), Kind::NotFinite);
        solver.factor(&matrix).unwrap();
        assert_eq!(kind(solver.solve(&mut [0.0; 4])), Kind::CountMismatch);
        assert_eq!(kind(solver.solve(&mut [0.0, 1.0, Real::INFINITY, 0.0, 0.0])), Kind::NotFinite);
        assert!(SpdSolver::new(&matrix, &Order::identity(4)).is_err());
        assert!(SpdSolver::new(&CsMat::zero((2, 3)), &Order::identity(2)).is_err());
    }

    #[test]
    fn nothing_to_solve_and_no_diagonal() {
        let empty = CsMat::zero((0, 0));
        let mut solver = SpdSolver::new(&empty, &Order::identity(0)).unwrap();
        solver.factor(&empty).unwrap();
        solver.solve(&mut []).unwrap();
        let zero = CsMat::zero((3, 3));
        let mut solver = SpdSolver::new(&zero, &Order::identity(3)).unwrap();
        assert_eq!(solver.factor(&zero).unwrap_err().kind(), Kind::NoConvergence);
    }
}
