//! Where the outputs of a graph go: into files of moving geometry and into tables, by what the outputs are.

mod table;

use super::super::caches::{Stored, layer};
use super::super::moment::Moment;
use super::super::outputs::inside;
use super::super::scene_file::SceneFile;
use super::Graph;
use super::wire::Wire;
use crate::error::{Error, Kind, Result};
use crate::formats::over::Over;
use crate::formats::provenance::Provenance;
use crate::formats::shot::{Curves, CurvesData, FrameData, Info, Map};
use crate::formats::{Format, Holds, mesh, sink, usd};
use crate::geometry::Mesh;
use crate::math::{Real, Space, Vec2, Vec3};
use crate::nodes::{Domain, Quantity};
use crate::scene::{LayerChoice, OutputsElement, WriteElement};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::TableFile;

/// The files of a graph.
pub(crate) struct GraphSinks {
    files: Vec<Sink>,
    frames: Vec<i64>,
    fps: Real,
    space: Space,
}

enum Sink {
    Shot(Box<ShotFile>),
    Table(TableFile),
}

/// A port that a file takes, by which a frame tells its numbers.
struct Source {
    wire: Wire,
    key: String,
}

/// A file, or one per frame, of moving geometry.
struct ShotFile {
    file: PathBuf,
    /// The node of the points, after which the geometry is called.
    name: String,
    /// The faces; none of curves, and of points alone.
    mesh: Option<Arc<Mesh>>,
    points: Option<Source>,
    uvs: Option<Source>,
    maps: Vec<Source>,
    curves: Option<CurveSources>,
    /// The mesh over which it is a layer.
    over: Option<Over>,
    one_file: bool,
}

/// Curves: their points, how many each has, and what lives on points or whole curves.
struct CurveSources {
    points: Source,
    counts: Source,
    radii: Option<Source>,
    on_points: Vec<Source>,
    on_curves: Vec<Source>,
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
        Ok(GraphSinks { files, frames: graph.frames.clone(), fps: graph.fps, space: graph.space })
    }
}

impl Sink {
    fn new(path: &Path, element: &WriteElement, graph: &mut Graph) -> Result<Self> {
        let parse = |text: &str, graph: &Graph| {
            let wire = Wire::parse(text, &graph.members)?;
            Ok::<_, Error>(Source { wire, key: wire.key(&graph.members[wire.member].name) })
        };
        let sources: Vec<Source> =
            element.from.split_whitespace().map(|text| parse(text, graph)).collect::<Result<_>>()?;
        let radii = element.radii.as_deref().map(|text| parse(text, graph)).transpose()?;
        sources.iter().chain(&radii).for_each(|source| graph.want(source.wire));
        if sources.is_empty() {
            return Err(Error::new(Kind::InvalidArgument, "from names nothing"));
        }
        if Format::of(path)? == Format::Csv {
            return Ok(Sink::Table(TableFile::new(path, sources, &graph.frames, graph.fps)?));
        }
        let shot = ShotFile::new(path, sources, radii, element, graph)?;
        Ok(Sink::Shot(Box::new(shot)))
    }
}

impl ShotFile {
    fn new(
        file: &Path,
        sources: Vec<Source>,
        radii: Option<Source>,
        element: &WriteElement,
        graph: &Graph,
    ) -> Result<Self> {
        let mut shot = ShotFile {
            file: file.to_path_buf(),
            name: String::new(),
            mesh: None,
            points: None,
            uvs: None,
            maps: Vec::new(),
            curves: None,
            over: None,
            one_file: true,
        };
        let (mut free, mut counts, mut on_curves) = (None, None, Vec::new());
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
                    on_curves.push(source);
                    continue;
                }
                _ => {
                    let message = format!(
                        "{} is no geometry and lives on none; a table (.csv) can hold it",
                        source.key
                    );
                    return Err(Error::new(Kind::InvalidArgument, message));
                }
            };
            *place = Some(source);
        }
        shot.curves = curves(free, counts, on_curves, radii, shot.points.is_some())?;
        shot.over = shot.layer(element.layer, graph)?;
        let lies = shot.over.as_ref().and(shot.uvs.as_ref().or(shot.maps.first()));
        let geometry = shot.points.as_ref().or(shot.curves.as_ref().map(|c| &c.points));
        let Some(wire) = geometry.or(lies).map(|source| source.wire) else {
            let message = "no points are named: UVs and maps need those of their mesh beside them";
            return Err(Error::new(Kind::MissingInput, message));
        };
        shot.name = graph.members[wire.member].name.clone();
        shot.take_faces(element.faces.as_deref(), graph)?;
        shot.check(&graph.frames, graph.fps)?;
        Ok(shot)
    }

    /// The mesh over which the file is a layer, if it is one.
    fn layer(&self, choice: LayerChoice, graph: &Graph) -> Result<Option<Over>> {
        let alone = self.points.is_none() && self.curves.is_none();
        let mut lying = self.uvs.iter().chain(&self.maps);
        let fits = |over: &Over| over.check(&self.file).is_ok();
        match choice {
            LayerChoice::No => Ok(None),
            LayerChoice::Auto if !alone => Ok(None),
            LayerChoice::Yes if !alone => {
                let message =
                    "a layer holds UVs and maps alone, its points are those of the original: name none";
                Err(Error::new(Kind::InvalidArgument, message))
            }
            _ => {
                let over = lying.find_map(|source| graph.members[source.wire.member].fed.over.clone());
                match choice {
                    LayerChoice::Auto => Ok(over.and_then(Result::ok).filter(fits)),
                    _ => layer(&self.file, over.transpose()?).map(Some),
                }
            }
        }
    }

    /// The faces of a file, or those that a node of the points, UVs or maps knows.
    fn take_faces(&mut self, faces: Option<&str>, graph: &Graph) -> Result<()> {
        if self.points.is_none() && self.over.is_none() {
            return Ok(());
        }
        let sources = self.points.iter().chain(&self.uvs).chain(&self.maps);
        let known = || sources.filter_map(|source| graph.members[source.wire.member].fed.mesh.clone()).next();
        self.mesh = match faces {
            Some(faces) => Some(Arc::new(mesh::read(faces.as_ref())?.mesh)),
            None => known(),
        };
        let needs = !matches!(Format::of(&self.file)?, Format::Pc2 | Format::Mdd);
        if needs && self.mesh.is_none() {
            let message = "nothing tells the faces of these points: faces=\"FILE\" does";
            return Err(Error::new(Kind::MissingInput, message));
        }
        Ok(())
    }

    fn check(&mut self, frames: &[i64], fps: Real) -> Result<()> {
        let (uvs, maps) = (self.uvs.is_some(), !self.maps.is_empty());
        let curves = self.curves.as_ref();
        let maps = maps || curves.is_some_and(|c| !c.on_points.is_empty() || !c.on_curves.is_empty());
        // glTF shows the UVs of one frame; whoever writes it looks at the points.
        let uvs = uvs && Format::of(&self.file)? != Format::Glb;
        let wanted = Holds { uvs, maps, curves: curves.is_some(), one_file: true };
        sink::check(&self.file, wanted, frames, fps)?;
        self.one_file = Format::of(&self.file)?.row().shot.is_some_and(|holds| holds.one_file);
        Ok(())
    }

    /// What a frame says.
    fn frame(&self, moment: &Moment) -> Result<FrameData> {
        let read =
            |source: &Option<Source>| source.as_ref().map_or(&[][..], |source| moment.output(&source.key));
        let values = |sources: &[Source]| -> Vec<Vec<Real>> {
            sources.iter().map(|source| moment.output(&source.key).to_vec()).collect()
        };
        Ok(FrameData {
            points: read(&self.points).chunks_exact(3).map(Vec3::from_column_slice).collect(),
            uvs: read(&self.uvs).chunks_exact(2).map(Vec2::from_column_slice).collect(),
            maps: values(&self.maps),
            curves: self.curves.iter().map(|curves| curves.data(moment)).collect::<Result<_>>()?,
            ..FrameData::default()
        })
    }

    fn write(
        &self,
        frames: &[i64],
        fps: Real,
        space: Space,
        provenance: &Provenance,
        moment: &mut dyn FnMut(usize) -> Result<Moment>,
    ) -> Result<Vec<PathBuf>> {
        let maps = named(&self.maps);
        let curve_maps = self.curves.as_ref().map_or_else(Vec::new, CurveSources::maps);
        let name = usd::identifier(&self.name);
        let widths = if self.curves.as_ref().is_some_and(|c| c.radii.is_some()) { "vertex" } else { "" };
        let group = Curves { name: "curves", widths, maps: &curve_maps };
        let curves = if self.curves.is_some() { vec![group] } else { Vec::new() };
        let info = Info {
            name: &name,
            mesh: self.mesh.as_deref(),
            space,
            maps: &maps,
            curves: &curves,
            over: self.over.as_ref(),
            provenance: provenance.clone(),
        };
        sink::write(&self.file, &info, frames, fps, &mut |index| self.frame(&moment(index)?))
    }
}

/// Curves where points of any number and their counts are named.
fn curves(
    points: Option<Source>,
    counts: Option<Source>,
    mut on_curves: Vec<Source>,
    radii: Option<Source>,
    with_mesh: bool,
) -> Result<Option<CurveSources>> {
    let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
    match (points, counts) {
        (Some(points), Some(counts)) => {
            let items = points.wire.port.items;
            let (on_points, rest): (Vec<_>, Vec<_>) =
                on_curves.drain(..).partition(|source| source.wire.port.items == items);
            let (on_curves, rest): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|source| source.wire.port.items == counts.wire.port.items);
            match rest.first() {
                Some(other) => {
                    wrong(format!("{} lives neither on the curves nor on their points", other.key))
                }
                None => Ok(Some(CurveSources { points, counts, radii, on_points, on_curves })),
            }
        }
        (None, None) if with_mesh && on_curves.is_empty() && radii.is_none() => Ok(None),
        (None, None) if on_curves.is_empty() && radii.is_none() => Ok(None),
        (Some(points), None) => wrong(format!(
            "{} are points of any number: curves need how many each has, and a table (.csv) can hold points alone",
            points.key
        )),
        _ => wrong("these live on curves, whose points and counts are not named".into()),
    }
}

impl CurveSources {
    fn maps(&self) -> Vec<Map<'static>> {
        let of = |sources: &[Source], interpolation| -> Vec<Map<'static>> {
            let each = sources.iter().map(|source| source.wire.port);
            each.map(|port| Map { name: port.id, interpolation, components: port.kind.components() as usize })
                .collect()
        };
        [of(&self.on_points, "vertex"), of(&self.on_curves, "uniform")].concat()
    }

    fn data(&self, moment: &Moment) -> Result<CurvesData> {
        let numbers = |source: &Source| moment.output(&source.key).to_vec();
        let counts: Vec<u32> = numbers(&self.counts).iter().map(|count| *count as u32).collect();
        let points: Vec<Vec3> = numbers(&self.points).chunks_exact(3).map(Vec3::from_column_slice).collect();
        let total: usize = counts.iter().map(|count| *count as usize).sum();
        if total != points.len() {
            let message =
                format!("{} tells {total} points, {} has {}", self.counts.key, self.points.key, points.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let radii = self.radii.as_ref().map(&numbers).unwrap_or_default();
        let widths = match (radii.len() == points.len(), radii.len() == counts.len()) {
            _ if radii.is_empty() => Vec::new(),
            (true, _) => radii.iter().map(|radius| 2.0 * radius).collect(),
            (_, true) => {
                let each = counts.iter().zip(&radii);
                each.flat_map(|(count, radius)| std::iter::repeat_n(2.0 * radius, *count as usize)).collect()
            }
            _ => {
                let message = format!("{} radii for {} curves of {total} points", radii.len(), counts.len());
                return Err(Error::new(Kind::CountMismatch, message));
            }
        };
        let maps = self.on_points.iter().chain(&self.on_curves).map(numbers).collect();
        Ok(CurvesData { counts, points, widths, maps })
    }
}

/// Maps by the ids of their ports.
fn named(sources: &[Source]) -> Vec<Map<'static>> {
    let map = |source: &Source| {
        let port = source.wire.port;
        let interpolation = match port.domain {
            Domain::Vertex => "vertex",
            Domain::Face => "uniform",
            _ => "faceVarying",
        };
        Map { name: port.id, interpolation, components: port.kind.components() as usize }
    };
    sources.iter().map(map).collect()
}

impl Sink {
    fn one_file(&self) -> bool {
        match self {
            Sink::Shot(shot) => shot.one_file,
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
                Sink::Shot(shot) => {
                    // Files of one frame have no place for it.
                    let none = Provenance::default();
                    shot.write(&[moment.frame], self.fps, self.space, &none, &mut |_| Ok(moment.clone()))?
                }
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
        let mut files = Vec::new();
        for sink in self.files.iter().filter(|sink| sink.one_file()) {
            files.extend(match sink {
                Sink::Shot(shot) => {
                    let read = &mut |place| stored.read(place);
                    shot.write(&self.frames, self.fps, self.space, stored.provenance, read)?
                }
                Sink::Table(table) => vec![table.write_all(stored)?],
            });
        }
        Ok(files)
    }
}
