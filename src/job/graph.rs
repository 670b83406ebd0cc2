//! A graph of nodes made ready to run: what feeds each input found and read, the nodes in the order in which they step.
//!
//! No node is known by name here. What fits an input goes by what the input is: its kind, quantity and domain ([`feed`]).

mod feed;
mod order;
mod sinks;
mod wire;

use super::moment::Moment;
use super::parts::Solver;
use super::scene_file::SceneFile;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Space};
use crate::nodes::{Direction, Instance, Order, Port, Report};
use crate::scene::frames::format_frames;
use crate::scene::{Broken, NodeElement, OutputsElement};
use feed::{Fed, Feed, feed};
use serde_json::{Map, Value, json};
use sinks::GraphSinks;
use wire::Wire;

/// The nodes and the sinks of a scene that is a graph.
pub(super) fn open(file: &SceneFile, element: &OutputsElement) -> Result<(Graph, GraphSinks)> {
    let mut graph = Graph::new(file, element)?;
    let sinks = GraphSinks::new(file, element, &mut graph)?;
    Ok((graph, sinks))
}

/// Nodes in the order in which they step.
pub(super) struct Graph {
    members: Vec<Member>,
    frames: Vec<i64>,
    fps: Real,
    space: Space,
    broken: Broken,
    /// What frames tell the sinks.
    wanted: Vec<Wire>,
    /// Whether something was computed or loaded that can stand in for a broken frame.
    has_result: bool,
    warnings: Vec<String>,
}

/// A node of the graph.
struct Member {
    name: String,
    node: Instance,
    /// What feeds its inputs in every frame.
    feeds: Vec<(&'static Port, Feed)>,
    /// What is known of its geometry.
    fed: Fed,
    place: Place,
}

/// Where a node stands in its file.
#[derive(Clone)]
struct Place {
    file: Option<std::path::PathBuf>,
    line: u64,
    element: String,
}

impl Place {
    /// Puts an error of a frame at the node.
    fn put(&self, error: Error) -> Error {
        match &self.file {
            Some(file) => error.inside(file, self.line, &self.element),
            None => error.element(&self.element),
        }
    }
}

/// By which others call a node.
fn name_of(element: &NodeElement) -> &str {
    element.name.as_deref().unwrap_or(&element.kind)
}

impl Graph {
    fn new(file: &SceneFile, element: &OutputsElement) -> Result<Self> {
        let fps = file.fps()?;
        let mut members: Vec<Member> = Vec::new();
        for k in order::sorted(file)? {
            let node = &file.scene.nodes[k];
            let member = Member::new(file, node, &members, fps)?;
            members.push(member);
        }
        let frames = frames(file, &members)?;
        for member in &mut members {
            let found = member.feeds.iter_mut().try_for_each(|(_, feed)| feed.find(&frames));
            found.map_err(|e| member.place.put(e))?;
        }
        let space = members.first().map_or_else(Space::default, |member| member.node.space());
        Ok(Graph {
            members,
            frames,
            fps,
            space,
            broken: element.broken,
            wanted: Vec::new(),
            has_result: false,
            warnings: Vec::new(),
        })
    }

    /// What a frame is to tell, from now on.
    fn want(&mut self, wire: Wire) {
        if !self.wanted.contains(&wire) {
            self.wanted.push(wire);
        }
    }

    /// Steps one node.
    fn step_member(&mut self, k: usize, place: usize, control: &Control) -> Result<Report> {
        let frame = self.frames[place];
        let (before, rest) = self.members.split_at_mut(k);
        let member = &mut rest[0];
        for (port, feed) in &mut member.feeds {
            let values = match feed {
                Feed::Wire(wire) => before[wire.member].read(*wire)?,
                feed => feed.read(place, frame)?,
            };
            feed::set(&mut member.node, port, &values)?;
            if self.wanted.iter().any(|wire| wire.member == k && wire.is(port)) {
                member.fed.inputs.insert(port.id, values);
            }
        }
        member.node.step(frame, frame as Real / self.fps, control)
    }

    /// What the frame gave, and what is told of it.
    fn moment(&self, frame: i64, row: Value) -> Result<Moment> {
        let outputs = self.wanted.iter().map(|wire| {
            let member = &self.members[wire.member];
            Ok((wire.key(&member.name), member.read(*wire)?))
        });
        let names = self.members.iter().filter(|member| !member.fed.names.is_null());
        let names: Map<String, Value> = names.map(|m| (m.name.clone(), m.fed.names.clone())).collect();
        Ok(Moment {
            frame,
            row,
            names: names.into(),
            body: Vec::new(),
            outputs: outputs.collect::<Result<_>>()?,
        })
    }
}

impl Member {
    fn new(file: &SceneFile, element: &NodeElement, before: &[Member], fps: Real) -> Result<Self> {
        let mut node = file.instance(element)?;
        let given = element.params.iter().any(|param| param.id == "fps");
        if !given && node.descriptor().param_index("fps").is_some() {
            node.set_param_text("fps", &fps.to_string())?;
        }
        let place = Place {
            file: file.path.clone(),
            line: element.line.0,
            element: format!("node {}", name_of(element)),
        };
        let (feeds, fed) = feed(file, element, &mut node, before, fps)?;
        Ok(Member { name: name_of(element).into(), node, feeds, fed, place })
    }

    /// The numbers of a port: an output, or what the input was fed.
    fn read(&self, wire: Wire) -> Result<Vec<Real>> {
        match wire.port.direction {
            Direction::Output => wire.read(&self.node),
            Direction::Input => Ok(self.fed.inputs.get(wire.port.id).cloned().unwrap_or_default()),
        }
    }
}

/// The frames of the job: those that are asked for, else those of the first file that moves.
fn frames(file: &SceneFile, members: &[Member]) -> Result<Vec<i64>> {
    if let Some(range) = file.scene.frames.as_ref().and_then(|e| e.range.as_ref()) {
        return Ok(range.0.clone());
    }
    let mut all = members.iter().flat_map(|member| &member.feeds).filter_map(|(_, feed)| feed.frames());
    all.next().ok_or_else(|| {
        let message = "no file moves that would tell the frames: <frames range=\"1-48\"/> does";
        file.place(Error::new(Kind::MissingInput, message), "sinew", file.scene.line)
    })
}

impl Solver for Graph {
    fn frames(&self) -> &[i64] {
        &self.frames
    }

    fn fps(&self) -> Real {
        self.fps
    }

    fn space(&self) -> Space {
        self.space
    }

    fn about(&self) -> String {
        let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        names.join(", ")
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn step(&mut self, place: usize, control: &Control) -> Result<Moment> {
        let frame = self.frames[place];
        let (mut warnings, mut nodes, mut milliseconds) = (Vec::new(), Map::new(), Map::new());
        let mut kept = false;
        for k in 0..self.members.len() {
            let report = match self.step_member(k, place, control) {
                Ok(report) => report,
                Err(error) if self.stands_in(&error) => {
                    warnings.push(format!(
                        "the last good result stands in from the node {} on: {error}",
                        self.members[k].name
                    ));
                    kept = true;
                    // What comes after it would see a mixture of frames.
                    break;
                }
                Err(error) => return Err(self.members[k].place.put(error)),
            };
            let name = &self.members[k].name;
            warnings.extend(report.warnings.iter().map(|text| format!("{name}: {text}")));
            milliseconds
                .extend(report.stages.iter().map(|(stage, ms)| (format!("{name}.{stage}"), json!(ms))));
            nodes.insert(name.clone(), told(&report));
            self.members[k].fed.name_items(&report);
        }
        self.has_result |= !kept;
        let row = json!({
            "frame": frame, "kept": kept, "warnings": warnings, "nodes": nodes, "milliseconds": milliseconds,
        });
        self.moment(frame, row)
    }

    fn save_state(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for member in &self.members {
            let state = member.node.save_state();
            bytes.extend((state.len() as u64).to_le_bytes());
            bytes.extend(state);
        }
        bytes
    }

    fn load_state(&mut self, state: &[u8], last: Option<Moment>) -> Result<()> {
        let broken = || Error::new(Kind::Parse, "the saved state of the graph is damaged");
        let mut rest = state;
        for member in &mut self.members {
            let (length, after) = rest.split_first_chunk::<8>().ok_or_else(broken)?;
            let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| broken())?;
            let (state, after) = after.split_at_checked(length).ok_or_else(broken)?;
            member.node.set_order(Order { may_restart: false, ..member.node.order() });
            member.node.load_state(state)?;
            rest = after;
        }
        if let Some(last) = &last {
            for wire in &self.wanted {
                let member = &mut self.members[wire.member];
                if wire.port.direction == Direction::Input {
                    let values = last.output(&wire.key(&member.name)).to_vec();
                    member.fed.inputs.insert(wire.port.id, values);
                }
            }
            self.members.iter_mut().for_each(|member| member.fed.names = last.names[&member.name].clone());
        }
        self.has_result = true;
        if rest.is_empty() { Ok(()) } else { Err(broken()) }
    }
}

impl Graph {
    /// Whether the last good result stands in for a frame with this error.
    fn stands_in(&self, error: &Error) -> bool {
        self.broken == Broken::Keep && self.has_result && error.kind() == Kind::NotFinite
    }
}

/// A node's entry in a frame's report.
fn told(report: &Report) -> Value {
    let mut row = json!({ "iterations": report.iterations, "residual": report.residual });
    report.figures.iter().for_each(|(name, value)| row[*name] = json!(value));
    if !report.details.is_null() {
        row["details"] = report.details.clone();
    }
    row
}

/// An error that tells which of the frames a file lacks.
fn lacking(missing: &[i64], of: usize, what: &str) -> Error {
    let message = format!("{what} lacks {} of {of} frames: {}", missing.len(), format_frames(missing));
    Error::new(Kind::MissingFile, message)
}
