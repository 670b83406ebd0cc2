//! What strands do, shown: the demos of the tendon hand, each two runs side by side with figures and stills.

pub mod demos;
pub mod drawing;
mod flick;

use drawing::Still;
use sinew::anatomy::tendon_hand::Options;
use sinew::anatomy::tendon_hand::bones::FLEXING;
use sinew::control::Control;
use sinew::error::Result;
use sinew::math::Real;
use sinew::strand::model::Model;
use sinew::strand::parts::Parts;
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};

/// Two runs side by side.
pub struct Demo {
    pub name: &'static str,
    pub title: &'static str,
    /// What the runs are.
    pub runs: [&'static str; 2],
    /// What was measured: its label, its unit, and its value in each run.
    pub figures: Vec<(&'static str, &'static str, [Real; 2])>,
    pub stills: [Still; 2],
    /// What the stills show.
    pub labels: [&'static str; 2],
    pub captions: [String; 2],
}

impl Demo {
    /// A figure of both runs.
    pub fn figure(&self, what: &str) -> [Real; 2] {
        self.figures.iter().find(|(name, ..)| *name == what).map(|f| f.2).expect("the demo has that figure")
    }
}

/// Something in motion.
pub struct Run {
    pub model: Model,
    pub state: State,
    scratch: Scratch,
    step: Real,
}

impl Run {
    /// From the start, in steps of so many seconds.
    pub fn new(parts: Parts, step: Real) -> Result<Self> {
        let model = Model::new(parts)?;
        Ok(Run { state: State::new(&model), scratch: Scratch::new(&model)?, model, step })
    }

    /// Lets muscles pull with forces in N for a time.
    pub fn pull(&mut self, force: impl Fn(&str) -> Real, seconds: Real) -> Result<()> {
        let muscles = self.model.parts().muscles.iter();
        let activations: Vec<Real> =
            muscles.map(|muscle| (force(&muscle.name) / muscle.strength).min(1.0)).collect();
        let substeps = (seconds / self.step).round() as u32;
        let inputs = Inputs { seconds, substeps, activations: &activations, ..Inputs::default() };
        step(&self.model, &mut self.state, &mut self.scratch, &inputs, &Control::default())?;
        Ok(())
    }

    /// Flexion in degrees, joint by joint, finger by finger.
    pub fn angles(&self) -> Vec<Real> {
        let joints = self.model.parts().joints.iter();
        joints.map(|j| j.motions(|b| self.state.bodies[b].place)[FLEXING].to_degrees()).collect()
    }
}

/// Without gravity, so that the effect of tendons shows better.
fn floating(mut options: Options) -> Options {
    options.settings.gravity.fill(0.0);
    options
}
