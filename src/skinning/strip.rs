//! A few vertices and their influences, for loops that vectorise.

use super::Skinner;
use sinew_math::Real;

/// Vertices per strip: its intermediate results fit into a few KiB.
pub(super) const STRIP: usize = 64;

/// Up to [`STRIP`] vertices and their influences.
pub(super) struct Strip<'a> {
    pub(super) points: &'a [[Real; 3]],
    /// First influence of each vertex, and the end of the last.
    offsets: &'a [u32],
    all_have_four: bool,
    pub(super) joints: &'a [u32],
    pub(super) pairs: &'a [u32],
    weights: &'a [Real],
}

impl<'a> Strip<'a> {
    #[inline(always)]
    pub(super) fn new(skinner: &'a Skinner, first: usize, points: &'a [[Real; 3]]) -> Self {
        let weights = &skinner.weights;
        let offsets = &weights.offsets[first..=first + points.len()];
        let range = offsets[0] as usize..offsets[points.len()] as usize;
        let all_have_four = offsets.windows(2).fold(true, |ok, pair| ok & (pair[1] - pair[0] == 4));
        Strip {
            points,
            offsets,
            all_have_four,
            joints: &weights.joints[range.clone()],
            pairs: &skinner.pair_of[range.clone()],
            weights: &weights.weights[range],
        }
    }

    /// The influences of all vertices when each has four, the usual number: loops over them are unrolled.
    #[inline(always)]
    pub(super) fn fours(
        &self,
        indices: &'a [u32],
    ) -> Option<impl Iterator<Item = (&'a [u32; 4], &'a [Real; 4])>> {
        let fours = || indices.as_chunks().0.iter().zip(self.weights.as_chunks().0);
        self.all_have_four.then(fours)
    }

    /// The influences of the k-th vertex: its slice of the joints or pairs, and the weights.
    #[inline(always)]
    pub(super) fn influences(&self, indices: &'a [u32], k: usize) -> (&'a [u32], &'a [Real]) {
        let begin = self.offsets[0];
        let range = (self.offsets[k] - begin) as usize..(self.offsets[k + 1] - begin) as usize;
        (&indices[range.clone()], &self.weights[range])
    }
}
