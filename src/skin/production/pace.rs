//! The pace at which skin slides from equilibrium to equilibrium, its change, and what it foretells: skin that moves as
//! before does not snap.

use super::super::model::{Mode, Model};
use super::super::state::State;
use super::super::tangent::{way_from, way_on_skin};
use super::Scratch;
use rayon::prelude::*;
use sinew_math::{Real, Vec3};

/// The displacement to the next equilibrium, extrapolated from the previous steps. Tied skin comes to the same
/// equilibrium from anywhere near, so how the body's motion carries it does not count.
pub(super) fn look_ahead(model: &Model, state: &State, scratch: &mut Scratch, seconds: Real) {
    if model.settings.mode == Mode::Dynamic {
        return;
    }
    scratch.from.clone_from(&state.skin);
    let tied = (0..model.len()).filter(|&v| model.is_tied(v));
    tied.for_each(|v| scratch.from[v] = scratch.before[v]);
    let farthest = model.thresholds.teleport * model.rest.extent();
    for (way, (pace, earlier)) in scratch.ways.iter_mut().zip(state.pace.iter().zip(&state.earlier_pace)) {
        let ahead = (pace + (pace - earlier) * state.trend) * seconds;
        // Also if it is NaN.
        *way = if ahead.norm() <= farthest { ahead } else { Vec3::zeros() };
    }
    // Skin on its way to another resting position moves no faster than allowed.
    let braked = state.brakes.iter().zip(&mut scratch.ways).filter(|(brake, _)| **brake != Vec3::zeros());
    braked.for_each(|(_, way)| *way = Vec3::zeros());
}

/// Stores how fast the skin moved to its equilibrium, see [`look_ahead`].
pub(super) fn keep_pace(model: &Model, state: &mut State, scratch: &mut Scratch, seconds: Real) {
    if model.settings.mode == Mode::Dynamic {
        state.trend = 0.0;
        return;
    }
    let changes = &mut scratch.ways;
    let paces = state.pace.iter().zip(&state.earlier_pace);
    changes.iter_mut().zip(paces).for_each(|(change, (pace, earlier))| *change = pace - earlier);
    std::mem::swap(&mut state.pace, &mut state.earlier_pace);
    let (from, carried, terms, skin) = (&scratch.from, &scratch.carried, &scratch.terms, &state.skin);
    state.pace.par_iter_mut().with_min_len(512).enumerate().for_each(|(v, pace)| {
        let way = match from[v] == skin[v] {
            true => Vec3::zeros(),
            // The terms' references are the positions of the carried skin.
            false if from[v] == carried[v] => way_from(&model.rest, &terms[v].reference, &skin[v]),
            false => way_on_skin(&model.rest, &from[v], &skin[v]),
        };
        *pace = way / seconds;
        if !pace.norm().is_finite() {
            *pace = Vec3::zeros();
        }
    });
    state.trend = trend(&scratch.ways, &state.earlier_pace, &state.pace);
}

/// The fraction of earlier changes of the pace that best predicts the newest ones; zero for jitter.
fn trend(changes: &[Vec3], before: &[Vec3], now: &[Vec3]) -> Real {
    let (mut along, mut all) = (0.0, 0.0);
    for ((change, before), now) in changes.iter().zip(before).zip(now) {
        along += change.dot(&(now - before));
        all += change.norm_squared();
    }
    let share = along / all;
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trend_is_what_the_last_change_of_the_pace_foretold() {
        let of = |share: Real, jitter: Real| -> [Vec<Vec3>; 3] {
            let change = |v: usize| Vec3::new((v as Real).sin(), 0.3, -0.1 * v as Real);
            let before = |v: usize| Vec3::new(1.0, v as Real, 0.0);
            let now = |v: usize| before(v) + change(v) * share + Vec3::y() * jitter;
            [(0..9).map(change).collect(), (0..9).map(before).collect(), (0..9).map(now).collect()]
        };
        let trend = |[changes, before, now]: [Vec<Vec3>; 3]| trend(&changes, &before, &now);
        for (share, expected) in [(0.0, 0.0), (0.4, 0.4), (1.0, 1.0), (1.7, 1.0), (-0.8, 0.0)] {
            assert!((trend(of(share, 0.0)) - expected).abs() < 1e-12, "{share}");
        }
        assert!((0.4..1.0).contains(&trend(of(0.4, 0.5))));
        let still = || vec![Vec3::zeros(); 9];
        assert_eq!(trend([still(), still(), still()]), 0.0);
        assert_eq!(trend([still(), still(), of(1.0, 0.0)[2].clone()]), 0.0);
        assert_eq!(trend([vec![Vec3::repeat(1e200); 9], still(), vec![Vec3::repeat(-1e200); 9]]), 0.0);
    }
}
