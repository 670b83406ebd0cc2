//! Strands of which all material has gone through the place where they slide.
//!
//! A free node that only carries its material, with nothing but such nodes beyond it, goes through like the rest of the strand.
//! An end that hangs bare runs off: the piece that it leaves behind is cut, and bears nothing any more; where that hangs over
//! another place, its end runs off there when its material has gone through too. Anything else, a body, a knot, is held by the
//! place like a knot, and that is told.

use super::layout::NONE;
use super::model::{Carrier, Mode, Model};
use super::now::least_material;
use super::state::State;
use super::step::Report;
use crate::math::{Real, Vec3};

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

/// Ends run off, and nodes go through, when a piece would be used up within so many steps: the row that stops a knot would brake
/// them, and with them all that hangs on the strand.
const AHEAD: Real = 1.5;
/// But not while more than this part of what was there at the start is left.
const NEARLY: Real = 0.1;

/// Lets ends run off and nodes go through that will arrive in the next step, of h seconds, and tells of pieces that were not used
/// up at the start of the frame.
pub(super) fn run_off(model: &Model, state: &mut State, start: &State, h: Real, report: &mut Report) {
    for (s, strand) in model.parts().strands.iter().enumerate() {
        for piece in 0..strand.nodes.len() - 1 {
            let is_now = is_used_up(model, state, s, piece, 0.0);
            if !is_now && !is_used_up(model, state, s, piece, AHEAD * h) {
                continue;
            }
            let ways = Way::both(model, s, piece);
            let ends: Vec<(&Way, End)> =
                ways.iter().filter_map(|way| Some((way, way.end(model, state)?))).collect();
            let mut ran_off = false;
            match ends.first() {
                Some((way, End::Passes(count))) => way.pass(model, state, *count),
                Some((way, End::RunsOff)) => ran_off = way.run_off(model, state),
                None => {}
            }
            let is_new = is_now && ends.is_empty() && !is_used_up(model, start, s, piece, 0.0);
            let known = |told: &UsedUp| (told.strand, told.node) == (s, piece);
            if (ran_off || is_new) && !report.used_up.iter().any(known) {
                report.used_up.push(UsedUp { strand: s, node: piece, time: state.time, ran_off });
            }
        }
    }
}

/// Whether a piece has no material left, or will have none so many seconds later.
fn is_used_up(model: &Model, state: &State, strand: usize, piece: usize, ahead: Real) -> bool {
    let node = model.layout.strands[strand] + piece;
    let left = state.material[node + 1] - state.material[node];
    let flows = (state.flow[node] - state.flow[node + 1]).max(0.0) * ahead;
    let nodes = &model.parts().strands[strand].nodes;
    let most = NEARLY * (nodes[piece + 1].material - nodes[piece].material);
    model.layout.segment_rows[node] != NONE
        && left - flows <= ARRIVED * least_material(model.parts(), strand, piece)
        && (left <= most || ahead == 0.0)
}

/// What comes to an end in a piece that is used up.
enum End {
    /// The strand's own end.
    RunsOff,
    /// The first of so many free nodes, all but the last of which go through.
    Passes(usize),
}

/// One of the two ways along a strand, outwards from a piece that is used up. Its nodes and pieces are numbered among all.
struct Way {
    strand: usize,
    /// The piece, and the one on its other side.
    piece: usize,
    behind: Option<usize>,
    /// From the piece outwards.
    nodes: Vec<usize>,
    pieces: Vec<usize>,
}

impl Way {
    fn both(model: &Model, strand: usize, piece: usize) -> [Way; 2] {
        let first = model.layout.strands[strand];
        let (last, piece) = (model.layout.strands[strand + 1] - 1, first + piece);
        let (down, up) = (first..piece, piece + 1..last);
        [
            Way {
                strand,
                piece,
                behind: (piece + 1 < last).then_some(piece + 1),
                nodes: (first..=piece).rev().collect(),
                pieces: down.rev().collect(),
            },
            Way {
                strand,
                piece,
                behind: (piece > first).then(|| piece - 1),
                nodes: (piece + 1..=last).collect(),
                pieces: up.collect(),
            },
        ]
    }

    /// What comes to an end on this way, if nothing on it is held.
    fn end(&self, model: &Model, state: &State) -> Option<End> {
        let bare = |node: &usize| is_bare(model, self.strand, *node - model.layout.strands[self.strand]);
        let whole = self.pieces.iter().take_while(|piece| !state.cut[**piece]).count();
        if state.cut[self.piece] {
            // What is beyond ran off before. A stump of a cut elsewhere stays a knot.
            let loose = whole == 0 && self.nodes.last().is_some_and(bare);
            return (loose && self.behind.is_some()).then_some(End::RunsOff);
        }
        let free = self.nodes[..=whole].iter().all(bare);
        match whole {
            _ if !free => None,
            0 => self.behind.map(|_| End::RunsOff),
            _ => Some(End::Passes(whole + 1)),
        }
    }

    /// Cuts the piece and the one behind it; whether that was whole. What is left of the piece weighs next to nothing: it would
    /// fly off as fast as the strand's end cracked, like a whip's, so it stops.
    fn run_off(&self, model: &Model, state: &mut State) -> bool {
        let Some(behind) = self.behind else { return false };
        if !state.cut[self.piece] {
            state.speeds[point(model, self.strand, self.nodes[0])] = Vec3::zeros();
        }
        let whole = !state.cut[behind];
        (state.cut[self.piece], state.cut[behind]) = (true, true);
        whole
    }

    /// Lets the first of so many nodes go through: each takes the place of the next one, with its material, and the last one
    /// is left at the end of the strand with a piece that is cut and weighs next to nothing. What lies along the strand stays
    /// what it was, for the first one is where the strand slides.
    fn pass(&self, model: &Model, state: &mut State, count: usize) {
        for pair in self.nodes[..count].windows(2) {
            let [to, from] = [pair[0], pair[1]].map(|node| point(model, self.strand, node));
            state.places[to] = state.places[from];
            state.speeds[to] = state.speeds[from];
            state.material[pair[0]] = state.material[pair[1]];
        }
        let (last, end, dead) = (self.nodes[count - 2], self.nodes[count - 1], self.pieces[count - 2]);
        let first = model.layout.strands[self.strand];
        let least = least_material(model.parts(), self.strand, dead - first);
        state.material[last] += if end > last { -least } else { least };
        state.cut[dead] = true;
        state.speeds[point(model, self.strand, end)] = Vec3::zeros();
    }
}

/// The point of a node among all.
fn point(model: &Model, strand: usize, node: usize) -> usize {
    model.parts().strands[strand].nodes[node - model.layout.strands[strand]].point
}

/// Whether a node of a strand is free, carries its material, and nothing else holds or hangs on it.
fn is_bare(model: &Model, strand: usize, k: usize) -> bool {
    let parts = model.parts();
    let node = &parts.strands[strand].nodes[k];
    let used =
        parts.strands.iter().flat_map(|strand| &strand.nodes).filter(|n| n.point == node.point).count();
    let first = model.layout.strands[strand];
    let beside = [k.checked_sub(1), Some(k)].into_iter().flatten();
    parts.points[node.point].carrier == Carrier::Nothing
        && node.mode == Mode::Removed
        && used == 1
        && beside.map(|piece| first + piece).all(|piece| model.layout.hills[piece] == NONE)
        && !parts.rules.iter().any(|rule| rule.binds(node.point))
}
