//! `sinew strand` for authors: the scene of the reference, files that are there already, states of scenes that changed,
//! the other hand, bodies from an animation.

use crate::strand_host;
use std::path::Path;

use crate::strand_folder::{Folder, sinew, text};
use crate::strand_host::Host;
use sinew::formats::{obj, xml};
use sinew::math::{Real, Vec3};
use sinew::nodes::Instance;
use sinew::scene::strand::StrandScene;

impl Folder {
    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        self.name(name)
    }

    /// What the command says when it fails, and its code.
    fn fails(&self, args: &[&str]) -> (Option<i32>, String) {
        let output = sinew(&[&["strand"], args].concat());
        let message = text(&output.stderr);
        assert!(!output.status.success(), "{args:?}");
        (output.status.code(), message)
    }

    fn succeeds(&self, args: &[&str]) {
        let output = sinew(&[&["strand"], args].concat());
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    }

    fn frames(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name.ends_with(".obj"));
        names.sort();
        names
    }
}

const WEIGHT: &str = "examples/strand/weight.xml";
const PENDULUM: &str = "examples/strand/pendulum.xml";

#[test]
fn the_scene_in_the_reference_runs_as_atwood_says() {
    let reference = text(&sinew(&["scene"]).stdout);
    let scene = reference
        .split("Saved as `weight.xml`")
        .nth(1)
        .and_then(|rest| rest.split("```xml\n").nth(1))
        .and_then(|rest| rest.split("```").next())
        .unwrap();
    let folder = Folder::new();
    let scene = folder.write("weight.xml", scene);
    folder.succeeds(&[&scene, "--seconds", "0.4", "--fps", "20", "--out", &folder.name("out")]);
    let bodies = folder.table("out/bodies.csv");
    let expected = 9.81 * (0.3 - 0.2) / (0.3 + 0.2);
    for (name, sign) in [("heavy", -1.0), ("light", 1.0)] {
        let rows = &bodies[name];
        let found = sign * 2.0 * (rows[8][7] - rows[0][7]) / 0.16;
        println!("{name}: {found:.4} m/s2 instead of {expected:.4}");
        assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
    }
    let json: serde_json::Value = serde_json::from_slice(&sinew(&["scene", "--json"]).stdout).unwrap();
    assert_eq!(json[1]["example"], std::fs::read_to_string(WEIGHT).unwrap());
}

#[test]
fn faults_of_the_scene_have_the_code_of_data() {
    let folder = Folder::new();
    let pendulum = std::fs::read_to_string(PENDULUM).unwrap();
    let out = folder.name("out");
    for (from, to, named) in [
        ("name=\"upper\"", "name=\"world\"", "no body can be named"),
        ("name=\"upper\"", "name=\"upper\" mode=\"held\" velocity=\"1 0 0\"", "keys say how it moves"),
    ] {
        let scene = folder.write("scene.xml", &pendulum.replace(from, to));
        let (code, message) = folder.fails(&[&scene, "--seconds", "1", "--out", &out]);
        assert!(
            code == Some(1) && message.contains(named) && message.contains("scene.xml:"),
            "{code:?} {message}"
        );
    }
    let scene = folder.write("step.xml", "<strand_scene>\n<settings step=\"1e-12\"/></strand_scene>");
    let (code, message) = folder.fails(&[&scene, "--seconds", "1", "--out", &out]);
    assert!(
        code == Some(1) && message.contains("step.xml:2: element strand_scene/settings"),
        "{code:?} {message}"
    );
    let (code, message) = folder.fails(&[PENDULUM, "--seconds", "1", "--out", &out, "--step", "1e-12"]);
    assert!(code == Some(2) && message.contains("divide a frame"), "{code:?} {message}");
}

#[test]
fn a_shorter_run_leaves_no_frames_of_a_longer_one() {
    let folder = Folder::new();
    let (out, state) = (folder.name("out"), folder.name("s.state"));
    folder.succeeds(&[WEIGHT, "--seconds", "0.5", "--fps", "10", "--out", &out]);
    for kept in ["out/strands.obj", "out/my.tubes.0004.obj", "out/tubes.4.obj"] {
        folder.write(kept, "mine");
    }
    folder.succeeds(&[WEIGHT, "--seconds", "0.2", "--fps", "10", "--out", &out, "--save-state", &state]);
    let mut expected: Vec<String> = ["strands", "tubes"]
        .iter()
        .flat_map(|name| (0..=2).map(move |k| format!("{name}.{k:04}.obj")))
        .chain(["strands.obj", "my.tubes.0004.obj", "tubes.4.obj"].map(String::from))
        .collect();
    expected.sort();
    assert_eq!(folder.frames("out"), expected);
    // Going on keeps what is there.
    folder.succeeds(&[WEIGHT, "--seconds", "0.1", "--fps", "10", "--out", &out, "--resume", &state]);
    assert_eq!(folder.frames("out").len(), expected.len() + 2);
}

#[test]
fn written_scenes_are_not_written_over() {
    let folder = Folder::new();
    let (file, hand) = (folder.name("hand/hand.xml"), ["--hand", "finger"]);
    folder.succeeds(&[&hand[..], &["--write", &file]].concat());
    let edited = "edited";
    folder.write("hand/hand.xml", edited);
    let (code, message) = folder.fails(&[&hand[..], &["--write", &file]].concat());
    assert!(code == Some(2) && message.contains("the file exists; --force"), "{message}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
    // An existing mesh is not overwritten either.
    std::fs::remove_file(&file).unwrap();
    let (_, message) = folder.fails(&[&hand[..], &["--write", &file]].concat());
    assert!(message.contains(".obj") && !Path::new(&file).exists(), "{message}");
    folder.succeeds(&[&hand[..], &["--write", &file, "--force"]].concat());
    assert!(std::fs::read_to_string(&file).unwrap().contains("<strand_scene"));
}

#[test]
fn a_state_goes_on_only_with_what_it_was_made_of() {
    let folder = Folder::new();
    let pendulum = std::fs::read_to_string(PENDULUM).unwrap();
    let scene = folder.write("scene.xml", &pendulum);
    let (out, state) = (folder.name("out"), folder.name("s.state"));
    let time = ["--seconds", "0.1", "--fps", "20", "--out", &out];
    folder.succeeds(&[&[scene.as_str()], &time[..], &["--save-state", &state]].concat());
    let resume = [&[scene.as_str()], &time[..], &["--resume", &state]].concat();
    folder.succeeds(&resume);
    // The settings of this run count, not those of the run that saved the state.
    let before = folder.table("out/bodies.csv")["lower"].clone();
    folder.succeeds(&[&resume[..], &["--set", "gravity=0 -5 0", "--step", "0.002"]].concat());
    assert_ne!(folder.table("out/bodies.csv")["lower"], before);
    let density = pendulum.replacen("<cuboid ", "<cuboid density=\"1001\" ", 1);
    let first = if density.contains("density=\"1000\"") {
        pendulum.replacen("density=\"1000\"", "density=\"1001\"", 1)
    } else {
        density
    };
    let limits = pendulum.replacen("<axis name=\"turn_z\"", "<axis name=\"turn_z\" friction=\"0.1\"", 1);
    for (changed, named) in [(first, "body \"upper\""), (limits, "joint \"shoulder\"")] {
        assert_ne!(changed, pendulum);
        folder.write("scene.xml", &changed);
        let (code, message) = folder.fails(&resume);
        assert!(
            code == Some(1)
                && message.contains("s.state: node strand: ")
                && message.contains(&format!("{named} has changed since the state was saved: continue with")),
            "{message}"
        );
    }
}

#[test]
fn a_host_starts_again_when_the_scene_changed_since_it_was_saved() {
    let folder = Folder::new();
    let scene = folder.write("scene.xml", strand_host::ARM);
    let mut host = Host::new(&[("source", "scene"), ("scene", &scene)]);
    (1..=3).for_each(|frame| drop(host.frame(frame)));
    let saved = host.0.save_state();
    let resumed = |frame: i64| {
        let mut host = Host(Instance::new("strand").unwrap());
        host.0.load_state(&saved).unwrap();
        host.frame(frame).warnings
    };
    assert_eq!(resumed(4), [""; 0]);
    folder.write("scene.xml", &strand_host::ARM.replace("0.1 0.02 0.06", "0.1 0.03 0.06"));
    let reported = "body \"hand\" has changed since the state was saved: the strands restart";
    assert_eq!(resumed(4), [reported]);
}

#[test]
fn the_other_finger_does_the_same_mirrored() {
    let folder = Folder::new();
    let file = folder.name("left/finger.xml");
    folder.succeeds(&["--hand", "finger", "--mirror", "z", "--write", &file]);
    let run = ["--seconds", "0.25", "--fps", "16", "--set", "activation.FDP=0.05"];
    folder.succeeds(&[&["--hand", "finger"], &run[..], &["--out", &folder.name("right")]].concat());
    folder.succeeds(&[&[file.as_str()], &run[..], &["--out", &folder.name("mirrored")]].concat());
    let (here, there) = (folder.table("right/bodies.csv"), folder.table("mirrored/bodies.csv"));
    let mut off: Real = 0.0;
    for (name, rows) in &here {
        for (row, other) in rows.iter().zip(&there[name]) {
            for k in 0..12 {
                let sign = if (k / 4 == 2) != (k % 4 == 2) { -1.0 } else { 1.0 };
                off = off.max((row[k] - sign * other[k]).abs());
            }
        }
    }
    println!("mirrored finger: {off:.1e} off");
    assert!(here.len() == there.len() && off < 1e-6, "{off:e}");
    // Meshes look outwards on the other side too.
    let scene: StrandScene = xml::read(Path::new(&file)).unwrap();
    let shape = scene.bodies.iter().find_map(|body| body.shape.as_ref()).unwrap();
    assert!(shape.file.ends_with("_mirrored.obj"), "{}", shape.file);
    let mesh = obj::read(&folder.path("left").join(&shape.file)).unwrap().mesh;
    assert!(sinew::geometry::Solid::new(&mesh).unwrap().volume() > 0.0);
    let (code, message) = folder.fails(&[WEIGHT, "--write", &file]);
    assert!(code == Some(2) && message.contains("cannot be used with"), "{message}");
}

/// Two joints; the first goes along x, the second turns about z by 30 degrees a frame.
const BVH: &str = "HIERARCHY
ROOT Arm
{
  OFFSET 0 10 0
  CHANNELS 3 Xposition Yposition Zposition
  JOINT Hand
  {
    OFFSET 20 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 10 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
50 10 0 0 0 0
51 10 0 30 0 0
52 10 0 60 0 0
";

#[test]
fn joints_of_an_animation_lead_bodies_and_others_are_placed_in_them() {
    let folder = Folder::new();
    folder.write("arm.bvh", BVH);
    let scene = folder.write(
        "scene.xml",
        r#"<strand_scene version="1">
  <space metres_per_unit="0.01"/>
  <settings gravity="0 0 0"/>
  <armature file="arm.bvh"/>
  <body name="thumb" at="10 5 0" in="Hand"><cuboid size="4 1 1"/></body>
  <joint name="weld" parent="Hand" child="thumb" at="8 5 0" in="Hand"/>
  <point name="tip" at="2 0 0" on="thumb" in="thumb"/>
  <point name="wall" at="500 0 0" on="world"/>
  <strand name="cord" stiffness="1e-6"><node point="tip"/><node point="wall"/></strand>
</strand_scene>
"#,
    );
    folder.succeeds(&[&scene, "--seconds", "0.2", "--fps", "10", "--out", &folder.name("out")]);
    let bodies = folder.table("out/bodies.csv");
    let place = |name: &str, frame: usize| {
        let row = &bodies[name][frame];
        Vec3::new(row[3], row[7], row[11])
    };
    for frame in 0..3 {
        let hand = Vec3::new(70.0 + frame as Real, 10.0, 0.0);
        let turn = (30.0 * frame as Real).to_radians();
        let thumb =
            hand + Vec3::new(10.0 * turn.cos() - 5.0 * turn.sin(), 10.0 * turn.sin() + 5.0 * turn.cos(), 0.0);
        println!(
            "frame {frame}: {:.4} {:.4}",
            place("Hand", frame).transpose(),
            place("thumb", frame).transpose()
        );
        assert!((place("Hand", frame) - hand).norm() < 1e-9);
        assert!((place("thumb", frame) - thumb).norm() < 1e-4, "{thumb}");
    }
    assert!(text(&sinew(&["info", &scene]).stdout).contains("computes:"));
    let wrong = std::fs::read_to_string(&scene)
        .unwrap()
        .replace("file=\"arm.bvh\"", "file=\"arm.bvh\" joints=\"Arm, Foot\"");
    let scene = folder.write("scene.xml", &wrong);
    let (code, message) = folder.fails(&[&scene, "--seconds", "0.2", "--out", &folder.name("out")]);
    let [place, expected] =
        ["scene.xml:4: element strand_scene/armature, ", "there is no joint \"Foot\"; there are Arm, Hand"];
    assert!(code == Some(1) && message.contains(place) && message.contains(expected), "{message}");
    let lost = wrong.replace("arm.bvh", "leg.bvh");
    let scene = folder.write("scene.xml", &lost);
    let (code, message) = folder.fails(&[&scene, "--seconds", "0.2", "--out", &folder.name("out")]);
    assert!(code == Some(3) && message.contains("scene.xml:4") && message.contains("leg.bvh"), "{message}");
}

#[test]
fn armatures_are_read_from_tables_and_usd_too() {
    let folder = Folder::new();
    // A joint that is scaled, as in files in other units, from its second frame on.
    let row = |frame: &str, x: f64| format!("{frame},root,2,0,0,{x},0,2,0,0,0,0,2,0\n");
    folder.write(
        "root.csv",
        &format!("{}{}{}{}", row("rest", 0.0), row("3", 1.0), row("4", 2.0), row("5", 4.0)),
    );
    std::fs::copy("tests/fuzz/corpus/usda/bones", folder.path("bones.usda")).unwrap();
    let scene = folder.write(
        "scene.xml",
        r#"<strand_scene version="1">
  <armature file="root.csv" fps="5" first="4"/>
  <armature file="bones.usda" joints="hip, foot"/>
</strand_scene>
"#,
    );
    folder.succeeds(&[&scene, "--seconds", "0.2", "--fps", "10", "--out", &folder.name("out")]);
    let bodies = folder.table("out/bodies.csv");
    let mut names: Vec<&String> = bodies.keys().collect();
    names.sort();
    assert_eq!(names, ["foot", "hip", "root"]);
    assert_eq!(bodies["root"].iter().map(|row| row[3]).collect::<Vec<_>>(), [2.0, 3.0, 4.0]);
    assert!(bodies["root"].iter().all(|row| (row[0] - 1.0).abs() < 1e-12), "bodies have no scale");
    // The hip starts where its first frame has it, (1, 1, 1) in time code 1.
    let hip = &bodies["hip"][0];
    assert!((Vec3::new(hip[3], hip[7], hip[11]) - Vec3::new(1.0, 1.0, 1.0)).norm() < 1e-6, "{hip:?}");
    // A scene that starts after the animation finds the joint where that ended.
    let late = folder.write(
        "late.xml",
        "<strand_scene version=\"1\"><armature file=\"root.csv\" fps=\"5\" first=\"6\"/></strand_scene>",
    );
    folder.succeeds(&[&late, "--seconds", "0.2", "--fps", "10", "--out", &folder.name("out")]);
    assert!(folder.table("out/bodies.csv")["root"].iter().all(|row| row[3] == 4.0));
}
