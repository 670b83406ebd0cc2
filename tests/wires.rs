//! Every parameter, input, output and choice of every node has a row here: a test from outside that fails when the
//! value is ignored, swapped with another, scaled or turned. Rows are closed forms wherever there is one. A row that
//! the description of a node has and its table lacks is a failure, and so is a row of the table that the description no
//! longer has.

#[path = "wires/charts.rs"]
mod charts;
#[path = "wires/host.rs"]
mod host;
#[path = "wires/muscle_skin.rs"]
mod muscle_skin;
#[path = "wires/outputs.rs"]
mod outputs;
#[path = "wires/skin_slider.rs"]
mod skin_slider;
#[path = "wires/skinning.rs"]
mod skinning;
#[path = "wires/strand.rs"]
mod strand;

use sinew::nodes::{Direction, NodeDescriptor, ParamKind, registry};
use std::collections::BTreeSet;

/// A test for each row of a node, named as its function, and the rows as the list `ROWS`.
macro_rules! rows {
    ($($($row:literal)|+ => $test:ident),+ $(,)?) => {
        pub const ROWS: &[&str] = &[$($($row),+),+];
        mod each {
            $(#[test] fn $test() { super::$test(); })+
        }
    };
}
pub(crate) use rows;

/// What the description of a node has.
fn described(node: &NodeDescriptor) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for port in node.ports {
        let kind = if port.direction == Direction::Input { "input" } else { "output" };
        rows.insert(format!("{kind} {}", port.id));
    }
    for param in node.params {
        rows.insert(format!("param {}", param.id));
        if let ParamKind::Choice { choices, .. } = &param.kind {
            rows.extend(choices.iter().map(|choice| format!("choice {}/{}", param.id, choice.id)));
        }
    }
    rows
}

#[test]
fn every_row_of_every_description_has_a_test() {
    let mut wrong = Vec::new();
    for registration in registry() {
        let node = registration.descriptor;
        let tables: &[&[&str]] = match node.id {
            "charts" => &[charts::ROWS],
            "muscle_skin" => &[muscle_skin::ROWS],
            "skin_slider" => skin_slider::ROWS,
            "skinning" => &[skinning::ROWS],
            "strand" => strand::ROWS,
            other => panic!("the node {other} has no table"),
        };
        let mut had = BTreeSet::new();
        for row in tables.iter().copied().flatten() {
            if !had.insert(row.to_string()) {
                wrong.push(format!("{}: {row} stands twice", node.id));
            }
        }
        let described = described(node);
        wrong.extend(described.difference(&had).map(|row| format!("{}: {row} has no test", node.id)));
        wrong.extend(had.difference(&described).map(|row| format!("{}: {row} does not exist", node.id)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
