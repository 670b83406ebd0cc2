//! Whether muscles that pursue goals come to rest while the goals stand still.

use super::{Measured, NamedGoal};
use sinew_math::Real;
use sinew_strand::state::State;
use std::collections::HashSet;

/// How long muscles are observed, in s, and how long they may take before that to come to rest.
const LOOK: Real = 2.0;
const SETTLE: Real = 3.0;
/// Activations whose total variation during the observation exceeds this are not at rest: two full swings by a quarter
/// of the muscle's strength.
const RESTLESS: Real = 1.0;

/// The activations observed while goals stand still.
#[derive(Clone, Default)]
pub struct Restless {
    goals: Vec<NamedGoal>,
    before: Vec<Real>,
    travelled: Vec<Real>,
    still: Real,
    /// The goals that were reported.
    reported: HashSet<String>,
}

impl Restless {
    /// Observes a frame of that many seconds with the goals at its end; reports if muscles do not come to rest while
    /// the goals stand still, of each goal once.
    pub fn note(
        &mut self,
        measured: &Measured,
        state: &State,
        goals: &[NamedGoal],
        seconds: Real,
    ) -> Option<String> {
        let activations = &state.activations;
        if self.goals != goals || self.before.len() != activations.len() {
            let reported = std::mem::take(&mut self.reported);
            *self = Restless { goals: goals.to_vec(), reported, ..Restless::default() };
            self.travelled.resize(activations.len(), 0.0);
            self.before.clone_from(activations);
            return None;
        }
        self.still += seconds;
        let known = goals.iter().all(|(name, _)| self.reported.contains(name));
        if known || self.still < SETTLE {
            self.before.clone_from(activations);
            return None;
        }
        for ((sum, before), now) in self.travelled.iter_mut().zip(&mut self.before).zip(activations) {
            *sum += (now - *before).abs();
            *before = *now;
        }
        if self.still < SETTLE + LOOK {
            return None;
        }
        self.still = SETTLE;
        let restless = |sum: &Real| *sum > RESTLESS;
        let names = measured.model.parts().muscles.iter().zip(&self.travelled);
        let muscles: Vec<&str> =
            names.filter(|(_, sum)| restless(sum)).map(|(m, _)| m.name.as_str()).collect();
        let text = (!muscles.is_empty()).then(|| {
            self.reported.extend(goals.iter().map(|(name, _)| name.clone()));
            let ways = goals.iter().map(|(name, goal)| {
                let unit = if goal.aim.is_turn() { " degrees" } else { "" };
                format!("goal {name} ({:.3}{unit} off)", measured.way_left(&goal.aim, state))
            });
            format!(
                "muscles do not come to rest at their goals, which they may be unable to reach or hold: {}; pulling \
                 alternately: {}",
                ways.collect::<Vec<_>>().join(", "),
                muscles.join(", ")
            )
        });
        self.travelled.fill(0.0);
        text
    }
}
