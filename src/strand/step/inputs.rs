//! The inputs of a frame.

use crate::model::Model;
use crate::parts::Goal;
use crate::state::State;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Placement, Real};

/// The inputs of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'a> {
    /// Its length in s.
    pub seconds: Real,
    /// The number of equal steps.
    pub substeps: u32,
    /// The poses of all bodies at the end of the frame, used for scripted ones; empty if there are none.
    pub led: &'a [Placement],
    /// Activations, one for each muscle, 0..1; empty for none.
    pub activations: &'a [Real],
    /// Goals for the muscles; their activations are then chosen.
    pub goals: &'a [Goal],
}

impl Inputs<'_> {
    /// Rejects inputs that do not fit the model, or are not finite.
    pub(super) fn check(&self, model: &Model, state: &State) -> Result<()> {
        let parts = model.parts();
        let wrong = |what: &str, found: usize, expected: usize| {
            Err(Error::new(Kind::CountMismatch, format!("{found} {what}; {expected} are expected")))
        };
        if !(self.seconds > 0.0 && self.seconds.is_finite()) {
            let message = format!("the frame takes {} s; that must be finite and more than 0", self.seconds);
            return Err(Error::new(Kind::OutOfRange, message));
        }
        if !self.led.is_empty() && self.led.len() != parts.bodies.len() {
            return wrong("places of bodies", self.led.len(), parts.bodies.len());
        }
        if !self.activations.is_empty() && self.activations.len() != parts.muscles.len() {
            return wrong("activations", self.activations.len(), parts.muscles.len());
        }
        if !self.goals.is_empty() && !self.activations.is_empty() {
            let text = "activations are either given or chosen for goals, not both";
            return Err(Error::new(Kind::InvalidArgument, text));
        }
        self.goals.iter().try_for_each(|goal| goal.check(parts))?;
        if let Some(m) = self.activations.iter().position(|a| !(0.0..=1.0).contains(a)) {
            let message = format!(
                "the activation of muscle \"{}\" is {}; it must lie between 0 and 1",
                parts.muscles[m].name, self.activations[m]
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let finite = |place: &Placement| {
            place.origin.iter().chain(place.rotation.coords.iter()).all(|x| x.is_finite())
        };
        if let Some(b) = self.led.iter().position(|place| !finite(place)) {
            let message = format!("the pose of body \"{}\" is not finite", parts.bodies[b].name);
            return Err(Error::new(Kind::NotFinite, message));
        }
        state.check(model)
    }
}
