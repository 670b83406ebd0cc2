//! Authored parts: what the author of a scene writes, with its validation and directly derived data. Nothing here
//! depends on stepping.
//!
//! Indices count from 0.

mod all;
mod body;
mod check;
mod contact;
mod goal;
mod joint;
mod muscle;
mod plane;
mod rule;
mod strand;

pub use all::{Axial, Parts, Settings};
pub use body::{Body, Mode, Velocity};
pub use contact::Contact;
pub use goal::{Aim, Effort, Goal};
pub use joint::{Axis, Joint, Ligaments, Motion, Spring};
pub(super) use joint::{motions_between, turn_rates};
pub use muscle::{Belly, End, Hill, Muscle, Pull};
pub use plane::{Lie, Plane};
pub(super) use rule::across;
pub use rule::{Curve, CurveShape, Rule};
pub use strand::{Carrier, Fibre, Node, Point, Strand};
