//! Binds files, wires and values to the inputs of a node, by what the inputs are.

use super::super::scene_file::SceneFile;
use super::super::store::arrays::{of_matrices, of_points};
use super::feed::{Fed, Feed, Ground, MovingPoints, extent, other_face};
use super::given::{self, Given, is_weight};
use super::surface::Surface;
use super::wire::Wire;
use super::{Bound, Declared, Member};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::document::Document;
use sinew_formats::joints::{self, at_frame};
use sinew_formats::points::{PointSource, find_frames};
use sinew_formats::sequence::Pattern;
use sinew_formats::table::Table;
use sinew_formats::weights::Carrier;
use sinew_formats::{Format, first_row, map, mesh, read_text, rows, table, weights};
use sinew_geometry::Mesh;
use sinew_math::{Real, Space, Vec3};
use sinew_nodes::{ArrayView, BODY, Direction, Domain, Instance, Port, PortKind, Quantity};
use sinew_scene::muscles::Readable;
use sinew_scene::{InputElement, NodeElement, OneFrame, SubdivideElement};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// Binds the sources of a node. Constant inputs are set at once; the rest is returned. `space` is set from the first
/// file that specifies one, unless the scene does.
pub(super) fn bind(
    file: &SceneFile,
    element: &NodeElement,
    node: &mut Instance,
    before: &[Member],
    fps: Real,
    space: &mut Option<Space>,
) -> Result<(Vec<Bound>, Fed)> {
    let ports = node.descriptor().ports;
    let mut inputs = given::inputs(file, element, ports)?;
    // Whatever else is wrong, without the geometry nothing is right.
    let is_given = |port: &Port| inputs.iter().any(|given| given.port.id == port.id);
    let lacks = |port: &&Port| {
        port.direction == Direction::Input && port.required && rank(port) < 2 && !is_given(port)
    };
    if let Some(port) = ports.iter().find(lacks) {
        return Err(given::missing(file, element, port, ports));
    }
    // Maps and weights are read for the geometry, so that comes first.
    inputs.sort_by_key(|given| rank(given.port));
    let subdivide = element.subdivide.as_ref();
    let (fed, feeds, set) = (Fed::default(), Vec::new(), Vec::new());
    let mut feeding = Feeding { file, node, before, fps, space, subdivide, fed, feeds, set };
    for Given { input, port } in &inputs {
        let place = Declared::new(file, input.line, "input");
        match feeding.input(input, port) {
            Ok(Some(feed)) => feeding.feeds.push(Bound { port, feed, place }),
            Ok(None) => {
                if let (PortKind::Mesh, Some(path)) = (port.kind, &input.file) {
                    feeding.fed.ground_mut(port.domain).mesh_file = Some((path.into(), place));
                }
            }
            Err(error) => return Err(place.put(error)),
        }
    }
    let Feeding { fed, feeds, set, .. } = feeding;
    let is_fed = |port: &Port| set.contains(&port.id) || feeds.iter().any(|bound| bound.port.id == port.id);
    let inputs = ports.iter().filter(|port| port.direction == Direction::Input);
    match inputs.filter(|port| port.required).find(|port| !is_fed(port)) {
        Some(port) => Err(given::missing(file, element, port, ports)),
        None => Ok((feeds, fed)),
    }
}

fn rank(port: &Port) -> u8 {
    match (port.kind, port.quantity, port.domain) {
        (PortKind::Mesh, ..) => 0,
        (_, Quantity::Position, Domain::Vertex(_)) | (_, Quantity::Transform, _) => 1,
        _ => 2,
    }
}

/// A node while its inputs are bound.
struct Feeding<'a> {
    file: &'a SceneFile,
    node: &'a mut Instance,
    before: &'a [Member],
    fps: Real,
    space: &'a mut Option<Space>,
    subdivide: Option<&'a SubdivideElement>,
    fed: Fed,
    feeds: Vec<Bound>,
    /// The inputs that are set permanently.
    set: Vec<&'static str>,
}

impl Feeding<'_> {
    fn input(&mut self, input: &InputElement, port: &'static Port) -> Result<Option<Feed>> {
        match (&input.file, &input.from, &input.value) {
            (Some(path), None, None) => {
                let path = Path::new(path);
                self.file(port, path, input.frame).map_err(|e| e.file(path))
            }
            (None, Some(from), None) => self.wire(port, from),
            (None, None, Some(value)) => self.value(port, value).map(|()| None),
            _ => Err(Error::new(Kind::InvalidArgument, "one of file, from and value is expected")),
        }
    }

    fn set(&mut self, port: &'static Port, values: Vec<Real>) -> Result<()> {
        set(self.node, port, &values)?;
        self.set.push(port.id);
        if port.quantity == Quantity::Position {
            self.fed.inputs.insert(port.id, Arc::new(values));
        }
        Ok(())
    }

    fn wire(&mut self, port: &'static Port, from: &str) -> Result<Option<Feed>> {
        let wire = Wire::parse(from, self.before)?;
        wire.check(port)?;
        let feeder = self.before[wire.member].fed.ground(wire.port.domain);
        if let (true, true, Some(feeder)) = (port.domain.is_vertex(), wire.port.domain.is_vertex(), feeder) {
            let own = self.fed.ground_mut(port.domain);
            own.know(feeder.vertices, || feeder.mesh.clone());
            own.over = own.over.take().or_else(|| feeder.over.clone());
            own.at_rest = own.at_rest.take().or_else(|| feeder.at_rest.clone());
        }
        Ok(Some(Feed::Wire(wire)))
    }

    fn value(&mut self, port: &'static Port, text: &str) -> Result<()> {
        let components = port.kind.components() as usize;
        let numbers: Option<Vec<Real>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty() && components > 0) else {
            let message = format!("the value is {text:?}; numbers separated by spaces are expected");
            return Err(Error::new(Kind::Parse, message));
        };
        let one_for_all = port.domain.is_vertex() && numbers.len() == components;
        if one_for_all {
            return self.on_vertices(port, numbers.repeat(self.fed.geometry(port.domain)?.positions.len()));
        }
        self.set(port, numbers)
    }

    fn file(&mut self, port: &'static Port, path: &Path, frame: Option<OneFrame>) -> Result<Option<Feed>> {
        let format = Format::of(path)?;
        match (port.kind, port.quantity, port.domain) {
            (PortKind::Mesh, ..) => self.mesh(port, path).map(|()| None),
            (_, Quantity::Transform, _) => self.joints(port, path, frame),
            (_, Quantity::Position, _) if format.row().read.points.is_some() => {
                self.points(port, path, frame)
            }
            _ if format == Format::Csv => self.table(port, path),
            _ if is_weight(port) && format.row().read.weights.is_some() => {
                self.weights(port, path).map(|()| None)
            }
            (_, _, Domain::Vertex(_)) => self.map(port, path).map(|()| None),
            _ => {
                let message = format!("{} does not fit the input {}; CSV does", format.row().title, port.id);
                Err(Error::new(Kind::Unsupported, message))
            }
        }
    }

    fn mesh(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let mesh::MeshFile { mesh, space, over } = mesh::read(path)?;
        if self.file.scene.space.is_none()
            && let Some(space) = space?
        {
            self.agree(space)?;
        }
        let subdivide = self.subdivide.filter(|_| !port.domain.is_beside());
        let surface = Surface::new(self.file, subdivide, &mesh)?;
        let ground = self.fed.ground_mut(port.domain);
        (ground.vertices, ground.at_rest) = (Some(mesh.positions.len()), over);
        let mesh = match surface.is_given() {
            true => mesh,
            false => surface.mesh(ground.cage.insert(Arc::new(mesh)))?,
        };
        (ground.mesh, ground.surface) = (Some(Arc::new(mesh.clone())), Arc::new(surface));
        self.node.set_mesh(port.id, mesh)?;
        self.set.push(port.id);
        Ok(())
    }

    /// All files of a job share one space. Nothing of the first node was set yet; its mesh comes first.
    fn agree(&mut self, space: Space) -> Result<()> {
        let known = *self.space;
        match known {
            None if self.before.is_empty() || space == Space::default() => self.node.set_space(space),
            Some(known) if known == space => {}
            _ => {
                let up = format!("{:?}", space.up()).to_lowercase();
                let message = format!(
                    "the file is in another space: <space metres_per_unit=\"{}\" up=\"{up}\"/> in the scene sets the \
                     space of all files",
                    space.metres_per_unit()
                );
                return Err(Error::new(Kind::InvalidArgument, message));
            }
        }
        *self.space = Some(space);
        Ok(())
    }

    /// Points at rest hold in all frames, even if their file has only one; others move.
    fn points(&mut self, port: &'static Port, path: &Path, frame: Option<OneFrame>) -> Result<Option<Feed>> {
        if port.domain.is_vertex() && !port.at_rest && frame.is_none() {
            return self.moving_points(port, path);
        }
        let format = Format::of(path)?;
        // A file with a mesh and its joints has the mesh unposed.
        let unposed = frame == Some(OneFrame::Rest) && format.row().read.joints.is_some();
        if unposed || format == Format::Obj && Pattern::parse(path)?.is_none() {
            let mesh::MeshFile { mesh, over, .. } = mesh::read(path)?;
            let points = mesh.positions.clone();
            if port.domain.is_vertex() {
                let ground = self.fed.ground_mut(port.domain);
                ground.at_rest = ground.at_rest.take().or(over);
            }
            self.know_mesh(port, points.len(), Some(&mesh));
            return self.set_points(port, points).map(|()| None);
        }
        let mut source = PointSource::open(path, self.fps)?;
        let one = match frame {
            Some(OneFrame::Number(number)) => {
                source.hold(&[number]);
                find_frames(&source, &[number], path)?[0]
            }
            Some(OneFrame::Rest) => {
                return Err(Error::new(Kind::InvalidArgument, "points have no rest pose: name a frame"));
            }
            None if source.frames().len() == 1 => 0,
            None => return self.moving_points(port, path),
        };
        self.know(port, &source);
        let points = source.read(one)?;
        self.set_points(port, points).map(|()| None)
    }

    fn moving_points(&mut self, port: &'static Port, path: &Path) -> Result<Option<Feed>> {
        let mut source = PointSource::open(path, self.fps)?;
        self.check_count(port, source.point_count())?;
        if port.is_before_bones() {
            source.leave_bones_out();
        } else {
            self.know(port, &source);
        }
        let ground = self.ground_of_points(port);
        let rest = ground.and_then(|ground| ground.cage.as_ref().or(ground.mesh.as_ref()));
        let extent = rest.map_or(0.0, |rest| extent(&rest.positions));
        let other_face = rest.zip(source.mesh()).and_then(|(rest, body)| other_face(body, rest));
        let (path, samples) = (path.to_path_buf(), Vec::new());
        let points =
            MovingPoints { source, path, samples, extent, other_face, known: VecDeque::new(), kept: 0 };
        Ok(Some(Feed::Points(Box::new(points))))
    }

    /// What is known about the mesh of an input with an item per vertex.
    fn ground_of_points(&self, port: &Port) -> Option<&Ground> {
        self.fed.ground(port.domain).filter(|_| port.domain.is_vertex())
    }

    fn set_points(&mut self, port: &'static Port, points: Vec<Vec3>) -> Result<()> {
        let values = self.fed.on_surface(port, Arc::new(of_points(points)))?;
        self.set(port, Arc::unwrap_or_clone(values))
    }

    fn check_count(&self, port: &Port, given: usize) -> Result<()> {
        match self.ground_of_points(port).and_then(|ground| ground.vertices) {
            Some(expected) if expected != given => {
                let message = format!("the body has {given} vertices, the mesh at rest {expected}");
                Err(Error::new(Kind::CountMismatch, message))
            }
            _ => Ok(()),
        }
    }

    /// Records what moving points tell about the geometry.
    fn know(&mut self, port: &Port, source: &PointSource) {
        if port.domain.is_vertex() {
            self.fed.ground_mut(port.domain).know_layer(source);
        }
        self.know_mesh(port, source.point_count(), source.mesh());
    }

    fn know_mesh(&mut self, port: &Port, vertices: usize, mesh: Option<&Mesh>) {
        if port.domain.is_vertex() {
            let mesh = || mesh.map(|mesh| Arc::new(mesh.clone()));
            self.fed.ground_mut(port.domain).know(Some(vertices), mesh);
        }
    }

    fn joints(&mut self, port: &'static Port, path: &Path, frame: Option<OneFrame>) -> Result<Option<Feed>> {
        let file = joints::read_at(path, self.fps)?;
        let sparse = file.sparse(self.fps);
        let animation = file.at_rate(self.fps).map_err(|e| e.file(path))?;
        self.fed.joints.get_or_insert(animation.names);
        let one = match frame.or(port.at_rest.then_some(OneFrame::Rest)) {
            Some(OneFrame::Rest) => Some(animation.rest),
            Some(OneFrame::Number(number)) => {
                Some(at_frame(&animation.frames, animation.held, number).cloned().ok_or_else(|| {
                    let why = sparse.as_ref().map_or_else(String::new, |sparse| format!(": {sparse}"));
                    Error::new(Kind::MissingFile, format!("the joints have no such frame{why}")).frame(number)
                })?)
            }
            None => None,
        };
        if let Some(pose) = one {
            return self.set(port, of_matrices(&pose)).map(|()| None);
        }
        let frames =
            animation.frames.iter().map(|(frame, pose)| (*frame, Arc::new(of_matrices(pose)))).collect();
        Ok(Some(Feed::Table { frames, path: path.to_path_buf(), held: animation.held, sparse }))
    }

    /// Distinguishes weights, constraints, maps and plain numbers by the file's contents and by what the input takes.
    fn table(&mut self, port: &'static Port, path: &Path) -> Result<Option<Feed>> {
        let text = read_text(path)?;
        let row = first_row(&text);
        match row.as_slice() {
            ["vertex", "joint", "weight"] => self.weights(port, path).map(|()| None),
            ["vertex", "muscle", "weight"] => self.muscle_weights(port, path).map(|()| None),
            ["row", "vertex", ..] => self.rows(port, path).map(|()| None),
            ["frame", "muscle", _] if port.items == "muscle" && port.kind.components() == 1 => {
                let (names, places) = self.muscle_names()?;
                let mut frames = table::named(&text, &names).map_err(|e| e.file(path))?;
                let count = places.iter().max().map_or(0, |last| *last as usize + 1);
                frames.values_mut().for_each(|values| values.truncate(count));
                let frames = frames.into_iter().map(|(frame, values)| (frame, Arc::new(values))).collect();
                Ok(Some(Feed::Table { frames, path: path.to_path_buf(), held: false, sparse: None }))
            }
            ["frame", ..] => self.numbers(port, path),
            _ if port.domain.is_vertex() => self.map(port, path).map(|()| None),
            // Without a header, or with another one: their readers say what is wrong.
            [_, _, ..] if is_weight(port) => self.weights(port, path).map(|()| None),
            _ if port.items == "row entry" && matches!(port.kind, PortKind::Ints { .. }) => {
                self.rows(port, path).map(|()| None)
            }
            _ => self.numbers(port, path),
        }
    }

    fn numbers(&mut self, port: &'static Port, path: &Path) -> Result<Option<Feed>> {
        match table::read(path)? {
            Table::Still(values) => self.set(port, values).map(|()| None),
            Table::Moving(frames) => {
                let frames = frames.into_iter().map(|(frame, values)| (frame, Arc::new(values))).collect();
                Ok(Some(Feed::Table { frames, path: path.to_path_buf(), held: false, sparse: None }))
            }
        }
    }

    fn map(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let geometry = self.fed.geometry(port.domain)?;
        let map = map::read(path, &geometry)?;
        let (given, taken) = (map.components, port.kind.components() as usize);
        if given != taken {
            let message = format!("{given} numbers per vertex; the input {} takes {taken}", port.id);
            return Err(Error::new(Kind::WrongType, message));
        }
        self.on_vertices(port, map.values)
    }

    /// Sets a map of the original vertices, interpolated as smoothly as the surface.
    fn on_vertices(&mut self, port: &'static Port, values: Vec<Real>) -> Result<()> {
        let components = port.kind.components() as usize;
        let surface = self.fed.ground_mut(port.domain).surface.clone();
        let map = surface.map(map::VertexMap { components, values })?;
        self.set(port, map.values)
    }

    /// Refuses inputs that refer to vertices by index, if those are not on the surface.
    fn check_given(&self, domain: Domain, what: &str) -> Result<()> {
        match self.fed.is_given(domain) {
            true => Ok(()),
            false => {
                let message = format!(
                    "{what} refer to vertices of the cage, which <subdivide> replaces by those of its limit surface"
                );
                Err(Error::new(Kind::Unsupported, message))
            }
        }
    }

    /// A table of weights fills all inputs with an item per influence, and the one with the count per vertex.
    fn weights(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        let domain = Domain::Vertex(port.domain.mesh().unwrap_or(BODY));
        self.check_given(domain, "weights")?;
        let vertices = self.fed.geometry(domain)?.positions.len();
        let names = self.fed.joints.clone().ok_or_else(|| {
            let message = "the names of the joints are unknown: feed the joints from a file";
            Error::new(Kind::MissingInput, message)
        })?;
        let all = weights::read(path, vertices, Carrier::Joint, &names)?.0;
        let inputs = self
            .node
            .descriptor()
            .ports
            .iter()
            .filter(|input| input.direction == Direction::Input && input.domain.mesh() == domain.mesh());
        for input in inputs {
            let values: Vec<Real> = match (input.domain, input.kind, input.quantity) {
                (Domain::Influence(_), _, Quantity::Index) => {
                    all.iter().flatten().map(|(joint, _)| Real::from(*joint)).collect()
                }
                (Domain::Influence(_), ..) => all.iter().flatten().map(|(_, weight)| *weight).collect(),
                (Domain::Vertex(_), PortKind::Ints { .. }, _) => {
                    all.iter().map(|of| of.len() as Real).collect()
                }
                _ => continue,
            };
            self.set(input, values)?;
        }
        self.fits(port, "weights of joints")
    }

    /// Whether a table that has just been read was one for this port.
    fn fits(&self, port: &Port, what: &str) -> Result<()> {
        if self.set.contains(&port.id) {
            return Ok(());
        }
        Err(Error::new(Kind::WrongType, format!("a table of {what} does not fit the input {}", port.id)))
    }

    /// A table of muscles' weights fills all inputs about painted weights.
    fn muscle_weights(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        self.check_given(Domain::ON_BODY, "weights")?;
        let vertices = self.fed.geometry(Domain::ON_BODY)?.positions.len();
        let (names, places) = self.muscle_names()?;
        let all = weights::read(path, vertices, Carrier::Muscle, &names)?.0;
        self.together(port, "weights of muscles", |port| match (port.kind, port.quantity) {
            (PortKind::Ints { .. }, Quantity::Index) => {
                all.iter().flatten().map(|(muscle, _)| Real::from(places[*muscle as usize])).collect()
            }
            (PortKind::Ints { .. }, _) => all.iter().map(|of| of.len() as Real).collect(),
            _ => all.iter().flatten().map(|(_, weight)| *weight).collect(),
        })
    }

    /// The names of the node's muscles, then those of muscles that are left out because the count of their sheet is
    /// unknown; and the place of each among the muscles.
    fn muscle_names(&mut self) -> Result<(Vec<String>, Vec<u32>)> {
        if self.node.descriptor().param_index("muscles").is_none() {
            // Muscles that are part of something else, of which the node makes a model.
            self.node.ready()?;
            let names = self.node.item_names();
            let known = names.iter().find(|(kind, _)| *kind == "muscles");
            let names = known.map(|(_, names)| names.clone()).unwrap_or_default();
            let places = (0..names.len() as u32).collect();
            return Ok((names, places));
        }
        let set = Document::new(&self.node.param_text("muscles")?);
        if set.is_empty() {
            let message = "the names of the muscles are unknown: set the parameter muscles to a muscle set";
            return Err(Error::new(Kind::MissingInput, message));
        }
        let readable =
            set.tree().and_then(|tree| Readable::new(&tree)).map_err(|e| set.place(e).param("muscles"))?;
        let names = readable.set().muscle_names();
        let named = names.into_iter().enumerate().map(|(place, name)| (name, place));
        let all = named.chain(readable.unknown_strips());
        Ok(all.map(|(name, place)| (name, place as u32)).unzip())
    }

    /// A table of constraints fills all inputs with an item per row or per row entry.
    fn rows(&mut self, port: &'static Port, path: &Path) -> Result<()> {
        self.check_given(Domain::ON_BODY, "rows")?;
        let rows = rows::read(path)?;
        self.together(port, "constraints", |port| match port.kind {
            PortKind::Ints { .. } => rows.entries.iter().map(|entry| Real::from(*entry)).collect(),
            PortKind::Reals { components: 3 } => rows.vectors.clone(),
            _ => rows.speeds.clone(),
        })
    }

    /// Sets the inputs that belong together with a port, those whose items begin with the same word, from one table.
    fn together(
        &mut self,
        port: &'static Port,
        what: &str,
        values: impl Fn(&Port) -> Vec<Real>,
    ) -> Result<()> {
        let word = |port: &Port| port.items.split(' ').next().unwrap_or_default().to_string();
        let own = word(port);
        let inputs = self.node.descriptor().ports.iter().filter(|port| port.direction == Direction::Input);
        for port in inputs.filter(|port| !own.is_empty() && word(port) == own) {
            self.set(port, values(port))?;
        }
        self.fits(port, what)
    }
}

/// Sets the numbers of an input, as integers if it takes integers.
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
