//! Slid geometry: where on the body a point of the skin is now. A hair root, a decal or a mole belongs to the material;
//! this is the inverse of the map from vertices to material points.
//!
//! Between its vertices a body triangle carries the skin of its image: the smooth patch through the three material
//! points at its corners, perpendicular to the rest surface there, over the same weights. A point y of the rest surface
//! is found by y = c(w) + s n(w), with c the patch and n the interpolated normals: "Phong projection" (Panozzo et al.,
//! "Weighted averages on surfaces", 2013) onto a curved surface. Neighbouring images share an edge and the normals on
//! it, so the answer is continuous; for skin at rest the image is the rest surface and the answer is the point itself.

use super::curved::{Curved, border_directions, sides_of};
use super::model::Model;
use super::plane::Turn;
use super::rest::Rest;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::measure::{corner_angles, triangle_area_vector};
use sinew_geometry::{Closest, ClosestPoint, Frame, SurfacePoint, TriMesh};
use sinew_math::{Mat2, Mat3, Mat3x2, Real, Vec2, Vec3, svd2};

/// Where a point of the skin is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slid {
    /// The point on the body.
    pub on: SurfacePoint,
    /// Whether the body carries this skin. If not, it has slid off across a border, and `on` is the nearest skin left.
    pub inside: bool,
    /// The distance at rest between the skin point and the skin at `on`; inside it is an error of the surface's
    /// smoothness, far below an edge length.
    pub distance: Real,
}

impl Slid {
    /// A point of skin on the body at rest: the start of the first search.
    pub fn at_rest(point: SurfacePoint) -> Self {
        Slid { on: point, inside: true, distance: 0.0 }
    }
}

/// The orientation and stretch of something that rides on the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ride {
    /// The point on the body.
    pub position: Vec3,
    /// The rotation of the skin there since rest; it takes the rest surface's normal to the body's.
    pub turn: Mat3,
    /// Ratios of current length to length at rest, the larger and the smaller; painted prestrain is not included.
    pub stretches: [Real; 2],
    /// The direction of the larger ratio on the body, of unit length.
    pub direction: Vec3,
}

impl Default for Ride {
    fn default() -> Self {
        Ride {
            position: Vec3::zeros(),
            turn: Mat3::identity(),
            stretches: [1.0; 2],
            direction: Vec3::zeros(),
        }
    }
}

/// Points outside a triangle by less than this count as inside, so that those on an edge do not fall between.
const SLACK: Real = 1e-10;
/// This close to an edge the neighbours are checked too, and the answer is the first of all triangles that contain the
/// point: it must not depend on where the search began.
const NEAR_EDGE: Real = 1e-9;
/// Triangles that a search walks through before it falls back to the tree.
const MAX_WALK: usize = 64;

/// The image of the body's triangles on the skin at rest; reused memory.
pub struct Image {
    /// The triangles with the positions of the skin points at their corners.
    mesh: TriMesh,
    normals: Vec<Vec3>,
    /// The tangents of its borders.
    borders: Vec<Vec3>,
    tree: ClosestPoint,
    /// Whether the tree is up to date.
    fitted: bool,
    body_normals: Vec<Vec3>,
    found: Vec<bool>,
    lost: Vec<(u32, Slid)>,
}

/// A solution in one triangle, or where to continue.
enum Answer {
    Here(Slid),
    /// Leave across the side opposite the first of these corners or, if that is a border, opposite the second.
    Over([usize; 2]),
    Nowhere,
}

/// A point to be found.
struct Wanted {
    place: Vec3,
    outward: Vec3,
}

impl Wanted {
    fn new(rest: &Rest, point: &SurfacePoint) -> Self {
        match vertex_of(rest, point) {
            Some(v) => Wanted { place: rest.mesh().positions[v], outward: rest.vertex_normal(v) },
            None => Wanted { place: rest.place(point), outward: rest.outward(point) },
        }
    }
}

/// The vertex that a point coincides with.
fn vertex_of(rest: &Rest, point: &SurfacePoint) -> Option<usize> {
    let corner = point.weights.iter().position(|w| *w == 1.0)?;
    Some(rest.mesh().triangles[point.triangle as usize][corner] as usize)
}

/// Skin points for positions near the surface at rest: the closest points of its facets.
pub fn bind(model: &Model, places: &[Vec3]) -> Result<Vec<SurfacePoint>> {
    let tree = ClosestPoint::new(model.rest.mesh())?;
    let found: Vec<_> = places.par_iter().map(|p| tree.find(p, Real::INFINITY)).collect();
    let lost = || Error::new(Kind::NotFinite, "a position to bind to the skin is not finite");
    found.into_iter().map(|c| c.map(|c| c.on).ok_or_else(lost)).collect()
}

impl Image {
    /// For a model; [`Image::update`] must follow.
    pub fn new(model: &Model) -> Result<Self> {
        let mesh = model.rest.mesh().clone();
        let n = mesh.positions.len();
        Ok(Image {
            tree: ClosestPoint::new(&mesh)?,
            mesh,
            normals: vec![Vec3::zeros(); n],
            borders: vec![Vec3::zeros(); n],
            fitted: false,
            body_normals: vec![Vec3::zeros(); n],
            found: Vec::new(),
            lost: Vec::new(),
        })
    }

    /// The skin has moved: `skin` are the material points at the body's vertices.
    pub fn update(&mut self, model: &Model, skin: &[SurfacePoint]) -> Result<()> {
        count("points of skin", skin.len(), self.normals.len())?;
        let each = self.mesh.positions.par_iter_mut().zip(skin).with_min_len(512);
        each.for_each(|(place, point)| *place = model.rest.place(point));
        self.turn(model, skin);
        Ok(())
    }

    /// The same, with known positions at rest of the skin points.
    pub fn update_placed(&mut self, model: &Model, skin: &[SurfacePoint], placed: &[Vec3]) -> Result<()> {
        count("points of skin", skin.len(), self.normals.len())?;
        count("places of skin", placed.len(), self.normals.len())?;
        self.mesh.positions.copy_from_slice(placed);
        self.turn(model, skin);
        Ok(())
    }

    /// The border tangents that belong to the positions.
    fn turn(&mut self, model: &Model, skin: &[SurfacePoint]) {
        let each = self.normals.par_iter_mut().zip(skin).with_min_len(512);
        each.for_each(|(normal, point)| {
            *normal = match vertex_of(&model.rest, point) {
                // Compared bit for bit, to detect skin at its original position.
                Some(v) => model.rest.vertex_normal(v),
                None => model.rest.normal(point),
            };
        });
        border_directions(model.rest.edges(), &self.mesh.positions, &self.normals, &mut self.borders);
        self.fitted = false;
    }

    /// Finds the positions of skin points. `slid` holds the last answers, where the search begins, or
    /// [`Slid::at_rest`].
    ///
    /// Where the skin covers the body once, the answer depends on the skin alone. Where it is folded so that several
    /// body points carry the same skin point, the answer is the first one met by a walk from the last answer; flipped
    /// triangles are used only if no other carries the point, and then the nearest flat triangle is the answer.
    pub fn find(&mut self, model: &Model, points: &[SurfacePoint], slid: &mut [Slid]) -> Result<()> {
        count("places", slid.len(), points.len())?;
        self.found.resize(points.len(), false);
        let mut found = std::mem::take(&mut self.found);
        let this = &*self;
        let each = found.par_iter_mut().zip(&mut *slid).zip(points).with_min_len(256);
        each.for_each(|((found, slid), point)| {
            let answer = this.at_home(model, point).or_else(|| {
                let (wanted, last) = (Wanted::new(&model.rest, point), slid.on.triangle);
                let aimed = this.aim(model, &wanted, last);
                let found = aimed.and_then(|start| this.walk(model, &wanted, start, MAX_WALK));
                found.or_else(|| this.walk(model, &wanted, last, MAX_WALK))
            });
            *found = answer.is_some();
            *slid = answer.unwrap_or(*slid);
        });
        self.lost.clear();
        let lost = (0..points.len()).filter(|&k| !found[k]);
        self.lost.extend(lost.map(|k| (k as u32, slid[k])));
        self.found = found;
        self.find_lost(model, points);
        self.lost.iter().for_each(|(k, answer)| slid[*k as usize] = *answer);
        Ok(())
    }

    fn find_lost(&mut self, model: &Model, points: &[SurfacePoint]) {
        if !self.lost.is_empty() && !self.fitted {
            self.tree.refit(&self.mesh);
            self.fitted = true;
        }
        let mut lost = std::mem::take(&mut self.lost);
        lost.par_iter_mut().with_min_len(64).for_each(|(k, slid)| {
            let wanted = Wanted::new(&model.rest, &points[*k as usize]);
            if let Some(closest) = self.tree.find(&wanted.place, Real::INFINITY) {
                let walked = self.walk(model, &wanted, closest.on.triangle, MAX_WALK);
                let better = walked.filter(|w| w.distance <= closest.distance + model.rest.mean_edge());
                *slid = better.unwrap_or_else(|| self.nearest(model, &closest));
            }
        });
        self.lost = lost;
    }

    /// The tree's answer: off the body if the nearest part is a border, or far away.
    fn nearest(&self, model: &Model, closest: &Closest) -> Slid {
        let edges = model.rest.edges();
        let corners = self.mesh.triangles[closest.on.triangle as usize];
        // The first half-edge around a border vertex is the one along the border.
        let outermost = |v: u32| edges.around(v).next().is_none_or(|h| edges.twin(h).is_none());
        let at_corner = (0..3).find(|&k| closest.on.weights[k] == 1.0);
        let off =
            model.rest.border_side(&closest.on).is_some() || at_corner.is_some_and(|k| outermost(corners[k]));
        let near = closest.distance <= longest(&self.mesh.points(closest.on.triangle as usize));
        Slid { on: closest.on, inside: near && !off, distance: closest.distance }
    }

    /// A vertex that carries its own skin: no other point is closer. `None` if that has to be searched for.
    fn at_home(&self, model: &Model, point: &SurfacePoint) -> Option<Slid> {
        let rest = &model.rest;
        let vertex = vertex_of(rest, point)?;
        let home = self.mesh.positions[vertex] == rest.mesh().positions[vertex]
            && self.normals[vertex] == rest.vertex_normal(vertex)
            && rest.vertex(vertex)?.triangle == point.triangle;
        if !home {
            return None;
        }
        let [a, b, c] = self.mesh.points(point.triangle as usize);
        cramer(&(b - a), &(c - a), &self.normals[vertex], &Vec3::zeros()).map(|_| Slid::at_rest(*point))
    }

    /// The triangle that the line from a point along its normal meets, treating all as flat: the walk from there is
    /// short.
    fn aim(&self, model: &Model, wanted: &Wanted, start: u32) -> Option<u32> {
        let mut at = start;
        for _ in 0..MAX_WALK {
            if at as usize >= self.mesh.triangles.len() {
                return None;
            }
            let [a, b, c] = self.mesh.points(at as usize);
            let found = cramer(&(b - a), &(c - a), &wanted.outward, &(wanted.place - a))?;
            let w = [1.0 - found.x - found.y, found.x, found.y];
            let mut lowest = if w[1] < w[0] { 1 } else { 0 };
            lowest = if w[2] < w[lowest] { 2 } else { lowest };
            if w[lowest] >= -SLACK {
                return Some(at);
            }
            at = model.rest.edges().twin(3 * at + (lowest as u32 + 1) % 3)? / 3;
        }
        None
    }

    /// Walks across triangles towards a point.
    fn walk(&self, model: &Model, wanted: &Wanted, start: u32, steps: usize) -> Option<Slid> {
        let edges = model.rest.edges();
        let mut at = start;
        if at as usize >= self.mesh.triangles.len() {
            return None;
        }
        for _ in 0..steps {
            match self.solve(model, wanted, at) {
                Answer::Here(slid) => return Some(self.first(model, wanted, slid)),
                Answer::Over(corners) => {
                    let over = |k: &usize| edges.twin(3 * at + ((k + 1) % 3) as u32);
                    at = corners.iter().find_map(over)? / 3;
                }
                Answer::Nowhere => return None,
            }
        }
        None
    }

    /// The first of the triangles that contain a point on an edge.
    fn first(&self, model: &Model, wanted: &Wanted, slid: Slid) -> Slid {
        let (at, weights) = (slid.on.triangle, slid.on.weights);
        if weights.iter().all(|w| *w > NEAR_EDGE) {
            return slid;
        }
        // All triangles at an edge are among those around the nearer of its ends.
        let corner = (0..3).max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap_or(0);
        let vertex = self.mesh.triangles[at as usize][corner];
        let edges = model.rest.edges();
        let mut best = slid;
        for triangle in edges.around(vertex).map(|h| edges.face(h)) {
            if triangle < best.on.triangle
                && let Answer::Here(other) = self.solve(model, wanted, triangle)
            {
                best = other;
            }
        }
        best
    }

    /// The smooth image of a triangle.
    fn patch(&self, model: &Model, triangle: u32) -> Curved {
        let corners = self.mesh.triangles[triangle as usize];
        let sides = sides_of(model.rest.edges(), triangle as usize, corners, &self.borders);
        Curved::new(self.mesh.points(triangle as usize), corners.map(|v| self.normals[v as usize]), &sides)
    }

    /// Newton's method for y = c(w) + s n(w), starting where the flat triangle meets the line along its middle normal:
    /// the answer has no memory.
    fn solve(&self, model: &Model, wanted: &Wanted, triangle: u32) -> Answer {
        let corners = self.mesh.triangles[triangle as usize].map(|v| v as usize);
        let places = corners.map(|v| self.mesh.positions[v]);
        let normals = corners.map(|v| self.normals[v]);
        let (mut w, mut s) = ([1.0 / 3.0; 3], 0.0);
        let [a, b, c] = places;
        let middle = normals[0] + normals[1] + normals[2];
        if let Some(flat) = cramer(&(b - a), &(c - a), &middle, &(wanted.place - a)) {
            w = [1.0 - flat.x - flat.y, flat.x, flat.y];
            s = 3.0 * flat.z;
            // As below.
            if w.iter().any(|w| *w < -0.5) {
                return over(&w);
            }
        }
        let curved = self.patch(model, triangle);
        for _ in 0..12 {
            let normal = normals[0] * w[0] + normals[1] * w[1] + normals[2] * w[2];
            let (place, [a, b, c]) = curved.by_weights(&w);
            let second = b - a + (normals[1] - normals[0]) * s;
            let third = c - a + (normals[2] - normals[0]) * s;
            let left = wanted.place - place - normal * s;
            let Some(step) = cramer(&second, &third, &normal, &left) else { return Answer::Nowhere };
            w[1] += step.x;
            w[2] += step.y;
            w[0] = 1.0 - w[1] - w[2];
            s += step.z;
            // This far outside the patch the surface is no longer valid, but the direction is right.
            if w.iter().any(|w| *w < -0.5) {
                return over(&w);
            }
            // The next step would be about its square.
            if step.x.abs().max(step.y.abs()) < 1e-8 {
                if w.iter().any(|w| *w < -SLACK) {
                    return over(&w);
                }
                let distance = s.abs() * normal.norm();
                let meant = wanted.outward.dot(&normal) > 0.0 && distance <= longest(&places);
                return if meant { here(triangle, w, distance) } else { Answer::Nowhere };
            }
        }
        Answer::Nowhere
    }

    /// The material at any point of the body: where c(w) + s n(w) meets the rest surface. [`Image::find`] is the
    /// inverse. Where the body extends beyond the skin's border it carries the border. `skin` is that of
    /// [`Image::update`].
    pub fn skin_at(&self, model: &Model, skin: &[SurfacePoint], on: &SurfacePoint) -> SurfacePoint {
        let corners = self.mesh.triangles[on.triangle as usize].map(|v| v as usize);
        let normals = corners.map(|v| self.normals[v]);
        let place = self.patch(model, on.triangle).place(&on.weights);
        let normal = on.mix(normals);
        let nearest = (0..3).max_by(|a, b| on.weights[*a].total_cmp(&on.weights[*b])).unwrap_or(0);
        let mut point = skin[corners[nearest]];
        for _ in 0..30 {
            let tangents = model.rest.tangents(&point);
            let left = place - model.rest.place(&point);
            let columns = [tangents.column(0).into_owned(), tangents.column(1).into_owned()];
            let Some(step) = cramer(&columns[0], &columns[1], &normal, &left) else { break };
            let step = Vec2::new(step.x, step.y);
            point = model.rest.go(&point, step);
            if step.norm() <= 1e-13 * model.rest.mean_edge() {
                break;
            }
        }
        point
    }

    /// The poses of the found points on a body. `points` and `slid` are those of [`Image::find`].
    pub fn ride(
        &mut self,
        model: &Model,
        body: &[Vec3],
        points: &[SurfacePoint],
        slid: &[Slid],
        out: &mut [Ride],
    ) -> Result<()> {
        count("positions of the body", body.len(), self.normals.len())?;
        count("places", slid.len(), points.len())?;
        count("rides", out.len(), points.len())?;
        let triangles = &self.mesh.triangles;
        let each = self.body_normals.par_iter_mut().with_min_len(256).enumerate();
        each.for_each(|(v, normal)| *normal = vertex_normal(model, body, v));
        let (image, normals) = (&self.mesh, &self.body_normals);
        let each = out.par_iter_mut().zip(points).zip(slid).with_min_len(256);
        each.for_each(|((ride, point), slid)| {
            let corners = triangles[slid.on.triangle as usize].map(|v| v as usize);
            let here = corners.map(|v| body[v]);
            let there = image.points(slid.on.triangle as usize);
            let smooth = [slid.on.mix(corners.map(|v| normals[v])), model.rest.outward(point)];
            *ride = lie(here, there, smooth).unwrap_or_default();
            ride.position = slid.on.mix(here);
        });
        Ok(())
    }
}

fn count(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::new(Kind::CountMismatch, format!("{found} {what}; {expected} are expected")))
}

/// Towards the most negative weight, or the second most negative.
fn over(w: &[Real; 3]) -> Answer {
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| w[*a].total_cmp(&w[*b]));
    // If the second is not negative it is no way out: the first again.
    let second = if w[order[1]] < 0.0 { order[1] } else { order[0] };
    Answer::Over([order[0], second])
}

fn here(triangle: u32, w: [Real; 3], distance: Real) -> Answer {
    let w = w.map(|w| w.max(0.0));
    let sum = w[0] + w[1] + w[2];
    let on = SurfacePoint { triangle, weights: w.map(|w| w / sum) };
    Answer::Here(Slid { on, inside: true, distance })
}

fn longest(p: &[Vec3; 3]) -> Real {
    (p[1] - p[0]).norm().max((p[2] - p[1]).norm()).max((p[0] - p[2]).norm())
}

/// The coefficients of three vectors that sum to a fourth (Cramer's rule); `None` if the first two are clockwise as
/// seen from the tip of the third, or span nothing.
#[inline]
fn cramer(a: &Vec3, b: &Vec3, c: &Vec3, sum: &Vec3) -> Option<Vec3> {
    let ab = a.cross(b);
    let volume = ab.dot(c);
    // Nearly perpendicular to the third, or a sliver: the remaining volume is round-off.
    let least = 1e-24 * a.norm_squared() * b.norm_squared() * c.norm_squared();
    let sound = volume > 0.0 && volume * volume > least;
    sound.then(|| Vec3::new(sum.dot(&b.cross(c)), sum.dot(&c.cross(a)), ab.dot(sum)) / volume)
}

/// The body's unit normal at a vertex, triangles weighted by their angles.
fn vertex_normal(model: &Model, body: &[Vec3], vertex: usize) -> Vec3 {
    let edges = model.rest.edges();
    let of = |h: u32| {
        let p = [h, edges.next(h), edges.previous(h)].map(|h| body[edges.origin(h) as usize]);
        let normal = triangle_area_vector(p).try_normalize(0.0).unwrap_or_default();
        normal * corner_angles(p)[0]
    };
    edges.around(vertex as u32).map(of).sum::<Vec3>().try_normalize(0.0).unwrap_or_default()
}

/// The rotation and stretch between a triangle of skin and the body's; `smooth` holds the normals on the body and at
/// rest.
fn lie(here: [Vec3; 3], there: [Vec3; 3], smooth: [Vec3; 2]) -> Option<Ride> {
    let frames = [Frame::of_triangle(here)?, Frame::of_triangle(there)?];
    let flat =
        |f: &Frame, p: [Vec3; 3]| Mat2::from_columns(&[f.flatten(&(p[1] - p[0])), f.flatten(&(p[2] - p[0]))]);
    let svd = svd2(&(flat(&frames[0], here) * flat(&frames[1], there).try_inverse()?));
    let turned = svd.u * svd.v.transpose();
    let smooth: [Vec3; 2] = std::array::from_fn(|k| smooth[k].try_normalize(0.0).unwrap_or(frames[k].normal));
    // The axes of each facet, tilted into the smooth surface's tangent plane.
    let tilted = |k: usize| {
        let turn = Turn::new(&frames[k].normal, &smooth[k])?;
        Some([turn.turn(&frames[k].tangent), turn.turn(&frames[k].bitangent)])
    };
    let ([a, b], [c, d]) = (tilted(0)?, tilted(1)?);
    let plane = Mat3x2::from_columns(&[a, b]);
    let axes = plane * turned;
    let now = Mat3::from_columns(&[axes.column(0).into_owned(), axes.column(1).into_owned(), smooth[0]]);
    let rest = Mat3::from_columns(&[c, d, smooth[1]]);
    Some(Ride {
        position: Vec3::zeros(),
        turn: now * rest.transpose(),
        stretches: [svd.s.x, svd.s.y.abs()],
        direction: plane * svd.u.column(0),
    })
}

#[cfg(test)]
mod tests;
