//! Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad, "Iterative methods for sparse linear systems",
//! algorithm 9.1), warm started and cancellable, with the same bits at any thread count.

use crate::product::{add_scaled, dot, multiply, scale_and_add};
use crate::spd::SpdSolver;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sprs::CsMat;

/// A cheap symmetric positive definite approximation of a matrix's inverse.
pub trait Preconditioner: Send {
    /// Writes the approximate solution for the right-hand side `residual` into `out`, which has the same length.
    fn apply(&mut self, residual: &[Real], out: &mut [Real]) -> Result<()>;
}

/// A factor of an earlier matrix: the best preconditioner as long as the matrix has changed by a few percent.
impl Preconditioner for SpdSolver {
    fn apply(&mut self, residual: &[Real], out: &mut [Real]) -> Result<()> {
        out.copy_from_slice(residual);
        self.solve(out)
    }
}

/// The inverse of the diagonal blocks: one unknown per block is plain Jacobi; one vertex per block does better.
pub struct BlockJacobi {
    size: usize,
    /// The inverted blocks, one after the other.
    inverses: Vec<Real>,
}

impl BlockJacobi {
    /// Inverts the diagonal blocks of `size` consecutive unknowns.
    pub fn new(matrix: &CsMat<Real>, size: usize) -> Result<Self> {
        if size == 0 || !matrix.rows().is_multiple_of(size) {
            let text = format!("{} unknowns are not a multiple of {size} per block", matrix.rows());
            return Err(Error::new(Kind::InvalidArgument, text));
        }
        let mut jacobi = BlockJacobi { size, inverses: vec![0.0; matrix.rows() * size] };
        jacobi.update(matrix)?;
        Ok(jacobi)
    }

    /// The same for new values (or a new pattern) of the same size. Allocates nothing.
    pub fn update(&mut self, matrix: &CsMat<Real>) -> Result<()> {
        check_matrix(matrix, self.inverses.len() / self.size)?;
        let size = self.size;
        self.inverses.fill(0.0);
        for (i, row) in matrix.outer_iterator().enumerate() {
            let first = i / size * size;
            let inside = row.iter().filter(|(j, _)| (first..first + size).contains(j));
            inside.for_each(|(j, v)| self.inverses[i * size + (j - first)] = *v);
        }
        for (b, block) in self.inverses.chunks_mut(size * size).enumerate() {
            invert_in_place(block, size).map_err(|k| not_positive(b * size + k))?;
        }
        Ok(())
    }
}

impl Preconditioner for BlockJacobi {
    fn apply(&mut self, residual: &[Real], out: &mut [Real]) -> Result<()> {
        let size = self.size;
        for (i, value) in out.iter_mut().enumerate() {
            let row = &self.inverses[i * size..(i + 1) * size];
            let block = &residual[i / size * size..][..size];
            *value = row.iter().zip(block).map(|(a, r)| a * r).sum();
        }
        Ok(())
    }
}

/// Gauss-Jordan without pivoting, which symmetric positive definite blocks do not need; on failure the row.
fn invert_in_place(block: &mut [Real], size: usize) -> std::result::Result<(), usize> {
    for k in 0..size {
        let pivot = block[k * size + k];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err(k);
        }
        block[k * size + k] = 1.0;
        block[k * size..(k + 1) * size].iter_mut().for_each(|v| *v /= pivot);
        for i in (0..size).filter(|&i| i != k) {
            let factor = std::mem::take(&mut block[i * size + k]);
            for j in 0..size {
                block[i * size + j] -= factor * block[k * size + j];
            }
        }
    }
    Ok(())
}

fn not_positive(unknown: usize) -> Error {
    Error::new(Kind::NoConvergence, format!("the matrix is not positive definite at unknown {unknown}"))
}

fn check_matrix(matrix: &CsMat<Real>, n: usize) -> Result<()> {
    if !matrix.is_csr() || matrix.shape() != (n, n) {
        let (rows, columns) = matrix.shape();
        let text = format!("a {rows}x{columns} matrix where {n}x{n}, stored by rows, is needed");
        return Err(Error::new(Kind::CountMismatch, text));
    }
    Ok(())
}

/// Stopping criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The tolerated residual relative to the right-hand side (both in the 2-norm).
    pub tolerance: Real,
    /// The maximum number of iterations; more are an error.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        // A residual of 1e-6 of the load moves a membrane by less than a host's f32 arrays can resolve. With an old
        // factor 5 to 10 iterations suffice; 1000 is far more than block-Jacobi needs for 200,000 unknowns.
        Settings { tolerance: 1e-6, max_iterations: 1000 }
    }
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// The number of matrix products in the iteration.
    pub iterations: usize,
    /// The true residual relative to the right-hand side.
    pub residual: Real,
}

/// Memory reused from solve to solve; it never influences a result.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    residual: Vec<Real>,
    preconditioned: Vec<Real>,
    direction: Vec<Real>,
    product: Vec<Real>,
    partial: Vec<Real>,
}

/// Solves `matrix x = rhs` for a symmetric positive definite matrix stored by rows (both triangles), starting from
/// the contents of `x`.
///
/// Nothing is allocated if `scratch` was used for this size before. After an error `x` holds the last iterate. Errors:
/// [`Kind::NoConvergence`] (out of iterations, or the matrix or the preconditioner is not positive definite),
/// [`Kind::NotFinite`], [`Kind::CountMismatch`], [`Kind::Cancelled`].
pub fn solve(
    matrix: &CsMat<Real>,
    rhs: &[Real],
    x: &mut [Real],
    preconditioner: &mut dyn Preconditioner,
    settings: Settings,
    scratch: &mut Scratch,
    control: &Control,
) -> Result<Report> {
    let n = rhs.len();
    check_matrix(matrix, n)?;
    if x.len() != n {
        let text = format!("{} unknowns for a right-hand side of {n}", x.len());
        return Err(Error::new(Kind::CountMismatch, text));
    }
    let Scratch { residual, preconditioned, direction, product, partial } = scratch;
    for vector in [&mut *residual, preconditioned, direction, product] {
        vector.resize(n, 0.0);
    }
    let scale = finite(dot(rhs, rhs, partial), "the right-hand side")?.sqrt();
    if scale == 0.0 {
        x.fill(0.0);
        return Ok(Report { iterations: 0, residual: 0.0 });
    }
    let goal = settings.tolerance * scale;
    let mut size = true_residual(matrix, rhs, x, residual, partial)?;
    // An `energy` of 0 restarts from the preconditioned residual.
    let (mut iterations, mut energy) = (0, 0.0);
    while size > goal {
        control.check()?;
        if iterations == settings.max_iterations {
            let text = format!("residual {:.1e} after {iterations} iterations", size / scale);
            return Err(Error::new(Kind::NoConvergence, text));
        }
        preconditioner.apply(residual, preconditioned)?;
        let new_energy = positive(dot(residual, preconditioned, partial), "the preconditioner")?;
        if energy == 0.0 {
            // Not by multiplying with zero: a failed solve may have left NaN here.
            direction.copy_from_slice(preconditioned);
        } else {
            scale_and_add(direction, new_energy / energy, preconditioned);
        }
        energy = new_energy;
        multiply(matrix, direction, product);
        let step = energy / positive(dot(direction, product, partial), "the matrix")?;
        add_scaled(x, step, direction);
        add_scaled(residual, -step, product);
        iterations += 1;
        size = finite(dot(residual, residual, partial), "the residual")?.sqrt();
        if size <= goal {
            // The updated residual drifts from the true one by round-off; only the true one may end the iteration.
            size = true_residual(matrix, rhs, x, residual, partial)?;
            energy = 0.0;
        }
    }
    Ok(Report { iterations, residual: size / scale })
}

fn true_residual(
    matrix: &CsMat<Real>,
    rhs: &[Real],
    x: &[Real],
    residual: &mut [Real],
    partial: &mut Vec<Real>,
) -> Result<Real> {
    multiply(matrix, x, residual);
    scale_and_add(residual, -1.0, rhs);
    Ok(finite(dot(residual, residual, partial), "the residual")?.sqrt())
}

fn finite(value: Real, what: &str) -> Result<Real> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::new(Kind::NotFinite, format!("{what} is not finite")))
    }
}

fn positive(value: Real, what: &str) -> Result<Real> {
    if finite(value, what)? > 0.0 {
        Ok(value)
    } else {
        Err(Error::new(Kind::NoConvergence, format!("{what} is not positive definite")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;
    use std::sync::Arc;

    /// A grid of `side` squared points, each tied to its neighbours and, by `stiff`, to its position.
    fn sheet(side: usize, stiff: Real) -> CsMat<Real> {
        let n = side * side;
        let mut sum = sprs::TriMat::new((n, n));
        for i in 0..n {
            sum.add_triplet(i, i, stiff);
            let right = (i % side + 1 < side).then_some(i + 1);
            for j in right.into_iter().chain((i + side < n).then_some(i + side)) {
                for (row, column, v) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                    sum.add_triplet(row, column, v);
                }
            }
        }
        sum.to_csr()
    }

    fn rhs(n: usize) -> Vec<Real> {
        (0..n).map(|k| (k as Real * 1.7).cos()).collect()
    }

    fn old_factor(matrix: &CsMat<Real>) -> SpdSolver {
        let mut factor = SpdSolver::new(matrix, &Order::amd(matrix, 1).unwrap()).unwrap();
        factor.factor(matrix).unwrap();
        factor
    }

    fn run(matrix: &CsMat<Real>, x: &mut [Real], preconditioner: &mut dyn Preconditioner) -> Result<Report> {
        let settings = Settings { tolerance: 1e-10, max_iterations: 500 };
        let b = rhs(x.len());
        solve(matrix, &b, x, preconditioner, settings, &mut Scratch::default(), &Control::default())
    }

    #[test]
    fn agrees_with_the_factor_whatever_the_preconditioner() {
        let matrix = sheet(30, 0.02);
        let mut expected = rhs(900);
        old_factor(&matrix).solve(&mut expected).unwrap();
        let mut counts = Vec::new();
        let mut preconditioners: Vec<Box<dyn Preconditioner>> = vec![
            Box::new(BlockJacobi::new(&matrix, 1).unwrap()),
            Box::new(BlockJacobi::new(&matrix, 30).unwrap()),
            Box::new(old_factor(&sheet(30, 0.021))),
            Box::new(old_factor(&matrix)),
        ];
        for preconditioner in &mut preconditioners {
            let mut x = vec![0.3; 900];
            let report = run(&matrix, &mut x, preconditioner.as_mut()).unwrap();
            assert!(report.residual <= 1e-10);
            assert!(x.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-7));
            counts.push(report.iterations);
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
        assert_eq!(counts[3], 1, "the matrix's own factor needs one step");
    }

    #[test]
    fn a_good_start_needs_nothing_and_zero_stays_zero() {
        let matrix = sheet(8, 0.1);
        let mut x = rhs(64);
        old_factor(&matrix).solve(&mut x).unwrap();
        let start = x.clone();
        let mut jacobi = BlockJacobi::new(&matrix, 2).unwrap();
        assert_eq!(run(&matrix, &mut x, &mut jacobi).unwrap().iterations, 0);
        assert_eq!(x, start);
        let (zero, settings) = (vec![0.0; 64], Settings::default());
        let (mut scratch, control) = (Scratch::default(), Control::default());
        solve(&matrix, &zero, &mut x, &mut jacobi, settings, &mut scratch, &control).unwrap();
        assert_eq!(x, zero);
    }

    #[test]
    fn what_an_earlier_solve_left_has_no_influence() {
        let (matrix, b, control) = (sheet(9, 0.1), rhs(81), Control::default());
        let mut jacobi = BlockJacobi::new(&matrix, 1).unwrap();
        let mut x = [vec![0.0; 81], vec![0.0; 81]];
        let nan = || vec![Real::NAN; 200];
        let poisoned = Scratch {
            residual: nan(),
            preconditioned: nan(),
            direction: nan(),
            product: nan(),
            partial: nan(),
        };
        for (x, mut scratch) in x.iter_mut().zip([Scratch::default(), poisoned]) {
            solve(&matrix, &b, x, &mut jacobi, Settings::default(), &mut scratch, &control).unwrap();
        }
        assert_eq!(x[0], x[1]);
    }

    #[test]
    fn has_the_same_bits_at_any_thread_count() {
        let matrix = sheet(130, 0.05);
        let bits = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut x = vec![0.0; 130 * 130];
            pool.install(|| run(&matrix, &mut x, &mut BlockJacobi::new(&matrix, 2).unwrap()).unwrap());
            x.into_iter().map(Real::to_bits).collect::<Vec<_>>()
        };
        let one = bits(1);
        assert!(bits(2) == one && bits(5) == one);
    }

    #[test]
    fn says_why_it_failed() {
        let matrix = sheet(30, 1e-9);
        let mut jacobi = BlockJacobi::new(&matrix, 1).unwrap();
        let kind = |result: Result<Report>| result.err().unwrap().kind();
        let settings = Settings { tolerance: 1e-10, max_iterations: 3 };
        let (b, mut x, mut scratch) = (rhs(900), vec![0.0; 900], Scratch::default());
        let control = Control::default();
        let few = solve(&matrix, &b, &mut x, &mut jacobi, settings, &mut scratch, &control);
        assert_eq!(kind(few), Kind::NoConvergence);
        control.cancel();
        let stopped = solve(&matrix, &b, &mut x, &mut jacobi, settings, &mut scratch, &control);
        assert_eq!(kind(stopped), Kind::Cancelled);
        let negative = matrix.map(|v| -v);
        assert_eq!(kind(run(&negative, &mut x, &mut jacobi)), Kind::NoConvergence);
        assert_eq!(BlockJacobi::new(&negative, 1).err().unwrap().kind(), Kind::NoConvergence);
        assert_eq!(kind(run(&matrix, &mut [0.0; 3], &mut jacobi)), Kind::CountMismatch);
        x[7] = Real::NAN;
        assert_eq!(kind(run(&matrix, &mut x, &mut jacobi)), Kind::NotFinite);
    }

    #[test]
    fn a_listener_stops_it_in_the_middle() {
        struct Never;
        impl sinew_base::control::Listener for Never {}
        /// Cancels the computation during its third iteration.
        struct CancelsAfter(usize, Control);
        impl Preconditioner for CancelsAfter {
            fn apply(&mut self, residual: &[Real], out: &mut [Real]) -> Result<()> {
                self.0 -= 1;
                if self.0 == 0 {
                    self.1.cancel();
                }
                out.copy_from_slice(residual);
                Ok(())
            }
        }
        let control = Control::new(Arc::new(Never));
        let mut preconditioner = CancelsAfter(3, control.clone());
        let (matrix, mut x) = (sheet(20, 1e-4), vec![0.0; 400]);
        let settings = Settings::default();
        let result = solve(
            &matrix,
            &rhs(400),
            &mut x,
            &mut preconditioner,
            settings,
            &mut Scratch::default(),
            &control,
        );
        assert_eq!(result.unwrap_err().kind(), Kind::Cancelled);
        assert_eq!(preconditioner.0, 0, "it stopped at the next check");
    }
}
