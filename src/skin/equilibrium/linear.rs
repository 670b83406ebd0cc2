//! The potential's derivatives at a skin, and the step that they say.

use super::laid::Laid;
use super::potential::pull;
use super::{Scratch, VertexTerm};
use crate::error::Result;
use crate::linalg::assembly::Run;
use crate::math::{Mat3, Real, Vec2, Vec3, Work, widest};
use crate::skin::membrane::{Bent, Strip, WIDE, Ways};
use crate::skin::model::Model;
use crate::skin::stand::Stand;
use rayon::prelude::*;
use std::time::Instant;

impl Scratch {
    /// One Newton step with second derivatives that fall in no direction; how far the quadratic model says that the potential
    /// falls.
    pub(super) fn newton(
        &mut self,
        model: &Model,
        terms: &[VertexTerm],
        seconds: &mut [Real; 3],
    ) -> Result<Real> {
        self.forget_factor();
        let clock = Instant::now();
        self.add_forces(model, terms);
        seconds[0] += clock.elapsed().as_secs_f64();
        // What is added to every vertex when the derivatives are singular to within round-off.
        let mut shift = 0.0;
        loop {
            let clock = Instant::now();
            self.assemble(model, terms, shift)?;
            seconds[0] += clock.elapsed().as_secs_f64();
            let clock = Instant::now();
            let factored = self.solver.factor(self.assembly.matrix());
            if factored.is_err() && shift < 1.0 {
                shift = if shift == 0.0 { 1e-9 } else { shift * 1e3 };
                seconds[1] += clock.elapsed().as_secs_f64();
                continue;
            }
            factored?;
            let fall = self.solve_for_step();
            self.factored = true;
            self.kept.iter_mut().zip(&self.stands).for_each(|(kept, stand)| *kept = stand.space);
            seconds[1] += clock.elapsed().as_secs_f64();
            return fall;
        }
    }

    /// A step with the last factor and the derivatives at the trial skin: the chord instead of the tangent. `None` when that
    /// factor does not serve there. `follows` tells whether it begins where the last step ended.
    pub(super) fn chord(
        &mut self,
        model: &Model,
        terms: &[VertexTerm],
        follows: bool,
        seconds: &mut [Real; 3],
    ) -> Result<Option<Real>> {
        if !self.factored {
            return Ok(None);
        }
        let clock = Instant::now();
        self.add_forces(model, terms);
        std::mem::swap(&mut self.gradient, &mut self.gradient_before);
        self.differentiate(model);
        std::mem::swap(&mut self.held_back, &mut self.held_back_before);
        self.hold_back(model);
        let serves = self.held_back == self.held_back_before;
        if serves && follows {
            self.secants.learn(&self.step, &self.gradient_before, &self.gradient);
        }
        seconds[0] += clock.elapsed().as_secs_f64();
        if !serves {
            return Ok(None);
        }
        let clock = Instant::now();
        let fall = self.solve_for_step()?;
        seconds[1] += clock.elapsed().as_secs_f64();
        Ok(Some(fall))
    }

    /// The step with the factor at hand and the forces at the skin that is laid flat.
    pub(super) fn respond(&mut self, model: &Model, terms: &[VertexTerm]) -> Result<()> {
        self.add_forces(model, terms);
        self.differentiate(model);
        self.hold_back(model);
        self.solve_for_step().map(|_| ())
    }

    fn solve_for_step(&mut self) -> Result<Real> {
        self.step.iter_mut().zip(&self.gradient).for_each(|(step, g)| *step = -g);
        self.secants.solve(&mut self.solver, &mut self.step)?;
        let fall: Real = self.step.iter().zip(&self.gradient).map(|(s, g)| -s * g).sum();
        Ok(0.5 * fall)
    }

    /// Both derivatives. The shift is a part of the mean size of the diagonal.
    fn assemble(&mut self, model: &Model, terms: &[VertexTerm], mut shift: Real) -> Result<()> {
        if shift > 0.0 {
            shift *= self.assembly.mean_diagonal();
        }
        let (stands, laid) = (&self.stands[..], &self.laid[..]);
        let elements = Elements { model, terms, stands, laid, shift };
        self.assembly.fill_runs(|run| widest(Filling { elements: &elements, run }))?;
        self.differentiate(model);
        self.hold_back(model);
        self.stiffen(model);
        Ok(())
    }

    /// The forces along the unknowns at the trial skin: the membrane's and the vertices' own.
    fn add_forces(&mut self, model: &Model, terms: &[VertexTerm]) {
        self.at_vertices.sum(&self.pulls, &mut self.forces);
        let stands = &self.stands[..];
        let forces = self.forces.par_iter_mut().zip(terms).with_min_len(256).enumerate();
        forces.for_each(|(v, (force, term))| {
            let own = vertex_force(model, v, &stands[v].place, term);
            *force += Vec2::new(own.dot(&stands[v].space[0]), own.dot(&stands[v].space[1]));
        });
    }

    /// The first derivatives, from the forces.
    fn differentiate(&mut self, model: &Model) {
        for (v, force) in self.forces.iter().enumerate() {
            let gradient = &mut self.gradient[model.unknowns_of(v)];
            gradient.iter_mut().zip(force).for_each(|(g, force)| *g = *force);
        }
    }

    /// The way out, of unit length, for a vertex at a border that is pushed out of the surface, and how hard.
    fn pushed_out(&self, model: &Model, vertex: usize) -> Option<(Vec2, Real)> {
        let unknowns = model.unknowns_of(vertex);
        let out = self.stands[vertex].out.try_normalize(LEAST_OUT).filter(|_| !unknowns.is_empty())?;
        let outward = self.gradient[unknowns].iter().zip(&out).map(|(g, o)| g * o).sum::<Real>();
        (outward < 0.0).then_some((out, outward))
    }

    /// Takes out of the gradient what may not move: skin at a border that is pushed out of the surface may only move along it,
    /// for there is no skin out there, and what is blocked stays.
    fn hold_back(&mut self, model: &Model) {
        self.held_back.clear();
        for v in 0..model.len() {
            let unknowns = model.unknowns_of(v);
            if self.calm.is_blocked(v) {
                self.gradient[unknowns].fill(0.0);
                self.held_back.push((v as u32, Held::Still));
            } else if let Some((out, outward)) = self.pushed_out(model, v) {
                self.gradient[unknowns].iter_mut().zip(&out).for_each(|(g, o)| *g -= o * outward);
                self.held_back.push((v as u32, Held::AtBorder));
            }
        }
    }

    /// Makes the second derivatives so large that nothing moves that may not.
    fn stiffen(&mut self, model: &Model) {
        for (v, held) in &self.held_back {
            let (unknowns, out) = (model.unknowns_of(*v as usize), self.stands[*v as usize].out);
            match held {
                Held::Still => unknowns.for_each(|k| self.assembly.stiffen(k, &[1.0])),
                Held::AtBorder => {
                    let out = out.normalize();
                    self.assembly.stiffen(unknowns.start, &out.as_slice()[..unknowns.len()]);
                }
            }
        }
    }
}

/// How a vertex is held back for a step or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Held {
    Still,
    AtBorder,
}

/// A direction that goes out of a border by less than this hardly does.
const LEAST_OUT: Real = 1e-6;

/// What the second derivatives are made of: the triangles first, then the vertices.
struct Elements<'a> {
    model: &'a Model,
    terms: &'a [VertexTerm],
    stands: &'a [Stand],
    laid: &'a [Laid],
    shift: Real,
}

/// Some of them, one task's work.
struct Filling<'a, 'b> {
    elements: &'a Elements<'a>,
    run: &'a mut Run<'b>,
}

impl Work for Filling<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (elements, all) = (self.elements, self.run.elements.clone());
        let triangles = elements.model.active().len();
        let (mut strip, mut ways, mut bent) = (Strip::default(), Ways::default(), Bent::default());
        let mut first = all.start;
        while first < all.end.min(triangles) {
            let end = (first + WIDE).min(all.end).min(triangles);
            (first..end).for_each(|e| elements.set(e, e - first, &mut strip, &mut ways));
            bent.find(&strip, &elements.model.settings.material, &ways, true);
            (first..end).for_each(|e| elements.keep(e, &bent.curvature(e - first), self.run.block(e)));
            first = end;
        }
        (first..all.end).for_each(|e| elements.of_vertex(e - triangles, self.run.block(e)));
    }
}

impl Elements<'_> {
    #[inline(always)]
    fn corners(&self, element: usize) -> [usize; 3] {
        self.model.rest.mesh().triangles[self.model.active()[element] as usize].map(|v| v as usize)
    }

    #[inline(always)]
    fn set(&self, element: usize, k: usize, strip: &mut Strip, ways: &mut Ways) {
        let laid = &self.laid[element];
        let corners = laid.corners_after([[0.0; 2]; 3]);
        strip.set(k, corners.each_ref(), &laid.patch);
        for (k_way, way) in laid.ways.iter().enumerate() {
            ways.set(k, k_way, &Vec3::new(way.x, way.y, 0.0));
        }
    }

    /// Keeps what belongs to ways that there are.
    #[inline(always)]
    fn keep(&self, element: usize, curvature: &[Real; 21], block: &mut [Real]) {
        if block.len() == curvature.len() {
            return block.copy_from_slice(curvature);
        }
        let corners = self.corners(element);
        let is_there = |way: usize| way % 2 < usize::from(self.stands[corners[way / 2]].count);
        let pairs = (0..6).flat_map(|i| (i..6).map(move |j| is_there(i) && is_there(j)));
        let kept = curvature.iter().zip(pairs).filter(|(_, kept)| *kept);
        block.iter_mut().zip(kept).for_each(|(value, (found, _))| *value = *found);
    }

    /// The second derivatives at a vertex, of its own part.
    fn of_vertex(&self, vertex: usize, block: &mut [Real]) {
        // A vertex of no triangle bears nothing, and no equation asks for it.
        if block.is_empty() {
            return;
        }
        let stiffness =
            vertex_stiffness(self.model, vertex, &self.stands[vertex].place, &self.terms[vertex], self.shift);
        let [a, b] = &self.stands[vertex].space;
        let stiff = stiffness * a;
        block[0] = stiff.dot(a);
        if let [_, between, last] = block {
            (*between, *last) = (stiff.dot(b), b.dot(&(stiffness * b)));
        }
    }
}

/// The gradient of a vertex' own part of the potential by its place.
fn vertex_force(model: &Model, vertex: usize, place: &Vec3, term: &VertexTerm) -> Vec3 {
    let mut force = term.quadratic * (place - term.reference) + term.linear;
    let anchor = &model.anchors()[vertex];
    if anchor.stiff > 0.0 {
        let slide = place - model.rest.mesh().positions[vertex];
        let length = slide.norm();
        if length > 0.0 {
            force += slide * (pull(anchor, length).1 / length);
        }
    }
    force
}

/// The second derivatives of a vertex' own part of the potential by its place.
fn vertex_stiffness(model: &Model, vertex: usize, place: &Vec3, term: &VertexTerm, shift: Real) -> Mat3 {
    let mut stiffness = term.quadratic + Mat3::identity() * shift;
    let anchor = &model.anchors()[vertex];
    if anchor.stiff > 0.0 {
        let slide = place - model.rest.mesh().positions[vertex];
        let length = slide.norm();
        let (_, tension, along) = pull(anchor, length);
        let direction = slide.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let across = if length > 0.0 { tension / length } else { anchor.soft };
        let outer = direction * direction.transpose();
        stiffness += (Mat3::identity() - outer) * across + outer * along;
    }
    stiffness
}
