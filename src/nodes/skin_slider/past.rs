//! Which state a frame continues from.

use super::super::node::Warnings;
use super::super::time::{History, Moment};
use super::memory::Memory;
use super::saved::Saved;
use super::{Built, Running};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::math::Real;
use crate::skin::model::Model;
use crate::skin::retarget::{regroup, retarget};
use crate::skin::state::State;

/// Beyond this distance, in mean edges of the coarser mesh, a skin is not transferred: it is not the same skin.
const FARTHEST: Real = 2.0;

/// What a new model may continue from.
pub(super) struct Earlier<'a> {
    pub(super) running: Option<&'a Running>,
    pub(super) loaded: Option<&'a Saved>,
    /// The previous index of each vertex on the running model's surface, if stitches have opened since.
    pub(super) parents: Option<&'a [u32]>,
}

/// The origin of a new model's memory; reported with its first good frame.
pub(super) enum Origin {
    /// The previous memory, or there was none.
    Same,
    /// Transferred from another mesh, with the largest distance that anything moved, in edges.
    Carried(Real),
    /// The previous memory does not fit, so the skin is at rest; with the reason.
    Lost(String),
}

/// The memory of a new model.
pub(super) struct First {
    pub(super) now: Memory,
    /// The state before the last frame; unknown if it was loaded.
    pub(super) before: Option<Memory>,
    pub(super) origin: Origin,
}

/// The result of a step, until everything else has succeeded.
pub(super) struct Made {
    pub(super) before: Memory,
    pub(super) now: Memory,
    /// The skin on the original mesh, if it is computed to measure the proxy's error.
    pub(super) reference: Option<State>,
}

impl Running {
    /// How the frame continues what this model remembers, which may be nothing.
    pub(super) fn follow(&self, moment: &Moment, warnings: &mut Warnings) -> Result<Moment> {
        let mut moment = *moment;
        match &self.origin {
            _ if moment.history == History::Started => {}
            Origin::Lost(why) => {
                moment = moment.restart(why)?;
                warnings.push(format!("{why}: the skin starts from rest"));
            }
            _ if moment.history == History::Restarted => {
                warnings.push(format!("{}: the skin starts from rest", moment.why()));
            }
            Origin::Carried(edges) => {
                moment.history = History::Carried;
                warnings.push(format!(
                    "the mesh of the skin changed: the skin was carried over, within {edges:.2} edges"
                ));
            }
            Origin::Same => {}
        }
        Ok(moment)
    }

    /// The state that the frame continues from, and the seconds since; a repeated frame starts from the state before it.
    pub(super) fn turn_to(&self, moment: &Moment, fps: Real) -> (Memory, Real) {
        let one = 1.0 / fps;
        match (moment.history.begins(), moment.last, self.now.frame, &self.before) {
            (false, Some(_), Some(_), Some(before)) if moment.stands_still() => {
                (before.clone(), if self.now.seconds > 0.0 { self.now.seconds } else { one })
            }
            (false, _, Some(last), _) => (self.now.clone(), moment.frame.seconds - last.seconds),
            _ => (Memory::at_rest(self.model()), one),
        }
    }

    /// The previous frame's UVs, from which jumps are counted: recomputed if they are not those of the last step.
    pub(super) fn recall_uvs(&mut self, before: &Memory) -> Result<()> {
        match before.frame {
            Some(frame) if !self.results.has_last(frame) => {
                self.carry_skin(&before.state.skin)?;
                self.results.set_last(frame, &self.skin)
            }
            _ => Ok(()),
        }
    }

    /// The computed skin on the original mesh.
    pub(super) fn carry_skin(&mut self, computed: &[SurfacePoint]) -> Result<()> {
        match &mut self.proxy {
            None => self.skin.copy_from_slice(computed),
            Some(proxy) => proxy.carry(computed, &mut self.skin)?,
        }
        Ok(())
    }
}

/// The memory of a new model: what was loaded, else what the old one held, else rest.
pub(super) fn first(model: &Model, built: Built, earlier: &Earlier) -> Result<First> {
    let rest = Memory::at_rest(model);
    if let Some(Saved { memory, .. }) = earlier.loaded.filter(|saved| saved.memory.frame.is_some()) {
        let fits = earlier.loaded.map_or(Ok(()), |saved| saved.check(model));
        return Ok(match fits {
            Ok(()) => First { now: memory.clone(), before: None, origin: Origin::Same },
            Err(why) => {
                let now = Memory { frame: memory.frame, seconds: memory.seconds, ..rest };
                let why = format!("the loaded state belongs to another skin ({why})");
                First { now, before: None, origin: Origin::Lost(why) }
            }
        });
    }
    let Some(old) = earlier.running.filter(|old| old.now.frame.is_some()) else {
        return Ok(First { now: rest.clone(), before: Some(rest), origin: Origin::Same });
    };
    let (now, origin) = carried(model, built, earlier, old, &old.now)?;
    let before = match (&old.before, &origin) {
        (None, _) => None,
        (Some(before), Origin::Same) => Some(carried(model, built, earlier, old, before)?.0),
        // Transferring it once more would degrade it.
        _ => Some(now.clone()),
    };
    Ok(First { now, before, origin })
}

/// An old model's memory on a new one.
fn carried(
    model: &Model,
    built: Built,
    earlier: &Earlier,
    old: &Running,
    memory: &Memory,
) -> Result<(Memory, Origin)> {
    let (from, to) = (old.model().rest.mesh(), model.rest.mesh());
    if from.triangles == to.triangles {
        // Other holds lead to other equations.
        let state = State { stiffness: None, ..memory.state.clone() };
        let same = old.built.rest == built.rest || from.positions == to.positions;
        return Ok((Memory { state, ..*memory }, if same { Origin::Same } else { Origin::Carried(0.0) }));
    }
    let whole = old.proxy.is_none() && to.faces == old.full.rest.mesh().faces;
    if let Some(parents) = earlier.parents.filter(|parents| whole && parents.len() == model.len()) {
        return Ok((Memory { state: regroup(&memory.state, parents, model), ..*memory }, Origin::Same));
    }
    let (state, farthest) = retarget(old.model(), &memory.state, model)?;
    let edges = farthest / model.rest.mean_edge().max(old.model().rest.mean_edge());
    if edges <= FARTHEST {
        return Ok((Memory { state, ..*memory }, Origin::Carried(edges)));
    }
    let why = format!("the mesh of the skin changed by up to {edges:.1} edges: it is another skin");
    Ok((Memory { state: State::at_rest(model), ..*memory }, Origin::Lost(why)))
}
