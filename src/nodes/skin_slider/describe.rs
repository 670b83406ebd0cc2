//! The descriptor of the skin slider.

use super::super::descriptor::{
    BODY, Direction, Domain, NodeDescriptor, NodeMesh, Port, PortKind, Quantity, Unit,
};
use super::params::PARAMS;

const VECTOR: PortKind = PortKind::Reals { components: 3 };

const INPUT: Port = Port { required: true, ..Port::INPUT };

const MAP: Port = Port { required: false, paintable: true, ..INPUT };
const OUTPUT: Port = Port { direction: Direction::Output, required: false, ..INPUT };

/// What changes neither the skin nor what is measured of it.
const BESIDE: &[&str] = &["riders", "uv_seams"];

/// The same, and what only decides how much is computed of it.
const BESIDE_SKIN: &[&str] = &["riders", "uv_seams", "outputs"];

/// The descriptor.
pub(in super::super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "skin_slider",
    number: 3,
    title: "Sliding Skin",
    doc: "Lets the skin slide over the animated body: the body keeps its shape, its texture moves. Without paint, \
          natural ties hold the skin where the body bends sharply (lips, eyelids, ears, nails) and at borders of the \
          mesh; see tie_reach.",
    stateful: true,
    state_version: 3,
    meshes: &[NodeMesh::BODY],
    ports: &[
        Port {
            id: "rest",
            title: "Rest Mesh",
            doc: "The body at rest, with UVs if slid UVs are wanted; before the first frame the skin matches it. \
                  Coincident vertices of two open edges that fit together are merged: the skin slides across, until a \
                  frame moves them apart by 5 % of the edge. A merged vertex takes the maximum of the maps fixed, \
                  hold and proxy_keep, the minimum of region, the mean of the other maps and the first direction; \
                  forces are summed. Faces without area carry no skin; if several faces have the same vertices, one \
                  of them carries skin and the others show it. Where more than two faces meet in an edge, the two \
                  that continue each other most smoothly are connected. Faces of opposite orientation, and faces that \
                  share only a vertex, are not connected; there, outputs per vertex are those of the first face. \
                  Vertices without skin stay where they are; on isolated triangles the skin is held.",
            kind: PortKind::Mesh,
            at_rest: true,
            group: "Body",
            ..INPUT
        },
        Port {
            id: "points",
            title: "Points",
            doc: "The vertices of the body in this frame.",
            kind: VECTOR,
            quantity: Quantity::Position,
            group: "Body",
            ..INPUT
        },
        Port {
            id: "acted",
            title: "Acted",
            doc: "The vertices of the body in this frame before bones move them, after its shapes: those of a face, \
                  correctives, anything that makes the mesh what its skin is. The skin is carried along by them, and \
                  slides only where bones move it. If not set, every motion of the body counts as one of bones. \
                  Not for the paper's integrator; in Dynamic mode, and where zeta is below 1, skin also lags behind \
                  shapes.",
            kind: VECTOR,
            quantity: Quantity::Position,
            default: Some(0.0),
            paintable: false,
            group: "Body",
            ..MAP
        },
        Port {
            id: "fixed",
            title: "Fixed",
            doc: "Where the skin is held to the body: values of 0.5 and more.",
            range: Some((0.0, 1.0)),
            default: Some(0.0),
            group: "Holding",
            ..MAP
        },
        Port {
            id: "hold",
            title: "Hold",
            doc: "How strongly the skin is held to the body: 0 is free, 1 is held, soft ties in between, for painted \
                  falloffs. At 0.5 a pull fades over about a twentieth of the body's size.",
            range: Some((0.0, 1.0)),
            default: Some(0.0),
            group: "Holding",
            ..MAP
        },
        Port {
            id: "region",
            title: "Region",
            doc: "Where the skin is computed: values of 0.5 and more; elsewhere it is held.",
            range: Some((0.0, 1.0)),
            default: Some(1.0),
            group: "Holding",
            ..MAP
        },
        Port {
            id: "slide",
            title: "Slide Direction",
            doc: "If not zero, the skin may move only along this direction of the body at rest, both ways.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            at_rest: true,
            default: Some(0.0),
            group: "Holding",
            ..MAP
        },
        Port {
            id: "anchor",
            title: "Anchor",
            doc: "Multiplies the stiffness of the soft ties between skin and body.",
            range: Some((0.0, 1e6)),
            default: Some(0.0),
            group: "Holding",
            ..MAP
        },
        Port {
            id: "thickness_map",
            title: "Thickness Map",
            doc: "Multiplies the thickness.",
            range: Some((1e-3, 1e3)),
            default: Some(1.0),
            group: "Material",
            ..MAP
        },
        Port {
            id: "stiffness",
            title: "Stiffness Map",
            doc: "Multiplies Young's modulus.",
            range: Some((1e-3, 1e3)),
            default: Some(1.0),
            group: "Material",
            ..MAP
        },
        Port {
            id: "density_map",
            title: "Density Map",
            doc: "Multiplies the density.",
            range: Some((1e-3, 1e3)),
            default: Some(1.0),
            group: "Material",
            ..MAP
        },
        Port {
            id: "prestrain",
            title: "Prestrain",
            doc: "The pre-stretch of the skin in the rest pose: 0.1 is 10 % longer than when relaxed.",
            range: Some((-0.5, 2.0)),
            default: Some(0.0),
            group: "Material",
            ..MAP
        },
        Port {
            id: "fibres",
            title: "Fibre Direction",
            doc: "The direction of the fibres of the orthotropic material, on the skin at rest.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            at_rest: true,
            default: Some(0.0),
            group: "Material",
            ..MAP
        },
        Port {
            id: "proxy_keep",
            title: "Proxy Keep",
            doc: "Vertices that the proxy must keep: values of 0.5 and more.",
            range: Some((0.0, 1.0)),
            default: Some(0.0),
            group: "Proxy",
            ..MAP
        },
        Port {
            id: "riders",
            title: "Riders",
            doc: "Places on the body at rest that ride on the skin: hair roots, decals, curves.",
            kind: VECTOR,
            quantity: Quantity::Position,
            at_rest: true,
            domain: Domain::Free,
            default: Some(0.0),
            paintable: false,
            items: "rider",
            group: "Riders",
            ..MAP
        },
        Port {
            id: "forces",
            title: "Forces",
            doc: "Forces on the skin in N, one vector per vertex.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            default: Some(0.0),
            paintable: false,
            unit: Unit::Newton,
            group: "Forces",
            ..MAP
        },
        Port {
            id: "rows",
            title: "Rows",
            doc: "General constraints G v = g, entry by entry: the row, counted from 0, and a vertex in it.",
            kind: PortKind::Ints { components: 2 },
            quantity: Quantity::Index,
            domain: Domain::Free,
            paintable: false,
            items: "row entry",
            group: "Constraints",
            ..MAP
        },
        Port {
            id: "row_vectors",
            title: "Row Vectors",
            doc: "For each entry of rows, the coefficients of the velocity at which the skin slides over that vertex, \
                  as seen on the body at rest.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            at_rest: true,
            domain: Domain::Free,
            default: Some(0.0),
            paintable: false,
            items: "row entry",
            group: "Constraints",
            ..MAP
        },
        Port {
            id: "row_speeds",
            title: "Row Speeds",
            doc: "For each row, the right-hand side: the value that the sum over its entries must have, per second; 0 \
                  if not set.",
            quantity: Quantity::Length,
            domain: Domain::Free,
            default: Some(0.0),
            paintable: false,
            items: "row",
            group: "Constraints",
            ..MAP
        },
        Port {
            id: "skin_points",
            title: "Skin Points",
            doc: "For each vertex, the point on the body at rest whose material is there now.",
            kind: VECTOR,
            quantity: Quantity::Position,
            at_rest: true,
            group: "Skin",
            ignores: BESIDE_SKIN,
            ..OUTPUT
        },
        Port {
            id: "skin_faces",
            title: "Skin Faces",
            doc: "The face of the mesh at rest in which that point lies.",
            quantity: Quantity::Index,
            group: "Skin",
            ignores: BESIDE_SKIN,
            index_of: "face",
            ..OUTPUT
        },
        Port {
            id: "skin_weights",
            title: "Skin Weights",
            doc: "The weights of that point in its triangle; faces with more corners are cut into triangles.",
            kind: VECTOR,
            group: "Skin",
            ignores: BESIDE_SKIN,
            ..OUTPUT
        },
        Port {
            id: "uvs",
            title: "Slid UVs",
            doc: "The UVs of each corner after sliding; all corners of a face are in one chart.",
            kind: PortKind::Reals { components: 2 },
            domain: Domain::Corner(BODY),
            quantity: Quantity::Uv,
            group: "Skin",
            ignores: &["riders", "outputs"],
            ..OUTPUT
        },
        Port {
            id: "slid_points",
            title: "Slid Points",
            doc: "Where the skin of each vertex at rest is on the body now.",
            kind: VECTOR,
            quantity: Quantity::Position,
            group: "Sliding",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "slide_vector",
            title: "Slide Vector",
            doc: "From each vertex to where its own skin is now, along the body.",
            kind: VECTOR,
            quantity: Quantity::Displacement,
            group: "Sliding",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "slide_distance",
            title: "Slide Distance",
            doc: "How far the skin at each vertex has slid, measured at rest.",
            quantity: Quantity::Length,
            group: "Sliding",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "stretch",
            title: "Stretch",
            doc: "The larger and the smaller principal stretch of the skin: current length divided by relaxed length.",
            kind: PortKind::Reals { components: 2 },
            group: "Stretch and Tension",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "stretch_direction",
            title: "Stretch Direction",
            doc: "The direction of the larger principal stretch on the body.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            group: "Stretch and Tension",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "tension",
            title: "Tension",
            doc: "The larger and the smaller principal tension in N/m.",
            kind: PortKind::Reals { components: 2 },
            unit: Unit::NewtonPerMetre,
            group: "Stretch and Tension",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "wrinkle_amplitude",
            title: "Wrinkle Amplitude",
            doc: "The height of wrinkles relative to their wavelength; 0 if there are none.",
            group: "Wrinkles",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "wrinkle_crests",
            title: "Wrinkle Crests",
            doc: "The direction of wrinkle crests on the body; zero if there are none.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            group: "Wrinkles",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "load",
            title: "Load",
            doc: "The force of the skin on the body at each vertex in N.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            unit: Unit::Newton,
            group: "Load",
            ignores: BESIDE,
            ..OUTPUT
        },
        Port {
            id: "rider_points",
            title: "Rider Points",
            doc: "Where the riders are now.",
            kind: VECTOR,
            quantity: Quantity::Position,
            domain: Domain::Free,
            items: "rider",
            group: "Riders",
            ignores: &["uv_seams"],
            ..OUTPUT
        },
        Port {
            id: "rider_matrices",
            title: "Rider Matrices",
            doc: "The transform of each rider, and of whatever is attached to it, from rest to now: it rotates with \
                  the skin but does not stretch.",
            kind: PortKind::Reals { components: 16 },
            quantity: Quantity::Transform,
            domain: Domain::Free,
            items: "rider",
            group: "Riders",
            ignores: &["uv_seams"],
            ..OUTPUT
        },
        Port {
            id: "rider_inside",
            title: "Rider Inside",
            doc: "1 where the rider's skin is on the body, 0 where it has left it.",
            domain: Domain::Free,
            items: "rider",
            group: "Riders",
            ignores: &["uv_seams"],
            ..OUTPUT
        },
    ],
    params: PARAMS,
};
