//! Newton's method for the least value of a potential, with a line search and with a factor that is kept.
//!
//! Where the value falls is found with second derivatives that fall in no direction, so that each step leads down; the
//! step is shortened until the value falls (Armijo's rule). From step to step, and from one minimum to the next,
//! the second derivatives change little: a step with an old factor, a chord, costs a fraction of one with a new factor,
//! and what such steps tell about it is learnt (`secants`). Rows that steps must obey come in by the Schur
//! complement (`rows`).
//!
//! What is minimised is a [`Potential`]. Its unknowns need not be coordinates: they say how to go on from where it is, so that
//! it may live on a surface or be of rotations. Ways are changes of all unknowns from the origin, which moves along:
//! each step ends in a new one.
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

use crate::control::Control;
use crate::error::{Kind, Result};
use crate::linalg::assembly::Assembly;
use crate::linalg::order::Order;
use crate::math::Real;
use descent::{Descent, Step};
use std::ops::Range;
use std::time::Instant;

/// What is to be as small as possible, by unknowns that belong to nodes: those of one are measured and shortened together.
pub trait Potential {
    /// The unknowns of a node; those of all nodes are all.
    fn unknowns_of(&self, node: usize) -> Range<usize>;
    /// How long a change of a node's unknowns is.
    fn length(&self, node: usize, change: &[Real]) -> Real;
    /// The value after a way from the origin; `None` where there is none.
    fn value(&mut self, way: &[Real]) -> Option<Real>;
    /// The sum of the sizes of what the last value was summed from, which tells its round-off.
    fn magnitude(&self) -> Real;
    /// The gradient at the origin, whose value was asked for last; what may not move is taken out. Tells whether the same
    /// was taken out the time before.
    fn gradient(&mut self, gradient: &mut [Real]) -> bool;
    /// Fills the second derivatives at the origin, changed so that they fall in no direction, with `shift` more on the
    /// diagonal, and so stiff that nothing moves that the last gradient says may not.
    fn curvature(&mut self, shift: Real, matrix: &mut Assembly) -> Result<()>;
    /// Goes a way; whether anything went less far than that. Where the unknowns cannot mean there what they mean in the
    /// factor, the factor is to be forgotten.
    fn go(&mut self, way: &[Real], factor: &mut Factor) -> bool;
    /// Makes where it is the origin.
    fn rebase(&mut self);

    /// Changes a step where nodes go to and fro. It is made after `count` others, with an old factor when it is a
    /// `chord`; nodes that go less far than `settled` are at rest.
    fn calm(&mut self, step: &mut [Real], count: usize, chord: bool, settled: Real) {
        let _ = (step, count, chord, settled);
    }
    /// Lowers the share of the last way that each node may go, for the value to be there; whether it is for any. By default
    /// steps are shortened as a whole.
    fn room(&mut self, way: &[Real], shares: &mut [Real]) -> bool {
        let _ = (way, shares);
        false
    }
    /// Adds the rows that the next step must obey: first the constraints, then the others.
    fn rows(&mut self, gradient: &[Real], rows: &mut Rows) {
        let _ = (gradient, rows);
    }
    /// How far a constraint is from being met after a way.
    fn violation(&self, constraint: usize, way: &[Real]) -> Real {
        let _ = (constraint, way);
        0.0
    }
}

/// When a minimum is found, and when it is given up.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// What progress is reported of.
    pub task: &'static str,
    /// What lengths are compared with, such as the mean distance of neighbours.
    pub unit: Real,
    /// How many units from its place a node may stay.
    pub tolerance: Real,
    /// A difference of values that is round-off.
    pub nothing: Real,
    /// No node goes farther in a step than this length: the second derivatives know nothing of what is beyond.
    pub farthest: Real,
    /// So many steps are made at most.
    pub max_steps: usize,
}

/// How the search for a minimum went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Steps.
    pub steps: usize,
    /// How many units from the answer the nodes still are, as far as the last steps tell.
    pub residual: Real,
    /// The node that would go farthest in the next step.
    pub farthest: usize,
    /// Whether the answer is as good as was asked for.
    pub converged: bool,
    /// A constraint that contradicts those before it.
    pub unmet: Option<usize>,
    /// Seconds in: derivatives and assembly, factorisation and solve, line search and going.
    pub seconds: [Real; 3],
}

/// Newton's method: reused memory, and the factor that is kept.
pub struct Newton {
    factor: Factor,
    /// By the unknowns of the step, and that of the step before.
    gradient: Vec<Real>,
    gradient_before: Vec<Real>,
    step: Vec<Real>,
    /// How far a trial goes.
    way: Vec<Real>,
    rows: Rows,
    /// How far each node goes in the step, in units.
    lengths: Vec<Real>,
    /// The share of the step that each node goes, and what it is multiplied by next.
    shares: Vec<Real>,
    room: Vec<Real>,
}

impl Newton {
    /// For second derivatives with the pattern of `assembly`, so many nodes, and at most so many constraints and other rows.
    pub fn new(assembly: Assembly, order: &Order, nodes: usize, rows: [usize; 2]) -> Result<Self> {
        let n = assembly.matrix().rows();
        Ok(Newton {
            factor: Factor::new(assembly, order, rows[0] + rows[1])?,
            gradient: vec![0.0; n],
            gradient_before: vec![0.0; n],
            step: vec![0.0; n],
            way: vec![0.0; n],
            rows: Rows::new(n, rows),
            lengths: vec![0.0; nodes],
            shares: vec![1.0; nodes],
            room: vec![1.0; nodes],
        })
    }

    /// The factor at hand.
    pub fn factor(&mut self) -> &mut Factor {
        &mut self.factor
    }

    /// The last step.
    pub fn step(&self) -> &[Real] {
        &self.step
    }

    /// Goes to a minimum from the origin, whose value was asked for last and is `value`. The first steps are made with the
    /// factor at hand, if there is one, and the last factor is left.
    pub fn minimise<P: Potential>(
        &mut self,
        potential: &mut P,
        value: Real,
        goal: &Goal,
        control: &Control,
    ) -> Result<Outcome> {
        self.rows.begin();
        let mut descent = Descent::new(*goal, value);
        while descent.outcome.steps < goal.max_steps {
            // How many steps there will be nobody knows; most need a few.
            let steps = descent.outcome.steps as f64;
            control.progress(steps / (steps + 3.0), goal.task)?;
            let Some(step) = self.way_down(potential, &mut descent)? else { break };
            control.check()?;
            let Some(mut found) = self.search(potential, &step, &mut descent) else {
                self.way.fill(0.0);
                potential.value(&self.way);
                if descent.stay(&step) {
                    break;
                }
                continue;
            };
            control.check()?;
            let clock = Instant::now();
            found.local |= potential.go(&self.way, &mut self.factor);
            descent.outcome.seconds[2] += clock.elapsed().as_secs_f64();
            if descent.advance(&step, &found) {
                break;
            }
            let clock = Instant::now();
            potential.rebase();
            self.way.fill(0.0);
            let value = potential.value(&self.way);
            descent.outcome.seconds[0] += clock.elapsed().as_secs_f64();
            let Some(value) = value else { break };
            descent.value = value;
        }
        Ok(descent.outcome)
    }

    /// A step by a chord where that serves, by a tangent elsewhere. `None` when there is none: the minimum is reached, or
    /// the equations are singular whatever is added to them.
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
        let fall = match self.tangent(potential, &mut descent.outcome.seconds) {
            Ok(fall) => fall,
            Err(error) if error.kind() == Kind::NoConvergence => return Ok(None),
            Err(error) => return Err(error),
        };
        let step = self.obeying(potential, false, fall, descent)?;
        Ok((!descent.is_there(&step)).then_some(step))
    }

    /// One Newton step from the origin, whose value was asked for last; how far the quadratic model says that the value
    /// falls. Adds to the seconds as in [`Outcome::seconds`].
    pub fn tangent<P: Potential>(&mut self, potential: &mut P, seconds: &mut [Real; 3]) -> Result<Real> {
        let clock = Instant::now();
        potential.gradient(&mut self.gradient);
        seconds[0] += clock.elapsed().as_secs_f64();
        self.factor.make(potential, seconds)?;
        let clock = Instant::now();
        let fall = self.solve_for_step();
        seconds[1] += clock.elapsed().as_secs_f64();
        fall
    }

    /// A step with the last factor and the gradient at the origin: the chord instead of the tangent. `None` when that factor
    /// does not serve there. `follows` tells whether it begins where the last step ended.
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
        seconds[0] += clock.elapsed().as_secs_f64();
        if !serves {
            return Ok(None);
        }
        let clock = Instant::now();
        let fall = self.solve_for_step()?;
        seconds[1] += clock.elapsed().as_secs_f64();
        Ok(Some(fall))
    }

    /// The step with the factor at hand from the origin, whose value was asked for last.
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
