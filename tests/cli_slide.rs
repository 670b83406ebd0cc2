//! `sinew slide` from outside.

#[path = "support/strip.rs"]
mod strip;

use std::path::Path;
use std::process::Output;
use strip::{sinew, strip, text};

const SLIDE: [&str; 11] = [
    "slide",
    "--rest",
    "rest.obj",
    "--body",
    "body.%04d.obj",
    "--fps",
    "24",
    "--map",
    "fixed=fixed.csv",
    "--map",
    "slide=slide.csv",
];

/// The expected values are for skin held by painted maps alone, solved almost exactly.
const EXACT: [&str; 6] = ["--set", "tie_reach=0", "--set", "material=stvk", "--set", "tolerance=1e-8"];

fn slide(folder: &Path, more: &[&str]) -> Output {
    sinew(folder, &[&SLIDE[..], &EXACT, more].concat())
}

/// The x of the skin at each vertex of a mesh of so many faces.
fn skin_xs(path: &Path, faces: f64) -> Vec<f64> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("vertex,x,y,z,face,b0,b1,b2"));
    lines
        .enumerate()
        .map(|(v, line)| {
            let cells: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            assert_eq!((cells.len(), cells[0] as usize), (8, v));
            assert!((cells[5] + cells[6] + cells[7] - 1.0).abs() < 1e-12 && cells[4] < faces);
            cells[1]
        })
        .collect()
}

#[test]
fn slide_spreads_a_stretch_evenly() {
    let folder = strip(4);
    let output = slide(folder.path(), &["--frames", "1-4", "--out", "out", "--set", "poisson=0"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (v, x) in skin_xs(&folder.path().join("out/skin.0004.csv"), 27.0).into_iter().enumerate() {
        let home = (v % 10) as f64 / 9.0;
        let expected = (home + (home - 0.5).max(0.0)) / 1.5;
        assert!((x - expected).abs() < 2e-6, "vertex {v}: {x} {expected}");
    }
    let mesh = sinew::formats::obj::read(&folder.path().join("out/uv.0004.obj")).unwrap().mesh;
    let uvs = mesh.uvs.unwrap();
    for (corner, &v) in mesh.corner_vertices.iter().enumerate() {
        let home = (v % 10) as f64 / 9.0;
        let uv = uvs.values[uvs.indices[corner] as usize];
        assert!((uv.x - (home + (home - 0.5).max(0.0)) / 1.5).abs() < 2e-6);
    }
    let report = std::fs::read(folder.path().join("out/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    let last = &report["frames"][3];
    assert!((last["maximal_stretch"].as_f64().unwrap() - 1.5).abs() < 1e-5, "{last}");
    for name in ["iterations", "residual", "energy_before", "energy_after", "inverted_triangles"] {
        assert!(last[name].is_number(), "{name}: {last}");
    }
    assert!(last["milliseconds"]["solve"].is_number());
}

#[test]
fn slide_knows_both_integrators_and_proxies() {
    let folder = strip(4);
    let xs = |more: &[&str], out: &str| {
        let output = slide(folder.path(), &[more, &["--out", out]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        skin_xs(&folder.path().join(out).join("skin.0004.csv"), 27.0)
    };
    let most = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let whole = xs(&["--set", "poisson=0"], "whole");
    let proxy =
        xs(&["--set", "poisson=0", "--set", "proxy_triangles=20", "--set", "proxy_check=true"], "proxy");
    assert!(most(&whole, &proxy) < 0.03, "{}", most(&whole, &proxy));
    let report = std::fs::read(folder.path().join("proxy/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert!(report["frames"][3]["proxy_error_max"].as_f64().unwrap() < 0.3, "{}", report["frames"][3]);
    let paper = xs(&["--set", "poisson=0", "--set", "integrator=paper", "--set", "young=1e6"], "paper");
    println!("paper against production: {}", most(&whole, &paper));
    assert!(most(&whole, &paper) < 0.05, "{}", most(&whole, &paper));
}

/// A round body without UVs, twice as long on its right side after four frames; its left and right ends are held.
fn ball() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rest = sinew::geometry::shapes::sphere(0.1, 2);
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let mesh = |pull: f64| {
        let longer = |x: f64| x + pull * x.max(0.0);
        let vertices = rest.positions.iter().map(|p| format!("v {} {} {}\n", longer(p.x), p.y, p.z));
        let face = |f: usize| rest.face(f).iter().map(|v| format!(" {}", v + 1)).collect::<String>();
        let faces = (0..rest.face_count()).map(|f| format!("f{}\n", face(f)));
        vertices.chain(faces).collect::<String>()
    };
    write("rest.obj", mesh(0.0));
    (1..=4).for_each(|f| write(&format!("body.{f:04}.obj"), mesh(f64::from(f) / 8.0)));
    write("fixed.csv", rest.positions.iter().map(|p| if p.x.abs() > 0.07 { "1\n" } else { "0\n" }).collect());
    folder
}

#[test]
fn slide_obeys_rows_as_it_obeys_holds() {
    let folder = strip(4);
    let mesh = sinew::formats::obj::read(&folder.path().join("rest.obj")).unwrap().mesh;
    let fixed = std::fs::read_to_string(folder.path().join("fixed.csv")).unwrap();
    let held =
        fixed.lines().enumerate().filter(|(_, line)| line.trim().parse::<f64>().is_ok_and(|f| f >= 0.5));
    let mut table = "row,vertex,x,y,z\n".to_string();
    // Two rows at odd angles in the plane of the strip.
    for (k, (v, _)) in held.enumerate() {
        table += &format!("{},{v},1,0.3,0.3\n{},{v},-0.4,1,1\n", 2 * k, 2 * k + 1);
    }
    std::fs::write(folder.path().join("rows.csv"), table).unwrap();
    std::fs::write(folder.path().join("none.csv"), "0\n".repeat(mesh.positions.len())).unwrap();
    for integrator in ["integrator=production", "integrator=paper"] {
        let run = |more: &[&str]| {
            let given = ["--frames", "1-4", "--set", "poisson=0", "--set", integrator];
            let output = slide(folder.path(), &[&given[..], more].concat());
            assert!(output.status.success(), "{}", text(&output.stderr));
            skin_xs(&folder.path().join(more[1]).join("skin.0004.csv"), 27.0)
        };
        let by_map = run(&["--out", "map"]);
        let by_rows = run(&["--out", "rows", "--rows", "rows.csv", "--map", "fixed=none.csv"]);
        for (v, (a, b)) in by_map.iter().zip(&by_rows).enumerate() {
            assert!((a - b).abs() < 3e-6, "{integrator}, vertex {v}: {a} {b}");
        }
    }
    std::fs::write(folder.path().join("rows.csv"), "0,99999,1,0,0\n").unwrap();
    let output = slide(folder.path(), &["--frames", "1-4", "--out", "bad", "--rows", "rows.csv"]);
    assert!(!output.status.success());
    assert!(
        text(&output.stderr).contains("row 0 of the constraints names vertex 99999"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn slide_makes_an_atlas_for_the_papers_integrator() {
    let folder = ball();
    let run = |more: &[&str], out: &str| {
        let given = ["slide", "--rest", "rest.obj", "--body", "body.%04d.obj", "--map", "fixed=fixed.csv"];
        let soft = ["--set", "young=1e6", "--out", out];
        sinew(folder.path(), &[&given[..], &soft, more].concat())
    };
    let refused = run(&["--set", "integrator=paper"], "none");
    assert!(!refused.status.success() && text(&refused.stderr).contains("atlas = quads"));
    let quads = run(&["--set", "integrator=paper", "--set", "atlas=quads"], "quads");
    assert!(quads.status.success(), "{}", text(&quads.stderr));
    assert!(run(&[], "production").status.success());
    let skins = ["quads", "production"].map(|out| {
        let csv = std::fs::read_to_string(folder.path().join(out).join("skin.0004.csv")).unwrap();
        let x = |line: &str| line.split(',').nth(1).unwrap().parse::<f64>().unwrap();
        csv.lines().skip(1).map(x).collect::<Vec<_>>()
    });
    let rest = sinew::geometry::shapes::sphere(0.1, 2).positions;
    let most = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let home: Vec<f64> = rest.iter().map(|p| p.x).collect();
    let off = most(&skins[0], &skins[1]) / most(&skins[1], &home);
    println!("ball: made charts {off:.1e} of the slide off production");
    assert!(most(&skins[1], &home) > 5e-3 && off < 0.1, "{off}");
}

#[test]
fn slide_goes_on_from_a_saved_state_with_the_same_bits() {
    let folder = strip(4);
    let dynamic = ["--set", "mode=dynamic", "--set", "zeta=0.2"];
    let run = |more: &[&str]| {
        let output = slide(folder.path(), &[&dynamic, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run(&["--out", "whole"]);
    run(&["--frames", "1-2", "--out", "half", "--save-state", "half.state"]);
    run(&["--frames", "3-4", "--out", "half", "--resume", "half.state", "-j", "1"]);
    for frame in 1..=4 {
        for name in [format!("skin.000{frame}.csv"), format!("uv.000{frame}.obj")] {
            let read =
                |folder_name: &str| std::fs::read(folder.path().join(folder_name).join(&name)).unwrap();
            assert_eq!(read("whole"), read("half"), "{name}");
        }
    }
    std::fs::write(folder.path().join("half.state"), b"SINEWSTA no").unwrap();
    let output = slide(folder.path(), &["--out", "more", "--resume", "half.state"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("half.state: node skin_slider: the saved state"),
        "{}",
        text(&output.stderr)
    );
}

/// The scene holds every option; its folder can be moved with the files in it.
#[test]
fn a_saved_scene_slides_as_the_options_do() {
    let folder = strip(3);
    let options = ["--frames", "1-3", "--set", "poisson=0.1", "--out", "out", "--out-abc", "out/a.abc"];
    let output = slide(folder.path(), &options);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let save = [&options[..], &["--save-scene", "job.xml"]].concat();
    assert!(slide(folder.path(), &save).status.success());
    let again = slide(folder.path(), &save);
    assert!(!again.status.success() && text(&again.stderr).contains("--force"), "{}", text(&again.stderr));
    // What could not be computed is not saved either.
    for wrong in [["--set", "nope=3"], ["--body", "nothere.%04d.obj"]] {
        let output = slide(folder.path(), &[&options[..], &wrong, &["--save-scene", "wrong.xml"]].concat());
        assert!(!output.status.success() && !folder.path().join("wrong.xml").exists(), "{wrong:?}");
    }
    let moved = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            std::fs::copy(&file, moved.path().join(file.file_name().unwrap())).unwrap();
        }
    }
    let job = moved.path().join("job.xml");
    let output = sinew(folder.path(), &["run", job.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for name in ["skin.0003.csv", "maps.0002.csv", "uv.0001.obj"] {
        let read = |folder: &Path| std::fs::read(folder.join("out").join(name)).unwrap();
        assert_eq!(read(moved.path()), read(folder.path()), "{name}");
    }
    assert!(moved.path().join("out/a.abc").exists());
}

#[test]
fn slide_names_what_is_wrong_and_outlives_a_broken_body() {
    let folder = strip(4);
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("short.csv", "1\n1\n");
    for (more, code, named) in [
        (&["--out", "o", "--frames", "3-6"][..], 3, "2 of 4 frames are missing: 5-6"),
        (
            &["--out", "o", "--map", "fixd=fixed.csv"],
            2,
            "no input \"fixd\"; there are rest, points, acted, fixed",
        ),
        (&["--out", "o", "--map", "anchor=short.csv"], 1, "2 values for 40 vertices"),
        (&["--out", "o", "--set", "young=-1"], 2, "young: -1 is not in the range"),
        (&["--out", "o", "--set", "material=jelly"], 2, "orthotropic"),
        (&["--out", "o", "--map", "slide=fixed.csv"], 1, "slide"),
    ] {
        let output = slide(folder.path(), more);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{more:?}: {message}");
        assert!(message.contains(named), "{more:?}: {message}");
    }
    let good = std::fs::read_to_string(folder.path().join("body.0002.obj")).unwrap();
    write("body.0002.obj", &good.replacen("v 0 0", "v nan 0", 1));
    let output = slide(folder.path(), &["--out", "out"]);
    let message = text(&output.stderr);
    assert!(message.contains("frame 2: replaced by the last good result"), "{message}");
    assert!(output.status.code() == Some(1) && message.contains("1 of 4 frames failed: 2"), "{message}");
    let read = |frame: i32| std::fs::read(folder.path().join(format!("out/skin.000{frame}.csv"))).unwrap();
    assert!(read(1) == read(2) && read(2) != read(3));
    // A body that has shrunk to a point is refused, too, and a missing frame is reported.
    let point = |line: &str| if line.starts_with("v ") { "v 0 0 0".into() } else { line.to_string() };
    write("body.0002.obj", &good.lines().map(|line| point(line) + "\n").collect::<String>());
    let output = slide(folder.path(), &["--out", "out"]);
    let message = text(&output.stderr);
    assert!(output.status.code() == Some(1) && message.contains("the size of the body is 0"), "{message}");
    std::fs::remove_file(folder.path().join("body.0002.obj")).unwrap();
    let output = slide(folder.path(), &["--out", "out"]);
    let message = text(&output.stderr);
    assert!(output.status.success() && message.contains("no frames 2: they are left out"), "{message}");
}

#[test]
fn slide_takes_vertices_without_faces_and_tells_of_bodies_in_another_order() {
    let folder = strip(4);
    let at = |name: &str| folder.path().join(name);
    for name in ["rest.obj", "body.0001.obj"] {
        let text = std::fs::read_to_string(at(name)).unwrap();
        // One more vertex, in no face; the maps of the others no longer fit.
        std::fs::write(at(&format!("lone_{name}")), text.replacen("vt ", "v 5 5 5\nvt ", 1)).unwrap();
    }
    let given = ["slide", "--rest", "lone_rest.obj", "--body", "lone_body.%04d.obj", "--out", "lone"];
    let output = sinew(folder.path(), &given);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let body = std::fs::read_to_string(at("body.0001.obj")).unwrap();
    std::fs::write(at("other.0001.obj"), body.replacen("f 1/1 2/2", "f 40/1 2/2", 1)).unwrap();
    let given = ["slide", "--rest", "rest.obj", "--body", "other.%04d.obj", "--out", "other"];
    let output = sinew(folder.path(), &given);
    assert!(text(&output.stderr).contains("face 0 has different vertices"), "{}", text(&output.stderr));
}

/// A sheet whose middle a blend shape draws aside while a bone lifts the whole, as text of USD.
fn acting_sheet() -> String {
    const N: usize = 9;
    let at = |k: usize| [(k % N) as f64 / (N - 1) as f64, (k / N) as f64 / (N - 1) as f64];
    let all = |number: &dyn Fn(usize) -> String, count: usize| {
        (0..count).map(number).collect::<Vec<_>>().join(", ")
    };
    let points = all(&|k| format!("({}, {}, 0)", at(k)[0], at(k)[1]), N * N);
    let aside = |k: usize| {
        let [x, y] = at(k).map(|t| (std::f64::consts::PI * t).sin());
        format!("({}, 0, 0)", 0.2 * x * x * y * y)
    };
    let faces = (N - 1) * (N - 1);
    let corner = |f: usize| f % (N - 1) + N * (f / (N - 1));
    let corners = all(
        &|f| format!("{}, {}, {}, {}", corner(f), corner(f) + 1, corner(f) + N + 1, corner(f) + N),
        faces,
    );
    let one = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))";
    format!(
        r#"#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
    timeCodesPerSecond = 24
)
def SkelRoot "root" {{
    rel skel:skeleton = </root/bones>
    rel skel:animationSource = </root/acting>
    def Skeleton "bones" {{
        uniform token[] joints = ["head"]
        uniform matrix4d[] bindTransforms = [{one}]
        uniform matrix4d[] restTransforms = [{one}]
    }}
    def SkelAnimation "acting" {{
        uniform token[] joints = ["head"]
        float3[] translations.timeSamples = {{ 1: [(0, 0, 0)], 4: [(0, 0, 0.3)] }}
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
        uniform token[] blendShapes = ["aside"]
        float[] blendShapeWeights.timeSamples = {{ 1: [0], 4: [1] }}
    }}
    def Mesh "face" {{
        int[] faceVertexCounts = [{}]
        int[] faceVertexIndices = [{corners}]
        point3f[] points = [{points}]
        int[] primvars:skel:jointIndices = [0] ( interpolation = "constant" )
        float[] primvars:skel:jointWeights = [1] ( interpolation = "constant" )
        uniform token[] skel:blendShapes = ["aside"]
        rel skel:blendShapeTargets = </root/face/aside>
        def BlendShape "aside" {{
            uniform vector3f[] offsets = [{}]
        }}
    }}
}}
"#,
        all(&|_| "4".into(), faces),
        all(&aside, N * N),
    )
}

/// The largest way of the skin along x.
fn farthest(path: &Path) -> f64 {
    let way = |(v, x): (usize, f64)| (x - (v % 9) as f64 / 8.0).abs();
    skin_xs(path, 64.0).into_iter().enumerate().map(way).fold(0.0, f64::max)
}

#[test]
fn blend_shapes_of_a_file_take_the_skin_along() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("face.usda"), acting_sheet()).unwrap();
    let slide = |more: &[&str]| {
        let all =
            [&["slide", "--rest", "face.usda", "--body", "face.usda", "--out", "out"][..], more].concat();
        let output = sinew(at, &all);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (farthest(&at.join("out/skin.0004.csv")), text(&output.stderr).to_string())
    };
    // By itself, and where it is said.
    assert!(slide(&[]).0 < 1e-9);
    assert!(slide(&["--acted", "face.usda/root/face"]).0 < 1e-9);
    // In a scene it has to be said; what is overlooked is told.
    let saved = sinew(
        at,
        &["slide", "--rest", "face.usda", "--body", "face.usda", "--out", "out", "--save-scene", "scene.xml"],
    );
    assert!(saved.status.success(), "{}", text(&saved.stderr));
    let scene = std::fs::read_to_string(at.join("scene.xml")).unwrap();
    let line = scene.lines().find(|line| line.contains("port=\"acted\"")).unwrap();
    std::fs::write(at.join("overlooked.xml"), scene.replace(line, "")).unwrap();
    let run = |name: &str| {
        let output = sinew(at, &["run", name]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (farthest(&at.join("out/skin.0004.csv")), text(&output.stderr).to_string())
    };
    let (way, said) = run("scene.xml");
    assert!(way < 1e-9 && !said.contains("blend shapes"), "{way} {said}");
    let (way, said) = run("overlooked.xml");
    assert!(way > 0.1 && said.contains("its blend shapes count as moved by bones"), "{way} {said}");
}

/// What cannot be used is named by the option that it came from.
#[test]
fn mistakes_name_the_option() {
    let folder = strip(2);
    for (args, named) in [
        (
            &["--map", "fixd=fixed.csv"][..],
            "--map fixd: no input \"fixd\"; there are rest, points, acted, fixed,",
        ),
        (&["--rows", "none.csv"], "none.csv: No such file"),
    ] {
        let output = slide(folder.path(), &[&["--out", "out"], args].concat());
        let reported = text(&output.stderr);
        assert!(!output.status.success() && reported.contains(named), "{reported}");
    }
    let output = sinew(folder.path(), &["skin", "--rest", "rest.obj", "--out", "a.pc2"]);
    let reported = text(&output.stderr);
    assert!(
        reported.contains("nothing feeds the input joints: use --joints, or add <input port=\"joints\""),
        "{reported}"
    );
    let reported = text(&sinew(folder.path(), &["skin", "--rest", "rest.obj"]).stderr);
    assert!(reported.contains("nothing is written: use --out"), "{reported}");
}
