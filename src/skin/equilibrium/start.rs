//! Where a solve begins.

use super::potential::potential;
use super::{Scratch, VertexTerm};
use crate::error::{Error, Kind, Result};
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::model::Model;
use crate::skin::turns::Turn;

/// Where the skin would be if it went on sliding as it did before.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<'a> {
    /// From here.
    pub from: &'a [SurfacePoint],
    /// So far, over the surface at rest.
    pub ways: &'a [Vec3],
}

impl Scratch {
    /// Makes the better of both starts the skin and the trial; the potential there and the membrane's part of it. What is
    /// painted on the skin at the start counts for the whole solve.
    pub(super) fn start(
        &mut self,
        model: &Model,
        body: &[Vec3],
        skin: &mut [SurfacePoint],
        terms: &[VertexTerm],
        ahead: Option<&Ahead>,
    ) -> Result<(Real, Real)> {
        self.rows.force = 0.0;
        self.held.fill(false);
        self.shares.fill(1.0);
        self.fill_patches(model, body, skin);
        let plain = self.begin(model, skin, terms);
        let Some(ahead) = ahead else { return plain };
        let kept = self.go_ahead(model, ahead, skin);
        if !model.is_evenly_painted() {
            let trial = std::mem::take(&mut self.trial.skin);
            self.fill_patches(model, body, &trial);
            self.trial.skin = trial;
        }
        let found = potential(model, terms, self);
        if let Some(found) = found.filter(|found| plain.as_ref().map_or(true, |plain| found.0 < plain.0)) {
            skin.copy_from_slice(&self.trial.skin);
            return Ok(found);
        }
        if !model.is_evenly_painted() {
            self.fill_patches(model, body, skin);
        }
        if kept {
            std::mem::swap(&mut self.trial, &mut self.other);
            return plain;
        }
        self.begin(model, skin, terms)
    }

    fn begin(&mut self, model: &Model, skin: &[SurfacePoint], terms: &[VertexTerm]) -> Result<(Real, Real)> {
        self.look_at(model, skin);
        potential(model, terms, self)
            .ok_or_else(|| Error::new(Kind::NotFinite, "the energy of the skin at the start is not finite"))
    }

    /// Makes the way ahead the trial; whether the plain start, the trial before, is the other one now: mostly the way ahead
    /// begins there too.
    fn go_ahead(&mut self, model: &Model, ahead: &Ahead, plain: &[SurfacePoint]) -> bool {
        self.look_at(model, ahead.from);
        self.stands.copy_from_slice(&self.trial.stands);
        for (v, way) in ahead.ways.iter().enumerate() {
            let factors = self.stands[v].components(way);
            self.step[model.unknowns_of(v)].iter_mut().zip(&factors).for_each(|(step, f)| *step = *f);
        }
        model.turns().iter().for_each(|turn| self.without_turn(model, turn));
        let kept = ahead.from == plain;
        if kept {
            std::mem::swap(&mut self.trial, &mut self.other);
        }
        self.walk(model, ahead.from, 1.0);
        kept
    }

    /// Takes a turn that costs nothing out of the step: nothing would ever bring it back.
    fn without_turn(&mut self, model: &Model, turn: &Turn) {
        let vertices = || (0..model.len()).filter(|&v| model.piece_of(v) == turn.piece);
        let (mut along, mut all) = (0.0, 0.0);
        for v in vertices() {
            let stand = &self.stands[v];
            let velocity = stand.moved(stand.components(&turn.at(&stand.place)).as_slice());
            along += velocity.dot(&stand.moved(&self.step[model.unknowns_of(v)]));
            all += velocity.norm_squared();
        }
        if all <= 0.0 {
            return;
        }
        for v in vertices() {
            let motion = self.stands[v].components(&turn.at(&self.stands[v].place));
            let step = &mut self.step[model.unknowns_of(v)];
            step.iter_mut().zip(&motion).for_each(|(step, m)| *step -= along / all * m);
        }
    }
}
