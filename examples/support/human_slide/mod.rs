//! The example `human`: her skin with its tattoos, the slide through the node, and stills.

pub mod figures;
mod noise;
pub mod paint;
pub mod slide;
pub mod stills;
mod tattoos;
