//! The potential of the skin over the slides of its vertices, as Newton's method needs it.

use super::potential::gone;
use super::{Stages, VertexTerm};
use crate::model::Model;
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_linalg::assembly::Assembly;
use sinew_math::Real;
use sinew_solve::newton::{Factor, Potential, Rows};
use std::ops::Range;

/// A skin laid flat on the way to its equilibrium. Its nodes are the vertices.
pub(super) struct Sliding<'a> {
    pub model: &'a Model,
    pub terms: &'a [VertexTerm],
    pub skin: &'a mut [SurfacePoint],
    pub stages: &'a mut Stages,
}

impl Potential for Sliding<'_> {
    #[inline]
    fn unknowns_of(&self, node: usize) -> Range<usize> {
        self.model.unknowns_of(node)
    }

    #[inline]
    fn length(&self, node: usize, change: &[Real]) -> Real {
        self.stages.stands[node].moved(change).norm()
    }

    fn value(&mut self, way: &[Real]) -> Option<Real> {
        self.stages.value(self.model, self.terms, way)
    }

    fn magnitude(&self) -> Real {
        self.stages.energies.iter().map(|e| e.abs()).sum()
    }

    fn gradient(&mut self, gradient: &mut [Real]) -> bool {
        self.stages.gradient(self.model, self.terms, gradient)
    }

    fn curvature(&mut self, shift: Real, matrix: &mut Assembly) -> Result<()> {
        self.stages.curvature(self.model, self.terms, shift, matrix)
    }

    fn go(&mut self, way: &[Real], factor: &mut Factor) -> bool {
        self.stages.go(self.model, self.skin, way, factor)
    }

    fn rebase(&mut self) {
        self.stages.flatten(self.model, self.skin);
    }

    fn back(&mut self, factor: &mut Factor) -> bool {
        self.stages.back(self.model, self.skin, factor);
        true
    }

    fn calm(&mut self, step: &mut [Real], count: usize, chord: bool, settled: Real) {
        self.stages.calm(self.model, step, count, chord, settled);
    }

    /// For the corners of triangles that the displacement would flip.
    fn room(&mut self, way: &[Real], shares: &mut [Real]) -> bool {
        let (model, stages) = (self.model, &*self.stages);
        let mut any = false;
        for (e, laid) in stages.laid.iter().enumerate().filter(|(e, _)| stages.energies[*e].is_nan()) {
            any = true;
            let corners = model.rest.mesh().triangles[model.active()[e] as usize].map(|v| v as usize);
            let room = laid.room(corners.map(|v| gone(model, v, way)), &model.thresholds);
            corners.iter().for_each(|&v| shares[v] = shares[v].min(room));
        }
        any
    }

    fn rows(&mut self, gradient: &[Real], rows: &mut Rows) {
        self.stages.add_rows(self.model, gradient, rows);
    }

    fn violation(&self, constraint: usize, way: &[Real]) -> Real {
        self.stages.violation(self.model, constraint, way)
    }
}
