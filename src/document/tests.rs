use super::{Document, Id, Rigged, describe};
use crate::error::Kind;
use crate::formats::xml;
use crate::math::{Space, UpAxis};
use crate::scene::faults::Weight;
use crate::scene::muscles::MuscleSet;
use crate::scene::strand::StrandScene;

const FINGER: &str = include_str!("../../blender_addon/presets/finger/finger.xml");
const REACH: &str = include_str!("../../examples/strand/reach.xml");
const BICEPS: &str = include_str!("../../examples/muscles/biceps.xml");

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
    let faults = document.check();
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
    document.mirror(Rigged::Axis(0)).unwrap();
    assert_eq!(xml::parse::<StrandScene>(&document.text()).unwrap(), mirrored);
    assert_eq!(document.text().matches("<!--").count(), REACH.matches("<!--").count(), "comments stay");
    assert_eq!(document.mirror(Rigged::Axis(3)).unwrap_err().kind(), Kind::OutOfRange);
    let text = "<muscle_set><muscle name='biceps_L' origin_joint='arm_L' origin='1 0 0' insertion_joint='hand_L' \
                insertion='2 0 0' size='0.1'/></muscle_set>";
    let mut set = Document::parse(text).unwrap();
    assert_eq!(set.mirror(Rigged::Axis(0)).unwrap().added, 1);
    let other = named(&set, "muscle", "biceps_R");
    assert_eq!(set.text_of(other, "origin").unwrap(), Some("-1 0 0"));
    assert!(set.text().starts_with(&text[..40]), "{}", set.text());
}

#[test]
fn sheets_and_heads_become_muscles_of_their_own() {
    let text = "<muscle_set>\n  <!-- a sheet -->\n  <muscle name='s' origin_joint='a' origin='0 0 0' origin_to='1 0 0' \
                insertion_joint='b' insertion='0 1 0' insertion_to='1 1 0' count='3' size='0.1'>\n    \
                <head name='h' origin_joint='a' origin='2 0 0'/>\n  </muscle>\n  <pad name='p' joint='a' centre='0 0 0' radius='1'/>\n\
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
        let mut found = Document::parse(text).unwrap().check();
        // The presets keep planes for bands that they do not have.
        found.retain(|(_, fault)| fault.message != "no node uses it");
        assert!(found.is_empty(), "{found:?}");
    }
    let broken = "<strand_scene>\n<body name='a'/>\n<body name='a' mode='held'/>\n<body name='world' mode='hold'/>\n\
                  <point name='p' at='0 0'/>\n<joint name='j' child='b' rest='1'/>\n<knot/>\n\
                  <body name='k' mode='led'><key time='1' at='0 0 0'/><key time='1' at='0 0 0'/></body>\n</strand_scene>";
    let document = Document::parse(broken).unwrap();
    let found: Vec<(u64, Option<String>, Weight)> =
        document.check().into_iter().map(|(_, f)| (f.line, f.attribute, f.weight)).collect();
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
        Document::parse(&text).unwrap().check()
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
