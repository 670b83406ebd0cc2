//! Muscles that push each other away, and bones that push muscles.
//!
//! Overlaps at rest are allowed: rings that overlap in the rest pose, such as those of the heads of one muscle or of
//! muscles with increased girth, may later overlap by as much, in proportion to their widths. So contact leaves the
//! rest pose unchanged.

use super::model::{Model, Motion};
use super::settings::Settings;
use crate::math::{Real, Vec3, transform_point};

/// How often in a frame it is looked up which rings are near each other: on their way out of one muscle, rings come to others.
/// Where a thin strip crosses several others, as the gluteus maximus does when the hip bends, fewer leave it stuck in them.
const SEARCHES: usize = 4;

/// How many times rings push each other after each look-up.
const ROUNDS: usize = 8;

/// Nothing overlaps any more where the largest overlap is this fraction of the distance that the centres should have.
const APART: Real = 1e-3;

/// Rings that do not touch yet may be pushed into each other by others: pairs within this fraction of their widths are
/// also kept.
const MARGIN: Real = 0.25;

/// A pair of rings of two muscles, the least distance of their centres, and which part of the way there each goes.
#[derive(Clone, Copy, Debug)]
struct Pair {
    rings: [usize; 2],
    least: Real,
    shares: [Real; 2],
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
    /// The centres before anything was pushed.
    start: Vec<Vec3>,
    /// A ball around each muscle.
    balls: Vec<(Vec3, Real)>,
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
        self.start.clear();
        self.start.extend_from_slice(centres);
        for _ in 0..SEARCHES {
            self.find(model, settings, motions, widths, centres);
            for _ in 0..ROUNDS {
                if push_once(centres, self) < APART {
                    return;
                }
            }
        }
    }

    fn find(
        &mut self,
        model: &Model,
        settings: &Settings,
        motions: &[Motion],
        widths: &[Real],
        centres: &[Vec3],
    ) {
        self.pairs.clear();
        self.at_bones.clear();
        if settings.push_muscles > 0.0 {
            surround(model, centres, widths, &mut self.balls);
            find_pairs(model, [centres, &self.start], widths, settings, &self.balls, &mut self.pairs);
        }
        if settings.push_bones > 0.0 {
            let axis =
                |joint: usize, ends: [Vec3; 2]| ends.map(|end| transform_point(&motions[joint].0, &end));
            find_at_bones(model, [centres, &self.start], widths, settings, axis, &mut self.at_bones);
        }
    }
}

/// Returns the largest overlap, as a fraction of the distance that the centres should have.
fn push_once(centres: &mut [Vec3], touching: &mut Touching) -> Real {
    let Touching { pairs, at_bones, pushed, .. } = touching;
    let mut largest: Real = 0.0;
    pushed.clear();
    pushed.resize(centres.len(), Pushed::default());
    for pair in pairs.iter() {
        let [a, b] = pair.rings;
        if let Some(push) = outwards(&(centres[b] - centres[a]), pair.least) {
            largest = largest.max(push.norm() / pair.least);
            pushed[a].add(-push * pair.shares[0]);
            pushed[b].add(push * pair.shares[1]);
        }
    }
    for at in at_bones.iter() {
        let away = centres[at.ring] - closest_on(&at.ends, &centres[at.ring]);
        if let Some(push) = outwards(&away, at.least) {
            largest = largest.max(push.norm() / at.least);
            pushed[at.ring].add(push);
        }
    }
    for (centre, pushed) in centres.iter_mut().zip(pushed) {
        *centre += pushed.mean();
    }
    largest
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

/// What is left of a least distance when only a part of the overlap is to be removed from centres that had a distance at the
/// start.
fn in_part(least: Real, start: Real, part: Real) -> Real {
    if start < least { start + (least - start) * part } else { least }
}

/// Centres are those now and at the start.
fn find_pairs(
    model: &Model,
    [centres, start]: [&[Vec3]; 2],
    widths: &[Real],
    settings: &Settings,
    balls: &[(Vec3, Real)],
    pairs: &mut Vec<Pair>,
) {
    let muscles = model.parts.muscles.len();
    let girth = |muscle: usize| settings.girth(&model.parts.muscles[muscle]);
    for first in 0..muscles {
        for second in first + 1..muscles {
            if !meet(&balls[first], &balls[second]) {
                continue;
            }
            for a in model.rings_of(first) {
                for b in model.rings_of(second) {
                    let now = model.radii[a] * widths[first] + model.radii[b] * widths[second];
                    if (centres[a] - centres[b]).norm_squared() > (now * (1.0 + MARGIN)).powi(2) {
                        continue;
                    }
                    let shares = match [is_end(model, first, a), is_end(model, second, b)] {
                        [true, true] => continue,
                        [false, false] => [0.5, 0.5],
                        [true, false] => [0.0, 1.0],
                        [false, true] => [1.0, 0.0],
                    };
                    let at_rest = (model.centres[a] - model.centres[b]).norm();
                    let touch = model.radii[a] * girth(first) + model.radii[b] * girth(second);
                    let least = least(at_rest, touch, now);
                    let least = in_part(least, (start[a] - start[b]).norm(), settings.push_muscles);
                    pairs.push(Pair { rings: [a, b], least, shares });
                }
            }
        }
    }
}

/// Whether a ring is the first or last of a muscle: these stay on their joints.
fn is_end(model: &Model, muscle: usize, ring: usize) -> bool {
    let rings = model.rings_of(muscle);
    ring == rings.start || ring + 1 == rings.end
}

/// A ball around each muscle: around the middle of its ends, as wide as its rings reach.
fn surround(model: &Model, centres: &[Vec3], widths: &[Real], balls: &mut Vec<(Vec3, Real)>) {
    let ball = |(muscle, width): (usize, &Real)| {
        let rings = model.rings_of(muscle);
        let middle = (centres[rings.start] + centres[rings.end - 1]) * 0.5;
        let reach =
            |ring: usize| (centres[ring] - middle).norm() + model.radii[ring] * width * (1.0 + MARGIN);
        (middle, rings.map(reach).fold(0.0, Real::max))
    };
    balls.clear();
    balls.extend(widths.iter().enumerate().map(ball));
}

fn meet(a: &(Vec3, Real), b: &(Vec3, Real)) -> bool {
    (a.0 - b.0).norm_squared() <= (a.1 + b.1).powi(2)
}

/// Centres are those now and at the start.
fn find_at_bones(
    model: &Model,
    [centres, start]: [&[Vec3]; 2],
    widths: &[Real],
    settings: &Settings,
    axis: impl Fn(usize, [Vec3; 2]) -> [Vec3; 2],
    at_bones: &mut Vec<AtBone>,
) {
    for bone in &model.parts.bones {
        let ends = axis(bone.joint, bone.ends);
        for (muscle, width) in widths.iter().enumerate() {
            for ring in model.rings_of(muscle).filter(|&ring| !is_end(model, muscle, ring)) {
                let now = bone.radius + model.radii[ring] * width;
                let distance = (centres[ring] - closest_on(&ends, &centres[ring])).norm();
                if distance > now * (1.0 + MARGIN) {
                    continue;
                }
                let centre = &model.centres[ring];
                let at_rest = (centre - closest_on(&bone.ends, centre)).norm();
                let girth = settings.girth(&model.parts.muscles[muscle]);
                let least = least(at_rest, bone.radius + model.radii[ring] * girth, now);
                let before = (start[ring] - closest_on(&ends, &start[ring])).norm();
                let least = in_part(least, before, settings.push_bones);
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
