//! Cells: the triangles nearest to each of a set of seeds, grown until each is a disc with enough arcs around it.

use crate::error::{Error, Kind, Result};
use crate::geometry::atlas::chart::{euler, find_copies};
use crate::geometry::{HalfEdges, TriMesh};
use crate::math::{Real, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;
/// Rounds of moving single triangles that stick out of their cell to the surrounding cell.
const SMOOTHINGS: usize = 10;

pub(super) struct Cells {
    /// The cell of each triangle.
    pub labels: Vec<u32>,
    pub count: usize,
    /// Vertices where arcs end.
    pub nodes: Vec<bool>,
}

impl Cells {
    pub fn new(mesh: &TriMesh, edges: &HalfEdges, wanted: usize) -> Result<Self> {
        let mut growth = Growth::new(mesh, edges);
        let (pieces, count) = edges.components();
        for piece in 0..count as u32 {
            growth.add(pieces.iter().position(|&p| p == piece).unwrap_or(0) as u32);
        }
        while (growth.count as usize) < wanted.min(mesh.triangles.len()) {
            growth.add_farthest(|_| true);
        }
        loop {
            let bad = match check(edges, &growth.labels, growth.count as usize) {
                Ok(nodes) => return Ok(smoothed(edges, growth, nodes)),
                Err(bad) => bad,
            };
            let before = growth.count;
            growth.split(&bad);
            if growth.count == before {
                // A single triangle fails because of its surroundings.
                let around = growth.beside(&bad);
                growth.split(&around);
            }
            if growth.count == before {
                let cell = bad.iter().position(|&b| b).unwrap_or(0) as u32;
                let triangle = growth.labels.iter().position(|&l| l == cell).unwrap_or(0);
                let text = "the mesh is too coarse here for a chart";
                return Err(Error::new(Kind::Topology, text).face(triangle));
            }
        }
    }
}

/// Distances over the centres of triangles to the nearest seed.
struct Growth<'a> {
    edges: &'a HalfEdges,
    centres: Vec<Vec3>,
    distances: Vec<Real>,
    labels: Vec<u32>,
    count: u32,
}

impl<'a> Growth<'a> {
    fn new(mesh: &TriMesh, edges: &'a HalfEdges) -> Self {
        let n = mesh.triangles.len();
        let centres = (0..n).map(|t| mesh.points(t).iter().sum::<Vec3>() / 3.0).collect();
        Growth { edges, centres, distances: vec![Real::INFINITY; n], labels: vec![NONE; n], count: 0 }
    }

    fn add(&mut self, seed: u32) {
        let label = self.count;
        self.count += 1;
        self.distances[seed as usize] = 0.0;
        self.labels[seed as usize] = label;
        // Nonnegative numbers are ordered like their bits.
        let mut queue = BinaryHeap::from([Reverse((0u64, seed))]);
        while let Some(Reverse((bits, t))) = queue.pop() {
            let distance = Real::from_bits(bits);
            if distance > self.distances[t as usize] || self.labels[t as usize] != label {
                continue;
            }
            for twin in (3 * t..3 * t + 3).filter_map(|h| self.edges.twin(h)) {
                let other = twin as usize / 3;
                let way = distance + (self.centres[other] - self.centres[t as usize]).norm();
                if way < self.distances[other] {
                    self.distances[other] = way;
                    self.labels[other] = label;
                    queue.push(Reverse((way.to_bits(), other as u32)));
                }
            }
        }
    }

    /// One more seed in each of some cells.
    fn split(&mut self, cells: &[bool]) {
        for cell in (0..cells.len() as u32).filter(|&cell| cells[cell as usize]) {
            self.add_farthest(|label| label == cell);
        }
    }

    /// The cells with an edge adjacent to some cells.
    fn beside(&self, cells: &[bool]) -> Vec<bool> {
        let mut out = vec![false; cells.len()];
        for h in 0..self.edges.len() as u32 {
            if let Some(twin) = self.edges.twin(h)
                && cells[self.labels[h as usize / 3] as usize]
            {
                out[self.labels[twin as usize / 3] as usize] = true;
            }
        }
        out
    }

    /// A seed at the triangle of the cells that is farthest from their seeds; none if only seeds are there.
    fn add_farthest(&mut self, cells: impl Fn(u32) -> bool) {
        let mut best: Option<(Real, usize)> = None;
        for (t, &distance) in self.distances.iter().enumerate() {
            if distance > 0.0 && cells(self.labels[t]) && best.is_none_or(|b| distance > b.0) {
                best = Some((distance, t));
            }
        }
        if let Some((_, t)) = best {
            self.add(t as u32);
        }
    }
}

/// The nodes if all cells are valid, or the invalid cells: those in several parts, those that are not discs, those with
/// fewer than three arcs around them.
fn check(edges: &HalfEdges, labels: &[u32], count: usize) -> Result<Vec<bool>, Vec<bool>> {
    let inner = |h: u32| edges.twin(h).filter(|&twin| labels[twin as usize / 3] == labels[h as usize / 3]);
    let (copies, copy_count) = find_copies(edges, inner);
    let euler = euler(count, labels, (&copies, copy_count), |h| inner(h).is_none());
    let mut bad: Vec<bool> = euler.iter().map(|&e| e != 1).collect();
    let (parts, part_count) = edges.pieces(inner);
    let mut first_part = vec![NONE; count];
    if part_count > count {
        for (&part, &label) in parts.iter().zip(labels) {
            let first = &mut first_part[label as usize];
            bad[label as usize] |= *first != NONE && *first != part;
            *first = (*first).min(part);
        }
    }
    let mut ends = vec![0u32; edges.vertex_count()];
    for h in (0..edges.len() as u32).filter(|&h| inner(h).is_none()) {
        if edges.twin(h).is_none_or(|twin| h < twin) {
            ends[edges.origin(h) as usize] += 1;
            ends[edges.target(h) as usize] += 1;
        }
    }
    let mut nodes: Vec<bool> = ends.iter().map(|&n| n >= 3).collect();
    let mut arcs = vec![0u32; count];
    let cut = |h: &u32| inner(*h).is_none();
    for h in (0..edges.len() as u32).filter(cut) {
        arcs[labels[h as usize / 3] as usize] += u32::from(nodes[edges.origin(h) as usize]);
    }
    // A cell in a corner of the mesh's border has two: a vertex on the border becomes a node as well.
    for h in (0..edges.len() as u32).filter(|&h| edges.twin(h).is_none()) {
        let (cell, vertex) = (labels[h as usize / 3] as usize, edges.origin(h) as usize);
        if arcs[cell] == 2 && !nodes[vertex] {
            nodes[vertex] = true;
            arcs[cell] = 3;
        }
    }
    bad.iter_mut().zip(arcs).for_each(|(bad, arcs)| *bad |= arcs < 3);
    if bad.contains(&true) { Err(bad) } else { Ok(nodes) }
}

/// A triangle with two sides adjacent to the same other cell makes a jagged border: it moves to that cell if the vertex
/// between those sides then is inside of it.
fn smoothed(edges: &HalfEdges, growth: Growth, nodes: Vec<bool>) -> Cells {
    let count = growth.count as usize;
    let mut labels = growth.labels.clone();
    for _ in 0..SMOOTHINGS {
        let mut changed = false;
        for t in 0..edges.face_count() as u32 {
            let own = labels[t as usize];
            let beside = [0, 1, 2].map(|k| edges.twin(3 * t + k).map(|twin| labels[twin as usize / 3]));
            let ear = (0..3).find(|&k| {
                let (a, b) = (beside[k], beside[(k + 1) % 3]);
                a.is_some() && a == b && a != Some(own) && beside[(k + 2) % 3] == Some(own)
            });
            let Some(k) = ear else { continue };
            let apex = edges.target(3 * t + k as u32);
            let other = beside[k].unwrap_or(own);
            let closed = |h: u32| edges.twin(h).is_some() && (h / 3 == t || labels[h as usize / 3] == other);
            if edges.around(apex).all(closed) {
                labels[t as usize] = other;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    match check(edges, &labels, count) {
        Ok(nodes) => Cells { labels, count, nodes },
        Err(_) => Cells { labels: growth.labels, count, nodes },
    }
}
