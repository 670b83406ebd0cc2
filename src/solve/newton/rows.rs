//! Steps under rows: linear constraints, which the minimum must satisfy in the end, and conditions on a single step,
//! such as suppressing motions that nothing drives.
//!
//! With the factored second derivatives K, rows C, their wanted values r and Y = K^-1 C^T, the step s becomes
//! s + Y m with C Y m = r - C s: the minimum of the quadratic model among the steps that satisfy the rows. That is the
//! KKT system
//!   (K C^T; C 0) (s, -m) = (-g, r)
//! solved by its Schur complement C Y, which is dense and is factored row by row: K keeps its sparse pattern.

use super::secants::dot;
use super::{Newton, Potential};
use sinew_base::error::Result;
use sinew_linalg::product::add_scaled;
use sinew_math::Real;

/// A row whose pivot loses all but this fraction to the rows before it is redundant.
const NOTHING_NEW: Real = 1e-10;

/// A redundant row contradicts those before it if they leave it violated by more units than this.
const MET: Real = 1e-6;

/// One row c of a step.
#[derive(Clone, Default)]
struct RowOfStep {
    /// Unknowns and their factors; an unknown may occur more than once.
    entries: Vec<(usize, Real)>,
    /// The required value of c.s.
    wanted: Real,
    /// Whether it is independent of the others; then the multiplier.
    sound: bool,
    multiplier: Real,
}

impl RowOfStep {
    fn dot(&self, x: &[Real]) -> Real {
        self.entries.iter().map(|(k, factor)| factor * x[*k]).sum()
    }
}

/// The rows of a step.
pub struct Rows {
    all: Vec<RowOfStep>,
    /// The number of rows of the step.
    count: usize,
    /// How many of those are constraints.
    constraints: usize,
    /// The columns of Y, one after the other.
    ways: Vec<Real>,
    /// The factor of C Y by rows, its lower triangle.
    factor: Vec<Real>,
    /// Which constraints do not contradict earlier ones.
    sound: Vec<bool>,
    /// The weight of a unit of violation in the line search.
    force: Real,
    /// The sum of the constraints' violations.
    amiss: Real,
    /// A constraint that contradicts earlier ones.
    pub(super) unmet: Option<usize>,
}

impl Rows {
    pub(super) fn new(unknowns: usize, [constraints, others]: [usize; 2]) -> Self {
        let count = constraints + others;
        Rows {
            all: vec![RowOfStep::default(); count],
            count: 0,
            constraints,
            ways: vec![0.0; unknowns * count],
            factor: vec![0.0; count * count],
            sound: vec![true; constraints],
            force: 0.0,
            amiss: 0.0,
            unmet: None,
        }
    }

    /// At the start of a search.
    pub(super) fn begin(&mut self) {
        self.force = 0.0;
    }

    /// Whether there are constraints: they couple nodes.
    pub(super) fn constrains(&self) -> bool {
        self.constraints > 0
    }

    /// Adds a row: `set` fills its unknowns and their factors into an empty list and returns the required sum, or none
    /// if there is no such row. All constraints come before any other row.
    pub fn add(&mut self, set: impl FnOnce(&mut Vec<(usize, Real)>) -> Option<Real>) {
        let row = &mut self.all[self.count];
        row.entries.clear();
        if let Some(wanted) = set(&mut row.entries) {
            row.wanted = wanted;
            self.count += 1;
        }
    }

    /// Factors C Y and finds the multipliers for a step, up to the back substitution; returns the increase of the
    /// step's measure s.K s due to Y m, without the gradient's part. The multiplier of a redundant row holds the
    /// violation that the rows before it leave.
    fn find_multipliers(&mut self, step: &[Real]) -> Real {
        let n = step.len();
        let (mut work, width) = (0.0, self.all.len());
        for r in 0..self.count {
            let (before, factor) = self.factor.split_at_mut(r * width);
            let row = &self.all[r];
            let mut left = row.wanted - row.dot(step);
            let alone = row.dot(&self.ways[r * n..(r + 1) * n]);
            let mut pivot = alone;
            for k in 0..r {
                let other = &self.all[k];
                factor[k] = 0.0;
                if other.sound {
                    let earlier = &before[k * width..];
                    let shared: Real = factor[..k].iter().zip(earlier).map(|(a, b)| a * b).sum();
                    factor[k] = (row.dot(&self.ways[k * n..(k + 1) * n]) - shared) / earlier[k];
                    pivot -= factor[k] * factor[k];
                    left -= factor[k] * other.multiplier;
                }
            }
            let row = &mut self.all[r];
            row.sound = pivot > NOTHING_NEW * alone;
            factor[r] = if row.sound { pivot.sqrt() } else { 1.0 };
            row.multiplier = left / factor[r];
            work += if row.sound { row.multiplier * row.multiplier } else { 0.0 };
        }
        work
    }

    /// Completes the multipliers and adds Y m to a step; returns its product with the gradient.
    fn add_ways(&mut self, step: &mut [Real], gradient: &[Real]) -> Real {
        let (n, width) = (step.len(), self.all.len());
        let mut along = 0.0;
        for r in (0..self.count).rev() {
            if !self.all[r].sound {
                continue;
            }
            let later = (r + 1..self.count).filter(|&k| self.all[k].sound);
            let known: Real = later.map(|k| self.factor[k * width + r] * self.all[k].multiplier).sum();
            let multiplier = (self.all[r].multiplier - known) / self.factor[r * width + r];
            self.all[r].multiplier = multiplier;
            let way = &self.ways[r * n..(r + 1) * n];
            along += multiplier * dot(gradient, way);
            add_scaled(step, multiplier, way);
        }
        along
    }

    /// Finds which constraints can be met, and how much they are violated.
    fn judge(&mut self, unit: Real) {
        (self.amiss, self.unmet) = (0.0, None);
        for (r, row) in self.all[..self.constraints].iter().enumerate() {
            self.sound[r] = row.sound || row.multiplier.abs() <= MET * unit;
            if self.sound[r] {
                self.amiss += row.wanted.abs();
            } else {
                self.unmet = self.unmet.or(Some(r));
            }
        }
    }

    /// The penalty on violations after a displacement.
    pub(super) fn penalty<P: Potential>(&self, potential: &P, way: &[Real]) -> Real {
        let sound = (0..self.constraints).filter(|&r| self.sound[r]);
        self.force * sound.map(|r| potential.violation(r, way)).sum::<Real>()
    }

    /// The penalty at the origin.
    pub(super) fn penalty_before(&self) -> Real {
        self.force * self.amiss
    }
}

impl Newton {
    /// Makes the step satisfy the rows; returns the decrease of the value, including the rows' forces, in place of
    /// `fall`.
    pub(super) fn constrain<P: Potential>(
        &mut self,
        potential: &mut P,
        unit: Real,
        fall: Real,
    ) -> Result<Real> {
        let rows = &mut self.rows;
        rows.count = 0;
        potential.rows(&self.gradient, rows);
        if rows.count == 0 {
            return Ok(fall);
        }
        let n = self.step.len();
        let ways = &mut rows.ways[..n * rows.count];
        ways.fill(0.0);
        for (row, way) in rows.all.iter().zip(ways.chunks_exact_mut(n.max(1))) {
            row.entries.iter().for_each(|(k, factor)| way[*k] += factor);
        }
        self.factor.solve(ways)?;
        // s.K s; without rows it follows from the gradient, twice the fall.
        let mut work = 2.0 * fall;
        work += rows.find_multipliers(&self.step);
        rows.judge(unit);
        // The displacements are K^-1 times the rows, and K times the first step is -gradient.
        work -= 2.0 * rows.add_ways(&mut self.step, &self.gradient);
        let rise = dot(&self.step, &self.gradient) + 0.5 * work;
        // Satisfying the rows may cost energy: the penalty must be large enough (Nocedal, Wright, "Numerical
        // optimization", 2006, eq. 18.36).
        if rows.amiss > 0.0 {
            rows.force = rows.force.max(2.0 * rise / rows.amiss);
        }
        Ok(rows.force * rows.amiss - rise)
    }
}
