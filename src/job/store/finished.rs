//! Recognizes a finished job, without reading files that are certainly unchanged.

use super::super::scene_file::SceneFile;
use super::manifest::{Known, print_of, stamp};
use serde_json::{Value, json};
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_formats::atomic;
use sinew_formats::sequence::Pattern;
use sinew_scene::Use;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file in the results' folder.
pub(crate) const NAME: &str = ".sinew-finished.json";

/// The files that a finished job read and wrote.
pub(crate) struct Finished(Value);

impl Finished {
    /// What the last finished run into a folder left, whichever job it was.
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(NAME)).ok()?).ok().map(Finished)
    }

    /// Records that a job is finished; `files` are relative to the results' folder.
    pub fn write(file: &SceneFile, folder: &Path, inputs: &[Known], files: &[PathBuf]) -> Result<()> {
        let stamped = |path: &PathBuf| {
            let (bytes, modified) = stamp(&folder.join(path)).unwrap_or_default();
            json!({ "file": path.to_string_lossy(), "bytes": bytes, "modified": modified })
        };
        let reported = json!({
            "scene": print_of(&file.text),
            "inputs": inputs.iter().map(Known::to_json).collect::<Vec<_>>(),
            "sequences": sequences(file)?,
            "files": files.iter().map(stamped).collect::<Vec<_>>(),
        });
        atomic::write(&folder.join(NAME), |out| writeln!(out, "{reported}"))
    }

    /// Forgets it: a run into the folder begins.
    pub fn forget(folder: &Path) {
        // A leftover file does not match: the files' times will differ.
        let _ = std::fs::remove_file(folder.join(NAME));
    }

    /// Whether the job is finished and nothing that it read or wrote was touched since.
    pub fn is(&self, file: &SceneFile, folder: &Path, control: &Control) -> Result<bool> {
        let is_written = |entry: &Value| {
            let path = folder.join(entry["file"].as_str().unwrap_or_default());
            stamp(&path)
                .is_some_and(|(bytes, modified)| entry["bytes"] == bytes && entry["modified"] == modified)
        };
        let is_known = self.0["scene"] == print_of(&file.text)
            && sequences(file).is_ok_and(|now| now == self.0["sequences"])
            && self.0["files"].as_array().into_iter().flatten().all(is_written);
        if !is_known {
            return Ok(false);
        }
        for known in self.inputs() {
            if !known.is_still(&known.listed.path(file.folder()), control)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What was known of the inputs.
    pub fn inputs(&self) -> Vec<Known> {
        self.0["inputs"].as_array().into_iter().flatten().filter_map(Known::from_json).collect()
    }
}

/// The frames of the numbered files that the scene reads: another frame may make it another job.
fn sequences(file: &SceneFile) -> Result<Value> {
    let mut found = serde_json::Map::new();
    for (_, name) in file.scene.clone().files_mut().filter(|(what, _)| *what == Use::Read) {
        if let Some(pattern) = Pattern::parse(Path::new(name.as_str()))? {
            let reported = Path::new(name.as_str())
                .strip_prefix(file.folder())
                .map_or(name.clone(), |p| p.to_string_lossy().into());
            found.insert(reported, json!(pattern.scan()?));
        }
    }
    Ok(found.into())
}
