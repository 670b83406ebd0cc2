//! Parameters that change from frame to frame.

use super::super::scene_file::SceneFile;
use super::{Declared, lacking};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::table;
use sinew_nodes::Instance;
use sinew_scene::NodeElement;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A parameter, and its value in each frame of a table.
pub(super) struct MovingParam {
    id: String,
    values: BTreeMap<i64, String>,
    path: PathBuf,
    place: Declared,
}

impl MovingParam {
    /// Reads those of a node.
    pub fn of(file: &SceneFile, element: &NodeElement) -> Result<Vec<Self>> {
        let moving = element.params.iter().filter_map(|param| Some((param, param.file.as_ref()?)));
        let read = moving.map(|(param, path)| {
            let (path, place) = (PathBuf::from(path), Declared::new(file, param.line, "param"));
            let values = table::read_values(&path).map_err(|e| place.put(e.param(&param.id)))?;
            Ok(MovingParam { id: param.id.clone(), values, path, place })
        });
        read.collect()
    }

    /// Checks the values of all frames, and sets that of the first, which is in force until the first step.
    pub fn find(&self, frames: &[i64], node: &mut Instance) -> Result<()> {
        let missing: Vec<i64> = frames.iter().copied().filter(|f| !self.values.contains_key(f)).collect();
        if let Some(&first) = missing.first() {
            let error = lacking(&missing, frames.len(), "the table").frame(first);
            return Err(self.place.put(error.param(&self.id).file(&self.path)));
        }
        let known = node.descriptor().params.iter().find(|known| known.id == self.id);
        if known.is_some_and(|known| known.is_file()) {
            let message = "this parameter names a file, and has one value for all frames";
            return Err(self.place.put(Error::new(Kind::Unsupported, message).param(&self.id)));
        }
        // The first one last, so that it stays.
        frames.iter().rev().try_for_each(|frame| self.set(*frame, node)).map_err(|e| self.place.put(e))
    }

    /// Sets the value of a frame.
    pub fn set(&self, frame: i64, node: &mut Instance) -> Result<()> {
        let Some(value) = self.values.get(&frame) else { return Ok(()) };
        node.set_param_text(&self.id, value).map_err(|e| e.file(&self.path).frame(frame))
    }
}
