//! Muscle control: activations that make fingertips or joints reach goals \[Sueda, Kaufman, Pai 2008, "Musculotendon
//! simulation for hand animation"; HandThesis §3.4\].
//!
//! A step's velocities depend linearly on the activations a as long as the same rows are active: v = v1 + V (a - a1),
//! with v1 the velocities at the previous step's activations a1 and V the effect of each alone, using the available
//! factor. With J the rates of the controlled quantities, and of the joints that lead to them, and r the wanted rates,
//! the activations solve the least-squares problem
//!   |W (J v1 + J V (a - a1) - r)|^2 + |effort a|^2 + |smooth (a - a1)|^2,   tone <= a <= 1.
//! Where goals of joints conflict, changes cost more the larger the remaining conflict is, and the solve is repeated.
//! The wanted rates and the joints' weights come from `guide`; tone increases with the slack found by `slack`. It
//! starts from the previous activations rather than zero, so that the active rows are mostly those that will be active.

mod aim;
mod barrier;
mod guide;
mod slack;

use super::elements::pull;
use super::model::Model;
use super::now::Now;
use super::parts::{Aim, Effort, Goal};
use guide::Leading;
use sinew_base::error::Result;
use sinew_math::Real;
use sinew_math::elementary::hypot;
use sinew_solve::bounded::{Bounded, BoundedSolver};
use sinew_solve::boxed::{BoxedSolver, RowState};
use slack::Slack;

pub use guide::Guide;

/// The cost of a change of activation as a fraction of the missing speed: a muscle with much less effect than that has
/// a slack strand, or passes through the axis of its joint, and is not driven to full strength by it. The first is for
/// goals of joints: with the second a finger lags. The second is for goals of points: with 0.3 an arm kicks where a
/// muscle's lever arm changes sign; with 1.5 activations lag so far behind that a shoulder swings.
const RELUCTANCE: [Real; 2] = [0.15, 0.5];

/// The additional cost of a change of activation, for goals of joints, as a fraction of the speed that even the best
/// activations miss and about which the goals disagree: muscles that cannot meet conflicting goals find the best
/// compromise slowly, instead of pulling alternately. A muscle that is merely too weak pulls at once.
const RESIGNATION: Real = 1.5;

/// The cost of an activation itself as a fraction of the missing speed. Without it a nearly useless muscle, as one with
/// a slack strand seems to be, would eventually pull at full strength towards an unreachable goal.
const UNWILLINGNESS: Real = 0.05;

/// Reused memory of the controller.
#[derive(Default)]
pub struct Controller {
    /// The wanted rates.
    pub guide: Guide,
    slack: Slack,
    solver: BoundedSolver,
    states: Vec<RowState>,
    /// The unknowns that a muscle's full pull acts on, and how much, muscle after muscle; where those of each begin.
    pulls: Vec<(usize, Real)>,
    firsts: Vec<usize>,
    /// J V by rows, r - J v1 + J V a1, and the rest of the least squares.
    jacobian: Vec<Real>,
    goals: Vec<Real>,
    weights: Vec<Real>,
    /// The cost of changes, by muscle.
    smooth: Vec<Real>,
    preferred: Vec<Real>,
    /// The activations of the previous step.
    before: Vec<Real>,
    low: Vec<Real>,
    high: Vec<Real>,
    force: Vec<Real>,
    zeros: Vec<Real>,
    answer: Vec<Real>,
    multipliers: Vec<Real>,
}

impl Controller {
    pub fn new(model: &Model) -> Self {
        Controller { guide: Guide::new(model), slack: Slack::new(model), ..Controller::default() }
    }

    /// Chooses activations after the guide has found rates; `h` is the time of the trial step, `held` that until the
    /// next choice. On entry they are those of the previous step; `velocity` holds the velocities with them, `solver`
    /// is the one that computed these.
    pub fn choose(
        &mut self,
        now: &Now,
        solver: &mut BoxedSolver,
        velocity: &[Real],
        goals: &[Goal],
        [h, held]: [Real; 2],
        activations: &mut [Real],
    ) -> Result<()> {
        let n = activations.len();
        self.size(now.model, n);
        self.goals.clear();
        self.jacobian.clear();
        self.look_at_muscles(now, h, n);
        let mut wanted = 0;
        for goal in goals {
            for k in 0..goal.aim.count() {
                let rate = self.guide.led[wanted] / goal.weight;
                self.row(
                    now,
                    solver,
                    velocity,
                    &Rate { aim: &goal.aim, k, rate, weight: goal.weight },
                    activations,
                )?;
                wanted += 1;
            }
        }
        for i in 0..self.guide.leading.len() {
            let Leading { joint, axis, rate, weight, .. } = self.guide.leading[i];
            if weight > 0.0 {
                let aim = Aim::Motion { joint, axis, goal: 0.0 };
                self.row(now, solver, velocity, &Rate { aim: &aim, k: 0, rate, weight }, activations)?;
            }
        }
        let (tone, time) = (now.model.settings().effort.tone, goals.iter().map(|goal| goal.time));
        let time = time.fold(Real::INFINITY, Real::min);
        self.low.clear();
        let places = goals.iter().any(|goal| goal.aim.is_place());
        // The tendons of a finger keep each other taut; taking up slack among them pulls at other joints.
        let least = |m| if places { self.slack.least(now, m, tone, time) } else { tone };
        self.low.extend((0..n).map(least));
        // If choices are made more often than once per trial, each changes less.
        let often = (h / held).max(1.0);
        self.least_squares(&now.model.settings().effort, places, often, activations)
    }

    /// Records the unknowns that the muscles act on, and the impulses of their full pull in a step.
    fn look_at_muscles(&mut self, now: &Now, h: Real, count: usize) {
        self.pulls.clear();
        self.firsts.clear();
        for m in 0..count {
            self.firsts.push(self.pulls.len());
            pull(now, m, h, |unknown, impulse| self.pulls.push((unknown, impulse)));
        }
        self.firsts.push(self.pulls.len());
    }

    /// Adds a wanted rate.
    ///
    /// The factor is symmetric: the effect of a muscle's pull on a rate is the pull times the response to the rate's
    /// own coefficients, taken as forces. There are fewer rates than muscles.
    fn row(
        &mut self,
        now: &Now,
        solver: &mut BoxedSolver,
        velocity: &[Real],
        rate: &Rate,
        activations: &[Real],
    ) -> Result<()> {
        let mut missing = rate.weight * (rate.rate - rate.aim.rate(now, rate.k, velocity));
        self.force.fill(0.0);
        rate.aim.coefficients(now, rate.k, &mut self.force);
        solver.again(&self.force, &self.zeros, &mut self.answer, &mut self.multipliers)?;
        for (m, before) in activations.iter().enumerate() {
            let pulled = &self.pulls[self.firsts[m]..self.firsts[m + 1]];
            let rate =
                rate.weight * pulled.iter().map(|(unknown, pull)| self.answer[*unknown] * pull).sum::<Real>();
            self.jacobian.push(rate);
            missing += rate * before;
        }
        self.goals.push(missing);
        Ok(())
    }

    fn size(&mut self, model: &Model, n: usize) {
        self.force.resize(model.unknowns(), 0.0);
        self.answer.resize(model.unknowns(), 0.0);
        self.zeros.resize(model.rows(), 0.0);
        self.multipliers.resize(model.rows(), 0.0);
        self.states.resize(n, RowState::Enforced);
    }

    /// The best activations starting from the previous ones; where goals conflict, changed slowly.
    fn least_squares(
        &mut self,
        cost: &Effort,
        places: bool,
        often: Real,
        activations: &mut [Real],
    ) -> Result<()> {
        let strongest = self.jacobian.iter().fold(0.0, |most: Real, rate| most.max(rate.abs()));
        let missing = self.left(activations);
        let smooth = cost.smooth * strongest + RELUCTANCE[usize::from(places)] * often * missing;
        let effort = cost.effort * strongest + UNWILLINGNESS * missing;
        self.before.clear();
        self.before.extend_from_slice(activations);
        self.smooth.clear();
        self.smooth.resize(activations.len(), smooth);
        self.solve(effort, activations)?;
        let left = self.left(activations);
        if places || left == 0.0 {
            return Ok(());
        }
        for m in 0..activations.len() {
            self.smooth[m] += RESIGNATION * often * left * self.disagreement(m, activations);
        }
        self.solve(effort, activations)
    }

    /// The largest missing rate, |r - J a|.
    fn left(&self, activations: &[Real]) -> Real {
        self.residuals(activations).fold(0.0, |most, (_, missing)| most.max(missing.abs()))
    }

    /// How far the goals disagree about a muscle: 0 if all residuals want more of it, or all less; 1 if they cancel.
    /// With J_k its effect on the k-th rate and r_k that rate's residual: 1 - |sum J_k r_k| / sum |J_k r_k|.
    fn disagreement(&self, m: usize, activations: &[Real]) -> Real {
        let pulls = self.residuals(activations).map(|(row, missing)| row[m] * missing);
        let (sum, all) = pulls.fold((0.0, 0.0), |(sum, all), pull| (sum + pull, all + Real::abs(pull)));
        if all > 0.0 { 1.0 - Real::abs(sum) / all } else { 0.0 }
    }

    /// The rows of J, each with r - J a.
    fn residuals<'a>(&'a self, activations: &'a [Real]) -> impl Iterator<Item = (&'a [Real], Real)> {
        let rates = self.jacobian.chunks_exact(activations.len().max(1)).zip(&self.goals);
        rates.map(move |(row, goal)| {
            (row, goal - row.iter().zip(activations).map(|(j, a)| j * a).sum::<Real>())
        })
    }

    /// |J a - r|^2 + |D (a - a0)|^2 with both costs of activation combined: D^2 = E^2 + S^2,
    /// a0 = S^2 a_before / D^2, with E and S as follows:
    /// E = effort max |J| + [`UNWILLINGNESS`] m, S = smooth max |J| + reluctance m, m = max |r - J a_before|.
    fn solve(&mut self, effort: Real, activations: &mut [Real]) -> Result<()> {
        let n = activations.len();
        self.weights.clear();
        self.weights.extend(self.smooth.iter().map(|smooth| hypot(effort, *smooth)));
        self.high.clear();
        self.high.resize(n, 1.0);
        self.preferred.clear();
        for m in 0..n {
            let (smooth, weight) = (self.smooth[m], self.weights[m]);
            let share = if weight > 0.0 { (smooth / weight).powi(2) } else { 0.0 };
            self.preferred.push(self.before[m] * share);
        }
        // The last step's states must not be used as a guess: a resumed run would not have them.
        self.states.fill(RowState::Enforced);
        let problem = Bounded {
            jacobian: &self.jacobian,
            goals: &self.goals,
            weights: &self.weights,
            preferred: &self.preferred,
            low: &self.low,
            high: &self.high,
        };
        self.solver.solve(&problem, activations, &mut self.states)?;
        Ok(())
    }
}

/// A wanted rate.
struct Rate<'a> {
    aim: &'a Aim,
    /// Which of the aim's rates.
    k: usize,
    rate: Real,
    weight: Real,
}
