//! Scenes of strands: every element is read, written and built, and mistakes are refused by line and element.

use proptest::prelude::*;
use sinew::error::{Error, Kind};
use sinew::formats::xml;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::scene::schema::{Attribute, Count, Element, ElementSchema, Need, Tree};
use sinew::scene::strand::StrandScene;
use sinew::strand::parts::{Aim, Belly, Carrier, CurveShape, Effort, End, Lie, Mode, Motion, Pull};
use std::collections::HashMap;

const EVERYTHING: &str = include_str!("../fuzz/corpus/strand_scene/everything");

const GOALS: &str = include_str!("../fuzz/corpus/strand_scene/goals");

const PLACED: &str = include_str!("../fuzz/corpus/strand_scene/placed");

fn bone() -> HashMap<String, Mesh> {
    // A cuboid that is not around its origin.
    let mut mesh = shapes::cuboid(&Vec3::new(0.05, 0.4, 0.06));
    mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(0.0, 0.2, 0.0));
    HashMap::from([("bone.obj".to_string(), mesh)])
}

fn broken(scene: &str, from: &str, to: &str) -> Error {
    assert!(scene.contains(from), "{from}");
    let built = xml::parse::<StrandScene>(&scene.replacen(from, to, 1)).and_then(|s| s.build(&bone()));
    built.err().unwrap_or_else(|| panic!("{to} is taken"))
}

/// The elements and attributes of a table, as `element attribute`.
fn table(schema: &ElementSchema, out: &mut Vec<String>) {
    out.extend(schema.attributes.iter().map(|a| format!("{} {}", schema.name, a.name)));
    (schema.children)().iter().for_each(|child| table(child.element, out));
}

fn used(tree: &Tree, out: &mut Vec<String>) {
    out.extend(tree.attributes.iter().map(|(name, _)| format!("{} {name}", tree.name)));
    tree.children.iter().for_each(|child| used(child, out));
}

#[test]
fn every_element_and_attribute_is_read_and_comes_back() {
    let scenes = [GOALS, EVERYTHING, PLACED].map(|text| xml::parse::<StrandScene>(text).unwrap());
    let (mut all, mut there) = (Vec::new(), Vec::new());
    table(StrandScene::schema(), &mut all);
    for scene in &scenes {
        assert_eq!(&xml::parse::<StrandScene>(&xml::write(scene)).unwrap(), scene);
        used(&scene.to_tree(), &mut there);
    }
    let missing: Vec<_> = all.iter().filter(|name| !there.contains(name)).collect();
    assert!(missing.is_empty(), "the samples lack {missing:?}");
    let scene = &scenes[1];
    let json = serde_json::to_value(scene).unwrap();
    assert_eq!(json["joints"][0]["axes"][0]["may"], "-10 90");
    assert_eq!(json["settings"]["gravity"], serde_json::json!([0.0, -9.81, 0.0]));
}

#[test]
fn what_a_scene_says_is_built() {
    let scene: StrandScene = xml::parse(EVERYTHING).unwrap();
    let built = scene.build(&bone()).unwrap();
    let parts = built.model.parts();
    assert_eq!(
        parts.bodies.iter().map(|b| b.mode).collect::<Vec<_>>(),
        [Mode::Removed, Mode::Free, Mode::Removed]
    );
    // The mesh's centre of mass is 0.2 above the file's origin, which is turned by ten degrees.
    let (bone, turn) = (&parts.bodies[1], (10.0 as Real).to_radians());
    let centre = Vec3::new(-0.2 * turn.sin(), 0.2 + 0.2 * turn.cos(), 0.0);
    assert!((bone.place.origin - centre).norm() < 1e-12, "{}", bone.place.origin);
    assert!((bone.mass - 1800.0 * 0.05 * 0.4 * 0.06).abs() < 1e-12);
    let back = built.axes(1, &bone.place);
    assert!((back.origin - Vec3::new(0.0, 0.2, 0.0)).norm() < 1e-12);
    assert!(bone.solid.as_ref().unwrap().centroid().norm() < 1e-12);
    assert_eq!(parts.points[0].carrier, Carrier::Body(1));
    let CurveShape::Line(from, _) = parts.curves[0].shape else { panic!("no line") };
    // The centre of mass of the arm is at 0.51.
    assert!((from - Vec3::new(-0.51, 0.3, 0.0)).norm() < 1e-12, "{from}");
    assert!(matches!(&parts.planes[0].lie, Lie::Blending([1, 2], _, weight) if *weight == 0.3));
    let joint = &parts.joints[0];
    assert_eq!(
        joint.axes[2].motion,
        Motion::Limited((-10.0 as Real).to_radians(), (90.0 as Real).to_radians())
    );
    assert_eq!((joint.axes[0].motion, joint.axes[3].motion), (Motion::Free, Motion::Held));
    assert!(joint.motions(|b| parts.bodies[b].place).iter().all(|m| m.abs() < 1e-12));
    let tendon = &parts.strands[0];
    let material: Vec<Real> = tendon.nodes.iter().map(|n| n.material).collect();
    let expected = [0.0, 0.2 / 1.01, 0.4, 0.4 + 0.1 / 1.01];
    assert!(material.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{material:?}");
    let area = std::f64::consts::PI * 4e-6;
    assert!((tendon.fibre.stiffness / (1e9 * area) - 1.0).abs() < 1e-12);
    assert!((tendon.fibre.line_density / (1100.0 * area) - 1.0).abs() < 1e-12);
    assert_eq!(built.rules, ["sewn", "tied", "runs", "flat", "off"]);
    let at = |time: Real| built.axes(2, &built.led(time)[2]).origin.x;
    for (time, x) in [(0.0, 0.5), (0.25, 0.55), (0.5, 0.6), (1.0, 0.5), (9.0, 0.5)] {
        assert!((at(time) - x).abs() < 1e-12, "{time}: {}", at(time));
    }
    let pulls = |time: Real| built.script.activations(time).collect::<Vec<_>>();
    assert_eq!([0.0, 0.1, 0.2, 1.0].map(|time| pulls(time)[0]), [0.5, 0.75, 1.0, 1.0]);
    let names: Vec<&str> = parts.muscles.iter().map(|muscle| muscle.name.as_str()).collect();
    assert_eq!((names, pulls(1.0)), (vec!["puller", "winch", "belly"], vec![1.0, 0.7, 0.9]));
    let belly = Belly { stiffness: 6.0, rest: 0.01, damping: 2.0, fading: 0.5 };
    assert_eq!(parts.muscles[1].pull, Pull::Reel { strand: 2, end: End::First, belly });
}

#[test]
fn mistakes_name_line_and_element() {
    for (from, to, kind, element, words) in [
        ("on=\"bone\"/>", "on=\"bonny\"/>", Kind::NotFound, "point", "there is no body \"bonny\""),
        ("name=\"b\" at", "name=\"a\" at", Kind::Parse, "point", "duplicate point \"a\""),
        ("\"cord\"", "\"co,rd\"", Kind::Parse, "strand", "holds a comma"),
        ("\"ground\" mode", "\"world\" mode", Kind::InvalidArgument, "body", "is reserved"),
        ("point=\"b\" kind", "point=\"z\" kind", Kind::NotFound, "strand/node", "no point \"z\""),
        ("young=\"1e9\"", "", Kind::MissingInput, "strand", "either young or stiffness"),
        ("young=\"1e9\"", "young=\"1e9\" stiffness=\"1e3\"", Kind::OutOfRange, "strand", "are both given"),
        ("prestrain=\"0.01\"", "prestrain=\"-1\"", Kind::OutOfRange, "strand", "prestrain"),
        ("name=\"turn_x\"", "name=\"turn_z\"", Kind::Parse, "joint/axis", "already has an axis"),
        ("name=\"turn_x\"", "name=\"spin\"", Kind::Parse, "axis", "turn_x, turn_y"),
        ("\"-10 90\"", "\"90 -10\"", Kind::OutOfRange, "joint/axis", "in the wrong order"),
        ("time=\"1\"", "time=\"0.5\"", Kind::OutOfRange, "body/key", "not after 0.5"),
        ("value=\"1\"", "value=\"2\"", Kind::OutOfRange, "muscle/activation", "between 0 and 1"),
        ("mode=\"led\" at", "at", Kind::InvalidArgument, "body", "keys but is not led"),
        ("bone.obj", "none.obj", Kind::MissingInput, "body/shape", "none.obj was not read"),
        (
            "mass=\"2\" moments=\"0.01 0.01 0.015\"",
            "mass=\"2\" moments=\"1 2\"",
            Kind::Parse,
            "inertia",
            "three",
        ),
        ("second=\"ground\"", "second=\"bone\"", Kind::Topology, "contact", "a body and itself"),
        ("weight=\"0.3\"", "weight=\"3\"", Kind::OutOfRange, "plane", "outside 0..1"),
        ("and_on=\"arm\" ", "", Kind::MissingInput, "plane", "need and_on"),
        ("radius=\"0.1\"", "radius=\"0\"", Kind::Degenerate, "circle", "has no length"),
        ("step=\"0.0005\"", "step=\"0\"", Kind::OutOfRange, "settings", "the step is 0 s"),
        ("curve=\"rail\"/>", "curve=\"middle\"/>", Kind::NotFound, "on_curve", "no curve \"middle\""),
        ("first=\"c\" second=\"e\"", "first=\"c\" second=\"c\"", Kind::Topology, "link", "itself"),
        ("size=\"0.1 0.1 0.1\"", "size=\"0.1 0 0.1\"", Kind::OutOfRange, "body/cuboid", "sides"),
        ("name=\"flat\"", "name=\"tied\"", Kind::Parse, "in_plane", "duplicate rule \"tied\""),
        ("segment=\"0\" strength", "segment=\"4\" strength", Kind::NotFound, "hill", "no segment 4 of 1"),
        (
            "optimal=\"0.1\"",
            "optimal=\"0\"",
            Kind::OutOfRange,
            "hill",
            "length or speed that is not positive",
        ),
        ("value=\"0.9\"", "value=\"9\"", Kind::OutOfRange, "hill/activation", "between 0 and 1"),
        (
            "\"belly\" strand=\"cord\" segment=\"0\"",
            "\"belly\" strand=\"tendon\" segment=\"0\"",
            Kind::Degenerate,
            "hill",
            "material slides",
        ),
        ("strand=\"sheet\" end", "strand=\"shroud\" end", Kind::NotFound, "reel", "no strand \"shroud\""),
        ("end=\"first\"", "end=\"last\"", Kind::Degenerate, "reel", "no material slides"),
        ("end=\"first\"", "end=\"middle\"", Kind::Parse, "reel", "first or last"),
        ("strength=\"30\"", "strength=\"-30\"", Kind::OutOfRange, "reel", "negative strength"),
        ("damping=\"2\" fading", "damping=\"0\" fading", Kind::OutOfRange, "reel", "no damping"),
        ("damping=\"2\" fading", "fading", Kind::Parse, "reel", "damping"),
        ("name=\"winch\"", "name=\"puller\"", Kind::Parse, "reel", "duplicate muscle"),
        ("name=\"belly\"", "name=\"puller\"", Kind::Parse, "hill", "duplicate muscle"),
        (
            "strand=\"cord\" segment=\"0\"/>",
            "strand=\"rope\" segment=\"0\"/>",
            Kind::NotFound,
            "cut",
            "no strand \"rope\"",
        ),
        (
            "strand=\"cord\" segment=\"0\"/>",
            "strand=\"cord\" segment=\"1\"/>",
            Kind::NotFound,
            "cut",
            "no segment 1 of 1",
        ),
        ("segment=\"2\"", "segment=\"3\"", Kind::NotFound, "lengthen", "no segment 3 of 3"),
        ("over=\"0.1\"", "over=\"-1\"", Kind::OutOfRange, "lengthen", "over is -1 s"),
        (
            "time=\"0.7\" joint=\"hinge\"",
            "time=\"-1\" joint=\"hinge\"",
            Kind::OutOfRange,
            "release",
            "before the start",
        ),
        ("joint=\"hinge\"/>", "joint=\"knee\"/>", Kind::NotFound, "release", "no joint \"knee\""),
        ("rule=\"tied\"", "rule=\"untied\"", Kind::NotFound, "release", "no rule \"untied\""),
        ("contact=\"touch\"", "", Kind::MissingInput, "release", "one of joint, rule, contact"),
    ] {
        refused(EVERYTHING, from, to, kind, element, words);
    }
}

fn refused(scene: &str, from: &str, to: &str, kind: Kind, element: &str, words: &str) {
    let line = scene.split(from).next().unwrap().lines().count() as u64;
    let error = broken(scene, from, to);
    assert_eq!(error.kind(), kind, "{to}: {error}");
    assert!(error.message().contains(words), "{to}: {error}");
    assert_eq!(error.place().line, Some(line), "{to}: {error}");
    assert!(error.place().element.as_ref().unwrap().ends_with(element), "{to}: {error}");
}

#[test]
fn goals_go_from_key_to_key() {
    let scene: StrandScene = xml::parse(GOALS).unwrap();
    let built = scene.build(&HashMap::new()).unwrap();
    assert_eq!(built.goals, ["bend", "tip"]);
    let settings = built.model.settings();
    assert_eq!(settings.effort, Effort { effort: 0.02, smooth: 0.3, hold: 0.005, tone: 0.002 });
    let degree = (1.0 as Real).to_radians();
    for (time, angle, height) in
        [(0.0, 0.0, 0.0), (0.25, 10.0, 0.05), (0.5, 20.0, 0.1), (0.75, 5.0, 0.1), (9.0, -10.0, 0.1)]
    {
        let [bend, tip] = built.script.goals(time)[..] else { panic!("two goals") };
        let Aim::Motion { joint: 0, axis: 2, goal } = bend.aim else { panic!("{bend:?}") };
        assert!((goal - angle * degree).abs() < 1e-12, "{time}: {goal}");
        let Aim::Place { body: 1, local, goal } = tip.aim else { panic!("{tip:?}") };
        assert!((local - Vec3::new(0.1, 0.0, 0.0)).norm() < 1e-12);
        assert!((goal - Vec3::new(0.2, height, 0.0)).norm() < 1e-12, "{time}: {goal}");
        assert_eq!([bend.weight, bend.time, tip.weight, tip.time], [2.0, 0.1, 10.0, 0.2]);
    }
}

#[test]
fn goals_that_cannot_be_pursued_name_line_and_element() {
    for (from, to, kind, element, words) in [
        ("joint=\"hinge\" axis", "joint=\"knee\" axis", Kind::NotFound, "goal_motion", "no joint \"knee\""),
        (
            "axis=\"turn_z\" weight",
            "axis=\"move_x\" weight",
            Kind::InvalidArgument,
            "goal_motion",
            "has no free move_x: no goal can move it",
        ),
        ("weight=\"2\"", "weight=\"0\"", Kind::OutOfRange, "goal_motion", "goal \"bend\": weight and time"),
        ("time=\"0.2\"", "time=\"-1\"", Kind::OutOfRange, "goal_place", "goal \"tip\": weight and time"),
        ("body=\"arm\" at", "body=\"leg\" at", Kind::NotFound, "goal_place", "no body \"leg\""),
        ("body=\"arm\" at", "body=\"wall\" at", Kind::InvalidArgument, "goal_place", "is not free"),
        ("name=\"tip\"", "name=\"bend\"", Kind::Parse, "goal_place", "duplicate goal \"bend\""),
        ("time=\"1\" value", "time=\"0.4\" value", Kind::OutOfRange, "goal_motion/to", "not after 0.5"),
        ("hold=\"0.005\"", "hold=\"-1\"", Kind::OutOfRange, "settings", "less than 0"),
        (
            "strength=\"100\"",
            "strength=\"100\" activation=\"0.1\"",
            Kind::InvalidArgument,
            "muscle",
            "muscle \"puller\" has an activation, but goals choose",
        ),
    ] {
        refused(GOALS, from, to, kind, element, words);
    }
    let muscle = r#"<muscle name="puller" point="belly" curve="rail" strength="100"/>"#;
    let error = broken(GOALS, muscle, "");
    assert!(error.message().contains("there are none") && error.place().line == Some(19), "{error}");
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        // An LCG of Knuth; its high bits are good enough to choose by.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn number(&mut self) -> String {
        let bits = self.below(1 << 31) << 33 | self.below(1 << 31) << 2;
        let any = Real::from_bits(bits);
        let number =
            if any.is_finite() && self.below(4) == 0 { any } else { self.below(2000) as Real / 64.0 - 9.0 };
        number.text().unwrap()
    }

    fn numbers(&mut self, count: usize) -> String {
        (0..count).map(|_| self.number()).collect::<Vec<_>>().join(" ")
    }

    /// A value such as the table expects.
    fn value(&mut self, expected: &str) -> String {
        match expected {
            "a number" => self.number(),
            "three numbers" => self.numbers(3),
            "a whole number from 0" => self.below(3).to_string(),
            "text" => {
                (0..1 + self.below(6)).map(|_| b"ab <&\"'\n\t."[self.below(10) as usize] as char).collect()
            }
            "free, held, or two numbers" => match self.below(3) {
                0 => "free".into(),
                1 => "held".into(),
                _ => self.numbers(2),
            },
            turn if turn.starts_with("a rotation vector") => match self.below(3) {
                0 => self.numbers(3),
                1 => format!("zxy {}", self.numbers(3)),
                // Numbers that are no two directions would not be read.
                _ => format!("z {} 1 0 x 0 0 {}", self.below(9), 1 + self.below(9)),
            },
            version if version.starts_with("1 (") => "1".into(),
            words => {
                let words: Vec<&str> = words.split([',', ' ']).filter(|w| !["", "or"].contains(w)).collect();
                words[self.below(words.len() as u64) as usize].into()
            }
        }
    }

    fn tree(&mut self, schema: &ElementSchema) -> Tree {
        let mut tree = Tree { name: schema.name.into(), ..Tree::default() };
        for attribute in schema.attributes {
            if attribute.need == Need::Required || self.below(2) == 0 {
                tree.attributes.push((attribute.name.into(), self.value(attribute.expected)));
            }
        }
        for child in (schema.children)() {
            let count = match child.count {
                Count::One => 1,
                Count::Optional => self.below(2),
                Count::Many => self.below(4),
            };
            (0..count).for_each(|_| tree.children.push(self.tree(child.element)));
        }
        tree
    }
}

proptest! {
    #[test]
    fn any_scene_comes_back_exactly_and_is_built_or_refused(seed: u64) {
        let tree = Random(seed).tree(StrandScene::schema());
        let scene = StrandScene::from_tree(&tree).unwrap();
        let text = xml::write(&scene);
        let back = xml::parse::<StrandScene>(&text).unwrap();
        prop_assert_eq!(&back, &scene);
        prop_assert_eq!(xml::write(&back), text);
        let mut back = back;
        if seed % 8 > 0 {
            // A scene with an armature cannot be built before the armature has been read.
            back.armatures.clear();
        }
        if let Err(error) = back.build(&HashMap::new()) {
            prop_assert!(error.place().line.is_some() && error.place().element.is_some(), "{}", error);
        }
    }
}

#[test]
fn every_row_has_an_owner() {
    let scene: StrandScene = xml::parse(EVERYTHING).unwrap();
    let built = scene.build(&bone()).unwrap();
    let owners: Vec<_> = (0..built.model.rows()).map(|row| built.model.owner_of_row(row).unwrap()).collect();
    use sinew::strand::RowOwner::{Contact, Joint, Node, Rule, Segment};
    // The joint has five motions that are not free, a friction and a spring.
    let mut expected = vec![Node(0, 2)];
    expected.extend([Joint(0); 7]);
    for (rule, rows) in [3, 3, 3, 1, 1].into_iter().enumerate() {
        expected.extend(vec![Rule(rule); rows]);
    }
    expected.extend([Segment(0, 0), Segment(0, 1), Segment(0, 2), Segment(2, 0)]);
    expected.extend([Contact(0); 7]);
    assert_eq!(owners, expected);
    assert_eq!(built.model.owner_of_row(built.model.rows()), None);
}
