//! The bones of a finger and its joints.
//!
//! A link's coordinates begin at the axis of its proximal joint: x along the bone, y dorsal, z to the thumb's side (a left
//! hand, palm down). At the start the finger is straight: every link's axes are the world's, whose origin is the knuckle.

use super::measures::Finger;
use crate::error::Result;
use crate::geometry::{Girth, LongBone, MassProperties, Mesh, Solid};
use crate::math::{Placement, Real, Rotation, Vec3};
use crate::strand::joint::{Axis, Joint, Motion, Spring};
use crate::strand::model::{Body, Mode};
use std::f64::consts::PI;

/// The links of a finger, in the order of their bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bone {
    /// The carpus: a frame without a shape.
    Wrist,
    /// In the palm.
    Metacarpal,
    /// The first phalanx.
    Proximal,
    /// The second.
    Middle,
    /// The last.
    Distal,
}

impl Bone {
    /// All.
    pub const ALL: [Bone; 5] = [Bone::Wrist, Bone::Metacarpal, Bone::Proximal, Bone::Middle, Bone::Distal];

    /// Its name in \[HandThesis §A\].
    pub fn name(self) -> &'static str {
        ["Wrist", "Metacarpal", "Proximal", "Middle", "Distal"][self as usize]
    }

    /// The joint at its proximal end; that of the knuckle for those that do not move.
    fn base_joint(self) -> usize {
        (self as usize).saturating_sub(2)
    }

    /// The joint at its distal end; the last one for the last.
    fn head_joint(self) -> usize {
        (self as usize).saturating_sub(1).min(2)
    }
}

/// Bones in parts of the flesh's measures, thickness and width: fingers have little flesh above their joints, more at
/// their sides. With these parts the extensors' arms, which are the heads' radii, are those of an adult.
const BONE_IN_FLESH: [Real; 2] = [0.9, 0.8];
/// The metacarpal's part of the palm; the rest is the carpus.
const METACARPAL_IN_PALM: Real = 0.78;
/// Cartilage between bones, in m.
const GAP: Real = 0.0008;
/// A base is hollow by this part of its half thickness, as [`LongBone`] makes it; the head before it lies in the hollow.
const HOLLOW: Real = 0.3;
/// The shaft in parts of the mean of both ends.
const SHAFT: Real = 0.62;
/// The last phalanx' tuft in parts of its base, and the flesh before it in m.
const TUFT: (Real, Real) = (0.6, 0.003);
/// Heads and bases in parts of the bone's length.
const ENDS: [Real; 2] = [0.28, 0.25];
/// A quarter of the vertices around a bone.
const RESOLUTION: usize = 5;

/// Flexion's and abduction's limits in degrees: \[HelpingHand table A.1\], but that PIP and DIP may hyper-extend as far as
/// hands with a deformity do: what holds sound ones back are strands.
const FLEXION: [[Real; 2]; 3] = [[-10.0, 90.0], [-30.0, 100.0], [-30.0, 90.0]];
const ABDUCTION: Real = 20.0;

/// The joints' names.
pub const JOINTS: [&str; 3] = ["MCP", "PIP", "DIP"];
/// The motion of [`Joint::motions`] that is flexion.
pub const FLEXING: usize = 2;
/// The motion that is abduction, to the thumb's side.
pub const ABDUCTING: usize = 1;

/// How joints resist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// The damping in N m s/rad of a joint whose radius is 5 mm. That of others goes with the cube of the radius: area times arm
    /// times speed of a film as thick as the joint is large.
    pub damping: Real,
    /// The moment in N m of dry friction, of such a joint; it grows in the same way.
    pub friction: Real,
}

impl Default for Resistance {
    /// A damping of 0.004 N m s/rad: a finger that falls is slow after a tenth of a second, and pulls of some newtons
    /// flex it within half a second. It is chosen, not measured, and how it differs from joint to joint decides how
    /// much faster the last joint flexes where nothing couples the two. No friction: joints of cartilage have a
    /// coefficient of some thousandths.
    fn default() -> Self {
        Resistance { damping: 0.004, friction: 0.0 }
    }
}

/// What the knuckle may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knuckle {
    /// Flexion and abduction within their limits.
    Free,
    /// Flexion within its limits. The routing has the tendons of one side only, as in \[HandThesis §3.1\], which pull
    /// to that side; so this is what is used.
    #[default]
    Flexing,
    /// Nothing: straight.
    Held,
}

/// The measures of a finger's bones.
#[derive(Clone, Copy, Debug)]
pub struct Skeleton {
    /// Half thickness and half width of the bones' ends at MCP, PIP, DIP. The former are the rolling surfaces' radii.
    pub joints: [Girth; 3],
    /// The length of each link.
    pub lengths: [Real; 5],
    masses: [Real; 3],
}

impl Skeleton {
    /// Of a finger.
    pub fn new(finger: &Finger) -> Self {
        let metacarpal = METACARPAL_IN_PALM * finger.palm;
        let [a, b, c] = finger.links.map(|link| link.length);
        Skeleton {
            joints: finger.links.map(|link| Girth {
                half_width: link.half_width * BONE_IN_FLESH[1],
                half_depth: link.half_depth * BONE_IN_FLESH[0],
            }),
            lengths: [finger.palm - metacarpal, metacarpal, a, b, c],
            masses: finger.links.map(|link| link.mass),
        }
    }

    /// The girth of the bones at a link's proximal joint.
    pub fn base(&self, bone: Bone) -> Girth {
        self.joints[bone.base_joint()]
    }

    /// The girth of the bones at a link's distal joint.
    pub fn head(&self, bone: Bone) -> Girth {
        self.joints[bone.head_joint()]
    }

    /// The length of a link.
    pub fn length(&self, bone: Bone) -> Real {
        self.lengths[bone as usize]
    }

    /// Where a link begins, in the world at the start.
    pub fn origin(&self, bone: Bone) -> Vec3 {
        let before: Real = self.lengths[..bone as usize].iter().sum();
        Vec3::x() * (before - self.lengths[0] - self.lengths[1])
    }

    /// A bone and where its base begins in the link; none for the carpus.
    pub fn bone(&self, bone: Bone) -> Option<(LongBone, Real)> {
        let scaled = |girth: Girth, by: Real| Girth {
            half_width: girth.half_width * by,
            half_depth: girth.half_depth * by,
        };
        let (base, mut distal, end) = (self.base(bone), self.head(bone), self.length(bone));
        let start = base.half_depth * (1.0 - HOLLOW) + GAP;
        let (start, end) = match bone {
            Bone::Wrist => return None,
            Bone::Metacarpal => (0.0, end + distal.half_depth),
            Bone::Distal => {
                distal = scaled(distal, TUFT.0);
                (start, end - TUFT.1)
            }
            _ => (start, end + distal.half_depth),
        };
        let length = end - start;
        let mean = Girth {
            half_width: 0.5 * (base.half_width + distal.half_width),
            half_depth: 0.5 * (base.half_depth + distal.half_depth),
        };
        let shape = LongBone {
            length,
            base,
            shaft: scaled(mean, SHAFT),
            distal,
            base_length: ENDS[0] * length,
            distal_length: (ENDS[1] * length).max(1.2 * distal.half_depth),
            resolution: RESOLUTION,
        };
        Some((shape, start))
    }

    /// The body of a link, at the start.
    pub fn body(&self, bone: Bone) -> Result<Body> {
        let link = Placement::new(Rotation::identity(), self.origin(bone));
        let moving = matches!(bone, Bone::Proximal | Bone::Middle | Bone::Distal);
        let mut body = Body {
            name: bone.name().into(),
            place: link,
            mass: 0.0,
            moments: Vec3::zeros(),
            mode: if moving { Mode::Free } else { Mode::Removed },
            solid: None,
        };
        if let Some((shape, start)) = self.bone(bone) {
            let mesh = moved(shape.mesh()?, |p| p + Vec3::x() * start);
            let solid = Solid::new(&mesh)?;
            // The bone carries the mass of its flesh.
            let mass = self.masses[bone.base_joint()];
            let principal = MassProperties::of_solid(&solid, mass / solid.volume())?.principal();
            let inside = principal.placement;
            body.solid = Some(Solid::new(&moved(mesh, |p| inside.point_inside(p)))?);
            (body.place, body.mass, body.moments) = (link * inside, mass, principal.moments);
        }
        Ok(body)
    }

    /// The joint at the proximal end of a phalanx.
    pub fn joint(&self, k: usize, bodies: &[Body], knuckle: Knuckle, resistance: &Resistance) -> Joint {
        let (parent, child) = (k + 1, k + 2);
        // Turned half around x: flexion, which turns x to -y, is then positive about z, and abduction about y.
        let turn = Rotation::from_scaled_axis(Vec3::x() * PI);
        let frame = Placement::new(turn, self.origin(Bone::ALL[child]));
        let frames = [parent, child].map(|b| bodies[b].place.inverse() * frame);
        let mut joint = Joint::holding(JOINTS[k], Some(parent), child, frames, [false; 6]);
        let size = (self.joints[k].half_depth / 0.005).powi(3);
        let turning = |[from, to]: [Real; 2]| Axis {
            motion: Motion::Limited(from.to_radians(), to.to_radians()),
            friction: resistance.friction * size,
            spring: (resistance.damping > 0.0).then_some(Spring {
                stiffness: 0.0,
                rest: 0.0,
                damping: resistance.damping * size,
            }),
            ligaments: None,
        };
        if k > 0 || knuckle != Knuckle::Held {
            joint.axes[FLEXING] = turning(FLEXION[k]);
        }
        if k == 0 && knuckle == Knuckle::Free {
            joint.axes[ABDUCTING] = turning([-ABDUCTION, ABDUCTION]);
        }
        joint
    }
}

fn moved(mut mesh: Mesh, by: impl Fn(&Vec3) -> Vec3) -> Mesh {
    mesh.positions.iter_mut().for_each(|p| *p = by(p));
    mesh
}
