//! How skin continues to move in dynamic mode, and is carried along by the body in both modes.
//!
//! With the velocity w of the skin relative to the body, w' = a + f/m and x' = w, a step of h seconds uses the backward
//! differentiation formula of second order (BDF2; Gear, "Numerical initial value problems in ordinary differential
//! equations", 1971): with k = 2h/3, the velocity q of the previous step and d its displacement,
//!   w' = 4/3 w - 1/3 q + k (a + f/m),   d' = d/3 + k w'.
//! Like implicit Euler it damps what is stiff and never blows up, but visible motion is as accurate at steps two to
//! four times as long. The body's velocity jumps from frame to frame, because its motion is linear between frames; the
//! share of such a jump that the skin feels is added to all of w, q and d/h, as if it had always moved like that:
//! otherwise a multistep formula would see a kick.

use super::super::model::{Hold, Mode, Model};
use super::super::state::State;
use super::super::tangent::{area_at, find_places, flat_way, walk_on_body};
use super::Scratch;
use rayon::prelude::*;
use sinew_math::{Real, Vec3};

/// The fraction of a step over which the newest velocity counts.
pub(super) const SHARE: Real = 2.0 / 3.0;

/// How far the skin would freely move relative to the body in this step \[ThinSkin eq. 11, 12\]: it follows the share
/// zeta of the body's tangential motion, so that relative to the body it moves by -(1 - zeta) times that motion. In
/// dynamic mode the same holds for the change of the body's velocity, and sliding skin continues to slide; without the
/// normal component, which follows the body.
pub(super) fn find_slide(model: &Model, state: &mut State, scratch: &mut Scratch, seconds: Real) {
    let settings = &model.settings;
    let longest = settings.fastest_carried * seconds;
    // Skin that is fully carried along does not slide, whatever the normals are.
    let carried = !scratch.forced && settings.zeta == 1.0 && longest == Real::INFINITY;
    let moments = [&scratch.target, &state.body].into_iter().filter(|_| !carried);
    for (normals, positions) in scratch.normals.iter_mut().zip(moments) {
        scratch.body.positions.copy_from_slice(positions);
        let mesh = &scratch.body;
        let normal = |(v, normal): (usize, &mut Vec3)| {
            *normal = area_at(mesh, model.rest.edges(), v).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        };
        normals.par_iter_mut().with_min_len(512).enumerate().for_each(normal);
    }
    let ([after, before], target, body) = (&scratch.normals, &scratch.target, &state.body);
    let body_velocity = &mut state.body_velocity;
    let (velocity, pace, earlier_pace) = (&state.velocity, &state.pace, &state.earlier_pace);
    let farthest = model.thresholds.teleport * model.rest.extent();
    let found = scratch.slide.par_iter_mut().zip(&mut scratch.drift).zip(&mut scratch.relative);
    found.zip(body_velocity).with_min_len(512).enumerate().for_each(
        |(v, (((slide, drift), relative), now))| {
            // Perpendicular to the mean of both normals, a rigid rotation has no normal component.
            let normal = (before[v] + after[v]).try_normalize(1e-9).unwrap_or_else(Vec3::zeros);
            let flat = |x: Vec3| x - normal * normal.dot(&x);
            let way = target[v] - body[v];
            let motion = if way.norm() > farthest { Vec3::zeros() } else { way };
            let earlier = std::mem::replace(now, motion / seconds);
            let length = flat(motion).norm();
            let carried = if length > longest { settings.zeta * longest / length } else { settings.zeta };
            (*drift, *relative) = (Vec3::zeros(), Vec3::zeros());
            *slide = match (model.holds()[v], settings.mode) {
                (Hold::Fixed, _) => Vec3::zeros(),
                (_, Mode::Quasistatic) => flat(motion) * -(1.0 - carried),
                (_, Mode::Dynamic) => {
                    let felt = (*now - earlier) * (1.0 - carried);
                    let own = velocity[v] - earlier;
                    // Skin that did not slide has no history.
                    let [pace, earlier_pace] = match own == Vec3::zeros() {
                        true => [own; 2],
                        false => [pace[v] - earlier, earlier_pace[v] - earlier],
                    };
                    *relative = flat(own - felt);
                    *drift = flat(pace - felt) * ((1.0 - SHARE) * seconds);
                    *drift + (*relative * 4.0 - flat(earlier_pace - felt)) * (SHARE * seconds / 3.0)
                }
            };
            if slide.norm() > farthest {
                [*slide, *drift, *relative] = [Vec3::zeros(); 3];
            }
        },
    );
}

/// The new velocity of the skin: the body's, plus the material's velocity over the body, advected with it
/// (semi-Lagrangian, Stam 1999; \[ThinSkin eq. 8\]): the material now at a vertex came from where the path leads back
/// to.
pub(super) fn carry_velocity(model: &Model, state: &mut State, scratch: &mut Scratch, seconds: Real) {
    if model.settings.mode == Mode::Quasistatic {
        return state.velocity.copy_from_slice(&state.body_velocity);
    }
    let rest = &model.rest;
    let (carried, skin) = (&scratch.carried, &state.skin);
    // The terms' references are the positions of the carried skin.
    find_places(rest, skin, &mut scratch.places);
    let (normals, terms, places) = (&scratch.normals[0], &scratch.terms, &scratch.places);
    scratch.between.find(rest, places, &state.body);
    let body_from_skin = &scratch.between;
    let (drift, relative, body_velocity) = (&scratch.drift, &scratch.relative, &state.body_velocity);
    let moved = scratch.slide.par_iter_mut().zip(&mut scratch.carried_along).with_min_len(256);
    moved.enumerate().for_each(|(v, (way, along))| {
        if model.holds()[v] != Hold::Fixed && carried[v] != skin[v] {
            let way_on_skin = flat_way(rest, &(places[v] - terms[v].reference), &skin[v]);
            *way -= body_from_skin.at(rest, v, [&rest.normal(&skin[v]), &normals[v]]) * way_on_skin;
        }
        let velocity = (*way - drift[v]) / (SHARE * seconds);
        *along = [velocity, *way / seconds, relative[v]].map(|relative| body_velocity[v] + relative);
    });
    let (way, along, mesh) = (&scratch.slide, &scratch.carried_along, &scratch.body);
    let kept = state.velocity.par_iter_mut().zip(&mut state.pace).zip(&mut state.earlier_pace);
    kept.with_min_len(256).enumerate().for_each(|(v, ((velocity, pace), earlier_pace))| {
        let walk = walk_on_body(mesh, rest.edges(), v, -way[v]).filter(|_| way[v] != Vec3::zeros());
        [*velocity, *pace, *earlier_pace] = walk.map_or(along[v], |walk| {
            let corners = mesh.triangles[walk.end.triangle as usize].map(|v| v as usize);
            std::array::from_fn(|k| walk.end.mix(corners.map(|v| along[v][k])))
        });
    });
}
