//! The part of a job that a run performs: everything, or a part, to be completed by other runs, possibly in other
//! processes.

use sinew_base::error::{Error, Kind, Result};
use sinew_scene::frames::format_frames;
use std::path::PathBuf;

/// How a run treats earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// It neither resumes nor can be resumed.
    Once,
    /// It resumes where earlier runs of the same job stopped.
    #[default]
    GoOn,
    /// It starts over with the first frame.
    Restart,
}

/// A part of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// The nodes compute frame after frame, and the results are stored. One run at a time.
    Solve,
    /// Files that belong to one frame are made from what is stored: tables, ST-maps, textures, OBJ.
    Images,
    /// Files that hold all frames are made from what is stored.
    Caches,
    /// The page is made from the tables, once those of all frames exist.
    Page,
}

impl std::str::FromStr for Only {
    type Err = &'static str;

    fn from_str(word: &str) -> std::result::Result<Self, Self::Err> {
        match word {
            "solve" => Ok(Only::Solve),
            "images" => Ok(Only::Images),
            "caches" => Ok(Only::Caches),
            "page" => Ok(Only::Page),
            _ => Err("expected solve, images, caches or page"),
        }
    }
}

/// What a run does.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Its treatment of earlier runs.
    pub way: Way,
    /// The part; everything if none.
    pub only: Option<Only>,
    /// Only these of the job's frames; the nodes compute all up to the last of them, since each frame depends on those
    /// before.
    pub frames: Option<Vec<i64>>,
    /// For a run that cannot be resumed: a file with the nodes' state, from which its first frame continues.
    pub resume: Option<PathBuf>,
    /// The stored results are kept at the end, so that other images can be made from them later.
    pub keep: bool,
}

impl Plan {
    /// Everything, once.
    pub fn once() -> Self {
        Plan { way: Way::Once, ..Plan::default() }
    }

    /// The indices of the requested frames among those of the job.
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

    /// Whether it makes files from what was solved, as others may do at the same time.
    pub fn is_shared(&self) -> bool {
        matches!(self.only, Some(Only::Images | Only::Caches | Only::Page))
    }
}
