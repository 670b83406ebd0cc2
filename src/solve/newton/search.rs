//! The line search: a step is shortened until the value falls.

use super::descent::{Descent, Found, Step};
use super::{Newton, Potential, Work};
use sinew_math::Real;
use std::time::Instant;

/// The maximum number of halvings; below that the step counts as zero.
const MOST_HALVINGS: usize = 14;
/// Before that, the maximum number of per-node shortenings where the value is undefined, with few halvings.
const MOST_SHORTENINGS: usize = 8;
const FEW_HALVINGS: usize = 5;

/// The value must fall by this fraction of the predicted decrease (Armijo).
const ENOUGH: Real = 1e-4;

/// Allowance for round-off of a value, as a fraction of its absolute terms.
const NOISE: Real = 1e-13;

/// A step being shortened: the value to start from, and the allowed increase.
struct Search<'a> {
    step: &'a Step,
    from: Real,
    fraction: Real,
}

impl Newton {
    /// Shortens the step until the value falls; first only where it is undefined, so that other nodes are not held
    /// back.
    pub(super) fn search<P: Potential>(
        &mut self,
        potential: &mut P,
        step: &Step,
        descent: &mut Descent,
    ) -> Option<Found> {
        descent.outcome.steps += 1;
        let clock = Instant::now();
        // Below the round-off of the sums, the value cannot distinguish better from worse.
        let noise = NOISE * potential.magnitude();
        let from = descent.value + self.rows.penalty_before() + noise;
        let fraction = (descent.goal.farthest / (step.largest * descent.goal.unit)).min(1.0);
        let search = Search { step, from, fraction };
        // Constraints couple nodes, and a step that satisfies them can only be shortened as a whole.
        let mut found = None;
        if !self.rows.constrains() {
            found = self.shorten(potential, &search, MOST_SHORTENINGS);
        }
        // Shortened per node, the step may be an ascent direction; as a whole it is a descent direction.
        let found = found.or_else(|| self.shorten(potential, &search, 0));
        descent.outcome.seconds[Work::Searching as usize] += clock.elapsed().as_secs_f64();
        found
    }

    /// Shortens a step until the value falls: per node where it is undefined, up to that many times, otherwise as a
    /// whole.
    fn shorten<P: Potential>(
        &mut self,
        potential: &mut P,
        search: &Search,
        mut shortenings: usize,
    ) -> Option<Found> {
        let mut fraction = search.fraction;
        let mut halvings = if shortenings > 0 { FEW_HALVINGS } else { MOST_HALVINGS };
        self.shares.fill(1.0);
        while halvings > 0 {
            self.try_step(potential, fraction);
            let wanted = ENOUGH * fraction * search.step.fall * self.share_of_fall(potential);
            if let Some(value) = potential.value(&self.way)
                && value + self.rows.penalty(potential, &self.way) <= search.from - wanted
            {
                let local = self.shares.iter().any(|share| *share < 1.0);
                return Some(Found { fraction, local });
            }
            if shortenings > 0 && self.shorten_locally(potential) {
                shortenings -= 1;
            } else {
                halvings -= 1;
                fraction *= 0.5;
            }
        }
        None
    }

    /// Shortens the step at the nodes where it leads to no value; returns whether there are any.
    fn shorten_locally<P: Potential>(&mut self, potential: &mut P) -> bool {
        let any = potential.room(&self.way, &mut self.room);
        if any {
            for (share, room) in self.shares.iter_mut().zip(&mut self.room) {
                *share *= std::mem::replace(room, 1.0);
            }
        }
        any
    }

    /// The fraction of its predicted decrease left to a step that is shortened at some nodes.
    fn share_of_fall<P: Potential>(&self, potential: &P) -> Real {
        let (mut all, mut left) = (0.0, 0.0);
        for (node, share) in self.shares.iter().enumerate() {
            let unknowns = potential.unknowns_of(node);
            let along: Real = unknowns.map(|k| -self.step[k] * self.gradient[k]).sum();
            all += along;
            left += share * along;
        }
        if all > 0.0 { (left / all).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Moves by a fraction of the step, as a trial.
    fn try_step<P: Potential>(&mut self, potential: &P, fraction: Real) {
        for (node, share) in self.shares.iter().enumerate() {
            let share = fraction * share;
            for k in potential.unknowns_of(node) {
                self.way[k] = share * self.step[k];
            }
        }
    }
}
