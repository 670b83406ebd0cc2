//! Everything that one run of the slider writes, by the judgement of the libraries that read it.

#[path = "support/judges.rs"]
mod judges;
#[path = "support/strip.rs"]
mod strip;

use image::{Rgb, RgbImage};
use sinew::formats::obj;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use std::path::Path;
use strip::{sinew, text};

const SIZE: u32 = 128;

/// A sheet whose left half is pulled longer, held at both ends, with a texture of soft waves.
fn scene(folder: &Path) -> Mesh {
    let rest = shapes::grid(1.0, 1.0, 16, 16);
    obj::save(&folder.join("rest.obj"), &rest).unwrap();
    for frame in 1..=3 {
        let pull = 0.15 * frame as Real;
        let moved =
            |p: &Vec3| p + Vec3::new(pull * (0.5 - p.x).min(0.0), 0.0, 0.1 * pull * (6.0 * p.x).sin());
        let positions = rest.positions.iter().map(moved).collect();
        obj::save(&folder.join(format!("body.{frame:04}.obj")), &Mesh { positions, ..rest.clone() }).unwrap();
    }
    let held = |p: &Vec3| if (p.x - 0.5).abs() > 0.49 { "1\n" } else { "0\n" };
    std::fs::write(folder.join("fixed.csv"), rest.positions.iter().map(held).collect::<String>()).unwrap();
    let wave = |k: u32, turns: f64| (127.5 + 90.0 * (f64::from(k) / f64::from(SIZE) * turns).sin()) as u8;
    let picture =
        RgbImage::from_fn(SIZE, SIZE, |x, y| Rgb([wave(x, 19.0), wave(y, 23.0), wave(x + y, 13.0)]));
    picture.save(folder.join("texture.png")).unwrap();
    rest
}

#[test]
fn what_slide_writes_agrees_with_itself_by_other_readers() {
    let folder = tempfile::tempdir().unwrap();
    scene(folder.path());
    let output = sinew(
        folder.path(),
        &[
            "slide",
            "--rest",
            "rest.obj",
            "--body",
            "body.%04d.obj",
            "--map",
            "fixed=fixed.csv",
            "--out",
            "out",
            "--out-abc",
            "out/body.abc",
            "--out-usd",
            "out/body.usda",
            "--stmap",
            "out/st.%04d.exr",
            "--bake",
            "texture.png=out/baked.%04d.png",
            "--size",
            "128",
        ],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!folder.path().join("out/.sinew-once").exists(), "nothing is left of the stored frames");
    let told = judges::judge("job_outputs.py", &[folder.path().join("out").to_str().unwrap(), "1,2,3"]);
    println!("{told}");
    let worst: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    let off = |what: &str| worst[what].as_f64().unwrap();
    // Single precision of numbers up to 1.
    for what in ["abc points", "abc uvs", "abc slide", "usd points", "usd uvs", "usd slide", "usd stretch"] {
        assert!(off(what) < 2e-7, "{what}: {}", off(what));
    }
    // We mix light, OpenCV mixes sRGB's numbers, which soft waves hardly tell apart; the texture has moved by more.
    assert!(off("baked") < 2.0 && off("moved") > 4.0, "{told}");
}

#[test]
fn tiles_and_textures_that_are_missing_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut rest = scene(folder.path());
    for uv in rest.uvs.iter_mut().flat_map(|layer| &mut layer.values) {
        uv.x *= 1.9;
    }
    obj::save(&folder.path().join("rest.obj"), &rest).unwrap();
    let given = ["slide", "--rest", "rest.obj", "--body", "body.%04d.obj", "--out", "out", "--size", "16"];
    for (more, told) in [
        (["--stmap", "st.%04d.exr"], "a place for the tile"),
        (["--stmap", "st.UDIM.exr"], "a place for the frame"),
        (["--stmap", "st.UDIM.%04d.png"], "written as EXR"),
        (["--bake", "texture.png=b.UDIM.%04d.png"], "UVs in 2 tiles"),
        (["--bake", "no.UDIM.png=b.UDIM.%04d.png"], "no.1001.png"),
        (["--out-abc", "out.usdz"], ".usdc"),
    ] {
        let output = sinew(folder.path(), &[&given[..], &more].concat());
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(told), "{more:?}: {message}");
    }
    let output = sinew(folder.path(), &[&given[..], &["--stmap", "st.UDIM.%04d.exr"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    for name in ["st.1001.0001.exr", "st.1002.0003.exr"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}

/// A job with a texture of two tiles: all of its files are read, listed and baked.
#[test]
fn a_job_bakes_and_lists_every_tile() {
    let folder = tempfile::tempdir().unwrap();
    let mut rest = scene(folder.path());
    for uv in rest.uvs.iter_mut().flat_map(|layer| &mut layer.values) {
        uv.x *= 1.9;
    }
    obj::save(&folder.path().join("rest.obj"), &rest).unwrap();
    for tile in [1001, 1002] {
        std::fs::copy(folder.path().join("texture.png"), folder.path().join(format!("skin.{tile}.png")))
            .unwrap();
    }
    let job = r#"<sinew version="1"><frames range="1-2"/><node type="skin_slider"><mesh file="rest.obj"/>
        <body file="body.%04d.obj"/><map port="fixed" file="fixed.csv"/><results folder="out" tables="no">
        <bake texture="skin.UDIM.png" file="baked/skin.UDIM.%04d.png" kind="data" size="32"/></results></node></sinew>"#;
    std::fs::write(folder.path().join("job.xml"), job).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let manifest = std::fs::read_to_string(folder.path().join("out/manifest.json")).unwrap();
    for name in ["skin.1001.png", "skin.1002.png", "baked/skin.1001.0001.png", "baked/skin.1002.0002.png"] {
        assert!(manifest.contains(&format!("\"{name}\"")), "{name}: {manifest}");
    }
    assert!(folder.path().join("out/baked/skin.1002.0001.png").exists());
}
