//! One function per reader: whatever the bytes are, the reader refuses them, or what it read is sound and survives
//! being written and read again.
//!
//! `tests/fuzz_bounded.rs` runs them on every change over the kept corpus: each sample, each of its truncations and a
//! fixed number of mutations. To run one for longer, with coverage to guide it (cargo-fuzz and a nightly toolchain):
//!
//! ```text
//! cargo install cargo-fuzz
//! sh tests/fuzz/run.sh obj 600      # one reader, 600 seconds
//! sh tests/fuzz/run.sh all 60       # every reader, 60 seconds each
//! ```
//!
//! What it finds lies in `tests/fuzz/artifacts`; fix the reader and put the input, minimised by
//! `SINEW_READER=NAME cargo +nightly fuzz tmin --fuzz-dir tests/fuzz reader FILE`, into `tests/fuzz/corpus/NAME`.

mod states;

use sinew::formats::alembic::{Archive, At, Geometry, MeshSample, Schema, TimeSampling, Writer};
use sinew::formats::cache::{CacheKind, CacheReader, CacheWriter};
use sinew::formats::gltf::Asset;
use sinew::formats::map::{self, VertexMap};
use sinew::formats::sequence::Pattern;
use sinew::formats::usd::Stage;
use sinew::formats::weights::{self, Carrier};
use sinew::formats::{bvh, image, joints, obj, rows, xml};
use sinew::geometry::{FaceLabels, Mesh, shapes};
use sinew::math::{Affine, Real, Vec2, Vec3};
use sinew::muscle::{self, Frames, Inputs, Model, Muscle, Scratch, State};
use sinew::scene::Scene;
use sinew::scene::frames::{format_frames, gaps, parse_frames};
use sinew::scene::muscles::{MuscleSet, Readable};
use sinew::scene::strand::StrandScene;
use std::collections::{HashMap, HashSet};
use std::io::Cursor;
use std::path::Path;

pub use states::{read_state, read_strand_state};

/// A reader under test.
pub type Target = fn(&[u8]);

/// Every reader under the name of its corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("obj", read_obj),
    ("joints", read_joints),
    ("bvh", read_bvh),
    ("usda", read_usda),
    ("usdc", read_usdc),
    ("gltf", read_gltf),
    ("weights", read_weights),
    ("rows", read_rows),
    ("map_csv", read_map_csv),
    ("map_json", read_map_json),
    ("pc2", read_pc2),
    ("mdd", read_mdd),
    ("abc", read_abc),
    ("png", read_png),
    ("exr", read_exr),
    ("scene", read_scene),
    ("strand_scene", read_strand_scene),
    ("muscle_set", read_muscle_set),
    ("strand_state", read_strand_state),
    ("frames", read_frames),
    ("pattern", read_pattern),
    ("state", read_state),
];

/// Readers of text get text; files that are not text are refused before.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// OBJ.
pub fn read_obj(data: &[u8]) {
    let Ok(read) = obj::parse(data) else { return };
    let mesh = read.mesh;
    mesh.check_counts().expect("a mesh that was read is sound");
    let mut written = Vec::new();
    obj::write(&mut written, &mesh).unwrap();
    let back = obj::parse(written.as_slice()).expect("what is written reads back").mesh;
    assert_eq!(back.positions, mesh.positions);
    assert_eq!((&back.face_offsets, &back.corner_vertices), (&mesh.face_offsets, &mesh.corner_vertices));
    assert_eq!((&back.uvs, &back.normals), (&mesh.uvs, &mesh.normals));
    for (back, labels) in
        [(&back.groups, &mesh.groups), (&back.objects, &mesh.objects), (&back.materials, &mesh.materials)]
    {
        let faces = 0..mesh.face_count();
        assert!(faces.clone().map(|f| label(back, f)).eq(faces.map(|f| label(labels, f))));
    }
}

/// Labels that no face has are not written, so compare the faces' names.
fn label(labels: &FaceLabels, face: usize) -> Option<&str> {
    let index = *labels.of_face.get(face)?;
    labels.names.get(index as usize).map(String::as_str)
}

/// Joint tables.
pub fn read_joints(data: &[u8]) {
    let Some(Ok(animation)) = text(data).map(joints::parse) else { return };
    let count = animation.names.len();
    assert_eq!(animation.names.iter().collect::<HashSet<_>>().len(), count);
    // Frames may hold what is not finite: whoever computes them says so.
    assert!(animation.frames.values().chain([&animation.rest]).all(|pose| pose.len() == count));
    assert!(animation.rest.iter().all(|m| m.iter().all(|x| x.is_finite())));
    let mut written = Vec::new();
    joints::write(&mut written, &animation).unwrap();
    let read = joints::parse(text(&written).unwrap()).expect("what is written reads back");
    let bits = |animation: &joints::JointAnimation| -> Vec<u64> {
        let bits = |x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        animation.frames.values().flatten().flat_map(|m| m.iter().map(bits)).collect()
    };
    assert_eq!((&read.names, &read.rest, bits(&read)), (&animation.names, &animation.rest, bits(&animation)));
    assert!(read.frames.keys().eq(animation.frames.keys()));
}

/// BVH.
pub fn read_bvh(data: &[u8]) {
    let Some(Ok(read)) = text(data).map(bvh::parse) else { return };
    let mut written = Vec::new();
    bvh::write(&mut written, &read).unwrap();
    assert_eq!(bvh::parse(text(&written).unwrap()).expect("what is written reads back"), read);
    let Ok(animation) = read.to_joints() else { return };
    let mut poses = animation.frames.values().chain([&animation.rest]);
    let finite = |pose: &Vec<Affine>| pose.iter().all(|m| m.iter().all(|x| x.is_finite()));
    assert!(poses.all(|pose| pose.len() == read.joints.len() && finite(pose)));
}

/// glTF in either form: meshes and joints, at any time.
pub fn read_gltf(data: &[u8]) {
    let Ok(asset) = Asset::parse(data) else { return };
    let animations = asset.animations();
    let animation = animations.first().map(String::as_str);
    for path in asset.meshes().unwrap_or_default().iter().take(3) {
        if let Ok(file) = asset.joints(Some(path), animation, None) {
            let joints = file.animation;
            let mut poses = joints.frames.values().chain([&joints.rest]);
            assert!(poses.all(|pose| pose.len() == joints.names.len()));
            assert!(joints.frames.values().flatten().flatten().all(|x| x.is_finite()));
        }
        let Ok(posed) = asset.posed(path, animation) else { continue };
        let count = match posed.mesh() {
            Ok(mesh) => {
                mesh.check_counts().map(|()| mesh.positions.len()).expect("a mesh that was read is sound")
            }
            Err(_) => continue,
        };
        let times = posed.times();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        if let Some((joints, weights)) = posed.weights() {
            assert_eq!(weights.0.len(), count);
            assert!(
                weights.0.iter().flatten().all(|(joint, w)| (*joint as usize) < joints.len() && *w > 0.0)
            );
        }
        for time in
            [-1.0, 0.0, 0.3, 1e9].into_iter().chain(times.first().copied()).chain(times.last().copied())
        {
            let Ok(points) = posed.points(time) else { continue };
            assert!(points.len() == count && points.iter().all(|p| p.iter().all(|x| x.is_finite())));
        }
    }
}

/// USD as text.
pub fn read_usda(data: &[u8]) {
    read_usd(data);
}

/// USD in binary, and in an archive.
pub fn read_usdc(data: &[u8]) {
    read_usd(data);
}

fn read_usd(data: &[u8]) {
    let Ok(stage) = Stage::parse(data.to_vec()) else { return };
    assert!(stage.time_codes_per_second() > 0.0);
    drop(stage.space());
    for path in stage.meshes() {
        let times = stage.sample_times(path).unwrap_or_default();
        assert!(times.iter().all(|t| t.is_finite()) && times.is_sorted());
        let posing = stage.posing(path).ok().flatten();
        drop(posing.as_ref().map(|posing| posing.times(&stage)));
        for time in [0.0, 1.5].into_iter().chain(times.into_iter().take(3)) {
            if let Some(Ok(points)) = posing.as_ref().map(|posing| posing.points(&stage, time)) {
                assert!(points.iter().all(|p| p.iter().all(|x| x.is_finite())));
            }
            if let Ok(mesh) = stage.mesh_at(path, time, true) {
                mesh.check_counts().expect("a mesh that was read is sound");
            }
            if let Ok(points) = stage.points_at(path, time) {
                assert!(points.iter().all(|p| p.iter().all(|x| x.is_finite())));
            }
            drop(stage.velocities_at(path, time));
            for name in stage.primvars(path).unwrap() {
                drop(stage.primvar_at(path, name, time));
            }
        }
    }
    for path in stage.skeletons() {
        let Ok(animation) = stage.skeleton(path, None) else { continue };
        let mut poses = animation.frames.values().chain([&animation.rest]);
        let finite = |pose: &Vec<Affine>| pose.iter().all(|m| m.iter().all(|x| x.is_finite()));
        assert!(poses.all(|pose| pose.len() == animation.names.len() && finite(pose)));
    }
}

/// Weight tables, for 64 vertices and whatever joints or muscles they name.
pub fn read_weights(data: &[u8]) {
    let Some(text_in) = text(data) else { return };
    let Ok(contents) = weights::contents(text_in) else {
        let names: Vec<String> = ["a", "b", ""].map(String::from).to_vec();
        for carrier in [Carrier::Joint, Carrier::Muscle] {
            let read = weights::parse(text_in, 64, carrier, &names);
            assert!(read.is_err(), "a row that is not sound in itself was read");
        }
        return;
    };
    let (carrier, names) = (contents.carrier, &contents.names);
    assert!(contents.vertices <= contents.rows && names.len() <= contents.rows);
    let Ok(read) = weights::parse(text_in, 64, carrier, names) else { return };
    assert_eq!(read.0.len(), 64);
    let all: Vec<(u32, Real)> = read.0.iter().flatten().copied().collect();
    assert_eq!(all.len(), contents.rows);
    assert!(all.iter().all(|&(k, w)| (k as usize) < names.len() && w.is_finite() && w >= 0.0));
    let mut written = Vec::new();
    weights::write(&mut written, &read, carrier, names).unwrap();
    assert_eq!(weights::parse(text(&written).unwrap(), 64, carrier, names).unwrap(), read);
}

/// Tables of constraint rows.
pub fn read_rows(data: &[u8]) {
    let Some(Ok(read)) = text(data).map(rows::parse) else { return };
    let entries: Vec<(u32, u32)> = read.entries.chunks_exact(2).map(|e| (e[0], e[1])).collect();
    assert_eq!((2 * entries.len(), 3 * entries.len()), (read.entries.len(), read.vectors.len()));
    assert!(read.vectors.iter().chain(&read.speeds).all(|x| x.is_finite()));
    assert!(read.speeds.len() <= entries.len());
    assert!(entries.iter().all(|(row, _)| (*row as usize) < read.speeds.len()));
    let line = |((row, vertex), v): (&(u32, u32), &[Real])| {
        format!("{row},{vertex},{},{},{},{}\n", v[0], v[1], v[2], read.speeds[*row as usize])
    };
    let written: String = entries.iter().zip(read.vectors.chunks_exact(3)).map(line).collect();
    assert_eq!(rows::parse(&written).expect("what is written reads back"), read);
}

/// The rows of a map as text, which both kinds of map files can hold.
fn check_map(map: &VertexMap, around: [&str; 2], between: &str) -> String {
    assert!(map.values.iter().all(|x| x.is_finite()));
    assert!(map.values.len().is_multiple_of(map.components.max(1)));
    assert!(map.components > 0 || map.values.is_empty());
    let row = |row: &[Real]| {
        let numbers: Vec<String> = row.iter().map(Real::to_string).collect();
        format!("{}{}{}", around[0], numbers.join(","), around[1])
    };
    let rows: Vec<String> = map.values.chunks(map.components.max(1)).map(row).collect();
    rows.join(between)
}

/// Maps as tables.
pub fn read_map_csv(data: &[u8]) {
    let Some(Ok(map)) = text(data).map(map::parse_csv) else { return };
    let rows = check_map(&map, ["", ""], "\n");
    assert_eq!(map::parse_csv(&rows).unwrap(), map);
}

/// Maps as JSON, for 8 vertices.
pub fn read_map_json(data: &[u8]) {
    let Some(Ok(map)) = text(data).map(|t| map::parse_json(t, 8)) else { return };
    let rows = check_map(&map, ["[", "]"], ",");
    assert_eq!(map::parse_json(&format!("[{rows}]"), 8).unwrap(), map);
}

/// PC2.
pub fn read_pc2(data: &[u8]) {
    read_cache(data, CacheKind::Pc2);
}

/// MDD.
pub fn read_mdd(data: &[u8]) {
    read_cache(data, CacheKind::Mdd);
}

fn read_cache(data: &[u8], kind: CacheKind) {
    let path = Path::new("cache");
    let Ok(mut reader) = CacheReader::new(Cursor::new(data), path, kind) else { return };
    let (points, count) = (reader.point_count(), reader.sample_count());
    assert!(12 * points * count <= data.len());
    let times = reader.frames(24.0);
    assert!(times.len() == count && times.iter().all(|t| t.is_finite()));
    let mut samples = Vec::new();
    for k in 0..count {
        let mut sample: Vec<Vec3> = Vec::new();
        if reader.read(k, &mut sample).is_err() {
            return;
        }
        assert!(sample.len() == points && sample.iter().all(|p| p.iter().all(|x| x.is_finite())));
        samples.push(sample);
    }
    // Only whole frames can be written; single precision tells them apart up to here.
    if times.iter().any(|t| (t - t.round()).abs() > 0.01 || t.abs() > 1e5) {
        return;
    }
    let frames: Vec<i64> = times.iter().map(|t| t.round() as i64).collect();
    // PC2 holds evenly spaced frames only, which rounding may have changed.
    let Ok(mut writer) = CacheWriter::new(Vec::new(), path, kind, points, &frames, [24.0, 1.0]) else {
        return;
    };
    samples.iter().for_each(|sample| writer.write(sample).expect("single precision was read"));
    let written = writer.finish().unwrap();
    let mut back = CacheReader::new(Cursor::new(written), path, kind).expect("what is written reads back");
    assert_eq!((back.point_count(), back.sample_count()), (points, count));
    assert!(back.frames(24.0).iter().zip(&frames).all(|(t, &f)| (t - f as Real).abs() < 0.02));
    for (k, sample) in samples.iter().enumerate() {
        let mut again = Vec::new();
        back.read(k, &mut again).unwrap();
        assert_eq!(&again, sample);
    }
}

/// Alembic: every object, its first and last samples, and one between samples.
pub fn read_abc(data: &[u8]) {
    let path = Path::new("archive");
    let Ok(mut archive) = Archive::new(Cursor::new(data), path) else { return };
    assert!(archive.objects().len() <= data.len());
    for object in 0..archive.objects().len() {
        assert!(archive.objects()[object].parent.is_none_or(|p| p < object));
        for at in [At::Sample(0), At::Sample(usize::MAX), At::Between(0.06)] {
            if let Ok(world) = archive.world(object, at) {
                assert!(world.iter().all(|x| x.is_finite()));
            }
            match archive.objects()[object].schema {
                Schema::Mesh => {
                    if let Ok(shape) = archive.mesh(object) {
                        check_shape(&mut archive, &shape, at);
                        shape.mesh(&mut archive, at).ok().iter().for_each(check_archived);
                    }
                }
                Schema::Curves => {
                    if let Ok(shape) = archive.curves(object) {
                        check_shape(&mut archive, &shape, at);
                        let _ = shape.curve_counts(&mut archive, at);
                    }
                }
                Schema::Transform | Schema::Other => {}
            }
        }
    }
}

fn check_shape(archive: &mut Archive<Cursor<&[u8]>>, shape: &Geometry, at: At) {
    if let Ok(times) = shape.times(archive) {
        assert!(!times.is_empty());
    }
    if let Ok(points) = shape.points(archive, at) {
        assert!(points.iter().all(|p| p.iter().all(|x| x.is_finite())));
    }
    let _ = shape.velocities(archive, at);
    let mut names: Vec<String> = shape.maps().map(String::from).collect();
    names.extend(["uv", "N", "width"].map(String::from));
    for map in names.iter().filter_map(|name| shape.map(archive, name, at).ok()) {
        assert!((0..map.indices.len()).all(|k| map.value(k).iter().all(|x| x.is_finite())));
    }
}

/// A mesh that was read is sound and survives being written.
fn check_archived(mesh: &Mesh) {
    mesh.check_counts().expect("a mesh that was read is sound");
    let path = Path::new("archive");
    let mut writer = Writer::new(Cursor::new(Vec::new()), path, TimeSampling::frames(0.0, 24.0)).unwrap();
    let body = writer.add_mesh(None, "body", mesh).unwrap();
    let sample = MeshSample {
        positions: &mesh.positions,
        uvs: mesh.uvs.as_ref(),
        normals: mesh.normals.as_ref(),
        ..MeshSample::default()
    };
    // Doubles may be too large for what is written.
    if writer.write_mesh(body, &sample).is_err() {
        return;
    }
    let mut back = Archive::new(Cursor::new(writer.finish().unwrap().into_inner()), path).unwrap();
    let shape = back.mesh(0).unwrap();
    let back = shape.mesh(&mut back, At::Sample(0)).expect("what is written reads back");
    assert_eq!((&back.face_offsets, &back.corner_vertices), (&mesh.face_offsets, &mesh.corner_vertices));
    let single = |p: &Vec3| p.map(|x| x as f32);
    assert!(back.positions.iter().map(single).eq(mesh.positions.iter().map(single)));
    assert_eq!(back.uvs.map(|l| l.indices), mesh.uvs.as_ref().map(|l| l.indices.clone()));
}

/// PNG images, as they are and with checksums corrected, so that mutations get past them.
pub fn read_png(data: &[u8]) {
    read_image(data);
    let mut good = data.to_vec();
    let mut at = 8;
    while let Some(length) = data.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let (from, to) = (at + 4, at + 8 + length);
        if to + 4 > good.len() {
            break;
        }
        let sum = crc32fast::hash(&good[from..to]).to_be_bytes();
        good[to..to + 4].copy_from_slice(&sum);
        at = to + 4;
    }
    if good != data {
        read_image(&good);
    }
}

/// EXR images.
pub fn read_exr(data: &[u8]) {
    read_image(data);
}

fn read_image(data: &[u8]) {
    let Ok(image) = image::parse(data) else { return };
    assert!(image.width > 0 && image.height > 0 && [1, 3].contains(&image.channels));
    assert_eq!(image.pixels.len(), image.width * image.height * image.channels);
    assert!(image.pixels.iter().all(|x| x.is_finite()));
    for place in [0.0, 1.0, -1e-300, 0.499, 1e15] {
        assert!(image.sample(Vec2::new(place, 1.0 - place), image.channels - 1).is_finite());
    }
    let map = image.to_vertex_map(&shapes::grid(1.0, 1.0, 2, 2)).unwrap();
    assert_eq!((map.components, map.values.len()), (image.channels, 9 * image.channels));
}

/// Scenes.
pub fn read_scene(data: &[u8]) {
    let Some(Ok(mut scene)) = text(data).map(xml::parse::<Scene>) else { return };
    assert!(scene.space.iter().all(|s| s.metres_per_unit.is_finite()));
    assert!(scene.frames.iter().all(|f| f.fps.is_none_or(f64::is_finite)));
    assert!(scene.files_mut().all(|(_, file)| !file.is_empty()));
    let back: Scene = xml::parse(&xml::write(&scene)).expect("what is written reads back");
    assert_eq!(back, scene);
}

/// Muscle sets: what is written reads back, and what is built, even of a set that cannot be read whole, can be stepped.
pub fn read_muscle_set(data: &[u8]) {
    let tree = text(data).map(xml::parse_tree);
    let Some(Ok(Ok(readable))) = tree.map(|tree| tree.map(|tree| Readable::new(&tree))) else { return };
    if let Ok(set) = readable.whole() {
        let back: MuscleSet = xml::parse(&xml::write(set)).expect("what is written reads back");
        assert_eq!(&back, set);
    }
    let set = readable.set();
    // Sheets of many large muscles are sound, but not quick.
    if set.muscles.iter().map(|e| u64::from(e.count.min(200)) * u64::from(e.rings)).sum::<u64>() > 2000 {
        return;
    }
    let joints: Vec<String> = ["Spine", "LeftArm"].map(String::from).to_vec();
    let Ok(built) = readable.parts(&joints) else { return };
    assert_eq!((built.parts.muscles.len(), built.count()), (built.kept.len(), set.muscle_names().len()));
    let vertices: usize = built.parts.muscles.iter().map(Muscle::vertex_count).sum();
    let rest = [Affine::identity(); 2];
    let mut bent = rest;
    bent[1][(1, 3)] = 0.1;
    let model = Model::new(built.parts, &rest, Frames::Stable).expect("what is built is sound");
    let (mut state, mut scratch) = (State::new(), Scratch::default());
    for seconds in [None, Some(0.04), Some(1.0)] {
        let inputs = Inputs { joints: &bent, activations: &[], seconds };
        muscle::step(&model, &mut state, &mut scratch, &muscle::Settings::default(), &inputs).unwrap();
        assert_eq!(scratch.points.len(), vertices);
    }
}

/// Scenes of strands, and models of them; every file is a cube.
pub fn read_strand_scene(data: &[u8]) {
    let Some(Ok(scene)) = text(data).map(xml::parse::<StrandScene>) else { return };
    let back: StrandScene = xml::parse(&xml::write(&scene)).expect("what is written reads back");
    assert_eq!(back, scene);
    let files = scene.files().map(|(file, _)| (file.to_string(), shapes::cube(0.1, 1)));
    let meshes: HashMap<String, _> = files.collect();
    let built = match scene.build(&meshes) {
        Ok(built) => built,
        Err(error) => {
            assert!(error.place().element.is_some(), "no element is named: {error}");
            return;
        }
    };
    let parts = built.model.parts();
    assert_eq!((parts.bodies.len(), parts.rules.len()), (built.inner.len(), built.rules.len()));
    for time in [0.0, 0.3, 1e9] {
        assert!(built.led(time).iter().all(|place| place.to_affine().iter().all(|x| x.is_finite())));
        assert!(built.script.activations(time).all(|a| (0.0..=1.0).contains(&a)));
    }
}

/// Frame ranges.
pub fn read_frames(data: &[u8]) {
    let Some(Ok(mut frames)) = text(data).map(parse_frames) else { return };
    assert!(!frames.is_empty());
    assert_eq!(parse_frames(&format_frames(&frames)).expect("what is written reads back"), frames);
    frames.sort_unstable();
    frames.dedup();
    let gaps = gaps(&frames);
    assert!(gaps.iter().all(|(from, to)| from <= to && frames.binary_search(from).is_err()));
    assert!(gaps.len() < frames.len());
}

/// The names of numbered files.
pub fn read_pattern(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let Ok(Some(pattern)) = Pattern::parse(Path::new(text)) else { return };
    let mut paths = HashSet::new();
    for frame in [0, 1, -1, 48, 1_000_000, i64::MAX, i64::MIN] {
        let path = pattern.path(frame);
        assert_eq!(path.parent(), Path::new(text).parent());
        let name = path.file_name().and_then(|n| n.to_str()).unwrap();
        assert!(name.contains(&frame.unsigned_abs().to_string()));
        assert!(paths.insert(path), "two frames have one file");
    }
}
