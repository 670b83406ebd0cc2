//! Elimination orders that keep a Cholesky factor sparse.
//!
//! [`Order::amd`] needs only the pattern; [`Order::nested_dissection`] also needs a position for each node and gives
//! less fill on large meshes (George, "Nested dissection of a regular finite element mesh", 1973). Both order nodes
//! and expand them to blocks of unknowns, because the unknowns of one vertex have the same neighbours.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use sprs::CsMat;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Nodes below which nested dissection stops: smaller pieces cost time and change the fill by less than 1 %.
const LEAF_NODES: usize = 8;
/// Nodes below which both halves are ordered on one thread.
const TASK_NODES: usize = 4096;

/// An elimination order and its inverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    unknowns: Vec<usize>,
    positions: Vec<usize>,
}

impl Order {
    /// The natural order.
    pub fn identity(n: usize) -> Self {
        Order { unknowns: (0..n).collect(), positions: (0..n).collect() }
    }

    /// An order given as the unknowns in elimination sequence; rejects anything but a permutation.
    pub fn new(unknowns: Vec<usize>) -> Result<Self> {
        let n = unknowns.len();
        let mut positions = vec![n; n];
        for (k, &unknown) in unknowns.iter().enumerate() {
            match positions.get_mut(unknown) {
                Some(position) if *position == n => *position = k,
                Some(_) => {
                    return Err(Error::new(
                        Kind::InvalidArgument,
                        format!("unknown {unknown} is ordered twice"),
                    ));
                }
                None => {
                    let text = format!("the order of {n} unknowns contains unknown {unknown}");
                    return Err(Error::new(Kind::OutOfRange, text));
                }
            }
        }
        Ok(Order { unknowns, positions })
    }

    /// Approximate minimum degree (Amestoy, Davis, Duff 1996), for any symmetric pattern; `per_node` consecutive
    /// unknowns form a node. One triangle of the pattern is enough.
    pub fn amd(matrix: &CsMat<Real>, per_node: usize) -> Result<Self> {
        let graph = Graph::new(matrix, per_node)?;
        let n = graph.nodes();
        let (mut starts, mut neighbours) = (vec![0], Vec::with_capacity(graph.neighbours.len() + n));
        for node in 0..n as u32 {
            // With the node itself, although it does not matter: the crate's checks in debug builds count on it.
            let (before, after) =
                graph.neighbours(node).split_at(graph.neighbours(node).partition_point(|&j| j < node));
            neighbours.extend(before.iter().chain([&node]).chain(after).map(|&j| j as usize));
            starts.push(neighbours.len());
        }
        let (nodes, ..) = amd::order(n, &starts, &neighbours, &amd::Control::default())
            .map_err(|status| Error::new(Kind::Internal, format!("the pattern of {n} nodes: {status:?}")))?;
        Order::new(expand(&nodes, per_node))
    }

    /// Nested dissection by coordinates: cuts the nodes at the median of their longest extent, orders both halves, then
    /// the nodes on the cut. `points` holds one position per node of `per_node` consecutive unknowns; any positions
    /// give a valid order, those near their neighbours' a good one.
    pub fn nested_dissection(matrix: &CsMat<Real>, per_node: usize, points: &[Vec3]) -> Result<Self> {
        let graph = Graph::new(matrix, per_node)?;
        if points.len() != graph.nodes() {
            let text = format!("{} points for {} nodes", points.len(), graph.nodes());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        if let Some(bad) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return Err(Error::new(Kind::NotFinite, format!("the position of node {bad} is not finite")));
        }
        let mut nodes: Vec<u32> = (0..points.len() as u32).collect();
        let sides: Vec<AtomicU8> = (0..points.len()).map(|_| AtomicU8::new(CUT)).collect();
        Dissection { graph: &graph, points, sides: &sides }.order(&mut nodes);
        let nodes: Vec<usize> = nodes.into_iter().map(|node| node as usize).collect();
        Order::new(expand(&nodes, per_node))
    }

    /// The number of unknowns.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    /// Whether there is nothing to order.
    pub fn is_empty(&self) -> bool {
        self.unknowns.is_empty()
    }

    /// The unknowns in elimination sequence.
    pub fn unknowns(&self) -> &[usize] {
        &self.unknowns
    }

    /// The position of each unknown in the elimination sequence.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// The nonzeros of the Cholesky factor in this order, diagonal included, ignoring cancellation.
    pub fn fill(&self, matrix: &CsMat<Real>) -> Result<usize> {
        let rows = self.permuted_rows(matrix)?;
        let parents = elimination_tree(&rows);
        let mut seen = vec![usize::MAX; self.len()];
        let mut count = 0;
        // Row i of the factor is the part of the tree between i and the entries of row i (Liu 1986).
        for i in 0..self.len() {
            seen[i] = i;
            count += 1;
            for &j in rows.row(i) {
                let mut k = j as usize;
                while seen[k] != i {
                    seen[k] = i;
                    count += 1;
                    k = parents[k];
                }
            }
        }
        Ok(count)
    }

    /// The same fill, with the columns of each subtree next to each other: this makes the supernodes of the
    /// factorisation as wide as possible.
    pub(crate) fn postordered(&self, matrix: &CsMat<Real>) -> Result<Order> {
        let n = self.len();
        let parents = elimination_tree(&self.permuted_rows(matrix)?);
        let (mut first_child, mut sibling) = (vec![n; n + 1], vec![n; n]);
        for k in (0..n).rev() {
            // Index n stands for a common root above all roots.
            let parent = parents[k].min(n);
            sibling[k] = first_child[parent];
            first_child[parent] = k;
        }
        let (mut stack, mut unknowns) = (vec![n], Vec::with_capacity(n));
        while let Some(&top) = stack.last() {
            let child = first_child[top];
            if child < n {
                first_child[top] = sibling[child];
                stack.push(child);
            } else {
                stack.pop();
                if top < n {
                    unknowns.push(self.unknowns[top]);
                }
            }
        }
        Order::new(unknowns)
    }

    /// The strictly lower triangle of the permuted pattern by rows.
    fn permuted_rows(&self, matrix: &CsMat<Real>) -> Result<Rows> {
        let n = self.len();
        let (starts, columns) = symmetric_rows(matrix)?;
        if matrix.rows() != n {
            let text = format!("an order of {n} unknowns for a matrix of {}", matrix.rows());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        Ok(Rows::new(n, |add| {
            for i in 0..n {
                for &j in columns[starts[i]..starts[i + 1]].iter().take_while(|&&j| j < i) {
                    let (a, b) = (self.positions[i], self.positions[j]);
                    add(a.max(b), b.min(a));
                }
            }
        }))
    }
}

/// The row starts and columns of a square matrix stored by rows. A symmetric matrix is given by its lower triangle;
/// orders and factorisations ignore entries above the diagonal.
pub(crate) fn symmetric_rows(matrix: &CsMat<Real>) -> Result<(&[usize], &[usize])> {
    if !matrix.is_csr() || matrix.rows() != matrix.cols() {
        let text = format!("{}x{}: a square matrix stored by rows is needed", matrix.rows(), matrix.cols());
        return Err(Error::new(Kind::InvalidArgument, text));
    }
    if matrix.rows() > u32::MAX as usize {
        return Err(out_of_memory(matrix.rows()));
    }
    let starts = matrix.indptr().into_raw_storage();
    Ok((starts, matrix.indices()))
}

pub(crate) fn out_of_memory(n: usize) -> Error {
    Error::new(Kind::TooLarge, format!("no memory to analyse a matrix of {n} unknowns"))
}

/// Lists of numbers, one per row.
pub(crate) struct Rows {
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Rows {
    /// Counts, then fills: `entries` is called twice and must add the same entries.
    pub fn new(n: usize, entries: impl Fn(&mut dyn FnMut(usize, usize))) -> Self {
        let mut starts = vec![0; n + 1];
        entries(&mut |row, _| starts[row + 1] += 1);
        for row in 0..n {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut columns = vec![0; starts[n]];
        entries(&mut |row, column| {
            columns[next[row]] = column as u32;
            next[row] += 1;
        });
        Rows { starts, columns }
    }

    pub fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.starts[i]..self.starts[i + 1]]
    }
}

/// The parent of each column in the elimination tree, `usize::MAX` for roots (Liu 1986, with path compression).
pub(crate) fn elimination_tree(rows: &Rows) -> Vec<usize> {
    let n = rows.starts.len() - 1;
    let (mut parents, mut ancestors) = (vec![usize::MAX; n], vec![usize::MAX; n]);
    for i in 0..n {
        for &j in rows.row(i) {
            let mut k = j as usize;
            while ancestors[k] != i {
                let next = std::mem::replace(&mut ancestors[k], i);
                if next == usize::MAX {
                    parents[k] = i;
                    break;
                }
                k = next;
            }
        }
    }
    parents
}

/// The unknowns of each node in turn, in the order of the nodes.
fn expand(nodes: &[usize], per_node: usize) -> Vec<usize> {
    nodes.iter().flat_map(|node| node * per_node..(node + 1) * per_node).collect()
}

/// The nodes that share an entry of the matrix; both directions, without the node itself, sorted.
pub struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// For a symmetric pattern; one triangle is enough.
    pub fn new(matrix: &CsMat<Real>, per_node: usize) -> Result<Self> {
        let (starts, columns) = symmetric_rows(matrix)?;
        if per_node == 0 || !matrix.rows().is_multiple_of(per_node) {
            let text = format!("{} unknowns are not a multiple of {per_node} per node", matrix.rows());
            return Err(Error::new(Kind::InvalidArgument, text));
        }
        let n = matrix.rows() / per_node;
        let pairs = Rows::new(n, |add| {
            // The nodes already listed for this node, so that a pair is added once.
            let mut seen = vec![usize::MAX; n];
            for i in 0..n {
                for row in i * per_node..(i + 1) * per_node {
                    let lower = columns[starts[row]..starts[row + 1]].iter().map(|c| c / per_node);
                    for j in lower.take_while(|&j| j < i) {
                        if seen[j] != i {
                            seen[j] = i;
                            add(i, j);
                            add(j, i);
                        }
                    }
                }
            }
        });
        let Rows { starts, columns: mut neighbours } = pairs;
        for pair in starts.windows(2) {
            neighbours[pair[0]..pair[1]].sort_unstable();
        }
        Ok(Graph { starts, neighbours })
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes that are coupled with one.
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.neighbours[self.starts[node as usize]..self.starts[node as usize + 1]]
    }
}

const LEFT: u8 = 0;
const RIGHT: u8 = 1;
const CUT: u8 = 2;

/// Nested dissection of a graph. A node's neighbours are in its own piece or on an earlier cut, so pieces that are
/// ordered in parallel neither read nor write each other's sides.
struct Dissection<'a> {
    graph: &'a Graph,
    points: &'a [Vec3],
    sides: &'a [AtomicU8],
}

impl Dissection<'_> {
    fn order(&self, nodes: &mut [u32]) {
        if nodes.len() <= LEAF_NODES {
            return;
        }
        let axis = self.longest_axis(nodes);
        let key = |node: &u32| self.points[*node as usize][axis];
        let middle = nodes.len() / 2;
        nodes.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        for (k, &node) in nodes.iter().enumerate() {
            self.sides[node as usize].store(if k < middle { LEFT } else { RIGHT }, Relaxed);
        }
        let touches = |side| move |&&node: &&u32| self.touches(node, side);
        let left_cut = nodes[..middle].iter().filter(touches(RIGHT)).count();
        let right_cut = nodes[middle..].iter().filter(touches(LEFT)).count();
        // The nodes of one side that touch the other separate the rest; the side with fewer of them gives up its own.
        let (cut_side, other, cut) =
            if left_cut <= right_cut { (LEFT, RIGHT, left_cut) } else { (RIGHT, LEFT, right_cut) };
        let on_cut = |node: u32| self.side(node) == cut_side && self.touches(node, other);
        nodes.sort_by_cached_key(|&node| if on_cut(node) { CUT } else { self.side(node) });
        let (pieces, cut_nodes) = nodes.split_at_mut(nodes.len() - cut);
        for &node in cut_nodes.iter() {
            self.sides[node as usize].store(CUT, Relaxed);
        }
        let left_size = pieces.partition_point(|&node| self.side(node) == LEFT);
        let (left, right) = pieces.split_at_mut(left_size);
        if left.len() + right.len() < TASK_NODES {
            self.order(left);
            self.order(right);
        } else {
            rayon::join(|| self.order(left), || self.order(right));
        }
    }

    fn side(&self, node: u32) -> u8 {
        self.sides[node as usize].load(Relaxed)
    }

    fn touches(&self, node: u32, side: u8) -> bool {
        self.graph.neighbours(node).iter().any(|&j| self.side(j) == side)
    }

    fn longest_axis(&self, nodes: &[u32]) -> usize {
        let first = self.points[nodes[0] as usize];
        let place = |node: &u32| &self.points[*node as usize];
        let (low, high) =
            nodes.iter().fold((first, first), |(low, high), n| (low.inf(place(n)), high.sup(place(n))));
        (high - low).imax()
    }
}

#[cfg(test)]
mod tests;
