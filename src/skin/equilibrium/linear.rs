//! The potential's derivatives at a skin, and the step that they say.

use super::potential::pull;
use super::{Scratch, VertexTerm, edges_of};
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::math::{Mat3, Real, Vec2, Vec3};
use crate::skin::membrane::{Derivatives, Direction, Strained};
use crate::skin::model::Model;
use crate::skin::stand::Stand;
use rayon::prelude::*;
use std::time::Instant;

/// Which second derivatives.
struct Second {
    /// Those that fall in no direction.
    convex: bool,
    /// What is added to the diagonal.
    shift: Real,
}

impl Scratch {
    /// One Newton step from `skin`; how far the quadratic model says that the potential falls. `convex` tells which second
    /// derivatives are wanted, and then which it had to be.
    pub(super) fn newton(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        convex: &mut bool,
        seconds: &mut [Real; 3],
    ) -> Result<Real> {
        self.factored = false;
        let clock = Instant::now();
        let stands = self.stands.par_iter_mut().with_min_len(256).enumerate();
        stands.for_each(|(v, stand)| *stand = Stand::new(model, skin, v));
        seconds[0] += clock.elapsed().as_secs_f64();
        // What is added to every vertex when even the convex derivatives are singular to within round-off.
        let mut shift = 0.0;
        loop {
            let clock = Instant::now();
            let held_back = self.assemble(model, terms, *convex, shift)?;
            seconds[0] += clock.elapsed().as_secs_f64();
            let clock = Instant::now();
            let factored = self.solver.factor(self.assembly.matrix());
            if factored.is_err() && !*convex {
                *convex = true;
            } else if factored.is_err() && shift < 1.0 {
                shift = if shift == 0.0 { 1e-9 } else { shift * 1e3 };
            } else {
                factored?;
                let fall = self.solve_for_step();
                self.factored = !held_back;
                self.kept.iter_mut().zip(&self.stands).for_each(|(kept, stand)| *kept = stand.space);
                seconds[1] += clock.elapsed().as_secs_f64();
                return fall;
            }
            seconds[1] += clock.elapsed().as_secs_f64();
        }
    }

    /// A step with the last factor and the derivatives at `skin`: the chord instead of the tangent. `None` when that factor
    /// does not serve there.
    pub(super) fn chord(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        seconds: &mut [Real; 3],
    ) -> Result<Option<Real>> {
        if !self.factored {
            return Ok(None);
        }
        let clock = Instant::now();
        let stands = self.stands.par_iter_mut().with_min_len(256).enumerate();
        let serves = stands.zip(&self.kept).map(|((v, stand), kept)| {
            let aligned = Stand::level(model, skin, v).aligned(kept);
            *stand = aligned.unwrap_or_default();
            aligned.is_some()
        });
        let serves = serves.reduce(|| true, |a, b| a & b) && !self.assemble_gradient(model, terms)?;
        seconds[0] += clock.elapsed().as_secs_f64();
        if !serves {
            return Ok(None);
        }
        let clock = Instant::now();
        let fall = self.solve_for_step()?;
        seconds[1] += clock.elapsed().as_secs_f64();
        Ok(Some(fall))
    }

    fn solve_for_step(&mut self) -> Result<Real> {
        self.step.iter_mut().zip(&self.gradient).for_each(|(step, g)| *step = -g);
        self.solver.solve(&mut self.step)?;
        let fall: Real = self.step.iter().zip(&self.gradient).map(|(s, g)| -s * g).sum();
        Ok(0.5 * fall)
    }

    /// Both derivatives; whether a vertex is held back at a border. `shift` is a part of the mean size of the diagonal.
    fn assemble(&mut self, model: &Model, terms: &[VertexTerm], convex: bool, shift: Real) -> Result<bool> {
        let shift = if shift > 0.0 { shift * self.assembly.mean_diagonal() } else { 0.0 };
        let second = Second { convex, shift };
        let elements = model.active().len();
        let directed = model.settings.material.has_direction();
        let (stands, patches) = (&self.stands, &self.patches);
        let triangles = &model.rest.mesh().triangles;
        let compute = |k: usize, block: &mut [Real], vector: &mut [Real]| {
            if k >= elements {
                let v = k - elements;
                let force = vertex_gradient(model, v, &stands[v], &terms[v], vector);
                return vertex_curvature(model, v, &stands[v], &terms[v], &force, &second, block);
            }
            let corners = triangles[model.active()[k] as usize].map(|v| &stands[v as usize]);
            let edges = edges_of(corners.map(|s| s.place));
            let Some(strained) = Strained::new(&edges, &patches[k]) else { return block.fill(Real::NAN) };
            let strained = if convex && !directed { strained.in_principal_axes() } else { strained };
            let found = Derivatives::new(&strained, &model.settings.material, &patches[k], convex);
            let mut directions = [Direction::default(); 6];
            let count = directions_of(&strained, corners, &mut directions);
            let directions = &directions[..count];
            vector.iter_mut().zip(directions).for_each(|(g, d)| *g = d.slope(&found.force));
            found.curvature(directions, block);
            if !convex {
                let mut first = 0;
                for (stand, slope) in corners.iter().zip(strained.slopes()) {
                    let force = strained.frame * (found.force * slope);
                    stand.bend(&force, block, first, count);
                    first += stand.count as usize;
                }
            }
        };
        self.assembly.fill_both(&mut self.gradient, compute)?;
        Ok(self.hold_back(model))
    }

    /// The first derivatives; whether a vertex would have to be held back at a border.
    fn assemble_gradient(&mut self, model: &Model, terms: &[VertexTerm]) -> Result<bool> {
        let elements = model.active().len();
        let (stands, patches) = (&self.stands, &self.patches);
        let triangles = &model.rest.mesh().triangles;
        let compute = |k: usize, vector: &mut [Real]| {
            if k >= elements {
                let v = k - elements;
                vertex_gradient(model, v, &stands[v], &terms[v], vector);
                return;
            }
            let corners = triangles[model.active()[k] as usize].map(|v| &stands[v as usize]);
            let edges = edges_of(corners.map(|s| s.place));
            let Some(strained) = Strained::new(&edges, &patches[k]) else { return vector.fill(Real::NAN) };
            let force = Derivatives::force(&strained, &model.settings.material, &patches[k]);
            let mut directions = [Direction::default(); 6];
            let count = directions_of(&strained, corners, &mut directions);
            vector.iter_mut().zip(&directions[..count]).for_each(|(g, d)| *g = d.slope(&force));
        };
        self.assembly.fill_gradient(&mut self.gradient, compute)?;
        Ok((0..model.len()).any(|v| self.pushed_out(model, v).is_some()))
    }

    /// The way out, of unit length, for a vertex at a border that is pushed out of the surface, and how hard.
    fn pushed_out(&self, model: &Model, vertex: usize) -> Option<(Vec2, Real)> {
        let unknowns = model.unknowns_of(vertex);
        let out = self.stands[vertex].out.try_normalize(LEAST_OUT).filter(|_| !unknowns.is_empty())?;
        let outward = self.gradient[unknowns].iter().zip(&out).map(|(g, o)| g * o).sum::<Real>();
        (outward < 0.0).then_some((out, outward))
    }

    /// Skin at a border that is pushed out of the surface may only move along it: there is no skin out there. Whether any
    /// is.
    fn hold_back(&mut self, model: &Model) -> bool {
        let mut any = false;
        for v in 0..model.len() {
            let Some((out, outward)) = self.pushed_out(model, v) else { continue };
            let unknowns = model.unknowns_of(v);
            self.gradient[unknowns.clone()].iter_mut().zip(&out).for_each(|(g, o)| *g -= o * outward);
            self.assembly.stiffen(unknowns.start, &out.as_slice()[..unknowns.len()]);
            any = true;
        }
        any
    }
}

/// A direction that goes out of a border by less than this hardly does.
const LEAST_OUT: Real = 1e-6;

/// The directions of three corners in the triangle's own measures; their number.
fn directions_of(strained: &Strained, corners: [&Stand; 3], directions: &mut [Direction; 6]) -> usize {
    let mut count = 0;
    for (stand, slope) in corners.iter().zip(strained.slopes()) {
        for along in &stand.space[..stand.count as usize] {
            directions[count] = Direction::new(strained, &slope, along);
            count += 1;
        }
    }
    count
}

/// The force in space that a vertex' own part of the potential has; `vector` gets its parts along the directions.
fn vertex_gradient(
    model: &Model,
    vertex: usize,
    stand: &Stand,
    term: &VertexTerm,
    vector: &mut [Real],
) -> Vec3 {
    let mut force = term.quadratic * (stand.place - term.reference) + term.linear;
    let anchor = &model.anchors()[vertex];
    if anchor.stiff > 0.0 {
        let slide = stand.place - model.rest.mesh().positions[vertex];
        let length = slide.norm();
        if length > 0.0 {
            force += slide * (pull(anchor, length).1 / length);
        }
    }
    vector.iter_mut().zip(&stand.space).for_each(|(g, along)| *g = force.dot(along));
    force
}

fn vertex_curvature(
    model: &Model,
    vertex: usize,
    stand: &Stand,
    term: &VertexTerm,
    force: &Vec3,
    second: &Second,
    block: &mut [Real],
) {
    let mut stiffness = term.quadratic + Mat3::identity() * second.shift;
    let anchor = &model.anchors()[vertex];
    if anchor.stiff > 0.0 {
        let slide = stand.place - model.rest.mesh().positions[vertex];
        let length = slide.norm();
        let (_, tension, along) = pull(anchor, length);
        let direction = slide.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let across = if length > 0.0 { tension / length } else { anchor.soft };
        let outer = direction * direction.transpose();
        stiffness += (Mat3::identity() - outer) * across + outer * along;
    }
    let n = stand.count as usize;
    for (a, along) in stand.space[..n].iter().enumerate() {
        let stiff = stiffness * along;
        for (b, other) in stand.space[..n].iter().enumerate() {
            block[a * n + b] = stiff.dot(other);
        }
    }
    if !second.convex {
        stand.bend(force, block, 0, n);
    }
}
