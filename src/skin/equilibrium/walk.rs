//! Moves the skin by a step over the surface at rest. Where triangles would flip, because the surface curves more than
//! the planes in which the step was computed can represent, it moves less far.

use super::Stages;
use super::laid::{PIECE, is_over};
use crate::model::Model;
use crate::stand::Stand;
use crate::thresholds::Thresholds;
use rayon::prelude::*;
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec3};
use sinew_solve::newton::Factor;

/// The state of a walk: its start, and what is known of it.
#[derive(Default)]
pub(super) struct Walk {
    skin: Vec<SurfacePoint>,
    stands: Vec<Stand>,
    over: Vec<bool>,
    /// The fraction of its displacement that each vertex takes.
    shares: Vec<Real>,
    /// The vertices whose fraction was changed last.
    changed: Vec<u32>,
}

impl Walk {
    pub fn new(model: &Model) -> Self {
        Walk {
            skin: model.rest.home(),
            stands: vec![Stand::default(); model.len()],
            over: vec![false; model.active().len()],
            shares: vec![1.0; model.len()],
            changed: Vec::with_capacity(model.len()),
        }
    }

    /// The end position of a vertex.
    fn end(&self, model: &Model, vertex: usize, way: &[Real], whole: Real) -> SurfacePoint {
        let way = &way[model.unknowns_of(vertex)];
        self.stands[vertex].gone(model, &self.skin[vertex], way, whole * self.shares[vertex])
    }
}

impl Stages {
    /// Moves a skin by a displacement, and finds its stands there. Vertices whose triangles would flip move less far;
    /// returns whether there are any.
    pub(super) fn go(
        &mut self,
        model: &Model,
        skin: &mut [SurfacePoint],
        way: &[Real],
        factor: &mut Factor,
    ) -> bool {
        let mut walk = std::mem::take(&mut self.walk);
        walk.skin.copy_from_slice(skin);
        std::mem::swap(&mut walk.stands, &mut self.stands);
        walk.over.copy_from_slice(&self.level.over);
        walk.shares.fill(1.0);
        self.go_all(model, &walk, way, 1.0, skin, factor);
        let Thresholds { local_returns, whole_returns, .. } = model.thresholds;
        let (mut attempt, most) = (0, local_returns + whole_returns);
        while attempt < most && self.shorten_over(model, &mut walk, attempt) {
            attempt += 1;
            if attempt < local_returns {
                self.go_changed(model, &walk, way, skin, factor);
                continue;
            }
            // As a last resort the skin moves less far as a whole, and finally stays.
            let whole = if attempt < most { 0.5_f64.powi((attempt - local_returns) as i32) } else { 0.0 };
            self.go_all(model, &walk, way, whole, skin, factor);
        }
        self.walk = walk;
        attempt > 0
    }

    /// Undoes the last displacement.
    pub(super) fn back(&mut self, model: &Model, skin: &mut [SurfacePoint], factor: &mut Factor) {
        skin.copy_from_slice(&self.walk.skin);
        self.lay(model, skin, factor);
    }

    fn go_all(
        &mut self,
        model: &Model,
        walk: &Walk,
        way: &[Real],
        whole: Real,
        skin: &mut [SurfacePoint],
        factor: &mut Factor,
    ) {
        let ends = skin.par_iter_mut().with_min_len(PIECE).enumerate();
        ends.for_each(|(v, point)| *point = walk.end(model, v, way, whole));
        self.stand(model, skin, factor);
    }

    /// Repeats the walks of changed vertices.
    fn go_changed(
        &mut self,
        model: &Model,
        walk: &Walk,
        way: &[Real],
        skin: &mut [SurfacePoint],
        factor: &mut Factor,
    ) {
        walk.changed.iter().for_each(|&v| skin[v as usize] = walk.end(model, v as usize, way, 1.0));
        let triangles = &model.rest.mesh().triangles;
        let mut aligned = true;
        // Along which direction a vertex may slide depends on the skin around it.
        for &v in &walk.changed {
            for &slot in self.at_vertices.slots(v as usize) {
                for v in triangles[model.active()[slot as usize / 3] as usize] {
                    let v = v as usize;
                    self.level.find_at(model, skin, v);
                    self.stands[v] = self.level.stands[v];
                    aligned &= !factor.is_made() || align(&mut self.stands[v], &self.directions[v]);
                }
            }
        }
        for &v in &walk.changed {
            for &slot in self.at_vertices.slots(v as usize) {
                let e = slot as usize / 3;
                let corners = triangles[model.active()[e] as usize];
                let stands = corners.map(|v| &self.level.stands[v as usize]);
                self.level.over[e] = is_over(&model.thresholds, stands);
            }
        }
        if !aligned {
            factor.forget();
        }
    }

    /// Shortens the displacements at newly flipped triangles; returns whether there are any.
    fn shorten_over(&mut self, model: &Model, walk: &mut Walk, attempt: usize) -> bool {
        walk.changed.clear();
        let triangles = &model.rest.mesh().triangles;
        for e in (0..walk.over.len()).filter(|&e| self.level.over[e] && !walk.over[e]) {
            for v in triangles[model.active()[e] as usize] {
                walk.shares[v as usize] *= if attempt < model.thresholds.halved_returns { 0.5 } else { 0.0 };
                walk.changed.push(v);
                self.calm.block(v as usize, &model.thresholds);
            }
        }
        !walk.changed.is_empty()
    }

    /// Finds the stands of a skin's vertices, in the directions of the current factor where possible.
    pub(super) fn stand(&mut self, model: &Model, skin: &[SurfacePoint], factor: &mut Factor) {
        self.level.find(model, skin);
        let made = factor.is_made();
        let stands = self.stands.par_iter_mut().zip(&self.level.stands).zip(&self.directions);
        let aligned = stands.with_min_len(PIECE).map(|((stand, level), kept)| {
            *stand = *level;
            !made || align(stand, kept)
        });
        if !aligned.reduce(|| true, |a, b| a & b) {
            factor.forget();
        }
    }
}

/// Gives a stand the wanted directions; returns whether that is possible.
fn align(stand: &mut Stand, wanted: &[Vec3; 2]) -> bool {
    let aligned = stand.aligned(wanted);
    *stand = aligned.unwrap_or(*stand);
    aligned.is_some()
}
