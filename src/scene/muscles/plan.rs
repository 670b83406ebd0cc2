//! Plans of muscles: a body's muscles in coordinates of its bones, so that they fit any rig of the same naming.
//!
//! # Coordinates
//! A *bone* is a pair of joints: the one that carries it, and the one where it ends. A *place* on it is three numbers:
//!
//! 1. the fraction of the way from the first joint to the second; below 0 and above 1 it lies beyond them;
//! 2. the angle around the bone in degrees: 0 is its front, 90 its outer side, 180 its back, 270 its inner side;
//! 3. the depth: 0 on the bone's axis, 1 on the skin that a ray across the bone meets at that angle.
//!
//! Front is the direction in which the body faces, projected to be perpendicular to the bone. For bones that themselves
//! point forwards, such as those of a foot, the upper side is called front: for a foot that continues what the front of
//! the shin becomes. The outer side of a limb is the one that is outside when it hangs; when an arm is raised to the
//! side it is the upper one, in a T-pose as in an A-pose. On bones in the middle of the body, such as those of the
//! spine, it is the side of the muscle as written in the plan. So a place means the same in every rest pose, and on
//! both sides of the body.
//!
//! Plans are written for the left side; `side="both"` adds the same on the right.
//!
//! # Ranges of motion
//! The angles of `flex`, `abduct` and `twist` count from where `start` points, in whatever pose the rig rests: a
//! forearm's from where the elbow is straight, as anatomists count them, or a limb's from straight down. The human's
//! upper arms start half raised. Joints without `start`, such as those of a spine, count from the rest pose of the rig.

use crate::Version;
use crate::schema::{Attribute, elements, word_attribute};
use crate::strand::values::{Triple, numbers, words};
use serde::{Serialize, Serializer};
use sinew_math::Vec3;
use sinew_muscle::Limb;

/// A bone: the names of the joint that carries it and of the joint where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair(pub [String; 2]);

impl Attribute for Pair {
    const EXPECTED: &'static str = "the names of two joints";
    fn parse(text: &str) -> Option<Self> {
        let names: Vec<String> = text.split_whitespace().map(String::from).collect();
        names.try_into().ok().map(Pair)
    }
    fn text(&self) -> Option<String> {
        Some(self.0.join(" "))
    }
}

impl Serialize for Pair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Where a bone points before it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// On from its parent's bone.
    Straight,
    /// How far to the left, upwards and to the front of the body.
    Towards([f64; 3]),
}

/// The word for [`Start::Straight`].
const STRAIGHT: &str = "straight";

impl Attribute for Start {
    const EXPECTED: &'static str = "three numbers, or straight";
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            STRAIGHT => Some(Start::Straight),
            text => numbers(text).map(Start::Towards),
        }
    }
    fn text(&self) -> Option<String> {
        Some(match self {
            Start::Straight => STRAIGHT.to_string(),
            Start::Towards(way) => words(way),
        })
    }
}

impl Serialize for Start {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text().serialize(serializer)
    }
}

/// A range of angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Span(pub [f64; 2]);

impl Attribute for Span {
    const EXPECTED: &'static str = "two numbers";
    fn parse(text: &str) -> Option<Self> {
        numbers(text).filter(|[low, high]| low <= high).map(Span)
    }
    fn text(&self) -> Option<String> {
        Some(words(&self.0))
    }
}

word_attribute! {
    /// On which sides of the body something is.
    Side ("both or one") {
        /// As written, and mirrored: left and right in the names of joints and muscles are swapped.
        Both = "both",
        /// As written.
        One = "one",
    }
}

word_attribute! {
    /// What a size is a fraction of.
    SizeOf ("flesh or length") {
        /// The depth of the flesh at the belly, from the bone's axis to the skin.
        Flesh = "flesh",
        /// The length of the muscle.
        Length = "length",
    }
}

elements! {
    /// Muscles of a body in coordinates of its bones; `sinew muscles fit` makes a muscle_set of them. A bone is two
    /// joints: the one that carries it, and where it ends. A place on it is three numbers: the fraction of the way
    /// between them; the angle around it in degrees, from the front (0) over the outer side (90; the upper side of an
    /// arm raised sideways) to the back (180) and the inner side (270); and the depth, from the bone's axis (0) to the
    /// skin (1). Written for the left side.
    "muscle_plan" => MusclePlan {
        /// The version of this file format.
        "version" version: Version = "1";
        /// Two joints, the right one first, whose line is the body's sideways axis.
        "across" across: Pair = "RightUpLeg LeftUpLeg";
        /// Two joints, the lower one first, whose line is the body's upward axis.
        "upwards" upwards: Pair = "Hips Neck";
        children {
            /// The joints by the names that the plan uses.
            joints: Vec<PlanJoint>;
            /// Muscles.
            muscles: Vec<PlanMuscle>;
            /// Fat pads.
            pads: Vec<PlanPad>;
            /// Bones.
            bones: Vec<PlanBone>;
        }
    }

    /// A joint: other names for it, its parent, and how far it turns, for `sinew muscles range`.
    "joint" => PlanJoint {
        /// Its name in this plan.
        "name" name: String;
        /// Its names in other rigs, separated by spaces; the first one that the rig has is used.
        "also" also: Option<String>;
        /// Its parent joint.
        "parent" parent: Option<String>;
        /// The joint to which its bone leads, for the axes of its turns.
        "child" child: Option<String>;
        /// On which sides it is.
        "side" side: Side = "one";
        /// Where its bone points before it turns: how far to the left, upwards and to the front of the body; or
        /// "straight", which continues the bone of its parent. By default its direction in the rest pose of the rig.
        "start" start: Option<Start>;
        /// How far its bone turns towards the front, in degrees from start.
        "flex" flex: Option<Span>;
        /// How far its bone turns outwards, in degrees from start.
        "abduct" abduct: Option<Span>;
        /// How far it turns about its bone, in degrees from start.
        "twist" twist: Option<Span>;
    }

    /// A muscle, or a sheet of several side by side.
    "muscle" => PlanMuscle {
        /// Its name; those of a sheet get numbers (`pectoral.1`).
        "name" name: String;
        /// On which sides it is.
        "side" side: Side = "both";
        /// The bone of its origin.
        "origin_bone" origin_bone: Pair;
        /// Its origin.
        "origin" origin: Triple;
        /// For a sheet, the other end of the line of origins.
        "origin_to" origin_to: Option<Triple>;
        /// The joint that carries its origin; by default the bone's.
        "origin_joint" origin_joint: Option<String>;
        /// The bone of its insertion.
        "insertion_bone" insertion_bone: Pair;
        /// Its insertion.
        "insertion" insertion: Triple;
        /// For a sheet, the other end of the line of insertions.
        "insertion_to" insertion_to: Option<Triple>;
        /// The joint that carries its insertion; by default the bone's.
        "insertion_joint" insertion_joint: Option<String>;
        /// How many muscles side by side make the sheet.
        "count" count: u32 = "1";
        /// The bone around which it bends; by default that of its origin.
        "middle_bone" middle_bone: Option<Pair>;
        /// The place through which its middle passes; by default it is straight.
        "middle" middle: Option<Triple>;
        /// The joint that carries its middle; by default it stays between the ends.
        "middle_joint" middle_joint: Option<String>;
        /// For a sheet, the other end of the line of middles.
        "middle_to" middle_to: Option<Triple>;
        /// Its largest radius as a fraction of the length selected by size_of; smaller where the skin is closer.
        "size" size: f64;
        /// What the size is a fraction of.
        "size_of" size_of: SizeOf = "flesh";
        /// The minimum taper; above 1, the ends become thin like tendons.
        "taper" taper: f64 = "1";
        /// Rings along it.
        "rings" rings: u32 = "9";
        /// Vertices of a ring.
        "divisions" divisions: u32 = "8";
        /// How much it widens as it shortens, beyond what its constant volume requires.
        "bulge" bulge: f64 = "0.5";
        /// When the muscle is stretched, its relative stretch is divided by this before bulge is applied: larger values
        /// thin it less.
        "stretch_ratio" stretch_ratio: f64 = "2";
        /// How much wider full activation makes it, as a fraction.
        "swell" swell: f64 = "0.2";
        /// How much it activates itself as it shortens.
        "flex" flex: f64 = "1";
        /// The limb with which it is tensed, on the side as written.
        "limb" limb: Option<Limb>;
        /// The frequency in Hz at which it jiggles.
        "frequency" frequency: f64 = "12";
        /// The mass on its spring in kg; by default that of flesh of its volume.
        "mass" mass: Option<f64>, Mass;
        /// The stiffness of its spring in N/m; by default what the frequency requires.
        "stiffness" stiffness: Option<f64>, Stiffness;
        /// The damping of its spring: 0 jiggles for ever, 1 does not overshoot.
        "damping" damping: f64 = "0.5";
        children {
            /// Further heads.
            heads: Vec<PlanHead>;
        }
    }

    /// A further head: a muscle with the insertion and all numbers of the first.
    "head" => PlanHead {
        /// Its name.
        "name" name: String;
        /// The bone of its origin.
        "origin_bone" origin_bone: Pair;
        /// Its origin.
        "origin" origin: Triple;
        /// The joint that carries its origin; by default the bone's.
        "origin_joint" origin_joint: Option<String>;
        /// Its insertion, on the same bone; by default the first head's.
        "insertion" insertion: Option<Triple>;
        /// The bone around which it bends; by default the first head's.
        "middle_bone" middle_bone: Option<Pair>;
        /// The place through which its middle passes; by default the first head's.
        "middle" middle: Option<Triple>;
        /// Its largest radius; by default the first head's.
        "size" size: Option<f64>;
    }

    /// Soft tissue that jiggles.
    "pad" => PlanPad {
        /// Its name.
        "name" name: String;
        /// On which sides it is.
        "side" side: Side = "both";
        /// The bone of its centre.
        "bone" bone: Pair;
        /// Its centre.
        "centre" centre: Triple;
        /// The joint that carries it; by default the bone's.
        "joint" joint: Option<String>;
        /// How far its effect on the skin reaches, as a fraction of the depth of the flesh there.
        "radius" radius: f64;
        /// The frequency in Hz at which it jiggles.
        "frequency" frequency: f64 = "4";
        /// Its mass in kg; by default that of fat in half a ball of its radius.
        "mass" mass: Option<f64>, Mass;
        /// The stiffness of its spring in N/m; by default what the frequency requires.
        "stiffness" stiffness: Option<f64>, Stiffness;
        /// The damping of its spring: 0 jiggles for ever, 1 does not overshoot.
        "damping" damping: f64 = "0.15";
    }

    /// A bone that pushes muscles and skin away: a capsule.
    "bone" => PlanBone {
        /// Its name.
        "name" name: String;
        /// On which sides it is.
        "side" side: Side = "both";
        /// The joints between which it lies.
        "bone" bone: Pair;
        /// One end of its axis.
        "from" from: Triple = "0 0 0";
        /// The other end.
        "to" to: Triple = "1 0 0";
        /// Its radius as a fraction of the depth of the flesh around its middle.
        "radius" radius: f64;
    }
}

/// A place on a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnBone {
    /// The fraction of the way from joint to joint.
    pub along: f64,
    /// The angle in degrees.
    pub angle: f64,
    /// The depth, from the axis to the skin.
    pub depth: f64,
}

impl From<Triple> for OnBone {
    fn from(Triple([along, angle, depth]): Triple) -> Self {
        OnBone { along, angle, depth }
    }
}

impl OnBone {
    /// Between this place and another on the same bone.
    pub fn towards(self, other: OnBone, t: f64) -> OnBone {
        let [a, b] = [self, other].map(|p| Vec3::new(p.along, p.angle, p.depth));
        let mixed = a.lerp(&b, t);
        OnBone { along: mixed.x, angle: mixed.y, depth: mixed.z }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_are_two_joints_and_spans_have_an_order() {
        assert_eq!(Pair::parse(" a  b ").unwrap().text().unwrap(), "a b");
        assert!(["a", "a b c", ""].iter().all(|text| Pair::parse(text).is_none()));
        assert_eq!(Span::parse("-10 20"), Some(Span([-10.0, 20.0])));
        assert_eq!(Start::parse(" straight "), Some(Start::Straight));
        for text in ["straight", "0 -1 0"] {
            assert_eq!(Start::parse(text).unwrap().text().as_deref(), Some(text));
        }
        assert_eq!(Start::parse("down"), None);
        assert!(["20 -10", "1", "x y", "0 nan"].iter().all(|text| Span::parse(text).is_none()));
    }
}
