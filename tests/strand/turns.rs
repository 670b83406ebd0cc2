//! Turns of joints beyond 180 degrees: counted where a joint has one, refused where it has several.

use crate::strand_play::{Play, build, refused, scene};
use sinew::error::Kind;
use sinew::formats::strand_state;
use sinew::math::Real;
use sinew::strand::energy::energy;
use sinew::strand::model::Model;
use sinew::strand::state::State;
use std::f64::consts::TAU;

/// How a hinge stands: where, how it is turned, and whether the rod is its child.
type Stand = (&'static str, &'static str, bool);

const STANDS: [Stand; 4] = [
    ("0 0 0", "0 0 0", true),
    ("0 0 0", "0 0 0", false),
    ("10 -3 5", "30 -50 80", true),
    ("-2 7 1", "170 40 -20", false),
];

/// A rod of 20 g on a hinge at its middle, `off` beside it in m, on a post; `axis` is what the hinge may do.
fn hinged(stand: Stand, off: Real, axis: &str, rod: &str) -> Play {
    let (at, turn, child) = stand;
    let ends = if child { ["post", "rod"] } else { ["rod", "post"] };
    let text = scene(&format!(
        "<settings gravity=\"0 0 0\" step=\"0.001\"/>
<body name=\"post\" mode=\"led\" at=\"{at}\" turn=\"{turn}\"/>
<body name=\"rod\" at=\"{at}\" turn=\"{turn}\" {rod}><inertia mass=\"0.02\" moments=\"1e-6 2e-5 2e-5\" centre=\"{off} \
0 0\"/></body>
<joint name=\"hinge\" parent=\"{}\" child=\"{}\" at=\"{at}\" turn=\"{turn}\"><axis name=\"turn_z\" {axis}/></joint>",
        ends[0], ends[1]
    ));
    Play::new(build(&text), 25.0)
}

/// Where the hinge is after so many frames, in degrees; the report must name no joint that wrapped around.
fn after(play: &mut Play, frames: usize) -> Real {
    for _ in 0..frames {
        let report = play.frame();
        assert!(report.wrapped.is_empty() && report.unsolved == 0, "{report:?}");
    }
    play.motion("hinge", 2)
}

#[test]
fn a_hinge_comes_to_rest_where_its_spring_does_however_many_turns_away() {
    for stand in STANDS {
        for rest in [170.0, 270.0, -270.0, 360.0, -1000.0] {
            let mut play =
                hinged(stand, 0.05, &format!("stiffness=\"0.05\" damping=\"0.002\" rest=\"{rest}\""), "");
            let found = after(&mut play, 50);
            assert!((found - rest).abs() < 1e-6, "{stand:?}: {found} instead of {rest}");
        }
    }
}

#[test]
fn a_hinge_stops_at_limits_beyond_180_degrees() {
    for stand in STANDS {
        for (rest, stop) in [(400.0, 250.0), (-300.0, -250.0), (-200.0, -200.0)] {
            let axis = format!("may=\"-250 250\" stiffness=\"0.05\" damping=\"0.002\" rest=\"{rest}\"");
            let mut play = hinged(stand, 0.05, &axis, "");
            let found = after(&mut play, 50);
            assert!((found - stop).abs() < 1e-4, "{stand:?}: {found} instead of {stop}");
        }
    }
}

#[test]
fn a_spring_that_is_wound_up_over_several_turns_gives_back_what_it_got() {
    for stand in STANDS {
        let mut play = hinged(stand, 0.0, "stiffness=\"1.5e-4\"", "");
        let about = play.state.bodies[1].place.rotation * sinew::math::Vec3::z();
        let moving = &mut play.state.bodies[1];
        (moving.angular, moving.spin) = (about * 50.0, about * (50.0 * 2e-5));
        let sum = |play: &Play| energy(&play.built.model, &play.state).total();
        let (start, mut farthest, mut least) = (sum(&play), 0.0_f64, Real::INFINITY);
        // A spring in implicit steps loses a little; it never gains.
        let mut before = start;
        for _ in 0..120 {
            farthest = farthest.max(after(&mut play, 1).abs());
            let now = sum(&play);
            assert!(now < before * (1.0 + 1e-9), "{now} after {before}");
            (before, least) = (now, least.min(now));
        }
        println!("wound up by {farthest:.0} degrees; of {start:.4} J {least:.4} are left");
        assert!(farthest > 900.0 && least > 0.95 * start, "{farthest} {least}");
    }
}

#[test]
fn turns_are_counted_also_where_a_step_takes_more_than_half_of_one() {
    for stand in STANDS {
        let mut play = hinged(stand, 0.0, "", "");
        let about = play.state.bodies[1].place.rotation * sinew::math::Vec3::z();
        let moving = &mut play.state.bodies[1];
        (moving.angular, moving.spin) = (about * 4000.0, about * (4000.0 * 2e-5));
        let (found, way) = (after(&mut play, 5), 4000.0_f64.to_degrees() * 0.2);
        let sign = if stand.2 { 1.0 } else { -1.0 };
        assert!((found - sign * way).abs() < 1e-3, "{found} instead of {way}");
    }
}

#[test]
fn hinges_start_beyond_180_degrees() {
    let axis = |start: Real| {
        format!("start=\"{start}\" may=\"-400 400\" stiffness=\"0.05\" damping=\"0.002\" rest=\"300\"")
    };
    for start in [-350.0, 190.0, 390.0] {
        let mut play = hinged(STANDS[2], 0.05, &axis(start), "");
        assert!((play.motion("hinge", 2) - start).abs() < 1e-9, "{}", play.motion("hinge", 2));
        assert!((after(&mut play, 50) - 300.0).abs() < 1e-6, "{}", play.motion("hinge", 2));
        // A model that begins there goes on from there.
        let again = Model::new(play.built.model.parts_at(&play.state)).unwrap();
        assert!((State::new(&again).motions(&again, 0)[2].to_degrees() - 300.0).abs() < 1e-6);
    }
}

#[test]
fn a_resumed_run_knows_its_turns_to_the_bit() {
    let mut play = hinged(STANDS[3], 0.05, "may=\"-900 900\" stiffness=\"0.002\" rest=\"-800\"", "");
    let model = build_again(&play);
    let mut resumed = false;
    for _ in 0..30 {
        after(&mut play, 1);
        let turned = play.motion("hinge", 2);
        let bytes = strand_state::encode(&model, &play.state);
        assert!(strand_state::decode(&model, &bytes).unwrap() == play.state);
        if turned < -200.0 && !resumed {
            resumed = true;
            let mut other = hinged(STANDS[3], 0.05, "may=\"-900 900\" stiffness=\"0.002\" rest=\"-800\"", "");
            other.state = strand_state::decode(&model, &bytes).unwrap();
            after(&mut other, 5);
            let mut same = hinged(STANDS[3], 0.05, "may=\"-900 900\" stiffness=\"0.002\" rest=\"-800\"", "");
            same.state = play.state.clone();
            after(&mut same, 5);
            assert!(other.state == same.state);
        }
    }
    assert!(resumed);
}

fn build_again(play: &Play) -> Model {
    Model::new(play.built.model.parts().clone()).unwrap()
}

#[test]
fn a_state_of_another_turn_is_of_another_scene() {
    let play = hinged(STANDS[0], 0.05, "start=\"100\"", "");
    let model = build_again(&play);
    let bytes = strand_state::encode(&model, &play.state);
    assert_eq!(strand_state::changed(&model, &bytes).unwrap(), None);
    let mut parts = model.parts().clone();
    parts.turned[0] += TAU;
    let further = Model::new(parts).unwrap();
    assert_eq!(strand_state::changed(&further, &bytes).unwrap().unwrap(), "joint \"hinge\"");
}

#[test]
fn several_turns_are_refused_beyond_180_degrees() {
    let text = |axis: &str, more: &str| {
        scene(&format!(
            "<body name=\"b\"><cuboid size=\"0.1 0.1 0.1\"/></body>
<joint name=\"j\" child=\"b\" at=\"0 0 0\">
<axis name=\"turn_z\" {axis}
</axis><axis name=\"turn_x\"/></joint>{more}"
        ))
    };
    for (axis, line, element, words) in [
        ("may=\"-20 250\">", 3, "joint", "\"j\" limits its turn about z from -20 to 250 degrees"),
        ("stiffness=\"1\" rest=\"270\">", 3, "joint", "\"j\" has a spring at rest at 270 degrees"),
        ("start=\"270\">", 4, "joint/axis", "\"j\" would start turned by 180 degrees or more"),
        (
            ">\n<ligaments from=\"0\" to=\"200\" moment=\"1\" width=\"5\"/>",
            5,
            "joint/axis/ligaments",
            "beyond 180 degrees",
        ),
    ] {
        let kind = if axis.starts_with("start") { Kind::InvalidArgument } else { Kind::OutOfRange };
        refused(&text(axis, ""), kind, line, element, words);
        build(&text(axis, "").replace("<axis name=\"turn_x\"/>", "<axis name=\"turn_x\" may=\"held\"/>"));
    }
}
