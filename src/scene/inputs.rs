//! What feeds the nodes of a scene.

use super::schema::{Attribute, Line, elements};
use serde::{Serialize, Serializer};

elements! {
    /// What feeds an input of a node: one of `file`, `from` and `value`.
    "input" => InputElement {
        /// The id of the input; `sinew nodes TYPE` lists them.
        "port" port: String;
        /// A file that fits the input: a mesh (OBJ, ABC, USD, glTF), moving points (body.%04d.obj, PC2, MDD, ABC, USD,
        /// glTF; shot.abc/root/body names one mesh of several), joints (CSV: frame,joint,m00,...,m23, where the frame
        /// `rest` is the rest pose; BVH, USD, glTF), weights (CSV: vertex,joint,weight or vertex,muscle,weight; glTF),
        /// constraints (CSV: row,vertex,x,y,z and, where the right-hand side of a row is not 0, speed), a map (CSV,
        /// JSON, or PNG, EXR, JPEG, TIFF in UV space), or a table of numbers (CSV); a table whose first column is
        /// `frame` is animated. One table of weights or constraints feeds all inputs that belong together; a file of
        /// joints also feeds the joints at rest, if nothing else does.
        "file" file: Option<String>;
        /// For an animated file, the one frame to use throughout: a number, or `rest` for joints at rest, which inputs
        /// at rest take by default, and for the points of a mesh in USD or glTF without its pose.
        "frame" frame: Option<OneFrame>;
        /// An output of another node, as NODE.PORT.
        "from" from: Option<String>;
        /// Numbers that hold for all frames, separated by spaces; on a mesh, one value stands for every vertex.
        "value" value: Option<String>;
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

impl InputElement {
    /// An input that a file feeds.
    pub fn of_file(port: &str, file: String, line: Line) -> Self {
        InputElement { port: port.into(), file: Some(file), frame: None, from: None, value: None, line }
    }
}
