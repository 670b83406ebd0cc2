//! The closest point near a roughly known point: from triangle to triangle, always closer. Much faster than a search
//! through a tree, and it never jumps to another sheet that happens to touch, as from lip to lip.

use super::super::closest::{Closest, closest_weights};
use super::super::half_edges::HalfEdges;
use super::super::trace::SurfacePoint;
use super::super::triangles::TriMesh;
use sinew_math::{Real, Vec3};

/// A straight path to a roughly known point crosses fewer triangles.
const CROSSINGS: usize = 64;

/// A weight this far below zero counts as on the edge: otherwise the search could go back and forth across it.
const ROUND_OFF: Real = 1e-13;

/// A surface that can be searched from any of its triangles.
pub(super) struct Sheet {
    pub(super) mesh: TriMesh,
    pub(super) edges: HalfEdges,
}

impl Sheet {
    pub(super) fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, edges: HalfEdges) -> Self {
        Sheet { mesh: TriMesh { positions, triangles, ..TriMesh::default() }, edges }
    }

    /// The point where the line through `p` along `normal` meets the surface: from the start across one edge after
    /// another beyond which it lies. Unlike the closest point it moves without jumps across edges that are bent towards
    /// `p`. `None` where that fails (across a border, or at triangles that do not face along the normal).
    pub(super) fn below(&self, start: u32, p: &Vec3, normal: &Vec3) -> Option<Closest> {
        let mut at = start;
        for _ in 0..CROSSINGS {
            let points = self.mesh.points(at as usize);
            let weights = on_line(&points, p, normal)?;
            let mut lowest = if weights[1] < weights[0] { 1 } else { 0 };
            lowest = if weights[2] < weights[lowest] { 2 } else { lowest };
            if weights[lowest] >= -ROUND_OFF {
                let weights = weights.map(|w| w.max(0.0));
                let sum: Real = weights.iter().sum();
                let on = SurfacePoint { triangle: at, weights: weights.map(|w| w / sum) };
                let position = on.mix(points);
                return Some(Closest { on, position, distance: (position - p).norm() });
            }
            at = self.edges.twin(3 * at + (lowest as u32 + 1) % 3)? / 3;
        }
        None
    }

    /// The point from which no step to a neighbouring triangle leads closer to `p`.
    pub(super) fn closest(&self, start: u32, p: &Vec3) -> Closest {
        let mut best = self.on_triangle(start, p);
        loop {
            let Closest { on, distance, .. } = best;
            let h = |k: usize| 3 * on.triangle + k as u32;
            let zeros = on.weights.map(|w| w == 0.0);
            match zeros {
                // Inside: every direction leads farther away.
                [false, false, false] => return best,
                // At a vertex, any triangle around it may lead closer.
                _ if zeros.iter().filter(|&&z| z).count() == 2 => {
                    let k = zeros.iter().position(|&z| !z).unwrap_or(0);
                    let vertex = self.mesh.triangles[on.triangle as usize][k];
                    for around in self.edges.around(vertex) {
                        best = self.better(best, around / 3, p);
                    }
                }
                _ => {
                    let opposite = zeros.iter().position(|&z| z).unwrap_or(0);
                    if let Some(twin) = self.edges.twin(h((opposite + 1) % 3)) {
                        best = self.better(best, twin / 3, p);
                    }
                }
            }
            // Strictly closer at each step: no triangle is visited twice, and the search terminates.
            if best.distance >= distance {
                return best;
            }
        }
    }

    fn better(&self, best: Closest, triangle: u32, p: &Vec3) -> Closest {
        if triangle == best.on.triangle {
            return best;
        }
        let other = self.on_triangle(triangle, p);
        if other.distance < best.distance { other } else { best }
    }

    /// The closest point of one triangle.
    pub(super) fn on_triangle(&self, triangle: u32, p: &Vec3) -> Closest {
        let points = self.mesh.points(triangle as usize);
        let on = SurfacePoint { triangle, weights: closest_weights(p, &points) };
        let position = on.mix(points);
        Closest { on, position, distance: (position - p).norm() }
    }
}

/// The weights of the point in the plane of a triangle where the line through `p` along `d` meets it:
///
/// w_b = (p - a) x (c - a) . d / m, w_c = (b - a) x (p - a) . d / m, m = (b - a) x (c - a) . d
///
/// `None` if the triangle does not face along `d`.
fn on_line([a, b, c]: &[Vec3; 3], p: &Vec3, d: &Vec3) -> Option<[Real; 3]> {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (m, beside) = (ab.cross(&ac).dot(d), ap.cross(d));
    let (second, third) = (-ac.dot(&beside) / m, ab.dot(&beside) / m);
    let weights = [1.0 - second - third, second, third];
    (m > 0.0 && weights.iter().all(|w| w.is_finite())).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::super::super::{ClosestPoint, shapes};
    use super::*;
    use sinew_math::Real;

    #[test]
    fn from_anywhere_on_a_round_surface_the_search_ends_at_the_closest_point() {
        let mesh = TriMesh::from_mesh(&shapes::sphere(1.0, 3)).unwrap();
        let tree = ClosestPoint::new(&mesh).unwrap();
        let edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
        let sheet = Sheet::new(mesh.positions.clone(), mesh.triangles.clone(), edges);
        for k in 0..200 {
            let x = k as Real;
            let p = Vec3::new((3.0 * x).sin(), (5.0 * x).cos(), (7.0 * x).sin()).normalize() * 1.2;
            let found = sheet.closest((k * 6) as u32, &p);
            assert!((found.distance - tree.find(&p, Real::INFINITY).unwrap().distance).abs() < 1e-12);
        }
    }
}
