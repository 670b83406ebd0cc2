//! What authors of strand scenes lean on: defaults that mean what they seem to, starts, keys at 0, turns, mistakes by line.

use sinew::control::Control;
use sinew::error::{Error, Kind};
use sinew::formats::xml;
use sinew::geometry::Mesh;
use sinew::math::{Real, Rotation, Vec3};
use sinew::scene::schema::{Attribute, Line};
use sinew::scene::strand::goals::{GoalMotionElement, GoalValueElement};
use sinew::scene::strand::values::AxisName;
use sinew::scene::strand::{Built, SettingsElement, StrandScene};
use sinew::scene::strand_frame::motions;
use sinew::scene::tendon_hand::preset::{Condition, Preset};
use sinew::strand::control::{Aim, Effort};
use sinew::strand::model::{Mode, Model};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};
use std::collections::HashMap;
use std::f64::consts::PI;

fn try_build(text: &str) -> Result<Built, Error> {
    xml::parse::<StrandScene>(text)?.build(&HashMap::new())
}

fn build(text: &str) -> Built {
    try_build(text).unwrap_or_else(|error| panic!("{error}"))
}

fn scene(inside: &str) -> String {
    format!("<strand_scene version=\"1\">\n{inside}\n</strand_scene>\n")
}

/// That a scene is refused in a line, at an element, with words.
fn refused(text: &str, kind: Kind, line: u64, element: &str, words: &str) {
    let error = match try_build(text) {
        Ok(_) => panic!("taken: {text}"),
        Err(error) => error,
    };
    let place = error.place();
    assert_eq!((error.kind(), place.line), (kind, Some(line)), "{error}");
    assert!(place.element.as_ref().unwrap().ends_with(element), "{error}");
    assert!(error.message().contains(words), "{error}");
}

/// Plays a scene from its start, with the activations and goals that it says.
struct Play {
    built: Built,
    state: State,
    scratch: Scratch,
    fps: Real,
    frame: u32,
    /// Whether goals are set ahead.
    ahead: bool,
}

impl Play {
    fn new(built: Built, fps: Real) -> Self {
        let (state, scratch) = (State::new(&built.model), Scratch::new(&built.model).unwrap());
        Play { built, state, scratch, fps, frame: 0, ahead: true }
    }

    fn frame(&mut self) {
        let [from, to] = [self.frame, self.frame + 1].map(|frame| Real::from(frame) / self.fps);
        let script = &self.built.script;
        let goals = if self.ahead { script.pursued(from, to) } else { script.goals(to) };
        let given: Vec<Real> = self.built.script.activations(to).collect();
        let inputs = Inputs {
            seconds: 1.0 / self.fps,
            substeps: (1.0 / self.fps / self.built.step).ceil() as u32,
            led: &self.built.led(to),
            activations: if goals.is_empty() { &given } else { &[] },
            goals: &goals,
        };
        self.built.script.change(&self.built.model, &mut self.state, from, to).unwrap();
        step(&self.built.model, &mut self.state, &mut self.scratch, &inputs, &Control::default()).unwrap();
        self.frame += 1;
    }

    fn motion(&self, joint: &str, axis: usize) -> Real {
        let joint = self.built.model.parts().joints.iter().find(|j| j.name == joint).unwrap();
        motions(joint, &self.state)[axis]
    }
}

const WEIGHT: &str = include_str!("../examples/strand/weight.xml");

#[test]
fn absurd_numbers_are_refused_where_they_stand() {
    let line = |text: &str, part: &str| text.split(part).next().unwrap().lines().count() as u64;
    for (from, to, element, words) in [
        ("mass=\"0.3\"", "mass=\"1e308\"", "body/inertia", "mass is 1e308"),
        ("mass=\"0.3\"", "mass=\"1e12\"", "body/inertia", "a mass of 1e12 kg"),
        ("mass=\"0.3\"", "mass=\"1e-300\"", "body/inertia", "a mass of 1e-300 kg"),
        ("moments=\"5e-5 5e-5 5e-5\"", "moments=\"1e11 1e11 1e11\"", "body/inertia", "a moment of inertia"),
        ("stiffness=\"1e5\"", "stiffness=\"1e200\"", "strand", "stiffness is 1e200"),
        ("density=\"30\"", "density=\"-1e300\"", "strand", "density is -1e300"),
        ("at=\"0 0 0\"", "at=\"0 1e20 0\"", "point", "at is 1e20; more than 1e9"),
    ] {
        let text = WEIGHT.replacen(from, to, 1);
        assert_ne!(text, WEIGHT, "{from}");
        refused(&text, Kind::OutOfRange, line(&text, to), element, words);
    }
    let cuboid = |inside: &str| scene(&format!("<body name=\"a\">\n{inside}</body>"));
    let text = cuboid("<cuboid size=\"1e4 1e4 1e4\" density=\"1e5\"/>");
    refused(&text, Kind::OutOfRange, 3, "body/cuboid", "a mass of 1e17 kg");
    let text = scene("<settings gravity=\"0 -1e300 0\"/>");
    refused(&text, Kind::OutOfRange, 2, "settings", "gravity is -1e300");
}

#[test]
fn material_slides_at_pulleys_without_a_word() {
    let kinds = |text: &str| {
        build(text).model.parts().strands[0].nodes.iter().map(|node| node.mode).collect::<Vec<_>>()
    };
    assert_eq!(kinds(WEIGHT), [Mode::Removed, Mode::Free, Mode::Removed]);
    let held = WEIGHT.replace("point=\"pulley\"/>", "point=\"pulley\" kind=\"lagrangian\"/>");
    assert_eq!(kinds(&held), [Mode::Removed; 3]);
    // On a body as well; not at a free point, nor at the ends of a muscle.
    let rope = |more: &str| {
        scene(&format!(
            "<body name=\"bone\" mode=\"held\"/>
<point name=\"a\" at=\"0 0 0\" on=\"world\"/><point name=\"b\" at=\"1 0 0\" on=\"bone\"/>
<point name=\"c\" at=\"2 0 0\"/><point name=\"d\" at=\"3 0 0\" on=\"bone\"/><point name=\"e\" at=\"4 0 0\" on=\"world\"/>
<strand name=\"s\" stiffness=\"1\"><node point=\"a\"/><node point=\"b\"/><node point=\"c\"/><node point=\"d\"/><node point=\"e\"/></strand>
{more}"
        ))
    };
    let (slides, carries) = (Mode::Free, Mode::Removed);
    assert_eq!(kinds(&rope("")), [carries, slides, carries, slides, carries]);
    let hill = "<hill name=\"h\" strand=\"s\" segment=\"0\" strength=\"1\" optimal=\"1\"/>";
    assert_eq!(kinds(&rope(hill)), [carries, carries, carries, slides, carries]);
}

#[test]
fn a_goal_without_keys_leads_nowhere() {
    let goals = include_str!("fuzz/corpus/strand_scene/goals");
    let without = |from: &str, to: &str| {
        let begin = goals.find(from).unwrap();
        let end = begin + goals[begin..].find(to).unwrap();
        let inner = begin + goals[begin..].find('\n').unwrap();
        format!("{}{}", &goals[..inner], &goals[end..])
    };
    let line = |text: &str| goals.split(text).next().unwrap().lines().count() as u64;
    for (from, to, element) in
        [("<goal_motion", "</goal_motion>", "goal_motion"), ("<goal_place", "</goal_place>", "goal_place")]
    {
        refused(&without(from, to), Kind::MissingInput, line(from), element, "no <to>");
    }
}

/// An upper arm led by keys, a forearm and a hand on hinges, a point on the hand, one sewn to it, a cord to the world.
fn arm(start: &str, keys: &str) -> String {
    scene(&format!(
        r#"<settings gravity="0 0 0"/>
<body name="upper" mode="led">{keys}</body>
<body name="fore" at="0.15 0 0"><cuboid size="0.3 0.02 0.02"/></body>
<body name="hand" at="0.35 0 0"><cuboid size="0.1 0.02 0.02"/></body>
<joint name="elbow" parent="upper" child="fore" at="0 0 0"><axis name="turn_z" may="-10 120" {start}/></joint>
<joint name="wrist" parent="fore" child="hand" at="0.3 0 0"><axis name="turn_y" may="-60 60"/></joint>
<point name="tip" at="0.4 0 0" on="hand"/>
<point name="sewn" at="0.35 0.02 0"/>
<point name="far" at="1 1 0" on="world"/>
<strand name="cord" stiffness="1e-3"><node point="tip"/><node point="far"/></strand>
<strand name="thread" stiffness="1e-3"><node point="sewn"/><node point="far"/></strand>
<frame point="sewn" body="hand"/>"#
    ))
}

fn close(found: Vec3, expected: Vec3) {
    assert!((found - expected).norm() < 1e-12, "{found} instead of {expected}");
}

#[test]
fn joints_start_where_they_are_told_with_all_that_hangs_on_them() {
    let (plain, built) = (build(&arm("", "")), build(&arm("start=\"90\"", "")));
    let (old, new) = (plain.model.parts(), built.model.parts());
    let state = State::new(&built.model);
    close(built.axes(1, &state.bodies[1].place).origin, Vec3::new(0.0, 0.15, 0.0));
    close(built.axes(2, &state.bodies[2].place).origin, Vec3::new(0.0, 0.35, 0.0));
    for (point, place) in [(0, [0.0, 0.4, 0.0]), (1, [-0.02, 0.35, 0.0]), (2, [1.0, 1.0, 0.0])] {
        close(state.places[point], Vec3::from(place));
    }
    // Strands have the material with which they were modelled: the slack one stays slack.
    for (a, b) in old.strands.iter().zip(&new.strands) {
        assert_eq!(a.nodes, b.nodes);
    }
    let mut play = Play::new(built, 24.0);
    assert!((play.motion("elbow", 2) - 90.0).abs() < 1e-9 && play.motion("wrist", 1).abs() < 1e-9);
    (0..12).for_each(|_| play.frame());
    assert!((play.motion("elbow", 2) - 90.0).abs() < 0.5, "nothing pulls: {}", play.motion("elbow", 2));
    for (start, element, words) in [
        ("start=\"130\"", "joint", "limits its turn about z from -10 to 120 degrees, but it is 130 at the start"),
        ("start=\"270\"", "joint/axis", "turned by 180 degrees or more"),
    ] {
        let kind = if element == "joint" { Kind::OutOfRange } else { Kind::InvalidArgument };
        refused(&arm(start, ""), kind, 6, element, words);
    }
    let text = arm("", "").replace("may=\"-60 60\"", "may=\"held\" start=\"5\"");
    refused(&text, Kind::InvalidArgument, 7, "joint/axis", "holds turn_y: it cannot start elsewhere");
    let text = arm("start=\"20\"", "").replace("<body name=\"fore\"", "<body name=\"fore\" mode=\"held\"");
    refused(&text, Kind::InvalidArgument, 6, "joint/axis", "body \"fore\" is not free");
    // A second joint of the same bodies says nothing about the start, and may not be torn.
    let second = "<joint name=\"second\" parent=\"upper\" child=\"fore\" at=\"0 0 0\"><axis name=\"turn_z\" AXIS/></joint>";
    let with = |axis: &str, start: &str| {
        arm(start, "").replace("<point name=\"tip\"", &(second.replace("AXIS", axis) + "\n<point name=\"tip\""))
    };
    refused(&with("start=\"5\"", ""), Kind::InvalidArgument, 8, "joint/axis", "joint \"elbow\" says where");
    refused(&with("may=\"held\"", "start=\"20\""), Kind::InvalidArgument, 8, "joint", "would be torn");
    build(&with("", "start=\"20\""));
}

#[test]
fn a_key_at_the_beginning_is_where_it_begins() {
    let keys = r#"<key time="0" at="1 0 0" turn="0 0 90"/><key time="1" at="1 1 0" turn="0 0 90"/>"#;
    let mut play = Play::new(build(&arm("", keys)), 24.0);
    let tip = |play: &Play| play.state.places[0];
    close(tip(&play), Vec3::new(1.0, 0.4, 0.0));
    let places: Vec<Real> =
        [0.0, 0.5, 1.0].iter().map(|t| play.built.axes(0, &play.built.led(*t)[0]).origin.y).collect();
    assert!(places.iter().zip([0.0, 0.5, 1.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{places:?}");
    play.frame();
    let gone = tip(&play).y - 0.4;
    assert!((gone - 1.0 / 24.0).abs() < 5e-3, "it goes along instead of jumping: {gone}");
    for (key, words) in [("time=\"-1\"", "before the start"), ("time=\"0\"", "not after 0")] {
        let text = arm("", &format!("<key time=\"0\" at=\"1 0 0\"/>\n<key {key} at=\"0 0 0\"/>"));
        if key.contains('-') {
            refused(&text.replacen("time=\"0\"", "time=\"-2\"", 1), Kind::OutOfRange, 3, "body/key", words);
        } else {
            refused(&text, Kind::OutOfRange, 4, "body/key", words);
        }
    }
    // Activations and goals.
    let goals = include_str!("fuzz/corpus/strand_scene/goals");
    let text = goals
        .replace("<to time=\"0.5\" value=\"20\"/>", "<to time=\"0\" value=\"10\"/><to time=\"0.5\" value=\"20\"/>");
    let values = |time: Real| match build(&text).script.goals(time)[0].aim {
        Aim::Motion { goal, .. } => goal.to_degrees(),
        Aim::Place { .. } => panic!("a place"),
    };
    assert!((values(0.0) - 10.0).abs() < 1e-12 && (values(0.25) - 15.0).abs() < 1e-12);
    let everything = include_str!("fuzz/corpus/strand_scene/goals")
        .lines()
        .filter(|line| !["<to", "<goal", "</goal"].iter().any(|word| line.trim().starts_with(word)))
        .collect::<Vec<_>>()
        .join("\n")
        .replace(
            "strength=\"100\"/>",
            "strength=\"100\" activation=\"0.9\"><activation time=\"0\" value=\"0.2\"/><activation time=\"1\" value=\"0.4\"/></muscle>",
        );
    let built = build(&everything);
    let pulls = [0.0, 0.5, 2.0].map(|time| built.script.activations(time).next().unwrap());
    assert!(pulls.iter().zip([0.2, 0.3, 0.4]).all(|(a, b)| (a - b).abs() < 1e-12), "{pulls:?}");
}

#[test]
fn goals_start_from_where_joints_start() {
    let goals = include_str!("fuzz/corpus/strand_scene/goals");
    let text = goals.replace("damping=\"0.01\"/>", "damping=\"0.01\" start=\"30\"/>");
    let built = build(&text);
    let [bend, tip] = built.script.goals(0.0)[..] else { panic!("two goals") };
    let Aim::Motion { goal, .. } = bend.aim else { panic!("{bend:?}") };
    assert!((goal.to_degrees() - 30.0).abs() < 1e-12, "{goal}");
    let Aim::Place { goal, .. } = tip.aim else { panic!("{tip:?}") };
    close(goal, Rotation::from_scaled_axis(Vec3::z() * 30f64.to_radians()) * Vec3::new(0.2, 0.0, 0.0));
}

#[test]
fn bodies_start_with_their_velocities() {
    let body = r#"<settings gravity="0 -10 0"/>
<body name="ball" at="0 1 0" velocity="3 4 0" angular_velocity="0 90 0"><inertia mass="1" moments="0.1 0.1 0.1"/></body>"#;
    let mut play = Play::new(build(&scene(body)), 50.0);
    (0..50).for_each(|_| play.frame());
    let place = play.state.bodies[0].place;
    println!("after 1 s: {:.4}", place.origin.transpose());
    // A step of h loses g h t / 2.
    assert!((place.origin - Vec3::new(3.0, 1.0 + 4.0 - 5.0, 0.0)).norm() < 0.01, "{}", place.origin);
    let turned = place.rotation * Vec3::x();
    assert!((turned - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-9, "{turned}");
    let led = scene("<body name=\"ball\" mode=\"led\" velocity=\"1 0 0\"/>");
    refused(&led, Kind::InvalidArgument, 2, "body", "is not free: its keys say how it moves");
    // A model that begins where another one is begins at rest.
    let again = Model::new(play.built.model.parts_at(&play.state)).unwrap();
    assert_eq!(State::new(&again).bodies[0].linear, Vec3::zeros());
}

#[test]
fn the_reference_shows_the_defaults_that_count() {
    let (shown, used) = (SettingsElement::default(), Effort::default());
    assert_eq!([shown.effort, shown.smooth, shown.hold, shown.tone], [used.effort, used.smooth, used.hold, used.tone]);
    let read: StrandScene = xml::parse(&scene("<settings/>")).unwrap();
    assert_eq!(read.settings.unwrap(), shown);
}

/// Half a turn per second, 20 degrees to both sides of 25, on two joints of a finger.
fn waving(time: f64) -> (StrandScene, HashMap<String, Mesh>) {
    let (mut scene, meshes) = Preset { digit: Some(0), condition: Condition::Intact, bands: false }.scene().unwrap();
    for joint in ["MCP", "PIP"] {
        let key = |k: u32| {
            let time = Real::from(k) / 48.0;
            GoalValueElement { time, value: wave(time), line: Line(0) }
        };
        scene.goal_motions.push(GoalMotionElement {
            name: None,
            joint: joint.into(),
            axis: AxisName::TurnZ,
            weight: 1.0,
            time,
            keys: (0..=4 * 48).map(key).collect(),
            line: Line(0),
        });
    }
    (scene, meshes)
}

fn wave(time: Real) -> Real {
    25.0 - 20.0 * (PI * time).cos()
}

/// How far two joints of a finger are off their goals at worst after the first second, and how much an activation changes from
/// frame to frame; with goals set ahead, or as they are.
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
            let change = play.state.activations.iter().zip(&before).map(|(a, b): (&Real, &Real)| (a - b).abs());
            restless = change.fold(restless, Real::max);
        }
    }
    [most, restless]
}

#[test]
fn goals_are_followed_within_a_degree() {
    for fps in [24.0, 48.0] {
        for ahead in [false, true] {
            for time in [0.05, 0.04, 0.03, 0.02] {
                let [most, restless] = off(time, fps, ahead);
                println!("{fps} fps, ahead {ahead}, time {time}: {most:.2} degrees off, activations change by up to {restless:.4}");
            }
        }
    }
}

/// Two hanging rods with a cord and a spring, said in metres with y up, or in centimetres with z up.
fn hanging(centimetres: bool) -> String {
    let p = |x: Real, y: Real, z: Real| match centimetres {
        true => format!("{} {} {}", 100.0 * x, -100.0 * z, 100.0 * y),
        false => format!("{x} {y} {z}"),
    };
    let (space, unit) = if centimetres { ("<space metres_per_unit=\"0.01\" up=\"z\"/>", 100.0) } else { ("", 1.0) };
    let size = if centimetres { "30 2 4" } else { "0.3 0.04 0.02" };
    let moments = if centimetres { "1e-3 3e-3 2e-3" } else { "1e-3 2e-3 3e-3" };
    // Hinges about the z axis of the world with y up.
    let turn = if centimetres { "turn=\"x 1 0 0 y 0 0 1\"" } else { "" };
    scene(&format!(
        r#"{space}
<body name="rod" at="{rod}" angular_velocity="{spin}"><cuboid size="{size}"/></body>
<body name="load" at="{load}"><inertia mass="0.2" moments="{moments}" centre="{centre}"/></body>
<body name="crane" mode="led" at="{crane}"><key time="0.5" at="{there}" turn="{turned}"/></body>
<joint name="hinge" child="rod" at="{hinge}" {turn}><axis name="turn_z" start="10"/></joint>
<joint name="slide" parent="crane" child="load" at="{load}" {turn}><axis name="move_x" may="{low} {high}" stiffness="3" damping="0.1" rest="{rest}"/><axis name="turn_x"/></joint>
<point name="end" at="{end}" on="rod"/><point name="ring" at="{ring}" on="crane"/><point name="hook" at="{load}" on="load"/>
<strand name="cord" stiffness="200" radius="{radius}" density="1000" axial_damping="0.01"><node point="end"/><node point="ring"/><node point="hook"/></strand>
<lengthen time="0.1" strand="cord" segment="0" by="{by}" over="0.2"/>"#,
        rod = p(0.15, 0.0, 0.0),
        spin = if centimetres { "0 -90 0" } else { "0 0 90" },
        load = p(0.5, -0.3, 0.0),
        centre = if centimetres { "0 0 1" } else { "0 0.01 0" },
        crane = p(0.5, 0.5, 0.0),
        there = p(0.55, 0.5, 0.1),
        turned = if centimetres { "0 -20 0" } else { "0 0 20" },
        hinge = p(0.0, 0.0, 0.0),
        low = -0.1 * unit,
        high = 0.2 * unit,
        rest = 0.02 * unit,
        end = p(0.3, 0.0, 0.0),
        ring = p(0.4, 0.4, 0.0),
        radius = 0.002 * unit,
        by = 0.05 * unit,
    ))
}

#[test]
fn units_and_the_up_axis_do_not_matter() {
    let (mut here, mut there) = (Play::new(build(&hanging(false)), 24.0), Play::new(build(&hanging(true)), 24.0));
    let mut off: Real = 0.0;
    for frame in 0..12 {
        if frame > 0 {
            [&mut here, &mut there].into_iter().for_each(Play::frame);
        }
        for (a, b) in here.state.places.iter().zip(&there.state.places) {
            off = off.max((a - b).norm());
        }
        // What comes out is in the scene's space.
        for (b, name) in ["rod", "load", "crane"].iter().enumerate() {
            let [m, s] = [&here, &there].map(|play| play.built.shown(b, &play.state.bodies[b].place));
            let space = there.built.space;
            off = off.max((space.affine_in(&s) - m).amax());
            assert!(off < 1e-9, "{name} in frame {frame}: {s} {m}");
        }
        let joints = |play: &Play| {
            let all = play.built.model.parts().joints.iter();
            all.map(|joint| play.built.motions(joint, &play.state)).collect::<Vec<_>>()
        };
        for (m, s) in joints(&here).iter().zip(joints(&there)) {
            (0..6).for_each(|k| off = off.max((m[k] - if k < 3 { s[k] } else { 0.01 * s[k] }).abs()));
        }
    }
    println!("centimetres with z up: {off:.1e} off");
    assert!(off < 1e-9, "{off:e}");
    let text = hanging(true).replace("0.01\" up", "0\" up");
    refused(&text, Kind::OutOfRange, 2, "space", "metres per unit");
}

#[test]
fn places_in_the_axes_of_bodies_are_those_of_the_world() {
    let relative = scene(
        r#"<body name="b" at="0 0.2 0" in="a"><cuboid size="0.1 0.1 0.1"/></body>
<body name="a" mode="led" at="1 0 0" turn="0 0 90"/>
<point name="p" at="0.1 0 0" in="b" on="b"/><point name="q" at="3 0 0" on="world"/>
<joint name="j" parent="a" child="b" at="0 0.1 0" turn="xyz 0 0 -90" in="a"><axis name="turn_x"/></joint>
<strand name="s" stiffness="1"><node point="p"/><node point="q"/></strand>"#,
    );
    let built = build(&relative);
    let state = State::new(&built.model);
    close(built.axes(0, &state.bodies[0].place).origin, Vec3::new(0.8, 0.0, 0.0));
    close(state.places[0], Vec3::new(0.8, 0.1, 0.0));
    let [frame, _] = built.model.parts().joints[0].frames(|b| state.bodies[b].place);
    close(frame.origin, Vec3::new(0.9, 0.0, 0.0));
    close(frame.direction(&Vec3::x()), Vec3::x());
    let ring = relative.replace("at=\"1 0 0\" turn", "in=\"b\" at=\"1 0 0\" turn");
    refused(&ring, Kind::Topology, 3, "body", "in a ring");
    let nobody = relative.replace("in=\"b\" on", "in=\"c\" on");
    refused(&nobody, Kind::NotFound, 4, "point", "there is no body \"c\"");
}

/// Plays a scene and its mirror image, and tells how far they are from each other.
fn mirrored(text: &str, axis: usize, frames: u32) -> Real {
    let scene: StrandScene = xml::parse(text).unwrap();
    let (other, meshes) = scene.mirrored(axis, &HashMap::new()).unwrap();
    assert_eq!(xml::parse::<StrandScene>(&xml::write(&other)).unwrap(), other);
    let mut here = Play::new(build(text), 24.0);
    let mut there = Play::new(other.build(&meshes).unwrap(), 24.0);
    let flip = |mut p: Vec3| {
        p[axis] = -p[axis];
        p
    };
    let mut off: Real = 0.0;
    for frame in 0..=frames {
        if frame > 0 {
            [&mut here, &mut there].into_iter().for_each(Play::frame);
        }
        for (a, b) in here.state.places.iter().zip(&there.state.places) {
            off = off.max((flip(*a) - b).norm());
        }
        for (a, b) in here.state.activations.iter().zip(&there.state.activations) {
            off = off.max((a - b).abs());
        }
        for b in 0..here.state.bodies.len() {
            let [a, m] = [&here, &there].map(|play| play.built.axes(b, &play.state.bodies[b].place));
            let corner = Vec3::new(0.1, 0.2, 0.3);
            off = off.max((flip(a.point(&corner)) - m.point(&flip(corner))).norm());
        }
    }
    let moved = (here.state.places[0] - here.built.model.parts().points[0].place).norm();
    println!("mirror {axis}: {off:.1e} off after {frames} frames; the first point went {moved:.3} m");
    off
}

#[test]
fn a_mirrored_scene_moves_mirrored() {
    // Its joints have limits and springs on one side only; a ring, a plane with a normal, a led body that turns.
    let text = scene(
        r#"<settings gravity="1 -9.81 2"/>
<body name="arm_L" mode="led" at="0.1 0.2 0.3" turn="10 20 30"><key time="0.4" at="0.2 0.2 0.25" turn="20 -10 60"/></body>
<body name="hand_L" at="0.2 0.25 0.35" turn="5 0 20" angular_velocity="50 -30 80"><cuboid size="0.1 0.02 0.05"/></body>
<body name="floor" mode="held" at="0 -0.5 0"><cuboid size="4 0.1 4"/></body>
<body name="box" at="0.3 -0.35 0.1" turn="10 5 0" velocity="0.4 0 0.1"><cuboid size="0.1 0.15 0.2"/></body>
<joint name="wrist_L" parent="arm_L" child="hand_L" at="0.15 0.2 0.33" turn="zyx 10 20 30"><axis name="turn_x" may="-20 60" stiffness="0.01" damping="1e-3" rest="20" start="15"/><axis name="turn_z" may="-15 40" start="-5"/><axis name="move_y" may="-0.01 0.02" stiffness="50" damping="1" rest="0.01"/></joint>
<point name="tip" at="0.25 0.26 0.36" on="hand_L"/><point name="bead" at="0.4 0 0"/><point name="low" at="0.5 -0.1 0.1"/>
<circle name="ring" at="0.3 0 0" turn="0 40 0" radius="0.1"/>
<plane name="table" on="floor" at="0 -0.15 0" turn="-90 0 10"/>
<strand name="cord_L" stiffness="100" density="2000" radius="0.003" axial_damping="0.01" lateral_damping="1"><node point="tip"/><node point="bead"/><node point="low"/></strand>
<on_curve point="bead" curve="ring"/>
<in_plane point="low" plane="table" relation="above"/>
<muscle name="pull_L" point="bead" curve="ring" strength="2" damping="0.5"><activation time="0.3" value="0.8"/></muscle>
"#,
    );
    // The circle's start has to be where the bead is: at 0 degrees, turned by 40 about y.
    let bead = Rotation::from_scaled_axis(Vec3::y() * 40f64.to_radians()) * Vec3::x() * 0.1 + Vec3::x() * 0.3;
    let text = text.replace("name=\"bead\" at=\"0.4 0 0\"", &format!("name=\"bead\" at=\"{} {} {}\"", bead.x, bead.y, bead.z));
    for axis in 0..3 {
        assert!(mirrored(&text, axis, 12) < 1e-7);
    }
    assert!(mirrored(include_str!("../examples/strand/reach.xml"), 0, 24) < 1e-6);
    let scene: StrandScene = xml::parse(&text).unwrap();
    let (other, _) = scene.mirrored(0, &HashMap::new()).unwrap();
    assert_eq!((other.bodies[0].name.as_str(), other.points[0].on.as_str()), ("arm_R", "hand_R"));
    assert_eq!(other.joints[0].axes[1].may.text().unwrap(), "-40 15");
    let (back, _) = other.mirrored(0, &HashMap::new()).unwrap();
    assert_eq!(back.bodies[1].name, "hand_L");
    let left: Vec<Real> = [&scene, &back].map(|s| s.bodies[1].turn.rotation().angle()).to_vec();
    assert!((left[0] - left[1]).abs() < 1e-12);
}
