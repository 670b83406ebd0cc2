//! Frames per second: unless given, the rate is that of the animated file, and what is written has the same.

use serde_json::Value;
use sinew::formats::alembic::{Archive, MeshSample, TimeSampling, Writer};
use sinew::formats::cache::{CacheKind, CacheReader, CacheWriter};
use sinew::formats::points::PointSource;
use sinew::formats::usd::{self, FrameData, Info, Stage};
use sinew::formats::{bvh, obj};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use std::path::Path;
use std::process::{Command, Output};

/// 23.976, as broadcasts mean it.
const FILM: Real = 24000.0 / 1001.0;
const FRAMES: [i64; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

fn sinew(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(arguments).output().unwrap()
}

fn done(output: &Output) -> String {
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{reported}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn reported(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn sheet() -> Mesh {
    shapes::grid(1.0, 1.0, 2, 2)
}

fn moved(frame: i64) -> Vec<Vec3> {
    sheet().positions.iter().map(|p| p + Vec3::z() * (0.01 * frame as Real)).collect()
}

/// An Alembic file with its rate as metadata, or without.
fn abc(path: &Path, frames: &[i64], fps: Real, words: bool) {
    let times = frames.iter().map(|&f| f as Real / fps).collect();
    // Explicit times: for these, the writer adds no rate by itself.
    let mut writer = Writer::create(path, TimeSampling::Acyclic(times)).unwrap();
    if words {
        writer.set_frame_rate(fps);
    }
    let body = writer.add_mesh(None, "body", &sheet()).unwrap();
    for &frame in frames {
        let uvs = sheet().uvs;
        let sample = MeshSample { positions: &moved(frame), uvs: uvs.as_ref(), ..Default::default() };
        writer.write_mesh(body, &sample).unwrap();
    }
    writer.commit().unwrap();
}

fn mdd(path: &Path, fps: Real) {
    let mut writer = CacheWriter::create(path, CacheKind::Mdd, 9, &FRAMES, fps).unwrap();
    FRAMES.iter().for_each(|&frame| writer.write(&moved(frame)).unwrap());
    writer.commit().unwrap();
}

fn usdc(path: &Path, fps: Real) {
    let mesh = sheet();
    let info = Info { name: "body", mesh: Some(&mesh), ..Info::default() };
    let mut frame = |k: usize| Ok(FrameData { points: moved(FRAMES[k]), ..FrameData::default() });
    usd::write(path, &info, &FRAMES, fps, &mut frame).unwrap();
}

#[test]
fn the_rate_of_a_file_is_found_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for fps in [FILM, 24.0, 25.0, 30000.0 / 1001.0, 30.0, 48.0, 60000.0 / 1001.0, 120.0] {
        abc(&at("words.abc"), &FRAMES, fps, true);
        abc(&at("times.abc"), &FRAMES, fps, false);
        mdd(&at("a.mdd"), fps);
        usdc(&at("a.usdc"), fps);
        for name in ["words.abc", "times.abc", "a.usdc", "a.mdd"] {
            // Times of 48 or 120 a second alone are 24 with motion blur between.
            let only_times = name == "a.mdd" || name == "times.abc";
            if only_times && [48.0, 120.0].contains(&fps) {
                continue;
            }
            let source = PointSource::open(&at(name), None).unwrap();
            assert_eq!((source.fps(), source.frames()), (fps, &FRAMES[..]), "{name}");
        }
        // As people write it.
        let rounded = (fps * 1000.0).round() / 1000.0;
        assert_eq!(PointSource::open(&at("words.abc"), rounded).unwrap().fps(), fps);
    }
}

#[test]
fn frames_far_apart_keep_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    abc(&at("a.abc"), &FRAMES, 24.0, true);
    done(&sinew(folder.path(), &["convert", "a.abc", "few.abc", "--frames", "4-14x10"]));
    let source = PointSource::open(&at("few.abc"), None).unwrap();
    assert_eq!((source.fps(), source.frames()), (24.0, &[4, 14][..]));
}

fn report(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("out/report.json")).unwrap()).unwrap()
}

#[test]
fn a_slide_has_the_rate_of_the_body_and_so_has_what_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    obj::save(&at("rest.obj"), &sheet()).unwrap();
    let slide = |more: &[&str]| {
        let given = ["slide", "--rest", "rest.obj", "--out", "out", "--out-abc", "out/o.abc"];
        let caches = ["--out-usd", "out/o.usda", "--whole-mesh"];
        sinew(folder.path(), &[&given[..], &caches, more].concat())
    };
    for fps in [FILM, 25.0] {
        abc(&at("body.abc"), &FRAMES, fps, true);
        usdc(&at("body.usdc"), fps);
        for body in ["body.abc", "body.usdc"] {
            done(&slide(&["--body", body]));
            assert_eq!(report(folder.path())["fps"], serde_json::json!(fps), "{body}");
            assert_eq!(Stage::open(&at("out/o.usda")).unwrap().rates(), [Some(fps); 2]);
            let source = PointSource::open(&at("out/o.abc"), None).unwrap();
            assert_eq!((source.fps(), source.frames()), (fps, &FRAMES[..]));
            let archive = Archive::open(&at("out/o.abc")).unwrap();
            assert!(archive.meta("_ai_Application").is_some_and(|by| by.starts_with("Sinew 0.")));
        }
    }
    // Nearly the file's rate, and another at which no sample is at a whole frame.
    abc(&at("film.abc"), &[1, 2, 3], FILM, true);
    let error = reported(&slide(&["--body", "film.abc", "--fps", "24"]));
    assert!(error.contains("23.976 frames per second, not 24"), "{error}");
    let error = reported(&slide(&["--body", "body.abc", "--fps", "24"]));
    assert!(error.contains("the file says 25"), "{error}");
    done(&slide(&["--body", "film.abc", "--fps", "23.976"]));
    assert_eq!(report(folder.path())["fps"], serde_json::json!(FILM));
    done(&slide(&["--body", "body.abc", "--fps", "50", "--frames", "2-10x2"]));
    assert_eq!(report(folder.path())["fps"], serde_json::json!(50.0));
}

/// A job's frames are whole ones wherever the samples of a USD body lie, and whatever its rate is.
#[test]
fn a_usd_body_with_samples_between_frames_gives_every_frame() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    obj::save(&at("rest.obj"), &sheet()).unwrap();
    // A metre a second along z.
    let mesh = sheet();
    let points: Vec<String> = mesh.positions.iter().map(|p| format!("({}, {}, {})", p.x, p.y, p.z)).collect();
    let counts: Vec<usize> = (0..mesh.face_count()).map(|face| mesh.corners(face).len()).collect();
    let body = format!(
        "#usda 1.0\n(\nmetersPerUnit = 1\nupAxis = \"Y\"\nframesPerSecond = 30\ntimeCodesPerSecond = 30\n)\ndef \
         Mesh \"m\" {{\n\
         int[] faceVertexCounts = {counts:?}\nint[] faceVertexIndices = {:?}\npoint3f[] points = [{}]\n\
         double3 xformOp:translate.timeSamples = {{ 1.5: (0, 0, 0.05), 4.5: (0, 0, 0.15), 11.25: (0, 0, 0.375) }}\n\
         uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}}\n",
        mesh.corner_vertices,
        points.join(", ")
    );
    std::fs::write(at("body.usda"), body).unwrap();
    for (given, fps, frames) in [
        ("", 30.0, (2..=11).collect::<Vec<i64>>()),
        ("fps=\"24\"", 24.0, (2..=9).collect()),
        ("fps=\"25\"", 25.0, (2..=9).collect()),
    ] {
        let scene = format!(
            r#"<sinew version="1"><frames {given} samples="2"/><node type="skin_slider" name="skin">
            <input port="rest" file="rest.obj"/><input port="points" file="body.usda"/></node>
            <outputs folder="out"><write file="o.abc" from="skin.points"/></outputs></sinew>"#
        );
        std::fs::write(at("graph.xml"), scene).unwrap();
        done(&sinew(folder.path(), &["run", "graph.xml"]));
        assert_eq!(report(folder.path())["fps"], serde_json::json!(fps));
        let mut source = PointSource::open(&at("out/o.abc"), fps).unwrap();
        assert_eq!(source.frames(), frames, "at {fps}");
        for (index, &frame) in frames.iter().enumerate() {
            let mut moved = vec![(frame as Real, source.read(index).unwrap())];
            if index + 1 < frames.len() {
                let half = frame as Real + 0.5;
                moved.push((half, source.between(half).unwrap().unwrap()));
            }
            for (frame, now) in moved {
                let far = now
                    .iter()
                    .zip(&mesh.positions)
                    .map(|(now, rest)| (now - rest - Vec3::z() * (frame / fps)).norm());
                assert!(far.fold(0.0, Real::max) < 1e-6, "frame {frame} at {fps}");
            }
        }
    }
}

const WALK: &str = "HIERARCHY\nROOT \
        a\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n \
    End Site\n \
    {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 3\nFrame Time: 0.008333\n0 0 0 0 0 0\n0 1 0 0 0 0\n0 2 0 0 0 0\n";

#[test]
fn skinning_has_the_rate_of_the_joints() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    obj::save(&at("rest.obj"), &sheet()).unwrap();
    assert_eq!(bvh::parse(WALK).unwrap().frame_count, 3);
    std::fs::write(at("walk.bvh"), WALK).unwrap();
    let weights: String = (0..9).map(|v| format!("{v},a,1\n")).collect();
    std::fs::write(at("weights.csv"), format!("vertex,joint,weight\n{weights}")).unwrap();
    let given = ["skin", "--rest", "rest.obj", "--joints", "walk.bvh", "--weights", "weights.csv"];
    let steps = |more: &[&str]| -> Vec<Real> {
        done(&sinew(folder.path(), &[&given[..], &["--out", "o.mdd"], more].concat()));
        let seconds = CacheReader::open(&at("o.mdd"), CacheKind::Mdd).unwrap().seconds().unwrap();
        seconds.windows(2).map(|pair| pair[1] - pair[0]).collect()
    };
    let near = |steps: Vec<Real>, fps: Real| steps.iter().all(|step| (step * fps - 1.0).abs() < 1e-4);
    assert!(near(steps(&[]), 120.0) && near(steps(&["--fps", "60"]), 60.0));
    assert_eq!((steps(&[]).len(), steps(&["--fps", "60"]).len()), (2, 1));
    let scene = r#"<sinew version="1"><node type="skinning" name="arm"><input port="points" file="rest.obj"/>
        <input port="rest_joints" file="walk.bvh" frame="rest"/><input port="joints" file="walk.bvh"/>
        <input port="influence_joints" file="weights.csv"/></node>
        <outputs folder="out"><write file="o.abc" from="arm.points" faces="rest.obj"/></outputs></sinew>"#;
    std::fs::write(at("graph.xml"), scene).unwrap();
    done(&sinew(folder.path(), &["run", "graph.xml"]));
    assert_eq!(PointSource::open(&at("out/o.abc"), None).unwrap().fps(), 120.0);
}

#[test]
fn files_of_a_graph_that_have_different_rates_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    obj::save(&at("rest.obj"), &sheet()).unwrap();
    abc(&at("body.abc"), &FRAMES, 25.0, true);
    abc(&at("other.abc"), &FRAMES, 30.0, true);
    let scene = |second: &str| {
        let node = |name: &str, body: &str| {
            format!(
                r#"<node type="skin_slider" name="{name}"><input port="rest" file="rest.obj"/>
                <input port="points" file="{body}"/></node>"#
            )
        };
        let [a, b] = [node("a", "body.abc"), node("b", second)];
        let text = format!(
            r#"<sinew version="1">{a}{b}<outputs folder="out"><write file="o.abc" from="b.points"/></outputs></sinew>"#
        );
        std::fs::write(at("graph.xml"), text).unwrap();
        sinew(folder.path(), &["run", "graph.xml"])
    };
    done(&scene("body.abc"));
    assert_eq!(report(folder.path())["fps"], serde_json::json!(25.0));
    let error = reported(&scene("other.abc"));
    assert!(error.contains("other.abc") && error.contains("the file says 30"), "{error}");
}
