//! What is left of a matrix when constrained unknowns are eliminated, its terms found once and summed as often as needed.

use crate::error::Result;
use crate::linalg::eliminate::{Elimination, check_growth};
use crate::math::Real;
use rayon::prelude::*;
use sprs::CsMat;

/// One term of an entry of `Z^T H Z`: an entry of `H` times two entries of `Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    column: u32,
    entry: u32,
    left: u32,
    right: u32,
}

/// `R Z^T H Z R` as sums of terms in a fixed order; R is the diagonal matrix that makes its diagonal 1.
pub(crate) struct Reduction {
    pub(crate) matrix: CsMat<Real>,
    starts: Vec<u32>,
    terms: Vec<Term>,
    /// Where the diagonal is in the matrix; `usize::MAX` when the pattern lacks it.
    pub(crate) diagonal: Vec<usize>,
    /// Whether the diagonal is all there and positive, and so is 1 now.
    pub(crate) is_unit: bool,
    /// R.
    pub(crate) roots: Vec<Real>,
    /// The row and the column of each entry.
    places: Vec<[u32; 2]>,
    /// The values of `Z`: first the 1 of the free unknowns, then `-C`.
    z: Vec<Real>,
}

impl Reduction {
    pub(crate) fn new(hessian: &CsMat<Real>, elimination: &Elimination) -> Result<Self> {
        let n = elimination.free().len();
        // Counted by the product of the lengths first: visiting the terms of a row over everything would take forever.
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
        let (mut starts, mut columns, mut ends, mut places) =
            (Vec::new(), Vec::new(), vec![0; n + 1], Vec::new());
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
                    places.push([row as u32, terms[k].column]);
                }
            }
            ends[row + 1] = columns.len();
        }
        starts.push(total as u32);
        let values = vec![0.0; columns.len()];
        let matrix = CsMat::new((n, n), ends, columns, values);
        let z = vec![1.0; 1 + elimination.couplings().1.len()];
        Ok(Reduction { matrix, starts, terms, diagonal, is_unit: false, roots: vec![1.0; n], places, z })
    }

    pub(crate) fn fill(&mut self, hessian: &CsMat<Real>, elimination: &Elimination) {
        self.z[1..].iter_mut().zip(elimination.couplings().1).for_each(|(z, c)| *z = -c);
        let (h, z, terms, starts) = (hessian.data(), &self.z, &self.terms, &self.starts);
        // Without couplings every entry is one of the given matrix.
        let plain = z.len() == 1;
        let entry = |k: usize| -> Real {
            if plain {
                return h[terms[k].entry as usize];
            }
            let terms = &terms[starts[k] as usize..starts[k + 1] as usize];
            terms.iter().map(|t| h[t.entry as usize] * z[t.left as usize] * z[t.right as usize]).sum()
        };
        self.roots.par_iter_mut().with_min_len(4096).zip(&self.diagonal).for_each(|(root, &k)| {
            let size = if k == usize::MAX { 0.0 } else { entry(k) };
            *root = if size > 0.0 { 1.0 / size.sqrt() } else { Real::INFINITY };
        });
        self.is_unit = self.roots.iter().all(|root| root.is_finite());
        if !self.is_unit {
            // For the factor to refuse.
            self.roots.fill(1.0);
        }
        let (roots, places) = (&self.roots, &self.places);
        self.matrix.data_mut().par_iter_mut().with_min_len(4096).enumerate().for_each(|(k, value)| {
            let [row, column] = places[k];
            *value = entry(k) * roots[row as usize] * roots[column as usize];
        });
    }
}

/// Visits every term with its row.
fn each_term(hessian: &CsMat<Real>, elimination: &Elimination, visit: &mut dyn FnMut(usize, Term)) {
    let free = elimination.couplings().0;
    // An unknown's free unknowns and their places in `z`.
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
                for (b, right) in spread(j) {
                    visit(a, Term { column: b as u32, entry, left, right });
                }
            }
            entry += 1;
        }
    }
}
