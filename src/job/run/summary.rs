//! The outcome of a run.

use super::super::scene_file::SceneFile;
use super::super::store::finished::Finished;
use super::super::store::work::Lock;
use serde_json::Value;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::frames::format_frames;
use std::path::{Path, PathBuf};

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The contents of report.json.
    pub report: Value,
    /// Warnings, each with its frame.
    pub warnings: Vec<String>,
    /// Frames whose inputs could not be used, for which the last good result is written.
    pub failed: Vec<i64>,
    /// Frames whose results are wrong; the warnings say why.
    pub wrong: Vec<i64>,
    /// The frames that are left for other runs.
    pub left: Vec<i64>,
}

impl Summary {
    /// An error when a frame failed, or is wrong.
    pub fn check(&self, frames: usize) -> Result<()> {
        let Some(&first) = self.failed.first() else { return self.check_right(frames) };
        let failed =
            format!("{} of {frames} frames failed: {}", self.failed.len(), format_frames(&self.failed));
        let message = format!("{failed}; the last good result stands in for them; the report says why");
        Err(Error::new(Kind::NotFinite, message).frame(first))
    }

    fn check_right(&self, frames: usize) -> Result<()> {
        let Some(&first) = self.wrong.first() else { return Ok(()) };
        let which =
            format!("{} of {frames} frames are wrong: {}", self.wrong.len(), format_frames(&self.wrong));
        let message = format!("{which}; they are written, and the warnings say what is wrong with them");
        Err(Error::new(Kind::NoConvergence, message).frame(first))
    }

    /// The report.json of a finished job; none if the job is not finished, or its files have changed since.
    pub fn of_finished(file: &SceneFile, control: &Control) -> Result<Option<(Summary, PathBuf)>> {
        let Some(folder) = file.results_folder() else { return Ok(None) };
        match Finished::read(&folder) {
            Some(finished) if finished.is(file, &folder, control)? => {
                Ok(Summary::stored(&folder).map(|s| (s, folder)))
            }
            _ => Ok(None),
        }
    }

    /// What report.json holds; none while another run is writing into the folder.
    fn stored(folder: &Path) -> Option<Summary> {
        // Nobody is using it; what killed runs have left is removed.
        let _lock = Lock::new(folder, false).ok()?;
        let report: Value = serde_json::from_slice(&std::fs::read(folder.join("report.json")).ok()?).ok()?;
        let texts = report["warnings"].as_array()?.iter().filter_map(Value::as_str);
        let warnings = texts.map(String::from).collect();
        let rows = || Some(report["frames"].as_array()?.iter());
        let (failed, wrong) = (failed(rows()?), wrong(rows()?));
        Some(Summary { report, warnings, failed, wrong, left: Vec::new() })
    }
}

/// The frames whose results are wrong.
pub(super) fn wrong<'a>(rows: impl Iterator<Item = &'a Value>) -> Vec<i64> {
    rows.filter(|row| !row["wrong"].is_null()).filter_map(|row| row["frame"].as_i64()).collect()
}

/// The replaced frames.
pub(super) fn failed<'a>(rows: impl Iterator<Item = &'a Value>) -> Vec<i64> {
    rows.filter(|row| row["kept"] == true).filter_map(|row| row["frame"].as_i64()).collect()
}
