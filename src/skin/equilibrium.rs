//! The equilibrium of the skin on a body that stands still: Newton's method with a line search on the potential.
//!
//! The unknown is where each body vertex sits on the skin. A step moves these points over the rest surface by walking, so
//! there are no charts, no interpolation of the map and no drift. The energy never rises, and no triangle of skin turns
//! over: a step that would do either is shortened.

mod linear;
mod potential;
mod rows;
mod secants;

pub use potential::energy;
pub(super) use potential::pull;

use super::membrane::Patch;
use super::model::{Mode, Model};
use super::stand::Stand;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::geometry::SurfacePoint;
use crate::linalg::assembly::{Assembly, Gather};
use crate::linalg::order::Order;
use crate::linalg::spd::SpdSolver;
use crate::math::{Mat3, Mat3x2, Real, Vec3};
use potential::{fill_patches, potential};
use rayon::prelude::*;
use rows::Rows;
use secants::Secants;

/// In dynamic mode a step is a small part of a motion, and what it leaves adds up from step to step.
const IN_MOTION: Real = 0.1;

/// Chords that leave more than this share of the step before are too slow.
const MOST_LEFT: Real = 0.3;

/// A step below this part of an edge is near enough to the answer to try the true second derivatives again, which square
/// the error per step.
const NEAR: Real = 0.02;

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

/// How a solve went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// Newton steps.
    pub iterations: usize,
    /// How far from the answer the skin still is, as a part of the mean edge, as far as the last steps tell.
    pub residual: Real,
    /// The energy of the membrane at the start, in J.
    pub energy_before: Real,
    /// And at the end.
    pub energy_after: Real,
    /// Whether the answer is as good as was asked for.
    pub converged: bool,
    /// A row of constraints that contradicts those before it.
    pub unmet: Option<usize>,
    /// Seconds in: linearising and assembly, factorisation and solve, line search.
    pub seconds: [Real; 3],
}

/// Reused memory; depends on the model's holds only.
pub struct Scratch {
    assembly: Assembly,
    solver: SpdSolver,
    /// Whether a triangle looks out of the body at rest, so that its turning over can be seen.
    guarded: Vec<bool>,
    /// Where the step begins, with the directions of its unknowns.
    stands: Vec<Stand>,
    /// A skin that is tried, where its vertices stand, and which way is out of the body there.
    trial: Vec<SurfacePoint>,
    trial_stands: Vec<Stand>,
    outward: Vec<Vec3>,
    /// The energies of the trial's triangles and vertices, and the gradients of the former by the places of their corners.
    energies: Vec<Real>,
    pulls: Vec<Vec3>,
    /// Which of the pulls are at each vertex.
    at_vertices: Gather,
    /// The gradient by the places of the vertices, all parts of the potential together.
    forces: Vec<Vec3>,
    patches: Vec<Patch>,
    /// By the unknowns of the step, and that of the step before.
    gradient: Vec<Real>,
    gradient_before: Vec<Real>,
    step: Vec<Real>,
    /// Whether the solver's factor is one that another step may use, and the directions of the unknowns in it.
    factored: bool,
    kept: Vec<[Vec3; 2]>,
    /// What the steps with that factor have told about it.
    secants: Secants,
    rows: Rows,
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
        let assembly = Assembly::new(n, &elements)?;
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
        let corners: Vec<_> =
            model.active().iter().map(|&t| triangles[t as usize].map(|v| v as usize)).collect();
        let mut scratch = Scratch {
            assembly,
            solver,
            guarded: vec![true; model.active().len()],
            stands: vec![Stand::default(); model.len()],
            trial: model.rest.home(),
            trial_stands: vec![Stand::default(); model.len()],
            outward: vec![Vec3::zeros(); model.len()],
            pulls: vec![Vec3::zeros(); 3 * model.active().len()],
            at_vertices: Gather::new(model.len(), &corners),
            forces: vec![Vec3::zeros(); model.len()],
            energies: vec![0.0; model.active().len() + model.len()],
            patches: vec![Patch::default(); model.active().len()],
            gradient: vec![0.0; n],
            gradient_before: vec![0.0; n],
            step: vec![0.0; n],
            factored: false,
            kept: vec![[Vec3::zeros(); 2]; model.len()],
            secants: Secants::new(n),
            rows: Rows::new(model),
        };
        scratch.stand_trial(model);
        scratch.guarded = (0..model.active().len()).map(|e| scratch.facing(model, e) > 0.0).collect();
        Ok(scratch)
    }

    /// The next equilibrium has nothing to do with the last one.
    pub fn forget_factor(&mut self) {
        self.factored = false;
        self.secants.forget();
    }

    /// Makes a skin the trial.
    fn look_at(&mut self, model: &Model, skin: &[SurfacePoint]) {
        if self.trial != skin {
            self.trial.copy_from_slice(skin);
            self.stand_trial(model);
        }
    }

    /// Finds where the trial's vertices stand; to be called whenever it has changed.
    fn stand_trial(&mut self, model: &Model) {
        let trial = &self.trial;
        let vertices = self.trial_stands.par_iter_mut().zip(&mut self.outward);
        vertices.with_min_len(256).enumerate().for_each(|(v, (stand, outward))| {
            *stand = Stand::level(model, trial, v);
            *outward = model.rest.outward(&trial[v]);
        });
    }

    /// Positive when a triangle of the trial skin looks out of the body.
    fn facing(&self, model: &Model, element: usize) -> Real {
        let corners = model.rest.mesh().triangles[model.active()[element] as usize].map(|v| v as usize);
        let edges = edges_of(corners.map(|v| self.trial_stands[v].place));
        looks_out(&edges, corners.map(|v| self.outward[v]))
    }

    /// The triangles of a skin that are turned over.
    pub fn inverted(&mut self, model: &Model, skin: &[SurfacePoint]) -> Vec<u32> {
        self.look_at(model, skin);
        let wrong = |e: &usize| self.guarded[*e] && self.facing(model, *e) <= 0.0;
        (0..model.active().len()).filter(wrong).map(|e| model.active()[e]).collect()
    }
}

/// The edges of a triangle of skin at rest.
pub(super) fn edges_of(places: [Vec3; 3]) -> Mat3x2 {
    Mat3x2::from_columns(&[places[1] - places[0], places[2] - places[0]])
}

/// Positive when a triangle with these edges looks the same way as the directions out of the body at its corners.
fn looks_out(edges: &Mat3x2, outward: [Vec3; 3]) -> Real {
    edges.column(0).cross(&edges.column(1)).dot(&(outward[0] + outward[1] + outward[2]))
}

/// Moves the skin to the equilibrium on `body`.
pub fn solve(
    model: &Model,
    body: &[Vec3],
    skin: &mut [SurfacePoint],
    terms: &[VertexTerm],
    scratch: &mut Scratch,
    control: &Control,
) -> Result<Solved> {
    let mut solved = Solved::default();
    fill_patches(model, body, skin, scratch);
    scratch.look_at(model, skin);
    scratch.rows.force = 0.0;
    let (mut potential, membrane) = potential(model, terms, scratch)
        .ok_or_else(|| Error::new(Kind::NotFinite, "the energy of the skin at the start is not finite"))?;
    (solved.energy_before, solved.energy_after) = (membrane, membrane);
    let tolerance = tolerance(model);
    let (mut chord, mut convex) = (true, false);
    let mut before = None;
    while solved.iterations < model.settings.max_iterations {
        control.check()?;
        let way = Way { chord, convex, first: before.is_none() };
        let Some((way, fall)) = scratch.way_down(model, skin, terms, way, &mut solved.seconds)? else {
            break;
        };
        (chord, convex) = (way.chord, way.convex);
        solved.iterations += 1;
        let clock = std::time::Instant::now();
        let fall = scratch.constrain(model, solved.energy_after, fall)?;
        solved.unmet = scratch.rows.unmet;
        let largest = scratch.largest_step(model);
        let moved = largest / model.rest.mean_edge();
        let from = potential + scratch.disobedience_before();
        // A step farther than half around the surface is none that the quadratic model can know of.
        let first = (0.5 * model.rest.extent() / largest).min(1.0);
        let taken = search(model, skin, terms, scratch, first, from, fall);
        solved.seconds[2] += clock.elapsed().as_secs_f64();
        let Some((fraction, new_potential, membrane)) = taken else {
            scratch.return_to(model, skin, terms);
            if chord {
                (chord, before) = (false, None);
                continue;
            }
            // No way down along the plain Newton direction: with the convex one there is, but at the bottom.
            solved.residual = moved * moved;
            let there = solved.residual <= tolerance;
            solved.converged = there || convex && moved <= NEAR && fall <= 1e-9 * potential.abs();
            if convex || there {
                break;
            }
            convex = true;
            continue;
        };
        (potential, solved.energy_after) = (new_potential, membrane);
        skin.copy_from_slice(&scratch.trial);
        let progress = Progress { chord, moved, before, whole: fraction == 1.0 };
        solved.residual = progress.left();
        if solved.residual <= tolerance {
            solved.converged = true;
            break;
        }
        chord = progress.chord_next(tolerance);
        // Where the true second derivatives fall in some direction, they mostly do so again in the next step.
        convex = (convex && moved > NEAR) || fraction < 0.25;
        before = Some(moved);
    }
    Ok(solved)
}

/// How far from its place the skin may stay, in mean edges.
fn tolerance(model: &Model) -> Real {
    match model.settings.mode {
        Mode::Quasistatic => model.settings.tolerance,
        Mode::Dynamic => model.settings.tolerance * IN_MOTION,
    }
}

/// How a step is to be found, and then how it was.
#[derive(Clone, Copy)]
struct Way {
    /// With an old factor.
    chord: bool,
    /// With second derivatives that fall in no direction.
    convex: bool,
    /// Whether it is the first on this body.
    first: bool,
}

impl Scratch {
    /// A step by a chord where that is wanted and serves, by Newton's method elsewhere; the potential's fall that it
    /// promises. `None` when there is none: the equations are singular whatever is added to them.
    fn way_down(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        mut way: Way,
        seconds: &mut [Real; 3],
    ) -> Result<Option<(Way, Real)>> {
        let fall = if way.chord { self.chord(model, terms, !way.first, seconds)? } else { None };
        way.chord = fall.is_some();
        if let Some(fall) = fall {
            return Ok(Some((way, fall)));
        }
        match self.newton(model, skin, terms, &mut way.convex, seconds) {
            Ok(fall) => Ok(Some((way, fall))),
            Err(error) if error.kind() == Kind::NoConvergence => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// What a step tells about those to come; lengths in mean edges.
struct Progress {
    /// Whether the step was made with an old factor.
    chord: bool,
    /// The largest step of a vertex, and that of the step before.
    moved: Real,
    before: Option<Real>,
    /// Whether it was not shortened.
    whole: bool,
}

impl Progress {
    /// How far from the answer the skin still is, by the laws of both methods: a Newton step leaves about its own square,
    /// a chord its own share of the step before it.
    fn left(&self) -> Real {
        let moved = self.moved;
        match (self.chord, self.before) {
            _ if !self.whole => moved,
            (false, None) => moved * moved,
            (false, Some(before)) => moved * moved * (moved / (before * before)).max(1.0),
            (true, None) => 0.5 * moved,
            (true, Some(before)) if moved < before => moved * moved / (before - moved),
            (true, Some(_)) => moved,
        }
    }

    /// Whether the factor that is there will do for the next step: a chord costs a third of a Newton step.
    fn chord_next(&self, tolerance: Real) -> bool {
        let share = match (self.chord, self.before) {
            (false, _) => self.moved,
            (true, Some(before)) => self.moved / before,
            (true, None) => 0.5,
        };
        self.whole && share < MOST_LEFT && self.left() * share.powi(3) <= tolerance
    }
}

impl Scratch {
    /// The largest step of a vertex, in metres.
    fn largest_step(&self, model: &Model) -> Real {
        let length = |v: usize| self.stands[v].moved(&self.step[model.unknowns_of(v)]).norm();
        (0..model.len()).map(length).fold(0.0, Real::max)
    }

    /// Walks a fraction of the step from `skin`, into the trial.
    fn walk(&mut self, model: &Model, skin: &[SurfacePoint], fraction: Real) {
        let (stands, step) = (&self.stands, &self.step);
        self.trial.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, point)| {
            *point = stands[v].gone(model, &skin[v], &step[model.unknowns_of(v)], fraction);
        });
        self.stand_trial(model);
    }
}

/// Shortens the step, from a fraction of it on, until the potential falls (Armijo's rule); the fraction, the potential and the membrane's energy.
fn search(
    model: &Model,
    skin: &[SurfacePoint],
    terms: &[VertexTerm],
    scratch: &mut Scratch,
    mut fraction: Real,
    from: Real,
    decrease: Real,
) -> Option<(Real, Real, Real)> {
    // Below round-off of the sums the energy cannot tell better from worse.
    let noise = 1e-13 * scratch.energies.iter().map(|e| e.abs()).sum::<Real>();
    for _ in 0..14 {
        scratch.walk(model, skin, fraction);
        if let Some((potential, membrane)) = potential(model, terms, scratch)
            && potential + scratch.disobedience(model) <= from - 1e-4 * fraction * decrease + noise
        {
            return Some((fraction, potential, membrane));
        }
        fraction *= 0.5;
    }
    None
}
