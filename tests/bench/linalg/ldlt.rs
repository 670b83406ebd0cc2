//! The method that the null space competes with: the whole system `[H A^T; A -d]` factored as `L D L^T` with a small
//! regularisation `d`, made exact again by iterative refinement.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use sinew::linalg::order::Order;
use sinew::linalg::spd::SpdSolver;
use sprs::{CsMat, TriMat};

/// The regularisation relative to the matrix, whose entries are around 1.
const DELTA: f64 = 1e-8;

pub struct RegularisedLdlt {
    exact: CsMat<f64>,
    regularised: CsMat<f64>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl RegularisedLdlt {
    /// `order` gets the pattern of the whole system and orders it.
    pub fn new(h: &CsMat<f64>, a: &CsMat<f64>, order: impl Fn(&CsMat<f64>) -> Order) -> Self {
        let (n, size) = (h.rows(), h.rows() + a.rows());
        let mut sum = TriMat::new((size, size));
        h.iter().for_each(|(&v, (i, j))| sum.add_triplet(i, j, v));
        for (&v, (i, j)) in a {
            sum.add_triplet(n + i, j, v);
            sum.add_triplet(j, n + i, v);
        }
        (n..size).for_each(|k| sum.add_triplet(k, k, 0.0));
        let exact: CsMat<f64> = sum.to_csr();
        // Postordered by our own analysis, so that both candidates have it.
        let order = SpdSolver::new(&exact, &order(&exact)).unwrap().order().clone();
        let permutation = PermRef::new_checked(order.unknowns(), order.positions(), size);
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_cholesky(
            pattern(&exact),
            Side::Lower,
            SymmetricOrdering::Custom(permutation),
            params,
        )
        .unwrap();
        let request = symbolic
            .factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let factor = vec![0.0; symbolic.len_val()];
        RegularisedLdlt {
            regularised: exact.clone(),
            exact,
            symbolic,
            factor,
            memory: MemBuffer::new(request),
        }
    }

    /// The same values again; the copies stand for what new values would cost.
    pub fn factor(&mut self, h: &CsMat<f64>) {
        let n = h.rows();
        self.regularised.data_mut().copy_from_slice(self.exact.data());
        (n..self.exact.rows()).for_each(|k| *self.regularised.get_mut(k, k).unwrap() = -DELTA);
        self.symbolic
            .factorize_numeric_ldlt(
                &mut self.factor,
                SparseColMatRef::new(pattern(&self.regularised), self.regularised.data()),
                Side::Lower,
                LdltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .unwrap();
    }

    /// Solves in place with two refinements.
    pub fn solve(&mut self, x: &mut [f64]) {
        let rhs = x.to_vec();
        x.fill(0.0);
        for _ in 0..3 {
            let mut correction: Vec<f64> = rhs.clone();
            sprs::prod::mul_acc_mat_vec_csr(
                self.exact.view(),
                x.iter().map(|v| -v).collect::<Vec<_>>(),
                &mut correction,
            );
            let size = correction.len();
            LdltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(&mut correction, size, 1),
                Par::Seq,
                MemStack::new(&mut self.memory),
            );
            x.iter_mut().zip(correction).for_each(|(x, c)| *x += c);
        }
    }
}

fn pattern(matrix: &CsMat<f64>) -> SymbolicSparseColMatRef<'_, usize> {
    let (starts, size) = (matrix.indptr().into_raw_storage(), matrix.rows());
    SymbolicSparseColMatRef::new_checked(size, size, starts, None, matrix.indices())
}
