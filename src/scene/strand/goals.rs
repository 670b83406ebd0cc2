//! What muscles are to reach in the course of a scene; their activations are chosen then.

use super::script::Track;
use super::values::{AxisName, Triple};
use crate::math::{Real, Vec3};
use crate::scene::schema::elements;
use crate::strand::control::{Aim, Goal};

elements! {
    /// A motion of a joint that muscles are to bring about: activations are chosen then, and no muscle has its own.
    "goal_motion" => GoalMotionElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The joint.
        "joint" joint: String;
        /// Which of its motions; one that is not held.
        "axis" axis: AxisName;
        /// How much it counts beside other goals: errors in rad and in m times this are compared.
        "weight" weight: f64 = "1";
        /// In s: the wanted speed is the way that is left by this time.
        "time" time: f64 = "0.05";
        children {
            /// Where it is to be. It begins at 0, as at the start, changes evenly between, and stays at last.
            keys: Vec<GoalValueElement>;
        }
    }

    /// Where a motion is to be at a time.
    "to" => GoalValueElement {
        /// In s; later than the key before.
        "time" time: f64;
        /// In degrees or m.
        "value" value: f64;
    }

    /// A place of a free body that muscles are to bring somewhere: activations are chosen then, and no muscle has its own.
    "goal_place" => GoalPlaceElement {
        /// What reports call it.
        "name" name: Option<String>;
        /// The body.
        "body" body: String;
        /// Where the place is at the start.
        "at" at: Triple;
        /// How much it counts beside other goals: a metre as much as so many radians.
        "weight" weight: f64 = "20";
        /// In s: the wanted speed is the way that is left by this time.
        "time" time: f64 = "0.05";
        children {
            /// Where it is to be. It begins where it is at the start, moves evenly between, and stays at last.
            keys: Vec<GoalPointElement>;
        }
    }

    /// Where a place is to be at a time.
    "to" => GoalPointElement {
        /// In s; later than the key before.
        "time" time: f64;
        /// Where in the world.
        "at" at: Triple;
    }
}

/// A goal over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pursued {
    pub what: What,
    pub weight: Real,
    pub time: Real,
}

/// What is led, and where to.
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
        let aim = match &self.what {
            What::Motion { joint, axis, values } => {
                let goal = values.at(time, |a, b, part| a + (b - a) * part);
                Aim::Motion { joint: *joint, axis: *axis, goal }
            }
            What::Place { body, local, places } => {
                let goal = places.at(time, |a, b, part| a.lerp(b, part));
                Aim::Place { body: *body, local: *local, goal }
            }
        };
        Goal { aim, weight: self.weight, time: self.time }
    }
}
