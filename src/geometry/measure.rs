//! Areas, normals, angles and the cotangent Laplacian of triangle meshes.
//!
//! - \[PP93\] Pinkall and Polthier, "Computing discrete minimal surfaces and their conjugates", 1993.
//! - \[MDSB03\] Meyer et al., "Discrete differential-geometry operators for triangulated 2-manifolds", 2003.

use super::triangles::TriMesh;
use sinew_math::elementary::atan2;
use sinew_math::{Mat2, Real, Vec2, Vec3, svd2};
use sprs::{CsMat, TriMat};
use std::f64::consts::PI;

/// The vector perpendicular to a triangle whose length is its area.
pub fn triangle_area_vector([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)) * 0.5
}

/// The area of every triangle.
pub fn triangle_areas(mesh: &TriMesh) -> Vec<Real> {
    (0..mesh.triangles.len()).map(|t| triangle_area_vector(mesh.points(t)).norm()).collect()
}

/// A third of the area of the triangles at each vertex: they sum to the total area.
pub fn vertex_areas(mesh: &TriMesh) -> Vec<Real> {
    let mut areas = vec![0.0; mesh.positions.len()];
    for (triangle, area) in mesh.triangles.iter().zip(triangle_areas(mesh)) {
        triangle.iter().for_each(|&v| areas[v as usize] += area / 3.0);
    }
    areas
}

/// The angle of a triangle at each of its corners, from sine and cosine together so that slivers keep their digits.
pub fn corner_angles(points: [Vec3; 3]) -> [Real; 3] {
    [0, 1, 2].map(|k| {
        let (u, v) = (points[(k + 1) % 3] - points[k], points[(k + 2) % 3] - points[k]);
        atan2(u.cross(&v).norm(), u.dot(&v))
    })
}

/// The unit normal of each vertex: the normals of its triangles weighted by their angles there, so that it hardly
/// depends on the triangulation. Zero where there is no triangle with area.
pub fn vertex_normals(mesh: &TriMesh) -> Vec<Vec3> {
    let mut normals = vec![Vec3::zeros(); mesh.positions.len()];
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let points = mesh.points(t);
        let Some(normal) = triangle_area_vector(points).try_normalize(0.0) else { continue };
        for (&v, angle) in triangle.iter().zip(corner_angles(points)) {
            normals[v as usize] += normal * angle;
        }
    }
    normals.iter().map(|n| n.try_normalize(0.0).unwrap_or_default()).collect()
}

/// How far a surface bends around a vertex.
#[derive(Clone, Copy, Default)]
pub struct Bend {
    /// The sums over its edges of the squared changes of the normal and of the squared lengths, and their number.
    turns: Real,
    lengths: Real,
    edges: Real,
}

impl Bend {
    /// The radius of curvature, the smaller ones counting more; infinite, or huge, where the surface is flat.
    pub fn radius(&self) -> Real {
        (self.lengths / self.turns.max(Real::MIN_POSITIVE)).sqrt()
    }

    /// The angle between the normals at the ends of an edge, root mean square.
    pub fn angle(&self) -> Real {
        self.edge() / self.radius()
    }

    /// The length of an edge, root mean square; zero at a vertex without triangles.
    pub fn edge(&self) -> Real {
        (self.lengths / self.edges.max(1.0)).sqrt()
    }
}

/// How far a surface bends around each vertex, from the normals at the vertices.
pub fn bends(mesh: &TriMesh, normal: impl Fn(usize) -> Vec3) -> Vec<Bend> {
    let mut bends = vec![Bend::default(); mesh.positions.len()];
    for vertices in &mesh.triangles {
        for side in 0..3 {
            let ends = [vertices[side] as usize, vertices[(side + 1) % 3] as usize];
            let [a, b] = ends.map(|v| mesh.positions[v]);
            let [m, n] = ends.map(&normal);
            for v in ends {
                bends[v].turns += (n - m).norm_squared();
                bends[v].lengths += (b - a).norm_squared();
                bends[v].edges += 1.0;
            }
        }
    }
    bends
}

/// 2 pi minus the sum of angles at each vertex, or pi minus it on a border: the curvature concentrated there. Over a
/// whole mesh it sums to 2 pi times the Euler characteristic (Gauss-Bonnet).
pub fn angle_defects(mesh: &TriMesh, on_border: impl Fn(u32) -> bool) -> Vec<Real> {
    let whole = |v: u32| if on_border(v) { PI } else { 2.0 * PI };
    let mut defects: Vec<Real> = (0..mesh.positions.len() as u32).map(whole).collect();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        for (&v, angle) in triangle.iter().zip(corner_angles(mesh.points(t))) {
            defects[v as usize] -= angle;
        }
    }
    defects
}

/// Gauss's curvature at each vertex, in 1/m^2: the defects of the angles at it and its neighbours, divided by their
/// areas. Alone a vertex is too small: on a scan the defect changes its sign from vertex to vertex. The geodesic
/// curvature of a border is left out.
pub fn gauss_curvatures(mesh: &TriMesh, on_border: impl Fn(u32) -> bool) -> Vec<Real> {
    let own = angle_defects(mesh, &on_border).into_iter().zip(vertex_areas(mesh)).zip(0..);
    let inside = |((defect, area), v)| if on_border(v) { [0.0; 2] } else { [defect, area] };
    let around: Vec<_> = own.map(inside).collect();
    let mut all = vec![[0.0; 2]; around.len()];
    for triangle in &mesh.triangles {
        let sums = [0, 1].map(|k| triangle.iter().map(|&v| around[v as usize][k]).sum::<Real>());
        triangle.iter().for_each(|&v| (0..2).for_each(|k| all[v as usize][k] += sums[k]));
    }
    all.iter().map(|[defect, area]| if *area > 0.0 { defect / area } else { 0.0 }).collect()
}

/// The cotangents of a triangle's angles; `None` if it has no area.
///
/// cot = (u . v) / |u x v| \[MDSB03 §3.2\].
pub fn cotangents(points: [Vec3; 3]) -> Option<[Real; 3]> {
    let twice_area = 2.0 * triangle_area_vector(points).norm();
    let cotangents = [0, 1, 2]
        .map(|k| (points[(k + 1) % 3] - points[k]).dot(&(points[(k + 2) % 3] - points[k])) / twice_area);
    cotangents.iter().all(|c| c.is_finite()).then_some(cotangents)
}

/// The cotangent Laplacian: (L u)_i = sum_j w_ij (u_i - u_j), w_ij = (cot a + cot b) / 2 with the angles opposite the
/// edge \[PP93\]. Symmetric, positive semidefinite, rows sum to zero, exact for linear functions on flat meshes.
///
/// Triangles without area have no cotangents and contribute nothing; their indices are returned.
pub fn cotangent_laplacian(mesh: &TriMesh) -> (CsMat<Real>, Vec<u32>) {
    let n = mesh.positions.len();
    let mut entries = TriMat::with_capacity((n, n), 12 * mesh.triangles.len() + n);
    let mut without_area = Vec::new();
    // The diagonal is in the pattern even at vertices without triangles, so that solvers can add a mass to it.
    (0..n).for_each(|v| entries.add_triplet(v, v, 0.0));
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let Some(cotangents) = cotangents(mesh.points(t)) else {
            without_area.push(t as u32);
            continue;
        };
        for (k, cotangent) in cotangents.into_iter().enumerate() {
            let (i, j) = (triangle[(k + 1) % 3] as usize, triangle[(k + 2) % 3] as usize);
            let w = 0.5 * cotangent;
            entries.add_triplet(i, i, w);
            entries.add_triplet(j, j, w);
            entries.add_triplet(i, j, -w);
            entries.add_triplet(j, i, -w);
        }
    }
    (entries.to_csr(), without_area)
}

/// The larger singular value of the map from one triangle to another; infinite if the first has no area.
pub fn larger_stretch(from: [Vec3; 3], to: [Vec3; 3]) -> Real {
    let Some(inverse) = flattened(from).try_inverse() else { return Real::INFINITY };
    svd2(&(flattened(to) * inverse)).s.x
}

/// The smallest and the largest coordinates of points; zeros if there are none.
pub fn bounds(points: &[Vec3]) -> [Vec3; 2] {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold([first; 2], |[low, high], p| [low.inf(p), high.sup(p)])
}

/// The stretch of a surface around each vertex when its triangles move with the vertices: the mean of their larger
/// stretches, weighted by current area. Triangles without area at rest do not count; a vertex without others has 1.
pub fn vertex_stretches(rest: &TriMesh, now: &[Vec3]) -> Vec<Real> {
    let mut sums = vec![(0.0, 0.0); rest.positions.len()];
    for (t, triangle) in rest.triangles.iter().enumerate() {
        let to = triangle.map(|v| now[v as usize]);
        let (stretch, area) = (larger_stretch(rest.points(t), to), triangle_area_vector(to).norm());
        if !(stretch * area).is_finite() {
            continue;
        }
        for &v in triangle {
            let (sum, weight) = &mut sums[v as usize];
            (*sum, *weight) = (*sum + area * stretch, *weight + area);
        }
    }
    sums.into_iter().map(|(sum, weight)| if weight > 0.0 { sum / weight } else { 1.0 }).collect()
}

/// Two edges of a triangle as the columns of a matrix, in its own plane.
fn flattened([a, b, c]: [Vec3; 3]) -> Mat2 {
    let (u, v) = (b - a, c - a);
    let length = u.norm();
    let across = u.cross(&v).norm() / length;
    Mat2::from_columns(&[Vec2::new(length, 0.0), Vec2::new(u.dot(&v) / length, across)])
}

#[cfg(test)]
mod tests {
    use super::super::{HalfEdges, Mesh, shapes};
    use super::*;
    use proptest::prelude::*;

    fn triangles(mesh: &Mesh) -> TriMesh {
        TriMesh::from_mesh(mesh).unwrap()
    }

    #[test]
    fn vertices_have_the_stretch_around_them() {
        let mut mesh = shapes::grid(2.0, 1.0, 8, 4);
        // A triangle without area, and a vertex without a face.
        mesh.positions.push(Vec3::y());
        mesh.corner_vertices.extend([0, 0, 1]);
        mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
        mesh.uvs = None;
        let rest = triangles(&mesh);
        // Everything with x > 0 is stretched to double.
        let now: Vec<Vec3> =
            mesh.positions.iter().map(|p| Vec3::new(p.x + p.x.max(0.0), 0.9 * p.y, 0.9 * p.z)).collect();
        let stretches = vertex_stretches(&rest, &now);
        for (p, s) in mesh.positions.iter().zip(&stretches) {
            let expected = match p.x {
                _ if p.y == 1.0 => 1.0..=1.0,
                x if x > 1e-9 => 2.0 - 1e-12..=2.0 + 1e-12,
                x if x < -1e-9 => 1.0 - 1e-12..=1.0 + 1e-12,
                // Twice the area of the right half is stretched twice.
                _ => 1.3..=1.9,
            };
            assert!(expected.contains(s), "{p}: {s}");
        }
    }

    #[test]
    fn the_larger_stretch_is_that_of_the_map_wherever_the_triangles_lie() {
        let from = [Vec3::zeros(), Vec3::x(), Vec3::new(0.3, 1.0, 0.0)];
        let turn = sinew_math::Rotation::from_scaled_axis(Vec3::new(0.4, -1.1, 0.7));
        let to = from.map(|p| turn * Vec3::new(1.5 * p.x, 0.5 * p.y, 0.0) + Vec3::new(1.0, 2.0, 3.0));
        assert!((larger_stretch(from, to) - 1.5).abs() < 1e-14);
        assert_eq!(larger_stretch([Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0], to), Real::INFINITY);
    }

    #[test]
    fn curvatures_are_those_of_the_surface() {
        let curvatures = |mesh: &Mesh| {
            let cut = triangles(mesh);
            let edges = HalfEdges::of_triangles(cut.positions.len(), &cut.triangles);
            let on_border = |v: u32| edges.around(v).any(|h| edges.twin(h).is_none());
            gauss_curvatures(&cut, on_border)
        };
        let torus = shapes::torus(2.0, 0.8, 90, 60);
        let off = |(p, found): (&Vec3, Real)| {
            let ring = p.x.hypot(p.z);
            found - (ring - 2.0) / (0.8 * 0.8 * ring)
        };
        let off: Vec<Real> = torus.positions.iter().zip(curvatures(&torus)).map(off).collect();
        // Of up to 1.04: the diagonals of the squares fall either way, and what one vertex has more its neighbours
        // lack.
        let worst = off.iter().fold(0.0, |worst: Real, off| worst.max(off.abs()));
        let mean = off.iter().sum::<Real>() / off.len() as Real;
        assert!(worst < 0.15 && mean.abs() < 0.005, "{worst} {mean}");
        for flat in [shapes::grid(1.0, 2.0, 5, 4), shapes::cylinder(1.0, 3.0, 40, 5)] {
            assert!(curvatures(&flat).iter().all(|k| k.abs() < 1e-9));
        }
    }

    #[test]
    fn gauss_bonnet_holds_on_closed_and_open_shapes() {
        for mesh in [
            shapes::sphere(0.7, 2),
            shapes::torus(2.0, 0.6, 11, 7),
            shapes::cube(1.0, 3),
            shapes::cylinder(1.0, 1.0, 9, 3),
            shapes::grid(1.0, 1.0, 3, 2),
        ] {
            let cut = triangles(&mesh);
            let edges = HalfEdges::of_triangles(cut.positions.len(), &cut.triangles);
            let border: std::collections::HashSet<u32> =
                edges.boundary_loops().concat().into_iter().collect();
            let total: Real = angle_defects(&cut, |v| border.contains(&v)).iter().sum();
            let expected = 2.0 * PI * edges.euler_characteristic() as Real;
            assert!((total - expected).abs() < 1e-10, "{total} {expected}");
        }
    }

    #[test]
    fn areas_and_normals_approach_the_sphere() {
        let ball = triangles(&shapes::sphere(2.0, 5));
        let area: Real = vertex_areas(&ball).iter().sum();
        assert!((area / (4.0 * PI * 4.0) - 1.0).abs() < 2e-3, "{area}");
        assert!((triangle_areas(&ball).iter().sum::<Real>() - area).abs() < 1e-10);
        for (normal, p) in vertex_normals(&ball).iter().zip(&ball.positions) {
            assert!((normal - p / 2.0).norm() < 2e-3);
        }
    }

    #[test]
    fn the_laplacian_is_symmetric_and_kills_linear_functions_inside_a_flat_mesh() {
        let mut flat = shapes::grid(2.0, 3.0, 6, 5);
        // Shift the inner vertices so that the angles are arbitrary.
        for (k, p) in flat.positions.iter_mut().enumerate() {
            *p += 0.05 * Vec3::new((7.0 * k as Real).sin(), 0.0, (3.0 * k as Real).cos());
        }
        let cut = triangles(&flat);
        let (laplacian, without_area) = cotangent_laplacian(&cut);
        assert!(without_area.is_empty());
        let edges = HalfEdges::of_triangles(cut.positions.len(), &cut.triangles);
        let border: std::collections::HashSet<u32> = edges.boundary_loops().concat().into_iter().collect();
        let u: Vec<Real> = cut.positions.iter().map(|p| 2.0 * p.x - 0.7 * p.z + 3.0).collect();
        for (i, row) in laplacian.outer_iterator().enumerate() {
            let sum: Real = row.iter().map(|(_, w)| w).sum();
            assert!(sum.abs() < 1e-12);
            let image: Real = row.iter().map(|(j, w)| w * u[j]).sum();
            assert!(border.contains(&(i as u32)) || image.abs() < 1e-12, "{image}");
            row.iter().for_each(|(j, w)| assert_eq!(laplacian.get(j, i), Some(w)));
        }
    }

    #[test]
    fn the_dirichlet_energy_of_the_coordinates_is_the_area() {
        // Sum over x, y, z of u L u / 2 = area: equality holds because the positions map the surface conformally.
        let cut = triangles(&shapes::torus(2.0, 0.6, 9, 8));
        let (laplacian, _) = cotangent_laplacian(&cut);
        let mut energy = 0.0;
        for (i, row) in laplacian.outer_iterator().enumerate() {
            for (j, w) in row.iter() {
                energy += 0.5 * w * cut.positions[i].dot(&cut.positions[j]);
            }
        }
        assert!((energy - triangle_areas(&cut).iter().sum::<Real>()).abs() < 1e-10);
    }

    #[test]
    fn a_triangle_without_area_is_named_and_poisons_nothing() {
        let mesh = TriMesh {
            positions: vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x(), Vec3::y()],
            triangles: vec![[0, 1, 2], [0, 1, 3]],
            ..TriMesh::default()
        };
        let (laplacian, without_area) = cotangent_laplacian(&mesh);
        assert_eq!(without_area, [0]);
        assert!(laplacian.data().iter().all(|w| w.is_finite()));
        assert_eq!(vertex_normals(&mesh)[2], Vec3::zeros());
    }

    proptest! {
        #[test]
        fn angles_add_up_to_pi(p in prop::array::uniform9(-1.0..1.0f64)) {
            let points = [0, 3, 6].map(|k| Vec3::new(p[k], p[k + 1], p[k + 2]));
            prop_assume!(triangle_area_vector(points).norm() > 1e-6);
            prop_assert!((corner_angles(points).iter().sum::<Real>() - PI).abs() < 1e-12);
            // cot a cot b + cot b cot c + cot c cot a = 1 in every triangle.
            let [a, b, c] = cotangents(points).unwrap();
            prop_assert!((a * b + b * c + c * a - 1.0).abs() < 1e-6 * (1.0 + a.abs().max(b.abs()).max(c.abs()).powi(2)));
        }
    }
}
