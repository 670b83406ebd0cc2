//! The real command, from outside: what it prints, what it writes, and how it fails.

use sinew::formats::cache::{CacheKind, CacheReader};
use std::path::Path;
use std::process::{Command, Output};

fn sinew(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

const REST: &str = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\n";
const WEIGHTS: &str = "vertex,joint,weight\n0,a,1\n1,b,1\n2,b,1\n3,b,1\n";

/// Joint a stays at the origin; joint b sits at x = 1 and moves up by the number of the frame.
fn joints(frames: i64) -> String {
    let row =
        |frame: &str, joint: &str, x: i64, y: i64| format!("{frame},{joint},1,0,0,{x},0,1,0,{y},0,0,1,0\n");
    let pose = |frame: &str, y| row(frame, "a", 0, 0) + &row(frame, "b", 1, y);
    pose("rest", 0) + &(1..=frames).map(|f| pose(&f.to_string(), f)).collect::<String>()
}

fn scene(frames: i64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("rest.obj", REST);
    write("weights.csv", WEIGHTS);
    write("joints.csv", &joints(frames));
    write("half.csv", "0.5\n0.5\n0.5\n0.5\n");
    folder
}

const SKIN: [&str; 7] = ["skin", "--rest", "rest.obj", "--joints", "joints.csv", "--weights", "weights.csv"];

fn skin(folder: &Path, more: &[&str]) -> Output {
    sinew(folder, &[&SKIN, more].concat())
}

#[test]
fn skin_moves_the_vertices_and_leaves_only_whole_files() {
    let folder = scene(3);
    let output = skin(folder.path(), &["--out", "out.%04d.obj", "--map", "envelope_map=half.csv", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["frames"], serde_json::json!([1, 2, 3]));
    let mesh = sinew::formats::obj::read(&folder.path().join("out.0003.obj")).unwrap().mesh;
    let heights: Vec<_> = mesh.positions.iter().map(|p| p.y).collect();
    assert_eq!(heights, [0.0, 1.5, 1.5, 2.5], "half of three, on joint b's vertices only");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4 + 3);
}

#[test]
fn mistakes_have_a_code_and_name_the_culprit() {
    let folder = scene(2);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("nan.obj", "v 0 0 0\nv nan 0 0\n");
    write("short.csv", "1\n");
    let cases: [(&[&str], i32, &str); 9] = [
        (&["--out", "out.obj"], 2, "placeholder for the frame"),
        (&["--out", "o.%04d.obj", "--frames", "1-9"], 3, "frame 3"),
        (&["--out", "o.%04d.obj", "--frames", "9-1"], 1, "backwards"),
        (&["--out", "o.%04d.obj", "--set", "methud=linear"], 2, "method"),
        (&["--out", "o.%04d.obj", "--set", "method=liner"], 2, "dual_quaternion"),
        (&["--out", "o.%04d.obj", "--map", "blond=half.csv"], 2, "blend"),
        (&["--out", "o.%04d.obj", "--map", "blend=short.csv"], 1, "1 value for 4 vertices"),
        (&["--out", "rest.obj/o.%04d.obj"], 3, "rest.obj"),
        (&["--out", "o.%04d.obj", "--fps", "0"], 2, "frame rate"),
    ];
    for (more, code, named) in cases {
        let output = skin(folder.path(), more);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{more:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(named), "{more:?}: {message}");
    }
    let output = sinew(folder.path(), &["--json", "info", "nan.obj"]);
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&error["error"]["kind"], &error["error"]["line"]), (&"not_finite".into(), &2.into()));
    assert_eq!(sinew(folder.path(), &["info", "missing.obj"]).status.code(), Some(3));
    assert_eq!(sinew(folder.path(), &["bogus"]).status.code(), Some(2));
}

#[test]
fn info_reports_what_is_wrong_with_a_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("b.1.obj", &format!("mtllib skin.mtl\n{REST}"));
    write("b.2.obj", &REST.replace("1 2 3 4", "4 3 2 1"));
    write("b.5.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 9 9 9\nf 1 2 3\nf 1 1 2\n");
    let output = sinew(folder.path(), &["info", "b.%d.obj"]);
    let page = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    for line in [
        "frames: 1-2, 5",
        "skipped statements: [\"mtllib x 1\"]",
        "frames 3-4 are missing",
        "frame 2, face 0: the face has different",
        "frame 5: 2 faces",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    let page = text(&sinew(folder.path(), &["info", "b.5.obj"]).stdout);
    for line in
        ["1 vertices in no face: 3", "1 faces that use a vertex twice: 1", "2 faces without area: 0, 1"]
    {
        assert!(page.contains(line), "{line}: {page}");
    }
}

const SCENE: &str = r#"<sinew version="1">
  <frames range="1-3"/>
  <node type="skinning">
    <param id="envelope" value="1"/>
    <input port="points" file="rest.obj"/>
    <input port="joints" file="joints.csv"/>
    <input port="influence_weights" file="weights.csv"/>
    <input port="envelope_map" file="half.json"/>
  </node>
  <outputs folder="." report="no"><write file="out.pc2" from="skinning.points"/></outputs>
</sinew>
"#;

fn with_scene() -> tempfile::TempDir {
    let folder = scene(3);
    std::fs::write(folder.path().join("half.json"), "[0.5, 0.5, 0.5, 0.5]").unwrap();
    std::fs::write(folder.path().join("scene.xml"), SCENE).unwrap();
    folder
}

#[test]
fn a_scene_runs_from_another_folder_and_options_come_first() {
    let folder = with_scene();
    let elsewhere = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.xml");
    let output = sinew(elsewhere.path(), &["skin", scene.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = text(&sinew(folder.path(), &["info", "out.pc2"]).stdout);
    for line in ["points: 4", "samples: 3", "frames: 1 to 3", "bounds: [[0.0,0.0,0.0],[2.0,2.5,0.0]]"] {
        assert!(page.contains(line), "{line}: {page}");
    }
    let more = ["skin", scene.to_str().unwrap(), "--frames", "2", "--out", "o.%d.obj", "--set", "envelope=0"];
    assert!(sinew(elsewhere.path(), &more).status.success());
    let mesh = sinew::formats::obj::read(&elsewhere.path().join("o.2.obj")).unwrap().mesh;
    assert_eq!(mesh.positions[2].y, 0.0, "the option says: nothing moves");
}

#[test]
fn a_saved_scene_says_the_same_as_the_options() {
    let folder = scene(2);
    let options = [
        "--out",
        "a.mdd",
        "--map",
        "envelope_map=half.csv",
        "--set",
        "method=dual_quaternion",
        "--fps",
        "30",
    ];
    assert!(skin(folder.path(), &options).status.success());
    assert!(skin(folder.path(), &[&options[..], &["--save-scene", "job.xml"]].concat()).status.success());
    let first = std::fs::read(folder.path().join("a.mdd")).unwrap();
    std::fs::remove_file(folder.path().join("a.mdd")).unwrap();
    let output = sinew(folder.path(), &["skin", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(std::fs::read(folder.path().join("a.mdd")).unwrap(), first);
    // Run from another folder, paths are still relative to the scene's, and stay valid when that folder moves.
    let name = folder.path().join("job.xml");
    let whole = |file: &str| folder.path().join(file).to_string_lossy().into_owned();
    let elsewhere = tempfile::tempdir().unwrap();
    let args = ["skin", "--rest", &whole("rest.obj"), "--joints", &whole("joints.csv")];
    let more = ["--weights", &whole("weights.csv"), "--out", &whole("a.mdd"), "--force", "--save-scene"];
    let output = sinew(elsewhere.path(), &[&args[..], &more, &[name.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(std::fs::read_to_string(&name).unwrap().contains("file=\"rest.obj\""));
}

#[test]
fn mistakes_in_a_scene_name_file_line_and_element() {
    let folder = with_scene();
    for (from, to, named) in [
        ("weights.csv", "weight.csv", "scene.xml:7: element input: weight.csv: No such file"),
        ("rest.obj", "half.json", "scene.xml:5: element input: half.json"),
        (
            "\"1-3\"",
            "\"1-9\"",
            "scene.xml:6: element input, frame 4: joints.csv: the file lacks 6 of 9 frames: 4-9",
        ),
        (
            "envelope\" value",
            "envelop\" value",
            "scene.xml:4: element param, node skinning: no parameter \"envelop\"",
        ),
        (
            "value=\"1\"",
            "value=\"2\"",
            "scene.xml:4: element param, node skinning, parameter envelope: 2 is not in the range",
        ),
        ("\"envelope_map\"", "\"points\"", "scene.xml:8: element input: the input points is fed twice"),
        (
            "\"envelope_map\"",
            "\"x\"",
            "scene.xml:8: element input: no input \"x\"; there are points, rest_joints, joints",
        ),
        ("type=\"skinning\"", "type=\"skining\"", "scene.xml:3: element node"),
        (
            "<input port=\"points\" file=\"rest.obj\"/>",
            "",
            "scene.xml:3: element node: nothing feeds the input points: ",
        ),
        (
            "<input port=\"influence_weights\" file=\"weights.csv\"/>",
            "",
            "scene.xml:3: element node: nothing feeds the input influence_weights: ",
        ),
        (
            "<input port=\"joints\"",
            "<inputs port=\"joints\"",
            "scene.xml:6: element sinew/node: unknown element \"inputs\"",
        ),
        (
            "<input port=\"points\" file=\"rest.obj\"/>",
            "<mesh file=\"rest.obj\"/>",
            "scene.xml:5: element sinew/node: <mesh> is replaced: write <input port=\"rest\" file=\"...\"/>, for \
             skinning",
        ),
    ] {
        assert!(SCENE.contains(from));
        std::fs::write(folder.path().join("scene.xml"), SCENE.replacen(from, to, 1)).unwrap();
        let output = sinew(folder.path(), &["skin", "scene.xml"]);
        assert!(text(&output.stderr).contains(named), "{named}: {}", text(&output.stderr));
        let page = text(&sinew(folder.path(), &["info", "scene.xml"]).stdout)
            + &text(&sinew(folder.path(), &["info", "scene.xml"]).stderr);
        assert!(page.contains(named), "{page}");
    }
    std::fs::write(folder.path().join("half.json"), "[0.5, 0.5]").unwrap();
    std::fs::write(folder.path().join("scene.xml"), SCENE).unwrap();
    let message = text(&sinew(folder.path(), &["skin", "scene.xml"]).stderr);
    assert!(message.contains("scene.xml:8: element input: half.json: 2 values for 4 vertices"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 6, "nothing was written");
}

#[test]
fn convert_goes_around_all_formats_and_comes_back_to_the_same_bytes() {
    let folder = scene(4);
    assert!(skin(folder.path(), &["--out", "a.%04d.obj"]).status.success());
    let convert = |more: &[&str]| sinew(folder.path(), &[&["convert"], more].concat());
    for step in [
        &["a.####.obj", "a.pc2"][..],
        &["a.pc2", "a.mdd"],
        &["a.mdd", "a.abc", "--mesh", "rest.obj"],
        &["a.abc/body", "b.%04d.obj"],
        &["a.abc", "a.usdc"],
        &["a.usdc", "c.%04d.obj"],
        &["a.usdc", "a.glb"],
    ] {
        let output = convert(step);
        assert!(output.status.success(), "{step:?}: {}", text(&output.stderr));
    }
    for frame in 1..=4 {
        let read = |name: &str| std::fs::read(folder.path().join(format!("{name}.000{frame}.obj"))).unwrap();
        assert_eq!(read("a"), read("c"), "through USD");
        assert_eq!(read("a"), read("b"), "the numbers are small and whole: single precision holds them");
    }
    for (more, code, named) in [
        (&["a.pc2", "c.%d.obj"][..], 1, "give the mesh"),
        (&["a.pc2", "./a.pc2"], 2, "would overwrite"),
        (&["a.mdd", "c.pc2", "--fps", "25"], 1, "not at a whole frame"),
        (&["a.pc2", "c.mdd", "--frames", "3-6"], 3, "2 of 4 frames are missing: 5-6"),
        (&["a.pc2", "c.fbx"], 1, "unknown extension"),
        (&["a.pc2", "c.abc"], 1, "give the mesh"),
        (&["a.abc/leg", "c.mdd"], 1, "no object \"/leg\""),
        (&["weights.csv", "c.pc2"], 1, "holds no moving points"),
        (&["rest.obj", "c.pc2"], 2, "placeholder for the frame"),
        (&["a.pc2", "c.mdd", "--fps", "0"], 2, "frame rate"),
    ] {
        let output = convert(more);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{more:?}: {message}");
        assert!(message.contains(named), "{more:?}: {message}");
    }
    std::fs::remove_file(folder.path().join("a.0002.obj")).unwrap();
    assert!(convert(&["a.%04d.obj", "d.mdd"]).status.success(), "MDD has a time for every frame");
    assert!(text(&convert(&["a.%04d.obj", "d.pc2"]).stderr).contains("evenly spaced"));
    assert!(!folder.path().join("d.pc2").exists() && !folder.path().join("c.pc2").exists());
}

#[test]
fn info_knows_every_format() {
    let folder = with_scene();
    for name in ["grey.png", "grey.jpg", "grey.tif"] {
        image::GrayImage::from_pixel(4, 2, image::Luma([51])).save(folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("named.csv"), "vertex,held\n1,1\n0,0.5\n3,1\n2,1\n").unwrap();
    assert!(skin(folder.path(), &["--out", "a.pc2"]).status.success());
    let rags = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n".repeat(12);
    std::fs::write(folder.path().join("rags.obj"), rags).unwrap();
    let archive = ["convert", "a.pc2", "a.abc", "--mesh", "rest.obj"];
    assert!(sinew(folder.path(), &archive).status.success());
    std::fs::write(folder.path().join("sparse.json"), "{\"default\": 1, \"vertices\": {\"7\": 0}}").unwrap();
    for (file, line) in [
        ("joints.csv", "frames: 1-3"),
        ("weights.csv", "rows: 4"),
        ("half.csv", "range: [0.5,0.5]"),
        ("half.json", "values: 4"),
        ("sparse.json", "values: up to vertex 8"),
        ("grey.png", "pixels: [4,2]"),
        ("grey.jpg", "pixels: [4,2]"),
        ("grey.tif", "range: [0.2"),
        ("named.csv", "numbers per value: 1"),
        ("scene.xml", "computes: frames 1-3 of 4 vertices"),
        ("rest.obj", "holes: [\"4 edges at vertex 0\"]"),
        ("rags.obj", "\"3 edges at vertex 21\",\"and 4 more\"]"),
        ("a.abc", "/body: Mesh, 4 vertices, 1 faces, 0 UVs, 3 samples, frames 1 to 3, maps []"),
    ] {
        let output = sinew(folder.path(), &["info", file]);
        let page = text(&output.stdout);
        assert!(output.status.success() && page.contains(line), "{file}: {page}{}", text(&output.stderr));
    }
    for (name, content, reported) in
        [("empty.usdc", "", "the file is empty"), ("other.usdc", "v 0 0 0\n", "it begins with \"v 0 0 0")]
    {
        std::fs::write(folder.path().join(name), content).unwrap();
        let message = text(&sinew(folder.path(), &["info", name]).stderr);
        assert!(message.contains(reported), "{name}: {message}");
    }
    std::fs::write(folder.path().join("far.json"), "{\"vertices\": {\"4000000000\": 0}}").unwrap();
    assert_eq!(sinew(folder.path(), &["info", "far.json"]).status.code(), Some(1));
}

#[test]
fn the_version_tells_what_is_in_it() {
    let version = text(&sinew(Path::new("."), &["--version"]).stdout);
    assert!(version.starts_with(concat!("sinew ", env!("CARGO_PKG_VERSION"))), "{version}");
    let with = if cfg!(feature = "opensubdiv") { ", with opensubdiv" } else { ", without opensubdiv" };
    assert!(version.trim_end().ends_with(with), "{version}");
}

#[test]
fn the_scene_reference_comes_from_the_tables() {
    let page = text(&sinew(Path::new("."), &["scene"]).stdout);
    let json: serde_json::Value =
        serde_json::from_slice(&sinew(Path::new("."), &["scene", "--json"]).stdout).unwrap();
    assert_eq!(json[0]["children"][2]["element"]["name"], "node");
    let children = json[1]["children"].as_array().unwrap();
    assert!(children.iter().any(|child| child["element"]["name"] == "body"));
    for line in [
        "# sinew/node/input (any number of times)",
        "# sinew/outputs/st_map (any number of times)",
        "- `fps`: Frames per second; if omitted, the rate of the animated file (Alembic, USD, glTF, MDD, BVH), \
         otherwise 24. Files at another \
         rate are refused, unless they have samples at whole frames of this one; meshes in USD, and meshes and joints \
         in glTF, are interpolated.\n  (a number, optional)",
        "# strand_scene/strand/node (any number of times)",
        "- `gravity`: Gravity in m/s^2, whatever the scene's unit; 9.81 downwards if omitted. It belongs to the world: \
         a mirrored scene \
         has the same.\n  (three numbers, optional)",
        "- `tone`: The smallest activation that goals choose, 0 to 1.\n  (a number, default 0.001)",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
}

/// The complete files of the reference, saved under the names that it gives them, run by the commands that it prints.
#[test]
fn the_complete_files_of_the_reference_run_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let page = text(&sinew(folder.path(), &["scene"]).stdout);
    let (_, complete) = page.split_once("# Complete files\n").unwrap();
    let run = |words: &str| {
        let args: Vec<&str> = words.split(' ').skip(1).collect();
        let output = sinew(folder.path(), &args);
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
    };
    let commands = |text: &str| -> Vec<String> {
        let quoted = text.split('`').skip(1).step_by(2);
        quoted.filter(|words| words.starts_with("sinew ")).map(String::from).collect()
    };
    let mut shown = complete.split("\n## A complete ");
    commands(shown.next().unwrap()).iter().for_each(|command| run(command));
    let mut titles = Vec::new();
    for part in shown {
        let (said, rest) = part.split_once("```xml\n").unwrap();
        titles.push(said.lines().next().unwrap());
        let name = said.split("Saved as `").nth(1).unwrap().split('`').next().unwrap();
        std::fs::write(folder.path().join(name), rest.split("```").next().unwrap()).unwrap();
        commands(said).iter().for_each(|command| run(command));
    }
    assert_eq!(titles, ["job", "chain of nodes", "strand scene", "muscle set", "job with muscles"]);
    for file in ["arm/slide/page.html", "arm/chain/arm.usdc", "weight/bodies.csv", "arm/out/lengths.csv"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn the_reference_names_everything_that_the_registry_has() {
    let page = text(&sinew(Path::new("."), &["nodes"]).stdout);
    let json: serde_json::Value =
        serde_json::from_slice(&sinew(Path::new("."), &["nodes", "--json"]).stdout).unwrap();
    for (k, registration) in sinew::nodes::registry().iter().enumerate() {
        let node = registration.descriptor;
        assert_eq!(json[k]["ports"].as_array().unwrap().len(), node.ports.len());
        let docs = node.ports.iter().map(|p| p.doc).chain(node.params.iter().map(|p| p.doc));
        docs.for_each(|doc| assert!(page.contains(doc), "{doc}"));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_cleanly_and_leaves_no_part_of_a_file() {
    let folder = scene(20_000);
    let child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args([&SKIN[..], &["--out", "o.%05d.obj"]].concat())
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Wait for the first file, so that the signal comes in the middle of the work.
    while !folder.path().join("o.00001.obj").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // SAFETY: the process is our child and was not waited for, so its id is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) }, 0);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let mut written = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        assert!(!path.to_string_lossy().ends_with(".part"), "{}", path.display());
        if path.file_name().unwrap().to_string_lossy().starts_with("o.") {
            written += 1;
            assert_eq!(sinew::formats::obj::read(&path).unwrap().mesh.positions.len(), 4);
        }
    }
    assert!(written > 0 && written < 20_000);
}

#[cfg(unix)]
#[test]
fn a_file_of_all_frames_has_those_that_were_done_before_an_interrupt() {
    let folder = scene(20_000);
    let child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args([&SKIN[..], &["--out", "o.pc2"]].concat())
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.path().join(".sinew-once/record.1.bin").exists() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // SAFETY: the process is our child and was not waited for, so its id is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) }, 0);
    let output = child.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    let note = "note: files that should hold all frames contain only the finished ones: 1";
    let reported = message.lines().find_map(|line| line.strip_prefix(note));
    // One frame, or several.
    let last = reported.unwrap_or_else(|| panic!("{message}")).strip_prefix('-').unwrap_or("1");
    let done: usize = last.parse().unwrap();
    let cache = CacheReader::open(&folder.path().join("o.pc2"), CacheKind::Pc2).unwrap();
    assert!((1..20_000).contains(&done) && cache.sample_count() == done, "{done} {}", cache.sample_count());
    assert!(!folder.path().join(".sinew-once").exists());
}

/// The README, and the pages of the add-on and the examples.
const PAGES: [&str; 9] = [
    "README.md",
    "blender_addon/README.md",
    "blender_addon/README_muscles.md",
    "blender_addon/README_tendons.md",
    "examples/human.md",
    "examples/muscles.md",
    "examples/strand/README.md",
    "examples/tendon_hand.md",
    "examples/thin_skin.md",
];

/// The commands in the pages' blocks marked `sh run`, one after the other, on the example's files.
#[test]
fn the_commands_of_the_readme_and_the_pages_work_as_printed() {
    let readme = PAGES.map(|page| std::fs::read_to_string(page).unwrap()).concat();
    let mut cargo = Command::new(env!("CARGO"));
    // What `tests/side_by_side.py` sets would build everything once more.
    cargo.env_remove("RUSTC_BOOTSTRAP").args(["run", "--quiet", "--example", "skinning_arm"]);
    if cfg!(feature = "opensubdiv") {
        // The features of this build, so that nothing is compiled twice.
        cargo.args(["--features", "opensubdiv"]);
    }
    let example = cargo.output().unwrap();
    assert!(example.status.success(), "{}", text(&example.stderr));
    let printed = text(&example.stdout);
    assert!(printed.contains("dual_quaternion  volume  99.9 %"), "{printed}");
    let folder = Path::new(env!("CARGO_BIN_EXE_sinew")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    // What an earlier run made, which only --force replaces.
    for name in ["biceps.xml", "heavy.xml", "skin.xml"] {
        drop(std::fs::remove_file(Path::new("target/arm").join(name)));
    }
    let mut blocks = 0;
    for block in readme.split("```sh run\n").skip(1) {
        let script = format!("set -e\n{}", block.split("```").next().unwrap());
        let output = Command::new("sh").args(["-c", &script]).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{script}\n{}", text(&output.stderr));
        blocks += 1;
    }
    assert!(blocks > 0);
    // So does the job that stands there in full.
    let job = readme.split("```xml\n<sinew ").nth(1).unwrap().split("```").next().unwrap();
    let path = Path::new("target/arm/readme.xml");
    std::fs::write(path, format!("<sinew {job}")).unwrap();
    let output = sinew(Path::new("."), &["run", path.to_str().unwrap(), "--out", "target/arm/readme"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(Path::new("target/arm/readme/page.html").exists());
}

/// The headings of a page as links name them.
fn headings(page: &str) -> impl Iterator<Item = String> {
    let lines = page.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"))
}

/// Every page is in the list, and what pages and README link to is there.
#[test]
fn links_of_the_pages_lead_somewhere() {
    let mut pages = Vec::new();
    for folder in [".", "blender_addon", "examples", "examples/strand", "examples/arm"] {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    let pages = pages.iter().map(|path| path.strip_prefix("./").unwrap_or(path).to_str().unwrap());
    let mut pages: Vec<&str> = pages.filter(|page| *page != "CHANGELOG.md").collect();
    pages.sort_unstable();
    assert_eq!(pages, PAGES);
    for page in PAGES {
        let text = std::fs::read_to_string(page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = Path::new(page).parent().unwrap().join(file);
            let there = match (link.starts_with("http"), heading, link.starts_with('#')) {
                (true, ..) => true,
                (_, "", _) => file.exists(),
                (_, _, true) => headings(&text).any(|found| found == heading),
                _ => std::fs::read_to_string(file)
                    .is_ok_and(|text| headings(&text).any(|found| found == heading)),
            };
            assert!(there, "{page}: {link}");
        }
    }
}
