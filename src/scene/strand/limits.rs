//! Limits for numbers that are finite but absurd. Results computed from them would overflow or be lost in round-off,
//! and the error would name a row of a matrix instead of a line of the file.

use super::StrandScene;
use super::names::wrong;
use crate::quantity::Quantity;
use crate::schema::{Element, ElementSchema, Line, Tree};
use sinew_base::error::{Kind, Result};
use sinew_math::{Real, Vec3};

/// The largest coordinate or length: beyond it a step of a metre is lost in the round-off of its square.
const LENGTH: f64 = 1e9;
/// The largest gravity, in m/s^2: a hundred thousand times the Earth's.
const GRAVITY: f64 = 1e6;
/// The largest of all other numbers; Young's modulus of diamond is 1e12 Pa.
const NUMBER: f64 = 1e15;
/// The masses of free bodies, in kg: outside this range the factors of connected bodies lose all digits.
const MASSES: [Real; 2] = [1e-12, 1e9];
/// The largest moment of inertia per kg: all of the mass 100 km away.
const MOMENT_PER_MASS: Real = 1e10;

impl StrandScene {
    /// Refuses absurd numbers, by element and line.
    pub(super) fn check_numbers(&self) -> Result<()> {
        walk(&self.to_tree(), Self::schema(), "")
    }
}

fn walk(tree: &Tree, schema: &ElementSchema, path: &str) -> Result<()> {
    for (name, text) in &tree.attributes {
        let known = schema.attributes.iter().find(|known| known.name == name);
        let numeric = known.is_some_and(|known| known.expected.contains("number"));
        let most = match known.map_or(Quantity::Plain, |known| known.quantity) {
            Quantity::Gravity => GRAVITY,
            quantity if quantity.has_length() => LENGTH,
            _ => NUMBER,
        };
        let numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        if let Some(number) = numbers.filter(|_| numeric).find(|number| number.abs() > most) {
            let message = format!("{name} is {number:e}; the limit is {most:e}");
            return Err(wrong(Kind::OutOfRange, message, path, Line(tree.line)));
        }
    }
    let children = (schema.children)();
    for child in &tree.children {
        if let Some(known) = children.iter().find(|known| known.element.name == child.name) {
            let path = if path.is_empty() { child.name.clone() } else { format!("{path}/{}", child.name) };
            walk(child, known.element, &path)?;
        }
    }
    Ok(())
}

/// Refuses mass and moments of a free body that a solver could not tell from zero or infinity; `found` is where they
/// stand.
pub(super) fn check_mass(mass: Real, moments: &Vec3, found: (&str, Line)) -> Result<()> {
    let (element, line) = found;
    let refuse = |message: String| Err(wrong(Kind::OutOfRange, message, element, line));
    let [least, most] = MASSES;
    // What is 0 or less is refused with the body.
    if mass > most || (mass > 0.0 && mass < least) {
        return refuse(format!(
            "a mass of {:e} kg; that of a free body lies between {least:e} and {most:e}",
            shown(mass)
        ));
    }
    let moment = moments.amax();
    if moment > mass * MOMENT_PER_MASS && mass > 0.0 {
        let [moment, mass] = [moment, mass].map(shown);
        return refuse(format!("a moment of inertia of {moment:e} kg m^2 for a mass of {mass:e} kg"));
    }
    Ok(())
}

/// Four digits of a number.
fn shown(x: Real) -> Real {
    format!("{x:.3e}").parse().unwrap_or(x)
}
