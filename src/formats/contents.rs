//! What a file holds, as `sinew info` shows it.

use serde_json::Value;
use sinew_base::error::Result;
use sinew_math::Real;
use std::path::Path;

/// The contents of a file, and any problems.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Facts by their names.
    pub holds: Value,
    /// What is wrong with it.
    pub problems: Vec<String>,
}

impl From<Value> for Contents {
    fn from(holds: Value) -> Self {
        Contents { holds, problems: Vec::new() }
    }
}

/// What a description depends on besides the file.
pub struct Asked<'a> {
    /// Frames per second, for formats that store times; without it, the file's rate.
    pub fps: Option<Real>,
    /// Called before each sample with its index and the number of all: shows progress; an error stops the reading.
    pub step: &'a dyn Fn(usize, usize) -> Result<()>,
}

/// What describes the files of a format.
#[derive(Clone, Copy, Debug)]
pub enum Describe {
    /// Its module.
    By(fn(&Path, &Asked) -> Result<Contents>),
    /// The code that runs the scene: what it amounts to depends on its nodes or strands.
    Scene,
    /// A map is described by [`super::map::describe_json`], reports and manifests by those who write them.
    MapOrRun,
}
