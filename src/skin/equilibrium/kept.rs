//! The factor kept from one solve for the next. From frame to frame the second derivatives change little, and a
//! step with an old factor costs a third of one with a new one.
//!
//! A run resumed from a saved state must give the same results as an uninterrupted one, so the state records the values
//! that the factor was computed from: the same values give the same factor.

use super::Scratch;
use crate::state::Stiffness;
use sinew_solve::newton::Factor;
use std::sync::Arc;

/// A state, the one before it, and the two factors of a frame: more are held by states kept elsewhere.
const MOST_EARLIER: usize = 4;

/// The values that states record for the factors.
#[derive(Default)]
pub(super) struct Left {
    /// Those of the current factor, if a state records it; and the factor's number.
    at_hand: Option<Arc<Stiffness>>,
    generation: u64,
    /// Of earlier ones.
    earlier: Vec<Arc<Stiffness>>,
}

impl Left {
    /// Forgets the values of the current factor if it was replaced.
    fn follow(&mut self, factor: &Factor) {
        if self.generation != factor.generation() {
            self.generation = factor.generation();
            self.earlier.extend(self.at_hand.take());
        }
    }

    /// Memory that no state refers to; allocated only if all of it is held by states.
    fn unused(&mut self) -> Arc<Stiffness> {
        match self.earlier.iter_mut().position(|earlier| Arc::get_mut(earlier).is_some()) {
            Some(unused) => self.earlier.swap_remove(unused),
            None => {
                if self.earlier.len() == MOST_EARLIER {
                    self.earlier.remove(0);
                }
                Arc::default()
            }
        }
    }
}

impl Scratch {
    /// Restores the factor of the last solve, recomputed if it was replaced in the meantime.
    pub(super) fn take_up(&mut self, left: Option<&Arc<Stiffness>>) {
        let (factor, stages) = (self.newton.factor(), &mut self.stages);
        factor.forget_secants();
        stages.held_back.clear();
        self.left.follow(factor);
        let at_hand =
            self.left.at_hand.as_ref().zip(left).is_some_and(|(ours, left)| Arc::ptr_eq(ours, left));
        if at_hand {
            return;
        }
        factor.forget();
        // Values that belong to other holds or are damaged are useless here but harmless: the next step computes its
        // own.
        let left = left.filter(|left| left.directions.len() == stages.directions.len());
        let restored = left.filter(|left| factor.restore(&left.values));
        self.left.follow(factor);
        if let Some(left) = restored {
            stages.directions.copy_from_slice(&left.directions);
            self.left.at_hand = Some(left.clone());
        }
    }

    /// Keeps the factor for the next solve; none if it may not be reused, could not be made again from its values, or
    /// holds vertices back.
    pub(super) fn leave(&mut self, left: &mut Option<Arc<Stiffness>>) {
        let factor = self.newton.factor();
        if !self.stages.held_back.is_empty() || factor.is_special() {
            factor.forget();
        }
        self.left.follow(factor);
        if factor.is_made() && self.left.at_hand.is_none() {
            let mut stiffness = self.left.unused();
            if let Some(stiffness) = Arc::get_mut(&mut stiffness) {
                stiffness.values.clear();
                stiffness.values.extend_from_slice(factor.values());
                stiffness.directions.clone_from(&self.stages.directions);
            }
            self.left.at_hand = Some(stiffness);
        }
        left.clone_from(&self.left.at_hand);
    }
}
