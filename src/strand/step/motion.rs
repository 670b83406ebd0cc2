//! From velocities to positions.

use crate::layout::NONE;
use crate::model::Model;
use crate::now::{Ahead, Kinematics};
use crate::parts::{Carrier, Mode};
use crate::spinning::{Middle, turned};
use crate::state::State;
use sinew_math::{Placement, Real, Vec3};

/// The positions after h seconds at current velocities, with scripted bodies at their targets. A node moves at most by
/// a quarter of its adjacent material, so that some is left between any two.
pub(super) fn look_ahead(model: &Model, state: &State, kinematics: &mut Kinematics, h: Real) {
    let Kinematics { led, ahead, .. } = kinematics;
    for (b, (part, body)) in model.parts().bodies.iter().zip(&state.bodies).enumerate() {
        let speeds = match part.mode {
            Mode::Free => [body.angular, body.linear],
            Mode::Constrained | Mode::Removed => led[b],
        };
        let [turn, way] = speeds.map(|speed| speed * h);
        let place = Placement::new(turned(&body.place.rotation, &turn), body.place.origin + way);
        ahead.bodies[b] = (place, speeds);
    }
    for (p, point) in model.parts().points.iter().enumerate() {
        (ahead.places[p], ahead.speeds[p]) = match point.carrier {
            Carrier::World => (state.places[p], Vec3::zeros()),
            Carrier::Nothing => (state.places[p] + state.speeds[p] * h, state.speeds[p]),
            Carrier::Body(b) => {
                let (place, [angular, linear]) = &ahead.bodies[b];
                ahead.arms[p] = place.direction(model.local(p));
                (place.origin + ahead.arms[p], linear + angular.cross(&ahead.arms[p]))
            }
        };
    }
    for (strand, first) in model.parts().strands.iter().zip(&model.layout.strands) {
        let nodes = *first..first + strand.nodes.len();
        let between = |k: usize| match nodes.contains(&k) && nodes.contains(&(k + 1)) {
            true => state.material[k + 1] - state.material[k],
            false => Real::INFINITY,
        };
        for k in nodes.clone() {
            let most = 0.25 * between(k).min(between(k.wrapping_sub(1))) / h;
            ahead.flow[k] = state.flow[k].min(most).max(-most);
            ahead.material[k] = state.material[k] + ahead.flow[k] * h;
        }
    }
}

/// The same without any motion: for steps over which velocities cannot be extrapolated.
pub(super) fn stand_still(model: &Model, state: &State, ahead: &mut Ahead) {
    ahead.places.copy_from_slice(&state.places);
    ahead.material.copy_from_slice(&state.material);
    ahead.speeds.fill(Vec3::zeros());
    ahead.flow.fill(0.0);
    for (p, point) in model.parts().points.iter().enumerate() {
        if let Carrier::Body(b) = point.carrier {
            ahead.arms[p] = state.places[p] - state.bodies[b].place.origin;
        }
    }
}

/// Moves everything for a time with the velocities of the unknowns; scripted bodies are moved elsewhere.
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

/// Stores the velocities; the spin of a body is computed in the axes in which the step was solved, plus the remainder.
pub(super) fn take_velocities(model: &Model, state: &mut State, middles: &[Middle], velocity: &[Real]) {
    let layout = &model.layout;
    let three = |first: usize| Vec3::new(velocity[first], velocity[first + 1], velocity[first + 2]);
    for (b, &first) in layout.bodies.iter().enumerate() {
        let moving = &mut state.bodies[b];
        if first != NONE {
            (moving.angular, moving.linear) = (three(first), three(first + 3));
        }
        let Middle { place, rest } = &middles[b];
        moving.spin = model.parts().bodies[b].inertia_outside(place) * moving.angular + rest;
    }
    for (speed, &first) in state.speeds.iter_mut().zip(&layout.points).filter(|(_, first)| **first != NONE) {
        *speed = three(first);
    }
    for (flow, &unknown) in state.flow.iter_mut().zip(&layout.nodes).filter(|(_, u)| **u != NONE) {
        *flow = velocity[unknown];
    }
}
