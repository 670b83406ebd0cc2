//! Tangent frames: three perpendicular unit vectors, the third along the normal.

use super::half_edges::HalfEdges;
use super::measure::{triangle_area_vector, vertex_normals};
use super::triangles::TriMesh;
use sinew_math::{Mat3x2, Real, Vec2, Vec3};

/// A right-handed orthonormal frame at a point on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The first tangent.
    pub tangent: Vec3,
    /// normal x tangent.
    pub bitangent: Vec3,
    /// The normal.
    pub normal: Vec3,
}

impl Frame {
    /// The frame with the given unit normal whose tangent is nearest to `along`; `None` if that has no direction in
    /// the tangent plane.
    pub fn new(normal: Vec3, along: Vec3) -> Option<Self> {
        let flat = along - normal * normal.dot(&along);
        // The tangential remainder of a vector along the normal is round-off: 1e-12 of its length has no direction.
        let tangent = (flat.norm() > 1e-12 * along.norm()).then(|| flat.normalize())?;
        Some(Frame { tangent, bitangent: normal.cross(&tangent), normal })
    }

    /// The frame of a triangle, its tangent along the first edge; `None` without area.
    pub fn of_triangle(points: [Vec3; 3]) -> Option<Self> {
        let normal = triangle_area_vector(points).try_normalize(0.0)?;
        Frame::new(normal, points[1] - points[0])
    }

    /// The frame of a triangle whose tangent is the direction of increasing u; `None` if the triangle or its UVs have
    /// no area. Mirrored UVs keep the frame right-handed: v then increases against the bitangent.
    pub fn of_uvs(points: [Vec3; 3], uvs: [Vec2; 3]) -> Option<Self> {
        let normal = triangle_area_vector(points).try_normalize(0.0)?;
        Frame::new(normal, uv_gradient(points, uvs)?.column(0).into_owned())
    }

    /// The components of a vector in the tangent plane.
    pub fn flatten(&self, v: &Vec3) -> Vec2 {
        Vec2::new(self.tangent.dot(v), self.bitangent.dot(v))
    }

    /// The vector with those components.
    pub fn lift(&self, v: &Vec2) -> Vec3 {
        self.tangent * v.x + self.bitangent * v.y
    }
}

/// dx/d(u, v) of a triangle: the columns are the derivatives of position by u and by v. `None` if the UVs have no area.
pub fn uv_gradient(points: [Vec3; 3], uvs: [Vec2; 3]) -> Option<Mat3x2> {
    let edges = Mat3x2::from_columns(&[points[1] - points[0], points[2] - points[0]]);
    let (a, b) = (uvs[1] - uvs[0], uvs[2] - uvs[0]);
    let determinant = a.perp(&b);
    // The inverse of the matrix with the columns a and b.
    let inverse = nalgebra::Matrix2::new(b.y, -b.x, -a.y, a.x) / determinant;
    let gradient = edges * inverse;
    gradient.iter().all(|x: &Real| x.is_finite()).then_some(gradient)
}

/// A frame per vertex: the angle-weighted normal, and a tangent along the first edge around the vertex, so that the
/// frames move with the surface. `None` where there is no triangle with area.
pub fn vertex_frames(mesh: &TriMesh, edges: &HalfEdges) -> Vec<Option<Frame>> {
    let normals = vertex_normals(mesh);
    let frame = |v: u32| {
        let along = |h: u32| mesh.positions[edges.target(h) as usize] - mesh.positions[v as usize];
        let normal = normals[v as usize];
        (normal != Vec3::zeros()).then(|| edges.around(v).find_map(|h| Frame::new(normal, along(h))))?
    };
    (0..mesh.positions.len() as u32).map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;
    use sinew_math::{Mat3, Rotation};

    fn assert_orthonormal(frame: &Frame) {
        let m = Mat3::from_columns(&[frame.tangent, frame.bitangent, frame.normal]);
        assert!((m.transpose() * m - Mat3::identity()).amax() < 1e-12);
        assert!((m.determinant() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn vertex_frames_are_orthonormal_and_turn_with_the_mesh() {
        let mut mesh = TriMesh::from_mesh(&shapes::torus(2.0, 0.6, 9, 8)).unwrap();
        let edges = HalfEdges::of_triangles(mesh.positions.len(), &mesh.triangles);
        let before = vertex_frames(&mesh, &edges);
        let turn = Rotation::from_euler_angles(0.3, -1.1, 2.0);
        mesh.positions.iter_mut().for_each(|p| *p = turn * *p);
        for (a, b) in before.iter().zip(vertex_frames(&mesh, &edges)) {
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_orthonormal(&b);
            assert!((turn * a.tangent - b.tangent).norm() < 1e-12);
        }
    }

    #[test]
    fn the_uv_frame_follows_u_and_flatten_undoes_lift() {
        let points = [Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.0, -3.0)];
        // u increases along -z, v along x: mirrored seen from above.
        let uvs = [Vec2::new(0.0, 0.0), Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)];
        let frame = Frame::of_uvs(points, uvs).unwrap();
        assert_orthonormal(&frame);
        assert!((frame.tangent + Vec3::z()).norm() < 1e-15 && (frame.normal - Vec3::y()).norm() < 1e-15);
        let gradient = uv_gradient(points, uvs).unwrap();
        assert_eq!(gradient.column(0), Vec3::new(0.0, 0.0, -3.0));
        assert_eq!(gradient.column(1), Vec3::new(2.0, 0.0, 0.0));
        let v = Vec2::new(0.3, -0.7);
        assert!((frame.flatten(&frame.lift(&v)) - v).norm() < 1e-15);
    }

    #[test]
    fn nothing_without_area_has_a_frame() {
        let flat = [Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()];
        assert_eq!(Frame::of_triangle(flat), None);
        let points = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        assert_eq!(Frame::of_uvs(points, [Vec2::zeros(); 3]), None);
        assert_eq!(Frame::new(Vec3::y(), 5.0 * Vec3::y()), None);
    }
}
