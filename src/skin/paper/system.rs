//! Elastic force, inertia and the linearly implicit system \[ThinSkin §3.4, §3.5; eq. 1 to 7, 10\].

use super::super::equilibrium::pull;
use super::super::membrane::{Bent, Strained, Strip, WIDE, Ways, metric};
use super::super::model::{Model, Painted};
use super::super::plane::Turn;
use super::super::stand::SAME_WAY;
use super::charts::Charts;
use super::jacobian::{mean, vertex_jacobian};
use super::scratch::{Face, Scratch};
use super::{Chain, Inputs, State};
use rayon::prelude::*;
use sinew_base::error::Result;
use sinew_geometry::SurfacePoint;
use sinew_geometry::measure::triangle_area_vector;
use sinew_linalg::assembly::Run;
use sinew_math::{Mat2, Mat3, Mat3x2, Real, Vec2, Vec3, Work, widest};

/// The minimum inertia of a triangle, as a fraction of the metric at rest.
const LEAST_METRIC: Real = 1e-12;

/// X = pi(u) at every vertex, the normal of the surface at rest, and the maps there.
pub(super) fn look_up(model: &Model, skin: &[SurfacePoint], scratch: &mut Scratch) {
    let at = |point: &SurfacePoint| (model.painted(point), model.mass_per_area(point));
    let same = model.is_evenly_painted().then(|| at(&skin[0]));
    let places = scratch.places.par_iter_mut().with_min_len(256).zip(&mut scratch.normals);
    places.zip(&mut scratch.painted).zip(skin).for_each(|(((place, normal), painted), point)| {
        let (there, tangents) = model.rest.stand(point);
        *place = there;
        *normal = tangents.column(0).cross(&tangents.column(1)).try_normalize(0.0).unwrap_or_default();
        *painted = same.unwrap_or_else(|| at(point));
    });
}

impl Scratch {
    /// The flipped triangles of a skin, ascending.
    pub fn inverted(&mut self, model: &Model, skin: &[SurfacePoint]) -> Vec<u32> {
        look_up(model, skin, self);
        let turned = |t: u32| {
            let corners = model.rest.mesh().triangles[t as usize].map(|v| v as usize);
            let [a, b, c] = corners.map(|v| self.places[v]);
            let out: Vec3 = corners.iter().map(|&v| model.rest.outward(&skin[v])).sum();
            (b - a).cross(&(c - a)).dot(&out) <= 0.0
        };
        let all = model.active().iter().zip(&self.guarded);
        all.filter(|(t, guarded)| **guarded && turned(**t)).map(|(t, _)| *t).collect()
    }
}

/// J = dX/du at every vertex: the mean over its triangles, each turned into the tangent plane of the surface at rest.
/// Turned, not projected: across a fold a projection is too short, and the implicit step would then overshoot.
pub(super) fn find_jacobians(model: &Model, charts: &Charts, scratch: &mut Scratch) {
    let Scratch { places, normals, faces, jacobians, .. } = scratch;
    let triangles = &model.rest.mesh().triangles;
    faces.par_iter_mut().with_min_len(256).zip(triangles).enumerate().for_each(|(t, (face, corners))| {
        let p = corners.map(|v| places[v as usize]);
        face.on_skin = charts.jacobian(t, &p);
        face.normal = triangle_area_vector(p).try_normalize(0.0).unwrap_or_default();
    });
    let faces = &*faces;
    jacobians.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, jacobian)| {
        let normal = normals[v];
        *jacobian = mean(charts, v, Mat3x2::zeros(), |t, k| {
            let own = faces[t].on_skin * charts.turn(t, k);
            Turn::new(&faces[t].normal, &normal).map_or(own, |turn| turn.turn_both(&own))
        });
    });
}

/// The ingredients of the elements.
struct Stage<'a> {
    model: &'a Model,
    charts: &'a Charts,
    state: &'a State,
    places: &'a [Vec3],
    slide: &'a [Vec2],
    used: &'a [bool],
    jacobians: &'a [Mat3x2],
    faces: &'a [Face],
    painted: &'a [(Painted, Real)],
    inputs: &'a Inputs<'a>,
    h: Real,
}

/// M* and f* \[ThinSkin eq. 7, 10\].
pub(super) fn assemble(
    model: &Model,
    charts: &Charts,
    state: &State,
    scratch: &mut Scratch,
    h: Real,
    inputs: &Inputs,
) -> Result<()> {
    let Scratch { assembly, force, places, slide, used, jacobians, faces, painted, .. } = scratch;
    let stage = Stage { model, charts, state, places, slide, used, jacobians, faces, painted, inputs, h };
    assembly.fill_runs_of_both(force, |run| widest(Filling { stage: &stage, run }))?;
    hold_back(model, &state.shared.skin, scratch);
    Ok(())
}

/// Skin at a border that is pushed out of the surface may only move along it: there is no skin out there. The push
/// would otherwise make v grow without bound from step to step.
fn hold_back(model: &Model, skin: &[SurfacePoint], scratch: &mut Scratch) {
    for v in (0..model.len()).filter(|&v| scratch.used[v]) {
        let Some(out) = out_of_border(model, &skin[v]) else { continue };
        // A slide d moves the skin by -J d, and a force f in coordinates is J (J^T J)^-1 f in the plane.
        let jacobian = &scratch.jacobians[v];
        if scratch.along[v].is_some_and(|along| goes_along(&(jacobian * along), &out)) {
            continue;
        }
        let (gram, inward) = (jacobian.transpose() * jacobian, jacobian.transpose() * out);
        let Some(raised) = gram.try_inverse().map(|gram| gram * inward) else { continue };
        let size = raised.dot(&inward);
        let force = &mut scratch.force[2 * v..2 * v + 2];
        let pushed = force[0] * raised.x + force[1] * raised.y;
        if pushed < 0.0 && size > LEAST_OUT {
            force.iter_mut().zip(&inward).for_each(|(f, n)| *f -= n * (pushed / size));
            scratch.assembly.stiffen(2 * v, inward.normalize().as_slice());
        }
    }
}

/// An outward direction this far from the plane of the slides is ignored; 1 lies in it.
const LEAST_OUT: Real = 1e-6;

/// Whether a direction to slide along means the border; its remaining transverse component is round-off.
fn goes_along(direction: &Vec3, out: &Vec3) -> bool {
    direction.dot(out).abs() < SAME_WAY * direction.norm()
}

/// The direction out of the skin, of unit length, where it ends at a border.
fn out_of_border(model: &Model, point: &SurfacePoint) -> Option<Vec3> {
    let rest = &model.rest;
    let side = rest.border_side(point)?;
    let (facet, tangents) = (rest.out_of_side(point.triangle as usize, side), rest.tangents(point));
    let along = tangents * Vec2::new(-facet.y, facet.x);
    let out = along.cross(&tangents.column(0).cross(&tangents.column(1)));
    out.try_normalize(0.0)
}

/// The indices of the diagonal entries of a corner's two unknowns in the upper triangle of a triangle's block.
const CORNERS: [usize; 3] = [0, 11, 18];
const CORNERS_NEXT: [usize; 3] = [6, 15, 20];

/// Some elements, the work of one task.
struct Filling<'a, 'b> {
    stage: &'a Stage<'a>,
    run: &'a mut Run<'b>,
}

impl Work for Filling<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (stage, all) = (self.stage, self.run.elements.clone());
        let triangles = stage.model.active().len();
        let triangle = |e: usize| stage.model.active()[e] as usize;
        let (mut strip, mut ways, mut bent) = (Strip::default(), Ways::default(), Bent::default());
        let mut first = all.start;
        while first < all.end.min(triangles) {
            let end = (first + WIDE).min(all.end).min(triangles);
            (first..end).for_each(|e| stage.set(triangle(e), e - first, &mut strip, &mut ways));
            bent.find(&strip, &stage.model.settings.material, &ways, true);
            for e in first..end {
                let (block, vector) = self.run.both(e);
                stage.triangle(triangle(e), &bent, e - first, block, vector);
            }
            first = end;
        }
        for e in first..all.end {
            let (block, vector) = self.run.both(e);
            stage.vertex(e - triangles, block, vector);
        }
    }
}

impl Stage<'_> {
    fn corners(&self, triangle: usize) -> [usize; 3] {
        self.model.rest.mesh().triangles[triangle].map(|v| v as usize)
    }

    /// Sets the k-th triangle of a strip with its directions: a corner that slides by d moves its skin by dX = -J T_i
    /// d, or by the vertex's own -J_i d.
    #[inline(always)]
    fn set(&self, triangle: usize, k: usize, strip: &mut Strip, ways: &mut Ways) {
        let corners = self.corners(triangle);
        let metric = metric(corners.map(|v| self.state.shared.body[v]));
        let patch = self.model.patch_of(metric, corners.map(|v| &self.painted[v].0));
        strip.set(k, corners.map(|v| &self.places[v]), &patch);
        for (corner, &v) in corners.iter().enumerate() {
            let jacobian = match self.inputs.chain {
                Chain::Vertex => self.jacobians[v],
                Chain::Triangle => self.faces[triangle].on_skin * self.charts.turn(triangle, corner),
            };
            for axis in 0..2 {
                ways.set(k, 2 * corner + axis, &-jacobian.column(axis));
            }
        }
    }

    /// A triangle's contribution to the system.
    ///
    /// In its chart J = D_X D_u^-1 (eq. 4) and G = D_x D_u^-1 (eq. 6); T_i turns the coordinates of corner i's vertex
    /// into the chart's. With the membrane's energy W over the slides d of the corners,
    ///   f_i = -dW/dd (eq. 5),   M_i = (m_j / 3) T_i^T G^T G T_i,
    ///   M*_ik = M_i [i = k] (1 + h / T) + h^2 d2W/dd_i dd_k,   f*_i = M_i (v_i - du_i / T + h g) + h f_i.
    fn triangle(&self, triangle: usize, bent: &Bent, k: usize, block: &mut [Real], vector: &mut [Real]) {
        let (model, h) = (self.model, self.h);
        let corners = self.corners(triangle);
        let on_skin = self.faces[triangle].on_skin;
        let on_body = self.charts.jacobian(triangle, &corners.map(|v| self.state.shared.body[v]));
        block.iter_mut().zip(bent.curvature(k)).for_each(|(value, curvature)| *value = curvature * h * h);
        vector.iter_mut().zip(bent.slopes(k)).for_each(|(value, slope)| *value = -h * slope);
        let density = corners.iter().map(|&v| self.painted[v].1).sum::<Real>() / 3.0;
        let third = density * bent.area(k) / 3.0;
        let metric = on_body.transpose() * on_body + on_skin.transpose() * on_skin * LEAST_METRIC;
        let friction = 1.0 / model.settings.friction_time;
        let weight = on_body.transpose() * model.settings.gravity * third;
        for (corner, &v) in corners.iter().enumerate() {
            let turn = self.charts.turn(triangle, corner);
            let inertia = turn.transpose() * metric * turn * third;
            let momentum =
                inertia * (self.state.speed[v] - self.slide[v] * friction) + turn.transpose() * weight * h;
            let heavy = inertia * (1.0 + h * friction);
            let first = CORNERS[corner];
            block[first] += heavy.m11;
            block[first + 1] += heavy.m12;
            block[CORNERS_NEXT[corner]] += heavy.m22;
            vector[2 * corner] += momentum.x;
            vector[2 * corner + 1] += momentum.y;
        }
    }

    /// A vertex's contribution: the host's force, its anchor, and a diagonal entry where there is no skin.
    fn vertex(&self, vertex: usize, block: &mut [Real], vector: &mut [Real]) {
        let (model, h) = (self.model, self.h);
        block.fill(0.0);
        vector.fill(0.0);
        if !self.used[vertex] {
            (block[0], block[2]) = (1.0, 1.0);
            return;
        }
        if let Some(force) = self.inputs.forces.get(vertex) {
            let body = &self.state.shared.body;
            let pushed = vertex_jacobian(model, self.charts, vertex, |k| body[k]).transpose() * force * h;
            (vector[0], vector[1]) = (vector[0] + pushed.x, vector[1] + pushed.y);
        }
        let anchor = &model.anchors()[vertex];
        if anchor.stiff > 0.0 {
            let slide = self.places[vertex] - model.rest.mesh().positions[vertex];
            let length = slide.norm();
            let (_, tension, stiffness) = pull(anchor, length);
            let direction = slide.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            let across = if length > 0.0 { tension / length } else { anchor.soft };
            let outer = direction * direction.transpose();
            let curvature = (Mat3::identity() - outer) * across + outer * stiffness;
            let jacobian = &self.jacobians[vertex];
            let force = jacobian.transpose() * direction * (tension * h);
            let stiff: Mat2 = jacobian.transpose() * curvature * jacobian * (h * h);
            (vector[0], vector[1]) = (vector[0] + force.x, vector[1] + force.y);
            block.copy_from_slice(&[stiff.m11, stiff.m12, stiff.m22]);
        }
    }
}

/// The membrane's energy.
pub(super) fn energy(model: &Model, state: &State, scratch: &mut Scratch) -> Real {
    let shared = &state.shared;
    let (places, energies) = (&scratch.places, &mut scratch.energies);
    energies.par_iter_mut().with_min_len(512).zip(model.active()).for_each(|(energy, &t)| {
        let corners = model.rest.mesh().triangles[t as usize].map(|v| v as usize);
        let patch = model.patch(metric(corners.map(|v| shared.body[v])), &corners.map(|v| shared.skin[v]));
        let p = corners.map(|v| places[v]);
        let edges = Mat3x2::from_columns(&[p[1] - p[0], p[2] - p[0]]);
        *energy = Strained::new(&edges, &patch).map_or(0.0, |s| s.energy(&model.settings.material, &patch));
    });
    energies.iter().sum()
}

/// The velocity under the constraints \[ThinSkin eq. 10\].
pub(super) fn solve(state: &mut State, scratch: &mut Scratch) -> Result<()> {
    let Scratch { solver, assembly, rows, solution, multipliers, near, .. } = scratch;
    solution.copy_from_slice(&scratch.force);
    multipliers.copy_from_slice(&scratch.speeds);
    // Speeds hardly change in a step; at 1 ms the inertia outweighs the stiffness and no factor is needed.
    near.chunks_exact_mut(2).zip(&state.speed).for_each(|(near, v)| near.copy_from_slice(v.as_slice()));
    scratch.iterations = solver.solve_once(assembly.matrix(), rows, solution, multipliers, near)?;
    for (speed, found) in state.speed.iter_mut().zip(scratch.solution.chunks_exact(2)) {
        *speed = Vec2::new(found[0], found[1]);
    }
    Ok(())
}
