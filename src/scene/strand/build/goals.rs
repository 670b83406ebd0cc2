//! The goals of muscles, from the elements that describe them.

use super::{Known, Start};
use crate::schema::Line;
use crate::strand::goals::{GoalMotionElement, GoalPlaceElement, Pursued, What};
use crate::strand::names::{Names, wrong};
use crate::strand::track::Track;
use crate::strand::{ActivationElement, StrandScene};
use sinew_base::error::{Kind, Result};
use sinew_strand::parts::{Mode, Motion, Parts};

const MOTION: &str = "goal_motion";
const PLACE: &str = "goal_place";
/// The largest rotation of a joint with several rotation axes, in degrees: beyond it the angle wraps around.
const HALF_TURN: f64 = 180.0;

impl StrandScene {
    /// The goals and their names.
    pub(super) fn goals(
        &self,
        known: &Known,
        parts: &Parts,
        start: &Start,
    ) -> Result<(Vec<String>, Vec<Pursued>)> {
        self.chosen()?;
        let mut all: Vec<(String, Pursued, &'static str, Line)> = Vec::new();
        for e in &self.goal_motions {
            let name = e.name.clone().unwrap_or_else(|| format!("{} {}", e.joint, e.axis.word()));
            all.push((name, motion(e, known, parts, start)?, MOTION, e.line));
        }
        for e in &self.goal_places {
            let name = e.name.clone().unwrap_or_else(|| e.body.clone());
            all.push((name, place(e, known, parts, start)?, PLACE, e.line));
        }
        Names::new("goal", all.iter().map(|(name, _, element, line)| (name.as_str(), *element, *line)))?;
        for (name, goal, element, line) in &all {
            if goal.weight <= 0.0 || goal.time <= 0.0 {
                let message = format!("goal {name:?}: weight and time must be more than 0");
                return Err(wrong(Kind::OutOfRange, message, element, *line));
            }
            if parts.muscles.is_empty() {
                let message = "goals need muscles, and there are none";
                return Err(wrong(Kind::MissingInput, message, element, *line));
            }
        }
        Ok(all.into_iter().map(|(name, goal, ..)| (name, goal)).unzip())
    }

    /// Refuses given activations where goals choose them.
    fn chosen(&self) -> Result<()> {
        let given = |activation: f64, keys: &[ActivationElement]| activation != 0.0 || !keys.is_empty();
        match self.activations().find(|(start, keys, ..)| given(*start, keys) && self.has_goals()) {
            Some((_, _, name, element, line)) => {
                let message = format!(
                    "muscle {name:?} has an activation, but goals choose the activations of all muscles: remove one \
                     or the other"
                );
                Err(wrong(Kind::InvalidArgument, message, element, line))
            }
            None => Ok(()),
        }
    }
}

fn motion(e: &GoalMotionElement, known: &Known, parts: &Parts, start: &Start) -> Result<Pursued> {
    let joint = known.joints.find(&e.joint, MOTION, e.line)?;
    let (axis, unit) = (e.axis.index(), e.axis.unit());
    if parts.joints[joint].axes[axis].motion == Motion::Held {
        let message = format!("joint {:?} has no free {}: no goal can move it", e.joint, e.axis.word());
        return Err(wrong(Kind::InvalidArgument, message, MOTION, e.line));
    }
    let within = axis < 3 && parts.joints[joint].only_turn().is_none();
    if let Some(key) = e.keys.iter().find(|key| within && key.value.abs() > HALF_TURN) {
        let message = format!(
            "the goal of joint {:?} is {} degrees: the angles of a joint with several rotation axes reach from -180 to \
             180 degrees only",
            e.joint, key.value
        );
        return Err(wrong(Kind::OutOfRange, message, "goal_motion/to", key.line));
    }
    let keys = e.keys.iter().map(|key| (key.time, key.value * unit, key.line));
    leads_somewhere(e.keys.is_empty(), MOTION, e.line)?;
    let values = Track::new(start.starts[joint][axis], keys, "goal_motion/to")?;
    Ok(Pursued { what: What::Motion { joint, axis, values }, weight: e.weight, time: e.time })
}

fn place(e: &GoalPlaceElement, known: &Known, parts: &Parts, start: &Start) -> Result<Pursued> {
    let body = known.bodies.find(&e.body, PLACE, e.line)?;
    if parts.bodies[body].mode != Mode::Free {
        let message = format!("body {:?} is not free: muscles cannot bring it anywhere", e.body);
        return Err(wrong(Kind::InvalidArgument, message, PLACE, e.line));
    }
    leads_somewhere(e.keys.is_empty(), PLACE, e.line)?;
    let (modelled, starts) = (&start.modelled[body], &parts.bodies[body].place);
    let local = modelled.point_inside(&e.at.vec());
    if !local.iter().all(|x| x.is_finite()) {
        return Err(wrong(Kind::NotFinite, "the place is too far away to compute with", PLACE, e.line));
    }
    let keys = e.keys.iter().map(|key| (key.time, key.at.vec(), key.line));
    let from = if modelled == starts { e.at.vec() } else { starts.point(&local) };
    let places = Track::new(from, keys, "goal_place/to")?;
    Ok(Pursued { what: What::Place { body, local, places }, weight: e.weight, time: e.time })
}

/// Refuses a goal without keys.
fn leads_somewhere(empty: bool, element: &str, line: Line) -> Result<()> {
    match empty {
        true => Err(wrong(Kind::MissingInput, "the goal has no <to>, and so no target", element, line)),
        false => Ok(()),
    }
}
