//! Fingers and hands that are asked for by name: as scenes the same as their parts, on the command line, in the node.

use crate::strand_host::{Host, names};
use sinew::anatomy::tendon_hand::bones::FLEXING;
use sinew::anatomy::tendon_hand::hand::hand;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::preset::{Condition, Preset};
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::control::Control;
use sinew::formats::{obj, strand_scene, xml};
use sinew::math::{Placement, Real, Vec3};
use sinew::scene::strand::StrandScene;
use sinew::strand::model::Model;
use sinew::strand::parts::{Axis, Belly, CurveShape, Lie, Motion, Parts, Pull, Rule};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};
use std::path::Path;
use std::process::{Command, Output};

const NEAR: Real = 1e-12;

/// Refuses numbers that differ.
fn near(what: &str, a: &[Real], b: &[Real]) {
    let off = a.iter().zip(b).map(|(a, b)| (a - b).abs() / a.abs().max(1.0)).fold(0.0, Real::max);
    assert!(a.len() == b.len() && off < NEAR, "{what}: {a:?} {b:?}");
}

fn near_points(what: &str, a: &Vec3, b: &Vec3) {
    near(what, a.as_slice(), b.as_slice());
}

fn near_places(what: &str, a: &Placement, b: &Placement) {
    near_points(what, &a.origin, &b.origin);
    // The sine of half the angle; the angle itself is no better than the root of round-off.
    let turn = (a.rotation.inverse() * b.rotation).imag().norm();
    assert!(turn < NEAR, "{what}: turned by {turn:e}");
}

/// Rules of one kind stand together in scenes.
fn in_order(parts: &Parts) -> Vec<Rule> {
    let mut rules = parts.rules.clone();
    rules.sort_by_key(|rule| match rule {
        Rule::Frame { .. } => 0,
        Rule::Link { .. } => 1,
        Rule::Curve { .. } => 2,
        Rule::Plane { .. } => 3,
        Rule::Bone { .. } => 4,
    });
    rules
}

/// Refuses parts that differ by more than round-off.
fn same(a: &Parts, b: &Parts) {
    assert_eq!((a.settings, a.contacts.len()), (b.settings, b.contacts.len()));
    assert_eq!(
        [a.bodies.len(), a.strands.len(), a.planes.len()],
        [b.bodies.len(), b.strands.len(), b.planes.len()]
    );
    for (a, b) in a.bodies.iter().zip(&b.bodies) {
        assert_eq!((&a.name, a.mode, a.solid.is_some()), (&b.name, b.mode, b.solid.is_some()));
        near_places(&a.name, &a.place, &b.place);
        // Moments of some 1e-7 kg m^2, by their size.
        let whole = a.moments.norm().max(1e-9);
        near(&a.name, &[a.mass], &[b.mass]);
        near_points(&a.name, &(a.moments / whole), &(b.moments / whole));
        if let (Some(shape), Some(other)) = (&a.solid, &b.solid) {
            assert_eq!(shape.triangles(), other.triangles());
            shape.positions().iter().zip(other.positions()).for_each(|(p, q)| near_points(&a.name, p, q));
        }
    }
    same_strands(a, b);
    same_joints(a, b);
    same_ties(a, b);
}

fn same_strands(a: &Parts, b: &Parts) {
    for (a, b) in a.points.iter().zip(&b.points) {
        assert_eq!((&a.name, a.carrier), (&b.name, b.carrier));
        near_points(&a.name, &a.place, &b.place);
    }
    for (a, b) in a.strands.iter().zip(&b.strands) {
        assert_eq!((&a.name, a.radius, a.nodes.len()), (&b.name, b.radius, b.nodes.len()));
        let fibre = |f: &sinew::strand::parts::Fibre| {
            [f.stiffness, f.line_density, f.axial_damping, f.lateral_damping]
        };
        near(&a.name, &fibre(&a.fibre), &fibre(&b.fibre));
        for (p, q) in a.nodes.iter().zip(&b.nodes) {
            assert_eq!((p.point, p.mode), (q.point, q.mode));
            near(&a.name, &[p.material], &[q.material]);
        }
    }
}

fn same_joints(a: &Parts, b: &Parts) {
    for (a, b) in a.joints.iter().zip(&b.joints) {
        assert_eq!((&a.name, a.parent, a.child), (&b.name, b.parent, b.child));
        near_places(&a.name, &a.in_parent, &b.in_parent);
        near_places(&a.name, &a.in_child, &b.in_child);
        let axis = |axis: &Axis| match axis.motion {
            Motion::Free => [0.0; 3],
            Motion::Held => [1.0; 3],
            Motion::Limited(from, to) => [2.0, from, to],
        };
        for (p, q) in a.axes.iter().zip(&b.axes) {
            near(&a.name, &axis(p), &axis(q));
            assert_eq!((p.friction, p.spring.is_some()), (q.friction, q.spring.is_some()));
            let soft = |axis: &Axis| {
                let spring = axis.spring.map_or([0.0; 3], |s| [s.stiffness, s.rest, s.damping]);
                let ligaments =
                    axis.ligaments.map_or([0.0; 4], |l| [l.range[0], l.range[1], l.moment, l.width]);
                [&spring[..], &ligaments[..]].concat()
            };
            near(&a.name, &soft(p), &soft(q));
        }
    }
}

fn same_ties(a: &Parts, b: &Parts) {
    for (a, b) in a.planes.iter().zip(&b.planes) {
        assert_eq!((&a.name, a.bone), (&b.name, b.bone));
        match (&a.lie, &b.lie) {
            (Lie::Fixed(body, p), Lie::Fixed(other, q)) if body == other => near_places(&a.name, p, q),
            (Lie::Blending(bodies, p, weight), Lie::Blending(others, q, other)) => {
                assert_eq!((bodies, weight), (others, other));
                p.iter().zip(q).for_each(|(p, q)| near_places(&a.name, p, q));
            }
            lies => panic!("{lies:?}"),
        }
    }
    for (a, b) in a.curves.iter().zip(&b.curves) {
        assert_eq!((&a.name, a.body), (&b.name, b.body));
        let (CurveShape::Line(p, q), CurveShape::Line(r, s)) = (&a.shape, &b.shape) else {
            panic!("a circle")
        };
        near_points(&a.name, p, r);
        near_points(&a.name, q, s);
    }
    assert_eq!(in_order(a), in_order(b));
    for (a, b) in a.muscles.iter().zip(&b.muscles) {
        let numbers = |pull: &Pull| match *pull {
            Pull::Curve { point, curve, belly: Belly { stiffness, rest, damping, fading } } => {
                [point as Real, curve as Real, stiffness, rest, damping, fading]
            }
            Pull::Reel { .. } | Pull::Segment(_) => panic!("not on a curve"),
        };
        assert_eq!((&a.name, a.strength), (&b.name, b.strength));
        near(&a.name, &numbers(&a.pull), &numbers(&b.pull));
    }
}

/// The parts of a preset, written as a scene with meshes and read again.
fn through_files(preset: &Preset, folder: &Path) -> Parts {
    let (scene, meshes) = preset.scene().unwrap();
    let file = folder.join("scene.xml");
    xml::save(&file, &scene).unwrap();
    meshes.iter().for_each(|(name, mesh)| obj::save(&folder.join(name), mesh).unwrap());
    let scene: StrandScene = xml::read(&file).unwrap();
    let meshes = strand_scene::meshes(&scene, Some(&file), &Default::default()).unwrap();
    scene.build(&meshes).unwrap().model.parts().clone()
}

#[test]
fn a_finger_or_hand_that_is_written_and_read_again_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (k, measures) in Finger::all().iter().enumerate() {
        for condition in Condition::ALL {
            let preset = Preset { digit: Some(k), condition, bands: false };
            let made = finger(measures, &condition.options()).unwrap();
            same(&made, &through_files(&preset, folder.path()));
        }
    }
    for bands in [false, true] {
        let preset = Preset { digit: None, condition: Condition::SwanNeck, bands };
        let made = hand(&Options { bands, ..Options::swan_neck() }).unwrap();
        same(&made, &through_files(&preset, folder.path()));
    }
}

/// The flexion of a finger in degrees while its deep flexor pulls.
fn flexed(parts: Parts) -> Vec<Real> {
    let model = Model::new(parts).unwrap();
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    let activations: Vec<Real> =
        model.parts().muscles.iter().map(|m| if m.name == "FDP" { 0.03 } else { 0.0 }).collect();
    let inputs = Inputs { seconds: 0.15, substeps: 150, activations: &activations, ..Inputs::default() };
    step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    let place = |b: usize| state.bodies[b].place;
    model.parts().joints.iter().map(|joint| joint.motions(place)[FLEXING].to_degrees()).collect()
}

#[test]
fn it_also_moves_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let preset = Preset { digit: Some(0), condition: Condition::Intact, bands: false };
    let made = flexed(finger(&Finger::index(), &Options::default()).unwrap());
    let read = flexed(through_files(&preset, folder.path()));
    println!("made {made:.6?}, read {read:.6?}");
    // Rules stand in another order, so sums round differently, and strands that fall slack and tauten make it larger.
    assert!(made.iter().zip(&read).all(|(a, b)| (a - b).abs() < 0.5), "{made:?} {read:?}");
    assert!(made.iter().all(|angle| *angle > 10.0), "{made:?}");
}

fn sinew(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).arg("strand").args(args).output().unwrap()
}

fn runs(args: &[&str]) {
    let output = sinew(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_command_its_scene_and_the_node_give_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let pull = ["--set", "activation.III EDC=0.1", "--seconds", "0.0625", "--fps", "32"];
    let (file, here, there) = (path("hand/hand.xml"), path("here"), path("there"));
    let hand = ["--hand", "four", "--bands", "--condition", "boutonniere"];
    runs(&[&hand[..], &["--write", &file, "--set", "activation.III EDC=0.1"]].concat());
    assert!(folder.path().join("hand/II_Distal.obj").exists() && !folder.path().join("here").exists());
    runs(&[&hand[..], &pull, &["--out", &here]].concat());
    runs(&[&[file.as_str()], &pull[2..], &["--out", &there]].concat());
    for table in ["bodies.csv", "joints.csv"] {
        assert_eq!(read(&format!("here/{table}")), read(&format!("there/{table}")));
    }
    let mut host = Host::new(&[("source", "hand"), ("condition", "boutonniere"), ("bands", "true")]);
    let muscles = names(&host.frame(1), "muscles");
    let pulls: Vec<Real> = muscles.iter().map(|m| if m == "III EDC" { 0.1 } else { 0.0 }).collect();
    host.give("activations", &pulls, 1);
    host.frame(1);
    let report = host.frame(2);
    // Without the four strands that end on the middle bone, with three bands.
    assert_eq!(names(&report, "strands").len(), 4 * 9 + 3);
    let bodies: Vec<u64> = host
        .read("body_matrices")
        .chunks_exact(16)
        .flat_map(|m| m[..12].iter().map(|x| x.to_bits()))
        .collect();
    let table = read("here/bodies.csv");
    let last = table.lines().filter(|line| line.starts_with("2,"));
    let number = |cell: &str| cell.parse::<Real>().unwrap().to_bits();
    let reported: Vec<u64> = last.flat_map(|line| line.split(',').skip(2).map(number)).collect();
    assert_eq!(bodies, reported);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let pulley = "examples/strand/pulley.xml";
    let run = ["--seconds", "1", "--out", "nowhere"];
    for (args, named) in [
        (vec![], "<SCENE>"),
        (vec![pulley], "--seconds"),
        (vec![pulley, "--seconds", "1"], "--out"),
        ([&[pulley, "--hand", "finger"], &run[..]].concat(), "cannot be used with"),
        ([&[pulley, "--write", "x.xml"], &run[..]].concat(), "cannot be used with"),
        ([&[pulley, "--bands"], &run[..]].concat(), "cannot be used with"),
        ([&["--hand", "five"], &run[..]].concat(), "finger, four"),
        ([&["--hand", "four", "--digit", "ring"], &run[..]].concat(), "--hand four has all four"),
        ([&["--hand", "finger", "--bands"], &run[..]].concat(), "one finger has no neighbours"),
        ([&["--hand", "finger", "--digit", "thumb"], &run[..]].concat(), "index, middle, ring, little"),
        ([&["--hand", "finger", "--set", "activation.FDX=1"], &run[..]].concat(), "no setting"),
        (
            [&["--hand", "finger", "--set", "activation.II FDS=0.3"], &run[..]].concat(),
            "one of DI, PI, FDP, FDS, EDC, LUM",
        ),
    ] {
        let output = sinew(&args);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(named), "{args:?}: {message}");
    }
}
