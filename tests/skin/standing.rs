//! The skin slides the same on a body with another position and orientation.

use crate::host::Host;
use crate::meshes::{farthest, pulled};
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Rotation, Vec3};

/// A long body of triangles: of two diagonals of a quad that are equally long, round-off would choose one.
fn body() -> Mesh {
    let cut = TriMesh::from_mesh(&shapes::cylinder(0.3, 3.0, 24, 30)).unwrap();
    Mesh {
        positions: cut.positions,
        face_offsets: (0..=cut.triangles.len() as u32).map(|face| 3 * face).collect(),
        corner_vertices: cut.triangles.into_iter().flatten().collect(),
        ..Mesh::default()
    }
}

/// How far the skin of a body that bulges at one side slides, in three frames, where it is turned by a rotation and
/// moved.
fn slides(turn: &Rotation, away: &Vec3) -> Vec<Vec<Vec<Real>>> {
    let body = body();
    let placed = |p: &Vec3| turn * p + away;
    let mut host = Host::new(&Mesh { positions: body.positions.iter().map(placed).collect(), ..body });
    // To the last digit, so that nothing but the body's size can differ.
    for (id, text) in [("tolerance", "1e-9"), ("max_iterations", "200")] {
        host.node.set_param_text(id, text).unwrap();
    }
    let frame = |frame: i64| {
        let moved = |p: &Vec3| placed(&pulled(&(turn.inverse() * (p - away)), 0.3 * frame as Real));
        host.step(frame, moved);
        host.read("slide_distance", 1)
    };
    (1..=3).map(frame).collect()
}

/// Everything that is measured by the body's size (ties at borders and bends, loose skin, when it has settled) is
/// measured by one that does not change as the body turns.
#[test]
fn how_a_body_stands_does_not_matter() {
    let here = slides(&Rotation::identity(), &Vec3::zeros());
    let slid = farthest(&here[0], &here[2]);
    assert!(slid > 5e-3, "it slides: {slid}");
    for (angles, away) in [([0.0, 0.0, 0.8], [0.0; 3]), ([0.7, -0.4, 1.1], [30.0, -2.0, 5.0])] {
        let [roll, pitch, yaw] = angles;
        let there = slides(&Rotation::from_euler_angles(roll, pitch, yaw), &Vec3::from(away));
        for (here, there) in here.iter().zip(&there) {
            let off = farthest(here, there);
            println!("{angles:?}: {off:e}");
            assert!(off < 1e-6 * slid, "{off:e} of {slid}");
        }
    }
}
