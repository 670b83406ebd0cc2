//! Bodies led by the joints of an animation.

use super::names::wrong;
use super::turn::Turn;
use super::values::{BodyMode, Triple};
use super::{BodyElement, KeyElement, StrandScene};
use crate::schema::elements;
use sinew_base::error::{Kind, Result};
use sinew_math::{Placement, Real};

elements! {
    /// Bodies driven by the joints of an animation: modelled where the joints are at rest, each named after its joint.
    /// Other bodies, points and joints may be placed `in` them.
    "armature" => ArmatureElement {
        /// A BVH file, a skeleton in a USD file, or a table frame,joint,m00,...,m23 with the frame `rest`; in the
        /// scene's unit and axes.
        "file" file: String;
        /// The joints that become bodies, separated by commas; all if omitted.
        "joints" joints: Option<String>;
        /// Frames per second of the file; if omitted, the rate given in a BVH or USD file, 24 for a table.
        "fps" fps: Option<f64>;
        /// The frame at which the scene starts; the file's first if omitted.
        "first" first: Option<f64>;
    }
}

/// Frames per second where neither scene nor file specifies them.
const RATE: Real = 24.0;

/// A joint of an animation.
pub struct AnimatedJoint {
    /// Its name.
    pub name: String,
    /// Where it is at rest.
    pub rest: Placement,
    /// Where it is in each frame, in order.
    pub frames: Vec<(i64, Placement)>,
}

fn said(place: &Placement) -> (Triple, Turn) {
    (Triple(place.origin.into()), Turn::of(&place.rotation))
}

impl StrandScene {
    /// Replaces the `k`-th armature by bodies; `joints` are those of its file, `rate` the frames per second given in
    /// the file.
    pub fn lead_by(&mut self, k: usize, joints: &[AnimatedJoint], rate: Option<Real>) -> Result<()> {
        let Some(armature) = self.armatures.get(k).cloned() else { return Ok(()) };
        let refuse = |kind, message: String| Err(wrong(kind, message, "armature", armature.line));
        let fps = armature.fps.or(rate).unwrap_or(RATE);
        if fps <= 0.0 || !fps.is_finite() {
            return refuse(
                Kind::OutOfRange,
                format!("the rate is {fps} frames per second; it must be finite and more than 0"),
            );
        }
        let named: Option<Vec<&str>> =
            armature.joints.as_ref().map(|names| names.split(',').map(str::trim).collect());
        if let Some(name) =
            named.iter().flatten().find(|name| !joints.iter().any(|joint| joint.name == **name))
        {
            let there: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).take(30).collect();
            return refuse(
                Kind::NotFound,
                format!("there is no joint {name:?}; there are {}", there.join(", ")),
            );
        }
        let wanted =
            |joint: &&AnimatedJoint| named.as_ref().is_none_or(|names| names.contains(&joint.name.as_str()));
        for joint in joints.iter().filter(wanted) {
            let start =
                armature.first.or(joint.frames.first().map(|(frame, _)| *frame as Real)).unwrap_or(0.0);
            let keys = joint.frames.iter().filter(|(frame, _)| *frame as Real >= start);
            let keys = keys.map(|(frame, place)| {
                let (at, turn) = said(place);
                KeyElement { time: (*frame as Real - start) / fps, at, turn, line: armature.line }
            });
            let mut keys: Vec<KeyElement> = keys.collect();
            if let (true, Some((_, place))) = (keys.is_empty(), joint.frames.last()) {
                // The scene starts after the animation: there it has ended, as after the last of other keys.
                let (at, turn) = said(place);
                keys.push(KeyElement { time: 0.0, at, turn, line: armature.line });
            }
            let (at, turn) = said(&joint.rest);
            let mut body = BodyElement::new(&joint.name, BodyMode::Led);
            (body.at, body.turn, body.keys, body.line) = (at, turn, keys, armature.line);
            self.bodies.push(body);
        }
        Ok(())
    }
}
