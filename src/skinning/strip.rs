//! The inner loops: a parallel task moves its piece of the vertices strip by strip, each method in loops over a
//! strip that vectorise.

use super::{Method, Pose, Scratch, Skinner, dual_quaternion, linear};
use crate::math::{Real, Work};
use std::ops::Range;

/// Vertices per strip: what a strip needs in between fits into a few KiB.
pub(super) const STRIP: usize = 64;

/// What a parallel task works on.
pub(super) struct Piece<'a> {
    pub(super) skinner: &'a Skinner,
    pub(super) scratch: &'a Scratch,
    pub(super) pose: &'a Pose<'a>,
    /// The vertex of the first point.
    pub(super) first: usize,
    pub(super) points: &'a [[Real; 3]],
    pub(super) out: &'a mut [[Real; 3]],
}

/// Up to [`STRIP`] vertices and who moves them.
pub(super) struct Strip<'a> {
    pub(super) points: &'a [[Real; 3]],
    /// Where the influences of each vertex begin, and the end of the last.
    offsets: &'a [u32],
    pub(super) joints: &'a [u32],
    pub(super) pairs: &'a [u32],
    pub(super) weights: &'a [Real],
}

impl Strip<'_> {
    /// The influences of the k-th vertex.
    #[inline(always)]
    pub(super) fn influences(&self, k: usize) -> Range<usize> {
        self.offsets[k] as usize..self.offsets[k + 1] as usize
    }
}

impl Work for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let weights = &self.skinner.weights;
        for (k, (out, points)) in self.out.chunks_mut(STRIP).zip(self.points.chunks(STRIP)).enumerate() {
            let first = self.first + k * STRIP;
            let strip = Strip {
                points,
                offsets: &weights.offsets[first..=first + points.len()],
                joints: &weights.joints,
                pairs: &self.skinner.pair_of,
                weights: &weights.weights,
            };
            match self.pose.method {
                Method::Linear => move_linearly(self.scratch, &strip, out),
                Method::DualQuaternion => move_dually(self.scratch, &strip, out),
                Method::Blend => move_mixed(self.scratch, self.pose, &strip, first, out),
            }
            take_part(self.pose, &strip, first, out);
        }
    }
}

#[inline(always)]
fn move_linearly(scratch: &Scratch, strip: &Strip, out: &mut [[Real; 3]]) {
    linear::blend(&scratch.columns, strip, |k, [x, y, z, _]| out[k] = [x, y, z]);
}

#[inline(always)]
fn move_dually(scratch: &Scratch, strip: &Strip, out: &mut [[Real; 3]]) {
    if scratch.stretches.is_empty() {
        out.copy_from_slice(strip.points);
    } else {
        // Divided by the sum of the weights, which is 1 only to within the tolerance when they are not normalised.
        linear::blend(&scratch.stretches, strip, |k, [x, y, z, w]| out[k] = [x / w, y / w, z / w]);
    }
    dual_quaternion::blend(&scratch.signed, strip, out);
}

/// Both methods, mixed by the blend map; only one where the map allows it.
#[inline(always)]
fn move_mixed(scratch: &Scratch, pose: &Pose, strip: &Strip, first: usize, out: &mut [[Real; 3]]) {
    let mut shares = [0.0; STRIP];
    let shares = &mut shares[..out.len()];
    shares.iter_mut().enumerate().for_each(|(k, share)| *share = pose.blend.at(first + k));
    if shares.iter().all(|share| *share == 0.0) {
        return move_linearly(scratch, strip, out);
    }
    move_dually(scratch, strip, out);
    if shares.iter().all(|share| *share == 1.0) {
        return;
    }
    let mut linear = [[0.0; 3]; STRIP];
    let linear = &mut linear[..out.len()];
    move_linearly(scratch, strip, linear);
    for ((dual, linear), share) in out.iter_mut().zip(linear).zip(shares) {
        *dual = mix(*linear, *dual, *share);
    }
}

/// Takes back what the envelope does not let through.
#[inline(always)]
fn take_part(pose: &Pose, strip: &Strip, first: usize, out: &mut [[Real; 3]]) {
    if let (super::PerVertex::Constant(map), envelope) = (pose.envelope_map, pose.envelope)
        && map * envelope == 1.0
    {
        return;
    }
    for (k, (moved, p)) in out.iter_mut().zip(strip.points).enumerate() {
        *moved = mix(*p, *moved, pose.envelope * pose.envelope_map.at(first + k));
    }
}

/// Exactly `a` at 0 and exactly `b` at 1.
#[inline(always)]
fn mix(a: [Real; 3], b: [Real; 3], t: Real) -> [Real; 3] {
    let between: [Real; 3] = std::array::from_fn(|k| a[k] + t * (b[k] - a[k]));
    if t == 0.0 {
        a
    } else if t == 1.0 {
        b
    } else {
        between
    }
}
