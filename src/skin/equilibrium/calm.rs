//! Oscillating skin. At a crease of the surface at rest a vertex is pushed back from either side, and full steps take
//! it across again and again. Each time it reverses, its step is halved, so it comes to rest on the crease. Once all
//! but a few vertices are at rest, those that make no progress must not keep the others waiting: they stop where they
//! are. where they are.

use super::Stages;
use crate::math::{Real, Vec3};
use crate::skin::model::Model;

/// The first steps of a solve turn where they must.
const FIRST: usize = 2;
/// After so many, one vertex of so many is few; and later on, more are.
const PATIENCE: [usize; 2] = [4, 8];
const FEW: [usize; 2] = [200, 50];
/// A vertex that would turn a triangle over in so many steps stays when at most one vertex of so many is not at rest;
/// after many steps any such vertex stays.
const MOST_REFUSED: u8 = 3;
const QUIET: usize = 10;
const LATE: usize = 6;
/// Where more than one of so many turn, it is the skin as a whole that does, and the search will see.
const MOST_TURNING: usize = 10;

/// What is known of the vertices that go to and fro.
#[derive(Default)]
pub(super) struct Calm {
    /// The step before.
    before: Vec<Vec3>,
    /// The share of its steps that each vertex goes.
    shares: Vec<Real>,
    /// Which of them go to and fro, which go farther than they should and no less far than before, and which had to
    /// stop.
    turning: Vec<bool>,
    restless: Vec<bool>,
    stopped: Vec<bool>,
    /// In how many steps they would have turned a triangle over, and the last of those.
    refused: Vec<u8>,
    refused_in: Vec<Option<usize>>,
    /// Which are held for the rest of the solve.
    quiet: bool,
    /// The last step examined; a chord that fails is followed by another step with the same number.
    blocked: Vec<bool>,
    /// The last step that was looked at; a chord that does not serve is followed by another step of the same number.
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

    /// From now on a vertex goes half as far.
    pub fn stop(&mut self, vertex: usize) {
        self.shares[vertex] *= 0.5;
        self.stopped[vertex] = true;
    }

    /// A triangle would be turned over if the vertex went as far as it should: after some such steps it stays.
    pub fn block(&mut self, vertex: usize) {
        let anew = self.refused_in[vertex] != self.last;
        self.refused_in[vertex] = self.last;
        self.refused[vertex] = self.refused[vertex].saturating_add(u8::from(anew));
        let late = self.last.is_some_and(|last| last >= LATE);
        if late || (self.quiet && self.refused[vertex] >= MOST_REFUSED) {
            self.blocked[vertex] = true;
            self.stopped[vertex] = true;
        }
    }

    /// Whether a vertex stays.
    pub fn is_blocked(&self, vertex: usize) -> bool {
        self.blocked[vertex]
    }

    /// The vertices that had to stop.
    pub fn stopped(&self) -> usize {
        self.stopped.iter().filter(|stopped| **stopped).count()
    }
}

impl Stages {
    /// Shortens the step, which is the `count`-th, where the skin goes to and fro, and where few are not at rest: their
    /// step is longer than `settled`. Chords may well go to and fro as they come nearer.
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
        let few = |k: usize| (model.len() / FEW[k]).max(2);
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
        calm.quiet = restless <= model.len() / QUIET;
        let turns = !chord && count >= FIRST && turning <= model.len() / MOST_TURNING;
        let stops = count >= PATIENCE[0] && restless <= few(usize::from(count >= PATIENCE[1]));
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
