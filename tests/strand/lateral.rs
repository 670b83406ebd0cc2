//! Surrounding tissue damps a strand's lateral motion relative to the body to which it is bound.

use sinew::control::Control;
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::model::Model;
use sinew::strand::parts::{
    Body, Carrier, Fibre, Lie, Mode, Node, Parts, Plane, Point, Rule, Settings, Strand,
};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};

/// The damping in 1/s, the body's speed in m/s.
const RATE: Real = 50.0;
const SPEED: Real = 0.05;

/// A slack strand between two places of a body, whose middle may move in a plane of the body, or anywhere.
fn slack(mode: Mode, bound: bool) -> (Model, State) {
    let place = Placement::default();
    let point = |x: Real, carrier| Point { name: format!("{x}"), place: Vec3::x() * x, carrier };
    let node = |point, material| Node { point, material, mode: Mode::Removed };
    // The plane's normal is along the strand.
    let across =
        Placement::new(Rotation::from_scaled_axis(Vec3::y() * std::f64::consts::FRAC_PI_2), Vec3::zeros());
    let mut parts = Parts {
        settings: Settings { gravity: Vec3::zeros(), ..Settings::default() },
        bodies: vec![Body {
            name: "carriage".into(),
            place,
            mass: 10.0,
            moments: Vec3::repeat(1.0),
            mode,
            solid: None,
        }],
        points: vec![
            point(-0.1, Carrier::Body(0)),
            point(0.0, Carrier::Nothing),
            point(0.1, Carrier::Body(0)),
        ],
        strands: vec![Strand {
            name: "slack".into(),
            nodes: vec![node(0, 0.0), node(1, 0.12), node(2, 0.24)],
            fibre: Fibre { stiffness: 1e3, line_density: 1e-3, axial_damping: 0.0, lateral_damping: RATE },
            radius: 1e-3,
        }],
        ..Parts::default()
    };
    if bound {
        parts.planes.push(Plane { name: "across".into(), lie: Lie::Fixed(0, across), bone: None });
        parts.rules.push(Rule::Plane { point: 1, plane: 0, or_above: false });
    }
    let model = Model::new(parts).unwrap();
    let state = State::new(&model);
    (model, state)
}

/// How far the middle lags behind the body after a second; the body moves across the strand.
fn lag(mode: Mode, bound: bool, moving: bool) -> Real {
    let (model, mut state) = slack(mode, bound);
    let mut scratch = Scratch::new(&model).unwrap();
    state.bodies[0].linear = Vec3::z() * SPEED;
    let speeds = [SPEED, if moving { SPEED } else { 0.0 }, SPEED];
    state.speeds.iter_mut().zip(speeds).for_each(|(speed, z)| *speed = Vec3::z() * z);
    for frame in 1..=20 {
        let led = [Placement::new(Rotation::identity(), Vec3::z() * (SPEED * 0.05 * frame as Real))];
        let led = if mode == Mode::Free { &led[..0] } else { &led[..] };
        let inputs = Inputs { seconds: 0.05, substeps: 25, led, ..Inputs::default() };
        step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    }
    state.bodies[0].place.origin.z - state.places[1].z
}

#[test]
fn a_slack_strand_goes_along_with_the_body_to_which_it_is_bound() {
    for mode in [Mode::Removed, Mode::Free] {
        let (moving, resting) = (lag(mode, true, true), lag(mode, true, false));
        // From rest its speed comes near the body's like e^(-rate t), in steps of any length.
        println!("{mode:?}: lags by {moving:.1e} m, from rest by {resting:.6} of {:.6} m", SPEED / RATE);
        assert!(moving.abs() < 1e-9, "{moving}");
        assert!((resting / (SPEED / RATE) - 1.0).abs() < 1e-3, "{resting}");
    }
    // A strand that is bound to no body is damped relative to the world: it lags behind until it is taut.
    let unbound = lag(Mode::Removed, false, true);
    let taut = (0.12 * 0.12 - 0.1 * 0.1 as Real).sqrt();
    println!("bound to nothing it lags by {unbound:.6} m");
    assert!(unbound > 0.04 && unbound < 1.01 * taut, "{unbound} {taut}");
}

/// A body that is led around an axis at a distance of a metre takes the strand along as it turns.
#[test]
fn a_slack_strand_goes_around_with_the_body_to_which_it_is_bound() {
    let (model, mut state) = slack(Mode::Removed, true);
    let mut scratch = Scratch::new(&model).unwrap();
    state.bodies[0].linear = -Vec3::y() * SPEED;
    state.speeds.iter_mut().for_each(|speed| *speed = -Vec3::y() * SPEED);
    let mut place = Placement::default();
    for frame in 1..=40 {
        let turn = Rotation::from_scaled_axis(Vec3::x() * (SPEED * 0.05 * frame as Real));
        place = Placement::new(turn, turn * Vec3::z() - Vec3::z());
        let inputs = Inputs { seconds: 0.05, substeps: 25, led: &[place], ..Inputs::default() };
        step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    }
    // It drifts outwards at v^2 / r / rate.
    let off = (place.origin - state.places[1]).norm();
    assert!(off < 3.0 * SPEED * SPEED / RATE, "{off}");
}
