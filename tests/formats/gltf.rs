//! glTF beside Blender, which shows in every frame the points and UVs that were written.

use crate::judges;
use serde_json::Value;
use sinew::error::Kind;
use sinew::formats::gltf::{Info, write};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Space, UpAxis, Vec2, Vec3};

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
    let told: Vec<Value> =
        output.lines().filter_map(|l| serde_json::from_str(l.strip_prefix("TOLD ")?).ok()).collect();
    assert_eq!(told.len(), 5);
    // The faces as fans, by the corners that they have in the mesh.
    let fan = |f: usize| {
        let corners: Vec<usize> = mesh.corners(f).collect();
        corners[1..].windows(2).flat_map(|w| [corners[0], w[0], w[1]]).collect::<Vec<_>>()
    };
    let corners: Vec<usize> = (0..mesh.face_count()).flat_map(fan).collect();
    let vector = |value: &Value| -> Vec<Real> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    for line in &told {
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
