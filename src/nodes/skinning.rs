//! The `skinning` node: joints move vertices.

use super::descriptor::{
    BODY, Choice, Direction, Domain, NodeDescriptor, NodeMesh, Panel, Param, ParamKind, Port, PortKind,
    Quantity, Unit,
};
use super::node::{Node, Report, Warnings};
use super::time::Timing;
use super::value::{Inputs, Map, Outputs};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Real, linear};
use sinew_skinning::{Method, PerVertex, Pose, Scratch, Skinner, Weights};
use std::time::Instant;

const INTS: PortKind = PortKind::Ints { components: 1 };

pub(super) const INPUT: Port = Port { required: true, group: "Skinning", ..Port::INPUT };

pub(super) const MAP: Port = Port { range: Some((0.0, 1.0)), required: false, paintable: true, ..INPUT };

pub(super) const SKINNING: Panel = Panel::of("Skinning");

const VECTOR: PortKind = PortKind::Reals { components: 3 };
const MATRIX: PortKind = PortKind::Reals { components: 16 };

pub(super) const POINTS: Port = Port {
    id: "points",
    title: "Points",
    doc: "The vertices in the rest pose.",
    kind: VECTOR,
    quantity: Quantity::Position,
    at_rest: true,
    ..INPUT
};

pub(super) const REST_JOINTS: Port = Port {
    id: "rest_joints",
    title: "Rest Joints",
    doc: "Where each joint is in the rest pose: joint space to world, invertible.",
    kind: MATRIX,
    domain: Domain::Joint,
    quantity: Quantity::Transform,
    at_rest: true,
    ..INPUT
};

pub(super) const JOINTS: Port = Port {
    id: "joints",
    title: "Joints",
    doc: "Where each joint is now: joint space to world.",
    kind: MATRIX,
    domain: Domain::Joint,
    quantity: Quantity::Transform,
    ..INPUT
};

pub(super) const INFLUENCE_COUNTS: Port = Port {
    id: "influence_counts",
    title: "Influence Counts",
    doc: "The number of joints that influence each vertex.",
    kind: INTS,
    ..INPUT
};

pub(super) const INFLUENCE_JOINTS: Port = Port {
    id: "influence_joints",
    title: "Influence Joints",
    doc: "The joint of each influence.",
    kind: INTS,
    domain: Domain::Influence(BODY),
    quantity: Quantity::Index,
    counted_by: "influence_counts",
    index_of: "joint",
    ..INPUT
};

pub(super) const INFLUENCE_WEIGHTS: Port = Port {
    id: "influence_weights",
    title: "Influence Weights",
    doc: "The weight of each influence, not negative; one that an exporter rounded to less than 0, by no more than \
          1e-6, is 0.",
    domain: Domain::Influence(BODY),
    counted_by: "influence_counts",
    ..INPUT
};

pub(super) const BLEND: Port = Port {
    id: "blend",
    title: "Blend",
    doc: "For the method blend_map: 0 is linear, 1 is dual quaternions.",
    default: Some(0.0),
    ..MAP
};

pub(super) const MOVED_POINTS: Port = Port {
    id: "points",
    title: "Points",
    doc: "The moved vertices.",
    direction: Direction::Output,
    kind: VECTOR,
    quantity: Quantity::Position,
    required: false,
    ..INPUT
};

/// How the joints of a vertex are combined.
pub(super) const METHOD: Param = Param {
    id: "method",
    title: "Method",
    doc: "How the joints of a vertex are combined.",
    unit: Unit::None,
    kind: ParamKind::Choice {
        default: 0,
        choices: &[
            Choice { id: "linear", title: "Linear", doc: "The weighted sum of the matrices." },
            Choice {
                id: "dual_quaternion",
                title: "Dual Quaternions",
                doc: "The weighted sum of the dual quaternions: twists keep their volume.",
            },
            Choice { id: "blend_map", title: "Blend Map", doc: "Both, mixed by the map blend." },
        ],
    },
    panel: SKINNING,
};

pub(super) const NORMALIZE: Param = Param {
    id: "normalize",
    title: "Normalize Weights",
    doc: "Divides the weights of a vertex by their sum; when off, a sum that is not 1 is an error.",
    unit: Unit::None,
    kind: ParamKind::Bool { default: true },
    panel: SKINNING.advanced(),
};

/// The descriptor.
pub(super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "skinning",
    number: 4,
    title: "Skinning",
    doc: "Moves vertices with joints, by linear blending, dual quaternions, or both mixed by a map.",
    stateful: false,
    state_version: 1,
    meshes: &[NodeMesh::BODY],
    ports: &[
        POINTS,
        REST_JOINTS,
        JOINTS,
        INFLUENCE_COUNTS,
        INFLUENCE_JOINTS,
        INFLUENCE_WEIGHTS,
        BLEND,
        Port {
            id: "envelope_map",
            title: "Envelope Map",
            doc: "How strongly each vertex follows the joints, multiplied by the parameter envelope.",
            default: Some(1.0),
            ..MAP
        },
        MOVED_POINTS,
    ],
    params: &[
        METHOD,
        NORMALIZE,
        Param {
            id: "envelope",
            title: "Envelope",
            doc: "How strongly the vertices follow the joints.",
            unit: Unit::None,
            kind: ParamKind::Real { default: 1.0, min: 0.0, max: 1.0 },
            panel: SKINNING.slider(0.0, 1.0, 0.01),
        },
    ],
};

/// The node; nothing evolves, so all of it is derived from the inputs.
#[derive(Default)]
struct Skinning {
    layer: JointLayer,
}

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(Skinning::default())
}

/// What joints do to vertices, for all nodes with the ports above.
#[derive(Default)]
pub(super) struct JointLayer {
    model: Option<(Key, Skinner)>,
    /// Whether what is wrong with the weights has been reported.
    reported: bool,
    scratch: Scratch,
    /// Where the joints are at rest and now.
    pub(super) rest: Vec<Affine>,
    pub(super) joints: Vec<Affine>,
}

/// What the model was built from.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Key {
    revisions: [u64; 4],
    normalize: bool,
}

impl JointLayer {
    /// Reads the joints and builds the model of these inputs.
    pub(super) fn prepare(&mut self, inputs: &Inputs) -> Result<()> {
        read_transforms(inputs.reals("joints")?, &mut self.joints);
        self.build(inputs)
    }

    /// Builds the model, only when what it is built from changed.
    pub(super) fn build(&mut self, inputs: &Inputs) -> Result<()> {
        let ports = ["influence_counts", "influence_joints", "influence_weights", "rest_joints"];
        let mut revisions = [0; 4];
        for (revision, port) in revisions.iter_mut().zip(ports) {
            *revision = inputs.revision(port)?;
        }
        let key = Key { revisions, normalize: inputs.flag("normalize")? };
        if self.model.as_ref().is_some_and(|(built, _)| *built == key) {
            return Ok(());
        }
        (self.model, self.reported) = (None, false);
        self.read_rest(inputs)?;
        let weights = Weights::new(
            inputs.ints("influence_counts")?,
            inputs.ints("influence_joints")?,
            inputs.reals("influence_weights")?,
            self.rest.len(),
            key.normalize,
        )
        .map_err(|e| e.port("influence_weights"))?;
        let skinner = Skinner::new(weights, &self.rest).map_err(|e| e.port("rest_joints"))?;
        self.model = Some((key, skinner));
        Ok(())
    }

    /// Reads where the joints are at rest.
    pub(super) fn read_rest(&mut self, inputs: &Inputs) -> Result<()> {
        read_transforms(inputs.reals("rest_joints")?, &mut self.rest);
        Ok(())
    }

    /// The model once it is built, and what it was built from.
    pub(super) fn model(&self) -> Result<&(Key, Skinner)> {
        self.model.as_ref().ok_or_else(missing)
    }

    /// Whether all joints mirror what they carry.
    pub(super) fn mirror(&self) -> bool {
        let turned_over =
            |(now, rest): (&Affine, &Affine)| linear(now).determinant() * linear(rest).determinant() < 0.0;
        !self.joints.is_empty() && self.joints.iter().zip(&self.rest).all(turned_over)
    }

    /// What is wrong with the weights.
    pub(super) fn wrong(&self) -> Vec<String> {
        self.model.iter().flat_map(|(_, skinner)| warnings(skinner.weights())).collect()
    }

    /// The same, once for each model until it is forgotten that it was reported.
    pub(super) fn news(&mut self) -> Vec<String> {
        if std::mem::replace(&mut self.reported, true) { Vec::new() } else { self.wrong() }
    }

    pub(super) fn forget_reported(&mut self) {
        self.reported = false;
    }

    /// Moves the points. `envelope` says how much of the motion they take.
    pub(super) fn step(
        &mut self,
        inputs: &Inputs,
        envelope: (PerVertex, Real),
        out: &mut [Real],
    ) -> Result<()> {
        let pose = Pose {
            joints: &self.joints,
            method: inputs.pick("method", &[Method::Linear, Method::DualQuaternion, Method::Blend])?,
            blend: per_vertex(inputs.map("blend")?),
            envelope_map: envelope.0,
            envelope: envelope.1,
        };
        let (_, skinner) = self.model.as_ref().ok_or_else(missing)?;
        skinner.step(&mut self.scratch, &pose, inputs.reals("points")?, out)
    }
}

fn missing() -> Error {
    Error::new(Kind::Internal, "the model is missing after it was built")
}

impl Node for Skinning {
    fn descriptor(&self) -> &'static NodeDescriptor {
        &DESCRIPTOR
    }

    fn step(
        &mut self,
        _: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let start = Instant::now();
        self.layer.prepare(inputs)?;
        let prepared = Instant::now();
        control.check()?;
        let envelope = (per_vertex(inputs.map("envelope_map")?), inputs.real("envelope")?);
        let out = outputs.reals("points", inputs.reals("points")?.len() / 3)?;
        self.layer.step(inputs, envelope, out)?;
        let stages =
            vec![("prepare", (prepared - start).as_secs_f64() * 1e3), ("deform", milliseconds(prepared))];
        let mut reported = Warnings::new(control);
        reported.extend(self.layer.news());
        Ok(Report { warnings: reported.into_list(), stages, ..Report::default() })
    }

    fn foresee(&mut self, inputs: &Inputs) -> Result<Vec<String>> {
        self.layer.build(inputs)?;
        Ok(self.layer.wrong())
    }

    fn reset(&mut self) {
        self.layer.forget_reported();
    }
}

fn warnings(weights: &Weights) -> Vec<String> {
    match weights.unweighted() {
        (count, Some(first)) => {
            vec![format!(
                "vertices without weights stay where they are: {count}, the first is vertex {first}"
            )]
        }
        _ => Vec::new(),
    }
}

pub(super) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

pub(super) fn per_vertex(map: Map<'_>) -> PerVertex<'_> {
    match map {
        Map::Values(values) => PerVertex::Values(values),
        Map::Constant(value) => PerVertex::Constant(value),
    }
}

fn read_transforms(rows: &[Real], out: &mut Vec<Affine>) {
    out.clear();
    out.extend(rows.chunks_exact(16).map(|m| Affine::from_row_slice(&m[..12])));
}
