//! The reference integrator: Algorithm 1 of \[ThinSkin\] as printed, in steps of 1 ms, over charts, with constraints as
//! rows of a KKT system. It validates [`super::production`]; both share the model, the materials and the rest surface.
//!
//! The unknowns are, at each body vertex, the position in the skin atlas of the skin that lies there, and how fast it
//! slides, in the coordinates of the body atlas. Names follow the paper; the body's chart coordinates are its upright
//! u.
//!
//! # Ambiguities in the paper
//! - **eq. 1, pi.** pi is linear on the triangles of the atlas; here it is the smooth surface of [`super::rest`], so
//!   that both integrators find the same skin at the same position. D_X consists of points of that surface.
//! - **eq. 4, 5, 7, signs.** With d the displacement of material over the body, a body vertex meets the skin from
//!   behind: dX = -J d, J = D_X D_u^-1 on each triangle (eq. 4). So the force on d is -dW/dd = J^T dW/dX, and the
//!   implicit matrix is M + h^2 J^T (d2W/dX2) J: symmetric, the element's second derivatives projected. The printed f =
//!   -dW/dX would push backwards, and the printed M + h^2 df/du would then be indefinite.
//! - **eq. 4, 5, one J or many.** The paper takes J of each triangle, and so lets a vertex move its skin by as many
//!   different dX as it has triangles. Where the body's shape or the skin's map has a kink (the middle of the
//!   half-twisted tube) that corresponds to no motion of the mesh, so the force is not conservative and the equilibrium
//!   is wrong by an amount that refinement does not reduce.
//!   [`Chain::Vertex`] takes one J per vertex, the mean over its triangles, turned into the tangent plane of the skin
//!   at rest; [`Chain::Triangle`] follows the paper.
//! - **eq. 6.** 1/3 of a triangle's inertia goes to each of its corners, turned into the coordinates of the corner's
//!   vertex. 1e-12 of the metric at rest is added, so that the matrix stays non-singular when a body triangle
//!   collapses.
//! - **eq. 11 to 13.** As printed, zeta = 1 would advect with the body's whole motion, yet the text says that the skin
//!   then sticks. What slides is what is *not* carried: relative to the body, a step's slide is
//!   du = -G^+ (dx_t - zeta dx~_t), dx~_t the motion capped at delta_max (here [`Settings::fastest_carried`] times the
//!   step). x is always the body's shape: the lag is in u alone, so nothing drifts. G^+ removes the normal component by
//!   itself; G is taken in the middle of the step, where a rotation has no normal component; a vertex takes the mean of
//!   its triangles, weighted by area at rest.
//! - **eq. 6 and 12, what v is.** xdot = G v holds in space for zeta = 0. In general v is the skin's velocity in space
//!   less zeta times the body's; a step's whole slide is v h + du.
//! - **eq. 8, 9.** Line 25 traces back along the solved velocity, line 26 along the advected one, as their order says.
//!   Tracing is straight in coordinates; coordinates are interpolated in the chart of the corner with the largest
//!   weight.
//! - **eq. 10.** M* has the Hessian of W, not "d2f/du". A direction to slide along is that of the body at rest: a is
//!   perpendicular to it in coordinates. Advection may then violate the constraint on v; it is restored.
//! - **Steps.** A frame is divided into the whole number of equal steps that brings them nearest to
//!   [`Inputs::step`], at least one; the body moves uniformly in between. Steps are then within 1.2 % of 1 ms at 24
//!   fps.
//! - **Not in the paper**, for comparison: anchors and friction of the model. Friction is -M/T on the whole slide,
//!   implicit.
//!   [`Mode::Quasistatic`](super::model::Mode) has no meaning here: rest is reached by continued stepping.
//!   Skin is not pushed out over its border: v has no outward component there, as in the production integrator.
//!
//! [`Settings::fastest_carried`]: super::model::Settings::fastest_carried

mod change;
mod charts;
mod couple;
mod flat;
mod generated;
mod jacobian;
mod scratch;
mod system;
mod walk;

pub use change::Change;
pub use charts::Charts;
pub use scratch::{Row, Scratch, System};
pub use walk::Way;

use super::model::Model;
use super::state;
use sinew_base::control::{Control, Stopwatch};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};

/// The paper's step, in seconds.
pub const STEP: Real = 1e-3;

/// The skin at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The state shared by both integrators. Its velocities are those at the end of the last frame.
    pub shared: state::State,
    /// v: the velocity of the skin in the coordinates of each body vertex, in units per second.
    pub speed: Vec<Vec2>,
}

impl State {
    /// The skin that matches the body at rest.
    pub fn at_rest(model: &Model) -> Self {
        State { shared: state::State::at_rest(model), speed: vec![Vec2::zeros(); model.len()] }
    }

    /// Continues from a state of the other integrator.
    pub fn from_shared(model: &Model, charts: &Charts, shared: state::State) -> Result<Self> {
        shared.check(model)?;
        let speed = |v: usize| {
            let own = shared.velocity[v] - shared.body_velocity[v] * model.settings.zeta;
            charts::through(&jacobian::vertex_jacobian(model, charts, v, |k| shared.body[k])) * own
        };
        let speed = (0..model.len()).map(speed).collect();
        Ok(State { shared, speed })
    }
}

/// Which J maps forces from the skin to the body's coordinates \[ThinSkin eq. 4, 5\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chain {
    /// The vertex's: forces are the energy's gradient.
    #[default]
    Vertex,
    /// Each triangle's own, as printed.
    Triangle,
}

/// The inputs of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The body's positions.
    pub body: &'a [Vec3],
    /// Seconds since the last frame.
    pub seconds: Real,
    /// The length of a step in seconds, [`STEP`] in the paper.
    pub step: Real,
    /// How forces are mapped to the atlas.
    pub chain: Chain,
    /// A force on the skin at each body vertex, in N; empty for none.
    pub forces: &'a [Vec3],
}

/// The result of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The number of steps.
    pub steps: usize,
    /// The membrane's energy at the end, in J.
    pub energy: Real,
    /// The fastest v in space, in m/s: how far from rest the skin is.
    pub fastest: Real,
    /// Flipped triangles of skin; nothing in the paper prevents them.
    pub inverted: Vec<u32>,
    /// Seconds in each [`Stage`].
    pub seconds: [Real; 4],
    /// Whether the frame's body was unusable, so that the skin was left unchanged.
    pub kept: bool,
}

/// The stages of a step, as places in [`Report::seconds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Dynamics coupling.
    Coupling,
    /// The elastic force, its derivatives, and the system.
    Assembly,
    /// Its solution.
    Solve,
    /// The skin moves.
    Advection,
}

/// A frame. After an error the state is unchanged.
pub fn step(
    model: &Model,
    charts: &Charts,
    state: &mut State,
    scratch: &mut Scratch,
    inputs: &Inputs,
    control: &Control,
) -> Result<Report> {
    check(model, state, inputs)?;
    let mut report = Report::default();
    if !inputs.body.iter().flatten().all(|c| c.is_finite()) {
        report.kept = true;
        return Ok(report);
    }
    scratch.keep(state);
    let steps = (inputs.seconds / inputs.step).round().clamp(1.0, 1e6) as usize;
    let h = inputs.seconds / steps as Real;
    for k in 1..=steps {
        scratch.move_body(inputs.body, k, steps);
        let went = control
            .progress((k - 1) as f64 / steps as f64, "the paper's steps")
            .and_then(|()| small_step(model, charts, state, scratch, h, inputs, &mut report));
        if let Err(error) = went {
            scratch.bring_back(state);
            return Err(error);
        }
    }
    report.steps = steps;
    report.fastest = couple::note_velocities(model, charts, state, scratch, inputs.seconds, h);
    report.inverted = scratch.inverted(model, &state.shared.skin);
    report.energy = system::energy(model, state, scratch);
    Ok(report)
}

/// \[ThinSkin alg. 1, lines 5 to 26\].
fn small_step(
    model: &Model,
    charts: &Charts,
    state: &mut State,
    scratch: &mut Scratch,
    h: Real,
    inputs: &Inputs,
    report: &mut Report,
) -> Result<()> {
    let mut clock = Stopwatch::start();
    // Dynamics coupling.
    couple::find_slide(model, charts, &state.shared.body, scratch, h);
    state.shared.body.copy_from_slice(&scratch.target);
    couple::carry_skin(model, charts, scratch.slide.as_slice(), &mut state.shared.skin, &mut scratch.before);
    clock.lap(&mut report.seconds[Stage::Coupling as usize]);
    // Elastic force.
    system::look_up(model, &state.shared.skin, scratch);
    system::find_jacobians(model, charts, scratch);
    system::assemble(model, charts, state, scratch, h, inputs)?;
    clock.lap(&mut report.seconds[Stage::Assembly as usize]);
    // Time integration.
    system::solve(state, scratch)?;
    clock.lap(&mut report.seconds[Stage::Solve as usize]);
    couple::carry_speed(model, charts, state, scratch, h);
    scratch.way.iter_mut().zip(&state.speed).for_each(|(way, v)| *way = v * h);
    couple::carry_skin(model, charts, scratch.way.as_slice(), &mut state.shared.skin, &mut scratch.before);
    clock.lap(&mut report.seconds[Stage::Advection as usize]);
    Ok(())
}

fn check(model: &Model, state: &State, inputs: &Inputs) -> Result<()> {
    let n = model.len();
    let shared = &state.shared;
    let lengths =
        [inputs.body.len(), shared.skin.len(), shared.body.len(), shared.velocity.len(), state.speed.len()];
    if let Some(wrong) = lengths.iter().find(|&&l| l != n) {
        let message = format!("the body or the state has {wrong} vertices, the mesh at rest {n}");
        return Err(Error::new(Kind::CountMismatch, message));
    }
    if !inputs.forces.is_empty() && inputs.forces.len() != n {
        let message = format!("{} forces for {n} vertices", inputs.forces.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    if !(inputs.seconds > 0.0 && inputs.seconds.is_finite() && inputs.step > 0.0) {
        let message = format!(
            "the frame takes {} s, its steps {} s; both must be finite and more than 0",
            inputs.seconds, inputs.step
        );
        return Err(Error::new(Kind::OutOfRange, message));
    }
    Ok(())
}
