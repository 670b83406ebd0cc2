//! Everything that a job writes.
//!
//! Each kind of output is an element of `<outputs>` in `src/scene/outputs.rs` and a [`Writer`] in a module of its own
//! here. A job knows writers only as such: which element makes which one is known to [`skin_writers`], for what is made
//! from sliding skin, and [`files::writers`], for ports of any node.

mod caches;
mod curves;
mod files;
mod groom;
pub(super) mod names;
mod page;
mod ride;
mod skin;
mod source;
mod stored;
mod table;
mod tables;
mod textures;
mod tubes;

use super::graph::Graph;
use super::scene_file::SceneFile;
use super::store::record::FrameRecord;
use caches::Cache;
use names::inside;
use page::Page;
use rayon::prelude::*;
use ride::Rides;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_report::check_rest;
use sinew_scene::OutputsElement;
use sinew_scene::schema::Line;
use skin::Skin;
use std::path::{Path, PathBuf};
pub(super) use stored::Stored;
use tables::Tables;
use textures::Textures;

/// A kind of output, ready to take frames. What is written is returned by name.
trait Writer: Send + Sync {
    /// The names of all files that will be written.
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>>;

    /// Warnings about what it reads.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Writes the files that belong to no frame.
    fn begin(&self, _: &Control) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    /// Writes a frame's files.
    fn write(&self, _: &FrameRecord, _: &Control) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    /// Whether one of its files holds all frames: they are stored until the end, for [`Writer::finish`].
    fn holds_all(&self) -> bool {
        false
    }

    /// Writes the files that hold all frames.
    fn finish(&self, _: &Stored) -> Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    /// Writes what is made from the other files in the folder.
    fn write_page(&self, _: &[i64]) -> Result<Option<PathBuf>> {
        Ok(None)
    }
}

/// What a job writes, ready to take frames.
pub(super) struct Outputs {
    writers: Vec<Box<dyn Writer>>,
    folder: PathBuf,
    report: bool,
    line: Line,
}

/// The element that requests all outputs.
pub(super) const ELEMENT: &str = "outputs";

impl Outputs {
    /// Opens what the outputs need before the first frame, and tells the graph what frames are to record.
    pub fn new(file: &SceneFile, graph: &mut Graph, control: &Control) -> Result<Self> {
        let Some(element) = &file.scene.outputs else {
            let message = "nothing is written: add <outputs folder=\"out\">...</outputs> to the scene";
            let error = Error::new(Kind::InvalidArgument, message);
            return Err(file.place(error, "sinew", file.scene.line));
        };
        let mut writers = skin_writers(file, element, graph, control)?;
        writers.extend(files::writers(file, element, graph)?);
        if writers.is_empty() {
            let message = "nothing is written: add <tables/>, <write file=\"...\" from=\"NODE.PORT\"/> or another output";
            return Err(file.place(Error::new(Kind::InvalidArgument, message), ELEMENT, element.line));
        }
        let folder = PathBuf::from(&element.folder);
        Ok(Outputs { writers, folder, report: element.report, line: element.line })
    }

    /// The folder of everything without an absolute path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether report.json and manifest.json are written as well.
    pub fn has_report(&self) -> bool {
        self.report
    }

    /// The line of the element.
    pub fn line(&self) -> Line {
        self.line
    }

    /// The names of all files that will be written.
    pub fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        if self.report {
            names.extend(["report.json", "manifest.json"].map(|name| self.folder.join(name)));
        }
        for writer in &self.writers {
            names.extend(writer.names(frames)?);
        }
        Ok(names)
    }

    /// Warnings about what the outputs read.
    pub fn warnings(&self) -> Vec<String> {
        self.writers.iter().flat_map(|writer| writer.warnings()).collect()
    }

    /// Writes the files that belong to no frame, and returns their names.
    pub fn begin(&self, control: &Control) -> Result<Vec<PathBuf>> {
        self.each(|writer| writer.begin(control))
    }

    /// Writes a frame's files and returns their names.
    pub fn write(&self, record: &FrameRecord, control: &Control) -> Result<Vec<PathBuf>> {
        let written: Vec<_> = self.writers.par_iter().map(|writer| writer.write(record, control)).collect();
        // The first error in order, whichever came first in time.
        Ok(written.into_iter().collect::<Result<Vec<_>>>()?.concat())
    }

    /// Whether frames must be stored for [`Outputs::finish`].
    pub fn needs_stored(&self) -> bool {
        self.writers.iter().any(|writer| writer.holds_all())
    }

    /// Writes the files that hold all frames and returns their names.
    pub fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        self.each(|writer| writer.finish(stored))
    }

    /// Writes the pages, from the other files in the folder, and returns their names.
    pub fn write_pages(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        self.each(|writer| Ok(writer.write_page(frames)?.into_iter().collect()))
    }

    fn each(&self, write: impl Fn(&dyn Writer) -> Result<Vec<PathBuf>>) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for writer in &self.writers {
            files.extend(write(writer.as_ref())?);
        }
        Ok(files)
    }
}

/// The writers of a scene's outputs about sliding skin.
fn skin_writers(
    file: &SceneFile,
    element: &OutputsElement,
    graph: &mut Graph,
    control: &Control,
) -> Result<Vec<Box<dyn Writer>>> {
    let mut skins: Vec<Skin> = Vec::new();
    for (node, kind, line) in element.about_skin() {
        let skin = Skin::new(node, graph).map_err(|e| file.place(e, kind, line))?;
        if skins.iter().all(|known| known.node != skin.node) {
            skins.push(skin);
        }
    }
    if let Some(first) = skins.first() {
        graph.lead(first.points);
    }
    let mut all: Vec<Box<dyn Writer>> = Vec::new();
    let (folder, mut shown) = (Path::new(&element.folder), None);
    for skin in &skins {
        if element.tables.as_ref().is_some_and(|tables| skin.is(&tables.node)) {
            all.push(Box::new(Tables::new(folder, skin)));
            shown = Some(skin);
        }
        if let Some(rides) = Rides::new(file, element, skin, graph)? {
            all.push(Box::new(rides));
        }
        let over = graph.member(skin.points).over();
        for cache in element.caches.iter().filter(|cache| skin.is(&cache.node)) {
            let path = inside(folder, &cache.file);
            let made =
                path.and_then(|path| Cache::new(&path, cache, skin, &over, graph.frames(), graph.fps()));
            all.push(Box::new(made.map_err(|e| file.place(e, "cache", cache.line))?));
        }
        if let Some(textures) = Textures::new(file, element, skin, graph, control)? {
            all.push(Box::new(textures));
        }
    }
    if let Some(page) = &element.page {
        let made = Page::new(page, element, shown.map(|skin| skin.rest.as_ref())).and_then(|made| {
            let sound = shown.map_or(Ok(()), |skin| {
                check_rest(&skin.rest).map_err(|e| graph.member(skin.points).at_mesh(e))
            });
            sound.map(|()| made)
        });
        all.push(Box::new(made.map_err(|e| file.place(e, "page", page.line))?));
    }
    Ok(all)
}
