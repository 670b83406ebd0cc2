//! Arms of strands by statics are those of MuJoCo's tendons through the same places.
//!
//! MuJoCo's values are stored, so that this does not need it: `sh tests/bench.sh mujoco` computes and stores them
//! again, which is needed when the finger's anatomy changes. The scene of tests/data does not change.

use crate::arms::cases;
use sinew::math::Real;

/// By case and joint: the length of the tendon and its arm, in m.
fn stored() -> Vec<(String, Real, Real)> {
    let text = std::fs::read_to_string("tests/data/mujoco_arms.csv").unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let metres = |text: &str| 1e-3 * text.parse::<Real>().unwrap();
        (format!("{} {}", cells[0], cells[1]), metres(cells[3]), metres(cells[4]))
    };
    text.lines().skip(2).map(row).collect()
}

#[test]
fn arms_are_those_of_mujoco_for_the_same_sites() {
    let stored = stored();
    let (mut compared, mut worst) = (0, [0.0_f64; 2]);
    for case in cases() {
        for arm in &case.arms {
            let name = format!("{} {}", case.name, arm.joint);
            let Some((_, length, theirs)) = stored.iter().find(|row| row.0 == name) else {
                panic!("{name} is new: run sh tests/bench.sh mujoco")
            };
            let off = (case.length - length).abs();
            assert!(off < 1e-8, "{name} is another strand (by {off} m): run sh tests/bench.sh mujoco");
            let apart = (arm.arm - theirs).abs();
            let angle = arm.angle.to_degrees();
            println!("{name} at {angle:.1}: {:.6} mm, MuJoCo {:.6} mm", 1e3 * arm.arm, 1e3 * theirs);
            assert!(apart < 1e-7, "{name}: {} {theirs}", arm.arm);
            // The arm by the strand's path is closer to theirs than that by the moment: no stretch or motion enters it.
            assert!((arm.by_way - theirs).abs() < 2e-9, "{name}: {} {theirs}", arm.by_way);
            worst = [off.max(worst[0]), apart.max(worst[1])];
            compared += 1;
        }
    }
    println!("{compared} arms, off by {:.1e} m, lengths by {:.1e} m", worst[1], worst[0]);
    assert_eq!(compared, stored.len(), "some are gone: run sh tests/bench.sh mujoco");
}
