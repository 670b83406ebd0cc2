//! The other side of a set.

use crate::error::{Error, Kind, Result};
use crate::scene::few::few;
use crate::scene::muscles::{BoneElement, HeadElement, MuscleElement, MuscleSet, OffsetElement, PadElement};
use crate::scene::sides::other_side;
use crate::scene::strand::values::Triple;
use std::collections::HashSet;

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
/// Sculpted vertices keep their places only on muscles with an up-vector: the y axes of joints need not be mirrored.
pub fn mirror(set: &mut MuscleSet, axis: usize) -> Result<Mirrored> {
    if axis > 2 {
        return Err(Error::new(
            Kind::OutOfRange,
            format!("there is no axis {axis}; 0, 1 and 2 are x, y and z"),
        ));
    }
    let mut images = Images { added: 0, on_the_same_joints: Vec::new() };
    let (muscles, pads) = (images.of(&set.muscles, axis), images.of(&set.pads, axis));
    let bones = images.of(&set.bones, axis);
    set.muscles.extend(muscles);
    set.pads.extend(pads);
    set.bones.extend(bones);
    Ok(Mirrored { added: images.added, warnings: images.warnings() })
}

/// A muscle, pad or bone.
trait Part {
    fn name(&self) -> &str;
    /// The joints that carry it.
    fn joints(&self) -> [&str; 2];
    fn image(&self, axis: usize) -> Self;
}

impl Part for MuscleElement {
    fn name(&self) -> &str {
        &self.name
    }
    fn joints(&self) -> [&str; 2] {
        [&self.origin_joint, &self.insertion_joint]
    }
    fn image(&self, axis: usize) -> Self {
        muscle(self, axis)
    }
}

impl Part for PadElement {
    fn name(&self) -> &str {
        &self.name
    }
    fn joints(&self) -> [&str; 2] {
        [&self.joint; 2]
    }
    fn image(&self, axis: usize) -> Self {
        pad(self, axis)
    }
}

impl Part for BoneElement {
    fn name(&self) -> &str {
        &self.name
    }
    fn joints(&self) -> [&str; 2] {
        [&self.joint; 2]
    }
    fn image(&self, axis: usize) -> Self {
        bone(self, axis)
    }
}

/// Mirror images as they are made.
struct Images {
    added: usize,
    /// The names of originals whose images are carried by the same joints.
    on_the_same_joints: Vec<String>,
}

impl Images {
    /// The images of those parts that have no counterpart.
    fn of<T: Part>(&mut self, parts: &[T], axis: usize) -> Vec<T> {
        let known: HashSet<&str> = parts.iter().map(T::name).collect();
        let mut images = Vec::new();
        for part in parts {
            let image = part.image(axis);
            if known.contains(image.name()) {
                continue;
            }
            if image.joints() == part.joints() {
                self.on_the_same_joints.push(part.name().to_string());
            }
            images.push(image);
        }
        self.added += images.len();
        images
    }

    /// Without the rig, a joint in the middle of a body cannot be told from an arm's whose name lacks the side.
    fn warnings(&self) -> Vec<String> {
        let names = &self.on_the_same_joints;
        let images = if names.len() == 1 { "its mirror image stays" } else { "their mirror images stay" };
        let warning = format!(
            "{}: {images} on the same joints, whose names have no side; this is right only for joints in the middle \
             of the body",
            few(names, names.len())
        );
        if names.is_empty() { Vec::new() } else { vec![warning] }
    }
}

fn reflected(Triple(mut v): Triple, axis: usize) -> Triple {
    v[axis] = -v[axis];
    Triple(v)
}

fn muscle(e: &MuscleElement, axis: usize) -> MuscleElement {
    let turn = |v: Option<Triple>| v.map(|v| reflected(v, axis));
    MuscleElement {
        name: other_side(&e.name).into(),
        origin_joint: other_side(&e.origin_joint),
        origin: reflected(e.origin, axis),
        origin_to: turn(e.origin_to),
        insertion_joint: other_side(&e.insertion_joint),
        insertion: reflected(e.insertion, axis),
        insertion_to: turn(e.insertion_to),
        middle: reflected(e.middle, axis),
        up: turn(e.up),
        heads: e.heads.iter().map(|head| self::head(head, axis)).collect(),
        offsets: e.offsets.iter().map(|offset| self::offset(offset, e.divisions)).collect(),
        ..e.clone()
    }
}

fn head(e: &HeadElement, axis: usize) -> HeadElement {
    HeadElement {
        name: other_side(&e.name).into(),
        origin_joint: other_side(&e.origin_joint),
        origin: reflected(e.origin, axis),
        middle: e.middle.map(|v| reflected(v, axis)),
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

fn pad(e: &PadElement, axis: usize) -> PadElement {
    let (name, joint) = (other_side(&e.name), other_side(&e.joint));
    PadElement { name: name.into(), joint, centre: reflected(e.centre, axis), ..e.clone() }
}

fn bone(e: &BoneElement, axis: usize) -> BoneElement {
    let (name, joint) = (other_side(&e.name), other_side(&e.joint));
    BoneElement {
        name: name.into(),
        joint,
        from: reflected(e.from, axis),
        to: reflected(e.to, axis),
        ..e.clone()
    }
}
