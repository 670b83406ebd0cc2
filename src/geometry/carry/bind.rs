//! Binding of fine vertices to the coarse surface.
//!
//! x = sum_k w_k (p_k + h n_k): the point whose interpolated normal leads to the vertex (Kobbelt, Vorsatz and Seidel,
//! "Multiresolution hierarchies on unstructured triangle meshes", 1999; Panozzo et al., "Weighted averages on surfaces
//! via Phong projection", 2013). Unlike the closest point it is one-to-one across the edges of the coarse surface.

use super::super::closest::{Closest, ClosestPoint};
use super::super::half_edges::HalfEdges;
use super::super::measure::{triangle_area_vector, vertex_normals};
use super::super::triangles::TriMesh;
use super::sheet::Sheet;
use crate::math::{Mat3, Real, Vec3};
use std::collections::VecDeque;

/// Newton's method doubles the digits with each step; without convergence after this many there is no solution nearby.
const STEPS: usize = 12;

/// This many neighbours of the closest triangle are tried: the normals lead no farther.
const HOPS: usize = 8;

/// How far the weights may be outside of the triangle: across a border there is no better one.
const OUTSIDE: Real = 1.0;

/// A fine vertex as a function of the coarse triangle: its points with the weights `along`, and its vertex normals
/// with the weights `off`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bond {
    pub(super) triangle: u32,
    pub(super) along: [Real; 3],
    pub(super) off: [Real; 3],
}

impl Bond {
    /// The position if the triangle has these points and normals.
    pub(super) fn place(&self, points: &[Vec3; 3], normals: &[Vec3; 3]) -> Vec3 {
        (0..3).map(|k| points[k] * self.along[k] + normals[k] * self.off[k]).sum()
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

/// The coarse surface to bind to.
pub(super) struct Binder<'a> {
    sheet: &'a Sheet,
    normals: &'a [Vec3],
    tree: ClosestPoint,
}

impl<'a> Binder<'a> {
    pub(super) fn new(sheet: &'a Sheet, normals: &'a [Vec3], tree: ClosestPoint) -> Self {
        Binder { sheet, normals, tree }
    }

    /// Binds all vertices of the fine mesh. Each search begins where a neighbour was bound, the first ones at the
    /// coarse vertices, so that each sheet is bound to its own.
    pub(super) fn bind(&self, fine: &TriMesh, edges: &HalfEdges, vertices: &[u32]) -> Vec<Bond> {
        let normals = vertex_normals(fine);
        let mut bonds = vec![Bond::default(); fine.positions.len()];
        let mut done = vec![false; fine.positions.len()];
        let mut queue = VecDeque::new();
        for (c, &v) in vertices.iter().enumerate() {
            let Some(h) = self.sheet.edges.around(c as u32).next() else { continue };
            let mut bond = Bond { triangle: h / 3, ..Bond::default() };
            bond.along[h as usize % 3] = 1.0;
            (bonds[v as usize], done[v as usize]) = (bond, true);
            queue.push_back(v);
        }
        while let Some(v) = queue.pop_front() {
            for w in edges.one_ring(v) {
                if !std::mem::replace(&mut done[w as usize], true) {
                    let (p, normal) = (&fine.positions[w as usize], &normals[w as usize]);
                    let foot = self.foot(bonds[v as usize].triangle, p, normal);
                    bonds[w as usize] = self.bond(p, normal, foot);
                    queue.push_back(w);
                }
            }
        }
        for v in (0..done.len()).filter(|&v| !done[v]) {
            let p = &fine.positions[v];
            bonds[v] = self.bond(p, &normals[v], self.foot(0, p, &normals[v]));
        }
        bonds
    }

    /// The closest point, searched from a triangle; if that looks wrong, the closest of all unless it looks more wrong.
    fn foot(&self, start: u32, p: &Vec3, normal: &Vec3) -> Closest {
        let near = self.sheet.closest(start, p);
        let facing = |c: &Closest| {
            let corners = self.corners(c.on.triangle);
            c.on.mix(corners.map(|v| self.normals[v])).dot(normal)
        };
        let points = self.sheet.mesh.points(near.on.triangle as usize);
        let size = triangle_area_vector(points).norm().sqrt();
        if near.distance < 0.5 * size && facing(&near) >= 0.0 {
            return near;
        }
        match self.tree.find(p, near.distance) {
            Some(other) if facing(&other) >= facing(&near).max(0.0) => other,
            _ => near,
        }
    }

    fn corners(&self, triangle: u32) -> [usize; 3] {
        self.sheet.mesh.triangles[triangle as usize].map(|v| v as usize)
    }

    fn bond(&self, p: &Vec3, normal: &Vec3, foot: Closest) -> Bond {
        let mut triangle = foot.on.triangle;
        let mut weights = foot.on.weights;
        let mut best: Option<(Real, Bond)> = None;
        for _ in 0..HOPS {
            let Some((along, height)) = self.along_normals(triangle, weights, p) else { break };
            let (lowest, least) =
                (0..3).map(|k| (k, along[k])).fold((0, 1.0), |a, b| if b.1 < a.1 { b } else { a });
            let bond = Bond { triangle, along, off: along.map(|w| w * height) };
            // Across a rim the normal may lead to the other side of a thin part.
            if bond.normal(&self.corners(triangle).map(|v| self.normals[v])).dot(normal) < 0.0 {
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
            weights = [1.0 / 3.0; 3];
        }
        match best {
            Some((least, bond)) if least > -OUTSIDE => bond,
            _ => self.along_one_normal(&foot, p),
        }
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

    /// The same with the normal of the closest point, which always has a solution, except on a triangle without area.
    fn along_one_normal(&self, foot: &Closest, x: &Vec3) -> Bond {
        let [p, q, r] = self.sheet.mesh.points(foot.on.triangle as usize);
        let normal = foot.on.mix(self.corners(foot.on.triangle).map(|v| self.normals[v]));
        let solved = Mat3::from_columns(&[q - p, r - p, normal]).lu().solve(&(x - p));
        match solved {
            Some(s) if s.iter().all(|x| x.is_finite()) => Bond {
                triangle: foot.on.triangle,
                along: [1.0 - s.x - s.y, s.x, s.y],
                off: foot.on.weights.map(|w| w * s.z),
            },
            _ => Bond { triangle: foot.on.triangle, along: foot.on.weights, off: [0.0; 3] },
        }
    }
}
