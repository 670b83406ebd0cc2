//! Warm steps do not allocate: what runs once a frame allocates only in its first frames.

#[path = "../support/allocations.rs"]
mod allocations;

mod carry;
mod linalg;
mod muscle;
mod section;
mod skin;
mod skin_paper;
mod skinning;
mod solve;
mod strand;
