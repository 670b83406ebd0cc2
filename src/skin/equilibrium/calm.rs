//! Skin that goes to and fro. At a crease of the surface at rest a vertex is pushed back from either side, and whole steps
//! take it across again and again: each time it turns round it goes half as far, and so comes to rest on the crease. Where
//! all but a few vertices are at rest, those few may not keep them waiting: they stop where they are.

use super::Scratch;
use crate::math::{Real, Vec3};
use crate::skin::model::Model;

/// The first steps of a solve turn where they must.
const FIRST: usize = 2;
/// After so many, one vertex of so many is few; and later on, more are.
const PATIENCE: [usize; 2] = [6, 12];
const FEW: [usize; 2] = [200, 50];

/// What is known of the vertices that go to and fro.
pub(super) struct Calm {
    /// The step before.
    before: Vec<Vec3>,
    /// The share of its steps that each vertex goes.
    shares: Vec<Real>,
    /// Which of them have to stop.
    stopped: Vec<bool>,
    /// The last step that was looked at; a chord that does not serve is followed by another step of the same number.
    last: Option<usize>,
}

impl Calm {
    pub fn new(vertices: usize) -> Self {
        let (before, shares) = (vec![Vec3::zeros(); vertices], vec![1.0; vertices]);
        Calm { before, shares, stopped: vec![false; vertices], last: None }
    }

    /// At the start of a solve.
    pub fn begin(&mut self) {
        self.before.fill(Vec3::zeros());
        self.shares.fill(1.0);
        self.stopped.fill(false);
        self.last = None;
    }

    /// The vertices that had to stop.
    pub fn stopped(&self) -> usize {
        self.stopped.iter().filter(|stopped| **stopped).count()
    }
}

impl Scratch {
    /// Shortens the step, which is the `count`-th, where the skin goes to and fro, and where few are not at rest: their step
    /// is longer than `settled`.
    pub(super) fn calm(&mut self, model: &Model, count: usize, settled: Real) {
        let few = |k: usize| (model.len() / FEW[k]).max(2);
        let few = if count < PATIENCE[1] { few(0) } else { few(1) };
        let anew = self.calm.last.replace(count) != Some(count);
        let restless = |v: &usize| self.length_of_step(model, *v) > settled;
        let stops = count >= PATIENCE[0] && (0..model.len()).filter(restless).take(few + 1).count() <= few;
        for v in 0..model.len() {
            let unknowns = model.unknowns_of(v);
            let step = self.stands[v].moved(&self.step[unknowns.clone()]);
            let (before, share) = (&mut self.calm.before[v], &mut self.calm.shares[v]);
            let turns = step.dot(before) < 0.0 && step.norm_squared() > 0.5 * before.norm_squared();
            let stops = stops && step.norm() > settled;
            self.calm.stopped[v] |= stops;
            if anew && count >= FIRST && (turns || stops) {
                *share *= 0.5;
            }
            *before = step;
            self.step[unknowns].iter_mut().for_each(|step| *step *= *share);
        }
    }
}
