//! Quantities of a state: energies, tensions.

use super::elements::{Pulling, Rates};
use super::layout::NONE;
use super::model::Model;
use super::parts::{Axial, Fibre, Pull};
use super::segment::{Pair, Segment};
use super::state::State;
use super::step::Scratch;
use sinew_math::{Real, Vec3};

/// Energies in J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic.
    pub kinetic: Real,
    /// Elastic: stretched strands, springs and ligaments of joints.
    pub elastic: Real,
    /// Gravitational; zero at the world's origin.
    pub height: Real,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> Real {
        self.kinetic + self.elastic + self.height
    }
}

/// The energies of a state. Springs of spring muscles are not included; the elastic energy of Hill's muscles is.
pub fn energy(model: &Model, state: &State) -> Energy {
    let (parts, gravity) = (model.parts(), model.settings().gravity);
    let mut energy = Energy::default();
    for (body, moving) in parts.bodies.iter().zip(&state.bodies) {
        // By the spin, which is known for the current orientation; the angular velocity is that of the middle of the
        // step.
        let inside = moving.place.direction_inside(&moving.spin);
        // Scripted bodies may have no inertia.
        let about =
            |k: usize| if body.moments[k] > 0.0 { inside[k] * inside[k] / body.moments[k] } else { 0.0 };
        let turning: Real = (0..3).map(about).sum();
        energy.kinetic += 0.5 * (body.mass * moving.linear.norm_squared() + turning);
        energy.height -= body.mass * gravity.dot(&moving.place.origin);
    }
    let joints = parts.joints.iter().zip(&model.layout.joint_rows).enumerate();
    let tied = joints.filter(|(_, (_, row))| **row != NONE && !state.released[**row]);
    energy.elastic += tied.map(|(j, (joint, _))| joint.energy(&state.motions(model, j))).sum::<Real>();
    each_segment(model, state, |_, node, fibre, segment, x, speed| {
        energy.kinetic += segment.kinetic(fibre, &speed, true);
        energy.elastic += segment.energy(fibre) + passive(model, state, node, segment);
        energy.height -= fibre.line_density * segment.material * gravity.dot(&((x[0] + x[1]) * 0.5));
    });
    energy
}

/// The part of the kinetic energy that [`Axial::Still`] neglects, and the total, in J; zeros in other models.
pub fn left_out(model: &Model, state: &State) -> [Real; 2] {
    let mut left_out = 0.0;
    if model.settings().axial == Axial::Dynamic {
        return [0.0; 2];
    }
    each_segment(model, state, |_, _, fibre, segment, _, speed| {
        if segment.taut && fibre.stiffness > 0.0 {
            let [with, without] = [true, false].map(|axial| segment.kinetic(fibre, &speed, axial));
            left_out += (with - without).abs();
        }
    });
    [left_out, energy(model, state).kinetic]
}

/// The tension of each segment, strand after strand: elastic, and of muscles at their velocities.
pub fn tensions(model: &Model, state: &State) -> Vec<Vec<Real>> {
    tensions_with(model, state, None)
}

/// The same after a step, with the viscous part: what the segments carried at its end.
pub fn tensions_after(model: &Model, state: &State, scratch: &Scratch) -> Vec<Vec<Real>> {
    tensions_with(model, state, Some(scratch.rates()))
}

fn tensions_with(model: &Model, state: &State, rates: Option<&Rates>) -> Vec<Vec<Real>> {
    let parts = model.parts();
    let mut all: Vec<Vec<Real>> = parts.strands.iter().map(|_| Vec::new()).collect();
    each_segment(model, state, |strand, node, fibre, segment, _, speed| {
        let along = [segment.direction.dot(&(speed.x[1] - speed.x[0])), 0.0];
        let [lengthening, straining] = rates.and_then(|rates| rates.last(node)).unwrap_or(along);
        let muscle = Pulling::new(model, state, node, segment, [lengthening; 2]);
        let viscous = if segment.taut { fibre.stiffness * fibre.axial_damping * straining } else { 0.0 };
        let strand_only = (segment.tension(fibre) + viscous).max(0.0);
        all[strand].push(strand_only + muscle.map_or(0.0, |pulling| pulling.tension(state)));
    });
    all
}

/// The energy stored in a muscle segment.
fn passive(model: &Model, state: &State, node: usize, segment: &Segment) -> Real {
    let muscle = model.parts().muscles.get(model.layout.hills[node]).filter(|_| !state.cut[node]);
    muscle.map_or(0.0, |muscle| match &muscle.pull {
        Pull::Segment(hill) => muscle.strength * hill.passive_energy(segment.length),
        Pull::Curve { .. } | Pull::Reel { .. } => 0.0,
    })
}

fn each_segment(
    model: &Model,
    state: &State,
    mut visit: impl FnMut(usize, usize, &Fibre, &Segment, [Vec3; 2], Pair),
) {
    for (s, strand) in model.parts().strands.iter().enumerate() {
        for (k, nodes) in strand.nodes.windows(2).enumerate() {
            let node = model.layout.strands[s] + k;
            let points = [nodes[0].point, nodes[1].point];
            let (at, speed) = (state.pair(points, node), state.pace(points, node));
            if let Some(segment) = Segment::new(&at) {
                let segment = if state.cut[node] { segment.cut() } else { segment };
                visit(s, node, &state.fibre(model, s, node), &segment, at.x, speed);
            }
        }
    }
}
