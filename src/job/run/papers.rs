//! The documents that a run writes: the report, the manifest and the page.

use super::super::store::manifest::{self, Listed};
use super::super::store::work::Done;
use super::seams;
use super::summary::{Summary, failed, wrong};
use super::{Job, Way};
use serde_json::{Value, json};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::{atomic, inside};
use sinew_math::UpAxis;
use sinew_scene::frames::format_frames;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

impl Job {
    /// The page shows the tables of all frames, and the report.
    pub(super) fn page_of_all(&mut self, control: &Control) -> Result<Summary> {
        let summary = self.report();
        if let Some(&first) = summary.left.first() {
            let left = format_frames(&summary.left);
            let message = format!("the page needs all frames, but the files of some are missing: {left}");
            return Err(Error::new(Kind::MissingFile, message).file(&self.folder).frame(first));
        }
        self.save_report(&summary)?;
        self.make_page(control)?;
        self.list_again()?;
        Ok(summary)
    }

    pub(super) fn make_page(&mut self, control: &Control) -> Result<()> {
        let clock = Instant::now();
        let pages = self.outputs.write_pages(self.graph.frames())?;
        for page in pages.iter().filter(|_| self.plan.way != Way::Once) {
            self.files.push(Listed::new(page, &self.folder, control)?);
        }
        self.took("page", clock);
        Ok(())
    }

    /// In the manifest of the finished job, lists the files that this run made again as they are now.
    fn list_again(&self) -> Result<()> {
        let path = self.folder.join(manifest::NAME);
        let Some(mut value) = manifest::read(&self.folder).filter(|value| value["job"] == self.fingerprint)
        else {
            return Ok(());
        };
        for file in &self.files {
            let (name, entry) = (file.file.to_string_lossy(), file.to_json());
            let all = value["files"].as_array_mut().into_iter().flatten();
            all.filter(|known| known["file"] == *name).for_each(|known| known.clone_from(&entry));
        }
        atomic::write(&path, |file| writeln!(file, "{value:#}"))
    }

    /// An error if an input has changed since it was read.
    pub(super) fn check_inputs(&self, control: &Control) -> Result<()> {
        self.inputs.iter().try_for_each(|input| input.check(control))
    }

    pub(super) fn save_report(&self, summary: &Summary) -> Result<()> {
        if !self.outputs.has_report() {
            return Ok(());
        }
        let reported = format!("{:#}\n", summary.report);
        atomic::write(&self.folder.join("report.json"), |file| file.write_all(reported.as_bytes()))
    }

    /// What the run has to say so far.
    pub(super) fn report(&self) -> Summary {
        let places = 0..self.graph.frames().len();
        let row =
            |place: usize| self.done.get(&place).map(|done| &done.row).or_else(|| self.rows.get(&place));
        let rows: Vec<&Value> = places.filter_map(row).collect();
        let mut warnings = self.graph.warnings();
        warnings.extend(self.outputs.warnings());
        warnings.extend(seams::warning(&rows));
        for row in &rows {
            let texts = row["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
            warnings.extend(texts.map(|text| format!("frame {}: {text}", row["frame"])));
        }
        let (failed, wrong) = (failed(rows.iter().copied()), wrong(rows.iter().copied()));
        let mut report = json!({
            "fps": self.graph.fps(), "frames": rows, "warnings": warnings, "milliseconds": self.milliseconds,
        });
        for (name, reported) in [("command", &self.command), ("job", &self.fingerprint)] {
            if !reported.is_empty() {
                report[name] = json!(reported);
            }
        }
        if self.graph.space().up() == UpAxis::Z {
            report["up"] = json!("z");
        }
        if let Some(unit) = self.unit {
            report["unit"] = json!(unit);
        }
        let left = self.left().into_iter().map(|place| self.graph.frames()[place]).collect();
        Summary { report, warnings, failed, wrong, left }
    }

    /// The files that the job read and wrote; report.json, which contains times, is not among them.
    pub(super) fn manifest(&self) -> Result<()> {
        if !self.has_manifest() {
            return Ok(());
        }
        let list = |files: &[Listed]| -> Vec<Value> { files.iter().map(Listed::to_json).collect() };
        let frame = |done: &Done| json!({ "frame": done.row["frame"], "kept": done.row["kept"], "files": list(&done.files) });
        let manifest = json!({
            "sinew": sinew_version::VERSION, "job": self.fingerprint,
            "inputs": self.inputs.iter().map(|input| input.listed().to_json()).collect::<Vec<_>>(),
            "frames": self.done.values().map(frame).collect::<Vec<_>>(), "files": list(&self.files),
        });
        let path = self.folder.join(manifest::NAME);
        atomic::write(&path, |file| writeln!(file, "{manifest:#}"))
    }

    fn has_manifest(&self) -> bool {
        self.plan.way != Way::Once && self.outputs.has_report()
    }

    /// An earlier run's leftover files could be mistaken for this one's; files changed since are somebody's work.
    pub(super) fn remove_stale(&self, control: &Control) -> Result<()> {
        if !self.has_manifest() {
            return Ok(());
        }
        let names: HashSet<PathBuf> = self.names.iter().map(|name| inside::whole(name)).collect();
        for file in &self.before {
            let path = file.path(&self.folder);
            if !names.contains(&inside::whole(&path)) && file.is_there(&self.folder, control)? {
                std::fs::remove_file(&path).map_err(|e| Error::io(&path, &e))?;
            }
        }
        Ok(())
    }
}

/// The name of the unit of length.
pub(super) fn unit(metres: f64) -> Option<&'static str> {
    let known = [(1.0, "m"), (0.1, "dm"), (0.01, "cm"), (0.001, "mm"), (0.0254, "in"), (0.3048, "ft")];
    known.iter().find(|(size, _)| *size == metres).map(|(_, name)| *name)
}
