//! What is wrong with an authored tree: all of it, for those who mend it, or the first, for those who read it.

use super::schema::{Count, ElementSchema, Need, Tree};
use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;

/// Something wrong, or doubtful, at an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// How bad it is.
    pub weight: Weight,
    /// The line of the element, or whatever stands in its place in the tree.
    pub line: u64,
    /// The element, by the names of those around it: `strand_scene/joint/axis`.
    pub element: String,
    /// The attribute, if it is one.
    pub attribute: Option<String>,
    /// A sentence.
    pub message: String,
}

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It cannot be read: a value, a name that is missing, taken or refers to nothing.
    Unreadable,
    /// It cannot be built.
    Wrong,
    /// No table knows it; what else there is can be built without it.
    Unknown,
    /// It can be built, but may not do what was meant.
    Doubt,
}

impl Weight {
    /// Whether it keeps a document from being built.
    pub fn is_error(self) -> bool {
        self <= Weight::Wrong
    }

    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            Weight::Unreadable => "unreadable",
            Weight::Wrong => "error",
            Weight::Unknown => "unknown",
            Weight::Doubt => "warning",
        }
    }
}

/// Checks a tree against its table: names, counts, what must be there. The error names line and element.
pub fn check(tree: &Tree, schema: &ElementSchema) -> Result<()> {
    let mut first = None;
    inspect(tree, schema, &mut |fault, kind| {
        first.get_or_insert_with(|| {
            let error = Error::new(kind, fault.message).line(fault.line);
            if fault.element.is_empty() { error } else { error.element(&fault.element) }
        });
    });
    first.map_or(Ok(()), Err)
}

/// All that a table says is wrong with a tree: names, counts, what must be there, and values that cannot be read.
pub fn of_schema(tree: &Tree, schema: &'static ElementSchema) -> Vec<Fault> {
    let mut found = Vec::new();
    inspect(tree, schema, &mut |fault, _| found.push(fault));
    walk(tree, schema, &mut |tree, schema, path| {
        for (name, text) in &tree.attributes {
            let Some(known) = schema.attributes.iter().find(|known| known.name == name) else { continue };
            // What named something that is gone is a fault of what it names.
            let names_nothing = text.is_empty() && !known.refers.is_empty();
            if !names_nothing && (known.convert)(text, &mut |_, _| {}).is_none() {
                let short: String = text.chars().take(60).collect();
                let message = format!("{name} is {short:?}; expected {}", known.expected);
                found.push(Fault::new(Weight::Unreadable, tree, path, Some(name), message));
            }
        }
    });
    found
}

/// Removes from a tree what no table knows.
pub fn keep_known(tree: &mut Tree, schema: &ElementSchema) {
    let children = (schema.children)();
    tree.attributes.retain(|(name, _)| schema.attributes.iter().any(|known| known.name == name));
    tree.children.retain(|child| children.iter().any(|known| known.element.name == child.name));
    for child in &mut tree.children {
        if let Some(inside) = children.iter().find(|known| known.element.name == child.name) {
            keep_known(child, inside.element);
        }
    }
}

/// Sorts faults as their elements stand in the tree, the worst of each first.
pub fn in_order(tree: &Tree, found: &mut [Fault]) {
    fn count(tree: &Tree, order: &mut HashMap<u64, usize>) {
        let place = order.len();
        order.entry(tree.line).or_insert(place);
        tree.children.iter().for_each(|child| count(child, order));
    }
    let mut order = HashMap::new();
    count(tree, &mut order);
    found.sort_by_key(|fault| (order.get(&fault.line).copied().unwrap_or(usize::MAX), fault.weight));
}

/// Calls `visit` with each element that the tables know, its table and the names of the elements around it.
pub fn walk<'t>(
    tree: &'t Tree,
    schema: &'static ElementSchema,
    visit: &mut dyn FnMut(&'t Tree, &'static ElementSchema, &str),
) {
    fn at<'t>(
        tree: &'t Tree,
        schema: &'static ElementSchema,
        path: &str,
        visit: &mut dyn FnMut(&'t Tree, &'static ElementSchema, &str),
    ) {
        visit(tree, schema, path);
        let children = (schema.children)();
        for child in &tree.children {
            if let Some(known) = children.iter().find(|known| known.element.name == child.name) {
                at(child, known.element, &format!("{path}/{}", child.name), visit);
            }
        }
    }
    at(tree, schema, &tree.name, visit);
}

impl Fault {
    /// One at an element.
    pub fn new(weight: Weight, tree: &Tree, path: &str, attribute: Option<&str>, message: String) -> Self {
        let attribute = attribute.map(String::from);
        Fault { weight, line: tree.line, element: path.into(), attribute, message }
    }
}

/// Finds what a table forbids, in the order of the tree.
fn inspect(tree: &Tree, schema: &ElementSchema, found: &mut dyn FnMut(Fault, Kind)) {
    if tree.name == schema.name {
        return inspect_at(tree, schema, &tree.name, found);
    }
    let message = format!("the file begins with <{}>, not with <{}>", tree.name, schema.name);
    found(Fault::new(Weight::Unreadable, tree, "", None, message), Kind::Parse);
}

fn inspect_at(tree: &Tree, schema: &ElementSchema, path: &str, found: &mut dyn FnMut(Fault, Kind)) {
    for (k, (name, _)) in tree.attributes.iter().enumerate() {
        if !schema.attributes.iter().any(|known| known.name == name) {
            let message = unknown("attribute", name, schema.attributes.iter().map(|known| known.name));
            found(Fault::new(Weight::Unknown, tree, path, Some(name), message), Kind::NotFound);
        }
        if tree.attributes[..k].iter().any(|(other, _)| other == name) {
            let message = format!("duplicate attribute {name}");
            found(Fault::new(Weight::Unreadable, tree, path, Some(name), message), Kind::Parse);
        }
    }
    for known in schema.attributes.iter().filter(|known| known.need == Need::Required) {
        if !tree.attributes.iter().any(|(name, _)| name == known.name) {
            let gone =
                if known.refers.is_empty() { "" } else { ", or what it named was deleted; choose another" };
            let message = format!("the attribute {} is missing{gone}: {}", known.name, known.doc);
            found(Fault::new(Weight::Unreadable, tree, path, Some(known.name), message), Kind::Parse);
        }
    }
    let children = (schema.children)();
    for child in &tree.children {
        match children.iter().find(|known| known.element.name == child.name) {
            Some(known) => inspect_at(child, known.element, &format!("{path}/{}", child.name), found),
            None => {
                let known = children.iter().map(|known| known.element.name);
                let message =
                    replaced(path, &child.name).unwrap_or_else(|| unknown("element", &child.name, known));
                found(Fault::new(Weight::Unknown, child, path, None, message), Kind::NotFound);
            }
        }
    }
    for known in &children {
        let mut same = tree.children.iter().filter(|child| child.name == known.element.name);
        match (known.count, same.next(), same.next()) {
            (Count::One, None, _) => {
                let message = format!("<{}> is missing", known.element.name);
                found(Fault::new(Weight::Unreadable, tree, path, None, message), Kind::Parse);
            }
            (Count::One | Count::Optional, Some(_), Some(second)) => {
                let message = format!("a second <{}>; one is allowed", known.element.name);
                found(Fault::new(Weight::Unreadable, second, path, None, message), Kind::Parse);
            }
            _ => {}
        }
    }
}

/// Elements of a job's nodes that scenes had before, and what is written today.
const REPLACED: [(&str, &str); 8] = [
    ("mesh", "<input port=\"rest\" file=\"...\"/>, for skinning port=\"points\","),
    ("body", "<input port=\"points\" file=\"...\"/>"),
    ("joints", "<input port=\"joints\" file=\"...\"/>"),
    ("weights", "<input port=\"influence_weights\" file=\"...\"/>"),
    ("map", "<input port=\"...\" file=\"...\"/>"),
    ("rows", "<input port=\"rows\" file=\"...\"/>"),
    (
        "output",
        "<outputs folder=\"...\"><write file=\"...\" from=\"NODE.points\"/></outputs> after the nodes",
    ),
    ("results", "<outputs folder=\"...\"><tables/>...</outputs> after the nodes"),
];

/// A sentence about an element that something else replaces.
fn replaced(parent: &str, name: &str) -> Option<String> {
    let (_, now) = REPLACED.iter().find(|(old, _)| parent == "sinew/node" && *old == name)?;
    Some(format!("<{name}> is replaced: write {now}"))
}

/// A sentence about a name that no table has.
pub fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let name: String = name.chars().take(40).collect();
    let known: Vec<&str> = known.collect();
    match known[..] {
        [] => format!("unknown {what} {name:?}; none is allowed here"),
        _ => {
            let near = meant(&name, known.iter().copied());
            format!("unknown {what} {name:?}; there are {}{near}", known.join(", "))
        }
    }
}

/// Asks whether the nearest of some names was meant, if one is near: `; did you mean "palm"?`.
pub fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    /// As alike as names are that differ by a slip.
    const ALIKE: f64 = 0.6;
    let alike = known.into_iter().map(|other| (strsim::normalized_levenshtein(name, other), other));
    match alike
        .filter(|(alike, other)| *alike >= ALIKE && !other.is_empty())
        .max_by(|a, b| a.0.total_cmp(&b.0))
    {
        Some((_, other)) => format!("; did you mean {other:?}?"),
        None => String::new(),
    }
}
