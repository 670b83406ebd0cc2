//! Where a pose is seen from: near enough that the muscles that change fill the picture, and from where their work on
//! the skin shows.

use rayon::prelude::*;
use sinew_drawing::Camera;
use sinew_math::{Real, Vec3};
use sinew_report::Artist;
use std::f64::consts::TAU;

/// Directions all around, from a little above.
const YAWS: usize = 12;
const PITCH: Real = 0.15;

/// The pictures in which it is tried what is seen have this many pixels on each side.
const TRIED: usize = 40;

/// How much wider than the muscles the picture is: their skin, and something of what they belong to.
const WIDER: Real = 1.15;

/// A camera that holds some points.
fn around(points: &[Vec3], yaw: Real) -> Camera {
    let camera = Camera { target: Vec3::zeros(), yaw, pitch: PITCH, width: 1.0 };
    let axes = camera.axes();
    let side = |axis: &Vec3| {
        let along = points.iter().map(|p| p.dot(axis));
        along.fold([Real::INFINITY, Real::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    };
    let sides = axes.each_ref().map(side);
    let middle = |k: usize| axes[k] * (0.5 * (sides[k][0] + sides[k][1]));
    let width = (sides[0][1] - sides[0][0]).max(sides[1][1] - sides[1][0]);
    Camera { target: (0..3).map(middle).sum(), width: WIDER * width, ..camera }
}

/// The view of a pose in which what muscles do to the skin is seen best: across the view and not hidden. `muscles` are
/// the points of those that matter, `skin` and `alone` are the skin with muscles and by joints alone.
pub(super) fn best(artist: &Artist, muscles: &[Vec3], skin: &[Vec3], alone: &[Vec3]) -> Camera {
    let seen = |k: usize| {
        let camera = around(muscles, TAU * k as Real / YAWS as Real);
        let picture = artist.outside(skin, &camera, [TRIED; 2]);
        let to_viewer = camera.axes()[2];
        let shown = |(p, alone): (&Vec3, &Vec3)| {
            let by = p - alone;
            let across = by - to_viewer * by.dot(&to_viewer);
            // Most of the skin is where it was, and need not be looked for.
            if by != Vec3::zeros() && picture.place(p).1 { across.norm_squared() } else { 0.0 }
        };
        (skin.iter().zip(alone).map(shown).sum::<Real>(), camera)
    };
    let all: Vec<(Real, Camera)> = (0..YAWS).into_par_iter().map(seen).collect();
    // Of equal ones the first, which is from in front.
    all[1..].iter().fold(all[0], |best, other| if other.0 > best.0 { *other } else { best }).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;
    use sinew_muscle::Parts;

    /// Skin that swells on one side of a ball is seen in profile, from a side on which nothing hides it.
    #[test]
    fn a_bulge_is_seen_in_profile() {
        let ball = shapes::sphere(1.0, 4);
        let artist = Artist::new(&ball, Parts::default(), &[]).unwrap();
        let bulge = |p: &Vec3| if p.x > 0.7 { p + Vec3::x() * 0.2 } else { *p };
        let skin: Vec<Vec3> = ball.positions.iter().map(bulge).collect();
        let camera = best(&artist, &skin, &skin, &ball.positions);
        let to_viewer = camera.axes()[2];
        assert!(to_viewer.x.abs() < 0.6, "{to_viewer}");
        // All of it is in the picture.
        let picture = artist.outside(&skin, &camera, [16; 2]);
        assert!(skin.iter().all(|p| picture.place(p).0.iter().all(|x| (0.0..1.0).contains(x))));
    }

    #[test]
    fn without_any_change_it_is_seen_from_in_front() {
        let ball = shapes::sphere(1.0, 3);
        let artist = Artist::new(&ball, Parts::default(), &[]).unwrap();
        let camera = best(&artist, &ball.positions, &ball.positions, &ball.positions);
        assert_eq!(camera.yaw, 0.0);
        assert!((camera.width - 2.0 * WIDER).abs() < 0.1, "{}", camera.width);
    }
}
