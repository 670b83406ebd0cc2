//! Carrying a map of a coarse surface into itself over to the fine surface from which it was made.
//!
//! Each fine vertex is bound to a place on the coarse surface. That lays the fine mesh flat onto the coarse one, a
//! *layer* over it, and the layer leads both ways: the fine vertex goes down to its place, with the coarse map to
//! another place, and from there up again to the fine surface. The identity is carried to the identity, whatever the
//! meshes are, and a smooth map with an error of the square of the coarse edges.

mod bind;
mod error;
mod sheet;
#[cfg(test)]
mod tests;

use super::closest::ClosestPoint;
use super::decimate::Decimated;
use super::half_edges::HalfEdges;
use super::measure::vertex_normals;
use super::trace::SurfacePoint;
use super::triangles::TriMesh;
use crate::error::{Error, Kind, Result};
use crate::math::{Real, Vec3};
use bind::{Binder, Bond};
pub use error::MapError;
use rayon::prelude::*;
use sheet::Sheet;

/// How much of its height over the coarse surface a fine vertex keeps in the layer. With nothing of it, vertices that
/// are bound to the same place could not be told apart; with all of it, a map would be led astray by every wrinkle.
const RELIEF: Real = 0.1;

/// Fine vertices are carried in tasks of so many.
const TASK: usize = 512;

/// Where a map leads a coarse triangle.
struct Target {
    /// The triangle.
    of: u32,
    points: [Vec3; 3],
    normals: [Vec3; 3],
    /// A triangle of the layer near that place.
    start: u32,
}

/// Carries maps from a coarse surface to a fine one.
pub struct Carrier {
    coarse: TriMesh,
    normals: Vec<Vec3>,
    bonds: Vec<Bond>,
    layer: Sheet,
    tree: ClosestPoint,
    /// A triangle of the layer near the middle of each coarse triangle.
    middles: Vec<u32>,
    /// How far the layer may be from where a coarse map leads.
    slack: Real,
}

impl Carrier {
    /// Binds a fine mesh at rest to the coarse one that was made of it. `edges` is the adjacency of the fine
    /// triangles.
    pub fn new(fine: &TriMesh, edges: &HalfEdges, coarse: &Decimated) -> Result<Self> {
        check(fine, edges, coarse)?;
        let mesh = &coarse.mesh;
        let coarse_edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
        let slack = 0.5 * mean_edge(mesh, &coarse_edges);
        let normals = vertex_normals(mesh);
        let sheet = Sheet::new(mesh.positions.clone(), mesh.triangles.clone(), coarse_edges);
        let bonds =
            Binder::new(&sheet, &normals, ClosestPoint::new(mesh)?).bind(fine, edges, &coarse.vertices);
        let flat = bonds.iter().map(|bond| {
            let corners = mesh.triangles[bond.triangle as usize];
            let normals = corners.map(|v| normals[v as usize]);
            bond.place(&mesh.points(bond.triangle as usize), &normals, RELIEF)
        });
        let layer = Sheet::new(flat.collect(), fine.triangles.clone(), edges.clone());
        let mut made = Carrier {
            coarse: sheet.mesh,
            normals,
            bonds,
            tree: ClosestPoint::new(&layer.mesh)?,
            layer,
            middles: Vec::new(),
            slack,
        };
        made.middles = made.find_middles(&coarse.vertices);
        Ok(made)
    }

    fn find_middles(&self, vertices: &[u32]) -> Vec<u32> {
        let middle = |t: usize| {
            let p = self.coarse.points(t).iter().sum::<Vec3>() / 3.0;
            let corner = vertices[self.coarse.triangles[t][0] as usize];
            let start = self.layer.edges.around(corner).next().map_or(0, |h| h / 3);
            self.layer.closest(start, &p).on.triangle
        };
        (0..self.coarse.triangles.len()).into_par_iter().map(middle).collect()
    }

    /// Vertices of the coarse mesh.
    pub fn coarse_count(&self) -> usize {
        self.coarse.positions.len()
    }

    /// Vertices of the fine mesh.
    pub fn fine_count(&self) -> usize {
        self.bonds.len()
    }

    /// Carries a map: `coarse` is the place on the coarse surface to which each coarse vertex is mapped, `fine`
    /// becomes the place on the fine surface to which each fine vertex is. Allocates nothing. A fine vertex in no
    /// triangle has no place on its surface and gets one nearby.
    pub fn carry(&self, coarse: &[SurfacePoint], fine: &mut [SurfacePoint]) -> Result<()> {
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
        fine.par_chunks_mut(TASK).enumerate().for_each(|(task, chunk)| {
            let bonds = &self.bonds[task * TASK..];
            let mut target = self.target(bonds[0].triangle, coarse);
            for (k, out) in chunk.iter_mut().enumerate() {
                // Vertices in a row are often bound to the same triangle: what is known about it stays.
                if bonds[k].triangle != target.of {
                    target = self.target(bonds[k].triangle, coarse);
                }
                *out = self.carried(task * TASK + k, &mut target);
            }
        });
        Ok(())
    }

    fn target(&self, of: u32, map: &[SurfacePoint]) -> Target {
        let to = self.coarse.triangles[of as usize].map(|v| map[v as usize]);
        let normals = to.map(|to| {
            let corners = self.coarse.triangles[to.triangle as usize];
            to.mix(corners.map(|v| self.normals[v as usize]))
        });
        let points = to.map(|to| to.position(&self.coarse));
        Target { of, points, normals, start: self.middles[to[0].triangle as usize] }
    }

    fn carried(&self, vertex: usize, target: &mut Target) -> SurfacePoint {
        let bond = &self.bonds[vertex];
        let place = bond.place(&target.points, &target.normals, RELIEF);
        let normal = (0..3).map(|k| target.normals[k] * bond.along[k]).sum();
        let mut found = self.layer.below(target.start, &place, &normal);
        target.start = found.on.triangle;
        // The layer is all around the places of the corners: when it seems farther away, the search got stuck.
        let nearest =
            target.points.iter().map(|p| (p - place).norm_squared()).fold(Real::INFINITY, Real::min);
        if found.distance > nearest.sqrt() + self.slack {
            found = self.tree.find(&place, found.distance).unwrap_or(found);
        }
        // Where the layer folds, the search may end beside the fold; this is what leads the identity to itself.
        let own = (self.layer.mesh.positions[vertex] - place).norm();
        match self.layer.edges.around(vertex as u32).next() {
            Some(h) if own < found.distance => self.layer.closest(h / 3, &place).on,
            _ => found.on,
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
    if edges.vertex_count() != vertices || edges.len() != 3 * fine.triangles.len() {
        return Err(Error::new(Kind::CountMismatch, "the adjacency belongs to another mesh"));
    }
    let count = coarse.mesh.positions.len();
    if coarse.vertices.len() != count || coarse.vertices.iter().any(|&v| v as usize >= vertices) {
        return Err(Error::new(Kind::CountMismatch, "the coarse mesh was made of another mesh"));
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
