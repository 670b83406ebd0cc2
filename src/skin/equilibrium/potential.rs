//! The potential that is least at the equilibrium: the membrane's energy, and what the vertices add.

use super::{Scratch, VertexTerm, edges_of};
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3};
use crate::skin::membrane::{Strained, metric};
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
    fill_patches(model, body, skin, scratch);
    scratch.trial.copy_from_slice(skin);
    scratch.place_trial(model);
    potential(model, terms, scratch).map_or(Real::INFINITY, |(_, membrane)| membrane)
}

/// Thickness, prestrain and fibres of the skin that is on each triangle now; they stay for the whole solve.
pub(super) fn fill_patches(model: &Model, body: &[Vec3], skin: &[SurfacePoint], scratch: &mut Scratch) {
    let triangles = &model.rest.mesh().triangles;
    scratch.patches.par_iter_mut().with_min_len(256).zip(model.active()).for_each(|(patch, &t)| {
        let corners = triangles[t as usize].map(|v| v as usize);
        *patch = model.patch(metric(corners.map(|v| body[v])), &corners.map(|v| skin[v]));
    });
}

/// The potential of the trial skin and the membrane's part of it; `None` when a triangle is turned over or has no finite
/// energy.
pub(super) fn potential(model: &Model, terms: &[VertexTerm], scratch: &mut Scratch) -> Option<(Real, Real)> {
    let (places, patches, guarded) = (&scratch.trial_places, &scratch.patches, &scratch.guarded);
    let triangles = &model.rest.mesh().triangles;
    let elements = model.active().len();
    scratch.energies.par_iter_mut().with_min_len(256).enumerate().for_each(|(k, energy)| {
        if k >= elements {
            let v = k - elements;
            *energy = vertex_energy(model, v, &places[v].0, &terms[v]);
            return;
        }
        let [a, b, c] = triangles[model.active()[k] as usize].map(|v| places[v as usize]);
        let edges = edges_of([a.0, b.0, c.0]);
        let turned = (b.0 - a.0).cross(&(c.0 - a.0)).dot(&(a.1 + b.1 + c.1)) <= 0.0;
        let strained = Strained::new(&edges, &patches[k]).filter(|_| !(guarded[k] && turned));
        *energy = strained.map_or(Real::NAN, |s| s.energy(&model.settings.material, &patches[k]));
    });
    let (membrane, rest) = scratch.energies.split_at(elements);
    let membrane: Real = membrane.iter().sum();
    let all = membrane + rest.iter().sum::<Real>();
    all.is_finite().then_some((all, membrane))
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
