//! Steps that obey rows: the constraints G v = g of the model, and the turns of free pieces that nobody asked for.
//!
//! With the second derivatives K, which are factored, rows C, their wanted values r and Y = K^-1 C^T, the step s becomes
//! s + Y m with C Y m = r - C s: the lowest place of the quadratic model among the steps that obey the rows. That is the
//! KKT system
//!   (K C^T; C 0) (s, -m) = (-g, r)
//! solved by its Schur complement C Y, which is dense and is factored row by row: K keeps its sparse pattern.

use super::Scratch;
use super::potential::place_after;
use super::secants::dot;
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::linalg::product::add_scaled;
use crate::math::{Real, Vec3};
use crate::skin::model::{Mode, Model};
use crate::skin::turns::{ASKED_FOR, Turn};

/// A row whose pivot has lost all but this part to the rows before it says nothing new.
const NOTHING_NEW: Real = 1e-10;

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
pub(super) struct Rows {
    all: Vec<RowOfStep>,
    /// The columns of Y, one after the other.
    ways: Vec<Real>,
    /// The factor of C Y by rows, its lower triangle.
    factor: Vec<Real>,
    /// What the places of the model's rows must sum up to.
    targets: Vec<Real>,
    /// Which of the model's rows do not contradict those before them.
    sound: Vec<bool>,
    /// How much a metre of disobedience counts in the search, in N.
    pub force: Real,
    /// How far the skin is from obeying, in metres, summed.
    amiss: Real,
    /// A row that contradicts those before it.
    pub unmet: Option<usize>,
}

impl Rows {
    pub fn new(model: &Model) -> Self {
        let (n, count) = (model.unknown_count(), model.rows().len() + model.turns().len());
        Rows {
            all: vec![RowOfStep::default(); count],
            ways: vec![0.0; n * count],
            factor: vec![0.0; count * count],
            targets: vec![0.0; model.rows().len()],
            sound: vec![true; model.rows().len()],
            force: 0.0,
            amiss: 0.0,
            unmet: None,
        }
    }

    /// The most rows that a step can have.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Factors C Y for the first `count` rows and finds their multipliers for a step; what Y m makes the step's measure s.K s
    /// grow by, but for the gradient's part. A row that says nothing new keeps as its multiplier how far the rows before it
    /// leave it unmet.
    fn find_multipliers(&mut self, count: usize, step: &[Real]) -> Real {
        let n = step.len();
        let (mut work, width) = (0.0, self.all.len());
        for r in 0..count {
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
    fn add_ways(&mut self, count: usize, step: &mut [Real], gradient: &[Real]) -> Real {
        let (n, width) = (step.len(), self.all.len());
        let mut along = 0.0;
        for r in (0..count).rev() {
            if !self.all[r].sound {
                continue;
            }
            let later = (r + 1..count).filter(|&k| self.all[k].sound);
            let known: Real = later.map(|k| self.factor[k * width + r] * self.all[k].multiplier).sum();
            let multiplier = (self.all[r].multiplier - known) / self.factor[r * width + r];
            self.all[r].multiplier = multiplier;
            let way = &self.ways[r * n..(r + 1) * n];
            along += multiplier * dot(gradient, way);
            add_scaled(step, multiplier, way);
        }
        along
    }
}

impl Scratch {
    /// Says what the model's rows ask of a step of `seconds` from a skin. Relative to the body the skin slides the other way
    /// than the points of skin that are at its vertices.
    pub fn aim(&mut self, model: &Model, before: &[SurfacePoint], seconds: Real) {
        for (target, row) in self.rows.targets.iter_mut().zip(model.rows()) {
            let place = |v: u32| model.rest.place(&before[v as usize]);
            *target = row.terms.iter().map(|(v, f)| f.dot(&place(*v))).sum::<Real>() - row.speed * seconds;
        }
    }

    /// Makes the step obey; by how much the potential, with the force of the rows, then falls, instead of `fall`.
    pub(super) fn constrain(&mut self, model: &Model, energy: Real, fall: Real) -> Result<Real> {
        let still = model.settings.mode == Mode::Quasistatic;
        let turns = if still { model.turns() } else { &[] };
        let mut rows = std::mem::take(&mut self.rows.all);
        let mut count = 0;
        for r in 0..model.rows().len() {
            self.row(model, r, &mut rows[count]);
            count += 1;
        }
        for turn in turns {
            count += usize::from(self.turn_row(model, turn, &mut rows[count], energy));
        }
        self.rows.all = rows;
        if count == 0 {
            return Ok(fall);
        }
        let n = self.step.len();
        let ways = &mut self.rows.ways[..n * count];
        ways.fill(0.0);
        for (row, way) in self.rows.all.iter().zip(ways.chunks_exact_mut(n.max(1))) {
            row.entries.iter().for_each(|(k, factor)| way[*k] += factor);
        }
        self.secants.solve(&mut self.solver, ways)?;
        // s.K s; without rows it is what the gradient gives, twice the fall.
        let mut work = 2.0 * fall;
        work += self.rows.find_multipliers(count, &self.step);
        self.judge_rows(model);
        // The ways are K^-1 times the rows, and K times the first step is -gradient.
        work -= 2.0 * self.rows.add_ways(count, &mut self.step, &self.gradient);
        let rise = dot(&self.step, &self.gradient) + 0.5 * work;
        // Obeying may cost energy: the search must find it worth that (Nocedal, Wright, "Numerical optimization", 2006,
        // eq. 18.36).
        if self.rows.amiss > 0.0 {
            self.rows.force = self.rows.force.max(2.0 * rise / self.rows.amiss);
        }
        Ok(self.rows.force * self.rows.amiss - rise)
    }

    /// Finds which of the model's rows can be met, and how far the skin is from that.
    fn judge_rows(&mut self, model: &Model) {
        (self.rows.amiss, self.rows.unmet) = (0.0, None);
        for (r, row) in self.rows.all[..model.rows().len()].iter().enumerate() {
            self.rows.sound[r] = row.sound || row.multiplier.abs() <= 1e-6 * model.rest.mean_edge();
            if self.rows.sound[r] {
                self.rows.amiss += row.wanted.abs();
            } else {
                self.rows.unmet = self.rows.unmet.or(Some(r));
            }
        }
    }

    /// A row of the model over the unknowns, and what the step along it must be.
    fn row(&self, model: &Model, r: usize, row: &mut RowOfStep) {
        row.entries.clear();
        let mut sum = 0.0;
        for (v, factor) in &model.rows()[r].terms {
            let v = *v as usize;
            let stand = &self.stands[v];
            sum += factor.dot(&stand.place);
            row.entries.extend(model.unknowns_of(v).zip(&stand.space).map(|(k, s)| (k, factor.dot(s))));
        }
        row.wanted = self.rows.targets[r] - sum;
    }

    /// What disobeying counts at the trial skin, in J.
    pub(super) fn disobedience(&self, model: &Model) -> Real {
        let place = |v: u32| place_after(model, &self.stands, v as usize, &self.trial_way);
        let sum = |r: usize| model.rows()[r].terms.iter().map(|(v, f)| f.dot(&place(*v))).sum::<Real>();
        let amiss = |r: usize| (self.rows.targets[r] - sum(r)).abs();
        let sound = (0..model.rows().len()).filter(|&r| self.rows.sound[r]);
        self.rows.force * sound.map(amiss).sum::<Real>()
    }

    /// What it counts at the skin of the last derivatives.
    pub(super) fn disobedience_before(&self) -> Real {
        self.rows.force * self.rows.amiss
    }

    /// How much of a turn is in a step, as a row; whether nobody asks for the turn.
    fn turn_row(&self, model: &Model, turn: &Turn, row: &mut RowOfStep, energy: Real) -> bool {
        let (mut force, mut fastest): (Real, Real) = (0.0, 0.0);
        row.entries.clear();
        row.wanted = 0.0;
        for v in (0..model.len()).filter(|&v| model.piece_of(v) == turn.piece) {
            let (stand, unknowns) = (&self.stands[v], model.unknowns_of(v));
            let motion = stand.components(&turn.at(&stand.place));
            let velocity: Vec3 = stand.moved(motion.as_slice());
            force +=
                self.gradient[unknowns.clone()].iter().zip(motion.iter()).map(|(g, m)| g * m).sum::<Real>();
            fastest = fastest.max(velocity.norm());
            row.entries.extend(unknowns.zip(&stand.space).map(|(k, along)| (k, along.dot(&velocity))));
        }
        fastest > 0.0 && force.abs() * model.rest.mean_edge() <= ASKED_FOR * energy * fastest
    }
}
