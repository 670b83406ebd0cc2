//! How the body moves before the first frame.

use super::spring::{Particle, Way};
use super::*;

/// Where a muscle on one joint that moves along y is at each sixth of a second, relative to its anchor.
fn deflections(rate: usize, start: Start, height: impl Fn(Real) -> Real) -> Vec<Vec3> {
    along(rate, rate, start, |t| Vec3::y() * height(t))
}

/// The same along any way, for so many frames.
fn along(rate: usize, frames: usize, start: Start, way: impl Fn(Real) -> Vec3) -> Vec<Vec3> {
    let parts = Parts { muscles: vec![muscle("m", [0, 0], [[0.0; 3], [0.4, 0.0, 0.0]])], ..Parts::default() };
    let model = Model::new(parts, &[Affine::identity()], Frames::Stable).unwrap();
    let settings = Settings { start, ..Settings::default() };
    let (mut state, mut scratch) = (State::new(), Scratch::default());
    let mut seen = Vec::new();
    for frame in 0..=frames {
        let there = way(frame as Real / rate as Real);
        let seconds = (frame > 0).then_some(1.0 / rate as Real);
        let inputs = Inputs { joints: &[affine(&Mat3::identity(), &there)], activations: &[], seconds };
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

/// What begins in the first frame, softly or with a kick, is off by the cube of the time between frames, not by that
/// time.
#[test]
fn a_motion_that_begins_is_of_third_order_from_a_still_body() {
    let soft = |t: Real| 0.05 * (2.0 * t).sin().powi(2);
    let kicked = |t: Real| 0.05 * (3.0 * t).sin();
    for (start, height, expected) in [
        (Start::Still, soft as fn(Real) -> Real, 3.0),
        (Start::Still, kicked, 3.0),
        (Start::Moving, soft, 1.0),
    ] {
        let order = order(start, height);
        assert!((order - expected).abs() < 0.25, "{start:?}: {order}");
    }
}

/// A body that goes on accelerating leaves its muscles behind by g / w^2, at any frame rate; how it began has faded
/// after some seconds.
#[test]
fn a_constant_acceleration_is_exact() {
    let g = Vec3::new(1.0, -3.0, 2.0);
    let lag = g / SPRING.frequency().powi(2);
    for rate in [24, 30, 60, 120] {
        for start in [Start::Still, Start::Moving] {
            let way = |t: Real| Vec3::new(0.2, 0.1, -0.7) * t + g * (0.5 * t * t);
            let away = *along(rate, 6 * rate, start, way).last().unwrap();
            assert!((away + lag).norm() < 1e-9, "{rate} {start:?}: {away} {lag}");
        }
    }
}

/// On a spring so soft that it would come too far, a muscle is moved as if its anchor went straight: the same as
/// before.
#[test]
fn a_hard_acceleration_is_not_taken_for_a_limit() {
    let soft = Spring { mass: 0.4, stiffness: 2.0, damping: 0.1 };
    let way = |acceleration: Vec3| Way {
        anchors: [Vec3::zeros(), Vec3::y() * 0.1],
        acceleration,
        seconds: 1.0 / 24.0,
        in_air: false,
    };
    // g / w^2 is 20 m; in a frame it makes a difference of millimetres.
    let moved = |acceleration: Real| {
        let mut particle = Particle { position: Vec3::zeros(), velocity: Vec3::y() * 2.0 };
        let held = particle.advance(&soft, &way(Vec3::y() * acceleration), 0.15);
        (particle.position - Vec3::y() * 0.1, held)
    };
    let ((straight, held), (bent, bent_held)) = (moved(0.0), moved(100.0));
    assert!(!held && !bent_held && (straight - bent).norm() < 1e-3, "{straight} {bent}");
    // One that starts at the limit and is thrown beyond it.
    let mut particles = [0.0, 100.0].map(|g| {
        let mut particle = Particle { position: Vec3::y() * 0.14, velocity: Vec3::y() * 9.0 };
        assert!(particle.advance(&soft, &way(Vec3::y() * g), 0.15));
        particle
    });
    assert_eq!(particles[0], particles[1]);
    particles.iter_mut().for_each(|particle| particle.position.y -= 0.1);
    assert!(particles[0].position.norm() <= 0.15 * (1.0 + 1e-12));
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
