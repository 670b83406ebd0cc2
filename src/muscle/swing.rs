//! The damped oscillation of a mass on a spring, in closed form.

use super::parts::Spring;
use sinew_math::elementary::{cos, exp, sin};
use sinew_math::{Real, Vec3};

/// Where a mass is, relative to where it would rest, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Its place.
    pub y: Vec3,
    /// Its velocity.
    pub dy: Vec3,
}

/// How a swing after some time depends on that before: y = a y0 + b y0', y' = c y0 + d y0'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Propagator {
    y: [Real; 2],
    dy: [Real; 2],
}

impl Propagator {
    /// The swing after that many seconds.
    pub fn new(spring: &Spring, seconds: Real) -> Self {
        let w = spring.frequency();
        let decay = spring.damping * w;
        let (cosine, sine) = oscillation(w, spring.damping, seconds);
        Propagator { y: [cosine + decay * sine, sine], dy: [-w * w * sine, cosine - decay * sine] }
    }

    /// The swing then.
    pub fn apply(&self, swing: &Swing) -> Swing {
        Swing {
            y: swing.y * self.y[0] + swing.dy * self.y[1],
            dy: swing.y * self.dy[0] + swing.dy * self.dy[1],
        }
    }
}

/// e^(-z w t) cos(q t) and e^(-z w t) sin(q t) / q with q = w sqrt(1 - z^2); hyperbolic for z > 1.
fn oscillation(w: Real, z: Real, t: Real) -> (Real, Real) {
    let square = 1.0 - z * z;
    let q = w * square.abs().sqrt();
    let fade = exp(-z * w * t);
    if (q * t).abs() < CRITICAL {
        // Both series to the fourth power of q t.
        let x = square.signum() * (q * t).powi(2);
        return (fade * (1.0 - x / 2.0 + x * x / 24.0), fade * t * (1.0 - x / 6.0 + x * x / 120.0));
    }
    if square > 0.0 {
        return (fade * cos(q * t), fade * sin(q * t) / q);
    }
    // The two exponentials separately: a hyperbolic cosine alone would overflow.
    let (slow, fast) = (exp((q - z * w) * t), exp((-q - z * w) * t));
    (0.5 * (slow + fast), 0.5 * (slow - fast) / q)
}

/// Below this phase the series are exact to round-off: the next term is x^6 / 720.
const CRITICAL: Real = 1e-3;
