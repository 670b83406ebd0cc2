//! A job from its first frame to its last file.

use super::caches::Stored;
use super::graph;
use super::manifest::{self, Listed, Watched, fingerprint, listed_before};
use super::moment::Moment;
use super::names;
use super::outputs::Outputs;
use super::parts::{Sinks, Solver};
use super::scene_file::SceneFile;
use super::seams;
use super::sliding::Sliding;
use super::work::{Done, Lock, Work};
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::picture::tile_files;
use crate::formats::sequence::Pattern;
use crate::formats::{atomic, inside};
use crate::math::{Real, UpAxis};
use crate::scene::frames::format_frames;
use crate::scene::schema::Line;
use crate::scene::{ResultsElement, Use};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a run does about an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It neither goes on from one nor can be gone on from.
    Once,
    /// It goes on where an earlier run of the same job stopped.
    GoOn,
    /// It begins with the first frame.
    Restart,
}

/// A job, ready to run.
pub struct Job {
    solver: Box<dyn Solver>,
    sinks: Box<dyn Sinks>,
    folder: PathBuf,
    /// Nobody else writes into the folder.
    _lock: Lock,
    /// Where frames are stored; none when nobody asks for them later.
    work: Option<Work>,
    inputs: Vec<Watched>,
    /// What an earlier run into the folder has written.
    before: Vec<Listed>,
    /// The names of all files that this one writes.
    names: Vec<PathBuf>,
    fingerprint: String,
    /// The frames that are done.
    done: Vec<Done>,
    /// Files that belong to no frame.
    files: Vec<Listed>,
    notes: Vec<String>,
    /// The name of the scene's unit of length, where it has one.
    unit: Option<&'static str>,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The report, as report.json has it.
    pub report: Value,
    /// Warnings, each with its frame.
    pub warnings: Vec<String>,
    /// Frames whose inputs could not be used, so that the last good result stands in.
    pub failed: Vec<i64>,
}

impl Summary {
    /// An error when a frame failed.
    pub fn check(&self, frames: usize) -> Result<()> {
        let Some(&first) = self.failed.first() else { return Ok(()) };
        let failed =
            format!("{} of {frames} frames failed: {}", self.failed.len(), format_frames(&self.failed));
        let message = format!("{failed}; the last good result stands in for them, the report tells why");
        Err(Error::new(Kind::NotFinite, message).frame(first))
    }
}

impl Job {
    /// Reads all that is needed before the first frame, and what an earlier run left.
    pub fn new(file: &SceneFile, way: Way, control: &Control) -> Result<Self> {
        let Parts { solver, sinks, folder, place: (element, line) } = parts(file, control)?;
        let placed = |e: Error| file.place(e, element, line);
        let names = sinks.names(solver.frames())?;
        let inputs = input_files(file, solver.frames())?;
        names::check(&inputs, &names).map_err(placed)?;
        for parent in names.iter().filter_map(|name| name.parent()).collect::<HashSet<_>>() {
            std::fs::create_dir_all(parent).map_err(|e| Error::io(parent, &e))?;
        }
        let lock = Lock::new(&folder)?;
        let before = listed_before(&folder);
        let unit = unit(solver.space().metres_per_unit());
        let mut job = Job {
            _lock: lock,
            solver,
            sinks,
            folder,
            work: None,
            inputs: Vec::new(),
            before,
            names,
            fingerprint: String::new(),
            done: Vec::new(),
            files: Vec::new(),
            notes: Vec::new(),
            unit,
        };
        for path in job.sinks.begin()? {
            job.files.push(Listed::new(&path, &job.folder, control)?);
        }
        match way {
            Way::Once if job.sinks.needs_stored() => {
                job.work = Some(Work::once(&job.folder)?);
            }
            Way::Once => {}
            _ => job.find_earlier(file, &inputs, way, control)?,
        }
        Ok(job)
    }

    fn find_earlier(
        &mut self,
        file: &SceneFile,
        inputs: &[PathBuf],
        way: Way,
        control: &Control,
    ) -> Result<()> {
        let watched = inputs.iter().map(|path| Watched::new(path, file.folder(), control));
        self.inputs = watched.collect::<Result<_>>()?;
        self.fingerprint = fingerprint(&file.text, self.inputs.iter().map(Watched::listed));
        if way == Way::GoOn && Work::is_of_another(&self.folder, &self.fingerprint) {
            let message = "an earlier run was not finished, but the job or its files have changed since: it begins anew";
            self.notes.push(message.into());
        }
        let (mut work, mut done, mut state) = Work::open(&self.folder, &self.fingerprint, way == Way::GoOn)?;
        if !self.can_mend(&work, &done, control)? {
            self.notes
                .push("files of frames that were done are gone or have changed: the run begins anew".into());
            (work, done, state) = Work::open(&self.folder, &self.fingerprint, false)?;
        }
        if let Some(last) = done.len().checked_sub(1) {
            let moment = work.moment(last)?;
            self.solver.load_state(&state, Some(moment))?;
            self.notes.push(format!("{} frames are done already", done.len()));
        }
        (self.work, self.done) = (Some(work), done);
        Ok(())
    }

    /// Whether every frame that is done is there, or is stored so that it can be written again.
    fn can_mend(&self, work: &Work, done: &[Done], control: &Control) -> Result<bool> {
        for (place, done) in done.iter().enumerate() {
            if !work.has_moment(place) && (self.sinks.needs_stored() || !self.is_whole(done, control)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all files of a frame are as they were written.
    fn is_whole(&self, done: &Done, control: &Control) -> Result<bool> {
        for file in &done.files {
            if !file.is_there(&self.folder, control)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The frames of the job.
    pub fn frames(&self) -> &[i64] {
        self.solver.frames()
    }

    /// Where the results go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many of them are done.
    pub fn done(&self) -> usize {
        self.done.len()
    }

    /// What to tell before the run.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What is computed, in two words.
    pub fn about(&self) -> String {
        self.solver.about()
    }

    /// What computes, to load a state before the run or to save one after it.
    pub fn solver(&mut self) -> &mut dyn Solver {
        &mut *self.solver
    }

    /// Computes and writes all frames that are not done; `after` is called after each. What was done is told in
    /// report.json even when the run stops early.
    pub fn run(&mut self, control: &Control, after: &mut dyn FnMut(usize)) -> Result<Summary> {
        let finished = self.mend_files(control).and_then(|()| self.all_frames(control, after));
        let finished =
            finished.and_then(|()| self.finish_files(control)).and_then(|()| self.manifest(control));
        let summary = self.report();
        let told = format!("{:#}\n", summary.report);
        let saved = atomic::write(&self.folder.join("report.json"), |file| file.write_all(told.as_bytes()));
        let finished = finished.and(saved).and_then(|()| self.sinks.write_page(self.solver.frames()));
        // What a run that cannot be gone on from has stored is of no use later.
        let over = finished.is_ok() || self.fingerprint.is_empty();
        let cleared = self.work.iter().filter(|_| over).try_for_each(Work::clear);
        finished.and(cleared).map(|()| summary)
    }

    /// Writes those files of done frames again that are gone or are not as they were.
    fn mend_files(&mut self, control: &Control) -> Result<()> {
        let Some(work) = &self.work else { return Ok(()) };
        for (place, done) in self.done.iter().enumerate() {
            if work.has_moment(place) && !self.is_whole(done, control)? {
                self.sinks.write(&work.moment(place)?, control)?;
            }
        }
        Ok(())
    }

    fn all_frames(&mut self, control: &Control, after: &mut dyn FnMut(usize)) -> Result<()> {
        for place in self.done.len()..self.solver.frames().len() {
            let frame = self.solver.frames()[place];
            control.check().map_err(|e| e.frame(frame))?;
            let moment = self.solver.step(place, control).map_err(|e| e.frame(frame))?;
            let done = self.write(place, moment, control).map_err(|e| e.frame(frame))?;
            self.done.push(done);
            after(place + 1);
        }
        Ok(())
    }

    fn write(&mut self, place: usize, mut moment: Moment, control: &Control) -> Result<Done> {
        if let Some(work) = &self.work {
            work.store(place, &moment)?;
        }
        let clock = Instant::now();
        let files = self.sinks.write(&moment, control)?;
        moment.row["milliseconds"]["write"] = json!(clock.elapsed().as_secs_f64() * 1e3);
        let Some(work) = &self.work else { return Ok(Done { row: moment.row, files: Vec::new() }) };
        let files = files.iter().map(|path| Listed::new(path, &self.folder, control));
        let files = files.collect::<Result<_>>()?;
        let done = Done { row: moment.row, files };
        work.finish(place, &done, &self.solver.save_state())?;
        if place > 0 && !self.sinks.needs_stored() {
            work.forget_moment(place - 1);
        }
        Ok(done)
    }

    /// The files that hold all frames.
    fn finish_files(&mut self, control: &Control) -> Result<()> {
        let Some(work) = &self.work else { return Ok(()) };
        let stored = Stored {
            frames: self.solver.frames(),
            fps: self.solver.fps(),
            space: self.solver.space(),
            moment: &|place| work.moment(place),
            control,
        };
        for path in self.sinks.finish(&stored)? {
            self.files.push(Listed::new(&path, &self.folder, control)?);
        }
        Ok(())
    }

    fn report(&self) -> Summary {
        let rows: Vec<&Value> = self.done.iter().map(|done| &done.row).collect();
        let mut warnings = self.solver.warnings().to_vec();
        warnings.extend(self.sinks.warnings());
        warnings.extend(seams::warning(&rows));
        for row in &rows {
            let texts = row["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
            warnings.extend(texts.map(|text| format!("frame {}: {text}", row["frame"])));
        }
        let failed = rows.iter().filter(|row| row["kept"] == true).filter_map(|row| row["frame"].as_i64());
        let failed = failed.collect();
        let mut report = json!({ "fps": self.solver.fps(), "frames": rows, "warnings": warnings });
        if self.solver.space().up() == UpAxis::Z {
            report["up"] = json!("z");
        }
        if let Some(unit) = self.unit {
            report["unit"] = json!(unit);
        }
        Summary { report, warnings, failed }
    }

    /// Which files the job read and wrote; report.json, which tells times, is not among them.
    fn manifest(&self, control: &Control) -> Result<()> {
        if self.inputs.is_empty() {
            return Ok(());
        }
        self.inputs.iter().try_for_each(|input| input.check(control))?;
        let list = |files: &[Listed]| -> Vec<Value> { files.iter().map(Listed::to_json).collect() };
        let frame = |done: &Done| json!({ "frame": done.row["frame"], "kept": done.row["kept"], "files": list(&done.files) });
        let manifest = json!({
            "sinew": env!("CARGO_PKG_VERSION"), "job": self.fingerprint,
            "inputs": self.inputs.iter().map(|input| input.listed().to_json()).collect::<Vec<_>>(),
            "frames": self.done.iter().map(frame).collect::<Vec<_>>(), "files": list(&self.files),
        });
        let path = self.folder.join(manifest::NAME);
        atomic::write(&path, |file| writeln!(file, "{manifest:#}"))?;
        self.remove_stale(control)
    }

    /// What an earlier run wrote and this one did not would be taken for its own; what was changed since is somebody's work.
    fn remove_stale(&self, control: &Control) -> Result<()> {
        let names: HashSet<PathBuf> = self.names.iter().map(|name| inside::whole(name)).collect();
        for file in &self.before {
            let path = file.path(&self.folder);
            if !names.contains(&inside::whole(&path)) && file.is_there(&self.folder, control)? {
                std::fs::remove_file(&path).map_err(|e| Error::io(&path, &e))?;
            }
        }
        Ok(())
    }
}

/// What a job is made of, and the element that asks for its results.
struct Parts {
    solver: Box<dyn Solver>,
    sinks: Box<dyn Sinks>,
    folder: PathBuf,
    place: (&'static str, Line),
}

fn parts(file: &SceneFile, control: &Control) -> Result<Parts> {
    if let Some(outputs) = &file.scene.outputs {
        let (graph, sinks) = graph::open(file, outputs)?;
        let folder = PathBuf::from(&outputs.folder);
        let place = ("outputs", outputs.line);
        return Ok(Parts { solver: Box::new(graph), sinks: Box::new(sinks), folder, place });
    }
    if let Some(input) = file.scene.nodes.iter().flat_map(|node| &node.inputs).next() {
        let message = "<input> is for graphs: the scene has no <outputs>";
        return Err(file.place(Error::new(Kind::InvalidArgument, message), "input", input.line));
    }
    let mut sliding = Sliding::new(file)?;
    let results = results(file)?;
    let sinks = Outputs::new(file, results, &mut sliding, control);
    let sinks = Box::new(sinks.map_err(|e| file.place(e, "results", results.line))?);
    let folder = PathBuf::from(&results.folder);
    Ok(Parts { solver: Box::new(sliding), sinks, folder, place: ("results", results.line) })
}

fn results(file: &SceneFile) -> Result<&ResultsElement> {
    let element = file.node("skin_slider")?;
    element.results.as_ref().ok_or_else(|| {
        let message = "no results are asked for: by --out or by the scene";
        file.place(Error::new(Kind::InvalidArgument, message), "node", element.line)
    })
}

/// What people call the unit of length.
fn unit(metres: Real) -> Option<&'static str> {
    let known = [(1.0, "m"), (0.1, "dm"), (0.01, "cm"), (0.001, "mm"), (0.0254, "in"), (0.3048, "ft")];
    known.iter().find(|(size, _)| *size == metres).map(|(_, name)| *name)
}

/// The files that a scene names as inputs; of sequences those of the frames.
fn input_files(file: &SceneFile, frames: &[i64]) -> Result<Vec<PathBuf>> {
    let mut paths = file.param_files();
    for (_, name) in file.scene.clone().files_mut().filter(|(what, _)| *what == Use::Read) {
        match Pattern::parse(Path::new(name.as_str()))? {
            Some(pattern) => paths.extend(frames.iter().map(|frame| pattern.path(*frame))),
            // Of an Alembic or USD file one object may be named.
            None => match inside::split(Path::new(name.as_str())) {
                Some((file, _)) => paths.push(file),
                None => paths.extend(tile_files(name)?),
            },
        }
    }
    let mut known = HashSet::new();
    paths.retain(|path| known.insert(path.clone()));
    Ok(paths)
}
