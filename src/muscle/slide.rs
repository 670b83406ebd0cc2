//! Muscles that slide under the skin: a belly that shortens leaves the skin over one of its ends and swells elsewhere,
//! so that as much flesh is under the skin as before.

use super::curve::Curve;
use super::frames::station;
use super::model::{Model, Motion};
use sinew_math::{Real, Vec3, transform_point};

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
