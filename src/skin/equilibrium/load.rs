//! Load steps: the skin follows the body through poses between the frames.
//!
//! A skin may have several equilibria on one body, and how far a step strays on its way decides which of them Newton's
//! method finds: with another tolerance, or another number of steps, another one. Which one is right follows from
//! continuity in time. So where the answer is far from the start, or was not found, the body changes in small steps, and
//! the skin is in equilibrium after each of them. Between the poses the metrics of the body's triangles are
//! interpolated, not its positions: a rotation strains nothing on its way.

use super::sliding::Sliding;
use super::{Stages, goal};
use crate::control::Control;
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::model::Model;
use crate::solve::newton::{Goal, Newton, Outcome};

/// An answer that is farther from the start than this many edges may be another one than the nearest.
const FAR: Real = 0.5;
/// Skin within this many edges of its equilibrium has found it, whatever the tolerance: which of several equilibria that
/// is must not depend on the tolerance.
const SEEN: Real = 0.01;
/// The number of load steps in a frame, and in a second attempt if the skin does not settle after those.
const PARTS: [u32; 2] = [4, 8];

/// Memory for load steps.
#[derive(Default)]
pub(super) struct Load {
    /// The skin as the body carried it along, where the search for the answer began, and the answer of that search.
    carried: Vec<SurfacePoint>,
    departed: Vec<SurfacePoint>,
    found: Vec<SurfacePoint>,
    /// The metrics of the body's triangles before and after the frame.
    from: Vec<[Real; 3]>,
    to: Vec<[Real; 3]>,
}

impl Load {
    pub fn new(model: &Model) -> Self {
        let (home, none) = (model.rest.home(), vec![[0.0; 3]; model.active().len()]);
        Load { carried: home.clone(), departed: home.clone(), found: home, from: none.clone(), to: none }
    }

    /// The skin as the body carried it along.
    pub fn begin(&mut self, skin: &[SurfacePoint]) {
        self.carried.copy_from_slice(skin);
    }

    /// The skin where a search begins.
    pub fn depart(&mut self, skin: &[SurfacePoint]) {
        self.departed.copy_from_slice(skin);
    }

    /// Whether a skin is far from where the search for it began.
    pub fn is_far(&self, model: &Model, skin: &[SurfacePoint]) -> bool {
        let far = FAR * model.rest.mean_edge();
        let way = |(a, b): (&SurfacePoint, &SurfacePoint)| (model.rest.place(a) - model.rest.place(b)).norm();
        skin.iter().zip(&self.departed).any(|both| both.0 != both.1 && way(both) > far)
    }
}

/// Whether an equilibrium was found, if not to the last digit.
pub(super) fn is_found(outcome: &Outcome) -> bool {
    outcome.converged || outcome.residual <= SEEN
}

/// Moves the skin to its equilibrium along the body's way from the pose before, with the steps that the search before
/// has left. What that found stays if nothing better is found; the outcome counts all steps.
pub(super) fn follow(
    newton: &mut Newton,
    sliding: &mut Sliding,
    before: &[Vec3],
    outcome: &mut Outcome,
    control: &Control,
) -> Result<()> {
    let mut load = std::mem::take(&mut sliding.stages.load);
    load.to.copy_from_slice(&sliding.stages.on_body);
    sliding.stages.lie_on(sliding.model, before);
    load.from.copy_from_slice(&sliding.stages.on_body);
    let mut followed = Ok(());
    for parts in PARTS {
        load.found.copy_from_slice(sliding.skin);
        sliding.skin.copy_from_slice(&load.carried);
        let left = sliding.model.settings.max_iterations.saturating_sub(outcome.steps);
        followed = load_steps(newton, sliding, &load, parts, left, control).map(|found| {
            let better = is_found(&found) || (!is_found(outcome) && found.residual < outcome.residual);
            if !better {
                sliding.skin.copy_from_slice(&load.found);
                sliding.lay(newton);
            }
            let best = if better { found } else { *outcome };
            let seconds = std::array::from_fn(|k| outcome.seconds[k] + found.seconds[k]);
            *outcome = Outcome { steps: outcome.steps + found.steps, seconds, ..best };
        });
        if followed.is_err() || is_found(outcome) {
            break;
        }
    }
    sliding.stages.load = load;
    followed
}

/// The outcome of the last of some equal load steps, with the work of all of them; not converged if it is not reached.
fn load_steps(
    newton: &mut Newton,
    sliding: &mut Sliding,
    load: &Load,
    parts: u32,
    max_steps: usize,
    control: &Control,
) -> Result<Outcome> {
    let mut all = Outcome::default();
    for part in 1..=parts {
        if all.steps == max_steps {
            return Ok(Outcome { residual: Real::INFINITY, converged: false, ..all });
        }
        sliding.stages.mix_bodies(load, Real::from(part) / Real::from(parts));
        let found = search(newton, sliding, max_steps - all.steps, control)?;
        let seconds = std::array::from_fn(|k| all.seconds[k] + found.seconds[k]);
        all = Outcome { steps: all.steps + found.steps, seconds, ..found };
    }
    Ok(all)
}

/// The equilibrium nearest to the skin on the loaded body; what cannot be computed is not converged.
fn search(
    newton: &mut Newton,
    sliding: &mut Sliding,
    max_steps: usize,
    control: &Control,
) -> Result<Outcome> {
    sliding.stages.calm.begin();
    let goal = Goal { max_steps, ..goal(sliding.model) };
    match sliding.lay(newton) {
        Some(start) => newton.minimise(sliding, start, &goal, control),
        None => Ok(Outcome { residual: Real::INFINITY, ..Outcome::default() }),
    }
}

impl Sliding<'_> {
    /// Lays the skin flat; the potential there.
    fn lay(&mut self, newton: &mut Newton) -> Option<Real> {
        self.stages.lay(self.model, self.skin, newton.factor());
        self.stages.value_here(self.model, self.terms)
    }
}

impl Stages {
    /// Loads the body at a part of the way between two poses.
    fn mix_bodies(&mut self, load: &Load, part: Real) {
        for ((now, from), to) in self.on_body.iter_mut().zip(&load.from).zip(&load.to) {
            *now = match part {
                1.0 => *to,
                _ => std::array::from_fn(|k| from[k] + (to[k] - from[k]) * part),
            };
        }
    }
}
