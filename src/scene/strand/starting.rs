//! The numbers with which hosts begin what users place and draw, until they set their own.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};

/// The numbers of an element's attributes.
pub type Numbers = Vec<(&'static str, Vec<Real>)>;

/// In kg/m^3.
const BONE: Real = 1900.0;
/// A bone without a shape is a rod: this thick for its length.
const SLENDERNESS: Real = 0.25;
/// The radius of a new tendon as a part of the size of the scene.
const THICKNESS: Real = 0.005;
/// In N.
const STRENGTH: Real = 100.0;

/// Those of a "strand" in a scene of a size, in whose unit its radius is; or of a "reel", "muscle" or "hill" of a
/// strength in N, where 0 stands for 100.
pub fn starting_numbers(element: &str, measure: Real) -> Result<Numbers> {
    if !(measure.is_finite() && measure >= 0.0) {
        return Err(Error::new(Kind::OutOfRange, format!("the measure is {measure}; it must be 0 or more")));
    }
    let strength = if measure > 0.0 { measure } else { STRENGTH };
    let numbers = match element {
        // As tendons of a hand, which settle within frames and do not ring.
        "strand" => vec![
            ("radius", THICKNESS * measure),
            ("density", 1100.0),
            ("young", 1.2e9),
            ("axial_damping", 0.002),
            ("lateral_damping", 50.0),
        ],
        // At full strength it draws in 2 m/s at most, against a spring that the full force stretches by several metres.
        "reel" => vec![("strength", strength), ("damping", 0.5 * strength), ("stiffness", 0.15 * strength)],
        // At full strength it shortens at 0.6 m/s at most, against a spring that the full force stretches by a few
        // lengths.
        "muscle" => vec![
            ("strength", strength),
            ("damping", 0.02 * strength),
            ("stiffness", 0.15 * strength),
            ("fading", 1.0 / 0.6),
        ],
        "hill" => vec![("strength", strength)],
        _ => {
            let message = format!("there are numbers for strand, reel, muscle and hill, not for {element:?}");
            return Err(Error::new(Kind::NotFound, message));
        }
    };
    Ok(numbers.into_iter().map(|(name, number)| (name, vec![number])).collect())
}

/// The "inertia" of a body that is a rod from its origin to an end in its own axes, of a density in kg/m^3, where 0
/// stands for that of bone. In SI units, but for the centre, which is in the unit of the end.
pub fn rod_inertia(end: Vec3, metres_per_unit: Real, density: Real) -> Result<Numbers> {
    let out_of_range = |message: String| Err(Error::new(Kind::OutOfRange, message));
    let size = (end.x * end.x + end.y * end.y + end.z * end.z).sqrt();
    if !(size.is_finite() && size > 0.0) {
        return out_of_range(format!(
            "a rod of the length {size} has no mass: a bone ends elsewhere than it begins"
        ));
    }
    if !(metres_per_unit.is_finite() && metres_per_unit > 0.0 && density.is_finite() && density >= 0.0) {
        return out_of_range(format!(
            "a unit of {metres_per_unit} m and a density of {density} kg/m^3 cannot be"
        ));
    }
    let density = if density > 0.0 { density } else { BONE };
    let along = (1.0 / size) * end;
    let height = size * metres_per_unit;
    let radius = SLENDERNESS * height / 2.0;
    let mass = density * std::f64::consts::PI * radius * radius * height;
    let across = mass * (3.0 * radius * radius + height * height) / 12.0;
    let about = mass * radius * radius / 2.0;
    let moments = along.map(|x| across + (about - across) * x * x);
    let list = |vector: Vec3| vector.iter().copied().collect();
    Ok(vec![("mass", vec![mass]), ("moments", list(moments)), ("centre", list(0.5 * end))])
}

#[cfg(test)]
mod tests {
    use super::super::StrandScene;
    use super::*;
    use crate::schema::{Element, ElementSchema};

    fn schema(name: &str) -> &'static ElementSchema {
        let scene = StrandScene::schema();
        let body = scene.child("body").unwrap().element;
        scene.child(name).or_else(|| body.child(name)).unwrap().element
    }

    fn check(name: &str, numbers: &Numbers) {
        for (attribute, values) in numbers {
            let known = schema(name).attributes.iter().find(|known| known.name == *attribute);
            assert!(known.is_some() && values.iter().all(|x| x.is_finite()), "{name} {attribute} {values:?}");
        }
    }

    #[test]
    fn what_hosts_begin_with_are_attributes_of_the_format() {
        for name in ["strand", "reel", "muscle", "hill"] {
            check(name, &starting_numbers(name, 2.0).unwrap());
        }
        check("inertia", &rod_inertia(Vec3::new(0.0, 3.0, 0.0), 0.01, 0.0).unwrap());
        let of = |name, measure| starting_numbers(name, measure).unwrap()[0].1[0];
        assert_eq!((of("strand", 2.0), of("reel", 30.0), of("muscle", 0.0)), (0.01, 30.0, 100.0));
        assert_eq!(starting_numbers("plane", 1.0).unwrap_err().kind(), Kind::NotFound);
        for wrong in [-1.0, Real::NAN, Real::INFINITY] {
            assert_eq!(starting_numbers("strand", wrong).unwrap_err().kind(), Kind::OutOfRange);
        }
    }

    /// A rod of 1 m along y, turned, and measured in centimetres.
    #[test]
    fn a_rod_has_the_mass_and_the_moments_of_a_cylinder() {
        let check = |end: [Real; 3], unit, density, expected: [Real; 7]| {
            let found = rod_inertia(Vec3::from(end), unit, density).unwrap();
            let found: Vec<Real> = found.into_iter().flat_map(|(_, values)| values).collect();
            let close = |(a, b): (&Real, &Real)| (a - b).abs() <= 1e-12 * b.abs();
            assert!(
                found.len() == 7 && found.iter().zip(&expected).all(close),
                "{end:?}: {found:?} {expected:?}"
            );
        };
        let radius = 0.125;
        let mass = 1000.0 * std::f64::consts::PI * radius * radius;
        let (across, about) = (mass * (3.0 * radius * radius + 1.0) / 12.0, mass * radius * radius / 2.0);
        check([0.0, 1.0, 0.0], 1.0, 1000.0, [mass, across, about, across, 0.0, 0.5, 0.0]);
        check([0.0, 0.0, -1.0], 1.0, 1000.0, [mass, across, across, about, 0.0, 0.0, -0.5]);
        check([0.0, 100.0, 0.0], 0.01, 1000.0, [mass, across, about, across, 0.0, 50.0, 0.0]);
        let of_bone = [mass, about, across, across].map(|x| 1.9 * x);
        check([1.0, 0.0, 0.0], 1.0, 0.0, [of_bone[0], of_bone[1], of_bone[2], of_bone[3], 0.5, 0.0, 0.0]);
        for (end, unit, density) in
            [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, -1.0), (Real::NAN, 1.0, 1.0)]
        {
            assert!(rod_inertia(Vec3::new(end, 0.0, 0.0), unit, density).is_err(), "{end} {unit} {density}");
        }
    }
}
