//! What a scene says about times after the start: where led bodies are, how much muscles pull.

use super::names::wrong;
use super::{BodyElement, MuscleElement, StrandScene};
use crate::error::{Kind, Result};
use crate::math::{Placement, Real};
use crate::scene::schema::Line;

/// Values at times.
#[derive(Clone, Debug, PartialEq)]
struct Track<T> {
    /// At 0.
    start: T,
    /// Later, in their order.
    keys: Vec<(Real, T)>,
}

impl<T: Clone> Track<T> {
    fn new(start: T, keys: impl Iterator<Item = (Real, T, Line)>, element: &str) -> Result<Self> {
        let mut track = Track { start, keys: Vec::new() };
        for (time, value, line) in keys {
            let before = track.keys.last().map_or(0.0, |(time, _)| *time);
            if time <= before {
                let message = format!("the time {time} is not after {before}");
                return Err(wrong(Kind::OutOfRange, message, element, line));
            }
            track.keys.push((time, value));
        }
        Ok(track)
    }

    /// The value at a time; `blend` gives what lies between two.
    fn at(&self, time: Real, blend: impl Fn(&T, &T, Real) -> T) -> T {
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

/// What changes with time by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    bodies: Vec<Track<Placement>>,
    activations: Vec<Track<Real>>,
}

impl Script {
    pub(super) fn new(scene: &StrandScene) -> Result<Self> {
        Ok(Script {
            bodies: scene.bodies.iter().map(body).collect::<Result<_>>()?,
            activations: scene.muscles.iter().map(muscle).collect::<Result<_>>()?,
        })
    }

    /// Where the axes of each body are led to at a time; of those that are not led, where they were at the start.
    pub fn places(&self, time: Real) -> impl Iterator<Item = Placement> {
        self.bodies.iter().map(move |track| track.at(time, |a, b, part| a.blend(b, part)))
    }

    /// The activation of each muscle at a time.
    pub fn activations(&self, time: Real) -> impl Iterator<Item = Real> {
        // Round-off may not leave 0..1.
        self.activations
            .iter()
            .map(move |track| track.at(time, |a, b, part| (a + (b - a) * part).clamp(0.0, 1.0)))
    }
}

fn body(body: &BodyElement) -> Result<Track<Placement>> {
    let keys = body.keys.iter().map(|key| (key.time, key.at.turned(key.turn), key.line));
    Track::new(body.at.turned(body.turn), keys, "body/key")
}

fn muscle(muscle: &MuscleElement) -> Result<Track<Real>> {
    let check = |value: Real, element: &str, line: Line| match (0.0..=1.0).contains(&value) {
        true => Ok(()),
        false => {
            let message = format!("an activation of {value}; it must lie between 0 and 1");
            Err(wrong(Kind::OutOfRange, message, element, line))
        }
    };
    check(muscle.activation, "muscle", muscle.line)?;
    muscle.keys.iter().try_for_each(|key| check(key.value, "muscle/activation", key.line))?;
    let keys = muscle.keys.iter().map(|key| (key.time, key.value, key.line));
    Track::new(muscle.activation, keys, "muscle/activation")
}
