//! The positions of a finger's points and planes: our placement, since \[HandThesis\] shows its own in pictures
//! only.

use super::bones::Bone;
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

/// The position of a site in the world at the start; DI and PI swap sides in fingers where these are crossed.
pub(super) fn site_place(bones: &Skeleton, site: &Site, crossed: bool) -> Vec3 {
    let &(name, bone, along, dorsal, side, _) = site;
    let other_side = crossed && (name.starts_with("DI ") || name.starts_with("PI "));
    place(bones, bone, along, dorsal, if other_side { -side } else { side })
}

/// Planes at joints, in radii from the joint. The one on the head is near the axis, around which a tendon then runs
/// evenly; the one beyond the joint is as near as possible while still cutting the hollow base.
pub(super) const PLANE1: Real = 0.3;
pub(super) const PLANE0: Real = 1.25;
/// How far below the joints' axes `hplane`s lie, in radii: lateral bands may fall below the axis, as a boutonniere
/// requires.
const BELOW: Real = 0.3;

pub(super) const MCP_HEAD: &[Bound] =
    &[Inside(Cut::MetacarpalPlane1), Inside(Cut::MetacarpalVplane), Outside(Cut::MetacarpalPlane1)];
pub(super) const MCP_BASE: &[Bound] =
    &[Inside(Cut::ProximalPlane0), Inside(Cut::MetacarpalVplane), Outside(Cut::ProximalPlane0)];
pub(super) const PIP_HEAD: &[Bound] =
    &[Inside(Cut::ProximalPlane1), Inside(Cut::ProximalVplane), Outside(Cut::ProximalPlane1)];
pub(super) const DIP_HEAD: &[Bound] =
    &[Inside(Cut::MiddlePlane1), Inside(Cut::MiddleVplane), Outside(Cut::MiddlePlane1)];
pub(super) const BESIDE_HEAD: &[Bound] =
    &[Inside(Cut::ProximalPlane1), Above(Cut::ProximalHplane), Outside(Cut::ProximalPlane1)];
pub(super) const BESIDE_BASE: &[Bound] =
    &[Inside(Cut::MiddlePlane0), Above(Cut::ProximalHplane), Outside(Cut::MiddlePlane0)];
pub(super) const OBLIQUE: &[Bound] =
    &[Inside(Cut::MiddlePlane0), Above(Cut::MiddleHplane), Outside(Cut::MiddlePlane0)];
pub(super) const SIDE: &[Bound] =
    &[Inside(Cut::ProximalTplane), Above(Cut::ProximalHplane), Outside(Cut::ProximalTplane)];

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
