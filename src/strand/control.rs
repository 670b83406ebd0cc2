//! How much each muscle pulls, so that fingertips or joints follow \[Sueda, Kaufman, Pai 2008, "Musculotendon simulation
//! for hand animation"; HandThesis §3.4\].
//!
//! A step's velocities depend on the activations a linearly while the same rows hold: v = v1 + V (a - a1), with v1 the
//! velocities at the activations a1 of the step before and V what each alone adds, by the factor that is there anyway. With
//! J the rates of what is led, and of the joints that lead it, and r those that are wanted, the activations are the least
//! squares
//!   |W (J v1 + J V (a - a1) - r)|^2 + |effort a|^2 + |smooth (a - a1)|^2,   tone <= a <= 1.
//! Where goals of joints exclude each other, changes cost more the further these leave them apart, and they are found anew.
//! The wanted rates and the joints' weights are those of `guide`, tone grows with what `slack` says.
//! From the activations before, and not from none, so that the rows that hold are mostly those that will.

use super::elements::pull;
use super::guide::{Guide, Leading};
use super::layout::NONE;
use super::model::Model;
use super::now::Now;
use super::slack::Slack;
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Vec3};
use crate::solve::bounded::{Bounded, BoundedSolver};
use crate::solve::boxed::{BoxedSolver, RowState};

/// What is led.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// A place of a body, in its axes, to a place in the world.
    Place {
        /// The body.
        body: usize,
        /// Where in its axes.
        local: Vec3,
        /// Where to.
        goal: Vec3,
    },
    /// One of a joint's six motions to a value.
    Motion {
        /// The joint.
        joint: usize,
        /// Which: turns about x, y, z, then moves along them.
        axis: usize,
        /// In rad or m.
        goal: Real,
    },
}

/// A goal and how it is pursued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// What is led, and where to.
    pub aim: Aim,
    /// How much it counts beside others: errors in m and in rad times this are compared.
    pub weight: Real,
    /// In s: the wanted speed is the way that is left by this time.
    pub time: Real,
}

/// What pulling costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Weight of an activation's square beside the goals' weighted speeds, in parts of the largest speed that a whole muscle
    /// gives any goal: small enough not to hold a finger back, and enough to choose among muscles that do the same.
    pub effort: Real,
    /// Weight of its change from one choice to the next, in the same unit: muscles do not jump, least of all those whose
    /// strands are slack and seem to do almost nothing.
    pub smooth: Real,
    /// For how long activations are held, in s, but not less than a step and not more than a frame. What they do is looked
    /// at over this time: in an instant a tendon across three joints moves the lightest one, and the others backwards.
    pub hold: Real,
    /// The least activation of muscles that are controlled: with it they take up what slack their strands have, instead of
    /// seeming to do nothing for as long as it lasts.
    pub tone: Real,
}

/// What a change of activation costs in parts of the speed that is missing: a muscle that does much less than that has a slack
/// strand, or runs through the axis of its joint, and is not driven to its whole strength by it. The first is for goals of
/// joints: with the second a finger lags. The second is for goals of places: with 0.3 an arm kicks where a muscle's lever
/// changes sign; with 1.5 activations lag so far behind that a shoulder swings for it.
const RELUCTANCE: [Real; 2] = [0.15, 0.5];

/// What a change of activation costs besides, for goals of joints, in parts of the speed that even the best activations do not
/// give and over which the goals disagree: muscles that cannot meet goals which exclude each other find the best of them slowly,
/// instead of pulling by turns. A muscle that is only too weak pulls at once.
const RESIGNATION: Real = 1.5;

/// What an activation itself costs in parts of the speed that is missing. Without it a muscle that helps next to nothing, as
/// one with a slack strand seems to, would in the end pull with all that it has towards a goal that is out of reach.
const UNWILLINGNESS: Real = 0.05;

impl Default for Effort {
    fn default() -> Self {
        Effort { effort: 5e-3, smooth: 0.02, hold: 0.01, tone: 1e-3 }
    }
}

/// Reused memory of the controller.
#[derive(Default)]
pub(super) struct Controller {
    /// Which rates are wanted.
    pub guide: Guide,
    slack: Slack,
    solver: BoundedSolver,
    states: Vec<RowState>,
    /// What feels a muscle's whole pull, and how much, muscle after muscle; where those of each begin.
    pulls: Vec<(usize, Real)>,
    firsts: Vec<usize>,
    /// J V by rows, r - J v1 + J V a1, and the rest of the least squares.
    jacobian: Vec<Real>,
    goals: Vec<Real>,
    weights: Vec<Real>,
    /// What changes cost, by muscle.
    smooth: Vec<Real>,
    preferred: Vec<Real>,
    /// The activations of the step before.
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

    /// Finds activations, after the guide has found rates; `h` is the time of the trial step, `held` that until the next choice.
    /// They come in as those of the step before; `velocity` are those with them, `solver` is the one that
    /// found these.
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
        // The tendons of a finger hold each other taut; taking up what is slack among them pulls at other joints.
        let least = |m| if places { self.slack.least(now, m, tone, time) } else { tone };
        self.low.extend((0..n).map(least));
        // Where choices come more often than once in a trial, each changes less.
        let often = (h / held).max(1.0);
        self.least_squares(&now.model.settings().effort, places, often, activations)
    }

    /// Notes which unknowns feel the muscles, and the impulses of their whole pull in a step.
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
    /// The factor is symmetric: what a muscle's pull adds to a rate is the pull times what the rate's own coefficients, taken
    /// for forces, would move. Rates are fewer than muscles.
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

    /// The activations that lead best from those before; where goals exclude each other, from that on slowly.
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

    /// The largest rate that activations leave missing, |r - J a|.
    fn left(&self, activations: &[Real]) -> Real {
        self.residuals(activations).fold(0.0, |most, (_, missing)| most.max(missing.abs()))
    }

    /// How far the goals want a muscle to do opposite things: 0 when what is left of all of them asks for more of it, or for less,
    /// 1 when they cancel. With J_k its effect on the k-th rate and r_k what is left of that: 1 - |sum J_k r_k| / sum |J_k r_k|.
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

    /// |J a - r|^2 + |D (a - a0)|^2 with the two costs of pulling in one: D^2 = E^2 + S^2, a0 = S^2 a_before / D^2, with
    /// E = effort max |J| + [`UNWILLINGNESS`] m, S = smooth max |J| + reluctance m, m = max |r - J a_before|.
    fn solve(&mut self, effort: Real, activations: &mut [Real]) -> Result<()> {
        let n = activations.len();
        self.weights.clear();
        self.weights.extend(self.smooth.iter().map(|smooth| effort.hypot(*smooth)));
        self.high.clear();
        self.high.resize(n, 1.0);
        self.preferred.clear();
        for m in 0..n {
            let (smooth, weight) = (self.smooth[m], self.weights[m]);
            let share = if weight > 0.0 { (smooth / weight).powi(2) } else { 0.0 };
            self.preferred.push(self.before[m] * share);
        }
        // What the last step knew is no guess that later steps may depend on: a resumed run would not have it.
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

/// A rate that is wanted.
struct Rate<'a> {
    aim: &'a Aim,
    /// Which of the aim's rates.
    k: usize,
    rate: Real,
    weight: Real,
}

impl Goal {
    /// Refuses what names nothing, or cannot be pursued.
    pub(super) fn check(&self, model: &Model) -> Result<()> {
        if !(self.weight > 0.0 && self.weight.is_finite() && self.time > 0.0 && self.time.is_finite()) {
            let text = format!("a goal with the weight {} and the time {}", self.weight, self.time);
            return Err(Error::new(Kind::OutOfRange, text));
        }
        self.aim.check(model)
    }
}

impl Aim {
    /// Whether it is an angle, and no place or way.
    pub fn is_turn(&self) -> bool {
        matches!(self, Aim::Motion { axis: 0..=2, .. })
    }

    pub(super) fn is_place(&self) -> bool {
        matches!(self, Aim::Place { .. })
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Aim::Place { .. } => 3,
            Aim::Motion { .. } => 1,
        }
    }

    /// What is left to the goal.
    pub(super) fn way(&self, now: &Now) -> [Real; 3] {
        match self {
            Aim::Place { body, local, goal } => (goal - now.place(*body).point(local)).into(),
            Aim::Motion { joint, axis, goal } => [goal - now.motions(*joint)[*axis], 0.0, 0.0],
        }
    }

    /// The `k`-th rate as factors of the angular and the linear velocity of one body or two; see [`super::joint`].
    fn factors(&self, now: &Now, k: usize) -> [Option<(usize, [Vec3; 2])>; 2] {
        match self {
            Aim::Place { body, local, .. } => {
                let along = Vec3::ith(k, 1.0);
                [Some((*body, [now.place(*body).direction(local).cross(&along), along])), None]
            }
            Aim::Motion { joint, axis, .. } => {
                let joint = &now.parts().joints[*joint];
                let [parent, child] = joint.frames(|b| now.place(b));
                let (turns, along) = match *axis {
                    0..=2 => (true, joint.turn_rates(|b| now.place(b)).row(*axis).transpose()),
                    way => (false, Vec3::ith(way - 3, 1.0)),
                };
                let of = |body: usize, along: Vec3| match turns {
                    true => (body, [along, Vec3::zeros()]),
                    false => (body, [(child.origin - now.place(body).origin).cross(&along), along]),
                };
                let along = parent.direction(&along);
                [Some(of(joint.child, along)), joint.parent.map(|body| of(body, -along))]
            }
        }
    }

    /// Adds the factors of the unknowns in the `k`-th rate.
    fn coefficients(&self, now: &Now, k: usize, out: &mut [Real]) {
        for (body, [angular, linear]) in self.factors(now, k).into_iter().flatten() {
            let first = now.layout().bodies[body];
            if first != NONE {
                (0..3).for_each(|i| out[first + i] += angular[i]);
                (0..3).for_each(|i| out[first + 3 + i] += linear[i]);
            }
        }
    }

    /// How fast it goes with velocities of the unknowns, and those of led bodies.
    fn rate(&self, now: &Now, k: usize, velocity: &[Real]) -> Real {
        let along = |(body, factors): (usize, [Vec3; 2])| {
            let speeds = now.speeds_of_body(body, velocity);
            factors[0].dot(&speeds[0]) + factors[1].dot(&speeds[1])
        };
        self.factors(now, k).into_iter().flatten().map(along).sum()
    }

    fn check(&self, model: &Model) -> Result<()> {
        let (what, k, count) = match self {
            Aim::Place { body, .. } => ("body", *body, model.parts().bodies.len()),
            Aim::Motion { joint, .. } => ("joint", *joint, model.parts().joints.len()),
        };
        let finite = match self {
            Aim::Place { local, goal, .. } => local.iter().chain(goal.iter()).all(|x| x.is_finite()),
            Aim::Motion { axis, goal, .. } => *axis < 6 && goal.is_finite(),
        };
        if k >= count {
            return Err(Error::new(Kind::NotFound, format!("a goal names {what} {k} of {count}")));
        }
        match finite {
            true => Ok(()),
            false => Err(Error::new(Kind::OutOfRange, format!("the goal of {what} {k} is none"))),
        }
    }
}
