//! What is wrong or easily misread is said where a user sees it: on standard error, in report.json, by the exit code.

use crate::strand_folder::{Folder, sinew, text};
use std::process::Output;

/// A rod between a weight that is anchored to the world and a carriage that is led away and back.
fn towed(way: f64) -> String {
    format!(
        r#"<strand_scene version="1">
  <body name="carriage" mode="led"><key time="0.2" at="{way} 0 0"/><key time="0.3" at="0 0 0"/></body>
  <body name="rod" at="0 -0.15 0"><cuboid size="0.02 0.3 0.02"/></body>
  <body name="weight" at="0 -0.35 0"><cuboid size="0.1 0.1 0.1"/></body>
  <joint name="hook" parent="carriage" child="rod" at="0 0 0"><axis name="turn_z"/></joint>
  <joint name="clamp" parent="rod" child="weight" at="0 -0.3 0"><axis name="turn_z"/></joint>
  <joint name="anchor" child="weight" at="0 -0.4 0"><axis name="turn_z"/></joint>
</strand_scene>
"#
    )
}

fn strand(folder: &Folder, scene: &str, more: &[&str]) -> Output {
    std::fs::write(folder.path("scene.xml"), scene).unwrap();
    let out = folder.name("out");
    sinew(&[&["strand", &folder.name("scene.xml"), "--out", &out, "--fps", "20"], more].concat())
}

/// A straight rope of very short pieces, held at one end and released.
fn rope(nodes: usize, length: f64, along: [f64; 3]) -> String {
    let point = |k: usize| {
        let at = along.map(|x| x * length * k as f64 / nodes as f64);
        let held = if k == 0 { " on=\"world\"" } else { "" };
        format!("<point name=\"p{k}\" at=\"{} {} {}\"{held}/>\n", at[0], at[1], at[2])
    };
    let points: String = (0..=nodes).map(point).collect();
    let nodes: String = (0..=nodes).map(|k| format!("<node point=\"p{k}\"/>")).collect();
    format!(
        "<strand_scene version=\"1\">\n{points}<strand name=\"whip\" radius=\"0.004\" \
         stiffness=\"3e4\">{nodes}</strand>\n\
         </strand_scene>\n"
    )
}

#[test]
fn a_strand_that_its_steps_tear_is_named_and_its_frames_are_wrong() {
    let folder = Folder::new();
    let output = strand(&folder, &rope(300, 0.03, [0.0, 0.6, 0.8]), &["--seconds", "0.1"]);
    let said = text(&output.stderr);
    println!("{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in [
        "for strand whip, whose piece after node ",
        "0.100 mm long",
        "what follows is wrong",
        "use fewer nodes",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let frames = report(&folder, "out/report.json")["frames"].as_array().unwrap().clone();
    let wrong = frames.iter().filter(|frame| !frame["wrong"].is_null()).count();
    assert!(wrong > 0 && wrong < frames.len(), "{wrong} of {}", frames.len());
    // Fewer nodes, as it says, on the same way: the rope falls freely but for where it is held.
    let output = strand(&folder, &rope(6, 0.03, [0.0, 0.6, 0.8]), &["--seconds", "0.1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn report(folder: &Folder, name: &str) -> serde_json::Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

#[test]
fn joints_that_are_pulled_apart_end_a_run_with_an_error_after_all_frames_are_written() {
    for (way, apart) in [(0.0, false), (0.25, true)] {
        let folder = Folder::new();
        let output = strand(&folder, &towed(way), &["--seconds", "0.4"]);
        let reported = text(&output.stderr);
        assert_eq!(output.status.code(), Some(i32::from(apart)), "{reported}");
        assert_eq!(folder.table("out/bodies.csv")["weight"].len(), 9);
        let frames = report(&folder, "out/report.json")["frames"].clone();
        let wrong: Vec<bool> = (0..9).map(|k| frames[k]["wrong"].is_array()).collect();
        assert_eq!(wrong.contains(&true), apart, "{wrong:?}");
        // They close again.
        assert!(!wrong[0] && !wrong[8], "{wrong:?}");
        if apart {
            let first = wrong.iter().position(|wrong| *wrong).unwrap();
            let sentence = frames[first]["wrong"][0].as_str().unwrap();
            assert!(sentence.contains(" mm off at 0.") && sentence.starts_with("joint "), "{sentence}");
            assert!(reported.contains(&format!("warning: frame {first}: {sentence}")), "{reported}");
            assert!(reported.contains("of 9 frames are wrong: "), "{reported}");
            // Another page about the finished job ends the same.
            let again = strand(&folder, &towed(way), &["--seconds", "0.4"]);
            assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
        }
    }
}

/// A knee with a cord in front of it and one behind it.
fn knee(start: f64) -> String {
    format!(
        r#"<strand_scene version="1">
  <body name="thigh" mode="held" at="0 0.2 0"><cuboid size="0.08 0.4 0.08"/></body>
  <body name="shin" at="0 -0.2 0"><cuboid size="0.06 0.4 0.06"/></body>
  <joint name="knee" parent="thigh" child="shin" at="0 0 0"><axis name="turn_z" start="{start}"/></joint>
  <point name="a" at="0.05 0.1 0" on="thigh"/><point name="b" at="0.05 -0.1 0" on="shin"/>
  <point name="c" at="-0.05 0.1 0" on="thigh"/><point name="d" at="-0.05 -0.1 0" on="shin"/>
  <strand name="front" stiffness="2000" radius="0.002" density="1000"><node point="a"/><node point="b"/></strand>
  <strand name="back" stiffness="2000" radius="0.002" density="1000"><node point="c"/><node point="d"/></strand>
</strand_scene>
"#
    )
}

#[test]
fn a_start_that_stretches_strands_is_reported_with_their_tensions() {
    for (start, pulled) in [(0.0, None), (-40.0, Some("front")), (25.0, Some("back"))] {
        let folder = Folder::new();
        let output = strand(&folder, &knee(start), &["--seconds", "0.1"]);
        let reported = text(&output.stderr);
        assert!(output.status.success(), "{reported}");
        let warned = reported.lines().find(|line| line.contains("the posture in which the scene starts"));
        let Some(name) = pulled else {
            assert!(warned.is_none(), "{reported}");
            continue;
        };
        // The chord over a joint at the middle of two points 0.1 m from its axis, 0.05 m beside it.
        let (half, turn) = ((0.1_f64 * 0.1 + 0.05 * 0.05).sqrt(), start.abs().to_radians());
        let angle = 2.0 * (2.0_f64).atan() + turn;
        let chord = 2.0 * half * (0.5 * angle).sin().abs();
        let tension = 2000.0 * (chord / 0.2 - 1.0);
        let part = format!("{name} ({tension:.3} N)");
        assert!(warned.is_some_and(|line| line.contains(&part)), "{part}: {reported}");
        assert_eq!(reported.matches("the posture in which").count(), 1, "{reported}");
    }
}

/// A job of a range of frames of it.
fn job(range: &str, params: &str) -> (Folder, Output) {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), knee(0.0)).unwrap();
    let text = format!(
        r#"<sinew version="1">
  <frames range="{range}" fps="24"/>
  <node type="strand" name="leg"><param id="source" value="scene"/><param id="scene" value="scene.xml"/>{params}</node>
  <outputs folder="out"><write file="bodies.csv" from="leg.body_matrices" item="body"/></outputs>
</sinew>
"#
    );
    std::fs::write(folder.path("job.xml"), text).unwrap();
    let output = sinew(&["run", &folder.name("job.xml")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (folder, output)
}

#[test]
fn one_frame_alone_is_named_as_the_start_that_it_shows() {
    let start = r#"<param id="first_frame" value="start"/>"#;
    let preroll = r#"<param id="preroll" value="0.5"/>"#;
    for (range, params, words) in [
        ("17", start, Some("frame 17 shows the start of ")),
        ("17", "", Some("frame 17 shows one frame after the start of ")),
        ("17-18", start, None),
        ("0-17", start, None),
        ("0", start, None),
        ("17", preroll, None),
    ] {
        let (folder, output) = job(range, params);
        let reported = text(&output.stderr);
        match words {
            Some(words) => {
                assert!(
                    reported.contains(words) && reported.contains("range=\"0-17\""),
                    "{range}: {reported}"
                );
                let warnings = report(&folder, "out/report.json")["warnings"].to_string();
                assert!(warnings.contains(words), "{warnings}");
            }
            None => assert!(!reported.contains("start of"), "{range}: {reported}"),
        }
    }
}

#[test]
fn measuring_details_is_in_the_times_of_a_frame() {
    for (params, measured) in [("", false), (r#"<param id="details" value="true"/>"#, true)] {
        let (folder, _) = job("0-2", params);
        let frames = report(&folder, "out/report.json")["frames"].clone();
        for frame in frames.as_array().unwrap() {
            let time = frame["milliseconds"]["details"].as_f64();
            assert_eq!(time.is_some_and(|time| time > 0.0), measured, "{frame}");
        }
    }
}

#[test]
fn a_scene_in_which_nothing_moves_and_a_time_below_zero_are_pointed_out() {
    let folder = Folder::new();
    let output = strand(&folder, "<strand_scene version=\"1\"/>\n", &["--seconds", "0.2"]);
    let reported = text(&output.stderr);
    assert!(
        output.status.success() && reported.contains("the scene has no bodies and no strands"),
        "{reported}"
    );
    assert_eq!(reported.matches("no strands").count(), 1, "{reported}");
    let output = strand(&folder, &knee(0.0), &["--seconds", "0.2"]);
    assert!(!text(&output.stderr).contains("no strands"), "{}", text(&output.stderr));
    for (option, words) in [("--seconds", "-2.5 s at 20 frames"), ("--step", "the step is -2.5 s")] {
        let more: &[&str] = if option == "--step" { &["--seconds", "1"] } else { &[] };
        let output = strand(&folder, &knee(0.0), &[more, &[option, "-2.5"]].concat());
        let reported = text(&output.stderr);
        assert!(!output.status.success() && reported.contains(words), "{option}: {reported}");
    }
}
