//! The storage layout of a factor: its pattern, in supernodes, from that of the matrix.
//!
//! A supernode is a run of columns with the same rows below them, stored as one dense block. Columns with nearly the
//! same rows are merged, zeros included: larger blocks are processed faster.

use crate::order::{Order, Rows, elimination_tree};
use std::ops::Range;

/// Up to how many columns in a merged supernode which share of its entries may be zeros (CHOLMOD: Chen, Davis, Hager,
/// Rajamanickam 2008, section 3.2).
const MERGED: [(usize, f64); 4] = [(4, 1.0), (16, 0.8), (48, 0.1), (usize::MAX, 0.05)];

/// The pattern of a factor.
pub(super) struct Supernodes {
    all: Vec<Supernode>,
    /// The rows below each, ascending.
    below: Vec<u32>,
    most_rows: usize,
}

struct Supernode {
    columns: Range<u32>,
    below: Range<usize>,
    values: Range<usize>,
}

impl Supernodes {
    /// For a matrix whose columns are in postorder.
    pub fn new(lower: &PermutedLower) -> Self {
        let rows = lower.strict_rows();
        let parents = elimination_tree(&rows);
        let counts = column_counts(lower, &parents);
        let starts = merged(&fundamental(&parents, &counts), &parents, &counts);
        let (mut all, mut below, mut values, mut most_rows) = (Vec::with_capacity(starts.len() - 1), 0, 0, 0);
        for pair in starts.windows(2) {
            let (width, rows_below) = (pair[1] - pair[0], counts[pair[1] - 1] - 1);
            let len = width * (width + rows_below);
            all.push(Supernode {
                columns: pair[0] as u32..pair[1] as u32,
                below: below..below + rows_below,
                values: values..values + len,
            });
            below += rows_below;
            values += len;
            most_rows = most_rows.max(width + rows_below);
        }
        let below = rows_below(&all, &rows, &parents);
        Supernodes { all, below, most_rows }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The number of values in the factor.
    pub fn values_len(&self) -> usize {
        self.all.iter().map(|supernode| supernode.values.len()).sum()
    }

    /// Reserves that much padding behind the values of some supernodes, given in ascending order.
    pub fn leave_room(&mut self, behind: impl Iterator<Item = usize>, room: usize) {
        let (mut behind, mut shift) = (behind.peekable(), 0);
        for (s, supernode) in self.all.iter_mut().enumerate() {
            supernode.values = supernode.values.start + shift..supernode.values.end + shift;
            shift += if behind.next_if_eq(&s).is_some() { room } else { 0 };
        }
    }

    /// The number of values in the factor and the padding behind them, except the last.
    pub fn memory_len(&self) -> usize {
        self.all.last().map_or(0, |last| last.values.end)
    }

    /// The most rows of a supernode, its own included.
    pub fn most_rows(&self) -> usize {
        self.most_rows
    }

    /// The columns of a supernode.
    #[inline(always)]
    pub fn columns(&self, s: usize) -> Range<usize> {
        let columns = &self.all[s].columns;
        columns.start as usize..columns.end as usize
    }

    /// The rows below its own.
    #[inline(always)]
    pub fn below(&self, s: usize) -> &[u32] {
        &self.below[self.all[s].below.clone()]
    }

    /// The range of those rows in the concatenated lists of all supernodes.
    pub fn below_range(&self, s: usize) -> Range<usize> {
        self.all[s].below.clone()
    }

    /// The length of that list.
    pub fn below_len(&self) -> usize {
        self.below.len()
    }

    /// The range of its values in the factor: by columns, each with its own rows first.
    #[inline(always)]
    pub fn values(&self, s: usize) -> Range<usize> {
        self.all[s].values.clone()
    }

    /// The row of a supernode's block that corresponds to a row of the matrix.
    pub fn row_in(&self, s: usize, row: usize) -> Option<usize> {
        let columns = self.columns(s);
        match row < columns.end {
            true => row.checked_sub(columns.start),
            false => Some(columns.len() + self.below(s).binary_search(&(row as u32)).ok()?),
        }
    }
}

/// The lower triangle of a permuted matrix by columns, with the index of each value in the matrix as given.
pub(super) struct PermutedLower {
    pub starts: Vec<usize>,
    pub rows: Vec<usize>,
    pub sources: Vec<u32>,
}

impl PermutedLower {
    pub fn new(given_starts: &[usize], given_columns: &[usize], order: &Order) -> Self {
        let (n, positions) = (order.len(), order.positions());
        let each = |visit: &mut dyn FnMut(usize, usize, usize)| {
            for i in 0..n {
                for k in given_starts[i]..given_starts[i + 1] {
                    if given_columns[k] <= i {
                        let (a, b) = (positions[i], positions[given_columns[k]]);
                        visit(a.min(b), a.max(b), k);
                    }
                }
            }
        };
        let mut starts = vec![0; n + 1];
        each(&mut |column, _, _| starts[column + 1] += 1);
        for column in 0..n {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let (mut rows, mut sources) = (vec![0; starts[n]], vec![0; starts[n]]);
        each(&mut |column, row, source| {
            rows[next[column]] = row;
            sources[next[column]] = source as u32;
            next[column] += 1;
        });
        PermutedLower { starts, rows, sources }
    }

    /// The pattern by rows, without the diagonal.
    fn strict_rows(&self) -> Rows {
        let n = self.starts.len() - 1;
        Rows::new(n, |add| {
            for column in 0..n {
                for &row in self.column(column).iter().filter(|&&row| row != column) {
                    add(row, column);
                }
            }
        })
    }

    fn column(&self, column: usize) -> &[usize] {
        &self.rows[self.starts[column]..self.starts[column + 1]]
    }
}

/// The entries in each column of the factor, its diagonal included (Gilbert, Ng, Peyton 1994). Row `i` of the factor is
/// a subtree of the elimination tree with root `i`, whose leaves are entries of the matrix; each leaf adds one to its
/// column and all above it, and where the paths of two leaves meet, one of them is taken off again.
fn column_counts(lower: &PermutedLower, parents: &[usize]) -> Vec<usize> {
    let n = parents.len();
    // The first column, in postorder, of the subtree below each.
    let mut first: Vec<usize> = (0..n).collect();
    for column in 0..n {
        let parent = parents[column];
        if parent < n {
            first[parent] = first[parent].min(first[column]);
        }
    }
    let mut changes: Vec<isize> = (0..n).map(|column| (first[column] == column).into()).collect();
    let mut last_leaf = vec![usize::MAX; n];
    let mut ancestors: Vec<usize> = (0..n).collect();
    for column in 0..n {
        let parent = parents[column];
        if parent < n {
            changes[parent] -= 1;
        }
        for &row in lower.column(column).iter().filter(|&&row| row != column) {
            // In postorder, the last leaf is below this column if it is not before the first column below.
            let before = last_leaf[row];
            if before != usize::MAX && first[column] <= before {
                continue;
            }
            last_leaf[row] = column;
            changes[column] += 1;
            if before != usize::MAX {
                changes[root(&mut ancestors, before)] -= 1;
            }
        }
        if parent < n {
            ancestors[column] = parent;
        }
    }
    for column in 0..n {
        if parents[column] < n {
            changes[parents[column]] += changes[column];
        }
    }
    changes.into_iter().map(|count| count as usize).collect()
}

/// The highest ancestor that is linked so far; the path to it gets shorter.
fn root(ancestors: &mut [usize], from: usize) -> usize {
    let mut root = from;
    while ancestors[root] != root {
        root = ancestors[root];
    }
    let mut at = from;
    while at != root {
        at = std::mem::replace(&mut ancestors[at], root);
    }
    root
}

/// Where supernodes begin, and the number of columns: a column joins the one before if it is its only child's parent
/// and has the same rows below it.
fn fundamental(parents: &[usize], counts: &[usize]) -> Vec<usize> {
    let n = parents.len();
    let mut children = vec![0; n];
    for &parent in parents.iter().filter(|&&parent| parent < n) {
        children[parent] += 1;
    }
    let joins = |k: usize| k > 0 && parents[k - 1] == k && children[k] == 1 && counts[k - 1] == counts[k] + 1;
    (0..n).filter(|&k| !joins(k)).chain([n]).collect()
}

/// Those that are left when supernodes with few zeros between them are merged, each with the child that ends right
/// before it.
fn merged(starts: &[usize], parents: &[usize], counts: &[usize]) -> Vec<usize> {
    // With the zeros that each holds.
    let mut kept: Vec<(usize, usize)> = Vec::with_capacity(starts.len());
    for pair in starts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if let Some(&(child, zeros_of_child)) = kept.last()
            && (from..to).contains(&parents[from - 1])
        {
            let (width, rows_below) = (to - child, counts[to - 1] - 1);
            let new = (to - from + rows_below - (counts[from - 1] - 1)) * (from - child);
            let entries = (width * (width + 1) / 2 + rows_below * width) as f64;
            let few = |&(most, share): &(usize, f64)| {
                width <= most && entries * share >= (new + zeros_of_child) as f64
            };
            if new == 0 || MERGED.iter().any(few) {
                kept.pop();
                kept.push((child, new + zeros_of_child));
                continue;
            }
        }
        kept.push((from, 0));
    }
    kept.into_iter().map(|(start, _)| start).chain([parents.len()]).collect()
}

/// The rows below each supernode, ascending: row `k` is in those on the paths from the entries of row `k` up to its
/// own (Liu 1986).
fn rows_below(all: &[Supernode], rows: &Rows, parents: &[usize]) -> Vec<u32> {
    let mut of_column = vec![0; parents.len()];
    for (s, supernode) in all.iter().enumerate() {
        of_column[supernode.columns.start as usize..supernode.columns.end as usize].fill(s);
    }
    let above = |s: usize| of_column[parents[all[s].columns.end as usize - 1]];
    let mut below = vec![0; all.last().map_or(0, |last| last.below.end)];
    let mut next: Vec<usize> = all.iter().map(|supernode| supernode.below.start).collect();
    let mut seen = vec![usize::MAX; all.len()];
    for (k, &own) in of_column.iter().enumerate() {
        for &column in rows.row(k) {
            let mut s = of_column[column as usize];
            while s != own && seen[s] != k {
                seen[s] = k;
                below[next[s]] = k as u32;
                next[s] += 1;
                s = above(s);
            }
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::sparse::SymbolicSparseColMatRef;
    use faer::sparse::linalg::cholesky::{simplicial, supernodal};
    use proptest::prelude::*;
    use sprs::{CsMat, TriMat};

    /// A symmetric pattern and an order of its unknowns.
    fn pattern(n: usize, pairs: &[(usize, usize)]) -> CsMat<f64> {
        let mut sum = TriMat::new((n, n));
        (0..n).for_each(|i| sum.add_triplet(i, i, 1.0));
        for &(i, j) in pairs {
            sum.add_triplet(i % n, j % n, 1.0);
            sum.add_triplet(j % n, i % n, 1.0);
        }
        sum.to_csr()
    }

    fn lower(matrix: &CsMat<f64>, order: &Order) -> PermutedLower {
        let order = order.postordered(matrix).unwrap();
        PermutedLower::new(matrix.indptr().into_raw_storage(), matrix.indices(), &order)
    }

    /// The same by faer: an independent implementation, with the same shares of zeros.
    fn check(lower: &PermutedLower) -> Result<(), TestCaseError> {
        let n = lower.starts.len() - 1;
        let rows = lower.strict_rows();
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for k in 0..n {
            columns.extend(rows.row(k).iter().map(|&j| j as usize));
            starts.push(columns.len());
        }
        let upper = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &columns);
        let request = simplicial::prefactorize_symbolic_cholesky_scratch::<usize>(n, columns.len())
            .or(supernodal::factorize_supernodal_symbolic_cholesky_scratch::<usize>(n));
        let mut memory = MemBuffer::new(request);
        let stack = MemStack::new(&mut memory);
        let (mut tree, mut counts) = (vec![0isize; n], vec![0usize; n]);
        let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, upper, stack);
        let theirs = supernodal::factorize_supernodal_symbolic_cholesky(
            upper,
            tree,
            &counts,
            stack,
            Default::default(),
        );
        let theirs = theirs.unwrap();

        prop_assert_eq!(&column_counts(lower, &elimination_tree(&rows)), &counts);
        let ours = Supernodes::new(lower);
        prop_assert_eq!(ours.len(), theirs.n_supernodes());
        for s in 0..ours.len() {
            prop_assert_eq!(ours.columns(s), theirs.supernode_begin()[s]..theirs.supernode_end()[s]);
            let below: Vec<usize> = ours.below(s).iter().map(|&row| row as usize).collect();
            prop_assert_eq!(&below, theirs.supernode(s).pattern());
            let values = theirs.col_ptr_for_val();
            prop_assert_eq!(ours.values(s), values[s]..values[s + 1]);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn are_those_of_another_implementation(
            n in 1usize..70,
            pairs in prop::collection::vec((0usize..70, 0usize..70), 0..200),
        ) {
            let matrix = pattern(n, &pairs);
            for order in [Order::amd(&matrix, 1).unwrap(), Order::identity(n)] {
                check(&lower(&matrix, &order))?;
            }
        }
    }

    #[test]
    fn of_a_grid_are_those_of_another_implementation() {
        let side = 40;
        let pairs: Vec<_> = (0..side * side)
            .flat_map(|k| [(k, k + 1), (k, k + side), (k, k + side + 1)])
            .filter(|&(_, b)| b < side * side)
            .collect();
        let matrix = pattern(side * side, &pairs);
        for order in [Order::amd(&matrix, 1).unwrap(), Order::identity(side * side)] {
            check(&lower(&matrix, &order)).unwrap();
        }
    }

    #[test]
    fn of_nothing_are_none() {
        assert_eq!(Supernodes::new(&lower(&CsMat::zero((0, 0)), &Order::identity(0))).len(), 0);
    }
}
