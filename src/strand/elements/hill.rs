//! Hill's muscle: the force of fibres by length and speed \[HelpingHand §3.2, eq. 4.1 to 4.3\].
//!
//!   F = strength (a f_L(l) f_V(v) + f_P(l)),   l the length in resting lengths, v the speed of shortening,
//!   f_L = 1 - 4 (l - 1.1)^2, never below 0,   f_P = 2.77 (l - 1)^2 beyond the resting length, else 0.
//!
//! # Decisions
//! - **Length.** The source has two curves: eq. 3.4, printed as \[1 - (l - l_o) / W\]^2, which falls to one side only
//!   and must be 1 - ((l - l_o) / W)^2; and eq. 4.1, which its simulation uses, whose peak is at 1.1 of the resting
//!   length. The latter is used. The authored length is that of the peak, which tables of muscles call the optimal one.
//! - **Speed.** Eq. 3.6, (f_o b - a v) / (b + v), is 0 at v_o = b f_o / a (eq. 3.8). In units of f_o and v_o, with k =
//!   a / f_o: f_V = (1 - v) / (1 + v / k). The source gives no k; Hill's own muscles have a quarter. Faster than v_o it
//!   is 0.
//! - **Lengthening.** Eq. 3.6 diverges at v = -b. Muscles that are being stretched bear up to half as much again (Katz,
//!   "The relation between force and speed in muscular contraction", 1939): f_V = 1 + 0.5 u / (u + c), u = -v, with c
//!   such that the slopes match at 0.
//! - **The tendon in series** is a segment of its own, with the strand's stiffness; the source leaves it out.
use crate::model::Model;
use crate::parts::{Hill, Pull};
use crate::segment::Segment;
use crate::segment::form::{Form, SegmentVector, vector};
use crate::state::State;
use sinew_math::Real;

/// The peak of the active curve, in resting lengths.
const TOP: Real = 1.1;
/// The active curve falls by this times the squared distance from the peak.
const NARROWNESS: Real = 4.0;
/// The passive curve grows by this times the square of the stretch.
const PASSIVE: Real = 2.77;
/// k = a / f_o: how much force is lost to speed.
const HYPERBOLA: Real = 0.25;
/// The force beyond its strength that a muscle bears when stretched.
const DRAWN_OUT: Real = 0.5;

impl Hill {
    /// l_o.
    pub fn resting(&self) -> Real {
        self.optimal / TOP
    }

    /// f_L.
    pub fn active(&self, length: Real) -> Real {
        let off = length / self.resting() - TOP;
        (1.0 - NARROWNESS * off * off).max(0.0)
    }

    /// The derivative of f_L by the length, per m.
    pub fn active_slope(&self, length: Real) -> Real {
        let off = length / self.resting() - TOP;
        if self.active(length) > 0.0 { -2.0 * NARROWNESS * off / self.resting() } else { 0.0 }
    }

    /// f_P.
    pub fn passive(&self, length: Real) -> Real {
        let stretch = (length / self.resting() - 1.0).max(0.0);
        PASSIVE * stretch * stretch
    }

    /// The derivative of f_P by the length, per m.
    pub fn passive_slope(&self, length: Real) -> Real {
        2.0 * PASSIVE * (length / self.resting() - 1.0).max(0.0) / self.resting()
    }

    /// The work of stretching it, divided by its strength, in m.
    pub fn passive_energy(&self, length: Real) -> Real {
        let stretch = (length / self.resting() - 1.0).max(0.0);
        PASSIVE / 3.0 * stretch * stretch * stretch * self.resting()
    }

    /// f_V at a speed of shortening in m/s.
    pub fn at_speed(&self, shortening: Real) -> Real {
        let v = shortening / self.speed;
        if v >= 0.0 {
            ((1.0 - v) / (1.0 + v / HYPERBOLA)).max(0.0)
        } else {
            1.0 + DRAWN_OUT * v / (v - meeting())
        }
    }

    /// The decrease of f_V with the speed of shortening, per m/s: its slope while the muscle shortens, that of the
    /// chord to zero speed while it is stretched. There the curve bends the other way, and a step along its flat slope
    /// would overshoot.
    pub fn resistance(&self, shortening: Real) -> Real {
        let v = shortening / self.speed;
        let fall = if v >= 1.0 {
            0.0
        } else if v >= 0.0 {
            let below = 1.0 + v / HYPERBOLA;
            (1.0 + 1.0 / HYPERBOLA) / (below * below)
        } else {
            DRAWN_OUT / (meeting() - v)
        };
        fall / self.speed
    }
}

/// c, in units of the maximum speed: both curves have the slope -(1 + 1 / k) at zero speed.
fn meeting() -> Real {
    DRAWN_OUT / (1.0 + 1.0 / HYPERBOLA)
}

/// Hill's muscle on a segment at one moment: forces in N.
pub struct Pulling {
    /// The muscle.
    muscle: usize,
    /// The force of the passive part.
    passive: Real,
    /// That of the active part at an activation of 1.
    pub active: Real,
    /// The stiffness of each part in N/m, not below zero.
    stiffness: [Real; 2],
    /// The damping of the active part, in N s/m.
    damping: Real,
    /// The derivative of the length by the ends, and its rate with the velocities to which damping is relative.
    along: SegmentVector,
    lengthening: Real,
}

impl Pulling {
    /// For the segment after a node, if that is a muscle and not cut; with the speed at which it lengthens, and what
    /// velocities along the segment make of that.
    pub fn new(
        model: &Model,
        state: &State,
        node: usize,
        segment: &Segment,
        [whole, lengthening]: [Real; 2],
    ) -> Option<Self> {
        let m = *model.layout.hills.get(node)?;
        let muscle = model.parts().muscles.get(m).filter(|_| !state.cut[node])?;
        let Pull::Segment(hill) = &muscle.pull else { return None };
        let (strength, length) = (muscle.strength, segment.length);
        let shortening = -whole;
        let full = strength * hill.active(length);
        // Beyond its peak the active curve would push the ends apart, ever faster; that part is not implicit.
        let rising = strength * hill.active_slope(length).max(0.0) * hill.at_speed(shortening);
        Some(Pulling {
            muscle: m,
            passive: strength * hill.passive(length),
            active: full * hill.at_speed(shortening),
            stiffness: [strength * hill.passive_slope(length), rising],
            damping: full * hill.resistance(shortening),
            along: vector([-segment.direction, segment.direction], [0.0; 2]),
            lengthening,
        })
    }

    /// The tension.
    pub fn tension(&self, state: &State) -> Real {
        self.passive + state.activations[self.muscle] * self.active
    }

    /// Its contribution to a step: stiffness, damping, and the force except for the active pull.
    pub fn in_step(&self, state: &State, segment: &Segment) -> (Form, Form, SegmentVector) {
        let (along, activation) = (self.along, state.activations[self.muscle]);
        let [passive, active] = self.stiffness;
        let square = Form::square([-1.0, 1.0], [0.0; 2]);
        let elastic = square * (passive + activation * active) + segment.turning(self.tension(state));
        let damping = activation * self.damping;
        // The active pull is that at the speed that leads ahead; damping is relative to it.
        let before = damping * self.lengthening;
        (elastic, square * damping, along * (before - self.passive))
    }
}
