//! Strand scenes in other units and axes, in the axes of bodies, and mirrored.

use crate::strand_play::{Play, build, close, measured, refused, scene};
use sinew::error::Kind;
use sinew::formats::xml;
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Rotation, Space, UpAxis, Vec3};
use sinew::scene::schema::{Attribute, Element, ElementSchema};
use sinew::scene::strand::StrandScene;
use sinew::strand::state::State;
use std::collections::HashMap;

/// Two hanging rods with a cord and a spring, said in metres with y up, or in centimetres with z up.
fn hanging(centimetres: bool) -> String {
    let p = |x: Real, y: Real, z: Real| match centimetres {
        true => format!("{} {} {}", 100.0 * x, -100.0 * z, 100.0 * y),
        false => format!("{x} {y} {z}"),
    };
    let (space, unit) =
        if centimetres { ("<space metres_per_unit=\"0.01\" up=\"z\"/>", 100.0) } else { ("", 1.0) };
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
<joint name="slide" parent="crane" child="load" at="{load}" {turn}><axis name="move_x" may="{low} {high}" stiffness="3" damping="0.1" rest="{rest}"><ligaments from="{low}" to="{rest}" moment="0.5" width="{width}"/></axis><axis name="turn_x"/></joint>
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
        width = 0.03 * unit,
        end = p(0.3, 0.0, 0.0),
        ring = p(0.4, 0.4, 0.0),
        radius = 0.002 * unit,
        by = 0.05 * unit,
    ))
}

#[test]
fn units_and_the_up_axis_do_not_matter() {
    let (mut here, mut there) =
        (Play::new(build(&hanging(false)), 24.0), Play::new(build(&hanging(true)), 24.0));
    let mut off: Real = 0.0;
    for frame in 0..12 {
        if frame > 0 {
            [&mut here, &mut there].into_iter().for_each(|play| drop(play.frame()));
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
            let all = 0..play.built.model.parts().joints.len();
            all.map(|joint| measured(&play.built).motions(joint, &play.state)).collect::<Vec<_>>()
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
    refused(&ring, Kind::Topology, 3, "body", "form a cycle");
    let nobody = relative.replace("in=\"b\" on", "in=\"c\" on");
    refused(&nobody, Kind::NotFound, 4, "point", "there is no body \"c\"");
}

/// Plays a scene and its mirror image, and tells how far they are from each other.
fn mirrored(text: &str, axis: usize, frames: u32) -> Real {
    let scene: StrandScene = xml::parse(text).unwrap();
    let (mut other, meshes) = scene.mirrored(axis, &HashMap::new()).unwrap();
    assert_eq!(xml::parse::<StrandScene>(&xml::write(&other)).unwrap(), other);
    // Gravity belongs to the world; the motions are mirror images only if it is mirrored, too.
    if let Some(gravity) = &mut other.settings_mut().gravity {
        gravity.0[axis] *= -1.0;
    }
    let mut here = Play::new(build(text), 24.0);
    let mut there = Play::new(other.build(&meshes).unwrap(), 24.0);
    let flip = |mut p: Vec3| {
        p[axis] = -p[axis];
        p
    };
    let mut off: Real = 0.0;
    for frame in 0..=frames {
        if frame > 0 {
            [&mut here, &mut there].into_iter().for_each(|play| drop(play.frame()));
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
    // Its joints have limits, springs and ligaments on one side only; a ring, a plane with a normal, a led body that
    // turns. The contact is without friction, whose directions across the contact are no mirror image of each other.
    let text = scene(
        r#"<settings gravity="1 -9.81 2"/>
<body name="arm_L" mode="led" at="0.1 0.2 0.3" turn="10 20 30"><key time="0.4" at="0.2 0.2 0.25" turn="20 -10 60"/></body>
<body name="hand_L" at="0.2 0.25 0.35" turn="5 0 20" angular_velocity="50 -30 80"><cuboid size="0.1 0.02 0.05"/></body>
<body name="floor" mode="held" at="0 -0.5 0"><cuboid size="4 0.1 4"/></body>
<body name="box" at="0.3 -0.35 0.1" turn="10 5 0" velocity="0.4 0 0.1"><cuboid size="0.1 0.15 0.2"/></body>
<joint name="wrist_L" parent="arm_L" child="hand_L" at="0.15 0.2 0.33" turn="zyx 10 20 30"><axis name="turn_x" may="-20 60" stiffness="0.01" damping="1e-3" rest="20" start="15"><ligaments from="-10" to="30" moment="0.02" width="12"/></axis><axis name="turn_z" may="-15 40" start="-5"/><axis name="move_y" may="-0.01 0.02" stiffness="50" damping="1" rest="0.01"><ligaments from="-0.004" to="0.012" moment="0.5" width="0.003"/></axis></joint>
<point name="tip" at="0.25 0.26 0.36" on="hand_L"/><point name="bead" at="0.4 0 0"/><point name="low" at="0.5 -0.1 0.1"/>
<circle name="ring" at="0.3 0 0" turn="0 40 0" radius="0.1"/>
<plane name="table" on="floor" at="0 -0.15 0" turn="-90 0 10"/>
<strand name="cord_L" stiffness="100" density="2000" radius="0.003" axial_damping="0.01" lateral_damping="1"><node point="tip"/><node point="bead"/><node point="low"/></strand>
<on_curve point="bead" curve="ring"/>
<in_plane point="low" plane="table" relation="above"/>
<contact name="thud" first="box" second="floor"/>
<muscle name="pull_L" point="bead" curve="ring" strength="2" damping="0.5"><activation time="0.3" value="0.8"/></muscle>
"#,
    );
    // The circle's start has to be where the bead is: at 0 degrees, turned by 40 about y.
    let bead = Rotation::from_scaled_axis(Vec3::y() * 40f64.to_radians()) * Vec3::x() * 0.1 + Vec3::x() * 0.3;
    let text = text.replace(
        "name=\"bead\" at=\"0.4 0 0\"",
        &format!("name=\"bead\" at=\"{} {} {}\"", bead.x, bead.y, bead.z),
    );
    for axis in 0..3 {
        assert!(mirrored(&text, axis, 12) < 1e-7);
    }
    assert!(mirrored(include_str!("../../examples/strand/reach.xml"), 0, 24) < 1e-6);
    let scene: StrandScene = xml::parse(&text).unwrap();
    let (other, _) = scene.mirrored(0, &HashMap::new()).unwrap();
    assert_eq!((other.bodies[0].name.as_str(), other.points[0].on.as_str()), ("arm_R", "hand_R"));
    assert_eq!(other.joints[0].axes[1].may.text().unwrap(), "-40 15");
    let (back, _) = other.mirrored(0, &HashMap::new()).unwrap();
    assert_eq!(back.bodies[1].name, "hand_L");
    let left: Vec<Real> = [&scene, &back].map(|s| s.bodies[1].turn.rotation().angle()).to_vec();
    assert!((left[0] - left[1]).abs() < 1e-12);
}

#[test]
fn gravity_is_not_mirrored_whether_a_scene_says_it_or_not() {
    for settings in ["", "<settings gravity=\"0 -9.81 0\"/>", "<settings gravity=\"1 -9 2\"/>"] {
        let text = scene(&format!("{settings}<body name=\"b\"><cuboid size=\"0.1 0.1 0.1\"/></body>"));
        let scene: StrandScene = xml::parse(&text).unwrap();
        for axis in 0..3 {
            let (other, meshes) = scene.mirrored(axis, &HashMap::new()).unwrap();
            let [here, there] =
                [build(&text), other.build(&meshes).unwrap()].map(|b| b.model.settings().gravity);
            assert_eq!(here, there, "{settings} at {axis}");
        }
    }
}

/// All attributes with their element, and what the reference says of them.
fn documented(element: &'static ElementSchema, all: &mut Vec<(String, &'static str)>) {
    all.extend(element.attributes.iter().map(|a| (format!("{} {}", element.name, a.name), a.doc)));
    (element.children)().iter().for_each(|child| documented(child.element, all));
}

#[test]
fn velocities_are_in_the_scenes_unit_and_so_are_all_lengths_by_what_elements_say() {
    let text = scene(
        r#"<space metres_per_unit="0.01"/><settings gravity="0 0 0"/>
<body name="b" velocity="100 0 0"><inertia mass="1" moments="1e-3 1e-3 1e-3"/></body>"#,
    );
    let mut play = Play::new(build(&text), 24.0);
    (0..24).for_each(|_| drop(play.frame()));
    close(play.state.bodies[0].place.origin, Vec3::x());
    let mut all = Vec::new();
    documented(StrandScene::schema(), &mut all);
    let said = |name: &str| all.iter().find(|(of, _)| of == name).unwrap().1;
    assert!(said("body velocity").contains("scene's unit per second"), "{}", said("body velocity"));
    for (name, doc) in &all {
        let words: Vec<&str> = doc.split([' ', ',', ';', ':', '.']).collect();
        let metres =
            words.windows(2).any(|two| two[1] == "m" && ["in", "In", "or", "many"].contains(&two[0]));
        assert!(
            !metres && !words.contains(&"m/s") || name.ends_with("fading") || name.ends_with("weight"),
            "{name}: {doc}"
        );
    }
}

#[test]
fn meshes_are_in_the_scenes_space() {
    let mut mesh = shapes::cuboid(&Vec3::new(0.2, 0.4, 0.1));
    mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(0.05, 0.1, 0.2));
    let space = Space::new(0.01, UpAxis::Z).unwrap();
    let there =
        Mesh { positions: mesh.positions.iter().map(|p| space.point_out(*p)).collect(), ..mesh.clone() };
    let built = |space: &str, at: &str, mesh: Mesh| {
        let text = scene(&format!("{space}<body name=\"a\" at=\"{at}\"><shape file=\"a.obj\"/></body>"));
        let scene: StrandScene = xml::parse(&text).unwrap();
        scene.build(&HashMap::from([("a.obj".to_string(), mesh)])).unwrap()
    };
    let here = built("", "1 2 3", mesh);
    let there = built("<space metres_per_unit=\"0.01\" up=\"z\"/>", "100 -300 200", there);
    let [a, b] = [&here, &there].map(|built| &built.model.parts().bodies[0]);
    close(b.place.origin, a.place.origin);
    assert!((a.mass - 8.0).abs() < 1e-9 && (a.mass - b.mass).abs() < 1e-9, "{} {}", a.mass, b.mass);
    assert!(there.shown(0, &b.place)[(2, 3)] == 200.0);
}
