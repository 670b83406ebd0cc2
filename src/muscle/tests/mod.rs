//! Closed forms, invariants, and what must not matter.

mod bad;
mod contact;
mod limit;
mod press;
mod remembered;
mod slide;
mod start;

use super::curve::Curve;
use super::shape::{LEAST_WIDTH, radius, widening};
use super::*;
use nalgebra::UnitVector3;
use sinew_base::bytes::Reader;
use sinew_math::{Affine, Mat3, Real, Rotation, Vec3, affine, compose, transform_point};
use std::f64::consts::FRAC_PI_2;

/// Vertices of a ring.
const RING_VERTICES: usize = 8;

const SPRING: Spring = Spring { mass: 0.4, stiffness: 250.0, damping: 0.15 };

fn muscle(name: &str, joints: [usize; 2], ends: [[Real; 3]; 2]) -> Muscle {
    let [origin, insertion] =
        [0, 1].map(|k| End { joint: joints[k], point: Vec3::from_column_slice(&ends[k]) });
    Muscle {
        name: name.into(),
        origin,
        insertion,
        middle: Vec3::new(0.01, 0.02, -0.015),
        middle_joint: None,
        up: None,
        rings: 9,
        divisions: RING_VERTICES,
        size: 0.03,
        taper: 0.8,
        girth: 1.0,
        weight: 1.0,
        bulge: 0.6,
        stretch_ratio: 2.0,
        swell: 0.3,
        flex: 0.0,
        limb: None,
        spring: SPRING,
        offsets: Vec::new(),
    }
}

/// An arm: the joints of shoulder, elbow and wrist along x, muscles across the elbow, a pad and two bones.
fn arm() -> (Parts, Vec<Affine>) {
    let joint = |x: Real| affine(&Mat3::identity(), &Vec3::new(x, 1.4, 0.0));
    let mut biceps = muscle("biceps", [0, 1], [[0.02, 1.42, 0.04], [0.34, 1.41, 0.02]]);
    biceps.offsets =
        (0..biceps.vertex_count()).map(|k| Vec3::new(1e-3, 0.0, 2e-3) * (k % 5) as Real).collect();
    let mut triceps = muscle("triceps", [0, 1], [[0.01, 1.39, -0.03], [0.31, 1.39, -0.03]]);
    triceps.up = Some(Vec3::new(0.1, 0.2, 1.0));
    let flexor = muscle("flexor", [1, 2], [[0.29, 1.38, 0.02], [0.55, 1.4, 0.01]]);
    let centre = End { joint: 0, point: Vec3::new(0.15, 1.36, 0.0) };
    let pad = Pad { name: "fat".into(), centre, radius: 0.12, spring: Spring { mass: 0.2, ..SPRING } };
    let bone = |name: &str, joint: usize, x: [Real; 2]| Bone {
        name: name.into(),
        joint,
        ends: x.map(|x| Vec3::new(x, 1.4, 0.0)),
        radius: 0.012,
    };
    let bones = vec![bone("humerus", 0, [0.0, 0.3]), bone("ulna", 1, [0.3, 0.56])];
    let parts = Parts { muscles: vec![biceps, triceps, flexor], pads: vec![pad], bones };
    (parts, [0.0, 0.3, 0.56].map(joint).to_vec())
}

/// The arm with its elbow bent about z.
fn bent(angle: Real) -> Vec<Affine> {
    let (_, rest) = arm();
    let turn = Rotation::from_axis_angle(&Vec3::z_axis(), angle).to_rotation_matrix().into_inner();
    let elbow = affine(&turn, &Vec3::new(0.3, 1.4, 0.0));
    let back = affine(&Mat3::identity(), &Vec3::new(-0.3, -1.4, 0.0));
    let about = compose(&elbow, &back);
    vec![rest[0], compose(&about, &rest[1]), compose(&about, &rest[2])]
}

pub(super) fn model(frames: Frames) -> Model {
    let (parts, rest) = arm();
    Model::new(parts, &rest, frames).unwrap()
}

const BOTH: [Frames; 2] = [Frames::Stable, Frames::UpVector];

/// A first frame with these joints.
fn posed(model: &Model, settings: &Settings, joints: &[Affine], activations: &[Real]) -> (Scratch, Step) {
    let mut scratch = Scratch::default();
    let inputs = Inputs { joints, activations, seconds: None };
    let report = step(model, &mut State::new(), &mut scratch, settings, &inputs).unwrap();
    (scratch, report)
}

fn touching() -> Settings {
    Settings { push_muscles: 1.0, push_bones: 1.0, ..Settings::default() }
}

fn farthest(a: &[Vec3], b: impl IntoIterator<Item = Vec3>) -> Real {
    let b: Vec<Vec3> = b.into_iter().collect();
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, Real::max)
}

#[test]
fn nothing_moves_at_rest() {
    for frames in BOTH {
        let model = model(frames);
        let (_, rest) = arm();
        let (scratch, report) = posed(&model, &touching(), &rest, &[]);
        assert!(report.warnings.is_empty(), "{report:?}");
        assert!(farthest(&scratch.points, model.points().iter().copied()) < 1e-15);
        for carrier in &scratch.carriers {
            assert!((carrier - Affine::identity()).amax() < 1e-14, "{carrier}");
        }
    }
}

/// A muscle across two joints, on the axis about which the bone between them turns, with those behind it.
#[test]
fn a_belly_on_a_joint_turns_with_it_and_with_nothing_else() {
    let (_, rest) = arm();
    let ends = [[-0.1, 1.4, 0.0], [0.6, 1.4, 0.0]];
    let on_joint = |middle_joint| Muscle { middle_joint, ..muscle("long", [0, 2], ends) };
    let turned = |degrees: Real| {
        let turn = Rotation::from_axis_angle(&Vec3::x_axis(), degrees.to_radians());
        affine(&turn.to_rotation_matrix().into_inner(), &(Vec3::y() * 1.4 - turn * Vec3::y() * 1.4))
    };
    let about = |degrees: Real, joint: &Affine| compose(&turned(degrees), joint);
    for frames in BOTH {
        // The bone turns, then all that is behind it too, then only that.
        for (bone, behind, half) in [(80.0, 0.0, 0.0), (80.0, 80.0, 40.0), (0.0, 80.0, 40.0)] {
            let pose = [rest[0], about(bone, &rest[1]), about(behind, &rest[2])];
            for (joint, degrees) in [(Some(1), bone), (None, half)] {
                let parts = Parts { muscles: vec![on_joint(joint)], ..Parts::default() };
                let model = Model::new(parts, &rest, frames).unwrap();
                let (scratch, _) = posed(&model, &Settings::default(), &pose, &[]);
                let middle = model.rings_of(0).len() / 2;
                let expected = transform_point(&turned(degrees), &model.centres[middle]);
                assert!((scratch.centres[middle] - expected).norm() < 1e-12, "{frames:?} {bone} {joint:?}");
                // With a joint, all of it turns.
                if joint.is_some() {
                    let turned = model.points().iter().map(|p| transform_point(&turned(degrees), p));
                    assert!(farthest(&scratch.points, turned) < 1e-12, "{frames:?} {bone}");
                }
            }
        }
    }
}

#[test]
fn a_rigid_motion_moves_all_rigidly() {
    let turn = Rotation::from_euler_angles(0.7, -2.1, 1.3).to_rotation_matrix().into_inner();
    for (shift, allowed) in [(1.0, 1e-14), (1000.0, 1e-12)] {
        let rigid = affine(&turn, &(Vec3::new(0.3, -0.4, 0.5) * shift));
        for frames in BOTH {
            let model = model(frames);
            let moved: Vec<Affine> = bent(1.2).iter().map(|joint| compose(&rigid, joint)).collect();
            let (here, _) = posed(&model, &touching(), &bent(1.2), &[0.2, 0.9, 0.4]);
            let (there, _) = posed(&model, &touching(), &moved, &[0.2, 0.9, 0.4]);
            let off = farthest(&there.points, here.points.iter().map(|p| transform_point(&rigid, p)));
            assert!(off < allowed, "{frames:?} {shift}: {off:e}");
        }
    }
}

/// With B = 0 the area of a ring times the chord is that at rest, whatever the pose.
#[test]
fn without_bulge_the_volume_stays() {
    let (mut parts, rest) = arm();
    parts.muscles.iter_mut().for_each(|muscle| muscle.bulge = 0.0);
    let model = Model::new(parts, &rest, Frames::Stable).unwrap();
    for angle in [-0.5, 0.4, 1.0, 2.0] {
        let (scratch, _) = posed(&model, &Settings::default(), &bent(angle), &[]);
        for muscle in 0..3 {
            let (area, at_rest) =
                (area(&model, &scratch.points, muscle), area(&model, model.points(), muscle));
            let ratio = area * scratch.lengths[muscle] / (at_rest * model.rest_length(muscle, Length::Chord));
            assert!((ratio - 1.0).abs() < 1e-12, "{angle} {muscle}: {ratio}");
        }
    }
}

/// The area of the middle ring, as a fan of triangles.
fn area(model: &Model, points: &[Vec3], muscle: usize) -> Real {
    let begin = model.vertices_of(muscle).start + 4 * RING_VERTICES;
    let ring = &points[begin..begin + RING_VERTICES];
    let fan = ring.windows(2).skip(1).map(|pair| (pair[0] - ring[0]).cross(&(pair[1] - ring[0])));
    fan.sum::<Vec3>().norm() / 2.0
}

/// Equations 4, 7 and 8 by hand.
#[test]
fn widths_are_those_of_the_print() {
    // Shortened by a fifth: (1 + 0.5 sin 18 deg) / sqrt 0.8.
    let root = (0.8_f64).sqrt();
    assert!((widening(0.5, 3.0, 1.0, 0.8) - (1.0 + 0.5 * 0.309_016_994_374_947_4) / root).abs() < 1e-15);
    // Stretched by a third, R = 2: (1 - 0.5 sin 15 deg) sqrt 0.75.
    let longer = widening(0.5, 2.0, 3.0, 4.0);
    assert!((longer - (1.0 - 0.5 * 0.258_819_045_102_520_74) * 0.75_f64.sqrt()).abs() < 1e-15);
    assert_eq!(widening(0.9, 0.5, 2.0, 2.0), 1.0);
    // Beyond twice the length (R = 1) the sine stays at -1, and the width at its least.
    assert!((widening(0.5, 1.0, 1.0, 4.0) - 0.25).abs() < 1e-15);
    assert_eq!(widening(1.5, 1.0, 1.0, 3.0), shape::LEAST_WIDTH);
    assert_eq!(widening(0.5, 1.0, 1.0, 0.0), widening(0.5, 1.0, 1.0, shape::LEAST_LENGTH));
    let of = muscle("m", [0, 1], [[0.0; 3], [1.0, 0.0, 0.0]]);
    assert_eq!([radius(&of, 0), radius(&of, 8)], [0.0; 2]);
    assert!((radius(&of, 4) - 0.03).abs() < 1e-16);
    assert!((radius(&of, 2) - 0.03 * 0.5_f64.sqrt().powf(0.8)).abs() < 1e-16);
}

#[test]
fn strengths_and_activations_act_as_documented() {
    let model = model(Frames::Stable);
    let width = |settings: &Settings, activations: &[Real]| {
        let (scratch, _) = posed(&model, settings, &bent(1.0), activations);
        let root = (area(&model, &scratch.points, 0) / area(&model, model.points(), 0)).sqrt();
        (root, scratch.lengths[0])
    };
    let plain = Settings::default();
    let (authored, length) = width(&plain, &[]);
    let rest = model.rest_length(0, Length::Chord);
    assert!((authored - widening(0.6, 2.0, rest, length)).abs() < 1e-12 && authored > 1.02);
    assert!((width(&plain, &[0.5, 0.0, 0.0]).0 - authored * 1.15).abs() < 1e-12, "swells by 0.3 / 2");
    assert!((width(&Settings { bulge: 0.0, ..plain }, &[1.0; 3]).0 - 1.0).abs() < 1e-12);
    let half = width(&Settings { bulge: 0.5, ..plain }, &[]).0;
    assert!((half - (1.0 + 0.5 * (authored - 1.0))).abs() < 1e-12);
    assert!((width(&Settings { size: 1.5, ..plain }, &[]).0 - 1.5 * authored).abs() < 1e-12);
    let stretched = |bulge: Real| {
        let settings = Settings { bulge, ..plain };
        let (scratch, _) = posed(&model, &settings, &bent(1.0), &[]);
        let widths = (0..3).map(|k| scratch.widths[k] / settings.girth(&model.parts.muscles[k]));
        widths.fold(Real::INFINITY, Real::min)
    };
    let (plainly, far) = (stretched(1.0), stretched(1000.0));
    assert!(plainly < 1.0 && (far - LEAST_WIDTH).abs() < 1e-15, "nothing turns inside out: {plainly} {far}");
    let more = width(&Settings { bulge_factor: 2.0, ..plain }, &[]).0;
    assert!((more - widening(1.2, 2.0, rest, length)).abs() < 1e-12);
    let (_, arc) = width(&Settings { length: Length::Arc, ..plain }, &[]);
    assert!(arc > length * 1.001, "{arc} {length}");
}

#[test]
fn the_arc_length_is_that_of_many_chords() {
    let curves = [
        [[0.0, 0.0, 0.0], [0.5, 0.3, -0.2], [1.0, 0.1, 0.0]],
        [[0.0, 0.0, 0.0], [0.5, 1e-4, 0.0], [1.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]],
        // Back over itself, with a cusp.
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 1e-9, 0.0]],
        [[2.0, 1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.5, 0.3]],
    ];
    for points in curves {
        let curve = Curve { points: points.map(|p| Vec3::from_column_slice(&p)) };
        let count = 200_000;
        let at = |k: usize| curve.at(k as Real / count as Real);
        let chords: Real = (0..count).map(|k| (at(k + 1) - at(k)).norm()).sum();
        assert!((curve.arc_length() - chords).abs() < 1e-9, "{points:?} {} {chords}", curve.arc_length());
    }
}

/// The elbow turns at constant speed for a second, and stops: what 24, 30, 60 and 120 frames per second make of the
/// muscles half a second later. Anchors on an arc are seen as polygons, so frame rates differ by the square of the
/// step.
#[test]
fn frame_rates_do_not_matter() {
    let at_rate = |rate: usize| {
        let model = model(Frames::Stable);
        let (mut state, mut scratch) = (State::new(), Scratch::default());
        for frame in 0..=rate * 3 / 2 {
            let t = (frame as Real / rate as Real).min(1.0);
            let seconds = (frame > 0).then(|| 1.0 / rate as Real);
            let inputs = Inputs { joints: &bent(1.5 * t), activations: &[], seconds };
            step(&model, &mut state, &mut scratch, &Settings::default(), &inputs).unwrap();
        }
        scratch.points
    };
    let finest = at_rate(960);
    let errors = [24, 30, 60, 120].map(|rate| farthest(&at_rate(rate), finest.iter().copied()));
    let most = [2e-4, 1.4e-4, 4e-5, 1e-5];
    assert!(errors.iter().zip(most).all(|(error, most)| *error < most), "{errors:?}");
    assert!(errors[0] > 0.0);
}

/// A body that moves on at constant speed does not jiggle, from the first frame on; in air it lags by 2 z v / w.
#[test]
fn a_train_does_not_matter() {
    for drag in [Drag::Body, Drag::Air] {
        let model = model(Frames::Stable);
        let settings = Settings { drag, ..Settings::default() };
        let (mut state, mut scratch) = (State::new(), Scratch::default());
        for frame in 0..240 {
            let ride = affine(&Mat3::identity(), &Vec3::new(0.0, 0.0, 0.5 * frame as Real / 24.0));
            let joints: Vec<Affine> = bent(0.4).iter().map(|joint| compose(&ride, joint)).collect();
            let seconds = (frame > 0).then_some(1.0 / 24.0);
            let inputs = Inputs { joints: &joints, activations: &[], seconds };
            step(&model, &mut state, &mut scratch, &settings, &inputs).unwrap();
        }
        let away = state.particles[0].position - state.anchors[0];
        let lag = if drag == Drag::Air { 2.0 * 0.15 * 0.5 / SPRING.frequency() } else { 0.0 };
        assert!((away + Vec3::z() * lag).norm() < 1e-7, "{drag:?} {away}");
        let tension = SPRING.stiffness * lag;
        assert!((scratch.tensions[0] - tension).abs() < 1e-4);
    }
}

/// A body that jumps keeps its muscles near, and says so.
#[test]
fn a_jump_is_limited() {
    let model = model(Frames::Stable);
    let (mut state, mut scratch) = (State::new(), Scratch::default());
    let mut warned = 0;
    for frame in 0..30 {
        let jump = if frame >= 10 { 5.0 } else { 0.0 };
        let ride = affine(&Mat3::identity(), &Vec3::new(jump, 0.0, 0.0));
        let joints: Vec<Affine> = bent(0.4).iter().map(|joint| compose(&ride, joint)).collect();
        let seconds = (frame > 0).then_some(1.0 / 24.0);
        let inputs = Inputs { joints: &joints, activations: &[], seconds };
        let report = step(&model, &mut state, &mut scratch, &Settings::default(), &inputs).unwrap();
        warned += report.warnings.iter().filter(|w| matches!(w, Warning::Far { .. })).count();
        for (k, particle) in state.particles[..3].iter().enumerate() {
            let away = (particle.position - state.anchors[k]).norm();
            assert!(away <= 0.5 * model.rest_length(k, Length::Chord) * (1.0 + 1e-12));
        }
    }
    assert!(warned > 0);
}

/// A muscle whose tangent sweeps over its up-vector: with the up-vector the rings turn around just where the warnings
/// are, and with stable frames nowhere.
#[test]
fn frames_flip_only_where_the_warning_says() {
    let rest = vec![Affine::identity(); 2];
    let mut swept = muscle("swept", [0, 1], [[0.0; 3], [0.3, 0.0, 0.0]]);
    (swept.middle, swept.up) = (Vec3::zeros(), Some(Vec3::y()));
    let sweep = |frames: Frames, axis: UnitVector3<Real>, farthest: i32| {
        let parts = Parts { muscles: vec![swept.clone()], ..Parts::default() };
        let model = Model::new(parts, &rest, frames).unwrap();
        let (mut flips, mut warned) = (Vec::new(), Vec::new());
        let mut before: Option<Vec<Mat3>> = None;
        for degrees in 0..=farthest {
            let turn = Rotation::from_axis_angle(&axis, Real::from(degrees).to_radians());
            let joints = [rest[0], affine(&turn.to_rotation_matrix().into_inner(), &Vec3::zeros())];
            let (scratch, report) = posed(&model, &Settings::default(), &joints, &[]);
            let turned = |axes: &[Mat3]| {
                let pairs = axes.iter().zip(&scratch.axes);
                pairs.map(|(a, b)| (a.transpose() * b).trace()).any(|trace| trace < 2.0)
            };
            if before.as_deref().is_some_and(turned) {
                flips.push(degrees);
            }
            if report.warnings.iter().any(|w| matches!(w, Warning::NearUp { .. } | Warning::Flipped { .. })) {
                warned.push(degrees);
            }
            before = Some(scratch.axes.clone());
        }
        (flips, warned)
    };
    // The whole circle, though the joint of the origin stays: the other one leads where this one's axes are reversed;
    // also a twist of the insertion, and a rotation that is nearly one.
    let nearly = UnitVector3::new_normalize(Vec3::new(1.0, 0.0, 0.1));
    for axis in [Vec3::z_axis(), Vec3::x_axis(), nearly] {
        assert_eq!(sweep(Frames::Stable, axis, 360), (vec![], vec![]), "{axis:?}");
    }
    let (flips, warned) = sweep(Frames::UpVector, Vec3::z_axis(), 178);
    assert!(!flips.is_empty() && flips.iter().all(|degrees| (89..=91).contains(degrees)), "{flips:?}");
    assert_eq!(warned, (86..=94).collect::<Vec<_>>(), "within 5 degrees");
}

#[test]
fn odd_curves_give_finite_axes() {
    let rest = vec![Affine::identity(); 2];
    // The middle on an end, beyond both ends, and along the up-vector.
    for middle in [[0.15, 0.0, 0.0], [-0.15, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 5.0, 0.0]] {
        for up in [Vec3::x(), Vec3::y()] {
            let mut odd = muscle("odd", [0, 1], [[0.0; 3], [0.3, 0.0, 0.0]]);
            (odd.middle, odd.up) = (Vec3::from_column_slice(&middle), Some(up));
            for frames in BOTH {
                let parts = Parts { muscles: vec![odd.clone()], ..Parts::default() };
                let model = Model::new(parts, &rest, frames).unwrap();
                // The insertion meets the origin.
                for x in [0.0, -0.3, -0.15] {
                    let joints = [rest[0], affine(&Mat3::identity(), &Vec3::new(x, 0.0, 0.0))];
                    let (scratch, report) = posed(&model, &Settings::default(), &joints, &[]);
                    for axes in &scratch.axes {
                        assert!((axes.transpose() * axes - Mat3::identity()).amax() < 1e-9, "{axes}");
                    }
                    let short = report.warnings.iter().any(|w| matches!(w, Warning::Short { .. }));
                    assert_eq!(short, x == -0.3);
                }
            }
        }
    }
}

#[test]
fn the_order_of_muscles_and_the_scale_do_not_matter() {
    let (parts, rest) = arm();
    let settings = touching();
    let (here, _) = posed(&model(Frames::Stable), &settings, &bent(1.9), &[]);
    let mut reversed = parts.clone();
    reversed.muscles.reverse();
    reversed.bones.reverse();
    let turned_round = Model::new(reversed, &rest, Frames::Stable).unwrap();
    let (there, _) = posed(&turned_round, &settings, &bent(1.9), &[]);
    for muscle in 0..3 {
        let points = there.points[turned_round.vertices_of(2 - muscle)].iter().copied();
        let range = model(Frames::Stable).vertices_of(muscle);
        assert!(farthest(&here.points[range], points) < 1e-14);
    }
    // An elephant of the same arm: a hundred times as large.
    let mut large = parts;
    let scale = 100.0;
    for muscle in &mut large.muscles {
        for vector in [&mut muscle.origin.point, &mut muscle.insertion.point, &mut muscle.middle] {
            *vector *= scale;
        }
        muscle.offsets.iter_mut().for_each(|offset| *offset *= scale);
        muscle.size *= scale;
    }
    for bone in &mut large.bones {
        bone.ends.iter_mut().for_each(|end| *end *= scale);
        bone.radius *= scale;
    }
    let scaled = |joints: &[Affine]| -> Vec<Affine> {
        joints.iter().map(|m| affine(&m.fixed_columns::<3>(0).into(), &(m.column(3) * scale))).collect()
    };
    let elephant = Model::new(large, &scaled(&rest), Frames::Stable).unwrap();
    let (there, _) = posed(&elephant, &settings, &scaled(&bent(1.9)), &[]);
    let off = farthest(&there.points, here.points.iter().map(|p| p * scale));
    assert!(off < 1e-11, "{off:e}");
}

/// Two muscles that a bending joint drives through each other come apart; without the push they do not.
#[test]
fn muscles_and_bones_push() {
    let rest = vec![Affine::identity(); 2];
    let mut upper = muscle("upper", [0, 0], [[0.0, 0.1, 0.0], [0.4, 0.1, 0.0]]);
    let mut lower = muscle("lower", [1, 1], [[0.2, 0.0, -0.2], [0.2, 0.0, 0.2]]);
    (upper.middle, lower.middle) = (Vec3::zeros(), Vec3::zeros());
    let rod = [Vec3::new(0.0, 0.17, 0.0), Vec3::new(0.4, 0.17, 0.0)];
    let bone = Bone { name: "rod".into(), joint: 1, ends: rod, radius: 0.01 };
    let parts = Parts { muscles: vec![upper, lower], bones: vec![bone], ..Parts::default() };
    let model = Model::new(parts, &rest, Frames::Stable).unwrap();
    let depth = |settings: &Settings, lift: Real| {
        let joints = [rest[0], affine(&Mat3::identity(), &Vec3::new(0.0, lift, 0.0))];
        let (scratch, _) = posed(&model, settings, &joints, &[]);
        let (a, b) = (scratch.centres[4], scratch.centres[9 + 4]);
        let from_bone = (0.17 + lift) - a.y;
        (0.06 - (a - b).norm(), 0.04 - from_bone)
    };
    let plain = Settings::default();
    // The other muscle comes up to 2 cm below this one's axis: 4 cm too close.
    assert!((depth(&plain, 0.08).0 - 0.04).abs() < 1e-12);
    let pushed = depth(&Settings { push_muscles: 1.0, ..plain }, 0.08).0;
    assert!(pushed.abs() < 1e-3, "{pushed}");
    // A part of the push removes that part of the overlap.
    for part in [0.02, 0.5] {
        let left = depth(&Settings { push_muscles: part, ..plain }, 0.08).0;
        assert!((left - 0.04 * (1.0 - part)).abs() < 1e-3, "{part}: {left}");
    }
    // The bone comes down to 1 cm above the axis: 3 cm too close.
    assert!((depth(&plain, -0.06).1 - 0.03).abs() < 1e-12);
    let pushed = depth(&Settings { push_bones: 1.0, ..plain }, -0.06).1;
    assert!(pushed.abs() < 1e-12, "{pushed}");
    // Muscles that are so thick that all of them overlap at rest stay there.
    for girth in [1.0, 4.0] {
        let contact = Settings { size: girth, push_muscles: 1.0, push_bones: 1.0, ..plain };
        let (scratch, _) = posed(&model, &contact, &rest, &[]);
        let off = farthest(&scratch.centres, model.centres.iter().copied());
        assert!(off < 1e-15, "{girth}: {off:e}");
    }
}

#[test]
fn bones_push_the_skin_to_their_surface() {
    let model = model(Frames::Stable);
    // Outside at rest, and inside; the elbow then takes the ulna to both.
    let skin = [Vec3::new(0.4, 1.43, 0.0), Vec3::new(0.4, 1.405, 0.0), Vec3::new(0.4, 1.9, 0.0)];
    let contact = SkinContact::new(&model, &skin);
    let (scratch, _) = posed(&model, &Settings::default(), &arm().1, &[]);
    let mut points: Vec<Real> = [[0.4, 1.404, 0.003], [0.4, 1.4, 0.002], [0.4, 1.4, 0.001]].concat();
    contact.push(&model, &scratch, 1.0, &mut points).unwrap();
    let distance = |k: usize| (points[3 * k + 1] - 1.4).hypot(points[3 * k + 2]);
    assert!((distance(0) - 0.012).abs() < 1e-12, "to the surface");
    assert!((distance(1) - 0.005).abs() < 1e-12, "no further than at rest");
    assert!((distance(2) - 0.001).abs() < 1e-12, "not near at rest");
    let before = points.clone();
    contact.push(&model, &scratch, 1.0, &mut points).unwrap();
    assert!(before.iter().zip(&points).all(|(a, b)| (a - b).abs() < 1e-15));
}

#[test]
fn a_saved_state_goes_on_to_the_bit() {
    let model = model(Frames::Stable);
    let (mut state, mut scratch) = (State::new(), Scratch::default());
    let mut go = |state: &mut State, frames: std::ops::Range<usize>| {
        for frame in frames {
            let angle = (frame as Real * 0.3).sin() + FRAC_PI_2;
            let seconds = (frame > 0).then_some(1.0 / 24.0);
            let inputs = Inputs { joints: &bent(angle), activations: &[], seconds };
            step(&model, state, &mut scratch, &Settings::default(), &inputs).unwrap();
        }
        scratch.points.clone()
    };
    go(&mut state, 0..7);
    let mut bytes = Vec::new();
    state.put(&mut bytes);
    let through = go(&mut state, 7..20);
    let mut reader = Reader::new("the state", &bytes);
    let mut loaded = State::read(&mut reader).unwrap();
    reader.end().unwrap();
    assert_eq!(go(&mut loaded, 7..20), through);
    for cut in 0..bytes.len() {
        assert!(State::read(&mut Reader::new("the state", &bytes[..cut])).is_err());
    }
}
