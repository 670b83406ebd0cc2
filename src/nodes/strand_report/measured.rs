//! The full report of a frame of strands: energies, tensions, activations, lengths, moment arms, remaining distances to
//! goals; after steps also contact and joint forces, and statistics of the steps. Measuring costs time, moment arms
//! above all: it is done on request only.

use super::{conflicts, motions, way_left};
use serde_json::{Map, Value, json};
use sinew_base::error::Result;
use sinew_math::{Real, Space, Vec3};
use sinew_strand::energy::{energy, tensions, tensions_after};
use sinew_strand::measures::{Touch, arms, joint_forces, lengths, touches};
use sinew_strand::model::Model;
use sinew_strand::parts::{Aim, Goal};
use sinew_strand::state::State;
use sinew_strand::step::{Report, Scratch};

/// The names of the motions of joints.
pub const MOTIONS: [&str; 6] = ["turn_x", "turn_y", "turn_z", "move_x", "move_y", "move_z"];

/// A place in the scene's space.
fn point_out(space: &Space, point: Vec3) -> Vec3 {
    // Not -0.
    if *space == Space::default() { point } else { space.point_out(point).map(|x| x + 0.0) }
}

/// A goal and its name.
pub type NamedGoal = (String, Goal);

/// A model, and how measurements on it are reported.
#[derive(Clone, Copy)]
pub struct Measured<'a> {
    /// What moves.
    pub model: &'a Model,
    /// The names of its rules.
    pub rules: &'a [String],
    /// The unit of lengths and the up axis of directions in the report; forces are in N.
    pub space: Space,
}

impl Measured<'_> {
    /// What can be measured on a state, after steps if there were any.
    pub fn state(
        &self,
        state: &State,
        scratch: Option<&Scratch>,
        goals: &[NamedGoal],
    ) -> Result<Map<String, Value>> {
        let (parts, energy) = (self.model.parts(), energy(self.model, state));
        let tensions = scratch.map_or_else(
            || tensions(self.model, state),
            |scratch| tensions_after(self.model, state, scratch),
        );
        let tensions = tensions.into_iter().map(Value::from);
        let activations = state.activations.iter().copied().map(Value::from);
        let mut reported = Map::new();
        reported.insert("time".into(), state.time.into());
        reported.insert(
            "energy".into(),
            json!({ "kinetic": energy.kinetic, "elastic": energy.elastic, "height": energy.height }),
        );
        reported.insert("tensions".into(), named(parts.strands.iter().map(|s| &s.name).zip(tensions)));
        reported.insert("activations".into(), named(parts.muscles.iter().map(|m| &m.name).zip(activations)));
        reported.insert("lengths".into(), self.lengths(state));
        reported.insert("moment_arms".into(), self.arms(state)?);
        if !goals.is_empty() {
            let left = goals.iter().map(|(name, goal)| (name, self.way_left(&goal.aim, state).into()));
            reported.insert("ways_left".into(), named(left));
        }
        Ok(reported)
    }

    /// What can be measured on the steps that led to a state.
    pub fn steps(&self, scratch: &Scratch, report: &Report) -> Map<String, Value> {
        let rows = [
            ("contacts", self.contacts(scratch, report.last_step)),
            ("joint_forces", self.joint_forces(scratch, report.last_step)),
            ("steps", report.steps.into()),
            ("constraint_error", report.error.into()),
            ("factorisations", report.factorisations.into()),
            ("unsolved", report.unsolved.into()),
            ("conflicts", conflicts(self.model, self.rules, report).into()),
        ];
        rows.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// The remaining distance to a goal: in degrees for a rotation, otherwise in the unit of lengths.
    pub fn way_left(&self, aim: &Aim, state: &State) -> Real {
        let left = way_left(aim, self.model, state);
        if aim.is_turn() { left } else { left / self.space.metres_per_unit() }
    }

    /// The six motions of a joint: rotations in degrees, then translations.
    pub fn motions(&self, joint: usize, state: &State) -> [Real; 6] {
        let (motions, unit) = (motions(self.model, joint, state), self.space.metres_per_unit());
        std::array::from_fn(|k| if k < 3 { motions[k] } else { motions[k] / unit })
    }

    /// The lengths of strands.
    fn lengths(&self, state: &State) -> Value {
        let unit = self.space.metres_per_unit();
        let lengths = lengths(self.model, state).map(
            |length| json!({ "stretched": length.stretched / unit, "material": length.material / unit }),
        );
        named(self.model.parts().strands.iter().map(|strand| &strand.name).zip(lengths))
    }

    /// The moment arms of strands, by joint and motion: a length per radian for rotations, a fraction for translations.
    fn arms(&self, state: &State) -> Result<Value> {
        let (parts, unit) = (self.model.parts(), self.space.metres_per_unit());
        let mut all = Map::new();
        for arm in arms(self.model, state)? {
            let (strand, joint) = (&parts.strands[arm.strand].name, &parts.joints[arm.joint].name);
            let length = if arm.axis < 3 { arm.arm / unit } else { arm.arm };
            let of_strand = all.entry(strand.as_str()).or_insert_with(|| json!({}));
            of_strand[joint.as_str()][MOTIONS[arm.axis]] = json!(length);
        }
        Ok(all.into())
    }

    /// The forces of contacts, and where they act.
    fn contacts(&self, scratch: &Scratch, step: Real) -> Value {
        let parts = self.model.parts();
        let touch = |touch: &Touch| {
            let place = |(place, pressing): &(Vec3, Real)| json!({ "at": point_out(&self.space, *place).as_slice(), "pressing": pressing });
            json!({
                "bodies": parts.contacts[touch.contact].bodies.map(|b| &parts.bodies[b].name),
                "force": self.direction(touch.force).as_slice(),
                "places": touch.places.iter().map(place).collect::<Vec<_>>(),
            })
        };
        let touches = touches(self.model, scratch, step);
        named(touches.iter().map(|t| (&parts.contacts[t.contact].name, touch(t))))
    }

    /// The forces of joints.
    fn joint_forces(&self, scratch: &Scratch, step: Real) -> Value {
        let forces = joint_forces(self.model, scratch, step);
        let forces = forces.into_iter().map(|force| json!(self.direction(force).as_slice()));
        named(self.model.parts().joints.iter().map(|joint| &joint.name).zip(forces))
    }

    /// A direction in the reported axes; its length stays.
    fn direction(&self, direction: Vec3) -> Vec3 {
        // Not -0.
        self.space.direction_out(direction).map(|x| x + 0.0)
    }
}

/// Values by name.
fn named<'a>(values: impl Iterator<Item = (&'a String, Value)>) -> Value {
    values.map(|(name, value)| (name.clone(), value)).collect::<Map<_, _>>().into()
}
