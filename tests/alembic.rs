//! Alembic beside the library that studios use and beside Blender: they read what we write and we read what they
//! write, value for value.

#[path = "support/judges.rs"]
mod judges;
#[path = "alembic/refused.rs"]
mod refused;
#[path = "alembic/scene.rs"]
mod scene;

use judges::judge;
use scene::{FRAMES, Scene};
use serde_json::{Value, json};
use sinew::formats::alembic::{
    Archive, At, Geometry, MeshSample, Op, Schema, Scope, TimeSampling, Transform, Writer, read_mesh,
};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Affine, Real, Vec3, affine, transform_point};
use std::path::Path;

fn code(scope: Scope) -> &'static str {
    match scope {
        Scope::Constant => "con",
        Scope::Uniform => "uni",
        Scope::Vertex => "vtx",
        Scope::Corner => "fvr",
    }
}

/// Turns the corners of each face back to the order of the file.
fn as_in_file<T: Copy>(counts: &[usize], corners: &[T]) -> Vec<T> {
    let mut from = 0;
    let face = |&count: &usize| {
        from += count;
        corners[from - count..from].iter().rev().copied()
    };
    counts.iter().flat_map(face).collect()
}

fn flat(points: &[Vec3]) -> Vec<Real> {
    points.iter().flat_map(|p| p.iter().copied()).collect()
}

/// A map as the judge prints it: a value for each element, corners in the order of the file.
fn map(archive: &mut Archive, shape: &Geometry, name: &str, counts: &[usize], times: &[Real]) -> Value {
    let mut scope = "";
    let samples: Vec<Vec<Real>> = times
        .iter()
        .map(|&time| {
            let map = shape.map(archive, name, At::Nearest(time)).unwrap();
            scope = code(map.scope);
            let elements: Vec<usize> = (0..map.indices.len()).collect();
            let order = if map.scope == Scope::Corner { as_in_file(counts, &elements) } else { elements };
            order.into_iter().flat_map(|k| map.value(k).to_vec()).collect()
        })
        .collect();
    json!({ "scope": scope, "values": samples })
}

/// The times at which the points of an object are stored.
fn times_in(theirs: &Value) -> Vec<Real> {
    theirs["times"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect()
}

/// What our reader finds where the judge found `theirs`.
fn ours(archive: &mut Archive, object: usize, theirs: &Value) -> Value {
    let times = times_in(theirs);
    let at = |t: &Real| At::Nearest(*t);
    match archive.objects()[object].schema {
        Schema::Transform => {
            let samples: Vec<_> = times.iter().map(|t| archive.transform(object, at(t)).unwrap()).collect();
            let rows = |m: Affine| -> Vec<Real> { Op::Matrix(m).numbers() };
            let matrices: Vec<_> = samples.iter().map(|s| rows(s.matrix())).collect();
            let inherits: Vec<_> = samples.iter().map(|s| s.inherits).collect();
            json!({ "kind": "transform", "inherits": inherits, "matrices": matrices })
        }
        Schema::Curves => {
            let shape = archive.curves(object).unwrap();
            let points: Vec<_> = times.iter().map(|t| flat(&shape.points(archive, at(t)).unwrap())).collect();
            let counts: Vec<_> = times.iter().map(|t| shape.curve_counts(archive, at(t)).unwrap()).collect();
            let width = map(archive, &shape, "width", &[], &times);
            let names: Vec<String> = shape.maps().map(String::from).collect();
            let maps = names.into_iter().map(|name| (name.clone(), map(archive, &shape, &name, &[], &times)));
            let maps = maps.collect::<serde_json::Map<_, _>>();
            json!({ "kind": "curves", "points": points, "counts": counts, "width": width, "maps": maps })
        }
        Schema::Mesh => {
            let shape = archive.mesh(object).unwrap();
            let meshes: Vec<Mesh> = times.iter().map(|t| shape.mesh(archive, at(t)).unwrap()).collect();
            let first = &meshes[0];
            let counts: Vec<usize> = (0..first.face_count()).map(|f| first.face(f).len()).collect();
            let velocities = times.iter().filter_map(|t| shape.velocities(archive, at(t)).unwrap());
            let velocities: Vec<_> = velocities.map(|v| flat(&v)).collect();
            let names: Vec<String> = shape.maps().map(String::from).collect();
            let mut maps = serde_json::Map::new();
            for name in names {
                maps.insert(name.clone(), map(archive, &shape, &name, &counts, &times));
            }
            let has = |name: &str| !theirs[name].is_null();
            json!({
                "kind": "mesh",
                "points": meshes.iter().map(|m| flat(&m.positions)).collect::<Vec<_>>(),
                "indices": as_in_file(&counts, &first.corner_vertices), "counts": counts,
                "constant_faces": shape.same_faces(), "velocities": velocities, "maps": maps,
                "uv": has("uv").then(|| map(archive, &shape, "uv", &counts, &times)),
                "N": has("N").then(|| map(archive, &shape, "N", &counts, &times)),
            })
        }
        Schema::Other => json!({}),
    }
}

/// Whether all that is in `ours` is the same in `theirs`; numbers to within `slack`.
fn same(place: &str, ours: &Value, theirs: &Value, slack: Real) {
    match (ours, theirs) {
        (Value::Object(a), b) => {
            for (key, value) in a {
                same(&format!("{place}/{key}"), value, &b[key.as_str()], slack);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            for (k, (a, b)) in a.iter().zip(b).enumerate() {
                same(&format!("{place}[{k}]"), a, b, slack);
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= slack, "{place}: {a} here, {b} there");
        }
        _ => assert_eq!(ours, theirs, "{place}"),
    }
}

fn read_by_the_library(path: &Path) -> Value {
    serde_json::from_str(&judge("alembic_read.py", &[path.to_str().unwrap()])).unwrap()
}

/// Whatever the judge finds in a file, we find; returns the number of objects.
fn agree(path: &Path) -> usize {
    let theirs = read_by_the_library(path);
    let objects = theirs["objects"].as_object().unwrap();
    let mut archive = Archive::open(path).unwrap();
    let known = archive.objects().iter().filter(|o| o.schema != Schema::Other).count();
    assert_eq!(known, objects.len());
    for (name, theirs) in objects {
        let object = archive.find(name).unwrap_or_else(|| panic!("{name} is not found"));
        // The library multiplies matrices in another order.
        let slack = if theirs["kind"] == "transform" { 1e-14 } else { 0.0 };
        let mut ours = ours(&mut archive, object, theirs);
        if theirs["width"]["scope"] == "con" {
            // Blender writes no scope, which the library takes as one width for all.
            ours["width"].as_object_mut().unwrap().remove("scope");
        }
        same(name, &ours, theirs, slack);
    }
    objects.len()
}

#[test]
fn the_librarys_files_are_read_value_for_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.abc");
    judge("alembic_write.py", &[path.to_str().unwrap()]);
    assert_eq!(agree(&path), 7);
    let mut archive = Archive::open(&path).unwrap();
    // The tendons have cyclic time samples, two per cycle of one second.
    let tendons = archive.find("/first/second/tendons").unwrap();
    let shape = archive.curves(tendons).unwrap();
    assert_eq!(shape.curve_counts(&mut archive, At::Sample(0)).unwrap(), [3, 2]);
    let between = shape.points(&mut archive, At::Between(1.15)).unwrap();
    // Half-way between the third sample, at 1, and the fourth, at 1.3.
    assert!((between[4] - Vec3::new(4.0, 5.0, 0.0)).norm() < 1e-6, "{}", between[4]);
    let plain = archive.find("/first/second/alone/plain").unwrap();
    let world = archive.world(plain, At::Sample(3)).unwrap();
    let up = transform_point(&world, &Vec3::zeros());
    assert_eq!(up, Vec3::new(0.0, 0.0, 5.0), "the transforms of its ancestors are not inherited");
}

#[test]
fn blenders_files_are_read_value_for_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blender.abc");
    judge("alembic_blender.py", &["write", path.to_str().unwrap()]);
    assert_eq!(agree(&path), 5);
    let body = folder.path().join("blender.abc/root/body/shape");
    for (frame, mesh) in
        [(1.0, read_mesh(&path, At::Nearest(1.0 / 24.0))), (4.0, read_mesh(&body, At::Nearest(1.0 / 6.0)))]
    {
        let mesh = mesh.unwrap();
        // As it was made, with y up: (x, z, -y), and the same way around.
        assert_eq!((mesh.face(0).len(), mesh.face_count()), (4, 3));
        let normal = |f: usize| {
            let at = |k: usize| mesh.positions[mesh.face(f)[k] as usize];
            (at(1) - at(0)).cross(&(at(2) - at(0))).normalize()
        };
        let uvs = mesh.uvs.as_ref().unwrap();
        let corner = |f: usize, k: usize| {
            (mesh.face(f)[k], uvs.values[uvs.indices[mesh.corners(f).start + k] as usize])
        };
        let mut first: Vec<_> = (0..4).map(|k| corner(0, k)).collect();
        first.sort_by_key(|c| c.0);
        let us: Vec<Real> = first.iter().map(|c| c.1.x).collect();
        assert_eq!((us, first[0].1.y), (vec![0.0, 0.5, 0.5, 0.0], 0.5), "frame {frame}");
        assert!(normal(0).y > 0.9, "frame {frame}: {}", normal(0));
    }
}

fn samplings() -> [TimeSampling; 3] {
    [
        TimeSampling::frames(1.0, 24.0),
        TimeSampling::Acyclic(vec![0.1, 0.15, 0.4, 2.0]),
        TimeSampling::Cyclic { times: vec![0.0, 0.3], period: 1.0 },
    ]
}

#[test]
fn the_library_reads_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::new();
    for (k, sampling) in samplings().into_iter().enumerate() {
        let path = folder.path().join(format!("{k}.abc"));
        scene.write(&path, sampling.clone());
        assert_eq!(agree(&path), 6);
        let theirs = read_by_the_library(&path);
        assert!(theirs["application"].as_str().unwrap().starts_with("Sinew"));
        assert_eq!(theirs["most_samples"], json!([1, FRAMES]));
        let objects = &theirs["objects"];
        let body = &objects["/root/inner/body"];
        let times: Vec<Real> = (0..FRAMES).map(|k| sampling.time(k)).collect();
        same("times", &json!(times), &body["times"], 1e-15);
        let points: Vec<_> = (0..FRAMES).map(|f| flat(&scene.positions(f))).collect();
        same("points", &json!(points), &body["points"], 0.0);
        let counts = [4, 4];
        same("indices", &json!(as_in_file(&counts, &scene.mesh.corner_vertices)), &body["indices"], 0.0);
        assert_eq!((&body["constant_faces"], &body["uv"]["indexed"]), (&json!(true), &json!(true)));
        let uvs = |f: usize| -> Vec<Real> {
            let layer = scene.uvs(f);
            as_in_file(&counts, &layer.indices)
                .iter()
                .flat_map(|&k| layer.values[k as usize].data.0[0])
                .collect()
        };
        same("uv", &json!((0..FRAMES).map(uvs).collect::<Vec<_>>()), &body["uv"]["values"], 0.0);
        assert_eq!(body["maps"].as_object().unwrap().len(), 6);
        assert_eq!(
            body["maps"]["shared"],
            json!({
                "scope": "fvr", "indexed": true, "values": vec![[8.0, 7.0, 8.0, 7.0, 7.0, 7.0, 8.0, 7.0]; FRAMES],
            })
        );
        assert_eq!(body["maps"]["corner"]["values"][0], json!([3.0, 2.0, 1.0, 0.0, 7.0, 6.0, 5.0, 4.0]));
        let speed = flat(&scene.positions(2).iter().map(|p| p * 0.5).collect::<Vec<_>>());
        same("velocity", &json!(speed), &body["velocities"][2], 0.0);
        for (frame, bounds) in body["bounds"].as_array().unwrap().iter().enumerate() {
            let points = scene.positions(frame);
            let low = points.iter().fold(Vec3::repeat(9.0), |a, b| a.inf(b));
            let high = points.iter().fold(Vec3::repeat(-9.0), |a, b| a.sup(b));
            same("bounds", &json!(flat(&[low, high])), bounds, 0.0);
        }
        assert_eq!(objects["/root/inner"]["inherits"], json!([true, true, true, false]));
        assert_eq!(
            (&objects["/identity"]["identity"], &objects["/root"]["constant"]),
            (&json!(true), &json!(false))
        );
        let widths: Vec<_> = (0..FRAMES).map(Scene::widths).collect();
        same("width", &json!(widths), &objects["/root/tendons"]["width"]["values"], 0.0);
        assert_eq!(objects["/root/tendons"]["linear"], json!(true));
    }
}

/// Blender has z up.
fn upright(m: &Affine) -> Affine {
    let turn = |v: Vec3| Vec3::new(v.x, -v.z, v.y);
    let back = |v: Vec3| Vec3::new(v.x, v.z, -v.y);
    let linear = m.fixed_view::<3, 3>(0, 0).into_owned();
    let columns = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| turn(linear * back(axis)));
    affine(&sinew::math::Mat3::from_columns(&columns), &turn(m.column(3).into_owned()))
}

#[test]
fn blender_imports_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.abc");
    let scene = Scene::new();
    scene.write(&path, TimeSampling::frames(1.0, 24.0));
    let out = judge("alembic_blender.py", &["read", path.to_str().unwrap(), "1", "2", "3", "4"]);
    let found: Value =
        serde_json::from_str(out.lines().find_map(|l| l.strip_prefix("JSON")).unwrap()).unwrap();
    assert_eq!(found["range"], json!([1, 4]));
    let name = ["inner", "body"].into_iter().find(|n| found["frames"][0][n]["points"].is_array()).unwrap();
    for frame in 0..FRAMES {
        let body = &found["frames"][frame][name];
        let place = format!("frame {frame}");
        let turned = |p: &Vec3| Vec3::new(p.x, -p.z, p.y);
        let points: Vec<Vec3> = scene.positions(frame).iter().map(turned).collect();
        same(&place, &json!(flat(&points)), &body["points"], 0.0);
        let faces: Vec<&[u32]> = (0..2).map(|f| scene.mesh.face(f)).collect();
        same(&place, &json!(faces), &body["faces"], 0.0);
        let layer = scene.uvs(frame);
        let uvs: Vec<Real> = layer.indices.iter().flat_map(|&k| layer.values[k as usize].data.0[0]).collect();
        same(&place, &json!(uvs), &body["uvs"], 0.0);
        assert_eq!(body["uv_set"], json!("map1"));
        let normal = |&k: &u32| turned(&scene.normals.values[k as usize].normalize());
        let normals: Vec<Vec3> = scene.normals.indices.iter().map(normal).collect();
        // Blender keeps the directions of normals in sixteen bits.
        same(&place, &json!(flat(&normals)), &body["normals"], 1e-3);
        let speeds: Vec<Vec3> = scene.positions(frame).iter().map(|p| turned(&(p * 0.5))).collect();
        same(&place, &json!(flat(&speeds)), &body["maps"]["velocity"], 0.0);
        if frame < 3 {
            let world = upright(&scene.world(frame));
            let rows: Vec<Real> =
                world.row_iter().flat_map(|r| r.iter().copied().collect::<Vec<_>>()).collect();
            let theirs = &body["world"].as_array().unwrap()[..12];
            same(&place, &json!(rows), &json!(theirs), 1e-5);
        }
        // Blender names an object by the transform above it.
        let objects = found["frames"][frame].as_object().unwrap();
        let tendons = objects.values().find(|o| !o["radii"].is_null()).unwrap();
        let (_, points) = Scene::tendons(frame);
        let lines: Vec<Vec3> = points.iter().map(turned).collect();
        same(&place, &json!(flat(&lines)), &tendons["points"], 0.0);
        // Alembic's widths are across, Blender's radii are half of them.
        let radii: Vec<Real> = Scene::widths(frame).iter().map(|w| w / 2.0).collect();
        same(&place, &json!(radii), &tendons["radii"], 1e-6);
    }
}

#[test]
fn what_stays_is_stored_once_and_equal_scenes_are_equal_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mesh = shapes::torus(1.0, 0.3, 40, 20);
    let write = |name: &str, frames: usize, still: bool| {
        let mut writer = Writer::create(&at(name), TimeSampling::frames(1.0, 24.0)).unwrap();
        let body = writer.add_mesh(None, "body", &mesh).unwrap();
        for frame in 0..frames {
            let move_by = Vec3::x() * if still { 0.0 } else { frame as Real };
            let positions: Vec<Vec3> = mesh.positions.iter().map(|p| p + move_by).collect();
            writer.write_mesh(body, &MeshSample { positions: &positions, ..Default::default() }).unwrap();
        }
        writer.commit().unwrap();
        std::fs::read(at(name)).unwrap()
    };
    let one = write("one.abc", 1, true);
    assert!(write("still.abc", 100, true).len() <= one.len() + 8, "a hundred equal samples are one");
    let moved = write("moved.abc", 3, false);
    let each = 12 * mesh.positions.len();
    assert!(moved.len() > one.len() + 2 * each && moved.len() < one.len() + 2 * each + 400);
    assert_eq!(moved, write("again.abc", 3, false));
    // There and back: the third sample is the first's.
    let theirs = read_by_the_library(&at("still.abc"));
    assert_eq!(theirs["objects"]["/body"]["times"].as_array().unwrap().len(), 100);
    assert_eq!(agree(&at("still.abc")), 1);
}

#[test]
fn samples_that_repeat_in_the_middle_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("halts.abc");
    let mesh = shapes::grid(1.0, 1.0, 1, 1);
    let mut writer = Writer::create(&path, TimeSampling::frames(0.0, 24.0)).unwrap();
    let body = writer.add_mesh(None, "body", &mesh).unwrap();
    let heights = [0.0, 0.0, 1.0, 1.0, 0.0, 2.0, 2.0, 2.0];
    for height in heights {
        let positions: Vec<Vec3> = mesh.positions.iter().map(|p| p + Vec3::y() * height).collect();
        writer.write_mesh(body, &MeshSample { positions: &positions, ..Default::default() }).unwrap();
    }
    writer.commit().unwrap();
    assert_eq!(agree(&path), 1);
    let mut archive = Archive::open(&path).unwrap();
    let shape = archive.mesh(0).unwrap();
    for (k, height) in heights.into_iter().enumerate() {
        assert_eq!(shape.points(&mut archive, At::Sample(k)).unwrap()[0].y, height, "sample {k}");
    }
    let between = shape.points(&mut archive, At::Between(4.25 / 24.0)).unwrap();
    assert!((between[0].y - 0.5).abs() < 1e-12);
    assert_eq!(shape.points(&mut archive, At::Nearest(4.25 / 24.0)).unwrap()[0].y, 0.0);
}

fn sinew(folder: &Path, arguments: &[&str]) {
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(arguments).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_body_from_alembic_slides_as_the_same_body_from_obj_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mesh = shapes::grid(0.2, 0.1, 8, 4);
    let mut writer = Writer::create(&at("body.abc"), TimeSampling::frames(1.0, 24.0)).unwrap();
    let root = writer.add_transform(None, "root").unwrap();
    let body = writer.add_mesh(Some(root), "body", &mesh).unwrap();
    for frame in 0..3 {
        // Whole numbers of 2^-10, so that the product is exact in both files.
        let lift = Op::Translate(Vec3::new(0.0, frame as Real / 1024.0, 0.0));
        writer.write_transform(root, &Transform { ops: vec![lift], inherits: true }).unwrap();
        let positions: Vec<Vec3> =
            mesh.positions.iter().map(|p| p.map(|x| (x * 1024.0).round() / 1024.0)).collect();
        let sample = MeshSample { positions: &positions, uvs: mesh.uvs.as_ref(), ..Default::default() };
        writer.write_mesh(body, &sample).unwrap();
    }
    writer.commit().unwrap();
    sinew(folder.path(), &["convert", "body.abc", "body.%04d.obj"]);
    let fixed: String = mesh.positions.iter().map(|p| if p.x < -0.09 { "1\n" } else { "0\n" }).collect();
    std::fs::write(at("fixed.csv"), fixed).unwrap();
    for (name, out) in [("body.abc/root/body", "a"), ("body.%04d.obj", "b")] {
        let map = ["--map", "fixed=fixed.csv", "--frames", "1-3", "--out", out];
        sinew(folder.path(), &[&["slide", "--rest", "body.0001.obj", "--body", name][..], &map].concat());
    }
    for frame in 1..=3 {
        let read = |out: &str| std::fs::read(at(out).join(format!("skin.000{frame}.csv"))).unwrap();
        assert_eq!(read("a"), read("b"), "frame {frame}");
    }
    assert_eq!(read_mesh(&at("body.abc"), At::Sample(2)).unwrap().positions[0].y, 2.0 / 1024.0);
}
