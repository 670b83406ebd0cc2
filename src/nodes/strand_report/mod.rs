//! Reports on frames of strands: the number of steps, what is measured on the result, and the warnings.

mod measured;
mod rest;
mod watch;

pub use measured::{MOTIONS, Measured, NamedGoal};
pub use rest::Restless;
pub use watch::Watch;

use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::counted;
use sinew_math::Real;
use sinew_strand::RowOwner;
use sinew_strand::model::Model;
use sinew_strand::parts::Aim;
use sinew_strand::state::State;
use sinew_strand::step::{APART, Jerked, Report, UsedUp, Wrapped};

/// More steps in a frame are a typing error.
const MOST: Real = 1e6;

/// The number of equal steps of a frame, none longer than `longest`.
pub fn substeps(seconds: Real, longest: Real) -> Result<u32> {
    let count = (seconds / longest - 1e-9).ceil().max(1.0);
    if count <= MOST {
        return Ok(count as u32);
    }
    let message = format!("steps of {longest} s divide a frame into {count:e}; at most {MOST:e} are allowed");
    Err(Error::new(Kind::InvalidArgument, message))
}

/// The six motions of a joint: rotations in degrees, then translations in m.
pub fn motions(model: &Model, joint: usize, state: &State) -> [Real; 6] {
    let motions = state.motions(model, joint);
    std::array::from_fn(|k| if k < 3 { motions[k].to_degrees() } else { motions[k] })
}

/// The remaining distance to a goal: in degrees or m for a motion, in m for a place.
pub fn way_left(aim: &Aim, model: &Model, state: &State) -> Real {
    match aim {
        Aim::Place { body, local, goal } => (goal - state.bodies[*body].place.point(local)).norm(),
        Aim::Motion { joint, axis, goal } => {
            let goal = if *axis < 3 { goal.to_degrees() } else { *goal };
            goal - motions(model, *joint, state)[*axis]
        }
    }
}

/// Conflicting constraints in a frame, by name; `rules` are the names of rules.
pub fn conflicts(model: &Model, rules: &[String], report: &Report) -> Vec<String> {
    let mut names: Vec<String> = report.conflicts.iter().map(|&row| owner(model, rules, row)).collect();
    names.sort();
    names.dedup();
    names
}

/// The warnings of a frame that was divided into that many steps.
pub fn warnings(model: &Model, rules: &[String], report: &Report) -> Vec<String> {
    let mut all = Vec::new();
    if report.rough > 0 {
        all.push(torn(model, report).unwrap_or_else(|| rough(model, report)));
    }
    for &plane in &report.missed {
        let name = &model.parts().planes[plane].name;
        all.push(format!("plane {name} misses its bone: nodes may enter the bone"));
    }
    if report.unsolved > 0 {
        let steps = counted(report.unsolved, "step", "steps");
        all.push(format!("{steps} did not converge; the best iterate was used"));
    }
    let conflicts = conflicts(model, rules, report);
    if !conflicts.is_empty() {
        all.push(format!("these constraints conflict with others: {}", conflicts.join(", ")));
    }
    all
}

/// A piece of strand that one step stretches by more than its length, against its prediction, is not where it should
/// be.
const TORN: Real = 1.0;

/// What is to be said about steps that were too long, if they tore a piece of strand out of its place. What a scene
/// begins with is corrected in its first step.
pub fn torn(model: &Model, report: &Report) -> Option<String> {
    let out_of_place = |jerked: &Jerked| jerked.strain > TORN && jerked.time > 1.5 * jerked.step;
    report.jerked.filter(out_of_place).map(|_| format!("{}; what follows is wrong", rough(model, report)))
}

/// What is to be said about steps that were too long.
fn rough(model: &Model, report: &Report) -> String {
    let (steps, were) =
        (counted(report.rough as usize, "step", "steps"), if report.rough == 1 { "was" } else { "were" });
    let Some(Jerked { strand, node, strain, length, step, time }) = report.jerked else {
        return format!(
            "{steps} had the minimum length and {were} still too long for the motion: set a shorter step"
        );
    };
    format!(
        "{steps} of {:.3} ms had the minimum length and {were} still too long for strand {}, whose piece after node \
         {node}, {:.3} mm long, was stretched by {:.1} % within one at {time:.4} s; use fewer nodes there or set a \
         shorter step",
        1e3 * step,
        model.parts().strands[strand].name,
        1e3 * length,
        100.0 * strain
    )
}

/// What is to be said about constraints that are violated by more than [`APART`].
pub fn apart(model: &Model, rules: &[String], report: &Report) -> Option<String> {
    let apart = report.apart?;
    let (what, size) = match model.is_turn(apart.row) {
        true => (format!("{:.3} degrees", apart.error.to_degrees()), "of a radian".to_string()),
        false => {
            let size = apart.error / apart.part;
            (format!("{:.3} mm", 1e3 * apart.error), format!("of its size, {:.1} mm", 1e3 * size))
        }
    };
    Some(format!(
        "{} is {what} off at {:.4} s, more than {} % {size}: the loads are too heavy or too sudden for the bodies and \
         the step, and what follows may be wrong; set a shorter step or less extreme masses",
        owner(model, rules, apart.row),
        apart.time,
        100.0 * APART
    ))
}

/// The share of kinetic energy that `axial="still"` leaves out, averaged over frames and weighted by what is left out:
/// a different motion at the end, such as everything falling, does not dilute what came before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stillness {
    sum: Real,
    weighted: Real,
}

impl Stillness {
    /// Adds a frame, from [`left_out`](sinew_strand::energy::left_out).
    pub fn add(&mut self, [left_out, whole]: [Real; 2]) {
        if whole > 0.0 {
            self.sum += left_out;
            self.weighted += left_out * (left_out / whole);
        }
    }

    /// The warning about it. Where a share p of what moves is left out, the same forces move the rest, 1 - p: it is
    /// faster by p / (1 - p).
    pub fn too_still(&self) -> Option<String> {
        let part = if self.sum > 0.0 { (self.weighted / self.sum).min(0.999) } else { 0.0 };
        let [left_out, faster] = [part, part / (1.0 - part)].map(|part| 100.0 * part);
        (faster > FELT).then(|| {
            format!(
                "axial=\"still\" leaves out {left_out:.1} % of the kinetic energy: accelerations are up to \
                 {faster:.1} % too high, and in runaway motion, such as a rope slipping off a peg, the error grows; \
                 axial=\"dynamic\" leaves nothing out"
            )
        })
    }
}

/// How much too fast things may be before a warning, in percent.
const FELT: Real = 1.0;

/// The warning about a joint with several rotation axes that went past 180 degrees.
pub fn wrapped(model: &Model, turned: &Wrapped) -> String {
    let (joint, axis) =
        (&model.parts().joints[turned.joint].name, ["turn_x", "turn_y", "turn_z"][turned.axis]);
    format!(
        "joint {joint} turned past 180 degrees in {axis} at {:.4} s: the angles of a joint with several rotation axes \
         reach from -180 to 180 degrees only, so its spring, limits or ligaments jump to the other side there, and so \
         does their energy",
        turned.time
    )
}

/// The warning about a piece of strand that ran out of material.
pub fn used_up(model: &Model, piece: &UsedUp) -> String {
    let strand = &model.parts().strands[piece.strand].name;
    let (from, to, time) = (piece.node, piece.node + 1, piece.time);
    let what = match piece.ran_off {
        true => "it ran off there and no longer carries any load",
        false => "it is held there like a knot",
    };
    format!("strand {strand} has no material left between its nodes {from} and {to} at {time:.4} s: {what}")
}

/// The name of what a constraint belongs to.
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
