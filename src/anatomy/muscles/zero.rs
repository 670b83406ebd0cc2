//! From where the angles of a joint count, in whatever pose a rig rests.

use super::Rig;
use super::bones::{Axes, Frame};
use super::naming::Naming;
use sinew_base::error::Result;
use sinew_math::motion::rotation_between;
use sinew_math::{Real, Rotation, Vec3};
use sinew_scene::muscles::plan::{Pair, PlanJoint, Start};

/// Where the angles of a joint are 0.
pub(super) struct Zero {
    /// What turns its bone there from rest.
    pub start: Rotation,
    /// About which directions it then turns: to the front, outwards and about itself.
    pub axes: [Vec3; 3],
}

/// A joint that is bent by more than this at rest shows how its hinge lies; this is the sine of 15 degrees.
const BENT: Real = 0.26;

pub(super) fn zero(
    joint: &PlanJoint,
    frame: &Frame,
    axes: &Axes,
    mirrored: bool,
    naming: &Naming,
    rig: &Rig,
) -> Result<Zero> {
    // Opposite directions have no shortest turn between them.
    let turn_to = |way: &Vec3| rotation_between(&frame.bone, way).unwrap_or_default();
    let start = match (joint.start, &joint.parent) {
        (None, _) | (Some(Start::Straight), None) => Rotation::identity(),
        (Some(Start::Towards(way)), _) => turn_to(&axes.direction(way, mirrored)),
        (Some(Start::Straight), Some(parent)) => {
            let pair = Pair([parent.clone(), joint.name.clone()]);
            let before = axes.frame(&pair, mirrored, naming, rig)?;
            let [flex, ..] = before.turns();
            let [a, b] = [before.bone, frame.bone].map(|bone| bone.normalize());
            let bend = a.cross(&b);
            // A joint that turns one way only is a hinge, and lies as it is bent.
            let hinge = joint.abduct.is_none() && bend.norm() > BENT;
            let axis = if hinge { bend.normalize() * bend.dot(&flex).signum() } else { flex };
            return Ok(Zero {
                start: turn_to(&before.bone),
                axes: [axis, axis.cross(&a) * side(&before), a],
            });
        }
    };
    Ok(Zero { start, axes: frame.turns().map(|axis| start * axis) })
}

/// Whether the outer side of a bone follows from its flexion as on the left of the body.
fn side(frame: &Frame) -> Real {
    let [flex, abduct, along] = frame.turns();
    flex.cross(&along).dot(&abduct).signum()
}
