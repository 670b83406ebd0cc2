//! The potential that is least at the equilibrium: the membrane's energy, and what the vertices add.

use super::{Scratch, VertexTerm};
use crate::geometry::SurfacePoint;
use crate::math::{Real, Vec3, Work, widest};
use crate::skin::membrane::{Patch, Strip, WIDE, metric};
use crate::skin::model::{Anchor, Model};
use crate::skin::stand::Stand;
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
    scratch.fill_patches(model, body, skin);
    scratch.look_at(model, skin);
    potential(model, terms, scratch).map_or(Real::INFINITY, |(_, membrane)| membrane)
}

/// Triangles per parallel task: whole strips, long enough to drown the cost of a task.
const PIECE: usize = 16 * WIDE;

/// Some triangles of the trial, one task's work.
struct Piece<'a> {
    model: &'a Model,
    stands: &'a [Stand],
    outward: &'a [Vec3],
    /// Of these triangles.
    patches: &'a [Patch],
    active: &'a [u32],
    guarded: &'a [bool],
    energies: &'a mut [Real],
    pulls: &'a mut [Vec3],
}

impl Work for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let triangles = &self.model.rest.mesh().triangles;
        let material = &self.model.settings.material;
        let mut strip = Strip::default();
        let outs = self.energies.chunks_mut(WIDE).zip(self.pulls.chunks_mut(3 * WIDE));
        for (c, (energies, pulls)) in outs.enumerate() {
            for k in 0..energies.len() {
                let element = c * WIDE + k;
                let corners = triangles[self.active[element] as usize].map(|v| v as usize);
                strip.set(k, corners.map(|v| &self.stands[v].place), &self.patches[element]);
                strip.guard(k, corners.map(|v| &self.outward[v]), self.guarded[element]);
            }
            strip.pull(material);
            for (k, (energy, pulls)) in energies.iter_mut().zip(pulls.chunks_exact_mut(3)).enumerate() {
                let (found, all) = strip.pulled(k);
                *energy = found;
                pulls.copy_from_slice(&all);
            }
        }
    }
}

/// The potential of the trial skin and the membrane's part of it; `None` when a triangle is turned over or has no finite
/// energy. What the membrane's part gains when a corner of a triangle moves is found on the way: it costs little more, and
/// nearly every trial is where the next step begins.
pub(super) fn potential(model: &Model, terms: &[VertexTerm], scratch: &mut Scratch) -> Option<(Real, Real)> {
    let (stands, outward) = (&scratch.trial.stands[..], &scratch.trial.outward[..]);
    let (membrane, rest) = scratch.trial.energies.split_at_mut(model.active().len());
    let known = scratch.patches.par_chunks(PIECE).zip(scratch.guarded.par_chunks(PIECE));
    let known = known.zip(model.active().par_chunks(PIECE));
    let found = membrane.par_chunks_mut(PIECE).zip(scratch.trial.pulls.par_chunks_mut(3 * PIECE));
    found.zip(known).for_each(|((energies, pulls), ((patches, guarded), active))| {
        widest(Piece { model, stands, outward, patches, active, guarded, energies, pulls });
    });
    rest.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, energy)| {
        *energy = vertex_energy(model, v, &stands[v].place, &terms[v]);
    });
    let membrane: Real = membrane.iter().sum();
    let all = membrane + rest.iter().sum::<Real>();
    all.is_finite().then_some((all, membrane))
}

impl Scratch {
    /// Metric, thickness, prestrain and fibres of the skin that is on each triangle now; they stay for the whole solve.
    pub(super) fn fill_patches(&mut self, model: &Model, body: &[Vec3], skin: &[SurfacePoint]) {
        let same = model.is_evenly_painted().then(|| model.painted(&skin[0]));
        let painted = self.painted.par_iter_mut().zip(skin).with_min_len(512);
        painted.for_each(|(painted, point)| *painted = same.unwrap_or_else(|| model.painted(point)));
        let (triangles, painted) = (&model.rest.mesh().triangles, &self.painted);
        self.patches.par_iter_mut().with_min_len(512).zip(model.active()).for_each(|(patch, &t)| {
            let corners = triangles[t as usize].map(|v| v as usize);
            *patch = model.patch_of(metric(corners.map(|v| body[v])), corners.map(|v| &painted[v]));
        });
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::{Material, Stvk};
    use crate::geometry::{TriMesh, shapes};
    use crate::math::Vec2;
    use crate::skin::model::{Maps, Settings};

    #[test]
    fn patches_are_what_is_painted_on_the_skin_there() {
        let mesh = TriMesh::from_mesh(&shapes::cylinder(1.0, 2.0, 12, 6)).unwrap();
        let material = Material::Stvk(Stvk::new(2e4, 0.4).unwrap());
        let mut model = Model::new(mesh, Settings::new(material)).unwrap();
        let body = model.rest.mesh().positions.clone();
        let skin: Vec<_> =
            model.rest.home().iter().map(|p| model.rest.go(p, Vec2::new(0.13, 0.21))).collect();
        for uneven in [0.0, 1.0] {
            let stiffness = (0..model.len()).map(|v| 3.0 + uneven * (v as Real).sin()).collect();
            model.set_maps(Maps { stiffness, ..Maps::plain(model.len()) }).unwrap();
            assert_eq!(model.is_evenly_painted(), uneven == 0.0);
            let mut scratch = Scratch::new(&model).unwrap();
            scratch.fill_patches(&model, &body, &skin);
            for (found, &t) in scratch.patches.iter().zip(model.active()) {
                let corners = model.rest.mesh().triangles[t as usize].map(|v| v as usize);
                let patch = model.patch(metric(corners.map(|v| body[v])), &corners.map(|v| skin[v]));
                assert!((found.thickness - patch.thickness).abs() < 1e-15 * patch.thickness.max(1.0));
                assert_eq!(found.metric, patch.metric);
            }
        }
    }
}
