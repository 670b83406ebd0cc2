//! The coupling of body motion to skin slide, and advection \[ThinSkin §3.6; eq. 8, 9\].

use super::super::model::{Hold, Model};
use super::State;
use super::change::inverse;
use super::charts::{Charts, through};
use super::jacobian::{mean, vertex_jacobian};
use super::scratch::Scratch;
use rayon::prelude::*;
use sinew_geometry::SurfacePoint;
use sinew_math::{Mat3x2, Real, Vec2, Vec3};

/// du = -G^+ (dx_t - zeta dx~_t) on every triangle, and its mean at every vertex \[ThinSkin eq. 11 to 13\].
pub(super) fn find_slide(model: &Model, charts: &Charts, body: &[Vec3], scratch: &mut Scratch, h: Real) {
    let settings = &model.settings;
    let (zeta, longest) = (settings.zeta, settings.fastest_carried * h);
    if zeta == 1.0 && longest == Real::INFINITY {
        return scratch.slide.fill(Vec2::zeros());
    }
    let Scratch { target, middle, along, faces, slide, .. } = scratch;
    middle.iter_mut().zip(body).zip(&*target).for_each(|((m, a), b)| *m = (a + b) * 0.5);
    let (target, middle, along) = (&*target, &*middle, &*along);
    faces.par_iter_mut().with_min_len(256).zip(&model.rest.mesh().triangles).enumerate().for_each(
        |(t, (face, corners))| {
            face.on_body = charts.jacobian(t, &corners.map(|v| middle[v as usize]));
            face.back = through(&face.on_body);
        },
    );
    let faces = &*faces;
    slide.par_iter_mut().with_min_len(256).enumerate().for_each(|(v, slide)| {
        if model.holds()[v] == Hold::Fixed {
            return *slide = Vec2::zeros();
        }
        let motion = target[v] - body[v];
        *slide = mean(charts, v, Vec2::zeros(), |t, k| {
            let flat = faces[t].back * motion;
            let length = (faces[t].on_body * flat).norm();
            let carried = if length > longest { zeta * longest / length } else { zeta };
            inverse(charts.turn(t, k)) * flat * -(1.0 - carried)
        });
        if let Some(direction) = along[v] {
            *slide = part_along(&vertex_jacobian(model, charts, v, |k| middle[k]), &direction, slide);
        }
    });
}

/// The component of a displacement along a direction, as seen in space.
fn part_along(jacobian: &Mat3x2, direction: &Vec2, way: &Vec2) -> Vec2 {
    let (d, w) = (jacobian * direction, jacobian * way);
    direction * (d.dot(&w) / d.norm_squared().max(Real::MIN_POSITIVE))
}

/// advect(way, u): the skin that arrives at a vertex when all of it moves by `way` over the body \[ThinSkin eq. 8, 9\].
/// From beyond the body's border comes what its last triangle, extrapolated, would carry there.
pub(super) fn carry_skin(
    model: &Model,
    charts: &Charts,
    way: &[Vec2],
    skin: &mut [SurfacePoint],
    before: &mut [SurfacePoint],
) {
    before.copy_from_slice(skin);
    let (rest, before) = (&model.rest, &*before);
    skin.par_iter_mut().with_min_len(128).enumerate().for_each(|(v, point)| {
        if way[v] == Vec2::zeros() {
            return;
        }
        let Some(from) = charts.walk_from_vertex(rest, v, &-way[v]) else { return };
        let at = SurfacePoint { weights: from.continued(rest), ..from.end };
        if let Some(there) = mixed(model, charts, &at, before) {
            *point = rest.beside_border(there);
        }
    });
}

/// The skin at a point of the body: the coordinates at the corners, interpolated in the chart with the largest weight.
fn mixed(model: &Model, charts: &Charts, at: &SurfacePoint, skin: &[SurfacePoint]) -> Option<SurfacePoint> {
    let corners = model.rest.mesh().triangles[at.triangle as usize].map(|v| skin[v as usize]);
    let nearest = (0..3).fold(0, |best, k| if at.weights[k] > at.weights[best] { k } else { best });
    let base = corners[nearest];
    let (_, home) = charts.coordinates(&base);
    let mut along = Vec2::zeros();
    for k in (0..3).filter(|&k| k != nearest && at.weights[k] != 0.0) {
        along += (charts.seen_from(&model.rest, &base, &corners[k])? - home) * at.weights[k];
    }
    Some(charts.walk(&model.rest, &base, &along).end)
}

/// advect(v, v): the velocity that arrives at a vertex \[ThinSkin eq. 8\].
pub(super) fn carry_speed(model: &Model, charts: &Charts, state: &mut State, scratch: &mut Scratch, h: Real) {
    let rest = &model.rest;
    scratch.speed_before.copy_from_slice(&state.speed);
    let (before, along) = (&scratch.speed_before, &scratch.along);
    let body = &state.shared.body;
    state.speed.par_iter_mut().with_min_len(128).enumerate().for_each(|(v, speed)| {
        if *speed == Vec2::zeros() {
            return;
        }
        let Some(from) = charts.walk_from_vertex(rest, v, &(*speed * -h)) else { return };
        let (t, corners) = (from.end.triangle as usize, rest.mesh().triangles[from.end.triangle as usize]);
        let at = |k: usize| charts.turn(t, k) * before[corners[k] as usize] * from.end.weights[k];
        *speed = inverse(&from.change.linear) * (at(0) + at(1) + at(2));
        if let Some(direction) = along[v] {
            *speed = part_along(&vertex_jacobian(model, charts, v, |k| body[k]), &direction, speed);
        }
    });
}

/// Fills the velocities in space that both integrators share; returns the fastest v.
pub(super) fn note_velocities(
    model: &Model,
    charts: &Charts,
    state: &mut State,
    scratch: &mut Scratch,
    seconds: Real,
    h: Real,
) -> Real {
    let shared = &mut state.shared;
    for ((velocity, now), before) in
        shared.body_velocity.iter_mut().zip(&shared.body).zip(scratch.body_before())
    {
        *velocity = (now - before) / seconds;
    }
    let (speed, body, body_velocity) = (&state.speed, &shared.body, &shared.body_velocity);
    let (own, slide) = (&mut scratch.middle, &scratch.slide);
    shared.velocity.par_iter_mut().zip(own).with_min_len(256).enumerate().for_each(|(v, (velocity, own))| {
        let jacobian = vertex_jacobian(model, charts, v, |k| body[k]);
        *own = jacobian * speed[v];
        *velocity = body_velocity[v] + *own + jacobian * slide[v] / h;
    });
    scratch.middle.iter().map(|own| own.norm()).fold(0.0, Real::max)
}
