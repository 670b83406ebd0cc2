//! How the body moves before the first frame.

use super::*;

/// Where a muscle on one joint that moves along y is at each sixth of a second, relative to its anchor.
fn deflections(rate: usize, start: Start, height: impl Fn(Real) -> Real) -> Vec<Vec3> {
    let parts = Parts { muscles: vec![muscle("m", [0, 0], [[0.0; 3], [0.4, 0.0, 0.0]])], ..Parts::default() };
    let model = Model::new(parts, &[Affine::identity()], Frames::Stable).unwrap();
    let settings = Settings { start, ..Settings::default() };
    let (mut state, mut scratch) = (State::new(), Scratch::default());
    let mut seen = Vec::new();
    for frame in 0..=rate {
        let up = Vec3::y() * height(frame as Real / rate as Real);
        let seconds = (frame > 0).then_some(1.0 / rate as Real);
        let inputs = Inputs { joints: &[affine(&Mat3::identity(), &up)], activations: &[], seconds };
        step(&model, &mut state, &mut scratch, &settings, &inputs).unwrap();
        if frame % (rate / 6) == 0 {
            seen.push(state.particles[0].position - state.anchors[0]);
        }
    }
    seen
}

/// Which power of the time between frames the motion is wrong by.
fn order(start: Start, height: impl Fn(Real) -> Real) -> Real {
    let finest = deflections(7680, Start::Still, &height);
    let errors = [60, 120].map(|rate| farthest(&deflections(rate, start, &height), finest.iter().copied()));
    (errors[0] / errors[1]).log2()
}

/// What begins in the first frame, softly or with a kick, is off by the square of the time between frames, not by that time.
#[test]
fn a_motion_that_begins_is_of_second_order_from_a_still_body() {
    let soft = |t: Real| 0.05 * (2.0 * t).sin().powi(2);
    let kicked = |t: Real| 0.05 * (3.0 * t).sin();
    for (start, height, expected) in [
        (Start::Still, soft as fn(Real) -> Real, 2.0),
        (Start::Still, kicked, 2.0),
        (Start::Moving, soft, 1.0),
    ] {
        let order = order(start, height);
        assert!((order - expected).abs() < 0.15, "{start:?}: {order}");
    }
}

/// A body struck in the first frame moves on steadily: y = -u sin(q t) / q e^(-z w t), at any frame rate.
#[test]
fn a_still_body_that_is_struck_is_exact() {
    let (w, z) = (SPRING.frequency(), SPRING.damping);
    let q = w * (1.0 - z * z).sqrt();
    for rate in [24, 30, 60, 120] {
        for (k, away) in deflections(rate, Start::Still, |t| 0.8 * t).iter().enumerate() {
            let t = k as Real / 6.0;
            let expected = -0.8 * (q * t).sin() / q * (-z * w * t).exp();
            assert!((away - Vec3::y() * expected).norm() < 1e-14, "{rate} {k}: {away}");
        }
        let steady = deflections(rate, Start::Moving, |t| 0.8 * t);
        assert!(steady.iter().all(|away| away.norm() < 1e-14), "{rate}");
    }
}
