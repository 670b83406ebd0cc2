//! BezierMuscle: muscles that bulge and jiggle, as carriers of the skin.
//!
//! - \[BezierMuscle\] Lee and Ashraf, "Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation", 2007.
//! - \[Frames\] Wang et al., "Computation of Rotation Minimizing Frames", 2008.
//!
//! A muscle is a quadratic Bézier curve between two joints. Its middle control point hangs on a spring; rings around
//! the curve widen as the muscle shortens. [`Parts`] are what an author writes, [`Model`] what follows from them and
//! the rest pose, [`State`] what evolves. A step does not allocate once its scratch has been used with a model, and
//! its results do not depend on the order of the muscles.
//!
//! Where this differs from the paper, and why:
//! - The spring is solved exactly for an anchor that moves along a parabola, or where it starts or stops along a line,
//!   during a frame, in place of Verlet's steps: the motion does not depend on the frame rate \[eq. 12\]. Damping is
//!   relative to the anchor, so that a character on a moving train looks the same as one on the ground; [`Drag::Air`]
//!   is the paper's.
//! - The offset of the middle turns half as far as the joint of the insertion turns against that of the origin, also
//!   beyond half a turn, where the shorter way between them changes sides.
//! - A particle is held back at a distance from where it would rest; it meets that limit, and leaves it, at the time at
//!   which it really does, so that this does not depend on the frame rate either.
//! - Damping is given as a fraction of the critical one, so that it keeps its meaning when mass or stiffness change.
//! - Skin follows the shape of muscles alone ([`Follow::Shape`]): it goes with the joints, and takes over what muscles
//!   do beyond that. As carriers of a share of the skin, as in the paper ([`Follow::Motion`]), they make a turned or
//!   stretched limb thinner than skinning does, because the mean of two motions lies inside of both.
//! - The relative length of eq. 8 is clamped to -1, beyond which the paper's sine would rise again, and the width
//!   never falls below [`shape::LEAST_WIDTH`].
//! - Weights that are made from distances fade to zero where a muscle vertex ceases to be among the nearest, do not
//!   rise to a peak at any of them, and are averaged over the skin, so that it has neither steps nor creases; painted
//!   ones are shared in plain inverse proportion to distances.
//! - [`Frames::Stable`] starts in the middle of the muscle from the axes of the origin's joint or, where the muscle
//!   points backwards there, of the insertion's, and is rotation-minimising along the curve: there is no reference
//!   direction that a tangent could become parallel to. [`Frames::UpVector`] is the paper's.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bind;
mod contact;
mod cover;
pub mod curve;
mod frames;
mod limit;
mod model;
mod outside;
mod parts;
mod press;
mod settings;
pub mod shape;
mod skin_contact;
mod slide;
mod smooth;
pub mod spring;
mod state;
mod step;
mod swing;
mod twist;

pub use bind::{Binding, Idle, Painted, bind, bind_pads, why_idle};
pub use cover::Cover;
pub use frames::Frames;
pub use model::{Distortion, Model, joint_motion};
pub use outside::Body;
pub use parts::{Bone, End, Limb, Muscle, Pad, Parts, Spring};
pub use press::Press;
pub use settings::{Drag, Follow, Length, Settings, Start};
pub use skin_contact::SkinContact;
pub use smooth::smooth_carriers;
pub use state::State;
pub use step::{Inputs, Scratch, Step, Warning, step};

#[cfg(test)]
mod tests;
