//! A .usdc file of many frames is written in the memory of a few.

#[path = "support/memory.rs"]
mod memory;

use memory::most_held;
use sinew::formats::usd::{self, FrameData, Info, Map};
use sinew::geometry::shapes;
use sinew::math::{Real, Space, Vec2};

#[test]
fn memory_holds_a_few_frames_however_many_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = shapes::grid(1.0, 1.0, 60, 60);
    let layer = mesh.uvs.as_ref().unwrap();
    let maps = [Map { name: "slide", interpolation: "vertex", components: 1 }];
    let info = Info {
        name: "body",
        mesh: Some(&mesh),
        space: Space::default(),
        maps: &maps,
        curves: &[],
        ..Info::default()
    };
    let frame = |k: usize| FrameData {
        points: mesh.positions.iter().map(|p| p * (1.0 + k as Real)).collect(),
        uvs: layer.indices.iter().map(|&i| layer.values[i as usize] + Vec2::repeat(k as Real)).collect(),
        maps: vec![vec![k as Real; mesh.positions.len()]],
        ..FrameData::default()
    };
    let (_, one) = most_held(|| frame(0));
    let most = |count: i64| {
        let frames: Vec<i64> = (1..=count).collect();
        let path = folder.path().join("a.usdc");
        let (written, most) = most_held(|| usd::write(&path, &info, &frames, 24.0, &mut |k| Ok(frame(k))));
        written.unwrap();
        most
    };
    let (few, many) = (most(5), most(200));
    println!("{one} bytes a frame, {few} for 5 frames, {many} for 200");
    // The file's buffer and the faces come on top.
    assert!(few < 6 * one + (1 << 20), "{few} bytes");
    assert!(many < few + one, "{few} and {many} bytes");
}
