//! What the command line tells about muscle sets, plans and jobs with muscles before anything runs, and its examples.

use crate::cli::{FIT, folder, sinew, text};
use serde_json::Value;
use sinew::control::Control;
use sinew::document::Document;
use sinew::formats::obj;
use sinew::geometry::{Mesh, shapes};
use sinew::math::Vec3;
use std::fmt::Write;
use std::path::Path;

fn info(folder: &Path, file: &str) -> (Value, bool) {
    let output = sinew(folder, &["info", file, "--json"]);
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    (reported[0].clone(), output.status.success())
}

#[test]
fn info_tells_what_sets_and_plans_hold() {
    let folder = folder();
    assert!(sinew(folder.path(), &FIT).status.success());
    let (set, fine) = info(folder.path(), "set.xml");
    assert!(fine && set["holds"]["muscles"] == 2 && set["holds"]["pads"] == 0, "{set}");
    assert_eq!(set["holds"]["joints"], "LeftUpLeg, LeftLeg");
    assert_eq!((&set["holds"]["metres_per_unit"], &set["holds"]["up"]), (&1.0.into(), &"y".into()));
    let (plan, fine) = info(folder.path(), "plan.xml");
    assert!(fine && plan["holds"]["muscles"] == 3 && plan["holds"]["joints_with_ranges"] == 1, "{plan}");
    let wrong =
        std::fs::read_to_string(folder.path().join("set.xml")).unwrap().replace("size=\"", "size=\"-");
    std::fs::write(folder.path().join("wrong.xml"), wrong).unwrap();
    let (set, fine) = info(folder.path(), "wrong.xml");
    assert!(!fine && set["problems"][0].as_str().unwrap().contains("must be positive"), "{set}");
    // Whoever edits the set as a document sees the same.
    let document = Document::load(&folder.path().join("wrong.xml")).unwrap();
    let faults = document.check(&Control::default()).unwrap().into_iter().map(|(_, fault)| fault);
    let faults: Vec<_> = faults.map(|f| format!("line {}: {}: {}", f.line, f.element, f.message)).collect();
    assert_eq!(set["problems"], Value::from(faults));
}

/// The examples that `sinew scene` prints, in a folder with an arm.
fn examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let output = sinew(folder.path(), &["scene", "--json"]);
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    let example = |name: &str| {
        let schema = reported.as_array().unwrap().iter().find(|schema| schema["name"] == name).unwrap();
        schema["example"].as_str().unwrap().to_string()
    };
    write("arm.xml", &example("sinew"));
    write("biceps.xml", &example("muscle_set"));
    let page = text(&sinew(folder.path(), &["scene"]).stdout);
    assert!(page.contains(&example("sinew")) && page.contains(&example("muscle_set")));
    let arm = shapes::cylinder(0.045, 0.6, 16, 40);
    let positions: Vec<Vec3> = arm.positions.iter().map(|p| Vec3::new(p.y - 0.02, -p.x, p.z)).collect();
    let mut weights = String::from("vertex,joint,weight\n");
    for (vertex, p) in positions.iter().enumerate() {
        writeln!(weights, "{vertex},{},1", if p.x < 0.28 { "upper_arm" } else { "forearm" }).unwrap();
    }
    obj::save(&folder.path().join("rest.obj"), &Mesh { positions, ..arm }).unwrap();
    write("weights.csv", &weights);
    let mut joints = String::from("frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n");
    for (frame, degrees) in [("rest", 0.0), ("1", 0.0), ("2", 60.0_f64)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        writeln!(joints, "{frame},upper_arm,1,0,0,0,0,1,0,0,0,0,1,0").unwrap();
        writeln!(joints, "{frame},forearm,{cos},{},0,0.28,{sin},{cos},0,0,0,0,1,0", -sin).unwrap();
    }
    write("joints.csv", &joints);
    folder
}

#[test]
fn the_printed_examples_run() {
    let folder = examples();
    let output = sinew(folder.path(), &["run", "arm.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.success() && !reported.contains("warning"), "{reported}");
    assert!(folder.path().join("out/skin.0002.obj").exists());
    let lengths = std::fs::read_to_string(folder.path().join("out/lengths.csv")).unwrap();
    let biceps = |frame: &str| -> f64 {
        let row = lengths.lines().find(|line| line.starts_with(&format!("{frame},biceps_long,"))).unwrap();
        row.rsplit(',').next().unwrap().parse().unwrap()
    };
    assert!(biceps("2") < 0.95 * biceps("1"), "{lengths}");
}

/// Tables that a job wrote are described, with the frames in which something went wrong.
#[test]
fn info_tells_what_tables_of_muscles_hold() {
    let folder = examples();
    assert!(sinew(folder.path(), &["run", "arm.xml"]).status.success());
    let (lengths, fine) = info(folder.path(), "out/lengths.csv");
    assert!(fine && lengths["holds"]["frames"] == "1-2", "{lengths}");
    assert!(lengths["holds"]["muscles"].as_str().unwrap().contains("biceps_long"), "{lengths}");
    let range = &lengths["holds"]["ranges"]["muscle_lengths"];
    assert!(range[0].as_f64().unwrap() < 0.95 * range[1].as_f64().unwrap(), "{lengths}");
    let path = folder.path().join("out/lengths.csv");
    let broken = std::fs::read_to_string(&path).unwrap().replacen("0.", "nan", 1);
    std::fs::write(&path, broken.replace("nan", "nan#")).unwrap();
    let (lengths, fine) = info(folder.path(), "out/lengths.csv");
    assert!(!fine && lengths["problems"][0].as_str().unwrap().contains("the first in line 2"), "{lengths}");
}

/// What a command warns about, without the frame.
fn warnings(output: &std::process::Output) -> Vec<String> {
    let reported = text(&output.stderr);
    let found = reported.lines().filter_map(|line| line.split_once("warning: "));
    found.map(|(_, text)| text.rsplit_once("frame 1: ").map_or(text, |(_, text)| text).into()).collect()
}

/// Exactly as when it runs: a joint that is missing, with the nearest name, ends that coincide, a muscle outside the
/// body and a pad far away, two muscles with one name and one without, vertices without weights.
#[test]
fn a_dry_run_tells_what_the_first_frame_will() {
    let folder = examples();
    let set = folder.path().join("biceps.xml");
    let text_of = std::fs::read_to_string(&set).unwrap();
    let broken = text_of
        .replace("joint=\"upper_arm\" from=\"0 0 0\"", "joint=\"upper_wing\" from=\"0 0 0\"")
        .replace(
            "origin_joint=\"upper_arm\" origin=\"0.02 0.02 0.01\"",
            "origin_joint=\"upper_arm\" origin=\"0.32 0.015 0\"",
        )
        .replace(
            "</muscle_set>",
            r#"<muscle name="stray" origin_joint="upper_arm" origin="0.05 0.06 0" insertion_joint="forearm" insertion="0.4 0.06 0" size="0.03"/>
<muscle name="stray" origin_joint="upper_arm" origin="0.05 0.01 0" insertion_joint="forearm" insertion="0.4 0.01 0" size="0.03"/>
<muscle name="" origin_joint="upper_arm" origin="0.05 0.01 0" insertion_joint="forearm" insertion="0.4 0.01 0" size="0.03"/>
<muscle name="sheet" origin_joint="upper_arm" origin="0.05 0.01 0" insertion_joint="forearm" insertion="0.4 0.01 0" size="0.03" count="0"/>
<muscle name="typo" origin_joint="upper_arm" origin="0.05 0.01 0" insertion_joint="forearm" insertion="0.4 0.01 0" size="thick"/>
<muscle name="bent" origin_joint="upper_arm" origin="0.05 0.01 0.01" insertion_joint="forearm" insertion="0.4 0.01 0" size="0.03"><offset ring="9" vertex="0" by="0 0.01 0"/></muscle>
<pad name="far" joint="forearm" centre="0.4 5 0" radius="0.1"/></muscle_set>"#,
        );
    std::fs::write(&set, broken).unwrap();
    let weights = folder.path().join("weights.csv");
    let kept =
        std::fs::read_to_string(&weights).unwrap().replace("\n7,upper_arm,1\n", "\n7,upper_arm,-2e-16\n");
    std::fs::write(&weights, kept).unwrap();
    let dry = sinew(folder.path(), &["run", "arm.xml", "--dry-run"]);
    assert!(dry.status.success() && !folder.path().join("out").exists(), "{}", text(&dry.stderr));
    let foreseen = warnings(&dry);
    for expected in [
        "the rig has no joint \"upper_wing\"; it has \"upper_arm\"",
        "origin and insertion coincide",
        "muscle stray: outside the body at rest",
        "muscle stray (line",
        "muscle without a name (line",
        "biceps.xml) is left out: count is 0; 1 to 200 are possible",
        "biceps.xml) is left out: size is \"thick\"; expected a number",
        "the offset of vertex 0 of ring 9 of muscle bent (line",
        "pad far displaces no skin",
        "stay where they are: 1, the first is vertex 7",
    ] {
        assert!(foreseen.iter().any(|text| text.contains(expected)), "{expected}: {foreseen:?}");
    }
    assert_eq!(warnings(&sinew(folder.path(), &["run", "arm.xml"])), foreseen);
    let output = sinew(folder.path(), &["run", "arm.xml", "--dry-run", "--restart", "--json"]);
    let reported: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reported["warnings"].as_array().unwrap().len(), foreseen.len(), "{reported}");
}

/// Arrays in place of a set, and over frames: the dry run refuses what the run refuses, and leaves out what it leaves
/// out.
#[test]
fn a_dry_run_tells_what_is_wrong_with_arrays() {
    let folder = examples();
    let job = std::fs::read_to_string(folder.path().join("arm.xml")).unwrap();
    let param = job.lines().find(|line| line.contains("id=\"muscles\"")).unwrap();
    let arrays = |more: &str| {
        let inputs = format!(
            r#"<input port="muscle_origin_joints" value="0 0"/><input port="muscle_insertion_joints" value="1 1"/>
<input port="muscle_origins" value="0.02 0.02 0.01 0.02 -0.02 0"/><input port="muscle_insertions" value="0.33 0.02 0 0.33 -0.02 0"/>
{more}"#
        );
        std::fs::write(folder.path().join("arrays.xml"), job.replace(param, &inputs)).unwrap();
        let [dry, run] = [&["--dry-run"][..], &["--restart"]]
            .map(|more| sinew(folder.path(), &[&["run", "arrays.xml"], more].concat()));
        assert_eq!(dry.status.success(), run.status.success(), "{} {}", text(&dry.stderr), text(&run.stderr));
        // What later frames say is theirs.
        let first = warnings(&run).into_iter().filter(|text| !text.starts_with("frame 2: "));
        assert_eq!(warnings(&dry), first.collect::<Vec<_>>());
        (dry.status.success(), text(&dry.stderr))
    };
    let table = |name: &str, rows: &str| std::fs::write(folder.path().join(name), rows).unwrap();
    table("sizes.csv", "frame,a,b\n1,0.02,-1\n2,0.02,0.02\n");
    table("three.csv", "frame,a,b,c\n1,0.02,0.02,0.02\n2,0.02,0.02,0.02\n");
    for (more, fine, expected) in [
        (r#"<input port="muscle_sizes" value="0.02 0.02"/>"#, true, ""),
        ("", false, "too little is known of the muscles"),
        (r#"<input port="muscle_sizes" value="0.02 0.02 0.02 0.02"/>"#, false, "4 values for 2 muscles"),
        (
            r#"<input port="muscle_sizes" value="0.02 -1"/>"#,
            true,
            "muscle 1 is left out: size must be positive",
        ),
        (
            r#"<input port="muscle_sizes" file="sizes.csv"/>"#,
            true,
            "muscle 1 is left out: size must be positive",
        ),
        (r#"<input port="muscle_sizes" file="three.csv"/>"#, false, "3 values for 2 muscles"),
    ] {
        let (is_fine, reported) = arrays(more);
        assert!(is_fine == fine && reported.contains(expected), "{more}: {reported}");
    }
}

/// A number that is none in one frame: the message names the joint.
#[test]
fn a_joint_that_is_not_finite_in_a_frame_is_named() {
    let folder = examples();
    let joints = folder.path().join("joints.csv");
    let broken = std::fs::read_to_string(&joints).unwrap();
    let (before, after) = broken.split_once("2,forearm,").unwrap();
    let (_, rest) = after.split_once(',').unwrap();
    std::fs::write(&joints, format!("{before}2,forearm,nan,{rest}")).unwrap();
    let output = sinew(folder.path(), &["run", "arm.xml"]);
    let reported = text(&output.stderr);
    assert!(
        !output.status.success() && reported.contains("frame 2") && reported.contains("joint \"forearm\""),
        "{reported}"
    );
}
