//! The human with muscles: the node as a host runs it.

pub mod play;
