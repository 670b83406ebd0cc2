//! Procedural textures: checkers, and drawings by distance functions. Lengths are in the units of the caller.

use sinew_math::elementary::{atan2, cos, hypot, powf, sin};
use sinew_math::{Real, Vec2, Vec3};
use std::f64::consts::{PI, TAU};

/// A web colour, in linear light.
pub fn rgb(hex: u32) -> Vec3 {
    Vec3::from([16, 8, 0].map(|shift| Real::from((hex >> shift & 255) as u8) / 255.0).map(|c| powf(c, 2.2)))
}

/// One of two colours: squares of side 1.
pub fn checker(p: Vec2, colours: [Vec3; 2]) -> Vec3 {
    colours[((p.x.floor() + p.y.floor()) as i64).rem_euclid(2) as usize]
}

/// A grid of squares of side 1, with lines `width` wide.
pub fn lines(p: Vec2, width: Real) -> bool {
    let near = |x: Real| (x - x.round()).abs() < 0.5 * width;
    near(p.x) || near(p.y)
}

/// The distance to a segment.
pub fn segment(p: Vec2, a: Vec2, b: Vec2) -> Real {
    let along = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
    (p - a - (b - a) * along).norm()
}

/// Inside an ellipse around 0.
pub fn ellipse(p: Vec2, radii: [Real; 2]) -> bool {
    hypot(p.x / radii[0], p.y / radii[1]) < 1.0
}

/// Inside a star with five points, the upper one at (0, 1).
pub fn star(p: Vec2) -> bool {
    const INNER: Real = 0.42;
    // Folded into half a point, which is one side of a line.
    let angle = atan2(p.x, p.y).rem_euclid(TAU / 5.0);
    let angle = angle.min(TAU / 5.0 - angle);
    let q = p.norm() * Vec2::new(cos(angle), sin(angle));
    let (tip, notch) = (Vec2::new(1.0, 0.0), INNER * Vec2::new(cos(PI / 5.0), sin(PI / 5.0)));
    (notch - tip).perp(&(q - tip)) > 0.0
}

/// Inside an anchor between y = -1 and y = 1, in strokes of one width.
pub fn anchor(p: Vec2) -> bool {
    let q = Vec2::new(p.x.abs(), p.y);
    let at = Vec2::new;
    let ring = ((q - at(0.0, 0.78)).norm() - 0.16).abs();
    let shank = segment(q, at(0.0, 0.62), at(0.0, -0.85));
    let stock = segment(q, at(0.0, 0.42), at(0.40, 0.42));
    // The arms: an arc around (0, -0.15), from the crown up to the flukes.
    let from_middle = q - at(0.0, -0.15);
    let arms = if from_middle.y < 0.0 { (from_middle.norm() - 0.72).abs() } else { Real::INFINITY };
    let fluke =
        segment(q, at(0.72, -0.15), at(0.50, -0.22)).min(segment(q, at(0.72, -0.15), at(0.84, -0.36)));
    ring.min(shank).min(stock).min(arms).min(fluke) < 0.085
}
