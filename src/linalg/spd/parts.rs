//! Which supernodes may be gone through at the same time: subtrees that do not depend on each other.
//!
//! The tree is cut below its heaviest supernodes, the top, so that what is left falls into parts of about the same work. The
//! parts are chosen by the pattern alone, so that the bits do not depend on how many threads there are.
//!
//! In a part, and in the top, rows are known by slots: its own columns first, then the rows of the top that it reaches. What
//! a part does to those it keeps to itself until all parts are done.

use super::fronts::SLACK;
use super::supernodes::Supernodes;
use std::ops::Range;

/// Below so many multiplications starting other threads costs more than they save.
const LEAST_WORK: u64 = 2_000_000;
/// No part has more than this share of the work, when it can be cut.
const SHARE: u64 = 8;

/// The tree of the supernodes.
pub(super) struct Tree {
    starts: Vec<usize>,
    lists: Vec<usize>,
    roots: Vec<usize>,
    /// 0 or 1: children have another than their parent.
    pub levels: Vec<usize>,
}

impl Tree {
    pub fn new(nodes: &Supernodes, columns: usize) -> Self {
        let n = nodes.len();
        let mut owner = vec![0; columns];
        (0..n).for_each(|s| owner[nodes.columns(s)].fill(s));
        let parent = |s: usize| nodes.below(s).first().map(|&row| owner[row as usize]);
        let (mut starts, mut levels) = (vec![0; n + 1], vec![0; n]);
        for s in (0..n).rev() {
            if let Some(parent) = parent(s) {
                levels[s] = 1 - levels[parent];
                starts[parent + 1] += 1;
            }
        }
        for s in 0..n {
            starts[s + 1] += starts[s];
        }
        let (mut next, mut lists) = (starts.clone(), vec![0; starts[n]]);
        let mut roots = Vec::new();
        for s in 0..n {
            match parent(s) {
                Some(parent) => {
                    lists[next[parent]] = s;
                    next[parent] += 1;
                }
                None => roots.push(s),
            }
        }
        Tree { starts, lists, roots, levels }
    }

    pub fn children(&self, s: usize) -> &[usize] {
        &self.lists[self.starts[s]..self.starts[s + 1]]
    }
}

/// How the work is divided.
pub(super) struct Parts {
    pub all: Vec<Part>,
    /// The supernodes above the parts, ascending.
    pub top: Vec<usize>,
    /// The part of each supernode; the top comes after the last.
    pub of_nodes: Vec<u32>,
    /// The first slot of each supernode.
    pub firsts: Vec<u32>,
    /// The slots of the rows below each supernode, in their order.
    pub slots: Vec<u32>,
    /// Where each column is in memory that has the slots of all parts and of the top one after the other.
    pub places: Vec<u32>,
    /// Where the top is there, and how long that memory is.
    pub top_start: usize,
    pub len: usize,
}

/// Supernodes that follow one another and depend on no others.
pub(super) struct Part {
    pub nodes: Range<usize>,
    pub columns: Range<usize>,
    /// Where its slots are in that memory.
    pub places: Range<usize>,
    /// The slots of the top that it reaches.
    pub reached: Vec<u32>,
}

impl Parts {
    pub fn new(nodes: &Supernodes, tree: &Tree, columns: usize) -> Self {
        let in_top = cut(nodes, tree);
        let mut parts = Parts {
            all: runs(nodes, tree, &in_top),
            top: (0..nodes.len()).filter(|&s| in_top[s]).collect(),
            of_nodes: vec![0; nodes.len()],
            firsts: vec![0; nodes.len()],
            slots: vec![0; nodes.below_len()],
            places: vec![0; columns],
            top_start: 0,
            len: 0,
        };
        let mut top_slots = vec![u32::MAX; columns];
        let mut next = 0;
        for &s in &parts.top {
            parts.of_nodes[s] = parts.all.len() as u32;
            parts.firsts[s] = next;
            for column in nodes.columns(s) {
                top_slots[column] = next;
                next += 1;
            }
        }
        let top_len = next as usize;
        let mut slot_of = top_slots.clone();
        for (k, part) in parts.all.iter_mut().enumerate() {
            let own = part.columns.len();
            part.columns.clone().enumerate().for_each(|(slot, column)| slot_of[column] = slot as u32);
            let rows = part.nodes.clone().flat_map(|s| nodes.below(s));
            let mut reached: Vec<u32> =
                rows.filter(|&&row| row as usize >= part.columns.end).copied().collect();
            reached.sort_unstable();
            reached.dedup();
            reached.iter().enumerate().for_each(|(r, &row)| slot_of[row as usize] = (own + r) as u32);
            for s in part.nodes.clone() {
                parts.of_nodes[s] = k as u32;
                parts.firsts[s] = (nodes.columns(s).start - part.columns.start) as u32;
                let slots = &mut parts.slots[nodes.below_range(s)];
                slots.iter_mut().zip(nodes.below(s)).for_each(|(slot, &row)| *slot = slot_of[row as usize]);
            }
            reached.iter().for_each(|&row| slot_of[row as usize] = top_slots[row as usize]);
            part.reached = reached.iter().map(|&row| top_slots[row as usize]).collect();
            part.places = parts.len..parts.len + own + reached.len();
            parts.len = part.places.end;
            for column in part.columns.clone() {
                parts.places[column] = (part.places.start + column - part.columns.start) as u32;
            }
        }
        parts.top_start = parts.len;
        parts.len += top_len;
        for &s in &parts.top {
            let slots = &mut parts.slots[nodes.below_range(s)];
            slots.iter_mut().zip(nodes.below(s)).for_each(|(slot, &row)| *slot = top_slots[row as usize]);
            for column in nodes.columns(s) {
                parts.places[column] = parts.top_start as u32 + top_slots[column];
            }
        }
        parts
    }

    /// Where the values of a part are in the factor, with what may be written behind them.
    pub fn values(&self, nodes: &Supernodes, part: usize) -> Range<usize> {
        let own = &self.all[part].nodes;
        nodes.values(own.start).start..nodes.values(own.end - 1).end + SLACK
    }
}

/// Which supernodes are the top.
fn cut(nodes: &Supernodes, tree: &Tree) -> Vec<bool> {
    let own = |s: usize| {
        let (width, below) = (nodes.columns(s).len() as u64, nodes.below(s).len() as u64);
        width * (width + below) * (width + below)
    };
    let mut work: Vec<u64> = (0..nodes.len()).map(own).collect();
    // Children come before their parents.
    for s in 0..nodes.len() {
        work[s] += tree.children(s).iter().map(|&child| work[child]).sum::<u64>();
    }
    let total: u64 = tree.roots.iter().map(|&root| work[root]).sum();
    if total < LEAST_WORK {
        return vec![true; nodes.len()];
    }
    let mut in_top = vec![false; nodes.len()];
    let mut waiting = tree.roots.clone();
    while let Some(s) = waiting.pop() {
        if work[s] > total / SHARE && !tree.children(s).is_empty() {
            in_top[s] = true;
            waiting.extend(tree.children(s));
        }
    }
    in_top
}

/// Subtrees below the top that follow one another, together while they are light.
fn runs(nodes: &Supernodes, tree: &Tree, in_top: &[bool]) -> Vec<Part> {
    let values = |s: usize| nodes.values(s).len();
    let heaviest = (0..nodes.len()).map(values).sum::<usize>() / SHARE as usize;
    let mut is_root = vec![false; nodes.len()];
    let below_top = (0..nodes.len()).filter(|&s| in_top[s]).flat_map(|s| tree.children(s));
    below_top.chain(&tree.roots).filter(|&&s| !in_top[s]).for_each(|&s| is_root[s] = true);
    let (mut parts, mut first, mut weight): (Vec<Part>, usize, usize) = (Vec::new(), 0, 0);
    for s in 0..nodes.len() {
        if in_top[s] {
            first = s + 1;
            continue;
        }
        weight += values(s);
        let ends = is_root[s] && (weight >= heaviest || in_top.get(s + 1).is_none_or(|next| *next));
        if ends {
            let columns = nodes.columns(first).start..nodes.columns(s).end;
            parts.push(Part { nodes: first..s + 1, columns, places: 0..0, reached: Vec::new() });
            (first, weight) = (s + 1, 0);
        }
    }
    parts
}
