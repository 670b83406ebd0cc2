//! The node `strand`: what the command computes, led and leading, saved and gone back to.

use crate::strand_host::{ARM, FPS, Host, at, names};
use sinew::control::Control;
use sinew::error::Kind;
use sinew::math::{Placement, Real, Rotation, Space, UpAxis, Vec3, invert, transform_point};
use sinew::nodes::{Instance, Order, ParamKind, Report};
use std::path::Path;
use std::process::Command;

/// The numbers of a table that the command wrote, frame after frame.
fn table(folder: &Path, name: &str, frame: i64) -> Vec<Real> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let rows = rows.filter(|cells| cells[0] == frame.to_string());
    rows.flat_map(|cells| cells[2..].iter().map(|c| c.parse().unwrap()).collect::<Vec<Real>>()).collect()
}

/// What the command's report has measured in a frame.
fn measured(frame: &serde_json::Value) -> serde_json::Value {
    frame["details"].clone()
}

/// Lets the command and the node run a scene for 12 frames, which must agree to the bit; the host at the end.
fn runs_alike(scene: &str, out: &Path) -> Host {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(["strand", scene, "--seconds", "0.375", "--fps", "32", "--out"]).arg(out);
    assert!(command.output().unwrap().status.success());
    let reported: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("report.json")).unwrap()).unwrap();
    let mut host = Host::new(&[("source", "scene"), ("scene", scene)]);
    let mut telling = Host::new(&[("source", "scene"), ("scene", scene), ("details", "true")]);
    telling.set("first_frame", "start");
    assert_eq!(telling.frame(0).details, measured(&reported["frames"][0]), "{scene}: the start");
    assert_eq!(telling.read("body_matrices").len() % 16, 0);
    for frame in 1..=12 {
        let report = host.frame(frame);
        assert_eq!(report.warnings, [""; 0]);
        assert!(report.details.is_null(), "nobody asks");
        let report = telling.frame(frame);
        assert_eq!(report.details, measured(&reported["frames"][frame as usize]), "{scene} frame {frame}");
        assert_eq!(telling.bits(), host.bits(), "neither details nor first_frame=start changes the result");
        let bodies = host.read("body_matrices");
        let bodies: Vec<Real> = bodies.chunks_exact(16).flat_map(|m| m[..12].to_vec()).collect();
        assert_eq!(bodies, table(out, "bodies.csv", frame), "{scene} frame {frame}");
        let (turns, moves) = (host.read("joint_turns"), host.read("joint_moves"));
        let pairs = turns.chunks_exact(3).zip(moves.chunks_exact(3));
        let joints: Vec<Real> = pairs.flat_map(|(t, m)| [t, m].concat()).collect();
        assert_eq!(joints, table(out, "joints.csv", frame), "{scene} frame {frame}");
        let reported = &reported["frames"][frame as usize]["details"];
        let tensions: Vec<Real> = names(&report, "strands")
            .iter()
            .flat_map(|name| reported["tensions"][name].as_array().unwrap().clone())
            .map(|t| t.as_f64().unwrap())
            .collect();
        assert_eq!(host.read("tensions"), tensions);
        let activations = names(&report, "muscles");
        let activations = activations.iter().map(|name| reported["activations"][name].as_f64().unwrap());
        assert_eq!(host.read("activations"), activations.collect::<Vec<_>>());
    }
    host
}

#[test]
fn the_command_and_the_node_give_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let [arm, changing, out] = ["arm.xml", "changing.xml", "out"].map(|name| folder.path().join(name));
    std::fs::write(&arm, ARM).unwrap();
    std::fs::write(&changing, CHANGING).unwrap();
    let host = runs_alike(arm.to_str().unwrap(), &out);
    // The text of the scene is as good as its file.
    let mut text = Host::arm();
    (1..=12).for_each(|frame| drop(text.frame(frame)));
    assert_eq!(text.bits(), host.bits());
    runs_alike("examples/strand/pulley.xml", &out);
    runs_alike(changing.to_str().unwrap(), &out);
    let host = runs_alike("examples/strand/reach.xml", &out);
    assert!(host.read("activations").iter().any(|pull| *pull > 0.01), "the scene's goals choose");
}

#[test]
fn details_are_reported_in_the_hosts_unit_and_axes_and_goals_of_the_host_by_their_items() {
    let goal = "<goal_motion name=\"bend\" joint=\"wrist\" axis=\"turn_z\"><to time=\"0\" value=\"20\"/></goal_motion>";
    let scene = ARM.replace("<activation time=\"0.25\" value=\"0.5\"/>", "");
    let scene = scene.replace("</strand_scene>", &format!("{goal}</strand_scene>"));
    let details = |space: Option<Space>| {
        let mut host = Host::new(&[("source", "scene"), ("scene", &scene), ("details", "true")]);
        space.into_iter().for_each(|space| host.0.set_space(space));
        (1..=3).map(|frame| host.frame(frame).details).last().unwrap()
    };
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let [metres, other] = [None, Some(Space::new(0.01, UpAxis::Z).unwrap())].map(details);
    for path in [&["lengths", "extensor", "stretched"][..], &["moment_arms", "extensor", "wrist", "turn_z"]] {
        let [a, b] =
            [&metres, &other].map(|reported| path.iter().fold(reported, |reported, name| &reported[*name]));
        assert!((number(a) * 100.0 - number(b)).abs() < 1e-9 && number(a) != 0.0, "{path:?}: {a} {b}");
    }
    let [a, b] = [&metres, &other].map(|reported| &reported["joint_forces"]["wrist"]);
    let away = number(&a[1]) - number(&b[2]) + (number(&a[2]) + number(&b[1]));
    assert!(away.abs() < 1e-9 && number(&a[1]).abs() > 0.1, "z is up: {a} {b}");
    assert_eq!(metres["ways_left"]["bend"], other["ways_left"]["bend"], "degrees");
    assert!(number(&metres["ways_left"]["bend"]) > 0.0 && metres["steps"] == other["steps"]);
    let mut host = Host::new(&[("details", "true")]);
    host.name("goal_joints", &[0, 2], 2);
    host.give("goal_motions", &[10.0], 1);
    let report = host.frame(1);
    assert!(report.details["ways_left"]["goal_joints 0"].is_number(), "{}", report.details["ways_left"]);
    // The last of the motions of a joint, along z, is a goal too.
    host.name("goal_joints", &[0, 5], 2);
    host.give("goal_motions", &[0.0], 1);
    let report = host.frame(2);
    assert!(report.details["ways_left"]["goal_joints 0"].is_number(), "{}", report.details["ways_left"]);
    host.name("goal_joints", &[0, 2], 2);
    host.give("goal_motions", &[10.0], 1);
    // The start has no steps, and is the same again.
    host.set("first_frame", "start");
    host.0.reset();
    let start = host.frame(5);
    assert!(start.details["steps"].is_null() && start.details["time"] == 0.0, "{}", start.details);
    let (bits, saved) = (host.bits(), host.0.save_state());
    host.frame(6);
    let next = host.bits();
    assert_ne!(next, bits);
    assert_eq!((host.frame(5).details, host.bits()), (start.details, bits), "gone back to");
    let mut other = Host::new(&[]);
    other.0.load_state(&saved).unwrap();
    other.name("goal_joints", &[0, 2], 2);
    other.give("goal_motions", &[10.0], 1);
    other.frame(6);
    assert_eq!(other.bits(), next, "it goes on from the start that was saved");
}

/// A weight that is let down and then cut off, at the beginnings of frames, and one on a hook that lets go in the midst
/// of one.
const CHANGING: &str = r#"<strand_scene version="1">
  <body name="weight" at="0 -0.5 0"><inertia mass="0.5" moments="1e-3 1e-3 1e-3"/></body>
  <point name="top" at="0 0 0" on="world"/>
  <point name="weight" at="0 -0.5 0" on="weight"/>
  <strand name="cord" stiffness="5000" density="1" axial_damping="0.05"><node point="top"/><node point="weight"/></strand>
  <body name="hung" at="1 0 0"><inertia mass="0.5" moments="1e-3 1e-3 1e-3"/></body>
  <joint name="hook" child="hung" at="1 0 0"/>
  <release time="0.1" joint="hook"/>
  <lengthen time="0.05" strand="cord" segment="0" by="0.01" over="0.1"/>
  <cut time="0.25" strand="cord" segment="0"/>
</strand_scene>
"#;

#[test]
fn what_happens_in_a_scene_happens_once_at_any_frame_rate_and_again_when_frames_are_gone_back_to() {
    for fps in [24.0, 25.0, 29.97, 30.0, 60.0] {
        // The cut lies where a frame begins; the host's clock does not begin at zero.
        let when = (6.0 / fps as Real).to_string();
        let scene = CHANGING.replace("time=\"0.25\"", &format!("time=\"{when}\""));
        let mut host = Host::new(&[("source", "scene"), ("scene", &scene)]);
        host.set("fps", &fps.to_string());
        let frame = |host: &mut Host, frame: i64| {
            host.0.step(1000 + frame, (1000 + frame) as Real / fps, &Control::default()).unwrap();
            (host.matrix(0)[(1, 3)], host.bits())
        };
        let all: Vec<_> = (1..=20).map(|k| frame(&mut host, k)).collect();
        let fallen = all[5].0 - all[19].0;
        let expected = 0.5 * 9.81 * (14.0 / fps).powi(2);
        println!("{fps} frames a second: fallen by {fallen:.4} m after the cut, {expected:.4} expected");
        assert!(fallen > 0.8 * expected, "{fallen} {expected}");
        assert_eq!(frame(&mut host, 20), all[19], "the same frame again");
        assert_eq!(frame(&mut host, 1), all[0], "from the start");
        let again: Vec<_> = (2..=20).map(|k| frame(&mut host, k)).collect();
        assert_eq!(again, all[1..]);
    }
    // What is impossible is refused with the element's line, and the state is kept.
    let scene = CHANGING.replace("by=\"0.01\"", "by=\"-0.6\"");
    let mut host = Host::new(&[("source", "scene"), ("scene", &scene)]);
    host.frame(1);
    host.frame(2);
    let bits = host.bits();
    let error = (3..=6).find_map(|frame| host.try_frame(frame).err()).unwrap();
    assert!(error.message().contains("strand \"cord\" has") && error.place().line == Some(5), "{error}");
    host.frame(1);
    host.frame(2);
    assert_eq!(host.bits(), bits);
}

/// Where the keys of the scene have the forearm.
fn forearm(time: Real) -> Placement {
    let turned = |turn: Vec3| Rotation::from_scaled_axis(turn * 1f64.to_radians());
    let keys = [
        at(0.0, 0.0, 0.0),
        Placement::new(turned(Vec3::new(0.0, 10.0, 20.0)), Vec3::new(0.02, 0.01, 0.0)),
        at(0.0, 0.05, 0.0),
    ];
    let part = time / 0.125;
    match part {
        _ if part < 1.0 => keys[0].blend(&keys[1], part),
        _ if part < 2.0 => keys[1].blend(&keys[2], part - 1.0),
        _ => keys[2],
    }
}

#[test]
fn a_hosts_joints_lead_bodies_as_keys_do() {
    let (mut keys, mut host) = (Host::arm(), Host::arm());
    // A host's matrices replace the scene's keys: a scene whose keys stand still gives the same result.
    let still =
        ARM.replace(r#"turn="0 10 20""#, "").replace("0.02 0.01 0", "0 0 0").replace("0 0.05 0", "0 0 0");
    host.set("scene", &still);
    for frame in 1..=10 {
        keys.frame(frame);
        host.lead(&[forearm(frame as Real / FPS)]);
        let report = host.frame(frame);
        assert_eq!(names(&report, "led_bodies"), ["forearm"]);
        assert_eq!(host.read("led_bodies"), [1.0]);
        let off = host.read("body_matrices").into_iter().zip(keys.read("body_matrices"));
        let off = off.map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
        assert!(off < 1e-9, "frame {frame}: {off:e}");
    }
    let expected = forearm(10.0 / FPS).to_affine();
    assert!((host.matrix(1) - expected).amax() < 1e-12);
    // The hand was carried along on its joint.
    let wrist = transform_point(&host.matrix(2), &Vec3::new(-0.05, 0.0, 0.0));
    let end = transform_point(&host.matrix(1), &Vec3::new(0.1, 0.0, 0.0));
    assert!((wrist - end).norm() < 1e-6, "{wrist} {end}");
}

#[test]
fn centimetres_with_z_up_are_another_view_of_the_same() {
    let (mut metres, mut host) = (Host::arm(), Host::arm());
    let space = Space::new(0.01, UpAxis::Z).unwrap();
    host.0.set_space(space);
    for frame in 1..=4 {
        let place = forearm(frame as Real / FPS);
        metres.lead(&[place]);
        let seen = space.affine_out(&place.to_affine());
        let mut row: Vec<Real> = (0..12).map(|k| seen[(k / 4, k % 4)]).collect();
        row.extend([0.0, 0.0, 0.0, 1.0]);
        host.give("led_matrices", &row, 16);
        metres.frame(frame);
        host.frame(frame);
    }
    for body in 0..3 {
        let off = (space.affine_in(&host.matrix(body)) - metres.matrix(body)).amax();
        assert!(off < 1e-9, "body {body}: {off:e}");
    }
    let points = host.read("strand_points");
    for (seen, inside) in points.chunks_exact(3).zip(metres.read("strand_points").chunks_exact(3)) {
        let seen = space.point_in(Vec3::from_column_slice(seen));
        assert!((seen - Vec3::from_column_slice(inside)).norm() < 1e-9);
    }
    // One strand: its length is that of the way through its points.
    let ways = points.chunks_exact(3).zip(points.chunks_exact(3).skip(1));
    let ways = ways.map(|(a, b)| (Vec3::from_column_slice(b) - Vec3::from_column_slice(a)).norm());
    assert!((host.read("strand_lengths")[0] - ways.sum::<Real>()).abs() < 1e-9);
    for port in ["strand_radii", "strand_materials", "strand_lengths", "joint_moves"] {
        let pairs = host.read(port).into_iter().zip(metres.read(port));
        pairs.for_each(|(seen, inside)| assert!((seen - 100.0 * inside).abs() < 1e-7, "{port}"));
    }
}

#[test]
fn a_preroll_brings_a_scene_to_where_the_host_is() {
    let far = at(3.0, 1.0, -2.0);
    let mut sudden = Host::arm();
    sudden.lead(&[far]);
    let warnings = sudden.frame(1).warnings;
    let hint = "body forearm jumps 3.74 m and 0 degrees in the first frame from where it was modelled; a preroll \
                moves it there gently";
    assert_eq!(warnings, [hint]);
    let mut host = Host::arm();
    host.set("preroll", "2");
    host.lead(&[far]);
    let report = host.frame(1);
    assert_eq!(report.warnings, [""; 0]);
    let energy = report.figures.iter().find(|(name, _)| *name == "kinetic_energy").unwrap().1;
    assert!(energy < 1e-4, "{energy}");
    let hand = host.matrix(2);
    assert!((Vec3::new(hand[(0, 3)], hand[(1, 3)], hand[(2, 3)]) - far.origin).norm() < 0.2, "{hand}");
    let first = host.bits();
    host.frame(1);
    assert_eq!(host.bits(), first, "recomputing the first frame repeats the preroll");
}

/// The flexion of MCP, PIP and DIP in degrees.
fn flexion(host: &Host) -> Vec<Real> {
    host.read("joint_turns").chunks_exact(3).map(|turn| turn[2]).collect()
}

#[test]
fn a_finger_bends_when_its_flexor_pulls() {
    let mut host = Host::new(&[("gravity", "0")]);
    let report = host.frame(1);
    let muscles = names(&report, "muscles");
    let flexor = muscles.iter().position(|name| name == "FDP").unwrap();
    let pull: Vec<Real> = (0..muscles.len()).map(|k| if k == flexor { 0.03 } else { 0.0 }).collect();
    host.give("activations", &pull, 1);
    for frame in 2..=10 {
        assert_eq!(host.frame(frame).warnings, [""; 0]);
    }
    let angles = flexion(&host);
    println!("MCP, PIP, DIP: {angles:.1?}");
    assert!(angles.iter().all(|angle| *angle > 10.0), "{angles:?}");
    assert_eq!(host.read("activations"), pull);
    assert_eq!(names(&report, "led_bodies"), ["Wrist", "Metacarpal"]);
    // The axes of a bone lie in its joint: those of the distal bone where the middle bone ends.
    let (middle, distal) = (host.matrix(3), host.matrix(4));
    let end = transform_point(
        &invert(&middle).unwrap(),
        &Vec3::new(distal[(0, 3)], distal[(1, 3)], distal[(2, 3)]),
    );
    assert!(end.x > 0.01 && end.y.abs() < 1e-6 && end.z.abs() < 1e-6, "{end}");
    // As many tensions as there are pieces between nodes.
    let (counts, tensions) = (host.read("strand_counts"), host.read("tensions"));
    assert_eq!(tensions.len() as Real, counts.iter().sum::<Real>() - counts.len() as Real);
    let deep = names(&report, "strands").iter().position(|name| name == "FDP").unwrap();
    let first = (counts[..deep].iter().sum::<Real>() - deep as Real) as usize;
    assert!(tensions[first] > 1.0, "{tensions:?}");
}

#[test]
fn the_pull_of_one_muscle_does_more_without_what_resists() {
    let after = |condition: &str| {
        let mut host = Host::new(&[("gravity", "0"), ("condition", condition)]);
        let muscles = names(&host.frame(1), "muscles");
        let pull: Vec<Real> = muscles.iter().map(|m| if m == "FDP" { 0.05 } else { 0.0 }).collect();
        host.give("activations", &pull, 1);
        (2..=6).for_each(|frame| drop(host.frame(frame)));
        flexion(&host)
    };
    let [intact, without] = ["intact", "without_ligament"].map(after);
    println!("with the ligament {intact:.1?}, without {without:.1?}");
    // The ligament makes PIP go along with DIP.
    assert!(without[2] - without[1] > intact[2] - intact[1] + 5.0, "{intact:?} {without:?}");
}

#[test]
fn goals_are_reached_by_muscles() {
    let mut host = Host::arm();
    host.name("goal_joints", &[0, 2], 2);
    for goal in [15.0, -10.0] {
        host.give("goal_motions", &[goal], 1);
        let frame = host.0.last_frame().unwrap_or(0);
        (frame + 1..=frame + 30).for_each(|frame| drop(host.frame(frame)));
        let (turn, pull) = (host.read("joint_turns")[2], host.read("activations")[0]);
        println!("to {goal}: {turn:.2} with {pull:.4}");
        assert!((turn - goal).abs() < 0.5 && pull > 0.01 && pull < 1.0, "{turn} {pull}");
    }
    // A point of the hand instead of the joint's angle: where the hand is at 5 degrees.
    let mut host = Host::arm();
    host.lead(&[at(0.0, 0.0, 0.0)]);
    let turn = Rotation::from_scaled_axis(Vec3::z() * 5f64.to_radians());
    let goal = turn * Vec3::new(0.1, 0.0, 0.0) + Vec3::new(0.1, 0.0, 0.0);
    host.name("goal_bodies", &[2], 1);
    host.give("goal_points", &[0.05, 0.0, 0.0], 3);
    host.give("goal_places", goal.as_slice(), 3);
    (1..=40).for_each(|frame| drop(host.frame(frame)));
    let turn = host.read("joint_turns")[2];
    println!("at the place: {turn:.2} degrees");
    assert!((turn - 5.0).abs() < 0.5, "{turn}");
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits() {
    let mut whole = Host::arm();
    (1..=5).for_each(|frame| drop(whole.frame(frame)));
    let saved = whole.0.save_state();
    let fifth = whole.bits();
    whole.frame(6);
    whole.frame(7);
    let mut resumed = Host(Instance::new("strand").unwrap());
    resumed.0.load_state(&saved).unwrap();
    assert_eq!(resumed.bits(), fifth, "outputs are there before a step");
    assert_eq!(resumed.0.save_state(), saved, "also before anything was built");
    resumed.frame(5);
    assert_eq!(resumed.bits(), fifth, "the same frame again");
    resumed.frame(6);
    resumed.frame(7);
    assert_eq!(resumed.bits(), whole.bits());
    assert_eq!(resumed.0.save_state(), whole.0.save_state());

    // With a state of another scene it starts again, unless that is not allowed; one that is cut off changes nothing.
    let mut other = Host(Instance::new("strand").unwrap());
    other.0.load_state(&saved).unwrap();
    other.set("source", "finger");
    other.0.set_order(Order { may_restart: false, ..Order::default() });
    let error = other.try_frame(6).unwrap_err();
    assert!(
        error.kind() == Kind::OutOfOrder && error.message().contains("belongs to another scene"),
        "{error}"
    );
    other.set("source", "scene");
    other.frame(6);
    assert!(other.0.load_state(&saved[..saved.len() - 9]).is_err());
    other.frame(7);
    assert_eq!(other.bits(), whole.bits());
}

#[test]
fn frames_again_and_backwards() {
    let mut host = Host::arm();
    host.frame(1);
    let first = host.bits();
    (2..=4).for_each(|frame| drop(host.frame(frame)));
    let fourth = host.bits();
    host.frame(4);
    assert_eq!(host.bits(), fourth, "the same frame again");
    // A failed frame is as if it had not been asked for.
    host.give("activations", &[0.5, 0.5], 1);
    assert!(host.try_frame(5).is_err());
    host.0.clear_input("activations").unwrap();
    host.frame(4);
    assert_eq!(host.bits(), fourth);
    let report = host.frame(1);
    assert_eq!(report.warnings, ["frame 1 comes after frame 4: the strands restart"]);
    assert_eq!(host.bits(), first);
    (2..=4).for_each(|frame| drop(host.frame(frame)));
    assert_eq!(host.bits(), fourth);
    host.set("source", "finger");
    assert_eq!(host.frame(5).warnings, ["the scene was changed: the strands restart"]);
}

#[test]
fn another_step_takes_more_steps_and_no_gravity_lets_things_float() {
    let mut host = Host::arm();
    let steps = |report: Report| report.figures[0];
    assert_eq!(steps(host.frame(1)), ("steps", 16.0));
    host.set("step", "0.0005");
    assert_eq!(steps(host.frame(2)), ("steps", 63.0));
    let pendulum = |gravity: &str| {
        let mut host = Host::new(&[("source", "scene"), ("scene", "examples/strand/pendulum.xml")]);
        host.set("gravity", gravity);
        let start = host.frame(1).figures[2].1;
        (start, host.read("joint_turns"))
    };
    assert_eq!(pendulum("0").0, 0.0);
    let (energy, turns) = pendulum("1");
    assert!(energy > 0.0 && turns[2] < -0.1, "{turns:?}");
}

#[test]
fn every_choice_moves() {
    let node = Instance::new("strand").unwrap().descriptor();
    for id in ["digit", "condition"] {
        let ParamKind::Choice { choices, .. } = &node.params[node.param_index(id).unwrap()].kind else {
            panic!("{id}")
        };
        for choice in *choices {
            let report = Host::new(&[(id, choice.id)]).frame(1);
            assert_eq!(report.warnings, [""; 0], "{id} {}", choice.id);
        }
    }
    let mut hand = Host::new(&[("source", "hand")]);
    let report = hand.frame(1);
    assert_eq!(names(&report, "bodies").len(), 20);
    assert_eq!(hand.0.output_count("body_matrices").unwrap(), 20);
    // Hands are fingers side by side.
    let mut finger = Host::new(&[]);
    finger.frame(1);
    for (a, b) in hand.read("body_matrices")[..80].iter().zip(finger.read("body_matrices")) {
        assert!((a - b).abs() < 1e-6);
    }
}
