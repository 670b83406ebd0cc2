//! Progress bars: on a terminal, and nowhere else.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over frames; it leaves the terminal when it is dropped.
pub(super) struct Frames(ProgressBar);

impl Frames {
    /// A bar of that many frames.
    pub fn new(count: usize) -> Self {
        let style = ProgressStyle::with_template("{bar:32} frame {pos} of {len}, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Frames(ProgressBar::new(count as u64).with_style(style))
    }

    /// One frame is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
