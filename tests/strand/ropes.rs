//! Ropes with mass over pegs and pulleys, by closed forms; what they say when their inertia is left out, and when they
//! end.

use crate::strand_play::{Play, build, refused, scene};
use sinew::error::Kind;
use sinew::math::Real;
use sinew::nodes::strand_report::{Stillness, used_up};
use sinew::strand::energy::{energy, left_out, tensions};
use sinew::strand::measures::{lengths, runs};
use sinew::strand::step::UsedUp;
use std::f64::consts::PI;

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

/// Plays, and adds up what is left out.
fn stillness(play: &mut Play, frames: u32) -> Stillness {
    let mut left = Stillness::default();
    for _ in 0..frames {
        play.frame();
        left.add(left_out(&play.built.model, &play.state));
    }
    left
}

/// The percentage by which things are too fast, as stated in the warning; 0 without a warning.
fn reported_faster(left: &Stillness) -> Real {
    let reported = left.too_still().unwrap_or_default();
    let number = reported.split_once("up to ").and_then(|(_, rest)| rest.split_once(" %"));
    number.map_or(0.0, |(number, _)| number.parse().unwrap())
}

/// How far the long leg has come down after some frames, divided by the law, `ahead` (cosh(sqrt(2 g / L) t) - 1); and
/// what is left out.
fn beside_the_law(length: Real, ahead: Real, frames: u32, axial: &str) -> (Real, Stillness) {
    let mut play = on_a_peg(length, ahead, axial);
    let left = stillness(&mut play, frames);
    let came = play.state.places[2].y - 1.0 + 0.5 * length + ahead;
    let law = ahead * ((2.0 * 9.81 / length).sqrt() * Real::from(frames) / 24.0).cosh() - ahead;
    (-came / law, left)
}

#[test]
fn a_rope_slides_off_its_peg_by_the_cosh_law() {
    for (length, ahead, frames) in [(2.0, 0.1, 16), (1.0, 0.05, 9), (0.3, 0.01, 5), (10.0, 3.0, 12)] {
        let (part, left) = beside_the_law(length, ahead, frames, "dynamic");
        let (still, reported) = beside_the_law(length, ahead, frames, "still");
        println!(
            "{length} m: {:.2} % off the law; still {:.1} %",
            100.0 * (part - 1.0),
            100.0 * (still - 1.0)
        );
        assert!((part - 1.0).abs() < 0.02 && left.too_still().is_none(), "{part}");
        assert!((still - 1.0).abs() > 0.1, "{still}");
        assert!(reported.too_still().is_some_and(|text| text.contains("leaves out")), "{reported:?}");
    }
}

/// Atwood's machine with a rope that is a part of all mass: M x'' = (m1 - m2 + 2 rho x) g, from rest at x = 0.
fn atwood(part: Real, frames: u32, axial: &str) -> (Real, Stillness) {
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
    let left = stillness(&mut play, frames);
    let (whole, time) = (masses[0] + masses[1] + rope, Real::from(frames) / 24.0);
    let rate = (2.0 * density * 9.81 / whole).sqrt();
    let law = (masses[0] - masses[1]) / (2.0 * density) * ((rate * time).cosh() - 1.0);
    ((-1.0 - play.state.bodies[0].place.origin.y) / law, left)
}

#[test]
fn weights_fall_with_the_mass_of_their_rope() {
    for part in [0.01, 0.04, 0.17, 0.5] {
        let (dynamic, _) = atwood(part, 10, "dynamic");
        let (still, left) = atwood(part, 10, "still");
        let reported = left.too_still().is_some();
        println!(
            "rope of {} %: {:.2} % off; still {:.2} %, reported {reported}",
            100.0 * part,
            100.0 * (dynamic - 1.0),
            100.0 * (still - 1.0)
        );
        assert!((dynamic - 1.0).abs() < 0.02, "{dynamic}");
        assert!(reported || (still - 1.0).abs() < 0.02, "{still} without a word");
        assert!(!reported || part > 0.01);
    }
}

#[test]
fn what_is_reported_of_a_still_rope_is_by_how_much_things_are_too_fast() {
    // Measured early, before the excess speed feeds on itself, as the rope's weight makes it.
    for part in [0.04, 0.17, 0.5, 0.7] {
        let ((still, left), (dynamic, _)) = (atwood(part, 4, "still"), atwood(part, 4, "dynamic"));
        let (reported, found) = (reported_faster(&left), 100.0 * (still / dynamic - 1.0));
        println!("rope of {} %: {found:.1} % too fast, reported {reported:.1} %", 100.0 * part);
        assert!((reported / found - 1.0).abs() < 0.15, "{reported} {found}");
    }
}

#[test]
fn a_still_rope_that_has_run_off_is_reported_like_a_longer_one() {
    for length in [0.1, 2.0] {
        let mut play = on_a_peg(length, 0.1 * length, "still");
        let reported = reported_faster(&stillness(&mut play, 24));
        println!("{length} m: reported {reported:.0} %");
        // A bare rope: two thirds of its inertia are left out while it is taut.
        assert!((60.0..250.0).contains(&reported), "{reported}");
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

/// A weight on a rope that goes through places in the world, and on through free ones to its bare end.
fn over(held: &[[Real; 2]], free: &[[Real; 2]], backwards: bool, axial: &str) -> Play {
    let mut names = vec!["w".to_string()];
    let mut points = String::new();
    let all = held.iter().map(|at| (at, " on=\"world\"")).chain(free.iter().map(|at| (at, "")));
    for (k, ([x, y], on)) in all.enumerate() {
        points += &format!("<point name=\"p{k}\" at=\"{} {y} {}\"{on}/>", 2.0 + 0.6 * x, 0.8 * x);
        names.push(format!("p{k}"));
    }
    if backwards {
        names.reverse();
    }
    let nodes: String = names.iter().map(|name| format!("<node point=\"{name}\"/>")).collect();
    Play::new(
        build(&scene(&format!(
            r#"<settings axial="{axial}"/>
<body name="w" at="2 -0.3 0"><inertia mass="0.2" moments="3e-5 3e-5 3e-5"/></body>
<point name="w" at="2 -0.3 0" on="w"/>{points}<strand name="s" stiffness="1e4" density="300">{nodes}</strand>"#
        ))),
        24.0,
    )
}

#[test]
fn a_bare_end_runs_off_each_place_in_turn_and_free_nodes_go_through() {
    for (held, free, off) in [
        (&[[0.0, 0.0], [0.1, 0.0]][..], &[[0.1, -0.2]][..], 2),
        (&[[0.0, 0.0], [0.1, 0.0], [0.2, 0.0]], &[[0.2, -0.05]], 3),
        (&[[0.0, 0.0]], &[[0.1, -0.1], [0.1, -0.2]], 1),
        (&[[0.0, 0.0], [0.1, 0.0]], &[[0.1, -0.05], [0.1, -0.1], [0.1, -0.2]], 2),
    ] {
        for (backwards, axial) in [(false, "dynamic"), (true, "dynamic"), (false, "still")] {
            let mut play = over(held, free, backwards, axial);
            let before = energy(&play.built.model, &play.state).total();
            let used = ends(&mut play, 24);
            let after = energy(&play.built.model, &play.state).total();
            println!(
                "{} + {}, {backwards}, {axial}: {after:.4} J of {before:.4}, {used:?}",
                held.len(),
                free.len()
            );
            assert!(used.len() == off && used.iter().all(|piece| piece.ran_off), "{used:?}");
            assert!(after < before + 1e-3, "{before} {after}");
            // From then on the weight falls freely, and nothing is left of the rope.
            let speed = play.state.bodies[0].linear.y;
            (0..24).for_each(|_| drop(play.frame()));
            assert!((play.state.bodies[0].linear.y - speed + 9.81).abs() < 1e-6);
            let length = lengths(&play.built.model, &play.state).next().unwrap();
            assert_eq!((length.stretched, runs(&play.built.model, &play.state, 0).count()), (0.0, 0));
            let far = play.state.places.iter().map(|place| (place - play.state.places[1]).norm());
            // Two seconds of falling are 20 m; nothing flies off like the end of a whip.
            assert!(far.fold(0.0, Real::max) < 25.0);
        }
    }
}

#[test]
fn free_nodes_on_a_bare_rope_change_little() {
    // How far the weight has come, with a leg of one piece and of four.
    let fallen = |free: &[[Real; 2]]| {
        let mut play = over(&[[0.0, 0.0]], free, false, "dynamic");
        (0..8).for_each(|_| drop(play.frame()));
        -0.3 - play.state.bodies[0].place.origin.y
    };
    let coarse = fallen(&[[1e-3, -0.2]]);
    let fine = fallen(&[[1e-3, -0.05], [1e-3, -0.1], [1e-3, -0.15], [1e-3, -0.2]]);
    println!("{coarse:.5} and {fine:.5} m");
    assert!((coarse / fine - 1.0).abs() < 2e-3, "{coarse} {fine}");
}

#[test]
fn a_cut_strand_is_as_long_as_what_is_left_of_it() {
    let text = scene(
        r#"<point name="a" at="0 0 0" on="world"/><point name="m" at="0 -0.2 0"/><point name="b" at="0 -0.5 0" on="w"/>
<body name="w" at="0 -0.5 0"><inertia mass="0.2" moments="1e-4 1e-4 1e-4"/></body>
<strand name="s" stiffness="1e4"><node point="a"/><node point="m"/><node point="b"/></strand>
<cut time="0.1" strand="s" segment="0"/>"#,
    );
    let mut play = Play::new(build(&text), 24.0);
    (0..24).for_each(|_| drop(play.frame()));
    let (model, state) = (&play.built.model, &play.state);
    let length = lengths(model, state).next().unwrap();
    assert!(length.stretched < 0.301 && (length.material - 0.3).abs() < 1e-9, "{length:?}");
    assert!(runs(model, state, 0).eq(std::iter::once(1..3)));
}

#[test]
fn a_weight_at_its_pulley_is_held_as_by_a_knot_and_reported() {
    let text = include_str!("../../examples/strand/pulley.xml");
    let mut play = Play::new(build(text), 24.0);
    let used = ends(&mut play, 72);
    let first = used.first().expect("no end is reported");
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

/// A rope of 10 m and 2 kg that hangs in an arc and is released at one end: its largest tension, and the energies, in
/// each frame.
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
    // A kilogram at the end of a cord that is just taut goes slowly towards where the cord is held: nothing slows it
    // down.
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

/// A weight without extent that swings on a cord of three pieces.
fn point_mass(inertia: &str) -> String {
    scene(&format!(
        r#"<body name="bob" at="0.3 0 0"><inertia mass="0.2" {inertia}/></body>
<point name="o" at="0 0 0" on="world"/><point name="a" at="0.1 0 0"/><point name="b" at="0.2 0 0"/><point name="end" at="0.3 0 0" on="bob"/>
<strand name="cord" stiffness="2000"><node point="o"/><node point="a"/><node point="b"/><node point="end"/></strand>"#
    ))
}

#[test]
fn a_point_mass_swings_alike_with_any_moments_and_without_any_is_named() {
    let swung = |moments: &str| {
        let mut play = Play::new(build(&point_mass(&format!("moments=\"{moments}\""))), 24.0);
        (0..12).for_each(|_| drop(play.frame()));
        play.state.bodies[0].place.origin
    };
    let [ball, brick] = ["8e-6 8e-6 8e-6", "1e-3 2e-3 2.5e-3"].map(swung);
    println!("{ball:?} {brick:?}");
    assert!((ball - brick).norm() < 1e-9 && ball.y < -0.1, "{ball} {brick}");
    let named = "\"bob\" has no moment of inertia: for a point mass, which strands hold at its centre, any will do, \
            such as 8.0e-6";
    refused(&point_mass("moments=\"0 0 0\""), Kind::OutOfRange, 2, "body", named);
    let loose = scene(r#"<point name="bob" at="0 0 0"/>"#);
    refused(&loose, Kind::Degenerate, 2, "point", "\"bob\" is free, and no strand gives it mass: let");
    let massive = scene(r#"<point name="bob" at="0 0 0" mass="1"/>"#);
    refused(&massive, Kind::NotFound, 2, "point", "unknown attribute \"mass\"");
}
