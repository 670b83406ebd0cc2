//! The derivatives of the potential at a skin.

use super::laid::Laid;
use super::potential::pull;
use super::{Stages, VertexTerm};
use crate::membrane::{Bent, Strip, WIDE, Ways};
use crate::model::Model;
use crate::stand::Stand;
use rayon::prelude::*;
use sinew_base::error::Result;
use sinew_linalg::assembly::{Assembly, Run};
use sinew_math::{Mat3, Real, Vec2, Vec3, Work, widest};

impl Stages {
    /// The gradient, without blocked directions; returns whether the same ones were blocked the time before.
    pub(super) fn gradient(&mut self, model: &Model, terms: &[VertexTerm], gradient: &mut [Real]) -> bool {
        self.add_forces(model, terms);
        self.differentiate(model, gradient);
        std::mem::swap(&mut self.held_back, &mut self.held_back_before);
        self.hold_back(model, gradient);
        self.held_back == self.held_back_before
    }

    /// The second derivatives, made positive semidefinite; from now on the unknowns' directions are those here.
    pub(super) fn curvature(
        &mut self,
        model: &Model,
        terms: &[VertexTerm],
        shift: Real,
        matrix: &mut Assembly,
    ) -> Result<()> {
        let (stands, laid) = (&self.stands[..], &self.laid[..]);
        let elements = Elements { model, terms, stands, laid, shift };
        matrix.fill_runs(|run| widest(Filling { elements: &elements, run }))?;
        self.stiffen(model, matrix);
        self.directions.iter_mut().zip(&self.stands).for_each(|(kept, stand)| *kept = stand.space);
        Ok(())
    }

    /// The forces along the unknowns at the trial skin: those of the membrane and of the vertices.
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
    fn differentiate(&self, model: &Model, gradient: &mut [Real]) {
        for (v, force) in self.forces.iter().enumerate() {
            let gradient = &mut gradient[model.unknowns_of(v)];
            gradient.iter_mut().zip(force).for_each(|(g, force)| *g = *force);
        }
    }

    /// The outward direction, of unit length, at a border vertex that is pushed out of the surface, and how hard.
    fn pushed_out(&self, model: &Model, vertex: usize, gradient: &[Real]) -> Option<(Vec2, Real)> {
        let unknowns = model.unknowns_of(vertex);
        let out = self.stands[vertex].out.try_normalize(LEAST_OUT).filter(|_| !unknowns.is_empty())?;
        let outward = gradient[unknowns].iter().zip(&out).map(|(g, o)| g * o).sum::<Real>();
        (outward < 0.0).then_some((out, outward))
    }

    /// Removes blocked directions from the gradient: skin at a border that is pushed out of the surface may only move
    /// along it, for there is no skin out there, and blocked vertices stay.
    fn hold_back(&mut self, model: &Model, gradient: &mut [Real]) {
        self.held_back.clear();
        for v in 0..model.len() {
            let unknowns = model.unknowns_of(v);
            if self.calm.is_blocked(v) {
                gradient[unknowns].fill(0.0);
                self.held_back.push((v as u32, Held::Still));
            } else if let Some((out, outward)) = self.pushed_out(model, v, gradient) {
                gradient[unknowns].iter_mut().zip(&out).for_each(|(g, o)| *g -= o * outward);
                self.held_back.push((v as u32, Held::AtBorder));
            }
        }
    }

    /// Makes the second derivatives so large that blocked directions do not move.
    fn stiffen(&self, model: &Model, matrix: &mut Assembly) {
        for (v, held) in &self.held_back {
            let (unknowns, out) = (model.unknowns_of(*v as usize), self.stands[*v as usize].out);
            match held {
                Held::Still => unknowns.for_each(|k| matrix.stiffen(k, &[1.0])),
                Held::AtBorder => {
                    let out = out.normalize();
                    matrix.stiffen(unknowns.start, &out.as_slice()[..unknowns.len()]);
                }
            }
        }
    }
}

/// The entries of a triangle's second derivatives between the directions of one corner: 11, 12, 22.
const OF_CORNERS: [[usize; 3]; 3] = [[0, 1, 6], [11, 12, 15], [18, 19, 20]];

/// How a vertex is blocked for one or more steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Held {
    Still,
    AtBorder,
}

/// A direction that leads out of a border by less than this is along it, but for rounding.
const LEAST_OUT: Real = 1e-6;

/// The elements of the second derivatives: the triangles first, then the vertices.
struct Elements<'a> {
    model: &'a Model,
    terms: &'a [VertexTerm],
    stands: &'a [Stand],
    laid: &'a [Laid],
    shift: Real,
}

/// Some of them, the work of one task.
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
            for e in first..end {
                elements.set(e, e - first, &mut strip, &mut ways);
            }
            bent.find(&strip, &elements.model.settings.material, &ways, true);
            for e in first..end {
                elements.keep(e, &elements.curvature(e, e - first, &bent, &ways), self.run.block(e));
            }
            first = end;
        }
        for e in first..all.end {
            elements.of_vertex(e - triangles, self.run.block(e));
        }
    }
}

impl Elements<'_> {
    #[inline(always)]
    fn corners(&self, element: usize) -> [usize; 3] {
        let [a, b, c] = self.model.rest.mesh().triangles[self.model.active()[element] as usize];
        [a as usize, b as usize, c as usize]
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

    /// The second derivatives of a triangle, the k-th of a strip, as it lies in its plane, and those due to the
    /// curvature of the surface around its corners.
    #[inline(always)]
    fn curvature(&self, element: usize, k: usize, bent: &Bent, ways: &Ways) -> [Real; 21] {
        let mut curvature = bent.curvature(k);
        for ((corner, v), entries) in self.corners(element).iter().enumerate().zip(OF_CORNERS) {
            let spreading = bent.spreading(k, ways, corner, self.stands[*v].curvature);
            for (entry, more) in entries.iter().zip(spreading) {
                curvature[*entry] += more;
            }
        }
        curvature
    }

    /// Keeps the entries of existing unknowns.
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

    /// The second derivatives of a vertex's own contribution.
    fn of_vertex(&self, vertex: usize, block: &mut [Real]) {
        // A vertex without triangles bears no load, and no equation needs it.
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

/// The gradient of a vertex's own contribution to the potential, by its position.
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

/// The second derivatives of a vertex's own contribution to the potential, by its position.
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

#[cfg(test)]
mod tests {
    use super::super::Scratch;
    use super::super::potential::gone;
    use super::*;
    use crate::model::Settings;
    use sinew_energy::{Material, Stvk};
    use sinew_geometry::{TriMesh, shapes};

    /// What a way over the surface costs to second order beyond what it costs in the planes of the triangles, by
    /// differences and by the second derivatives, on a torus that is enlarged. The way goes around the ring, outside or
    /// inside of it.
    fn costs(enlarged: Real, outside: bool) -> [Real; 2] {
        let material = Material::Stvk(Stvk::new(2e4, 0.3).unwrap());
        let mesh = TriMesh::from_mesh(&shapes::torus(1.0, 0.5, 120, 60)).unwrap();
        let model = Model::new(mesh, Settings::new(material)).unwrap();
        let Scratch { mut newton, mut stages, .. } = Scratch::new(&model).unwrap();
        let body: Vec<_> = model.rest.mesh().positions.iter().map(|p| p * enlarged).collect();
        let (home, terms) = (model.rest.home(), vec![VertexTerm::default(); model.len()]);
        stages.lie_on(&model, &body);
        stages.lay(&model, &home, newton.factor());
        let mut way = vec![0.0; model.unknown_count()];
        for (v, p) in model.rest.mesh().positions.iter().enumerate() {
            let ring = Vec3::new(p.x, 0.0, p.z);
            let side = (ring.norm() - 1.0) / 0.5 * if outside { 1.0 } else { -1.0 };
            let around = Vec3::y().cross(&ring).normalize() * side.max(0.0).powi(2);
            let along = stages.stands[v].components(&around);
            way[model.unknowns_of(v)].copy_from_slice(along.as_slice());
        }
        let (stands, laid) = (&stages.stands[..], &stages.laid[..]);
        let elements = Elements { model: &model, terms: &terms, stands, laid, shift: 0.0 };
        let (mut strip, mut ways, mut bent) = (Strip::default(), Ways::default(), Bent::default());
        let mut derived = 0.0;
        for e in 0..laid.len() {
            elements.set(e, 0, &mut strip, &mut ways);
            bent.find(&strip, &material, &ways, true);
            let (plain, all) = (bent.curvature(0), elements.curvature(e, 0, &bent, &ways));
            let step: Vec<_> = elements.corners(e).iter().flat_map(|&v| gone(&model, v, &way)).collect();
            let pairs = (0..6).flat_map(|i| (i..6).map(move |j| (i, j))).zip(all.iter().zip(plain));
            let both = |i: usize, j: usize| if i == j { 1.0 } else { 2.0 };
            derived += pairs
                .map(|((i, j), (all, plain))| (all - plain) * step[i] * step[j] * both(i, j))
                .sum::<Real>();
        }
        let size = 1e-3;
        let mut differences = [0.0; 2];
        for sign in [1.0, -1.0, 0.0] {
            let weight = if sign == 0.0 { -2.0 } else { 1.0 };
            let step: Vec<_> = way.iter().map(|x| x * sign * size).collect();
            differences[0] += weight * stages.value(&model, &terms, &step).unwrap();
            let mut skin = home.clone();
            stages.go(&model, &mut skin, &step, newton.factor());
            stages.flatten(&model, &skin);
            differences[1] += weight * stages.value_here(&model, &terms).unwrap();
            stages.lay(&model, &home, newton.factor());
        }
        [(differences[1] - differences[0]) / size.powi(2), derived]
    }

    #[test]
    fn sliding_along_a_curved_surface_costs_what_its_curvature_says() {
        // Under tension where the surface is round, and under pressure where it is a saddle.
        for (enlarged, outside) in [(1.2, true), (1.02, true), (0.9, false)] {
            let [found, derived] = costs(enlarged, outside);
            assert!(
                derived > 0.0 && (found / derived - 1.0).abs() < 0.05,
                "{enlarged} {outside}: {found} {derived}"
            );
        }
    }
}
