//! What Sinew itself wrote about a run: report.json and manifest.json.

use crate::interrupt;
use serde_json::{Value, json};
use sinew_base::error::Result;
use sinew_formats::contents::Contents;
use sinew_formats::read_text;
use sinew_job::Listed;
use sinew_scene::frames::format_frames;
use std::path::Path;

/// The contents of a JSON file that is one of them; none for others.
pub(super) fn page(path: &Path) -> Result<Option<Contents>> {
    // What is not JSON at all is reported by the reader of maps.
    let Ok(value) = serde_json::from_str::<Value>(&read_text(path)?) else { return Ok(None) };
    let has = |names: &[&str]| names.iter().all(|name| value.get(name).is_some());
    if has(&["sinew", "inputs", "frames", "files"]) {
        return manifest(path, &value).map(Some);
    }
    Ok(has(&["frames", "warnings"]).then(|| report(&value)))
}

/// The numbers of the frames for which a condition holds.
fn frames(value: &Value, which: impl Fn(&Value) -> bool) -> String {
    let rows = value["frames"].as_array().into_iter().flatten().filter(|row| which(row));
    format_frames(&rows.filter_map(|row| row["frame"].as_i64()).collect::<Vec<_>>())
}

fn kept(row: &Value) -> bool {
    row["kept"] == true
}

/// Replaced frames are problems, and so are warnings.
fn report(value: &Value) -> Contents {
    let stages =
        value["frames"].as_array().into_iter().flatten().filter_map(|row| row["milliseconds"].as_object());
    let milliseconds: f64 = stages.flat_map(|stages| stages.values()).filter_map(Value::as_f64).sum();
    let holds = json!({
        "holds": "a report", "frames": frames(value, |_| true), "frames per second": value["fps"],
        "seconds": milliseconds.round() / 1e3,
    });
    let warnings = value["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut problems: Vec<String> = warnings.map(String::from).collect();
    problems.extend(stand_in(value));
    Contents { holds, problems }
}

fn stand_in(value: &Value) -> Option<String> {
    let frames = frames(value, kept);
    (!frames.is_empty()).then(|| format!("the last good result stands in for the frames {frames}"))
}

/// Files that are missing or differ from what was written are problems. Inputs may have changed since.
fn manifest(path: &Path, value: &Value) -> Result<Contents> {
    let control = interrupt::control();
    let folder = path.parent().unwrap_or(Path::new(""));
    let list = |value: &Value| -> Vec<Listed> {
        value.as_array().into_iter().flatten().filter_map(Listed::from_json).collect()
    };
    let of_frames = value["frames"].as_array().into_iter().flatten().flat_map(|row| list(&row["files"]));
    let files: Vec<Listed> = of_frames.chain(list(&value["files"])).collect();
    let mut problems = Vec::new();
    for file in &files {
        if !file.is_there(folder, &control)? {
            problems.push(format!("{} is missing or has changed since it was written", file.file.display()));
        }
    }
    problems.extend(stand_in(value));
    let holds = json!({
        "holds": "a manifest", "written by": format!("Sinew {}", value["sinew"].as_str().unwrap_or("")),
        "job": value["job"], "frames": frames(value, |_| true), "inputs": list(&value["inputs"]).len(),
        "files": files.len(), "bytes": files.iter().map(|file| file.bytes).sum::<u64>(),
    });
    Ok(Contents { holds, problems })
}
