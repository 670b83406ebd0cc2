//! What feeds the nodes of a graph, and what is written of what they give.

use super::Use;
use super::results::LayerChoice;
use super::schema::{Attribute, elements, word_attribute};
use serde::{Serialize, Serializer};

elements! {
    /// What feeds an input of a node: one of `file`, `from` and `value`.
    "input" => InputElement {
        /// The id of the input; `sinew nodes TYPE` lists them.
        "port" port: String;
        /// A file that fits the input: a mesh or moving points (OBJ, PC2, MDD, ABC, USD), joints (CSV, BVH, USD), weights, constraints, a map (CSV, JSON, PNG, EXR), or a table of numbers (CSV); a table whose first column is `frame` moves.
        "file" file: Option<String>;
        /// Of a file that moves, the one frame that holds for all: a number, or `rest` for joints at rest.
        "frame" frame: Option<OneFrame>;
        /// An output of another node, as NODE.PORT.
        "from" from: Option<String>;
        /// Numbers that hold for all frames, with spaces between; on a mesh, one value stands for every vertex.
        "value" value: Option<String>;
    }

    /// What is written of what the nodes give, into one folder.
    "outputs" => OutputsElement {
        /// The folder; it is made when it is missing.
        "folder" folder: String;
        /// What happens at a frame whose inputs are not finite.
        "broken" broken: Broken = "stop";
        /// Whether report.json and manifest.json are written, too.
        "report" report: bool = "yes";
        children {
            /// The files.
            writes: Vec<WriteElement>;
        }
    }

    /// A file, or one per frame, and what goes into it.
    "write" => WriteElement {
        /// Its name in the folder. The ending tells the format: .abc, .usd, .usda, .usdc, .glb, .pc2 and .mdd hold all frames; .obj wants a place for the frame (body.%04d.obj), .csv and .json may have one.
        "file" file: String;
        /// What goes into it, as NODE.PORT, or NAME=NODE.PORT to call it so in the file, with spaces between: points with UVs and maps, curves with their counts, or, into tables, anything of which there are equally many.
        "from" from: String;
        /// A file with the faces of the points; when left out those of the mesh that the node was given.
        "faces" faces: Option<String>;
        /// For curves their radii, as NODE.PORT.
        "radii" radii: Option<String>;
        /// Whether the file is a layer: UVs and maps over the mesh in the file that fed the nodes, which stays beside it. It is, where no points are named and that file has the same format, USD or Alembic.
        "layer" layer: LayerChoice = "auto";
        /// For curves a number for each segment, from a point to the next, as NODE.PORT: where it is not 0 the curve is cut, and each piece of it is a curve.
        "cuts" cuts: Option<String>;
        /// For curves whether each is a group of its own, with the name that the node gives it.
        "groups" groups: bool = "no";
        /// For curves with a radius each: how many corners tubes have around, which are drawn in place of lines, into .obj; their v is the first of the numbers on points, without one the way along the curve.
        "tubes" tubes: Option<u32>;
        /// Whether the file tells how fast the points move, in units per second, for motion blur: from the moment before to the one after. Alembic and USD can.
        "velocities" velocities: bool = "no";
        /// For tables what a row is of, in the singular; when left out what the port is of, and joint where matrices are alone.
        "item" item: Option<String>;
    }
}

word_attribute! {
    /// What happens at a frame whose inputs are not finite.
    Broken ("stop or keep") {
        /// The job stops there with an error.
        Stop = "stop",
        /// The last good result stands in for it, and the job fails in the end.
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
    /// The names of files that count from the scene's folder, not from the outputs'.
    pub(super) fn outer_files_mut(&mut self) -> impl Iterator<Item = (Use, &mut String)> {
        let faces = self.writes.iter_mut().filter_map(|e| e.faces.as_mut());
        std::iter::once((Use::Written, &mut self.folder)).chain(faces.map(|file| (Use::Read, file)))
    }
}
