//! Which state a frame continues from.

use super::super::time::{Past, Timing};
use super::super::timeline::{Frames, Memory as _, Origin, Run, Since};
use super::memory::Memory;
use super::saved::Saved;
use super::{Built, Running};
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_math::Real;
use sinew_skin::model::Model;
use sinew_skin::retarget::{regroup, retarget};
use sinew_skin::state::State;

/// Beyond this distance, in mean edges of the coarser mesh, a skin is not transferred: it is not the same skin.
const FARTHEST: Real = 2.0;

/// What a new model may continue from.
pub(super) struct Earlier<'a> {
    pub(super) running: Option<&'a Running>,
    pub(super) loaded: Option<&'a Saved>,
    /// The previous index of each vertex on the running model's surface, if stitches have opened since.
    pub(super) parents: Option<&'a [u32]>,
    /// The models of meshes before the running one, the latest first.
    pub(super) former: &'a [Model],
}

impl Run for Running {
    type Memory = Memory;
    type Saved = Saved;

    fn frames(&self) -> &Frames<Memory> {
        &self.frames
    }

    fn frames_mut(&mut self) -> &mut Frames<Memory> {
        &mut self.frames
    }

    fn start(&self) -> Memory {
        Memory::at_rest(self.model())
    }

    fn keep(&mut self) {
        let measured = self.measured.take();
        if self.frames.keep()
            && let (Some(runner), Some(state)) = (&mut self.reference, measured)
        {
            runner.state = state;
        }
    }

    /// A saved skin holds the state after its last frame, but not the one before it.
    fn past(saved: &Saved) -> Past {
        saved.memory.frame.map_or(Past::Last(None), Past::End)
    }
}

impl Running {
    /// The state that the frame continues from, and the seconds since.
    pub(super) fn turn_to(&self, timing: &Timing, fps: Real) -> (Memory, Real) {
        let one = 1.0 / fps;
        match self.frames.since(timing) {
            Since::Nothing => (self.start(), one),
            Since::Before(before) => {
                let seconds = self.frames.now.seconds;
                (before.clone(), if seconds > 0.0 { seconds } else { one })
            }
            Since::Last(last) => {
                let since = last.frame.map_or(one, |frame| timing.frame.seconds - frame.seconds);
                (last.clone(), since)
            }
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
            Some(proxy) => proxy.carry(&self.full.rest, computed, &mut self.skin)?,
        }
        Ok(())
    }
}

/// The memory of a new model: what was loaded, else what the old one held, else rest.
pub(super) fn first(model: &Model, built: Built, earlier: &Earlier) -> Result<Frames<Memory>> {
    let rest = Memory::at_rest(model);
    if let Some(saved) = earlier.loaded.filter(|saved| saved.memory.frame.is_some()) {
        let (now, origin) = continued(model, saved, earlier)?;
        return Ok(Frames::new(now, None, origin));
    }
    let Some(old) = earlier.running.filter(|old| old.frames.now.frame().is_some()) else {
        return Ok(Frames::at_start(rest));
    };
    let (now, origin) = carried(model, built, earlier, old, &old.frames.now)?;
    let before = match (&old.frames.before, &origin) {
        (None, _) => None,
        (Some(before), Origin::Same) => Some(carried(model, built, earlier, old, before)?.0),
        // Transferring it once more would degrade it.
        _ => Some(now.clone()),
    };
    Ok(Frames::new(now, before, origin))
}

/// A loaded memory on a new model: as it is, or carried over from a mesh that the node has had before.
fn continued(model: &Model, saved: &Saved, earlier: &Earlier) -> Result<(Memory, Origin)> {
    let memory = &saved.memory;
    let Err(why) = saved.check(model) else { return Ok((memory.clone(), Origin::Same)) };
    let known = earlier.running.map(Running::model).into_iter().chain(earlier.former);
    if let Some(old) = known.into_iter().find(|old| saved.check(old).is_ok()) {
        return transferred(old, memory, model);
    }
    let now = Memory { state: State::at_rest(model), ..*memory };
    Ok((now, Origin::Lost(format!("the loaded state belongs to another skin ({why})"))))
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
        return Ok((Memory { state, ..*memory }, if same { Origin::Same } else { carried_over(0.0) }));
    }
    let whole = old.proxy.is_none() && to.faces == old.full.rest.mesh().faces;
    if let Some(parents) = earlier.parents.filter(|parents| whole && parents.len() == model.len()) {
        return Ok((Memory { state: regroup(&memory.state, parents, model), ..*memory }, Origin::Same));
    }
    transferred(old.model(), memory, model)
}

/// A memory of another mesh, from the nearest points of the one to those of the other.
fn transferred(old: &Model, memory: &Memory, model: &Model) -> Result<(Memory, Origin)> {
    let (state, farthest) = retarget(old, &memory.state, model)?;
    let edges = farthest / model.rest.mean_edge().max(old.rest.mean_edge());
    if edges <= FARTHEST {
        return Ok((Memory { state, ..*memory }, carried_over(edges)));
    }
    let why = format!("the rest mesh moved by up to {edges:.1} edge lengths, too far to carry the skin over");
    Ok((Memory { state: State::at_rest(model), ..*memory }, Origin::Lost(why)))
}

fn carried_over(edges: Real) -> Origin {
    Origin::Carried(format!(
        "the rest mesh changed: the skin was carried over, within {edges:.2} edge lengths"
    ))
}
