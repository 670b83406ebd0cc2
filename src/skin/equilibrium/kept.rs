//! The factor that a solve leaves for the next one. From frame to frame the second derivatives change little, and a step
//! with an old factor costs a third of one with a new.
//!
//! A run that goes on from a saved state must find what an uninterrupted one finds, so the state says what its factor was
//! made of: the same numbers give the same factor.

use super::Scratch;
use crate::skin::state::Stiffness;
use crate::solve::newton::Factor;
use std::sync::Arc;

/// What the factors are made of that states tell of.
#[derive(Default)]
pub(super) struct Left {
    /// Of the factor at hand, when a state tells; and which factor that is.
    at_hand: Option<Arc<Stiffness>>,
    generation: u64,
    /// Of earlier ones.
    earlier: Vec<Arc<Stiffness>>,
}

impl Left {
    /// What the factor at hand is made of is no longer known when there is another one.
    fn follow(&mut self, factor: &Factor) {
        if self.generation != factor.generation() {
            self.generation = factor.generation();
            self.earlier.extend(self.at_hand.take());
        }
    }

    /// Memory that no state refers to; only new when all are held by states that are kept elsewhere.
    fn unused(&mut self) -> Arc<Stiffness> {
        match self.earlier.iter_mut().position(|earlier| Arc::get_mut(earlier).is_some()) {
            Some(unused) => self.earlier.swap_remove(unused),
            None => {
                self.earlier.clear();
                Arc::default()
            }
        }
    }
}

impl Scratch {
    /// Takes up the factor that the last solve left, made anew when there was another one in the meantime.
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
        // What belongs to other holds or was damaged is of no use here, and does no harm: the next step makes its own.
        let left = left.filter(|left| left.directions.len() == stages.directions.len());
        let restored = left.filter(|left| factor.restore(&left.values));
        self.left.follow(factor);
        if let Some(left) = restored {
            stages.directions.copy_from_slice(&left.directions);
            self.left.at_hand = Some(left.clone());
        }
    }

    /// Leaves the factor for the next solve; none when it may not be used again, or holds vertices back.
    pub(super) fn leave(&mut self, left: &mut Option<Arc<Stiffness>>) {
        let factor = self.newton.factor();
        if !self.stages.held_back.is_empty() {
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
