//! The node whose skin slides, from which tables, caches, textures, riders and pages are made.

use super::super::graph::{Graph, Wire};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_nodes::BODY;
use std::sync::Arc;

/// The ports from which results are made, whichever are requested: what was solved once serves others later.
const PORTS: [&str; 9] = [
    "points",
    "uvs",
    "skin_points",
    "skin_faces",
    "skin_weights",
    "slide_distance",
    "slide_vector",
    "stretch",
    "wrinkle_amplitude",
];

/// Those of them that are outputs of nodes with sliding skin, and of no others.
const OUTPUTS: [&str; 8] = {
    let [_, rest @ ..] = PORTS;
    rest
};

/// A node whose skin slides.
pub(super) struct Skin {
    /// Its name.
    pub node: String,
    /// The body that it slides on.
    pub points: Wire,
    /// That at rest.
    pub rest: Arc<Mesh>,
}

impl Skin {
    /// The node of that name, or the only one.
    pub fn new(named: Option<&str>, graph: &mut Graph) -> Result<Self> {
        let nodes = graph.with_outputs(&OUTPUTS);
        let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
        let node = match (named, nodes.as_slice()) {
            (None, [only]) => (*only).to_string(),
            (None, []) => {
                return wrong("no node has skin that slides, such as one of type skin_slider".into());
            }
            (None, several) => {
                return wrong(format!("say which node with node=\"...\": there are {}", several.join(", ")));
            }
            (Some(named), nodes) if nodes.contains(&named) => named.into(),
            (Some(named), nodes) => {
                return wrong(format!(
                    "no node {named:?} with skin that slides; there are {}",
                    nodes.join(", ")
                ));
            }
        };
        let wires = PORTS.map(|port| graph.record(&format!("{node}.{port}")));
        let [points, ..] = wires;
        let points = points?;
        let rest = graph.member(points).mesh(BODY).ok_or_else(|| {
            let message = "the mesh of the skin is unknown: feed the node a mesh from a file";
            Error::new(Kind::MissingInput, message)
        })?;
        Ok(Skin { node, points, rest })
    }

    /// Whether an element is about it: what names no node is about the only one.
    pub fn is(&self, node: &Option<String>) -> bool {
        node.as_ref().is_none_or(|node| *node == self.node)
    }
}
