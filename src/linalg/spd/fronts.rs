//! The factorisation: supernode after supernode, each in a dense front of its own (the multifrontal method; Duff, Reid,
//! "The multifrontal solution of indefinite sparse symmetric linear systems", 1983; Liu, "The multifrontal method for
//! sparse matrix solution: theory and practice", 1992).
//!
//! A front holds the rows and columns of a supernode and of the rows below it. It gathers the entries of the matrix in the
//! columns of the supernode, and what is left of the fronts of its children in the tree; eliminates those columns; and
//! leaves the rest, its update, to its parent. All of it is plain dense work on few numbers, near each other.
//!
//! In postorder the updates that wait are a stack. There are two, one for every other level of the tree, so that a front
//! writes to one what it makes of the children in the other.

use super::dense::{Front, SLACK, padded};
use super::supernodes::{PermutedLower, Supernodes};
use crate::math::{Real, Work};
use std::ops::Range;

/// A pivot that cancels to less than this part of its diagonal entry is round-off: the matrix is singular as far as
/// 64 bits can tell. Round-off itself is a few 1e-16 times the entries met on the way.
const SMALLEST_PIVOT: Real = 1e-14;

/// What is known before the numbers are.
pub(super) struct Plan {
    steps: Vec<Step>,
    /// Where each entry of the matrix comes from, and where in its front's columns it belongs.
    entries: Vec<Entry>,
    children: Vec<Child>,
    runs: Vec<Run>,
    /// How long the stacks of updates become.
    stacks: [usize; 2],
}

/// One front.
struct Step {
    entries: Range<usize>,
    children: Range<usize>,
    /// Which stack its update is on, and where.
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

/// Rows of a child's update that follow one another in the parent's front too.
struct Run {
    child: u32,
    parent: u32,
    len: u32,
}

impl Plan {
    /// `None` when a front is too large to be counted.
    pub fn new(nodes: &Supernodes, lower: &PermutedLower) -> Option<Self> {
        let mut plan = Plan {
            steps: Vec::new(),
            entries: Vec::new(),
            children: Vec::new(),
            runs: Vec::new(),
            stacks: [0; 2],
        };
        let tree = Tree::new(nodes, lower.starts.len() - 1);
        let mut tops = [0; 2];
        for s in 0..nodes.len() {
            let stack = tree.levels[s];
            let rest = nodes.below(s).len();
            let update = tops[stack]..tops[stack] + padded(rest) * rest;
            tops[stack] = update.end;
            plan.stacks[stack] = plan.stacks[stack].max(update.end);
            let (entries, children) = (plan.entries.len(), plan.children.len());
            plan.add_entries(nodes, lower, s)?;
            for &child in tree.children(s) {
                plan.add_child(nodes, s, child)?;
            }
            if let Some(&first) = tree.children(s).first() {
                tops[1 - stack] = plan.steps[first].update.start;
            }
            let (entries, children) = (entries..plan.entries.len(), children..plan.children.len());
            plan.steps.push(Step { entries, children, stack, update });
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

/// The tree of the supernodes.
struct Tree {
    starts: Vec<usize>,
    lists: Vec<usize>,
    /// 0 or 1: children have another than their parent.
    levels: Vec<usize>,
}

impl Tree {
    fn new(nodes: &Supernodes, columns: usize) -> Self {
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
        for s in 0..n {
            if let Some(parent) = parent(s) {
                lists[next[parent]] = s;
                next[parent] += 1;
            }
        }
        Tree { starts, lists, levels }
    }

    fn children(&self, s: usize) -> &[usize] {
        &self.lists[self.starts[s]..self.starts[s + 1]]
    }
}

/// Reused memory.
pub(super) struct Updates([Vec<Real>; 2]);

impl Updates {
    pub fn new(plan: &Plan) -> Self {
        Updates(plan.stacks.map(|len| vec![0.0; len]))
    }
}

/// The numbers of a factor, to be found.
pub(super) struct Factoring<'a> {
    pub nodes: &'a Supernodes,
    pub plan: &'a Plan,
    /// The values of the matrix as given.
    pub given: &'a [Real],
    /// The factor, and memory behind it that [`factor_memory`] counts.
    pub factor: &'a mut [Real],
    /// 1 / the diagonal of the factor.
    pub inverses: &'a mut [Real],
    pub updates: &'a mut Updates,
}

/// How many numbers the memory of a factor has.
pub(super) fn factor_memory(nodes: &Supernodes) -> usize {
    nodes.values_len() + SLACK
}

impl Work for Factoring<'_> {
    /// The error is the column whose pivot failed.
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(mut self) -> Result<(), usize> {
        // Loops, not closures: a closure may be compiled on its own, without the wider vectors.
        for s in 0..self.plan.steps.len() {
            self.step(s)?;
        }
        Ok(())
    }
}

impl Factoring<'_> {
    #[inline(always)]
    fn step(&mut self, s: usize) -> Result<(), usize> {
        let (plan, step) = (self.plan, &self.plan.steps[s]);
        let (columns, values, rest) =
            (self.nodes.columns(s), self.nodes.values(s), self.nodes.below(s).len());
        let (width, height) = (columns.len(), columns.len() + rest);
        let [even, odd] = &mut self.updates.0;
        let (own, others) = if step.stack == 0 { (even, &odd[..]) } else { (odd, &even[..]) };
        let panel = &mut self.factor[values.start..values.end + SLACK];
        panel[..width * height].fill(0.0);
        for entry in &plan.entries[step.entries.clone()] {
            panel[entry.target as usize] = self.given[entry.source as usize];
        }
        let inverses = &mut self.inverses[columns.clone()];
        for (j, least) in inverses.iter_mut().enumerate() {
            *least = SMALLEST_PIVOT * panel[j * height + j];
        }
        let children = Children { nodes: self.nodes, plan, of: step, updates: others };
        children.add(true, panel, height, width);
        let update = &mut own[step.update.clone()];
        let mut front = Front { panel, width, height, inverses, update };
        front.eliminate().map_err(|column| columns.start + column)?;
        children.add(false, front.update, padded(rest), width);
        Ok(())
    }
}

/// What the children of a front leave to it.
struct Children<'a> {
    nodes: &'a Supernodes,
    plan: &'a Plan,
    of: &'a Step,
    updates: &'a [Real],
}

impl Children<'_> {
    /// Adds it to the columns that are eliminated there, the first `width`, or to the others. A column of the front is
    /// `stride` numbers after the one before.
    #[inline(always)]
    fn add(&self, eliminated: bool, front: &mut [Real], stride: usize, width: usize) {
        for child in &self.plan.children[self.of.children.clone()] {
            let (columns, others) = self.plan.runs[child.runs.clone()].split_at(child.eliminated);
            let update = &self.updates[self.plan.steps[child.step].update.clone()];
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

/// A child's update, and a front that holds all its rows, from the row `origin` on.
struct Extended<'a> {
    update: &'a [Real],
    own_stride: usize,
    front: &'a mut [Real],
    stride: usize,
    origin: usize,
}

impl Extended<'_> {
    /// Adds the columns of some runs: their rows, and those of `further` runs.
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

/// Mostly the two unknowns of one vertex.
#[inline(always)]
fn add(to: &mut [Real], from: &[Real]) {
    if let ([a, b], [x, y]) = (&mut *to, from) {
        *a += x;
        *b += y;
    } else {
        to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
    }
}
