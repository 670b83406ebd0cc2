//! The axes of a muscle's rings: a along the curve, b and c across it.

use super::curve::Curve;
use super::parts::Muscle;
use crate::math::{Mat3, Real, Rotation, Vec3};

/// How a ring's axes follow the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// With the least rotation from ring to ring, starting in the middle from the axes of the origin's joint or, where the
    /// muscle points backwards there, from the insertion's.
    Stable,
    /// Perpendicular to the tangent, oriented by an up-vector that the joint of the origin carries \[eq. 1 to 3\].
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
    // Where the curve stands still, it keeps its direction; if its ends coincide, that which the origin's joint carries.
    let along = |u: Real, before: Vec3| curve.derivative(u).try_normalize(STANDING * scale).unwrap_or(before);
    let tangent = chord.try_normalize(STANDING * scale).unwrap_or(carried[0].column(0).into_owned());
    if frames == Frames::UpVector {
        let mut tangent = along(0.0, tangent);
        for (ring, axes) in axes.iter_mut().enumerate() {
            tangent = along(station(muscle, ring), tangent);
            let close;
            (*axes, close) = beside_up(&tangent, up);
            if close {
                near(ring);
            }
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

/// Axes at a tangent, from those that the joints of origin and insertion carry, by the least rotation. The origin leads,
/// so that a twist of the insertion turns nothing over. The least rotation has no direction where the tangent was
/// reversed relative to the joint, as that of a calf muscle is to the thigh when the knee bends: from 90 degrees on the
/// insertion takes over.
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
    let turned = Rotation::rotation_between(&a, tangent).map_or(b, |rotation| rotation * b);
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
