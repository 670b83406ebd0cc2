//! The positions of a finger's points, planes and lines: our placement, since \[HandThesis\] shows its own in pictures
//! only.
//!
//! Positions are relative to the joints' radii and widths, so that one table serves every finger. Flexors' moment arms
//! follow \[HelpingHand table A.4\]: FDP 11.1, 7.9, 4.1 mm at MCP, PIP, DIP, FDS 11.9 and 6.2 mm; the extensors' are
//! the radii of the heads around which they run.

use super::bones::Bone;
use super::bones::Bone::{Distal, Metacarpal, Middle, Proximal, Wrist};
use super::bones::Skeleton;
use super::routing::Cut;
use sinew_math::motion::rotation_by;
use sinew_math::{Placement, Real, Rotation, Vec3};
use sinew_strand::parts::{Lie, Plane};
use std::f64::consts::FRAC_PI_2;

/// A position along a link, and the joint whose measures apply there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Along {
    /// Radii of the proximal joint beyond it.
    Base(Real),
    /// Radii of the distal joint before it.
    Head(Real),
    /// A fraction of the length; the distal joint's measures apply.
    Part(Real),
}

use Along::{Base, Head, Part};

/// A constraint on a free point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It lies in a plane.
    Inside(Cut),
    /// It does not go below a plane.
    Above(Cut),
    /// It stays out of the bone that a plane cuts.
    Outside(Cut),
}

use Bound::{Above, Inside, Outside};

/// A point: its name, the link in which it is placed, along the bone, dorsal in radii, radial in half widths; its
/// constraints, none for a point carried by the bone.
pub(super) type Site = (&'static str, Bone, Along, Real, Real, &'static [Bound]);

/// All points except the first ones of muscles, which their lines place.
///
/// Nodes on both sides of a joint are far enough from it not to pass each other at the limit of flexion a: farther
/// than their palmar distance times tan(a / 2).
pub(super) const SITES: &[Site] = &[
    ("DI 2", Metacarpal, Head(1.3), -0.5, 1.15, &[]),
    ("DI 3", Proximal, Base(1.5), -0.5, 1.1, &[]),
    ("PI 2", Metacarpal, Head(1.3), -0.9, -1.1, &[]),
    ("PI 3", Proximal, Base(1.5), -0.9, -1.05, &[]),
    ("FDP 2", Wrist, Base(0.0), -1.2, 0.0, &[]),
    ("FDP 3", Metacarpal, Head(1.8), -1.6, 0.0, &[]),
    ("FDP 4", Proximal, Base(1.8), -1.6, 0.0, &[]),
    ("FDP 5", Proximal, Head(1.95), -1.45, 0.0, &[]),
    ("FDP 6", Middle, Base(1.95), -1.45, 0.0, &[]),
    ("FDP 7", Middle, Head(1.6), -1.22, 0.0, &[]),
    ("FDP 8", Distal, Base(1.6), -1.22, 0.0, &[]),
    ("FDS 2", Wrist, Base(0.0), -1.6, 0.0, &[]),
    ("FDS 3", Metacarpal, Head(1.9), -1.75, 0.0, &[]),
    ("FDS 4", Proximal, Base(1.9), -1.75, 0.0, &[]),
    ("FDS 5", Proximal, Head(1.7), -1.15, 0.4, &[]),
    ("FDS 6", Middle, Base(1.7), -1.15, 0.4, &[]),
    ("EDC 2", Wrist, Base(0.0), 1.3, 0.0, &[]),
    ("EDC 3", Metacarpal, Part(0.4), 1.0, 0.0, &[]),
    ("EDC 4", Metacarpal, Head(2.0), 1.05, 0.0, &[]),
    ("EDC 5", Metacarpal, Head(PLANE1), 1.02, 0.0, MCP_HEAD),
    ("EDC 6", Proximal, Base(PLANE0), 1.08, 0.0, MCP_BASE),
    ("EDC 7", Proximal, Base(2.4), 0.95, 0.0, &[]),
    ("EDC 8", Proximal, Part(0.55), 0.95, 0.0, &[]),
    ("EDC 9", Proximal, Head(1.8), 1.02, 0.0, &[]),
    ("EDC 10", Proximal, Head(PLANE1), 1.02, 0.0, PIP_HEAD),
    ("EDC 11", Middle, Base(1.5), 1.0, 0.0, &[]),
    ("LUM 2", Metacarpal, Head(1.4), -1.0, 1.1, &[]),
    ("LUM 3", Proximal, Base(1.6), -0.7, 1.1, &[]),
    ("LUM 4", Proximal, Part(0.5), 0.1, 1.0, SIDE),
    ("IntMed 5", Proximal, Part(0.62), 0.8, 0.7, &[]),
    ("ExtLat 9", Proximal, Head(PLANE1), 0.4, 1.2, BESIDE_HEAD),
    ("ExtLat 10", Middle, Base(PLANE0), 0.4, 1.15, BESIDE_BASE),
    ("ExtLat 11", Middle, Base(2.2), 0.75, 0.7, &[]),
    ("ExtLat 12", Middle, Part(0.62), 1.15, 0.4, &[]),
    ("ExtLat 13", Middle, Head(2.0), 1.02, 0.0, &[]),
    ("ExtLat 14", Middle, Head(PLANE1), 1.02, 0.0, DIP_HEAD),
    ("ExtLat 15", Distal, Base(1.5), 1.0, 0.0, &[]),
    ("OL 1", Proximal, Head(2.4), PALMAR - 0.2, 1.0, &[]),
    ("OL 2", Proximal, Head(0.15), PALMAR, 1.05, &[]),
    ("OL 3", Middle, Base(PLANE0), 0.1, 1.15, OBLIQUE),
    ("DI 4", Proximal, Head(0.0), WING, 1.15, &[]),
    ("DI 5", Middle, Part(0.62), 1.1, 0.5, &[]),
    ("PI 4", Proximal, Head(0.0), WING, -1.15, &[]),
    ("PI 5", Middle, Part(0.62), 1.1, -0.5, &[]),
    ("DI 6", Proximal, Part(0.62), 0.8, 0.7, &[]),
    ("PI 6", Proximal, Part(0.62), 0.8, -0.7, &[]),
];

/// How far above the axis of PIP the wings of the interossei run, in radii: their moment arm there is 1.6 mm
/// \[HelpingHand table A.4\].
const WING: Real = 0.3;

/// Where the oblique ligament passes the head of the proximal bone, in radii from the axis of PIP. Its node beyond the
/// joint slides to where the ligament is shortest. It passes so near the axis that its moment arm is nearly even, 2.2
/// to 2.7 mm in an index finger up to 50 degrees, against 3.4 mm at DIP: taut when the finger is nearly straight, it
/// gives way for DIP to be flexed by 33, 59 and 78 degrees with PIP at 30, 60 and 90 (tests/hand/anatomy.rs). So both
/// joints flex together \[HandThesis §3.4\], and a fist closes all the same.
///
/// In dissected fingers it lies palmar to the axis only where PIP is flexed (El-Gammal, Steyers, Blair, Maynard,
/// "Anatomy of the oblique retinacular ligament of the index finger", 1993). With an arm that grows from zero, DIP
/// would flex by 12 degrees at 30 of PIP: held so straight, it leaves the lateral band slack, the extensor pulls at PIP
/// alone, and no muscles could extend the knuckle without PIP.
const PALMAR: Real = -0.45;

/// The position of a site in the world at the start; DI and PI swap sides in fingers where these are crossed.
pub(super) fn site_place(bones: &Skeleton, site: &Site, crossed: bool) -> Vec3 {
    let &(name, bone, along, dorsal, side, _) = site;
    let other_side = crossed && (name.starts_with("DI ") || name.starts_with("PI "));
    place(bones, bone, along, dorsal, if other_side { -side } else { side })
}

/// Planes at joints, in radii from the joint. The one on the head is near the axis, around which a tendon then runs
/// evenly; the one beyond the joint is as near as possible while still cutting the hollow base.
const PLANE1: Real = 0.3;
const PLANE0: Real = 1.25;
/// How far below the joints' axes `hplane`s lie, in radii: lateral bands may fall below the axis, as a boutonniere
/// requires.
const BELOW: Real = 0.3;

const MCP_HEAD: &[Bound] =
    &[Inside(Cut::MetacarpalPlane1), Inside(Cut::MetacarpalVplane), Outside(Cut::MetacarpalPlane1)];
const MCP_BASE: &[Bound] =
    &[Inside(Cut::ProximalPlane0), Inside(Cut::MetacarpalVplane), Outside(Cut::ProximalPlane0)];
const PIP_HEAD: &[Bound] =
    &[Inside(Cut::ProximalPlane1), Inside(Cut::ProximalVplane), Outside(Cut::ProximalPlane1)];
const DIP_HEAD: &[Bound] =
    &[Inside(Cut::MiddlePlane1), Inside(Cut::MiddleVplane), Outside(Cut::MiddlePlane1)];
const BESIDE_HEAD: &[Bound] =
    &[Inside(Cut::ProximalPlane1), Above(Cut::ProximalHplane), Outside(Cut::ProximalPlane1)];
const BESIDE_BASE: &[Bound] =
    &[Inside(Cut::MiddlePlane0), Above(Cut::ProximalHplane), Outside(Cut::MiddlePlane0)];
const OBLIQUE: &[Bound] = &[Inside(Cut::MiddlePlane0), Above(Cut::MiddleHplane), Outside(Cut::MiddlePlane0)];
const SIDE: &[Bound] =
    &[Inside(Cut::ProximalTplane), Above(Cut::ProximalHplane), Outside(Cut::ProximalTplane)];

/// A muscle's line: its name, which is that of its strand; the bone that carries it; the start position of the muscle's
/// point on it, in m proximal to the strand's second node; how far that point may move, in m, to either end.
pub(super) type Line = (&'static str, Bone, Real, Real);

/// The lines. Extrinsic muscles lie proximal to the wrist; flexors of the fingers move by up to 40 mm (Brand and
/// Hollister, "Clinical mechanics of the hand", 1993), intrinsic ones by half of that. From straight to a fist the deep
/// flexor of the middle finger, whose joints are the thickest here, moves by 60 mm.
pub(super) const LINES: [Line; 6] = [
    ("DI", Metacarpal, 0.035, 0.020),
    ("PI", Metacarpal, 0.035, 0.020),
    ("FDP", Wrist, 0.065, 0.070),
    ("FDS", Wrist, 0.065, 0.070),
    ("EDC", Wrist, 0.065, 0.070),
    ("LUM", Metacarpal, 0.040, 0.030),
];

/// A position on a link, in the world at the start.
fn place(bones: &Skeleton, bone: Bone, along: Along, dorsal: Real, side: Real) -> Vec3 {
    let (base, head) = (bones.base(bone), bones.head(bone));
    let (x, girth) = match along {
        Base(k) => (k * base.half_depth, base),
        Head(k) => (bones.length(bone) - k * head.half_depth, head),
        Part(part) => (part * bones.length(bone), head),
    };
    bones.origin(bone) + Vec3::new(x, dorsal * girth.half_depth, side * girth.half_width)
}

/// A plane's placement at the start, in the world. The normals point along the bone, up, to the thumb.
fn frame(bones: &Skeleton, cut: Cut) -> Placement {
    let (bone, kind) = cut.name();
    let at = |along, dorsal| place(bones, bone, along, dorsal, 0.0);
    let forward = rotation_by(&(Vec3::y() * FRAC_PI_2));
    match kind {
        "plane0" => Placement::new(forward, at(Base(PLANE0), 0.0)),
        "plane1" => Placement::new(forward, at(Head(PLANE1), 0.0)),
        "tplane" => Placement::new(forward, at(Part(0.5), 0.0)),
        "hplane" => Placement::new(rotation_by(&(Vec3::x() * -FRAC_PI_2)), at(Head(0.0), -BELOW)),
        _ => Placement::new(Rotation::identity(), at(Head(0.0), 0.0)),
    }
}

/// A plane; `places` are the bodies' placements at the start.
pub(super) fn plane(bones: &Skeleton, digit: &str, cut: Cut, places: &[Placement]) -> Plane {
    let frame = frame(bones, cut);
    let inside = |bone: Bone| places[bone as usize].inverse() * frame;
    let (bone, kind) = cut.name();
    let lie = match cut.parents() {
        (a, Some(b)) => Lie::Blending([a as usize, b as usize], [inside(a), inside(b)], 0.5),
        (a, None) => Lie::Fixed(a as usize, inside(a)),
    };
    // Only planes across a bone have a cross-section that nodes could enter.
    let crossing = !matches!(kind, "hplane" | "vplane");
    let name = format!("{digit} {} {kind}", bone.name());
    Plane { name, lie, bone: crossing.then_some(bone as usize) }
}
