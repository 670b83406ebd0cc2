//! The parameters of the strands.

use super::super::descriptor::{Choice, Panel, Param, ParamKind, Unit};
use sinew_anatomy::tendon_hand::preset::{Condition, DIGITS};
use sinew_scene::strand::edits::AXES;

/// A number within a range.
const fn real(default: f64, min: f64, max: f64) -> ParamKind {
    ParamKind::Real { default, min, max }
}

const SCENE: Panel = Panel::of("Source");
const MOTION: Panel = Panel::of("Motion");
const GOALS: Panel = Panel::of("Goals");
const REPORT: Panel = Panel::of("Report");

/// In the order in which hosts show them.
pub(super) const PARAMS: &[Param] = &[
    Param {
        id: "source",
        title: "Source",
        doc: "What the node simulates.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice {
                    id: "finger",
                    title: "Finger",
                    doc: "One finger with its bones, tendons and muscles, palm down along x.",
                },
                Choice { id: "hand", title: "Hand", doc: "Four such fingers side by side." },
                Choice { id: "scene", title: "Scene", doc: "A scene of strands, from a file." },
            ],
        },
        panel: SCENE.restarting(),
    },
    Param {
        id: "digit",
        title: "Finger",
        doc: "Which finger.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice { id: DIGITS[0], title: "Index", doc: "The index finger." },
                Choice { id: DIGITS[1], title: "Middle", doc: "The middle finger." },
                Choice { id: DIGITS[2], title: "Ring", doc: "The ring finger." },
                Choice { id: DIGITS[3], title: "Little", doc: "The little finger." },
            ],
        },
        panel: SCENE.with("source", &["finger"]).restarting(),
    },
    Param {
        id: "condition",
        title: "Condition",
        doc: "The deformity of the finger, or of all fingers of a hand.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice { id: Condition::Intact.name(), title: "Intact", doc: "No deformity." },
                Choice {
                    id: Condition::WithoutLigament.name(),
                    title: "Without Oblique Ligament",
                    doc: "The oblique ligament is missing: where the deep flexor pulls, the last joint bends ahead of \
                          the one before it.",
                },
                Choice {
                    id: Condition::Boutonniere.name(),
                    title: "Boutonniere",
                    doc: "The extensor's end on the middle bone is cut: where the extensor pulls, the middle joint \
                          stays bent and the last one bends backwards.",
                },
                Choice {
                    id: Condition::SwanNeck.name(),
                    title: "Swan Neck",
                    doc: "The oblique ligament is too long and the palmar plate lax: where the extensor pulls, the \
                          middle joint bends backwards, and the deep flexor then bends the last joint alone.",
                },
                Choice {
                    id: Condition::LongLigament.name(),
                    title: "Long Oblique Ligament",
                    doc: "Only the oblique ligament is too long, as if it were missing.",
                },
                Choice {
                    id: Condition::TightLigament.name(),
                    title: "Tight Oblique Ligament",
                    doc: "The oblique ligament is contracted: the last joint stays straight, or bends backwards, \
                          unless the one before it is bent.",
                },
            ],
        },
        panel: SCENE.with("source", &["finger", "hand"]).restarting(),
    },
    Param {
        id: "bands",
        title: "Bands between Fingers",
        doc: "Whether bands connect the extensor tendons of a hand's fingers, so that a finger pulls its neighbours \
              along.",
        unit: Unit::None,
        kind: ParamKind::Bool { default: false },
        panel: SCENE.with("source", &["hand"]).restarting(),
    },
    Param {
        id: "scene",
        title: "Scene",
        doc: "The path of a scene of strands, or the scene itself when the text begins with <. The file is read in \
              the next step, and again whenever it or this text changes. `sinew scene` describes its elements. A \
              strand wraps round a bone where a node with kind eulerian has a free point with an in_plane and an \
              off_bone on a plane that names the bone, as in examples/strand/wrap.xml.",
        unit: Unit::None,
        kind: ParamKind::Text { default: "" },
        panel: SCENE.with("source", &["scene"]).restarting().document("strand_scene"),
    },
    Param {
        id: "settings",
        title: "Settings",
        doc: "Overrides the scene's settings, as NAME=VALUE separated by semicolons: gravity=0 -9.81 0, axial, step, \
              or activation.MUSCLE.",
        unit: Unit::None,
        kind: ParamKind::Text { default: "" },
        panel: SCENE.restarting().advanced(),
    },
    Param {
        id: "mirror",
        title: "Mirror",
        doc: "Whether everything is mirrored in the plane through the origin perpendicular to an axis, which turns a \
              right hand into a left one; L and R, left and right are swapped in names. Gravity is not mirrored.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice { id: "none", title: "None", doc: "Nothing is mirrored." },
                Choice { id: AXES[0], title: "X", doc: "Both sides of x = 0 are swapped." },
                Choice { id: AXES[1], title: "Y", doc: "Both sides of y = 0 are swapped." },
                Choice { id: AXES[2], title: "Z", doc: "Both sides of z = 0 are swapped." },
            ],
        },
        panel: SCENE.restarting(),
    },
    Param {
        id: "step",
        title: "Longest Step",
        doc: "A frame is divided into equal steps, none longer than this; 0 uses the scene's step, 1 ms for a finger.",
        unit: Unit::Second,
        kind: real(0.0, 0.0, 1.0),
        panel: MOTION.slider(0.0, 0.01, 1e-4).advanced(),
    },
    Param {
        id: "gravity",
        title: "Gravity",
        doc: "Multiplies the gravity of the scene; for a finger 9.81 m/s^2 downwards.",
        unit: Unit::None,
        kind: real(1.0, 0.0, 100.0),
        panel: MOTION.slider(0.0, 2.0, 0.01),
    },
    Param {
        id: "preroll",
        title: "Preroll",
        doc: "Time before the first frame in which everything moves from where it was modelled to where the host has \
              it, and comes to rest there.",
        unit: Unit::Second,
        kind: real(0.0, 0.0, 60.0),
        panel: MOTION.slider(0.0, 5.0, 0.1),
    },
    Param {
        id: "first_frame",
        title: "First Frame",
        doc: "What the first frame shows.",
        unit: Unit::None,
        kind: ParamKind::Choice {
            default: 0,
            choices: &[
                Choice { id: "moved", title: "Moved", doc: "One frame after the start." },
                Choice {
                    id: "start",
                    title: "Start",
                    doc: "The start itself, or where the preroll ends: nothing has moved yet in this frame.",
                },
            ],
        },
        panel: MOTION.advanced(),
    },
    Param {
        id: "fps",
        title: "Frames Per Second",
        doc: "Sets the length of the first frame.",
        unit: Unit::PerSecond,
        kind: real(24.0, 1e-3, 1e5),
        panel: MOTION.slider(1.0, 240.0, 1.0).advanced(),
    },
    Param {
        id: "goal_time",
        title: "Goal Time",
        doc: "How fast goals are pursued: the time in which the remaining distance should be covered.",
        unit: Unit::Second,
        kind: real(0.05, 1e-3, 1e3),
        panel: GOALS.slider(0.01, 1.0, 0.01),
    },
    Param {
        id: "goal_place_weight",
        title: "Goal Place Weight",
        doc: "The weight of goals for places relative to those for joints: a metre counts as much as this many \
              radians.",
        unit: Unit::RadianPerMetre,
        kind: real(20.0, 1e-3, 1e6),
        panel: GOALS.slider(0.1, 100.0, 0.1).advanced(),
    },
    Param {
        id: "details",
        title: "Details",
        doc: "Whether reports include, under details and by name, energies, tensions, activations, lengths, moment \
              arms, contact and joint forces, remaining distances to goals, and statistics of the steps. Measuring \
              takes time, moment arms above all.",
        unit: Unit::None,
        kind: ParamKind::Bool { default: false },
        panel: REPORT.advanced(),
    },
];
