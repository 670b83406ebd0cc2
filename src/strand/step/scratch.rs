//! Reused memory.

use super::positions::{cut_bone, cut_bones, update};
use crate::control::Controller;
use crate::elements::{Elements, Rates};
use crate::model::Model;
use crate::now::{Ahead, Cut, Kinematics};
use crate::parts::Plane;
use crate::rows::{Rows, Touching, touched};
use crate::spinning::Middle;
use crate::state::State;
use sinew_base::error::{Error, Result};
use sinew_math::{Placement, Real, Vec3};
use sinew_solve::boxed::{BoxedSolver, RowState};

/// Reused memory.
pub struct Scratch {
    pub(super) elements: Elements,
    pub(super) rows: Rows,
    pub(super) solver: BoxedSolver,
    pub(super) kinematics: Kinematics,
    pub(super) touching: Touching,
    pub(super) controller: Controller,
    /// The rows' states and impulses while activations are chosen.
    pub(super) states: Vec<RowState>,
    pub(super) impulses: Vec<Real>,
    pub(super) velocity: Vec<Real>,
    pub(super) correction: Vec<Real>,
    pub(super) zeros: Vec<Real>,
    pub(super) goals: Vec<Real>,
    pub(super) multipliers: Vec<Real>,
    /// The rows' violations at the start of the step.
    pub(super) before: Vec<Real>,
    /// The rows' total impulses in the step: including those that correct its drift.
    pub(super) bearing: Vec<Real>,
    /// The state at the start of the frame, and of the step.
    pub(super) kept: State,
    pub(super) tried: State,
}

impl Scratch {
    /// Analyses the patterns of a model.
    pub fn new(model: &Model) -> Result<Self> {
        let elements = Elements::new(model)?;
        let rows = Rows::new(model, &touched(model))?;
        // The rows that prevent material from being used up.
        let mut seldom = vec![false; model.rows()];
        seldom[model.layout.rows_of_segments()].fill(true);
        let solver = BoxedSolver::with_seldom(elements.assembly.matrix(), &rows.matrix, &seldom)?;
        let planes = &model.parts().planes;
        let (n, m) = (model.unknowns(), model.rows());
        let cut = |plane: &Plane| plane.bone.map(|_| Cut::default());
        let mut scratch = Scratch {
            kinematics: Kinematics {
                led: vec![[Vec3::zeros(); 2]; model.parts().bodies.len()],
                middles: vec![Middle::default(); model.parts().bodies.len()],
                planes: vec![Placement::default(); planes.len()],
                cuts: planes.iter().map(cut).collect(),
                ahead: Ahead::new(model),
            },
            touching: Touching::new(model)?,
            controller: Controller::new(model),
            elements,
            rows,
            solver,
            states: vec![RowState::AtLow; m],
            impulses: vec![0.0; m],
            velocity: vec![0.0; n],
            correction: vec![0.0; n],
            zeros: vec![0.0; n],
            goals: vec![0.0; m],
            multipliers: vec![0.0; m],
            before: vec![0.0; m],
            bearing: vec![0.0; m],
            kept: State::new(model),
            tried: State::new(model),
        };
        let missed = |plane: usize, error: Error| {
            let plane = &planes[plane];
            let body = plane.bone.map_or("", |bone| &model.parts().bodies[bone].name);
            let cure = "move it, turn it, or choose another body";
            let text = format!("plane \"{}\": it misses the body \"{body}\": {cure}", plane.name);
            Err(Error::new(error.kind(), text))
        };
        for (k, plane) in planes.iter().enumerate() {
            if let Some(inside) = plane.fixed_to_its_bone() {
                cut_bone(model, &mut scratch.kinematics, k, inside).or_else(|error| missed(k, error))?;
            }
        }
        let mut start = State::new(model);
        update(model, &mut start, &mut scratch.kinematics);
        cut_bones(model, &start, &mut scratch.kinematics, missed)?;
        Ok(scratch)
    }

    /// Sets the goals of the two-sided rows to what corrects their drift since the start of the step; the largest one
    /// relative to its row's size.
    pub(super) fn find_drift(&mut self) -> Real {
        let Scratch { rows, goals, before, .. } = self;
        let mut most: Real = 0.0;
        for (row, goal) in goals.iter_mut().enumerate() {
            *goal = if rows.holds(row) { before[row] - rows.errors[row] } else { 0.0 };
            most = most.max(goal.abs() / rows.sizes[row]);
        }
        most
    }

    /// The rates of segments in the last step.
    pub(crate) fn rates(&self) -> &Rates {
        self.elements.rates()
    }

    /// The rows of the last step with their impulses, and the contact points in it.
    pub(crate) fn last(&self) -> (&Rows, &[Real], &Touching) {
        (&self.rows, &self.bearing, &self.touching)
    }
}
