//! What hosts see of the skin slider.

use super::super::descriptor::{
    Choice, Direction, Domain, NodeDescriptor, Param, ParamKind, Port, PortKind, Quantity, Unit,
};

const VECTOR: PortKind = PortKind::Reals { components: 3 };

/// What the ports have in common; each names what differs.
const INPUT: Port = Port {
    id: "",
    title: "",
    doc: "",
    direction: Direction::Input,
    kind: PortKind::Reals { components: 1 },
    domain: Domain::Vertex,
    quantity: Quantity::Scalar,
    range: None,
    required: true,
    paintable: false,
    default: None,
};

const MAP: Port = Port { required: false, paintable: true, ..INPUT };
const OUTPUT: Port = Port { direction: Direction::Output, required: false, ..INPUT };

/// A number between two others.
const fn real(default: f64, min: f64, max: f64) -> ParamKind {
    ParamKind::Real { default, min, max }
}

/// What hosts see.
pub(in super::super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "skin_slider",
    title: "Skin Slider",
    doc: "Lets the skin slide over the animated body: the body stays as it is, its texture moves.",
    state_version: 1,
    ports: &[
        Port {
            id: "rest",
            title: "Rest Mesh",
            doc: "The body at rest, with UVs when slid UVs are wanted; before the first frame the skin matches it.",
            kind: PortKind::Mesh,
            ..INPUT
        },
        Port {
            id: "points",
            title: "Points",
            doc: "The vertices of the body in this frame.",
            kind: VECTOR,
            quantity: Quantity::Position,
            ..INPUT
        },
        Port {
            id: "fixed",
            title: "Fixed",
            doc: "Where the skin is held to the body: from 0.5 on.",
            range: Some((0.0, 1.0)),
            default: Some(0.0),
            ..MAP
        },
        Port {
            id: "region",
            title: "Region",
            doc: "Where the skin is computed: from 0.5 on; elsewhere it is held.",
            range: Some((0.0, 1.0)),
            default: Some(1.0),
            ..MAP
        },
        Port {
            id: "slide",
            title: "Slide Direction",
            doc: "Where not zero, the skin may move only along this direction of the body at rest, both ways.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            default: Some(0.0),
            paintable: false,
            ..MAP
        },
        Port {
            id: "anchor",
            title: "Anchor",
            doc: "Times the stiffness of the soft ties between skin and body.",
            range: Some((0.0, 1e6)),
            default: Some(0.0),
            ..MAP
        },
        Port {
            id: "thickness_map",
            title: "Thickness Map",
            doc: "Times the thickness.",
            range: Some((1e-3, 1e3)),
            default: Some(1.0),
            ..MAP
        },
        Port {
            id: "stiffness",
            title: "Stiffness Map",
            doc: "Times Young's modulus.",
            range: Some((1e-3, 1e3)),
            default: Some(1.0),
            ..MAP
        },
        Port {
            id: "density_map",
            title: "Density Map",
            doc: "Times the density.",
            range: Some((1e-3, 1e3)),
            default: Some(1.0),
            ..MAP
        },
        Port {
            id: "prestrain",
            title: "Prestrain",
            doc: "How much longer than at ease the skin is at rest: 0.1 is 10 %.",
            range: Some((-0.5, 2.0)),
            default: Some(0.0),
            ..MAP
        },
        Port {
            id: "fibres",
            title: "Fibre Direction",
            doc: "The direction of the fibres of the orthotropic material, on the skin at rest.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            default: Some(0.0),
            paintable: false,
            ..MAP
        },
        Port {
            id: "proxy_keep",
            title: "Proxy Keep",
            doc: "Vertices that the proxy must keep: from 0.5 on.",
            range: Some((0.0, 1.0)),
            default: Some(0.0),
            ..MAP
        },
        Port {
            id: "riders",
            title: "Riders",
            doc: "Places on the body at rest that ride on the skin: hair roots, decals, curves.",
            kind: VECTOR,
            quantity: Quantity::Position,
            domain: Domain::Free,
            default: Some(0.0),
            paintable: false,
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
            ..MAP
        },
        Port {
            id: "rows",
            title: "Rows",
            doc: "General constraints G v = g, entry by entry: the row, from 0, and a vertex in it.",
            kind: PortKind::Ints { components: 2 },
            quantity: Quantity::Index,
            domain: Domain::Free,
            paintable: false,
            ..MAP
        },
        Port {
            id: "row_vectors",
            title: "Row Vectors",
            doc: "For each entry of rows what the velocity is multiplied with at which the skin slides over that vertex, as seen \
                  on the body at rest.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            domain: Domain::Free,
            default: Some(0.0),
            paintable: false,
            ..MAP
        },
        Port {
            id: "row_speeds",
            title: "Row Speeds",
            doc: "For each row what the sum over its entries must be, per second; 0 where there are none.",
            quantity: Quantity::Length,
            domain: Domain::Free,
            default: Some(0.0),
            paintable: false,
            ..MAP
        },
        Port {
            id: "skin_points",
            title: "Skin Points",
            doc: "For each vertex the point on the body at rest whose material is there now.",
            kind: VECTOR,
            quantity: Quantity::Position,
            ..OUTPUT
        },
        Port {
            id: "skin_faces",
            title: "Skin Faces",
            doc: "The face of the mesh at rest in which that point lies.",
            quantity: Quantity::Index,
            ..OUTPUT
        },
        Port {
            id: "skin_weights",
            title: "Skin Weights",
            doc: "The weights of that point in its triangle; faces with more corners are cut into triangles.",
            kind: VECTOR,
            ..OUTPUT
        },
        Port {
            id: "uvs",
            title: "Slid UVs",
            doc: "The UVs of each corner after sliding; all corners of a face are in one chart.",
            kind: PortKind::Reals { components: 2 },
            domain: Domain::Corner,
            quantity: Quantity::Uv,
            ..OUTPUT
        },
        Port {
            id: "slid_points",
            title: "Slid Points",
            doc: "Where the skin of each vertex at rest is on the body now.",
            kind: VECTOR,
            quantity: Quantity::Position,
            ..OUTPUT
        },
        Port {
            id: "slide_vector",
            title: "Slide Vector",
            doc: "From each vertex to where its own skin is now, along the body.",
            kind: VECTOR,
            quantity: Quantity::Displacement,
            ..OUTPUT
        },
        Port {
            id: "slide_distance",
            title: "Slide Distance",
            doc: "How far the skin that is at each vertex came, measured at rest.",
            quantity: Quantity::Length,
            ..OUTPUT
        },
        Port {
            id: "stretch",
            title: "Stretch",
            doc: "The larger and the smaller stretch of the skin: length now by length at ease.",
            kind: PortKind::Reals { components: 2 },
            ..OUTPUT
        },
        Port {
            id: "stretch_direction",
            title: "Stretch Direction",
            doc: "The direction of the larger stretch on the body.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            ..OUTPUT
        },
        Port {
            id: "tension",
            title: "Tension",
            doc: "The larger and the smaller tension in N/m.",
            kind: PortKind::Reals { components: 2 },
            ..OUTPUT
        },
        Port {
            id: "wrinkle_amplitude",
            title: "Wrinkle Amplitude",
            doc: "How high wrinkles are, as a part of their length; 0 without.",
            ..OUTPUT
        },
        Port {
            id: "wrinkle_crests",
            title: "Wrinkle Crests",
            doc: "The direction of the crests of wrinkles on the body; zero without.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            ..OUTPUT
        },
        Port {
            id: "load",
            title: "Load",
            doc: "The force of the skin on the body at each vertex in N.",
            kind: VECTOR,
            quantity: Quantity::Direction,
            ..OUTPUT
        },
        Port {
            id: "rider_points",
            title: "Rider Points",
            doc: "Where the riders are now.",
            kind: VECTOR,
            quantity: Quantity::Position,
            domain: Domain::Free,
            ..OUTPUT
        },
        Port {
            id: "rider_inside",
            title: "Rider Inside",
            doc: "1 where the rider's skin is on the body, 0 where it has left it.",
            domain: Domain::Free,
            ..OUTPUT
        },
    ],
    params: &[
        Param {
            id: "mode",
            title: "Mode",
            doc: "Whether the skin has inertia.",
            unit: Unit::None,
            kind: ParamKind::Choice {
                default: 0,
                choices: &[
                    Choice { id: "quasistatic", doc: "Every frame is the equilibrium of the skin." },
                    Choice { id: "dynamic", doc: "The skin lags behind, overshoots and comes to rest." },
                ],
            },
        },
        Param {
            id: "integrator",
            title: "Integrator",
            doc: "Which method computes the skin.",
            unit: Unit::None,
            kind: ParamKind::Choice {
                default: 0,
                choices: &[
                    Choice {
                        id: "production",
                        doc: "Implicit, once per frame or substep; stable at any frame rate.",
                    },
                    Choice {
                        id: "paper",
                        doc: "The published algorithm in steps of 1 ms over an atlas, always dynamic: slow, for reference. Its residual is the fastest velocity in m/s.",
                    },
                ],
            },
        },
        Param {
            id: "atlas",
            title: "Atlas",
            doc: "The coordinates in which the paper's integrator computes; the production integrator needs none.",
            unit: Unit::None,
            kind: ParamKind::Choice {
                default: 0,
                choices: &[
                    Choice { id: "uvs", doc: "The UVs of the rest mesh, with their islands and seams." },
                    Choice {
                        id: "quads",
                        doc: "Square charts made for the rest mesh, closed or with borders; it needs no UVs.",
                    },
                ],
            },
        },
        Param {
            id: "material",
            title: "Material",
            doc: "How the skin resists being stretched.",
            unit: Unit::None,
            kind: ParamKind::Choice {
                default: 0,
                choices: &[
                    Choice { id: "stvk", doc: "St. Venant-Kirchhoff: linear in Green's strain." },
                    Choice { id: "neo_hookean", doc: "A stable neo-Hookean membrane." },
                    Choice { id: "fung", doc: "Exponential: soft at first, stiff beyond." },
                    Choice { id: "orthotropic", doc: "Stiffer along the map fibres than across." },
                ],
            },
        },
        Param {
            id: "young",
            title: "Young's Modulus",
            doc: "Stiffness at small strains; human skin has about 20,000 to 100,000 Pa.",
            unit: Unit::Pascal,
            kind: real(3e4, 1.0, 1e9),
        },
        Param {
            id: "poisson",
            title: "Poisson's Ratio",
            doc: "How much the skin narrows when it is stretched.",
            unit: Unit::None,
            kind: real(0.4, -0.9, 0.95),
        },
        Param {
            id: "fung_exponent",
            title: "Fung Exponent",
            doc: "For fung: how fast it stiffens.",
            unit: Unit::None,
            kind: real(8.0, 0.01, 1e3),
        },
        Param {
            id: "fibre_ratio",
            title: "Fibre Ratio",
            doc: "For orthotropic: how many times stiffer the skin is along the fibres.",
            unit: Unit::None,
            kind: real(3.0, 1.0, 100.0),
        },
        Param {
            id: "thickness",
            title: "Thickness",
            doc: "The thickness of the skin.",
            unit: Unit::Metre,
            kind: real(2e-3, 1e-6, 1.0),
        },
        Param {
            id: "density",
            title: "Density",
            doc: "The density of the skin.",
            unit: Unit::KilogramPerCubicMetre,
            kind: real(1100.0, 1.0, 1e5),
        },
        Param {
            id: "zeta",
            title: "Zeta",
            doc: "The share of the body's motion along its own surface that carries the skin along: 1 sticks, 0 stays in space.",
            unit: Unit::None,
            kind: real(1.0, 0.0, 1.0),
        },
        Param {
            id: "delta_max",
            title: "Delta Max",
            doc: "The longest motion of the body within 1 ms that can carry the skin; 0 for any.",
            unit: Unit::Metre,
            kind: real(0.0, 0.0, 1e3),
        },
        Param {
            id: "friction_time",
            title: "Friction Time",
            doc: "For dynamic: after this time sliding has lost 63 % of its speed; 0 for no friction.",
            unit: Unit::Second,
            kind: real(0.0, 0.0, 1e6),
        },
        Param {
            id: "gravity",
            title: "Gravity",
            doc: "For dynamic and quasistatic: the acceleration downwards in m/s^2.",
            unit: Unit::None,
            kind: real(0.0, -1e3, 1e3),
        },
        Param {
            id: "anchor_soft",
            title: "Anchor Stiffness",
            doc: "Times the map anchor: the stiffness of the ties in N/m while they are short.",
            unit: Unit::None,
            kind: real(1.0, 0.0, 1e9),
        },
        Param {
            id: "anchor_stiff",
            title: "Anchor Stiff Stiffness",
            doc: "Times the map anchor: their stiffness in N/m beyond the toe.",
            unit: Unit::None,
            kind: real(20.0, 0.0, 1e9),
        },
        Param {
            id: "anchor_toe",
            title: "Anchor Toe",
            doc: "How far the skin slides before the ties become stiff.",
            unit: Unit::Metre,
            kind: real(0.005, 0.0, 1e3),
        },
        Param {
            id: "substeps",
            title: "Substeps",
            doc: "Steps per frame; 0 for as many as the mode needs: 1 in quasistatic, one per 1/192 s in dynamic.",
            unit: Unit::None,
            kind: ParamKind::Int { default: 0, min: 0, max: 10_000 },
        },
        Param {
            id: "max_iterations",
            title: "Max Iterations",
            doc: "Newton steps after which a step keeps the best so far.",
            unit: Unit::None,
            kind: ParamKind::Int { default: 30, min: 1, max: 10_000 },
        },
        Param {
            id: "tolerance",
            title: "Tolerance",
            doc: "A step is done when no point is farther from its place than this part of an edge, as far as Newton's method \
                  can tell.",
            unit: Unit::None,
            kind: real(1e-6, 1e-12, 1.0),
        },
        Param {
            id: "proxy_triangles",
            title: "Proxy Triangles",
            doc: "Compute on so many triangles of the mesh and carry the result over; 0 for all.",
            unit: Unit::None,
            kind: ParamKind::Int { default: 0, min: 0, max: 100_000_000 },
        },
        Param {
            id: "proxy_check",
            title: "Proxy Check",
            doc: "Also compute on all triangles and report how far the proxy is off; slow.",
            unit: Unit::None,
            kind: ParamKind::Bool { default: false },
        },
        Param {
            id: "outputs",
            title: "Outputs",
            doc: "What is computed besides the skin itself; the rest stays empty, which saves time on large meshes.",
            unit: Unit::None,
            kind: ParamKind::Choice {
                default: 0,
                choices: &[
                    Choice { id: "all", doc: "Everything, slid points and riders too." },
                    Choice { id: "measures", doc: "The skin, its UVs and all measures." },
                    Choice { id: "skin", doc: "The skin and its UVs." },
                ],
            },
        },
        Param {
            id: "fps",
            title: "Frames Per Second",
            doc: "For the length of the first frame.",
            unit: Unit::None,
            kind: real(24.0, 1e-3, 1e5),
        },
    ],
};
