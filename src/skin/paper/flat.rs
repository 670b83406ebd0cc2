//! Triangles and edges in the plane: weights, and changes of coordinates across edges.

use super::super::rest::Rest;
use super::change::{Change, inverse};
use sinew_math::elementary::atan2;
use sinew_math::{Mat2, Real, Vec2, Vec3};

/// Tolerance for quarter turns.
const FITS: Real = 1e-6;

/// The gradients of a triangle's weights by its coordinates; `None` without area.
pub(super) fn weight_slopes(corners: &[Vec2; 3]) -> Option<[Vec2; 3]> {
    let [a, b, c] = corners;
    let (b, c) = (b - a, c - a);
    let area = b.perp(&c);
    let (second, third) = (Vec2::new(c.y, -c.x) / area, Vec2::new(-b.y, b.x) / area);
    let slopes = [-second - third, second, third];
    let sound = area.abs() > 1e-14 * b.norm_squared().max(c.norm_squared());
    (sound && slopes.iter().flatten().all(|x| x.is_finite())).then_some(slopes)
}

/// The weights of the projection of a point into the plane of a triangle.
pub(super) fn projected(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Option<[Real; 3]> {
    let normal = (b - a).cross(&(c - a));
    let square = normal.norm_squared();
    let (v, w) =
        ((p - a).cross(&(c - a)).dot(&normal) / square, (b - a).cross(&(p - a)).dot(&normal) / square);
    (v.is_finite() && w.is_finite()).then_some([1.0 - v - w, v, w])
}

/// The position of the opposite vertex: along a side, as a fraction of it, and away from it.
pub(super) fn far_from_edge(rest: &Rest, triangle: usize, side: usize, reversed: bool) -> Vec2 {
    let p = rest.mesh().points(triangle);
    let (mut a, mut b, c) = (p[side], p[(side + 1) % 3], p[(side + 2) % 3]);
    if reversed {
        std::mem::swap(&mut a, &mut b);
    }
    let edge = b - a;
    Vec2::new(edge.dot(&(c - a)) / edge.norm_squared(), edge.cross(&(c - a)).norm() / edge.norm())
}

/// The quarter turn and whole shift that takes one edge to the other, if there is one.
pub(super) fn quarter_turn(from: [Vec2; 3], to: [Vec2; 3]) -> Option<Change> {
    let (a, b) = (from[1] - from[0], to[1] - to[0]);
    let turns = (atan2(a.perp(&b), a.dot(&b)) / std::f64::consts::FRAC_PI_2).round() as i32;
    let linear = match turns.rem_euclid(4) {
        0 => Mat2::identity(),
        1 => Mat2::new(0.0, -1.0, 1.0, 0.0),
        2 => -Mat2::identity(),
        _ => Mat2::new(0.0, 1.0, -1.0, 0.0),
    };
    let shift = (to[0] - linear * from[0]).map(Real::round);
    let change = Change { linear, shift };
    let fits = |k: usize| (change.point(&from[k]) - to[k]).norm() < FITS;
    (fits(0) && fits(1)).then_some(change)
}

/// Across a seam from a triangle a, b, c to the triangle b, a, d behind it: with both laid into one plane, the
/// coordinates of the first continue over the second.
///
/// With c = a + s_c (b - a) - h_c n and d = a + s_d (b - a) + h_d n, n across the edge, the coordinates in front grow
/// across the edge by g = (u_a + s_c (u_b - u_a) - u_c) / h_c, those behind by g' = (u'_d - u'_a - s_d (u'_b - u'_a)) /
/// h_d. The change takes u_b - u_a to u'_b - u'_a and g to g'.
pub(super) fn unfolded(from: [Vec2; 3], to: [Vec2; 3], far: [Vec2; 2]) -> Change {
    let (edge, there) = (from[1] - from[0], to[1] - to[0]);
    let grows = (from[0] + edge * far[0].x - from[2]) / far[0].y;
    let grows_there = (to[2] - to[0] - there * far[1].x) / far[1].y;
    let linear = Mat2::from_columns(&[there, grows_there]) * inverse(&Mat2::from_columns(&[edge, grows]));
    Change { linear, shift: to[0] - linear * from[0] }
}

/// The number of the island of each triangle.
pub(super) fn islands(rest: &Rest, corners: &[[Vec2; 3]]) -> Vec<u32> {
    let (mut of_triangle, mut count) = (vec![u32::MAX; corners.len()], 0);
    for start in 0..corners.len() {
        if of_triangle[start] != u32::MAX {
            continue;
        }
        of_triangle[start] = count;
        let mut stack = vec![start];
        while let Some(t) = stack.pop() {
            for k in 0..3 {
                let Some(twin) = rest.edges().twin((3 * t + k) as u32) else { continue };
                let (there, other) = (twin as usize / 3, twin as usize % 3);
                let joined = corners[t][k] == corners[there][(other + 1) % 3]
                    && corners[t][(k + 1) % 3] == corners[there][other];
                if joined && of_triangle[there] == u32::MAX {
                    of_triangle[there] = count;
                    stack.push(there);
                }
            }
        }
        count += 1;
    }
    of_triangle
}
