//! Wires: a port of a node that feeds another one, or a file.

use super::Member;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_nodes::{ArrayViewMut, Direction, Domain, Instance, Port, PortKind};

/// A port of a node in the graph.
#[derive(Clone, Copy)]
pub(crate) struct Wire {
    pub member: usize,
    pub port: &'static Port,
}

impl PartialEq for Wire {
    fn eq(&self, other: &Wire) -> bool {
        self.member == other.member && self.is(other.port)
    }
}

impl Wire {
    /// The output, or otherwise the input, that NODE.PORT names.
    pub fn parse(text: &str, members: &[Member]) -> Result<Wire> {
        let wrong = |kind, message: String| Err(Error::new(kind, message));
        let Some((name, id)) = text.rsplit_once('.') else {
            return wrong(Kind::InvalidArgument, format!("{text:?}: NODE.PORT is expected"));
        };
        let Some(member) = members.iter().position(|member| member.name == name) else {
            let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            return wrong(Kind::NotFound, format!("no node {name:?}; there are {}", names.join(", ")));
        };
        let node = members[member].node.descriptor();
        let found = [Direction::Output, Direction::Input].into_iter().find_map(|d| node.port_index(d, id));
        let Some(index) = found else {
            let outputs = node.ports.iter().filter(|port| port.direction == Direction::Output);
            let ids: Vec<&str> = outputs.map(|port| port.id).collect();
            return wrong(
                Kind::NotFound,
                format!("no output {id:?} of {name}; there are {}", ids.join(", ")),
            );
        };
        Ok(Wire { member, port: &node.ports[index] })
    }

    /// Whether it is that port.
    pub fn is(&self, port: &Port) -> bool {
        (self.port.id, self.port.direction) == (port.id, port.direction)
    }

    /// The key of its numbers in a frame.
    pub fn key(&self, name: &str) -> String {
        format!("{name}.{}", self.port.id)
    }

    /// The numbers of an output.
    pub fn read(&self, node: &Instance) -> Result<Vec<Real>> {
        let (id, components) = (self.port.id, self.port.kind.components());
        let mut values = vec![0.0; node.output_count(id)? * components as usize];
        if !values.is_empty() {
            node.read(id, &mut ArrayViewMut::from_slice(&mut values, components)?)?;
        }
        Ok(values)
    }

    /// Whether it can feed an input: both must have the same meaning, for the same kind of items.
    pub fn check(&self, input: &Port) -> Result<()> {
        let output = self.port;
        let wrong = |why: String| {
            let message = format!("{} cannot feed {}: {why}", output.id, input.id);
            Err(Error::new(Kind::WrongType, message))
        };
        if output.direction == Direction::Input {
            return wrong(format!("{} is not an output", output.id));
        }
        let (given, taken) = (output.kind.components(), input.kind.components());
        if input.kind == PortKind::Mesh {
            return wrong("a mesh can only come from a file".into());
        }
        if given != taken {
            return wrong(format!("it has {given} numbers per item, not {taken}"));
        }
        if output.quantity != input.quantity {
            return wrong(format!(
                "it is of the kind {}, not {}",
                output.quantity.name(),
                input.quantity.name()
            ));
        }
        let free = [output.domain, input.domain].contains(&Domain::Free);
        if output.domain.name() != input.domain.name() && !free {
            return wrong(format!(
                "it has one item per {}, not per {}",
                output.domain.name(),
                input.domain.name()
            ));
        }
        Ok(())
    }
}
