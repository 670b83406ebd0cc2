//! What happens over the frames: motions of bodies and joints as tables, and the report.

use crate::error::{Error, Kind, Result};
use crate::formats::atomic;
use crate::math::Real;
use crate::scene::strand::Built;
use crate::scene::strand_frame::{Stillness, conflicts, used_up, warnings, way_left, wrapped};
use crate::scene::strand_rest::Restless;
use crate::strand::energy::{energy, left_out, tensions};
use crate::strand::measures::{Touch, arms, joint_forces, lengths, touches};
use crate::strand::state::{Moving, State};
use crate::strand::step::{Report, STAGES, Scratch};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

/// What the motions of a joint are called.
const MOTIONS: [&str; 6] = ["turn_x", "turn_y", "turn_z", "move_x", "move_y", "move_z"];

/// What was noted so far.
pub(super) struct Record {
    fps: Real,
    substeps: u32,
    frames: Vec<i64>,
    /// For each frame, twelve numbers of each body.
    bodies: Vec<Vec<[Real; 12]>>,
    /// For each frame, six of each joint.
    joints: Vec<Vec<[Real; 6]>>,
    reports: Vec<Value>,
    /// The energy of motion that was left out, over all frames.
    stillness: Stillness,
    /// The strands and nodes that were told to be held like a knot: one that bounces against it is told once.
    knots: HashSet<(usize, usize)>,
    /// The joints that were told to have turned past 180 degrees.
    wrapped: HashSet<usize>,
    restless: Restless,
    pub warnings: Vec<String>,
}

impl Record {
    pub fn new(fps: Real, substeps: u32) -> Self {
        let (bodies, joints) = (Vec::new(), Vec::new());
        Record {
            fps,
            substeps,
            frames: Vec::new(),
            bodies,
            joints,
            reports: Vec::new(),
            stillness: Stillness::default(),
            knots: HashSet::new(),
            wrapped: HashSet::new(),
            restless: Restless::default(),
            warnings: Vec::new(),
        }
    }

    /// Notes a frame; the start has no report. A state with numbers that are none is refused.
    pub fn note(
        &mut self,
        built: &Built,
        state: &State,
        scratch: &Scratch,
        frame: i64,
        report: Option<&Report>,
    ) -> Result<()> {
        let matrix = |(b, body): (usize, &Moving)| {
            let matrix = built.shown(b, &body.place);
            std::array::from_fn(|k| matrix[(k / 4, k % 4)])
        };
        let bodies: Vec<[Real; 12]> = state.bodies.iter().enumerate().map(matrix).collect();
        let joints: Vec<[Real; 6]> =
            (0..built.model.parts().joints.len()).map(|joint| built.motions(joint, state)).collect();
        let points = state.places.iter().flat_map(|p| p.iter());
        let mut numbers = bodies.iter().flatten().chain(joints.iter().flatten()).chain(points);
        if !numbers.all(|x| x.is_finite()) {
            let message = "bodies or points are so far away that they have no finite place";
            return Err(Error::new(Kind::NotFinite, message).frame(frame));
        }
        self.frames.push(frame);
        self.bodies.push(bodies);
        self.joints.push(joints);
        self.report(built, state, scratch, frame, report)
    }

    fn report(
        &mut self,
        built: &Built,
        state: &State,
        scratch: &Scratch,
        frame: i64,
        report: Option<&Report>,
    ) -> Result<()> {
        let (parts, energy) = (built.model.parts(), energy(&built.model, state));
        let tensions = tensions(&built.model, state).into_iter().map(Value::from);
        let activations = state.activations.iter().copied().map(Value::from);
        let mut row = json!({
            "frame": frame,
            "time": state.time,
            "energy": { "kinetic": energy.kinetic, "elastic": energy.elastic, "height": energy.height },
            "tensions": named(&mut parts.strands.iter().map(|s| &s.name).zip(tensions)),
            "activations": named(&mut parts.muscles.iter().map(|m| &m.name).zip(activations)),
            "lengths": lengths_of(built, state),
            "moment_arms": arms_of(built, state)?,
        });
        let goals = built.script.goals(frame as Real / self.fps);
        if !goals.is_empty() {
            let unit = built.space.metres_per_unit();
            let left = goals.iter().map(|goal| {
                let left = way_left(&goal.aim, &built.model, state);
                Value::from(if goal.aim.is_turn() { left } else { left / unit })
            });
            row["ways_left"] = named(&mut built.goals.iter().zip(left));
        }
        if let Some(report) = report {
            let (model, rules) = (&built.model, &built.rules);
            let new = report.used_up.iter().filter(|piece| self.knots.insert((piece.strand, piece.node)));
            let used_up = new.map(|piece| used_up(model, piece)).collect::<Vec<_>>();
            let new = report.wrapped.iter().filter(|turned| self.wrapped.insert(turned.joint));
            let wrapped = new.map(|turned| wrapped(model, turned));
            let warnings = warnings(model, rules, report).into_iter().chain(used_up).chain(wrapped);
            self.warnings.extend(warnings.map(|text| format!("frame {frame}: {text}")));
            self.stillness.add(left_out(model, state));
            let restless = self.restless.note(built, state, &goals, 1.0 / self.fps);
            self.warnings.extend(restless.map(|text| format!("frame {frame}: {text}")));
            row["contacts"] = contacts_of(built, scratch, report.last_step);
            row["joint_forces"] = forces_of(built, scratch, report.last_step);
            row["steps"] = json!(report.steps);
            row["constraint_error"] = json!(report.error);
            row["factorisations"] = json!(report.factorisations);
            row["unsolved"] = json!(report.unsolved);
            row["conflicts"] = json!(conflicts(model, rules, report));
            let stages = STAGES.iter().zip(report.seconds);
            row["milliseconds"] = stages.map(|(name, s)| (name.to_string(), json!(1e3 * s))).collect();
        }
        self.reports.push(row);
        Ok(())
    }

    /// Writes the tables and the report; returns the report.
    pub fn save(&mut self, out: &Path, built: &Built) -> Result<Value> {
        self.warnings.extend(self.stillness.too_still());
        let parts = built.model.parts();
        let bodies: Vec<&str> = parts.bodies.iter().map(|b| b.name.as_str()).collect();
        let joints: Vec<&str> = parts.joints.iter().map(|j| j.name.as_str()).collect();
        let cells = (0..12).map(|k| format!("m{}{}", k / 4, k % 4)).collect::<Vec<_>>();
        self.table(out, "bodies", &format!("frame,body,{}", cells.join(",")), &bodies, &self.bodies)?;
        self.table(out, "joints", &format!("frame,joint,{}", MOTIONS.join(",")), &joints, &self.joints)?;
        let report = json!({
            "fps": self.fps, "steps_per_frame": self.substeps, "frames": self.reports, "warnings": self.warnings,
        });
        atomic::write(&out.join("report.json"), |file| writeln!(file, "{report:#}"))?;
        Ok(report)
    }

    /// Writes what a frame has of each name, as CSV and as JSON.
    fn table<const N: usize>(
        &self,
        out: &Path,
        title: &str,
        header: &str,
        names: &[&str],
        values: &[Vec<[Real; N]>],
    ) -> Result<()> {
        atomic::write(&out.join(format!("{title}.csv")), |file| {
            writeln!(file, "{header}")?;
            for (frame, row) in self.frames.iter().zip(values) {
                for (name, numbers) in names.iter().zip(row) {
                    let numbers: Vec<String> = numbers.iter().map(Real::to_string).collect();
                    writeln!(file, "{frame},{name},{}", numbers.join(","))?;
                }
            }
            Ok(())
        })?;
        let frame = |(frame, row): (&i64, &Vec<[Real; N]>)| {
            let named =
                names.iter().zip(row).map(|(name, numbers)| (name.to_string(), json!(numbers.to_vec())));
            json!({ "frame": frame, title: Value::Object(named.collect()) })
        };
        let all: Vec<Value> = self.frames.iter().zip(values).map(frame).collect();
        atomic::write(&out.join(format!("{title}.json")), |file| writeln!(file, "{}", Value::from(all)))
    }
}

/// Values by name.
fn named(names: &mut dyn Iterator<Item = (&String, Value)>) -> Value {
    names.map(|(name, value)| (name.clone(), value)).collect::<Map<_, _>>().into()
}

/// How long strands are, in the scene's unit.
fn lengths_of(built: &Built, state: &State) -> Value {
    let unit = built.space.metres_per_unit();
    let lengths = lengths(&built.model, state)
        .map(|length| json!({ "stretched": length.stretched / unit, "material": length.material / unit }));
    named(&mut built.model.parts().strands.iter().map(|strand| &strand.name).zip(lengths))
}

/// The arms of strands, by joint and motion: of turns in the scene's unit per radian, of moves a part of the way.
fn arms_of(built: &Built, state: &State) -> Result<Value> {
    let (parts, unit) = (built.model.parts(), built.space.metres_per_unit());
    let mut all = Map::new();
    for arm in arms(&built.model, state)? {
        let (strand, joint) = (&parts.strands[arm.strand].name, &parts.joints[arm.joint].name);
        let length = if arm.axis < 3 { arm.arm / unit } else { arm.arm };
        let of_strand = all.entry(strand.as_str()).or_insert_with(|| json!({}));
        of_strand[joint.as_str()][MOTIONS[arm.axis]] = json!(length);
    }
    Ok(all.into())
}

/// What contacts bear, and where.
fn contacts_of(built: &Built, scratch: &Scratch, step: Real) -> Value {
    let parts = built.model.parts();
    let touch = |touch: &Touch| {
        let place = |(place, pressing): &(_, Real)| json!({ "at": built.point(*place).as_slice(), "pressing": pressing });
        json!({
            "bodies": parts.contacts[touch.contact].bodies.map(|b| &parts.bodies[b].name),
            "force": built.direction(touch.force).as_slice(),
            "places": touch.places.iter().map(place).collect::<Vec<_>>(),
        })
    };
    let touches = touches(&built.model, scratch, step);
    named(&mut touches.iter().map(|t| (&parts.contacts[t.contact].name, touch(t))))
}

/// What joints bear.
fn forces_of(built: &Built, scratch: &Scratch, step: Real) -> Value {
    let forces = joint_forces(&built.model, scratch, step);
    let forces = forces.into_iter().map(|force| json!(built.direction(force).as_slice()));
    named(&mut built.model.parts().joints.iter().map(|joint| &joint.name).zip(forces))
}
