//! BVH beside Blender: it moves bones by our files as we do, we read its files as it does, and `sinew skin` takes them.

use crate::judges;
use sinew::formats::bvh::{self, Bvh};
use sinew::formats::joints::{self, JointAnimation};
use sinew::math::{Affine, Real, Rotation, Vec3, affine, compose, invert};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// What Blender printed: how each bone moves from rest in each frame.
fn reported(output: &str) -> BTreeMap<(i64, String), Affine> {
    let line = |line: &str| {
        let words: Vec<&str> = line.strip_prefix("MOVED ")?.split(' ').collect();
        let (head, numbers) = words.split_at(words.len() - 12);
        let numbers: Vec<Real> = numbers.iter().map(|n| n.parse().unwrap()).collect();
        Some(((head[0].parse().unwrap(), head[1..].join(" ")), Affine::from_row_slice(&numbers)))
    };
    output.lines().filter_map(line).collect()
}

fn moved(animation: &JointAnimation) -> BTreeMap<(i64, String), Affine> {
    let mut all = BTreeMap::new();
    for (&frame, pose) in &animation.frames {
        for (k, name) in animation.names.iter().enumerate() {
            all.insert((frame, name.clone()), compose(&pose[k], &invert(&animation.rest[k]).unwrap()));
        }
    }
    all
}

fn assert_same(a: &BTreeMap<(i64, String), Affine>, b: &BTreeMap<(i64, String), Affine>, limit: Real) {
    assert!(a.keys().eq(b.keys()), "{:?}\n{:?}", a.keys(), b.keys());
    for (key, matrix) in a {
        let error = (matrix - b[key]).abs().max();
        assert!(error < limit, "{key:?}: {error}\n{matrix}{}", b[key]);
    }
}

#[test]
fn blender_moves_bones_by_our_file_as_we_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bvh");
    let turn =
        |x: Real, y: Real, z: Real| *Rotation::from_euler_angles(x, y, z).to_rotation_matrix().matrix();
    let matrix = |k: Real| affine(&turn(0.3 * k, 1.0 - k, 0.2 + k * k), &Vec3::new(k, 2.0 - k, 0.5 * k * k));
    let pose = |first: Real| (0..4).map(|k| matrix(first + 0.7 * Real::from(k))).collect::<Vec<_>>();
    let frames: BTreeMap<i64, Vec<Affine>> = (1..6).map(|f| (f, pose(f as Real))).collect();
    let names = ["a", "b", "c", "d"].map(String::from).to_vec();
    let animation = JointAnimation { names, rest: pose(-0.4), frames, ..JointAnimation::default() };
    let parents = [None, Some(0), Some(1), Some(0)];
    let written = Bvh::from_joints(&animation, &parents, 1.0 / 24.0).unwrap();
    let mut bytes = Vec::new();
    bvh::write(&mut bytes, &written).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let reported = reported(&judges::judge("bvh.py", &["read", path.to_str().unwrap()]));
    // Single precision for positions up to 15.
    assert_same(&reported, &moved(&animation), 2e-5);
    assert_same(&reported, &moved(&joints::read(&path).unwrap().animation), 2e-5);
}

#[test]
fn we_read_blenders_file_as_it_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bvh");
    let reported = reported(&judges::judge("bvh.py", &["write", path.to_str().unwrap()]));
    let mut ours = moved(&joints::read(&path).unwrap().animation);
    // Blender writes _ for a space.
    ours = ours.into_iter().map(|((frame, name), m)| ((frame, name.replace('_', " ")), m)).collect();
    // Six decimals, in degrees.
    assert_same(&reported, &ours, 2e-5);
}

#[test]
fn the_skin_command_takes_bvh_for_joints() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("rest.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\n");
    write("weights.csv", "vertex,joint,weight\n0,a,1\n1,b,1\n2,b,1\n3,b,1\n");
    let hierarchy =
        "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 0 JOINT b { OFFSET 1 0 0 CHANNELS 1 Zrotation } }";
    write("a.bvh", &format!("{hierarchy}\nMOTION Frames: 2 Frame Time: 0.04\n0\n90\n"));
    let sinew = |folder: &Path, args: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_sinew")).args(args).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let inputs = ["skin", "--rest", "rest.obj", "--joints", "a.bvh", "--weights", "weights.csv"];
    sinew(folder.path(), &[&inputs[..], &["--out", "out.%d.obj"]].concat());
    let mesh = sinew::formats::obj::read(&folder.path().join("out.2.obj")).unwrap().mesh;
    let expected = [Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    let near = |(a, b): (&Vec3, &Vec3)| (a - b).norm() < 1e-12;
    assert!(mesh.positions.iter().zip(&expected).all(near), "{:?}", mesh.positions);
    assert!(sinew(folder.path(), &["info", "a.bvh"]).contains("1-2"));
}
