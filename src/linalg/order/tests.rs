use super::*;
use proptest::prelude::*;

/// The pattern of a grid of nodes with `per_node` unknowns each, neighbours in eight directions, and the
/// positions of the nodes.
fn grid(side: usize, per_node: usize) -> (CsMat<Real>, Vec<Vec3>) {
    let n = side * side * per_node;
    let mut sum = sprs::TriMat::new((n, n));
    let place = |node: usize| (node % side, node / side);
    for a in 0..side * side {
        for b in 0..side * side {
            let ((ax, ay), (bx, by)) = (place(a), place(b));
            if ax.abs_diff(bx) <= 1 && ay.abs_diff(by) <= 1 {
                for k in 0..per_node * per_node {
                    sum.add_triplet(a * per_node + k / per_node, b * per_node + k % per_node, 1.0);
                }
            }
        }
    }
    let points = (0..side * side).map(|a| Vec3::new(place(a).0 as Real, place(a).1 as Real, 0.0)).collect();
    (sum.to_csr(), points)
}

fn is_permutation(order: &Order) -> bool {
    let mut sorted = order.unknowns().to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..order.len())
        && order.unknowns().iter().enumerate().all(|(k, &unknown)| order.positions()[unknown] == k)
}

proptest! {
    #[test]
    fn are_permutations_whatever_the_pattern_and_the_places(
        pairs in prop::collection::vec((0usize..40, 0usize..40), 0..150),
        places in prop::collection::vec((0i32..4, 0i32..4), 20),
    ) {
        let mut sum = sprs::TriMat::new((40, 40));
        pairs.iter().for_each(|&(i, j)| sum.add_triplet(i, j, 1.0));
        let matrix: CsMat<Real> = sum.to_csr();
        let points: Vec<_> = places.iter().map(|&(x, y)| Vec3::new(x.into(), y.into(), 0.0)).collect();
        for order in [Order::amd(&matrix, 2), Order::nested_dissection(&matrix, 2, &points)] {
            let order = order.unwrap();
            prop_assert!(is_permutation(&order));
            let pairs_together = order.unknowns().chunks(2).all(|p| p[0] % 2 == 0 && p[1] == p[0] + 1);
            prop_assert!(pairs_together);
            let after = order.postordered(&matrix).unwrap();
            prop_assert!(is_permutation(&after));
            prop_assert_eq!(after.fill(&matrix).unwrap(), order.fill(&matrix).unwrap());
        }
    }
}

#[test]
fn fill_counts_the_factor() {
    // An arrow: eliminating the hub last fills nothing, first fills everything.
    let mut sum = sprs::TriMat::new((6, 6));
    for i in 0..6 {
        sum.add_triplet(i, i, 1.0);
        sum.add_triplet(5, i, 1.0);
    }
    let arrow: CsMat<Real> = sum.to_csr();
    assert_eq!(Order::identity(6).fill(&arrow).unwrap(), 11);
    let worst = Order::new(vec![5, 0, 1, 2, 3, 4]).unwrap();
    assert_eq!(worst.fill(&arrow).unwrap(), 21);
    assert_eq!(Order::amd(&arrow, 1).unwrap().fill(&arrow).unwrap(), 11);
}

#[test]
fn both_orders_beat_the_rows_of_a_grid() {
    let (matrix, points) = grid(30, 2);
    let rows = Order::identity(1800).fill(&matrix).unwrap();
    let amd = Order::amd(&matrix, 2).unwrap().fill(&matrix).unwrap();
    let dissection = Order::nested_dissection(&matrix, 2, &points).unwrap().fill(&matrix).unwrap();
    assert!(amd * 3 < rows * 2 && dissection * 3 < rows * 2, "{rows} {amd} {dissection}");
}

/// AMD by faer, an independent translation of the authors' program: the same order, so the same bits of results.
fn amd_by_faer(matrix: &CsMat<Real>, per_node: usize) -> Vec<usize> {
    use faer::dyn_stack::{MemBuffer, MemStack};
    use faer::sparse::SymbolicSparseColMatRef;
    use faer::sparse::linalg::amd;
    let graph = Graph::new(matrix, per_node).unwrap();
    let n = graph.nodes();
    let neighbours: Vec<usize> = graph.neighbours.iter().map(|&j| j as usize).collect();
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &graph.starts, None, &neighbours);
    let mut memory = MemBuffer::new(amd::order_maybe_unsorted_scratch::<usize>(n, neighbours.len()));
    let (mut forward, mut inverse) = (vec![0usize; n], vec![0usize; n]);
    let stack = MemStack::new(&mut memory);
    amd::order_maybe_unsorted(&mut forward, &mut inverse, pattern, Default::default(), stack).unwrap();
    expand(&forward, per_node)
}

proptest! {
    #[test]
    fn minimum_degree_is_that_of_another_implementation(
        n in 1usize..90,
        pairs in prop::collection::vec((0usize..90, 0usize..90), 0..400),
    ) {
        let mut sum = sprs::TriMat::new((n, n));
        pairs.iter().for_each(|&(i, j)| sum.add_triplet(i % n, j % n, 1.0));
        let matrix: CsMat<Real> = sum.to_csr();
        prop_assert_eq!(Order::amd(&matrix, 1).unwrap().unknowns().to_vec(), amd_by_faer(&matrix, 1));
    }
}

#[test]
fn minimum_degree_of_grids_and_hubs_is_that_of_another_implementation() {
    let mut hub = sprs::TriMat::new((3000, 3000));
    // One node is everyone's neighbour: denser than what is ordered by degree.
    (0..3000).for_each(|i| [0, i, i / 2, i * 7 % 3000].iter().for_each(|&j| hub.add_triplet(i, j, 1.0)));
    for (matrix, per_node) in [(grid(40, 2).0, 2), (grid(25, 3).0, 3), (grid(30, 1).0, 1), (hub.to_csr(), 1)]
    {
        let order = Order::amd(&matrix, per_node).unwrap();
        assert!(order.unknowns() == amd_by_faer(&matrix, per_node), "{} nodes", matrix.rows());
    }
}

#[test]
fn one_triangle_is_enough() {
    let (matrix, points) = grid(9, 2);
    let mut lower = sprs::TriMat::new(matrix.shape());
    matrix.iter().filter(|(_, (i, j))| j <= i).for_each(|(&v, (i, j))| lower.add_triplet(i, j, v));
    let lower: CsMat<Real> = lower.to_csr();
    assert_eq!(Order::amd(&matrix, 2).unwrap(), Order::amd(&lower, 2).unwrap());
    let both = [&matrix, &lower].map(|m| Order::nested_dissection(m, 2, &points).unwrap());
    assert_eq!(both[0], both[1]);
}

#[test]
fn bad_input_is_refused() {
    let (matrix, mut points) = grid(3, 2);
    let kind = |result: Result<Order>| result.err().unwrap().kind();
    assert_eq!(kind(Order::new(vec![0, 0])), Kind::InvalidArgument);
    assert_eq!(kind(Order::new(vec![0, 2])), Kind::OutOfRange);
    assert_eq!(kind(Order::amd(&matrix, 4)), Kind::InvalidArgument);
    assert_eq!(kind(Order::amd(&matrix, 0)), Kind::InvalidArgument);
    assert_eq!(kind(Order::nested_dissection(&matrix, 2, &points[1..])), Kind::CountMismatch);
    points[4].y = Real::NAN;
    assert_eq!(kind(Order::nested_dissection(&matrix, 2, &points)), Kind::NotFinite);
    let empty = CsMat::zero((0, 0));
    assert!(Order::amd(&empty, 3).unwrap().is_empty());
    assert!(Order::nested_dissection(&empty, 3, &[]).unwrap().is_empty());
}
