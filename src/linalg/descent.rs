//! Conjugate gradients (Hestenes and Stiefel 1952) for a matrix whose diagonal is 1, abandoned as soon as a
//! factorisation would be faster.
//!
//! With the strict triangles L and U of A = I + L + U, they iterate on (I + L)^-1 A (I + U)^-1, which takes about half
//! as many iterations and costs no more (Eisenstat, "Efficient implementation of a class of preconditioned conjugate
//! gradient methods", 1981): A = (I + L) + (I + U) - I, so that with t = (I + U)^-1 p the product is t + (I + L)^-1 (p
//! - t).

use crate::product::{add_scaled, dot, scale_and_add};
use crate::reduction::{Group, Reduction};
use sinew_math::Real;
use sinew_math::elementary::powf;

/// The residual relative to the right-hand side that counts as solved. Matrices that reach it within the allowed
/// iterations are so well conditioned that the answer then has nine digits.
const TOLERANCE: Real = 1e-10;
/// Factoring a mesh of 1,000 to 200,000 unknowns takes as long as 60 to 200 products with the matrix.
const MOST_ITERATIONS: usize = 40;
/// Iterations after which the rate of convergence is known.
const TRIAL: usize = 6;

/// The vectors of the iteration.
pub struct Descent {
    x: Vec<Real>,
    residual: Vec<Real>,
    direction: Vec<Real>,
    upper: Vec<Real>,
    product: Vec<Real>,
    partial: Vec<Real>,
}

impl Descent {
    /// For `n` unknowns.
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        let [x, residual, direction, upper, product] = [zeros(), zeros(), zeros(), zeros(), zeros()];
        Descent { x, residual, direction, upper, product, partial: Vec::new() }
    }

    /// Solves starting from an initial guess. `rhs` becomes the answer, and the number of iterations is returned; if it
    /// would take too many, or the matrix is not positive definite, `rhs` is left unchanged.
    pub fn solve(
        &mut self,
        reduction: &Reduction,
        rhs: &mut [Real],
        start: impl Iterator<Item = Real>,
    ) -> Option<usize> {
        if !reduction.is_unit {
            return None;
        }
        let Descent { x, residual, direction, upper, product, partial } = self;
        x.iter_mut().zip(start).for_each(|(x, start)| *x = start);
        lower_solve(reduction, rhs, residual);
        let goal = TOLERANCE * TOLERANCE * dot(residual, residual, partial);
        multiply(reduction, x, product);
        scale_and_add(product, -1.0, rhs);
        lower_solve(reduction, product, residual);
        direction.copy_from_slice(residual);
        let mut size = dot(residual, residual, partial);
        let first = size;
        for iterations in 0..=MOST_ITERATIONS {
            if size <= goal {
                rhs.copy_from_slice(x);
                return Some(iterations);
            }
            let steady = powf(size / first, MOST_ITERATIONS as Real / TRIAL as Real) * first <= goal;
            if iterations == MOST_ITERATIONS || (iterations == TRIAL && !steady) {
                return None;
            }
            upper_solve(reduction, direction, upper);
            product.iter_mut().zip(&*direction).zip(&*upper).for_each(|((d, p), t)| *d = p - t);
            lower_solve_here(reduction, product);
            add_scaled(product, 1.0, upper);
            let bend = dot(direction, product, partial);
            // Written so that NaN fails as well.
            let convex = bend > 0.0;
            if !convex {
                return None;
            }
            add_scaled(x, size / bend, upper);
            add_scaled(residual, -size / bend, product);
            let left = dot(residual, residual, partial);
            scale_and_add(direction, left / size, residual);
            size = left;
        }
        None
    }
}

/// `out = (I + L)^-1 b`.
fn lower_solve(reduction: &Reduction, b: &[Real], out: &mut [Real]) {
    out.copy_from_slice(b);
    lower_solve_here(reduction, out);
}

/// `x = (I + L)^-1 x`.
fn lower_solve_here(reduction: &Reduction, x: &mut [Real]) {
    for group in reduction.groups() {
        // The nearest unknown, which is computed last, comes last.
        match group {
            Group::One(i, columns, values) => {
                x[i] = columns.iter().zip(values).fold(x[i], |left, (&j, v)| left - v * x[j as usize]);
            }
            Group::Two(i, columns, [first, second], between) => {
                let mut left = [x[i], x[i + 1]];
                for ((&j, first), second) in columns.iter().zip(first).zip(second) {
                    let known = x[j as usize];
                    left = [left[0] - first * known, left[1] - second * known];
                }
                (x[i], x[i + 1]) = (left[0], left[1] - between * left[0]);
            }
        }
    }
}

/// `out = (I + U)^-1 b`, where U is the transpose of L.
fn upper_solve(reduction: &Reduction, b: &[Real], out: &mut [Real]) {
    out.copy_from_slice(b);
    for group in reduction.groups().rev() {
        match group {
            Group::One(i, columns, values) => {
                let known = out[i];
                columns.iter().zip(values).for_each(|(&j, v)| out[j as usize] -= v * known);
            }
            Group::Two(i, columns, [first, second], between) => {
                out[i] -= between * out[i + 1];
                let known = [out[i], out[i + 1]];
                for ((&j, first), second) in columns.iter().zip(first).zip(second) {
                    out[j as usize] -= first * known[0] + second * known[1];
                }
            }
        }
    }
}

/// `out = (I + L + U) x`.
fn multiply(reduction: &Reduction, x: &[Real], out: &mut [Real]) {
    out.copy_from_slice(x);
    let mut row = |i: usize, columns: &[u32], values: &[Real]| {
        for (&j, v) in columns.iter().zip(values) {
            out[i] += v * x[j as usize];
            out[j as usize] += v * x[i];
        }
    };
    for group in reduction.groups() {
        match group {
            Group::One(i, columns, values) => row(i, columns, values),
            Group::Two(i, columns, [first, second], between) => {
                row(i, columns, first);
                row(i + 1, columns, second);
                row(i + 1, &[i as u32], &[between]);
            }
        }
    }
}
