//! Moving points of a mesh in one file that holds all frames: Alembic, USD and glTF.

use super::source::{MovingPoints, PointSource, check_count, check_topology, first_good};
use super::times::{Between, at_whole_frames, near_whole};
use crate::alembic::{At, MovingMesh};
use crate::over::Over;
use crate::rate::{self, MOST_FRAME, NEAR_WHOLE, Said};
use crate::{gltf, usd};
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::{Real, Space, Vec3};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// A mesh of a file with samples at times.
trait File: Send + 'static {
    /// The frame of a time.
    fn frame(&self, time: Real, fps: Real) -> Real;

    /// The time of a frame, if the file says what is between its samples, before and after them.
    fn time(&self, frame: Real, fps: Real) -> Option<Real> {
        let _ = (frame, fps);
        None
    }

    /// The first and the last frame of the shot, as far as the file gives them.
    fn range(&self, fps: Real) -> [Option<Real>; 2] {
        let _ = fps;
        [None; 2]
    }

    /// The mesh at a time, in world space.
    fn mesh(&mut self, time: Real) -> Result<Mesh>;

    /// Its faces at a time, if they may differ from sample to sample.
    fn changed_faces(&mut self, time: Real) -> Result<Option<Mesh>>;

    /// Its points at a time, in world space.
    fn points(&mut self, time: Real) -> Result<Vec<Vec3>>;

    /// The mesh below a layer, if layers over it are possible.
    fn over(&self) -> Result<Option<Over>> {
        Ok(None)
    }

    /// The unit and the up axis, if the format can express them.
    fn space(&self) -> Result<Option<Space>>;

    /// Whether both blend shapes and bones move it.
    fn acts(&self) -> bool {
        false
    }

    /// From here on, points are those before bones move it.
    fn leave_bones_out(&mut self) {}
}

/// A mesh whose connectivity must not change, and where it is read at whole frames.
struct Stored<F> {
    file: F,
    times: Vec<Real>,
    frames: Vec<i64>,
    between: Between,
    first: Mesh,
    fps: Real,
    /// Whether it has several samples.
    moves: bool,
}

/// A shot of more frames is not filled up between its samples: its range is a mistake.
const MOST_FILLED: i64 = 1_000_000;

/// The times and numbers of the whole frames from the first sample to the last, and of the shot as far as the file
/// gives it; none if the file says nothing between its samples, or if its range is a mistake. A sample near a whole
/// frame is that frame's; where all lie between two frames, the later one is taken.
fn filled<F: File>(file: &F, all: &[Real], fps: Real) -> Option<(Vec<Real>, Vec<i64>)> {
    file.time(0.0, fps)?;
    let near: BTreeMap<i64, Real> =
        all.iter().filter_map(|&time| Some((near_whole(file.frame(time, fps))?, time))).collect();
    let mut first = (file.frame(*all.first()?, fps) - NEAR_WHOLE).ceil();
    let mut last = (file.frame(*all.last()?, fps) + NEAR_WHOLE).floor().max(first);
    if all.len() > 1 {
        let [start, end] = file.range(fps).map(|f| f.filter(|f| f.abs() < MOST_FILLED as Real));
        first = start.map_or(first, |start| first.min(start.ceil()));
        last = end.map_or(last, |end| last.max(end.floor()));
    }
    if !(last - first < MOST_FILLED as Real && first.abs().max(last.abs()) < MOST_FRAME) {
        return None;
    }
    let frames: Vec<i64> = (first as i64..=last as i64).collect();
    let time = |frame: &i64| near.get(frame).copied().or_else(|| file.time(*frame as Real, fps));
    Some((frames.iter().map(time).collect::<Option<_>>()?, frames))
}

impl<F: File> Stored<F> {
    /// With samples at `all` times; the file says `said` about its rate.
    fn open(mut file: F, all: &[Real], said: Said, path: &Path, fps: Option<Real>) -> Result<PointSource> {
        let place = |fps| match filled(&file, all, fps) {
            Some(filled) => Ok(filled),
            None => at_whole_frames(all, |t| file.frame(t, fps), fps, path),
        };
        let (fps, (times, frames)) = said.choose(fps, path, place)?;
        let between = Between::new(all, |t| file.frame(t, fps));
        let first = first_good(&times, |&t| file.mesh(t))?;
        Ok(PointSource::new(
            Stored { file, times, frames, between, first, fps, moves: all.len() > 1 },
            said,
            fps,
        ))
    }

    fn at(&mut self, time: Real) -> Result<Vec<Vec3>> {
        if let Some(now) = self.file.changed_faces(time)? {
            check_topology(&self.first, &now)?;
        }
        let points = self.file.points(time)?;
        check_count(&self.first, points.len())?;
        Ok(points)
    }
}

impl<F: File> MovingPoints for Stored<F> {
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

    fn hold(&mut self, frames: &[i64]) {
        let known: HashSet<i64> = self.frames.iter().copied().collect();
        for &frame in frames.iter().filter(|frame| !known.contains(frame)) {
            if let Some(time) = self.file.time(frame as Real, self.fps) {
                self.frames.push(frame);
                self.times.push(time);
            }
        }
    }

    fn over(&self) -> Result<Option<Over>> {
        self.file.over()
    }

    fn space(&self) -> Result<Option<Space>> {
        self.file.space()
    }

    fn acts(&self) -> bool {
        self.file.acts()
    }

    fn leave_bones_out(&mut self) {
        self.file.leave_bones_out();
    }

    fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        if let Some(time) = self.between.time(frame) {
            return self.at(time).map(Some);
        }
        // What cannot be read there, such as a place beside a broken sample, is interpolated from sound frames.
        let time = self.file.time(frame, self.fps).filter(|_| self.moves);
        Ok(time.and_then(|time| self.at(time).ok()))
    }
}

/// Opens the mesh of an Alembic file that the path names, or the only one.
pub(crate) fn alembic(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    let moving = MovingMesh::open(path)?;
    let (all, said) = (moving.times().to_vec(), moving.said());
    Stored::open(moving, &all, said, path, fps)
}

impl File for MovingMesh {
    fn frame(&self, time: Real, fps: Real) -> Real {
        time * fps
    }

    fn mesh(&mut self, time: Real) -> Result<Mesh> {
        self.mesh(At::Nearest(time))
    }

    fn changed_faces(&mut self, time: Real) -> Result<Option<Mesh>> {
        self.changed_faces(At::Nearest(time))
    }

    fn points(&mut self, time: Real) -> Result<Vec<Vec3>> {
        self.points(At::Nearest(time))
    }

    fn over(&self) -> Result<Option<Over>> {
        Ok(Some(Over { file: self.file().to_path_buf(), mesh: self.name(), usd: None }))
    }

    fn space(&self) -> Result<Option<Space>> {
        Ok(None)
    }
}

/// A mesh of a USD file.
struct UsdMesh {
    stage: usd::Stage,
    path: String,
    faces_may_change: bool,
    posing: Option<usd::Posing>,
}

/// Opens the mesh of a USD file that the path names, or the only one. A mesh that never changes has one frame, 1.
pub(crate) fn usd(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    let (stage, mesh) = usd::Stage::open_mesh(path)?;
    let posing = stage.posing(&mesh)?;
    let mut times = match &posing {
        Some(posing) => posing.times(&stage)?,
        None => stage.sample_times(&mesh)?,
    };
    let [codes, frames] = stage.rates();
    let said = Said::new([frames, codes], &[]);
    if times.is_empty() {
        let fps = fps.or(said.rate()).unwrap_or(rate::USUAL);
        times.push(stage.time_codes_per_second() / fps);
    }
    let faces_may_change = stage.faces_may_change(&mesh)?;
    let file = UsdMesh { stage, path: mesh, faces_may_change, posing };
    Stored::open(file, &times, said, path, fps)
}

impl File for UsdMesh {
    fn frame(&self, time: Real, fps: Real) -> Real {
        self.stage.frames(&[time], fps)[0]
    }

    fn time(&self, frame: Real, fps: Real) -> Option<Real> {
        let rate = self.stage.time_codes_per_second();
        Some(if rate == fps { frame } else { frame * rate / fps })
    }

    fn range(&self, fps: Real) -> [Option<Real>; 2] {
        self.stage.range().map(|time| time.map(|time| self.frame(time, fps)))
    }

    fn mesh(&mut self, time: Real) -> Result<Mesh> {
        let mesh = self.stage.mesh_at(&self.path, time, true)?;
        Ok(match &self.posing {
            Some(posing) => Mesh { positions: posing.points(&self.stage, time)?, ..mesh },
            None => mesh,
        })
    }

    fn changed_faces(&mut self, time: Real) -> Result<Option<Mesh>> {
        self.faces_may_change.then(|| self.stage.mesh_at(&self.path, time, true)).transpose()
    }

    fn points(&mut self, time: Real) -> Result<Vec<Vec3>> {
        match &self.posing {
            Some(posing) => posing.points(&self.stage, time),
            None => self.stage.points_at(&self.path, time),
        }
    }

    fn over(&self) -> Result<Option<Over>> {
        self.stage.over(&self.path).map(Some)
    }

    fn space(&self) -> Result<Option<Space>> {
        self.stage.space().map(Some)
    }

    fn acts(&self) -> bool {
        self.posing.as_ref().is_some_and(usd::Posing::acts)
    }

    fn leave_bones_out(&mut self) {
        self.posing.iter_mut().for_each(usd::Posing::leave_bones_out);
    }
}

/// A mesh of a glTF file, as it is without a pose, and how it moves.
struct GltfMesh {
    mesh: Mesh,
    posed: gltf::Posed,
}

/// Opens the mesh of a glTF file that the path names, or the only one. A mesh that never changes has one frame, 1.
pub(crate) fn gltf(path: &Path, fps: Option<Real>) -> Result<PointSource> {
    let (mesh, posed) = gltf::Posed::open(path)?;
    let mut times = posed.times();
    let said = Said::sampled(&times);
    if times.is_empty() {
        times.push(1.0 / fps.unwrap_or(rate::USUAL));
    }
    Stored::open(GltfMesh { mesh, posed }, &times, said, path, fps)
}

impl File for GltfMesh {
    fn frame(&self, time: Real, fps: Real) -> Real {
        time * fps
    }

    fn time(&self, frame: Real, fps: Real) -> Option<Real> {
        Some(frame / fps)
    }

    fn mesh(&mut self, time: Real) -> Result<Mesh> {
        Ok(Mesh { positions: self.points(time)?, ..self.mesh.clone() })
    }

    fn changed_faces(&mut self, _: Real) -> Result<Option<Mesh>> {
        Ok(None)
    }

    fn points(&mut self, time: Real) -> Result<Vec<Vec3>> {
        self.posed.points(time)
    }

    fn space(&self) -> Result<Option<Space>> {
        Ok(Some(Space::default()))
    }

    fn acts(&self) -> bool {
        self.posed.acts()
    }

    fn leave_bones_out(&mut self) {
        self.posed.leave_bones_out();
    }
}
