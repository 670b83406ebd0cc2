//! The evolving state.

use super::model::Model;
use super::parts::{Carrier, Joint, Mode, Parts, Pull};
use super::segment::Pair;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Placement, Real, Vec3};
use sinew_solve::boxed::RowState;

/// A body's motion. Velocities are those of its centre of mass, in the world's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moving {
    /// Its pose.
    pub place: Placement,
    /// In rad/s.
    pub angular: Vec3,
    /// In m/s.
    pub linear: Vec3,
    /// Its angular momentum: conserved without loads, unlike the angular velocity.
    pub spin: Vec3,
}

/// Everything that the next step depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// In s.
    pub time: Real,
    /// Bodies.
    pub bodies: Vec<Moving>,
    /// Positions of points.
    pub places: Vec<Vec3>,
    /// Their velocities; for carried ones, their body's.
    pub speeds: Vec<Vec3>,
    /// The material at the nodes, strand after strand.
    pub material: Vec<Real>,
    /// Its sliding speed through them, in m/s: positive if s there grows.
    pub flow: Vec<Real>,
    /// Which segments are cut, by their first nodes; see [`State::cut()`].
    pub cut: Vec<bool>,
    /// Which rows were released; see [`State::release`].
    pub released: Vec<bool>,
    /// The angle of each joint with a single rotation, in rad, over whole turns; 0 for other joints.
    pub turned: Vec<Real>,
    /// The activation of each muscle, 0..1.
    pub activations: Vec<Real>,
    /// The impulses of the rows in the last step, and which rows were at a bound: the initial guess of the next solve.
    pub impulses: Vec<Real>,
    /// See [`State::impulses`].
    pub active: Vec<RowState>,
}

impl State {
    /// The start: everything as placed, with the model's velocities, otherwise at rest.
    pub fn new(model: &Model) -> Self {
        let mut state = Self::at_rest(model);
        let parts = model.parts();
        let bodies = state.bodies.iter_mut().zip(&parts.bodies).zip(&parts.velocities);
        for ((moving, body), velocity) in bodies.filter(|((_, body), _)| body.mode == Mode::Free) {
            (moving.angular, moving.linear) = (velocity.angular, velocity.linear);
            moving.spin = body.inertia_outside(&moving.place) * velocity.angular;
        }
        for (p, point) in parts.points.iter().enumerate() {
            if let Carrier::Body(b) = point.carrier {
                state.speeds[p] = state.bodies[b].velocity_at(&state.places[p]);
            }
        }
        state
    }

    /// The motions of a joint: three angles, three lengths.
    pub fn motions(&self, model: &Model, joint: usize) -> [Real; 6] {
        model.parts().joints[joint].motions_near(self.turned[joint], |b| self.bodies[b].place)
    }

    /// The nodes of a segment.
    #[inline]
    pub(super) fn pair(&self, points: [usize; 2], node: usize) -> Pair {
        Pair { x: points.map(|p| self.places[p]), s: [self.material[node], self.material[node + 1]] }
    }

    /// Their velocities.
    #[inline]
    pub(super) fn pace(&self, points: [usize; 2], node: usize) -> Pair {
        Pair { x: points.map(|p| self.speeds[p]), s: [self.flow[node], self.flow[node + 1]] }
    }

    /// The start, at rest.
    fn at_rest(model: &Model) -> Self {
        let parts = model.parts();
        let turned = |(j, joint): (usize, &Joint)| joint.only_turn().map_or(0.0, |axis| parts.start(j)[axis]);
        let nodes = || parts.strands.iter().flat_map(|strand| &strand.nodes);
        State {
            time: 0.0,
            bodies: parts.bodies.iter().map(|b| Moving { place: b.place, ..Moving::default() }).collect(),
            places: parts.points.iter().map(|p| p.place).collect(),
            speeds: vec![Vec3::zeros(); parts.points.len()],
            material: nodes().map(|n| n.material).collect(),
            flow: vec![0.0; nodes().count()],
            cut: vec![false; nodes().count()],
            released: vec![false; model.rows()],
            turned: parts.joints.iter().enumerate().map(turned).collect(),
            activations: vec![0.0; parts.muscles.len()],
            impulses: vec![0.0; model.rows()],
            active: vec![RowState::AtLow; model.rows()],
        }
    }

    /// Copies another state of the same model, without allocating.
    pub(super) fn copy_from(&mut self, other: &State) {
        self.time = other.time;
        self.bodies.copy_from_slice(&other.bodies);
        self.places.copy_from_slice(&other.places);
        self.speeds.copy_from_slice(&other.speeds);
        self.material.copy_from_slice(&other.material);
        self.flow.copy_from_slice(&other.flow);
        self.cut.copy_from_slice(&other.cut);
        self.released.copy_from_slice(&other.released);
        self.turned.copy_from_slice(&other.turned);
        self.activations.copy_from_slice(&other.activations);
        self.impulses.copy_from_slice(&other.impulses);
        self.active.copy_from_slice(&other.active);
    }

    /// Rejects a state of another model.
    pub(super) fn check(&self, model: &Model) -> Result<()> {
        let (parts, layout) = (model.parts(), &model.layout);
        let (points, nodes) = (parts.points.len(), layout.nodes.len());
        let fits = self.bodies.len() == parts.bodies.len()
            && [self.places.len(), self.speeds.len()] == [points; 2]
            && [self.material.len(), self.flow.len(), self.cut.len()] == [nodes; 3]
            && self.turned.len() == parts.joints.len()
            && self.activations.len() == parts.muscles.len()
            && [self.impulses.len(), self.active.len(), self.released.len()] == [layout.rows; 3];
        match fits {
            true => Ok(()),
            false => Err(Error::new(Kind::CountMismatch, "the state belongs to another model")),
        }
    }

    /// Moves carried points with their bodies, including velocities.
    pub(super) fn carry_points(&mut self, model: &Model) {
        for (p, point) in model.parts().points.iter().enumerate() {
            if let Carrier::Body(b) = point.carrier {
                let body = &self.bodies[b];
                self.places[p] = body.place.point(model.local(p));
                self.speeds[p] = body.velocity_at(&self.places[p]);
            }
        }
    }
}

impl Model {
    /// The parts repositioned as in a state: for a model that starts there, at rest.
    pub fn parts_at(&self, state: &State) -> Parts {
        let mut parts = self.parts().clone();
        parts.velocities.clear();
        parts.turned.clone_from(&state.turned);
        parts.bodies.iter_mut().zip(&state.bodies).for_each(|(body, moving)| body.place = moving.place);
        parts.points.iter_mut().zip(&state.places).for_each(|(point, place)| point.place = *place);
        let nodes = parts.strands.iter_mut().flat_map(|strand| &mut strand.nodes);
        nodes.zip(&state.material).for_each(|(node, material)| node.material = *material);
        for muscle in &mut parts.muscles {
            // Material that a reel has drawn in counts from the start.
            if let Pull::Reel { strand, end, belly } = &mut muscle.pull {
                let [now, before] = [&parts.strands, &self.parts().strands]
                    .map(|strands| strands[*strand].nodes[end.node(&strands[*strand])].material);
                belly.rest -= end.inward() * (now - before);
            }
        }
        parts
    }
}

impl Moving {
    /// The velocity of its material at a point.
    pub fn velocity_at(&self, place: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(&(place - self.place.origin))
    }
}
