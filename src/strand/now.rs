//! Where everything is and moves in a step, as seen by the rows and elements of a step.

use super::layout::{Layout, NONE};
use super::model::Model;
use super::parts::{Carrier, Parts};
use super::segment::Pair;
use super::spinning::Middle;
use super::state::State;
use sinew_geometry::{OnSection, Section};
use sinew_math::{Placement, Real, Vec2, Vec3};

/// Computed first in a step: where the planes are and what they cut, and how scripted bodies move.
pub(super) struct Kinematics {
    /// The angular and linear velocities of scripted bodies; unused for free ones.
    pub led: Vec<[Vec3; 2]>,
    /// Of bodies; for those that are not unknowns, where they are now.
    pub middles: Vec<Middle>,
    pub planes: Vec<Placement>,
    /// For planes with a bone.
    pub cuts: Vec<Option<Cut>>,
    pub ahead: Ahead,
}

/// Extrapolated positions at the end of a step at current velocities: the forces of strands are evaluated there, and
/// linearised in the velocity change. Evaluated at the start of the step, a strand that turns far within it would pull
/// in an outdated direction.
pub(super) struct Ahead {
    /// Of bodies, and the angular and linear velocities that lead there.
    pub bodies: Vec<(Placement, [Vec3; 2])>,
    /// Of points, and the velocities that lead there.
    pub places: Vec<Vec3>,
    pub speeds: Vec<Vec3>,
    /// From the centre of mass of the body that carries a point to the point.
    pub arms: Vec<Vec3>,
    /// Of nodes, and the flow that leads there.
    pub material: Vec<Real>,
    pub flow: Vec<Real>,
}

impl Ahead {
    /// Of the size of a model.
    pub fn new(model: &Model) -> Self {
        let (points, nodes) = (model.parts().points.len(), model.layout.nodes.len());
        let zeros = || vec![Vec3::zeros(); points];
        Ahead {
            bodies: vec![Default::default(); model.parts().bodies.len()],
            places: zeros(),
            speeds: zeros(),
            arms: zeros(),
            material: vec![0.0; nodes],
            flow: vec![0.0; nodes],
        }
    }
}

/// The cross-section of a bone with a plane.
#[derive(Default)]
pub(super) struct Cut {
    pub section: Section,
    /// Where the plane was in the bone's axes at that time; the section lies in its x and y.
    pub inside: Placement,
}

/// The model, its state and their kinematics.
pub(super) struct Now<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub kinematics: &'a Kinematics,
}

impl<'a> Now<'a> {
    pub fn layout(&self) -> &'a Layout {
        &self.model.layout
    }

    pub fn parts(&self) -> &'a Parts {
        self.model.parts()
    }

    pub fn place(&self, body: usize) -> Placement {
        self.state.bodies[body].place
    }

    /// The motions of a joint: three angles, three lengths.
    pub fn motions(&self, joint: usize) -> [Real; 6] {
        self.state.motions(self.model, joint)
    }

    /// The velocities of a body at the end of the step if they are known: angular, linear.
    pub fn led(&self, body: usize) -> [Vec3; 2] {
        self.kinematics.led[body]
    }

    /// The sum of 1 / mass of two bodies; scripted ones have infinite mass.
    pub fn lightness(&self, bodies: [usize; 2]) -> Real {
        let of =
            |b: usize| if self.layout().bodies[b] == NONE { 0.0 } else { 1.0 / self.parts().bodies[b].mass };
        of(bodies[0]) + of(bodies[1])
    }

    pub fn carrier(&self, point: usize) -> Carrier {
        self.parts().points[point].carrier
    }

    pub fn point(&self, point: usize) -> Vec3 {
        self.state.places[point]
    }

    /// From the centre of mass of the body that carries a point to the point.
    pub fn arm(&self, point: usize) -> Option<Vec3> {
        match self.carrier(point) {
            Carrier::Body(body) => Some(self.point(point) - self.place(body).origin),
            Carrier::Nothing | Carrier::World => None,
        }
    }

    /// The same, extrapolated.
    pub fn arm_ahead(&self, point: usize) -> Option<Vec3> {
        match self.carrier(point) {
            Carrier::Body(_) => Some(self.kinematics.ahead.arms[point]),
            Carrier::Nothing | Carrier::World => None,
        }
    }

    /// The nodes of a segment, extrapolated.
    pub fn pair_ahead(&self, points: [usize; 2], node: usize) -> Pair {
        let ahead = &self.kinematics.ahead;
        Pair { x: points.map(|p| ahead.places[p]), s: [ahead.material[node], ahead.material[node + 1]] }
    }

    /// The velocities that lead there.
    pub fn pace_ahead(&self, points: [usize; 2], node: usize) -> Pair {
        let ahead = &self.kinematics.ahead;
        Pair { x: points.map(|p| ahead.speeds[p]), s: [ahead.flow[node], ahead.flow[node + 1]] }
    }

    /// The angular velocity of a body and the velocity of its centre of mass; for scripted ones, the driven ones.
    pub fn speeds_of_body(&self, body: usize, velocity: &[Real]) -> [Vec3; 2] {
        match self.layout().bodies[body] {
            NONE => self.led(body),
            first => [0, 3].map(|k| Vec3::from_column_slice(&velocity[first + k..first + k + 3])),
        }
    }

    /// The velocity of a point, using the extrapolated arm.
    pub fn speed_ahead(&self, point: usize, velocity: &[Real]) -> Vec3 {
        match self.carrier(point) {
            Carrier::World => Vec3::zeros(),
            Carrier::Nothing => Vec3::from_column_slice(&velocity[self.layout().points[point]..][..3]),
            Carrier::Body(body) => {
                let [angular, linear] = self.speeds_of_body(body, velocity);
                linear + angular.cross(&self.kinematics.ahead.arms[point])
            }
        }
    }

    /// The velocity of a point's surroundings: the body to which it is bound, at the start of the step or as scripted;
    /// zero in the world. The body does not feel the drag on a piece of strand.
    pub fn around(&self, point: usize) -> Vec3 {
        let Some(body) = self.model.around(point) else { return Vec3::zeros() };
        let moving = &self.state.bodies[body];
        match self.layout().bodies[body] {
            NONE => {
                let [angular, linear] = self.led(body);
                linear + angular.cross(&(self.point(point) - moving.place.origin))
            }
            _ => moving.velocity_at(&self.point(point)),
        }
    }

    pub fn plane(&self, plane: usize) -> Placement {
        self.kinematics.planes[plane]
    }

    /// The point of the bone's cross-section closest to a point, and where the section is now: the bone carries it
    /// since it was cut. `None` if the plane misses the bone.
    pub fn closest_on_bone(&self, point: usize, plane: usize, bone: usize) -> Option<(OnSection, Placement)> {
        let cut = self.kinematics.cuts[plane].as_ref()?;
        let place = self.place(bone) * cut.inside;
        let at = place.point_inside(&self.point(point));
        Some((cut.section.closest(&Vec2::new(at.x, at.y))?, place))
    }
}
