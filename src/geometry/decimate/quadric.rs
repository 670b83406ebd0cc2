//! The cost of moving the surface: squared distances, summed over area.

use super::super::measure::triangle_area_vector;
use sinew_math::{Mat3, Real, Vec3};

/// The weight of a tangential move relative to a normal one. It leads to well-shaped triangles even where the surface
/// is flat; the surface is followed closely where an edge turns by more than about 8 sqrt(ALONG) radians.
const ALONG: Real = 3e-3;

/// The weight of a move off the border relative to one off the surface.
const BORDER: Real = 2.0;

/// A sum of weighted squared distances to planes and points, as a function of the position x:
///
/// E(x) = x . A x - 2 b . x + c
///
/// A plane n . x = d adds A = n n^T, b = d n, c = d^2 (Garland and Heckbert, "Surface simplification using quadric
/// error metrics", 1997); a point p adds A = I, b = p, c = p . p.
#[derive(Clone, Copy, Default)]
pub(super) struct Quadric {
    a: Mat3,
    b: Vec3,
    c: Real,
}

impl Quadric {
    fn plane(normal: Vec3, through: Vec3, weight: Real) -> Self {
        let d = normal.dot(&through);
        Quadric { a: normal * normal.transpose() * weight, b: normal * (d * weight), c: d * d * weight }
    }

    fn point(p: Vec3, weight: Real) -> Self {
        Quadric { a: Mat3::from_diagonal_element(weight), b: p * weight, c: p.norm_squared() * weight }
    }

    /// The contribution of a triangle to the quadric at its vertex `p`.
    pub(super) fn triangle(points: [Vec3; 3], p: Vec3) -> Self {
        let area_vector = triangle_area_vector(points);
        let area = area_vector.norm() / 3.0;
        let along = Quadric::point(p, ALONG * area);
        let Some(normal) = area_vector.try_normalize(0.0) else { return along };
        along.plus(&Quadric::plane(normal, p, area))
    }

    /// The contribution of the first edge of a triangle, on the border, at both its ends: the plane through it,
    /// perpendicular to the triangle.
    pub(super) fn border([a, b, c]: [Vec3; 3]) -> Self {
        let upright = (b - a).cross(&triangle_area_vector([a, b, c]));
        let Some(normal) = upright.try_normalize(0.0) else { return Quadric::default() };
        Quadric::plane(normal, a, BORDER * (b - a).norm_squared())
    }

    pub(super) fn plus(&self, other: &Quadric) -> Self {
        Quadric { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c }
    }

    pub(super) fn times(&self, weight: Real) -> Self {
        Quadric { a: self.a * weight, b: self.b * weight, c: self.c * weight }
    }

    /// E(x), never below zero.
    pub(super) fn at(&self, x: &Vec3) -> Real {
        (x.dot(&(self.a * x)) - 2.0 * self.b.dot(x) + self.c).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_planes_and_points_add_up() {
        let q =
            Quadric::plane(Vec3::y(), Vec3::new(3.0, 2.0, 1.0), 0.5).plus(&Quadric::point(Vec3::x(), 2.0));
        let x = Vec3::new(4.0, 5.0, 6.0);
        assert!((q.at(&x) - (0.5 * 9.0 + 2.0 * (x - Vec3::x()).norm_squared())).abs() < 1e-12);
    }

    #[test]
    fn a_border_costs_nothing_along_it_and_across_it_with_its_length() {
        let border = Quadric::border([Vec3::zeros(), 2.0 * Vec3::x(), Vec3::z()]);
        assert_eq!(border.at(&Vec3::new(9.0, 5.0, 0.0)), 0.0);
        assert!((border.at(&(3.0 * Vec3::z())) - BORDER * 4.0 * 9.0).abs() < 1e-12);
        let flat = Quadric::triangle([Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()], Vec3::zeros());
        assert_eq!(flat.at(&Vec3::y()), 0.0);
    }
}
