//! Warnings about frames of strands: each once, however long it lasts, and some only after many frames.

use super::{MOTIONS, Measured, NamedGoal, Restless, Stillness, used_up, warnings, wrapped};
use sinew_math::Real;
use sinew_strand::parts::{Aim, Axis, Ligaments, Motion};
use sinew_strand::state::State;
use sinew_strand::step::Report;
use std::collections::{HashMap, HashSet};

/// A goal that a contact has held back for so long, in s, is reported: a key that is struck stops a finger for less.
const BLOCKED: Real = 0.5;
/// A goal at a limit may be past it by rounding, in rad or m.
const ROUNDED: Real = 1e-6;

/// What was reported and observed so far.
#[derive(Clone, Default)]
pub struct Watch {
    /// The strands and nodes reported as held like a knot: one that bounces against it is reported once.
    knots: HashSet<(usize, usize)>,
    /// The joints reported as turned past 180 degrees.
    wrapped: HashSet<usize>,
    restless: Restless,
    /// For how long contacts have held goals back, in s; infinite once that was reported.
    blocked: HashMap<(String, usize), Real>,
    /// The goals reported as beyond what their joints allow.
    beyond: HashSet<String>,
    /// What `axial="still"` left out, over all frames.
    stillness: Stillness,
    /// Whether that was reported.
    reported_still: bool,
}

impl Watch {
    /// The warnings of a frame of that many seconds, with the goals at its end.
    pub fn note(
        &mut self,
        measured: &Measured,
        state: &State,
        report: &Report,
        goals: &[NamedGoal],
        seconds: Real,
    ) -> Vec<String> {
        let model = measured.model;
        let mut all = warnings(model, measured.rules, report);
        let new = report.used_up.iter().filter(|piece| self.knots.insert((piece.strand, piece.node)));
        all.extend(new.map(|piece| used_up(model, piece)));
        let new = report.wrapped.iter().filter(|turned| self.wrapped.insert(turned.joint));
        all.extend(new.map(|turned| wrapped(model, turned)));
        for goal in goals {
            if !self.beyond.contains(&goal.0)
                && let Some(text) = beyond(measured, goal)
            {
                self.beyond.insert(goal.0.clone());
                all.push(text);
            }
        }
        // Where something is in the way, it says more than that the muscles press on it.
        let restless = self.restless.note(measured, state, goals, seconds);
        all.extend(restless.filter(|_| report.blocked.is_empty()));
        self.note_blocked(measured, state, report, goals, seconds, &mut all);
        all
    }

    /// Warns of goals behind bodies that the contacts do not let pass, each once.
    fn note_blocked(
        &mut self,
        measured: &Measured,
        state: &State,
        report: &Report,
        goals: &[NamedGoal],
        seconds: Real,
        all: &mut Vec<String>,
    ) {
        let now = report.blocked.iter().filter_map(|[goal, contact]| Some((goals.get(*goal)?, *contact)));
        let is_now = |(name, contact): &(String, usize)| {
            now.clone().any(|(goal, other)| goal.0 == *name && other == *contact)
        };
        self.blocked.retain(|key, since| since.is_infinite() || is_now(key));
        for ((name, goal), contact) in now {
            let since = self.blocked.entry((name.clone(), contact)).or_default();
            *since += seconds;
            if *since >= BLOCKED && since.is_finite() {
                *since = Real::INFINITY;
                let unit = if goal.aim.is_turn() { " degrees" } else { "" };
                all.push(format!(
                    "goal {name} lies behind contact {}, which so far holds it {:.3}{unit} away: move the goal in \
                     front of it",
                    measured.model.parts().contacts[contact].name,
                    measured.way_left(&goal.aim, state).abs()
                ));
            }
        }
    }

    /// Accumulates the kinetic energy that `axial="still"` left out in a frame, and the whole; returns a warning, once,
    /// when it is noticeable.
    pub fn note_stillness(&mut self, left_out: [Real; 2]) -> Option<String> {
        self.stillness.add(left_out);
        let reported = self.too_still().filter(|_| !self.reported_still);
        self.reported_still |= reported.is_some();
        reported
    }

    /// The warning about it over all frames so far.
    pub fn too_still(&self) -> Option<String> {
        self.stillness.too_still()
    }
}

/// Where a motion of a joint ends before a goal, and whether it ends softly. Ligaments resist more and more, so a goal
/// a little beyond their range can be reached.
fn end_before(axis: &Axis, goal: Real) -> Option<(Real, bool)> {
    let (end, slack, soft) = match (axis.motion, axis.ligaments) {
        (Motion::Limited(from, to), _) if goal != goal.clamp(from, to) => {
            (goal.clamp(from, to), ROUNDED, false)
        }
        (_, Some(Ligaments { range: [from, to], width, .. })) => (goal.clamp(from, to), width, true),
        _ => return None,
    };
    ((goal - end).abs() > slack).then_some((end, soft))
}

/// The warning about a goal beyond what its joint allows.
fn beyond(measured: &Measured, (name, goal): &NamedGoal) -> Option<String> {
    let Aim::Motion { joint, axis, goal } = goal.aim else { return None };
    let joint = &measured.model.parts().joints[joint];
    let (end, soft) = end_before(&joint.axes[axis], goal)?;
    let shown = |value: Real| match axis {
        // Not -0.
        0..=2 => format!("{:.1} degrees", value.to_degrees() + 0.0),
        _ => format!("{:.5}", value / measured.space.metres_per_unit() + 0.0),
    };
    let ends = match soft {
        true => format!("from {} on, its ligaments resist more and more", shown(end)),
        false => format!("it ends at {}", shown(end)),
    };
    Some(format!(
        "goal {name} leads beyond the limit of joint {} in {}: {ends}, and the goal is at {}, so it may stay out of \
         reach",
        joint.name,
        MOTIONS[axis],
        shown(goal)
    ))
}
