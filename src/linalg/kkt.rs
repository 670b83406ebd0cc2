//! Equilibrium under linear constraints: `[H A^T; A 0] [x; l] = [f; b]` by the null-space method (Nocedal and Wright,
//! "Numerical optimization", section 16.2): the constraints are eliminated sparsely and the rest is factored by
//! [`SpdSolver`].

use crate::descent::Descent;
use crate::eliminate::Elimination;
use crate::order::{Order, symmetric_rows};
use crate::product::{multiply, product_at};
use crate::reduction::Reduction;
use crate::spd::SpdSolver;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, all_finite};
use sprs::CsMat;

/// A factored constrained system with fixed patterns.
///
/// `H` is symmetric with both triangles stored, and positive definite on motions that satisfy the constraints.
/// Redundant rows of `A` are detected and get multiplier 0. Rows with very many unknowns are rejected
/// ([`Kind::TooLarge`]): eliminating one would couple all of them.
pub struct KktSolver {
    /// The last factored values.
    hessian: CsMat<Real>,
    /// The analysed pattern.
    constraints: CsMat<Real>,
    order: Order,
    reduced: Reduced,
    solver: SpdSolver,
    factored: bool,
    analyses: usize,
    descent: Descent,
}

/// The system of the free unknowns.
struct Reduced {
    elimination: Elimination,
    reduction: Reduction,
    x: Vec<Real>,
    force: Vec<Real>,
    free: Vec<Real>,
}

impl KktSolver {
    /// Analyses both patterns and picks the unknowns to eliminate by the values of `constraints`. `order` is an order
    /// of all unknowns; the free ones keep their relative order.
    pub fn new(hessian: &CsMat<Real>, constraints: &CsMat<Real>, order: &Order) -> Result<Self> {
        let n = hessian.rows();
        let (starts, _) = symmetric_rows(hessian)?;
        let mirrored = |(_, (i, j)): (_, (usize, usize))| hessian.get(j, i).is_some();
        if !hessian.iter().all(mirrored) {
            return Err(Error::new(Kind::InvalidArgument, "both triangles of the matrix must be stored"));
        }
        if !constraints.is_csr() || constraints.cols() != n || order.len() != n {
            let (m, columns) = constraints.shape();
            let text = format!(
                "{n} unknowns, an order of {}, {m}x{columns} constraints (stored by rows?)",
                order.len()
            );
            return Err(Error::new(Kind::CountMismatch, text));
        }
        check_finite(constraints, "the constraint matrix")?;
        let elimination = Elimination::new(constraints, |j| starts[j + 1] - starts[j])?;
        let reduction = Reduction::new(hessian, &elimination)?;
        let kept = order.unknowns().iter().filter_map(|&j| elimination.place(j).err()).collect();
        let solver = SpdSolver::new(&reduction.matrix, &Order::new(kept)?)?;
        Ok(KktSolver {
            hessian: hessian.clone(),
            constraints: constraints.clone(),
            order: order.clone(),
            solver,
            factored: false,
            analyses: 1,
            descent: Descent::new(elimination.free().len()),
            reduced: Reduced {
                x: vec![0.0; n],
                force: vec![0.0; n],
                free: vec![0.0; elimination.free().len()],
                elimination,
                reduction,
            },
        })
    }

    /// How often the eliminated unknowns were chosen: once, and again each time new constraint values made a choice a
    /// bad one.
    pub fn analyses(&self) -> usize {
        self.analyses
    }

    /// Factors new values of the same patterns. Allocates only if the eliminated unknowns have to be chosen again.
    /// After an error there is no valid factor.
    ///
    /// Errors: a different pattern ([`Kind::Topology`]), values that are not finite ([`Kind::NotFinite`]), `H` not
    /// positive definite under the constraints ([`Kind::NoConvergence`], naming the unknown).
    pub fn factor(&mut self, hessian: &CsMat<Real>, constraints: &CsMat<Real>) -> Result<()> {
        self.load(hessian, constraints)?;
        self.hessian.data_mut().copy_from_slice(hessian.data());
        self.factor_loaded()?;
        self.factored = true;
        Ok(())
    }

    /// [`KktSolver::factor`] and [`KktSolver::solve`] in one, for a matrix that is used once: by conjugate gradients
    /// where they are faster, which is where `H` is nearly diagonal, and otherwise by a factor. `x` holds `f` and then
    /// the unknowns; `near` is an initial guess. Returns the number of iterations, or none if it was factored.
    pub fn solve_once(
        &mut self,
        hessian: &CsMat<Real>,
        constraints: &CsMat<Real>,
        x: &mut [Real],
        multipliers: &mut [Real],
        near: &[Real],
    ) -> Result<usize> {
        self.load(hessian, constraints)?;
        self.check_sides(x, multipliers)?;
        if near.len() != x.len() || !near.iter().all(|v| v.is_finite()) {
            return Err(Error::new(
                Kind::InvalidArgument,
                "the initial guess has the wrong length or is not finite",
            ));
        }
        let reduced = &mut self.reduced;
        reduced.force_on_free(hessian, x, multipliers)?;
        let (roots, free) = (&reduced.reduction.roots, reduced.elimination.free());
        let start = free.iter().zip(roots).map(|(&j, root)| near[j] / root);
        let taken = match self.descent.solve(&reduced.reduction, &mut reduced.free, start) {
            Some(iterations) => iterations,
            None => {
                self.factor_loaded()?;
                self.solver.solve(&mut self.reduced.free)?;
                0
            }
        };
        self.reduced.answer(hessian, x, multipliers);
        Ok(taken)
    }

    /// Loads new values.
    fn load(&mut self, hessian: &CsMat<Real>, constraints: &CsMat<Real>) -> Result<()> {
        self.factored = false;
        for (given, analysed) in [(hessian, &self.hessian), (constraints, &self.constraints)] {
            let same = given.is_csr()
                && given.shape() == analysed.shape()
                && given.indptr() == analysed.indptr()
                && given.indices() == analysed.indices();
            if !same {
                let text = "the pattern of the matrix or of the constraints differs from the analysed one";
                return Err(Error::new(Kind::Topology, text));
            }
        }
        check_finite(hessian, "the matrix")?;
        check_finite(constraints, "the constraint matrix")?;
        if !self.reduced.elimination.refresh(constraints) {
            let analyses = self.analyses + 1;
            *self = KktSolver::new(hessian, constraints, &self.order)?;
            self.analyses = analyses;
        }
        self.reduced.reduction.fill(hessian, &self.reduced.elimination);
        Ok(())
    }

    fn factor_loaded(&mut self) -> Result<()> {
        let free = self.reduced.elimination.free();
        self.solver.factor_named(&self.reduced.reduction.matrix, |k| free[k])
    }

    /// Solves in place: `x` holds `f` and then the unknowns, `multipliers` holds `b` and then `l`.
    ///
    /// Rows that contradict each other are an error ([`Kind::NoConvergence`], naming one of them); `x` and
    /// `multipliers` are then left unchanged.
    pub fn solve(&mut self, x: &mut [Real], multipliers: &mut [Real]) -> Result<()> {
        if !self.factored {
            return Err(Error::new(Kind::MissingInput, "there is no factor to solve with"));
        }
        self.check_sides(x, multipliers)?;
        self.reduced.force_on_free(&self.hessian, x, multipliers)?;
        self.solver.solve(&mut self.reduced.free)?;
        self.reduced.answer(&self.hessian, x, multipliers);
        Ok(())
    }

    fn check_sides(&self, x: &[Real], multipliers: &[Real]) -> Result<()> {
        if x.len() != self.hessian.rows() || multipliers.len() != self.constraints.rows() {
            let text = format!(
                "{} unknowns and {} multipliers for {} and {}",
                x.len(),
                multipliers.len(),
                self.hessian.rows(),
                self.constraints.rows()
            );
            return Err(Error::new(Kind::CountMismatch, text));
        }
        if !x.iter().chain(multipliers.iter()).all(|v| v.is_finite()) {
            return Err(Error::new(Kind::NotFinite, "the right-hand side is not finite"));
        }
        Ok(())
    }
}

impl Reduced {
    /// The particular solution of the constraints, and the force on the free unknowns that it leaves, scaled.
    fn force_on_free(&mut self, hessian: &CsMat<Real>, f: &[Real], b: &[Real]) -> Result<()> {
        self.elimination.particular(b, &mut self.x)?;
        // Most rows have a right-hand side of zero.
        if self.x.iter().all(|x| *x == 0.0) {
            self.force.copy_from_slice(f);
        } else {
            multiply(hessian, &self.x, &mut self.force);
            self.force.iter_mut().zip(f).for_each(|(force, f)| *force = f - *force);
        }
        self.elimination.restrict(&self.force, &mut self.free);
        self.free.iter_mut().zip(&self.reduction.roots).for_each(|(f, root)| *f *= root);
        Ok(())
    }

    /// From the free unknowns, still scaled, to all unknowns and the multipliers.
    fn answer(&mut self, hessian: &CsMat<Real>, x: &mut [Real], multipliers: &mut [Real]) {
        self.free.iter_mut().zip(&self.reduction.roots).for_each(|(f, root)| *f *= root);
        self.elimination.add_extended(&self.free, &mut self.x);
        // The multipliers balance the force that remains at each eliminated unknown.
        for eliminated in self.elimination.eliminated() {
            self.force[eliminated] = x[eliminated] - product_at(hessian, eliminated, &self.x);
        }
        self.elimination.multipliers(&self.force, multipliers);
        x.copy_from_slice(&self.x);
    }
}

fn check_finite(matrix: &CsMat<Real>, what: &str) -> Result<()> {
    if all_finite(matrix.data()) {
        return Ok(());
    }
    let bad = matrix.iter().find(|(v, _)| !v.is_finite()).map(|(_, place)| place);
    let (row, column) = bad.unwrap_or_default();
    Err(Error::new(Kind::NotFinite, format!("{what} is not finite at row {row}, column {column}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse;
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    fn solver(h: &DMatrix<Real>, a: &DMatrix<Real>) -> KktSolver {
        let (h, a) = (sparse(h), sparse(a));
        let mut solver = KktSolver::new(&h, &a, &Order::amd(&h, 1).unwrap()).unwrap();
        solver.factor(&h, &a).unwrap();
        solver
    }

    fn solve(solver: &mut KktSolver, f: &[Real], b: &[Real]) -> Result<(DVector<Real>, DVector<Real>)> {
        let (mut x, mut l) = (f.to_vec(), b.to_vec());
        solver.solve(&mut x, &mut l)?;
        Ok((DVector::from_vec(x), DVector::from_vec(l)))
    }

    /// The residuals of both lines of the system.
    fn residual(
        h: &DMatrix<Real>,
        a: &DMatrix<Real>,
        solved: &(DVector<Real>, DVector<Real>),
        f: &[Real],
        b: &[Real],
    ) -> Real {
        let (x, l) = solved;
        let force = h * x + a.transpose() * l - DVector::from_column_slice(f);
        force.amax().max((a * x - DVector::from_column_slice(b)).amax())
    }

    /// A chain of masses, each on a weak spring to its position.
    fn chain(n: usize) -> DMatrix<Real> {
        DMatrix::from_fn(n, n, |i, j| [2.1, -1.0, 0.0][i.abs_diff(j).min(2)])
    }

    proptest! {
        #[test]
        fn equals_a_dense_solve_and_survives_redundant_rows(
            n in 3usize..16,
            entries in prop::collection::vec((0usize..16, 0usize..16, -1.0..1.0), 0..40),
            rows in prop::collection::vec(prop::collection::vec((0usize..16, -1.0..1.0), 1..4), 0..6),
            f in prop::collection::vec(-1.0..1.0, 16),
            x0 in prop::collection::vec(-1.0..1.0, 16),
        ) {
            let mut g = DMatrix::<Real>::zeros(n, n);
            entries.iter().for_each(|&(i, j, v)| g[(i % n, j % n)] += v);
            let h = &g * g.transpose() + DMatrix::identity(n, n) * 0.5;
            // Every row once more with its neighbour added: redundant and consistent, since b comes from a point.
            let m = rows.len();
            let mut a = DMatrix::<Real>::zeros(2 * m, n);
            for (i, row) in rows.iter().enumerate() {
                row.iter().for_each(|&(j, v)| a[(i, j % n)] += v);
            }
            for i in 0..m {
                let sum = a.row(i) * 2.0 - a.row((i + 1) % m);
                a.row_mut(m + i).copy_from(&sum);
            }
            let b = &a * DVector::from_column_slice(&x0[..n]);
            let mut kkt = solver(&h, &a);
            let solved = solve(&mut kkt, &f[..n], b.as_slice()).unwrap();
            let scale = 1.0 + solved.0.amax() + solved.1.amax();
            prop_assert!(residual(&h, &a, &solved, &f[..n], b.as_slice()) < 1e-8 * scale);
            // The dense reference: the pseudo-inverse of the full system, whose x is unique.
            let mut full = DMatrix::zeros(n + 2 * m, n + 2 * m);
            full.view_mut((0, 0), (n, n)).copy_from(&h);
            full.view_mut((0, n), (n, 2 * m)).copy_from(&a.transpose());
            full.view_mut((n, 0), (2 * m, n)).copy_from(&a);
            let rhs = DVector::from_iterator(n + 2 * m, f[..n].iter().chain(b.iter()).copied());
            let eigen = full.symmetric_eigen();
            let least = 1e-9 * eigen.eigenvalues.amax();
            // Rows that are neither dependent nor clearly independent need not give the same answer on both paths.
            prop_assume!(eigen.eigenvalues.iter().all(|v| !(1e-5 * least..1e4 * least).contains(&v.abs())));
            let inverse = eigen.eigenvalues.map(|v| if v.abs() > least { 1.0 / v } else { 0.0 });
            let dense = &eigen.eigenvectors * (eigen.eigenvectors.transpose() * rhs).component_mul(&inverse);
            prop_assert!((dense.rows(0, n) - &solved.0).amax() < 1e-5 * scale);
        }
    }

    #[test]
    fn a_held_chain_has_a_known_shape() {
        // Laplace's equation with fixed ends at 0 and 1: a straight line, held by a force of one step at each end.
        let n = 101;
        let mut h = chain(n).map(|v| if v == 2.1 { 2.0 } else { v });
        (h[(0, 0)], h[(n - 1, n - 1)]) = (1.0, 1.0);
        let mut a = DMatrix::zeros(2, n);
        (a[(0, 0)], a[(1, n - 1)]) = (2.0, 3.0);
        let (x, l) = solve(&mut solver(&h, &a), &vec![0.0; n], &[0.0, 3.0]).unwrap();
        for i in 0..n {
            assert!((x[i] - i as Real / 100.0).abs() < 1e-12);
        }
        assert!((l[0] - 0.01 / 2.0).abs() < 1e-12 && (l[1] + 0.01 / 3.0).abs() < 1e-12, "{l}");
    }

    #[test]
    fn without_constraints_it_is_the_plain_solver_and_fully_held_it_is_the_rows() {
        let h = chain(20);
        let f: Vec<Real> = (0..20).map(|k| k as Real).collect();
        let (x, _) = solve(&mut solver(&h, &DMatrix::zeros(0, 20)), &f, &[]).unwrap();
        assert!((&h * x - DVector::from_column_slice(&f)).amax() < 1e-12);
        let a = chain(20) + DMatrix::from_fn(20, 20, |i, j| if (i * 7 + 3) % 20 == j { 1.0 } else { 0.0 });
        let solved = solve(&mut solver(&h, &a), &[0.0; 20], &f).unwrap();
        assert!(residual(&h, &a, &solved, &[0.0; 20], &f) < 1e-9);
    }

    #[test]
    fn rows_that_contradict_are_refused_and_one_is_named() {
        let mut a = DMatrix::zeros(4, 9);
        (a[(0, 1)], a[(0, 2)], a[(1, 2)], a[(1, 3)]) = (1.0, -1.0, 1.0, -1.0);
        (a[(2, 1)], a[(2, 3)], a[(3, 7)]) = (2.0, -2.0, 1.0);
        let mut kkt = solver(&chain(9), &a);
        assert!(solve(&mut kkt, &[1.0; 9], &[0.5, 0.25, 1.5, 4.0]).is_ok());
        let (mut x, mut b) = ([1.0; 9], [0.5, 0.25, 1.6, 4.0]);
        let error = kkt.solve(&mut x, &mut b).unwrap_err();
        assert_eq!(error.kind(), Kind::NoConvergence);
        assert!(["row 0", "row 1", "row 2"].iter().any(|row| error.message().contains(row)), "{error}");
        assert_eq!((x, b), ([1.0; 9], [0.5, 0.25, 1.6, 4.0]));
    }

    #[test]
    fn once_gives_what_a_factor_gives_and_takes_one_where_iterations_would_be_many() {
        let n = 600;
        let (f, b): (Vec<Real>, _) = ((0..n).map(|k| (k as Real * 0.7).sin()).collect(), [0.1, -0.2]);
        let mut a = DMatrix::zeros(2, n);
        (a[(0, 20)], a[(0, 21)], a[(1, 90)]) = (0.6, 0.8, 1.0);
        // The longer a chain held only at its ends, the more iterations.
        for (mass, quick) in [(1.0, true), (0.0, false)] {
            let h = chain(n) + DMatrix::identity(n, n) * (mass - 0.1 + 1e-9);
            let mut kkt = solver(&h, &a);
            let expected = solve(&mut kkt, &f, &b).unwrap();
            for near in [vec![0.0; n], expected.0.as_slice().to_vec()] {
                let (mut x, mut l) = (f.clone(), b.to_vec());
                let taken = kkt.solve_once(&sparse(&h), &sparse(&a), &mut x, &mut l, &near).unwrap();
                let found = (DVector::from_vec(x), DVector::from_vec(l));
                assert!(quick || near[0] != 0.0 || taken == 0, "{mass} {taken}");
                assert!(!quick || near[0] != 0.0 || (1..40).contains(&taken), "{mass} {taken}");
                let largest = expected.0.amax();
                assert!((&found.0 - &expected.0).amax() < 1e-7 * largest, "{mass} {taken}");
                assert!((&a * &found.0 - DVector::from_column_slice(&b)).amax() < 1e-12 * largest.max(1.0));
            }
            let mut x = f.clone();
            let bad = vec![Real::NAN; n];
            assert!(kkt.solve_once(&sparse(&h), &sparse(&a), &mut x, &mut b.to_vec(), &bad).is_err());
        }
        let mut falling = chain(n);
        falling[(7, 7)] = -1.0;
        let (mut x, near) = (f.clone(), vec![0.0; n]);
        let mut kkt = solver(&chain(n), &a);
        let refused = kkt.solve_once(&sparse(&falling), &sparse(&a), &mut x, &mut b.to_vec(), &near);
        assert_eq!(refused.unwrap_err().kind(), Kind::NoConvergence);
    }

    #[test]
    fn once_gives_the_same_where_unknowns_come_in_twos_and_alone() {
        let (n, coupling) = (200, [[1.0, 0.3], [0.3, 1.2]]);
        let one = chain(n / 2) + DMatrix::identity(n / 2, n / 2);
        let h = DMatrix::from_fn(n, n, |i, j| one[(i / 2, j / 2)] * coupling[i % 2][j % 2]);
        let f: Vec<Real> = (0..n).map(|k| (k as Real * 0.7).sin()).collect();
        for eliminated in [vec![], vec![31, 120]] {
            let b = vec![0.3; eliminated.len()];
            let mut a = DMatrix::zeros(b.len(), n);
            eliminated.iter().enumerate().for_each(|(row, &j)| (a[(row, j)], a[(row, j + 4)]) = (1.0, 0.1));
            let mut kkt = solver(&h, &a);
            let expected = solve(&mut kkt, &f, &b).unwrap();
            let (mut x, mut l) = (f.clone(), b.clone());
            let taken = kkt.solve_once(&sparse(&h), &sparse(&a), &mut x, &mut l, &vec![0.1; n]).unwrap();
            assert!((1..40).contains(&taken), "{taken}");
            assert!((DVector::from_vec(x) - expected.0).amax() < 1e-8);
            assert!(b.is_empty() || (DVector::from_vec(l) - expected.1).amax() < 1e-8);
        }
    }

    #[test]
    fn new_values_reuse_the_choice_until_it_is_a_bad_one() {
        let (h, f, b) = (chain(30), vec![1.0; 30], [0.1, 0.2, 0.3]);
        let rows = |angle: Real| {
            let mut a = DMatrix::zeros(3, 30);
            for i in 0..3 {
                (a[(i, 5 * i)], a[(i, 5 * i + 1)], a[(i, 5 * i + 5)]) = (angle.cos(), angle.sin(), 0.05);
            }
            a
        };
        let mut kkt = solver(&h, &rows(0.1));
        for (angle, analyses) in [(0.3, 1), (0.8, 1), (1.57, 2), (1.4, 2)] {
            let a = rows(angle);
            kkt.factor(&sparse(&h), &sparse(&a)).unwrap();
            assert_eq!(kkt.analyses(), analyses, "{angle}");
            let solved = solve(&mut kkt, &f, &b).unwrap();
            assert!(residual(&h, &a, &solved, &f, &b) < 1e-11);
        }
    }

    #[test]
    fn only_motions_that_keep_the_constraints_must_be_stiff() {
        let mut h = chain(12);
        h[(4, 4)] = -50.0;
        let mut held = DMatrix::zeros(1, 12);
        held[(0, 4)] = 1.0;
        let solved = solve(&mut solver(&h, &held), &[1.0; 12], &[0.3]).unwrap();
        assert!(residual(&h, &held, &solved, &[1.0; 12], &[0.3]) < 1e-11);
        let (h, free) = (sparse(&h), CsMat::zero((0, 12)));
        let mut kkt = KktSolver::new(&h, &free, &Order::identity(12)).unwrap();
        let error = kkt.factor(&h, &free).unwrap_err();
        assert_eq!(error.message(), "the matrix is not positive definite at unknown 4");
        assert_eq!(kkt.solve(&mut [0.0; 12], &mut []).unwrap_err().kind(), Kind::MissingInput);
    }

    #[test]
    fn bad_input_is_refused() {
        let (h, a) = (sparse(&chain(5)), sparse(&DMatrix::from_element(1, 5, 1.0)));
        let order = Order::identity(5);
        let kind = |result: Result<KktSolver>| result.err().unwrap().kind();
        let lower = sparse(&chain(5).lower_triangle());
        assert_eq!(kind(KktSolver::new(&lower, &a, &order)), Kind::InvalidArgument);
        assert_eq!(kind(KktSolver::new(&h, &CsMat::zero((1, 4)), &order)), Kind::CountMismatch);
        let nan = a.map(|_| Real::NAN);
        assert_eq!(kind(KktSolver::new(&h, &nan, &order)), Kind::NotFinite);
        let mut kkt = KktSolver::new(&h, &a, &order).unwrap();
        assert_eq!(kkt.factor(&h, &nan).unwrap_err().kind(), Kind::NotFinite);
        assert_eq!(kkt.factor(&h, &CsMat::zero((1, 5))).unwrap_err().kind(), Kind::Topology);
        kkt.factor(&h, &a).unwrap();
        assert_eq!(kkt.solve(&mut [0.0; 5], &mut []).unwrap_err().kind(), Kind::CountMismatch);
        assert_eq!(kkt.solve(&mut [Real::NAN; 5], &mut [0.0]).unwrap_err().kind(), Kind::NotFinite);
        let n = 3000;
        let (long, mean) = (CsMat::eye(n), sparse(&DMatrix::from_element(1, n, 1.0)));
        assert_eq!(kind(KktSolver::new(&long, &mean, &Order::identity(n))), Kind::TooLarge);
    }
}
