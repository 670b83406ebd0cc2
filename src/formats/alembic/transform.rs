//! Transforms: a list of steps, each with a fixed kind and numbers that may change.
//!
//! The last step acts on a point first. Matrices are stored in Alembic's convention: row vectors, so the translation is
//! in the last row.

use super::archive::{Archive, At, Schema};
use super::header::Property;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::motion::rotation_by;
use sinew_math::{Affine, Mat3, Real, UpAxis, Vec3, affine, compose, linear, translation};
use std::io::{Read, Seek};

/// A step of a transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Scales along the axes.
    Scale(Vec3),
    /// Translation.
    Translate(Vec3),
    /// Rotation about an axis by degrees.
    Rotate(Vec3, Real),
    /// Any affine map.
    Matrix(Affine),
    /// Rotation about x by degrees.
    RotateX(Real),
    /// Rotation about y by degrees.
    RotateY(Real),
    /// Rotation about z by degrees.
    RotateZ(Real),
}

/// One sample of a transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    /// Its steps; the last acts first.
    pub ops: Vec<Op>,
    /// Whether the transforms above it are inherited.
    pub inherits: bool,
}

impl From<Affine> for Transform {
    fn from(matrix: Affine) -> Self {
        Transform { ops: vec![Op::Matrix(matrix)], inherits: true }
    }
}

impl Transform {
    /// The transform above objects whose up axis is `up`: Alembic's is y by convention, and programs with z up rotate
    /// what they read.
    pub fn upright(up: UpAxis) -> Self {
        let turn = match up {
            UpAxis::Y => Mat3::identity(),
            UpAxis::Z => Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0),
        };
        affine(&turn, &Vec3::zeros()).into()
    }
}

fn turn(axis: Vec3, degrees: Real) -> Affine {
    let axis = axis.try_normalize(Real::MIN_POSITIVE).unwrap_or_default();
    affine(rotation_by(&(axis * degrees.to_radians())).to_rotation_matrix().matrix(), &Vec3::zeros())
}

/// The number of values of a step, and what they mean.
type OpKind = (usize, fn(&[Real]) -> Op);

impl Op {
    /// By the numbers of the kinds.
    const KINDS: [OpKind; 7] = [
        (3, |n| Op::Scale(Vec3::new(n[0], n[1], n[2]))),
        (3, |n| Op::Translate(Vec3::new(n[0], n[1], n[2]))),
        (4, |n| Op::Rotate(Vec3::new(n[0], n[1], n[2]), n[3])),
        (16, |n| Op::Matrix(Affine::from_fn(|row, column| n[4 * column + row]))),
        (1, |n| Op::RotateX(n[0])),
        (1, |n| Op::RotateY(n[0])),
        (1, |n| Op::RotateZ(n[0])),
    ];

    pub(super) fn code(&self) -> u8 {
        let kind = match self {
            Op::Scale(_) => 0,
            Op::Translate(_) => 1,
            Op::Rotate(..) => 2,
            Op::Matrix(_) => 3,
            Op::RotateX(_) => 4,
            Op::RotateY(_) => 5,
            Op::RotateZ(_) => 6,
        };
        // The low bits are a hint for hosts with many steps of a kind; unused.
        kind << 4
    }

    /// Its numbers as stored in files: of a matrix the rows, in Alembic's convention.
    pub fn numbers(&self) -> Vec<Real> {
        match self {
            Op::Scale(v) | Op::Translate(v) => v.as_slice().to_vec(),
            Op::Rotate(axis, degrees) => vec![axis.x, axis.y, axis.z, *degrees],
            Op::RotateX(degrees) | Op::RotateY(degrees) | Op::RotateZ(degrees) => vec![*degrees],
            Op::Matrix(m) => {
                let column = |k: usize| [m[(0, k)], m[(1, k)], m[(2, k)], Real::from(u8::from(k == 3))];
                (0..4).flat_map(column).collect()
            }
        }
    }

    fn decode(codes: &[Real], numbers: &[Real]) -> Result<Vec<Op>> {
        let mut ops = Vec::new();
        let mut rest = numbers;
        for code in codes {
            let kind = (*code as usize) >> 4;
            let Some((count, make)) = Op::KINDS.get(kind) else {
                return Err(Error::new(Kind::Unsupported, format!("step {code} of a transform is unknown")));
            };
            let Some((own, after)) = rest.split_at_checked(*count) else {
                let message = format!("{} numbers for {} steps", numbers.len(), codes.len());
                return Err(Error::new(Kind::CountMismatch, message));
            };
            rest = after;
            ops.push(make(own));
        }
        Ok(ops)
    }

    fn matrix(&self) -> Affine {
        match self {
            Op::Scale(s) => affine(&Mat3::from_diagonal(s), &Vec3::zeros()),
            Op::Translate(t) => affine(&Mat3::identity(), t),
            Op::Rotate(axis, degrees) => turn(*axis, *degrees),
            Op::Matrix(m) => *m,
            Op::RotateX(degrees) => turn(Vec3::x(), *degrees),
            Op::RotateY(degrees) => turn(Vec3::y(), *degrees),
            Op::RotateZ(degrees) => turn(Vec3::z(), *degrees),
        }
    }
}

impl Transform {
    /// The product of all steps.
    pub fn matrix(&self) -> Affine {
        self.ops.iter().fold(Affine::identity(), |all, op| compose(&all, &op.matrix()))
    }
}

impl<R: Read + Seek> Archive<R> {
    fn transform_properties(&mut self, object: usize) -> Result<Vec<Property>> {
        self.object(object, Schema::Transform)?;
        self.schema_properties(object, ".xform").map_err(|e| self.error(object, e))
    }

    /// A sample of a transform.
    pub fn transform(&mut self, object: usize, at: At) -> Result<Transform> {
        let properties = self.transform_properties(object)?;
        let read = |archive: &mut Self| {
            let mut numbers = |name: &str| match properties.iter().find(|p| p.header.name == name) {
                Some(found) if found.header.samples > 0 => archive.mixed(found, at),
                _ => Ok(Vec::new()),
            };
            let inherits = numbers(".inherits")?.first().is_none_or(|&x| x > 0.5);
            let (codes, values) = (numbers(".ops")?, numbers(".vals")?);
            if values.iter().any(|x| !x.is_finite()) {
                return Err(Error::new(Kind::NotFinite, "the transform contains NaN or infinity"));
            }
            Ok(Transform { ops: Op::decode(&codes, &values)?, inherits })
        };
        read(self).map_err(|e| self.error(object, e))
    }

    /// The world transform of an object: its transforms and those above that they inherit.
    pub fn world(&mut self, object: usize, at: At) -> Result<Affine> {
        let mut world = Affine::identity();
        let mut next = Some(object);
        while let Some(object) = next {
            next = self.objects().get(object).and_then(|o| o.parent);
            if self.objects().get(object).is_some_and(|o| o.schema == Schema::Transform) {
                let own = self.transform(object, at)?;
                world = compose(&own.matrix(), &world);
                if !own.inherits {
                    break;
                }
            }
        }
        if linear(&world).iter().chain(translation(&world).iter()).any(|x| !x.is_finite()) {
            let error = Error::new(Kind::NotFinite, "its world transform is not finite");
            return Err(self.error(object, error));
        }
        Ok(world)
    }

    /// The streams that move an object in the world.
    pub(super) fn moving(&mut self, object: usize) -> Result<Vec<Property>> {
        let mut all = Vec::new();
        let mut next = Some(object);
        while let Some(object) = next {
            next = self.objects().get(object).and_then(|o| o.parent);
            if self.objects().get(object).is_some_and(|o| o.schema == Schema::Transform) {
                let properties = self.transform_properties(object)?;
                let moves = |p: &Property| [".vals", ".inherits"].contains(&p.header.name.as_str());
                all.extend(properties.into_iter().filter(moves));
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::transform_point;

    #[test]
    fn steps_come_back_from_their_numbers_and_the_last_acts_first() {
        let matrix = turn(Vec3::new(1.0, 2.0, 3.0), 70.0);
        let matrix = affine(&linear(&matrix), &Vec3::new(4.0, 5.0, 6.0));
        let ops = vec![
            Op::Translate(Vec3::new(1.0, 0.0, 0.0)),
            Op::RotateZ(90.0),
            Op::Scale(Vec3::new(2.0, 1.0, 1.0)),
            Op::Rotate(Vec3::new(0.0, 3.0, 0.0), 180.0),
            Op::RotateX(0.0),
            Op::RotateY(0.0),
            Op::Matrix(matrix),
        ];
        let codes: Vec<Real> = ops.iter().map(|op| op.code().into()).collect();
        let numbers: Vec<Real> = ops.iter().flat_map(Op::numbers).collect();
        assert_eq!(Op::decode(&codes, &numbers).unwrap(), ops);
        assert_eq!(numbers[numbers.len() - 4..], [4.0, 5.0, 6.0, 1.0], "the translation is the last row");
        assert!(Op::decode(&codes, &numbers[1..]).is_err() && Op::decode(&[112.0], &[]).is_err());
        let transform = Transform { ops: ops[..4].to_vec(), inherits: true };
        // Half a turn about y, scaled by two, a quarter turn about z, a translation.
        let moved = transform_point(&transform.matrix(), &Vec3::new(1.0, 5.0, 0.0));
        assert!((moved - Vec3::new(-4.0, -2.0, 0.0)).norm() < 1e-12, "{moved}");
    }
}
