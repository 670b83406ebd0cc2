//! Rigid bodies.

use sinew_geometry::Solid;
use sinew_math::{Mat3, Placement, Real, Vec3};

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

impl Body {
    /// The inertia tensor in the world's axes, at a pose.
    pub(crate) fn inertia_outside(&self, place: &Placement) -> Mat3 {
        let axes = place.axes();
        axes * Mat3::from_diagonal(&self.moments) * axes.transpose()
    }
}
