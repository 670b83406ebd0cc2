//! The goals of muscles in the course of a scene; activations are then chosen to reach them.

use super::track::Track;
use super::values::{AxisName, Triple};
use crate::schema::elements;
use sinew_math::elementary::exp_m1;
use sinew_math::{Real, Vec3};
use sinew_strand::parts::{Aim, Goal};

elements! {
    /// A goal for a joint motion: activations are chosen to reach it, and muscles must not have activations of their
    /// own.
    "goal_motion" => GoalMotionElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The joint.
        "joint" joint: String => "joint";
        /// Which of its motions; it must not be held.
        "axis" axis: AxisName;
        /// Its weight relative to other goals: errors in rad and in m times this are compared.
        "weight" weight: f64 = "1";
        /// In s: the time constant with which the error decays. The target speed is the goal's own plus the remaining
        /// error divided by this time.
        "time" time: f64 = "0.05", Time;
        children {
            /// Target values: linear from the start to the first key and between keys, constant after the last. At
            /// least one.
            keys: Vec<GoalValueElement>;
        }
    }

    /// The target of a motion at a time.
    "to" => GoalValueElement {
        /// In s, from 0; later than the key before.
        "time" time: f64, Time;
        /// In degrees, or the scene's unit; within 180 degrees where the joint has several turns.
        "value" value: f64, Motion;
    }

    /// A goal for a point on a free body: activations are chosen to reach it, and muscles must not have activations of
    /// their own.
    "goal_place" => GoalPlaceElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The body.
        "body" body: String => "body";
        /// Where the place is as modelled.
        "at" at: Triple, Place;
        /// The body whose axes, as modelled, `at` is relative to; the world's if omitted.
        "in" inside: Option<String> => "body";
        /// Its weight relative to other goals: a metre counts as much as this many radians.
        "weight" weight: f64 = "20";
        /// In s: the time constant with which the error decays. The target speed is the goal's own plus the remaining
        /// error divided by this time.
        "time" time: f64 = "0.05", Time;
        children {
            /// Target places: linear from the start to the first key and between keys, constant after the last. At
            /// least one.
            keys: Vec<GoalPointElement>;
        }
    }

    /// The target of a place at a time.
    "to" => GoalPointElement {
        /// In s, from 0; later than the key before.
        "time" time: f64, Time;
        /// Where in the world.
        "at" at: Triple, Place;
    }
}

/// The goal is set ahead by this multiple of its time: less than 1, because activations are chosen by one long implicit
/// step, which is slower than the steps that follow, so that the error decays faster than the time says. With 0.7,
/// finger joints that wave by 20 degrees in two seconds are off by 0.6 to 0.7 degrees at 24, 48 and 96 frames per
/// second (with 1 they run 1.5 degrees ahead, without a lead they lag by up to 2), and the arm of
/// `examples/strand/reach.xml` is off by 1.5 instead of 6 mm; `tests/strand/goals.rs` prints it.
const LEAD: Real = 0.7;

/// A goal over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pursued {
    pub what: What,
    pub weight: Real,
    pub time: Real,
}

/// What is led, and its target.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// A joint's motion, in rad or m.
    Motion { joint: usize, axis: usize, values: Track<Real> },
    /// A place in the axes of a body, in the world.
    Place { body: usize, local: Vec3, places: Track<Vec3> },
}

impl Pursued {
    /// The goal at a time.
    pub fn at(&self, time: Real) -> Goal {
        self.ahead(time, time)
    }

    /// The goal to set for a frame from one time to another, so that what is at the goal g0 at its start is at the goal
    /// g1 at its end. A goal G that is constant over a frame of length T is approached as x' = (G - x) / t, so that
    ///   G = g0 + (g1 - g0) / (1 - exp(-T / t)),
    /// which is g + t g' in short frames: the goal's own speed is added. The error decays as before; t is [`LEAD`]
    /// times the goal's time.
    pub fn ahead(&self, from: Real, to: Real) -> Goal {
        let part = -exp_m1(-(to - from) / (LEAD * self.time));
        let lead = if part > 0.0 { 1.0 / part } else { 1.0 };
        let aim = match &self.what {
            What::Motion { joint, axis, values } => {
                let [old, new] = [from, to].map(|time| values.at(time, |a, b, part| a + (b - a) * part));
                Aim::Motion { joint: *joint, axis: *axis, goal: set(lead, old, new) }
            }
            What::Place { body, local, places } => {
                let [old, new] = [from, to].map(|time| places.at(time, |a, b, part| a.lerp(b, part)));
                let goal = Vec3::from_fn(|k, _| set(lead, old[k], new[k]));
                Aim::Place { body: *body, local: *local, goal }
            }
        };
        Goal { aim, weight: self.weight, time: self.time }
    }
}

/// A goal that moves from an old value to a new one, set ahead; one that does not move is kept to the bit.
fn set(lead: Real, old: Real, new: Real) -> Real {
    if lead == 1.0 { new } else { old + (new - old) * lead }
}
