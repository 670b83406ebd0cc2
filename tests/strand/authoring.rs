//! What authors of strand scenes lean on: defaults that mean what they seem to, starts, keys at 0, mistakes by line.

use crate::strand_play::{Play, build, close, refused, scene};
use sinew::error::Kind;
use sinew::formats::{strand_state, xml};
use sinew::math::{Real, Rotation, Vec3};
use sinew::scene::strand::{SettingsElement, StrandScene};
use sinew::strand::model::Model;
use sinew::strand::parts::{Aim, Effort, Mode};
use sinew::strand::state::State;

const WEIGHT: &str = include_str!("../../examples/strand/weight.xml");

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
        ("at=\"0 0 0\"", "at=\"0 1e20 0\"", "point", "at is 1e20; the limit is 1e9"),
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
<point name=\"c\" at=\"2 0 0\"/><point name=\"d\" at=\"3 0 0\" on=\"bone\"/><point name=\"e\" at=\"4 0 0\" \
on=\"world\"/>
<strand name=\"s\" stiffness=\"1\"><node point=\"a\"/><node point=\"b\"/><node point=\"c\"/><node point=\"d\"/><node \
point=\"e\"/></strand>
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
    let goals = include_str!("../fuzz/corpus/strand_scene/goals");
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

#[test]
fn joints_start_where_they_are_reported_with_all_that_hangs_on_them() {
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
    (0..12).for_each(|_| drop(play.frame()));
    assert!((play.motion("elbow", 2) - 90.0).abs() < 0.5, "nothing pulls: {}", play.motion("elbow", 2));
    for (start, element, words) in [
        (
            "start=\"130\"",
            "joint",
            "limits its turn about z from -10 to 120 degrees, but it is 130 at the start",
        ),
        (
            "start=\"270\"",
            "joint",
            "limits its turn about z from -10 to 120 degrees, but it is 270 at the start",
        ),
    ] {
        refused(&arm(start, ""), Kind::OutOfRange, 6, element, words);
    }
    let text = arm("", "").replace("may=\"-60 60\"", "may=\"held\" start=\"5\"");
    refused(&text, Kind::InvalidArgument, 7, "joint/axis", "has no free turn_y: it cannot start elsewhere");
    let text = arm("start=\"20\"", "").replace("<body name=\"fore\"", "<body name=\"fore\" mode=\"held\"");
    refused(&text, Kind::InvalidArgument, 6, "joint/axis", "body \"fore\" is not free");
    // A second joint between the same bodies does not define the start, and must not be pulled apart.
    let second = "<joint name=\"second\" parent=\"upper\" child=\"fore\" at=\"0 0 0\"><axis name=\"turn_z\" \
            AXIS/></joint>";
    let with = |axis: &str, start: &str| {
        arm(start, "")
            .replace("<point name=\"tip\"", &(second.replace("AXIS", axis) + "\n<point name=\"tip\""))
    };
    refused(&with("start=\"5\"", ""), Kind::InvalidArgument, 8, "joint/axis", "is set by joint \"elbow\"");
    refused(
        &with("may=\"held\"", "start=\"20\""),
        Kind::InvalidArgument,
        8,
        "joint",
        "would be pulled apart",
    );
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
    let goals = include_str!("../fuzz/corpus/strand_scene/goals");
    let text = goals.replace(
        "<to time=\"0.5\" value=\"20\"/>",
        "<to time=\"0\" value=\"10\"/><to time=\"0.5\" value=\"20\"/>",
    );
    let values = |time: Real| match build(&text).script.goals(time)[0].aim {
        Aim::Motion { goal, .. } => goal.to_degrees(),
        Aim::Place { .. } => panic!("a place"),
    };
    assert!((values(0.0) - 10.0).abs() < 1e-12 && (values(0.25) - 15.0).abs() < 1e-12);
    let everything = include_str!("../fuzz/corpus/strand_scene/goals")
        .lines()
        .filter(|line| !["<to", "<goal", "</goal"].iter().any(|word| line.trim().starts_with(word)))
        .collect::<Vec<_>>()
        .join("\n")
        .replace(
            "strength=\"100\"/>",
            "strength=\"100\" activation=\"0.9\"><activation time=\"0\" value=\"0.2\"/><activation time=\"1\" \
             value=\"0.4\"/></muscle>",
        );
    let built = build(&everything);
    let pulls = [0.0, 0.5, 2.0].map(|time| built.script.activations(time).next().unwrap());
    assert!(pulls.iter().zip([0.2, 0.3, 0.4]).all(|(a, b)| (a - b).abs() < 1e-12), "{pulls:?}");
}

#[test]
fn goals_start_from_where_joints_start() {
    let goals = include_str!("../fuzz/corpus/strand_scene/goals");
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
    (0..50).for_each(|_| drop(play.frame()));
    let place = play.state.bodies[0].place;
    println!("after 1 s: {:.4}", place.origin.transpose());
    // A step of h loses g h t / 2.
    assert!((place.origin - Vec3::new(3.0, 1.0 + 4.0 - 5.0, 0.0)).norm() < 0.01, "{}", place.origin);
    let turned = place.rotation * Vec3::x();
    assert!((turned - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-9, "{turned}");
    let led = scene("<body name=\"ball\" mode=\"led\" velocity=\"1 0 0\"/>");
    refused(&led, Kind::InvalidArgument, 2, "body", "is not free: its keys say how it moves");
    // A model made from another model's current state starts at the same place, but at rest.
    let again = Model::new(play.built.model.parts_at(&play.state)).unwrap();
    assert_eq!(State::new(&again).bodies[0].linear, Vec3::zeros());
}

#[test]
fn the_reference_shows_the_defaults_that_count() {
    let (shown, used) = (SettingsElement::default(), Effort::default());
    assert_eq!(
        [shown.effort, shown.smooth, shown.hold, shown.tone],
        [used.effort, used.smooth, used.hold, used.tone]
    );
    let read: StrandScene = xml::parse(&scene("<settings/>")).unwrap();
    assert_eq!(read.settings.unwrap(), shown);
}

#[test]
fn states_record_their_scene_and_their_version() {
    let text = include_str!("../fuzz/corpus/strand_scene/pulley");
    let (built, heavier) = (build(text), build(&text.replacen("mass=\"", "mass=\"1", 1)));
    let saved = strand_state::encode(&built.model, &State::new(&built.model));
    assert_eq!(strand_state::changed(&built.model, &saved).unwrap(), None);
    assert!(strand_state::changed(&heavier.model, &saved).unwrap().unwrap().starts_with("body \""));
    for version in [3, 5] {
        let mut other = saved.clone();
        other[8] = version;
        let end = other.len() - 4;
        let sum = crc32fast::hash(&other[..end]).to_le_bytes();
        other[end..].copy_from_slice(&sum);
        let error = strand_state::decode(&built.model, &other).unwrap_err();
        let reason = format!("has format {version}, this version reads 4: run again from the start");
        assert!(error.message().contains(&reason), "{error}");
    }
}
