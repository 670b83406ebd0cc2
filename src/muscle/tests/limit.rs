//! Frame rates do not matter where springs reach their limits either.

use super::*;

/// Frame rates whose frames share all sixths of a second.
const RATES: [usize; 4] = [24, 30, 60, 120];

/// A forearm's muscle, 15 cm long, and a pad, both with the springs of the physique `jelly`.
fn jelly() -> (Model, Spring) {
    let usual = Muscle::new("usual".into(), End { joint: 0, point: Vec3::zeros() }, END, 0.04);
    let spring = Spring {
        stiffness: 0.25 * usual.spring.stiffness,
        damping: 0.3 * usual.spring.damping,
        ..usual.spring
    };
    let pad = Pad { name: "fat".into(), centre: END, radius: 0.1, spring };
    let parts = Parts { muscles: vec![Muscle { spring, ..usual }], pads: vec![pad], ..Parts::default() };
    (Model::new(parts, &[Affine::identity()], Frames::Stable).unwrap(), spring)
}

const END: End = End { joint: 0, point: Vec3::new(0.15, 0.0, 0.0) };

/// How far the muscle and the pad are from their anchors at each sixth of a second while the joint goes along a path;
/// `reported` counts the warnings.
fn deflections(rate: usize, drag: Drag, path: impl Fn(Real) -> Vec3, reported: &mut usize) -> Vec<[Vec3; 2]> {
    let (model, _) = jelly();
    let settings = Settings { drag, ..Settings::default() };
    let (mut state, mut scratch) = (State::new(), Scratch::default());
    let mut seen = Vec::new();
    for frame in 0..=2 * rate {
        let joint = affine(&Mat3::identity(), &path(frame as Real / rate as Real));
        let seconds = (frame > 0).then_some(1.0 / rate as Real);
        let inputs = Inputs { joints: &[joint], activations: &[], seconds };
        let report = step(&model, &mut state, &mut scratch, &settings, &inputs).unwrap();
        *reported += report.warnings.iter().filter(|w| matches!(w, Warning::Far { .. })).count();
        let away = [0, 1].map(|k| state.particles[k].position - state.anchors[k]);
        if drag == Drag::Body {
            assert!(away[0].norm() < 0.075 * (1.0 + 1e-12) && away[1].norm() < 0.05 * (1.0 + 1e-12));
        }
        if frame % (rate / 6) == 0 {
            seen.push(away);
        }
    }
    seen
}

fn apart(a: &[[Vec3; 2]], b: &[[Vec3; 2]]) -> Real {
    farthest(&a.concat(), b.concat())
}

/// At 2 m/s, the body stops within a frame: muscle and pad swing to their limits and back.
#[test]
fn a_sudden_stop_looks_the_same_at_all_frame_rates() {
    let stop = |t: Real| Vec3::new(0.0, -2.0 * t.min(0.5), 0.0);
    for drag in [Drag::Body, Drag::Air] {
        let mut reported = 0;
        let all = RATES.map(|rate| deflections(rate, drag, stop, &mut reported));
        assert!(reported > 0);
        for (other, rate) in all[1..].iter().zip(&RATES[1..]) {
            let off = apart(&all[0], other);
            assert!(off < 1e-12, "{drag:?} {rate}: {off:e}");
        }
        let swing = all[0].iter().map(|away| away[0].y.abs()).fold(0.0, Real::max);
        assert!(swing > 0.02, "{swing}");
    }
}

/// The body flies along a polygon with corners at sixths of a second, at up to 8 m/s, which presses muscle and pad
/// against their limits from all sides. Every such turn multiplies what round-off there is by about ten: the first
/// second counts.
#[test]
fn corners_of_a_flight_look_the_same_at_all_frame_rates() {
    let corner = |k: usize| {
        let k = k as Real;
        Vec3::new((2.1 * k).sin(), (3.7 * k).cos(), (1.3 * k * k).sin()) * 0.5
    };
    let flight = |t: Real| {
        let k = (6.0 * t + 1e-9).floor();
        corner(k as usize).lerp(&corner(k as usize + 1), 6.0 * t - k)
    };
    for drag in [Drag::Body, Drag::Air] {
        let mut reported = 0;
        let all = RATES.map(|rate| deflections(rate, drag, flight, &mut reported));
        assert!(reported > 10, "{reported}");
        for (other, rate) in all[1..].iter().zip(&RATES[1..]) {
            let off = apart(&all[0][..=6], &other[..=6]);
            assert!(off < 1e-10, "{drag:?} {rate}: {off:e}");
        }
    }
}

/// A smooth motion is sampled as a polygon: the finer, the closer, also while muscles are pressed against their limits.
#[test]
fn a_smooth_motion_converges_at_the_limit() {
    let smooth = |t: Real| Vec3::new((7.0 * t).sin() - 7.0 * t, (9.0 * t).cos(), 0.3 * (4.0 * t).cos()) * 0.3;
    let mut reported = 0;
    let finest = deflections(7680, Drag::Body, smooth, &mut reported);
    let errors =
        [60, 240, 960].map(|rate| apart(&deflections(rate, Drag::Body, smooth, &mut reported), &finest));
    assert!(errors[0] < 0.02, "{errors:?}");
    assert!(errors.windows(2).all(|pair| pair[1] < 0.4 * pair[0]), "{errors:?}");
}
