//! How joints are turned: relative to their parents since rest, in their own axes at rest, as a swing and a twist.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::elementary::atan2;
use sinew_math::motion::rotation_vector;
use sinew_math::{
    Affine, Mat3, Real, Rotation, Vec3, compose, invert, invert_rest, linear, polar3, translation,
};
use std::f64::consts::{PI, TAU};

/// The names of axes.
pub const NAMES: [&str; 3] = ["x", "y", "z"];

/// Joints at rest.
#[derive(Clone, Debug)]
pub struct Joints {
    parents: Vec<Option<usize>>,
    /// The inverse of each joint's matrix at rest in its parent.
    inverses: Vec<Affine>,
    /// The axis of each joint about which it twists.
    axes: Vec<usize>,
}

impl Joints {
    /// Of matrices at rest and the parent of each joint.
    pub fn new(rest: &[Affine], parents: &[Option<usize>]) -> Result<Self> {
        let world = invert_rest(rest)?;
        let inverse = |joint: usize| match parents[joint] {
            // (P^-1 R)^-1
            Some(parent) => compose(&world[joint], &rest[parent]),
            None => world[joint],
        };
        let inverses = (0..rest.len()).map(inverse).collect();
        let axes = (0..rest.len()).map(|joint| twist_axis(joint, rest, parents)).collect();
        Ok(Joints { parents: parents.to_vec(), inverses, axes })
    }

    /// The axis of a joint about which it twists: that of its own which points to its children the most, y if it has
    /// none.
    pub fn twist_axis(&self, joint: usize) -> usize {
        self.axes[joint]
    }

    /// The three angles of each joint in radians: the twist about its axis, and the swing, which comes after it, as the
    /// two other components of its rotation vector. A joint without a parent has none: it moves the whole body.
    pub fn angles(&self, now: &[Affine]) -> Result<Vec<[Real; 3]>> {
        let angles = |joint: usize| -> Result<[Real; 3]> {
            let Some(parent) = self.parents[joint] else { return Ok([0.0; 3]) };
            let flat = || Error::new(Kind::Degenerate, "its matrix cannot be inverted").joint(parent);
            let local = compose(&invert(&now[parent]).ok_or_else(flat)?, &now[joint]);
            let turn = rotation(&linear(&compose(&self.inverses[joint], &local)));
            Ok(swing_and_twist(&turn, self.axes[joint]))
        };
        (0..self.inverses.len()).map(angles).collect()
    }
}

/// The rotation that is nearest to a matrix.
fn rotation(m: &Mat3) -> Rotation {
    let nearest = nalgebra::Rotation3::from_matrix_unchecked(polar3(m).rotation);
    Rotation::from_rotation_matrix(&nearest)
}

fn twist_axis(joint: usize, rest: &[Affine], parents: &[Option<usize>]) -> usize {
    let own = linear(&rest[joint]);
    let here = translation(&rest[joint]);
    let children = (0..rest.len()).filter(|&child| parents[child] == Some(joint));
    let towards: Vec3 = children.map(|child| translation(&rest[child]) - here).sum();
    let along: Vec<Real> = own.column_iter().map(|axis| axis.dot(&towards).abs()).collect();
    // Of equal ones y.
    [1, 0, 2]
        .into_iter()
        .reduce(|best, other| if along[other] > along[best] { other } else { best })
        .unwrap_or(1)
}

/// q = swing * twist.
fn swing_and_twist(turn: &Rotation, axis: usize) -> [Real; 3] {
    let q = turn.quaternion();
    let mut twist = 2.0 * atan2(q.imag()[axis], q.scalar());
    if twist > PI {
        twist -= TAU;
    } else if twist <= -PI {
        twist += TAU;
    }
    let mut vector = Vec3::zeros();
    vector[axis] = twist;
    let mut angles: [Real; 3] = rotation_vector(&(turn * sinew_math::motion::rotation_by(&-vector))).into();
    angles[axis] = twist;
    angles
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::affine;
    use sinew_math::motion::rotation_by;

    /// An arm along x from (1, 0, 0) to (2, 0, 0), its joints turned somehow at rest.
    fn arm() -> ([Affine; 2], [Option<usize>; 2]) {
        let at = |x: Real, turn: Vec3| {
            affine(&rotation_by(&turn).to_rotation_matrix().into_inner(), &Vec3::new(x, 0.0, 0.0))
        };
        ([at(1.0, Vec3::new(0.3, 0.1, 0.0)), at(2.0, Vec3::new(0.0, 0.0, 0.2))], [None, Some(0)])
    }

    #[test]
    fn a_turn_about_an_own_axis_is_one_angle_wherever_the_body_is() {
        let (rest, parents) = arm();
        let joints = Joints::new(&rest, &parents).unwrap();
        assert_eq!(joints.twist_axis(0), 0);
        let moved =
            affine(&rotation_by(&Vec3::new(1.0, -2.0, 0.5)).to_rotation_matrix().into_inner(), &Vec3::x());
        for axis in 0..3 {
            for angle in [-2.5, -0.4, 0.0, 1.0, 3.0] {
                let mut vector = Vec3::zeros();
                vector[axis] = angle;
                let turn = rotation_by(&vector).to_rotation_matrix().into_inner();
                let child = compose(&rest[1], &affine(&turn, &Vec3::zeros()));
                let now = [compose(&moved, &rest[0]), compose(&moved, &child)];
                let found = joints.angles(&now).unwrap();
                assert_eq!(found[0], [0.0; 3]);
                assert!((Vec3::from(found[1]) - vector).norm() < 1e-12, "{axis} {angle}: {found:?}");
            }
        }
    }

    #[test]
    fn swing_after_twist_is_the_whole_turn() {
        let turn = rotation_by(&Vec3::new(0.9, -1.1, 0.4));
        for axis in 0..3 {
            let angles = swing_and_twist(&turn, axis);
            let (mut twist, mut swing) = (Vec3::zeros(), Vec3::from(angles));
            twist[axis] = swing[axis];
            swing[axis] = 0.0;
            assert!((rotation_by(&swing) * rotation_by(&twist)).angle_to(&turn) < 1e-12, "{axis}");
        }
    }
}
