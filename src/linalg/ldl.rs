//! LDLᵀ factorisation of a symmetric quasi-definite matrix: the pattern analysed once, numbers refactored per step.
//!
//! Quasi-definite: positive definite in some unknowns, negative definite in the others, in any order; the optimality
//! system of a regularised quadratic program is. Such a matrix has a factor with a diagonal D in every order of
//! elimination \[Vanderbei95\], so the order may be chosen for sparsity alone and once for all.
//!
//! Up-looking, entry by entry \[Davis06 ch. 4.9\]: for systems of some thousand unknowns with very little fill the dense
//! blocks of [`crate::linalg::spd`] cost more than they give.
//!
//! - \[Davis06\]: Davis, "Direct methods for sparse linear systems", 2006.
//! - \[Vanderbei95\]: Vanderbei, "Symmetric quasidefinite matrices", 1995.
//! - \[Gill96\]: Gill, Saunders, Shinnerl, "On the stability of Cholesky factorization for symmetric quasidefinite
//!   systems", 1996.

mod pattern;
mod refinement;

use crate::error::{Error, Kind, Result};
use crate::linalg::order::{Order, out_of_memory, symmetric_rows};
use crate::math::Real;
use pattern::{PermutedRows, row_patterns, transposed};
pub use refinement::{Accuracy, Refined};
use refinement::{Refinement, Triangle};
use sprs::CsMat;

/// A pivot smaller than this part of the numbers it was summed from is round-off; that is a few 1e-16 of them.
const SMALLEST_PIVOT: Real = 1e-13;
/// What stands for such a pivot, in the same unit: the root of the round-off, so that half of the digits survive the
/// division and refinement can find the others.
const REPLACED_PIVOT: Real = 1.5e-8;
/// Which sign the pivot of an unknown must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// An unknown of the positive definite part.
    Positive,
    /// An unknown of the negative definite part.
    Negative,
}

impl Sign {
    fn factor(self) -> Real {
        match self {
            Sign::Positive => 1.0,
            Sign::Negative => -1.0,
        }
    }
}

/// A sparse LDLᵀ factor with a fixed pattern.
///
/// Matrices are stored by rows and only the entries on and below the diagonal are read, so one triangle is enough.
/// After construction nothing is allocated.
pub struct LdlSolver {
    order: Order,
    /// The pattern that was analysed, to refuse another one.
    given_starts: Vec<usize>,
    given_columns: Vec<usize>,
    triangle: Triangle,
    /// The strictly lower triangle of the permuted matrix by rows: columns, and where each value comes from.
    starts: Vec<u32>,
    columns: Vec<u32>,
    sources: Vec<u32>,
    /// Where the diagonal of each position comes from; `u32::MAX` when the pattern lacks it.
    diagonal: Vec<u32>,
    /// The sign of each position's pivot, as a factor.
    signs: Vec<Real>,
    /// Where each row of L has entries, ascending.
    reach_starts: Vec<u32>,
    reach: Vec<u32>,
    /// L by columns without its unit diagonal, and D.
    factor_starts: Vec<u32>,
    factor_rows: Vec<u32>,
    factor: Vec<Real>,
    pivots: Vec<Real>,
    factored: bool,
    /// The end of what is known of each column of L, and one row of L D.
    ends: Vec<u32>,
    row: Vec<Real>,
    permuted: Vec<Real>,
    refinement: Refinement,
}

impl LdlSolver {
    /// Analyses the pattern of `matrix` in an order of minimum degree; its values are not read yet.
    pub fn new(matrix: &CsMat<Real>, signs: &[Sign]) -> Result<Self> {
        Self::with_order(matrix, signs, &Order::amd(matrix, 1)?)
    }

    /// Analyses the pattern of `matrix` in the given order; its values are not read yet.
    pub fn with_order(matrix: &CsMat<Real>, signs: &[Sign], order: &Order) -> Result<Self> {
        let (given_starts, given_columns) = symmetric_rows(matrix)?;
        let n = matrix.rows();
        if signs.len() != n {
            let text = format!("{} signs for {n} unknowns", signs.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        let order = order.postordered(matrix)?;
        let lower = PermutedRows::new(given_starts, given_columns, order.positions());
        let (reach_starts, reach) = row_patterns(&lower);
        if reach.len() >= u32::MAX as usize || given_columns.len() >= u32::MAX as usize {
            return Err(out_of_memory(n));
        }
        let (factor_starts, factor_rows) = transposed(&reach_starts, &reach);
        let numbers = || vec![0.0; n];
        Ok(LdlSolver {
            signs: order.unknowns().iter().map(|&unknown| signs[unknown].factor()).collect(),
            order,
            given_starts: given_starts.to_vec(),
            given_columns: given_columns.to_vec(),
            triangle: Triangle::new(given_starts, given_columns),
            starts: lower.starts,
            columns: lower.columns,
            sources: lower.sources,
            diagonal: lower.diagonal,
            reach_starts,
            factor: vec![0.0; reach.len()],
            reach,
            ends: factor_starts[..n].to_vec(),
            factor_starts,
            factor_rows,
            pivots: numbers(),
            factored: false,
            row: numbers(),
            permuted: numbers(),
            refinement: Refinement::new(n),
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

    /// The stored numbers of the factor.
    pub fn factor_len(&self) -> usize {
        self.factor.len() + self.pivots.len()
    }

    /// Factors a matrix of the analysed pattern. After an error there is no factor to solve with.
    ///
    /// Returns how many pivots had the wrong sign or were round-off, and were replaced by small ones of the right sign:
    /// with any, the factor is that of a neighbouring matrix.
    ///
    /// Errors: another pattern ([`Kind::Topology`]), a value that is not finite ([`Kind::NotFinite`]), numbers that
    /// overflow ([`Kind::NoConvergence`], naming the unknown).
    pub fn factor(&mut self, matrix: &CsMat<Real>) -> Result<usize> {
        self.factored = false;
        self.check_pattern(matrix)?;
        let data = matrix.data();
        let finite = data.iter().fold(true, |all, v| all & v.is_finite());
        if !finite {
            not_finite(matrix)?;
        }
        let largest = self.diagonal.iter().filter_map(|&d| data.get(d as usize));
        let largest = largest.fold(0.0, |largest: Real, v| largest.max(v.abs()));
        self.ends.copy_from_slice(&self.factor_starts[..self.pivots.len()]);
        let mut replaced = 0;
        for k in 0..self.len() {
            let (pivot, size) = self.eliminate(k, data);
            let sign = self.signs[k];
            self.pivots[k] = if pivot * sign > SMALLEST_PIVOT * size {
                pivot
            } else {
                replaced += 1;
                let size = if size > 0.0 { size } else { largest };
                sign * REPLACED_PIVOT * if size > 0.0 { size } else { 1.0 }
            };
            if !(pivot.is_finite() && size.is_finite()) {
                let text = format!("the factor overflows at unknown {}", self.order.unknowns()[k]);
                return Err(Error::new(Kind::NoConvergence, text));
            }
        }
        self.factored = true;
        Ok(replaced)
    }

    /// Row `k` of L from the rows above it, and its pivot with the size of what it was summed from \[Davis06 ch. 4.9\]:
    /// solve L_{<k} y = a_k, then l_k = D⁻¹ y and d_k = a_kk - l_kᵀ y.
    fn eliminate(&mut self, k: usize, data: &[Real]) -> (Real, Real) {
        let entries = self.starts[k] as usize..self.starts[k + 1] as usize;
        for (&column, &source) in self.columns[entries.clone()].iter().zip(&self.sources[entries]) {
            self.row[column as usize] = data[source as usize];
        }
        let mut pivot = data.get(self.diagonal[k] as usize).copied().unwrap_or(0.0);
        let mut size = pivot.abs();
        for &i in &self.reach[self.reach_starts[k] as usize..self.reach_starts[k + 1] as usize] {
            let i = i as usize;
            let y = std::mem::take(&mut self.row[i]);
            let known = self.factor_starts[i] as usize..self.ends[i] as usize;
            self.ends[i] += 1;
            let l = y / self.pivots[i];
            self.factor[known.end] = l;
            // Rows that are switched off are full of zeros.
            if y != 0.0 {
                for (&row, &value) in self.factor_rows[known.clone()].iter().zip(&self.factor[known]) {
                    self.row[row as usize] -= value * y;
                }
                pivot -= l * y;
                size += (l * y).abs();
            }
        }
        (pivot, size)
    }

    /// Solves in place: `x` holds the right-hand side and then the solution.
    pub fn solve(&mut self, x: &mut [Real]) -> Result<()> {
        self.check_rhs(x)?;
        self.substitute(x);
        Ok(())
    }

    /// Solves L D Lᵀ x = b in place, unknowns in their own order outside.
    fn substitute(&mut self, x: &mut [Real]) {
        let permuted = &mut self.permuted;
        permuted.iter_mut().zip(self.order.unknowns()).for_each(|(to, &unknown)| *to = x[unknown]);
        let column = |k: usize| {
            let entries = self.factor_starts[k] as usize..self.factor_starts[k + 1] as usize;
            self.factor_rows[entries.clone()].iter().zip(&self.factor[entries])
        };
        for k in 0..permuted.len() {
            let value = permuted[k];
            if value != 0.0 {
                column(k).for_each(|(&row, l)| permuted[row as usize] -= l * value);
            }
        }
        for k in (0..permuted.len()).rev() {
            let sum: Real = column(k).map(|(&row, l)| l * permuted[row as usize]).sum();
            permuted[k] = permuted[k] / self.pivots[k] - sum;
        }
        permuted.iter().zip(self.order.unknowns()).for_each(|(&value, &unknown)| x[unknown] = value);
    }

    fn check_pattern(&self, matrix: &CsMat<Real>) -> Result<()> {
        let (starts, columns) = symmetric_rows(matrix)?;
        if starts != self.given_starts || columns != self.given_columns {
            return Err(Error::new(Kind::Topology, "the matrix has another pattern than was analysed"));
        }
        Ok(())
    }

    fn check_rhs(&self, x: &[Real]) -> Result<()> {
        if !self.factored {
            return Err(Error::new(Kind::MissingInput, "there is no factor to solve with"));
        }
        if x.len() != self.len() {
            let text = format!("{} numbers for {} unknowns", x.len(), self.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        if let Some(k) = x.iter().position(|v| !v.is_finite()) {
            let text = format!("the right-hand side is not finite at unknown {k}");
            return Err(Error::new(Kind::NotFinite, text));
        }
        Ok(())
    }
}

/// Refuses a matrix with a value that is not finite in the part that is read.
fn not_finite(matrix: &CsMat<Real>) -> Result<()> {
    match matrix.iter().find(|(v, (row, column))| column <= row && !v.is_finite()) {
        Some((_, (row, column))) => {
            let text = format!("the matrix is not finite at row {row}, column {column}");
            Err(Error::new(Kind::NotFinite, text))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    fn sparse(dense: &DMatrix<Real>) -> CsMat<Real> {
        let mut sum = sprs::TriMat::new(dense.shape());
        for (k, &v) in dense.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            sum.add_triplet(k % dense.nrows(), k / dense.nrows(), v);
        }
        sum.to_csr()
    }

    fn to(target: Real, rounds: usize) -> Accuracy {
        Accuracy { target, rounds, sizes: [0.0; 2] }
    }

    fn signs(positive: usize, negative: usize) -> Vec<Sign> {
        [vec![Sign::Positive; positive], vec![Sign::Negative; negative]].concat()
    }

    /// A chain of `n` masses on springs with every tenth one held: A and rows G, and the optimality matrix with
    /// `compliance` of the rows.
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
                let refined = solver.solve_refined(matrix, &mut x, to(1e-15, 3)).unwrap();
                prop_assert!(refined.error < 1e-14, "{:?}", refined);
                // The sparse pattern holds exactly the fill that was predicted.
                prop_assert_eq!(solver.factor_len(), solver.order().fill(matrix).unwrap());
            }
        }
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
        let refined = solver.solve_refined(&exact, &mut x, to(1e-14, 10)).unwrap();
        assert!(refined.error < 1e-14 && (1..6).contains(&refined.rounds), "{refined:?}");
        assert!(error(&x) < 1e-12);
    }

    #[test]
    fn a_nearly_dependent_row_is_found_by_longer_steps() {
        // Two rows that differ by 1e-5: the factor is off by 1 / (1 + 1e-10 / 1e-8) along their difference, which plain
        // corrections would take a thousand rounds to make up.
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
        let refined = solver.solve_refined(&exact, &mut x, to(1e-12, 20)).unwrap();
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
        // A replaced pivot may spoil its neighbours', so there are at least these two.
        assert!(solver.factor(&sparse(&chain)).unwrap() >= 2);
        // A free chain is singular: its last pivot is round-off.
        let mut free = held_chain(n, 1.0).view((0, 0), (n, n)).into_owned();
        (free[(0, 0)], free[(n - 1, n - 1)]) = (1.0, 1.0);
        let free = sparse(&free);
        let mut solver = LdlSolver::new(&free, &signs(n, 0)).unwrap();
        assert_eq!(solver.factor(&free).unwrap(), 1);
        // A right-hand side that pushes no chain as a whole is solved all the same.
        let mut x: Vec<Real> = (0..n).map(|i| [1.0, -1.0][i % 2]).collect();
        let refined = solver.solve_refined(&free, &mut x, to(1e-12, 10)).unwrap();
        assert!(refined.error < 1e-12, "{refined:?}");
        // One that does leaves a residual, where a pivot was replaced.
        let mut x = vec![1.0; n];
        solver.solve_refined(&free, &mut x, to(1e-12, 10)).unwrap();
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
            kind(solver.solve_refined(&CsMat::eye(11), &mut [0.0; 11], to(0.0, 1)).map(|_| ())),
            Kind::Topology
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
        assert_eq!(solver.solve_refined(&zero, &mut x, to(1e-12, 3)).unwrap().error, 0.0);
    }
}
