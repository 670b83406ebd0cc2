//! What a node with memory continues from: its runs, and what each of them remembers of its frames.
//!
//! A frame counts once the instance has accepted the whole step. Until the first kept frame of a new run (another mesh
//! or scene), the former run remains: it is the one that is saved and to which the node falls back.

use super::node::Warnings;
use super::time::{Frame, History, Past, Timing};
use sinew_base::error::{Error, Kind, Result};

/// What is remembered after a frame.
pub(super) trait Memory: Clone {
    /// The frame; `None` before the first.
    fn frame(&self) -> Option<Frame>;
}

/// Where the memory of a run comes from; reported with its first good frame.
pub(super) enum Origin {
    /// Its own frames, or there were none.
    Same,
    /// A former run's, changed to fit; with what was done.
    Carried(String),
    /// The former memory does not fit, so the run begins; with the reason.
    Lost(String),
}

/// The memory of the frames of a run.
pub(super) struct Frames<M> {
    pub(super) now: M,
    /// What there was before the last frame, for recomputing it; unknown if only the end was loaded.
    pub(super) before: Option<M>,
    origin: Origin,
    made: Option<[M; 2]>,
}

/// What a frame continues from.
pub(super) enum Since<'a, M> {
    /// Nothing: the motion begins.
    Nothing,
    /// The memory before the last frame, which is computed again.
    Before(&'a M),
    /// The last frame.
    Last(&'a M),
}

impl<M: Memory> Frames<M> {
    /// No frame yet.
    pub(super) fn at_start(start: M) -> Self {
        Frames::new(start.clone(), Some(start), Origin::Same)
    }

    /// Memory that comes from elsewhere.
    pub(super) fn new(now: M, before: Option<M>, origin: Origin) -> Self {
        Frames { now, before, origin, made: None }
    }

    /// Why the former memory does not fit, if it doesn't.
    pub(super) fn lost(&self) -> Option<&String> {
        match &self.origin {
            Origin::Lost(why) => Some(why),
            _ => None,
        }
    }

    /// Whether it is a former run's, changed to fit.
    pub(super) fn are_carried(&self) -> bool {
        matches!(self.origin, Origin::Carried(_))
    }

    /// How a frame continues this memory; `restarts` says what happens if it can't.
    pub(super) fn follow(&self, timing: &Timing, restarts: &str, warnings: &mut Warnings) -> Result<Timing> {
        let mut timing = *timing;
        match &self.origin {
            _ if timing.history == History::Started => {}
            Origin::Lost(why) => {
                timing = timing.restart(why)?;
                warnings.push(format!("{why}: {restarts}"));
            }
            _ if timing.history == History::Restarted => {
                warnings.push(format!("{}: {restarts}", timing.why()));
            }
            Origin::Carried(what) => {
                timing.history = History::Carried;
                warnings.push(what.clone());
            }
            Origin::Same => {}
        }
        Ok(timing)
    }

    /// What a frame continues from; a frame that is computed again from what there was before it.
    pub(super) fn since(&self, timing: &Timing) -> Since<'_, M> {
        match (&self.before, self.now.frame()) {
            (_, None) => Since::Nothing,
            _ if timing.history.begins() => Since::Nothing,
            (Some(before), _) if timing.stands_still() => Since::Before(before),
            _ => Since::Last(&self.now),
        }
    }

    /// Forgets a frame that was computed but not kept.
    pub(super) fn discard(&mut self) {
        self.made = None;
    }

    /// The memory around a computed frame, until it is kept.
    pub(super) fn offer(&mut self, before: M, now: M) {
        self.made = Some([before, now]);
    }

    /// The computed frame is good; whether there was one.
    pub(super) fn keep(&mut self) -> bool {
        let Some([before, now]) = self.made.take() else { return false };
        *self = Frames::new(now, Some(before), Origin::Same);
        true
    }

    fn past(&self) -> Past {
        match (self.now.frame(), &self.before) {
            (Some(frame), None) => Past::End(frame),
            (last, _) => Past::Last(last),
        }
    }
}

/// A model with the memory of its frames.
pub(super) trait Run {
    /// What it remembers.
    type Memory: Memory;
    /// A saved memory, before its model is known.
    type Saved;
    fn frames(&self) -> &Frames<Self::Memory>;
    fn frames_mut(&mut self) -> &mut Frames<Self::Memory>;
    /// The memory before the first frame.
    fn start(&self) -> Self::Memory;
    /// The last step is good.
    fn keep(&mut self) {
        self.frames_mut().keep();
    }
    /// The last frame of a saved memory.
    fn past(saved: &Self::Saved) -> Past;
}

/// The runs of a node.
pub(super) struct Timeline<R: Run> {
    running: Option<R>,
    /// The former run, until the first good frame of the current one.
    replaced: Option<R>,
    /// What was loaded, until then.
    loaded: Option<R::Saved>,
}

impl<R: Run> Default for Timeline<R> {
    fn default() -> Self {
        Timeline { running: None, replaced: None, loaded: None }
    }
}

impl<R: Run> Timeline<R> {
    /// The current run, if there is one.
    pub(super) fn running(&self) -> Option<&R> {
        self.running.as_ref()
    }

    /// The same, to be changed.
    pub(super) fn running_mut(&mut self) -> Option<&mut R> {
        self.running.as_mut()
    }

    /// The current run, which was built.
    pub(super) fn built(&mut self) -> Result<&mut R> {
        let missing = || Error::new(Kind::Internal, "the model is missing after it was built");
        self.running.as_mut().ok_or_else(missing)
    }

    /// What the last good frame ran on.
    pub(super) fn last_good(&self) -> Option<&R> {
        self.replaced.as_ref().or(self.running.as_ref())
    }

    /// What was loaded and not continued yet.
    pub(super) fn loaded(&self) -> Option<&R::Saved> {
        self.loaded.as_ref()
    }

    /// The same, to be changed.
    pub(super) fn loaded_mut(&mut self) -> Option<&mut R::Saved> {
        self.loaded.as_mut()
    }

    /// What the last good frame ran on, to be changed: what was derived from it since is dropped.
    pub(super) fn last_good_mut(&mut self) -> Option<&mut R> {
        self.turn_back(|_| true);
        self.running.as_mut()
    }

    /// Puts a new run in the place of the current one.
    pub(super) fn replace(&mut self, run: R) {
        let old = self.running.replace(run);
        self.replaced = self.replaced.take().or(old);
    }

    /// The former run, which ends.
    pub(super) fn take_replaced(&mut self) -> Option<R> {
        self.replaced.take()
    }

    /// Returns to the run of the last good frame if it is the right one.
    pub(super) fn turn_back(&mut self, is_right: impl FnOnce(&R) -> bool) {
        if self.replaced.as_ref().is_some_and(is_right) {
            self.running = self.replaced.take();
        }
    }

    /// The last step is good.
    pub(super) fn keep(&mut self) {
        (self.replaced, self.loaded) = (None, None);
        if let Some(running) = &mut self.running {
            running.keep();
        }
    }

    /// Forgets all frames.
    pub(super) fn reset(&mut self) {
        (self.replaced, self.loaded) = (None, None);
        if let Some(running) = &mut self.running {
            *running.frames_mut() = Frames::at_start(running.start());
        }
    }

    /// Continues from what was saved, or begins if that is nothing.
    pub(super) fn load(&mut self, saved: Option<R::Saved>) {
        self.reset();
        self.loaded = saved;
    }

    /// What is remembered about time.
    pub(super) fn past(&self) -> Past {
        match (&self.loaded, self.last_good()) {
            (Some(loaded), _) => R::past(loaded),
            (None, Some(running)) => running.frames().past(),
            (None, None) => Past::Last(None),
        }
    }
}
