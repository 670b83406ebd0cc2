//! Scenes as plain data: what a farm job does, in one file. Paths are kept as written in the file; whoever reads it
//! resolves them against the scene's folder.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod faults;
pub mod few;
pub mod frames;
mod inputs;
pub mod muscles;
mod outputs;
pub mod quantity;
pub mod schema;
pub mod sides;
pub mod spoken;
pub mod strand;

use frames::FrameRange;
pub use inputs::{InputElement, OneFrame};
pub use outputs::{
    BakeElement, BakeKind, Broken, CacheElement, FloatDepth, LayerChoice, OutputsElement, Packing,
    PaddedElement, PageElement, RideElement, StMapDepth, StMapElement, TablesElement, WriteElement,
};
use schema::{Attribute, Form, Line, elements, words};
use serde::{Serialize, Serializer};
use sinew_geometry::{Boundary, UvSmoothing};
use sinew_math::{Space, UpAxis};

elements! {
    /// A scene: nodes with their inputs, the frames, and where the result goes.
    "sinew" => Scene {
        /// The version of this file format.
        "version" version: Version = "1";
        children {
            /// Units and axes of all files.
            space: Option<SpaceElement>;
            /// The frames.
            frames: Option<FramesElement>;
            /// The nodes.
            nodes: Vec<NodeElement>;
            /// What is written.
            outputs: Option<OutputsElement>;
        }
    }

    /// The unit of length and the up axis of all files of the scene. Without it: metres, y up.
    "space" => SpaceElement {
        /// How long one unit is, in metres: 0.01 for centimetres.
        "metres_per_unit" metres_per_unit: f64 = "1";
        /// The axis that points up.
        "up" up: UpAxis = "y";
    }

    /// Which frames are computed. Without it: all frames of the first file that moves, at its rate.
    "frames" => FramesElement {
        /// The frames; all if omitted.
        "range" range: Option<FrameRange>;
        /// Frames per second; if omitted, the rate of the animated file (Alembic, USD, glTF, MDD, BVH), otherwise 24.
        /// Files at another rate are refused, unless they have samples at whole frames of this one; meshes in USD, and
        /// meshes and joints in glTF, are interpolated.
        "fps" fps: Option<f64>;
        /// How many samples of a frame are computed, for motion blur: with 4, also those at 1.25, 1.5 and 1.75 between
        /// frames 1 and 2. Alembic, USD and the other files that hold all frames contain every sample; tables and files
        /// of one frame contain whole frames only. Animated files without a sample at such a time are interpolated
        /// linearly between their neighbouring samples.
        "samples" samples: u32 = "1";
    }

    /// A node. `sinew nodes` lists the types with their ports and parameters.
    "node" => NodeElement {
        /// The id of the node's type.
        "type" kind: String;
        /// The name by which other nodes and outputs refer to it; its type if omitted.
        "name" name: Option<String>;
        /// Whether each frame continues from the least that it needs of the one before, as nodes in Maya and Blender
        /// do: then the results are theirs to the last bit. Skin then takes up to three times as long where a body
        /// moves little.
        "lean" lean: bool = "no";
        children {
            /// Its parameters.
            params: Vec<ParamElement>;
            /// What feeds its inputs.
            inputs: Vec<InputElement>;
            /// Marks its meshes as cages of subdivision surfaces.
            subdivide: Option<SubdivideElement>;
        }
    }

    /// A parameter of the node: one of `value` and `file`.
    "param" => ParamElement {
        /// The id of the parameter.
        "id" id: String;
        /// Its value, in the unit that `sinew nodes` lists.
        "value" value: Option<String>;
        /// For a parameter that changes, a table (CSV) of two columns, `frame` and `value`, with a row for each frame.
        /// Samples between two frames have the value of the first.
        "file" file: Option<String>;
    }

    /// The mesh at rest and the body are Catmull-Clark cages; the skin slides on their limit surface.
    "subdivide" => SubdivideElement {
        /// The number of subdivisions: each level splits a face into four.
        "level" level: u32 = "2";
        /// The cage's open borders.
        "boundary" boundary: Boundary = "edge_and_corner";
        /// How UVs are smoothed, named after OpenSubdiv's options.
        "uvs" uvs: UvSmoothing = "corners_plus1";
    }
}

impl SpaceElement {
    /// The element that declares a space; none for metres with y up, which need none.
    pub fn of(space: Space) -> Option<Self> {
        let (metres_per_unit, up) = (space.metres_per_unit(), space.up());
        (space != Space::default()).then_some(SpaceElement { metres_per_unit, up, line: Line(0) })
    }

    /// The space that it declares.
    pub fn space(&self) -> sinew_base::error::Result<Space> {
        Space::new(self.metres_per_unit, self.up)
    }
}

impl ParamElement {
    /// A parameter with one value, which is on no line of a file.
    pub fn of(id: &str, value: impl Into<String>) -> Self {
        ParamElement { id: id.into(), value: Some(value.into()), file: None, line: Line(0) }
    }
}

impl NodeElement {
    /// The name by which others refer to it.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.kind)
    }

    /// Feeds an input from a file, in place of what fed it before.
    pub fn feed(&mut self, port: &str, file: String) {
        self.inputs.retain(|input| input.port != port);
        self.inputs.push(InputElement::of_file(port, file, Line(0)));
    }
}

impl SubdivideElement {
    /// That level, with the default rules.
    pub fn to_level(level: u32) -> Self {
        let (boundary, uvs) = (Boundary::default(), UvSmoothing::default());
        SubdivideElement { level, boundary, uvs, line: Line(0) }
    }
}

/// What a scene does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is read.
    Read,
    /// The file, or a folder, is written.
    Written,
}

impl Scene {
    /// A scene of one node of that type, with nothing else set yet.
    pub fn of_node(kind: &str) -> Self {
        let line = Line(0);
        let (name, params, inputs) = (None, Vec::new(), Vec::new());
        let node =
            NodeElement { kind: kind.into(), name, lean: false, params, inputs, subdivide: None, line };
        Scene { version: Version, space: None, frames: None, nodes: vec![node], outputs: None, line }
    }

    /// The scene without its output folder: the results do not depend on it.
    pub fn anywhere(&self) -> Self {
        let mut scene = self.clone();
        scene.outputs.iter_mut().for_each(|outputs| outputs.folder.clear());
        scene
    }

    /// The scene without what is derived from the nodes' results: the nodes compute the same whatever that is.
    pub fn solving(&self) -> Self {
        let mut scene = self.anywhere();
        scene.outputs.iter_mut().for_each(OutputsElement::leave_riders);
        scene
    }

    /// The names of all files, mutable, so that they can be resolved against another folder.
    pub fn files_mut(&mut self) -> impl Iterator<Item = (Use, &mut String)> {
        let outputs = self.outputs.iter_mut().flat_map(OutputsElement::outer_files_mut);
        let read = self.nodes.iter_mut().flat_map(|node| {
            let inputs = node.inputs.iter_mut().filter_map(|input| input.file.as_mut());
            inputs.chain(node.params.iter_mut().filter_map(|param| param.file.as_mut()))
        });
        read.map(|file| (Use::Read, file)).chain(outputs)
    }
}

/// The version of the scene format; there is one so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version;

impl Attribute for Version {
    const EXPECTED: &'static str = "1 (the only version so far)";
    const FORM: Form = Form::Choice(&["1"]);
    fn parse(text: &str) -> Option<Self> {
        (text.trim() == "1").then_some(Version)
    }
    fn text(&self) -> Option<String> {
        Some("1".into())
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(1)
    }
}

words! {
    UpAxis ("y or z") {
        Y = "y",
        Z = "z",
    }
}

words! {
    Boundary ("edge_only or edge_and_corner") {
        EdgeOnly = "edge_only",
        EdgeAndCorner = "edge_and_corner",
    }
}

words! {
    UvSmoothing ("smooth, corners_only, corners_plus1, corners_plus2, boundaries or linear") {
        Smooth = "smooth",
        CornersOnly = "corners_only",
        CornersPlus1 = "corners_plus1",
        CornersPlus2 = "corners_plus2",
        Boundaries = "boundaries",
        Linear = "linear",
    }
}
