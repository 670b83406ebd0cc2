//! Layers that move the points of a mesh in an asset that another program wrote, as USD and Blender read them.

use crate::judges::judge;
use crate::strip::{sinew, text};
use sinew::formats::points::PointSource;
use sinew::formats::usd::Stage;
use std::path::Path;
use std::process::Output;

/// A job that turns a whole mesh about the z axis, half a radian a frame, or only some of its vertices.
fn job(folder: &Path, asset: &str, whole: bool, writes: &str) -> Output {
    let (stage, mesh) = Stage::open_mesh(&folder.join(asset)).unwrap();
    let count = stage.points_at(&mesh, 1.0).unwrap().len();
    let weight = |v: usize| if whole { 1.0 } else { (v % 3) as f64 / 2.0 };
    let rows = |v: usize| format!("{v},still,{}\n{v},turn,{}\n", 1.0 - weight(v), weight(v));
    let weights: String = (0..count).map(rows).collect();
    std::fs::write(folder.join("weights.csv"), format!("vertex,joint,weight\n{weights}")).unwrap();
    let mut joints = "frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n".to_string();
    for frame in 0..=3 {
        let (s, c) = (0.5 * f64::from(frame)).sin_cos();
        let name = if frame == 0 { "rest".to_string() } else { frame.to_string() };
        joints += &format!("{name},still,1,0,0,0,0,1,0,0,0,0,1,0\n");
        joints += &format!("{name},turn,{c},{},0,{frame},{s},{c},0,0,0,0,1,0\n", -s);
    }
    std::fs::write(folder.join("joints.csv"), joints).unwrap();
    let job = format!(
        r#"<sinew version="1"><frames range="1-3" fps="24"/><node type="skinning" name="skin">
        <input port="points" file="{asset}" frame="rest"/><input port="joints" file="joints.csv"/>
        <input port="influence_weights" file="weights.csv"/></node><outputs folder="out">
        <write file="points.%04d.csv" from="skin.points"/>{writes}</outputs></sinew>"#
    );
    std::fs::write(folder.join("job.xml"), job).unwrap();
    sinew(folder, &["run", "job.xml"])
}

const LAYERS: &str = r#"<write file="deep/moved.usda" from="skin.points" layer="yes"/>
    <write file="moved.usdc" from="skin.points" layer="yes"/>"#;

/// The points stand where the job has them, everything else is as in the asset.
fn check(folder: &Path, file: &str, mesh: &str, whole: bool) {
    let at = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let run = job(folder, &format!("{file}{mesh}"), whole, LAYERS);
    assert!(run.status.success(), "{}", text(&run.stderr));
    for name in ["out/deep/moved.usda", "out/moved.usdc"] {
        let points = at("out/points.%04d.csv");
        let out = judge("moved.py", &["tell", &at(name), &at(file), mesh, &points, "1,2,3"]);
        let [off, moved, bent]: [f64; 3] = serde_json::from_str(out.lines().last().unwrap()).unwrap();
        assert!(off < 2e-5 && moved > 0.1, "{name} over {file}{mesh}: off by {off}, moved by {moved}");
        assert!(!whole || bent < 1e-5, "{name} over {file}{mesh}: normals are off by {bent}");
        // What is written is read as it was meant.
        let mut source = PointSource::open(&folder.join(format!("{name}{mesh}")), 24.0).unwrap();
        let rows = std::fs::read_to_string(folder.join("out/points.0002.csv")).unwrap();
        let first: Vec<f64> =
            rows.lines().nth(1).unwrap().split(',').skip(2).map(|x| x.parse().unwrap()).collect();
        let index = source.frames().iter().position(|frame| *frame == 2).unwrap();
        let found = source.read(index).unwrap()[0];
        assert!((0..3).all(|k| (found[k] - first[k]).abs() < 2e-5), "{found} {first:?}");
    }
}

#[test]
fn points_move_over_a_mesh_of_usd_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    judge("moved.py", &["make_usd", folder.path().to_str().unwrap()]);
    check(folder.path(), "asset.usdc", "/char/geo/body", true);
    check(folder.path(), "asset.usdc", "/char/geo/shirt", false);
    // Instances around the mesh are parted from the others.
    check(folder.path(), "set.usda", "/set/b/left/geo/body", false);
}

#[test]
fn points_move_over_a_rigged_body_of_blender_without_its_rig() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    judge("moved.py", &["make_blender", &at("body.usdc")]);
    let stage = Stage::open(&folder.path().join("body.usdc")).unwrap();
    let mesh = stage.meshes().into_iter().find(|path| path.ends_with("body")).unwrap().to_string();
    for whole in [true, false] {
        check(folder.path(), "body.usdc", &mesh, whole);
    }
    let out = judge("moved.py", &["look", &at("out/moved.usdc"), &mesh, &at("out/points.%04d.csv"), "1,2,3"]);
    let (off, materials): (f64, Vec<String>) = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert!(off < 2e-5 && materials == ["nail", "skin"], "off by {off}: {materials:?}");
}

#[test]
fn layers_that_cannot_move_points_say_why() {
    let folder = tempfile::tempdir().unwrap();
    judge("moved.py", &["make_usd", folder.path().to_str().unwrap()]);
    let refused = |asset: &str, write: &str, why: &str| {
        let run = job(folder.path(), asset, true, write);
        assert!(!run.status.success() && text(&run.stderr).contains(why), "{why}: {}", text(&run.stderr));
    };
    let body = "asset.usdc/char/geo/body";
    refused(body, r#"<write file="a.abc" from="skin.points" layer="yes"/>"#, "only layers in USD");
    let fast = r#"<write file="a.usda" from="skin.points" layer="yes" velocities="yes"/>"#;
    refused(body, fast, "layers have no velocities");
    let write = r#"<write file="a.usda" from="skin.points" layer="yes"/>"#;
    let flat = std::fs::read_to_string(folder.path().join("set.usda")).unwrap();
    std::fs::write(
        folder.path().join("flat.usda"),
        flat.replace("\"xformOp:translate\", ", "\"xformOp:scale\", ").replace(
            "double3 xformOp:translate",
            "double3 xformOp:scale = (1, 0, 1)\n double3 xformOp:translate",
        ),
    )
    .unwrap();
    refused("flat.usda/set/b/left/geo/body", write, "its transform is singular");
}
