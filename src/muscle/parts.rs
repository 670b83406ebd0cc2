//! Authored data: muscles, fat pads and bones in the rest pose, in world space.

use serde::Serialize;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};

/// An end of a muscle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The joint that carries it.
    pub joint: usize,
    /// Its position at rest.
    pub point: Vec3,
}

/// A mass on a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// In kg.
    pub mass: Real,
    /// In N/m.
    pub stiffness: Real,
    /// As a fraction of critical damping: at 1 it returns without overshooting, at 0 it never stops.
    pub damping: Real,
}

/// A limb with its muscles, or the trunk with the neck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limb {
    /// With the muscles of the shoulder that end on it.
    LeftArm,
    /// With the muscles of the shoulder that end on it.
    RightArm,
    /// With the muscles of the hip that end on it.
    LeftLeg,
    /// With the muscles of the hip that end on it.
    RightLeg,
    /// With the neck, and the muscles of the trunk that end on limbs.
    Trunk,
}

impl Limb {
    /// That of the other side.
    pub fn mirrored(self) -> Limb {
        match self {
            Limb::LeftArm => Limb::RightArm,
            Limb::RightArm => Limb::LeftArm,
            Limb::LeftLeg => Limb::RightLeg,
            Limb::RightLeg => Limb::LeftLeg,
            Limb::Trunk => Limb::Trunk,
        }
    }
}

/// A fusiform muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub origin: End,
    /// Where it ends.
    pub insertion: End,
    /// From the middle between the ends to the curve's middle control point.
    pub middle: Vec3,
    /// The joint that carries this control point, as the bone along which its belly lies does for a muscle that crosses
    /// two joints; `None` to keep it between the ends, turned half as far as the insertion's joint turns against the
    /// origin's.
    pub middle_joint: Option<usize>,
    /// The up-vector that orients the rings; `None` for an axis of the origin's joint.
    pub up: Option<Vec3>,
    /// Rings along the curve, from 2.
    pub rings: usize,
    /// Vertices per ring, from 3.
    pub divisions: usize,
    /// The largest radius, S.
    pub size: Real,
    /// T: above 1 the ends become thin like tendons, below 1 blunt.
    pub taper: Real,
    /// A factor of its width in every pose. Skin is bound to the muscle as it is at 1 and follows it, so that one body
    /// can have many physiques.
    pub girth: Real,
    /// A factor of the weights with which it carries skin.
    pub weight: Real,
    /// B: how much wider the muscle becomes as it shortens than its volume requires.
    pub bulge: Real,
    /// R: divides B's effect when the muscle is stretched.
    pub stretch_ratio: Real,
    /// How much wider full activation makes it, as a fraction.
    pub swell: Real,
    /// How much it activates itself as it shortens, beside other muscles.
    pub flex: Real,
    /// The limb with which it is tensed.
    pub limb: Option<Limb>,
    /// The spring of the middle.
    pub spring: Spring,
    /// Added to each vertex, ring after ring: along the curve and the two axes of the ring. Empty for none.
    pub offsets: Vec<Vec3>,
}

/// Soft tissue that jiggles on a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Pad {
    /// Its name.
    pub name: String,
    /// The joint that carries it, and its centre.
    pub centre: End,
    /// How far from the centre its effect on the skin ends.
    pub radius: Real,
    /// Its spring.
    pub spring: Spring,
}

/// A bone that pushes muscles and skin away: a capsule.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// The joint that carries it.
    pub joint: usize,
    /// The ends of its axis.
    pub ends: [Vec3; 2],
    /// Its radius.
    pub radius: Real,
}

/// Everything an author writes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Parts {
    /// Muscles.
    pub muscles: Vec<Muscle>,
    /// Fat pads.
    pub pads: Vec<Pad>,
    /// Bones.
    pub bones: Vec<Bone>,
}

impl Spring {
    /// Rejects a spring that cannot be solved.
    fn check(&self) -> Result<()> {
        for (name, value) in [("mass", self.mass), ("stiffness", self.stiffness)] {
            positive(name, value)?;
        }
        not_negative("damping", self.damping)
    }

    /// The angular frequency without damping, in rad/s: sqrt(k / m).
    pub(super) fn frequency(&self) -> Real {
        (self.stiffness / self.mass).sqrt()
    }
}

impl Muscle {
    /// A muscle with the usual numbers, those of a muscle set that names none.
    pub fn new(name: String, origin: End, insertion: End, size: Real) -> Self {
        Muscle {
            name,
            origin,
            insertion,
            middle: Vec3::zeros(),
            middle_joint: None,
            up: None,
            // With the usual number of vertices per ring, these make the 72 vertices of the paper's tests.
            rings: 9,
            divisions: 8,
            size,
            taper: 1.0,
            girth: 1.0,
            weight: 1.0,
            bulge: 0.5,
            // Stretching shows half as much as shortening: a muscle thins out less than it bulges.
            stretch_ratio: 2.0,
            swell: 0.2,
            flex: 1.0,
            limb: None,
            // Jiggles at 5 Hz, for about three swings.
            spring: Spring { mass: 0.3, stiffness: 300.0, damping: 0.2 },
            offsets: Vec::new(),
        }
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rings.saturating_mul(self.divisions)
    }

    /// The joint that turns its rings: that of its middle or, without one, of its origin.
    pub(super) fn leader(&self) -> usize {
        self.middle_joint.unwrap_or(self.origin.joint)
    }

    /// Whether the other has the shape to which skin is bound, whatever its girth and its dynamics.
    fn rests_as(&self, other: &Muscle) -> bool {
        let tuned = |muscle: &Muscle| Muscle {
            girth: 1.0,
            bulge: 0.0,
            stretch_ratio: 1.0,
            swell: 0.0,
            flex: 1.0,
            limb: None,
            spring: Spring { mass: 1.0, stiffness: 1.0, damping: 0.0 },
            ..muscle.clone()
        };
        tuned(self) == tuned(other)
    }

    /// Rejects a muscle that cannot be solved.
    pub fn check(&self, joints: usize) -> Result<()> {
        for (name, end) in [("origin", &self.origin), ("insertion", &self.insertion)] {
            end.check(name, joints)?;
        }
        if (self.origin.point - self.insertion.point).norm() < SHORTEST {
            return Err(Error::new(Kind::Degenerate, "origin and insertion coincide"));
        }
        finite("middle", &self.middle)?;
        if let Some(joint) = self.middle_joint {
            check_joint("middle", joint, joints)?;
        }
        if let Some(up) = &self.up {
            finite("up", up)?;
            if up.norm() < SHORTEST {
                return Err(Error::new(Kind::Degenerate, "the up-vector is zero"));
            }
        }
        for (name, count, least) in [("rings", self.rings, 2), ("divisions", self.divisions, 3)] {
            if !(least..=MOST).contains(&count) {
                let message = format!("{name} is {count}; {least} to {MOST} are possible");
                return Err(Error::new(Kind::OutOfRange, message));
            }
        }
        positive_length("size", self.size)?;
        positive("taper", self.taper)?;
        positive("girth", self.girth)?;
        positive("stretch_ratio", self.stretch_ratio)?;
        not_negative("weight", self.weight)?;
        not_negative("bulge", self.bulge)?;
        not_negative("swell", self.swell)?;
        not_negative("flex", self.flex)?;
        self.spring.check()?;
        if !self.offsets.is_empty() && self.offsets.len() != self.vertex_count() {
            let message = format!(
                "{} offsets for {} rings of {} vertices",
                self.offsets.len(),
                self.rings,
                self.divisions
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        self.offsets.iter().try_for_each(|offset| finite("an offset", offset))
    }
}

impl End {
    fn check(&self, name: &str, joints: usize) -> Result<()> {
        check_joint(name, self.joint, joints)?;
        finite(name, &self.point)
    }
}

impl Pad {
    /// Rejects a pad that cannot be solved.
    pub fn check(&self, joints: usize) -> Result<()> {
        self.centre.check("the centre", joints)?;
        positive_length("radius", self.radius)?;
        self.spring.check()
    }
}

impl Bone {
    /// Rejects a bone that is nowhere, or has no thickness.
    pub fn check(&self, joints: usize) -> Result<()> {
        for (name, point) in ["from", "to"].into_iter().zip(self.ends) {
            End { joint: self.joint, point }.check(name, joints)?;
        }
        positive_length("radius", self.radius)
    }
}

impl Parts {
    /// Rejects parts that cannot be solved; the error names the part.
    pub fn check(&self, joints: usize) -> Result<()> {
        for muscle in &self.muscles {
            muscle.check(joints).map_err(|e| e.element(&format!("muscle {}", muscle.name)))?;
        }
        for pad in &self.pads {
            pad.check(joints).map_err(|e| e.element(&format!("pad {}", pad.name)))?;
        }
        for bone in &self.bones {
            bone.check(joints).map_err(|e| e.element(&format!("bone {}", bone.name)))?;
        }
        let vertices: usize = self.muscles.iter().map(Muscle::vertex_count).sum();
        if vertices > MOST_VERTICES {
            let message = format!(
                "the muscles have {vertices} vertices in all, and at most {MOST_VERTICES} are possible: give them \
                 fewer rings or divisions"
            );
            return Err(Error::new(Kind::TooLarge, message));
        }
        Ok(())
    }

    /// Whether the other parts have the shapes to which skin is bound, whatever their girths and their dynamics.
    pub fn rest_as(&self, other: &Parts) -> bool {
        let pads = |parts: &Parts| -> Vec<(End, Real)> {
            parts.pads.iter().map(|pad| (pad.centre, pad.radius)).collect()
        };
        self.muscles.len() == other.muscles.len()
            && self.muscles.iter().zip(&other.muscles).all(|(a, b)| a.rests_as(b))
            && pads(self) == pads(other)
            && self.bones == other.bones
    }
}

fn check_joint(name: &str, joint: usize, joints: usize) -> Result<()> {
    if joint < joints {
        return Ok(());
    }
    let message = format!("the joint of {name} is {joint}; there are {joints}");
    Err(Error::new(Kind::OutOfRange, message))
}

/// Ends closer than this coincide, in m: no muscle is a micrometre long.
const SHORTEST: Real = 1e-6;

/// More rings, or vertices in a ring, than this are a slip of the pen.
const MOST: usize = 1000;

/// More vertices of all muscles than this are one, too: a sheet is one line of a file, and could otherwise take all
/// memory.
const MOST_VERTICES: usize = 2_000_000;

/// Numbers beyond this, and positive ones below its inverse, are slips of the pen too: what is computed from them
/// overflows.
const LARGEST: Real = 1e12;

/// Says nothing of the value, which is in metres: whoever wrote it may have another unit.
fn positive_length(name: &str, value: Real) -> Result<()> {
    match value > 0.0 {
        true => within(name, value, 1.0 / LARGEST),
        false => Err(Error::new(Kind::OutOfRange, format!("{name} must be positive"))),
    }
}

fn positive(name: &str, value: Real) -> Result<()> {
    match value > 0.0 {
        true => within(name, value, 1.0 / LARGEST),
        false => Err(Error::new(Kind::OutOfRange, format!("{name} is {value}; it must be positive"))),
    }
}

fn not_negative(name: &str, value: Real) -> Result<()> {
    match value >= 0.0 {
        true => within(name, value, 0.0),
        false => Err(Error::new(Kind::OutOfRange, format!("{name} is {value}; it must not be negative"))),
    }
}

fn within(name: &str, value: Real, least: Real) -> Result<()> {
    match (least..=LARGEST).contains(&value) {
        true => Ok(()),
        false => {
            let message = format!("{name} is {value:e}; {least:?} to {LARGEST:e} are possible");
            Err(Error::new(Kind::OutOfRange, message))
        }
    }
}

fn finite(name: &str, value: &Vec3) -> Result<()> {
    if !value.iter().all(|x| x.is_finite()) {
        return Err(Error::new(Kind::NotFinite, format!("{name} is not finite")));
    }
    match value.amax() <= LARGEST {
        true => Ok(()),
        false => {
            let message = format!("{name} reaches {:e}; up to {LARGEST:e} is possible", value.amax());
            Err(Error::new(Kind::OutOfRange, message))
        }
    }
}
