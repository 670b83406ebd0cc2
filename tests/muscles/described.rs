//! What the command line tells about muscle sets, plans and jobs with muscles before anything runs, and its examples.

use crate::cli::{FIT, folder, sinew, text};
use serde_json::Value;
use sinew::formats::obj;
use sinew::geometry::{Mesh, shapes};
use sinew::math::Vec3;
use std::fmt::Write;
use std::path::Path;

fn info(folder: &Path, file: &str) -> (Value, bool) {
    let output = sinew(folder, &["info", file, "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    (told[0].clone(), output.status.success())
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
}

/// The examples that `sinew scene` prints, in a folder with an arm.
fn examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let output = sinew(folder.path(), &["scene", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let example = |name: &str| {
        let schema = told.as_array().unwrap().iter().find(|schema| schema["name"] == name).unwrap();
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
    obj::save(&folder.path().join("arm.obj"), &Mesh { positions, ..arm }).unwrap();
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
    let told = text(&output.stderr);
    assert!(output.status.success() && !told.contains("warning"), "{told}");
    assert!(folder.path().join("out/skin.0002.obj").exists());
    let lengths = std::fs::read_to_string(folder.path().join("out/lengths.csv")).unwrap();
    let biceps = |frame: &str| -> f64 {
        let row = lengths.lines().find(|line| line.starts_with(&format!("{frame},biceps_long,"))).unwrap();
        row.rsplit(',').next().unwrap().parse().unwrap()
    };
    assert!(biceps("2") < 0.95 * biceps("1"), "{lengths}");
}

/// As when it runs: a joint that is missing, ends that coincide.
#[test]
fn a_dry_run_tells_what_will_be_left_out() {
    let folder = examples();
    let set = folder.path().join("biceps.xml");
    let text_of = std::fs::read_to_string(&set).unwrap();
    let broken =
        text_of.replace("joint=\"upper_arm\" from=\"0 0 0\"", "joint=\"wing\" from=\"0 0 0\"").replace(
            "origin_joint=\"upper_arm\" origin=\"0.02 0.02 0.01\"",
            "origin_joint=\"upper_arm\" origin=\"0.32 0.015 0\"",
        );
    std::fs::write(&set, broken).unwrap();
    let dry = sinew(folder.path(), &["run", "arm.xml", "--dry-run"]);
    let told = text(&dry.stderr);
    assert!(dry.status.success() && !folder.path().join("out").exists(), "{told}");
    let warnings = |told: &str| -> Vec<String> {
        let found = told.lines().filter_map(|line| line.split_once("warning: "));
        found.map(|(_, text)| text.rsplit_once("frame 1: ").map_or(text, |(_, text)| text).into()).collect()
    };
    assert!(told.contains("biceps_long") && told.contains("coincide") && told.contains("\"wing\""), "{told}");
    let ran = text(&sinew(folder.path(), &["run", "arm.xml"]).stderr);
    let found = warnings(&ran);
    assert!(warnings(&told).iter().all(|text| found.contains(text)), "{told}\n{ran}");
    let output = sinew(folder.path(), &["run", "arm.xml", "--dry-run", "--restart", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["warnings"].as_array().unwrap().len(), 2, "{told}");
}
