//! Warnings about frames of strands: each once, however long it lasts, and some only after many frames.

use super::strand_detail::{Measured, NamedGoal};
use super::strand_frame::{Stillness, used_up, warnings, wrapped};
use super::strand_rest::Restless;
use crate::math::Real;
use crate::strand::state::State;
use crate::strand::step::Report;
use std::collections::HashSet;

/// What was reported and observed so far.
#[derive(Clone, Default)]
pub struct Watch {
    /// The strands and nodes reported as held like a knot: one that bounces against it is reported once.
    knots: HashSet<(usize, usize)>,
    /// The joints reported as turned past 180 degrees.
    wrapped: HashSet<usize>,
    restless: Restless,
    /// What `axial="still"` left out, over all frames.
    stillness: Stillness,
    /// Whether that was reported.
    told_still: bool,
}

impl Watch {
    /// The warnings of a frame of that many seconds, with the goals at its end.
    pub fn note(
        &mut self,
        measured: &Measured,
        state: &State,
        report: &Report,
        goals: &[NamedGoal],
        seconds: Real,
    ) -> Vec<String> {
        let model = measured.model;
        let mut all = warnings(model, measured.rules, report);
        let new = report.used_up.iter().filter(|piece| self.knots.insert((piece.strand, piece.node)));
        all.extend(new.map(|piece| used_up(model, piece)));
        let new = report.wrapped.iter().filter(|turned| self.wrapped.insert(turned.joint));
        all.extend(new.map(|turned| wrapped(model, turned)));
        all.extend(self.restless.note(measured, state, goals, seconds));
        all
    }

    /// Accumulates the kinetic energy that `axial="still"` left out in a frame, and the whole; returns a warning, once, when
    /// it is noticeable.
    pub fn note_stillness(&mut self, left_out: [Real; 2]) -> Option<String> {
        self.stillness.add(left_out);
        let told = self.too_still().filter(|_| !self.told_still);
        self.told_still |= told.is_some();
        told
    }

    /// The warning about it over all frames so far.
    pub fn too_still(&self) -> Option<String> {
        self.stillness.too_still()
    }
}
