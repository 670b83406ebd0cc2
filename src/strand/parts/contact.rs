//! Pairs of bodies that may touch.

use sinew_math::Real;

/// Two bodies that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// Both bodies.
    pub bodies: [usize; 2],
    /// mu.
    pub friction: Real,
}
