//! The factorisation: supernode after supernode, each in a dense front of its own (the multifrontal method; Duff, Reid,
//! "The multifrontal solution of indefinite sparse symmetric linear systems", 1983; Liu, "The multifrontal method for
//! sparse matrix solution: theory and practice", 1992).
//!
//! A front holds the rows and columns of a supernode and of the rows below it. It gathers the entries of the matrix in
//! the columns of the supernode and the updates of its children in the tree, eliminates those columns, and passes the
//! rest, its own update, to its parent. All of it is plain dense work on a few numbers close together in memory.
//!
//! In postorder the pending updates form a stack. There are two, one for every other level of the tree, so that a front
//! reads its children's updates from one and writes its own to the other; and two more for each part of the tree that
//! is processed separately.

use super::dense::{Front, SLACK, Tiled, padded};
use super::parts::{Parts, Tree};
use super::supernodes::{PermutedLower, Supernodes};
use sinew_math::{Real, Work, widest};
use std::ops::Range;

/// The symbolic factorisation.
pub(super) struct Plan {
    steps: Vec<Step>,
    /// The source of each entry of the matrix, and its position in its front's columns.
    entries: Vec<Entry>,
    children: Vec<Child>,
    runs: Vec<Run>,
    /// The sizes of the stacks of updates: of each part, and of the top.
    stacks: Vec<[usize; 2]>,
}

/// One front.
struct Step {
    entries: Range<usize>,
    children: Range<usize>,
    /// Its part, which of the part's stacks holds its update, and where.
    part: usize,
    stack: usize,
    update: Range<usize>,
}

struct Entry {
    source: u32,
    target: u32,
}

/// An update to be added to a parent's front.
struct Child {
    step: usize,
    runs: Range<usize>,
    /// How many of the runs are columns of the parent's supernode.
    eliminated: usize,
}

/// Rows of a child's update that are consecutive in the parent's front as well.
struct Run {
    child: u32,
    parent: u32,
    len: u32,
}

impl Plan {
    /// `None` if the size of a front overflows.
    pub fn new(nodes: &Supernodes, tree: &Tree, parts: &Parts, lower: &PermutedLower) -> Option<Self> {
        let mut plan = Plan {
            steps: Vec::new(),
            entries: Vec::new(),
            children: Vec::new(),
            runs: Vec::new(),
            stacks: vec![[0; 2]; parts.all.len() + 1],
        };
        let mut tops = vec![[0; 2]; parts.all.len() + 1];
        for s in 0..nodes.len() {
            let (part, stack) = (parts.of_nodes[s] as usize, tree.levels[s]);
            let rest = nodes.below(s).len();
            let update = tops[part][stack]..tops[part][stack] + padded(rest) * rest;
            tops[part][stack] = update.end;
            plan.stacks[part][stack] = plan.stacks[part][stack].max(update.end);
            let (entries, children) = (plan.entries.len(), plan.children.len());
            plan.add_entries(nodes, lower, s)?;
            for &child in tree.children(s) {
                plan.add_child(nodes, s, child)?;
            }
            if let Some(&first) = tree.children(s).iter().find(|&&child| plan.steps[child].part == part) {
                tops[part][1 - stack] = plan.steps[first].update.start;
            }
            let (entries, children) = (entries..plan.entries.len(), children..plan.children.len());
            plan.steps.push(Step { entries, children, part, stack, update });
        }
        Some(plan)
    }

    fn add_entries(&mut self, nodes: &Supernodes, lower: &PermutedLower, s: usize) -> Option<()> {
        let height = nodes.columns(s).len() + nodes.below(s).len();
        for (c, column) in nodes.columns(s).enumerate() {
            for k in lower.starts[column]..lower.starts[column + 1] {
                let target = u32::try_from(c * height + nodes.row_in(s, lower.rows[k])?).ok()?;
                self.entries.push(Entry { source: lower.sources[k], target });
            }
        }
        Some(())
    }

    fn add_child(&mut self, nodes: &Supernodes, s: usize, child: usize) -> Option<()> {
        let (first, width) = (self.runs.len(), nodes.columns(s).len() as u32);
        let mut eliminated = 0;
        for (k, &row) in nodes.below(child).iter().enumerate() {
            let (child, parent) = (k as u32, nodes.row_in(s, row as usize)? as u32);
            let last = self.runs[first..].last_mut();
            match last.filter(|last| last.parent + last.len == parent && parent != width) {
                Some(last) => last.len += 1,
                None => {
                    eliminated += usize::from(parent < width);
                    self.runs.push(Run { child, parent, len: 1 });
                }
            }
        }
        self.children.push(Child { step: child, runs: first..self.runs.len(), eliminated });
        Some(())
    }
}

/// Reused memory: the stacks of each part and of the top.
pub(super) struct Updates<T>(Vec<[Vec<T>; 2]>);

impl<T: Tiled> Updates<T> {
    pub fn new(plan: &Plan) -> Self {
        Updates(plan.stacks.iter().map(|lengths| lengths.map(|len| vec![T::ZERO; len])).collect())
    }
}

/// The memory of a factorisation.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub nodes: &'a Supernodes,
    pub parts: &'a Parts,
    pub plan: &'a Plan,
    /// The values of the matrix in the caller's order, and what they are multiplied by.
    pub given: &'a [Real],
    pub scale: Real,
}

/// The number of values that the memory of a factor must hold.
pub(super) fn factor_memory(nodes: &Supernodes) -> usize {
    nodes.memory_len() + SLACK
}

impl Known<'_> {
    /// Computes the factor, in memory of the size [`factor_memory`] returns, and 1 / its diagonal. The error is the
    /// column whose pivot failed.
    pub fn factor<T: Tiled>(
        &self,
        factor: &mut [T],
        inverses: &mut [T],
        updates: &mut Updates<T>,
    ) -> Result<(), usize> {
        let Some((top, of_parts)) = updates.0.split_last_mut() else { return Ok(()) };
        self.factor_parts(0, factor, inverses, of_parts)?;
        let part = self.parts.all.len();
        widest(Factoring { known: self, part, factor, before: 0, inverses, first: 0, own: top, of_parts })
    }

    /// The parts from `first` on, as many as there are stacks, in memory that begins with that of the first.
    fn factor_parts<T: Tiled>(
        &self,
        first: usize,
        factor: &mut [T],
        inverses: &mut [T],
        updates: &mut [[Vec<T>; 2]],
    ) -> Result<(), usize> {
        let Some(part) = self.parts.all.get(first).filter(|_| !updates.is_empty()) else { return Ok(()) };
        let value = |part: usize| self.nodes.values(self.parts.nodes(part)[0]).start;
        // The first memory is that of the whole factor.
        let (before, column) = if first == 0 { (0, 0) } else { (value(first), part.columns.start) };
        if let [own] = updates {
            let of_parts = &[];
            let factoring = Factoring {
                known: self,
                part: first,
                factor,
                before,
                inverses,
                first: column,
                own,
                of_parts,
            };
            return widest(factoring);
        }
        let half = updates.len() / 2;
        let there = first + half;
        let (factor, far_factor) = factor.split_at_mut(value(there) - before);
        let (inverses, far_inverses) = inverses.split_at_mut(self.parts.all[there].columns.start - column);
        let (updates, far_updates) = updates.split_at_mut(half);
        let (near, far) = rayon::join(
            || self.factor_parts(first, factor, inverses, updates),
            || self.factor_parts(there, far_factor, far_inverses, far_updates),
        );
        near.and(far)
    }
}

/// A portion of a factor to be computed.
struct Factoring<'a, T> {
    known: &'a Known<'a>,
    /// The part it belongs to; the top comes after the last.
    part: usize,
    /// The factor from the `before`-th number on, and the data of its columns from the `first` on.
    factor: &'a mut [T],
    before: usize,
    inverses: &'a mut [T],
    first: usize,
    own: &'a mut [Vec<T>; 2],
    /// The stacks of the parts, for the top.
    of_parts: &'a [[Vec<T>; 2]],
}

impl<T: Tiled> Work for Factoring<'_, T> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(mut self) -> Result<(), usize> {
        // Loops, not closures: a closure may be compiled separately, without the wider vectors.
        for &s in self.known.parts.nodes(self.part) {
            self.step(s)?;
        }
        Ok(())
    }
}

impl<T: Tiled> Factoring<'_, T> {
    #[inline(always)]
    fn step(&mut self, s: usize) -> Result<(), usize> {
        let Known { nodes, plan, given, scale, .. } = *self.known;
        let step = &plan.steps[s];
        let (columns, values, rest) = (nodes.columns(s), nodes.values(s), nodes.below(s).len());
        let (width, height) = (columns.len(), columns.len() + rest);
        let [even, odd] = &mut *self.own;
        let (own, others) = if step.stack == 0 { (even, &odd[..]) } else { (odd, &even[..]) };
        let panel = &mut self.factor[values.start - self.before..values.end - self.before + SLACK];
        panel[..width * height].fill(T::ZERO);
        for entry in &plan.entries[step.entries.clone()] {
            panel[entry.target as usize] = T::of(scale * given[entry.source as usize]);
        }
        let inverses = &mut self.inverses[columns.start - self.first..columns.end - self.first];
        for (j, least) in inverses.iter_mut().enumerate() {
            *least = T::SMALLEST_PIVOT * panel[j * height + j];
        }
        let children = Children { nodes, plan, of: step, updates: others, of_parts: self.of_parts };
        children.add(true, panel, height, width);
        let update = &mut own[step.update.clone()];
        let mut front = Front { panel, width, height, inverses, update };
        T::eliminate(&mut front).map_err(|column| columns.start + column)?;
        children.add(false, front.update, padded(rest), width);
        Ok(())
    }
}

/// The updates of a front's children.
struct Children<'a, T> {
    nodes: &'a Supernodes,
    plan: &'a Plan,
    of: &'a Step,
    /// The stack of the part that holds its children's updates, and the stacks of the parts below it.
    updates: &'a [T],
    of_parts: &'a [[Vec<T>; 2]],
}

impl<T: Tiled> Children<'_, T> {
    /// Adds them to the columns to be eliminated, the first `width`, or to the others. The columns of the front are
    /// `stride` numbers apart.
    #[inline(always)]
    fn add(&self, eliminated: bool, front: &mut [T], stride: usize, width: usize) {
        for child in &self.plan.children[self.of.children.clone()] {
            let (columns, others) = self.plan.runs[child.runs.clone()].split_at(child.eliminated);
            let step = &self.plan.steps[child.step];
            let stack =
                if step.part == self.of.part { self.updates } else { &self.of_parts[step.part][step.stack] };
            let update = &stack[step.update.clone()];
            let own_stride = padded(self.nodes.below(child.step).len());
            let mut front = Extended { update, own_stride, front, stride, origin: width };
            if eliminated {
                front.origin = 0;
                front.add(columns, others);
            } else {
                front.add(others, &[]);
            }
        }
    }
}

/// A child's update, and a front that holds all its rows, starting at the row `origin`.
struct Extended<'a, T> {
    update: &'a [T],
    own_stride: usize,
    front: &'a mut [T],
    stride: usize,
    origin: usize,
}

impl<T: Tiled> Extended<'_, T> {
    /// Adds the columns of some runs: their own rows, and those of `further` runs.
    #[inline(always)]
    fn add(&mut self, runs: &[Run], further: &[Run]) {
        for (k, run) in runs.iter().enumerate() {
            for c in 0..run.len {
                let start = Run { child: run.child + c, parent: run.parent + c, len: run.len - c };
                self.add_rows(&start, &start, 1);
            }
            for rows in runs[k + 1..].iter().chain(further) {
                self.add_rows(run, rows, run.len);
            }
        }
    }

    /// The rows of a run, in the first columns of another.
    #[inline(always)]
    fn add_rows(&mut self, columns: &Run, rows: &Run, count: u32) {
        let column = columns.parent as usize - self.origin;
        let mut to = column * self.stride + rows.parent as usize - self.origin;
        let mut from = columns.child as usize * self.own_stride + rows.child as usize;
        for _ in 0..count {
            add(&mut self.front[to..to + rows.len as usize], &self.update[from..from + rows.len as usize]);
            to += self.stride;
            from += self.own_stride;
        }
    }
}

/// Usually the two unknowns of one vertex.
#[inline(always)]
fn add<T: Tiled>(to: &mut [T], from: &[T]) {
    if let ([a, b], [x, y]) = (&mut *to, from) {
        *a += *x;
        *b += *y;
    } else {
        to.iter_mut().zip(from).for_each(|(to, from)| *to += *from);
    }
}
