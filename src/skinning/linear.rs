//! Linear blend skinning: p' = (sum_j w_j M_j) p \[LBS\].

use crate::math::{Affine, Real};

/// The three rows of M_j side by side, so that the blend is twelve independent sums that vectorise.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointRows([Real; 12]);

impl JointRows {
    pub(super) fn new(m: &Affine) -> Self {
        JointRows(std::array::from_fn(|k| m[(k / 4, k % 4)]))
    }
}

/// The image of a point: the matrices are blended first, then applied once.
#[inline]
pub(super) fn blend(motions: &[JointRows], joints: &[u32], weights: &[Real], p: [Real; 3]) -> [Real; 3] {
    let mut m = [0.0; 12];
    for (&joint, &weight) in joints.iter().zip(weights) {
        for (sum, entry) in m.iter_mut().zip(&motions[joint as usize].0) {
            *sum += weight * entry;
        }
    }
    std::array::from_fn(|r| m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3])
}
