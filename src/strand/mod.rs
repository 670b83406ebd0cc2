//! HandThesis: strands, rigid bones and what ties them together, at the level of velocities:
//! minimise v' M v / 2 - v' (M v0 + h f) under G v = g, C v >= c \[HandThesis §3.2, §5.2\].
//!
//! - \[HandThesis\] D. Li, "Biomechanical simulation of the hand musculoskeletal system and skin", 2013, chapters 3, 5, A.
//! - Sueda, Jones, Levin, Pai, "Large-scale dynamic simulation of highly constrained strands", 2011: the strand.
//!
//! # Decisions
//! - **Velocities of bodies** are those of the centre of mass in the world's axes, not twists in the body's: spin then
//!   lasts to round-off when nothing acts, and no force comes from turning axes.
//! - **Points on bodies** are no unknowns; \[HandThesis eq. 3.2\] makes them some and ties them by rows. [`rule::Rule::Frame`]
//!   is that row, for points that are free for other reasons.
//! - **Forces are implicit**: M + h D + h^2 K stands where the thesis has M, so that stiff tendons allow long steps. K never
//!   falls, see [`segment`]. They are taken where everything would be at the end of the step with the velocities it has, and
//!   are linear in what these change: one step of Newton's method for implicit Euler, from there.
//! - **Strands cannot push**: a piece that would at the end of a step lets go within it, one that will be stretched bears
//!   within it.
//! - **Steps are shortened** where strands end up stretched otherwise than the step foresaw, see [`step::step`].
//! - **Friction, limits, contact** are rows whose impulses are bounded; one solver knows all, see [`crate::solve::boxed`].
//! - **What lies around a strand** moves with the body to which a point is bound, or stands still with the world, and damps
//!   motion across the strand against that. The body's speed is that of the step's beginning, and it does not feel what it
//!   drags, so momentum is kept but for the strands' own small mass.
//! - **Cuts, lengthenings, releases** happen between steps and are part of the state, see [`state::State`]; rows and unknowns
//!   stay, so that nothing is analysed anew.
//! - **Material cannot be used up**: a row for each segment stops a node before its neighbour's material, as a knot would;
//!   bare ends run off, see [`run_off`].
//! - **Turns of joints** are counted where a joint has one; several are known within 180 degrees, and told beyond, see [`turns`].

mod change;
mod check;
pub mod contact;
pub mod control;
mod elements;
pub mod energy;
pub mod form;
mod guide;
pub mod hill;
mod inputs;
pub mod joint;
mod layout;
mod lift;
pub mod ligaments;
pub mod measures;
pub mod model;
mod motion;
pub mod muscle;
mod now;
mod owner;
pub mod plane;
mod rows;
pub mod rule;
pub mod run_off;
pub mod segment;
mod slack;
mod spinning;
pub mod state;
pub mod step;
pub mod turns;

pub use owner::RowOwner;
