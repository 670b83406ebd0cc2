//! One right-hand side through both triangles of a factor in supernodes. A library's matrix products with one column spend
//! most of their time on finding out that there is but one.

use crate::math::{Real, Work};
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;

/// Columns of a supernode that are gone through together, so that what lies beside them is read and written once.
const TOGETHER: usize = 4;
/// Sums that run side by side.
const LANES: usize = 4;

/// What is solved.
pub(super) struct Triangles<'a> {
    pub symbolic: &'a SymbolicSupernodalCholesky<usize>,
    /// The factor by supernodes; each by columns, with its own rows first.
    pub factor: &'a [Real],
    /// 1 / its diagonal.
    pub inverses: &'a [Real],
    /// The right-hand side, then the solution.
    pub x: &'a mut [Real],
    /// Memory for the rows of one supernode.
    pub rows: &'a mut [Real],
}

/// The most rows of a supernode.
pub(super) fn most_rows(symbolic: &SymbolicSupernodalCholesky<usize>) -> usize {
    let rows = |s: usize| {
        symbolic.supernode_end()[s] - symbolic.supernode_begin()[s] + symbolic.supernode(s).pattern().len()
    };
    (0..symbolic.n_supernodes()).map(rows).max().unwrap_or(0)
}

/// A supernode, and the numbers of its rows.
struct Supernode<'a> {
    /// Its columns.
    from: usize,
    to: usize,
    /// The rows below.
    below: &'a [usize],
    columns: &'a [Real],
    inverses: &'a [Real],
    v: &'a mut [Real],
}

impl Work for Triangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        // Loops, not closures: a closure may be compiled on its own, without the wider vectors.
        for s in 0..self.symbolic.n_supernodes() {
            self.forward(s);
        }
        for s in (0..self.symbolic.n_supernodes()).rev() {
            self.backward(s);
        }
    }
}

impl Triangles<'_> {
    #[inline(always)]
    fn supernode(&mut self, s: usize) -> (Supernode<'_>, &mut [Real]) {
        let (from, to) = (self.symbolic.supernode_begin()[s], self.symbolic.supernode_end()[s]);
        let below = self.symbolic.supernode(s).pattern();
        let starts = self.symbolic.col_ptr_for_val();
        let supernode = Supernode {
            from,
            to,
            below,
            columns: &self.factor[starts[s]..starts[s + 1]],
            inverses: &self.inverses[from..to],
            v: &mut self.rows[..to - from + below.len()],
        };
        (supernode, self.x)
    }

    /// L y = x for the columns of a supernode, and what they take from the rows below.
    #[inline(always)]
    fn forward(&mut self, s: usize) {
        let (mut node, x) = self.supernode(s);
        let width = node.to - node.from;
        node.v[..width].copy_from_slice(&x[node.from..node.to]);
        node.v[width..].fill(0.0);
        let mut j = 0;
        while j + TOGETHER <= width {
            node.take::<TOGETHER>(j);
            j += TOGETHER;
        }
        for j in j..width {
            node.take::<1>(j);
        }
        x[node.from..node.to].copy_from_slice(&node.v[..width]);
        node.below.iter().zip(&node.v[width..]).for_each(|(&row, v)| x[row] += v);
    }

    /// L^T y = x for the columns of a supernode.
    #[inline(always)]
    fn backward(&mut self, s: usize) {
        let (mut node, x) = self.supernode(s);
        let width = node.to - node.from;
        node.v[..width].copy_from_slice(&x[node.from..node.to]);
        node.v[width..].iter_mut().zip(node.below).for_each(|(v, &row)| *v = x[row]);
        let whole = width / TOGETHER * TOGETHER;
        for j in (whole..width).rev() {
            node.gather::<1>(j);
        }
        for group in (0..width / TOGETHER).rev() {
            node.gather::<TOGETHER>(group * TOGETHER);
        }
        x[node.from..node.to].copy_from_slice(&node.v[..width]);
    }
}

impl Supernode<'_> {
    #[inline(always)]
    fn take<const N: usize>(&mut self, j: usize) {
        let (own, further) = columns_from::<N>(self.columns, self.v.len(), j);
        let (known, rest) = self.v[j..].split_at_mut(N);
        let mut y = [0.0; N];
        for c in 0..N {
            let left = (0..c).fold(known[c], |left, b| left - own[b][c] * y[b]);
            y[c] = left * self.inverses[j + c];
        }
        known.copy_from_slice(&y);
        for (k, v) in rest.iter_mut().enumerate() {
            let mut taken = further[0][k] * y[0];
            for c in 1..N {
                taken += further[c][k] * y[c];
            }
            *v -= taken;
        }
    }

    #[inline(always)]
    fn gather<const N: usize>(&mut self, j: usize) {
        let (own, further) = columns_from::<N>(self.columns, self.v.len(), j);
        let (known, rest) = self.v[j..].split_at_mut(N);
        let (strips, left) = rest.as_chunks::<LANES>();
        let mut sums = [[0.0; LANES]; N];
        for (k, v) in strips.iter().enumerate() {
            for c in 0..N {
                let column = &further[c][k * LANES..(k + 1) * LANES];
                for lane in 0..LANES {
                    sums[c][lane] += column[lane] * v[lane];
                }
            }
        }
        for c in (0..N).rev() {
            let [p, q, r, s] = sums[c];
            let end = further[c][strips.len() * LANES..].iter().zip(left).map(|(l, v)| l * v);
            let sum = (p + q) + (r + s) + end.sum::<Real>();
            let x = (c + 1..N).fold(known[c] - sum, |x, b| x - own[c][b] * known[b]);
            known[c] = x * self.inverses[j + c];
        }
    }
}

/// `N` columns of a supernode from the j-th on: the rows that are theirs, and those further down.
#[inline(always)]
fn columns_from<const N: usize>(columns: &[Real], height: usize, j: usize) -> ([&[Real]; N], [&[Real]; N]) {
    let column = |c: usize| &columns[(j + c) * height + j..(j + c + 1) * height];
    (std::array::from_fn(|c| &column(c)[..N]), std::array::from_fn(|c| &column(c)[N..]))
}
