//! Joints at their limits: springs that press against them, warnings that mean something.

use crate::strand_run::Run;
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::nodes::strand_report::wrapped;
use sinew::strand::parts::{Body, Joint, Mode, Motion, Parts, Spring};
use sinew::strand::step::Inputs;

/// A rod on a hinge of limits that a spring presses against.
fn sprung(mass: Real, spring: Spring, limits: [Real; 2], gravity: Vec3) -> Run {
    let place = Placement::new(Rotation::identity(), Vec3::x() * 0.05);
    let moments = Vec3::new(0.1, 1.0, 1.0) * (mass * 8e-4);
    let rod = Body { name: "rod".into(), place, mass, moments, mode: Mode::Free, solid: None };
    let frames = [Vec3::zeros(), Vec3::x() * -0.05].map(|at| Placement::new(Rotation::identity(), at));
    let mut hinge = Joint::holding("hinge", None, 0, frames, [false, false, true, false, false, false]);
    hinge.axes[2].motion = Motion::Limited(limits[0], limits[1]);
    hinge.axes[2].spring = Some(spring);
    let mut parts = Parts { bodies: vec![rod], joints: vec![hinge], ..Parts::default() };
    parts.settings.gravity = gravity;
    Run::new(parts)
}

#[test]
fn springs_press_against_limits_in_peace() {
    let mut count = 0;
    for mass in [1e-3, 0.03, 1.0, 50.0] {
        for stiffness in [1e-3, 0.1, 10.0, 1e4] {
            for damping in [0.0, 1e-3, 0.3, 20.0] {
                for (rest, end) in [(0.8, 0.3), (-1.2, -0.2)] {
                    for gravity in [Vec3::zeros(), Vec3::new(0.1, 0.2, -9.0), Vec3::new(-3.0, 0.0, 3.0)] {
                        let spring = Spring { stiffness, rest, damping };
                        let mut run = sprung(mass, spring, [-0.2, 0.3], gravity);
                        // A frame is refused where a solve did not end.
                        for _ in 0..10 {
                            run.frame(&Inputs { seconds: 0.04, substeps: 20, ..Inputs::default() });
                        }
                        let turn = run.model.parts().joints[0].motions(|b| run.state.bodies[b].place)[2];
                        // Strong springs get there at once if their damping is low.
                        let moment = 0.05 * mass * gravity.norm();
                        if stiffness > mass.max(30.0 * moment) && damping < 0.05 * stiffness {
                            assert!((turn - end).abs() < 1e-5, "{mass} {spring:?} {gravity}: {turn}");
                        }
                        count += 1;
                    }
                }
            }
        }
    }
    println!("{count} joints");
}

#[test]
fn a_joint_of_several_turns_is_reported_past_180_degrees_where_a_spring_goes_by_it() {
    let spring = |stiffness: Real| Spring { stiffness, rest: 0.5, damping: 1e-6 };
    for (stiffness, towards, is_reported) in [(0.02, 1.0, true), (0.02, -1.0, true), (0.0, 1.0, false)] {
        let mut parts = sprung(0.1, spring(stiffness), [-3.0, 3.0], Vec3::zeros()).model.parts().clone();
        [0, 2].iter().for_each(|&k| parts.joints[0].axes[k].motion = Motion::Free);
        let mut run = Run::new(parts);
        let moving = &mut run.state.bodies[0];
        moving.angular = Vec3::z() * (40.0 * towards);
        moving.linear = moving.angular.cross(&moving.place.origin);
        moving.spin = moving.angular * run.model.parts().bodies[0].moments.z;
        let inputs = Inputs { seconds: 0.02, substeps: 20, ..Inputs::default() };
        let reported: Vec<_> = (0..6).flat_map(|_| run.frame(&inputs).wrapped).collect();
        assert_eq!(!reported.is_empty(), is_reported, "{reported:?}");
        if let Some(first) = reported.first() {
            let message = wrapped(&run.model, first);
            println!("{message}");
            assert!(message.contains("joint hinge turned past 180 degrees in turn_z at 0.0"), "{message}");
            // At 40 rad/s and a little faster or slower for the spring, half a turn takes 0.08 s.
            assert!((first.time - 0.08).abs() < 0.02, "{}", first.time);
        }
    }
}
