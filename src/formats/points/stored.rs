//! Moving points of a mesh in one file that holds all frames: Alembic and USD.

use super::check_topology;
use crate::error::{Error, Kind, Result};
use crate::formats::alembic::{At, MovingMesh};
use crate::formats::over::Over;
use crate::formats::rate::{self, Said};
use crate::formats::usd;
use crate::geometry::Mesh;
use crate::math::{Real, Vec3};
use std::path::Path;

/// A mesh of a USD file.
pub struct UsdPoints {
    stage: usd::Stage,
    mesh_path: String,
    times: Vec<Real>,
    pub(super) frames: Vec<i64>,
    between: Between,
    pub(super) first: Mesh,
    faces_may_change: bool,
    posing: Option<usd::Posing>,
}

/// A mesh of an Alembic file whose connectivity must not change.
pub struct ArchivePoints {
    moving: MovingMesh,
    times: Vec<Real>,
    pub(super) frames: Vec<i64>,
    between: Between,
    pub(super) first: Mesh,
}

/// The times of samples between whole frames, as in files for motion blur, with their frames.
struct Between(Vec<[Real; 2]>);

impl Between {
    fn new(times: &[Real], frame: impl Fn(Real) -> Real) -> Self {
        let all = times.iter().map(|&time| [frame(time), time]);
        Between(all.filter(|[frame, _]| (frame - frame.round()).abs() > NEAR_WHOLE).collect())
    }

    /// The time of the sample at that frame.
    fn time(&self, frame: Real) -> Option<Real> {
        self.0.iter().find(|[there, _]| (there - frame).abs() <= NEAR_WHOLE).map(|[_, time]| *time)
    }
}

impl ArchivePoints {
    pub(super) fn over(&self) -> Over {
        Over { file: self.moving.file().to_path_buf(), mesh: self.moving.name(), usd: None }
    }

    /// With what the file says about its rate, and the rate to use.
    pub(super) fn open(path: &Path, fps: Option<Real>) -> Result<(Said, Real, Self)> {
        let mut moving = MovingMesh::open(path)?;
        let all = moving.times().to_vec();
        let said = moving.said();
        let place = |fps| at_whole_frames(&all, |t| t * fps, fps, path);
        let (fps, (times, frames)) = said.choose(fps, path, place)?;
        let first = first_good(&times, |&t| moving.mesh(At::Nearest(t)))?;
        let between = Between::new(&all, |t| t * fps);
        Ok((said, fps, ArchivePoints { moving, times, frames, between, first }))
    }

    pub(super) fn read(&mut self, index: usize) -> Result<Vec<Vec3>> {
        self.at(self.times[index])
    }

    /// The points between whole frames, if there is a sample.
    pub(super) fn between(&mut self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        self.between.time(frame).map(|time| self.at(time)).transpose()
    }

    fn at(&mut self, time: Real) -> Result<Vec<Vec3>> {
        let at = At::Nearest(time);
        if let Some(now) = self.moving.changed_faces(at)? {
            check_topology(&self.first, &now)?;
        }
        let points = self.moving.points(at)?;
        let (now, first) = (points.len(), self.first.positions.len());
        if now == first {
            return Ok(points);
        }
        Err(Error::new(Kind::Topology, format!("{now} vertices, the first frame has {first}")))
    }
}

impl UsdPoints {
    /// Opens the mesh that the path names, or the only one. A mesh that never changes has one frame, 1.
    pub(super) fn open(path: &Path, fps: Option<Real>) -> Result<(Said, Real, Self)> {
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
        Ok((said, fps, points))
    }

    pub(super) fn over(&self) -> Result<Over> {
        self.stage.over(&self.mesh_path)
    }

    pub(super) fn read(&self, index: usize) -> Result<Vec<Vec3>> {
        self.at(self.times[index])
    }

    /// The points between whole frames, if there is a sample.
    pub(super) fn between(&self, frame: Real) -> Result<Option<Vec<Vec3>>> {
        self.between.time(frame).map(|time| self.at(time)).transpose()
    }

    fn at(&self, time: Real) -> Result<Vec<Vec3>> {
        if self.faces_may_change {
            let mesh = self.stage.mesh_at(&self.mesh_path, time, true)?;
            check_topology(&self.first, &mesh)?;
        }
        let points = match &self.posing {
            Some(posing) => posing.points(&self.stage, time)?,
            None => self.stage.points_at(&self.mesh_path, time)?,
        };
        let (a, b) = (self.first.positions.len(), points.len());
        match a == b {
            true => Ok(points),
            false => Err(Error::new(Kind::Topology, format!("{b} vertices, the first frame has {a}"))),
        }
    }
}

/// The first readable one of some samples; the error of the first if none is.
pub(super) fn first_good<S, T>(samples: &[S], mut read: impl FnMut(&S) -> Result<T>) -> Result<T> {
    let mut failed = None;
    for sample in samples {
        match read(sample) {
            Ok(good) => return Ok(good),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    Err(failed.unwrap_or_else(|| Error::new(Kind::MissingInput, "there are no samples")))
}

/// Those samples that are at whole frames, and their frames. Files for motion blur have others in between.
fn at_whole_frames(
    times: &[Real],
    frame: impl Fn(Real) -> Real,
    fps: Real,
    path: &Path,
) -> Result<(Vec<Real>, Vec<i64>)> {
    let whole: Vec<Real> =
        times.iter().copied().filter(|&t| (frame(t) - frame(t).round()).abs() <= NEAR_WHOLE).collect();
    // If there is none, the error names the first.
    let kept = if whole.is_empty() { times.to_vec() } else { whole };
    let hint = || speed(&times.iter().map(|&t| frame(t)).collect::<Vec<_>>(), fps);
    let frames = whole_frames(kept.iter().map(|&t| frame(t)), fps, path)
        .map_err(|e| Error::new(e.kind(), format!("{}{}", e.message(), hint())).file(path))?;
    // Motion-blur samples lie near every frame; samples at another rate meet a frame only now and then.
    let gaps = frames.windows(2).any(|pair| pair[1] - pair[0] > 1);
    let ends = frames.first().zip(frames.last()).map(|(&first, &last)| [first as Real, last as Real]);
    let near = |t: &Real| ends.is_some_and(|[first, last]| first - 1.0 < frame(*t) && frame(*t) < last + 1.0);
    if kept.len() < times.len() && (gaps || !times.iter().all(near)) {
        let (count, all) = (kept.len(), times.len());
        let message =
            format!("only {count} of {all} samples are at whole frames at {fps} frames per second{}", hint());
        return Err(Error::new(Kind::Unsupported, message).file(path));
    }
    Ok((kept, frames))
}

/// The rate at which evenly spaced samples would be at whole frames, as a question; otherwise nothing.
fn speed(frames: &[Real], fps: Real) -> String {
    let apart: Vec<Real> = frames.windows(2).map(|pair| pair[1] - pair[0]).collect();
    match apart.first() {
        Some(&first) if first > 0.0 && apart.iter().all(|d| (d - first).abs() < NEAR_WHOLE) => {
            format!(": is the file's rate {}?", (fps / first * 1000.0).round() / 1000.0)
        }
        _ => String::new(),
    }
}

/// The tolerance for a sample at a whole frame: single-precision accuracy after an hour.
const NEAR_WHOLE: Real = 0.01;

/// Frames that must be whole, to within single-precision accuracy after an hour.
pub(super) fn whole_frames(times: impl Iterator<Item = Real>, fps: Real, path: &Path) -> Result<Vec<i64>> {
    let frames = times.enumerate().map(|(sample, frame)| {
        let whole = frame.round();
        if (frame - whole).abs() > NEAR_WHOLE || whole.abs() > 1e15 {
            let message = format!(
                "sample {sample} is at frame {frame} at {fps} frames per second, not at a whole frame"
            );
            return Err(Error::new(Kind::Unsupported, message).file(path));
        }
        Ok(whole as i64)
    });
    frames.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_speed_are_told_from_motion_blur() {
        let at = |from: Real, step: Real, count: usize, fps: Real| {
            let times: Vec<Real> = (0..count).map(|k| from + step * k as Real).collect();
            let found = at_whole_frames(&times, |t| t * fps, fps, Path::new("a.abc"));
            found.map(|(_, frames)| frames).map_err(|e| e.message().to_string())
        };
        assert_eq!(at(1.0 / 24.0, 1.0 / 24.0, 3, 24.0), Ok(vec![1, 2, 3]));
        assert_eq!(at(1.0 / 24.0, 2.0 / 24.0, 3, 24.0), Ok(vec![1, 3, 5]), "on twos");
        assert_eq!(at(0.75 / 24.0, 0.25 / 24.0, 11, 24.0), Ok(vec![1, 2, 3]), "motion blur");
        assert_eq!(at(0.5 / 24.0, 0.5 / 24.0, 3, 24.0), Ok(vec![1]), "of one frame");
        for fps in [25.0, 30.0, 60.0, 23.976] {
            let told = at(1.0 / fps, 1.0 / fps, 12, 24.0).unwrap_err();
            assert!(told.ends_with(&format!("is the file's rate {fps}?")), "{told}");
        }
    }
}
