//! How well muscles follow goals of scenes that move.

use crate::strand_play::{Play, build, measured, named_goals, refused, scene};
use sinew::anatomy::tendon_hand::preset::{Condition, Preset};
use sinew::error::Kind;
use sinew::formats::xml;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};
use sinew::nodes::strand_report::{Restless, Watch, way_left};
use sinew::scene::schema::Line;
use sinew::scene::strand::StrandScene;
use sinew::scene::strand::goals::{GoalMotionElement, GoalPlaceElement, GoalPointElement, GoalValueElement};
use sinew::scene::strand::values::{AxisName, Triple};
use sinew::strand::state::State;
use std::collections::HashMap;
use std::f64::consts::PI;

/// An intact finger, as a scene.
fn finger(digit: usize) -> (StrandScene, HashMap<String, Mesh>) {
    Preset { digit: Some(digit), condition: Condition::Intact, bands: false }.scene().unwrap()
}

/// Leads a joint's turn through keys of time and value.
fn lead(scene: &mut StrandScene, joint: &str, time: Real, keys: impl Iterator<Item = [Real; 2]>) {
    scene.goal_motions.push(GoalMotionElement {
        name: None,
        joint: joint.into(),
        axis: AxisName::TurnZ,
        weight: 1.0,
        time,
        keys: keys.map(|[time, value]| GoalValueElement { time, value, line: Line(0) }).collect(),
        line: Line(0),
    });
}

/// Half a wave per second, 20 degrees to both sides of 25, on two joints of a finger.
fn waving(time: f64) -> (StrandScene, HashMap<String, Mesh>) {
    let (mut scene, meshes) = finger(0);
    for joint in ["MCP", "PIP"] {
        let key = |k: u32| [Real::from(k) / 48.0, wave(Real::from(k) / 48.0)];
        lead(&mut scene, joint, time, (0..=4 * 48).map(key));
    }
    (scene, meshes)
}

fn wave(time: Real) -> Real {
    25.0 - 20.0 * (PI * time).cos()
}

/// How far two joints of a finger are off their goals at worst after the first second, and how much an activation
/// changes from frame to frame; with goals set ahead, or as they are.
fn off(time: f64, fps: Real, ahead: bool) -> [Real; 2] {
    let (scene, meshes) = waving(time);
    let mut play = Play::new(scene.build(&meshes).unwrap(), fps);
    play.ahead = ahead;
    let [mut most, mut restless]: [Real; 2] = [0.0; 2];
    for frame in 1..=(4.0 * fps) as u32 {
        let before = play.state.activations.clone();
        play.frame();
        if Real::from(frame) > fps {
            for joint in ["MCP", "PIP"] {
                most = most.max((play.motion(joint, 2) - wave(Real::from(frame) / fps)).abs());
            }
            let change =
                play.state.activations.iter().zip(&before).map(|(a, b): (&Real, &Real)| (a - b).abs());
            restless = change.fold(restless, Real::max);
        }
    }
    [most, restless]
}

/// The default of scenes.
const TIME: f64 = 0.05;

#[test]
fn joints_of_a_finger_follow_half_a_hertz_within_a_degree() {
    for fps in [24.0, 48.0, 96.0] {
        for time in [TIME, 0.03] {
            let [behind, ahead] = [false, true].map(|ahead| off(time, fps, ahead));
            println!(
                "{fps} fps, time {time}: {:.2} degrees off, without a lead {:.2}; activations change by up to {:.3} \
                 and {:.3}",
                ahead[0], behind[0], ahead[1], behind[1]
            );
            assert!(ahead[0] < 1.0, "{ahead:?}");
            // Muscles are no more restless for it.
            assert!(ahead[1] < 1.5 * behind[1] || ahead[1] < 0.06, "{ahead:?} {behind:?}");
        }
    }
}

/// The lateral bands bend or stretch both joints together, and the oblique ligament lets the last one flex about as far
/// as the one before it, so that one cannot be stretched while the other is bent far. Goals 60 degrees apart are missed
/// by at least some 50 together. Muscles come to rest where each of them would cost one goal what it gains of the
/// other, which need not be nearest.
#[test]
fn a_finger_rests_where_goals_of_its_joints_exclude_each_other() {
    let (fps, seconds) = (24.0, 8.0);
    for (digit, gravity, goals) in [
        (0, Vec3::new(0.0, -9.81, 0.0), [10.0, 70.0]),
        (0, Vec3::new(9.81, 0.0, 0.0), [0.0, 40.0]),
        (0, Vec3::new(0.0, -9.81, 0.0), [0.0, 40.0]),
        (0, Vec3::new(0.0, 0.0, 9.81), [30.0, 90.0]),
        (1, Vec3::new(0.0, 9.81, 0.0), [5.0, 60.0]),
        (3, Vec3::new(0.0, -9.81, 0.0), [20.0, 80.0]),
    ] {
        let (mut scene, meshes) = finger(digit);
        scene.settings_mut().gravity = Some(Triple(gravity.into()));
        for (joint, value) in ["PIP", "DIP"].into_iter().zip(goals) {
            lead(&mut scene, joint, TIME, [[0.0, 30.0], [0.5, value]].into_iter());
        }
        let mut play = Play::new(scene.build(&meshes).unwrap(), fps);
        let mut ranges = [[Real::INFINITY, Real::NEG_INFINITY]; 3];
        for frame in 0..(fps * seconds) as u32 {
            play.frame();
            for (range, joint) in ranges.iter_mut().zip(["MCP", "PIP", "DIP"]) {
                let turn = play.motion(joint, 2);
                if Real::from(frame) > 0.75 * fps * seconds {
                    *range = [range[0].min(turn), range[1].max(turn)];
                }
            }
        }
        let swing = ranges.map(|[low, high]| high - low);
        let off = [1, 2].map(|k| (ranges[k][1] - goals[k - 1]).abs());
        println!("finger {digit}, {gravity:?}, goals {goals:?}: swings {swing:.1?}, off by {off:.1?}");
        assert!(swing.iter().all(|swing| *swing < 3.0), "{swing:?}");
        assert!(off.iter().sum::<Real>() < 80.0, "{off:?}");
    }
}

#[test]
fn muscles_that_do_not_come_to_rest_are_reported_once() {
    let (mut scene, meshes) = finger(0);
    lead(&mut scene, "PIP", TIME, [[0.0, 30.0]].into_iter());
    let built = scene.build(&meshes).unwrap();
    let mut state = State::new(&built.model);
    let goals = named_goals(&built, 1.0);
    let mut reported = |swing: Real, frames: u32| -> Vec<String> {
        let mut restless = Restless::default();
        let looked = (0..frames).filter_map(|frame| {
            state.activations.fill(0.2);
            state.activations[2] += if frame % 12 < 6 { swing } else { 0.0 };
            restless.note(&measured(&built), &state, &goals, 1.0 / 24.0)
        });
        looked.collect()
    };
    let texts = reported(0.5, 10 * 24);
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("goal PIP") && texts[0].ends_with("pulling alternately: FDP"), "{texts:?}");
    assert_eq!(reported(0.1, 10 * 24), [""; 0], "a little is no unrest");
    assert_eq!(reported(0.5, 4 * 24), [""; 0], "they may take their time to settle");
}

#[test]
fn a_place_is_followed_as_closely_at_any_frame_rate() {
    for fps in [24.0, 48.0, 96.0] {
        let scene: StrandScene = xml::parse(include_str!("../../examples/strand/reach.xml")).unwrap();
        assert!(scene.goal_places.iter().all(|goal| goal.time == TIME));
        let mut play = Play::new(scene.build(&HashMap::new()).unwrap(), fps);
        let mut most: Real = 0.0;
        for frame in 1..=(2.5 * fps) as u32 {
            play.frame();
            let goal = play.built.script.goals(Real::from(frame) / fps)[0];
            most = most.max(way_left(&goal.aim, &play.built.model, &play.state));
        }
        println!("{fps} fps: at most {:.2} mm off at 16 cm/s", 1e3 * most);
        assert!(most < 2.5e-3, "{most}");
    }
}

#[test]
fn an_arm_that_cannot_reach_its_goal_rests_near_the_closest_place() {
    let text = include_str!("../../examples/strand/reach.xml");
    let [begin, end] = ["<to ", "</goal_place>"].map(|part| text.find(part).unwrap());
    // Goals beyond the arm's reach, and one too close to the shoulder: the distance in metres, the direction in
    // degrees.
    for (far, angle) in [(0.561, 0.0_f64), (0.561, 30.0), (0.561, 60.0), (0.56, 45.0), (0.13, 45.0)] {
        let at = [far * angle.to_radians().cos(), far * angle.to_radians().sin()];
        let keys = format!("<to time=\"0\" at=\"0.3 0.26 0\"/><to time=\"1\" at=\"{} {} 0\"/>", at[0], at[1]);
        let scene: StrandScene = xml::parse(&format!("{}{keys}{}", &text[..begin], &text[end..])).unwrap();
        let mut play = Play::new(scene.build(&HashMap::new()).unwrap(), 24.0);
        (0..72).for_each(|_| drop(play.frame()));
        let before = (play.motion("elbow", 2), play.state.activations.clone());
        let (mut swing, mut change): (Real, Real) = (0.0, 0.0);
        for _ in 0..72 {
            play.frame();
            swing = swing.max((play.motion("elbow", 2) - before.0).abs());
            let pulls = play.state.activations.iter().zip(&before.1);
            change = pulls.map(|(a, b)| (a - b).abs()).fold(change, Real::max);
        }
        let goal = play.built.script.goals(6.0)[0];
        let left = way_left(&goal.aim, &play.built.model, &play.state);
        // With this elbow, of which the biceps' line is at its end, no shoulder brings the tip nearer.
        let tip = play.state.bodies[1].place.point(&Vec3::new(0.0, 0.13, 0.0));
        let closest = (far - tip.norm()).abs();
        println!(
            "{far} m at {angle} degrees: {:.2} mm left, {:.2} at least; elbow {:.2}, swings by {swing:.1e} degrees, \
             activations by {change:.1e}",
            1e3 * left,
            1e3 * closest,
            before.0
        );
        assert!(swing < 0.5 && change < 0.05, "{swing} {change}");
        assert!(left - closest < 2e-3 && left > 5e-3, "{left} {closest}");
    }
}

/// Fingertips with goals straight ahead, out of reach: all joints go straight and come to rest.
#[test]
fn fingers_stretch_towards_what_their_tips_cannot_reach() {
    let fps = 24.0;
    let fingers = ["II", "III", "IV", "V"];
    let tips = [[0.095, 0.0], [0.107, -0.021], [0.098, -0.041], [0.066, -0.06]];
    for gravity in [[0.0, -9.81, 0.0], [9.81, 0.0, 0.0]] {
        let preset = Preset { digit: None, condition: Condition::Intact, bands: false };
        let (mut scene, meshes): (StrandScene, _) = preset.scene().unwrap();
        scene.settings_mut().gravity = Some(Triple(gravity));
        for (finger, [x, z]) in fingers.iter().zip(tips) {
            let ahead = GoalPointElement { time: 0.5, at: Triple([x + 0.045, 0.0, z]), line: Line(0) };
            scene.goal_places.push(GoalPlaceElement {
                name: None,
                body: format!("{finger} Distal"),
                at: Triple([x, 0.0, z]),
                inside: None,
                weight: 20.0,
                time: TIME,
                keys: vec![ahead],
                line: Line(0),
            });
        }
        let mut play = Play::new(scene.build(&meshes).unwrap(), fps);
        let [mut bent, mut swing]: [Real; 2] = [0.0; 2];
        let mut before = Vec::new();
        for frame in 0..3 * fps as u32 {
            play.frame();
            let joints =
                fingers.iter().flat_map(|f| ["MCP", "PIP", "DIP"].map(|joint| format!("{f} {joint}")));
            let turns: Vec<Real> = joints.map(|joint| play.motion(&joint, 2)).collect();
            if Real::from(frame) > 2.5 * fps {
                bent = turns.iter().fold(bent, |most, turn| most.max(turn.abs()));
                swing = turns
                    .iter()
                    .zip(&before)
                    .fold(swing, |most, (a, b): (&Real, &Real)| most.max((a - b).abs()));
            }
            before = turns;
        }
        println!("gravity {gravity:?}: bent by {bent:.2} degrees, moving by {swing:.4} a frame");
        assert!(bent < 1.0 && swing < 0.02, "gravity {gravity:?}: {bent} {swing}");
    }
}

/// A bar on a hinge whose weight presses it onto a limit of the hinge, above or below it, or onto the floor. A goal
/// lets it rest there for half a second, and then leads it away.
#[test]
fn muscles_lift_what_rests_on_a_limit_or_on_the_floor() {
    let bar = |up: Real, more: &str, limits: &str| {
        scene(&format!(
            r#"<settings gravity="0 {g} 0"/>
<body name="bar" at="0.1 0.0101 0"><cuboid size="0.2 0.02 0.02"/></body>{more}
<joint name="hinge" child="bar" at="0 0.0101 0"><axis name="turn_z"{limits}/></joint>
<line name="l" from="0 {near} 0" to="0 {far} 0"/><point name="p" at="0 {middle} 0"/><point name="q" at="0.1 0.0101 0" on="bar"/>
<on_curve point="p" curve="l"/><strand name="s" stiffness="1000"><node point="p"/><node point="q"/></strand>
<muscle name="m" point="p" curve="l" strength="50"/>
<goal_motion joint="hinge" axis="turn_z"><to time="0.5" value="0"/><to time="1" value="{value}"/></goal_motion>"#,
            g = -9.81 * up,
            near = 0.2 * up,
            middle = 0.3 * up,
            far = 0.4 * up,
            value = 40.0 * up,
        ))
    };
    let floor = r#"<body name="floor" mode="held" at="0 -0.5 0"><cuboid size="2 1 2"/></body>
<contact name="rest" first="bar" second="floor" friction="0"/>"#;
    for (name, up, text) in [
        ("its lower limit", 1.0, bar(1.0, "", r#" may="0 90""#)),
        ("its upper limit", -1.0, bar(-1.0, "", r#" may="-90 0""#)),
        ("the floor", 1.0, bar(1.0, floor, "")),
    ] {
        let mut play = Play::new(build(&text), 24.0);
        let mut off: Real = 0.0;
        for frame in 1..=36 {
            play.frame();
            let wanted = up * (80.0 * (Real::from(frame) / 24.0 - 0.5)).clamp(0.0, 40.0);
            off = off.max((play.motion("hinge", 2) - wanted).abs());
        }
        println!("from {name}: off by up to {off:.2} degrees");
        assert!(off < 1.0, "from {name}: {off}");
    }
}

#[test]
fn a_goal_beyond_180_degrees_is_refused_where_a_joint_has_several_turns() {
    let text = |value: Real, more: &str| {
        scene(&format!(
            r#"<body name="b"><cuboid size="0.1 0.1 0.1"/></body><joint name="j" child="b" at="0 0 0"><axis name="turn_z"/>{more}</joint>
<line name="l" from="0 0 0" to="0.2 0 0"/><point name="p" at="0.1 0 0"/><point name="q" at="0 0.1 0" on="world"/><on_curve point="p" curve="l"/><strand name="s" stiffness="100"><node point="p"/><node point="q"/></strand>
<muscle name="m" point="p" curve="l" strength="1"/>
<goal_motion joint="j" axis="turn_z"><to time="1" value="{value}"/></goal_motion>"#
        ))
    };
    for value in [180.5, -200.0] {
        let text = |more: &str| text(value, more);
        refused(
            &text("<axis name=\"turn_x\"/>"),
            Kind::OutOfRange,
            5,
            "goal_motion/to",
            "the goal of joint \"j\" is",
        );
        build(&text(""));
    }
    build(&text(180.0, "<axis name=\"turn_x\"/>"));
}

/// A finger above a plate of 8 cm, with its top at a height; goals lead into it from half a second on.
fn above_a_plate(digit: usize, top: Real, friction: Real) -> (StrandScene, HashMap<String, Mesh>) {
    let (mut scene, meshes) = finger(digit);
    let plate = format!(
        r#"<body name="plate" mode="held" at="0.1 {} -0.02"><cuboid size="0.08 0.02 0.12"/></body>
<contact name="press" first="plate" second="Distal" friction="{friction}"/>"#,
        top - 0.01
    );
    let mut more: StrandScene = xml::parse(&crate::strand_play::scene(&plate)).unwrap();
    scene.bodies.append(&mut more.bodies);
    scene.contacts.append(&mut more.contacts);
    (scene, meshes)
}

#[test]
fn a_finger_that_is_pressed_on_a_plate_bends_no_joint_backwards() {
    for (digit, top, friction, goals) in [
        (0, -0.025, 0.3, [40.0, 30.0, 20.0]),
        (1, -0.03, 0.0, [45.0, 20.0, 10.0]),
        (2, -0.035, 0.8, [50.0, 35.0, 25.0]),
    ] {
        let (mut scene, meshes) = above_a_plate(digit, top, friction);
        for (joint, value) in ["MCP", "PIP", "DIP"].into_iter().zip(goals) {
            lead(&mut scene, joint, TIME, [[0.0, 5.0], [1.0, value]].into_iter());
        }
        let mut play = Play::new(scene.build(&meshes).unwrap(), 24.0);
        let mut before = [0.0; 3];
        for _ in 0..84 {
            before = ["MCP", "PIP", "DIP"].map(|joint| play.motion(joint, 2));
            play.frame();
        }
        let turns = ["MCP", "PIP", "DIP"].map(|joint| play.motion(joint, 2));
        let swing = [0, 1, 2].map(|k| (turns[k] - before[k]).abs());
        println!("finger {digit} on {top} with {friction}: {turns:.1?} of {goals:?}, moving by {swing:.3?}");
        // The plate stops the knuckle most, and the last joint least: the shorter the lever, the less it has to give
        // way.
        assert!(turns[0] < goals[0] - 8.0, "the plate stops it: {turns:?}");
        let off = [0, 1, 2].map(|k| goals[k] - turns[k]);
        assert!(off[2].abs() < 0.25 * off[0] && turns[2] > 0.0, "{turns:?}");
        assert!(swing.iter().all(|swing| *swing < 0.2), "{swing:?}");
    }
}

/// A bar that plays a key on a hinge with a spring, which goes down by 4 degrees and no further.
const KEY: &str = r#"<settings gravity="0 -9.81 0"/>
<body name="bar" at="0.1 0.031 0"><cuboid size="0.2 0.02 0.02"/></body>
<joint name="hinge" child="bar" at="0 0.031 0"><axis name="turn_z"/></joint>
<body name="key" at="0.25 0.005 0"><cuboid size="0.3 0.02 0.02"/></body>
<joint name="bed" child="key" at="0.4 0.005 0"><axis name="turn_z" may="0 4" stiffness="20" damping="0.05"/></joint>
<contact name="touch" first="bar" second="key" friction="0.2"/>
<line name="up" from="0 0.2 0" to="0 0.4 0"/><point name="p" at="0 0.3 0"/><point name="q" at="0.1 0.031 0" on="bar"/>
<line name="down" from="0 -0.2 0" to="0 -0.4 0"/><point name="r" at="0 -0.3 0"/>
<on_curve point="p" curve="up"/><strand name="s" stiffness="1000"><node point="p"/><node point="q"/></strand>
<on_curve point="r" curve="down"/><strand name="t" stiffness="1000"><node point="r"/><node point="q"/></strand>
<muscle name="m" point="p" curve="up" strength="50"/><muscle name="n" point="r" curve="down" strength="50"/>
"#;

/// Plays the key with goals for the hinge, as times and degrees; where the bar and the key are in each frame, and the
/// warnings.
fn plays_the_key(goals: &[[Real; 2]], seconds: Real) -> (Vec<[Real; 2]>, Vec<String>) {
    let to = goals.iter().map(|[time, value]| format!(r#"<to time="{time}" value="{value}"/>"#));
    let goal =
        format!(r#"<goal_motion joint="hinge" axis="turn_z">{}</goal_motion>"#, to.collect::<String>());
    let mut play = Play::new(build(&scene(&format!("{KEY}{goal}"))), 24.0);
    let (mut turns, mut warnings, mut watch) = (Vec::new(), Vec::new(), Watch::default());
    for frame in 1..=(24.0 * seconds) as u32 {
        let report = play.frame();
        let named = named_goals(&play.built, Real::from(frame) / 24.0);
        warnings.extend(watch.note(&measured(&play.built), &play.state, &report, &named, 1.0 / 24.0));
        turns.push(["hinge", "bed"].map(|joint| play.motion(joint, 2)));
    }
    (turns, warnings)
}

#[test]
fn a_key_is_played_and_a_goal_behind_its_bed_is_reported_once() {
    // The bar touches the key after a little more than a degree; the key's lever is half as long there.
    let soft = [[0.0, 0.0], [0.5, -5.0], [1.5, -5.0]];
    let (turns, warnings) = plays_the_key(&soft, 1.5);
    println!("goal -5: bar and key at {:.2?}", turns.last().unwrap());
    assert_eq!(warnings, [""; 0]);
    let [bar, key] = turns[35];
    assert!((bar + 5.0).abs() < 0.5 && (1.0..4.0).contains(&key), "{bar} {key}");
    // Beyond the bed, again and again.
    let hard: Vec<[Real; 2]> = (0..4)
        .flat_map(|k| {
            [[0.0, 0.0], [0.4, -25.0], [1.4, -25.0], [1.8, 0.0]].map(|[t, v]| [2.0 * Real::from(k) + t, v])
        })
        .collect();
    let (turns, warnings) = plays_the_key(&hard, 8.0);
    println!("goal -25: bar and key at {:.2?}; {warnings:?}", turns[32]);
    assert!(
        warnings.len() == 1 && warnings[0].starts_with("goal hinge turn_z lies behind contact touch"),
        "{warnings:?}"
    );
    // It is the distance then, not where the bar ends.
    assert!(warnings[0].contains("which so far holds it "), "{warnings:?}");
    for k in 0..4 {
        let [bar, key] = turns[48 * k + 32];
        assert!((3.5..4.1).contains(&key) && bar > -12.0, "{bar} {key}");
        assert!(turns[48 * k + 47][0].abs() < 1.0, "it leaves the key: {:?}", turns[48 * k + 47]);
    }
}

/// A bar on a joint with one motion that muscles pull up and down.
fn on_a_joint(motion: &str, axis: &str) -> String {
    format!(
        r#"<settings gravity="0 0 0"/>
<body name="bar" at="0.3 1 0.2"><cuboid size="0.2 0.02 0.02"/></body>
<joint name="wrist" child="bar" at="0.2 1 0.2"><axis name="{motion}" damping="0.5" {axis}</joint>
<line name="up" from="0.2 1.2 0.2" to="0.2 1.4 0.2"/><point name="p" at="0.2 1.3 0.2"/><point name="q" at="0.3 1 0.2" on="bar"/>
<line name="down" from="0.2 0.8 0.2" to="0.2 0.6 0.2"/><point name="r" at="0.2 0.7 0.2"/>
<on_curve point="p" curve="up"/><strand name="s" stiffness="1000"><node point="p"/><node point="q"/></strand>
<on_curve point="r" curve="down"/><strand name="t" stiffness="1000"><node point="r"/><node point="q"/></strand>
<muscle name="m" point="p" curve="up" strength="20"/><muscle name="n" point="r" curve="down" strength="20"/>
"#
    )
}

#[test]
fn a_goal_beyond_the_limit_of_its_joint_is_reported_once_with_the_joint_and_the_limit() {
    let hard = r#"may="-20 35"/>"#;
    let soft = r#"><ligaments from="-20" to="35" moment="0.5" width="4"/></axis>"#;
    let slides = r#"may="-0.01 0.02"/>"#;
    for (motion, axis, goal, words) in [
        ("turn_z", hard, 35.0, None),
        ("turn_z", hard, 41.0, Some("it ends at 35.0 degrees, and the goal is at 41.0 degrees")),
        ("turn_z", hard, -26.5, Some("it ends at -20.0 degrees, and the goal is at -26.5 degrees")),
        // Ligaments give way a little.
        ("turn_z", soft, 38.0, None),
        ("turn_z", soft, 60.0, Some("from 35.0 degrees on, its ligaments resist more and more")),
        ("turn_z", "/>", 60.0, None),
        ("move_y", slides, 0.05, Some("it ends at 0.02000, and the goal is at 0.05000")),
    ] {
        // There and back three times.
        let keys =
            (0..3).map(|k| 0.2 * f64::from(k)).flat_map(|t| [(t, 0.0), (t + 0.02, goal), (t + 0.1, goal)]);
        let to: String =
            keys.map(|(time, value)| format!(r#"<to time="{time}" value="{value}"/>"#)).collect();
        let goal = format!(r#"<goal_motion name="aim" joint="wrist" axis="{motion}">{to}</goal_motion>"#);
        let mut play = Play::new(build(&scene(&(on_a_joint(motion, axis) + &goal))), 25.0);
        let (mut warnings, mut watch) = (Vec::new(), Watch::default());
        for frame in 1..=15 {
            let report = play.frame();
            let named = named_goals(&play.built, Real::from(frame) / 25.0);
            warnings.extend(watch.note(&measured(&play.built), &play.state, &report, &named, 1.0 / 25.0));
        }
        let Some(words) = words else {
            assert_eq!(warnings, [""; 0], "{motion} {axis} {to}");
            continue;
        };
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let said = format!("goal aim leads beyond the limit of joint wrist in {motion}: ");
        assert!(warnings[0].starts_with(&said) && warnings[0].contains(words), "{warnings:?}");
    }
}
