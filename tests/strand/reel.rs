//! Muscles that draw strands in at their ends.

use crate::strand_run::Run;
use sinew::formats::xml;
use sinew::geometry::{Solid, shapes};
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::scene::strand::StrandScene;
use sinew::strand::energy::tensions;
use sinew::strand::model::Model;
use sinew::strand::parts::{
    Aim, Axial, Belly, Body, Carrier, End, Fibre, Goal, Joint, Mode, Motion, Muscle, Node, Parts, Point,
    Pull, Settings, Spring, Strand,
};
use sinew::strand::step::Inputs;

/// In N.
const STRENGTH: Real = 100.0;
/// EA in N: at the muscle's full strength the strand is a hundredth longer.
const STIFFNESS: Real = 1e4;

impl Run {
    fn tensions(&self) -> Vec<Real> {
        tensions(&self.model, &self.state).swap_remove(0)
    }

    /// How high the weight is above where it was.
    fn lifted(&self) -> Real {
        self.state.bodies[0].place.origin.y + 1.0
    }

    fn speed(&self) -> Real {
        self.state.bodies[0].linear.y
    }
}

/// A weight on a strand that goes up to a pulley and 0.3 m aside to the muscle, which may be at either end of the
/// strand.
fn crane(mass: Real, gravity: Real, end: End, belly: Belly, held: bool) -> Parts {
    let origin = Vec3::y() * -1.0;
    let place = Placement::new(Rotation::identity(), origin);
    let mut joint = Joint::holding("guide", None, 0, [place, Placement::default()], [false; 6]);
    joint.axes[4].motion = if held { Motion::Held } else { Motion::Free };
    let world = |name: &str, place: Vec3| Point { name: name.into(), place, carrier: Carrier::World };
    let mut nodes: Vec<Node> = [0.0, 0.3, 1.3]
        .iter()
        .enumerate()
        .map(|(point, &material)| Node { point, material, mode: Mode::Free })
        .collect();
    nodes[2].mode = Mode::Removed;
    if end == End::Last {
        nodes.reverse();
        nodes.iter_mut().for_each(|node| node.material = 1.3 - node.material);
    }
    Parts {
        settings: Settings { gravity: Vec3::y() * -gravity, ..Settings::default() },
        bodies: vec![Body {
            name: "weight".into(),
            place,
            mass,
            moments: Vec3::repeat(1e-3),
            mode: Mode::Free,
            solid: None,
        }],
        points: vec![
            world("muscle", Vec3::x() * 0.3),
            world("pulley", Vec3::zeros()),
            Point { name: "end".into(), place: origin, carrier: Carrier::Body(0) },
        ],
        strands: vec![Strand {
            name: "rope".into(),
            nodes,
            fibre: Fibre {
                stiffness: STIFFNESS,
                line_density: 1e-6,
                axial_damping: 0.0,
                lateral_damping: 0.0,
            },
            radius: 5e-3,
        }],
        joints: vec![joint],
        muscles: vec![Muscle {
            name: "reel".into(),
            strength: STRENGTH,
            pull: Pull::Reel { strand: 0, end, belly },
        }],
        ..Parts::default()
    }
}

#[test]
fn standing_still_the_whole_strand_has_its_force() {
    let mut worst: Real = 0.0;
    for end in [End::First, End::Last] {
        for activation in [0.1, 0.5, 1.0] {
            let belly = Belly { fading: 2.0, damping: 1.0, ..Belly::default() };
            let mut run = Run::new(crane(1.0, 0.0, end, belly, true));
            (0..100).for_each(|_| run.pull(activation, 0.01, 10));
            let expected = activation * STRENGTH;
            for tension in run.tensions() {
                worst = worst.max((tension / expected - 1.0).abs());
            }
        }
    }
    println!("tension is off the force by {worst:.1e} of it");
    assert!(worst < 1e-9, "{worst}");
}

#[test]
fn a_light_load_is_lifted_as_fast_as_the_pull_fades() {
    let fastest = 0.5;
    // The softer rope is stretched by a quarter under its load, so the load rises a quarter faster than material is
    // drawn in.
    for (load, stiffness) in [(0.05, STIFFNESS), (0.3, STIFFNESS), (0.7, STIFFNESS), (0.5, 2.0 * STRENGTH)] {
        let damping = 1e-3 * STRENGTH / fastest;
        let belly = Belly { fading: 1.0 / fastest, damping, ..Belly::default() };
        let mass = 1e-4 * load * STRENGTH;
        let mut parts = crane(mass, 1e4, End::First, belly, false);
        (parts.strands[0].fibre.stiffness, parts.strands[0].fibre.axial_damping) = (stiffness, 0.01);
        let mut run = Run::new(parts);
        (0..50).for_each(|_| run.pull(1.0, 0.01, 20));
        let expected = fastest * (1.0 - load) / 1.001 * (1.0 + load * STRENGTH / stiffness);
        println!("load {load}, EA {stiffness} N: lifted with {:.5} m/s, {expected:.5} expected", run.speed());
        assert!((run.speed() / expected - 1.0).abs() < 1e-3, "{} {expected}", run.speed());
    }
}

#[test]
fn its_spring_lets_a_weight_down_as_far_as_it_stretches() {
    let belly = Belly { stiffness: 200.0, rest: 0.05, damping: 30.0, fading: 0.0 };
    for end in [End::First, End::Last] {
        let mut run = Run::new(crane(2.0, 9.81, end, belly, false));
        (0..200).for_each(|_| run.pull(0.0, 0.02, 20));
        let weight = 2.0 * 9.81;
        // The muscle's spring yields to the weight, and the rope that is not drawn in is stretched by it.
        let out = 1.3 - (0.05 - weight / 200.0);
        let expected = 1.3 - out * (1.0 + weight / STIFFNESS);
        println!("hangs {:.9} m below, {:.9} by Hooke", -run.lifted(), -expected);
        // The rope itself weighs 1e-5 N a metre.
        assert!((run.lifted() - expected).abs() < 1e-7 && run.speed().abs() < 1e-8);
        assert!((run.tensions()[0] / weight - 1.0).abs() < 1e-6);
    }
}

#[test]
fn goals_choose_how_much_it_pulls() {
    let belly = Belly { damping: 5.0, fading: 1.0, ..Belly::default() };
    let mut run = Run::new(crane(4.0, 9.81, End::Last, belly, false));
    let aim = Aim::Place { body: 0, local: Vec3::zeros(), goal: Vec3::y() * -0.9 };
    let goals = [Goal { aim, weight: 1.0, time: 0.05 }];
    let inputs = Inputs { seconds: 0.02, substeps: 20, goals: &goals, ..Inputs::default() };
    (0..100).for_each(|_| assert_eq!(run.frame(&inputs).unsolved, 0));
    let (found, expected) = (run.state.activations[0], 4.0 * 9.81 / STRENGTH);
    println!("held {:.4} m up with an activation of {found:.4}, {expected:.4} by the weight", run.lifted());
    assert!((run.lifted() - 0.1).abs() < 1e-3 && (found - expected).abs() < 0.01, "{found}");
}

#[test]
fn a_model_that_begins_where_another_stopped_goes_on_alike() {
    let belly = Belly { stiffness: 300.0, rest: 0.1, damping: 20.0, fading: 1.0 };
    for end in [End::First, End::Last] {
        let mut run = Run::new(crane(2.0, 9.81, end, belly, false));
        (0..200).for_each(|_| run.pull(0.3, 0.02, 10));
        let mut again = Run::new(run.model.parts_at(&run.state));
        let before = run.lifted();
        assert!(before > 0.05, "{before}");
        // It stands still, and so does the new one.
        (0..20).for_each(|_| again.pull(0.3, 0.02, 10));
        assert!((again.lifted() - before).abs() < 1e-6, "{before} {}", again.lifted());
    }
}

#[test]
fn without_a_pull_it_lets_a_weight_down_as_its_damping_allows() {
    for (end, axial) in [(End::First, Axial::Still), (End::Last, Axial::Still), (End::First, Axial::Dynamic)]
    {
        let belly = Belly { damping: 40.0, ..Belly::default() };
        let mut parts = crane(2.0, 9.81, end, belly, false);
        parts.settings.axial = axial;
        parts.strands[0].fibre.axial_damping = 1e-3;
        let mut run = Run::new(parts);
        (0..50).for_each(|_| run.pull(0.0, 0.02, 40));
        let weight = 2.0 * 9.81;
        let expected = weight / 40.0 * (1.0 + weight / STIFFNESS);
        println!("{end:?}, {axial:?}: sinks with {:.5} m/s, {expected:.5} expected", -run.speed());
        assert!((-run.speed() / expected - 1.0).abs() < 1e-3, "{}", run.speed());
    }
}

#[test]
fn it_lets_out_what_a_bouncing_weight_takes_and_no_more() {
    for axial in [Axial::Still, Axial::Dynamic] {
        let mut parts = crane(2.0, 9.81, End::First, Belly { damping: 2.0, ..Belly::default() }, false);
        parts.settings.axial = axial;
        // A spring of its own bears the weight.
        parts.joints[0].axes[4].spring = Some(Spring { stiffness: 200.0, rest: 0.0, damping: 0.1 });
        let mut run = Run::new(parts);
        let (mut lowest, mut out): (Real, Real) = (0.0, 0.0);
        for _ in 0..500 {
            run.pull(0.0, 0.02, 20);
            lowest = lowest.min(run.lifted());
            let before = std::mem::replace(&mut out, -run.state.material[0]);
            // What is slack does not go back in by itself.
            assert!(out > before - 1e-4, "{out} after {before}");
        }
        println!("{axial:?}: down to {:.4} m; {out:.4} m are out", -lowest);
        assert!(lowest < -0.1 && (out + lowest).abs() < 0.01, "{out} {lowest}");
    }
}

#[test]
fn next_to_a_cut_it_pulls_no_more_and_holds_the_stump() {
    for (end, next) in [(End::First, 0), (End::Last, 1)] {
        let belly = Belly { stiffness: 100.0, rest: 0.3, damping: 5.0, fading: 1.0 };
        let mut run = Run::new(crane(2.0, 9.81, end, belly, false));
        run.pull(1.0, 0.02, 20);
        let (height, speed) = (run.lifted(), run.speed());
        run.state.cut(&run.model, 0, next).unwrap();
        (0..10).for_each(|_| run.pull(1.0, 0.02, 100));
        let expected = height + speed * 0.2 - 0.5 * 9.81 * 0.2 * 0.2;
        println!("{end:?}: cut next to it, at {:.5} m after 0.2 s, {expected:.5} freely", run.lifted());
        assert!((run.lifted() - expected).abs() < 1e-3, "{}", run.lifted());
        // The 0.3 m between muscle and pulley are used up: the cut end stops at the pulley like a knot.
        let mut lowest: Real = 0.0;
        for _ in 0..100 {
            run.pull(1.0, 0.02, 100);
            lowest = lowest.min(run.lifted());
        }
        assert!((-0.36..-0.3).contains(&lowest), "{lowest}");
    }
}

#[test]
fn a_longer_strand_lets_a_weight_down_at_either_end() {
    for (end, segment) in [(End::First, 0), (End::First, 1), (End::Last, 0), (End::Last, 1)] {
        let belly = Belly { stiffness: 300.0, rest: 0.1, damping: 30.0, fading: 0.0 };
        let mut run = Run::new(crane(2.0, 9.81, end, belly, false));
        (0..100).for_each(|_| run.pull(0.0, 0.02, 10));
        let before = run.lifted();
        run.state.lengthen(&run.model, 0, segment, 0.1).unwrap();
        (0..100).for_each(|_| run.pull(0.0, 0.02, 10));
        let expected = -0.1 * (1.0 + 2.0 * 9.81 / STIFFNESS);
        assert!(
            (run.lifted() - before - expected).abs() < 1e-5,
            "{end:?} {segment}: {}",
            run.lifted() - before
        );
    }
}

#[test]
fn what_would_run_off_is_refused_by_name() {
    let parts = || crane(1.0, 9.81, End::First, Belly { damping: 1.0, ..Belly::default() }, false);
    let refused = |parts: Parts, words: &str| {
        let message = Model::new(parts).err().expect("is refused").message().to_string();
        assert!(message.contains(words), "{message}");
    };
    let mut limp = parts();
    let Pull::Reel { belly, .. } = &mut limp.muscles[0].pull else { panic!("no reel") };
    belly.damping = 0.0;
    refused(limp, "muscle \"reel\" has no damping");
    let mut lost = parts();
    lost.muscles.clear();
    lost.strands[0].nodes[2].mode = Mode::Free;
    refused(lost, "strand \"rope\" has neither a node that carries its material nor a reel");
}

#[test]
fn written_as_a_scene_and_read_again_it_is_the_same() {
    for end in [End::First, End::Last] {
        let belly = Belly { stiffness: 300.0, rest: 0.125, damping: 30.0, fading: 0.5 };
        let mut parts = crane(2.0, 9.81, end, belly, false);
        parts.bodies[0].solid = Some(Solid::new(&shapes::cuboid(&Vec3::repeat(0.1))).unwrap());
        let axes: Vec<Placement> = parts.bodies.iter().map(|body| body.place).collect();
        let (scene, meshes) = StrandScene::of_parts(&parts, &axes, 1e-3);
        let text = xml::write(&scene);
        let built = xml::parse::<StrandScene>(&text).unwrap().build(&meshes).unwrap();
        assert_eq!(built.model.parts().muscles, parts.muscles, "{text}");
    }
}
