//! The production integrator: the material point at each body vertex, solved implicitly once per substep.
//!
//! One step, in the order of \[ThinSkin alg. 1\]: the body moves (line 5), its motion carries the skin (lines 6 to 14),
//! the skin moves to its equilibrium, in dynamic mode with inertia (lines 15 to 24 and 26 at once), the velocity is
//! advected with the material (line 25).

mod inertia;
mod jump;
mod pace;
mod snap;

use super::between::Between;
use super::equilibrium::{self, Given, Solved, VertexTerm};
use super::model::{Hold, Mode, Model};
use super::state::State;
use super::tangent::{find_places, mass_at, straightened};
use super::thresholds::Thresholds;
use inertia::{carry_velocity, find_slide};
pub use jump::Jump;
use pace::{keep_pace, look_ahead};
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{SurfacePoint, TriMesh};
use sinew_math::{Mat3, Real, Vec3};
pub use snap::Snap;
use snap::Snaps;
use std::time::Instant;

/// The inputs of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The body's positions.
    pub body: &'a [Vec3],
    /// Seconds since the last frame.
    pub seconds: Real,
    /// The number of steps in the frame.
    pub substeps: u32,
    /// A force on the skin at each body vertex, in N; empty for none.
    pub forces: &'a [Vec3],
}

/// The result of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Newton steps.
    pub iterations: usize,
    /// See [`Solved::residual`]; the maximum over the substeps.
    pub residual: Real,
    /// The membrane's energy before and after the frame's last equilibrium, in J.
    pub energy: [Real; 2],
    /// Flipped triangles of skin.
    pub inverted: Vec<u32>,
    /// Seconds in each [`Stage`].
    pub seconds: [Real; 5],
    /// Where the skin did not settle, if it did not.
    pub unsettled: Option<Unsettled>,
    /// Where it snaps to another resting position, if it does.
    pub snap: Option<Snap>,
    /// Where single vertices left their neighbours in dynamic mode, and were put back.
    pub jump: Option<Jump>,
    /// Vertices that were held in the last step, see [`Solved::held`].
    pub held: usize,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Whether the frame's body was unusable, so that the skin was left unchanged.
    pub kept: bool,
}

/// The stages of a frame, as places in [`Report::seconds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The body's motion carries the skin.
    Carry,
    /// The derivatives of the equilibrium's potential, and their assembly.
    Derivatives,
    /// Their factorisation and the solve.
    Solving,
    /// The start, the line search, and moving there.
    Searching,
    /// The velocity of the skin.
    Velocity,
}

/// A place where the skin has not come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unsettled {
    /// The vertex that would move farthest.
    pub vertex: usize,
    /// Its estimated remaining distance, in metres.
    pub distance: Real,
    /// The number of Newton steps.
    pub iterations: usize,
}

/// Reused memory; each part names the stage that computes it.
pub struct Scratch {
    equilibrium: equilibrium::Scratch,
    // Computed by `new`.
    /// The skin at rest.
    home: Vec<SurfacePoint>,
    // Computed by `frame`.
    /// The body at the end of a step.
    target: Vec<Vec3>,
    /// A working copy of the state, so that a failed frame leaves the state unchanged.
    next: State,
    // Computed by `substep`.
    /// Whether anything but the membrane pulls at the skin: forces, gravity or inertia.
    pulled: bool,
    forced: bool,
    /// Whether the body does not move, nor did in the step before, and no skin is on its way to another resting
    /// position.
    still: bool,
    /// The skin before the step.
    before: Vec<SurfacePoint>,
    /// The current body, as a mesh to walk on.
    body: TriMesh,
    // Computed by `find_slide`.
    /// The body's area vectors at each vertex, before and after a step.
    normals: [Vec<Vec3>; 2],
    /// How far the skin moves relative to the body in a step, at each vertex.
    slide: Vec<Vec3>,
    /// In dynamic mode: the part of that due to the previous step alone, the skin's velocity relative to the body
    /// before the step, and the quantity advected with the material.
    drift: Vec<Vec3>,
    relative: Vec<Vec3>,
    carried_along: Vec<[Vec3; 3]>,
    // Computed by `carry`.
    /// The skin after being carried by the body's motion, before the equilibrium.
    carried: Vec<SurfacePoint>,
    /// Positions on the surface at rest, of the skin at hand; `find_terms` and `carry_velocity` find them anew.
    places: Vec<Vec3>,
    /// The map between the motions along the body and along the skin at hand; likewise.
    between: Between,
    // Computed by `look_ahead`.
    /// The skin from which the displacement to the equilibrium counts, and that displacement extrapolated.
    from: Vec<SurfacePoint>,
    ways: Vec<Vec3>,
    // Computed by `find_terms`.
    terms: Vec<VertexTerm>,
    // Computed by `settle`.
    snaps: Snaps,
}

impl Scratch {
    /// For a model; must be recreated whenever its holds change.
    pub fn new(model: &Model) -> Result<Self> {
        let n = model.len();
        let body = model.rest.mesh().clone();
        Ok(Scratch {
            equilibrium: equilibrium::Scratch::new(model)?,
            terms: vec![VertexTerm::default(); n],
            normals: [vec![Vec3::zeros(); n], vec![Vec3::zeros(); n]],
            body,
            target: vec![Vec3::zeros(); n],
            slide: vec![Vec3::zeros(); n],
            drift: vec![Vec3::zeros(); n],
            relative: vec![Vec3::zeros(); n],
            carried_along: vec![[Vec3::zeros(); 3]; n],
            before: Vec::new(),
            home: model.rest.home(),
            pulled: false,
            forced: false,
            still: false,
            next: State::at_rest(model),
            carried: Vec::new(),
            places: vec![Vec3::zeros(); n],
            between: Between::default(),
            from: Vec::new(),
            ways: vec![Vec3::zeros(); n],
            snaps: Snaps::new(n),
        })
    }
}

/// A skin with its own state and memory.
pub struct Runner {
    /// Its state.
    pub state: State,
    scratch: Scratch,
}

impl Runner {
    /// A skin at rest.
    pub fn new(model: &Model) -> Result<Self> {
        Ok(Runner { state: State::at_rest(model), scratch: Scratch::new(model)? })
    }

    /// A frame.
    pub fn step(&mut self, model: &Model, inputs: &Inputs, control: &Control) -> Result<Report> {
        step(model, &mut self.state, &mut self.scratch, inputs, control)
    }
}

/// A frame.
pub fn step(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    inputs: &Inputs,
    control: &Control,
) -> Result<Report> {
    check(model, state, inputs)?;
    let mut report = Report::default();
    if let Some(vertex) = inputs.body.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        report.kept = true;
        report
            .warnings
            .push(format!("the body is not finite at vertex {vertex}; the skin is left unchanged"));
        return Ok(report);
    }
    let mut next = std::mem::take(&mut scratch.next);
    let done = frame(model, state, &mut next, scratch, inputs, &mut report, control);
    scratch.next = next;
    done?;
    quarantine(state, &mut scratch.next, &mut report);
    if model.settings.mode == Mode::Dynamic {
        report.jump = jump::put_back(model, state, &mut scratch.next, &mut scratch.equilibrium);
    }
    report.inverted = scratch.equilibrium.inverted(model, &scratch.next.skin);
    std::mem::swap(state, &mut scratch.next);
    Ok(report)
}

fn frame(
    model: &Model,
    state: &State,
    next: &mut State,
    scratch: &mut Scratch,
    inputs: &Inputs,
    report: &mut Report,
    control: &Control,
) -> Result<()> {
    next.clone_from(state);
    let substeps = inputs.substeps.max(1);
    for k in 1..=substeps {
        let part = Real::from(k) / Real::from(substeps);
        for ((target, from), to) in scratch.target.iter_mut().zip(&state.body).zip(inputs.body) {
            *target = if k == substeps { *to } else { from + (to - from) * part };
        }
        let seconds = inputs.seconds / Real::from(substeps);
        let done = |k: u32| f64::from(k) / f64::from(substeps);
        substep(model, next, scratch, seconds, inputs.forces, report, &control.part(done(k - 1), done(k)))?;
    }
    Ok(())
}

/// NaN and infinity stop here: the vertex keeps the value it had before the frame.
fn quarantine(before: &State, next: &mut State, report: &mut Report) {
    let sound = |v: &Vec3| v.iter().all(|c| c.is_finite());
    let mut replaced = 0;
    for v in 0..next.skin.len() {
        if !next.skin[v].weights.iter().all(|w| w.is_finite()) {
            next.skin[v] = before.skin[v];
            replaced += 1;
        }
        if !sound(&next.body_velocity[v]) || !sound(&next.velocity[v]) {
            (next.body_velocity[v], next.velocity[v]) = (Vec3::zeros(), Vec3::zeros());
            replaced += 1;
        }
    }
    if replaced > 0 {
        report.warnings.push(format!(
            "the motion of {replaced} vertices was not finite and was reset to its value before the frame"
        ));
    }
}

fn check(model: &Model, state: &State, inputs: &Inputs) -> Result<()> {
    let n = model.len();
    if inputs.body.len() != n || state.skin.len() != n {
        let message = format!("the body has {} vertices, the mesh at rest {n}", inputs.body.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    if !inputs.forces.is_empty() && inputs.forces.len() != n {
        let message = format!("{} forces for {n} vertices", inputs.forces.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    if !(inputs.seconds > 0.0 && inputs.seconds.is_finite()) {
        return Err(Error::new(
            Kind::OutOfRange,
            format!("the frame takes {} s; that must be finite and more than 0", inputs.seconds),
        ));
    }
    Ok(())
}

fn substep(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    seconds: Real,
    forces: &[Vec3],
    report: &mut Report,
    control: &Control,
) -> Result<()> {
    let clock = Instant::now();
    let settings = &model.settings;
    scratch.pulled = !forces.is_empty() || settings.gravity != Vec3::zeros();
    scratch.forced = scratch.pulled || settings.mode == Mode::Dynamic;
    scratch.still = settings.mode == Mode::Quasistatic
        && state.brakes.is_empty()
        && scratch.target == state.body
        && state.body_velocity.iter().all(|velocity| *velocity == Vec3::zeros());
    find_slide(model, state, scratch, seconds);
    scratch.before.clone_from(&state.skin);
    scratch.equilibrium.aim(model, &scratch.before, seconds);
    carry(model, state, scratch);
    scratch.carried.clone_from(&state.skin);
    look_ahead(model, state, scratch, seconds);
    state.body.copy_from_slice(&scratch.target);
    scratch.body.positions.copy_from_slice(&state.body);
    find_terms(model, state, scratch, seconds, forces);
    report.seconds[Stage::Carry as usize] += clock.elapsed().as_secs_f64();
    let solved = settle(model, state, scratch, seconds, report, control)?;
    note(model, report, &solved);
    let clock = Instant::now();
    keep_pace(model, state, scratch, seconds);
    carry_velocity(model, state, scratch, seconds);
    report.seconds[Stage::Velocity as usize] += clock.elapsed().as_secs_f64();
    Ok(())
}

/// The equilibrium. If the energy of the skin cannot be computed, or the skin was lost while the body was collapsed, it
/// restarts: from before the frame, and from rest if that is no better; both without inertia.
fn settle(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    seconds: Real,
    report: &mut Report,
    control: &Control,
) -> Result<Solved> {
    let mut solved = Solved::default();
    for attempt in 0..3 {
        if attempt > 0 {
            match attempt {
                1 => state.skin.copy_from_slice(&scratch.before),
                _ => state.skin.copy_from_slice(&scratch.home),
            }
            state.stiffness = None;
            state.brakes.clear();
            report.snap = None;
            forget_motion(model, state, scratch);
        }
        let (body, skin, left) = (&state.body, &mut state.skin, &mut state.stiffness);
        // Stiff skin does not continue as if nothing held it.
        let other = (attempt == 0 && model.settings.mode == Mode::Dynamic).then_some(&scratch.before[..]);
        let given = Given { terms: &scratch.terms, other, still: attempt == 0 && scratch.still };
        match equilibrium::solve(model, body, skin, left, &given, &mut scratch.equilibrium, control) {
            Err(error) if error.kind() == Kind::NotFinite => continue,
            Err(error) => return Err(error),
            Ok(found) => solved = found,
        }
        if attempt == 0 {
            scratch.slow_snaps(model, state, seconds, &mut solved, report, control)?;
        }
        if attempt == 2 || !is_lost(model, state, scratch, &solved) {
            break;
        }
        if attempt == 1 {
            report.warnings.push("the body collapsed in this frame; the skin restarts from rest".into());
        }
    }
    Ok(solved)
}

fn is_lost(model: &Model, state: &State, scratch: &mut Scratch, solved: &Solved) -> bool {
    let Thresholds { lost, caught, wild, still, restless, .. } = model.thresholds;
    let strained = model.strained_energy();
    let usual = |share: Real| share * strained + Real::MIN_POSITIVE;
    if solved.converged && solved.energy_after <= usual(caught) {
        return false;
    }
    let rest = &model.rest;
    let moved = |v: usize| (rest.place(&state.skin[v]) - rest.place(&scratch.before[v])).norm();
    let stays = |v: usize| moved(v) <= still * rest.mean_edge();
    let usual = match model.settings.mode {
        _ if !solved.converged && !scratch.pulled => usual(restless),
        Mode::Quasistatic if !scratch.forced => usual(caught),
        Mode::Dynamic if (0..model.len()).all(stays) => usual(caught),
        _ => usual(wild),
    };
    let (home, terms) = (&scratch.home, &scratch.terms);
    let least = equilibrium::energy(model, &state.body, home, terms, &mut scratch.equilibrium);
    solved.energy_after > lost * least + usual
}

/// Fixes the skin where it is now instead of where its motion would take it.
fn forget_motion(model: &Model, state: &State, scratch: &mut Scratch) {
    let ways = [&mut scratch.slide, &mut scratch.drift, &mut scratch.relative];
    ways.into_iter().for_each(|way| way.fill(Vec3::zeros()));
    scratch.carried.clone_from(&state.skin);
    for (term, point) in scratch.terms.iter_mut().zip(&state.skin) {
        let quadratic = Mat3::identity() * (model.stiffness() * model.thresholds.loose);
        *term = VertexTerm { reference: model.rest.place(point), quadratic, ..VertexTerm::default() };
    }
}

fn note(model: &Model, report: &mut Report, solved: &Solved) {
    report.iterations += solved.iterations;
    report.residual = report.residual.max(solved.residual);
    report.energy = [solved.energy_before, solved.energy_after];
    report
        .seconds
        .iter_mut()
        .skip(Stage::Derivatives as usize)
        .zip(solved.seconds)
        .for_each(|(sum, s)| *sum += s);
    if let Some(row) = solved.unmet {
        let text = format!("row {row} of the constraints cannot be met together with those before it");
        if !report.warnings.contains(&text) {
            report.warnings.push(text);
        }
    }
    report.held = solved.held;
    let distance = solved.residual * model.rest.mean_edge();
    if !solved.converged && report.unsettled.is_none_or(|worst| worst.distance < distance) {
        let iterations = solved.iterations;
        report.unsettled = Some(Unsettled { vertex: solved.farthest, distance, iterations });
    }
}

/// Slides the skin over the body: at a body vertex the material moves by `slide`, so the material point at the vertex
/// moves the opposite way on the skin, X <- X - (dX/dx) slide.
fn carry(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if scratch.slide.iter().all(|s| *s == Vec3::zeros()) {
        return;
    }
    let rest = &model.rest;
    let edges = rest.edges();
    find_places(rest, &scratch.before, &mut scratch.places);
    let (body, slide, before) = (&scratch.body, &scratch.slide, &scratch.before);
    let (normals, places) = (&scratch.normals[1], &scratch.places);
    scratch.between.find(rest, &body.positions, places);
    let skin_from_body = &scratch.between;
    state.skin.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, point)| {
        if model.holds()[v] == Hold::Fixed || slide[v] == Vec3::zeros() {
            return;
        }
        let way = straightened(body, edges, v, slide);
        let planes = [&normals[v], &rest.normal(&before[v])];
        let along = skin_from_body.at(rest, v, planes) * -way;
        // The squeezing of the body is bounded: one that shrank to nothing would map every slide to a walk around
        // the world.
        let along = along * (model.thresholds.most_stretch * way.norm() / along.norm()).min(1.0);
        let along = if along.norm() <= rest.extent() { along } else { Vec3::zeros() };
        *point = rest.slid(point, &along);
    });
    undo_flips(model, &mut scratch.equilibrium, before, &mut state.skin);
}

/// Where skin that has moved is flipped, it goes back to where it was before.
fn undo_flips(
    model: &Model,
    equilibrium: &mut equilibrium::Scratch,
    before: &[SurfacePoint],
    skin: &mut [SurfacePoint],
) {
    for _ in 0..8 {
        let wrong = equilibrium.inverted(model, skin);
        if wrong.is_empty() {
            return;
        }
        for t in wrong {
            model.rest.mesh().triangles[t as usize]
                .iter()
                .for_each(|&v| skin[v as usize] = before[v as usize]);
        }
    }
    skin.copy_from_slice(before);
}

/// Inertia, friction and forces of \[ThinSkin eq. 7\], as a potential.
///
/// With d = -G (X - X0) the displacement of the material relative to the body, G = dx/dX, the implicit step
/// ([`inertia`]) minimises
///   m/(2 k^2) |d - d~|^2 + m/(2 k T) |d - d0|^2 - f.d + W,
/// d~ the free displacement, d0 the part of it due to the previous step alone, k two thirds of the step, T the
/// friction's time. [`carry`] has already moved the skin by d~.
fn find_terms(model: &Model, state: &State, scratch: &mut Scratch, seconds: Real, forces: &[Vec3]) {
    let settings = &model.settings;
    let rest = &model.rest;
    let stiffness = model.stiffness();
    let across = rest.extent();
    let Thresholds { loose, tied, .. } = model.thresholds;
    let loose = loose * (std::f64::consts::TAU * rest.mean_edge() / across).powi(2);
    let (forced, dynamic) = (scratch.forced, settings.mode == Mode::Dynamic);
    let (before, drift, k) = (&scratch.before, &scratch.drift, inertia::SHARE * seconds);
    find_places(rest, &state.skin, &mut scratch.places);
    let (normals, places) = (&scratch.normals[0], &scratch.places);
    if forced {
        scratch.between.find(rest, places, &state.body);
    }
    let (skin, body_from_skin) = (&state.skin, &scratch.between);
    scratch.terms.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, term)| {
        let place = places[v];
        *term = VertexTerm { reference: place, ..VertexTerm::default() };
        let hold = if model.is_tied(v) { tied } else { loose };
        term.quadratic = Mat3::identity() * (stiffness * hold);
        if !forced || model.holds()[v] == Hold::Fixed {
            return;
        }
        let g = body_from_skin.at(rest, v, [&rest.normal(&skin[v]), &normals[v]]);
        let mass = mass_at(model, skin, places, v);
        let force = settings.gravity * mass + forces.get(v).copied().unwrap_or_else(Vec3::zeros);
        term.linear = g.transpose() * force;
        if dynamic {
            let metric = g.transpose() * g;
            let drag = mass / (k * settings.friction_time);
            term.quadratic += metric * (mass / (k * k) + drag);
            term.linear += (metric * (place - rest.place(&before[v])) + g.transpose() * drift[v]) * drag;
        }
    });
}
