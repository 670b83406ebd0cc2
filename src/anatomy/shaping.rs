//! Formulas from which scenes are made: smooth steps, pulses and hills, rotations, curves through points.

use sinew_math::elementary::exp;
use sinew_math::motion::rotation_by;
use sinew_math::{Real, Vec3};

/// Smootherstep: from 0 to 1 while `x` goes from one number to the other; slope and curvature are 0 at both ends.
pub fn step(from: Real, to: Real, x: Real) -> Real {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

/// From 0 to 1 and back: up from `times[0]` to `times[1]`, down from `times[2]` to `times[3]`.
pub fn pulse(times: [Real; 4], t: Real) -> Real {
    step(times[0], times[1], t) - step(times[2], times[3], t)
}

/// A hill of height 1 around 0.
pub fn hill(x: Real) -> Real {
    exp(-x * x)
}

/// A point rotated about an axis through a pivot, by an angle in radians. Exactly the point when the angle is 0.
pub fn turned(p: Vec3, pivot: Vec3, axis: Vec3, angle: Real) -> Vec3 {
    let arm = p - pivot;
    p + (rotation_by(&(axis * angle)) * arm - arm)
}

/// A curve through points at the parameters 0, 1, 2 and so on (Catmull-Rom).
pub fn spline<const N: usize>(points: &[[Real; N]], t: Real) -> [Real; N] {
    let last = points.len() - 1;
    let k = (t.clamp(0.0, last as Real) as usize).min(last - 1);
    let f = t.clamp(0.0, last as Real) - k as Real;
    let at = |i: usize| points[i];
    let (a, b, c, d) = (at(k.saturating_sub(1)), at(k), at(k + 1), at((k + 2).min(last)));
    std::array::from_fn(|n| {
        let (m0, m1) = (0.5 * (c[n] - a[n]), 0.5 * (d[n] - b[n]));
        let (f2, f3) = (f * f, f * f * f);
        b[n] * (2.0 * f3 - 3.0 * f2 + 1.0)
            + m0 * (f3 - 2.0 * f2 + f)
            + c[n] * (3.0 * f2 - 2.0 * f3)
            + m1 * (f3 - f2)
    })
}
