//! The factor of the second derivatives, kept as long as it is useful.
//!
//! It is computed in single precision. That takes half the memory and less time, and a direction is all that is wanted
//! of it: gradients and values, which say where the minimum is, have double precision. Where single precision cannot
//! hold the second derivatives, or where the search gets no nearer with it, the factor has double precision as well.

use super::secants::Secants;
use super::{Potential, Work};
use sinew_base::error::{Kind, Result};
use sinew_linalg::assembly::Assembly;
use sinew_linalg::order::Order;
use sinew_linalg::spd::{SingleSolver, SpdSolver};
use sinew_math::Real;
use std::time::Instant;

/// The shift added to the diagonal if the second derivatives are numerically singular, as a fraction of its mean; the
/// factor by which it grows until they are not, and the limit at which that is given up.
const FIRST_SHIFT: Real = 1e-9;
const GROWTH: Real = 1e3;
const LARGEST_SHIFT: Real = 1.0;

/// Second derivatives and their factor.
pub struct Factor {
    assembly: Assembly,
    order: Order,
    single: SingleSolver,
    /// Made when it is first needed.
    double: Option<Box<SpdSolver>>,
    /// Whether the factor has double precision, and whether every one is to have it.
    is_double: bool,
    insists: bool,
    /// Whether the factor is valid.
    made: bool,
    /// How many were discarded.
    generation: u64,
    /// What the steps with it have revealed about it.
    secants: Secants,
}

impl Factor {
    pub(super) fn new(assembly: Assembly, order: &Order, rows: usize) -> Result<Self> {
        let single = SingleSolver::new(assembly.matrix(), order)?;
        let secants = Secants::new(single.len(), rows);
        Ok(Factor {
            assembly,
            order: order.clone(),
            single,
            double: None,
            is_double: false,
            insists: false,
            made: false,
            generation: 0,
            secants,
        })
    }

    /// Whether there is a valid factor.
    pub fn is_made(&self) -> bool {
        self.made
    }

    /// A number that identifies this factor among its predecessors.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Discards the factor.
    pub fn forget(&mut self) {
        self.made = false;
        self.generation += 1;
        self.secants.forget();
    }

    /// Forgets what steps have revealed about it.
    pub fn forget_secants(&mut self) {
        self.secants.forget();
    }

    /// The values of the second derivatives, in the order of their pattern.
    pub fn values(&self) -> &[Real] {
        self.assembly.matrix().data()
    }

    /// Factors given second derivatives from earlier; returns whether that was possible.
    pub fn restore(&mut self, values: &[Real]) -> bool {
        self.forget();
        self.insists = false;
        self.made = self.assembly.restore(values).is_ok() && self.compute().is_ok();
        self.made
    }

    /// Insists on double precision, or no longer; returns whether it did not.
    pub(super) fn insist(&mut self, insists: bool) -> bool {
        std::mem::replace(&mut self.insists, insists) != insists
    }

    /// Whether the factor would be another one if it were restored.
    pub fn is_special(&self) -> bool {
        self.made && self.insists && self.is_double
    }

    /// Factors the second derivatives as they are.
    fn compute(&mut self) -> Result<()> {
        let matrix = self.assembly.matrix();
        if !self.insists {
            match self.single.factor(matrix) {
                Err(error) if error.kind() == Kind::NoConvergence => {}
                found => {
                    self.is_double = false;
                    return found;
                }
            }
        }
        if self.double.is_none() {
            self.double = Some(Box::new(SpdSolver::new(matrix, &self.order)?));
        }
        self.is_double = true;
        self.double.as_mut().map_or(Ok(()), |double| double.factor(matrix))
    }

    /// Factors the second derivatives at the origin.
    pub(super) fn make<P: Potential>(&mut self, potential: &mut P, seconds: &mut [Real; 3]) -> Result<()> {
        self.forget();
        let mut shift = 0.0;
        loop {
            let clock = Instant::now();
            let more = if shift > 0.0 { shift * self.assembly.mean_diagonal() } else { 0.0 };
            potential.curvature(more, &mut self.assembly)?;
            seconds[Work::Derivatives as usize] += clock.elapsed().as_secs_f64();
            let clock = Instant::now();
            let factored = self.compute();
            seconds[Work::Solving as usize] += clock.elapsed().as_secs_f64();
            if factored.is_ok() || shift >= LARGEST_SHIFT {
                self.made = factored.is_ok();
                return factored;
            }
            shift = if shift == 0.0 { FIRST_SHIFT } else { shift * GROWTH };
        }
    }

    /// Learns from a step that changed the gradient.
    pub(super) fn learn(&mut self, step: &[Real], before: &[Real], after: &[Real]) {
        self.secants.learn(step, before, after);
    }

    /// Solves in place, for right-hand sides stored one after the other.
    pub(super) fn solve(&mut self, x: &mut [Real]) -> Result<()> {
        let Factor { single, double, secants, is_double, .. } = self;
        match double {
            Some(double) if *is_double => secants.solve(x, |x, sides| double.solve_many(x, sides)),
            _ => secants.solve(x, |x, sides| single.solve_many(x, sides)),
        }
    }
}
