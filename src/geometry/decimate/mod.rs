//! Mesh decimation: a coarse mesh whose vertices are vertices of the fine one, so that the animation of the coarse mesh
//! can be read from the fine one.
//!
//! Vertices are merged into a neighbour, the cheapest first, by the quadric error metric (Garland and Heckbert,
//! "Surface simplification using quadric error metrics", 1997). A merge must keep the topology: the link condition of
//! Dey et al., "Topology preserving edge contraction", 1999. A simulation runs on the result, so bad shapes cost more
//! and the worst are rejected; and what runs on a surface varies most where that bends, at lids, lips and fingers, so
//! errors count more there than the shape alone would ask for.

mod quadric;
#[cfg(test)]
mod tests;

use super::half_edges::HalfEdges;
use super::measure::{Bend, bends, bounds, triangle_area_vector, vertex_normals};
use super::triangles::TriMesh;
use quadric::Quadric;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A merge rotates no triangle by more than 60 degrees: cos of that.
const TURN: Real = 0.5;

/// No triangle with a worse shape (1 is equilateral, 0 degenerate) is made, unless a worse one was there before.
const SHAPE: Real = 0.4;

/// A triangle with a shape below this is round-off.
const FLAT: Real = 1e-6;

/// Errors count in proportion to 1 / R^(3/4), R the radius of curvature as a fraction of the mesh's size, in this
/// range. Measured on humans of 13,000 and 53,000 vertices whose skin slides: with R^-1 and R^-1/2 it differs farther
/// from the skin of the fine mesh, with none twice as far at the lids.
const RADII: [Real; 2] = [0.003, 0.2];

/// The triangles that a connected piece keeps.
const LEAST: u32 = 32;

/// After so many triangles the progress is reported.
const OFTEN: usize = 1000;

/// The vertices of a removed triangle, and the queue entry of a vertex that is not queued.
const GONE: u32 = u32::MAX;

/// A coarse mesh and its origin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decimated {
    /// The coarse mesh. Each triangle is its own polygon, with the corners 3 t, 3 t + 1, 3 t + 2.
    pub mesh: TriMesh,
    /// The fine vertex of each coarse vertex, ascending.
    pub vertices: Vec<u32>,
    /// Set if the target could not be reached.
    pub stopped: Option<Stopped>,
}

/// Why no further vertex could be removed: each remaining one is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// The number of triangles above the target.
    pub over: usize,
    /// Vertices that had to be kept.
    pub kept: usize,
    /// Vertices where the faces do not form a surface.
    pub irregular: usize,
    /// Vertices whose removal would change the topology, a hole closed or two sheets joined, or leave a piece with too
    /// few triangles.
    pub topology: usize,
    /// Vertices whose removal would flip a triangle or make it too thin.
    pub shape: usize,
}

/// Merges vertices until at most `target` triangles are left, or no vertex can be removed. `edges` is the adjacency of
/// the triangles. Vertices marked in `keep` survive; of those without triangles only they do. A connected piece is left
/// with 32 triangles at least, or all that it has: fewer describe no body.
pub fn decimate(
    mesh: &TriMesh,
    edges: &HalfEdges,
    target: usize,
    keep: &[bool],
    control: &Control,
) -> Result<Decimated> {
    check(mesh, edges, keep)?;
    let mut collapser = Collapser::new(mesh, edges, keep);
    collapser.run(target, control)?;
    let stopped = (collapser.left > target).then(|| collapser.reasons(target));
    let (mesh, vertices) = collapser.result(mesh, keep);
    Ok(Decimated { mesh, vertices, stopped })
}

fn check(mesh: &TriMesh, edges: &HalfEdges, keep: &[bool]) -> Result<()> {
    let vertices = mesh.positions.len();
    if edges.vertex_count() != vertices || edges.len() != 3 * mesh.triangles.len() {
        return Err(Error::new(Kind::CountMismatch, "the adjacency belongs to another mesh"));
    }
    if keep.len() != vertices {
        let message = format!("{} marks of vertices to keep for {vertices} vertices", keep.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    if let Some(t) = mesh.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= vertices)) {
        return Err(Error::new(Kind::OutOfRange, "the triangle has a vertex that does not exist").face(t));
    }
    match mesh.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        Some(vertex) => Err(Error::new(Kind::NotFinite, "the position is not a number").vertex(vertex)),
        None => Ok(()),
    }
}

/// What may happen to a vertex.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// It may be merged into a neighbour, and neighbours into it.
    Free,
    /// It stays; neighbours may be merged into it.
    Kept,
    /// It stays, and so do all its triangles' edges at it.
    Irregular,
}

/// Why a vertex cannot be removed.
#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    Topology,
    Shape,
}

struct Collapser {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The triangles at each vertex.
    stars: Vec<Vec<u32>>,
    quadrics: Vec<Quadric>,
    roles: Vec<Role>,
    on_border: Vec<bool>,
    /// The connected piece of each triangle, and how many triangles each piece has.
    piece_of: Vec<u32>,
    pieces: Vec<u32>,
    left: usize,
    /// Costs, as bits (which order as the numbers do, none being negative), and vertices.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// The best neighbour to merge a vertex into; `GONE` if it is not queued.
    into: Vec<u32>,
    /// Vertices whose cost has changed since they were queued. Costs hardly ever fall, so they wait for their turn.
    stale: Vec<bool>,
    /// The last query in which a vertex was seen, as a neighbour of the removed vertex or of the kept one.
    near: Vec<u64>,
    met: Vec<u64>,
    question: u64,
    ring: Vec<(u32, u32)>,
}

impl Collapser {
    fn new(mesh: &TriMesh, edges: &HalfEdges, keep: &[bool]) -> Self {
        let vertices = mesh.positions.len();
        let n = vertices.max(1) as Real;
        let (piece_of, count) = edges.components();
        // About the middle, so that the squares in the quadrics do not swamp small distances.
        let middle: Vec3 = mesh.positions.iter().map(|p| p / n).sum();
        let mut made = Collapser {
            points: mesh.positions.iter().map(|p| p - middle).collect(),
            triangles: mesh.triangles.clone(),
            stars: vec![Vec::new(); vertices],
            quadrics: vec![Quadric::default(); vertices],
            roles: keep.iter().map(|&k| if k { Role::Kept } else { Role::Free }).collect(),
            on_border: vec![false; vertices],
            pieces: vec![0; count],
            piece_of,
            left: mesh.triangles.len(),
            queue: BinaryHeap::with_capacity(vertices),
            into: vec![GONE; vertices],
            stale: vec![false; vertices],
            near: vec![0; vertices],
            met: vec![0; vertices],
            question: 0,
            ring: Vec::new(),
        };
        made.measure(edges, &detail(mesh));
        made.lock(edges);
        for v in 0..vertices as u32 {
            made.enqueue(v);
        }
        made
    }

    fn measure(&mut self, edges: &HalfEdges, detail: &[Real]) {
        for t in 0..self.triangles.len() {
            self.pieces[self.piece_of[t] as usize] += 1;
            let triangle = self.triangles[t];
            let points = triangle.map(|v| self.points[v as usize]);
            for (k, v) in triangle.into_iter().enumerate() {
                self.stars[v as usize].push(t as u32);
                self.add(v, &Quadric::triangle(points, points[k]).times(detail[v as usize]));
                if edges.twin(3 * t as u32 + k as u32).is_none() {
                    let border = Quadric::border([0, 1, 2].map(|j| points[(k + j) % 3]));
                    for end in [v, triangle[(k + 1) % 3]] {
                        self.add(end, &border);
                        self.on_border[end as usize] = true;
                    }
                }
            }
        }
    }

    fn add(&mut self, v: u32, quadric: &Quadric) {
        self.quadrics[v as usize] = self.quadrics[v as usize].plus(quadric);
    }

    fn lock(&mut self, edges: &HalfEdges) {
        let irregular = edges.non_manifold_edges().iter().chain(edges.misoriented_edges());
        let repeated = self.triangles.iter().filter(|[a, b, c]| a == b || b == c || c == a);
        let locked: Vec<u32> = irregular
            .flat_map(|e| e.vertices)
            .chain(edges.pinched_vertices())
            .chain(repeated.copied().flatten())
            .collect();
        locked.into_iter().for_each(|v| self.roles[v as usize] = Role::Irregular);
    }

    /// Queues a vertex at its current cost; one that cannot be removed waits until something around it changes.
    fn enqueue(&mut self, u: u32) {
        self.into[u as usize] = GONE;
        self.stale[u as usize] = false;
        if let Ok((cost, v)) = self.best(u) {
            self.into[u as usize] = v;
            self.queue.push(Reverse((cost.to_bits(), u)));
        }
    }

    fn run(&mut self, target: usize, control: &Control) -> Result<()> {
        let (all, mut reported) = (self.left, self.left);
        while self.left > target {
            if self.left + OFTEN <= reported {
                reported = self.left;
                control.progress((all - self.left) as Real / (all - target) as Real, "reducing the mesh")?;
            }
            let Some(Reverse((_, u))) = self.queue.pop() else { return Ok(()) };
            // Others of its piece may have gone since.
            if self.stale[u as usize] || self.is_small(u) {
                self.enqueue(u);
                continue;
            }
            let v = self.into[u as usize];
            self.merge(u, v);
            for k in 0..self.stars[v as usize].len() {
                for w in self.triangles[self.stars[v as usize][k] as usize] {
                    if self.into[w as usize] == GONE {
                        self.enqueue(w);
                    } else {
                        self.stale[w as usize] = true;
                    }
                }
            }
        }
        Ok(())
    }

    fn merge(&mut self, u: u32, v: u32) {
        let star = std::mem::take(&mut self.stars[u as usize]);
        for &t in &star {
            let triangle = self.triangles[t as usize];
            if triangle.contains(&v) {
                self.left -= 1;
                self.pieces[self.piece_of[t as usize] as usize] -= 1;
                self.triangles[t as usize] = [GONE; 3];
                for w in triangle {
                    self.stars[w as usize].retain(|&other| other != t);
                }
            } else {
                self.triangles[t as usize] = triangle.map(|w| if w == u { v } else { w });
                self.stars[v as usize].push(t);
            }
        }
        let gone = self.quadrics[u as usize];
        self.add(v, &gone);
        self.into[u as usize] = GONE;
    }

    /// Whether the piece of a vertex cannot spare the two triangles at an edge.
    fn is_small(&self, u: u32) -> bool {
        let piece = |t: &u32| self.pieces[self.piece_of[*t as usize] as usize];
        self.stars[u as usize].first().map(piece).is_some_and(|left| left < LEAST + 2)
    }

    /// The neighbour into which a vertex can be merged at the least cost.
    fn best(&mut self, u: u32) -> Result<(Real, u32), Refusal> {
        if self.is_small(u) || self.roles[u as usize] != Role::Free {
            return Err(Refusal::Topology);
        }
        let mut ring = std::mem::take(&mut self.ring);
        let asked = self.gather(u, &mut ring);
        let shape = self.worst_shape(u).min(SHAPE);
        let mut best = Err(Refusal::Topology);
        for &(v, beside) in &ring {
            let error = self.error(u, v);
            // The cost is no less.
            if best.is_ok_and(|(least, _)| error > least) || !self.keeps_topology(u, v, beside, asked) {
                continue;
            }
            match self.cost(u, v, error, shape) {
                Some(cost) if best.is_err() || best.is_ok_and(|b| (cost, v) < b) => best = Ok((cost, v)),
                None if best.is_err() => best = Err(Refusal::Shape),
                _ => {}
            }
        }
        self.ring = ring;
        best
    }

    /// The neighbours of a vertex, each with the number of triangles at its edge; they are marked with the number of
    /// the query.
    fn gather(&mut self, u: u32, ring: &mut Vec<(u32, u32)>) -> u64 {
        self.question += 1;
        ring.clear();
        for &t in &self.stars[u as usize] {
            for w in self.triangles[t as usize] {
                if w != u && self.near[w as usize] == self.question {
                    ring.iter_mut().filter(|r| r.0 == w).for_each(|r| r.1 += 1);
                } else if w != u {
                    self.near[w as usize] = self.question;
                    ring.push((w, 1));
                }
            }
        }
        self.question
    }

    /// The link condition: every common neighbour of the two is opposite their edge, the border counting as a vertex.
    /// Border vertices move along the border only.
    fn keeps_topology(&mut self, u: u32, v: u32, beside: u32, asked: u64) -> bool {
        let (goes, stays) = (u as usize, v as usize);
        if self.roles[stays] == Role::Irregular || (self.on_border[goes] && beside != 1) {
            return false;
        }
        // The remainder of a tetrahedron, or of a single triangle, would not be a surface.
        if self.stars[goes].len() == self.stars[stays].len()
            && self.stars[goes].len() as u32 == 2 * beside - 1
        {
            return false;
        }
        self.question += 1;
        let mut common = 0;
        for &t in &self.stars[stays] {
            for w in self.triangles[t as usize].map(|w| w as usize) {
                if w != stays && self.near[w] == asked && self.met[w] != self.question {
                    self.met[w] = self.question;
                    common += 1;
                }
            }
        }
        common == beside
    }

    /// How far merging `u` into `v` moves the surface.
    fn error(&self, u: u32, v: u32) -> Real {
        self.quadrics[u as usize].plus(&self.quadrics[v as usize]).at(&self.points[v as usize])
    }

    /// The cost of merging `u` into `v`: the error, more for worse shapes; `None` if a triangle would flip or have a
    /// worse shape than `shape`.
    fn cost(&self, u: u32, v: u32, error: Real, shape: Real) -> Option<Real> {
        let p = self.points[v as usize];
        let mut worst: Real = 1.0;
        for &t in &self.stars[u as usize] {
            let triangle = self.triangles[t as usize];
            if triangle.contains(&v) {
                continue;
            }
            let before = triangle.map(|w| self.points[w as usize]);
            let after = triangle.map(|w| if w == u { p } else { self.points[w as usize] });
            let (old, new) = (triangle_area_vector(before), triangle_area_vector(after));
            // A triangle that had no area may face any direction.
            if old.dot(&new) < TURN * (old.norm_squared() * new.norm_squared()).sqrt() {
                return None;
            }
            worst = worst.min(shape_of(after, new));
        }
        (worst >= shape && worst > FLAT).then(|| error / (worst * worst))
    }

    fn worst_shape(&self, u: u32) -> Real {
        let shape = |&t: &u32| {
            let points = self.triangles[t as usize].map(|w| self.points[w as usize]);
            shape_of(points, triangle_area_vector(points))
        };
        self.stars[u as usize].iter().map(shape).fold(1.0, Real::min)
    }

    fn reasons(&mut self, target: usize) -> Stopped {
        let mut stopped = Stopped { over: self.left - target, ..Stopped::default() };
        for u in 0..self.points.len() as u32 {
            if self.stars[u as usize].is_empty() {
                continue;
            }
            let role = self.roles[u as usize];
            match role {
                Role::Kept => stopped.kept += 1,
                Role::Irregular => stopped.irregular += 1,
                Role::Free if self.best(u) == Err(Refusal::Topology) => stopped.topology += 1,
                Role::Free => stopped.shape += 1,
            }
        }
        stopped
    }

    fn result(&self, fine: &TriMesh, keep: &[bool]) -> (TriMesh, Vec<u32>) {
        let mut vertices = Vec::new();
        let mut number = vec![GONE; keep.len()];
        for v in 0..keep.len() {
            if keep[v] || !self.stars[v].is_empty() {
                number[v] = vertices.len() as u32;
                vertices.push(v as u32);
            }
        }
        let alive = self.triangles.iter().filter(|t| t[0] != GONE);
        let triangles: Vec<[u32; 3]> = alive.map(|t| t.map(|v| number[v as usize])).collect();
        let count = triangles.len() as u32;
        let mut mesh = TriMesh {
            positions: vertices.iter().map(|&v| fine.positions[v as usize]).collect(),
            triangles,
            corners: (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
            faces: (0..count).collect(),
            flawed: Vec::new(),
        };
        let flat = |&t: &u32| triangle_area_vector(mesh.points(t as usize)) == Vec3::zeros();
        mesh.flawed = (0..count).filter(flat).collect();
        (mesh, vertices)
    }
}

/// How much errors at each vertex count.
fn detail(mesh: &TriMesh) -> Vec<Real> {
    let [low, high] = bounds(&mesh.positions);
    let size = (high - low).norm();
    let normals = vertex_normals(mesh);
    let detail = |bend: &Bend| {
        let root = (1.0 / (bend.radius() / size).clamp(RADII[0], RADII[1])).sqrt();
        root * root.sqrt()
    };
    bends(mesh, |v| normals[v]).iter().map(detail).collect()
}

/// 4 sqrt(3) area over the sum of the squared edges: 1 for an equilateral triangle, 0 for a degenerate one (Bank,
/// "PLTMG: a software package for solving elliptic partial differential equations", 1990).
fn shape_of([a, b, c]: [Vec3; 3], area_vector: Vec3) -> Real {
    let edges = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
    let shape = 4.0 * 3.0f64.sqrt() * area_vector.norm() / edges;
    if shape.is_finite() { shape } else { 0.0 }
}
