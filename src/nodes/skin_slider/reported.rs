//! The warnings of a frame.

use super::super::node::{Report, Warnings};
use super::super::time::History;
use super::Running;
use sinew_math::Real;
use sinew_skin::production;

/// Skin that is off its equilibrium by no more than this fraction of an edge or of the body looks settled: 0.2 mm where
/// vertices are 1 cm apart, 0.4 mm on a person.
const UNSEEN: [Real; 2] = [0.02, 2e-4];
/// Held vertices below this share of all are not noticeable.
const MOST_HELD: Real = 0.01;

impl Running {
    /// That the models were made in so many seconds, and on how many triangles the skin is computed.
    pub(super) fn built_in(&self, seconds: f64) -> String {
        let [all, computed] = [&self.full, self.model()].map(|model| model.rest.mesh());
        let (vertices, triangles) = (all.positions.len(), all.triangles.len());
        let on = match computed.triangles.len() {
            some if some < triangles => format!(", computed on {some} of these,"),
            _ => String::new(),
        };
        format!("the skin of {vertices} vertices and {triangles} triangles{on} was built in {seconds:.2} s")
    }

    /// The original vertex of a vertex of the model.
    fn given_vertex(&self, vertex: usize) -> u32 {
        let full = self.proxy.as_ref().map_or(vertex as u32, |proxy| proxy.vertices[vertex]);
        self.given_vertices.get(full as usize).copied().unwrap_or(full)
    }

    /// The original face of a triangle of the model; of a proxy's, one at its first corner.
    fn given_face(&self, triangle: u32) -> u32 {
        let rest = &self.full.rest;
        let at_corner = self.proxy.as_ref().and_then(|proxy| {
            let corner = proxy.model.rest.mesh().triangles.get(triangle as usize)?[0];
            let full = proxy.vertices.get(corner as usize)?;
            rest.edges().around(*full).next().map(|h| rest.edges().face(h))
        });
        let triangle = at_corner.unwrap_or(triangle);
        let face = rest.mesh().faces.get(triangle as usize).copied().unwrap_or(triangle);
        self.given_faces.get(face as usize).copied().unwrap_or(face)
    }

    /// Where a material with a direction has none, once per run and again whenever that changes.
    pub(super) fn missing_fibres(&mut self, begins: bool) -> Option<String> {
        let (count, first) = (self.full.without_fibres().count(), self.full.without_fibres().next());
        let known = std::mem::replace(&mut self.fibreless, count);
        let (first, title) = (first?, self.full.settings.material.about().title);
        if known == count && !begins {
            return None;
        }
        let set = "until the map fibres gives it directions, it is equally stiff in all of them";
        Some(match self.full.len() {
            all if count == all => format!("the material {title} has no fibres: {set}"),
            all => {
                let first = self.given_vertices.get(first).copied().unwrap_or(first as u32);
                format!(
                    "the material {title} has no fibres at {count} of {all} vertices, the first {first}: there, {set}"
                )
            }
        })
    }

    /// Problems in solving for equilibrium.
    fn settling(&self, report: &production::Report) -> Option<String> {
        let rest = &self.model().rest;
        let unseen = (UNSEEN[0] * rest.mean_edge()).max(UNSEEN[1] * rest.extent());
        if let Some(unsettled) = report.unsettled.filter(|unsettled| unsettled.distance > unseen) {
            // A longer way than half around the body is no estimate.
            let far = match unsettled.distance < 0.5 * rest.extent() {
                true => format!("{:.2} mm", 1e3 * unsettled.distance),
                false => "far".into(),
            };
            return Some(format!(
                "the skin did not settle: after {} iterations it may still be {far} from equilibrium, most at vertex \
                 {}",
                unsettled.iterations,
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

    /// Where single vertices left their neighbours.
    fn jumping(&self, report: &production::Report) -> Option<String> {
        report.jump.map(|jump| {
            format!(
                "single vertices of the skin jumped and were put back: {}, the farthest vertex {} by {:.1} % of the \
                 body; use more substeps or stronger ties, and check the unit if the body is not {:.3} m large",
                jump.vertices,
                self.given_vertex(jump.vertex),
                1e2 * jump.distance / self.model().rest.extent(),
                self.model().rest.extent()
            )
        })
    }

    pub(super) fn reported(
        &self,
        history: History,
        report: production::Report,
        mut warnings: Warnings,
    ) -> Report {
        let stages = ["carry", "assemble", "solve", "search", "velocity"];
        if let Some(&first) = report.inverted.first() {
            let face = self.given_face(first);
            let count = report.inverted.len();
            warnings.push(format!("inverted triangles of skin: {count}, the first in face {face}"));
        }
        warnings.extend(self.settling(&report));
        warnings.extend(self.snapping(&report));
        warnings.extend(self.jumping(&report));
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
