//! `sinew report`: the page as a browser shows it, and folders that are not as they should be.

#[path = "support/judges.rs"]
mod judges;

use serde_json::{Value, json};
use sinew::error::{Kind, Result};
use sinew::formats::obj;
use sinew::geometry::{CornerLayer, Mesh, shapes};
use sinew::math::{Real, Vec2, Vec3};
use sinew::report::{Report, Texture};
use std::f64::consts::PI;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const FRAMES: i64 = 24;
const HEIGHT: Real = 0.6;
/// What a hostile or careless author may write anywhere.
const TAG: &str = "</script><img src=x onerror=\"window.broken=1\"><!--";

/// A tube that twists and bulges from its foot up, as the body of a frame between 0 (at rest) and 1.
fn body(rest: &Mesh, part: Real) -> Vec<Vec3> {
    let turned = |p: &Vec3| {
        let up = p.y / HEIGHT;
        let (sin, cos) = (0.8 * PI * part * up * up).sin_cos();
        let wide = 1.0 + 0.35 * part * (-((up - 0.65) / 0.15).powi(2)).exp();
        let x = p.x + 0.06 * part * (PI * up).sin();
        Vec3::new(wide * (cos * x + sin * p.z), p.y, wide * (cos * p.z - sin * x))
    };
    rest.positions.iter().map(turned).collect()
}

/// How far the skin slid around the tube, in UVs: nothing at rest and at the rims.
fn slid(uv: Vec2, part: Real) -> Vec2 {
    let wave = (PI * uv.y).sin();
    uv + part * wave * Vec2::new(0.12, 0.02 * wave)
}

/// Writes what `sinew slide` writes for a tube.
fn write_folder(folder: &Path) {
    let mut rest = shapes::cylinder(0.09, HEIGHT, 40, 48);
    let layer = rest.uvs.clone().unwrap();
    obj::save(&folder.join("rest.obj"), &rest).unwrap();
    let corners: Vec<Vec2> = layer.indices.iter().map(|&k| layer.values[k as usize]).collect();
    let positions = rest.positions.clone();
    let mut rows = Vec::new();
    for frame in 1..=FRAMES {
        let part = (frame - 1) as Real / (FRAMES - 1) as Real;
        rest.positions = body(&Mesh { positions: positions.clone(), ..rest.clone() }, part);
        rest.uvs = Some(CornerLayer {
            values: corners.iter().map(|&uv| slid(uv, part)).collect(),
            indices: (0..corners.len() as u32).collect(),
        });
        obj::save(&folder.join(format!("uv.{frame:04}.obj")), &rest).unwrap();
        let mut maps = String::from("vertex,slide,stretch_max,stretch_min,wrinkle\n");
        for (k, p) in positions.iter().enumerate() {
            let wave = part * (PI * p.y / HEIGHT).sin();
            let bend = 0.5 * p.x / 0.09;
            writeln!(
                maps,
                "{k},{},{},{},{}",
                0.068 * wave,
                1.0 + 0.6 * wave * bend,
                0.9,
                wave * bend.max(0.0)
            )
            .unwrap();
        }
        std::fs::write(folder.join(format!("maps.{frame:04}.csv")), maps).unwrap();
        rows.push(row(frame, part));
    }
    let report = json!({
        "version": "0.1.0", "fps": 24, "parameters": { "stiffness": 1200, "method": "production", "note": TAG },
        "frames": rows, "warnings": [format!("of the whole run: {TAG}")],
    });
    std::fs::write(folder.join("report.json"), report.to_string()).unwrap();
}

fn row(frame: i64, part: Real) -> Value {
    if frame == 15 {
        return json!({ "frame": 15, "kept": true, "warnings": ["frame 15: the last good skin is kept: vertex 7 is NaN"] });
    }
    let warnings = match frame {
        9 => vec![format!("inverted triangles of skin: 2, the first in face 311 {TAG}")],
        21 => vec!["the solver stopped after 40 iterations with a residual of 3e-5".to_string()],
        _ => Vec::new(),
    };
    let wave = (3.0 * PI * part).sin().powi(2);
    json!({
        "frame": frame, "iterations": 4 + (12.0 * wave) as i64, "residual": 1e-9, "kept": false, "warnings": warnings,
        "energy_before": 2.4 * part + 0.3 * wave, "energy_after": 2.4 * part, "inverted_triangles": 0,
        "maximal_stretch": 1.0 + 0.6 * part,
        "milliseconds": { "carry": 1.1, "assemble": 6.0 + wave, "solve": 14.0 + 9.0 * wave, "search": 2.0, "velocity": 0.2,
            "spread": 0.4, "uvs": 3.0, "measure": 1.5, "slid": 0.3 },
    })
}

fn page(folder: &Path) -> Result<String> {
    Report::gather(folder, None)?.page(None, None)
}

/// A folder with one change, and the error that it makes.
fn broken(change: impl FnOnce(&Path)) -> sinew::error::Error {
    let folder = tempfile::tempdir().unwrap();
    write_folder(folder.path());
    change(folder.path());
    page(folder.path()).unwrap_err()
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_browser_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    write_folder(folder.path());
    let shots = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/report");
    std::fs::create_dir_all(&shots).unwrap();
    let html = shots.join("page.html");
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["report", folder.path().to_str().unwrap(), "--html", html.to_str().unwrap()])
        .args(["--title", &format!("A twisting tube {TAG}")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let paths = [&html, folder.path(), &shots].map(|p: &Path| p.to_str().unwrap().to_string());
    print!("{}", judges::judge("page.py", &[&paths[0], &paths[1], &paths[2], TAG]));
}

#[test]
fn what_is_missing_is_said_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    write_folder(folder.path());
    for frame in 1..=FRAMES {
        std::fs::remove_file(folder.path().join(format!("maps.{frame:04}.csv"))).unwrap();
    }
    std::fs::remove_file(folder.path().join("rest.obj")).unwrap();
    std::fs::write(folder.path().join("uv.0030.obj"), "").unwrap();
    let report = Report::gather(folder.path(), None).unwrap();
    assert_eq!((report.rest_uvs.is_none(), report.frames[3].maps.is_none()), (true, true));
    let notes = report.run.notes.join("\n");
    for part in ["No rest.obj", "No maps.0001.csv", "frames 30."] {
        assert!(notes.contains(part), "{notes}");
    }
    let (html, picture) = (folder.path().join("page.html"), folder.path().join("red.png"));
    image::RgbImage::from_pixel(8, 4, image::Rgb([250, 20, 20])).save(&picture).unwrap();
    std::fs::write(&html, report.page(None, Some(&Texture::read(&picture).unwrap())).unwrap()).unwrap();
    judges::judge("page.py", &[html.to_str().unwrap(), "bare"]);
    std::fs::write(&picture, b"\x89PNG\r\n\x1a\n and nothing more").unwrap();
    std::fs::write(&html, report.page(None, Some(&Texture::read(&picture).unwrap())).unwrap()).unwrap();
    judges::judge("page.py", &[html.to_str().unwrap(), "no_picture"]);
}

#[test]
fn the_same_folder_makes_the_same_bytes_at_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    write_folder(folder.path());
    let with = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| page(folder.path()))
    };
    let one = with(1).unwrap();
    assert!(one == with(3).unwrap());
    // What anybody wrote can neither end the script that holds it nor begin a tag.
    assert!(!one.contains(TAG) && !one.contains("<img"), "a tag came through");
}

#[test]
fn broken_folders_are_refused_by_file_and_frame() {
    type Change = fn(&Path);
    let cases: [(Change, Kind, &str, Option<i64>); 9] = [
        (|f| std::fs::remove_file(f.join("uv.0007.obj")).unwrap(), Kind::MissingFile, "uv.0007.obj", Some(7)),
        (
            |f| std::fs::remove_file(f.join("maps.0007.csv")).unwrap(),
            Kind::MissingFile,
            "maps.0007.csv",
            Some(7),
        ),
        (|f| std::fs::remove_file(f.join("report.json")).unwrap(), Kind::MissingFile, "report.json", None),
        (|f| edit(&f.join("uv.0004.obj"), "f 1/1 ", "f 2/1 "), Kind::Topology, "uv.0004.obj", Some(4)),
        (|f| edit(&f.join("uv.0004.obj"), "vt ", "v 1 2 3\nvt "), Kind::Topology, "uv.0004.obj", Some(4)),
        (|f| edit(&f.join("uv.0005.obj"), "v 0 ", "v nan "), Kind::NotFinite, "uv.0005.obj", Some(5)),
        (|f| edit(&f.join("uv.0005.obj"), "vt 0 ", "vt 1e9 "), Kind::OutOfRange, "uv.0005.obj", Some(5)),
        (|f| edit(&f.join("maps.0006.csv"), "\n0,0,", "\n0,nan,"), Kind::NotFinite, "maps.0006.csv", Some(6)),
        (|f| edit(&f.join("maps.0006.csv"), "\n0,0,", "\n5,0,"), Kind::Parse, "maps.0006.csv", Some(6)),
    ];
    for (change, kind, file, frame) in cases {
        let error = broken(change);
        let place = error.place();
        let named = place.file.as_ref().is_some_and(|path| path.ends_with(file));
        assert_eq!((error.kind(), named, place.frame), (kind, true, frame), "{error}");
    }
    let error = broken(|f| edit(&f.join("uv.0003.obj"), "v 0 ", "v 1e200 "));
    assert_eq!((error.kind(), error.place().frame), (Kind::OutOfRange, Some(3)), "{error}");
}

#[test]
fn a_page_that_is_too_large_says_how_to_thin_it() {
    let folder = tempfile::tempdir().unwrap();
    write_folder(folder.path());
    // The browser has to decode a picture; what fills it does not matter here.
    let picture = folder.path().join("large.png");
    let file = std::fs::File::create(&picture).unwrap();
    file.set_len(sinew::report::MAX_PAGE as u64 / 2 + 1).unwrap();
    edit_start(&picture, b"\x89PNG\r\n\x1a\n");
    let error = Texture::read(&picture).unwrap_err();
    assert!(error.kind() == Kind::TooLarge && error.message().contains("room for a texture"), "{error}");
    file.set_len(sinew::report::MAX_PAGE as u64 / 2).unwrap();
    drop(file);
    let mut report = Report::gather(folder.path(), None).unwrap();
    // Frames that do not compress.
    let mut seed = 1u32;
    let mut noise = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Real::from(seed >> 8) * 1e-8
    };
    for k in 0..1400 {
        let mut frame = report.frames[k].clone();
        frame.positions.iter_mut().for_each(|p| *p += Vec3::new(noise(), noise(), noise()));
        report.frames.push(frame);
        report.run.rows.push(report.run.rows[k].clone());
    }
    let error = report.page(None, Some(&Texture::read(&picture).unwrap())).unwrap_err();
    assert_eq!(error.kind(), Kind::TooLarge);
    assert!(error.message().contains("--frames"), "{error}");
    std::fs::write(&picture, "GIF89a").unwrap();
    assert_eq!(Texture::read(&picture).unwrap_err().kind(), Kind::Unsupported);
    let thin = Report::gather(folder.path(), Some(&[1, 5, 9])).unwrap();
    assert_eq!((thin.frames.len(), thin.run.rows[2].frame), (3, 9));
    assert!(thin.page(None, None).unwrap().len() < page(folder.path()).unwrap().len());
}

fn edit_start(path: &Path, bytes: &[u8]) {
    use std::io::Write;
    std::fs::File::options().write(true).open(path).unwrap().write_all(bytes).unwrap();
}

/// A fusiform along a tube's axis: its points, eight around, and its quads from the first vertex on.
fn spindle(x: Real, radius: Real, first: usize) -> (Vec<Vec3>, Vec<[usize; 4]>) {
    let (rings, around) = (9, 8);
    let point = |k: usize| {
        let along = (k / around) as Real / (rings - 1) as Real;
        let (sin, cos) = (2.0 * PI * (k % around) as Real / around as Real).sin_cos();
        let wide = radius * (PI * along).sin();
        Vec3::new(x + wide * cos, 0.1 + 0.4 * along, wide * sin)
    };
    let quad = |k: usize| {
        let (ring, own, next) = (k / around * around, k % around, (k + 1) % around);
        [ring + own, ring + next, ring + around + next, ring + around + own].map(|v| v + first)
    };
    ((0..rings * around).map(point).collect(), (0..(rings - 1) * around).map(quad).collect())
}

/// Writes what a graph writes for a tube with two muscles, with z up: the second one becomes thick and tense.
fn write_muscles(folder: &Path) {
    let rest = shapes::cylinder(0.09, HEIGHT, 40, 48);
    let turned = |p: &Vec3| Vec3::new(p.x, -p.z, p.y);
    let save = |name: &str, frame: i64, points: Vec<Vec3>| {
        let mesh = Mesh { positions: points.iter().map(turned).collect(), uvs: None, ..rest.clone() };
        obj::save(&folder.join(format!("{name}.{frame:04}.obj")), &mesh).unwrap();
    };
    let mut rows = Vec::new();
    for frame in 1..=3 {
        let part = (frame - 1) as Real / 2.0;
        save("skinned", frame, body(&rest, 0.2 * part));
        save("skin", frame, body(&rest, part));
        let (one, two) = (spindle(-0.03, 0.02, 0), spindle(0.03, 0.02 * (1.0 + part), 72));
        let corners: Vec<u32> = one.1.iter().chain(&two.1).flatten().map(|v| *v as u32).collect();
        let muscles = Mesh {
            positions: one.0.iter().chain(&two.0).map(turned).collect(),
            face_offsets: (0..=corners.len() as u32).step_by(4).collect(),
            corner_vertices: corners,
            ..Mesh::default()
        };
        obj::save(&folder.join(format!("muscles.{frame:04}.obj")), &muscles).unwrap();
        let tensions =
            format!("frame,muscle,muscle_tensions\n{frame},left arm,0\n{frame},\u{3b2},{}\n", 12.0 * part);
        std::fs::write(folder.join(format!("muscle_tensions.{frame:04}.csv")), tensions).unwrap();
        rows.push(json!({ "frame": frame }));
    }
    let report = json!({ "fps": 24, "up": "z", "frames": rows, "warnings": [] });
    std::fs::write(folder.join("report.json"), report.to_string()).unwrap();
}

#[test]
fn muscles_show_through_the_skin() {
    let folder = tempfile::tempdir().unwrap();
    write_muscles(folder.path());
    let shots = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/report");
    std::fs::create_dir_all(&shots).unwrap();
    let html = shots.join("muscles.html");
    std::fs::write(&html, page(folder.path()).unwrap()).unwrap();
    judges::judge("page.py", &[html.to_str().unwrap(), "muscles", shots.to_str().unwrap()]);
    let thin = Report::gather(folder.path(), Some(&[2])).unwrap();
    assert_eq!((thin.frames.len(), thin.frames[0].muscles.len()), (1, 2));
    // Upright on the page, whichever way the files have it.
    assert!(thin.frames[0].positions.iter().all(|p| (-1e-9..=HEIGHT + 1e-9).contains(&p.y)));
}

#[test]
fn broken_folders_of_muscles_are_refused_by_file_and_frame() {
    type Change = fn(&Path);
    let cases: [(Change, Kind, &str); 5] = [
        (|f| edit(&f.join("muscles.0002.obj"), "f 1 ", "f 2 "), Kind::Topology, "muscles.0002.obj"),
        (
            |f| edit(&f.join("muscle_tensions.0002.csv"), "2,left arm,0\n", ""),
            Kind::CountMismatch,
            "muscle_tensions.0002.csv",
        ),
        (
            |f| edit(&f.join("muscle_tensions.0001.csv"), "1,left arm,0", "1,left arm,nan"),
            Kind::Parse,
            "muscle_tensions.0001.csv",
        ),
        (|f| edit(&f.join("skinned.0003.obj"), "f 1 ", "f 2 "), Kind::Topology, "skinned.0003.obj"),
        (|f| std::fs::remove_file(f.join("skin.0003.obj")).unwrap(), Kind::MissingFile, "skin.0003.obj"),
    ];
    for (change, kind, file) in cases {
        let folder = tempfile::tempdir().unwrap();
        write_muscles(folder.path());
        change(folder.path());
        let error = page(folder.path()).unwrap_err();
        let named = error.place().file.as_ref().is_some_and(|path| path.ends_with(file));
        assert_eq!((error.kind(), named), (kind, true), "{error}");
    }
}
