//! A job from its first frame to its last file, or a part of it.

mod alone;
mod earlier;
mod papers;
pub(super) mod plan;
pub(super) mod prepared;
mod seams;
pub(super) mod summary;

use super::graph::Graph;
use super::outputs::{Outputs, Stored};
use super::scene_file::SceneFile;
use super::store::finished::Finished;
use super::store::manifest::{Listed, Watched, listed_before};
use super::store::record::FrameRecord;
use super::store::work::{Done, Lock, Work};
use papers::unit;
use plan::{Only, Plan, Way};
use prepared::Prepared;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic;
use sinew_formats::provenance::Provenance;
use sinew_formats::reads::Reads;
use sinew_math::Real;
use sinew_scene::frames::format_frames;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use summary::Summary;

/// A job, ready to run.
pub struct Job {
    graph: Graph,
    outputs: Outputs,
    folder: PathBuf,
    plan: Plan,
    /// The indices of the requested frames.
    asked: Vec<usize>,
    /// Locks the folder, so that no other run writes into it.
    _lock: Lock,
    /// Where frames are stored; none if they are not needed later.
    work: Option<Work>,
    inputs: Vec<Watched>,
    /// What was read of them.
    reads: Reads,
    /// The files of an earlier run into the folder.
    before: Vec<Listed>,
    /// The names of all files that this one writes.
    names: Vec<PathBuf>,
    fingerprint: String,
    /// The command that reproduces the job.
    command: String,
    /// The number of frames that the nodes have computed.
    solved: usize,
    /// The frames whose files are written, by index.
    done: BTreeMap<usize, Done>,
    /// The report entries of frames that this run solved without making their files, by index.
    rows: BTreeMap<usize, Value>,
    /// Files that belong to no frame.
    files: Vec<Listed>,
    notes: Vec<String>,
    /// Times of parts of the job that belong to no frame, for the report.
    milliseconds: Map<String, Value>,
    /// The name of the scene's unit of length, if it has one.
    unit: Option<&'static str>,
}

impl Job {
    /// Reads everything needed before the first frame, and what earlier runs left.
    pub fn new(file: &SceneFile, plan: Plan, control: &Control) -> Result<Self> {
        let clock = Instant::now();
        let reads = Reads::default();
        let Prepared { mut graph, outputs, read: inputs, referenced, written: names } =
            Prepared::new(file, &reads, control)?;
        if let Some(path) = &plan.resume {
            graph.resume(path)?;
        }
        let folder = outputs.folder().to_path_buf();
        let asked = plan.places(graph.frames())?;
        for parent in names.iter().filter_map(|name| name.parent()).collect::<HashSet<_>>() {
            atomic::make_folder(parent)?;
        }
        atomic::make_folder(&folder)?;
        let lock = Lock::new(&folder, plan.is_shared())?;
        let (before, unit) = (listed_before(&folder), unit(graph.space().metres_per_unit()));
        let mut job = Job {
            _lock: lock,
            graph,
            outputs,
            folder,
            plan,
            asked,
            work: None,
            inputs: Vec::new(),
            reads,
            before,
            names,
            fingerprint: String::new(),
            command: file.command(),
            solved: 0,
            done: BTreeMap::new(),
            rows: BTreeMap::new(),
            files: Vec::new(),
            notes: Vec::new(),
            milliseconds: Map::new(),
            unit,
        };
        job.took("read", clock);
        let clock = Instant::now();
        match job.plan.way {
            Way::Once if job.outputs.needs_stored() => job.work = Some(Work::once(&job.folder)?),
            Way::Once => {}
            _ => job.find_earlier(file, &inputs, &referenced, control)?,
        }
        job.took("hash", clock);
        // Of several runs that make images, the one with the first frame makes those that belong to no frame.
        let begins = match job.plan.only {
            None => true,
            Some(Only::Images) => job.asked.contains(&0),
            Some(Only::Solve | Only::Caches | Only::Page) => false,
        };
        if begins {
            for path in job.outputs.begin(control)? {
                job.files.push(Listed::new(&path, &job.folder, control)?);
            }
        }
        Ok(job)
    }

    fn took(&mut self, part: &str, clock: Instant) {
        self.milliseconds.insert(part.into(), json!(clock.elapsed().as_secs_f64() * 1e3));
    }

    /// Whether the results of the nodes stay stored until the end.
    fn stores_all(&self) -> bool {
        self.outputs.needs_stored()
            || self.plan.only.is_some()
            || self.plan.frames.is_some()
            || self.plan.keep
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

    /// The frames requested from this run.
    pub fn frames(&self) -> Vec<i64> {
        self.asked.iter().map(|&place| self.graph.frames()[place]).collect()
    }

    /// Where the results go.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of finished frames.
    pub fn done(&self) -> usize {
        match self.plan.only {
            Some(Only::Solve) => self.asked.iter().filter(|&&place| place < self.solved).count(),
            Some(Only::Caches | Only::Page) => self.asked.len(),
            Some(Only::Images) | None => {
                self.asked.iter().filter(|place| self.done.contains_key(place)).count()
            }
        }
    }

    /// Notes to show before the run.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A brief description of what is computed.
    pub fn about(&self) -> String {
        self.graph.about()
    }

    /// The state of the nodes after the run, as [`Plan::resume`] reads it.
    pub fn save_state(&self, path: &Path) -> Result<()> {
        let state = self.graph.save_state();
        atomic::write(path, |file| file.write_all(&state))
    }

    /// Computes and writes what remains to be done; `after` is called after each frame. Even if a run of everything
    /// stops early, report.json lists what was done, and if the run cannot be resumed, files that hold all frames are
    /// written from the finished ones.
    pub fn run(&mut self, control: &Control, after: &mut dyn FnMut(usize)) -> Result<Summary> {
        match self.plan.only {
            None => return self.run_all(control, after),
            Some(Only::Solve) => {
                self.solve_frames(control, after)?;
                self.check_inputs(control)?;
            }
            Some(Only::Images) => {
                for (k, place) in self.asked.clone().into_iter().enumerate() {
                    let frame = self.graph.frames()[place];
                    let control = control.nth_part(k, self.asked.len());
                    control.named(|| format!("frame {frame}")).progress(0.0, "writing")?;
                    self.write_stored(place, &control)?;
                    after(place + 1);
                }
            }
            Some(Only::Caches) => self.finish_files(self.graph.frames().len(), control)?,
            Some(Only::Page) => return self.page_of_all(control),
        }
        Ok(self.report())
    }

    fn run_all(&mut self, control: &Control, after: &mut dyn FnMut(usize)) -> Result<Summary> {
        let finished = self.all_frames(control, after);
        let is_last = self.left().is_empty();
        let finished = match finished {
            Ok(()) if is_last => {
                let frames = self.graph.frames().len();
                self.finish_files(frames, control).and_then(|()| self.check_inputs(control))
            }
            Err(error) if self.plan.way == Way::Once => {
                self.finish_done();
                Err(error)
            }
            finished => finished,
        };
        let mut summary = self.report();
        self.save_report(&summary)?;
        let finished = finished.and_then(|()| match is_last {
            // Before the page, which lists files of other frames.
            true => self
                .remove_stale(control)
                .and_then(|()| self.make_page(control))
                .and_then(|()| self.manifest()),
            false => Ok(()),
        });
        if finished.is_ok() && is_last {
            summary = self.report();
            self.save_report(&summary)?;
        }
        // What a run that cannot be resumed has stored is not needed later.
        let over = (finished.is_ok() && is_last && !self.plan.keep) || self.plan.way == Way::Once;
        let cleared = self.work.iter().filter(|_| over).try_for_each(Work::clear);
        finished.and(cleared).map(|()| summary)
    }

    /// Records, after everything else, that the job is finished.
    pub fn note_finished(&self, file: &SceneFile) -> Result<()> {
        if self.plan.way == Way::Once
            || self.plan.only.is_some()
            || !self.left().is_empty()
            || !self.outputs.has_report()
        {
            return Ok(());
        }
        let inputs = self.known_inputs();
        let names: Vec<PathBuf> = self
            .names
            .iter()
            .map(|name| name.strip_prefix(&self.folder).unwrap_or(name).to_path_buf())
            .collect();
        Finished::write(file, &self.folder, &inputs, &names)
    }

    /// The indices of unfinished frames.
    fn left(&self) -> Vec<usize> {
        (0..self.graph.frames().len()).filter(|place| !self.done.contains_key(place)).collect()
    }

    /// Writes the frames one after the other; while the files of one are written the nodes compute the next.
    fn all_frames(&mut self, control: &Control, after: &mut dyn FnMut(usize)) -> Result<()> {
        let asked: HashSet<usize> = self.asked.iter().copied().collect();
        let last = asked.iter().max().map_or(0, |last| last + 1);
        let mut next = None;
        for place in 0..last {
            let is_asked = asked.contains(&place);
            if place < self.solved {
                if is_asked {
                    self.write_stored(place, control)?;
                    after(place + 1);
                }
                continue;
            }
            let record = match next.take() {
                Some(record) => record?,
                None => solve(&mut self.graph, &self.reads, place, last, control)?,
            };
            let state = self.state();
            let Job { graph, reads, outputs, folder, plan, work, .. } = self;
            let work = work.as_ref();
            let frame = record.frame;
            let write = || -> Result<Option<Done>> {
                work.map_or(Ok(()), |work| work.store(place, &record))?;
                let done = is_asked.then(|| write(outputs, folder, plan.way, &record, control));
                done.transpose().map_err(|e| e.frame(frame))
            };
            let (done, solved) = rayon::join(write, || {
                (place + 1 < last).then(|| solve(graph, reads, place + 1, last, control))
            });
            next = solved;
            if let Some(done) = done? {
                self.finish(place, done)?;
            }
            self.store_state(place, state)?;
            if is_asked {
                after(place + 1);
            }
        }
        Ok(())
    }

    fn solve_frames(&mut self, control: &Control, after: &mut dyn FnMut(usize)) -> Result<()> {
        let last = self.asked.iter().max().map_or(0, |last| last + 1);
        for place in self.solved..last {
            let record = solve(&mut self.graph, &self.reads, place, last, control)?;
            if let Some(work) = &self.work {
                work.store(place, &record)?;
            }
            self.rows.insert(place, record.row);
            let state = self.state();
            self.store_state(place, state)?;
            after(place + 1);
        }
        Ok(())
    }

    /// The state of the nodes, if a later run may resume from it.
    fn state(&self) -> Option<Vec<u8>> {
        (self.work.is_some() && self.plan.way != Way::Once).then(|| self.graph.save_state())
    }

    /// The frame counts as solved from now on.
    fn store_state(&mut self, place: usize, state: Option<Vec<u8>>) -> Result<()> {
        self.solved = place + 1;
        let (Some(work), Some(state)) = (&self.work, state) else { return Ok(()) };
        work.store_state(place, &state)?;
        if place > 0 && !self.stores_all() {
            work.forget_moment(place - 1);
        }
        Ok(())
    }

    /// Writes a frame's files from its stored result, unless they exist.
    fn write_stored(&mut self, place: usize, control: &Control) -> Result<()> {
        let is_there = match self.done.get(&place) {
            Some(done) => self.is_whole(done, control)?,
            None => false,
        };
        if is_there {
            return Ok(());
        }
        let frame = self.graph.frames()[place];
        let done = self
            .stored(place)
            .and_then(|record| write(&self.outputs, &self.folder, self.plan.way, &record, control));
        self.finish(place, done.map_err(|e| e.frame(frame))?)
    }

    /// The files of a frame count as written from now on.
    fn finish(&mut self, place: usize, done: Done) -> Result<()> {
        if let Some(work) = self.work.as_ref().filter(|_| self.plan.way != Way::Once) {
            work.finish(&self.fingerprint, place, &done)?;
        }
        self.done.insert(place, done);
        Ok(())
    }

    fn stored(&self, place: usize) -> Result<FrameRecord> {
        match self.work.as_ref().filter(|work| work.has_moment(place)) {
            Some(work) => work.record(place),
            None => {
                let message = "the frame is not solved yet, or no longer stored: run only `solve`";
                Err(Error::new(Kind::MissingFile, message).file(&self.folder))
            }
        }
    }

    /// Writes the files that hold all frames from the finished ones, since the run cannot be resumed. The run's error
    /// is whatever stopped it; problems with these files are notes.
    fn finish_done(&mut self) {
        let done = self.done.len();
        if done == 0 || !self.outputs.needs_stored() {
            return;
        }
        // Not with the run's own control, which may be what stopped the run.
        let written = self.finish_files(done, &Control::default());
        let frames = format_frames(&self.graph.frames()[..done]);
        self.notes.push(match written {
            Ok(()) => format!("files that should hold all frames contain only the finished ones: {frames}"),
            Err(error) => format!("files that hold all frames are not written: {error}"),
        });
    }

    /// The files that hold all frames, from the first `frames` frames.
    fn finish_files(&mut self, frames: usize, control: &Control) -> Result<()> {
        let Some(work) = self.work.as_ref().filter(|_| self.outputs.needs_stored()) else { return Ok(()) };
        let clock = Instant::now();
        let done = Done { row: Value::Null, files: work.whole(&self.fingerprint).unwrap_or_default() };
        let files = match !done.files.is_empty() && self.is_whole(&done, control)? {
            true => done.files,
            false => {
                let provenance = Provenance { command: self.command.clone(), job: self.fingerprint.clone() };
                let (frames, samples) = (&self.graph.frames()[..frames], self.graph.samples());
                let stored = Stored {
                    frames,
                    written: samples.numbers(frames),
                    fps: self.graph.fps() * Real::from(samples.count()),
                    samples,
                    space: self.graph.space(),
                    provenance: &provenance,
                    record: &|place| {
                        control.progress(1.0, "writing the files of all frames")?;
                        self.stored(place)
                    },
                    control,
                };
                let written = self.outputs.finish(&stored)?;
                let files = written.iter().map(|path| Listed::new(path, &self.folder, control));
                files.collect::<Result<Vec<_>>>()?
            }
        };
        if self.plan.way != Way::Once {
            work.finish_whole(&self.fingerprint, &files)?;
        }
        self.files.extend(files);
        self.took("files", clock);
        Ok(())
    }
}

/// Computes one of `count` frames from files that are still what they were.
fn solve(
    graph: &mut Graph,
    reads: &Reads,
    place: usize,
    count: usize,
    control: &Control,
) -> Result<FrameRecord> {
    let frame = graph.frames()[place];
    let control = control.nth_part(place, count).named(|| format!("frame {frame}"));
    let solved = control.check().and_then(|()| reads.during(|| graph.step(place, &control)));
    // A node may get along without what could not be read.
    reads.check().and(solved).map_err(|e| e.frame(frame))
}

/// Writes the files of a frame.
fn write(
    outputs: &Outputs,
    folder: &Path,
    way: Way,
    record: &FrameRecord,
    control: &Control,
) -> Result<Done> {
    control.check()?;
    let clock = Instant::now();
    let files = outputs.write(record, control)?;
    let mut row = record.row.clone();
    row["milliseconds"]["write"] = json!(clock.elapsed().as_secs_f64() * 1e3);
    if way == Way::Once {
        return Ok(Done { row, files: Vec::new() });
    }
    let files = files.par_iter().map(|path| Listed::new(path, folder, control));
    Ok(Done { row, files: files.collect::<Result<_>>()? })
}
