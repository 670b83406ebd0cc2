//! The parameters of the muscles.

use super::super::descriptor::{Choice, Panel, Param, ParamKind, Unit};
use super::super::skinning::{METHOD, NORMALIZE};

const MUSCLES: Panel = Panel::of("Muscles");
const BINDING: Panel = Panel::of("Binding");
const STRENGTH: Panel = Panel::of("Strength");
const PHYSIQUE: Panel = Panel::of("Physique");
const CONTACT: Panel = Panel::of("Contact");
const TENSE: Panel = Panel::of("Tense");
const FOLDS: Panel = Panel::of("Folds");

/// A text that is empty at first.
const TEXT: ParamKind = ParamKind::Text { default: "" };

/// A factor of what was authored.
const fn factor(id: &'static str, title: &'static str, doc: &'static str) -> Param {
    let kind = ParamKind::Real { default: 1.0, min: 0.0, max: 100.0 };
    Param { id, title, doc, unit: Unit::None, kind, panel: PHYSIQUE.slider(0.0, 3.0, 0.05) }
}

/// A strength from 0 to 1, or beyond.
const fn strength(id: &'static str, title: &'static str, doc: &'static str) -> Param {
    let kind = ParamKind::Real { default: 1.0, min: 0.0, max: 10.0 };
    Param { id, title, doc, unit: Unit::None, kind, panel: STRENGTH.slider(0.0, 2.0, 0.05) }
}

/// How active the muscles of a limb are.
const fn tense(id: &'static str, title: &'static str, doc: &'static str) -> Param {
    let kind = ParamKind::Real { default: 0.0, min: 0.0, max: 1.0 };
    Param { id, title, doc, unit: Unit::None, kind, panel: TENSE.slider(0.0, 1.0, 0.05) }
}

/// How much of a penetration is pushed away.
const fn push(id: &'static str, title: &'static str, doc: &'static str) -> Param {
    let kind = ParamKind::Real { default: 0.0, min: 0.0, max: 1.0 };
    Param { id, title, doc, unit: Unit::None, kind, panel: CONTACT.slider(0.0, 1.0, 0.05) }
}

/// In the order in which hosts show them.
pub(super) const PARAMS: &[Param] = &[
    Param {
        id: "muscles",
        title: "Muscles",
        doc: "The muscle set: the path of its file, or the XML itself. `sinew scene` describes it.",
        unit: Unit::None,
        kind: TEXT,
        panel: MUSCLES.document("muscle_set"),
    },
    Param {
        id: "joint_names",
        title: "Joint Names",
        doc: "The names of the joints in the order of rest_joints, separated by commas; the muscle set refers to them. \
              Names that contain a comma must be enclosed in double quotes. Scenes take the names from the file of the \
              joints.",
        unit: Unit::None,
        kind: TEXT,
        panel: MUSCLES.advanced(),
    },
    Param {
        id: "frames",
        title: "Ring Axes",
        doc: "How the axes of a muscle's rings follow its curve.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "stable",
                    title: "Stable",
                    doc: "Rotation-minimizing along the curve, oriented by the joint of the origin or, where the \
                          muscle points backwards there, by that of the insertion.",
                },
                Choice {
                    id: "up_vector",
                    title: "Up-Vector",
                    doc: "Perpendicular to the curve, oriented by an up-vector as in the paper: they flip where the \
                          curve is parallel to it, with a warning.",
                },
            ],
        },
        panel: MUSCLES.advanced(),
    },
    Param {
        id: "length",
        title: "Length",
        doc: "What counts as the length of a muscle, from which its width follows.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice { id: "chord", title: "Chord", doc: "The distance between its ends." },
                Choice { id: "arc", title: "Arc", doc: "The length along its curve." },
            ],
        },
        panel: MUSCLES.advanced(),
    },
    Param {
        id: "drag",
        title: "Drag",
        doc: "The motion that damping resists.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "body",
                    title: "Body",
                    doc: "Motion relative to the joints: a character on a moving train jiggles as it would on the \
                          ground.",
                },
                Choice {
                    id: "air",
                    title: "Air",
                    doc: "Motion in the world, as in the paper: muscles trail behind a moving body.",
                },
            ],
        },
        panel: MUSCLES.advanced(),
    },
    METHOD,
    NORMALIZE,
    Param {
        id: "relax",
        title: "Relax",
        doc: "How much of the way skin goes that joints share to where it is relaxed: folds become round, and skin that \
              joints would press together spreads. It requires the input mesh and at least one muscle or pad.",
        unit: Unit::None,
        kind: ParamKind::Real { default: 1.0, min: 0.0, max: 1.0 },
        panel: FOLDS.slider(0.0, 1.0, 0.05),
    },
    Param {
        id: "relax_rounds",
        title: "Relax Rounds",
        doc: "How many times skin is averaged with the skin around it to relax it; more make rounder folds. 0 for as \
              many as the size of the faces asks for, and at most 24.",
        unit: Unit::None,
        kind: ParamKind::Int { default: 0, min: 0, max: 1000 },
        panel: FOLDS.advanced(),
    },
    Param {
        id: "follow",
        title: "Skin Follows",
        doc: "What skin follows of the muscles that carry it.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "shape",
                    title: "Shape",
                    doc: "What muscles do beyond going with the joints: they bulge, thin, swell, jiggle and are pushed. \
                          The skin goes with the joints, so limbs that turn stay as thick as joints leave them.",
                },
                Choice {
                    id: "motion",
                    title: "Motion",
                    doc: "All of their motion, as in the paper: they take the skin from the joints. Limbs that turn or \
                          are stretched become thinner.",
                },
            ],
        },
        panel: BINDING,
    },
    Param {
        id: "nearest",
        title: "Nearest Vertices",
        doc: "How many muscle vertices carry a vertex of the skin; with painted weights, for each muscle. More make \
              smoother skin; the paper has 4.",
        unit: Unit::None,
        kind: ParamKind::Int { default: 8, min: 1, max: 64 },
        panel: BINDING,
    },
    Param {
        id: "reach",
        title: "Reach",
        doc: "For weights that are not painted: how far a muscle reaches, in multiples of its size.",
        unit: Unit::None,
        kind: ParamKind::Real { default: 3.0, min: 0.01, max: 100.0 },
        panel: BINDING.slider(0.1, 4.0, 0.1),
    },
    Param {
        id: "smooth",
        title: "Smooth",
        doc: "For weights that are not painted: how many times they are averaged with those of neighbouring vertices. \
              It requires the input mesh; finer meshes need more rounds.",
        unit: Unit::None,
        kind: ParamKind::Int { default: 12, min: 0, max: 1000 },
        panel: BINDING.slider(0.0, 40.0, 1.0),
    },
    strength("bulge", "Bulge", "How much of the bulging, stretching and swelling of muscles is shown."),
    Param {
        id: "thinning",
        title: "Thinning",
        doc: "How much shows, on skin that follows their shape, where muscles are thinner than at rest, because they are \
              stretched or have drawn away their end: what lies beside and over them fills the rest.",
        unit: Unit::None,
        kind: ParamKind::Real { default: 0.5, min: 0.0, max: 1.0 },
        panel: STRENGTH.slider(0.0, 1.0, 0.05),
    },
    Param {
        id: "flex",
        title: "Flex",
        doc: "How active muscles make themselves as they shorten, and so swell: 1 for fully, where they have shortened by \
              a quarter. What else activates them is not asked, such as loads; activations say that.",
        unit: Unit::None,
        kind: ParamKind::Real { default: 0.5, min: 0.0, max: 1.0 },
        panel: STRENGTH.slider(0.0, 1.0, 0.05),
    },
    strength(
        "jiggle",
        "Jiggle",
        "How much of the jiggling of muscles and pads is shown. Their springs are solved exactly for a body that \
         moves with a constant acceleration, and for sudden stops and turns in frames: then it is the same at all \
         frame rates. For other smooth motions it differs by the cube of the time between frames, after the first \
         frame by what Start says.",
    ),
    Param {
        id: "start",
        title: "Start",
        doc: "How the body moves before the first frame, and before a frame that is jumped to. No frame shows that, \
              but jiggle depends on it.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "moving",
                    title: "Moving",
                    doc: "As fast as it then goes to the second frame: a character that is walking already does not \
                          jiggle at first. Exact for a steady start. A start that accelerates lacks jiggle in \
                          proportion to the time between frames, so that it differs between frame rates.",
                },
                Choice {
                    id: "still",
                    title: "Still",
                    doc: "Not at all: what begins in the first frame, smoothly or at once, jiggles in full. A body \
                          that is already moving jiggles as if it had been struck.",
                },
            ],
        },
        panel: STRENGTH,
    },
    tense(
        "tense_left_arm",
        "Left Arm",
        "How active the muscles of the left arm are at least: those whose limb in the muscle set is left_arm, as of sets \
         that are fitted from the plan human. Key it to flex in place.",
    ),
    tense("tense_right_arm", "Right Arm", "How active the muscles of the right arm are at least."),
    tense("tense_left_leg", "Left Leg", "How active the muscles of the left leg are at least."),
    tense("tense_right_leg", "Right Leg", "How active the muscles of the right leg are at least."),
    tense("tense_trunk", "Trunk", "How active the muscles of the trunk and the neck are at least."),
    factor(
        "weight_factor",
        "Weights",
        "Multiplies all weights of muscles; of skin that follows their motion they are scaled back where they would add \
         up to more than 1.",
    ),
    factor(
        "size_factor",
        "Size",
        "Multiplies the widths of all muscles, and so moves the skin that they carry.",
    ),
    factor("bulge_factor", "Bulge Multiplier", "Multiplies the bulge of all muscles."),
    Param {
        kind: ParamKind::Real { default: 1.0, min: 1e-6, max: 1e6 },
        panel: PHYSIQUE.slider(0.1, 3.0, 0.05),
        ..factor("stiffness_factor", "Stiffness", "Multiplies the stiffness of all springs.")
    },
    factor("damping_factor", "Damping", "Multiplies the damping of all springs."),
    push(
        "push_muscles",
        "Push Muscles",
        "How far muscles push each other away where they overlap more than at rest.",
    ),
    push("push_bones", "Push from Bones", "How far bones push muscles away."),
    push("push_skin", "Push Skin", "How far bones push the skin away."),
    Param {
        kind: ParamKind::Real { default: 1.0, min: 0.0, max: 1.0 },
        ..push(
            "under_skin",
            "Keep under Skin",
            "How far muscles that would stand out of the skin are pressed back under it, where they were inside at rest. \
             It requires the input mesh, and changes the output muscle_points alone: the skin stays as it is.",
        )
    },
];
