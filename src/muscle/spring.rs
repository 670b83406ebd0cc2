//! One mass on one spring, solved exactly \[BezierMuscle §3.5\].
//!
//! With y = x - c, the distance from the anchor c, which has the constant acceleration g during a step: y'' +
//! 2 z w y' + w^2 y = -g, w = sqrt(k / m), z the damping as a fraction of the critical one. Verlet's steps \[eq. 12\]
//! converge to it with 2 z w = f / dt as their dt goes to zero. So y + s swings freely about 0, where it lags by
//! s = g / w^2.
//!
//! Drag of still air acts on x' = y' + c' instead: there s = (g + 2 z w (c' - s')) / w^2, s' = 2 z g / w.

use super::limit;
use super::parts::Spring;
use super::swing::{Propagator, Swing};
use sinew_math::{Real, Vec3};

/// A particle.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Particle {
    /// Its position.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

/// The way of an anchor during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where it begins and ends.
    pub anchors: [Vec3; 2],
    /// How its velocity changes meanwhile.
    pub acceleration: Vec3,
    /// How long it takes.
    pub seconds: Real,
    /// Whether damping resists motion in the world.
    pub in_air: bool,
}

impl Way {
    /// The velocities at the beginning and at the end.
    fn velocities(&self) -> [Vec3; 2] {
        let mean = (self.anchors[1] - self.anchors[0]) / self.seconds;
        [-0.5, 0.5].map(|half| mean + self.acceleration * (self.seconds * half))
    }

    /// By how much a mass lags at the beginning and at the end, s: because of the acceleration, and because of drag.
    fn lags(&self, spring: &Spring) -> [Lag; 2] {
        let w = spring.frequency();
        let drag = 2.0 * spring.damping / w;
        self.velocities().map(|velocity| Lag {
            accelerated: self.acceleration / (w * w),
            dragged: match self.in_air {
                true => (velocity - self.acceleration * drag) * drag,
                false => Vec3::zeros(),
            },
        })
    }
}

/// By how much a mass lags.
#[derive(Clone, Copy, Debug)]
struct Lag {
    accelerated: Vec3,
    dragged: Vec3,
}

impl Particle {
    /// Moves it while its anchor goes that way; whether it was held back, at `farthest` from where it would rest. One
    /// that would come that far is moved as if the anchor went straight.
    pub fn advance(&mut self, spring: &Spring, way: &Way, farthest: Real) -> bool {
        if way.acceleration != Vec3::zeros() {
            let parts = way.lags(spring);
            let lags = parts.map(|lag| lag.accelerated + lag.dragged);
            let start = self.along(way, lags);
            if stays(spring, &start, parts, way.seconds, farthest) {
                self.take(way, lags, &Propagator::new(spring, way.seconds).apply(&start));
                return false;
            }
        }
        let straight = Way { acceleration: Vec3::zeros(), ..*way };
        let [(lag, held_back), _] = straight.lags(spring).map(|lag| shortened(lag.dragged, farthest));
        let (after, held) = limit::advance(spring, &self.along(&straight, [lag; 2]), way.seconds, farthest);
        self.take(&straight, [lag; 2], &after);
        held || held_back
    }

    /// How it swings about where it lags.
    fn along(&self, way: &Way, lags: [Vec3; 2]) -> Swing {
        let velocity = way.velocities()[0] - (lags[1] - lags[0]) / way.seconds;
        Swing { y: self.position - way.anchors[0] + lags[0], dy: self.velocity - velocity }
    }

    /// Where it is at the end of the way, if it then swings like that.
    fn take(&mut self, way: &Way, lags: [Vec3; 2], swing: &Swing) {
        let velocity = way.velocities()[1] - (lags[1] - lags[0]) / way.seconds;
        self.position = way.anchors[1] + swing.y - lags[1];
        self.velocity = velocity + swing.dy;
    }
}

/// Whether a mass stays within a distance of where drag alone would leave it, while it swings about where it lags.
fn stays(spring: &Spring, start: &Swing, lags: [Lag; 2], seconds: Real, farthest: Real) -> bool {
    if lags.iter().any(|lag| lag.dragged.norm() > farthest) {
        return false;
    }
    // The energy never grows.
    let widest = start.y.norm_squared() + start.dy.norm_squared() * (spring.mass / spring.stiffness);
    let accelerated = lags[0].accelerated;
    let away = |k: usize| {
        let part = k as Real / LOOKS as Real;
        Propagator::new(spring, seconds * part).apply(start).y - accelerated
    };
    widest.sqrt() + accelerated.norm() <= farthest || (0..=LOOKS).all(|k| away(k).norm() <= farthest)
}

/// How often during a step the place of a mass is looked at.
const LOOKS: usize = 8;

/// The vector, no longer than a length; whether it was.
pub fn shortened(vector: Vec3, most: Real) -> (Vec3, bool) {
    let length = vector.norm();
    if length > most { (vector * (most / length), true) } else { (vector, false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const SPRING: Spring = Spring { mass: 0.4, stiffness: 250.0, damping: 0.15 };

    fn still(at: Vec3, seconds: Real) -> Way {
        Way { anchors: [at; 2], acceleration: Vec3::zeros(), seconds, in_air: false }
    }

    /// After a kick: y = v0 sin(q t) / q e^(-z w t).
    #[test]
    fn a_spring_swings_and_decays_as_it_should() {
        let (w, z) = ((250.0_f64 / 0.4).sqrt(), 0.15);
        let q = w * (1.0 - z * z as Real).sqrt();
        let way = still(Vec3::y(), 1.0 / 24.0);
        let mut particle = Particle { position: Vec3::y(), velocity: Vec3::x() };
        for frame in 1..=48 {
            assert!(!particle.advance(&SPRING, &way, Real::INFINITY));
            let t = frame as Real / 24.0;
            let expected = (q * t).sin() / q * (-z * w * t).exp();
            assert!((particle.position.x - expected).abs() < 1e-15);
            assert_eq!(particle.position.y, 1.0);
        }
        // Without damping the period is 2 pi sqrt(m / k).
        let period = 2.0 * PI / w;
        let free = Spring { damping: 0.0, ..SPRING };
        let mut particle = Particle { position: Vec3::x(), velocity: Vec3::z() };
        let way = still(Vec3::zeros(), period);
        particle.advance(&free, &way, Real::INFINITY);
        assert!(
            (particle.position - Vec3::x()).norm() < 1e-14 && (particle.velocity - Vec3::z()).norm() < 1e-12
        );
    }

    /// Small steps of Runge-Kutta as a second path, for all regimes of damping and both kinds of drag.
    #[test]
    fn a_moving_anchor_is_followed_exactly() {
        let anchors = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.3, 1.9, 3.0)];
        let seconds = 1.0 / 24.0;
        let acceleration = Vec3::new(-20.0, 35.0, 50.0);
        let speed = (anchors[1] - anchors[0]) / seconds - acceleration * (0.5 * seconds);
        for damping in [0.0, 0.3, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 2.5, 40.0] {
            for in_air in [false, true] {
                let spring = Spring { damping, ..SPRING };
                let (w, z) = (spring.frequency(), damping);
                let start =
                    Particle { position: Vec3::new(1.01, 2.0, 2.98), velocity: Vec3::new(0.5, -1.0, 0.2) };
                let mut exact = start;
                let way = Way { anchors, acceleration, seconds, in_air };
                exact.advance(&spring, &way, Real::INFINITY);
                let force = |t: Real, x: &Vec3, v: &Vec3| {
                    let drag = if in_air { *v } else { v - speed - acceleration * t };
                    let anchor = anchors[0] + speed * t + acceleration * (0.5 * t * t);
                    (anchor - x) * (w * w) - drag * (2.0 * z * w)
                };
                let (mut x, mut v) = (start.position, start.velocity);
                let steps = 20_000;
                let h = seconds / steps as Real;
                for k in 0..steps {
                    let t = k as Real * h;
                    let (k1x, k1v) = (v, force(t, &x, &v));
                    let (k2x, k2v) = (
                        v + k1v * (h / 2.0),
                        force(t + h / 2.0, &(x + k1x * (h / 2.0)), &(v + k1v * (h / 2.0))),
                    );
                    let (k3x, k3v) = (
                        v + k2v * (h / 2.0),
                        force(t + h / 2.0, &(x + k2x * (h / 2.0)), &(v + k2v * (h / 2.0))),
                    );
                    let (k4x, k4v) = (v + k3v * h, force(t + h, &(x + k3x * h), &(v + k3v * h)));
                    x += (k1x + k2x * 2.0 + k3x * 2.0 + k4x) * (h / 6.0);
                    v += (k1v + k2v * 2.0 + k3v * 2.0 + k4v) * (h / 6.0);
                }
                assert!((exact.position - x).norm() < 1e-10, "{damping} {in_air}: {} {x}", exact.position);
                assert!((exact.velocity - v).norm() < 1e-8, "{damping} {in_air}: {} {v}", exact.velocity);
            }
        }
    }

    /// The paper's Verlet steps \[eq. 12\] with f = 2 z w dt come closer in proportion to dt.
    #[test]
    fn the_steps_of_the_print_converge_to_it() {
        let (w, seconds) = (SPRING.frequency(), 0.5);
        let still = |seconds: Real| Way { in_air: true, ..still(Vec3::zeros(), seconds) };
        let mut exact = Particle { position: Vec3::x(), velocity: Vec3::zeros() };
        exact.advance(&SPRING, &still(seconds), Real::INFINITY);
        let verlet = |steps: usize| {
            let dt = seconds / steps as Real;
            let f = 2.0 * SPRING.damping * w * dt;
            let mut first = Particle { position: Vec3::x(), velocity: Vec3::zeros() };
            first.advance(&SPRING, &still(dt), Real::INFINITY);
            let (mut before, mut now) = (Vec3::x(), first.position);
            for _ in 1..steps {
                let next = now * -(w * w * dt * dt) - before * (1.0 - f) + now * (2.0 - f);
                (before, now) = (now, next);
            }
            (now - exact.position).norm()
        };
        let errors = [400, 800, 1600].map(verlet);
        assert!(errors[0] < 0.02, "{errors:?}");
        for pair in errors.windows(2) {
            assert!((1.8..2.2).contains(&(pair[0] / pair[1])), "{errors:?}");
        }
    }
}
