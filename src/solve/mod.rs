//! Where something is least: quadratic programs of dynamics, what moves, what holds it, and between which bounds it may
//! hold; and potentials of any form.
//!
//! - [`boxed`]: velocities under linear rows whose multipliers have bounds: joints, limits, contacts, friction.
//! - [`bounded`]: least squares with bounds on the unknowns: how much each muscle pulls.
//! - [`newton`]: a potential of which value, gradient and second derivatives are known: where a skin rests.
//!
//! The first two find which bounds hold by block principal pivoting: guess, solve, switch all that is wrong, and one at a time
//! where that does not lead on. A guess from the step before is mostly right, and then a step costs one factorisation.
//!
//! # Sources
//! - \[Judice94\]: Júdice, Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
//!   complementarity problems", 1994.
//! - \[Kostreva78\]: Kostreva, "Block pivot methods for solving the complementarity problem", 1978.
//! - \[Murty74\]: Murty, "Note on a Bard-type scheme for solving the complementarity problem", 1974.

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
