use super::*;
use proptest::prelude::*;
use sinew_math::{Rotation, Vec3, affine, invert, transform_point};
use std::f64::consts::PI;

fn rigid(axis: [Real; 3], t: [Real; 3]) -> Affine {
    let rotation = Rotation::from_scaled_axis(Vec3::from(axis)).to_rotation_matrix().into_inner();
    affine(&rotation, &Vec3::from(t))
}

fn pose(joints: &[Affine], method: Method) -> Pose<'_> {
    let one = PerVertex::Constant(1.0);
    Pose { joints, method, blend: PerVertex::Constant(0.0), envelope_map: one, envelope: 1.0 }
}

fn run(skinner: &Skinner, pose: &Pose, points: &[Real]) -> Vec<Real> {
    let mut out = vec![0.0; points.len()];
    skinner.step(&mut Scratch::default(), pose, points, &mut out).unwrap();
    out
}

/// Deterministic numbers in -1..1, without a dependency.
fn noise(count: usize, mut seed: u64) -> Vec<Real> {
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as Real / (1u64 << 52) as Real - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Vertices with three influences each on `joints` joints.
fn random(vertices: usize, joints: usize) -> (Weights, Vec<Affine>, Vec<Real>) {
    let of = |k: usize| ((k * 7 + k / 3) % joints) as u32;
    let weights: Vec<Real> = noise(3 * vertices, 5).iter().map(|v| v.abs()).collect();
    let indices: Vec<u32> = (0..3 * vertices).map(of).collect();
    let weights = Weights::new(&vec![3; vertices], &indices, &weights, joints, true).unwrap();
    let numbers = noise(6 * joints, 9);
    let rest = numbers.chunks(6).map(|n| rigid([n[0], n[1], n[2]], [n[3], n[4], n[5]])).collect();
    (weights, rest, noise(3 * vertices, 3))
}

fn distance(a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max)
}

const METHODS: [Method; 3] = [Method::Linear, Method::DualQuaternion, Method::Blend];

#[test]
fn nothing_moves_at_rest() {
    let (weights, mut rest, points) = random(500, 7);
    rest[3] = affine(&sinew_math::Mat3::new(2.0, 0.3, 0.0, 0.1, 0.7, 0.0, 0.0, 0.2, 1.5), &Vec3::x());
    let skinner = Skinner::new(weights, &rest).unwrap();
    for method in METHODS {
        let pose = Pose { blend: PerVertex::Constant(0.4), ..pose(&rest, method) };
        assert!(distance(&run(&skinner, &pose, &points), &points) < 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn one_rigid_motion_of_all_joints_moves_all_points_by_it(
        axis in prop::array::uniform3(-3.0..3.0f64), t in prop::array::uniform3(-5.0..5.0f64),
    ) {
        let (weights, rest, points) = random(100, 5);
        // From any pose, not only from rest: a rigid motion of all joints moves the skin rigidly.
        let posed: Vec<_> = rest.iter().enumerate().map(|(i, r)| {
            compose(r, &compose(&rigid([0.3 * i as Real, 0.2, 0.1], [0.1, 0.0, 0.2]),
                &affine(&sinew_math::Mat3::from_diagonal(&Vec3::new(1.0, 1.3, 0.8)), &Vec3::zeros())))
        }).collect();
        let motion = rigid(axis, t);
        let moved: Vec<_> = posed.iter().map(|p| compose(&motion, p)).collect();
        let skinner = Skinner::new(weights, &rest).unwrap();
        for method in METHODS {
            let with = |joints| Pose { blend: PerVertex::Constant(0.5), ..pose(joints, method) };
            let before = run(&skinner, &with(&posed), &points);
            let expected: Vec<Real> = before.chunks_exact(3)
                .flat_map(|p| <[Real; 3]>::from(transform_point(&motion, &Vec3::from_column_slice(p)))).collect();
            prop_assert!(distance(&run(&skinner, &with(&moved), &points), &expected) < 1e-11);
        }
    }
}

#[test]
fn linear_is_the_weighted_sum_of_the_moved_points() {
    let (weights, rest, points) = random(200, 6);
    let joints: Vec<_> = noise(72, 77)
        .chunks(12)
        .map(|m| affine(&sinew_math::linear(&Affine::from_row_slice(m)), &Vec3::y()))
        .collect();
    let skinner = Skinner::new(weights.clone(), &rest).unwrap();
    let got = run(&skinner, &pose(&joints, Method::Linear), &points);
    for v in 0..200 {
        let p = Vec3::from_column_slice(&points[3 * v..][..3]);
        let (js, ws) = weights.of(v);
        let mut sum = Vec3::zeros();
        for (&j, &w) in js.iter().zip(ws) {
            let local = transform_point(&invert(&rest[j as usize]).unwrap(), &p);
            sum += w * transform_point(&joints[j as usize], &local);
        }
        assert!(distance(sum.as_slice(), &got[3 * v..][..3]) < 1e-12);
    }
}

/// A tube along x between two joints, the second twisted by `angle`; returns the radius in the middle.
fn radius_of_twisted_tube(method: Method, angle: Real) -> Real {
    let weights = Weights::new(&[2], &[0, 1], &[0.5, 0.5], 2, true).unwrap();
    let rest = [rigid([0.0; 3], [0.0; 3]), rigid([0.0; 3], [2.0, 0.0, 0.0])];
    let joints = [rest[0], compose(&rest[1], &rigid([angle, 0.0, 0.0], [0.0; 3]))];
    let out = run(&Skinner::new(weights, &rest).unwrap(), &pose(&joints, method), &[1.0, 1.0, 0.0]);
    assert!((out[0] - 1.0).abs() < 1e-12);
    out[1].hypot(out[2])
}

#[test]
fn a_twist_collapses_linear_blending_and_not_dual_quaternions() {
    assert!(radius_of_twisted_tube(Method::Linear, PI) < 1e-12, "the candy wrapper");
    for angle in [0.1, 1.0, 2.0, 3.0, 3.1, -3.1, 5.0, 6.2] {
        assert!((radius_of_twisted_tube(Method::DualQuaternion, angle) - 1.0).abs() < 1e-12);
        // The mean of two unit vectors at an angle a has length cos(a / 2).
        assert!((radius_of_twisted_tube(Method::Linear, angle) - (angle / 2.0).cos().abs()).abs() < 1e-12);
    }
}

#[test]
fn the_sign_of_a_quaternion_does_not_matter() {
    // A full turn of one joint is the same motion, with the opposite quaternion.
    let (weights, rest, points) = random(100, 4);
    let skinner = Skinner::new(weights, &rest).unwrap();
    let turned = |angle: Real| -> Vec<Real> {
        let mut joints = rest.clone();
        joints[1] = compose(&rest[1], &rigid([0.0, angle, 0.0], [0.2, 0.0, 0.0]));
        run(&skinner, &pose(&joints, Method::DualQuaternion), &points)
    };
    assert!(distance(&turned(0.5), &turned(0.5 + 2.0 * PI)) < 1e-9);
    assert!(distance(&turned(0.5), &turned(0.5 - 2.0 * PI)) < 1e-9);
}

#[test]
fn a_scaled_joint_scales_about_itself_under_dual_quaternions() {
    let weights = Weights::new(&[1], &[0], &[1.0], 1, true).unwrap();
    let rest = [rigid([0.3, 0.2, 0.1], [5.0, 1.0, 2.0])];
    let stretch = affine(&sinew_math::Mat3::new(2.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5), &Vec3::zeros());
    let joints = [compose(&rigid([0.5, -1.0, 2.0], [1.0, 2.0, 3.0]), &compose(&rest[0], &stretch))];
    let skinner = Skinner::new(weights, &rest).unwrap();
    let points = [0.3, 0.4, 0.5];
    let dual = run(&skinner, &pose(&joints, Method::DualQuaternion), &points);
    assert!(
        distance(&dual, &run(&skinner, &pose(&joints, Method::Linear), &points)) < 1e-12,
        "one joint, one answer"
    );
}

#[test]
fn blend_and_envelope_interpolate() {
    let (weights, rest, points) = random(4, 3);
    let joints: Vec<_> = rest.iter().map(|r| compose(r, &rigid([1.0, 0.5, 0.2], [0.1, 0.2, 0.3]))).collect();
    let skinner = Skinner::new(weights, &rest).unwrap();
    let linear = run(&skinner, &pose(&joints, Method::Linear), &points);
    let dual = run(&skinner, &pose(&joints, Method::DualQuaternion), &points);
    let map = [0.0, 1.0, 0.25, 0.25];
    let envelopes = [1.0, 1.0, 1.0, 0.0];
    let mixed = Pose {
        blend: PerVertex::Values(&map),
        envelope_map: PerVertex::Values(&envelopes),
        ..pose(&joints, Method::Blend)
    };
    let out = run(&skinner, &mixed, &points);
    assert_eq!(out[..3], linear[..3]);
    assert_eq!(out[3..6], dual[3..6]);
    for k in 6..9 {
        assert!((out[k] - (0.75 * linear[k] + 0.25 * dual[k])).abs() < 1e-14);
    }
    assert_eq!(out[9..], points[9..]);
    let half = Pose { envelope: 0.5, ..pose(&joints, Method::Linear) };
    let halfway: Vec<_> = points.iter().zip(&linear).map(|(p, l)| 0.5 * (p + l)).collect();
    assert!(distance(&run(&skinner, &half, &points), &halfway) < 1e-14);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (weights, rest, points) = random(10_001, 9);
    let joints: Vec<_> = rest.iter().map(|r| compose(r, &rigid([1.0, 0.5, 0.2], [0.1, 0.2, 0.3]))).collect();
    let skinner = Skinner::new(weights, &rest).unwrap();
    for method in METHODS {
        let pose = Pose { blend: PerVertex::Constant(0.3), ..pose(&joints, method) };
        let with = |threads| -> Vec<u64> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&skinner, &pose, &points)).iter().map(|v| v.to_bits()).collect()
        };
        let one = with(1);
        assert!([2, 3, 8].iter().all(|&threads| with(threads) == one));
    }
}

#[test]
fn a_flat_rest_joint_is_named() {
    let weights = Weights::new(&[1], &[0], &[1.0], 2, true).unwrap();
    let rest =
        [rigid([0.0; 3], [0.0; 3]), affine(&sinew_math::Mat3::from_diagonal(&Vec3::x()), &Vec3::zeros())];
    let error = Skinner::new(weights, &rest).unwrap_err();
    assert_eq!((error.kind(), error.place().joint), (Kind::Degenerate, Some(1)));
}

#[test]
fn wrong_counts_are_errors() {
    let (weights, rest, points) = random(10, 3);
    assert_eq!(Skinner::new(weights.clone(), &rest[..2]).unwrap_err().kind(), Kind::CountMismatch);
    let skinner = Skinner::new(weights, &rest).unwrap();
    let mut scratch = Scratch::default();
    let mut step = |pose: &Pose, points: &[Real], out: usize| {
        skinner.step(&mut scratch, pose, points, &mut vec![0.0; out]).map_err(|e| e.kind())
    };
    let good = pose(&rest, Method::Linear);
    assert_eq!(step(&good, &points, 30), Ok(()));
    assert_eq!(step(&good, &points[..27], 30), Err(Kind::CountMismatch));
    assert_eq!(step(&good, &points, 27), Err(Kind::CountMismatch));
    assert_eq!(step(&pose(&rest[..2], Method::Linear), &points, 30), Err(Kind::CountMismatch));
    let short = Pose { blend: PerVertex::Values(&[0.0]), ..good };
    assert_eq!(step(&short, &points, 30), Err(Kind::CountMismatch));
}
