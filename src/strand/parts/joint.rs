//! Joints: six motions of one body relative to another, each free, fixed or limited, with friction, springs and
//! ligaments \[HandThesis §5.2.5\].
//!
//! The child's frame is seen from the parent's: its rotation vector, theta = log(P^T C), and its position,
//! d = P^T (x_C - x_P), P and C the frames' axes in the world. With w the angular velocities,
//!   theta' = Jl(theta)^-1 P^T (w_C - w_P),   d' = P^T (x_C' - the velocity of the parent's material at x_C),
//! Jl the left Jacobian of the exponential (Murray, Li, Sastry 1994): exact also where other motions are far from zero.
//!
//! A rotation vector represents angles within 180 degrees only. If a joint has a single rotation, whole turns are
//! counted in the state.

use sinew_math::motion::{left_jacobian_inverse, rotation_vector};
use sinew_math::{Mat3, Placement, Real, Vec3};
use std::f64::consts::{PI, TAU};

/// The constraint on one of the six motions. Angles in radians, lengths in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Motion {
    /// Free.
    #[default]
    Free,
    /// Fixed.
    Held,
    /// Limited to a range.
    Limited(Real, Real),
}

/// A spring and a damper along one motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// In N m/rad or N/m.
    pub stiffness: Real,
    /// The rest position.
    pub rest: Real,
    /// In N m s/rad or N s/m.
    pub damping: Real,
}

/// The resistance to one motion of a joint at both ends of its range. Angles in radians, lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ligaments {
    /// Where their resistance is [`Ligaments::moment`], upwards and downwards; the equilibrium is in the middle.
    pub range: [Real; 2],
    /// In N m or N.
    pub moment: Real,
    /// The distance over which the resistance grows by a factor of e.
    pub width: Real,
}

/// One of the six motions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Axis {
    /// Its constraint.
    pub motion: Motion,
    /// The moment or force of dry friction; 0 for none.
    pub friction: Real,
    /// A spring.
    pub spring: Option<Spring>,
    /// The ligaments at both ends of its range.
    pub ligaments: Option<Ligaments>,
}

impl Axis {
    /// Whether anything pulls the motion towards a rest position, or resists its speed.
    pub(crate) fn is_soft(&self) -> bool {
        self.spring.is_some() || self.ligaments.is_some()
    }
}

/// A joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The parent body; `None` for the world.
    pub parent: Option<usize>,
    /// The child body.
    pub child: usize,
    /// The joint frame in the axes of the parent.
    pub in_parent: Placement,
    /// The joint frame in the axes of the child.
    pub in_child: Placement,
    /// Rotations about x, y, z, then translations along them.
    pub axes: [Axis; 6],
}

impl Joint {
    /// A joint that fixes everything but the motions for which `free` is true.
    pub fn holding(
        name: &str,
        parent: Option<usize>,
        child: usize,
        frames: [Placement; 2],
        free: [bool; 6],
    ) -> Self {
        let axis =
            |free: bool| Axis { motion: if free { Motion::Free } else { Motion::Held }, ..Axis::default() };
        let [in_parent, in_child] = frames;
        Joint { name: name.into(), parent, child, in_parent, in_child, axes: free.map(axis) }
    }

    /// The axis of its rotation, if it has only one: its angle is tracked over whole turns.
    pub fn only_turn(&self) -> Option<usize> {
        let mut turns = (0..3).filter(|&k| self.axes[k].motion != Motion::Held);
        turns.next().filter(|_| turns.next().is_none())
    }

    /// The six motions from poses alone: three angles within 180 degrees, three lengths.
    pub fn motions(&self, places: impl Fn(usize) -> Placement) -> [Real; 6] {
        motions_between(&self.frames(places))
    }

    /// The same, with whole turns of its single rotation: of the equivalent angles the one closest to `turned`.
    pub fn motions_near(&self, turned: Real, places: impl Fn(usize) -> Placement) -> [Real; 6] {
        self.near(turned, self.motions(places))
    }

    /// Motions with the angle of its single rotation replaced by the equivalent one that is closest to `turned`.
    pub(crate) fn near(&self, turned: Real, mut motions: [Real; 6]) -> [Real; 6] {
        if let Some(axis) = self.only_turn() {
            motions[axis] += TAU * ((turned - motions[axis]) / TAU).round();
        }
        motions
    }

    /// See [`turn_rates`].
    pub(crate) fn turn_rates(&self, places: impl Fn(usize) -> Placement) -> Mat3 {
        turn_rates(&self.motions(places))
    }

    /// The frames of the parent and of the child in the world.
    pub fn frames(&self, places: impl Fn(usize) -> Placement) -> [Placement; 2] {
        let parent = self.parent.map_or(self.in_parent, |b| places(b) * self.in_parent);
        [parent, places(self.child) * self.in_child]
    }
}

/// The six motions from the frames of the parent and of the child: three angles within 180 degrees, three lengths.
pub(crate) fn motions_between([parent, child]: &[Placement; 2]) -> [Real; 6] {
    let turn = rotation_vector(&(parent.rotation.inverse() * child.rotation));
    let way = parent.point_inside(&child.origin);
    [turn.x, turn.y, turn.z, way.x, way.y, way.z]
}

/// The rates of a joint's rotations, as rows, by the angular velocity of the child relative to the parent in the
/// parent's axes: Jl(theta)^-1, with angles within 180 degrees.
pub(crate) fn turn_rates(motions: &[Real; 6]) -> Mat3 {
    left_jacobian_inverse(&Vec3::from_column_slice(&motions[..3]))
}

impl Ligaments {
    /// What is wrong with them, on a motion that is known within 180 degrees or not.
    pub fn fault(&self, within: bool) -> Option<&'static str> {
        let [from, to] = self.range;
        let positive = |x: Real| x > 0.0 && x.is_finite();
        if !(from.is_finite() && to.is_finite() && from <= to) {
            return Some("ligaments whose range runs backwards");
        }
        if within && (from < -PI || to > PI) {
            return Some(
                "ligaments that reach beyond 180 degrees, which the angles of a joint with several rotation axes do \
                 not",
            );
        }
        match (positive(self.moment), positive(self.width)) {
            (true, true) => None,
            (false, _) => Some("ligaments whose moment is not positive"),
            (_, false) => Some("ligaments whose width is not positive"),
        }
    }
}
