//! Cross-sections of a solid with a plane: polygons in the plane, and closest points on them.
//!
//! A vertex on the plane counts as above it. Every triangle then has either no side that crosses the plane or two, so
//! that the walk from triangle to triangle closes for any plane: rounding may move a polygon's points, but never tears
//! it. Where the walks begin depends on the solid alone, not on earlier planes.

use super::solid::Solid;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Mat3, Placement, Real, Vec2, Vec3};
use std::ops::Range;

/// The cross-section of a solid with a plane. Its memory is reused for the next plane.
#[derive(Clone, Debug, Default)]
pub struct Section {
    points: Vec<Vec2>,
    /// The in-plane drift of each point per unit that the plane rises along its normal.
    drifts: Vec<Vec2>,
    loops: Vec<Range<usize>>,
    extent: Real,
    /// Whether the walk has visited a half-edge; cleared after each update.
    seen: Vec<bool>,
    crossed: Vec<u32>,
}

/// The closest point on a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnSection {
    /// The distance to the polygon, negative inside.
    pub distance: Real,
    /// The unit vector out of the solid, along which the distance grows.
    pub normal: Vec2,
    /// The closest point of the polygon.
    pub foot: Vec2,
    /// The lean of the solid's surface there: (normal, lean) is perpendicular to it, in the plane's axes. Around a
    /// corner it changes linearly from one face's to the other's.
    pub lean: Real,
    /// The polygon's edge with the foot point: the index of its first point in [`Section::points`].
    pub edge: usize,
}

/// Points of a polygon closer than this fraction of the solid's size are one: the directions of shorter edges would be
/// rounding errors.
const SAME_POINT: Real = 1e-10;
/// A polygon with less area than this fraction of its squared length results from a plane that touches an edge.
const NO_AREA: Real = 1e-12;
/// Closer to an edge than this fraction of the solid's size, the edge defines the outward direction: the direction
/// between point and foot would be a rounding error.
const ON_EDGE: Real = 1e-9;

/// If an end of a solid's edge is closer to the plane than this fraction of its length, the drift of its crossing is
/// mostly round-off.
const ALONG_PLANE: Real = 1e-6;

/// The plane in the solid's coordinates.
struct Cut<'a> {
    solid: &'a Solid,
    origin: Vec3,
    axes: Mat3,
    normal: Vec3,
}

impl Cut<'_> {
    fn height(&self, vertex: u32) -> Real {
        self.normal.dot(&(self.solid.positions()[vertex as usize] - self.origin))
    }

    /// Where a rising half-edge, from below to above, meets the plane, and how that drifts as the plane rises; the
    /// heights of its ends are given. Computed from its upper end, so that one that ends on the plane gives that vertex
    /// to the bit.
    fn crossing(&self, h: u32, [below, above]: [Real; 2]) -> [Vec2; 2] {
        let edges = self.solid.edges();
        let [a, b] = [edges.origin(h), edges.target(h)].map(|v| self.solid.positions()[v as usize]);
        let flat = |v: Vec3| Vec2::new(self.axes.column(0).dot(&v), self.axes.column(1).dot(&v));
        let (rise, edge) = (above - below, b - a);
        // The length of the edge matters only along the plane, which is rare.
        let steep = rise * rise >= ALONG_PLANE * ALONG_PLANE * edge.norm_squared();
        let drift = 1.0 / if steep { rise } else { ALONG_PLANE * edge.norm() };
        [flat(b - edge * (above / rise) - self.origin), flat(edge) * drift]
    }
}

impl Section {
    /// Cuts a solid with the plane through the origin of `plane` perpendicular to its z axis; the polygons are in its x
    /// and y. Seen against z they run counter-clockwise around the solid, which is on their left.
    ///
    /// A plane that misses the solid, or touches it without area, is an error.
    pub fn update(&mut self, solid: &Solid, plane: &Placement) -> Result<()> {
        let axes = plane.axes();
        let cut = Cut { solid, origin: plane.origin, axes, normal: axes.column(2).into_owned() };
        self.points.clear();
        self.drifts.clear();
        self.loops.clear();
        self.extent = solid.extent();
        self.seen.resize(solid.edges().len(), false);
        let Section { seen, crossed, points, drifts, loops, extent } = self;
        solid.near_plane(&cut.origin, &cut.normal, |triangle| {
            // A triangle that is cut has one rising half-edge.
            let sides = 3 * triangle as usize..3 * triangle as usize + 3;
            if seen[sides].contains(&true) {
                return;
            }
            let heights = solid.triangles()[triangle as usize].map(|v| cut.height(v));
            let above = heights.map(|height| height >= 0.0);
            if let Some(side) = (0..3).find(|&side| !above[side] && above[(side + 1) % 3]) {
                let first = points.len();
                let ends = [heights[side], heights[(side + 1) % 3]];
                walk(&cut, 3 * triangle + side as u32, ends, seen, crossed, |[point, drift]| {
                    points.push(point);
                    drifts.push(drift);
                });
                if close(points, drifts, first, *extent) {
                    loops.push(first..points.len());
                }
            }
        });
        self.crossed.drain(..).for_each(|h| self.seen[h as usize] = false);
        match self.loops.is_empty() {
            true => Err(Error::new(Kind::Degenerate, "the plane misses the solid")),
            false => Ok(()),
        }
    }

    /// The points of all polygons.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// The polygons, each without repeating its first point at the end; holes run clockwise.
    pub fn loops(&self) -> impl Iterator<Item = &[Vec2]> {
        self.loops.iter().map(|range| &self.points[range.clone()])
    }

    /// The area of the solid in the plane, excluding holes.
    pub fn area(&self) -> Real {
        self.loops().map(area).sum()
    }

    /// Whether a point of the plane is in the solid: the polygons wind around it more often to the left than to the
    /// right.
    pub fn contains(&self, point: &Vec2) -> bool {
        self.edges().map(|(_, a, b)| winding(point, &a, &b)).sum::<i32>() > 0
    }

    /// The closest point to a point; `None` if there is no section.
    ///
    /// Outside, the normal is the direction from the foot to the point, which turns continuously around a corner;
    /// inside it is the opposite, which at a convex corner is the normal of the nearest edge. On an edge it is that
    /// edge's, at a corner the mean of both. In case of a tie the first foot counts.
    pub fn closest(&self, point: &Vec2) -> Option<OnSection> {
        let (mut best, mut edge, mut foot, mut turns) = (Real::INFINITY, [0, 0], Vec2::zeros(), 0);
        let mut part = 0.0;
        for (ends, a, b) in self.edges() {
            let along = b - a;
            // Consecutive points of a polygon are distinct, so the length is not zero.
            let at = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            let near = a + along * at;
            let square = (point - near).norm_squared();
            if square < best {
                (best, edge, foot, part) = (square, ends, near, at);
            }
            turns += winding(point, &a, &b);
        }
        let distance = best.is_finite().then(|| best.sqrt())?;
        let sign = if turns > 0 { -1.0 } else { 1.0 };
        let normal = if distance > ON_EDGE * self.extent {
            (point - foot) * (sign / distance)
        } else {
            self.edge_normal(edge[0], &foot)
        };
        // Between the ends of an edge both agree, because both lie on the same face.
        let drift = self.drifts[edge[0]].lerp(&self.drifts[edge[1]], part);
        Some(OnSection { distance: sign * distance, normal, lean: -normal.dot(&drift), foot, edge: edge[0] })
    }

    /// The normal of the edge that begins at a point; at a corner the mean with the next edge's, or the one before.
    fn edge_normal(&self, edge: usize, foot: &Vec2) -> Vec2 {
        let Some(range) = self.loops.iter().find(|r| r.contains(&edge)) else { return Vec2::zeros() };
        let (count, at) = (range.len(), edge - range.start);
        let point = |k: usize| self.points[range.start + k % count];
        let out = |k: usize| {
            let along = (point(k + 1) - point(k)).normalize();
            Vec2::new(along.y, -along.x)
        };
        let near = |k: usize| (point(k) - foot).norm() <= ON_EDGE * self.extent;
        let mean = match (near(at), near(at + 1)) {
            (true, false) => out(at + count - 1) + out(at),
            (false, true) => out(at) + out(at + 1),
            _ => out(at),
        };
        // The two edges of a spike have opposite normals; either will do.
        mean.try_normalize(1e-6).unwrap_or_else(|| out(at))
    }

    /// Every edge: the indices of its points in [`Section::points`], and both points.
    fn edges(&self) -> impl Iterator<Item = ([usize; 2], Vec2, Vec2)> {
        self.loops.iter().flat_map(move |range| {
            let next = move |k: usize| if k + 1 < range.end { k + 1 } else { range.start };
            range.clone().map(move |k| ([k, next(k)], self.points[k], self.points[next(k)]))
        })
    }
}

/// Follows the plane from triangle to triangle, once around, starting at a rising half-edge whose ends have known
/// heights.
///
/// The line of the cut runs along z x (the triangle's normal), which has the solid on its left: it leaves a triangle
/// through its rising half-edge, and so enters the next through a falling one.
fn walk(
    cut: &Cut,
    start: u32,
    mut ends: [Real; 2],
    seen: &mut [bool],
    crossed: &mut Vec<u32>,
    mut found: impl FnMut([Vec2; 2]),
) {
    let edges = cut.solid.edges();
    let mut h = start;
    while !seen[h as usize] {
        seen[h as usize] = true;
        crossed.push(h);
        found(cut.crossing(h, ends));
        // A solid has a twin everywhere.
        let Some(falling) = edges.twin(h) else { return };
        let next = edges.next(falling);
        let height = cut.height(edges.target(next));
        let above = height >= 0.0;
        h = if above { next } else { edges.previous(falling) };
        ends[usize::from(above)] = height;
    }
}

/// Drops points of the last polygon that are too close to the previous one; false, with all of them dropped, if no area
/// is left.
fn close(points: &mut Vec<Vec2>, drifts: &mut Vec<Vec2>, first: usize, extent: Real) -> bool {
    let apart = |a: &Vec2, b: &Vec2| (a - b).norm_squared() > (SAME_POINT * extent).powi(2);
    let mut end = first + 1;
    for k in first + 1..points.len() {
        if apart(&points[k], &points[end - 1]) {
            (points[end], drifts[end]) = (points[k], drifts[k]);
            end += 1;
        }
    }
    while end > first + 1 && !apart(&points[end - 1], &points[first]) {
        end -= 1;
    }
    points.truncate(end);
    let polygon = &points[first..];
    let length: Real =
        (0..polygon.len()).map(|k| (polygon[(k + 1) % polygon.len()] - polygon[k]).norm()).sum();
    let some = polygon.len() > 2 && area(polygon).abs() > NO_AREA * length * length;
    if !some {
        points.truncate(first);
    }
    drifts.truncate(points.len());
    some
}

/// The area of a polygon, positive if it runs counter-clockwise: half the sum of the cross products (Green).
fn area(polygon: &[Vec2]) -> Real {
    let origin = polygon[0];
    polygon.windows(2).map(|w| 0.5 * (w[0] - origin).perp(&(w[1] - origin))).sum()
}

/// The contribution of an edge to the winding number around a point: 1 if it crosses the ray to the right upwards, -1
/// downwards.
fn winding(point: &Vec2, a: &Vec2, b: &Vec2) -> i32 {
    let (from, to) = (a.y <= point.y, b.y <= point.y);
    if from == to {
        return 0;
    }
    let left = (b - a).perp(&(point - a)) > 0.0;
    match (from, left) {
        (true, true) => 1,
        (false, false) => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
