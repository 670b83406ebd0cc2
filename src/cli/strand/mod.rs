//! `sinew strand`: strands, bodies and joints of a scene in motion, frame by frame: a job of one node, given by
//! options.

mod compare;
mod source;
mod stale;

use super::progress::Shown;
use super::run::{print_outcome, save_scene};
use super::{Context, check_state, interrupt, print};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::shot_endings;
use sinew_job::{Job, Plan, SceneFile, named};
use sinew_math::Real;
use sinew_nodes::Instance;
use sinew_scene::frames::FrameRange;
use sinew_scene::schema::Line;
use sinew_scene::{Broken, FramesElement, OutputsElement, Scene, WriteElement};
use source::SceneArgs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: SceneArgs,
    /// Write the scene of --hand or --mirror as a file for editing, with its bones as meshes next to it.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Let --write and --save-scene replace existing files.
    #[arg(long)]
    force: bool,
    /// The duration, in s.
    #[arg(long, required_unless_present_any = ["write", "compare"], requires = "out", allow_negative_numbers = true)]
    seconds: Option<Real>,
    /// Frames per second.
    #[arg(long, default_value_t = 24.0, requires = "seconds", allow_negative_numbers = true)]
    fps: Real,
    /// The folder to write into: bodies and joints as .csv and .json, strands.%04d.obj, tubes.%04d.obj, report.json.
    /// Created if missing.
    #[arg(long, required_unless_present_any = ["write", "compare"], requires = "seconds")]
    out: Option<PathBuf>,
    /// Instead of frames, print a table for --hand: where each joint ends in every --condition, and for --hand four
    /// also with bands, once the activations of --set have pulled from rest, and how far this is from the healthy hand.
    #[arg(long, requires = "hand", conflicts_with_all = [
        "seconds", "fps", "out", "write", "condition", "bands", "mirror", "curves", "save_state", "resume", "save_scene",
    ])]
    compare: bool,
    #[arg(long, value_name = "FILE", requires = "seconds", help = format!(
        "Write all frames' strands as curves into one file ({}), with a width, a tension and a material coordinate at \
         each point; with --resume, only the frames of this run, as in the tables. Can be given more than once",
        shot_endings(|holds| holds.curves)
    ))]
    curves: Vec<PathBuf>,
    /// Write the state after the last frame, on which the next frame depends.
    #[arg(long, value_name = "FILE", requires = "seconds")]
    save_state: Option<PathBuf>,
    /// Continue from a state written by --save-state.
    #[arg(long, value_name = "FILE", requires = "seconds")]
    resume: Option<PathBuf>,
    /// Write the job that would be computed, for editing and for `sinew run`, and stop.
    #[arg(long, value_name = "FILE", requires = "seconds", conflicts_with_all = ["resume", "save_state"])]
    save_scene: Option<PathBuf>,
}

/// More frames than this must be a typing error.
const MOST: Real = 1e6;
/// The name of the node, and of the parent of all curves.
const NODE: &str = "strands";
/// Sides of a tube: round enough at a few pixels of width.
const AROUND: u32 = 12;

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    if args.force && args.write.is_none() && args.save_scene.is_none() {
        let message = "--force is for --write and --save-scene: results are always replaced";
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    args.save_state.as_deref().map_or(Ok(()), |path| check_state("--save-state", path))?;
    if args.compare {
        let (text, json) = compare::compare(&args.source, &interrupt::control())?;
        return print(&if context.json { format!("{json}\n") } else { text });
    }
    if let Some(path) = &args.write {
        named("--write", path, &["xml"])?;
        let reported = args.source.write(path, args.force)?;
        if args.seconds.is_none() {
            return match context.json {
                true => print(&format!("{}\n", reported.json)),
                false => print(&format!("{}\n", reported.text)),
            };
        }
    }
    match (args.seconds, &args.out) {
        (Some(seconds), Some(out)) => frames(args, seconds, out, context),
        _ => Ok(()),
    }
}

fn frames(args: &Args, seconds: Real, out: &Path, context: &Context) -> Result<()> {
    let file = SceneFile::of(scene(args, frame_range(args, seconds)?, out)?);
    if let Some(path) = &args.save_scene {
        return save_scene(path, file, args.force, context);
    }
    let control = interrupt::control();
    let plan = Plan { resume: args.resume.clone(), ..Plan::once() };
    let mut job = Job::new(&file, plan, &control)?;
    if args.resume.is_none() {
        stale::remove(out)?;
    }
    let outcome = job.play(&control, &mut Shown::new(context))?;
    if let Some(path) = &args.save_state {
        job.save_state(path)?;
    }
    print_outcome(&outcome, context)
}

/// The frames: the start and that many after it, or after the state's frame.
fn frame_range(args: &Args, seconds: Real) -> Result<Vec<i64>> {
    if !(args.fps > 0.0 && args.fps.is_finite()) {
        return Err(Error::new(Kind::InvalidArgument, format!("{} is not a frame rate", args.fps)));
    }
    let count = (seconds * args.fps).round();
    if !(1.0..=MOST).contains(&count) {
        let message = format!(
            "{seconds} s at {} frames per second are {count} frames; 1 to {MOST} are allowed",
            args.fps
        );
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    let count = count as i64;
    Ok(match &args.resume {
        None => (0..=count).collect(),
        Some(path) => {
            let last = frame_of(path, args.fps).map_err(|e| e.file(path))?;
            (last + 1..=last + count).collect()
        }
    })
}

/// The frame of a saved state.
fn frame_of(path: &Path, fps: Real) -> Result<i64> {
    let state = std::fs::read(path).map_err(|e| Error::io(path, &e))?;
    let last = Instance::new("strand")?.frame_of_state(&state)?;
    let Some(last) = last else {
        return Err(Error::new(Kind::MissingInput, "the state was saved before the first frame"));
    };
    let frame = last.seconds * fps;
    let whole = frame.round();
    if (0.0..=1e12).contains(&whole) && (frame - whole).abs() < 1e-3 {
        return Ok(whole as i64);
    }
    let message =
        format!("the state is at {} s, which is not a whole frame at {fps} per second", last.seconds);
    Err(Error::new(Kind::InvalidArgument, message))
}

/// The options as a scene.
fn scene(args: &Args, frames: Vec<i64>, out: &Path) -> Result<Scene> {
    let line = Line(0);
    let mut scene = Scene::of_node("strand");
    scene.space = args.source.space()?;
    scene.frames =
        Some(FramesElement { range: Some(FrameRange(frames)), fps: Some(args.fps), samples: 1, line });
    let node = &mut scene.nodes[0];
    node.name = Some(NODE.into());
    node.params = args.source.params()?;
    let mut writes = tables();
    writes.extend(meshes());
    for path in &args.curves {
        // Relative to the current folder, not to the folder of --out.
        let whole = std::path::absolute(path).map_err(|e| Error::io(path, &e))?;
        writes.push(curves(
            &whole.to_string_lossy(),
            &["strand_points", "strand_counts", "tension=tensions", "materialCoordinate=strand_materials"],
        ));
    }
    let folder = out.to_string_lossy().into_owned();
    scene.outputs = Some(OutputsElement { broken: Broken::Stop, writes, ..OutputsElement::new(folder) });
    Ok(scene)
}

/// The motions of bodies and joints.
fn tables() -> Vec<WriteElement> {
    let both = |name: &str, from: &[&str], item: Option<&str>| {
        ["csv", "json"].map(|ending| WriteElement {
            item: item.map(String::from),
            ..write(&format!("{name}.{ending}"), from)
        })
    };
    let bodies = both("bodies", &["body_matrices"], Some("body"));
    let joints = both("joints", &["turn=joint_turns", "move=joint_moves"], None);
    bodies.into_iter().chain(joints).collect()
}

/// The shape of a frame: strands as lines and as tubes.
fn meshes() -> [WriteElement; 2] {
    let lines = curves("strands.%04d.obj", &["strand_points", "strand_counts"]);
    let tubes = curves("tubes.%04d.obj", &["strand_points", "strand_counts", "strand_materials"]);
    [WriteElement { radii: None, ..lines }, WriteElement { tubes: Some(AROUND), groups: false, ..tubes }]
}

/// A file of strands as curves, each under its name and in pieces where it is cut.
fn curves(file: &str, from: &[&str]) -> WriteElement {
    let (radii, cuts) = (Some(port("strand_radii")), Some(port("strand_cuts")));
    WriteElement { radii, cuts, groups: true, ..write(file, from) }
}

/// A file of outputs of the node, each a port or NAME=PORT.
fn write(file: &str, from: &[&str]) -> WriteElement {
    let from = from.iter().map(|text| match text.split_once('=') {
        Some((name, id)) => format!("{name}={}", port(id)),
        None => port(text),
    });
    WriteElement::new(file.into(), from.collect::<Vec<_>>().join(" "), Line(0))
}

fn port(id: &str) -> String {
    format!("{NODE}.{id}")
}
