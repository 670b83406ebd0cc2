//! `sinew strand`: strands, bodies and joints of a scene in motion, frame by frame.

mod curves;
mod files;
mod record;
mod source;
mod stale;

use super::progress::Frames;
use super::{Context, interrupt, print, split};
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::{atomic, strand_state};
use crate::math::Real;
use crate::scene::schema::Attribute;
use crate::scene::strand::{Built, StrandScene};
use crate::scene::strand_frame::substeps;
use crate::strand::state::State;
use crate::strand::step::{Inputs, Report, Scratch, step};
use curves::Curves;
use record::Record;
use serde_json::json;
use source::{Loaded, Source};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Write the scene of --hand or --mirror as a file, with its bones as meshes beside it, to be edited.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Let --write take the place of files that are there.
    #[arg(long, requires = "write")]
    force: bool,
    /// How long it moves, in s.
    #[arg(long, required_unless_present = "write", requires = "out")]
    seconds: Option<Real>,
    /// Frames per second.
    #[arg(long, default_value_t = 24.0)]
    fps: Real,
    /// The folder to write into: bodies and joints as .csv and .json, strands.%04d.obj, tubes.%04d.obj, report.json. It
    /// is made when it is missing.
    #[arg(long, required_unless_present = "write", requires = "seconds")]
    out: Option<PathBuf>,
    /// Write all frames' strands as curves into one file (.abc, .usd, .usdc, .usda), with a width, a tension and a material
    /// coordinate at each point; with --resume the frames of this run, like the tables. Can be given more than once.
    #[arg(long, value_name = "FILE", requires = "seconds")]
    curves: Vec<PathBuf>,
    /// A setting: NAME=VALUE; gravity, axial, step, or activation.MUSCLE, which takes the place of the scene's.
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    settings: Vec<String>,
    /// The longest step; the scene's when left out. A frame is cut into equal ones.
    #[arg(long, value_name = "SECONDS")]
    step: Option<Real>,
    /// Write what the next frame depends on, after the last one.
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,
    /// Go on from a state that --save-state wrote.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// More frames are a typing error.
const MOST: Real = 1e6;

/// What a run works with.
struct Run {
    loaded: Loaded,
    built: Built,
    state: State,
    scratch: Scratch,
    fps: Real,
    substeps: u32,
    record: Record,
    curves: Curves,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let step = args.step.map(|step| format!("step={step}"));
    let settings: Vec<String> = args.settings.iter().cloned().chain(step).collect();
    let loaded = args.source.load(&settings)?;
    if args.write.is_some() && args.source.is_file() {
        let message = "--write cannot be used with a scene that is a file already, but for --mirror";
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    if let Some(path) = &args.write {
        loaded.write(path, args.force)?;
    }
    match (args.seconds, &args.out) {
        (Some(seconds), Some(out)) => frames(args, loaded, seconds, out, context),
        _ => {
            let scene = &loaded.scene;
            let (bodies, strands) = (scene.bodies.len(), scene.strands.len());
            let path = args.write.iter().map(|path| path.display().to_string()).collect::<String>();
            if context.json {
                return print(&format!(
                    "{}\n",
                    json!({ "scene": path, "bodies": bodies, "strands": strands })
                ));
            }
            print(&format!("a scene of {bodies} bodies and {strands} strands: {path}\n"))
        }
    }
}

fn frames(args: &Args, loaded: Loaded, seconds: Real, out: &Path, context: &Context) -> Result<()> {
    if !(args.fps > 0.0 && args.fps.is_finite()) {
        return Err(Error::new(Kind::InvalidArgument, format!("{} is no frame rate", args.fps)));
    }
    let count = (seconds * args.fps).round();
    if !(1.0..=MOST).contains(&count) {
        let message = format!("{seconds} s at {} frames a second are {count} frames", args.fps);
        return Err(Error::new(Kind::InvalidArgument, message));
    }
    let mut run = Run::new(args, loaded)?;
    let first = run.first_frame(args)?;
    std::fs::create_dir_all(out).map_err(|e| Error::io(out, &e))?;
    if args.resume.is_none() {
        stale::remove(out)?;
        run.note(0, None)?;
        files::frame(out, &run.built, &run.state, 0)?;
    }
    let control = interrupt::control();
    let bar = Frames::new(count as usize);
    let mut stopped = Ok(());
    for frame in first + 1..=first + count as i64 {
        stopped = run.frame(frame, out, &control);
        if stopped.is_err() {
            break;
        }
        bar.step();
    }
    drop(bar);
    // What was done is told even when the run stopped early: the files of those frames are there.
    let report = run.record.save(out, &run.built)?;
    let saved = run.curves.save(&run.built);
    stopped.and(saved)?;
    if let Some(path) = &args.save_state {
        let bytes = strand_state::encode(&run.built.model, &run.state);
        atomic::write(path, |file| file.write_all(&bytes))?;
    }
    run.record.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    if context.json {
        return print(&format!("{report}\n"));
    }
    let parts = run.built.model.parts();
    let (bodies, strands) = (parts.bodies.len(), parts.strands.len());
    print(&format!("{count} frames of {bodies} bodies and {strands} strands: {}\n", out.display()))
}

impl Run {
    fn new(args: &Args, loaded: Loaded) -> Result<Self> {
        let built = loaded.scene.build(&loaded.meshes).map_err(|e| loaded.in_file(e))?;
        let given = args.step.is_some() || args.settings.iter().any(|text| text.starts_with("step="));
        let substeps = substeps(1.0 / args.fps, built.step).map_err(|e| match &loaded.scene.settings {
            Some(settings) if !given => {
                loaded.in_file(e.element("strand_scene/settings").line(settings.line.0))
            }
            _ => e,
        })?;
        let scratch = Scratch::new(&built.model).map_err(|e| loaded.in_file(loaded.scene.locate(e)))?;
        let state = match &args.resume {
            None => State::new(&built.model),
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|e| Error::io(path, &e))?;
                strand_state::decode(&built.model, &bytes).map_err(|e| e.file(path))?
            }
        };
        let record = Record::new(args.fps, substeps);
        let curves = Curves::new(&args.curves, args.fps)?;
        Ok(Run { loaded, built, state, scratch, fps: args.fps, substeps, record, curves })
    }

    /// The frame at which the state is.
    fn first_frame(&self, args: &Args) -> Result<i64> {
        let frame = self.state.time * self.fps;
        let whole = frame.round();
        if (0.0..=1e12).contains(&whole) && (frame - whole).abs() < 1e-3 {
            return Ok(whole as i64);
        }
        let message =
            format!("the state is of {} s: no whole frame at {} a second", self.state.time, self.fps);
        let error = Error::new(Kind::InvalidArgument, message);
        Err(args.resume.iter().fold(error, |error, path| error.file(path)))
    }

    /// Puts an error of the model or its steps at the element that it names.
    fn located(&self, error: Error) -> Error {
        self.loaded.in_file(self.loaded.scene.locate(error))
    }

    /// Notes where all is after a frame; the start has no report.
    fn note(&mut self, frame: i64, report: Option<&Report>) -> Result<()> {
        let noted = self
            .record
            .note(&self.built, &self.state, &self.scratch, frame, report)
            .and_then(|()| self.curves.note(&self.built, &self.state, frame).map_err(|e| e.frame(frame)));
        noted.map_err(|e| self.located(e))
    }

    fn frame(&mut self, frame: i64, out: &Path, control: &Control) -> Result<()> {
        let [before, time] = [frame - 1, frame].map(|frame| frame as Real / self.fps);
        self.built
            .script
            .change(&self.built.model, &mut self.state, before, time)
            .map_err(|e| self.located(e).frame(frame))?;
        let goals = self.built.script.pursued(before, time);
        // Where there are goals they choose.
        let activations: Vec<Real> =
            if goals.is_empty() { self.built.script.activations(time).collect() } else { Vec::new() };
        let inputs = Inputs {
            // As a host tells it, to the bit.
            seconds: time - before,
            substeps: self.substeps,
            led: &self.built.led(time),
            activations: &activations,
            goals: &goals,
        };
        let report = step(&self.built.model, &mut self.state, &mut self.scratch, &inputs, control)
            .map_err(|e| self.located(e).frame(frame))?;
        self.note(frame, Some(&report))?;
        files::frame(out, &self.built, &self.state, frame).map_err(|e| e.frame(frame))
    }
}

/// Puts an option into the scene, in place of what it says.
fn set(scene: &mut StrandScene, text: &str) -> Result<()> {
    let (name, value) = split("--set", text)?;
    match name.as_str() {
        "gravity" => scene.settings_mut().gravity = Some(value_of(&name, &value)?),
        "axial" => scene.settings_mut().axial = value_of(&name, &value)?,
        "step" => {
            let step = value_of(&name, &value)?;
            scene.settings_mut().step = step;
            if step <= 0.0 {
                return Err(Error::new(Kind::InvalidArgument, format!("a step of {value} s")));
            }
        }
        _ => {
            let muscle = name.strip_prefix("activation.");
            if muscle.is_some() && scene.has_goals() {
                let message = format!("{name}: the scene's goals choose the activations");
                return Err(Error::new(Kind::InvalidArgument, message));
            }
            let Some((activation, keys)) = muscle.and_then(|name| scene.activation_mut(name)) else {
                return Err(no_setting(scene, &name));
            };
            *activation = value_of(&name, &value)?;
            if !(0.0..=1.0).contains(activation) {
                let message = format!("{name} is {value}; it must lie between 0 and 1");
                return Err(Error::new(Kind::InvalidArgument, message));
            }
            keys.clear();
        }
    }
    Ok(())
}

/// Refuses a setting that is none, with those that there are.
fn no_setting(scene: &StrandScene, name: &str) -> Error {
    let muscles: Vec<&str> = scene.muscle_names().collect();
    let muscles = match muscles.is_empty() {
        true => "no muscles".into(),
        false => format!("activation.MUSCLE, where MUSCLE is one of {}", muscles.join(", ")),
    };
    let message = format!("no setting {name:?}; there are gravity, axial, step, and {muscles}");
    Error::new(Kind::InvalidArgument, message)
}

fn value_of<T: Attribute>(name: &str, text: &str) -> Result<T> {
    T::parse(text).ok_or_else(|| {
        Error::new(Kind::InvalidArgument, format!("{name} is {text:?}; {} is expected", T::EXPECTED))
    })
}
