//! The storage layout of a factor: its pattern, in supernodes, from that of the matrix.
//!
//! A supernode is a run of columns with the same rows below them, stored as one dense block. Columns with nearly the
//! same rows are merged, zeros included: larger blocks are processed faster.

use crate::order::Order;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::{simplicial, supernodal};
use faer::sparse::{FaerError, SymbolicSparseColMatRef};
use std::ops::Range;

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
    pub fn new(lower: &PermutedLower) -> Result<Self, FaerError> {
        let symbolic = analyse(lower)?;
        let (mut all, mut below) = (Vec::with_capacity(symbolic.n_supernodes()), Vec::new());
        let (starts, mut most_rows) = (symbolic.col_ptr_for_val(), 0);
        for s in 0..symbolic.n_supernodes() {
            let (from, to) = (symbolic.supernode_begin()[s], symbolic.supernode_end()[s]);
            let first = below.len();
            below.extend(symbolic.supernode(s).pattern().iter().map(|&row| row as u32));
            most_rows = most_rows.max(to - from + below.len() - first);
            all.push(Supernode {
                columns: from as u32..to as u32,
                below: first..below.len(),
                values: starts[s]..starts[s + 1],
            });
        }
        Ok(Supernodes { all, below, most_rows })
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

    /// The pattern of the transpose: the upper triangle by columns, sorted.
    fn upper(&self) -> (Vec<usize>, Vec<usize>) {
        let n = self.starts.len() - 1;
        let mut starts = vec![0; n + 1];
        self.rows.iter().for_each(|&row| starts[row + 1] += 1);
        for row in 0..n {
            starts[row + 1] += starts[row];
        }
        let (mut next, mut columns) = (starts.clone(), vec![0; self.rows.len()]);
        for j in 0..n {
            for &row in &self.rows[self.starts[j]..self.starts[j + 1]] {
                columns[next[row]] = j;
                next[row] += 1;
            }
        }
        (starts, columns)
    }
}

/// faer's analysis, always supernodal: its automatic choice takes the slow path on meshes of a few thousand unknowns.
fn analyse(lower: &PermutedLower) -> Result<supernodal::SymbolicSupernodalCholesky<usize>, FaerError> {
    let (starts, rows) = lower.upper();
    let n = starts.len() - 1;
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
    let request = StackReq::any_of(&[
        simplicial::prefactorize_symbolic_cholesky_scratch::<usize>(n, rows.len()),
        supernodal::factorize_supernodal_symbolic_cholesky_scratch::<usize>(n),
    ]);
    let mut memory = MemBuffer::try_new(request)?;
    let stack = MemStack::new(&mut memory);
    let (mut tree, mut counts) = (vec![0isize; n], vec![0usize; n]);
    let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, pattern, stack);
    let params = SymbolicSupernodalParams::default();
    supernodal::factorize_supernodal_symbolic_cholesky(pattern, tree, &counts, stack, params)
}
