//! Moving points in numbered OBJ files.

use super::source::{MovingPoints, PointSource, check_topology, first_good};
use crate::obj;
use crate::rate::{self, Said};
use crate::sequence::Pattern;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Real, Vec3};
use std::path::Path;

/// A numbered sequence whose connectivity must not change.
pub struct ObjSequence {
    pattern: Pattern,
    frames: Vec<i64>,
    first: Mesh,
    ignored: Vec<(String, u64)>,
}

impl ObjSequence {
    /// Finds the frames on disk and reads the first.
    pub fn open(path: &Path) -> Result<Self> {
        let pattern = Pattern::parse(path)?.ok_or_else(|| no_placeholder(path))?;
        let frames = pattern.scan()?;
        let Some(&first) = frames.first() else {
            return Err(Error::new(Kind::MissingFile, "no frame of this sequence exists").file(path));
        };
        let obj = match obj::read(&pattern.path(first)) {
            // Requesting a broken frame reports its error; the faces are those of the first good one.
            Err(error) => {
                first_good(&frames[1..], |&f| obj::read(&pattern.path(f))).map_err(|_| error.frame(first))?
            }
            Ok(obj) => obj,
        };
        Ok(ObjSequence { pattern, frames, first: obj.mesh, ignored: obj.ignored })
    }

    /// The first frame's mesh.
    pub fn first(&self) -> &Mesh {
        &self.first
    }

    /// The skipped statements of the first frame.
    pub fn ignored(&self) -> &[(String, u64)] {
        &self.ignored
    }
}

impl MovingPoints for ObjSequence {
    fn frames(&self) -> &[i64] {
        &self.frames
    }

    fn point_count(&self) -> usize {
        self.first.positions.len()
    }

    fn mesh(&self) -> Option<&Mesh> {
        Some(&self.first)
    }

    /// Faces that differ from the first frame's are an error.
    fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        let frame = self.frames[index];
        let path = self.pattern.path(frame);
        let mesh = obj::read(&path).map_err(|e| e.frame(frame))?.mesh;
        check_topology(&self.first, &mesh).map_err(|e| e.frame(frame).file(&path))?;
        Ok(mesh.positions)
    }
}

/// Opens a sequence; its files have no rate.
pub(crate) fn open(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    Ok(PointSource::new(ObjSequence::open(path)?, Said::default(), fps.unwrap_or(rate::USUAL)))
}

/// The error about a name without a placeholder for the frame.
pub(crate) fn no_placeholder(path: &Path) -> Error {
    let message = "a placeholder for the frame is expected in the name, as in out.%04d.obj";
    Error::new(Kind::InvalidArgument, message).file(path)
}
