//! Linear blend and dual quaternion skinning, blended per vertex, and skin relaxed where joints share it.
//!
//! - \[LBS\] Magnenat-Thalmann et al., "Joint-dependent local deformations for hand animation", 1988.
//! - \[BezierMuscle\] Lee and Ashraf, "Simplified Muscle Dynamics for Appealing Real-Time Skin Deformation", 2007.
//! - \[DQ\] Kavan et al., "Geometric Skinning with Approximate Dual Quaternion Blending", 2008.
//!
//! [`Weights`] and [`Skinner`] are the model; [`Scratch`] is reused memory. A step does not allocate once its scratch
//! has been used with that number of joints, and gives the same bits at any thread count and on any processor: each
//! vertex is computed by one thread in one order, and [`widest`] keeps the order in wider vectors.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod dual_quaternion;
mod linear;
mod relax;
mod second_layer;
mod strip;
mod task;
mod weights;

pub use linear::Motion;
pub use relax::{RelaxScratch, Relaxation};
pub use second_layer::{Displacement, SecondLayer};
pub use weights::Weights;

use dual_quaternion::{Dual, DualJoint};
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::counted;
use sinew_math::{Affine, Real, compose, invert_rest, translation, widest};
use std::collections::HashMap;
use strip::STRIP;
use task::Piece;

/// How the joints of a vertex are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The weighted sum of the matrices.
    Linear,
    /// The weighted sum of the dual quaternions, normalised; stretch is blended linearly first.
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
                let values = counted(values.len(), "value", "values");
                let vertices = counted(vertices, "vertex", "vertices");
                let message = format!("{name} has {values} for {vertices}");
                Err(Error::new(Kind::CountMismatch, message))
            }
            _ => Ok(()),
        }
    }
}

/// The inputs of a step besides the points.
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
    /// ... and as a factor for all.
    pub envelope: Real,
}

/// The model: which joints move which vertices, and from which rest pose.
#[derive(Clone, Debug)]
pub struct Skinner {
    weights: Weights,
    rest_inverses: Vec<Affine>,
    rest: Vec<Affine>,
    /// The pairs (strongest joint of a vertex, another joint of the vertex) that occur.
    pairs: Vec<[u32; 2]>,
    /// The pair of each influence.
    pair_of: Vec<u32>,
}

/// Reused memory of a step.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The motions of the joints, and of an extra joint that never moves.
    columns: Vec<Motion>,
    duals: Vec<DualJoint>,
    stretches: Vec<Motion>,
    /// The dual quaternion of the second joint of each pair, in the hemisphere of the first.
    signed: Vec<Dual>,
}

/// Vertices per parallel task: whole strips, long enough to make the overhead of a task negligible.
const PIECE: usize = 16 * STRIP;

impl Skinner {
    /// Prepares the rest pose; every joint matrix must be invertible.
    pub fn new(weights: Weights, rest: &[Affine]) -> Result<Self> {
        if weights.joint_count() != rest.len() {
            let message =
                format!("the weights are made for {} joints, not {}", weights.joint_count(), rest.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let rest_inverses = invert_rest(rest)?;
        let (pairs, pair_of) = pairs_of(&weights);
        Ok(Skinner { weights, rest_inverses, rest: rest.to_vec(), pairs, pair_of })
    }

    /// The weights it was built with.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Moves `points` (three numbers per vertex, in the rest pose) into `out`.
    pub fn step(&self, scratch: &mut Scratch, pose: &Pose, points: &[Real], out: &mut [Real]) -> Result<()> {
        self.check(pose, points, out)?;
        self.joint_motions(scratch, pose);
        let scratch = &*scratch;
        let (points, out) = (points.as_chunks::<3>().0, out.as_chunks_mut::<3>().0);
        let pieces = out.par_chunks_mut(PIECE).zip(points.par_chunks(PIECE)).enumerate();
        pieces.for_each(|(k, (out, points))| {
            widest(Piece { skinner: self, scratch, pose, first: k * PIECE, points, out });
        });
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

    /// M_j = C_j R_j^-1, in the form that each method needs.
    fn joint_motions(&self, scratch: &mut Scratch, pose: &Pose) {
        scratch.columns.clear();
        scratch.duals.clear();
        for ((joint, inverse), rest) in pose.joints.iter().zip(&self.rest_inverses).zip(&self.rest) {
            let motion = compose(joint, inverse);
            if pose.method != Method::DualQuaternion {
                scratch.columns.push(Motion::new(&motion));
            }
            if pose.method != Method::Linear {
                scratch.duals.push(DualJoint::new(&motion, &translation(rest)));
            }
        }
        let still = Affine::identity();
        scratch.columns.push(Motion::new(&still));
        scratch.duals.push(DualJoint::new(&still, &translation(&still)));
        scratch.stretches.clear();
        scratch.signed.clear();
        if pose.method == Method::Linear {
            return;
        }
        let duals = &scratch.duals;
        if duals.iter().any(|d| d.stretched) {
            scratch.stretches.extend(duals.iter().map(|d| d.stretch));
        }
        let beside =
            |&[pivot, joint]: &[u32; 2]| duals[joint as usize].dual.beside(&duals[pivot as usize].dual);
        scratch.signed.extend(self.pairs.iter().map(beside));
    }
}

/// The pairs of a vertex's strongest joint with each of its joints, and the pair of each influence.
fn pairs_of(weights: &Weights) -> (Vec<[u32; 2]>, Vec<u32>) {
    let (mut pairs, mut pair_of) = (Vec::new(), Vec::with_capacity(weights.joints.len()));
    let mut known = HashMap::new();
    for range in weights.offsets.windows(2) {
        let joints = &weights.joints[range[0] as usize..range[1] as usize];
        for &joint in joints {
            let pair = [joints[0], joint];
            let index = *known.entry(pair).or_insert(pairs.len() as u32);
            if index as usize == pairs.len() {
                pairs.push(pair);
            }
            pair_of.push(index);
        }
    }
    (pairs, pair_of)
}

#[cfg(test)]
mod tests;
