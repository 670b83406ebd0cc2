//! The other side of a set.

use crate::error::{Error, Kind, Result};
use crate::scene::muscles::{BoneElement, HeadElement, MuscleElement, MuscleSet, OffsetElement, PadElement};
use crate::scene::sides::other_side;
use crate::scene::strand::values::Triple;
use std::collections::HashSet;

/// Adds to a set what is missing on the other side: the mirror images, at the plane through the origin perpendicular to
/// an axis (0, 1, 2 for x, y, z), of everything whose mirrored name is not there. What has no side in its name is left
/// as it is. Returns the number of muscles, pads and bones added.
///
/// Sculpted vertices keep their places only on muscles with an up-vector: the y axes of joints need not be mirrored.
pub fn mirror(set: &mut MuscleSet, axis: usize) -> Result<usize> {
    if axis > 2 {
        return Err(Error::new(
            Kind::OutOfRange,
            format!("there is no axis {axis}; 0, 1 and 2 are x, y and z"),
        ));
    }
    let before = set.muscles.len() + set.pads.len() + set.bones.len();
    let known: HashSet<String> = set.muscles.iter().map(|e| e.name.clone()).collect();
    let added = set.muscles.iter().map(|e| muscle(e, axis)).filter(|e| !known.contains(&e.name));
    set.muscles.extend(added.collect::<Vec<_>>());
    let known: HashSet<String> = set.pads.iter().map(|e| e.name.clone()).collect();
    let added = set.pads.iter().map(|e| pad(e, axis)).filter(|e| !known.contains(&e.name));
    set.pads.extend(added.collect::<Vec<_>>());
    let known: HashSet<String> = set.bones.iter().map(|e| e.name.clone()).collect();
    let added = set.bones.iter().map(|e| bone(e, axis)).filter(|e| !known.contains(&e.name));
    set.bones.extend(added.collect::<Vec<_>>());
    Ok(set.muscles.len() + set.pads.len() + set.bones.len() - before)
}

fn reflected(Triple(mut v): Triple, axis: usize) -> Triple {
    v[axis] = -v[axis];
    Triple(v)
}

fn muscle(e: &MuscleElement, axis: usize) -> MuscleElement {
    let turn = |v: Option<Triple>| v.map(|v| reflected(v, axis));
    MuscleElement {
        name: other_side(&e.name),
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
        name: other_side(&e.name),
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
    let vertex = if e.vertex == 0 { 0 } else { divisions.saturating_sub(e.vertex) };
    OffsetElement { vertex, by: Triple([along, b, -c]), ..e.clone() }
}

fn pad(e: &PadElement, axis: usize) -> PadElement {
    let (name, joint) = (other_side(&e.name), other_side(&e.joint));
    PadElement { name, joint, centre: reflected(e.centre, axis), ..e.clone() }
}

fn bone(e: &BoneElement, axis: usize) -> BoneElement {
    let (name, joint) = (other_side(&e.name), other_side(&e.joint));
    BoneElement { name, joint, from: reflected(e.from, axis), to: reflected(e.to, axis), ..e.clone() }
}
