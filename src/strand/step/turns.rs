//! Joints that turn past 180 degrees. If a joint has a single rotation, whole turns are counted. Several rotations form
//! a rotation vector, which is unique only within 180 degrees: beyond that it wraps around, and the force of a spring,
//! a limit or a ligament jumps. This is reported.

use super::report::{Report, Wrapped};
use crate::layout::NONE;
use crate::model::Model;
use crate::now::{Kinematics, Now};
use crate::parts::{Axis, Joint, Motion};
use crate::state::State;
use sinew_math::{Real, Vec3};
use std::f64::consts::PI;

/// Counts turns after `velocity` moved everything within h seconds: a turn of that size, to within half a turn.
pub(super) fn count(model: &Model, state: &mut State, kinematics: &Kinematics, velocity: &[Real], h: Real) {
    for (j, joint) in model.parts().joints.iter().enumerate() {
        let Some(axis) = joint.only_turn() else { continue };
        let now = Now { model, state, kinematics };
        let angular = |b: usize| now.speeds_of_body(b, velocity)[0];
        let against = angular(joint.child) - joint.parent.map_or(Vec3::zeros(), angular);
        let [parent, _] = joint.frames(|b| now.place(b));
        let turned = state.turned[j] + parent.direction_inside(&against)[axis] * h;
        state.turned[j] = joint.motions_near(turned, |b| now.place(b))[axis];
    }
}

/// Reports joints that passed 180 degrees from one state to the next.
pub(super) fn wrapped(model: &Model, before: &State, state: &State, report: &mut Report) {
    for (j, (joint, &row)) in model.parts().joints.iter().zip(&model.layout.joint_rows).enumerate() {
        let counted = joint.only_turn().is_some();
        if counted
            || row == NONE
            || state.released[row]
            || report.wrapped.iter().any(|reported| reported.joint == j)
        {
            continue;
        }
        let [from, to] = [before, state].map(|state| turn(joint, state));
        let by_angle = (0..3).filter(|k| goes_by_angle(&joint.axes[*k]));
        let Some(axis) = by_angle.max_by(|a, b| to[*a].abs().total_cmp(&to[*b].abs())) else { continue };
        // Steps rotate by far less than half a turn: a change of side is a wrap-around.
        if (to - from).norm() > PI {
            report.wrapped.push(Wrapped { joint: j, axis, time: state.time });
        }
    }
}

fn turn(joint: &Joint, state: &State) -> Vec3 {
    Vec3::from_column_slice(&joint.motions(|b| state.bodies[b].place)[..3])
}

/// Whether anything along a motion depends on its value.
fn goes_by_angle(axis: &Axis) -> bool {
    matches!(axis.motion, Motion::Limited(..))
        || axis.ligaments.is_some()
        || axis.spring.is_some_and(|spring| spring.stiffness > 0.0)
}
