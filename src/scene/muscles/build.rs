//! The parts of a model from a muscle set.

use super::left_out::{LeftOut, sentences};
use super::numbers::NUMBERS;
use super::unread::Unread;
use super::{BoneElement, MuscleElement, MuscleSet, PadElement, check_count, line_of};
use crate::quantity::Quantity;
use crate::schema::Line;
use crate::spoken::unknown;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Space, Vec3};
use sinew_muscle::{Bone, End, Muscle, Pad, Parts, Spring};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// What a set becomes on the joints of a rig.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The parts, in metres with y up.
    pub parts: Parts,
    /// For each muscle, its index among [`MuscleSet::muscle_names`]: those that cannot be built are left out.
    pub kept: Vec<usize>,
    /// For each muscle, with those that are left out, how many rings it should have and how many vertices each of
    /// these: arrays of a host have items for all of them.
    pub rings: Vec<[usize; 2]>,
    /// What was left out, and why.
    pub left_out: Vec<LeftOut>,
    /// The names of joints by which parts cannot be told apart, one sentence each.
    pub same_names: Vec<String>,
}

impl Built {
    /// The number of muscles, with those that are left out.
    pub fn count(&self) -> usize {
        self.rings.len()
    }

    /// For each muscle, with those that are left out, its place among the parts.
    pub fn places(&self) -> Vec<Option<usize>> {
        let mut places = vec![None; self.count()];
        self.kept.iter().enumerate().for_each(|(place, item)| places[*item] = Some(place));
        places
    }
}

/// Attaches an element to an error.
pub(super) fn at(error: Error, element: &str, line: Line) -> Error {
    let error = error.element(&format!("muscle_set/{element}"));
    line_of(line).into_iter().fold(error, Error::line)
}

/// The joints of a rig by name, and the space of the set.
struct Rig<'a> {
    names: &'a [String],
    joints: HashMap<&'a str, usize>,
    space: Space,
}

impl Rig<'_> {
    fn joint(&self, name: &str) -> Result<usize> {
        self.joints.get(name).copied().ok_or_else(|| unknown(self.names, name, &[]))
    }

    fn end(&self, joint: &str, point: Vec3) -> Result<End> {
        Ok(End { joint: self.joint(joint)?, point: self.space.point_in(point) })
    }

    fn vector(&self, v: Vec3) -> Vec3 {
        self.space.direction_in(v) * self.space.metres_per_unit()
    }

    fn length(&self, length: Real) -> Real {
        length * self.space.metres_per_unit()
    }
}

impl MuscleSet {
    /// The parts on the joints of a rig. A part that cannot be built, because a joint is missing, its ends coincide, a
    /// number is impossible, or it has no name of its own by which hosts could find it, is left out and reported, and
    /// so is what is sculpted at vertices that are not there.
    pub fn parts(&self, joints: &[String]) -> Result<Built> {
        build(self, &Unread::default(), joints)
    }

    /// Tells which of the joints that carry something share their names with others.
    fn same_names(&self, joints: &[String]) -> Vec<String> {
        let (pads, bones) = (self.pads.iter().map(|e| &*e.joint), self.bones.iter().map(|e| &*e.joint));
        let mut reported: Vec<&str> = Vec::new();
        let mut sentences = Vec::new();
        for name in self.muscle_joints().chain(pads).chain(bones) {
            let count = joints.iter().filter(|joint| *joint == name).count();
            if count > 1 && !reported.contains(&name) {
                reported.push(name);
                sentences
                    .push(format!("{count} joints are called {name:?}: the first of them carries muscles"));
            }
        }
        sentences
    }
}

/// The parts of a set, without those that could not be read.
pub(super) fn build(set: &MuscleSet, unread: &Unread, joints: &[String]) -> Result<Built> {
    // Of joints with one name, the first has it.
    let numbers = joints.iter().enumerate().rev().map(|(k, name)| (name.as_str(), k));
    let rig = Rig { names: joints, joints: numbers.collect(), space: set.units()? };
    let same_names = set.same_names(joints);
    let mut built = Built { left_out: unread.lost.clone(), same_names, ..Built::default() };
    let mut names = Names::default();
    for (k, e) in set.muscles.iter().enumerate() {
        let singles = e.singles();
        let own = singles.len() - e.heads.len();
        let mut is_there = false;
        for (item, single) in singles.iter().enumerate() {
            let head = item.checked_sub(own);
            let line = head.map_or(e.line, |head| e.heads[head].line);
            // The muscles of a sheet without a name have only numbers.
            let is_nameless = head.is_none() && e.name.trim().is_empty();
            let name = if is_nameless { "" } else { single.name.as_str() };
            let made = unread
                .muscle(k, head, &e.name)
                .and_then(|()| names.take(name))
                .and_then(|()| muscle(single, &rig, joints.len()));
            match made {
                Ok(muscle) => {
                    is_there |= item < own;
                    built.parts.muscles.push(muscle);
                    built.kept.push(built.count());
                }
                Err(error) => built.leave_out("muscle", name, line, &error),
            }
            built.rings.push([single.rings as usize, single.divisions as usize]);
        }
        // Those of a muscle that is left out go with it.
        e.offsets.iter().filter(|_| is_there).for_each(|offset| {
            if let Err(error) = offset.check(e.rings, e.divisions) {
                let which = format!("{} of ring {} of muscle {}", offset.vertex, offset.ring, e.name);
                built.leave_out("the offset of vertex", &which, offset.line, &error);
            }
        });
    }
    let mut names = Names::default();
    for (k, e) in set.pads.iter().enumerate() {
        let named = unread.pad(k).and_then(|()| names.take(&e.name));
        match named.and_then(|()| pad(e, &rig, joints.len())) {
            Ok(pad) => built.parts.pads.push(pad),
            Err(error) => built.leave_out("pad", &e.name, e.line, &error),
        }
    }
    let mut names = Names::default();
    for (k, e) in set.bones.iter().enumerate() {
        let named = unread.bone(k).and_then(|()| names.take(&e.name));
        match named.and_then(|()| bone(e, &rig, joints.len())) {
            Ok(bone) => built.parts.bones.push(bone),
            Err(error) => built.leave_out("bone", &e.name, e.line, &error),
        }
    }
    Ok(built)
}

/// The names of parts of one kind so far.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// Refuses a name by which hosts could not find the part.
    fn take(&mut self, name: &str) -> Result<()> {
        if name.trim().is_empty() {
            return Err(Error::new(Kind::Parse, "its name is empty; give it one"));
        }
        match self.0.insert(name.into()) {
            true => Ok(()),
            false => Err(Error::new(Kind::Parse, "another one has that name; give each its own")),
        }
    }
}

impl Built {
    /// Leaves out muscles that arrays have made impossible.
    pub fn leave_out_wrong(&mut self, joints: usize) {
        let muscles = std::mem::take(&mut self.parts.muscles);
        for (muscle, item) in muscles.into_iter().zip(std::mem::take(&mut self.kept)) {
            match muscle.check(joints) {
                Ok(()) => {
                    self.parts.muscles.push(muscle);
                    self.kept.push(item);
                }
                Err(error) => self.leave_out("muscle", &muscle.name, Line(0), &error),
            }
        }
    }

    fn leave_out(&mut self, what: &str, name: &str, line: Line, error: &Error) {
        self.left_out.push(LeftOut::new(what, name, line, error.message()));
    }

    /// What was left out, one sentence for each reason, with the file of the set if it has one.
    pub fn reported(&self, file: Option<&Path>) -> Vec<String> {
        sentences(&self.left_out, file)
    }
}

/// A muscle that stands for itself alone.
fn muscle(e: &MuscleElement, rig: &Rig, joints: usize) -> Result<Muscle> {
    check_count(e.count)?;
    let origin = rig.end(&e.origin_joint, e.origin.vec())?;
    let insertion = rig.end(&e.insertion_joint, e.insertion.vec())?;
    let middle_joint = e.middle_joint.as_deref().map(|joint| rig.joint(joint)).transpose()?;
    let mut muscle = Muscle {
        middle_joint,
        limb: e.limb,
        middle: rig.vector(e.middle.vec()),
        up: e.up.map(|up| rig.space.direction_in(up.vec())),
        rings: e.rings as usize,
        divisions: e.divisions as usize,
        ..Muscle::new(e.name.0.clone(), origin, insertion, 1.0)
    };
    for number in NUMBERS {
        let said = (number.said)(e);
        let is_length = number.quantity == Quantity::Length;
        *(number.of)(&mut muscle) = if is_length { rig.length(said) } else { said };
    }
    muscle.check(joints)?;
    muscle.offsets = offsets(e, rig);
    muscle.check(joints).map(|()| muscle)
}

/// The offsets of all vertices, of which there are not too many; none if nothing is sculpted.
fn offsets(e: &MuscleElement, rig: &Rig) -> Vec<Vec3> {
    let sculpted = e.offsets.iter().filter(|offset| offset.fits(e));
    let mut offsets = Vec::new();
    for offset in sculpted {
        offsets.resize((e.rings * e.divisions) as usize, Vec3::zeros());
        // Along a muscle there are no world axes: only the unit converts.
        offsets[(offset.ring * e.divisions + offset.vertex) as usize] =
            offset.by.vec() * rig.space.metres_per_unit();
    }
    offsets
}

fn pad(e: &PadElement, rig: &Rig, joints: usize) -> Result<Pad> {
    let spring = Spring { mass: e.mass, stiffness: e.stiffness, damping: e.damping };
    let centre = rig.end(&e.joint, e.centre.vec())?;
    let pad = Pad { name: e.name.0.clone(), centre, radius: rig.length(e.radius), spring };
    pad.check(joints).map(|()| pad)
}

fn bone(e: &BoneElement, rig: &Rig, joints: usize) -> Result<Bone> {
    let ends = [e.from, e.to].map(|end| rig.space.point_in(end.vec()));
    let (joint, radius) = (rig.joint(&e.joint)?, rig.length(e.radius));
    let bone = Bone { name: e.name.0.clone(), joint, ends, radius };
    bone.check(joints).map(|()| bone)
}
