//! A mesh, whatever file it is in.

use super::alembic::{At, read_mesh};
use super::usd::Stage;
use super::{Format, obj};
use crate::error::{Error, Kind, Result};
use crate::geometry::Mesh;
use crate::math::Space;
use std::path::Path;

/// The unit and the up axis that a file tells; none when its format has no word for them.
pub fn space(path: &Path) -> Result<Option<Space>> {
    match Format::of(path)? {
        Format::Usd | Format::Usda | Format::Usdc | Format::Usdz => Stage::open(path)?.space().map(Some),
        _ => Ok(None),
    }
}

/// Reads a mesh with its UVs; of files that hold motion, as it is in the first sample.
pub fn read(path: &Path) -> Result<Mesh> {
    match Format::of(path)? {
        Format::Obj => Ok(obj::read(path)?.mesh),
        Format::Abc => read_mesh(path, At::Sample(0)),
        Format::Usd | Format::Usda | Format::Usdc | Format::Usdz => {
            let stage = Stage::open(path)?;
            let mesh = stage.only_mesh()?.to_string();
            let first = stage.sample_times(&mesh)?.first().copied().unwrap_or(0.0);
            stage.mesh_at(&mesh, first, true).map_err(|e| e.file(path))
        }
        other => {
            let message = format!("{} holds no mesh; OBJ, Alembic and USD do", other.row().title);
            Err(Error::new(Kind::Unsupported, message).file(path))
        }
    }
}
