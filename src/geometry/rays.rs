//! Rays through a triangle mesh: where they leave it, and what is inside.

use super::tree::{tree, vector};
use super::triangles::TriMesh;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhNode};
use parry3d_f64::query::Ray;
use sinew_base::error::Result;
use sinew_math::{Real, Vec3};

/// A mesh prepared for rays. Its triangles face outwards.
pub struct Rays {
    tree: Bvh,
    triangles: Vec<[Vec3; 3]>,
}

/// The direction in which [`encloses`] looks: along no axis, so that it meets no edge of a modelled grid.
const ASKEW: Vec3 = Vec3::new(0.237_3, 0.911_7, 0.335_1);

impl Rays {
    /// Builds the tree; the positions must be finite.
    pub fn new(mesh: &TriMesh) -> Result<Self> {
        let (tree, triangles) = tree(mesh)?;
        Ok(Rays { tree, triangles })
    }

    /// How far along a unit direction the mesh is first left; `None` if it never is.
    pub fn exit(&self, from: &Vec3, direction: &Vec3) -> Option<Real> {
        let ray = ray(from, direction);
        let hit = self.tree.cast_ray(&ray, Real::INFINITY, |triangle, best| {
            let (distance, leaves) = crossing(from, direction, &self.triangles[triangle as usize])?;
            (leaves && distance < best).then_some(distance)
        });
        hit.map(|(_, distance)| distance)
    }

    /// Whether a point lies inside.
    pub fn inside(&self, point: &Vec3) -> bool {
        encloses(&self.tree, &self.triangles, point)
    }
}

/// Whether a point lies inside: a ray from it leaves the mesh more often than it enters.
pub(super) fn encloses(tree: &Bvh, triangles: &[[Vec3; 3]], point: &Vec3) -> bool {
    let direction = ASKEW.normalize();
    let ray = ray(point, &direction);
    let near = |node: &BvhNode| node.cast_ray(&ray, Real::MAX) < Real::MAX;
    let side = |triangle: u32| match crossing(point, &direction, &triangles[triangle as usize]) {
        Some((_, true)) => 1,
        Some((_, false)) => -1,
        None => 0,
    };
    tree.leaves(near).map(side).sum::<i32>() > 0
}

fn ray(from: &Vec3, direction: &Vec3) -> Ray {
    let [origin, dir]: [Vector; 2] = [vector(from), vector(direction)];
    Ray::new(origin, dir)
}

/// How far along a ray a triangle is met, and whether the ray leaves through it (Möller and Trumbore, "Fast, minimum
/// storage ray/triangle intersection", 1997).
fn crossing(from: &Vec3, direction: &Vec3, [a, b, c]: &[Vec3; 3]) -> Option<(Real, bool)> {
    let (ab, ac) = (b - a, c - a);
    let across = direction.cross(&ac);
    let volume = ab.dot(&across);
    if volume == 0.0 {
        return None;
    }
    let to = from - a;
    let u = to.dot(&across) / volume;
    let turned = to.cross(&ab);
    let v = direction.dot(&turned) / volume;
    let distance = ac.dot(&turned) / volume;
    let met = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0;
    // The volume is minus the direction's part along the outward normal.
    met.then_some((distance, volume < 0.0))
}

#[cfg(test)]
mod tests {
    use super::super::shapes;
    use super::*;

    #[test]
    fn rays_leave_a_torus_where_its_formula_says() {
        let rays = Rays::new(&TriMesh::from_mesh(&shapes::torus(2.0, 0.5, 200, 100)).unwrap()).unwrap();
        let exit = |from: [Real; 3], to: [Real; 3]| rays.exit(&Vec3::from(from), &Vec3::from(to));
        // From its circle, from its middle through both walls, along its axis and past it.
        assert!((exit([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap() - 0.5).abs() < 1e-3);
        assert!((exit([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap() - 2.5).abs() < 1e-3);
        assert_eq!(exit([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]).or(exit([9.0, 9.0, 9.0], [1.0, 0.0, 0.0])), None);
        for (point, inside) in [([2.1, 0.0, 0.1], true), ([0.0; 3], false), ([2.6, 0.0, 0.0], false)] {
            assert_eq!(rays.inside(&Vec3::from(point)), inside, "{point:?}");
        }
    }
}
