//! The parts of a model from a muscle set.

use super::{BoneElement, MuscleElement, MuscleSet, PadElement, line_of};
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Space, Vec3};
use crate::muscle::{Bone, End, Muscle, Pad, Parts, Spring};
use crate::scene::schema::Line;
use crate::scene::spoken::unknown;
use std::collections::HashMap;

/// What a set becomes on the joints of a rig.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The parts, in metres with y up.
    pub parts: Parts,
    /// For each muscle, its index among [`MuscleSet::muscle_names`]: those that cannot be built are left out.
    pub kept: Vec<usize>,
    /// The number of muscles, with those that are left out: arrays of a host have as many items.
    pub count: usize,
    /// What was left out, and why; one sentence each.
    pub left_out: Vec<String>,
    /// The names of joints by which parts cannot be told apart, one sentence each.
    pub same_names: Vec<String>,
}

impl Built {
    /// For each muscle, with those that are left out, its place among the parts.
    pub fn places(&self) -> Vec<Option<usize>> {
        let mut places = vec![None; self.count];
        self.kept.iter().enumerate().for_each(|(place, item)| places[*item] = Some(place));
        places
    }
}

/// Attaches an element to an error.
pub(super) fn at(error: Error, element: &str, line: Line) -> Error {
    let error = error.element(&format!("muscle_set/{element}"));
    line_of(line).into_iter().fold(error, Error::line)
}

/// An error at an element of a set.
fn wrong(kind: Kind, message: impl Into<String>, element: &str, line: Line) -> Error {
    at(Error::new(kind, message), element, line)
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
    /// The parts on the joints of a rig. A part that cannot be built, because a joint is missing, its ends coincide, or it
    /// has no name of its own by which hosts could find it, is left out and reported.
    pub fn parts(&self, joints: &[String]) -> Result<Built> {
        let numbers = joints.iter().enumerate().map(|(k, name)| (name.as_str(), k));
        let rig = Rig { names: joints, joints: numbers.collect(), space: self.units()? };
        let mut built = Built::default();
        let mut index = 0;
        let mut names = Names::default();
        for e in &self.muscles {
            let singles = e.singles().map_err(|error| at(error, "muscle", e.line))?;
            for single in singles {
                let offsets = offsets(&single, &rig).map_err(|error| at(error, "muscle", e.line))?;
                let alone = |muscle: &Muscle| Parts { muscles: vec![muscle.clone()], ..Parts::default() };
                let made = names.take(&single.name, e.line).and_then(|()| muscle(&single, offsets, &rig));
                match made.and_then(|m| alone(&m).check(joints.len()).map(|()| m)) {
                    Ok(muscle) => {
                        built.parts.muscles.push(muscle);
                        built.kept.push(index);
                    }
                    Err(error) => built.leave_out("muscle", &single.name, e.line, &error),
                }
                index += 1;
            }
        }
        built.count = index;
        let mut names = Names::default();
        for e in &self.pads {
            let pad = names.take(&e.name, e.line).and_then(|()| pad(e, &rig)).and_then(|pad| {
                Parts { pads: vec![pad.clone()], ..Parts::default() }.check(joints.len()).map(|()| pad)
            });
            match pad {
                Ok(pad) => built.parts.pads.push(pad),
                Err(error) => built.leave_out("pad", &e.name, e.line, &error),
            }
        }
        let mut names = Names::default();
        for e in &self.bones {
            let bone = names.take(&e.name, e.line).and_then(|()| bone(e, &rig)).and_then(|bone| {
                Parts { bones: vec![bone.clone()], ..Parts::default() }.check(joints.len()).map(|()| bone)
            });
            match bone {
                Ok(bone) => built.parts.bones.push(bone),
                Err(error) => built.leave_out("bone", &e.name, e.line, &error),
            }
        }
        built.same_names = self.same_names(joints);
        Ok(built)
    }

    /// Tells which of the joints that carry something share their names with others.
    fn same_names(&self, joints: &[String]) -> Vec<String> {
        let (pads, bones) = (self.pads.iter().map(|e| &*e.joint), self.bones.iter().map(|e| &*e.joint));
        let mut told: Vec<&str> = Vec::new();
        let mut sentences = Vec::new();
        for name in self.muscle_joints().chain(pads).chain(bones) {
            let count = joints.iter().filter(|joint| *joint == name).count();
            if count > 1 && !told.contains(&name) {
                told.push(name);
                sentences
                    .push(format!("{count} joints are called {name:?}: the last of them carries muscles"));
            }
        }
        sentences
    }
}

/// The names of parts of one kind so far, with their lines.
#[derive(Default)]
struct Names(HashMap<String, Line>);

impl Names {
    /// Refuses a name by which hosts could not find the part.
    fn take(&mut self, name: &str, line: Line) -> Result<()> {
        if name.trim().is_empty() {
            return Err(Error::new(Kind::Parse, "its name is empty; give it one"));
        }
        match self.0.get(name) {
            None => {
                self.0.insert(name.into(), line);
                Ok(())
            }
            Some(first) => {
                let place = line_of(*first).map_or(String::new(), |line| format!(" (line {line})"));
                Err(Error::new(
                    Kind::Parse,
                    format!("its name is that of another one{place}; give it its own"),
                ))
            }
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
                Err(error) => {
                    self.left_out.push(format!("muscle {} is left out: {}", muscle.name, error.message()));
                }
            }
        }
    }

    fn leave_out(&mut self, what: &str, name: &str, line: Line, error: &Error) {
        let line = line_of(line).map_or(String::new(), |line| format!(" (line {line})"));
        let name = if name.trim().is_empty() { "without a name" } else { name };
        self.left_out.push(format!("{what} {name}{line} is left out: {}", error.message()));
    }
}

/// A muscle that stands for itself alone.
fn muscle(e: &MuscleElement, offsets: Vec<Vec3>, rig: &Rig) -> Result<Muscle> {
    Ok(Muscle {
        name: e.name.0.clone(),
        origin: rig.end(&e.origin_joint, e.origin.vec())?,
        insertion: rig.end(&e.insertion_joint, e.insertion.vec())?,
        middle: rig.vector(e.middle.vec()),
        up: e.up.map(|up| rig.space.direction_in(up.vec())),
        rings: e.rings as usize,
        divisions: e.divisions as usize,
        size: rig.length(e.size),
        taper: e.taper,
        girth: e.girth,
        weight: e.weight,
        bulge: e.bulge,
        stretch_ratio: e.stretch_ratio,
        swell: e.swell,
        spring: Spring { mass: e.mass, stiffness: e.stiffness, damping: e.damping },
        offsets,
    })
}

/// The offsets of all vertices; none if nothing is sculpted.
fn offsets(e: &MuscleElement, rig: &Rig) -> Result<Vec<Vec3>> {
    if e.offsets.is_empty() {
        return Ok(Vec::new());
    }
    // Counts that are out of range are reported with the muscle.
    let [rings, divisions] = [e.rings, e.divisions].map(|count| count.min(1000));
    let mut offsets = vec![Vec3::zeros(); (rings * divisions) as usize];
    for offset in &e.offsets {
        if offset.ring >= rings || offset.vertex >= divisions {
            let message = format!(
                "there is no vertex {} of ring {}: {rings} rings have {divisions} each",
                offset.vertex, offset.ring
            );
            return Err(wrong(Kind::OutOfRange, message, "muscle/offset", offset.line));
        }
        // Along a muscle there are no world axes: only the unit converts.
        offsets[(offset.ring * divisions + offset.vertex) as usize] =
            offset.by.vec() * rig.space.metres_per_unit();
    }
    Ok(offsets)
}

fn pad(e: &PadElement, rig: &Rig) -> Result<Pad> {
    let spring = Spring { mass: e.mass, stiffness: e.stiffness, damping: e.damping };
    let centre = rig.end(&e.joint, e.centre.vec())?;
    Ok(Pad { name: e.name.0.clone(), centre, radius: rig.length(e.radius), spring })
}

fn bone(e: &BoneElement, rig: &Rig) -> Result<Bone> {
    let ends = [e.from, e.to].map(|end| rig.space.point_in(end.vec()));
    Ok(Bone { name: e.name.0.clone(), joint: rig.joint(&e.joint)?, ends, radius: rig.length(e.radius) })
}
