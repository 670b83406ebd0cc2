//! Frames of scenes of strands: into how many steps they are cut, what is read off afterwards, what is told.

use crate::error::{Error, Kind, Result};
use crate::math::Real;
use crate::strand::RowOwner;
use crate::strand::control::Aim;
use crate::strand::joint::Joint;
use crate::strand::model::Model;
use crate::strand::state::State;
use crate::strand::step::Report;

/// More steps in a frame are a typing error.
const MOST: Real = 1e6;

/// The equal steps into which a frame is cut, none longer than one that is given.
pub fn substeps(seconds: Real, longest: Real) -> Result<u32> {
    let count = (seconds / longest - 1e-9).ceil().max(1.0);
    if count <= MOST {
        return Ok(count as u32);
    }
    let message = format!("steps of {longest} s cut a frame into {count}");
    Err(Error::new(Kind::InvalidArgument, message))
}

/// The six motions of a joint: turns in degrees, then moves in m.
pub fn motions(joint: &Joint, state: &State) -> [Real; 6] {
    let motions = joint.motions(|b| state.bodies[b].place);
    std::array::from_fn(|k| if k < 3 { motions[k].to_degrees() } else { motions[k] })
}

/// How far it is from what a goal is about to where it is to be: in degrees or m for a motion, in m for a place.
pub fn way_left(aim: &Aim, model: &Model, state: &State) -> Real {
    match aim {
        Aim::Place { body, local, goal } => (goal - state.bodies[*body].place.point(local)).norm(),
        Aim::Motion { joint, axis, goal } => {
            let goal = if *axis < 3 { goal.to_degrees() } else { *goal };
            goal - motions(&model.parts().joints[*joint], state)[*axis]
        }
    }
}

/// What contradicted in a frame, by name; `rules` are those of rules.
pub fn conflicts(model: &Model, rules: &[String], report: &Report) -> Vec<String> {
    let mut names: Vec<String> = report.conflicts.iter().map(|&row| owner(model, rules, row)).collect();
    names.sort();
    names.dedup();
    names
}

/// What a user should know of a frame that was asked for in so many steps.
pub fn warnings(model: &Model, rules: &[String], report: &Report, asked: u32) -> Vec<String> {
    let mut all = Vec::new();
    if report.steps > asked {
        all.push(format!("{asked} steps were too long for what pulls; it took {}", report.steps));
    }
    for &plane in &report.missed {
        let name = &model.parts().planes[plane].name;
        all.push(format!("plane {name} misses its bone; nodes may enter it"));
    }
    if report.unsolved > 0 {
        all.push(format!("{} steps were not solved to the end; the best found was used", report.unsolved));
    }
    let conflicts = conflicts(model, rules, report);
    if !conflicts.is_empty() {
        all.push(format!("these contradict others: {}", conflicts.join(", ")));
    }
    all
}

/// What a row of constraints belongs to, by name.
fn owner(model: &Model, rules: &[String], row: usize) -> String {
    let parts = model.parts();
    match model.owner_of_row(row) {
        Some(RowOwner::Body(b)) => format!("body {}", parts.bodies[b].name),
        Some(RowOwner::Node(s, k)) => format!("node {k} of strand {}", parts.strands[s].name),
        Some(RowOwner::Joint(j)) => format!("joint {}", parts.joints[j].name),
        Some(RowOwner::Rule(r)) => format!("rule {}", rules[r]),
        Some(RowOwner::Segment(s, k)) => {
            format!("material after node {k} of strand {}", parts.strands[s].name)
        }
        Some(RowOwner::Contact(c)) => format!("contact {}", parts.contacts[c].name),
        None => format!("row {row}"),
    }
}
