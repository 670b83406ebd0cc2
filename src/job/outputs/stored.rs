//! The stored results of all frames, from which files that hold all frames are made at the end.

use super::super::graph::samples::Samples;
use super::super::store::record::FrameRecord;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::provenance::Provenance;
use sinew_formats::sequence::Pattern;
use sinew_math::{Real, Space, Vec3};
use sinew_scene::frames::check_rising;
use std::path::Path;

/// The results of a job's frames, read as often as a file's format needs. With several samples per frame each sample is
/// written as a frame; written frames are numbered consecutively from zero.
pub struct Stored<'a> {
    /// The frames of the job.
    pub frames: &'a [i64],
    /// The numbers of those written, see [`Samples::numbers`].
    pub written: Vec<i64>,
    /// Their rate per second.
    pub fps: Real,
    /// How many of them make up a frame.
    pub samples: Samples,
    /// The unit and the up axis of all numbers.
    pub space: Space,
    /// What makes the files.
    pub provenance: &'a Provenance,
    /// The results.
    pub record: &'a dyn Fn(usize) -> Result<FrameRecord>,
    /// Checked for cancelling before each.
    pub control: &'a Control,
}

impl Stored<'_> {
    /// Each frame of the job, in order.
    pub fn each_frame(&self, mut write: impl FnMut(&FrameRecord) -> Result<()>) -> Result<()> {
        for (place, &frame) in self.frames.iter().enumerate() {
            self.frame(place).and_then(|record| write(&record)).map_err(|e| e.frame(frame))?;
        }
        Ok(())
    }

    /// Each written frame, in order.
    pub fn each_written(&self, mut write: impl FnMut(&FrameRecord) -> Result<()>) -> Result<()> {
        (0..self.written.len()).try_for_each(|index| self.read(index).and_then(|record| write(&record)))
    }

    /// The frame with that index.
    fn frame(&self, place: usize) -> Result<FrameRecord> {
        self.control.check()?;
        (self.record)(place)
    }

    /// The written frame with that index.
    pub fn read(&self, index: usize) -> Result<FrameRecord> {
        let (place, since) = self.samples.place(index);
        let record = self.frame(place).map_err(|e| e.frame(self.frames[place]))?;
        // The replacement of a broken frame also replaces the samples before it.
        Ok(match since.and_then(|since| record.between.get(since).cloned()) {
            Some(outputs) => FrameRecord { outputs, between: Vec::new(), ..record },
            None => record,
        })
    }

    /// The velocities of points at the written frame with that index, per second: central differences of its
    /// neighbours.
    pub fn velocities(&self, index: usize, points: impl Fn(&FrameRecord) -> Vec<Vec3>) -> Result<Vec<Vec3>> {
        let ends = [index.saturating_sub(1), (index + 1).min(self.written.len() - 1)];
        let [before, after] = ends.map(|end| self.read(end).map(|record| points(&record)));
        let (before, after) = (before?, after?);
        let seconds = (self.written[ends[1]] - self.written[ends[0]]) as Real / self.fps;
        if ends[0] == ends[1] || before.len() != after.len() {
            let message = "velocities need at least two frames, all with the same number of points";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        Ok(after.iter().zip(&before).map(|(after, before)| (after - before) / seconds).collect())
    }
}

/// Checks that one file can hold all frames.
pub fn check_whole(file: &Path, frames: &[i64], fps: Real) -> Result<()> {
    if Pattern::parse(file)?.is_some() {
        let message = "one file holds all frames: its name must not have a placeholder for the frame";
        return Err(Error::new(Kind::InvalidArgument, message).file(file));
    }
    check_rising(frames, fps).map_err(|e| e.file(file))
}
