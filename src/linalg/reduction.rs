//! The reduced matrix after eliminating constrained unknowns; its terms are found once and summed as often as needed.

use crate::eliminate::{Elimination, check_growth};
use sinew_base::error::Result;
use sinew_math::Real;
use sprs::CsMat;

/// One term of an entry of `Z^T H Z`: an entry of `H` times two entries of `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    column: u32,
    entry: u32,
    left: u32,
    right: u32,
}

/// The lower triangle of `R Z^T H Z R` as sums of terms in a fixed order; R is the diagonal matrix that makes its
/// diagonal 1.
pub struct Reduction {
    pub matrix: CsMat<Real>,
    /// Row ends, starting with 0, and columns, in half the memory that the matrix needs for them.
    ends: Vec<u32>,
    columns: Vec<u32>,
    /// The first row of each group, and the end: see [`Group`].
    groups: Vec<u32>,
    starts: Vec<u32>,
    terms: Vec<Term>,
    /// The index of each row's diagonal in the matrix, at the end of the row; `usize::MAX` if the pattern lacks it.
    diagonal: Vec<usize>,
    /// Whether the diagonal is complete and positive, and so scaled to 1.
    pub is_unit: bool,
    /// R.
    pub roots: Vec<Real>,
    /// If each entry is a single term with factor 1, its index in `H`; the terms are then not needed.
    sources: Vec<u32>,
    /// The values of `Z`: first the 1 of the free unknowns, then `-C`.
    z: Vec<Real>,
}

/// The strict lower triangle in one row, or in two whose columns are the same except for the first of them, as is
/// usual for the two unknowns of a vertex: processed together, they take one loop.
pub enum Group<'a> {
    /// The row, its columns and its values.
    One(usize, &'a [u32], &'a [Real]),
    /// The first row, the columns, the values of both rows there, and that of the second in the first one's column.
    Two(usize, &'a [u32], [&'a [Real]; 2], Real),
}

impl Reduction {
    pub fn new(hessian: &CsMat<Real>, elimination: &Elimination) -> Result<Self> {
        let n = elimination.free().len();
        // Counted by the product of the lengths first: visiting the terms of a row over all unknowns would take
        // forever.
        let length = |j| elimination.place(j).map_or(1, |range| range.len());
        let bound = hessian.iter().map(|(_, (i, j))| length(i) * length(j)).sum();
        check_growth(bound, hessian.nnz())?;
        let mut counts = vec![0usize; n + 1];
        each_term(hessian, elimination, &mut |row, _| counts[row + 1] += 1);
        for row in 0..n {
            counts[row + 1] += counts[row];
        }
        let total = counts[n];
        let mut terms = vec![Term { column: 0, entry: 0, left: 0, right: 0 }; total];
        let mut next = counts.clone();
        each_term(hessian, elimination, &mut |row, term| {
            terms[next[row]] = term;
            next[row] += 1;
        });
        let (mut starts, mut columns, mut ends) = (Vec::new(), Vec::new(), vec![0; n + 1]);
        let mut diagonal = vec![usize::MAX; n];
        for row in 0..n {
            terms[counts[row]..counts[row + 1]].sort_unstable();
            for k in counts[row]..counts[row + 1] {
                if k == counts[row] || terms[k - 1].column != terms[k].column {
                    if terms[k].column as usize == row {
                        diagonal[row] = columns.len();
                    }
                    starts.push(k as u32);
                    columns.push(terms[k].column as usize);
                }
            }
            ends[row + 1] = columns.len();
        }
        starts.push(total as u32);
        let narrow = |all: &[usize]| all.iter().map(|&k| k as u32).collect();
        let (short_ends, short_columns) = (narrow(&ends), narrow(&columns));
        let groups = group(&ends, &columns);
        let values = vec![0.0; columns.len()];
        let matrix = CsMat::new((n, n), ends, columns, values);
        let z = vec![1.0; 1 + elimination.couplings().1.len()];
        let sources: Vec<u32> = match z.len() {
            1 => std::mem::take(&mut terms).iter().map(|term| term.entry).collect(),
            _ => Vec::new(),
        };
        Ok(Reduction {
            matrix,
            ends: short_ends,
            columns: short_columns,
            groups,
            starts,
            terms,
            diagonal,
            is_unit: false,
            roots: vec![1.0; n],
            sources,
            z,
        })
    }

    /// The strict triangle, if the diagonal is complete.
    #[inline(always)]
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = Group<'_>> {
        let (ends, columns, values) = (&self.ends, &self.columns, self.matrix.data());
        self.groups.windows(2).map(move |group| {
            let row = group[0] as usize;
            let first = ends[row] as usize..(ends[row + 1] as usize).saturating_sub(1);
            if group[1] - group[0] == 1 {
                return Group::One(row, &columns[first.clone()], &values[first]);
            }
            let (start, between) = (first.end + 1, first.end + 1 + first.len());
            let both = [&values[first.clone()], &values[start..between]];
            Group::Two(row, &columns[first], both, values[between])
        })
    }

    pub fn fill(&mut self, hessian: &CsMat<Real>, elimination: &Elimination) {
        self.z[1..].iter_mut().zip(elimination.couplings().1).for_each(|(z, c)| *z = -c);
        let h = hessian.data();
        let Reduction { matrix, ends, columns, starts, terms, diagonal, roots, sources, z, .. } = self;
        let (values, pattern) = (matrix.data_mut(), [&ends[..], columns]);
        self.is_unit = if sources.is_empty() {
            scaled(values, pattern, diagonal, roots, |k| {
                let terms = &terms[starts[k] as usize..starts[k + 1] as usize];
                terms.iter().map(|t| h[t.entry as usize] * z[t.left as usize] * z[t.right as usize]).sum()
            })
        } else {
            scaled(values, pattern, diagonal, roots, |k| h[sources[k] as usize])
        };
    }
}

/// The first rows of groups, and the end.
fn group(ends: &[usize], columns: &[usize]) -> Vec<u32> {
    let rows = ends.len() - 1;
    let row = |i: usize| &columns[ends[i]..ends[i + 1]];
    let (mut groups, mut next) = (Vec::new(), 0);
    while next < rows {
        groups.push(next as u32);
        // A row that ends with the diagonal is followed by one with the same columns and its own diagonal.
        let two = next + 1 < rows
            && row(next).last() == Some(&next)
            && row(next + 1).split_last() == Some((&(next + 1), row(next)));
        next += 1 + usize::from(two);
    }
    groups.push(rows as u32);
    groups
}

/// Fills a matrix and scales its diagonal to 1; returns whether that was possible.
fn scaled(
    values: &mut [Real],
    [ends, columns]: [&[u32]; 2],
    diagonal: &[usize],
    roots: &mut [Real],
    entry: impl Fn(usize) -> Real,
) -> bool {
    for (root, &k) in roots.iter_mut().zip(diagonal) {
        let size = if k == usize::MAX { 0.0 } else { entry(k) };
        *root = if size > 0.0 { 1.0 / size.sqrt() } else { Real::INFINITY };
    }
    let is_unit = roots.iter().all(|root| root.is_finite());
    if !is_unit {
        // Left for the factorisation to reject.
        roots.fill(1.0);
    }
    let mut values = values.iter_mut().zip(columns).enumerate();
    for (pair, own) in ends.windows(2).zip(&*roots) {
        for (k, (value, column)) in values.by_ref().take((pair[1] - pair[0]) as usize) {
            *value = entry(k) * own * roots[*column as usize];
        }
    }
    is_unit
}

/// Visits every term of the lower triangle with its row.
fn each_term(hessian: &CsMat<Real>, elimination: &Elimination, visit: &mut dyn FnMut(usize, Term)) {
    let free = elimination.couplings().0;
    // The free unknowns that an unknown depends on, and their indices in `z`.
    let spread = |unknown: usize| {
        let (one, range) = match elimination.place(unknown) {
            Ok(range) => (None, range),
            Err(k) => (Some((k, 0)), 0..0),
        };
        one.into_iter().chain(range.map(|c| (free[c], c as u32 + 1)))
    };
    let mut entry = 0;
    for (i, row) in hessian.outer_iterator().enumerate() {
        for &j in row.indices() {
            for (a, left) in spread(i) {
                for (b, right) in spread(j).filter(|(b, _)| *b <= a) {
                    visit(a, Term { column: b as u32, entry, left, right });
                }
            }
            entry += 1;
        }
    }
}
