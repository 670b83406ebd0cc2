//! The equilibrium of the skin on a body at rest: the minimum of its potential, by
//! [Newton's method](sinew_solve::newton).
//!
//! The unknown is the material point at each body vertex. Each step lays the skin flat where it is (`laid`), so that
//! strain is measured within the surface and is smooth in the slides of the vertices, finds a descent direction, and
//! walks along it over the rest surface: there are no charts, no interpolation of the map and no drift. In each step
//! the potential falls and no triangle of skin flips: a step that does not lower the potential is shortened as a whole,
//! one that would flip triangles only there.

mod calm;
mod kept;
mod laid;
mod linear;
mod potential;
mod response;
mod rows;
mod sliding;
mod start;
mod stood;
mod walk;

pub use potential::energy;
pub(super) use potential::pull;
pub(super) use response::response;

use super::model::{Mode, Model, Painted};
use super::stand::Stand;
use super::state::Stiffness;
use calm::Calm;
use kept::Left;
use laid::Laid;
use linear::Held;
use sinew_base::control::{Control, Level};
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_linalg::assembly::{Assembly, Gather};
use sinew_linalg::order::Order;
use sinew_math::{Mat3, Real, Vec2, Vec3};
use sinew_solve::newton::{Goal, Newton, Outcome, Work};
use sliding::Sliding;
use std::sync::Arc;
use std::time::Instant;
use stood::Stood;
use walk::Walk;

/// A vertex's contribution to the potential: (X - reference)^T quadratic (X - reference) / 2 + linear . (X -
/// reference), with X the position of its material point, and the energy of its anchor.
#[derive(Clone, Copy, Debug, Default)]
pub struct VertexTerm {
    /// The minimum of the quadratic part.
    pub reference: Vec3,
    /// Symmetric positive semidefinite.
    pub quadratic: Mat3,
    /// The negative of a force on the material, in the space of the rest surface.
    pub linear: Vec3,
}

impl VertexTerm {
    /// Adds a spring that pulls towards a position, with a stiffness in N/m.
    pub fn pull_to(&mut self, place: &Vec3, stiffness: Real) {
        self.quadratic += Mat3::identity() * stiffness;
        self.linear += (self.reference - place) * stiffness;
    }
}

/// Inputs of a solve besides the body.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The contributions of the vertices to the potential.
    pub terms: &'a [VertexTerm],
    /// Another skin to start from if it is closer.
    pub other: Option<&'a [SurfacePoint]>,
    /// Whether the body stands still, so that skin at rest stays where it is to the last bit.
    pub still: bool,
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Newton steps.
    pub iterations: usize,
    /// The estimated remaining distance from the answer, as a fraction of the mean edge, judging by the last steps.
    pub residual: Real,
    /// The vertex that would move farthest in the next step.
    pub farthest: usize,
    /// The energy of the membrane at the start, in J.
    pub energy_before: Real,
    /// The same at the end.
    pub energy_after: Real,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// A constraint that contradicts earlier ones.
    pub unmet: Option<usize>,
    /// Vertices that were held because triangles there would have flipped, or because they would have oscillated
    /// without end; the others are at rest.
    pub held: usize,
    /// Seconds in each [`Work`]; the start counts as searching.
    pub seconds: [Real; 3],
}

impl Solved {
    /// Adds the work of an earlier solve.
    pub fn after(self, before: &Solved) -> Solved {
        Solved {
            iterations: before.iterations + self.iterations,
            seconds: std::array::from_fn(|k| before.seconds[k] + self.seconds[k]),
            ..self
        }
    }
}

/// Reused memory; depends only on the holds of the model.
pub struct Scratch {
    newton: Newton,
    stages: Stages,
    left: Left,
}

/// Memory for evaluating the potential of the skin laid flat; each part names the stage that computes it.
struct Stages {
    // Computed by `new`, once for a model.
    /// Whether a triangle faces out of the body at rest, so that a flip can be detected.
    guarded: Vec<bool>,
    /// Which of the pulls belong to each vertex.
    at_vertices: Gather,
    no_way: Vec<Real>,
    // Computed by `lie_on`, for a body.
    /// The metrics of the body's triangles.
    on_body: Vec<[Real; 3]>,
    // Computed by `stand` and, for what lies flat, `flatten`, for a skin; `go` corrects it where vertices are sent
    // back.
    /// The stands of its vertices, in directions of their own and in those of their unknowns; and its triangles.
    level: Stood,
    stands: Vec<Stand>,
    laid: Vec<Laid>,
    /// The maps on that skin at each vertex.
    painted: Vec<Painted>,
    // Computed by `value`, for a way from there.
    /// The energies of the trial's triangles and vertices, and the gradients of the former by the unknowns of their
    /// corners.
    energies: Vec<Real>,
    pulls: Vec<Vec2>,
    /// The membrane energy of the last valid trial.
    membrane: Real,
    // Computed by `gradient`.
    /// The gradient by the directions of the vertices, summed over all parts of the potential.
    forces: Vec<Vec2>,
    /// The vertices that the last gradient blocks, and those of the one before.
    held_back: Vec<(u32, Held)>,
    held_back_before: Vec<(u32, Held)>,
    // Computed by `curvature`, or taken over with an earlier factor by `take_up`.
    /// The directions of the unknowns in the factor.
    directions: Vec<[Vec3; 2]>,
    // Computed by `aim`, for a step.
    /// The required sums of the model's constraints.
    targets: Vec<Real>,
    // The records of `go` and `calm`, which they begin and go on with.
    walk: Walk,
    calm: Calm,
}

impl Scratch {
    /// Analyses the pattern of a model.
    pub fn new(model: &Model) -> Result<Self> {
        let triangles = &model.rest.mesh().triangles;
        let of_triangle = |t: &u32| {
            triangles[*t as usize].iter().flat_map(|&v| model.unknowns_of(v as usize)).collect::<Vec<_>>()
        };
        let mut elements: Vec<Vec<usize>> = model.active().iter().map(of_triangle).collect();
        elements.extend((0..model.len()).map(|v| model.unknowns_of(v).collect()));
        let n = model.unknown_count();
        let assembly = Assembly::of_halves_lower(n, &elements)?;
        let mut points = Vec::with_capacity(n);
        for (v, p) in model.rest.mesh().positions.iter().enumerate() {
            points.extend(model.unknowns_of(v).map(|_| *p));
        }
        // Minimum degree fills less up to about ten thousand unknowns, dissection beyond (tests/bench/linalg.rs).
        let order = match n {
            0..20_000 => Order::amd(assembly.matrix(), 1)?,
            _ => Order::nested_dissection(assembly.matrix(), 1, &points)?,
        };
        let rows = [model.rows().len(), model.turns().len()];
        let newton = Newton::new(assembly, &order, model.len(), rows)?;
        Ok(Scratch { newton, stages: Stages::new(model), left: Left::default() })
    }

    /// The triangles of a skin that are flipped, but were not at rest.
    pub fn inverted(&mut self, model: &Model, skin: &[SurfacePoint]) -> Vec<u32> {
        let stages = &mut self.stages;
        stages.level.find(model, skin);
        let wrong = |e: &usize| stages.guarded[*e] && stages.level.over[*e];
        (0..stages.level.over.len()).filter(wrong).map(|e| model.active()[e]).collect()
    }
}

impl Stages {
    fn new(model: &Model) -> Self {
        let (vertices, active, n) = (model.len(), model.active().len(), model.unknown_count());
        let triangles = &model.rest.mesh().triangles;
        let corners: Vec<_> =
            model.active().iter().map(|&t| triangles[t as usize].map(|v| v as usize)).collect();
        let home = model.rest.home();
        let mut stages = Stages {
            guarded: vec![true; active],
            level: Stood::new(vertices, active),
            stands: vec![Stand::default(); vertices],
            laid: vec![Laid::default(); active],
            on_body: vec![[0.0; 3]; active],
            painted: vec![Painted::default(); vertices],
            energies: vec![0.0; active + vertices],
            pulls: vec![Vec2::zeros(); 3 * active],
            membrane: 0.0,
            at_vertices: Gather::new(vertices, &corners),
            forces: vec![Vec2::zeros(); vertices],
            directions: vec![[Vec3::zeros(); 2]; vertices],
            held_back: Vec::with_capacity(vertices),
            held_back_before: Vec::with_capacity(vertices),
            targets: vec![0.0; model.rows().len()],
            no_way: vec![0.0; n],
            walk: Walk::new(model),
            calm: Calm::new(vertices),
        };
        stages.level.find(model, &home);
        stages.guarded = stages.level.over.iter().map(|over| !over).collect();
        stages
    }
}

/// Moves the skin to the equilibrium on `body`. The first steps use the factor of the last solve, and the last factor
/// is kept for the next one.
///
/// A skin extrapolated from its earlier motion is no better to start from: the first step with the kept factor follows
/// the body as well, and to find out which of both is better costs half a step.
pub fn solve(
    model: &Model,
    body: &[Vec3],
    skin: &mut [SurfacePoint],
    left: &mut Option<Arc<Stiffness>>,
    given: &Given,
    scratch: &mut Scratch,
    control: &Control,
) -> Result<Solved> {
    let clock = Instant::now();
    scratch.take_up(left.as_ref());
    let Scratch { newton, stages, .. } = scratch;
    stages.lie_on(model, body);
    let Given { terms, other, still } = *given;
    let start = stages.start(model, skin, other, terms, newton.factor())?;
    let energy_before = stages.membrane;
    let starting = clock.elapsed().as_secs_f64();
    let mut sliding = Sliding { model, terms, skin, stages };
    let outcome = newton.minimise(&mut sliding, start, &goal(model, still), control)?;
    scratch.leave(left);
    let Outcome { steps, residual, farthest, converged, unmet, mut seconds } = outcome;
    seconds[Work::Searching as usize] += starting;
    control.log_with(Level::Debug, || {
        format!("the skin settled in {steps} iterations, residual {residual:.1e}")
    });
    Ok(Solved {
        iterations: steps,
        residual,
        farthest,
        energy_before,
        energy_after: scratch.stages.membrane,
        converged,
        unmet,
        held: scratch.stages.calm.stopped(),
        seconds,
    })
}

/// A decrease by this fraction of the energy of a uniform strain of 1 is round-off: a strain of a millionth.
const ROUND_OFF: Real = 1e-12;

/// When the skin counts as settled.
fn goal(model: &Model, still: bool) -> Goal {
    let (extent, edge) = (model.rest.extent(), model.rest.mean_edge());
    let settled = model.settings.tolerance * extent / edge;
    Goal {
        task: "settling the skin",
        unit: edge,
        tolerance: match model.settings.mode {
            Mode::Quasistatic => settled,
            Mode::Dynamic => settled * model.thresholds.in_motion,
        },
        nothing: ROUND_OFF * model.strained_energy(),
        // Half around the surface.
        farthest: 0.5 * extent,
        max_steps: model.settings.max_iterations,
        still,
    }
}
