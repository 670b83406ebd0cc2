//! Finds the joints of a rig by the names that a plan uses.

use super::Rig;
use crate::roles::{Certainty, Role, Roles};
use sinew_base::error::{Error, Result};
use sinew_scene::muscles::plan::{MusclePlan, PlanJoint, Side};
use sinew_scene::sides::other_side;
use sinew_scene::spoken::{Spoken, unknown};
use std::collections::HashMap;

/// Which joint of a rig each name of a plan means.
#[derive(Clone, Debug)]
pub struct Naming {
    joints: HashMap<String, usize>,
    /// The other names of the plan's joints.
    also: HashMap<String, Vec<String>>,
    /// The joints' names in the rig.
    names: Vec<String>,
    /// The same, taken apart.
    spoken: Vec<Spoken>,
    /// What the rig's joints do.
    roles: Roles,
    /// What is doubtful about the joints, one sentence each.
    pub doubts: Vec<String>,
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

/// The place of an item that is in a list once.
fn only<T: PartialEq>(list: &[T], item: &T) -> Option<usize> {
    let mut those = (0..list.len()).filter(|&k| list[k] == *item);
    those.next().filter(|_| those.next().is_none())
}

impl Naming {
    /// The joints of the plan that the rig has. A name that is a role, as those of the human are, means the joint that
    /// has it, if that is not doubtful. Otherwise a joint of that name, or of the first of the other names; then the
    /// joint of the role that the name has in any naming (`LeftUpLeg` is a thigh); then one whose name differs in case,
    /// separators, namespaces and the way a side is written, if only one does; then one of the role that another name
    /// is: where a rig has no thumb, the hand can carry its muscles.
    pub fn new(plan: &MusclePlan, rig: &Rig) -> Self {
        let roles = Roles::of_parts(rig);
        let wanted: Vec<Vec<String>> = both(plan)
            .map(|(joint, mirrored)| {
                let also = joint.also.as_deref().unwrap_or_default().split_whitespace();
                std::iter::once(joint.name.as_str()).chain(also).map(|name| on_side(name, mirrored)).collect()
            })
            .collect();
        let own: Vec<&str> = wanted.iter().map(|names| names[0].as_str()).collect();
        let meant: HashMap<&str, Role> =
            Roles::of_names(&own).into_iter().map(|(role, k)| (own[k], role)).collect();
        let spoken: Vec<Spoken> = rig.names.iter().map(|name| Spoken::new(name)).collect();
        let in_rig: HashMap<String, usize> = rig.names.iter().cloned().zip(0..).collect();
        let (mut joints, mut also) = (in_rig.clone(), HashMap::new());
        let mut doubts = Vec::new();
        let certainty = |joint: &usize| roles.certainty(*joint).unwrap_or(Certainty::Sure);
        let sure = |joint: &usize| certainty(joint) < Certainty::Doubtful;
        for names in &wanted {
            let name = names[0].as_str();
            let exact = || names.iter().find_map(|name| in_rig.get(name).copied());
            // What names dispute is left to the user.
            let may = |joint: &usize| certainty(joint) < Certainty::Disputed;
            let as_role = roles.named(name).filter(may);
            let as_meant = meant.get(name).and_then(|role| roles.joint(*role)).filter(may);
            let found = as_role
                .filter(sure)
                .or_else(exact)
                .or(as_meant.filter(sure))
                .or_else(|| names.iter().find_map(|name| only(&spoken, &Spoken::new(name))))
                .or_else(|| names[1..].iter().find_map(|name| roles.named(name).filter(sure)));
            let doubtful = if found.is_none() { as_role.or(as_meant) } else { None };
            doubts.extend(doubtful.map(|joint| {
                format!(
                    "that joint {:?} is the {name} is doubtful: a role chosen for a joint settles it",
                    rig.names[joint]
                )
            }));
            let found = found.or(doubtful);
            joints.extend(found.map(|joint| (name.to_string(), joint)));
            also.insert(name.to_string(), names[1..].to_vec());
        }
        Naming { joints, also, names: rig.names.to_vec(), spoken, roles, doubts }
    }

    /// The joint of a name, if the rig has it.
    pub fn find(&self, name: &str) -> Option<usize> {
        let found = self.joints.get(name).copied();
        // Names that the plan does not list among its joints can be the rig's, or those of roles.
        let listed = || self.also.contains_key(name);
        let other = || {
            let spoken = || only(&self.spoken, &Spoken::new(name));
            self.roles.named(name).or_else(spoken).or_else(|| self.roles.meant(name))
        };
        found.or_else(|| if listed() { None } else { other() })
    }

    /// The joint of a name; the error lists names like it that the rig has.
    pub fn joint(&self, name: &str) -> Result<usize> {
        let others = || self.also.get(name).map_or(&[][..], Vec::as_slice);
        self.find(name).ok_or_else(|| {
            let error = unknown(&self.names, name, others());
            // Why the human's joints were not found.
            match self.roles.lack().filter(|_| Roles::is_name(name)) {
                Some(why) => Error::new(error.kind(), format!("{} ({why})", error.message())),
                None => error,
            }
        })
    }

    /// The parent of each joint: the rig's, or, where nobody knows its hierarchy, as far as the plan gives one.
    pub fn parents(&self, plan: &MusclePlan, rig: &Rig) -> Vec<Option<usize>> {
        if rig.parents.len() == rig.names.len() {
            return rig.parents.to_vec();
        }
        let mut parents = vec![None; rig.names.len()];
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
