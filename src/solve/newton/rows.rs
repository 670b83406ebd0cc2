//! Steps that obey rows: linear constraints, which the way to the minimum must come to meet, and others that count for one
//! step, such as motions that nothing asks for.
//!
//! With the second derivatives K, which are factored, rows C, their wanted values r and Y = K^-1 C^T, the step s becomes
//! s + Y m with C Y m = r - C s: the lowest place of the quadratic model among the steps that obey the rows. That is the
//! KKT system
//!   (K C^T; C 0) (s, -m) = (-g, r)
//! solved by its Schur complement C Y, which is dense and is factored row by row: K keeps its sparse pattern.

use super::secants::dot;
use super::{Newton, Potential};
use crate::error::Result;
use crate::linalg::product::add_scaled;
use crate::math::Real;

/// A row whose pivot has lost all but this part to the rows before it says nothing new.
const NOTHING_NEW: Real = 1e-10;

/// A row that says nothing new contradicts those before it when they leave it unmet by more units than this.
const MET: Real = 1e-6;

/// One row c of a step.
#[derive(Clone, Default)]
struct RowOfStep {
    /// Unknowns and their factors; an unknown may come more than once.
    entries: Vec<(usize, Real)>,
    /// What c.s must be.
    wanted: Real,
    /// Whether it says something new; then the multiplier.
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
    /// How many the step has.
    count: usize,
    /// How many of those are constraints.
    constraints: usize,
    /// The columns of Y, one after the other.
    ways: Vec<Real>,
    /// The factor of C Y by rows, its lower triangle.
    factor: Vec<Real>,
    /// Which constraints do not contradict those before them.
    sound: Vec<bool>,
    /// How much a unit of violation counts in the search.
    force: Real,
    /// How far the constraints are from being met, summed.
    amiss: Real,
    /// A constraint that contradicts those before it.
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

    /// Whether there are constraints: they tie nodes together.
    pub(super) fn constrains(&self) -> bool {
        self.constraints > 0
    }

    /// Adds a row: `set` fills its unknowns and their factors into an empty list, and tells what their sum must be; there is
    /// none when it tells nothing. Every constraint there is comes before any other row.
    pub fn add(&mut self, set: impl FnOnce(&mut Vec<(usize, Real)>) -> Option<Real>) {
        let row = &mut self.all[self.count];
        row.entries.clear();
        if let Some(wanted) = set(&mut row.entries) {
            row.wanted = wanted;
            self.count += 1;
        }
    }

    /// Factors C Y and finds the multipliers for a step, halfway; what Y m makes the step's measure s.K s grow by, but
    /// for the gradient's part. A row that says nothing new keeps as its multiplier how far the rows before it leave it
    /// unmet.
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

    /// Adds Y m to a step, from the halfway multipliers; its product with the gradient.
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

    /// Finds which constraints can be met, and how far they are from that.
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

    /// What violations count after a way.
    pub(super) fn penalty<P: Potential>(&self, potential: &P, way: &[Real]) -> Real {
        let sound = (0..self.constraints).filter(|&r| self.sound[r]);
        self.force * sound.map(|r| potential.violation(r, way)).sum::<Real>()
    }

    /// What they count at the origin.
    pub(super) fn penalty_before(&self) -> Real {
        self.force * self.amiss
    }
}

impl Newton {
    /// Makes the step obey; by how much the value, with the force of the rows, then falls, instead of `fall`.
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
        // s.K s; without rows it is what the gradient gives, twice the fall.
        let mut work = 2.0 * fall;
        work += rows.find_multipliers(&self.step);
        rows.judge(unit);
        // The ways are K^-1 times the rows, and K times the first step is -gradient.
        work -= 2.0 * rows.add_ways(&mut self.step, &self.gradient);
        let rise = dot(&self.step, &self.gradient) + 0.5 * work;
        // Obeying may cost energy: the search must find it worth that (Nocedal, Wright, "Numerical optimization", 2006,
        // eq. 18.36).
        if rows.amiss > 0.0 {
            rows.force = rows.force.max(2.0 * rise / rows.amiss);
        }
        Ok(rows.force * rows.amiss - rise)
    }
}
