//! The examples of muscle sets and jobs that the command line prints.

use crate::cli::{sinew, text};
use serde_json::Value;
use sinew::formats::obj;
use sinew::geometry::{Mesh, shapes};
use sinew::math::Vec3;
use std::fmt::Write;

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
