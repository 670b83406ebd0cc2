//! Nodes as data: a node's inputs and outputs, and the meaning of each number.
//!
//! Ids are permanent: scenes, host attributes and saved states name ports and parameters by them.

mod domain;
mod unit;

pub use domain::{BODY, Domain, MadeMesh, NodeMesh};
pub use unit::Unit;

use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

/// Everything a host needs to show a node.
#[derive(Debug)]
pub struct NodeDescriptor {
    /// The permanent id.
    pub id: &'static str,
    /// A permanent number from 1 to 63 that no other node has or had, for hosts whose files name types by numbers; 0
    /// for nodes of programs that use the library.
    pub number: u32,
    /// The name for people.
    pub title: &'static str,
    /// What the node does.
    pub doc: &'static str,
    /// Whether a frame depends on the frames before it.
    pub stateful: bool,
    /// The version of the node's saved state; incremented when its payload changes.
    pub state_version: u32,
    /// The meshes to which items of ports belong.
    pub meshes: &'static [NodeMesh],
    /// Arrays and meshes, inputs and outputs. Ids are unique per direction.
    pub ports: &'static [Port],
    /// Single values.
    pub params: &'static [Param],
}

/// An input or output: an array or a mesh.
#[derive(Debug)]
pub struct Port {
    /// The permanent id.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A one-line description.
    pub doc: &'static str,
    /// In or out.
    pub direction: Direction,
    /// The type. Outputs are arrays.
    pub kind: PortKind,
    /// What one item belongs to; inputs of one domain must have the same count.
    pub domain: Domain,
    /// The word for one item, "muscle", "rider", "muscle vertex"; empty for joints and for items of the body.
    pub items: &'static str,
    /// The spatial meaning of the numbers, which decides how units and the up axis are converted.
    pub quantity: Quantity,
    /// Whether places and directions are those of the body at rest; otherwise they are those of the frame.
    pub at_rest: bool,
    /// The unit of the numbers; none if the quantity says it all: lengths are in the host's unit.
    pub unit: Unit,
    /// The smallest and the largest number allowed; what rounding has put a little beyond them counts as them.
    pub range: Option<(Real, Real)>,
    /// Whether a step without it is an error.
    pub required: bool,
    /// Whether hosts offer it as a paintable map: a number or a vector per vertex.
    pub paintable: bool,
    /// The uniform value of a map that is not set.
    pub default: Option<Real>,
    /// The heading under which a panel shows it; the inputs of a group are adjacent in list order, and so are the
    /// outputs.
    pub group: &'static str,
    /// For outputs: the inputs and parameters that never change it.
    pub ignores: &'static [&'static str],
    /// For items that come in lists, one after another: the port of the same direction with the number of items of each
    /// list. Positions in lists are the nodes of curves.
    pub counted_by: &'static str,
    /// For the nodes of curves: the output with the radius of each curve.
    pub radii: &'static str,
    /// For numbers between the neighbours of a list, such as the segments of curves: the port with the items of the
    /// lists. Each list has one number fewer than items.
    pub between: &'static str,
    /// For whole numbers that are each the number of something, from 0: the word for that, as in `items`, or an element
    /// of a mesh.
    pub index_of: &'static str,
}

/// The direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Direction {
    /// The host gives it.
    Input = 0,
    /// The node computes it.
    Output = 1,
}

/// The type of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// Floating-point numbers, `components` per item.
    Reals {
        /// Numbers per item.
        components: u32,
    },
    /// Integers from 0, `components` per item.
    Ints {
        /// Numbers per item.
        components: u32,
    },
    /// A polygon mesh.
    Mesh,
}

/// The spatial meaning of a port's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Quantity {
    /// Numbers that are independent of the host's space.
    Scalar = 0,
    /// Points, 3 components: unit and up axis convert.
    Position = 1,
    /// Differences of points, 3 components: unit and up axis convert.
    Displacement = 2,
    /// Directions, 3 components: the up axis converts.
    Direction = 3,
    /// Affine maps, 16 components: a 4x4 matrix for column vectors, row by row, last row 0 0 0 1.
    Transform = 4,
    /// Texture coordinates, 2 components.
    Uv = 5,
    /// Integers: indices of other items, or counts of them.
    Index = 6,
    /// Lengths: the unit converts.
    Length = 7,
}

/// A single value of a node.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The permanent id; it also differs from the id of every port.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A one-line description.
    pub doc: &'static str,
    /// The unit of the number, whatever the host's own units are.
    pub unit: Unit,
    /// The type, the default and the range.
    pub kind: ParamKind,
    /// How a panel shows it.
    pub panel: Panel,
}

/// How a panel shows a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// The heading under which it is shown; parameters of a group are adjacent, in list order.
    pub group: &'static str,
    /// The range of the slider; numbers beyond it, up to the full range, can be typed. None for the full range.
    pub soft: Option<(Real, Real)>,
    /// The step of a click; 0 leaves it to the host.
    pub step: Real,
    /// The parameter, and those of its choices, for which this one has an effect; None for always.
    pub shown_when: Option<(&'static str, &'static [&'static str])>,
    /// Whether it is for experts only.
    pub advanced: bool,
    /// Whether changing it restarts the node.
    pub restarts: bool,
    /// For a file path: the file filter, such as `*.xml`; empty for everything else.
    pub files: &'static str,
    /// For an authored document, or the path of its file: the type, such as `strand_scene`; empty for everything else.
    pub document: &'static str,
}

impl Panel {
    /// Under a heading, always shown.
    pub const fn of(group: &'static str) -> Self {
        let (soft, shown_when) = (None, None);
        Panel {
            group,
            soft,
            step: 0.0,
            shown_when,
            advanced: false,
            restarts: false,
            files: "",
            document: "",
        }
    }

    /// With a slider between two numbers, and a step.
    pub const fn slider(self, low: Real, high: Real, step: Real) -> Self {
        Panel { soft: Some((low, high)), step, ..self }
    }

    /// Shown for some choices of another parameter only.
    pub const fn with(self, param: &'static str, choices: &'static [&'static str]) -> Self {
        Panel { shown_when: Some((param, choices)), ..self }
    }

    /// For experts.
    pub const fn advanced(self) -> Self {
        Panel { advanced: true, ..self }
    }

    /// Changing it restarts the node.
    pub const fn restarting(self) -> Self {
        Panel { restarts: true, ..self }
    }

    /// The path of a file.
    pub const fn file(self, files: &'static str) -> Self {
        Panel { files, ..self }
    }

    /// An authored document, as its text or as the path of its file.
    pub const fn document(self, kind: &'static str) -> Self {
        Panel { document: kind, ..self.file("*.xml") }
    }
}

/// The type of a parameter with its default and range.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// On or off.
    Bool {
        /// The value of a new instance.
        default: bool,
    },
    /// A whole number.
    Int {
        /// The value of a new instance.
        default: i64,
        /// The smallest value allowed.
        min: i64,
        /// The largest value allowed.
        max: i64,
    },
    /// A number.
    Real {
        /// The value of a new instance.
        default: Real,
        /// The smallest value allowed.
        min: Real,
        /// The largest value allowed.
        max: Real,
    },
    /// One of a list of names.
    Choice {
        /// The index of the choice of a new instance.
        default: usize,
        /// The choices; new ones are added at the end.
        choices: &'static [Choice],
    },
    /// Any text: a file path, a name.
    Text {
        /// The value of a new instance.
        default: &'static str,
    },
}

/// One choice of a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The permanent id.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A one-line description.
    pub doc: &'static str,
}

/// Names that nodes and deformers of Maya have already (its technical documentation: the nodes `deformableShape`,
/// `geometryFilter`, `weightGeometryFilter` and their parents).
const TAKEN: [&str; 12] = [
    "message",
    "caching",
    "frozen",
    "is_historically_interesting",
    "node_state",
    "bin_membership",
    "input",
    "output",
    "envelope",
    "function",
    "weights",
    "weight_list",
];

/// A name for a host's attribute that no other port or parameter of the node has, nor the host itself: `out_` and the
/// id for an output, `of_` and the id where hosts have that name already. Permanent, as ids are.
fn host_name(id: &str, output: bool) -> String {
    match output {
        true => format!("out_{id}"),
        false if TAKEN.contains(&id) => format!("of_{id}"),
        false => id.to_string(),
    }
}

impl Direction {
    /// The name in reference pages and messages.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Input => "input",
            Direction::Output => "output",
        }
    }
}

impl Quantity {
    /// The name in reference pages.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Scalar => "scalar",
            Quantity::Position => "position",
            Quantity::Displacement => "displacement",
            Quantity::Direction => "direction",
            Quantity::Transform => "transform",
            Quantity::Uv => "uv",
            Quantity::Index => "index",
            Quantity::Length => "length",
        }
    }

    /// The number of components that the quantity prescribes, if any.
    pub fn components(self) -> Option<u32> {
        match self {
            Quantity::Position | Quantity::Displacement | Quantity::Direction => Some(3),
            Quantity::Transform => Some(16),
            Quantity::Uv => Some(2),
            Quantity::Scalar | Quantity::Index | Quantity::Length => None,
        }
    }
}

impl PortKind {
    /// Numbers per item; 0 for a mesh.
    pub fn components(self) -> u32 {
        match self {
            PortKind::Reals { components } | PortKind::Ints { components } => components,
            PortKind::Mesh => 0,
        }
    }

    /// The name in reference pages and messages.
    pub fn name(self) -> &'static str {
        match self {
            PortKind::Reals { .. } => "reals",
            PortKind::Ints { .. } => "ints",
            PortKind::Mesh => "mesh",
        }
    }
}

impl ParamKind {
    /// The name in reference pages and messages.
    pub fn name(&self) -> &'static str {
        match self {
            ParamKind::Bool { .. } => "bool",
            ParamKind::Int { .. } => "int",
            ParamKind::Real { .. } => "real",
            ParamKind::Choice { .. } => "choice",
            ParamKind::Text { .. } => "text",
        }
    }
}

impl Port {
    /// The fields that most inputs share, for struct update: an optional number per vertex.
    pub const INPUT: Port = Port {
        id: "",
        title: "",
        doc: "",
        direction: Direction::Input,
        kind: PortKind::Reals { components: 1 },
        domain: Domain::Vertex(BODY),
        items: "",
        quantity: Quantity::Scalar,
        at_rest: false,
        unit: Unit::None,
        range: None,
        required: false,
        paintable: false,
        default: None,
        group: "",
        ignores: &[],
        counted_by: "",
        radii: "",
        between: "",
        index_of: "",
    };

    /// Whether it is the body before bones move it: places of its vertices in each frame that a node can do without.
    pub fn is_before_bones(&self) -> bool {
        self.direction == Direction::Input
            && self.domain == Domain::Vertex(BODY)
            && self.quantity == Quantity::Position
            && !self.at_rest
            && !self.required
    }

    /// The name of a host's attribute for it.
    pub fn host_name(&self) -> String {
        host_name(self.id, self.direction == Direction::Output)
    }

    /// Whether the numbers are integers.
    pub fn is_whole(&self) -> bool {
        matches!(self.kind, PortKind::Ints { .. }) || self.quantity == Quantity::Index
    }
}

impl Param {
    /// The default of a choice or a text, as text; empty for others.
    pub fn default_text(&self) -> &'static str {
        match self.kind {
            ParamKind::Choice { default, choices } => choices[default].id,
            ParamKind::Text { default } => default,
            ParamKind::Bool { .. } | ParamKind::Int { .. } | ParamKind::Real { .. } => "",
        }
    }

    /// The name of a host's attribute for it.
    pub fn host_name(&self) -> String {
        host_name(self.id, false)
    }

    /// Whether it may have another value in each frame: a number, a switch or a choice that does not restart the node.
    pub fn is_animatable(&self) -> bool {
        !self.panel.restarts && !matches!(self.kind, ParamKind::Text { .. })
    }

    /// Whether it is the path of a file, which the node reads; nodes write none.
    pub fn is_file(&self) -> bool {
        !self.panel.files.is_empty()
    }

    /// The choices of a choice; none for others.
    pub fn choices(&self) -> &'static [Choice] {
        match self.kind {
            ParamKind::Choice { choices, .. } => choices,
            ParamKind::Bool { .. }
            | ParamKind::Int { .. }
            | ParamKind::Real { .. }
            | ParamKind::Text { .. } => &[],
        }
    }
}

impl NodeDescriptor {
    /// The choices of another parameter for which a parameter is shown: bit k for choice k; none if it always is.
    pub fn shown_choices(&self, param: &Param) -> u64 {
        let Some((other, shown)) = param.panel.shown_when else { return 0 };
        let other = self.params.iter().find(|param| param.id == other);
        let choices = other.map_or(&[][..], Param::choices);
        let bits = choices.iter().enumerate().filter(|(_, choice)| shown.contains(&choice.id));
        bits.map(|(k, _)| 1 << k).sum()
    }

    /// The index in `ports` of the port with that direction and id.
    pub fn port_index(&self, direction: Direction, id: &str) -> Option<usize> {
        self.ports.iter().position(|p| p.direction == direction && p.id == id)
    }

    /// Whether an input or a parameter may change an output. Hosts that compute on demand compute it anew only then.
    pub fn affects(&self, from: &str, output: &str) -> Result<bool> {
        let wrong = |what: &str, id: &str| {
            Err(Error::new(Kind::NotFound, format!("no {what} \"{id}\"")).node(self.id))
        };
        let Some(output) = self.port_index(Direction::Output, output) else { return wrong("output", output) };
        if self.port_index(Direction::Input, from).is_none() && self.param_index(from).is_none() {
            return wrong("input or parameter", from);
        }
        Ok(!self.ports[output].ignores.contains(&from))
    }

    /// A mesh by its id.
    pub fn mesh(&self, id: &str) -> Option<&'static NodeMesh> {
        self.meshes.iter().find(|mesh| mesh.id == id)
    }

    /// The index in `params` of the parameter with that id.
    pub fn param_index(&self, id: &str) -> Option<usize> {
        self.params.iter().position(|p| p.id == id)
    }
}

#[cfg(test)]
mod tests;
