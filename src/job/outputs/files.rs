//! The outputs of a graph: files of moving geometry and tables, depending on the ports.

use super::super::graph::Graph;
use super::super::scene_file::SceneFile;
use super::super::store::arrays::{points_of, uvs_of};
use super::super::store::moment::Moment;
use super::caches::{Stored, layer};
use super::curves::{Besides, CurveSources};
use super::names::inside;
use super::source::Source;
use super::table::TableFile;
use super::tubes::TubeFile;
use crate::error::{Error, Kind, Result};
use crate::formats::over::Over;
use crate::formats::shot::{Curves, FrameData, Info, Map};
use crate::formats::{Format, Holds, mesh, sink, usd};
use crate::geometry::Mesh;
use crate::math::{Real, Space, Vec3};
use crate::nodes::{Domain, Quantity};
use crate::scene::{LayerChoice, OutputsElement, WriteElement};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a graph.
pub(crate) struct GraphSinks {
    files: Vec<Sink>,
    fps: Real,
    space: Space,
}

enum Sink {
    Shot(Box<ShotFile>),
    Tubes(Box<TubeFile>),
    Table(TableFile),
}

/// A file, or one per frame, of moving geometry.
struct ShotFile {
    file: PathBuf,
    /// The node of the points, which names the geometry.
    name: String,
    /// The faces; none for curves or points alone.
    mesh: Option<Arc<Mesh>>,
    points: Option<Source>,
    uvs: Option<Source>,
    maps: Vec<Source>,
    curves: Option<CurveSources>,
    /// The mesh below the layer.
    over: Option<Over>,
    velocities: bool,
    one_file: bool,
}

impl GraphSinks {
    pub fn new(file: &SceneFile, element: &OutputsElement, graph: &mut Graph) -> Result<Self> {
        let folder = PathBuf::from(&element.folder);
        let mut files = Vec::new();
        for write in &element.writes {
            let made = inside(&folder, &write.file).and_then(|path| Sink::new(&path, write, graph));
            files.push(made.map_err(|e| file.place(e, "write", write.line))?);
        }
        if files.is_empty() {
            let error = Error::new(
                Kind::InvalidArgument,
                "nothing is written: <write file=\"...\" from=\"NODE.PORT\"/> is missing",
            );
            return Err(file.place(error, "outputs", element.line));
        }
        Ok(GraphSinks { files, fps: graph.fps(), space: graph.space() })
    }
}

impl Sink {
    fn new(path: &Path, element: &WriteElement, graph: &mut Graph) -> Result<Self> {
        let one = |text: &Option<String>, graph: &mut Graph| {
            text.as_deref().map(|text| Source::new(text, graph)).transpose()
        };
        let sources: Vec<Source> =
            element.from.split_whitespace().map(|text| Source::new(text, graph)).collect::<Result<_>>()?;
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message));
        if sources.is_empty() {
            return wrong("from is empty");
        }
        let besides = Besides {
            radii: one(&element.radii, graph)?,
            cuts: one(&element.cuts, graph)?,
            groups: element.groups,
        };
        if matches!(Format::of(path)?, Format::Csv | Format::Json) {
            if besides.is_some() || element.tubes.is_some() || element.velocities {
                return wrong(
                    "radii, cuts, groups, tubes and velocities are for geometry, but this is a table",
                );
            }
            let table = TableFile::new(path, sources, element.item.clone(), graph.frames(), graph.fps())?;
            return Ok(Sink::Table(table));
        }
        if element.item.is_some() {
            return wrong("item is for tables, which .csv and .json are");
        }
        let mut shot = ShotFile::new(path, sources, besides)?;
        match element.tubes {
            Some(_) if shot.points.is_some() => wrong("tubes cannot be in a file with a mesh"),
            Some(around) => Ok(Sink::Tubes(Box::new(TubeFile::new(path, shot.curves, around)?))),
            None => {
                shot.prepare(element, graph)?;
                Ok(Sink::Shot(Box::new(shot)))
            }
        }
    }
}

impl ShotFile {
    /// Sorts its sources by what they are.
    fn new(file: &Path, sources: Vec<Source>, besides: Besides) -> Result<Self> {
        let mut shot = ShotFile {
            file: file.to_path_buf(),
            name: String::new(),
            mesh: None,
            points: None,
            uvs: None,
            maps: Vec::new(),
            curves: None,
            over: None,
            velocities: false,
            one_file: true,
        };
        let (mut free, mut counts, mut rest) = (None, None, Vec::new());
        for source in sources {
            let port = source.wire.port;
            let place = match (port.domain, port.quantity) {
                (Domain::Vertex, Quantity::Position) if shot.points.is_none() => &mut shot.points,
                (Domain::Corner, Quantity::Uv) if shot.uvs.is_none() => &mut shot.uvs,
                (Domain::Free, Quantity::Position) if free.is_none() => &mut free,
                (Domain::Free, Quantity::Index) if counts.is_none() => &mut counts,
                (Domain::Vertex | Domain::Face | Domain::Corner, _) if port.kind.components() <= 4 => {
                    shot.maps.push(source);
                    continue;
                }
                (Domain::Free, _) if port.kind.components() <= 4 => {
                    rest.push(source);
                    continue;
                }
                _ => {
                    let message = format!(
                        "{} is neither geometry nor a map on it; a table (.csv) can hold it",
                        source.key
                    );
                    return Err(Error::new(Kind::InvalidArgument, message));
                }
            };
            *place = Some(source);
        }
        shot.curves = CurveSources::new(free, counts, rest, besides)?;
        Ok(shot)
    }

    /// Finds the faces and the mesh below the layer, and checks whether the file can hold all this.
    fn prepare(&mut self, element: &WriteElement, graph: &Graph) -> Result<()> {
        self.velocities = element.velocities;
        self.over = self.layer(element.layer, graph)?;
        let lies = self.over.as_ref().and(self.uvs.as_ref().or(self.maps.first()));
        let geometry = self.points.as_ref().or(self.curves.as_ref().map(|curves| &curves.points));
        let Some(wire) = geometry.or(lies).map(|source| source.wire) else {
            let message = "no points are named: UVs and maps need the points of their mesh";
            return Err(Error::new(Kind::MissingInput, message));
        };
        self.name = graph.member(wire).name().to_string();
        self.take_faces(element.faces.as_deref(), graph)?;
        self.check(graph.frames(), graph.fps())
    }

    /// The mesh below the file's layer, if it is one.
    fn layer(&self, choice: LayerChoice, graph: &Graph) -> Result<Option<Over>> {
        let alone = self.points.is_none() && self.curves.is_none();
        let mut lying = self.uvs.iter().chain(&self.maps);
        let fits = |over: &Over| over.check(&self.file).is_ok();
        match choice {
            LayerChoice::No => Ok(None),
            LayerChoice::Auto if !alone => Ok(None),
            LayerChoice::Yes if !alone => {
                let message =
                    "a layer holds only UVs and maps, its points are those of the original: name none";
                Err(Error::new(Kind::InvalidArgument, message))
            }
            _ => {
                let over = lying.find_map(|source| graph.member(source.wire).over().transpose());
                match choice {
                    LayerChoice::Auto => Ok(over.and_then(Result::ok).filter(fits)),
                    _ => layer(&self.file, over.transpose()?).map(Some),
                }
            }
        }
    }

    /// The faces from a file, or those known to a node of the points, UVs or maps.
    fn take_faces(&mut self, faces: Option<&str>, graph: &Graph) -> Result<()> {
        if self.points.is_none() && self.over.is_none() {
            return Ok(());
        }
        let sources = self.points.iter().chain(&self.uvs).chain(&self.maps);
        let known = || sources.filter_map(|source| graph.member(source.wire).mesh()).next();
        self.mesh = match faces {
            Some(faces) => Some(Arc::new(mesh::read(faces.as_ref())?.mesh)),
            None => known(),
        };
        let needs = Format::of(&self.file)?.row().shot.is_some_and(|shot| shot.needs_faces);
        if needs && self.mesh.is_none() {
            let message = "the faces of these points are unknown: give faces=\"FILE\"";
            return Err(Error::new(Kind::MissingInput, message));
        }
        Ok(())
    }

    fn check(&mut self, frames: &[i64], fps: Real) -> Result<()> {
        let (uvs, maps) = (self.uvs.is_some(), !self.maps.is_empty());
        let curves = self.curves.as_ref();
        let maps = maps || curves.is_some_and(CurveSources::has_maps);
        // glTF shows the UVs of one frame; writing it reads the points.
        let uvs = uvs && Format::of(&self.file)? != Format::Glb;
        let velocities = self.velocities;
        if velocities && self.points.is_none() && curves.is_none() {
            let message = "velocities belong to points, and none are named";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let wanted = Holds { uvs, maps, curves: curves.is_some(), velocities, one_file: true };
        sink::check(&self.file, wanted, frames, fps)?;
        self.one_file = Format::of(&self.file)?.row().shot.is_some_and(|shot| shot.holds.one_file);
        Ok(())
    }

    /// The mesh's points followed by those of curves.
    fn all_points(&self, moment: &Moment) -> Vec<Vec3> {
        let keys = self.points.iter().chain(self.curves.as_ref().map(|curves| &curves.points));
        keys.flat_map(|source| points_of(moment.output(&source.key))).copied().collect()
    }

    /// A frame with that many groups of curves, if all points have these velocities or none have any.
    fn frame(&self, moment: &Moment, velocities: &[Vec3], groups: usize) -> Result<FrameData> {
        let read =
            |source: &Option<Source>| source.as_ref().map_or(&[][..], |source| moment.output(&source.key));
        let values = |sources: &[Source]| -> Vec<Vec<Real>> {
            sources.iter().map(|source| moment.output(&source.key).to_vec()).collect()
        };
        let points = points_of(read(&self.points));
        let (of_mesh, of_curves) = velocities.split_at(points.len().min(velocities.len()));
        Ok(FrameData {
            points: points.to_vec(),
            velocities: of_mesh.to_vec(),
            uvs: uvs_of(read(&self.uvs)).to_vec(),
            maps: values(&self.maps),
            curves: self
                .curves
                .as_ref()
                .map_or(Ok(Vec::new()), |curves| curves.data(moment, of_curves, groups))?,
            ..FrameData::default()
        })
    }

    /// The file that holds all frames.
    fn write_all(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let mut read = |index: usize| {
            let velocities = match self.velocities {
                true => stored.velocities(index, |moment| self.all_points(moment))?,
                false => Vec::new(),
            };
            Ok((stored.read(index)?, velocities))
        };
        let info = Info {
            space: stored.space,
            provenance: stored.provenance.clone(),
            samples: stored.samples.count(),
            ..Info::default()
        };
        self.write(&stored.written, stored.fps, info, &mut read)
    }

    /// A file of one frame.
    fn write_frame(&self, moment: &Moment, fps: Real, space: Space) -> Result<Vec<PathBuf>> {
        // It has no field for its origin.
        let info = Info { space, ..Info::default() };
        self.write(&[moment.frame], fps, info, &mut |_| Ok((moment.clone(), Vec::new())))
    }

    fn write(
        &self,
        frames: &[i64],
        fps: Real,
        info: Info,
        moment: &mut dyn FnMut(usize) -> Result<(Moment, Vec<Vec3>)>,
    ) -> Result<Vec<PathBuf>> {
        let maps = named(&self.maps);
        let curve_maps = self.curves.as_ref().map_or_else(Vec::new, CurveSources::maps);
        let name = usd::identifier(&self.name);
        let widths = if self.curves.as_ref().is_some_and(CurveSources::has_radii) { "vertex" } else { "" };
        let names = match &self.curves {
            None => Vec::new(),
            Some(curves) if Format::of(&self.file)? == Format::Obj => curves.group_names(&moment(0)?.0),
            Some(curves) => usd::identifiers(curves.group_names(&moment(0)?.0).iter().map(String::as_str)),
        };
        let group = |name| Curves { name, widths, maps: &curve_maps };
        let curves: Vec<Curves> = names.iter().map(String::as_str).map(group).collect();
        let info = Info {
            name: &name,
            mesh: self.mesh.as_deref(),
            maps: &maps,
            curves: &curves,
            over: self.over.as_ref(),
            ..info
        };
        let mut read = |index: usize| {
            let (moment, velocities) = moment(index)?;
            self.frame(&moment, &velocities, curves.len())
        };
        sink::write(&self.file, &info, frames, fps, &mut read)
    }
}

/// Maps by name.
fn named(sources: &[Source]) -> Vec<Map<'_>> {
    let interpolation = |source: &Source| match source.port().domain {
        Domain::Vertex => "vertex",
        Domain::Face => "uniform",
        // Those of other domains were separated before.
        Domain::Corner | Domain::Joint | Domain::Influence | Domain::Free => "faceVarying",
    };
    let each = sources.iter();
    each.map(|source| Map {
        name: source.title(),
        interpolation: interpolation(source),
        components: source.components(),
    })
    .collect()
}

impl Sink {
    fn one_file(&self) -> bool {
        match self {
            Sink::Shot(shot) => shot.one_file,
            Sink::Tubes(_) => false,
            Sink::Table(table) => table.one_file(),
        }
    }
}

impl GraphSinks {
    /// The names of all files that will be written.
    pub fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        for sink in &self.files {
            names.extend(match sink {
                Sink::Shot(shot) => sink::names(&shot.file, frames)?,
                Sink::Tubes(tubes) => sink::names(tubes.file(), frames)?,
                Sink::Table(table) => sink::names(table.file(), frames)?,
            });
        }
        Ok(names)
    }

    /// Writes a frame's files and returns their names.
    pub fn write(&self, moment: &Moment) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for sink in self.files.iter().filter(|sink| !sink.one_file()) {
            files.extend(match sink {
                Sink::Shot(shot) => shot.write_frame(moment, self.fps, self.space)?,
                Sink::Tubes(tubes) => vec![tubes.write(moment)?],
                Sink::Table(table) => vec![table.write_frame(moment)?],
            });
        }
        Ok(files)
    }

    /// Whether frames must be stored for [`GraphSinks::finish`].
    pub fn needs_stored(&self) -> bool {
        self.files.iter().any(Sink::one_file)
    }

    /// Writes the files that hold all frames and returns their names.
    pub fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        let (mut files, mut tables) = (Vec::new(), Vec::new());
        for sink in self.files.iter().filter(|sink| sink.one_file()) {
            match sink {
                Sink::Shot(shot) => files.extend(shot.write_all(stored)?),
                Sink::Table(table) => tables.push(table),
                // There is a file for each frame.
                Sink::Tubes(_) => {}
            }
        }
        files.extend(super::table::write_all(&tables, stored)?);
        Ok(files)
    }
}
