//! The equilibrium of the skin on a body that stands still: Newton's method with a line search on the potential.
//!
//! The unknown is where each body vertex sits on the skin. Each step lays the skin flat where it is (`laid`), so that strain
//! is measured within the surface and is smooth in what the vertices slide, finds the way down, and walks it over the rest
//! surface: there are no charts, no interpolation of the map and no drift. Along a step the potential falls and no triangle
//! of skin turns over: a step that would do the former is shortened as a whole, one that would do the latter where it would.

mod calm;
mod descent;
mod kept;
mod laid;
mod linear;
mod potential;
mod response;
mod rows;
mod secants;
mod start;
mod walk;

pub(super) use laid::MOST_STRETCH;
pub use potential::energy;
pub(super) use potential::pull;
pub(super) use response::response;
pub use start::Ahead;

use super::model::{Model, Painted};
use super::stand::Stand;
use super::state::Stiffness;
use crate::control::{Control, Level};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::linalg::assembly::{Assembly, Gather};
use crate::linalg::order::Order;
use crate::linalg::spd::SpdSolver;
use crate::math::{Mat3, Mat3x2, Real, Vec2, Vec3};
use calm::Calm;
use descent::Descent;
use laid::Laid;
use linear::Held;
use rows::Rows;
use secants::Secants;
use std::sync::Arc;
use std::time::Instant;
use walk::Walk;

/// What a vertex adds to the potential: (X - reference)^T quadratic (X - reference) / 2 + linear . (X - reference), with
/// X the place of its material point, and the energy of its anchor.
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
    /// Vertices that had to stay because triangles there would have turned over, or because they would have gone to and fro
    /// without end; the others are where they belong.
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
    assembly: Assembly,
    solver: SpdSolver,
    /// Whether a triangle looks out of the body at rest, so that its turning over can be seen.
    guarded: Vec<bool>,
    /// Where the vertices of the skin that is laid flat stand, with the directions of their unknowns; and its triangles.
    stands: Vec<Stand>,
    laid: Vec<Laid>,
    /// The metrics of its triangles on the body, and whether they are turned over.
    on_body: Vec<[Real; 3]>,
    over: Vec<bool>,
    /// What is painted on that skin at each vertex.
    painted: Vec<Painted>,
    /// How far its vertices go in a trial, by the unknowns.
    trial_way: Vec<Real>,
    /// The energies of the trial's triangles and vertices, and the gradients of the former by the unknowns of their corners.
    energies: Vec<Real>,
    pulls: Vec<Vec2>,
    /// Which of the pulls are at each vertex.
    at_vertices: Gather,
    /// The gradient by the directions of the vertices, all parts of the potential together.
    forces: Vec<Vec2>,
    /// By the unknowns of the step, and that of the step before.
    gradient: Vec<Real>,
    gradient_before: Vec<Real>,
    step: Vec<Real>,
    /// Whether the solver's factor is one that another step may use, and the directions of the unknowns in it.
    factored: bool,
    kept: Vec<[Vec3; 2]>,
    /// The vertices that this factor holds back, and those of the step before.
    held_back: Vec<(u32, Held)>,
    held_back_before: Vec<(u32, Held)>,
    /// What that factor is made of, when a state tells, and what earlier ones were made of.
    factor_of: Option<Arc<Stiffness>>,
    earlier: Vec<Arc<Stiffness>>,
    /// What the steps with that factor have told about it.
    secants: Secants,
    rows: Rows,
    /// Another skin to start from.
    ahead: Vec<SurfacePoint>,
    walk: Walk,
    calm: Calm,
    /// How far each vertex goes in the step.
    lengths: Vec<Real>,
    /// The share of the step that each vertex goes: less where triangles would turn over.
    shares: Vec<Real>,
    /// Which part of that triangles leave it while they are looked at; 1 between.
    room: Vec<Real>,
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
        let solver = SpdSolver::new(assembly.matrix(), &order)?;
        let rows = Rows::new(model);
        let corners: Vec<_> =
            model.active().iter().map(|&t| triangles[t as usize].map(|v| v as usize)).collect();
        let home = model.rest.home();
        let mut scratch = Scratch {
            assembly,
            solver,
            guarded: vec![true; model.active().len()],
            stands: vec![Stand::default(); model.len()],
            laid: vec![Laid::default(); model.active().len()],
            on_body: vec![[0.0; 3]; model.active().len()],
            over: vec![false; model.active().len()],
            painted: vec![Painted::default(); model.len()],
            trial_way: vec![0.0; n],
            energies: vec![0.0; model.active().len() + model.len()],
            pulls: vec![Vec2::zeros(); 3 * model.active().len()],
            at_vertices: Gather::new(model.len(), &corners),
            forces: vec![Vec2::zeros(); model.len()],
            gradient: vec![0.0; n],
            gradient_before: vec![0.0; n],
            step: vec![0.0; n],
            factored: false,
            kept: vec![[Vec3::zeros(); 2]; model.len()],
            held_back: Vec::with_capacity(model.len()),
            held_back_before: Vec::with_capacity(model.len()),
            factor_of: None,
            earlier: Vec::new(),
            secants: Secants::new(n, rows.len()),
            rows,
            ahead: home,
            walk: Walk::new(model),
            calm: Calm::new(model.len()),
            lengths: vec![0.0; model.len()],
            shares: vec![1.0; model.len()],
            room: vec![1.0; model.len()],
        };
        scratch.stand_level(model, &model.rest.home());
        scratch.guarded = scratch.over.iter().map(|over| !over).collect();
        Ok(scratch)
    }

    /// The factor is of no more use.
    fn forget_factor(&mut self) {
        self.factored = false;
        self.secants.forget();
        self.earlier.extend(self.factor_of.take());
    }

    /// The triangles of a skin that are turned over, and were not at rest.
    pub fn inverted(&mut self, model: &Model, skin: &[SurfacePoint]) -> Vec<u32> {
        self.stand_level(model, skin);
        let wrong = |e: &usize| self.guarded[*e] && self.over[*e];
        (0..self.over.len()).filter(wrong).map(|e| model.active()[e]).collect()
    }
}

/// The edges of a triangle of skin at rest.
pub(super) fn edges_of(places: [Vec3; 3]) -> Mat3x2 {
    Mat3x2::from_columns(&[places[1] - places[0], places[2] - places[0]])
}

/// Moves the skin to the equilibrium on `body`; from where it would be if it went on as before, when that is nearer. The
/// first steps are made with the factor that the last solve left, and the last factor is left for the next one.
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
    scratch.lie_on(model, body);
    let start = scratch.start(model, skin, terms, ahead)?;
    let mut descent = Descent::new(model, start, clock.elapsed().as_secs_f64());
    while descent.solved.iterations < model.settings.max_iterations {
        // How many iterations there will be nobody knows; most need a few.
        let iteration = descent.solved.iterations as f64;
        control.progress(iteration / (iteration + 3.0), "settling the skin")?;
        let Some(step) = scratch.way_down(model, terms, &mut descent)? else { break };
        control.check()?;
        let Some(mut found) = scratch.search(model, terms, &step, &mut descent) else {
            scratch.trial_way.fill(0.0);
            potential::potential(model, terms, scratch);
            if descent.stay(&step) {
                break;
            }
            continue;
        };
        control.check()?;
        let clock = Instant::now();
        found.local |= scratch.go(model, skin);
        descent.solved.seconds[2] += clock.elapsed().as_secs_f64();
        if descent.advance(&step, &found) {
            break;
        }
        let clock = Instant::now();
        scratch.flatten(model, skin);
        let potential = potential::potential(model, terms, scratch);
        descent.solved.seconds[0] += clock.elapsed().as_secs_f64();
        let Some(potential) = potential else { break };
        descent.go_on_from(potential);
    }
    scratch.leave(left);
    control.log_with(Level::Debug, || {
        let Solved { iterations, residual, .. } = descent.solved;
        format!("the skin settled in {iterations} iterations, residual {residual:.1e}")
    });
    descent.solved.held = scratch.calm.stopped();
    Ok(descent.solved)
}
