//! Dual quaternion skinning with stretch \[DQ\].
//!
//! M_j = (rigid motion Q_j) after (stretch S_j about the joint's rest position c_j). In two phases \[DQ §4.2\]:
//! first p1 = sum_j w_j (c_j + S_j (p - c_j)), then p' = (sum_j w_j s_j Q_j) / |..| applied to p1, where
//! s_j = +1 or -1 puts Q_j into the hemisphere of the strongest joint's, because Q and -Q are the same motion.
//!
//! s_j depends on two joints, not on the vertex: each pair that occurs in the weights gets its signed copy of Q_j
//! once per step.

use super::linear::Motion;
use super::strip::{STRIP, Strip};
use sinew_math::{Affine, DualQuat, Mat3, Real, Rotation, Vec3, affine, linear, polar3, transform_point};

/// A joint's motion, split.
#[derive(Clone, Copy, Debug)]
pub(super) struct DualJoint {
    pub(super) dual: Dual,
    /// p -> c + S (p - c).
    pub(super) stretch: Motion,
    /// Whether S is more than round-off away from the identity.
    pub(super) stretched: bool,
}

/// w, x, y, z of the rotation, then of the dual part.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Dual([Real; 8]);

/// Stretch closer to 1 than this is the round-off of matrices composed in single precision (a few 1e-7). Ignoring it
/// moves a vertex one metre from its joint by a micrometre.
const RIGID: Real = 1e-6;

impl DualJoint {
    /// Splits `motion`; `centre` is the position of the joint in the rest pose.
    pub(super) fn new(motion: &Affine, centre: &Vec3) -> Self {
        let polar = polar3(&linear(motion));
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(polar.rotation);
        let rotation = Rotation::from_rotation_matrix(&rotation);
        // The joint's own position must go where M takes it: t = M c - R c.
        let t = transform_point(motion, centre) - polar.rotation * centre;
        let q = DualQuat::from_rigid(&rotation, &t);
        let (r, d) = (q.real, q.dual);
        DualJoint {
            dual: Dual([r.w, r.i, r.j, r.k, d.w, d.i, d.j, d.k]),
            stretch: Motion::new(&affine(&polar.stretch, &(centre - polar.stretch * centre))),
            stretched: (polar.stretch - Mat3::identity()).amax() > RIGID,
        }
    }
}

impl Dual {
    /// The same motion, in the hemisphere of `pivot`.
    pub(super) fn beside(&self, pivot: &Dual) -> Dual {
        let (q, p) = (&self.0, &pivot.0);
        let along = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
        if along < 0.0 { Dual(q.map(|v| -v)) } else { *self }
    }
}

/// A blended dual quaternion per vertex.
pub(super) type Blended = [[Real; 8]; STRIP];

/// The images of the points, which are already stretched; `signed` holds the motions of the pairs.
#[inline(always)]
pub(super) fn blend(signed: &[Dual], strip: &Strip, blended: &mut Blended, points: &mut [[Real; 3]]) {
    if let Some(fours) = strip.fours(strip.pairs) {
        for (blended, (pairs, weights)) in blended.iter_mut().zip(fours) {
            *blended = sum(signed, pairs, weights);
        }
    } else {
        for (k, blended) in blended.iter_mut().take(strip.points.len()).enumerate() {
            let (pairs, weights) = strip.influences(strip.pairs, k);
            *blended = sum(signed, pairs, weights);
        }
    }
    for (p, blended) in points.iter_mut().zip(blended) {
        *p = apply(blended, *p);
    }
}

#[inline(always)]
fn sum(signed: &[Dual], pairs: &[u32], weights: &[Real]) -> [Real; 8] {
    let mut sum = [0.0; 8];
    for (&pair, &weight) in pairs.iter().zip(weights) {
        for (sum, entry) in sum.iter_mut().zip(&signed[pair as usize].0) {
            *sum += weight * entry;
        }
    }
    sum
}

/// p' = p + 2 r x (r x p + w p) + 2 (w d - d_w r + r x d), all over |q|^2 \[DQ alg. 1\]. The length is never
/// zero: all terms lie in one hemisphere and the pivot's weight is positive.
#[inline(always)]
fn apply(b: &[Real; 8], p: [Real; 3]) -> [Real; 3] {
    let (w, r, dw, d) = (b[0], [b[1], b[2], b[3]], b[4], [b[5], b[6], b[7]]);
    let scale = 2.0 / (w * w + r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    let rp = cross(r, p);
    let inner: [Real; 3] = std::array::from_fn(|k| rp[k] + w * p[k]);
    let turn = cross(r, inner);
    let rd = cross(r, d);
    std::array::from_fn(|k| p[k] + scale * (turn[k] + (w * d[k] - dw * r[k] + rd[k])))
}

#[inline(always)]
fn cross(a: [Real; 3], b: [Real; 3]) -> [Real; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
