//! The problem: a flat sheet of triangles with two unknowns per vertex, as the sliding skin has.

use sinew::linalg::assembly::Assembly;
use sinew::math::Vec3;
use sprs::{CsMat, TriMat};

pub struct Membrane {
    pub points: Vec<Vec3>,
    pub triangles: Vec<[usize; 3]>,
}

/// A number of 0..1 that looks random and is the same on every machine.
pub fn noise(k: usize) -> f64 {
    let x = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (x >> 11) as f64 / (1u64 << 53) as f64
}

impl Membrane {
    /// A grid of about square shape, its last row shorter when the number asks for it.
    pub fn new(vertices: usize) -> Self {
        let width = (vertices as f64).sqrt().ceil() as usize;
        let place = |i: usize| (i % width) as f64 + 0.3 * noise(i);
        let points = (0..vertices).map(|i| Vec3::new(place(i), (i / width) as f64 + 0.3 * noise(i + 7), 0.0));
        let mut triangles = Vec::new();
        for i in (0..vertices).filter(|i| i % width + 1 < width) {
            for triangle in [[i, i + 1, i + width + 1], [i, i + width + 1, i + width]] {
                if triangle.iter().all(|&j| j < vertices) {
                    triangles.push(triangle);
                }
            }
        }
        Membrane { points: points.collect(), triangles }
    }

    pub fn assembly(&self) -> Assembly {
        let unknowns = |t: &[usize; 3]| [0, 1, 2, 3, 4, 5].map(|k| 2 * t[k / 2] + k % 2);
        let elements: Vec<[usize; 6]> = self.triangles.iter().map(unknowns).collect();
        Assembly::new(2 * self.points.len(), &elements).unwrap()
    }

    /// The stiffness of one triangle (constant strain, Poisson's ratio 0.3) and a little mass that stands for the
    /// inertia of a step; each triangle is up to `spread` stiffer or softer.
    pub fn element(&self, e: usize, spread: f64, block: &mut [f64]) {
        let [a, b, c] = self.triangles[e].map(|i| self.points[i]);
        let area = 0.5 * ((b - a).x * (c - a).y - (b - a).y * (c - a).x);
        let slope = |p: Vec3, q: Vec3| [(p.y - q.y) / (2.0 * area), (q.x - p.x) / (2.0 * area)];
        let slopes = [slope(b, c), slope(c, a), slope(a, b)];
        let stiffness = area * (1.0 + spread * (2.0 * noise(e) - 1.0));
        let (lambda, mu) = (0.33 * stiffness, 0.385 * stiffness);
        for i in 0..3 {
            for j in 0..3 {
                let (g, h) = (slopes[i], slopes[j]);
                let dot = g[0] * h[0] + g[1] * h[1];
                for p in 0..2 {
                    for q in 0..2 {
                        let same = if p == q { mu * dot } else { 0.0 };
                        block[(2 * i + p) * 6 + 2 * j + q] = lambda * g[p] * h[q] + mu * g[q] * h[p] + same;
                    }
                }
            }
        }
        (0..6).for_each(|k| block[7 * k] += 0.003 * area);
    }

    /// Constraints, 12 % as many as unknowns, and the place of each: two thirds hold a vertex along a direction, one
    /// third a combination of two neighbours.
    pub fn constraints(&self) -> (CsMat<f64>, Vec<Vec3>) {
        let n = self.points.len();
        let m = n * 24 / 100;
        let mut rows = TriMat::new((m, 2 * n));
        let mut places = Vec::new();
        for i in 0..m {
            let vertex = i * 25 / 6;
            let angle = 6.0 * noise(i + 3);
            let (c, s) = (angle.cos(), angle.sin());
            let ends = if i % 3 == 0 && vertex + 1 < n { vec![vertex, vertex + 1] } else { vec![vertex] };
            for (k, v) in ends.into_iter().enumerate() {
                rows.add_triplet(i, 2 * v, c + 0.2 * k as f64);
                rows.add_triplet(i, 2 * v + 1, s - 0.1 * k as f64);
            }
            places.push(self.points[vertex]);
        }
        (rows.to_csr(), places)
    }
}
