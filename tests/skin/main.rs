//! Sliding skin: both integrators and the node.

#[path = "../support/quads.rs"]
mod quads;

mod acting;
mod dynamic;
mod host;
mod meshes;
mod paper;
mod paper_atlas;
mod rows;
mod settle;
mod snap;
mod standing;
mod truths;
mod tube;
