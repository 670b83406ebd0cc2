//! Triangulation of polygons.
//!
//! A polygon is triangulated by ear clipping in the coordinate plane in which its area is largest: right for every
//! simple planar polygon, including concave ones. The result depends on the given positions, so triangulate the rest
//! pose once and keep the triangles for all frames.

use super::mesh::Mesh;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2, Vec3};

/// Clipping takes time quadratic in the number of corners; a polygon with more is rejected by name.
pub const MAX_CORNERS: usize = 4096;

/// A triangle mesh that remembers its polygons.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// One point per vertex, those of the polygon mesh.
    pub positions: Vec<Vec3>,
    /// The vertices of each triangle, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// The polygon mesh's corner at each triangle corner, for looking up UVs.
    pub corners: Vec<[u32; 3]>,
    /// The polygon of each triangle; the triangles of a polygon are consecutive.
    pub faces: Vec<u32>,
    /// Polygons that cross themselves or have no area, so that no triangulation is right; they are cut somehow.
    pub flawed: Vec<u32>,
}

impl TriMesh {
    /// Triangulates all polygons.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self> {
        mesh.check_counts()?;
        let mut made = TriMesh { positions: mesh.positions.clone(), ..TriMesh::default() };
        let mut cutter = Cutter::default();
        for face in 0..mesh.face_count() {
            let corners = mesh.corners(face);
            if corners.len() > MAX_CORNERS {
                let message = format!(
                    "a polygon of {} corners; at most {MAX_CORNERS} can be triangulated",
                    corners.len()
                );
                return Err(Error::new(Kind::TooLarge, message).face(face));
            }
            let sound = cutter.cut(corners.start, face_points(mesh, face));
            if !sound {
                made.flawed.push(face as u32);
            }
            for &triangle in &cutter.triangles {
                made.corners.push(triangle);
                made.triangles.push(triangle.map(|c| mesh.corner_vertices[c as usize]));
                made.faces.push(face as u32);
            }
        }
        Ok(made)
    }

    /// The three points of a triangle.
    pub fn points(&self, triangle: usize) -> [Vec3; 3] {
        // Not by `map` on the array, which the compiler leaves as a call with a loop: searches depend on this being
        // fast.
        let [a, b, c] = self.triangles[triangle];
        [self.positions[a as usize], self.positions[b as usize], self.positions[c as usize]]
    }
}

fn face_points(mesh: &Mesh, face: usize) -> impl Iterator<Item = Vec3> + '_ {
    mesh.face(face).iter().map(|&v| mesh.positions[v as usize])
}

/// The area vector of a polygon: half the sum of the cross products around it, about its first point.
pub(super) fn area_vector(points: &[Vec3]) -> Vec3 {
    let Some(&origin) = points.first() else { return Vec3::zeros() };
    points.windows(2).map(|w| (w[0] - origin).cross(&(w[1] - origin)) * 0.5).sum()
}

/// Reused memory for triangulation.
#[derive(Default)]
struct Cutter {
    points: Vec<Vec3>,
    flat: Vec<Vec2>,
    /// Corners that are not clipped yet, as indices into `flat`.
    left: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

impl Cutter {
    /// Triangulates one polygon into `self.triangles`; false if no triangulation is right.
    fn cut(&mut self, first_corner: usize, points: impl Iterator<Item = Vec3>) -> bool {
        self.points.clear();
        self.points.extend(points);
        self.triangles.clear();
        let sound = match self.points.len() {
            3 => {
                self.triangles.push([0, 1, 2]);
                area_vector(&self.points) != Vec3::zeros()
            }
            4 if self.cut_quad() => true,
            _ => self.clip_ears(),
        };
        self.triangles.iter_mut().flatten().for_each(|c| *c += first_corner as u32);
        sound
    }

    /// A quad has two diagonals. The shorter one whose two triangles are both oriented like the whole is used.
    fn cut_quad(&mut self) -> bool {
        let p = &self.points;
        let normal = area_vector(p);
        let looks = |a: usize, b: usize, c: usize| (p[b] - p[a]).cross(&(p[c] - p[a])).dot(&normal) > 0.0;
        let first = looks(0, 1, 2) && looks(0, 2, 3);
        let second = looks(1, 2, 3) && looks(1, 3, 0);
        let shorter = (p[0] - p[2]).norm_squared() <= (p[1] - p[3]).norm_squared();
        match (first, second) {
            (true, true) if shorter => self.triangles.extend([[0, 1, 2], [0, 2, 3]]),
            (true, false) => self.triangles.extend([[0, 1, 2], [0, 2, 3]]),
            (_, true) => self.triangles.extend([[1, 2, 3], [1, 3, 0]]),
            (false, false) => return false,
        }
        true
    }

    fn clip_ears(&mut self) -> bool {
        self.flatten();
        let mut sound = true;
        self.left.clear();
        self.left.extend(0..self.flat.len() as u32);
        let mut at = 0;
        let mut tried = 0;
        while self.left.len() > 3 {
            let n = self.left.len();
            let (a, b, c) = (self.left[(at + n - 1) % n], self.left[at % n], self.left[(at + 1) % n]);
            // After a whole round without an ear the polygon is not simple: clip anyway, and report it.
            if tried == n {
                sound = false;
            }
            if tried == n || self.is_ear(a, b, c) {
                self.triangles.push([a, b, c]);
                self.left.remove(at % n);
                // Skip a corner: alternating ears give better triangles than a fan.
                at = if at % n == n - 1 { 0 } else { at % n + 1 };
                tried = 0;
            } else {
                at = (at + 1) % n;
                tried += 1;
            }
        }
        let last = [self.left[0], self.left[1], self.left[2]];
        sound &= turn(last.map(|k| self.flat[k as usize])) > 0.0;
        self.triangles.push(last);
        sound
    }

    /// Drops the coordinate along which the area vector is longest, keeping the polygon counter-clockwise.
    fn flatten(&mut self) {
        let normal = area_vector(&self.points);
        let axis = normal.iamax();
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if normal[axis] < 0.0 {
            std::mem::swap(&mut u, &mut v);
        }
        self.flat.clear();
        self.flat.extend(self.points.iter().map(|p| Vec2::new(p[u], p[v])));
    }

    fn is_ear(&self, a: u32, b: u32, c: u32) -> bool {
        let ear = [a, b, c].map(|k| self.flat[k as usize]);
        turn(ear) > 0.0
            && !self.left.iter().any(|&k| {
                let p = self.flat[k as usize];
                // A corner at the same place as one of the ear's (a keyhole polygon) does not block it.
                !ear.contains(&p) && (0..3).all(|e| turn([ear[e], ear[(e + 1) % 3], p]) >= 0.0)
            })
    }
}

/// Twice the signed area of a triangle.
fn turn([a, b, c]: [Vec2; 3]) -> Real {
    (b - a).perp(&(c - a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn polygon(points: &[[Real; 2]]) -> Mesh {
        Mesh {
            positions: points.iter().map(|p| Vec3::new(p[0], p[1], 0.1 * p[0])).collect(),
            face_offsets: vec![0, points.len() as u32],
            corner_vertices: (0..points.len() as u32).collect(),
            ..Mesh::default()
        }
    }

    /// All triangles are oriented like the polygon and their areas sum to its own: the triangulation is a partition.
    fn assert_partition(mesh: &Mesh) {
        let cut = TriMesh::from_mesh(mesh).unwrap();
        assert_eq!(cut.flawed, [0u32; 0], "{mesh:?}");
        assert_eq!(cut.triangles.len(), mesh.corner_vertices.len() - 2 * mesh.face_count());
        let whole = area_vector(&mesh.positions);
        let areas: Vec<Real> =
            (0..cut.triangles.len()).map(|t| area_vector(&cut.points(t)).dot(&whole.normalize())).collect();
        assert!(areas.iter().all(|&a| a > -1e-12), "{areas:?}");
        assert!((areas.iter().sum::<Real>() - whole.norm()).abs() < 1e-9 * whole.norm());
    }

    #[test]
    fn concave_quads_and_letters_are_cut_right() {
        assert_partition(&polygon(&[[0.0, 0.0], [2.0, 0.0], [0.3, 0.3], [0.0, 2.0]]));
        assert_partition(&polygon(&[[0.3, 0.3], [0.0, 2.0], [0.0, 0.0], [2.0, 0.0]]));
        // The letter U, and a keyhole: a square with a square hole joined by a slit.
        assert_partition(&polygon(&[
            [0.0, 0.0],
            [3.0, 0.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ]));
        assert_partition(&polygon(&[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ]));
    }

    #[test]
    fn flawed_polygons_are_named_and_still_cut() {
        for points in [
            [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
            [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
            [[1.0, 1.0]; 4],
        ] {
            let cut = TriMesh::from_mesh(&polygon(&points)).unwrap();
            assert_eq!((cut.flawed.as_slice(), cut.triangles.len()), (&[0][..], 2));
        }
    }

    #[test]
    fn a_polygon_that_would_take_forever_is_refused_by_name() {
        let circle: Vec<_> = (0..MAX_CORNERS + 1).map(|k| [(k as Real).cos(), (k as Real).sin()]).collect();
        let error = TriMesh::from_mesh(&polygon(&circle)).unwrap_err();
        assert_eq!((error.kind(), error.place().face), (Kind::TooLarge, Some(0)));
    }

    proptest! {
        /// Star-shaped polygons are simple whatever their radii are.
        #[test]
        fn any_star_is_partitioned(radii in prop::collection::vec(0.05..3.0f64, 5..40)) {
            let n = radii.len() as Real;
            let points: Vec<_> = radii.iter().enumerate().map(|(k, r)| {
                let angle = std::f64::consts::TAU * k as Real / n;
                [r * angle.cos(), r * angle.sin()]
            }).collect();
            assert_partition(&polygon(&points));
        }
    }
}
