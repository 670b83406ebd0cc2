//! Everything that a job writes besides its report.

use super::super::graph::Graph;
use super::super::scene_file::SceneFile;
use super::super::store::moment::{Moment, Part};
use super::caches::{Cache, Stored};
use super::names::{inside, named};
use super::ride::Ride;
use super::tables;
use super::textures::Textures;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::{atomic, obj};
use crate::geometry::{ClosestPoint, Mesh, TriMesh};
use crate::report::{Report, Texture, check_rest};
use crate::scene::{PageElement, ResultsElement};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ports from which results are made, whichever are requested: what was solved once serves others later.
const SKIN: [&str; 9] = [
    "points",
    "uvs",
    "skin_points",
    "skin_faces",
    "skin_weights",
    "slide_distance",
    "slide_vector",
    "stretch",
    "wrinkle_amplitude",
];

/// The same for what rides.
const RIDERS: [&str; 2] = ["rider_matrices", "rider_inside"];

/// The outputs of a job, ready to take frames.
pub struct Outputs {
    folder: PathBuf,
    /// The name of the skin's node.
    node: String,
    rest: Arc<Mesh>,
    tables: bool,
    rides: Vec<Ride>,
    textures: Option<Textures>,
    caches: Vec<Cache>,
    page: Option<(PathBuf, Option<Texture>)>,
}

impl Outputs {
    /// Opens what the outputs need before the first frame.
    pub fn new(
        file: &SceneFile,
        element: &ResultsElement,
        graph: &mut Graph,
        control: &Control,
    ) -> Result<Self> {
        let folder = PathBuf::from(&element.folder);
        graph.want_front(&SKIN)?;
        let (frames, fps) = (graph.frames().to_vec(), graph.fps());
        let rest = graph.front_mesh()?;
        let rides = rides(file, element, graph, &rest)?;
        let mut caches = Vec::new();
        let over = graph.front()?.over();
        for cache in &element.caches {
            let made =
                inside(&folder, &cache.file).and_then(|path| Cache::new(&path, cache, &over, &frames, fps));
            caches.push(made.map_err(|e| file.place(e, "cache", cache.line))?);
        }
        let images = element.st_maps.iter().map(|e| &e.file).chain(element.bakes.iter().map(|e| &e.file));
        for name in images.chain(element.padded.iter().map(|e| &e.file)) {
            inside(&folder, name)?;
        }
        let textures = Textures::new(file, element, &rest, &|e| graph.at_front_mesh(e), control)?;
        let page = element.page.as_ref().map(|page| {
            let made = self::page(&folder, element.tables && rest.uvs.is_some(), page);
            made.and_then(|made| check_rest(&rest).map_err(|e| graph.at_front_mesh(e)).map(|()| made))
                .map_err(|e| file.place(e, "page", page.line))
        });
        let page = page.transpose()?;
        let (node, tables) = (graph.front()?.name().to_string(), element.tables);
        Ok(Outputs { folder, node, rest, tables, rides, textures, caches, page })
    }

    fn write_plain(&self, skin: Part) -> Result<Vec<PathBuf>> {
        let mut files = match self.tables {
            true => tables::write(&self.folder, &self.rest, skin)?,
            false => Vec::new(),
        };
        for ride in &self.rides {
            files.extend(ride.write(skin)?);
        }
        Ok(files)
    }

    /// The names of all files that will be written.
    pub fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        names.extend(self.tables.then(|| self.folder.join(tables::REST)));
        names.extend(self.caches.iter().map(|cache| cache.file().to_path_buf()));
        names.extend(self.page.iter().map(|(path, _)| path.clone()));
        names.extend(self.textures.iter().flat_map(Textures::fixed_names));
        for (place, &frame) in frames.iter().enumerate() {
            if self.tables {
                names.extend(tables::names(&self.folder, frame));
            }
            let rides = self.rides.iter().filter(|ride| place == 0 || !ride.needs_stored());
            names.extend(rides.map(|ride| ride.name(frame)));
            if let Some(textures) = &self.textures {
                names.extend(textures.names(frame)?);
            }
        }
        Ok(names)
    }

    /// Writes the files that belong to no frame, and returns their names.
    pub fn begin(&self, control: &Control) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        if let Some(textures) = &self.textures {
            files.extend(textures.write_fixed(control)?);
        }
        if self.tables {
            let path = self.folder.join(tables::REST);
            obj::save(&path, &self.rest)?;
            files.push(path);
        }
        Ok(files)
    }

    /// Writes a frame's files and returns their names.
    pub fn write(&self, moment: &Moment, control: &Control) -> Result<Vec<PathBuf>> {
        let skin = moment.part(&self.node);
        let (plain, images) = rayon::join(
            || self.write_plain(skin),
            || self.textures.as_ref().map_or(Ok(Vec::new()), |textures| textures.write(skin, control)),
        );
        let mut files = plain?;
        files.extend(images?);
        Ok(files)
    }

    /// Whether frames must be stored for [`Outputs::finish`].
    pub fn needs_stored(&self) -> bool {
        !self.caches.is_empty() || self.rides.iter().any(Ride::needs_stored)
    }

    /// Warnings about the inputs of the results.
    pub fn warnings(&self) -> Vec<String> {
        let textures = self.textures.iter().flat_map(Textures::warnings).cloned();
        let others = self.rides.iter().filter_map(Ride::warning);
        textures
            .chain(others.chain(self.caches.iter().filter_map(Cache::warning)).map(String::from))
            .collect()
    }

    /// Writes the files that hold all frames and returns their names.
    pub fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let mut files = self
            .caches
            .iter()
            .map(|cache| cache.write(&self.rest, &self.node, stored))
            .collect::<Result<Vec<_>>>()?;
        for ride in &self.rides {
            files.extend(ride.finish(&self.node, stored)?);
        }
        Ok(files)
    }

    /// Writes the page, from the other files in the folder, and returns its name.
    pub fn write_page(&self, frames: &[i64]) -> Result<Option<PathBuf>> {
        let Some((path, texture)) = &self.page else { return Ok(None) };
        let mut step = 1;
        let page = loop {
            let some: Vec<i64> = frames.iter().copied().step_by(step).collect();
            // Other outputs of the graph may be in the same folder, under names that mean something else on their own.
            let gathered = Report::gather_slide(&self.folder, Some(&some));
            match gathered.and_then(|report| report.page(None, texture.as_ref())) {
                // A long shot is thinned out; the page says which frames it has.
                Err(error) if error.kind() == Kind::TooLarge && some.len() > 1 => step *= 2,
                made => break made?,
            }
        };
        atomic::write(path, |file| file.write_all(page.as_bytes()))?;
        Ok(Some(path.clone()))
    }
}

/// The points that ride, for the node.
fn rides(file: &SceneFile, element: &ResultsElement, graph: &mut Graph, rest: &Mesh) -> Result<Vec<Ride>> {
    if element.rides.is_empty() {
        return Ok(Vec::new());
    }
    graph.want_front(&RIDERS)?;
    let (folder, body) = (Path::new(&element.folder), ClosestPoint::new(&TriMesh::from_mesh(rest)?)?);
    let (mut rides, mut riders) = (Vec::new(), Vec::new());
    for ride in &element.rides {
        let made = inside(folder, &ride.file)
            .and_then(|path| Ride::new(ride.geometry.as_ref(), &path, &body, &mut riders))
            .and_then(|made| made.check(graph.frames(), graph.fps()).map(|()| made));
        rides.push(made.map_err(|e| file.place(e, "ride", ride.line))?);
    }
    graph.set_front("riders", riders)?;
    Ok(rides)
}

/// The page's path and its texture.
fn page(folder: &Path, tables: bool, element: &PageElement) -> Result<(PathBuf, Option<Texture>)> {
    if !tables {
        return Err(Error::new(
            Kind::InvalidArgument,
            "the page is made from tables and UVs: both are required",
        ));
    }
    named("page", element.file.as_ref(), &["html", "htm"])?;
    let texture = element.texture.as_ref().map(|path| Texture::read(path.as_ref())).transpose()?;
    Ok((inside(folder, &element.file)?, texture))
}
