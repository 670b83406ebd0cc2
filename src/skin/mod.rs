//! ThinSkin: a hyperelastic membrane whose material slides over an animated body.
//!
//! Keys: \[ThinSkin\] Li, Sueda, Neog, Pai, "Thin skin elastodynamics", 2013. \[HandThesis\] D. Li, "Biomechanical
//! simulation of the hand musculoskeletal system and skin", 2013, chapter 4.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod between;
mod curved;
pub mod equilibrium;
pub mod inverse;
pub mod measure;
pub mod membrane;
pub mod model;
pub mod paper;
mod plane;
pub mod production;
pub mod rest;
pub mod retarget;
mod stand;
pub mod state;
mod tangent;
pub mod thresholds;
pub mod ties;
pub mod turns;
