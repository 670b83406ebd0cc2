//! What happens over the frames: motions of bodies and joints as tables, and the report.

use crate::error::{Error, Kind, Result};
use crate::formats::atomic;
use crate::math::Real;
use crate::scene::strand::Built;
use crate::scene::strand_detail::MOTIONS;
use crate::scene::strand_frame::Stillness;
use crate::scene::strand_watch::Watch;
use crate::strand::energy::left_out;
use crate::strand::state::{Moving, State};
use crate::strand::step::{Report, STAGES, Scratch};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;

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
    watch: Watch,
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
            watch: Watch::default(),
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
            (0..built.model.parts().joints.len()).map(|j| built.measured().motions(j, state)).collect();
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
        let measured = built.measured();
        let goals = built.named_goals(frame as Real / self.fps);
        let mut row = Map::from_iter([("frame".to_string(), json!(frame))]);
        row.extend(measured.state(state, &goals)?);
        if let Some(report) = report {
            let warnings = self.watch.note(&measured, state, report, &goals, 1.0 / self.fps);
            self.warnings.extend(warnings.into_iter().map(|text| format!("frame {frame}: {text}")));
            self.stillness.add(left_out(&built.model, state));
            let stages = STAGES.iter().zip(report.seconds);
            row.extend(measured.steps(scratch, report));
            let stages = stages.map(|(name, s)| (name.to_string(), json!(1e3 * s)));
            row.insert("milliseconds".into(), stages.collect());
        }
        self.reports.push(row.into());
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
