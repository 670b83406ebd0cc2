//! Carrying the skin over to an edited mesh.

use super::model::Model;
use super::state::State;
use crate::error::Result;
use crate::geometry::{ClosestPoint, SurfacePoint};
use crate::math::{Real, Vec3};

/// The state for a new model that says the same as `state` does for the old one, as far as the shapes agree: at each
/// new vertex the skin that the old state has at the nearest place of the old mesh, put on the nearest place of the new.
/// A vertex that stayed, on a part of the mesh that stayed, keeps its skin up to round-off. The farthest that anything
/// had to be moved to fit comes with it, in metres: small where only the cutting into faces changed.
pub fn retarget(old: &Model, state: &State, new: &Model) -> Result<(State, Real)> {
    let (from, to) = (ClosestPoint::new(old.rest.mesh())?, ClosestPoint::new(new.rest.mesh())?);
    let mut result = State::at_rest(new);
    let mut farthest: Real = 0.0;
    for (v, home) in new.rest.mesh().positions.iter().enumerate() {
        let Some(near) = from.find(home, Real::INFINITY) else { continue };
        farthest = farthest.max(near.distance);
        let corners = old.rest.mesh().triangles[near.on.triangle as usize].map(|c| c as usize);
        let mix = |values: &[Vec3]| near.on.mix(corners.map(|c| values[c]));
        result.velocity[v] = mix(&state.velocity);
        result.body[v] = mix(&state.body);
        result.body_velocity[v] = mix(&state.body_velocity);
        if new.rest.vertex(v).is_none() {
            continue;
        }
        let skin = near.on.mix(corners.map(|c| old.rest.place(&state.skin[c])));
        // What lies off the old mesh is not slide: an unmoved vertex must stay unmoved.
        let at = skin + (home - near.position);
        if let Some(found) = to.find(&at, Real::INFINITY) {
            farthest = farthest.max(found.distance);
            result.skin[v] = on_area(new, found.on, v);
        }
    }
    Ok((result, farthest))
}

/// The state for a surface with the same triangles of which some vertices have become several: `parents` are what they
/// were. At those that have, the skin goes home: it must not lie beyond the edges that have opened.
pub fn regroup(state: &State, parents: &[u32], new: &Model) -> State {
    let mut result = State::at_rest(new);
    if !state.brakes.is_empty() {
        result.brakes.resize(new.len(), Vec3::zeros());
    }
    let mut children = vec![0u32; state.skin.len()];
    parents.iter().for_each(|&parent| children[parent as usize] += 1);
    for (v, parent) in parents.iter().map(|&parent| parent as usize).enumerate() {
        result.body[v] = state.body[parent];
        result.body_velocity[v] = state.body_velocity[parent];
        if children[parent] == 1 {
            result.skin[v] = state.skin[parent];
            result.velocity[v] = state.velocity[parent];
            result.pace[v] = state.pace[parent];
            result.earlier_pace[v] = state.earlier_pace[parent];
            if let (Some(brake), Some(old)) = (result.brakes.get_mut(v), state.brakes.get(parent)) {
                *brake = *old;
            }
        }
    }
    State { trend: state.trend, ..result }
}

/// Triangles without area cannot be walked from.
fn on_area(model: &Model, point: SurfacePoint, vertex: usize) -> SurfacePoint {
    let usable = model.rest.has_area(point.triangle as usize);
    if usable { point } else { model.rest.vertex(vertex).unwrap_or(point) }
}
