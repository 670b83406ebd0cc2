//! Walking on a surface: straight ahead inside a triangle, and straight ahead across an edge as if its two triangles
//! were unfolded into one plane. The walk is a geodesic of the polyhedron (Polthier and Schmies, "Straightest geodesics
//! on polyhedral surfaces", 1998).

use super::frames::Frame;
use super::half_edges::HalfEdges;
use super::triangles::TriMesh;
use sinew_math::{Real, Vec2, Vec3};

/// A point on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The triangle.
    pub triangle: u32,
    /// The weights of its three vertices: nonnegative, with the sum 1.
    pub weights: [Real; 3],
}

impl SurfacePoint {
    /// The index of the largest weight, and the other two in order: together they determine the point, as the sum is 1.
    pub fn without_largest(&self) -> (usize, [Real; 2]) {
        let [a, b, c] = self.weights;
        match () {
            () if a >= b && a >= c => (0, [b, c]),
            () if b >= c => (1, [a, c]),
            () => (2, [a, b]),
        }
    }

    /// The inverse of [`SurfacePoint::without_largest`].
    pub fn with_largest(triangle: u32, largest: usize, [first, second]: [Real; 2]) -> Self {
        let rest = 1.0 - first - second;
        let weights = match largest {
            0 => [rest, first, second],
            1 => [first, rest, second],
            _ => [first, second, rest],
        };
        SurfacePoint { triangle, weights }
    }

    /// The position in space.
    pub fn position(&self, mesh: &TriMesh) -> Vec3 {
        self.mix(mesh.points(self.triangle as usize))
    }

    /// Interpolated values of the three vertices.
    pub fn mix(&self, values: [Vec3; 3]) -> Vec3 {
        values[0] * self.weights[0] + values[1] * self.weights[1] + values[2] * self.weights[2]
    }
}

/// Why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It covered the whole distance.
    Arrived,
    /// It met a border, or an edge where the faces do not form a surface.
    Border,
    /// The next triangle has no area, so that no direction in it is defined.
    NoArea,
    /// It crossed [`MAX_EDGES`] edges: the walk is longer than any intended one.
    TooLong,
}

/// A walk crosses at most this many edges: a hundred times around a body of a hundred thousand triangles.
pub const MAX_EDGES: usize = 100_000;

/// The end of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The point.
    pub end: SurfacePoint,
    /// The vector of the whole walk, parallel transported: of the same length as at the start, in the plane of the last
    /// triangle.
    pub direction: Vec3,
    /// The length walked.
    pub length: Real,
    /// Why it ended.
    pub stop: Stop,
}

/// A triangle laid flat: its first vertex at the origin, its first edge along x.
struct Flat {
    frame: Frame,
    /// The positions of its second and third vertices.
    second: Real,
    third: Vec2,
}

impl Flat {
    fn new(points: [Vec3; 3]) -> Option<Self> {
        let frame = Frame::of_triangle(points)?;
        let third = frame.flatten(&(points[2] - points[0]));
        let second = (points[1] - points[0]).norm();
        // A sliver whose height is round-off has an area but no usable frame.
        (third.y > 1e-14 * second.max(third.norm())).then_some(Flat { frame, second, third })
    }

    fn vertex(&self, k: usize) -> Vec2 {
        [Vec2::zeros(), Vec2::new(self.second, 0.0), self.third][k]
    }

    /// The derivatives of the three weights along a direction.
    fn weights_along(&self, d: Vec2) -> [Real; 3] {
        let third = d.y / self.third.y;
        let second = (d.x - third * self.third.x) / self.second;
        [-second - third, second, third]
    }

    /// The unit vector along edge `k`, from vertex `k` to the next.
    fn edge(&self, k: usize) -> Vec2 {
        (self.vertex((k + 1) % 3) - self.vertex(k)).normalize()
    }
}

/// A surface to walk on.
pub struct Surface<'a> {
    mesh: &'a TriMesh,
    edges: &'a HalfEdges,
}

impl<'a> Surface<'a> {
    /// `edges` must be the adjacency of the triangles of `mesh`.
    pub fn new(mesh: &'a TriMesh, edges: &'a HalfEdges) -> Self {
        Surface { mesh, edges }
    }

    /// Walks from `start` along `vector`, as far as its length. Only its component in the plane of the start's triangle
    /// counts.
    pub fn walk(&self, start: SurfacePoint, vector: Vec3) -> Walk {
        self.walk_with(start, vector, |_, _| {})
    }

    /// [`Surface::walk`] that reports every straight piece: its triangle, and where in it the piece begins and ends.
    pub fn walk_with(
        &self,
        start: SurfacePoint,
        vector: Vec3,
        mut piece: impl FnMut(SurfacePoint, SurfacePoint),
    ) -> Walk {
        let mut at = start;
        let mut walk = Walk { end: start, direction: Vec3::zeros(), length: 0.0, stop: Stop::NoArea };
        let Some(mut flat) = Flat::new(self.mesh.points(at.triangle as usize)) else { return walk };
        let mut direction = flat.frame.flatten(&vector);
        let whole = direction.norm();
        // The remaining fraction of the walk, 1 to 0.
        let mut left = 1.0;
        walk.stop = Stop::TooLong;
        let mut entered = None;
        for _ in 0..MAX_EDGES {
            let (step, exit) = leave(&at.weights, &flat.weights_along(direction), left, entered);
            let from = at;
            at.weights = advance(at.weights, flat.weights_along(direction), step, exit);
            left -= step;
            piece(from, at);
            let Some(side) = exit else {
                left = 0.0;
                walk.stop = Stop::Arrived;
                break;
            };
            let h = 3 * at.triangle + side as u32;
            let Some(twin) = self.edges.twin(h) else {
                walk.stop = Stop::Border;
                break;
            };
            let (triangle, other_side) = (twin / 3, (twin % 3) as usize);
            let Some(next) = Flat::new(self.mesh.points(triangle as usize)) else {
                walk.stop = Stop::NoArea;
                break;
            };
            // The components along and across the edge are kept; the twin runs in the opposite direction.
            let (along, here) = (flat.edge(side), next.edge(other_side));
            let across = Vec2::new(along.y, -along.x).dot(&direction).max(0.0);
            let inward = Vec2::new(-here.y, here.x);
            direction = -here * along.dot(&direction) + inward * across;
            let mut weights = [0.0; 3];
            weights[other_side] = at.weights[(side + 1) % 3];
            weights[(other_side + 1) % 3] = at.weights[side];
            at = SurfacePoint { triangle, weights };
            flat = next;
            entered = Some(other_side);
        }
        walk.end = at;
        walk.direction = flat.frame.lift(&direction);
        walk.length = whole * (1.0 - left);
        walk
    }
}

/// How far along `slope` the walk stays inside the triangle, at most `left`, and through which side it leaves. The side
/// through which it came in does not count: round-off must not send it back.
pub fn leave(
    weights: &[Real; 3],
    slope: &[Real; 3],
    left: Real,
    entered: Option<usize>,
) -> (Real, Option<usize>) {
    let mut nearest = (left, None);
    for vertex in 0..3 {
        // The weight of a vertex is zero on the opposite side.
        let side = (vertex + 1) % 3;
        if slope[vertex] < 0.0 && entered != Some(side) {
            let step = weights[vertex] / -slope[vertex];
            if step < nearest.0 {
                nearest = (step, Some(side));
            }
        }
    }
    nearest
}

/// The weights after a step: exactly zero for the vertex opposite the exit side, never negative, with the sum 1.
pub fn advance(weights: [Real; 3], slope: [Real; 3], step: Real, exit: Option<usize>) -> [Real; 3] {
    let mut moved: [Real; 3] = std::array::from_fn(|k| (weights[k] + step * slope[k]).max(0.0));
    if let Some(side) = exit {
        moved[(side + 2) % 3] = 0.0;
    }
    let sum: Real = moved.iter().sum();
    moved.map(|w| w / sum)
}

#[cfg(test)]
mod tests {
    use super::super::{Mesh, shapes};
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{PI, TAU};

    struct Ground {
        mesh: TriMesh,
        edges: HalfEdges,
    }

    impl Ground {
        fn new(mesh: &Mesh) -> Self {
            let mesh = TriMesh::from_mesh(mesh).unwrap();
            let edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
            Ground { mesh, edges }
        }

        fn walk(&self, start: SurfacePoint, vector: Vec3) -> Walk {
            Surface::new(&self.mesh, &self.edges).walk(start, vector)
        }
    }

    fn point(triangle: u32, a: Real, b: Real) -> SurfacePoint {
        SurfacePoint { triangle, weights: [a, b, 1.0 - a - b] }
    }

    #[test]
    fn on_a_plane_the_walk_is_the_vector() {
        let ground = Ground::new(&shapes::grid(4.0, 4.0, 14, 10));
        let start = point(150, 0.2, 0.5);
        for k in 0..50 {
            let angle = TAU * k as Real / 50.0;
            let vector = 0.6 * Vec3::new(angle.cos(), 0.3, angle.sin());
            let walk = ground.walk(start, vector);
            let expected = start.position(&ground.mesh) + Vec3::new(vector.x, 0.0, vector.z);
            assert_eq!(walk.stop, Stop::Arrived);
            assert!((walk.end.position(&ground.mesh) - expected).norm() < 1e-14);
            assert!(
                (walk.length - 0.6).abs() < 1e-14
                    && (walk.direction - 0.6 * Vec3::new(angle.cos(), 0.0, angle.sin())).norm() < 1e-14
            );
        }
    }

    #[test]
    fn on_a_prism_the_walk_is_a_helix() {
        let (around, height) = (12, 40.0);
        let ground = Ground::new(&shapes::cylinder(1.0, height, around, 30));
        let side = 2.0 * (PI / around as Real).sin();
        // Unrolled, the prism is a plane: the first side spans 0..side along the border.
        let start = point(0, 0.5, 0.25);
        let p = start.position(&ground.mesh);
        let tangent = (ground.mesh.positions[1] - ground.mesh.positions[0]).normalize();
        let first = (p - ground.mesh.positions[0]).dot(&tangent);
        for turns in [0.3, 1.0, 2.7, 9.2] {
            let (along, up) = (turns * around as Real * side, 30.0);
            let walk = ground.walk(start, tangent * along + Vec3::y() * up);
            let end = walk.end.position(&ground.mesh);
            let x = (first + along).rem_euclid(around as Real * side);
            let k = (x / side).floor();
            let corner = |k: Real| {
                let angle = TAU * k / around as Real;
                Vec3::new(angle.sin(), 0.0, angle.cos())
            };
            let expected = corner(k).lerp(&corner(k + 1.0), x / side - k) + Vec3::y() * (p.y + up);
            assert_eq!(walk.stop, Stop::Arrived);
            assert!((end - expected).norm() < 1e-11, "{turns}: {end} {expected}");
        }
    }

    #[test]
    fn once_around_a_fine_sphere_comes_back() {
        let ground = Ground::new(&shapes::sphere(1.0, 5));
        let start = point(777, 0.3, 0.3);
        let p = start.position(&ground.mesh);
        let along = p.cross(&Vec3::new(0.2, 0.9, -0.4)).normalize();
        let walk = ground.walk(start, along * TAU);
        assert_eq!(walk.stop, Stop::Arrived);
        assert!((walk.end.position(&ground.mesh) - p).norm() < 0.02);
    }

    #[test]
    fn a_walk_stops_at_the_border_and_says_how_far_it_came() {
        let ground = Ground::new(&shapes::grid(2.0, 2.0, 4, 4));
        let start = point(0, 0.4, 0.3);
        let x = start.position(&ground.mesh).x;
        let walk = ground.walk(start, Vec3::new(5.0, 0.0, 0.0));
        assert_eq!(walk.stop, Stop::Border);
        assert!((walk.length - (1.0 - x)).abs() < 1e-14);
        assert!((walk.end.position(&ground.mesh).x - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_walk_goes_straight_through_vertices_and_along_edges() {
        let ground = Ground::new(&shapes::grid(4.0, 4.0, 4, 4));
        // From a vertex along the grid's edges, and from a vertex along the diagonals.
        for triangle in 0..ground.mesh.triangles.len() as u32 {
            for k in 0..3 {
                let mut start = point(triangle, 0.0, 0.0);
                start.weights = [0.0; 3];
                start.weights[k] = 1.0;
                let p = start.position(&ground.mesh);
                for vector in [Vec3::x(), -Vec3::x(), Vec3::z(), Vec3::x() + Vec3::z(), Vec3::x() - Vec3::z()]
                {
                    let walk = ground.walk(start, vector);
                    let expected = p + vector * (walk.length / vector.norm());
                    assert!((walk.end.position(&ground.mesh) - expected).norm() < 1e-13);
                    let inside = |v: Real| v.abs() < 2.0 - 1e-9;
                    let arrives = [p, p + vector].iter().all(|q| inside(q.x) && inside(q.z));
                    assert!(!arrives || walk.stop == Stop::Arrived, "{p} {vector}");
                }
            }
        }
    }

    #[test]
    fn a_triangle_without_area_ends_the_walk_and_zero_goes_nowhere() {
        let mut mesh = shapes::grid(2.0, 2.0, 2, 1);
        // The right half is squeezed into a line.
        mesh.positions[2] = mesh.positions[1];
        mesh.positions[5] = mesh.positions[4];
        let ground = Ground::new(&mesh);
        let walk = ground.walk(point(0, 0.3, 0.3), Vec3::x() * 9.0);
        assert_eq!(walk.stop, Stop::NoArea);
        assert!(walk.end.position(&ground.mesh).x.abs() < 1e-14);
        let still = ground.walk(point(0, 0.3, 0.3), Vec3::zeros());
        assert_eq!((still.stop, still.length), (Stop::Arrived, 0.0));
        assert!(
            (still.end.position(&ground.mesh) - point(0, 0.3, 0.3).position(&ground.mesh)).norm() < 1e-15
        );
    }

    proptest! {
        /// Back along the transported direction, reversed, every walk returns to its start.
        #[test]
        fn there_and_back(triangle in 0u32..1280, a in 0.01..0.5f64, b in 0.01..0.49f64, angle in 0.0..TAU, far in 0.01..3.0f64) {
            let ground = Ground::new(&shapes::sphere(1.0, 3));
            let start = point(triangle, a, b);
            let frame = Frame::of_triangle(ground.mesh.points(triangle as usize)).unwrap();
            let there = ground.walk(start, frame.lift(&(far * Vec2::new(angle.cos(), angle.sin()))));
            prop_assert_eq!(there.stop, Stop::Arrived);
            prop_assert!((there.direction.norm() - far).abs() < 1e-12);
            let back = ground.walk(there.end, -there.direction);
            prop_assert!((back.end.position(&ground.mesh) - start.position(&ground.mesh)).norm() < 1e-9);
        }

        /// The pieces join, each lies in its triangle, and their lengths sum to the length of the walk.
        #[test]
        fn pieces_join_and_add_up(triangle in 0u32..160, angle in 0.0..TAU, far in 0.01..9.0f64) {
            let ground = Ground::new(&shapes::torus(2.0, 0.5, 10, 8));
            let frame = Frame::of_triangle(ground.mesh.points(triangle as usize)).unwrap();
            let mut pieces = Vec::new();
            let walk = Surface::new(&ground.mesh, &ground.edges).walk_with(
                point(triangle, 0.3, 0.4),
                frame.lift(&(far * Vec2::new(angle.cos(), angle.sin()))),
                |from, to| pieces.push((from.position(&ground.mesh), to.position(&ground.mesh))),
            );
            let total: Real = pieces.iter().map(|(a, b)| (b - a).norm()).sum();
            prop_assert!((total - walk.length).abs() < 1e-11 && (walk.length - far).abs() < 1e-11);
            prop_assert!(pieces.windows(2).all(|w| (w[0].1 - w[1].0).norm() < 1e-12));
        }
    }
}
