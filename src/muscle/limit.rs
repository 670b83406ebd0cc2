//! A swing that stays within a distance R of where it would rest, solved exactly.
//!
//! It swings freely until it reaches the limit and loses its outward velocity there. As long as what remains is faster
//! than w R, the spring is too weak to bend its path: it slides along the limit, on a great circle, while damping slows
//! it as e^(-2 z w t). Then it swings freely again, and cannot reach the limit a second time while the body keeps its
//! velocity: of |y|^2 = R^2 a^2 + v^2 b^2 with v <= w R and the propagator's a and b, a^2 + w^2 b^2 never grows, since
//! its derivative is -4 z w^3 b^2.
//!
//! So a step is the same as its parts, and frames may end anywhere.

use super::parts::Spring;
use super::swing::{Propagator, Swing};
use sinew_math::Real;
use sinew_math::elementary::{atan, atanh, exp, exp_m1, ln, sin_cos};
use std::f64::consts::PI;

/// Advances a swing; whether the limit held it back.
pub fn advance(spring: &Spring, swing: &Swing, seconds: Real, farthest: Real) -> (Swing, bool) {
    // The energy never grows: what it does not suffice for is out of reach.
    let reach = spring.stiffness * (farthest * farthest - swing.y.norm_squared());
    if spring.mass * swing.dy.norm_squared() <= reach {
        return (Propagator::new(spring, seconds).apply(swing), false);
    }
    let (inside, outside) = pulled_in(swing, farthest);
    let Some(contact) = first_contact(spring, &inside, seconds, farthest) else {
        return (Propagator::new(spring, seconds).apply(&inside), outside);
    };
    let landed = land(&Propagator::new(spring, contact).apply(&inside), farthest);
    let (slid, time) = slide(spring, &landed, seconds - contact);
    (Propagator::new(spring, seconds - contact - time).apply(&slid), true)
}

/// The swing with its place at the limit if it is beyond; whether by more than round-off.
fn pulled_in(swing: &Swing, farthest: Real) -> (Swing, bool) {
    let away = swing.y.norm();
    match away > farthest {
        true => (Swing { y: swing.y * (farthest / away), ..*swing }, away > farthest * (1.0 + ROUND_OFF)),
        false => (*swing, false),
    }
}

/// The relative round-off of places at the limit, many kilometres from the origin.
const ROUND_OFF: Real = 1e-9;

/// At the limit, without outward velocity.
fn land(swing: &Swing, farthest: Real) -> Swing {
    let outwards = swing.y.normalize();
    Swing { y: outwards * farthest, dy: swing.dy - outwards * swing.dy.dot(&outwards).max(0.0) }
}

/// Slides along the limit, for the time that is returned, until the spring can bend the path: at most some seconds.
fn slide(spring: &Spring, swing: &Swing, seconds: Real) -> (Swing, Real) {
    let (radius, speed) = (swing.y.norm(), swing.dy.norm());
    let (w, decay) = (spring.frequency(), 2.0 * spring.damping * spring.frequency());
    let excess = speed / (w * radius);
    if excess <= 1.0 {
        return (*swing, 0.0);
    }
    // Without damping, never.
    let time = (ln(excess) / decay).min(seconds);
    let slowed = decay * time;
    let way = speed * if decay > 0.0 { -exp_m1(-slowed) / decay } else { time };
    let (sin, cos) = sin_cos(way / radius);
    let (outwards, along) = (swing.y / radius, swing.dy / speed);
    let after = Swing {
        y: (outwards * cos + along * sin) * radius,
        dy: (along * cos - outwards * sin) * (speed * exp(-slowed)),
    };
    (after, time)
}

/// When a swing from within the limit first reaches it, if within some seconds.
fn first_contact(spring: &Spring, swing: &Swing, seconds: Real, farthest: Real) -> Option<Real> {
    let [mut low, mut high] = first_rise(spring, swing, seconds)?;
    let at = |t: Real| Propagator::new(spring, t).apply(swing);
    let excess = |swing: &Swing| swing.y.norm_squared() - farthest * farthest;
    if excess(&at(high)) <= 0.0 {
        return None;
    }
    if excess(&at(low)) >= 0.0 {
        return Some(low);
    }
    // The distance only rises in between: Newton's steps, or halves where these lead out.
    let mut t = 0.5 * (low + high);
    for _ in 0..MOST_STEPS {
        let now = at(t);
        let beyond = excess(&now);
        *(if beyond > 0.0 { &mut high } else { &mut low }) = t;
        let newton = t - beyond / (2.0 * now.y.dot(&now.dy));
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= Real::EPSILON * seconds {
            break;
        }
        t = next;
    }
    Some(t)
}

/// More steps than halving a bracket to round-off takes.
const MOST_STEPS: usize = 100;

/// When within some seconds the distance |y| first rises: from when, until when. With damping, later maxima are lower.
///
/// With T = tan(q t) / q (t, tanh), y' y = cos^2(q t) e^(-2 z w t) (y0 + P T) (y0' - Q T), P = y0' + z w y0, Q = w^2 y0
/// + z w y0'.
fn first_rise(spring: &Spring, swing: &Swing, seconds: Real) -> Option<[Real; 2]> {
    let w = spring.frequency();
    let decay = spring.damping * w;
    let p = swing.dy + swing.y * decay;
    let q = swing.y * (w * w) + swing.dy * decay;
    let [a, b, c] = [-p.dot(&q), p.dot(&swing.dy) - swing.y.dot(&q), swing.y.dot(&swing.dy)];
    let half = -0.5 * (b + b.signum() * (b * b - 4.0 * a * c).max(0.0).sqrt());
    let mut turns = [(half, a), (c, half)].map(|(above, below)| time_of(spring, above, below));
    turns.sort_by(Real::total_cmp);
    let rises = c > 0.0 || (c == 0.0 && b > 0.0);
    let [from, to] = if rises { [0.0, turns[0]] } else { turns };
    (from < seconds).then_some([from, to.min(seconds)])
}

/// The first time after 0 at which T, of [`first_rise`], is that fraction; infinite if there is none.
fn time_of(spring: &Spring, above: Real, below: Real) -> Real {
    let square = 1.0 - spring.damping * spring.damping;
    let q = spring.frequency() * square.abs().sqrt();
    let time = match square.total_cmp(&0.0) {
        std::cmp::Ordering::Greater => {
            let phase = atan(q * above / below);
            (if phase > 0.0 { phase } else { phase + PI }) / q
        }
        std::cmp::Ordering::Equal => above / below,
        std::cmp::Ordering::Less => atanh(q * above / below) / q,
    };
    if time > 0.0 { time } else { Real::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_math::Vec3;

    const FARTHEST: Real = 0.07;

    /// Undamped, underdamped, nearly and exactly critical, overdamped.
    const DAMPINGS: [Real; 8] = [0.0, 0.06, 0.7, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 2.5, 40.0];

    fn spring(damping: Real) -> Spring {
        Spring { mass: 0.3, stiffness: 75.0, damping }
    }

    fn apart(a: &Swing, b: &Swing) -> Real {
        (a.y - b.y).norm() / FARTHEST + (a.dy - b.dy).norm() / (FARTHEST * spring(0.0).frequency())
    }

    /// Small free steps; after each, what is beyond the limit goes back to it and loses its outward velocity.
    fn by_small_steps(spring: &Spring, swing: &Swing, seconds: Real, steps: usize) -> Swing {
        let propagator = Propagator::new(spring, seconds / steps as Real);
        let mut swing = *swing;
        for _ in 0..steps {
            swing = propagator.apply(&swing);
            if swing.y.norm() > FARTHEST {
                swing = land(&swing, FARTHEST);
            }
        }
        swing
    }

    /// Off centre, and fast enough to slide for a while.
    fn thrown(speed: Real) -> Swing {
        Swing { y: Vec3::new(0.03, -0.02, 0.01), dy: Vec3::new(0.6, 0.3, -0.7) * speed }
    }

    #[test]
    fn small_steps_come_close_to_it() {
        for damping in DAMPINGS {
            for speed in [1.5, 3.0, 8.0] {
                let (spring, start) = (spring(damping), thrown(speed));
                let (exact, _) = advance(&spring, &start, 0.1, FARTHEST);
                let errors = [2_000, 20_000].map(|n| apart(&by_small_steps(&spring, &start, 0.1, n), &exact));
                assert!(
                    errors[1] < 0.02 && errors[1] < 0.6 * errors[0] + 1e-9,
                    "{damping} {speed}: {errors:?}"
                );
            }
        }
    }

    /// Straight out, it stays at the limit for no time, and swings back from there at rest.
    #[test]
    fn it_bounces_off_without_its_speed() {
        let (spring, out) = (spring(0.2), Vec3::new(0.0, 0.6, 0.8));
        let start = Swing { y: Vec3::zeros(), dy: out * 1e9 };
        let (after, held) = advance(&spring, &start, 0.1, FARTHEST);
        let back = Swing { y: out * FARTHEST, dy: Vec3::zeros() };
        assert!(held && apart(&after, &Propagator::new(&spring, 0.1).apply(&back)) < 1e-6);
    }

    /// Without damping, what is faster than w R circles for ever.
    #[test]
    fn undamped_it_goes_on_sliding() {
        let speed = 3.0 * FARTHEST * spring(0.0).frequency();
        let start = Swing { y: Vec3::x() * FARTHEST, dy: Vec3::y() * speed };
        let (after, held) = advance(&spring(0.0), &start, 2.0, FARTHEST);
        let (sin, cos) = (2.0 * speed / FARTHEST).sin_cos();
        let expected =
            Swing { y: Vec3::new(cos, sin, 0.0) * FARTHEST, dy: Vec3::new(-sin, cos, 0.0) * speed };
        assert!(held && apart(&after, &expected) < 1e-12);
    }

    #[test]
    fn within_its_reach_it_is_the_free_swing_to_the_bit() {
        for damping in DAMPINGS {
            let spring = spring(damping);
            // The second does not reach the limit because it is damped, or turns back before, or has no time.
            for (speed, seconds) in [(0.3, 1.0), (1.0, 0.01)] {
                let free = Propagator::new(&spring, seconds).apply(&thrown(speed));
                assert!(free.y.norm() < FARTHEST);
                assert_eq!(advance(&spring, &thrown(speed), seconds, FARTHEST), (free, false), "{damping}");
            }
        }
    }

    #[test]
    fn numbers_that_overflow_end_in_finite_time() {
        for damping in DAMPINGS {
            let (after, _) = advance(&spring(damping), &thrown(1e12), 0.04, FARTHEST);
            assert!(after.y.norm() < FARTHEST * (1.0 + 1e-9), "{damping}: {after:?}");
            for speed in [1e160, 1e300, Real::INFINITY, Real::NAN] {
                advance(&spring(damping), &thrown(speed), 0.04, FARTHEST);
            }
        }
    }

    proptest! {
        /// Frames may end anywhere, and no swing leaves the limit.
        #[test]
        fn a_step_is_the_same_as_its_parts(
            damping in 0..DAMPINGS.len(), y in prop::array::uniform3(-0.04..0.04), dy in prop::array::uniform3(-1.0..1.0),
            speed in -1.0..1.5, seconds in 0.001..0.3, parts in 2usize..9,
        ) {
            let spring = spring(DAMPINGS[damping]);
            let start = Swing { y: Vec3::from(y), dy: Vec3::from(dy) * (10.0 as Real).powf(speed) };
            let (whole, held) = advance(&spring, &start, seconds, FARTHEST);
            let (mut split, mut any) = (start, false);
            for _ in 0..parts {
                let (after, held) = advance(&spring, &split, seconds / parts as Real, FARTHEST);
                prop_assert!(after.y.norm() <= FARTHEST * (1.0 + 1e-12));
                (split, any) = (after, any || held);
            }
            prop_assert!(apart(&whole, &split) < 1e-7, "{whole:?} {split:?}");
            prop_assert_eq!(held, any);
        }
    }
}
