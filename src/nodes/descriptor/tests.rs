use super::super::registry;
use super::*;
use std::collections::BTreeSet;

fn check_text(place: &str, id: &str, title: &str, doc: &str) {
    assert!(!id.is_empty() && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
    assert!(!title.is_empty(), "{place}: no title");
    assert!(doc.ends_with('.') && doc.len() > 10, "{place}: the doc must be a sentence with a full stop");
}

fn check_port(place: &str, port: &Port) {
    check_text(place, port.id, port.title, port.doc);
    let components = port.kind.components();
    if let Some(fixed) = port.quantity.components() {
        assert_eq!(components, fixed, "{place}: the quantity fixes the components");
    }
    use Quantity::{Direction as Way, Displacement, Position, Transform};
    let spatial =
        port.kind == PortKind::Mesh || [Position, Displacement, Way, Transform].contains(&port.quantity);
    assert!(spatial || !port.at_rest, "{place}: only places and directions are at rest or not");
    assert!(components > 0 || port.kind == PortKind::Mesh, "{place}: no components");
    // Arrays indexed by domain use the position in this list.
    assert_eq!(Domain::ALL.get(port.domain as usize), Some(&port.domain), "{place}: a domain left out");
    // Numbers described as "in" something also have it as their unit.
    let said = ["degrees", "metres", "in N", "N/m"].iter().any(|word| port.doc.contains(word));
    assert!(!said || port.unit != Unit::None || port.quantity != Quantity::Scalar, "{place}: no unit");
    assert_eq!(port.domain == Domain::Free, !port.items.is_empty(), "{place}: what its items are");
    if port.paintable {
        assert!(port.domain == Domain::Vertex && port.kind == PortKind::Reals { components: 1 }, "{place}");
        assert!(port.direction == Direction::Input && port.default.is_some(), "{place}");
    }
    if let (Some((low, high)), Some(value)) = (port.range, port.default) {
        assert!(low <= value && value <= high, "{place}: the default is out of range");
    }
    assert!(port.range.is_none_or(|(low, high)| low < high), "{place}: empty range");
    assert!(!(port.required && port.default.is_some()), "{place}: a required port has no default");
    if port.direction == Direction::Output {
        assert!(matches!(port.kind, PortKind::Reals { .. }), "{place}: outputs are reals");
        assert!(!port.required, "{place}: an output is not required");
    }
}

#[test]
fn attributes_of_hosts_never_share_a_name() {
    for node in registry().iter().map(|registration| registration.descriptor) {
        let all = node.ports.iter().map(Port::host_name).chain(node.params.iter().map(Param::host_name));
        let mut names = BTreeSet::new();
        for name in all {
            assert!(!TAKEN.contains(&name.as_str()), "{}: {name}", node.id);
            assert!(names.insert(name.clone()), "{}: two attributes are called {name}", node.id);
        }
    }
    assert_eq!([host_name("envelope", false), host_name("points", true)], ["of_envelope", "out_points"]);
}

/// Whether each heading appears once, and whatever depends on a choice names one.
fn check_panels(node: &NodeDescriptor) {
    let mut groups: Vec<&str> = node.params.iter().map(|p| p.panel.group).collect();
    groups.dedup();
    let unique: BTreeSet<_> = groups.iter().collect();
    assert_eq!(unique.len(), groups.len(), "{}: parameters of a group stand together: {groups:?}", node.id);
    for param in node.params {
        let (place, panel) = (format!("{} param {}", node.id, param.id), &param.panel);
        assert!(!panel.group.is_empty() && panel.step >= 0.0, "{place}");
        assert!(panel.files.is_empty() || matches!(param.kind, ParamKind::Text { .. }), "{place}");
        if let Some((low, high)) = panel.soft {
            let (min, max, default) = match param.kind {
                ParamKind::Int { default, min, max } => (min as Real, max as Real, default as Real),
                ParamKind::Real { default, min, max } => (min, max, default),
                _ => panic!("{place}: a slider for what is no number"),
            };
            assert!(min <= low && low <= default && default <= high && high <= max, "{place}");
        }
        if let Some((other, shown)) = panel.shown_when {
            let other = node.params.iter().find(|p| p.id == other);
            let Some(ParamKind::Choice { choices, .. }) = other.map(|p| &p.kind) else {
                panic!("{place}: shown with what is no choice")
            };
            assert!(shown.iter().all(|id| choices.iter().any(|c| c.id == *id)), "{place}");
        }
    }
}

fn check_param(place: &str, param: &Param) {
    check_text(place, param.id, param.title, param.doc);
    match &param.kind {
        ParamKind::Bool { .. } | ParamKind::Text { .. } => assert_eq!(param.unit, Unit::None, "{place}"),
        ParamKind::Int { default, min, max } => assert!(min <= default && default <= max, "{place}"),
        ParamKind::Real { default, min, max } => assert!(min <= default && default <= max, "{place}"),
        ParamKind::Choice { default, choices } => {
            assert!(*default < choices.len(), "{place}");
            let ids: BTreeSet<_> = choices.iter().map(|c| c.id).collect();
            assert_eq!(ids.len(), choices.len(), "{place}: choices are unique");
            choices.iter().for_each(|c| check_text(place, c.id, c.title, c.doc));
        }
    }
}

#[test]
fn every_descriptor_is_consistent() {
    let mut nodes = BTreeSet::new();
    for registration in registry() {
        let node = registration.descriptor;
        check_text(node.id, node.id, node.title, node.doc);
        assert!(nodes.insert(node.id) && node.state_version > 0);
        check_panels(node);
        let mut ids = BTreeSet::new();
        for port in node.ports {
            let place = format!("{} {} {}", node.id, port.direction.name(), port.id);
            check_port(&place, port);
            assert!(ids.insert((port.direction.name(), port.id)), "{place}: twice");
        }
        for param in node.params {
            let place = format!("{} param {}", node.id, param.id);
            check_param(&place, param);
            let port = node.ports.iter().any(|p| p.id == param.id);
            assert!(!port && ids.insert(("param", param.id)), "{place}: twice");
        }
    }
}

fn all_ids() -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for node in registry().iter().map(|r| r.descriptor) {
        ids.insert(format!("node {}", node.id));
        for port in node.ports {
            let kind = format!("{}x{}", port.kind.name(), port.kind.components());
            ids.insert(format!("{} {}/{} {kind}", port.direction.name(), node.id, port.id));
        }
        for param in node.params {
            ids.insert(format!("param {}/{} {}", node.id, param.id, param.kind.name()));
            for (i, choice) in param.choices().iter().enumerate() {
                ids.insert(format!("choice {}/{}/{} {i}", node.id, param.id, choice.id));
            }
        }
    }
    ids
}

#[test]
fn ids_never_change_and_new_ones_are_written_down() {
    let frozen: BTreeSet<String> =
        include_str!("../../../tests/data/frozen_ids.txt").lines().map(str::to_string).collect();
    let ids = all_ids();
    let gone: Vec<_> = frozen.difference(&ids).collect();
    assert!(gone.is_empty(), "hosts and scenes rely on these ids: {gone:#?}");
    let new: Vec<_> = ids.difference(&frozen).collect();
    assert!(new.is_empty(), "add these lines to tests/data/frozen_ids.txt: {new:#?}");
}
