//! The skin slides the same on a body that stands elsewhere, in another way.

use crate::meshes::{Host, farthest, pulled};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Rotation, Vec3};

/// The UVs of a long body that bulges at one side, in three frames, where it is turned by a rotation and moved.
fn uvs(turn: &Rotation, away: &Vec3) -> Vec<Vec<Vec<Real>>> {
    let body = shapes::cylinder(0.3, 3.0, 24, 30);
    let placed = |p: &Vec3| turn * p + away;
    let mut host = Host::new(&Mesh { positions: body.positions.iter().map(placed).collect(), ..body });
    let frame = |frame: i64| {
        let moved = |p: &Vec3| placed(&pulled(&(turn.inverse() * (p - away)), 0.3 * frame as Real));
        host.step(frame, moved);
        host.read("uvs", 2)
    };
    (1..=3).map(frame).collect()
}

/// Everything that is measured by the body's size (ties at borders and bends, loose skin, when it has settled) is measured by one that does
/// not change as the body turns.
#[test]
fn how_a_body_stands_does_not_matter() {
    let here = uvs(&Rotation::identity(), &Vec3::zeros());
    let slid = farthest(&here[0], &here[2]);
    assert!(slid > 5e-3, "it slides: {slid}");
    for (angles, away) in [([0.0, 0.0, 0.8], [0.0; 3]), ([0.7, -0.4, 1.1], [30.0, -2.0, 5.0])] {
        let [roll, pitch, yaw] = angles;
        let there = uvs(&Rotation::from_euler_angles(roll, pitch, yaw), &Vec3::from(away));
        for (here, there) in here.iter().zip(&there) {
            let off = farthest(here, there);
            println!("{angles:?}: {off:e}");
            assert!(off < 1e-6 * slid, "{off:e} of {slid}");
        }
    }
}
