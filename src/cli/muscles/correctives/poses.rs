//! The poses to which shapes are fitted: the frames of a motion, or the range of motion.

use super::super::body::Body;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::joints::{self, JointFile};
use sinew_formats::rate::USUAL;
use sinew_math::{Affine, Real};
use std::path::Path;

/// Degrees from one pose of the range of motion to the next.
const STEP: Real = 10.0;

pub(super) enum Poses<'a> {
    Motion {
        frames: Vec<(i64, Vec<Affine>)>,
        fps: Real,
    },
    /// Sweeps and degrees.
    Range {
        body: &'a Body,
        poses: Vec<(usize, Real)>,
    },
}

impl<'a> Poses<'a> {
    pub fn read(body: &'a Body, motion: Option<&Path>) -> Result<Self> {
        let Some(path) = motion else {
            let mut poses = Vec::new();
            for (k, sweep) in body.range.sweeps.iter().enumerate() {
                let [low, high] = sweep.range;
                let steps = ((high - low) / STEP).ceil().max(1.0) as u32;
                let at = |step: u32| (k, low + (high - low) * Real::from(step) / Real::from(steps));
                poses.extend((0..=steps).map(at));
            }
            return Ok(Poses::Range { body, poses });
        };
        let file = joints::read(path)?;
        let fps = file.fps.unwrap_or(USUAL);
        let frames = in_order(body, file).map_err(|e| e.file(path))?;
        Ok(Poses::Motion { frames, fps })
    }

    pub fn count(&self) -> usize {
        match self {
            Poses::Motion { frames, .. } => frames.len(),
            Poses::Range { poses, .. } => poses.len(),
        }
    }

    pub fn all(&self) -> Box<dyn Iterator<Item = Vec<Affine>> + '_> {
        match self {
            Poses::Motion { frames, .. } => Box::new(frames.iter().map(|(_, joints)| joints.clone())),
            Poses::Range { body, poses } => Box::new(poses.iter().map(|&(sweep, degrees)| {
                body.range.pose(&body.range.sweeps[sweep], degrees, &body.joints.rig())
            })),
        }
    }

    /// The frames of a motion; the range of motion has none.
    pub fn frames(&self) -> &[(i64, Vec<Affine>)] {
        match self {
            Poses::Motion { frames, .. } => frames,
            Poses::Range { .. } => &[],
        }
    }

    pub fn fps(&self) -> Real {
        match self {
            Poses::Motion { fps, .. } => *fps,
            Poses::Range { .. } => USUAL,
        }
    }
}

/// The frames of a file with the joints in the order of the body's, in metres with y up.
fn in_order(body: &Body, file: JointFile) -> Result<Vec<(i64, Vec<Affine>)>> {
    let motion = file.animation;
    if motion.frames.is_empty() {
        return Err(Error::new(Kind::MissingInput, "the joints do not move: the file has no frames"));
    }
    let place = |name: &String| {
        motion.names.iter().position(|other| other == name).ok_or_else(|| {
            Error::new(Kind::NotFound, format!("the motion has no joint {name:?}, which the rig has"))
        })
    };
    let places: Vec<usize> = body.joints.rig().names.iter().map(place).collect::<Result<_>>()?;
    let ordered = |joints: &Vec<Affine>| places.iter().map(|&k| body.space.affine_in(&joints[k])).collect();
    Ok(motion.frames.iter().map(|(number, joints)| (*number, ordered(joints))).collect())
}
