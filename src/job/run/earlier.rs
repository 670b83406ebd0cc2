//! What earlier runs of a job left for this one: hashes, solved frames and written files.

use super::super::finished::Finished;
use super::super::manifest::{Known, Watched, fingerprint};
use super::super::plan::Way;
use super::super::prepared::input_files;
use super::super::scene_file::SceneFile;
use super::super::work::{Solved, Work};
use super::Job;
use crate::control::Control;
use crate::error::Result;
use std::collections::HashSet;
use std::path::PathBuf;

impl Job {
    /// Finds the parts of the job that are done already.
    pub(super) fn find_earlier(
        &mut self,
        file: &SceneFile,
        inputs: &[PathBuf],
        control: &Control,
    ) -> Result<()> {
        let finished = Finished::read(&self.folder);
        let known = Work::inputs(&self.folder).into_iter().chain(finished.iter().flat_map(Finished::inputs));
        let known = known.map(|known| (known.listed.file.clone(), known)).collect();
        let watched = inputs.iter().map(|path| Watched::new(path, file.folder(), &known, control));
        self.inputs = watched.collect::<Result<_>>()?;
        self.fingerprint = fingerprint(&file.text, self.inputs.iter().map(Watched::listed));
        let solves = self.solves(file)?;
        if self.plan.is_shared() {
            self.work = Some(Work::find(&self.folder, &solves)?);
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

    pub(super) fn known_inputs(&self) -> Vec<Known> {
        self.inputs.iter().map(|input| input.known().clone()).collect()
    }

    /// The fingerprint of the computation: the scene without its outputs, and the files that it then reads.
    fn solves(&self, file: &SceneFile) -> Result<String> {
        let frames = self.graph.frames();
        let read: HashSet<PathBuf> = input_files(file, &file.scene.solving(), frames)?.into_iter().collect();
        let text = format!("{}{}{frames:?}", file.solving, self.graph.wanted().join(" "));
        let inputs = self.inputs.iter().filter(|input| read.contains(input.path()));
        Ok(fingerprint(&text, inputs.map(Watched::listed)))
    }

    fn open_work(&mut self, solves: &str, control: &Control) -> Result<()> {
        let go_on = self.plan.way == Way::GoOn;
        if go_on && Work::is_of_another(&self.folder, solves) {
            let message = "an earlier run was not finished, but the job or its files have changed since: \
                           this run starts over";
            self.notes.push(message.into());
        }
        let known = self.known_inputs();
        let (mut work, mut solved) = Work::open(&self.folder, solves, &known, go_on)?;
        if !self.can_mend(&work, solved.frames, control)? {
            self.notes
                .push("files of finished frames are missing or have changed: the run starts over".into());
            (work, solved) = Work::open(&self.folder, solves, &known, false)?;
        }
        let Solved { frames, state } = solved;
        if let Some(last) = frames.checked_sub(1) {
            self.graph.load_state(&state, Some(work.moment(last)?))?;
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
