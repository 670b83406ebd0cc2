//! Bodies between heavy loads: the geometric stiffness of the forces on them.
//!
//! A force f that pulls a body outwards at an arm r resists that the arm turns away from it, with the stiffness
//!   K = (r . f) (I - r r^T / r^2).
//! Forces that press inwards have none. A light link under a heavy load swings about the line of the load with a
//! frequency sqrt(K / I), far too fast for a step of h: constraint forces along directions of the step's start stay
//! stable up to a frequency of 2 / h only, beyond which the link flips over and joints come apart. So the inertia of a
//! body is raised by G to h^2 K where it is smaller:
//!   (I + G) w1 = I w0 + (1 - a) G w0 + h m.
//! With a = 0 that is Newmark's rule, symmetric in time, which dissipates nothing; with a = 1 implicit Euler, which
//! damps what the step does not resolve. Raised inertia at the same speed is energy from nowhere, so a is twice the
//! fraction by which I + G rises in the step. Motions that the step resolves have no G.
//!
//! - Tournier, Nesme, Gilles, Faure, "Stable constrained dynamics", 2015.
//! - Andrews, Teichmann, Kry, "Geometric stiffness for real-time constrained multibody dynamics", 2017.

use crate::layout::NONE;
use crate::now::Now;
use crate::rows::Rows;
use sinew_math::{Mat3, Real, Vec3, without_falls};

/// A solve whose forces need an inertia larger by more than this fraction than it used is repeated with that.
const RISEN: Real = 0.5;
/// Changes of a that are smaller are ignored.
const NOTABLE: Real = 0.05;

/// The inertia added to bodies.
pub struct Swing {
    /// K h of each body.
    stiffness: Vec<Mat3>,
    /// G, and a.
    pub added: Vec<Mat3>,
    pub damped: Vec<Real>,
    /// Whether nothing is to be added.
    pub resting: bool,
}

impl Swing {
    pub fn new(bodies: usize) -> Self {
        Swing {
            stiffness: vec![Mat3::zeros(); bodies],
            added: vec![Mat3::zeros(); bodies],
            damped: vec![0.0; bodies],
            resting: false,
        }
    }

    /// Adds nothing until the next [`Swing::find`].
    pub fn rest(&mut self) {
        self.resting = true;
        self.added.fill(Mat3::zeros());
        self.damped.fill(0.0);
    }

    /// Adds the stiffness of an impulse on a body at an arm.
    pub fn load(&mut self, body: usize, arm: &Vec3, impulse: &Vec3) {
        self.stiffness[body] += turning(arm, impulse);
    }

    /// Finds the inertia that these loads need in a step of h seconds.
    pub fn find(&mut self, now: &Now, h: Real) {
        self.resting = false;
        self.damped.fill(0.0);
        for b in 0..self.added.len() {
            self.added[b] = self.needed(now, b, h);
        }
    }

    /// Finds it anew, increases that of bodies that need much more, and damps those that need more; they are listed.
    pub fn increase(&mut self, now: &Now, h: Real, mut list: impl FnMut(usize)) {
        for b in (0..self.added.len()).filter(|&b| now.layout().bodies[b] != NONE) {
            let needed = self.needed(now, b, h);
            let own = now.parts().bodies[b].moments.sum();
            let rise = (needed.trace() - self.added[b].trace()) / (self.added[b].trace() + own);
            let damped = (2.0 * rise).min(1.0);
            if rise > RISEN {
                self.added[b] = needed;
            }
            if rise > RISEN || damped > self.damped[b] + NOTABLE {
                self.damped[b] = damped;
                list(b);
            }
        }
    }

    /// Begins with the impulses of constraints.
    pub fn begin(&mut self, now: &Now, rows: &Rows) {
        self.stiffness.fill(Mat3::zeros());
        for lever in &rows.levers {
            self.load(lever.body, &lever.arm, &(lever.along * now.state.impulses[lever.row]));
        }
    }

    /// The positive part of h^2 K - I.
    fn needed(&self, now: &Now, b: usize, h: Real) -> Mat3 {
        let (stiffness, body) = (self.stiffness[b] * h, &now.parts().bodies[b]);
        if now.layout().bodies[b] == NONE || stiffness.norm() <= body.moments.min() {
            return Mat3::zeros();
        }
        let mut lacking =
            (stiffness - body.inertia_outside(&now.kinematics.middles[b].place)).fixed_resize::<4, 4>(0.0);
        without_falls(&mut lacking);
        lacking.fixed_view::<3, 3>(0, 0).into_owned()
    }
}

/// The stiffness against rotation of a force at an arm.
fn turning(arm: &Vec3, force: &Vec3) -> Mat3 {
    let (along, square) = (arm.dot(force), arm.norm_squared());
    if square > 0.0 { (Mat3::identity() - arm * arm.transpose() / square) * along } else { Mat3::zeros() }
}
