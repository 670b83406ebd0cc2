//! Linear blend skinning: p' = sum_j w_j (M_j p) \[LBS\].

use super::strip::{STRIP, Strip};
use sinew_math::{Affine, Real};

/// A motion as the columns of a homogeneous matrix, so that a matrix times a point needs no operations across lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Motion([[Real; 4]; 4]);

impl Motion {
    /// Of a matrix.
    pub fn new(m: &Affine) -> Self {
        let last_row = [0.0, 0.0, 0.0, 1.0];
        Motion(std::array::from_fn(|c| [m[(0, c)], m[(1, c)], m[(2, c)], last_row[c]]))
    }
}

/// x, y, z and the sum of the weights, per vertex.
pub(super) type Images = [[Real; 4]; STRIP];

/// The weighted sum of the images of each point, with the sum of the weights as the fourth number: a fourth lane that
/// is used throughout gives the compiler no reason to split it off.
#[inline(always)]
pub(super) fn blend(motions: &[Motion], strip: &Strip, images: &mut Images) {
    let vertices = images.iter_mut().zip(strip.points);
    if let Some(fours) = strip.fours(strip.joints) {
        for ((image, p), (joints, weights)) in vertices.zip(fours) {
            *image = sum(motions, joints, weights, p);
        }
    } else {
        for (k, (image, p)) in vertices.enumerate() {
            let (joints, weights) = strip.influences(strip.joints, k);
            *image = sum(motions, joints, weights, p);
        }
    }
}

/// The weighted sum of the images of a point, and of the weights of what carries it.
#[inline(always)]
pub(super) fn sum(motions: &[Motion], joints: &[u32], weights: &[Real], p: &[Real; 3]) -> [Real; 4] {
    let [x, y, z] = p.map(|v| [v; 4]);
    let mut sum = [0.0; 4];
    for (&joint, &weight) in joints.iter().zip(weights) {
        let m = &motions[joint as usize].0;
        for lane in 0..4 {
            sum[lane] +=
                weight * (m[0][lane] * x[lane] + m[1][lane] * y[lane] + m[2][lane] * z[lane] + m[3][lane]);
        }
    }
    sum
}
