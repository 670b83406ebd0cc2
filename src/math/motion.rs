//! Where bodies are and how they move: placements, twists and wrenches.
//!
//! A [`Placement`] E maps a body's own coordinates to those outside: x = R x_l + p. A twist phi = (angular, linear) is
//! the velocity of a body in its own axes, so that E' = E \[phi\] and, for a twist that stays, E(t + h) = E(t)
//! exp(h phi). A wrench (moment, force) is what works against a twist: its power is their dot product.
//!
//! - \[MLS94\] Murray, Li, Sastry, "A mathematical introduction to robotic manipulation", 1994: exponentials and
//!   logarithms of screws. There the linear part comes first; here the angular one does, as in \[HandThesis\].
//! - \[HandThesis\] the tendon hand: bodies in maximal coordinates, planes that blend between two of them.

use super::{Affine, Mat3, Mat3x6, Mat6, Real, Rotation, Vec3, Vec6, affine, linear, polar3, translation};
use crate::error::{Error, Kind, Result};
use nalgebra::{Quaternion, Rotation3};
use std::ops::Mul;

/// A rigid motion: a rotation, then a translation.
///
/// The rotation is a quaternion because of drift: it has one way of leaving the rotations, its length, which every
/// product sets right again, where a matrix has six.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The body's axes in the outer ones.
    pub rotation: Rotation,
    /// The body's origin in the outer coordinates.
    pub origin: Vec3,
}

impl Default for Placement {
    fn default() -> Self {
        Placement { rotation: Rotation::identity(), origin: Vec3::zeros() }
    }
}

/// `a * b` is `a` after `b`: where `b` is outside of `a`, when it is given inside.
impl Mul for Placement {
    type Output = Placement;
    fn mul(self, inner: Placement) -> Placement {
        let product = self.rotation.quaternion() * inner.rotation.quaternion();
        Placement { rotation: Rotation::new_normalize(product), origin: self.point(&inner.origin) }
    }
}

/// Farther from a rotation than this, a matrix scales, shears or mirrors. Hosts store matrices in single precision,
/// whose products are right to about 1e-6.
const RIGID: Real = 1e-5;

impl Placement {
    /// A body turned by `rotation`, its origin at `origin`.
    pub fn new(rotation: Rotation, origin: Vec3) -> Self {
        Placement { rotation, origin }
    }

    /// The placement that a rigid matrix says, its rotation the nearest one. Refuses matrices that scale, shear or
    /// mirror, or are none.
    pub fn from_affine(a: &Affine) -> Result<Self> {
        if !a.iter().all(|x| x.is_finite()) {
            return Err(Error::new(Kind::NotFinite, "a matrix of a rigid body has numbers that are none"));
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

    /// The motion back.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Placement { rotation, origin: -(rotation * self.origin) }
    }

    /// Where a point of the body is outside.
    pub fn point(&self, inside: &Vec3) -> Vec3 {
        self.rotation * inside + self.origin
    }

    /// The point of the body that is there.
    pub fn point_inside(&self, outside: &Vec3) -> Vec3 {
        self.rotation.inverse_transform_vector(&(outside - self.origin))
    }

    /// A direction of the body, outside.
    pub fn direction(&self, inside: &Vec3) -> Vec3 {
        self.rotation * inside
    }

    /// An outer direction in the body's axes.
    pub fn direction_inside(&self, outside: &Vec3) -> Vec3 {
        self.rotation.inverse_transform_vector(outside)
    }

    /// The motion of a unit of time with a constant twist: a screw. For a step of length h give h phi.
    ///
    /// R = exp \[w\], p = V(w) v \[MLS94 eq. 2.36\].
    pub fn exp(twist: &Vec6) -> Self {
        let (w, v) = parts(twist);
        Placement { rotation: turn(&w), origin: left_jacobian(&w) * v }
    }

    /// The twist whose screw this is, with the smaller of the two angles that turn so: at most pi. At pi the two
    /// are equal and the quaternion's sign decides.
    ///
    /// A keyframed body that goes from E0 to E1 in h moves with (E0^-1 E1).log() / h.
    pub fn log(&self) -> Vec6 {
        let w = rotation_vector(&self.rotation);
        twist(&w, &(left_jacobian_inverse(&w) * self.origin))
    }

    /// Where the body is after a time `h` with a constant twist.
    pub fn advanced(&self, twist: &Vec6, h: Real) -> Self {
        *self * Placement::exp(&(twist * h))
    }

    /// The matrix that maps a twist in the body's axes, about its origin, to the same twist in the outer axes, about
    /// the outer origin: \[R 0; \[p\] R, R\] \[MLS94 eq. 2.58\]. Its transpose maps wrenches the other way.
    pub fn adjoint(&self) -> Mat6 {
        let (turn, mut map) = (self.axes(), Mat6::zeros());
        map.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
        map.fixed_view_mut::<3, 3>(3, 0).copy_from(&(cross(&self.origin) * turn));
        map.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
        map
    }

    /// [`Placement::adjoint`] times a twist.
    pub fn twist_outside(&self, inside: &Vec6) -> Vec6 {
        let (w, v) = parts(inside);
        let w = self.rotation * w;
        twist(&w, &(self.rotation * v + self.origin.cross(&w)))
    }

    /// The transpose of [`Placement::adjoint`] times a wrench: one in the outer axes, about the outer origin, becomes
    /// one in the body's axes, about its origin.
    pub fn wrench_inside(&self, outside: &Vec6) -> Vec6 {
        let (moment, force) = parts(outside);
        let about = moment - self.origin.cross(&force);
        twist(&self.direction_inside(&about), &self.direction_inside(&force))
    }

    /// A placement between this one and `other`: their rotations along the shortest way, their origins along the
    /// straight line \[HandThesis §3.3\]. The weight is that of `other`.
    ///
    /// The turn is R0 exp(weight log(R0^-1 R1)), the quaternions' slerp, not their normalised mean: its angle is the
    /// weight's part of the whole angle, so a plane at a third of a joint's bend is there for every bend, and its
    /// derivative needs nothing but the exponential's. At a weight of a half both are the same.
    pub fn blend(&self, other: &Placement, weight: Real) -> Placement {
        let between = rotation_vector(&(self.rotation.inverse() * other.rotation));
        let product = self.rotation.quaternion() * turn(&(between * weight)).quaternion();
        let origin = self.origin * (1.0 - weight) + other.origin * weight;
        Placement { rotation: Rotation::new_normalize(product), origin }
    }

    /// The same with what the two bodies' twists do to it.
    ///
    /// With b = log(R0^-1 R1), db = Jr(b)^-1 w1 - Jl(b)^-1 w0 and, of R = R0 exp(weight b), the angular velocity
    /// exp(-weight b) w0 + weight Jr(weight b) db, where Jl is the Jacobian V of the exponential and Jr(b) = Jl(-b).
    /// The linear velocity is R^T ((1 - weight) R0 v0 + weight R1 v1). No half depends on the other.
    pub fn blend_with_derivative(&self, other: &Placement, weight: Real) -> Blend {
        let placement = self.blend(other, weight);
        let between = rotation_vector(&(self.rotation.inverse() * other.rotation));
        let part = between * weight;
        let by_between = left_jacobian(&-part) * weight;
        let inverse = left_jacobian_inverse(&between);
        let back = turn(&-part).to_rotation_matrix().into_inner();
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

/// A placement between two bodies and how it moves with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Where it is.
    pub placement: Placement,
    /// Its twist per twist of the first body, both in their own axes.
    pub by_first: Mat6,
    /// Its twist per twist of the second body.
    pub by_second: Mat6,
}

/// A twist from its angular and its linear part, or a wrench from its moment and its force.
pub fn twist(angular: &Vec3, linear: &Vec3) -> Vec6 {
    Vec6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

/// The angular and the linear part of a twist, or the moment and the force of a wrench.
pub fn parts(twist: &Vec6) -> (Vec3, Vec3) {
    (Vec3::new(twist[0], twist[1], twist[2]), Vec3::new(twist[3], twist[4], twist[5]))
}

/// The matrix \[a\] of the cross product: \[a\] b = a x b.
pub fn cross(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// Gamma = \[-\[x\], I\]: the velocity of the body's point `x`, in the body's axes, per twist \[HandThesis eq. 3.2\].
/// Its transpose maps a force at the point to the wrench on the body.
pub fn point_velocity(x: &Vec3) -> Mat3x6 {
    let mut gamma = Mat3x6::zeros();
    gamma.fixed_columns_mut::<3>(0).copy_from(&-cross(x));
    gamma.fixed_columns_mut::<3>(3).fill_with_identity();
    gamma
}

/// The matrix of the twists' bracket, \[\[w\] 0; \[v\] \[w\]\]: the change of [`Placement::adjoint`] with a motion.
/// A body with the inertia M feels bracket(phi)^T M phi beside the forces on it: M phi' = bracket(phi)^T M phi + f.
pub fn bracket(twist: &Vec6) -> Mat6 {
    let (w, v) = parts(twist);
    let mut map = Mat6::zeros();
    map.fixed_view_mut::<3, 3>(0, 0).copy_from(&cross(&w));
    map.fixed_view_mut::<3, 3>(3, 0).copy_from(&cross(&v));
    map.fixed_view_mut::<3, 3>(3, 3).copy_from(&cross(&w));
    map
}

/// The rotation about the direction of `w` by its length.
fn turn(w: &Vec3) -> Rotation {
    let half = 0.5 * w.norm();
    // sin x / x needs no series: it is right to the last digit wherever x is not zero.
    let part = if half > 0.0 { 0.5 * half.sin() / half } else { 0.5 };
    Rotation::new_unchecked(Quaternion::from_parts(half.cos(), w * part))
}

/// The axis of a rotation times its angle, which is at most pi: log of the rotation.
///
/// angle = 2 atan2(|q_v|, q_w), which is right near zero and near pi, where the cosine alone is neither.
pub fn rotation_vector(rotation: &Rotation) -> Vec3 {
    // q and -q are the same rotation; the one with w >= 0 turns the shorter way.
    let q = rotation.quaternion();
    let q = if q.w < 0.0 { -*q } else { *q };
    let (axis, length) = (q.imag(), q.imag().norm());
    if length > 0.0 { axis * (2.0 * length.atan2(q.w) / length) } else { axis * 2.0 }
}

/// Below this angle the coefficients come from their series, cut where the next term is below the round-off.
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
        let half_sine = (0.5 * angle).sin();
        (2.0 * half_sine * half_sine / square, (angle - angle.sin()) / (square * angle))
    };
    let cross = cross(w);
    Mat3::identity() + cross * first + cross * cross * second
}

/// V(w)^-1 = I - 1/2 \[w\] + (1 - t/2 cot(t/2)) / t^2 \[w\]^2, for angles below 2 pi.
fn left_jacobian_inverse(w: &Vec3) -> Mat3 {
    let square = w.norm_squared();
    let half = 0.5 * square.sqrt();
    let second = if 2.0 * half < SERIES {
        1.0 / 12.0 + square * (1.0 / 720.0 + square * (1.0 / 30240.0 + square / 1_209_600.0))
    } else {
        (1.0 - half * half.cos() / half.sin()) / square
    };
    let cross = cross(w);
    Mat3::identity() - cross * 0.5 + cross * cross * second
}

/// In which order three turns about different axes are made, each about an axis that the earlier ones have turned:
/// `Xyz` is R = X(a) Y(b) Z(c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleOrder {
    /// R = X(a) Y(b) Z(c).
    Xyz,
    /// R = Y(a) Z(b) X(c).
    Yzx,
    /// R = Z(a) X(b) Y(c).
    Zxy,
    /// R = X(a) Z(b) Y(c).
    Xzy,
    /// R = Z(a) Y(b) X(c).
    Zyx,
    /// R = Y(a) X(b) Z(c).
    Yxz,
}

impl AngleOrder {
    /// The three axes, and 1 when each is the next of the one before it (x y z, y z x, z x y), else -1.
    fn axes(self) -> ([usize; 3], Real) {
        match self {
            AngleOrder::Xyz => ([0, 1, 2], 1.0),
            AngleOrder::Yzx => ([1, 2, 0], 1.0),
            AngleOrder::Zxy => ([2, 0, 1], 1.0),
            AngleOrder::Xzy => ([0, 2, 1], -1.0),
            AngleOrder::Zyx => ([2, 1, 0], -1.0),
            AngleOrder::Yxz => ([1, 0, 2], -1.0),
        }
    }

    /// The three angles of a rotation, in the order of the turns: the first and the last from -pi to pi, the middle
    /// one from -pi/2 to pi/2. Where the middle one is a quarter turn, only the sum or the difference of the others is
    /// known; the last one is then zero.
    pub fn angles(self, rotation: &Rotation) -> [Real; 3] {
        let ([i, j, k], sign) = self.axes();
        let m = rotation.to_rotation_matrix().into_inner();
        let cosine = m[(i, i)].hypot(m[(i, j)]);
        let middle = (sign * m[(i, k)]).atan2(cosine);
        // Round-off of a matrix of order one: what is below has no direction.
        if cosine > 1e-12 {
            let first = (-sign * m[(j, k)]).atan2(m[(k, k)]);
            [first, middle, (-sign * m[(i, j)]).atan2(m[(i, i)])]
        } else {
            [(sign * m[(k, j)]).atan2(m[(j, j)]), middle, 0.0]
        }
    }

    /// The rotation of three turns.
    pub fn rotation(self, angles: [Real; 3]) -> Rotation {
        let (axes, _) = self.axes();
        let [a, b, c] = [0, 1, 2].map(|n| turn(&(Vec3::ith(axes[n], angles[n]))));
        a * b * c
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    const ORDERS: [AngleOrder; 6] = [
        AngleOrder::Xyz,
        AngleOrder::Yzx,
        AngleOrder::Zxy,
        AngleOrder::Xzy,
        AngleOrder::Zyx,
        AngleOrder::Yxz,
    ];

    fn placement(n: [Real; 6]) -> Placement {
        Placement::exp(&Vec6::from(n))
    }

    fn distance(a: &Placement, b: &Placement) -> Real {
        (a.to_affine() - b.to_affine()).amax()
    }

    fn six(size: Real) -> impl Strategy<Value = [Real; 6]> {
        prop::array::uniform6(-size..size)
    }

    /// The series of the matrix exponential of the 4x4 matrix \[\[w\] v; 0 0\], scaled and squared.
    fn matrix_exponential(twist: &Vec6) -> Affine {
        let (w, v) = parts(twist);
        let mut matrix = nalgebra::Matrix4::zeros();
        matrix.fixed_view_mut::<3, 4>(0, 0).copy_from(&affine(&cross(&w), &v));
        matrix.exp().fixed_rows::<3>(0).into_owned()
    }

    /// The change of `motion` per unit of each of the six twists, by central differences.
    fn differences(motion: impl Fn(&Vec6) -> Vec6) -> Mat6 {
        let step = 1e-5;
        let column = |k: usize| {
            let mut by = Vec6::zeros();
            by[k] = step;
            (motion(&by) - motion(&-by)) / (2.0 * step)
        };
        Mat6::from_columns(&[0, 1, 2, 3, 4, 5].map(column))
    }

    proptest! {
        #[test]
        fn the_exponential_is_the_matrix_series(n in six(3.0), scale in -40..1i32) {
            let twist = Vec6::from(n) * 2f64.powi(scale);
            let found = Placement::exp(&twist).to_affine();
            prop_assert!((found - matrix_exponential(&twist)).amax() < 1e-13);
        }

        #[test]
        fn the_logarithm_undoes_the_exponential(n in six(1.0), angle in 0.0..PI, scale in -60..1i32) {
            let (w, v) = parts(&Vec6::from(n));
            prop_assume!(w.norm() > 1e-3);
            for angle in [angle, angle * 2f64.powi(scale), PI - angle * 2f64.powi(scale)] {
                let twist = twist(&(w.normalize() * angle), &v);
                let found = Placement::exp(&twist).log();
                // Just at pi both logarithms are right.
                let back = distance(&Placement::exp(&found), &Placement::exp(&twist));
                prop_assert!(back < 1e-14 * 10.0, "{back}");
                prop_assert!((found - twist).amax() < 1e-14 * 10.0 || angle > PI - 1e-14 * 10.0);
            }
        }

        #[test]
        fn placements_are_a_group(a in six(3.0), b in six(3.0), x in prop::array::uniform3(-5.0..5.0f64)) {
            let (a, b, x) = (placement(a), placement(b), Vec3::from(x));
            prop_assert!(((a * b).point(&x) - a.point(&b.point(&x))).norm() < 1e-13);
            prop_assert!(distance(&(a * a.inverse()), &Placement::default()) < 1e-14);
            prop_assert!((a.inverse().point(&x) - a.point_inside(&x)).norm() < 1e-13);
            prop_assert!((a.direction_inside(&a.direction(&x)) - x).norm() < 1e-13);
            prop_assert!((a.point(&x) - super::super::transform_point(&a.to_affine(), &x)).norm() < 1e-13);
            prop_assert!(distance(&Placement::from_affine(&a.to_affine()).unwrap(), &a) < 1e-13);
        }

        #[test]
        fn the_adjoint_carries_twists_out_and_its_transpose_wrenches_in(
            e in six(3.0), inside in six(1.0), wrench in six(1.0),
        ) {
            let (e, inside, wrench) = (placement(e), Vec6::from(inside), Vec6::from(wrench));
            let outside = e.twist_outside(&inside);
            prop_assert!((e.adjoint() * inside - outside).norm() < 1e-13);
            prop_assert!((e.adjoint().transpose() * wrench - e.wrench_inside(&wrench)).norm() < 1e-13);
            // E exp(phi) E^-1 = exp(Ad phi).
            let conjugate = e * Placement::exp(&inside) * e.inverse();
            prop_assert!(distance(&conjugate, &Placement::exp(&outside)) < 1e-12);
            // The change of Ad(exp(t phi)) at t = 0 is the bracket.
            let at = |t: Real| Placement::exp(&(inside * t)).adjoint();
            prop_assert!(((at(1e-5) - at(-1e-5)) / 2e-5 - bracket(&inside)).amax() < 1e-9);
        }

        #[test]
        fn gamma_is_the_velocity_of_a_point(e in six(3.0), phi in six(1.0), x in prop::array::uniform3(-2.0..2.0f64)) {
            let (e, phi, x) = (placement(e), Vec6::from(phi), Vec3::from(x));
            let at = |h: Real| e.advanced(&phi, h).point(&x);
            let velocity = (at(1e-5) - at(-1e-5)) / 2e-5;
            prop_assert!((e.direction_inside(&velocity) - point_velocity(&x) * phi).norm() < 1e-8);
        }

        #[test]
        fn the_blend_moves_as_its_derivative_says(a in six(2.0), by in six(1.6), weight in 0.0..1.0f64, small: bool) {
            let a = placement(a);
            let b = a * Placement::exp(&(Vec6::from(by) * if small { 1e-9 } else { 1.0 }));
            let blend = a.blend_with_derivative(&b, weight);
            prop_assert!(distance(&blend.placement, &a.blend(&b, weight)) == 0.0);
            let moved = |a: Placement, b: Placement| (blend.placement.inverse() * a.blend(&b, weight)).log();
            let first = differences(|by| moved(a.advanced(by, 1.0), b));
            let second = differences(|by| moved(a, b.advanced(by, 1.0)));
            prop_assert!((first - blend.by_first).amax() < 1e-8, "{first} {}", blend.by_first);
            prop_assert!((second - blend.by_second).amax() < 1e-8, "{second} {}", blend.by_second);
        }

        #[test]
        fn the_blend_divides_the_angle_and_the_way(a in six(2.0), by in six(1.7), weight in 0.0..1.0f64) {
            let a = placement(a);
            let b = a * placement(by);
            let mid = a.blend(&b, weight);
            let turned = |from: &Placement, to: &Placement| rotation_vector(&(from.rotation.inverse() * to.rotation));
            prop_assert!((turned(&a, &mid) - turned(&a, &b) * weight).norm() < 1e-13);
            prop_assert!((mid.origin - a.origin.lerp(&b.origin, weight)).norm() < 1e-14 * 10.0);
            prop_assert!(distance(&a.blend(&b, 0.0), &a).max(distance(&a.blend(&b, 1.0), &b)) < 1e-13);
            // At a half it is the quaternions' normalised mean, whichever of its two quaternions a rotation has.
            let (p, q) = (a.rotation.quaternion(), b.rotation.quaternion());
            let q = if p.dot(q) < 0.0 { -*q } else { *q };
            let mean = Placement::new(Rotation::new_normalize(p + q), mid.origin);
            let half = a.blend(&Placement::new(Rotation::new_unchecked(-q), b.origin), 0.5);
            prop_assert!((half.axes() - mean.axes()).amax() < 1e-13);
        }

        #[test]
        fn three_angles_make_the_rotation_again(n in six(3.1), order in 0..6usize) {
            let (order, rotation) = (ORDERS[order], placement(n).rotation);
            let angles = order.angles(&rotation);
            let [i, j, k] = order.axes().0;
            let about = |axis: usize, angle: Real| Rotation::from_scaled_axis(Vec3::ith(axis, angle));
            let again = about(i, angles[0]) * about(j, angles[1]) * about(k, angles[2]);
            prop_assert!(again.angle_to(&rotation) < 1e-7 && angles[1].abs() <= FRAC_PI_2);
            prop_assert!((order.rotation(angles).inverse() * again).imag().norm() < 1e-14);
        }
    }

    #[test]
    fn a_million_steps_leave_the_rotations_by_no_more_than_round_off() {
        let phi = twist(&Vec3::new(0.3, -0.7, 1.1), &Vec3::new(0.2, 0.1, -0.4));
        let (steps, h) = (1_000_000, 1e-4);
        let mut e = Placement::default();
        let step = Placement::exp(&(phi * h));
        (0..steps).for_each(|_| e = e * step);
        let axes = e.axes();
        assert!((axes.transpose() * axes - Mat3::identity()).amax() < 1e-15 * 2.0);
        // The screw is exact for every step, so that the place is right too but for the sum of a million roundings.
        assert!(distance(&e, &Placement::exp(&(phi * (h * f64::from(steps))))) < 1e-8);
    }

    #[test]
    fn half_turns_have_logarithms_about_every_axis() {
        for axis in [Vec3::x(), -Vec3::y(), Vec3::new(1.0, 1.0, -1.0).normalize()] {
            let half = Placement::exp(&twist(&(axis * PI), &Vec3::new(1.0, 2.0, 3.0)));
            let log = half.log();
            assert!((parts(&log).0.norm() - PI).abs() < 1e-15);
            assert!(distance(&Placement::exp(&log), &half) < 1e-15 * 10.0);
        }
        assert_eq!(Placement::default().log(), Vec6::zeros());
    }

    #[test]
    fn a_middle_quarter_turn_loses_an_angle_and_nothing_else() {
        for order in ORDERS {
            for middle in [FRAC_PI_2, -FRAC_PI_2] {
                let rotation = order.rotation([0.4, middle, 0.3]);
                let angles = order.angles(&rotation);
                assert!(order.rotation(angles).angle_to(&rotation) < 1e-7 && angles[2] == 0.0, "{angles:?}");
            }
        }
    }

    #[test]
    fn matrices_that_are_not_rigid_are_refused() {
        let kind = |m: Mat3| Placement::from_affine(&affine(&m, &Vec3::x())).map_err(|e| e.kind());
        assert_eq!(kind(Mat3::identity() * 1.1), Err(Kind::Degenerate));
        assert_eq!(kind(Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0))), Err(Kind::Degenerate));
        assert_eq!(kind(Mat3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)), Err(Kind::Degenerate));
        assert_eq!(kind(Mat3::from_element(Real::NAN)), Err(Kind::NotFinite));
        // What single precision leaves of a rotation is taken.
        let turned = placement([1.0, 2.0, 0.5, 0.0, 0.0, 0.0]);
        let single = turned.axes().map(|x| f64::from(x as f32));
        assert!(distance(&Placement::from_affine(&affine(&single, &Vec3::zeros())).unwrap(), &turned) < 1e-6);
    }
}
