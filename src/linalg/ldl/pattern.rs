//! The sparsity pattern of a factor, from that of its matrix.

/// The strictly lower triangle of a permuted matrix by rows, with the index of each value in the matrix as given.
pub(super) struct PermutedRows {
    pub starts: Vec<u32>,
    pub columns: Vec<u32>,
    pub sources: Vec<u32>,
    /// The index of each diagonal value; `u32::MAX` if the pattern lacks it.
    pub diagonal: Vec<u32>,
}

impl PermutedRows {
    pub fn new(given_starts: &[usize], given_columns: &[usize], positions: &[usize]) -> Self {
        let n = positions.len();
        let mut rows: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        let mut diagonal = vec![u32::MAX; n];
        for i in 0..n {
            let entries = given_starts[i]..given_starts[i + 1];
            for (k, &j) in entries.clone().zip(&given_columns[entries]) {
                let (a, b) = (positions[i], positions[j]);
                if j == i {
                    diagonal[a] = k as u32;
                } else if j < i {
                    rows[a.max(b)].push((a.min(b) as u32, k as u32));
                }
            }
        }
        let mut starts = vec![0; n + 1];
        for (k, row) in rows.iter().enumerate() {
            starts[k + 1] = starts[k] + row.len() as u32;
        }
        let (columns, sources) = rows.into_iter().flatten().unzip();
        PermutedRows { starts, columns, sources, diagonal }
    }
}

/// The columns of each row of L, ascending, from the elimination tree as it grows \[Davis06 ch. 4.1\]: row k has an
/// entry at every node on the way up to k from an entry of the matrix's row.
pub(super) fn row_patterns(lower: &PermutedRows) -> (Vec<u32>, Vec<u32>) {
    let n = lower.diagonal.len();
    let (mut parents, mut seen) = (vec![usize::MAX; n], vec![usize::MAX; n]);
    let (mut starts, mut reach) = (vec![0; n + 1], Vec::new());
    for k in 0..n {
        seen[k] = k;
        let first = reach.len();
        for &column in &lower.columns[lower.starts[k] as usize..lower.starts[k + 1] as usize] {
            let mut i = column as usize;
            while seen[i] != k {
                seen[i] = k;
                reach.push(i as u32);
                if parents[i] == usize::MAX {
                    parents[i] = k;
                }
                i = parents[i];
            }
        }
        reach[first..].sort_unstable();
        starts[k + 1] = reach.len() as u32;
    }
    (starts, reach)
}

/// The same pattern by columns, rows ascending: starts and rows, and the index in it of each entry by rows.
pub(super) fn transposed(starts: &[u32], columns: &[u32]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let n = starts.len() - 1;
    let mut column_starts = vec![0; n + 1];
    columns.iter().for_each(|&column| column_starts[column as usize + 1] += 1);
    for column in 0..n {
        column_starts[column + 1] += column_starts[column];
    }
    let (mut next, mut rows) = (column_starts.clone(), vec![0; columns.len()]);
    let mut slots = Vec::with_capacity(columns.len());
    for k in 0..n {
        for &column in &columns[starts[k] as usize..starts[k + 1] as usize] {
            let slot = &mut next[column as usize];
            rows[*slot as usize] = k as u32;
            slots.push(*slot);
            *slot += 1;
        }
    }
    (column_starts, rows, slots)
}
