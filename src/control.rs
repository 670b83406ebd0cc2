//! How a long computation talks to its caller: progress, cancelling and log lines.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How loud a log line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i32)]
pub enum Level {
    /// Something is wrong with the data; the result is still usable.
    Warning = 1,
    /// What a person wants to know once.
    Info = 2,
    /// What a developer wants to know.
    Debug = 3,
}

/// Receives what a computation reports. All methods may be called from any thread.
pub trait Listener: Send + Sync {
    /// `done` of 0..1 of the current task; return `false` to stop it.
    fn progress(&self, done: f64, task: &str) -> bool {
        let _ = (done, task);
        true
    }
    /// One line for the log.
    fn log(&self, level: Level, message: &str) {
        let _ = (level, message);
    }
}

/// A handle that a computation carries with it. Cloning it gives a handle on the same computation.
#[derive(Clone, Default)]
pub struct Control {
    listener: Option<Arc<dyn Listener>>,
    stop: Arc<AtomicBool>,
}

impl Control {
    /// A control that reports to `listener`.
    pub fn new(listener: Arc<dyn Listener>) -> Self {
        Control { listener: Some(listener), stop: Arc::default() }
    }

    /// Asks the computation to stop at its next check; may be called from a signal handler's flag or any thread.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Forgets an earlier [`Control::cancel`].
    pub fn reset(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// An error when the caller wants to stop. Cheap enough for every iteration of a solver.
    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// Reports progress and checks for a stop, whether asked for by the listener or by [`Control::cancel`].
    pub fn progress(&self, done: f64, task: &str) -> Result<()> {
        if let Some(listener) = &self.listener
            && !listener.progress(done, task)
        {
            self.cancel();
        }
        self.check()
    }

    /// Writes a log line.
    pub fn log(&self, level: Level, message: &str) {
        if let Some(listener) = &self.listener {
            listener.log(level, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

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
