//! Settings shared by all muscles.

use super::curve::Curve;
use super::parts::Muscle;
use sinew_math::Real;

/// What counts as a muscle's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The distance between its ends, as in the paper.
    Chord,
    /// The length along its curve.
    Arc,
}

impl Length {
    /// The length of a curve.
    pub fn of(self, curve: &Curve) -> Real {
        match self {
            Length::Chord => curve.chord(),
            Length::Arc => curve.arc_length(),
        }
    }
}

/// The motion that damping resists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drag {
    /// The motion relative to the joints.
    Body,
    /// The motion in the world, as in the paper.
    Air,
}

/// How the body moves before the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// As fast as it then goes to the second.
    Moving,
    /// Not at all.
    Still,
}

/// What skin follows of the muscles that carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Their shape: what they do beyond going with the joints, which is to bulge, thin, swell, jiggle and be pushed.
    /// The skin itself goes with the joints.
    Shape,
    /// All of their motion, as in the paper: they take the skin from the joints.
    Motion,
}

/// Settings shared by all muscles; factors are 1 for muscles as authored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What counts as length.
    pub length: Length,
    /// The motion that damping resists.
    pub drag: Drag,
    /// How the body moves before the first frame.
    pub start: Start,
    /// What skin follows.
    pub follow: Follow,
    /// How much shows, on skin that follows its shape, where a muscle is thinner than at rest: what lies beside it and
    /// over it fills the rest.
    pub thinning: Real,
    /// How active muscles make themselves as they shorten: 1 for fully.
    pub flex: Real,
    /// How active the muscles of each [`Limb`](super::Limb) are.
    pub tense: [Real; 5],
    /// How much of the bulge, stretching and activation is shown.
    pub bulge: Real,
    /// How much of the motion of springs is shown.
    pub jiggle: Real,
    /// A factor of all widths.
    pub size: Real,
    /// A factor of the bulge multiplier B.
    pub bulge_factor: Real,
    /// A factor of all stiffnesses.
    pub stiffness: Real,
    /// A factor of all dampings.
    pub damping: Real,
    /// How far muscles push each other away, from 0 to 1.
    pub push_muscles: Real,
    /// How far bones push muscles away, from 0 to 1.
    pub push_bones: Real,
}

impl Default for Settings {
    /// Muscles as authored, without contact.
    fn default() -> Self {
        Settings {
            length: Length::Chord,
            drag: Drag::Body,
            start: Start::Moving,
            follow: Follow::Shape,
            thinning: 0.5,
            flex: 0.5,
            tense: [0.0; 5],
            bulge: 1.0,
            jiggle: 1.0,
            size: 1.0,
            bulge_factor: 1.0,
            stiffness: 1.0,
            damping: 1.0,
            push_muscles: 0.0,
            push_bones: 0.0,
        }
    }
}

impl Settings {
    /// How much wider than in its model a muscle is at rest.
    pub(super) fn girth(&self, muscle: &Muscle) -> Real {
        self.size * muscle.girth
    }
}
