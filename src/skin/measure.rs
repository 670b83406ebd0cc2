//! What the skin does at one moment: stretch, tension, wrinkles, slide, and its load on the body.
//!
//! Everything is measured between the skin at ease and the body now, F = dx/dX times the prestretch, so that a painted
//! prestrain shows as stretch. A triangle's numbers are constant over it, as they are in the energy. Signs of directions
//! mean nothing: an axis points both ways.

use super::membrane::{Strained, metric, symmetric};
use super::model::{Model, Painted};
use super::tangent::{Turn, way_on_skin};
use crate::energy::{Energy, Material};
use crate::error::{Error, Kind, Result};
use crate::geometry::measure::{corner_angles, triangle_area_vector};
use crate::geometry::{Frame, SurfacePoint};
use crate::math::{Mat2, Mat3, Mat3x2, Real, Vec2, Vec3, svd2};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Where the skin is too long in one direction for the body under it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrinkles {
    /// The part of the length across the crests that has to go somewhere: 0.1 where 1.1 m of skin lie on 1 m of body.
    pub excess: Real,
    /// The direction of the crests on the body, of unit length; zero without wrinkles.
    pub crests: Vec3,
}

impl Wrinkles {
    /// How high waves are, from the middle to the crest, as a part of their length.
    ///
    /// A sine of amplitude a and wavelength L is longer than L by the part e = k^2/4 - 3 k^4/64 + O(k^6), k = 2 pi a / L
    /// (the series of the mean of sqrt(1 + k^2 cos^2), an elliptic integral); reversed, k^2 = 4 e + 3 e^2. The amplitude
    /// is 0.05 % too high at an excess of 0.1, 0.7 % at 0.5, 1.7 % at 1; sqrt(e) / pi is 3 %, 14 % and 22 % too low.
    pub fn amplitude(&self) -> Real {
        (self.excess + 0.75 * self.excess * self.excess).sqrt() / PI
    }
}

/// The state of a triangle of skin, or the mean around a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Length now by length at ease, the larger and the smaller.
    pub stretches: [Real; 2],
    /// Their directions on the body, of unit length; zero where there is no skin to measure.
    pub directions: [Vec3; 2],
    /// The principal tensions in N/m, the larger and the smaller: Cauchy's stress times the thickness now.
    pub tensions: [Real; 2],
    /// The direction of the larger tension on the body.
    pub pull: Vec3,
    /// Wrinkles.
    pub wrinkles: Wrinkles,
}

impl Default for Measure {
    fn default() -> Self {
        Measure {
            stretches: [1.0; 2],
            directions: [Vec3::zeros(); 2],
            tensions: [0.0; 2],
            pull: Vec3::zeros(),
            wrinkles: Wrinkles::default(),
        }
    }
}

impl Measure {
    /// Green's strain along the two directions, (stretch^2 - 1) / 2.
    pub fn strains(&self) -> [Real; 2] {
        self.stretches.map(|s| 0.5 * (s * s - 1.0))
    }
}

/// How far the skin is from where it was at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slide {
    /// The straight distance at rest between the skin that is at the body vertex now and the vertex.
    pub distance: Real,
    /// The vector on the body now, at the vertex, from the vertex to where its own skin is, to first order:
    /// -dx/dX (X - X0), with X - X0 laid into the plane of the skin.
    pub way: Vec3,
}

/// What the skin does to the body at a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// The part at right angles to the body in N; positive pulls outwards.
    pub normal: Real,
    /// The part along the body in N. It vanishes where the skin slides freely and is at rest.
    pub along: Vec3,
    /// The whole force in N.
    pub force: Vec3,
    /// The body's area that belongs to the vertex.
    pub area: Real,
}

impl Load {
    /// How strongly the skin presses on the body, in Pa.
    pub fn pressure(&self) -> Real {
        if self.area > 0.0 { -self.normal / self.area } else { 0.0 }
    }
}

/// All measures of one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// By triangle. One without area, at rest or on the body, has the default.
    pub triangles: Vec<Measure>,
    /// By vertex: the mean of the triangles by their areas on the body, each laid into the vertex's tangent plane.
    pub vertices: Vec<Measure>,
    /// By vertex.
    pub slides: Vec<Slide>,
    /// By vertex. The membrane's forces, those of triangles that are held at all corners too; weight and inertia of the
    /// skin are not in them.
    pub loads: Vec<Load>,
    /// The largest stretch of any triangle.
    pub largest: Real,
    /// That triangle; the first of equals.
    pub largest_at: u32,
}

/// What the vertices need from a triangle.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    normal: Vec3,
    area: Real,
    angles: [Real; 3],
    forces: [Vec3; 3],
    /// dx/dX, times the area at rest by which vertices take its mean.
    map: Mat3,
    weight: Real,
}

/// Measures the skin of one model; reused memory.
pub struct Gauge {
    /// Skin bears so much excess before it wrinkles.
    pub wrinkles_from: Real,
    /// Each vertex's first corner, and the end.
    starts: Vec<u32>,
    /// Corners by vertex: three times the triangle plus the place in it.
    corners: Vec<u32>,
    /// By vertex: the place at rest of the skin there, and what is painted on it.
    placed: Vec<(Vec3, Painted)>,
    pieces: Vec<Piece>,
}

impl Gauge {
    /// For a model.
    pub fn new(model: &Model) -> Self {
        let triangles = &model.rest.mesh().triangles;
        let mut starts = vec![0; model.len() + 1];
        triangles.iter().flatten().for_each(|&v| starts[v as usize + 1] += 1);
        (0..model.len()).for_each(|v| starts[v + 1] += starts[v]);
        let mut next = starts.clone();
        let mut corners = vec![0; 3 * triangles.len()];
        for (corner, &v) in triangles.iter().flatten().enumerate() {
            corners[next[v as usize] as usize] = corner as u32;
            next[v as usize] += 1;
        }
        let pieces = vec![Piece::default(); triangles.len()];
        Gauge { wrinkles_from: 0.0, starts, corners, placed: Vec::new(), pieces }
    }

    /// Measures the skin points `skin` on a body.
    pub fn measure(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        body: &[Vec3],
        out: &mut Measures,
    ) -> Result<()> {
        check(model, skin, body)?;
        let triangles = &model.rest.mesh().triangles;
        out.triangles.resize(triangles.len(), Measure::default());
        out.vertices.resize(model.len(), Measure::default());
        out.slides.resize(model.len(), Slide::default());
        out.loads.resize(model.len(), Load::default());
        let at = |point: &SurfacePoint| (model.rest.place(point), model.painted(point));
        skin.par_iter().with_min_len(256).map(at).collect_into_vec(&mut self.placed);
        let (from, placed) = (self.wrinkles_from, &self.placed);
        let each = self.pieces.par_iter_mut().zip(&mut out.triangles).with_min_len(256).enumerate();
        each.for_each(|(t, (piece, measure))| {
            let found = of_triangle(model, placed, body, t, from);
            (*piece, *measure) = found.unwrap_or_default();
        });
        let this = &*self;
        let measured = &out.triangles;
        let each = out.vertices.par_iter_mut().zip(&mut out.slides).zip(&mut out.loads);
        each.with_min_len(256).enumerate().for_each(|(v, ((measure, slide), load))| {
            let frame = this.frame(v);
            *measure = frame.map_or_else(Measure::default, |frame| this.mean(v, &frame, measured));
            *slide = this.slide(model, skin, v, frame.as_ref());
            *load = this.load(v, frame.as_ref());
        });
        (out.largest, out.largest_at) = (0.0, 0);
        for (t, measure) in out.triangles.iter().enumerate() {
            if measure.stretches[0] > out.largest {
                (out.largest, out.largest_at) = (measure.stretches[0], t as u32);
            }
        }
        Ok(())
    }

    fn corners_of(&self, vertex: usize) -> impl Iterator<Item = (&Piece, usize, usize)> {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.corners[range].iter().map(|&c| {
            let (triangle, k) = (c as usize / 3, c as usize % 3);
            (&self.pieces[triangle], triangle, k)
        })
    }

    /// A frame in the body's tangent plane at a vertex.
    fn frame(&self, vertex: usize) -> Option<Frame> {
        let sum: Vec3 = self.corners_of(vertex).map(|(p, _, k)| p.normal * p.angles[k]).sum();
        let normal = sum.try_normalize(0.0)?;
        // The axis that is most nearly in the plane.
        Frame::new(normal, Vec3::ith(normal.iamin(), 1.0))
    }

    fn mean(&self, vertex: usize, frame: &Frame, measured: &[Measure]) -> Measure {
        let (mut stretch, mut tension, mut excess) = (Mat2::zeros(), Mat2::zeros(), Mat2::zeros());
        let mut area = 0.0;
        for (piece, triangle, _) in self.corners_of(vertex) {
            let Some(turn) = Turn::new(&piece.normal, &frame.normal) else { continue };
            let flat = |d: &Vec3| frame.flatten(&turn.turn(d));
            let m = &measured[triangle];
            let tensor = |first: &Vec3, [a, b]: [Real; 2]| {
                let first = flat(first);
                let second = Vec2::new(-first.y, first.x);
                first * first.transpose() * a + second * second.transpose() * b
            };
            stretch += tensor(&m.directions[0], m.stretches) * piece.area;
            tension += tensor(&m.pull, m.tensions) * piece.area;
            excess += tensor(&m.wrinkles.crests, [0.0, m.wrinkles.excess]) * piece.area;
            area += piece.area;
        }
        if area <= 0.0 {
            return Measure::default();
        }
        let (stretches, first) = principal(&(stretch / area));
        let (tensions, pull) = principal(&(tension / area));
        let ([excess, _], across) = principal(&(excess / area));
        let lift = |d: Vec2| frame.lift(&d);
        Measure {
            stretches,
            directions: [lift(first), lift(Vec2::new(-first.y, first.x))],
            tensions,
            pull: lift(pull),
            wrinkles: wrinkles(excess, lift(Vec2::new(-across.y, across.x))),
        }
    }

    fn slide(&self, model: &Model, skin: &[SurfacePoint], vertex: usize, frame: Option<&Frame>) -> Slide {
        let (Some(home), Some(frame)) = (model.rest.vertex(vertex), frame) else { return Slide::default() };
        let distance = (self.placed[vertex].0 - model.rest.mesh().positions[vertex]).norm();
        let weight: Real = self.corners_of(vertex).map(|(p, ..)| p.weight).sum();
        if distance == 0.0 || weight <= 0.0 {
            return Slide::default();
        }
        let map: Mat3 = self.corners_of(vertex).map(|(p, ..)| p.map).sum();
        let way = map * way_on_skin(&model.rest, &home, &skin[vertex]) / -weight;
        Slide { distance, way: way - frame.normal * frame.normal.dot(&way) }
    }

    fn load(&self, vertex: usize, frame: Option<&Frame>) -> Load {
        let force: Vec3 = self.corners_of(vertex).map(|(p, _, k)| p.forces[k]).sum();
        let area = self.corners_of(vertex).map(|(p, ..)| p.area / 3.0).sum();
        let normal = frame.map_or_else(Vec3::zeros, |f| f.normal);
        let out = normal.dot(&force);
        Load { normal: out, along: force - normal * out, force, area }
    }
}

fn check(model: &Model, skin: &[SurfacePoint], body: &[Vec3]) -> Result<()> {
    let n = model.len();
    if skin.len() != n || body.len() != n {
        let message =
            format!("{} points of skin and {} of the body for {n} vertices", skin.len(), body.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    match body.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        Some(v) => Err(Error::new(Kind::NotFinite, "the position of the body is not finite").vertex(v)),
        None => Ok(()),
    }
}

/// The eigenvalues of a symmetric matrix, the larger first, and the direction of the larger.
fn principal(m: &Mat2) -> ([Real; 2], Vec2) {
    let (mean, half) = (0.5 * (m.m11 + m.m22), 0.5 * (m.m11 - m.m22));
    let radius = half.hypot(m.m12);
    let (sin, cos) = (0.5 * m.m12.atan2(half)).sin_cos();
    ([mean + radius, mean - radius], Vec2::new(cos, sin))
}

fn wrinkles(excess: Real, crests: Vec3) -> Wrinkles {
    if excess > 0.0 { Wrinkles { excess, crests } } else { Wrinkles::default() }
}

/// F of a triangle, its stress and what follows from them.
///
/// With w = thickness (area at rest) and p the prestretch, dW = w S : dE gives at fixed material points the force on
/// the body -dW/dx_k = -w p F S grad N_k, and the tension F S F^T w / (area now).
fn of_triangle(
    model: &Model,
    placed: &[(Vec3, Painted)],
    body: &[Vec3],
    triangle: usize,
    wrinkles_from: Real,
) -> Option<(Piece, Measure)> {
    if !model.rest.has_area(triangle) {
        return None;
    }
    let corners = model.rest.mesh().triangles[triangle].map(|v| v as usize);
    let here = corners.map(|v| body[v]);
    let there = corners.map(|v| placed[v].0);
    let patch = model.patch_of(metric(here), corners.map(|v| &placed[v].1));
    let at_rest = Mat3x2::from_columns(&[there[1] - there[0], there[2] - there[0]]);
    let strained = Strained::new(&at_rest, &patch)?;
    let frame = Frame::of_triangle(here)?;
    let slopes = strained.slopes();
    let gradient = (here[1] - here[0]) * slopes[1].transpose() + (here[2] - here[0]) * slopes[2].transpose();
    let mapped: Mat3 = gradient * strained.frame.transpose();
    let gradient: Mat3x2 = gradient * patch.prestretch;
    let material = &model.settings.material;
    let [s11, s22, s12] = material.gradient(&strained.strain);
    let stress = symmetric(&[s11, s22, 0.5 * s12]);
    let weight = patch.thickness * strained.area;
    let forces = slopes.map(|slope| gradient * (stress * slope) * (-weight * patch.prestretch));
    let area = triangle_area_vector(here).norm();
    let of_rest = model.rest.areas()[triangle];
    let (angles, map) = (corner_angles(here), mapped * of_rest);
    let piece = Piece { normal: frame.normal, area, angles, forces, map, weight: of_rest };
    let plane = Mat3x2::from_columns(&[frame.tangent, frame.bitangent]);
    let flat: Mat2 = plane.transpose() * gradient;
    let (tensions, pull) = principal(&(flat * stress * flat.transpose() * (weight / area)));
    let svd = svd2(&flat);
    let directions = [0, 1].map(|k| plane * svd.u.column(k));
    let stretches = [svd.s.x, svd.s.y.abs()];
    let excess = natural_width(material, &strained, stretches, [0, 1].map(|k| svd.v.column(k).into_owned()))
        / stretches[1]
        - 1.0;
    let excess = if excess.is_finite() { excess - wrinkles_from } else { 0.0 };
    let wrinkles = wrinkles(excess, directions[0]);
    Some((piece, Measure { stretches, directions, tensions, pull: plane * pull, wrinkles }))
}

/// The smaller stretch at which the membrane would push no more across the larger one (tension field theory: Roddeman et
/// al., "The wrinkling of thin membranes", 1987, with the crests along the larger stretch): 1 when the larger one is at
/// most 1, less when the skin is drawn out and so narrower by itself; the stretch as it is when it does not push.
fn natural_width(material: &Material, strained: &Strained, stretches: [Real; 2], axes: [Vec2; 2]) -> Real {
    let square = |d: &Vec2| [d.x * d.x, d.y * d.y, d.x * d.y];
    let (along, across) = (square(&axes[0]), square(&axes[1]));
    let [large, small] = stretches.map(|s| 0.5 * (s * s - 1.0));
    if small >= 0.0 {
        return stretches[1];
    }
    // Skin that is too long both ways bulges along the larger stretch too.
    let bulge = (-large).max(0.0);
    let push = |grown: Real| {
        let strain = std::array::from_fn(|k| strained.strain[k] + bulge * along[k] + grown * across[k]);
        let (s, h) = (material.gradient(&strain), material.hessian(&strain));
        let dot = |row: &[Real; 3]| row[0] * across[0] + row[1] * across[1] + row[2] * across[2];
        (dot(&s), dot(&h.map(|row| dot(&row))))
    };
    // The answer is between the stretch as it is, where it pushes, and 1, where it pulls.
    let (mut low, mut high) = (0.0, -small);
    if push(low).0 >= 0.0 {
        return stretches[1];
    }
    let mut grown = high;
    for _ in 0..50 {
        let (pull, slope) = push(grown);
        if pull < 0.0 {
            low = grown
        } else {
            high = grown
        }
        let newton = grown - pull / slope;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let done = (next - grown).abs() <= 1e-14;
        grown = next;
        if done {
            break;
        }
    }
    (stretches[1] * stretches[1] + 2.0 * grown).sqrt()
}

#[cfg(test)]
mod tests;
