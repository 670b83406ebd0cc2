//! A search under way: how far it is, which steps may be tried, and what they tell about those to come.

use super::{Goal, Newton, Outcome, Potential};
use crate::error::Result;
use crate::math::Real;
use std::time::Instant;

/// A chord that is longer than this share of the step before it is too slow: the second derivatives have changed.
const SLOW: Real = 0.7;

/// The first so many after a tangent of the same search may be slower, even a little longer than the step before.
const MOST_CHORDS: usize = 6;
const LONGER: Real = 1.5;

/// What the first tangent of a search leaves, as far as one can tell: how much the slope changes on the way.
const FIRST_LEFT: Real = 0.3;

/// A step of less than so many units along which the value does not fall is round-off.
const NEAR: Real = 0.02;

/// A step below this part of the tolerance is round-off, which no search can judge.
const NOTHING: Real = 1e-3;

/// One node of so many may be restless: where the second derivatives jump, some go to and fro by a little without end. They
/// may go so many times as far as the others.
const RESTLESS: usize = 500;
const FARTHER: Real = 10.0;

/// A step that is to be gone.
pub(super) struct Step {
    /// Whether it is made with an old factor.
    chord: bool,
    /// In units: the largest step of a node, the largest but for the restless few, and the root mean square.
    pub largest: Real,
    moved: Real,
    mean: Real,
    /// The fall of the value that it promises.
    pub fall: Real,
}

/// How far a step was gone.
pub(super) struct Found {
    pub fraction: Real,
    /// Whether it was shortened at some nodes alone.
    pub local: bool,
}

/// A search under way.
pub(super) struct Descent {
    pub outcome: Outcome,
    pub goal: Goal,
    /// At the origin.
    pub value: Real,
    /// Whether a chord may be tried.
    pub chord: bool,
    /// Chords since the last tangent of this search; many before the first.
    chords: usize,
    /// The step before, if it was a whole one: its largest and its mean length.
    pub before: Option<[Real; 2]>,
}

impl Descent {
    /// From a value on.
    pub fn new(goal: Goal, value: Real) -> Self {
        Descent { outcome: Outcome::default(), goal, value, chord: true, chords: MOST_CHORDS, before: None }
    }

    /// Whether a chord will do: it costs a third of a tangent, or less. Its own length, against that of the step before,
    /// tells how well the old factor still fits.
    pub fn serves(&self, chord: &Step) -> bool {
        let share = self.before.map_or(0.0, |[_, mean]| chord.mean / mean);
        share < SLOW || (self.chords < MOST_CHORDS && share < LONGER)
    }

    /// How far from the answer one still is after a whole step: what follows goes on to grow shorter as it did.
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
        let whole = found.fraction == 1.0 && !found.local;
        self.chords = if step.chord { self.chords + 1 } else { 0 };
        let left = if whole { self.left(step) } else { step.moved };
        let tolerance = self.goal.tolerance;
        let farthest = if step.largest <= FARTHER * tolerance { 0.0 } else { step.largest };
        self.outcome.residual = left.max(farthest);
        self.outcome.converged = self.outcome.residual <= tolerance;
        self.chord = whole;
        self.before = whole.then_some([step.moved, step.mean]);
        self.outcome.converged
    }

    /// After a step along which the value does not fall; whether nothing else can be tried.
    pub fn stay(&mut self, step: &Step) -> bool {
        (self.before, self.chord) = (None, false);
        if step.chord {
            return false;
        }
        // Along a tangent there is a way down, but at the bottom.
        self.outcome.residual = step.moved;
        let bottom = step.moved <= NEAR && step.fall <= self.goal.nothing.max(1e-9 * self.value.abs());
        self.outcome.converged = step.moved <= self.goal.tolerance || bottom;
        true
    }

    /// Whether a step is none.
    pub fn is_there(&mut self, step: &Step) -> bool {
        let there = step.moved <= NOTHING * self.goal.tolerance;
        if there {
            (self.outcome.residual, self.outcome.converged) = (step.moved, true);
        }
        there
    }
}

impl Newton {
    /// The step, made to obey the rows, calmed and measured.
    pub(super) fn obeying<P: Potential>(
        &mut self,
        potential: &mut P,
        chord: bool,
        fall: Real,
        descent: &mut Descent,
    ) -> Result<Step> {
        let clock = Instant::now();
        let unit = descent.goal.unit;
        let fall = self.constrain(potential, unit, fall)?;
        descent.outcome.unmet = self.rows.unmet;
        potential.calm(&mut self.step, descent.outcome.steps, chord, descent.goal.tolerance * unit);
        let mut step = Step { chord, largest: 0.0, moved: 0.0, mean: 0.0, fall };
        for (node, kept) in self.lengths.iter_mut().enumerate() {
            let length = potential.length(node, &self.step[potential.unknowns_of(node)]) / unit;
            *kept = length;
            step.mean += length * length;
            if length > step.largest {
                (step.largest, descent.outcome.farthest) = (length, node);
            }
        }
        let nodes = self.lengths.len();
        step.mean = (step.mean / nodes as Real).sqrt();
        let (_, moved, _) = self.lengths.select_nth_unstable_by(nodes / RESTLESS, |a, b| b.total_cmp(a));
        step.moved = *moved;
        descent.outcome.seconds[1] += clock.elapsed().as_secs_f64();
        Ok(step)
    }
}
