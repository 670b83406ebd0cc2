//! Files, one module each. Readers take bytes or text, so that they can be fuzzed; nothing is written but through
//! [`atomic::AtomicFile`], so that no reader ever meets half a file.

pub mod atomic;
pub mod cache;
mod csv;
pub mod image;
pub mod joints;
pub mod map;
pub mod obj;
pub mod sequence;
pub mod weights;
pub mod xml;
