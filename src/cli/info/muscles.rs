//! The contents of muscle sets and of plans.

use serde_json::{Value, json};
use sinew_base::error::Result;
use sinew_math::UpAxis;
use sinew_scene::muscles::plan::{MusclePlan, Side};
use sinew_scene::muscles::{MuscleElement, Readable};
use sinew_scene::schema::{Element, Tree};

/// What a set holds; something stands for what cannot be read.
pub(super) fn set(tree: &Tree) -> Result<Value> {
    let readable = Readable::new(tree)?;
    let set = readable.set();
    let mut joints: Vec<String> = Vec::new();
    for joint in readable.joints() {
        if !joints.iter().any(|known| known == joint) {
            joints.push(joint.into());
        }
    }
    let count = |of: fn(&MuscleElement) -> usize| set.muscles.iter().map(of).sum::<usize>();
    let space = set.space.as_ref();
    let holds = json!({
        "muscle_set": "muscles of a body, for the node muscle_skin",
        "metres_per_unit": space.map_or(1.0, |space| space.metres_per_unit),
        "up": if space.is_some_and(|space| space.up == UpAxis::Z) { "z" } else { "y" },
        "muscles": set.muscle_names().len(),
        "sheets": count(|e| usize::from(e.count > 1)),
        "heads": count(|e| e.heads.len()),
        "pads": set.pads.len(),
        "bones": set.bones.len(),
        "joints": joints.join(", "),
        "names": set.muscle_names().join(", "),
    });
    Ok(holds)
}

pub(super) fn plan(tree: &Tree) -> Result<Value> {
    let plan = MusclePlan::from_tree(tree)?;
    let sides = |side: Side| match side {
        Side::Both => 2,
        Side::One => 1,
    };
    let strips = |count: u32, heads: usize| count as usize + heads;
    let muscles = plan.muscles.iter().map(|e| sides(e.side) * strips(e.count, e.heads.len()));
    let joints: Vec<&str> = plan.joints.iter().map(|joint| joint.name.as_str()).collect();
    let turning = plan.joints.iter().filter(|joint| {
        [joint.flex.is_some(), joint.abduct.is_some(), joint.twist.is_some()].contains(&true)
    });
    let names: Vec<&str> = plan.muscles.iter().map(|e| e.name.as_str()).collect();
    let holds = json!({
        "muscle_plan": "muscles in coordinates of bones, for sinew muscles fit",
        "muscles": muscles.sum::<usize>(),
        "pads": plan.pads.iter().map(|e| sides(e.side)).sum::<usize>(),
        "bones": plan.bones.iter().map(|e| sides(e.side)).sum::<usize>(),
        "joints": joints.join(", "),
        "joints_with_ranges": turning.count(),
        "names": names.join(", "),
    });
    Ok(holds)
}
