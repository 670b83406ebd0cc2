//! Muscles: what pulls.

use crate::math::Real;

/// A spring muscle \[HandThesis §A\]: it pulls a point along a curve, to the curve's end, and is a spring besides.
///
/// Its force is activation times strength (1 - fading u') + stiffness (rest - u) - damping u', u the way of the point from the curve's
/// start. The thesis does not say what its spring does; here it is the passive part.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// The point that it pulls.
    pub point: usize,
    /// The curve along which it pulls.
    pub curve: usize,
    /// The force at an activation of 1, in N.
    pub strength: Real,
    /// In N/m.
    pub stiffness: Real,
    /// Where the spring is at ease, in m from the curve's start.
    pub rest: Real,
    /// In N s/m, at any activation.
    pub damping: Real,
    /// The part of the pull that a speed of 1 m/s takes away, in s/m: one over the speed at which a muscle pulls no more
    /// (the straight part of Hill's curve). What lengthens it is resisted as much.
    pub fading: Real,
}
