//! Files of any ports: moving geometry and tables, depending on what the ports are.

use super::super::graph::Graph;
use super::super::scene_file::SceneFile;
use super::super::store::arrays::{points_of, uvs_of};
use super::super::store::record::FrameRecord;
use super::Writer;
use super::caches::layer;
use super::curves::{Besides, CurveSources};
use super::names::inside;
use super::source::WrittenPort;
use super::stored::Stored;
use super::table::{TableFile, WholeTables};
use super::tubes::TubeFile;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::over::Over;
use sinew_formats::shot::{Curves, FrameData, Info, Map};
use sinew_formats::{Format, Holds, mesh, names, sink};
use sinew_geometry::{FaceLabels, Mesh, NO_VALUE};
use sinew_math::{Real, Space, Vec3};
use sinew_nodes::{BODY, Domain, Quantity};
use sinew_scene::{LayerChoice, OutputsElement, WriteElement};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The writers of a scene's `<write>` elements.
pub(super) fn writers(
    file: &SceneFile,
    element: &OutputsElement,
    graph: &mut Graph,
) -> Result<Vec<Box<dyn Writer>>> {
    let folder = Path::new(&element.folder);
    let mut files = Files { writers: Vec::new(), tables: Vec::new() };
    for write in &element.writes {
        let added = inside(folder, &write.file).and_then(|path| files.add(&path, write, graph));
        added.map_err(|e| file.place(e, "write", write.line))?;
    }
    if !files.tables.is_empty() {
        files.writers.push(Box::new(WholeTables(files.tables)));
    }
    Ok(files.writers)
}

/// The writers so far, and the tables that each hold all frames.
struct Files {
    writers: Vec<Box<dyn Writer>>,
    tables: Vec<TableFile>,
}

/// A file, or one per frame, of moving geometry.
struct ShotFile {
    file: PathBuf,
    /// The geometry's: that of the node of the points, and of their mesh if it is not the body.
    name: String,
    /// The faces; none for curves or points alone, and where the node makes them.
    mesh: Option<Arc<Mesh>>,
    /// The outputs with the faces that the node of the points makes.
    made: Option<MadeFaces>,
    /// Whether each part of the mesh is a mesh of its own.
    apart: bool,
    points: Option<WrittenPort>,
    uvs: Option<WrittenPort>,
    maps: Vec<WrittenPort>,
    curves: Option<CurveSources>,
    /// The mesh below the layer.
    over: Option<Over>,
    velocities: bool,
    one_file: bool,
    fps: Real,
    space: Space,
}

impl Files {
    fn add(&mut self, path: &Path, element: &WriteElement, graph: &mut Graph) -> Result<()> {
        let one = |text: &Option<String>, graph: &mut Graph| {
            text.as_deref().map(|text| WrittenPort::new(text, graph)).transpose()
        };
        let sources: Vec<WrittenPort> = element
            .from
            .split_whitespace()
            .map(|text| WrittenPort::new(text, graph))
            .collect::<Result<_>>()?;
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
            match table.one_file() {
                true => self.tables.push(table),
                false => self.writers.push(Box::new(table)),
            }
            return Ok(());
        }
        if element.item.is_some() {
            return wrong("item is for tables, which .csv and .json are");
        }
        let mut shot = ShotFile::new(path, sources, besides)?;
        match element.tubes {
            Some(_) if shot.points.is_some() => return wrong("tubes cannot be in a file with a mesh"),
            Some(around) => self.writers.push(Box::new(TubeFile::new(path, shot.curves, around)?)),
            None => {
                shot.prepare(element, graph)?;
                self.writers.push(Box::new(shot));
            }
        }
        Ok(())
    }
}

impl ShotFile {
    /// Sorts its sources by what they are.
    fn new(file: &Path, sources: Vec<WrittenPort>, mut besides: Besides) -> Result<Self> {
        let mut shot = ShotFile {
            file: file.to_path_buf(),
            name: String::new(),
            mesh: None,
            made: None,
            apart: false,
            points: None,
            uvs: None,
            maps: Vec::new(),
            curves: None,
            over: None,
            velocities: false,
            one_file: true,
            fps: 0.0,
            space: Space::default(),
        };
        let (mut free, mut counts, mut rest) = (None, None, Vec::new());
        for source in sources {
            let port = source.wire.port;
            let place = match (port.domain, port.quantity) {
                (Domain::Vertex(_), Quantity::Position) if shot.points.is_none() => &mut shot.points,
                (Domain::Corner(_), Quantity::Uv) if shot.uvs.is_none() => &mut shot.uvs,
                (Domain::Free, Quantity::Position) if free.is_none() => &mut free,
                (Domain::Free, Quantity::Index) if counts.is_none() => &mut counts,
                (Domain::Vertex(_) | Domain::Face(_) | Domain::Corner(_), _)
                    if port.kind.components() <= 4 =>
                {
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
        let lone = shot.points.is_some() && free.is_none() && counts.is_none();
        shot.apart = lone && std::mem::take(&mut besides.groups);
        shot.curves = CurveSources::new(free, counts, rest, besides)?;
        shot.check_one_mesh()?;
        Ok(shot)
    }

    /// Points, UVs and maps are those of one mesh.
    fn check_one_mesh(&self) -> Result<()> {
        let mut all = self.points.iter().chain(&self.uvs).chain(&self.maps);
        let mesh = |source: &WrittenPort| source.port().domain.mesh();
        let Some(first) = all.next() else { return Ok(()) };
        let Some(other) = all.find(|source| mesh(source) != mesh(first)) else { return Ok(()) };
        let [known, own] = [first, other].map(|source| mesh(source).unwrap_or_default());
        let message = format!(
            "{} belongs to the mesh {known}, {} to the mesh {own}: write them to separate files",
            first.key, other.key
        );
        Err(Error::new(Kind::InvalidArgument, message))
    }

    /// Finds the faces and the mesh below the layer, and checks whether the file can hold all this.
    fn prepare(&mut self, element: &WriteElement, graph: &mut Graph) -> Result<()> {
        self.velocities = element.velocities;
        (self.fps, self.space) = (graph.fps(), graph.space());
        self.over = self.layer(element.layer, graph)?;
        let lies = self.over.as_ref().and(self.uvs.as_ref().or(self.maps.first()));
        let geometry = self.points.as_ref().or(self.curves.as_ref().map(|curves| &curves.points));
        let Some(wire) = geometry.or(lies).map(|source| source.wire) else {
            let message = "no points are named: UVs and maps need the points of their mesh";
            return Err(Error::new(Kind::MissingInput, message));
        };
        let node = graph.member(wire).name();
        // A mesh beside the body has a name of its own, so that both can be in one shot.
        self.name = match wire.port.domain.mesh().filter(|mesh| *mesh != BODY) {
            Some(mesh) => format!("{node}_{mesh}"),
            None => node.to_string(),
        };
        self.take_faces(element.faces.as_deref(), graph)?;
        self.check(graph.frames())
    }

    /// The mesh below the file's layer, if it is one.
    fn layer(&self, choice: LayerChoice, graph: &Graph) -> Result<Option<Over>> {
        let alone = self.points.is_none() && self.curves.is_none();
        let mut lying = self.uvs.iter().chain(&self.maps);
        let fits = |over: &Over| over.check(&self.file).is_ok();
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message));
        match (choice, &self.points) {
            (LayerChoice::No, _) => Ok(None),
            (LayerChoice::Auto, _) if !alone => Ok(None),
            (LayerChoice::Yes, _) if self.curves.is_some() => {
                wrong("a layer holds a mesh of another file: write curves to a file of their own")
            }
            (LayerChoice::Yes, Some(_)) if !Format::of(&self.file)?.is_usd() => {
                let message = "only layers in USD (.usd, .usda, .usdc) hold points; others hold UVs and maps: name no \
                               points, or write the whole mesh";
                wrong(message)
            }
            (LayerChoice::Yes, Some(_)) if self.apart => {
                wrong("a layer holds the mesh of the file below: leave groups out, or write the whole mesh")
            }
            (LayerChoice::Yes, Some(_)) if self.velocities => {
                wrong("layers have no velocities: write the whole mesh, or leave them out")
            }
            (LayerChoice::Yes, Some(points)) => {
                let below = graph.member(points.wire).below_points(points.port().domain);
                layer(&self.file, below?).map(Some)
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
    fn take_faces(&mut self, faces: Option<&str>, graph: &mut Graph) -> Result<()> {
        if self.points.is_none() && self.over.is_none() {
            return Ok(());
        }
        if let Some(faces) = faces {
            self.mesh = Some(Arc::new(mesh::read(faces.as_ref())?.mesh));
            return Ok(());
        }
        let mut sources = self.points.iter().chain(&self.uvs).chain(&self.maps);
        let known = |source: &WrittenPort| graph.member(source.wire).mesh(source.port().domain.mesh()?);
        self.mesh = sources.find_map(known);
        if let (Some(points), None) = (&self.points, &self.mesh) {
            self.made = made_faces(points, graph)?;
        }
        let needs = Format::of(&self.file)?.row().shot.is_some_and(|shot| shot.needs_faces);
        if needs && self.mesh.is_none() && self.made.is_none() {
            let message = "the faces of these points are unknown: give faces=\"FILE\"";
            return Err(Error::new(Kind::MissingInput, message));
        }
        Ok(())
    }

    fn check(&mut self, frames: &[i64]) -> Result<()> {
        let (uvs, maps) = (self.uvs.is_some(), !self.maps.is_empty());
        let curves = self.curves.as_ref();
        let maps = maps || curves.is_some_and(CurveSources::has_maps);
        // glTF shows the UVs of one frame; writing it reads the points.
        let uvs = uvs && Format::of(&self.file)? != Format::Glb;
        if self.apart {
            self.check_apart()?;
        }
        let velocities = self.velocities;
        if velocities && self.points.is_none() && curves.is_none() {
            let message = "velocities belong to points, and none are named";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let wanted = Holds { uvs, maps, curves: curves.is_some(), velocities, one_file: true };
        sink::check(&self.file, wanted, frames, self.fps)?;
        self.one_file = Format::of(&self.file)?.row().shot.is_some_and(|shot| shot.holds.one_file);
        Ok(())
    }

    /// Checks that the mesh has parts, and that the format keeps them apart.
    fn check_apart(&self) -> Result<()> {
        let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
        let format = Format::of(&self.file)?;
        if !(format.is_usd() || matches!(format, Format::Abc | Format::Obj)) {
            let title = format.row().title;
            return wrong(format!(
                "{title} holds one mesh: groups are written to .abc, .usd, .usda, .usdc and .obj"
            ));
        }
        let named = self.mesh.as_ref().is_some_and(|mesh| !mesh.objects.names.is_empty());
        if named || self.made.as_ref().is_some_and(|made| made.parts.is_some()) {
            return Ok(());
        }
        wrong("the mesh has no parts of its own: groups are for muscles, and for OBJ files with several objects".into())
    }

    /// The mesh's points followed by those of curves.
    fn all_points(&self, record: &FrameRecord) -> Vec<Vec3> {
        let keys = self.points.iter().chain(self.curves.as_ref().map(|curves| &curves.points));
        keys.flat_map(|source| points_of(record.output(&source.key))).copied().collect()
    }

    /// A frame with that many groups of curves, if all points have these velocities or none have any.
    fn frame(&self, record: &FrameRecord, velocities: &[Vec3], groups: usize) -> Result<FrameData> {
        let read = |source: &Option<WrittenPort>| {
            source.as_ref().map_or(&[][..], |source| record.output(&source.key))
        };
        let values = |sources: &[WrittenPort]| -> Vec<Vec<Real>> {
            sources.iter().map(|source| record.output(&source.key).to_vec()).collect()
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
                .map_or(Ok(Vec::new()), |curves| curves.data(record, of_curves, groups))?,
            ..FrameData::default()
        })
    }

    /// The mesh that the node makes, as it is in a frame.
    fn made_mesh(&self, made: &MadeFaces, record: &FrameRecord) -> Result<Mesh> {
        let whole = |source: &WrittenPort| record.output(&source.key).iter().map(|v| *v as u32);
        let ends = whole(&made.sizes).scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        let mut mesh = Mesh {
            positions: self
                .points
                .iter()
                .flat_map(|points| points_of(record.output(&points.key)))
                .copied()
                .collect(),
            face_offsets: std::iter::once(0).chain(ends).collect(),
            corner_vertices: whole(&made.vertices).collect(),
            ..Mesh::default()
        };
        mesh.check_counts().map_err(|e| e.file(&self.file).frame(record.frame))?;
        if let Some((numbers, things)) = made.parts.as_ref().filter(|_| self.apart) {
            let of_vertex: Vec<u32> = whole(numbers).collect();
            let label = |face: usize| {
                mesh.face(face).first().and_then(|v| of_vertex.get(*v as usize)).copied().unwrap_or(NO_VALUE)
            };
            let of_face: Vec<u32> = (0..mesh.face_count()).map(label).collect();
            mesh.objects = FaceLabels { names: numbers.names_of(record, things), of_face };
            mesh.check_counts().map_err(|e| e.file(&self.file).frame(record.frame))?;
        }
        Ok(mesh)
    }

    fn save(
        &self,
        frames: &[i64],
        fps: Real,
        info: Info,
        record: &mut dyn FnMut(usize) -> Result<(FrameRecord, Vec<Vec3>)>,
    ) -> Result<Vec<PathBuf>> {
        let maps = named(&self.maps);
        let curve_maps = self.curves.as_ref().map_or_else(Vec::new, CurveSources::maps);
        let name = names::identifier(&self.name);
        let widths = if self.curves.as_ref().is_some_and(CurveSources::has_radii) { "vertex" } else { "" };
        let names = match &self.curves {
            None => Vec::new(),
            Some(curves) if Format::of(&self.file)? == Format::Obj => curves.group_names(&record(0)?.0),
            Some(curves) => names::identifiers(curves.group_names(&record(0)?.0).iter().map(String::as_str)),
        };
        let group = |name| Curves { name, widths, maps: &curve_maps };
        let curves: Vec<Curves> = names.iter().map(String::as_str).map(group).collect();
        let made = match &self.made {
            Some(made) => Some(self.made_mesh(made, &record(0)?.0)?),
            None => None,
        };
        let info = Info {
            name: &name,
            mesh: made.as_ref().or(self.mesh.as_deref()),
            apart: self.apart,
            maps: &maps,
            curves: &curves,
            over: self.over.as_ref(),
            ..info
        };
        let mut read = |index: usize| {
            let (record, velocities) = record(index)?;
            self.frame(&record, &velocities, curves.len())
        };
        sink::write(&self.file, &info, frames, fps, &mut read)
    }
}

impl Writer for ShotFile {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        sink::names(&self.file, frames)
    }

    fn write(&self, record: &FrameRecord, _: &Control) -> Result<Vec<PathBuf>> {
        if self.one_file {
            return Ok(Vec::new());
        }
        // It has no field for its origin.
        let info = Info { space: self.space, ..Info::default() };
        self.save(&[record.frame], self.fps, info, &mut |_| Ok((record.clone(), Vec::new())))
    }

    fn holds_all(&self) -> bool {
        self.one_file
    }

    fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>> {
        if !self.one_file {
            return Ok(Vec::new());
        }
        let mut read = |index: usize| {
            let velocities = match self.velocities {
                true => stored.velocities(index, |record| self.all_points(record))?,
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
        self.save(&stored.written, stored.fps, info, &mut read)
    }
}

/// The outputs of a node with the faces of a mesh that it makes.
struct MadeFaces {
    sizes: WrittenPort,
    vertices: WrittenPort,
    /// The number of the part of each vertex, and by what word the node lists the names of parts.
    parts: Option<(WrittenPort, &'static str)>,
}

/// The outputs with the faces of points, if their node makes the mesh; frames record them from now on.
fn made_faces(points: &WrittenPort, graph: &mut Graph) -> Result<Option<MadeFaces>> {
    let member = graph.member(points.wire);
    let Some(made) = points.port().domain.mesh().and_then(|mesh| member.made_mesh(mesh)) else {
        return Ok(None);
    };
    let name = member.name().to_string();
    let mut source = |port: &str| WrittenPort::new(&format!("{name}.{port}"), graph);
    let parts = made.parts.map(|[numbers, things]| Ok((source(numbers)?, things))).transpose()?;
    let (sizes, vertices) = (source(made.face_sizes)?, source(made.face_vertices)?);
    Ok(Some(MadeFaces { sizes, vertices, parts }))
}

/// Maps by name.
fn named(sources: &[WrittenPort]) -> Vec<Map<'_>> {
    let interpolation = |source: &WrittenPort| match source.port().domain {
        Domain::Vertex(_) => "vertex",
        Domain::Face(_) => "uniform",
        // Those of other domains were separated before.
        Domain::Corner(_) | Domain::Joint | Domain::Influence(_) | Domain::Free => "faceVarying",
    };
    let each = sources.iter();
    each.map(|source| Map {
        name: source.title(),
        interpolation: interpolation(source),
        components: source.components(),
    })
    .collect()
}
