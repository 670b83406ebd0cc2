//! `sinew report`: a page to review what `sinew slide`, or a graph with muscles, wrote.

use super::{Context, print};
use serde_json::json;
use sinew_base::error::Result;
use sinew_formats::atomic;
use sinew_job::named;
use sinew_report::{Report, Texture};
use sinew_scene::frames::parse_frames;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder that `sinew slide`, or `sinew run` with `<tables/>`, wrote, or the output folder of a graph with
    /// skin.%04d.obj and muscles.%04d.obj; skinned.%04d.obj and muscle_tensions.%04d.csv are shown if present.
    folder: PathBuf,
    /// The page to write: one self-contained file that needs no network.
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// The texture to show on the skin (PNG, JPEG); a checkerboard by default.
    #[arg(long, value_name = "FILE")]
    texture: Option<PathBuf>,
    /// The title; the folder's name by default.
    #[arg(long)]
    title: Option<String>,
    /// The frames to show, such as 1-100x2; all frames of the run by default.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    named("--html", &args.html, &["html", "htm"])?;
    let frames = args.frames.as_deref().map(parse_frames).transpose()?;
    let texture = args.texture.as_deref().map(Texture::read).transpose()?;
    let report = Report::gather(&args.folder, frames.as_deref())?;
    let page = report.page(args.title.as_deref(), texture.as_ref())?;
    atomic::write(&args.html, |file| file.write_all(page.as_bytes()))?;
    let (count, vertices) = (report.frames.len(), report.frames[0].positions.len());
    if context.json {
        let reported = json!({
            "frames": count, "vertices": vertices, "bytes": page.len(), "file": args.html,
            "notes": report.run.notes,
        });
        return print(&format!("{reported}\n"));
    }
    report.run.notes.iter().for_each(|note| context.note(note));
    let size = page.len() as f64 / f64::from(1 << 20);
    print(&format!("{count} frames of {vertices} vertices, {size:.1} MB: {}\n", args.html.display()))
}
