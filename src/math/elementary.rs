//! Elementary functions with the same bits on every processor and system.
//!
//! The C library's sine, exponential or power round differently from one version to the next, and from one processor to
//! another, because they use fused multiply-add where there is one; the methods of `f64` call them. Machines of one
//! farm must agree, so everything inside Sinew calls these: `libm`'s are additions and multiplications in the order of
//! their source. Methods that are rounded exactly (`sqrt`, `abs`, `floor`, `round`, `rem_euclid`) are the same
//! everywhere, and so is `powi`, a product in a fixed order. `.clippy.toml` lists what must not be called, nalgebra's
//! rotations by an angle included, and a test looks at what the built library imports.

pub use libm::{
    acos, asin, asinh, atan, atan2, atanh, cbrt, cos, exp, exp2, expm1 as exp_m1, hypot, log as ln, log2,
    log10, pow as powf, sin, sincos as sin_cos,
};

use super::Real;

/// A positive number, or 0, to a positive power: a tenth of the time of [`powf`], and as accurate as a picture needs,
/// to
/// |y ln x| times the precision of a number.
pub fn powf_of_colour(x: Real, y: Real) -> Real {
    exp(y * ln(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{E, PI};
    use std::hint::black_box;

    #[test]
    fn colours_have_the_power_that_they_need() {
        for y in [1.0 / 2.4, 1.0 / 2.2, 1.0, 2.2, 2.4] {
            assert_eq!((powf_of_colour(0.0, y), powf_of_colour(1.0, y)), (0.0, 1.0));
            for k in 1..=65535 {
                let x = Real::from(k) / 65535.0;
                assert!((powf_of_colour(x, y) / powf(x, y) - 1.0).abs() < 1e-14, "{x} to {y}");
            }
        }
    }

    /// Known to more digits than a number holds, and not from another library.
    #[test]
    fn known_values_are_exact_to_half_a_unit_or_little_more() {
        let near = |found: Real, exact: Real| (found - exact).abs() <= 2.0 * Real::EPSILON * exact.abs();
        for (found, exact) in [
            (exp(1.0), E),
            (exp2(-24.0), 1.0 / 16_777_216.0),
            (exp_m1(1e-10), 1.000_000_000_05e-10),
            (ln(2.0), std::f64::consts::LN_2),
            (log2(4096.0), 12.0),
            (log10(1e15), 15.0),
            (sin(PI / 6.0), 0.5),
            (cos(PI / 3.0), 0.5),
            (atan(1.0), PI / 4.0),
            (atan2(1.0, -1.0), 0.75 * PI),
            (acos(-1.0), PI),
            (asin(0.5), PI / 6.0),
            (asinh(1.0), (1.0 + 2f64.sqrt()).ln()),
            (atanh(0.5), 0.5 * 3f64.ln()),
            (cbrt(27.0), 3.0),
            (hypot(3e200, 4e200), 5e200),
            (powf(2.0, 0.5), std::f64::consts::SQRT_2),
        ] {
            assert!(near(found, exact), "{found:e} {exact:e}");
        }
    }

    /// The compiler replaces a constant power by multiplications, and calls a function for others.
    #[test]
    fn whole_powers_are_products_in_one_order() {
        let product = |x: Real, n: i32| {
            let (mut result, mut square, mut left) = (1.0, x, n.unsigned_abs());
            while left > 0 {
                if left & 1 == 1 {
                    result *= square;
                }
                square *= square;
                left >>= 1;
            }
            if n < 0 { 1.0 / result } else { result }
        };
        let (mut x, mut all) = (0.37, 0);
        while x < 3.0 {
            for n in -40..=40 {
                assert_eq!(
                    black_box(x as Real).powi(black_box(n)).to_bits(),
                    product(x, n).to_bits(),
                    "{x} {n}"
                );
            }
            for (constant, n) in
                [(x.powi(2), 2), (x.powi(3), 3), (x.powi(6), 6), (x.powi(28), 28), (x.powi(-2), -2)]
            {
                assert_eq!(constant.to_bits(), product(x, n).to_bits(), "{x} {n}");
            }
            (x, all) = (x * 1.0173, all + 1);
        }
        assert!(all > 100);
    }
}
