//! What is wrong with a scene, all of it, each with its element: what a rigger can see and mend before anything moves.

mod parts;

use super::StrandScene;
use super::names::RESERVED;
use crate::faults::{Fault, Weight, in_order, meant, of_schema, walk};
use crate::schema::{Element, Line, Tree};
use sinew_base::control::Control;
use sinew_base::error::Result;
use std::collections::{HashMap, HashSet};

/// Elements of which no two may have one name.
const FAMILIES: [&[&str]; 8] = [
    &["body"],
    &["point"],
    &["line", "circle"],
    &["plane"],
    &["joint"],
    &["strand"],
    &["contact"],
    &["muscle", "reel", "hill"],
];
/// The elements that `release` calls rules.
pub const RULES: [&str; 5] = ["frame", "link", "on_curve", "in_plane", "off_bone"];
/// The kinds of elements that may not have the name of one of that kind.
pub fn family_of(kind: &str) -> &'static [&'static str] {
    FAMILIES.into_iter().find(|family| family.contains(&kind)).unwrap_or(&[])
}

/// Children that hold a value at a time.
const KEYS: [&str; 3] = ["key", "activation", "to"];

/// The task of a check, for those who follow it.
const CHECKING: &str = "checking";

/// All faults of a scene's tree, in the order of its elements. What its parts need is looked at once all of it can be
/// read.
pub fn faults(tree: &Tree, control: &Control) -> Result<Vec<Fault>> {
    let mut found = of_schema(tree, StrandScene::schema());
    control.progress(0.2, CHECKING)?;
    names(tree, &mut found);
    references(tree, &mut found);
    control.progress(0.5, CHECKING)?;
    walk(tree, StrandScene::schema(), &mut |tree, _, path| times(tree, path, &mut found));
    if !found.iter().any(|fault| fault.weight == Weight::Unreadable) {
        match StrandScene::from_tree(tree) {
            Ok(scene) => parts::look(&scene, &mut found),
            Err(error) => {
                let (line, element) = (error.place().line.unwrap_or(0), error.place().element.clone());
                let (element, message) = (element.unwrap_or_default(), error.message().to_string());
                found.push(Fault { weight: Weight::Unreadable, line, element, attribute: None, message });
            }
        }
    }
    in_order(tree, &mut found);
    Ok(found)
}

fn text<'t>(tree: &'t Tree, attribute: &str) -> Option<&'t str> {
    tree.attributes.iter().find(|(name, _)| name == attribute).map(|(_, value)| value.as_str())
}

/// An element in a sentence: `joint "MCP"`.
fn called(tree: &Tree) -> String {
    match text(tree, "name").or(text(tree, "point")) {
        Some(name) => format!("{} {name:?}", tree.name),
        None => tree.name.clone(),
    }
}

/// Names that are taken, or reserved.
fn names(tree: &Tree, found: &mut Vec<Fault>) {
    for family in FAMILIES {
        let mut seen: HashMap<&str, &Tree> = HashMap::new();
        for child in tree.children.iter().filter(|child| family.contains(&child.name.as_str())) {
            let Some(name) = text(child, "name") else { continue };
            let path = format!("{}/{}", tree.name, child.name);
            let mut wrong =
                |message| found.push(Fault::new(Weight::Unreadable, child, &path, Some("name"), message));
            match seen.get(name) {
                Some(first) => wrong(format!("the name is taken by {}", called(first))),
                None => drop(seen.insert(name, child)),
            }
            if child.name == "body" && RESERVED.contains(&name) {
                wrong(format!("{} are reserved names", RESERVED.join(" and ")));
            }
        }
    }
}

/// The name by which reports and events know a rule.
pub fn rule_name(rule: &Tree) -> String {
    let of = |attribute| text(rule, attribute).unwrap_or_default();
    let above = of("relation").trim() == "above";
    let words = match rule.name.as_str() {
        "frame" => [of("point"), "in", of("body")],
        "link" => [of("first"), "at", of("second")],
        "on_curve" => [of("point"), "on", of("curve")],
        "in_plane" => [of("point"), if above { "above" } else { "in" }, of("plane")],
        _ => [of("point"), "off the bone in", of("plane")],
    };
    text(rule, "name").map_or_else(|| words.join(" "), String::from)
}

/// Names that refer to nothing.
fn references(tree: &Tree, found: &mut Vec<Fault>) {
    let mut known: HashMap<&str, HashSet<String>> = HashMap::new();
    for child in &tree.children {
        let name = match RULES.contains(&child.name.as_str()) {
            true => Some(rule_name(child)),
            false => text(child, "name").map(String::from),
        };
        known.entry(&child.name).or_default().extend(name);
    }
    // The joints of an armature's file are bodies, too.
    let has_armature = tree.children.iter().any(|child| child.name == "armature");
    walk(tree, StrandScene::schema(), &mut |element, schema, path| {
        for attribute in schema.attributes.iter().filter(|attribute| !attribute.refers.is_empty()) {
            let Some(name) = text(element, attribute.name) else { continue };
            let is_body = attribute.refers == "body";
            if is_body && (has_armature || RESERVED.contains(&name)) {
                continue;
            }
            let kinds: Vec<&str> = attribute.refers.split(' ').collect();
            let all = || kinds.iter().filter_map(|kind| known.get(kind)).flatten();
            if all().any(|other| other == name) {
                continue;
            }
            let what = if kinds.len() > 2 { "rule".into() } else { kinds.join(" or ") };
            let message = match name {
                "" => {
                    let is_point = (schema.name, attribute.name) == ("point", "on");
                    let others = if is_point { ", world or free" } else { "" };
                    format!(
                        "{}: what it named was deleted, or never chosen: choose a {what}{others}",
                        attribute.name
                    )
                }
                _ => {
                    let near = meant(name, all().map(String::as_str));
                    format!("{}: there is no {what} {name:?}{near}", attribute.name)
                }
            };
            found.push(Fault::new(Weight::Unreadable, element, path, Some(attribute.name), message));
        }
    });
}

/// Keys that are not later than those before.
fn times(tree: &Tree, path: &str, found: &mut Vec<Fault>) {
    let time = |key: &Tree| text(key, "time").and_then(|time| time.trim().parse::<f64>().ok());
    for kind in KEYS {
        let keys: Vec<&Tree> = tree.children.iter().filter(|child| child.name == kind).collect();
        for pair in keys.windows(2) {
            if let (Some(before), Some(after)) = (time(pair[0]), time(pair[1]))
                && after <= before
            {
                let message = format!("its time, {after} s, is not later than that of the key before");
                found.push(Fault::new(
                    Weight::Unreadable,
                    pair[1],
                    &format!("{path}/{kind}"),
                    Some("time"),
                    message,
                ));
            }
        }
    }
}

/// A fault at an element that has been read.
fn at(
    weight: Weight,
    element: &str,
    line: Line,
    attribute: Option<&str>,
    message: impl Into<String>,
) -> Fault {
    Fault {
        weight,
        line: line.0,
        element: format!("strand_scene/{element}"),
        attribute: attribute.map(String::from),
        message: message.into(),
    }
}
