//! The solve of a step: active rows, load-bearing pieces of strands, the bounds of friction, and before that the choice
//! of activations.

use super::report::Report;
use super::scratch::Scratch;
use crate::control::Guide;
use crate::counts::{CONTACT_ROWS, SPOTS};
use crate::elements::add_pull;
use crate::layout::NONE;
use crate::model::Model;
use crate::now::Now;
use crate::parts::Goal;
use crate::rows::{self, Rows};
use crate::state::State;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_solve::boxed::Boxed;

/// The maximum number of alternations of normal forces and friction in a step. Each usually leaves a tenth of the
/// error.
const STAGGERED: usize = 8;
/// Bounds of friction that move by less than this fraction agree.
const AGREED: Real = 1e-3;
/// The maximum number of solves of a step until all taut pieces bear load, and none pushes.
const BEARING_ROUNDS: usize = 6;

/// A slack piece that will be stretched by this fraction in a step bears load within it. Less is left to the next step;
/// but a trial step for the effect of muscles leaves none.
pub(super) const JERK: Real = 1e-4;

/// A piece that would be shorter than its material by less than this fraction at the end of a step is first taken to
/// bear load.
pub(super) const NEARLY_TAUT: Real = 1e-5;
/// The same in a trial step for the effect of muscles, whose end is not extrapolated: muscles take up slack within it.
/// Four fingers took 2.98 factorisations a step with it, 3.24 with 1e-5 and 3.35 with 1e-2 when it was chosen (`cargo
/// bench --bench strand -- --four 2` prints what they take).
const TAKEN_UP: Real = 1e-3;

/// Solves until all pieces bear load that will be stretched by more than a fraction at the end of the step, and none
/// pushes: a slack strand that is pulled tight becomes so within the step, not with a jerk in the next one.
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
        let now = Now { model, state, kinematics: &scratch.kinematics };
        let Scratch { elements, velocity, rows, .. } = scratch;
        elements.foresee(&now, velocity, h);
        if round == BEARING_ROUNDS {
            break;
        }
        let changed = elements.change_bearing(&now, slack) > 0;
        if !elements.steady_more(&now, rows, h) && !changed {
            break;
        }
        elements.refill(&now, h)?;
        pull(model, state, scratch, h);
    }
    Ok(())
}

/// Solves; with friction, repeatedly until its bounds match the normal impulses.
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
    let now = Now { model, state, kinematics: &scratch.kinematics };
    for (m, activation) in state.activations.iter().enumerate() {
        add_pull(&now, m, *activation, h, &mut scratch.elements.force);
    }
}

/// Chooses the activations that come closest to the goals, by a trial step as long as activations are held.
///
/// Joint limits and contacts are released in it: a joint at its limit cannot be moved by any activation while the limit
/// is active, and would never be seen to leave it. Limits at which goals want a joint to stay are kept, and so are
/// contacts that goals lead into: what muscles do to a fingertip that is pressed on something depends on it. Friction
/// is left out, or whatever sticks would never be seen to slide.
pub(super) fn choose(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    goals: &[Goal],
    [hold, held]: [Real; 2],
    report: &mut Report,
) -> Result<()> {
    let now = Now { model, state, kinematics: &scratch.kinematics };
    rows::fill(&now, &scratch.touching, &mut scratch.rows, hold);
    scratch.elements.look_ahead(&now, TAKEN_UP);
    scratch.elements.steady_nothing();
    scratch.elements.fill(&now, hold)?;
    scratch.controller.guide.find(&now, &scratch.touching, goals, hold)?;
    report.blocked.clear();
    report.blocked.extend_from_slice(&scratch.controller.guide.blocked);
    let_limits_go(&now, &scratch.controller.guide, &mut scratch.rows);
    pull(model, state, scratch, hold);
    scratch.states.copy_from_slice(&state.active);
    scratch.impulses.copy_from_slice(&state.impulses);
    scratch.touching.slippery = true;
    let tried = solve(model, state, scratch, hold, 0.0, report);
    scratch.touching.slippery = false;
    tried?;
    state.active.copy_from_slice(&scratch.states);
    state.impulses.copy_from_slice(&scratch.impulses);
    let mut activations = std::mem::take(&mut state.activations);
    let now = Now { model, state, kinematics: &scratch.kinematics };
    let Scratch { controller, solver, velocity, .. } = scratch;
    let chosen = controller.choose(&now, solver, velocity, goals, [hold, held], &mut activations);
    state.activations = activations;
    chosen
}

/// Disables one-sided rows of joints, and rows of contacts, except those that hold goals back.
fn let_limits_go(now: &Now, guide: &Guide, rows: &mut Rows) {
    let (parts, layout) = (now.parts(), now.layout());
    let joints = parts.joints.iter().zip(&layout.joint_rows).filter(|(_, first)| **first != NONE);
    for row in joints.flat_map(|(joint, &first)| first..first + joint.row_count()) {
        if rows.low[row] == 0.0 && rows.high[row] == Real::INFINITY && !guide.stays(row) {
            rows.let_go(row);
        }
    }
    for (c, &first) in layout.contact_rows.iter().enumerate() {
        let held = |k: usize| k < SPOTS && guide.holds(c, k);
        (0..CONTACT_ROWS).filter(|&k| !held(k)).for_each(|k| rows.let_go(first + k));
    }
}
