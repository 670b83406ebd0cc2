//! Supernodes that can be processed in parallel: subtrees that do not depend on each other.
//!
//! The tree is cut below its heaviest supernodes, the top, so that the rest falls into parts of about the same work.
//! The parts are chosen by the pattern alone, so that the bits do not depend on the number of threads.
//!
//! Within a part, and within the top, rows are numbered by slots: its own columns first, then the rows of the top that
//! it reaches. A part keeps its updates to those to itself until all parts are done.

use super::dense::SLACK;
use super::supernodes::Supernodes;
use std::ops::Range;

/// Multiplications below which starting other threads costs more than it saves.
const LEAST_WORK: u64 = 2_000_000;
/// No part has more than this share of the work if it can be cut.
const SHARE: u64 = 8;

/// The tree of the supernodes.
pub(super) struct Tree {
    starts: Vec<usize>,
    lists: Vec<usize>,
    roots: Vec<usize>,
    /// 0 or 1: alternates between children and their parent.
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
    top: Vec<usize>,
    /// The part of each supernode; the top comes after the last.
    pub of_nodes: Vec<u32>,
    /// The first slot of each supernode.
    pub firsts: Vec<u32>,
    /// The slots of the rows below each supernode, in their order.
    pub slots: Vec<u32>,
    /// The index of each column in memory that holds the slots of all parts and of the top one after the other.
    pub places: Vec<u32>,
    /// The start of the top there, and the length of that memory.
    pub top_start: usize,
    pub len: usize,
}

/// Consecutive supernodes that depend on no others.
pub(super) struct Part {
    nodes: Vec<usize>,
    pub columns: Range<usize>,
    /// The range of its slots in that memory.
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
        let top_columns: Vec<usize> = parts.top.iter().flat_map(|&s| nodes.columns(s)).collect();
        let mut slots_in_top = vec![0; columns];
        number(top_columns.iter().copied(), 0, &mut slots_in_top);
        let mut slots = vec![0; columns];
        for part in 0..parts.all.len() {
            let Part { columns, nodes: own, .. } = &parts.all[part];
            let rows = own.iter().flat_map(|&s| nodes.below(s)).map(|&row| row as usize);
            let mut reached: Vec<usize> = rows.filter(|&row| row >= columns.end).collect();
            reached.sort_unstable();
            reached.dedup();
            number(columns.clone().chain(reached.iter().copied()), 0, &mut slots);
            let places = parts.len..parts.len + columns.len() + reached.len();
            number(columns.clone(), places.start, &mut parts.places);
            parts.note(nodes, part, &slots);
            parts.len = places.end;
            parts.all[part].reached = reached.iter().map(|&row| slots_in_top[row]).collect();
            parts.all[part].places = places;
        }
        parts.top_start = parts.len;
        number(top_columns.iter().copied(), parts.top_start, &mut parts.places);
        parts.note(nodes, parts.all.len(), &slots_in_top);
        parts.len += top_columns.len();
        parts
    }

    /// Records the supernodes of a part whose rows have these slots.
    fn note(&mut self, nodes: &Supernodes, part: usize, slots: &[u32]) {
        for k in 0..self.nodes(part).len() {
            let s = self.nodes(part)[k];
            self.of_nodes[s] = part as u32;
            self.firsts[s] = slots[nodes.columns(s).start];
            let below = &mut self.slots[nodes.below_range(s)];
            below.iter_mut().zip(nodes.below(s)).for_each(|(slot, &row)| *slot = slots[row as usize]);
        }
    }

    /// The supernodes of a part, ascending; the top comes after the last part.
    pub fn nodes(&self, part: usize) -> &[usize] {
        self.all.get(part).map_or(&self.top, |part| &part.nodes)
    }

    /// Adds padding behind the values of each part, and before them: writes past its end must not hit those of another
    /// part.
    pub fn keep_apart(&self, nodes: &mut Supernodes) {
        let ends = self.all.iter().flat_map(|part| {
            let (first, last) = (part.nodes[0], part.nodes[part.nodes.len() - 1]);
            first.checked_sub(1).into_iter().chain([last])
        });
        let mut ends: Vec<usize> = ends.collect();
        ends.dedup();
        nodes.leave_room(ends.into_iter(), SLACK);
    }
}

/// Numbers some rows consecutively.
fn number(rows: impl Iterator<Item = usize>, first: usize, numbers: &mut [u32]) {
    rows.enumerate().for_each(|(k, row)| numbers[row] = (first + k) as u32);
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

/// Consecutive subtrees below the top, grouped while they are light.
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
            parts.push(Part { nodes: (first..s + 1).collect(), columns, places: 0..0, reached: Vec::new() });
            (first, weight) = (s + 1, 0);
        }
    }
    parts
}
