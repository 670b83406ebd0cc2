//! Bodies made from tables and formulas: the tendon hand, an arm, a head, muscles, and the formulas that shape and move them.

pub mod arm;
pub mod head;
pub mod muscles;
pub mod roles;
pub mod shaping;
pub mod tendon_hand;
