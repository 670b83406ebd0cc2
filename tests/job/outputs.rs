//! Everything that one run of the slider writes, by the judgement of the libraries that read it.

use crate::judges;
use crate::strip::{sinew, strip, text};
use image::{Rgb, RgbImage};
use sinew::formats::alembic::{Archive, At, CurvesSample, TimeSampling, Writer};
use sinew::formats::obj;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec2, Vec3};
use std::path::Path;

const SIZE: u32 = 128;

/// A sheet whose left half is pulled longer, held at both ends, with a texture of soft waves.
fn scene(folder: &Path) -> Mesh {
    let rest = shapes::grid(1.0, 1.0, 16, 16);
    obj::save(&folder.join("rest.obj"), &rest).unwrap();
    for frame in 1..=3 {
        let pull = 0.12 * frame as Real;
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
    let reported = judges::judge("job_outputs.py", &[folder.path().join("out").to_str().unwrap(), "1,2,3"]);
    println!("{reported}");
    let worst: serde_json::Value = serde_json::from_str(reported.lines().last().unwrap()).unwrap();
    let off = |what: &str| worst[what].as_f64().unwrap();
    // Single precision of numbers up to 1.
    for what in ["abc points", "abc uvs", "abc slide", "usd points", "usd uvs", "usd slide", "usd stretch"] {
        assert!(off(what) < 2e-7, "{what}: {}", off(what));
    }
    assert_eq!(off("st map"), 0.0);
    // We mix light, OpenCV mixes sRGB's numbers, which soft waves hardly tell apart; the texture has moved by more.
    assert!(off("baked") < 2.0 && off("moved") > 4.0, "{reported}");
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
    for (more, reported) in [
        (["--stmap", "st.%04d.exr"], "a placeholder for the tile"),
        (["--stmap", "st.UDIM.exr"], "a placeholder for the frame"),
        (["--stmap", "st.UDIM.%04d.png"], "--stmap writes .exr"),
        (["--bake", "texture.png=b.UDIM.%04d.png"], "UVs in 2 tiles"),
        (["--bake", "no.UDIM.png=b.UDIM.%04d.png"], "no.1001.png"),
        (["--out-abc", "out.usdz"], "--out-abc writes .abc"),
    ] {
        let output = sinew(folder.path(), &[&given[..], &more].concat());
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.contains(reported), "{more:?}: {message}");
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
    let job = r#"<sinew version="1"><frames range="1-2"/><node type="skin_slider"><input port="rest" file="rest.obj"/>
        <input port="points" file="body.%04d.obj"/><input port="fixed" file="fixed.csv"/></node><outputs folder="out">
        <bake texture="skin.UDIM.png" file="baked/skin.UDIM.%04d.png" kind="data" size="32"/></outputs></sinew>"#;
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
        <input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/><input port="fixed" file="fixed.csv"/>
        </node><outputs folder="out"><tables/>
          <ride geometry="hair.obj" file="hair.%04d.obj"/>
          <ride geometry="groom.abc" file="groom.%04d.obj"/>
          <ride geometry="groom.abc" file="groom.abc"/>
          <ride geometry="groom.abc/lashes" file="lashes.%04d.csv"/>
        </outputs></sinew>"#;
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
    decal_in_alembic(folder.path());
    // A groom in centimetres on a body in metres is far away.
    let far = std::fs::read_to_string(at("hair.obj")).unwrap().replace("v 0.75", "v 75");
    std::fs::write(at("hair.obj"), far).unwrap();
    let message = self::text(&sinew(folder.path(), &["run", "job.xml"]).stderr);
    assert!(message.contains("hair.obj: 1 of 2 riding points are far from the body"), "{message}");
    // What is far depends on the size of the body: a tenth of it, in millimetres as well.
    let enlarge = |name: &str, up: Real| {
        let text = std::fs::read_to_string(at(name)).unwrap();
        let line = |line: &str| match line.strip_prefix("v ") {
            Some(place) => {
                let mut place: Vec<Real> =
                    place.split(' ').map(|x| 1e3 * x.parse::<Real>().unwrap()).collect();
                place[1] += up;
                format!("v {} {} {}\n", place[0], place[1], place[2])
            }
            None => format!("{line}\n"),
        };
        std::fs::write(at(name), text.lines().map(line).collect::<String>()).unwrap();
    };
    std::fs::write(at("hair.obj"), "v 0.75 0 -0.125\nv 0.75 0.25 -0.125\nl 1 2\n").unwrap();
    ["rest.obj", "body.0001.obj", "body.0002.obj", "body.0003.obj"]
        .iter()
        .for_each(|name| enlarge(name, 0.0));
    enlarge("hair.obj", 50.0);
    let only_hair: Vec<&str> = job.lines().filter(|line| !line.contains("groom")).collect();
    std::fs::write(at("job.xml"), only_hair.join("\n")).unwrap();
    let message = self::text(&sinew(folder.path(), &["run", "job.xml"]).stderr);
    assert!(!message.contains("far from the body"), "{message}");
    std::fs::write(at("hair.obj"), "v 750 150 -125\nv 750 250 -125\nl 1 2\n").unwrap();
    let message = self::text(&sinew(folder.path(), &["run", "job.xml"]).stderr);
    assert!(message.contains("1 of 1 riding points are far from the body"), "{message}");
}

/// A decal with faces, UVs and a line is in the Alembic file where the OBJ files have it.
fn decal_in_alembic(folder: &Path) {
    let decal = "v 0.5 0 -0.125\nv 0.75 0 -0.125\nv 0.75 0 -0.25\nv 0.5 0 -0.25\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
        f 1/1 2/2 3/3 4/4\nl 1 3\n";
    std::fs::write(folder.join("decal.obj"), decal).unwrap();
    let job = r#"<sinew version="1"><frames range="1-3" fps="24"/><node type="skin_slider">
        <input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/><input port="fixed" file="fixed.csv"/>
        </node><outputs folder="decal"><tables/><ride geometry="decal.obj" file="decal.%04d.obj"/>
          <ride geometry="decal.obj" file="decal.abc"/></outputs></sinew>"#;
    std::fs::write(folder.join("decal.xml"), job).unwrap();
    let output = sinew(folder, &["run", "decal.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mut archive = Archive::open(&folder.join("decal/decal.abc")).unwrap();
    let (mesh, line) = (archive.find("/decal").unwrap(), archive.find("/curves").unwrap());
    let (mesh, line) = (archive.mesh(mesh).unwrap(), archive.curves(line).unwrap());
    for sample in 0..3 {
        let expected = obj::read(&folder.join(format!("decal/decal.{:04}.obj", sample + 1))).unwrap();
        let found = mesh.mesh(&mut archive, At::Sample(sample)).unwrap();
        assert_eq!(found.face(0), expected.mesh.face(0));
        assert_eq!(found.uvs.unwrap().values.len(), 4);
        let points = line.points(&mut archive, At::Sample(sample)).unwrap();
        for (k, place) in expected.mesh.positions.iter().enumerate() {
            assert!((found.positions[k] - place).norm() < 1e-6, "sample {sample}");
        }
        for (point, &vertex) in points.iter().zip(&expected.lines[0]) {
            assert!((point - expected.mesh.positions[vertex as usize]).norm() < 1e-6, "sample {sample}");
        }
        assert_eq!(points.len(), 2);
    }
}

/// A tube whose middle the body turns while the skin stays, as the ends are held: faces slide over the seam. `place`
/// tells where in the UVs it lies.
fn turning_tube(folder: &Path, place: impl Fn(Vec2) -> Vec2) -> usize {
    let (sides, rows) = (24, 8);
    let mut rest = shapes::cylinder(0.5, 1.0, sides, rows);
    rest.uvs.iter_mut().flat_map(|layer| &mut layer.values).for_each(|uv| *uv = place(*uv));
    obj::save(&folder.join("rest.obj"), &rest).unwrap();
    for frame in 1..=4 {
        let turned = |p: &Vec3| {
            let (sin, cos) = (0.15 * frame as Real * (1.0 - (2.0 * p.y - 1.0).powi(2))).sin_cos();
            Vec3::new(cos * p.x + sin * p.z, p.y, cos * p.z - sin * p.x)
        };
        let positions = rest.positions.iter().map(turned).collect();
        obj::save(&folder.join(format!("body.{frame:04}.obj")), &Mesh { positions, ..rest.clone() }).unwrap();
    }
    let held = |p: &Vec3| if (p.y - 0.5).abs() > 0.49 { "1\n" } else { "0\n" };
    std::fs::write(folder.join("fixed.csv"), rest.positions.iter().map(held).collect::<String>()).unwrap();
    rest.face_count()
}

/// The UVs of every corner in a frame, as the file has them.
fn corner_uvs(path: &Path) -> Vec<Vec2> {
    let mesh = obj::read(path).unwrap().mesh;
    let layer = mesh.uvs.unwrap();
    layer.indices.iter().map(|&i| layer.values[i as usize]).collect()
}

/// Counts from the files alone the faces whose UVs jump from one frame to the next. The skin slides by a few hundredths
/// a frame, so that larger changes are jumps.
fn jumps(folder: &Path, faces: usize) -> usize {
    let frames: Vec<_> = (1..=4).map(|f| corner_uvs(&folder.join(format!("uv.{f:04}.obj")))).collect();
    let jumped = |a: &[Vec2], b: &[Vec2]| a.iter().zip(b).any(|(a, b)| (a - b).norm() > 0.3);
    let of = |pair: &[Vec<Vec2>]| {
        let count = pair[0].len() / faces;
        pair[0].chunks(count).zip(pair[1].chunks(count)).filter(|(a, b)| jumped(a, b)).count()
    };
    frames.windows(2).map(of).sum()
}

fn turning_job(folder: &Path, side: &str, more: &str) -> serde_json::Value {
    let job = format!(
        r#"<sinew version="1"><frames range="1-4"/><node type="skin_slider"><param id="tie_reach" value="0"/>
        <param id="uv_seams" value="{side}"/><input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/>
        <input port="fixed" file="fixed.csv"/></node><outputs folder="{side}"><tables/>{more}</outputs></sinew>"#
    );
    std::fs::write(folder.join("job.xml"), job).unwrap();
    let output = sinew(folder, &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = std::fs::read(folder.join(side).join("report.json")).unwrap();
    serde_json::from_slice(&report).unwrap()
}

fn sum(report: &serde_json::Value, figure: &str) -> f64 {
    report["frames"].as_array().unwrap().iter().map(|row| row[figure].as_f64().unwrap()).sum()
}

/// With UVs of the nearest side, faces jump at the seam; the report counts as the files do, and the job warns once.
/// Held they never do, a padded texture of both tiles is made once, and projections get their Pref.
#[test]
fn faces_over_a_seam_are_held_or_their_jumps_are_counted() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let faces = turning_tube(folder, |uv| Vec2::new(0.5 + uv.x, 0.2 + 0.6 * uv.y));
    for tile in [1001, 1002] {
        let dots = RgbImage::from_fn(SIZE, SIZE, |x, y| Rgb([x as u8, y as u8, (tile - 900) as u8]));
        dots.save(folder.join(format!("skin.{tile}.png"))).unwrap();
    }
    let report = turning_job(folder, "nearest", "");
    let counted = jumps(&folder.join("nearest"), faces);
    assert!(counted > 4, "{counted}");
    assert_eq!(sum(&report, "faces_that_jumped"), counted as f64);
    let warnings: Vec<_> = report["warnings"].as_array().unwrap().iter().filter_map(|w| w.as_str()).collect();
    let seams: Vec<_> = warnings.iter().filter(|w| w.contains("slid UVs over seams")).collect();
    assert!(seams.len() == 1 && seams[0].contains("uv_seams=held"), "{warnings:?}");

    let report = turning_job(
        folder,
        "held",
        r#"<cache file="tube.usda" rest_name="Pref"/><bake texture="skin.UDIM.png" file="b.UDIM.%04d.png" size="32"/>
        <padded texture="skin.UDIM.png" file="padded.UDIM.png" padding="16"/>"#,
    );
    assert_eq!((jumps(&folder.join("held"), faces), sum(&report, "faces_that_jumped")), (0, 0.0));
    assert!(sum(&report, "faces_over_seams") > 4.0, "{report}");
    let reach = report["frames"][3]["reach_over_seams"].as_f64().unwrap();
    assert!((0.02..16.0 / f64::from(SIZE)).contains(&reach), "{reach}");
    let usda = std::fs::read_to_string(folder.join("held/tube.usda")).unwrap();
    assert!(usda.contains("primvars:Pref") && !usda.contains("primvars:skin "), "the name is the scene's");
    let manifest = std::fs::read_to_string(folder.join("held/manifest.json")).unwrap();
    for tile in [1001, 1002] {
        assert!(manifest.contains(&format!("padded.{tile}.png")));
        let [source, padded] = ["skin", "held/padded"]
            .map(|name| image::open(folder.join(format!("{name}.{tile}.png"))).unwrap().to_rgb8());
        // The island keeps its texels; the gutter to its side continues with the other end of the tube, in the other
        // tile.
        let inside = if tile == 1001 { 100 } else { 20 };
        assert_eq!(source.get_pixel(inside, 60), padded.get_pixel(inside, 60));
        let gutter = if tile == 1001 { 54 } else { 73 };
        let other = if tile == 1001 { 1002 - 900 } else { 1001 - 900 };
        assert_eq!(i32::from(padded.get_pixel(gutter, 60).0[2]), other, "{tile}");
    }
    // The same bits with one thread.
    let before =
        ["held/padded.1001.png", "held/b.1002.0004.png"].map(|n| std::fs::read(folder.join(n)).unwrap());
    let again = sinew(folder, &["-j", "1", "run", "job.xml", "--restart"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let after =
        ["held/padded.1001.png", "held/b.1002.0004.png"].map(|n| std::fs::read(folder.join(n)).unwrap());
    assert!(before == after);
    let png = String::from_utf8_lossy(&after[1]).into_owned();
    assert!(png.contains("Sinew ") && png.contains("job.xml, frame 4"), "who made it stands in the file");
}

/// At a seam on the border of the tiles slid UVs go beyond it; such a file can be read back.
#[test]
fn slid_uvs_outside_the_tiles_are_counted_and_read_again() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    turning_tube(folder, |uv| Vec2::new(1.0 - uv.x, uv.y));
    let report = turning_job(folder, "held", "");
    let uvs = corner_uvs(&folder.join("held/uv.0004.obj"));
    assert!(uvs.iter().any(|uv| !(0.0..=1.0).contains(&uv.x)), "{uvs:?}");
    assert!(sum(&report, "faces_outside_tiles") > 0.0, "{report}");
    let reported = report["warnings"].to_string();
    assert!(reported.contains("in a tile in which the mesh has no UVs, or outside all tiles"), "{reported}");
    let args = ["--body", "body.%04d.obj", "--frames", "1", "--out", "again", "--size", "64"];
    let output = sinew(
        folder,
        &[&["slide", "--rest", "held/uv.0004.obj"], &args[..], &["--stmap", "st.UDIM.%04d.exr"]].concat(),
    );
    let message = text(&output.stderr);
    assert!(output.status.success() && folder.join("st.1001.0001.exr").exists(), "{message}");
    let outside = uvs.iter().any(|uv| uv.x < -1e-6);
    assert_eq!(outside, message.contains("UVs in no UDIM tile"), "{message}");
}
