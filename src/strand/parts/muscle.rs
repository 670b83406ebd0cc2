//! Muscles.

use super::strand::Strand;
use sinew_math::Real;

/// A muscle.
#[derive(Clone, Debug, PartialEq)]
pub struct Muscle {
    /// Its name.
    pub name: String,
    /// The force at an activation of 1, in N; for Hill's muscle at its optimal length and zero speed.
    pub strength: Real,
    /// How it pulls.
    pub pull: Pull,
}

/// How a muscle pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pull {
    /// A spring muscle \[HandThesis §A\]: it pulls a point along a curve, to the curve's end.
    Curve {
        /// The point that it pulls.
        point: usize,
        /// The curve along which it pulls.
        curve: usize,
        /// Its other properties; its travel is that of the point from the curve's start.
        belly: Belly,
    },
    /// A spring muscle that draws a strand in at one of its ends. Its node there is fixed in space, and the material
    /// drawn in leaves the equations: one unknown, where a point on a curve has three plus constraints. If the strand
    /// is cut next to it, it no longer pulls, and holds its stump like a node that carries its material.
    Reel {
        /// The strand.
        strand: usize,
        /// The end.
        end: End,
        /// Its other properties; its travel is the material drawn in since the start.
        belly: Belly,
    },
    /// A segment of a strand that pulls its ends together.
    Segment(Hill),
}

/// The properties of a spring muscle besides its strength. At travel u its force is
///   activation strength (1 - fading u') + stiffness (rest - u) - damping u'.
/// The thesis does not say what its spring does; here it is the passive part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Belly {
    /// In N/m.
    pub stiffness: Real,
    /// The travel at which the spring is unstressed, in m.
    pub rest: Real,
    /// In N s/m, at any activation.
    pub damping: Real,
    /// The fraction of the pull lost at a speed of 1 m/s, in s/m: the inverse of the speed at which a muscle no longer
    /// pulls (the straight part of Hill's curve). Lengthening is resisted by as much.
    pub fading: Real,
}

/// An end of a strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its first node.
    First,
    /// Its last one.
    Last,
}

impl End {
    /// Its node in a strand.
    pub(crate) fn node(self, strand: &Strand) -> usize {
        match self {
            End::First => 0,
            End::Last => strand.nodes.len() - 1,
        }
    }

    /// The sign with which a strand's material coordinate changes there when material is drawn in.
    pub(crate) fn inward(self) -> Real {
        match self {
            End::First => 1.0,
            End::Last => -1.0,
        }
    }
}

/// Hill's muscle on a segment of a strand. It replaces the strand's own stiffness and viscosity there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hill {
    /// The strand.
    pub strand: usize,
    /// The segment; its nodes carry their material.
    pub segment: usize,
    /// The length in m at which it pulls most: 1.1 times the resting length.
    pub optimal: Real,
    /// The maximum speed of shortening, in m/s.
    pub speed: Real,
}
