//! Layers: UVs and maps over a mesh of a shot that USD's and Alembic's own libraries wrote, as these read them.

use crate::judges::judge;
use sinew::formats::alembic::Archive;
use sinew::formats::obj;
use sinew::formats::over::check_corners;
use sinew::formats::provenance::Provenance;
use sinew::formats::shot::{FrameData, Info, Map};
use sinew::formats::usd::{self, Stage};
use sinew::geometry::{CornerLayer, Mesh};
use sinew::math::{Real, Vec2};
use std::path::Path;
use std::process::{Command, Output};

fn sinew(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(arguments).output().unwrap()
}

fn reported(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A sheet of six by six faces that is pulled, held at its two ends; the job writes tables and these caches.
fn job(folder: &Path, rest: &str, body: &str, caches: &str) -> Output {
    let fixed: String = (0..49).map(|v| if v % 7 == 0 || v % 7 == 6 { "1\n" } else { "0\n" }).collect();
    std::fs::create_dir_all(folder.join("jobs")).unwrap();
    std::fs::write(folder.join("jobs/fixed.csv"), fixed).unwrap();
    let text = format!(
        r#"<sinew version="1"><frames range="1-3"/><node type="skin_slider"><input port="rest" file="../{rest}"/>
        <input port="points" file="../{body}"/><param id="tie_reach" value="0"/><input port="fixed" file="fixed.csv"/>
        </node><outputs folder="out"><tables/>{caches}</outputs></sinew>"#
    );
    std::fs::write(folder.join("jobs/job.xml"), text).unwrap();
    sinew(folder, &["run", "jobs/job.xml"])
}

/// The largest difference of the UVs and how far they moved, as a judge says.
fn compared(command: &str, folder: &Path, layer: &str, shot: &str) -> [f64; 2] {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let out = judge("layers.py", &[command, &at(layer), &at(shot), &at("jobs/out/uv.%04d.obj"), "1,2,3"]);
    serde_json::from_str(out.lines().last().unwrap()).unwrap()
}

const USD: &str = r#"<cache file="deep/slid.usda"/><cache file="slid.usdc" layer="yes"/>
    <cache file="whole.usda" layer="no"/><cache file="seen.glb"/><page file="page.html"/>"#;

/// What `sinew info` says of a run by its report and its manifest, and of files that were changed since.
fn runs_are_reported(folder: &Path) {
    let info = |name: &str| sinew(folder, &["info", name]);
    let out = info("jobs/out/report.json");
    let page = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(page.contains("holds: a report") && page.contains("frames: 1-3"), "{page}");
    let out = info("jobs/out/manifest.json");
    let page = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success() && page.contains("written by: Sinew 0."), "{page}{}", reported(&out));
    std::fs::write(folder.join("jobs/out/whole.usda"), "gone").unwrap();
    let out = info("jobs/out/manifest.json");
    let page = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        !out.status.success() && page.contains("whole.usda is missing or has changed since it was written"),
        "{page}"
    );
}

/// Subdivision, creases, subsets, bindings, maps, samples between frames and all other prims come through.
#[test]
fn a_layer_of_usd_adds_uvs_and_leaves_the_shot_as_it_is() {
    for left in [&[][..], &["left"]] {
        let folder = tempfile::tempdir().unwrap();
        let shot = folder.path().join("shot.usdc");
        judge("layers.py", &[&["make_usd", shot.to_str().unwrap()], left].concat());
        let run = job(folder.path(), "shot.usdc/shot/char/body", "shot.usdc/shot/char/body", USD);
        assert!(run.status.success(), "{}", reported(&run));
        for name in ["jobs/out/deep/slid.usda", "jobs/out/slid.usdc"] {
            let [off, moved] = compared("tell_usd", folder.path(), name, "shot.usdc");
            assert!(off < 1e-7 && moved > 0.01, "{name} {left:?}: off by {off}, moved by {moved}");
        }
        // The file with the whole mesh needs no other.
        let whole = std::fs::read_to_string(folder.path().join("jobs/out/whole.usda")).unwrap();
        assert!(whole.contains("def Mesh \"mesh\"") && !whole.contains("subLayers"));
        let info = sinew(folder.path(), &["info", "jobs/out/slid.usdc"]);
        let info = String::from_utf8_lossy(&info.stdout).into_owned();
        assert!(info.contains("layer over: [\"../../shot.usdc\"]"), "{info}");
        let read = |name: &str| std::fs::read(folder.path().join("jobs/out").join(name)).unwrap();
        let has = |name: &str, text: &str| read(name).windows(text.len()).any(|part| part == text.as_bytes());
        assert!(has("seen.glb", "\"generator\":\"Sinew 0.") && has("seen.glb", "sinew run job.xml"));
        assert!(has("page.html", "<meta name=\"generator\" content=\"Sinew 0."));
        runs_are_reported(folder.path());
    }
}

/// Where each corner has a UV of its own, the indices of the shot do not count.
#[test]
fn uvs_that_come_apart_at_corners_are_read_as_they_are() {
    for left in [&[][..], &["left"]] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        judge("layers.py", &[&["make_usd", at("shot.usdc").to_str().unwrap()], left].concat());
        let stage = Stage::open(&at("shot.usdc")).unwrap();
        let over = stage.over("/shot/char/body").unwrap();
        let mesh = stage.mesh_at("/shot/char/body", 1.0, true).unwrap();
        check_corners(&mesh, &mesh).unwrap();
        let corners = mesh.corner_vertices.len();
        let frame = |frame: usize| FrameData {
            uvs: (0..corners).map(|c| Vec2::new(c as Real, frame as Real) / 256.0).collect(),
            maps: vec![vec![0.5; 49]],
            ..FrameData::default()
        };
        std::fs::create_dir_all(at("jobs/out")).unwrap();
        for number in 1..=3 {
            let values = frame(number).uvs;
            let uvs = Some(CornerLayer { values, indices: (0..corners as u32).collect() });
            obj::save(&at(&format!("jobs/out/uv.000{number}.obj")), &Mesh { uvs, ..mesh.clone() }).unwrap();
        }
        let maps = [Map { name: "slide", interpolation: "vertex", components: 1 }];
        let provenance = Provenance { command: "sinew run a.xml".into(), job: String::new() };
        let info = Info { mesh: Some(&mesh), maps: &maps, over: Some(&over), provenance, ..Info::default() };
        for name in ["jobs/out/torn.usda", "jobs/out/torn.usdc"] {
            usd::write(&at(name), &info, &[1, 2, 3], 24.0, &mut |k| Ok(frame(k + 1))).unwrap();
            let [off, moved] = compared("tell_usd", folder.path(), name, "shot.usdc");
            assert!(off < 1e-7 && moved > 0.1, "{name} {left:?}: off by {off}, moved by {moved}");
        }
    }
}

#[test]
fn a_layer_of_alembic_is_read_together_with_the_shot() {
    let folder = tempfile::tempdir().unwrap();
    let shot = folder.path().join("shot.abc");
    judge("layers.py", &["make_abc", shot.to_str().unwrap()]);
    let caches = r#"<cache file="slid.abc" layer="yes"/><cache file="whole.abc"/>"#;
    let run = job(folder.path(), "shot.abc", "shot.abc/shot/body", caches);
    assert!(run.status.success(), "{}", reported(&run));
    let [off, moved] = compared("tell_abc", folder.path(), "jobs/out/slid.abc", "shot.abc");
    assert!(off < 1e-7 && moved > 0.01, "off by {off}, moved by {moved}");
    let info = sinew(folder.path(), &["info", "jobs/out/slid.abc"]);
    let info = String::from_utf8_lossy(&info.stdout).into_owned();
    assert!(info.contains("layer over: [\"../../shot.abc\"]"), "{info}");
    let archive = Archive::open(&folder.path().join("jobs/out/whole.abc")).unwrap();
    assert_eq!(archive.meta("sinew_command"), Some("sinew run job.xml"));
    let manifest = std::fs::read_to_string(folder.path().join("jobs/out/manifest.json")).unwrap();
    assert!(manifest.contains(archive.meta("sinew_job").unwrap()));
    let size = |name: &str| std::fs::metadata(folder.path().join("jobs/out").join(name)).unwrap().len();
    assert!(size("slid.abc") < size("whole.abc"));
}

#[test]
fn what_cannot_be_layered_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let shot = folder.path().join("shot.usda");
    judge("layers.py", &["make_usd", shot.to_str().unwrap()]);
    let convert = sinew(folder.path(), &["convert", "shot.usda", "body.%04d.obj"]);
    assert!(convert.status.success(), "{}", reported(&convert));
    let run = job(folder.path(), "body.0001.obj", "body.%04d.obj", r#"<cache file="a.usda" layer="yes"/>"#);
    assert!(
        !run.status.success() && reported(&run).contains("comes from neither USD nor Alembic"),
        "{}",
        reported(&run)
    );
    let run = job(folder.path(), "shot.usda", "shot.usda", r#"<cache file="a.abc" layer="yes"/>"#);
    assert!(!run.status.success() && reported(&run).contains("a layer over USD text"), "{}", reported(&run));
    // The same faces that begin with other corners: UVs would be on the wrong ones.
    let turned = std::fs::read_to_string(folder.path().join("body.0001.obj")).unwrap();
    let turned = turned.lines().map(|line| match line.strip_prefix("f ") {
        Some(face) => {
            let mut corners: Vec<&str> = face.split(' ').collect();
            corners.rotate_left(1);
            format!("f {}\n", corners.join(" "))
        }
        None => format!("{line}\n"),
    });
    std::fs::write(folder.path().join("rest.obj"), turned.collect::<String>()).unwrap();
    let run = job(folder.path(), "rest.obj", "shot.usda", r#"<cache file="a.usda" layer="yes"/>"#);
    assert!(!run.status.success() && reported(&run).contains("face 0"), "{}", reported(&run));
    let run = job(folder.path(), "rest.obj", "shot.usda", r#"<cache file="a.usda"/>"#);
    assert!(run.status.success() && reported(&run).contains("holds the whole mesh"), "{}", reported(&run));
}

const GRAPH: &str = r#"<sinew version="1"><space metres_per_unit="0.5" up="z"/><frames range="1-3"/>
    <node type="skin_slider" name="skin"><param id="tie_reach" value="0"/>
    <input port="rest" file="../shot.usdc"/><input port="points" file="../shot.usdc/shot/char/body"/>
    <input port="fixed" file="fixed.csv"/></node>
    <outputs folder="graph"><write file="slid.usdc" from="skin.uvs skin.slide_distance"/>
    <write file="whole.usdc" from="skin.points skin.uvs"/></outputs></sinew>"#;

/// In a graph what is written without points is a layer.
#[test]
fn uvs_without_points_are_a_layer() {
    let folder = tempfile::tempdir().unwrap();
    let shot = folder.path().join("shot.usdc");
    judge("layers.py", &["make_usd", shot.to_str().unwrap()]);
    let run = job(folder.path(), "shot.usdc", "shot.usdc", r#"<cache file="slid.usda"/>"#);
    assert!(run.status.success(), "{}", reported(&run));
    std::fs::write(folder.path().join("jobs/graph.xml"), GRAPH).unwrap();
    let run = sinew(folder.path(), &["run", "jobs/graph.xml"]);
    assert!(run.status.success(), "{}", reported(&run));
    let layer = Stage::open(&folder.path().join("jobs/graph/slid.usdc")).unwrap();
    let text = Stage::open(&folder.path().join("jobs/out/slid.usda")).unwrap();
    assert_eq!(layer.sublayers(), ["../../shot.usdc"]);
    let uvs = |stage: &Stage, time| stage.primvar_at("/shot/char/body", "map1", time).unwrap().unwrap();
    for time in [1.0, 2.0, 3.0] {
        assert_eq!(uvs(&layer, time), uvs(&text, time));
    }
    let names = layer.primvars("/shot/char/body").unwrap();
    // The shot's own are seen through the layer, and are not in it.
    assert_eq!(names, ["map1", "slide_distance", "wetness"]);
    assert!(!std::fs::read_to_string(folder.path().join("jobs/out/slid.usda")).unwrap().contains("wetness"));
    // Frames of another rate stand at the shot's time codes.
    let doubled = GRAPH.replace(r#"range="1-3""#, r#"range="2-6x2" fps="48""#);
    std::fs::write(folder.path().join("jobs/graph.xml"), doubled).unwrap();
    let run = sinew(folder.path(), &["run", "jobs/graph.xml"]);
    assert!(run.status.success(), "{}", reported(&run));
    let layer = Stage::open(&folder.path().join("jobs/graph/slid.usdc")).unwrap();
    for time in [1.0, 2.0, 3.0] {
        assert_eq!(uvs(&layer, time), uvs(&text, time));
    }
    assert_ne!(uvs(&layer, 1.0), uvs(&layer, 3.0));
    assert_eq!(layer.rates(), [Some(24.0), Some(48.0)]);
}
