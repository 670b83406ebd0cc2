//! Numbers of attributes, in the unit of length and the axes of whoever asks.

use super::{Document, Id};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Space;
use sinew_math::motion::rotation_vector;
use sinew_scene::quantity::{Between, Number, Quantity, applied};
use sinew_scene::schema::{Attribute, AttributeSchema, Form, Need};
use sinew_scene::strand::values::AxisName;

/// Elements whose attribute names the motion of a joint that the numbers in them belong to.
const MOTIONS: [(&str, &str); 2] = [("axis", "name"), ("goal_motion", "axis")];

impl Document {
    /// The numbers of an attribute in a space: its own, or those of its default. None if it has neither; rotations are
    /// rotation vectors in degrees.
    pub fn numbers(&self, id: Id, attribute: &str, space: Space) -> Result<Option<Vec<f64>>> {
        let known = self.attribute(id, attribute)?;
        self.numbers_between(id, known, &Between(self.space()?, space))
    }

    pub(super) fn numbers_between(
        &self,
        id: Id,
        known: &AttributeSchema,
        between: &Between,
    ) -> Result<Option<Vec<f64>>> {
        let default = match known.need {
            Need::Default(text) => Some(text),
            _ => None,
        };
        let Some(text) = self.text_of(id, known.name)?.or(default) else { return Ok(None) };
        let mut found = Vec::new();
        let converted = self.convert(id, known, text, between, |number| found.extend(values(number)))?;
        if converted.is_none() || found.is_empty() {
            let message = format!("{} is {text:?}; numbers are expected", known.name);
            return Err(self.at(Error::new(Kind::WrongType, message), id));
        }
        Ok(Some(found))
    }

    /// Sets the numbers of an attribute, given in a space. Those that are what [`Document::numbers`] gives keep their
    /// bits.
    pub fn set_numbers(&mut self, id: Id, attribute: &str, numbers: &[f64], space: Space) -> Result<()> {
        let known = self.attribute(id, attribute)?;
        if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
            let message = format!("{attribute} is {number}; a finite number is expected");
            return Err(self.at(Error::new(Kind::NotFinite, message), id));
        }
        if MOTIONS.iter().any(|(element, _)| self.element(id).is_ok_and(|own| own == *element))
            && self.motion(id)?.is_none()
        {
            let message = "the motion is not known yet, which decides whether numbers are degrees or lengths: name it \
                    first";
            return Err(self.at(Error::new(Kind::MissingInput, message), id));
        }
        let given = words(numbers);
        let own = self.space()?;
        let mut made = Vec::new();
        let text = self.convert(id, known, &given, &Between(space, own), |number| made = values(number))?;
        let Some(text) = text else {
            let message = format!("{attribute} is given as {given:?}; expected {}", known.expected);
            return Err(self.at(Error::new(Kind::WrongType, message), id));
        };
        let kept = if known.form == Form::Turn { None } else { self.kept(id, known, &made, space)? };
        self.file.set(id, attribute, Some(kept.as_deref().unwrap_or(&text)))
    }

    /// Numbers in the document's space with those that it has already where going to another space and back leads to
    /// the same; none if it has none.
    fn kept(&self, id: Id, known: &AttributeSchema, made: &[f64], space: Space) -> Result<Option<String>> {
        let own = self.space()?;
        let there = |between: Between| Ok(self.numbers_between(id, known, &between).unwrap_or(None));
        let (Some(before), Some(seen)) = (there(Between(own, own))?, there(Between(own, space))?) else {
            return Ok(None);
        };
        if before.len() != made.len() || own == space {
            return Ok(None);
        }
        let mut back = Vec::new();
        let seen = words(&seen);
        self.convert(id, known, &seen, &Between(space, own), |number| back = values(number))?;
        let kept = made.iter().zip(&back).zip(&before);
        let kept: Vec<f64> =
            kept.map(|((made, back), before)| if made == back { *before } else { *made }).collect();
        Ok(Some(words(&kept)))
    }

    /// A text of an attribute between two spaces, whose numbers `see` sees afterwards; none if it cannot be read.
    fn convert(
        &self,
        id: Id,
        known: &AttributeSchema,
        text: &str,
        between: &Between,
        mut see: impl FnMut(&Number),
    ) -> Result<Option<String>> {
        let mut map = applied(between);
        self.motion(id)?.into_iter().for_each(|axis| map(Quantity::Plain, Number::Of(axis.index())));
        Ok((known.convert)(text, &mut |quantity, mut number| {
            map(quantity, number.again());
            see(&number);
        }))
    }

    /// The motion of a joint that the numbers of an element belong to.
    fn motion(&self, id: Id) -> Result<Option<AxisName>> {
        let mut at = Some(id);
        while let Some(id) = at {
            let name = self.element(id)?;
            if let Some((_, attribute)) = MOTIONS.iter().find(|(element, _)| *element == name) {
                return Ok(self.text_of(id, attribute)?.and_then(AxisName::parse));
            }
            at = self.file.parent(id)?;
        }
        Ok(None)
    }
}

fn words(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

fn values(number: &Number) -> Vec<f64> {
    match number {
        Number::Real(x) => vec![**x],
        Number::Vector(v) => v.to_vec(),
        Number::Range(ends) => ends.to_vec(),
        Number::Turn(turn) => {
            let vector = rotation_vector(&turn.rotation());
            [vector.x, vector.y, vector.z].map(|x| x.to_degrees() + 0.0).to_vec()
        }
        Number::Of(_) => Vec::new(),
    }
}
