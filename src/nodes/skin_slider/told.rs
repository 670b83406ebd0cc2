//! The warnings of a frame.

use super::super::node::{Report, Warnings};
use super::super::time::History;
use super::Running;
use crate::math::Real;
use crate::skin::production;

/// Held vertices below this share of all are not noticeable.
const MOST_HELD: Real = 0.01;

impl Running {
    /// The original vertex of a vertex of the model.
    fn given_vertex(&self, vertex: usize) -> u32 {
        let full = self.proxy.as_ref().map_or(vertex as u32, |proxy| proxy.vertices[vertex]);
        self.given_vertices.get(full as usize).copied().unwrap_or(full)
    }

    /// Problems in solving for equilibrium.
    fn settling(&self, report: &production::Report) -> Option<String> {
        if let Some(unsettled) = report.unsettled {
            return Some(format!(
                "the skin did not settle: after {} iterations it may still be {:.2} mm from equilibrium, most at vertex {}",
                unsettled.iterations,
                1e3 * unsettled.distance,
                self.given_vertex(unsettled.vertex)
            ));
        }
        let few = MOST_HELD * self.model().len() as Real;
        (report.held as Real > few).then(|| {
            format!(
                "the skin is held at {} vertices in this frame, where it would fold or find no equilibrium",
                report.held
            )
        })
    }

    /// Where the skin snapped, or is still moving to its new resting position.
    fn snapping(&self, report: &production::Report) -> Option<String> {
        report.snap.map(|snap| {
            let (count, vertex, way) = (snap.vertices, self.given_vertex(snap.vertex), 1e3 * snap.distance);
            let end = match snap.slowed {
                true => format!("slowed down; vertex {vertex} still has {way:.1} mm to go"),
                false => format!("at once; vertex {vertex} moved by {way:.1} mm"),
            };
            format!("the skin snaps to another resting position at {count} vertices, {end}")
        })
    }

    pub(super) fn told(
        &self,
        history: History,
        report: production::Report,
        mut warnings: Warnings,
    ) -> Report {
        let stages = ["carry", "assemble", "solve", "search", "velocity"];
        if let Some(&first) = report.inverted.first() {
            let face = self.model().rest.mesh().faces.get(first as usize).copied().unwrap_or(first);
            let face = self.given_faces.get(face as usize).copied().unwrap_or(face);
            let count = report.inverted.len();
            warnings.push(format!("inverted triangles of skin: {count}, the first in face {face}"));
        }
        warnings.extend(self.settling(&report));
        warnings.extend(self.snapping(&report));
        warnings.extend(report.warnings);
        Report {
            history,
            iterations: report.iterations as u32,
            residual: report.residual,
            warnings: warnings.into_list(),
            stages: stages.into_iter().zip(report.seconds.map(|s| s * 1e3)).collect(),
            figures: vec![
                ("energy_before", report.energy[0]),
                ("energy_after", report.energy[1]),
                ("inverted_triangles", report.inverted.len() as Real),
                ("maximal_stretch", self.results.measures.largest),
                ("faces_over_seams", self.results.seams.over as Real),
                ("faces_in_two_tiles", self.results.seams.in_two_tiles as Real),
                ("faces_outside_tiles", self.results.seams.outside as Real),
                ("faces_that_jumped", self.results.seams.jumped as Real),
                ("reach_over_seams", self.results.seams.reach),
            ],
            ..Report::default()
        }
    }
}
