//! Files, one module each. Readers take bytes and a name, so that they can be fuzzed; nothing is written but
//! through [`atomic::AtomicFile`], so that no reader ever meets half a file.

pub mod atomic;
pub mod obj;
pub mod sequence;
