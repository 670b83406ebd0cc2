//! Compositions of many USD files beside USD's own library.

use crate::{judges, soak};
use sinew::formats::points::PointSource;
use sinew::formats::usd::Stage;
use sinew::math::Real;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Points by mesh and time.
type Found = BTreeMap<(String, String), Vec<Real>>;

/// Stands for the points of a mesh that is refused.
const REFUSED: Real = 1e9;
/// What is refused here and not by USD.
const REFUSALS: [&str; 4] = [
    "leads to no prim",
    "in an order that is not supported",
    "a cycle",
    "lies below a prim with arcs of its own",
];

fn ours(file: &Path, times: &BTreeSet<String>) -> Found {
    let stage = Stage::open(file).unwrap();
    let mut found = Found::new();
    for mesh in stage.meshes() {
        for time in times {
            let at = time.parse().unwrap();
            let points = match stage.points_at(mesh, at) {
                Ok(points) => points.iter().flat_map(|p| [p.x, p.y, p.z]).collect(),
                Err(error) if error.message().contains("no points") => Vec::new(),
                // USD warns and leaves out the arc; here the mesh is refused, as it may lack a part.
                Err(error) if REFUSALS.iter().any(|why| error.message().contains(why)) => {
                    found.insert((mesh.to_string(), time.clone()), vec![REFUSED]);
                    continue;
                }
                Err(error) => panic!("{}: {mesh} at {time}: {error}", file.display()),
            };
            found.insert((mesh.to_string(), time.clone()), points);
        }
    }
    found
}

/// Files that name each other in every way, as dice have it.
#[test]
fn compositions_are_what_usd_makes_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let first = soak::first_seed();
    let seeds = [first, first + soak::rounds(120)].map(|seed| seed.to_string());
    let output =
        judges::judge("usd_composed.py", &["make", folder.path().to_str().unwrap(), &seeds[0], &seeds[1]]);
    let lines = output.lines().filter_map(|line| line.strip_prefix("FOUND "));
    let mut stages: Vec<(String, Found)> = Vec::new();
    for line in lines {
        let (what, time, numbers): (String, Real, Vec<Real>) = serde_json::from_str(line).unwrap();
        match what.starts_with(folder.path().to_str().unwrap()) {
            true => stages.push((what, Found::new())),
            false => drop(stages.last_mut().unwrap().1.insert((what, time.to_string()), numbers)),
        }
    }
    let times: BTreeSet<String> = stages.iter().flat_map(|(_, f)| f.keys().map(|k| k.1.clone())).collect();
    let (mut compared, mut refused, mut wrong) = (0, 0, Vec::new());
    for (place, theirs) in &stages {
        let found = ours(&Path::new(place).join("root.usda"), &times);
        // A mesh that is refused may not even be known to be one.
        let stage = Stage::open(&Path::new(place).join("root.usda")).unwrap();
        let is_refused = |mesh: &str| match stage.points_at(mesh, 0.0) {
            Ok(_) => false,
            Err(error) => REFUSALS.iter().any(|why| error.message().contains(why)),
        };
        let odd = found.keys().filter(|key| !theirs.contains_key(key));
        for (mesh, _) in odd.chain(theirs.keys().filter(|key| !found.contains_key(key))) {
            if !is_refused(mesh) {
                wrong.push(format!("{place}: {mesh} is on one side only: USD has {{"));
            }
        }
        for (key, numbers) in theirs {
            let Some(own) = found.get(key).filter(|own| own[..] != [REFUSED]) else {
                refused += 1;
                continue;
            };
            compared += 1;
            let near = |(a, b): (&Real, &Real)| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
            if own.len() != numbers.len() || !own.iter().zip(numbers).all(near) {
                wrong.push(format!("{place}: {key:?}: {own:?}, USD has {numbers:?}"));
            }
        }
    }
    println!("{compared} compared, {refused} refused");
    let some: Vec<_> =
        wrong.iter().filter(|w| w.contains("\"1\"") || w.contains("USD has {")).take(60).collect();
    assert!(wrong.is_empty(), "{} of {compared}: {some:#?}", wrong.len());
    assert!(compared > 2000 && refused < 3 * compared, "{compared} compared, {refused} refused");
}

/// A mesh as USD has it: path, time, points, corners of faces, vertices of corners.
type Whole = (String, Real, Vec<Real>, Vec<u32>, Vec<u32>);

/// Files of others, in the folder that SINEW_USD_ASSETS names, such as a copy of github.com/usd-wg/assets.
#[test]
fn files_made_elsewhere_are_read_as_usd_reads_them() {
    let Ok(folder) = std::env::var("SINEW_USD_ASSETS") else {
        println!("skipped: SINEW_USD_ASSETS names no folder of USD files");
        return;
    };
    let (same, refused, wrong) = beside_usd(&folder);
    println!("{same} meshes are the same, {} are not read:\n{}", refused.len(), refused.join("\n"));
    assert!(wrong.is_empty() && same > 0, "{} differ: {wrong:#?}", wrong.len());
}

/// What Blender writes, with instances, and a shot that sublayers, references and loads it.
#[test]
fn files_of_blender_that_use_each_other_are_read_as_usd_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    judges::judge("usd_composed.py", &["blender", folder]);
    let (same, refused, wrong) = beside_usd(folder);
    assert!(wrong.is_empty() && refused.is_empty(), "{refused:#?} {wrong:#?}");
    assert!(same > 15, "{same}");
}

/// How many meshes of all files below a folder are as USD has them; which are refused, and which differ.
fn beside_usd(folder: &str) -> (usize, Vec<String>, Vec<String>) {
    let output = judges::judge("usd_composed.py", &["assets", folder]);
    let (mut stage, mut file) = (None, String::new());
    let (mut same, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for line in output.lines().filter_map(|line| line.strip_prefix("FOUND ")) {
        let (path, time, points, counts, corners): Whole = serde_json::from_str(line).unwrap();
        if path.starts_with(folder) {
            stage = Stage::open(Path::new(&path)).map_err(|e| refused.push(e.to_string())).ok();
            file = path;
            continue;
        }
        let Some(stage) = &stage else { continue };
        let mesh = match stage.mesh_at(&path, time, true) {
            Ok(mesh) => mesh,
            Err(error) => {
                refused.push(error.to_string());
                continue;
            }
        };
        let own: Vec<Real> = mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        let size = points.iter().fold(1.0, |size: Real, n| size.max(n.abs()));
        let near = own.iter().zip(&points).all(|(a, b)| (a - b).abs() <= 1e-5 * size);
        let faces: Vec<u32> = (0..mesh.face_count()).map(|f| mesh.face(f).len() as u32).collect();
        match near && own.len() == points.len() && faces == counts && mesh.corner_vertices == corners {
            true => same += 1,
            false => wrong.push(format!("{file}{path}: {} numbers, USD has {}", own.len(), points.len())),
        }
    }
    (same, refused, wrong)
}

/// Where USD's order of classes is not supported, the prim is an error that names it; its neighbours are read.
#[test]
fn classes_in_an_order_that_is_not_supported_are_refused_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let triangle = |x: i32| {
        format!(
            "int[] faceVertexCounts = [3] int[] faceVertexIndices = [0, 1, 2] point3f[] points = [({x}, 0, 0), (1, 0, \
             0), (0, 1, 0)]"
        )
    };
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), format!("#usda 1.0\n{text}\n")).unwrap();
    };
    write(
        "prop.usda",
        &format!(
            r#"class "_steel" {{ def Mesh "m" {{ {} }} }}
            class "_base" {{ def Mesh "m" {{ {} }} }}
            def "one" (inherits = </_steel>) {{}}
            def "two" (specializes = </_base>) {{}}"#,
            triangle(2),
            triangle(3)
        ),
    );
    write(
        "kit.usda",
        r#"def "two" (references = @./prop.usda@</two>) {} over "_base" { over "m" { int k = 1 } }"#,
    );
    write(
        "root.usda",
        &format!(
            r#"class "_steel" {{ over "m" {{ point3f[] points = [(7, 0, 0), (1, 0, 0), (0, 1, 0)] }} }}
            over "_base" {{ over "m" {{ int k = 2 }} }}
            def "one" (references = @./prop.usda@</one>) {{}}
            def "twice" (references = [@./prop.usda@</one>, </again>]) {{}}
            def "again" (inherits = </_steel>) {{ def Mesh "m" {{ {} }} }}
            def "special" (references = @./prop.usda@</two>) {{}}
            def "plain" (references = @./prop.usda@</_base>) {{ over "m" {{}} }}"#,
            triangle(4)
        ),
    );
    let stage = Stage::open(&folder.path().join("root.usda")).unwrap();
    let first = |mesh: &str| stage.points_at(mesh, 0.0).map(|points| points[0].x);
    assert_eq!(first("/one/m").unwrap(), 7.0, "what the shot says about the class of a prop");
    assert_eq!(first("/again/m").unwrap(), 4.0);
    for (mesh, why) in [("/twice/m", "inherits a class"), ("/special/m", "specializes a prim")] {
        let error = first(mesh).unwrap_err().to_string();
        let said = error.contains(why) && error.contains("in an order that is not supported");
        assert!(said && error.contains("prop.usda") | error.contains("root.usda"), "{error}");
        assert!(error.contains(mesh), "{error}");
    }
    let problems = stage.problems();
    assert!(problems.len() == 2 && !problems.iter().any(|p| p.contains("/one ")), "{problems:?}");
    let kit = Stage::open(&folder.path().join("kit.usda")).unwrap();
    assert!(kit.points_at("/two/m", 0.0).is_err(), "two places have a say about what it specializes");
}

/// Samples need not lie on frames: USD has values at all times, and the rate of an asset need not be that of the shot.
#[test]
fn meshes_are_where_usd_has_them_whatever_frames_their_samples_lie_between() {
    let folder = tempfile::tempdir().unwrap();
    let output = judges::judge("usd_composed.py", &["between", folder.path().to_str().unwrap()]);
    let mut shots: BTreeMap<String, Vec<(Real, Vec<Real>)>> = BTreeMap::new();
    for line in output.lines().filter_map(|line| line.strip_prefix("FOUND ")) {
        let (name, frame, numbers): (String, Real, Vec<Real>) = serde_json::from_str(line).unwrap();
        shots.entry(name).or_default().push((frame, numbers));
    }
    assert_eq!(shots.len(), 4);
    for (name, found) in shots {
        let mut source = PointSource::open(&folder.path().join(&name), None).unwrap();
        let rate = if name == "shot.usda" { 60.0 } else { 24.0 };
        assert_eq!(source.fps(), if name == "sparse.usda" { 25.0 } else { rate }, "{name}");
        let whole = found.iter().filter(|(frame, _)| frame.fract() == 0.0);
        let frames: Vec<i64> = whole.map(|(frame, _)| *frame as i64).collect();
        assert_eq!(source.frames(), frames, "{name}");
        for (frame, theirs) in found {
            let ours = match source.frames().iter().position(|&there| there as Real == frame) {
                Some(index) => source.read(index).unwrap(),
                None => source.between(frame).unwrap().unwrap(),
            };
            let ours = ours.iter().flat_map(|p| [p.x, p.y, p.z]);
            // The judge computes in single precision.
            let far = ours.zip(&theirs).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, Real::max);
            assert!(theirs.len() == 9 && far < 1e-5, "{name} at {frame}: {far}");
        }
    }
}

/// What USD warns about and reads as no offset at all would be another motion: it is refused in words.
#[test]
fn a_layer_that_runs_backwards_is_refused_in_a_whole_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "asset.usda",
        "#usda 1.0\ndef Xform \"cat\" \
         {\ndef Mesh \"skin\" {\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n\
         point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n}\n}\n",
    );
    for (shot, words) in [
        (
            "def \"pet\" (\nprepend references = @./asset.usda@</cat> (offset = 3; scale = -2)\n) {\n}\n",
            "the reference @./asset.usda@</cat> of /pet has an offset in time that is not finite, or a scale",
        ),
        ("", "the sublayer @./asset.usda@ has an offset in time that is not finite, or a scale"),
    ] {
        let layers = if shot.is_empty() { "(\nsubLayers = [@./asset.usda@ (scale = 0)]\n)\n" } else { "" };
        write("shot.usda", &format!("#usda 1.0\n{layers}{shot}"));
        let error = PointSource::open(&folder.path().join("shot.usda"), None).err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
}
