//! `sinew run`: a job from a scene file to all its outputs, or a part of it.

use super::progress::Shown;
use super::{Context, interrupt, print, spare};
use sinew_base::control::Control;
use sinew_base::error::{Error, Result};
use sinew_formats::xml;
use sinew_job::{self as job, Graph, Only, Outcome, Plan, Request, SceneFile, Way, named};
use sinew_scene::frames::{format_frames, parse_frames};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The job (XML): a scene with <outputs>; `sinew scene` describes it.
    job: PathBuf,
    /// Start over from the first frame, even if an earlier run of the same job could be resumed.
    #[arg(long)]
    restart: bool,
    /// Do only part of the job: `solve` (the nodes compute and the results are stored), `images` (files that belong to
    /// one frame), `caches` (files that hold all frames) or `page`. After `solve` the others run in any order, for any
    /// frames and in any number of processes; without --only a run does what is left.
    #[arg(long, value_name = "PART")]
    only: Option<Only>,
    /// Only these of the job's frames, such as 1-48 or 1,5,9. The nodes compute all frames up to the last of these;
    /// files that hold all frames, the page and the manifest are written by the run that completes the job.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Keep the nodes' results in the output folder, so that a job with other images need not compute them again.
    #[arg(long)]
    keep: bool,
    /// A parameter: NAME=VALUE, or NODE.NAME=VALUE if the scene has several nodes.
    #[arg(long = "set", value_name = "[NODE.]NAME=VALUE")]
    params: Vec<String>,
    /// The folder to write into, instead of the scene's.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Check everything that can be checked before the first frame, list what would be read and written, and stop.
    #[arg(long)]
    dry_run: bool,
    /// Remove what earlier runs of the job stored, and the files listed in their manifest, except files that have been
    /// changed since.
    #[arg(long, conflicts_with_all = ["only", "frames", "keep", "restart", "dry_run"])]
    clean: bool,
}

impl Args {
    fn request(&self) -> Result<Request> {
        let way = if self.restart { Way::Restart } else { Way::GoOn };
        let frames = self.frames.as_deref().map(parse_frames).transpose()?;
        let plan = Plan { way, only: self.only, frames, keep: self.keep, resume: None };
        let (settings, folder) = (self.params.clone(), self.out.clone());
        Ok(Request { scene: self.job.clone(), settings, folder, plan })
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let (request, control) = (args.request()?, interrupt::control());
    if args.clean {
        return clean(&request, &control, context);
    }
    if args.dry_run {
        return dry_run(&request, &control, context);
    }
    print_outcome(&request.run(&control, &mut Shown::new(context))?, context)
}

/// Writes a scene whose paths are relative to its own folder if they lead into it, so that the folder can be moved;
/// otherwise absolute.
pub(super) fn save_scene(path: &Path, file: SceneFile, force: bool, context: &Context) -> Result<()> {
    named("--save-scene", path, &["xml"])?;
    spare(path, force)?;
    // What could not be computed is refused here, not on the farm.
    Graph::new(&file)?;
    let mut scene = file.scene;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|e| Error::io(path, &e));
    let folder = absolute(path)?.parent().map(Path::to_path_buf).unwrap_or_default();
    let find = |file: &mut String| -> Result<()> {
        let whole = absolute(file.as_ref())?;
        let inside = whole.strip_prefix(&folder).unwrap_or(&whole);
        let inside = if inside.as_os_str().is_empty() { Path::new(".") } else { inside };
        *file = inside.to_string_lossy().into_owned();
        Ok(())
    };
    scene.files_mut().try_for_each(|(_, file)| find(file))?;
    job::param_files(&mut scene).try_for_each(find)?;
    xml::save(path, &scene)?;
    match context.json {
        true => print(&format!("{}\n", serde_json::json!({ "scene": path }))),
        false => print(&format!("{}\n", path.display())),
    }
}

/// Prints a job's outcome; an error if a frame failed.
pub(super) fn print_outcome(outcome: &Outcome, context: &Context) -> Result<()> {
    let Outcome { frames, about, folder, summary } = outcome;
    match context.json {
        true => print(&format!("{}\n", summary.report))?,
        false => print(&format!("{frames} frames of {about}: {}\n", folder.display()))?,
    }
    outcome.check()
}

fn dry_run(request: &Request, control: &Control, context: &Context) -> Result<()> {
    let look = request.look(control)?;
    if context.json {
        return print(&format!("{}\n", look.to_json()));
    }
    context.warn(&look.warnings);
    let list =
        |paths: &[PathBuf]| paths.iter().map(|path| format!("  {}\n", path.display())).collect::<String>();
    let (frames, reads, writes) = (format_frames(&look.frames), list(&look.read), list(&look.written));
    print(&format!("frames {frames} of {}\nreads\n{reads}writes\n{writes}", look.about))
}

fn clean(request: &Request, control: &Control, context: &Context) -> Result<()> {
    let gone = job::clean(&request.file(control)?, control)?;
    match context.json {
        true => print(&format!("{}\n", serde_json::json!({ "removed": gone }))),
        false => print(&format!("{gone} files removed\n")),
    }
}
