//! Hill's muscle on a segment against its curves.

use proptest::prelude::*;

use crate::strand_run::Run;
use sinew::control::Control;
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::energy::{energy, tensions};
use sinew::strand::model::Model;
use sinew::strand::parts::{
    Aim, Body, Carrier, Fibre, Goal, Hill, Joint, Mode, Motion, Muscle, Node, Parts, Point, Pull, Settings,
    Strand,
};
use sinew::strand::step::{Inputs, step};

/// The strength in N, the optimal length in m, the greatest speed in m/s.
const STRENGTH: Real = 100.0;
const OPTIMAL: Real = 0.11;
const FASTEST: Real = 0.8;

fn hill() -> Hill {
    Hill { strand: 0, segment: 0, optimal: OPTIMAL, speed: FASTEST }
}

impl Run {
    fn length(&self) -> Real {
        -self.state.bodies[0].place.origin.y
    }

    fn shortening(&self) -> Real {
        self.state.bodies[0].linear.y
    }

    fn tension(&self) -> Real {
        tensions(&self.model, &self.state)[0][0]
    }
}

/// A muscle from the origin down to a weight, which may move up and down, or not.
fn lifting(length: Real, mass: Real, gravity: Real, held: bool) -> Run {
    let origin = Vec3::y() * -length;
    let place = Placement::new(Rotation::identity(), origin);
    let frames = [place, Placement::default()];
    let mut joint = Joint::holding("guide", None, 0, frames, [false; 6]);
    joint.axes[4].motion = if held { Motion::Held } else { Motion::Free };
    let node = |point, material| Node { point, material, mode: Mode::Removed };
    Run::new(Parts {
        settings: Settings { gravity: Vec3::y() * -gravity, ..Settings::default() },
        bodies: vec![Body {
            name: "weight".into(),
            place,
            mass,
            moments: Vec3::repeat(1e-3),
            mode: Mode::Free,
            solid: None,
        }],
        points: vec![
            Point { name: "origin".into(), place: Vec3::zeros(), carrier: Carrier::World },
            Point { name: "end".into(), place: origin, carrier: Carrier::Body(0) },
        ],
        strands: vec![Strand {
            name: "belly".into(),
            nodes: vec![node(0, 0.0), node(1, 0.1)],
            fibre: Fibre { stiffness: 1e5, line_density: 1e-6, axial_damping: 0.0, lateral_damping: 0.0 },
            radius: 5e-3,
        }],
        joints: vec![joint],
        muscles: vec![Muscle { name: "belly".into(), strength: STRENGTH, pull: Pull::Segment(hill()) }],
        ..Parts::default()
    })
}

/// The force curves, written out independently, over the length in resting lengths.
fn closed_form(length: Real, activation: Real) -> Real {
    let l = length / (OPTIMAL / 1.1);
    let active = if (0.6..1.6).contains(&l) { 1.0 - 4.0 * (l - 1.1) * (l - 1.1) } else { 0.0 };
    let passive = if l > 1.0 { 2.77 * (l - 1.0) * (l - 1.0) } else { 0.0 };
    STRENGTH * (activation * active + passive)
}

#[test]
fn standing_still_it_pulls_as_the_curves_say() {
    let (mut best, mut most) = (0.0, 0.0);
    for k in 0..=60 {
        let length = OPTIMAL * (0.4 + 0.02 * k as Real);
        for activation in [0.0, 0.3, 1.0] {
            let mut run = lifting(length, 1.0, 0.0, true);
            run.pull(activation, 0.01, 10);
            // The constraint that holds the weight also gives the force: the fifth row of the joint.
            let (held, expected) = (run.state.impulses[4].abs() / 1e-3, closed_form(length, activation));
            assert!((run.tension() - expected).abs() < 1e-6, "{length} {activation}: {expected}");
            assert!((held - expected).abs() < 1e-6, "{length} {activation}: {held} {expected}");
            assert!(activation > 0.0 || length >= OPTIMAL / 1.1 || held < 1e-9, "slack at rest: {held}");
            let active = expected - closed_form(length, 0.0);
            if activation == 1.0 && active > most {
                (best, most) = (length, active);
            }
        }
    }
    println!("the active pull is at most {most} N, at {best} m");
    assert!((best - OPTIMAL).abs() < 1e-9 && (most - STRENGTH).abs() < 1e-9);
}

#[test]
fn under_a_load_it_shortens_as_fast_as_its_force_and_speed_allow() {
    // A weight of hardly any mass, which is in balance at every moment.
    for load in [0.1, 0.3, 0.5, 0.8, 0.95, 1.2, 1.3] {
        let lengthens = load > 1.0;
        let start = OPTIMAL * if lengthens { 0.9 } else { 1.1 };
        let mass = 1e-4 * load * STRENGTH;
        let mut run = lifting(start, mass, 1e4, false);
        let force = load - closed_form(OPTIMAL, 0.0) / STRENGTH;
        let expected = if lengthens {
            let c = 0.1;
            -FASTEST * c * (force - 1.0) / (1.5 - force)
        } else {
            FASTEST * (1.0 - force) / (1.0 + 4.0 * force)
        };
        let mut found = 0.0;
        for _ in 0..50_000 {
            let before = run.length() - OPTIMAL;
            run.pull(1.0, 2e-5, 1);
            if before * (run.length() - OPTIMAL) <= 0.0 {
                found = run.shortening();
                break;
            }
        }
        println!("load {load}: shortens with {found:.4} m/s, {expected:.4} by the curve");
        assert!((found - expected).abs() < 0.03 * expected.abs() + 0.002, "{found} {expected}");
    }
}

#[test]
fn whole_pull_on_next_to_nothing_stays_below_the_greatest_speed() {
    // From the resting length: the passive part, which knows no speed, does nothing.
    for (h, mass) in [(1e-3, 1e-3), (2e-3, 1e-3), (2e-3, 0.1), (1e-3, 1.0)] {
        let mut run = lifting(OPTIMAL / 1.1, mass, 0.0, false);
        let mut fastest: Real = 0.0;
        for _ in 0..500 {
            run.pull(1.0, h, 1);
            fastest = fastest.max(run.shortening());
            if run.length() < 0.6 * OPTIMAL / 1.1 {
                break;
            }
        }
        println!("{mass} kg, steps of {h} s: up to {fastest:.3} m/s, at last {:.4} m", run.length());
        assert!(
            run.length() < 0.061 && fastest > 0.1 * FASTEST && fastest < (1.0 + 1e-9) * FASTEST,
            "{fastest}"
        );
    }
}

#[test]
fn longer_steps_lift_alike() {
    let after = |steps: u32| {
        let mut run = lifting(1.2 * OPTIMAL, 4.0, 9.81, false);
        run.pull(1.0, 0.1, steps);
        run.length()
    };
    let lengths = [50, 100, 800].map(after);
    println!("lifted to {lengths:.5?} m in steps of 2, 1, 1/8 ms");
    assert!(
        (lengths[0] - lengths[2]).abs() < 1.5e-3 && (lengths[1] - lengths[2]).abs() < 0.8e-3,
        "{lengths:?}"
    );
}

#[test]
fn the_controller_finds_how_much_to_pull() {
    let goal = -0.09;
    let mut run = lifting(OPTIMAL, 2.0, 9.81, false);
    let aim = Aim::Place { body: 0, local: Vec3::zeros(), goal: Vec3::y() * goal };
    let goals = [Goal { aim, weight: 1.0, time: 0.05 }];
    let inputs = Inputs { seconds: 0.02, substeps: 20, goals: &goals, ..Inputs::default() };
    for _ in 0..100 {
        step(&run.model, &mut run.state, &mut run.scratch, &inputs, &Control::default()).unwrap();
    }
    let expected = 2.0 * 9.81 / closed_form(0.09, 1.0);
    let found = run.state.activations[0];
    println!("held at {:.5} m with an activation of {found:.4}, {expected:.4} by the curve", run.length());
    assert!((run.length() + goal).abs() < 2e-3 && (found - expected).abs() < 0.02, "{found} {expected}");
}

#[test]
fn a_cut_muscle_does_not_pull_and_is_not_lengthened() {
    let mut run = lifting(1.2 * OPTIMAL, 1.0, 9.81, false);
    assert!(run.state.lengthen(&run.model, 0, 0, 0.1).unwrap_err().message().contains("is a muscle"));
    run.state.cut(&run.model, 0, 0).unwrap();
    run.pull(1.0, 0.1, 100);
    let fallen = run.length() - 1.2 * OPTIMAL;
    assert!((fallen - 0.5 * 9.81 * 0.01 * 1.01).abs() < 1e-6 && run.tension() == 0.0, "{fallen}");
}

#[test]
fn a_muscle_that_cannot_be_is_refused_by_name() {
    let parts = || lifting(OPTIMAL, 1.0, 9.81, false).model.parts().clone();
    let refused = |change: &dyn Fn(&mut Parts, Hill), words: &str| {
        let mut parts = parts();
        change(&mut parts, hill());
        let error = Model::new(parts).err().expect(words);
        assert!(error.message().contains(words), "{}", error.message());
    };
    let set = |parts: &mut Parts, hill: Hill| parts.muscles[0].pull = Pull::Segment(hill);
    refused(&|p, h| set(p, Hill { strand: 3, ..h }), "muscle \"belly\" names strand 3, but there are only 1");
    refused(
        &|p, h| set(p, Hill { segment: 1, ..h }),
        "muscle \"belly\" names segment 1, but there are only 1",
    );
    refused(
        &|p, h| set(p, Hill { optimal: 0.0, ..h }),
        "muscle \"belly\" has a negative strength, or a length or speed",
    );
    refused(&|p, h| set(p, Hill { speed: Real::NAN, ..h }), "muscle \"belly\" has a number");
    refused(&|p, _| p.strands[0].nodes[0].mode = Mode::Free, "through which material slides");
    refused(&|p, _| p.muscles.push(p.muscles[0].clone()), "is on a segment that is already a muscle");
}

proptest! {
    #[test]
    fn slopes_are_those_of_the_curves(length in 0.03..0.2f64, speed in -2.0..1.5f64) {
        let hill = hill();
        let d = 1e-7;
        // Off the corners of the curves.
        prop_assume!([0.06, 0.1, 0.16].iter().all(|corner| (length - corner).abs() > 1e-5));
        prop_assume!([0.0, FASTEST].iter().all(|corner| (speed - corner).abs() > 1e-5));
        let slope = |curve: &dyn Fn(Real) -> Real, at: Real| (curve(at + d) - curve(at - d)) / (2.0 * d);
        prop_assert!((slope(&|l| hill.active(l), length) - hill.active_slope(length)).abs() < 1e-5);
        prop_assert!((slope(&|l| hill.passive(l), length) - hill.passive_slope(length)).abs() < 1e-5);
        prop_assert!((slope(&|l| hill.passive_energy(l), length) - hill.passive(length)).abs() < 1e-6);
        let falls = -slope(&|v| hill.at_speed(v), speed);
        if speed > 0.0 {
            prop_assert!((falls - hill.resistance(speed)).abs() < 1e-5, "{falls}");
        } else {
            // The chord to standing still, which is steeper than the curve.
            let chord = (hill.at_speed(speed) - 1.0) / -speed;
            prop_assert!((chord - hill.resistance(speed)).abs() < 1e-6 && chord >= falls - 1e-6);
        }
        prop_assert!((0.0..1.5).contains(&hill.at_speed(speed)));
        // Both sides of standing still meet with the same slope.
        prop_assert!((hill.resistance(1e-9) / hill.resistance(-1e-9) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_passive_pull_is_the_slope_of_the_energy(length in 0.101..0.18f64) {
        let run = lifting(length, 1.0, 0.0, false);
        let stored = |by: Real| {
            let mut state = run.state.clone();
            state.places[1].y -= by;
            energy(&run.model, &state).elastic
        };
        let slope = (stored(1e-6) - stored(-1e-6)) / 2e-6;
        prop_assert!((slope - run.tension()).abs() < 1e-5 * STRENGTH, "{slope} {}", run.tension());
    }
}

#[test]
fn the_documented_curve_is_that_of_the_muscle() {
    let text = include_str!("../../examples/strand/README.md");
    let (_, table) = text.split_once("| length / optimal |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut count = 0;
    for row in rows {
        let numbers: Vec<Real> =
            row.trim_matches('|').split('|').map(|n| n.trim().parse().unwrap()).collect();
        let (length, shortening) = (numbers[0] * OPTIMAL, numbers[1] * FASTEST);
        let passive = hill().passive(length);
        let full = hill().active(length) * hill().at_speed(shortening) + passive;
        assert!(
            (full - numbers[2]).abs() < 1e-6 && (passive - numbers[3]).abs() < 1e-6,
            "{row}: {full} {passive}"
        );
        count += 1;
    }
    assert!(count >= 5, "{count}");
}
