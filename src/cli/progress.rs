//! Progress over frames: a bar on a terminal; elsewhere, as in a farm's log, an occasional line.

use super::Context;
use indicatif::{ProgressBar, ProgressStyle};
use sinew_job::Watch;
use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The interval between lines in a log.
const PAUSE: Duration = Duration::from_secs(10);

/// Progress over frames; the bar is removed when it is dropped.
pub(super) struct Frames {
    bar: ProgressBar,
    count: usize,
    /// Frames that were done before.
    before: usize,
    done: Cell<usize>,
    start: Instant,
    reported: Cell<Instant>,
    terminal: bool,
    json: bool,
}

impl Frames {
    /// Of that many frames.
    pub fn new(count: usize, context: &Context) -> Self {
        Self::from(0, count, context)
    }

    /// Of that many frames, some of which are done already.
    pub fn from(before: usize, count: usize, context: &Context) -> Self {
        let style = ProgressStyle::with_template("{bar:32} frame {pos} of {len}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let json = context.json;
        let (start, terminal) = (Instant::now(), std::io::stderr().is_terminal() && !json);
        let bar = if json { ProgressBar::hidden() } else { ProgressBar::new(count as u64) };
        let bar = bar.with_style(style).with_position(before as u64);
        bar.reset_eta();
        Frames {
            bar,
            count,
            before,
            done: Cell::new(before),
            start,
            reported: Cell::new(start),
            terminal,
            json,
        }
    }

    /// One frame is done.
    pub fn step(&self) {
        self.reached(self.done.get() + 1);
    }

    /// How many frames are done.
    pub fn done(&self) -> usize {
        self.done.get()
    }

    /// Shows that this many frames are done, if there are more than before: some writers ask for a frame twice.
    pub fn reached(&self, done: usize) {
        if done <= self.done.get() {
            return;
        }
        self.done.set(done);
        self.bar.set_position(done as u64);
        if !self.terminal && self.reported.get().elapsed() >= PAUSE {
            self.reported.set(Instant::now());
            let each = self.start.elapsed().as_secs_f64() / (done - self.before) as f64;
            let left = each * (self.count - done) as f64;
            match self.json {
                true => eprintln!(
                    "{}",
                    serde_json::json!({ "progress": { "done": done, "of": self.count, "seconds_left": left.round() } })
                ),
                false => eprintln!("frame {done} of {}, {left:.0} s left", self.count),
            }
        }
    }
}

/// What a job has to say, on standard error, with a bar for its frames.
pub(super) struct Shown<'a> {
    context: &'a Context,
    bar: Option<Frames>,
}

impl<'a> Shown<'a> {
    pub fn new(context: &'a Context) -> Self {
        Shown { context, bar: None }
    }
}

impl Watch for Shown<'_> {
    fn begin(&mut self, done: usize, of: usize) {
        self.bar = Some(Frames::from(done, of, self.context));
    }

    fn frame(&mut self) {
        self.bar.iter().for_each(Frames::step);
    }

    fn end(&mut self) {
        self.bar = None;
    }

    fn note(&mut self, text: &str) {
        self.context.note(text);
    }

    fn warn(&mut self, text: &str) {
        self.context.say("warning", text);
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
