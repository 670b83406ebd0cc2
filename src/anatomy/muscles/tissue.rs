//! How heavy and how stiff flesh and fat are.

use super::belly::Belly;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_math::elementary::{powf, sin};
use sinew_muscle::Spring;
use std::f64::consts::{PI, TAU};

/// Densities in kg/m^3: of muscle (Mendez and Keys, 1960) and of fat (Fidanza, Keys and Anderson, 1953).
const MUSCLE: Real = 1060.0;
const FAT: Real = 900.0;

/// How many places along a muscle its volume is added up at.
const PLACES: usize = 32;

/// The volume of a muscle whose radius is S sin^T(pi u) along its curve.
fn volume(belly: &Belly) -> Real {
    let at = |k: usize| powf(sin(PI * (k as Real + 0.5) / PLACES as Real), 2.0 * belly.taper);
    let mean = (0..PLACES).map(at).sum::<Real>() / PLACES as Real;
    PI * belly.size * belly.size * mean * belly.curve.arc_length()
}

/// The mass in kg of a muscle; `metres` are in a unit of its lengths.
pub(super) fn flesh_mass(belly: &Belly, metres: Real) -> Real {
    three_digits(MUSCLE * volume(belly) * metres.powi(3))
}

/// The mass in kg of a pad: half of the ball around its centre is outside of the body.
pub(super) fn fat_mass(radius: Real, metres: Real) -> Real {
    three_digits(FAT * TAU / 3.0 * (radius * metres).powi(3))
}

/// A spring; its stiffness is that of its frequency in Hz unless it is given.
pub(super) fn spring(mass: Real, stiffness: Option<Real>, frequency: Real, damping: Real) -> Result<Spring> {
    if !(frequency.is_finite() && frequency > 0.0) {
        let message = format!("its frequency is {frequency}; it must be positive");
        return Err(Error::new(Kind::OutOfRange, message));
    }
    let stiffness = stiffness.unwrap_or_else(|| three_digits(mass * (TAU * frequency).powi(2)));
    Ok(Spring { mass, stiffness, damping })
}

/// With three digits, however small: what is written should be easy to read.
fn three_digits(x: Real) -> Real {
    format!("{x:.2e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::Vec3;
    use sinew_muscle::curve::Curve;

    fn belly(size: Real, length: Real, taper: Real) -> Belly {
        let points = [0.0, 0.5, 1.0].map(|t| Vec3::new(t * length, 0.0, 0.0));
        Belly { curve: Curve { points }, size, taper, moved: false }
    }

    /// A taper of 1 fills half of its cylinder, one of 1/2 fills 2/pi: the means of sin^2 and of sin.
    #[test]
    fn muscles_weigh_what_they_fill() {
        for (taper, mean) in [(1.0, 0.5), (0.5, 2.0 / PI)] {
            let filled = volume(&belly(0.02, 0.3, taper)) / (PI * 0.02 * 0.02 * 0.3);
            assert!((filled - mean).abs() < 1e-3, "{filled}");
        }
        // A biceps in metres and in centimetres: 0.2 kg at 12 Hz.
        for (metres, unit) in [(1.0, 1.0), (0.01, 100.0)] {
            let mass = flesh_mass(&belly(0.02 * unit, 0.3 * unit, 1.0), metres);
            let spring = spring(mass, None, 12.0, 0.5).unwrap();
            assert_eq!((spring.mass, spring.stiffness, spring.damping), (0.2, 1140.0, 0.5));
        }
    }

    #[test]
    fn what_a_plan_says_counts() {
        let said = spring(2.0, Some(50.0), 12.0, 0.5).unwrap();
        assert_eq!((said.mass, said.stiffness), (2.0, 50.0));
        let pad = spring(fat_mass(0.1, 1.0), None, 4.0, 0.5).unwrap();
        assert_eq!(pad.mass, 1.88);
        assert!((Real::sqrt(pad.stiffness / pad.mass) / TAU - 4.0).abs() < 0.02);
        for frequency in [0.0, -1.0, Real::NAN] {
            assert!(spring(1.0, None, frequency, 0.5).is_err());
        }
    }
}
