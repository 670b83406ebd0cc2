//! Goals out of reach: arms rest near the closest place, wherever they are, however they are turned, and whatever
//! pulls.

use crate::strand_play::{Play, build, scene};
use sinew::math::{Real, Vec3};
use sinew::nodes::strand_report::way_left;
use std::fmt::Write;

/// How an arm came to rest: by how much joints and activations still move in the last quarter, in degrees, and what is
/// left.
struct Rest {
    play: Play,
    swing: Real,
    change: Real,
    left: Real,
}

fn rest(text: &str, fps: Real, seconds: Real) -> Rest {
    let mut play = Play::new(build(text), fps);
    let frames = (seconds * fps) as u32;
    let (mut joints, mut muscles): (Vec<[Real; 2]>, Vec<[Real; 2]>) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        play.frame();
        if 4 * frame >= 3 * frames {
            let turns =
                play.built.model.parts().joints.iter().map(|joint| play.motion(&joint.name, 2)).collect();
            widen(&mut joints, turns);
            widen(&mut muscles, play.state.activations.clone());
        }
    }
    let most = |ranges: &[[Real; 2]]| ranges.iter().map(|r| r[1] - r[0]).fold(0.0, Real::max);
    let goal = play.built.script.goals(seconds)[0];
    let left = way_left(&goal.aim, &play.built.model, &play.state);
    Rest { swing: most(&joints), change: most(&muscles), left, play }
}

fn widen(ranges: &mut Vec<[Real; 2]>, values: Vec<Real>) {
    ranges.resize(values.len(), [Real::INFINITY, Real::NEG_INFINITY]);
    ranges.iter_mut().zip(values).for_each(|(r, v)| *r = [r[0].min(v), r[1].max(v)]);
}

/// The sample's arm with a goal at a distance from the shoulder, in a direction in degrees.
fn sample(far: Real, angle: Real, gravity: &str) -> String {
    let text = include_str!("../../examples/strand/reach.xml");
    let [begin, end] = ["<to ", "</goal_place>"].map(|part| text.find(part).unwrap());
    let (y, x) = angle.to_radians().sin_cos();
    let keys = format!("<to time=\"0\" at=\"0.3 0.26 0\"/><to time=\"1\" at=\"{} {} 0\"/>", far * x, far * y);
    let gravity = format!("<settings gravity=\"{gravity}\" ");
    format!("{}{keys}{}", &text[..begin], &text[end..]).replace("<settings ", &gravity)
}

/// How near the sample's tip comes to a place at best, with the elbow up to an angle, by looking at all angles. At
/// -50.2 degrees the biceps' line is at its end.
fn nearest(far: Real, angle: Real, elbow: Real) -> Real {
    let mut best = Real::INFINITY;
    for bend in (0..=(10.0 * (elbow + 50.2)) as u32).map(|k| (Real::from(k) / 10.0 - 50.2).to_radians()) {
        for turn in (-240..=240).map(|k| (Real::from(k) / 4.0).to_radians()) {
            let (upper, fore) = (turn.sin_cos(), (turn + bend).sin_cos());
            let tip = [0.3 * upper.1 - 0.26 * fore.0, 0.3 * upper.0 + 0.26 * fore.1];
            let (y, x) = angle.to_radians().sin_cos();
            best = best.min((tip[0] - far * x).hypot(tip[1] - far * y));
        }
    }
    best
}

#[test]
fn the_samples_arm_rests_near_the_closest_place_wherever_its_goal_is() {
    let gravities = ["0 -9.81 0", "0 9.81 0", "-9.81 0 0", "9.81 0 0", "0 0 9.81", "0 0 -9.81", "0 0 0"];
    let mut cases = Vec::new();
    // Goals at which the arm once shook, in all directions of gravity, then others.
    for gravity in gravities {
        cases.extend([(0.58, 80.0, gravity, 24.0), (0.13, 50.0, gravity, 24.0)]);
    }
    for far in [0.13, 0.3, 0.45, 0.565, 0.8] {
        for angle in [0.0, 20.0, 80.0, 100.0] {
            cases.extend([(far, angle, "0 9.81 0", 24.0), (far, angle, "0 0 0", 24.0)]);
        }
    }
    for fps in [48.0, 96.0, 240.0] {
        cases.extend([(0.13, 50.0, "0 0 0", fps), (0.58, 80.0, "0 9.81 0", fps)]);
    }
    let (mut swing, mut change, mut more): (Real, Real, Real) = (0.0, 0.0, 0.0);
    for (far, angle, gravity, fps) in cases {
        let rest = rest(&sample(far, angle, gravity), fps, 8.0);
        // At 16.5 degrees the biceps runs through the elbow's axis: no muscle bends it further, but gravity may.
        let bend = rest.play.motion("elbow", 2).max(16.5);
        let off = rest.left - nearest(far, angle, bend);
        let what = format!("{far} m at {angle} degrees, gravity {gravity}, {fps} fps");
        assert!(rest.swing < 0.5, "{what}: swings by {} degrees", rest.swing);
        assert!(off < 5.6e-3, "{what}: {off} m farther than the closest place");
        (swing, change, more) = (swing.max(rest.swing), change.max(rest.change), more.max(off));
    }
    println!(
        "at most: joints swing by {swing:.2} degrees, activations by {change:.2}; {:.2} mm more than the least left",
        1e3 * more
    );
}

/// How an arm of reels is placed: scaled, then turned by quarters about z, mirrored in x, and moved along x.
#[derive(Clone, Copy)]
struct Put {
    scale: Real,
    quarters: usize,
    mirrored: bool,
    moved: Real,
}

impl Put {
    fn direction(&self, x: Real, y: Real) -> [Real; 2] {
        let x = if self.mirrored { -x } else { x };
        (0..self.quarters).fold([x, y], |[x, y], _| [-y, x])
    }

    fn at(&self, x: Real, y: Real) -> String {
        let [x, y] = self.direction(self.scale * x, self.scale * y);
        format!("{} {y} 0", x + self.moved)
    }

    fn bone(&self, name: &str, y: Real, thick: Real) -> String {
        let size = [thick, 0.3].map(|size| self.scale * size);
        let [wide, long] = if self.quarters.is_multiple_of(2) { size } else { [size[1], size[0]] };
        let deep = self.scale * thick;
        format!(
            "<body name=\"{name}\" at=\"{}\"><cuboid size=\"{wide} {long} {deep}\"/></body>",
            self.at(0.0, y)
        )
    }
}

/// An arm of two bones of 0.3 m that hangs, a pair of reels at each joint.
fn reels(put: Put, goal: [Real; 2], gravity: [Real; 3]) -> String {
    let s = put.scale;
    let [gx, gy] = put.direction(gravity[0], gravity[1]);
    let damping = 0.05 * s.powi(5);
    let bend = if put.mirrored { "-140 0" } else { "0 140" };
    let mut text = format!("<settings gravity=\"{gx} {gy} {}\"/>", gravity[2]);
    text += &put.bone("u", -0.15, 0.04);
    text += &put.bone("f", -0.45, 0.03);
    for (name, parent, child, y, may) in
        [("sh", "", "u", 0.0, "free"), ("el", "parent=\"u\"", "f", -0.3, bend)]
    {
        let at = put.at(0.0, y);
        let axis = format!("<axis name=\"turn_z\" may=\"{may}\" damping=\"{damping}\"/>");
        write!(text, "<joint name=\"{name}\" {parent} child=\"{child}\" at=\"{at}\">{axis}</joint>").unwrap();
    }
    let (ea, strength, drag) = (1e5 * s.powi(3), 60.0 * s.powi(3), 100.0 * s.powf(2.5));
    for (name, from, on, to, at) in [
        ("sf", (0.1, 0.02), "world", (0.03, -0.08), "u"),
        ("sb", (-0.1, 0.02), "world", (-0.03, -0.08), "u"),
        ("ef", (0.04, -0.05), "u", (0.04, -0.36), "f"),
        ("eb", (-0.04, -0.05), "u", (-0.04, -0.36), "f"),
    ] {
        let [first, last] = [from, to].map(|(x, y)| put.at(x, y));
        write!(
            text,
            "<point name=\"{name}o\" at=\"{first}\" on=\"{on}\"/><point name=\"{name}i\" at=\"{last}\" on=\"{at}\"/>\
             <strand name=\"{name}\" stiffness=\"{ea}\" density=\"30\"><node point=\"{name}o\" kind=\"eulerian\"/>\
             <node point=\"{name}i\"/></strand><reel name=\"{name}\" strand=\"{name}\" end=\"first\" \
             strength=\"{strength}\" damping=\"{drag}\"/>"
        )
        .unwrap();
    }
    let (tip, goal) = (put.at(0.0, -0.6), put.at(goal[0], goal[1]));
    write!(text, "<goal_place body=\"f\" at=\"{tip}\"><to time=\"0\" at=\"{goal}\"/></goal_place>").unwrap();
    scene(&text)
}

#[test]
fn an_arm_of_reels_rests_stretched_towards_its_goal() {
    let plain = Put { scale: 1.0, quarters: 0, mirrored: false, moved: 0.0 };
    let puts = [
        plain,
        Put { scale: 0.1, ..plain },
        Put { scale: 0.05, ..plain },
        Put { quarters: 1, ..plain },
        Put { quarters: 2, mirrored: true, ..plain },
        Put { mirrored: true, ..plain },
        Put { moved: 10.0, ..plain },
    ];
    let (mut swing, mut more): (Real, Real) = (0.0, 0.0);
    for put in puts {
        for goal in [[0.1, -0.62], [0.1, -0.602]] {
            for (gravity, fps) in
                [([-6.0, -6.0, 3.0], 24.0), ([0.0, -9.81, 0.0], 24.0), ([-6.0, -6.0, 3.0], 96.0)]
            {
                let rest = rest(&reels(put, goal, gravity), fps, 10.0);
                let off = rest.left / put.scale - (Vec3::new(goal[0], goal[1], 0.0).norm() - 0.6);
                let what = format!("scale {}, goal {goal:?}, gravity {gravity:?}, {fps} fps", put.scale);
                assert!(rest.swing < 0.5, "{what}: swings by {} degrees", rest.swing);
                assert!(off < 6e-3, "{what}: {off} parts farther than the closest place");
                (swing, more) = (swing.max(rest.swing), more.max(off));
            }
        }
    }
    println!(
        "at most: joints swing by {swing:.2} degrees; {:.2} mm in 0.6 m more than the least left",
        1e3 * more
    );
}
