//! The closest point of a triangle mesh: the tree is parry's, the solution in a triangle our own, because skin and
//! cages bind to weights that sum to 1 even on slivers and degenerate triangles.

use super::rays::encloses;
use super::trace::SurfacePoint;
use super::tree::{around, tree, vector};
use super::triangles::{TriMesh, area_vector};
use parry3d_f64::partitioning::{Bvh, BvhNode};
use parry3d_f64::query::PointQuery;
use sinew_base::error::Result;
use sinew_math::{Real, Vec3};

/// The result of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The point on the surface.
    pub on: SurfacePoint,
    /// Its position in space.
    pub position: Vec3,
    /// Its distance.
    pub distance: Real,
}

/// A mesh prepared for queries. Queries may run in parallel.
pub struct ClosestPoint {
    tree: Bvh,
    triangles: Vec<[Vec3; 3]>,
}

impl ClosestPoint {
    /// Builds the tree; the positions must be finite.
    pub fn new(mesh: &TriMesh) -> Result<Self> {
        let (tree, triangles) = tree(mesh)?;
        Ok(ClosestPoint { tree, triangles })
    }

    /// The diagonal of the box around the surface.
    pub fn extent(&self) -> Real {
        self.tree.root_aabb().extents().length()
    }

    /// Moves the vertices; the positions must be finite. The tree keeps its structure: queries stay correct, and fast
    /// as long as neighbours stay neighbours.
    pub fn refit(&mut self, mesh: &TriMesh) {
        for (t, points) in self.triangles.iter_mut().enumerate() {
            *points = mesh.points(t);
            self.tree.insert_or_update_partially(around(points), t as u32, 0.0);
        }
        self.tree.refit_without_opt();
    }

    /// Whether a point is inside the surface, whose triangles face outwards.
    pub fn encloses(&self, point: &Vec3) -> bool {
        encloses(&self.tree, &self.triangles, point)
    }

    /// The area vector of a triangle.
    pub fn area_vector(&self, triangle: u32) -> Vec3 {
        area_vector(&self.triangles[triangle as usize])
    }

    /// The closest point of the surface; `None` if it is farther away than `reach` (infinity for no limit).
    pub fn find(&self, p: &Vec3, reach: Real) -> Option<Closest> {
        let query = vector(p);
        let found = self.tree.find_best(
            reach,
            |node: &BvhNode, _| node.aabb().distance_to_local_point(query, true),
            |triangle, _| {
                let weights = closest_weights(p, &self.triangles[triangle as usize]);
                let on = SurfacePoint { triangle, weights };
                let position = on.mix(self.triangles[triangle as usize]);
                let distance = (position - p).norm();
                Some((distance, Closest { on, position, distance }))
            },
        );
        found.map(|(_, (_, closest))| closest).filter(|c| c.distance <= reach)
    }
}

/// The weights of the point of a triangle that is closest to `p`: by the Voronoi regions of corners, edges and inside
/// (Ericson, "Real-Time Collision Detection", 2005, §5.1.5).
pub(super) fn closest_weights(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> [Real; 3] {
    let (ab, ac, ap, bp, cp) = (b - a, c - a, p - a, p - b, p - c);
    let (d1, d2, d3, d4, d5, d6) =
        (ab.dot(&ap), ac.dot(&ap), ab.dot(&bp), ac.dot(&bp), ab.dot(&cp), ac.dot(&cp));
    let inside = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
    let sum: Real = inside.iter().sum();
    // `sum` is the square of twice the area: zero for a degenerate triangle, whose edges then hold the answer.
    if sum > 0.0 && inside.iter().all(|&w| w > 0.0) {
        return inside.map(|w| w / sum);
    }
    let edges = [([a, b], 0), ([b, c], 1), ([c, a], 2)];
    let mut best = (Real::INFINITY, [1.0, 0.0, 0.0]);
    for ([from, to], k) in edges {
        let edge = to - from;
        let t = (edge.dot(&(p - from)) / edge.norm_squared()).clamp(0.0, 1.0);
        // An edge of zero length gives 0 / 0.
        let t = if t.is_finite() { t } else { 0.0 };
        let distance = (from + edge * t - p).norm_squared();
        if distance < best.0 {
            let mut weights = [0.0; 3];
            (weights[k], weights[(k + 1) % 3]) = (1.0 - t, t);
            best = (distance, weights);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;
    use proptest::prelude::*;
    use sinew_base::error::Kind;

    /// A torus with one degenerate triangle and one that is a point.
    fn ground() -> TriMesh {
        let mut mesh = TriMesh::from_mesh(&shapes::torus(2.0, 0.5, 17, 11)).unwrap();
        let n = mesh.positions.len() as u32;
        mesh.positions.extend([Vec3::new(3.0, 3.0, 3.0), Vec3::new(4.0, 4.0, 4.0), Vec3::new(6.0, 6.0, 6.0)]);
        mesh.triangles.extend([[n, n + 2, n + 1], [n, n, n]]);
        mesh
    }

    /// The closest of many points of a triangle: an independent answer, never better than the right one.
    fn sampled(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Real {
        let n = 60;
        let mut best = Real::INFINITY;
        for i in 0..=n {
            for j in 0..=n - i {
                let (u, v) = (i as Real / n as Real, j as Real / n as Real);
                best = best.min((a + (b - a) * u + (c - a) * v - p).norm());
            }
        }
        best
    }

    #[test]
    fn points_on_the_surface_find_themselves() {
        let mesh = ground();
        let closest = ClosestPoint::new(&mesh).unwrap();
        for triangle in 0..mesh.triangles.len() as u32 {
            let on = SurfacePoint { triangle, weights: [0.2, 0.3, 0.5] };
            let found = closest.find(&on.position(&mesh), Real::INFINITY).unwrap();
            assert!(found.distance < 1e-12);
            assert!((found.on.weights.iter().sum::<Real>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_distance_to_the_torus_is_nearly_that_of_the_smooth_one() {
        let mesh = TriMesh::from_mesh(&shapes::torus(2.0, 0.5, 300, 150)).unwrap();
        let closest = ClosestPoint::new(&mesh).unwrap();
        for p in [Vec3::new(5.0, 1.0, 0.3), Vec3::new(1.0, 0.1, 1.0), Vec3::new(2.0, 0.2, 0.1)] {
            let ring = (p.x.hypot(p.z) - 2.0).hypot(p.y);
            let found = closest.find(&p, Real::INFINITY).unwrap();
            assert!((found.distance - (ring - 0.5).abs()).abs() < 1e-3);
        }
    }

    #[test]
    fn reach_limits_and_bad_meshes_are_refused() {
        let mut mesh = ground();
        let closest = ClosestPoint::new(&mesh).unwrap();
        let far = Vec3::new(0.0, 50.0, 0.0);
        assert_eq!(closest.find(&far, 40.0), None);
        assert!(closest.find(&far, 60.0).is_some());
        assert_eq!(ClosestPoint::new(&TriMesh::default()).err().unwrap().kind(), Kind::Degenerate);
        mesh.positions[3].y = Real::NAN;
        assert_eq!(ClosestPoint::new(&mesh).err().unwrap().place().vertex, Some(3));
    }

    #[test]
    fn a_refitted_tree_answers_like_a_new_one() {
        let mut mesh = ground();
        let mut refitted = ClosestPoint::new(&mesh).unwrap();
        mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.y * 2.0, p.x + p.z.sin(), p.z));
        refitted.refit(&mesh);
        let made = ClosestPoint::new(&mesh).unwrap();
        for k in 0..200 {
            let p = Vec3::new((k as Real).sin(), (1.3 * k as Real).cos(), (0.7 * k as Real).sin()) * 3.0;
            let [a, b] = [&refitted, &made].map(|c| c.find(&p, Real::INFINITY).unwrap());
            assert!((a.distance - b.distance).abs() < 1e-14);
        }
    }

    proptest! {
        #[test]
        fn equals_the_search_through_all_triangles(p in prop::array::uniform3(-7.0..7.0f64)) {
            let mesh = ground();
            let p = Vec3::from(p);
            let found = ClosestPoint::new(&mesh).unwrap().find(&p, Real::INFINITY).unwrap();
            let brute = (0..mesh.triangles.len())
                .map(|t| {
                    let points = mesh.points(t);
                    let weights = closest_weights(&p, &points);
                    (SurfacePoint { triangle: t as u32, weights }.mix(points) - p).norm()
                })
                .fold(Real::INFINITY, Real::min);
            prop_assert!((found.distance - brute).abs() < 1e-12);
        }

        #[test]
        fn the_point_of_a_triangle_is_not_beaten_by_any_sample(q in prop::array::uniform9(-1.0..1.0f64), p in prop::array::uniform3(-2.0..2.0f64)) {
            let points = [0, 3, 6].map(|k| Vec3::new(q[k], q[k + 1], q[k + 2]));
            let p = Vec3::from(p);
            let weights = closest_weights(&p, &points);
            prop_assert!(weights.iter().all(|&w| w >= 0.0));
            let distance = (SurfacePoint { triangle: 0, weights }.mix(points) - p).norm();
            let samples = sampled(&p, &points);
            prop_assert!(distance <= samples + 1e-12 && samples < distance + 0.1);
        }
    }
}
