//! From what a frame goes on.

use super::super::registry::Warnings;
use super::super::time::{History, Moment};
use super::memory::Memory;
use super::{Built, Earlier, Running};
use crate::error::Result;
use crate::math::Real;
use crate::skin::model::Model;
use crate::skin::retarget::{regroup, retarget};
use crate::skin::state::State;

impl Running {
    /// From what the frame goes on, and the seconds since then: the same frame again from before it.
    pub(super) fn turn_to(&self, moment: &Moment, fps: Real, warnings: &mut Warnings) -> (Memory, Real) {
        let one = 1.0 / fps;
        match (moment.history, self.now.frame, &self.before) {
            (History::Repeated, Some(_), Some(before)) => {
                (before.clone(), if self.now.seconds > 0.0 { self.now.seconds } else { one })
            }
            (History::Continued | History::Skipped, Some(last), _) => {
                (self.now.clone(), moment.frame.seconds - last.seconds)
            }
            _ => {
                if moment.history == History::Restarted {
                    warnings.push(format!("{}: the skin starts from rest", moment.why()));
                }
                (Memory::at_rest(self.model()), one)
            }
        }
    }
}

/// What a new model remembers of the last frame and the one before it: what was loaded, else what the old one held, else the
/// rest. What was before a loaded frame is not known.
pub(super) fn first_memories(
    model: &Model,
    built: Built,
    earlier: &Earlier,
    warnings: &mut Warnings,
) -> Result<(Memory, Option<Memory>)> {
    if let Some(loaded) = earlier.loaded {
        loaded.state.check(model)?;
        return Ok((loaded.clone(), None));
    }
    let Some(old) = earlier.running.filter(|old| old.now.frame.is_some()) else {
        let rest = Memory::at_rest(model);
        return Ok((rest.clone(), Some(rest)));
    };
    let (now, farthest) = carried(model, built, earlier, old, &old.now)?;
    if let Some(farthest) = farthest {
        let parts = farthest / model.rest.mean_edge();
        warnings.push(format!(
            "the mesh of the skin changed: the skin was carried over, within {parts:.2} edges"
        ));
    }
    let before = match (&old.before, farthest) {
        (Some(before), None) => Some(carried(model, built, earlier, old, before)?.0),
        // What was carried over once more would be less like what it was.
        _ => Some(now.clone()),
    };
    Ok((now, before))
}

/// A memory of an old model on a new one, and how far it was carried over where the meshes differ.
fn carried(
    model: &Model,
    built: Built,
    earlier: &Earlier,
    old: &Running,
    memory: &Memory,
) -> Result<(Memory, Option<Real>)> {
    if old.built.rest == built.rest && old.model().rest.mesh().triangles == model.rest.mesh().triangles {
        // Other holds ask for other equations.
        let state = State { stiffness: None, ..memory.state.clone() };
        return Ok((Memory { state, ..*memory }, None));
    }
    let whole = old.proxy.is_none() && model.rest.mesh().faces == old.full.rest.mesh().faces;
    if let Some(parents) = earlier.parents.filter(|parents| whole && parents.len() == model.len()) {
        return Ok((Memory { state: regroup(&memory.state, parents, model), ..*memory }, None));
    }
    let (state, farthest) = retarget(old.model(), &memory.state, model)?;
    Ok((Memory { state, ..*memory }, Some(farthest)))
}
