//! Strands whose material has entirely passed the place where they slide.
//!
//! A free node that only carries its material, with nothing but such nodes beyond it, passes through like the rest of
//! the strand. A bare end runs off: the piece that it leaves behind is cut and bears no load any more; if that hangs
//! over another place, its end runs off there once its material has passed too. Anything else, a body or a knot, is
//! stopped there like a knot, and reported.

use super::report::{Report, UsedUp};
use crate::layout::NONE;
use crate::model::Model;
use crate::parts::{Carrier, Mode};
use crate::state::State;
use sinew_math::{Real, Vec3};

/// A piece counts as used up below this multiple of its minimum material.
const ARRIVED: Real = 1.01;

/// Ends run off, and nodes pass, if a piece would be used up within this many steps: the row that stops a knot would
/// brake them, and with them everything attached to the strand.
const AHEAD: Real = 1.5;
/// But not while more than this fraction of the initial material is left.
const NEARLY: Real = 0.1;

/// Lets ends run off and nodes pass that will arrive in the next step, of h seconds, and reports pieces that were not
/// used up at the start of the frame.
pub(super) fn run_off(model: &Model, state: &mut State, start: &State, h: Real, report: &mut Report) {
    for (s, strand) in model.parts().strands.iter().enumerate() {
        for piece in 0..strand.nodes.len() - 1 {
            let is_now = is_used_up(model, state, s, piece, 0.0);
            if !is_now && !is_used_up(model, state, s, piece, AHEAD * h) {
                continue;
            }
            let ways = [false, true].map(|up| Way::new(model, s, piece, up));
            let end = ways.iter().find_map(|way| Some((way, way.end(model, state)?)));
            let mut ran_off = false;
            match &end {
                Some((way, End::Passes(count))) => way.pass(model, state, *count),
                Some((way, End::RunsOff)) => ran_off = way.run_off(model, state),
                None => {}
            }
            let is_new = is_now && end.is_none() && !is_used_up(model, start, s, piece, 0.0);
            let known = |reported: &UsedUp| (reported.strand, reported.node) == (s, piece);
            if (ran_off || is_new) && !report.used_up.iter().any(known) {
                report.used_up.push(UsedUp { strand: s, node: piece, time: state.time, ran_off });
            }
        }
    }
}

/// Whether a piece has no material left, or will have none that many seconds later.
fn is_used_up(model: &Model, state: &State, strand: usize, piece: usize, ahead: Real) -> bool {
    let node = model.layout.strands[strand] + piece;
    let left = state.material[node + 1] - state.material[node];
    let flows = (state.flow[node] - state.flow[node + 1]).max(0.0) * ahead;
    let strand = &model.parts().strands[strand];
    let nodes = &strand.nodes;
    let most = NEARLY * (nodes[piece + 1].material - nodes[piece].material);
    model.layout.segment_rows[node] != NONE
        && left - flows <= ARRIVED * strand.least_material(piece)
        && (left <= most || ahead == 0.0)
}

/// What ends in a piece that is used up.
enum End {
    /// The strand's own end.
    RunsOff,
    /// The first of that many free nodes, all but the last of which pass.
    Passes(usize),
}

/// One of the two directions along a strand, outwards from a piece that is used up. Its nodes and pieces are numbered
/// among all.
struct Way {
    strand: usize,
    piece: usize,
    /// The first and the last node of the strand.
    ends: [usize; 2],
    /// Whether it leads to the last one.
    up: bool,
}

impl Way {
    fn new(model: &Model, strand: usize, piece: usize, up: bool) -> Way {
        let [first, next] = [0, 1].map(|k| model.layout.strands[strand + k]);
        Way { strand, piece: first + piece, ends: [first, next - 1], up }
    }

    /// How many nodes there are outwards.
    fn count(&self) -> usize {
        if self.up { self.ends[1] - self.piece } else { self.piece + 1 - self.ends[0] }
    }

    /// One of them, from the piece outwards.
    fn node(&self, k: usize) -> usize {
        if self.up { self.piece + 1 + k } else { self.piece - k }
    }

    /// The piece between one of them and the next.
    fn beyond(&self, k: usize) -> usize {
        if self.up { self.node(k) } else { self.node(k + 1) }
    }

    /// The piece on the other side.
    fn behind(&self) -> Option<usize> {
        let [first, last] = self.ends;
        match self.up {
            true => (self.piece > first).then(|| self.piece - 1),
            false => (self.piece + 1 < last).then_some(self.piece + 1),
        }
    }

    /// What ends in this direction, if nothing on it is held.
    fn end(&self, model: &Model, state: &State) -> Option<End> {
        let bare = |k: usize| is_bare(model, self.strand, self.node(k) - self.ends[0]);
        let last = self.count() - 1;
        let whole = (0..last).take_while(|k| !state.cut[self.beyond(*k)]).count();
        if state.cut[self.piece] {
            // Anything beyond ran off before. A stump of a cut elsewhere remains a knot.
            let loose = (0..last).all(|k| state.cut[self.beyond(k)]) && bare(last);
            return (loose && self.behind().is_some()).then_some(End::RunsOff);
        }
        let free = (0..=whole).all(bare);
        match whole {
            _ if !free => None,
            0 => self.behind().map(|_| End::RunsOff),
            _ => Some(End::Passes(whole + 1)),
        }
    }

    /// Cuts the piece and the one behind it; returns whether that was whole. The remainder of the piece has almost no
    /// mass: it would fly off at the speed of a cracking whip, so it is stopped.
    fn run_off(&self, model: &Model, state: &mut State) -> bool {
        let Some(behind) = self.behind() else { return false };
        if !state.cut[self.piece] {
            state.speeds[point(model, self.strand, self.node(0))] = Vec3::zeros();
        }
        let whole = !state.cut[behind];
        (state.cut[self.piece], state.cut[behind]) = (true, true);
        whole
    }

    /// Lets the first of that many nodes pass: each takes the place of the next one, with its material, and the last
    /// one is left at the end of the strand with a piece that is cut and almost massless. The material along the strand
    /// is unchanged, because the first one is where the strand slides.
    fn pass(&self, model: &Model, state: &mut State, count: usize) {
        for k in 0..count - 1 {
            let [to, from] = [self.node(k), self.node(k + 1)];
            state.material[to] = state.material[from];
            let [to, from] = [to, from].map(|node| point(model, self.strand, node));
            state.places[to] = state.places[from];
            state.speeds[to] = state.speeds[from];
        }
        let (last, end, dead) = (self.node(count - 2), self.node(count - 1), self.beyond(count - 2));
        let least = model.parts().strands[self.strand].least_material(dead - self.ends[0]);
        state.material[last] += if self.up { -least } else { least };
        state.cut[dead] = true;
        state.speeds[point(model, self.strand, end)] = Vec3::zeros();
    }
}

/// The point of a node among all.
fn point(model: &Model, strand: usize, node: usize) -> usize {
    model.parts().strands[strand].nodes[node - model.layout.strands[strand]].point
}

/// Whether a node of a strand is free, carries its material, and nothing else holds it or is attached to it.
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
