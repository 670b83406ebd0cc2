//! The human from a Python package: what `tests/human.sh` fetched, read, and posed through our own skinning.

#[path = "../examples/support/human/mod.rs"]
#[allow(dead_code, reason = "each program that includes this uses a part of it")]
mod human;

use human::{Human, Motion, Region};
use sinew::geometry::MeshReport;
use sinew::math::{Real, Vec3};
use std::path::Path;

fn human() -> Human {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(human::FOLDER);
    Human::load(&folder).unwrap().unwrap_or_else(|| panic!("she is missing: run sh tests/human.sh"))
}

fn largest(ways: impl Iterator<Item = Real>) -> Real {
    ways.fold(0.0, Real::max)
}

fn apart(a: &[Vec3], b: &[Vec3]) -> Real {
    largest(a.iter().zip(b).map(|(a, b)| (a - b).norm()))
}

#[test]
fn a_folder_without_her_files_has_no_human() {
    let empty = tempfile::tempdir().unwrap();
    assert!(Human::load(empty.path()).unwrap().is_none());
}

#[test]
fn she_is_one_closed_body_in_metres_that_stands_on_the_ground() {
    let human = human();
    let report = MeshReport::new(human.mesh()).unwrap();
    assert_eq!((report.vertices, report.faces, report.pieces), (13_380, 13_378, 1));
    assert!(report.problems().is_empty());
    let heights = human.mesh().positions.iter().map(|p| p.y);
    let [low, high] = heights.fold([Real::INFINITY, 0.0], |[low, high], y| [low.min(y), high.max(y)]);
    assert_eq!(low, 0.0);
    assert!((1.5..1.9).contains(&high), "{high} m tall");
}

#[test]
fn the_weights_of_every_vertex_sum_to_1() {
    for (vertex, sum) in human().weight_sums().enumerate() {
        assert!((sum - 1.0).abs() < 1e-12, "vertex {vertex}: {sum}");
    }
}

#[test]
fn every_motion_begins_in_the_rest_pose() {
    let human = human();
    for motion in Motion::ALL {
        let off = apart(&human.posed(motion, 0.0).unwrap(), &human.mesh().positions);
        assert!(off < 1e-9, "{motion:?}: {off} m");
    }
}

#[test]
fn motions_go_far_end_where_they_began_and_are_smooth() {
    let human = human();
    for motion in Motion::ALL {
        let bodies = |fps: Real| -> Vec<Vec<Vec3>> {
            let frames = (motion.seconds() * fps).round() as usize;
            (0..=frames).map(|k| human.posed(motion, k as Real / fps).unwrap()).collect()
        };
        let coarse = bodies(24.0);
        let rest = &human.mesh().positions;
        let way = largest(coarse.iter().map(|body| apart(body, rest)));
        assert!(way > 0.05, "{motion:?} moves by {way} m");
        if motion != Motion::Walk {
            let off = apart(&coarse[coarse.len() - 1], rest);
            assert!(off < 1e-9, "{motion:?} ends {off} m off");
        }
        // Where accelerations are continuous, a second difference falls to a quarter when the time between frames is
        // halved.
        let bend = |bodies: &[Vec<Vec3>]| {
            let at = |w: &[Vec<Vec3>], v: usize| (w[0][v] - w[1][v] * 2.0 + w[2][v]).norm();
            largest(bodies.windows(3).map(|w| largest((0..w[0].len()).map(|v| at(w, v)))))
        };
        let [one, half] = [bend(&coarse), bend(&bodies(48.0))];
        assert!(half < 0.3 * one, "{motion:?}: second differences of {one} m at 24 fps, {half} m at 48");
    }
}

#[test]
fn regions_are_where_their_names_say() {
    let human = human();
    let middle = |region: Region| {
        let chosen: Vec<Vec3> = human
            .region(region)
            .iter()
            .zip(&human.mesh().positions)
            .filter_map(|(&inside, &p)| inside.then_some(p))
            .collect();
        assert!(chosen.len() > 50, "{region:?} has {} vertices", chosen.len());
        chosen.iter().sum::<Vec3>() / chosen.len() as Real
    };
    let [head, neck, lips, lids] = [Region::Head, Region::Neck, Region::Lips, Region::Eyelids].map(middle);
    assert!(head.y > neck.y && lids.y > lips.y && lips.y > neck.y);
    assert!(lips.z > middle(Region::Mouth).z && lips.z > neck.z);
    let [shoulder, forearm, hand] = [Region::LeftShoulder, Region::LeftForearm, Region::LeftHand].map(middle);
    assert!(0.05 < shoulder.x && shoulder.x < forearm.x && forearm.x < hand.x);
    assert!((hand.x + middle(Region::RightHand).x).abs() < 0.01);
    let nails = human.region(Region::Fingernails);
    let hands = [Region::LeftHand, Region::RightHand].map(|hand| human.region(hand));
    assert!((0..nails.len()).all(|v| !nails[v] || hands[0][v] || hands[1][v]));
}
