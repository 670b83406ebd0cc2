//! The rows of constraints of all parts.

mod contact;
mod joint;
mod ligaments;
mod matrix;
mod patch;
mod plane;
mod rule;

use super::counts::CONTACT_ROWS;
use super::layout::NONE;
use super::model::Model;
use super::now::Now;
use crate::math::{Real, Vec3};

pub use contact::Touching;
pub use matrix::{Part, Rows};

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

/// Fills all rows.
pub fn fill(now: &Now, touching: &Touching, rows: &mut Rows, h: Real) {
    rows.clear();
    let layout = now.layout();
    for (b, &first) in layout.body_rows.iter().enumerate().filter(|(_, first)| **first != NONE) {
        for k in 0..3 {
            let along = Vec3::ith(k, 1.0);
            rows.turn(now, first + k, b, &along);
            rows.hold(first + k, 0.0);
            rows.goals[first + k] += now.led(b)[0][k];
            rows.material(now, first + 3 + k, b, &now.place(b).origin, &along);
            rows.hold(first + 3 + k, 0.0);
            rows.goals[first + 3 + k] += now.led(b)[1][k];
        }
    }
    for (k, &row) in layout.node_rows.iter().enumerate().filter(|(_, row)| **row != NONE) {
        rows.node(layout, row, k, 1.0);
        rows.hold(row, 0.0);
    }
    fill_between(now, touching, rows, h);
}

/// Sets the violations of all rows, and leaves the rest as last [filled](fill). Rows of scripted motions have none.
pub fn measure(now: &Now, touching: &Touching, rows: &mut Rows, h: Real) {
    rows.measure();
    fill_between(now, touching, rows, h);
}

/// The rows that bind something to something else, or release it.
fn fill_between(now: &Now, touching: &Touching, rows: &mut Rows, h: Real) {
    let (parts, layout) = (now.parts(), now.layout());
    let given = |firsts: &[usize], k: usize| Some(firsts[k]).filter(|&first| first != NONE);
    for (j, joint) in parts.joints.iter().enumerate() {
        let turned = now.state.turned[j];
        given(&layout.joint_rows, j).into_iter().for_each(|row| joint.fill(now, turned, rows, row, h));
    }
    for (r, rule) in parts.rules.iter().enumerate() {
        given(&layout.rule_rows, r).into_iter().for_each(|row| rule.fill(now, rows, row, h));
    }
    for (c, &first) in layout.contact_rows.iter().enumerate() {
        touching.fill(now, rows, first, c, h);
    }
    for (s, strand) in parts.strands.iter().enumerate() {
        for k in 0..strand.nodes.len() - 1 {
            let node = layout.strands[s] + k;
            if let Some(row) = given(&layout.segment_rows, node) {
                let material = now.state.material[node + 1] - now.state.material[node];
                rows.keep_apart(row, material - strand.least_material(k), h);
            }
        }
    }
    let released = now.state.released.iter().enumerate().filter(|(_, released)| **released);
    released.for_each(|(row, _)| rows.let_go(row));
}
