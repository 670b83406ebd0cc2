//! `sinew nodes`: the reference, generated from the descriptors.

use super::{Context, print};
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_nodes::{
    Direction, NodeDescriptor, NodeMesh, Param, ParamKind, Port, PortKind, Unit, find, registry,
};
use std::fmt::Write;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The node to describe; all of them by default.
    id: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let nodes: Vec<&NodeDescriptor> = match &args.id {
        None => registry().iter().map(|r| r.descriptor).collect(),
        Some(id) => vec![
            find(id)
                .ok_or_else(|| {
                    let ids: Vec<_> = registry().iter().map(|r| r.descriptor.id).collect();
                    let message = format!("no node \"{id}\"; there are {}", ids.join(", "));
                    Error::new(Kind::InvalidArgument, message)
                })?
                .descriptor,
        ],
    };
    if context.json {
        let all: Vec<Value> = nodes.iter().map(|node| describe(node)).collect();
        return print(&format!("{:#}\n", Value::from(all)));
    }
    let pages: Vec<String> = nodes.iter().map(|node| page(node)).collect();
    print(&pages.join("\n"))
}

fn range(port: &Port) -> String {
    port.range.map_or(String::new(), |(min, max)| format!(", {min} to {max}"))
}

/// A page of Markdown that also reads well in a terminal.
fn page(node: &NodeDescriptor) -> String {
    let mut text = format!("# {} ({})\n\n{}\n", node.title, node.id, node.doc);
    if node.meshes.len() > 1 {
        text.push_str("\n## Meshes\n\n");
        node.meshes.iter().for_each(|mesh| text.push_str(&about_mesh(mesh)));
    }
    for (title, direction) in [("Inputs", Direction::Input), ("Outputs", Direction::Output)] {
        let _ = write!(text, "\n## {title}\n");
        let mut group = "";
        for port in node.ports.iter().filter(|p| p.direction == direction) {
            if port.group != group {
                group = port.group;
                let _ = write!(text, "\n### {group}\n\n");
            }
            let needed = match (port.direction, port.required, port.default) {
                (Direction::Output, ..) => String::new(),
                (_, true, _) => ", required".into(),
                (_, _, Some(default)) => format!(", default {default}"),
                (_, _, None) => ", optional".into(),
            };
            let painted = if port.paintable { ", paintable" } else { "" };
            let (kind, components) = (port.kind.name(), port.kind.components());
            let per = if port.items.is_empty() { port.domain.one() } else { port.items.to_string() };
            let (quantity, unit) = (port.quantity.name(), in_unit(port.unit));
            let at_rest = if port.at_rest { ", at rest" } else { "" };
            let _ = writeln!(text, "- `{}`: {}", port.id, port.doc);
            let (range, related) = (range(port), related(port));
            let what = match port.kind {
                PortKind::Mesh => kind.to_string(),
                _ => format!("{kind} x {components} per {per}, {quantity}{unit}{at_rest}"),
            };
            let _ = writeln!(text, "  ({what}{related}{range}{needed}{painted})");
        }
    }
    text.push_str("\n## Parameters\n");
    let mut group = "";
    for param in node.params {
        if param.panel.group != group {
            group = param.panel.group;
            let _ = write!(text, "\n### {group}\n\n");
        }
        let _ = writeln!(text, "- `{}` ({}): {}\n  ({})", param.id, param.title, param.doc, values(param));
        if let ParamKind::Choice { choices, .. } = param.kind {
            for choice in choices {
                let _ = writeln!(text, "  - `{}`: {}", choice.id, choice.doc);
            }
        }
    }
    text
}

fn about_mesh(mesh: &NodeMesh) -> String {
    let made = mesh.made.as_ref().map_or(String::new(), |made| {
        format!(" Made of `{}`, `{}` and `{}`.", made.points, made.face_sizes, made.face_vertices)
    });
    format!("- `{}`: {}{made}\n", mesh.id, mesh.doc)
}

/// How its items belong to those of other ports.
fn related(port: &Port) -> String {
    let said = [
        (port.index_of, "of a ", ""),
        (port.counted_by, "counted by `", "`"),
        (port.radii, "as thick as `", "`"),
        (port.between, "between neighbours of `", "`"),
    ];
    let said = said.into_iter().filter(|(other, ..)| !other.is_empty());
    said.map(|(other, before, after)| format!(", {before}{other}{after}")).collect()
}

fn in_unit(unit: Unit) -> String {
    match unit.symbol() {
        "" => String::new(),
        symbol => format!(" in {symbol}"),
    }
}

fn values(param: &Param) -> String {
    let panel = &param.panel;
    let shown = panel
        .shown_when
        .map_or(String::new(), |(other, choices)| format!("; for {other} = {}", choices.join(" or ")));
    let restarts = if panel.restarts { "; a change restarts the node" } else { "" };
    let advanced = if panel.advanced { "; advanced" } else { "" };
    format!("{}{shown}{restarts}{advanced}", kind_of_value(param))
}

fn kind_of_value(param: &Param) -> String {
    let unit = match param.unit.symbol() {
        "" => String::new(),
        symbol => format!(" {symbol}"),
    };
    match param.kind {
        ParamKind::Bool { default } => format!("true or false, default {default}"),
        ParamKind::Int { default, min, max } => format!("{min} to {max}{unit}, default {default}"),
        ParamKind::Real { default, min, max } => format!("{min} to {max}{unit}, default {default}"),
        ParamKind::Choice { default, choices } => {
            format!("one of the following, default {}", choices[default].id)
        }
        ParamKind::Text { default: "" } => "text, default empty".into(),
        ParamKind::Text { default } => format!("text, default {default}"),
    }
}

fn describe(node: &NodeDescriptor) -> Value {
    let port = |port: &Port| {
        json!({
            "id": port.id, "title": port.title, "doc": port.doc, "direction": port.direction.name(),
            "kind": port.kind.name(), "components": port.kind.components(), "domain": port.domain.on_body(),
            "mesh": port.domain.mesh().unwrap_or_default(), "element": port.domain.element(), "group": port.group,
            "ignores": port.ignores,
            "quantity": port.quantity.name(), "required": port.required, "paintable": port.paintable,
            "default": port.default, "range": port.range, "items": port.items, "unit": port.unit.symbol(),
            "whole": port.is_whole(), "at_rest": port.at_rest, "counted_by": port.counted_by, "radii": port.radii,
            "between": port.between, "index_of": port.index_of,
        })
    };
    let param = |param: &Param| {
        let panel = &param.panel;
        let (default, range, choices): (Value, Value, Value) = match param.kind {
            ParamKind::Bool { default } => (default.into(), Value::Null, Value::Null),
            ParamKind::Int { default, min, max } => (default.into(), json!([min, max]), Value::Null),
            ParamKind::Real { default, min, max } => (default.into(), json!([min, max]), Value::Null),
            ParamKind::Choice { default, choices } => {
                let list: Vec<_> =
                    choices.iter().map(|c| json!({ "id": c.id, "title": c.title, "doc": c.doc })).collect();
                (choices[default].id.into(), Value::Null, list.into())
            }
            ParamKind::Text { default } => (default.into(), Value::Null, Value::Null),
        };
        json!({
            "id": param.id, "title": param.title, "doc": param.doc, "unit": param.unit.symbol(),
            "kind": param.kind.name(), "default": default, "range": range, "choices": choices,
            "group": panel.group, "slider": panel.soft, "step": panel.step, "shown_when": panel.shown_when,
            "advanced": panel.advanced, "restarts": panel.restarts, "files": panel.files,
            "is_file": param.is_file(), "document": panel.document,
        })
    };
    let mesh = |mesh: &NodeMesh| {
        let made = mesh.made.as_ref();
        let made = made.map(
            |m| json!({ "points": m.points, "face_sizes": m.face_sizes, "face_vertices": m.face_vertices }),
        );
        json!({ "id": mesh.id, "title": mesh.title, "doc": mesh.doc, "made": made })
    };
    json!({
        "id": node.id, "number": node.number, "title": node.title, "doc": node.doc, "stateful": node.stateful,
        "meshes": node.meshes.iter().map(mesh).collect::<Vec<_>>(),
        "ports": node.ports.iter().map(port).collect::<Vec<_>>(),
        "params": node.params.iter().map(param).collect::<Vec<_>>(),
    })
}
