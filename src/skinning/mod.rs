//! Joints move vertices: linear blend skinning and dual quaternions, blended per vertex.
//!
//! - \[LBS\] Magnenat-Thalmann et al., "Joint-dependent local deformations for hand animation", 1988.
//! - \[DQ\] Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending", 2008.
//!
//! [`Weights`] and [`Skinner`] are the model; [`Scratch`] is reused memory. A step does not allocate once its
//! scratch has seen the number of joints, and gives the same bits at any number of threads: each vertex is
//! computed by one thread in one order.

mod dual_quaternion;
mod linear;
mod weights;

pub use weights::Weights;

use crate::error::{Error, Kind, Result};
use crate::math::{Affine, Real, compose, invert, translation};
use dual_quaternion::DualJoint;
use linear::JointRows;
use rayon::prelude::*;

/// How the joints of a vertex are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The weighted sum of the matrices.
    Linear,
    /// The weighted sum of the dual quaternions, normalised; stretch is blended linearly before it.
    DualQuaternion,
    /// Both, mixed by a value per vertex: 0 is linear, 1 dual quaternions.
    Blend,
}

/// One value per vertex, or one for all.
#[derive(Clone, Copy, Debug)]
pub enum PerVertex<'a> {
    /// One value per vertex.
    Values(&'a [Real]),
    /// The same value for every vertex.
    Constant(Real),
}

impl PerVertex<'_> {
    #[inline]
    fn at(&self, vertex: usize) -> Real {
        match self {
            PerVertex::Values(values) => values[vertex],
            PerVertex::Constant(value) => *value,
        }
    }

    fn check(&self, vertices: usize, name: &str) -> Result<()> {
        match self {
            PerVertex::Values(values) if values.len() != vertices => {
                let message = format!("{name} has {} values for {vertices} vertices", values.len());
                Err(Error::new(Kind::CountMismatch, message))
            }
            _ => Ok(()),
        }
    }
}

/// What a step takes besides the points.
#[derive(Clone, Copy, Debug)]
pub struct Pose<'a> {
    /// Where the joints are now.
    pub joints: &'a [Affine],
    /// How they are combined.
    pub method: Method,
    /// The mix of [`Method::Blend`].
    pub blend: PerVertex<'a>,
    /// How much of the motion a vertex takes, as a map ...
    pub envelope_map: PerVertex<'a>,
    /// ... and as a factor on the whole.
    pub envelope: Real,
}

/// The model: who is moved by whom, and from where.
#[derive(Clone, Debug)]
pub struct Skinner {
    weights: Weights,
    rest_inverses: Vec<Affine>,
    rest: Vec<Affine>,
}

/// Reused memory of a step.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    rows: Vec<JointRows>,
    duals: Vec<DualJoint>,
}

/// Vertices per parallel task.
const CHUNK: usize = 1024;

impl Skinner {
    /// Prepares the rest pose; every joint matrix must be invertible.
    pub fn new(weights: Weights, rest: &[Affine]) -> Result<Self> {
        if weights.joint_count() != rest.len() {
            let message =
                format!("the weights are made for {} joints, not {}", weights.joint_count(), rest.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let inverse = |(joint, matrix): (usize, &Affine)| {
            invert(matrix).ok_or_else(|| {
                let message = "the rest matrix of the joint cannot be inverted (a scale of zero?)";
                Error::new(Kind::Degenerate, message).joint(joint)
            })
        };
        let rest_inverses = rest.iter().enumerate().map(inverse).collect::<Result<_>>()?;
        Ok(Skinner { weights, rest_inverses, rest: rest.to_vec() })
    }

    /// The weights it was made with.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Moves `points` (three numbers per vertex, in the rest pose) into `out`.
    pub fn step(&self, scratch: &mut Scratch, pose: &Pose, points: &[Real], out: &mut [Real]) -> Result<()> {
        self.check(pose, points, out)?;
        self.joint_motions(scratch, pose);
        let stretched = scratch.duals.iter().any(|d| d.stretched);
        let scratch = &*scratch;
        out.par_chunks_mut(3 * CHUNK).zip(points.par_chunks(3 * CHUNK)).enumerate().for_each(
            |(chunk, (out, points))| {
                for (k, (out, p)) in out.chunks_exact_mut(3).zip(points.chunks_exact(3)).enumerate() {
                    let p = [p[0], p[1], p[2]];
                    let moved = self.vertex(scratch, pose, stretched, chunk * CHUNK + k, p);
                    out.copy_from_slice(&moved);
                }
            },
        );
        Ok(())
    }

    fn check(&self, pose: &Pose, points: &[Real], out: &[Real]) -> Result<()> {
        let vertices = self.weights.vertex_count();
        if points.len() != 3 * vertices || out.len() != points.len() {
            let message = format!(
                "the weights are made for {vertices} vertices, not {} in and {} out",
                points.len() / 3,
                out.len() / 3
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if pose.joints.len() != self.rest.len() {
            let message = format!("{} joints, but {} in the rest pose", pose.joints.len(), self.rest.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        pose.blend.check(vertices, "the blend map")?;
        pose.envelope_map.check(vertices, "the envelope map")
    }

    /// M_j = C_j R_j^-1, in the form that each method wants.
    fn joint_motions(&self, scratch: &mut Scratch, pose: &Pose) {
        scratch.rows.clear();
        scratch.duals.clear();
        for ((joint, inverse), rest) in pose.joints.iter().zip(&self.rest_inverses).zip(&self.rest) {
            let motion = compose(joint, inverse);
            if pose.method != Method::DualQuaternion {
                scratch.rows.push(JointRows::new(&motion));
            }
            if pose.method != Method::Linear {
                scratch.duals.push(DualJoint::new(&motion, &translation(rest)));
            }
        }
    }

    #[inline]
    fn vertex(
        &self,
        scratch: &Scratch,
        pose: &Pose,
        stretched: bool,
        vertex: usize,
        p: [Real; 3],
    ) -> [Real; 3] {
        let (joints, weights) = self.weights.of(vertex);
        let envelope = pose.envelope * pose.envelope_map.at(vertex);
        if joints.is_empty() || envelope == 0.0 {
            return p;
        }
        let linear = || linear::blend(&scratch.rows, joints, weights, p);
        let dual = || dual_quaternion::blend(&scratch.duals, stretched, joints, weights, p);
        let moved = match pose.method {
            Method::Linear => linear(),
            Method::DualQuaternion => dual(),
            Method::Blend => match pose.blend.at(vertex) {
                0.0 => linear(),
                1.0 => dual(),
                t => mix(linear(), dual(), t),
            },
        };
        if envelope == 1.0 { moved } else { mix(p, moved, envelope) }
    }
}

fn mix(a: [Real; 3], b: [Real; 3], t: Real) -> [Real; 3] {
    std::array::from_fn(|k| a[k] + t * (b[k] - a[k]))
}

#[cfg(test)]
mod tests;
