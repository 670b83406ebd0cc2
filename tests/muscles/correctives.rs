//! `sinew muscles correctives`: what is written, read back by our own reader, is the skin of the node as reported.

use super::cli::{FIT, JOINTS, folder, joints, sinew, text};
use serde_json::Value;
use sinew::control::Control;
use sinew::formats::usd::Stage;
use sinew::formats::{joints as table, obj};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Affine, Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::fmt::Write;
use std::path::Path;

/// The part of the shin in the motion of a vertex, falling to the knee's sides.
fn shin(p: &Vec3) -> Real {
    ((0.6 - p.y) / 0.2).clamp(0.0, 1.0)
}

/// A leg of many vertices in place of the box, its weights, and a knee that bends by a degree in each frame.
fn ready() -> tempfile::TempDir {
    let folder = folder();
    let leg = shapes::cylinder(0.08, 0.8, 16, 24);
    let middle = leg.positions.iter().sum::<Vec3>() / leg.positions.len() as Real;
    let positions = leg.positions.iter().map(|p| p - middle + Vec3::new(0.1, 0.5, 0.0)).collect();
    let leg = Mesh { positions, ..leg };
    obj::save(&folder.path().join("leg.obj"), &leg).unwrap();
    let mut rows = String::from("vertex,joint,weight\n");
    for (k, p) in leg.positions.iter().enumerate() {
        writeln!(rows, "{k},LeftUpLeg,{}\n{k},LeftLeg,{}", 1.0 - shin(p), shin(p)).unwrap();
    }
    std::fs::write(folder.path().join("weights.csv"), rows).unwrap();
    let mut motion = joints(&JOINTS);
    for frame in 1..=90 {
        let (sin, cos) = Real::from(frame).to_radians().sin_cos();
        for (name, [x, y, z]) in &JOINTS {
            if ["LeftLeg", "LeftFoot"].contains(name) {
                // About the knee, to the back.
                let (y, z) = (0.5 + cos * (y - 0.5) - sin * z, sin * (y - 0.5) + cos * z);
                writeln!(motion, "{frame},{name},1,0,0,{x},0,{cos},{},{y},0,{sin},{cos},{z}", -sin).unwrap();
            } else {
                writeln!(motion, "{frame},{name},1,0,0,{x},0,1,0,{y},0,0,1,{z}").unwrap();
            }
        }
    }
    std::fs::write(folder.path().join("motion.csv"), motion).unwrap();
    assert!(sinew(folder.path(), &FIT).status.success());
    folder
}

const CORRECTIVES: [&str; 15] = [
    "muscles",
    "correctives",
    "set.xml",
    "--joints",
    "joints.csv",
    "--skin",
    "leg.obj",
    "--weights",
    "weights.csv",
    "--plan",
    "plan.xml",
    "--out",
    "rig.usda",
    "--drivers",
    "drivers.json",
];

fn done(folder: &Path, args: &[&str]) -> Value {
    let output = sinew(folder, &[&CORRECTIVES[..], &["--json"], args].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn figure(measured: &Value, of: &str, which: &str) -> Real {
    measured["all"][of][which].as_f64().unwrap()
}

/// The node's skin in a frame.
fn node(folder: &Path, frame: i64) -> Vec<Vec3> {
    let leg = obj::read(&folder.join("leg.obj")).unwrap().mesh;
    let motion = table::read(&folder.join("motion.csv")).unwrap().animation;
    let flat = |all: &[Affine]| -> Vec<Real> {
        let rows =
            |m: &Affine| -> Vec<Real> { m.transpose().iter().copied().chain([0.0, 0.0, 0.0, 1.0]).collect() };
        all.iter().flat_map(rows).collect()
    };
    let mut node = Instance::new("muscle_skin").unwrap();
    let mut set = |port: &str, values: &[Real], width| {
        node.set_array(port, &ArrayView::from_slice(values, width).unwrap()).unwrap();
    };
    let points: Vec<Real> = leg.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    set("points", &points, 3);
    set("rest_joints", &flat(&motion.rest), 16);
    set("joints", &flat(&motion.frames[&frame]), 16);
    let weights: Vec<Real> = leg.positions.iter().flat_map(|p| [1.0 - shin(p), shin(p)]).collect();
    set("influence_weights", &weights, 1);
    let count = leg.positions.len();
    let (counts, of) = (vec![2u32; count], [2u32, 3].repeat(count));
    node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1).unwrap()).unwrap();
    node.set_array("influence_joints", &ArrayView::from_slice(&of, 1).unwrap()).unwrap();
    node.set_param_text("muscles", folder.join("set.xml").to_str().unwrap()).unwrap();
    node.set_param_text("joint_names", &motion.names.join(",")).unwrap();
    node.set_mesh("mesh", leg).unwrap();
    node.step(frame, 0.0, &Control::default()).unwrap();
    let mut out = vec![0.0; 3 * count];
    node.read("points", &mut ArrayViewMut::from_slice(&mut out, 3).unwrap()).unwrap();
    out.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)).collect()
}

#[test]
fn the_written_rig_moves_as_the_node_does() {
    let folder = ready();
    let folder = folder.path();
    let reported = done(folder, &["--motion", "motion.csv"]);
    let fitted = &reported["fitted"];
    let [linear, shapes] = ["linear", "shapes"].map(|of| figure(fitted, of, "p99_mm"));
    assert!(linear > 1.0 && shapes < 0.1 * linear, "{linear} {shapes}");
    // What was written, posed by our own reader: as far from the node as was reported, in every frame.
    let stage = Stage::open(&folder.join("rig.usda")).unwrap();
    let posing = stage.posing("/body/mesh").unwrap().unwrap();
    for frame in [1, 45, 90] {
        let posed = posing.points(&stage, frame as Real).unwrap();
        let off = node(folder, frame).iter().zip(&posed).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
        let most = 1e-3 * figure(fitted, "shapes", "max_mm");
        assert!(off < most + 1e-5, "{frame}: {off} {most}");
    }
    // One angle turns: 90 degrees of the knee about x, with shapes at 30, 60 and 90.
    let table: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("drivers.json")).unwrap()).unwrap();
    let rows = table["shapes"].as_array().unwrap();
    let row = |k: usize| (rows[k]["joint"].as_str(), rows[k]["axis"].as_str(), rows[k]["turn"].as_str());
    assert_eq!((rows.len(), row(0)), (3, (Some("LeftLeg"), Some("x"), Some("swing"))));
    let degrees: Vec<Real> = rows.iter().map(|row| row["degrees"].as_f64().unwrap().round()).collect();
    assert!(degrees == [30.0, 60.0, 90.0] || degrees == [-90.0, -60.0, -30.0], "{degrees:?}");
}

/// Fitted to the range of motion, the shapes hold in a motion that they have not seen.
#[test]
fn a_motion_that_was_not_fitted_is_better_for_the_shapes() {
    let folder = ready();
    let reported = done(folder.path(), &["--degrees", "100", "--check", "motion.csv"]);
    let checked = &reported["checked"];
    let [linear, shapes] = ["linear", "shapes"].map(|of| figure(checked, of, "p99_mm"));
    assert!(linear > 1.0 && shapes < 0.25 * linear, "{linear} {shapes}");
    let joint = &checked["joints"]["LeftLeg"];
    assert!(joint["shapes"]["max_mm"].as_f64() < joint["linear"]["max_mm"].as_f64(), "{joint}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = ready();
    for (args, why) in [
        (&["--step", "0"][..], "--step must be from 1 to 180"),
        (&["--motion", "joints.csv"], "joints.csv: the joints do not move"),
        (&["--motion", "weights.csv"], "weights.csv"),
        (&["--set", "jiggles=1"], "--set jiggles=1: no parameter"),
    ] {
        let output = sinew(folder.path(), &[&CORRECTIVES[..], args].concat());
        let reported = text(&output.stderr);
        assert!(!output.status.success() && reported.contains(why), "{args:?}: {reported}");
        assert!(!folder.path().join("rig.usda").exists());
    }
    let named = [&CORRECTIVES[..11], &["--out", "rig.fbx", "--drivers", "drivers.json"]].concat();
    assert!(text(&sinew(folder.path(), &named).stderr).contains("--out"));
}
