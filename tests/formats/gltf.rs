//! glTF beside Blender, which shows in every frame the points and UVs that were written, and whose own files are read;
//! and the reader beside closed forms.

use crate::judges;
use serde_json::{Value, json};
use sinew::error::Kind;
use sinew::formats::gltf::{Info, Posed, write};
use sinew::formats::points::PointSource;
use sinew::formats::weights::{self, Carrier};
use sinew::formats::{joints, mesh, rate};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Affine, Real, Space, UpAxis, Vec2, Vec3, compose, invert, translation};
use std::path::{Path, PathBuf};
use std::process::Command;

fn points(mesh: &Mesh, index: usize) -> Vec<Vec3> {
    let t = index as Real;
    mesh.positions
        .iter()
        .map(|p| Vec3::new(p.x + 0.1 * t * p.y, p.y * (1.0 + 0.2 * t), p.z - 0.3 * t))
        .collect()
}

fn info(mesh: &Mesh) -> Info<'_> {
    Info { name: "tube", mesh, uvs: None, space: Space::default(), provenance: Default::default() }
}

#[test]
fn blender_shows_every_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mesh = shapes::cylinder(0.5, 2.0, 7, 4);
    let layer = mesh.uvs.as_ref().unwrap();
    let uvs: Vec<Vec2> =
        layer.indices.iter().map(|&k| layer.values[k as usize] + Vec2::new(0.05, 0.3)).collect();
    // Centimetres with z up, as Blender shows metres with z up.
    let space = Space::new(0.01, UpAxis::Z).unwrap();
    let info = Info { uvs: Some(&uvs), space, ..info(&mesh) };
    write(&path, &info, &[5, 6, 8, 9], 24.0, &mut |k| Ok(points(&mesh, k))).unwrap();
    let output = judges::judge("gltf.py", &["look", path.to_str().unwrap(), "24"]);
    let reported: Vec<Value> =
        output.lines().filter_map(|l| serde_json::from_str(l.strip_prefix("TOLD ")?).ok()).collect();
    assert_eq!(reported.len(), 5);
    // The faces as fans, by the corners that they have in the mesh.
    let fan = |f: usize| {
        let corners: Vec<usize> = mesh.corners(f).collect();
        corners[1..].windows(2).flat_map(|w| [corners[0], w[0], w[1]]).collect::<Vec<_>>()
    };
    let corners: Vec<usize> = (0..mesh.face_count()).flat_map(fan).collect();
    let vector = |value: &Value| -> Vec<Real> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    for line in &reported {
        // Frame 7 was not written: there it is halfway.
        let time = line[0].as_f64().unwrap();
        let (a, b, part) = [(0, 0, 0.0), (1, 1, 0.0), (1, 2, 0.5), (2, 2, 0.0), (3, 3, 0.0)][time as usize];
        let (a, b) = (points(&mesh, a), points(&mesh, b));
        let loops = vector(&line[2]);
        assert_eq!(loops.len(), corners.len());
        for (k, &corner) in corners.iter().enumerate() {
            let vertex = mesh.corner_vertices[corner] as usize;
            let expected = (a[vertex] + (b[vertex] - a[vertex]) * part) * 0.01;
            let shown = Vec3::from_vec(vector(&line[1][loops[k] as usize]));
            assert!((shown - expected).norm() < 1e-7, "{time}, corner {corner}: {shown} {expected}");
            let uv = Vec2::from_vec(vector(&line[3][k]));
            assert!((uv - uvs[corner]).norm() < 1e-6, "corner {corner}: {uv} {}", uvs[corner]);
        }
    }
}

/// The JSON and the binary part of a file.
fn parts(bytes: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let head = word(12);
    assert_eq!((&bytes[16..20], head % 4, &bytes[24 + head..28 + head]), (&b"JSON"[..], 0, &b"BIN\0"[..]));
    assert_eq!(word(20 + head), bytes.len() - 28 - head);
    (serde_json::from_slice(&bytes[20..20 + head]).unwrap(), &bytes[28 + head..])
}

#[test]
fn the_file_is_as_the_specification_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mesh = shapes::cylinder(0.5, 2.0, 7, 4);
    write(&path, &info(&mesh), &[1, 2, 3], 30.0, &mut |k| Ok(points(&mesh, k))).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let (head, data) = parts(&bytes);
    assert_eq!(head["buffers"][0]["byteLength"], data.len());
    for accessor in head["accessors"].as_array().unwrap() {
        let view = &head["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let (start, size) =
            (view["byteOffset"].as_u64().unwrap() as usize, view["byteLength"].as_u64().unwrap());
        let width = match accessor["type"].as_str().unwrap() {
            "VEC3" => 3,
            "VEC2" => 2,
            _ => 1,
        };
        assert_eq!((start % 4, size), (0, 4 * width * accessor["count"].as_u64().unwrap()));
        let numbers: Vec<f32> = data[start..start + size as usize]
            .chunks(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        for (k, (low, high)) in accessor["min"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(accessor["max"].as_array().into_iter().flatten())
            .enumerate()
        {
            let column = || numbers.iter().skip(k).step_by(width as usize).copied();
            assert_eq!(low.as_f64().unwrap() as f32, column().fold(f32::INFINITY, f32::min));
            assert_eq!(high.as_f64().unwrap() as f32, column().fold(f32::NEG_INFINITY, f32::max));
        }
    }
    let has_bounds = |index: &Value| head["accessors"][index.as_u64().unwrap() as usize]["min"].is_array();
    let primitive = &head["meshes"][0]["primitives"][0];
    assert!(has_bounds(&primitive["attributes"]["POSITION"]));
    assert!(primitive["targets"].as_array().unwrap().iter().all(|t| has_bounds(&t["POSITION"])));
    assert!(has_bounds(&head["animations"][0]["samplers"][0]["input"]));
}

#[test]
fn one_frame_stands_still_and_what_cannot_be_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mesh = shapes::grid(1.0, 1.0, 2, 2);
    write(&path, &info(&mesh), &[7], 24.0, &mut |k| Ok(points(&mesh, k))).unwrap();
    assert!(parts(&std::fs::read(&path).unwrap()).0.get("animations").is_none());
    std::fs::remove_file(&path).unwrap();
    let kind = |frames: &[i64], wrong: fn(&mut Vec<Vec3>)| {
        let error = write(&path, &info(&mesh), frames, 24.0, &mut |k| {
            let mut now = points(&mesh, k);
            wrong(&mut now);
            Ok(now)
        });
        error.unwrap_err().kind()
    };
    assert_eq!(kind(&[1, 2], |p| p[3].y = Real::NAN), Kind::NotFinite);
    assert_eq!(kind(&[1, 2], |p| p.truncate(5)), Kind::CountMismatch);
    assert_eq!(kind(&[2, 2], |_| ()), Kind::InvalidArgument);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The same numbers to single precision.
fn near(a: &[Vec3], b: &[Vec3], tolerance: Real) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).norm() <= tolerance)
}

#[test]
fn what_is_written_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mesh = shapes::cylinder(0.5, 2.0, 7, 4);
    write(&path, &info(&mesh), &[24, 25, 26, 30], 24.0, &mut |k| Ok(points(&mesh, k))).unwrap();
    let read = mesh::read(&path).unwrap();
    assert_eq!(read.space.unwrap(), Some(Space::default()));
    // Vertices that were split along the seam are one again.
    let (uvs, own) = (mesh.uvs.as_ref().unwrap(), read.mesh.uvs.as_ref().unwrap());
    assert_eq!((read.mesh.positions.len(), own.values.len()), (mesh.positions.len(), uvs.values.len()));
    let fan = |f: usize| {
        let corners: Vec<usize> = mesh.corners(f).collect();
        corners[1..].windows(2).flat_map(|w| [corners[0], w[0], w[1]]).collect::<Vec<_>>()
    };
    let corners: Vec<usize> = (0..mesh.face_count()).flat_map(fan).collect();
    assert_eq!(read.mesh.corner_vertices.len(), corners.len());
    let mut vertex_of = vec![0; mesh.positions.len()];
    for (k, &corner) in corners.iter().enumerate() {
        vertex_of[mesh.corner_vertices[corner] as usize] = read.mesh.corner_vertices[k] as usize;
        let (uv, there) = (own.values[own.indices[k] as usize], uvs.values[uvs.indices[corner] as usize]);
        assert!((uv - there).norm() < 1e-7, "corner {corner}: {uv} {there}");
    }
    let mut source = PointSource::open(&path, 24.0).unwrap();
    // Its frames are counted from 0 seconds, and glTF says what is between.
    assert_eq!(source.frames(), [0, 1, 2, 3, 4, 5, 6]);
    for (index, frame) in [(0, 0), (1, 1), (2, 2), (3, 6)] {
        let read = source.read(frame).unwrap();
        let in_order: Vec<Vec3> = vertex_of.iter().map(|&k| read[k]).collect();
        assert!(near(&in_order, &points(&mesh, index), 1e-6), "frame {frame}");
    }
    let (a, b) = (source.read(2).unwrap(), source.read(6).unwrap());
    let half: Vec<Vec3> = a.iter().zip(&b).map(|(a, b)| (a + b) / 2.0).collect();
    assert!(near(&source.read(4).unwrap(), &half, 1e-6));
    assert_eq!(source.space().unwrap(), Some(Space::default()));
}

fn vectors(value: &Value) -> Vec<Vec3> {
    let vector = |v: &Value| Vec3::from_fn(|k, _| v[k].as_f64().unwrap());
    value.as_array().unwrap().iter().map(vector).collect()
}

#[test]
fn files_of_blender_move_as_they_do_there() {
    for (name, form) in [("a.glb", "GLB"), ("a b.gltf", "GLTF_SEPARATE")] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let output = judges::judge("gltf.py", &["make", path.to_str().unwrap(), form]);
        let made: Vec<Value> =
            output.lines().filter_map(|l| serde_json::from_str(l.strip_prefix("TOLD ")?).ok()).collect();
        let rest = vectors(&made[0]["rest"]);
        let mesh = mesh::read(&path).unwrap().mesh;
        // Blender splits vertices along the seam, at materials and at every edge of flat faces.
        assert_eq!(mesh.positions.len(), rest.len());
        let nearest =
            |p: &Vec3| (0..rest.len()).min_by(|&a, &b| (rest[a] - p).norm().total_cmp(&(rest[b] - p).norm()));
        let places: Vec<usize> = mesh.positions.iter().map(|p| nearest(p).unwrap()).collect();
        let in_order = |all: &[Vec3]| -> Vec<Vec3> { places.iter().map(|&k| all[k]).collect() };
        assert!(near(&mesh.positions, &in_order(&rest), 1e-6), "{name}");
        let mut uvs: Vec<(usize, Vec2)> = Vec::new();
        for corner in made[0]["corners"].as_array().unwrap() {
            let number = |k: usize| corner[k].as_f64().unwrap();
            uvs.push((number(0) as usize, Vec2::new(number(1), number(2))));
        }
        let layer = mesh.uvs.as_ref().unwrap();
        for (corner, &vertex) in mesh.corner_vertices.iter().enumerate() {
            let (uv, place) = (layer.values[layer.indices[corner] as usize], places[vertex as usize]);
            assert!(uvs.iter().any(|(k, there)| *k == place && (uv - there).norm() < 1e-6), "{corner}: {uv}");
        }
        assert_eq!((mesh.materials.names.len(), mesh.face_count()), (2, 2 * 9 * 6));
        let (mut source, file) = (PointSource::open(&path, None).unwrap(), joints::read(&path).unwrap());
        let mut boneless = PointSource::open(&path, None).unwrap();
        boneless.leave_bones_out();
        assert!(source.acts());
        assert_eq!((source.fps(), file.fps, rate::of_file(&path)), (24.0, Some(24.0), Some(24.0)));
        assert_eq!(made.len(), 15);
        for line in &made[1..] {
            let frame = line["frame"].as_i64().unwrap();
            let index = source.frames().iter().position(|f| *f == frame).unwrap();
            let there = in_order(&vectors(&line["points"]));
            assert!(near(&source.read(index).unwrap(), &there, 2e-6), "{name}, frame {frame}");
            let acted = in_order(&vectors(&line["acted"]));
            assert!(near(&boneless.read(index).unwrap(), &acted, 2e-6), "{name}, frame {frame} before bones");
            let pose = &file.animation.frames[&frame];
            for (k, joint) in file.animation.names.iter().enumerate() {
                let moved = compose(&pose[k], &invert(&file.animation.rest[k]).unwrap());
                let there = &line["joints"][joint];
                let there = Affine::from_fn(|row, column| there[row][column].as_f64().unwrap());
                assert!(
                    (moved - there).abs().max() < 1e-5,
                    "{name}, frame {frame}, {joint}: {moved} {there}"
                );
            }
        }
        let weights = weights::read(&path, rest.len(), Carrier::Joint, &file.animation.names).unwrap();
        assert!(weights.0.iter().all(|of| (of.iter().map(|w| w.1).sum::<Real>() - 1.0).abs() < 1e-6));
        // No blend shape acts in the last frame: there the joints alone pose the mesh.
        let skinned = folder.path().join("skinned.0014.obj");
        let whole = path.to_str().unwrap();
        let arguments =
            ["skin", "--rest", whole, "--joints", whole, "--weights", whole, "--frames", "14", "--out"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        let output =
            command.args(arguments).arg(skinned.with_file_name("skinned.%04d.obj")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let points = mesh::read(&skinned).unwrap().mesh.positions;
        assert!(near(&points, &source.read(13).unwrap(), 1e-6), "{name}");
        // Between keys there are values too, at any rate.
        let fast = joints::read_at(&path, 48.0).unwrap().animation;
        assert_eq!((fast.frames.len(), &fast.frames[&4]), (27, &file.animation.frames[&2]));
    }
}

/// A file with one triangle, made of parts.
#[derive(Default)]
struct Parts {
    data: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Parts {
    /// An accessor of some bytes.
    fn add(&mut self, bytes: &[u8], kind: u32, shape: &str, count: usize) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": self.data.len(), "byteLength": bytes.len() }));
        self.data.extend(bytes);
        let view = self.views.len() - 1;
        self.accessors
            .push(json!({ "bufferView": view, "componentType": kind, "type": shape, "count": count }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, numbers: &[f32], shape: &str) -> usize {
        let width = ["SCALAR", "VEC2", "VEC3", "VEC4"].iter().position(|s| *s == shape).unwrap() + 1;
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.add(&bytes, 5126, shape, numbers.len() / width)
    }

    /// A node with the mesh of these points, with what else the file is to have.
    fn save(mut self, folder: &Path, points: &[f32], more: impl Fn(&mut Value)) -> PathBuf {
        let position = self.floats(points, "VEC3");
        let mut file = json!({
            "asset": { "version": "2.0" },
            "nodes": [{ "name": "thing", "mesh": 0 }],
            "meshes": [{ "primitives": [{ "attributes": { "POSITION": position } }] }],
            "buffers": [{ "byteLength": self.data.len(), "uri": "a.bin" }],
            "bufferViews": self.views,
            "accessors": self.accessors,
        });
        more(&mut file);
        std::fs::write(folder.join("a.bin"), &self.data).unwrap();
        let path = folder.join("a.gltf");
        std::fs::write(&path, file.to_string()).unwrap();
        path
    }
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// The first point of a triangle whose node moves along these keys, at 0, 0.25, 0.5, 1 and 2 seconds.
fn moved(interpolation: &str, path: &str, times: &[f32], values: &[f32], shape: &str) -> Vec<Vec3> {
    let folder = tempfile::tempdir().unwrap();
    let mut parts = Parts::default();
    let (input, output) = (parts.floats(times, "SCALAR"), parts.floats(values, shape));
    let file = parts.save(folder.path(), &[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], |file| {
        file["animations"] = json!([{
            "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
        }]);
    });
    let (_, posed) = Posed::open(&file).unwrap();
    [0.0, 0.25, 0.5, 1.0, 2.0].map(|time| posed.points(time).unwrap()[0]).to_vec()
}

/// Joints that nothing moves stand in one frame, as the file has them, below each other as its nodes are.
#[test]
fn a_skin_without_animation_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let path = Parts::default().save(folder.path(), &TRIANGLE, |file| {
        file["nodes"] = json!([
            { "name": "thing", "mesh": 0, "skin": 0 },
            { "name": "hip", "translation": [0.0, 1.0, 0.0], "children": [2] },
            { "name": "cartilage", "translation": [0.0, -0.25, 0.0], "children": [3] },
            { "name": "knee", "translation": [0.0, -0.25, 0.0] },
        ]);
        file["skins"] = json!([{ "joints": [3, 1] }]);
    });
    let joints = joints::read(&path).unwrap().animation;
    assert_eq!(joints.names, ["knee", "hip"]);
    assert_eq!(joints.parents, [Some(1), None]);
    assert_eq!(joints.frames.keys().collect::<Vec<_>>(), [&0]);
    let places = joints.frames[&0].iter().map(translation);
    assert_eq!(places.collect::<Vec<_>>(), [Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, 1.0, 0.0)]);
    assert!(joints.held);
}

#[test]
fn keys_are_interpolated_as_specified() {
    let at = |x: [Real; 5]| x.map(|x| Vec3::new(1.0 + x, 2.0, 3.0)).to_vec();
    let (times, line) = ([0.0, 1.0], [0.0, 0.0, 0.0, 8.0, 0.0, 0.0]);
    assert_eq!(moved("STEP", "translation", &times, &line, "VEC3"), at([0.0, 0.0, 0.0, 8.0, 8.0]));
    assert_eq!(moved("LINEAR", "translation", &times, &line, "VEC3"), at([0.0, 2.0, 4.0, 8.0, 8.0]));
    // From 0 with the slope 0 to 1 with the slope 3: t^3.
    let mut cubic = [0.0; 18];
    (cubic[9], cubic[12], cubic[15]) = (3.0, 1.0, 0.0);
    let cube = at([0.0, 0.015625, 0.125, 1.0, 1.0]);
    assert_eq!(moved("CUBICSPLINE", "translation", &times, &cubic, "VEC3"), cube);
    // Tangents are per second: t^3 / 4 is 2 after two seconds, with the slope 3.
    (cubic[9], cubic[12]) = (3.0, 2.0);
    let slow = at([0.0, 0.25 * 0.015625, 0.25 * 0.125, 0.25, 2.0]);
    assert_eq!(moved("CUBICSPLINE", "translation", &[0.0, 2.0], &cubic, "VEC3"), slow);
    // A quarter turn about z, the shorter way though the quaternion is that of the longer one.
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let turn = moved("LINEAR", "rotation", &times, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -h, -h], "VEC4");
    for (found, degrees) in turn.iter().zip([0.0, 22.5, 45.0, 90.0, 90.0_f64]) {
        let (sin, cos) = degrees.to_radians().sin_cos();
        assert!(
            (found - Vec3::new(cos - 2.0 * sin, sin + 2.0 * cos, 3.0)).norm() < 1e-6,
            "{degrees}: {found}"
        );
    }
}

#[test]
fn numbers_are_read_in_every_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let grid: Vec<f32> = (0..6).flat_map(|k| [(k % 3) as f32, (k / 3) as f32, 0.0]).collect();
    let faces = [[0u32, 1, 3], [1, 2, 5]];
    for (kind, size) in [(5121, 1), (5123, 2), (5125, 4)] {
        let mut parts = Parts::default();
        let bytes: Vec<u8> =
            faces.as_flattened().iter().flat_map(|i| i.to_le_bytes()[..size].to_vec()).collect();
        let indices = parts.add(&bytes, kind, "SCALAR", 6);
        // Points of 16-bit integers, 8 bytes apart, and UVs as normalised bytes.
        let short: Vec<u8> =
            (0..6i16).flat_map(|k| [k % 3, k / 3, 0, 77].map(i16::to_le_bytes).concat()).collect();
        let position = parts.add(&short, 5122, "VEC3", 6);
        parts.views[position]["byteStride"] = 8.into();
        let uvs = parts.add(&[0, 0, 255, 0, 51, 102, 0, 255, 255, 255, 5, 10], 5121, "VEC2", 6);
        parts.accessors[uvs]["normalized"] = true.into();
        let path = parts.save(folder.path(), &TRIANGLE, |file| {
            let primitive = &mut file["meshes"][0]["primitives"][0];
            *primitive =
                json!({ "attributes": { "POSITION": position, "TEXCOORD_0": uvs }, "indices": indices });
        });
        let mesh = mesh::read(&path).unwrap().mesh;
        let expected: Vec<Vec3> = grid.chunks(3).map(|p| Vec3::new(p[0].into(), p[1].into(), 0.0)).collect();
        assert_eq!((&mesh.positions, mesh.corner_vertices.as_slice()), (&expected, faces.as_flattened()));
        let layer = mesh.uvs.unwrap();
        assert_eq!(layer.values[layer.indices[4] as usize], Vec2::new(0.2, 1.0 - 0.4));
    }
    // Strips and fans: a strip that jumps from one row to the next, and two triangles round a vertex.
    for (mode, corners, expected) in [
        (5, [0u8, 1, 3, 3, 2, 5].as_slice(), vec![0, 1, 3, 3, 5, 2]),
        (6, &[0, 1, 4, 3], vec![1, 4, 0, 4, 3, 0]),
    ] {
        let mut parts = Parts::default();
        let indices = parts.add(corners, 5121, "SCALAR", corners.len());
        let path = parts.save(folder.path(), &grid, |file| {
            let primitive = &mut file["meshes"][0]["primitives"][0];
            (primitive["mode"], primitive["indices"]) = (mode.into(), indices.into());
        });
        assert_eq!(mesh::read(&path).unwrap().mesh.corner_vertices, expected);
    }
    // A blend shape whose accessor has no data but two sparse vectors.
    let mut parts = Parts::default();
    let (places, values) =
        (parts.add(&[1, 0, 2, 0], 5123, "SCALAR", 2), parts.floats(&[0.0, 0.0, 4.0, 8.0, 0.0, 0.0], "VEC3"));
    parts.accessors.push(json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": {
        "count": 2, "indices": { "bufferView": places, "componentType": 5123 }, "values": { "bufferView": values },
    } }));
    let shape = parts.accessors.len() - 1;
    let path = parts.save(folder.path(), &TRIANGLE, |file| {
        file["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": shape }]);
        file["meshes"][0]["weights"] = json!([0.5]);
    });
    let (mesh, posed) = Posed::open(&path).unwrap();
    assert_eq!(mesh.positions[1], Vec3::x(), "without a pose");
    let expected = [Vec3::zeros(), Vec3::new(1.0, 0.0, 2.0), Vec3::new(4.0, 1.0, 0.0)];
    assert_eq!(posed.points(0.0).unwrap(), expected);
}

/// Integers, with or without normalisation, are scaled by the transform of the material's textures, whichever has one;
/// two primitives over the same vertices each have their own, and floats stay where they were laid.
#[test]
fn quantised_uvs_have_the_scale_of_their_material() {
    let folder = tempfile::tempdir().unwrap();
    let places = [[0u16, 0], [4095, 0], [1000, 3000]];
    let read = |normalized: bool, floats: bool, materials: Value| -> Vec<Vec2> {
        let mut parts = Parts::default();
        let bytes: Vec<u8> = places.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect();
        let uvs = match floats {
            true => {
                parts.floats(&places.as_flattened().iter().map(|n| f32::from(*n)).collect::<Vec<_>>(), "VEC2")
            }
            false => parts.add(&bytes, 5123, "VEC2", 3),
        };
        if normalized {
            parts.accessors[uvs]["normalized"] = true.into();
        }
        let path = parts.save(folder.path(), &TRIANGLE, |file| {
            let position = file["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
            let attributes = json!({ "POSITION": position, "TEXCOORD_0": uvs });
            let primitive = |material: usize| json!({ "attributes": attributes, "material": material });
            let count = materials.as_array().unwrap().len();
            file["meshes"][0]["primitives"] = (0..count).map(primitive).collect();
            file["materials"] = materials.clone();
        });
        let layer = mesh::read(&path).unwrap().mesh.uvs.unwrap();
        layer.indices.iter().map(|&index| layer.values[index as usize]).collect()
    };
    let near = |found: &[Vec2], uvs: &[[Real; 2]]| {
        assert_eq!(found.len(), uvs.len());
        for (found, uv) in found.iter().zip(uvs) {
            assert!((found - Vec2::new(uv[0], 1.0 - uv[1])).amax() < 1e-12, "{found} {uv:?}");
        }
    };
    let step = 1.0 / 4095.0;
    let transform = json!({ "scale": [step, 2.0 * step], "offset": [0.25, -0.5] });
    let info =
        |transform: &Value| json!({ "index": 0, "extensions": { "KHR_texture_transform": transform } });
    let base = json!({ "pbrMetallicRoughness": { "baseColorTexture": info(&transform) } });
    let scaled = [[0.25, -0.5], [1.25, -0.5], [0.25 + 1000.0 * step, 6000.0 * step - 0.5]];
    near(&read(false, false, json!([base])), &scaled);
    // Another texture's, after one on another set of UVs.
    let emissive = json!({ "normalTexture": { "index": 0, "texCoord": 1,
        "extensions": { "KHR_texture_transform": { "scale": [7, 7] } } }, "emissiveTexture": info(&transform) });
    near(&read(false, false, json!([emissive])), &scaled);
    // Normalised, and a quarter turn counter-clockwise with v down: (1, 0) comes to (0, -1).
    let turned = json!({ "scale": [2, 1], "rotation": std::f64::consts::FRAC_PI_2 });
    let turned = json!({ "pbrMetallicRoughness": { "baseColorTexture": info(&turned) } });
    let most = 65535.0;
    let quarter = [[0.0, 0.0], [0.0, -8190.0 / most], [3000.0 / most, -2000.0 / most]];
    near(&read(true, false, json!([turned])), &quarter);
    let both = read(true, false, json!([turned, { "name": "plain" }]));
    near(&both[..3], &quarter);
    near(&both[3..], &[[0.0, 0.0], [4095.0 / most, 0.0], [1000.0 / most, 3000.0 / most]]);
    let plain = places.map(|[u, v]| [Real::from(u), Real::from(v)]);
    near(&read(false, true, json!([base])), &plain);
    near(&read(false, false, json!([{}])), &plain);
}

#[test]
fn what_cannot_be_read_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = |more: &dyn Fn(&mut Value)| {
        let path = Parts::default().save(folder.path(), &TRIANGLE, more);
        let error = Posed::open(&path).map(|_| ()).unwrap_err();
        assert_eq!(error.place().file.as_deref().and_then(Path::parent), path.parent(), "{error}");
        (error.kind(), error.to_string())
    };
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing"] {
        let (kind, message) =
            error(&|file| file["extensionsRequired"] = json!(["KHR_materials_unlit", name]));
        assert!(kind == Kind::Unsupported && message.contains(name), "{message}");
    }
    assert_eq!(error(&|file| file["asset"]["version"] = "1.0".into()).0, Kind::WrongVersion);
    assert_eq!(error(&|file| file["buffers"][0]["uri"] = "../a.bin".into()).0, Kind::Unsupported);
    assert_eq!(error(&|file| file["buffers"][0]["uri"] = "none.bin".into()).0, Kind::MissingFile);
    assert_eq!(error(&|file| file["buffers"][0]["byteLength"] = 37.into()).0, Kind::CountMismatch);
    for count in [4u64, 1 << 40, u64::MAX] {
        assert_eq!(
            error(&|file| file["accessors"][0]["count"] = count.into()).0,
            match count {
                4 => Kind::OutOfRange,
                _ => Kind::TooLarge,
            }
        );
    }
    assert_eq!(error(&|file| file["accessors"][0]["byteOffset"] = u64::MAX.into()).0, Kind::OutOfRange);
    assert_eq!(error(&|file| file["bufferViews"][0]["byteStride"] = 0.into()).0, Kind::OutOfRange);
    assert_eq!(error(&|file| file["nodes"][0]["children"] = json!([0])).0, Kind::Topology);
    // Many primitives, each with all points: little text for much memory.
    let many: Vec<Value> =
        (0..9000).map(|k| json!({ "attributes": { "POSITION": 0, (k.to_string()): 0 } })).collect();
    let big = Parts::default()
        .save(folder.path(), &[1.0; 9 * 2000], |file| file["meshes"][0]["primitives"] = many.clone().into());
    assert_eq!(mesh::read(&big).unwrap_err().kind(), Kind::TooLarge);
    let two = |file: &mut Value| {
        file["nodes"] = json!([{ "name": "a", "mesh": 0 }, { "name": "b", "children": [2] }, { "mesh": 0 }])
    };
    let (kind, message) = error(&two);
    assert!(
        kind == Kind::InvalidArgument && message.contains("/a, /b/node2; name one after the file"),
        "{message}"
    );
    let path = Parts::default().save(folder.path(), &TRIANGLE, two);
    assert!(Posed::open(&path.join("b/node2")).is_ok());
    assert_eq!(Posed::open(&path.join("c")).unwrap_err().kind(), Kind::NotFound);
    assert_eq!(joints::read(&path.join("a")).unwrap_err().kind(), Kind::NotFound);
    let error = weights::read(&path.join("a"), 3, Carrier::Joint, &[]).unwrap_err();
    assert_eq!(error.kind(), Kind::MissingInput, "{error}");
}

#[test]
fn one_of_several_animations_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut parts = Parts::default();
    let (input, output) =
        (parts.floats(&[0.0, 1.0], "SCALAR"), parts.floats(&[0.0, 0.0, 0.0, 5.0, 0.0, 0.0], "VEC3"));
    let path = parts.save(folder.path(), &TRIANGLE, |file| {
        let clip = |name: &str, path: &str| {
            json!({
                "name": name, "samplers": [{ "input": input, "output": output }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
            })
        };
        file["animations"] =
            json!([clip("walk", "translation"), clip("run", "translation"), clip("grow", "scale")]);
    });
    let open = |inside: &str| Posed::open(&if inside.is_empty() { path.clone() } else { path.join(inside) });
    let error = open("").unwrap_err();
    assert!(error.kind() == Kind::InvalidArgument && error.message().contains("shot.glb/@walk"), "{error}");
    let at = |inside: &str| open(inside).unwrap().1.points(1.0).unwrap();
    assert_eq!(at("@run")[1], Vec3::new(6.0, 0.0, 0.0));
    assert_eq!(at("thing/@grow")[1], Vec3::new(5.0, 0.0, 0.0));
    assert_eq!(open("@jump").unwrap_err().kind(), Kind::NotFound);
    assert!(mesh::read(&path).is_ok(), "without a pose");
}
