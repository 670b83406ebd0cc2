//! Sums small element matrices into one sparse symmetric-pattern matrix, with the same bits at any thread count.
//!
//! Elements are computed in parallel into a buffer, each in its own slot; then every nonzero gathers its
//! contributions in the order of the elements. No sum depends on which thread was first.

use crate::error::{Error, Kind, Result};
use crate::math::Real;
use rayon::prelude::*;
use sprs::CsMat;

/// The pattern of a matrix and where each element's entries go.
pub struct Assembly {
    matrix: CsMat<Real>,
    /// First slot of each element in `buffer`, and the end.
    slots: Vec<usize>,
    buffer: Vec<Real>,
    /// First contribution of each nonzero in `gather`, and the end.
    starts: Vec<usize>,
    gather: Vec<usize>,
}

impl Assembly {
    /// The pattern of a matrix of `n` unknowns where each element couples the unknowns that it lists.
    pub fn new(n: usize, elements: &[Vec<usize>]) -> Result<Self> {
        let mut slots = vec![0];
        let mut entries = Vec::new();
        for (e, dofs) in elements.iter().enumerate() {
            if let Some(bad) = dofs.iter().find(|&&d| d >= n) {
                let text = format!("element {e} names unknown {bad} of {n}");
                return Err(Error::new(Kind::OutOfRange, text));
            }
            let mut slot = slots[e];
            for &row in dofs {
                for &column in dofs {
                    entries.push((row, column, slot));
                    slot += 1;
                }
            }
            slots.push(slot);
        }
        entries.sort_unstable();
        let (mut starts, mut columns, mut rows) = (Vec::new(), Vec::new(), vec![0; n + 1]);
        for (k, &(row, column, _)) in entries.iter().enumerate() {
            if k == 0 || (entries[k - 1].0, entries[k - 1].1) != (row, column) {
                starts.push(k);
                columns.push(column);
                rows[row + 1] += 1;
            }
        }
        starts.push(entries.len());
        for row in 0..n {
            rows[row + 1] += rows[row];
        }
        let values = vec![0.0; columns.len()];
        let matrix = CsMat::new((n, n), rows, columns, values);
        let buffer = vec![0.0; entries.len()];
        Ok(Assembly { matrix, slots, buffer, starts, gather: entries.iter().map(|e| e.2).collect() })
    }

    /// The matrix as last filled; zeros before.
    pub fn matrix(&self) -> &CsMat<Real> {
        &self.matrix
    }

    /// Calls `compute(element, block)` for each element in parallel (`block` is zeroed, by rows) and sums.
    pub fn fill(&mut self, compute: impl Fn(usize, &mut [Real]) + Sync) -> &CsMat<Real> {
        let mut rest = self.buffer.as_mut_slice();
        let mut blocks = Vec::with_capacity(self.slots.len());
        for pair in self.slots.windows(2) {
            let (block, tail) = rest.split_at_mut(pair[1] - pair[0]);
            blocks.push(block);
            rest = tail;
        }
        blocks.into_par_iter().enumerate().for_each(|(e, block)| {
            block.fill(0.0);
            compute(e, block);
        });
        let (buffer, starts, gather) = (&self.buffer, &self.starts, &self.gather);
        self.matrix.data_mut().par_iter_mut().enumerate().for_each(|(k, value)| {
            *value = gather[starts[k]..starts[k + 1]].iter().map(|&slot| buffer[slot]).sum();
        });
        &self.matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_a_dense_sum_with_the_same_bits_at_any_thread_count() {
        let n = 60;
        let elements: Vec<Vec<usize>> = (0..n).map(|e| vec![e, (e * 7 + 1) % n, (e + 2) % n]).collect();
        let value = |e: usize, k: usize| 1.0 / (1.0 + (e * 9 + k) as Real);
        let mut dense = vec![0.0; n * n];
        for (e, dofs) in elements.iter().enumerate() {
            for k in 0..9 {
                dense[dofs[k / 3] * n + dofs[k % 3]] += value(e, k);
            }
        }
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut assembly = Assembly::new(n, &elements).unwrap();
            pool.install(|| assembly.fill(|e, b| (0..9).for_each(|k| b[k] = value(e, k))));
            let matrix = assembly.matrix();
            for (k, &expected) in dense.iter().enumerate() {
                let got = matrix.get(k / n, k % n).copied().unwrap_or(0.0);
                assert_eq!(got.to_bits(), expected.to_bits());
            }
        }
    }

    #[test]
    fn an_unknown_out_of_range_is_named() {
        let error = Assembly::new(2, &[vec![0, 2]]).err().unwrap();
        assert_eq!(error.kind(), Kind::OutOfRange);
    }
}
