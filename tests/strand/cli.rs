//! `sinew strand` from outside: the sample scenes against known answers, what it writes, and how it fails.

use crate::strand_folder::{Folder, sinew, text};
use sinew::formats::{obj, xml};
use sinew::scene::strand::StrandScene;
use std::path::Path;
use std::process::{Command, Output};

const G: f64 = 9.81;

impl Folder {
    fn run(&self, scene: &str, out: &str, more: &[&str]) -> Output {
        sinew(&[&["strand", scene, "--out", &self.name(out)], more].concat())
    }

    fn runs(&self, scene: &str, out: &str, more: &[&str]) {
        let output = self.run(scene, out, more);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }
}

const PULLEY: &str = "examples/strand/pulley.xml";
const PENDULUM: &str = "examples/strand/pendulum.xml";
const HILL: &str = "examples/strand/hill.xml";
const CRANE: &str = "examples/strand/crane.xml";
const REACH: &str = "examples/strand/reach.xml";
const WRAP: &str = "examples/strand/wrap.xml";

#[test]
fn weights_on_pulleys_fall_as_they_must() {
    let folder = Folder::new();
    folder.runs(PULLEY, "out", &["--seconds", "0.25", "--fps", "40"]);
    let bodies = folder.table("out/bodies.csv");
    let atwood = G * (0.3 - 0.2) / (0.3 + 0.2);
    let load = G * (2.0 * 0.2 - 0.5) / (0.5 + 4.0 * 0.2);
    for (name, expected) in [("heavy", -atwood), ("light", atwood), ("load", load), ("weight", -2.0 * load)] {
        let heights: Vec<f64> = bodies[name].iter().map(|row| row[7]).collect();
        assert_eq!(heights.len(), 11);
        let found = 2.0 * (heights[10] - heights[0]) / (0.25 * 0.25);
        println!("{name}: {found:.4} m/s2 instead of {expected:.4}");
        assert!((found / expected - 1.0).abs() < 0.01, "{name}: {found} {expected}");
    }
    let report = folder.json("out/report.json");
    let last = &report["frames"][10]["details"];
    for (name, segments, expected) in
        [("cord", 2, 2.0 * 0.3 * 0.2 * G / 0.5), ("tackle", 3, 0.2 * (G - 2.0 * load))]
    {
        let pulls = last["tensions"][name].as_array().unwrap();
        assert_eq!(pulls.len(), segments);
        assert!(pulls.iter().all(|t| (t.as_f64().unwrap() / expected - 1.0).abs() < 0.01), "{pulls:?}");
    }
    assert_eq!((&last["unsolved"], &last["conflicts"]), (&0.into(), &serde_json::json!([])));
    assert!(last["energy"]["kinetic"].as_f64().unwrap() > 0.0);
    assert!(report["frames"][10]["milliseconds"]["solve"].is_number() && report["fps"] == 40.0);
    assert_eq!(folder.json("out/bodies.json")[10]["bodies"]["load"][7], bodies["load"][10][7]);
}

#[test]
fn a_muscle_lifts_a_weight_until_its_curve_gives_no_more() {
    let folder = Folder::new();
    folder.runs(HILL, "out", &["--seconds", "3", "--fps", "20"]);
    let heights: Vec<f64> = folder.table("out/bodies.csv")["weight"].iter().map(|row| row[7]).collect();
    // In resting lengths of 0.1 m, of a pull of 100 N: 2.77 (l - 1)^2, then a (1 - 4 (l - 1.1)^2), is the weight.
    let load = 2.0 * G / 100.0;
    let long = |activation: f64| match activation {
        0.0 => 0.1 * (1.0 + (load / 2.77).sqrt()),
        _ => 0.1 * (1.1 - ((1.0 - load / activation) / 4.0).sqrt()),
    };
    for (frame, activation) in [(3, 0.0), (27, 0.5), (60, 1.0)] {
        let (found, expected) = (heights[frame] - heights[0], long(0.0) - long(activation));
        println!("activation {activation}: lifted by {found:.5} m, {expected:.5} expected");
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }
    let pulls = folder.json("out/report.json")["frames"][60]["details"]["tensions"]["flexor"].clone();
    let pulls: Vec<f64> = pulls.as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    assert!(pulls.len() == 3 && pulls.iter().all(|t| (t / (2.0 * G) - 1.0).abs() < 0.01), "{pulls:?}");
}

#[test]
fn a_reel_lifts_a_weight_as_far_as_its_spring_lets_it() {
    let folder = Folder::new();
    folder.runs(CRANE, "out", &["--seconds", "7", "--fps", "20"]);
    let heights: Vec<f64> = folder.table("out/bodies.csv")["weight"].iter().map(|row| row[7]).collect();
    for (frame, activation) in [(3, 0.0), (67, 0.5), (140, 1.0)] {
        // The cord is stretched by the weight all the time.
        let expected = activation * 60.0 / 200.0 * (1.0 + 2.0 * G / 15000.0);
        let found = heights[frame] - heights[0];
        println!("activation {activation}: lifted by {found:.5} m, {expected:.5} expected");
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }
}

#[test]
fn a_strand_wraps_round_a_bone_and_the_reference_says_how() {
    let folder = Folder::new();
    folder.runs(WRAP, "out", &["--seconds", "1", "--fps", "24"]);
    let report = folder.json("out/report.json");
    let tensions = report["frames"][24]["details"]["tensions"]["tendon"].as_array().unwrap();
    // Without friction the weight pulls everywhere.
    for tension in tensions {
        let tension = tension.as_f64().unwrap();
        assert!((tension / (0.5 * G) - 1.0).abs() < 5e-3, "{tension}");
    }
    let heights: Vec<f64> = folder
        .read("out/strands.0024.obj")
        .lines()
        .filter(|line| line.starts_with("v "))
        .map(|line| line.split(' ').nth(2).unwrap().parse().unwrap())
        .collect();
    assert!(heights.len() == 4 && heights[1..3].iter().all(|y| (y - 0.03).abs() < 1e-6), "{heights:?}");
    let page = |arguments: &[&str]| text(&sinew(arguments).stdout).to_string();
    for (page, words) in [
        (page(&["nodes", "strand"]), ["in_plane", "off_bone", "kind eulerian", "wrap.xml"]),
        (page(&["scene"]), ["A strand wraps round a bone by", "and_on", "kind eulerian", "see off_bone"]),
        (page(&["scene"]), ["1 - 4 (l - 1.1)^2", "2.77 (l - 1)^2", "(1 - v) / (1 + 4 v)", "optimal / 1.1"]),
    ] {
        assert!(words.iter().all(|word| page.contains(word)), "{words:?}");
    }
}

#[test]
fn muscles_lead_a_tip_along_its_path() {
    let folder = Folder::new();
    folder.runs(REACH, "out", &["--seconds", "3", "--fps", "50"]);
    let report = folder.json("out/report.json");
    let frames = report["frames"].as_array().unwrap();
    let left: Vec<f64> = frames.iter().map(|f| f["details"]["ways_left"]["tip"].as_f64().unwrap()).collect();
    // The remaining distance is to be covered in 0.05 s: without the target's own speed, the lag would be that time
    // times its speed. A quarter of that is allowed. Sides of the square take half a second.
    for (from, to, most) in [(1, 25, 0.04), (26, 50, 0.08), (51, 75, 0.08), (76, 100, 0.08), (101, 125, 0.04)]
    {
        let far = left[from..=to].iter().copied().fold(0.0, f64::max);
        println!(
            "frames {from} to {to}: at most {:.2} mm away, {:.2} mm allowed",
            1e3 * far,
            1e3 * most / 0.5 * 0.0125
        );
        assert!(far < most / 0.5 * 0.0125, "{far}");
    }
    println!("at rest: {:.1e} m away", left[150]);
    assert!(left[150] < 1e-4, "{}", left[150]);
    // The tip is where the body's matrix says, and the muscles that pull are outputs.
    let m = &folder.table("out/bodies.csv")["fore"][150];
    let tip: Vec<f64> = (0..2).map(|k| m[4 * k + 1] * 0.13 + m[4 * k + 3]).collect();
    assert!((tip[0] - 0.3).hypot(tip[1] - 0.26) < 1e-4, "{tip:?}");
    let pull = |frame: usize, name: &str| frames[frame]["details"]["activations"][name].as_f64().unwrap();
    assert!(["front", "biceps", "triceps"].iter().any(|name| pull(150, name) > 0.01));
    assert!((0..=150).all(|k| ["front", "back", "biceps", "triceps"].iter().all(|m| pull(k, m) <= 1.0)));
    let output = folder.run(REACH, "no", &["--seconds", "1", "--set", "activation.front=0.5"]);
    let message = text(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("goals choose the activations"), "{message}");
}

/// A weight on a cord that is let down, then cut, and one on a hook that lets go.
const CUT: &str = r#"<strand_scene version="1">
  <body name="weight" at="0 -0.5 0"><inertia mass="0.5" moments="1e-3 1e-3 1e-3"/></body>
  <point name="top" at="0 0 0" on="world"/>
  <point name="weight" at="0 -0.5 0" on="weight"/>
  <strand name="cord" stiffness="5000" density="1" axial_damping="0.05"><node point="top"/><node point="weight"/></strand>
  <body name="hung" at="1 0 0"><inertia mass="0.5" moments="1e-3 1e-3 1e-3"/></body>
  <joint name="hook" child="hung" at="1 0 0"/>
  <release time="1" joint="hook"/>
  <lengthen time="0.2" strand="cord" segment="0" by="0.1" over="0.5"/>
  <cut time="1.5" strand="cord" segment="0"/>
</strand_scene>
"#;

#[test]
fn a_scene_lengthens_cuts_and_releases_and_goes_on_the_same_when_resumed() {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), CUT).unwrap();
    let scene = folder.name("scene.xml");
    let (half, whole, end) = (folder.name("half"), folder.name("whole"), folder.name("end"));
    folder.runs(&scene, "a", &["--seconds", "1.7", "--fps", "20", "--save-state", &whole]);
    let table = folder.table("a/bodies.csv");
    let heights: Vec<f64> = table["weight"].iter().map(|row| row[7]).collect();
    let fallen = [20, 34].map(|frame| table["hung"][frame][7]);
    assert!(fallen[0].abs() < 1e-9 && (fallen[1] + 0.5 * G * 0.49).abs() < 6e-3, "{fallen:?}");
    let grown = 1.0 + 0.5 * G / 5000.0;
    for (frame, expected) in [(30, -0.6 * grown), (34, -0.6 * grown - 0.5 * G * 0.04)] {
        println!("frame {frame}: {:.5} m, {expected:.5} expected", heights[frame]);
        assert!((heights[frame] - expected).abs() < 2e-3, "{} {expected}", heights[frame]);
    }
    // In the midst of the lengthening.
    folder.runs(&scene, "b", &["--seconds", "0.45", "--fps", "20", "--save-state", &half]);
    let more = ["--seconds", "1.25", "--fps", "20", "--resume", &half, "--save-state", &end];
    folder.runs(&scene, "c", &more);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&end).unwrap());
    std::fs::write(&scene, CUT.replace("by=\"0.1\"", "by=\"-0.6\"")).unwrap();
    let output = folder.run(&scene, "d", &["--seconds", "1", "--fps", "20"]);
    let message = text(&output.stderr);
    assert!(
        output.status.code() == Some(1)
            && message.contains("scene.xml:5: element strand_scene/strand, frame 13"),
        "{message}"
    );
    assert!(message.contains("strand \"cord\" has"), "{message}");
}

#[test]
fn strands_are_written_as_lines_and_as_tubes_that_carry_the_material() {
    let folder = Folder::new();
    folder.runs(PULLEY, "out", &["--seconds", "0.2", "--fps", "10"]);
    let lines = folder.read("out/strands.0002.obj");
    assert!(lines.contains("g cord\nl 1 2 3\n") && lines.contains("g tackle\nl 4 5 6 7\n"), "{lines}");
    let tubes = obj::read(&folder.path("out/tubes.0002.obj")).unwrap().mesh;
    assert_eq!(tubes.groups.names, ["cord", "tackle"]);
    let uvs = tubes.uvs.unwrap();
    // The ring at the pulley has the material that lies there: more than at first, for it ran to the heavy side.
    let at_pulley = uvs.values[13].y;
    let bodies = folder.table("out/bodies.csv");
    let fallen = &bodies["heavy"];
    let fallen = fallen[0][7] - fallen[2][7];
    assert!((at_pulley - 0.5 - fallen).abs() < 2e-3, "{at_pulley} {fallen}");
    let meshes = (0..=2).flat_map(|k| [format!("strands.{k:04}.obj"), format!("tubes.{k:04}.obj")]);
    let tables = ["bodies.csv", "bodies.json", "joints.csv", "joints.json", "report.json"].map(String::from);
    let mut expected: Vec<String> = meshes.chain(tables).collect();
    let entries = std::fs::read_dir(folder.path("out")).unwrap();
    let mut found: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

/// The angular accelerations of two rods on hinges, from their angles and rates.
fn accelerations([a, b, va, vb]: [f64; 4]) -> [f64; 2] {
    let (mass, long, half): (f64, f64, f64) = (0.03 * 0.3 * 0.03 * 1000.0, 0.3, 0.15);
    let moment = mass / 12.0 * (0.3 * 0.3 + 0.03 * 0.03);
    let (sine, cosine) = (a - b).sin_cos();
    let cross = mass * long * half;
    let (m00, m01, m11) =
        (moment + mass * (half * half + long * long), cross * cosine, moment + mass * half * half);
    let f0 = -cross * sine * vb * vb - mass * (half + long) * G * a.sin();
    let f1 = cross * sine * va * va - mass * half * G * b.sin();
    let determinant = m00 * m11 - m01 * m01;
    [(m11 * f0 - m01 * f1) / determinant, (m00 * f1 - m01 * f0) / determinant]
}

/// Both angles at every frame, by Runge and Kutta.
fn swing(fps: f64, frames: usize) -> Vec<[f64; 2]> {
    let rates = |x: [f64; 4]| {
        let [aa, ab] = accelerations(x);
        [x[2], x[3], aa, ab]
    };
    let mut x = [60f64.to_radians(), 20f64.to_radians(), 0.0, 0.0];
    let mut all = vec![[x[0], x[1]]];
    let h = 1.0 / fps / 100.0;
    for _ in 0..frames {
        for _ in 0..100 {
            let moved = |by: [f64; 4], part: f64| std::array::from_fn(|k| x[k] + by[k] * part * h);
            let k1 = rates(x);
            let k2 = rates(moved(k1, 0.5));
            let k3 = rates(moved(k2, 0.5));
            let k4 = rates(moved(k3, 1.0));
            x = std::array::from_fn(|k| x[k] + h / 6.0 * (k1[k] + 2.0 * (k2[k] + k3[k]) + k4[k]));
        }
        all.push([x[0], x[1]]);
    }
    all
}

#[test]
fn a_double_pendulum_accelerates_as_its_equations_say() {
    let folder = Folder::new();
    folder.runs(PENDULUM, "out", &["--seconds", "0.4", "--fps", "50"]);
    let joints = folder.table("out/joints.csv");
    let angles: Vec<[f64; 2]> = (0..=20)
        .map(|k| {
            let [upper, bend] = ["shoulder", "elbow"].map(|name| joints[name][k][2]);
            [(upper + 60.0).to_radians(), (upper + bend + 20.0).to_radians()]
        })
        .collect();
    let expected = swing(50.0, 20);
    let second =
        |all: &[[f64; 2]], k: usize, b: usize| (all[k + 1][b] - 2.0 * all[k][b] + all[k - 1][b]) * 2500.0;
    let (mut off, mut most): (f64, f64) = (0.0, 0.0);
    for k in 1..20 {
        for b in 0..2 {
            most = most.max(second(&expected, k, b).abs());
            off = off.max((second(&angles, k, b) - second(&expected, k, b)).abs());
        }
    }
    println!("double pendulum: accelerations off by {off:.3} of {most:.1} rad/s2");
    assert!(off < 0.01 * most, "{off} {most}");
    let held = joints.values().flatten().map(|row| row[3].abs().max(row[4].abs()).max(row[5].abs()));
    assert!(held.fold(0.0, f64::max) < 1e-6);
}

#[test]
fn a_resumed_run_and_any_number_of_threads_give_the_same_bits() {
    for scene in [PULLEY, PENDULUM, REACH] {
        let folder = Folder::new();
        let [whole, half, end] = ["whole", "half", "end"].map(|name| folder.name(&format!("{name}.state")));
        folder.runs(scene, "a", &["--seconds", "0.5", "--fps", "24", "--save-state", &whole, "-j", "1"]);
        folder.runs(scene, "b", &["--seconds", "0.25", "--fps", "24", "--save-state", &half, "-j", "3"]);
        let more = ["--seconds", "0.25", "--fps", "24", "--resume", &half, "--save-state", &end];
        folder.runs(scene, "c", &more);
        assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&end).unwrap());
        for table in ["bodies.csv", "joints.csv"] {
            let [all, first, second] = ["a", "b", "c"].map(|out| folder.read(&format!("{out}/{table}")));
            let second: String = second.lines().skip(1).map(|line| format!("{line}\n")).collect();
            assert_eq!(all, first + &second);
        }
        for name in ["tubes.0012.obj", "strands.0007.obj"] {
            assert_eq!(folder.read(&format!("a/{name}")), folder.read(&format!("c/{name}")));
        }
    }
}

#[test]
fn options_come_before_the_scene() {
    let folder = Folder::new();
    let still = ["--seconds", "0.1", "--fps", "20", "--set", "gravity=0 0 0", "--step", "0.01"];
    folder.runs(PENDULUM, "out", &still);
    let rows = &folder.table("out/joints.csv")["shoulder"];
    assert!(rows.iter().flatten().all(|x| x.abs() < 1e-9), "nothing pulls: {rows:?}");
    assert_eq!(folder.json("out/report.json")["frames"][1]["details"]["steps"], 5);
}

/// A heavy rope that slides off its peg.
const PEG: &str = r#"<strand_scene version="1">
  <settings axial="still"/>
  <point name="short" at="-0.001 -0.9 0"/><point name="peg" at="0 0 0" on="world"/><point name="long" at="0.001 -1.1 0"/>
  <strand name="rope" density="0.5" stiffness="1e4"><node point="short"/><node point="peg"/><node point="long"/></strand>
</strand_scene>
"#;

#[test]
fn what_still_strands_leave_out_is_reported_once_when_it_is_felt_and_at_the_end_over_all_frames() {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), PEG).unwrap();
    let output = folder.run(&folder.name("scene.xml"), "out", &["--seconds", "0.5"]);
    let message = text(&output.stderr);
    let reported: Vec<&str> = message.lines().filter(|line| line.contains("leaves nothing out")).collect();
    assert!(output.status.success() && reported.len() == 2, "{message}");
    assert!(reported[0].starts_with("warning: axial=\"still\" leaves out"), "{message}");
    assert!(reported[1].starts_with("warning: frame 1: axial=\"still\" leaves out"), "{message}");
    let output =
        folder.run(&folder.name("scene.xml"), "out", &["--seconds", "0.5", "--set", "axial=dynamic"]);
    assert!(!text(&output.stderr).contains("leaves out"), "{}", text(&output.stderr));
}

/// A spring between a wall and a point on a rail, pulled by a muscle.
const PULLED: &str = r#"<strand_scene version="1">
  <settings gravity="0 0 0"/>
  <body name="wall" mode="held"><cuboid size="0.1 0.1 0.1"/></body>
  <point name="a" at="0 0 0" on="wall"/>
  <point name="b" at="1 0 0"/>
  <line name="rail" from="0.5 0 0" to="2 0 0"/>
  <strand name="cord" stiffness="100" radius="0.01" axial_damping="0.1">
    <node point="a"/>
    <node point="b"/>
  </strand>
  <on_curve point="b" curve="rail"/>
  <muscle name="puller" point="b" curve="rail" strength="10" activation="0"/>
</strand_scene>
"#;

#[test]
fn an_activation_pulls_and_reports_say_how_much() {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), PULLED).unwrap();
    let more = ["--seconds", "2", "--fps", "10", "--set", "activation.puller=0.5"];
    folder.runs(&folder.name("scene.xml"), "out", &more);
    let last = &folder.json("out/report.json")["frames"][20]["details"];
    assert_eq!(last["activations"]["puller"], 0.5);
    let pull = last["tensions"]["cord"][0].as_f64().unwrap();
    assert!((pull - 5.0).abs() < 0.01, "{pull} N of 5");
}

/// A body that two joints hold, of which one is led away.
const TORN: &str = r#"<strand_scene version="1">
  <body name="hand" mode="led"><key time="1" at="1 0 0"/></body>
  <body name="held"><inertia mass="1" moments="1 1 1"/></body>
  <joint name="to the world" child="held" at="0 0 0"/>
  <joint name="to the hand" parent="hand" child="held" at="0 0 0"/>
</strand_scene>
"#;

#[test]
fn what_contradicts_is_named() {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), TORN).unwrap();
    let output = folder.run(&folder.name("scene.xml"), "out", &["--seconds", "0.1", "--fps", "10"]);
    let message = text(&output.stderr);
    let report = folder.json("out/report.json");
    assert!(
        message.contains("warning: frame 1: these constraints conflict with others: joint to the"),
        "{message}"
    );
    let named = report["frames"][1]["details"]["conflicts"].as_array().unwrap();
    assert!(named.iter().all(|n| n.as_str().unwrap().starts_with("joint to the ")), "{named:?}");
}

#[test]
fn mistakes_have_a_code_and_name_the_culprit() {
    let folder = Folder::new();
    let scene = folder.name("scene.xml");
    std::fs::write(&scene, PULLED).unwrap();
    std::fs::write(
        folder.path("mesh.xml"),
        PULLED.replace("<cuboid size=\"0.1 0.1 0.1\"/>", "<shape file=\"no.obj\"/>"),
    )
    .unwrap();
    std::fs::write(folder.path("name.xml"), PULLED.replace("point=\"b\" curve", "point=\"c\" curve"))
        .unwrap();
    std::fs::write(folder.path("junk.state"), "SINEWSTA junk").unwrap();
    let state = folder.name("s.state");
    let good = ["--seconds", "0.1", "--fps", "10"];
    folder.runs(&scene, "out", &[&good[..], &["--save-state", &state]].concat());
    let (junk, mesh, name) = (folder.name("junk.state"), folder.name("mesh.xml"), folder.name("name.xml"));
    let with = |more: &[&str]| -> Vec<String> { good.iter().chain(more).map(|s| s.to_string()).collect() };
    for (file, more, code, named) in [
        (&scene[..], vec!["--seconds".to_string(), "0".into()], 2, "0 frames"),
        (&scene, vec!["--seconds".into(), "1".into(), "--fps".into(), "0".into()], 2, "frame rate"),
        (&scene, with(&["--set", "gravity=down"]), 2, "three numbers"),
        (&scene, with(&["--set", "wind=1"]), 2, "there are gravity, axial"),
        (&scene, with(&["--set", "activation.nobody=1"]), 2, "no setting"),
        (&scene, with(&["--set", "activation.puller=2"]), 2, "between 0 and 1"),
        (&scene, with(&["--step", "0"]), 2, "the step is 0 s"),
        (&scene, with(&["--step", "1e-12"]), 2, "divide a frame"),
        (&scene, with(&["--resume", &junk]), 1, "junk.state: node strand: the saved state is damaged"),
        (PENDULUM, with(&["--resume", &state]), 1, "belongs to another scene"),
        (
            &scene,
            vec![
                "--seconds".into(),
                "1".into(),
                "--fps".into(),
                "24".into(),
                "--resume".into(),
                state.clone(),
            ],
            2,
            "not a whole frame",
        ),
        (&mesh, with(&[]), 3, "mesh.xml:3: element strand_scene/body/shape"),
        (&name, with(&[]), 1, "name.xml:11: element strand_scene/on_curve, "),
        ("nowhere.xml", with(&[]), 3, "nowhere.xml"),
    ] {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let output = folder.run(file, "bad", &more);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{more:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(named), "{more:?}: {message}");
    }
    assert!(!folder.path("bad").exists(), "nothing was written");
}

#[test]
fn info_says_whether_a_scene_can_move() {
    let folder = Folder::new();
    let output = sinew(&["info", PULLEY]);
    assert!(text(&output.stdout).contains("computes: 27 unknowns under 5 rows"), "{}", text(&output.stdout));
    std::fs::write(folder.path("scene.xml"), PULLED.replace("curve=\"rail\"/>", "curve=\"road\"/>")).unwrap();
    let output = sinew(&["info", &folder.name("scene.xml")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout)
            .contains("line 11: strand_scene/on_curve: curve: there is no line or circle \"road\""),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn numbers_beyond_all_bounds_are_an_error_and_nothing_is_written() {
    let folder = Folder::new();
    let far = r#"<strand_scene><body name="far" at="1e308 0 0"><inertia mass="1" moments="1 1 1"/></body></strand_scene>"#;
    std::fs::write(folder.path("scene.xml"), far).unwrap();
    let more = ["--seconds", "10", "--fps", "10", "--set", "gravity=1e308 0 0"];
    let output = folder.run(&folder.name("scene.xml"), "out", &more);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("scene.xml") && message.contains("the limit is"), "{message}");
    assert!(!folder.path("out").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_cleanly_and_tells_what_was_done() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["strand", PENDULUM, "--seconds", "10000", "--fps", "24", "--out", &folder.name("out")])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path("out/tubes.0002.obj").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let second = folder.run(PENDULUM, "out", &["--seconds", "0.1"]);
    assert!(
        text(&second.stderr).contains("another run is writing into this folder"),
        "{}",
        text(&second.stderr)
    );
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let frames = folder.json("out/report.json")["frames"].as_array().unwrap().len();
    assert!(frames >= 3 && folder.table("out/bodies.csv")["upper"].len() == frames);
    for entry in std::fs::read_dir(folder.path("out")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".part"), "{name}");
    }
}

#[test]
fn the_samples_come_back_from_writing() {
    for sample in [PULLEY, PENDULUM, HILL, CRANE, REACH, WRAP] {
        let scene: StrandScene = xml::read(Path::new(sample)).unwrap();
        assert_eq!(xml::parse::<StrandScene>(&xml::write(&scene)).unwrap(), scene);
    }
}
