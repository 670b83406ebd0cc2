//! A step \[HandThesis alg. 2, eq. 3.4\]: positions, the equations of motion, the constraints, the solve, the motion,
//! and the correction of constraint drift.

mod solving;

use super::contact::{self, Touching};
use super::control::Controller;
use super::elements::Elements;
pub use super::inputs::Inputs;
use super::layout::NONE;
use super::model::{Carrier, Mode, Model};
use super::motion::{advance, look_ahead, stand_still, take_velocities};
use super::now::{Ahead, Cut, Moment, Now, least_material};
use super::plane::Plane;
use super::rows::{Part, Rows};
use super::run_off::{UsedUp, run_off};
use super::spinning::Middle;
use super::state::State;
use super::turns::{Wrapped, count, wrapped};
use crate::control::{Control, Stopwatch};
use crate::error::{Error, Kind, Result};
use crate::math::motion::rotation_vector;
use crate::math::{Placement, Real, Vec3};
use crate::solve::boxed::{BoxedSolver, RowState};
use solving::{JERK, choose, pull, solve};

/// The stages of a step: positions, contact, the choice of activations, the equations of motion, the constraints, the
/// solve, the motion.
pub const STAGES: [&str; 7] = ["update", "contact", "control", "elements", "rows", "solve", "motion"];

/// The result of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The number of steps taken; more than requested if some of these were too long.
    pub steps: u32,
    /// The length of the last of them, in s.
    pub last_step: Real,
    /// How many of them were as short as allowed and still too long for the motion of strands.
    pub rough: u32,
    /// Factorisations over all steps, including those that were repeated in shorter ones.
    pub factorisations: usize,
    /// The largest violation of an active row, after correction, in m or rad.
    pub error: Real,
    /// Steps whose solve ran out of its budget: the best result so far was used.
    pub unsolved: usize,
    /// Pieces of strands whose material was used up in the frame.
    pub used_up: Vec<UsedUp>,
    /// Joints with several rotations that passed 180 degrees while a spring, a limit or a ligament depended on it.
    pub wrapped: Vec<Wrapped>,
    /// Planes that missed their bone in some step: nodes were not kept out of it then.
    pub missed: Vec<usize>,
    /// Rows that contradicted each other in the last step in which any did.
    pub conflicts: Vec<usize>,
    /// Seconds in each of [`STAGES`].
    pub seconds: [Real; STAGES.len()],
}

/// Reused memory.
pub struct Scratch {
    elements: Elements,
    rows: Rows,
    solver: BoxedSolver,
    moment: Moment,
    touching: Touching,
    controller: Controller,
    /// The rows' states while activations are chosen.
    states: Vec<RowState>,
    velocity: Vec<Real>,
    correction: Vec<Real>,
    zeros: Vec<Real>,
    goals: Vec<Real>,
    multipliers: Vec<Real>,
    /// The rows' violations at the start of the step.
    before: Vec<Real>,
    /// The rows' total impulses in the step: including those that correct its drift.
    bearing: Vec<Real>,
    /// The state at the start of the frame, and of the step.
    kept: State,
    tried: State,
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
            moment: Moment {
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
            let text = format!("plane \"{}\": {}", planes[plane].name, error.message());
            Err(Error::new(error.kind(), text))
        };
        for (k, plane) in planes.iter().enumerate() {
            if let Some(inside) = plane.fixed_to_its_bone() {
                cut_bone(model, &mut scratch.moment, k, inside).or_else(|error| missed(k, error))?;
            }
        }
        let mut start = State::new(model);
        update(model, &mut start, &mut scratch.moment);
        cut_bones(model, &start, &mut scratch.moment, missed)?;
        Ok(scratch)
    }

    /// The rows of the last step with their impulses, and the contact points in it.
    pub(super) fn last(&self) -> (&Rows, &[Real], &Touching) {
        (&self.rows, &self.bearing, &self.touching)
    }
}

/// What each row acts on, in the order of the rows.
fn touched(model: &Model) -> Vec<Vec<Part>> {
    let (parts, layout) = (model.parts(), &model.layout);
    let mut all = vec![Vec::new(); layout.rows];
    let mut set = |first: usize, count: usize, list: Vec<Part>| {
        (first..first + count).for_each(|row| all[row].clone_from(&list));
    };
    for (b, &first) in layout.body_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        set(first, 6, vec![Part::Body(b)]);
    }
    for (k, &first) in layout.node_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        set(first, 1, vec![Part::Node(k)]);
    }
    let next = |firsts: &[usize], k: usize, count: usize| {
        if firsts[k] == NONE { (0, 0) } else { (firsts[k], count) }
    };
    for (j, joint) in parts.joints.iter().enumerate() {
        let (first, count) = next(&layout.joint_rows, j, joint.row_count());
        set(first, count, joint.parent.into_iter().chain([joint.child]).map(Part::Body).collect());
    }
    for (r, rule) in parts.rules.iter().enumerate() {
        let (first, count) = next(&layout.rule_rows, r, super::rule::RowCount::row_count(rule, parts));
        set(first, count, rule.parts(parts));
    }
    for (contact, &first) in parts.contacts.iter().zip(&layout.contact_rows) {
        set(first, contact::ROWS, contact.bodies.map(Part::Body).to_vec());
    }
    for (k, &first) in layout.segment_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        set(first, 1, vec![Part::Node(k), Part::Node(k + 1)]);
    }
    all
}

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
    // Activations are chosen at the frame's start, and every so many steps.
    let held = (model.settings().effort.hold / h).round().clamp(1.0, Real::from(steps)) as u32;
    for k in 1..=steps {
        control.progress(f64::from(k - 1) / f64::from(steps), "moving the strands")?;
        let chosen = !inputs.goals.is_empty() && (k - 1) % held == 0;
        let hold = chosen.then(|| [h.max(model.settings().effort.hold), h * Real::from(held)]);
        let piece = Piece { h, part: Real::from(k) / Real::from(steps), hold };
        careful_step(model, state, scratch, &(inputs, control), &piece, MOST_HALVINGS, &mut report)?;
    }
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
        report.rough += u32::from(surprise > 1.0);
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
    lead(model, state, &scratch.kept, inputs, h, part, &mut scratch.moment);
    find_middles(model, state, h, &mut scratch.moment);
    update(model, state, &mut scratch.moment);
    cut_bones(model, state, &mut scratch.moment, |plane, _| {
        // Nothing is kept out of the bone there.
        if !report.missed.contains(&plane) {
            report.missed.push(plane);
        }
        Ok(())
    })?;
    clock.lap(&mut report.seconds[0]);
    scratch.touching.update(model, state);
    clock.lap(&mut report.seconds[1]);
    if let Some(hold) = hold {
        stand_still(model, state, &mut scratch.moment.ahead);
        choose(model, state, scratch, inputs.goals, hold, report)?;
        clock.lap(&mut report.seconds[2]);
    }
    look_ahead(model, state, &mut scratch.moment, h);
    let now = Now { model, state, moment: &scratch.moment };
    scratch.elements.guess(&now);
    scratch.elements.fill(&now, h)?;
    clock.lap(&mut report.seconds[3]);
    fill_rows(&now, &scratch.touching, &mut scratch.rows, h);
    report.error = scratch.rows.largest_error().max(report.error);
    clock.lap(&mut report.seconds[4]);
    pull(model, state, scratch, h);
    solve(model, state, scratch, h, JERK, report)?;
    clock.lap(&mut report.seconds[5]);
    advance(model, state, &scratch.velocity, h);
    bring(model, state, &scratch.kept, inputs, part, &scratch.moment);
    count(model, state, &scratch.moment, &scratch.velocity, h);
    stabilise(model, state, scratch, h)?;
    take_velocities(model, state, &scratch.moment.middles, &scratch.velocity);
    state.carry_points(model);
    state.time += h;
    let surprise = scratch.elements.surprise(model, state);
    clock.lap(&mut report.seconds[6]);
    Ok(surprise)
}

/// The velocities that bring scripted bodies to their targets at the end of the step.
fn lead(
    model: &Model,
    state: &State,
    start: &State,
    inputs: &Inputs,
    h: Real,
    part: Real,
    moment: &mut Moment,
) {
    for (b, led) in moment.led.iter_mut().enumerate() {
        if model.parts().bodies[b].mode != Mode::Free {
            let (goal, place) = (goal(start, inputs, b, part), state.bodies[b].place);
            let turn = rotation_vector(&(goal.rotation * place.rotation.inverse()));
            *led = [turn / h, (goal.origin - place.origin) / h];
        }
    }
}

/// The poses of bodies in the middle of the step; those that are not unknowns as at its start.
fn find_middles(model: &Model, state: &State, h: Real, moment: &mut Moment) {
    let bodies = model.parts().bodies.iter().zip(&state.bodies).zip(&model.layout.bodies);
    for (middle, ((body, moving), &first)) in moment.middles.iter_mut().zip(bodies) {
        *middle = match first {
            NONE => Middle { place: moving.place, rest: Vec3::zeros() },
            _ => Middle::new(body, moving, h),
        };
    }
}

/// The target of a scripted body at a fraction of the frame.
fn goal(start: &State, inputs: &Inputs, body: usize, part: Real) -> Placement {
    let from = start.bodies[body].place;
    inputs.led.get(body).map_or(from, |to| from.blend(to, part))
}

/// Moves bodies that are not unknowns to their targets.
fn bring(model: &Model, state: &mut State, start: &State, inputs: &Inputs, part: Real, moment: &Moment) {
    for b in 0..state.bodies.len() {
        if model.parts().bodies[b].mode == Mode::Removed {
            let moving = &mut state.bodies[b];
            moving.place = goal(start, inputs, b, part);
            [moving.angular, moving.linear] = moment.led[b];
        }
    }
}

/// The positions of points and planes.
fn update(model: &Model, state: &mut State, moment: &mut Moment) {
    for (p, point) in model.parts().points.iter().enumerate() {
        if let Carrier::Body(b) = point.carrier {
            state.places[p] = state.bodies[b].place.point(model.local(p));
        }
    }
    for (place, plane) in moment.planes.iter_mut().zip(&model.parts().planes) {
        *place = plane.place(|b| state.bodies[b].place);
    }
}

/// The cross-sections of bones with planes that move relative to them; `missed` collects planes that miss their bone,
/// and why.
fn cut_bones(
    model: &Model,
    state: &State,
    moment: &mut Moment,
    mut missed: impl FnMut(usize, Error) -> Result<()>,
) -> Result<()> {
    for (k, plane) in model.parts().planes.iter().enumerate() {
        let Some(bone) = plane.bone.filter(|_| plane.fixed_to_its_bone().is_none()) else { continue };
        let inside = state.bodies[bone].place.inverse() * moment.planes[k];
        cut_bone(model, moment, k, inside).or_else(|error| missed(k, error))?;
    }
    Ok(())
}

/// Cuts a plane's bone, if it has one, at the plane's placement in its axes.
fn cut_bone(model: &Model, moment: &mut Moment, plane: usize, inside: Placement) -> Result<()> {
    let bone = model.parts().planes[plane].bone.map(|bone| &model.parts().bodies[bone]);
    match (&mut moment.cuts[plane], bone.and_then(|bone| bone.solid.as_ref())) {
        (Some(cut), Some(solid)) => {
            cut.inside = inside;
            cut.section.update(solid, &inside)
        }
        _ => Ok(()),
    }
}

fn fill_rows(now: &Now, touching: &Touching, rows: &mut Rows, h: Real) {
    rows.clear();
    let (parts, layout) = (now.parts(), now.layout());
    for (b, &first) in layout.body_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        for k in 0..3 {
            let along = Vec3::ith(k, 1.0);
            rows.turn(now, first + k, b, &along);
            rows.hold(first + k, 0.0);
            rows.goals[first + k] += now.led(b)[0][k];
            rows.material(now, first + 3 + k, b, &now.place(b).origin, &along);
            rows.hold(first + 3 + k, 0.0);
            rows.goals[first + 3 + k] += now.led(b)[1][k];
        }
    }
    for (k, &row) in layout.node_rows.iter().enumerate().filter(|(_, row)| **row != NONE) {
        rows.node(layout, row, k, 1.0);
        rows.hold(row, 0.0);
    }
    let given = |firsts: &[usize], k: usize| Some(firsts[k]).filter(|&first| first != NONE);
    for (j, joint) in parts.joints.iter().enumerate() {
        given(&layout.joint_rows, j)
            .into_iter()
            .for_each(|row| joint.fill(now, &now.motions(j), rows, row, h));
    }
    for (r, rule) in parts.rules.iter().enumerate() {
        given(&layout.rule_rows, r).into_iter().for_each(|row| rule.fill(now, rows, row, h));
    }
    for (c, &first) in layout.contact_rows.iter().enumerate() {
        touching.fill(now, rows, first, c, h);
    }
    for (s, strand) in parts.strands.iter().enumerate() {
        for k in 0..strand.nodes.len() - 1 {
            let node = layout.strands[s] + k;
            if let Some(row) = given(&layout.segment_rows, node) {
                let material = now.state.material[node + 1] - now.state.material[node];
                rows.keep_apart(row, material - least_material(parts, s, k), h);
            }
        }
    }
    let released = now.state.released.iter().enumerate().filter(|(_, released)| **released);
    released.for_each(|(row, _)| rows.let_go(row));
}

/// Corrects the drift of the active rows by the smallest motions, in the metric of the step's matrix.
///
/// The drift of this step is added to the velocities too: then the rows hold at the end of the step instead of their
/// rates at its start, which is SHAKE (Ryckaert, Ciccotti, Berendsen 1977): of second order, without energy drift.
/// Earlier errors and penetrations are corrected without changing velocities \[post-stabilisation, Cline and Pai
/// 2003\]. The cross-sections of bones move along with these meanwhile, as the rows assume.
fn stabilise(model: &Model, state: &mut State, scratch: &mut Scratch, h: Real) -> Result<()> {
    update(model, state, &mut scratch.moment);
    scratch.before.copy_from_slice(&scratch.rows.errors);
    fill_rows(&Now { model, state, moment: &scratch.moment }, &scratch.touching, &mut scratch.rows, h);
    let Scratch { rows, solver, correction, zeros, goals, multipliers, before, bearing, velocity, .. } =
        scratch;
    for (row, goal) in goals.iter_mut().enumerate() {
        *goal = if rows.holds(row) { before[row] - rows.errors[row] } else { 0.0 };
    }
    solver.again(zeros, goals, correction, multipliers)?;
    advance(model, state, correction, 1.0);
    velocity.iter_mut().zip(&*correction).for_each(|(v, c)| *v += c / h);
    let impulses = state.impulses.iter().zip(&*multipliers).map(|(impulse, back)| impulse + back / h);
    bearing.iter_mut().zip(impulses).for_each(|(bearing, impulse)| *bearing = impulse);
    for (row, goal) in goals.iter_mut().enumerate() {
        *goal = if rows.holds(row) { -before[row] } else { (-rows.errors[row]).max(0.0) };
    }
    if goals.iter().any(|goal| goal.abs() > SETTLED) {
        solver.again(zeros, goals, correction, multipliers)?;
        advance(model, state, correction, 1.0);
    }
    Ok(())
}

/// Errors in m and rad that count as round-off.
const SETTLED: Real = 1e-13;
