//! Scenes of strands as a node in a graph: the job that `sinew strand` saves gives its files, byte for byte.

use crate::strand_folder::{Folder, sinew, text};
use crate::strand_host;
use serde_json::Value;
use sinew::formats::alembic::{Archive, At};
use std::path::Path;
use std::process::Output;

/// A job that writes what the command writes, from frame 0 on, as an author writes it.
const JOB: &str = r#"<sinew version="1">
  <frames range="0-12" fps="24"/>
  <node type="strand" name="strands">
    <param id="source" value="scene"/>
    <param id="scene" value="scene.xml"/>
    <param id="first_frame" value="start"/>
    <param id="details" value="true"/>
  </node>
  <outputs folder="graph">
    <write file="bodies.csv" from="strands.body_matrices" item="body"/>
    <write file="bodies.json" from="strands.body_matrices" item="body"/>
    <write file="joints.csv" from="turn=strands.joint_turns move=strands.joint_moves"/>
    <write file="joints.json" from="strands.joint_turns strands.joint_moves"/>
    <write file="strands.%04d.obj" from="strands.strand_points strands.strand_counts" cuts="strands.strand_cuts" groups="yes"/>
    <write file="tubes.%04d.obj" from="strands.strand_points strands.strand_counts strands.strand_materials" radii="strands.strand_radii" cuts="strands.strand_cuts" tubes="12"/>
    <write file="all.abc" from="CURVES" radii="strands.strand_radii" cuts="strands.strand_cuts" groups="yes"/>
    <write file="all.usda" from="CURVES" radii="strands.strand_radii" cuts="strands.strand_cuts" groups="yes"/>
  </outputs>
</sinew>
"#;

const CURVES: &str = "strands.strand_points strands.strand_counts tension=strands.tensions \
        materialCoordinate=strands.strand_materials";

/// A rope that is cut in two places, so that its middle falls, and a cord with a name that no file can have.
const CUT: &str = r#"<strand_scene version="1">
  <point name="a" at="0 0 0" on="world"/><point name="b" at="0.1 0 0"/><point name="c" at="0.2 0 0"/>
  <point name="d" at="0.3 0 0"/><point name="e" at="0.4 0 0"/><point name="f" at="0.5 0 0" on="world"/>
  <strand name="cord/1" stiffness="500" radius="0.002" density="1000" axial_damping="0.05"><node point="a"/><node point="f"/></strand>
  <strand name="rope" stiffness="500" radius="0.003" density="1000" axial_damping="0.05">
    <node point="a"/><node point="b"/><node point="c"/><node point="d"/><node point="e"/><node point="f"/>
  </strand>
  <cut time="0.1" strand="rope" segment="1"/>
  <cut time="0.2" strand="rope" segment="3"/>
</strand_scene>
"#;

fn job() -> String {
    JOB.replace("CURVES", CURVES)
}

/// A folder with a scene and a job, which ran.
fn ran(scene: &str, job: &str) -> (Folder, Output) {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), scene).unwrap();
    std::fs::write(folder.path("job.xml"), job).unwrap();
    let output = sinew(&["run", &folder.name("job.xml")]);
    (folder, output)
}

/// The contents of a file; for USD without the header, which names the job, and a command has none.
fn reported(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    match path.extension().is_some_and(|ending| ending == "usda") {
        true => bytes[bytes.windows(5).position(|text| text == b"\ndef ").unwrap()..].to_vec(),
        false => bytes,
    }
}

/// Every sample of all curves is the same to the bit.
fn assert_same_curves(paths: [&Path; 2]) {
    let [ours, theirs] = paths.map(|path| {
        let mut archive = Archive::open(path).unwrap();
        let mut all = Vec::new();
        for object in 0..archive.objects().len() {
            let path = archive.path_of(object);
            let Ok(shape) = archive.curves(object) else { continue };
            for sample in 0..13 {
                let at = At::Sample(sample);
                let Ok(points) = shape.points(&mut archive, at) else { break };
                let maps = ["width", "tension", "materialCoordinate"]
                    .map(|name| shape.map(&mut archive, name, at).unwrap().values);
                all.push((path.clone(), shape.curve_counts(&mut archive, at).unwrap(), points, maps));
            }
        }
        all
    });
    assert!(ours.len() > 4 && ours == theirs);
}

/// The command with its results in a folder, and what is asked of it besides.
fn command(folder: &Folder, out: &str, what: &[&str], more: &[&str]) {
    let [out, abc, usd] = ["", "/all.abc", "/all.usda"].map(|name| folder.name(&format!("{out}{name}")));
    let curves = ["--seconds", "0.5", "--fps", "24", "--out", &out, "--curves", &abc, "--curves", &usd];
    let output = sinew(&[&["strand"], what, &curves[..], more].concat());
    assert!(output.status.success(), "{what:?} {more:?}: {}", text(&output.stderr));
}

/// The frames of a report, but for how long they took.
fn frames(folder: &Folder, of: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(&folder.read(&format!("{of}/report.json"))).unwrap();
    let mut frames = report["frames"].as_array().unwrap().clone();
    frames.iter_mut().for_each(|frame| drop(frame.as_object_mut().unwrap().remove("milliseconds")));
    frames
}

#[test]
fn the_job_that_the_command_saves_gives_the_same_bytes() {
    let sample = |name: &str| std::fs::read_to_string(format!("examples/strand/{name}.xml")).unwrap();
    let centimetres =
        CUT.replace("<point name=\"a\"", "<space metres_per_unit=\"0.01\" up=\"z\"/><point name=\"a\"");
    let scenes = [strand_host::ARM.into(), sample("pulley"), sample("reach"), CUT.into(), centimetres];
    let scenes = scenes.iter().map(|text: &String| (text.as_str(), &["SCENE"][..]));
    let edited = ["SCENE", "--set", "activation.puller=0.3", "--set", "gravity=0 -3 0", "--step", "0.001"];
    let made =
        ["--hand", "finger", "--digit", "ring", "--condition", "swan_neck", "--set", "activation.FDP=0.05"];
    let made = [&made[..], &["--set", "axial=still", "--mirror", "z"]].concat();
    for (text_of, what) in scenes.chain([(strand_host::ARM, &edited[..]), ("", &made)]) {
        let folder = Folder::new();
        std::fs::write(folder.path("scene.xml"), text_of).unwrap();
        let (scene, job) = (folder.name("scene.xml"), folder.name("job.xml"));
        let what: Vec<&str> = what.iter().map(|word| if *word == "SCENE" { &scene } else { *word }).collect();
        command(&folder, "command", &what, &[]);
        command(&folder, "graph", &what, &["--save-scene", &job]);
        assert!(!folder.path("graph").exists(), "nothing has run yet");
        let output = sinew(&["run", &job]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let mut compared = 0;
        for entry in std::fs::read_dir(folder.path("command")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name != "report.json" {
                let [ours, theirs] = ["graph", "command"].map(|of| folder.path(of).join(&name));
                match name.as_str() {
                    "all.abc" => assert_same_curves([&ours, &theirs]),
                    _ => assert!(reported(&ours) == reported(&theirs), "{name}"),
                }
                compared += 1;
            }
        }
        assert_eq!(compared, 4 + 2 * 13 + 2);
        let [ours, theirs] = ["graph", "command"].map(|of| frames(&folder, of));
        assert!(ours == theirs && ours.len() == 13);
        assert!(ours[12]["details"]["tensions"].as_object().is_some_and(|all| !all.is_empty()));
    }
}

#[test]
fn a_job_that_an_author_writes_gives_them_too() {
    let (folder, output) = ran(CUT, &job());
    assert!(output.status.success(), "{}", text(&output.stderr));
    command(&folder, "command", &[&folder.name("scene.xml")], &[]);
    for name in ["bodies.csv", "joints.json", "strands.0012.obj", "tubes.0007.obj", "all.usda"] {
        let [ours, theirs] = ["graph", "command"].map(|of| folder.path(of).join(name));
        assert!(reported(&ours) == reported(&theirs), "{name}");
    }
}

#[test]
fn what_curves_tubes_and_tables_cannot_be_is_reported_with_its_line() {
    for (from, to, words) in [
        ("tubes=\"12\"", "tubes=\"2\"", "3 to 1000"),
        ("file=\"tubes.%04d.obj\"", "file=\"tubes.usda\"", ".obj can hold them"),
        ("file=\"tubes.%04d.obj\"", "file=\"tubes.obj\"", "placeholder for the frame"),
        (
            "strand_materials\" radii=\"strands.strand_radii\"",
            "strand_materials\"",
            "tubes need curves and their radii",
        ),
        ("joint_moves\"/>", "joint_moves\" groups=\"yes\"/>", "this is a table"),
        (
            "cuts=\"strands.strand_cuts\" groups",
            "cuts=\"strands.body_matrices\" groups",
            "one number for each segment",
        ),
        (
            "cuts=\"strands.strand_cuts\" groups",
            "cuts=\"strands.activations\" groups",
            "0 items for 6 segments",
        ),
        ("cuts=\"strands.strand_cuts\" groups", "item=\"strand\" groups", "item is for tables"),
        ("tension=strands.tensions", "=strands.tensions", "a name is expected before ="),
        ("tension=strands.tensions", "strands.activations", "neither to the curves"),
        ("item=\"body\"", "item=\"a,b\"", "not a valid name of a row"),
    ] {
        let (folder, output) = ran(CUT, &job().replacen(from, to, 1));
        let reported = text(&output.stderr);
        assert!(job().contains(from) && !output.status.success(), "{to}: {reported}");
        assert!(reported.contains(words), "{to}: {reported}");
        drop(folder);
    }
}

#[test]
fn curves_without_groups_are_pieces_of_one_group_and_tubes_have_their_way_as_v() {
    let job = job().replace(" strands.strand_materials\" radii", "\" radii").replace(" groups=\"yes\"", "");
    let (folder, output) = ran(CUT, &job);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = folder.read("graph/strands.0012.obj");
    assert_eq!(lines.lines().filter(|line| *line == "g curves").count(), 4, "{lines}");
    let tubes = sinew::formats::obj::read(&folder.path("graph/tubes.0000.obj")).unwrap().mesh;
    assert_eq!(tubes.groups.names, ["cord/1", "rope"]);
    let uvs = tubes.uvs.unwrap();
    let far = uvs.values.iter().map(|uv| uv.y).fold(0.0, f64::max);
    assert!((far - 0.5).abs() < 1e-12, "{far}");
}
