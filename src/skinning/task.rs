//! The inner loops: a parallel task moves its share of the vertices strip by strip, with each method as vectorisable
//! loops over a strip.

use super::dual_quaternion::Blended;
use super::linear::Images;
use super::strip::{STRIP, Strip};
use super::{Method, Pose, Scratch, Skinner, dual_quaternion, linear};
use sinew_math::{Real, Work};

/// The work of a parallel task.
pub(super) struct Piece<'a> {
    pub(super) skinner: &'a Skinner,
    pub(super) scratch: &'a Scratch,
    pub(super) pose: &'a Pose<'a>,
    /// The vertex of the first point.
    pub(super) first: usize,
    pub(super) points: &'a [[Real; 3]],
    pub(super) out: &'a mut [[Real; 3]],
}

/// Intermediate results of a strip; made once per task, because zeroing takes time.
struct Buffers {
    images: Images,
    blended: Blended,
    linear: [[Real; 3]; STRIP],
}

impl Work for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut buffers =
            Buffers { images: [[0.0; 4]; STRIP], blended: [[0.0; 8]; STRIP], linear: [[0.0; 3]; STRIP] };
        for (k, (out, points)) in self.out.chunks_mut(STRIP).zip(self.points.chunks(STRIP)).enumerate() {
            let first = self.first + k * STRIP;
            let strip = Strip::new(self.skinner, first, points);
            match self.pose.method {
                Method::Linear => move_linearly(self.scratch, &strip, &mut buffers.images, out),
                Method::DualQuaternion => move_dually(self.scratch, &strip, &mut buffers, out),
                Method::Blend => move_mixed(self.scratch, self.pose, &strip, first, &mut buffers, out),
            }
            take_part(self.pose, &strip, first, out);
        }
    }
}

#[inline(always)]
fn move_linearly(scratch: &Scratch, strip: &Strip, images: &mut Images, out: &mut [[Real; 3]]) {
    linear::blend(&scratch.columns, strip, images);
    out.iter_mut().zip(images).for_each(|(out, [x, y, z, _])| *out = [*x, *y, *z]);
}

#[inline(always)]
fn move_dually(scratch: &Scratch, strip: &Strip, buffers: &mut Buffers, out: &mut [[Real; 3]]) {
    if scratch.stretches.is_empty() {
        out.copy_from_slice(strip.points);
    } else {
        // Divided by the sum of the weights, which equals 1 only to within the tolerance if they are not normalised.
        linear::blend(&scratch.stretches, strip, &mut buffers.images);
        out.iter_mut().zip(&buffers.images).for_each(|(out, [x, y, z, w])| *out = [x / w, y / w, z / w]);
    }
    dual_quaternion::blend(&scratch.signed, strip, &mut buffers.blended, out);
}

/// Both methods, mixed by the blend map; only one where the map is 0 or 1.
#[inline(always)]
fn move_mixed(
    scratch: &Scratch,
    pose: &Pose,
    strip: &Strip,
    first: usize,
    buffers: &mut Buffers,
    out: &mut [[Real; 3]],
) {
    let mut shares = [0.0; STRIP];
    let shares = &mut shares[..out.len()];
    shares.iter_mut().enumerate().for_each(|(k, share)| *share = pose.blend.at(first + k));
    if shares.iter().all(|share| *share == 0.0) {
        return move_linearly(scratch, strip, &mut buffers.images, out);
    }
    move_dually(scratch, strip, buffers, out);
    if shares.iter().all(|share| *share == 1.0) {
        return;
    }
    let linear = &mut buffers.linear[..out.len()];
    move_linearly(scratch, strip, &mut buffers.images, linear);
    for ((dual, linear), share) in out.iter_mut().zip(linear).zip(shares) {
        *dual = mix(*linear, *dual, *share);
    }
}

/// Removes the part of the motion that the envelope excludes.
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
