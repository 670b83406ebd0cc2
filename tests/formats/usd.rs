//! USD beside USD itself and Blender: they find in our files what we wrote, and we find in theirs what they do.

use crate::judges;
use sinew::error::{Kind, Result};
use sinew::formats::joints::{self, JointAnimation};
use sinew::formats::points::{PointSource, find_frames};
use sinew::formats::usd::{self, Curves, CurvesData, FrameData, Info, Map, Primvar, Stage};
use sinew::formats::{mesh, obj};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Affine, Mat3, Real, Rotation, Space, UpAxis, Vec2, Vec3, affine, transform_point};
use std::path::Path;

/// A line of what a judge reported: what, when, which numbers.
type Reported = (String, Real, Vec<Real>);

pub fn reported(arguments: &[&str]) -> Vec<Reported> {
    let output = judges::judge("usd.py", arguments);
    let lines = output.lines().filter_map(|line| line.strip_prefix("TOLD "));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn assert_near(what: &str, ours: &[Real], theirs: &[Real], limit: Real) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (k, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!((a - b).abs() <= limit * (1.0 + b.abs()), "{what}, number {k}: {a}, the judge says {b}");
    }
}

pub fn flat(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

fn rows(m: &Affine) -> [Real; 16] {
    std::array::from_fn(|k| if k % 4 < 3 { m[(k % 4, k / 4)] } else { Real::from(k == 15) })
}

/// The values of a primvar with its indices followed.
fn followed(primvar: &Primvar) -> Vec<Real> {
    let width = primvar.components;
    match &primvar.indices {
        None => primvar.values.clone(),
        Some(indices) => {
            indices.iter().flat_map(|&k| primvar.values[width * k as usize..][..width].to_vec()).collect()
        }
    }
}

fn only_skeleton(stage: &Stage) -> JointAnimation {
    stage.skeleton(stage.skeletons()[0], None).unwrap()
}

/// Our reading of what a judge reported.
fn ours(stage: &Stage, what: &str, time: Real) -> Vec<Real> {
    let words: Vec<&str> = what.split(' ').collect();
    match words[..] {
        ["rate"] => vec![stage.time_codes_per_second(), stage.space().unwrap().metres_per_unit()],
        ["up"] => vec![Real::from(stage.space().unwrap().up() == UpAxis::Z)],
        [mesh, "counts"] => {
            let mesh = stage.mesh_at(mesh, time, false).unwrap();
            mesh.face_offsets.windows(2).map(|w| Real::from(w[1] - w[0])).collect()
        }
        [mesh, "corners"] => {
            let mesh = stage.mesh_at(mesh, time, false).unwrap();
            mesh.corner_vertices.iter().copied().map(Real::from).collect()
        }
        [mesh, "points"] => flat(&stage.mesh_at(mesh, time, false).unwrap().positions),
        [mesh, "world", "points"] => {
            let points = stage.points_at(mesh, time).unwrap();
            assert_eq!(points, stage.mesh_at(mesh, time, true).unwrap().positions);
            flat(&points)
        }
        [mesh, "velocities"] => flat(&stage.velocities_at(mesh, time).unwrap().unwrap()),
        [mesh, "normals", "faceVarying"] => {
            flat(&stage.mesh_at(mesh, time, false).unwrap().normals.unwrap().values)
        }
        [mesh, name, interpolation] => {
            let primvar = stage.primvar_at(mesh, name, time).unwrap().unwrap();
            assert_eq!(primvar.interpolation, interpolation, "{what}");
            if name == "st" {
                let layer = stage.mesh_at(mesh, time, false).unwrap().uvs.unwrap();
                let uvs = layer.indices.iter().map(|&k| layer.values[k as usize]);
                assert_eq!(uvs.flat_map(|uv| [uv.x, uv.y]).collect::<Vec<_>>(), followed(&primvar));
            }
            followed(&primvar)
        }
        ["bind"] => only_skeleton(stage).rest.iter().flat_map(rows).collect(),
        ["joints"] => {
            let pose = only_skeleton(stage).frames[&(time as i64)].clone();
            pose.iter().flat_map(rows).collect()
        }
        _ => panic!("the judge reported {what:?}"),
    }
}

#[test]
fn we_read_all_three_forms_as_usd_does() {
    let folder = tempfile::tempdir().unwrap();
    let reported = reported(&["make", folder.path().to_str().unwrap()]);
    assert!(reported.len() > 80, "{} lines", reported.len());
    for name in ["a.usda", "a.usdc", "a.usdz"] {
        let path = folder.path().join(name);
        let stage = Stage::open(&path).unwrap();
        assert_eq!(stage.meshes(), ["/root/inner/grid", "/root/left"]);
        assert_eq!(stage.sample_times("/root/inner/grid").unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(stage.frames(&[1.0, 2.0], 50.0), [2.0, 4.0]);
        for (what, time, numbers) in reported.iter().filter(|(what, ..)| what != "range") {
            assert_near(&format!("{name}: {what} at {time}"), &ours(&stage, what, *time), numbers, 1e-6);
        }
        assert_eq!(joints::read(&path).unwrap().animation.names, ["hip", "knee", "foot", "tail"]);
        assert_eq!(joints::read(&path.join("root/skel/bones")).unwrap(), joints::read(&path).unwrap());
        let error = PointSource::open(&path, 25.0).err().unwrap();
        assert_eq!(error.kind(), Kind::InvalidArgument);
        let list = "2 of mesh: /root/inner/grid, /root/left; name one after the file, as in shot.usdc/root/inner/grid";
        assert!(error.message().contains(list), "{error}");
        let mut source = PointSource::open(&path.join("root/inner/grid"), 25.0).unwrap();
        assert_eq!(source.frames(), [1, 2, 3]);
        assert_eq!(source.read(1).unwrap(), stage.points_at("/root/inner/grid", 2.0).unwrap());
        assert_eq!(mesh::read(&path.join("root/left")).unwrap().mesh.positions.len(), 3);
        let error = PointSource::open(&path.join("root/right"), 25.0).err().unwrap();
        assert_eq!((error.kind(), error.place().file.as_deref()), (Kind::NotFound, Some(path.as_path())));
        assert!(error.message().contains("/root/left"), "{error}");
    }
}

#[test]
fn we_read_blenders_file_as_it_looks() {
    let folder = tempfile::tempdir().unwrap();
    let reported = reported(&["blender", folder.path().to_str().unwrap()]);
    let path = folder.path().join("b.usdc");
    let (stage, mesh_path) = Stage::open_mesh(&path).unwrap();
    let mut source = PointSource::open(&path, stage.time_codes_per_second()).unwrap();
    assert_eq!(reported.len(), 6);
    for (what, time, numbers) in &reported {
        let mesh = stage.mesh_at(&mesh_path, *time, true).unwrap();
        if what == "points" {
            assert_near(&format!("points at {time}"), &flat(&mesh.positions), numbers, 1e-5);
            let index = find_frames(&source, &[*time as i64], &path).unwrap()[0];
            assert_eq!(source.read(index).unwrap(), mesh.positions);
        } else {
            let layer = mesh.uvs.unwrap();
            let uvs: Vec<Real> =
                layer.indices.iter().flat_map(|&k| layer.values[k as usize].as_slice().to_vec()).collect();
            assert_near(&format!("UVs at {time}"), &uvs, numbers, 1e-7);
        }
    }
}

const FRAMES: [i64; 3] = [1, 2, 3];

fn ball() -> Mesh {
    shapes::cylinder(0.5, 2.0, 7, 4)
}

/// Everything at once; UVs slide by a shift that keeps corners with a common index together, unless `torn`.
fn frame(index: usize, torn: bool) -> FrameData {
    let (mesh, t) = (ball(), index as Real);
    let layer = mesh.uvs.as_ref().unwrap();
    let uv = |(corner, &k): (usize, &u32)| {
        let tear = if torn { 1e-3 * corner as Real } else { 0.0 };
        layer.values[k as usize] + Vec2::new(0.01 * t + tear, 1.0 / 3.0)
    };
    let turn = *Rotation::from_euler_angles(0.1, 0.2 * t, 0.3).to_rotation_matrix().matrix();
    FrameData {
        points: mesh.positions.iter().map(|p| p * (1.0 + 0.1 * t)).collect(),
        velocities: mesh.positions.iter().map(|p| p * 2.4).collect(),
        uvs: layer.indices.iter().enumerate().map(uv).collect(),
        normals: mesh.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.z).normalize()).collect(),
        transform: Some(affine(
            &(turn * Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 1.0))),
            &Vec3::new(t, 0.0, 0.1),
        )),
        maps: vec![
            (0..mesh.face_count()).map(|k| k as Real * 1e-12 * t).collect(),
            mesh.positions.iter().flat_map(|p| [p.x, t, -1e20]).collect(),
        ],
        curves: vec![tendons(index)],
    }
}

/// In the last frame a vertex is gone.
fn tendons(index: usize) -> CurvesData {
    let counts = if index == 2 { vec![2, 2] } else { vec![2, 3] };
    let vertices = 0..counts.iter().sum();
    CurvesData {
        points: vertices.clone().map(|k| Vec3::new(Real::from(k), index as Real, 0.0)).collect(),
        velocities: vertices.clone().map(|k| Vec3::new(0.5 * Real::from(k), 1.0, index as Real)).collect(),
        widths: vertices.clone().map(|k| 0.25 * Real::from(k + 1)).collect(),
        maps: vec![vertices.map(|k| Real::from(k) + 0.5 * index as Real).collect(), vec![3.0, 4.0]],
        counts,
    }
}

const TENDON_MAPS: [Map; 2] = [
    Map { name: "tension", interpolation: "vertex", components: 1 },
    Map { name: "which", interpolation: "uniform", components: 1 },
];

const MAPS: [Map; 2] = [
    Map { name: "strain", interpolation: "uniform", components: 1 },
    Map { name: "slide vector", interpolation: "vertex", components: 3 },
];

fn write(path: &Path, source: &mut dyn FnMut(usize) -> Result<FrameData>) -> Result<()> {
    let mesh = ball();
    let curves = [Curves { name: "tendons", widths: "vertex", maps: &TENDON_MAPS }];
    let space = Space::new(0.01, UpAxis::Z).unwrap();
    let info =
        Info { name: "1 neck", mesh: Some(&mesh), space, maps: &MAPS, curves: &curves, ..Info::default() };
    usd::write(path, &info, &FRAMES, 30.0, source)
}

fn single(numbers: &[Real]) -> Vec<Real> {
    numbers.iter().map(|&n| Real::from(n as f32)).collect()
}

#[test]
fn usd_and_we_find_in_our_file_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = ball();
    for (torn, ending) in [(false, "usda"), (false, "usdc"), (true, "usda"), (true, "usdc")] {
        let path = folder.path().join(format!("{torn}.{ending}"));
        write(&path, &mut |k| Ok(frame(k, torn))).unwrap();
        let reported = reported(&["tell", path.to_str().unwrap()]);
        let find = |what: &str, time: Real| {
            let line = reported.iter().find(|(w, t, _)| w.ends_with(what) && *t == time);
            line.unwrap_or_else(|| panic!("nothing told of {what} at {time}")).2.clone()
        };
        assert_eq!(find("rate", 0.0), [30.0, 0.01]);
        assert_eq!((find("range", 0.0), find("up", 0.0)), (vec![1.0, 3.0], vec![1.0]));
        for (index, time) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let data = frame(index, torn);
            let uvs: Vec<Real> = data.uvs.iter().flat_map(|uv| [uv.x, uv.y]).collect();
            assert_eq!(find("mesh points", time), single(&flat(&data.points)));
            assert_eq!(find("st faceVarying", time), single(&uvs));
            assert_eq!(find("normals vertex", time), single(&flat(&data.normals)));
            assert_eq!(find("strain uniform", time), single(&data.maps[0]));
            assert_eq!(find("slide_vector vertex", time), single(&data.maps[1]));
            let tendons = &data.curves[0];
            let counts: Vec<Real> = tendons.counts.iter().copied().map(Real::from).collect();
            assert_eq!(find("tendons counts", time), counts);
            assert_eq!(find("tendons points", time), single(&flat(&tendons.points)));
            assert_eq!(find("tendons widths vertex", time), tendons.widths);
            assert_eq!(find("tendons tension vertex", time), tendons.maps[0]);
            assert_eq!(find("tendons which uniform", time), tendons.maps[1]);
            // As far as the thickest vertex reaches, on all sides.
            let far = tendons.points.len() as Real;
            assert_eq!(find("tendons extent", time)[3], far - 1.0 + 0.125 * far);
            let place = data.transform.unwrap();
            let points: Vec<Vec3> =
                single(&flat(&data.points)).chunks(3).map(Vec3::from_column_slice).collect();
            let world: Vec<Vec3> = points.iter().map(|p| transform_point(&place, p)).collect();
            assert_near("world points", &flat(&world), &find("world points", time), 1e-12);
            let extent = find("mesh extent", time);
            assert_eq!(extent[5], Real::from(data.points.iter().map(|p| p.z as f32).fold(-9.0, f32::max)));
            let stage = Stage::open(&path).unwrap();
            let back = stage.mesh_at("/_1_neck/mesh", time, false).unwrap();
            assert_eq!(flat(&back.positions), single(&flat(&data.points)));
            assert_eq!(back.corner_vertices, mesh.corner_vertices);
            let indexed = stage.primvar_at("/_1_neck/mesh", "st", time).unwrap().unwrap().indices.is_some();
            assert_eq!(indexed, !torn);
        }
    }
}

#[test]
fn blender_shows_our_file_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.usda", "a.usdc"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| write(path, &mut |k| Ok(frame(k, true))).unwrap());
    let reported = reported(&["look", paths[0].to_str().unwrap(), paths[1].to_str().unwrap()]);
    assert_eq!(reported.len(), 12);
    for (what, time, numbers) in &reported {
        let data = frame(*time as usize - 1, true);
        if what == "points" {
            // Blender rotates nothing, because z is up, but reads the centimetres as metres.
            let place = data.transform.unwrap();
            let world: Vec<Vec3> = data.points.iter().map(|p| 0.01 * transform_point(&place, p)).collect();
            assert_near(&format!("points at {time}"), &flat(&world), numbers, 1e-6);
        } else {
            let uvs: Vec<Real> = data.uvs.iter().flat_map(|uv| [uv.x, uv.y]).collect();
            assert_near(&format!("UVs at {time}"), &uvs, numbers, 1e-6);
        }
    }
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let kind = |name: &str, change: fn(&mut FrameData)| {
        let bad = if name == "a.usdz" { None } else { Some(3) };
        let error = write(&folder.path().join(name), &mut |k| {
            let mut data = frame(k, false);
            if k == 2 {
                change(&mut data);
            }
            Ok(data)
        });
        let error = error.unwrap_err();
        assert_eq!(error.place().frame, bad, "{error}");
        error.kind()
    };
    for name in ["a.usda", "a.usdc", "a.usd"] {
        assert_eq!(kind(name, |data| data.points[1].x = Real::NAN), Kind::NotFinite);
        assert_eq!(kind(name, |data| data.points[1].x = 1e39), Kind::NotFinite);
        assert_eq!(kind(name, |data| data.maps[0].truncate(1)), Kind::CountMismatch);
        assert_eq!(kind(name, |data| data.curves.clear()), Kind::CountMismatch);
        assert_eq!(kind(name, |data| data.curves[0].counts[0] = 3), Kind::CountMismatch);
        assert_eq!(kind(name, |data| data.curves[0].widths.truncate(1)), Kind::CountMismatch);
        assert_eq!(kind(name, |data| data.curves[0].maps.truncate(1)), Kind::CountMismatch);
        assert_eq!(kind(name, |data| data.curves[0].widths[1] = 1e39), Kind::NotFinite);
    }
    assert_eq!(kind("a.usdz", |_| ()), Kind::Unsupported);
    let mesh = ball();
    let twice = [MAPS[0].clone(), MAPS[0].clone()];
    let space = Space::default();
    let info = Info { name: "a", mesh: Some(&mesh), space, maps: &twice, curves: &[], ..Info::default() };
    let error =
        usd::write(&folder.path().join("a.usdc"), &info, &[1], 24.0, &mut |_| Ok(FrameData::default()));
    assert!(error.unwrap_err().message().contains("the name primvars:strain is used twice"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn text_and_binary_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    type Case = (&'static str, fn(usize) -> FrameData, usize);
    let cases: [Case; 4] = [
        ("slides", |k| frame(k, false), 3),
        ("torn", |k| frame(k, true), 3),
        ("torn_late", |k| frame(k, k == 2), 5),
        ("still", |_| frame(1, false), 3),
    ];
    for (name, data, expected) in cases {
        let [text, binary] = ["usda", "usdc"].map(|ending| folder.path().join(format!("{name}.{ending}")));
        write(&text, &mut |k| Ok(data(k))).unwrap();
        let mut asked = 0;
        write(&binary, &mut |k| {
            asked += 1;
            Ok(data(k))
        })
        .unwrap();
        // Each frame is requested once, except where UVs come apart: then all but the first are requested again.
        assert_eq!(asked, expected, "{name}");
        let reported = reported(&["same", text.to_str().unwrap(), binary.to_str().unwrap()]);
        assert_eq!(reported.last().unwrap().0, "same");
        assert_eq!(reported.last().unwrap().2, [1.0, if name == "still" { 0.0 } else { 3.0 }], "{name}");
        // Our reader finds the same in both.
        let stages = [&text, &binary].map(|path| Stage::open(path).unwrap());
        let all = stages.each_ref().map(|stage| stage.meshes().into_iter().next().unwrap());
        for time in [0.5, 1.0, 2.25, 3.0] {
            let found = [0, 1].map(|k| {
                let (stage, path) = (&stages[k], all[k]);
                let primvars = stage.primvars(path).unwrap();
                let primvars = primvars.into_iter().map(|name| stage.primvar_at(path, name, time).unwrap());
                let mesh = stage.mesh_at(path, time, true).unwrap();
                (mesh.positions, mesh.corner_vertices, mesh.uvs, primvars.collect::<Vec<_>>())
            });
            assert!(found[0] == found[1], "{name} at {time}");
        }
    }
}

/// What does not move is stored once, in the first frame or later.
#[test]
fn frames_that_repeat_take_a_place_in_a_table_only() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = ball();
    let frames: Vec<i64> = (1..=200).collect();
    let size = |name: &str, moves_until: usize| {
        let path = folder.path().join(name);
        let info = Info {
            name: "a",
            mesh: Some(&mesh),
            space: Space::default(),
            maps: &[],
            curves: &[],
            ..Info::default()
        };
        usd::write(&path, &info, &frames, 24.0, &mut |k| {
            let points = mesh.positions.iter().map(|p| p * (1 + k.min(moves_until)) as Real).collect();
            Ok(FrameData { points, ..FrameData::default() })
        })
        .unwrap();
        std::fs::metadata(path).unwrap().len() as usize
    };
    let (still, twice, moving) = (size("a.usdc", 0), size("b.usdc", 1), size("c.usdc", 200));
    let frame = 12 * mesh.positions.len();
    // A second frame, and two tables with a number for each frame.
    assert!(twice < still + 2 * frame + 2 * 8 * frames.len(), "{still} and {twice} bytes");
    assert!(moving > still + 199 * frame, "{still} and {moving} bytes");
}

#[test]
fn a_usd_file_becomes_an_obj_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    write(&path, &mut |k| Ok(frame(k, false))).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["convert", "a.usda", "out.%d.obj", "--fps", "30"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let back = obj::read(&folder.path().join("out.2.obj")).unwrap().mesh;
    let expected = Stage::open(&path).unwrap().points_at("/_1_neck/mesh", 2.0).unwrap();
    assert_eq!(back.positions, expected);
}

/// A leg of two joints that moves from frame 5 to 8 of a shot from 2 to 12.
const LEG: &str = r#"#usda 1.0
(
    startTimeCode = 2
    endTimeCode = 12
    timeCodesPerSecond = 30
)
def SkelRoot "r" {
    double3 xformOp:translate.timeSamples = { 3: (0, 1, 0), 10: (0, 8, 2) }
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Skeleton "s" (
        prepend apiSchemas = ["SkelBindingAPI"]
    ) {
        rel skel:animationSource = </r/w>
        uniform token[] joints = ["hip", "hip/knee"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, -4, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, -4, 0, 1))]
    }
    def SkelAnimation "w" {
        uniform token[] joints = ["hip", "hip/knee"]
        float3[] translations.timeSamples = { 5: [(1, 0, 0), (0, -4, 0)], 8: [(4, 0, 0.5), (0, -4, 0)] }
        quatf[] rotations.timeSamples = { 6: [(1, 0, 0, 0), (1, 0, 0, 0)], 7: [(0.8, 0.6, 0, 0), (0.6, 0, 0.8, 0)] }
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
    }
}
"#;

#[test]
fn joints_stay_before_their_first_and_after_their_last_sample_as_in_usd() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leg.usda");
    std::fs::write(&path, LEG).unwrap();
    let reported = reported(&["tell", path.to_str().unwrap()]);
    let stage = Stage::open(&path).unwrap();
    let animation = only_skeleton(&stage);
    assert_eq!(animation.frames.keys().copied().collect::<Vec<_>>(), (2..=12).collect::<Vec<_>>());
    let joints: Vec<&Reported> = reported.iter().filter(|(what, ..)| what == "joints").collect();
    assert_eq!(joints.len(), 11);
    for (what, time, numbers) in joints {
        assert_near(&format!("{what} at {time}"), &ours(&stage, what, *time), numbers, 1e-5);
    }
    // Outside the shot they stay, too, but not within a gap.
    let at = |frame| joints::at_frame(&animation.frames, animation.held, frame);
    assert_eq!((at(-40), at(99)), (animation.frames.get(&2), animation.frames.get(&12)));
    assert_eq!(joints::at_frame(&animation.frames, false, 13), None);
    let apart = [(1, 'a'), (5, 'b')].into();
    assert_eq!([0, 3, 6].map(|k| joints::at_frame(&apart, true, k).copied()), [Some('a'), None, Some('b')]);
}

/// What USD has no points for, or only after a division that no placement has, is refused by name.
#[test]
fn points_that_are_none_and_matrices_that_project_are_refused() {
    let mesh = |name: &str, more: &str| {
        format!(
            "def Mesh \"{name}\" {{ int[] faceVertexCounts = [3] int[] faceVertexIndices = [0, 1, 2]\n{more}\n}}\n"
        )
    };
    let triples = "[(0, 0, 0), (2, 0, 0), (0, 3, 0)]";
    let numbers = "[0, 0, 0, 2, 0, 0, 0, 3, 0]";
    let mut text = String::from("#usda 1.0\n");
    let sound = ["point3f", "float3", "color3f", "normal3d", "vector3h", "double3"];
    sound.iter().for_each(|kind| text += &mesh(kind, &format!("{kind}[] points = {triples}")));
    for kind in ["int", "float", "double"] {
        text += &mesh(kind, &format!("{kind}[] points = {numbers}"));
    }
    text += &mesh("one", "point3f points = (1, 2, 3)");
    text += &mesh("whole", &format!("int3[] points = {triples}"));
    let place = |name: &str, last: [&str; 4]| {
        let [a, b, c, d] = last;
        let matrix = format!("((2, 0, 0, {a}), (0, 3, 0, {b}), (0, 0, 4, {c}), (5, 6, 7, {d}))");
        let order = "uniform token[] xformOpOrder = [\"xformOp:transform\"]";
        mesh(name, &format!("point3f[] points = {triples}\nmatrix4d xformOp:transform = {matrix}\n{order}"))
    };
    text += &place("affine", ["0", "-1e-9", "0", "1"]);
    text += &place("lens", ["0", "0", "0.5", "1"]);
    text += &place("halved", ["0", "0", "0", "2"]);
    let stage = Stage::parse(text.into_bytes()).unwrap();
    for name in sound {
        assert_eq!(stage.points_at(&format!("/{name}"), 0.0).unwrap()[2], Vec3::new(0.0, 3.0, 0.0), "{name}");
    }
    assert_eq!(stage.points_at("/affine", 0.0).unwrap()[1], Vec3::new(9.0, 6.0, 7.0));
    for (name, kind, words) in [
        ("int", Kind::WrongType, "points is of type int[], which holds no points"),
        ("float", Kind::WrongType, "points is of type float[]"),
        ("double", Kind::WrongType, "points is of type double[]"),
        ("one", Kind::WrongType, "points is of type point3f, "),
        ("whole", Kind::WrongType, "points is of type int3[]"),
        ("lens", Kind::Unsupported, "its last column is 0, 0, 0.5, 1"),
        ("halved", Kind::Unsupported, "its last column is 0, 0, 0, 2"),
    ] {
        let error = stage.points_at(&format!("/{name}"), 0.0).unwrap_err();
        assert!(error.kind() == kind && error.to_string().contains(words), "{name}: {error}");
        assert!(error.to_string().contains(&format!("/{name}")), "{error}");
    }
}

/// Of several meshes, an error says which one has the property.
#[test]
fn errors_have_the_path_of_the_property() {
    let mesh = "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\npoint3f[] points = [(0, 0, 0), (1, \
            0, 0), (0, 1, 0)]";
    for (wrong, path) in [
        ("normal3f[] normals = [(0, 0, 1), (0, 0, 1)]", "/a/b.normals"),
        ("texCoord2f[] primvars:st = [(0, nan)]", "/a/b.primvars:st"),
        (
            "token[] orientation = [\"leftHanded\"]\nint[] faceVertexIndices = [0, 1, -2]",
            "/a/b.faceVertexIndices",
        ),
        (
            "double3 xformOp:translate = (0, inf, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]",
            "/a/b.xformOp:translate",
        ),
    ] {
        let text = format!("#usda 1.0\ndef \"a\" {{\ndef Mesh \"b\" {{\n{mesh}\n{wrong}\n}}\n}}\n");
        let error = Stage::parse(text.into_bytes()).unwrap().mesh_at("/a/b", 1.0, true).unwrap_err();
        assert_eq!(error.place().element.as_deref(), Some(path), "{error}");
    }
    let text =
        LEG.replace("half3[] scales = [(1, 1, 1), (1, 1, 1)]", "half3[] scales = [(1, 1, 1), (1, 1, inf)]");
    let error = Stage::parse(text.into_bytes()).unwrap().skeleton("/r/s", None).unwrap_err();
    assert_eq!(error.place().element.as_deref(), Some("/r/w.scales"), "{error}");
}

#[test]
fn primvars_have_as_many_numbers_as_their_types_say() {
    let numbers = |count: usize| (0..count).map(|k| k.to_string()).collect::<Vec<_>>().join(", ");
    let rows = |n: usize| (0..n).map(|_| format!("({})", numbers(n))).collect::<Vec<_>>().join(", ");
    let types = [
        ("float", 1, "7".to_string()),
        ("texCoord2d", 2, format!("({})", numbers(2))),
        ("texCoord3d", 3, format!("({})", numbers(3))),
        ("color4d", 4, format!("({})", numbers(4))),
        ("quatd", 4, format!("({})", numbers(4))),
        ("matrix2d", 4, format!("({})", rows(2))),
        ("matrix3d", 9, format!("({})", rows(3))),
        ("matrix4d", 16, format!("({})", rows(4))),
        ("frame4d", 16, format!("({})", rows(4))),
    ];
    let line = |(name, _, value): &(&str, usize, String)| {
        format!("{name}[] primvars:{name} = [{value}, {value}] ( interpolation = \"uniform\" )\n")
    };
    let text = format!(
        "#usda 1.0\ndef Mesh \"m\" {{\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n\
         point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n{}}}\n",
        types.iter().map(line).collect::<String>()
    );
    let stage = Stage::parse(text.into_bytes()).unwrap();
    for (name, components, _) in types {
        let primvar = stage.primvar_at("/m", name, 0.0).unwrap().unwrap();
        assert_eq!((primvar.components, primvar.count()), (components, 2), "{name}");
    }
}
