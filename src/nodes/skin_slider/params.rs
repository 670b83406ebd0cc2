//! The parameters of the skin slider.

use super::super::descriptor::{Choice, Panel, Param, ParamKind, Unit};
use sinew_energy::{About, MATERIALS, Own};

/// A number within a range.
const fn real(default: f64, min: f64, max: f64) -> ParamKind {
    ParamKind::Real { default, min, max }
}

const SKIN: Panel = Panel::of("Skin");
const SLIDING: Panel = Panel::of("Sliding");
const TIES: Panel = Panel::of("Ties to the Body");
const SOLVER: Panel = Panel::of("Solver");
const SPEED: Panel = Panel::of("Speed");

/// In the order in which hosts show them.
pub(super) const PARAMS: &[Param] =
    &joined::<{ MATERIAL.len() + OWN.len() + SKIN_AND_SLIDING.len() }>([MATERIAL, &OWN, SKIN_AND_SLIDING]);

/// Concatenates lists.
const fn joined<const N: usize>(lists: [&[Param]; 3]) -> [Param; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut k, mut next) = (0, 0, 0);
    while list < lists.len() {
        if k < lists[list].len() {
            all[next] = lists[list][k];
            (k, next) = (k + 1, next + 1);
        } else {
            (list, k) = (list + 1, 0);
        }
    }
    all
}

/// A choice for each material.
const MATERIAL_CHOICES: [Choice; MATERIALS.len()] = {
    let mut choices = [Choice { id: "", title: "", doc: "" }; MATERIALS.len()];
    let mut k = 0;
    while k < choices.len() {
        let About { id, title, doc, .. } = *MATERIALS[k].about;
        choices[k] = Choice { id, title, doc };
        k += 1;
    }
    choices
};

/// The constants specific to materials, each shown with its material.
const OWN: [Param; count_own()] = {
    let mut params = [MATERIAL[0]; count_own()];
    let (mut k, mut next) = (0, 0);
    while k < MATERIALS.len() {
        let about = MATERIALS[k].about;
        if let Some(Own { id, title, doc, default, range: [min, max], slider: [low, high, step] }) = about.own
        {
            let panel = SKIN.slider(low, high, step).with("material", std::slice::from_ref(&about.id));
            params[next] = Param { id, title, doc, unit: Unit::None, kind: real(default, min, max), panel };
            next += 1;
        }
        k += 1;
    }
    params
};

const fn count_own() -> usize {
    let (mut k, mut count) = (0, 0);
    while k < MATERIALS.len() {
        count += MATERIALS[k].about.own.is_some() as usize;
        k += 1;
    }
    count
}

/// The constants common to all materials.
const MATERIAL: &[Param] = &[
    Param {
        id: "mode",
        title: "Mode",
        doc: "Whether the skin has inertia.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "quasistatic",
                    title: "Quasi-static",
                    doc: "Every frame is the equilibrium of the skin.",
                },
                Choice {
                    id: "dynamic",
                    title: "Dynamic",
                    doc: "The skin lags behind, overshoots and comes to rest.",
                },
            ],
        },
        panel: SKIN,
    },
    Param {
        id: "material",
        title: "Material",
        doc: "How the skin resists being stretched.",
        unit: Unit::None,
        kind: ParamKind::Choice { default: 1, choices: &MATERIAL_CHOICES },
        panel: SKIN,
    },
    Param {
        id: "young",
        title: "Stiffness",
        doc: "Young's modulus at small strains; that of human skin is about 20,000 to 100,000 Pa.",
        unit: Unit::Pascal,
        kind: real(3e4, 1.0, 1e9),
        panel: SKIN.slider(1e3, 2e5, 1e3),
    },
    Param {
        id: "poisson",
        title: "Poisson's Ratio",
        doc: "Poisson's ratio: how much the skin narrows when stretched; 0.5 keeps its volume, and no material exceeds \
              it.",
        unit: Unit::None,
        kind: real(0.4, -0.9, 0.5),
        panel: SKIN.slider(0.0, 0.5, 0.01).advanced(),
    },
];

/// The remaining parameters.
const SKIN_AND_SLIDING: &[Param] = &[
    Param {
        id: "thickness",
        title: "Thickness",
        doc: "The thickness of the skin.",
        unit: Unit::Metre,
        kind: real(2e-3, 1e-6, 1.0),
        panel: SKIN.slider(1e-4, 0.02, 1e-4),
    },
    Param {
        id: "density",
        title: "Density",
        doc: "The density of the skin.",
        unit: Unit::KilogramPerCubicMetre,
        kind: real(1100.0, 1.0, 1e5),
        panel: SKIN.slider(500.0, 2000.0, 10.0).advanced(),
    },
    Param {
        id: "zeta",
        title: "Carried by the Body",
        doc: "How much of the body's tangential motion the skin follows: at 1 it moves with the body, at 0 it stays \
              where it is in space.",
        unit: Unit::None,
        kind: real(1.0, 0.0, 1.0),
        panel: SLIDING.slider(0.0, 1.0, 0.01),
    },
    Param {
        id: "delta_max",
        title: "Carry Limit",
        doc: "The largest motion of the body within 1 ms that can carry the skin; 0 for no limit.",
        unit: Unit::Metre,
        kind: real(0.0, 0.0, 1e3),
        panel: SLIDING.slider(0.0, 0.1, 1e-3).advanced(),
    },
    Param {
        id: "friction_time",
        title: "Friction Time",
        doc: "In Dynamic mode, the time in which sliding loses 63 % of its speed; 0 for no friction, but then the skin \
              oscillates for a long time after every jerk.",
        unit: Unit::Second,
        kind: real(0.1, 0.0, 1e6),
        panel: SLIDING.slider(0.0, 2.0, 0.01).with("mode", &["dynamic"]),
    },
    Param {
        id: "gravity",
        title: "Gravity",
        doc: "How strongly the skin is pulled down: 9.81 on Earth, 0 for none.",
        unit: Unit::MetrePerSecondSquared,
        kind: real(0.0, -1e3, 1e3),
        panel: SLIDING.slider(-20.0, 20.0, 0.1),
    },
    Param {
        id: "uv_seams",
        title: "UVs at Seams",
        doc: "The side of a seam from which a face that slides over it takes its slid UVs.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "nearest",
                    title: "Nearest Side",
                    doc: "The side on which the centre of the face is: fits any texture, but jumps between two frames.",
                },
                Choice {
                    id: "held",
                    title: "Held",
                    doc: "The side on which the face was painted: UVs continue across the seam and never jump, so that \
                          renderers can interpolate between frames; the texture must continue there too, as a padded \
                          one does.",
                },
            ],
        },
        panel: SLIDING.advanced(),
    },
    Param {
        id: "tie_reach",
        title: "Natural Ties",
        doc: "Ties the skin to the body as subcutaneous tissue does: a pull on the skin fades over this many times the \
              body's radius of curvature, so lips, eyelids, ears and nails hold it firmly, arms loosely and the back \
              least of all; open borders of the mesh are held. Where normals of neighbours differ by more than 30 \
              degrees, the mesh barely resolves the surface and the ties are stiffer; from 60 degrees on, at tips and \
              sharp edges, the skin is held. 0 for no such ties.",
        unit: Unit::None,
        kind: real(3.0, 0.0, 1e3),
        panel: TIES.slider(0.0, 10.0, 0.1),
    },
    Param {
        id: "anchor_soft",
        title: "Anchor Stiffness",
        doc: "The stiffness of the ties painted in the map anchor, where it is 1, while they are within their slack.",
        unit: Unit::NewtonPerMetre,
        kind: real(1.0, 0.0, 1e9),
        panel: TIES.slider(0.0, 100.0, 0.1),
    },
    Param {
        id: "anchor_stiff",
        title: "Anchor Stiffness When Stretched",
        doc: "The stiffness of these ties once they are stretched beyond their slack.",
        unit: Unit::NewtonPerMetre,
        kind: real(20.0, 0.0, 1e9),
        panel: TIES.slider(0.0, 1e3, 1.0).advanced(),
    },
    Param {
        id: "anchor_toe",
        title: "Anchor Slack",
        doc: "How far the skin slides before the ties become stiff.",
        unit: Unit::Metre,
        kind: real(0.005, 0.0, 1e3),
        panel: TIES.slider(0.0, 0.05, 1e-3),
    },
    Param {
        id: "quality",
        title: "Quality",
        doc: "How close to its resting position the skin comes in every frame, and on how many triangles it is \
              computed. What a frame lacks does not add up: the next one goes on from there.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "exact",
                    title: "Exact",
                    doc: "As close as Tolerance says, on all triangles: for bakes and renders.",
                },
                Choice {
                    id: "normal",
                    title: "Normal",
                    doc: "Ten times as far as Tolerance says, on at most 20,000 triangles, or 32 of each connected \
                          part: for working. In fast motion the slide differs by a few percent; on larger meshes by \
                          more, in creases.",
                },
                Choice {
                    id: "preview",
                    title: "Preview",
                    doc: "Like Normal on at most 12,000 triangles, and skin snaps to another resting position at once: \
                          for a first look. In creases and at fingertips the slide differs by a tenth or more.",
                },
            ],
        },
        panel: SOLVER,
    },
    Param {
        id: "snap_speed",
        title: "Snap Speed",
        doc: "How fast the skin moves from one resting position to another when it slips off a ridge or out of a fold, \
              in body sizes (about the diagonal of a box around it at rest) per second; 0 for at once. Only in \
              Quasi-static mode and without rows; in Dynamic mode, inertia determines the speed. Skin that follows the \
              body is never slowed down.",
        unit: Unit::PerSecond,
        kind: real(0.03, 0.0, 1e3),
        panel: SOLVER.slider(0.0, 1.0, 0.01).with("mode", &["quasistatic"]),
    },
    Param {
        id: "substeps",
        title: "Substeps",
        doc: "Steps per frame; 0 for as many as the mode needs: 1 in Quasi-static mode, one per 1/96 s in Dynamic \
              mode.",
        unit: Unit::None,
        kind: ParamKind::Int { default: 0, min: 0, max: 10_000 },
        panel: SOLVER.slider(0.0, 20.0, 1.0).advanced(),
    },
    Param {
        id: "max_iterations",
        title: "Maximum Iterations",
        doc: "The maximum number of Newton iterations; after that a step keeps the best iterate so far.",
        unit: Unit::None,
        kind: ParamKind::Int { default: 60, min: 1, max: 10_000 },
        panel: SOLVER.slider(1.0, 100.0, 1.0).advanced(),
    },
    Param {
        id: "tolerance",
        title: "Tolerance",
        doc: "The skin has settled when no vertex is farther from its equilibrium than this fraction of the body's \
              size (about the diagonal of a box around it at rest), as estimated from the last iterations; one vertex \
              in 500, at creases of a coarse mesh, may be ten times as far. 0.00005 is a tenth of a millimetre on a \
              person.",
        unit: Unit::None,
        kind: real(5e-5, 1e-12, 1.0),
        panel: SOLVER.slider(1e-6, 1e-3, 1e-6).advanced(),
    },
    Param {
        id: "integrator",
        title: "Method",
        doc: "Which method computes the skin.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "production",
                    title: "Production",
                    doc: "Implicit, once per frame or substep; stable at any frame rate.",
                },
                Choice {
                    id: "paper",
                    title: "Paper",
                    doc: "The published algorithm in steps of 1 ms over an atlas, always dynamic: slow, for reference. \
                          Its residual is the largest velocity in m/s.",
                },
            ],
        },
        panel: SOLVER.advanced(),
    },
    Param {
        id: "atlas",
        title: "Paper's Coordinates",
        doc: "The coordinates in which the paper's integrator computes; the production integrator needs none.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "uvs",
                    title: "UVs",
                    doc: "The UVs of the rest mesh, with their islands and seams.",
                },
                Choice {
                    id: "quads",
                    title: "Square Charts",
                    doc: "Square charts made for the rest mesh, closed or with borders; it needs no UVs.",
                },
            ],
        },
        panel: SOLVER.advanced().with("integrator", &["paper"]),
    },
    Param {
        id: "proxy_triangles",
        title: "Proxy Triangles",
        doc: "At most this many triangles are computed, or 32 of each connected part: of more, a decimated mesh is \
              made, and its skin carried over to all; 0 for as many as Quality says. Where few triangles are left, as \
              at fingertips, the skin may rest in several positions, and small changes decide between them.",
        unit: Unit::None,
        kind: ParamKind::Int { default: 0, min: 0, max: 100_000_000 },
        panel: SPEED.slider(0.0, 1e5, 100.0).advanced(),
    },
    Param {
        id: "proxy_check",
        title: "Proxy Check",
        doc: "Where not all triangles are computed: compute them as well, and report how far the skin is from theirs; \
              slow.",
        unit: Unit::None,
        kind: ParamKind::Bool { default: false },
        panel: SPEED.advanced(),
    },
    Param {
        id: "outputs",
        title: "Outputs",
        doc: "What is computed besides the skin itself; the rest stays empty, which saves time on large meshes.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "all",
                    title: "Everything",
                    doc: "Everything, including slid points and riders.",
                },
                Choice { id: "measures", title: "Measures", doc: "The skin, its UVs and all measures." },
                Choice { id: "skin", title: "Skin Only", doc: "The skin and its UVs." },
            ],
        },
        panel: SPEED.advanced(),
    },
    Param {
        id: "fps",
        title: "Frames Per Second",
        doc: "Sets the length of the first frame.",
        unit: Unit::PerSecond,
        kind: real(24.0, 1e-3, 1e5),
        panel: SPEED.slider(1.0, 240.0, 1.0).advanced(),
    },
];
