//! Newton's method for minimising a potential, with a line search and a reused factor.
//!
//! The second derivatives are made positive semidefinite, so that each step is a descent direction; the step is
//! shortened until the value falls (Armijo's rule). From step to step, and from one minimum to the next, the second
//! derivatives change little: a step with an old factor, a chord, costs a fraction of one with a new factor, and
//! secants learn from such steps how the factor has changed (`secants`). Constraints on steps enter by the Schur
//! complement (`rows`).
//!
//! The objective is a [`Potential`]. Its unknowns need not be coordinates: they are displacements from the current
//! state, which may live on a surface or consist of rotations. Displacements are changes of all unknowns from the
//! origin, which moves along: each step ends in a new one.
//!
//! # Sources
//! - Nocedal, Wright, "Numerical optimization", 2006: line search and chords, chapters 3, 6 and 7; rows, chapter 18.

mod descent;
mod factor;
mod rows;
mod search;
mod secants;
#[cfg(test)]
mod tests;

pub use factor::Factor;
pub use rows::Rows;

use descent::{Descent, Step};
use sinew_base::control::Control;
use sinew_base::error::{Kind, Result};
use sinew_linalg::assembly::Assembly;
use sinew_linalg::order::Order;
use sinew_math::Real;
use std::ops::Range;
use std::time::Instant;

/// The function to minimise. Its unknowns belong to nodes: those of one node are measured and shortened together.
pub trait Potential {
    /// The unknowns of a node; together, all unknowns.
    fn unknowns_of(&self, node: usize) -> Range<usize>;
    /// The length of a change of a node's unknowns.
    fn length(&self, node: usize, change: &[Real]) -> Real;
    /// The value after a displacement from the origin; `None` where it is undefined.
    fn value(&mut self, way: &[Real]) -> Option<Real>;
    /// The sum of the absolute terms of the last value, which gives its round-off.
    fn magnitude(&self) -> Real;
    /// The gradient at the origin, whose value was computed last, with blocked directions removed. Returns whether the
    /// same ones were removed the time before.
    fn gradient(&mut self, gradient: &mut [Real]) -> bool;
    /// Fills the second derivatives at the origin, made positive semidefinite, with `shift` added to the
    /// diagonal, and so stiff in the directions that the last gradient blocked that nothing moves there.
    fn curvature(&mut self, shift: Real, matrix: &mut Assembly) -> Result<()>;
    /// Moves by a displacement; returns whether anything moved less far. If the unknowns at the new state cannot mean
    /// what they mean in the factor, the factor must be discarded.
    fn go(&mut self, way: &[Real], factor: &mut Factor) -> bool;
    /// Makes the current state the origin.
    fn rebase(&mut self);
    /// Undoes the last displacement and makes the state before it the origin; returns whether that is possible.
    fn back(&mut self, factor: &mut Factor) -> bool {
        let _ = factor;
        false
    }

    /// Changes a step where nodes oscillate. `count` steps were made before it, and a `chord` uses an old factor; nodes
    /// that move less than `settled` are at rest.
    fn calm(&mut self, step: &mut [Real], count: usize, chord: bool, settled: Real) {
        let _ = (step, count, chord, settled);
    }
    /// Lowers the fraction of the last displacement that each node may move, so that the value is defined; returns
    /// whether it did for any. By default steps are shortened as a whole.
    fn room(&mut self, way: &[Real], shares: &mut [Real]) -> bool {
        let _ = (way, shares);
        false
    }
    /// Adds the rows that the next step must satisfy: first the constraints, then the others.
    fn rows(&mut self, gradient: &[Real], rows: &mut Rows) {
        let _ = (gradient, rows);
    }
    /// The violation of a constraint after a displacement.
    fn violation(&self, constraint: usize, way: &[Real]) -> Real {
        let _ = (constraint, way);
        0.0
    }
}

/// Convergence criteria and limits.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The label for progress reports.
    pub task: &'static str,
    /// The unit of length, such as the mean distance of neighbours.
    pub unit: Real,
    /// The tolerated distance of a node from its minimum, in units.
    pub tolerance: Real,
    /// A difference of values that counts as round-off.
    pub nothing: Real,
    /// The maximum length of a node's step: the second derivatives say nothing about what lies beyond.
    pub farthest: Real,
    /// The maximum number of steps.
    pub max_steps: usize,
    /// Whether nothing has changed since the last search, which ended at the origin. Nodes that oscillate slightly
    /// without end would go on with that from search to search: if all but few are at rest, all of them stay.
    pub still: bool,
}

/// After this many tangents of one search their factors have double precision: usually it needs one or two.
const MOST_SINGLE: usize = 4;

/// At the end of a step the value may have risen by this fraction of its absolute terms, or by as much as it should
/// have fallen: less is due to how a step is described, more means that it led astray.
const SURPLUS: Real = 1.0;
/// A step that leads astray is shortened by this factor, at most that many times.
const RETURN: Real = 0.25;
const MOST_RETURNS: usize = 8;

/// The result of a search for a minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The number of steps.
    pub steps: usize,
    /// The estimated remaining distance of the nodes from the answer, in units, judging by the last steps.
    pub residual: Real,
    /// The node that would move farthest in the next step.
    pub farthest: usize,
    /// Whether the tolerance was reached.
    pub converged: bool,
    /// A constraint that contradicts earlier ones.
    pub unmet: Option<usize>,
    /// Seconds in each [`Work`].
    pub seconds: [Real; 3],
}

/// What a solve spends its time on, as places in [`Outcome::seconds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Derivatives and their assembly.
    Derivatives,
    /// Factorisation and solve.
    Solving,
    /// The line search, and moving there.
    Searching,
}

/// Newton's method: reused memory, and the kept factor.
pub struct Newton {
    factor: Factor,
    /// By the unknowns of this step and of the previous one.
    gradient: Vec<Real>,
    gradient_before: Vec<Real>,
    step: Vec<Real>,
    /// The trial displacement, and none.
    way: Vec<Real>,
    nowhere: Vec<Real>,
    rows: Rows,
    /// The length of each node's step, in units.
    lengths: Vec<Real>,
    /// The fraction of the step that each node takes, and the next factor on it.
    shares: Vec<Real>,
    room: Vec<Real>,
}

impl Newton {
    /// For second derivatives with the pattern of `assembly`, that many nodes, and limits on constraints and other
    /// rows.
    pub fn new(assembly: Assembly, order: &Order, nodes: usize, rows: [usize; 2]) -> Result<Self> {
        let n = assembly.matrix().rows();
        Ok(Newton {
            factor: Factor::new(assembly, order, rows[0] + rows[1])?,
            gradient: vec![0.0; n],
            gradient_before: vec![0.0; n],
            step: vec![0.0; n],
            way: vec![0.0; n],
            nowhere: vec![0.0; n],
            rows: Rows::new(n, rows),
            lengths: vec![0.0; nodes],
            shares: vec![1.0; nodes],
            room: vec![1.0; nodes],
        })
    }

    /// The current factor.
    pub fn factor(&mut self) -> &mut Factor {
        &mut self.factor
    }

    /// The last step.
    pub fn step(&self) -> &[Real] {
        &self.step
    }

    /// Moves to a minimum from the origin, whose value was computed last and is `value`. The first steps use the
    /// current factor, if there is one, and the last factor is kept.
    pub fn minimise<P: Potential>(
        &mut self,
        potential: &mut P,
        value: Real,
        goal: &Goal,
        control: &Control,
    ) -> Result<Outcome> {
        self.rows.begin();
        self.factor.insist(false);
        let mut descent = Descent::new(*goal, value);
        while descent.outcome.steps < goal.max_steps {
            // The number of steps is unknown; most searches need a few.
            let steps = descent.outcome.steps as f64;
            control.progress(steps / (steps + 3.0), goal.task)?;
            let Some(step) = self.way_down(potential, &mut descent)? else { break };
            control.check()?;
            let Some(mut found) = self.search(potential, &step, &mut descent) else {
                self.way.fill(0.0);
                potential.value(&self.way);
                if descent.stay(&step) && (descent.outcome.converged || !self.factor.insist(true)) {
                    break;
                }
                continue;
            };
            control.check()?;
            let clock = Instant::now();
            found.local |= potential.go(&self.way, &mut self.factor);
            descent.outcome.seconds[Work::Searching as usize] += clock.elapsed().as_secs_f64();
            if descent.advance(&step, &found) {
                break;
            }
            let Some(value) = self.arrive(potential, &step, &mut descent) else { break };
            descent.value = value;
        }
        Ok(descent.outcome)
    }

    /// Makes the end of a step the origin; returns the value there. Where unknowns are not coordinates, it may be far
    /// larger than along the way: then a part of the step is taken instead.
    fn arrive<P: Potential>(
        &mut self,
        potential: &mut P,
        step: &Step,
        descent: &mut Descent,
    ) -> Option<Real> {
        let clock = Instant::now();
        let most = descent.value + step.fall.max(SURPLUS * potential.magnitude());
        potential.rebase();
        let mut value = potential.value(&self.nowhere);
        for _ in 0..MOST_RETURNS {
            if value.is_some_and(|value| value <= most) || !potential.back(&mut self.factor) {
                break;
            }
            descent.stumble();
            self.way.iter_mut().for_each(|way| *way *= RETURN);
            potential.go(&self.way, &mut self.factor);
            potential.rebase();
            value = potential.value(&self.nowhere);
        }
        descent.outcome.seconds[Work::Derivatives as usize] += clock.elapsed().as_secs_f64();
        value
    }

    /// A step by a chord where that works, otherwise by a tangent. `None` if there is none: the minimum is reached, or
    /// the equations are singular with any shift.
    fn way_down<P: Potential>(&mut self, potential: &mut P, descent: &mut Descent) -> Result<Option<Step>> {
        let seconds = &mut descent.outcome.seconds;
        if descent.chord
            && let Some(fall) = self.chord(potential, descent.before.is_some(), seconds)?
        {
            let chord = self.obeying(potential, true, fall, descent)?;
            if descent.is_there(&chord) {
                return Ok(None);
            }
            if descent.serves(&chord) {
                return Ok(Some(chord));
            }
        }
        if descent.tangents == MOST_SINGLE {
            self.factor.insist(true);
        }
        descent.tangents += 1;
        let fall = match self.tangent(potential, &mut descent.outcome.seconds) {
            Ok(fall) => fall,
            Err(error) if error.kind() == Kind::NoConvergence => return Ok(None),
            Err(error) => return Err(error),
        };
        let step = self.obeying(potential, false, fall, descent)?;
        Ok((!descent.is_there(&step)).then_some(step))
    }

    /// One Newton step from the origin, whose value was computed last; returns the decrease predicted by the quadratic
    /// model. Adds to the seconds as in [`Outcome::seconds`].
    pub fn tangent<P: Potential>(&mut self, potential: &mut P, seconds: &mut [Real; 3]) -> Result<Real> {
        let clock = Instant::now();
        potential.gradient(&mut self.gradient);
        seconds[Work::Derivatives as usize] += clock.elapsed().as_secs_f64();
        self.factor.make(potential, seconds)?;
        let clock = Instant::now();
        let fall = self.solve_for_step();
        seconds[Work::Solving as usize] += clock.elapsed().as_secs_f64();
        fall
    }

    /// A step with the last factor and the gradient at the origin: the chord instead of the tangent. `None` if that
    /// factor does not work there. `follows` says whether it starts where the last step ended.
    fn chord<P: Potential>(
        &mut self,
        potential: &mut P,
        follows: bool,
        seconds: &mut [Real; 3],
    ) -> Result<Option<Real>> {
        if !self.factor.is_made() {
            return Ok(None);
        }
        let clock = Instant::now();
        std::mem::swap(&mut self.gradient, &mut self.gradient_before);
        let serves = potential.gradient(&mut self.gradient);
        if serves && follows {
            self.factor.learn(&self.step, &self.gradient_before, &self.gradient);
        }
        seconds[Work::Derivatives as usize] += clock.elapsed().as_secs_f64();
        if !serves {
            return Ok(None);
        }
        let clock = Instant::now();
        let fall = self.solve_for_step()?;
        seconds[Work::Solving as usize] += clock.elapsed().as_secs_f64();
        Ok(Some(fall))
    }

    /// The step with the current factor from the origin, whose value was computed last.
    pub fn respond<P: Potential>(&mut self, potential: &mut P) -> Result<()> {
        potential.gradient(&mut self.gradient);
        self.solve_for_step().map(|_| ())
    }

    fn solve_for_step(&mut self) -> Result<Real> {
        self.step.iter_mut().zip(&self.gradient).for_each(|(step, g)| *step = -g);
        self.factor.solve(&mut self.step)?;
        let fall: Real = self.step.iter().zip(&self.gradient).map(|(s, g)| -s * g).sum();
        Ok(0.5 * fall)
    }
}
