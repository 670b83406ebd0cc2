//! The descriptor of the strands.

use super::super::descriptor::{Direction, Domain, NodeDescriptor, Port, PortKind, Quantity, Unit};
use super::params::PARAMS;

const ONE: PortKind = PortKind::Reals { components: 1 };
const VECTOR: PortKind = PortKind::Reals { components: 3 };
const MATRIX: PortKind = PortKind::Reals { components: 16 };

/// The ports' common fields; each port overrides what differs.
const INPUT: Port = Port {
    id: "",
    title: "",
    doc: "",
    direction: Direction::Input,
    kind: ONE,
    domain: Domain::Free,
    items: "",
    quantity: Quantity::Scalar,
    unit: Unit::None,
    range: None,
    required: false,
    paintable: false,
    default: None,
};

const OUTPUT: Port = Port { direction: Direction::Output, ..INPUT };

/// The descriptor.
pub(in super::super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "strand",
    title: "Strands",
    doc: "Moves tendons, muscles, bones and joints: the host's joints lead bodies, muscles pull the others. The report names \
          bodies, joints, strands and muscles in the order of the ports.",
    stateful: true,
    state_version: 1,
    ports: &[
        Port {
            id: "led_matrices",
            title: "Led Matrices",
            doc: "Where the led bodies are in this frame: body space to world, turned and moved only, in the order of the \
                  output led_bodies. Without it the scene's keys lead them. In scenes these are the bodies of the mode led, \
                  in a finger the wrist and the metacarpal.",
            kind: MATRIX,
            items: "led body",
            quantity: Quantity::Transform,
            ..INPUT
        },
        Port {
            id: "activations",
            title: "Activations",
            doc: "How much each muscle pulls, as a part of its strength. Without it the scene's own; of a finger 0.",
            range: Some((0.0, 1.0)),
            items: "muscle",
            ..INPUT
        },
        Port {
            id: "goal_joints",
            title: "Goal Joints",
            doc: "Motions of joints that muscles are to bring about, so that activations are chosen and not given: the joint, \
                  and which motion: 0 to 2 turn about x, y, z, 3 to 5 move along them. Without any goal those of the scene count, \
                  unless activations are given.",
            kind: PortKind::Ints { components: 2 },
            quantity: Quantity::Index,
            items: "joint goal",
            ..INPUT
        },
        Port {
            id: "goal_motions",
            title: "Goal Motions",
            doc: "For each item of goal_joints the value to reach: degrees for turns, metres (whatever the host's unit) for \
                  moves.",
            items: "joint goal",
            unit: Unit::DegreeOrMetre,
            ..INPUT
        },
        Port {
            id: "goal_bodies",
            title: "Goal Bodies",
            doc: "Bodies that muscles are to bring somewhere, such as a finger's last bone.",
            kind: PortKind::Ints { components: 1 },
            quantity: Quantity::Index,
            items: "place goal",
            ..INPUT
        },
        Port {
            id: "goal_points",
            title: "Goal Points",
            doc: "For each item of goal_bodies the point of the body, in the body's space, that is to go somewhere.",
            kind: VECTOR,
            quantity: Quantity::Position,
            items: "place goal",
            ..INPUT
        },
        Port {
            id: "goal_places",
            title: "Goal Places",
            doc: "For each item of goal_bodies where that point is to go, in the world.",
            kind: VECTOR,
            quantity: Quantity::Position,
            items: "place goal",
            ..INPUT
        },
        Port {
            id: "body_matrices",
            title: "Body Matrices",
            doc: "Where each body is: body space to world, with the axes that the scene gives it; of a finger's bone they \
                  lie in its proximal joint.",
            kind: MATRIX,
            quantity: Quantity::Transform,
            items: "body",
            ..OUTPUT
        },
        Port {
            id: "led_bodies",
            title: "Led Bodies",
            doc: "The bodies that led_matrices lead, counted from 0.",
            quantity: Quantity::Index,
            items: "led body",
            ..OUTPUT
        },
        Port {
            id: "joint_turns",
            title: "Joint Turns",
            doc: "How far each joint is turned about its axes: a rotation vector in degrees, zero as modelled; of a joint that turns about one axis only with whole turns.",
            kind: VECTOR,
            items: "joint",
            unit: Unit::Degree,
            ..OUTPUT
        },
        Port {
            id: "joint_moves",
            title: "Joint Moves",
            doc: "How far each joint is moved along its axes.",
            kind: VECTOR,
            quantity: Quantity::Length,
            items: "joint",
            ..OUTPUT
        },
        Port {
            id: "strand_points",
            title: "Strand Points",
            doc: "The nodes of the strands as the points of curves, strand after strand.",
            kind: VECTOR,
            quantity: Quantity::Position,
            items: "strand node",
            ..OUTPUT
        },
        Port {
            id: "strand_counts",
            title: "Strand Counts",
            doc: "How many nodes each strand has.",
            quantity: Quantity::Index,
            items: "strand",
            ..OUTPUT
        },
        Port {
            id: "strand_radii",
            title: "Strand Radii",
            doc: "The radius of each strand.",
            quantity: Quantity::Length,
            items: "strand",
            ..OUTPUT
        },
        Port {
            id: "strand_materials",
            title: "Strand Materials",
            doc: "The material at each node, as a length along the strand at rest: a texture along it slides and stretches \
                  as the strand does.",
            quantity: Quantity::Length,
            items: "strand node",
            ..OUTPUT
        },
        Port {
            id: "strand_lengths",
            title: "Strand Lengths",
            doc: "How long each strand is from its first node to its last, along its way: an excursion is the change of it.",
            quantity: Quantity::Length,
            items: "strand",
            ..OUTPUT
        },
        Port {
            id: "tensions",
            title: "Tensions",
            doc: "The tension between each node and the next in N, strand after strand: one less than a strand has nodes.",
            items: "strand segment",
            unit: Unit::Newton,
            ..OUTPUT
        },
        Port {
            id: "strand_cuts",
            title: "Strand Cuts",
            doc: "1 for each segment of a strand, from a node to the next, that is cut or ran off, and is to be drawn no more; \
                  else 0. In the order of the tensions.",
            items: "strand segment",
            ..OUTPUT
        },
        Port {
            id: "activations",
            title: "Activations",
            doc: "How much each muscle pulled, as a part of its strength.",
            items: "muscle",
            ..OUTPUT
        },
    ],
    params: PARAMS,
};
