//! Snaps: when the current equilibrium ceases to exist, for example as the skin slides off a ridge, the nearest other
//! one may be far away. The skin moves there at a bounded speed, over as many frames as that takes.
//!
//! Skin that follows the body moves about as far as a linear response to the body's motion, however fast the body is.
//! Skin that moves farther than that, and farther than the speed allows, snaps. It is held back by springs at those
//! vertices, and the skin around them is in equilibrium with them. The spring forces at the end of a frame are not due
//! to the body's motion in the next, so they are excluded from the response there.

use super::super::equilibrium::{self, Given, Solved, VertexTerm};
use super::super::model::{Hold, Mode, Model};
use super::super::plane::least_squares;
use super::super::state::State;
use super::super::tangent::{find_places, way_on_skin};
use super::super::thresholds::Thresholds;
use super::{Report, Scratch};
use sinew_base::control::Control;
use sinew_base::error::{Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec3};

/// Where the skin snaps to another resting position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Snap {
    /// The vertex with the longest distance to go, or that went farthest if the snap is not slowed down.
    pub vertex: usize,
    /// That distance, in metres.
    pub distance: Real,
    /// The number of vertices that snap.
    pub vertices: usize,
    /// Whether it moves there slowly; at once if no equilibrium is found on the way.
    pub slowed: bool,
}

/// Reused memory.
pub(super) struct Snaps {
    /// The previous positions of the skin on the surface at rest.
    from: Vec<Vec3>,
    /// The linear response of the skin, and how far it may move.
    responses: Vec<Real>,
    limits: Vec<Real>,
    /// Where it is held, at vertices that would move farther.
    ends: Vec<Option<Vec3>>,
    /// The skin at its new resting position, and where the search for the one on the way starts.
    rest: Vec<SurfacePoint>,
    start: Vec<SurfacePoint>,
    /// The contributions of the vertices to the potential without the springs.
    free: Vec<VertexTerm>,
}

impl Snaps {
    pub fn new(n: usize) -> Self {
        Snaps {
            from: vec![Vec3::zeros(); n],
            responses: vec![0.0; n],
            limits: vec![0.0; n],
            ends: vec![None; n],
            rest: Vec::new(),
            start: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl Scratch {
    /// Where the skin has snapped to its new equilibrium, it is moved only as far as allowed.
    pub(super) fn slow_snaps(
        &mut self,
        model: &Model,
        state: &mut State,
        seconds: Real,
        solved: &mut Solved,
        report: &mut Report,
        control: &Control,
    ) -> Result<()> {
        let slow = model.settings.snap_speed * model.rest.extent() * seconds;
        // Motion required by constraints is not a response to the body's motion, and must not be slowed down.
        let may_snap =
            model.settings.mode == Mode::Quasistatic && slow.is_finite() && model.rows().is_empty();
        if !may_snap {
            state.brakes.clear();
            return Ok(());
        }
        find_places(&model.rest, &state.skin, &mut self.places);
        find_places(&model.rest, &self.from, &mut self.snaps.from);
        let Thresholds { unseen, coarse, .. } = model.thresholds;
        let seen = (unseen * slow).max(coarse * model.rest.mean_edge());
        if state.brakes.is_empty() && !self.may_have_snapped(seen) {
            return Ok(());
        }
        let snaps = self.find_ends(model, state, [slow, seen]);
        state.brakes.clear();
        match snaps {
            // Without a response there is nothing to compare a snap with.
            Err(error) if matches!(error.kind(), Kind::NotFinite | Kind::NoConvergence) => Ok(()),
            Ok(false) => Ok(()),
            // Skin that found no equilibrium has none to move to.
            Ok(true) if !solved.converged => {
                self.snaps.rest.clone_from(&state.skin);
                self.report_snap(model, false, report);
                Ok(())
            }
            Ok(true) => self.brake(model, state, solved, report, control),
            Err(error) => Err(error),
        }
    }

    /// A first check, which costs nothing: what snaps moves far, and not as before.
    fn may_have_snapped(&self, far: Real) -> bool {
        let ways = self.places.iter().zip(&self.snaps.from).map(|(to, from)| to - from);
        ways.zip(&self.ways).any(|(way, ahead)| way.norm() > far && (way - ahead).norm() > far)
    }

    /// Finds where the skin ends at vertices that snap; returns whether there are any.
    fn find_ends(&mut self, model: &Model, state: &mut State, [slow, seen]: [Real; 2]) -> Result<bool> {
        self.find_limits(model, state, slow)?;
        let mut any = false;
        for (v, limit) in self.snaps.limits.iter_mut().enumerate() {
            let (from, way) = (self.snaps.from[v], self.places[v] - self.snaps.from[v]);
            let length = way.norm();
            let slowed = state.brakes.get(v).is_some_and(|brake| *brake != Vec3::zeros());
            let unseen = !slowed && length <= seen.max(model.thresholds.unseen * *limit);
            let snaps = length > *limit && !unseen;
            self.snaps.ends[v] = snaps.then(|| from + way * (*limit / length));
            any |= snaps;
        }
        Ok(any)
    }

    /// How far the skin may move at each vertex: the largest response around it.
    fn find_limits(&mut self, model: &Model, state: &mut State, slow: Real) -> Result<()> {
        self.terms.iter_mut().zip(&state.brakes).for_each(|(term, brake)| term.linear += brake);
        let skins = [&self.from[..], &state.skin];
        let lengths = &mut self.snaps.responses;
        let (terms, left) = (&self.terms, &mut state.stiffness);
        let found = equilibrium::response(model, skins, terms, lengths, left, &mut self.equilibrium);
        self.terms.iter_mut().zip(&state.brakes).for_each(|(term, brake)| term.linear -= brake);
        found?;
        let Snaps { responses, limits, .. } = &mut self.snaps;
        limits.fill(slow);
        for triangle in &model.rest.mesh().triangles {
            let most = triangle.map(|v| responses[v as usize]).into_iter().fold(0.0, Real::max);
            triangle
                .iter()
                .for_each(|&v| limits[v as usize] = limits[v as usize].max(model.thresholds.farther * most));
        }
        Ok(())
    }

    /// Moves to the equilibrium with the springs.
    fn brake(
        &mut self,
        model: &Model,
        state: &mut State,
        solved: &mut Solved,
        report: &mut Report,
        control: &Control,
    ) -> Result<()> {
        self.snaps.rest.clone_from(&state.skin);
        state.skin.copy_from_slice(&self.from);
        let stiff = model.thresholds.brake * model.stiffness();
        self.snaps.free.clone_from(&self.terms);
        let held = self.terms.iter_mut().zip(&self.snaps.ends);
        held.for_each(|(term, end)| end.iter().for_each(|end| term.pull_to(end, stiff)));
        // The next frame starts with a stiffness without springs.
        let (body, skin, mut left) = (&state.body, &mut state.skin, state.stiffness.clone());
        // Everything is on its way to the new resting position.
        let Snaps { rest, limits, start, .. } = &mut self.snaps;
        let (from, surface) = (&self.from, &model.rest);
        start.clear();
        start.extend((0..from.len()).map(|v| {
            let way = way_on_skin(surface, &from[v], &rest[v]);
            let way = way * (limits[v] / way.norm()).min(1.0);
            match model.holds()[v] {
                Hold::Free => surface.go(&from[v], least_squares(&surface.tangents(&from[v]), &way)),
                _ => from[v],
            }
        }));
        let given = Given { terms: &self.terms, other: Some(&self.snaps.start), still: false };
        let found = equilibrium::solve(model, body, skin, &mut left, &given, &mut self.equilibrium, control);
        std::mem::swap(&mut self.terms, &mut self.snaps.free);
        let slowed = match found {
            Ok(found) => {
                *solved = if found.converged { found.after(solved) } else { solved.after(&found) };
                found.converged
            }
            Err(error) if error.kind() == Kind::NotFinite => false,
            Err(error) => return Err(error),
        };
        if slowed {
            find_places(&model.rest, &state.skin, &mut self.places);
            let brake =
                |(end, place): (&Option<Vec3>, &Vec3)| end.map_or(Vec3::zeros(), |end| (place - end) * stiff);
            state.brakes.extend(self.snaps.ends.iter().zip(&self.places).map(brake));
        } else {
            state.skin.copy_from_slice(&self.snaps.rest);
        }
        self.report_snap(model, slowed, report);
        Ok(())
    }

    fn report_snap(&self, model: &Model, slowed: bool, report: &mut Report) {
        let Snaps { from, rest, ends, .. } = &self.snaps;
        let here = if slowed { &self.places } else { from };
        let left = |v: usize| (model.rest.place(&rest[v]) - here[v]).norm();
        let snapping = || (0..ends.len()).filter(|&v| ends[v].is_some());
        let farthest = snapping().map(|v| (v, left(v))).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((vertex, distance)) = farthest
            && report.snap.is_none_or(|worst| worst.distance < distance)
        {
            report.snap = Some(Snap { vertex, distance, vertices: snapping().count(), slowed });
        }
    }
}
