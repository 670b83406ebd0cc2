//! Bodies made from tables and formulas: the tendon hand, an arm, a head, muscles, and the formulas that shape and move
//! them.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod arm;
pub mod head;
pub mod muscles;
pub mod roles;
pub mod shaping;
pub mod tendon_hand;
