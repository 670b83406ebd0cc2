//! What a scene shows, in numbers: distortion, how far material moves, how far the skin slid, how long it jiggles.
//!
//! `skin` holds, for every vertex of the body, the point of the rest surface whose material is there. Standard skinning
//! is the rest positions themselves.

use sinew::error::Result;
use sinew::geometry::measure::{larger_stretch, triangle_area_vector};
use sinew::geometry::{ClosestPoint, TriMesh};
use sinew::math::{Real, Vec3};

/// How much larger the body's triangles are than the skin's, in the direction of their largest stretch.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub mean: Real,
    /// The standard deviation, weighted by area like the mean.
    pub spread: Real,
    pub smallest: Real,
    pub largest: Real,
}

/// The stretch from skin to body; triangles of the skin without area count as infinite.
pub fn stretch(rest: &TriMesh, body: &[Vec3], skin: &[Vec3]) -> Stretch {
    let values = stretches(rest, body, skin);
    let area: Real = values.iter().map(|(_, a)| a).sum();
    let mean = values.iter().map(|(s, a)| s * a).sum::<Real>() / area;
    let square = values.iter().map(|(s, a)| (s - mean).powi(2) * a).sum::<Real>() / area;
    let largest = values.iter().map(|(s, _)| *s).fold(0.0, Real::max);
    let smallest = values.iter().map(|(s, _)| *s).fold(Real::INFINITY, Real::min);
    Stretch { mean, spread: square.sqrt(), smallest, largest }
}

/// The larger stretch and the area on the body of every triangle.
pub fn stretches(rest: &TriMesh, body: &[Vec3], skin: &[Vec3]) -> Vec<(Real, Real)> {
    let of = |triangle: &[u32; 3]| {
        let (from, to) = (triangle.map(|v| skin[v as usize]), triangle.map(|v| body[v as usize]));
        (larger_stretch(from, to), triangle_area_vector(to).norm())
    };
    rest.triangles.iter().map(of).collect()
}

/// Where in space the material of points of the rest surface is.
pub fn material(rest: &TriMesh, body: &[Vec3], skin: &[Vec3], points: &[Vec3]) -> Result<Vec<Vec3>> {
    let carried = TriMesh { positions: skin.to_vec(), ..rest.clone() };
    let surface = ClosestPoint::new(&carried)?;
    let place = |p: &Vec3| {
        let on = surface.find(p, Real::INFINITY).expect("the mesh has faces").on;
        on.mix(rest.triangles[on.triangle as usize].map(|v| body[v as usize]))
    };
    Ok(points.iter().map(place).collect())
}

/// The mean distance in space between material of points of the rest surface and where it was at rest.
pub fn travel(rest: &TriMesh, body: &[Vec3], skin: &[Vec3], points: &[Vec3]) -> Result<Real> {
    let moved = material(rest, body, skin, points)?;
    let sum: Real = moved.iter().zip(points).map(|(a, b)| (a - b).norm()).sum();
    Ok(sum / points.len() as Real)
}

/// The root mean square and the largest of how far the skin slid on the body, measured in the rest pose.
pub fn slide(rest: &TriMesh, skin: &[Vec3]) -> [Real; 2] {
    let squares: Vec<Real> = skin.iter().zip(&rest.positions).map(|(a, b)| (a - b).norm_squared()).collect();
    let mean = squares.iter().sum::<Real>() / squares.len() as Real;
    [mean.sqrt(), squares.iter().fold(0.0, |a: Real, &b| a.max(b)).sqrt()]
}

/// How far the skin still moves on the body over some frames, such as those after a stop: for each vertex the diagonal
/// of the box around its skin points; the root mean square and the largest of all vertices.
pub fn jiggle(frames: &[Vec<Vec3>]) -> [Real; 2] {
    let Some(first) = frames.first() else { return [0.0; 2] };
    let squares: Vec<Real> = (0..first.len())
        .map(|v| {
            let points = || frames.iter().map(|f| f[v]);
            let (low, high) = points().fold((first[v], first[v]), |(l, h), p| (l.inf(&p), h.sup(&p)));
            (high - low).norm_squared()
        })
        .collect();
    let mean = squares.iter().sum::<Real>() / squares.len() as Real;
    [mean.sqrt(), squares.iter().fold(0.0, |a: Real, &b| a.max(b)).sqrt()]
}
