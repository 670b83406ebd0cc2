//! Muscles that push each other away, and bones that push muscles.
//!
//! Overlaps at rest are allowed: rings that overlap in the rest pose, such as those of the heads of one muscle or of
//! muscles with increased girth, may later overlap by as much, in proportion to their widths. So contact leaves the
//! rest pose unchanged.
//!
//! Where two rings are pushed to depends on the pose alone, and varies with it continuously. A push straight out of a
//! bone's axis would not: it turns over when a ring passes the axis. Instead, two things stay on their sides of a
//! plane. Rings outside of each other have it between them; the deeper they are in each other, the more it is the plane
//! between their places at rest. All these half-spaces together are convex, so there is one way out, whatever order the
//! pushes come in. Then the planes are turned towards where the rings are now, and these are pushed again, a few times:
//! what was squeezed can slip sideways. The more often, the less do muscles intersect, and the more abruptly do they
//! slip. On 4 bodies with 3 rigs each, 3 turns leave 12 intersections of more than half a radius, and 8 slips by more
//! than a quarter of one in a tenth of a degree; 4 leave 6 and 19.

use super::model::{Model, Motion};
use super::settings::Settings;
use sinew_math::{Mat3, Real, Vec3, transform_point};

/// How often planes are turned to where rings are now.
pub(super) const TURNS: usize = 3;

/// How many times rings push each other after each of these.
const ROUNDS: usize = 8;

/// Nothing overlaps any more where the largest overlap is this fraction of the distance that the centres should have.
const APART: Real = 1e-3;

/// Rings that do not touch yet may be pushed into each other by others: those within this many of the distances that
/// they should have are also kept apart. With less than 3, rings jump when they come near.
const REACH: Real = 3.0;

/// A plane between two things, on which each stays on its side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// The distance that the two should have.
    size: Real,
    /// From the first to the second at rest, as it has turned to the pose; a unit vector.
    home: Vec3,
    /// From the first to the second across the plane; a unit vector.
    along: Vec3,
    /// How sure this direction is, from 0 to 1.
    sure: Real,
    /// The least distance in this direction.
    least: Real,
}

impl Plane {
    /// Between things that are `away` from each other, should have the distance `size`, and of which a `part` of the
    /// overlap is to be removed; `None` if they are far from each other.
    pub fn new(away: &Vec3, home: &Vec3, size: Real, part: Real) -> Option<Self> {
        let home = home.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        if size <= 0.0 || away.norm() > REACH * size {
            return None;
        }
        let mut plane = Plane { size, home, along: Vec3::zeros(), sure: 0.0, least: 0.0 };
        plane.turn(away, away, part);
        Some(plane)
    }

    /// Turns it to where the two are now, and were before contact, half of the way from where it was. Things that are
    /// in each other go home, the more the deeper; those that have passed each other are let through, gradually: there
    /// no direction is sure.
    pub fn turn(&mut self, away: &Vec3, start: &Vec3, part: Real) {
        let distance = away.norm();
        let deep = (1.0 - distance / self.size).max(0.0);
        let along = away / self.size + self.home * deep + self.along * self.sure;
        let sure = along.norm();
        if sure < UNSURE {
            (self.sure, self.least) = (0.0, -distance);
            return;
        }
        (self.along, self.sure) = (along / sure, sure.min(1.0));
        let beside = away.norm_squared() - away.dot(&self.along).powi(2);
        let outside = (self.size * self.size - beside).max(0.0).sqrt();
        self.least = self.sure * (outside + distance) - distance;
        let before = start.dot(&self.along);
        if before < self.least {
            self.least = before + (self.least - before) * part;
        }
    }

    /// The push that takes the second to its side.
    pub fn push(&self, away: &Vec3) -> Option<Vec3> {
        let missing = self.least - away.dot(&self.along);
        (missing > 0.0).then(|| self.along * missing)
    }
}

/// A sum of directions that is shorter than this has none.
const UNSURE: Real = 1e-9;

/// A pair of rings of two muscles, what is between them, and which part of the way there each goes.
#[derive(Clone, Copy, Debug)]
struct Pair {
    rings: [usize; 2],
    plane: Plane,
    shares: [Real; 2],
}

/// A ring near a bone, and the point of the bone's axis that was closest when the plane was turned.
#[derive(Clone, Copy, Debug)]
struct AtBone {
    ring: usize,
    ends: [Vec3; 2],
    closest: Vec3,
    plane: Plane,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Touching {
    pairs: Vec<Pair>,
    at_bones: Vec<AtBone>,
    pushed: Vec<Pushed>,
    /// The centres before anything was pushed.
    pub(super) start: Vec<Vec3>,
    /// A ball around each muscle.
    balls: Vec<(Vec3, Real)>,
}

/// The rings of a frame before contact, apart from their centres.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub model: &'a Model,
    pub settings: &'a Settings,
    pub motions: &'a [Motion],
    pub widths: &'a [Real],
    pub axes: &'a [Mat3],
}

impl Touching {
    /// Moves the centres of rings apart.
    pub fn separate(&mut self, placed: &Placed, centres: &mut [Vec3]) {
        self.start.clear();
        self.start.extend_from_slice(centres);
        self.pairs.clear();
        self.at_bones.clear();
        if placed.settings.push_muscles > 0.0 {
            placed.surround(centres, &mut self.balls);
            placed.find_pairs(centres, &self.balls, &mut self.pairs);
        }
        if placed.settings.push_bones > 0.0 {
            placed.find_at_bones(centres, &mut self.at_bones);
        }
        if self.pairs.is_empty() && self.at_bones.is_empty() {
            return;
        }
        for turn in 0..TURNS {
            if turn > 0 {
                self.turn(placed.settings, centres);
            }
            for _ in 0..ROUNDS {
                if push_once(centres, self) < APART {
                    break;
                }
            }
        }
    }

    fn turn(&mut self, settings: &Settings, centres: &[Vec3]) {
        let start = &self.start;
        for Pair { rings: [a, b], plane, .. } in &mut self.pairs {
            let away = |centres: &[Vec3]| centres[*b] - centres[*a];
            plane.turn(&away(centres), &away(start), settings.push_muscles);
        }
        for AtBone { ring, ends, closest, plane } in &mut self.at_bones {
            *closest = closest_on(ends, &centres[*ring]);
            let away = |centres: &[Vec3]| centres[*ring] - *closest;
            plane.turn(&away(centres), &away(start), settings.push_bones);
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
        if let Some(push) = pair.plane.push(&(centres[b] - centres[a])) {
            largest = largest.max(push.norm() / pair.plane.size);
            pushed[a].add(-push * pair.shares[0]);
            pushed[b].add(push * pair.shares[1]);
        }
    }
    for at in at_bones.iter() {
        if let Some(push) = at.plane.push(&(centres[at.ring] - at.closest)) {
            largest = largest.max(push.norm() / at.plane.size);
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

/// The least distance of two things whose distance at rest is `at_rest`, when the sum of their radii is `touch` there
/// and `now` now.
fn least(at_rest: Real, touch: Real, now: Real) -> Real {
    if touch > 0.0 { at_rest.min(touch) * now / touch } else { 0.0 }
}

impl Placed<'_> {
    fn find_pairs(&self, centres: &[Vec3], balls: &[(Vec3, Real)], pairs: &mut Vec<Pair>) {
        let Placed { model, settings, widths, .. } = *self;
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
                        let away = centres[b] - centres[a];
                        if away.norm_squared() > (now * REACH).powi(2) {
                            continue;
                        }
                        let shares = match [is_end(model, first, a), is_end(model, second, b)] {
                            [true, true] => continue,
                            [false, false] => [0.5, 0.5],
                            [true, false] => [0.0, 1.0],
                            [false, true] => [1.0, 0.0],
                        };
                        let home = model.centres[b] - model.centres[a];
                        let touch = model.radii[a] * girth(first) + model.radii[b] * girth(second);
                        let size = least(home.norm(), touch, now);
                        let home = self.turned(a, &home) + self.turned(b, &home);
                        if let Some(plane) = Plane::new(&away, &home, size, settings.push_muscles) {
                            pairs.push(Pair { rings: [a, b], plane, shares });
                        }
                    }
                }
            }
        }
    }

    /// A direction at rest as a ring has turned since.
    fn turned(&self, ring: usize, direction: &Vec3) -> Vec3 {
        self.axes[ring] * (self.model.axes[ring].tr_mul(direction))
    }

    /// A ball around each muscle: around the middle of its ends, as wide as its rings reach.
    fn surround(&self, centres: &[Vec3], balls: &mut Vec<(Vec3, Real)>) {
        let model = self.model;
        let ball = |(muscle, width): (usize, &Real)| {
            let rings = model.rings_of(muscle);
            let middle = (centres[rings.start] + centres[rings.end - 1]) * 0.5;
            let reach = |ring: usize| (centres[ring] - middle).norm() + model.radii[ring] * width * REACH;
            (middle, rings.map(reach).fold(0.0, Real::max))
        };
        balls.clear();
        balls.extend(self.widths.iter().enumerate().map(ball));
    }

    fn find_at_bones(&self, centres: &[Vec3], at_bones: &mut Vec<AtBone>) {
        let Placed { model, settings, widths, motions, .. } = *self;
        for bone in &model.parts.bones {
            let (motion, turn, _) = &motions[bone.joint];
            let ends = bone.ends.map(|end| transform_point(motion, &end));
            for (muscle, width) in widths.iter().enumerate() {
                for ring in model.rings_of(muscle).filter(|&ring| !is_end(model, muscle, ring)) {
                    let now = bone.radius + model.radii[ring] * width;
                    let closest = closest_on(&ends, &centres[ring]);
                    let away = centres[ring] - closest;
                    if away.norm_squared() > (now * REACH).powi(2) {
                        continue;
                    }
                    let centre = &model.centres[ring];
                    let home = centre - closest_on(&bone.ends, centre);
                    let girth = settings.girth(&model.parts.muscles[muscle]);
                    let size = least(home.norm(), bone.radius + model.radii[ring] * girth, now);
                    if let Some(plane) = Plane::new(&away, &(turn * home), size, settings.push_bones) {
                        at_bones.push(AtBone { ring, ends, closest, plane });
                    }
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

fn meet(a: &(Vec3, Real), b: &(Vec3, Real)) -> bool {
    (a.0 - b.0).norm_squared() <= (a.1 + b.1).powi(2)
}

/// The point of a segment closest to a point.
pub(super) fn closest_on(ends: &[Vec3; 2], point: &Vec3) -> Vec3 {
    let along = ends[1] - ends[0];
    let length = along.norm_squared();
    let t = if length > 0.0 { ((point - ends[0]).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
    ends[0] + along * t
}
