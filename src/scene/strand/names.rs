//! Looks up elements by name.

use crate::schema::Line;
use sinew_base::error::{Error, Kind, Result};
use std::collections::HashMap;

/// Attaches an element to an error.
pub(super) fn at(error: Error, element: &str, line: Line) -> Error {
    let error = error.element(&format!("strand_scene/{element}"));
    if line.0 > 0 { error.line(line.0) } else { error }
}

/// An error at an element.
pub(super) fn wrong(kind: Kind, message: impl Into<String>, element: &str, line: Line) -> Error {
    at(Error::new(kind, message), element, line)
}

/// The names of elements that share a namespace: bodies, points.
pub(super) struct Names<'a> {
    what: &'static str,
    indices: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    /// Each with its element and line, in the order of their indices. Duplicate names are refused.
    pub fn new(what: &'static str, all: impl Iterator<Item = (&'a str, &'static str, Line)>) -> Result<Self> {
        let mut indices = HashMap::new();
        for (index, (name, element, line)) in all.enumerate() {
            // Names appear in tables and after words in a line.
            if name.chars().any(|c| c.is_control() || ",#".contains(c)) {
                let message = format!("the name {name:?} holds a comma, a # or a control character");
                return Err(wrong(Kind::Parse, message, element, line));
            }
            if indices.insert(name, index).is_some() {
                let message = format!("duplicate {what} {name:?}");
                return Err(wrong(Kind::Parse, message, element, line));
            }
        }
        Ok(Names { what, indices })
    }

    /// The index of a name that an element refers to.
    pub fn find(&self, name: &str, element: &str, line: Line) -> Result<usize> {
        self.indices.get(name).copied().ok_or_else(|| {
            wrong(Kind::NotFound, format!("there is no {} {name:?}", self.what), element, line)
        })
    }

    /// The same; `None` for the name that stands for the world.
    pub fn find_or_world(&self, name: &str, element: &str, line: Line) -> Result<Option<usize>> {
        if name == WORLD { Ok(None) } else { self.find(name, element, line).map(Some) }
    }
}

/// Reserved: stands for the world.
pub(super) const WORLD: &str = "world";
/// Reserved: says that nothing carries a point.
pub(super) const FREE: &str = "free";
/// The names that no body may have.
pub const RESERVED: [&str; 2] = [WORLD, FREE];
