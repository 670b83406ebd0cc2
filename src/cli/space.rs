//! The options `--unit` and `--up`.

use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Space, UpAxis};
use sinew_scene::SpaceElement;
use sinew_scene::schema::{Attribute, Line};

/// The space of a command's files; none if neither option was given.
pub(super) fn space(unit: Option<Real>, up: Option<&str>) -> Result<Option<SpaceElement>> {
    if unit.is_none() && up.is_none() {
        return Ok(None);
    }
    let up = up.map(axis).transpose()?.unwrap_or_default();
    Ok(Some(SpaceElement { metres_per_unit: unit.unwrap_or(1.0), up, line: Line(0) }))
}

/// A space in which the options that were given take the place of its own unit and axis.
pub(super) fn changed(own: Space, unit: Option<Real>, up: Option<&str>) -> Result<Space> {
    let up = up.map(axis).transpose()?.unwrap_or(own.up());
    Space::new(unit.unwrap_or(own.metres_per_unit()), up)
}

fn axis(text: &str) -> Result<UpAxis> {
    let expected = || Error::new(Kind::InvalidArgument, format!("--up {text}: expected y or z"));
    UpAxis::parse(text).ok_or_else(expected)
}
