//! Muscles that slide under the skin: a belly that shortens leaves the skin over one of its ends and swells elsewhere,
//! so that as much flesh is under the skin as before.

use super::curve::Curve;
use super::frames::station;
use super::model::{Model, Motion};
use sinew_math::{Real, Vec3, transform_point};

/// The joints that carry the skin over each ring, packed, and which part of it each does; nothing where no skin is
/// known over a ring.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    ends: Vec<usize>,
    joints: Vec<(usize, Real)>,
}

/// Joints with less than this part of a ring's skin do not count.
const LITTLE: Real = 0.02;

impl Cover {
    /// From how much of the skin over each ring each joint carries, in any unit.
    pub fn new(rings: Vec<Vec<(usize, Real)>>) -> Self {
        let mut cover = Cover::default();
        for mut joints in rings {
            let sum = |joints: &[(usize, Real)]| joints.iter().fold(0.0, |sum, (_, part)| sum + part);
            let most = sum(&joints);
            joints.retain(|(_, part)| *part > LITTLE * most);
            let kept = sum(&joints);
            cover.joints.extend(joints.iter().map(|(joint, part)| (*joint, part / kept)));
            cover.ends.push(cover.joints.len());
        }
        cover
    }

    /// The joints that it needs.
    pub(super) fn joints(&self) -> impl Iterator<Item = usize> {
        self.joints.iter().map(|(joint, _)| *joint)
    }

    fn over(&self, ring: usize) -> &[(usize, Real)] {
        match self.ends.get(ring) {
            Some(end) => &self.joints[if ring == 0 { 0 } else { self.ends[ring - 1] }..*end],
            None => &[],
        }
    }
}

/// Newton's steps towards the point of a curve beside which something is: a fixed number, so that it varies smoothly.
const STEPS: usize = 2;

/// How many rings further along its muscle what is now under the skin over a ring was at rest: towards the insertion
/// is positive. `curves` are those of all muscles where nothing swings.
pub(super) fn slides(
    model: &Model,
    motions: &[Motion],
    curves: impl Iterator<Item = Curve>,
    slides: &mut Vec<Real>,
) {
    slides.clear();
    for ((muscle, rest), curve) in model.parts.muscles.iter().zip(&model.muscles).zip(curves) {
        slides.extend((0..muscle.rings).map(|k| {
            let cover = model.cover.over(rest.rings + k);
            if cover.is_empty() {
                return 0.0;
            }
            let centre = &model.centres[rest.rings + k];
            let skin: Vec3 =
                cover.iter().map(|(joint, part)| transform_point(&motions[*joint].0, centre) * *part).sum();
            let at_rest = station(muscle, k);
            let now = (0..STEPS).fold(at_rest, |u, _| beside(&curve, u, &skin));
            (now - at_rest) * (muscle.rings - 1) as Real
        }));
    }
}

/// A step from a place of a curve to the one beside a point.
fn beside(curve: &Curve, u: Real, point: &Vec3) -> Real {
    let along = curve.derivative(u);
    let step = (point - curve.at(u)).dot(&along) / along.norm_squared().max(Real::MIN_POSITIVE);
    (u + step).clamp(0.0, 1.0)
}
