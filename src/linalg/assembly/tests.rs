use super::*;
use proptest::prelude::*;
use sprs::TriMat;

/// Element entries that depend on all indices, so that a swapped slot is noticed.
fn entry(e: usize, k: usize) -> Real {
    (1.0 + e as Real * 0.37 + k as Real * 0.11).sin()
}

fn compute(e: usize, block: &mut [Real], vector: &mut [Real]) {
    block.iter_mut().enumerate().for_each(|(k, v)| *v += entry(e, k));
    vector.iter_mut().enumerate().for_each(|(k, v)| *v += entry(e, 100 + k));
}

fn ring(n: usize) -> Vec<Vec<usize>> {
    (0..n).map(|e| vec![e, (e * 7 + 1) % n, (e + 2) % n]).collect()
}

proptest! {
    #[test]
    fn equals_the_sum_of_triplets(
        elements in prop::collection::vec(prop::collection::vec(0usize..9, 0..5), 0..30),
    ) {
        let (mut sum, mut vector) = (TriMat::new((9, 9)), [0.0; 9]);
        for (e, dofs) in elements.iter().enumerate() {
            for (i, &row) in dofs.iter().enumerate() {
                vector[row] += entry(e, 100 + i);
                for (j, &column) in dofs.iter().enumerate() {
                    sum.add_triplet(row, column, entry(e, i * dofs.len() + j));
                }
            }
        }
        let sum: CsMat<Real> = sum.to_csr();
        let mut assembly = Assembly::new(9, &elements).unwrap();
        let mut gradient = [Real::NAN; 9];
        assembly.fill_both(&mut gradient, compute).unwrap();
        let matrix = assembly.matrix();
        prop_assert_eq!(matrix.nnz(), sum.nnz());
        for (value, (row, column)) in &sum {
            prop_assert!((matrix.get(row, column).unwrap() - value).abs() < 1e-12);
        }
        for (a, b) in gradient.iter().zip(vector) {
            prop_assert!((a - b).abs() < 1e-12);
        }
    }
}

#[test]
fn halves_of_symmetric_blocks_are_enough() {
    let elements = ring(50);
    let symmetric = |e: usize, i: usize, j: usize| entry(e, i.min(j) * 3 + i.max(j));
    let mut whole = Assembly::new(50, &elements).unwrap();
    whole.fill(|e, block| (0..9).for_each(|k| block[k] = symmetric(e, k / 3, k % 3))).unwrap();
    let half = |e: usize, block: &mut [Real]| {
        let upper = (0..3).flat_map(|i| (i..3).map(move |j| (i, j)));
        block.iter_mut().zip(upper).for_each(|(value, (i, j))| *value = symmetric(e, i, j));
    };
    let (mut halves, mut lower) =
        (Assembly::of_halves(50, &elements).unwrap(), Assembly::of_halves_lower(50, &elements).unwrap());
    halves.fill(half).unwrap();
    lower.fill_runs(|run| run.elements.clone().for_each(|e| half(e, run.block(e)))).unwrap();
    assert_eq!(halves.matrix(), whole.matrix());
    assert!(lower.matrix().iter().all(|(v, (i, j))| j <= i && whole.matrix().get(i, j) == Some(v)));
    assert_eq!(2 * lower.matrix().nnz() - 50, whole.matrix().nnz());
}

#[test]
fn the_lower_triangle_and_what_is_filled_again_are_parts_of_the_whole() {
    let elements = ring(300);
    let (mut whole, mut lower) =
        (Assembly::of_halves(300, &elements).unwrap(), Assembly::of_halves_lower(300, &elements).unwrap());
    let (mut gradient, mut same) = (vec![0.0; 300], vec![0.0; 300]);
    let other = |e: usize, block: &mut [Real], vector: &mut [Real]| {
        compute(if e % 7 == 2 { e + 1000 } else { e }, block, vector);
    };
    whole.fill_both(&mut gradient, other).unwrap();
    lower.fill_both(&mut same, compute).unwrap();
    assert_ne!(gradient, same);
    let mut some = Assembly::refillable(300, &elements).unwrap();
    some.fill_both(&mut same, compute).unwrap();
    for assembly in [&mut lower, &mut some] {
        same.fill(0.0);
        assembly.fill_both_of(&mut same, |e| e % 7 == 2, other).unwrap();
        assert_eq!(gradient, same);
        let kept = whole.matrix().iter().filter(|(_, (row, column))| column <= row);
        assert!(kept.eq(assembly.matrix().iter()));
    }
}

#[test]
fn has_the_same_bits_at_any_thread_count_and_by_any_way_of_filling() {
    let elements = ring(4000);
    let mut results: Vec<Vec<u64>> = Vec::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut assembly = Assembly::new(4000, &elements).unwrap();
        let mut gradient = vec![0.0; 4000];
        let mut keep = |assembly: &Assembly, gradient: &[Real]| {
            results.push(assembly.matrix().data().iter().chain(gradient).map(|v| v.to_bits()).collect());
        };
        pool.install(|| {
            assembly.fill_both(&mut gradient, compute).unwrap();
            keep(&assembly, &gradient);
            assembly.fill(|e, block| compute(e, block, &mut [])).unwrap();
            assembly.fill_gradient(&mut gradient, |e, vector| compute(e, &mut [], vector)).unwrap();
            keep(&assembly, &gradient);
        });
    }
    assert!(results.iter().all(|r| *r == results[0]));
}

#[test]
fn the_first_element_that_is_not_finite_is_named_and_the_matrix_kept() {
    let mut assembly = Assembly::new(4000, &ring(4000)).unwrap();
    let before = assembly.fill(|_, block| block.fill(1.0)).unwrap().clone();
    let bad = |e: usize| [1234, 3999].contains(&e);
    let error = assembly.fill(|e, block| block[4] = if bad(e) { Real::NAN } else { 2.0 }).unwrap_err();
    assert_eq!(error.kind(), Kind::NotFinite);
    assert!(error.message().contains("element 1234 "), "{error}");
    assert_eq!(assembly.matrix(), &before);
    let infinite = |e: usize, vector: &mut [Real]| vector[2] = if bad(e) { Real::INFINITY } else { 0.0 };
    assert!(assembly.fill_gradient(&mut vec![0.0; 4000], infinite).is_err());
}

#[test]
fn bad_counts_are_named_and_nothing_is_fine() {
    let error = Assembly::new(2, &[vec![0, 2]]).err().unwrap();
    assert_eq!(error.kind(), Kind::OutOfRange);
    let mut empty = Assembly::new::<[usize; 2]>(0, &[]).unwrap();
    assert_eq!(empty.fill_both(&mut [], compute).unwrap().nnz(), 0);
    let error = empty.fill_gradient(&mut [0.0], |_, _| ()).unwrap_err();
    assert_eq!(error.kind(), Kind::CountMismatch);
}
