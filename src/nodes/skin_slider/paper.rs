//! The integrator of the paper, if selected.

use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_skin::model::Model;
use sinew_skin::paper;
use sinew_skin::production;
use sinew_skin::state::State;

/// What the paper's integrator needs besides the model.
pub(super) struct Paper {
    charts: paper::Charts,
    scratch: paper::Scratch,
}

impl Paper {
    pub(super) fn new(model: &Model, mesh: &Mesh, quads: bool) -> Result<Self> {
        let charts = match quads {
            true => paper::Charts::generated(&model.rest)?,
            false if mesh.uvs.is_none() => {
                let message = "the paper's integrator needs UVs, and the mesh has none; with the parameter atlas = \
                        quads it makes coordinates of its own";
                return Err(Error::new(Kind::MissingInput, message));
            }
            false => paper::Charts::islands(&model.rest, mesh)?,
        };
        let scratch = paper::Scratch::new(model, &charts, &[])?;
        Ok(Paper { charts, scratch })
    }

    /// A frame. The velocities in coordinates are recomputed from those in space, so that a saved state is complete.
    pub(super) fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        given: &production::Inputs,
        control: &Control,
    ) -> Result<production::Report> {
        let mut own = paper::State::from_shared(model, &self.charts, state.clone())?;
        let inputs = paper::Inputs {
            body: given.body,
            seconds: given.seconds,
            step: paper::STEP,
            chain: paper::Chain::default(),
            forces: given.forces,
        };
        let report = paper::step(model, &self.charts, &mut own, &mut self.scratch, &inputs, control)?;
        *state = own.shared;
        state.brakes.clear();
        let [couple, assembly, solve, advection] = report.seconds;
        Ok(production::Report {
            iterations: report.steps,
            residual: report.fastest,
            energy: [report.energy; 2],
            inverted: report.inverted,
            unsettled: None,
            snap: None,
            jump: None,
            held: 0,
            seconds: [couple, assembly, solve, 0.0, advection],
            warnings: Vec::new(),
            kept: report.kept,
        })
    }
}
