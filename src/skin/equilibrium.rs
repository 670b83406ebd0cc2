//! The equilibrium of the skin on a body that stands still: Newton's method with a line search on the potential.
//!
//! The unknown is where each body vertex sits on the skin. A step moves these points over the rest surface by walking, so
//! there are no charts, no interpolation of the map and no drift. The energy never rises, and no triangle of skin turns
//! over: a step that would do either is shortened.

use super::membrane::{Derivatives, Direction, Patch, Strained, metric};
use super::model::{Anchor, Mode, Model};
use super::stand::Stand;
use super::turns::{ASKED_FOR, Turn};
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::geometry::SurfacePoint;
use crate::linalg::assembly::Assembly;
use crate::linalg::order::Order;
use crate::linalg::spd::SpdSolver;
use crate::math::{Mat3, Mat3x2, Real, Vec2, Vec3};
use rayon::prelude::*;

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
    /// The largest step of the last iteration as a part of the mean edge: how far from the answer it still was.
    pub residual: Real,
    /// The energy of the membrane at the start, in J.
    pub energy_before: Real,
    /// And at the end.
    pub energy_after: Real,
    /// Whether the answer is as good as was asked for.
    pub converged: bool,
    /// Seconds in: linearising and assembly, factorisation and solve, line search.
    pub seconds: [Real; 3],
}

/// Reused memory; depends on the model's holds only.
pub struct Scratch {
    assembly: Assembly,
    solver: SpdSolver,
    /// Whether a triangle looks out of the body at rest, so that its turning over can be seen.
    guarded: Vec<bool>,
    stands: Vec<Stand>,
    trial: Vec<SurfacePoint>,
    trial_places: Vec<(Vec3, Vec3)>,
    energies: Vec<Real>,
    patches: Vec<Patch>,
    gradient: Vec<Real>,
    step: Vec<Real>,
    /// For each turn of the model a row and where it pushes to.
    turns: Vec<[Vec<Real>; 2]>,
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
        let home: Vec<_> = (0..model.len()).map(|v| model.rest.vertex(v)).collect();
        let mut scratch = Scratch {
            assembly,
            solver,
            guarded: vec![true; model.active().len()],
            stands: vec![Stand::default(); model.len()],
            trial: Vec::new(),
            trial_places: vec![(Vec3::zeros(), Vec3::zeros()); model.len()],
            energies: vec![0.0; model.active().len() + model.len()],
            patches: vec![Patch::default(); model.active().len()],
            gradient: vec![0.0; n],
            step: vec![0.0; n],
            turns: vec![[vec![0.0; n], vec![0.0; n]]; model.turns().len()],
        };
        let nowhere = SurfacePoint { triangle: 0, weights: [1.0, 0.0, 0.0] };
        let home: Vec<_> = home.into_iter().map(|p| p.unwrap_or(nowhere)).collect();
        scratch.trial = home;
        scratch.place_trial(model);
        scratch.guarded = (0..model.active().len()).map(|e| scratch.facing(model, e) > 0.0).collect();
        Ok(scratch)
    }

    fn place_trial(&mut self, model: &Model) {
        let rest = &model.rest;
        self.trial_places
            .par_iter_mut()
            .with_min_len(512)
            .zip(&self.trial)
            .for_each(|(place, point)| *place = (rest.place(point), rest.outward(point)));
    }

    /// Positive when a triangle of the trial skin looks out of the body.
    fn facing(&self, model: &Model, element: usize) -> Real {
        let corners = model.rest.mesh().triangles[model.active()[element] as usize];
        let [a, b, c] = corners.map(|v| self.trial_places[v as usize]);
        (b.0 - a.0).cross(&(c.0 - a.0)).dot(&(a.1 + b.1 + c.1))
    }

    /// The triangles of a skin that are turned over.
    pub fn inverted(&mut self, model: &Model, skin: &[SurfacePoint]) -> Vec<u32> {
        self.trial.copy_from_slice(skin);
        self.place_trial(model);
        let wrong = |e: &usize| self.guarded[*e] && self.facing(model, *e) <= 0.0;
        (0..model.active().len()).filter(wrong).map(|e| model.active()[e]).collect()
    }
}

fn dot(a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes so much of `way` off a vector that nothing is left along `row`.
fn subtract(vector: &mut [Real], way: &[Real], row: &[Real]) {
    let share = dot(row, vector) / dot(row, way);
    vector.iter_mut().zip(way).for_each(|(v, w)| *v -= share * w);
}

/// The edges of a triangle of skin at rest.
pub(super) fn edges_of(places: [Vec3; 3]) -> Mat3x2 {
    Mat3x2::from_columns(&[places[1] - places[0], places[2] - places[0]])
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
    scratch.trial.copy_from_slice(skin);
    scratch.place_trial(model);
    let (mut potential, membrane) = potential(model, terms, scratch)
        .ok_or_else(|| Error::new(Kind::NotFinite, "the energy of the skin at the start is not finite"))?;
    (solved.energy_before, solved.energy_after) = (membrane, membrane);
    let mut convex = false;
    while solved.iterations < model.settings.max_iterations {
        control.check()?;
        let stands = scratch.stands.par_iter_mut().with_min_len(256).enumerate();
        stands.for_each(|(v, stand)| *stand = Stand::new(model, skin, v));
        let decrease = match newton_step(model, terms, scratch, &mut convex, &mut solved.seconds) {
            Ok(decrease) => decrease,
            Err(error) if error.kind() == Kind::NoConvergence => break,
            Err(error) => return Err(error),
        };
        solved.iterations += 1;
        let clock = std::time::Instant::now();
        let decrease = match model.settings.mode {
            Mode::Quasistatic if !model.turns().is_empty() => {
                scratch.leave_turns(model, solved.energy_after)?
            }
            _ => decrease,
        };
        let largest = scratch.largest_step(model);
        let taken = search(model, skin, terms, scratch, potential, decrease);
        solved.seconds[2] += clock.elapsed().as_secs_f64();
        let Some((fraction, new_potential, membrane)) = taken else {
            // No way down along the plain Newton direction: with the convex one there is, but at the bottom.
            solved.residual = largest / model.rest.mean_edge();
            let there = solved.residual <= model.settings.tolerance;
            solved.converged = there || convex && decrease <= 1e-9 * potential.abs();
            if convex || there {
                break;
            }
            convex = true;
            continue;
        };
        (potential, solved.energy_after) = (new_potential, membrane);
        skin.copy_from_slice(&scratch.trial);
        // A small step that had to be shortened meets the edge between two facets, where the surface has a faint kink.
        solved.residual = largest / model.rest.mean_edge();
        if solved.residual <= model.settings.tolerance {
            solved.converged = true;
            break;
        }
        // Where the true second derivatives fall in some direction, they mostly do so again in the next step.
        convex = (convex && solved.residual > NEAR) || fraction < 0.25;
    }
    Ok(solved)
}

/// The membrane's energy of a skin on a body, in J; infinite when a triangle is turned over or without area.
pub fn energy(model: &Model, body: &[Vec3], skin: &[SurfacePoint], scratch: &mut Scratch) -> Real {
    fill_patches(model, body, skin, scratch);
    scratch.trial.copy_from_slice(skin);
    scratch.place_trial(model);
    let terms = vec![VertexTerm::default(); model.len()];
    potential(model, &terms, scratch).map_or(Real::INFINITY, |(_, membrane)| membrane)
}

/// Thickness, prestrain and fibres of the skin that is on each triangle now; they stay for the whole solve.
fn fill_patches(model: &Model, body: &[Vec3], skin: &[SurfacePoint], scratch: &mut Scratch) {
    let triangles = &model.rest.mesh().triangles;
    scratch.patches.par_iter_mut().with_min_len(256).zip(model.active()).for_each(|(patch, &t)| {
        let corners = triangles[t as usize].map(|v| v as usize);
        *patch = model.patch(metric(corners.map(|v| body[v])), &corners.map(|v| skin[v]));
    });
}

/// The potential of the trial skin and the membrane's part of it; `None` when a triangle is turned over or has no finite
/// energy.
fn potential(model: &Model, terms: &[VertexTerm], scratch: &mut Scratch) -> Option<(Real, Real)> {
    let (places, patches, guarded) = (&scratch.trial_places, &scratch.patches, &scratch.guarded);
    let triangles = &model.rest.mesh().triangles;
    let elements = model.active().len();
    scratch.energies.par_iter_mut().with_min_len(256).enumerate().for_each(|(k, energy)| {
        if k >= elements {
            let v = k - elements;
            *energy = vertex_energy(model, v, &places[v].0, &terms[v]);
            return;
        }
        let [a, b, c] = triangles[model.active()[k] as usize].map(|v| places[v as usize]);
        let edges = edges_of([a.0, b.0, c.0]);
        let turned = (b.0 - a.0).cross(&(c.0 - a.0)).dot(&(a.1 + b.1 + c.1)) <= 0.0;
        let strained = Strained::new(&edges, &patches[k]).filter(|_| !(guarded[k] && turned));
        *energy = strained.map_or(Real::NAN, |s| s.energy(&model.settings.material, &patches[k]));
    });
    let (membrane, rest) = scratch.energies.split_at(elements);
    let membrane: Real = membrane.iter().sum();
    let all = membrane + rest.iter().sum::<Real>();
    all.is_finite().then_some((all, membrane))
}

fn vertex_energy(model: &Model, vertex: usize, place: &Vec3, term: &VertexTerm) -> Real {
    let away = place - term.reference;
    let slide = (place - model.rest.mesh().positions[vertex]).norm();
    0.5 * away.dot(&(term.quadratic * away))
        + term.linear.dot(&away)
        + pull(&model.anchors()[vertex], slide).0
}

/// An anchor's energy, force and stiffness at a slide: soft r^2/2, and beyond the toe (stiff - soft) (r - toe)^2/2 more.
pub(super) fn pull(anchor: &Anchor, slide: Real) -> (Real, Real, Real) {
    let beyond = (slide - anchor.toe).max(0.0);
    let more = anchor.stiff - anchor.soft;
    let stiffness = anchor.soft + if beyond > 0.0 { more } else { 0.0 };
    let energy = 0.5 * (anchor.soft * slide * slide + more * beyond * beyond);
    (energy, anchor.soft * slide + more * beyond, stiffness)
}

/// One Newton step into `scratch.step`; how far the quadratic model says that the potential falls.
fn newton_step(
    model: &Model,
    terms: &[VertexTerm],
    scratch: &mut Scratch,
    convex: &mut bool,
    seconds: &mut [Real; 3],
) -> Result<Real> {
    // What is added to every vertex when even the convex derivatives are singular to within round-off.
    let mut shift = 0.0;
    loop {
        let clock = std::time::Instant::now();
        assemble(model, terms, scratch, *convex, shift)?;
        seconds[0] += clock.elapsed().as_secs_f64();
        let clock = std::time::Instant::now();
        let factored = scratch.solver.factor(scratch.assembly.matrix());
        if factored.is_err() && !*convex {
            *convex = true;
            seconds[1] += clock.elapsed().as_secs_f64();
            continue;
        }
        if factored.is_err() && shift < 1.0 {
            shift = if shift == 0.0 { 1e-9 } else { shift * 1e3 };
            continue;
        }
        factored?;
        scratch.step.iter_mut().zip(&scratch.gradient).for_each(|(step, g)| *step = -g);
        scratch.solver.solve(&mut scratch.step)?;
        seconds[1] += clock.elapsed().as_secs_f64();
        let fall: Real = scratch.step.iter().zip(&scratch.gradient).map(|(s, g)| -s * g).sum();
        return Ok(0.5 * fall);
    }
}

/// Which second derivatives.
struct Second {
    /// Those that fall in no direction.
    convex: bool,
    /// What is added to the diagonal.
    shift: Real,
}

/// `shift` is a part of the mean size of the diagonal.
fn assemble(
    model: &Model,
    terms: &[VertexTerm],
    scratch: &mut Scratch,
    convex: bool,
    shift: Real,
) -> Result<()> {
    let shift = if shift > 0.0 { shift * scratch.assembly.mean_diagonal() } else { 0.0 };
    let second = Second { convex, shift };
    let elements = model.active().len();
    let (stands, patches) = (&scratch.stands, &scratch.patches);
    let triangles = &model.rest.mesh().triangles;
    let compute = |k: usize, block: &mut [Real], vector: &mut [Real]| {
        if k >= elements {
            let v = k - elements;
            return vertex_derivatives(model, v, &stands[v], &terms[v], &second, block, vector);
        }
        let corners = triangles[model.active()[k] as usize].map(|v| &stands[v as usize]);
        let edges = edges_of(corners.map(|s| s.place));
        let Some(strained) = Strained::new(&edges, &patches[k]) else { return block.fill(Real::NAN) };
        let found = Derivatives::new(&strained, &model.settings.material, &patches[k], convex);
        let mut directions = [Direction::default(); 6];
        let mut count = 0;
        for (stand, slope) in corners.iter().zip(strained.slopes()) {
            for along in &stand.space[..stand.count as usize] {
                directions[count] = Direction::new(&strained, &slope, along);
                count += 1;
            }
        }
        let directions = &directions[..count];
        vector.iter_mut().zip(directions).for_each(|(g, d)| *g = found.slope(d));
        found.curvature(directions, block);
        if !convex {
            let mut first = 0;
            for (stand, slope) in corners.iter().zip(strained.slopes()) {
                let force = strained.frame * (found.force * slope);
                stand.bend(&force, block, first, count);
                first += stand.count as usize;
            }
        }
    };
    scratch.assembly.fill_both(&mut scratch.gradient, compute)?;
    hold_back(model, scratch);
    Ok(())
}

/// Skin at a border that is pushed out of the surface may only move along it: there is no skin out there.
fn hold_back(model: &Model, scratch: &mut Scratch) {
    for v in 0..model.len() {
        let (stand, unknowns) = (&scratch.stands[v], model.unknowns_of(v));
        if stand.out == Vec2::zeros() || unknowns.len() != 2 {
            continue;
        }
        let first = unknowns.start;
        let gradient = Vec2::new(scratch.gradient[first], scratch.gradient[first + 1]);
        let outward = gradient.dot(&stand.out);
        if outward < 0.0 {
            let gradient = gradient - stand.out * outward;
            (scratch.gradient[first], scratch.gradient[first + 1]) = (gradient.x, gradient.y);
            scratch.assembly.stiffen(first, &stand.out);
        }
    }
}

fn vertex_derivatives(
    model: &Model,
    vertex: usize,
    stand: &Stand,
    term: &VertexTerm,
    second: &Second,
    block: &mut [Real],
    vector: &mut [Real],
) {
    let away = stand.place - term.reference;
    let mut force = term.quadratic * away + term.linear;
    let mut stiffness = term.quadratic + Mat3::identity() * second.shift;
    let anchor = &model.anchors()[vertex];
    if anchor.stiff > 0.0 {
        let slide = stand.place - model.rest.mesh().positions[vertex];
        let length = slide.norm();
        let (_, tension, along) = pull(anchor, length);
        let direction = slide.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let across = if length > 0.0 { tension / length } else { anchor.soft };
        let outer = direction * direction.transpose();
        stiffness += (Mat3::identity() - outer) * across + outer * along;
        force += direction * tension;
    }
    let n = vector.len();
    for (a, along) in stand.space[..n].iter().enumerate() {
        vector[a] = force.dot(along);
        for (b, other) in stand.space[..n].iter().enumerate() {
            block[a * n + b] = along.dot(&(stiffness * other));
        }
    }
    if !second.convex {
        stand.bend(&force, block, 0, n);
    }
}

impl Scratch {
    /// The largest step of a vertex, in metres.
    fn largest_step(&self, model: &Model) -> Real {
        let length = |v: usize| self.stands[v].moved(&self.step[model.unknowns_of(v)]).norm();
        (0..model.len()).map(length).fold(0.0, Real::max)
    }

    /// The Newton step without the turns that nobody asked for: the lowest place of the quadratic model among steps that
    /// do not turn. By how much the potential then falls.
    fn leave_turns(&mut self, model: &Model, energy: Real) -> Result<Real> {
        let mut left = 0;
        for turn in model.turns() {
            let mut rows = std::mem::take(&mut self.turns[left]);
            if self.turn_row(model, turn, &mut rows[0], energy) {
                // With the row c of the turn and y = K^-1 c, the step s becomes s - y (c.s) / (c.y); the y of several
                // turns must not disturb each other.
                let (row, way) = rows.split_at_mut(1);
                way[0].copy_from_slice(&row[0]);
                self.solver.solve(&mut way[0])?;
                for [before, its_way] in &self.turns[..left] {
                    subtract(&mut way[0], its_way, before);
                }
                subtract(&mut self.step, &way[0], &row[0]);
                self.turns[left] = rows;
                left += 1;
            } else {
                self.turns[left] = rows;
            }
        }
        Ok(-0.5 * dot(&self.step, &self.gradient))
    }

    /// How much of a turn is in a step, as a row; whether nobody asks for the turn.
    fn turn_row(&self, model: &Model, turn: &Turn, row: &mut [Real], energy: Real) -> bool {
        let (mut force, mut fastest): (Real, Real) = (0.0, 0.0);
        row.fill(0.0);
        for v in (0..model.len()).filter(|&v| model.piece_of(v) == turn.piece) {
            let (stand, unknowns) = (&self.stands[v], model.unknowns_of(v));
            let motion = stand.components(&turn.at(&stand.place));
            let velocity = stand.moved(motion.as_slice());
            force +=
                self.gradient[unknowns.clone()].iter().zip(motion.iter()).map(|(g, m)| g * m).sum::<Real>();
            fastest = fastest.max(velocity.norm());
            row[unknowns].iter_mut().zip(&stand.space).for_each(|(r, along)| *r = along.dot(&velocity));
        }
        fastest > 0.0 && force.abs() * model.rest.mean_edge() <= ASKED_FOR * energy * fastest
    }

    /// Walks a fraction of the step from `skin`, into the trial.
    fn walk(&mut self, model: &Model, skin: &[SurfacePoint], fraction: Real) {
        let (stands, step) = (&self.stands, &self.step);
        self.trial.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, point)| {
            *point = stands[v].gone(model, &skin[v], &step[model.unknowns_of(v)], fraction);
        });
        self.place_trial(model);
    }
}

/// Shortens the step until the potential falls (Armijo's rule); the fraction, the potential and the membrane's energy.
fn search(
    model: &Model,
    skin: &[SurfacePoint],
    terms: &[VertexTerm],
    scratch: &mut Scratch,
    from: Real,
    decrease: Real,
) -> Option<(Real, Real, Real)> {
    // Below round-off of the sums the energy cannot tell better from worse.
    let noise = 1e-13 * scratch.energies.iter().map(|e| e.abs()).sum::<Real>();
    // A step farther than half around the surface is none that the quadratic model can know of.
    let mut fraction = (0.5 * model.rest.extent() / scratch.largest_step(model)).min(1.0);
    for _ in 0..14 {
        scratch.walk(model, skin, fraction);
        if let Some((potential, membrane)) = potential(model, terms, scratch)
            && potential <= from - 1e-4 * fraction * decrease + noise
        {
            return Some((fraction, potential, membrane));
        }
        fraction *= 0.5;
    }
    None
}
