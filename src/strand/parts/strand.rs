//! Strands: points, nodes on them, the material between.

use super::body::Mode;
use sinew_math::{Real, Vec3};

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

/// The material of a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// EA: the tension per unit of strain, in N.
    pub stiffness: Real,
    /// Mass per length of material, in kg/m.
    pub line_density: Real,
    /// The time constant in s of the strand's own viscosity: a strain rate is resisted like a strain of that rate times
    /// this time.
    pub axial_damping: Real,
    /// The decay rate in 1/s of transverse motion of the strand relative to its surroundings: the body to which a point
    /// is bound, otherwise the world. Motion along it is not affected.
    pub lateral_damping: Real,
}

impl Strand {
    /// The length of material between two nodes, and the length that counts as used up: a thousandth of the initial
    /// one.
    pub(crate) fn least_material(&self, segment: usize) -> Real {
        1e-3 * (self.nodes[segment + 1].material - self.nodes[segment].material)
    }
}
