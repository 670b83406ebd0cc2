//! Corrective shapes by joint angle, fitted to skin in many poses, for rigs that can skin but run no node.
//!
//! - \[PSD\] Lewis, Cordner and Fong, "Pose Space Deformation", 2000: offsets at rest, before skinning, as functions of
//!   the pose.
//!
//! What a vertex lacks in a pose is brought back to rest through the inverse of its blended matrix ([`rest_offset`]).
//! The angles of each joint since rest ([`Joints::angles`]) drive shapes by hat functions ([`Driver`]), so that one
//! angle is interpolated linearly between its shapes, and the shapes of several angles add up. [`Fit`] finds the
//! offsets of all shapes at once: least squares over all poses.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod angles;
mod driver;
mod errors;
mod fit;
mod offset;

pub use angles::{Joints, NAMES};
pub use driver::{Driver, drivers, values};
pub use errors::Errors;
pub use fit::Fit;
pub use offset::{blended, rest_offset};
