//! Sparse linear algebra with a fixed pattern. [`assembly`]: element matrices in parallel, summed in a fixed order.

pub mod assembly;
pub mod cg;
mod eliminate;
pub mod kkt;
pub mod order;
mod product;
pub mod spd;
