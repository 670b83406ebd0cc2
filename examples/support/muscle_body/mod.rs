//! The human with muscles: the node as a host runs it, and pictures.

pub mod play;
pub mod stills;
