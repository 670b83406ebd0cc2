//! UVs of slid faces: all corners of a face seen from one chart of the artist's UVs.
//!
//! A face whose corners slid may straddle a seam; the UVs of the two sides belong to different charts, and mixing them
//! would squeeze all the texture between them into that one face. As in \[ThinSkin, appendix A.2\] the face stays in
//! one chart, which extends past its border: behind a seam the UV map of the last triangle continues, over triangles
//! that are unfolded flat across the edges.
//!
//! - \[ThinSkin\] Li, Sueda, Neog and Pai, "Thin skin elastodynamics", 2013.

use crate::closest::closest_weights;
use crate::{HalfEdges, Mesh, NO_VALUE, SurfacePoint, TriMesh};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

mod faces;
mod held;
mod reported;
mod shared;
mod unfold;
pub use faces::UvScratch;
pub use held::SeamSide;
pub use reported::{SeamFaces, SlidUvs};
pub use unfold::Unfolded;

/// A point with a weight below this counts as on an edge or at a vertex, and so is in the adjacent triangles too.
const ON_EDGE: Real = 1e-12;
/// The squared distance to a triangle, relative to those of two sides and of the path from their corner, below which no
/// closer triangle is searched for.
const NEAR: Real = 0.05;
/// A straight walk over more triangles than this is lost; the search over all triangles takes over.
const MAX_STEPS: usize = 256;

/// A mesh with UVs, prepared for finding the UVs of a point as seen from a face.
pub struct IslandUvs {
    mesh: TriMesh,
    edges: HalfEdges,
    corner_vertices: Vec<u32>,
    corner_uvs: Vec<Vec2>,
    /// First corner of each polygon, and the end.
    corner_starts: Vec<u32>,
    /// First triangle of each polygon, and the end.
    triangle_starts: Vec<u32>,
    /// The largest triangle of each polygon.
    largest: Vec<u32>,
    /// Whether all triangles around a vertex share one UV there: it is on no seam and no border.
    calm: Vec<bool>,
    /// The tiles, by column and row, in which the mesh has UVs, in order.
    tiles: Vec<[i64; 2]>,
    shared: shared::Shared,
}

/// How a polygon was seen.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The triangle in whose chart its UVs are.
    from: u32,
    /// Whether a seam is between.
    over: bool,
    /// Whether its UVs are those of the triangles under its corners, which are the same for all polygons there.
    by_triangles: bool,
}

/// A triangle and the UVs of its vertices as seen from where the path came from.
#[derive(Clone, Copy)]
struct View {
    triangle: u32,
    uvs: [Vec2; 3],
    /// Whether a seam was crossed, so that these are not the triangle's own UVs.
    beyond: bool,
}

/// A point by its vertices and their weights, without those of zero weight: one vertex, two of an edge, or three.
struct Spot {
    own: u32,
    weights: [Real; 3],
    vertices: [u32; 3],
    place: Vec3,
}

impl Spot {
    fn new(point: &SurfacePoint, mesh: &TriMesh) -> Self {
        Spot {
            own: point.triangle,
            weights: snapped(point),
            vertices: mesh.triangles[point.triangle as usize],
            place: point.position(mesh),
        }
    }

    /// The weights of the same point in another triangle, if that contains it.
    fn weights_in(&self, triangle: u32, vertices: [u32; 3]) -> Option<[Real; 3]> {
        if triangle == self.own {
            return Some(self.weights);
        }
        let mut weights = [0.0; 3];
        for (&v, &w) in self.vertices.iter().zip(&self.weights).filter(|(_, w)| **w > 0.0) {
            weights[vertices.iter().position(|&other| other == v)?] += w;
        }
        Some(weights)
    }

    /// The vertex that the point coincides with.
    fn vertex(&self) -> Option<u32> {
        (0..3).find(|&k| self.weights[k] == 1.0).map(|k| self.vertices[k])
    }
}

/// The weights of a point, without negligible ones.
fn snapped(point: &SurfacePoint) -> [Real; 3] {
    let kept = point.weights.map(|w| if w > ON_EDGE { w } else { 0.0 });
    let sum: Real = kept.iter().sum();
    kept.map(|w| w / sum)
}

/// The twin of a half-edge with the same UVs on both sides; none on a seam or a border.
fn smooth_twin(tri: &TriMesh, edges: &HalfEdges, corner_uvs: &[Vec2], h: u32) -> Option<u32> {
    let uv = |h: u32| corner_uvs[tri.corners[h as usize / 3][h as usize % 3] as usize];
    edges.twin(h).filter(|&twin| uv(h) == uv(edges.next(twin)) && uv(edges.next(h)) == uv(twin))
}

/// Whether a vertex is on no seam and no border.
fn calm(tri: &TriMesh, edges: &HalfEdges, corner_uvs: &[Vec2]) -> Vec<bool> {
    let mut calm = vec![true; tri.positions.len()];
    for h in (0..edges.len() as u32).filter(|&h| smooth_twin(tri, edges, corner_uvs, h).is_none()) {
        calm[edges.origin(h) as usize] = false;
        calm[edges.target(h) as usize] = false;
    }
    calm
}

/// Where a straight path between two points given by weights leaves the triangle: the fraction of the path, and the
/// side. The side through which it came in does not count.
fn exit(weights: [Real; 3], goal: [Real; 3], entered: Option<usize>) -> Option<(Real, usize)> {
    let mut exit: Option<(Real, usize)> = None;
    // The weight of vertex `k` falls to zero on the side after it.
    for k in (0..3).filter(|&k| goal[k] < 0.0 && entered != Some((k + 1) % 3)) {
        let step = weights[k] / (weights[k] - goal[k]);
        if exit.is_none_or(|(nearest, _)| step < nearest) {
            exit = Some((step, (k + 1) % 3));
        }
    }
    exit
}

/// The weights in the next triangle where such a path enters it: across `side` of the one, `other` of the next.
fn entry(weights: [Real; 3], goal: [Real; 3], step: Real, [side, other]: [usize; 2]) -> [Real; 3] {
    let at = |k: usize| (weights[k] + step * (goal[k] - weights[k])).max(0.0);
    let mut entered = [0.0; 3];
    (entered[other], entered[(other + 1) % 3]) = (at((side + 1) % 3), at(side));
    entered
}

fn mix(values: [Vec2; 3], weights: [Real; 3]) -> Vec2 {
    values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2]
}

impl IslandUvs {
    /// `tri` must be the triangles of `mesh`, `edges` the adjacency of those triangles; all three are copied as far as
    /// needed. Every corner needs a UV.
    pub fn new(mesh: &Mesh, tri: &TriMesh, edges: &HalfEdges) -> Result<Self> {
        let Some(layer) = &mesh.uvs else {
            return Err(Error::new(Kind::MissingInput, "the mesh has no UVs"));
        };
        let (triangles, corners) = (tri.triangles.len(), mesh.corner_vertices.len());
        let of_mesh = tri.corners.iter().flatten().all(|&c| (c as usize) < corners)
            && tri.faces.is_sorted()
            && tri.faces.last().is_none_or(|&f| (f as usize) < mesh.face_count());
        if edges.len() != 3 * triangles || layer.indices.len() != corners || !of_mesh {
            let message = "the triangles, their adjacency and the UVs are not those of the mesh";
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let starts = |face: u32| tri.faces.partition_point(|&f| f < face) as u32;
        let triangle_starts: Vec<u32> = (0..=mesh.face_count() as u32).map(starts).collect();
        for face in 0..mesh.face_count() {
            if layer.indices[mesh.corners(face)].contains(&NO_VALUE) {
                return Err(Error::new(Kind::MissingInput, "a corner has no UV").face(face));
            }
            if triangle_starts[face] == triangle_starts[face + 1] {
                return Err(Error::new(Kind::CountMismatch, "the face has no triangle").face(face));
            }
        }
        let area = |t: u32| {
            let [a, b, c] = tri.points(t as usize);
            (b - a).cross(&(c - a)).norm_squared()
        };
        let larger = |best: u32, t: u32| if area(t) > area(best) { t } else { best };
        let largest = triangle_starts.windows(2).map(|w| (w[0]..w[1]).fold(w[0], larger)).collect();
        let corner_uvs: Vec<Vec2> = layer.indices.iter().map(|&i| layer.values[i as usize]).collect();
        Ok(IslandUvs {
            calm: calm(tri, edges, &corner_uvs),
            shared: shared::Shared::new(mesh, tri, edges, &corner_uvs),
            tiles: reported::tiles(tri, &corner_uvs),
            mesh: tri.clone(),
            edges: edges.clone(),
            corner_vertices: mesh.corner_vertices.clone(),
            corner_uvs,
            corner_starts: if mesh.face_offsets.is_empty() { vec![0] } else { mesh.face_offsets.clone() },
            triangle_starts,
            largest,
        })
    }

    /// The UVs of the corners of a polygon, now at `points`, all in one chart: that of the surface triangle in the
    /// middle of the polygon's largest triangle.
    ///
    /// A corner at its original position in `mesh` gets its own UV, bit for bit, if the middle is still in the polygon.
    /// A point that no path over edges reaches is projected into the plane of the middle triangle.
    pub fn face_uvs(&self, points: &[SurfacePoint], polygon: usize, out: &mut [Vec2]) -> Result<()> {
        self.check(points, polygon, out)?;
        self.face_uvs_from(points, polygon, SeamSide::Nearest, out);
        Ok(())
    }

    /// By the UVs of the triangles that contain the points.
    fn own_uvs(&self, points: &[SurfacePoint], out: &mut [Vec2]) {
        for (point, out) in points.iter().zip(out) {
            *out = mix(self.own_view(point.triangle).uvs, snapped(point));
        }
    }

    /// Whether a corner is seen across a seam, and the triangle in the middle.
    fn seen_from_middle(&self, points: &[SurfacePoint], polygon: usize, out: &mut [Vec2]) -> (bool, u32) {
        let middle = self.middle(points, polygon);
        let start = self.corner_starts[polygon] as usize;
        let mut over = false;
        let home = self.mesh.faces[middle.triangle as usize] == polygon as u32;
        for (k, (point, out)) in points.iter().zip(out).enumerate() {
            let spot = Spot::new(point, &self.mesh);
            // By corner, not by vertex: a polygon may contain a vertex twice, with two UVs.
            let unmoved = home && spot.vertex() == Some(self.corner_vertices[start + k]);
            let beyond;
            (*out, beyond) = match unmoved {
                true => (self.corner_uvs[start + k], false),
                false => self.seen_from(&middle, &spot),
            };
            over |= beyond;
        }
        (over, middle.triangle)
    }

    fn check(&self, points: &[SurfacePoint], polygon: usize, out: &[Vec2]) -> Result<()> {
        let polygons = self.largest.len();
        if polygon >= polygons {
            return Err(Error::new(
                Kind::OutOfRange,
                format!("there is no polygon {polygon}: there are {polygons}, counted from 0"),
            ));
        }
        let corners = (self.corner_starts[polygon + 1] - self.corner_starts[polygon]) as usize;
        if points.len() != corners || out.len() != corners {
            let text = format!("{} points and {} UVs for {corners} corners", points.len(), out.len());
            return Err(Error::new(Kind::CountMismatch, text).face(polygon));
        }
        let triangles = self.mesh.triangles.len();
        if let Some(bad) = points.iter().find(|p| p.triangle as usize >= triangles) {
            let text = format!("a point in triangle {} of {triangles}", bad.triangle);
            return Err(Error::new(Kind::OutOfRange, text).face(polygon));
        }
        match points.iter().find(|p| !Self::on_surface(p)) {
            Some(bad) => {
                let text = format!("the weights {:?} of a point do not add up to 1", bad.weights);
                Err(Error::new(Kind::NotFinite, text).face(polygon))
            }
            None => Ok(()),
        }
    }

    fn on_surface(p: &SurfacePoint) -> bool {
        (p.weights.iter().sum::<Real>() - 1.0).abs() < 1e-6
    }

    /// Whether the triangles under the corners of a polygon each share a vertex with the next one's, all around, and no
    /// seam touches any of them: then all see each other with their own UVs, wherever the middle is.
    fn joined(&self, points: &[SurfacePoint]) -> bool {
        let triangle = |p: &SurfacePoint| self.mesh.triangles[p.triangle as usize];
        let Some(last) = points.last() else { return false };
        let mut before = triangle(last);
        points.iter().map(triangle).all(|own| {
            let meets = own.iter().any(|v| before.contains(v));
            before = own;
            meets && own.iter().all(|&v| self.calm[v as usize])
        })
    }

    fn own_view(&self, triangle: u32) -> View {
        let uvs = self.mesh.corners[triangle as usize].map(|c| self.corner_uvs[c as usize]);
        View { triangle, uvs, beyond: false }
    }

    /// The surface point in the middle of the polygon's largest triangle: descends the distance to that middle from the
    /// triangle of its first corner, over triangles that share a vertex, until one is under it.
    fn middle(&self, points: &[SurfacePoint], polygon: usize) -> SurfacePoint {
        let start = self.corner_starts[polygon];
        let corners = self.mesh.corners[self.largest[polygon] as usize].map(|c| points[(c - start) as usize]);
        let goal = corners.iter().map(|p| p.position(&self.mesh)).sum::<Vec3>() / 3.0;
        let mut best = self.closest_in(corners[0].triangle, &goal);
        while !self.is_under(&best, &goal) {
            let vertices = self.mesh.triangles[best.1.triangle as usize];
            let around = vertices.iter().flat_map(|&v| self.edges.around(v)).map(|h| h / 3);
            let nearer = around
                .map(|t| self.closest_in(t, &goal))
                .fold(best, |best, found| if found.0 < best.0 { found } else { best });
            if nearer.1.triangle == best.1.triangle {
                break;
            }
            best = nearer;
        }
        best.1
    }

    /// Whether `goal` projects into the triangle of a point, from nearby.
    fn is_under(&self, (square, point): &(Real, SurfacePoint), goal: &Vec3) -> bool {
        let [a, b, c] = self.mesh.points(point.triangle as usize);
        point.weights.iter().all(|w| *w > 0.0)
            && *square
                < NEAR * (b - a).norm_squared().min((c - a).norm_squared()).min((goal - a).norm_squared())
    }

    /// The point of a triangle closest to `goal`, with the squared distance.
    fn closest_in(&self, triangle: u32, goal: &Vec3) -> (Real, SurfacePoint) {
        let point =
            SurfacePoint { triangle, weights: closest_weights(goal, &self.mesh.points(triangle as usize)) };
        ((point.position(&self.mesh) - goal).norm_squared(), point)
    }

    /// The UV, and whether it is seen across a seam.
    fn seen_from(&self, middle: &SurfacePoint, spot: &Spot) -> (Vec2, bool) {
        // Around a vertex without a seam, every path between two triangles sees their own UVs.
        let beside = self.mesh.triangles[middle.triangle as usize];
        if spot.vertices.iter().any(|v| self.calm[*v as usize] && beside.contains(v)) {
            return (mix(self.own_view(spot.own).uvs, spot.weights), false);
        }
        // Inside a polygon there is no seam, but a straight line may leave it where it is concave.
        let polygon = self.mesh.faces[middle.triangle as usize] as usize;
        let siblings = self.triangle_starts[polygon]..self.triangle_starts[polygon + 1];
        let direct = std::iter::once(middle.triangle).chain(siblings).map(|t| self.own_view(t));
        if let Some(uv) = direct.into_iter().find_map(|view| self.found(&view, spot)) {
            return (uv, false);
        }
        let way = self.walk(middle, spot).or_else(|| self.search(middle.triangle, spot));
        match way.and_then(|view| Some((self.found(&view, spot)?, view.beyond))) {
            Some(seen) => seen,
            None => {
                let view = self.own_view(middle.triangle);
                let weights = self.projected(middle.triangle, &spot.place).unwrap_or(middle.weights);
                (mix(view.uvs, weights), true)
            }
        }
    }

    fn found(&self, view: &View, spot: &Spot) -> Option<Vec2> {
        let vertices = self.mesh.triangles[view.triangle as usize];
        spot.weights_in(view.triangle, vertices).map(|weights| mix(view.uvs, weights))
    }

    /// The weights of the projection of `p` into the plane of a triangle; `None` without area.
    fn projected(&self, triangle: u32, p: &Vec3) -> Option<[Real; 3]> {
        let [a, b, c] = self.mesh.points(triangle as usize);
        let normal = (b - a).cross(&(c - a));
        let square = normal.norm_squared();
        let (w1, w2) = ((p - a).cross(&(c - a)).dot(&normal), (b - a).cross(&(p - a)).dot(&normal));
        let (w1, w2) = (w1 / square, w2 / square);
        (w1.is_finite() && w2.is_finite()).then_some([1.0 - w1 - w2, w1, w2])
    }

    /// Straight towards the point, re-aiming in every triangle, to the first one that contains it; `None` if that does
    /// not reach it.
    fn walk(&self, from: &SurfacePoint, spot: &Spot) -> Option<View> {
        let mut view = self.own_view(from.triangle);
        let (mut weights, mut entered) = (from.weights, None);
        for _ in 0..MAX_STEPS {
            let goal = self.projected(view.triangle, &spot.place)?;
            let (step, side) = exit(weights, goal, entered)?;
            let (next, other) = self.cross(&view, side)?;
            weights = entry(weights, goal, step, [side, other]);
            (view, entered) = (next, Some(other));
            if self.found(&view, spot).is_some() {
                return Some(view);
            }
        }
        None
    }

    /// Over the triangles by the length of the path through their centres (Dijkstra).
    fn search(&self, from: u32, spot: &Spot) -> Option<View> {
        let centre = |t: u32| self.mesh.points(t as usize).iter().sum::<Vec3>() / 3.0;
        let mut seen: HashMap<u32, View> = HashMap::new();
        // Nonnegative numbers are ordered like their bits.
        let mut queue = BinaryHeap::from([Reverse((0u64, from, None))]);
        while let Some(Reverse((length, triangle, over))) = queue.pop() {
            if seen.contains_key(&triangle) {
                continue;
            }
            let view = match over {
                None => self.own_view(triangle),
                Some((before, side)) => self.cross(&seen[&before], side)?.0,
            };
            if self.found(&view, spot).is_some() {
                return Some(view);
            }
            seen.insert(triangle, view);
            for side in 0..3 {
                if let Some(twin) = self.edges.twin(3 * triangle + side) {
                    let way = (centre(twin / 3) - centre(triangle)).norm();
                    let length = Real::from_bits(length) + way;
                    queue.push(Reverse((length.to_bits(), twin / 3, Some((triangle, side as usize)))));
                }
            }
        }
        None
    }

    /// The view of the triangle behind a side, and which of its sides that is.
    fn cross(&self, view: &View, side: usize) -> Option<(View, usize)> {
        let twin = self.edges.twin(3 * view.triangle + side as u32)?;
        let (next, other) = (self.own_view(twin / 3), (twin % 3) as usize);
        let (from, to) = (view.uvs[side], view.uvs[(side + 1) % 3]);
        if !view.beyond && next.uvs[(other + 1) % 3] == from && next.uvs[other] == to {
            return Some((next, other));
        }
        let mut uvs = [Vec2::zeros(); 3];
        (uvs[(other + 1) % 3], uvs[other]) = (from, to);
        uvs[(other + 2) % 3] = self.unfolded(view, side, next.triangle, other);
        Some((View { triangle: next.triangle, uvs, beyond: true }, other))
    }

    /// The UV of the vertex opposite a side, extrapolated from the triangle before it.
    ///
    /// With the edge from a to b and the vertices c before and d behind it, both laid into one plane:
    /// c = a + s_c (b - a) - h_c n, d = a + s_d (b - a) + h_d n, n the unit vector across the edge. The UV map is
    /// affine, so uv_d = uv_a + s_d (uv_b - uv_a) + (h_d / h_c) (uv_a + s_c (uv_b - uv_a) - uv_c).
    fn unfolded(&self, view: &View, side: usize, behind: u32, other: usize) -> Vec2 {
        let before = self.mesh.points(view.triangle as usize);
        let (a, b) = (before[side], before[(side + 1) % 3]);
        let c = before[(side + 2) % 3];
        let d = self.mesh.points(behind as usize)[(other + 2) % 3];
        let edge = b - a;
        let along = |p: Vec3| edge.dot(&(p - a)) / edge.norm_squared();
        let away = |p: Vec3| edge.cross(&(p - a)).norm() / edge.norm();
        let (from, to) = (view.uvs[side], view.uvs[(side + 1) % 3]);
        let on = |s: Real| from + (to - from) * s;
        let uv = on(along(d)) + (on(along(c)) - view.uvs[(side + 2) % 3]) * (away(d) / away(c));
        // Without area there is no direction across: the vertex stays on the edge.
        if uv.iter().all(|x| x.is_finite()) { uv } else { (from + to) * 0.5 }
    }
}

#[cfg(test)]
mod tests;
