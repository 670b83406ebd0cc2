//! Joints at their limits: springs that press against them, warnings that mean something.

#[path = "support/strand_run.rs"]
mod strand_run;

use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::joint::{Joint, Motion, Spring};
use sinew::strand::model::{Body, Mode, Parts};
use sinew::strand::step::Inputs;
use strand_run::Run;

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
                        // Strong ones are there at once, where their damping lets them.
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
