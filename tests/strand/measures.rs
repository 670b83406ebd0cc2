//! What the report of `sinew strand` measures: lengths, moment arms, contacts, forces of joints, against answers in
//! closed form.

use crate::strand_folder::{Folder, sinew, text};
use crate::strand_said::Said;
use serde_json::Value;
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::tendons::Tendon;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::control::Control;
use sinew::math::{Real, Vec3};
use sinew::strand::energy::tensions;
use sinew::strand::measures::arms;
use sinew::strand::model::Model;
use sinew::strand::parts::{Axis, CurveShape, Motion, Parts, Pull, Spring};
use sinew::strand::state::State;
use sinew::strand::step::{Inputs, Scratch, step};

const G: Real = 9.81;

/// The frames of the report of a scene.
fn report(scene: &str, seconds: Real, fps: Real) -> Vec<Value> {
    let folder = Folder::new();
    std::fs::write(folder.path("scene.xml"), scene).unwrap();
    let (name, out) = (folder.name("scene.xml"), folder.name("out"));
    let (seconds, fps) = (seconds.to_string(), fps.to_string());
    let output = sinew(&["strand", &name, "--seconds", &seconds, "--fps", &fps, "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_str(&folder.read("out/report.json")).unwrap();
    let frames = report["frames"].as_array().unwrap().clone();
    // Places too: of each body in each frame.
    let bodies: Value = serde_json::from_str(&folder.read("out/bodies.json")).unwrap();
    let with = |(frame, row): (Value, &Value)| {
        let mut frame = frame["details"].clone();
        frame["bodies"] = row["bodies"].clone();
        frame
    };
    frames.into_iter().zip(bodies.as_array().unwrap()).map(with).collect()
}

fn number(value: &Value) -> Real {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

fn near(what: &str, found: Real, expected: Real, limit: Real) {
    assert!((found - expected).abs() <= limit, "{what}: {found} instead of {expected}");
}

#[test]
fn a_weight_on_a_wheel_has_the_wheels_radius_as_its_arm() {
    let (radius, drop) = (0.04, 0.3);
    for said in Said::all() {
        let scene = said.scene(&format!(
            r#"
<body name="wheel" at="{middle}" turn="{upright}"><inertia mass="1" moments="1e-3 1e-3 1e-3"/></body>
<body name="weight" at="{low}"><inertia mass="0.2" moments="1e-5 1e-5 1e-5"/></body>
<joint name="axle" child="wheel" at="{middle}" turn="{upright}"><axis name="turn_z" stiffness="1000" damping="10"/></joint>
<point name="rim" at="{rim}" on="wheel"/><point name="hook" at="{low}" on="weight"/>
<point name="nail" at="{nail}" on="world"/><point name="hub" at="{middle}" on="wheel"/>
<strand name="cord" stiffness="1e4" prestrain="0.001"><node point="rim"/><node point="hook"/></strand>
<strand name="stay" stiffness="1e4"><node point="hub"/><node point="nail"/></strand>
<strand name="loose" stiffness="1e4"><node point="rim" material="0"/><node point="hub" material="{slack}"/></strand>"#,
            upright = said.upright(),
            middle = said.at(0.0, 0.0, 0.0),
            rim = said.at(radius, 0.0, 0.0),
            low = said.at(radius, -drop, 0.0),
            nail = said.at(0.0, 1.0, 0.0),
            slack = said.length(0.05),
        ));
        let frame = &report(&scene, 0.1, 10.0)[0];
        let unit = said.length(1.0);
        let lengths = &frame["lengths"];
        near("stretched", number(&lengths["cord"]["stretched"]), drop * unit, 1e-9 * unit);
        near("material", number(&lengths["cord"]["material"]), drop / 1.001 * unit, 1e-9 * unit);
        near("slack", number(&lengths["loose"]["stretched"]), radius * unit, 1e-9 * unit);
        near("slack", number(&lengths["loose"]["material"]), 0.05 * unit, 1e-9 * unit);
        // The rim goes up when the wheel turns on: the cord gets longer.
        let arms = &frame["moment_arms"];
        near(said.name, number(&arms["cord"]["axle"]["turn_z"]), -radius * unit, 1e-9 * unit);
        // A cord to the axle itself has a moment arm of 0; one with all of its nodes on the wheel crosses no joint and
        // has none.
        near(said.name, number(&arms["stay"]["axle"]["turn_z"]), 0.0, 1e-12 * unit);
        assert!(arms["loose"].is_null(), "{arms}");
        assert_eq!(
            arms["cord"]["axle"].as_object().unwrap().len(),
            1,
            "only motions that are not held: {arms}"
        );
    }
}

/// A strand from bone to bone over the head of the first, through a node in the plane half-way between them.
struct Knuckle {
    /// The height of the bone above the hinge.
    height: Real,
    from: [Real; 2],
    to: [Real; 2],
    /// Which is the parent of the hinge, and in which order rules stand.
    backwards: bool,
}

impl Knuckle {
    /// Where the plane cuts the upper edge of the bone, and where the strand ends.
    fn node(&self, angle: Real) -> Vec3 {
        Vec3::new(-self.height * (0.5 * angle).tan(), self.height, 0.0)
    }

    fn end(&self, angle: Real) -> Vec3 {
        let ([x, y], (sin, cos)) = (self.to, angle.sin_cos());
        Vec3::new(cos * x - sin * y, sin * x + cos * y, 0.0)
    }

    fn length(&self, angle: Real) -> Real {
        let node = self.node(angle);
        (node - Vec3::new(self.from[0], self.from[1], 0.0)).norm() + (self.end(angle) - node).norm()
    }

    fn scene(&self, said: &Said, angle: Real) -> String {
        let at = |v: Vec3| said.at(v.x, v.y, v.z);
        let (sin, cos) = angle.sin_cos();
        let (parent, child) = if self.backwards { ("distal", "proximal") } else { ("proximal", "distal") };
        let mut rules =
            ["<in_plane point=\"node\" plane=\"cut\"/>", "<off_bone point=\"node\" plane=\"cut\"/>"];
        if self.backwards {
            rules.reverse();
        }
        said.scene(&format!(
            r#"
<settings gravity="0 0 0"/>
<body name="proximal" mode="held" at="{hinge}" turn="{upright}"><cuboid size="{size}"/></body>
<body name="distal" at="{end}"><inertia mass="0.01" moments="1e-5 1e-5 1e-5"/></body>
<joint name="hinge" parent="{parent}" child="{child}" at="{hinge}" turn="{upright}"><axis name="turn_z" may="-80 80"/></joint>
<plane name="cut" on="proximal" at="{hinge}" turn="{across}" and_on="distal" and_turn="{turned}" bone="proximal"/>
<point name="from" at="{from}" on="proximal"/><point name="node" at="{node}"/><point name="end" at="{end}" on="distal"/>
{first}{second}
<strand name="extensor" stiffness="1e4" prestrain="1e-4"><node point="from"/><node point="node" kind="eulerian"/><node point="end"/></strand>"#,
            hinge = said.at(0.0, 0.0, 0.0),
            upright = said.upright(),
            size = said.size(0.1, 2.0 * self.height, 0.03),
            across = said.turn([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
            turned = said.turn([-sin, cos, 0.0], [0.0, 0.0, 1.0]),
            from = said.at(self.from[0], self.from[1], 0.0),
            node = at(self.node(angle)),
            end = at(self.end(angle)),
            first = rules[0],
            second = rules[1],
        ))
    }
}

#[test]
fn an_arm_over_a_bone_is_the_slope_of_the_length() {
    let mut swept: Real = 0.0;
    for said in Said::all() {
        for (backwards, angle) in [(false, -0.9), (true, -0.9), (false, -0.3), (true, -1.3)] {
            let knuckle = Knuckle { height: 0.008, from: [-0.03, 0.009], to: [0.025, 0.006], backwards };
            let frame = &report(&knuckle.scene(&said, angle), 0.001, 1000.0)[0];
            let unit = said.length(1.0);
            let found = number(&frame["lengths"]["extensor"]["stretched"]) / unit;
            near(said.name, found, knuckle.length(angle), 1e-12);
            let by = 1e-5;
            let slope = (knuckle.length(angle + by) - knuckle.length(angle - by)) / (2.0 * by);
            // The hinge of a parent and a child that have changed places turns the other way.
            let expected = if backwards { slope } else { -slope };
            let found = number(&frame["moment_arms"]["extensor"]["hinge"]["turn_z"]) / unit;
            println!("{} at {angle}: {:.6} mm", said.name, 1e3 * found);
            near(said.name, found, expected, 1e-10);
            // With the node fixed where the bone holds it, the arm would be different.
            let node = knuckle.node(angle);
            let stuck = |angle: Real| (knuckle.end(angle) - node).norm();
            swept = swept.max(((stuck(angle + by) - stuck(angle - by)) / (2.0 * by) - slope).abs());
        }
    }
    assert!(swept > 1e-3, "this scene does not distinguish a sliding node from a fixed one: {swept}");
}

/// Where nothing presses a node on to its bone it goes along with its plane, which turns by half the angle.
#[test]
fn a_node_that_is_pulled_off_its_bone_goes_along_with_its_plane() {
    let knuckle = Knuckle { height: 0.008, from: [-0.03, 0.02], to: [0.025, 0.02], backwards: false };
    for (said, angle) in Said::all().iter().zip([-0.3, -0.3, -0.2]) {
        let [from, node, end] =
            [Vec3::new(knuckle.from[0], knuckle.from[1], 0.0), knuckle.node(angle), knuckle.end(angle)];
        let speed = |place: Vec3, turning: Real| (Vec3::z() * turning).cross(&place);
        let [before, after] = [(node - from).normalize(), (end - node).normalize()];
        let pull = after - before;
        assert!(pull.y > 0.1, "the node must be pulled up: {pull}");
        let growth = before.dot(&speed(node, 0.5)) + after.dot(&(speed(end, 1.0) - speed(node, 0.5)));
        let frame = &report(&knuckle.scene(said, angle), 0.001, 1000.0)[0];
        let found = number(&frame["moment_arms"]["extensor"]["hinge"]["turn_z"]) / said.length(1.0);
        near(said.name, found, -growth, 1e-10);
        // On the bone it would stay at its height.
        assert!((pull.y * speed(node, 0.5).y).abs() > 1e-5);
    }
}

#[test]
fn a_slide_takes_its_whole_way_from_a_strand_along_it() {
    for said in Said::all() {
        let scene = said.scene(&format!(
            r#"
<settings gravity="0 0 0"/>
<body name="sled" at="{sled}" turn="{upright}"><inertia mass="1" moments="1e-3 1e-3 1e-3"/></body>
<body name="arm" at="{arm}" turn="{upright}"><inertia mass="1" moments="1e-3 1e-3 1e-3"/></body>
<joint name="rail" child="sled" at="{sled}" turn="{upright}"><axis name="move_x"/></joint>
<joint name="elbow" parent="sled" child="arm" at="{sled}" turn="{upright}"><axis name="turn_z"/></joint>
<point name="wall" at="{wall}" on="world"/><point name="hand" at="{arm}" on="arm"/>
<strand name="cord" stiffness="1e4" prestrain="1e-4"><node point="wall"/><node point="hand"/></strand>"#,
            upright = said.upright(),
            sled = said.at(0.0, 0.0, 0.0),
            arm = said.at(0.0, 0.3, 0.0),
            wall = said.at(0.4, 0.0, 0.0),
        ));
        let arms = &report(&scene, 0.01, 100.0)[0]["moment_arms"]["cord"];
        // From (0.4, 0) to (0, 0.3): 0.5 long. The arm hangs on the sled, and goes along.
        near(said.name, number(&arms["rail"]["move_x"]), 0.8, 1e-12);
        // The hand goes to -x: away from the wall.
        near(said.name, number(&arms["elbow"]["turn_z"]), -0.3 * 0.8 * said.length(1.0), 1e-9);
    }
}

#[test]
fn a_box_at_rest_presses_with_its_weight_wherever_it_stands() {
    let side = 0.1;
    let weight = 1000.0 * side * side * side * G;
    for said in Said::all() {
        // Flat, and held by friction on a slope of 20 degrees: what it bears is upright all the same.
        for (slope, order) in [(0.0, ["floor", "box"]), (0.0, ["box", "floor"]), (0.35, ["floor", "box"])] {
            let (sin, cos) = Real::sin_cos(slope);
            let [x, y] = [[cos, sin, 0.0], [-sin, cos, 0.0]];
            let turn = said.turn(x, y);
            let out = |d: Real| said.at(-sin * d, cos * d, 0.0);
            let scene = said.scene(&format!(
                r#"
<settings step="0.002"/>
<body name="floor" mode="held" at="{floor}" turn="{turn}"><cuboid size="{wide}"/></body>
<body name="box" at="{middle}" turn="{turn}"><cuboid size="{size}"/></body>
<contact name="ground" first="{first}" second="{second}" friction="0.8"/>"#,
                floor = out(-0.05),
                middle = out(0.5 * side),
                wide = said.size(1.0, 0.1, 1.0),
                size = said.size(side, side, side),
                first = order[0],
                second = order[1],
            ));
            let touch = &report(&scene, 0.5, 20.0)[10]["contacts"]["ground"];
            assert_eq!(touch["bodies"], serde_json::json!(order));
            // What the second body bears.
            let up = said.direction(0.0, if order[1] == "box" { weight } else { -weight }, 0.0);
            let off = (vector(&touch["force"]) - up).norm();
            assert!(off < 1e-3 * weight, "{} slope {slope}: {}", said.name, touch["force"]);
            let places = touch["places"].as_array().unwrap();
            let pressing: Real = places.iter().map(|place| number(&place["pressing"])).sum();
            near("pressing", pressing, weight * cos, 1e-3 * weight);
            let moment: Vec3 =
                places.iter().map(|place| vector(&place["at"]) * number(&place["pressing"])).sum();
            let middle = said.point(0.0, 0.0, 0.0);
            let reach = (moment / pressing - middle).norm() / said.length(1.0);
            // On the flat the load is below the centre; on a slope, half a side times tan(slope) downhill of it.
            near("the middle of the load", reach, 0.5 * side * sin / cos, 1e-3);
        }
    }
}

#[test]
fn a_hanging_chain_bears_what_is_below_each_joint() {
    for said in Said::all() {
        let hung = |upper: &str, lower: &str| {
            said.scene(&format!(
                r#"
<body name="a" at="{a}"><inertia mass="0.7" moments="1e-3 1e-3 1e-3"/></body>
<body name="b" at="{b}"><inertia mass="0.4" moments="1e-3 1e-3 1e-3"/></body>
<joint name="upper" {upper} at="{top}"><axis name="turn_x"/><axis name="turn_y"/><axis name="turn_z"/></joint>
<joint name="lower" {lower} at="{middle}"><axis name="turn_x"/><axis name="turn_y"/><axis name="turn_z"/></joint>"#,
                a = said.at(0.0, -0.1, 0.0),
                b = said.at(0.0, -0.3, 0.0),
                top = said.at(0.0, 0.0, 0.0),
                middle = said.at(0.0, -0.2, 0.0),
            ))
        };
        let down = r#"parent="a" child="b""#;
        let up = r#"parent="b" child="a""#;
        for (lower, sign) in [(down, 1.0), (up, -1.0)] {
            let forces = &report(&hung(r#"child="a""#, lower), 0.1, 20.0)[2]["joint_forces"];
            for (joint, expected) in [("upper", 1.1 * G), ("lower", sign * 0.4 * G)] {
                let found = vector(&forces[joint]);
                let off = (found - said.direction(0.0, expected, 0.0)).norm();
                assert!(off < 1e-6, "{} {joint}: {found}", said.name);
            }
        }
    }
}

/// A joint exerts on a body what gravity does not: m (x'' - g), in every step, also while it swings.
#[test]
fn forces_of_swinging_joints_are_those_that_move_the_bodies() {
    let h: Real = 5e-4;
    for said in Said::all() {
        let scene = said.scene(&format!(
            r#"
<settings step="{h}"/>
<body name="a" at="{a}" angular_velocity="{spin}"><inertia mass="0.7" moments="1e-3 1e-3 1e-3"/></body>
<body name="b" at="{b}"><inertia mass="0.4" moments="1e-3 1e-3 1e-3"/></body>
<joint name="upper" child="a" at="{top}" turn="{upright}"><axis name="turn_z" stiffness="0.5" rest="30"/></joint>
<joint name="lower" parent="a" child="b" at="{middle}" turn="{upright}"><axis name="turn_z" friction="0.01"/></joint>"#,
            a = said.at(0.06, -0.08, 0.0),
            b = said.at(0.22, -0.16, 0.0),
            top = said.at(0.0, 0.0, 0.0),
            middle = said.at(0.12, -0.16, 0.0),
            spin = {
                let spin = said.direction(0.0, 0.0, 200.0);
                format!("{} {} {}", spin.x, spin.y, spin.z)
            },
            upright = said.upright(),
        ));
        let frames = report(&scene, 0.2, 1.0 / h);
        let place = |frame: usize, body: &str| {
            let m = &frames[frame]["bodies"][body];
            Vec3::new(number(&m[3]), number(&m[7]), number(&m[11])) / said.length(1.0)
        };
        let mut centripetal: Real = 0.0;
        for frame in [20, 133, 399] {
            let mut bears = |body: &str, mass: Real| {
                let [now, before, earlier] = [0, 1, 2].map(|k| place(frame - k, body));
                centripetal = centripetal.max((now - before).norm_squared() / (h * h) * mass / 0.1);
                ((now - before * 2.0 + earlier) / (h * h) + said.direction(0.0, G, 0.0)) * mass
            };
            let (a, b) = (bears("a", 0.7), bears("b", 0.4));
            let forces = &frames[frame]["joint_forces"];
            for (joint, expected) in [("lower", b), ("upper", a + b)] {
                let found = vector(&forces[joint]);
                // Directions are accurate to the rotation within one step.
                let limit = 4.0 * h * expected.norm() + 1e-6;
                assert!(
                    (found - expected).norm() < limit,
                    "{} {joint} {frame}: {found} {expected}",
                    said.name
                );
            }
        }
        assert!(centripetal > 1.0, "it must swing fast enough for that to count: {centripetal}");
    }
}

/// The excursion of a tendon at its muscle as a joint turns, from the finger at rest before and after: its arm, found
/// another way.
#[test]
fn arms_of_a_finger_are_the_excursions_of_its_tendons() {
    for (tendon, joint) in
        [(Tendon::Edc, 0), (Tendon::Edc, 1), (Tendon::Fdp, 0), (Tendon::Fdp, 2), (Tendon::Fds, 1)]
    {
        let (axis, by_statics, parts) = bent(tendon, joint);
        let model = Model::new(parts.clone()).unwrap();
        let (state, _) = settled(&held(&parts, joint, axis, 0.0));
        let found = arms(&model, &state).unwrap();
        let found =
            found.iter().find(|arm| (arm.strand, arm.joint, arm.axis) == (0, joint, axis)).unwrap().arm;
        let by = 4e-4;
        let [more, less] = [by, -by].map(|turn| settled(&held(&parts, joint, axis, turn)).1);
        let excursion = (more - less) / (2.0 * by);
        println!(
            "{} at joint {joint}: {:.4} mm, {:.4} mm by excursion",
            tendon.name(),
            1e3 * found,
            1e3 * excursion
        );
        near(tendon.name(), found, excursion, 2e-5);
        near(tendon.name(), found, by_statics, 1e-7);
    }
}

/// The springs on which a finger's joints stand, in N m/rad and rad.
const STIFFNESS: Real = 0.1;
const RESTS: [Real; 3] = [0.5, 0.7, 0.4];

/// The axis of a joint, a tendon's arm there by the moment of its spring and the tension, and the finger with this
/// tendon alone, pulled and at rest.
fn bent(tendon: Tendon, joint: usize) -> (usize, Real, Parts) {
    let mut parts = finger(&Finger::index(), &Options::only(&[tendon])).unwrap();
    parts.settings.gravity = Vec3::zeros();
    for (joint, rest) in parts.joints.iter_mut().zip(RESTS) {
        for axis in joint.axes.iter_mut().filter(|axis| axis.motion != Motion::Held) {
            let spring = Spring { stiffness: STIFFNESS, rest, damping: 0.003 };
            *axis = Axis { motion: Motion::Free, spring: Some(spring), ..Axis::default() };
        }
    }
    let axis = parts.joints[joint].axes.iter().position(|axis| axis.motion != Motion::Held).unwrap();
    let model = Model::new(parts).unwrap();
    let (state, _) = rest(&model);
    let turned = model.parts().joints[joint].motions(|b| state.bodies[b].place)[axis];
    let moment = STIFFNESS * (turned - RESTS[joint]);
    (axis, moment / tensions(&model, &state)[0][0], model.parts_at(&state))
}

/// The same with its joints where they are, but for one that is turned a little.
fn held(parts: &Parts, joint: usize, axis: usize, turn: Real) -> Parts {
    let mut parts = parts.clone();
    let places: Vec<_> = parts.bodies.iter().map(|body| body.place).collect();
    for (j, known) in parts.joints.iter_mut().enumerate() {
        let motions = known.motions(|b| places[b]);
        for (k, free) in known.axes.iter_mut().enumerate().filter(|(_, axis)| axis.motion != Motion::Held) {
            let at = motions[k] + if (j, k) == (joint, axis) { turn } else { 0.0 };
            *free = Axis { motion: Motion::Limited(at, at), ..Axis::default() };
            // Stiff, so that it is held from both sides.
            free.spring = Some(Spring { stiffness: 1e5, rest: at, damping: 1.0 });
        }
    }
    parts
}

fn rest(model: &Model) -> (State, Real) {
    let (mut state, mut scratch) = (State::new(model), Scratch::new(model).unwrap());
    let muscle = &model.parts().muscles[0];
    let inputs =
        Inputs { seconds: 2.0, substeps: 1000, activations: &[0.5 / muscle.strength], ..Inputs::default() };
    step(model, &mut state, &mut scratch, &inputs, &Control::default()).unwrap();
    // How far it runs in at the muscle, along its strand.
    let (at, shape) = match muscle.pull {
        Pull::Curve { point, curve, .. } => (point, &model.parts().curves[curve]),
        _ => panic!("a muscle that pulls along no curve"),
    };
    let CurveShape::Line(from, to) = shape.shape else { panic!("no line") };
    let body = shape.body.map(|b| state.bodies[b].place).unwrap_or_default();
    let (direction, inside) = ((to - from).normalize(), body.point_inside(&state.places[at]));
    let nodes = &model.parts().strands[0].nodes;
    let ends = if nodes[0].point == at { [0, 1] } else { [nodes.len() - 1, nodes.len() - 2] };
    let [end, next] = ends.map(|k| state.places[nodes[k].point]);
    let along = body.direction(&direction).dot(&(end - next).normalize());
    (state, along * direction.dot(&(inside - from)))
}

fn settled(parts: &Parts) -> (State, Real) {
    rest(&Model::new(parts.clone()).unwrap())
}
