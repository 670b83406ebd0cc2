//! Muscle sets: muscles, fat pads and bones on named joints, as plain data, and the parts built from them.

mod build;
pub mod faults;
mod left_out;
mod name;
mod names;
pub mod numbers;
pub mod plan;
mod readable;
mod space;
mod unread;

pub use build::Built;
pub use left_out::{LeftOut, sentences};
pub use name::Name;
pub use names::{join_names, split_names};
pub use readable::Readable;

use super::schema::{Line, elements, words};
use super::strand::values::Triple;
use super::{SpaceElement, Version};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Space;
use sinew_muscle::Limb;

words! {
    Limb ("left_arm, right_arm, left_leg, right_leg or trunk") {
        LeftArm = "left_arm",
        RightArm = "right_arm",
        LeftLeg = "left_leg",
        RightLeg = "right_leg",
        Trunk = "trunk",
    }
}

elements! {
    /// Muscles on the joints of a rig in its rest pose. Positions are in the world, in metres with y up unless a space
    /// says otherwise.
    "muscle_set" => MuscleSet {
        /// The version of this file format.
        "version" version: Version = "1";
        children {
            /// The unit of length and the up axis.
            space: Option<SpaceElement>;
            /// Muscles.
            muscles: Vec<MuscleElement>;
            /// Fat pads.
            pads: Vec<PadElement>;
            /// Bones.
            bones: Vec<BoneElement>;
        }
    }

    /// A muscle, or a sheet of several side by side. Arrays of a host have one item for each: for a muscle, then each
    /// of its further heads; for a sheet, from its origin to origin_to.
    "muscle" => MuscleElement {
        /// Its name; those of a sheet get numbers (`pectoral.1`).
        "name" name: Name;
        /// The joint that carries its origin.
        "origin_joint" origin_joint: String ["Curve"];
        /// Its origin.
        "origin" origin: Triple, Place ["Curve"];
        /// For a sheet, the other end of the line of origins; by default they are one point.
        "origin_to" origin_to: Option<Triple>, Place;
        /// The joint that carries its insertion.
        "insertion_joint" insertion_joint: String ["Curve"];
        /// Its insertion.
        "insertion" insertion: Triple, Place ["Curve"];
        /// For a sheet, the other end of the line of insertions; by default they are one point.
        "insertion_to" insertion_to: Option<Triple>, Place;
        /// How many muscles side by side make the sheet.
        "count" count: u32 = "1";
        /// The offset from the midpoint between its ends to the control point that bends it.
        "middle" middle: Triple = "0 0 0", Place ["Curve"];
        /// The joint that carries this control point. For a muscle across two joints: the bone along which its belly
        /// lies, so that neither a twist of this bone nor a bend of the joints moves the belly off it. By default it
        /// stays between the ends.
        "middle_joint" middle_joint: Option<String>;
        /// The up-vector that orients its rings; by default the y axis of the joint of its origin, or its z axis for a
        /// muscle along y.
        "up" up: Option<Triple>, Direction ["Curve"];
        /// Rings along it.
        "rings" rings: u32 = "9" ["Curve" 2.0 to 30.0];
        /// Vertices of a ring.
        "divisions" divisions: u32 = "8" ["Curve" 3.0 to 24.0];
        /// Its largest radius.
        "size" size: f64, Length ["Shape" 1e-5 to 0.2];
        /// Its shape: above 1 its ends become thin like tendons, below 1 blunt.
        "taper" taper: f64 = "1" ["Shape" 0.01 to 3.0];
        /// Multiplies its width in every pose. Skin is bound to the muscle as it is at 1, and moves with it.
        "girth" girth: f64 = "1" ["Shape" 0.01 to 3.0];
        /// Multiplies the weights with which it carries skin; those of a vertex add up to at most 1.
        "weight" weight: f64 = "1" ["Shape" 0.0 to 2.0];
        /// How much it widens as it shortens, beyond what its constant volume requires.
        "bulge" bulge: f64 = "0.5" ["Shape" 0.0 to 2.0];
        /// When the muscle is stretched, its relative stretch is divided by this before bulge is applied: larger values
        /// thin it less.
        "stretch_ratio" stretch_ratio: f64 = "2" ["Shape" 0.01 to 5.0];
        /// How much wider full activation makes it, as a fraction.
        "swell" swell: f64 = "0.2" ["Shape" 0.0 to 1.0];
        /// How much it activates itself as it shortens; multiplies the node's `flex`. 0 for what others activate.
        "flex" flex: f64 = "1" ["Shape" 0.0 to 2.0];
        /// The limb with which it is tensed by the sliders of the node, such as `tense_left_arm`; by default none.
        "limb" limb: Option<Limb>;
        /// The mass on its spring in kg.
        "mass" mass: f64 = "0.3", Mass ["Spring" 0.001 to 2.0];
        /// The stiffness of its spring in N/m; with the mass it gives the frequency of the jiggle: sqrt(stiffness /
        /// mass) / (2 pi).
        "stiffness" stiffness: f64 = "300", Stiffness ["Spring" 0.001 to 2000.0];
        /// The damping of its spring: 0 jiggles for ever, 1 does not overshoot.
        "damping" damping: f64 = "0.2" ["Spring" 0.0 to 1.0];
        children {
            /// Further heads.
            heads: Vec<HeadElement>;
            /// Sculpted vertices.
            offsets: Vec<OffsetElement>;
        }
    }

    /// A further head: a muscle with the insertion and all numbers of the first.
    "head" => HeadElement {
        /// Its name.
        "name" name: Name;
        /// The joint that carries its origin.
        "origin_joint" origin_joint: String;
        /// Its origin.
        "origin" origin: Triple, Place;
        /// From the middle between its ends to the control point that bends it; by default the first head's.
        "middle" middle: Option<Triple>, Place;
        /// Its largest radius; by default the first head's.
        "size" size: Option<f64>, Length;
    }

    /// A sculpted vertex of the first head, or of every muscle of a sheet.
    "offset" => OffsetElement {
        /// The ring, from 0.
        "ring" ring: u32;
        /// The vertex of the ring, from 0.
        "vertex" vertex: u32;
        /// What is added to its place: along the muscle, and along the two axes of the ring.
        "by" by: Triple, Along;
    }

    /// Soft tissue that jiggles, and displaces the skin around it.
    "pad" => PadElement {
        /// Its name.
        "name" name: Name;
        /// The joint that carries it.
        "joint" joint: String;
        /// Its centre.
        "centre" centre: Triple, Place;
        /// How far from the centre its effect on the skin ends.
        "radius" radius: f64, Length;
        /// Its mass in kg.
        "mass" mass: f64 = "0.5", Mass;
        /// The stiffness of its spring in N/m.
        "stiffness" stiffness: f64 = "150", Stiffness;
        /// The damping of its spring: 0 jiggles for ever, 1 does not overshoot.
        "damping" damping: f64 = "0.15";
    }

    /// A bone that pushes muscles and skin away: a capsule.
    "bone" => BoneElement {
        /// Its name.
        "name" name: Name;
        /// The joint that carries it.
        "joint" joint: String;
        /// One end of its axis.
        "from" from: Triple, Place;
        /// The other end.
        "to" to: Triple, Place;
        /// Its radius.
        "radius" radius: f64, Length;
    }
}

impl MuscleSet {
    /// Its unit of length and up axis.
    pub fn units(&self) -> Result<Space> {
        match &self.space {
            None => Ok(Space::default()),
            Some(e) => e.space().map_err(|error| build::at(error, "space", e.line)),
        }
    }

    /// Whether it has no muscles, pads or bones.
    pub fn is_empty(&self) -> bool {
        self.muscles.is_empty() && self.pads.is_empty() && self.bones.is_empty()
    }

    /// Names that the muscles have one by one, as [`MuscleSet::parts`] makes them.
    pub fn muscle_names(&self) -> Vec<String> {
        self.muscles.iter().flat_map(MuscleElement::names).collect()
    }

    /// The joints that carry its muscles, as often as they are named.
    pub fn muscle_joints(&self) -> impl Iterator<Item = &str> {
        self.muscles.iter().flat_map(|e| {
            let heads = e.heads.iter().map(|head| head.origin_joint.as_str());
            let ends = [e.origin_joint.as_str(), e.insertion_joint.as_str()];
            ends.into_iter().chain(e.middle_joint.as_deref()).chain(heads)
        })
    }

    /// The joints that carry its muscles, pads and bones, as often as they are named.
    pub fn joints(&self) -> impl Iterator<Item = &str> {
        let pads = self.pads.iter().map(|pad| pad.joint.as_str());
        let bones = self.bones.iter().map(|bone| bone.joint.as_str());
        self.muscle_joints().chain(pads).chain(bones)
    }

    /// Takes out a muscle by its name; the others of its sheet and its other heads become single muscles.
    pub fn remove(&mut self, name: &str) -> Result<()> {
        let holds = |e: &MuscleElement| e.names().iter().any(|known| known == name);
        let Some(index) = self.muscles.iter().position(holds) else {
            return Err(Error::new(Kind::NotFound, format!("the set has no muscle {name:?}")));
        };
        let mut others = self.muscles[index].singles();
        others.retain(|single| single.name.as_str() != name);
        self.muscles.splice(index..=index, others);
        Ok(())
    }
}

impl MuscleElement {
    /// The names of the muscles that it stands for: those of the sheet, then those of the heads. A sheet with an
    /// impossible count is one muscle, which cannot be built.
    pub fn names(&self) -> Vec<String> {
        let own: Vec<String> = match self.count {
            2..=MOST_IN_SHEET => (1..=self.count).map(|k| format!("{}.{k}", self.name)).collect(),
            _ => vec![self.name.0.clone()],
        };
        own.into_iter().chain(self.heads.iter().map(|head| head.name.0.clone())).collect()
    }

    /// The muscles that it stands for, each as an element of its own, in the order of [`MuscleElement::names`]. One
    /// with an impossible count keeps it.
    pub fn singles(&self) -> Vec<MuscleElement> {
        let between = |from: Triple, to: Option<Triple>, k: u32| match (to, self.count) {
            (Some(to), 2..) => {
                let part = f64::from(k) / f64::from(self.count - 1);
                Triple((from.vec() + (to.vec() - from.vec()) * part).into())
            }
            _ => from,
        };
        let single = |(name, k): (String, u32)| MuscleElement {
            name: name.into(),
            origin: between(self.origin, self.origin_to, k),
            origin_to: None,
            insertion: between(self.insertion, self.insertion_to, k),
            insertion_to: None,
            count: 1,
            heads: Vec::new(),
            ..self.clone()
        };
        let mut singles: Vec<MuscleElement> = match check_count(self.count) {
            Ok(()) => self.names().into_iter().zip(0..self.count).map(single).collect(),
            Err(_) => vec![MuscleElement { heads: Vec::new(), ..self.clone() }],
        };
        let heads = self.heads.iter().map(|head| MuscleElement {
            name: head.name.clone(),
            origin_joint: head.origin_joint.clone(),
            origin: head.origin,
            origin_to: None,
            insertion_to: None,
            count: 1,
            middle: head.middle.unwrap_or(self.middle),
            size: head.size.unwrap_or(self.size),
            offsets: Vec::new(),
            ..singles[0].clone()
        });
        singles.extend(heads.collect::<Vec<_>>());
        singles
    }
}

impl OffsetElement {
    /// Refuses one of a vertex that its muscle does not have.
    fn check(&self, rings: u32, divisions: u32) -> Result<()> {
        if self.ring < rings && self.vertex < divisions {
            return Ok(());
        }
        let message = format!(
            "the muscle has no such vertex, only rings 0 to {} with the vertices 0 to {}",
            rings.saturating_sub(1),
            divisions.saturating_sub(1)
        );
        Err(Error::new(Kind::OutOfRange, message))
    }

    /// Whether a muscle has its vertex.
    pub fn fits(&self, e: &MuscleElement) -> bool {
        self.check(e.rings, e.divisions).is_ok()
    }
}

/// More muscles than this in one sheet are a slip of the pen.
const MOST_IN_SHEET: u32 = 200;

/// Refuses a sheet of none, or of far too many muscles.
pub fn check_count(count: u32) -> Result<()> {
    if (1..=MOST_IN_SHEET).contains(&count) {
        return Ok(());
    }
    let message = format!("count is {count}; 1 to {MOST_IN_SHEET} are possible");
    Err(Error::new(Kind::OutOfRange, message))
}

/// The line of an element; none if it comes from no file.
pub fn line_of(line: Line) -> Option<u64> {
    (line.0 > 0).then_some(line.0)
}
