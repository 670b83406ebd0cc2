//! The descriptor of the muscles.

use super::super::descriptor::{
    BODY, Direction, Domain, MadeMesh, NodeDescriptor, NodeMesh, Port, PortKind, Quantity, Unit,
};
use super::super::skinning::{
    BLEND, INFLUENCE_COUNTS, INFLUENCE_JOINTS, INFLUENCE_WEIGHTS, INPUT, JOINTS, MAP, MOVED_POINTS, POINTS,
    REST_JOINTS,
};
use super::params::PARAMS;

const VECTOR: PortKind = PortKind::Reals { components: 3 };
const INTS: PortKind = PortKind::Ints { components: 1 };

/// One value of each muscle.
const MUSCLE: Port = Port { domain: Domain::Free, items: "muscle", group: "Muscles", ..Port::INPUT };

/// The id of the muscles' own mesh.
const MUSCLES: &str = "muscles";

const MUSCLE_MESH: NodeMesh = NodeMesh {
    id: MUSCLES,
    title: "Muscles",
    doc: "The muscles, without those that are left out.",
    made: Some(MadeMesh {
        points: "muscle_points",
        face_sizes: "muscle_face_sizes",
        face_vertices: "muscle_face_vertices",
        parts: Some(["muscle_numbers", "muscles"]),
    }),
};

const OUTPUT: Port = Port { direction: Direction::Output, ..MUSCLE };

/// What moves the skin alone, or what is shown of the muscles under it, and does not change how it belongs to them.
const BLENDING: &[&str] = &[
    "influence_counts",
    "influence_joints",
    "influence_weights",
    "blend",
    "method",
    "normalize",
    "fat_map",
    "push_skin",
    "relax",
    "relax_map",
    "relax_rounds",
    "follow",
    "thinning",
    "under_skin",
];

/// What decides how the skin belongs to the muscles.
const BINDING: &[&str] = &[
    "points",
    "mesh",
    "muscle_map",
    "muscle_influence_counts",
    "muscle_influences",
    "muscle_weights",
    "muscle_weight_factors",
    "nearest",
    "reach",
    "smooth",
    "weight_factor",
];

/// What moves muscles, and the skin with them.
const MOVING: &[&str] = &[
    "joints",
    "activations",
    "flex",
    "tense_left_arm",
    "tense_right_arm",
    "tense_left_leg",
    "tense_right_leg",
    "tense_trunk",
    "length",
    "drag",
    "start",
    "bulge",
    "jiggle",
    "size_factor",
    "bulge_factor",
    "stiffness_factor",
    "damping_factor",
    "push_muscles",
    "push_bones",
];

/// What concerns the skin only: the muscles do not depend on it.
const SKIN: &[&str] = &joined::<{ BLENDING.len() + BINDING.len() }>(&[BLENDING, BINDING]);

/// What moves muscles and skin, but does not change how they belong together.
const MOTION: &[&str] = &joined::<{ BLENDING.len() + MOVING.len() }>(&[BLENDING, MOVING]);

/// What changes neither which muscles there are nor their faces.
const SKIN_AND_MOTION: &[&str] = &joined::<{ SKIN.len() + MOVING.len() + 1 }>(&[SKIN, MOVING, &["frames"]]);

/// Lists of ids as one.
const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let (mut all, mut at, mut k) = ([""; N], 0, 0);
    while k < lists.len() {
        let mut i = 0;
        while i < lists[k].len() {
            all[at] = lists[k][i];
            (at, i) = (at + 1, i + 1);
        }
        k += 1;
    }
    assert!(at == N);
    all
}

/// The descriptor.
pub(in super::super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "muscle_skin",
    number: 2,
    title: "Muscle Skin",
    doc: "Moves vertices with joints and with muscles that bulge and jiggle. The muscles come from a muscle set, from \
          arrays with one item per muscle, or from both: arrays override the set. Without muscles, joints alone move \
          the vertices. The report names the muscles.",
    stateful: true,
    state_version: 3,
    meshes: &[NodeMesh::BODY, MUSCLE_MESH],
    ports: &[
        POINTS,
        REST_JOINTS,
        JOINTS,
        INFLUENCE_COUNTS,
        INFLUENCE_JOINTS,
        INFLUENCE_WEIGHTS,
        BLEND,
        Port {
            id: "mesh",
            title: "Mesh",
            doc: "The mesh of the points at rest. Its normals keep muscles on the other side of the skin, such as \
                  those of the other thigh, from getting weights, and its faces say what relaxes together. If the \
                  points move, muscles are bound to this mesh.",
            kind: PortKind::Mesh,
            required: false,
            at_rest: true,
            group: "Muscles on the Skin",
            ..INPUT
        },
        Port {
            id: "muscle_map",
            title: "Muscle Map",
            doc: "How strongly each vertex follows the muscles; multiplies their weights. Where it follows their \
                  motion, the joints carry the rest.",
            default: Some(1.0),
            group: "Muscles on the Skin",
            ..MAP
        },
        Port {
            id: "muscle_influence_counts",
            title: "Muscle Influence Counts",
            doc: "For painted weights, the number of muscles that carry each vertex. If not set, weights are computed \
                  from distances.",
            kind: INTS,
            items: "painted vertex",
            group: "Muscles on the Skin",
            ..MUSCLE
        },
        Port {
            id: "muscle_influences",
            title: "Muscle Influences",
            doc: "The muscle of each painted weight.",
            kind: INTS,
            quantity: Quantity::Index,
            items: "painted weight",
            group: "Muscles on the Skin",
            counted_by: "muscle_influence_counts",
            index_of: "muscle",
            ..MUSCLE
        },
        Port {
            id: "muscle_weights",
            title: "Muscle Weights",
            doc: "The painted weights, not negative; those of a vertex are divided by their sum where it is more than \
                  1. One that an exporter rounded to less than 0, by no more than 1e-6, is 0. In jobs a table \
                  vertex,muscle,weight fills this and the two inputs before it.",
            items: "painted weight",
            group: "Muscles on the Skin",
            counted_by: "muscle_influence_counts",
            ..MUSCLE
        },
        Port {
            id: "fat_map",
            title: "Fat Map",
            doc: "How strongly the pads of the muscle set displace each vertex.",
            default: Some(1.0),
            group: "Muscles on the Skin",
            ..MAP
        },
        Port {
            id: "relax_map",
            title: "Relax Map",
            doc: "How much of the way each vertex goes to where skin that joints share is relaxed; multiplies the \
                  parameter relax.",
            default: Some(1.0),
            group: "Muscles on the Skin",
            ..MAP
        },
        Port {
            id: "activations",
            title: "Activations",
            doc: "The activation of each muscle, from 0 to 1, which makes it swell without shortening. Keyframed, or \
                  taken from the node strand. A muscle that has activated itself more by shortening (flex) keeps that.",
            range: Some((0.0, 1.0)),
            group: "Muscles",
            ..MUSCLE
        },
        Port {
            id: "muscle_origin_joints",
            title: "Muscle Origin Joints",
            doc: "The joint that carries the origin of each muscle.",
            kind: INTS,
            quantity: Quantity::Index,
            index_of: "joint",
            ..MUSCLE
        },
        Port {
            id: "muscle_insertion_joints",
            title: "Muscle Insertion Joints",
            doc: "The joint that carries the insertion of each muscle.",
            kind: INTS,
            quantity: Quantity::Index,
            index_of: "joint",
            ..MUSCLE
        },
        Port {
            id: "muscle_origins",
            title: "Muscle Origins",
            doc: "Where each muscle begins in the rest pose.",
            kind: VECTOR,
            quantity: Quantity::Position,
            at_rest: true,
            ..MUSCLE
        },
        Port {
            id: "muscle_insertions",
            title: "Muscle Insertions",
            doc: "Where each muscle ends in the rest pose.",
            kind: VECTOR,
            quantity: Quantity::Position,
            at_rest: true,
            ..MUSCLE
        },
        Port {
            id: "muscle_middles",
            title: "Muscle Middles",
            doc: "The offset from the midpoint between the ends of each muscle to the control point that bends it, in \
                  the rest pose.",
            kind: VECTOR,
            quantity: Quantity::Displacement,
            at_rest: true,
            ..MUSCLE
        },
        Port {
            id: "muscle_ups",
            title: "Muscle Up-Vectors",
            doc: "The up-vector that orients the rings of each muscle, in the rest pose; by default the y axis of the \
                  joint of its origin, or its z axis for a muscle along y (with z up: its z axis, or its y axis \
                  reversed).",
            kind: VECTOR,
            quantity: Quantity::Direction,
            at_rest: true,
            ..MUSCLE
        },
        Port {
            id: "muscle_rings",
            title: "Muscle Rings",
            doc: "The number of rings of each muscle, from 2.",
            kind: INTS,
            ..MUSCLE
        },
        Port {
            id: "muscle_divisions",
            title: "Muscle Divisions",
            doc: "The number of vertices of a ring of each muscle, from 3.",
            kind: INTS,
            ..MUSCLE
        },
        Port {
            id: "muscle_sizes",
            title: "Muscle Sizes",
            doc: "The largest radius of each muscle.",
            quantity: Quantity::Length,
            ..MUSCLE
        },
        Port {
            id: "muscle_tapers",
            title: "Muscle Tapers",
            doc: "The shape of each muscle: above 1 its ends become thin like tendons, below 1 blunt.",
            ..MUSCLE
        },
        Port {
            id: "muscle_girths",
            title: "Muscle Girths",
            doc: "Multiplies the width of each muscle in every pose. The skin is bound to the muscle as it is at 1, \
                  and moves with it.",
            ..MUSCLE
        },
        Port {
            id: "muscle_weight_factors",
            title: "Muscle Weight Factors",
            doc: "Multiplies the weights with which each muscle carries skin; those of a vertex add up to at most 1.",
            ..MUSCLE
        },
        Port {
            id: "muscle_bulges",
            title: "Muscle Bulges",
            doc: "How much each muscle widens as it shortens, beyond what its constant volume requires.",
            ..MUSCLE
        },
        Port {
            id: "muscle_stretch_ratios",
            title: "Muscle Stretch Ratios",
            doc: "When a muscle is stretched, its relative stretch is divided by this before the bulge is applied: \
                  larger values thin it less.",
            ..MUSCLE
        },
        Port {
            id: "muscle_swells",
            title: "Muscle Swells",
            doc: "How much wider full activation makes each muscle, as a fraction.",
            ..MUSCLE
        },
        Port {
            id: "muscle_flexes",
            title: "Muscle Flexes",
            doc: "How much each muscle activates itself as it shortens; multiplies the parameter flex.",
            ..MUSCLE
        },
        Port {
            id: "muscle_masses",
            title: "Muscle Masses",
            doc: "The mass on the spring of each muscle.",
            unit: Unit::Kilogram,
            ..MUSCLE
        },
        Port {
            id: "muscle_stiffnesses",
            title: "Muscle Stiffnesses",
            doc: "The stiffness of the spring of each muscle.",
            unit: Unit::NewtonPerMetre,
            ..MUSCLE
        },
        Port {
            id: "muscle_dampings",
            title: "Muscle Dampings",
            doc: "The damping of the spring of each muscle: 0 jiggles for ever, 1 does not overshoot.",
            ..MUSCLE
        },
        Port {
            id: "muscle_offsets",
            title: "Muscle Offsets",
            doc: "Sculpted shapes: the offset of each vertex, ring after ring and muscle after muscle, along the \
                  muscle and the two axes of the ring. Muscles that are left out have theirs, too.",
            kind: VECTOR,
            quantity: Quantity::Length,
            items: "muscle vertex",
            ..MUSCLE
        },
        MOVED_POINTS,
        Port {
            id: "carried",
            title: "Carried by Muscles",
            doc: "How much of each vertex is carried by muscles, from 0 to 1.",
            domain: Domain::Vertex(BODY),
            items: "",
            group: "Skinning",
            ignores: MOTION,
            ..OUTPUT
        },
        Port {
            id: "muscle_points",
            title: "Muscle Points",
            doc: "The vertices of the muscles, for display and shading: ring after ring, muscle after muscle.",
            kind: VECTOR,
            quantity: Quantity::Position,
            domain: Domain::Vertex(MUSCLES),
            items: "muscle vertex",
            ..OUTPUT
        },
        Port {
            id: "muscle_face_sizes",
            title: "Muscle Face Sizes",
            doc: "The number of corners of each face of the muscles.",
            kind: INTS,
            quantity: Quantity::Index,
            domain: Domain::Face(MUSCLES),
            items: "muscle face",
            ignores: SKIN_AND_MOTION,
            ..OUTPUT
        },
        Port {
            id: "muscle_face_vertices",
            title: "Muscle Face Vertices",
            doc: "The vertex of each corner of the muscles' faces, face by face, facing outwards.",
            kind: INTS,
            quantity: Quantity::Index,
            domain: Domain::Corner(MUSCLES),
            items: "muscle corner",
            ignores: SKIN_AND_MOTION,
            index_of: "vertex",
            ..OUTPUT
        },
        Port {
            id: "muscle_numbers",
            title: "Muscle Numbers",
            doc: "The muscle to which each vertex of the muscles belongs, in the order of the names in the report.",
            kind: INTS,
            quantity: Quantity::Index,
            domain: Domain::Vertex(MUSCLES),
            items: "muscle vertex",
            ignores: SKIN_AND_MOTION,
            index_of: "muscle",
            ..OUTPUT
        },
        Port {
            id: "muscle_faces",
            title: "Muscle Quads",
            doc: "The faces of the muscles as a table: the four vertices of each.",
            kind: PortKind::Reals { components: 4 },
            quantity: Quantity::Index,
            domain: Domain::Face(MUSCLES),
            items: "muscle face",
            ignores: SKIN_AND_MOTION,
            index_of: "vertex",
            ..OUTPUT
        },
        Port {
            id: "muscle_ring_counts",
            title: "Muscle Ring Counts",
            doc: "The number of rings of each muscle.",
            quantity: Quantity::Index,
            ignores: SKIN_AND_MOTION,
            ..OUTPUT
        },
        Port {
            id: "ring_matrices",
            title: "Ring Matrices",
            doc: "Where each ring is: x along the muscle, y and z across it, as sculpted offsets count them.",
            kind: PortKind::Reals { components: 16 },
            quantity: Quantity::Transform,
            items: "ring",
            ignores: SKIN,
            counted_by: "muscle_ring_counts",
            ..OUTPUT
        },
        Port {
            id: "muscle_lengths",
            title: "Muscle Lengths",
            doc: "The length of each muscle, as the parameter length measures it.",
            quantity: Quantity::Length,
            ignores: SKIN,
            ..OUTPUT
        },
        Port {
            id: "muscle_tensions",
            title: "Muscle Tensions",
            doc: "The force of the spring of each muscle.",
            unit: Unit::Newton,
            ignores: SKIN,
            ..OUTPUT
        },
    ],
    params: PARAMS,
};
