//! The options `--unit` and `--up`.

use crate::error::{Error, Kind, Result};
use crate::math::{Real, UpAxis};
use crate::scene::SpaceElement;
use crate::scene::schema::{Attribute, Line};

/// The space of a command's files; none if neither option was given.
pub(super) fn space(unit: Option<Real>, up: Option<&str>) -> Result<Option<SpaceElement>> {
    if unit.is_none() && up.is_none() {
        return Ok(None);
    }
    let expected = |text: &str| Error::new(Kind::InvalidArgument, format!("--up {text}: y or z is expected"));
    let up = match up {
        None => UpAxis::default(),
        Some(text) => UpAxis::parse(text).ok_or_else(|| expected(text))?,
    };
    Ok(Some(SpaceElement { metres_per_unit: unit.unwrap_or(1.0), up, line: Line(0) }))
}
