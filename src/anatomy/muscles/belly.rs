//! The course and thickness of a muscle under the skin.

use super::flesh::{Flesh, Spot};
use sinew_math::elementary::{log10, powf, sin};
use sinew_math::{Real, Vec3};
use sinew_muscle::curve::Curve;
use std::f64::consts::PI;

/// Ends stay under the skin by this fraction of the flesh's depth.
pub(super) const UNDER: Real = 0.04;

/// The fraction of the distance to the skin that a belly may fill: the rest is skin and fat.
const FILLED: Real = 0.9;

/// When the ends are close to the skin, the taper is raised above the plan's by at most the first, in steps of the
/// second.
const TAPER: [Real; 2] = [1.5, 0.1];

/// How far a belly may go from its planned place towards the bone's axis, as a fraction, and in how many steps.
const INWARDS: (Real, usize) = (0.8, 8);

/// Where a muscle finds no room, as over the armpit of a thin body, its origin goes this fraction of the way towards
/// the axis of its bone, and its insertion towards the joint that carries it.
pub(super) const DEEPER: [Real; 4] = [0.0, 0.3, 0.6, 0.9];

/// The control point of a curve stays this fraction of the chord away from both ends, along it: joints move the ends.
const BETWEEN: Real = 0.2;

/// A muscle is content with this fraction of its size, and moves inwards by one step only where it gains as much.
const CONTENT: Real = 0.75;

/// The curve between two ends whose middle passes through a point, or beside it: the control point stays between the
/// ends, so that the curve never turns back, where its rings would flip.
pub(super) fn through(ends: [Vec3; 2], point: &Vec3) -> Curve {
    let chord = ends[1] - ends[0];
    let middle = point * 2.0 - (ends[0] + ends[1]) * 0.5;
    let along = (middle - ends[0]).dot(&chord) / chord.norm_squared().max(Real::MIN_POSITIVE);
    let kept = along.clamp(BETWEEN, 1.0 - BETWEEN);
    Curve { points: [ends[0], middle + chord * (kept - along), ends[1]] }
}

/// The shape that is wanted, of one muscle or of the two that are alike on both sides.
pub(super) struct Shape {
    pub rings: u32,
    pub taper: Real,
}

/// Where a muscle should pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub ends: [Vec3; 2],
    pub belly: Spot,
    /// The largest radius that it may have.
    pub wanted: Real,
}

/// The courses of muscles that are decided together, each with its largest size, and the least taper for them.
struct Room {
    curves: Vec<Curve>,
    sizes: Vec<Real>,
    taper: Real,
    /// The least of the sizes as fractions of what is wanted.
    filled: Real,
}

/// The shape that it gets.
pub(super) struct Belly {
    pub curve: Curve,
    pub size: Real,
    pub taper: Real,
    /// Whether its planned course was outside the skin.
    pub moved: bool,
}

/// "from 0.0121 to 0.0119": two sizes in any unit, with three digits, or as many as it takes to tell them apart.
pub(super) fn from_to(before: Real, after: Real) -> String {
    let whole = log10(before.abs().max(Real::MIN_POSITIVE)).floor() as i32;
    let fewest = (2 - whole).max(0) as usize;
    let written = |digits: usize| [before, after].map(|size| format!("{size:.digits$}"));
    let apart = (fewest..fewest + 14).map(written).find(|[a, b]| a != b);
    let [before, after] = apart.unwrap_or_else(|| written(fewest));
    format!("from {before} to {after}")
}

impl Shape {
    /// The courses closest to the planned ones that leave room for the bellies; `None` if there is no room at all. They
    /// go inwards by the same steps and have one taper: what is decided is the same on both sides of a body, only its
    /// measures are each side's own.
    pub fn fit(&self, flesh: &Flesh, courses: &[Course]) -> Option<Vec<Belly>> {
        let mut best: Option<Room> = None;
        let mut moved = false;
        for step in 0..=INWARDS.1 {
            let inwards = INWARDS.0 * step as Real / INWARDS.1 as Real;
            let Some(room) = self.room(flesh, courses, inwards) else {
                moved |= step == 0;
                continue;
            };
            let is_content = room.filled > CONTENT;
            if best.as_ref().is_none_or(|best| CONTENT * room.filled > best.filled) {
                best = Some(room);
            }
            if is_content {
                break;
            }
        }
        let Room { curves, sizes, taper, .. } = best?;
        let belly = |(curve, size)| Belly { curve, size, taper, moved };
        Some(curves.into_iter().zip(sizes).map(belly).collect())
    }

    /// The largest sizes that courses leave room for, and the least taper for them.
    fn room(&self, flesh: &Flesh, courses: &[Course], inwards: Real) -> Option<Room> {
        let last = Real::from(self.rings.max(2) - 1);
        let curve = |c: &Course| through(c.ends, &c.belly.point.lerp(&c.belly.foot, inwards));
        let curves: Vec<Curve> = courses.iter().map(curve).collect();
        let inner: Vec<Vec<(Real, Real)>> = curves
            .iter()
            .map(|curve| {
                let ring = |ring: u32| {
                    let u = Real::from(ring) / last;
                    (sin(PI * u), flesh.clearance(&curve.at(u)))
                };
                (1..self.rings.saturating_sub(1)).map(ring).collect()
            })
            .collect();
        if inner.iter().flatten().any(|(_, clearance)| *clearance <= 0.0) {
            return None;
        }
        let sizes = |taper: Real| -> Vec<Real> {
            let room = |(sine, clearance): &(Real, Real)| FILLED * clearance / powf(*sine, taper);
            let own =
                |(inner, course): (&Vec<_>, &Course)| inner.iter().map(room).fold(course.wanted, Real::min);
            inner.iter().zip(courses).map(own).collect()
        };
        let filled = |sizes: &[Real]| {
            let parts = sizes.iter().zip(courses).map(|(size, course)| size / course.wanted);
            parts.fold(Real::INFINITY, Real::min)
        };
        let [most, step] = TAPER;
        let mut best = (filled(&sizes(self.taper)), self.taper);
        for k in 1..=(most / step).round() as u32 {
            let taper = self.taper + step * Real::from(k);
            let filled = filled(&sizes(taper));
            // A thinner end is worth it only for a thicker belly.
            if filled > best.0 * (1.0 + 0.3 * step) {
                best = (filled, taper);
            }
        }
        let (filled, taper) = best;
        Some(Room { sizes: sizes(taper), curves, taper, filled })
    }
}

#[cfg(test)]
mod tests {
    use super::from_to;

    #[test]
    fn sizes_that_differ_look_different() {
        assert_eq!(from_to(0.012_14, 0.008), "from 0.0121 to 0.0080");
        assert_eq!(from_to(0.012_14, 0.012_11), "from 0.01214 to 0.01211");
        assert_eq!(from_to(0.000_012_14, 0.000_012_11), "from 0.00001214 to 0.00001211");
        assert_eq!(from_to(1214.0, 1211.0), "from 1214 to 1211");
        assert_eq!(from_to(12.1, 12.1), "from 12.1 to 12.1");
    }
}
