//! A graph of nodes, ready to run: every input found and read, the nodes in the order in which they step.
//!
//! No node is known by name here. What may feed an input depends on its kind, quantity and domain ([`bind`]).

mod asked;
mod between;
mod bind;
mod feed;
mod foreseen;
mod given;
mod order;
mod params;
pub(super) mod samples;
mod surface;
mod wire;

use super::scene_file::SceneFile;
use super::store::arrays::of_points;
use super::store::record::{FrameRecord, Numbers};
use between::SampleTime;
use bind::{bind, set};
use feed::{Fed, Feed};
use params::MovingParam;
use samples::Samples;
use serde_json::{Map, Value, json};
use sinew_base::bytes::{Reader, put_counted};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::rate;
use sinew_math::{Real, Space};
use sinew_nodes::{BODY, Direction, Instance, Order, Port, Report};
use sinew_scene::frames::format_frames;
use sinew_scene::muscles::join_names;
use sinew_scene::schema::Line;
use sinew_scene::{Broken, NodeElement};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
pub(super) use wire::Wire;

/// Nodes in the order in which they step.
pub struct Graph {
    members: Vec<Member>,
    frames: Vec<i64>,
    fps: Real,
    samples: Samples,
    space: Space,
    broken: Broken,
    /// The node whose figures are reported as the frame's own.
    front: Option<usize>,
    /// The ports that frames record for the sinks.
    wanted: Vec<Wire>,
    /// The result of the last frame.
    last: Option<FrameRecord>,
    /// A state was loaded whose last frame is unknown.
    resumed: bool,
    warnings: Vec<String>,
}

/// A node of the graph.
pub(super) struct Member {
    name: String,
    node: Instance,
    /// The sources of its inputs in every frame.
    feeds: Vec<Bound>,
    /// Parameters that change.
    params: Vec<MovingParam>,
    /// What is known about its geometry.
    fed: Fed,
    place: Declared,
}

/// What nodes report about a frame.
#[derive(Default)]
struct Notes {
    warnings: Vec<String>,
    /// Those that make the frame wrong.
    wrong: Vec<String>,
    milliseconds: BTreeMap<String, f64>,
}

/// An input and its source.
struct Bound {
    port: &'static Port,
    feed: Feed,
    /// The element that says so.
    place: Declared,
}

/// Where a scene declares something: file, line and element; no file for what comes from the command line.
#[derive(Clone)]
struct Declared {
    file: Option<PathBuf>,
    line: u64,
    element: String,
}

impl Declared {
    fn new(file: &SceneFile, line: Line, element: &str) -> Self {
        Declared { file: file.path.clone().filter(|_| line.0 > 0), line: line.0, element: element.into() }
    }

    /// Attaches the place to an error.
    fn put(&self, error: Error) -> Error {
        match &self.file {
            Some(file) => error.inside(file, self.line, &self.element),
            None => error,
        }
    }
}

impl Member {
    /// A warning where blend shapes of a file count as bones, though the node can tell them apart.
    fn shapes_as_bones(&self) -> Option<String> {
        let before = self.node.descriptor().ports.iter().find(|port| port.is_before_bones())?;
        let is_fed = self.feeds.iter().any(|bound| bound.port.id == before.id);
        let file =
            self.feeds.iter().filter(|bound| !bound.port.is_before_bones()).find_map(|b| b.feed.acting())?;
        (!is_fed).then(|| {
            format!(
                "{}: its blend shapes count as moved by bones, so that the skin slides over them: give the file to the \
                 input {} as well",
                file.display(),
                before.id
            )
        })
    }
}

impl Graph {
    /// Reads the sources of the nodes.
    pub fn new(file: &SceneFile) -> Result<Self> {
        // Of several moving files the first determines the rate; the others must fit.
        let said = || file.moving_paths().find_map(|path| rate::of_file(path.as_ref()));
        let fps = match file.fps()? {
            // By 23.976 people mean 24000/1001.
            Some(given) => said().filter(|said| *said == rate::exact(given)).unwrap_or(given),
            None => said().unwrap_or(rate::USUAL),
        };
        let scene = &file.scene;
        let mut space = file.space()?;
        let mut members: Vec<Member> = Vec::new();
        for k in order::sorted(file)? {
            let member = Member::new(file, &scene.nodes[k], &members, fps, &mut space)?;
            members.push(member);
        }
        let frames = frames(file, &members)?;
        let samples = match &scene.frames {
            None => Samples::new(1, &frames),
            Some(e) => Samples::new(e.samples, &frames).map_err(|error| file.place(error, "frames", e.line)),
        };
        let samples = samples?;
        let asked = scene.frames.as_ref().is_some_and(|e| e.range.is_some());
        let mut warnings = Vec::new();
        for member in &mut members {
            for param in &member.params {
                param.find(&frames, &mut member.node)?;
            }
            for bound in &mut member.feeds {
                bound.feed.find(&frames, samples).map_err(|e| bound.place.put(e))?;
                warnings.extend(bound.feed.warnings(asked));
            }
            warnings.extend(member.shapes_as_bones());
        }
        let broken = scene.outputs.as_ref().map_or(Broken::Stop, |outputs| outputs.broken);
        Ok(Graph {
            members,
            frames,
            fps,
            samples,
            space: space.unwrap_or_default(),
            broken,
            front: None,
            wanted: Vec::new(),
            last: None,
            resumed: false,
            warnings,
        })
    }

    /// Steps one node; `at_rest` replaces points that a file moves by the mesh at rest.
    fn step_member(&mut self, k: usize, at: SampleTime, at_rest: bool, control: &Control) -> Result<Report> {
        let (before, rest) = self.members.split_at_mut(k);
        let member = &mut rest[0];
        let mut wanted = Vec::new();
        for Bound { port, feed, .. } in &mut member.feeds {
            let ground = member.fed.ground(port.domain).filter(|_| at_rest);
            let values = match (&mut *feed, ground.and_then(|ground| ground.mesh.as_ref())) {
                (Feed::Points(_), Some(mesh)) if port.domain.is_vertex() => {
                    Arc::new(of_points(mesh.positions.clone()))
                }
                (Feed::Wire(wire), _) => member.fed.on_surface(port, before[wire.member].read(*wire)?)?,
                (feed, _) => member.fed.on_surface(port, feed.at(port, at, &self.frames)?)?,
            };
            set(&mut member.node, port, &values).map_err(|e| e.name_joint(member.fed.joint_names()))?;
            if self.wanted.iter().any(|wire| wire.member == k && wire.is(port)) {
                wanted.push((port.id, values));
            }
        }
        let label = at.label(&self.frames);
        member.params.iter().try_for_each(|param| param.set(label, &mut member.node))?;
        let seconds = at.frame(&self.frames) / self.fps;
        let report = member.node.step(label, seconds, control);
        let report = report.map_err(|e| e.name_joint(member.fed.joint_names()))?;
        member.fed.inputs.extend(wanted);
        Ok(report)
    }

    /// The outputs of the nodes.
    fn outputs(&self) -> Result<Numbers> {
        let outputs = self.wanted.iter().map(|wire| {
            let member = &self.members[wire.member];
            Ok((wire.key(&member.name), member.read(*wire)?))
        });
        outputs.collect()
    }

    /// The result of the frame, what is reported about it, and the results of the samples before it.
    fn frame_record(&self, frame: i64, row: Value, between: Vec<Numbers>) -> Result<FrameRecord> {
        let names = self.members.iter().filter(|member| !member.fed.names.is_null());
        let names: Map<String, Value> = names.map(|m| (m.name.clone(), m.fed.names.clone())).collect();
        Ok(FrameRecord { frame, row, names: names.into(), outputs: self.outputs()?, between })
    }
}

impl Member {
    fn new(
        file: &SceneFile,
        element: &NodeElement,
        before: &[Member],
        fps: Real,
        space: &mut Option<Space>,
    ) -> Result<Self> {
        let mut node = file.instance(element)?;
        node.set_space(space.unwrap_or_default());
        let open = |node: &Instance, id: &str| {
            let given = element.params.iter().any(|param| param.id == id);
            !given && node.descriptor().param_index(id).is_some()
        };
        if open(&node, "fps") {
            node.set_param_text("fps", &fps.to_string())?;
        }
        let place = Declared::new(file, element.line, &format!("node {}", element.called()));
        let params = MovingParam::of(file, element)?;
        let (feeds, fed) = bind(file, element, &mut node, before, fps, space)?;
        if let Some(names) = fed.joints.as_ref().filter(|_| open(&node, "joint_names")) {
            node.set_param_text("joint_names", &join_names(names))?;
        }
        Ok(Member { name: element.called().into(), node, feeds, params, fed, place })
    }

    /// The numbers of a port: an output, or the value of an input.
    fn read(&self, wire: Wire) -> Result<Arc<Vec<Real>>> {
        match wire.port.direction {
            Direction::Output => wire.read(&self.node).map(Arc::new),
            Direction::Input => Ok(self.fed.inputs.get(wire.port.id).cloned().unwrap_or_default()),
        }
    }
}

/// The frames of the job: the requested ones, otherwise those of the first moving file.
fn frames(file: &SceneFile, members: &[Member]) -> Result<Vec<i64>> {
    if let Some(range) = file.scene.frames.as_ref().and_then(|e| e.range.as_ref()) {
        return Ok(range.0.clone());
    }
    let mut all = members.iter().flat_map(|member| &member.feeds).filter_map(|bound| bound.feed.frames());
    all.next().ok_or_else(|| {
        let message = "no input is animated, so the frames are unknown: add <frames range=\"1-48\"/>";
        file.place(Error::new(Kind::MissingInput, message), "sinew", file.scene.line)
    })
}

impl Graph {
    /// The frames of the job.
    pub fn frames(&self) -> &[i64] {
        &self.frames
    }

    /// Frames per second.
    pub fn fps(&self) -> Real {
        self.fps
    }

    /// The number of samples per frame.
    pub(super) fn samples(&self) -> Samples {
        self.samples
    }

    /// The unit and the up axis of all files.
    pub fn space(&self) -> Space {
        self.space
    }

    /// A brief description of what is computed.
    pub fn about(&self) -> String {
        match self.members.as_slice() {
            [member] if member.mesh(BODY).is_some() => {
                format!("{} vertices", member.mesh(BODY).map_or(0, |mesh| mesh.positions.len()))
            }
            members => members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>().join(", "),
        }
    }

    /// The ports whose numbers frames record, as NODE.PORT.
    pub fn wanted(&self) -> Vec<String> {
        self.wanted.iter().map(|wire| wire.key(&self.members[wire.member].name)).collect()
    }

    /// Adds a warning about the job.
    pub(super) fn warn(&mut self, warning: Option<String>) {
        self.warnings.extend(warning);
    }

    /// Warnings about the inputs, and those of the nodes about all frames so far.
    pub fn warnings(&self) -> Vec<String> {
        let so_far = self.members.iter().flat_map(|member| {
            let texts = member.node.so_far().into_iter();
            texts.map(|text| self.of_node(member, &text))
        });
        self.warnings.iter().cloned().chain(so_far).collect()
    }

    /// A node's message, with its name if there are others.
    fn of_node(&self, member: &Member, text: &str) -> String {
        match self.members.len() {
            1 => text.into(),
            _ => format!("{}: {text}", member.name),
        }
    }

    /// Whether a node's figures are reported as the frame's own: for the one that was chosen, and for the only one.
    fn leads(&self, k: usize) -> bool {
        self.front == Some(k) || self.members.len() == 1
    }

    /// Lets the nodes do the work that needs no frame, so that errors in it surface early.
    pub(super) fn ready(&mut self) -> Result<()> {
        self.members.iter_mut().try_for_each(|member| member.node.ready().map_err(|e| member.place.put(e)))
    }

    /// Computes the frame with that index in [`Graph::frames`].
    pub fn step(&mut self, place: usize, control: &Control) -> Result<FrameRecord> {
        let record = match (self.step_all(place, false, control), &self.last) {
            (Err((_, error)), Some(last)) if self.stands_in(&error) => {
                let (frame, row) = (self.frames[place], self.kept(place, &error));
                FrameRecord { frame, row, between: Vec::new(), ..last.clone() }
            }
            // After loading a state without the last result it is unknown whether that result fits.
            (Err((_, error)), None) if self.stands_in(&error) && !self.resumed => {
                self.step_all(place, true, control).map_err(|(k, e)| self.members[k].place.put(e))?;
                self.frame_record(self.frames[place], self.kept(place, &error), Vec::new())?
            }
            (stepped, _) => {
                let (row, between) = stepped.map_err(|(k, e)| self.members[k].place.put(e))?;
                self.frame_record(self.frames[place], row, between)?
            }
        };
        Ok(self.last.insert(record).clone())
    }

    /// Steps every node, through the samples since the frame before if there are any, and returns the frame's entry in
    /// the report and the samples' results; an error comes with the node that failed.
    fn step_all(
        &mut self,
        place: usize,
        at_rest: bool,
        control: &Control,
    ) -> std::result::Result<(Value, Vec<Numbers>), (usize, Error)> {
        let mut row = Map::new();
        row.insert("frame".into(), self.frames[place].into());
        row.insert("kept".into(), false.into());
        let (mut notes, mut nodes) = (Notes::default(), Map::new());
        let between = match at_rest {
            true => Vec::new(),
            false => self.step_between(place, &mut notes, control)?,
        };
        let (count, samples) = (self.members.len(), self.samples.count() as usize);
        let control = control.nth_part(samples - 1, samples);
        for k in 0..count {
            let at = SampleTime::of_frame(place);
            let report = self.step_member(k, at, at_rest, &control.nth_part(k, count)).map_err(|e| (k, e))?;
            self.note(k, &report, None, &mut notes);
            match self.leads(k) {
                true => row.extend(reported(&report)),
                false => drop(nodes.insert(self.members[k].name.clone(), reported(&report).into())),
            }
            self.members[k].fed.name_items(&report);
        }
        row.insert("warnings".into(), notes.warnings.into());
        if !notes.wrong.is_empty() {
            row.insert("wrong".into(), notes.wrong.into());
        }
        if !nodes.is_empty() {
            row.insert("nodes".into(), nodes.into());
        }
        row.insert("milliseconds".into(), json!(notes.milliseconds));
        Ok((row.into(), between))
    }

    /// Adds a node's messages about a step to those of its frame, with the time if between frames.
    fn note(&self, k: usize, report: &Report, at: Option<SampleTime>, notes: &mut Notes) {
        let (leads, member) = (self.leads(k), &self.members[k]);
        let before = at.map_or_else(String::new, |at| format!("at frame {}: ", at.frame(&self.frames)));
        let named = |text: &String| self.of_node(member, &format!("{before}{text}"));
        notes.warnings.extend(report.warnings.iter().map(named));
        notes.wrong.extend(report.wrong.iter().map(named));
        for (stage, milliseconds) in &report.stages {
            let stage = if leads { stage.to_string() } else { format!("{}.{stage}", member.name) };
            *notes.milliseconds.entry(stage).or_insert(0.0) += milliseconds;
        }
    }

    /// Whether a replacement is written for a frame with this error.
    fn stands_in(&self, error: &Error) -> bool {
        self.broken == Broken::Keep && error.kind() == Kind::NotFinite
    }

    /// The entry in the report of a replaced frame.
    fn kept(&self, place: usize, error: &Error) -> Value {
        let what = if self.last.is_some() { "the last good result" } else { "the mesh at rest" };
        let warning = format!("replaced by {what}: {error}");
        json!({ "frame": self.frames[place], "kept": true, "warnings": [warning] })
    }

    /// What the next frame needs to know about the last.
    pub fn save_state(&self) -> Vec<u8> {
        if let [only] = self.members.as_slice() {
            return only.node.save_state();
        }
        let mut bytes = Vec::new();
        for member in &self.members {
            put_counted(&mut bytes, &member.node.save_state());
        }
        bytes
    }

    /// Continues from a file of what [`Graph::save_state`] returned; it is an error if the next frame cannot continue
    /// from it.
    pub(super) fn resume(&mut self, path: &Path) -> Result<()> {
        let state = std::fs::read(path).map_err(|e| Error::io(path, &e))?;
        self.load_state(&state, None).and_then(|()| self.ready()).map_err(|e| e.file(path))
    }

    /// Continues from what [`Graph::save_state`] returned, and from the previous frame's result if known. It is then an
    /// error if the next frame cannot continue from the state.
    pub fn load_state(&mut self, state: &[u8], last: Option<FrameRecord>) -> Result<()> {
        (self.resumed, self.last) = (last.is_none(), last);
        for member in &mut self.members {
            member.node.set_order(Order { may_restart: false, ..member.node.order() });
        }
        if let [only] = self.members.as_mut_slice() {
            return only.node.go_on_from(state);
        }
        let mut reader = Reader::new("the saved state of the graph", state);
        for member in &mut self.members {
            member.node.go_on_from(reader.counted()?)?;
        }
        reader.end()
    }
}

/// A node's entry in a frame's report.
fn reported(report: &Report) -> Map<String, Value> {
    let solved = [("iterations", json!(report.iterations)), ("residual", json!(report.residual))];
    let figures = report.figures.iter().map(|(name, value)| (*name, json!(value)));
    let details = Some(("details", report.details.clone())).filter(|(_, details)| !details.is_null());
    solved.into_iter().chain(figures).chain(details).map(|(name, value)| (name.to_string(), value)).collect()
}

/// An error that lists the frames missing in a file.
fn lacking(missing: &[i64], of: usize, what: &str) -> Error {
    let message = format!("{what} lacks {} of {of} frames: {}", missing.len(), format_frames(missing));
    Error::new(Kind::MissingFile, message)
}
