//! How a long computation communicates with its caller: progress, cancelling, log lines and times of its stages.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How loud a log line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum Level {
    /// Something is wrong with the data, but the result is still usable.
    Warning = 1,
    /// What a user wants to know once.
    Info = 2,
    /// What a developer wants to know.
    Debug = 3,
}

/// Receives what a computation reports. All methods may be called from any thread.
pub trait Listener: Send + Sync {
    /// Receives the fraction `done`, 0 to 1, of the current task; return `false` to stop it.
    fn progress(&self, done: f64, task: &str) -> bool {
        let _ = (done, task);
        true
    }
    /// One line for the log.
    fn log(&self, level: Level, message: &str) {
        let _ = (level, message);
    }
}

/// A handle that a computation carries with it. Clones refer to the same computation.
#[derive(Clone)]
pub struct Control {
    listener: Option<Arc<dyn Listener>>,
    stop: Arc<AtomicBool>,
    /// Which part of the whole task this handle reports on.
    part: [f64; 2],
    /// What the part is called, if somebody listens.
    name: Option<Arc<str>>,
}

impl Default for Control {
    fn default() -> Self {
        Control { listener: None, stop: Arc::default(), part: [0.0, 1.0], name: None }
    }
}

impl Control {
    /// A control that reports to `listener`.
    pub fn new(listener: Arc<dyn Listener>) -> Self {
        Control { listener: Some(listener), ..Control::default() }
    }

    /// The same computation, reporting to a different listener.
    pub fn heard_by(&self, listener: Arc<dyn Listener>) -> Self {
        Control { listener: Some(listener), ..self.clone() }
    }

    /// The part from `from` to `to` of this task: its progress of 0 to 1 maps to that part of the whole.
    pub fn part(&self, from: f64, to: f64) -> Self {
        let [start, end] = self.part;
        let part = [from, to].map(|share| start + share * (end - start));
        Control { part, ..self.clone() }
    }

    /// One of `count` equal parts of this task, from 0.
    pub fn nth_part(&self, index: usize, count: usize) -> Self {
        self.part(index as f64 / count as f64, (index + 1) as f64 / count as f64)
    }

    /// The same, with a name before those of its tasks.
    pub fn named(&self, name: impl FnOnce() -> String) -> Self {
        Control { name: self.listener.is_some().then(|| name().into()), ..self.clone() }
    }

    /// Asks the computation to stop at its next check; may be called from any thread, or from a signal handler.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Clears an earlier [`Control::cancel`].
    pub fn reset(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Returns an error if the caller wants to stop. Cheap enough for every iteration of a solver.
    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// Reports progress and checks whether the listener or [`Control::cancel`] asked to stop.
    pub fn progress(&self, done: f64, task: &str) -> Result<()> {
        let [start, end] = self.part;
        if let Some(listener) = &self.listener {
            let done = start + done * (end - start);
            let goes_on = match &self.name {
                Some(name) => listener.progress(done, &format!("{name}: {task}")),
                None => listener.progress(done, task),
            };
            if !goes_on {
                self.cancel();
            }
        }
        self.check()
    }

    /// Writes a log line that is formatted only if someone listens.
    pub fn log_with(&self, level: Level, message: impl FnOnce() -> String) {
        if let Some(listener) = &self.listener {
            listener.log(level, &message());
        }
    }

    /// Writes a log line.
    pub fn log(&self, level: Level, message: &str) {
        if let Some(listener) = &self.listener {
            listener.log(level, message);
        }
    }
}

/// Times the stages of a computation, one after the other.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts the first stage.
    pub fn start() -> Self {
        Stopwatch(Instant::now())
    }

    /// Adds the seconds of a stage to a sum and starts the next.
    pub fn lap(&mut self, sum: &mut f64) {
        let now = Instant::now();
        *sum += (now - self.0).as_secs_f64();
        self.0 = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn parts_of_parts_report_where_they_are_in_the_whole() {
        struct Heard(std::sync::Mutex<Vec<(f64, String)>>);
        impl Listener for Heard {
            fn progress(&self, done: f64, task: &str) -> bool {
                self.0.lock().unwrap().push((done, task.into()));
                true
            }
        }
        let heard = Arc::new(Heard(std::sync::Mutex::default()));
        let half = Control::default().heard_by(heard.clone()).part(0.5, 1.0);
        let quarter = half.part(0.5, 1.0);
        let last = quarter.named(|| "the end".into()).nth_part(1, 2);
        for control in [&half, &quarter, &last] {
            [0.0, 0.5, 1.0].iter().for_each(|done| control.progress(*done, "a").unwrap());
        }
        let expected = [
            (0.5, "a"),
            (0.75, "a"),
            (1.0, "a"),
            (0.75, "a"),
            (0.875, "a"),
            (1.0, "a"),
            (0.875, "the end: a"),
            (0.9375, "the end: a"),
            (1.0, "the end: a"),
        ];
        assert_eq!(*heard.0.lock().unwrap(), expected.map(|(done, task)| (done, task.to_string())));
    }

    struct StopAtHalf;
    impl Listener for StopAtHalf {
        fn progress(&self, done: f64, _: &str) -> bool {
            done < 0.5
        }
    }

    #[test]
    fn a_listener_that_returns_false_stops_the_computation() {
        let control = Control::new(Arc::new(StopAtHalf));
        assert!(control.progress(0.4, "a").is_ok());
        assert_eq!(control.progress(0.5, "a").unwrap_err().kind(), Kind::Cancelled);
        assert!(control.clone().check().is_err(), "a clone is the same computation");
        control.reset();
        assert!(control.check().is_ok());
    }
}
