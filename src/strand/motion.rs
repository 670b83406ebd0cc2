//! From velocities to where everything is.

use super::elements::inertia_outside;
use super::layout::NONE;
use super::model::{Body, Model};
use super::state::{Moving, State};
use crate::math::{Placement, Real, Rotation, Vec3};

/// A rotation turned further, by a rotation vector in the world's axes.
fn turned(rotation: &Rotation, by: &Vec3) -> Rotation {
    Rotation::new_normalize(Rotation::from_scaled_axis(*by).quaternion() * rotation.quaternion())
}

/// Where a body that spins freely will be turned to in the middle of a step of h seconds: the place at which its angular
/// velocity w takes it from where it is now by exp(w h/2), and its spin is I w there. With the step's own turn exp(w h) this is
/// the implicit midpoint rule, which is symmetric in time: spin lasts, and energy does not creep.
pub(super) fn middle(body: &Body, moving: &Moving, h: Real) -> Placement {
    let turned = |angular: &Vec3| {
        Placement::new(turned(&moving.place.rotation, &(angular * (0.5 * h))), moving.place.origin)
    };
    let mut angular = moving.angular;
    for _ in 0..MOST_TURNS {
        let place = turned(&angular);
        let inside = place.direction_inside(&moving.spin);
        let next = place.direction(&inside.component_div(&body.moments));
        let change = (next - angular).norm();
        angular = next;
        if change <= SAME * angular.norm() {
            return turned(&angular);
        }
    }
    // It turns too far in a step to know.
    moving.place
}

/// How often the middle of a step is guessed, and how well two guesses agree in the end.
const MOST_TURNS: usize = 30;
const SAME: Real = 1e-12;

/// Moves everything for a time with the velocities of the unknowns; led bodies are led elsewhere.
pub(super) fn advance(model: &Model, state: &mut State, velocity: &[Real], h: Real) {
    let layout = &model.layout;
    let three = |first: usize| Vec3::new(velocity[first], velocity[first + 1], velocity[first + 2]);
    for (moving, &first) in state.bodies.iter_mut().zip(&layout.bodies).filter(|(_, first)| **first != NONE) {
        let (angular, linear) = (three(first), three(first + 3));
        let rotation = turned(&moving.place.rotation, &(angular * h));
        moving.place = Placement::new(rotation, moving.place.origin + linear * h);
    }
    for (place, &first) in state.places.iter_mut().zip(&layout.points).filter(|(_, first)| **first != NONE) {
        *place += three(first) * h;
    }
    for (material, &unknown) in state.material.iter_mut().zip(&layout.nodes).filter(|(_, u)| **u != NONE) {
        *material += velocity[unknown] * h;
    }
}

/// Notes the velocities; the spin of a body is that of the axes in which the step was solved.
pub(super) fn take_velocities(model: &Model, state: &mut State, axes: &[Placement], velocity: &[Real]) {
    let layout = &model.layout;
    let three = |first: usize| Vec3::new(velocity[first], velocity[first + 1], velocity[first + 2]);
    for (b, &first) in layout.bodies.iter().enumerate() {
        let moving = &mut state.bodies[b];
        if first != NONE {
            (moving.angular, moving.linear) = (three(first), three(first + 3));
        }
        moving.spin = inertia_outside(&model.parts().bodies[b], &axes[b]) * moving.angular;
    }
    for (speed, &first) in state.speeds.iter_mut().zip(&layout.points).filter(|(_, first)| **first != NONE) {
        *speed = three(first);
    }
    for (flow, &unknown) in state.flow.iter_mut().zip(&layout.nodes).filter(|(_, u)| **u != NONE) {
        *flow = velocity[unknown];
    }
}
