//! Poses of bodies and how they move: placements and twists.
//!
//! A [`Placement`] E maps a body's local coordinates to outer ones: x = R x_l + p. A twist phi = (angular, linear) is
//! the velocity of a body in its own axes, so that E' = E \[phi\] and, for a constant twist, E(t + h) = E(t)
//! exp(h phi).
//!
//! - \[MLS94\] Murray, Li, Sastry, "A mathematical introduction to robotic manipulation", 1994: exponentials and
//!   logarithms of screws. There the linear part comes first; here the angular one does, as in \[HandThesis\].
//! - \[HandThesis\] the tendon hand: bodies in maximal coordinates, planes that blend between two of them.

use super::{Affine, Mat3, Mat6, Real, Rotation, Vec3, Vec6, affine, linear, polar3, translation};
use crate::elementary::{atan2, cos, sin};
use nalgebra::{Quaternion, Rotation3};
use sinew_base::error::{Error, Kind, Result};
use std::ops::Mul;

/// A rigid motion: a rotation, then a translation.
///
/// The rotation is a quaternion because of drift: it can leave the rotations in only one way, by its length, which
/// every product renormalises; a matrix has six ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The body's axes in outer coordinates.
    pub rotation: Rotation,
    /// The body's origin in the outer coordinates.
    pub origin: Vec3,
}

impl Default for Placement {
    fn default() -> Self {
        Placement { rotation: Rotation::identity(), origin: Vec3::zeros() }
    }
}

/// `a * b` is `a` after `b`: the outer placement of `b`, which is given relative to `a`.
impl Mul for Placement {
    type Output = Placement;
    fn mul(self, inner: Placement) -> Placement {
        let product = self.rotation.quaternion() * inner.rotation.quaternion();
        Placement { rotation: Rotation::new_normalize(product), origin: self.point(&inner.origin) }
    }
}

/// A matrix farther from a rotation than this scales, shears or mirrors. Hosts store matrices in single precision,
/// whose products are accurate to about 1e-6.
const RIGID: Real = 1e-5;

impl Placement {
    /// A body with the given rotation and origin.
    pub fn new(rotation: Rotation, origin: Vec3) -> Self {
        Placement { rotation, origin }
    }

    /// The placement of a rigid matrix, with the nearest rotation. Rejects matrices that scale, shear or mirror, or
    /// that contain NaN.
    pub fn from_affine(a: &Affine) -> Result<Self> {
        if !a.iter().all(|x| x.is_finite()) {
            return Err(Error::new(Kind::NotFinite, "a matrix of a rigid body contains NaN or infinity"));
        }
        let matrix = linear(a);
        let rotation = polar3(&matrix).rotation;
        let off = (matrix - rotation).amax();
        if off > RIGID {
            let message = format!("the matrix scales, shears or mirrors: it is {off:.1e} off a rotation");
            return Err(Error::new(Kind::Degenerate, message));
        }
        let rotation = Rotation::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
        Ok(Placement::new(rotation, translation(a)))
    }

    /// The same motion as a matrix.
    pub fn to_affine(&self) -> Affine {
        affine(&self.axes(), &self.origin)
    }

    /// The body's axes as the columns of a matrix.
    pub fn axes(&self) -> Mat3 {
        self.rotation.to_rotation_matrix().into_inner()
    }

    /// The inverse motion.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Placement { rotation, origin: -(rotation * self.origin) }
    }

    /// A point of the body in outer coordinates.
    pub fn point(&self, inside: &Vec3) -> Vec3 {
        self.rotation * inside + self.origin
    }

    /// An outer point in the body's coordinates.
    pub fn point_inside(&self, outside: &Vec3) -> Vec3 {
        self.rotation.inverse_transform_vector(&(outside - self.origin))
    }

    /// A direction of the body in outer axes.
    pub fn direction(&self, inside: &Vec3) -> Vec3 {
        self.rotation * inside
    }

    /// An outer direction in the body's axes.
    pub fn direction_inside(&self, outside: &Vec3) -> Vec3 {
        self.rotation.inverse_transform_vector(outside)
    }

    /// The motion of a constant twist over one unit of time: a screw. For a step of length h pass h phi.
    ///
    /// R = exp \[w\], p = V(w) v \[MLS94 eq. 2.36\].
    pub fn exp(twist: &Vec6) -> Self {
        let (w, v) = parts(twist);
        Placement { rotation: rotation_by(&w), origin: left_jacobian(&w) * v }
    }

    /// The twist whose screw this is, with the smaller of the two possible angles, at most pi. At pi the two are equal
    /// and the quaternion's sign decides.
    ///
    /// A keyframed body that goes from E0 to E1 in h moves with (E0^-1 E1).log() / h.
    pub fn log(&self) -> Vec6 {
        let w = rotation_vector(&self.rotation);
        twist(&w, &(left_jacobian_inverse(&w) * self.origin))
    }

    /// Interpolates between this placement and `other`: rotations along the shortest arc, origins along the straight
    /// line \[HandThesis §3.3\]. The weight is that of `other`.
    ///
    /// The rotation is R0 exp(weight log(R0^-1 R1)), the quaternions' slerp, not their normalised mean: its angle is
    /// exactly the weight's fraction of the whole angle, so a plane at a third of a joint's bend stays there for every
    /// bend, and its derivative needs only the exponential's. At a weight of one half the two agree.
    pub fn blend(&self, other: &Placement, weight: Real) -> Placement {
        let between = rotation_vector(&(self.rotation.inverse() * other.rotation));
        let product = self.rotation.quaternion() * rotation_by(&(between * weight)).quaternion();
        let origin = self.origin * (1.0 - weight) + other.origin * weight;
        Placement { rotation: Rotation::new_normalize(product), origin }
    }

    /// The same, with its Jacobians with respect to the two bodies' twists.
    ///
    /// With b = log(R0^-1 R1), db = Jr(b)^-1 w1 - Jl(b)^-1 w0 and, of R = R0 exp(weight b), the angular velocity
    /// exp(-weight b) w0 + weight Jr(weight b) db, where Jl is the Jacobian V of the exponential and Jr(b) = Jl(-b).
    /// The linear velocity is R^T ((1 - weight) R0 v0 + weight R1 v1). Angular and linear parts do not mix.
    pub fn blend_with_derivative(&self, other: &Placement, weight: Real) -> Blend {
        let placement = self.blend(other, weight);
        let between = rotation_vector(&(self.rotation.inverse() * other.rotation));
        let part = between * weight;
        let by_between = left_jacobian(&-part) * weight;
        let inverse = left_jacobian_inverse(&between);
        let back = rotation_by(&-part).to_rotation_matrix().into_inner();
        let axes = placement.axes().transpose();
        let join = |angular: Mat3, linear: Mat3| {
            let mut map = Mat6::zeros();
            map.fixed_view_mut::<3, 3>(0, 0).copy_from(&angular);
            map.fixed_view_mut::<3, 3>(3, 3).copy_from(&linear);
            map
        };
        Blend {
            placement,
            by_first: join(back - by_between * inverse, axes * self.axes() * (1.0 - weight)),
            by_second: join(by_between * inverse.transpose(), axes * other.axes() * weight),
        }
    }
}

/// A placement between two bodies, and how it moves with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// The placement.
    pub placement: Placement,
    /// Its twist per twist of the first body, both in their own axes.
    pub by_first: Mat6,
    /// Its twist per twist of the second body.
    pub by_second: Mat6,
}

/// A twist from its angular and linear parts.
pub fn twist(angular: &Vec3, linear: &Vec3) -> Vec6 {
    Vec6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

/// The angular and linear parts of a twist.
pub fn parts(twist: &Vec6) -> (Vec3, Vec3) {
    (Vec3::new(twist[0], twist[1], twist[2]), Vec3::new(twist[3], twist[4], twist[5]))
}

/// The matrix \[a\] of the cross product: \[a\] b = a x b.
pub fn cross(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The rotation about `w` by the angle |w|: the exponential, of which [`rotation_vector`] is the inverse.
pub fn rotation_by(w: &Vec3) -> Rotation {
    let half = 0.5 * w.norm();
    // sin x / x needs no series: it is accurate to the last digit wherever x is not zero.
    let part = if half > 0.0 { 0.5 * sin(half) / half } else { 0.5 };
    Rotation::new_unchecked(Quaternion::from_parts(cos(half), w * part))
}

/// The axis of a rotation times its angle, which is at most pi: the logarithm of the rotation.
///
/// angle = 2 atan2(|q_v|, q_w), which is accurate near zero and near pi, where the cosine alone is not.
pub fn rotation_vector(rotation: &Rotation) -> Vec3 {
    // q and -q are the same rotation; the one with w >= 0 takes the shorter arc.
    let q = rotation.quaternion();
    let q = if q.w < 0.0 { -*q } else { *q };
    let (axis, length) = (q.imag(), q.imag().norm());
    if length > 0.0 { axis * (2.0 * atan2(length, q.w) / length) } else { axis * 2.0 }
}

/// The rotation by the smallest angle that takes the direction of `a` to that of `b`; none between opposite directions,
/// where every axis would do.
///
/// The quaternion of half the angle is (|a| |b| + a . b, a x b), normalised.
pub fn rotation_between(a: &Vec3, b: &Vec3) -> Option<Rotation> {
    let along = a.norm() * b.norm();
    let whole = Quaternion::from_parts(along + a.dot(b), a.cross(b));
    // Rounding leaves that much of opposite directions.
    let opposite = whole.norm() <= 4.0 * Real::EPSILON * along;
    if along == 0.0 {
        Some(Rotation::identity())
    } else {
        (!opposite).then(|| Rotation::new_normalize(whole))
    }
}

/// Below this angle the coefficients come from their series, truncated where the next term is below round-off.
const SERIES: Real = 0.1;

/// V(w) = I + (1 - cos t) / t^2 \[w\] + (t - sin t) / t^3 \[w\]^2 with t = |w| \[MLS94 eq. 2.36\]; the left Jacobian of
/// the rotations' exponential.
fn left_jacobian(w: &Vec3) -> Mat3 {
    let square = w.norm_squared();
    let angle = square.sqrt();
    let (first, second) = if angle < SERIES {
        let first = 0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square / 40320.0));
        (first, 1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square / 362_880.0)))
    } else {
        // 1 - cos t = 2 sin^2(t / 2) does not cancel.
        let half_sine = sin(0.5 * angle);
        (2.0 * half_sine * half_sine / square, (angle - sin(angle)) / (square * angle))
    };
    let cross = cross(w);
    Mat3::identity() + cross * first + cross * cross * second
}

/// V(w)^-1 = I - 1/2 \[w\] + (1 - t/2 cot(t/2)) / t^2 \[w\]^2, for angles below 2 pi.
pub fn left_jacobian_inverse(w: &Vec3) -> Mat3 {
    let square = w.norm_squared();
    let half = 0.5 * square.sqrt();
    let second = if 2.0 * half < SERIES {
        1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0 + square / 1_209_600.0))
    } else {
        (1.0 - half * cos(half) / sin(half)) / square
    };
    let cross = cross(w);
    Mat3::identity() - cross * 0.5 + cross * cross * second
}

#[cfg(test)]
mod tests;
