//! Products and sums of long vectors, with the same bits at any thread count: rows are independent, and sums run over
//! chunks of a fixed size whose results are added in order.

use rayon::prelude::*;
use sinew_math::Real;
use sprs::CsMat;

/// Entries per chunk; constant, because it decides the order of the additions.
const CHUNK: usize = 2048;
/// Entries up to which one thread is faster than waking another.
const SEQUENTIAL: usize = 4 * CHUNK;

/// `out = matrix x` for a matrix stored by rows.
///
/// # Panics
/// If the lengths do not fit the matrix or it is not stored by rows.
pub fn multiply(matrix: &CsMat<Real>, x: &[Real], out: &mut [Real]) {
    assert!(matrix.is_csr() && matrix.cols() == x.len() && matrix.rows() == out.len());
    let starts = matrix.indptr().into_raw_storage();
    let (columns, values) = (matrix.indices(), matrix.data());
    let rows = |first: usize, out: &mut [Real]| {
        for (k, value) in out.iter_mut().enumerate() {
            let row = starts[first + k]..starts[first + k + 1];
            *value = dot_row(&columns[row.clone()], &values[row], x);
        }
    };
    if out.len() <= SEQUENTIAL {
        rows(0, out);
    } else {
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(c, out)| rows(c * CHUNK, out));
    }
}

/// One entry of `matrix x`, for a matrix stored by rows.
pub fn product_at(matrix: &CsMat<Real>, row: usize, x: &[Real]) -> Real {
    let starts = matrix.indptr().into_raw_storage();
    let row = starts[row]..starts[row + 1];
    dot_row(&matrix.indices()[row.clone()], &matrix.data()[row], x)
}

/// Two running sums, because one would have to wait for each addition.
fn dot_row(columns: &[usize], values: &[Real], x: &[Real]) -> Real {
    let mut sums = [0.0; 2];
    let (pairs, factors) = (columns.chunks_exact(2), values.chunks_exact(2));
    let rest: Real = pairs.remainder().iter().zip(factors.remainder()).map(|(&j, v)| v * x[j]).sum();
    for (j, v) in pairs.zip(factors) {
        sums[0] += v[0] * x[j[0]];
        sums[1] += v[1] * x[j[1]];
    }
    sums[0] + sums[1] + rest
}

/// `out = out + factor x`, entry by entry.
pub fn add_scaled(out: &mut [Real], factor: Real, x: &[Real]) {
    let add = |(out, x): (&mut [Real], &[Real])| {
        out.iter_mut().zip(x).for_each(|(out, x)| *out += factor * x);
    };
    if out.len() <= SEQUENTIAL {
        add((out, x));
    } else {
        out.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(add);
    }
}

/// `out = x + factor out`, entry by entry.
pub fn scale_and_add(out: &mut [Real], factor: Real, x: &[Real]) {
    let add = |(out, x): (&mut [Real], &[Real])| {
        out.iter_mut().zip(x).for_each(|(out, x)| *out = x + factor * *out);
    };
    if out.len() <= SEQUENTIAL {
        add((out, x));
    } else {
        out.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(add);
    }
}

/// The inner product of two vectors; `partial` is reused memory.
pub fn dot(a: &[Real], b: &[Real], partial: &mut Vec<Real>) -> Real {
    if a.len() <= SEQUENTIAL {
        return a.chunks(CHUNK).zip(b.chunks(CHUNK)).map(|(a, b)| dot_chunk(a, b)).sum();
    }
    partial.resize(a.len().div_ceil(CHUNK), 0.0);
    let chunks = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK));
    partial.par_iter_mut().zip(chunks).for_each(|(sum, (a, b))| *sum = dot_chunk(a, b));
    partial.iter().sum()
}

/// Four running sums, because one would have to wait for each addition.
fn dot_chunk(a: &[Real], b: &[Real]) -> Real {
    let mut sums = [0.0; 4];
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: Real = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_vectors_give_the_same_bits_at_any_thread_count() {
        let n = 50_001;
        let a: Vec<Real> = (0..n).map(|k| (k as Real * 0.7).sin()).collect();
        let mut sum = sprs::TriMat::new((n, n));
        for i in 0..n {
            sum.add_triplet(i, (i * 31) % n, 1.5);
            sum.add_triplet(i, i, -0.3);
        }
        let matrix: CsMat<Real> = sum.to_csr();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut b, mut partial) = (vec![0.0; n], Vec::new());
                multiply(&matrix, &a, &mut b);
                add_scaled(&mut b, 0.3, &a);
                scale_and_add(&mut b, 2.0, &a);
                b.push(dot(&a, &b[..n], &mut partial));
                b.into_iter().map(Real::to_bits).collect::<Vec<_>>()
            })
        };
        let one = run(1);
        for k in [0, 1, 7, 30_000] {
            // (1.5 a[31 k] - 0.3 a[k] + 0.3 a[k]) 2 + a[k]
            let expected = 3.0 * a[(k * 31) % n] + a[k];
            assert!((Real::from_bits(one[k]) - expected).abs() < 1e-14);
        }
        let b: Vec<Real> = one[..n].iter().map(|&v| Real::from_bits(v)).collect();
        let plain: Real = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        assert!((Real::from_bits(one[n]) - plain).abs() < 1e-9 * plain.abs().max(1.0));
        assert!(run(2) == one && run(5) == one);
    }
}
