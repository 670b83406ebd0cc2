//! The atlas: coordinates in the plane for every triangle, and how they change over every edge \[ThinSkin §3.1, A.1\].
//!
//! A triangle's corners are all in the coordinates of its chart; whoever leaves a triangle over an edge takes on the
//! coordinates of the one beside it. For quad charts that change is a quarter turn and a whole shift, or nothing; for the
//! artist's UVs it is nothing inside an island and, over a seam, the affine map that lays the triangle behind beside the
//! one in front. Coordinates are found from where they last were, by walking: no triangle is searched for.
//!
//! A velocity at a vertex is in the chart of one triangle there, the vertex's; turning around the vertex leads to the
//! others. Where that does not come back to itself (irregular corners of quad charts, seams of UVs) the triangles
//! there are laid into one plane instead.

use super::super::rest::Rest;
use super::flat::{far_from_edge, islands, projected, quarter_turn, unfolded, weight_slopes};
use crate::error::{Error, Kind, Result};
use crate::geometry::atlas::Atlas;
use crate::geometry::{Frame, MAX_EDGES, Mesh, NO_VALUE, Stop, SurfacePoint, advance, leave};
use crate::math::{Mat2, Mat3x2, Real, Vec2, Vec3};
use nalgebra::Rotation2;
use std::f64::consts::TAU;

/// Around a vertex coordinates close up to round-off, or they do not.
const CLOSES: Real = 1e-9;

/// From the coordinates of one chart to those of another: phi(u) = linear u + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// What velocities are multiplied with.
    pub linear: Mat2,
    /// What is added.
    pub shift: Vec2,
}

impl Change {
    /// No change.
    pub fn none() -> Self {
        Change { linear: Mat2::identity(), shift: Vec2::zeros() }
    }

    /// The image of coordinates.
    pub fn point(&self, uv: &Vec2) -> Vec2 {
        self.linear * uv + self.shift
    }

    /// This and after it `next`.
    #[must_use]
    pub fn then(&self, next: &Change) -> Self {
        Change { linear: next.linear * self.linear, shift: next.point(&self.shift) }
    }

    /// The change back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let linear = inverse(&self.linear);
        Change { linear, shift: -(linear * self.shift) }
    }
}

/// Where a way through the charts ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The place.
    pub end: SurfacePoint,
    /// From the coordinates at the start to those at the end.
    pub change: Change,
    /// Why it ended.
    pub stop: Stop,
}

/// An atlas of the rest surface.
#[derive(Clone, Debug)]
pub struct Charts {
    of_triangle: Vec<u32>,
    corners: Vec<[Vec2; 3]>,
    /// How the three weights grow with the coordinates; `None` without area.
    slopes: Vec<Option<[Vec2; 3]>>,
    /// The change over each half-edge, from its triangle to the one beside it.
    over: Vec<Change>,
    /// For each corner of each triangle, from the coordinates of the vertex to those of the triangle.
    turns: Vec<[Mat2; 3]>,
}

impl Charts {
    /// Quad charts; `atlas` must be one of the triangles at rest.
    pub fn quads(rest: &Rest, atlas: &Atlas) -> Result<Self> {
        let triangles = rest.mesh().triangles.len();
        if atlas.charts().of_triangle().len() != triangles {
            return Err(Error::new(Kind::CountMismatch, "the atlas is not one of the mesh at rest"));
        }
        let all = 0..triangles as u32;
        let of_triangle = all.clone().map(|t| atlas.chart(t)).collect();
        let corners: Vec<_> = all.map(|t| atlas.corners(t)).collect();
        Charts::new(rest, of_triangle, corners, |from, to, _| quarter_turn(from, to))
    }

    /// The islands of the artist's UVs; `mesh` must be the one of the triangles at rest.
    pub fn islands(rest: &Rest, mesh: &Mesh) -> Result<Self> {
        let Some(layer) = &mesh.uvs else {
            return Err(Error::new(Kind::MissingInput, "the mesh has no UVs"));
        };
        let uv = |&c: &u32| match layer.indices.get(c as usize) {
            Some(&i) if i != NO_VALUE => layer.values.get(i as usize).copied(),
            _ => None,
        };
        let mut corners = Vec::new();
        for (t, of_mesh) in rest.mesh().corners.iter().enumerate() {
            let uvs: Vec<_> = of_mesh.iter().filter_map(uv).collect();
            let Ok(uvs) = <[Vec2; 3]>::try_from(uvs) else {
                return Err(Error::new(Kind::MissingInput, "a corner has no UV").face(t));
            };
            corners.push(uvs);
        }
        if corners.len() != rest.mesh().triangles.len() {
            return Err(Error::new(Kind::CountMismatch, "the triangles are not those of the mesh with UVs"));
        }
        let of_triangle = islands(rest, &corners);
        Charts::new(rest, of_triangle, corners, |from, to, far| Some(unfolded(from, to, far)))
    }

    /// `change` makes the change over an edge from the two ends of the edge on both sides, and from how far along the edge
    /// and away from it the opposite vertices are.
    fn new(
        rest: &Rest,
        of_triangle: Vec<u32>,
        corners: Vec<[Vec2; 3]>,
        change: impl Fn([Vec2; 3], [Vec2; 3], [Vec2; 2]) -> Option<Change>,
    ) -> Result<Self> {
        let slopes: Vec<_> = corners.iter().map(weight_slopes).collect();
        let lost = |t: &usize| slopes[*t].is_none() && rest.has_area(*t);
        if let Some(t) = (0..corners.len()).find(lost) {
            return Err(Error::new(Kind::Degenerate, "the triangle has no area in its chart").face(t));
        }
        let mut over = vec![Change::none(); 3 * corners.len()];
        for (h, over) in over.iter_mut().enumerate() {
            let Some(twin) = rest.edges().twin(h as u32) else { continue };
            let (t, side, other) = (h / 3, h % 3, twin as usize % 3);
            let behind = twin as usize / 3;
            if !rest.has_area(t) || !rest.has_area(behind) {
                continue;
            }
            let from = [0, 1, 2].map(|k| corners[t][(side + k) % 3]);
            let there = [1, 0, 2].map(|k| corners[behind][(other + k) % 3]);
            if from[..2] == there[..2] {
                continue;
            }
            let far = [far_from_edge(rest, t, side, false), far_from_edge(rest, behind, other, true)];
            *over = change(from, there, far).ok_or_else(|| {
                Error::new(Kind::Topology, "the coordinates on both sides of an edge do not match").face(t)
            })?;
        }
        let turns = vec![[Mat2::identity(); 3]; corners.len()];
        let mut made = Charts { of_triangle, corners, slopes, over, turns };
        (0..rest.mesh().positions.len()).for_each(|v| made.turn_around(rest, v));
        Ok(made)
    }

    /// The chart of a triangle.
    pub fn chart(&self, triangle: u32) -> u32 {
        self.of_triangle[triangle as usize]
    }

    /// The coordinates of a triangle's corners, in its chart.
    pub fn corners(&self, triangle: usize) -> &[Vec2; 3] {
        &self.corners[triangle]
    }

    /// To the chart: the chart of a place and its coordinates there.
    pub fn coordinates(&self, point: &SurfacePoint) -> (u32, Vec2) {
        (self.chart(point.triangle), self.mix(point))
    }

    /// The change of coordinates over a half-edge.
    pub fn transition(&self, h: u32) -> &Change {
        &self.over[h as usize]
    }

    /// From the coordinates of the vertex at a corner to those of the triangle, for velocities.
    pub fn turn(&self, triangle: usize, corner: usize) -> &Mat2 {
        &self.turns[triangle][corner]
    }

    /// How the weights in a triangle grow with its coordinates; `None` without area.
    pub fn slopes(&self, triangle: usize) -> Option<&[Vec2; 3]> {
        self.slopes[triangle].as_ref()
    }

    /// A map that is linear on a triangle, by the coordinates: D_x D_u^-1 with the values at its corners.
    pub fn jacobian(&self, triangle: usize, values: &[Vec3; 3]) -> Mat3x2 {
        let slopes = self.slopes[triangle].unwrap_or_default();
        let column =
            |k: usize| values[0] * slopes[0][k] + values[1] * slopes[1][k] + values[2] * slopes[2][k];
        Mat3x2::from_columns(&[column(0), column(1)])
    }

    fn mix(&self, point: &SurfacePoint) -> Vec2 {
        let corners = &self.corners[point.triangle as usize];
        (0..3).map(|k| corners[k] * point.weights[k]).sum()
    }

    /// From the chart: straight ahead through the coordinates from a place, into other charts where it leads there; at a
    /// border it goes on along the border.
    pub fn walk(&self, rest: &Rest, start: &SurfacePoint, along: &Vec2) -> Way {
        let mut way = Way { end: *start, change: Change::none(), stop: Stop::NoArea };
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

    /// Goes on along the border with the part of the remaining way that lies along it.
    fn along_border(&self, rest: &Rest, way: &mut Way, side: usize, left: [Real; 3]) {
        let p = rest.mesh().points(way.end.triangle as usize);
        let edge = p[(side + 1) % 3] - p[side];
        let mut length = (p[0] * left[0] + p[1] * left[1] + p[2] * left[2]).dot(&edge)
            / edge.norm().max(Real::MIN_POSITIVE);
        let mut h = 3 * way.end.triangle + side as u32;
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
            // Only the turn is asked for behind a border vertex: velocities, not places, are taken back.
            way.change = way.change.then(&Change { linear, shift: Vec2::zeros() });
            part = if length > 0.0 { 0.0 } else { 1.0 };
            length -= room.copysign(length);
            h = next;
        }
        let (k, part, mut weights) = (h as usize % 3, part.clamp(0.0, 1.0), [0.0; 3]);
        (weights[k], weights[(k + 1) % 3]) = (1.0 - part, part);
        way.end = SurfacePoint { triangle: h / 3, weights };
    }

    /// Straight ahead from a vertex, along a vector in its coordinates; the change is from the vertex's coordinates.
    pub fn walk_from_vertex(&self, rest: &Rest, vertex: usize, along: &Vec2) -> Option<Way> {
        let inward = |h: u32| {
            let (t, k) = (h as usize / 3, h as usize % 3);
            let slopes = self.slopes(t)?;
            let direction = self.turns[t][k] * along;
            let growth = [1, 2].map(|j| slopes[(k + j) % 3].dot(&direction));
            // By lengths of the triangle's own, so that thin and thick triangles compare.
            Some((
                growth[0].min(growth[1]) / growth[0].abs().max(growth[1].abs()).max(Real::MIN_POSITIVE),
                t,
                k,
            ))
        };
        let all = rest.edges().around(vertex as u32).filter_map(inward);
        let (_, t, k) = all.fold(None, |best: Option<(Real, usize, usize)>, found| match best {
            Some(best) if best.0 >= found.0 => Some(best),
            _ => Some(found),
        })?;
        let mut weights = [0.0; 3];
        weights[k] = 1.0;
        let mut way =
            self.walk(rest, &SurfacePoint { triangle: t as u32, weights }, &(self.turns[t][k] * along));
        way.change.linear *= self.turns[t][k];
        Some(way)
    }

    /// The coordinates of a place as seen from another: in the chart there, continued to the place. `None` when no short
    /// way leads from the one to the other.
    pub fn seen_from(&self, rest: &Rest, from: &SurfacePoint, place: &SurfacePoint) -> Option<Vec2> {
        if from.triangle == place.triangle {
            return Some(self.mix(place));
        }
        let change =
            self.straight(rest, from, place).or_else(|| self.around(rest, from.triangle, place.triangle))?;
        Some(change.inverse().point(&self.mix(place)))
    }

    /// Straight towards a place, aiming anew in every triangle; the change of coordinates on the way.
    fn straight(&self, rest: &Rest, from: &SurfacePoint, place: &SurfacePoint) -> Option<Change> {
        let goal = place.position(rest.mesh());
        let (mut at, mut change, mut entered) = (*from, Change::none(), None);
        for _ in 0..64 {
            let aim = projected(&goal, &rest.mesh().points(at.triangle as usize))?;
            let growth: [Real; 3] = std::array::from_fn(|k| aim[k] - at.weights[k]);
            // A hair farther than the place, which may lie on the edge itself.
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

    /// Over the fewest edges.
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

    /// Fills the turns of the corners at a vertex.
    fn turn_around(&mut self, rest: &Rest, vertex: usize) {
        let Some(stand) = rest.vertex(vertex).map(|p| p.triangle as usize) else { return };
        let edges = rest.edges();
        let (mut linear, mut home) = (Mat2::identity(), None);
        let mut last = None;
        for h in edges.around(vertex as u32) {
            if let Some(before) = last {
                linear = self.over[edges.previous(before) as usize].linear * linear;
            }
            self.turns[h as usize / 3][h as usize % 3] = linear;
            if h as usize / 3 == stand {
                home = Some(linear);
            }
            last = Some(h);
        }
        let first = edges.around(vertex as u32).next();
        let whole = match first.zip(last) {
            Some((first, last))
                if edges.twin(first).is_some() && edges.twin(edges.previous(last)).is_some() =>
            {
                self.over[edges.previous(last) as usize].linear * linear
            }
            _ => Mat2::identity(),
        };
        let closes = (whole - Mat2::identity()).norm() < CLOSES;
        let home = home.map_or_else(Mat2::identity, |home| inverse(&home));
        if closes {
            for h in edges.around(vertex as u32) {
                self.turns[h as usize / 3][h as usize % 3] *= home;
            }
        } else {
            self.turn_through_space(rest, vertex, stand);
        }
    }
}

impl Charts {
    /// The turns at a vertex where coordinates do not close up: as if its triangles were laid into one plane, their angles
    /// there shrunk or stretched alike to fill the circle.
    fn turn_through_space(&mut self, rest: &Rest, vertex: usize, stand: usize) {
        let angle = |h: u32| {
            let (p, k) = (rest.mesh().points(h as usize / 3), h as usize % 3);
            (p[(k + 1) % 3] - p[k]).angle(&(p[(k + 2) % 3] - p[k]))
        };
        let around = || rest.edges().around(vertex as u32);
        let scale = TAU / around().map(angle).sum::<Real>();
        let mut sum = 0.0;
        let mut home = Mat2::identity();
        for pass in 0..2 {
            for h in around() {
                let (t, k, wide) = (h as usize / 3, h as usize % 3, angle(h));
                // From the triangle's own plane, its side at the vertex along x, into the plane of all.
                let turned = Rotation2::new(scale * (sum + 0.5 * wide) - 0.5 * wide);
                sum += wide;
                let own = turned.matrix() * self.flat(rest, t, k);
                match pass {
                    0 if t == stand => home = own,
                    0 => {}
                    _ => self.turns[t][k] = inverse(&own) * home,
                }
            }
            sum = 0.0;
        }
    }

    /// dX/du of a triangle at rest in its own plane, the side after corner `k` along x.
    fn flat(&self, rest: &Rest, triangle: usize, k: usize) -> Mat2 {
        let p = rest.mesh().points(triangle);
        let frame = Frame::of_triangle([p[k], p[(k + 1) % 3], p[(k + 2) % 3]]);
        let jacobian = self.jacobian(triangle, &p);
        let column =
            |axis: usize| frame.map_or_else(Vec2::zeros, |f| f.flatten(&jacobian.column(axis).into()));
        Mat2::from_columns(&[column(0), column(1)])
    }
}

/// (J^T J)^-1 J^T, zero where J has no inverse \[ThinSkin eq. 13\].
pub(super) fn through(jacobian: &Mat3x2) -> nalgebra::Matrix2x3<Real> {
    let gram = jacobian.transpose() * jacobian;
    let sound = gram.determinant() > 1e-12 * gram.trace() * gram.trace();
    let inverse = if sound { gram.try_inverse() } else { None };
    inverse.map_or_else(nalgebra::Matrix2x3::zeros, |inverse| inverse * jacobian.transpose())
}

/// The inverse, or zero.
pub(super) fn inverse(m: &Mat2) -> Mat2 {
    m.try_inverse().unwrap_or_else(Mat2::zeros)
}

fn across(weights: &[Real; 3], side: usize, twin: u32) -> SurfacePoint {
    let other = twin as usize % 3;
    let mut there = [0.0; 3];
    (there[other], there[(other + 1) % 3]) = (weights[(side + 1) % 3], weights[side]);
    SurfacePoint { triangle: twin / 3, weights: there }
}
