//! What rows act on.

use crate::counts::CONTACT_ROWS;
use crate::layout::NONE;
use crate::model::Model;

/// The parts that a row may act on.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Body(usize),
    Point(usize),
    Node(usize),
}

/// What each row acts on, in the order of the rows.
pub fn touched(model: &Model) -> Vec<Vec<Part>> {
    let (parts, layout) = (model.parts(), &model.layout);
    let mut all = vec![Vec::new(); layout.rows];
    let mut set = |first: usize, count: usize, list: Vec<Part>| {
        (first..first + count).for_each(|row| all[row].clone_from(&list));
    };
    for (b, &first) in layout.body_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        set(first, 6, vec![Part::Body(b)]);
    }
    for (k, &first) in layout.node_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        set(first, 1, vec![Part::Node(k)]);
    }
    let next = |firsts: &[usize], k: usize, count: usize| {
        if firsts[k] == NONE { (0, 0) } else { (firsts[k], count) }
    };
    for (j, joint) in parts.joints.iter().enumerate() {
        let (first, count) = next(&layout.joint_rows, j, joint.row_count());
        set(first, count, joint.parent.into_iter().chain([joint.child]).map(Part::Body).collect());
    }
    for (r, rule) in parts.rules.iter().enumerate() {
        let (first, count) = next(&layout.rule_rows, r, rule.row_count(parts));
        set(first, count, rule.parts(parts));
    }
    for (contact, &first) in parts.contacts.iter().zip(&layout.contact_rows) {
        set(first, CONTACT_ROWS, contact.bodies.map(Part::Body).to_vec());
    }
    for (k, &first) in layout.segment_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        set(first, 1, vec![Part::Node(k), Part::Node(k + 1)]);
    }
    all
}
