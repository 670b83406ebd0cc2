//! What cannot be built is among the faults of a document, whoever asks; and what saving leaves behind.

use super::{Document, named};
use sinew_base::control::Control;
use sinew_base::error::Kind;
use sinew_scene::faults::Weight;
use std::fs;
use std::path::Path;

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\nf 1 4 3 2\nf 5 6 7 8\n\
                    f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// The lines, elements and sentences of what keeps a document from being built.
fn wrong(document: &Document) -> Vec<(u64, String, String)> {
    let found = document.check(&Control::default()).unwrap().into_iter().map(|(_, fault)| fault);
    found.filter(|f| f.weight.is_error()).map(|f| (f.line, f.element, f.message)).collect()
}

#[test]
fn what_cannot_be_built_of_sets_and_plans_is_among_their_faults() {
    let muscle = |name: &str, more: &str| {
        format!("<muscle name='{name}' origin_joint='a' origin='0 0 0' insertion_joint='b' {more}/>\n")
    };
    let good = "insertion='0 1 0' size='0.1'";
    let set = [
        "<muscle_set>\n".to_string(),
        muscle("fine", good),
        muscle("fine", good),
        muscle("point", "insertion='0 0 0' size='0.1'"),
        muscle("none", &format!("{good} count='0'")),
        muscle("thin", "insertion='0 1 0' size='-1'"),
        muscle("few", &format!("{good} count='few'")),
        muscle("sheet", &format!("{good} count='3' rings='1'")),
        format!(
            "<muscle name='sculpted' origin_joint='a' origin='0 0 0' insertion_joint='b' {good}>\n<offset ring='99' \
             vertex='0' by='0 0 0'/></muscle>\n"
        ),
        "<pad name='p' joint='a' centre='0 0 0' radius='0'/>\n</muscle_set>".to_string(),
    ];
    let listed = |text: &str| -> Vec<(u64, String, Weight, String)> {
        let found = Document::parse(text).unwrap().check(&Control::default()).unwrap();
        found.into_iter().map(|(_, f)| (f.line, f.element, f.weight, f.message)).collect()
    };
    let found = listed(&set.concat());
    let short: Vec<_> = found.iter().map(|(line, path, weight, _)| (*line, path.as_str(), *weight)).collect();
    let muscle = "muscle_set/muscle";
    let expected = [
        (3, muscle, Weight::Wrong),
        (4, muscle, Weight::Wrong),
        (5, muscle, Weight::Wrong),
        (6, muscle, Weight::Wrong),
        (7, muscle, Weight::Unreadable),
        (8, muscle, Weight::Wrong),
        (10, "muscle_set/muscle/offset", Weight::Wrong),
        (11, "muscle_set/pad", Weight::Wrong),
    ];
    assert_eq!(short, expected, "{found:#?}");
    assert!(found[0].3.contains("muscle fine is left out: another one has that name"), "{found:?}");
    let space = "<muscle_set>\n<space metres_per_unit='0'/></muscle_set>";
    let found = listed(space);
    assert!(found.len() == 1 && found[0].0 == 2 && found[0].1 == "muscle_set/space", "{found:?}");
    let plan = include_str!("../../anatomy/muscles/human.xml");
    assert_eq!(listed(plan), []);
    let one = plan.find("<muscle ").unwrap() + "<muscle ".len();
    let count = plan[one..].find("count=");
    assert!(count.is_none_or(|count| count > plan[one..].find('>').unwrap()), "the first is no sheet");
    let found = listed(&format!("{}count='0' {}", &plan[..one], &plan[one..]));
    assert!(found.len() == 1 && found[0].3.contains("count is 0"), "{found:?}");
}

#[test]
fn what_cannot_be_built_of_a_scene_is_among_its_faults() {
    let scene =
        |parts: &str| format!("<strand_scene>\n<body name='a' mode='held'/>\n{parts}\n</strand_scene>");
    let point = "<point name='p' on='a' at='0 0 0'/><point name='q' on='a' at='1 0 0'/>";
    let strand = |more: &str| {
        scene(&format!(
            "{point}\n<strand name='s' stiffness='1' {more}><node point='p'/><node point='q'/></strand>"
        ))
    };
    assert_eq!(wrong(&Document::parse(&strand("")).unwrap()), []);
    for (text, line, element, message) in [
        (strand("radius='-0.1'"), 4, "strand_scene/strand", "radius"),
        (scene("<body name='b' mass='-1'/>"), 3, "strand_scene/body", "mass"),
        (scene("<body name='b' mass='1' inertia='1 1 9'/>"), 3, "strand_scene/body", "inertia"),
        (scene("<body name='b'><cuboid size='0 1 1'/></body>"), 3, "strand_scene/body", "positive"),
        (
            "<strand_scene>\n<space metres_per_unit='0'/></strand_scene>".into(),
            2,
            "strand_scene/space",
            "unit",
        ),
    ] {
        let found = wrong(&Document::parse(&text).unwrap());
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].0 == line && found[0].1.starts_with(element), "{text}: {found:?}");
        assert!(found[0].2.contains(message), "{text}: {found:?}");
    }
}

/// With its files at hand a scene can be judged as a whole; the text of one whose files lie elsewhere cannot.
#[test]
fn files_that_a_scene_names_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.xml");
    let text = "<strand_scene>\n<armature file='joints.csv'/>\n<point name='p' on='arm' at='0 0 0'/>\n\
                <point name='q' on='forarm' at='1 0 0'/>\n\
                <strand name='s' stiffness='1'><node point='p'/><node point='q'/></strand></strand_scene>";
    fs::write(&path, text).unwrap();
    assert_eq!(wrong(&Document::parse(text).unwrap()), []);
    let found = wrong(&Document::load(&path).unwrap());
    assert!(found[0].0 == 2 && found[0].2.contains("joints.csv"), "{found:?}");
    let header = "frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n";
    let rows = ["rest,arm", "1,arm"].map(|row| format!("{row},1,0,0,0,0,1,0,0,0,0,1,0\n")).concat();
    fs::write(folder.path().join("joints.csv"), format!("{header}{rows}")).unwrap();
    let found = wrong(&Document::load(&path).unwrap());
    assert!(found.len() == 1 && found[0].0 == 4 && found[0].2.contains("\"forarm\""), "{found:?}");
    fs::write(&path, text.replace("forarm", "arm")).unwrap();
    assert_eq!(wrong(&Document::load(&path).unwrap()), []);
}

fn save_cube(folder: &Path) -> Document {
    let text =
        "<strand_scene>\n<body name='a_L' mode='held'><shape file='cube.obj'/></body>\n</strand_scene>";
    fs::write(folder.join("cube.obj"), CUBE).unwrap();
    fs::write(folder.join("a.xml"), text).unwrap();
    Document::load(&folder.join("a.xml")).unwrap()
}

#[test]
fn meshes_of_others_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mirrored = |axis: usize| {
        let mut document = save_cube(folder.path());
        document.mirror(super::Rigged::Axis(axis), &Control::default()).unwrap();
        document
    };
    let mesh = folder.path().join("cube_mirrored.obj");
    let mut x = mirrored(0);
    x.save(&folder.path().join("x.xml")).unwrap();
    let before = fs::read(&mesh).unwrap();
    mirrored(0).save(&folder.path().join("again.xml")).unwrap();
    let error = mirrored(2).save(&folder.path().join("z.xml")).unwrap_err();
    assert!(
        error.kind() == Kind::InvalidArgument && error.to_string().contains("cube_mirrored.obj"),
        "{error}"
    );
    assert!(fs::read(&mesh).unwrap() == before && !folder.path().join("z.xml").exists());
    // Its own it may.
    let shape = x.children(x.children(x.root(), Some("body")).unwrap()[0], Some("shape")).unwrap()[0];
    let mut turned = x.mesh(shape, Default::default()).unwrap();
    turned.positions.iter_mut().for_each(|p| p.y += 1.0);
    x.set_mesh(shape, turned, Default::default()).unwrap();
    x.save(&folder.path().join("x.xml")).unwrap();
    assert!(fs::read(&mesh).unwrap() != before);
    // Twice, before anything is saved: the meshes of between are known.
    let mut twice = mirrored(0);
    twice.mirror(super::Rigged::Axis(0), &Control::default()).unwrap();
}

#[test]
fn lines_are_those_of_the_file_that_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<strand_scene>\n<body name='a' mode='held'/>\n<body name='b' mode='held'><cuboid size='1 x \
            1'/></body>\n</strand_scene>";
    let mut document = Document::parse(text).unwrap();
    let first = named(&document, "body", "a");
    for name in ["new", "newer"] {
        let body = document.add(document.root(), "body", Some(first)).unwrap();
        document.set_text(body, "name", Some(name)).unwrap();
        document.set_text(body, "mode", Some("held")).unwrap();
    }
    assert_eq!(wrong(&document)[0].0, 3);
    let path = folder.path().join("saved.xml");
    document.save(&path).unwrap();
    let again = wrong(&Document::load(&path).unwrap());
    assert_eq!(wrong(&document), again);
    assert_eq!(again[0].0, 5);
    let error = document.mirror(super::Rigged::Axis(0), &Control::default()).unwrap_err().to_string();
    assert!(error.contains("saved.xml:5") && error.contains("strand_scene/body/cuboid"), "{error}");
}

/// An error in a file that a document names says which file, and where the document names it.
#[test]
fn what_is_wrong_with_a_file_has_both_places() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = save_cube(folder.path());
    fs::remove_file(folder.path().join("cube.obj")).unwrap();
    let shape = loaded.children(named(&loaded, "body", "a_L"), None).unwrap()[0];
    for error in [loaded.mesh(shape, Default::default()).unwrap_err(), loaded.built().err().unwrap()] {
        let text = error.to_string();
        assert!(text.contains("a.xml:2: element strand_scene/body/shape: "), "{text}");
        assert!(text.contains("cube.obj: "), "{text}");
    }
    let mut parsed = Document::parse(&loaded.text()).unwrap();
    let text = parsed.mirror(super::Rigged::Axis(0), &Control::default()).unwrap_err().to_string();
    assert!(text.starts_with("line 2: element strand_scene/body/shape: cube.obj: "), "{text}");
}
