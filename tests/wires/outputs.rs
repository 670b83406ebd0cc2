//! What descriptors say about outputs holds in a scene of each node: how many items they will have, and what never
//! changes them.

use super::host::Host;
use super::skin_slider::{sheet, skin};
use sinew::error::Kind;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::nodes::{Direction, Instance, NodeDescriptor, registry};
use std::collections::BTreeMap;

/// A scene before its first frame.
fn scene(node: &str) -> Host {
    match node {
        "charts" => {
            let mut host = Host::new("charts", &[]);
            host.mesh("mesh", &shapes::cylinder(0.5, 2.0, 12, 6));
            host
        }
        "muscle_skin" => muscles(),
        "skin_slider" => {
            let mesh = sheet([0.2, 0.1], [4, 3]);
            let mut host = skin(&mesh, &[]);
            let edge = mesh.positions.iter().map(|p| Real::from(u8::from(p.x == 0.0 || p.x == 0.2)));
            host.give("fixed", &edge.collect::<Vec<_>>());
            host.points("points", &pulled(&mesh));
            host
        }
        "skinning" => {
            let mut host = Host::new("skinning", &[]);
            host.points("points", &[Vec3::x(), Vec3::y()]);
            joints(&mut host, 2);
            host
        }
        "strand" => strands(),
        other => panic!("the node {other} has no scene"),
    }
}

/// A sheet whose middle is pulled to the side.
fn pulled(mesh: &Mesh) -> Vec<Vec3> {
    let off = |p: &Vec3| Vec3::new(0.02 * (p.x / 0.2 * std::f64::consts::PI).sin(), 0.0, 0.0);
    mesh.positions.iter().map(|p| p + off(p)).collect()
}

fn matrix(x: Real) -> [Real; 16] {
    [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// The same, turned about x.
fn turned(x: Real) -> [Real; 16] {
    let (sin, cos) = Real::sin_cos(0.8);
    [1.0, 0.0, 0.0, x, 0.0, cos, -sin, 0.0, 0.0, sin, cos, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// Two joints, of which the second moves and turns; both carry so many points.
fn joints(host: &mut Host, points: usize) {
    host.give("rest_joints", &[matrix(0.0), matrix(0.0)].concat());
    host.give("joints", &[matrix(0.0), turned(-0.2)].concat());
    host.name("influence_counts", &vec![2; points]);
    host.name("influence_joints", &[0, 1].repeat(points));
    host.give("influence_weights", &vec![0.5; 2 * points]);
}

/// Six points of skin over two muscles that shorten; a third muscle is left out.
const SKIN: [Real; 18] =
    [0.3, 0.11, 0.0, 0.5, 0.12, 0.0, 0.7, 0.11, 0.0, 0.3, 0.2, 0.1, 0.5, 0.2, 0.1, 0.7, 0.2, 0.1];

/// Its mesh, scaled.
fn skin_of(size: Real) -> Mesh {
    Mesh {
        positions: SKIN.chunks(3).map(Vec3::from_column_slice).map(|p| p * size).collect(),
        face_offsets: vec![0, 4, 8],
        corner_vertices: vec![0, 1, 4, 3, 1, 2, 5, 4],
        ..Mesh::default()
    }
}

fn muscles() -> Host {
    let mut host = Host::new("muscle_skin", &[]);
    host.mesh("mesh", &skin_of(1.0));
    host.give("points", &SKIN);
    joints(&mut host, 6);
    host.name("muscle_origin_joints", &[0, 0, 9]);
    host.name("muscle_insertion_joints", &[1, 1, 1]);
    host.give("muscle_origins", &[0.0, 0.0, 0.0, 0.0, 0.15, 0.05, 0.0, 0.0, 0.0]);
    host.give("muscle_insertions", &[1.0, 0.0, 0.0, 1.0, 0.15, 0.05, 1.0, 0.0, 0.0]);
    host.give("muscle_sizes", &[0.1, 0.1, 0.1]);
    host
}

/// A rod that hangs from what the host leads, and a cord that a muscle pulls.
fn strands() -> Host {
    let text = r#"<strand_scene version="1"><settings step="0.001"/>
        <body name="carrier" mode="led"/><body name="rod" at="0 -0.15 0"><cuboid size="0.03 0.3 0.03"/></body>
        <joint name="hinge" parent="carrier" child="rod" at="0 0 0"><axis name="turn_z"/></joint>
        <point name="belly" at="-0.02 0 0"/><point name="end" at="0 -0.2 0" on="rod"/>
        <line name="path" from="0 0 0" to="-0.1 0 0"/><on_curve point="belly" curve="path"/>
        <strand name="cord" stiffness="2e4" radius="0.003" axial_damping="0.002"><node point="belly"/><node point="end"/></strand>
        <muscle name="puller" point="belly" curve="path" strength="30" damping="50" activation="0.25"/></strand_scene>"#;
    Host::new("strand", &[("source", "scene"), ("scene", text)])
}

/// Changes an input or a parameter so that whatever depends on it shows.
fn change(host: &mut Host, id: &str) {
    let node = host.node.descriptor().id;
    match (node, id) {
        ("charts", "margin") => host.set(id, "0.2"),
        ("charts", "lay_flat") => host.set(id, "false"),
        ("skin_slider", "riders") => host.give(id, &[0.05, 0.05, 0.0, 0.1, 0.02, 0.0]),
        ("skin_slider", "uv_seams") => host.set(id, "held"),
        ("skin_slider", "outputs") => host.set(id, "skin"),
        ("strand", "led_matrices") => host.give(id, &matrix(0.05)),
        ("strand", "activations") => host.give(id, &[0.9]),
        ("strand", "goal_joints" | "goal_motions") => {
            host.name("goal_joints", &[0, 2]);
            host.give("goal_motions", &[10.0]);
        }
        ("strand", "goal_bodies" | "goal_points" | "goal_places") => {
            host.name("goal_bodies", &[1]);
            host.give("goal_points", &[0.0, -0.1, 0.0]);
            host.give("goal_places", &[0.1, -0.2, 0.0]);
        }
        ("strand", "step") => host.set(id, "0.002"),
        ("strand", "gravity") => host.set(id, "0.5"),
        ("strand", "preroll") => host.set(id, "0.1"),
        ("strand", "first_frame") => host.set(id, "start"),
        ("strand", "fps") => host.set(id, "12"),
        ("strand", "goal_time" | "goal_place_weight") => {
            change(host, "goal_places");
            host.set(id, "0.5");
        }
        ("strand", "details") => host.set(id, "true"),
        ("muscle_skin", _) => change_muscles(host, id),
        other => panic!("it is not known how to change {other:?}"),
    }
}

fn change_muscles(host: &mut Host, id: &str) {
    match id {
        "points" => host.give(id, &SKIN.map(|x| 0.9 * x)),
        "influence_counts" => host.name(id, &[3, 1, 2, 2, 2, 2]),
        "influence_joints" => host.name(id, &[&[1, 1][..], &[0, 1].repeat(5)].concat()),
        "influence_weights" => host.give(id, &[0.1, 0.9].repeat(6)),
        "blend" => {
            host.set("method", "blend_map");
            host.give(id, &[0.5; 6]);
        }
        "method" => host.set(id, "dual_quaternion"),
        "normalize" => host.set(id, "false"),
        "mesh" => host.mesh(id, &skin_of(0.95)),
        "muscle_map" | "fat_map" | "relax_map" => host.give(id, &[0.5; 6]),
        "muscle_influence_counts" | "muscle_influences" | "muscle_weights" => {
            host.name("muscle_influence_counts", &[1, 1, 0, 0, 0, 0]);
            host.name("muscle_influences", &[1, 0]);
            host.give("muscle_weights", &[0.7, 0.2]);
        }
        "muscle_weight_factors" => host.give(id, &[0.5, 1.5, 1.0]),
        "nearest" => host.set(id, "1"),
        "reach" => host.set(id, "1.5"),
        "smooth" => host.set(id, "0"),
        "follow" => host.set(id, "motion"),
        "flex" | "thinning" => host.set(id, "1"),
        "relax_rounds" => host.set(id, "3"),
        "joints" => host.give(id, &[matrix(0.0), matrix(0.1)].concat()),
        "activations" => host.give(id, &[1.0, 0.5, 0.0]),
        "length" => host.set(id, "arc"),
        "drag" => host.set(id, "air"),
        "start" => host.set(id, "still"),
        "frames" => host.set(id, "up_vector"),
        "muscle_rings" => host.name(id, &[4, 7, 5]),
        "muscle_divisions" => host.name(id, &[3, 5, 4]),
        _ => host.set(id, "0.5"),
    }
}

/// Changes that this scene cannot show: there are no pads, bones, limbs and seams, the skin has no inside, and weights
/// add up to 1.
const UNSEEN: [&str; 12] = [
    "normalize",
    "fat_map",
    "push_skin",
    "push_bones",
    "under_skin",
    "tense_left_arm",
    "tense_right_arm",
    "tense_left_leg",
    "tense_right_leg",
    "tense_trunk",
    "uv_seams",
    "details",
];

/// All outputs of three frames; the joints of muscles go on in the later ones.
fn played(mut host: Host) -> BTreeMap<&'static str, Vec<u64>> {
    let mut all: BTreeMap<&'static str, Vec<u64>> = BTreeMap::new();
    for frame in 1..=3 {
        if frame > 1 && host.node.descriptor().id == "muscle_skin" {
            // First they shorten more, then they are stretched.
            host.give("joints", &[matrix(0.0), turned([-0.3, 0.2][frame as usize - 2])].concat());
        }
        host.frame(frame);
        for output in outputs(host.node.descriptor()) {
            all.entry(output).or_default().extend(host.read(output).iter().map(|x| x.to_bits()));
        }
    }
    all
}

fn outputs(node: &NodeDescriptor) -> impl Iterator<Item = &'static str> {
    node.ports.iter().filter(|port| port.direction == Direction::Output).map(|port| port.id)
}

#[test]
fn what_is_said_not_to_affect_an_output_never_changes_it() {
    for node in registry().iter().map(|registration| registration.descriptor) {
        let before = played(scene(node.id));
        let ignored: std::collections::BTreeSet<&str> =
            node.ports.iter().flat_map(|port| port.ignores).copied().collect();
        for id in ignored {
            let mut host = scene(node.id);
            change(&mut host, id);
            let after = played(host);
            let changed: Vec<&str> = outputs(node).filter(|output| before[output] != after[output]).collect();
            for output in &changed {
                assert!(node.affects(id, output).unwrap(), "{}: {id} has changed {output}", node.id);
            }
            assert!(!changed.is_empty() || UNSEEN.contains(&id), "{}: {id} has changed nothing", node.id);
        }
        assert_eq!(node.affects("no such input", "points").unwrap_err().kind(), Kind::NotFound);
    }
}

#[test]
fn outputs_have_as_many_items_as_was_said_before_the_first_step() {
    let variants: [(&str, &[&str]); 5] = [
        ("charts", &["lay_flat"]),
        ("muscle_skin", &["muscle_rings", "muscle_divisions", "mesh"]),
        ("skin_slider", &["riders", "outputs"]),
        ("skinning", &[]),
        ("strand", &["activations", "details"]),
    ];
    for (node, ids) in variants {
        for change_to in std::iter::once(None).chain(ids.iter().map(Some)) {
            let mut host = scene(node);
            if let Some(id) = change_to {
                change(&mut host, id);
            }
            let outputs: Vec<&str> = outputs(host.node.descriptor()).collect();
            let said: Vec<usize> =
                outputs.iter().map(|output| host.node.expected_count(output).unwrap()).collect();
            for frame in 1..=2 {
                host.frame(frame);
                for (output, said) in outputs.iter().zip(&said) {
                    assert_eq!(host.count(output), *said, "{node}.{output}, {change_to:?}");
                    assert_eq!(
                        host.node.expected_count(output).unwrap(),
                        *said,
                        "{node}.{output} afterwards"
                    );
                }
            }
        }
    }
    assert_eq!(variants.len(), registry().len(), "a node without a scene");
}

/// What is read is the same whatever else is; and the skin slider saves what is not.
#[test]
fn an_output_is_the_same_whether_others_are_read() {
    for node in registry().iter().map(|registration| registration.descriptor.id) {
        let mut all = scene(node);
        let outputs: Vec<&str> = outputs(all.node.descriptor()).collect();
        let play = |host: &mut Host| (1..=2).for_each(|frame| drop(host.frame(frame)));
        play(&mut all);
        for output in &outputs {
            let mut one = scene(node);
            outputs.iter().for_each(|other| one.node.want_output(other, other == output).unwrap());
            play(&mut one);
            assert_eq!(one.read(output), all.read(output), "{node}.{output}");
            for other in &outputs {
                assert_eq!(
                    one.node.expected_count(other).unwrap(),
                    one.count(other),
                    "{node}.{other} beside {output}"
                );
            }
            if (node, *output) == ("skin_slider", "uvs") {
                assert_eq!([one.count("stretch"), one.count("slid_points")], [0, 0]);
                assert!(all.count("stretch") > 0 && all.count("slid_points") > 0);
            }
        }
    }
    assert_eq!(scene("skinning").node.want_output("nothing", true).unwrap_err().kind(), Kind::NotFound);
}

/// Only what decides about a count must be there.
#[test]
fn muscles_are_counted_without_a_skin() {
    let mut node = Instance::new("muscle_skin").unwrap();
    let missing = node.expected_count("muscle_points").unwrap_err();
    assert_eq!((missing.kind(), missing.place().port.as_deref()), (Kind::MissingInput, Some("rest_joints")));
    let mut host = muscles();
    for port in ["mesh", "points", "joints", "influence_counts", "influence_joints", "influence_weights"] {
        host.node.clear_input(port).unwrap();
    }
    assert_eq!(host.node.expected_count("muscle_points").unwrap(), 2 * 9 * 8);
    let missing = host.node.expected_count("points").unwrap_err();
    assert_eq!(missing.kind(), Kind::MissingInput);
    assert!(missing.message().contains("an item per vertex"), "{missing}");
    assert_eq!(host.node.expected_count("nothing").unwrap_err().kind(), Kind::NotFound);
}
