//! The axes of a muscle's rings: a along the curve, b and c across it.

use super::curve::Curve;
use super::parts::Muscle;
use sinew_math::motion::rotation_between;
use sinew_math::{Mat3, Real, Vec3};

/// How a ring's axes follow the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// With the least rotation from ring to ring, starting in the middle from the axes of the joint of the middle or,
    /// without one, of the origin, or, where the muscle points backwards there, of the insertion's.
    Stable,
    /// Perpendicular to the tangent, oriented by an up-vector that the joint of the middle carries or, without one,
    /// that of the origin \[eq. 1 to 3\].
    UpVector,
}

/// The parameter of a ring.
pub(super) fn station(muscle: &Muscle, ring: usize) -> Real {
    ring as Real / (muscle.rings - 1) as Real
}

/// The axes of a muscle's rings. `carried` are those of the middle as the joints of its two ends carry them, for
/// [`Frames::Stable`]; `up` is for the other. `near` receives rings that are close to flipping.
pub(super) fn ring_axes(
    muscle: &Muscle,
    curve: &Curve,
    up: &Vec3,
    carried: &[Mat3; 2],
    frames: Frames,
    axes: &mut [Mat3],
    mut near: impl FnMut(usize),
) {
    let chord = curve.points[2] - curve.points[0];
    let scale = curve.points[1].metric_distance(&curve.points[0]) + chord.norm();
    // Where the curve stands still, it keeps its direction; if its ends coincide, that which the origin's joint
    // carries.
    let along = |u: Real, before: Vec3| curve.derivative(u).try_normalize(STANDING * scale).unwrap_or(before);
    let tangent = chord.try_normalize(STANDING * scale).unwrap_or(carried[0].column(0).into_owned());
    if frames == Frames::UpVector {
        let mut tangent = along(0.0, tangent);
        let mut before: Option<Mat3> = None;
        for (ring, axes) in axes.iter_mut().enumerate() {
            tangent = along(station(muscle, ring), tangent);
            let close;
            (*axes, close) = beside_up(&tangent, up);
            if close || before.is_some_and(|before| flips(&before, axes)) {
                near(ring);
            }
            before = Some(*axes);
        }
        return;
    }
    // The tangent in the middle is the chord.
    let middle = carried_along(carried, &tangent);
    let mut follow = |rings: &mut dyn Iterator<Item = usize>| {
        let (mut last, mut at) = (middle, curve.at(0.5));
        for ring in rings {
            let (u, before) = (station(muscle, ring), at);
            at = curve.at(u);
            last = next(&last, &(at - before), &along(u, last.column(0).into_owned()));
            axes[ring] = last;
        }
    };
    let half = muscle.rings / 2;
    follow(&mut (0..half).rev());
    follow(&mut (half..muscle.rings));
}

/// A derivative shorter than this fraction of the curve has only the direction of round-off.
const STANDING: Real = 1e-9;

/// A tangent closer to the up-vector than this sine makes a ring's axes turn visibly faster than the muscle: 5 degrees.
const NEAR: Real = 0.087;

/// a = p' / |p'|, c = a x v, b = c x a, with c and b normalised \[BezierMuscle eq. 1 to 3\]; and whether a is close to
/// v, where the axes flip.
pub(super) fn beside_up(tangent: &Vec3, up: &Vec3) -> (Mat3, bool) {
    let across = tangent.cross(up);
    let near = across.norm() < NEAR;
    // Along the up-vector any direction across it is as good.
    let c = across.try_normalize(1e-9).unwrap_or_else(|| any_across(tangent));
    (Mat3::from_columns(&[*tangent, c.cross(tangent), c]), near)
}

/// Whether axes are turned over against earlier ones, beyond what the tangent's own rotation does: the tangent has
/// passed the up-vector between them.
pub(super) fn flips(before: &Mat3, axes: &Mat3) -> bool {
    turned_to(before, &axes.column(0).into_owned()).column(1).dot(&axes.column(1)) < 0.0
}

/// The up-vector of a muscle with this direction at rest: its own, or an axis of its origin's joint: y, but z for a
/// muscle along y, as along a bone of a rig whose bones are along y.
pub(super) fn up_at_rest(muscle: &Muscle, joint: &Mat3, along: &Vec3) -> Vec3 {
    let [y, z] = [1, 2].map(|k| joint.column(k).normalize());
    let across = y.cross(along).norm() > ALONG_Y;
    muscle.up.map_or(if across { y } else { z }, |up| up.normalize())
}

/// The sine of 30 degrees.
const ALONG_Y: Real = 0.5;

/// Axes at a tangent, from those that the joints of origin and insertion carry, by the least rotation. The origin
/// leads, so that a twist of the insertion turns nothing over. The least rotation has no direction where the tangent
/// was reversed relative to the joint, as that of a calf muscle is to the thigh when the knee bends: from 90 degrees on
/// the insertion takes over.
fn carried_along(carried: &[Mat3; 2], tangent: &Vec3) -> Mat3 {
    let [along, other] = carried.map(|axes| axes.column(0).dot(tangent));
    let [origin, insertion] = carried.map(|axes| turned_to(&axes, tangent));
    let shares = [1.0 + along, (-along).max(0.0) * (1.0 + other)];
    let across = origin.column(1) * shares[0] + insertion.column(1) * shares[1];
    // Reversed relative to both.
    if across.norm() > UNDECIDED { with_tangent(tangent, &across) } else { origin }
}

/// Directions whose mean is shorter than this, of about 1, are as good as opposite.
const UNDECIDED: Real = 1e-6;

/// Takes axes to a new tangent by the least rotation; a tangent that was reversed leaves b as it was.
fn turned_to(axes: &Mat3, tangent: &Vec3) -> Mat3 {
    let (a, b) = (axes.column(0).into_owned(), axes.column(1).into_owned());
    let turned = rotation_between(&a, tangent).map_or(b, |rotation| rotation * b);
    with_tangent(tangent, &turned)
}

/// The rotation-minimising axes at the next point of a curve: reflected twice \[Frames §4.2\].
fn next(axes: &Mat3, step: &Vec3, tangent: &Vec3) -> Mat3 {
    let (a, b) = (axes.column(0).into_owned(), axes.column(1).into_owned());
    let length = step.norm_squared();
    if length == 0.0 {
        return turned_to(axes, tangent);
    }
    let reflect = |v: &Vec3| v - step * (2.0 / length * step.dot(v));
    let (a, b) = (reflect(&a), reflect(&b));
    let second = tangent - a;
    let length = second.norm_squared();
    let b = if length > 0.0 { b - second * (2.0 / length * second.dot(&b)) } else { b };
    with_tangent(tangent, &b)
}

/// Orthonormal axes with b as close as possible to a direction: rounding does not add up from ring to ring.
fn with_tangent(tangent: &Vec3, b: &Vec3) -> Mat3 {
    let b = (b - tangent * tangent.dot(b)).try_normalize(1e-9).unwrap_or_else(|| any_across(tangent));
    Mat3::from_columns(&[*tangent, b, tangent.cross(&b)])
}

/// A unit vector across another.
fn any_across(v: &Vec3) -> Vec3 {
    v.cross(&Vec3::ith(v.iamin(), 1.0)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Inputs, Model, Parts, Scratch, Settings, State, Warning, step};
    use sinew_math::{Affine, Rotation, affine};

    /// A muscle along x from a still joint to one at its insertion.
    fn straight(up: Option<Vec3>) -> Muscle {
        let end = |joint: usize, x: Real| End { joint, point: Vec3::new(x, 0.0, 0.0) };
        Muscle { up, ..Muscle::new("swept".into(), end(0, 0.0), end(1, 0.3), 0.03) }
    }

    fn model(muscle: &Muscle, frames: Frames) -> Model {
        let parts = Parts { muscles: vec![muscle.clone()], ..Parts::default() };
        Model::new(parts, &[Affine::identity(); 2], frames).unwrap()
    }

    /// The frames in which rings are reported while the insertion turns about z by some degrees a frame.
    fn reported(model: &Model, turns: &[Real]) -> Vec<usize> {
        let (mut state, mut scratch) = (State::new(), Scratch::default());
        let settings = Settings { jiggle: 0.0, ..Settings::default() };
        let mut reported = |(frame, turn): (usize, &Real)| {
            let turn = Rotation::from_axis_angle(&Vec3::z_axis(), turn.to_radians());
            let joints =
                [Affine::identity(), affine(&turn.to_rotation_matrix().into_inner(), &Vec3::zeros())];
            let seconds = (frame > 0).then_some(1.0 / 24.0);
            let inputs = Inputs { joints: &joints, activations: &[], seconds };
            let report = step(model, &mut state, &mut scratch, &settings, &inputs).unwrap();
            let near = |w: &Warning| matches!(w, Warning::NearUp { .. } | Warning::Flipped { .. });
            report.warnings.iter().any(near).then_some(frame)
        };
        turns.iter().enumerate().filter_map(&mut reported).collect()
    }

    #[test]
    fn rings_that_flip_between_frames_are_reported() {
        let swept = model(&straight(Some(Vec3::y())), Frames::UpVector);
        // Past the up-vector at 90 degrees and back, never within 5 degrees of it.
        assert_eq!(reported(&swept, &[0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 80.0, 60.0]), [5, 7]);
        // Fast, but about the up-vector: nothing flips.
        let along_z = model(&straight(Some(Vec3::z())), Frames::UpVector);
        assert_eq!(reported(&along_z, &[0.0, 100.0, 200.0, 300.0, 60.0]), [0; 0]);
        assert_eq!(reported(&model(&straight(Some(Vec3::y())), Frames::Stable), &[0.0, 80.0, 100.0]), [0; 0]);
    }

    #[test]
    fn rings_that_flip_along_a_bent_muscle_are_reported() {
        let bent = Muscle { middle: Vec3::new(0.0, 0.4, 0.01), ..straight(Some(Vec3::new(0.8, 0.6, 0.0))) };
        for rings in [4, 9, 30] {
            let model = model(&Muscle { rings, ..bent.clone() }, Frames::UpVector);
            assert_eq!(reported(&model, &[0.0, 1.0, 2.0]), [0, 1, 2], "{rings} rings");
            assert_eq!(model.near_up().count(), 1, "at rest, too");
        }
    }

    /// A muscle along its up-vector, whose rings a nudge by a nanometre would turn around, is reported; without an
    /// up-vector, an axis is chosen for which a nudge changes nothing.
    #[test]
    fn muscles_along_their_up_vector_at_rest_do_not_depend_on_a_nudge() {
        let bump = |muscle: Muscle| {
            let mut offsets = vec![Vec3::zeros(); muscle.vertex_count()];
            offsets[4 * muscle.divisions] = Vec3::new(0.0, 0.02, 0.0);
            Muscle { offsets, ..muscle }
        };
        let nudged = |muscle: &Muscle, y: Real| {
            let mut muscle = muscle.clone();
            muscle.insertion.point.y += y;
            muscle
        };
        let apart = |muscle: &Muscle| {
            let [a, b] = [1e-9, -1e-9].map(|y| model(&nudged(muscle, y), Frames::Stable));
            let pairs = a.points().iter().zip(b.points());
            pairs.map(|(a, b)| (a - b).norm()).fold(0.0, Real::max)
        };
        // Along the y axis of the joint, as bones are in many rigs.
        let quarter = Rotation::from_axis_angle(&Vec3::z_axis(), -std::f64::consts::FRAC_PI_2);
        let along_y = affine(&quarter.to_rotation_matrix().into_inner(), &Vec3::zeros());
        let muscle = bump(straight(None));
        let of_rig = |muscle: &Muscle| {
            let parts = Parts { muscles: vec![muscle.clone()], ..Parts::default() };
            Model::new(parts, &[along_y; 2], Frames::Stable).unwrap()
        };
        let [a, b] = [1e-9, -1e-9].map(|z| {
            let mut muscle = muscle.clone();
            muscle.insertion.point.z += z;
            of_rig(&muscle)
        });
        let pairs = a.points().iter().zip(b.points());
        assert!(pairs.map(|(a, b)| (a - b).norm()).fold(0.0, Real::max) < 1e-8);
        assert_eq!(a.near_up().count(), 0);
        let along = bump(straight(Some(Vec3::x())));
        assert!(apart(&along) > 0.01 && model(&along, Frames::Stable).near_up().count() == 1);
        // Without sculpted vertices, which way round stable rings begin does not show.
        assert_eq!(model(&straight(Some(Vec3::x())), Frames::Stable).near_up().count(), 0);
    }
}
