//! The potential that is least at the equilibrium: the membrane's energy, and what the vertices add.

use super::{Scratch, VertexTerm, edges_of, looks_out};
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::membrane::{Patch, Strained, metric};
use crate::skin::model::{Anchor, Model};
use rayon::prelude::*;

/// The membrane's energy of a skin on a body, in J; infinite when a triangle is turned over or without area. The terms
/// only need to be finite.
pub fn energy(
    model: &Model,
    body: &[Vec3],
    skin: &[SurfacePoint],
    terms: &[VertexTerm],
    scratch: &mut Scratch,
) -> Real {
    fill_patches(model, body, skin, &mut scratch.patches);
    scratch.look_at(model, skin);
    potential(model, terms, scratch).map_or(Real::INFINITY, |(_, membrane)| membrane)
}

/// Thickness, prestrain and fibres of the skin that is on each triangle now; they stay for the whole solve.
pub(super) fn fill_patches(model: &Model, body: &[Vec3], skin: &[SurfacePoint], patches: &mut [Patch]) {
    let triangles = &model.rest.mesh().triangles;
    patches.par_iter_mut().with_min_len(256).zip(model.active()).for_each(|(patch, &t)| {
        let corners = triangles[t as usize].map(|v| v as usize);
        *patch = model.patch(metric(corners.map(|v| body[v])), &corners.map(|v| skin[v]));
    });
}

/// The potential of the trial skin and the membrane's part of it; `None` when a triangle is turned over or has no finite
/// energy. What the membrane's part gains when a corner of a triangle moves is found on the way: it costs little more, and
/// nearly every trial is where the next step begins.
pub(super) fn potential(model: &Model, terms: &[VertexTerm], scratch: &mut Scratch) -> Option<(Real, Real)> {
    let (stands, outward) = (&scratch.trial_stands, &scratch.outward);
    let (patches, guarded) = (&scratch.patches, &scratch.guarded);
    let triangles = &model.rest.mesh().triangles;
    let (membrane, rest) = scratch.energies.split_at_mut(model.active().len());
    let elements = membrane.par_iter_mut().zip(scratch.pulls.par_chunks_exact_mut(3));
    elements.with_min_len(256).enumerate().for_each(|(k, (energy, pulls))| {
        let corners = triangles[model.active()[k] as usize].map(|v| v as usize);
        let edges = edges_of(corners.map(|v| stands[v].place));
        let turned = || looks_out(&edges, corners.map(|v| outward[v])) <= 0.0;
        let strained = Strained::new(&edges, &patches[k]).filter(|_| !(guarded[k] && turned()));
        let Some(strained) = strained else {
            *energy = Real::NAN;
            return;
        };
        let found = strained.pulls(&model.settings.material, &patches[k]);
        *energy = found.0;
        pulls.copy_from_slice(&found.1);
    });
    rest.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, energy)| {
        *energy = vertex_energy(model, v, &stands[v].place, &terms[v]);
    });
    let membrane: Real = membrane.iter().sum();
    let all = membrane + rest.iter().sum::<Real>();
    all.is_finite().then_some((all, membrane))
}

impl Scratch {
    /// Makes a skin whose potential is known the trial again.
    pub(super) fn return_to(&mut self, model: &Model, skin: &[SurfacePoint], terms: &[VertexTerm]) {
        self.look_at(model, skin);
        potential(model, terms, self);
    }
}

fn vertex_energy(model: &Model, vertex: usize, place: &Vec3, term: &VertexTerm) -> Real {
    let away = place - term.reference;
    let slide = (place - model.rest.mesh().positions[vertex]).norm();
    0.5 * away.dot(&(term.quadratic * away))
        + term.linear.dot(&away)
        + pull(&model.anchors()[vertex], slide).0
}

/// An anchor's energy, force and stiffness at a slide: soft r^2/2, and beyond the toe (stiff - soft) (r - toe)^2/2 more.
pub(in crate::skin) fn pull(anchor: &Anchor, slide: Real) -> (Real, Real, Real) {
    let beyond = (slide - anchor.toe).max(0.0);
    let more = anchor.stiff - anchor.soft;
    let stiffness = anchor.soft + if beyond > 0.0 { more } else { 0.0 };
    let energy = 0.5 * (anchor.soft * slide * slide + more * beyond * beyond);
    (energy, anchor.soft * slide + more * beyond, stiffness)
}
