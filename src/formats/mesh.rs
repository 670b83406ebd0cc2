//! A mesh, whatever file it is in.

use super::alembic::{At, read_mesh};
use super::{Format, obj};
use crate::error::{Error, Kind, Result};
use crate::geometry::Mesh;
use std::path::Path;

/// Reads a mesh with its UVs; of files that hold motion, as it is in the first sample.
pub fn read(path: &Path) -> Result<Mesh> {
    match Format::of(path)? {
        Format::Obj => Ok(obj::read(path)?.mesh),
        Format::Abc => read_mesh(path, At::Sample(0)),
        other => {
            let message = format!("{} holds no mesh; OBJ and Alembic do", other.row().title);
            Err(Error::new(Kind::Unsupported, message).file(path))
        }
    }
}
