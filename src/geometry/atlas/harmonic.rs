//! Points in the plane, held between fixed points by springs (a harmonic embedding).

use sinew_base::error::Result;
use sinew_linalg::order::Order;
use sinew_linalg::spd::SpdSolver;
use sinew_math::{Real, Vec2};
use sprs::TriMat;

/// The places of all points: fixed ones stay, the others are in equilibrium. Springs have two ends and a positive
/// stiffness; each free point must be connected to a fixed one.
pub(super) fn harmonic(
    places: &[Option<Vec2>],
    springs: impl Iterator<Item = ([usize; 2], Real)>,
) -> Result<Vec<Vec2>> {
    let mut unknowns = vec![0; places.len()];
    let mut n = 0;
    for (unknown, _) in unknowns.iter_mut().zip(places).filter(|(_, place)| place.is_none()) {
        *unknown = n;
        n += 1;
    }
    let mut x = vec![0.0; 2 * n];
    if n > 0 {
        let mut sum = TriMat::new((n, n));
        for (ends, w) in springs {
            for (a, b) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if places[a].is_some() {
                    continue;
                }
                let i = unknowns[a];
                sum.add_triplet(i, i, w);
                match places[b] {
                    None => sum.add_triplet(i, unknowns[b], -w),
                    Some(place) => (0..2).for_each(|axis| x[axis * n + i] += w * place[axis]),
                }
            }
        }
        let matrix = sum.to_csr();
        let mut solver = SpdSolver::new(&matrix, &Order::amd(&matrix, 1)?)?;
        solver.factor(&matrix)?;
        solver.solve_many(&mut x, 2)?;
    }
    let place = |(place, &i): (&Option<Vec2>, &usize)| place.unwrap_or_else(|| Vec2::new(x[i], x[n + i]));
    Ok(places.iter().zip(&unknowns).map(place).collect())
}
