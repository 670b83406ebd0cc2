//! Muscles that push each other away, and bones that push muscles.
//!
//! Overlaps at rest are allowed: rings that overlap in the rest pose, such as those of the heads of one muscle or of
//! muscles with increased girth, may later overlap by as much, in proportion to their widths. So contact leaves the
//! rest pose unchanged.

use super::model::{Model, Motion};
use super::settings::Settings;
use crate::math::{Real, Vec3, transform_point};

/// How many times rings push each other in a frame: each removes about half of the overlap, so less than a hundredth stays.
const ROUNDS: usize = 8;

/// Rings that do not touch yet may be pushed into each other by others: pairs within this fraction of their widths are
/// also kept.
const MARGIN: Real = 0.25;

/// A pair of rings of two muscles, and the least distance of their centres.
#[derive(Clone, Copy, Debug)]
struct Pair {
    rings: [usize; 2],
    least: Real,
}

/// A ring near a bone, and the least distance of its centre from the bone's axis.
#[derive(Clone, Copy, Debug)]
struct AtBone {
    ring: usize,
    ends: [Vec3; 2],
    least: Real,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Touching {
    pairs: Vec<Pair>,
    at_bones: Vec<AtBone>,
    pushed: Vec<Pushed>,
}

impl Touching {
    /// Moves the centres of rings apart.
    pub fn separate(
        &mut self,
        model: &Model,
        settings: &Settings,
        motions: &[Motion],
        widths: &[Real],
        centres: &mut [Vec3],
    ) {
        self.pairs.clear();
        self.at_bones.clear();
        if settings.push_muscles > 0.0 {
            find_pairs(model, centres, widths, settings, &mut self.pairs);
        }
        if settings.push_bones > 0.0 {
            let axis =
                |joint: usize, ends: [Vec3; 2]| ends.map(|end| transform_point(&motions[joint].0, &end));
            find_at_bones(model, centres, widths, settings, axis, &mut self.at_bones);
        }
        if self.pairs.is_empty() && self.at_bones.is_empty() {
            return;
        }
        for _ in 0..ROUNDS {
            push_once(model, centres, self, settings);
        }
    }
}

fn push_once(model: &Model, centres: &mut [Vec3], touching: &mut Touching, settings: &Settings) {
    let Touching { pairs, at_bones, pushed } = touching;
    pushed.clear();
    pushed.resize(centres.len(), Pushed::default());
    for pair in pairs.iter() {
        let [a, b] = pair.rings;
        if let Some(push) = outwards(&(centres[b] - centres[a]), pair.least) {
            let push = push * (0.5 * settings.push_muscles);
            pushed[a].add(-push);
            pushed[b].add(push);
        }
    }
    for at in at_bones.iter() {
        let away = centres[at.ring] - closest_on(&at.ends, &centres[at.ring]);
        if let Some(push) = outwards(&away, at.least) {
            pushed[at.ring].add(push * settings.push_bones);
        }
    }
    for (muscle, rest) in model.parts.muscles.iter().zip(&model.muscles) {
        // The ends stay on their joints.
        for ring in rest.rings + 1..rest.rings + muscle.rings - 1 {
            centres[ring] += pushed[ring].mean();
        }
    }
}

/// What pushes a ring.
#[derive(Clone, Copy, Debug, Default)]
struct Pushed {
    sum: Vec3,
    lengths: Real,
    longest: Real,
}

impl Pushed {
    fn add(&mut self, push: Vec3) {
        let length = push.norm();
        self.sum += push;
        self.lengths += length;
        self.longest = self.longest.max(length);
    }

    /// Equal pushes in one direction act like one of them; those that fade away take nothing from the others, so that
    /// a touch that is only round-off changes nothing.
    fn mean(&self) -> Vec3 {
        if self.lengths > 0.0 { self.sum * (self.longest / self.lengths) } else { Vec3::zeros() }
    }
}

/// The push along `away` that makes it `least` long; `None` if it already is, or has no direction.
pub(super) fn outwards(away: &Vec3, least: Real) -> Option<Vec3> {
    let distance = away.norm();
    (distance < least && distance > 1e-9 * least).then(|| away * (least / distance - 1.0))
}

/// The least distance of two things whose distance at rest is `at_rest`, when the sum of their radii is `touch` there and
/// `now` now.
fn least(at_rest: Real, touch: Real, now: Real) -> Real {
    if touch > 0.0 { at_rest.min(touch) * now / touch } else { 0.0 }
}

fn find_pairs(model: &Model, centres: &[Vec3], widths: &[Real], settings: &Settings, pairs: &mut Vec<Pair>) {
    let muscles = model.parts.muscles.len();
    let girth = |muscle: usize| settings.girth(&model.parts.muscles[muscle]);
    for first in 0..muscles {
        for second in first + 1..muscles {
            if !balls_meet(model, centres, widths, [first, second]) {
                continue;
            }
            for a in model.rings_of(first) {
                for b in model.rings_of(second) {
                    let now = model.radii[a] * widths[first] + model.radii[b] * widths[second];
                    if (centres[a] - centres[b]).norm_squared() > (now * (1.0 + MARGIN)).powi(2) {
                        continue;
                    }
                    let at_rest = (model.centres[a] - model.centres[b]).norm();
                    let touch = model.radii[a] * girth(first) + model.radii[b] * girth(second);
                    let least = least(at_rest, touch, now);
                    pairs.push(Pair { rings: [a, b], least });
                }
            }
        }
    }
}

/// Whether balls around two muscles meet: around the middles of their ends, as wide as their rings reach.
fn balls_meet(model: &Model, centres: &[Vec3], widths: &[Real], muscles: [usize; 2]) -> bool {
    let ball = muscles.map(|muscle| {
        let rings = model.rings_of(muscle);
        let middle = (centres[rings.start] + centres[rings.end - 1]) * 0.5;
        let reach = |ring: usize| {
            (centres[ring] - middle).norm() + model.radii[ring] * widths[muscle] * (1.0 + MARGIN)
        };
        (middle, rings.map(reach).fold(0.0, Real::max))
    });
    (ball[0].0 - ball[1].0).norm() <= ball[0].1 + ball[1].1
}

fn find_at_bones(
    model: &Model,
    centres: &[Vec3],
    widths: &[Real],
    settings: &Settings,
    axis: impl Fn(usize, [Vec3; 2]) -> [Vec3; 2],
    at_bones: &mut Vec<AtBone>,
) {
    for bone in &model.parts.bones {
        let ends = axis(bone.joint, bone.ends);
        for (muscle, width) in widths.iter().enumerate() {
            for ring in model.rings_of(muscle) {
                let now = bone.radius + model.radii[ring] * width;
                let distance = (centres[ring] - closest_on(&ends, &centres[ring])).norm();
                if distance > now * (1.0 + MARGIN) {
                    continue;
                }
                let centre = &model.centres[ring];
                let at_rest = (centre - closest_on(&bone.ends, centre)).norm();
                let girth = settings.girth(&model.parts.muscles[muscle]);
                let least = least(at_rest, bone.radius + model.radii[ring] * girth, now);
                at_bones.push(AtBone { ring, ends, least });
            }
        }
    }
}

/// The point of a segment closest to a point.
pub(super) fn closest_on(ends: &[Vec3; 2], point: &Vec3) -> Vec3 {
    let along = ends[1] - ends[0];
    let length = along.norm_squared();
    let t = if length > 0.0 { ((point - ends[0]).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
    ends[0] + along * t
}
