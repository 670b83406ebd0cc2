//! Strands of all frames as curves: `sinew strand --curves`, by our readers and by the libraries that others read with.

use crate::judges;
use crate::strand_folder::{Folder, sinew, text};
use crate::strand_said::Said;
use serde_json::Value;
use sinew::formats::alembic::{Archive, At};
use sinew::formats::usd::{CurvesData, Stage};
use sinew::math::{Real, Vec3, transform_point};
use std::f64::consts::PI;
use std::process::Output;

const G: Real = 9.81;
/// The rope: its pieces, the material in each in m, its radius in m and its density in kg/m^3.
const PIECES: usize = 5;
const PIECE: Real = 0.1;
const RADIUS: Real = 0.005;
const DENSITY: Real = 1200.0;
/// The runs: frames per second and frames.
const FPS: usize = 12;
const FRAMES: usize = 18;

const MAPS: [&str; 2] = ["tension", "materialCoordinate"];

/// A heavy rope that hangs from a nail, and a cord beside it from one nail to another.
fn rope(said: &Said, more: &str) -> String {
    let mut inside = String::from("<point name=\"p0\" on=\"world\" at=\"");
    inside.push_str(&format!("{}\"/>\n", said.at(0.0, 0.0, 0.0)));
    for k in 1..=PIECES {
        let at = said.at(0.0, -PIECE * k as Real, 0.0);
        inside.push_str(&format!("<point name=\"p{k}\" at=\"{at}\"/>\n"));
    }
    let nodes: String = (0..=PIECES).map(|k| format!("<node point=\"p{k}\" kind=\"lagrangian\"/>")).collect();
    let radius = said.length(RADIUS);
    said.scene(&format!(
        r#"{inside}
<point name="left" on="world" at="{left}"/><point name="right" on="world" at="{right}"/>
<strand name="rope" radius="{radius}" density="{DENSITY}" stiffness="1000" axial_damping="0.05">{nodes}</strand>
<strand name="cord/1" radius="{radius}" stiffness="500" prestrain="0.01"><node point="left"/><node point="right"/></strand>
{more}"#,
        left = said.at(0.5, 0.0, 0.0),
        right = said.at(0.7, 0.0, 0.0),
    ))
}

impl Folder {
    fn plays(&self, scene: &str, out: &str, more: &[&str]) -> Output {
        std::fs::write(self.path("scene.xml"), scene).unwrap();
        let (name, out, fps) = (self.name("scene.xml"), self.name(out), FPS.to_string());
        sinew(&[&["strand", &name, "--fps", &fps, "--out", &out], more].concat())
    }

    fn played(&self, scene: &str, out: &str, seconds: Real, more: &[&str]) {
        let output = self.plays(scene, out, &[&["--seconds", &seconds.to_string()], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

/// Curves as USD files have them, with their maps.
fn in_usd(stage: &Stage, path: &str, time: Real) -> CurvesData {
    let mut found = stage.curves_at(path, time).unwrap();
    let map = |name| stage.primvar_at(path, name, time).unwrap().unwrap();
    assert!(MAPS.iter().all(|name| map(name).interpolation == "vertex"));
    found.maps = MAPS.iter().map(|name| map(name).values).collect();
    found
}

/// The curves in an Alembic file, where they stand below a transform of their name.
fn in_archive(archive: &Archive, path: &str) -> usize {
    let name = path.rsplit('/').next().unwrap();
    archive.find(&format!("{path}/{name}Shape")).unwrap_or_else(|| panic!("{path} is not there"))
}

/// The same as Alembic has them, in the object's space.
fn in_alembic(archive: &mut Archive, path: &str, sample: usize) -> CurvesData {
    let object = in_archive(archive, path);
    let (shape, at) = (archive.curves(object).unwrap(), At::Sample(sample));
    CurvesData {
        counts: shape.curve_counts(archive, at).unwrap(),
        points: shape.points(archive, at).unwrap(),
        widths: shape.map(archive, "width", at).unwrap().values,
        maps: MAPS.iter().map(|name| shape.map(archive, name, at).unwrap().values).collect(),
        ..CurvesData::default()
    }
}

fn assert_near(what: &str, found: &[Real], expected: &[Real], limit: Real) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= limit, "{what} {k}: {a} instead of {b}");
    }
}

fn flat(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

#[test]
fn a_hanging_rope_bears_at_each_point_what_is_below() {
    let length = PIECES as Real * PIECE;
    // A piece bears what hangs below its middle; a point between two of them the mean, what hangs below it.
    let below: Vec<Real> = (0..=PIECES)
        .map(|k| match k {
            0 => length - 0.5 * PIECE,
            PIECES => 0.5 * PIECE,
            _ => length - PIECE * k as Real,
        })
        .collect();
    let weight = DENSITY * PI * RADIUS * RADIUS * G;
    for said in Said::all() {
        let folder = Folder::new();
        let names = ["out/a.abc", "new/folder/a.usda", "a.usdc"].map(|name| folder.name(name));
        let more = ["--curves", &names[0], "--curves", &names[1], "--curves", &names[2]];
        folder.played(&rope(&said, ""), "out", 1.5, &more);
        let [text, binary] = [1, 2].map(|k| Stage::open(names[k].as_ref()).unwrap());
        assert_eq!(text.space().unwrap(), said.space, "{}", said.name);
        assert_eq!(
            (text.curves(), text.curves()),
            (binary.curves(), vec!["/strands/cord_1", "/strands/rope"])
        );
        assert_eq!(text.time_codes_per_second(), FPS as Real);
        let times: Vec<Real> = (0..=FRAMES).map(|frame| frame as Real).collect();
        assert_eq!(text.sample_times("/strands/rope").unwrap(), times);
        let mut archive = Archive::open(names[0].as_ref()).unwrap();
        for frame in [0, 7, FRAMES] {
            for path in ["/strands/rope", "/strands/cord_1"] {
                let found = in_usd(&text, path, frame as Real);
                assert_eq!(found, in_usd(&binary, path, frame as Real));
                assert_eq!(found, in_alembic(&mut archive, path, frame));
            }
        }
        let found = in_usd(&text, "/strands/rope", FRAMES as Real);
        assert_eq!(found.counts, [PIECES as u32 + 1]);
        assert_near(
            "widths",
            &found.widths,
            &[said.length(2.0 * RADIUS); PIECES + 1],
            1e-7 * said.length(1.0),
        );
        let expected: Vec<Real> = below.iter().map(|metres| metres * weight).collect();
        assert_near("tension", &found.maps[0], &expected, 1e-4 * weight);
        let material: Vec<Real> = (0..=PIECES).map(|k| said.length(PIECE * k as Real)).collect();
        assert_near("material", &found.maps[1], &material, 1e-6 * said.length(1.0));
        // Each piece is stretched by its tension.
        let mut down = 0.0;
        for (k, point) in found.points.iter().enumerate() {
            let off = (point - said.point(0.0, -down, 0.0)).norm();
            assert!(off < said.length(2e-6), "{} point {k}: {off}", said.name);
            down += PIECE * (1.0 + weight * (length - (k as Real + 0.5) * PIECE) / 1000.0);
        }
        let cord = in_usd(&text, "/strands/cord_1", 0.0);
        assert_near("cord", &cord.maps[0], &[5.0; 2], 1e-5);
        assert_near("cord", &cord.maps[1], &[0.0, said.length(0.2 / 1.01)], 1e-6 * said.length(1.0));
        // Alembic stores neither units nor axes: y is up by convention.
        let object = in_archive(&archive, "/strands/rope");
        let (top, up) = (said.point(0.0, 0.0, 0.0), said.point(0.0, 1.0, 0.0));
        let world = archive.world(object, At::Sample(0)).unwrap();
        let up = transform_point(&world, &up) - transform_point(&world, &top);
        assert!((up - Vec3::y() * said.length(1.0)).norm() < 1e-9, "{} {up}", said.name);
        let times = archive.curves(object).unwrap().times(&mut archive).unwrap();
        assert_near(
            "times",
            &times,
            &(0..=FRAMES).map(|f| f as Real / FPS as Real).collect::<Vec<_>>(),
            1e-12,
        );
    }
}

#[test]
fn the_libraries_of_others_find_the_same() {
    let said = &Said::all()[2];
    let folder = Folder::new();
    let [abc, usd] = ["a.abc", "a.usdc"].map(|name| folder.name(name));
    folder.played(&rope(said, ""), "out", 1.5, &["--curves", &abc, "--curves", &usd]);
    let stage = Stage::open(usd.as_ref()).unwrap();
    let ours = |frame: usize| in_usd(&stage, "/strands/rope", frame as Real);
    let reported = judges::judge("usd.py", &["tell", &usd]);
    let lines = reported.lines().filter_map(|line| line.strip_prefix("TOLD "));
    let reported: Vec<(String, Real, Vec<Real>)> =
        lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    let in_usd = |what: &str, time: usize| {
        let line = reported.iter().find(|(w, t, _)| w == what && *t == time as Real);
        line.unwrap_or_else(|| panic!("nothing told of {what} at {time}")).2.clone()
    };
    assert_eq!((in_usd("rate", 0), in_usd("up", 0)), (vec![FPS as Real, 0.01], vec![1.0]));
    let theirs: Value = serde_json::from_str(&judges::judge("alembic_read.py", &[&abc])).unwrap();
    let theirs = &theirs["objects"]["/strands/rope/ropeShape"];
    assert_eq!(theirs["linear"], true);
    let numbers = |value: &Value| serde_json::from_value::<Vec<Real>>(value.clone()).unwrap();
    for frame in [0, 5, FRAMES] {
        let ours = ours(frame);
        assert_eq!(in_usd("/strands/rope counts", frame), [PIECES as Real + 1.0]);
        assert_eq!(in_usd("/strands/rope points", frame), flat(&ours.points));
        assert_eq!(in_usd("/strands/rope widths vertex", frame), ours.widths);
        assert_eq!(theirs["counts"][frame], serde_json::json!(ours.counts));
        assert_eq!(numbers(&theirs["points"][frame]), flat(&ours.points));
        assert_eq!(numbers(&theirs["width"]["values"][frame]), ours.widths);
        assert_eq!(theirs["width"]["scope"], "vtx");
        for (name, values) in MAPS.iter().zip(&ours.maps) {
            assert_eq!(&in_usd(&format!("/strands/rope {name} vertex"), frame), values);
            assert_eq!(&numbers(&theirs["maps"][name]["values"][frame]), values);
        }
    }
    // Blender's z is up, as the scene's is: everything stands where the scene says, as thick as it says.
    // It shows twice as many frames a second.
    let out = judges::judge("alembic_blender.py", &["read", &abc, "0", "10"]);
    let blender: Value =
        serde_json::from_str(out.lines().find_map(|l| l.strip_prefix("JSON")).unwrap()).unwrap();
    for (k, frame) in [0, 5].into_iter().enumerate() {
        let rope = &blender["frames"][k]["rope"];
        let world = numbers(&rope["world"]);
        let row =
            |r: usize, p: &[Real]| (0..3).map(|c| world[4 * r + c] * p[c]).sum::<Real>() + world[4 * r + 3];
        let points = numbers(&rope["points"]);
        let points: Vec<Real> = points.chunks(3).flat_map(|p| [0, 1, 2].map(|r| row(r, p))).collect();
        assert_near("Blender's points", &points, &flat(&ours(frame).points), 1e-4);
        assert_near("Blender's radii", &numbers(&rope["radii"]), &[said.length(RADIUS); PIECES + 1], 1e-6);
    }
}

#[test]
fn a_run_that_goes_on_writes_its_own_frames_as_the_whole_run_has_them() {
    let said = &Said::all()[0];
    let folder = Folder::new();
    let scene = rope(said, "");
    let [whole, first, rest, state] = ["whole.usda", "a.usda", "b.usda", "state"].map(|n| folder.name(n));
    folder.played(&scene, "whole", 1.0, &["--curves", &whole]);
    folder.played(&scene, "parts", 0.5, &["--curves", &first, "--save-state", &state]);
    folder.played(&scene, "parts", 0.5, &["--curves", &rest, "--resume", &state]);
    let [whole, first, rest] = [whole, first, rest].map(|name| Stage::open(name.as_ref()).unwrap());
    let path = "/strands/rope";
    let frames = |from: u32, to: u32| (from..=to).map(Real::from).collect::<Vec<_>>();
    assert_eq!(first.sample_times(path).unwrap(), frames(0, 6));
    assert_eq!(rest.sample_times(path).unwrap(), frames(7, 12));
    for (part, times) in [(&first, frames(0, 6)), (&rest, frames(7, 12))] {
        times.iter().for_each(|&time| assert_eq!(in_usd(part, path, time), in_usd(&whole, path, time)));
    }
}

#[test]
fn a_run_that_fails_leaves_whole_files_of_what_was_done() {
    let said = &Said::all()[0];
    let folder = Folder::new();
    let [abc, usd] = ["a.abc", "a.usdc"].map(|name| folder.name(name));
    let change = r#"<lengthen time="0.4" strand="cord/1" segment="0" by="-3"/>"#;
    let more = ["--seconds", "1", "--curves", &abc, "--curves", &usd];
    let output = folder.plays(&rope(said, change), "out", &more);
    let error = text(&output.stderr);
    assert!(!output.status.success() && error.contains("frame 5"), "{error}");
    let note = "note: files that should hold all frames contain only the finished ones: 0-4\n";
    assert!(error.contains(note), "{error}");
    let times = [0.0, 1.0, 2.0, 3.0, 4.0];
    assert_eq!(Stage::open(usd.as_ref()).unwrap().sample_times("/strands/rope").unwrap(), times);
    let mut archive = Archive::open(abc.as_ref()).unwrap();
    let object = in_archive(&archive, "/strands/rope");
    assert_eq!(archive.curves(object).unwrap().times(&mut archive).unwrap().len(), times.len());
}

#[test]
fn what_could_not_be_written_in_the_end_is_refused_at_the_start() {
    let said = &Said::all()[0];
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.abc")).unwrap();
    for (names, words) in [
        (&["a.obj"][..], ".abc, .usd, .usda, .usdc can"),
        (&["a.usdz"], "usdz"),
        (&["w.txt"], "w.txt"),
        (&["a.%04d.abc"], "must not have a placeholder for the frame"),
        (&["folder.abc"], "a folder has this name"),
        (&["a.abc", "a.abc"], "two of the results"),
    ] {
        let names: Vec<String> = names.iter().map(|name| folder.name(name)).collect();
        let more = names.iter().flat_map(|name| ["--curves", name]).collect::<Vec<_>>();
        let output = folder.plays(&rope(said, ""), "out", &[&["--seconds", "1"], &more[..]].concat());
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains(words) && error.contains(&names[0]), "{error}");
        assert!(!folder.path("out").exists(), "{names:?}: something was written");
    }
}

#[test]
fn the_order_of_strands_changes_nothing_and_files_say_what_they_hold() {
    let said = &Said::all()[0];
    let folder = Folder::new();
    let scene = rope(said, "");
    let (start, end) =
        (scene.find("<strand name=\"rope\"").unwrap(), scene.find("<strand name=\"cord").unwrap());
    let rope_text = scene[start..end].to_string();
    let swapped =
        scene.replace(&rope_text, "").replace("</strand_scene>", &format!("{rope_text}</strand_scene>"));
    let files = ["a.usda", "b.usda", "c.abc"].map(|name| folder.name(name));
    folder.played(&scene, "out", 0.5, &["--curves", &files[0]]);
    folder.played(&swapped, "out", 0.5, &["--curves", &files[1], "--curves", &files[2]]);
    let stages = [0, 1].map(|k| Stage::open(files[k].as_ref()).unwrap());
    for path in ["/strands/rope", "/strands/cord_1"] {
        let [a, b] = stages.each_ref().map(|stage| in_usd(stage, path, 6.0));
        assert_near(path, &flat(&a.points), &flat(&b.points), 1e-7);
        assert_near(path, &a.maps[0], &b.maps[0], 1e-5);
    }
    let reported = sinew(&["info", &files[1], &files[2]]);
    let reported = text(&reported.stdout);
    let points = PIECES + 1;
    for line in [
        format!(
            r#"{{"path":"/strands/rope","curves":1,"points":{points},"samples":7,"primvars":["materialCoordinate","tension"]}}"#
        ),
        format!(
            r#"/strands/rope/ropeShape: Curves, 1 curves, {points} points, 7 samples, frames 0 to 6, maps ["tension", "materialCoordinate"]"#
        ),
    ] {
        assert!(reported.contains(&line), "{reported}");
    }
}

#[test]
fn a_cut_rope_is_drawn_as_its_pieces() {
    let (said, folder) = (&Said::all()[0], Folder::new());
    let cut = "<cut time=\"0.2\" strand=\"rope\" segment=\"2\"/>";
    let (usd, abc) = (folder.name("c.usdc"), folder.name("c.abc"));
    folder.played(&rope(said, cut), "out", 1.0, &["--curves", &usd, "--curves", &abc]);
    let stage = Stage::open(&folder.path("c.usdc")).unwrap();
    let mut archive = Archive::open(&folder.path("c.abc")).unwrap();
    for (frame, counts) in [(0, &[6][..]), (12, &[3, 3])] {
        let usd = in_usd(&stage, "/strands/rope", frame as Real);
        let abc = in_alembic(&mut archive, "/strands/rope", frame);
        assert_eq!((&usd.counts[..], &abc.counts[..]), (counts, counts), "frame {frame}");
        let lines = folder.read(&format!("out/strands.{frame:04}.obj"));
        let lines = lines.lines().filter(|line| line.starts_with("l ")).count();
        // The cord beside it is one.
        assert_eq!(lines, counts.len() + 1, "frame {frame}");
    }
}
