//! A model of strands in motion. Tests add what they ask of it.

use sinew::control::Control;
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
}
