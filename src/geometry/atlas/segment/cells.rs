//! Cells: the triangles nearest to each of a set of seeds, grown until each is a disc with enough arcs around it.

use crate::atlas::chart::{euler, find_copies};
use crate::atlas::growth::Growth;
use crate::{HalfEdges, TriMesh};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};

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
        let centre = |t: usize| mesh.points(t).iter().sum::<Vec3>() / 3.0;
        let centres: Vec<Vec3> = (0..mesh.triangles.len()).map(centre).collect();
        let way = |h: u32, twin: u32| (centres[twin as usize / 3] - centres[h as usize / 3]).norm();
        let mut growth = Growth::new(edges, way);
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
fn smoothed(edges: &HalfEdges, growth: Growth<impl Fn(u32, u32) -> Real>, nodes: Vec<bool>) -> Cells {
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
