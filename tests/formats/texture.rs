//! OpenCV reads what we write, and remaps through our ST-map to what we bake; what textures and UVs may be.

use crate::judges;
use sinew::control::Control;
use sinew::formats::picture::{Writing, write, write_exr, write_png};
use sinew::geometry::{ClosestPoint, Mesh, SurfacePoint, TriMesh, shapes};
use sinew::math::Vec2;
use sinew::scene::Packing;
use sinew::texture::{
    CHANNELS, ColourSpace, Content, Depth, Layout, Picture, Room, Samples, Slide, SourceTexture, Texels,
    Tile, bake, padded, st_map,
};
use std::path::Path;

const SIZE: [usize; 2] = [320, 240];

fn raw(path: &Path, numbers: impl Iterator<Item = f32>) {
    std::fs::write(path, numbers.flat_map(f32::to_le_bytes).collect::<Vec<_>>()).unwrap();
}

/// A tube whose skin is turned by 2.37 of its 24 sides.
fn turned_tube() -> (Layout, Slide) {
    let sides = 24;
    let mut mesh = shapes::cylinder(1.0, 2.0, sides, 6);
    for uv in &mut mesh.uvs.as_mut().unwrap().values {
        *uv = Vec2::new(0.1 + 0.8 * uv.x, 0.1 + 0.8 * uv.y);
    }
    let layout = Layout::new(&mesh).unwrap();
    let closest = ClosestPoint::new(&TriMesh::from_mesh(&mesh).unwrap()).unwrap();
    let place = |v: usize| {
        let corner = |k: usize| mesh.positions[v / sides * sides + (v + k) % sides];
        corner(2).lerp(&corner(3), 0.37)
    };
    let skin: Vec<SurfacePoint> =
        (0..mesh.positions.len()).map(|v| closest.find(&place(v), 1e-9).unwrap().on).collect();
    let slide = Slide::from_skin(&layout, &skin).unwrap();
    (layout, slide)
}

#[test]
fn opencv_reads_our_files_and_remaps_to_our_bake() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let control = Control::default();
    let (layout, slide) = turned_tube();
    let texels = Texels::new(&layout, Tile::default(), SIZE, 1, &control).unwrap();
    let map = st_map(&layout, &texels, &slide, &control).unwrap();
    let Samples::F32(numbers) = &map.samples else { panic!("an ST-map has floats") };
    write_exr(&at("map.exr"), &map, &CHANNELS, &Writing::default()).unwrap();
    raw(&at("map.f32"), numbers.iter().copied());
    // Eighths up to a hundred are exact as halves.
    let mut half = Picture::new(SIZE, 4, Depth::Half);
    let eighths: Vec<f32> = (0..SIZE[0] * SIZE[1] * 4).map(|k| (k % 801) as f32 / 8.0 - 50.0).collect();
    half.samples = Samples::F32(eighths.clone());
    write(&at("half.exr"), &half, &Writing::default()).unwrap();
    for (name, packing, mipmaps) in [("piz", Packing::Piz, false), ("tiled", Packing::Zip, true)] {
        let writing = Writing { packing, mipmaps, ..Writing::default() };
        write(&at(&format!("{name}.exr")), &half, &writing).unwrap();
        raw(&at(&format!("{name}.f32")), eighths.iter().copied());
    }
    raw(&at("half.f32"), eighths.into_iter());
    let mut deep = Picture::new(SIZE, 3, Depth::Bits16);
    let whole: Vec<u16> = (0..SIZE[0] * SIZE[1] * 3).map(|k| (k * 7919 % 65536) as u16).collect();
    deep.samples = Samples::U16(whole.clone());
    write_png(&at("deep.png"), &deep, &Writing::default()).unwrap();
    raw(&at("deep.f32"), whole.into_iter().map(f32::from));
    let island = |k: usize| {
        f32::from(u8::from(texels.at(&layout, k % SIZE[0], k / SIZE[0]).is_some_and(|a| !a.padding)))
    };
    raw(&at("island.f32"), (0..SIZE[0] * SIZE[1]).map(island));
    let mut picture = Picture::new(SIZE, 3, Depth::Bits8);
    let value = |k: usize| {
        let (x, y) = ((k / 3 % SIZE[0]) as f32, (k / 3 / SIZE[0]) as f32);
        127.5 + 70.0 * (x * 0.3 + (k % 3) as f32).sin() + 50.0 * (y * 0.25).cos()
    };
    picture.samples = Samples::U8((0..SIZE[0] * SIZE[1] * 3).map(|k| value(k) as u8).collect());
    write_png(&at("source.png"), &picture, &Writing::default()).unwrap();
    let (mut read, mut room) = (|_| Ok(picture.clone()), Room::unbounded());
    let source = SourceTexture::new(&layout, Content::Data, &mut read, &mut room, &control).unwrap();
    write_png(
        &at("baked.png"),
        &bake(&layout, &texels, &slide, &source, &control).unwrap(),
        &Writing::default(),
    )
    .unwrap();
    let folder = folder.path().to_string_lossy().into_owned();
    let reported = judges::judge("texture.py", &[&folder, &SIZE[0].to_string(), &SIZE[1].to_string()]);
    let found: Vec<f64> = reported.split_whitespace().map(|x| x.parse().unwrap()).collect();
    println!("largest difference {}, mean {}, over {} texels", found[0], found[1], found[2]);
    // OpenCV rounds places to a 32nd of a texel, over which the picture changes by up to 21 / 64, and ours is rounded:
    // the largest of three such errors has the mean 3/8.
    assert!(found[0] < 1.0 && found[1] < 0.4 && found[2] > 35_000.0, "{reported}");
}

/// A square with `place` applied to its UVs.
fn square(place: impl Fn(Vec2) -> Vec2) -> Mesh {
    let mut mesh = shapes::grid(1.0, 1.0, 2, 1);
    mesh.uvs.as_mut().unwrap().values.iter_mut().for_each(|uv| *uv = place(*uv));
    mesh
}

#[test]
fn a_padded_texture_of_any_depth_keeps_what_is_painted_beyond_the_padding() {
    let control = Control::default();
    let layout = Layout::new(&square(|uv| Vec2::repeat(0.25) + 0.5 * uv)).unwrap();
    let texels = Texels::new(&layout, Tile::default(), [32, 32], 2, &control).unwrap();
    let value = |k: usize| (k * 37) % 251;
    let count = 0..32 * 32;
    for (depth, samples) in [
        (Depth::Bits8, Samples::U8(count.clone().map(|k| value(k) as u8).collect())),
        (Depth::Bits16, Samples::U16(count.clone().map(|k| 257 * value(k) as u16).collect())),
        (Depth::Float, Samples::F32(count.clone().map(|k| value(k) as f32 / 16.0).collect())),
    ] {
        let picture = Picture { samples, ..Picture::new([32, 32], 1, depth) };
        let (mut read, mut room) = (|_| Ok(picture.clone()), Room::unbounded());
        let source = SourceTexture::new(&layout, Content::Data, &mut read, &mut room, &control).unwrap();
        let made = padded(&layout, &texels, &source, &control).unwrap().samples;
        // Two rows at the top, far from the island.
        let kept = match (&made, &picture.samples) {
            (Samples::U8(made), Samples::U8(painted)) => made[..64] == painted[..64],
            (Samples::U16(made), Samples::U16(painted)) => made[..64] == painted[..64],
            (Samples::F32(made), Samples::F32(painted)) => made[..64] == painted[..64],
            _ => panic!("another type of numbers"),
        };
        assert!(kept, "{depth:?}");
    }
}

#[test]
fn faces_that_overlap_by_less_than_a_twentieth_of_a_texel_are_not_reported() {
    // Two faces that share the centres of a column of texels, which lie `deep` texels inside both.
    let reported = |deep: f64| {
        let mut mesh = square(|uv| uv);
        let layer = mesh.uvs.as_mut().unwrap();
        layer.values = layer.indices.iter().map(|&i| layer.values[i as usize]).collect();
        layer.indices = (0..8).collect();
        let middle = 32.5 / 64.0;
        layer.values[..4].iter_mut().filter(|uv| uv.x > 0.4).for_each(|uv| uv.x = middle + deep / 64.0);
        layer.values[4..].iter_mut().filter(|uv| uv.x < 0.6).for_each(|uv| uv.x = middle - deep / 64.0);
        let layout = Layout::new(&mesh).unwrap();
        Texels::new(&layout, Tile::default(), [64, 64], 0, &Control::default()).unwrap().warning()
    };
    assert_eq!(reported(0.02), None);
    assert!(reported(0.2).is_some_and(|reported| reported.contains("texels are covered twice")));
}

#[test]
fn colour_spaces_have_the_primaries_of_their_standards() {
    // SMPTE ST 2065-1: the blue of ACES lies below the diagram.
    let aces = ColourSpace::Aces.chromaticities().unwrap();
    assert_eq!(aces, [0.7347, 0.2653, 0.0, 1.0, 0.0001, -0.077, 0.32168, 0.33767]);
}
