//! The transform of a prim: `xformOpOrder` of itself and its ancestors.

use super::Stage;
use super::prim::Prim;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::motion::rotation_by;
use sinew_math::{Affine, Mat3, Real, Rotation, Vec3, affine, compose, invert};

/// The rotation of a quaternion with its real part first; the identity for zero length.
pub(super) fn quaternion(q: &[Real]) -> Mat3 {
    let q = nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]);
    let turn = Rotation::try_new(q, 0.0).unwrap_or_else(Rotation::identity);
    *turn.to_rotation_matrix().matrix()
}

/// A last column beyond 0, 0, 0, 1 by more than this is no round-off.
const PROJECTS: Real = 1e-6;

/// Converts the file's matrix, for row vectors, to ours, for column vectors. USD divides points by what the last column
/// makes of them; such a projection is not a placement.
pub(super) fn matrix(m: &[Real], name: &str) -> Result<Affine> {
    let last = [m[3], m[7], m[11], m[15]];
    if last.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(a, b)| (a - b).abs() > PROJECTS) {
        let last = last.map(|n| n.to_string()).join(", ");
        let message = format!("{name} is a projection: its last column is {last} instead of 0, 0, 0, 1");
        return Err(Error::new(Kind::Unsupported, message));
    }
    Ok(Affine::from_fn(|row, column| m[4 * column + row]))
}

impl Stage {
    /// The transform from a prim's own space to the world.
    pub fn world(&self, path: &str, time: Real) -> Result<Affine> {
        let mut place = Affine::identity();
        for (outer, prim) in self.ancestors(path) {
            let (own, resets) = self.own_place(prim, time).map_err(|e| e.prim(outer))?;
            place = compose(&own, &place);
            if resets {
                break;
            }
        }
        Ok(place)
    }

    /// A prim's local transform, and whether it resets the parent's.
    fn own_place(&self, prim: &Prim, time: Real) -> Result<(Affine, bool)> {
        let order = self.texts(prim, "xformOpOrder", time)?.unwrap_or_default();
        let mut place = Affine::identity();
        let mut resets = false;
        for name in &order {
            if name == "!resetXformStack!" {
                (place, resets) = (Affine::identity(), true);
                continue;
            }
            let plain = name.strip_prefix("!invert!").unwrap_or(name);
            let Some(numbers) = self.numbers(prim, plain, time)? else { continue };
            let mut step = step(plain, &numbers)?;
            if plain.len() < name.len() {
                let flat = || Error::new(Kind::Degenerate, "it cannot be inverted").element(plain);
                step = invert(&step).ok_or_else(flat)?;
            }
            place = compose(&place, &step);
        }
        Ok((place, resets))
    }
}

fn step(name: &str, n: &[Real]) -> Result<Affine> {
    let kind = name.strip_prefix("xformOp:").unwrap_or("").split(':').next().unwrap_or("");
    let vector = || Vec3::from_column_slice(n);
    let axis = |text: &str| ["X", "Y", "Z"].iter().position(|a| *a == text);
    let (turn, place) = match (kind, n.len()) {
        ("translate", 3) => (Mat3::identity(), vector()),
        ("scale", 3) => (Mat3::from_diagonal(&vector()), Vec3::zeros()),
        ("orient", 4) => (quaternion(n), Vec3::zeros()),
        ("transform", 16) => return matrix(n, name),
        (kind, count) => {
            let unknown = || {
                let message = format!("{count} numbers for the unknown transform {kind:?}");
                Error::new(Kind::Unsupported, message)
            };
            let named = |word: &str| kind.strip_prefix(word).and_then(axis).filter(|_| count == 1);
            if let Some(axis) = named("translate") {
                (Mat3::identity(), Vec3::ith(axis, n[0]))
            } else if let Some(axis) = named("scale") {
                let mut scale = Vec3::repeat(1.0);
                scale[axis] = n[0];
                (Mat3::from_diagonal(&scale), Vec3::zeros())
            } else if let Some(axes) = kind.strip_prefix("rotate").filter(|axes| axes.len() == count) {
                (rotations(axes, n).ok_or_else(unknown)?, Vec3::zeros())
            } else {
                return Err(unknown());
            }
        }
    };
    Ok(affine(&turn, &place))
}

/// Rotations in degrees about axes given by letters; the first is applied first. Three numbers stand for x, y and z.
fn rotations(axes: &str, degrees: &[Real]) -> Option<Mat3> {
    let mut all = Mat3::identity();
    for letter in axes.chars() {
        let axis = "XYZ".find(letter)?;
        let angle = if degrees.len() == 1 { degrees[0] } else { *degrees.get(axis)? };
        let turn = rotation_by(&Vec3::ith(axis, angle.to_radians()));
        all = turn.to_rotation_matrix().matrix() * all;
    }
    Some(all)
}
