//! One mass on one spring, solved exactly \[BezierMuscle §3.5\].
//!
//! With y = x - c, the distance from the anchor c, which moves at the constant velocity u during a step:
//! y'' + 2 z w y' + w^2 y = 0, w = sqrt(k / m), z the damping as a fraction of the critical one. Verlet's steps
//! \[eq. 12\] converge to it with 2 z w = f / dt as their dt goes to zero.
//!
//! Drag of still air acts on x' = y' + u instead: the same equation for y + 2 z u / w.

use super::parts::Spring;
use crate::math::{Real, Vec3};

/// A particle.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Particle {
    /// Its position.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

/// How a spring's solution after some time depends on where it was: y = a y0 + b y0', y' = c y0 + d y0'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Propagator {
    y: [Real; 2],
    dy: [Real; 2],
    /// 2 z / w.
    lag: Real,
}

impl Propagator {
    /// The solution after that many seconds.
    pub fn new(spring: &Spring, seconds: Real) -> Self {
        let w = spring.frequency();
        let decay = spring.damping * w;
        let (cosine, sine) = oscillation(w, spring.damping, seconds);
        Propagator {
            y: [cosine + decay * sine, sine],
            dy: [-w * w * sine, cosine - decay * sine],
            lag: 2.0 * spring.damping / w,
        }
    }

    /// Moves a particle whose anchor went from one place to another meanwhile.
    pub fn advance(&self, particle: &mut Particle, anchors: [Vec3; 2], seconds: Real, in_air: bool) {
        let velocity = (anchors[1] - anchors[0]) / seconds;
        let lag = if in_air { velocity * self.lag } else { Vec3::zeros() };
        let (y, dy) = (particle.position - anchors[0] + lag, particle.velocity - velocity);
        particle.position = anchors[1] + (y * self.y[0] + dy * self.y[1]) - lag;
        particle.velocity = velocity + (y * self.dy[0] + dy * self.dy[1]);
    }
}

/// e^(-z w t) cos(q t) and e^(-z w t) sin(q t) / q with q = w sqrt(1 - z^2); hyperbolic for z > 1.
fn oscillation(w: Real, z: Real, t: Real) -> (Real, Real) {
    let square = 1.0 - z * z;
    let q = w * square.abs().sqrt();
    let fade = (-z * w * t).exp();
    if (q * t).abs() < CRITICAL {
        // Both series to the fourth power of q t.
        let x = square.signum() * (q * t).powi(2);
        return (fade * (1.0 - x / 2.0 + x * x / 24.0), fade * t * (1.0 - x / 6.0 + x * x / 120.0));
    }
    if square > 0.0 {
        return (fade * (q * t).cos(), fade * (q * t).sin() / q);
    }
    // The two exponentials apart: a hyperbolic cosine alone would overflow.
    let (slow, fast) = (((q - z * w) * t).exp(), ((-q - z * w) * t).exp());
    (0.5 * (slow + fast), 0.5 * (slow - fast) / q)
}

/// Below this phase the series are exact to round-off: the next term is x^6 / 720.
const CRITICAL: Real = 1e-3;
