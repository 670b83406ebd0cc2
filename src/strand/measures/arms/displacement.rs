//! What moves when one motion of a joint changes and all others are fixed.

use crate::layout::NONE;
use crate::model::Model;
use crate::parts::{Joint, Mode};
use crate::state::State;
use sinew_math::{Real, Vec3};

/// Which bodies are connected by joints.
pub(super) struct Graph {
    /// By joint: whether it constrains anything.
    pub counts: Vec<bool>,
    /// By body, the world last: the joints that do, and the bodies at their other ends.
    beside: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    pub fn new(model: &Model, state: &State) -> Self {
        let rows = &model.layout.joint_rows;
        let counts: Vec<bool> = rows.iter().map(|&first| first == NONE || !state.released[first]).collect();
        let world = model.parts().bodies.len();
        let mut beside = vec![Vec::new(); world + 1];
        for (j, joint) in model.parts().joints.iter().enumerate().filter(|(j, _)| counts[*j]) {
            let (child, parent) = (joint.child, joint.parent.unwrap_or(world));
            beside[child].push((j, parent));
            beside[parent].push((j, child));
        }
        Graph { counts, beside }
    }

    /// The bodies connected to a body without a given joint; the world comes after the last body.
    fn hanging(&self, without: usize, from: usize) -> Vec<bool> {
        let mut found = vec![false; self.beside.len()];
        let mut ahead = vec![from];
        while let Some(body) = ahead.pop() {
            if std::mem::replace(&mut found[body], true) {
                continue;
            }
            let others = self.beside[body].iter().filter(|(j, other)| *j != without && !found[*other]);
            ahead.extend(others.map(|(_, other)| *other));
        }
        found
    }

    /// What moves with a joint, and 1 if that is the side of its child, -1 of its parent: whichever is not held by the
    /// world or a script. `None` if the sides are connected otherwise.
    pub fn moving(&self, model: &Model, j: usize) -> Option<(Vec<bool>, Real)> {
        let (joint, bodies) = (&model.parts().joints[j], &model.parts().bodies);
        let parent = joint.parent.unwrap_or(bodies.len());
        let sides = [joint.child, parent].map(|body| self.hanging(j, body));
        // The world is the most fixed, then scripted bodies.
        let fixed = sides.each_ref().map(|side| {
            let led = bodies.iter().zip(side).any(|(body, inside)| *inside && body.mode != Mode::Free);
            2 * u8::from(side[bodies.len()]) + u8::from(led)
        });
        let [child, other] = sides;
        match child[parent] {
            true => None,
            false if fixed[0] > fixed[1] => Some((other, -1.0)),
            false => Some((child, 1.0)),
        }
    }
}

/// A motion of some bodies as a rigid unit.
pub(super) struct Displacement<'a> {
    moving: &'a [bool],
    pivot: Vec3,
    angular: Vec3,
    linear: Vec3,
}

impl<'a> Displacement<'a> {
    /// One unit of a joint's motion. `None` if it cannot move alone.
    pub fn new(joint: &Joint, axis: usize, sign: Real, moving: &'a [bool], state: &State) -> Option<Self> {
        let [parent, child] = joint.frames(|b| state.bodies[b].place);
        let (mut angular, mut linear) = (Vec3::zeros(), Vec3::zeros());
        if axis < 3 {
            let rates = joint.turn_rates(|b| state.bodies[b].place).try_inverse()?;
            angular = parent.direction(&rates.column(axis).into_owned()) * sign;
        } else {
            linear = parent.direction(&Vec3::ith(axis - 3, 1.0)) * sign;
        }
        Some(Displacement { moving, pivot: child.origin, angular, linear })
    }

    pub fn of_body(&self, body: usize, place: &Vec3) -> Vec3 {
        match self.moving[body] {
            true => self.linear + self.angular.cross(&(place - self.pivot)),
            false => Vec3::zeros(),
        }
    }

    pub fn turn_of_body(&self, body: usize) -> Vec3 {
        if self.moving[body] { self.angular } else { Vec3::zeros() }
    }
}
