//! The state of the skin at one moment: stretch, tension, wrinkles, slide, and its load on the body.
//!
//! Everything is measured between the unstressed skin and the current body, F = dx/dX times the prestretch, so that a
//! painted prestrain shows as stretch. A triangle's values are constant over it, as in the energy. Axes have no sign:
//! they point both ways.

mod triangles;

use super::membrane::WIDE;
use super::model::{Model, Painted};
use super::plane::Turn;
use super::tangent::flat_way;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Frame, SurfacePoint};
use sinew_math::{Real, Vec2, Vec3, widest};
use std::f64::consts::PI;
use triangles::{Find, Piece, Strip, Tensor};

/// Where the skin has excess length in one direction for the body under it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrinkles {
    /// The relative excess length across the crests: 0.1 where 1.1 m of skin lie on 1 m of body.
    pub excess: Real,
    /// The direction of the crests on the body, of unit length; zero without wrinkles.
    pub crests: Vec3,
}

impl Wrinkles {
    /// The amplitude of waves, from the middle to the crest, as a fraction of their length.
    ///
    /// A sine of amplitude a and wavelength L is longer than L by the fraction e = k^2/4 - 3 k^4/64 + O(k^6), k = 2 pi
    /// a / L (the series of the mean of sqrt(1 + k^2 cos^2), an elliptic integral); inverted, k^2 = 4 e + 3 e^2. The
    /// amplitude is 0.05 % too high at an excess of 0.1, 0.7 % at 0.5, 1.7 % at 1; sqrt(e) / pi is 3 %, 14 % and 22 %
    /// too low.
    pub fn amplitude(&self) -> Real {
        (self.excess + 0.75 * self.excess * self.excess).sqrt() / PI
    }
}

/// The state of a triangle of skin, or the mean around a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Ratios of current to unstressed length, the larger and the smaller.
    pub stretches: [Real; 2],
    /// Their directions on the body, of unit length; zero where the skin cannot be measured.
    pub directions: [Vec3; 2],
    /// The principal tensions in N/m, the larger and the smaller: Cauchy stress times current thickness.
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

/// How far the skin is from its position at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slide {
    /// The straight distance at rest between the vertex and the skin that is there now.
    pub distance: Real,
    /// The vector on the current body from the vertex to its own skin, to first order: -dx/dX (X - X0), with X - X0
    /// rotated into the plane of the skin.
    pub way: Vec3,
}

/// The load of the skin on the body at a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// The normal component in N; positive pulls outwards.
    pub normal: Real,
    /// The tangential component in N. It vanishes where the skin slides freely and is at rest.
    pub along: Vec3,
    /// The total force in N.
    pub force: Vec3,
    /// The body's area that belongs to the vertex.
    pub area: Real,
}

impl Load {
    /// The pressure of the skin on the body, in Pa.
    pub fn pressure(&self) -> Real {
        if self.area > 0.0 { -self.normal / self.area } else { 0.0 }
    }
}

/// All measures of one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// By triangle. One without area, at rest or on the body, has the default.
    pub triangles: Vec<Measure>,
    /// By vertex: the mean of the triangles weighted by area on the body, each rotated into the vertex's tangent plane.
    pub vertices: Vec<Measure>,
    /// By vertex.
    pub slides: Vec<Slide>,
    /// By vertex. The membrane's forces, including triangles that are held at all corners; weight and inertia of the
    /// skin are not included.
    pub loads: Vec<Load>,
    /// The largest stretch of any triangle.
    pub largest: Real,
    /// That triangle; the first one in case of a tie.
    pub largest_at: u32,
}

/// Measures the skin of a model; reused memory.
pub struct Gauge {
    /// The excess that skin bears before it wrinkles.
    pub wrinkles_from: Real,
    /// Each vertex's first corner, and the end.
    starts: Vec<u32>,
    /// Corners by vertex: three times the triangle plus the corner's index in it.
    corners: Vec<u32>,
    /// By vertex: the position at rest of the skin there.
    placed: Vec<Vec3>,
    /// By vertex: the maps on the skin there; a single entry if they are uniform.
    painted: Vec<Painted>,
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
        Gauge { wrinkles_from: 0.0, starts, corners, placed: Vec::new(), painted: Vec::new(), pieces }
    }

    /// Measures the skin points `skin` on a body.
    pub fn measure(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        body: &[Vec3],
        out: &mut Measures,
    ) -> Result<()> {
        let mut placed = std::mem::take(&mut self.placed);
        let places = skin.par_iter().with_min_len(256).map(|point| model.rest.place(point));
        places.collect_into_vec(&mut placed);
        let measured = self.measure_placed(model, skin, &placed, body, out);
        self.placed = placed;
        measured
    }

    /// The same, with known positions at rest of the skin points.
    pub fn measure_placed(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        placed: &[Vec3],
        body: &[Vec3],
        out: &mut Measures,
    ) -> Result<()> {
        check(model, [skin.len(), placed.len()], body)?;
        out.triangles.resize(self.pieces.len(), Measure::default());
        out.vertices.resize(model.len(), Measure::default());
        out.slides.resize(model.len(), Slide::default());
        out.loads.resize(model.len(), Load::default());
        self.measure_triangles(model, skin, placed, body, &mut out.triangles);
        let this = &*self;
        let each = out.vertices.par_iter_mut().zip(&mut out.slides).zip(&mut out.loads);
        each.with_min_len(256).enumerate().for_each(|(v, ((measure, slide), load))| {
            let frame = this.frame(v);
            *measure = frame.map_or_else(Measure::default, |frame| this.mean(v, &frame));
            *slide = this.slide(model, &skin[v], &placed[v], v, frame.as_ref());
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

    fn measure_triangles(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        placed: &[Vec3],
        body: &[Vec3],
        out: &mut [Measure],
    ) {
        let triangles = &model.rest.mesh().triangles;
        let painted = if model.is_evenly_painted() { &skin[..1] } else { skin };
        let each = painted.par_iter().with_min_len(256).map(|point| model.painted(point));
        each.collect_into_vec(&mut self.painted);
        let (from, painted) = (self.wrinkles_from, &self.painted);
        let even = model.is_evenly_painted().then(|| model.patch_of([0.0; 3], [&painted[0]; 3]));
        let each = self.pieces.par_chunks_mut(WIDE).zip(out.par_chunks_mut(WIDE)).enumerate();
        each.with_min_len(16).for_each_init(Strip::default, |strip, (task, (pieces, measures))| {
            let first = task * WIDE;
            for (k, corners) in triangles[first..first + pieces.len()].iter().enumerate() {
                let [a, b, c] = corners.map(|v| v as usize);
                let patch = even.unwrap_or_else(|| model.patch_of([0.0; 3], [a, b, c].map(|v| &painted[v])));
                let there = [&placed[a], &placed[b], &placed[c]];
                strip.set(k, there, [&body[a], &body[b], &body[c]], &patch);
            }
            widest(Find { strip, material: &model.settings.material });
            for (k, (piece, measure)) in pieces.iter_mut().zip(measures).enumerate() {
                if model.rest.has_area(first + k) && strip.is_sound(k) {
                    strip.write(k, model.rest.areas()[first + k], from, piece, measure);
                } else {
                    (*piece, *measure) = Default::default();
                }
            }
        });
    }

    fn corners_of(&self, vertex: usize) -> impl Iterator<Item = (&Piece, usize)> {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.corners[range].iter().map(|&c| (&self.pieces[c as usize / 3], c as usize % 3))
    }

    /// A frame in the body's tangent plane at a vertex.
    fn frame(&self, vertex: usize) -> Option<Frame> {
        let sum: Vec3 = self.corners_of(vertex).map(|(p, k)| p.normal * p.angles[k]).sum();
        let normal = sum.try_normalize(0.0)?;
        // The axis least aligned with the normal has a direction in the plane.
        Frame::new(normal, Vec3::ith(normal.iamin(), 1.0))
    }

    fn mean(&self, vertex: usize, frame: &Frame) -> Measure {
        let mut sums = [Tensor::default(); 3];
        let mut area = 0.0;
        for (piece, _) in self.corners_of(vertex).filter(|(p, _)| p.area > 0.0) {
            let Some(turn) = Turn::new(&piece.normal, &frame.normal) else { continue };
            // The triangle's first axis in the vertex's plane, and twice its angle.
            let axis = frame.flatten(&turn.turn(&piece.tangent));
            let (cos, sin) = (axis.x * axis.x - axis.y * axis.y, 2.0 * axis.x * axis.y);
            for (sum, tensor) in sums.iter_mut().zip(&piece.tensors) {
                let split = &tensor.split;
                sum.mean += tensor.mean;
                sum.split += Vec2::new(cos * split.x - sin * split.y, sin * split.x + cos * split.y);
            }
            area += piece.area;
        }
        if area <= 0.0 {
            return Measure::default();
        }
        let [stretch, tension, excess] =
            sums.map(|sum| Tensor { mean: sum.mean / area, split: sum.split / area }.principal());
        let lift = |d: Vec2| frame.lift(&d);
        let (first, across) = (stretch.1, excess.1);
        Measure {
            stretches: stretch.0,
            directions: [lift(first), lift(Vec2::new(-first.y, first.x))],
            tensions: tension.0,
            pull: lift(tension.1),
            wrinkles: wrinkles(excess.0[0], lift(Vec2::new(-across.y, across.x))),
        }
    }

    fn slide(
        &self,
        model: &Model,
        skin: &SurfacePoint,
        placed: &Vec3,
        vertex: usize,
        frame: Option<&Frame>,
    ) -> Slide {
        let (Some(_), Some(frame)) = (model.rest.vertex(vertex), frame) else { return Slide::default() };
        let chord = placed - model.rest.mesh().positions[vertex];
        let distance = chord.norm();
        let weight: Real = self.corners_of(vertex).map(|(p, _)| p.weight).sum();
        if distance == 0.0 || weight <= 0.0 {
            return Slide::default();
        }
        let from_home = flat_way(&model.rest, &chord, skin);
        let moved = |p: &Piece| {
            let bitangent = p.normal.cross(&p.tangent);
            p.tangent * p.map[0].dot(&from_home) + bitangent * p.map[1].dot(&from_home)
        };
        let way = self.corners_of(vertex).map(|(p, _)| moved(p)).sum::<Vec3>() / -weight;
        Slide { distance, way: way - frame.normal * frame.normal.dot(&way) }
    }

    fn load(&self, vertex: usize, frame: Option<&Frame>) -> Load {
        let (mut force, mut area) = (Vec3::zeros(), 0.0);
        for (p, k) in self.corners_of(vertex) {
            let flat = p.force(k);
            force += p.tangent * flat.x + p.normal.cross(&p.tangent) * flat.y;
            area += p.area / 3.0;
        }
        let normal = frame.map_or_else(Vec3::zeros, |f| f.normal);
        let out = normal.dot(&force);
        Load { normal: out, along: force - normal * out, force, area }
    }
}

fn check(model: &Model, skin: [usize; 2], body: &[Vec3]) -> Result<()> {
    let n = model.len();
    if skin != [n; 2] || body.len() != n {
        let message = format!("{} points of skin and {} of the body for {n} vertices", skin[0], body.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    match body.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        Some(v) => Err(Error::new(Kind::NotFinite, "the position of the body is not finite").vertex(v)),
        None => Ok(()),
    }
}

/// A smaller excess is not a wrinkle but the round-off of hosts that store positions in single precision: invisible
/// waves a thousandth as high as long.
const SMOOTH: Real = 1e-5;

fn wrinkles(excess: Real, crests: Vec3) -> Wrinkles {
    if excess > SMOOTH { Wrinkles { excess, crests } } else { Wrinkles::default() }
}

#[cfg(test)]
mod tests;
