//! Muscles that slide under the skin.

use super::*;

/// A straight muscle of length 1 whose insertion moves along it; `cover` carries the skin.
fn straight(cover: usize) -> Model {
    let mut muscle = muscle("straight", [0, 1], [[0.0; 3], [1.0, 0.0, 0.0]]);
    (muscle.middle, muscle.bulge, muscle.swell) = (Vec3::zeros(), 0.0, 0.0);
    (muscle.rings, muscle.size, muscle.taper) = (RINGS, 0.1, 1.0);
    let parts = Parts { muscles: vec![muscle], ..Parts::default() };
    let mut model = Model::new(parts, &[Affine::identity(); 2], Frames::Stable).unwrap();
    model.take_cover(Cover::new(vec![vec![(cover, 3.0)]; RINGS]));
    model
}

const RINGS: usize = 129;

/// The radius of the skin over each ring, where it was as wide as the muscle, if the muscle is `length` long.
fn skin(model: &Model, length: Real, settings: &Settings) -> Vec<Real> {
    let moved = affine(&Mat3::identity(), &Vec3::new(length - 1.0, 0.0, 0.0));
    let (scratch, _) = posed(model, settings, &[Affine::identity(), moved], &[]);
    let radius = |k: usize| {
        let vertex = k * RING_VERTICES;
        (model.points()[vertex].yz() + scratch.beyond[vertex].yz()).norm()
    };
    (0..RINGS).map(radius).collect()
}

/// A muscle of constant volume that shortens or lengthens to `length` lies, as seen from skin that stays on the
/// origin's joint, where x / length was, and is wider by the root of that; past its end there is nothing.
#[test]
fn skin_sees_the_part_of_the_muscle_that_is_under_it() {
    let settings = Settings { thinning: 1.0, ..Settings::default() };
    let model = straight(0);
    let profile = |u: Real| if u < 1.0 { 0.1 * (std::f64::consts::PI * u).sin() } else { 0.0 };
    for length in [0.7, 0.9, 1.0, 1.2] {
        let radii = skin(&model, length, &settings);
        for (k, radius) in radii.iter().enumerate() {
            let x = k as Real / (RINGS - 1) as Real;
            let expected = profile(x / length) / length.sqrt();
            assert!((radius - expected).abs() < 2e-5, "{length} {k}: {radius} instead of {expected}");
        }
        let volume = |radii: &[Real]| radii.iter().map(|r| r * r).sum::<Real>();
        if length <= 1.0 {
            let kept = volume(&radii) / volume(&skin(&model, 1.0, &settings));
            assert!((kept - 1.0).abs() < 1e-3, "{length}: {kept}");
        }
    }
}

/// Skin on the joint of the insertion sees the other end; skin of which nothing is known sees no slide; and none shows
/// where the bulge does not.
#[test]
fn what_carries_the_skin_decides() {
    let settings = Settings { thinning: 1.0, ..Settings::default() };
    let (front, back) = (skin(&straight(0), 0.8, &settings), skin(&straight(1), 0.8, &settings));
    for (front, back) in front.iter().zip(back.iter().rev()) {
        assert!((front - back).abs() < 1e-12);
    }
    let mut bare = straight(0);
    bare.take_cover(Cover::default());
    let widest = skin(&bare, 0.8, &settings)[RINGS / 2];
    assert!((widest - 0.1 / 0.8_f64.sqrt()).abs() < 1e-12);
    let flat = Settings { bulge: 0.0, ..settings };
    for (now, rest) in skin(&straight(0), 0.8, &flat).iter().zip(skin(&straight(0), 1.0, &settings)) {
        assert!((now - rest).abs() < 1e-15);
    }
}
