//! Smooth noise in space, so that what is painted by it has no seams.

use sinew::anatomy::shaping::step;
use sinew::math::{Real, Vec3};

/// Noise between -1 and 1 over a lattice of side 1.
pub fn noise(p: Vec3) -> Real {
    let low = p.map(Real::floor);
    let t = (p - low).map(|x| step(0.0, 1.0, x));
    let mut sum = 0.0;
    for corner in 0..8 {
        let bit = Vec3::new((corner & 1) as Real, (corner >> 1 & 1) as Real, (corner >> 2) as Real);
        let near = |k: usize| if bit[k] > 0.5 { t[k] } else { 1.0 - t[k] };
        sum += near(0) * near(1) * near(2) * (2.0 * random(low + bit) - 1.0);
    }
    sum
}

/// Dots of several sizes, at most one per cell of side 1: the value is 1 inside a dot.
pub fn dots(p: Vec3) -> Real {
    let cell = p.map(Real::floor);
    let [a, b, c, size] = [0.0, 17.0, 31.0, 47.0].map(|k| random(cell + Vec3::repeat(k)));
    let middle = cell + Vec3::new(a, b, c) * 0.4 + Vec3::repeat(0.3);
    let radius = 0.3 * (size - 0.5).max(0.0);
    1.0 - step(0.4 * radius, radius + 0.02, (p - middle).norm())
}

/// A number between 0 and 1 for each point of the lattice, by a finalizer of integers (splitmix64's).
fn random(p: Vec3) -> Real {
    let [x, y, z] = [p.x, p.y, p.z].map(|c| c as i64 as u64);
    let mut k = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ y.rotate_left(21) ^ z.rotate_left(42);
    k = (k ^ (k >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    k = (k ^ (k >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((k ^ (k >> 31)) >> 11) as Real / (1u64 << 53) as Real
}
