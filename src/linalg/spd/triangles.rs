//! Solves with both triangles of a supernodal factor for one right-hand side or a few side by side. A library's matrix
//! products are dominated by their overhead for so few columns.

use super::number::Number;
use super::parts::Parts;
use super::supernodes::Supernodes;
use sinew_math::{Work, widest};

/// Columns of a supernode that are processed together, so that the data next to them is read and written once.
const TOGETHER: usize = 4;

/// What a solve needs.
#[derive(Clone, Copy)]
pub(super) struct Triangles<'a, T> {
    pub nodes: &'a Supernodes,
    pub parts: &'a Parts,
    /// The factor by supernodes.
    pub factor: &'a [T],
    /// 1 / its diagonal.
    pub inverses: &'a [T],
}

impl<T: Number> Triangles<'_, T> {
    /// Solves in memory laid out as in [`Parts::places`]; `rows` is memory for the rows of one supernode per part and
    /// the top.
    pub fn solve<S: Sides<T>>(&self, x: &mut [S], rows: &mut [S]) {
        let (parts, most) = (&self.parts.all, self.nodes.most_rows());
        let (below, top) = x.split_at_mut(self.parts.top_start);
        for part in parts {
            below[part.places.clone()][part.columns.len()..].fill(S::ZERO);
        }
        self.in_parts(0..parts.len(), below, rows, false);
        for part in parts {
            let known = &below[part.places.clone()][part.columns.len()..];
            part.reached.iter().zip(known).for_each(|(&k, v)| top[k as usize] = top[k as usize].plus(*v));
        }
        widest(Way { of: self, part: parts.len(), back: false, x: top, rows: &mut rows[..most] });
        widest(Way { of: self, part: parts.len(), back: true, x: top, rows: &mut rows[..most] });
        for part in parts {
            let known = &mut below[part.places.clone()][part.columns.len()..];
            part.reached.iter().zip(known).for_each(|(&k, v)| *v = top[k as usize]);
        }
        self.in_parts(0..parts.len(), below, rows, true);
    }

    /// Processes some parts in parallel, in memory that begins with that of the first.
    fn in_parts<S: Sides<T>>(&self, parts: std::ops::Range<usize>, x: &mut [S], rows: &mut [S], back: bool) {
        match parts.len() {
            0 => {}
            1 => {
                let part = parts.start;
                let rows = &mut rows[..self.nodes.most_rows()];
                widest(Way { of: self, part, back, x: &mut x[..self.parts.all[part].places.len()], rows });
            }
            count => {
                let middle = parts.start + count / 2;
                let [start, cut] = [parts.start, middle].map(|k| self.parts.all[k].places.start);
                let (x, far_x) = x.split_at_mut(cut - start);
                let (rows, far_rows) = rows.split_at_mut(count / 2 * self.nodes.most_rows());
                rayon::join(
                    || self.in_parts(parts.start..middle, x, rows, back),
                    || self.in_parts(middle..parts.end, far_x, far_rows, back),
                );
            }
        }
    }
}

/// One pass over the supernodes of a part, or of the top.
struct Way<'a, T, S> {
    of: &'a Triangles<'a, T>,
    /// The part; the top comes after the last.
    part: usize,
    back: bool,
    /// The right-hand sides by slots, then the solutions.
    x: &'a mut [S],
    rows: &'a mut [S],
}

/// A supernode, and its values.
struct Supernode<'a, T, S> {
    /// The slots of its columns.
    from: usize,
    to: usize,
    /// The slots of the rows below.
    below: &'a [u32],
    columns: &'a [T],
    inverses: &'a [T],
    v: &'a mut [S],
}

impl<T: Number, S: Sides<T>> Work for Way<'_, T, S> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let nodes = self.of.parts.nodes(self.part);
        // Loops, not closures: a closure may be compiled separately, without the wider vectors.
        if self.back {
            for &s in nodes.iter().rev() {
                self.backward(s);
            }
        } else {
            for &s in nodes {
                self.forward(s);
            }
        }
    }
}

impl<T: Number, S: Sides<T>> Way<'_, T, S> {
    #[inline(always)]
    fn supernode(&mut self, s: usize) -> (Supernode<'_, T, S>, &mut [S]) {
        let Triangles { nodes, parts, factor, inverses } = *self.of;
        let columns = nodes.columns(s);
        let below = &parts.slots[nodes.below_range(s)];
        let from = parts.firsts[s] as usize;
        let supernode = Supernode {
            from,
            to: from + columns.len(),
            below,
            columns: &factor[nodes.values(s)],
            inverses: &inverses[columns.clone()],
            v: &mut self.rows[..columns.len() + below.len()],
        };
        (supernode, self.x)
    }

    /// L y = x for the columns of a supernode, and their contribution to the rows below.
    #[inline(always)]
    fn forward(&mut self, s: usize) {
        let (mut node, x) = self.supernode(s);
        let width = node.to - node.from;
        node.v[..width].copy_from_slice(&x[node.from..node.to]);
        node.v[width..].fill(S::ZERO);
        let mut j = 0;
        while j + TOGETHER <= width {
            node.take::<TOGETHER>(j);
            j += TOGETHER;
        }
        match width - j {
            0 => {}
            1 => node.take::<1>(j),
            2 => node.take::<2>(j),
            _ => node.take::<3>(j),
        }
        x[node.from..node.to].copy_from_slice(&node.v[..width]);
        for (&row, v) in node.below.iter().zip(&node.v[width..]) {
            x[row as usize] = x[row as usize].plus(*v);
        }
    }

    /// L^T y = x for the columns of a supernode.
    #[inline(always)]
    fn backward(&mut self, s: usize) {
        let (mut node, x) = self.supernode(s);
        let width = node.to - node.from;
        node.v[..width].copy_from_slice(&x[node.from..node.to]);
        node.v[width..].iter_mut().zip(node.below).for_each(|(v, &row)| *v = x[row as usize]);
        let whole = width / TOGETHER * TOGETHER;
        match width - whole {
            0 => {}
            1 => node.gather::<1>(whole),
            2 => node.gather::<2>(whole),
            _ => node.gather::<3>(whole),
        }
        for group in (0..width / TOGETHER).rev() {
            node.gather::<TOGETHER>(group * TOGETHER);
        }
        x[node.from..node.to].copy_from_slice(&node.v[..width]);
    }
}

impl<T: Number, S: Sides<T>> Supernode<'_, T, S> {
    /// Solves for `N` columns from the j-th on, and subtracts them from the rows below.
    #[inline(always)]
    fn take<const N: usize>(&mut self, j: usize) {
        let (own, further) = columns_from::<T, N>(self.columns, self.v.len(), j);
        let (known, rest) = self.v[j..].split_at_mut(N);
        let mut y = [S::ZERO; N];
        for c in 0..N {
            let left = (0..c).fold(known[c], |left, b| left.less(own[b][c], y[b]));
            y[c] = left.times(self.inverses[j + c]);
        }
        known.copy_from_slice(&y);
        for (k, v) in rest.iter_mut().enumerate() {
            let mut taken = y[0].times(further[0][k]);
            for c in 1..N {
                taken = taken.more(further[c][k], y[c]);
            }
            *v = v.minus(taken);
        }
    }

    /// Solves for `N` columns from the j-th on, given the rows below.
    #[inline(always)]
    fn gather<const N: usize>(&mut self, j: usize) {
        let (own, further) = columns_from::<T, N>(self.columns, self.v.len(), j);
        let (known, rest) = self.v[j..].split_at_mut(N);
        let sums = S::products(&further, rest);
        for c in (0..N).rev() {
            let left = known[c].minus(sums[c]);
            known[c] = (c + 1..N).fold(left, |x, b| x.less(own[c][b], known[b])).times(self.inverses[j + c]);
        }
    }
}

/// The entry of one unknown: a number per right-hand side.
pub(super) trait Sides<T>: Copy + Send {
    const ZERO: Self;
    /// self factor.
    fn times(self, factor: T) -> Self;
    /// self + other.
    fn plus(self, other: Self) -> Self;
    /// self + factor other.
    fn more(self, factor: T, other: Self) -> Self;
    /// self - other.
    fn minus(self, other: Self) -> Self;
    /// self - factor other.
    fn less(self, factor: T, other: Self) -> Self;
    /// The products of columns with known values.
    fn products<const N: usize>(columns: &[&[T]; N], known: &[Self]) -> [Self; N];
}

impl<T: Lanes> Sides<T> for T {
    const ZERO: T = T::ZERO;

    #[inline(always)]
    fn times(self, factor: T) -> T {
        self * factor
    }

    #[inline(always)]
    fn plus(self, other: T) -> T {
        self + other
    }

    #[inline(always)]
    fn more(self, factor: T, other: T) -> T {
        self + factor * other
    }

    #[inline(always)]
    fn minus(self, other: T) -> T {
        self - other
    }

    #[inline(always)]
    fn less(self, factor: T, other: T) -> T {
        self - factor * other
    }

    #[inline(always)]
    fn products<const N: usize>(columns: &[&[T]; N], known: &[T]) -> [T; N] {
        T::products_of(columns, known)
    }
}

/// Numbers, and how many independent partial sums of them fill a register.
pub(super) trait Lanes: Number {
    fn products_of<const N: usize>(columns: &[&[Self]; N], known: &[Self]) -> [Self; N];
}

impl Lanes for f64 {
    #[inline(always)]
    fn products_of<const N: usize>(columns: &[&[f64]; N], known: &[f64]) -> [f64; N] {
        products::<f64, 4, N>(columns, known)
    }
}

impl Lanes for f32 {
    #[inline(always)]
    fn products_of<const N: usize>(columns: &[&[f32]; N], known: &[f32]) -> [f32; N] {
        products::<f32, 8, N>(columns, known)
    }
}

/// The products of columns with known values.
#[inline(always)]
fn products<T: Number, const LANES: usize, const N: usize>(columns: &[&[T]; N], known: &[T]) -> [T; N] {
    let (strips, left) = known.as_chunks::<LANES>();
    let mut sums = [[T::ZERO; LANES]; N];
    for (k, v) in strips.iter().enumerate() {
        for c in 0..N {
            let column = &columns[c][k * LANES..(k + 1) * LANES];
            for lane in 0..LANES {
                sums[c][lane] += column[lane] * v[lane];
            }
        }
    }
    let mut products = [T::ZERO; N];
    for c in 0..N {
        // In pairs, and pairs of those.
        let mut count = LANES;
        while count > 1 {
            count /= 2;
            for lane in 0..count {
                sums[c][lane] = sums[c][2 * lane] + sums[c][2 * lane + 1];
            }
        }
        let mut end = T::ZERO;
        for (l, v) in columns[c][strips.len() * LANES..].iter().zip(left) {
            end += *l * *v;
        }
        products[c] = sums[c][0] + end;
    }
    products
}

impl<T: Number, const M: usize> Sides<T> for [T; M] {
    const ZERO: Self = [T::ZERO; M];

    #[inline(always)]
    fn times(self, factor: T) -> Self {
        self.map(|x| x * factor)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|m| self[m] + other[m])
    }

    #[inline(always)]
    fn more(self, factor: T, other: Self) -> Self {
        std::array::from_fn(|m| self[m] + factor * other[m])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|m| self[m] - other[m])
    }

    #[inline(always)]
    fn less(self, factor: T, other: Self) -> Self {
        std::array::from_fn(|m| self[m] - factor * other[m])
    }

    #[inline(always)]
    fn products<const N: usize>(columns: &[&[T]; N], known: &[Self]) -> [Self; N] {
        let mut sums = [Self::ZERO; N];
        for (k, v) in known.iter().enumerate() {
            for c in 0..N {
                sums[c] = sums[c].more(columns[c][k], *v);
            }
        }
        sums
    }
}

/// `N` columns of a supernode from the j-th on: their own rows, and those further down.
#[inline(always)]
fn columns_from<T, const N: usize>(columns: &[T], height: usize, j: usize) -> ([&[T]; N], [&[T]; N]) {
    let column = |c: usize| &columns[(j + c) * height + j..(j + c + 1) * height];
    (std::array::from_fn(|c| &column(c)[..N]), std::array::from_fn(|c| &column(c)[N..]))
}
