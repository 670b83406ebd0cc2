//! A moment: what the rows and elements of a step look at.

use super::layout::{Layout, NONE};
use super::model::{Carrier, Model, Parts};
use super::segment::Pair;
use super::spinning::Middle;
use super::state::State;
use crate::geometry::{OnSection, Section};
use crate::math::{Placement, Real, Vec2, Vec3};

/// What a step finds first: where the planes are and what they cut, and how bodies are led.
pub(super) struct Moment {
    /// The angular and linear velocities that lead a body; those of free ones mean nothing.
    pub led: Vec<[Vec3; 2]>,
    /// Of bodies; of those that are no unknowns where they are now.
    pub middles: Vec<Middle>,
    pub planes: Vec<Placement>,
    /// For planes with a bone.
    pub cuts: Vec<Option<Cut>>,
    pub ahead: Ahead,
}

/// Where everything would be at the end of a step with the velocities that it has: there the forces of strands are taken,
/// and from there on they are linear in what the velocities change. Taken where the step begins, a strand that turns by much
/// within it would pull in a direction of the past.
pub(super) struct Ahead {
    /// Of points, and the velocities that would bring them there.
    pub places: Vec<Vec3>,
    pub speeds: Vec<Vec3>,
    /// From the centre of mass of the body that carries a point to the point.
    pub arms: Vec<Vec3>,
    /// Of nodes, and the flow that would bring them there.
    pub material: Vec<Real>,
    pub flow: Vec<Real>,
}

impl Ahead {
    /// Of the size of a model.
    pub fn new(model: &Model) -> Self {
        let (points, nodes) = (model.parts().points.len(), model.layout.nodes.len());
        let zeros = || vec![Vec3::zeros(); points];
        Ahead {
            places: zeros(),
            speeds: zeros(),
            arms: zeros(),
            material: vec![0.0; nodes],
            flow: vec![0.0; nodes],
        }
    }
}

/// What a plane cuts out of a bone.
#[derive(Default)]
pub(super) struct Cut {
    pub section: Section,
    /// Where the plane was in the bone's axes then; the section lies in its x and y.
    pub inside: Placement,
}

/// A view of a moment.
pub(super) struct Now<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub moment: &'a Moment,
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

    /// The velocities of a body at the end of the step when they are known: angular, linear.
    pub fn led(&self, body: usize) -> [Vec3; 2] {
        self.moment.led[body]
    }

    /// The sum of 1 / mass of two bodies; led ones have endless mass.
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

    /// The same ahead.
    pub fn arm_ahead(&self, point: usize) -> Option<Vec3> {
        match self.carrier(point) {
            Carrier::Body(_) => Some(self.moment.ahead.arms[point]),
            Carrier::Nothing | Carrier::World => None,
        }
    }

    /// The nodes of a segment ahead.
    pub fn pair_ahead(&self, points: [usize; 2], node: usize) -> Pair {
        let ahead = &self.moment.ahead;
        Pair { x: points.map(|p| ahead.places[p]), s: [ahead.material[node], ahead.material[node + 1]] }
    }

    /// The velocities that would bring them there.
    pub fn pace_ahead(&self, points: [usize; 2], node: usize) -> Pair {
        let ahead = &self.moment.ahead;
        Pair { x: points.map(|p| ahead.speeds[p]), s: [ahead.flow[node], ahead.flow[node + 1]] }
    }

    /// The angular velocity of a body and the velocity of its centre of mass; of a led one, those that lead it.
    pub fn speeds_of_body(&self, body: usize, velocity: &[Real]) -> [Vec3; 2] {
        match self.layout().bodies[body] {
            NONE => self.led(body),
            first => [0, 3].map(|k| Vec3::from_column_slice(&velocity[first + k..first + k + 3])),
        }
    }

    /// The velocity of a point, its arm being that ahead.
    pub fn speed_ahead(&self, point: usize, velocity: &[Real]) -> Vec3 {
        match self.carrier(point) {
            Carrier::World => Vec3::zeros(),
            Carrier::Nothing => Vec3::from_column_slice(&velocity[self.layout().points[point]..][..3]),
            Carrier::Body(body) => {
                let [angular, linear] = self.speeds_of_body(body, velocity);
                linear + angular.cross(&self.moment.ahead.arms[point])
            }
        }
    }

    /// How fast what lies around a point moves there: the body to which it is bound, at the beginning of the step, or as it
    /// is led; nothing in the world. The body does not feel what it drags, the mass of a piece of strand.
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
        self.moment.planes[plane]
    }

    /// The place of the bone's cross-section nearest to a point, and where the section now is: the bone carries it since it
    /// was cut. `None` where the plane misses the bone.
    pub fn closest_on_bone(&self, point: usize, plane: usize, bone: usize) -> Option<(OnSection, Placement)> {
        let cut = self.moment.cuts[plane].as_ref()?;
        let place = self.place(bone) * cut.inside;
        let at = place.point_inside(&self.point(point));
        Some((cut.section.closest(&Vec2::new(at.x, at.y))?, place))
    }
}

/// The length of material between two nodes, and below it what counts as used up: a thousandth of what it was.
pub(super) fn least_material(parts: &Parts, strand: usize, segment: usize) -> Real {
    let nodes = &parts.strands[strand].nodes;
    1e-3 * (nodes[segment + 1].material - nodes[segment].material)
}
