mod built;
mod names;

use super::{Document, Id, Rigged, describe};
use sinew_base::control::Control;
use sinew_base::error::Kind;
use sinew_formats::xml;
use sinew_math::{Space, UpAxis, Vec3, translation};
use sinew_scene::faults::Weight;
use sinew_scene::muscles::MuscleSet;
use sinew_scene::schema::Element;
use sinew_scene::strand::StrandScene;

const FINGER: &str = include_str!("../../../blender_addon/presets/finger/finger.xml");
const REACH: &str = include_str!("../../../examples/strand/reach.xml");
const BICEPS: &str = include_str!("../../../examples/muscles/biceps.xml");

fn host() -> Space {
    Space::new(0.01, UpAxis::Z).unwrap()
}

fn named(document: &Document, element: &str, name: &str) -> Id {
    let all = document.children(document.root(), Some(element)).unwrap();
    all.into_iter().find(|id| document.text_of(*id, "name").unwrap() == Some(name)).unwrap()
}

#[test]
fn an_edit_changes_nothing_else() {
    let mut document = Document::parse(REACH).unwrap();
    assert_eq!(document.text(), REACH);
    let strand = document.children(document.root(), Some("strand")).unwrap()[0];
    let (before, radius) = (document.text(), document.text_of(strand, "radius").unwrap().map(String::from));
    document.set_numbers(strand, "radius", &[0.25], host()).unwrap();
    assert_eq!(document.numbers(strand, "radius", host()).unwrap(), Some(vec![0.25]));
    assert_eq!(document.numbers(strand, "radius", Space::default()).unwrap(), Some(vec![0.0025]));
    document.set_text(strand, "radius", radius.as_deref()).unwrap();
    let differing = before.lines().zip(document.text().lines()).filter(|(a, b)| a != b).count();
    assert!(differing <= 1, "{differing} lines differ");
}

/// Reading every number in another space and writing it back changes no value; and reading them all is what converting
/// the typed scene gives.
#[test]
fn numbers_in_another_space_come_back() {
    for text in [FINGER, REACH, BICEPS] {
        let original = Document::parse(text).unwrap();
        let mut document = original.clone();
        let mut count = 0;
        for id in original.file.walk(original.root()) {
            for known in original.schema(id).unwrap().attributes {
                let Ok(Some(there)) = original.numbers(id, known.name, host()) else { continue };
                document.set_numbers(id, known.name, &there, host()).unwrap();
                let read = |d: &Document| d.numbers(id, known.name, Space::default()).unwrap().unwrap();
                for (a, b) in read(&original).iter().zip(read(&document)) {
                    assert!((a - b).abs() <= 1e-12 * a.abs().max(1.0), "{} {a} {b}", known.name);
                }
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
    }
    let set: MuscleSet = xml::parse(BICEPS).unwrap();
    let moved = set.in_space(host()).unwrap();
    let document = Document::parse(BICEPS).unwrap();
    for (id, muscle) in
        document.children(document.root(), Some("muscle")).unwrap().into_iter().zip(&moved.muscles)
    {
        let numbers = |name| document.numbers(id, name, host()).unwrap().unwrap();
        assert_eq!(numbers("origin"), muscle.origin.0);
        assert_eq!(numbers("middle"), muscle.middle.0);
        assert_eq!(numbers("size"), [muscle.size]);
    }
}

#[test]
fn motions_are_degrees_or_lengths_by_their_axis() {
    let mut document = Document::new("strand_scene", Space::default()).unwrap();
    let joint = document.add(document.root(), "joint", None).unwrap();
    for (name, there) in [("turn_y", [-10.0, 45.0]), ("move_y", [-1000.0, 4500.0])] {
        let axis = document.add(joint, "axis", None).unwrap();
        document.set_text(axis, "name", Some(name)).unwrap();
        document.set_text(axis, "may", Some("-10 45")).unwrap();
        assert_eq!(document.numbers(axis, "may", host()).unwrap().unwrap(), there);
        let ligaments = document.add(axis, "ligaments", None).unwrap();
        document.set_numbers(ligaments, "from", &[there[0]], host()).unwrap();
        assert_eq!(document.text_of(ligaments, "from").unwrap(), Some("-10"));
        document.set_text(axis, "may", Some("held")).unwrap();
        assert_eq!(document.numbers(axis, "may", host()).unwrap_err().kind(), Kind::WrongType);
    }
}

#[test]
fn what_names_an_element_follows_its_new_name() {
    let mut document = Document::parse(FINGER).unwrap();
    let before: StrandScene = xml::parse(FINGER).unwrap();
    let point = before.in_planes[0].point.clone();
    let id = named(&document, "point", &point);
    let count = document.text().matches(&format!("\"{point}\"")).count();
    assert_eq!(document.rename(id, "a new & other name").unwrap(), count - 1);
    assert!(!document.text().contains(&format!("\"{point}\"")));
    let faults = document.check(&Control::default()).unwrap();
    assert!(!faults.iter().any(|(_, fault)| fault.weight.is_error()), "{faults:?}");
    let taken = before.points.iter().map(|p| &p.name).find(|name| **name != point).unwrap();
    let error = document.rename(id, taken).unwrap_err();
    assert!(error.message().contains("is taken"), "{error}");
    document.rename(id, &point).unwrap();
    assert_eq!(xml::parse::<StrandScene>(&document.text()).unwrap(), before);
}

#[test]
fn events_follow_rules_that_are_called_after_their_points() {
    let text = "<strand_scene><body name='b' mode='held'/><point name='p' on='free' at='0 1 0'/>\
                <line name='c' from='0 0 0' to='0 2 0'/><on_curve point='p' curve='c'/>\
                <release time='1' rule='p on c'/></strand_scene>";
    let mut document = Document::parse(text).unwrap();
    let line = named(&document, "line", "c");
    assert_eq!(document.rename(line, "d").unwrap(), 2);
    assert!(document.text().contains("rule=\"p on d\""), "{}", document.text());
}

#[test]
fn a_mirrored_document_is_the_mirrored_scene() {
    let mut document = Document::parse(REACH).unwrap();
    let scene: StrandScene = xml::parse(REACH).unwrap();
    let (mirrored, _) = scene.mirrored(0, &Default::default()).unwrap();
    document.mirror(Rigged::Axis(0), &Control::default()).unwrap();
    assert_eq!(xml::parse::<StrandScene>(&document.text()).unwrap(), mirrored);
    assert_eq!(document.text().matches("<!--").count(), REACH.matches("<!--").count(), "comments stay");
    assert_eq!(document.mirror(Rigged::Axis(3), &Control::default()).unwrap_err().kind(), Kind::OutOfRange);
    let text = "<muscle_set><muscle name='biceps_L' origin_joint='arm_L' origin='1 0 0' insertion_joint='hand_L' \
                insertion='2 0 0' size='0.1'/></muscle_set>";
    let mut set = Document::parse(text).unwrap();
    assert_eq!(set.mirror(Rigged::Axis(0), &Control::default()).unwrap().added, 1);
    let other = named(&set, "muscle", "biceps_R");
    assert_eq!(set.text_of(other, "origin").unwrap(), Some("-1 0 0"));
    assert!(set.text().starts_with(&text[..40]), "{}", set.text());
}

#[test]
fn sheets_and_heads_become_muscles_of_their_own() {
    let text = "<muscle_set>\n  <!-- a sheet -->\n  <muscle name='s' origin_joint='a' origin='0 0 0' origin_to='1 0 0' \
                insertion_joint='b' insertion='0 1 0' insertion_to='1 1 0' count='3' size='0.1'>\n    \
                <head name='h' origin_joint='a' origin='2 0 0'/>\n  </muscle>\n  <pad name='p' joint='a' centre='0 0 \
                0' radius='1'/>\n\
                </muscle_set>\n";
    let mut document = Document::parse(text).unwrap();
    let set: MuscleSet = xml::parse(text).unwrap();
    assert_eq!(document.expand().unwrap().added, 3);
    let now: MuscleSet = xml::parse(&document.text()).unwrap();
    assert_eq!(now.muscle_names(), set.muscle_names());
    assert_eq!(now.muscles.len(), 4);
    assert!(document.text().contains("<!-- a sheet -->"));
    assert_eq!(now.pads, set.pads);
}

#[test]
fn every_fault_is_found_with_its_element_and_attribute() {
    for text in [FINGER, REACH] {
        let mut found = Document::parse(text).unwrap().check(&Control::default()).unwrap();
        // The presets keep planes for bands that they do not have.
        found.retain(|(_, fault)| fault.message != "no node uses it");
        assert!(found.is_empty(), "{found:?}");
    }
    let broken = "<strand_scene>\n<body name='a'/>\n<body name='a' mode='held'/>\n<body name='world' mode='hold'/>\n\
                  <point name='p' at='0 0'/>\n<joint name='j' child='b' rest='1'/>\n<knot/>\n\
                  <body name='k' mode='led'><key time='1' at='0 0 0'/><key time='1' at='0 0 \
                  0'/></body>\n</strand_scene>";
    let document = Document::parse(broken).unwrap();
    let found: Vec<(u64, Option<String>, Weight)> = document
        .check(&Control::default())
        .unwrap()
        .into_iter()
        .map(|(_, f)| (f.line, f.attribute, f.weight))
        .collect();
    let has = |line, attribute: &str, weight| {
        let attribute = (!attribute.is_empty()).then(|| attribute.to_string());
        assert!(found.contains(&(line, attribute.clone(), weight)), "{line} {attribute:?}: {found:?}");
    };
    has(3, "name", Weight::Unreadable);
    has(4, "name", Weight::Unreadable);
    has(4, "mode", Weight::Unreadable);
    has(5, "at", Weight::Unreadable);
    has(6, "child", Weight::Unreadable);
    has(6, "at", Weight::Unreadable);
    has(6, "rest", Weight::Unknown);
    has(7, "", Weight::Unknown);
    has(8, "time", Weight::Unreadable);
    assert_eq!(found.len(), 9, "{found:?}");
}

#[test]
fn doubtful_parts_are_listed() {
    let scene = |more: &str| {
        let text = format!(
            "<strand_scene><body name='b'/>{more}<point name='p' at='0 0.01 0'/><point name='q' on='world' at='1 0 0'/>\
             <plane name='f' on='b' at='0 0 0' turn='90 0 0'/><in_plane point='p' plane='f'/>\
             <strand name='s' stiffness='1'><node point='p' kind='eulerian'/><node point='q'/></strand></strand_scene>"
        );
        Document::parse(&text).unwrap().check(&Control::default()).unwrap()
    };
    let messages: Vec<String> = scene("").into_iter().map(|(_, fault)| fault.message).collect();
    let has = |part: &str| assert!(messages.iter().any(|m| m.contains(part)), "{part}: {messages:?}");
    has("a free body needs a mass");
    has("holds it: it falls");
    has("10 mm off plane \"f\"");
    has("the first node lets material through");
    assert_eq!(messages.len(), 4, "{messages:?}");
}

#[test]
fn mistakes_of_callers_are_errors() {
    let mut document = Document::parse(REACH).unwrap();
    let body = document.children(document.root(), Some("body")).unwrap()[0];
    assert!(document.add(body, "strand", None).unwrap_err().message().contains("unknown element"));
    assert!(document.set_text(body, "at", Some("1 2")).unwrap_err().message().contains("three numbers"));
    assert!(
        document.set_text(body, "att", Some("1 2")).unwrap_err().message().contains("did you mean \"at\"")
    );
    assert!(document.set_numbers(body, "at", &[1.0, f64::NAN, 0.0], host()).is_err());
    assert!(document.numbers(body, "name", host()).is_err());
    assert!(document.numbers(Id(99_999), "at", host()).is_err());
    assert!(document.remove(document.root()).is_err());
    assert!(document.expand().is_err());
    assert_eq!(document.text(), REACH);
    assert!(Document::parse("<sinew/>").unwrap_err().message().contains("there are strand_scene"));
    assert!(Document::new("poem", host()).is_err() && describe("poem").is_err());
}

#[test]
fn new_documents_have_the_space_of_their_host() {
    let mut document = Document::new("strand_scene", host()).unwrap();
    let body = document.add(document.root(), "body", None).unwrap();
    document.set_text(body, "name", Some("b")).unwrap();
    document.set_numbers(body, "at", &[1.0, 2.0, 3.0], host()).unwrap();
    let space = document.children(document.root(), Some("space")).unwrap();
    let order = document.children(document.root(), None).unwrap();
    assert_eq!(order, [space[0], body], "in the order of the tables");
    assert_eq!(document.text_of(body, "at").unwrap(), Some("1 2 3"));
    assert_eq!(document.numbers(body, "at", Space::default()).unwrap().unwrap(), [0.01, 0.03, -0.02]);
    assert!(document.add(document.root(), "space", None).is_err(), "one is allowed");
    assert!(Document::new("muscle_plan", host()).unwrap().text().contains("<muscle_plan version=\"1\"/>"));
}

/// Places in the axes of bodies are where the typed scene has them in the world, in any space, and come back.
#[test]
fn places_are_those_of_the_world() {
    let text = "<strand_scene><space metres_per_unit=\"0.1\"/><body name=\"a\" at=\"1 2 3\" turn=\"0 90 0\" \
            mode=\"held\"/>\
                <body name=\"b\" at=\"0 1 0\" turn=\"90 0 0\" in=\"a\" mode=\"held\"/>\
                <plane name=\"p\" on=\"a\" at=\"1 0 0\" turn=\"0 0 90\" and_on=\"b\" and_at=\"0 0 2\" in=\"b\"/>\
                <line name=\"l\" from=\"0 0 0\" to=\"0 0 1\" in=\"b\"/></strand_scene>";
    let original = Document::parse(text).unwrap();
    let tree = original.tree();
    let world = StrandScene::from_tree(&tree).unwrap().mirrored(0, &Default::default()).unwrap().0;
    let [plane, line] =
        ["plane", "line"].map(|kind| original.children(original.root(), Some(kind)).unwrap()[0]);
    let own = Space::new(0.1, UpAxis::Y).unwrap();
    let at = |id, name| translation(&original.place(id, name, own).unwrap().unwrap());
    // A mirror at x = 0 states everything in the world.
    let mirrored = |p: [f64; 3]| Vec3::new(-p[0], p[1], p[2]);
    assert!((at(plane, "at") - mirrored(world.planes[0].at.0)).norm() < 1e-12);
    assert!((at(plane, "and_at") - mirrored(world.planes[0].and_at.unwrap().0)).norm() < 1e-12);
    assert!((at(line, "to") - mirrored(world.lines[0].to.0)).norm() < 1e-12);
    let seen = original.place(line, "to", host()).unwrap().unwrap();
    let to = at(line, "to");
    assert!((translation(&seen) - Vec3::new(to.x, -to.z, to.y) * 10.0).norm() < 1e-12);
    // Moving one place leaves the others where they are, now in the world.
    let mut document = original.clone();
    let before = [("and_at", document.place(plane, "and_at", host()).unwrap().unwrap())];
    let moved = document.place(plane, "at", host()).unwrap().unwrap();
    document.set_place(plane, "at", &moved, host()).unwrap();
    assert_eq!(document.text_of(plane, "in").unwrap(), None);
    for (name, axes) in before.into_iter().chain([("at", moved)]) {
        let now = document.place(plane, name, host()).unwrap().unwrap();
        assert!((now - axes).amax() < 1e-9, "{name} {now} {axes}");
    }
    let read = document.read(document.root(), host()).unwrap();
    assert_eq!(read["children"][4]["places"]["to"][3], seen[(0, 3)]);
    assert_eq!(read["children"][1]["numbers"]["turn"].as_array().map(Vec::len), Some(3));
    assert_eq!(document.set_place(plane, "weight", &moved, host()).unwrap_err().kind(), Kind::NotFound);
    assert_eq!(document.set_place(plane, "at", &(moved * 2.0), host()).unwrap_err().kind(), Kind::Degenerate);
    let cycle = Document::parse(&text.replace("name=\"a\"", "name=\"a\" in=\"b\"")).unwrap();
    assert_eq!(cycle.place(line, "to", own).unwrap_err().kind(), Kind::Topology);
}

/// What lies in the axes of a joint has a place once it is known where that is at rest.
#[test]
fn joints_of_animations_are_read_or_reported() {
    let folder = tempfile::tempdir().unwrap();
    let table = "rest,hand,1,0,0,7,0,1,0,0,0,0,1,0\n0,hand,1,0,0,8,0,1,0,0,0,0,1,0\n";
    std::fs::write(folder.path().join("hand.csv"), table).unwrap();
    let text = "<strand_scene>\n<armature file=\"hand.csv\"/>\n<point name=\"p\" at=\"1 0 2\" \
            in=\"hand\"/>\n</strand_scene>";
    std::fs::write(folder.path().join("scene.xml"), text).unwrap();
    let mut document = Document::load(&folder.path().join("scene.xml")).unwrap();
    let point = document.children(document.root(), Some("point")).unwrap()[0];
    assert_eq!(document.place(point, "at", host()).unwrap_err().kind(), Kind::NotFound);
    let joints = document.joints(host()).unwrap();
    assert_eq!(joints.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["hand"]);
    let there = document.place(point, "at", host()).unwrap().unwrap();
    assert_eq!(translation(&there), Vec3::new(800.0, -200.0, 0.0));
    let mut elsewhere = Document::parse(text).unwrap();
    elsewhere.set_joint("hand", &joints[0].1, host()).unwrap();
    assert!((elsewhere.place(point, "at", host()).unwrap().unwrap() - there).amax() < 1e-9);
    std::fs::write(folder.path().join("hand.csv"), "rest,hand,1\n").unwrap();
    let error = document.joints(host()).unwrap_err();
    assert_eq!(error.place().line, Some(2), "{error}");
}

/// The mesh of a body goes through another space and into its file.
#[test]
fn meshes_are_in_the_axes_of_their_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = Document::new("strand_scene", Space::default()).unwrap();
    let body = document.add(document.root(), "body", None).unwrap();
    let shape = document.add(body, "shape", None).unwrap();
    let mesh = sinew_geometry::shapes::grid(2.0, 1.0, 1, 1);
    assert_eq!(document.set_mesh(shape, mesh.clone(), host()).unwrap_err().kind(), Kind::InvalidArgument);
    document.set_text(shape, "file", Some("bone.obj")).unwrap();
    document.set_mesh(shape, mesh.clone(), host()).unwrap();
    let bytes = document.mesh_file(shape).unwrap();
    document.save(&folder.path().join("scene.xml")).unwrap();
    assert_eq!(std::fs::read(folder.path().join("bone.obj")).unwrap(), bytes);
    let read = document.mesh(shape, host()).unwrap();
    assert_eq!(read.corner_vertices, mesh.corner_vertices);
    for (p, q) in read.positions.iter().zip(&mesh.positions) {
        assert!((p - q).norm() < 1e-12, "{p} {q}");
    }
    let metres = document.mesh(shape, Space::default()).unwrap();
    let p = mesh.positions[3];
    assert!((metres.positions[3] - Vec3::new(p.x, p.z, -p.y) * 0.01).norm() < 1e-15);
}

/// A number that stays keeps its bits, also where its neighbours change and the way to the host and back would round
/// it.
#[test]
fn what_a_host_does_not_change_keeps_its_bits() {
    let text = "<muscle_set><space metres_per_unit=\"0.01\"/><muscle name=\"fan\" origin_joint=\"a\" \
            origin=\"50.000000000001 2 -3\" insertion_joint=\"b\" insertion=\"1 0 0\" size=\"3\" count=\"2\"/><muscle \
            name=\"m\" origin_joint=\"a\" origin=\"0.1 0.2 0.3\" insertion_joint=\"b\" insertion=\"1 0 0\" \
            size=\"3\"/></muscle_set>";
    let mut set = Document::parse(text).unwrap();
    let odd = Space::new(0.5, UpAxis::Z).unwrap();
    let before = set.text();
    let first = set.single("fan.1").unwrap();
    assert_eq!(set.children(set.root(), Some("muscle")).unwrap().len(), 3, "one sheet is now two muscles");
    let mut numbers = set.numbers(first, "origin", odd).unwrap().unwrap();
    numbers[1] = 0.5;
    set.set_numbers(first, "origin", &numbers, odd).unwrap();
    assert_eq!(set.text_of(first, "origin").unwrap(), Some("50.000000000001 2 -25"));
    let last = before.split("<muscle ").last().unwrap();
    assert!(set.text().ends_with(last), "what nobody touched keeps its bytes: {}", set.text());
    assert_eq!(set.single("fan.1").unwrap(), first, "it is single now");
    assert_eq!(set.single("fan").unwrap_err().kind(), Kind::NotFound);
}

/// An error of a tool names the line of the file, not the number of an element.
#[test]
fn tools_blame_lines() {
    let text = "<!-- one\ntwo\nthree -->\n<strand_scene>\n\n<body name=\"a\" mode=\"held\"/>\n\n\n<line name=\"l\" \
            from=\"0 0 0\" to=\"1 0 0\" in=\"c\"/></strand_scene>";
    let error = Document::parse(text).unwrap().mirror(Rigged::Axis(0), &Control::default()).unwrap_err();
    assert_eq!(error.place().line, Some(9), "{error}");
}

/// Long tools hear a host that wants to stop, and leave the document as it was.
#[test]
fn tools_can_be_stopped() {
    let mut set = Document::parse(BICEPS).unwrap();
    let stopped = Control::default();
    stopped.cancel();
    let mut scene = Document::parse(FINGER).unwrap();
    assert_eq!(scene.check(&stopped).unwrap_err().kind(), Kind::Cancelled);
    assert_eq!(scene.mirror(Rigged::Axis(0), &stopped).unwrap_err().kind(), Kind::Cancelled);
    let names: Vec<String> = ["a", "b", "c", "d"].map(String::from).into();
    let rest = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let rest = rest.map(|p| sinew_math::affine(&sinew_math::Mat3::identity(), &Vec3::from(p)));
    let rig = sinew_anatomy::muscles::Rig { names: &names, rest: &rest, ..Default::default() };
    assert_eq!(set.copy(&rig, &rig, &stopped).unwrap_err().kind(), Kind::Cancelled);
    assert_eq!((set.text().as_str(), scene.text().as_str()), (BICEPS, FINGER));
}
