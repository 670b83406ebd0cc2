//! Steps that obey rows: the constraints G v = g of the model, and the turns of free pieces that nobody asked for.
//!
//! With the second derivatives K, which are factored, a row c, its wanted value r and y = K^-1 c, the step s becomes
//! s + y (r - c.s) / (c.y): the lowest place of the quadratic model among the steps that obey the row. The y of a row is
//! first freed of what it does to the rows before it, so that they stay obeyed. That is the KKT system
//!   (K C^T; C 0) (s, -lambda) = (-g, r)
//! solved by its Schur complement C K^-1 C^T, which is factored row by row: K keeps its sparse pattern.

use super::Scratch;
use super::secants::dot;
use crate::error::Result;
use crate::geometry::SurfacePoint;
use crate::linalg::product::add_scaled;
use crate::math::{Real, Vec3};
use crate::skin::model::{Mode, Model};
use crate::skin::turns::{ASKED_FOR, Turn};

/// A row whose y has lost all but this part to the rows before it says nothing new.
const NOTHING_NEW: Real = 1e-10;

/// The rows of a step.
pub(super) struct Rows {
    /// For each row c and y, one after the other.
    all: Vec<[Vec<Real>; 2]>,
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
            all: vec![[vec![0.0; n], vec![0.0; n]]; count],
            targets: vec![0.0; model.rows().len()],
            sound: vec![true; model.rows().len()],
            force: 0.0,
            amiss: 0.0,
            unmet: None,
        }
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
        if model.rows().is_empty() && turns.is_empty() {
            return Ok(fall);
        }
        let mut rows = std::mem::take(&mut self.rows.all);
        let (mut count, mut amiss) = (0, 0.0);
        // s.K s; without rows it is what the gradient gives, twice the fall.
        let mut work = 2.0 * fall;
        self.rows.unmet = None;
        for r in 0..model.rows().len() {
            let wanted = self.row(model, r, &mut rows[count][0]);
            if let Some(more) = self.obey(&mut rows[..=count], wanted)? {
                (work, count) = (work + more, count + 1);
                self.rows.sound[r] = true;
            } else {
                let left = wanted - dot(&rows[count][0], &self.step);
                self.rows.sound[r] = left.abs() <= 1e-6 * model.rest.mean_edge();
            }
            if self.rows.sound[r] {
                amiss += wanted.abs();
            } else {
                self.rows.unmet = self.rows.unmet.or(Some(r));
            }
        }
        for turn in turns {
            if self.turn_row(model, turn, &mut rows[count][0], energy)
                && let Some(more) = self.obey(&mut rows[..=count], 0.0)?
            {
                (work, count) = (work + more, count + 1);
            }
        }
        self.rows.all = rows;
        self.rows.amiss = amiss;
        let rise = dot(&self.step, &self.gradient) + 0.5 * work;
        // Obeying may cost energy: the search must find it worth that (Nocedal, Wright, "Numerical optimization", 2006,
        // eq. 18.36).
        if amiss > 0.0 {
            self.rows.force = self.rows.force.max(2.0 * rise / amiss);
        }
        Ok(self.rows.force * amiss - rise)
    }

    /// Makes the step obey the last of `rows` and leaves the others as they are. By how much s.K s grows; `None` when the row
    /// says nothing new.
    fn obey(&mut self, rows: &mut [[Vec<Real>; 2]], wanted: Real) -> Result<Option<Real>> {
        let Some(([row, way], before)) = rows.split_last_mut() else { return Ok(None) };
        way.copy_from_slice(row);
        self.secants.solve(&mut self.solver, way)?;
        let alone = dot(row, way);
        for [c, y] in before.iter() {
            let share = dot(c, way) / dot(c, y);
            add_scaled(way, -share, y);
        }
        let left = dot(row, way);
        if left.is_nan() || left <= NOTHING_NEW * alone {
            return Ok(None);
        }
        let missing = (wanted - dot(row, &self.step)) / left;
        add_scaled(&mut self.step, missing, way);
        // The ways are at right angles to each other in the measure of K, and K times the first step is -gradient.
        Ok(Some(missing * (missing * left - 2.0 * dot(&self.gradient, way))))
    }

    /// A row of the model over the unknowns; what the step along it must be.
    fn row(&self, model: &Model, r: usize, row: &mut [Real]) -> Real {
        row.fill(0.0);
        let mut sum = 0.0;
        for (v, factor) in &model.rows()[r].terms {
            let v = *v as usize;
            let stand = &self.stands[v];
            sum += factor.dot(&stand.place);
            row[model.unknowns_of(v)]
                .iter_mut()
                .zip(&stand.space)
                .for_each(|(c, along)| *c += factor.dot(along));
        }
        self.rows.targets[r] - sum
    }

    /// What disobeying counts at the trial skin, in J.
    pub(super) fn disobedience(&self, model: &Model) -> Real {
        let place = |v: u32| self.trial_stands[v as usize].place;
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
    fn turn_row(&self, model: &Model, turn: &Turn, row: &mut [Real], energy: Real) -> bool {
        let (mut force, mut fastest): (Real, Real) = (0.0, 0.0);
        row.fill(0.0);
        for v in (0..model.len()).filter(|&v| model.piece_of(v) == turn.piece) {
            let (stand, unknowns) = (&self.stands[v], model.unknowns_of(v));
            let motion = stand.components(&turn.at(&stand.place));
            let velocity: Vec3 = stand.moved(motion.as_slice());
            force +=
                self.gradient[unknowns.clone()].iter().zip(motion.iter()).map(|(g, m)| g * m).sum::<Real>();
            fastest = fastest.max(velocity.norm());
            row[unknowns].iter_mut().zip(&stand.space).for_each(|(r, along)| *r = along.dot(&velocity));
        }
        fastest > 0.0 && force.abs() * model.rest.mean_edge() <= ASKED_FOR * energy * fastest
    }
}
