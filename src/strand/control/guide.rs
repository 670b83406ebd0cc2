//! Joint rates that lead towards goals, so that muscles need not produce what only large motions could achieve.
//!
//! When a chain of bones is fully extended, or folded, no rate of its joints moves its end along itself; if the full
//! distance to an unreachable goal were requested, the joints would swing from side to side. With e the remaining
//! errors of the goals, J their rates by those of the joints and t the goals' time, the rates q solve the
//! least-squares problem of Levenberg and Marquardt
//!   |W (J q - e / t)|^2 + |mu q|^2,   within the remaining range of the joints' limits,   mu^2 = w^2 |e| l,
//! l the longest lever arm. The Hessian of half the squared distance is at most J'J + |e| l: so the step is no longer
//! than Newton's, and joints come to rest where J'W^2 e = 0 within their limits, at the closest point. For reachable
//! goals mu vanishes with the distance, and the goal is met as without it \[Levenberg 1944; Fan, Yuan 2005, with mu^2
//! as the residual\]. Rates that would press bodies into each other are excluded: see `barrier`.

use super::barrier::{Barriers, ROUNDS};
use crate::layout::NONE;
use crate::model::Model;
use crate::now::Now;
use crate::parts::{Aim, Goal, Mode, Motion};
use crate::rows::Touching;
use sinew_base::error::Result;
use sinew_math::elementary::hypot;
use sinew_math::{Real, Vec3};
use sinew_solve::bounded::{Bounded, BoundedSolver};
use sinew_solve::boxed::RowState;

/// A motion of a joint that goals can use.
#[derive(Clone, Copy, Debug)]
pub struct Leading {
    pub joint: usize,
    pub axis: usize,
    /// The wanted rate, and the weight of missing it.
    pub rate: Real,
    pub weight: Real,
    /// The row that limits it.
    limit: Option<usize>,
    /// Whether a goal uses it now, and whether it gives way to bodies that goals move.
    used: bool,
    gives_way: bool,
    low: Real,
    high: Real,
    /// The rates by which its limits are reached, whatever the goals.
    range: [Real; 2],
}

impl Leading {
    /// Its least and greatest rate.
    fn bounds(&self) -> [Real; 2] {
        match (self.used, self.gives_way) {
            (true, _) => [self.low, self.high],
            (false, true) => self.range,
            (false, false) => [0.0; 2],
        }
    }
}

/// Reused memory, and the joints.
#[derive(Default)]
pub struct Guide {
    /// The joint that connects each body to the world or to a scripted body, through other joints; `NONE` if there is
    /// none, or the body is scripted.
    via: Vec<usize>,
    pub leading: Vec<Leading>,
    solver: BoundedSolver,
    states: Vec<RowState>,
    jacobian: Vec<Real>,
    goals: Vec<Real>,
    weights: Vec<Real>,
    zeros: Vec<Real>,
    low: Vec<Real>,
    high: Vec<Real>,
    rates: Vec<Real>,
    /// The wanted rates of goals, one after the other, times the goals' weights.
    pub led: Vec<Real>,
    /// The longest lever arm of each goal.
    levers: Vec<Real>,
    barriers: Barriers,
    /// The goals that a contact holds back noticeably, and the contact.
    pub blocked: Vec<[usize; 2]>,
    direction: Vec<Real>,
}

/// Joints closer to a limit than this fraction of a second's motion, in rad or m per s, are at it.
const AT_LIMIT: Real = 1e-6;

/// Goals closer than this fraction of the longest lever arm, or closer than this in rad or m, count as reached.
const NEARLY: Real = 0.02;

impl Guide {
    pub fn new(model: &Model) -> Self {
        let (mut leading, parts) = (Vec::new(), model.parts());
        for (joint, it) in parts.joints.iter().enumerate() {
            let mut row = model.layout.joint_rows[joint];
            for (axis, about) in it.axes.iter().enumerate() {
                let limit = matches!(about.motion, Motion::Limited(..)).then_some(row);
                if about.motion != Motion::Held {
                    let none = 0.0;
                    let (rate, weight, low, high) = (none, none, none, none);
                    let [used, gives_way] = [false; 2];
                    let range = [none; 2];
                    leading.push(Leading {
                        joint,
                        axis,
                        rate,
                        weight,
                        limit,
                        used,
                        gives_way,
                        low,
                        high,
                        range,
                    });
                }
                row = row.saturating_add(about.row_count());
            }
        }
        Guide { via: ties(model), leading, ..Guide::default() }
    }

    /// Computes the rates: first damped by the full distance to the goals, then by what the rates leave of it. Gaps
    /// between bodies may close within `hold` seconds, but no further.
    pub fn find(&mut self, now: &Now, touching: &Touching, goals: &[Goal], hold: Real) -> Result<()> {
        self.bound(now, goals);
        self.look(now, goals);
        self.look_at_contacts(now, touching, hold);
        for _ in 0..2 {
            self.damp(goals);
            self.solve()?;
            self.lead(goals);
        }
        self.find_blocked(now, goals);
        Ok(())
    }

    /// The rates of goals by those of joints.
    fn look(&mut self, now: &Now, goals: &[Goal]) {
        let n = self.leading.len();
        let all = [&mut self.jacobian, &mut self.goals, &mut self.led, &mut self.levers];
        all.into_iter().for_each(|values| values.clear());
        for goal in goals {
            let (way, first) = (goal.aim.way(now), self.jacobian.len());
            self.jacobian.resize(first + n * goal.aim.count(), 0.0);
            self.goals.extend(way[..goal.aim.count()].iter().map(|way| goal.weight * way / goal.time));
            self.led.resize(self.goals.len(), 0.0);
            let lever = match goal.aim {
                Aim::Motion { joint, axis, .. } => {
                    if let Some(k) = self.leading.iter().position(|l| (l.joint, l.axis) == (joint, axis)) {
                        self.jacobian[first + k] = goal.weight;
                        self.leading[k].used = true;
                    }
                    0.0
                }
                Aim::Place { body, local, .. } => {
                    let Guide { via, leading, jacobian, .. } = self;
                    let at = now.place(body).point(&local);
                    along(via, leading, now, body, &at, |i, leading, rate| {
                        leading.used = true;
                        (0..3).for_each(|row| jacobian[first + row * n + i] = rate[row] * goal.weight);
                    })
                }
            };
            self.levers.push(lever);
        }
    }

    /// The damping of joints, by the distance to each goal that the rates so far leave.
    fn damp(&mut self, goals: &[Goal]) {
        let (n, mut row) = (self.leading.len(), 0);
        self.leading.iter_mut().for_each(|leading| leading.weight = 0.0);
        for (goal, lever) in goals.iter().zip(&self.levers) {
            let rows = row..row + goal.aim.count();
            let left = self.goals[rows.clone()]
                .iter()
                .zip(&self.led[rows.clone()])
                .map(|(r, led)| (r - led).powi(2));
            // The weight is included once; the square of the damping needs it twice.
            let way = left.sum::<Real>().sqrt() * goal.time;
            let damping = (goal.weight * way * lever).sqrt();
            for (i, leading) in self.leading.iter_mut().enumerate().filter(|(_, l)| l.axis < 3) {
                if rows.clone().any(|row| self.jacobian[row * n + i] != 0.0) {
                    leading.weight = hypot(leading.weight, damping);
                }
            }
            row = rows.end;
        }
    }

    /// The rows of the contact points that goals may lead into: where bodies meet of which each is connected to the
    /// world or a scripted one, and goals move at least one.
    fn look_at_contacts(&mut self, now: &Now, touching: &Touching, hold: Real) {
        let Guide { via, leading, barriers, .. } = self;
        let (n, parts) = (leading.len(), now.parts());
        barriers.clear();
        for (c, contact) in parts.contacts.iter().enumerate() {
            let tied = |b: usize| via[b] != NONE || parts.bodies[b].mode != Mode::Free;
            let released = now.state.released[now.layout().contact_rows[c]];
            if released || !contact.bodies.iter().all(|&b| tied(b)) {
                continue;
            }
            let driven = contact.bodies.map(|b| {
                let mut driven = false;
                along(via, leading, now, b, &now.place(b).origin, |_, leading, _| driven |= leading.used);
                driven
            });
            if driven == [false; 2] {
                continue;
            }
            for (k, spot) in touching.spots(c) {
                let (row, mut carried) = (barriers.add([c, k], n), 0.0);
                for ((body, driven), sign) in contact.bodies.into_iter().zip(driven).zip([-1.0, 1.0]) {
                    along(via, leading, now, body, &spot.place, |i, leading, rate| {
                        row[i] += sign * spot.normal.dot(&rate);
                        leading.gives_way |= !driven;
                    });
                    carried += sign * spot.normal.dot(&carried_along(via, now, body, &spot.place));
                }
                barriers.at_least(-spot.gap / hold - carried);
            }
        }
    }

    /// The goals that lead into contacts.
    fn find_blocked(&mut self, now: &Now, goals: &[Goal]) {
        let (n, mut row) = (self.leading.len(), 0);
        self.blocked.clear();
        for (g, (goal, lever)) in goals.iter().zip(&self.levers).enumerate() {
            let way = goal.aim.way(now).iter().map(|way| way * way).sum::<Real>().sqrt();
            let near = if goal.aim.is_place() { NEARLY * lever } else { NEARLY };
            self.direction.clear();
            self.direction.resize(n, 0.0);
            for row in row..row + goal.aim.count() {
                let missing = self.goals[row] - self.led[row];
                let line = &self.jacobian[row * n..(row + 1) * n];
                self.direction.iter_mut().zip(line).for_each(|(d, j)| *d += j * missing);
            }
            row += goal.aim.count();
            let against = self.barriers.against(&self.direction).filter(|_| way > near);
            self.blocked.extend(against.map(|contact| [g, contact]));
        }
    }

    /// Whether a contact point holds rates back: it is kept in a trial, too.
    pub fn holds(&self, contact: usize, spot: usize) -> bool {
        self.barriers.holds(contact, spot)
    }

    /// Solves for the rates; contact points that hold them back are found in rounds.
    fn solve(&mut self) -> Result<()> {
        let (entries, rows, n) = (self.jacobian.len(), self.goals.len(), self.leading.len());
        self.barriers.forget();
        for _ in 0..ROUNDS {
            self.barriers.append(n, &mut self.jacobian, &mut self.goals);
            let solved = self.solve_once();
            self.jacobian.truncate(entries);
            self.goals.truncate(rows);
            solved?;
            if !self.barriers.review(&self.rates) {
                break;
            }
        }
        Ok(())
    }

    fn solve_once(&mut self) -> Result<()> {
        let leading = &self.leading;
        let set = |values: &mut Vec<Real>, value: &dyn Fn(&Leading) -> Real| {
            values.clear();
            values.extend(leading.iter().map(value));
        };
        set(&mut self.weights, &|l| l.weight);
        set(&mut self.low, &|l| l.bounds()[0]);
        set(&mut self.high, &|l| l.bounds()[1]);
        set(&mut self.zeros, &|_| 0.0);
        set(&mut self.rates, &|_| 0.0);
        self.states.clear();
        self.states.resize(leading.len(), RowState::Enforced);
        let problem = Bounded {
            jacobian: &self.jacobian,
            goals: &self.goals,
            weights: &self.weights,
            preferred: &self.zeros,
            low: &self.low,
            high: &self.high,
        };
        self.solver.solve(&problem, &mut self.rates, &mut self.states)?;
        self.leading.iter_mut().zip(&self.rates).for_each(|(leading, rate)| leading.rate = *rate);
        Ok(())
    }

    /// The weighted rates of goals by those of the joints; a body without joints goes straight to its goal.
    fn lead(&mut self, goals: &[Goal]) {
        let (n, mut row) = (self.leading.len(), 0);
        for goal in goals {
            let free = matches!(goal.aim, Aim::Place { body, .. } if self.via[body] == NONE);
            for _ in 0..goal.aim.count() {
                let line = &self.jacobian[row * n..(row + 1) * n];
                let led = line.iter().zip(&self.rates).map(|(j, q)| j * q).sum();
                self.led[row] = if free { self.goals[row] } else { led };
                row += 1;
            }
        }
    }

    /// The remaining range of the joints' limits, for goals of points; goals of joints say themselves how far to go.
    fn bound(&mut self, now: &Now, goals: &[Goal]) {
        let time = goals.iter().map(|goal| goal.time).fold(Real::INFINITY, Real::min);
        let places = goals.iter().any(|goal| goal.aim.is_place());
        let mut last = (NONE, [0.0; 6]);
        for leading in &mut self.leading {
            (leading.used, leading.gives_way) = (false, false);
            let joint = &now.parts().joints[leading.joint];
            if last.0 != leading.joint {
                last = (leading.joint, now.motions(leading.joint));
            }
            let value = last.1[leading.axis];
            let any = [-Real::INFINITY, Real::INFINITY];
            leading.range = match joint.axes[leading.axis].motion {
                Motion::Limited(from, to) => [(from - value) / time, (to - value) / time],
                Motion::Free | Motion::Held => any,
            };
            [leading.low, leading.high] = if places { leading.range } else { any };
        }
    }

    /// The rows of limits at which goals want joints to stay: these are kept in a trial too.
    pub fn stays(&self, row: usize) -> bool {
        self.leading.iter().any(|l| {
            let [low, high] = l.bounds();
            l.limit == Some(row)
                && (l.used || l.gives_way)
                && (low >= -AT_LIMIT && l.rate <= AT_LIMIT || high <= AT_LIMIT && l.rate >= -AT_LIMIT)
        })
    }
}

/// Lists the rates of a point of a body by those of the joints that connect it, by their index in `leading`; returns
/// the longest lever arm.
fn along(
    via: &[usize],
    leading: &mut [Leading],
    now: &Now,
    body: usize,
    at: &Vec3,
    mut each: impl FnMut(usize, &mut Leading, Vec3),
) -> Real {
    let (mut longest, mut body): (Real, _) = (0.0, body);
    while body != NONE && via[body] != NONE {
        let k = via[body];
        let joint = &now.parts().joints[k];
        let [parent, child] = joint.frames(|b| now.place(b));
        let turns = joint.turn_rates(|b| now.place(b)).try_inverse().unwrap_or_default();
        let outward = joint.child == body;
        for (i, leading) in leading.iter_mut().enumerate().filter(|(_, l)| l.joint == k) {
            let rate = match leading.axis {
                axis @ 0..=2 => {
                    let about = parent.direction(&turns.column(axis).into_owned());
                    about.cross(&(at - child.origin))
                }
                axis => parent.direction(&Vec3::ith(axis - 3, 1.0)),
            };
            if leading.axis < 3 {
                longest = rate.norm().max(longest);
            }
            each(i, leading, if outward { rate } else { -rate });
        }
        body = next(now, k, body);
    }
    longest
}

/// The body on the other side of a joint; `NONE` for the world.
fn next(now: &Now, joint: usize, body: usize) -> usize {
    let joint = &now.parts().joints[joint];
    if joint.child == body { joint.parent.unwrap_or(NONE) } else { joint.child }
}

/// The velocity of a point of a body while all joints stand still: that of the scripted body that carries them.
fn carried_along(via: &[usize], now: &Now, body: usize, at: &Vec3) -> Vec3 {
    let mut root = body;
    while root != NONE && via[root] != NONE {
        root = next(now, via[root], root);
    }
    if root == NONE {
        return Vec3::zeros();
    }
    let [angular, linear] = now.led(root);
    linear + angular.cross(&(at - now.place(root).origin))
}

/// The joint through which each body is connected to a scripted one, or to the world.
fn ties(model: &Model) -> Vec<usize> {
    let parts = model.parts();
    let mut via = vec![NONE; parts.bodies.len()];
    let mut tied: Vec<bool> = parts.bodies.iter().map(|body| body.mode != Mode::Free).collect();
    loop {
        let mut grown = false;
        for (k, joint) in parts.joints.iter().enumerate() {
            let of_parent = joint.parent.is_none_or(|b| tied[b]);
            match (of_parent, tied[joint.child], joint.parent) {
                (true, false, _) => (via[joint.child], tied[joint.child], grown) = (k, true, true),
                (false, true, Some(b)) => (via[b], tied[b], grown) = (k, true, true),
                _ => {}
            }
        }
        if !grown {
            return via;
        }
    }
}
