//! The contents of a run's `report.json`.

use serde::Deserialize;
use serde_json::{Map, Value};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::read_text;
use sinew_math::{Space, UpAxis};
use sinew_scene::frames::format_frames;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The report of a frame. Missing numbers are gaps in the plots.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Row {
    /// Its number.
    pub frame: i64,
    /// Whether the previous frame's skin was kept because the body was invalid.
    #[serde(default)]
    pub kept: bool,
    /// The warnings.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Iterations of the solver.
    pub iterations: Option<f64>,
    /// The solver's residual.
    pub residual: Option<f64>,
    /// The energy before the step, in joules.
    pub energy_before: Option<f64>,
    /// The energy after the step, in joules.
    pub energy_after: Option<f64>,
    /// Inverted triangles of skin.
    pub inverted_triangles: Option<f64>,
    /// The largest stretch.
    pub maximal_stretch: Option<f64>,
    /// Milliseconds by stage, in the order in which they came.
    #[serde(default)]
    pub milliseconds: Map<String, Value>,
}

/// A warning, and the frame that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// The frame, if it belongs to one.
    pub frame: Option<i64>,
    /// The sentence.
    pub text: String,
}

/// The report of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// By frame number.
    pub rows: Vec<Row>,
    /// In the order of the rows, then those of the run as a whole.
    pub warnings: Vec<Warning>,
    /// Everything else that is in the file.
    pub about: Map<String, Value>,
    /// Notes about the file for the reader of the page.
    pub notes: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    frames: Vec<Row>,
    #[serde(default)]
    warnings: Vec<String>,
}

pub(super) fn read(path: &Path) -> Result<Run> {
    parse(&read_text(path)?).map_err(|e| e.file(path))
}

fn parse(text: &str) -> Result<Run> {
    let wrong = |e: serde_json::Error| {
        Error::new(Kind::Parse, e.to_string()).line(e.line() as u64).column(e.column() as u64)
    };
    let file: File = serde_json::from_str(text).map_err(wrong)?;
    let mut run = Run { about: serde_json::from_str(text).map_err(wrong)?, ..Run::default() };
    run.about.retain(|name, _| name != "frames" && name != "warnings");
    if let Some(Value::Object(parts)) = run.about.remove("milliseconds") {
        let reported = parts.iter().filter_map(|(part, ms)| Some(format!("{part} {:.0} ms", ms.as_f64()?)));
        run.about.insert("besides frames".into(), reported.collect::<Vec<_>>().join(", ").into());
    }
    let mut rows = BTreeMap::new();
    let mut again = Vec::new();
    for row in file.frames {
        let number = |(stage, value): (&String, &Value)| {
            let message = format!("the milliseconds of {stage:?} are not a number");
            let reported = value.is_number() || value.is_null();
            if reported { Ok(()) } else { Err(Error::new(Kind::Parse, message).frame(row.frame)) }
        };
        row.milliseconds.iter().try_for_each(number)?;
        // A run that goes back in time overwrites the files of a frame: the last ones remain.
        if let Some(old) = rows.insert(row.frame, row) {
            again.push(old.frame);
        }
    }
    run.rows = rows.into_values().collect();
    if run.rows.is_empty() {
        return Err(Error::new(Kind::MissingInput, "the run has no frame"));
    }
    if !again.is_empty() {
        again.sort_unstable();
        again.dedup();
        let list = format_frames(&again);
        run.notes.push(format!("Computed more than once, the last result is shown: frames {list}."));
    }
    run.warnings = warnings(&run.rows, file.warnings);
    Ok(run)
}

/// Those of the rows, and those of the run that belong to no row.
fn warnings(rows: &[Row], of_run: Vec<String>) -> Vec<Warning> {
    let mut all = Vec::new();
    let mut reported = HashSet::new();
    for row in rows {
        let start = format!("frame {}: ", row.frame);
        for text in &row.warnings {
            let text = text.strip_prefix(&start).unwrap_or(text);
            reported.insert(format!("{start}{text}"));
            all.push(Warning { frame: Some(row.frame), text: text.into() });
        }
    }
    let left = of_run.into_iter().filter(|text| !reported.contains(text));
    all.extend(left.map(|text| Warning { frame: None, text }));
    all
}

impl Run {
    /// The axes of its files; the page's y is up, and its unit is that of the files.
    pub(super) fn space(&self) -> Result<Space> {
        let up = if self.about.get("up").is_some_and(|up| up == "z") { UpAxis::Z } else { UpAxis::Y };
        Space::new(1.0, up)
    }

    /// Keeps only some frames.
    pub(super) fn keep(&mut self, frames: &[i64]) -> Result<()> {
        let there: HashSet<i64> = self.rows.iter().map(|row| row.frame).collect();
        let missing: Vec<i64> = frames.iter().copied().filter(|f| !there.contains(f)).collect();
        if let Some(&first) = missing.first() {
            let message = format!("the run has not computed {}", format_frames(&missing));
            return Err(Error::new(Kind::MissingFile, message).frame(first));
        }
        let wanted: HashSet<i64> = frames.iter().copied().collect();
        let all = self.rows.len();
        self.rows.retain(|row| wanted.contains(&row.frame));
        self.warnings.retain(|warning| warning.frame.is_none_or(|f| wanted.contains(&f)));
        if self.rows.is_empty() {
            return Err(Error::new(Kind::MissingInput, "no frame is left"));
        }
        if self.rows.len() < all {
            self.notes.push(format!("{} of the run's {all} frames are shown.", self.rows.len()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_by_number_and_each_warning_once() {
        let text = r#"{"fps": 25, "frames": [
            {"frame": 2, "kept": true, "warnings": ["frame 2: the last good skin is kept: x"]},
            {"frame": 1, "iterations": 3, "energy_after": null, "warnings": ["a"], "milliseconds": {"z": 1, "a": 2.5}},
            {"frame": 2, "iterations": 4}],
            "warnings": ["frame 2: the last good skin is kept: x", "frame 1: a", "of the run"]}"#;
        let run = parse(text).unwrap();
        assert_eq!(
            run.rows.iter().map(|r| (r.frame, r.iterations)).collect::<Vec<_>>(),
            [(1, Some(3.0)), (2, Some(4.0))]
        );
        assert_eq!(run.rows[0].milliseconds.keys().collect::<Vec<_>>(), ["z", "a"]);
        let warnings: Vec<_> = run.warnings.iter().map(|w| (w.frame, w.text.as_str())).collect();
        // The first result of frame 2 is gone with its row; the run's warning about it stays.
        let kept = "frame 2: the last good skin is kept: x";
        assert_eq!(warnings, [(Some(1), "a"), (None, kept), (None, "of the run")]);
        assert_eq!((run.about.len(), run.about["fps"].as_i64()), (1, Some(25)));
        assert!(run.notes[0].ends_with("frames 2."), "{:?}", run.notes);
    }

    #[test]
    fn what_the_parts_of_a_run_took_is_reported_in_one_line_with_its_unit() {
        let text =
            r#"{"frames": [{"frame": 1}], "milliseconds": {"read": 15.056023999999999, "page": 41.9}}"#;
        let run = parse(text).unwrap();
        assert_eq!(run.about.len(), 1);
        assert_eq!(run.about["besides frames"], "read 15 ms, page 42 ms");
    }

    #[test]
    fn frames_that_were_not_computed_are_named() {
        let mut run = parse(r#"{"frames": [{"frame": 1}, {"frame": 2}, {"frame": 3}]}"#).unwrap();
        assert_eq!(run.keep(&[1, 9]).unwrap_err().place().frame, Some(9));
        run.keep(&[3, 1]).unwrap();
        assert_eq!(run.rows.iter().map(|r| r.frame).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(run.notes, ["2 of the run's 3 frames are shown."]);
    }

    #[test]
    fn wrong_files_are_refused_with_their_line() {
        for (text, line) in [
            ("", 1),
            ("{\n\"frames\": 3}", 2),
            ("{\"frames\": [\n{\"frame\": 1.5}]}", 2),
            ("{\"frames\": [\n{\"frame\": 1, \"iterations\": \"many\"}]}", 2),
            ("{\"frames\": [{\"frame\": 1,\n \"energy_after\": 1e999}]}", 2),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.kind(), error.place().line), (Kind::Parse, Some(line)), "{text}");
        }
        let error = parse(r#"{"frames": [{"frame": 7, "milliseconds": {"solve": "x"}}]}"#).unwrap_err();
        assert_eq!(error.place().frame, Some(7));
        assert_eq!(parse(r#"{"frames": []}"#).unwrap_err().kind(), Kind::MissingInput);
    }
}
