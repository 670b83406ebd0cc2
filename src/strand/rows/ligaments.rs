//! Ligaments and the capsule of a joint: increasing resistance to a motion towards both ends of its range.
//!
//! On a motion x their moment is the double exponential that is fitted to passive moments of finger joints (Kuo and
//! Deshpande, "Muscle-tendon units provide limited contributions to the passive stiffness of the index finger
//! metacarpophalangeal joint"):
//!   f(x) = m (exp((from - x) / w) - exp((x - to) / w)),   stored: E(x) = m w (exp((from - x) / w) + exp((x - to) /
//!   w)).
//! E is convex and f = -E', so that the tangent -f' = E'' enters a step's matrix like the stiffness of a spring.

use crate::parts::Ligaments;
use sinew_math::Real;
use sinew_math::elementary::exp;

/// This many widths beyond its range a ligament gets no stiffer: it would tear at e^20 times its moment, and numbers
/// stay finite however far an unlimited motion goes.
const STRAIGHT: Real = 20.0;

/// exp(x), and its tangent beyond [`STRAIGHT`]: value, slope, integral.
fn growth(x: Real) -> [Real; 3] {
    let (bent, beyond) = (exp(x.min(STRAIGHT)), (x - STRAIGHT).max(0.0));
    [bent * (1.0 + beyond), bent, bent * (1.0 + beyond + 0.5 * beyond * beyond)]
}

impl Ligaments {
    /// The growth of the two sides at a motion.
    fn sides(&self, x: Real) -> [[Real; 3]; 2] {
        let [from, to] = self.range;
        [growth((from - x) / self.width), growth((x - to) / self.width)]
    }

    /// The moment on the motion.
    pub fn force(&self, x: Real) -> Real {
        let [low, high] = self.sides(x);
        self.moment * (low[0] - high[0])
    }

    /// The negative derivative of the moment by the motion; never below 0.
    pub fn stiffness(&self, x: Real) -> Real {
        let [low, high] = self.sides(x);
        self.moment / self.width * (low[1] + high[1])
    }

    /// Their energy, in J.
    pub fn energy(&self, x: Real) -> Real {
        let [low, high] = self.sides(x);
        self.moment * self.width * (low[2] + high[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_force_is_the_slope_of_the_energy_and_the_stiffness_that_of_the_force() {
        let ligaments = Ligaments { range: [-0.2, 1.1], moment: 0.03, width: 0.2 };
        let step = 1e-6;
        for x in [-6.0, -0.5, -0.2, 0.1, 0.45, 0.9, 1.3, 5.0, 5.5] {
            let slope = |of: &dyn Fn(Real) -> Real| (of(x + step) - of(x - step)) / (2.0 * step);
            let near = |a: Real, b: Real| (a - b).abs() < 1e-6 * (a.abs() + b.abs()) + 1e-10;
            let (force, stiffness) = (ligaments.force(x), ligaments.stiffness(x));
            assert!(near(force, -slope(&|x| ligaments.energy(x))), "{x} {force}");
            assert!(near(stiffness, -slope(&|x| ligaments.force(x))), "{x} {stiffness}");
        }
        assert!(ligaments.force(0.45).abs() < 1e-15 && ligaments.force(1.1) < -0.9 * ligaments.moment);
        // A wheel that has turned many times.
        assert!(ligaments.force(1e6).is_finite() && ligaments.energy(-1e6).is_finite());
    }
}
