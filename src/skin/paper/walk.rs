//! Paths through the coordinates: straight ahead, along borders, and from one point of the skin to another.

use super::super::rest::Rest;
use super::change::{Change, inverse};
use super::charts::{Charts, Corner};
use super::flat::projected;
use sinew_geometry::{MAX_EDGES, Stop, SurfacePoint, advance, leave};
use sinew_math::{Real, Vec2};

/// The end of a path through the charts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The point.
    pub end: SurfacePoint,
    /// From the coordinates at the start to those at the end.
    pub change: Change,
    /// Why it ended.
    pub stop: Stop,
    /// How far beyond the border the rest of the path would lead, perpendicular to it, as a fraction of the height of
    /// the last triangle.
    pub over: Real,
}

impl Way {
    /// The weights of the end point if the triangle at the border were extended.
    pub(super) fn continued(&self, rest: &Rest) -> [Real; 3] {
        let mut weights = self.end.weights;
        let Some(side) = rest.border_side(&self.end).filter(|_| self.over > 0.0) else { return weights };
        let p = rest.mesh().points(self.end.triangle as usize);
        let (a, b, opposite) = (side, (side + 1) % 3, (side + 2) % 3);
        let edge = p[b] - p[a];
        let foot = (p[opposite] - p[a]).dot(&edge) / edge.norm_squared().max(Real::MIN_POSITIVE);
        weights[opposite] -= self.over;
        weights[a] += self.over * (1.0 - foot);
        weights[b] += self.over * foot;
        weights
    }
}

impl Charts {
    /// In chart space: straight ahead through the coordinates from a point, into other charts where the path leads
    /// there; at a border it continues along the border.
    pub fn walk(&self, rest: &Rest, start: &SurfacePoint, along: &Vec2) -> Way {
        let mut way = Way { end: *start, change: Change::none(), stop: Stop::NoArea, over: 0.0 };
        let (mut direction, mut left, mut entered) = (*along, 1.0, None);
        for _ in 0..MAX_EDGES {
            let Some(slopes) = self.slopes(way.end.triangle as usize) else {
                way.stop = Stop::NoArea;
                return way;
            };
            let growth = slopes.map(|s| s.dot(&direction));
            let (step, exit) = leave(&way.end.weights, &growth, left, entered);
            way.end.weights = advance(way.end.weights, growth, step, exit);
            left -= step;
            let Some(side) = exit else {
                way.stop = Stop::Arrived;
                return way;
            };
            let h = 3 * way.end.triangle + side as u32;
            let Some(twin) = rest.edges().twin(h) else {
                way.stop = Stop::Border;
                self.along_border(rest, &mut way, side, growth.map(|g| g * left));
                return way;
            };
            direction = self.over[h as usize].linear * direction;
            way.change = way.change.then(&self.over[h as usize]);
            way.end = across(&way.end.weights, side, twin);
            entered = Some(twin as usize % 3);
        }
        way.stop = Stop::TooLong;
        way
    }

    /// Continues along the border with the tangential part of the remaining path.
    fn along_border(&self, rest: &Rest, way: &mut Way, side: usize, left: [Real; 3]) {
        let height = |h: u32| {
            let (p, k) = (rest.mesh().points(h as usize / 3), h as usize % 3);
            let edge = p[(k + 1) % 3] - p[k];
            edge.cross(&(p[(k + 2) % 3] - p[k])).norm() / edge.norm().max(Real::MIN_POSITIVE)
        };
        let p = rest.mesh().points(way.end.triangle as usize);
        let edge = p[(side + 1) % 3] - p[side];
        let mut length = (p[0] * left[0] + p[1] * left[1] + p[2] * left[2]).dot(&edge)
            / edge.norm().max(Real::MIN_POSITIVE);
        let mut h = 3 * way.end.triangle + side as u32;
        let lost = -left[(side + 2) % 3] * height(h);
        let mut part = way.end.weights[(side + 1) % 3];
        for _ in 0..MAX_EDGES {
            let ends = [rest.edges().origin(h), rest.edges().target(h)];
            let whole =
                (rest.mesh().positions[ends[1] as usize] - rest.mesh().positions[ends[0] as usize]).norm();
            let room = whole * if length > 0.0 { 1.0 - part } else { part };
            if length.abs() <= room {
                part += if whole > 0.0 { length / whole } else { 0.0 };
                break;
            }
            let next = if length > 0.0 {
                rest.edges().around(ends[1]).next()
            } else {
                rest.edges().around(ends[0]).last().map(|last| rest.edges().previous(last))
            };
            let Some(next) = next.filter(|&n| n != h && rest.edges().twin(n).is_none()) else {
                part = if length > 0.0 { 1.0 } else { 0.0 };
                break;
            };
            let corner = if length > 0.0 { (h % 3 + 1) % 3 } else { h % 3 } as usize;
            let there = if length > 0.0 { next % 3 } else { (next % 3 + 1) % 3 } as usize;
            let linear = self.turns[next as usize / 3][there] * inverse(&self.turns[h as usize / 3][corner]);
            // Beyond a border vertex only the turn is needed: velocities, not positions, are mapped back.
            way.change = way.change.then(&Change { linear, shift: Vec2::zeros() });
            part = if length > 0.0 { 0.0 } else { 1.0 };
            length -= room.copysign(length);
            h = next;
        }
        let (k, part, mut weights) = (h as usize % 3, part.clamp(0.0, 1.0), [0.0; 3]);
        (weights[k], weights[(k + 1) % 3]) = (1.0 - part, part);
        way.end = SurfacePoint { triangle: h / 3, weights };
        // Nothing is known farther than a triangle away.
        way.over = (lost / height(h).max(Real::MIN_POSITIVE)).clamp(0.0, 1.0);
    }

    /// Straight ahead from a vertex, along a vector in its coordinates; the change is from the vertex's coordinates.
    pub fn walk_from_vertex(&self, rest: &Rest, vertex: usize, along: &Vec2) -> Option<Way> {
        let inward = |corner: &&Corner| {
            let growth = corner.across.map(|slope| slope.dot(along));
            // In units of the triangle's own lengths, so that thin and thick triangles compare.
            growth[0].min(growth[1]) / growth[0].abs().max(growth[1].abs()).max(Real::MIN_POSITIVE)
        };
        let fan = self.fan(vertex);
        let into = fan.iter().find(|corner| corner.across.iter().all(|slope| slope.dot(along) > 0.0));
        // Round-off can leave a gap between two triangles.
        let corner = into.or_else(|| fan.iter().max_by(|a, b| inward(a).total_cmp(&inward(b))))?;
        let (t, k) = (corner.triangle as usize, corner.corner as usize);
        let mut weights = [0.0; 3];
        weights[k] = 1.0;
        let mut way =
            self.walk(rest, &SurfacePoint { triangle: t as u32, weights }, &(self.turns[t][k] * along));
        way.change.linear *= self.turns[t][k];
        Some(way)
    }

    /// The coordinates of a point as seen from another: in the chart there, continued to the point. `None` if no short
    /// path connects the two.
    pub fn seen_from(&self, rest: &Rest, from: &SurfacePoint, place: &SurfacePoint) -> Option<Vec2> {
        if from.triangle == place.triangle {
            return Some(self.mix(place));
        }
        if self.joined(rest, from.triangle, place.triangle) {
            return Some(self.mix(place));
        }
        let change =
            self.straight(rest, from, place).or_else(|| self.around(rest, from.triangle, place.triangle))?;
        Some(change.inverse().point(&self.mix(place)))
    }

    /// Whether two triangles share a vertex around which coordinates do not change: then both see the same ones.
    fn joined(&self, rest: &Rest, one: u32, other: u32) -> bool {
        let (one, other) = (rest.mesh().triangles[one as usize], rest.mesh().triangles[other as usize]);
        one.iter().any(|v| other.contains(v) && self.calm[*v as usize])
    }

    /// Straight towards a point, re-aiming in every triangle; the change of coordinates along the path.
    fn straight(&self, rest: &Rest, from: &SurfacePoint, place: &SurfacePoint) -> Option<Change> {
        let goal = place.position(rest.mesh());
        let (mut at, mut change, mut entered) = (*from, Change::none(), None);
        for _ in 0..64 {
            let aim = projected(&goal, &rest.mesh().points(at.triangle as usize))?;
            let growth: [Real; 3] = std::array::from_fn(|k| aim[k] - at.weights[k]);
            // Slightly farther than the point, which may lie on the edge itself.
            let (step, exit) = leave(&at.weights, &growth, 1.0 + 1e-9, entered);
            let side = exit?;
            let h = 3 * at.triangle + side as u32;
            let twin = rest.edges().twin(h)?;
            at.weights = advance(at.weights, growth, step, exit);
            at = across(&at.weights, side, twin);
            change = change.then(&self.over[h as usize]);
            if at.triangle == place.triangle {
                return Some(change);
            }
            entered = Some(twin as usize % 3);
        }
        None
    }

    /// Across the fewest edges.
    fn around(&self, rest: &Rest, from: u32, to: u32) -> Option<Change> {
        let mut seen = [(from, Change::none()); 96];
        let (mut count, mut next) = (1, 0);
        while next < count {
            let (t, change) = seen[next];
            next += 1;
            for h in 3 * t..3 * t + 3 {
                let Some(twin) = rest.edges().twin(h) else { continue };
                let (there, change) = (twin / 3, change.then(&self.over[h as usize]));
                if there == to {
                    return Some(change);
                }
                if count < seen.len() && !seen[..count].iter().any(|s| s.0 == there) {
                    seen[count] = (there, change);
                    count += 1;
                }
            }
        }
        None
    }
}

fn across(weights: &[Real; 3], side: usize, twin: u32) -> SurfacePoint {
    let other = twin as usize % 3;
    let mut there = [0.0; 3];
    (there[other], there[(other + 1) % 3]) = (weights[(side + 1) % 3], weights[side]);
    SurfacePoint { triangle: twin / 3, weights: there }
}
