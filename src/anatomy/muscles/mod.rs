//! Muscles of bodies: fitted from plans, created, sculpted, mirrored, copied to other characters, made heavy or
//! gaunt, and tested over the joints' range of motion.
//!
//! A [`MusclePlan`](sinew_scene::muscles::plan::MusclePlan) holds muscles in coordinates of bones; [`fit()`] places
//! them on a rig and its skin. [`HUMAN`] is such a plan.

mod belly;
mod bones;
mod closed;
mod create;
mod fit;
mod flesh;
mod mirror;
mod naming;
mod pairs;
mod physique;
mod pieces;
mod placed;
mod range;
mod refit;
mod sculpt;
mod spoken;
mod strips;
mod tissue;
mod transfer;
mod upright;
mod weights;
mod zero;

pub use super::roles::Rig;
pub use create::{NewMuscle, create};
pub use fit::{Fitted, fit};
pub use mirror::{Mirrored, mirror, mirror_on};
pub use naming::Naming;
pub use physique::{PRESETS, Physique};
pub use range::{Conditions, Finding, Problem, Range, Sweep, weight_problems};
pub use refit::{Outside, outside, refit};
pub use sculpt::sculpt;
pub use transfer::{Copied, copy};
pub use weights::{MOST_ROUNDS, weights};

/// A plan of a human's muscles, as XML.
pub const HUMAN: &str = include_str!("human.xml");
