//! All parts of a scene together, and global parameters.

use super::body::{Body, Velocity};
use super::contact::Contact;
use super::goal::Effort;
use super::joint::Joint;
use super::muscle::Muscle;
use super::plane::Plane;
use super::rule::{Curve, Rule};
use super::strand::{Point, Strand};
use sinew_math::{Real, Vec3};

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
