//! The bones of a finger and its joints.
//!
//! A link's coordinates begin at the axis of its proximal joint: x along the bone, y dorsal, z to the thumb's side (a
//! left hand, palm down). At the start the finger is straight: every link's axes are the world's, whose origin is the
//! knuckle.

use super::measures::Finger;
use sinew_base::error::Result;
use sinew_geometry::{Girth, LongBone, MassProperties, Mesh, Solid};
use sinew_math::motion::rotation_by;
use sinew_math::{Placement, Real, Rotation, Vec3};
use sinew_strand::parts::{Axis, Body, Joint, Ligaments, Mode, Motion, Spring};
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

    /// The joint at its proximal end; the knuckle for links that do not move.
    fn base_joint(self) -> usize {
        (self as usize).saturating_sub(2)
    }

    /// The joint at its distal end; the last one for the last.
    fn head_joint(self) -> usize {
        (self as usize).saturating_sub(1).min(2)
    }
}

/// Bone sizes relative to the flesh, thickness and width: fingers have little flesh above their joints, more at
/// their sides. With these ratios the extensors' moment arms, which are the heads' radii, are those of an adult.
const BONE_IN_FLESH: [Real; 2] = [0.9, 0.8];
/// The metacarpal's share of the palm; the rest is the carpus.
const METACARPAL_IN_PALM: Real = 0.78;
/// Cartilage between bones, in m.
const GAP: Real = 0.0008;
/// The depth of the hollow in a base relative to its half thickness, as [`LongBone`] makes it; the head lies in it.
const HOLLOW: Real = 0.3;
/// The girth of the shaft relative to the mean of both ends.
const SHAFT: Real = 0.62;
/// The last phalanx' tuft relative to its base, and the flesh beyond it in m.
const TUFT: (Real, Real) = (0.6, 0.003);
/// Lengths of heads and bases relative to the bone.
const ENDS: [Real; 2] = [0.28, 0.25];
/// A quarter of the vertices around a bone.
const RESOLUTION: usize = 5;

/// Flexion's limits in degrees: \[HelpingHand table A.1\], except that PIP and DIP may hyper-extend as far as hands
/// with a deformity do: healthy ones are held back by strands and ligaments.
const FLEXION: [[Real; 2]; 3] = [[-10.0, 90.0], [-30.0, 100.0], [-30.0, 90.0]];

/// The passive resistance of a joint's capsule and ligaments to one motion. Angles in degrees.
#[derive(Clone, Copy)]
struct Passive {
    /// The rest angle when nothing pulls, and the stiffness towards it, in N m/rad.
    rest: Real,
    stiffness: Real,
    /// The angles between which it moves easily, the moment in N m of the resistance there, and the angle over which
    /// that grows by a factor of e.
    range: [Real; 2],
    moment: Real,
    width: Real,
}

/// Flexion of MCP, PIP, DIP. The ranges are those of \[HelpingHand table A.1\]: PIP has none beyond straight, where its
/// palmar plate is taut. The knuckle's stiffness is measured, 0.033 to 0.047 N m/rad in four healthy index fingers
/// (PMC7775510, table 2); those of PIP and DIP follow from it by the cube of their radii, as damping does: about 0.49
/// and 0.12 of it. All else is chosen: so that each joint rests somewhat flexed, as hands at rest do, whichever way
/// gravity pulls (the weight of a finger's links turns its joints by some 14, 6 and 4 degrees either way), and so that
/// an extensor pulling with a few newtons does not hyper-extend them further than in real hands. Capsules must not
/// couple PIP and DIP, which is what the oblique ligament does. All fingers have the same.
const FLEXING_PASSIVE: [Passive; 3] = [
    Passive { rest: 25.0, stiffness: 0.04, range: [-10.0, 90.0], moment: 0.03, width: 6.0 },
    Passive { rest: 35.0, stiffness: 0.02, range: [0.0, 100.0], moment: 0.05, width: 5.0 },
    Passive { rest: 25.0, stiffness: 0.006, range: [-10.0, 90.0], moment: 0.012, width: 6.0 },
];
/// Abduction, at whose limits \[HelpingHand table A.1\] the collateral ligaments are taut. Chosen so that both flexors,
/// which close a fist with up to a third of their strength, do not tip a finger sideways: once flexed to its limit, it
/// would otherwise give way by rotating about an oblique axis. In real hands the collateral ligaments, taut in a fist,
/// prevent it.
const SPREADING_PASSIVE: Passive =
    Passive { rest: 0.0, stiffness: 0.35, range: [0.0; 2], moment: 0.03, width: 3.0 };

/// The joints' names.
pub const JOINTS: [&str; 3] = ["MCP", "PIP", "DIP"];
pub(super) const PIP: usize = 1;
/// The index in [`Joint::motions`] of flexion.
pub const FLEXING: usize = 2;
/// The index of abduction, towards the thumb.
pub const ABDUCTING: usize = 1;

/// How joints resist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// The damping in N m s/rad of a joint whose radius is 5 mm. It scales with the cube of the radius: area times arm
    /// times shear rate of a film whose thickness scales with the joint.
    pub damping: Real,
    /// The moment in N m of dry friction, of such a joint; it grows in the same way.
    pub friction: Real,
    /// Whether ligaments and capsules pull joints towards a hand's rest posture. Without them only strands do.
    pub passive: bool,
    /// The angle, in degrees, from which the palmar plate of PIP resists hyper-extension; less than 0 if it is lax.
    pub plate: Real,
}

impl Default for Resistance {
    /// A damping of 0.0055 N m s/rad: a falling finger is slow after a tenth of a second, and pulls of a few newtons
    /// flex it within half a second. It is chosen, not measured, and how it differs from joint to joint decides how
    /// much faster the last joint flexes where nothing couples the two. No friction: cartilage has a coefficient of a
    /// few thousandths.
    fn default() -> Self {
        Resistance { damping: 0.0055, friction: 0.0, passive: true, plate: 0.0 }
    }
}

/// The freedom of the knuckle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knuckle {
    /// Flexion and abduction within their limits.
    #[default]
    Free,
    /// Flexion within its limits: comparable with a planar tendon model.
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
    spread: [Real; 2],
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
            spread: finger.spread,
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
        let turn = rotation_by(&(Vec3::x() * PI));
        let frame = Placement::new(turn, self.origin(Bone::ALL[child]));
        let frames = [parent, child].map(|b| bodies[b].place.inverse() * frame);
        let mut joint = Joint::holding(JOINTS[k], Some(parent), child, frames, [false; 6]);
        let size = (self.joints[k].half_depth / 0.005).powi(3);
        if k > 0 || knuckle != Knuckle::Held {
            let mut passive = FLEXING_PASSIVE[k];
            if k == PIP {
                passive.range[0] = resistance.plate;
            }
            joint.axes[FLEXING] = resistance.turning(size, FLEXION[k], &passive);
        }
        if k == 0 && knuckle == Knuckle::Free {
            let passive = Passive { range: self.spread, ..SPREADING_PASSIVE };
            joint.axes[ABDUCTING] = resistance.turning(size, self.spread, &passive);
        }
        joint
    }
}

impl Resistance {
    /// A rotation between limits in degrees, of a joint `size` times as large as the one for which the resistance is
    /// given.
    fn turning(&self, size: Real, limits: [Real; 2], passive: &Passive) -> Axis {
        let [from, to] = limits.map(Real::to_radians);
        let stiffness = if self.passive { passive.stiffness } else { 0.0 };
        let damping = self.damping * size;
        Axis {
            motion: Motion::Limited(from, to),
            friction: self.friction * size,
            spring: (stiffness + damping > 0.0).then_some(Spring {
                stiffness,
                rest: if self.passive { passive.rest.to_radians() } else { 0.0 },
                damping,
            }),
            ligaments: self.passive.then_some(Ligaments {
                range: passive.range.map(Real::to_radians),
                moment: passive.moment,
                width: passive.width.to_radians(),
            }),
        }
    }
}

fn moved(mut mesh: Mesh, by: impl Fn(&Vec3) -> Vec3) -> Mesh {
    mesh.positions.iter_mut().for_each(|p| *p = by(p));
    mesh
}
