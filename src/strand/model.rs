//! What is authored: bodies, points, strands, joints, planes, curves, rules, muscles.

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

/// What a coordinate is in the equations of motion \[HandThesis §5.2.1\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// An unknown.
    #[default]
    Free,
    /// An unknown that rows of constraints lead; what that takes is known afterwards.
    Constrained,
    /// Not in the equations: it is led, whatever that takes.
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
    /// Free, or led by a script.
    pub mode: Mode,
    /// Its shape in its own axes, for planes that cut it and bodies that touch it.
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
    /// A body, by its index. \[HandThesis eq. 3.2\] has a constraint for this; here the point is no unknown at all.
    Body(usize),
}

/// A place without mass of its own, which nodes of one or more strands share.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Where it is at the start.
    pub place: Vec3,
    /// What it is fixed to.
    pub carrier: Carrier,
}

/// A node of a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The point that says where it is.
    pub point: usize,
    /// The material that lies there at the start, in metres of the strand at rest.
    pub material: Real,
    /// Free: the material slides through (Eulerian); removed: it carries its material (Lagrangian); constrained: the same
    /// by a row, so that the force is known.
    pub mode: Mode,
}

/// A strand: a tendon, a rope.
#[derive(Clone, Debug)]
pub struct Strand {
    /// Its name.
    pub name: String,
    /// Its nodes in the order of their material.
    pub nodes: Vec<Node>,
    /// What it is made of.
    pub fibre: Fibre,
    /// For showing it, in metres.
    pub radius: Real,
}

/// How stretch travels along a strand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axial {
    /// Material has inertia along the strand too: waves of stretch, which steps must follow.
    #[default]
    Dynamic,
    /// Taut pieces are in balance along the strand at every moment. Their waves are thousands of times faster than a
    /// hand. What inertia along strands does is left out: nothing beside a hand's bones, much where ropes are heavy.
    Still,
}

/// Numbers for all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// In m/s^2.
    pub gravity: Vec3,
    /// How stretch travels.
    pub axial: Axial,
    /// The most factorisations that a step's solve may take; what is found by then is used, and the report says so.
    /// A step mostly takes 1 to 3; 40 is far more than any sound scene was seen to need.
    pub budget: usize,
    /// What pulling costs where activations are chosen.
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

/// Everything that is authored. Indices count from 0.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Numbers.
    pub settings: Settings,
    /// Rigid bodies.
    pub bodies: Vec<Body>,
    /// How they move at the start; empty when all are at rest. Of bodies that are led it means nothing.
    pub velocities: Vec<Velocity>,
    /// Points.
    pub points: Vec<Point>,
    /// Strands.
    pub strands: Vec<Strand>,
    /// Joints between bodies.
    pub joints: Vec<Joint>,
    /// How far the only turns of joints are turned at the start, in rad, to within half a turn; empty when places say it all.
    pub turned: Vec<Real>,
    /// Planes on bodies and between them.
    pub planes: Vec<Plane>,
    /// Lines and circles on bodies.
    pub curves: Vec<Curve>,
    /// What points are bound to.
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

/// Everything that does not change while time goes on; checked.
pub struct Model {
    parts: Parts,
    pub(super) layout: Layout,
    /// Where carried points are in their bodies' axes.
    locals: Vec<Vec3>,
    /// The bodies to which points are bound.
    around: Vec<Option<usize>>,
}

impl Model {
    /// Checks the parts and numbers the unknowns.
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

    /// What it is made of.
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

    /// Where a carried point is in its body's axes.
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

    /// The body that the first rule of a point names.
    pub(super) fn around(&self, point: usize) -> Option<usize> {
        self.around[point]
    }

    /// The parts placed anew, as a state has them: for a model that begins there, at rest.
    pub fn parts_at(&self, state: &State) -> Parts {
        let mut parts = self.parts.clone();
        parts.velocities.clear();
        parts.turned.clone_from(&state.turned);
        parts.bodies.iter_mut().zip(&state.bodies).for_each(|(body, moving)| body.place = moving.place);
        parts.points.iter_mut().zip(&state.places).for_each(|(point, place)| point.place = *place);
        let nodes = parts.strands.iter_mut().flat_map(|strand| &mut strand.nodes);
        nodes.zip(&state.material).for_each(|(node, material)| node.material = *material);
        for muscle in &mut parts.muscles {
            // What a reel has drawn in counts from the start.
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
