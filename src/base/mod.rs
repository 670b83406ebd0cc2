//! What everything else may use: errors, progress and cancelling, little-endian numbers.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bytes;
pub mod control;
pub mod error;
