//! A model of strands in motion. Tests add what they ask of it.
#![allow(dead_code)] // each user takes a part

use sinew::control::Control;
use sinew::math::Real;
use sinew::strand::model::Model;
use sinew::strand::parts::Parts;
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Report, Scratch, step};

pub struct Run {
    pub model: Model,
    pub state: State,
    pub scratch: Scratch,
}

impl Run {
    pub fn new(parts: Parts) -> Self {
        let model = Model::new(parts).unwrap();
        Run { state: State::new(&model), scratch: Scratch::new(&model).unwrap(), model }
    }

    /// A frame in which every solve ends, and no rows fight.
    pub fn frame(&mut self, inputs: &Inputs) -> Report {
        let report =
            step(&self.model, &mut self.state, &mut self.scratch, inputs, &Control::default()).unwrap();
        assert!(report.unsolved == 0 && report.conflicts.is_empty(), "{report:?}");
        report
    }

    /// Steps on with relaxed muscles.
    pub fn go(&mut self, seconds: Real, substeps: u32) -> Report {
        self.frame(&Inputs { seconds, substeps, ..Inputs::default() })
    }

    /// Steps on while the only muscle pulls.
    pub fn pull(&mut self, activation: Real, seconds: Real, substeps: u32) {
        let inputs = Inputs { seconds, substeps, activations: &[activation], ..Inputs::default() };
        assert_eq!(self.frame(&inputs).steps, substeps);
    }
}
