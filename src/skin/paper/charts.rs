//! The atlas: coordinates in the plane for every triangle, and how they change over every edge \[ThinSkin §3.1, A.1\].
//!
//! A triangle's corners all use the coordinates of its chart; leaving a triangle across an edge changes to the
//! coordinates of its neighbour. For quad charts that change is a quarter turn and a whole shift, or the identity; for
//! the artist's UVs it is the identity inside an island and, across a seam, the affine map that unfolds the triangle
//! behind the seam next to the one before it. Coordinates are found by walking from their last position: no triangle is
//! searched for.
//!
//! A velocity at a vertex is in the chart of one triangle there, the vertex's; turning around the vertex leads to the
//! others. Where the full turn is not the identity (irregular corners of quad charts, seams of UVs), the triangles
//! there are laid into one plane instead.

use super::super::rest::Rest;
use super::change::{Change, inverse};
use super::flat::{far_from_edge, islands, quarter_turn, unfolded, weight_slopes};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::atlas::Atlas;
use sinew_geometry::measure::corner_angles;
use sinew_geometry::{Frame, Mesh, NO_VALUE, SurfacePoint};
use sinew_math::{Mat2, Mat3x2, Real, Vec2, Vec3, rotation2};
use std::f64::consts::TAU;

/// Tolerance for coordinates that close up around a vertex.
const CLOSES: Real = 1e-9;

/// An atlas of the rest surface.
#[derive(Clone, Debug)]
pub struct Charts {
    of_triangle: Vec<u32>,
    corners: Vec<[Vec2; 3]>,
    /// The gradients of the three weights by the coordinates; `None` without area.
    slopes: Vec<Option<[Vec2; 3]>>,
    /// The change across each half-edge, from its triangle to the neighbour.
    pub(super) over: Vec<Change>,
    /// Whether there is no change across any edge at a vertex.
    pub(super) calm: Vec<bool>,
    /// For each corner of each triangle, from the coordinates of the vertex to those of the triangle.
    pub(super) turns: Vec<[Mat2; 3]>,
    /// The corners with area at each vertex, as ranges of `fans`.
    fan_starts: Vec<u32>,
    fans: Vec<Corner>,
}

/// A corner of a triangle, as one of those at its vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) triangle: u32,
    pub(super) corner: u32,
    /// The triangle's part of the area around the vertex at rest.
    pub(super) share: Real,
    /// The gradients of the weights of the other two corners by the coordinates of the vertex.
    pub(super) across: [Vec2; 2],
}

impl Charts {
    /// Quad charts; `atlas` must belong to the triangles at rest.
    pub fn quads(rest: &Rest, atlas: &Atlas) -> Result<Self> {
        let triangles = rest.mesh().triangles.len();
        if atlas.charts().of_triangle().len() != triangles {
            return Err(Error::new(Kind::CountMismatch, "the atlas does not belong to the mesh at rest"));
        }
        let all = 0..triangles as u32;
        let of_triangle = all.clone().map(|t| atlas.chart(t)).collect();
        let corners: Vec<_> = all.map(|t| atlas.corners(t)).collect();
        Charts::new(rest, of_triangle, corners, |from, to, _| quarter_turn(from, to))
    }

    /// The islands of the artist's UVs; `mesh` must be that of the triangles at rest.
    pub fn islands(rest: &Rest, mesh: &Mesh) -> Result<Self> {
        let Some(layer) = &mesh.uvs else {
            return Err(Error::new(Kind::MissingInput, "the mesh has no UVs to make an atlas from"));
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
            return Err(Error::new(Kind::CountMismatch, "the triangles do not belong to the mesh with UVs"));
        }
        let of_triangle = islands(rest, &corners);
        Charts::new(rest, of_triangle, corners, |from, to, far| {
            let inside = from[..2] == to[..2];
            Some(if inside { Change::none() } else { unfolded(from, to, far) })
        })
    }

    /// `change` computes the change across an edge from the two ends of the edge on both sides, and from the positions
    /// of the opposite vertices along the edge and away from it.
    pub(super) fn new(
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
            let far = [far_from_edge(rest, t, side, false), far_from_edge(rest, behind, other, true)];
            *over = change(from, there, far).ok_or_else(|| {
                Error::new(Kind::Topology, "the coordinates on both sides of an edge do not match").face(t)
            })?;
        }
        let (none, turns) = (Change::none(), vec![[Mat2::identity(); 3]; corners.len()]);
        let all_calm = |v| {
            rest.edges()
                .around(v)
                .all(|h| over[h as usize] == none && over[rest.edges().previous(h) as usize] == none)
        };
        let calm = (0..rest.mesh().positions.len() as u32).map(all_calm).collect();
        let (fan_starts, fans) = fans(rest);
        let mut made = Charts { of_triangle, corners, slopes, over, calm, turns, fan_starts, fans };
        (0..rest.mesh().positions.len()).for_each(|v| made.turn_around(rest, v));
        for corner in &mut made.fans {
            let (t, k) = (corner.triangle as usize, corner.corner as usize);
            let slopes = made.slopes[t].unwrap_or_default();
            corner.across = [1, 2].map(|j| made.turns[t][k].transpose() * slopes[(k + j) % 3]);
        }
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

    /// To chart space: the chart of a point and its coordinates there.
    pub fn coordinates(&self, point: &SurfacePoint) -> (u32, Vec2) {
        (self.chart(point.triangle), self.mix(point))
    }

    /// The change of coordinates across a half-edge.
    pub fn transition(&self, h: u32) -> &Change {
        &self.over[h as usize]
    }

    /// From the coordinates of the vertex at a corner to those of the triangle, for velocities.
    pub fn turn(&self, triangle: usize, corner: usize) -> &Mat2 {
        &self.turns[triangle][corner]
    }

    /// The corners with area at a vertex.
    pub(super) fn fan(&self, vertex: usize) -> &[Corner] {
        &self.fans[self.fan_starts[vertex] as usize..self.fan_starts[vertex + 1] as usize]
    }

    /// The gradients of the weights in a triangle by its coordinates; `None` without area.
    pub fn slopes(&self, triangle: usize) -> Option<&[Vec2; 3]> {
        self.slopes[triangle].as_ref()
    }

    /// The Jacobian of a map that is linear on a triangle: D_x D_u^-1 with the values at its corners.
    pub fn jacobian(&self, triangle: usize, values: &[Vec3; 3]) -> Mat3x2 {
        let slopes = self.slopes[triangle].unwrap_or_default();
        let column =
            |k: usize| values[0] * slopes[0][k] + values[1] * slopes[1][k] + values[2] * slopes[2][k];
        Mat3x2::from_columns(&[column(0), column(1)])
    }

    pub(super) fn mix(&self, point: &SurfacePoint) -> Vec2 {
        let corners = &self.corners[point.triangle as usize];
        (0..3).map(|k| corners[k] * point.weights[k]).sum()
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
    /// The turns at a vertex where coordinates do not close up: its triangles are laid into one plane, their angles
    /// there scaled uniformly to fill the circle.
    fn turn_through_space(&mut self, rest: &Rest, vertex: usize, stand: usize) {
        let angle = |h: u32| corner_angles(rest.mesh().points(h as usize / 3))[h as usize % 3];
        let around = || rest.edges().around(vertex as u32);
        let scale = TAU / around().map(angle).sum::<Real>();
        let mut sum = 0.0;
        let mut home = Mat2::identity();
        for pass in 0..2 {
            for h in around() {
                let (t, k, wide) = (h as usize / 3, h as usize % 3, angle(h));
                // From the triangle's own plane, its side at the vertex along x, into the common plane.
                let turned = rotation2(scale * (sum + 0.5 * wide) - 0.5 * wide);
                sum += wide;
                let own = turned * self.flat(rest, t, k);
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

/// The corners with area at every vertex.
fn fans(rest: &Rest) -> (Vec<u32>, Vec<Corner>) {
    let (mut starts, mut fans) = (vec![0], Vec::<Corner>::new());
    for vertex in 0..rest.mesh().positions.len() as u32 {
        let first = fans.len();
        let with_area = rest.edges().around(vertex).filter(|h| rest.has_area(*h as usize / 3));
        fans.extend(with_area.map(|h| {
            let share = rest.areas()[h as usize / 3];
            Corner { triangle: h / 3, corner: h % 3, share, across: [Vec2::zeros(); 2] }
        }));
        let whole: Real = fans[first..].iter().map(|corner| corner.share).sum();
        fans[first..].iter_mut().for_each(|corner| corner.share /= whole);
        starts.push(fans.len() as u32);
    }
    (starts, fans)
}

/// (J^T J)^-1 J^T, zero where J has no inverse \[ThinSkin eq. 13\].
pub(super) fn through(jacobian: &Mat3x2) -> nalgebra::Matrix2x3<Real> {
    let gram = jacobian.transpose() * jacobian;
    let sound = gram.determinant() > 1e-12 * gram.trace() * gram.trace();
    let inverse = if sound { gram.try_inverse() } else { None };
    inverse.map_or_else(nalgebra::Matrix2x3::zeros, |inverse| inverse * jacobian.transpose())
}
