//! Everything that one run of the slider writes, by the judgement of the libraries that read it.

#[path = "support/judges.rs"]
mod judges;
#[path = "support/strip.rs"]
mod strip;

use image::{Rgb, RgbImage};
use sinew::formats::alembic::{Archive, At, CurvesSample, TimeSampling, Writer};
use sinew::formats::obj;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use std::path::Path;
use strip::{sinew, strip, text};

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
            "--set",
            "tie_reach=0",
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

#[test]
fn a_groom_rides_under_its_names_with_its_widths() {
    let folder = strip(3);
    let at = |name: &str| folder.path().join(name);
    // Numbers that single precision holds, so that both files say the same.
    let hairs = [
        [Vec3::new(0.75, 0.0, -0.125), Vec3::new(0.75, 0.25, -0.125)],
        [Vec3::new(0.25, -0.0625, -0.25), Vec3::new(0.25, 0.125, -0.25)],
    ];
    let vertices: String = hairs.iter().flatten().map(|p| format!("v {} {} {}\n", p.x, p.y, p.z)).collect();
    std::fs::write(at("hair.obj"), vertices + "l 1 2\nl 3 4\n").unwrap();
    let mut writer = Writer::create(&at("groom.abc"), TimeSampling::frames(1.0, 24.0)).unwrap();
    for (name, hair, widths) in [("brows", &hairs[0], Some(&[0.5, 0.25][..])), ("lashes", &hairs[1], None)] {
        let object = writer.add_curves(None, name).unwrap();
        let sample = CurvesSample { counts: &[2], positions: hair, widths, ..CurvesSample::default() };
        writer.write_curves(object, &sample).unwrap();
    }
    writer.commit().unwrap();
    let job = r#"<sinew version="1"><frames range="1-3" fps="24"/><node type="skin_slider">
        <mesh file="rest.obj"/><body file="body.%04d.obj"/><map port="fixed" file="fixed.csv"/>
        <results folder="out">
          <ride geometry="hair.obj" file="hair.%04d.obj"/>
          <ride geometry="groom.abc" file="groom.%04d.obj"/>
          <ride geometry="groom.abc" file="groom.abc"/>
          <ride geometry="groom.abc/lashes" file="lashes.%04d.csv"/>
        </results></node></sinew>"#;
    std::fs::write(at("job.xml"), job).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success() && !text(&output.stderr).contains("warning"), "{}", text(&output.stderr));
    for frame in 1..=3 {
        let read = |name: &str| std::fs::read_to_string(at(&format!("out/{name}.{frame:04}.obj"))).unwrap();
        assert_eq!(read("hair"), read("groom"));
    }
    let table = std::fs::read_to_string(at("out/lashes.0003.csv")).unwrap();
    assert_eq!(table.lines().count(), 2, "one hair is one rider");
    let mut archive = Archive::open(&at("out/groom.abc")).unwrap();
    let brows = archive.find("/brows").unwrap();
    let brows = archive.curves(brows).unwrap();
    assert_eq!(brows.map(&mut archive, "width", At::Sample(2)).unwrap().values, [0.5, 0.25]);
    let lashes = archive.find("/lashes").unwrap();
    let lashes = archive.curves(lashes).unwrap();
    let points = lashes.points(&mut archive, At::Sample(2)).unwrap();
    let text = std::fs::read_to_string(at("out/hair.0003.obj")).unwrap();
    let third = text.lines().filter_map(|line| line.strip_prefix("v ")).nth(2).unwrap();
    for (k, x) in third.split(' ').enumerate() {
        assert!((points[0][k] - x.parse::<f64>().unwrap()).abs() < 1e-7, "{third}");
    }
    // A groom in centimetres on a body in metres is far away.
    let far = std::fs::read_to_string(at("hair.obj")).unwrap().replace("v 0.75", "v 75");
    std::fs::write(at("hair.obj"), far).unwrap();
    let message = self::text(&sinew(folder.path(), &["run", "job.xml"]).stderr);
    assert!(message.contains("hair.obj: 1 of 2 points that ride lie far from the body"), "{message}");
}
