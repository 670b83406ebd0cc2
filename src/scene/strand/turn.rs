//! Rotations as users know them: a rotation vector, Euler angles, or where two axes point.

use super::values::{Triple, numbers, words};
use crate::quantity::{Number, Quantity, Turned, rotation};
use crate::schema::{Attribute, Form};
use serde::{Serialize, Serializer};
use sinew_math::motion::rotation_by;
use sinew_math::motion::rotation_vector;
use sinew_math::{Mat3, Placement, Real, Rotation, Vec3};

/// The orientation of axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// About one axis, by as many degrees as the vector is long.
    Vector([f64; 3]),
    /// Angles in degrees about x, y and z, and the order in which they are applied, about fixed axes: the same
    /// convention as Maya's rotate order and Blender's Euler modes of that name.
    Euler([usize; 3], [f64; 3]),
    /// Where two axes point: the first exactly, the second as far as it is perpendicular to the first.
    Axes([(usize, [f64; 3]); 2]),
}

impl Default for Turn {
    fn default() -> Self {
        Turn::Vector([0.0; 3])
    }
}

const LETTERS: [&str; 3] = ["x", "y", "z"];
/// Two axes count as parallel when the sine of the angle between them is less.
const PARALLEL: Real = 1e-9;

fn letter(text: &str) -> Option<usize> {
    LETTERS.iter().position(|letter| *letter == text)
}

/// An order such as zxy: each axis once.
fn order(text: &str) -> Option<[usize; 3]> {
    let all: Vec<usize> = text.chars().filter_map(|c| letter(c.encode_utf8(&mut [0; 4]))).collect();
    let order: [usize; 3] = all.try_into().ok()?;
    let whole = text.len() == 3 && (0..3).all(|axis| order.contains(&axis));
    whole.then_some(order)
}

impl Turn {
    /// That of a rotation.
    pub fn of(rotation: &Rotation) -> Self {
        let vector = rotation_vector(rotation);
        // Not -0.
        Turn::Vector([vector.x, vector.y, vector.z].map(|x| x.to_degrees() + 0.0))
    }

    /// As a rotation.
    pub fn rotation(&self) -> Rotation {
        let degree = (1.0 as Real).to_radians();
        match self {
            Turn::Vector(vector) => rotation_by(&(Vec3::from(*vector) * degree)),
            Turn::Euler(order, angles) => order.iter().fold(Rotation::identity(), |before, &axis| {
                rotation_by(&Vec3::ith(axis, angles[axis] * degree)) * before
            }),
            Turn::Axes([(first, along), (second, other)]) => {
                let along = Vec3::from(*along).normalize();
                let other = Vec3::from(*other).normalize();
                let other = (other - along * along.dot(&other)).normalize();
                // The third makes them right-handed.
                let sign = if (first + 1) % 3 == *second { 1.0 } else { -1.0 };
                let mut axes = Mat3::zeros();
                axes.set_column(*first, &along);
                axes.set_column(*second, &other);
                axes.set_column(3 - first - second, &(along.cross(&other) * sign));
                rotation(&axes)
            }
        }
    }

    fn euler(text: &str) -> Option<Self> {
        let (word, angles) = text.trim().split_once(char::is_whitespace)?;
        Some(Turn::Euler(order(word)?, numbers(angles)?))
    }

    fn axes(text: &str) -> Option<Self> {
        let all: Vec<&str> = text.split_whitespace().collect();
        let [a, b] = [all.get(..4)?, all.get(4..8).filter(|_| all.len() == 8)?];
        let axis = |words: &[&str]| Some((letter(words[0])?, numbers::<3>(&words[1..].join(" "))?));
        let axes @ [(first, along), (second, other)] = [axis(a)?, axis(b)?];
        let [along, other] = [along, other].map(|v| Vec3::from(v).try_normalize(0.0));
        // Two parallel axes, or a zero one, define no third.
        (first != second && along?.cross(&other?).norm() > PARALLEL).then_some(Turn::Axes(axes))
    }
}

impl Attribute for Turn {
    const EXPECTED: &'static str = "a rotation vector in degrees; or an order and angles about x, y and z, such as \
            xyz 90 0 30; or where two axes point, such as x 0 1 0 y -1 0 0";
    const FORM: Form = Form::Turn;
    fn parse(text: &str) -> Option<Self> {
        let vector = numbers(text).map(Turn::Vector);
        vector.or_else(|| Turn::euler(text)).or_else(|| Turn::axes(text))
    }
    fn text(&self) -> Option<String> {
        Some(match self {
            Turn::Vector(vector) => words(vector),
            Turn::Euler(order, angles) => {
                format!("{} {}", order.map(|axis| LETTERS[axis]).concat(), words(angles))
            }
            Turn::Axes(axes) => {
                axes.map(|(axis, along)| format!("{} {}", LETTERS[axis], words(&along))).join(" ")
            }
        })
    }
    fn measure(&mut self, quantity: Quantity, visit: &mut dyn FnMut(Quantity, Number)) {
        visit(quantity, Number::Turn(self));
    }
}

impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Turn::Vector(vector) => vector.serialize(serializer),
            _ => serializer.serialize_str(&self.text().unwrap_or_default()),
        }
    }
}

impl Triple {
    /// As the origin of rotated axes.
    pub fn turned(self, turn: Turn) -> Placement {
        Placement::new(turn.rotation(), self.vec())
    }
}

impl Turned for Turn {
    fn rotation(&self) -> Rotation {
        Turn::rotation(self)
    }
    fn set_rotation(&mut self, rotation: &Rotation) {
        *self = Turn::of(rotation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(text: &str, expected: [[Real; 3]; 3]) {
        let found = Turn::parse(text).unwrap();
        let axes = found.rotation().to_rotation_matrix();
        let off = (axes.matrix() - Mat3::from_columns(&expected.map(Vec3::from))).amax();
        assert!(off < 1e-12, "{text}: {axes}");
        assert_eq!(Turn::parse(&found.text().unwrap()), Some(found));
    }

    #[test]
    fn each_way_to_say_a_turn_gives_its_axes() {
        let quarter = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        for text in ["0 0 90", "xyz 0 0 90", "x 0 2 0 y -1 0 0", "y -3 0 0 z 1 0 9", "z 0 0 1 x 0 1 5"] {
            close(text, quarter);
        }
        // x first: y goes to z, then a quarter about z leaves it there; the other way it ends at -x.
        close("xyz 90 0 90", [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
        close("zyx 90 0 90", [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
    }

    #[test]
    fn what_is_no_turn_is_refused() {
        for text in
            ["", "1 2", "xyy 0 0 0", "xy 0 0 0", "xyz 1 2", "x 1 0 0", "x 1 0 0 x 0 1 0", "x 0 0 0 y 0 1 0"]
        {
            assert_eq!(Turn::parse(text), None, "{text}");
        }
        assert_eq!(Turn::parse("x 1 0 0 y -2 0 0"), None);
        assert_eq!(Turn::parse("x 1 0 0 y 0 1 0 z"), None);
        assert_eq!(Turn::parse("xyz 1 2 nan"), None);
    }
}
