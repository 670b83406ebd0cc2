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
    // Numbers described as "in" something also have it as their unit.
    let said = ["degrees", "metres", "in N", "N/m"].iter().any(|word| port.doc.contains(word));
    assert!(!said || port.unit != Unit::None || port.quantity != Quantity::Scalar, "{place}: no unit");
    let needs_word = port.domain == Domain::Free || port.domain.is_beside() && port.kind != PortKind::Mesh;
    assert_eq!(needs_word, !port.items.is_empty(), "{place}: what its items are");
    assert!(!port.group.is_empty(), "{place}: no group");
    if port.paintable {
        assert!(port.domain.is_vertex() && [1, 3].contains(&components), "{place}");
        assert!(port.direction == Direction::Input && port.default.is_some(), "{place}");
    }
    if let (Some((low, high)), Some(value)) = (port.range, port.default) {
        assert!(low <= value && value <= high, "{place}: the default is out of range");
    }
    assert!(port.range.is_none_or(|(low, high)| low < high), "{place}: empty range");
    assert!(!(port.required && port.default.is_some()), "{place}: a required port has no default");
    assert!(port.direction == Direction::Output || port.ignores.is_empty(), "{place}: outputs ignore");
    if port.direction == Direction::Output {
        assert!(port.kind != PortKind::Mesh, "{place}: outputs are arrays");
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

/// Meshes have ids of their own, items belong to one of them, and what makes up a mesh is there and of the right kind.
fn check_meshes(node: &NodeDescriptor) {
    let ids: BTreeSet<_> = node.meshes.iter().map(|mesh| mesh.id).collect();
    assert_eq!(ids.len(), node.meshes.len(), "{}: meshes are unique", node.id);
    for port in node.ports {
        let mesh = port.domain.mesh();
        assert!(mesh.is_none_or(|mesh| ids.contains(mesh)), "{} {}: no mesh {mesh:?}", node.id, port.id);
    }
    for mesh in node.meshes {
        check_text(&format!("{} mesh {}", node.id, mesh.id), mesh.id, mesh.title, mesh.doc);
        let Some(made) = &mesh.made else { continue };
        let port = |id: &str| &node.ports[node.port_index(Direction::Output, id).expect(id)];
        let ints = PortKind::Ints { components: 1 };
        let points = port(made.points);
        assert_eq!((points.domain, points.quantity), (Domain::Vertex(mesh.id), Quantity::Position));
        let [sizes, vertices] = [made.face_sizes, made.face_vertices].map(port);
        assert_eq!((sizes.domain, sizes.kind), (Domain::Face(mesh.id), ints));
        assert_eq!((vertices.domain, vertices.kind), (Domain::Corner(mesh.id), ints));
    }
}

/// What things are called that only whole numbers count: no port has one item for each.
const ONLY_COUNTED: [&str; 1] = ["chart"];

/// What ports say of each other is there and of the right kind, and whole numbers say what they count.
fn check_relations(node: &NodeDescriptor) {
    let names: BTreeSet<_> = node.ports.iter().map(|port| port.items).collect();
    let is_known = |word: &str| {
        let is_element = !node.meshes.is_empty() && ["vertex", "face", "corner"].contains(&word);
        let is_joint = word == "joint" && node.ports.iter().any(|port| port.domain == Domain::Joint);
        names.contains(word) || is_element || is_joint || ONLY_COUNTED.contains(&word)
    };
    let sizes: Vec<_> =
        node.meshes.iter().flat_map(|mesh| mesh.made.as_ref().map(|made| made.face_sizes)).collect();
    for port in node.ports {
        let place = format!("{} {} {}", node.id, port.direction.name(), port.id);
        let beside = |id: &str| {
            &node.ports[node.port_index(port.direction, id).unwrap_or_else(|| panic!("{place}: {id}"))]
        };
        if !port.counted_by.is_empty() {
            let counts = beside(port.counted_by);
            assert!(counts.is_whole() && counts.kind.components() == 1, "{place}: what counts it");
            assert!(
                (counts.domain, counts.items) != (port.domain, port.items),
                "{place}: counts its own items"
            );
        }
        if !port.radii.is_empty() {
            let (radii, counts) = (beside(port.radii), beside(port.counted_by));
            assert_eq!((port.quantity, port.direction), (Quantity::Position, Direction::Output), "{place}");
            assert_eq!((radii.quantity, radii.kind.components()), (Quantity::Length, 1), "{place}");
            assert_eq!(
                (radii.domain, radii.items),
                (counts.domain, counts.items),
                "{place}: one for each curve"
            );
        }
        if !port.between.is_empty() {
            let items = beside(port.between);
            assert!(!items.counted_by.is_empty() && port.domain == Domain::Free, "{place}: no lists");
            assert!(port.items != items.items && port.counted_by.is_empty(), "{place}");
        }
        assert!(port.index_of.is_empty() || is_known(port.index_of), "{place}: what is a {}", port.index_of);
        let counts = |other: &Port| other.direction == port.direction && other.counted_by == port.id;
        let is_count = node.ports.iter().any(counts) || sizes.contains(&port.id);
        // Items of pairs mix what they count.
        let is_pair = port.kind == PortKind::Ints { components: 2 };
        let is_index = port.quantity == Quantity::Index && !is_count && !is_pair;
        assert_eq!(is_index, !port.index_of.is_empty(), "{place}: what it counts");
    }
}

/// The parts of a mesh are those that its vertices say.
fn check_parts(node: &NodeDescriptor) {
    for made in node.meshes.iter().flat_map(|mesh| &mesh.made) {
        let Some([numbers, _]) = made.parts else { continue };
        let numbers = &node.ports[node.port_index(Direction::Output, numbers).expect(numbers)];
        assert!(!numbers.index_of.is_empty(), "{} {}", node.id, numbers.id);
    }
}

/// What outputs ignore is there, and the ports of a group are adjacent in their direction.
fn check_ports(node: &NodeDescriptor) {
    for direction in [Direction::Input, Direction::Output] {
        let ports = node.ports.iter().filter(|port| port.direction == direction);
        let mut groups: Vec<&str> = ports.map(|port| port.group).collect();
        groups.dedup();
        let unique: BTreeSet<_> = groups.iter().collect();
        assert_eq!(unique.len(), groups.len(), "{}: ports of a group stand together: {groups:?}", node.id);
    }
    for output in node.ports.iter().filter(|port| port.direction == Direction::Output) {
        for ignored in output.ignores {
            assert!(!node.affects(ignored, output.id).expect("it is there"), "{} {ignored}", node.id);
        }
        let unique: BTreeSet<_> = output.ignores.iter().collect();
        assert_eq!(unique.len(), output.ignores.len(), "{} {}: ignored twice", node.id, output.id);
    }
}

/// The types of documents that nodes take.
const DOCUMENTS: [&str; 2] = ["strand_scene", "muscle_set"];

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
        assert!(
            panel.document.is_empty() || DOCUMENTS.contains(&panel.document) && param.is_file(),
            "{place}"
        );
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
    let (mut nodes, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for registration in registry() {
        let node = registration.descriptor;
        check_text(node.id, node.id, node.title, node.doc);
        assert!(nodes.insert(node.id) && node.state_version > 0);
        let number = node.number;
        assert!((1..64).contains(&number) && numbers.insert(number), "{}: the number {number}", node.id);
        check_panels(node);
        check_meshes(node);
        check_ports(node);
        check_relations(node);
        check_parts(node);
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
        ids.insert(format!("number {} {}", node.id, node.number));
        ids.extend(node.meshes.iter().map(|mesh| format!("mesh {}/{}", node.id, mesh.id)));
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
