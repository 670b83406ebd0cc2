//! The values of parameters and ports.

use super::descriptor::{Direction, NodeDescriptor, Param, ParamKind, PortKind};
use super::store::{InputStore, PortValue};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Affine, Real, Space};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// On or off.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Real(Real),
    /// The index of a choice.
    Choice(usize),
    /// Text.
    Text(String),
}

impl ParamValue {
    /// The value of a new instance.
    pub fn default_of(param: &Param) -> Self {
        match param.kind {
            ParamKind::Bool { default } => ParamValue::Bool(default),
            ParamKind::Int { default, .. } => ParamValue::Int(default),
            ParamKind::Real { default, .. } => ParamValue::Real(default),
            ParamKind::Choice { default, .. } => ParamValue::Choice(default),
            ParamKind::Text { default } => ParamValue::Text(default.into()),
        }
    }

    /// Reads the value from text: `true`/`false`/`1`/`0`/`on`/`off`, a number, the id of a choice, or the text itself.
    pub fn parse(param: &Param, text: &str) -> Result<Self> {
        let whole = text;
        let text = whole.trim();
        let expected = |what: String| {
            Error::new(Kind::Parse, format!("expected {what}, not \"{text}\"")).param(param.id)
        };
        let value = match &param.kind {
            ParamKind::Bool { .. } => match text {
                "true" | "1" | "on" => ParamValue::Bool(true),
                "false" | "0" | "off" => ParamValue::Bool(false),
                _ => return Err(expected("true or false".into())),
            },
            ParamKind::Int { min, max, .. } => {
                let number = text.parse();
                ParamValue::Int(number.map_err(|_| expected(format!("a whole number from {min} to {max}")))?)
            }
            ParamKind::Real { min, max, .. } => {
                let number = text.parse();
                ParamValue::Real(
                    number.map_err(|_| {
                        expected(format!("a number from {} to {}", written(*min), written(*max)))
                    })?,
                )
            }
            ParamKind::Choice { choices, .. } => {
                let index = choices.iter().position(|c| c.id == text);
                let ids: Vec<_> = choices.iter().map(|c| c.id).collect();
                ParamValue::Choice(index.ok_or_else(|| expected(format!("one of {}", ids.join(", "))))?)
            }
            ParamKind::Text { .. } => ParamValue::Text(whole.into()),
        };
        value.check(param)
    }

    /// The text that [`ParamValue::parse`] reads back to the same value.
    pub fn to_text(&self, param: &Param) -> String {
        match (self, &param.kind) {
            (ParamValue::Bool(v), _) => v.to_string(),
            (ParamValue::Int(v), _) => v.to_string(),
            (ParamValue::Real(v), _) => written(*v),
            (ParamValue::Choice(v), ParamKind::Choice { choices, .. }) if *v < choices.len() => {
                choices[*v].id.to_string()
            }
            (ParamValue::Choice(v), _) => v.to_string(),
            (ParamValue::Text(v), _) => v.clone(),
        }
    }

    /// The value itself if its type and range suit the parameter; integers are accepted as numbers.
    pub fn check(self, param: &Param) -> Result<Self> {
        let out_of_range = |value: String, range: String| {
            let message = format!("{value} is not in the range {range}");
            Err(Error::new(Kind::OutOfRange, message).param(param.id))
        };
        match (&param.kind, &self) {
            (ParamKind::Bool { .. }, ParamValue::Bool(_)) | (ParamKind::Text { .. }, ParamValue::Text(_)) => {
                Ok(self)
            }
            (ParamKind::Int { min, max, .. }, ParamValue::Int(v)) => {
                if v < min || v > max {
                    return out_of_range(v.to_string(), format!("{min} to {max}"));
                }
                Ok(self)
            }
            (ParamKind::Real { .. }, ParamValue::Int(v)) => ParamValue::Real(*v as Real).check(param),
            (ParamKind::Real { min, max, .. }, ParamValue::Real(v)) => {
                if !v.is_finite() {
                    return Err(Error::new(Kind::NotFinite, format!("{v} is not a number")).param(param.id));
                }
                if v < min || v > max {
                    return out_of_range(written(*v), format!("{} to {}", written(*min), written(*max)));
                }
                Ok(self)
            }
            (ParamKind::Choice { choices, .. }, ParamValue::Choice(v)) => {
                if *v >= choices.len() {
                    return out_of_range(format!("choice {v}"), format!("0 to {}", choices.len() - 1));
                }
                Ok(self)
            }
            (kind, _) => {
                let message = format!("the parameter is of type {}, the value is not", kind.name());
                Err(Error::new(Kind::WrongType, message).param(param.id))
            }
        }
    }
}

/// A number as a person writes it, which parses back to the same bits: with an exponent in place of many zeros.
fn written(value: Real) -> String {
    match value == 0.0 || (1e-6..1e10).contains(&value.abs()) {
        true => value.to_string(),
        false => format!("{value:e}"),
    }
}

/// A map that is set, or its default everywhere.
#[derive(Clone, Copy, Debug)]
pub enum Map<'a> {
    /// One value per item.
    Values(&'a [Real]),
    /// The same value for all items.
    Constant(Real),
}

impl Map<'_> {
    /// The value at an item.
    pub fn at(&self, item: usize) -> Real {
        match self {
            Map::Values(values) => values[item],
            Map::Constant(value) => *value,
        }
    }
}

/// What a step reads: inputs and parameters by id.
///
/// Ids that are not in the descriptor are bugs of the node and are returned as errors of kind `Internal`.
pub struct Inputs<'a> {
    pub(super) descriptor: &'static NodeDescriptor,
    pub(super) store: &'a InputStore,
    pub(super) params: &'a [ParamValue],
    pub(super) space: Space,
    /// Whether each port, if it is an output, will be read.
    pub(super) wanted: &'a [bool],
}

impl<'a> Inputs<'a> {
    pub(super) fn new(
        descriptor: &'static NodeDescriptor,
        store: &'a InputStore,
        params: &'a [ParamValue],
        space: Space,
        wanted: &'a [bool],
    ) -> Self {
        Inputs { descriptor, store, params, space, wanted }
    }

    /// Whether an output will be read. Others may stay empty.
    pub(super) fn wants(&self, id: &str) -> Result<bool> {
        let port = self.descriptor.port_index(Direction::Output, id);
        port.map(|port| self.wanted[port]).ok_or_else(|| unknown("output", id))
    }

    /// The host's unit and up axis, for messages and reports: arrays are exchanged in metres with y up.
    pub fn space(&self) -> Space {
        self.space
    }

    fn port(&self, id: &str) -> Result<usize> {
        self.descriptor.port_index(Direction::Input, id).ok_or_else(|| unknown("input", id))
    }

    fn missing(&self, id: &str) -> Error {
        Error::new(Kind::MissingInput, "the input was never set").port(id)
    }

    /// The numbers of a port; an error if it is not set.
    pub fn reals(&self, id: &str) -> Result<&'a [Real]> {
        match self.store.value(self.port(id)?) {
            Some(PortValue::Reals(values)) => Ok(values),
            _ => Err(self.missing(id)),
        }
    }

    /// The integers of a port; an error if it is not set.
    pub fn ints(&self, id: &str) -> Result<&'a [u32]> {
        match self.store.value(self.port(id)?) {
            Some(PortValue::Ints(values)) => Ok(values),
            _ => Err(self.missing(id)),
        }
    }

    /// The mesh of a port; an error if it is not set.
    pub fn mesh(&self, id: &str) -> Result<&'a Mesh> {
        match self.store.value(self.port(id)?) {
            Some(PortValue::Mesh(mesh)) => Ok(mesh),
            _ => Err(self.missing(id)),
        }
    }

    /// A map, or the default of its port if it is not set.
    pub fn map(&self, id: &str) -> Result<Map<'a>> {
        let port = self.port(id)?;
        match (self.store.value(port), self.descriptor.ports[port].default) {
            (Some(PortValue::Reals(values)), _) => Ok(Map::Values(values)),
            (_, Some(value)) => Ok(Map::Constant(value)),
            _ => Err(self.missing(id)),
        }
    }

    /// A number that changes whenever the value of the port does.
    pub fn revision(&self, id: &str) -> Result<u64> {
        Ok(self.store.revision(self.port(id)?))
    }

    fn param(&self, id: &str) -> Result<&'a ParamValue> {
        let index = self.descriptor.param_index(id).ok_or_else(|| unknown("parameter", id))?;
        Ok(&self.params[index])
    }

    /// The value of a bool parameter.
    pub fn flag(&self, id: &str) -> Result<bool> {
        if let ParamValue::Bool(value) = self.param(id)? { Ok(*value) } else { Err(unknown("bool", id)) }
    }

    /// The value of an int parameter.
    pub fn int(&self, id: &str) -> Result<i64> {
        if let ParamValue::Int(value) = self.param(id)? { Ok(*value) } else { Err(unknown("int", id)) }
    }

    /// The value of a real parameter.
    pub fn real(&self, id: &str) -> Result<Real> {
        if let ParamValue::Real(value) = self.param(id)? { Ok(*value) } else { Err(unknown("real", id)) }
    }

    /// The index of the choice of a choice parameter.
    pub fn choice(&self, id: &str) -> Result<usize> {
        if let ParamValue::Choice(value) = self.param(id)? { Ok(*value) } else { Err(unknown("choice", id)) }
    }

    /// The entry for the selected choice of a choice parameter, from a table with one entry per choice.
    pub fn pick<T: Copy>(&self, id: &str, table: &[T]) -> Result<T> {
        let choice = self.choice(id)?;
        let param = self.descriptor.params.iter().find(|param| param.id == id);
        let choices = param.map_or(0, |param| param.choices().len());
        let message = || format!("{id} has {choices} choices, of which {} are known", table.len());
        let known = table.get(choice).filter(|_| table.len() == choices);
        known.copied().ok_or_else(|| Error::new(Kind::Internal, message()))
    }

    /// The value of a text parameter.
    pub fn text(&self, id: &str) -> Result<&'a str> {
        if let ParamValue::Text(value) = self.param(id)? { Ok(value) } else { Err(unknown("text", id)) }
    }
}

fn unknown(what: &str, id: &str) -> Error {
    Error::new(
        Kind::Internal,
        format!("the node asks for the {what} {id}, which its descriptor does not have"),
    )
}

/// The outputs of a step: one array per output port. Outputs that a step does not touch are left empty. Integers are
/// kept as floating-point numbers, which hold those of 32 bits exactly.
#[derive(Debug)]
pub struct Outputs {
    descriptor: &'static NodeDescriptor,
    arrays: Vec<Vec<Real>>,
    written: Vec<bool>,
    /// What arrays that change rarely were written for.
    revisions: Vec<Option<u64>>,
    /// An upper bound of the magnitudes in each array; `None` if not measured.
    largest: Vec<Option<Real>>,
}

impl Outputs {
    /// Empty outputs.
    pub fn new(descriptor: &'static NodeDescriptor) -> Self {
        let ports = descriptor.ports.len();
        let (arrays, written) = (vec![Vec::new(); ports], vec![false; ports]);
        Outputs { descriptor, arrays, written, revisions: vec![None; ports], largest: vec![None; ports] }
    }

    /// The array of an output port, resized to `count` items; its old numbers are meaningless.
    pub fn reals(&mut self, id: &str, count: usize) -> Result<&mut [Real]> {
        let (index, components) = self.port(id)?;
        self.written[index] = true;
        let array = self.array_mut(index);
        array.resize(count * components, 0.0);
        Ok(array)
    }

    /// Fills an output that changes only together with `revision`; where it was filled for that revision, it stays.
    pub fn fill_once(&mut self, id: &str, revision: u64, values: impl Iterator<Item = Real>) -> Result<()> {
        let (index, _) = self.port(id)?;
        self.written[index] = true;
        if self.revisions[index] != Some(revision) {
            let array = self.array_mut(index);
            array.clear();
            array.extend(values);
            self.revisions[index] = Some(revision);
        }
        Ok(())
    }

    /// The index of an output port, and its components.
    fn port(&self, id: &str) -> Result<(usize, usize)> {
        let index = self.descriptor.port_index(Direction::Output, id).ok_or_else(|| unknown("output", id))?;
        match self.descriptor.ports[index].kind {
            PortKind::Mesh => Err(unknown("array", id)),
            kind => Ok((index, kind.components() as usize)),
        }
    }

    pub(super) fn begin(&mut self) {
        self.written.fill(false);
    }

    pub(super) fn finish(&mut self) {
        for index in 0..self.arrays.len() {
            if !self.written[index] {
                self.array_mut(index).clear();
            }
        }
    }

    pub(super) fn array(&self, port: usize) -> &[Real] {
        &self.arrays[port]
    }

    /// An upper bound of the magnitudes of the port's numbers; `None` if they changed since it was set.
    pub(super) fn largest(&self, port: usize) -> Option<Real> {
        self.largest[port]
    }

    /// Records an upper bound of the magnitudes of a complete output, which saves searching for it; a bound that is not
    /// finite is ignored.
    pub(super) fn bound(&mut self, id: &str, largest: Real) -> Result<()> {
        let (index, _) = self.port(id)?;
        self.largest[index] = Some(largest).filter(|largest| largest.is_finite());
        Ok(())
    }

    pub(super) fn set_largest(&mut self, port: usize, largest: Real) {
        self.largest[port] = Some(largest);
    }

    pub(super) fn array_mut(&mut self, port: usize) -> &mut Vec<Real> {
        (self.revisions[port], self.largest[port]) = (None, None);
        &mut self.arrays[port]
    }
}

/// Fills an output.
pub(super) fn fill(out: &mut [Real], values: impl Iterator<Item = Real>) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
}

/// Fills an output of transforms: each as a 4x4 matrix, row by row.
pub(super) fn fill_matrices(out: &mut [Real], matrices: impl Iterator<Item = Affine>) {
    for (out, matrix) in out.chunks_exact_mut(16).zip(matrices) {
        (0..12).for_each(|k| out[k] = matrix[(k / 4, k % 4)]);
        out[12..].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;
    use proptest::prelude::*;

    fn param(id: &str) -> &'static Param {
        let node = find("skinning").unwrap().descriptor;
        &node.params[node.param_index(id).unwrap()]
    }

    #[test]
    fn text_becomes_values_and_errors_list_what_is_valid() {
        assert_eq!(ParamValue::parse(param("method"), "dual_quaternion").unwrap(), ParamValue::Choice(1));
        assert_eq!(ParamValue::parse(param("normalize"), " off ").unwrap(), ParamValue::Bool(false));
        let error = ParamValue::parse(param("method"), "dq").unwrap_err();
        assert!(error.to_string().contains("linear, dual_quaternion, blend_map"), "{error}");
        let error = ParamValue::parse(param("envelope"), "1.5").unwrap_err();
        assert_eq!(error.kind(), Kind::OutOfRange);
        assert!(error.to_string().contains("0 to 1"), "{error}");
        assert_eq!(ParamValue::parse(param("envelope"), "NaN").unwrap_err().kind(), Kind::NotFinite);
        assert_eq!(ParamValue::Bool(true).check(param("envelope")).unwrap_err().kind(), Kind::WrongType);
        assert_eq!(ParamValue::Choice(3).check(param("method")).unwrap_err().kind(), Kind::OutOfRange);
        let error = ParamValue::Real(-1e300).check(param("envelope")).unwrap_err();
        assert!(error.to_string().contains("-1e300 is not in the range 0 to 1"), "{error}");
        assert_eq!(ParamValue::Int(1).check(param("envelope")).unwrap(), ParamValue::Real(1.0));
    }

    #[test]
    fn text_is_taken_as_it_is() {
        let node = find("strand").unwrap().descriptor;
        let scene = &node.params[node.param_index("scene").unwrap()];
        let text = " folder/a scene.xml ";
        let value = ParamValue::parse(scene, text).unwrap();
        assert_eq!((&value, value.to_text(scene)), (&ParamValue::Text(text.into()), text.to_string()));
        assert_eq!(ParamValue::Real(1.0).check(scene).unwrap_err().kind(), Kind::WrongType);
        assert_eq!(value.check(param("envelope")).unwrap_err().kind(), Kind::WrongType);
    }

    #[test]
    fn a_revision_moves_only_when_the_value_does() {
        let mut store = InputStore::new(1);
        store.set(0, Some(PortValue::Ints(vec![1, 2])));
        let first = store.revision(0);
        store.set(0, Some(PortValue::Ints(vec![1, 2])));
        assert_eq!(store.revision(0), first);
        store.set(0, Some(PortValue::Ints(vec![1, 3])));
        assert!(store.revision(0) > first);
        assert_eq!(store.take_spare(0), Some(PortValue::Ints(vec![1, 2])));
        let second = store.revision(0);
        store.set(0, None);
        assert!(store.revision(0) > second && store.value(0).is_none());
    }

    proptest! {
        #[test]
        fn text_round_trips(value in 0.0..1.0f64, choice in 0usize..3, on: bool) {
            for (id, value) in [
                ("envelope", ParamValue::Real(value)),
                ("method", ParamValue::Choice(choice)),
                ("normalize", ParamValue::Bool(on)),
            ] {
                prop_assert_eq!(ParamValue::parse(param(id), &value.to_text(param(id))).unwrap(), value);
            }
        }
    }
}
