//! The elimination order of a boxed program.
//!
//! A row eliminated before its unknowns has only its shift as a pivot. Its fill is then as large as the shift is small,
//! and the later cancellation destroys the digits of all light unknowns. So every row comes after unknowns of its own,
//! so that its pivot is the mobility they give it. Unknowns with the same neighbours, such as the coordinates of a
//! point or of a body, form a node, which takes as many rows as it has unknowns, right after them; a maximum matching
//! finds which \[Kuhn55\]. Nodes are ordered by minimum degree. Surplus rows, whose unknowns are all held by other
//! rows, come after all of their unknowns.
//!
//! - \[Kuhn55\]: Kuhn, "The Hungarian method for the assignment problem", 1955.

use sinew_base::error::Result;
use sinew_linalg::order::{Graph, Order};
use sinew_math::Real;
use sprs::{CsMat, TriMat};
use std::collections::{HashMap, VecDeque};

const NONE: usize = usize::MAX;

/// An order for unknowns and then rows; `lower` is the pattern of both, on and below the diagonal.
pub(super) fn paired(lower: &CsMat<Real>, unknowns: usize) -> Result<Order> {
    let graph = Graph::new(lower, 1)?;
    let mut pairs = Pairs::new(&graph, unknowns);
    (unknowns..graph.nodes()).for_each(|row| pairs.place(row, graph.neighbours(row as u32)));
    let (nodes, mut members) = pairs.nodes(graph.nodes());
    let mut pattern = TriMat::new((members.len(), members.len()));
    for i in 0..graph.nodes() {
        pattern.add_triplet(nodes[i], nodes[i], 0.0);
        let others = graph.neighbours(i as u32).iter();
        others.for_each(|&j| pattern.add_triplet(nodes[i], nodes[j as usize], 0.0));
    }
    let order = Order::amd(&pattern.to_csr(), 1)?;
    // Rows that form nodes by themselves wait for the last of their neighbours.
    let mut sequence: Vec<(usize, bool, usize)> = Vec::new();
    for (node, all) in members.iter().enumerate() {
        let alone = all[0] >= unknowns;
        let others = graph.neighbours(all[0] as u32).iter().filter(|_| alone);
        let waits = others.map(|&j| order.positions()[nodes[j as usize]]);
        sequence.push((waits.fold(order.positions()[node], usize::max), alone, node));
    }
    sequence.sort_unstable();
    Order::new(sequence.into_iter().flat_map(|(_, _, node)| std::mem::take(&mut members[node])).collect())
}

/// Groups of unknowns, and the rows matched to each group.
struct Pairs {
    group_of: Vec<usize>,
    groups: Vec<Vec<usize>>,
    rows: Vec<Vec<usize>>,
    /// Groups from which no augmenting path leads to room for a row; they stay that way.
    full: Vec<bool>,
    /// The groups each row could be matched to, the one it is matched to, and the rows without room.
    choices: HashMap<usize, Vec<usize>>,
    stands_on: HashMap<usize, usize>,
    left_over: Vec<usize>,
}

impl Pairs {
    fn new(graph: &Graph, unknowns: usize) -> Self {
        let (mut numbers, mut groups) = (HashMap::new(), Vec::new());
        let mut group_of = vec![NONE; unknowns];
        for (i, group) in group_of.iter_mut().enumerate() {
            // Its neighbours and itself: the same for all unknowns of a node.
            let mut around = graph.neighbours(i as u32).to_vec();
            around.insert(around.partition_point(|&j| j < i as u32), i as u32);
            *group = *numbers.entry(around).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[*group].push(i);
        }
        Pairs {
            group_of,
            rows: vec![Vec::new(); groups.len()],
            full: vec![false; groups.len()],
            groups,
            choices: HashMap::new(),
            stands_on: HashMap::new(),
            left_over: Vec::new(),
        }
    }

    /// Matches a row to one of its groups, moving others to make room.
    fn place(&mut self, row: usize, neighbours: &[u32]) {
        // A row shares entries with unknowns only.
        let mut choices: Vec<usize> = neighbours.iter().map(|&j| self.group_of[j as usize]).collect();
        choices.dedup();
        self.choices.insert(row, choices);
        // The row from which each group was reached.
        let mut from: HashMap<usize, usize> = HashMap::new();
        let mut queue = VecDeque::from([row]);
        while let Some(at) = queue.pop_front() {
            for &group in &self.choices[&at] {
                if self.full[group] || from.contains_key(&group) {
                    continue;
                }
                from.insert(group, at);
                if self.rows[group].len() < self.groups[group].len() {
                    return self.move_on(group, &from);
                }
                queue.extend(&self.rows[group]);
            }
        }
        from.keys().for_each(|&group| self.full[group] = true);
        self.left_over.push(row);
    }

    /// Moves rows along the augmenting path, from its end to its start.
    fn move_on(&mut self, end: usize, from: &HashMap<usize, usize>) {
        let mut group = end;
        loop {
            let row = from[&group];
            self.rows[group].push(row);
            let Some(before) = self.stands_on.insert(row, group) else { return };
            self.rows[before].retain(|&other| other != row);
            group = before;
        }
    }

    /// The node of each unknown and row, and the members of each in order: unknowns, then rows.
    fn nodes(self, count: usize) -> (Vec<usize>, Vec<Vec<usize>>) {
        let pairs = self.groups.into_iter().zip(self.rows).map(|(group, rows)| [group, rows].concat());
        let members: Vec<Vec<usize>> = pairs.chain(self.left_over.into_iter().map(|row| vec![row])).collect();
        let mut nodes = vec![NONE; count];
        for (node, all) in members.iter().enumerate() {
            all.iter().for_each(|&i| nodes[i] = node);
        }
        (nodes, members)
    }
}
