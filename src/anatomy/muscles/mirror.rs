//! The other side of a set.

use super::Rig;
use super::transfer::{Copied, copy};
use super::upright::{leans_on_its_joint, with_ups};
use crate::roles::Roles;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Real, Vec3, affine, linear};
use sinew_muscle::Limb;
use sinew_scene::few::few;
use sinew_scene::muscles::{BoneElement, HeadElement, MuscleElement, MuscleSet, OffsetElement, PadElement};
use sinew_scene::sides::other_side;
use sinew_scene::spoken::{Side, Spoken};
use sinew_scene::strand::values::Triple;
use std::collections::{HashMap, HashSet};

/// What mirroring added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrored {
    /// The number of muscles, pads and bones.
    pub added: usize,
    /// What may not be meant, one sentence each.
    pub warnings: Vec<String>,
}

/// Adds to a set what is missing on the other side: the mirror images, at the plane through the origin perpendicular to
/// an axis (0, 1, 2 for x, y, z), of everything whose mirrored name is not there. What has no side in its name is left
/// as it is. What has one, on joints that have none, is mirrored with a warning.
///
/// Without the rig nobody knows the axes of joints: sculpted muscles without an up-vector are mirrored with a warning.
pub fn mirror(set: &mut MuscleSet, axis: usize) -> Result<Mirrored> {
    if axis > 2 {
        return Err(Error::new(
            Kind::OutOfRange,
            format!("there is no axis {axis}; 0, 1 and 2 are x, y and z"),
        ));
    }
    let images = Images::new(
        set,
        &Mirror { normal: Vec3::ith(axis, 1.0), opposite: HashMap::new(), unknown: HashSet::new() },
    );
    let warnings = images.warnings();
    Ok(images.join(set, warnings))
}

/// The same on a rig, which may stand and be turned anywhere, and need not be symmetric: the images are carried by the
/// joints of the other side as the originals are by theirs, and sculpted muscles without an up-vector get the one that
/// they have from their joints. Images on joints that the rig lacks are left out with a warning. The rig is in the
/// space of the set.
pub fn mirror_on(set: &mut MuscleSet, rig: &Rig, control: &Control) -> Result<Mirrored> {
    let mirror = Mirror::between_sides(rig)?;
    let mut whole = with_ups(set, rig)?;
    let mut images = Images::new(&whole, &mirror);
    let mut warnings = images.warnings();
    if images.count() > 0 {
        let names: Vec<String> = rig.names.iter().map(|name| mirror.counterpart(name)).collect();
        let place = |joint: usize| affine(&linear(&rig.rest[joint]), &mirror.reflected(&rig.position(joint)));
        let rest: Vec<Affine> = (0..names.len()).map(place).collect();
        let Copied { set, warnings: missing } =
            copy(&images.set, &Rig { names: &names, rest: &rest, ..Rig::default() }, &by_name(rig), control)?;
        images.set = set;
        warnings.extend(missing);
    }
    let mirrored = images.join(&mut whole, warnings);
    *set = whole;
    Ok(mirrored)
}

/// The same rig, in which the names of joints count alone.
fn by_name<'a>(rig: &Rig<'a>) -> Rig<'a> {
    Rig { names: rig.names, rest: rig.rest, ..Rig::default() }
}

/// A mirror: a plane through the origin.
struct Mirror {
    /// The unit vector across it.
    normal: Vec3,
    /// The names of joints on the other side where names do not tell sides, but roles do.
    opposite: HashMap<String, String>,
    /// Joints of such a rig about which nothing is known.
    unknown: HashSet<String>,
}

impl Mirror {
    /// Across the body, from the right to the left: the mean over all joints that have a counterpart.
    fn between_sides(rig: &Rig) -> Result<Self> {
        let left = |joint: &usize| Spoken::new(&rig.names[*joint]).side == Some(Side::Left);
        let across = (0..rig.names.len()).filter(left).filter_map(|joint| {
            let other = rig.find(&other_side(&rig.names[joint]))?;
            Some(rig.position(joint) - rig.position(other))
        });
        let mut across: Vec<Vec3> = across.collect();
        let roles = Roles::find(rig);
        let opposite = opposite(rig, &roles);
        let unknown = |joint: &usize| {
            let name = &rig.names[*joint];
            !opposite.is_empty() && other_side(name) == *name && roles.of(*joint).is_none()
        };
        let unknown: HashSet<String> =
            (0..rig.names.len()).filter(unknown).map(|joint| rig.names[joint].clone()).collect();
        if across.is_empty() {
            let place = |name: &String| rig.find(name).map(|joint| rig.position(joint));
            let on_left = opposite.iter().filter(|(_, (_, side))| *side == Side::Left);
            across = on_left.filter_map(|(own, (other, _))| Some(place(own)? - place(other)?)).collect();
        }
        let opposite: HashMap<String, String> =
            opposite.into_iter().map(|(own, (other, _))| (own, other)).collect();
        let sum: Vec3 = across.iter().sum();
        let total: Real = across.iter().map(Vec3::norm).sum();
        if across.is_empty() {
            return Err(Error::new(
                Kind::NotFound,
                "the rig has no joint on the left with a counterpart on the right: sides are recognised by name, such \
                 as arm_L, LeftArm and LThumb, and on human rigs by place",
            ));
        }
        let nowhere = "the joints on the left lie in no common direction from those on the right";
        let normal = sum.try_normalize(SCATTERED * total).ok_or(Error::new(Kind::Degenerate, nowhere))?;
        Ok(Mirror { normal, opposite, unknown })
    }

    /// The name of the joint on the other side.
    fn joint(&self, name: &str) -> String {
        self.opposite.get(name).cloned().unwrap_or_else(|| other_side(name))
    }

    /// The same for places to compare; none for a joint of which nobody knows what it is the mirror image of.
    fn counterpart(&self, name: &str) -> String {
        if self.unknown.contains(name) { String::new() } else { self.joint(name) }
    }

    fn reflected(&self, v: &Vec3) -> Vec3 {
        v - self.normal * (2.0 * self.normal.dot(v))
    }

    fn of(&self, v: Triple) -> Triple {
        Triple(self.reflected(&v.vec()).into())
    }
}

/// For joints whose names have no side: the joint on the other side, by what they do, and their own side.
fn opposite(rig: &Rig, roles: &Roles) -> HashMap<String, (String, Side)> {
    let each = roles.all().iter().filter_map(|found| {
        let (name, side) = (&rig.names[found.joint], found.role.side()?);
        let other = roles.joint(found.role.opposite())?;
        (other_side(name) == *name).then(|| (name.clone(), (rig.names[other].clone(), side)))
    });
    each.collect()
}

/// Ways from right to left whose mean is shorter than this fraction of their lengths have no common direction.
const SCATTERED: Real = 1e-3;

/// A muscle, pad or bone.
trait Part {
    fn name(&self) -> &str;
    /// The joints that carry it.
    fn joints(&self) -> [&str; 2];
    fn image(&self, mirror: &Mirror) -> Self;
}

impl Part for MuscleElement {
    fn name(&self) -> &str {
        &self.name
    }
    fn joints(&self) -> [&str; 2] {
        [&self.origin_joint, &self.insertion_joint]
    }
    fn image(&self, mirror: &Mirror) -> Self {
        muscle(self, mirror)
    }
}

impl Part for PadElement {
    fn name(&self) -> &str {
        &self.name
    }
    fn joints(&self) -> [&str; 2] {
        [&self.joint; 2]
    }
    fn image(&self, mirror: &Mirror) -> Self {
        pad(self, mirror)
    }
}

impl Part for BoneElement {
    fn name(&self) -> &str {
        &self.name
    }
    fn joints(&self) -> [&str; 2] {
        [&self.joint; 2]
    }
    fn image(&self, mirror: &Mirror) -> Self {
        bone(self, mirror)
    }
}

/// Mirror images, and the names of originals about which there is something to say.
struct Images {
    /// The images alone.
    set: MuscleSet,
    /// The names of originals whose images are carried by the same joints.
    on_the_same_joints: Vec<String>,
    /// Those of sculpted muscles without an up-vector.
    leaning: Vec<String>,
}

impl Images {
    /// The images of those parts of a set that have no counterpart.
    fn new(set: &MuscleSet, mirror: &Mirror) -> Self {
        let mut on_the_same_joints = Vec::new();
        let images = MuscleSet {
            muscles: images(&set.muscles, mirror, &mut on_the_same_joints),
            pads: images(&set.pads, mirror, &mut on_the_same_joints),
            bones: images(&set.bones, mirror, &mut on_the_same_joints),
            ..set.clone()
        };
        let leaning = images.muscles.iter().filter(|e| leans_on_its_joint(e));
        let leaning = leaning.map(|e| other_side(e.name.as_str())).collect();
        Images { set: images, on_the_same_joints, leaning }
    }

    fn count(&self) -> usize {
        self.set.muscles.len() + self.set.pads.len() + self.set.bones.len()
    }

    /// Adds them to the set.
    fn join(self, set: &mut MuscleSet, warnings: Vec<String>) -> Mirrored {
        let added = self.count();
        set.muscles.extend(self.set.muscles);
        set.pads.extend(self.set.pads);
        set.bones.extend(self.set.bones);
        Mirrored { added, warnings }
    }

    /// Without the rig, a joint in the middle of a body cannot be told from an arm's whose name lacks the side.
    fn warnings(&self) -> Vec<String> {
        let (same, leaning) = (&self.on_the_same_joints, &self.leaning);
        let mut warnings = Vec::new();
        if !same.is_empty() {
            let images = if same.len() == 1 { "its mirror image stays" } else { "their mirror images stay" };
            warnings.push(format!(
                "{}: {images} on the same joints, whose names have no side; this is right only for joints in the \
                 middle of the body",
                few(same, same.len())
            ));
        }
        if !leaning.is_empty() {
            let they =
                if leaning.len() == 1 { "it is sculpted and has" } else { "they are sculpted and have" };
            warnings.push(format!(
                "{}: {they} no up-vector, so what is sculpted follows the axes of the joints, which need not be \
                 mirrored; mirrored on the rig (--joints), shapes are kept",
                few(leaning, leaning.len())
            ));
        }
        warnings
    }
}

/// The images of those parts that have no counterpart; the names of those whose images are carried by the same joints.
fn images<T: Part>(parts: &[T], mirror: &Mirror, on_the_same_joints: &mut Vec<String>) -> Vec<T> {
    let known: HashSet<&str> = parts.iter().map(T::name).collect();
    let mut images = Vec::new();
    for part in parts {
        let image = part.image(mirror);
        if known.contains(image.name()) {
            continue;
        }
        if image.joints() == part.joints() {
            on_the_same_joints.push(part.name().to_string());
        }
        images.push(image);
    }
    images
}

fn muscle(e: &MuscleElement, mirror: &Mirror) -> MuscleElement {
    let turn = |v: Option<Triple>| v.map(|v| mirror.of(v));
    MuscleElement {
        name: other_side(&e.name).into(),
        origin_joint: mirror.joint(&e.origin_joint),
        origin: mirror.of(e.origin),
        origin_to: turn(e.origin_to),
        insertion_joint: mirror.joint(&e.insertion_joint),
        insertion: mirror.of(e.insertion),
        insertion_to: turn(e.insertion_to),
        middle: mirror.of(e.middle),
        middle_joint: e.middle_joint.as_deref().map(|joint| mirror.joint(joint)),
        up: turn(e.up),
        limb: e.limb.map(Limb::mirrored),
        heads: e.heads.iter().map(|head| self::head(head, mirror)).collect(),
        offsets: e.offsets.iter().map(|offset| self::offset(offset, e.divisions)).collect(),
        ..e.clone()
    }
}

fn head(e: &HeadElement, mirror: &Mirror) -> HeadElement {
    HeadElement {
        name: other_side(&e.name).into(),
        origin_joint: mirror.joint(&e.origin_joint),
        origin: mirror.of(e.origin),
        middle: e.middle.map(|v| mirror.of(v)),
        ..e.clone()
    }
}

/// The third axis of a ring is the cross product of the tangent and the up-vector, which a mirror reverses: the ring is
/// counted the other way round.
fn offset(e: &OffsetElement, divisions: u32) -> OffsetElement {
    let Triple([along, b, c]) = e.by;
    // One that is not there stays where it was.
    let vertex = if (1..divisions).contains(&e.vertex) { divisions - e.vertex } else { e.vertex };
    OffsetElement { vertex, by: Triple([along, b, -c]), ..e.clone() }
}

fn pad(e: &PadElement, mirror: &Mirror) -> PadElement {
    let (name, joint) = (other_side(&e.name), mirror.joint(&e.joint));
    PadElement { name: name.into(), joint, centre: mirror.of(e.centre), ..e.clone() }
}

fn bone(e: &BoneElement, mirror: &Mirror) -> BoneElement {
    let (name, joint) = (other_side(&e.name), mirror.joint(&e.joint));
    BoneElement { name: name.into(), joint, from: mirror.of(e.from), to: mirror.of(e.to), ..e.clone() }
}
