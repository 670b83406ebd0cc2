//! Oscillating skin. At a crease of the surface at rest a vertex is pushed back from either side, and full steps take
//! it across again and again. Each time it reverses, its step is halved, so it comes to rest on the crease. Once all
//! but a few vertices are at rest, those that make no progress must not keep the others waiting: they stop where they
//! are.

use super::Stages;
use crate::model::Model;
use crate::thresholds::Thresholds;
use sinew_math::{Real, Vec3};

/// The record of oscillating vertices.
#[derive(Default)]
pub(super) struct Calm {
    /// The previous step.
    before: Vec<Vec3>,
    /// The fraction of its steps that each vertex takes.
    shares: Vec<Real>,
    /// Which of them oscillate, which move farther than they should without slowing down, and which had to stop.
    turning: Vec<bool>,
    restless: Vec<bool>,
    stopped: Vec<bool>,
    /// In how many steps they would have flipped a triangle, and the last of those.
    refused: Vec<u8>,
    refused_in: Vec<Option<usize>>,
    /// Whether most of the skin is at rest.
    quiet: bool,
    /// Which are held for the rest of the solve.
    blocked: Vec<bool>,
    /// The last step examined; a chord that fails is followed by another step with the same number.
    last: Option<usize>,
}

impl Calm {
    pub fn new(vertices: usize) -> Self {
        let none = || vec![false; vertices];
        Calm {
            before: vec![Vec3::zeros(); vertices],
            shares: vec![1.0; vertices],
            turning: none(),
            restless: none(),
            stopped: none(),
            quiet: false,
            refused: vec![0; vertices],
            refused_in: vec![None; vertices],
            blocked: none(),
            last: None,
        }
    }

    /// At the start of a solve.
    pub fn begin(&mut self) {
        self.before.fill(Vec3::zeros());
        self.shares.fill(1.0);
        self.stopped.fill(false);
        self.quiet = false;
        self.refused.fill(0);
        self.refused_in.fill(None);
        self.blocked.fill(false);
        self.last = None;
    }

    /// From now on a vertex moves half as far.
    pub fn stop(&mut self, vertex: usize) {
        self.shares[vertex] *= 0.5;
        self.stopped[vertex] = true;
    }

    /// A triangle would flip if the vertex took its full step: after some such steps it is held.
    pub fn block(&mut self, vertex: usize, thresholds: &Thresholds) {
        let anew = self.refused_in[vertex] != self.last;
        self.refused_in[vertex] = self.last;
        self.refused[vertex] = self.refused[vertex].saturating_add(u8::from(anew));
        let late = self.last.is_some_and(|last| last >= thresholds.late);
        if late || (self.quiet && usize::from(self.refused[vertex]) >= thresholds.most_refused) {
            self.blocked[vertex] = true;
            self.stopped[vertex] = true;
        }
    }

    /// Whether a vertex is held.
    pub fn is_blocked(&self, vertex: usize) -> bool {
        self.blocked[vertex]
    }

    /// The vertices that were held.
    pub fn stopped(&self) -> usize {
        self.stopped.iter().filter(|stopped| **stopped).count()
    }
}

impl Stages {
    /// Shortens the `count`-th step where the skin oscillates, and where only a few vertices are not at rest: their
    /// step is longer than `settled`. Chords may oscillate while they converge.
    pub(super) fn calm(
        &mut self,
        model: &Model,
        step: &mut [Real],
        count: usize,
        chord: bool,
        settled: Real,
    ) {
        let mut calm = std::mem::take(&mut self.calm);
        let anew = calm.last.replace(count) != Some(count);
        let thresholds = &model.thresholds;
        let one_in = |many: usize| model.len() / many;
        let (mut restless, mut turning) = (0, 0);
        for v in 0..model.len() {
            let step = self.stands[v].moved(&step[model.unknowns_of(v)]);
            let turns = step.dot(&calm.before[v]) < 0.0;
            let no_shorter = step.norm_squared() > 0.5 * calm.before[v].norm_squared();
            let visible = step.norm() > settled;
            calm.turning[v] = visible && turns && no_shorter;
            calm.restless[v] = visible && no_shorter;
            (restless, turning) = (restless + usize::from(visible), turning + usize::from(calm.turning[v]));
            calm.before[v] = step;
        }
        calm.quiet = restless <= one_in(thresholds.quiet);
        let turns = !chord && count >= thresholds.first_turns && turning <= one_in(thresholds.most_turning);
        let few = if count >= thresholds.long_patience { thresholds.few_later } else { thresholds.few };
        let stops = count >= thresholds.patience && restless <= one_in(few).max(2);
        for v in 0..model.len() {
            if anew && stops && calm.restless[v] {
                calm.stop(v);
            } else if anew && turns && calm.turning[v] {
                calm.shares[v] *= 0.5;
            }
            step[model.unknowns_of(v)].iter_mut().for_each(|step| *step *= calm.shares[v]);
        }
        self.calm = calm;
    }
}
