//! What feeds the nodes of a graph, and which of their outputs are written.

use super::Use;
use super::results::LayerChoice;
use super::schema::{Attribute, Line, elements, word_attribute};
use serde::{Serialize, Serializer};

elements! {
    /// What feeds an input of a node: one of `file`, `from` and `value`.
    "input" => InputElement {
        /// The id of the input; `sinew nodes TYPE` lists them.
        "port" port: String;
        /// A file that fits the input: a mesh or moving points (OBJ, PC2, MDD, ABC, USD), joints (CSV, BVH, USD), weights (CSV: vertex,joint,weight or vertex,muscle,weight), constraints, a map (CSV, JSON, PNG, EXR, JPEG, TIFF), or a table of numbers (CSV); a table whose first column is `frame` is animated.
        "file" file: Option<String>;
        /// For an animated file, the one frame to use throughout: a number, or `rest` for joints at rest.
        "frame" frame: Option<OneFrame>;
        /// An output of another node, as NODE.PORT.
        "from" from: Option<String>;
        /// Numbers that hold for all frames, separated by spaces; on a mesh, one value stands for every vertex.
        "value" value: Option<String>;
    }

    /// Which outputs of the nodes are written, into one folder.
    "outputs" => OutputsElement {
        /// The folder; created if missing.
        "folder" folder: String;
        /// What happens at a frame whose inputs are not finite.
        "broken" broken: Broken = "stop";
        /// Whether report.json and manifest.json are written as well.
        "report" report: bool = "yes";
        children {
            /// The files.
            writes: Vec<WriteElement>;
        }
    }

    /// A file, or one per frame, and what goes into it.
    "write" => WriteElement {
        /// The file's name in the folder. The extension selects the format: .abc, .usd, .usda, .usdc, .glb, .pc2 and .mdd hold all frames; .obj needs a placeholder for the frame (body.%04d.obj), .csv and .json may have one.
        "file" file: String;
        /// What goes into it: NODE.PORT, or NAME=NODE.PORT to rename it in the file, separated by spaces: points with UVs and maps, curves with their counts, or, for tables, any ports with equally many items.
        "from" from: String;
        /// A file with the faces of the points; if omitted, those of the mesh given to the node.
        "faces" faces: Option<String>;
        /// For curves, their radii, as NODE.PORT.
        "radii" radii: Option<String>;
        /// Whether the file is a layer: UVs and maps over the mesh in the file that fed the nodes, which must be kept next to it. By default it is one if no points are named and that file has the same format, USD or Alembic.
        "layer" layer: LayerChoice = "auto";
        /// For curves, a number for each segment between two points, as NODE.PORT: where it is not 0 the curve is cut, and each piece becomes a curve.
        "cuts" cuts: Option<String>;
        /// For curves, whether each becomes a group of its own, under the name that the node gives it.
        "groups" groups: bool = "no";
        /// For curves with a radius each, written to .obj: the number of sides of tubes drawn in place of lines. Their v is the first per-point number, or the distance along the curve if there is none.
        "tubes" tubes: Option<u32>;
        /// Whether the file stores the velocities of the points, in units per second, for motion blur: central differences between neighbouring samples. Alembic and USD support this.
        "velocities" velocities: bool = "no";
        /// For tables, what a row stands for, in the singular; if omitted, the port's item, or joint for matrices alone.
        "item" item: Option<String>;
    }
}

impl WriteElement {
    /// A file of these outputs alone, which is not a layer.
    pub fn new(file: String, from: String, line: Line) -> Self {
        WriteElement {
            file,
            from,
            faces: None,
            radii: None,
            layer: LayerChoice::No,
            cuts: None,
            groups: false,
            velocities: false,
            tubes: None,
            item: None,
            line,
        }
    }
}

word_attribute! {
    /// What happens at a frame whose inputs are not finite.
    Broken ("stop or keep") {
        /// The job stops there with an error.
        Stop = "stop",
        /// The last good result is written instead, and the job fails at the end.
        Keep = "keep",
    }
}

/// One frame of a file that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneFrame {
    /// The rest pose.
    Rest,
    /// The frame of that number.
    Number(i64),
}

impl Attribute for OneFrame {
    const EXPECTED: &'static str = "rest or the number of a frame";
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "rest" => Some(OneFrame::Rest),
            number => number.parse().ok().map(OneFrame::Number),
        }
    }
    fn text(&self) -> Option<String> {
        Some(match self {
            OneFrame::Rest => "rest".into(),
            OneFrame::Number(number) => number.to_string(),
        })
    }
}

impl Serialize for OneFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text().serialize(serializer)
    }
}

impl OutputsElement {
    /// File names that are relative to the scene's folder, not to the outputs'.
    pub(super) fn outer_files_mut(&mut self) -> impl Iterator<Item = (Use, &mut String)> {
        let faces = self.writes.iter_mut().filter_map(|e| e.faces.as_mut());
        std::iter::once((Use::Written, &mut self.folder)).chain(faces.map(|file| (Use::Read, file)))
    }
}
