//! Binding of fine vertices to the coarse surface.
//!
//! x = sum_k w_k (p_k + h n_k): the point whose interpolated normal leads to the vertex (Kobbelt, Vorsatz and Seidel,
//! "Multiresolution hierarchies on unstructured triangle meshes", 1999; Panozzo et al., "Weighted averages on surfaces
//! via Phong projection", 2013). Unlike the closest point it is one-to-one across the edges of the coarse surface.

use super::super::closest::Closest;
use super::super::half_edges::HalfEdges;
use super::super::measure::{triangle_area_vector, vertex_normals};
use super::super::triangles::TriMesh;
use super::sheet::Sheet;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Mat3, Real, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Newton's method doubles the digits with each step; without convergence after this many there is no solution nearby.
const STEPS: usize = 12;

/// This many neighbours of the closest triangle are tried: the normals lead no farther.
const HOPS: usize = 8;

/// How far the weights may be outside of the triangle: across a border there is no better one.
const OUTSIDE: Real = 1.0;

/// At folds, normals may lead to a vertex by a long way around, and would carry it far when they turn. A bond is
/// rejected if its height exceeds the distance of the closest point by this factor and this fraction of the triangle.
const DETOUR: Real = 3.0;
const NEAR: Real = 0.25;

/// A fine vertex as a function of the coarse triangle: its points with the weights `along`, and its vertex normals
/// with the weights `off`. Where no normal leads to it, as in a fold, `off` is zero, and it stays `aside` instead, in
/// [`frame`] of the triangle: that turns with the triangle but is never longer than at rest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bond {
    pub(super) triangle: u32,
    pub(super) along: [Real; 3],
    pub(super) off: [Real; 3],
    pub(super) aside: Option<Vec3>,
}

impl Bond {
    /// The position if the triangle has these points and normals.
    pub(super) fn place(&self, points: &[Vec3; 3], normals: &[Vec3; 3]) -> Vec3 {
        let place: Vec3 = (0..3).map(|k| points[k] * self.along[k] + normals[k] * self.off[k]).sum();
        match &self.aside {
            Some(aside) => place + frame(points) * aside,
            None => place,
        }
    }

    /// The height of the vertex over the surface, in lengths of the normal.
    pub(super) fn height(&self) -> Real {
        self.off.iter().sum()
    }

    /// The normal there, of any length.
    pub(super) fn normal(&self, normals: &[Vec3; 3]) -> Vec3 {
        (0..3).map(|k| normals[k] * self.along[k]).sum()
    }
}

/// The directions of a triangle: along its first edge, across it, upwards.
fn frame([p, q, r]: &[Vec3; 3]) -> Mat3 {
    let along = (q - p).try_normalize(0.0).unwrap_or_default();
    let up = (q - p).cross(&(r - p)).try_normalize(0.0).unwrap_or_default();
    Mat3::from_columns(&[along, up.cross(&along), up])
}

/// The coarse surface to bind to.
pub(super) struct Binder<'a> {
    sheet: &'a Sheet,
    normals: &'a [Vec3],
}

/// The coarse triangles that may carry the fine vertices around a coarse vertex.
#[derive(Default)]
struct Patch {
    triangles: Vec<u32>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(sheet: &'a Sheet, normals: &'a [Vec3]) -> Self {
        Binder { sheet, normals }
    }

    /// Binds all vertices of the fine mesh, from the coarse vertices outwards along the edges of the fine mesh: each
    /// search begins where a neighbour was bound.
    pub(super) fn bind(&self, fine: &TriMesh, edges: &HalfEdges, vertices: &[u32]) -> Result<Vec<Bond>> {
        let normals = vertex_normals(fine);
        let mut bonds = vec![Bond::default(); fine.positions.len()];
        let patches: Vec<Patch> = (0..vertices.len() as u32).map(|c| self.patch(c)).collect();
        let reached = reach(fine, edges, vertices);
        for Reached { vertex, from, nearest } in reached.iter().copied() {
            let p = &fine.positions[vertex as usize];
            bonds[vertex as usize] = match self.sheet.edges.around(nearest).next() {
                Some(h) if from == vertex => {
                    let mut bond = Bond { triangle: h / 3, ..Bond::default() };
                    bond.along[h as usize % 3] = 1.0;
                    bond
                }
                Some(_) => {
                    let (normal, patch) = (&normals[vertex as usize], &patches[nearest as usize]);
                    let foot = self.foot(bonds[from as usize].triangle, patch, p, normal);
                    self.bond(patch, p, normal, foot)
                }
                None => self.lone(p),
            };
        }
        let mut done = vec![false; bonds.len()];
        reached.iter().for_each(|reached| done[reached.vertex as usize] = true);
        for v in (0..done.len()).filter(|&v| !done[v]) {
            let p = &fine.positions[v];
            if edges.is_used(v as u32) {
                let message = format!(
                    "nothing is left of the part of the mesh at ({:.4}, {:.4}, {:.4}) to carry its skin: more \
                     triangles are needed, or vertices of that part to keep",
                    p.x, p.y, p.z
                );
                return Err(Error::new(Kind::Degenerate, message).vertex(v));
            }
            bonds[v] = self.lone(p);
        }
        Ok(bonds)
    }

    /// A vertex without triangles has no skin; any place near it will do.
    fn lone(&self, p: &Vec3) -> Bond {
        let on = self.sheet.closest(0, p).on;
        Bond { triangle: on.triangle, along: on.weights, ..Bond::default() }
    }

    /// The triangles at a coarse vertex and at its neighbours.
    fn patch(&self, vertex: u32) -> Patch {
        let edges = &self.sheet.edges;
        let ring = edges.one_ring(vertex);
        let centres = std::iter::once(vertex).chain(ring);
        let mut triangles: Vec<u32> = centres.flat_map(|v| edges.around(v).map(|h| h / 3)).collect();
        triangles.sort_unstable();
        triangles.dedup();
        Patch { triangles }
    }

    /// The closest point, searched from a triangle; if that looks wrong, the closest of the patch that faces the same
    /// way as the vertex.
    fn foot(&self, start: u32, patch: &Patch, p: &Vec3, normal: &Vec3) -> Closest {
        let near = self.sheet.closest(start, p);
        let faces = |c: &Closest| {
            let corners = self.corners(c.on.triangle);
            c.on.mix(corners.map(|v| self.normals[v])).dot(normal) >= 0.0
        };
        if patch.has(near.on.triangle) && near.distance < 0.5 * self.size(near.on.triangle) && faces(&near) {
            return near;
        }
        let mut best: Option<(bool, Closest)> = None;
        for &t in &patch.triangles {
            let found = self.sheet.on_triangle(t, p);
            let facing = faces(&found);
            let better = |(faced, other): &(bool, Closest)| {
                (facing && !faced) || (facing == *faced && found.distance < other.distance)
            };
            if best.as_ref().is_none_or(better) {
                best = Some((facing, found));
            }
        }
        best.map_or(near, |(_, found)| found)
    }

    /// The length of a square with twice the area of a triangle.
    fn size(&self, triangle: u32) -> Real {
        triangle_area_vector(self.sheet.mesh.points(triangle as usize)).norm().sqrt()
    }

    fn corners(&self, triangle: u32) -> [usize; 3] {
        self.sheet.mesh.triangles[triangle as usize].map(|v| v as usize)
    }

    fn bond(&self, patch: &Patch, p: &Vec3, normal: &Vec3, foot: Closest) -> Bond {
        let mut triangle = foot.on.triangle;
        let mut weights = foot.on.weights;
        let mut best: Option<(Real, Bond)> = None;
        for _ in 0..HOPS {
            let Some((along, height)) = self.along_normals(triangle, weights, p) else { break };
            let (lowest, least) =
                (0..3).map(|k| (k, along[k])).fold((0, 1.0), |a, b| if b.1 < a.1 { b } else { a });
            let bond = Bond { triangle, along, off: along.map(|w| w * height), aside: None };
            // Across a rim the normal may lead to the other side of a thin part.
            if bond.normal(&self.corners(triangle).map(|v| self.normals[v])).dot(normal) < 0.0 {
                break;
            }
            if !self.is_short(&bond, &foot) {
                break;
            }
            if best.as_ref().is_none_or(|b| least > b.0) {
                best = Some((least, bond));
            }
            if least >= 0.0 {
                break;
            }
            let Some(twin) = self.sheet.edges.twin(3 * triangle + (lowest as u32 + 1) % 3) else { break };
            triangle = twin / 3;
            if !patch.has(triangle) {
                break;
            }
            weights = [1.0 / 3.0; 3];
        }
        match best {
            Some((least, bond)) if least > -OUTSIDE => bond,
            _ => self.along_one_normal(&foot, p),
        }
    }

    /// Whether the way along the normals is not much longer than the shortest.
    fn is_short(&self, bond: &Bond, foot: &Closest) -> bool {
        let length = bond.normal(&self.corners(bond.triangle).map(|v| self.normals[v])).norm();
        bond.height().abs() * length <= DETOUR * foot.distance + NEAR * self.size(foot.on.triangle)
    }

    /// Solves x = sum_k w_k (p_k + h n_k) for the weights, which sum to 1, and the height, by Newton's method.
    fn along_normals(&self, triangle: u32, start: [Real; 3], x: &Vec3) -> Option<([Real; 3], Real)> {
        let [p, q, r] = self.sheet.mesh.points(triangle as usize);
        let [n, o, m] = self.corners(triangle).map(|v| self.normals[v]);
        let (mut a, mut b) = (start[1], start[2]);
        let normal = |a: Real, b: Real| n + (o - n) * a + (m - n) * b;
        let base = |a: Real, b: Real| p + (q - p) * a + (r - p) * b;
        let mut h = (x - base(a, b)).dot(&normal(a, b));
        for _ in 0..STEPS {
            let error = x - base(a, b) - normal(a, b) * h;
            let slope = Mat3::from_columns(&[q - p + (o - n) * h, r - p + (m - n) * h, normal(a, b)]);
            let step = slope.lu().solve(&error)?;
            (a, b, h) = (a + step.x, b + step.y, h + step.z);
            // The last step squares this error: below machine precision.
            if step.x.abs() + step.y.abs() < 1e-9 {
                let error = x - base(a, b) - normal(a, b) * h;
                let step = slope.lu().solve(&error)?;
                (a, b, h) = (a + step.x, b + step.y, h + step.z);
                return [a, b, h].iter().all(|x| x.is_finite()).then_some(([1.0 - a - b, a, b], h));
            }
        }
        None
    }

    /// The same with the normal of the closest point. Where that leads far away too, as along a fold or on a triangle
    /// without area, the vertex stays beside the closest point.
    fn along_one_normal(&self, foot: &Closest, x: &Vec3) -> Bond {
        let [p, q, r] = self.sheet.mesh.points(foot.on.triangle as usize);
        let normal = foot.on.mix(self.corners(foot.on.triangle).map(|v| self.normals[v]));
        let solved = Mat3::from_columns(&[q - p, r - p, normal]).lu().solve(&(x - p));
        let bond = solved.map(|s| Bond {
            triangle: foot.on.triangle,
            along: [1.0 - s.x - s.y, s.x, s.y],
            off: foot.on.weights.map(|w| w * s.z),
            aside: None,
        });
        let inside = |bond: &Bond| bond.along.iter().all(|w| *w > -OUTSIDE && *w < 1.0 + OUTSIDE);
        match bond.filter(|bond| inside(bond) && self.is_short(bond, foot)) {
            Some(bond) => bond,
            None => {
                let points = self.sheet.mesh.points(foot.on.triangle as usize);
                let aside = Some(frame(&points).transpose() * (x - foot.position));
                Bond { triangle: foot.on.triangle, along: foot.on.weights, off: [0.0; 3], aside }
            }
        }
    }
}

impl Patch {
    fn has(&self, triangle: u32) -> bool {
        self.triangles.binary_search(&triangle).is_ok()
    }
}

/// A fine vertex, the neighbour from which it is reached (itself if it is a coarse vertex), and the coarse vertex that
/// is nearest to it along the edges.
#[derive(Clone, Copy)]
struct Reached {
    vertex: u32,
    from: u32,
    nearest: u32,
}

/// All fine vertices that are connected to a coarse one, by their distance from the nearest along the edges (Dijkstra).
fn reach(fine: &TriMesh, edges: &HalfEdges, vertices: &[u32]) -> Vec<Reached> {
    let mut distances = vec![Real::INFINITY; fine.positions.len()];
    let mut queue = BinaryHeap::new();
    for (&vertex, nearest) in vertices.iter().zip(0u32..) {
        distances[vertex as usize] = 0.0;
        // Distances are not negative, so their bits are ordered as they are.
        queue.push(Reverse((0u64, vertex, vertex, nearest)));
    }
    let mut done = vec![false; fine.positions.len()];
    let mut reached = Vec::with_capacity(done.len());
    while let Some(Reverse((_, vertex, from, nearest))) = queue.pop() {
        if std::mem::replace(&mut done[vertex as usize], true) {
            continue;
        }
        reached.push(Reached { vertex, from, nearest });
        for w in edges.one_ring(vertex) {
            let way = (fine.positions[w as usize] - fine.positions[vertex as usize]).norm();
            let distance = distances[vertex as usize] + way;
            if distance < distances[w as usize] {
                distances[w as usize] = distance;
                queue.push(Reverse((distance.to_bits(), w, vertex, nearest)));
            }
        }
    }
    reached
}
