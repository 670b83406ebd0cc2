//! Makes the binary samples of the corpus: `cargo test --test fuzz_bounded -- --ignored`.
//!
//! Samples with a false header are valid ones with some bytes changed.

use exr::prelude::{
    AnyChannel, AnyChannels, Blocks, Compression, Encoding, FlatSamples, Image, Layer, LayerAttributes,
    LineOrder, Vec2, WritableImage,
};
use sinew::control::Control;
use sinew::formats::alembic::{CurvesSample, Map, MeshSample, Op, Scope, TimeSampling, Transform, Writer};
use sinew::formats::cache::{CacheKind, CacheWriter};
use sinew::formats::{gltf, strand_state, usd, xml};
use sinew::geometry::shapes;
use sinew::math::{Mat3, Space, Vec3, affine};
use sinew::nodes::{ArrayView, Instance};
use sinew::scene::strand::StrandScene;
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};
use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;

fn save(name: &str, bytes: &[u8]) {
    let path = Path::new("tests/fuzz/corpus").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// A copy with some bytes replaced.
fn changed(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    [&bytes[..at], new, &bytes[at + new.len()..]].concat()
}

fn cache(kind: CacheKind, points: usize, frames: &[i64]) -> Vec<u8> {
    let mut writer =
        CacheWriter::new(Vec::new(), Path::new("cache"), kind, points, frames, [24.0, 1.0]).unwrap();
    for &frame in frames {
        let sample: Vec<Vec3> = (0..points).map(|k| Vec3::new(k as f64, -0.25, frame as f64)).collect();
        writer.write(&sample).unwrap();
    }
    writer.finish().unwrap()
}

fn caches() {
    let pc2 = cache(CacheKind::Pc2, 3, &[10, 12, 14]);
    save("pc2/three_samples", &pc2);
    save("pc2/no_samples", &cache(CacheKind::Pc2, 3, &[]));
    save("pc2/negative_frame", &cache(CacheKind::Pc2, 1, &[-5]));
    save(
        "pc2/many_samples_of_no_points",
        &changed(&changed(&pc2[..32], 16, &[0; 4]), 28, b"\xff\xff\xff\x7f"),
    );
    save("pc2/huge_counts", &changed(&changed(&pc2, 16, b"\xff\xff\xff\x7f"), 28, b"\xff\xff\xff\x7f"));
    save("pc2/nan_start", &changed(&pc2, 20, &f32::NAN.to_le_bytes()));
    save("pc2/infinite_point", &changed(&pc2, 40, &f32::INFINITY.to_le_bytes()));
    let mdd = cache(CacheKind::Mdd, 3, &[10, 12, 15]);
    save("mdd/three_samples", &mdd);
    save("mdd/no_samples", &cache(CacheKind::Mdd, 3, &[]));
    save("mdd/negative_frame", &cache(CacheKind::Mdd, 1, &[-5]));
    save("mdd/huge_counts", &changed(&mdd, 0, b"\x7f\xff\xff\xff\x7f\xff\xff\xff"));
    save("mdd/zeros", &[0; 64]);
    save("mdd/nan_time", &changed(&mdd, 12, &f32::NAN.to_be_bytes()));
    save("mdd/infinite_point", &changed(&mdd, 24, &f32::INFINITY.to_be_bytes()));
}

fn archive(times: TimeSampling, fill: impl FnOnce(&mut Writer<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), Path::new("archive"), times).unwrap();
    fill(&mut writer);
    writer.finish().unwrap().into_inner()
}

/// A triangle that moves, with UVs and maps, below a transform that turns.
fn fill_archive(writer: &mut Writer<Cursor<Vec<u8>>>) {
    let mesh = shapes::grid(1.0, 1.0, 1, 1);
    let root = writer.add_transform(None, "root").unwrap();
    let body = writer.add_mesh(Some(root), "body", &mesh).unwrap();
    for frame in 0..2 {
        let ops = vec![Op::Translate(Vec3::x()), Op::RotateY(30.0 * frame as f64)];
        writer.write_transform(root, &Transform { ops, inherits: true }).unwrap();
        let positions: Vec<Vec3> = mesh.positions.iter().map(|p| p + Vec3::y() * frame as f64).collect();
        let of = |name, scope, values, indices| Map { name, scope, components: 1, values, indices };
        let maps = [
            of("weight", Scope::Vertex, &[0.0, 0.25, 0.5, 1.0][..], None),
            of("corner", Scope::Corner, &[1.0, 2.0], Some(&[0, 1, 1, 0][..])),
        ];
        let sample = MeshSample {
            positions: &positions,
            uvs: mesh.uvs.as_ref(),
            velocities: Some(&positions),
            maps: &maps,
            ..MeshSample::default()
        };
        writer.write_mesh(body, &sample).unwrap();
    }
}

fn archives() {
    let mesh = archive(TimeSampling::frames(1.0, 24.0), fill_archive);
    save("abc/mesh", &mesh);
    save("abc/uneven", &archive(TimeSampling::Acyclic(vec![0.1, 0.4]), fill_archive));
    save(
        "abc/curves",
        &archive(TimeSampling::Cyclic { times: vec![0.0, 0.3], period: 1.0 }, |writer| {
            let tendons = writer.add_curves(None, "tendons").unwrap();
            for frame in 0..3 {
                let positions: Vec<Vec3> = (0..5).map(|k| Vec3::new(k as f64, frame as f64, 0.0)).collect();
                let widths = [0.5; 5];
                let sample = CurvesSample {
                    counts: &[2, 3],
                    positions: &positions,
                    widths: Some(&widths),
                    ..CurvesSample::default()
                };
                writer.write_curves(tendons, &sample).unwrap();
            }
        }),
    );
    save("abc/empty", &archive(TimeSampling::frames(1.0, 24.0), |_| {}));
    save("abc/not_finished", &changed(&mesh, 5, &[0]));
    // The root's third child is the top object, whose last child but the headers is the first object below it.
    let number = |at: usize| u64::from_le_bytes(mesh[at..at + 8].try_into().unwrap()) as usize;
    let root = number(8);
    let top = number(root + 8 + 2 * 8);
    let below = top + 8 + 8;
    save("abc/an_object_in_itself", &changed(&mesh, below, &(top as u64).to_le_bytes()));
    save("abc/root_in_itself", &changed(&mesh, root + 8 + 2 * 8, &(root as u64).to_le_bytes()));
    save("abc/huge_group", &changed(&mesh, top, &(u64::MAX / 8).to_le_bytes()));
    let meta = number(root + 8 + 3 * 8) & !(1 << 63);
    save("abc/huge_data", &changed(&mesh, meta, &u64::MAX.to_le_bytes()));
    let times = (number(root + 8 + 4 * 8) & !(1 << 63)) + 8;
    save("abc/nan_time", &changed(&mesh, times + 4, &f64::NAN.to_le_bytes()));
    save("abc/many_times", &changed(&mesh, times + 12, &u32::MAX.to_le_bytes()));
}

/// What Sinew writes, and the same with counts that its data does not have; a skinned mesh is there already.
fn gltfs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    let mesh = shapes::grid(1.0, 1.0, 2, 1);
    let info = gltf::Info {
        name: "body",
        mesh: &mesh,
        uvs: None,
        space: Space::default(),
        provenance: Default::default(),
    };
    let moved = |k: usize| mesh.positions.iter().map(|p| p * (1.0 + k as f64)).collect();
    gltf::write(&path, &info, &[1, 2, 3], 24.0, &mut |k| Ok(moved(k))).unwrap();
    let ours = std::fs::read(&path).unwrap();
    save("gltf/ours", &ours);
    let count = ours.windows(9).position(|w| w == b"\"count\":6").unwrap();
    save("gltf/huge_count", &changed(&ours, count - 1, b" \"count\":9e9"));
    let end = ours.len() - 8;
    save("gltf/cut", &changed(&ours[..end], 8, &(end as u32).to_le_bytes()));
}

/// What we write ourselves: repeated faces, shared UVs, samples of which some are stored once, curves.
fn usd_binary() {
    let mesh = shapes::grid(1.0, 1.0, 5, 1);
    let layer = mesh.uvs.as_ref().unwrap();
    let maps = [usd::Map { name: "slide", interpolation: "vertex", components: 1 }];
    let curves = [usd::Curves { name: "tendons", widths: "constant", maps: &[] }];
    let info = usd::Info {
        name: "body",
        mesh: Some(&mesh),
        space: Space::default(),
        maps: &maps,
        curves: &curves,
        ..usd::Info::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usdc");
    usd::write(&path, &info, &[1, 2, 4], 24.0, &mut |k| {
        Ok(usd::FrameData {
            points: mesh.positions.iter().map(|p| p * (1 + k / 2) as f64).collect(),
            uvs: layer.indices.iter().map(|&index| layer.values[index as usize]).collect(),
            transform: Some(affine(&Mat3::identity(), &Vec3::new(k as f64, 0.1, 0.0))),
            maps: vec![vec![k as f64; mesh.positions.len()]],
            curves: vec![usd::CurvesData {
                counts: vec![2],
                points: vec![Vec3::zeros(), Vec3::x()],
                velocities: vec![Vec3::y(), Vec3::z()],
                widths: vec![0.5],
                maps: Vec::new(),
            }],
            ..usd::FrameData::default()
        })
    })
    .unwrap();
    save("usdc/ours", &std::fs::read(path).unwrap());
}

fn png(image: impl Into<image::DynamicImage>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// An image whose header, with a sound check sum, says something else.
fn lying_png(image: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let lie = changed(image, at, new);
    let sum = crc32fast::hash(&lie[12..29]).to_be_bytes();
    changed(&lie, 29, &sum)
}

fn pngs() {
    let ramp = image::ImageBuffer::from_fn(8, 4, |x, y| image::Luma([(x * 8000 + y) as u16]));
    let colours = image::RgbaImage::from_fn(5, 3, |x, y| image::Rgba([x as u8 * 50, y as u8 * 90, 7, 128]));
    save("png/grey_16", &png(ramp));
    save("png/rgba_8", &png(colours));
    let flat = png(image::GrayImage::from_pixel(64, 64, image::Luma([200])));
    save("png/flat", &flat);
    save("png/16384_squared", &lying_png(&flat, 16, &[0, 0, 0x40, 0, 0, 0, 0x40, 0]));
    save("png/no_pixels", &lying_png(&flat, 16, &[0; 8]));
    save("png/as_large_as_can_be", &lying_png(&flat, 16, &[0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff]));
    save("png/interlaced_lie", &lying_png(&flat, 28, &[1]));
    save("png/palette_lie", &lying_png(&flat, 25, &[3]));
    save("png/one_bit_lie", &lying_png(&flat, 24, &[1]));
}

fn exr(names: &[&str], compression: Compression, blocks: Blocks, size: usize) -> Vec<u8> {
    let channel = |(k, name): (usize, &&str)| {
        let values = (0..size * size).map(|i| (i / size * (k + 1)) as f32 * 0.125).collect();
        AnyChannel::new(*name, FlatSamples::F32(values))
    };
    let list = AnyChannels::sort(names.iter().enumerate().map(channel).collect());
    let encoding = Encoding { compression, blocks, line_order: LineOrder::Increasing };
    let layer = Layer::new((size, size), LayerAttributes::default(), encoding, list);
    let mut bytes = Cursor::new(Vec::new());
    Image::from_layer(layer).write().non_parallel().to_buffered(&mut bytes).unwrap();
    bytes.into_inner()
}

/// Where the value of an attribute begins.
fn place(bytes: &[u8], attribute: &str) -> usize {
    let name = format!("{attribute}\0");
    bytes.windows(name.len()).position(|w| w == name.as_bytes()).unwrap() + name.len()
}

fn exrs() {
    let lines = Blocks::ScanLines;
    let plain = exr(&["Y"], Compression::Uncompressed, lines, 4);
    save("exr/grey", &plain);
    for (name, compression) in [
        ("rle", Compression::RLE),
        ("zip", Compression::ZIP16),
        ("piz", Compression::PIZ),
        ("pxr24", Compression::PXR24),
        ("b44", Compression::B44),
        ("dwaa", Compression::DWAA(None)),
    ] {
        save(&format!("exr/rgb_{name}"), &exr(&["R", "G", "B"], compression, lines, 6));
    }
    let tiles = exr(&["Y"], Compression::ZIP16, Blocks::Tiles(Vec2(4, 4)), 6);
    save("exr/tiles", &tiles);
    save("exr/other_channels", &exr(&["depth", "id"], Compression::Uncompressed, lines, 2));
    // "box2i\0", the size, x and y of both corners.
    let window = place(&plain, "dataWindow") + 10;
    let zip = exr(&["Y"], Compression::ZIP16, lines, 4);
    let wide = (0x0100_0000u32 - 1).to_le_bytes();
    save("exr/one_wide_block", &changed(&zip, place(&zip, "dataWindow") + 18, &wide));
    save("exr/negative_window", &changed(&plain, window, &[0xff; 4]));
    save("exr/huge_tiles", &changed(&tiles, place(&tiles, "tiles") + 13, &[0, 0, 1, 0, 0, 0x20, 0, 0]));
    save("exr/tiny_tiles", &changed(&tiles, place(&tiles, "tiles") + 13, &[1, 0, 0, 0, 1, 0, 0, 0]));
    // Name, type, linear and three reserved bytes, then both samplings.
    let channels = place(&plain, "channels") + 11;
    save("exr/subsampled", &changed(&plain, channels + 2 + 8, &[2, 0, 0, 0, 2, 0, 0, 0]));
    save("exr/sampling_of_zero", &changed(&plain, channels + 2 + 8, &[0; 8]));
    let pixels = plain.len() - 4;
    save("exr/nan", &changed(&plain, pixels, &f32::NAN.to_le_bytes()));
}

fn states() {
    let mut node = Instance::new("skinning").unwrap();
    save("state/fresh", &node.save_state());
    let mut set = |port: &str, values: &[f64], components| {
        node.set_array(port, &ArrayView::from_slice(values, components).unwrap()).unwrap();
    };
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    set("points", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 3);
    set("rest_joints", &identity, 16);
    set("joints", &identity, 16);
    set("influence_weights", &[1.0, 1.0], 1);
    node.set_array("influence_counts", &ArrayView::from_slice(&[1i32, 1], 1).unwrap()).unwrap();
    node.set_array("influence_joints", &ArrayView::from_slice(&[0i32, 0], 1).unwrap()).unwrap();
    node.set_param_text("method", "dual_quaternion").unwrap();
    node.set_param_text("envelope", "0.5").unwrap();
    node.step(7, 0.25, &Control::default()).unwrap();
    let state = node.save_state();
    save("state/stepped", &state);
    let at = |what: &[u8]| state.windows(what.len()).position(|w| w == what).unwrap();
    save("state/nan_output", &changed(&state, at(&5.0f64.to_le_bytes()), &f64::NAN.to_le_bytes()));
    save("state/nan_time", &changed(&state, at(&0.25f64.to_le_bytes()), &f64::NAN.to_le_bytes()));
    save("state/huge_count", &changed(&state, at(&6u64.to_le_bytes()), &u64::MAX.to_le_bytes()));
    save("state/nan_parameter", &changed(&state, at(b"0.5"), b"nan"));
}

fn strand_node_states() {
    let mut node = Instance::new("strand").unwrap();
    let scene = r#"<strand_scene version="1">
  <body name="carrier" mode="led"/>
  <body name="rod" at="0 -0.15 0"><cuboid size="0.03 0.3 0.03"/></body>
  <joint name="hinge" parent="carrier" child="rod" at="0 0 0"><axis name="turn_z"/></joint>
</strand_scene>"#;
    node.set_param_text("source", "scene").unwrap();
    node.set_param_text("scene", scene).unwrap();
    node.step(7, 0.25, &Control::default()).unwrap();
    save("state/strand", &node.save_state());
}

fn strand_states() {
    let scene: StrandScene = xml::parse(include_str!("corpus/strand_scene/pulley")).unwrap();
    let model = scene.build(&HashMap::new()).unwrap().model;
    let mut state = State::new(&model);
    save("strand_state/start", &strand_state::encode(&model, &state));
    let inputs = Inputs { seconds: 0.01, substeps: 5, ..Inputs::default() };
    step(&model, &mut state, &mut Scratch::new(&model).unwrap(), &inputs, &Control::default()).unwrap();
    let stepped = strand_state::encode(&model, &state);
    save("strand_state/stepped", &stepped);
    // Magic, format, mark and the elements' numbers stand before the time.
    let parts = model.parts();
    let time = 16 + 8 + 4 * (parts.bodies.len() + parts.points.len() + parts.strands.len());
    save("strand_state/nan_time", &changed(&stepped, time, &f64::NAN.to_le_bytes()));
    save("strand_state/huge_count", &changed(&stepped, time + 8, &u64::MAX.to_le_bytes()));
    save("strand_state/changed_body", &changed(&stepped, 24, &[1, 2, 3, 4]));
    save("strand_state/other_scene", &changed(&stepped, 12, &[1, 2, 3, 4]));
}

#[test]
#[ignore = "writes the binary samples of the corpus"]
fn make_binary_samples() {
    caches();
    archives();
    usd_binary();
    gltfs();
    pngs();
    exrs();
    states();
    strand_states();
    strand_node_states();
}
