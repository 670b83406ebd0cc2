//! Everything that a job writes: the results of a skin, and the files of a graph.

mod caches;
mod curves;
mod files;
mod groom;
pub(super) mod names;
mod ride;
mod skin;
mod source;
mod table;
mod tables;
mod textures;
mod tubes;

use super::graph::{self, Graph};
use super::scene_file::SceneFile;
use super::store::moment::Moment;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::scene::schema::Line;
pub(super) use caches::Stored;
use files::GraphSinks;
use skin::Outputs;
use std::path::{Path, PathBuf};

/// What a job writes, ready to take frames.
pub(super) struct Sinks {
    results: Option<Outputs>,
    files: Option<GraphSinks>,
    folder: PathBuf,
    report: bool,
    /// The element that requests it.
    element: (&'static str, Line),
}

impl Sinks {
    pub fn new(file: &SceneFile, graph: &mut Graph, control: &Control) -> Result<Self> {
        let outputs = graph::outputs(file)?;
        let results = file.scene.nodes.iter().filter_map(|node| node.results.as_ref()).collect::<Vec<_>>();
        let refuse = |message: &str, element, line| {
            Err(file.place(Error::new(Kind::InvalidArgument, message), element, line))
        };
        let (folder, report, element) = match (&outputs, results.as_slice()) {
            (_, [_, second, ..]) => {
                return refuse("a scene can have only one <results>", "results", second.line);
            }
            (Some(outputs), [results]) if outputs.folder != results.folder => {
                return refuse("<results> and <outputs> must have the same folder", "results", results.line);
            }
            (Some(outputs), _) => (&outputs.folder, outputs.report, ("outputs", outputs.line)),
            (None, [results]) => (&results.folder, true, ("results", results.line)),
            (None, []) => {
                let message = "no output is given: --out, or <outputs> or <results> in the scene";
                let node = file.scene.nodes.first();
                return refuse(message, "node", node.map_or(file.scene.line, |node| node.line));
            }
        };
        let made = results.first().map(|element| {
            let made = Outputs::new(file, element, graph, control);
            made.map_err(|e| file.place(e, "results", element.line))
        });
        let made = made.transpose()?;
        let files = outputs.as_ref().map(|outputs| GraphSinks::new(file, outputs, graph)).transpose()?;
        Ok(Sinks { results: made, files, folder: PathBuf::from(folder), report, element })
    }

    /// The folder of everything without an absolute path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether report.json and manifest.json are written as well.
    pub fn has_report(&self) -> bool {
        self.report
    }

    /// The scene's element that requests it.
    pub fn element(&self) -> (&'static str, Line) {
        self.element
    }

    /// The names of all files that will be written.
    pub fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        if self.report {
            names.extend(["report.json", "manifest.json"].map(|name| self.folder.join(name)));
        }
        if let Some(results) = &self.results {
            names.extend(results.names(frames)?);
        }
        if let Some(files) = &self.files {
            names.extend(files.names(frames)?);
        }
        Ok(names)
    }

    /// Warnings about the inputs of the results.
    pub fn warnings(&self) -> Vec<String> {
        self.results.iter().flat_map(Outputs::warnings).collect()
    }

    /// Writes the files that belong to no frame, and returns their names.
    pub fn begin(&self, control: &Control) -> Result<Vec<PathBuf>> {
        self.results.as_ref().map_or(Ok(Vec::new()), |results| results.begin(control))
    }

    /// Writes a frame's files and returns their names.
    pub fn write(&self, moment: &Moment, control: &Control) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        if let Some(results) = &self.results {
            names.extend(results.write(moment, control)?);
        }
        if let Some(files) = &self.files {
            names.extend(files.write(moment)?);
        }
        Ok(names)
    }

    /// Whether frames must be stored for [`Sinks::finish`].
    pub fn needs_stored(&self) -> bool {
        self.results.as_ref().is_some_and(Outputs::needs_stored)
            || self.files.as_ref().is_some_and(GraphSinks::needs_stored)
    }

    /// Writes the files that hold all frames and returns their names.
    pub fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        if let Some(results) = &self.results {
            names.extend(results.finish(stored)?);
        }
        if let Some(files) = &self.files {
            names.extend(files.finish(stored)?);
        }
        Ok(names)
    }

    /// Writes the page, from the other files in the folder, and returns its name.
    pub fn write_page(&self, frames: &[i64]) -> Result<Option<PathBuf>> {
        self.results.as_ref().map_or(Ok(None), |results| results.write_page(frames))
    }
}
