//! HandThesis: strands, rigid bones and what ties them together, in velocity form:
//! minimise v' M v / 2 - v' (M v0 + h f) under G v = g, C v >= c \[HandThesis §3.2, §5.2\].
//!
//! - \[HandThesis\] D. Li, "Biomechanical simulation of the hand musculoskeletal system and skin", 2013, chapters 3, 5,
//!   A.
//! - Sueda, Jones, Levin, Pai, "Large-scale dynamic simulation of highly constrained strands", 2011: the strand.
//!
//! # Decisions
//! - **Velocities of bodies** are those of the centre of mass in the world's axes, not twists in the body's: spin is
//!   then conserved to round-off in the absence of loads, and rotating axes add no forces.
//! - **Points on bodies** are not unknowns; in \[HandThesis eq. 3.2\] they are, tied by constraints.
//!   [`parts::Rule::Frame`] is that constraint, for points that are free for other reasons.
//! - **Forces are implicit**: M + h D + h^2 K replaces the thesis's M, so that stiff tendons allow long steps. K is
//!   positive semidefinite, see `segment`. Forces are evaluated where everything would be at the end of the step at
//!   current velocities, and linearised in the velocity change: one step of Newton's method for implicit Euler, from
//!   there.
//! - **Strands cannot push**: a piece that would push at the end of a step is released within it, one that will be
//!   stretched bears load within it.
//! - **Steps are shortened** where the strains of strands differ from the step's prediction, see [`step::step`].
//! - **Friction, limits, contact** are constraints with bounded impulses; one solver handles all, see
//!   [`sinew_solve::boxed`].
//! - **The surroundings of a strand** move with the body to which a point is bound, or are fixed to the world, and damp
//!   transverse motion of the strand relative to that. The body's speed is that at the start of the step, and it does
//!   not feel the drag, so momentum is conserved except for the strands' own small mass.
//! - **Cuts, lengthenings, releases** happen between steps and are part of the state, see [`state::State`]; rows and
//!   unknowns stay, so that nothing is re-analysed.
//! - **Material cannot be used up**: a constraint for each segment stops a node before its neighbour's material, as a
//!   knot would; bare ends run off, see [`step::UsedUp`].
//! - **Rotations of joints** are counted over whole turns if a joint has only one; otherwise angles are known within
//!   180 degrees, and a warning is given beyond, see [`step::Wrapped`].
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod change;
mod control;
mod counts;
mod elements;
pub mod energy;
mod layout;
pub mod measures;
pub mod model;
mod now;
mod owner;
pub mod parts;
mod rows;
mod segment;
mod spinning;
pub mod state;
pub mod step;

pub use owner::RowOwner;
