//! The action curve: a quadratic Bézier curve \[BezierMuscle §3.1\].

use sinew_math::elementary::{asinh, hypot};
use sinew_math::{Real, Vec3};

/// The curve from its origin via the middle control point to the insertion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// P_org, P_mid, P_ins.
    pub points: [Vec3; 3],
}

impl Curve {
    /// p(u) = (1 - u)^2 P_org + 2 u (1 - u) P_mid + u^2 P_ins.
    pub fn at(&self, u: Real) -> Vec3 {
        let [origin, middle, insertion] = &self.points;
        let v = 1.0 - u;
        origin * (v * v) + middle * (2.0 * u * v) + insertion * (u * u)
    }

    /// p'(u).
    pub fn derivative(&self, u: Real) -> Vec3 {
        let [origin, middle, insertion] = &self.points;
        ((middle - origin) * (1.0 - u) + (insertion - middle) * u) * 2.0
    }

    /// The distance between the ends.
    pub fn chord(&self) -> Real {
        (self.points[2] - self.points[0]).norm()
    }

    /// The length along the curve.
    ///
    /// |p'(u)|^2 = A u^2 + B u + C, whose root has a closed integral. It is written in s = u + B / 2A, where
    /// |p'| = sqrt(A) sqrt(s^2 + d^2), d^2 = C / A - (B / 2A)^2: the integral is
    /// sqrt(A) (s w + d^2 asinh(s / d)) / 2 with w = sqrt(s^2 + d^2).
    pub fn arc_length(&self) -> Real {
        let [origin, middle, insertion] = &self.points;
        let (first, second) = (middle - origin, insertion - middle);
        let bend = second - first;
        let a = 4.0 * bend.norm_squared();
        let scale = first.norm().max(second.norm());
        if a <= (STRAIGHT * scale).powi(2) {
            // Nearly constant speed: Simpson's rule is exact to round-off.
            let speed = |u| self.derivative(u).norm();
            return (speed(0.0) + 4.0 * speed(0.5) + speed(1.0)) / 6.0;
        }
        let shift = 4.0 * first.dot(&bend) / a;
        // The distance of the line of derivatives from zero: from a cross product, not from a difference of squares.
        let d = first.cross(&bend).norm() * 4.0 / a;
        let integral = |s: Real| {
            let w = hypot(s, d);
            if d == 0.0 { 0.5 * s * w } else { 0.5 * (s * w + d * d * asinh(s / d)) }
        };
        a.sqrt() * (integral(1.0 + shift) - integral(shift))
    }
}

/// A curve whose derivative changes by less than this fraction of itself: the closed integral would cancel, while
/// Simpson's error falls with the fourth power of this.
const STRAIGHT: Real = 1e-3;
