//! Reading and writing a mesh of a million vertices with UVs, as text and as caches, beside the floor: the same bytes
//! read into memory, or written to the same disk, without looking at them. Then Alembic, 24 frames of 100,000 vertices,
//! beside the library that studios use.

#[path = "../support/judges.rs"]
mod judges;

use sinew::formats::alembic::{Archive, At, MeshSample, TimeSampling, Writer};
use sinew::formats::cache::{CacheKind, CacheReader, CacheWriter};
use sinew::formats::obj;
use sinew::geometry::{CornerLayer, Mesh, shapes};
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::TAU;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const SIDE: usize = 1000;
const ROUNDS: usize = 5;
const CACHE_FRAMES: usize = 4;

/// A torus of SIDE x SIDE quads with UVs that are cut along two rings.
fn torus() -> Mesh {
    let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
    let mut uvs = CornerLayer { values: Vec::new(), indices: Vec::new() };
    let part = |k: usize| k as Real / SIDE as Real;
    for i in 0..=SIDE {
        for j in 0..=SIDE {
            uvs.values.push(Vec2::new(part(i), part(j)));
            if i < SIDE && j < SIDE {
                let ((su, cu), (sv, cv)) = ((TAU * part(i)).sin_cos(), (TAU * part(j)).sin_cos());
                let r = 1.0 + 0.3 * cv;
                mesh.positions.push(Vec3::new(r * cu, 0.3 * sv, r * su));
            }
        }
    }
    for i in 0..SIDE {
        for j in 0..SIDE {
            for (a, b) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
                mesh.corner_vertices.push(((i + a) % SIDE * SIDE + (j + b) % SIDE) as u32);
                uvs.indices.push(((i + a) * (SIDE + 1) + j + b) as u32);
            }
            mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        }
    }
    mesh.uvs = Some(uvs);
    mesh
}

/// Prints the median and the best of several rounds against a floor; returns the median.
fn row(name: &str, floor: Option<f64>, mut run: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds[ROUNDS / 2];
    let ratio = floor.map_or(String::new(), |floor| format!("{:.1}", median / floor));
    println!("{name:44} {median:8.3} {:8.3} {ratio:>8}", seconds[0]);
    median
}

fn caches(folder: &Path, mesh: &Mesh) {
    let frames: Vec<i64> = (1..=CACHE_FRAMES as i64).collect();
    for kind in [CacheKind::Pc2, CacheKind::Mdd] {
        let path = folder.join(format!("torus.{kind:?}"));
        let bytes = vec![1u8; 12 * CACHE_FRAMES * mesh.positions.len()];
        let floor = row("  floor: write as many bytes", None, || std::fs::write(&path, &bytes).unwrap());
        row(&format!("{kind:?} write, {CACHE_FRAMES} frames"), Some(floor), || {
            let mut writer = CacheWriter::create(&path, kind, mesh.positions.len(), &frames, 24.0).unwrap();
            frames.iter().for_each(|_| writer.write(&mesh.positions).unwrap());
            writer.commit().unwrap();
        });
        let floor = row("  floor: read the bytes", None, || drop(black_box(std::fs::read(&path).unwrap())));
        row(&format!("{kind:?} read, {CACHE_FRAMES} frames"), Some(floor), || {
            let mut reader = CacheReader::open(&path, kind).unwrap();
            let mut points = Vec::new();
            (0..reader.sample_count()).for_each(|k| reader.read(k, &mut points).unwrap());
            black_box(points);
        });
    }
}

const ABC_SIDE: usize = 317;
const ABC_FRAMES: usize = 24;

fn alembic(folder: &Path) {
    let mesh = shapes::grid(1.0, 1.0, ABC_SIDE - 1, ABC_SIDE - 1);
    let moved = |frame: usize| mesh.positions.iter().map(|p| p * (1.0 + frame as Real)).collect();
    let frames: Vec<Vec<Vec3>> = (1..=ABC_FRAMES).map(moved).collect();
    let path = folder.join("grid.abc");
    let theirs = folder.join("theirs.abc");
    let numbers = [ABC_SIDE, ABC_FRAMES, ROUNDS].map(|n| n.to_string());
    let arguments = [theirs.to_str().unwrap(), &numbers[0], &numbers[1], &numbers[2]];
    let reported = judges::judge("alembic_speed.py", &arguments);
    let reported: Vec<f64> = reported.split_whitespace().map(|t| t.parse().unwrap()).collect();
    println!("Alembic, {} vertices, {ABC_FRAMES} frames; the floor is alembic3d", mesh.positions.len());
    println!(
        "{:44} {:8.3}\n{:44} {:8.3}",
        "  floor: alembic3d write", reported[0], "  floor: alembic3d read", reported[1]
    );
    row("Alembic write", Some(reported[0]), || {
        let mut writer = Writer::create(&path, TimeSampling::frames(1.0, 24.0)).unwrap();
        let body = writer.add_mesh(None, "body", &mesh).unwrap();
        for positions in &frames {
            writer.write_mesh(body, &MeshSample { positions, ..MeshSample::default() }).unwrap();
        }
        writer.commit().unwrap();
    });
    row("Alembic read", Some(reported[1]), || {
        let mut archive = Archive::open(&path).unwrap();
        let body = archive.mesh(0).unwrap();
        (0..ABC_FRAMES).for_each(|k| drop(black_box(body.points(&mut archive, At::Sample(k)).unwrap())));
    });
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("torus.obj");
    let mesh = torus();
    obj::save(&path, &mesh).unwrap();
    let megabytes = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    println!(
        "{} vertices with UVs, {} quads, {megabytes:.0} MB as OBJ",
        mesh.positions.len(),
        mesh.face_count()
    );
    println!("{:44} {:>8} {:>8} {:>8}", "seconds", "median", "best", "/ floor");
    let floor = row("  floor: read the bytes", None, || drop(black_box(std::fs::read(&path).unwrap())));
    row("OBJ read", Some(floor), || drop(black_box(obj::read(&path).unwrap())));
    let bytes = std::fs::read(&path).unwrap();
    let floor = row("  floor: write the bytes", None, || std::fs::write(&path, &bytes).unwrap());
    row("OBJ write", Some(floor), || obj::save(&path, &mesh).unwrap());
    caches(folder.path(), &mesh);
    alembic(folder.path());
}
