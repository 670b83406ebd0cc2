//! What of a job a run does: everything, or a part that other runs, in other processes too, complete.

use crate::error::{Error, Kind, Result};
use crate::scene::frames::format_frames;
use crate::scene::schema::word_attribute;
use std::path::PathBuf;

/// What a run does about an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// It neither goes on from one nor can be gone on from.
    Once,
    /// It goes on where earlier runs of the same job stopped.
    #[default]
    GoOn,
    /// It begins with the first frame.
    Restart,
}

word_attribute! {
    /// A part of a job.
    Only ("solve, images, caches or page") {
        /// The nodes compute frame after frame, and what they give is stored. One run at a time.
        Solve = "solve",
        /// Files that belong to one frame are made of what is stored: tables, ST-maps, textures, OBJ.
        Images = "images",
        /// Files that hold all frames are made of what is stored.
        Caches = "caches",
        /// The page is made of the tables, when those of all frames are there.
        Page = "page",
    }
}

/// What a run does.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// About earlier runs.
    pub way: Way,
    /// The part; everything when none.
    pub only: Option<Only>,
    /// Of the job's frames only these; the nodes compute all up to the last of them, since each frame depends on those
    /// before.
    pub frames: Option<Vec<i64>>,
    /// For a run that nobody goes on from: a file of what the nodes remembered, from which its first frame goes on.
    pub resume: Option<PathBuf>,
    /// What the nodes gave stays stored after the last file, so that other pictures can be made of it later.
    pub keep: bool,
}

impl Plan {
    /// Everything, once.
    pub fn once() -> Self {
        Plan { way: Way::Once, ..Plan::default() }
    }

    /// The places of the frames that are asked for among those of the job.
    pub(super) fn places(&self, frames: &[i64]) -> Result<Vec<usize>> {
        let Some(named) = &self.frames else { return Ok((0..frames.len()).collect()) };
        let place = |frame: &i64| {
            frames.iter().position(|f| f == frame).ok_or_else(|| {
                let message = format!("the job has no such frame; it has {}", format_frames(frames));
                Error::new(Kind::InvalidArgument, message).frame(*frame)
            })
        };
        named.iter().map(place).collect()
    }

    /// Whether it makes files of what was solved, as others may do at the same time.
    pub fn is_shared(&self) -> bool {
        matches!(self.only, Some(Only::Images | Only::Caches | Only::Page))
    }
}
