//! What the joints of a file do.

use serde_json::{Map, Value, json};
use sinew_anatomy::muscles::Rig;
use sinew_anatomy::roles::{Certainty, Found, Roles};
use sinew_formats::contents::Contents;
use sinew_formats::joints;
use std::path::Path;

/// Adds to the page of a file with joints what these do, and what is doubtful about that. A file whose skeletons are
/// several is asked for one of them.
pub(super) fn add(path: &Path, page: &mut Contents) {
    let holds_joints = |key: &str| {
        page.holds.get(key).is_some_and(|value| value.as_array().is_none_or(|list| !list.is_empty()))
    };
    if !["joints", "skeletons", "skins"].into_iter().any(holds_joints) {
        return;
    }
    // What is wrong with the joints is a problem of the page already.
    let Ok(file) = joints::read(path) else { return };
    let rig = Rig {
        names: &file.animation.names,
        rest: &file.animation.rest,
        parents: &file.animation.parents,
        chosen: &[],
    };
    let roles = Roles::find(&rig);
    let name = |joint: usize| rig.names[joint].clone();
    let each = roles.all().iter().map(|found| (found.role.to_string(), Value::from(name(found.joint))));
    page.holds["roles"] = match roles.all() {
        [] => Value::from(roles.warnings.join("; ")),
        _ => Value::from(each.collect::<Map<String, Value>>()),
    };
    let doubts: Vec<Value> = roles.all().iter().filter_map(|found| doubt(found, &name)).collect();
    let doubts: Vec<Value> = match roles.all() {
        [] => doubts,
        _ => roles.warnings.iter().cloned().map(Value::from).chain(doubts).collect(),
    };
    if !doubts.is_empty() {
        page.holds["doubts about roles"] = json!(doubts);
    }
}

/// What is doubtful about a role, as a sentence.
fn doubt(found: &Found, name: &impl Fn(usize) -> String) -> Option<Value> {
    if found.certainty < Certainty::Doubtful {
        return None;
    }
    let rivals: Vec<String> = found.rivals.iter().map(|&joint| format!("{:?}", name(joint))).collect();
    let rivals = match &rivals[..] {
        [] => String::new(),
        rivals => format!("; it may be {}", rivals.join(" or ")),
    };
    let (role, joint, word) = (found.role, name(found.joint), found.certainty.word());
    Some(format!("{role}: {joint:?} is {word}: {}{rivals}", found.why).into())
}
