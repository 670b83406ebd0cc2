//! A frame of muscles, their contact included, and the layer of skin that they carry.

use crate::allocations::{alone, fewest_allocations};
use sinew::math::{Affine, Real, Rotation, Vec3, affine};
use sinew::muscle::{Bone, End, Frames, Inputs, Model, Muscle, Parts, Scratch, Settings, State, step};

const JOINTS: usize = 12;

/// A chain of joints, each a little further turned about z than the one before.
fn joints(angle: Real) -> Vec<Affine> {
    let turn = |k: usize| Rotation::from_axis_angle(&Vec3::z_axis(), angle * k as Real).to_rotation_matrix();
    (0..JOINTS).map(|k| affine(&turn(k).into_inner(), &Vec3::new(0.2 * k as Real, 0.0, 0.0))).collect()
}

/// Four muscles around each of the chain's bones, close enough to push each other.
fn parts() -> Parts {
    let muscle = |k: usize| {
        let (joint, (sin, cos)) = (k / 4, (k as Real * 1.5).sin_cos());
        let end = |joint: usize| End { joint, point: Vec3::new(0.2 * joint as Real, 0.02 * cos, 0.02 * sin) };
        Muscle::new(format!("{k}"), end(joint), end(joint + 1), 0.02)
    };
    let bone = |joint: usize| {
        let ends = [0, 1].map(|k| Vec3::new(0.2 * (joint + k) as Real, 0.0, 0.0));
        Bone { name: format!("{joint}"), joint, ends, radius: 0.01 }
    };
    let muscles = (0..4 * (JOINTS - 1)).map(muscle).collect();
    Parts { muscles, bones: (0..JOINTS - 1).map(bone).collect(), ..Parts::default() }
}

#[test]
fn warm_frames_do_not_allocate() {
    let _alone = alone();
    for frames in [Frames::Stable, Frames::UpVector] {
        let model = Model::new(parts(), &joints(0.0), frames).unwrap();
        let settings = Settings { push_muscles: 1.0, push_bones: 1.0, ..Settings::default() };
        let (mut state, mut scratch) = (State::new(), Scratch::default());
        // There and back, so that rounds follow each other without a jump.
        let poses: Vec<Vec<Affine>> = (-4..4).map(|k: i32| joints(0.01 * Real::from(k.abs()))).collect();
        let mut seconds = None;
        let taken = fewest_allocations(|| {
            for joints in &poses {
                let inputs = Inputs { joints, activations: &[], seconds };
                let report = step(&model, &mut state, &mut scratch, &settings, &inputs).unwrap();
                assert!(report.warnings.is_empty(), "{:?}", report.warnings);
                seconds = Some(1.0 / 24.0);
            }
        });
        assert_eq!(taken, 0);
    }
}
