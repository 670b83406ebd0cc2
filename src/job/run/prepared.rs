//! A job before it runs: what it reads and what it will write.

use super::super::graph::Graph;
use super::super::outputs::{self, Outputs, names};
use super::super::scene_file::SceneFile;
use super::super::store::finished::Finished;
use super::super::store::manifest::{self, listed_before};
use super::super::store::work::{Lock, Work};
use super::alone;
use serde_json::{Value, json};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::inside;
use sinew_formats::picture::tile_files;
use sinew_formats::reads::Reads;
use sinew_formats::sequence::Pattern;
use sinew_scene::{Scene, Use};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What computes, what writes, and the files of both, checked.
pub(super) struct Prepared {
    pub graph: Graph,
    pub outputs: Outputs,
    pub read: Vec<PathBuf>,
    /// Those that the scene does not name: other files name them.
    pub referenced: Vec<PathBuf>,
    pub written: Vec<PathBuf>,
}

impl Prepared {
    /// Reads all that is needed before the first frame, and records it.
    pub fn new(file: &SceneFile, reads: &Reads, control: &Control) -> Result<Self> {
        let (mut graph, outputs) = reads.during(|| {
            let mut graph = Graph::new(file)?;
            graph.warn(alone::warning(file, graph.frames()));
            let outputs = Outputs::new(file, &mut graph, control)?;
            Ok((graph, outputs))
        })?;
        let written = outputs.names(graph.frames())?;
        let mut read = input_files(file, &file.scene, graph.frames())?;
        let named: HashSet<PathBuf> = read.iter().map(|path| inside::whole(path)).collect();
        let mut referenced = reads.files();
        referenced.retain(|path| !named.contains(&inside::whole(path)));
        read.extend(referenced.iter().cloned());
        names::check(outputs.folder(), &read, &written)
            .map_err(|e| file.place(e, outputs::ELEMENT, outputs.line()))?;
        reads.during(|| graph.ready())?;
        Ok(Prepared { graph, outputs, read, referenced, written })
    }
}

/// What a job would do.
pub struct Look {
    /// The frames.
    pub frames: Vec<i64>,
    /// A brief description of what is computed.
    pub about: String,
    /// The files that it reads.
    pub read: Vec<PathBuf>,
    /// The files that it writes.
    pub written: Vec<PathBuf>,
    /// Warnings that are known before the first frame.
    pub warnings: Vec<String>,
}

impl Look {
    /// The same as `--json` prints it.
    pub fn to_json(&self) -> Value {
        let names =
            |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        let (reads, writes) = (names(&self.read), names(&self.written));
        json!({ "frames": self.frames, "reads": reads, "writes": writes, "warnings": self.warnings })
    }
}

/// What a job would do, without doing it.
pub fn look(file: &SceneFile, control: &Control) -> Result<Look> {
    let Prepared { mut graph, read, written, .. } = Prepared::new(file, &Reads::default(), control)?;
    let foreseen = graph.foresee()?;
    if let Some(folder) = file.results_folder().filter(|folder| folder.is_file()) {
        return Err(Error::new(Kind::Io, "this is a file, but a folder is expected here").file(&folder));
    }
    let warnings = graph.warnings().into_iter().chain(foreseen).collect();
    Ok(Look { frames: graph.frames().to_vec(), about: graph.about(), read, written, warnings })
}

/// Removes what earlier runs of a job wrote and stored, except what was changed since, and returns the number of files.
pub fn clean(file: &SceneFile, control: &Control) -> Result<usize> {
    let Some(folder) = file.results_folder().filter(|folder| folder.is_dir()) else { return Ok(0) };
    let _lock = Lock::new(&folder, false)?;
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for listed in listed_before(&folder).into_iter().chain(Work::listed(&folder)) {
        if known.insert(listed.file.clone()) && listed.is_there(&folder, control)? {
            names.push(listed.path(&folder));
        }
    }
    // These contain times, and are not listed.
    let ours = ["report.json", manifest::NAME].map(|name| folder.join(name));
    names.extend(ours.into_iter().filter(|path| path.is_file()));
    for path in &names {
        std::fs::remove_file(path).map_err(|e| Error::io(path, &e))?;
    }
    Finished::forget(&folder);
    Work::remove(&folder)?;
    Ok(names.len())
}

/// The files that a scene names as inputs; for sequences those of the frames.
pub(super) fn input_files(file: &SceneFile, scene: &Scene, frames: &[i64]) -> Result<Vec<PathBuf>> {
    let mut paths = file.param_files();
    for (_, name) in scene.clone().files_mut().filter(|(what, _)| *what == Use::Read) {
        match Pattern::parse(Path::new(name.as_str()))? {
            Some(pattern) => paths.extend(frames.iter().map(|frame| pattern.path(*frame))),
            // Of an Alembic or USD file one object may be named.
            None => match inside::split(Path::new(name.as_str())) {
                Some((file, _)) => paths.push(file),
                None => paths.extend(tile_files(name)?),
            },
        }
    }
    let mut known = HashSet::new();
    paths.retain(|path| known.insert(path.clone()));
    Ok(paths)
}
