//! Steps down the potential: which method each is found by, how far it is gone, and what it tells about those to come.

use super::potential::{gone, potential};
use super::{Scratch, Solved, VertexTerm};
use crate::error::{Kind, Result};
use crate::math::Real;
use crate::skin::model::{Mode, Model};
use std::time::Instant;

/// In dynamic mode a step is a small part of a motion, and what it leaves adds up from step to step.
const IN_MOTION: Real = 0.5;

/// A chord that is longer than this share of the step before it is too slow: the second derivatives have changed.
const SLOW: Real = 0.7;

/// The first so many after a Newton step of the same solve may be slower, even a little longer than the step before.
const MOST_CHORDS: usize = 6;
const LONGER: Real = 1.5;

/// What the first Newton step of a solve leaves, as far as one can tell: how much the surface bends on the way.
const FIRST_LEFT: Real = 0.3;

/// A step below this part of an edge along which the potential does not fall is round-off.
const NEAR: Real = 0.02;

/// A step below this part of the tolerance is round-off, which no search can judge.
const NOTHING: Real = 1e-3;

/// A search halves its step so many times; below that the step is none.
const MOST_HALVINGS: usize = 14;
/// Before, it shortens so many times where triangles would turn over, and then halves it seldom.
const MOST_SHORTENINGS: usize = 8;
const FEW_HALVINGS: usize = 5;

/// A fall by this part of what a strain of 1 everywhere stores is round-off: a strain of a millionth.
const ROUND_OFF: Real = 1e-12;

/// One vertex of so many may be restless: at creases of a coarse surface some go to and fro by a little without end. They
/// may go so many times as far as the others.
const RESTLESS: usize = 500;
const FARTHER: Real = 10.0;

/// A step that is to be gone.
pub(super) struct Step {
    /// Whether it is made with an old factor.
    chord: bool,
    /// In mean edges: the largest step of a vertex, the largest but for the restless few, and the root mean square.
    largest: Real,
    moved: Real,
    mean: Real,
    /// The potential's fall that it promises.
    fall: Real,
}

/// How far a step was gone.
pub(super) struct Found {
    fraction: Real,
    /// Whether it was shortened where triangles would have turned over.
    pub local: bool,
    /// The membrane's energy after it, as far as the laid skin tells.
    membrane: Real,
}

/// A step on the way to be shortened: from which potential, and by how much at most.
struct Search<'a> {
    terms: &'a [VertexTerm],
    step: &'a Step,
    from: Real,
    fraction: Real,
}

/// A solve under way.
pub(super) struct Descent {
    pub solved: Solved,
    potential: Real,
    /// How far from its place the skin may stay, in mean edges; and an energy that is nothing, in J.
    tolerance: Real,
    nothing: Real,
    /// Whether a chord may be tried.
    chord: bool,
    /// Chords since the last Newton step of this solve; many before the first.
    chords: usize,
    /// The step before, if it was a whole one: its largest and its mean way.
    before: Option<[Real; 2]>,
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
        let nothing = ROUND_OFF * model.strained_energy();
        Descent { solved, potential, tolerance, nothing, chord: true, chords: MOST_CHORDS, before: None }
    }

    /// Whether a chord will do: it costs a third of a Newton step, a fifth on large meshes. Its own length, against that of
    /// the step before, tells how well the old factor still fits.
    fn serves(&self, chord: &Step) -> bool {
        let share = self.before.map_or(0.0, |[_, mean]| chord.mean / mean);
        share < SLOW || (self.chords < MOST_CHORDS && share < LONGER)
    }

    /// How far from the answer the skin still is after a whole step: what follows goes on to grow shorter as it did.
    fn left(&self, step: &Step) -> Real {
        match self.before {
            Some([before, _]) if step.moved < before => {
                step.moved * (step.moved / (before - step.moved)).min(1.0)
            }
            None if !step.chord => FIRST_LEFT * step.moved,
            _ => step.moved,
        }
    }

    /// After a step; whether that was the last.
    pub fn advance(&mut self, step: &Step, found: &Found) -> bool {
        self.solved.energy_after = found.membrane;
        let whole = found.fraction == 1.0 && !found.local;
        self.chords = if step.chord { self.chords + 1 } else { 0 };
        let left = if whole { self.left(step) } else { step.moved };
        let farthest = if step.largest <= FARTHER * self.tolerance { 0.0 } else { step.largest };
        self.solved.residual = left.max(farthest);
        self.solved.converged = self.solved.residual <= self.tolerance;
        self.chord = whole;
        self.before = whole.then_some([step.moved, step.mean]);
        self.solved.converged
    }

    /// Another step begins at a skin with this potential and energy of the membrane.
    pub fn go_on_from(&mut self, (potential, membrane): (Real, Real)) {
        (self.potential, self.solved.energy_after) = (potential, membrane);
    }

    /// After a step along which the potential does not fall; whether nothing else can be tried.
    pub fn stay(&mut self, step: &Step) -> bool {
        (self.before, self.chord) = (None, false);
        if step.chord {
            return false;
        }
        // Along a Newton step there is a way down, but at the bottom.
        self.solved.residual = step.moved;
        let bottom = step.moved <= NEAR && step.fall <= self.nothing.max(1e-9 * self.potential.abs());
        self.solved.converged = step.moved <= self.tolerance || bottom;
        true
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
        let fall = match self.newton(model, terms, &mut descent.solved.seconds) {
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
        let settled = descent.tolerance * model.rest.mean_edge();
        self.calm(model, descent.solved.iterations, chord, settled);
        let edge = model.rest.mean_edge();
        let mut step = Step { chord, largest: 0.0, moved: 0.0, mean: 0.0, fall };
        for v in 0..model.len() {
            let length = self.length_of_step(model, v) / edge;
            self.lengths[v] = length;
            step.mean += length * length;
            if length > step.largest {
                (step.largest, descent.solved.farthest) = (length, v);
            }
        }
        step.mean = (step.mean / model.len() as Real).sqrt();
        let restless = model.len() / RESTLESS;
        let (_, moved, _) = self.lengths.select_nth_unstable_by(restless, |a, b| b.total_cmp(a));
        step.moved = *moved;
        descent.solved.seconds[1] += clock.elapsed().as_secs_f64();
        Ok(step)
    }

    /// How far a vertex goes in the whole step.
    pub(super) fn length_of_step(&self, model: &Model, vertex: usize) -> Real {
        self.stands[vertex].moved(&self.step[model.unknowns_of(vertex)]).norm()
    }

    /// Shortens the step until the potential falls (Armijo's rule); first only where triangles would turn over, for those
    /// must not keep all the rest from going.
    pub(super) fn search(
        &mut self,
        model: &Model,
        terms: &[VertexTerm],
        step: &Step,
        descent: &mut Descent,
    ) -> Option<Found> {
        descent.solved.iterations += 1;
        let clock = Instant::now();
        // Below round-off of the sums the energy cannot tell better from worse.
        let noise = 1e-13 * self.energies.iter().map(|e| e.abs()).sum::<Real>();
        let from = descent.potential + self.disobedience_before() + noise;
        // A step farther than half around the surface is none that the quadratic model can know of.
        let fraction = (0.5 * model.rest.extent() / (step.largest * model.rest.mean_edge())).min(1.0);
        let search = Search { terms, step, from, fraction };
        // Rows tie vertices together, and a step that obeys them can only be shortened as a whole.
        let mut found = None;
        if model.rows().is_empty() {
            found = self.shorten(model, &search, MOST_SHORTENINGS);
        }
        // Shortened here and there the step may lead up; as a whole it leads down.
        let found = found.or_else(|| self.shorten(model, &search, 0));
        descent.solved.seconds[2] += clock.elapsed().as_secs_f64();
        found
    }

    /// Shortens a step until the potential falls: where triangles would turn over, so many times, and else as a whole.
    fn shorten(&mut self, model: &Model, search: &Search, mut shortenings: usize) -> Option<Found> {
        let mut fraction = search.fraction;
        let mut halvings = if shortenings > 0 { FEW_HALVINGS } else { MOST_HALVINGS };
        self.shares.fill(1.0);
        while halvings > 0 {
            self.try_step(model, fraction);
            let wanted = 1e-4 * fraction * search.step.fall * self.share_of_fall(model);
            if let Some((potential, membrane)) = potential(model, search.terms, self)
                && potential + self.disobedience(model) <= search.from - wanted
            {
                let local = self.shares.iter().any(|share| *share < 1.0);
                return Some(Found { fraction, local, membrane });
            }
            if shortenings > 0 && self.shorten_where_turned(model) {
                shortenings -= 1;
            } else {
                halvings -= 1;
                fraction *= 0.5;
            }
        }
        None
    }

    /// Shortens the step of the trial at the corners of triangles that it would turn over; whether there are any.
    fn shorten_where_turned(&mut self, model: &Model) -> bool {
        let mut any = false;
        for (e, laid) in self.laid.iter().enumerate().filter(|(e, _)| self.energies[*e].is_nan()) {
            any = true;
            let corners = model.rest.mesh().triangles[model.active()[e] as usize].map(|v| v as usize);
            let room = laid.room(corners.map(|v| gone(model, v, &self.trial_way)));
            corners.iter().for_each(|&v| self.room[v] = self.room[v].min(room));
        }
        if any {
            for (share, room) in self.shares.iter_mut().zip(&mut self.room) {
                *share *= std::mem::replace(room, 1.0);
            }
        }
        any
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

    /// Goes a fraction of the step, into the trial.
    fn try_step(&mut self, model: &Model, fraction: Real) {
        for v in 0..model.len() {
            let share = fraction * self.shares[v];
            for k in model.unknowns_of(v) {
                self.trial_way[k] = share * self.step[k];
            }
        }
    }
}
