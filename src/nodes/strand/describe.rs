//! The descriptor of the strands.

use super::super::descriptor::{Direction, Domain, NodeDescriptor, Port, PortKind, Quantity, Unit};
use super::params::PARAMS;

const VECTOR: PortKind = PortKind::Reals { components: 3 };
const MATRIX: PortKind = PortKind::Reals { components: 16 };

const INPUT: Port = Port { domain: Domain::Free, ..Port::INPUT };

const OUTPUT: Port = Port { direction: Direction::Output, ..INPUT };

/// What moves the scene, but does not change what is in it.
const MOTION: &[&str] = &[
    "led_matrices",
    "activations",
    "goal_joints",
    "goal_motions",
    "goal_bodies",
    "goal_points",
    "goal_places",
    "step",
    "gravity",
    "preroll",
    "first_frame",
    "fps",
    "goal_time",
    "goal_place_weight",
    "details",
];

/// The descriptor.
pub(in super::super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "strand",
    number: 5,
    title: "Strands",
    doc: "Moves tendons, muscles, bones and joints: the host's joints lead bodies, muscles pull the others. The \
          report names bodies, joints, strands and muscles in the order of the ports.",
    stateful: true,
    state_version: 1,
    meshes: &[],
    ports: &[
        Port {
            id: "led_matrices",
            title: "Led Matrices",
            doc: "Where the led bodies are in this frame: body space to world, rigid, in the order of the output \
                  led_bodies. If not set, the scene's keys lead them. In scenes these are the bodies with mode led, in \
                  a finger the wrist and the metacarpal.",
            kind: MATRIX,
            items: "led body",
            quantity: Quantity::Transform,
            group: "Motion",
            ..INPUT
        },
        Port {
            id: "activations",
            title: "Activations",
            doc: "The activation of each muscle, as a fraction of its strength. If not set, the scene's own; 0 for a \
                  finger.",
            range: Some((0.0, 1.0)),
            items: "muscle",
            group: "Motion",
            ..INPUT
        },
        Port {
            id: "goal_joints",
            title: "Goal Joints",
            doc: "Joint motions that the muscles are to reach; activations are then computed, not given. Each item: \
                  the joint, and the motion: 0 to 2 rotate about x, y, z, 3 to 5 translate along them. Without any \
                  goal the scene's apply, unless activations are given.",
            kind: PortKind::Ints { components: 2 },
            quantity: Quantity::Index,
            items: "joint goal",
            group: "Goals",
            ..INPUT
        },
        Port {
            id: "goal_motions",
            title: "Goal Motions",
            doc: "For each item of goal_joints, the value to reach: degrees for rotations, metres (whatever the host's \
                  unit) for translations.",
            items: "joint goal",
            unit: Unit::DegreeOrMetre,
            group: "Goals",
            ..INPUT
        },
        Port {
            id: "goal_bodies",
            title: "Goal Bodies",
            doc: "Bodies that muscles are to bring somewhere, such as a finger's last bone.",
            kind: PortKind::Ints { components: 1 },
            quantity: Quantity::Index,
            items: "place goal",
            group: "Goals",
            index_of: "body",
            ..INPUT
        },
        Port {
            id: "goal_points",
            title: "Goal Points",
            doc: "For each item of goal_bodies, the point on the body to be moved, in the body's space.",
            kind: VECTOR,
            quantity: Quantity::Position,
            items: "place goal",
            group: "Goals",
            ..INPUT
        },
        Port {
            id: "goal_places",
            title: "Goal Places",
            doc: "For each item of goal_bodies, the target of that point, in the world.",
            kind: VECTOR,
            quantity: Quantity::Position,
            items: "place goal",
            group: "Goals",
            ..INPUT
        },
        Port {
            id: "body_matrices",
            title: "Body Matrices",
            doc: "Where each body is: body space to world, with the axes that the scene gives it; for a finger's bone \
                  their origin is its proximal joint.",
            kind: MATRIX,
            quantity: Quantity::Transform,
            items: "body",
            group: "Bodies",
            ignores: &["details"],
            ..OUTPUT
        },
        Port {
            id: "led_bodies",
            title: "Led Bodies",
            doc: "The bodies that led_matrices lead, counted from 0.",
            quantity: Quantity::Index,
            items: "led body",
            group: "Bodies",
            ignores: MOTION,
            index_of: "body",
            ..OUTPUT
        },
        Port {
            id: "joint_turns",
            title: "Joint Rotations",
            doc: "The rotation of each joint about its axes: a rotation vector in degrees, zero as modelled; a joint \
                  with a single rotation axis counts full turns.",
            kind: VECTOR,
            items: "joint",
            unit: Unit::Degree,
            group: "Joints",
            ignores: &["details"],
            ..OUTPUT
        },
        Port {
            id: "joint_moves",
            title: "Joint Translations",
            doc: "The translation of each joint along its axes.",
            kind: VECTOR,
            quantity: Quantity::Length,
            items: "joint",
            group: "Joints",
            ignores: &["details"],
            ..OUTPUT
        },
        Port {
            id: "strand_points",
            title: "Strand Points",
            doc: "The nodes of the strands as the points of curves, strand after strand.",
            kind: VECTOR,
            quantity: Quantity::Position,
            items: "strand node",
            group: "Strands",
            ignores: &["details"],
            counted_by: "strand_counts",
            radii: "strand_radii",
            ..OUTPUT
        },
        Port {
            id: "strand_counts",
            title: "Strand Counts",
            doc: "The number of nodes of each strand.",
            quantity: Quantity::Index,
            items: "strand",
            group: "Strands",
            ignores: MOTION,
            ..OUTPUT
        },
        Port {
            id: "strand_radii",
            title: "Strand Radii",
            doc: "The radius of each strand.",
            quantity: Quantity::Length,
            items: "strand",
            group: "Strands",
            ignores: MOTION,
            ..OUTPUT
        },
        Port {
            id: "strand_materials",
            title: "Strand Materials",
            doc: "The material coordinate of each node, as a length along the strand at rest: a texture along it \
                  slides and stretches with the strand.",
            quantity: Quantity::Length,
            items: "strand node",
            group: "Strands",
            ignores: &["details"],
            counted_by: "strand_counts",
            ..OUTPUT
        },
        Port {
            id: "strand_lengths",
            title: "Strand Lengths",
            doc: "The length of each strand along its path, from its first node to its last: excursion is the change \
                  in this length.",
            quantity: Quantity::Length,
            items: "strand",
            group: "Strands",
            ignores: &["details"],
            ..OUTPUT
        },
        Port {
            id: "tensions",
            title: "Tensions",
            doc: "The tension between each node and the next in N, strand after strand: one value fewer than the \
                  strand's nodes.",
            items: "strand segment",
            unit: Unit::Newton,
            group: "Strands",
            ignores: &["details"],
            between: "strand_points",
            ..OUTPUT
        },
        Port {
            id: "strand_cuts",
            title: "Strand Cuts",
            doc: "1 for each segment of a strand that was cut or ran off and should no longer be drawn, otherwise 0. \
                  In the order of the tensions.",
            items: "strand segment",
            group: "Strands",
            ignores: &["details"],
            between: "strand_points",
            ..OUTPUT
        },
        Port {
            id: "activations",
            title: "Activations",
            doc: "The activation of each muscle in this frame, as a fraction of its strength.",
            items: "muscle",
            group: "Muscles",
            ignores: &["details"],
            ..OUTPUT
        },
    ],
    params: PARAMS,
};
