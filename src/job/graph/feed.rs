//! What feeds the inputs of a node, by what the input is.

use super::super::arrays::{of_matrices, of_points};
use super::super::scene_file::SceneFile;
use super::wire::Wire;
use super::{Member, lacking};
use crate::error::{Error, Kind, Result};
use crate::formats::over::Over;
use crate::formats::points::{PointSource, find_frames};
use crate::formats::sequence::Pattern;
use crate::formats::table::Table;
use crate::formats::{Format, first_row, joints, map, mesh, read_text, rows, table, weights};
use crate::geometry::Mesh;
use crate::math::{Real, Space, Vec3};
use crate::nodes::{ArrayView, Direction, Domain, Instance, Port, PortKind, Quantity, Report};
use crate::scene::{InputElement, NodeElement, OneFrame};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// What feeds an input in every frame.
pub(super) enum Feed {
    /// An output of a node that steps before.
    Wire(Wire),
    /// Points of a file, and where in it each frame of the job is.
    Points { source: Box<PointSource>, samples: Vec<usize>, path: PathBuf },
    /// The numbers of each frame, and the file that they are from.
    Table { frames: BTreeMap<i64, Vec<Real>>, path: PathBuf },
}

impl Feed {
    /// The frames that the file has.
    pub fn frames(&self) -> Option<Vec<i64>> {
        match self {
            Feed::Wire(_) => None,
            Feed::Points { source, .. } => Some(source.frames().to_vec()),
            Feed::Table { frames, .. } => Some(frames.keys().copied().collect()),
        }
    }

    /// Finds the frames of the job.
    pub fn find(&mut self, frames: &[i64]) -> Result<()> {
        match self {
            Feed::Wire(_) => Ok(()),
            Feed::Points { source, samples, path } => {
                *samples = find_frames(source, frames, path)?;
                Ok(())
            }
            Feed::Table { frames: there, path } => {
                let missing: Vec<i64> = frames.iter().copied().filter(|f| !there.contains_key(f)).collect();
                match missing.first() {
                    Some(&first) => Err(lacking(&missing, frames.len(), "the file").frame(first).file(path)),
                    None => Ok(()),
                }
            }
        }
    }

    /// The numbers of a frame, which is at that place in the job; none of a wire.
    pub fn read(&mut self, place: usize, frame: i64) -> Result<Vec<Real>> {
        Ok(match self {
            Feed::Wire(_) => Vec::new(),
            Feed::Points { source, samples, .. } => of_points(&source.read(samples[place])?),
            Feed::Table { frames, .. } => frames.get(&frame).cloned().unwrap_or_default(),
        })
    }
}

/// What is known of a node's geometry from its files and from what feeds it.
#[derive(Clone, Default)]
pub(super) struct Fed {
    /// The faces.
    pub mesh: Option<Mesh>,
    /// The mesh of the file that moves, over which a layer can be written.
    pub over: Option<Over>,
    /// How many vertices there are.
    vertices: Option<usize>,
    /// What joints are called.
    joints: Option<Vec<String>>,
    /// What items are called, by their kind, as the node told in its last good step; null where it tells nothing.
    pub names: Value,
    /// What inputs were fed last that somebody wants to know.
    pub inputs: HashMap<&'static str, Vec<Real>>,
}

impl Fed {
    /// Takes up what a step calls its items.
    pub fn name_items(&mut self, report: &Report) {
        if !report.names.is_empty() {
            let names =
                report.names.iter().map(|(kind, names)| (kind.to_string(), Value::from(names.clone())));
            self.names = names.collect::<serde_json::Map<_, _>>().into();
        }
    }

    /// The faces, or as many vertices without any, for maps.
    fn geometry(&self) -> Result<Mesh> {
        match (&self.mesh, self.vertices) {
            (Some(mesh), _) => Ok(mesh.clone()),
            (None, Some(count)) => {
                Ok(Mesh { positions: vec![Vec3::zeros(); count], face_offsets: vec![0], ..Mesh::default() })
            }
            (None, None) => {
                let message =
                    "nothing tells how many vertices there are: feed the mesh or the points from a file";
                Err(Error::new(Kind::MissingInput, message))
            }
        }
    }
}

/// Everything that feeds a node. What holds for all frames is set at once; the rest is returned.
pub(super) fn feed(
    file: &SceneFile,
    element: &NodeElement,
    node: &mut Instance,
    before: &[Member],
    fps: Real,
) -> Result<(Vec<(&'static Port, Feed)>, Fed)> {
    refuse_others(file, element)?;
    let ports = node.descriptor().ports;
    let mut inputs: Vec<(&InputElement, &'static Port)> = Vec::new();
    for input in &element.inputs {
        let port = find_port(ports, &input.port).and_then(|port| {
            match inputs.iter().any(|(_, p)| p.id == port.id) {
                true => Err(Error::new(Kind::InvalidArgument, format!("the input {} is fed twice", port.id))),
                false => Ok(port),
            }
        });
        inputs.push((input, port.map_err(|e| file.place(e, "input", input.line))?));
    }
    // Maps and weights are read for the geometry, so that comes first.
    inputs.sort_by_key(|(_, port)| rank(port));
    let mut feeding =
        Feeding { file, node, before, fps, fed: Fed::default(), feeds: Vec::new(), set: Vec::new() };
    for (input, port) in inputs {
        feeding.input(input, port).map_err(|e| file.place(e, "input", input.line))?;
    }
    let Feeding { fed, feeds, set, .. } = feeding;
    let is_fed = |port: &Port| set.contains(&port.id) || feeds.iter().any(|(p, _)| p.id == port.id);
    let inputs = ports.iter().filter(|port| port.direction == Direction::Input);
    match inputs.filter(|port| port.required).find(|port| !is_fed(port)) {
        Some(port) => {
            let message = format!("nothing feeds the input {0}: <input port=\"{0}\" .../> does", port.id);
            Err(file.place(Error::new(Kind::MissingInput, message), "node", element.line))
        }
        None => Ok((feeds, fed)),
    }
}

/// Elements of scenes with one node have no meaning in a graph.
fn refuse_others(file: &SceneFile, element: &NodeElement) -> Result<()> {
    let others = [
        ("mesh", element.mesh.as_ref().map(|e| e.line)),
        ("body", element.body.as_ref().map(|e| e.line)),
        ("subdivide", element.subdivide.as_ref().map(|e| e.line)),
        ("joints", element.joints.as_ref().map(|e| e.line)),
        ("weights", element.weights.as_ref().map(|e| e.line)),
        ("map", element.maps.first().map(|e| e.line)),
        ("rows", element.rows.as_ref().map(|e| e.line)),
        ("output", element.output.as_ref().map(|e| e.line)),
        ("results", element.results.as_ref().map(|e| e.line)),
    ];
    match others.into_iter().find_map(|(name, line)| Some((name, line?))) {
        Some((name, line)) => {
            let message =
                format!("<{name}> is for scenes without <outputs>; in a graph <input> feeds a node");
            Err(file.place(Error::new(Kind::InvalidArgument, message), name, line))
        }
        None => Ok(()),
    }
}

fn find_port(ports: &'static [Port], id: &str) -> Result<&'static Port> {
    let inputs = || ports.iter().filter(|port| port.direction == Direction::Input);
    inputs().find(|port| port.id == id).ok_or_else(|| {
        let ids: Vec<&str> = inputs().map(|port| port.id).collect();
        Error::new(Kind::NotFound, format!("no input {id:?}; there are {}", ids.join(", ")))
    })
}

fn rank(port: &Port) -> u8 {
    match (port.kind, port.quantity, port.domain) {
        (PortKind::Mesh, ..) => 0,
        (_, Quantity::Position, Domain::Vertex) | (_, Quantity::Transform, _) => 1,
        _ => 2,
    }
}

/// A node while its inputs are fed.
struct Feeding<'a> {
    file: &'a SceneFile,
    node: &'a mut Instance,
    before: &'a [Member],
    fps: Real,
    fed: Fed,
    feeds: Vec<(&'static Port, Feed)>,
    /// The inputs that are set for good.
    set: Vec<&'static str>,
}

impl Feeding<'_> {
    fn input(&mut self, input: &InputElement, port: &'static Port) -> Result<()> {
        match (&input.file, &input.from, &input.value) {
            (Some(path), None, None) => {
                let path = Path::new(path);
                self.file(port, path, input.frame).map_err(|e| e.file(path))
            }
            (None, Some(from), None) => self.wire(port, from),
            (None, None, Some(value)) => self.value(port, value),
            _ => Err(Error::new(Kind::InvalidArgument, "one of file, from and value is expected")),
        }
    }

    fn set(&mut self, port: &'static Port, values: Vec<Real>) -> Result<()> {
        set(self.node, port, &values)?;
        self.set.push(port.id);
        if port.quantity == Quantity::Position {
            self.fed.inputs.insert(port.id, values);
        }
        Ok(())
    }

    fn wire(&mut self, port: &'static Port, from: &str) -> Result<()> {
        let wire = Wire::parse(from, self.before)?;
        wire.check(port)?;
        if (port.domain, wire.port.domain) == (Domain::Vertex, Domain::Vertex) {
            let feeder = &self.before[wire.member].fed;
            self.fed.vertices = self.fed.vertices.or(feeder.vertices);
            self.fed.mesh = self.fed.mesh.take().or_else(|| feeder.mesh.clone());
            self.fed.over = self.fed.over.take().or_else(|| feeder.over.clone());
        }
        self.feeds.push((port, Feed::Wire(wire)));
        Ok(())
    }

    fn value(&mut self, port: &'static Port, text: &str) -> Result<()> {
        let components = port.kind.components() as usize;
        let numbers: Option<Vec<Real>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty() && components > 0) else {
            let message = format!("the value is {text:?}; numbers with spaces between are expected");
            return Err(Error::new(Kind::Parse, message));
        };
        let one_for_all = port.domain == Domain::Vertex && numbers.len() == components;
        let count = if one_for_all { self.fed.geometry()?.positions.len() } else { 1 };
        self.set(port, numbers.repeat(count))
    }

    fn file(&mut self, port: &'static Port, path: &Path, frame: Option<OneFrame>) -> Result<()> {
        let format = Format::of(path)?;
        match (port.kind, port.quantity, port.domain) {
            (PortKind::Mesh, ..) => self.mesh(port, path),
            (_, Quantity::Transform, _) => self.joints(port, path, frame),
            (_, Quantity::Position, _) if format.row().shot.is_some() => self.points(port, path, frame),
            _ if format == Format::Csv => self.table(port, path),
            (_, _, Domain::Vertex) => self.map(port, path),
            _ => {
                let message = format!("{} does not fit the input {}; CSV does", format.row().title, port.id);
                Err(Error::new(Kind::Unsupported, message))
            }
        }
    }

    fn mesh(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let mesh::MeshFile { mesh, space } = mesh::read(path)?;
        if self.file.scene.space.is_none()
            && let Some(space) = space?.filter(|space| *space != Space::default())
        {
            let message = format!(
                "the file is in another space: <space metres_per_unit=\"{}\" up=\"{:?}\"/> in the scene says for all files \
                 which one holds",
                space.metres_per_unit(),
                space.up()
            );
            return Err(Error::new(
                Kind::InvalidArgument,
                message.replace("\"Y\"", "\"y\"").replace("\"Z\"", "\"z\""),
            ));
        }
        self.node.set_mesh(port.id, mesh.clone())?;
        self.set.push(port.id);
        self.fed.vertices = Some(mesh.positions.len());
        self.fed.mesh = Some(mesh);
        Ok(())
    }

    fn points(&mut self, port: &'static Port, path: &Path, frame: Option<OneFrame>) -> Result<()> {
        if Format::of(path)? == Format::Obj && Pattern::parse(path)?.is_none() {
            let mesh = mesh::read(path)?.mesh;
            let points = of_points(&mesh.positions);
            self.know(port, mesh.positions.len(), Some(mesh));
            return self.set(port, points);
        }
        let mut source = PointSource::open(path, self.fps)?;
        if port.domain == Domain::Vertex && self.fed.over.is_none() {
            self.fed.over = source.over()?;
        }
        self.know(port, source.point_count(), source.mesh().cloned());
        let one = match frame {
            Some(OneFrame::Number(number)) => Some(find_frames(&source, &[number], path)?[0]),
            Some(OneFrame::Rest) => {
                return Err(Error::new(Kind::InvalidArgument, "points have no rest pose: name a frame"));
            }
            None => (source.frames().len() == 1).then_some(0),
        };
        match one {
            Some(index) => self.set(port, of_points(&source.read(index)?)),
            None => {
                let (source, path) = (Box::new(source), path.to_path_buf());
                self.feeds.push((port, Feed::Points { source, samples: Vec::new(), path }));
                Ok(())
            }
        }
    }

    /// Takes up what points tell of the geometry.
    fn know(&mut self, port: &Port, vertices: usize, mesh: Option<Mesh>) {
        if port.domain == Domain::Vertex {
            self.fed.vertices = self.fed.vertices.or(Some(vertices));
            self.fed.mesh = self.fed.mesh.take().or(mesh);
        }
    }

    fn joints(&mut self, port: &'static Port, path: &Path, frame: Option<OneFrame>) -> Result<()> {
        let animation = joints::read(path)?;
        self.fed.joints.get_or_insert(animation.names);
        let one = match frame {
            Some(OneFrame::Rest) => Some(animation.rest),
            Some(OneFrame::Number(number)) => {
                Some(animation.frames.get(&number).cloned().ok_or_else(|| {
                    Error::new(Kind::MissingFile, "the joints have no such frame").frame(number)
                })?)
            }
            None => None,
        };
        if let Some(pose) = one {
            return self.set(port, of_matrices(&pose));
        }
        let frames = animation.frames.iter().map(|(frame, pose)| (*frame, of_matrices(pose))).collect();
        self.feeds.push((port, Feed::Table { frames, path: path.to_path_buf() }));
        Ok(())
    }

    /// Weights, constraints, maps and plain numbers are told apart by what stands in the file.
    fn table(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let text = read_text(path)?;
        match first_row(&text).as_slice() {
            ["vertex", "joint", "weight"] => self.weights(path),
            ["row", "vertex", ..] => self.rows(port, path),
            ["frame", ..] => self.numbers(port, path),
            _ if port.domain == Domain::Vertex => self.map(port, path),
            _ => self.numbers(port, path),
        }
    }

    fn numbers(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        match table::read(path)? {
            Table::Still(values) => self.set(port, values),
            Table::Moving(frames) => {
                self.feeds.push((port, Feed::Table { frames, path: path.to_path_buf() }));
                Ok(())
            }
        }
    }

    fn map(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let map = map::read(path, &self.fed.geometry()?)?;
        let (given, taken) = (map.components, port.kind.components() as usize);
        if given != taken {
            let message = format!("{given} numbers per vertex; the input {} takes {taken}", port.id);
            return Err(Error::new(Kind::WrongType, message));
        }
        self.set(port, map.values)
    }

    /// A table of weights fills all inputs with an item per influence, and the one that counts these for each vertex.
    fn weights(&mut self, path: &Path) -> Result<()> {
        let vertices = self.fed.geometry()?.positions.len();
        let names = self.fed.joints.clone().ok_or_else(|| {
            let message = "nothing tells what joints are called: feed the joints from a file";
            Error::new(Kind::MissingInput, message)
        })?;
        let all = weights::read(path, vertices, &names)?.0;
        let inputs = self.node.descriptor().ports.iter().filter(|port| port.direction == Direction::Input);
        for port in inputs {
            let values: Vec<Real> = match (port.domain, port.kind, port.quantity) {
                (Domain::Influence, _, Quantity::Index) => {
                    all.iter().flatten().map(|(joint, _)| Real::from(*joint)).collect()
                }
                (Domain::Influence, ..) => all.iter().flatten().map(|(_, weight)| *weight).collect(),
                (Domain::Vertex, PortKind::Ints { .. }, _) => all.iter().map(|of| of.len() as Real).collect(),
                _ => continue,
            };
            self.set(port, values)?;
        }
        Ok(())
    }

    /// A table of constraints fills all inputs with an item per row or per entry of one.
    fn rows(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let rows = rows::read(path)?;
        let word = |port: &Port| port.items.split(' ').next().unwrap_or_default().to_string();
        let own = word(port);
        let inputs = self.node.descriptor().ports.iter().filter(|port| port.direction == Direction::Input);
        for port in inputs.filter(|port| !own.is_empty() && word(port) == own) {
            let values = match port.kind {
                PortKind::Ints { .. } => rows.entries.iter().map(|entry| Real::from(*entry)).collect(),
                PortKind::Reals { components: 3 } => rows.vectors.clone(),
                _ => rows.speeds.clone(),
            };
            self.set(port, values)?;
        }
        match self.set.contains(&port.id) {
            true => Ok(()),
            false => {
                let message = format!("a table of constraints does not fit the input {}", port.id);
                Err(Error::new(Kind::WrongType, message))
            }
        }
    }
}

/// Gives numbers to an input, whole ones where it takes whole ones.
pub(super) fn set(node: &mut Instance, port: &Port, values: &[Real]) -> Result<()> {
    let components = port.kind.components();
    if !values.len().is_multiple_of(components.max(1) as usize) {
        let message = format!("{} numbers, {components} per item", values.len());
        return Err(Error::new(Kind::CountMismatch, message).port(port.id));
    }
    if matches!(port.kind, PortKind::Reals { .. }) {
        return node.set_array(port.id, &ArrayView::from_slice(values, components)?);
    }
    let whole = |value: &Real| {
        let sound = value.fract() == 0.0 && (0.0..=Real::from(u32::MAX)).contains(value);
        sound.then_some(*value as u32)
    };
    let Some(values) = values.iter().map(whole).collect::<Option<Vec<u32>>>() else {
        return Err(Error::new(Kind::OutOfRange, "whole numbers from 0 are expected").port(port.id));
    };
    node.set_array(port.id, &ArrayView::from_slice(&values, components)?)
}
