//! How things move: what falls, how long frames and steps are, what the host leads.

use super::super::host::{Host, near, within};
use super::{STONE, play};
use sinew::math::Real;

super::super::rows! {
    "param gravity" => gravity,
    "param fps" => fps,
    "param step" => step,
    "param preroll" => preroll,
    "param first_frame" | "choice first_frame/moved" | "choice first_frame/start" => first_frame,
    "input led_matrices" => led_matrices,
    "output led_bodies" => led_bodies,
    "output body_matrices" => body_matrices,
    "output joint_turns" => joint_turns,
    "output joint_moves" => joint_moves,
}

/// How far a thing falls from rest.
fn fall(seconds: Real) -> Real {
    0.5 * 9.81 * seconds * seconds
}

/// Where a body stands.
fn place(host: &Host, body: usize) -> [Real; 3] {
    let m = &host.read("body_matrices")[16 * body..];
    [m[3], m[7], m[11]]
}

fn gravity() {
    for part in [0.0, 1.0, 2.5] {
        let mut host = play(STONE, &[("gravity", &part.to_string())]);
        host.frame(1);
        within(place(&host, 0)[1], 2.0 - part * fall(1.0 / 24.0), 1e-4 * part);
    }
}

/// The first frame is as long as it says, later ones as the host's seconds say.
fn fps() {
    for fps in [10.0, 50.0] {
        let mut host = play(STONE, &[("fps", &fps.to_string())]);
        host.frame(1);
        near(2.0 - place(&host, 0)[1], fall(1.0 / fps), 0.02);
        host.frame(2);
        near(2.0 - place(&host, 0)[1], fall(1.0 / fps + 1.0 / 24.0), 0.02);
    }
}

/// Frames are cut into equal steps, none longer than this; 0 takes the scene's 0.1 ms.
fn step() {
    for (step, steps) in [("0.01", 5.0), ("0.002", 21.0), ("0", 417.0)] {
        let report = play(STONE, &[("step", step)]).frame(1);
        assert_eq!(report.figures[0], ("steps", steps));
    }
    // Symplectic steps of h go n (n + 1) / 2 g h^2.
    let mut host = play(STONE, &[("step", "0.01")]);
    host.frame(1);
    near(2.0 - place(&host, 0)[1], 15.0 * 9.81 / 120.0 / 120.0, 1e-3);
}

/// A thing that hangs in the air falls before the first frame too, from when the scene begins.
fn preroll() {
    let mut host = play(STONE, &[("preroll", "0.25")]);
    host.frame(1);
    near(2.0 - place(&host, 0)[1], fall(0.25 + 1.0 / 24.0), 0.01);
}

/// The first frame shows the start, or the stone after it has fallen for one frame; a preroll adds its time to either.
/// The second is a frame later.
fn first_frame() {
    for (first, preroll, seconds) in [
        ("moved", "0", 1.0 / 24.0),
        ("start", "0", 0.0),
        ("moved", "0.25", 0.25 + 1.0 / 24.0),
        ("start", "0.25", 0.25),
    ] {
        let mut host = play(STONE, &[("first_frame", first), ("preroll", preroll)]);
        for frame in [5, 6] {
            host.frame(frame);
            let seconds = seconds + (frame - 5) as Real / 24.0;
            within(2.0 - place(&host, 0)[1], fall(seconds), 0.01 * fall(seconds));
        }
    }
}

/// Two bodies that the host leads, among others.
const LED: &str = r#"<body name="wall" mode="held"/><body name="stone" at="1 2 3"><cuboid size="0.1 0.1 0.1"/></body>
<body name="handle" mode="led"><cuboid size="0.1 0.2 0.3"/></body>
<body name="stick" mode="led"><cuboid size="0.1 0.2 0.3"/></body>"#;

/// A move alone.
const BESIDE: [Real; 16] = [1.0, 0.0, 0.0, 0.15, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A quarter turn about z, then a move.
const THERE: [Real; 16] =
    [0.0, -1.0, 0.0, 0.1, 1.0, 0.0, 0.0, -0.05, 0.0, 0.0, 1.0, 0.07, 0.0, 0.0, 0.0, 1.0];

fn led_matrices() {
    let mut host = play(LED, &[("preroll", "0.1")]);
    host.give("led_matrices", &[THERE, BESIDE].concat());
    host.frame(1);
    let found = host.read("body_matrices");
    let expected = THERE.into_iter().chain(BESIDE);
    found[32..].iter().zip(expected).for_each(|(found, expected)| within(*found, expected, 1e-9));
}

fn led_bodies() {
    let mut host = play(LED, &[]);
    host.frame(1);
    assert_eq!(host.read("led_bodies"), [2.0, 3.0]);
}

/// A body that stands turned: its rows and columns are not swapped, and its axes are those that the scene gives it.
fn body_matrices() {
    let text = r#"<body name="stone" at="1 2 3" turn="0 0 90"><cuboid size="0.1 0.2 0.3"/></body>"#;
    let mut host = play(text, &[("gravity", "0")]);
    host.frame(1);
    let expected = [0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 1.0];
    let found = host.read("body_matrices");
    assert_eq!(found.len(), 16);
    found.iter().zip(expected).for_each(|(found, expected)| within(*found, expected, 1e-9));
}

/// A thin rod of 0.3 m on a hinge at its left end, let go level: it begins to turn with 3 g / 2 L, to the right.
fn joint_turns() {
    let text = r#"<body name="rod" at="0.15 0 0"><cuboid size="0.3 0.001 0.001"/></body>
<joint name="hinge" child="rod" at="0 0 0"><axis name="turn_z" may="free"/></joint>"#;
    let mut host = play(text, &[("fps", "96")]);
    host.frame(1);
    let expected = (0.5 * 1.5 * 9.81 / 0.3 / (96.0 * 96.0) as Real).to_degrees();
    let turns = host.read("joint_turns");
    near(turns[2], -expected, 0.02);
    within(turns[0], 0.0, 1e-9);
    within(turns[1], 0.0, 1e-9);
    host.read("joint_moves").iter().for_each(|way| within(*way, 0.0, 1e-6));
}

/// A stone on an upright slide, and one that its slide holds up.
fn joint_moves() {
    let text = r#"<body name="stone" at="0 1 0"><cuboid size="0.1 0.1 0.1"/></body>
<body name="other" at="1 1 0"><cuboid size="0.1 0.1 0.1"/></body>
<joint name="slide" child="stone" at="0 1 0"><axis name="move_y" may="free"/></joint>
<joint name="level" child="other" at="1 1 0"><axis name="move_x" may="free"/></joint>"#;
    let mut host = play(text, &[]);
    host.frame(1);
    let moves = host.read("joint_moves");
    near(moves[1], -fall(1.0 / 24.0), 0.01);
    within(moves[0], 0.0, 1e-6);
    moves[2..].iter().for_each(|way| within(*way, 0.0, 1e-6));
    host.read("joint_turns").iter().for_each(|turn| within(*turn, 0.0, 1e-6));
}
