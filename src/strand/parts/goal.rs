//! What muscles are to reach, and the cost of their activation.

use sinew_math::{Real, Vec3};

/// What a goal controls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// A point of a body, in its axes, to a point in the world.
    Place {
        /// The body.
        body: usize,
        /// The point in its axes.
        local: Vec3,
        /// The target.
        goal: Vec3,
    },
    /// One of a joint's six motions to a value.
    Motion {
        /// The joint.
        joint: usize,
        /// Which: rotations about x, y, z, then translations along them.
        axis: usize,
        /// In rad or m.
        goal: Real,
    },
}

/// A goal, and how it is pursued.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// What is controlled, and its target.
    pub aim: Aim,
    /// Its weight relative to other goals: errors in m and in rad times this are compared.
    pub weight: Real,
    /// In s: the wanted speed is the remaining distance divided by this time.
    pub time: Real,
}

/// The cost of activation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Weight of an activation's square relative to the goals' weighted speeds, as a fraction of the largest speed that
    /// a whole muscle gives any goal: small enough not to hold a finger back, and enough to choose among muscles with
    /// the same effect.
    pub effort: Real,
    /// Weight of its change from one choice to the next, in the same unit: muscles do not jump, least of all those
    /// whose strands are slack and seem to have almost no effect.
    pub smooth: Real,
    /// How long activations are held, in s, but not less than a step and not more than a frame. Their effect is
    /// evaluated over this time: instantaneously, a tendon across three joints moves the lightest one, and the others
    /// backwards.
    pub hold: Real,
    /// The minimum activation of controlled muscles: with it they take up the slack of their strands, instead of
    /// seeming to have no effect for as long as it lasts.
    pub tone: Real,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { effort: 5e-3, smooth: 0.02, hold: 0.01, tone: 1e-3 }
    }
}

impl Aim {
    /// Whether it is an angle rather than a position or distance.
    pub fn is_turn(&self) -> bool {
        matches!(self, Aim::Motion { axis: 0..=2, .. })
    }

    pub(crate) fn is_place(&self) -> bool {
        matches!(self, Aim::Place { .. })
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Aim::Place { .. } => 3,
            Aim::Motion { .. } => 1,
        }
    }
}
