//! Dual quaternion skinning with stretch \[DQ\].
//!
//! M_j = (rigid motion Q_j) after (stretch S_j about the joint's rest position c_j). In two phases \[DQ §4.2\]:
//! first p1 = sum_j w_j (c_j + S_j (p - c_j)), then p' = (sum_j w_j s_j Q_j) / |..| applied to p1, where
//! s_j = +1 or -1 puts Q_j into the hemisphere of the strongest joint's, because Q and -Q are the same motion.

use crate::math::{Affine, DualQuat, Mat3, Real, Rotation, Vec3, linear, polar3, transform_point};

/// A joint's motion, split.
#[derive(Clone, Copy, Debug)]
pub(super) struct DualJoint {
    /// w, x, y, z of the rotation, then of the dual part.
    dual: [Real; 8],
    /// The rows of p -> c + S (p - c).
    stretch: [Real; 12],
    /// Whether S is more than round-off away from the identity.
    pub(super) stretched: bool,
}

/// A stretch closer to 1 than this is the round-off of composing matrices that came in single precision.
const RIGID: Real = 1e-9;

impl DualJoint {
    /// Splits `motion`; `centre` is where the joint stands in the rest pose.
    pub(super) fn new(motion: &Affine, centre: &Vec3) -> Self {
        let polar = polar3(&linear(motion));
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(polar.rotation);
        let rotation = Rotation::from_rotation_matrix(&rotation);
        // The joint's own place must go where M takes it: t = M c - R c.
        let t = transform_point(motion, centre) - polar.rotation * centre;
        let q = DualQuat::from_rigid(&rotation, &t);
        let (r, d) = (q.real, q.dual);
        let offset = centre - polar.stretch * centre;
        let row = |k: usize| if k % 4 < 3 { polar.stretch[(k / 4, k % 4)] } else { offset[k / 4] };
        DualJoint {
            dual: [r.w, r.i, r.j, r.k, d.w, d.i, d.j, d.k],
            stretch: std::array::from_fn(row),
            stretched: (polar.stretch - Mat3::identity()).amax() > RIGID,
        }
    }
}

/// The image of a point; `stretched` says whether any joint stretches.
#[inline]
pub(super) fn blend(
    motions: &[DualJoint],
    stretched: bool,
    joints: &[u32],
    weights: &[Real],
    p: [Real; 3],
) -> [Real; 3] {
    let p = if stretched { stretch(motions, joints, weights, p) } else { p };
    let pivot = &motions[joints[0] as usize].dual;
    let mut b = [0.0; 8];
    for (&joint, &weight) in joints.iter().zip(weights) {
        let q = &motions[joint as usize].dual;
        let along = q[0] * pivot[0] + q[1] * pivot[1] + q[2] * pivot[2] + q[3] * pivot[3];
        let weight = if along < 0.0 { -weight } else { weight };
        for (sum, entry) in b.iter_mut().zip(q) {
            *sum += weight * entry;
        }
    }
    apply(&b, p)
}

/// The first phase: the weighted sum of the stretched points, divided by the sum of the weights, which is 1 only
/// to within the tolerance of weights that are not normalised.
#[inline]
fn stretch(motions: &[DualJoint], joints: &[u32], weights: &[Real], p: [Real; 3]) -> [Real; 3] {
    let mut m = [0.0; 12];
    let mut total = 0.0;
    for (&joint, &weight) in joints.iter().zip(weights) {
        total += weight;
        for (sum, entry) in m.iter_mut().zip(&motions[joint as usize].stretch) {
            *sum += weight * entry;
        }
    }
    std::array::from_fn(|r| {
        (m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3]) / total
    })
}

/// p' = p + 2 r x (r x p + w p) + 2 (w d - d_w r + r x d), all over |q|^2 \[DQ alg. 1\]. The length is never
/// zero: all terms lie in one hemisphere and the pivot's weight is positive.
#[inline]
fn apply(b: &[Real; 8], p: [Real; 3]) -> [Real; 3] {
    let (w, r, dw, d) = (b[0], [b[1], b[2], b[3]], b[4], [b[5], b[6], b[7]]);
    let scale = 2.0 / (w * w + r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    let rp = cross(r, p);
    let inner: [Real; 3] = std::array::from_fn(|k| rp[k] + w * p[k]);
    let turn = cross(r, inner);
    let rd = cross(r, d);
    std::array::from_fn(|k| p[k] + scale * (turn[k] + (w * d[k] - dw * r[k] + rd[k])))
}

#[inline]
fn cross(a: [Real; 3], b: [Real; 3]) -> [Real; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
