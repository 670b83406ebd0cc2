//! Finds the joints of a rig by the names that a plan uses.

use super::Rig;
use sinew_base::error::Result;
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

/// A name as it counts in comparisons: spelling does not matter, but two joints of different naming conventions may
/// have one name. Mixamo's spine begins with `mixamorig:Spine`, which in other rigs is its middle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    /// The index of the convention, of those with a prefix.
    convention: Option<usize>,
    spoken: Spoken,
}

impl Key {
    /// The prefix of a convention is found behind a namespace (`char:mixamorig:Hips`), with a number
    /// (`mixamorig1:Hips`) and with another separator (`mixamorig_Hips`), as programs write it.
    fn new(name: &str, prefixes: &[String]) -> Self {
        let lower = name.to_ascii_lowercase();
        let apart = |c: char| !c.is_alphanumeric();
        let without = |prefix: &String| {
            let (before, after) = lower.split_once(prefix.as_str())?;
            let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
            let alone = before.chars().last().is_none_or(apart) && after.starts_with(apart);
            alone.then(|| &name[name.len() - after.len()..])
        };
        let found = prefixes.iter().enumerate().find_map(|(k, prefix)| Some((k, without(prefix)?)));
        Key { convention: found.map(|(k, _)| k), spoken: Spoken::new(found.map_or(name, |(_, own)| own)) }
    }
}

/// A joint of a plan on one side: its name and the others, best first.
struct Wanted {
    names: Vec<String>,
    keys: Vec<Key>,
}

/// The prefixes of naming conventions, such as `mixamorig`, with which a plan's names begin.
fn prefixes(plan: &MusclePlan) -> Vec<String> {
    let names =
        plan.joints.iter().flat_map(|joint| joint.also.as_deref().unwrap_or_default().split_whitespace());
    let mut prefixes: Vec<String> =
        names.filter_map(|name| Some(name.rsplit_once(':')?.0.to_ascii_lowercase())).collect();
    prefixes.sort_unstable();
    prefixes.dedup();
    prefixes
}

/// The convention, of those with a prefix, that a rig without any prefix follows: the one that names more of its joints
/// than the names without prefixes do.
fn unprefixed(wanted: &[Wanted], rig: &[Key], prefixes: usize) -> Option<usize> {
    if rig.iter().any(|key| key.convention.is_some()) {
        return None;
    }
    let count = |convention: Option<usize>| {
        let there =
            |key: &Key| key.convention == convention && rig.iter().any(|own| own.spoken == key.spoken);
        wanted.iter().filter(|joint| joint.keys.iter().any(there)).count()
    };
    let best = (0..prefixes).max_by_key(|&k| count(Some(k)))?;
    (count(Some(best)) > count(None)).then_some(best)
}

/// The place of an item that is in a list once.
fn only<T: PartialEq>(list: &[T], item: &T) -> Option<usize> {
    let mut those = (0..list.len()).filter(|&k| list[k] == *item);
    those.next().filter(|_| those.next().is_none())
}

impl Naming {
    /// The joints of the plan that the rig has: by the plan's name first, then by the first of the others; if none of
    /// them is there, by one that differs in case, separators, namespaces and the way a side is written, if only one
    /// does.
    pub fn new(plan: &MusclePlan, rig: &Rig) -> Self {
        let prefixes = prefixes(plan);
        let wanted: Vec<Wanted> = both(plan)
            .map(|(joint, mirrored)| {
                let also = joint.also.as_deref().unwrap_or_default().split_whitespace();
                let names = std::iter::once(joint.name.as_str()).chain(also);
                let names: Vec<String> = names.map(|name| on_side(name, mirrored)).collect();
                Wanted { keys: names.iter().map(|name| Key::new(name, &prefixes)).collect(), names }
            })
            .collect();
        let mut rig_keys: Vec<Key> = rig.names.iter().map(|name| Key::new(name, &prefixes)).collect();
        let adopted = unprefixed(&wanted, &rig_keys, prefixes.len());
        rig_keys.iter_mut().filter(|_| adopted.is_some()).for_each(|key| key.convention = adopted);
        let in_rig: HashMap<String, usize> = rig.names.iter().cloned().zip(0..).collect();
        let (mut joints, mut also) = (in_rig.clone(), HashMap::new());
        for Wanted { mut names, keys } in wanted {
            let exact = names.iter().find_map(|name| in_rig.get(name).copied());
            let spoken = keys.iter().find_map(|key| only(&rig_keys, key));
            let found = if adopted.is_some() { spoken.or(exact) } else { exact.or(spoken) };
            let name = names.remove(0);
            joints.extend(found.map(|joint| (name.clone(), joint)));
            also.insert(name, names);
        }
        let spoken = rig.names.iter().map(|name| Spoken::new(name)).collect();
        Naming { joints, also, names: rig.names.to_vec(), spoken }
    }

    /// The joint of a name, if the rig has it.
    pub fn find(&self, name: &str) -> Option<usize> {
        let found = self.joints.get(name).copied();
        // Names that the plan does not list among its joints can only be the rig's.
        let listed = || self.also.contains_key(name);
        found.or_else(|| if listed() { None } else { only(&self.spoken, &Spoken::new(name)) })
    }

    /// The joint of a name; the error lists names like it that the rig has.
    pub fn joint(&self, name: &str) -> Result<usize> {
        let others = || self.also.get(name).map_or(&[][..], Vec::as_slice);
        self.find(name).ok_or_else(|| unknown(&self.names, name, others()))
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
