//! Planes on bones and between them, in which nodes move \[HandThesis §3.3\].

use super::now::Now;
use super::rows::{Part, Rows};
use crate::math::motion::{parts, twist};
use crate::math::{Placement, Real, Vec3};

/// The placement of a plane. Its normal is the z axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Lie {
    /// Fixed to a body: a placement in its axes.
    Fixed(usize, Placement),
    /// Between two bodies: interpolated between the two placements by a weight, along the shortest rotation and the
    /// straight line; one half is in the middle.
    Blending([usize; 2], [Placement; 2], Real),
}

/// A plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub lie: Lie,
    /// The body whose cross-section its nodes stay out of.
    pub bone: Option<usize>,
}

impl Plane {
    /// The bodies that move it.
    pub(super) fn parts(&self) -> Vec<Part> {
        match &self.lie {
            Lie::Fixed(body, _) => vec![Part::Body(*body)],
            Lie::Blending(bodies, ..) => bodies.map(Part::Body).to_vec(),
        }
    }

    /// Its current placement.
    pub fn place(&self, places: impl Fn(usize) -> Placement) -> Placement {
        match &self.lie {
            Lie::Fixed(body, place) => places(*body) * *place,
            Lie::Blending([a, b], [at_a, at_b], weight) => {
                (places(*a) * *at_a).blend(&(places(*b) * *at_b), *weight)
            }
        }
    }

    /// Its placement in the axes of the bone that it cuts, if that is constant: then so is the cut.
    pub(super) fn fixed_to_its_bone(&self) -> Option<Placement> {
        match &self.lie {
            Lie::Fixed(body, place) if self.bone == Some(*body) => Some(*place),
            _ => None,
        }
    }

    /// Subtracts from a row the plane's velocity along its normal at a point of it.
    pub(super) fn subtract(&self, now: &Now, rows: &mut Rows, row: usize, place: &Vec3, normal: &Vec3) {
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
