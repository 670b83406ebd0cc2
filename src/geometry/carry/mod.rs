//! Carries a map of a coarse surface into itself over to the fine surface from which it was made.
//!
//! Each fine vertex is bound to a point on the coarse surface, with a height over it. The coarse map leads that point
//! to another one, interpolated from those of three coarse vertices; from there, at the same height, the coarse normal
//! leads to the fine surface. The identity is carried to the identity, whatever the meshes are, and a smooth map with
//! an error proportional to the square of the coarse edges.

mod bind;
mod error;
mod sheet;
#[cfg(test)]
mod tests;

use super::closest::Closest;
use super::decimate::Decimated;
use super::half_edges::HalfEdges;
use super::measure::{triangle_area_vector, vertex_normals};
use super::trace::SurfacePoint;
use super::triangles::TriMesh;
use bind::{Binder, Bond};
pub use error::MapError;
use rayon::prelude::*;
use sheet::Sheet;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::ops::{AddAssign, Mul};

/// Fine vertices per parallel task.
const TASK: usize = 512;

/// Where a map leads a coarse vertex.
#[derive(Clone, Copy, Debug, Default)]
struct Landing {
    point: Vec3,
    normal: Vec3,
    /// A fine triangle near it.
    start: u32,
}

/// Memory for [`Carrier::carry`]; it never influences a result.
#[derive(Clone, Debug, Default)]
pub struct CarryScratch {
    landings: Vec<Landing>,
    /// The points of the fine vertices, in the order of the bonds.
    found: Vec<SurfacePoint>,
}

/// Where a map leads a coarse triangle.
struct Target {
    /// The triangle.
    of: u32,
    points: [Vec3; 3],
    normals: [Vec3; 3],
    /// Fine triangles from which to search: the last result, and one near each of the points.
    starts: [u32; 4],
}

/// Carries maps from a coarse surface to a fine one.
pub struct Carrier {
    coarse: TriMesh,
    normals: Vec<Vec3>,
    /// Bonds of the fine vertices, ordered so that neighbours follow each other and each search begins near its end;
    /// the vertex of each bond, and the bond of each vertex.
    bonds: Vec<Bond>,
    order: Vec<u32>,
    slots: Vec<u32>,
    fine: Sheet,
    /// A fine triangle near the middle of each coarse triangle.
    middles: Vec<u32>,
    /// How far the fine surface may be from a point near the coarse one.
    slack: Real,
    /// How much farther than at rest it may be before other parts of it are searched.
    near: Real,
}

impl Carrier {
    /// Binds a fine mesh at rest to the coarse one made from it. `edges` is the adjacency of the fine triangles.
    pub fn new(fine: &TriMesh, edges: &HalfEdges, coarse: &Decimated) -> Result<Self> {
        check(fine, edges, coarse)?;
        let mesh = &coarse.mesh;
        let coarse_edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
        let edge = mean_edge(mesh, &coarse_edges);
        let normals = vertex_normals(mesh);
        let sheet = Sheet::new(mesh.positions.clone(), mesh.triangles.clone(), coarse_edges);
        let bonds = Binder::new(&sheet, &normals).bind(fine, edges, &coarse.vertices)?;
        let far =
            |bond: &Bond| bond.off.map(Real::abs).into_iter().chain(bond.aside.map(|aside| aside.norm()));
        let heights = bonds.iter().flat_map(far);
        let mut made = Carrier {
            near: 0.25 * edge,
            // Twice: the height that is carried along, and the one to be met.
            slack: 0.5 * edge + 2.0 * heights.fold(0.0, Real::max),
            coarse: sheet.mesh,
            normals,
            bonds,
            order: Vec::new(),
            slots: Vec::new(),
            fine: Sheet::new(fine.positions.clone(), fine.triangles.clone(), edges.clone()),
            middles: Vec::new(),
        };
        made.middles = made.find_middles(&coarse.vertices);
        made.sort();
        Ok(made)
    }

    /// Sorts the bonds by their coarse triangles, each vertex followed by a neighbour as long as one is left.
    fn sort(&mut self) {
        let mut members = vec![Vec::new(); self.coarse.triangles.len()];
        for (bond, v) in self.bonds.iter().zip(0u32..) {
            members[bond.triangle as usize].push(v);
        }
        let triangle = |v: u32| self.bonds[v as usize].triangle;
        let (mut order, mut done) = (Vec::with_capacity(self.bonds.len()), vec![false; self.bonds.len()]);
        // Triangles follow each other as in the fine mesh.
        for first in 0..self.bonds.len() as u32 {
            for member in std::mem::take(&mut members[triangle(first) as usize]) {
                let mut next = Some(member).filter(|&v| !done[v as usize]);
                while let Some(v) = next {
                    done[v as usize] = true;
                    order.push(v);
                    let beside = self.fine.edges.around(v).map(|h| self.fine.edges.target(h));
                    next = beside.into_iter().find(|&w| !done[w as usize] && triangle(w) == triangle(v));
                }
            }
        }
        self.bonds = order.iter().map(|&v| self.bonds[v as usize]).collect();
        self.slots = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&v, slot)| self.slots[v as usize] = slot);
        self.order = order;
    }

    /// A fine triangle at the vertex that is bound nearest to the middle, otherwise the one at the corners that is
    /// nearest to it. Both come from the adjacency, so that touching sheets are not confused.
    fn find_middles(&self, vertices: &[u32]) -> Vec<u32> {
        let mut middles = vec![(0.0, None); self.coarse.triangles.len()];
        for (bond, v) in self.bonds.iter().zip(0..) {
            let least = bond.along.into_iter().fold(Real::INFINITY, Real::min);
            let (best, middle) = &mut middles[bond.triangle as usize];
            if least > *best
                && let Some(h) = self.fine.edges.around(v).next()
            {
                (*best, *middle) = (least, Some(h / 3));
            }
        }
        let found =
            middles.iter().enumerate().map(|(t, m)| m.1.unwrap_or_else(|| self.at_corners(t, vertices)));
        found.collect()
    }

    fn at_corners(&self, triangle: usize, vertices: &[u32]) -> u32 {
        let points = self.coarse.points(triangle);
        let (middle, normal) = (points.iter().sum::<Vec3>() / 3.0, triangle_area_vector(points));
        let mut best = (Real::INFINITY, 0);
        for v in self.coarse.triangles[triangle].map(|v| vertices[v as usize]) {
            for t in self.fine.edges.around(v).map(|h| h / 3) {
                let points = self.fine.mesh.points(t as usize);
                let far = (points.iter().sum::<Vec3>() / 3.0 - middle).norm();
                if far < best.0 && triangle_area_vector(points).dot(&normal) >= 0.0 {
                    best = (far, t);
                }
            }
        }
        best.1
    }

    /// The number of vertices of the coarse mesh.
    pub fn coarse_count(&self) -> usize {
        self.coarse.positions.len()
    }

    /// The number of vertices of the fine mesh.
    pub fn fine_count(&self) -> usize {
        self.bonds.len()
    }

    /// What belongs to the fine vertices, such as forces, at the coarse ones: each fine vertex hands its part out to
    /// the corners of its coarse triangle, most to the nearest, so that the sum stays.
    pub fn gather<T: Copy + Default + AddAssign + Mul<Real, Output = T>>(&self, parts: &[T]) -> Vec<T> {
        let mut sums = vec![T::default(); self.coarse_count()];
        for (bond, &v) in self.bonds.iter().zip(&self.order) {
            // Outside, the weights of the far corners are negative.
            let near = bond.along.map(|w| w.max(0.0));
            let all: Real = near.iter().sum();
            for (&corner, near) in self.coarse.triangles[bond.triangle as usize].iter().zip(near) {
                sums[corner as usize] += parts[v as usize] * (near / all);
            }
        }
        sums
    }

    /// Carries a map: `coarse` is the point on the coarse surface to which each coarse vertex is mapped, `fine` becomes
    /// the point on the fine surface to which each fine vertex is mapped. Allocates nothing if the scratch was used
    /// before. A fine vertex without triangles has no point on its surface and gets one nearby.
    pub fn carry(
        &self,
        coarse: &[SurfacePoint],
        scratch: &mut CarryScratch,
        fine: &mut [SurfacePoint],
    ) -> Result<()> {
        if coarse.len() != self.coarse_count() || fine.len() != self.fine_count() {
            let message = format!(
                "{} and {} places for {} coarse and {} fine vertices",
                coarse.len(),
                fine.len(),
                self.coarse_count(),
                self.fine_count()
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        check_points(coarse, self.coarse.triangles.len())?;
        scratch.landings.resize(coarse.len(), Landing::default());
        let each = scratch.landings.par_iter_mut().with_min_len(TASK).zip(coarse);
        each.for_each(|(landing, to)| *landing = self.landing(to));
        let landings = &scratch.landings;
        scratch.found.resize(fine.len(), SurfacePoint { triangle: 0, weights: [0.0; 3] });
        scratch.found.par_chunks_mut(TASK).enumerate().for_each(|(task, chunk)| {
            let bonds = &self.bonds[task * TASK..];
            let mut target = self.target(bonds[0].triangle, landings);
            for (k, out) in chunk.iter_mut().enumerate() {
                // Many consecutive ones are bound to the same triangle: its data is reused.
                if bonds[k].triangle != target.of {
                    target = self.target(bonds[k].triangle, landings);
                }
                *out = self.carried(task * TASK + k, &mut target);
            }
        });
        let found = &scratch.found;
        let each = fine.par_iter_mut().with_min_len(TASK).zip(&self.slots);
        each.for_each(|(out, &slot)| *out = found[slot as usize]);
        Ok(())
    }

    fn landing(&self, to: &SurfacePoint) -> Landing {
        let [a, b, c] = self.coarse.triangles[to.triangle as usize];
        let normal = to.mix([self.normals[a as usize], self.normals[b as usize], self.normals[c as usize]]);
        Landing { point: to.position(&self.coarse), normal, start: self.middles[to.triangle as usize] }
    }

    fn target(&self, of: u32, landings: &[Landing]) -> Target {
        let [a, b, c] = self.coarse.triangles[of as usize];
        let [a, b, c] = [&landings[a as usize], &landings[b as usize], &landings[c as usize]];
        Target {
            of,
            points: [a.point, b.point, c.point],
            normals: [a.normal, b.normal, c.normal],
            starts: [a.start, a.start, b.start, c.start],
        }
    }

    /// Where the line through a point meets the fine surface: searched from the last triangle found, and if that is not
    /// there or much farther away than the vertex is at rest, as on the next finger, the nearest from all starts.
    fn below(&self, target: &Target, place: &Vec3, normal: &Vec3, height: Real) -> Option<Closest> {
        let mut best = self.fine.below(target.starts[0], place, normal);
        if best.as_ref().is_some_and(|found| found.distance <= height.abs() + self.near) {
            return best;
        }
        for &start in &target.starts[1..] {
            if let Some(found) = self.fine.below(start, place, normal)
                && best.as_ref().is_none_or(|best| found.distance < best.distance)
            {
                best = Some(found);
            }
        }
        best
    }

    fn carried(&self, slot: usize, target: &mut Target) -> SurfacePoint {
        let (bond, vertex) = (&self.bonds[slot], self.order[slot] as usize);
        let place = bond.place(&target.points, &target.normals);
        let normal = bond.normal(&target.normals);
        let along_normal = match bond.aside {
            Some(_) => None,
            None => self.below(target, &place, &normal, bond.height()),
        };
        let mut found = along_normal.unwrap_or_else(|| {
            let heaviest = (1..3).fold(0, |a, b| if bond.along[b] > bond.along[a] { b } else { a });
            self.fine.closest(target.starts[1 + heaviest], &place)
        });
        target.starts[0] = found.on.triangle;
        // The fine surface surrounds the points of the corners: if it seems farther away, the search got lost, and
        // begins anew at each of them. What else is near in space may be another part.
        let near = |p: &Vec3| found.distance <= (p - place).norm() + self.slack;
        if found.distance > self.slack && !target.points.iter().all(near) {
            for start in target.starts {
                let other = self.fine.closest(start, &place);
                found = if other.distance < found.distance { other } else { found };
            }
        }
        // Where the fine surface overhangs, the normal may meet another part of it; this maps the identity to itself
        // there too.
        let own = (self.fine.mesh.positions[vertex] - place).norm_squared();
        if own >= found.distance * found.distance {
            return found.on;
        }
        match self.fine.edges.around(vertex as u32).next() {
            Some(h) => self.fine.closest(h / 3, &place).on,
            None => found.on,
        }
    }
}

/// The mean length of the edges, each counted once.
fn mean_edge(mesh: &TriMesh, edges: &HalfEdges) -> Real {
    let (mut sum, mut count) = (0.0, 0);
    for h in (0..edges.len() as u32).filter(|&h| edges.twin(h).is_none_or(|t| h < t)) {
        let ends = [edges.origin(h), edges.target(h)].map(|v| mesh.positions[v as usize]);
        sum += (ends[1] - ends[0]).norm();
        count += 1;
    }
    if count > 0 { sum / count as Real } else { 0.0 }
}

fn check(fine: &TriMesh, edges: &HalfEdges, coarse: &Decimated) -> Result<()> {
    let vertices = fine.positions.len();
    if fine.triangles.is_empty() || coarse.mesh.triangles.is_empty() {
        return Err(Error::new(Kind::Degenerate, "a mesh without triangles has no surface to carry a map"));
    }
    if edges.vertex_count() != vertices || edges.len() != 3 * fine.triangles.len() {
        return Err(Error::new(Kind::CountMismatch, "the adjacency belongs to another mesh"));
    }
    let count = coarse.mesh.positions.len();
    if coarse.vertices.len() != count || coarse.vertices.iter().any(|&v| v as usize >= vertices) {
        return Err(Error::new(Kind::CountMismatch, "the coarse mesh was made from another mesh"));
    }
    for (mesh, count) in [(fine, vertices), (&coarse.mesh, count)] {
        if let Some(t) = mesh.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
            return Err(Error::new(Kind::OutOfRange, "the triangle has a vertex that does not exist").face(t));
        }
        if let Some(vertex) = mesh.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(Error::new(Kind::NotFinite, "the position is not a number").vertex(vertex));
        }
    }
    Ok(())
}

fn check_points(points: &[SurfacePoint], triangles: usize) -> Result<()> {
    for (v, point) in points.iter().enumerate() {
        if point.triangle as usize >= triangles {
            return Err(Error::new(Kind::OutOfRange, "a place in a triangle that does not exist").vertex(v));
        }
        if !point.weights.iter().all(|w| w.is_finite()) {
            return Err(Error::new(Kind::NotFinite, "the weights of a place are not numbers").vertex(v));
        }
    }
    Ok(())
}
