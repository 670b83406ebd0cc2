//! What lies inside a surface that may have holes, face inwards, or consist of several pieces.
//!
//! The winding number of a closed surface around a point is the solid angle that it covers, seen from there, divided by
//! 4 pi: 1 inside and 0 outside, with a sign that depends on which way it faces. At a hole it changes gradually instead
//! of all at once (Jacobson, Kavan and Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding
//! numbers", 2013). Triangles far away are replaced by the sum of their area vectors (Barill, Dickson, Schmidt, Levin
//! and Jacobson, "Fast winding numbers for soups and clouds", 2018).

use super::around::together;
use super::half_edges::HalfEdges;
use super::measure::triangle_area_vector;
use super::triangles::{TriMesh, area_vector};
use sinew_math::elementary::atan2;
use sinew_math::{Real, Vec3};
use std::f64::consts::PI;
use std::ops::Range;

/// A surface that is closed but for small holes.
#[derive(Clone, Debug)]
pub struct Winding {
    /// The triangles; those in a ball are side by side.
    triangles: Vec<[Vec3; 3]>,
    /// In the order of a walk that visits a ball before those inside it.
    balls: Vec<Ball>,
    /// The balls of each connected piece.
    pieces: Vec<Range<usize>>,
}

/// Triangles inside a ball.
#[derive(Clone, Debug)]
struct Ball {
    centre: Vec3,
    radius: Real,
    /// The sum of their area vectors.
    area: Vec3,
    /// The triangles of a leaf; empty where balls follow.
    triangles: Range<usize>,
    /// The next ball that is not inside this one.
    after: usize,
}

/// With holes of more than this fraction of its area a surface has no inside, as a sheet or most clothes: what they are
/// worn on is inside only in part. An open tube six times as long as it is wide has holes of a twelfth of its area, a
/// body without its head or its eyes much smaller ones.
const OPEN: Real = 0.1;
/// A point around which a surface winds less is outside. In the middle of a hole it winds half around, and outside as
/// much as the hole covers of what is seen from there: up to two radii in front of it, what was cut off there may have
/// been.
const OUTSIDE: Real = 0.05;
/// Triangles in a ball that is not divided further.
const LEAF: usize = 8;
/// At a distance of this many radii, the sum of area vectors gives the winding number of a closed surface within 0.02.
const FAR: Real = 5.0;

impl Winding {
    /// Of a surface; `None` if it is too open to have an inside. Vertices at one place count as one.
    pub fn new(mesh: &TriMesh) -> Option<Self> {
        let edges = HalfEdges::of_triangles(mesh.positions.len(), &welded(mesh));
        let hole = |border: Vec<u32>| {
            let points: Vec<Vec3> = border.iter().map(|v| mesh.positions[*v as usize]).collect();
            area_vector(&points).norm()
        };
        let holes: Real = edges.boundary_loops().into_iter().map(hole).sum();
        let area = |t: usize| triangle_area_vector(mesh.points(t)).norm();
        let areas: Real = (0..mesh.triangles.len()).map(area).sum();
        if areas == 0.0 || holes > OPEN * areas {
            return None;
        }
        // Which pieces face inwards is not known, so that the numbers of pieces with and without clothes around them
        // would cancel: each piece counts on its own, too.
        let (piece, count) = edges.components();
        let mut sorted: Vec<Vec<[Vec3; 3]>> = vec![Vec::new(); count];
        piece.iter().enumerate().for_each(|(t, piece)| sorted[*piece as usize].push(mesh.points(t)));
        let mut made = Winding { triangles: Vec::new(), balls: Vec::new(), pieces: Vec::new() };
        for mut triangles in sorted {
            let first = made.balls.len();
            made.add(&mut triangles);
            made.pieces.push(first..made.balls.len());
        }
        Some(made)
    }

    /// Whether a point is inside the surface, or in front of a hole, where this is unclear.
    pub fn inside(&self, point: &Vec3) -> bool {
        self.number(point).abs() >= OUTSIDE
    }

    /// Whether a point is inside a surface that faces inwards there.
    pub fn inside_out(&self, point: &Vec3) -> bool {
        self.number(point) <= -OUTSIDE
    }

    /// The largest winding number of all pieces and their sum.
    fn number(&self, point: &Vec3) -> Real {
        let (mut sum, mut largest): (Real, Real) = (0.0, 0.0);
        let larger = |a: Real, b: Real| if b.abs() > a.abs() { b } else { a };
        for piece in &self.pieces {
            let number = self.of_piece(piece, point);
            sum += number;
            largest = larger(largest, number);
        }
        larger(largest, sum)
    }

    fn of_piece(&self, piece: &Range<usize>, point: &Vec3) -> Real {
        let (mut angle, mut at) = (0.0, piece.start);
        while at < piece.end {
            let ball = &self.balls[at];
            let away = ball.centre - point;
            let distance = away.norm();
            at = if distance > FAR * ball.radius {
                angle += ball.area.dot(&away) / distance.powi(3);
                ball.after
            } else if ball.triangles.is_empty() {
                at + 1
            } else {
                angle += self.triangles[ball.triangles.clone()]
                    .iter()
                    .map(|t| solid_angle(t, point))
                    .sum::<Real>();
                ball.after
            };
        }
        angle / (4.0 * PI)
    }

    /// Adds a ball around triangles and, if they are many, balls around those on either side of their middle.
    fn add(&mut self, triangles: &mut [[Vec3; 3]]) {
        let areas = triangles.iter().map(|t| triangle_area_vector(*t));
        let total: Real = areas.clone().map(|area| area.norm()).sum();
        let weighted: Vec3 =
            triangles.iter().zip(areas.clone()).map(|(t, area)| middle(t) * area.norm()).sum();
        let centre = if total > 0.0 { weighted / total } else { middle(&triangles[0]) };
        let corners = triangles.as_flattened();
        let radius = corners.iter().map(|p| (p - centre).norm()).fold(0.0, Real::max);
        let (area, place, first) = (areas.sum(), self.balls.len(), self.triangles.len());
        let is_leaf = triangles.len() <= LEAF;
        let own = if is_leaf { first..first + triangles.len() } else { 0..0 };
        self.balls.push(Ball { centre, radius, area, triangles: own, after: 0 });
        if is_leaf {
            self.triangles.extend_from_slice(triangles);
        } else {
            let spread = |axis: &usize| {
                let at = corners.iter().map(|p| p[*axis]);
                at.clone().fold(Real::NEG_INFINITY, Real::max) - at.fold(Real::INFINITY, Real::min)
            };
            let axis = (0..3).max_by(|a, b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
            let half = triangles.len() / 2;
            triangles.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
            let (low, high) = triangles.split_at_mut(half);
            self.add(low);
            self.add(high);
        }
        self.balls[place].after = self.balls.len();
    }
}

/// The triangles with the first of the vertices at each place in place of the others.
fn welded(mesh: &TriMesh) -> Vec<[u32; 3]> {
    let first = together(&mesh.positions);
    mesh.triangles.iter().map(|triangle| triangle.map(|vertex| first[vertex as usize])).collect()
}

fn middle([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (a + b + c) / 3.0
}

/// The solid angle of a triangle, positive if seen from behind (van Oosterom and Strackee, "The solid angle of a plane
/// triangle", 1983).
fn solid_angle(triangle: &[Vec3; 3], point: &Vec3) -> Real {
    let [a, b, c] = triangle.map(|corner| corner - point);
    let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
    let across = a.dot(&b.cross(&c));
    let along = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * atan2(across, along)
}

#[cfg(test)]
mod tests {
    use super::super::mesh::Mesh;
    use super::super::shapes;
    use super::*;

    fn winding(mesh: &Mesh) -> Option<Winding> {
        Winding::new(&TriMesh::from_mesh(mesh).unwrap())
    }

    /// Without the faces whose middles are somewhere.
    fn without(mesh: &Mesh, gone: impl Fn(&Vec3) -> bool) -> Mesh {
        let middle = |face: usize| {
            let corners = mesh.face(face);
            corners.iter().map(|v| mesh.positions[*v as usize]).sum::<Vec3>() / corners.len() as Real
        };
        let mut left = Mesh { positions: mesh.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
        for face in (0..mesh.face_count()).filter(|face| !gone(&middle(*face))) {
            left.corner_vertices.extend_from_slice(mesh.face(face));
            left.face_offsets.push(left.corner_vertices.len() as u32);
        }
        left
    }

    /// Every face with vertices of its own.
    fn split(mesh: &Mesh) -> Mesh {
        let positions: Vec<Vec3> = mesh.corner_vertices.iter().map(|v| mesh.positions[*v as usize]).collect();
        let corner_vertices = (0..positions.len() as u32).collect();
        Mesh { positions, corner_vertices, face_offsets: mesh.face_offsets.clone(), ..Mesh::default() }
    }

    fn reversed(mesh: &Mesh) -> Mesh {
        let mut reversed = mesh.clone();
        (0..mesh.face_count()).for_each(|face| reversed.corner_vertices[mesh.corners(face)].reverse());
        reversed
    }

    fn joined(a: &Mesh, b: &Mesh) -> Mesh {
        let mut joined = Mesh { positions: a.positions.clone(), face_offsets: vec![0], ..Mesh::default() };
        joined.positions.extend(&b.positions);
        for (mesh, first) in [(a, 0), (b, a.positions.len() as u32)] {
            for face in 0..mesh.face_count() {
                joined.corner_vertices.extend(mesh.face(face).iter().map(|v| v + first));
                joined.face_offsets.push(joined.corner_vertices.len() as u32);
            }
        }
        joined
    }

    /// A torus: points on and off its circle, those in its hole outside. The same where it faces inwards, has a hole,
    /// is split into faces, lies in another torus that faces the other way, is elsewhere and of another size.
    #[test]
    fn what_is_inside_a_torus_is_inside_however_it_is_made() {
        let torus = shapes::torus(2.0, 0.5, 60, 30);
        let holed = without(&torus, |p| (p - Vec3::new(2.5, 0.0, 0.0)).norm() < 0.4);
        assert!(holed.face_count() < torus.face_count());
        let around = reversed(&shapes::torus(2.0, 0.6, 60, 30));
        let made = [
            torus.clone(),
            reversed(&torus),
            holed.clone(),
            split(&holed),
            joined(&torus, &around),
            joined(&around, &torus),
        ];
        for (k, mesh) in made.iter().enumerate() {
            for (scale, away) in [(1.0, Vec3::zeros()), (1e-3, Vec3::new(1.0, -7.0, 3.0)), (1e4, Vec3::x())] {
                let place = |p: &Vec3| p * scale + away;
                let positions = mesh.positions.iter().map(place).collect();
                let winding = winding(&Mesh { positions, ..mesh.clone() }).unwrap();
                for step in 0..200 {
                    let (turn, part) = (0.31 * Real::from(step), 0.02 * Real::from(step % 50));
                    let (sin, cos) = turn.sin_cos();
                    let at =
                        |radius: Real, height: Real| place(&Vec3::new(radius * cos, height, radius * sin));
                    // Within 0.4 of the circle, in the hole, above, and far away; above the missing faces nothing is
                    // clear.
                    let inside = at(2.0 + 0.4 * (part - 0.5), 0.3 * (0.5 - part));
                    assert!(winding.inside(&inside), "{k} {step} {scale}");
                    for outside in [at(1.3 * part, 0.2), at(2.0, 0.7 + part), at(30.0, 5.0 * part)] {
                        assert!(!winding.inside(&outside), "{k} {step} {scale}");
                    }
                }
            }
        }
    }

    /// The sums of area vectors change the winding number of a dense mesh by less than they may.
    #[test]
    fn balls_are_as_good_as_all_triangles() {
        let mesh = TriMesh::from_mesh(&shapes::torus(2.0, 0.5, 90, 40)).unwrap();
        let winding = Winding::new(&mesh).unwrap();
        for step in 0..300 {
            let turn = 0.37 * Real::from(step);
            let radius = 0.01 * Real::from(step);
            let point = Vec3::new(radius * turn.cos(), 0.3 * turn.sin(), radius * turn.sin());
            let all: Real = (0..mesh.triangles.len()).map(|t| solid_angle(&mesh.points(t), &point)).sum();
            let off = (winding.of_piece(&winding.pieces[0], &point) - all / (4.0 * PI)).abs();
            assert!(off < 0.02, "{point}: {off}");
        }
    }

    /// A body without a head: its neck may have been in front of the hole; beside the body nothing was.
    #[test]
    fn in_front_of_a_hole_nothing_is_outside() {
        let ball = without(&shapes::sphere(1.0, 4), |p| p.y > 0.95);
        for mesh in [ball.clone(), reversed(&ball)] {
            let winding = winding(&mesh).unwrap();
            let outside = |x: Real, y: Real| !winding.inside(&Vec3::new(x, y, 0.0));
            assert!(!outside(0.0, 0.9) && !outside(0.0, 1.0) && !outside(0.1, 1.3));
            assert!(outside(0.0, 2.5) && outside(1.1, 0.0) && outside(0.0, -1.1) && outside(-0.9, 0.9));
        }
    }

    #[test]
    fn sheets_have_no_inside() {
        assert!(winding(&shapes::grid(1.0, 1.0, 8, 8)).is_none());
        assert!(winding(&without(&shapes::torus(2.0, 0.5, 60, 30), |p| p.x > 0.0 && p.y > 0.0)).is_none());
        assert!(winding(&Mesh { face_offsets: vec![0], ..Mesh::default() }).is_none());
    }
}
