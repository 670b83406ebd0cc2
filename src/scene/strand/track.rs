//! Values that are authored at times.

use super::names::wrong;
use crate::schema::Line;
use sinew_base::error::{Kind, Result};
use sinew_math::Real;

/// Values at times. A key at 0 replaces the start.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track<T> {
    /// At time 0.
    start: T,
    /// Later ones, in order.
    keys: Vec<(Real, T)>,
}

impl<T: Clone> Track<T> {
    pub fn new(start: T, keys: impl Iterator<Item = (Real, T, Line)>, element: &str) -> Result<Self> {
        let mut track = Track { start, keys: Vec::new() };
        let mut before = None;
        for (time, value, line) in keys {
            let refuse = |message: String| Err(wrong(Kind::OutOfRange, message, element, line));
            if time < 0.0 {
                return refuse(format!("the time {time} is before the start"));
            }
            if let Some(before) = before.filter(|before| time <= *before) {
                return refuse(format!("the time {time} is not after {before}"));
            }
            before = Some(time);
            match time {
                0.0 => track.start = value,
                _ => track.keys.push((time, value)),
            }
        }
        Ok(track)
    }

    /// The value at a time; `blend` interpolates between two.
    pub fn at(&self, time: Real, blend: impl Fn(&T, &T, Real) -> T) -> T {
        let next = self.keys.partition_point(|(t, _)| *t <= time);
        let (before, from) = match next {
            0 => (0.0, &self.start),
            _ => (self.keys[next - 1].0, &self.keys[next - 1].1),
        };
        match self.keys.get(next) {
            Some((after, to)) => blend(from, to, (time - before) / (after - before)),
            None => from.clone(),
        }
    }
}
