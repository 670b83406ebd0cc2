//! Moments between frames and velocities, for motion blur.

use crate::judges::judge;
use crate::strip::{sinew, strip, text};
use serde_json::Value;
use sinew::formats::alembic::{Archive, At, MeshSample, TimeSampling, Writer};
use sinew::formats::obj;
use sinew::math::{Real, Vec3};
use std::path::Path;

/// A joint that turns by half a radian a frame about z and goes along x, from frame 1 to 3, and skin that it carries.
fn turning(job: &str) -> tempfile::TempDir {
    let folder = strip(1);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let row = |frame: &str, angle: Real, x: Real| {
        let (s, c) = angle.sin_cos();
        format!("{frame},arm,{c},{},0,{x},{s},{c},0,0,0,0,1,0\n", -s)
    };
    let rows = [row("rest", 0.0, 0.0), row("1", 0.0, 0.0), row("2", 0.5, 0.3), row("3", 1.0, 0.6)].concat();
    write("joints.csv", &format!("frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n{rows}"));
    let weights: String = (0..40).map(|v| format!("{v},arm,1\n")).collect();
    write("weights.csv", &format!("vertex,joint,weight\n{weights}"));
    write("job.xml", job);
    folder
}

const ARM: &str = r#"<sinew version="1">
  <frames range="1-3" fps="24" samples="4"/>
  <node type="skinning" name="arm">
    <input port="points" file="rest.obj"/>
    <input port="rest_joints" file="joints.csv" frame="rest"/>
    <input port="joints" file="joints.csv"/>
    <input port="influence_weights" file="weights.csv"/>
  </node>
  <outputs folder="out">
    <write file="arm.abc" from="arm.points" velocities="yes"/>
    <write file="arm.usda" from="arm.points" velocities="yes"/>
    <write file="arm.usdc" from="arm.points" velocities="yes"/>
    <write file="arm.pc2" from="arm.points"/>
    <write file="arm.%04d.obj" from="arm.points"/>
    <write file="joints.csv" from="arm.joints"/>
  </outputs>
</sinew>
"#;

fn runs(folder: &Path, args: &[&str]) {
    let output = sinew(folder, args);
    assert!(output.status.success(), "{args:?} {}", text(&output.stderr));
}

/// The points of a sample of an Alembic file's mesh.
fn points(file: &Path, path: &str, sample: usize) -> Vec<Vec3> {
    let mut archive = Archive::open(file).unwrap();
    let object = archive.find(path).unwrap();
    archive.mesh(object).unwrap().points(&mut archive, At::Sample(sample)).unwrap()
}

fn near(what: &str, found: &[Vec3], expected: impl Iterator<Item = Vec3>, limit: Real) {
    let expected: Vec<Vec3> = expected.collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    let off = found.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max);
    assert!(off < limit, "{what}: {off}");
}

fn vectors(value: &Value) -> Vec<Vec3> {
    let list = value.as_array().unwrap().iter();
    list.map(|v| Vec3::from_fn(|k, _| v[k].as_f64().unwrap())).collect()
}

#[test]
fn joints_turn_between_frames_and_files_tell_how_fast_points_move() {
    let folder = turning(ARM);
    runs(folder.path(), &["run", "job.xml"]);
    let at = |name: &str| folder.path().join("out").join(name);
    let rest = obj::read(&folder.path().join("rest.obj")).unwrap().mesh.positions;
    // Where the joint takes a point by a frame that need not be whole.
    let moved = |p: &Vec3, frame: Real| {
        let (s, c) = (0.5 * (frame - 1.0)).sin_cos();
        Vec3::new(c * p.x - s * p.y + 0.3 * (frame - 1.0), s * p.x + c * p.y, p.z)
    };
    for sample in 0..9 {
        let frame = 1.0 + 0.25 * sample as Real;
        let expected = rest.iter().map(|p| moved(p, frame));
        near("points", &points(&at("arm.abc"), "/arm", sample), expected, 1e-6);
    }

    // Others see the same, at the same times, and velocities as the points' own.
    let name = |file: &str| at(file).to_str().unwrap().to_string();
    let reported = [
        judge("motion.py", &["abc", &name("arm.abc"), "/arm", &(1.5 / 24.0).to_string()]),
        judge("motion.py", &["usd", &name("arm.usda"), "/arm/mesh", "1.5"]),
        judge("motion.py", &["usd", &name("arm.usdc"), "/arm/mesh", "1.5"]),
    ];
    for reported in reported {
        let reported: Value = serde_json::from_str(&reported).unwrap();
        near("their points", &vectors(&reported["points"]), rest.iter().map(|p| moved(p, 1.5)), 1e-6);
        let speeds = rest.iter().map(|p| (moved(p, 1.75) - moved(p, 1.25)) * 48.0);
        near("their velocities", &vectors(&reported["velocities"]), speeds, 1e-4);
        let times: Vec<Real> =
            reported["times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
        let rate = reported["rate"].as_f64().unwrap_or(1.0 / 24.0);
        let step = if rate == 24.0 { 1.0 } else { rate };
        assert!((0..9).all(|k| (times[k] - step * (1.0 + 0.25 * k as Real)).abs() < 1e-12), "{times:?}");
        assert_eq!(times.len(), 9);
        if reported["ends"].is_array() {
            assert_eq!(reported["ends"], serde_json::json!([1.0, 3.0]));
        }
    }

    // A point cache counts in frames; single-frame files and tables hold whole frames only.
    let cache = std::fs::read(at("arm.pc2")).unwrap();
    let single = |k: usize| f32::from_le_bytes(cache[k..k + 4].try_into().unwrap());
    assert_eq!((single(20), single(24), cache[28]), (1.0, 0.25, 9));
    let objs = std::fs::read_dir(at(""))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().ends_with(".obj"));
    assert_eq!(objs.count(), 3);
    let table = std::fs::read_to_string(at("joints.csv")).unwrap();
    let frames: Vec<&str> = table.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(frames, ["1", "2", "3"]);

    // At whole frames nothing depends on what is between.
    std::fs::write(
        folder.path().join("job.xml"),
        ARM.replace("samples=\"4\"", "").replace("\"out\"", "\"whole\""),
    )
    .unwrap();
    runs(folder.path(), &["run", "job.xml"]);
    for frame in 1..=3 {
        let [a, b] = ["out", "whole"]
            .map(|of| std::fs::read(folder.path().join(of).join(format!("arm.{frame:04}.obj"))).unwrap());
        assert!(a == b, "frame {frame}");
    }
    near(
        "whole",
        &points(&folder.path().join("whole/arm.abc"), "/arm", 1),
        points(&at("arm.abc"), "/arm", 4).into_iter(),
        1e-15,
    );
}

/// Skin that slides on a strip, with inertia, so that every moment depends on all before.
const SLIDE: &str = r#"<sinew version="1">
  <frames range="1-6" fps="24" samples="3"/>
  <node type="skin_slider" name="skin">
    <param id="mode" value="dynamic"/>
    <input port="rest" file="rest.obj"/>
    <input port="points" file="BODY"/>
    <input port="fixed" file="fixed.csv"/>
  </node>
  <outputs folder="out" broken="keep">
    <write file="slid.abc" from="skin.points skin.slide_distance"/>
    <tables/>
    <cache file="skin.abc" velocities="yes"/>
  </outputs>
</sinew>
"#;

#[test]
fn a_job_in_parts_gives_the_same_moments_as_in_one_go() {
    let folder = strip(6);
    let job = |out: &str| SLIDE.replace("BODY", "body.%04d.obj").replace("\"out\"", &format!("\"{out}\""));
    std::fs::write(folder.path().join("job.xml"), job("once")).unwrap();
    std::fs::write(folder.path().join("parts.xml"), job("parts")).unwrap();
    runs(folder.path(), &["run", "job.xml"]);
    runs(folder.path(), &["run", "parts.xml", "--only", "solve", "--frames", "1-2"]);
    runs(folder.path(), &["run", "parts.xml", "--only", "solve", "--frames", "5"]);
    runs(folder.path(), &["run", "parts.xml"]);
    for name in ["slid.abc", "skin.abc"] {
        let samples = |of: &str| -> Vec<Vec<Vec3>> {
            let path = if name == "slid.abc" { "/skin" } else { "/body" };
            (0..16).map(|k| points(&folder.path().join(of).join(name), path, k)).collect()
        };
        let (once, parts) = (samples("once"), samples("parts"));
        assert!(once == parts, "{name}");
        let way = |from: usize| (once[from + 1][9] - once[from][9]).norm();
        assert!((0..15).all(|k| (way(k) - 0.5 / 18.0).abs() < 1e-6), "the end goes on evenly");
    }
}

#[test]
fn a_broken_frame_is_no_end_of_a_way() {
    let folder = strip(6);
    std::fs::write(folder.path().join("job.xml"), SLIDE.replace("BODY", "body.%04d.obj")).unwrap();
    let third = folder.path().join("body.0003.obj");
    let whole = std::fs::read_to_string(&third).unwrap();
    std::fs::write(&third, whole.replacen("v 0 0", "v nan 0", 1)).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let end = |sample: usize| points(&folder.path().join("out/slid.abc"), "/skin", sample)[9].x;
    // Frame k is sample 3 (k - 1): at frame 2 it is 1 + 0.5 * 2 / 6, which stands in for all of frame 3.
    let at = |frame: Real| 1.0 + 0.5 * frame / 6.0;
    for (sample, expected) in [
        (3, at(2.0)),
        (4, at(2.0)),
        (6, at(2.0)),
        (7, at(2.0 + 4.0 / 3.0)),
        (8, at(2.0 + 5.0 / 3.0)),
        (9, at(4.0)),
    ] {
        assert!((end(sample) - expected).abs() < 1e-6, "sample {sample}: {} {expected}", end(sample));
    }
}

#[test]
fn samples_of_a_file_between_frames_are_taken() {
    let folder = strip(1);
    let rest = obj::read(&folder.path().join("rest.obj")).unwrap().mesh;
    // Up and down again between the frames 1 and 2, and on a straight line to frame 3.
    let times = [1.0, 1.25, 1.5, 1.75, 2.0, 3.0];
    let up = [0.0, 0.05, 0.2, 0.1, 0.0, 0.3];
    let mut writer = Writer::create(
        &folder.path().join("body.abc"),
        TimeSampling::Acyclic(times.iter().map(|frame| frame / 24.0).collect()),
    )
    .unwrap();
    let mesh = writer.add_mesh(None, "body", &rest).unwrap();
    for up in up {
        let positions: Vec<Vec3> = rest.positions.iter().map(|p| p + Vec3::y() * up).collect();
        writer.write_mesh(mesh, &MeshSample { positions: &positions, ..Default::default() }).unwrap();
    }
    writer.commit().unwrap();
    let job = SLIDE.replace("BODY", "body.abc").replace("range=\"1-6\"", "range=\"1-3\"");
    std::fs::write(folder.path().join("job.xml"), job.replace("samples=\"3\"", "samples=\"2\"")).unwrap();
    runs(folder.path(), &["run", "job.xml"]);
    // Two samples make up a frame: the files are of 24 frames per second, not of 48.
    for name in ["slid.abc", "skin.abc"] {
        let said = Archive::open(&folder.path().join("out").join(name)).unwrap().said(&[]).rate();
        assert_eq!(said, Some(24.0), "{name}");
    }
    for (sample, expected) in [0.0, 0.2, 0.0, 0.15, 0.3].into_iter().enumerate() {
        let found = points(&folder.path().join("out/slid.abc"), "/skin", sample)[7].y;
        assert!((found - expected).abs() < 1e-6, "sample {sample}: {found} {expected}");
    }
}

#[test]
fn what_cannot_be_is_reported_with_its_line() {
    for (from, to, words) in [
        ("samples=\"4\"", "samples=\"0\"", "job.xml:2"),
        ("samples=\"4\"", "samples=\"99\"", "1 to 64"),
        ("range=\"1-3\"", "range=\"1,3,2\"", "must be in ascending order"),
        ("arm.pc2\" from=\"arm.points\"", "arm.pc2\" from=\"arm.points\" velocities=\"yes\"", ".usdc can"),
        (
            "arm.%04d.obj\" from=\"arm.points\"",
            "arm.%04d.obj\" from=\"arm.points\" velocities=\"yes\"",
            "cannot hold",
        ),
        (
            "joints.csv\" from=\"arm.joints\"",
            "joints.csv\" from=\"arm.joints\" velocities=\"yes\"",
            "this is a table",
        ),
        ("range=\"1-3\" fps=\"24\" samples=\"4\"", "range=\"1\"", "two frames"),
    ] {
        assert!(ARM.contains(from), "{from}");
        let folder = turning(&ARM.replacen(from, to, 1));
        let output = sinew(folder.path(), &["run", "job.xml"]);
        let reported = text(&output.stderr);
        assert!(!output.status.success() && reported.contains(words), "{to}: {reported}");
    }
}
