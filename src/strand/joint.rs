//! Joints: six motions of one body relative to another, each free, fixed or limited, with friction, springs and
//! ligaments \[HandThesis §5.2.5\].
//!
//! The child's frame is seen from the parent's: its rotation vector, theta = log(P^T C), and its position,
//! d = P^T (x_C - x_P), P and C the frames' axes in the world. With w the angular velocities,
//!   theta' = Jl(theta)^-1 P^T (w_C - w_P),   d' = P^T (x_C' - the velocity of the parent's material at x_C),
//! Jl the left Jacobian of the exponential (Murray, Li, Sastry 1994): exact also where other motions are far from zero.
//!
//! A rotation vector represents angles within 180 degrees only. If a joint has a single rotation, whole turns are
//! counted in the state, see [`super::turns`].

use super::ligaments::Ligaments;
use super::now::Now;
use super::rows::Rows;
use crate::math::motion::{left_jacobian_inverse, rotation_vector};
use crate::math::{Mat3, Placement, Real, Vec3};
use std::f64::consts::TAU;

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

/// The minimum resistance of a soft row, in N m s^2 or N s^2/m: between stiff ligaments that are far apart there is
/// almost none, and it is divided by. It acts like an inertia; that of a fingertip is 1e-7 kg m^2.
const LEAST: Real = 1e-15;

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
    /// Rows of constraints: one unless it is free, one for friction, one for its spring and ligaments, in this order.
    pub(super) fn row_count(&self) -> usize {
        let bound = self.motion != Motion::Free;
        usize::from(bound) + usize::from(self.friction > 0.0) + usize::from(self.is_soft())
    }

    /// Whether anything pulls the motion towards a rest position, or resists its speed.
    fn is_soft(&self) -> bool {
        self.spring.is_some() || self.ligaments.is_some()
    }

    /// The force of the spring and the ligaments at a value of the motion, and its negative derivatives by value and rate.
    fn resistance(&self, value: Real) -> [Real; 3] {
        let spring = self.spring.map_or([0.0; 3], |spring| {
            [spring.stiffness * (spring.rest - value), spring.stiffness, spring.damping]
        });
        let (force, stiffness) = self.ligaments.map_or((0.0, 0.0), |l| (l.force(value), l.stiffness(value)));
        [spring[0] + force, spring[1] + stiffness, spring[2]]
    }

    /// The energy of the spring and the ligaments at a value of the motion, in J.
    fn energy(&self, value: Real) -> Real {
        let spring = self.spring.map_or(0.0, |s| 0.5 * s.stiffness * (value - s.rest).powi(2));
        spring + self.ligaments.map_or(0.0, |ligaments| ligaments.energy(value))
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

    /// The number of rows of constraints: for each motion that is not free, each friction, each spring with its ligaments.
    pub(super) fn row_count(&self) -> usize {
        self.axes.iter().map(Axis::row_count).sum()
    }

    /// The axis of its rotation, if it has only one: its angle is tracked over whole turns.
    pub fn only_turn(&self) -> Option<usize> {
        let mut turns = (0..3).filter(|&k| self.axes[k].motion != Motion::Held);
        turns.next().filter(|_| turns.next().is_none())
    }

    /// The six motions from poses alone: three angles within 180 degrees, three lengths.
    pub fn motions(&self, places: impl Fn(usize) -> Placement) -> [Real; 6] {
        let [parent, child] = self.frames(places);
        let turn = rotation_vector(&(parent.rotation.inverse() * child.rotation));
        let way = parent.point_inside(&child.origin);
        [turn.x, turn.y, turn.z, way.x, way.y, way.z]
    }

    /// The same, with whole turns of its single rotation: of the equivalent angles the one closest to `turned`.
    pub fn motions_near(&self, turned: Real, places: impl Fn(usize) -> Placement) -> [Real; 6] {
        let mut motions = self.motions(places);
        if let Some(axis) = self.only_turn() {
            motions[axis] += TAU * ((turned - motions[axis]) / TAU).round();
        }
        motions
    }

    /// The rates of its rotations, as rows, by the angular velocity of the child relative to the parent in the parent's
    /// axes: Jl(theta)^-1. Whole turns make no difference here.
    pub(super) fn turn_rates(&self, places: impl Fn(usize) -> Placement) -> Mat3 {
        left_jacobian_inverse(&Vec3::from_column_slice(&self.motions(places)[..3]))
    }

    /// The energy of its springs and ligaments at its motions, in J.
    pub(super) fn energy(&self, motions: &[Real; 6]) -> Real {
        self.axes.iter().zip(motions).map(|(axis, value)| axis.energy(*value)).sum()
    }

    /// The frames of the parent and of the child in the world.
    pub fn frames(&self, places: impl Fn(usize) -> Placement) -> [Placement; 2] {
        let parent = self.parent.map_or(self.in_parent, |b| places(b) * self.in_parent);
        [parent, places(self.child) * self.in_child]
    }

    /// Fills the rows from `row` on, at its motions.
    pub(super) fn fill(&self, now: &Now, motions: &[Real; 6], rows: &mut Rows, mut row: usize, h: Real) {
        let [parent, child] = self.frames(|b| now.place(b));
        let rates = self.turn_rates(|b| now.place(b)).transpose();
        for (k, axis) in self.axes.iter().enumerate() {
            let along = if k < 3 {
                parent.direction(&rates.column(k).into_owned())
            } else {
                parent.direction(&Vec3::ith(k - 3, 1.0))
            };
            let mut line = |sign: Real, rows: &mut Rows| {
                let along = along * sign;
                if k < 3 {
                    rows.turn(now, row, self.child, &along);
                    self.parent.iter().for_each(|&b| rows.turn(now, row, b, &-along));
                } else {
                    rows.material(now, row, self.child, &child.origin, &along);
                    self.parent.iter().for_each(|&b| rows.material(now, row, b, &child.origin, &-along));
                }
                row += 1;
                row - 1
            };
            let value = motions[k];
            match axis.motion {
                Motion::Free => {}
                Motion::Held => {
                    let row = line(1.0, rows);
                    rows.hold(row, value);
                }
                Motion::Limited(from, to) => {
                    // Only the nearer limit can be reached in a step.
                    let upper = value - from > to - value;
                    let (sign, gap) = if upper { (-1.0, to - value) } else { (1.0, value - from) };
                    let row = line(sign, rows);
                    rows.keep_apart(row, gap, h);
                }
            }
            if axis.friction > 0.0 {
                let row = line(1.0, rows);
                rows.rub(row, axis.friction * h);
            }
            if axis.is_soft() {
                let row = line(1.0, rows);
                // l = h (f - k h rate - c rate) is the row rate + l / (h^2 k + h c) = h f / (h^2 k + h c).
                let [force, stiffness, damping] = axis.resistance(value);
                let softness = 1.0 / (h * h * stiffness + h * damping).max(LEAST);
                rows.soften(row, softness, h * force * softness);
            }
        }
    }
}
