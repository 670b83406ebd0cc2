//! Walks from vertices, and ways between points of the skin.

use super::model::Model;
use super::plane::least_squares;
use super::rest::Rest;
use rayon::prelude::*;
use sinew_geometry::measure::triangle_area_vector;
use sinew_geometry::{HalfEdges, Surface, SurfacePoint, TriMesh, Walk};
use sinew_math::elementary::atan2;
use sinew_math::motion::rotation_by;
use sinew_math::{Mat3x2, Real, Vec3};

/// The number of body edges over which the skin may slide in one step; a body that shrank to nothing would need
/// millions.
const LONGEST_WALK: Real = 1e3;

/// The slide at a vertex rotated by half of the turning of the slide field along the path: with the direction at the
/// middle of the path, a straight walk follows a curved flow to second order.
pub(super) fn straightened(body: &TriMesh, edges: &HalfEdges, vertex: usize, slide: &[Vec3]) -> Vec3 {
    let here = slide[vertex];
    let Some(walk) = walk_on_body(body, edges, vertex, here * -0.5) else { return here };
    let there = walk.end.mix(body.triangles[walk.end.triangle as usize].map(|v| slide[v as usize]));
    let ahead = -walk.direction;
    let normal = triangle_area_vector(body.points(walk.end.triangle as usize));
    let Some(normal) = normal.try_normalize(0.0) else { return here };
    let flat = there - normal * normal.dot(&there);
    let (cos, sin) = (ahead.dot(&flat), normal.dot(&ahead.cross(&flat)));
    if cos <= 0.0 {
        return here;
    }
    let angle = atan2(sin, cos);
    let Some(axis) = area_at(body, edges, vertex).try_normalize(0.0) else { return here };
    rotation_by(&(axis * angle)) * here
}

/// The area vector of the triangles around a vertex.
pub(super) fn area_at(body: &TriMesh, edges: &HalfEdges, vertex: usize) -> Vec3 {
    edges.around(vertex as u32).map(|h| triangle_area_vector(body.points(edges.face(h) as usize))).sum()
}

/// Walks on the body from a vertex; `None` if no triangle there has area, or the walk is longer than [`LONGEST_WALK`].
pub(super) fn walk_on_body(body: &TriMesh, edges: &HalfEdges, vertex: usize, vector: Vec3) -> Option<Walk> {
    // The triangle into which the vector points most.
    let inside = |h: u32| {
        let t = edges.face(h) as usize;
        let [a, b, c] = body.triangles[t].map(|v| body.positions[v as usize]);
        let corner = body.triangles[t].iter().position(|&v| v as usize == vertex).unwrap_or(0);
        let [p, q, r] = [[a, b, c], [b, c, a], [c, a, b]][corner];
        let factors = least_squares(&Mat3x2::from_columns(&[q - p, r - p]), &vector);
        (t, corner, factors.x.min(factors.y) / factors.norm().max(Real::MIN_POSITIVE))
    };
    let best = edges.around(vertex as u32).map(inside).max_by(|a, b| a.2.total_cmp(&b.2))?;
    let [a, b, c] = body.points(best.0);
    if vector.norm() > LONGEST_WALK * (b - a).norm().max((c - a).norm()) {
        return None;
    }
    let mut weights = [0.0; 3];
    weights[best.1] = 1.0;
    let start = SurfacePoint { triangle: best.0 as u32, weights };
    Some(Surface::new(body, edges).walk(start, vector))
}

/// The mass of the skin around a vertex, whose positions at rest are `places`.
pub(super) fn mass_at(model: &Model, skin: &[SurfacePoint], places: &[Vec3], vertex: usize) -> Real {
    let (rest, edges) = (&model.rest, model.rest.edges());
    let corners = |h: u32| rest.mesh().triangles[edges.face(h) as usize].map(|v| places[v as usize]);
    let area = |h: u32| triangle_area_vector(corners(h)).norm() / 3.0;
    edges.around(vertex as u32).map(area).sum::<Real>() * model.mass_per_area(&skin[vertex])
}

/// The positions of a skin on the surface at rest.
pub(super) fn find_places(rest: &Rest, skin: &[SurfacePoint], places: &mut [Vec3]) {
    places.par_iter_mut().zip(skin).with_min_len(512).for_each(|(place, point)| *place = rest.place(point));
}

/// The vector from one material point to another, in the plane at the second: as long as the straight line between
/// them.
pub(super) fn way_on_skin(rest: &Rest, from: &SurfacePoint, to: &SurfacePoint) -> Vec3 {
    way_from(rest, &rest.place(from), to)
}

/// The same from a position on the skin.
pub(super) fn way_from(rest: &Rest, from: &Vec3, to: &SurfacePoint) -> Vec3 {
    flat_way(rest, &(rest.place(to) - from), to)
}

/// A chord that ends at a point of the skin, rotated into the plane there: its length is kept.
pub(super) fn flat_way(rest: &Rest, chord: &Vec3, to: &SurfacePoint) -> Vec3 {
    let normal = rest.normal(to);
    let flat = chord - normal * normal.dot(chord);
    flat.try_normalize(0.0).map_or(flat, |direction| direction * chord.norm())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{Mesh, shapes};
    use sinew_math::Rotation;

    /// A plate of 20 by 20 cells, tilted and moved.
    fn plate(scale: Real) -> (TriMesh, HalfEdges) {
        let flat = shapes::grid(4.0 * scale, 4.0 * scale, 20, 20);
        let turn = Rotation::from_scaled_axis(Vec3::new(0.4, -1.0, 0.7));
        let place = |p: &Vec3| turn * p + Vec3::new(3.0, 5.0, -2.0) * scale;
        let mesh = Mesh { positions: flat.positions.iter().map(place).collect(), ..flat };
        let body = TriMesh::from_mesh(&mesh).unwrap();
        let edges = HalfEdges::of_triangles(body.positions.len(), &body.triangles);
        (body, edges)
    }

    #[test]
    fn a_walk_on_a_plate_ends_where_the_vector_points() {
        for scale in [1e-3, 1.0, 1e3] {
            let (body, edges) = plate(scale);
            let [x, z] = [1, 21].map(|v| (body.positions[v] - body.positions[0]).normalize());
            let vertex = 10 * 21 + 10;
            for k in 0..16 {
                let (sin, cos) = (0.1 + 0.4 * Real::from(k)).sin_cos();
                let vector = (x * cos + z * sin) * 1.3 * scale;
                let walk = walk_on_body(&body, &edges, vertex, vector).unwrap();
                let missed = walk.end.position(&body) - body.positions[vertex] - vector;
                assert!(missed.norm() < 1e-12 * scale, "{missed}");
            }
            let cell = 0.2 * scale;
            assert!(walk_on_body(&body, &edges, vertex, x * (0.9 * LONGEST_WALK * cell)).is_some());
            assert!(walk_on_body(&body, &edges, vertex, x * (1.5 * LONGEST_WALK * cell)).is_none());
        }
    }

    /// A slide around the middle of the plate, by 0.3 of its distance from there: the way back stays on the circle.
    #[test]
    fn a_curved_slide_is_followed_to_second_order() {
        let (body, edges) = plate(1.0);
        let middle = body.positions[10 * 21 + 10];
        let axis = area_at(&body, &edges, 10 * 21 + 10).normalize();
        let slide: Vec<Vec3> = body.positions.iter().map(|p| axis.cross(&(p - middle)) * 0.3).collect();
        for vertex in [10 * 21 + 15, 6 * 21 + 7, 13 * 21 + 12] {
            let from = body.positions[vertex] - middle;
            let radius = |way: Vec3| (from - way).norm() / from.norm();
            assert!((radius(slide[vertex]) - 1.09_f64.sqrt()).abs() < 1e-12);
            let straight = straightened(&body, &edges, vertex, &slide);
            assert!((straight.norm() - slide[vertex].norm()).abs() < 1e-12);
            assert!((radius(straight) - 1.0).abs() < 1e-3, "{}", radius(straight));
        }
    }
}
