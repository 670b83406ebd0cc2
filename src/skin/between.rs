//! The map from motions along one surface to those along another with the same triangles: dX/dx of the skin on a body,
//! and dx/dX.

use super::plane::{Turn, edges_of};
use super::rest::Rest;
use rayon::prelude::*;
use sinew_geometry::Frame;
use sinew_math::{Mat2, Mat3, Mat3x2, Real, Vec2, Vec3};

/// The square of the ratio of width to length below which a triangle has lost a direction: motions along it come from
/// nowhere, they are not infinite.
const LOST: Real = 1e-12;

/// The maps of all triangles; reused memory.
#[derive(Default)]
pub(super) struct Between {
    links: Vec<Link>,
}

/// The map of a triangle, from a basis in its plane on the one surface to one on the other, times its area at rest.
#[derive(Clone, Copy, Default)]
struct Link {
    from: Plane,
    to: Plane,
    map: Mat2,
    area: Real,
}

/// The normal of a triangle, zero without area, and the first vector of the basis; the second one is perpendicular to
/// both.
#[derive(Clone, Copy, Default)]
struct Plane {
    normal: Vec3,
    tangent: Vec3,
}

impl Between {
    /// From the positions of the vertices on both.
    pub fn find(&mut self, rest: &Rest, from: &[Vec3], to: &[Vec3]) {
        let triangles = &rest.mesh().triangles;
        self.links.resize(triangles.len(), Link::default());
        self.links.par_iter_mut().with_min_len(512).enumerate().for_each(|(t, link)| {
            let corners = triangles[t].map(|v| v as usize);
            let [(from, a), (to, b)] = [from, to].map(|places| flat(edges_of(corners.map(|v| places[v]))));
            let area = if rest.has_area(t) { rest.areas()[t] } else { 0.0 };
            *link = Link { from, to, map: b * inverse(&a) * area, area };
        });
    }

    /// The map at a vertex, between the planes perpendicular to unit vectors: the mean over its triangles, weighted by
    /// area at rest. They are rotated into these planes first: a mean over tilted ones would be too short. Zero where
    /// a vector is zero.
    pub fn at(&self, rest: &Rest, vertex: usize, [from, to]: [&Vec3; 2]) -> Mat3 {
        let [Some(from), Some(to)] = [from, to].map(across) else { return Mat3::zeros() };
        let (mut sum, mut total) = (Mat2::zeros(), 0.0);
        for h in rest.edges().around(vertex as u32) {
            let link = &self.links[rest.edges().face(h) as usize];
            if let (Some(before), Some(after)) = (link.from.turned_into(&from), link.to.turned_into(&to)) {
                sum += after * link.map * before.transpose();
                total += link.area;
            }
        }
        let sum = if total > 0.0 { sum / total } else { sum };
        Mat3x2::from_columns(&[to.tangent, to.bitangent])
            * sum
            * Mat3x2::from_columns(&[from.tangent, from.bitangent]).transpose()
    }
}

impl Plane {
    /// The basis, rotated with its plane into the one of a frame by the shortest rotation, in that frame's axes. `None`
    /// if the two are opposite.
    fn turned_into(&self, frame: &Frame) -> Option<Mat2> {
        let axis = frame.flatten(&Turn::new(&self.normal, &frame.normal)?.turn(&self.tangent));
        Some(Mat2::new(axis.x, -axis.y, axis.y, axis.x))
    }
}

/// A frame with that normal, if there is one.
fn across(normal: &Vec3) -> Option<Frame> {
    Frame::new(*normal, Vec3::ith(normal.iamin(), 1.0)).filter(|_| *normal != Vec3::zeros())
}

/// The plane of a triangle, and its edges there.
fn flat(edges: Mat3x2) -> (Plane, Mat2) {
    let (a, b) = (edges.column(0), edges.column(1));
    let normal = a.cross(&b).try_normalize(0.0).unwrap_or_default();
    let longer = if a.norm_squared() > b.norm_squared() { a } else { b };
    let tangent = longer.try_normalize(0.0).unwrap_or_default();
    let bitangent = normal.cross(&tangent);
    let into = |edge: Vec3| Vec2::new(tangent.dot(&edge), bitangent.dot(&edge));
    (Plane { normal, tangent }, Mat2::from_columns(&[into(a.into_owned()), into(b.into_owned())]))
}

/// Zero if a direction is lost.
fn inverse(edges: &Mat2) -> Mat2 {
    let (determinant, size) = (edges.determinant(), edges.norm_squared());
    let sound = determinant * determinant > LOST * size * size;
    let adjugate = Mat2::new(edges.m22, -edges.m12, -edges.m21, edges.m11);
    if sound { adjugate / determinant } else { Mat2::zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{TriMesh, shapes};
    use sinew_math::Rotation;

    fn rest(mesh: &sinew_geometry::Mesh) -> Rest {
        Rest::new(TriMesh::from_mesh(mesh).unwrap()).unwrap()
    }

    fn normals(rest: &Rest, positions: &[Vec3]) -> Vec<Vec3> {
        let moved = TriMesh { positions: positions.to_vec(), ..rest.mesh().clone() };
        sinew_geometry::measure::vertex_normals(&moved)
    }

    /// A plate that is turned, moved and stretched unevenly in its plane, and back.
    #[test]
    fn on_a_plate_it_is_the_map_itself_and_its_inverse() {
        let flat = shapes::grid(4.0, 3.0, 8, 6);
        let turn = Rotation::from_scaled_axis(Vec3::new(0.4, -1.0, 0.7));
        let stretch = Mat3::new(1.7, 0.0, 0.3, 0.0, 1.0, 0.0, -0.2, 0.0, 0.4);
        for scale in [1e-3, 1.0, 1e3] {
            let rest = rest(&flat);
            let map = turn.to_rotation_matrix().into_inner() * stretch * scale;
            let moved: Vec<Vec3> =
                flat.positions.iter().map(|p| map * p + Vec3::new(9.0, 2.0, 1.0) * scale).collect();
            let (own, other) = (normals(&rest, &flat.positions), normals(&rest, &moved));
            let (mut there, mut back) = (Between::default(), Between::default());
            there.find(&rest, &flat.positions, &moved);
            back.find(&rest, &moved, &flat.positions);
            for v in 0..moved.len() {
                let [there, back] =
                    [there.at(&rest, v, [&own[v], &other[v]]), back.at(&rest, v, [&other[v], &own[v]])];
                for along in [Vec3::x(), Vec3::z()] {
                    assert!((there * along - map * along).norm() < 1e-12 * scale);
                    assert!((back * there * along - along).norm() < 1e-12);
                }
                assert!((there * own[v]).norm() < 1e-12 * scale);
            }
        }
    }

    /// A turned ball, and one twice as large: a mean over tilted planes would be too short.
    #[test]
    fn on_a_ball_lengths_stay_and_directions_turn() {
        let ball = shapes::sphere(1.0, 2);
        let rest = rest(&ball);
        let turn = Rotation::from_scaled_axis(Vec3::new(-0.9, 2.0, 0.3));
        let moved: Vec<Vec3> = ball.positions.iter().map(|p| turn * p * 2.0).collect();
        let mut between = Between::default();
        between.find(&rest, &ball.positions, &moved);
        for (v, normal) in normals(&rest, &ball.positions).iter().enumerate() {
            let map = between.at(&rest, v, [normal, &(turn * normal)]);
            let along = normal.cross(&Vec3::new(0.3, 0.5, -0.8));
            assert!((map * along - turn * along * 2.0).norm() < 1e-12, "{v}");
        }
    }

    #[test]
    fn lost_directions_map_to_zero_and_nothing_to_infinity() {
        let flat = shapes::grid(4.0, 3.0, 8, 6);
        let rest = rest(&flat);
        let up = Vec3::y();
        for squashed in [Vec3::new(1.0, 1.0, 0.0), Vec3::zeros()] {
            let line: Vec<Vec3> = flat.positions.iter().map(|p| p.component_mul(&squashed)).collect();
            let (mut from, mut to) = (Between::default(), Between::default());
            from.find(&rest, &line, &flat.positions);
            to.find(&rest, &flat.positions, &line);
            let v = 30;
            assert_eq!(from.at(&rest, v, [&up, &up]), Mat3::zeros());
            let along = to.at(&rest, v, [&up, &up]) * Vec3::x();
            assert!((along - Vec3::x() * squashed.x).norm() < 1e-12, "{along}");
            assert_eq!(to.at(&rest, v, [&Vec3::zeros(), &up]), Mat3::zeros());
        }
    }
}
