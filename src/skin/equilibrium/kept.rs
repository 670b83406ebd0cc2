//! The factor that a solve leaves for the next one. From frame to frame the second derivatives change little, and a step
//! with an old factor costs a third of one with a new.
//!
//! A run that goes on from a saved state must find what an uninterrupted one finds, so the state says what its factor was
//! made of: the same numbers give the same factor.

use super::Scratch;
use crate::skin::state::Stiffness;
use std::sync::Arc;

impl Scratch {
    /// Takes up the factor that the last solve left, made anew when there was another one in the meantime.
    pub(super) fn take_up(&mut self, left: Option<&Arc<Stiffness>>) {
        self.secants.forget();
        self.held_back.clear();
        let at_hand = self.factor_of.as_ref().zip(left).is_some_and(|(ours, left)| Arc::ptr_eq(ours, left));
        if at_hand {
            return;
        }
        self.forget_factor();
        let Some(left) = left.filter(|left| left.directions.len() == self.kept.len()) else { return };
        // What belongs to other holds or was damaged is of no use here, and does no harm: the next step makes its own.
        self.factored =
            self.assembly.restore(&left.values).is_ok() && self.solver.factor(self.assembly.matrix()).is_ok();
        if self.factored {
            self.kept.copy_from_slice(&left.directions);
            self.factor_of = Some(left.clone());
        }
    }

    /// Leaves the factor for the next solve; none when it may not be used again, or holds vertices back.
    pub(super) fn leave(&mut self, left: &mut Option<Arc<Stiffness>>) {
        if !self.held_back.is_empty() {
            self.forget_factor();
        }
        if self.factored && self.factor_of.is_none() {
            let mut stiffness = self.unused_stiffness();
            if let Some(stiffness) = Arc::get_mut(&mut stiffness) {
                stiffness.values.clear();
                stiffness.values.extend_from_slice(self.assembly.matrix().data());
                stiffness.directions.clone_from(&self.kept);
            }
            self.factor_of = Some(stiffness);
        }
        left.clone_from(&self.factor_of);
    }

    /// Memory that no state refers to; only new when all are held by states that are kept elsewhere.
    fn unused_stiffness(&mut self) -> Arc<Stiffness> {
        match self.earlier.iter_mut().position(|earlier| Arc::get_mut(earlier).is_some()) {
            Some(unused) => self.earlier.swap_remove(unused),
            None => {
                self.earlier.clear();
                Arc::default()
            }
        }
    }
}
