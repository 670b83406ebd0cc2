//! Tangent frames by their metric, and how they turn a normal.
//!
//! A tangent-space normal is given in the frame T along dP/du, B perpendicular to it towards dP/dv, N. D maps UV
//! differences to (T, B); it is upper triangular with a positive diagonal, and D^T D = g, the metric of the UVs (E, F,
//! G): so D is the Cholesky factor of g, the same for mirrored UVs, whose B turns with them.
//!
//! The normal of a height field h is (-grad h, 1), normalised. Where the map fetches q at the texel p with dq = A dp,
//! the tangent map from the source's frame to the texel's is F = D_p A^-1 D_q^-1, gradients transform by F^-T, and so
//! do the normal's first two numbers: F^-T = (D_q A D_p^-1)^T, so A is not inverted. Heights stay as they are.

use sinew_geometry::TriMesh;
use sinew_geometry::twice_area;
use sinew_math::elementary::hypot;
use sinew_math::{Mat2, Mat3x2, Real, Vec2};
use std::collections::HashMap;

/// E, F, G.
pub(super) type Metric = [Real; 3];

/// By triangle and corner: the area-weighted mean over the triangles around the vertex that have the same UV there.
pub(super) fn metrics(tri: &TriMesh, uvs: &[[Vec2; 3]]) -> Vec<[Metric; 3]> {
    let key = |t: usize, k: usize| {
        // Adding zero turns -0 into 0.
        (tri.triangles[t][k], (uvs[t][k].x + 0.0).to_bits(), (uvs[t][k].y + 0.0).to_bits())
    };
    let mut sums: HashMap<(u32, u64, u64), (Metric, Real)> = HashMap::new();
    for (t, corners) in uvs.iter().enumerate() {
        let Some((metric, weight)) = metric(tri, t, corners) else { continue };
        for k in 0..3 {
            let (sum, weights) = sums.entry(key(t, k)).or_default();
            (0..3).for_each(|i| sum[i] += metric[i] * weight);
            *weights += weight;
        }
    }
    let mean = |t: usize, k: usize| match sums.get(&key(t, k)) {
        Some((sum, weight)) => sum.map(|x| x / weight),
        None => [1.0, 0.0, 1.0],
    };
    (0..uvs.len()).map(|t| std::array::from_fn(|k| mean(t, k))).collect()
}

fn metric(tri: &TriMesh, t: usize, uvs: &[Vec2; 3]) -> Option<(Metric, Real)> {
    let [a, b, c] = tri.points(t);
    let weight = (b - a).cross(&(c - a)).norm();
    let sides = Mat2::from_columns(&[uvs[1] - uvs[0], uvs[2] - uvs[0]]);
    let jacobian = Mat3x2::from_columns(&[b - a, c - a]) * sides.try_inverse()?;
    let g = jacobian.transpose() * jacobian;
    let sound = weight > 0.0 && twice_area(uvs) != 0.0 && g.iter().all(|x| x.is_finite());
    sound.then_some(([g.m11, g.m12, g.m22], weight))
}

/// Metrics at three corners, interpolated.
pub(super) fn mix(metrics: &[Metric; 3], weights: &[Real; 3]) -> Metric {
    std::array::from_fn(|i| (0..3).map(|k| metrics[k][i] * weights[k]).sum())
}

/// The metric of other coordinates, which `turn` maps to those that `metric` measures.
pub(super) fn turned([e, f, g]: Metric, turn: &Mat2) -> Metric {
    let m = turn.transpose() * Mat2::new(e, f, f, g) * turn;
    [m.m11, m.m12, m.m22]
}

/// D.
fn factor([e, f, g]: Metric) -> Mat2 {
    let a = e.max(Real::MIN_POSITIVE).sqrt();
    let b = f / a;
    // A metric that is singular up to round-off keeps a millionth of its width.
    let d = (g - b * b).max(1e-12 * g).max(Real::MIN_POSITIVE).sqrt();
    Mat2::new(a, b, 0.0, d)
}

/// The factor of a normal's first two numbers; exactly the identity if nothing moved.
pub(super) fn turn(source: Metric, jacobian: &Mat2, texel: Metric) -> Mat2 {
    if source == texel && *jacobian == Mat2::identity() {
        return Mat2::identity();
    }
    let (q, p) = (factor(source), factor(texel));
    let inverse = Mat2::new(1.0 / p.m11, -p.m12 / (p.m11 * p.m22), 0.0, 1.0 / p.m22);
    (q * jacobian * inverse).transpose()
}

/// Transforms a normal, stored as 0 to 1 for -1 to 1, and keeps its length.
pub(super) fn turn_normal<const C: usize>(texel: &mut [f32; C], turn: &Mat2, green_down: bool) {
    if *turn == Mat2::identity() {
        return;
    }
    let up = if green_down { -1.0 } else { 1.0 };
    let [x, y, z] = [0, 1, 2].map(|c| 2.0 * Real::from(texel[c]) - 1.0);
    let flat = turn * Vec2::new(x, up * y);
    let length = hypot(hypot(flat.x, flat.y), z);
    let keep = if length > 0.0 { hypot(hypot(x, y), z) / length } else { 1.0 };
    for (texel, value) in texel.iter_mut().zip([flat.x, up * flat.y, z]) {
        *texel = (0.5 + 0.5 * value * keep) as f32;
    }
}
