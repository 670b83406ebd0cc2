//! A muscle on its way from a plan into a set.

use super::belly::Belly;
use super::flesh::Spot;
use sinew_math::Real;

/// A muscle that has found its room.
pub(super) struct Placed {
    pub fitted: Belly,
    pub ends: [Spot; 2],
    pub belly: Spot,
    pub middle_joint: Option<usize>,
    pub wanted: Real,
    pub was_outside: [bool; 2],
    /// Whether its ends had to go towards the bones.
    pub deeper: bool,
}
