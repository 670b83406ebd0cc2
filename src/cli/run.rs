//! `sinew run`: a job from a scene file to all its outputs.

use super::progress::Frames;
use super::{Context, interrupt, print};
use crate::error::Result;
use crate::job::{Job, SceneFile, Summary, Way};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The job (XML): a scene with a node of type skin_slider and its results; `sinew scene` describes it.
    job: PathBuf,
    /// Begin with the first frame, also where an earlier run of the same job could be gone on from.
    #[arg(long)]
    restart: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let file = SceneFile::read(&args.job)?;
    let control = interrupt::control();
    let way = if args.restart { Way::Restart } else { Way::GoOn };
    let mut job = Job::new(&file, way, &control)?;
    job.notes().iter().for_each(|note| eprintln!("note: {note}"));
    let bar = Frames::from(job.done(), job.frames().len());
    let summary = job.run(&control, &mut |_| bar.step());
    drop(bar);
    tell(&job, &summary?, context)
}

/// Tells what a job came to; an error when a frame failed.
pub(super) fn tell(job: &Job, summary: &Summary, context: &Context) -> Result<()> {
    summary.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    let frames = job.frames().len();
    match context.json {
        true => print(&format!("{}\n", summary.report))?,
        false => print(&format!("{frames} frames of {}: {}\n", job.about(), job.folder().display()))?,
    }
    summary.check(frames)
}
