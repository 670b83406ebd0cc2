//! Where two convex bodies face each other along a normal: the corners of the area in which the projections of their
//! facing faces overlap, each with the gap there. These are vertices of one face within the other, and crossings of
//! their edges; of the full shapes, so that a box stands on its corners.

use crate::parts::across;
use parry3d_f64::glamx::DVec3;
use parry3d_f64::shape::ConvexPolyhedron;
use sinew_math::elementary::atan2;
use sinew_math::{Placement, Real, Vec3};

/// A corner of the common area: in the middle of the gap, in the axes of the first body.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    pub place: Vec3,
    /// Along the normal, which leads from the first body to the second; negative where they overlap.
    pub gap: Real,
}

/// A vertex of a face: along two directions across the normal, then along it.
type Flat = [Real; 3];

/// A vertex this close to an edge of the other face, as a fraction of the edge's length, lies within it: equal boxes
/// stand on each other.
const BESIDE: Real = 1e-9;
/// Vertices this close to a face's plane, as a fraction of the shape's size, belong to it: hulls come in triangles.
const COPLANAR: Real = 1e-8;
/// A face whose normal has a smaller cosine with that of the contact is seen edge-on.
const EDGE_ON: Real = 1e-6;

/// A face of a shape, with its corners in order, in the body's axes.
struct Face {
    normal: Vec3,
    corners: Vec<Vec3>,
}

/// The faces of two shapes, and reused memory.
#[derive(Default)]
pub struct Patch {
    shapes: [Vec<Face>; 2],
    faces: [Vec<Flat>; 2],
    pub corners: Vec<Corner>,
}

impl Patch {
    /// Of shapes that are shrunk to these fractions.
    pub fn new(shapes: [&ConvexPolyhedron; 2], parts: [Real; 2]) -> Self {
        let shapes = [0, 1].map(|k| faces(shapes[k], parts[k]));
        let [a, b] = [0, 1].map(|k| shapes[k].iter().map(|face| face.corners.len()).max().unwrap_or(0));
        let faces = [a, b].map(Vec::with_capacity);
        Patch { shapes, faces, corners: Vec::with_capacity(3 * (a + b)) }
    }

    /// Finds the corners; `second` is the place of the second body in the axes of the first, in which the normal is
    /// given.
    pub fn find(&mut self, second: &Placement, normal: &Vec3) {
        self.corners.clear();
        self.faces.iter_mut().for_each(Vec::clear);
        let facing =
            [facing(&self.shapes[0], normal), facing(&self.shapes[1], &-second.direction_inside(normal))];
        let [Some(first), Some(other)] = facing else { return };
        let across = Vec3::ith(normal.iamin(), 1.0).cross(normal).normalize();
        let axes = [across, normal.cross(&across), *normal];
        let flat = |p: &Vec3| axes.map(|axis| axis.dot(p));
        self.faces[0].extend(first.corners.iter().map(flat));
        self.faces[1].extend(other.corners.iter().map(|p| flat(&second.point(p))));
        let slopes = [flat(&first.normal), flat(&second.direction(&other.normal))];
        let mut add = |at: [Real; 2], heights: [Real; 2]| {
            let place = axes[0] * at[0] + axes[1] * at[1] + axes[2] * (0.5 * (heights[0] + heights[1]));
            self.corners.push(Corner { place, gap: heights[1] - heights[0] });
        };
        let [first, other] = &self.faces;
        for (own, its, slope, k) in [(first, other, slopes[1], 0), (other, first, slopes[0], 1)] {
            if slope[2].abs() < EDGE_ON {
                continue;
            }
            for &[x, y, z] in own.iter().filter(|vertex| is_within(its, vertex)) {
                let [x0, y0, z0] = its[0];
                let beyond = z0 - (slope[0] * (x - x0) + slope[1] * (y - y0)) / slope[2];
                add([x, y], if k == 0 { [z, beyond] } else { [beyond, z] });
            }
        }
        for a in edges(first) {
            for b in edges(other) {
                if let Some([s, t]) = crossing(a, b) {
                    let along =
                        |[from, to]: [Flat; 2], s: Real| [0, 1, 2].map(|k| from[k] + s * (to[k] - from[k]));
                    let [on, its] = [along(a, s), along(b, t)];
                    add([on[0], on[1]], [on[2], its[2]]);
                }
            }
        }
    }
}

/// The faces of a shape, at its full size.
fn faces(shape: &ConvexPolyhedron, part: Real) -> Vec<Face> {
    let vec3 = |v: &DVec3| Vec3::new(v.x, v.y, v.z);
    let points: Vec<Vec3> = shape.points().iter().map(|p| vec3(p) / part).collect();
    let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, Real::max);
    let all = shape.faces().iter().map(|face| {
        let normal = vec3(&face.normal);
        let first = points[shape.vertices_adj_to_face()[face.first_vertex_or_edge as usize] as usize];
        let is_on = |p: &&Vec3| normal.dot(&(*p - first)).abs() <= COPLANAR * size;
        let mut corners: Vec<Vec3> = points.iter().filter(is_on).copied().collect();
        let middle = corners.iter().sum::<Vec3>() / corners.len().max(1) as Real;
        let [u, v] = across(&normal);
        let angle = |p: &Vec3| atan2(v.dot(&(p - middle)), u.dot(&(p - middle)));
        corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        Face { normal, corners }
    });
    all.collect()
}

/// The face that looks most in a direction.
fn facing<'a>(faces: &'a [Face], direction: &Vec3) -> Option<&'a Face> {
    let looking = |face: &Face| face.normal.dot(direction);
    faces.iter().reduce(|best, face| if looking(face) > looking(best) { face } else { best })
}

fn edges(face: &[Flat]) -> impl Iterator<Item = [Flat; 2]> {
    (0..face.len()).map(|k| [face[k], face[(k + 1) % face.len()]])
}

/// (b - a) x (p - a), across the normal.
fn side([a, b]: [Flat; 2], p: &Flat) -> Real {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Whether the projection of a vertex lies within that of a convex face, of either orientation.
fn is_within(face: &[Flat], vertex: &Flat) -> bool {
    let beside = |[a, b]: [Flat; 2]| BESIDE * ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2));
    let on = |sign: Real| edges(face).all(|edge| sign * side(edge, vertex) >= -beside(edge));
    on(1.0) || on(-1.0)
}

/// Where two edges cross, as fractions of both; `None` if they don't.
fn crossing(a: [Flat; 2], b: [Flat; 2]) -> Option<[Real; 2]> {
    let [a0, a1] = [side(b, &a[0]), side(b, &a[1])];
    let [b0, b1] = [side(a, &b[0]), side(a, &b[1])];
    let crossed = a0 * a1 < 0.0 && b0 * b1 < 0.0;
    crossed.then(|| [a0 / (a0 - a1), b0 / (b0 - b1)])
}
