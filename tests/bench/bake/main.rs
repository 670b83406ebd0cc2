//! Textures of 4096 x 4096 on a torus of 40,000 triangles whose skin turns a little around its axis, beside OpenCV's
//! remap of the same picture through the same map: its `INTER_LINEAR` on 8 bits, which blends stored values with
//! five-bit weights and takes no account of islands or linear light.
//!
//! The machine may be shared: the fastest of several runs is printed, and the ratio to it. The argument is a
//! Python with cv2; without it the comparison is left out.

use sinew::control::Control;
use sinew::formats::picture;
use sinew::geometry::{ClosestPoint, Mesh, SurfacePoint, TriMesh, shapes};
use sinew::math::{Real, Vec2};
use sinew::scene::Packing;
use sinew::texture::{
    CHANNELS, Content, Depth, Layout, Picture, Room, Samples, Slide, SourceTexture, Texels, Tile, bake,
    round_uvs, st_map,
};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const SIDE: usize = 4096;
const ROUNDS: usize = 5;
const AROUND: usize = 200;
const ACROSS: usize = 100;

/// Prints the least time of an action and returns it in milliseconds, with what the action made.
fn time<T>(name: &str, rounds: usize, mut action: impl FnMut() -> T) -> (f64, T) {
    let mut least = f64::INFINITY;
    let mut made = None;
    for _ in 0..rounds {
        drop(made.take());
        let clock = Instant::now();
        made = Some(action());
        least = least.min(clock.elapsed().as_secs_f64() * 1e3);
    }
    println!("{name:44} {least:9.1} ms");
    (least, made.unwrap())
}

/// The torus' skin, turned by some sides of its ring.
fn turned(mesh: &Mesh, by: Real) -> Vec<SurfacePoint> {
    let closest = ClosestPoint::new(&TriMesh::from_mesh(mesh).unwrap()).unwrap();
    let place = |v: usize| {
        let at = (v % AROUND) as Real + by;
        let corner = |i: Real| mesh.positions[v / AROUND * AROUND + i.rem_euclid(AROUND as Real) as usize];
        corner(at.floor()).lerp(&corner(at.floor() + 1.0), at - at.floor())
    };
    (0..mesh.positions.len()).map(|v| closest.find(&place(v), 1e-6).unwrap().on).collect()
}

/// Cloth, spots and fine lines: texture features at all scales.
fn painted(depth: Depth) -> Picture {
    let mut picture = Picture::new([SIDE, SIDE], 3, depth);
    let value = |k: usize| {
        let (x, y, c) = ((k / 3 % SIDE) as f32, (k / 3 / SIDE) as f32, (k % 3) as f32);
        let slow = (x * 0.003 + c).sin() * (y * 0.0041).cos();
        0.5 + 0.25 * slow + 0.24 * (x * 0.31 + 0.2 * c).sin() * (y * 0.27).sin()
    };
    match &mut picture.samples {
        Samples::U8(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = (value(k) * 255.0) as u8),
        Samples::U16(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = (value(k) * 65535.0) as u16),
        Samples::F32(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = value(k)),
    }
    picture
}

/// OpenCV's time for the same picture through the same map.
fn peer(python: &str, folder: &Path, image: &Picture, map: &Picture) -> f64 {
    let (Samples::U8(image), Samples::F32(map)) = (&image.samples, &map.samples) else { panic!() };
    std::fs::write(folder.join("image.u8"), image).unwrap();
    let floats: Vec<u8> = map.iter().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(folder.join("map.f32"), floats).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/bake/peer.py");
    let threads = rayon::current_num_threads().to_string();
    let run =
        Command::new(python).arg(script).arg(folder).args([&SIDE.to_string(), &threads]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).trim().parse().unwrap()
}

/// The time and the bytes of an ST-map's file: with all bits of all channels, rounded, and packed in other ways.
fn packings(folder: &Path, map: &Picture) {
    let mut rounded = map.clone();
    round_uvs(&mut rounded, 64);
    let all: &[usize] = &[0, 1, 2, 3];
    for (name, map, coarse, packing) in [
        ("all bits, zip", map, &[][..], Packing::Zip),
        ("as jobs write it: 64 steps, zip", &rounded, &all[2..], Packing::Zip),
        ("64 steps, zips", &rounded, &all[2..], Packing::Zips),
        ("64 steps, piz", &rounded, &all[2..], Packing::Piz),
        ("64 steps, pxr24", &rounded, &all[2..], Packing::Pxr24),
        ("64 steps, rle", &rounded, &all[2..], Packing::Rle),
        ("64 steps, none", &rounded, &all[2..], Packing::None),
        ("digits of halves, zip (for small maps)", &rounded, all, Packing::Zip),
    ] {
        let path = folder.join("map.exr");
        let writing = picture::Writing { packing, coarse, ..picture::Writing::default() };
        time(&format!("a frame: ST-map as EXR, {name}"), 1, || {
            picture::write_exr(&path, map, &CHANNELS, &writing).unwrap();
        });
        println!("{:44} {:9.1} MB", "", std::fs::metadata(&path).unwrap().len() as f64 / 1e6);
    }
}

/// A smaller picture than its texture: nanoseconds per texel beside those of one as large.
fn reduced(layout: &Layout, slide: &Slide, source: &SourceTexture, control: &Control) {
    let side = SIDE / 2;
    let texels = Texels::new(layout, Tile::default(), [side, side], 8, control).unwrap();
    let (ms, _) = time("a frame: bake 8-bit colour, half as large", ROUNDS, || {
        bake(layout, &texels, slide, source, control).unwrap()
    });
    println!("{:44} {:9.1} ns per texel", "", ms * 1e6 / (side * side) as f64);
}

fn main() {
    let control = Control::default();
    let mut mesh = shapes::torus(1.0, 0.4, AROUND, ACROSS);
    for uv in &mut mesh.uvs.as_mut().unwrap().values {
        *uv = Vec2::repeat(0.01) + *uv * 0.98;
    }
    println!("{SIDE} x {SIDE}, {} threads", rayon::current_num_threads());
    let (_, layout) = time("once per mesh: layout", 1, || Layout::new(&mesh).unwrap());
    let (_, texels) = time("once per resolution: texels, padding 8", 2, || {
        Texels::new(&layout, Tile::default(), [SIDE, SIDE], 8, &control).unwrap()
    });
    let skin = turned(&mesh, 1.37);
    let (_, slide) = time("a frame: slide", ROUNDS, || Slide::from_skin(&layout, &skin).unwrap());
    let (_, map) = time("a frame: ST-map", 2, || st_map(&layout, &texels, &slide, &control).unwrap());
    let folder = tempfile::tempdir().unwrap();
    packings(folder.path(), &map);
    let cases = [
        ("8-bit colour", Content::Colour, Depth::Bits8),
        ("8-bit data", Content::Data, Depth::Bits8),
        ("16-bit colour", Content::Colour, Depth::Bits16),
        ("float", Content::Data, Depth::Float),
        ("8-bit normals", Content::Normal { green_down: false }, Depth::Bits8),
    ];
    let image = painted(Depth::Bits8);
    let mut colour = f64::INFINITY;
    for (name, content, depth) in cases {
        let (_, source) = time(&format!("once per texture: {name}"), 1, || {
            let (mut read, mut room) = (|_| Ok(painted(depth)), Room::unbounded());
            SourceTexture::new(&layout, content, &mut read, &mut room, &control).unwrap()
        });
        let (ms, baked) = time(&format!("a frame: bake {name}"), ROUNDS, || {
            bake(&layout, &texels, &slide, &source, &control).unwrap()
        });
        if content == Content::Colour && depth == Depth::Bits8 {
            colour = ms;
            println!("{:44} {:9.1} ns per texel", "", ms * 1e6 / (SIDE * SIDE) as f64);
            reduced(&layout, &slide, &source, &control);
            time("a frame: write it as PNG", 2, || {
                picture::write_png(&folder.path().join("baked.png"), &baked, &picture::Writing::default())
                    .unwrap();
            });
        }
    }
    match std::env::args().nth(1).filter(|a| !a.starts_with("--")) {
        Some(python) => {
            let theirs = peer(&python, folder.path(), &image, &map);
            println!("{:44} {theirs:9.1} ms", "OpenCV remap, 8 bits, the same map");
            println!("ours / OpenCV: {:.2}", colour / theirs);
        }
        None => println!("left out: OpenCV, give its Python as the argument"),
    }
}
