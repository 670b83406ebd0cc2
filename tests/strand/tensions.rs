//! Reported tensions against the momentum of what they move, at various damping, stiffness, steps and speeds of
//! turning.

use crate::strand_run::Run;
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::energy::tensions_after;
use sinew::strand::parts::{
    Body, Carrier, Fibre, Hill, Mode, Muscle, Node, Parts, Point, Pull, Strand, Velocity,
};
use sinew::strand::step::Inputs;

const MASS: Real = 0.4;
const LENGTH: Real = 0.35;

/// A bob on a strand from the origin along x, with a velocity along y; `hill` replaces the strand by a muscle.
fn bob(fibre: Fibre, speed: Real, gravity: Real, stretch: Real, hill: Option<Hill>) -> Run {
    let place = Placement::new(Rotation::identity(), Vec3::x() * LENGTH);
    let body = Body {
        name: "bob".into(),
        place,
        mass: MASS,
        moments: Vec3::repeat(1e-4),
        mode: Mode::Free,
        solid: None,
    };
    let node = |point, material| Node { point, material, mode: Mode::Removed };
    let mut parts = Parts {
        bodies: vec![body],
        velocities: vec![Velocity { linear: Vec3::y() * speed, ..Velocity::default() }],
        points: vec![
            Point { name: "hub".into(), place: Vec3::zeros(), carrier: Carrier::World },
            Point { name: "end".into(), place: place.origin, carrier: Carrier::Body(0) },
        ],
        strands: vec![Strand {
            name: "cord".into(),
            nodes: vec![node(0, 0.0), node(1, LENGTH / (1.0 + stretch))],
            fibre,
            radius: 1e-3,
        }],
        ..Parts::default()
    };
    parts.settings.gravity = Vec3::y() * -gravity;
    let pull = |hill| Muscle { name: "muscle".into(), strength: 60.0, pull: Pull::Segment(hill) };
    parts.muscles.extend(hill.map(pull));
    Run::new(parts)
}

/// Runs in single steps; in the second half, after the start has settled, the largest difference of the tension from
/// m (a - g), and from the centripetal force alone.
fn against_momentum(run: &mut Run, h: Real, steps: usize, activations: &[Real]) -> [Real; 2] {
    let gravity = run.model.settings().gravity;
    let (mut off, mut swing): (Real, Real) = (0.0, 0.0);
    for step in 0..steps {
        let before = run.state.bodies[0].linear;
        let report = run.frame(&Inputs { seconds: h, substeps: 1, activations, ..Inputs::default() });
        assert_eq!(report.steps, 1);
        let moving = &run.state.bodies[0];
        let force = ((moving.linear - before) / h - gravity) * MASS;
        let tension = tensions_after(&run.model, &run.state, &run.scratch)[0][0];
        if step > steps / 2 {
            off = off.max((tension - force.norm()).abs() / force.norm().max(1.0));
            let centripetal = MASS * moving.linear.norm_squared() / moving.place.origin.norm();
            swing = swing.max((tension / centripetal - 1.0).abs());
        }
    }
    [off, swing]
}

#[test]
fn a_damped_strand_that_turns_carries_the_centripetal_force() {
    for stiffness in [1e4, 1e6, 3e7] {
        for damping in [0.0, 3e-4, 5e-3, 0.1] {
            for (h, speed) in [(1e-3, 2.0), (2e-4, 8.0), (1e-3, 8.0), (5e-3, 1.0)] {
                let centripetal = MASS * speed * speed / LENGTH;
                let fibre =
                    Fibre { stiffness, line_density: 1e-5, axial_damping: damping, lateral_damping: 0.0 };
                let mut run = bob(fibre, speed, 0.0, centripetal / stiffness, None);
                let [off, swing] = against_momentum(&mut run, h, 300, &[]);
                println!(
                    "EA {stiffness:e}, damping {damping}, {h} s, {speed} m/s: {off:.1e}, {swing:.1e} of m v^2 / r"
                );
                // The chord of a step is that much shorter than its arc.
                let turn = h * speed / LENGTH;
                assert!(off < 3.0 * turn * turn + 1e-3, "{off}");
                assert!(swing < 0.02 + turn, "{swing}");
            }
        }
    }
}

#[test]
fn what_swings_slack_and_taut_on_a_damped_strand_weighs_what_its_momentum_says() {
    for (stiffness, damping) in [(500.0, 1e-3), (500.0, 0.05), (1e5, 2e-3)] {
        let fibre = Fibre { stiffness, line_density: 1e-6, axial_damping: damping, lateral_damping: 0.0 };
        let mut run = bob(fibre, -1.0, 9.81, 1e-3, None);
        let [off, _] = against_momentum(&mut run, 5e-4, 600, &[]);
        println!("EA {stiffness:e}, damping {damping}: {off:.1e}");
        assert!(off < 0.02, "{off}");
    }
}

#[test]
fn a_muscle_that_turns_at_a_constant_length_pulls_as_one_at_rest() {
    // At its best length, at full activation, without shortening: its strength.
    for (h, faster) in [(1e-3, 1.0), (2e-4, 1.0), (2e-3, 0.25)] {
        let activation = faster;
        let speed = (60.0 * activation * LENGTH / MASS as Real).sqrt();
        let fibre = Fibre { stiffness: 1e5, line_density: 1e-6, axial_damping: 0.0, lateral_damping: 0.0 };
        let hill = Hill { strand: 0, segment: 0, optimal: LENGTH, speed: 0.7 };
        let mut run = bob(fibre, speed, 0.0, 0.0, Some(hill));
        // The passive curve adds a little beyond the resting length: it is in the balance anyway.
        let [off, swing] = against_momentum(&mut run, h, (0.1 / h) as usize, &[activation]);
        println!("{h} s, {speed:.1} m/s: {off:.1e}, {swing:.1e} of m v^2 / r");
        // The force by speed is linearised once in a step: of first order.
        assert!(off < 8.0 * h * speed / LENGTH, "{off}");
    }
}
