//! The rows of joints: limits, friction, springs and ligaments along their six motions.

use super::matrix::Rows;
use crate::now::Now;
use crate::parts::{Axis, Joint, Motion, motions_between, turn_rates};
use sinew_math::{Mat3, Real};

/// The minimum resistance of a soft row, in N m s^2 or N s^2/m: between stiff ligaments that are far apart there is
/// almost none, and it is divided by. It acts like an inertia; that of a fingertip is 1e-7 kg m^2.
const LEAST: Real = 1e-15;

impl Axis {
    /// The force of the spring and the ligaments at a value of the motion, and its negative derivatives by value and
    /// rate.
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

impl Joint {
    /// The energy of its springs and ligaments at its motions, in J.
    pub(crate) fn energy(&self, motions: &[Real; 6]) -> Real {
        self.axes.iter().zip(motions).map(|(axis, value)| axis.energy(*value)).sum()
    }

    /// Fills the rows from `row` on, near the angle that a single rotation has turned so far.
    pub(crate) fn fill(&self, now: &Now, turned: Real, rows: &mut Rows, mut row: usize, h: Real) {
        let frames = self.frames(|b| now.place(b));
        let [parent, child] = &frames;
        let within = motions_between(&frames);
        let motions = self.near(turned, within);
        // The directions of the six motions, as columns.
        let axes = if rows.is_measuring() {
            [Mat3::zeros(); 2]
        } else {
            let axes = parent.axes();
            [axes * turn_rates(&within).transpose(), axes]
        };
        for (k, axis) in self.axes.iter().enumerate() {
            let along = axes[k / 3].column(k % 3).into_owned();
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
                if rows.is_measuring() {
                    continue;
                }
                // l = h (f - k h rate - c rate) is the row rate + l / (h^2 k + h c) = h f / (h^2 k + h c).
                let [force, stiffness, damping] = axis.resistance(value);
                let softness = 1.0 / (h * h * stiffness + h * damping).max(LEAST);
                rows.soften(row, softness, h * force * softness);
            }
        }
    }
}
