//! Quasi-Newton updates: what steps with an old factor reveal about it.
//!
//! Such a step s changes the gradient by y; a factor of the second derivatives there would map y to s. Each pair
//! changes the old factor K as little as possible to make it do so (BFGS; Matthies, Strang, "The solution of nonlinear
//! finite element equations", 1979):
//!   K'^-1 = (1 - s y^T / (s.y)) K^-1 (1 - y s^T / (s.y)) + s s^T / (s.y),
//! which stays symmetric and positive definite as long as s.y is positive. K is never modified: each solve applies the
//! pairs from last to first and back (Nocedal, Wright, "Numerical optimization", 2006, alg. 7.4).

use sinew_base::error::Result;
use sinew_linalg::product::add_scaled;
use sinew_math::Real;

/// More pairs are rarely needed before the minimum is reached or the factor is replaced; the oldest is then dropped.
const MOST: usize = 6;

/// A pair in which step and change of gradient are closer to a right angle than this is round-off.
const LEAST_COSINE: Real = 1e-6;

/// One step and how it changed the gradient.
struct Secant {
    step: Vec<Real>,
    change: Vec<Real>,
    /// 1 / (s.y).
    inverse: Real,
    /// Intermediate results of a solve, for each right-hand side.
    shares: Vec<Real>,
}

/// All pairs of the current factor, the oldest first.
pub(super) struct Secants {
    all: Vec<Secant>,
    count: usize,
    unknowns: usize,
}

pub(super) fn dot(a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Secants {
    /// For that many unknowns, and that many right-hand sides at once.
    pub fn new(unknowns: usize, sides: usize) -> Self {
        let zeros = || vec![0.0; unknowns];
        let one = || Secant { step: zeros(), change: zeros(), inverse: 0.0, shares: vec![0.0; sides.max(1)] };
        Secants { all: (0..MOST).map(|_| one()).collect(), count: 0, unknowns }
    }

    /// Clears the pairs because the factor was replaced or discarded.
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// Learns from a step that changed the gradient from `before` to `after`.
    pub fn learn(&mut self, step: &[Real], before: &[Real], after: &[Real]) {
        if self.count == MOST {
            self.all.rotate_left(1);
            self.count -= 1;
        }
        let secant = &mut self.all[self.count];
        secant.step.copy_from_slice(step);
        secant.change.iter_mut().zip(after).zip(before).for_each(|((y, after), before)| *y = after - before);
        let (s, y) = (&secant.step, &secant.change);
        let (along, sizes) = (dot(s, y), (dot(s, s) * dot(y, y)).sqrt());
        if along > LEAST_COSINE * sizes && sizes.is_finite() {
            secant.inverse = 1.0 / along;
            self.count += 1;
        }
    }

    /// Solves in place with the updated factor, for right-hand sides stored one after the other; `solve` does with the
    /// old one, for that many of them.
    pub fn solve(
        &mut self,
        x: &mut [Real],
        solve: impl FnOnce(&mut [Real], usize) -> Result<()>,
    ) -> Result<()> {
        let (n, known) = (self.unknowns.max(1), &mut self.all[..self.count]);
        for secant in known.iter_mut().rev() {
            for (x, share) in x.chunks_exact_mut(n).zip(&mut secant.shares) {
                *share = secant.inverse * dot(&secant.step, x);
                add_scaled(x, -*share, &secant.change);
            }
        }
        solve(x, x.len() / n)?;
        for secant in known {
            for (x, share) in x.chunks_exact_mut(n).zip(&secant.shares) {
                let share = share - secant.inverse * dot(&secant.change, x);
                add_scaled(x, share, &secant.step);
            }
        }
        Ok(())
    }
}
