//! What planes add to the rows of rules.

use super::matrix::Rows;
use super::touched::Part;
use crate::now::Now;
use crate::parts::{Lie, Plane};
use sinew_math::Vec3;
use sinew_math::motion::{parts, twist};

impl Plane {
    /// The bodies that move it.
    pub(crate) fn parts(&self) -> Vec<Part> {
        match &self.lie {
            Lie::Fixed(body, _) => vec![Part::Body(*body)],
            Lie::Blending(bodies, ..) => bodies.map(Part::Body).to_vec(),
        }
    }

    /// Subtracts from a row the plane's velocity along its normal at a point of it.
    pub(crate) fn subtract(&self, now: &Now, rows: &mut Rows, row: usize, place: &Vec3, normal: &Vec3) {
        match &self.lie {
            Lie::Fixed(body, _) => rows.material(now, row, *body, place, &-normal),
            Lie::Blending(bodies, frames, weight) => {
                let frames = [0, 1].map(|k| now.place(bodies[k]) * frames[k]);
                let blend = frames[0].blend_with_derivative(&frames[1], *weight);
                // The power of a unit force along the normal at the place, as a wrench in the blended axes.
                let arm = place - blend.placement.origin;
                let wrench = twist(
                    &blend.placement.direction_inside(&arm.cross(normal)),
                    &blend.placement.direction_inside(normal),
                );
                for (k, by) in [blend.by_first, blend.by_second].iter().enumerate() {
                    let (moment, force) = parts(&(by.transpose() * wrench));
                    let (moment, force) = (frames[k].direction(&moment), frames[k].direction(&force));
                    rows.turn(now, row, bodies[k], &-moment);
                    rows.material(now, row, bodies[k], &frames[k].origin, &-force);
                }
            }
        }
    }
}
