//! A head and neck with an Adam's apple, as a surface from formulas, and how it swallows.

use super::shaping::{hill, spline, step};
use sinew_math::elementary::sin_cos;
use sinew_math::{Real, Vec3};

/// Hoops around the head from bottom to top: height and depth of the front, of the back, and half the width, in
/// metres. The patch ends before the last two.
pub const HOOPS: [[Real; 5]; 18] = [
    [-0.048, 0.086, 0.000, -0.108, 0.158],
    [0.004, 0.074, 0.046, -0.090, 0.124],
    [0.034, 0.058, 0.074, -0.070, 0.078],
    [0.060, 0.053, 0.092, -0.063, 0.062],
    [0.085, 0.054, 0.112, -0.062, 0.060],
    [0.108, 0.060, 0.140, -0.066, 0.061],
    [0.123, 0.078, 0.170, -0.076, 0.063],
    [0.130, 0.101, 0.198, -0.086, 0.066],
    [0.143, 0.117, 0.220, -0.094, 0.068],
    [0.164, 0.119, 0.238, -0.098, 0.071],
    [0.187, 0.121, 0.254, -0.100, 0.074],
    [0.212, 0.119, 0.268, -0.101, 0.077],
    [0.240, 0.113, 0.283, -0.100, 0.079],
    [0.266, 0.118, 0.298, -0.096, 0.079],
    [0.293, 0.113, 0.317, -0.084, 0.076],
    [0.321, 0.094, 0.335, -0.062, 0.068],
    [0.350, 0.055, 0.357, -0.034, 0.047],
    [0.366, 0.012, 0.367, 0.000, 0.010],
];
/// The height of the Adam's apple.
pub const APPLE: Real = 0.072;

/// How far the Adam's apple moves up in a swallow.
pub const SWALLOW: Real = 0.022;

/// Along the throat.
pub const UP: Vec3 = Vec3::new(0.0, 0.988, 0.153);

/// Moves the vertices of the lump along the neck by a share of the full travel, as an animator's rig would.
pub fn swallow(p: Vec3, share: Real) -> Vec3 {
    let near = hill(p.x / 0.034) * hill((p.y - APPLE) / 0.032) * step(0.0, 0.03, p.z);
    p + UP * (SWALLOW * near * share)
}

/// The point at a place of the table and an angle from the front, with nose, eye sockets, lips and Adam's apple.
pub fn surface(row: Real, angle: Real) -> Vec3 {
    let [yf, zf, yb, zb, w] = spline(&HOOPS, row);
    let (sin, cos) = sin_cos(angle);
    let (y, z) = (0.5 * (yf + yb) + 0.5 * (yf - yb) * cos, 0.5 * (zf + zb) + 0.5 * (zf - zb) * cos);
    let x = w * sin;
    let p = Vec3::new(x, y, z);
    if cos < 0.0 {
        return p;
    }
    let nose = 0.033 * hill(x / 0.014) * (hill((y - 0.206) / 0.017) + 0.45 * hill((y - 0.230) / 0.018));
    let socket = -0.009 * hill((x.abs() - 0.031) / 0.017) * hill((y - 0.243) / 0.013);
    let cheek = 0.006 * hill((x.abs() - 0.042) / 0.022) * hill((y - 0.205) / 0.022);
    let lips = 0.005 * hill(x / 0.022) * (hill((y - 0.183) / 0.006) + hill((y - 0.170) / 0.006));
    let apple = 0.012 * hill(x / 0.013) * hill((y - APPLE) / 0.014);
    p + Vec3::new(0.0, 0.0, nose + socket + cheek + lips + apple)
}
