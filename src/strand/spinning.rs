//! Bodies that spin freely within a step: their orientation in its middle.
//!
//! With the spin L = I w the implicit midpoint rule takes w = I(R_mid)^-1 L, R_mid = exp(w h/2) R, and rotates by exp(w
//! h): it is symmetric in time, conserves spin, and energy does not drift. Its w is found by iteration, which needs
//! about h |L| < I for each moment of inertia I. The thin axis of a slender body violates that at any speed of the
//! others. Such a body is rotated by its true motion, by splitting (Touma and Wisdom, "Lie-Poisson integrators for
//! rigid body dynamics in the solar system", 1994): as a symmetric top about an axis s, in closed form, and, for the
//! difference of its energy P^2/2I from that top's about another axis b, a rotation about b alone. P are the components
//! of L in the body's axes:
//!   top:   R <- exp(L t / I_a) R exp(e_s (1/I_s - 1/I_a) P_s t),
//!   rest:  R <- R exp(e_b (1/I_b - 1/I_a) P_b t),
//! half of the rest, the top, half of the rest. In a real shape no moment exceeds the sum of the two others, so a and b
//! are practically equal if s is slender, and the rest is almost zero.

use super::parts::Body;
use super::state::Moving;
use sinew_math::motion::rotation_by;
use sinew_math::motion::rotation_vector;
use sinew_math::{Placement, Real, Rotation, Vec3};
use std::f64::consts::TAU;

/// The middle of a step of a body.
#[derive(Clone, Copy, Default)]
pub(super) struct Middle {
    /// The pose, for a free body the one it rotates to freely: the axes in which the step is solved.
    pub place: Placement,
    /// The part of the spin not given by the inertia there and the angular velocity of the whole step.
    pub rest: Vec3,
}

impl Middle {
    /// Of a body that moves freely for h seconds.
    pub fn new(body: &Body, moving: &Moving, h: Real) -> Self {
        let at = |angular: &Vec3| {
            Placement::new(turned(&moving.place.rotation, &(angular * (0.5 * h))), moving.place.origin)
        };
        let mut angular = moving.angular;
        for _ in 0..MOST_TURNS {
            let place = at(&angular);
            let inside = place.direction_inside(&moving.spin);
            let next = place.direction(&inside.component_div(&body.moments));
            let change = (next - angular).norm();
            angular = next;
            if change <= SAME * angular.norm() {
                return Middle { place: at(&angular), rest: Vec3::zeros() };
            }
        }
        let half = spun(body, moving.place.rotation, &moving.spin, 0.5 * h);
        let end = spun(body, half, &moving.spin, 0.5 * h);
        let place = Placement::new(half, moving.place.origin);
        let about = place.direction(&place.direction_inside(&moving.spin).component_div(&body.moments)) * h;
        let angular = whole(rotation_vector(&(end * moving.place.rotation.inverse())), &about) / h;
        Middle { place, rest: moving.spin - body.inertia_outside(&place) * angular }
    }
}

/// A rotation vector known within half a turn, with the whole turns added that bring it closest to another one.
fn whole(turn: Vec3, near: &Vec3) -> Vec3 {
    let Some(axis) = turn.try_normalize(1e-9).or_else(|| near.try_normalize(0.0)) else { return turn };
    turn + axis * (TAU * ((near - turn).dot(&axis) / TAU).round())
}

/// The maximum number of iterations for the middle of a step, and how closely two must agree.
const MOST_TURNS: usize = 30;
const SAME: Real = 1e-12;

/// The most that the rest may rotate a body at once, in rad, and the most pieces into which a half step is cut.
const LITTLE: Real = 0.01;
const MOST_PIECES: Real = 200.0;

/// The orientation of a body with a spin after a time without loads.
fn spun(body: &Body, mut rotation: Rotation, spin: &Vec3, time: Real) -> Rotation {
    let slow = body.moments.map(|moment| 1.0 / moment);
    // The two most similar axes, and the third one.
    let [s, a, b] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
        .into_iter()
        .min_by(|[_, a, b], [_, c, d]| (slow[*a] - slow[*b]).abs().total_cmp(&(slow[*c] - slow[*d]).abs()))
        .unwrap_or([0, 1, 2]);
    let pieces = (spin.norm() * (slow[a] - slow[b]).abs() * time / LITTLE).ceil().clamp(1.0, MOST_PIECES);
    let t = time / pieces;
    let about = |rotation: &Rotation, axis: usize, factor: Real| {
        let inside = rotation.inverse_transform_vector(spin)[axis];
        let further = rotation_by(&Vec3::ith(axis, factor * inside));
        Rotation::new_normalize(rotation.quaternion() * further.quaternion())
    };
    for _ in 0..pieces as usize {
        rotation = about(&rotation, b, (slow[b] - slow[a]) * 0.5 * t);
        rotation = turned(&about(&rotation, s, (slow[s] - slow[a]) * t), &(spin * (slow[a] * t)));
        rotation = about(&rotation, b, (slow[b] - slow[a]) * 0.5 * t);
    }
    rotation
}

/// A rotation followed by a rotation vector in the world's axes.
pub(super) fn turned(rotation: &Rotation, by: &Vec3) -> Rotation {
    Rotation::new_normalize(rotation_by(by).quaternion() * rotation.quaternion())
}
