//! `sinew run`: a job from a scene file to all its outputs, or a part of it.

use super::progress::Frames;
use super::{Context, interrupt, print, spare, split};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::xml;
use sinew_job::{self as job, Graph, Job, Only, Plan, SceneFile, Summary, Way, named};
use sinew_scene::frames::{format_frames, parse_frames};
use sinew_scene::schema::Line;
use sinew_scene::{NodeElement, ParamElement, Scene};
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

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let file = SceneFile::read_with(&args.job, |scene| edit(args, scene))?;
    let control = interrupt::control();
    if args.clean {
        return clean(&file, context);
    }
    let plan = Plan {
        way: if args.restart { Way::Restart } else { Way::GoOn },
        only: args.only,
        frames: args.frames.as_deref().map(parse_frames).transpose()?,
        keep: args.keep,
        resume: None,
    };
    if args.restart && plan.is_shared() {
        let message =
            "--restart starts over with the first frame: use it with --only solve, or without --only";
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    if args.dry_run {
        return dry_run(&file, context);
    }
    if plan.way == Way::GoOn
        && let Some((summary, folder)) = Summary::of_finished(&file, &control)?
    {
        context.note("the job is finished, and nothing has changed since");
        let frames = summary.report["frames"].as_array().map_or(0, Vec::len);
        return print_outcome(frames, "the job", &folder, &summary, context);
    }
    let mut job = Job::new(&file, plan, &control)?;
    job.notes().iter().for_each(|note| context.note(note));
    let frames = job.frames().len();
    let summary = play(&mut job, &control, context)?;
    job.note_finished(&file)?;
    if !summary.left.is_empty() {
        let left = format_frames(&summary.left);
        context.note(&format!("files of these frames are left for other runs: {left}"));
    }
    print_outcome(frames, &job.about(), job.folder(), &summary, context)
}

/// Runs a job with a progress bar, and prints its notes.
pub(super) fn play(job: &mut Job, control: &Control, context: &Context) -> Result<Summary> {
    let reported = job.notes().len();
    let bar = Frames::from(job.done(), job.frames().len(), context);
    let summary = job.run(control, &mut |_| bar.step());
    drop(bar);
    job.notes()[reported..].iter().for_each(|note| context.note(note));
    summary
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
pub(super) fn print_outcome(
    frames: usize,
    about: &str,
    folder: &Path,
    summary: &Summary,
    context: &Context,
) -> Result<()> {
    context.warn(&summary.warnings);
    match context.json {
        true => print(&format!("{}\n", summary.report))?,
        false => print(&format!("{frames} frames of {about}: {}\n", folder.display()))?,
    }
    summary.check(frames)
}

/// Overrides the scene with the options.
fn edit(args: &Args, scene: &mut Scene) -> Result<()> {
    for text in &args.params {
        let (name, value) = split("--set", text)?;
        let (node, id) = match name.split_once('.') {
            Some((node, id)) => (Some(node), id),
            None => (None, name.as_str()),
        };
        let names: Vec<&str> = scene.nodes.iter().map(NodeElement::called).collect();
        let place = match node {
            Some(node) => names.iter().position(|name| *name == node),
            None => (names.len() == 1).then_some(0),
        };
        let Some(place) = place else {
            let message = format!("--set {text}: expected NODE.NAME=VALUE, NODE one of {}", names.join(", "));
            return Err(Error::new(Kind::InvalidArgument, message));
        };
        let params = &mut scene.nodes[place].params;
        params.retain(|param| param.id != id);
        params.push(ParamElement { id: id.into(), value, line: Line(0) });
    }
    let Some(out) = &args.out else { return Ok(()) };
    let out = std::path::absolute(out).map_err(|e| Error::io(out, &e))?.to_string_lossy().into_owned();
    scene.outputs.iter_mut().for_each(|outputs| outputs.folder.clone_from(&out));
    Ok(())
}

fn dry_run(file: &SceneFile, context: &Context) -> Result<()> {
    let reported = job::look(file, &interrupt::control())?;
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    let (read, written) = (names(&reported.read), names(&reported.written));
    if context.json {
        let object = serde_json::json!({ "frames": reported.frames, "reads": read, "writes": written, "warnings": reported.warnings });
        return print(&format!("{object}\n"));
    }
    context.warn(&reported.warnings);
    let list = |names: &[String]| names.iter().map(|name| format!("  {name}\n")).collect::<String>();
    let frames = format_frames(&reported.frames);
    print(&format!("frames {frames} of {}\nreads\n{}writes\n{}", reported.about, list(&read), list(&written)))
}

fn clean(file: &SceneFile, context: &Context) -> Result<()> {
    let gone = job::clean(file, &interrupt::control())?;
    match context.json {
        true => print(&format!("{}\n", serde_json::json!({ "removed": gone }))),
        false => print(&format!("{gone} files removed\n")),
    }
}
