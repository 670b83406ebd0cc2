//! The two parts of a job: what computes its frames, and what writes them. The loop between them is the same for all.

use super::caches::Stored;
use super::moment::Moment;
use crate::control::Control;
use crate::error::Result;
use crate::math::{Real, Space};
use std::path::PathBuf;

/// Computes frames, one after the other.
pub trait Solver {
    /// The frames of the job.
    fn frames(&self) -> &[i64];
    /// Frames per second.
    fn fps(&self) -> Real;
    /// The unit and the up axis of all files.
    fn space(&self) -> Space;
    /// What is computed, in two words.
    fn about(&self) -> String;
    /// What is odd about the inputs.
    fn warnings(&self) -> &[String];
    /// Computes the frame of that place in [`Solver::frames`].
    fn step(&mut self, place: usize, control: &Control) -> Result<Moment>;
    /// What the next frame needs to be known of the last.
    fn save_state(&self) -> Vec<u8>;
    /// Goes on from what [`Solver::save_state`] gave, and from what the frame before gave where that is known. A state
    /// that the next frame cannot go on from is then an error.
    fn load_state(&mut self, state: &[u8], last: Option<Moment>) -> Result<()>;
}

/// Writes what frames gave.
pub trait Sinks {
    /// The names of all files that will be written.
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>>;
    /// What is odd about the inputs of the results.
    fn warnings(&self) -> Vec<String>;
    /// Writes what belongs to no frame, and returns the names.
    fn begin(&self) -> Result<Vec<PathBuf>>;
    /// Writes a frame's files and returns their names.
    fn write(&self, moment: &Moment, control: &Control) -> Result<Vec<PathBuf>>;
    /// Whether frames must be stored for [`Sinks::finish`].
    fn needs_stored(&self) -> bool;
    /// Writes the files that hold all frames and returns their names.
    fn finish(&self, stored: &Stored) -> Result<Vec<PathBuf>>;
    /// Writes the page, of what else lies in the folder.
    fn write_page(&self, frames: &[i64]) -> Result<()>;
}
