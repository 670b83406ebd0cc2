//! The mass properties of a body from its shape: mass, centre and inertia.
//!
//! - \[Mirtich96\] Mirtich, "Fast and accurate computation of polyhedral mass properties", 1996. The integrals here are
//!   the same, summed over signed tetrahedra instead of projected faces, which needs no division that can fail.

use super::solid::Solid;
use nalgebra::{Rotation3, SymmetricEigen};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Mat3, Placement, Real, Rotation, Vec3};

/// Mass, centre and inertia of a body, in the coordinates of its mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// In kilograms.
    pub mass: Real,
    /// The centre of mass.
    pub centre: Vec3,
    /// The inertia tensor about the centre of mass, in the mesh's axes: the integral of |x|^2 I - x x^T.
    pub inertia: Mat3,
}

/// The frame in which a body's inertia is diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// The frame: its origin is the centre of mass. Of the 24 ways to label the axes, the one closest to the mesh's own
    /// axes is chosen.
    pub placement: Placement,
    /// The moments of inertia about its three axes.
    pub moments: Vec3,
}

/// The permutations of three axes.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

impl MassProperties {
    /// For a solid of uniform density (kg/m^3).
    ///
    /// A tetrahedron between the centre and a triangle a, b, c has the second moments
    /// det(a, b, c) / 120 (s s^T + a a^T + b b^T + c c^T), s = a + b + c; the inertia is tr(C) I - C of their sum C.
    pub fn of_solid(solid: &Solid, density: Real) -> Result<Self> {
        check_density(density)?;
        let centre = solid.centroid();
        let mut second = Mat3::zeros();
        for t in 0..solid.triangles().len() {
            let [a, b, c] = solid.points(t).map(|p| p - centre);
            let sum = a + b + c;
            let squares = sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose();
            second += squares * (a.dot(&b.cross(&c)) / 120.0);
        }
        let inertia = (Mat3::identity() * second.trace() - second) * density;
        Ok(MassProperties { mass: solid.volume() * density, centre, inertia })
    }

    /// For a cuboid around the origin: m / 12 (y^2 + z^2) about x, and so on.
    pub fn of_cuboid(size: &Vec3, density: Real) -> Result<Self> {
        check_density(density)?;
        if !size.iter().all(|s| *s > 0.0 && s.is_finite()) {
            return Err(Error::new(Kind::OutOfRange, "the sides of a cuboid must be positive numbers"));
        }
        let mass = size.product() * density;
        let squares = size.component_mul(size);
        let inertia = Mat3::from_diagonal(&((Vec3::repeat(squares.sum()) - squares) * (mass / 12.0)));
        Ok(MassProperties { mass, centre: Vec3::zeros(), inertia })
    }

    /// After moving the body.
    pub fn moved(&self, by: &Placement) -> Self {
        let axes = by.axes();
        let inertia = axes * self.inertia * axes.transpose();
        MassProperties { mass: self.mass, centre: by.point(&self.centre), inertia }
    }

    /// For two pieces joined into one body, by the parallel axis theorem.
    pub fn joined(&self, other: &MassProperties) -> Self {
        let mass = self.mass + other.mass;
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |piece: &MassProperties| {
            let arm = piece.centre - centre;
            piece.inertia + (Mat3::identity() * arm.norm_squared() - arm * arm.transpose()) * piece.mass
        };
        MassProperties { mass, centre, inertia: about(self) + about(other) }
    }

    /// The frame at the centre of mass along the principal axes of inertia.
    pub fn principal(&self) -> Principal {
        let eigen = SymmetricEigen::new(self.inertia);
        let (mut best, mut trace, mut moments) = (Mat3::identity(), Real::NEG_INFINITY, Vec3::zeros());
        for order in ORDERS {
            let mut axes = Mat3::from_columns(&order.map(|k| eigen.eigenvectors.column(k).into_owned()));
            for axis in 0..3 {
                if axes[(axis, axis)] < 0.0 {
                    axes.column_mut(axis).neg_mut();
                }
            }
            // A reflection is undone along the axis for which that rotates the frame least.
            if axes.determinant() < 0.0 {
                let axis = axes.diagonal().imin();
                axes.column_mut(axis).neg_mut();
            }
            if axes.trace() > trace {
                let values = order.map(|k| eigen.eigenvalues[k]);
                (best, trace, moments) = (axes, axes.trace(), Vec3::from(values));
            }
        }
        let rotation = Rotation::from_rotation_matrix(&Rotation3::from_matrix_unchecked(best));
        Principal { placement: Placement::new(rotation, self.centre), moments }
    }
}

fn check_density(density: Real) -> Result<()> {
    if density > 0.0 && density.is_finite() {
        return Ok(());
    }
    Err(Error::new(Kind::OutOfRange, format!("the density must be a positive number, not {density}")))
}

#[cfg(test)]
mod tests {
    use super::super::{Mesh, shapes};
    use super::*;
    use proptest::prelude::*;
    use sinew_math::Vec6;
    use std::f64::consts::PI;

    fn of(mesh: &Mesh, density: Real) -> MassProperties {
        MassProperties::of_solid(&Solid::new(mesh).unwrap(), density).unwrap()
    }

    /// The largest difference, relative to the reference.
    fn off(found: &MassProperties, expected: &MassProperties) -> Real {
        let size = 1.0 + expected.centre.amax();
        ((found.mass - expected.mass) / expected.mass)
            .abs()
            .max((found.centre - expected.centre).amax() / size)
            .max((found.inertia - expected.inertia).amax() / expected.inertia.amax())
    }

    #[test]
    fn a_cuboid_has_its_closed_form() {
        let size = Vec3::new(0.3, 2.0, 0.7);
        let expected = MassProperties::of_cuboid(&size, 1200.0).unwrap();
        assert!((expected.mass - 504.0).abs() < 1e-9);
        assert!((expected.inertia[(1, 1)] - 504.0 / 12.0 * (0.09 + 0.49)).abs() < 1e-10);
        assert!(off(&of(&shapes::cuboid(&size), 1200.0), &expected) < 1e-14);
        let principal = expected.principal();
        assert_eq!(principal.placement, Placement::default());
        assert_eq!(principal.moments, expected.inertia.diagonal());
    }

    #[test]
    fn a_sphere_converges_with_the_square_of_its_edges() {
        let error = |halvings: usize| {
            let found = of(&shapes::sphere(2.0, halvings), 3.0);
            let mass = 4.0 / 3.0 * PI * 8.0 * 3.0;
            let inertia = Mat3::identity() * (0.4 * mass * 4.0);
            off(&found, &MassProperties { mass, centre: Vec3::zeros(), inertia })
        };
        let ratio = error(3) / error(4);
        assert!(error(4) < 6e-3 && (ratio - 4.0).abs() < 0.2, "{ratio} {}", error(4));
    }

    #[test]
    fn a_torus_has_its_closed_form() {
        // Around its axis: m (R^2 + 3/4 r^2).
        let found = of(&shapes::torus(2.0, 0.5, 200, 100), 1.0);
        let expected = 2.0 * PI * PI * 2.0 * 0.25 * (4.0 + 0.75 * 0.25);
        assert!((found.principal().moments.y / expected - 1.0).abs() < 3e-3);
    }

    #[test]
    fn densities_and_sizes_that_are_none_are_refused() {
        let solid = Solid::new(&shapes::cube(1.0, 1)).unwrap();
        for density in [0.0, -1.0, Real::NAN, Real::INFINITY] {
            assert_eq!(MassProperties::of_solid(&solid, density).unwrap_err().kind(), Kind::OutOfRange);
            assert!(MassProperties::of_cuboid(&Vec3::repeat(1.0), density).is_err());
        }
        assert!(MassProperties::of_cuboid(&Vec3::new(1.0, 0.0, 1.0), 1.0).is_err());
    }

    proptest! {
        #[test]
        fn a_mesh_moved_and_turned_has_them_moved_and_turned(
            twist in prop::array::uniform6(-3.0..3.0f64), size in prop::array::uniform3(0.2..2.0f64),
        ) {
            let motion = Placement::exp(&Vec6::from(twist));
            let mut mesh = shapes::cuboid(&Vec3::from(size));
            // No longer symmetric: one corner pulled out.
            mesh.positions[0] *= 1.7;
            let still = of(&mesh, 900.0);
            mesh.positions.iter_mut().for_each(|p| *p = motion.point(p));
            prop_assert!(off(&of(&mesh, 900.0), &still.moved(&motion)) < 1e-12);
        }

        #[test]
        fn principal_axes_give_the_inertia_again(
            twist in prop::array::uniform6(-3.0..3.0f64), size in prop::array::uniform3(0.2..2.0f64),
        ) {
            let motion = Placement::exp(&Vec6::from(twist));
            let found = MassProperties::of_cuboid(&Vec3::from(size), 1.0).unwrap().moved(&motion);
            let principal = found.principal();
            let axes = principal.placement.axes();
            let again = axes * Mat3::from_diagonal(&principal.moments) * axes.transpose();
            prop_assert!((again - found.inertia).amax() < 1e-13 * 10.0);
            prop_assert!((axes.determinant() - 1.0).abs() < 1e-13 && principal.placement.origin == found.centre);
            // No other labelling of the axes is closer: at most 62.8 degrees, the maximum over the cube's rotations.
            prop_assert!(principal.placement.rotation.angle() < 62.81f64.to_radians());
        }

        #[test]
        fn two_pieces_add_up(twist in prop::array::uniform6(-3.0..3.0f64), size in prop::array::uniform3(0.2..2.0f64)) {
            let motion = Placement::exp(&Vec6::from(twist));
            let (first, mut second) = (shapes::sphere(0.5, 1), shapes::cuboid(&Vec3::from(size)));
            second.positions.iter_mut().for_each(|p| *p = motion.point(p));
            let expected = of(&first, 2.0).joined(&of(&second, 2.0));
            let mut both = Mesh { face_offsets: vec![0], ..Mesh::default() };
            for mesh in [first, second] {
                let (vertices, corners) = (both.positions.len() as u32, both.corner_vertices.len() as u32);
                both.positions.extend(mesh.positions);
                both.corner_vertices.extend(mesh.corner_vertices.iter().map(|v| v + vertices));
                both.face_offsets.extend(mesh.face_offsets[1..].iter().map(|o| o + corners));
            }
            prop_assert!(off(&of(&both, 2.0), &expected) < 1e-12);
        }
    }
}
