//! From velocities to where everything is.

use super::elements::inertia_outside;
use super::layout::NONE;
use super::model::Model;
use super::state::State;
use crate::math::{Placement, Real, Rotation, Vec3};

/// Moves everything for a time with the velocities of the unknowns; led bodies are led elsewhere.
pub(super) fn advance(model: &Model, state: &mut State, velocity: &[Real], h: Real) {
    let layout = &model.layout;
    let three = |first: usize| Vec3::new(velocity[first], velocity[first + 1], velocity[first + 2]);
    for (moving, &first) in state.bodies.iter_mut().zip(&layout.bodies).filter(|(_, first)| **first != NONE) {
        let (angular, linear) = (three(first), three(first + 3));
        let turned =
            Rotation::from_scaled_axis(angular * h).quaternion() * moving.place.rotation.quaternion();
        moving.place = Placement::new(Rotation::new_normalize(turned), moving.place.origin + linear * h);
    }
    for (place, &first) in state.places.iter_mut().zip(&layout.points).filter(|(_, first)| **first != NONE) {
        *place += three(first) * h;
    }
    for (material, &unknown) in state.material.iter_mut().zip(&layout.nodes).filter(|(_, u)| **u != NONE) {
        *material += velocity[unknown] * h;
    }
}

/// Notes the velocities; the spin of a body is that of the axes in which the step was solved.
pub(super) fn take_velocities(model: &Model, state: &mut State, places: &[Placement], velocity: &[Real]) {
    let layout = &model.layout;
    let three = |first: usize| Vec3::new(velocity[first], velocity[first + 1], velocity[first + 2]);
    for (b, &first) in layout.bodies.iter().enumerate() {
        let moving = &mut state.bodies[b];
        if first != NONE {
            (moving.angular, moving.linear) = (three(first), three(first + 3));
        }
        moving.spin = inertia_outside(&model.parts().bodies[b], &places[b]) * moving.angular;
    }
    for (speed, &first) in state.speeds.iter_mut().zip(&layout.points).filter(|(_, first)| **first != NONE) {
        *speed = three(first);
    }
    for (flow, &unknown) in state.flow.iter_mut().zip(&layout.nodes).filter(|(_, u)| **u != NONE) {
        *flow = velocity[unknown];
    }
}
