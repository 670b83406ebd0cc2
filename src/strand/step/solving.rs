//! The solve of a step: the rows that hold, the pieces of strands that bear, the bounds of friction, and before it the
//! choice of activations.

use super::super::contact;
use super::super::control::Goal;
use super::super::elements::add_pull;
use super::super::guide::Guide;
use super::super::layout::NONE;
use super::super::model::Model;
use super::super::now::Now;
use super::super::rows::Rows;
use super::super::state::State;
use super::{Report, Scratch, fill_rows};
use crate::error::{Error, Kind, Result};
use crate::math::Real;
use crate::solve::boxed::Boxed;

/// Turns that pressing and rubbing take in a step at most. Each mostly leaves a tenth of the error before.
const STAGGERED: usize = 8;
/// Bounds of friction that move by less than this part agree.
const AGREED: Real = 1e-3;
/// How often a step is solved at most until all pieces bear that will be taut, and none that would push.
const BEARING_ROUNDS: usize = 6;

/// A slack piece that will be stretched by this part in a step bears within it. Less is left to the next step; but a trial
/// step that asks what muscles do leaves nothing.
pub(super) const JERK: Real = 1e-4;

/// Solves until all pieces bear that will be stretched by more than a part at the end of the step, and none that would push: a
/// slack strand that is pulled tight is so within the step, not with a jerk in the next one.
pub(super) fn solve(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    h: Real,
    slack: Real,
    report: &mut Report,
) -> Result<()> {
    for round in 1..=BEARING_ROUNDS {
        solve_once(model, state, scratch, report)?;
        let now = Now { model, state, moment: &scratch.moment };
        let Scratch { elements, velocity, .. } = scratch;
        if round == BEARING_ROUNDS || elements.change_bearing(&now, velocity, h, slack) == 0 {
            break;
        }
        elements.refill(&now, h)?;
        pull(model, state, scratch, h);
    }
    let now = Now { model, state, moment: &scratch.moment };
    scratch.elements.foresee(&now, &scratch.velocity, h);
    Ok(())
}

/// Solves; where bodies rub, again until the bounds of friction fit the impulses that press.
fn solve_once(model: &Model, state: &mut State, scratch: &mut Scratch, report: &mut Report) -> Result<()> {
    let Scratch { elements, rows, solver, velocity, touching, .. } = scratch;
    for _ in 0..STAGGERED {
        let problem = Boxed {
            matrix: elements.assembly.matrix(),
            forces: &elements.force,
            rows: &rows.matrix,
            goals: &rows.goals,
            compliance: &rows.compliance,
            low: &rows.low,
            high: &rows.high,
        };
        let budget = model.settings().budget;
        let solved = solver.solve(&problem, velocity, &mut state.impulses, &mut state.active, budget)?;
        report.factorisations += solved.factorisations;
        report.unsolved += usize::from(!solved.converged);
        if !touching.rubs(model) || touching.rebound(model, rows, &state.impulses) < AGREED {
            break;
        }
    }
    if !solver.conflicts().is_empty() {
        report.conflicts.clear();
        report.conflicts.extend_from_slice(solver.conflicts());
    }
    match velocity.iter().position(|v| !v.is_finite()) {
        Some(k) => Err(Error::new(Kind::NotFinite, format!("the velocity of unknown {k} is not finite"))),
        None => Ok(()),
    }
}

/// Adds the muscles' pull.
pub(super) fn pull(model: &Model, state: &State, scratch: &mut Scratch, h: Real) {
    let now = Now { model, state, moment: &scratch.moment };
    for (m, activation) in state.activations.iter().enumerate() {
        add_pull(&now, m, *activation, h, &mut scratch.elements.force);
    }
}

/// Chooses the activations that come nearest to the goals, by a trial step as long as activations are held.
///
/// What joints may do at most, and what bodies touch, lets go in it: a joint at its limit moves by no activation as long as
/// the limit holds, and would never be seen to leave it. Limits at which goals want a joint to stay hold.
pub(super) fn choose(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    goals: &[Goal],
    [hold, held]: [Real; 2],
    report: &mut Report,
) -> Result<()> {
    let now = Now { model, state, moment: &scratch.moment };
    scratch.elements.guess(&now);
    scratch.elements.fill(&now, hold)?;
    fill_rows(&now, &scratch.touching, &mut scratch.rows, hold);
    scratch.controller.guide.find(&now, goals)?;
    let_limits_go(&now, &scratch.controller.guide, &mut scratch.rows);
    pull(model, state, scratch, hold);
    scratch.states.copy_from_slice(&state.active);
    solve(model, state, scratch, hold, 0.0, report)?;
    state.active.copy_from_slice(&scratch.states);
    let mut activations = std::mem::take(&mut state.activations);
    let now = Now { model, state, moment: &scratch.moment };
    let Scratch { controller, solver, velocity, .. } = scratch;
    let chosen = controller.choose(&now, solver, velocity, goals, [hold, held], &mut activations);
    state.activations = activations;
    chosen
}

/// Rows that hold one way for joints, and all of bodies that may touch, hold nothing.
fn let_limits_go(now: &Now, guide: &Guide, rows: &mut Rows) {
    let (parts, layout) = (now.parts(), now.layout());
    let joints = parts.joints.iter().zip(&layout.joint_rows).filter(|(_, first)| **first != NONE);
    for row in joints.flat_map(|(joint, &first)| first..first + joint.row_count()) {
        if rows.low[row] == 0.0 && rows.high[row] == Real::INFINITY && !guide.stays(row) {
            rows.let_go(row);
        }
    }
    let touching = layout.contact_rows.iter().flat_map(|&first| first..first + contact::ROWS);
    touching.for_each(|row| rows.let_go(row));
}
