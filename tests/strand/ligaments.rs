//! Ligaments of joints: where they let a limb come to rest, what they store, at which steps they are stable, mistakes.

use crate::strand_play::{build, refused, scene};
use sinew::control::Control;
use sinew::error::Kind;
use sinew::math::Real;
use sinew::nodes::strand_report::motions;
use sinew::strand::energy::energy;
use sinew::strand::parts::Ligaments;
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};

/// A rod of 20 g, 0.1 m long, whose hinge is at its end; it starts straight.
fn rod(axis: &str, gravity: &str) -> String {
    scene(&format!(
        "<settings gravity=\"{gravity}\"/>
<body name=\"rod\"><inertia mass=\"0.02\" moments=\"1e-6 2e-5 2e-5\" centre=\"0.05 0 0\"/></body>
<joint name=\"hinge\" child=\"rod\" at=\"0 0 0\">
{axis}
</joint>"
    ))
}

const LIGAMENTS: &str = "<ligaments from=\"10\" to=\"60\" moment=\"0.02\" width=\"8\"/>";

/// The angle in degrees, how fast it turns in rad/s, and the energy in J after so many seconds.
fn after(text: &str, seconds: Real, h: Real) -> [Real; 3] {
    let model = build(text).model;
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    let inputs = Inputs { seconds, substeps: (seconds / h).round() as u32, ..Inputs::default() };
    let report = step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    assert!(report.unsolved == 0 && report.error < 1e-6, "{report:?}");
    let angle = motions(&model, 0, &state)[2];
    [angle, state.bodies[0].angular.norm(), energy(&model, &state).total()]
}

#[test]
fn a_limb_rests_where_ligaments_and_weight_are_in_balance_in_steps_of_any_length() {
    let ligaments =
        Ligaments { range: [10f64, 60.0].map(Real::to_radians), moment: 0.02, width: 8f64.to_radians() };
    let damped = format!("<axis name=\"turn_z\" damping=\"1e-3\">{LIGAMENTS}</axis>");
    for (gravity, down) in [("0 0 0", 0.0), ("0 -9.81 0", -9.81), ("0 9.81 0", 9.81), ("0 -98.1 0", -98.1)] {
        for h in [0.25e-3, 1e-3, 2e-3, 10e-3] {
            let [angle, speed, _] = after(&rod(&damped, gravity), 5.0, h);
            let x = angle.to_radians();
            let weight = 0.02 * 0.05 * down * x.cos();
            println!("gravity {down} m/s^2, steps of {h} s: rests at {angle:.3} degrees");
            assert!(speed < 1e-6 && (ligaments.force(x) + weight).abs() < 1e-8, "{angle} {speed}");
            assert!(down != 0.0 || (angle - 35.0).abs() < 1e-3, "{angle}");
        }
    }
}

#[test]
fn what_they_store_comes_back() {
    let swinging = rod(&format!("<axis name=\"turn_z\">{LIGAMENTS}</axis>"), "0 -9.81 0");
    let model = build(&swinging).model;
    let start = energy(&model, &State::new(&model)).total();
    let lost = [0.4e-3, 0.2e-3, 0.1e-3].map(|h| (start - after(&swinging, 0.3, h)[2]) / start);
    println!("of {start:.2e} J the part {lost:.4?} is lost in 0.3 s");
    // Implicit steps add damping in proportion to their length.
    assert!(lost[0] > 0.0 && lost[2] > 0.0 && lost[2] < 0.1, "{lost:?}");
    assert!((0.35..0.65).contains(&(lost[2] / lost[1])), "{lost:?}");
}

#[test]
fn a_wheel_that_runs_far_beyond_its_ligaments_comes_back_in_one_piece() {
    // A motion along an axis, which nothing stops: it starts 1000 widths away.
    let text = scene(
        "<settings gravity=\"0 0 0\"/>
<body name=\"rod\"><inertia mass=\"0.02\" moments=\"1e-5 1e-5 1e-5\"/></body>
<joint name=\"slide\" child=\"rod\" at=\"0 0 0\">
<axis name=\"move_x\" start=\"1\" damping=\"1\"><ligaments from=\"-0.01\" to=\"0.01\" moment=\"1\" \
width=\"0.001\"/></axis>
</joint>",
    );
    let model = build(&text).model;
    let (mut state, mut scratch) = (State::new(&model), Scratch::new(&model).unwrap());
    let inputs = Inputs { seconds: 20.0, substeps: 20000, ..Inputs::default() };
    step(&model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    assert!(state.bodies[0].place.origin.norm() < 1e-2, "{}", state.bodies[0].place.origin);
}

#[test]
fn mistakes_are_named_by_line() {
    for (from, to, words) in [
        ("from=\"10\"", "from=\"70\"", "runs backwards"),
        ("moment=\"0.02\"", "moment=\"0\"", "moment is not positive"),
        ("width=\"8\"", "width=\"-8\"", "width is not positive"),
    ] {
        let wrong = LIGAMENTS.replace(from, to);
        let text = rod(&format!("<axis name=\"turn_z\">\n{wrong}\n</axis>"), "0 0 0");
        refused(&text, Kind::OutOfRange, 6, "joint/axis/ligaments", words);
    }
}
