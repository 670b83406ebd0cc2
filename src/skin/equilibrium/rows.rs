//! The rows of steps: the constraints G v = g of the model, and suppressed rotations of free pieces that nothing
//! drives.

use super::potential::place_after;
use super::{Scratch, Stages};
use crate::model::{Mode, Model};
use crate::turns::Turn;
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec3};
use sinew_solve::newton::Rows;

/// Unknowns and their factors in a row.
type Entries = Vec<(usize, Real)>;

impl Scratch {
    /// Sets the requirements of the model's constraints for a step of `seconds` from a skin. Relative to the body, the
    /// skin slides in the opposite direction to the material points at its vertices.
    pub fn aim(&mut self, model: &Model, before: &[SurfacePoint], seconds: Real) {
        for (target, row) in self.stages.targets.iter_mut().zip(model.rows()) {
            let place = |v: u32| model.rest.place(&before[v as usize]);
            *target = row.terms.iter().map(|(v, f)| f.dot(&place(*v))).sum::<Real>() - row.speed * seconds;
        }
    }
}

impl Stages {
    /// Adds the rows of the next step.
    pub(super) fn add_rows(&self, model: &Model, gradient: &[Real], rows: &mut Rows) {
        for r in 0..model.rows().len() {
            rows.add(|entries| Some(self.row(model, r, entries)));
        }
        if model.settings.mode == Mode::Quasistatic {
            for turn in model.turns() {
                rows.add(|entries| self.is_unasked(model, turn, gradient, entries).then_some(0.0));
            }
        }
    }

    /// A constraint of the model over the unknowns, and the required step along it.
    fn row(&self, model: &Model, r: usize, entries: &mut Entries) -> Real {
        let mut sum = 0.0;
        for (v, factor) in &model.rows()[r].terms {
            let v = *v as usize;
            let stand = &self.stands[v];
            sum += factor.dot(&stand.place);
            entries.extend(model.unknowns_of(v).zip(&stand.space).map(|(k, s)| (k, factor.dot(s))));
        }
        self.targets[r] - sum
    }

    /// The violation of a constraint of the model after a displacement, in metres.
    pub(super) fn violation(&self, model: &Model, r: usize, way: &[Real]) -> Real {
        let place = |v: u32| place_after(model, &self.stands, v as usize, way);
        let sum = model.rows()[r].terms.iter().map(|(v, f)| f.dot(&place(*v))).sum::<Real>();
        (self.targets[r] - sum).abs()
    }

    /// The amount of a rotation in a step, as a row; whether nothing drives the rotation.
    fn is_unasked(&self, model: &Model, turn: &Turn, gradient: &[Real], entries: &mut Entries) -> bool {
        let (mut force, mut fastest): (Real, Real) = (0.0, 0.0);
        for v in (0..model.len()).filter(|&v| model.piece_of(v) == turn.piece) {
            let (stand, unknowns) = (&self.stands[v], model.unknowns_of(v));
            let motion = stand.components(&turn.at(&stand.place));
            let velocity: Vec3 = stand.moved(motion.as_slice());
            force += gradient[unknowns.clone()].iter().zip(motion.iter()).map(|(g, m)| g * m).sum::<Real>();
            fastest = fastest.max(velocity.norm());
            entries.extend(unknowns.zip(&stand.space).map(|(k, along)| (k, along.dot(&velocity))));
        }
        fastest > 0.0
            && force.abs() * model.rest.mean_edge() <= model.thresholds.asked_for * self.membrane * fastest
    }
}
