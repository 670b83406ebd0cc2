//! Moving points in a point cache.

use super::source::{MovingPoints, PointSource};
use super::times::whole_frames;
use crate::cache::{CacheKind, CacheReader};
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Real, Vec3};
use std::path::Path;

/// A cache whose samples are at whole frames.
struct Cached {
    cache: CacheReader,
    frames: Vec<i64>,
}

/// Opens PC2.
pub(crate) fn pc2(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    open(path, CacheKind::Pc2, fps)
}

/// Opens MDD.
pub(crate) fn mdd(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    open(path, CacheKind::Mdd, fps)
}

fn open(path: &Path, kind: CacheKind, fps: Option<Real>) -> Result<PointSource> {
    let cache = CacheReader::open(path, kind)?;
    let said = cache.said();
    let place = |fps| whole_frames(cache.frames(fps).into_iter(), fps, path);
    let (fps, frames) = said.choose(fps, path, place)?;
    Ok(PointSource::new(Cached { cache, frames }, said, fps))
}

impl MovingPoints for Cached {
    fn frames(&self) -> &[i64] {
        &self.frames
    }

    fn point_count(&self) -> usize {
        self.cache.point_count()
    }

    fn mesh(&self) -> Option<&Mesh> {
        None
    }

    fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        let mut points = Vec::new();
        self.cache.read(index, &mut points)?;
        Ok(points)
    }
}
