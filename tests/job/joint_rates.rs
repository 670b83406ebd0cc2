//! The rate of joints: what moves at a metre a second in its file does so at every rate that is given, or is refused.

use serde_json::{Value, json};
use sinew::formats::cache::{CacheKind, CacheReader};
use sinew::formats::points::PointSource;
use sinew::formats::{joints, obj};
use sinew::geometry::shapes;
use sinew::math::Real;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FILM: Real = 24000.0 / 1001.0;

/// A sheet that follows one joint.
struct Shot(tempfile::TempDir);

impl Shot {
    fn new() -> Self {
        let shot = Shot(tempfile::tempdir().unwrap());
        obj::save(&shot.path("rest.obj"), &shapes::grid(1.0, 1.0, 2, 2)).unwrap();
        let weights: String = (0..9).map(|v| format!("{v},hip,1\n")).collect();
        shot.write("weights.csv", &format!("vertex,joint,weight\n{weights}"));
        shot
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn sinew(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(self.0.path()).args(arguments).output().unwrap()
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.sinew(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.sinew(arguments);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Frames of a BVH file in which the hip goes a metre along x in a second; `time` as its exporter writes it.
    fn bvh(&self, name: &str, frames: usize, rate: Real, time: &str) {
        let head = "HIERARCHY\nROOT hip\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n End Site\n {\n  \
                    OFFSET 0 1 0\n }\n}\nMOTION\n";
        let rows: String = (0..frames).map(|k| format!("{} 0 0\n", k as Real / rate)).collect();
        self.write(name, &format!("{head}Frames: {frames}\nFrame Time: {time}\n{rows}"));
    }

    /// The same in a USD file, at time codes from `first` on.
    fn usda(&self, name: &str, first: usize, frames: usize, rate: Real) {
        let still = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))";
        let samples = |value: &dyn Fn(usize) -> String| -> String {
            (0..frames).map(|k| format!("{}: {},", first + k, value(k))).collect()
        };
        let text = format!(
            r#"#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
    timeCodesPerSecond = {rate}
)
def SkelRoot "r" {{
    rel skel:animationSource = </r/w>
    def Skeleton "s" {{
        uniform token[] joints = ["hip"]
        uniform matrix4d[] bindTransforms = [{still}]
        uniform matrix4d[] restTransforms = [{still}]
    }}
    def SkelAnimation "w" {{
        uniform token[] joints = ["hip"]
        float3[] translations.timeSamples = {{ {} }}
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
    }}
}}
"#,
            samples(&|k| format!("[({}, 0, 0)]", k as Real / rate))
        );
        self.write(name, &text);
    }

    /// Skins the sheet and returns the seconds and places of its frames, both from the first on.
    fn skin(&self, joints: &str, fps: Option<&str>) -> Vec<[Real; 2]> {
        let more: Vec<&str> = fps.iter().flat_map(|fps| ["--fps", fps]).collect();
        self.done(&[&self.skinning(joints)[..], &["--out", "o.mdd"], &more].concat());
        let mut reader = CacheReader::open(&self.path("o.mdd"), CacheKind::Mdd).unwrap();
        let mut points = Vec::new();
        let seconds = reader.seconds().unwrap().into_iter().enumerate();
        let read: Vec<[Real; 2]> = seconds
            .map(|(k, seconds)| {
                reader.read(k, &mut points).unwrap();
                [seconds, points[0].x]
            })
            .collect();
        read.iter().map(|now| [now[0] - read[0][0], now[1] - read[0][1]]).collect()
    }

    fn skinning<'a>(&self, joints: &'a str) -> [&'a str; 7] {
        ["skin", "--rest", "rest.obj", "--weights", "weights.csv", "--joints", joints]
    }

    /// A job of these joints that writes a file.
    fn job(&self, joints: &str, fps: Option<&str>, out: &str) {
        let frames = fps.map_or(String::new(), |fps| format!(r#"<frames fps="{fps}"/>"#));
        self.write(
            "job.xml",
            &format!(
                r#"<sinew version="1">{frames}<node type="skinning" name="arm"><input port="points" file="rest.obj"/>
                <input port="rest_joints" file="{joints}" frame="rest"/><input port="joints" file="{joints}"/>
                <input port="influence_joints" file="weights.csv"/></node>
                <outputs folder="out"><write file="{out}" from="arm.points" faces="rest.obj"/></outputs></sinew>"#
            ),
        );
    }
}

/// The frames are `step` seconds apart, as many as the shot of `seconds` has, and the place is the time.
fn assert_a_metre_a_second(read: &[[Real; 2]], step: Real, seconds: Real, what: &str) {
    assert_eq!(read.len(), (seconds / step + 1e-2).floor() as usize + 1, "{what}: {read:?}");
    for (k, [at, place]) in read.iter().enumerate() {
        let expected = k as Real * step;
        assert!((at - expected).abs() < 1e-4 && (place - expected).abs() < 1e-4, "{what}: {read:?}");
    }
}

#[test]
fn a_bvh_file_moves_as_fast_at_every_rate_that_fits() {
    let shot = Shot::new();
    // A tenth of a second and more, with a frame time of as many digits as exporters write.
    for (rate, time, frames, given) in [
        (120.0, "0.008333", 14, &["24", "30", "40", "60", "120"][..]),
        (30.0, "0.033333", 9, &["10", "15", "30"]),
        (FILM, "0.041708", 9, &["23.976", "11.988"]),
        (5.0 * FILM, "0.00834167", 14, &["23.976", "119.88"]),
        (1.0 / 0.0333, "0.0333", 9, &["30.03", "10.01"]),
        // As many programs print 30, 24, 60 and 23.976: any rate within the digits is meant.
        (30.0, "0.0333", 9, &["30", "15", "10"]),
        (30.0, "0.033", 9, &["30"]),
        (24.0, "0.0417", 9, &["24", "12"]),
        (FILM, "0.0417", 9, &["23.976"]),
        (60.0, "1.67E-02", 9, &["60", "30"]),
    ] {
        shot.bvh("walk.bvh", frames, rate, time);
        let seconds = (frames - 1) as Real / rate;
        let printed = 1.0 / time.parse::<Real>().unwrap();
        if (printed / rate - 1.0).abs() < 1e-4 {
            assert_a_metre_a_second(&shot.skin("walk.bvh", None), 1.0 / rate, seconds, time);
        }
        for fps in given {
            let step = 1.0 / fps.parse::<Real>().unwrap();
            let what = format!("{time} at {fps}");
            assert_a_metre_a_second(&shot.skin("walk.bvh", Some(fps)), step, seconds, &what);
        }
    }
    // Twice as many: every other frame is one of the file's.
    shot.bvh("walk.bvh", 9, 30.0, "0.033333");
    assert_a_metre_a_second(&shot.skin("walk.bvh", Some("60")), 1.0 / 30.0, 8.0 / 30.0, "30 at 60");
}

#[test]
fn a_usd_skeleton_moves_as_fast_at_every_rate_that_fits_and_keeps_its_times() {
    let shot = Shot::new();
    for (rate, given) in [
        (120.0, &["24", "30", "120"][..]),
        (30.0, &["10", "15", "30"]),
        (FILM, &["23.976", "11.988"]),
        (1000.0, &["25", "40"]),
    ] {
        let frames = if rate == 1000.0 { 101 } else { 13 };
        shot.usda("walk.usda", 0, frames, rate);
        let seconds = (frames - 1) as Real / rate;
        assert_a_metre_a_second(&shot.skin("walk.usda", None), 1.0 / rate, seconds, "its own");
        for fps in given {
            let step = 1.0 / fps.parse::<Real>().unwrap();
            assert_a_metre_a_second(&shot.skin("walk.usda", Some(fps)), step, seconds, fps);
        }
    }
    // Time codes are times: 7 at 30 a second lies between frames of 10 a second, and 9 is frame 3.
    shot.usda("late.usda", 7, 8, 30.0);
    shot.job("late.usda", Some("10"), "o.abc");
    shot.done(&["run", "job.xml"]);
    let mut source = PointSource::open(&shot.path("out/o.abc"), None).unwrap();
    assert_eq!((source.fps(), source.frames()), (10.0, &[3, 4][..]));
    let places: Vec<Real> =
        (0..2).map(|k| source.read(k).unwrap()[0].x - source.read(0).unwrap()[0].x).collect();
    assert!((places[1] - 0.1).abs() < 1e-6, "{places:?}");
}

#[test]
fn joints_of_usd_stay_at_their_ends_and_others_have_no_frames_there() {
    let shot = Shot::new();
    shot.usda("walk.usda", 7, 4, 30.0);
    shot.bvh("walk.bvh", 4, 30.0, "0.033333");
    let places = |joints: &str| {
        shot.done(&[&shot.skinning(joints)[..], &["--frames", "3-14", "--out", "o.mdd"]].concat());
        let mut reader = CacheReader::open(&shot.path("o.mdd"), CacheKind::Mdd).unwrap();
        let mut points = Vec::new();
        let count = reader.seconds().unwrap().len();
        let first = |k| {
            reader.read(k, &mut points).unwrap();
            points[0].x
        };
        (0..count).map(first).collect::<Vec<Real>>()
    };
    let read = places("walk.usda");
    assert_eq!(read.len(), 12);
    for (frame, place) in (3..).zip(&read) {
        let moved = (frame - 7).clamp(0, 3) as Real / 30.0;
        assert!((place - read[0] - moved).abs() < 1e-6, "{frame}: {read:?}");
    }
    let skinning = shot.skinning("walk.bvh");
    let output = shot.sinew(&[&skinning[..], &["--frames", "3-14", "--out", "no.mdd"]].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{error}");
    assert!(error.contains("walk.bvh") && error.contains("lacks 10 of 12 frames: 5-14"), "{error}");
}

#[test]
fn rates_that_do_not_divide_are_refused_with_both_and_the_way_out() {
    let shot = Shot::new();
    shot.bvh("120.bvh", 13, 120.0, "0.008333");
    shot.bvh("30.bvh", 13, 30.0, "0.033333");
    shot.bvh("film.bvh", 13, FILM, "0.041708");
    shot.bvh("rough.bvh", 13, 1.0 / 0.0333, "0.0333");
    // All digits of 25 are there, and none of 28.6 allow 30.
    shot.bvh("25.bvh", 13, 25.0, "0.04");
    shot.bvh("odd.bvh", 13, 1.0 / 0.035, "0.035");
    shot.usda("30.usda", 0, 13, 30.0);
    for (file, fps, own) in [
        ("120.bvh", "25", "120"),
        ("120.bvh", "23.976", "120"),
        ("30.bvh", "24", "30"),
        ("film.bvh", "24", "23.976"),
        ("rough.bvh", "24", "30.03"),
        ("25.bvh", "24", "25"),
        ("odd.bvh", "30", "28.571"),
        ("30.usda", "24", "30"),
    ] {
        let skinning = shot.skinning(file);
        let error = shot.refused(&[&skinning[..], &["--out", "no.mdd", "--fps", fps]].concat());
        let [said, way] = [
            format!("{own} frames per second, which do not lie on whole frames at {fps}"),
            format!("use {own} or a rate that divides it"),
        ];
        assert!(error.contains(&said) && error.contains(&way) && error.contains(file), "{error}");
        assert!(!shot.path("no.mdd").exists());
        // The way out is one.
        assert_eq!(shot.skin(file, Some(own)).len(), 13);
        shot.job(file, Some(fps), "o.abc");
        let error = shot.refused(&["run", "job.xml"]);
        assert!(error.contains(&said) && error.contains("job.xml"), "{error}");
    }
    // The only sample lies between the frames.
    shot.usda("one.usda", 1, 1, 24.0);
    let error = shot.refused(&[&shot.skinning("one.usda")[..], &["--out", "no.mdd", "--fps", "12"]].concat());
    assert!(error.contains("24 frames per second") && error.contains("at 12"), "{error}");
}

#[test]
fn what_is_written_from_joints_lasts_as_long_as_they_do() {
    let shot = Shot::new();
    shot.bvh("walk.bvh", 13, 120.0, "0.008333");
    shot.usda("walk.usda", 0, 13, 120.0);
    for joints in ["walk.bvh", "walk.usda"] {
        for (given, rate) in [(None, 120.0), (Some("24"), 24.0)] {
            let frames = (0.1 * rate + 1e-6 as Real).floor() as usize + 1;
            shot.job(joints, given, "o.glb");
            shot.done(&["run", "job.xml"]);
            let last = glb_seconds(&shot.path("out/o.glb"));
            let expected = (frames - 1) as Real / rate;
            assert!((last - expected).abs() < 1e-6, "{joints} at {given:?}: {last} s, not {expected} s");
            shot.job(joints, given, "o.abc");
            shot.done(&["run", "job.xml"]);
            // The slide over it has its rate and its frames.
            let slide =
                ["slide", "--rest", "rest.obj", "--body", "out/o.abc", "--out", "slid", "--whole-mesh"];
            shot.done(&[&slide[..], &["--out-abc", "slid/o.abc"]].concat());
            let report: Value =
                serde_json::from_slice(&std::fs::read(shot.path("slid/report.json")).unwrap()).unwrap();
            assert_eq!(report["fps"], json!(rate), "{joints}");
            let source = PointSource::open(&shot.path("slid/o.abc"), None).unwrap();
            assert_eq!((source.fps(), source.frames().len()), (rate, frames), "{joints}");
        }
    }
}

/// The time of the last key in a glTF file of one buffer.
fn glb_seconds(path: &Path) -> Real {
    let bytes = std::fs::read(path).unwrap();
    let size = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let file: Value = serde_json::from_slice(&bytes[20..20 + size]).unwrap();
    let times = file["animations"][0]["samplers"][0]["input"].as_u64().unwrap() as usize;
    file["accessors"][times]["max"][0].as_f64().unwrap()
}

#[test]
fn strands_follow_joints_in_seconds() {
    let shot = Shot::new();
    shot.bvh("walk.bvh", 61, 120.0, "0.008333");
    shot.usda("walk.usda", 0, 61, 30.0);
    for joints in ["walk.bvh", "walk.usda"] {
        shot.write(
            "scene.xml",
            &format!(r#"<strand_scene version="1"><settings gravity="0 0 0"/><armature file="{joints}"/></strand_scene>"#),
        );
        for fps in ["24", "12"] {
            let output = ["strand", "scene.xml", "--seconds", "0.5", "--fps", fps, "--out", "moved"];
            shot.done(&output);
            let table = std::fs::read_to_string(shot.path("moved/bodies.csv")).unwrap();
            let places: Vec<Real> = table
                .lines()
                .filter(|line| line.contains(",hip,"))
                .map(|line| line.split(',').nth(5).unwrap().parse().unwrap())
                .collect();
            let fps: Real = fps.parse().unwrap();
            let expected: Vec<Real> = (0..=(0.5 * fps) as usize).map(|k| k as Real / fps).collect();
            let near = places.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6);
            assert!(places.len() == expected.len() && near, "{joints} at {fps}: {places:?}");
        }
    }
}

#[test]
fn that_a_rate_leaves_frames_without_joints_is_said() {
    let shot = Shot::new();
    shot.bvh("walk.bvh", 11, 30.0, "0.0333333");
    shot.usda("walk.usda", 0, 11, 30.0);
    for (joints, first) in [("walk.bvh", 1), ("walk.usda", 0)] {
        let skin =
            |more: &[&str]| shot.sinew(&[&shot.skinning(joints)[..], &["--out", "o.mdd"], more].concat());
        let said = |more: &[&str]| String::from_utf8(skin(more).stderr).unwrap();
        let words = "the joints have 30 frames per second: at 90 only every 3rd frame has joints";
        let warned = said(&["--fps", "90"]);
        assert!(warned.contains("warning") && warned.contains(joints) && warned.contains(words), "{warned}");
        let [last, missing] = [first + 30, first + 1];
        let range = format!("{first}-{last}");
        let more = ["--fps", "90", "--frames", &range];
        let error = said(&more);
        assert_eq!(skin(&more).status.code(), Some(3), "{error}");
        assert!(
            error.contains(words) && error.contains(&format!("lacks 20 of 31 frames: {missing}")),
            "{error}"
        );
        // Where nothing is left out, nothing is said.
        let range = format!("{first}-{last}x3");
        for more in [&["--fps", "90", "--frames", &*range][..], &["--fps", "30"], &["--fps", "15"], &[]] {
            let output = skin(more);
            assert!(output.status.success() && output.stderr.is_empty(), "{more:?}: {}", said(more));
        }
    }
    shot.bvh("zero.bvh", 3, 30.0, "0");
    let error = shot.refused(&[&shot.skinning("zero.bvh")[..], &["--out", "o.mdd", "--fps", "30"]].concat());
    assert!(error.contains("zero.bvh:13") && error.contains("Frame Time is 0"), "{error}");
}

#[test]
fn info_gives_the_rate_of_joints() {
    let shot = Shot::new();
    shot.bvh("walk.bvh", 3, 120.0, "0.008333");
    shot.usda("walk.usda", 0, 3, 30.0);
    assert_eq!(joints::read(&shot.path("walk.bvh")).unwrap().fps, Some(120.0));
    let info = |file: &str| shot.done(&["info", file]);
    assert!(info("walk.bvh").contains("frames per second: 120"), "{}", info("walk.bvh"));
    assert!(info("walk.usda").contains("time codes per second: 30"), "{}", info("walk.usda"));
}
