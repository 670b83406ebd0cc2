//! What earlier runs of a job left for this one: hashes, solved frames and written files.

use super::super::scene_file::SceneFile;
use super::super::store::finished::Finished;
use super::super::store::manifest::{Known, Listed, Watched, fingerprint, print_of};
use super::super::store::work::{Solved, Solves, Work};
use super::Job;
use super::plan::Way;
use super::prepared::input_files;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_scene::frames::format_frames;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

impl Job {
    /// Finds the parts of the job that are done already.
    pub(super) fn find_earlier(
        &mut self,
        file: &SceneFile,
        inputs: &[PathBuf],
        referenced: &[PathBuf],
        control: &Control,
    ) -> Result<()> {
        let known = self.recognized();
        let watch = |path: &PathBuf| self.reads.during(|| Watched::new(path, file.folder(), &known, control));
        self.inputs = inputs.par_iter().map(watch).collect::<Result<_>>()?;
        self.reads.check()?;
        self.fingerprint = fingerprint(&file.text, self.inputs.iter().map(Watched::listed));
        let solves = self.solves(file, referenced)?;
        if self.plan.is_shared() {
            self.work = Some(Work::find(&self.folder, &solves.all)?);
            self.solved = self.graph.frames().len();
        } else {
            Finished::forget(&self.folder);
            self.open_work(&solves, control)?;
        }
        let work = self.work.iter();
        let done = work.flat_map(|work| {
            (0..self.solved).filter_map(|place| Some((place, work.done(&self.fingerprint, place)?)))
        });
        self.done = done.collect();
        Ok(())
    }

    /// The inputs that need not be hashed if they are certainly those of an earlier run. A run that computes frames
    /// hashes what it uses: only then is every block that it reads compared with what was hashed.
    fn recognized(&self) -> HashMap<PathBuf, Known> {
        if !self.plan.is_shared() {
            return HashMap::new();
        }
        let finished = Finished::read(&self.folder);
        let known = Work::inputs(&self.folder).into_iter().chain(finished.iter().flat_map(Finished::inputs));
        known.map(|known| (known.listed.file.clone(), known)).collect()
    }

    pub(super) fn known_inputs(&self) -> Vec<Known> {
        self.inputs.iter().map(|input| input.known().clone()).collect()
    }

    /// The computation: the scene without its outputs, and the files that it then reads.
    fn solves(&self, file: &SceneFile, referenced: &[PathBuf]) -> Result<Solves> {
        let frames = self.graph.frames();
        let mut read: HashSet<PathBuf> =
            input_files(file, &file.scene.solving(), frames)?.into_iter().collect();
        read.extend(referenced.iter().cloned());
        let text = format!("{}{}{frames:?}", file.solving, self.graph.wanted().join(" "));
        let inputs = self.inputs.iter().filter(|input| read.contains(input.path()));
        let read: Vec<Listed> = inputs.map(|input| input.listed().clone()).collect();
        Ok(Solves { all: fingerprint(&text, read.iter()), scene: print_of(&text), read })
    }

    /// Why what an earlier run stored cannot be used: the files that have changed, and the frames lost by it.
    fn why_over(&self, solves: &Solves) -> Option<String> {
        let (scene, read, solved) = Work::before(&self.folder, &solves.all)?;
        let before = "an earlier run was not finished, but";
        if scene != solves.scene {
            return Some(format!("{before} the job has changed since: this run starts over"));
        }
        let was: HashMap<_, _> =
            read.iter().map(|known| (&known.listed.file, &known.listed.sha256)).collect();
        let is_new = |now: &&Listed| was.get(&now.file) != Some(&&now.sha256);
        let changed: Vec<String> =
            solves.read.iter().filter(is_new).map(|now| now.file.display().to_string()).collect();
        let files = match changed.as_slice() {
            [] => "the files that it reads have changed since".to_string(),
            [one] => format!("{one} has changed since"),
            [some @ .., last] if changed.len() < 5 => {
                format!("{} and {last} have changed since", some.join(", "))
            }
            [first, second, ..] => {
                format!("{first}, {second} and {} other files have changed since", changed.len() - 2)
            }
        };
        let frames = match &self.graph.frames()[..solved.min(self.graph.frames().len())] {
            [] => String::new(),
            frames => format!(", and computes again what was made before: frames {}", format_frames(frames)),
        };
        Some(format!("{before} {files}: this run starts over{frames}"))
    }

    fn open_work(&mut self, solves: &Solves, control: &Control) -> Result<()> {
        let go_on = self.plan.way == Way::GoOn;
        let why = self.why_over(solves).filter(|_| go_on);
        self.notes.extend(why);
        let known = self.known_inputs();
        let (mut work, mut solved) = Work::open(&self.folder, solves, &known, go_on)?;
        if !self.can_mend(&work, solved.frames, control)? {
            self.notes
                .push("files of finished frames are missing or have changed: the run starts over".into());
            (work, solved) = Work::open(&self.folder, solves, &known, false)?;
        }
        let Solved { frames, state } = solved;
        if let Some(last) = frames.checked_sub(1) {
            self.graph.load_state(&state, Some(work.record(last)?))?;
            self.notes.push(format!("{frames} frames are done already"));
        }
        (self.work, self.solved) = (Some(work), frames);
        Ok(())
    }

    /// Whether every solved frame is stored, or its files exist and nothing else is made from it.
    fn can_mend(&self, work: &Work, solved: usize, control: &Control) -> Result<bool> {
        for place in (0..solved).filter(|&place| !work.has_moment(place)) {
            let done = work.done(&self.fingerprint, place);
            let is_whole = done.map_or(Ok(false), |done| self.is_whole(&done, control))?;
            if self.stores_all() || !is_whole {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
