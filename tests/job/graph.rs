//! Graphs of nodes from files to files: a chain of three nodes that is killed and goes on, what fits what, what is
//! refused.

use crate::strand_host;
use crate::strip::{sinew, strip, text};
use sinew::formats::alembic::{Archive, At};
use sinew::formats::points::PointSource;
use sinew::formats::shot::{FrameData, Info};
use sinew::formats::{joints, obj, sink};
use sinew::math::{Space, UpAxis};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// Bones that move, skin that they move, and skin that slides on that. The nodes are listed in another order than they
/// step in.
const CHAIN: &str = r#"<sinew version="1">
  <frames range="1-FRAMES" fps="32"/>
  <node type="skin_slider" name="skin">
    <param id="mode" value="dynamic"/>
    <input port="rest" file="rest.obj"/>
    <input port="points" from="arm.points"/>
    <input port="fixed" file="fixed.csv"/>
    <input port="stiffness" value="2"/>
    <input port="riders" file="hairs.csv"/>
  </node>
  <node type="skinning" name="arm">
    <input port="points" file="rest.obj"/>
    <input port="rest_joints" file="joints.csv" frame="rest"/>
    <input port="joints" from="bones.body_matrices"/>
    <input port="influence_weights" file="weights.csv"/>
  </node>
  <node type="strand" name="bones">
    <param id="source" value="scene"/>
    <param id="scene" value="arm.xml"/>
    <input port="activations" file="pull.csv"/>
  </node>
  <outputs folder="out">
    <tables/>
    <st_map file="st.%04d.exr" size="48"/>
    <cache file="slid.usda"/>
    <write file="skin.abc" from="arm.points skin.uvs skin.slide_distance skin.stretch"/>
    <write file="skin.usdc" from="arm.points skin.uvs skin.slide_vector"/>
    <write file="body.%04d.obj" from="skin.points skin.uvs"/>
    <write file="slid.pc2" from="skin.slid_points"/>
    <write file="slid.mdd" from="skin.slid_points"/>
    <write file="look.glb" from="arm.points skin.uvs"/>
    <write file="bones.csv" from="bones.body_matrices"/>
    <write file="turns.%04d.csv" from="bones.joint_turns bones.joint_moves"/>
    <write file="tendons.usda" from="bones.strand_points bones.strand_counts bones.strand_lengths bones.strand_materials" radii="bones.strand_radii"/>
    <write file="tendons.abc" from="bones.strand_points bones.strand_counts" radii="bones.strand_radii"/>
    <write file="hairs.csv" from="skin.rider_points skin.rider_inside"/>
  </outputs>
</sinew>
"#;

/// The chain in a folder, of so many frames.
fn chain(frames: i32) -> tempfile::TempDir {
    let folder = strip(1);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("job.xml", &CHAIN.replace("FRAMES", &frames.to_string()));
    write("arm.xml", strand_host::ARM);
    let rest = |name: &str, x: f64, y: f64| format!("rest,{name},1,0,0,{x},0,1,0,{y},0,0,1,0\n");
    write(
        "joints.csv",
        &[
            "frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n".to_string(),
            rest("floor", 0.0, -1.0),
            rest("forearm", 0.0, 0.0),
            rest("hand", 0.15, 0.0),
        ]
        .concat(),
    );
    let weight = |v: i32| {
        let x = f64::from(v % 10) / 9.0;
        format!("{v},forearm,{}\n{v},hand,{x}\n", 1.0 - x)
    };
    write("weights.csv", &("vertex,joint,weight\n".to_string() + &(0..40).map(weight).collect::<String>()));
    let pull = |frame: i32| format!("{frame},{}\n", 0.5 * (1.0 - (0.4 * f64::from(frame)).cos()));
    write("pull.csv", &("frame,puller\n".to_string() + &(0..=frames).map(pull).collect::<String>()));
    write("hairs.csv", "0.3,0,-0.1\n0.7,0,-0.2\n");
    folder
}

/// The files of a folder except the report, which contains times.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let is_result =
        |name: &std::ffi::OsStr| name != "report.json" && !name.to_string_lossy().starts_with(".sinew");
    let files = entries.filter(|e| is_result(&e.file_name()));
    files.map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap())).collect()
}

/// Runs the chain with another text of its job, which must fail, and returns its messages.
fn refused(from: &str, to: &str) -> String {
    let folder = chain(2);
    let job = CHAIN.replace("FRAMES", "2");
    assert!(job.contains(from), "{from}");
    std::fs::write(folder.path().join("job.xml"), job.replacen(from, to, 1)).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!([1, 3].map(Some).contains(&output.status.code()), "{to}: {reported}");
    reported
}

#[test]
fn three_nodes_run_from_files_to_files() {
    let folder = chain(6);
    let at = |name: &str| folder.path().join("out").join(name);
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("6 frames of bones, arm, skin"), "in the order in which they step");

    // The bones turn; skinning by hand from the table of bones gives the points that were written.
    let bones = joints::read(&at("bones.csv")).unwrap_err();
    assert!(bones.message().contains("rest"), "a table of joints but for the rest pose: {bones}");
    let rest = std::fs::read_to_string(folder.path().join("joints.csv")).unwrap();
    let moving = std::fs::read_to_string(at("bones.csv")).unwrap();
    let moving: String = moving.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let bones = joints::parse(&(rest + &moving)).unwrap();
    assert_eq!(bones.names, ["floor", "forearm", "hand"]);
    let mut source = PointSource::open(&at("body.%04d.obj"), 32.0).unwrap();
    let rest = sinew::formats::obj::read(&folder.path().join("rest.obj")).unwrap().mesh;
    for frame in 1..=6_i64 {
        let points = source.read(frame as usize - 1).unwrap();
        for (v, rest_point) in rest.positions.iter().enumerate() {
            let mix = |joint: usize| {
                let home = sinew::math::invert(&bones.rest[joint]).unwrap();
                let local = sinew::math::transform_point(&home, rest_point);
                sinew::math::transform_point(&bones.frames[&frame][joint], &local)
            };
            let x = (v % 10) as f64 / 9.0;
            let expected = mix(1) * (1.0 - x) + mix(2) * x;
            assert!((points[v] - expected).norm() < 1e-9, "frame {frame}, vertex {v}");
        }
    }
    let turn = |frame: i64| {
        let table = std::fs::read_to_string(at(&format!("turns.{frame:04}.csv"))).unwrap();
        let mut lines = table.lines();
        assert!(
            lines
                .next()
                .unwrap()
                .starts_with("frame,joint,joint_turns_x,joint_turns_y,joint_turns_z,joint_moves_x")
        );
        let row: Vec<String> = lines.next().unwrap().split(',').map(String::from).collect();
        assert_eq!((row[0].clone(), row[1].as_str()), (frame.to_string(), "wrist"));
        row[4].parse::<f64>().unwrap()
    };
    assert!((turn(6) - turn(1)).abs() > 1.0, "the muscle moves the hand");

    // What rides, what slid, and the curves are there, and the skin slides.
    let mut archive = Archive::open(&at("skin.abc")).unwrap();
    let body = archive.find("/arm").unwrap();
    let mesh = archive.mesh(body).unwrap();
    let slide = mesh.map(&mut archive, "slide_distance", At::Sample(5)).unwrap();
    assert!(slide.values.iter().any(|s| *s > 1e-5), "the skin slides");
    assert_eq!(mesh.map(&mut archive, "stretch", At::Sample(5)).unwrap().components, 2);
    let mut tendons = Archive::open(&at("tendons.abc")).unwrap();
    let curve = tendons.find("/bones/curves/curvesShape").unwrap();
    let curves = tendons.curves(curve).unwrap();
    assert_eq!(curves.curve_counts(&mut tendons, At::Sample(0)).unwrap(), [3]);
    let hairs = std::fs::read_to_string(at("hairs.csv")).unwrap();
    assert_eq!(hairs.lines().count(), 1 + 6 * 2, "{hairs}");
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(at("manifest.json")).unwrap()).unwrap();
    let inputs: Vec<&str> =
        manifest["inputs"].as_array().unwrap().iter().map(|i| i["file"].as_str().unwrap()).collect();
    assert_eq!(inputs.len(), 7, "also the scene that a parameter names: {inputs:?}");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(at("report.json")).unwrap()).unwrap();
    assert!(
        report["frames"][3]["nodes"]["bones"]["steps"].as_f64().unwrap() > 1.0,
        "{}",
        report["frames"][3]
    );
}

#[test]
fn a_killed_graph_goes_on_and_gives_the_same_bits() {
    let folder = chain(60);
    let at = |name: &str| folder.path().join(name);
    assert!(sinew(folder.path(), &["run", "job.xml"]).status.success());
    std::fs::rename(at("out"), at("whole")).unwrap();
    for after in [4, 23] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        let quiet = command.stderr(Stdio::null()).stdout(Stdio::null());
        let mut child = quiet.args(["run", "job.xml"]).current_dir(folder.path()).spawn().unwrap();
        let done = at(&format!("out/.sinew/done.{after}.json"));
        while !done.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "it was killed before its end");
    }
    std::fs::remove_file(at("out/body.0002.obj")).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.success() && reported.contains("frames are done already"), "{reported}");
    let (whole, mended) = (files(&at("whole")), files(&at("out")));
    assert_eq!(whole.keys().collect::<Vec<_>>(), mended.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(bytes == &mended[name], "{name} has the same bytes");
    }
    // One thread gives the same.
    std::fs::rename(at("out"), at("mended")).unwrap();
    assert!(sinew(folder.path(), &["run", "job.xml", "-j", "1"]).status.success());
    assert!(files(&at("out")) == whole);
}

/// On a farm one process solves, and then any number make pictures of any frames, in any order.
#[test]
fn pictures_made_by_several_processes_are_those_of_one() {
    let whole = chain(6);
    assert!(sinew(whole.path(), &["run", "job.xml"]).status.success());
    let expected = files(&whole.path().join("out"));
    assert!(expected.contains_key("st.0006.exr") && expected.contains_key("slid.usda"));
    let parts = chain(6);
    let out = parts.path().join("out");
    let run = |more: &[&str]| sinew(parts.path(), &[&["run", "job.xml"], more].concat());
    let fine = |more: &[&str]| {
        let output = run(more);
        assert!(output.status.success(), "{more:?}: {}", text(&output.stderr));
        text(&output.stderr)
    };
    let output = run(&["--only", "images"]);
    assert!(output.status.code() == Some(3) && text(&output.stderr).contains("nothing has been solved yet"));
    fine(&["--only", "solve", "--frames", "1-4"]);
    assert!(!out.join("st.0001.exr").exists() && !out.join("slid.usda").exists());
    let output = run(&["--only", "images", "--frames", "5"]);
    assert!(output.status.code() == Some(3) && text(&output.stderr).contains("not solved yet"));
    fine(&["--only", "solve"]);
    let child = |frames: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(["run", "job.xml", "--only", "images", "--frames", frames]).current_dir(parts.path());
        command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
    };
    let children = [child("4-6"), child("3,1")];
    children.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
    assert!(out.join("st.0001.exr").exists() && !out.join("st.0002.exr").exists());
    fine(&["--only", "caches"]);
    let output = run(&["--only", "page"]);
    assert!(output.status.code() == Some(3) && text(&output.stderr).contains("files of some are missing: 2"));
    let before = std::fs::metadata(out.join("st.0004.exr")).unwrap().modified().unwrap();
    // The last run makes what is left, and nothing twice.
    let reported = fine(&["--keep"]);
    assert!(reported.contains("6 frames are done already"), "{reported}");
    assert_eq!(std::fs::metadata(out.join("st.0004.exr")).unwrap().modified().unwrap(), before);
    assert!(files(&out) == expected);
    let report = std::fs::read(out.join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["frames"].as_array().unwrap().len(), 6);
    assert!(report["milliseconds"]["files"].is_f64(), "{report}");
    // Other pictures of what was kept: nothing is solved again.
    let job = std::fs::read_to_string(parts.path().join("job.xml")).unwrap();
    std::fs::write(parts.path().join("job.xml"), job.replace("size=\"48\"", "size=\"24\"")).unwrap();
    let solved = std::fs::metadata(out.join(".sinew/record.0.bin")).unwrap().modified().unwrap();
    assert!(fine(&["--keep"]).contains("6 frames are done already"));
    assert_eq!(std::fs::metadata(out.join(".sinew/record.0.bin")).unwrap().modified().unwrap(), solved);
    assert!(files(&out)["st.0001.exr"] != expected["st.0001.exr"]);
    assert!(files(&out)["slid.pc2"] == expected["slid.pc2"]);
    // Another parameter is another solution.
    let reported = fine(&["--set", "skin.zeta=0.5"]);
    assert!(reported.contains("starts over"), "{reported}");
    assert!(!out.join(".sinew").exists());
}

#[test]
fn a_finished_job_is_known_again_until_something_of_it_changes() {
    let folder = chain(3);
    let at = |name: &str| folder.path().join(name);
    let run = |more: &[&str]| {
        let output = sinew(folder.path(), &[&["run", "job.xml"], more].concat());
        assert!(output.status.success(), "{more:?}: {}", text(&output.stderr));
        text(&output.stderr)
    };
    let known = |more: &[&str]| run(more).contains("the job is finished");
    let dry = sinew(folder.path(), &["run", "job.xml", "--dry-run"]);
    let reported = text(&dry.stdout);
    assert!(dry.status.success() && reported.contains("frames 1-3 of bones, arm, skin"), "{reported}");
    assert!(
        reported.contains("weights.csv") && reported.contains("st.0003.exr") && !at("out").exists(),
        "{reported}"
    );
    assert!(!known(&[]) && known(&[]));
    assert!(!known(&["--restart"]) && known(&[]));
    // A file that is gone, one that was changed, an input that was touched, another job.
    std::fs::remove_file(at("out/st.0002.exr")).unwrap();
    assert!(!known(&[]) && at("out/st.0002.exr").exists() && known(&[]));
    std::fs::write(at("out/slid.usda"), "mine").unwrap();
    assert!(!known(&[]) && known(&[]));
    // One that has other bytes, but as many.
    let image = std::fs::read(at("out/st.0002.exr")).unwrap();
    let zeros = vec![0; image.len()];
    std::fs::write(at("out/st.0002.exr"), zeros).unwrap();
    assert!(!known(&[]) && std::fs::read(at("out/st.0002.exr")).unwrap() == image && known(&[]));
    let fixed = std::fs::read_to_string(at("fixed.csv")).unwrap();
    std::fs::write(at("fixed.csv"), fixed.replacen('1', "0", 1)).unwrap();
    assert!(!known(&[]) && known(&[]));
    assert!(!known(&["--out", "elsewhere"]) && at("elsewhere/skin.abc").exists() && known(&[]));
    assert!(files(&at("elsewhere")) == files(&at("out")), "the folder is no part of what a job is");
    // What was changed since is somebody's work.
    std::fs::write(at("out/slid.mdd"), "mine").unwrap();
    let output = sinew(folder.path(), &["run", "job.xml", "--clean"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let left: Vec<_> =
        std::fs::read_dir(at("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["slid.mdd"]);
    // What a partial run wrote is removed, too.
    run(&["--out", "part", "--only", "solve"]);
    run(&["--out", "part", "--only", "images", "--frames", "2"]);
    assert!(at("part/st.0002.exr").exists());
    let output = sinew(folder.path(), &["run", "job.xml", "--out", "part", "--clean"]);
    assert!(output.status.success() && !at("part/st.0002.exr").exists() && !at("part/.sinew").exists());
}

#[test]
fn what_does_not_fit_is_reported_with_its_line() {
    let reported = |from: &str, to: &str, words: &[&str]| {
        let text = refused(from, to);
        assert!(words.iter().all(|word| text.contains(word)), "{to}: {text}");
    };
    reported(
        r#"from="bones.body_matrices""#,
        r#"from="skin.rider_matrices""#,
        &["job.xml:", "cycle", "skin", "arm"],
    );
    reported(
        r#"from="arm.points""#,
        r#"from="bones.joint_turns""#,
        &["job.xml:6", "joint_turns cannot feed points"],
    );
    reported(r#"from="arm.points""#, r#"from="leg.points""#, &["job.xml:6", "no node \"leg\""]);
    reported(r#"from="arm.points""#, r#"from="arm.pints""#, &["job.xml:6", "no output \"pints\"", "points"]);
    reported(r#"from="arm.points""#, r#"from="arm""#, &["job.xml:6", "NODE.PORT"]);
    reported(
        r#"    <input port="points" from="arm.points"/>"#,
        "",
        &["job.xml:3", "nothing feeds the input points"],
    );
    reported(
        r#"    <input port="rest_joints" file="joints.csv" frame="rest"/>"#,
        "",
        &["job.xml:11", "nothing feeds the input rest_joints"],
    );
    let dynamic = r#"<param id="mode" value="dynamic"/>"#;
    reported(dynamic, &dynamic.repeat(2), &["job.xml:4", "the parameter mode is set twice"]);
    reported(
        r#"port="stiffness""#,
        r#"port="stifness""#,
        &["job.xml:8", "no input \"stifness\"", "stiffness"],
    );
    reported(r#"port="stiffness""#, r#"port="fixed""#, &["job.xml:8", "fed twice"]);
    reported(r#"value="2""#, r#"value="two""#, &["job.xml:8", "numbers separated by spaces"]);
    reported(r#"value="2""#, r#"value="2" file="fixed.csv""#, &["job.xml:8", "one of file, from and value"]);
    reported(r#"value="2""#, r#"value="1 2 3""#, &["stiffness", "3 values"]);
    reported(r#"file="pull.csv""#, r#"file="fixed.csv""#, &["40 activations for 1 muscles"]);
    reported(r#"name="arm""#, r#"name="skin""#, &["job.xml:11", "two nodes are called \"skin\""]);
    reported(r#"type="skinning""#, r#"type="skining""#, &["job.xml:11", "no node \"skining\""]);
    reported(r#"range="1-2""#, r#"range="1-9""#, &["pull.csv", "lacks 7 of 9 frames: 3-9"]);
    reported(r#"frame="rest""#, r#"frame="7""#, &["joints.csv", "no such frame"]);
    reported(
        "skin.slid_points\"/>\n    <write file=\"slid.mdd\"",
        "skin.slid_points skin.uvs\"/>\n    <write file=\"slid.mdd\"",
        &["slid.pc2", ".abc"],
    );
    reported(
        r#"file="slid.pc2" from="skin.slid_points""#,
        r#"file="slid.pc2" from="skin.stretch""#,
        &["no points are named"],
    );
    reported(
        r#"file="slid.pc2" from="skin.slid_points""#,
        r#"file="slid.abc" from="bones.strand_points""#,
        &["the number of points of each"],
    );
    reported(r#"file="slid.pc2""#, r#"file="slid.xyz""#, &["xyz"]);
    reported(r#"file="body.%04d.obj""#, r#"file="body.obj""#, &["placeholder for the frame"]);
    reported("bones.joint_turns bones.joint_moves", "bones.joint_turns bones.tensions", &["separate tables"]);
    reported(
        r#"<input port="rest" file="rest.obj"/>"#,
        r#"<input port="rest" file="rest.obj"/><input port="rest" file="rest.obj"/>"#,
        &["job.xml:5", "the input rest is fed twice"],
    );
    reported(r#"file="slid.mdd""#, r#"file="../pull.csv""#, &["results' folder"]);
    for option in ["--restart", "--dry-run"] {
        let folder = chain(2);
        let job = CHAIN.replace("FRAMES", "2").replace(r#"folder="out""#, r#"folder="rest.obj""#);
        std::fs::write(folder.path().join("job.xml"), job).unwrap();
        let output = sinew(folder.path(), &["run", "job.xml", option]);
        assert!(
            text(&output.stderr).contains("rest.obj: this is a file, but a folder"),
            "{option}: {output:?}"
        );
    }
    let outputs = &CHAIN[CHAIN.find("  <outputs").unwrap()..CHAIN.find("</sinew>").unwrap()];
    reported(outputs, "<outputs folder=\"out\"/>", &["job.xml:22", "nothing is written: add <tables/>"]);
    reported(outputs, "", &["job.xml:1", "nothing is written: add <outputs"]);
}

/// Meshes that say the same unit and axis, and one that says another.
#[test]
fn files_of_one_job_share_one_space() {
    let folder = strip(1);
    let at = |name: &str| folder.path().join(name);
    let mesh = obj::read(&at("rest.obj")).unwrap().mesh;
    for (name, unit) in [("a.usda", 0.01), ("b.usda", 0.01), ("other.usda", 0.1)] {
        let space = Space::new(unit, UpAxis::Z).unwrap();
        let info = Info { name: "body", mesh: Some(&mesh), space, ..Info::default() };
        let frame = |_| Ok(FrameData { points: mesh.positions.clone(), ..FrameData::default() });
        sink::write(&at(name), &info, &[1], 24.0, &mut { frame }).unwrap();
    }
    let job = |second: &str| {
        let node = |name: &str, file: &str| {
            format!(
                "<node type=\"skin_slider\" name=\"{name}\"><input port=\"rest\" file=\"{file}\"/>\
                 <input port=\"points\" file=\"body.%04d.obj\"/></node>"
            )
        };
        let nodes = node("one", "a.usda") + &node("two", second);
        let write = r#"<write file="two.pc2" from="two.slid_points"/>"#;
        let text = format!(
            "<sinew version=\"1\"><frames range=\"1\" fps=\"24\"/>{nodes}\
             <outputs folder=\"out\">{write}<write file=\"one.pc2\" from=\"one.slid_points\"/></outputs></sinew>"
        );
        std::fs::write(at("job.xml"), text).unwrap();
        sinew(folder.path(), &["run", "job.xml"])
    };
    let output = job("b.usda");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let reported = text(&job("other.usda").stderr);
    assert!(
        reported.contains("the file is in another space") && reported.contains("metres_per_unit=\"0.1\""),
        "{reported}"
    );
}

/// A body's size is that of its bounds, wherever they are: around the origin it is as large as at rest beside it.
#[test]
fn a_body_may_be_anywhere_but_not_a_million_times_as_large() {
    let folder = strip(1);
    let rest = obj::read(&folder.path().join("rest.obj")).unwrap().mesh;
    let bounds = sinew::geometry::measure::bounds(&rest.positions);
    let middle = (bounds[0] + bounds[1]) / 2.0;
    let job = r#"<sinew version="1"><frames range="1" fps="24"/><node type="skin_slider">
        <input port="rest" file="rest.obj"/><input port="points" file="moved.%d.obj"/></node>
        <outputs folder="out"><write file="slid.pc2" from="skin_slider.slid_points"/></outputs></sinew>"#;
    std::fs::write(folder.path().join("job.xml"), job).unwrap();
    let run = |scale: f64| {
        let positions = rest.positions.iter().map(|p| (p - middle) * scale).collect();
        let moved = sinew::geometry::Mesh { positions, ..rest.clone() };
        obj::save(&folder.path().join("moved.1.obj"), &moved).unwrap();
        sinew(folder.path(), &["run", "job.xml"])
    };
    let output = run(1.0);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let reported = text(&run(1e7).stderr);
    assert!(reported.contains("the size of the body is"), "{reported}");
}

#[test]
fn a_broken_frame_stops_the_graph_or_is_stood_in_for() {
    let folder = chain(4);
    let broken = CHAIN.replace("FRAMES", "4").replace(
        r#"<input port="points" from="arm.points"/>"#,
        r#"<input port="points" file="body.%04d.obj"/>"#,
    );
    let rest = std::fs::read_to_string(folder.path().join("rest.obj")).unwrap();
    for frame in 1..=4 {
        let text = if frame == 3 { rest.replacen("v 0 0", "v nan 0", 1) } else { rest.clone() };
        std::fs::write(folder.path().join(format!("body.{frame:04}.obj")), text).unwrap();
    }
    let stopped = broken.replace(r#"<outputs folder="out""#, r#"<outputs folder="out" broken="stop""#);
    std::fs::write(folder.path().join("job.xml"), stopped).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.code() == Some(1) && reported.contains("body.0003.obj"), "{reported}");
    std::fs::write(
        folder.path().join("job.xml"),
        broken.replace(r#"<outputs folder="out""#, r#"<outputs folder="kept""#),
    )
    .unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    let reported = text(&output.stderr);
    assert!(output.status.code() == Some(1) && reported.contains("1 of 4 frames failed: 3"), "{reported}");
    let read = |name: &str| std::fs::read(folder.path().join("kept").join(name)).unwrap();
    assert_eq!(read("body.0003.obj"), read("body.0002.obj"));
    let report: serde_json::Value = serde_json::from_slice(&read("report.json")).unwrap();
    let kept: Vec<bool> = (0..4).map(|k| report["frames"][k]["kept"] == true).collect();
    assert_eq!(kept, [false, false, true, false]);
}
