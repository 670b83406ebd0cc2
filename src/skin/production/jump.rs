//! Single vertices that leave their neighbours. Where inertia outweighs the membrane, as on a body that is far too
//! large because its unit is missing, nothing holds a vertex that comes off its course: it lands on another part of the
//! body.

use super::super::equilibrium;
use super::super::model::Model;
use super::super::state::State;
use super::super::thresholds::Thresholds;
use super::undo_flips;
use sinew_geometry::SurfacePoint;
use sinew_math::Real;

/// Where single vertices jumped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// The vertex that jumped farthest.
    pub vertex: usize,
    /// That distance on the skin, in metres.
    pub distance: Real,
    /// The number of vertices that jumped.
    pub vertices: usize,
}

/// Puts vertices that jumped back to where they were before the frame, at rest on the body; and with them those around
/// that have moved on so far that triangles would flip.
pub(super) fn put_back(
    model: &Model,
    before: &State,
    next: &mut State,
    equilibrium: &mut equilibrium::Scratch,
) -> Option<Jump> {
    let (rest, edges) = (&model.rest, model.rest.edges());
    let Thresholds { jump_of_body, jump_of_edge, .. } = model.thresholds;
    let far = (jump_of_body * rest.extent()).max(jump_of_edge * rest.mean_edge());
    let way = |skin: &[SurfacePoint], v: usize| rest.place(&skin[v]) - rest.place(&before.skin[v]);
    let mut jump: Option<Jump> = None;
    for v in 0..model.len() {
        let own = way(&next.skin, v);
        if own.norm() <= far {
            continue;
        }
        let leaves = |h: u32| (own - way(&next.skin, edges.target(h) as usize)).norm() > far;
        if !edges.around(v as u32).all(leaves) {
            continue;
        }
        let (distance, farthest) = (own.norm(), jump.map_or(0.0, |jump| jump.distance));
        let vertex = jump.filter(|_| farthest >= distance).map_or(v, |jump| jump.vertex);
        let vertices = jump.map_or(1, |jump| jump.vertices + 1);
        jump = Some(Jump { vertex, distance: distance.max(farthest), vertices });
        next.skin[v] = before.skin[v];
    }
    if jump.is_some() {
        undo_flips(model, equilibrium, &before.skin, &mut next.skin);
        for v in (0..model.len()).filter(|&v| next.skin[v] == before.skin[v]) {
            for motion in [&mut next.velocity, &mut next.pace, &mut next.earlier_pace] {
                motion[v] = next.body_velocity[v];
            }
        }
    }
    jump
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Settings;
    use crate::plane::least_squares;
    use sinew_energy::{Material, Stvk};
    use sinew_geometry::{TriMesh, shapes};
    use sinew_math::Vec3;

    #[test]
    fn only_vertices_that_leave_all_their_neighbours_are_put_back() {
        for size in [0.02, 1.0, 24.0] {
            let mesh = TriMesh::from_mesh(&shapes::cylinder(0.1 * size, 0.9 * size, 40, 60)).unwrap();
            let material = Material::Stvk(Stvk::new(2e4, 0.3).unwrap());
            let model = Model::new(mesh, Settings::new(material)).unwrap();
            let before = State::at_rest(&model);
            let mut equilibrium = equilibrium::Scratch::new(&model).unwrap();
            let slid = |v: usize, up: Real| {
                let tangents = model.rest.tangents(&before.skin[v]);
                model.rest.go(&before.skin[v], least_squares(&tangents, &(Vec3::y() * (up * size))))
            };
            let mut next = before.clone();
            // All of the skin slides far, and in the same way.
            (0..model.len()).for_each(|v| next.skin[v] = slid(v, 0.06));
            let moved = next.skin.clone();
            assert_eq!(put_back(&model, &before, &mut next, &mut equilibrium), None);
            assert_eq!(next.skin, moved);
            // Two vertices go elsewhere, one of them farther.
            let (one, other) = (1300, 700);
            next = before.clone();
            (next.skin[one], next.skin[other]) = (slid(one, 0.11), slid(other, -0.05));
            next.velocity[one] = Vec3::x();
            let way = (model.rest.place(&next.skin[one]) - model.rest.mesh().positions[one]).norm();
            let jump = put_back(&model, &before, &mut next, &mut equilibrium).unwrap();
            assert_eq!((jump.vertex, jump.vertices), (one, 2));
            assert!((jump.distance - way).abs() < 1e-12 * size && way > 0.05 * size, "{jump:?} {way}");
            assert_eq!(next, before);
            // Where all around it has moved on, it takes neighbours back with it rather than fold the skin.
            next.skin.clone_from(&moved);
            next.skin[one] = slid(one, -0.05);
            assert_eq!(put_back(&model, &before, &mut next, &mut equilibrium).unwrap().vertices, 1);
            assert_eq!(next.skin[one], before.skin[one]);
            assert!(equilibrium.inverted(&model, &next.skin).is_empty());
        }
    }
}
