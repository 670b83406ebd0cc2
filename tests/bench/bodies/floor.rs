//! What no implicit solve of the skin can do without: one factor and one solve of a matrix with its pattern, and one
//! pass over the vertices. On all triangles of a body, in the single precision of the solver.

use crate::body::Body;
use crate::figures::median;
use sinew::error::Result;
use sinew::geometry::measure::cotangent_laplacian;
use sinew::geometry::{SurfacePoint, TriMesh};
use sinew::linalg::order::Order;
use sinew::linalg::spd::SingleSolver;
use sinew::math::{Real, Vec3};
use sinew::skin::rest::Rest;
use sprs::{CsMat, TriMat};
use std::hint::black_box;
use std::time::Instant;

/// So often each is timed; the median counts.
const ROUNDS: usize = 5;

/// Milliseconds of a factor, a solve and a pass.
pub fn floor(body: &Body) -> Result<[Real; 3]> {
    let rest = Rest::new(TriMesh::from_mesh(&body.rest)?)?;
    let (matrix, points) = matrix(&rest);
    let mut solver = SingleSolver::new(&matrix, &Order::nested_dissection(&matrix, 1, &points)?)?;
    let mut x: Vec<Real> = (0..matrix.rows()).map(|k| (k % 7) as Real).collect();
    let skin = rest.home();
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        times[0].push(ms(|| solver.factor(&matrix))?);
        times[1].push(ms(|| solver.solve(&mut x))?);
        times[2].push(ms(|| pass(&rest, &skin))?);
    }
    Ok(times.map(|of| median(&of)))
}

fn ms(work: impl FnOnce() -> Result<()>) -> Result<Real> {
    let clock = Instant::now();
    work()?;
    Ok(clock.elapsed().as_secs_f64() * 1e3)
}

/// Two unknowns at each vertex that is used, coupled as the membrane couples them; and the places of the unknowns.
fn matrix(rest: &Rest) -> (CsMat<Real>, Vec<Vec3>) {
    let used: Vec<usize> = (0..rest.mesh().positions.len()).filter(|&v| rest.vertex(v).is_some()).collect();
    let mut number = vec![None; rest.mesh().positions.len()];
    used.iter().enumerate().for_each(|(k, &v)| number[v] = Some(k));
    let (laplacian, _) = cotangent_laplacian(rest.mesh());
    let mut entries = TriMat::new((2 * used.len(), 2 * used.len()));
    for (i, row) in laplacian.outer_iterator().enumerate() {
        for (j, weight) in row.iter() {
            let (Some(i), Some(j)) = (number[i], number[j]) else { continue };
            // Diagonally dominant whatever the angles are.
            let value =
                if i == j { 1.0 + 2.0 * row.iter().map(|(_, w)| w.abs()).sum::<Real>() } else { *weight };
            for (a, b, value) in [(0, 0, value), (1, 1, value), (0, 1, 0.1 * weight), (1, 0, 0.1 * weight)] {
                entries.add_triplet(2 * i + a, 2 * j + b, value);
            }
        }
    }
    let points = used.iter().flat_map(|&v| [rest.mesh().positions[v]; 2]).collect();
    (entries.to_csr(), points)
}

/// Reads the place and the normal of the skin at each vertex.
fn pass(rest: &Rest, skin: &[SurfacePoint]) -> Result<()> {
    black_box(skin.iter().map(|point| rest.place(point) + rest.outward(point)).sum::<Vec3>());
    Ok(())
}
