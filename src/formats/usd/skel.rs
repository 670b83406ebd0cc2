//! Skeletons: joints, their bind transforms, and their animation.

use super::Stage;
use super::prim::Prim;
use super::transform::{matrix, quaternion};
use crate::joints::{JointAnimation, check_finite};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Mat3, Real, Vec3, affine, compose};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// The joints of a skeleton.
#[derive(Debug)]
pub(super) struct Skeleton {
    joints: Vec<String>,
    places: HashMap<String, usize>,
    parents: Vec<Option<usize>>,
    /// Their world transforms when the mesh was bound.
    pub bind: Option<Vec<Affine>>,
    /// Their local transforms without animation.
    rest: Option<Vec<Affine>>,
}

impl Skeleton {
    /// The joint with that path.
    pub fn place(&self, joint: &str) -> Option<usize> {
        self.places.get(joint).copied()
    }

    fn in_parents(&self, locals: &[Affine]) -> Vec<Affine> {
        let mut all: Vec<Affine> = Vec::with_capacity(locals.len());
        for (local, parent) in locals.iter().zip(&self.parents) {
            all.push(parent.map_or(*local, |p| compose(&all[p], local)));
        }
        all
    }
}

impl Stage {
    /// The skeletons' paths.
    pub fn skeletons(&self) -> Vec<&str> {
        self.prims_of("Skeleton")
    }

    /// The joints of a skeleton in world space: bound, and at each sample of its animation, whose frames must be whole
    /// at `fps` (without it, time codes are frames). Joints are named by the last component of their paths where that
    /// is unique.
    pub fn skeleton(&self, path: &str, fps: Option<Real>) -> Result<JointAnimation> {
        let fps = fps.unwrap_or_else(|| self.time_codes_per_second());
        self.read_skeleton(path, fps).map_err(|e| e.prim(path))
    }

    fn read_skeleton(&self, path: &str, fps: Real) -> Result<JointAnimation> {
        let skeleton = self.read_joints(path)?;
        let count = skeleton.joints.len();
        let mut frames = BTreeMap::new();
        if let Some(animation) = self.animation(path)? {
            let times = self.sample_times(animation)?;
            // Samples may share their values in the file, but not in memory.
            let ends = [times.first(), times.last()].map(|t| t.map(|&t| self.frames(&[t], fps)[0]));
            let whole = match ends {
                [Some(first), Some(last)] if last.abs().max(first.abs()) < 1e15 => {
                    // One sample is where it is; between several USD says what is there.
                    let first = (first - 0.01).ceil() as i64;
                    first..((last + 0.01).floor() as i64).max(first) + 1
                }
                _ => 0..0,
            };
            let samples = |frames: &Range<i64>| frames.end.saturating_sub(frames.start) as usize;
            let most = 100_000 + self.size().saturating_mul(64);
            let too_many = |frames: &Range<i64>| samples(frames).saturating_mul(count) > most;
            if too_many(&whole) {
                let message = format!("{count} joints in {} frames", samples(&whole));
                return Err(Error::new(Kind::TooLarge, message));
            }
            // The whole shot, if it is not a mistake: outside the samples USD holds the first and the last.
            let shot = self.shot(&whole, fps);
            let whole = if whole.is_empty() || too_many(&shot) { whole } else { shot };
            let rate = self.time_codes_per_second();
            for frame in whole {
                let time = if rate == fps { frame as Real } else { frame as Real * rate / fps };
                let pose = self.pose(&skeleton, Some(animation), time).map_err(|e| e.frame(frame))?;
                let world = self.world(path, time)?;
                let pose: Vec<Affine> = pose.iter().map(|m| compose(&world, m)).collect();
                check_finite(&pose).map_err(|e| e.frame(frame))?;
                frames.insert(frame, pose);
            }
        }
        let first = frames.keys().next().map_or(0.0, |&f| f as Real);
        let bound = match (&skeleton.bind, &skeleton.rest) {
            // These are in world space already.
            (Some(bind), _) => bind.clone(),
            (None, Some(rest)) => {
                let world = self.world(path, first)?;
                skeleton.in_parents(rest).iter().map(|m| compose(&world, m)).collect()
            }
            (None, None) => return Err(Error::new(Kind::MissingInput, "no bindTransforms")),
        };
        check_finite(&bound)?;
        let (names, parents) = (short_names(&skeleton.joints), skeleton.parents);
        Ok(JointAnimation { names, parents, rest: bound, frames, held: true })
    }

    /// Some frames, with those of the shot as far as the file gives it.
    fn shot(&self, frames: &Range<i64>, fps: Real) -> Range<i64> {
        let [start, end] = self.range().map(|time| time.map(|t| self.frames(&[t], fps)[0]));
        let sound = |frame: Option<Real>| frame.filter(|frame| frame.abs() < 1e15);
        let first = sound(start).map_or(frames.start, |frame| frames.start.min(frame.ceil() as i64));
        first..sound(end).map_or(frames.end, |frame| frames.end.max(frame.floor() as i64 + 1))
    }

    /// The joints of a skeleton.
    pub(super) fn read_joints(&self, path: &str) -> Result<Skeleton> {
        let prim = self.prim(path)?;
        let joints = self.texts(prim, "joints", 0.0)?.unwrap_or_default();
        let places: HashMap<String, usize> = joints.iter().cloned().zip(0..).collect();
        if joints.is_empty() || places.len() != joints.len() {
            return Err(Error::new(Kind::Parse, "the skeleton has no joints, or two with the same name"));
        }
        let parent = |k: usize| {
            let mut outers = std::iter::successors(outer(&joints[k]), |path| outer(path));
            outers.find_map(|path| places.get(path).copied())
        };
        let parents: Vec<Option<usize>> = (0..joints.len()).map(parent).collect();
        if let Some(joint) = (0..joints.len()).find(|&k| parents[k].is_some_and(|p| p >= k)) {
            return Err(Error::new(Kind::Topology, "the joint comes before its parent").joint(joint));
        }
        let bind = self.matrices(prim, "bindTransforms", joints.len())?;
        let rest = self.matrices(prim, "restTransforms", joints.len())?;
        Ok(Skeleton { joints, places, parents, bind, rest })
    }

    /// The joints in skeleton space: animated at a time, or at rest.
    pub(super) fn pose(
        &self,
        skeleton: &Skeleton,
        animation: Option<&str>,
        time: Real,
    ) -> Result<Vec<Affine>> {
        let locals = match (animation, &skeleton.rest) {
            (Some(animation), _) => {
                self.locals(self.prim(animation)?, skeleton, time).map_err(|e| e.prim(animation))?
            }
            (None, Some(rest)) => rest.clone(),
            (None, None) => {
                let message = "no restTransforms for a skeleton without animation";
                return Err(Error::new(Kind::MissingInput, message));
            }
        };
        Ok(skeleton.in_parents(&locals))
    }

    pub(super) fn matrices(&self, prim: &Prim, name: &str, count: usize) -> Result<Option<Vec<Affine>>> {
        let Some(numbers) = self.numbers(prim, name, 0.0)? else { return Ok(None) };
        if numbers.len() != 16 * count {
            let message = format!("{} numbers in {name} of {count} joints", numbers.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let each = numbers.chunks_exact(16).enumerate();
        each.map(|(joint, m)| matrix(m, name).map_err(|e| e.joint(joint))).collect::<Result<_>>().map(Some)
    }

    /// The animation of a skeleton: bound to itself or to an ancestor.
    pub(super) fn animation(&self, path: &str) -> Result<Option<&str>> {
        for (_, prim) in self.ancestors(path) {
            let source = prim.properties.get("skel:animationSource");
            if let Some(target) = source.and_then(|property| property.targets.first()) {
                let missing =
                    || Error::new(Kind::NotFound, format!("the animation {target} is not in this file"));
                return self
                    .prims
                    .get_key_value(target)
                    .map(|(path, _)| Some(path.as_str()))
                    .ok_or_else(missing);
            }
        }
        Ok(None)
    }

    /// Local joint transforms at a time; those that the animation leaves out are at rest.
    fn locals(&self, source: &Prim, skeleton: &Skeleton, time: Real) -> Result<Vec<Affine>> {
        let places = &skeleton.places;
        let moved = self.texts(source, "joints", time)?.unwrap_or_default();
        let read = |name: &str, width: usize| -> Result<Vec<Real>> {
            let numbers = self.numbers(source, name, time)?.unwrap_or_default();
            match numbers.len() == width * moved.len() {
                true => Ok(numbers),
                false => {
                    let message = format!("{} numbers in {name} of {} joints", numbers.len(), moved.len());
                    Err(Error::new(Kind::CountMismatch, message))
                }
            }
        };
        let (shifts, turns, scales) = (read("translations", 3)?, read("rotations", 4)?, read("scales", 3)?);
        let covered = moved.iter().filter(|joint| places.contains_key(joint.as_str())).count();
        let mut locals = match &skeleton.rest {
            Some(rest) => rest.clone(),
            None if covered >= places.len() => vec![Affine::identity(); places.len()],
            None => {
                return Err(Error::new(Kind::MissingInput, "no restTransforms for joints without animation"));
            }
        };
        for (k, joint) in moved.iter().enumerate() {
            if let Some(&place) = places.get(joint.as_str()) {
                let scale = Mat3::from_diagonal(&Vec3::from_column_slice(&scales[3 * k..3 * k + 3]));
                let turn = quaternion(&turns[4 * k..4 * k + 4]) * scale;
                locals[place] = affine(&turn, &Vec3::from_column_slice(&shifts[3 * k..3 * k + 3]));
            }
        }
        Ok(locals)
    }
}

/// The path of the parent.
fn outer(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(outer, _)| outer)
}

fn short_names(joints: &[String]) -> Vec<String> {
    let last = |joint: &String| joint.rsplit('/').next().unwrap_or_default().to_string();
    let short: Vec<String> = joints.iter().map(last).collect();
    let distinct = short.iter().collect::<HashSet<_>>().len() == short.len();
    if distinct { short } else { joints.to_vec() }
}
