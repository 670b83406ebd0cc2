//! What is wrong with muscle sets and plans: all of it, each with its element.

use super::plan::MusclePlan;
use super::{MuscleSet, Readable, check_count};
use crate::faults::{Fault, Weight, in_order, of_schema, walk};
use crate::schema::{Element, ElementSchema, Tree};
use sinew_base::control::Control;
use sinew_base::error::{Error, Result};
use std::collections::{HashMap, HashSet};

/// What is wrong at a line, in a sentence.
type Wrong = (u64, String);

/// All faults of a set's tree: what its tables say, and what cannot be built even on a rig that has all joints that it
/// names.
pub fn of_set(tree: &Tree, control: &Control) -> Result<Vec<Fault>> {
    all(tree, MuscleSet::schema(), control, |tree| {
        let left_out = Readable::new(tree)?.parts_on_own_joints()?.left_out;
        Ok(left_out.iter().map(|part| (part.line(), part.sentence())).collect())
    })
}

/// All faults of a plan's tree: what its tables say, and sheets of an impossible number of muscles.
pub fn of_plan(tree: &Tree, control: &Control) -> Result<Vec<Fault>> {
    all(tree, MusclePlan::schema(), control, |tree| {
        let plan = MusclePlan::from_tree(tree)?;
        let wrong = plan.muscles.iter().filter_map(|muscle| {
            let error = check_count(muscle.count).err()?;
            Some((muscle.line.0, error.message().to_string()))
        });
        Ok(wrong.collect())
    })
}

/// What the tables say, and what `look` finds beyond them, once for each element that can be read.
fn all(
    tree: &Tree,
    schema: &'static ElementSchema,
    control: &Control,
    look: impl Fn(&Tree) -> Result<Vec<Wrong>>,
) -> Result<Vec<Fault>> {
    let mut found = of_schema(tree, schema);
    control.check()?;
    let at = |error: Error| vec![(error.place().line.unwrap_or(tree.line), error.message().to_string())];
    let wrong = look(tree).unwrap_or_else(at);
    if !wrong.is_empty() {
        let mut seen: HashSet<u64> = found.iter().map(|fault| fault.line).collect();
        let mut paths = HashMap::new();
        walk(tree, schema, &mut |tree, _, path| {
            paths.entry(tree.line).or_insert(path.to_string());
        });
        for (line, message) in wrong.into_iter().filter(|(line, _)| seen.insert(*line)) {
            let element = paths.get(&line).unwrap_or(&tree.name).clone();
            found.push(Fault { weight: Weight::Wrong, line, element, attribute: None, message });
        }
    }
    in_order(tree, &mut found);
    Ok(found)
}
