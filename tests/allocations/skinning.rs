//! A step of the skinning kernel does not allocate once it is warm.

use crate::allocations::{alone, fewest_allocations};
use sinew::math::{Affine, Mat3, Vec3, affine};
use sinew::skinning::{Method, PerVertex, Pose, Scratch, Skinner, Weights};

#[test]
fn a_warm_step_does_not_allocate() {
    let _alone = alone();
    let vertices = 20_000;
    let indices: Vec<u32> = (0..4 * vertices).map(|k| (k % 24) as u32).collect();
    let weights = Weights::new(&vec![4; vertices], &indices, &vec![0.25; 4 * vertices], 24, true).unwrap();
    let rest = vec![affine(&Mat3::identity(), &Vec3::zeros()); 24];
    let joints: Vec<Affine> =
        (0..24).map(|i| affine(&Mat3::from_diagonal_element(1.0 + 0.01 * i as f64), &Vec3::x())).collect();
    let skinner = Skinner::new(weights, &rest).unwrap();
    let points: Vec<f64> = (0..3 * vertices).map(|k| k as f64).collect();
    let mut out = vec![0.0; points.len()];
    let mut scratch = Scratch::default();
    let one = PerVertex::Constant(1.0);
    let pose = Pose {
        joints: &joints,
        method: Method::Blend,
        blend: PerVertex::Constant(0.5),
        envelope_map: one,
        envelope: 1.0,
    };
    let taken = fewest_allocations(|| {
        for method in [Method::Linear, Method::DualQuaternion, Method::Blend] {
            skinner.step(&mut scratch, &Pose { method, ..pose }, &points, &mut out).unwrap();
        }
    });
    assert_eq!(taken, 0);
}
