//! One straight piece of strand between two nodes \[HandThesis §3.2; Sueda et al. 2011, "Large-scale dynamic simulation
//! of highly constrained strands"\].
//!
//! A node has a position x and a material coordinate s, which says which material is there. Between the nodes, with
//!   Ds = s1 - s0 > 0,   F = (x1 - x0) / Ds,   a = (s - s0) / Ds,
//! the material s lies at (1 - a) x0 + a x1. When the nodes move, it moves with
//!   xdot(s) = (1 - a) (x0dot - F s0dot) + a (x1dot - F s1dot),
//! and, in addition to the nodes' accelerations, it is accelerated by -2 Fdot ((1 - a) s0dot + a s1dot),
//! Fdot = (x1dot - x0dot - F (s1dot - s0dot)) / Ds: the Coriolis term of a flow.
//!
//! The unknowns of a segment are ordered (x0, x1, s0, s1).
pub mod form;
pub mod lift;

use crate::parts::Fibre;
use form::{Ends, Form, SegmentVector, ends, vector};
use sinew_math::{Real, Vec3};

/// Two nodes: positions and material coordinates, or their velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    /// Of the nodes.
    pub x: [Vec3; 2],
    /// Of the material at them.
    pub s: [Real; 2],
}

/// The geometry of a segment.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// Ds: the length of its material at rest.
    pub material: Real,
    /// l: its length in space.
    pub length: Real,
    /// The direction from the first node to the second; zero when they coincide.
    pub direction: Vec3,
    /// F.
    pub slope: Vec3,
    /// Whether it bears load.
    pub taut: bool,
    /// Whether it is cut: then half of its mass goes with each end, and no force acts along it.
    pub loose: bool,
}

impl Segment {
    /// Between two nodes; `None` without material or if something is not finite.
    pub fn new(pair: &Pair) -> Option<Self> {
        let (way, material) = (pair.x[1] - pair.x[0], pair.s[1] - pair.s[0]);
        let length = way.norm();
        let sound = material > 0.0 && material.is_finite() && length.is_finite();
        sound.then(|| Segment {
            material,
            length,
            direction: if length > 0.0 { way * (1.0 / length) } else { Vec3::zeros() },
            slope: way * (1.0 / material),
            taut: length > material,
            loose: false,
        })
    }

    /// The same, cut.
    pub fn cut(self) -> Self {
        Segment { slope: Vec3::zeros(), taut: false, loose: true, ..self }
    }

    /// |F| - 1.
    pub fn strain(&self) -> Real {
        self.length / self.material - 1.0
    }

    /// The strain under load: a strand cannot push.
    fn bearing(&self) -> Real {
        if self.taut { self.strain() } else { 0.0 }
    }

    /// The tension.
    pub fn tension(&self, fibre: &Fibre) -> Real {
        fibre.stiffness * self.bearing()
    }

    /// EA Ds (|F| - 1)^2 / 2 while taut.
    pub fn energy(&self, fibre: &Fibre) -> Real {
        let strain = self.bearing();
        0.5 * fibre.stiffness * self.material * strain * strain
    }

    /// The force of the energy: EA (|F| - 1) along the strand on positions, EA (|F|^2 - 1) / 2 on material coordinates.
    pub fn force(&self, fibre: &Fibre) -> SegmentVector {
        let pull = self.direction * self.tension(fibre);
        let grown = 1.0 + self.bearing();
        let push = 0.5 * fibre.stiffness * (grown * grown - 1.0);
        vector([pull, -pull], [-push, push])
    }

    /// The strain rate with these velocities.
    pub fn strain_rate(&self, speed: &Pair) -> Real {
        self.stretching().dot(&vector(speed.x, speed.s)) / self.material
    }

    /// The derivative of l - |F| Ds by the unknowns, |F| fixed: the strain rate is this times the velocities, divided
    /// by Ds.
    fn stretching(&self) -> SegmentVector {
        let grown = 1.0 + self.strain();
        vector([-self.direction, self.direction], [grown, -grown])
    }

    /// The energy's second derivatives. (l - Ds)^2 / Ds is convex in (l, Ds), so they are positive semidefinite:
    ///   EA / Ds w w^T + T / l (I - t t^T) [1 -1; -1 1],   w = dl - |F| dDs.
    pub fn stiffness(&self, fibre: &Fibre) -> Form {
        if !self.taut {
            return Form::default();
        }
        // A piece about to be taut, or slack, does not turn its ends.
        let turning = self.turning(self.tension(fibre).max(0.0));
        self.square_of_stretching() * (fibre.stiffness / self.material) + turning
    }

    /// w w^T.
    fn square_of_stretching(&self) -> Form {
        let grown = 1.0 + self.strain();
        Form::square([-1.0, 1.0], [grown, -grown])
    }

    /// The resistance of a tension to rotation: T / l (I - t t^T) [1 -1; -1 1].
    pub fn turning(&self, tension: Real) -> Form {
        let part = if self.length > 0.0 { tension / self.length } else { 0.0 };
        Form { across: ends(part, -part), ..Form::default() }
    }

    /// The damping matrix of viscosity along the strand while it is taut.
    pub fn damping(&self, fibre: &Fibre) -> Form {
        if !(self.taut && fibre.axial_damping > 0.0) {
            return Form::default();
        }
        self.square_of_stretching() * (fibre.axial_damping * fibre.stiffness / self.material)
    }

    /// The viscous force at a strain rate while it is taut.
    pub fn resisting(&self, fibre: &Fibre, rate: Real) -> SegmentVector {
        self.stretching() * (-fibre.axial_damping * fibre.stiffness * rate)
    }

    /// The same for the surroundings of the strand: transverse motion is damped, of the ends for which `loose` says
    /// that nothing carries them. Material coordinates are not affected.
    pub fn lateral(&self, fibre: &Fibre, loose: [bool; 2]) -> Form {
        let sixth = fibre.lateral_damping * fibre.line_density * self.material / 6.0;
        let felt =
            |i: usize, k: usize| if loose[i] && loose[k] { sixth * ends(2.0, 1.0)[(i, k)] } else { 0.0 };
        Form { across: Ends::from_fn(felt), ..Form::default() }
    }

    /// The inertia: rho Ds / 6 [2 1; 1 2] (x) [I, -F; -F^T, F^T F]. Without `axial` only positions have any.
    pub fn inertia(&self, fibre: &Fibre, axial: bool) -> Form {
        let sixth = fibre.line_density * self.material / 6.0;
        let weights = if self.loose { ends(3.0 * sixth, 0.0) } else { ends(2.0 * sixth, sixth) };
        let slope = if axial && !self.loose { self.length / self.material } else { 0.0 };
        Form { across: weights, along: weights, mixed: weights * -slope, flow: weights * (slope * slope) }
    }

    /// The force of a flow through a rotating or stretching piece: the integral of rho J^T 2 Fdot sdot.
    pub fn coriolis(&self, fibre: &Fibre, speed: &Pair, axial: bool) -> SegmentVector {
        if self.loose {
            return SegmentVector::zeros();
        }
        let turning = (speed.x[1] - speed.x[0] - self.slope * (speed.s[1] - speed.s[0])) / self.material;
        let third = fibre.line_density * self.material / 3.0;
        let force =
            [2.0 * speed.s[0] + speed.s[1], speed.s[0] + 2.0 * speed.s[1]].map(|s| turning * (s * third));
        let along = if axial { force.map(|f| -self.slope.dot(&f)) } else { [0.0; 2] };
        vector(force, along)
    }

    /// The force of gravity, or of any acceleration: half the mass at each node, and on the material by how far it
    /// sinks as it flows.
    pub fn weight(&self, fibre: &Fibre, gravity: &Vec3) -> SegmentVector {
        let half = gravity * (0.5 * fibre.line_density * self.material);
        let along = -self.slope.dot(&half);
        vector([half, half], [along, along])
    }

    /// The kinetic energy, v^T inertia v / 2, with or without the axial part.
    pub fn kinetic(&self, fibre: &Fibre, speed: &Pair, axial: bool) -> Real {
        let v = vector(speed.x, speed.s);
        0.5 * v.dot(&self.inertia(fibre, axial).times(&self.direction, &v))
    }
}

#[cfg(test)]
mod tests {
    use super::form::SegmentMatrix;
    use super::*;
    use proptest::prelude::*;

    const FIBRE: Fibre =
        Fibre { stiffness: 130.0, line_density: 0.7, axial_damping: 1e-3, lateral_damping: 2.0 };

    /// A form written out in full.
    fn dense(segment: &Segment, form: Form) -> SegmentMatrix {
        let column = |k: usize| form.times(&segment.direction, &SegmentVector::ith(k, 1.0));
        SegmentMatrix::from_columns(&[0, 1, 2, 3, 4, 5, 6, 7].map(column))
    }

    fn pair(n: &[Real]) -> Pair {
        Pair {
            x: [Vec3::new(n[0], n[1], n[2]), Vec3::new(n[3] + 1.0, n[4], n[5])],
            s: [0.3 + 0.2 * n[6], 1.1 + 0.2 * n[7]],
        }
    }

    fn moved(pair: &Pair, by: &SegmentVector, time: Real) -> Pair {
        let x = |k: usize| pair.x[k] + Vec3::new(by[3 * k], by[3 * k + 1], by[3 * k + 2]) * time;
        Pair { x: [x(0), x(1)], s: [pair.s[0] + by[6] * time, pair.s[1] + by[7] * time] }
    }

    fn place(pair: &Pair, s: Real) -> Vec3 {
        let a = (s - pair.s[0]) / (pair.s[1] - pair.s[0]);
        pair.x[0] * (1.0 - a) + pair.x[1] * a
    }

    /// The integral over the material by Gauss's rule with three points, exact here.
    fn over_material(pair: &Pair, value: impl Fn(Real, Real) -> SegmentVector) -> SegmentVector {
        let length = pair.s[1] - pair.s[0];
        let points =
            [(0.5 - 0.15_f64.sqrt(), 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.5 + 0.15_f64.sqrt(), 5.0 / 18.0)];
        points.iter().map(|&(a, weight)| value(a, pair.s[0] + a * length) * (weight * length)).sum()
    }

    /// J^T f for the material at a.
    fn lifted(segment: &Segment, a: Real, force: &Vec3) -> SegmentVector {
        let (f0, f1) = (force * (1.0 - a), force * a);
        vector([f0, f1], [-segment.slope.dot(&f0), -segment.slope.dot(&f1)])
    }

    proptest! {
        #[test]
        fn the_force_is_the_energys_slope_and_the_stiffness_that_of_the_force(
            n in prop::collection::vec(-0.4..0.4f64, 8),
        ) {
            let pair = pair(&n);
            let segment = Segment::new(&pair).unwrap();
            prop_assume!(segment.strain().abs() > 1e-3);
            let (force, stiffness) = (segment.force(&FIBRE), dense(&segment, segment.stiffness(&FIBRE)));
            for k in 0..8 {
                let unit = SegmentVector::ith(k, 1.0);
                let at = |h: Real| Segment::new(&moved(&pair, &unit, h)).unwrap();
                let slope = (at(1e-6).energy(&FIBRE) - at(-1e-6).energy(&FIBRE)) / 2e-6;
                prop_assert!((slope + force[k]).abs() < 1e-5 * FIBRE.stiffness, "{k} {slope} {}", force[k]);
                let change = (at(1e-6).force(&FIBRE) - at(-1e-6).force(&FIBRE)) / 2e-6;
                let off = (change + stiffness.column(k)).norm();
                prop_assert!(off < 1e-5 * FIBRE.stiffness, "{k} {change} {}", stiffness.column(k));
            }
            prop_assert!(stiffness.symmetric_eigenvalues().min() > -1e-9 * FIBRE.stiffness);
            let damping = dense(&segment, segment.damping(&FIBRE) + segment.lateral(&FIBRE, [true; 2]));
            prop_assert!(damping.symmetric_eigenvalues().min() > -1e-9 * FIBRE.stiffness);
        }

        #[test]
        fn inertia_flow_and_weight_are_those_of_the_material(
            n in prop::collection::vec(-0.4..0.4f64, 8), v in prop::collection::vec(-1.0..1.0f64, 8),
        ) {
            let pair = pair(&n);
            let (segment, speed) = (Segment::new(&pair).unwrap(), SegmentVector::from_column_slice(&v));
            let rate = moved(&Pair::default(), &speed, 1.0);
            let rho = FIBRE.line_density;
            // The motion of a piece of material while the nodes keep their speeds, by finite differences.
            let h = 1e-4;
            let at = |s: Real, time: Real| place(&moved(&pair, &speed, time), s);
            let momentum = over_material(&pair, |a, s| {
                lifted(&segment, a, &((at(s, h) - at(s, -h)) * (0.5 * rho / h)))
            });
            let inertia = segment.inertia(&FIBRE, true);
            prop_assert!((inertia.times(&segment.direction, &speed) - momentum).norm() < 1e-6);
            prop_assert!((segment.kinetic(&FIBRE, &rate, true) - 0.5 * speed.dot(&momentum)).abs() < 1e-6);
            let curving = over_material(&pair, |a, s| {
                lifted(&segment, a, &((at(s, h) - at(s, 0.0) * 2.0 + at(s, -h)) * (-rho / (h * h))))
            });
            let coriolis = segment.coriolis(&FIBRE, &rate, true);
            prop_assert!((coriolis - curving).norm() < 1e-4, "{coriolis} {curving}");
            let gravity = Vec3::new(0.3, -9.8, 1.0);
            let weight = over_material(&pair, |a, _| lifted(&segment, a, &(gravity * rho)));
            prop_assert!((segment.weight(&FIBRE, &gravity) - weight).norm() < 1e-12);
        }
    }

    #[test]
    fn slack_strands_do_nothing_and_empty_ones_are_none() {
        let slack = Pair { x: [Vec3::zeros(), Vec3::x()], s: [0.0, 1.5] };
        let segment = Segment::new(&slack).unwrap();
        assert_eq!((segment.energy(&FIBRE), segment.tension(&FIBRE)), (0.0, 0.0));
        assert_eq!(segment.force(&FIBRE), SegmentVector::zeros());
        assert_eq!(segment.stiffness(&FIBRE), Form::default());
        for s in [[1.0, 1.0], [1.0, 0.5], [0.0, Real::NAN]] {
            assert!(Segment::new(&Pair { s, ..slack }).is_none());
        }
        // Coinciding nodes are slack.
        let none = Segment::new(&Pair { x: [Vec3::x(); 2], s: [0.0, 1.0] }).unwrap();
        assert!(
            none.force(&FIBRE)
                .iter()
                .chain(dense(&none, none.lateral(&FIBRE, [true; 2])).iter())
                .all(|v| v.is_finite())
        );
    }

    #[test]
    fn two_segments_balance_when_their_stretches_are_equal() {
        let push = |length: Real, material: Real| {
            let pair = Pair { x: [Vec3::zeros(), Vec3::x() * length], s: [0.0, material] };
            Segment::new(&pair).unwrap().force(&FIBRE)
        };
        let (left, right) = (push(1.1, 1.0), push(0.33, 0.3));
        assert!((left[7] + right[6]).abs() < 1e-12 && (left[3] + right[0]).abs() < 1e-12);
    }
}
