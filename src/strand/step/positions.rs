//! Positions: points, planes, cross-sections of bones, the middles of the step, and scripted bodies.

use super::inputs::Inputs;
use crate::layout::NONE;
use crate::model::Model;
use crate::now::Kinematics;
use crate::parts::{Carrier, Mode};
use crate::spinning::Middle;
use crate::state::State;
use sinew_base::error::{Error, Result};
use sinew_math::motion::rotation_vector;
use sinew_math::{Placement, Real, Vec3};

/// The velocities that bring scripted bodies to their targets at the end of the step.
pub fn lead(
    model: &Model,
    state: &State,
    start: &State,
    inputs: &Inputs,
    h: Real,
    part: Real,
    kinematics: &mut Kinematics,
) {
    for (b, led) in kinematics.led.iter_mut().enumerate() {
        if model.parts().bodies[b].mode != Mode::Free {
            let (goal, place) = (goal(start, inputs, b, part), state.bodies[b].place);
            let turn = rotation_vector(&(goal.rotation * place.rotation.inverse()));
            *led = [turn / h, (goal.origin - place.origin) / h];
        }
    }
}

/// The poses of bodies in the middle of the step; those that are not unknowns as at its start.
pub fn find_middles(model: &Model, state: &State, h: Real, kinematics: &mut Kinematics) {
    let bodies = model.parts().bodies.iter().zip(&state.bodies).zip(&model.layout.bodies);
    for (middle, ((body, moving), &first)) in kinematics.middles.iter_mut().zip(bodies) {
        *middle = match first {
            NONE => Middle { place: moving.place, rest: Vec3::zeros() },
            _ => Middle::new(body, moving, h),
        };
    }
}

/// The target of a scripted body at a fraction of the frame.
fn goal(start: &State, inputs: &Inputs, body: usize, part: Real) -> Placement {
    let from = start.bodies[body].place;
    inputs.led.get(body).map_or(from, |to| from.blend(to, part))
}

/// Moves bodies that are not unknowns to their targets.
pub fn bring(
    model: &Model,
    state: &mut State,
    start: &State,
    inputs: &Inputs,
    part: Real,
    kinematics: &Kinematics,
) {
    for b in 0..state.bodies.len() {
        if model.parts().bodies[b].mode == Mode::Removed {
            let moving = &mut state.bodies[b];
            moving.place = goal(start, inputs, b, part);
            [moving.angular, moving.linear] = kinematics.led[b];
        }
    }
}

/// The positions of points and planes.
pub fn update(model: &Model, state: &mut State, kinematics: &mut Kinematics) {
    for (p, point) in model.parts().points.iter().enumerate() {
        if let Carrier::Body(b) = point.carrier {
            state.places[p] = state.bodies[b].place.point(model.local(p));
        }
    }
    for (place, plane) in kinematics.planes.iter_mut().zip(&model.parts().planes) {
        *place = plane.place(|b| state.bodies[b].place);
    }
}

/// The cross-sections of bones with planes that move relative to them; `missed` collects planes that miss their bone,
/// and why.
pub fn cut_bones(
    model: &Model,
    state: &State,
    kinematics: &mut Kinematics,
    mut missed: impl FnMut(usize, Error) -> Result<()>,
) -> Result<()> {
    for (k, plane) in model.parts().planes.iter().enumerate() {
        let Some(bone) = plane.bone.filter(|_| plane.fixed_to_its_bone().is_none()) else { continue };
        let inside = state.bodies[bone].place.inverse() * kinematics.planes[k];
        cut_bone(model, kinematics, k, inside).or_else(|error| missed(k, error))?;
    }
    Ok(())
}

/// Cuts a plane's bone, if it has one, at the plane's placement in its axes.
pub fn cut_bone(model: &Model, kinematics: &mut Kinematics, plane: usize, inside: Placement) -> Result<()> {
    let bone = model.parts().planes[plane].bone.map(|bone| &model.parts().bodies[bone]);
    match (&mut kinematics.cuts[plane], bone.and_then(|bone| bone.solid.as_ref())) {
        (Some(cut), Some(solid)) => {
            cut.inside = inside;
            cut.section.update(solid, &inside)
        }
        _ => Ok(()),
    }
}
