//! The rows of constraints of all parts.

mod contact;
mod joint;
mod ligaments;
mod matrix;
mod patch;
mod plane;
mod rule;
mod size;
mod touched;

use super::layout::NONE;
use super::now::Now;
use sinew_math::{Real, Vec3};

pub use contact::Touching;
pub use matrix::Rows;
pub use touched::touched;

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
