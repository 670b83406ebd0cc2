//! Scenes as plain data: what a farm job does, in one file. Paths are as they stand in the file; whoever reads it finds
//! them from the folder of the scene.

pub mod frames;
pub mod schema;
pub mod strand;
pub mod strand_frame;
pub mod tendon_hand;

use crate::math::UpAxis;
use frames::FrameRange;
use schema::{Attribute, elements};
use serde::{Serialize, Serializer};

elements! {
    /// A scene: nodes with what goes into them, the frames, and where the result goes.
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
        }
    }

    /// The unit of length and the up axis of all files of the scene. Without it: metres, y up.
    "space" => SpaceElement {
        /// How long one unit is, in metres: 0.01 for centimetres.
        "metres_per_unit" metres_per_unit: f64 = "1";
        /// The axis that points up.
        "up" up: UpAxis = "y";
    }

    /// Which frames are computed. Without it: all that the joints have, at 24 frames per second.
    "frames" => FramesElement {
        /// The frames; all when left out.
        "range" range: Option<FrameRange>;
        /// Frames per second.
        "fps" fps: f64 = "24";
    }

    /// A node. `sinew nodes` lists the types with their ports and parameters.
    "node" => NodeElement {
        /// The id of the node's type.
        "type" kind: String;
        children {
            /// Its parameters.
            params: Vec<ParamElement>;
            /// The mesh at rest.
            mesh: Option<MeshElement>;
            /// The joints.
            joints: Option<JointsElement>;
            /// The weights.
            weights: Option<WeightsElement>;
            /// Its painted maps.
            maps: Vec<MapElement>;
            /// Where the result goes.
            output: Option<OutputElement>;
        }
    }

    /// A parameter of the node.
    "param" => ParamElement {
        /// The id of the parameter.
        "id" id: String;
        /// Its value, in the unit that `sinew nodes` tells.
        "value" value: String;
    }

    /// The mesh at rest.
    "mesh" => MeshElement {
        /// An OBJ file.
        "file" file: String;
    }

    /// The joints at rest and in every frame.
    "joints" => JointsElement {
        /// A table: frame,joint,m00,...,m23; the frame `rest` holds the rest pose.
        "file" file: String;
    }

    /// Which joints move which vertices.
    "weights" => WeightsElement {
        /// A table: vertex,joint,weight.
        "file" file: String;
    }

    /// A painted map.
    "map" => MapElement {
        /// The id of the port.
        "port" port: String;
        /// A table (CSV, JSON), or an image in UV space (PNG, EXR).
        "file" file: String;
    }

    /// Where the moved points go.
    "output" => OutputElement {
        /// A point cache (PC2, MDD), or an OBJ sequence with a place for the frame: out.%04d.obj.
        "file" file: String;
    }
}

impl Scene {
    /// The names of all files, to be found from another folder.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.nodes.iter_mut().flat_map(|node| {
            let mesh = node.mesh.iter_mut().map(|e| &mut e.file);
            let joints = node.joints.iter_mut().map(|e| &mut e.file);
            let weights = node.weights.iter_mut().map(|e| &mut e.file);
            let maps = node.maps.iter_mut().map(|e| &mut e.file);
            let output = node.output.iter_mut().map(|e| &mut e.file);
            mesh.chain(joints).chain(weights).chain(maps).chain(output)
        })
    }
}

/// The version of the scene format; there is one so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version;

impl Attribute for Version {
    const EXPECTED: &'static str = "1 (other versions are not known yet)";
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

impl Attribute for UpAxis {
    const EXPECTED: &'static str = "y or z";
    fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "y" => Some(UpAxis::Y),
            "z" => Some(UpAxis::Z),
            _ => None,
        }
    }
    fn text(&self) -> Option<String> {
        Some(if *self == UpAxis::Y { "y".into() } else { "z".into() })
    }
}

impl Serialize for UpAxis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text().unwrap_or_default())
    }
}
