//! Muscles: what pulls.

use crate::math::Real;

/// A spring muscle \[HandThesis §A\]: it pulls a point along a curve, to the curve's end, and is a spring besides.
///
/// Its force is activation times strength + stiffness (rest - u) - damping u', u the way of the point from the curve's
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
    /// In N s/m.
    pub damping: Real,
}
