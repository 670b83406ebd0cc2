//! Optimisation: quadratic programs of dynamics (what moves, what constrains it, and the bounds on constraint forces),
//! and general potentials.
//!
//! - [`boxed`]: velocities under linear constraints with bounded multipliers: joints, limits, contacts, friction.
//! - [`bounded`]: least squares with bounds on the unknowns: how much each muscle pulls.
//! - [`newton`]: a potential with known value, gradient and second derivatives: where a skin rests.
//!
//! The first two find the active bounds by block principal pivoting: guess, solve, switch everything that is wrong, or
//! one at a time if that does not converge. The previous step is usually a correct guess, and then a step costs one
//! factorisation.
//!
//! # Sources
//! - \[Judice94\]: Júdice, Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
//!   complementarity problems", 1994.
//! - \[Kostreva78\]: Kostreva, "Block pivot methods for solving the complementarity problem", 1978.
//! - \[Murty74\]: Murty, "Note on a Bard-type scheme for solving the complementarity problem", 1974.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bounded;
pub mod boxed;
mod conflict;
pub mod newton;
mod pairing;
mod parts;
mod pivoting;
mod problem;
mod search;
mod system;
