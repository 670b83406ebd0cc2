//! The inputs that a scene gives a node, and the messages about those that it does not.

use super::super::scene_file::SceneFile;
use sinew_base::error::{Error, Kind, Result};
use sinew_nodes::{Direction, Domain, Port, PortKind, Quantity};
use sinew_scene::{InputElement, NodeElement};
use std::borrow::Cow;

/// An input of a node and its element.
pub(super) struct Given<'a> {
    pub input: Cow<'a, InputElement>,
    pub port: &'static Port,
}

/// The inputs of a node that the scene gives; a file of joints also gives the joints at rest, if nothing else does.
pub(super) fn inputs<'a>(
    file: &SceneFile,
    element: &'a NodeElement,
    ports: &'static [Port],
) -> Result<Vec<Given<'a>>> {
    let mut all: Vec<Given> = Vec::new();
    for input in &element.inputs {
        let port = find(ports, &input.port).and_then(|port| match all.iter().any(|g| g.port.id == port.id) {
            true => Err(Error::new(Kind::InvalidArgument, format!("the input {} is fed twice", port.id))),
            false => Ok(port),
        });
        let port = port.map_err(|e| match file.option(&input.port, input.line) {
            Some(option) => Error::new(e.kind(), format!("{option} {}: {}", input.port, e.message())),
            None => file.place(e, "input", input.line),
        })?;
        let rest = at_rest(ports, port).filter(|rest| element.inputs.iter().all(|i| i.port != rest.id));
        if let (Some(rest), Some(path)) = (rest, &input.file) {
            let input = Cow::Owned(InputElement::of_file(rest.id, path.clone(), input.line));
            all.push(Given { input, port: rest });
        }
        all.push(Given { input: Cow::Borrowed(input), port });
    }
    Ok(all)
}

fn find(ports: &'static [Port], id: &str) -> Result<&'static Port> {
    let inputs = || ports.iter().filter(|port| port.direction == Direction::Input);
    inputs().find(|port| port.id == id).ok_or_else(|| {
        let ids: Vec<&str> = inputs().map(|port| port.id).collect();
        Error::new(Kind::InvalidArgument, format!("no input {id:?}; there are {}", ids.join(", ")))
    })
}

/// The input for the same transforms at rest, if there is one.
fn at_rest(ports: &'static [Port], port: &Port) -> Option<&'static Port> {
    let is_same = |other: &&Port| {
        other.direction == Direction::Input
            && other.at_rest
            && !port.at_rest
            && other.id.strip_prefix("rest_") == Some(port.id)
            && (other.quantity, port.quantity) == (Quantity::Transform, Quantity::Transform)
    };
    ports.iter().find(is_same)
}

/// The error about a node without a source for an input.
pub(super) fn missing(file: &SceneFile, node: &NodeElement, port: &Port, ports: &'static [Port]) -> Error {
    let moving = giver(ports, port).id;
    // A value that feeds the moving one says nothing about rest.
    let id = if node.inputs.iter().any(|input| input.port == moving) { port.id } else { moving };
    let add = format!("<input port=\"{id}\" file=\"...\"/>");
    let message = match file.option_of(id) {
        Some(option) => format!("nothing feeds the input {id}: use {option}, or add {add} to the scene"),
        None => format!("nothing feeds the input {id}: add {add}"),
    };
    file.place(Error::new(Kind::MissingInput, message), "node", node.line)
}

/// The input whose file also feeds this one: that of the joints, that of the weights, otherwise itself.
fn giver<'p>(ports: &'static [Port], port: &'p Port) -> &'p Port {
    let inputs = || ports.iter().filter(|other| other.direction == Direction::Input);
    let moving = inputs().find(|other| at_rest(ports, other).is_some_and(|rest| rest.id == port.id));
    let is_of_weights = matches!(port.domain, Domain::Influence(_))
        || (port.domain.is_vertex() && matches!(port.kind, PortKind::Ints { .. }));
    let weights = inputs().find(|other| is_of_weights && is_weight(other));
    moving.or(weights).unwrap_or(port)
}

/// Whether it is the input for weights of joints.
pub(super) fn is_weight(port: &Port) -> bool {
    matches!(port.domain, Domain::Influence(_)) && matches!(port.kind, PortKind::Reals { .. })
}
