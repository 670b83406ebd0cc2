//! Regions that grow over the faces of a mesh from seeds: each face belongs to the seed with the shortest path to it.

use crate::HalfEdges;
use sinew_math::Real;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

/// Distances over faces to the nearest seed. `way` is the length of the step from the face of a half-edge to the face
/// of its twin, not negative.
pub(super) struct Growth<'a, W> {
    edges: &'a HalfEdges,
    way: W,
    distances: Vec<Real>,
    /// The region of each face.
    pub labels: Vec<u32>,
    /// The number of regions.
    pub count: u32,
}

impl<'a, W: Fn(u32, u32) -> Real> Growth<'a, W> {
    /// No seeds yet.
    pub fn new(edges: &'a HalfEdges, way: W) -> Self {
        let n = edges.face_count();
        Growth { edges, way, distances: vec![Real::INFINITY; n], labels: vec![NONE; n], count: 0 }
    }

    /// A new region that grows from a face.
    pub fn add(&mut self, seed: u32) {
        let label = self.count;
        self.count += 1;
        self.distances[seed as usize] = 0.0;
        self.labels[seed as usize] = label;
        // Nonnegative numbers are ordered like their bits.
        let mut queue = BinaryHeap::from([Reverse((0u64, seed))]);
        while let Some(Reverse((bits, face))) = queue.pop() {
            let distance = Real::from_bits(bits);
            if distance > self.distances[face as usize] || self.labels[face as usize] != label {
                continue;
            }
            for h in self.edges.face_corners(face as usize).map(|h| h as u32) {
                let Some(twin) = self.edges.twin(h) else { continue };
                let other = self.edges.face(twin) as usize;
                let way = distance + (self.way)(h, twin);
                if way < self.distances[other] {
                    self.distances[other] = way;
                    self.labels[other] = label;
                    queue.push(Reverse((way.to_bits(), other as u32)));
                }
            }
        }
    }

    /// One more seed in each of some regions.
    pub fn split(&mut self, regions: &[bool]) {
        for region in (0..regions.len() as u32).filter(|&region| regions[region as usize]) {
            self.add_farthest(|label| label == region);
        }
    }

    /// The regions with an edge adjacent to some regions.
    pub fn beside(&self, regions: &[bool]) -> Vec<bool> {
        let mut out = vec![false; regions.len()];
        for h in 0..self.edges.len() as u32 {
            if let Some(twin) = self.edges.twin(h)
                && regions[self.labels[self.edges.face(h) as usize] as usize]
            {
                out[self.labels[self.edges.face(twin) as usize] as usize] = true;
            }
        }
        out
    }

    /// A seed at the face of the regions that is farthest from their seeds; none if only seeds are there.
    pub fn add_farthest(&mut self, regions: impl Fn(u32) -> bool) {
        let mut best: Option<(Real, usize)> = None;
        for (face, &distance) in self.distances.iter().enumerate() {
            if distance > 0.0 && regions(self.labels[face]) && best.is_none_or(|b| distance > b.0) {
                best = Some((distance, face));
            }
        }
        if let Some((_, face)) = best {
            self.add(face as u32);
        }
    }
}
