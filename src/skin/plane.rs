//! Triangles and vectors in tangent planes: edges, coefficients, and the shortest rotation of one plane into another.

use sinew_math::{Mat3x2, Real, Vec2, Vec3};

/// The edges of a triangle.
pub(super) fn edges_of(places: [Vec3; 3]) -> Mat3x2 {
    Mat3x2::from_columns(&[places[1] - places[0], places[2] - places[0]])
}

/// The coefficients of the two columns that come closest to a vector.
#[inline(always)]
pub(super) fn least_squares(columns: &Mat3x2, vector: &Vec3) -> Vec2 {
    let (a, b) = (columns.column(0), columns.column(1));
    let (aa, ab, bb) = (a.dot(&a), a.dot(&b), b.dot(&b));
    let area = aa * bb - ab * ab;
    if area == 0.0 {
        return Vec2::zeros();
    }
    let (x, y) = (a.dot(vector), b.dot(vector));
    Vec2::new(bb / area * x + -ab / area * y, -ab / area * x + aa / area * y)
}

/// The minimum of 1 + cos of a rotation's angle: to the opposite there is no shortest one.
const LEAST_ROOM: Real = 1e-9;

/// The shortest rotation of one unit vector, m, into another, n. It takes a vector a perpendicular to m to
/// a - (m + n) (n.a) / (1 + m.n) (Moller and Hughes, "Efficiently building a matrix to rotate one vector to another",
/// 1999).
pub(super) struct Turn {
    sum: Vec3,
    to: Vec3,
    scale: Real,
}

impl Turn {
    /// `None` if they are opposite.
    pub(super) fn new(from: &Vec3, to: &Vec3) -> Option<Self> {
        let room = 1.0 + from.dot(to);
        (room > LEAST_ROOM).then(|| Turn { sum: from + to, to: *to, scale: 1.0 / room })
    }

    /// Rotates a vector perpendicular to the first.
    pub(super) fn turn(&self, v: &Vec3) -> Vec3 {
        v - self.sum * (self.to.dot(v) * self.scale)
    }

    /// Rotates two of them.
    pub(super) fn turn_both(&self, v: &Mat3x2) -> Mat3x2 {
        v - self.sum * (self.to.transpose() * v * self.scale)
    }
}
