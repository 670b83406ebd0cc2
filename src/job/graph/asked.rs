//! What outputs ask of a graph: which ports frames record, and what is known about the nodes.

use super::super::store::arrays::of_points;
use super::wire::Wire;
use super::{Graph, Member};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::over::Over;
use sinew_geometry::Mesh;
use sinew_math::Vec3;
use sinew_nodes::{ArrayView, Direction, Domain, MadeMesh};
use std::sync::Arc;

impl Graph {
    /// The port named NODE.PORT, which frames record from now on.
    pub(crate) fn record(&mut self, name: &str) -> Result<Wire> {
        let wire = Wire::parse(name, &self.members)?;
        self.want(wire);
        Ok(wire)
    }

    /// The node of a port.
    pub(crate) fn member(&self, wire: Wire) -> &Member {
        &self.members[wire.member]
    }

    /// The names of the nodes that have all these outputs.
    pub(crate) fn with_outputs(&self, ports: &[&str]) -> Vec<&str> {
        let has =
            |member: &Member, id: &str| member.node.descriptor().port_index(Direction::Output, id).is_some();
        let all = self.members.iter().filter(|member| ports.iter().all(|id| has(member, id)));
        all.map(Member::name).collect()
    }

    /// Reports the figures of a port's node as those of the frames.
    pub(crate) fn lead(&mut self, wire: Wire) {
        self.front = Some(wire.member);
    }

    /// Sets the points of an input of a port's node.
    pub(crate) fn set_points(&mut self, wire: Wire, port: &str, points: Vec<Vec3>) -> Result<()> {
        let node = &mut self.members[wire.member].node;
        if node.is_set(port)? {
            let message = format!("the input {port} already has a source, but <ride> would feed it too");
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        node.set_array(port, &ArrayView::from_slice(&of_points(points), 3)?)
    }

    /// What frames record from now on.
    fn want(&mut self, wire: Wire) {
        if !self.wanted.contains(&wire) {
            self.wanted.push(wire);
        }
    }
}

impl Member {
    /// The name by which others refer to it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The mesh of the file that moves its body, if a layer over it is possible.
    pub(crate) fn over(&self) -> Result<Option<Over>> {
        self.fed.ground(Domain::ON_BODY).and_then(|ground| ground.over.clone()).transpose()
    }

    /// The mesh of the file whose points it moves, if a layer that moves them is possible: the one that moves already,
    /// else the one at rest.
    pub(crate) fn below_points(&self, domain: Domain) -> Result<Option<Over>> {
        let Some(ground) = self.fed.ground(domain) else { return Ok(None) };
        if !ground.surface.is_given() {
            let message = "the points are those of a subdivided mesh, not of the one in the file";
            return Err(Error::new(Kind::Topology, message));
        }
        ground.over.clone().or_else(|| ground.at_rest.clone()).transpose()
    }

    /// A mesh that files or other nodes give it, if it is known.
    pub(crate) fn mesh(&self, id: &'static str) -> Option<Arc<Mesh>> {
        self.fed.ground(Domain::Vertex(id))?.mesh.clone()
    }

    /// The outputs that make up a mesh, if it is the node that makes it.
    pub(crate) fn made_mesh(&self, id: &str) -> Option<&'static MadeMesh> {
        self.node.descriptor().mesh(id)?.made.as_ref()
    }

    /// Attaches the source of that mesh to an error.
    pub(crate) fn at_mesh(&self, error: Error) -> Error {
        match self.fed.ground(Domain::ON_BODY).and_then(|ground| ground.mesh_file.as_ref()) {
            Some((path, place)) => place.put(error.file(path)),
            None => error,
        }
    }
}
