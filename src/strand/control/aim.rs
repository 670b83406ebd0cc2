//! What goals control at one moment: the distances that remain, and how fast velocities cover them.

use crate::layout::NONE;
use crate::now::Now;
use crate::parts::Aim;
use sinew_math::{Real, Vec3};

impl Aim {
    /// The remaining distance to the goal.
    pub(crate) fn way(&self, now: &Now) -> [Real; 3] {
        match self {
            Aim::Place { body, local, goal } => (goal - now.place(*body).point(local)).into(),
            Aim::Motion { joint, axis, goal } => [goal - now.motions(*joint)[*axis], 0.0, 0.0],
        }
    }

    /// The `k`-th rate as coefficients of the angular and linear velocities of one body or two; see
    /// [`crate::parts::Joint`].
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

    /// Adds the coefficients of the unknowns in the `k`-th rate.
    pub(super) fn coefficients(&self, now: &Now, k: usize, out: &mut [Real]) {
        for (body, [angular, linear]) in self.factors(now, k).into_iter().flatten() {
            let first = now.layout().bodies[body];
            if first != NONE {
                (0..3).for_each(|i| out[first + i] += angular[i]);
                (0..3).for_each(|i| out[first + 3 + i] += linear[i]);
            }
        }
    }

    /// Its speed, given the velocities of the unknowns and of scripted bodies.
    pub(super) fn rate(&self, now: &Now, k: usize, velocity: &[Real]) -> Real {
        let along = |(body, factors): (usize, [Vec3; 2])| {
            let speeds = now.speeds_of_body(body, velocity);
            factors[0].dot(&speeds[0]) + factors[1].dot(&speeds[1])
        };
        self.factors(now, k).into_iter().flatten().map(along).sum()
    }
}
