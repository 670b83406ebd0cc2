//! Everything that a job writes besides its report.

use super::caches::{Cache, Stored};
use super::moment::Moment;
use super::parts::Sinks;
use super::ride::Ride;
use super::scene_file::SceneFile;
use super::sliding::Sliding;
use super::tables;
use super::textures::Textures;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::{atomic, obj};
use crate::geometry::{ClosestPoint, Mesh, TriMesh};
use crate::report::{Report, Texture};
use crate::scene::{PageElement, ResultsElement};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// The outputs of a job, ready to take frames.
pub struct Outputs {
    folder: PathBuf,
    rest: Mesh,
    tables: bool,
    rides: Vec<Ride>,
    textures: Option<Textures>,
    caches: Vec<Cache>,
    page: Option<(PathBuf, Option<Texture>)>,
}

impl Outputs {
    /// Opens what the outputs need to know before the first frame.
    pub fn new(
        file: &SceneFile,
        element: &ResultsElement,
        sliding: &mut Sliding,
        control: &Control,
    ) -> Result<Self> {
        let folder = PathBuf::from(&element.folder);
        let mut riders = Vec::new();
        let mut rides = Vec::new();
        let body = match element.rides.is_empty() {
            true => None,
            false => Some(ClosestPoint::new(&TriMesh::from_mesh(&sliding.mesh)?)?),
        };
        for (ride, body) in element.rides.iter().zip(body.iter().cycle()) {
            let made = inside(&folder, &ride.file)
                .and_then(|path| Ride::new(ride.geometry.as_ref(), &path, body, &mut riders));
            let made = made.and_then(|made| made.check(&sliding.frames, sliding.fps).map(|()| made));
            rides.push(made.map_err(|e| file.place(e, "ride", ride.line))?);
        }
        sliding.set_riders(&riders)?;
        let mut caches = Vec::new();
        for cache in &element.caches {
            let made = inside(&folder, &cache.file)
                .and_then(|path| Cache::new(&path, &cache.rest_name, &sliding.frames, sliding.fps));
            caches.push(made.map_err(|e| file.place(e, "cache", cache.line))?);
        }
        let images = element.st_maps.iter().map(|e| &e.file).chain(element.bakes.iter().map(|e| &e.file));
        for name in images.chain(element.padded.iter().map(|e| &e.file)) {
            inside(&folder, name)?;
        }
        let textures = Textures::new(file, element, &sliding.mesh, control)?;
        let page = element.page.as_ref().map(|page| {
            let made = self::page(&folder, element.tables && sliding.mesh.uvs.is_some(), page);
            made.map_err(|e| file.place(e, "page", page.line))
        });
        let page = page.transpose()?;
        let (rest, tables) = (sliding.mesh.clone(), element.tables);
        Ok(Outputs { folder, rest, tables, rides, textures, caches, page })
    }

    fn write_plain(&self, moment: &Moment) -> Result<Vec<PathBuf>> {
        let mut files = match self.tables {
            true => tables::write(&self.folder, &self.rest, moment)?,
            false => Vec::new(),
        };
        for ride in &self.rides {
            files.extend(ride.write(moment)?);
        }
        Ok(files)
    }
}

impl Sinks for Outputs {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let mut names: Vec<PathBuf> =
            ["report.json", "manifest.json"].map(|name| self.folder.join(name)).into();
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

    fn begin(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        if let Some(textures) = &self.textures {
            files.extend(textures.write_fixed(&Control::default())?);
        }
        if self.tables {
            let path = self.folder.join(tables::REST);
            obj::save(&path, &self.rest)?;
            files.push(path);
        }
        Ok(files)
    }

    fn write(&self, moment: &Moment, control: &Control) -> Result<Vec<PathBuf>> {
        let (plain, images) = rayon::join(
            || self.write_plain(moment),
            || self.textures.as_ref().map_or(Ok(Vec::new()), |textures| textures.write(moment, control)),
        );
        let mut files = plain?;
        files.extend(images?);
        Ok(files)
    }

    fn needs_stored(&self) -> bool {
        !self.caches.is_empty() || self.rides.iter().any(Ride::needs_stored)
    }

    fn warnings(&self) -> Vec<String> {
        let textures = self.textures.iter().flat_map(Textures::warnings).cloned();
        textures.chain(self.rides.iter().filter_map(Ride::warning).map(String::from)).collect()
    }

    fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let mut files =
            self.caches.iter().map(|cache| cache.write(&self.rest, stored)).collect::<Result<Vec<_>>>()?;
        for ride in &self.rides {
            files.extend(ride.finish(stored)?);
        }
        Ok(files)
    }

    fn write_page(&self, frames: &[i64]) -> Result<()> {
        let Some((path, texture)) = &self.page else { return Ok(()) };
        let mut step = 1;
        let page = loop {
            let some: Vec<i64> = frames.iter().copied().step_by(step).collect();
            let gathered = Report::gather(&self.folder, Some(&some));
            match gathered.and_then(|report| report.page(None, texture.as_ref())) {
                // A long shot is thinned; the page tells which frames it has.
                Err(error) if error.kind() == Kind::TooLarge && some.len() > 1 => step *= 2,
                made => break made?,
            }
        };
        atomic::write(path, |file| file.write_all(page.as_bytes()))
    }
}

/// Where the page goes, and its texture.
fn page(folder: &Path, tables: bool, element: &PageElement) -> Result<(PathBuf, Option<Texture>)> {
    if !tables {
        return Err(Error::new(
            Kind::InvalidArgument,
            "the page is made of the tables and of UVs: both must be there",
        ));
    }
    let texture = element.texture.as_ref().map(|path| Texture::read(path.as_ref())).transpose()?;
    Ok((inside(folder, &element.file)?, texture))
}

/// A file of the results: in their folder, or anywhere when its whole path is given.
pub(super) fn inside(folder: &Path, file: &str) -> Result<PathBuf> {
    let path = Path::new(file);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain || path.is_absolute() {
        return Ok(folder.join(path));
    }
    let message = format!("{file:?} does not lie in the folder of the results");
    Err(Error::new(Kind::InvalidArgument, message))
}
