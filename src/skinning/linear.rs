//! Linear blend skinning: p' = sum_j w_j (M_j p) \[LBS\].

use super::Strip;
use crate::math::{Affine, Real};

/// The columns of a homogeneous matrix, so that a matrix times a point is four lanes without any crossing.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Columns([[Real; 4]; 4]);

impl Columns {
    pub(super) fn new(m: &Affine) -> Self {
        let last_row = [0.0, 0.0, 0.0, 1.0];
        Columns(std::array::from_fn(|c| [m[(0, c)], m[(1, c)], m[(2, c)], last_row[c]]))
    }
}

/// The weighted sum of the images of each point, and as the fourth number the sum of the weights.
#[inline(always)]
pub(super) fn blend(motions: &[Columns], strip: &Strip, mut put: impl FnMut(usize, [Real; 4])) {
    for (k, p) in strip.points.iter().enumerate() {
        let range = strip.influences(k);
        let (joints, weights) = (&strip.joints[range.clone()], &strip.weights[range]);
        let mut sum = [0.0; 4];
        for (&joint, &weight) in joints.iter().zip(weights) {
            let m = &motions[joint as usize].0;
            for (lane, sum) in sum.iter_mut().enumerate() {
                *sum += weight * (m[0][lane] * p[0] + m[1][lane] * p[1] + m[2][lane] * p[2] + m[3][lane]);
            }
        }
        put(k, sum);
    }
}
