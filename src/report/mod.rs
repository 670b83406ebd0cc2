//! Pages: sliding skin, or muscles under it, to be reviewed, the folder of a run as one self-contained HTML file; and a
//! set of muscles over poses ([`preview`]).
//!
//! A graph shows its muscles when it writes, for each frame, `skin.%04d.obj` and `muscles.%04d.obj`, and, if they are
//! to be seen, the skin without muscles as `skinned.%04d.obj` and `muscle_tensions.%04d.csv`, a table of that output
//! alone.
//!
//! [`Report::gather`] reads and checks the folder, [`Report::page`] packs it. Numbers are stored as multiples of a
//! step, which the page states:
//!
//! | what | step | maximum error |
//! |---|---|---|
//! | positions | the largest side of any frame's bounding box / 65535, from the frame's own corner | half a step |
//! | UVs | 2^-15, from 0 | 2^-16: a 16th of a texel of a 4k texture |
//! | maps | the range of a map over all frames / 65535 | half a step |
//!
//! What is stored is the change of each number since the previous frame minus the change of its neighbour, as byte
//! planes, lowest bytes first; every frame is deflated separately, so that the page can show the first before it has
//! read the last.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod artist;
mod contents;
mod html;
mod muscles;
mod pack;
mod page;
pub mod preview;
mod reported;
mod slide;
mod split;

pub use artist::Artist;
pub use contents::{Frame, Parts, Report, frame_file};
pub use page::{MAX_PAGE, Texture};
pub use reported::{Row, Run, Warning};
pub use slide::check_rest;

use sinew_base::error::Result;
use std::path::Path;

impl Report {
    /// Reads the folder that `sinew slide` wrote, or a graph with muscles, or some of its frames.
    pub fn gather(folder: &Path, frames: Option<&[i64]>) -> Result<Report> {
        let run = reported::read(&folder.join("report.json"))?;
        let gather =
            if muscles::are_shown(folder, run.rows[0].frame) { muscles::gather } else { slide::gather };
        gather(folder, run, frames)
    }

    /// Reads the folder of sliding skin, whatever else is in it.
    pub fn gather_slide(folder: &Path, frames: Option<&[i64]>) -> Result<Report> {
        slide::gather(folder, reported::read(&folder.join("report.json"))?, frames)
    }
}
