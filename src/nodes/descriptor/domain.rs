//! What the items of a port belong to, and the meshes of a node.

/// The id of the mesh that a host animates; its vertices are what deformers move.
pub const BODY: &str = "body";

/// What one item of a port belongs to. Vertices, faces and corners are those of one of the node's meshes, which is
/// named by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// One item per vertex of a mesh.
    Vertex(&'static str),
    /// One item per face of a mesh.
    Face(&'static str),
    /// One item per corner of a face of a mesh.
    Corner(&'static str),
    /// One item per joint.
    Joint,
    /// One item per pair of a vertex of a mesh and a joint, all pairs of vertex 0 first, then of vertex 1, and so on.
    Influence(&'static str),
    /// Any number of items.
    Free,
}

impl Domain {
    /// The body's vertices.
    pub const ON_BODY: Domain = Domain::Vertex(BODY);

    /// The name in reference pages and messages.
    pub fn name(self) -> &'static str {
        match self {
            Domain::Vertex(_) => "vertex",
            Domain::Face(_) => "face",
            Domain::Corner(_) => "corner",
            Domain::Joint => "joint",
            Domain::Influence(_) => "influence",
            Domain::Free => "free",
        }
    }

    /// The name for hosts that know no mesh but the body: items of others count as free.
    pub fn on_body(self) -> &'static str {
        if self.is_beside() { Domain::Free.name() } else { self.name() }
    }

    /// What an item is of its mesh; empty if it belongs to none.
    pub fn element(self) -> &'static str {
        self.mesh().map_or("", |_| self.name())
    }

    /// The id of the mesh to which an item belongs, if it belongs to one.
    pub fn mesh(self) -> Option<&'static str> {
        match self {
            Domain::Vertex(mesh) | Domain::Face(mesh) | Domain::Corner(mesh) | Domain::Influence(mesh) => {
                Some(mesh)
            }
            Domain::Joint | Domain::Free => None,
        }
    }

    /// Whether an item belongs to another mesh than the body.
    pub fn is_beside(self) -> bool {
        self.mesh().is_some_and(|mesh| mesh != BODY)
    }

    /// Whether the items are vertices.
    pub fn is_vertex(self) -> bool {
        matches!(self, Domain::Vertex(_))
    }

    /// One item in messages: "vertex", or "vertex of the mesh cage" where it is not the body's.
    pub fn one(self) -> String {
        match self.mesh().filter(|mesh| *mesh != BODY) {
            Some(mesh) => format!("{} of the mesh {mesh}", self.name()),
            None => self.name().to_string(),
        }
    }
}

/// A mesh of a node. New kinds of elements, such as tetrahedra, are further variants of [`Domain`] and further ports of
/// [`MadeMesh`].
#[derive(Debug)]
pub struct NodeMesh {
    /// The permanent id.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A one-line description.
    pub doc: &'static str,
    /// The outputs that make it up; none if the host has it.
    pub made: Option<MadeMesh>,
}

/// The outputs that make up a mesh, by id.
#[derive(Debug)]
pub struct MadeMesh {
    /// The points of its vertices.
    pub points: &'static str,
    /// The number of corners of each face.
    pub face_sizes: &'static str,
    /// The vertex of each corner, face by face.
    pub face_vertices: &'static str,
    /// The number of the thing to which each vertex belongs, and the word by which the report lists the names of these
    /// things, if it is made of several.
    pub parts: Option<[&'static str; 2]>,
}

impl NodeMesh {
    /// The mesh that the host animates.
    pub const BODY: NodeMesh =
        NodeMesh { id: BODY, title: "Body", doc: "The mesh that the host animates.", made: None };
}
