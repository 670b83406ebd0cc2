//! A run as people and hosts ask for it: a scene, what overrides it, and what they hear meanwhile.

use super::run::Job;
use super::run::plan::{Plan, Way};
use super::run::prepared::{Look, look};
use super::run::summary::Summary;
use super::scene_file::SceneFile;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::frames::format_frames;
use sinew_scene::{NodeElement, ParamElement, Scene};
use std::path::PathBuf;

/// What is to run, and how.
pub struct Request {
    /// The file of the scene.
    pub scene: PathBuf,
    /// Parameters that override those of the scene: NAME=VALUE, or NODE.NAME=VALUE if it has several nodes.
    pub settings: Vec<String>,
    /// The folder to write into, instead of the scene's.
    pub folder: Option<PathBuf>,
    /// What the run does.
    pub plan: Plan,
}

/// Hears what a run has to say.
pub trait Watch {
    /// The frames begin: `of` so many, some are done already.
    fn begin(&mut self, done: usize, of: usize) {
        let _ = (done, of);
    }
    /// One more frame is done.
    fn frame(&mut self) {}
    /// Nothing more is computed.
    fn end(&mut self) {}
    /// What a user wants to know once.
    fn note(&mut self, text: &str);
    /// Something is wrong with the data, or with a result.
    fn warn(&mut self, text: &str);
}

/// How a run ended.
pub struct Outcome {
    /// The number of frames that were requested from it.
    pub frames: usize,
    /// A brief description of what was computed.
    pub about: String,
    /// Where the results are.
    pub folder: PathBuf,
    /// What it reports.
    pub summary: Summary,
}

impl Outcome {
    /// An error when a frame failed, or is wrong.
    pub fn check(&self) -> Result<()> {
        self.summary.check(self.frames)
    }
}

impl Request {
    /// The scene, with what overrides it.
    pub fn file(&self, control: &Control) -> Result<SceneFile> {
        control.progress(0.0, "reading the scene")?;
        let file = SceneFile::read_with(&self.scene, |scene| self.edit(scene))?;
        if self.plan.way == Way::Restart && self.plan.is_shared() {
            let message = "a restart begins with the first frame: restart everything, or only `solve`";
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        Ok(file)
    }

    fn edit(&self, scene: &mut Scene) -> Result<()> {
        self.settings.iter().try_for_each(|setting| set(scene, setting))?;
        let Some(folder) = &self.folder else { return Ok(()) };
        let folder = std::path::absolute(folder).map_err(|e| Error::io(folder, &e))?;
        let folder = folder.to_string_lossy().into_owned();
        scene.outputs.iter_mut().for_each(|outputs| outputs.folder.clone_from(&folder));
        Ok(())
    }

    /// What the run would do, without doing it.
    pub fn look(&self, control: &Control) -> Result<Look> {
        look(&self.file(control)?, control)
    }

    /// Computes and writes what earlier runs have left to do. Frames that failed or are wrong are no errors here:
    /// [`Outcome::check`] is.
    pub fn run(&self, control: &Control, watch: &mut dyn Watch) -> Result<Outcome> {
        let file = self.file(control)?;
        if self.plan.way == Way::GoOn
            && let Some((summary, folder)) = Summary::of_finished(&file, control)?
        {
            watch.note("the job is finished, and nothing has changed since");
            let frames = summary.report["frames"].as_array().map_or(0, Vec::len);
            summary.warnings.iter().for_each(|warning| watch.warn(warning));
            return Ok(Outcome { frames, about: "the job".into(), folder, summary });
        }
        let mut job = Job::new(&file, self.plan.clone(), control)?;
        let outcome = job.play(control, watch)?;
        job.note_finished(&file)?;
        if !outcome.summary.left.is_empty() {
            let left = format_frames(&outcome.summary.left);
            watch.note(&format!("files of these frames are left for other runs: {left}"));
        }
        Ok(outcome)
    }
}

impl Job {
    /// Runs it, and passes on what it has to say.
    pub fn play(&mut self, control: &Control, watch: &mut dyn Watch) -> Result<Outcome> {
        self.notes().iter().for_each(|note| watch.note(note));
        let (heard, frames) = (self.notes().len(), self.frames().len());
        watch.begin(self.done(), frames);
        let summary = self.run(control, &mut |_| watch.frame());
        watch.end();
        self.notes()[heard..].iter().for_each(|note| watch.note(note));
        let summary = summary?;
        // Too late to stop it.
        let _ = control.progress(1.0, "finished");
        summary.warnings.iter().for_each(|warning| watch.warn(warning));
        Ok(Outcome { frames, about: self.about(), folder: self.folder().to_path_buf(), summary })
    }
}

/// Overrides a parameter of a scene.
fn set(scene: &mut Scene, setting: &str) -> Result<()> {
    let wrong = |expected: String| {
        Err(Error::new(Kind::InvalidArgument, format!("the setting {setting:?}: expected {expected}")))
    };
    let Some((name, value)) = setting.split_once('=') else { return wrong("NAME=VALUE".into()) };
    let (node, id) = name.split_once('.').map_or((None, name), |(node, id)| (Some(node), id));
    let names: Vec<&str> = scene.nodes.iter().map(NodeElement::called).collect();
    let place = match node {
        Some(node) => names.iter().position(|name| *name == node),
        None => (names.len() == 1).then_some(0),
    };
    let Some(place) = place else {
        return wrong(format!("NODE.NAME=VALUE, NODE one of {}", names.join(", ")));
    };
    let params = &mut scene.nodes[place].params;
    params.retain(|param| param.id != id);
    params.push(ParamElement::of(id, value));
    Ok(())
}
