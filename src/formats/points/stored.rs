//! Moving points of a mesh in one file that holds all frames: Alembic and USD.

use super::source::{MovingPoints, PointSource, check_count, check_topology, first_good};
use super::times::{Between, at_whole_frames};
use crate::error::Result;
use crate::formats::alembic::{At, MovingMesh};
use crate::formats::over::Over;
use crate::formats::rate::{self, Said};
use crate::formats::usd;
use crate::geometry::Mesh;
use crate::math::{Real, Space, Vec3};
use std::path::Path;

/// A mesh of a USD file.
struct UsdPoints {
    stage: usd::Stage,
    mesh_path: String,
    times: Vec<Real>,
    frames: Vec<i64>,
    between: Between,
    first: Mesh,
    faces_may_change: bool,
    posing: Option<usd::Posing>,
}

/// A mesh of an Alembic file whose connectivity must not change.
struct ArchivePoints {
    moving: MovingMesh,
    times: Vec<Real>,
    frames: Vec<i64>,
    between: Between,
    first: Mesh,
}

/// Opens the mesh of an Alembic file that the path names, or the only one.
pub(in crate::formats) fn alembic(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    let mut moving = MovingMesh::open(path)?;
    let all = moving.times().to_vec();
    let said = moving.said();
    let place = |fps| at_whole_frames(&all, |t| t * fps, fps, path);
    let (fps, (times, frames)) = said.choose(fps, path, place)?;
    let first = first_good(&times, |&t| moving.mesh(At::Nearest(t)))?;
    let between = Between::new(&all, |t| t * fps);
    Ok(PointSource::new(ArchivePoints { moving, times, frames, between, first }, said, fps))
}

impl MovingPoints for ArchivePoints {
    fn frames(&self) -> &[i64] {
        &self.frames
    }

    fn point_count(&self) -> usize {
        self.first.positions.len()
    }

    fn mesh(&self) -> Option<&Mesh> {
        Some(&self.first)
    }

    fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        self.at(self.times[index])
    }

    fn over(&self) -> Result<Option<Over>> {
        let (file, mesh) = (self.moving.file().to_path_buf(), self.moving.name());
        Ok(Some(Over { file, mesh, usd: None }))
    }

    fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        self.between.time(frame).map(|time| self.at(time)).transpose()
    }
}

impl ArchivePoints {
    fn at(&mut self, time: Real) -> Result<Vec<Vec3>> {
        let at = At::Nearest(time);
        if let Some(now) = self.moving.changed_faces(at)? {
            check_topology(&self.first, &now)?;
        }
        let points = self.moving.points(at)?;
        check_count(&self.first, points.len())?;
        Ok(points)
    }
}

/// Opens the mesh of a USD file that the path names, or the only one. A mesh that never changes has one frame, 1.
pub(in crate::formats) fn usd(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    let (stage, mesh_path) = usd::Stage::open_mesh(path)?;
    let posing = stage.posing(&mesh_path)?;
    let mut times = match &posing {
        Some(posing) => posing.times(&stage)?,
        None => stage.sample_times(&mesh_path)?,
    };
    let [codes, frames_said] = stage.rates();
    let said = Said::new([frames_said, codes], &[]);
    if times.is_empty() {
        let fps = fps.or(said.rate()).unwrap_or(rate::USUAL);
        times.push(stage.time_codes_per_second() / fps);
    }
    let place = |fps| at_whole_frames(&times, |t| stage.frames(&[t], fps)[0], fps, path);
    let (fps, (whole, frames)) = said.choose(fps, path, place)?;
    let between = Between::new(&times, |t| stage.frames(&[t], fps)[0]);
    let times = whole;
    let first = first_good(&times, |&t| {
        let mesh = stage.mesh_at(&mesh_path, t, true)?;
        Ok(match &posing {
            Some(posing) => Mesh { positions: posing.points(&stage, t)?, ..mesh },
            None => mesh,
        })
    })?;
    let faces_may_change = stage.faces_may_change(&mesh_path)?;
    let points = UsdPoints { stage, mesh_path, times, frames, between, first, faces_may_change, posing };
    Ok(PointSource::new(points, said, fps))
}

impl MovingPoints for UsdPoints {
    fn frames(&self) -> &[i64] {
        &self.frames
    }

    fn point_count(&self) -> usize {
        self.first.positions.len()
    }

    fn mesh(&self) -> Option<&Mesh> {
        Some(&self.first)
    }

    fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        self.at(self.times[index])
    }

    fn over(&self) -> Result<Option<Over>> {
        self.stage.over(&self.mesh_path).map(Some)
    }

    fn space(&self) -> Result<Option<Space>> {
        self.stage.space().map(Some)
    }

    fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        self.between.time(frame).map(|time| self.at(time)).transpose()
    }
}

impl UsdPoints {
    fn at(&self, time: Real) -> Result<Vec<Vec3>> {
        if self.faces_may_change {
            let mesh = self.stage.mesh_at(&self.mesh_path, time, true)?;
            check_topology(&self.first, &mesh)?;
        }
        let points = match &self.posing {
            Some(posing) => posing.points(&self.stage, time)?,
            None => self.stage.points_at(&self.mesh_path, time)?,
        };
        check_count(&self.first, points.len())?;
        Ok(points)
    }
}
