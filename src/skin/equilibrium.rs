//! The equilibrium of the skin on a body at rest: the minimum of its potential, by
//! [Newton's method](crate::solve::newton).
//!
//! The unknown is the material point at each body vertex. Each step lays the skin flat where it is (`laid`), so that
//! strain is measured within the surface and is smooth in the slides of the vertices, finds a descent direction, and
//! walks along it over the rest surface: there are no charts, no interpolation of the map and no drift. In each step
//! the potential falls and no triangle of skin flips: a step that would not lower the potential is shortened as a
//! whole, one that would flip triangles only at those.
//! the latter where it would.

mod calm;
mod kept;
mod laid;
mod linear;
mod potential;
mod response;
mod rows;
mod sliding;
mod start;
mod walk;

pub(super) use laid::MOST_STRETCH;
pub use potential::energy;
pub(super) use potential::pull;
pub(super) use response::response;
pub use start::Ahead;

use super::model::{Mode, Model, Painted};
use super::stand::Stand;
use super::state::Stiffness;
use crate::control::{Control, Level};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::linalg::assembly::{Assembly, Gather};
use crate::linalg::order::Order;
use crate::math::{Mat3, Mat3x2, Real, Vec2, Vec3};
use crate::solve::newton::{Goal, Newton, Outcome};
use calm::Calm;
use kept::Left;
use laid::Laid;
use linear::Held;
use sliding::Sliding;
use std::sync::Arc;
use std::time::Instant;
use walk::Walk;

/// What a vertex adds to the potential: (X - reference)^T quadratic (X - reference) / 2 + linear . (X - reference),
/// with X the place of its material point, and the energy of its anchor.
#[derive(Clone, Copy, Debug, Default)]
pub struct VertexTerm {
    /// Where the quadratic part is least.
    pub reference: Vec3,
    /// Symmetric, without negative eigenvalues.
    pub quadratic: Mat3,
    /// A force on the material, as seen from the rest surface, negated.
    pub linear: Vec3,
}

impl VertexTerm {
    /// Adds a spring that pulls to a place, of some stiffness in N/m.
    pub fn pull_to(&mut self, place: &Vec3, stiffness: Real) {
        self.quadratic += Mat3::identity() * stiffness;
        self.linear += (self.reference - place) * stiffness;
    }
}

/// What a solve is for, besides the body.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// What the vertices add to the potential.
    pub terms: &'a [VertexTerm],
    /// Where the skin would be if it went on as before.
    pub ahead: Option<&'a Ahead<'a>>,
}

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Newton steps.
    pub iterations: usize,
    /// How far from the answer the skin still is, as a part of the mean edge, as far as the last steps tell.
    pub residual: Real,
    /// The vertex that would go farthest in the next step.
    pub farthest: usize,
    /// The energy of the membrane at the start, in J.
    pub energy_before: Real,
    /// And at the end.
    pub energy_after: Real,
    /// Whether the answer is as good as was asked for.
    pub converged: bool,
    /// A row of constraints that contradicts those before it.
    pub unmet: Option<usize>,
    /// Vertices that had to stay because triangles there would have turned over, or because they would have gone to and
    /// fro without end; the others are where they belong.
    pub held: usize,
    /// Seconds in: linearising and assembly, factorisation and solve, start and line search.
    pub seconds: [Real; 3],
}

impl Solved {
    /// With the work of one that was made before.
    pub fn after(self, before: &Solved) -> Solved {
        Solved {
            iterations: before.iterations + self.iterations,
            seconds: std::array::from_fn(|k| before.seconds[k] + self.seconds[k]),
            ..self
        }
    }
}

/// Reused memory; depends on the model's holds only.
pub struct Scratch {
    newton: Newton,
    stages: Stages,
    left: Left,
}

/// Memory of what the potential is found by, for the skin that is laid flat.
struct Stages {
    /// Whether a triangle looks out of the body at rest, so that its turning over can be seen.
    guarded: Vec<bool>,
    /// Where the vertices of that skin stand, with the directions of their unknowns; and its triangles.
    stands: Vec<Stand>,
    laid: Vec<Laid>,
    /// The metrics of its triangles on the body, and whether they are turned over.
    on_body: Vec<[Real; 3]>,
    over: Vec<bool>,
    /// What is painted on that skin at each vertex.
    painted: Vec<Painted>,
    /// The energies of the trial's triangles and vertices, and the gradients of the former by the unknowns of their
    /// corners.
    energies: Vec<Real>,
    pulls: Vec<Vec2>,
    /// Which of the pulls belong to each vertex.
    membrane: Real,
    /// The gradient by the directions of the vertices, summed over all parts of the potential.
    at_vertices: Gather,
    /// The gradient by the directions of the vertices, all parts of the potential together.
    forces: Vec<Vec2>,
    /// The vertices that the last gradient blocks, and those of the one before.
    directions: Vec<[Vec3; 2]>,
    /// The vertices that the last gradient holds back, and those of the one before.
    held_back: Vec<(u32, Held)>,
    held_back_before: Vec<(u32, Held)>,
    /// Another skin to start from, and the displacement to it; and a zero displacement.
    targets: Vec<Real>,
    /// Another skin to start from, and the way there; and no way at all.
    ahead: Vec<SurfacePoint>,
    way_ahead: Vec<Real>,
    no_way: Vec<Real>,
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
        // Minimum degree fills less up to some ten thousand unknowns, dissection beyond (tests/bench/linalg.rs).
        let order = match n {
            0..20_000 => Order::amd(assembly.matrix(), 1)?,
            _ => Order::nested_dissection(assembly.matrix(), 1, &points)?,
        };
        let rows = [model.rows().len(), model.turns().len()];
        let newton = Newton::new(assembly, &order, model.len(), rows)?;
        Ok(Scratch { newton, stages: Stages::new(model), left: Left::default() })
    }

    /// The triangles of a skin that are turned over, and were not at rest.
    pub fn inverted(&mut self, model: &Model, skin: &[SurfacePoint]) -> Vec<u32> {
        let stages = &mut self.stages;
        stages.stand_level(model, skin);
        let wrong = |e: &usize| stages.guarded[*e] && stages.over[*e];
        (0..stages.over.len()).filter(wrong).map(|e| model.active()[e]).collect()
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
            stands: vec![Stand::default(); vertices],
            laid: vec![Laid::default(); active],
            on_body: vec![[0.0; 3]; active],
            over: vec![false; active],
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
            ahead: home.clone(),
            way_ahead: vec![0.0; n],
            no_way: vec![0.0; n],
            walk: Walk::new(model),
            calm: Calm::new(vertices),
        };
        stages.stand_level(model, &home);
        stages.guarded = stages.over.iter().map(|over| !over).collect();
        stages
    }
}

/// The edges of a triangle of skin at rest.
pub(super) fn edges_of(places: [Vec3; 3]) -> Mat3x2 {
    Mat3x2::from_columns(&[places[1] - places[0], places[2] - places[0]])
}

/// Moves the skin to the equilibrium on `body`; from where it would be if it went on as before, when that is nearer.
/// The first steps are made with the factor that the last solve left, and the last factor is left for the next one.
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
    let Given { terms, ahead } = *given;
    scratch.take_up(left.as_ref());
    let Scratch { newton, stages, .. } = scratch;
    stages.lie_on(model, body);
    let start = stages.start(model, skin, terms, ahead, newton.factor())?;
    let energy_before = stages.membrane;
    let starting = clock.elapsed().as_secs_f64();
    let mut sliding = Sliding { model, terms, skin, stages };
    let outcome = newton.minimise(&mut sliding, start, &goal(model), control)?;
    scratch.leave(left);
    let Outcome { steps, residual, farthest, converged, unmet, seconds } = outcome;
    control.log_with(Level::Debug, || {
        format!("the skin settled in {steps} iterations, residual {residual:.1e}")
    });
    let [derivatives, solving, searching] = seconds;
    Ok(Solved {
        iterations: steps,
        residual,
        farthest,
        energy_before,
        energy_after: scratch.stages.membrane,
        converged,
        unmet,
        held: scratch.stages.calm.stopped(),
        seconds: [derivatives, solving, starting + searching],
    })
}

/// In dynamic mode a step is a small part of a motion, and what it leaves adds up from step to step.
const IN_MOTION: Real = 0.5;

/// A fall by this part of what a strain of 1 everywhere stores is round-off: a strain of a millionth.
const ROUND_OFF: Real = 1e-12;

/// When the skin is where it belongs.
fn goal(model: &Model) -> Goal {
    let (extent, edge) = (model.rest.extent(), model.rest.mean_edge());
    let settled = model.settings.tolerance * extent / edge;
    Goal {
        task: "settling the skin",
        unit: edge,
        tolerance: match model.settings.mode {
            Mode::Quasistatic => settled,
            Mode::Dynamic => settled * IN_MOTION,
        },
        nothing: ROUND_OFF * model.strained_energy(),
        // Half around the surface.
        farthest: 0.5 * extent,
        max_steps: model.settings.max_iterations,
    }
}
