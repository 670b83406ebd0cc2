//! Muscles: what pulls.

use super::hill::Hill;
use crate::math::Real;

/// A muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// The force at an activation of 1, in N; of Hill's muscle at its best length, standing still.
    pub strength: Real,
    /// How it pulls.
    pub pull: Pull,
}

/// How a muscle pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    /// A spring muscle \[HandThesis §A\]: it pulls a point along a curve, to the curve's end, and is a spring besides.
    ///
    /// Its force is activation times strength (1 - fading u') + stiffness (rest - u) - damping u', u the way of the point
    /// from the curve's start. The thesis does not say what its spring does; here it is the passive part.
    Curve {
        /// The point that it pulls.
        point: usize,
        /// The curve along which it pulls.
        curve: usize,
        /// In N/m.
        stiffness: Real,
        /// Where the spring is at ease, in m from the curve's start.
        rest: Real,
        /// In N s/m, at any activation.
        damping: Real,
        /// The part of the pull that a speed of 1 m/s takes away, in s/m: one over the speed at which a muscle pulls no
        /// more (the straight part of Hill's curve). What lengthens it is resisted as much.
        fading: Real,
    },
    /// A segment of a strand pulls its ends together.
    Segment(Hill),
}
