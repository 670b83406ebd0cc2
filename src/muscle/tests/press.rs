//! Muscles pressed under the skin.

use super::*;
use sinew_geometry::{Rays, TriMesh, shapes};

/// A ball of skin around the arm's biceps, and its points in a row.
fn ball(radius: Real) -> (TriMesh, Vec<Real>) {
    let mut mesh = shapes::sphere(radius, 4);
    mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(0.17, 1.41, 0.03));
    let points = mesh.positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
    (TriMesh::from_mesh(&mesh).unwrap(), points)
}

#[test]
fn what_was_inside_stays_inside_and_nothing_else_moves() {
    let model = model(Frames::Stable);
    let (skin, at_rest) = ball(0.12);
    let mut press = Press::new(&model, skin.clone()).unwrap();
    let mut points = model.points().to_vec();
    press.press(&at_rest, 1.0, &mut points);
    assert!(farthest(&points, model.points().iter().copied()) < 1e-15);

    // The skin shrinks: what was inside at rest, and only that, follows it.
    let (small, now) = ball(0.09);
    let [was_in, is_in] = [&skin, &small].map(|skin| Rays::new(skin).unwrap());
    let distances = |points: &[Vec3]| {
        let closest = sinew_geometry::ClosestPoint::new(&small).unwrap();
        points.iter().map(|p| closest.find(p, Real::INFINITY).unwrap().distance).collect::<Vec<_>>()
    };
    press.press(&now, 1.0, &mut points);
    let (mut pressed, mut let_be) = (0, 0);
    for ((point, before), depth) in points.iter().zip(model.points()).zip(distances(&points)) {
        match (was_in.inside(before), is_in.inside(before)) {
            (true, false) => {
                assert!(is_in.inside(point) || depth < 1e-9, "{before} went to {point}");
                pressed += 1;
            }
            // It may have been too close to the skin.
            (true, true) => assert!(is_in.inside(point) && (point - before).norm() < 2e-3),
            (false, _) => {
                assert_eq!(point, before);
                let_be += 1;
            }
        }
    }
    assert!(pressed > 20 && let_be > 20, "{pressed} {let_be}");

    // Half of the way.
    let mut half = model.points().to_vec();
    press.press(&now, 0.5, &mut half);
    let middles = points.iter().zip(model.points()).map(|(a, b)| (a + b) * 0.5);
    assert!(farthest(&half, middles) < 1e-15);
}
