//! Strands, bodies and joints against known answers.

use crate::strand_run::Run;
use sinew::control::Control;
use sinew::geometry::{MassProperties, Solid, shapes};
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::energy::{energy, tensions};
use sinew::strand::model::Model;
use sinew::strand::parts::{
    Aim, Axial, Axis, Belly, Body, Carrier, Contact, Curve, CurveShape, Fibre, Goal, Joint, Mode, Motion,
    Muscle, Node, Parts, Point, Pull, Rule, Settings, Spring, Strand,
};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, step};

const G: Real = 9.81;

fn fibre(stiffness: Real, line_density: Real) -> Fibre {
    Fibre { stiffness, line_density, axial_damping: 0.0, lateral_damping: 0.0 }
}

fn point(name: &str, place: Vec3, carrier: Carrier) -> Point {
    Point { name: name.into(), place, carrier }
}

fn node(point: usize, material: Real, mode: Mode) -> Node {
    Node { point, material, mode }
}

/// A ball.
fn ball(name: &str, origin: Vec3, mass: Real, radius: Real) -> Body {
    let moment = 0.4 * mass * radius * radius;
    Body {
        name: name.into(),
        place: Placement::new(Rotation::identity(), origin),
        mass,
        moments: Vec3::repeat(moment),
        mode: Mode::Free,
        solid: None,
    }
}

/// Two weights on a light strand over a fixed pulley.
fn atwood(axial: Axial, masses: [Real; 2]) -> Run {
    let hang = 0.5;
    let tension = 2.0 * masses[0] * masses[1] * G / (masses[0] + masses[1]);
    let stiffness = 1e5;
    // Just enough material for the strand to start at its tension.
    let material = hang / (1.0 + tension / stiffness);
    let places = [Vec3::new(-0.01, -hang, 0.0), Vec3::zeros(), Vec3::new(0.01, -hang, 0.0)];
    Run::new(Parts {
        settings: Settings { axial, ..Settings::default() },
        bodies: vec![ball("left", places[0], masses[0], 0.02), ball("right", places[2], masses[1], 0.02)],
        points: vec![
            point("left", places[0], Carrier::Body(0)),
            point("pulley", places[1], Carrier::World),
            point("right", places[2], Carrier::Body(1)),
        ],
        strands: vec![Strand {
            name: "cord".into(),
            nodes: vec![
                node(0, 0.0, Mode::Removed),
                node(1, material, Mode::Free),
                node(2, 2.0 * material, Mode::Removed),
            ],
            fibre: fibre(stiffness, 1e-4),
            radius: 1e-3,
        }],
        ..Parts::default()
    })
}

#[test]
fn two_weights_over_a_pulley_move_as_atwoods_machine() {
    let masses = [0.3, 0.2];
    let expected = G * (masses[0] - masses[1]) / (masses[0] + masses[1]);
    for axial in [Axial::Still, Axial::Dynamic] {
        let mut run = atwood(axial, masses);
        let before: Vec<Real> = run.state.bodies.iter().map(|b| b.place.origin.y).collect();
        run.go(0.25, 1000);
        let fallen: Vec<Real> =
            run.state.bodies.iter().zip(&before).map(|(b, y)| y - b.place.origin.y).collect();
        let found = fallen.map_to_acceleration(0.25);
        let pulls = &tensions(&run.model, &run.state)[0];
        let apart = (pulls[0] / pulls[1] - 1.0).abs();
        println!(
            "Atwood, {axial:?}: {:.5} and {:.5} m/s2 instead of {expected:.5}; tensions {apart:.1e} apart",
            found[0], found[1]
        );
        assert!((found[0] / expected - 1.0).abs() < 2e-3 && (found[1] / expected + 1.0).abs() < 2e-3);
        assert!(apart < 1e-3, "{pulls:?}");
        assert!((pulls[0] / (2.0 * 0.3 * 0.2 * G / 0.5) - 1.0).abs() < 5e-3, "{pulls:?}");
    }
}

trait Accelerations {
    fn map_to_acceleration(self, seconds: Real) -> Vec<Real>;
}

impl Accelerations for Vec<Real> {
    fn map_to_acceleration(self, seconds: Real) -> Vec<Real> {
        self.into_iter().map(|way| 2.0 * way / (seconds * seconds)).collect()
    }
}

/// A heavy rope over a peg, the left side longer by twice `offset`.
fn rope(length: Real, offset: Real) -> Run {
    let (stiffness, density) = (1e6, 0.5);
    let sides = [0.5 * length + offset, 0.5 * length - offset];
    let point_at = |name: &str, x: Real, y: Real, carrier| point(name, Vec3::new(x, y, 0.0), carrier);
    Run::new(Parts {
        settings: Settings { axial: Axial::Dynamic, ..Settings::default() },
        points: vec![
            point_at("left", 0.0, -sides[0], Carrier::Nothing),
            point_at("peg", 0.0, 0.0, Carrier::World),
            point_at("right", 0.0, -sides[1], Carrier::Nothing),
        ],
        strands: vec![Strand {
            name: "rope".into(),
            nodes: vec![
                node(0, 0.0, Mode::Removed),
                node(1, sides[0], Mode::Free),
                node(2, length, Mode::Removed),
            ],
            fibre: Fibre { axial_damping: 1e-3, ..fibre(stiffness, density) },
            radius: 5e-3,
        }],
        ..Parts::default()
    })
}

#[test]
fn a_heavy_rope_slides_off_a_peg_like_a_hyperbolic_cosine() {
    let (length, offset) = (2.0, 0.05);
    let rate = (2.0 * G / length).sqrt();
    let mut errors = Vec::new();
    for steps in [200, 400, 800] {
        let mut run = rope(length, offset);
        run.go(0.5, steps);
        let found = run.state.material[1] - 0.5 * length;
        let expected = offset * (rate * 0.5).cosh();
        errors.push((found / expected - 1.0).abs());
        let ends = (run.state.material[0], run.state.material[2]);
        assert!(ends == (0.0, length), "{ends:?}");
    }
    println!("rope off a peg: {errors:.5?} of the offset with steps of 2.5, 1.25, 0.625 ms");
    assert!(errors[2] < 5e-3 && errors[2] < 0.6 * errors[1] && errors[1] < 0.6 * errors[0], "{errors:?}");
}

#[test]
fn a_hanging_strand_is_stretched_by_its_own_weight() {
    let (length, stiffness, density, segments) = (1.0, 20.0, 0.4, 16);
    let at = |k: usize| length * k as Real / segments as Real;
    let points = (0..=segments).map(|k| {
        let carrier = if k == 0 { Carrier::World } else { Carrier::Nothing };
        point(&format!("p{k}"), Vec3::new(0.0, -at(k), 0.0), carrier)
    });
    let mut run = Run::new(Parts {
        points: points.collect(),
        strands: vec![Strand {
            name: "hanging".into(),
            nodes: (0..=segments).map(|k| node(k, at(k), Mode::Removed)).collect(),
            fibre: Fibre { axial_damping: 0.1, ..fibre(stiffness, density) },
            radius: 1e-3,
        }],
        ..Parts::default()
    });
    run.go(40.0, 4000);
    let profile = tensions(&run.model, &run.state);
    let expected = |k: usize| density * G * (length - 0.5 * (at(k) + at(k + 1)));
    let off = (0..segments).map(|k| (profile[0][k] / expected(k) - 1.0).abs()).fold(0.0, Real::max);
    let long = -run.state.places[segments].y;
    let whole = length + density * G * length * length / (2.0 * stiffness);
    println!("hanging strand: tension off by {off:.1e}, length by {:.1e}", long / whole - 1.0);
    assert!(off < 1e-6 && (long / whole - 1.0).abs() < 1e-7, "{off:e} {long} {whole}");
}

/// Two rods on hinges.
fn double_pendulum(start: [Real; 2]) -> Run {
    let (length, mass) = (0.3, 0.5);
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    let mut top = Vec3::zeros();
    for (k, angle) in start.into_iter().enumerate() {
        let turn = Rotation::from_scaled_axis(Vec3::z() * angle);
        let middle = top + turn * Vec3::new(0.0, -0.5 * length, 0.0);
        let long = mass * length * length / 12.0;
        bodies.push(Body {
            place: Placement::new(turn, middle),
            moments: Vec3::new(long, 0.05 * long, long),
            ..ball(["upper", "lower"][k], middle, mass, 1.0)
        });
        let half = Vec3::new(0.0, 0.5 * length, 0.0);
        let in_parent = if k == 0 { Vec3::zeros() } else { -half };
        let frames = [in_parent, half].map(|at| Placement::new(Rotation::identity(), at));
        let free = [false, false, true, false, false, false];
        joints.push(Joint::holding(&format!("hinge {k}"), (k > 0).then_some(0), k, frames, free));
        top += turn * Vec3::new(0.0, -length, 0.0);
    }
    Run::new(Parts { bodies, joints, ..Parts::default() })
}

#[test]
fn a_double_pendulum_keeps_its_energy_and_its_joints() {
    let mut drifts = Vec::new();
    for steps in [500, 1000, 2000] {
        let mut run = double_pendulum([1.8, 0.4]);
        let (start, swing) = (energy(&run.model, &run.state).total(), 0.5 * G * 0.3 * 2.0);
        let (mut drift, mut error): (Real, Real) = (0.0, 0.0);
        for _ in 0..200 {
            let report = run.go(0.05, steps / 20);
            drift = drift.max((energy(&run.model, &run.state).total() - start).abs() / swing);
            error = error.max(report.error);
            let place = |b: usize| run.state.bodies[b].place;
            for joint in &run.model.parts().joints {
                let motions = joint.motions(place);
                let held = [0, 1, 3, 4, 5].map(|k| motions[k].abs());
                assert!(held.iter().all(|m| *m < 1e-5), "{held:?}");
            }
        }
        let end = (energy(&run.model, &run.state).total() - start) / swing;
        println!(
            "double pendulum, {steps} steps a second: energy off by at most {drift:.1e} of a swing's, at the end \
             {end:+.1e}; joints by {error:.1e}"
        );
        assert!(error < 1e-5);
        drifts.push(drift);
    }
    assert!(drifts[2] < 0.02 && drifts[2] < 0.65 * drifts[1], "{drifts:?}");
}

#[test]
fn a_free_body_keeps_its_spin() {
    let mut tumbling = ball("tumbling", Vec3::zeros(), 1.0, 0.1);
    tumbling.moments = Vec3::new(1e-3, 2e-3, 2.5e-3);
    let settings = Settings { gravity: Vec3::zeros(), ..Settings::default() };
    let mut run = Run::new(Parts { settings, bodies: vec![tumbling], ..Parts::default() });
    let moving = &mut run.state.bodies[0];
    moving.angular = Vec3::new(0.1, 12.0, 0.2);
    moving.spin = moving.angular.component_mul(&Vec3::new(1e-3, 2e-3, 2.5e-3));
    let (spin, before) = (moving.spin, energy(&run.model, &run.state).kinetic);
    run.go(2.0, 4000);
    let kinetic = energy(&run.model, &run.state).kinetic;
    println!(
        "tumbling: spin off by {:.1e}, energy by {:.1e}",
        (run.state.bodies[0].spin - spin).norm() / spin.norm(),
        kinetic / before - 1.0
    );
    assert!((run.state.bodies[0].spin - spin).norm() < 1e-9 * spin.norm());
    assert!((kinetic / before - 1.0).abs() < 1e-2);
}

/// A cuboid of a density of 1,000 kg/m^3.
fn block(name: &str, size: Vec3, place: Placement, mode: Mode) -> Body {
    let mass = MassProperties::of_cuboid(&size, 1000.0).unwrap();
    let solid = Solid::new(&shapes::cuboid(&size)).unwrap();
    let moments = Vec3::from_fn(|k, _| mass.inertia[(k, k)]);
    Body { name: name.into(), place, mass: mass.mass, moments, mode, solid: Some(solid) }
}

/// A block on a plank at an angle, at rest; the plank goes down in some direction.
fn incline(angle: Real, heading: Real, friction: Real) -> Run {
    let turn =
        Rotation::from_scaled_axis(Vec3::y() * heading) * Rotation::from_scaled_axis(Vec3::z() * angle);
    let at = |height: Real| Placement::new(turn, turn * (Vec3::y() * height));
    Run::new(Parts {
        bodies: vec![
            block("plank", Vec3::new(4.0, 0.1, 1.0), at(-0.05), Mode::Removed),
            block("block", Vec3::new(0.1, 0.06, 0.08), at(0.03), Mode::Free),
        ],
        contacts: vec![Contact { name: "rub".into(), bodies: [0, 1], friction }],
        ..Parts::default()
    })
}

#[test]
fn a_block_slides_down_an_incline_if_and_only_if_it_is_steep_enough() {
    let (friction, seconds): (Real, Real) = (0.5, 0.5);
    let angles = [(0.3_f64, false), (0.45, false), (0.48, true), (0.6, true), (0.9, true)];
    for ((angle, slides), heading) in angles.into_iter().flat_map(|each| [(each, 0.0), (each, 0.7)]) {
        let mut run = incline(angle, heading, friction);
        let start = run.state.bodies[1].place;
        run.go(seconds, 250);
        let moved = start.direction_inside(&(run.state.bodies[1].place.origin - start.origin));
        let expected = 0.5 * G * (angle.sin() - friction * angle.cos()).max(0.0) * seconds * seconds;
        let turned = (start.rotation.inverse() * run.state.bodies[1].place.rotation).angle();
        println!(
            "incline of {angle} rad: slid {:.3e} m, {expected:.3e} expected; lifted {:.1e}, turned {turned:.1e}",
            -moved.x, moved.y
        );
        assert_eq!(slides, angle.tan() > friction);
        // n symplectic steps go n (n + 1) / 2 a h^2 instead of n^2 / 2 a h^2: too far by 1 / n, here 1 / 250.
        assert!((-moved.x - expected).abs() < 5e-3 * expected + 1e-6, "{moved} {expected}");
        assert!(moved.y.abs() < 1e-5 && turned < 1e-4, "{moved} {turned}");
    }
}

/// A rod on a hinge between two muscles that pull it up and down.
fn antagonists(strength: Real) -> Run {
    let mut parts = Parts::default();
    let rod = Vec3::new(0.1, 0.01, 0.01);
    let body = block("rod", rod, Placement::new(Rotation::identity(), Vec3::x() * 0.05), Mode::Free);
    let frames = [Vec3::zeros(), Vec3::x() * -0.05].map(|at| Placement::new(Rotation::identity(), at));
    let free = [false, false, true, false, false, false];
    let mut hinge = Joint::holding("hinge", None, 0, frames, free);
    hinge.axes[2].spring = Some(Spring { stiffness: 0.0, rest: 0.0, damping: 2e-3 });
    (parts.bodies, parts.joints) = (vec![body], vec![hinge]);
    for (k, y) in [0.02, -0.02].into_iter().enumerate() {
        let (start, insertion) = (Vec3::new(-0.03, y, 0.0), Vec3::new(0.03, 0.25 * y, 0.0));
        parts.points.push(point("belly", start, Carrier::Nothing));
        parts.points.push(point("insertion", insertion, Carrier::Body(0)));
        parts.curves.push(Curve {
            name: format!("line {k}"),
            body: None,
            shape: CurveShape::Line(Vec3::new(0.0, y, 0.0), Vec3::new(-0.1, y, 0.0)),
        });
        parts.rules.push(Rule::Curve { point: 2 * k, curve: k });
        let nodes =
            vec![node(2 * k, 0.0, Mode::Removed), node(2 * k + 1, (insertion - start).norm(), Mode::Removed)];
        let fibre = Fibre { lateral_damping: 1.0, ..fibre(2e4, 1e-2) };
        parts.strands.push(Strand { name: format!("tendon {k}"), nodes, fibre, radius: 1e-3 });
        parts.muscles.push(Muscle {
            name: ["up", "down"][k].into(),
            strength,
            pull: Pull::Curve {
                point: 2 * k,
                curve: k,
                belly: Belly { stiffness: 5.0, rest: 0.03, damping: 0.5, fading: 0.0 },
            },
        });
    }
    Run::new(parts)
}

#[test]
fn muscles_are_activated_so_that_a_joint_follows_its_goal() {
    let follow = |run: &mut Run, goal: Real, each: &dyn Fn(Real, &[Real])| {
        let angle = |state: &State| run.model.parts().joints[0].motions(|b| state.bodies[b].place)[2];
        let aim = Aim::Motion { joint: 0, axis: 2, goal };
        let goals = [Goal { aim, weight: 1.0, time: 0.05 }];
        let inputs = Inputs { seconds: 0.02, substeps: 10, goals: &goals, ..Inputs::default() };
        for _ in 0..50 {
            let report =
                step(&run.model, &mut run.state, &mut run.scratch, &inputs, &Control::default()).unwrap();
            assert!(report.unsolved == 0 && report.conflicts.is_empty());
            assert!(run.state.activations.iter().all(|a| (0.0..=1.0).contains(a)));
            each(angle(&run.state), &run.state.activations);
        }
        (angle(&run.state), run.state.activations.clone())
    };
    // The weight and the time of a goal are positive and finite, each.
    let nothing = f64::INFINITY;
    for [weight, time] in [[-1.0, 0.05], [nothing, 0.05], [0.0, 0.05], [1.0, 0.0], [1.0, nothing]] {
        let mut run = antagonists(1.0);
        let goals = [Goal { aim: Aim::Motion { joint: 0, axis: 2, goal: 0.0 }, weight, time }];
        let inputs = Inputs { seconds: 0.02, substeps: 10, goals: &goals, ..Inputs::default() };
        let error = step(&run.model, &mut run.state, &mut run.scratch, &inputs, &Control::default());
        let message = error.unwrap_err().message().to_string();
        assert!(message.contains("weight and time of a goal"), "{weight} {time}: {message}");
    }
    let mut strong = antagonists(10.0);
    for goal in [0.3, -0.4] {
        let (angle, pulls) = follow(&mut strong, goal, &|_, _| ());
        println!("goal {goal}: {angle:.4} with {pulls:.4?}");
        assert!((angle - goal).abs() < 0.01, "{angle}");
        // Muscles do not work against each other.
        assert!(pulls[0].min(pulls[1]) < 0.2 * pulls[0].max(pulls[1]), "{pulls:?}");
    }
    // It falls, pulled up by all that there is, past where the muscles' arms change sides: then none helps, and none
    // pulls much.
    let mut weak = antagonists(0.1);
    let (angle, pulls) = follow(&mut weak, 0.3, &|angle, pulls| {
        assert!(angle < -0.7 || pulls[0] > 0.95, "{angle} {pulls:?}");
    });
    println!("too weak for 0.3: {angle:.4} with {pulls:.4?}");
    let (state, nodes) = (&weak.state, weak.model.parts().strands.iter().map(|strand| &strand.nodes));
    let lifts = nodes.map(|nodes| {
        let [belly, insertion] = [0, 1].map(|k| state.places[nodes[k].point]);
        insertion.cross(&(belly - insertion)).z
    });
    assert!(angle < -0.9 && lifts.into_iter().all(|lift| lift < 0.0), "{angle}");
    assert!(pulls.iter().all(|pull| *pull < 0.2), "{pulls:?}");
}

#[test]
fn what_cannot_move_soundly_is_refused_by_name() {
    let good = || {
        let run = atwood(Axial::Still, [1.0, 1.0]);
        run.model.parts().clone()
    };
    let refused = |parts: Parts, words: &str| {
        let error = Model::new(parts).err().expect(words);
        assert!(error.message().contains(words), "{}", error.message());
    };
    let mut parts = good();
    parts.strands[0].nodes.truncate(1);
    refused(parts, "strand \"cord\" has fewer than two nodes");
    let mut parts = good();
    parts.points[1].place = parts.points[0].place;
    refused(parts, "strand \"cord\" has its nodes 0 and 1 at the same place");
    let mut parts = good();
    parts.bodies[1].mass = 0.0;
    refused(parts, "body \"right\" has no mass");
    let mut parts = good();
    parts.strands[0].nodes[1].material = 0.0;
    refused(parts, "strand \"cord\" has no material between its nodes 0 and 1");
    let mut parts = good();
    parts.points[1].carrier = Carrier::Nothing;
    refused(parts, "node 1 at which neither the place");
    let mut parts = good();
    let frames = [Placement::default(); 2];
    parts.joints.push(Joint::holding("own", Some(1), 1, frames, [false; 6]));
    refused(parts, "joint \"own\" joins a body to itself");
    // Limits and springs that no step could meet.
    let limited = |from: Real, to: Real, rest: Real| {
        let mut parts = good();
        let inside = Placement::new(Rotation::identity(), -parts.bodies[1].place.origin);
        let mut joint = Joint::holding("knee", None, 1, [Placement::default(), inside], [true; 6]);
        let spring = Spring { stiffness: 1.0, rest: rest.to_radians(), damping: 0.1 };
        joint.axes[2] = Axis {
            motion: Motion::Limited(from.to_radians(), to.to_radians()),
            spring: Some(spring),
            ..Axis::default()
        };
        parts.joints.push(joint);
        parts
    };
    Model::new(limited(-10.0, 90.0, 0.0)).unwrap();
    // Stiffness and damping have units of their own: that both are the same number means nothing.
    let mut even = limited(-10.0, 90.0, 0.0);
    even.joints[0].axes[2].spring = Some(Spring { stiffness: 1.0, rest: 0.0, damping: 1.0 });
    Model::new(even.clone()).unwrap();
    even.joints[0].axes[2].spring = Some(Spring { stiffness: 0.0, rest: 0.0, damping: 0.0 });
    refused(even, "has a spring without stiffness and damping");
    refused(limited(10.0, 90.0, 20.0), "from 10 to 90 degrees, but it is 0 at the start");
    refused(
        limited(-20.0, 250.0, 0.0),
        "from -20 to 250 degrees: the angles of a joint with several rotation axes reach from -180 to 180 degrees",
    );
    refused(limited(-20.0, 20.0, 270.0), "has a spring at rest at 270 degrees");
}

#[test]
fn material_that_is_used_up_stops_the_strand() {
    // The lighter weight is pulled up to the pulley, where its end of the cord cannot run through.
    let mut run = atwood(Axial::Still, [2.0, 0.1]);
    let (mut least, mut lowest): (Real, Real) = (1.0, 0.0);
    for _ in 0..200 {
        run.go(0.01, 10);
        let material = &run.state.material;
        assert!(material[0] < material[1] && material[1] < material[2], "{material:?}");
        least = least.min(material[2] - material[1]);
        lowest = lowest.min(run.state.bodies[0].place.origin.y);
    }
    println!("used up: at least {least:.1e} m of material left, the heavy weight at {lowest:.3} m");
    assert!(least > 0.0 && least < 0.01 && lowest > -1.05, "{least} {lowest}");
}

#[test]
fn every_number_of_threads_and_every_resumption_gives_the_same_bits() {
    let with = |threads: usize, resumed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = atwood(Axial::Still, [0.3, 0.2]);
            run.go(0.1, 50);
            if resumed {
                run = Run { state: run.state.clone(), ..Run::new(run.model.parts().clone()) };
            }
            run.go(0.1, 50);
            run.state
        })
    };
    let first = with(1, false);
    for (threads, resumed) in [(2, false), (5, false), (1, true)] {
        assert!(first == with(threads, resumed), "{threads} {resumed}");
    }
}
