//! Frames of a shot over the mesh of another file: in that mesh's own space, with its normals carried along.

use super::FrameData;
use crate::over::Over;
use crate::usd::Stage;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::carried_normals;
use sinew_math::{Real, invert, linear, transform_point};

/// The mesh below a layer.
pub(super) struct Local<'a> {
    stage: Stage,
    over: &'a Over,
}

impl<'a> Local<'a> {
    /// Opens its file.
    pub fn open(over: &'a Over) -> Result<Self> {
        Ok(Local { stage: Stage::open(&over.file)?, over })
    }

    /// A frame, whose points are in the space of the whole shot, at a time code.
    pub fn frame(&self, data: FrameData, time: Real) -> Result<FrameData> {
        if data.points.is_empty() {
            return Ok(data);
        }
        let path = &self.over.mesh;
        let in_file = |e: Error| e.prim(path).file(&self.over.file);
        let world = self.stage.world(path, time).map_err(in_file)?;
        let place = invert(&world).ok_or_else(|| {
            let message = "its transform is singular: points have no place in its space";
            in_file(Error::new(Kind::Degenerate, message))
        })?;
        let mut normals = Vec::new();
        if self.over.usd.as_ref().is_some_and(|usd| usd.normals.is_some()) {
            let below = self.stage.mesh_at(path, time, true)?;
            let carried = carried_normals(&below, &data.points).ok_or_else(|| {
                let message = "its normals cannot follow: not all corners have one, or it has other points";
                in_file(Error::new(Kind::CountMismatch, message))
            })?;
            let turn = linear(&world).transpose();
            normals = carried.iter().map(|n| (turn * n).try_normalize(0.0).unwrap_or(*n)).collect();
        }
        let points = data.points.iter().map(|p| transform_point(&place, p)).collect();
        Ok(FrameData { points, normals, ..data })
    }
}
