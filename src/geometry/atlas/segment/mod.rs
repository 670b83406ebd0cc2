//! Quad charts for any surface, closed or with borders.
//!
//! 1. `cells`: each triangle is assigned to the nearest of a few seeds. Seeds are added until every cell is a disc
//!    with at least three neighbours around it (a single triangle always is). Nodes are where three cells meet; arcs
//!    connect them.
//! 2. Each cell is cut from its centre to the middle of each of its arcs, as in Catmull-Clark subdivision: a cell with
//!    m arcs becomes m quads, each with the centre, a node and the middles of that node's two arcs as corners.
//!    Neighbours share the middle of their arc, so each side of a quad is adjacent to exactly one other side.
//! 3. The cuts follow edges and may share only the centre. To keep them apart the cell is laid out in the plane, convex
//!    and without flipped triangles (`layout`), and divided into sectors around its centre, one for each cut. Where the
//!    triangles leave no path in a sector they are quartered (`refine`) and it is tried again: with small enough ones
//!    there is a path.
//! 4. Edges that join two vertices of one side of a quad are halved, so that coordinates with straight sides always
//!    exist without flipped triangles.
//!
//! The charts belong to the refined mesh, which covers the given one exactly; points are mapped between the two.

mod cells;
mod cuts;
mod layout;
mod refine;

use super::chart::{Charts, Quad};
use crate::{HalfEdges, SurfacePoint, TriMesh};
use cells::Cells;
use refine::Refined;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};

/// If a cell still has no room for its cuts after this many refinements, the cut fails.
const MAX_REFINEMENTS: usize = 8;

/// A surface cut into quad charts.
#[derive(Clone, Debug)]
pub struct Segmentation {
    refined: Refined,
    charts: Charts,
    /// The triangles of the refined mesh in each given one, as ranges of `children`.
    starts: Vec<u32>,
    children: Vec<u32>,
}

impl Segmentation {
    /// Cuts a mesh into charts from about `cells` cells, more where needed; a cell becomes as many charts as it has
    /// neighbours around it, about six.
    ///
    /// `edges` must be the adjacency of the mesh. Rejects edges at which the faces do not form a surface, vertices at
    /// which two parts only touch, positions that are not finite.
    pub fn new(mesh: &TriMesh, edges: &HalfEdges, cells: usize) -> Result<Self> {
        check(mesh, edges)?;
        let cells = Cells::new(mesh, edges, cells)?;
        let mut refined = Refined::new(mesh, edges, cells.labels);
        let loops = cuts::border_loops(&refined, &cells.nodes, cells.count);
        refined.flat = layout::layout(&refined, &loops, &cells.nodes)?;
        let mut centres = vec![None; cells.count];
        for _ in 0..=MAX_REFINEMENTS {
            match cuts::quads(&refined, &cells.nodes, &mut centres) {
                Ok(quads) => {
                    refined.refine(&cuts::chords(&refined, &quads));
                    return Segmentation::finish(refined, quads, mesh.triangles.len());
                }
                Err(marks) => refined.refine(&marks),
            }
        }
        Err(Error::new(Kind::NoConvergence, "a cell has no room for the cuts between its charts"))
    }

    fn finish(refined: Refined, quads: Vec<Quad>, given: usize) -> Result<Self> {
        let charts = Charts::new(&refined.mesh, &refined.edges, quads)?;
        let mut children: Vec<u32> = (0..refined.parents.len() as u32).collect();
        children.sort_by_key(|&t| refined.parents[t as usize]);
        let start = |parent| children.partition_point(|&t| refined.parents[t as usize] < parent) as u32;
        let starts = (0..=given as u32).map(start).collect();
        Ok(Segmentation { refined, charts, starts, children })
    }

    /// The refined mesh. Its first vertices are those of the given one; `faces` holds the polygons, `corners` is empty,
    /// because new vertices are not corners of a polygon.
    pub fn mesh(&self) -> &TriMesh {
        &self.refined.mesh
    }

    /// The adjacency of the refined mesh.
    pub fn edges(&self) -> &HalfEdges {
        &self.refined.edges
    }

    /// The charts of the refined mesh.
    pub fn charts(&self) -> &Charts {
        &self.charts
    }

    /// The given triangle that contains a triangle of the refined mesh.
    pub fn parent(&self, triangle: u32) -> u32 {
        self.refined.parents[triangle as usize]
    }

    /// The point of the given mesh for a point of the refined mesh.
    pub fn to_given(&self, point: &SurfacePoint) -> SurfacePoint {
        let corners = &self.refined.weights[point.triangle as usize];
        let weight = |k: usize| (0..3).map(|c| corners[c][k] * point.weights[c]).sum();
        SurfacePoint {
            triangle: self.refined.parents[point.triangle as usize],
            weights: [0, 1, 2].map(weight),
        }
    }

    /// The point of the refined mesh for a point of the given mesh.
    pub fn to_refined(&self, point: &SurfacePoint) -> SurfacePoint {
        let t = point.triangle as usize;
        let children = &self.children[self.starts[t] as usize..self.starts[t + 1] as usize];
        let seen = |&child: &u32| {
            let weights = inverse(&self.refined.weights[child as usize], &point.weights);
            (weights.iter().copied().fold(Real::INFINITY, Real::min), child, weights)
        };
        let best = children.iter().map(seen).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let (_, triangle, weights) = best.unwrap_or((0.0, 0, [1.0, 0.0, 0.0]));
        let weights = weights.map(|w| w.max(0.0));
        let sum: Real = weights.iter().sum();
        SurfacePoint { triangle, weights: weights.map(|w| w / sum) }
    }
}

/// The weights of a point in a triangle whose corners have known weights (Cramer).
fn inverse(corners: &[[Real; 3]; 3], point: &[Real; 3]) -> [Real; 3] {
    let m = nalgebra::Matrix3::from_fn(|row, column| corners[column][row]);
    let p = nalgebra::Vector3::from(*point);
    m.try_inverse().map_or([1.0, 0.0, 0.0], |inverse| (inverse * p).into())
}

fn check(mesh: &TriMesh, edges: &HalfEdges) -> Result<()> {
    if edges.len() != 3 * mesh.triangles.len() || edges.vertex_count() != mesh.positions.len() {
        return Err(Error::new(Kind::CountMismatch, "the adjacency does not belong to the mesh"));
    }
    if mesh.triangles.is_empty() {
        return Err(Error::new(Kind::Degenerate, "there is no triangle to make a chart from"));
    }
    if let Some(edge) = edges.non_manifold_edges().iter().chain(edges.misoriented_edges()).next() {
        let text = "the faces at an edge from here do not form a surface";
        return Err(Error::new(Kind::Topology, text).vertex(edge.vertices[0] as usize));
    }
    if let Some(&vertex) = edges.pinched_vertices().first() {
        return Err(Error::new(Kind::Topology, "two parts only touch here").vertex(vertex as usize));
    }
    let bad = |p: &Vec3| !p.iter().all(|x| x.is_finite());
    match mesh.positions.iter().position(bad) {
        Some(vertex) => Err(Error::new(Kind::NotFinite, "the position is not a number").vertex(vertex)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
