//! Moment arms of strands at joints: how much a strand shortens per unit of one motion of a joint with all others
//! fixed, -dL/dq along the strand's path.
//!
//! The joint's child moves, together with everything attached to it. Points carried by bodies move along. A point bound
//! by a rule moves along with the body or plane of that rule, and then by the least displacement that satisfies all its
//! rules. Its remaining freedom changes no length to first order where the strands at it are in balance, as for a rope
//! that slides over a peg: their pull has no component along it. So the sum of tension times arm over all strands is
//! their moment, however a shared point divides it among them.

mod displacement;
mod paths;

use crate::model::Model;
use crate::parts::Motion;
use crate::state::State;
use displacement::{Displacement, Graph};
use paths::Paths;
use sinew_base::error::Result;
use sinew_math::{Real, Vec3};

/// The arm of a strand at a motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// The strand.
    pub strand: usize,
    /// The joint.
    pub joint: usize,
    /// Which of its motions: rotations about x, y, z, then translations along them.
    pub axis: usize,
    /// The shortening of the strand: in m per rad, or per m.
    pub arm: Real,
}

/// The moment arms of all strands at the free or limited motions of joints. Strands on one side of a joint have none
/// there, nor do any at joints that close a loop, whose motion takes others along; strands that are cut have none at
/// all.
pub fn arms(model: &Model, state: &State) -> Result<Vec<Arm>> {
    let parts = model.parts();
    let paths = Paths::new(model, state);
    let held = paths.hold()?;
    let graph = Graph::new(model, state);
    let mut all = Vec::new();
    for (j, joint) in parts.joints.iter().enumerate().filter(|(j, _)| graph.counts[*j]) {
        let Some((moving, sign)) = graph.moving(model, j) else { continue };
        let crossing: Vec<usize> = (0..parts.strands.len())
            .filter(|&s| paths.whole(s) && paths.crosses(s, &moving, &held))
            .collect();
        for axis in (0..6).filter(|&axis| joint.axes[axis].motion != Motion::Held) {
            let Some(displacement) = Displacement::new(joint, axis, sign, &moving, state) else { continue };
            let speeds: Vec<Vec3> = held.iter().map(|held| held.speed(&paths, &displacement)).collect();
            let arm = |&strand: &usize| Arm { strand, joint: j, axis, arm: -paths.growth(strand, &speeds) };
            all.extend(crossing.iter().map(arm));
        }
    }
    Ok(all)
}
