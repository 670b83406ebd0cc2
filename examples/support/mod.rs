//! What the examples share: pictures, and the scenes of sliding skin.
#![allow(dead_code, reason = "each program that includes this uses a part of it")]

pub mod claims;
pub mod reported;
pub mod scenes;
pub mod sliding;
pub mod still;
pub mod tendons;
