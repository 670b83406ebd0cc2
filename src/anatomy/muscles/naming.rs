//! Finds the joints of a rig by the names that a plan uses.

use super::Rig;
use crate::error::{Error, Kind, Result};
use crate::scene::muscles::plan::{MusclePlan, PlanJoint, Side};
use crate::scene::sides::other_side;
use std::collections::HashMap;

/// Which joint of a rig each name of a plan means.
#[derive(Clone, Debug)]
pub struct Naming {
    joints: HashMap<String, usize>,
}

/// A name, or the same on the other side of the body.
pub(super) fn on_side(name: &str, mirrored: bool) -> String {
    if mirrored { other_side(name) } else { name.to_string() }
}

/// For each side of the body that something is on: whether it is the mirrored one.
pub(super) fn sides(side: Side) -> &'static [bool] {
    match side {
        Side::Both => &[false, true],
        Side::One => &[false],
    }
}

impl Naming {
    /// The joints of the plan that the rig has: by the plan's name first, then by the first of the others.
    pub fn new(plan: &MusclePlan, rig: &Rig) -> Self {
        let mut joints: HashMap<String, usize> = rig.names.iter().cloned().zip(0..).collect();
        let in_rig = joints.clone();
        for (joint, mirrored) in both(plan) {
            let also = joint.also.as_deref().unwrap_or_default().split_whitespace();
            let names = std::iter::once(joint.name.as_str()).chain(also).map(|name| on_side(name, mirrored));
            if let Some(&found) = names.into_iter().find_map(|name| in_rig.get(&name)) {
                joints.insert(on_side(&joint.name, mirrored), found);
            }
        }
        Naming { joints }
    }

    /// The joint of a name, if the rig has it.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.get(name).copied()
    }

    /// The joint of a name.
    pub fn joint(&self, name: &str) -> Result<usize> {
        let missing = || Error::new(Kind::NotFound, format!("the rig has no joint {name:?}"));
        self.find(name).ok_or_else(missing)
    }

    /// The parent of each joint of the rig, as far as the plan gives one.
    pub fn parents(&self, plan: &MusclePlan, joints: usize) -> Vec<Option<usize>> {
        let mut parents = vec![None; joints];
        for (joint, mirrored) in both(plan) {
            let found = |name: &str| self.find(&on_side(name, mirrored));
            let (Some(own), Some(parent)) = (found(&joint.name), joint.parent.as_deref().and_then(found))
            else {
                continue;
            };
            // Two names of a plan may mean one joint of a rig.
            if own != parent && parents[own].is_none() && !hangs_on(&parents, parent, own) {
                parents[own] = Some(parent);
            }
        }
        parents
    }
}

/// Whether a joint is a descendant of another, or the same.
pub(super) fn hangs_on(parents: &[Option<usize>], joint: usize, other: usize) -> bool {
    joint == other || parents[joint].is_some_and(|parent| hangs_on(parents, parent, other))
}

/// The joints of a plan, those of both sides twice; whether each is mirrored.
pub(super) fn both(plan: &MusclePlan) -> impl Iterator<Item = (&PlanJoint, bool)> {
    plan.joints.iter().flat_map(|joint| sides(joint.side).iter().map(move |&mirrored| (joint, mirrored)))
}
