//! Where a solve begins.

use super::{Stages, VertexTerm};
use crate::model::Model;
use crate::turns::Turn;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec3};
use sinew_solve::newton::Factor;

/// The skin extrapolated from its previous slide.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// The start.
    pub from: &'a [SurfacePoint],
    /// The displacement, over the surface at rest.
    pub ways: &'a [Vec3],
}

impl Stages {
    /// Uses the better of both starts as the skin, and lays it flat; the potential there.
    pub(super) fn start(
        &mut self,
        model: &Model,
        skin: &mut [SurfacePoint],
        terms: &[VertexTerm],
        ahead: Option<&Ahead>,
        factor: &mut Factor,
    ) -> Result<Real> {
        self.calm.begin();
        if let Some(ahead) = ahead {
            self.lay(model, skin, factor);
            let plain = self.value_here(model, terms).unwrap_or(Real::INFINITY);
            let turned = self.turned_over();
            self.go_ahead(model, ahead, factor);
            let there = std::mem::take(&mut self.ahead);
            self.lay(model, &there, factor);
            let better = self.turned_over() <= turned;
            let found = self.value_here(model, terms).filter(|all| better && *all < plain);
            if found.is_some() {
                skin.copy_from_slice(&there);
            }
            self.ahead = there;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        self.lay(model, skin, factor);
        self.value_here(model, terms)
            .ok_or_else(|| Error::new(Kind::NotFinite, "the energy of the skin at the start is not finite"))
    }

    /// How many triangles of the skin laid flat are flipped.
    fn turned_over(&self) -> usize {
        self.over.iter().filter(|over| **over).count()
    }

    /// Moves by the extrapolated displacement.
    fn go_ahead(&mut self, model: &Model, ahead: &Ahead, factor: &mut Factor) {
        self.stand(model, ahead.from, factor);
        for (v, way) in ahead.ways.iter().enumerate() {
            let factors = self.stands[v].components(way);
            self.way_ahead[model.unknowns_of(v)].iter_mut().zip(&factors).for_each(|(step, f)| *step = *f);
        }
        model.turns().iter().for_each(|turn| self.without_turn(model, turn));
        let (stands, step) = (&self.stands, &self.way_ahead);
        self.ahead.par_iter_mut().zip(ahead.from).with_min_len(256).enumerate().for_each(
            |(v, (point, from))| {
                *point = stands[v].gone(model, from, &step[model.unknowns_of(v)], 1.0);
            },
        );
    }

    /// Removes a rotation that costs nothing from the extrapolated displacement: nothing would ever restore it.
    fn without_turn(&mut self, model: &Model, turn: &Turn) {
        let vertices = || (0..model.len()).filter(|&v| model.piece_of(v) == turn.piece);
        let (mut along, mut all) = (0.0, 0.0);
        for v in vertices() {
            let stand = &self.stands[v];
            let velocity = stand.moved(stand.components(&turn.at(&stand.place)).as_slice());
            along += velocity.dot(&stand.moved(&self.way_ahead[model.unknowns_of(v)]));
            all += velocity.norm_squared();
        }
        if all <= 0.0 {
            return;
        }
        for v in vertices() {
            let motion = self.stands[v].components(&turn.at(&self.stands[v].place));
            let step = &mut self.way_ahead[model.unknowns_of(v)];
            step.iter_mut().zip(&motion).for_each(|(step, m)| *step -= along / all * m);
        }
    }
}
