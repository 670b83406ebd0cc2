//! Which joints move a vertex, and how strongly.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::{ROUNDING, Real};

/// Influences of every vertex, packed; the strongest of each vertex comes first.
///
/// Vertices without influences are bound to an extra joint that never moves: so every vertex has a positive weight, and
/// loops need no special case.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub(super) offsets: Vec<u32>,
    pub(super) joints: Vec<u32>,
    pub(super) weights: Vec<Real>,
    joint_count: usize,
    unweighted: usize,
    first_unweighted: Option<usize>,
}

/// How far from 1 a sum of weights that is not normalised may be: less than the error of 8-bit weight painting, much
/// more than that of single precision.
const SUM_TOLERANCE: Real = 1e-4;

impl Weights {
    /// From the number of influences of each vertex and, for all vertices in turn, joints and weights.
    ///
    /// With `normalize` the weights of a vertex are divided by their sum; otherwise the sum must be 1. A vertex with no
    /// weights, or only zeros, is not moved. Weights within [`ROUNDING`] below zero are zeros.
    pub fn new(
        counts: &[u32],
        joints: &[u32],
        weights: &[Real],
        joint_count: usize,
        normalize: bool,
    ) -> Result<Self> {
        let total: u64 = counts.iter().map(|&c| u64::from(c)).sum();
        if total != joints.len() as u64 || joints.len() != weights.len() {
            let message = format!(
                "the counts of the vertices add up to {total}, but there are {} joints and {} weights",
                joints.len(),
                weights.len()
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        // Vertices without influences get one.
        if total + counts.len() as u64 > u64::from(u32::MAX) {
            return Err(Error::new(Kind::TooLarge, "more than 2^32 - 1 influences and vertices"));
        }
        let mut made = Weights {
            offsets: Vec::with_capacity(counts.len() + 1),
            joints: Vec::with_capacity(joints.len()),
            weights: Vec::with_capacity(joints.len()),
            joint_count,
            unweighted: 0,
            first_unweighted: None,
        };
        made.offsets.push(0);
        let mut begin = 0;
        for (vertex, &count) in counts.iter().enumerate() {
            let end = begin + count as usize;
            made.add(vertex, &joints[begin..end], &weights[begin..end], normalize)
                .map_err(|e| e.vertex(vertex))?;
            begin = end;
        }
        Ok(made)
    }

    /// Checks and normalises one vertex, and puts its strongest influence first.
    fn add(&mut self, vertex: usize, joints: &[u32], weights: &[Real], normalize: bool) -> Result<()> {
        let joint_count = self.joint_count;
        if let Some(joint) = joints.iter().find(|&&j| j as usize >= joint_count) {
            let message = format!("there is no joint {joint}; there are {joint_count}");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        if let Some(weight) = weights.iter().find(|w| !(w.is_finite() && **w >= -ROUNDING)) {
            let message = format!("the weight {weight} is negative or not finite");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let weights = weights.iter().map(|weight| weight.max(0.0));
        let sum: Real = weights.clone().sum();
        if !sum.is_finite() {
            return Err(Error::new(Kind::OutOfRange, "the sum of the weights is too large"));
        }
        if sum > 0.0 {
            if !normalize && (sum - 1.0).abs() > SUM_TOLERANCE {
                let message = format!("the weights add up to {sum}, not to 1 (normalize is off)");
                return Err(Error::new(Kind::OutOfRange, message));
            }
            let begin = self.weights.len();
            self.joints.extend(joints);
            self.weights.extend(weights.map(|w| if normalize { w / sum } else { w }));
            let (joints, weights) = (&mut self.joints[begin..], &mut self.weights[begin..]);
            let mut strongest = 0;
            for k in 1..weights.len() {
                if weights[k] > weights[strongest] {
                    strongest = k;
                }
            }
            weights.swap(0, strongest);
            joints.swap(0, strongest);
        } else {
            self.joints.push(joint_count as u32);
            self.weights.push(1.0);
            self.unweighted += 1;
            self.first_unweighted.get_or_insert(vertex);
        }
        self.offsets.push(self.weights.len() as u32);
        Ok(())
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of joints in the skeleton, weighted or not.
    pub fn joint_count(&self) -> usize {
        self.joint_count
    }

    /// How many vertices have no influence, and the first of them.
    pub fn unweighted(&self) -> (usize, Option<usize>) {
        (self.unweighted, self.first_unweighted)
    }

    /// Joints and weights of a vertex, the strongest first; empty if it has none.
    #[inline]
    pub fn of(&self, vertex: usize) -> (&[u32], &[Real]) {
        let range = self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize;
        let (joints, weights) = (&self.joints[range.clone()], &self.weights[range]);
        if joints[0] as usize == self.joint_count { (&[], &[]) } else { (joints, weights) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_stands_first_and_sums_are_one() {
        let w = Weights::new(&[3, 0, 2, 1], &[0, 1, 2, 0, 1, 2], &[1.0, 2.0, 1.0, 0.0, 0.0, 0.3], 3, true)
            .unwrap();
        assert_eq!(w.of(0), (&[1, 0, 2][..], &[0.5, 0.25, 0.25][..]));
        assert!(w.of(1).0.is_empty() && w.of(2).0.is_empty());
        assert_eq!(w.of(3), (&[2][..], &[1.0][..]));
        assert_eq!((w.unweighted(), w.vertex_count()), ((2, Some(1)), 4));
    }

    #[test]
    fn what_an_exporter_rounded_below_zero_is_zero() {
        let new =
            |weight: Real, normalize| Weights::new(&[2, 1], &[0, 1, 0], &[1.0, weight, weight], 2, normalize);
        for normalize in [true, false] {
            for weight in [-2e-16, -1e-7, -ROUNDING] {
                let made = new(weight, normalize).unwrap();
                assert_eq!(made.of(0), (&[0, 1][..], &[1.0, 0.0][..]));
                assert_eq!(made.unweighted(), (1, Some(1)));
            }
            assert_eq!(new(-2e-6, normalize).unwrap_err().kind(), Kind::OutOfRange);
        }
    }

    #[test]
    fn bad_weights_name_the_vertex() {
        let new = |counts: &[u32], joints: &[u32], weights: &[Real], normalize| {
            Weights::new(counts, joints, weights, 2, normalize).unwrap_err()
        };
        assert_eq!(new(&[1, 1], &[0, 2], &[1.0, 1.0], true).place().vertex, Some(1));
        assert_eq!(new(&[1, 1], &[0, 1], &[1.0, -0.1], true).place().vertex, Some(1));
        assert_eq!(new(&[1, 1], &[0, 1], &[1.0, 0.999], false).place().vertex, Some(1));
        assert_eq!(new(&[1, 1], &[0, 1], &[1.0, Real::NAN], true).place().vertex, Some(1));
        assert_eq!(new(&[2], &[0, 1], &[1e308, 1e308], true).kind(), Kind::OutOfRange);
        assert_eq!(new(&[1, 2], &[0, 1], &[1.0, 1.0], true).kind(), Kind::CountMismatch);
        assert_eq!(new(&[1, u32::MAX], &[0], &[1.0], true).kind(), Kind::CountMismatch);
        assert!(Weights::new(&[2], &[0, 1], &[0.5, 0.49995], 2, false).is_ok());
    }
}
