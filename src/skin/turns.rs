//! Zero-energy motions of a free piece of skin: rotations (and shifts) of space that map its surface at rest
//! onto itself, like the rotation of a torus about its axis.
//!
//! The elastic energy does not determine how far such a piece is turned, so it would be decided by the slight
//! preference of the triangles for points at or between vertices, and the skin would creep and snap. A quasi-static
//! equilibrium leaves these rotations where the body's motion put them, unless the body's shape really drives one.

use super::rest::Rest;
use nalgebra::{Matrix6, Vector6};
use sinew_geometry::measure::vertex_areas;
use sinew_math::{Real, Vec3};

/// The mean square of a rotation's normal component below which the surface is mapped onto itself.
const ALONG_NORMAL: Real = 1e-3;

/// A motion of space that maps a piece of the surface onto itself: p -> turn x (p - centre) + shift.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The piece.
    pub piece: u32,
    centre: Vec3,
    turn: Vec3,
    shift: Vec3,
}

impl Turn {
    /// The velocity at a point.
    pub fn at(&self, place: &Vec3) -> Vec3 {
        self.turn.cross(&(place - self.centre)) + self.shift
    }
}

/// The rotations of every piece for which `free` is true; `piece_of` is the piece of each vertex.
pub fn find(rest: &Rest, piece_of: &[u32], free: &[bool]) -> Vec<Turn> {
    let areas = vertex_areas(rest.mesh());
    let mut turns = Vec::new();
    for piece in (0..free.len()).filter(|&p| free[p]) {
        let vertices: Vec<usize> = (0..piece_of.len()).filter(|&v| piece_of[v] as usize == piece).collect();
        turns.extend(of_piece(rest, &areas, &vertices, piece as u32));
    }
    turns
}

/// The generalised eigenvectors of (the normal component, squared) against (all, squared) with small eigenvalues; they
/// are orthogonal over the surface.
fn of_piece(rest: &Rest, areas: &[Real], vertices: &[usize], piece: u32) -> Vec<Turn> {
    let at = |v: usize| rest.mesh().positions[v];
    let total: Real = vertices.iter().map(|&v| areas[v]).sum();
    let centre: Vec3 = vertices.iter().map(|&v| at(v) * areas[v]).sum::<Vec3>() / total;
    let size = vertices.iter().map(|&v| (at(v) - centre).norm()).fold(0.0, Real::max);
    if !(total > 0.0 && size > 0.0) {
        return Vec::new();
    }
    let (mut along, mut all) = (Matrix6::<Real>::zeros(), Matrix6::<Real>::zeros());
    for &v in vertices {
        let arm = (at(v) - centre) / size;
        let normal = rest.vertex_normal(v);
        // The velocities of the six motions at the vertex.
        let motions: [Vec3; 6] =
            std::array::from_fn(
                |k| if k < 3 { Vec3::ith(k, 1.0).cross(&arm) } else { Vec3::ith(k - 3, 1.0) },
            );
        for i in 0..6 {
            for j in 0..6 {
                along[(i, j)] += areas[v] * motions[i].dot(&normal) * motions[j].dot(&normal);
                all[(i, j)] += areas[v] * motions[i].dot(&motions[j]);
            }
        }
    }
    let Some(factor) = all.cholesky() else { return Vec::new() };
    let Some(inverse) = factor.l().try_inverse() else { return Vec::new() };
    let scaled: Matrix6<Real> = inverse * along * inverse.transpose();
    let eigen = scaled.symmetric_eigen();
    let mut found: Vec<(Real, Vector6<Real>)> = (0..6)
        .filter(|&k| eigen.eigenvalues[k] < ALONG_NORMAL)
        .map(|k| (eigen.eigenvalues[k], inverse.transpose() * eigen.eigenvectors.column(k)))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let turn = |(_, m): (Real, Vector6<Real>)| Turn {
        piece,
        centre,
        turn: Vec3::new(m[0], m[1], m[2]) / size,
        shift: Vec3::new(m[3], m[4], m[5]),
    };
    found.into_iter().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{Mesh, TriMesh, shapes};

    fn turns(mesh: &Mesh) -> Vec<Turn> {
        let rest = Rest::new(TriMesh::from_mesh(mesh).unwrap()).unwrap();
        find(&rest, &vec![0; mesh.positions.len()], &[true])
    }

    #[test]
    fn surfaces_have_the_turns_that_their_symmetry_gives() {
        let torus = turns(&shapes::torus(0.1, 0.03, 24, 16));
        assert_eq!(torus.len(), 1);
        assert!(torus[0].turn.cross(&Vec3::y()).norm() < 1e-9 * torus[0].turn.norm());
        assert_eq!(turns(&shapes::sphere(1.0, 3)).len(), 3);
        assert_eq!(turns(&shapes::grid(1.0, 2.0, 8, 8)).len(), 3);
        assert_eq!(turns(&shapes::cylinder(1.0, 3.0, 24, 12)).len(), 2);
        assert_eq!(turns(&shapes::cube(1.0, 6)).len(), 0);
    }

    /// Of a plate or a tube of any size, wherever it stands: along the surface, and orthonormal over it.
    #[test]
    fn motions_along_a_surface_are_orthonormal_over_it() {
        for (mesh, count) in [(shapes::grid(1.0, 2.0, 8, 8), 3), (shapes::cylinder(1.0, 3.0, 24, 12), 2)] {
            for scale in [0.01, 1.0, 50.0] {
                let place = |p: &Vec3| Vec3::new(p.x + 3.0, p.y - 7.0, p.z + 2.0) * scale;
                let mesh = Mesh { positions: mesh.positions.iter().map(place).collect(), ..mesh.clone() };
                let rest = Rest::new(TriMesh::from_mesh(&mesh).unwrap()).unwrap();
                let (areas, found) = (vertex_areas(rest.mesh()), turns(&mesh));
                assert_eq!(found.len(), count);
                for (i, one) in found.iter().enumerate() {
                    for (j, other) in found.iter().enumerate() {
                        let product = |(p, area): (&Vec3, &Real)| one.at(p).dot(&other.at(p)) * area;
                        let product: Real = mesh.positions.iter().zip(&areas).map(product).sum();
                        assert!((product - Real::from(i == j)).abs() < 1e-9, "{i} {j}: {product}");
                    }
                    let speed = mesh.positions.iter().map(|p| one.at(p).norm()).fold(0.0, Real::max);
                    for (v, p) in mesh.positions.iter().enumerate() {
                        assert!(one.at(p).dot(&rest.vertex_normal(v)).abs() < 1e-9 * speed);
                    }
                }
            }
        }
    }
}
