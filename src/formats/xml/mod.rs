//! XML: trees from text and back. What a tree may contain is defined by the tables of `scene`; nothing about any
//! element is known here.
//!
//! Elements and attributes are read; text between elements, document types and custom entities are refused.

mod authored;

pub use authored::{Authored, Id};

use super::atomic;
use super::csv::read_text;
use authored::escaped;
use sinew_base::error::Result;
use sinew_scene::faults::check;
use sinew_scene::schema::{Element, Tree};
use std::io::Write;
use std::path::Path;

/// Reads a file.
pub fn read<T: Element>(path: &Path) -> Result<T> {
    parse(&read_text(path)?).map_err(|e| e.file(path))
}

/// Reads the tree of a file, unchecked.
pub fn read_tree(path: &Path) -> Result<Tree> {
    parse_tree(&read_text(path)?).map_err(|e| e.file(path))
}

/// Reads a text: the tree, the check against the tables, the typed element.
pub fn parse<T: Element>(text: &str) -> Result<T> {
    let tree = parse_tree(text)?;
    check(&tree, T::schema())?;
    T::from_tree(&tree)
}

/// The name of a file's root element.
pub fn root(path: &Path) -> Result<String> {
    Ok(read_tree(path)?.name)
}

/// Writes a file, whole or not at all.
pub fn save<T: Element>(path: &Path, element: &T) -> Result<()> {
    atomic::write(path, |file| file.write_all(write(element).as_bytes()))
}

/// The text that [`parse`] reads back.
pub fn write<T: Element>(element: &T) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write_tree(&element.to_tree(), 0, &mut text);
    text
}

fn write_tree(tree: &Tree, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    text.push_str(&format!("{indent}<{}", tree.name));
    for (name, value) in &tree.attributes {
        text.push_str(&format!(" {name}=\"{}\"", escaped(value)));
    }
    if tree.children.is_empty() {
        text.push_str("/>\n");
        return;
    }
    text.push_str(">\n");
    tree.children.iter().for_each(|child| write_tree(child, depth + 1, text));
    text.push_str(&format!("{indent}</{}>\n", tree.name));
}

/// Reads the tree of a text, unchecked.
pub fn parse_tree(text: &str) -> Result<Tree> {
    Authored::parse(text).map(|file| file.tree())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_base::error::{Error, Kind};
    use sinew_scene::Scene;

    const SAMPLE: &str = r#"<?xml version="1.0"?>
<!-- An arm. -->
<sinew version="1">
  <space metres_per_unit="0.01" up="z"/>
  <frames range="1-48x2,50" fps="25"/>
  <node type="skinning">
    <param id="method" value="dual_quaternion"/>
    <param id="envelope" value="0.5"/>
    <input port="points" file="rest &amp; more.obj"/>
    <input port="joints" file="joints.csv"/>
    <input port="influence_weights" file="weights.csv"/>
    <subdivide level="2"/>
  </node>
  <outputs folder="out"><write file="out.%04d.obj" from="skinning.points"/></outputs>
</sinew>
"#;
    const JOB: &str = include_str!("../../../tests/fuzz/corpus/scene/job");
    const GRAPH: &str = include_str!("../../../tests/fuzz/corpus/scene/graph");

    fn broken(from: &str, to: &str) -> Error {
        assert!(SAMPLE.contains(from));
        parse::<Scene>(&SAMPLE.replacen(from, to, 1)).unwrap_err()
    }

    #[test]
    fn every_element_and_attribute_is_read_and_comes_back() {
        let scene: Scene = parse(SAMPLE).unwrap();
        let node = &scene.nodes[0];
        assert_eq!(node.inputs[0].file.as_ref().unwrap(), "rest & more.obj");
        assert_eq!(scene.frames.as_ref().unwrap().range.as_ref().unwrap().0.len(), 25);
        assert_eq!((node.line.0, node.inputs[2].line.0), (6, 11));
        assert_eq!(parse::<Scene>(&write(&scene)).unwrap(), scene);
        let job: Scene = parse(JOB).unwrap();
        assert_eq!(parse::<Scene>(&write(&job)).unwrap(), job);
        let graph: Scene = parse(GRAPH).unwrap();
        assert_eq!(parse::<Scene>(&write(&graph)).unwrap(), graph);
        // The samples contain everything in the tables, so nothing is lost by reading or by writing.
        let text = write(&scene) + &write(&job) + &write(&graph);
        fn walk(schema: &sinew_scene::schema::ElementSchema, text: &str) {
            assert!(text.contains(&format!("<{}", schema.name)), "{}", schema.name);
            schema
                .attributes
                .iter()
                .for_each(|a| assert!(text.contains(&format!(" {}=", a.name)), "{}", a.name));
            (schema.children)().iter().for_each(|child| walk(child.element, text));
        }
        walk(Scene::schema(), &text);
    }

    #[test]
    fn mistakes_name_line_and_element() {
        for (from, to, kind, line, words) in [
            (
                "<subdivide",
                "<subdevide",
                Kind::NotFound,
                12,
                "unknown element \"subdevide\"; there are param, input, subdivide; did you mean",
            ),
            (
                "file=\"joints",
                "fil=\"joints",
                Kind::NotFound,
                10,
                "unknown attribute \"fil\"; there are port, file",
            ),
            ("fps=\"25\"", "fps=\"fast\"", Kind::Parse, 5, "fps is \"fast\"; expected a number"),
            ("fps=\"25\"", "fps=\"inf\"", Kind::Parse, 5, "a number"),
            ("1-48x2", "48-1", Kind::Parse, 5, "range"),
            ("up=\"z\"", "up=\"x\"", Kind::Parse, 4, "y or z"),
            ("type=\"skinning\"", "", Kind::Parse, 6, "the attribute type is missing"),
            ("version=\"1\">", "version=\"2\">", Kind::Parse, 3, "version"),
            (
                "<input port=\"joints\" file=\"joints.csv\"/>",
                "<subdivide/>",
                Kind::Parse,
                12,
                "a second <subdivide>",
            ),
            (
                "<input port=\"joints\" file=\"joints.csv\"/>",
                "<joints file=\"joints.csv\"/>",
                Kind::NotFound,
                10,
                "<joints> is replaced: write <input port=\"joints\" file=\"...\"/>",
            ),
            ("<input port=\"joints\"", "text <input port=\"joints\"", Kind::Parse, 9, "text between"),
            ("</node>", "</nod>", Kind::Parse, 13, "nod"),
            ("&amp;", "&mine;", Kind::Parse, 9, "mine"),
            ("<sinew version", "<rig version", Kind::Parse, 15, "rig"),
        ] {
            let error = broken(from, to);
            assert_eq!(error.kind(), kind, "{to}: {error}");
            assert!(error.message().contains(words), "{to}: {error}");
            assert_eq!(error.place().line, Some(line), "{to}: {error}");
        }
        assert_eq!(broken("<subdivide", "<subdevide").place().element.as_deref(), Some("sinew/node"));
    }

    #[test]
    fn elements_that_scenes_had_before_name_what_replaces_them() {
        for old in ["mesh", "body", "joints", "weights", "map", "rows", "output", "results"] {
            let error =
                broken("<input port=\"joints\"", &format!("<{old} file=\"a\"/><input port=\"joints\""));
            let (message, place) = (error.message(), error.place());
            assert!(message.starts_with(&format!("<{old}> is replaced: write <")), "{message}");
            assert_eq!((place.line, place.element.as_deref()), (Some(10), Some("sinew/node")));
            assert!(
                broken("<frames ", &format!("<{old}/><frames ")).message().starts_with("unknown element")
            );
        }
    }

    #[test]
    fn what_is_no_scene_is_refused() {
        for text in [
            "",
            "   ",
            "not xml",
            "<sinew/><sinew/>",
            "<sinew>",
            "</sinew>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><sinew/>",
            &"<a>".repeat(100_000),
            "<sinew version='1' version='1'/>",
            &format!("<sinew {}/>", (0..300_000).map(|k| format!("a{k}='' ")).collect::<String>()),
            "\0\0\0\0",
        ] {
            assert!(parse::<Scene>(text).is_err(), "{}", &text[..text.len().min(40)]);
        }
        assert!(parse::<Scene>("\u{feff}<sinew/>").is_ok());
    }

    #[test]
    fn every_truncation_is_a_scene_or_an_error() {
        for length in 0..SAMPLE.len() {
            let whole = parse::<Scene>(&SAMPLE[..length]).is_ok();
            assert_eq!(whole, length >= SAMPLE.trim_end().len(), "{length}");
        }
    }

    proptest! {
        #[test]
        fn any_text_in_an_attribute_comes_back(file in "[^\u{0}-\u{8}\u{b}\u{c}\u{e}-\u{1f}\u{fffe}\u{ffff}]{1,40}") {
            let mut scene: Scene = parse(SAMPLE).unwrap();
            scene.nodes[0].inputs[0].file = Some(file);
            prop_assert_eq!(&parse::<Scene>(&write(&scene)).unwrap(), &scene);
        }
    }
}
