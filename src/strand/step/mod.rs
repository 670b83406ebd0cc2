//! A step \[HandThesis alg. 2, eq. 3.4\]: positions, the equations of motion, the constraints, the solve, the motion,
//! and the correction of constraint drift.

mod inputs;
mod motion;
mod positions;
mod report;
mod run_off;
mod scratch;
mod solving;
mod turns;

use super::model::Model;
use super::now::Now;
use super::rows;
use super::state::State;
use motion::{advance, look_ahead, stand_still, take_velocities};
use positions::{bring, cut_bones, find_middles, lead, update};
use run_off::run_off;
use sinew_base::control::{Control, Stopwatch};
use sinew_base::error::{Kind, Result};
use sinew_math::Real;
use solving::{JERK, NEARLY_TAUT, choose, pull, solve};
use turns::{count, wrapped};

pub use inputs::Inputs;
pub use report::{APART, Apart, Jerked, Report, STAGES, Stage, UsedUp, Wrapped};
pub use scratch::Scratch;

/// A frame. A step that is too long for the forces, so that the strains of strands differ from its prediction or
/// something flies off, is repeated as two shorter ones. After an error the state is unchanged.
pub fn step(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    inputs: &Inputs,
    control: &Control,
) -> Result<Report> {
    inputs.check(model, state)?;
    scratch.kept.copy_from(state);
    let went = frame(model, state, scratch, inputs, control);
    if went.is_err() {
        state.copy_from(&scratch.kept);
    }
    went
}

/// The maximum number of halvings of a step: the shortest are 1/64 as long.
const MOST_HALVINGS: u32 = 6;

fn frame(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    inputs: &Inputs,
    control: &Control,
) -> Result<Report> {
    match (inputs.activations, inputs.goals) {
        ([], []) => state.activations.fill(0.0),
        (given, []) => state.activations.copy_from_slice(given),
        _ => {}
    }
    let mut report = Report::default();
    let steps = inputs.substeps.max(1);
    let h = inputs.seconds / Real::from(steps);
    // Activations are chosen at the frame's start, and every few steps.
    let held = (model.settings().effort.hold / h).round().clamp(1.0, Real::from(steps)) as u32;
    for k in 1..=steps {
        control.progress(f64::from(k - 1) / f64::from(steps), "moving the strands")?;
        let chosen = !inputs.goals.is_empty() && (k - 1) % held == 0;
        let hold = chosen.then(|| [h.max(model.settings().effort.hold), h * Real::from(held)]);
        let piece = Piece { h, part: Real::from(k) / Real::from(steps), hold };
        careful_step(model, state, scratch, &(inputs, control), &piece, MOST_HALVINGS, &mut report)?;
    }
    update(model, state, &mut scratch.kinematics);
    let last = report.last_step;
    rows::measure(
        &Now { model, state, kinematics: &scratch.kinematics },
        &scratch.touching,
        &mut scratch.rows,
        last,
    );
    report.note_errors(&scratch.rows, state.time);
    Ok(report)
}

/// One step of a frame.
struct Piece {
    /// Its length in s.
    h: Real,
    /// The fraction of the frame completed at its end.
    part: Real,
    /// If activations are chosen at its start: how far to look ahead, and how long they are held.
    hold: Option<[Real; 2]>,
}

/// A step; if it is too long, its two halves instead, up to the maximum number of halvings.
fn careful_step(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    given: &(&Inputs, &Control),
    piece: &Piece,
    halvings: u32,
    report: &mut Report,
) -> Result<()> {
    let (inputs, control) = given;
    control.check()?;
    scratch.tried.copy_from(state);
    let (unsolved, missed) = (report.unsolved, report.missed.len());
    let surprise = match small_step(model, state, scratch, inputs, piece, report) {
        Err(error) if error.kind() != Kind::NotFinite || halvings == 0 => return Err(error),
        Err(_) => Real::INFINITY,
        Ok(surprise) => surprise,
    };
    if surprise <= 1.0 || halvings == 0 {
        (report.steps, report.last_step) = (report.steps + 1, piece.h);
        if surprise > 1.0 {
            report.note_rough(model, &scratch.tried, state, piece.h);
        }
        wrapped(model, &scratch.tried, state, report);
        let whole = inputs.seconds / Real::from(inputs.substeps.max(1));
        run_off(model, state, &scratch.kept, whole, report);
        return Ok(());
    }
    state.copy_from(&scratch.tried);
    report.unsolved = unsolved;
    report.missed.truncate(missed);
    let h = 0.5 * piece.h;
    let first = Piece { h, part: piece.part - h / inputs.seconds, hold: piece.hold };
    let second = Piece { h, hold: None, ..*piece };
    let mut half = |half| careful_step(model, state, scratch, given, half, halvings - 1, report);
    half(&first)?;
    half(&second)
}

/// The error of the step's prediction of the strands, relative to its tolerance.
fn small_step(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    inputs: &Inputs,
    piece: &Piece,
    report: &mut Report,
) -> Result<Real> {
    let Piece { h, part, hold } = *piece;
    let mut clock = Stopwatch::start();
    lead(model, state, &scratch.kept, inputs, h, part, &mut scratch.kinematics);
    find_middles(model, state, h, &mut scratch.kinematics);
    update(model, state, &mut scratch.kinematics);
    cut_bones(model, state, &mut scratch.kinematics, |plane, _| {
        // Nothing is kept out of the bone there.
        if !report.missed.contains(&plane) {
            report.missed.push(plane);
        }
        Ok(())
    })?;
    clock.lap(&mut report.seconds[Stage::Update as usize]);
    scratch.touching.update(model, state, &scratch.kinematics.led, h);
    clock.lap(&mut report.seconds[Stage::Contact as usize]);
    if let Some(hold) = hold {
        stand_still(model, state, &mut scratch.kinematics.ahead);
        choose(model, state, scratch, inputs.goals, hold, report)?;
        clock.lap(&mut report.seconds[Stage::Control as usize]);
    }
    look_ahead(model, state, &mut scratch.kinematics, h);
    let now = Now { model, state, kinematics: &scratch.kinematics };
    rows::fill(&now, &scratch.touching, &mut scratch.rows, h);
    // What a scene begins with is corrected in its first step.
    if report.steps > 0 {
        report.note_errors(&scratch.rows, state.time);
    }
    clock.lap(&mut report.seconds[Stage::Rows as usize]);
    scratch.elements.look_ahead(&now, NEARLY_TAUT);
    scratch.elements.steady(&now, &scratch.rows, h);
    scratch.elements.fill(&now, h)?;
    clock.lap(&mut report.seconds[Stage::Elements as usize]);
    pull(model, state, scratch, h);
    solve(model, state, scratch, h, JERK, report)?;
    clock.lap(&mut report.seconds[Stage::Solve as usize]);
    advance(model, state, &scratch.velocity, h);
    bring(model, state, &scratch.kept, inputs, part, &scratch.kinematics);
    count(model, state, &scratch.kinematics, &scratch.velocity, h);
    let misled = stabilise(model, state, scratch, h)?;
    take_velocities(model, state, &scratch.kinematics.middles, &scratch.velocity);
    state.carry_points(model);
    state.time += h;
    let surprise = scratch.elements.surprise(model, state, h).max(misled);
    clock.lap(&mut report.seconds[Stage::Motion as usize]);
    Ok(surprise)
}

/// Corrects the drift of the active rows by the smallest motions, in the metric of the step's matrix; returns how far
/// the step moved rows from their directions at its start, relative to what is tolerated.
///
/// The drift of this step is added to the velocities too: then the rows hold at the end of the step instead of their
/// rates at its start, which is SHAKE (Ryckaert, Ciccotti, Berendsen 1977): of second order, without energy drift. It
/// is repeated where bodies rotate so far that one correction leaves much. Earlier errors and penetrations are
/// corrected without changing velocities \[post-stabilisation, Cline and Pai 2003\]. The cross-sections of bones move
/// along with these meanwhile, as the rows assume.
fn stabilise(model: &Model, state: &mut State, scratch: &mut Scratch, h: Real) -> Result<Real> {
    update(model, state, &mut scratch.kinematics);
    scratch.before.copy_from_slice(&scratch.rows.errors);
    scratch.bearing.copy_from_slice(&state.impulses);
    let (mut left, mut first) = (Real::INFINITY, 0.0);
    for round in 0..=MOST_CORRECTIONS {
        rows::measure(
            &Now { model, state, kinematics: &scratch.kinematics },
            &scratch.touching,
            &mut scratch.rows,
            h,
        );
        let before = std::mem::replace(&mut left, scratch.find_drift());
        if round == 0 {
            first = left;
        }
        if round == MOST_CORRECTIONS || left > 0.5 * before || left <= Real::EPSILON {
            break;
        }
        let Scratch { solver, correction, zeros, goals, multipliers, bearing, velocity, .. } = scratch;
        solver.again(zeros, goals, correction, multipliers)?;
        advance(model, state, correction, 1.0);
        velocity.iter_mut().zip(&*correction).for_each(|(v, c)| *v += c / h);
        bearing.iter_mut().zip(&*multipliers).for_each(|(bearing, back)| *bearing += back / h);
        if left <= SLIGHT {
            left = 0.0;
            break;
        }
        update(model, state, &mut scratch.kinematics);
    }
    let Scratch { rows, solver, correction, zeros, goals, multipliers, before, .. } = scratch;
    for (row, goal) in goals.iter_mut().enumerate() {
        *goal = if rows.holds(row) { -before[row] } else { (-rows.errors[row]).max(0.0) };
    }
    if goals.iter().any(|goal| goal.abs() > SETTLED) {
        solver.again(zeros, goals, correction, multipliers)?;
        advance(model, state, correction, 1.0);
    }
    Ok((first / DRIFTED).max(left / LEFT))
}

/// Errors in m and rad that count as round-off.
const SETTLED: Real = 1e-13;
/// A drift below this fraction of a row's size, or of a radian, is corrected by one correction: it leaves the square of
/// the rotations behind it.
const SLIGHT: Real = 1e-4;
/// The maximum number of corrections of the drift; each leaves a fraction as large as the rotation in the step.
const MOST_CORRECTIONS: usize = 4;
/// A step whose drift was more than the first fraction of a row's size, as after rotations by a tenth of a radian, or
/// of which corrections leave more than the second, is repeated as two shorter ones.
const DRIFTED: Real = 5e-3;
const LEFT: Real = 1e-3;
