//! Sparse linear algebra with a fixed pattern. [`assembly`]: element matrices in parallel, summed in a fixed order.

pub mod assembly;
pub mod order;
pub mod spd;
