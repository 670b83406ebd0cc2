//! What skinning lacks in a pose, at rest.

use sinew_math::{Affine, Mat3, Real, Vec3, linear};
use sinew_skinning::Weights;

/// Where joints that share a vertex turn against each other by nearly half a turn, its matrix flattens it. Offsets at
/// rest are then at most this much longer than what is lacking, and do not give all of it.
const MOST_STRETCHED: Real = 4.0;

/// The linear part of a vertex's matrix: what its joints have done since rest, weighted. Identity for a vertex without
/// joints.
pub fn blended(weights: &Weights, vertex: usize, motions: &[Affine]) -> Mat3 {
    let (joints, weights) = weights.of(vertex);
    if joints.is_empty() {
        return Mat3::identity();
    }
    joints.iter().zip(weights).map(|(&joint, &weight)| linear(&motions[joint as usize]) * weight).sum()
}

/// The offset at rest that a vertex's matrix brings to an offset in the pose.
pub fn rest_offset(matrix: &Mat3, offset: &Vec3) -> Vec3 {
    match matrix.try_inverse().filter(|inverse| inverse.norm() <= MOST_STRETCHED) {
        Some(inverse) => inverse * offset,
        None => {
            let damped = matrix.transpose() * matrix + Mat3::identity() / (MOST_STRETCHED * MOST_STRETCHED);
            damped.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse * matrix.transpose() * offset)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::motion::rotation_by;

    #[test]
    fn an_offset_comes_back_unless_the_matrix_is_flat() {
        let turn = rotation_by(&Vec3::new(0.4, 1.0, -0.3)).to_rotation_matrix().into_inner();
        let shrunk = turn * Mat3::from_diagonal(&Vec3::new(0.6, 1.0, 0.8));
        let offset = Vec3::new(0.01, -0.02, 0.03);
        assert!((shrunk * rest_offset(&shrunk, &offset) - offset).norm() < 1e-15);
        let flat = turn * Mat3::from_diagonal(&Vec3::new(1e-6, 1.0, 0.0));
        let back = rest_offset(&flat, &offset);
        assert!(back.norm() < 0.5 * MOST_STRETCHED * offset.norm(), "{back}");
    }
}
