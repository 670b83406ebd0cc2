//! The axes of a muscle's rings: a along the curve, b and c across it.

use crate::math::{Mat3, Real, Rotation, Vec3};

/// A tangent closer to the up-vector than this sine makes a ring's axes turn visibly faster than the muscle: 5 degrees.
pub(super) const NEAR: Real = 0.087;

/// a = p' / |p'|, c = a x v, b = c x a, with c and b normalised \[BezierMuscle eq. 1 to 3\]; and whether a is close to
/// v, where the axes flip.
pub(super) fn beside_up(tangent: &Vec3, up: &Vec3) -> (Mat3, bool) {
    let across = tangent.cross(up);
    let near = across.norm() < NEAR;
    // Along the up-vector any direction across it is as good.
    let c = across.try_normalize(1e-9).unwrap_or_else(|| any_across(tangent));
    (Mat3::from_columns(&[*tangent, c.cross(tangent), c]), near)
}

/// Axes at a tangent, from those that two joints carry. Each goes there by the least rotation, which has no direction
/// for a tangent that was reversed: it counts the less the closer it is to that, so that where one joint turns by 180
/// degrees, as the thigh does for a calf muscle when the knee bends, the other leads.
pub(super) fn carried_along(carried: &[Mat3; 2], tangent: &Vec3) -> Mat3 {
    let [first, second] = carried.map(|axes| {
        let weight = 1.0 + axes.column(0).dot(tangent);
        turned_to(&axes, tangent).column(1) * weight
    });
    with_tangent(tangent, &(first + second))
}

/// Takes axes to a new tangent by the least rotation; a tangent that was reversed leaves b as it was.
fn turned_to(axes: &Mat3, tangent: &Vec3) -> Mat3 {
    let (a, b) = (axes.column(0).into_owned(), axes.column(1).into_owned());
    let turned = Rotation::rotation_between(&a, tangent).map_or(b, |rotation| rotation * b);
    with_tangent(tangent, &turned)
}

/// The rotation-minimising axes at the next point of a curve: reflected twice \[Frames §4.2\].
pub(super) fn next(axes: &Mat3, step: &Vec3, tangent: &Vec3) -> Mat3 {
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
