//! Authored data: bodies, points, strands, joints, planes, curves, rules, muscles.

use super::check;
use super::contact::Contact;
use super::control::Effort;
use super::joint::Joint;
use super::layout::{Layout, NONE};
use super::muscle::{Muscle, Pull};
use super::plane::Plane;
use super::rule::{Curve, Rule};
use super::segment::Fibre;
use super::state::State;
use crate::error::Result;
use crate::geometry::Solid;
use crate::math::{Placement, Real, Vec3};

/// The role of a coordinate in the equations of motion \[HandThesis §5.2.1\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// An unknown.
    #[default]
    Free,
    /// An unknown that constraints drive to its target; the required forces are known afterwards.
    Constrained,
    /// Not in the equations: it is driven, whatever forces that takes.
    Removed,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its centre of mass and principal axes at the start.
    pub place: Placement,
    /// In kg.
    pub mass: Real,
    /// The moments of inertia about its axes, in kg m^2.
    pub moments: Vec3,
    /// Free, or driven by a script.
    pub mode: Mode,
    /// Its shape in its own axes, for planes that cut it and contact with other bodies.
    pub solid: Option<Solid>,
}

/// A body's velocity, in the world's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// In rad/s.
    pub angular: Vec3,
    /// Of its centre of mass, in m/s.
    pub linear: Vec3,
}

/// What a point is fixed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// Nothing: three unknowns.
    #[default]
    Nothing,
    /// The world.
    World,
    /// A body, by its index. \[HandThesis eq. 3.2\] has a constraint for this; here the point is not an unknown.
    Body(usize),
}

/// A massless point, shared by nodes of one or more strands.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Its initial position.
    pub place: Vec3,
    /// What it is fixed to.
    pub carrier: Carrier,
}

/// A node of a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The point that gives its position.
    pub point: usize,
    /// The material there at the start, in metres of the strand at rest.
    pub material: Real,
    /// Free: the material slides through (Eulerian); removed: it carries its material (Lagrangian); constrained: the
    /// same by a constraint, so that the force is known.
    pub mode: Mode,
}

/// A strand: a tendon, a rope.
#[derive(Clone, Debug)]
pub struct Strand {
    /// Its name.
    pub name: String,
    /// Its nodes in the order of their material.
    pub nodes: Vec<Node>,
    /// Its material.
    pub fibre: Fibre,
    /// Display radius, in metres.
    pub radius: Real,
}

/// How stretch travels along a strand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axial {
    /// Material has inertia along the strand too: waves of stretch, which steps must resolve.
    #[default]
    Dynamic,
    /// Taut pieces are in balance along the strand at every moment. Their waves are thousands of times faster than a
    /// hand. Inertia along strands is neglected: negligible compared with a hand's bones, significant for heavy ropes.
    Still,
}

/// Global parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// In m/s^2.
    pub gravity: Vec3,
    /// How stretch travels.
    pub axial: Axial,
    /// The maximum number of factorisations in a step's solve; the result by then is used, and the report says so.
    /// A step usually takes 1 to 3; 40 is far more than any sound scene was seen to need.
    pub budget: usize,
    /// The cost of activation where activations are chosen.
    pub effort: Effort,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            axial: Axial::Dynamic,
            budget: 40,
            effort: Effort::default(),
        }
    }
}

/// All authored data. Indices count from 0.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Parameters.
    pub settings: Settings,
    /// Rigid bodies.
    pub bodies: Vec<Body>,
    /// Initial velocities; empty if all are at rest. Ignored for scripted bodies.
    pub velocities: Vec<Velocity>,
    /// Points.
    pub points: Vec<Point>,
    /// Strands.
    pub strands: Vec<Strand>,
    /// Joints between bodies.
    pub joints: Vec<Joint>,
    /// Initial angles of joints with a single rotation, in rad, to within half a turn; empty if poses say it all.
    pub turned: Vec<Real>,
    /// Planes on bodies and between them.
    pub planes: Vec<Plane>,
    /// Lines and circles on bodies.
    pub curves: Vec<Curve>,
    /// Constraints on points.
    pub rules: Vec<Rule>,
    /// Muscles.
    pub muscles: Vec<Muscle>,
    /// Bodies that may touch.
    pub contacts: Vec<Contact>,
}

impl Parts {
    /// The motions of a joint at the start.
    pub fn start(&self, joint: usize) -> [Real; 6] {
        let turned = self.turned.get(joint).copied().unwrap_or(0.0);
        self.joints[joint].motions_near(turned, |b| self.bodies[b].place)
    }
}

/// Everything that is constant over time; validated.
pub struct Model {
    parts: Parts,
    pub(super) layout: Layout,
    /// Positions of carried points in their bodies' axes.
    locals: Vec<Vec3>,
    /// The bodies to which points are bound.
    around: Vec<Option<usize>>,
}

impl Model {
    /// Validates the parts and numbers the unknowns.
    pub fn new(parts: Parts) -> Result<Self> {
        check::all(&parts)?;
        let layout = Layout::new(&parts)?;
        let local = |point: &Point| match point.carrier {
            Carrier::Body(b) => parts.bodies[b].place.point_inside(&point.place),
            _ => point.place,
        };
        let locals = parts.points.iter().map(local).collect();
        let around = |p: usize| parts.rules.iter().find(|r| r.binds(p)).and_then(|r| r.body(p, &parts));
        let around = (0..parts.points.len()).map(around).collect();
        Ok(Model { layout, locals, around, parts })
    }

    /// The authored parts.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.parts.settings
    }

    /// Changes the settings; they may change between steps.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.parts.settings
    }

    /// The position of a carried point in its body's axes.
    pub(super) fn local(&self, point: usize) -> &Vec3 {
        &self.locals[point]
    }

    /// The unknowns that move a point: the first, and how many; those of the body that carries it.
    pub(super) fn unknowns_of_point(&self, point: usize) -> (usize, usize) {
        match self.parts.points[point].carrier {
            Carrier::Nothing => (self.layout.points[point], 3),
            Carrier::Body(b) => (self.layout.bodies[b], 6),
            Carrier::World => (NONE, 0),
        }
    }

    /// The body in the first rule of a point.
    pub(super) fn around(&self, point: usize) -> Option<usize> {
        self.around[point]
    }

    /// The parts repositioned as in a state: for a model that starts there, at rest.
    pub fn parts_at(&self, state: &State) -> Parts {
        let mut parts = self.parts.clone();
        parts.velocities.clear();
        parts.turned.clone_from(&state.turned);
        parts.bodies.iter_mut().zip(&state.bodies).for_each(|(body, moving)| body.place = moving.place);
        parts.points.iter_mut().zip(&state.places).for_each(|(point, place)| point.place = *place);
        let nodes = parts.strands.iter_mut().flat_map(|strand| &mut strand.nodes);
        nodes.zip(&state.material).for_each(|(node, material)| node.material = *material);
        for muscle in &mut parts.muscles {
            // Material that a reel has drawn in counts from the start.
            if let Pull::Reel { strand, end, belly } = &mut muscle.pull {
                let [now, before] = [&parts.strands, &self.parts.strands]
                    .map(|strands| strands[*strand].nodes[end.node(&strands[*strand])].material);
                belly.rest -= end.inward() * (now - before);
            }
        }
        parts
    }

    /// The number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.layout.unknowns
    }

    /// The number of rows of constraints.
    pub fn rows(&self) -> usize {
        self.layout.rows
    }
}
