//! Relaxed skin: motions of the whole body, folds, shapes, bits, and what is crushed.

use super::super::{Method, Pose, Scratch, Weights};
use super::*;
use sinew_geometry::shapes;
use sinew_math::{Affine, Mat3, Rotation, Vec3, affine, transform_point};

/// A cylinder along y that bends in the middle, bumpy, with some vertices doubled as at seams.
fn limb(bumps: Real) -> (Mesh, Skinner) {
    let mut mesh = shapes::cylinder(0.1, 0.6, 16, 24);
    for (k, p) in mesh.positions.iter_mut().enumerate() {
        let out = 1.0 + bumps * ((k * 7) as Real).sin();
        (p.x, p.z) = (p.x * out, p.z * out);
    }
    let count = mesh.positions.len() as u32;
    mesh.positions.extend(mesh.positions.clone());
    mesh.corner_vertices.iter_mut().step_by(5).for_each(|v| *v += count);
    let upper = |p: &Vec3| ((p.y - 0.25) / 0.1).clamp(0.0, 1.0);
    let weights: Vec<Real> = mesh.positions.iter().flat_map(|p| [1.0 - upper(p), upper(p)]).collect();
    let vertices = mesh.positions.len();
    let weights = Weights::new(&vec![2; vertices], &[0, 1].repeat(vertices), &weights, 2, true).unwrap();
    let at = |y: Real| affine(&Mat3::identity(), &Vec3::new(0.0, y, 0.0));
    (mesh, Skinner::new(weights, &[at(0.0), at(0.3)]).unwrap())
}

fn bent(degrees: Real) -> [Affine; 2] {
    let turn = Rotation::from_scaled_axis(Vec3::x() * degrees.to_radians()).to_rotation_matrix().into_inner();
    [affine(&Mat3::identity(), &Vec3::zeros()), affine(&turn, &Vec3::new(0.0, 0.3, 0.0))]
}

fn posed(mesh: &Mesh, skinner: &Skinner, joints: &[Affine]) -> Vec<Real> {
    let points: Vec<Real> = mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    let mut out = points.clone();
    let one = PerVertex::Constant(1.0);
    let blend = PerVertex::Constant(0.0);
    let pose = Pose { joints, method: Method::Linear, blend, envelope_map: one, envelope: 1.0 };
    skinner.step(&mut Scratch::default(), &pose, &points, &mut out).unwrap();
    out
}

fn relaxed(relaxation: &Relaxation, mirrored: bool, points: &[Real]) -> Vec<Real> {
    let mut out = points.to_vec();
    let all = (1.0, PerVertex::Constant(1.0));
    relaxation.relax(&mut RelaxScratch::default(), all, mirrored, &mut out).unwrap();
    out
}

fn farthest(a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max)
}

/// Every motion of the whole body, also one that scales or mirrors it, is left as it is.
#[test]
fn bodies_move_as_a_whole() {
    let (mesh, skinner) = limb(0.05);
    let relaxation = Relaxation::new(&skinner, &mesh, None).unwrap();
    let count = relaxation.moving();
    assert!((100..mesh.positions.len() / 2).contains(&count), "{count}");
    let turn = Rotation::from_euler_angles(0.3, -1.2, 2.0).to_rotation_matrix().into_inner();
    let mirror = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    for (matrix, mirrored) in
        [(Mat3::identity(), false), (turn, false), (turn * 3.7, false), (turn * mirror, true)]
    {
        let motion = affine(&matrix, &Vec3::new(0.4, -3.0, 7.0));
        let moved: Vec<Real> =
            mesh.positions.iter().flat_map(|p| <[Real; 3]>::from(transform_point(&motion, p))).collect();
        let off = farthest(&relaxed(&relaxation, mirrored, &moved), &moved);
        assert!(off < 1e-14 * 20.0, "{matrix}: {off:e}");
    }
}

/// Folds have fewer sharp edges; vertices at one place stay together; where one joint has the skin, it stays.
#[test]
fn folds_are_rounder() {
    let (mesh, skinner) = limb(0.02);
    let relaxation = Relaxation::new(&skinner, &mesh, Some(6)).unwrap();
    let before = posed(&mesh, &skinner, &bent(80.0));
    let after = relaxed(&relaxation, false, &before);
    let sharp = |points: &[Real]| {
        let at = |v: u32| Vec3::from_column_slice(&points[3 * v as usize..3 * v as usize + 3]);
        let half = mesh.positions.len() as u32 / 2;
        let mut sides = std::collections::HashMap::new();
        let mut sharp = 0;
        for face in (0..mesh.face_count()).map(|f| mesh.face(f)) {
            let corners: Vec<u32> = face.iter().map(|v| v % half).collect();
            let normal = (at(corners[2]) - at(corners[0])).cross(&(at(corners[3]) - at(corners[1])));
            for k in 0..4 {
                let edge = [corners[k], corners[(k + 1) % 4]];
                let other: Option<&Vec3> = sides.get(&edge);
                sharp += usize::from(other.is_some_and(|other| normal.angle(other) > 0.7));
                sides.insert([edge[1], edge[0]], normal);
            }
        }
        sharp
    };
    let [straight, folded, round] = [&posed(&mesh, &skinner, &bent(0.0)), &before, &after].map(|p| sharp(p));
    assert!(straight == 0 && round < folded, "{straight} straight, {folded} bent, {round} relaxed");
    let half = mesh.positions.len() / 2 * 3;
    assert_eq!(after[..half], after[half..]);
    for v in 0..mesh.positions.len() {
        if mesh.positions[v].y < 0.15 {
            assert_eq!(after[3 * v..3 * v + 3], before[3 * v..3 * v + 3]);
        }
    }
}

/// The same bits with any number of threads, and nothing of an earlier pose.
#[test]
fn bits_depend_on_the_pose_alone() {
    let (mesh, skinner) = limb(0.02);
    let relaxation = Relaxation::new(&skinner, &mesh, Some(5)).unwrap();
    let [first, second] = [30.0, 80.0].map(|degrees| posed(&mesh, &skinner, &bent(degrees)));
    let once = relaxed(&relaxation, false, &second);
    let mut scratch = RelaxScratch::default();
    let all = (1.0, PerVertex::Constant(1.0));
    for points in [&first, &second] {
        let mut out = points.clone();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| relaxation.relax(&mut scratch, all, false, &mut out)).unwrap();
        if std::ptr::eq(points, &second) {
            assert_eq!(out, once);
        }
    }
}

/// Shapes that come before joints keep their detail.
#[test]
fn shapes_are_not_smoothed_away() {
    let (mesh, skinner) = limb(0.02);
    let mut relaxation = Relaxation::new(&skinner, &mesh, None).unwrap();
    let shape = |v: usize| if v.is_multiple_of(3) { 0.01 } else { 0.0 };
    let half = mesh.positions.len() / 2;
    let shaped = mesh.positions.iter().enumerate();
    let shaped: Vec<Real> = shaped.flat_map(|(v, p)| [p.x, p.y + shape(v % half), p.z]).collect();
    assert!(farthest(&relaxed(&relaxation, false, &shaped), &shaped) > 1e-3);
    relaxation.rest(&mut RelaxScratch::default(), &shaped).unwrap();
    assert!(farthest(&relaxed(&relaxation, false, &shaped), &shaped) < 1e-15);
    assert!(relaxation.rest(&mut RelaxScratch::default(), &shaped[3..]).is_err());
}

/// Skin that is crushed to a point, or has faces without an area, stays finite; a map leaves out what it excludes.
#[test]
fn crushed_skin_is_finite() {
    let (mut mesh, skinner) = limb(0.0);
    mesh.corner_vertices[..4].fill(0);
    let relaxation = Relaxation::new(&skinner, &mesh, None).unwrap();
    let crushed = vec![0.25; 3 * mesh.positions.len()];
    assert_eq!(relaxed(&relaxation, false, &crushed), crushed);
    let before = posed(&mesh, &skinner, &bent(110.0));
    let map: Vec<Real> = (0..mesh.positions.len()).map(|v| Real::from(u32::from(v % 3 == 0))).collect();
    let mut out = before.clone();
    let map = (1.0, PerVertex::Values(&map));
    relaxation.relax(&mut RelaxScratch::default(), map, false, &mut out).unwrap();
    let moved = (0..mesh.positions.len() / 2).filter(|v| out[3 * v..3 * v + 3] != before[3 * v..3 * v + 3]);
    assert!(moved.clone().count() > 20 && moved.clone().all(|v| v % 3 == 0));
    assert!(relaxation.relax(&mut RelaxScratch::default(), map, false, &mut out[3..]).is_err());
}
