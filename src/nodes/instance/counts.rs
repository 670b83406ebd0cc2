//! How many items ports have: those of one domain equally many, and outputs as many as they say before a step.

use super::super::descriptor::{Direction, Domain, Port, PortKind};
use super::super::store::PortValue;
use super::super::value::Inputs;
use super::Instance;
use sinew_base::error::{Error, Kind, Result};

impl Instance {
    /// The number of items that an output will have after a step with the inputs and parameters as they are now, so
    /// that hosts can allocate. Inputs that do not decide about it need not be set.
    pub fn expected_count(&mut self, port: &str) -> Result<usize> {
        let (_, port) = self.port(Direction::Output, port)?;
        let descriptor = self.descriptor();
        let placed = |e: Error| e.node(descriptor.id);
        self.check_counts().map_err(placed)?;
        let inputs = Inputs::new(descriptor, &self.inputs, &self.params, self.space, &self.wanted);
        let own = self.node.count(port, &inputs).map_err(|e| placed(self.name_joint(e)))?;
        own.or_else(|| self.count_like(port)).ok_or_else(|| {
            let message = match port.domain {
                Domain::Free => format!("the number of items of {} is known after a step only", port.id),
                domain => format!("no input is set that has an item per {}", domain.one()),
            };
            placed(Error::new(Kind::MissingInput, message).port(port.id))
        })
    }

    /// The number of items of the inputs that have the same kind of items.
    fn count_like(&self, output: &Port) -> Option<usize> {
        let ports = self.descriptor().ports.iter().enumerate();
        ports.filter(|(_, port)| port.direction == Direction::Input).find_map(|(index, port)| {
            match (output.domain, self.inputs.value(index)?) {
                (domain, PortValue::Mesh(_)) => self.count_in_mesh(index, domain),
                (Domain::Free, _) if port.items != output.items => None,
                (domain, _) if port.domain != domain => None,
                _ => self.count_given(index),
            }
        })
    }

    /// The number of items of an array that is set.
    fn count_given(&self, index: usize) -> Option<usize> {
        let components = self.descriptor().ports[index].kind.components().max(1) as usize;
        match self.inputs.value(index)? {
            PortValue::Reals(values) => Some(values.len() / components),
            PortValue::Ints(values) => Some(values.len() / components),
            PortValue::Mesh(_) => None,
        }
    }

    /// The number of items of a domain, if a port holds the mesh to which they belong.
    fn count_in_mesh(&self, index: usize, domain: Domain) -> Option<usize> {
        let port = &self.descriptor().ports[index];
        let Some(PortValue::Mesh(mesh)) = self.inputs.value(index) else { return None };
        match domain {
            _ if domain.mesh() != port.domain.mesh() => None,
            Domain::Vertex(_) => Some(mesh.positions.len()),
            Domain::Face(_) => Some(mesh.face_count()),
            Domain::Corner(_) => Some(mesh.corner_vertices.len()),
            Domain::Influence(_) | Domain::Joint | Domain::Free => None,
        }
    }

    /// The counts of one domain agree, as far as inputs are set: with the mesh, otherwise with the first of them.
    pub(super) fn check_counts(&self) -> Result<()> {
        let ports = self.descriptor().ports;
        let arrays = ports.iter().enumerate().filter(|(_, port)| port.kind != PortKind::Mesh);
        for (index, port) in arrays.filter(|(_, port)| port.direction == Direction::Input) {
            let Some(count) = self.count_given(index).filter(|_| port.domain != Domain::Free) else {
                continue;
            };
            let mesh = (0..ports.len()).find_map(|k| Some((self.count_in_mesh(k, port.domain)?, k)));
            let earlier = || {
                let same =
                    |k: &usize| ports[*k].direction == Direction::Input && ports[*k].domain == port.domain;
                (0..index).filter(same).find_map(|k| Some((self.count_given(k)?, k)))
            };
            let Some((expected, k)) = mesh.or_else(earlier) else { continue };
            if count != expected {
                let message = format!(
                    "has {count} values, one per {}, but {} has {expected}",
                    port.domain.one(),
                    ports[k].id
                );
                return Err(Error::new(Kind::CountMismatch, message).port(port.id));
            }
        }
        Ok(())
    }
}
