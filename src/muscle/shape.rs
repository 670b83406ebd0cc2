//! The widths of a muscle \[BezierMuscle §3.3, §3.4\].

use super::parts::Muscle;
use sinew_math::Real;
use sinew_math::elementary::{powf, sin};
use std::f64::consts::{FRAC_PI_2, PI};

/// The least width of a muscle, as a fraction of its width at rest: with a bulge multiplier near 1 the paper's formula
/// reaches zero when the muscle is stretched to twice its length, and turns it inside out beyond.
pub const LEAST_WIDTH: Real = 0.1;

/// The least length of a muscle, as a fraction of its length at rest, that widens it further: at zero its width would
/// be infinite.
pub const LEAST_LENGTH: Real = 0.1;

/// A muscle that has shortened by this part of its length at rest is as active as it makes itself.
const FLEXED: Real = 0.25;

/// How active a muscle is by itself from 0 to 1: rises smoothly as it shortens. Ours; the paper's muscles are activated
/// from outside alone. Who does the work is not asked: a limb that gravity or a hand bends flexes as well.
pub fn effort(rest: Real, now: Real) -> Real {
    let part = ((rest - now) / (FLEXED * rest)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// r_i = S sin^T(pi (i - 1) / (N_cs - 1)) \[eq. 4\]; `ring` counts from 0.
pub fn radius(muscle: &Muscle, ring: usize) -> Real {
    let last = muscle.rings - 1;
    // The sine of a rounded pi is not zero.
    if ring == 0 || ring == last {
        return 0.0;
    }
    muscle.size * powf(sin(PI * ring as Real / last as Real), muscle.taper)
}

/// o' / o = (1 + B sin(pi/2 dl)) sqrt(l_rest / l_new) \[eq. 7\], where dl = (l_rest - l_new) / l_rest, divided by R
/// when the muscle is longer than at rest \[eq. 8\].
pub fn widening(bulge: Real, stretch_ratio: Real, rest: Real, now: Real) -> Real {
    let now = now.max(LEAST_LENGTH * rest);
    let shortened = (rest - now) / rest;
    let shortened = if shortened > 0.0 { shortened } else { (shortened / stretch_ratio).max(-1.0) };
    let width = (1.0 + bulge * sin(FRAC_PI_2 * shortened)) * (rest / now).sqrt();
    width.max(LEAST_WIDTH)
}
