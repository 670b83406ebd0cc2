//! Ropes with mass over pegs and pulleys, by closed forms; what they say when their inertia is left out, and when they end.

#[path = "support/strand_play.rs"]
mod strand_play;

use sinew::math::Real;
use sinew::scene::strand_frame::{too_still, used_up};
use sinew::strand::energy::{energy, left_out, tensions};
use sinew::strand::run_off::UsedUp;
use std::f64::consts::PI;
use strand_play::{Play, build, scene};

/// A rope over a peg, its longer leg further down by twice `ahead`, in another place and turned about gravity.
fn on_a_peg(length: Real, ahead: Real, axial: &str) -> Play {
    let legs = [0.5 * length - ahead, 0.5 * length + ahead];
    let at = |x: Real, y: Real| format!("{} {} {}", 3.0 + 0.6 * x, 1.0 + y, -2.0 + 0.8 * x);
    let text = scene(&format!(
        r#"<settings axial="{axial}"/>
<point name="short" at="{}"/><point name="peg" at="{}" on="world"/><point name="long" at="{}"/>
<strand name="rope" density="0.5" stiffness="1e4"><node point="short"/><node point="peg"/><node point="long"/></strand>"#,
        at(-1e-3, -legs[0]),
        at(0.0, 0.0),
        at(1e-3, -legs[1])
    ));
    Play::new(build(&text), 24.0)
}

/// How far the long leg has come down after a time, in parts of the law ahead cosh(sqrt(2 g / L) t), and what is left out.
fn beside_the_law(length: Real, ahead: Real, frames: u32, axial: &str) -> (Real, [Real; 2]) {
    let mut play = on_a_peg(length, ahead, axial);
    let mut left = [0.0; 2];
    for _ in 0..frames {
        play.frame();
        let now = left_out(&play.built.model, &play.state);
        left = [left[0] + now[0], left[1] + now[1]];
    }
    let came = play.state.places[2].y - 1.0 + 0.5 * length + ahead;
    let law = ahead * ((2.0 * 9.81 / length).sqrt() * Real::from(frames) / 24.0).cosh() - ahead;
    (-came / law, left)
}

#[test]
fn a_rope_slides_off_its_peg_by_the_cosh_law() {
    for (length, ahead, frames) in [(2.0, 0.1, 16), (1.0, 0.05, 9), (0.3, 0.01, 5), (10.0, 3.0, 12)] {
        let (part, left) = beside_the_law(length, ahead, frames, "dynamic");
        let (still, told) = beside_the_law(length, ahead, frames, "still");
        println!(
            "{length} m: {:.2} % off the law; still {:.1} %",
            100.0 * (part - 1.0),
            100.0 * (still - 1.0)
        );
        assert!((part - 1.0).abs() < 0.02 && too_still(left).is_none(), "{part}");
        assert!((still - 1.0).abs() > 0.1, "{still}");
        assert!(too_still(told).is_some_and(|text| text.contains("leaves out")), "{told:?}");
    }
}

/// Atwood's machine with a rope that is a part of all mass: M x'' = (m1 - m2 + 2 rho x) g, from rest at x = 0.
fn atwood(part: Real, axial: &str) -> (Real, [Real; 2]) {
    let masses = [0.3, 0.2];
    let rope = part / (1.0 - part) * (masses[0] + masses[1]);
    let (density, radius) = (rope / 2.0, 1e-3);
    let body = |name: &str, mass: Real, x: Real| {
        format!(
            r#"<body name="{name}" at="{x} -1 0"><inertia mass="{mass}" moments="5e-5 5e-5 5e-5"/></body>
<point name="{name}" at="{x} -1 0" on="{name}"/>"#
        )
    };
    let text = scene(&format!(
        r#"<settings axial="{axial}"/>
{}{}<point name="pulley" at="0 0 0" on="world"/>
<strand name="rope" radius="{radius}" density="{}" stiffness="1e5"><node point="heavy"/><node point="pulley"/><node point="light"/></strand>"#,
        body("heavy", masses[0], -0.005),
        body("light", masses[1], 0.005),
        density / (PI * radius * radius),
    ));
    let mut play = Play::new(build(&text), 24.0);
    let (mut left, frames) = ([0.0; 2], 10);
    for _ in 0..frames {
        play.frame();
        let now = left_out(&play.built.model, &play.state);
        left = [left[0] + now[0], left[1] + now[1]];
    }
    let (whole, time) = (masses[0] + masses[1] + rope, Real::from(frames) / 24.0);
    let rate = (2.0 * density * 9.81 / whole).sqrt();
    let law = (masses[0] - masses[1]) / (2.0 * density) * ((rate * time).cosh() - 1.0);
    ((-1.0 - play.state.bodies[0].place.origin.y) / law, left)
}

#[test]
fn weights_fall_with_the_mass_of_their_rope() {
    for part in [0.01, 0.04, 0.17, 0.5] {
        let (dynamic, _) = atwood(part, "dynamic");
        let (still, left) = atwood(part, "still");
        let told = too_still(left).is_some();
        println!(
            "rope of {} %: {:.2} % off; still {:.2} %, told {told}",
            100.0 * part,
            100.0 * (dynamic - 1.0),
            100.0 * (still - 1.0)
        );
        assert!((dynamic - 1.0).abs() < 0.02, "{dynamic}");
        assert!(told || (still - 1.0).abs() < 0.02, "{still} without a word");
        assert!(!told || part > 0.01);
    }
}

/// Plays and collects what is used up.
fn ends(play: &mut Play, frames: u32) -> Vec<UsedUp> {
    (0..frames).flat_map(|_| play.frame().used_up).collect()
}

#[test]
fn a_bare_end_runs_off_its_pulley_and_a_weight_falls_free() {
    let text = |end: &str| {
        scene(&format!(
            r#"<body name="w" at="0.49 -0.5 2"><inertia mass="0.3" moments="5e-5 5e-5 5e-5"/></body>
<point name="w" at="0.49 -0.5 2" on="w"/><point name="pulley" at="0.5 0 2" on="world"/><point name="end" at="0.51 -0.3 2"/>
<strand name="rope" density="0.1" stiffness="1e4">{end}</strand>"#
        ))
    };
    let nodes = ["w", "pulley", "end"].map(|point| format!("<node point=\"{point}\"/>"));
    let forwards = nodes.concat();
    let backwards = nodes.iter().rev().cloned().collect::<String>();
    for (order, node) in [(forwards, 1), (backwards, 0)] {
        let mut play = Play::new(build(&text(&order)), 24.0);
        let used = ends(&mut play, 24);
        assert_eq!(used.len(), 1, "{used:?}");
        let UsedUp { time, ran_off, .. } = used[0];
        assert!(ran_off && used[0].node == node && (0.1..0.5).contains(&time), "{used:?}");
        let message = used_up(&play.built.model, &used[0]);
        assert!(message.contains("strand rope") && message.contains("ran off"), "{message}");
        // From then on it falls freely.
        let before = play.state.bodies[0].linear.y;
        (0..24).for_each(|_| assert!(play.frame().unsolved == 0));
        assert!((play.state.bodies[0].linear.y - before + 9.81).abs() < 1e-6);
    }
}

#[test]
fn a_weight_at_its_pulley_is_held_as_by_a_knot_and_told() {
    let text = include_str!("../examples/strand/pulley.xml");
    let mut play = Play::new(build(text), 24.0);
    let used = ends(&mut play, 72);
    let first = used.first().expect("no end is told");
    let message = used_up(&play.built.model, first);
    println!("{message}");
    assert!(!first.ran_off && message.contains("strand cord has no material left between its nodes 1 and 2"));
    assert!((0.6..0.8).contains(&first.time));
    // It hangs at the pulley, and the cord bears the heavier one.
    let bodies = &play.state.bodies;
    assert!(bodies[1].place.origin.y.abs() < 0.02 && (bodies[0].place.origin.y + 1.0).abs() < 0.02);
    let cord = &tensions(&play.built.model, &play.state)[0];
    assert!((cord[0] - 0.3 * 9.81).abs() < 0.1, "{cord:?}");
}

/// A rope of 10 m and 2 kg that hangs in a bow, of which one end is let go: its largest tension, and the energies, in each
/// frame.
fn let_go(count: usize) -> (Vec<Real>, Vec<Real>) {
    let (length, sag) = (10.0, 2.5);
    let point = |k: usize| {
        let along = length * (k as Real / count as Real - 0.5);
        let x = sag * (along / sag).asinh();
        let held = if k == 0 { " on=\"world\"" } else { "" };
        format!("<point name=\"p{k}\" at=\"{x} {} 0\"{held}/>\n", sag * (x / sag).cosh())
    };
    let points: String = (0..=count).map(point).collect();
    let nodes: String = (0..=count).map(|k| format!("<node point=\"p{k}\"/>")).collect();
    let text = scene(&format!(
        "{points}<strand name=\"rope\" radius=\"0.008\" density=\"1000\" stiffness=\"1e5\">{nodes}</strand>"
    ));
    let mut play = Play::new(build(&text), 24.0);
    let frame = |_| {
        play.frame();
        let (model, state) = (&play.built.model, &play.state);
        let most = tensions(model, state)[0].iter().copied().fold(0.0, Real::max);
        (most, energy(model, state).total())
    };
    (0..24).map(frame).unzip()
}

#[test]
fn a_rope_that_is_let_go_does_not_jerk_however_finely_it_is_cut() {
    let [coarse, fine] = [100, 2000].map(let_go);
    println!("tensions {:.1?} and {:.1?} N", coarse.0, fine.0);
    for (tensions, energies) in [&coarse, &fine] {
        // Its whole weight is 20 N; the end that swings makes more of it.
        assert!(tensions.iter().all(|tension| *tension < 35.0), "{tensions:?}");
        assert!(energies.windows(2).all(|two| two[1] < two[0] + 1e-6), "{energies:?}");
    }
    // The first frames have its waves of stretch.
    let off = coarse.0.iter().zip(&fine.0).skip(6).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, Real::max);
    assert!(off < 0.05, "{off}");
}

#[test]
fn a_strand_that_slackens_does_not_push() {
    // A kilogram at the end of a cord that is just taut goes slowly towards where the cord is held: nothing slows it down.
    let text = scene(
        r#"<settings gravity="0 0 0"/>
<body name="w" at="3.6 1.8 -2" velocity="-6e-4 -8e-4 0"><inertia mass="1" moments="1e-4 1e-4 1e-4"/></body>
<point name="w" at="3.6 1.8 -2" on="w"/><point name="held" at="3 1 -2" on="world"/>
<strand name="cord" density="1e-6" stiffness="1e4"><node point="held"/><node point="w"/></strand>"#,
    );
    let mut play = Play::new(build(&text), 24.0);
    (0..24).for_each(|_| drop(play.frame()));
    let body = &play.state.bodies[0];
    println!("{} at {}", body.linear, body.place.origin);
    let (x, y) = (3.6 - body.place.origin.x, 1.8 - body.place.origin.y);
    assert!((x - 6e-4).abs() < 6e-6 && (y - 8e-4).abs() < 8e-6, "{x} {y}");
}
