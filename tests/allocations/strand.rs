//! A warm step of strands, joints, contact and control does not allocate.

use crate::allocations::{alone, fewest_allocations};
use sinew::control::Control;
use sinew::geometry::{MassProperties, Solid, shapes};
use sinew::math::{Placement, Rotation, Vec3};
use sinew::strand::model::Model;
use sinew::strand::parts::{
    Aim, Belly, Body, Carrier, Contact, Curve, CurveShape, End, Fibre, Goal, Hill, Joint, Lie, Mode, Muscle,
    Node, Parts, Plane, Point, Pull, Rule, Strand,
};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};

fn block(name: &str, size: Vec3, origin: Vec3, mode: Mode) -> Body {
    let mass = MassProperties::of_cuboid(&size, 1000.0).unwrap();
    Body {
        name: name.into(),
        place: Placement::new(Rotation::identity(), origin),
        mass: mass.mass,
        moments: mass.principal().moments,
        mode,
        solid: Some(Solid::new(&shapes::cuboid(&size)).unwrap()),
    }
}

/// A block on a floor, tied to an arm on a hinge by a cord over the arm's end and around a plane, pulled by a muscle.
fn parts() -> Parts {
    let point = |place: Vec3, carrier| Point { name: "p".into(), place, carrier };
    let at = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let frames = [at(0.0, 0.2), at(-0.1, 0.0)].map(|at| Placement::new(Rotation::identity(), at));
    let node = |point, material, mode| Node { point, material, mode };
    let nodes = vec![
        node(0, 0.0, Mode::Removed),
        node(1, 0.05, Mode::Free),
        node(2, 0.1, Mode::Free),
        node(3, 0.25, Mode::Removed),
    ];
    let fibre = Fibre { stiffness: 1e4, line_density: 0.01, axial_damping: 1e-3, lateral_damping: 1.0 };
    let cut = Placement::new(Rotation::from_scaled_axis(Vec3::y() * 1.5), Vec3::zeros());
    Parts {
        bodies: vec![
            block("floor", Vec3::new(2.0, 0.1, 2.0), at(0.0, -0.05), Mode::Removed),
            block("block", Vec3::repeat(0.04), at(0.2, 0.02), Mode::Free),
            block("arm", Vec3::new(0.2, 0.02, 0.02), at(0.1, 0.2), Mode::Free),
        ],
        points: vec![
            point(at(-0.05, 0.22), Carrier::Nothing),
            point(at(0.1, 0.215), Carrier::Nothing),
            point(at(0.2, 0.2), Carrier::Body(2)),
            point(at(0.2, 0.04), Carrier::Body(1)),
            point(at(0.4, 0.04), Carrier::World),
        ],
        strands: vec![
            Strand { name: "cord".into(), nodes, fibre, radius: 1e-3 },
            Strand {
                name: "belly".into(),
                nodes: vec![node(4, 0.0, Mode::Removed), node(3, 0.2, Mode::Removed)],
                fibre,
                radius: 1e-3,
            },
            Strand {
                name: "line".into(),
                nodes: vec![node(4, 0.0, Mode::Free), node(2, 0.25, Mode::Removed)],
                fibre,
                radius: 1e-3,
            },
        ],
        joints: vec![Joint::holding("hinge", None, 2, frames, [false, false, true, false, false, false])],
        curves: vec![Curve {
            name: "line".into(),
            body: None,
            shape: CurveShape::Line(at(0.0, 0.22), at(-0.2, 0.22)),
        }],
        planes: vec![Plane { name: "cut".into(), lie: Lie::Fixed(2, cut), bone: Some(2) }],
        rules: vec![
            Rule::Curve { point: 0, curve: 0 },
            Rule::Plane { point: 1, plane: 0, or_above: false },
            Rule::Bone { point: 1, plane: 0 },
        ],
        muscles: vec![
            Muscle {
                name: "puller".into(),
                strength: 20.0,
                pull: Pull::Curve {
                    point: 0,
                    curve: 0,
                    belly: Belly { stiffness: 10.0, rest: 0.05, damping: 1.0, fading: 2.0 },
                },
            },
            Muscle {
                name: "belly".into(),
                strength: 5.0,
                pull: Pull::Segment(Hill { strand: 1, segment: 0, optimal: 0.2, speed: 2.0 }),
            },
            Muscle {
                name: "reel".into(),
                strength: 5.0,
                pull: Pull::Reel {
                    strand: 2,
                    end: End::First,
                    belly: Belly { stiffness: 10.0, rest: 0.05, damping: 1.0, fading: 2.0 },
                },
            },
        ],
        contacts: vec![Contact { name: "ground".into(), bodies: [0, 1], friction: 0.5 }],
        ..Parts::default()
    }
}

#[test]
fn warm_steps_do_not_allocate() {
    let _alone = alone();
    let model = Model::new(parts()).unwrap();
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    let goals = [Goal { aim: Aim::Motion { joint: 0, axis: 2, goal: 0.2 }, weight: 1.0, time: 0.05 }];
    let inputs = Inputs { seconds: 0.02, substeps: 10, goals: &goals, ..Inputs::default() };
    let control = Control::default();
    let mut frame = || step(&model, &mut state, &mut scratch, &inputs, &control).unwrap();
    (0..5).for_each(|_| assert_eq!(frame().unsolved, 0));
    assert_eq!(fewest_allocations(|| assert_eq!(frame().unsolved, 0)), 0);
}
