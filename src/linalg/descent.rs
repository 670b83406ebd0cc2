//! Conjugate gradients (Hestenes and Stiefel 1952) for a matrix whose diagonal is 1, given up when a factor would be
//! there sooner.

use crate::linalg::product::{add_scaled, dot, multiply, scale_and_add};
use crate::math::Real;
use sprs::CsMat;

/// The residual relative to the right-hand side that counts as solved: with as many iterations as are allowed the
/// matrix is so well conditioned that the answer then has ten digits.
const TOLERANCE: Real = 1e-12;
/// A factor of a mesh of 1,000 to 200,000 unknowns takes as long as 60 to 200 products with the matrix.
const MOST_ITERATIONS: usize = 48;
/// After so many iterations one sees how fast they go.
const TRIAL: usize = 8;

/// The vectors of the iteration.
pub(crate) struct Descent {
    x: Vec<Real>,
    direction: Vec<Real>,
    product: Vec<Real>,
    partial: Vec<Real>,
}

impl Descent {
    /// For `n` unknowns.
    pub(crate) fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Descent { x: zeros(), direction: zeros(), product: zeros(), partial: Vec::new() }
    }

    /// Solves from a start on. `rhs` becomes the answer, and the iterations are told; when it would take too many, or the
    /// matrix is not positive definite, `rhs` is what it was.
    pub(crate) fn solve(
        &mut self,
        matrix: &CsMat<Real>,
        rhs: &mut [Real],
        start: impl Iterator<Item = Real>,
    ) -> Option<usize> {
        let Descent { x, direction, product, partial } = self;
        x.iter_mut().zip(start).for_each(|(x, start)| *x = start);
        let goal = TOLERANCE * TOLERANCE * dot(rhs, rhs, partial);
        multiply(matrix, x, product);
        // From here on the right-hand side is the residual; it can be had back.
        add_scaled(rhs, -1.0, product);
        direction.copy_from_slice(rhs);
        let mut size = dot(rhs, rhs, partial);
        let first = size;
        for iterations in 0..=MOST_ITERATIONS {
            if size <= goal {
                rhs.copy_from_slice(x);
                return Some(iterations);
            }
            let steady = (size / first).powf(MOST_ITERATIONS as Real / TRIAL as Real) * first <= goal;
            if iterations == MOST_ITERATIONS || (iterations == TRIAL && !steady) {
                break;
            }
            multiply(matrix, direction, product);
            let bend = dot(direction, product, partial);
            // Written so that NaN fails too.
            let convex = bend > 0.0;
            if !convex {
                break;
            }
            add_scaled(x, size / bend, direction);
            add_scaled(rhs, -size / bend, product);
            let left = dot(rhs, rhs, partial);
            scale_and_add(direction, left / size, rhs);
            size = left;
        }
        multiply(matrix, x, product);
        add_scaled(rhs, 1.0, product);
        None
    }
}
