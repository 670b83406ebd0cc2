//! The state of a search: progress, which steps may be tried, and what they predict about the next ones.

use super::{Goal, Newton, Outcome, Potential, Work};
use sinew_base::error::Result;
use sinew_math::Real;
use std::time::Instant;

/// A chord longer than this fraction of the previous step converges too slowly: the second derivatives have changed.
const SLOW: Real = 0.7;

/// The first few after a tangent of the same search may be slower, even slightly longer than the previous step.
const MOST_CHORDS: usize = 6;
const LONGER: Real = 1.5;

/// Estimate of what the first tangent of a search leaves: how much the slope changes along the step.
const FIRST_LEFT: Real = 0.3;

/// A step shorter than this many units along which the value does not fall is round-off.
const NEAR: Real = 0.02;

/// A step below this fraction of the tolerance is round-off, which no search can judge.
const NOTHING: Real = 1e-3;

/// One node in this many may be restless: where the second derivatives jump, some oscillate slightly without end. They
/// may move this many times as far as the others.
const RESTLESS: usize = 500;
const FARTHER: Real = 10.0;

/// Where nothing has changed, one node in this many may be restless without any of them moving.
const FEW: usize = 200;

/// A step to be taken.
pub(super) struct Step {
    /// Whether it was computed with an old factor.
    chord: bool,
    /// In units: the largest step of a node, the largest except for the restless few, and the root mean square.
    pub largest: Real,
    moved: Real,
    mean: Real,
    /// Whether all but few nodes are at rest.
    rests: bool,
    /// The predicted decrease of the value.
    pub fall: Real,
}

/// The fraction of a step that was taken.
pub(super) struct Found {
    pub fraction: Real,
    /// Whether only some nodes were shortened.
    pub local: bool,
}

/// The state of a search.
pub(super) struct Descent {
    pub outcome: Outcome,
    pub goal: Goal,
    /// At the origin.
    pub value: Real,
    /// Whether a chord may be tried.
    pub chord: bool,
    /// How many tangents there were.
    pub tangents: usize,
    /// Chords since the last tangent of this search; a large number before the first.
    chords: usize,
    /// The largest and mean lengths of the previous step, if it was taken in full.
    pub before: Option<[Real; 2]>,
}

impl Descent {
    /// Starts at a value.
    pub fn new(goal: Goal, value: Real) -> Self {
        Descent {
            outcome: Outcome::default(),
            goal,
            value,
            chord: true,
            tangents: 0,
            chords: MOST_CHORDS,
            before: None,
        }
    }

    /// Whether a chord is good enough: it costs a third of a tangent, or less. Its length relative to the previous step
    /// shows how well the old factor still fits.
    pub fn serves(&self, chord: &Step) -> bool {
        let share = self.before.map_or(0.0, |[_, mean]| chord.mean / mean);
        share < SLOW || (self.chords < MOST_CHORDS && share < LONGER)
    }

    /// Estimated distance to the answer after a full step, assuming that steps keep shrinking at the same rate.
    fn left(&self, step: &Step) -> Real {
        match self.before {
            Some([before, _]) if step.moved < before => {
                step.moved * (step.moved / (before - step.moved)).min(1.0)
            }
            None if !step.chord => FIRST_LEFT * step.moved,
            _ => step.moved,
        }
    }

    /// Updates after a step; returns whether that was the last.
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

    /// Updates after a step that led astray: what it was like says nothing about the next one.
    pub fn stumble(&mut self) {
        (self.before, self.chord) = (None, false);
    }

    /// Updates after a step along which the value does not fall; returns whether nothing else can be tried.
    pub fn stay(&mut self, step: &Step) -> bool {
        (self.before, self.chord) = (None, false);
        if step.chord {
            return false;
        }
        // Along a tangent there is a way down, except at the minimum.
        self.outcome.residual = step.moved;
        let bottom = step.moved <= NEAR && step.fall <= self.goal.nothing.max(1e-9 * self.value.abs());
        self.outcome.converged = step.moved <= self.goal.tolerance || bottom;
        true
    }

    /// Whether a step is negligible, or the first one of a search after which nothing has changed.
    pub fn is_there(&mut self, step: &Step) -> bool {
        let stays = self.goal.still && self.outcome.steps == 0 && step.rests;
        let there = stays || step.moved <= NOTHING * self.goal.tolerance;
        if there {
            (self.outcome.residual, self.outcome.converged) = (step.moved, true);
        }
        there
    }
}

impl Newton {
    /// The step, corrected for the rows, calmed and measured.
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
        self.calm(potential, chord, descent);
        let mut step = Step { chord, largest: 0.0, moved: 0.0, mean: 0.0, rests: false, fall };
        let (mut restless, tolerance) = (0, descent.goal.tolerance);
        for (node, kept) in self.lengths.iter_mut().enumerate() {
            let length = potential.length(node, &self.step[potential.unknowns_of(node)]) / unit;
            *kept = length;
            step.mean += length * length;
            restless += usize::from(length > tolerance);
            if length > step.largest {
                (step.largest, descent.outcome.farthest) = (length, node);
            }
        }
        let nodes = self.lengths.len();
        step.rests = restless <= nodes / FEW;
        step.mean = (step.mean / nodes as Real).sqrt();
        let (_, moved, _) = self.lengths.select_nth_unstable_by(nodes / RESTLESS, |a, b| b.total_cmp(a));
        step.moved = *moved;
        descent.outcome.seconds[Work::Solving as usize] += clock.elapsed().as_secs_f64();
        Ok(step)
    }

    /// Calms the step, unless it would lead up then: in a potential that is very stiff in some directions, its nodes
    /// may have to move together.
    fn calm<P: Potential>(&mut self, potential: &mut P, chord: bool, descent: &Descent) {
        let gradient = &self.gradient;
        let slope = |step: &[Real]| step.iter().zip(gradient).map(|(s, g)| s * g).sum::<Real>();
        let led_down = slope(&self.step) < 0.0;
        self.way.copy_from_slice(&self.step);
        let settled = descent.goal.tolerance * descent.goal.unit;
        potential.calm(&mut self.step, descent.outcome.steps, chord, settled);
        if led_down && slope(&self.step) >= 0.0 {
            self.step.copy_from_slice(&self.way);
        }
    }
}
