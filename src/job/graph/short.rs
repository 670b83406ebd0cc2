//! The short form of scenes: `<mesh>`, `<body>`, `<joints>` and so on stand for the inputs that they feed, and
//! `<output>` for what is written.

use super::super::scene_file::SceneFile;
use crate::error::{Error, Kind, Result};
use crate::nodes::{Direction, Port, PortKind};
use crate::scene::schema::Line;
use crate::scene::{Broken, InputElement, NodeElement, OneFrame, OutputsElement, WriteElement};
use std::borrow::Cow;
use std::path::Path;

/// The source of an input, and its element.
pub(super) struct Given<'a> {
    pub input: Cow<'a, InputElement>,
    pub element: &'static str,
    /// How its file is read.
    pub reading: Reading,
}

/// How the file of an input is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// According to the input and the file's contents.
    Fitting,
    /// Points that move, even if there is one frame.
    MovingPoints,
    /// A table of weights.
    Weights,
    /// A table of constraints.
    Rows,
}

/// All sources of a node's inputs in the scene.
pub(super) fn inputs<'a>(element: &'a NodeElement, ports: &[Port]) -> Vec<Given<'a>> {
    let rest = rest_port(ports).unwrap_or("points");
    let one = |name: &'static str, port: &str, file: &String, frame: Option<OneFrame>, line: Line| {
        let (port, file) = (port.to_string(), Some(file.clone()));
        let reading = match name {
            "body" => Reading::MovingPoints,
            "weights" => Reading::Weights,
            "rows" => Reading::Rows,
            _ => Reading::Fitting,
        };
        Given {
            input: Cow::Owned(InputElement { port, file, frame, from: None, value: None, line }),
            element: name,
            reading,
        }
    };
    let mut all: Vec<Given> = element
        .inputs
        .iter()
        .map(|input| Given { input: Cow::Borrowed(input), element: "input", reading: Reading::Fitting })
        .collect();
    all.extend(element.mesh.iter().map(|e| one("mesh", rest, &e.file, None, e.line)));
    all.extend(element.body.iter().map(|e| one("body", "points", &e.file, None, e.line)));
    if let Some(e) = &element.joints {
        all.push(one("joints", "rest_joints", &e.file, Some(OneFrame::Rest), e.line));
        all.push(one("joints", "joints", &e.file, None, e.line));
    }
    all.extend(element.weights.iter().map(|e| one("weights", "influence_weights", &e.file, None, e.line)));
    all.extend(element.maps.iter().map(|e| one("map", &e.port, &e.file, None, e.line)));
    all.extend(element.rows.iter().map(|e| one("rows", "rows", &e.file, None, e.line)));
    all
}

/// The input that takes a mesh.
fn rest_port(ports: &[Port]) -> Option<&'static str> {
    ports
        .iter()
        .find(|port| port.kind == PortKind::Mesh && port.direction == Direction::Input)
        .map(|port| port.id)
}

/// The error about a scene without a source for the input of that name.
pub(super) fn missing(file: &SceneFile, port: &Port, ports: &[Port]) -> Error {
    let rest = rest_port(ports).unwrap_or("points");
    let known = [
        (rest, "mesh at rest", "--rest"),
        ("points", "body", "--body"),
        ("rest_joints", "joints", "--joints"),
        ("joints", "joints", "--joints"),
        ("influence_weights", "weights", "--weights"),
        ("influence_counts", "weights", "--weights"),
        ("influence_joints", "weights", "--weights"),
    ];
    let message = match known.iter().find(|(id, ..)| *id == port.id && file.scene.outputs.is_none()) {
        Some((_, what, option)) => format!("no {what} is given: use {option}, or name one in the scene"),
        None => format!("nothing feeds the input {0}: add <input port=\"{0}\" .../>", port.id),
    };
    Error::new(Kind::MissingInput, message)
}

/// The outputs: the scene's, or those that the `<output>` of a node stands for; nothing if it has neither.
pub(crate) fn outputs(file: &SceneFile) -> Result<Option<Cow<'_, OutputsElement>>> {
    let Some((node, output)) = file.scene.nodes.iter().find_map(|node| Some((node, node.output.as_ref()?)))
    else {
        return Ok(file.scene.outputs.as_ref().map(Cow::Borrowed));
    };
    let wrong =
        |message: &str| Err(file.place(Error::new(Kind::InvalidArgument, message), "output", output.line));
    if file.scene.outputs.is_some() || node.results.is_some() {
        return wrong("<output> is for scenes without <outputs> and <results>");
    }
    let path = Path::new(&output.file);
    let Some(name) = path.file_name() else { return wrong("a file name is expected") };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let from = format!("{}.points", node.called());
    let write = WriteElement::new(name.to_string_lossy().into_owned(), from, output.line);
    Ok(Some(Cow::Owned(OutputsElement {
        folder: folder.to_string_lossy().into_owned(),
        broken: Broken::Stop,
        report: false,
        writes: vec![write],
        line: output.line,
    })))
}
