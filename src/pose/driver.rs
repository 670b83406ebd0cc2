//! What drives shapes: hat functions of an angle.

use sinew_math::Real;
use std::cmp::Ordering;

/// An angle of a joint, and those of its values at which there is a shape. At 0, which is rest, there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// The joint.
    pub joint: usize,
    /// Which of its angles.
    pub axis: usize,
    /// In radians, rising, without 0.
    pub points: Vec<Real>,
}

/// Drivers for all angles that are used between their lowest and highest values, with a point at both ends and at every
/// multiple of `step` between them. Ends nearer to rest than `least` need no shape.
pub fn drivers(ranges: &[[[Real; 2]; 3]], step: Real, least: Real) -> Vec<Driver> {
    let side = |end: Real| -> Vec<Real> {
        if end < least {
            return Vec::new();
        }
        // One that is near the end would share its poses with that.
        let inner = (1..).map(|k| Real::from(k) * step).take_while(|point| *point < end - 0.5 * step);
        inner.chain([end]).collect()
    };
    let mut all = Vec::new();
    for (joint, axes) in ranges.iter().enumerate() {
        for (axis, [low, high]) in axes.iter().enumerate() {
            let below = side(-low).into_iter().rev().map(|point| -point);
            let points: Vec<Real> = below.chain(side(*high)).collect();
            if !points.is_empty() {
                all.push(Driver { joint, axis, points });
            }
        }
    }
    all
}

impl Driver {
    /// The weights of its shapes at an angle: between two neighbours, of which rest is one, they add up to 1; beyond
    /// the ends nothing changes any more.
    fn put(&self, angle: Real, out: &mut Vec<Real>) {
        let rest = self.points.iter().filter(|point| **point < 0.0).count();
        let last = self.points.len();
        // Rest is one of them.
        let knot = |k: usize| match k.cmp(&rest) {
            Ordering::Less => self.points[k],
            Ordering::Equal => 0.0,
            Ordering::Greater => self.points[k - 1],
        };
        let angle = angle.clamp(knot(0), knot(last));
        let hat = |k: usize| {
            let own = knot(k);
            let neighbour = if angle < own { knot(k - 1) } else { knot((k + 1).min(last)) };
            if angle == own { 1.0 } else { ((angle - neighbour) / (own - neighbour)).max(0.0) }
        };
        out.extend((0..=last).filter(|k| *k != rest).map(hat));
    }
}

/// The weights of all shapes, driver after driver, in a pose of these angles.
pub fn values(drivers: &[Driver], angles: &[[Real; 3]]) -> Vec<Real> {
    let mut out = Vec::new();
    drivers.iter().for_each(|driver| driver.put(angles[driver.joint][driver.axis], &mut out));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(points: &[Real], angle: Real) -> Vec<Real> {
        values(&[Driver { joint: 0, axis: 2, points: points.to_vec() }], &[[9.0, 9.0, angle]])
    }

    #[test]
    fn weights_are_hats_with_nothing_at_rest() {
        let both = [-2.0, -1.0, 1.0, 3.0];
        for (angle, expected) in [
            (0.0, [0.0, 0.0, 0.0, 0.0]),
            (-0.25, [0.0, 0.25, 0.0, 0.0]),
            (-1.0, [0.0, 1.0, 0.0, 0.0]),
            (-1.5, [0.5, 0.5, 0.0, 0.0]),
            (-7.0, [1.0, 0.0, 0.0, 0.0]),
            (0.5, [0.0, 0.0, 0.5, 0.0]),
            (2.5, [0.0, 0.0, 0.25, 0.75]),
            (3.0, [0.0, 0.0, 0.0, 1.0]),
            (4.0, [0.0, 0.0, 0.0, 1.0]),
        ] {
            assert_eq!(at(&both, angle), expected, "{angle}");
        }
        assert_eq!((at(&[1.0, 2.0], -5.0), at(&[1.0, 2.0], 0.5)), (vec![0.0, 0.0], vec![0.5, 0.0]));
        assert_eq!(
            (at(&[-1.0], 0.5), at(&[-1.0], -0.5), at(&[-1.0], -3.0)),
            (vec![0.0], vec![0.5], vec![1.0])
        );
    }

    #[test]
    fn points_lie_at_steps_and_at_the_ends() {
        let range = |low: Real, high: Real| [[[0.0; 2], [low, high], [0.0; 2]]];
        let points =
            |low: Real, high: Real| drivers(&range(low, high), 1.0, 0.1).pop().map(|d| (d.axis, d.points));
        assert_eq!(points(-0.05, 0.09), None);
        assert_eq!(points(0.0, 2.7), Some((1, vec![1.0, 2.0, 2.7])));
        // The end takes the place of a point that is near it.
        assert_eq!(points(-2.2, 0.4), Some((1, vec![-2.2, -1.0, 0.4])));
    }
}
