//! Sums small element matrices and vectors into one sparse matrix and one gradient, with the same bits at any thread
//! count.
//!
//! Elements are computed in parallel into a buffer, each in its own slots; then every nonzero gathers its
//! contributions in the order of the elements. No sum depends on thread timing. Nothing is allocated after set-up.

use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, all_finite};
use sprs::CsMat;
use std::iter::Sum;

/// Slots below which a task is not split further: enough arithmetic to pay for handing it to another thread.
const TASK_SLOTS: usize = 4096;
/// Sums below which a gathering task is not split further; a sum is a few loads.
const TASK_SUMS: usize = 2048;

/// If fewer than one in this many elements is wanted, they are filled one by one, and only their entries are summed.
const FEW: usize = 4;

/// Up to this many slots one thread sums faster than several can be woken.
const SCATTERED: usize = 1 << 15;

/// The stiffening factor that counts as fixed: far below 1 / round-off, so that the factorisation keeps its digits.
const STIFF: Real = 1e7;

/// Which slots of a buffer are summed into each entry of a result, in the order of the elements.
pub struct Gather {
    /// First contribution of each entry in `slots`, and the end.
    starts: Vec<u32>,
    slots: Vec<u32>,
}

impl Gather {
    /// For each of `n` unknowns, the slots of the elements that list it, one slot for each unknown that they list; by
    /// counting sort, so that elements stay in order.
    pub fn new<E: AsRef<[usize]>>(n: usize, elements: &[E]) -> Self {
        let mut starts = vec![0u32; n + 1];
        let unknowns = || elements.iter().flat_map(|dofs| dofs.as_ref().iter().copied());
        for d in unknowns() {
            starts[d + 1] += 1;
        }
        for d in 0..n {
            starts[d + 1] += starts[d];
        }
        let mut next = starts.clone();
        let mut slots = vec![0; starts[n] as usize];
        for (slot, d) in unknowns().enumerate() {
            slots[next[d] as usize] = slot as u32;
            next[d] += 1;
        }
        Gather { starts, slots }
    }

    /// The slots of an unknown.
    pub fn slots(&self, unknown: usize) -> &[u32] {
        &self.slots[self.starts[unknown] as usize..self.starts[unknown + 1] as usize]
    }

    /// The sums, in parallel.
    pub fn sum<T: Copy + Send + Sync + Sum>(&self, buffer: &[T], out: &mut [T]) {
        let sums = out.par_iter_mut().with_min_len(TASK_SUMS).enumerate();
        sums.for_each(|(k, value)| *value = self.sum_of(k, buffer));
    }

    /// The sum of one unknown.
    #[inline]
    fn sum_of<T: Copy + Sum>(&self, unknown: usize, buffer: &[T]) -> T {
        self.slots(unknown).iter().map(|&slot| buffer[slot as usize]).sum()
    }
}

/// The format of element blocks, and of the matrix kept from their sum.
#[derive(Clone, Copy)]
struct Form {
    /// Whether blocks are symmetric and given as the rows of their upper triangles.
    halves: bool,
    /// Whether only the lower triangle of the sum is kept.
    lower: bool,
}

impl Form {
    /// The number of entries of a block of `n` unknowns.
    fn block(self, n: usize) -> usize {
        if self.halves { n * (n + 1) / 2 } else { n * n }
    }

    /// The index of an entry in such a block.
    fn entry(self, n: usize, row: usize, column: usize) -> usize {
        if self.halves { in_half(n, row, column) } else { row * n + column }
    }
}

/// The index of an entry of a symmetric block of `n` unknowns in its upper triangle, stored by rows.
#[inline(always)]
pub fn in_half(n: usize, row: usize, column: usize) -> usize {
    let (low, high) = (row.min(column), row.max(column));
    low * (2 * n - low - 1) / 2 + high
}

/// The pattern of a matrix, and where the entries of each element go.
pub struct Assembly {
    matrix: CsMat<Real>,
    /// First entry of each element's block in `blocks`, and the end.
    block_starts: Vec<usize>,
    /// First entry of each element's vector in `vectors`, and the end.
    vector_starts: Vec<usize>,
    blocks: Vec<Real>,
    vectors: Vec<Real>,
    matrix_gather: Gather,
    vector_gather: Gather,
    /// The entry of the matrix to which each slot contributes, `u32::MAX` if it is not kept; empty unless some elements
    /// are to be filled again without the others.
    entries: Vec<u32>,
}

/// Consecutive elements, computed by one thread, and their parts of the buffers.
pub struct Run<'a> {
    /// Their range.
    pub elements: std::ops::Range<usize>,
    /// Starts of the elements' blocks and vectors; empty if that kind was not requested.
    block_starts: &'a [usize],
    vector_starts: &'a [usize],
    blocks: &'a mut [Real],
    vectors: &'a mut [Real],
}

impl Run<'_> {
    fn start(starts: &[usize], element: usize) -> usize {
        starts.get(element).copied().unwrap_or(0)
    }

    /// The range of an element in a buffer.
    #[inline]
    fn part(&self, starts: &[usize], element: usize) -> std::ops::Range<usize> {
        let first = Self::start(starts, self.elements.start);
        Self::start(starts, element) - first..Self::start(starts, element + 1) - first
    }

    /// The block of an element, with its previous contents; empty if blocks were not requested.
    #[inline]
    pub fn block(&mut self, element: usize) -> &mut [Real] {
        let part = self.part(self.block_starts, element);
        &mut self.blocks[part]
    }

    /// The block and the vector of an element, likewise.
    #[inline]
    pub fn both(&mut self, element: usize) -> (&mut [Real], &mut [Real]) {
        let [block, vector] =
            [self.block_starts, self.vector_starts].map(|starts| self.part(starts, element));
        (&mut self.blocks[block], &mut self.vectors[vector])
    }

    /// Computes the elements one after the other, into zeroed memory.
    fn each(&mut self, compute: &impl Fn(usize, &mut [Real], &mut [Real])) {
        self.each_of(&|_| true, compute);
    }

    /// The same for the wanted elements only; the others keep their values.
    fn each_of(
        &mut self,
        wanted: &impl Fn(usize) -> bool,
        compute: &impl Fn(usize, &mut [Real], &mut [Real]),
    ) {
        for e in self.elements.clone().filter(|&e| wanted(e)) {
            let (block, vector) = self.both(e);
            compute_into(e, compute, block, vector);
        }
    }

    /// The slots before an element, by which the two halves are balanced.
    fn slots_before(&self, element: usize) -> usize {
        Self::start(self.block_starts, element) + Self::start(self.vector_starts, element)
    }

    /// Computes every element, halves in parallel; returns the first element with a value that is not finite.
    fn compute(self, compute: &(impl Fn(&mut Run) + Sync)) -> Option<usize> {
        let (first, end) = (self.elements.start, self.elements.end);
        let (low, high) = (self.slots_before(first), self.slots_before(end));
        if high - low <= TASK_SLOTS || end - first < 2 {
            return self.compute_here(compute);
        }
        // The element that contains the middle slot; at least one element stays on each side.
        let (mut a, mut b) = (first + 1, end - 1);
        while a < b {
            let middle = usize::midpoint(a, b);
            if self.slots_before(middle) < usize::midpoint(low, high) { a = middle + 1 } else { b = middle }
        }
        let blocks_left = Self::start(self.block_starts, a) - Self::start(self.block_starts, first);
        let vectors_left = Self::start(self.vector_starts, a) - Self::start(self.vector_starts, first);
        let (block_left, block_right) = self.blocks.split_at_mut(blocks_left);
        let (vector_left, vector_right) = self.vectors.split_at_mut(vectors_left);
        let starts = (self.block_starts, self.vector_starts);
        let run = |elements, blocks, vectors| Run {
            elements,
            block_starts: starts.0,
            vector_starts: starts.1,
            blocks,
            vectors,
        };
        let (left, right) = (run(first..a, block_left, vector_left), run(a..end, block_right, vector_right));
        let (left, right) = rayon::join(|| left.compute(compute), || right.compute(compute));
        left.or(right)
    }

    fn compute_here(mut self, compute: &impl Fn(&mut Run)) -> Option<usize> {
        compute(&mut self);
        // While the values are still in cache.
        if all_finite(self.blocks) && all_finite(self.vectors) {
            return None;
        }
        let [blocks, vectors] = [self.block_starts, self.vector_starts];
        let sound = |e: usize| {
            all_finite(&self.blocks[self.part(blocks, e)]) && all_finite(&self.vectors[self.part(vectors, e)])
        };
        self.elements.clone().find(|&e| !sound(e))
    }
}

impl Assembly {
    /// The pattern of a matrix of `n` unknowns in which each element couples the unknowns that it lists.
    pub fn new<E: AsRef<[usize]>>(n: usize, elements: &[E]) -> Result<Self> {
        Assembly::of_form(n, elements, Form { halves: false, lower: false })
    }

    /// [`Assembly::new`] for elements whose blocks are symmetric and given as upper triangles by rows.
    pub fn of_halves<E: AsRef<[usize]>>(n: usize, elements: &[E]) -> Result<Self> {
        Assembly::of_form(n, elements, Form { halves: true, lower: false })
    }

    /// [`Assembly::of_halves`] that keeps only the lower triangle of the sum, which is enough for a Cholesky factor.
    pub fn of_halves_lower<E: AsRef<[usize]>>(n: usize, elements: &[E]) -> Result<Self> {
        Assembly::of_form(n, elements, Form { halves: true, lower: true })
    }

    /// [`Assembly::of_halves_lower`], prepared for [`Assembly::fill_both_of`] of a few elements: only they are computed
    /// and checked, and only the entries to which they contribute are summed again.
    pub fn refillable<E: AsRef<[usize]>>(n: usize, elements: &[E]) -> Result<Self> {
        let mut assembly = Assembly::of_halves_lower(n, elements)?;
        let mut entries = vec![u32::MAX; assembly.blocks.len()];
        for entry in 0..assembly.matrix.nnz() {
            // Of a symmetric pair only one entry is kept, so that each slot has one.
            let slots = assembly.matrix_gather.slots(entry);
            slots.iter().for_each(|&slot| entries[slot as usize] = entry as u32);
        }
        assembly.entries = entries;
        Ok(assembly)
    }

    fn of_form<E: AsRef<[usize]>>(n: usize, elements: &[E], form: Form) -> Result<Self> {
        let (mut block_starts, mut vector_starts) = (vec![0], vec![0]);
        for (e, dofs) in elements.iter().enumerate() {
            let dofs = dofs.as_ref();
            if let Some(bad) = dofs.iter().find(|&&d| d >= n) {
                let text = format!("element {e} refers to unknown {bad} of {n}");
                return Err(Error::new(Kind::OutOfRange, text));
            }
            block_starts.push(block_starts[e] + form.block(dofs.len()));
            vector_starts.push(vector_starts[e] + dofs.len());
        }
        let slots = block_starts[elements.len()];
        if slots.max(n) > u32::MAX as usize {
            return Err(Error::new(
                Kind::TooLarge,
                format!("{slots} element entries; the limit is 2^32 - 1"),
            ));
        }
        let vector_gather = Gather::new(n, elements);
        let starts = [&block_starts[..], &vector_starts];
        let (matrix, matrix_gather) = gather_blocks(n, elements, starts, &vector_gather, form);
        let (blocks, vectors) = (vec![0.0; slots], vec![0.0; vector_starts[elements.len()]]);
        Ok(Assembly {
            matrix,
            block_starts,
            vector_starts,
            blocks,
            vectors,
            matrix_gather,
            vector_gather,
            entries: Vec::new(),
        })
    }

    /// The matrix as last filled; zero before that.
    pub fn matrix(&self) -> &CsMat<Real> {
        &self.matrix
    }

    /// Calls `compute(element, block)` for each element in parallel (`block` is zeroed, stored by rows) and sums.
    ///
    /// If an element yields a value that is not finite, the error names the first such element and the matrix is left
    /// unchanged.
    pub fn fill(&mut self, compute: impl Fn(usize, &mut [Real]) + Sync) -> Result<&CsMat<Real>> {
        self.fill_runs(|run| run.each(&|e, block, _| compute(e, block)))
    }

    /// [`Assembly::fill`] for runs of elements at once: `compute` must set their whole blocks.
    pub fn fill_runs(&mut self, compute: impl Fn(&mut Run) + Sync) -> Result<&CsMat<Real>> {
        self.run(true, false, &compute)?;
        self.matrix_gather.sum(&self.blocks, self.matrix.data_mut());
        Ok(&self.matrix)
    }

    /// Calls `compute(element, vector)` for each element in parallel (`vector` is zeroed, one entry for each unknown
    /// that the element lists) and sums into `gradient`. Errors as in [`Assembly::fill`]; the matrix is left unchanged.
    pub fn fill_gradient(
        &mut self,
        gradient: &mut [Real],
        compute: impl Fn(usize, &mut [Real]) + Sync,
    ) -> Result<()> {
        self.check_length(gradient)?;
        self.run(false, true, &|run: &mut Run| run.each(&|e, _, vector| compute(e, vector)))?;
        self.vector_gather.sum(&self.vectors, gradient);
        Ok(())
    }

    /// [`Assembly::fill`] and [`Assembly::fill_gradient`] in one pass, for energies that compute both at once:
    /// `compute(element, block, vector)`.
    pub fn fill_both(
        &mut self,
        gradient: &mut [Real],
        compute: impl Fn(usize, &mut [Real], &mut [Real]) + Sync,
    ) -> Result<&CsMat<Real>> {
        self.fill_runs_of_both(gradient, |run| run.each(&compute))
    }

    /// [`Assembly::fill_both`] for some elements; the others contribute their previous values.
    pub fn fill_both_of(
        &mut self,
        gradient: &mut [Real],
        wanted: impl Fn(usize) -> bool + Sync,
        compute: impl Fn(usize, &mut [Real], &mut [Real]) + Sync,
    ) -> Result<&CsMat<Real>> {
        let count = self.block_starts.len() - 1;
        let few = FEW * (0..count).filter(|&e| wanted(e)).count() < count;
        if !few || self.entries.is_empty() {
            return self.fill_runs_of_both(gradient, |run| run.each_of(&wanted, &compute));
        }
        self.check_length(gradient)?;
        for e in (0..count).filter(|&e| wanted(e)) {
            let block = &mut self.blocks[self.block_starts[e]..self.block_starts[e + 1]];
            let vector = &mut self.vectors[self.vector_starts[e]..self.vector_starts[e + 1]];
            compute_into(e, &compute, block, vector);
            if !(all_finite(block) && all_finite(vector)) {
                return Err(not_finite(e));
            }
        }
        let values = self.matrix.data_mut();
        for e in (0..count).filter(|&e| wanted(e)) {
            let entries = &self.entries[self.block_starts[e]..self.block_starts[e + 1]];
            for &entry in entries.iter().filter(|entry| **entry != u32::MAX) {
                values[entry as usize] = self.matrix_gather.sum_of(entry as usize, &self.blocks);
            }
        }
        self.vector_gather.sum(&self.vectors, gradient);
        Ok(&self.matrix)
    }

    /// [`Assembly::fill_both`] for runs of elements at once: `compute` must set their whole blocks and vectors.
    pub fn fill_runs_of_both(
        &mut self,
        gradient: &mut [Real],
        compute: impl Fn(&mut Run) + Sync,
    ) -> Result<&CsMat<Real>> {
        self.check_length(gradient)?;
        self.run(true, true, &compute)?;
        self.sum_blocks();
        self.vector_gather.sum(&self.vectors, gradient);
        Ok(&self.matrix)
    }

    /// Sums the blocks: slot by slot if it is known where each goes and they are few, otherwise entry by entry in
    /// parallel. Contributions are added in the order of the elements either way.
    fn sum_blocks(&mut self) {
        let values = self.matrix.data_mut();
        if self.entries.is_empty() || self.blocks.len() > SCATTERED {
            return self.matrix_gather.sum(&self.blocks, values);
        }
        values.fill(0.0);
        for (&entry, part) in self.entries.iter().zip(&self.blocks) {
            // One that is not kept is out of range.
            if let Some(sum) = values.get_mut(entry as usize) {
                *sum += part;
            }
        }
    }

    /// The mean absolute value on the diagonal of the filled matrix.
    pub fn mean_diagonal(&self) -> Real {
        let n = self.matrix.rows();
        (0..n).map(|k| self.matrix.get(k, k).map_or(0.0, |v| v.abs())).sum::<Real>() / n.max(1) as Real
    }

    /// Fills the matrix with earlier values of its own.
    pub fn restore(&mut self, values: &[Real]) -> Result<()> {
        let own = self.matrix.data_mut();
        if own.len() != values.len() {
            let message = format!("{} numbers for a matrix of {}", values.len(), own.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        own.copy_from_slice(values);
        Ok(())
    }

    /// Makes the filled matrix too stiff to move along `direction`, which couples consecutive unknowns from `first` on:
    /// a multiple of the block's own size is added to it. The whole diagonal block must be in the pattern.
    pub fn stiffen(&mut self, first: usize, direction: &[Real]) {
        let diagonal = |k: usize| self.matrix.get(first + k, first + k).map_or(0.0, |v| v.abs());
        let size: Real = (0..direction.len()).map(diagonal).sum();
        for (row, out) in direction.iter().enumerate() {
            for (column, other) in direction.iter().enumerate() {
                if let Some(value) = self.matrix.get_mut(first + row, first + column) {
                    *value += STIFF * size * out * other;
                }
            }
        }
    }

    fn check_length(&self, gradient: &[Real]) -> Result<()> {
        let n = self.matrix.rows();
        if gradient.len() != n {
            let text = format!("a gradient of {} entries for {n} unknowns", gradient.len());
            return Err(Error::new(Kind::CountMismatch, text));
        }
        Ok(())
    }

    fn run(&mut self, matrix: bool, gradient: bool, compute: &(impl Fn(&mut Run) + Sync)) -> Result<()> {
        let run = Run {
            elements: 0..self.block_starts.len() - 1,
            block_starts: if matrix { &self.block_starts } else { &[] },
            vector_starts: if gradient { &self.vector_starts } else { &[] },
            blocks: if matrix { &mut self.blocks } else { &mut [] },
            vectors: if gradient { &mut self.vectors } else { &mut [] },
        };
        run.compute(compute).map_or(Ok(()), |e| Err(not_finite(e)))
    }
}

/// Computes an element into zeroed memory.
#[inline]
fn compute_into(
    e: usize,
    compute: &impl Fn(usize, &mut [Real], &mut [Real]),
    block: &mut [Real],
    vector: &mut [Real],
) {
    block.fill(0.0);
    vector.fill(0.0);
    compute(e, block, vector);
}

fn not_finite(element: usize) -> Error {
    Error::new(Kind::NotFinite, format!("element {element} yields a value that is not finite"))
}

/// The pattern and, for each nonzero, the slots of its contributions.
fn gather_blocks<E: AsRef<[usize]>>(
    n: usize,
    elements: &[E],
    [block_starts, vector_starts]: [&[usize]; 2],
    of_unknown: &Gather,
    form: Form,
) -> (CsMat<Real>, Gather) {
    let (mut starts, mut slots) = (Vec::new(), Vec::with_capacity(block_starts[elements.len()]));
    let (mut columns, mut rows) = (Vec::new(), vec![0; n + 1]);
    let mut entries: Vec<(usize, u32)> = Vec::new();
    for row in 0..n {
        entries.clear();
        let range = of_unknown.starts[row] as usize..of_unknown.starts[row + 1] as usize;
        for &vector_slot in &of_unknown.slots[range] {
            // The element, and the row of its block, that this vector slot belongs to. Elements without unknowns share
            // their start with the next one, so the last one that starts here is meant.
            let e = vector_starts.partition_point(|&start| start <= vector_slot as usize) - 1;
            let dofs = elements[e].as_ref();
            let own = vector_slot as usize - vector_starts[e];
            let kept = dofs.iter().enumerate().filter(|(_, column)| !form.lower || **column <= row);
            entries.extend(
                kept.map(|(k, &column)| (column, (block_starts[e] + form.entry(dofs.len(), own, k)) as u32)),
            );
        }
        entries.sort_unstable();
        for &(column, slot) in &entries {
            if columns.len() == rows[row] || *columns.last().unwrap_or(&n) != column {
                starts.push(slots.len() as u32);
                columns.push(column);
            }
            slots.push(slot);
        }
        rows[row + 1] = columns.len();
    }
    starts.push(slots.len() as u32);
    let values = vec![0.0; columns.len()];
    (CsMat::new((n, n), rows, columns, values), Gather { starts, slots })
}

#[cfg(test)]
mod tests;
