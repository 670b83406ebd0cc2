//! Steps down the potential: which method each is found by, how far it is gone, and what it tells about those to come.

use super::potential::potential;
use super::{Scratch, Solved, VertexTerm};
use crate::error::{Kind, Result};
use crate::geometry::SurfacePoint;
use crate::math::Real;
use crate::skin::model::{Mode, Model};
use rayon::prelude::*;
use std::time::Instant;

/// In dynamic mode a step is a small part of a motion, and what it leaves adds up from step to step.
const IN_MOTION: Real = 0.1;

/// Chords that leave more than this share of the step before are too slow.
const MOST_LEFT: Real = 0.3;
/// So are those after which more than this number of others would have to follow.
const MOST_MORE: i32 = 2;

/// Where Newton's method leaves more than this share, a chord has to leave less than its root.
const SLOW: Real = 0.5;

/// A step below this part of an edge is near enough to the answer to try the true second derivatives again, which square
/// the error per step.
const NEAR: Real = 0.02;

/// A step below this part of the tolerance is round-off, which no search can judge.
const NOTHING: Real = 1e-3;

/// A search halves its step so many times; below that the step is none.
const MOST_HALVINGS: usize = 14;
/// Before, it shortens so many times where triangles would turn over, each time to this part, and then halves it seldom.
const MOST_SHORTENINGS: usize = 8;
const SHORTENED: Real = 0.25;
const FEW_HALVINGS: usize = 5;

/// After so many steps what moves at this part of the vertices is no motion of the skin but goes to and fro.
const PATIENCE: usize = 4;
const MOST_STUCK: Real = 2e-3;

/// A step shortened below this fraction because triangles would turn over is worth holding these.
const HELD_BACK: Real = 0.1;

/// A step that is to be gone.
pub(super) struct Step {
    /// Whether it is made with an old factor.
    chord: bool,
    /// The largest step of a vertex, in metres and in mean edges.
    largest: Real,
    moved: Real,
    /// The potential's fall that it promises.
    fall: Real,
}

/// How far a step was gone, and the potential there with the membrane's part of it.
pub(super) struct Found {
    fraction: Real,
    potential: Real,
    membrane: Real,
    /// The farthest way of a vertex, in mean edges.
    moved: Real,
}

/// A step on the way to be shortened: from which skin and potential, and by how much at most.
struct Search<'a> {
    skin: &'a [SurfacePoint],
    terms: &'a [VertexTerm],
    step: &'a Step,
    from: Real,
    fraction: Real,
}

/// A solve under way.
pub(super) struct Descent {
    pub solved: Solved,
    potential: Real,
    tolerance: Real,
    /// Whether a chord may be tried.
    chord: bool,
    /// Whether the second derivatives are to be those that fall in no direction.
    convex: bool,
    /// The step before, in mean edges.
    before: Option<Real>,
    /// Whether it was a whole Newton step.
    after_newton: bool,
    /// The share of the step before that the last Newton step after another was.
    newton: Option<Real>,
    /// Whether the step before was much shortened because triangles would turn over.
    hindered: bool,
    /// Whether vertices were held since the last step.
    holding: bool,
}

impl Descent {
    /// From a start that took some seconds to find.
    pub fn new(model: &Model, (potential, membrane): (Real, Real), seconds: Real) -> Self {
        // How far from its place the skin may stay, in mean edges.
        let settled = model.settings.tolerance * model.rest.extent() / model.rest.mean_edge();
        let tolerance = match model.settings.mode {
            Mode::Quasistatic => settled,
            Mode::Dynamic => settled * IN_MOTION,
        };
        let mut solved = Solved { energy_before: membrane, energy_after: membrane, ..Solved::default() };
        solved.seconds[2] = seconds;
        Descent {
            solved,
            potential,
            tolerance,
            chord: true,
            convex: false,
            before: None,
            after_newton: false,
            newton: None,
            hindered: false,
            holding: false,
        }
    }

    /// Whether a chord will do: it costs a third of a Newton step, a fifth on large meshes. Its own length, against that of
    /// the step before, tells how well the old factor still fits.
    fn serves(&self, chord: &Step) -> bool {
        let Some(before) = self.before else { return true };
        let share = chord.moved / before;
        let soon = share < MOST_LEFT && self.left(chord) * share.powi(MOST_MORE) <= self.tolerance;
        // Over ridges, where second derivatives jump, and near saddles Newton's method is no quick one either.
        soon || self.newton.is_some_and(|newton| share * share < newton.min(SLOW))
    }

    /// How far from the answer the skin still is after a whole step, by the laws of both methods: a Newton step leaves
    /// about its own square, a chord its own share of the step before it.
    fn left(&self, step: &Step) -> Real {
        let moved = step.moved;
        match (step.chord, self.before) {
            (false, None) => moved * moved,
            (false, Some(before)) => moved * moved * (moved / (before * before)).max(1.0),
            // Nothing tells yet how well the old factor fits.
            (true, None) => moved,
            (true, Some(before)) if moved < before => moved * moved / (before - moved),
            (true, Some(_)) => moved,
        }
    }

    /// After a step; whether that was the last.
    pub fn advance(&mut self, step: &Step, found: &Found) -> bool {
        (self.potential, self.solved.energy_after) = (found.potential, found.membrane);
        let whole = found.fraction == 1.0;
        // Where triangles would have turned over, the step was shortened there alone.
        let local = whole && found.moved < step.moved;
        self.solved.residual = match whole {
            true if local => found.moved,
            true => self.left(step),
            false => step.moved,
        };
        self.solved.converged = self.solved.residual <= self.tolerance;
        if !step.chord {
            self.newton =
                self.before.filter(|_| whole && self.after_newton).map(|before| step.moved / before);
        }
        (self.chord, self.after_newton) = (whole && !local, whole && !local && !step.chord);
        // Where the true second derivatives fall in some direction, they mostly do so again in the next step.
        self.convex = (self.convex && step.moved > NEAR) || found.fraction < 0.25;
        self.before = Some(step.moved);
        self.solved.converged
    }

    /// After a step along which the potential does not fall; whether nothing else can be tried.
    pub fn stay(&mut self, step: &Step) -> bool {
        (self.before, self.newton, self.after_newton) = (None, None, false);
        self.chord = false;
        if step.chord {
            return false;
        }
        // No way down along the plain Newton direction: with the convex one there is, but at the bottom.
        self.solved.residual = step.moved * step.moved;
        let there = self.solved.residual <= self.tolerance;
        let bottom = self.convex && step.moved <= NEAR && step.fall <= 1e-9 * self.potential.abs();
        self.solved.converged = there || bottom;
        let last = there || (self.convex && !self.holding);
        self.convex = true;
        last
    }

    /// Whether a step is none.
    fn is_there(&mut self, step: &Step) -> bool {
        let there = step.moved <= NOTHING * self.tolerance;
        if there {
            (self.solved.residual, self.solved.converged) = (step.moved, true);
        }
        there
    }
}

impl Scratch {
    /// A step by a chord where that serves, by Newton's method elsewhere. `None` when there is none: the skin is there, or
    /// the equations are singular whatever is added to them.
    pub(super) fn way_down(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        descent: &mut Descent,
    ) -> Result<Option<Step>> {
        let seconds = &mut descent.solved.seconds;
        if descent.chord
            && let Some(fall) = self.chord(model, terms, descent.before.is_some(), seconds)?
        {
            let chord = self.obeying(model, true, fall, descent)?;
            if descent.is_there(&chord) {
                return Ok(None);
            }
            if descent.serves(&chord) {
                return Ok(Some(chord));
            }
        }
        let fall = match self.newton(model, skin, terms, &mut descent.convex, &mut descent.solved.seconds) {
            Ok(fall) => fall,
            Err(error) if error.kind() == Kind::NoConvergence => return Ok(None),
            Err(error) => return Err(error),
        };
        let step = self.obeying(model, false, fall, descent)?;
        Ok((!descent.is_there(&step)).then_some(step))
    }

    /// The step, made to obey the rows.
    fn obeying(&mut self, model: &Model, chord: bool, fall: Real, descent: &mut Descent) -> Result<Step> {
        let clock = Instant::now();
        let fall = self.constrain(model, descent.solved.energy_after, fall)?;
        descent.solved.unmet = self.rows.unmet;
        for v in (0..model.len()).filter(|&v| self.held[v]) {
            self.step[model.unknowns_of(v)].fill(0.0);
        }
        if !chord && descent.solved.iterations >= PATIENCE {
            self.stick(model, descent.tolerance * model.rest.mean_edge());
        }
        let (largest, farthest) = (0..model.len()).fold((0.0, 0), |most: (Real, usize), v| {
            let length = self.length_of_step(model, v);
            if length > most.0 { (length, v) } else { most }
        });
        descent.solved.farthest = farthest;
        descent.solved.seconds[1] += clock.elapsed().as_secs_f64();
        Ok(Step { chord, largest, moved: largest / model.rest.mean_edge(), fall })
    }

    /// How far a vertex goes in the whole step.
    fn length_of_step(&self, model: &Model, vertex: usize) -> Real {
        self.stands[vertex].moved(&self.step[model.unknowns_of(vertex)]).norm()
    }

    /// Where all but a few vertices have settled, those few stay for the rest of the solve. They go to and fro over a crease
    /// of the surface at rest, where the derivatives jump, and no step is short enough for Newton's method there.
    fn stick(&mut self, model: &Model, longest: Real) {
        let few = (model.len() as Real * MOST_STUCK) as usize;
        let restless = |v: &usize| self.length_of_step(model, *v) > longest;
        let stuck: Vec<usize> = (0..model.len()).filter(restless).take(few + 1).collect();
        if stuck.len() <= few {
            for v in stuck {
                self.held[v] = true;
                self.step[model.unknowns_of(v)].fill(0.0);
            }
        }
    }

    /// Shortens the step until the potential falls (Armijo's rule); first only where triangles would turn over, for those
    /// must not keep all the rest from going.
    pub(super) fn search(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        step: &Step,
        descent: &mut Descent,
    ) -> Option<Found> {
        descent.solved.iterations += 1;
        let clock = Instant::now();
        // Below round-off of the sums the energy cannot tell better from worse.
        let noise = 1e-13 * self.trial.energies.iter().map(|e| e.abs()).sum::<Real>();
        let from = descent.potential + self.disobedience_before() + noise;
        // A step farther than half around the surface is none that the quadratic model can know of.
        let fraction = (0.5 * model.rest.extent() / step.largest).min(1.0);
        let search = Search { skin, terms, step, from, fraction };
        // Rows tie vertices together, and a step that obeys them can only be shortened as a whole.
        let mut found = None;
        if model.rows().is_empty() {
            found = self.shorten(model, &search, MOST_SHORTENINGS);
        }
        // Shortened here and there the step may lead up; as a whole it leads down.
        let found = found.or_else(|| self.shorten(model, &search, 0));
        self.hold(model, found.as_ref(), descent);
        descent.solved.seconds[2] += clock.elapsed().as_secs_f64();
        found
    }

    /// Shortens a step until the potential falls: where triangles would turn over, so many times, and else as a whole.
    fn shorten(&mut self, model: &Model, search: &Search, mut shortenings: usize) -> Option<Found> {
        let mut fraction = search.fraction;
        let mut halvings = if shortenings > 0 { FEW_HALVINGS } else { MOST_HALVINGS };
        self.shares.fill(1.0);
        self.turned.clear();
        while halvings > 0 {
            self.walk(model, search.skin, fraction);
            let wanted = 1e-4 * fraction * search.step.fall * self.share_of_fall(model);
            if let Some((potential, membrane)) = potential(model, search.terms, self)
                && potential + self.disobedience(model) <= search.from - wanted
            {
                let moved = self.farthest_moved(model, fraction) / model.rest.mean_edge();
                return Some(Found { fraction, potential, membrane, moved });
            }
            self.turned.clear();
            let turned = (0..model.active().len()).filter(|&k| self.trial.energies[k].is_nan());
            self.turned.extend(turned.map(|k| model.active()[k]));
            if shortenings > 0 && !self.turned.is_empty() {
                shortenings -= 1;
                let corners = self.turned.iter().flat_map(|&t| model.rest.mesh().triangles[t as usize]);
                corners.for_each(|v| self.shares[v as usize] *= SHORTENED);
            } else {
                halvings -= 1;
                fraction *= 0.5;
            }
        }
        None
    }

    /// Which share of its fall is left to the step where it is shortened at some vertices.
    fn share_of_fall(&self, model: &Model) -> Real {
        let (mut all, mut left) = (0.0, 0.0);
        for v in 0..model.len() {
            let along: Real = model.unknowns_of(v).map(|k| -self.step[k] * self.gradient[k]).sum();
            all += along;
            left += self.shares[v] * along;
        }
        if all > 0.0 { (left / all).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// The farthest way of a vertex in the step as it is shortened.
    fn farthest_moved(&self, model: &Model, fraction: Real) -> Real {
        let way = |v: usize| fraction * self.shares[v] * self.length_of_step(model, v);
        (0..model.len()).map(way).fold(0.0, Real::max)
    }

    /// When triangles that would turn over let the skin hardly move, their vertices stay from now on, and the others can go.
    fn hold(&mut self, model: &Model, found: Option<&Found>, descent: &mut Descent) {
        let hindered = !self.turned.is_empty() && found.is_none_or(|found| found.fraction < HELD_BACK);
        descent.holding = hindered && (descent.hindered || found.is_none());
        descent.hindered = hindered;
        if descent.holding {
            let corners = self.turned.iter().flat_map(|&t| model.rest.mesh().triangles[t as usize]);
            corners.for_each(|v| self.held[v as usize] = true);
        }
    }

    /// Walks a fraction of the step from `skin`, into the trial.
    pub(super) fn walk(&mut self, model: &Model, skin: &[SurfacePoint], fraction: Real) {
        let (stands, step, shares) = (&self.stands, &self.step, &self.shares);
        self.trial.skin.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, point)| {
            *point = stands[v].gone(model, &skin[v], &step[model.unknowns_of(v)], fraction * shares[v]);
        });
        self.stand_trial(model);
    }
}
