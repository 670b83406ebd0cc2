//! Strands of which all material has gone through the place where they slide.
//!
//! An end that hangs bare runs off: the piece that it leaves behind is cut, and bears nothing any more. Anything else, a body, a
//! knot, a node that carries its material, is held by the place like a knot, and that is told.

use super::layout::NONE;
use super::model::{Carrier, Mode, Model};
use super::now::least_material;
use super::state::State;
use super::step::Report;
use crate::math::Real;

/// A piece of strand without material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsedUp {
    /// The strand.
    pub strand: usize,
    /// The first of the two nodes between which there is none left.
    pub node: usize,
    /// When, in s.
    pub time: Real,
    /// Whether the strand ran off there; else it is held like a knot.
    pub ran_off: bool,
}

/// A piece counts as used up from this part of its least material on.
const ARRIVED: Real = 1.01;

/// Cuts what ran off, and tells of pieces that were not used up at the start of the frame.
pub(super) fn run_off(model: &Model, state: &mut State, start: &State, report: &mut Report) {
    for (s, strand) in model.parts().strands.iter().enumerate() {
        let (first, pieces) = (model.layout.strands[s], strand.nodes.len() - 1);
        for piece in 0..pieces {
            if !is_used_up(model, state, s, piece) {
                continue;
            }
            let behind = if piece == 0 { 1 } else { piece - 1 };
            let end = if piece == 0 { 0 } else { pieces };
            let runs = pieces > 1 && (piece == 0 || piece + 1 == pieces) && is_bare(model, s, end);
            let ran_off = runs && !state.cut[first + behind];
            if ran_off {
                (state.cut[first + piece], state.cut[first + behind]) = (true, true);
            }
            let is_new = !runs && !is_used_up(model, start, s, piece);
            let known = |told: &UsedUp| (told.strand, told.node) == (s, piece);
            if (ran_off || is_new) && !report.used_up.iter().any(known) {
                report.used_up.push(UsedUp { strand: s, node: piece, time: state.time, ran_off });
            }
        }
    }
}

fn is_used_up(model: &Model, state: &State, strand: usize, piece: usize) -> bool {
    let node = model.layout.strands[strand] + piece;
    let left = state.material[node + 1] - state.material[node];
    model.layout.segment_rows[node] != NONE && left <= ARRIVED * least_material(model.parts(), strand, piece)
}

/// Whether a node of a strand is a free end that nothing else holds or hangs on.
fn is_bare(model: &Model, strand: usize, k: usize) -> bool {
    let parts = model.parts();
    let node = &parts.strands[strand].nodes[k];
    let used =
        parts.strands.iter().flat_map(|strand| &strand.nodes).filter(|n| n.point == node.point).count();
    parts.points[node.point].carrier == Carrier::Nothing
        && node.mode == Mode::Removed
        && used == 1
        && !parts.rules.iter().any(|rule| rule.binds(node.point))
}
