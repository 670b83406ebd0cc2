//! Transfers the skin to an edited mesh.

use super::model::Model;
use super::state::State;
use sinew_base::error::Result;
use sinew_geometry::{ClosestPoint, SurfacePoint};
use sinew_math::{Real, Vec3};

/// The state for a new model equivalent to `state` for the old one, as far as the shapes agree: at each new vertex the
/// skin that the old state has at the nearest point of the old mesh, placed at the nearest point of the new. An
/// unchanged vertex in an unchanged part of the mesh keeps its skin up to round-off. Also returns the farthest distance
/// that anything was moved to fit, in metres: small if only the tessellation changed.
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
        // Distance from the old mesh is not slide: an unmoved vertex must stay unmoved.
        let at = skin + (home - near.position);
        if let Some(found) = to.find(&at, Real::INFINITY) {
            farthest = farthest.max(found.distance);
            result.skin[v] = on_area(new, found.on, v);
        }
    }
    Ok((result, farthest))
}

/// The state for a surface with the same triangles of which some vertices were split: `parents` are their originals. At
/// split vertices the skin returns to its original position: it must not extend across the opened edges.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Settings;
    use sinew_energy::{Material, Stvk};
    use sinew_geometry::{TriMesh, shapes};

    /// What kept the skin from snapping stays with the vertices that were not split.
    #[test]
    fn brakes_stay_with_their_vertices() {
        let mesh = TriMesh::from_mesh(&shapes::grid(1.0, 1.0, 2, 2)).unwrap();
        let material = Material::Stvk(Stvk::new(2e4, 0.3).unwrap());
        let model = Model::new(mesh, Settings::new(material)).unwrap();
        let forces: Vec<Vec3> = (0..model.len()).map(|v| Vec3::x() * v as Real).collect();
        let state = State { brakes: forces.clone(), ..State::at_rest(&model) };
        let parents: Vec<u32> = (0..model.len() as u32).collect();
        assert_eq!(regroup(&state, &parents, &model).brakes, forces);
        let state = State::at_rest(&model);
        assert!(regroup(&state, &parents, &model).brakes.is_empty());
    }
}
