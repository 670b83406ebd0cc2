//! The potential minimised at the equilibrium: the membrane's energy and the contributions of the vertices.

use super::laid::{Laid, is_turned_over};
use super::{Scratch, Stages, VertexTerm};
use crate::membrane::{Strip, WIDE};
use crate::model::{Anchor, Model};
use crate::stand::Stand;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::SurfacePoint;
use sinew_math::{Real, Vec2, Vec3, Work, widest};
use sinew_solve::newton::Factor;

/// The membrane's energy of a skin on a body, in J; infinite if a triangle has no area. The terms only need to be
/// finite.
pub fn energy(
    model: &Model,
    body: &[Vec3],
    skin: &[SurfacePoint],
    terms: &[VertexTerm],
    scratch: &mut Scratch,
) -> Real {
    let Scratch { newton, stages, .. } = scratch;
    stages.lie_on(model, body);
    let found = stages.lay_at(model, skin, terms, newton.factor());
    found.map_or(Real::INFINITY, |_| stages.membrane)
}

/// Triangles per parallel task: whole strips, long enough to make the overhead of a task negligible.
const PIECE: usize = 16 * WIDE;

/// Some triangles of the trial, the work of one task.
struct Piece<'a> {
    model: &'a Model,
    way: &'a [Real],
    /// Of these triangles.
    laid: &'a [Laid],
    active: &'a [u32],
    energies: &'a mut [Real],
    pulls: &'a mut [Vec2],
}

impl Work for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let triangles = &self.model.rest.mesh().triangles;
        let material = &self.model.settings.material;
        let (mut strip, mut turned_over) = (Strip::default(), [false; WIDE]);
        let outs = self.energies.chunks_mut(WIDE).zip(self.pulls.chunks_mut(3 * WIDE));
        let laid = self.laid.chunks(WIDE).zip(self.active.chunks(WIDE));
        for ((laid, active), (energies, pulls)) in laid.zip(outs) {
            for (k, (laid, &t)) in laid.iter().zip(active).enumerate() {
                let [a, b, c] = triangles[t as usize];
                let corners = laid.corners_after([
                    gone(self.model, a as usize, self.way),
                    gone(self.model, b as usize, self.way),
                    gone(self.model, c as usize, self.way),
                ]);
                strip.set(k, corners.each_ref(), &laid.patch);
                turned_over[k] = is_turned_over(&corners);
            }
            strip.pull(material);
            for (k, ((energy, pulls), laid)) in
                energies.iter_mut().zip(pulls.chunks_exact_mut(3)).zip(laid).enumerate()
            {
                let (found, all) = strip.pulled(k);
                *energy = if turned_over[k] { Real::NAN } else { found };
                for (corner, pull) in pulls.iter_mut().enumerate() {
                    let (at, [first, second]) =
                        (all[corner], [laid.ways[2 * corner], laid.ways[2 * corner + 1]]);
                    *pull = Vec2::new(first.x * at.x + first.y * at.y, second.x * at.x + second.y * at.y);
                }
            }
        }
    }
}

/// The displacement of a vertex along its two directions.
#[inline(always)]
pub(super) fn gone(model: &Model, vertex: usize, way: &[Real]) -> [Real; 2] {
    match way[model.unknowns_of(vertex)] {
        [first, second] => [first, second],
        [only] => [only, 0.0],
        _ => [0.0; 2],
    }
}

impl Stages {
    /// The potential after a displacement; `None` if a triangle is flipped or has no finite energy. The membrane's
    /// gradient is computed along the way: it costs little more, and nearly every trial becomes the start of the next
    /// step.
    pub(super) fn value(&mut self, model: &Model, terms: &[VertexTerm], way: &[Real]) -> Option<Real> {
        let stands = &self.stands[..];
        let (membrane, rest) = self.energies.split_at_mut(model.active().len());
        let known = self.laid.par_chunks(PIECE).zip(model.active().par_chunks(PIECE));
        let found = membrane.par_chunks_mut(PIECE).zip(self.pulls.par_chunks_mut(3 * PIECE));
        found.zip(known).for_each(|((energies, pulls), (laid, active))| {
            widest(Piece { model, way, laid, active, energies, pulls });
        });
        rest.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, energy)| {
            *energy = vertex_energy(model, v, &place_after(model, stands, v, way), &terms[v]);
        });
        let membrane: Real = membrane.iter().sum();
        let all = membrane + rest.iter().sum::<Real>();
        if !all.is_finite() {
            return None;
        }
        self.membrane = membrane;
        Some(all)
    }

    /// Lays a skin flat; the potential there, which must be finite.
    pub(super) fn lay_at(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        terms: &[VertexTerm],
        factor: &mut Factor,
    ) -> Result<Real> {
        self.lay(model, skin, factor);
        let lost = || Error::new(Kind::NotFinite, "the energy of the skin at the start is not finite");
        self.value_here(model, terms).ok_or_else(lost)
    }

    /// The potential of the skin laid flat.
    pub(super) fn value_here(&mut self, model: &Model, terms: &[VertexTerm]) -> Option<Real> {
        let no_way = std::mem::take(&mut self.no_way);
        let value = self.value(model, terms, &no_way);
        self.no_way = no_way;
        value
    }
}

/// The position of a vertex after a displacement.
pub(super) fn place_after(model: &Model, stands: &[Stand], vertex: usize, way: &[Real]) -> Vec3 {
    stands[vertex].place + stands[vertex].moved(&way[model.unknowns_of(vertex)])
}

fn vertex_energy(model: &Model, vertex: usize, place: &Vec3, term: &VertexTerm) -> Real {
    let away = place - term.reference;
    let slide = (place - model.rest.mesh().positions[vertex]).norm();
    0.5 * away.dot(&(term.quadratic * away))
        + term.linear.dot(&away)
        + pull(&model.anchors()[vertex], slide).0
}

/// An anchor's energy, force and stiffness at a slide: soft r^2/2, plus (stiff - soft) (r - toe)^2/2 beyond the toe.
pub(crate) fn pull(anchor: &Anchor, slide: Real) -> (Real, Real, Real) {
    let beyond = (slide - anchor.toe).max(0.0);
    let more = anchor.stiff - anchor.soft;
    let stiffness = anchor.soft + if beyond > 0.0 { more } else { 0.0 };
    let energy = 0.5 * (anchor.soft * slide * slide + more * beyond * beyond);
    (energy, anchor.soft * slide + more * beyond, stiffness)
}
