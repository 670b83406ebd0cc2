//! What a scene prescribes after the start: where led bodies are, muscle activations, goals, and what is cut,
//! lengthened or released.

use super::goals::Pursued;
use super::names::wrong;
use super::track::Track;
use super::{ActivationElement, BodyElement, StrandScene};
use crate::schema::Line;
use sinew_base::error::{Kind, Result};
use sinew_math::{Placement, Real};
use sinew_strand::RowOwner;
use sinew_strand::model::Model;
use sinew_strand::parts::Goal;
use sinew_strand::state::State;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Event {
    /// When it starts, in s.
    pub time: Real,
    /// How long it takes, in s.
    pub over: Real,
    pub change: Change,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// A strand's segment is cut.
    Cut(usize, usize),
    /// A strand's segment gains this much material, in m.
    Lengthen(usize, usize, Real),
    /// Something is released.
    Release(RowOwner),
}

impl Event {
    /// The fraction of it that has happened before a time.
    fn done(&self, time: Real) -> Real {
        if time <= self.time { 0.0 } else { ((time - self.time) / self.over).min(1.0) }
    }
}

/// Everything that is prescribed over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    bodies: Vec<Track<Placement>>,
    activations: Vec<Track<Real>>,
    events: Vec<Event>,
    goals: Vec<Pursued>,
}

impl Script {
    pub(super) fn new(scene: &StrandScene, events: Vec<Event>, goals: Vec<Pursued>) -> Result<Self> {
        let activations =
            scene.activations().map(|(start, keys, _, element, line)| activation(start, keys, element, line));
        Ok(Script {
            bodies: scene.bodies.iter().map(body).collect::<Result<_>>()?,
            activations: activations.collect::<Result<_>>()?,
            events,
            goals,
        })
    }

    /// Where the axes of each body are led to at a time; for those that are not led, where they were at the start.
    pub fn places(&self, time: Real) -> impl Iterator<Item = Placement> {
        self.bodies.iter().map(move |track| track.at(time, |a, b, part| a.blend(b, part)))
    }

    /// The activation of each muscle at a time.
    pub fn activations(&self, time: Real) -> impl Iterator<Item = Real> {
        // Round-off must not leave 0..1.
        self.activations
            .iter()
            .map(move |track| track.at(time, |a, b, part| (a + (b - a) * part).clamp(0.0, 1.0)))
    }

    /// The goals of muscles at a time, in the order of [`super::Built::goals`]. Where there is a goal, activations are
    /// chosen, not given.
    pub fn goals(&self, time: Real) -> Vec<Goal> {
        self.goals.iter().map(|goal| goal.at(time)).collect()
    }

    /// The goals that muscles pursue in a frame from one time to another, set ahead by their own speed.
    pub fn pursued(&self, from: Real, to: Real) -> Vec<Goal> {
        self.goals.iter().map(|goal| goal.ahead(from, to)).collect()
    }

    /// Applies the frame's events to a state at its start; the frame includes its start time and excludes its end.
    pub fn change(&self, model: &Model, state: &mut State, from: Real, to: Real) -> Result<()> {
        for event in &self.events {
            let part = event.done(to) - event.done(from);
            if part == 0.0 {
                continue;
            }
            match event.change {
                Change::Cut(strand, segment) => state.cut(model, strand, segment)?,
                Change::Lengthen(strand, segment, by) => {
                    state.lengthen(model, strand, segment, by * part)?;
                }
                Change::Release(what) => state.release(model, what)?,
            }
        }
        Ok(())
    }
}

fn body(body: &BodyElement) -> Result<Track<Placement>> {
    let keys = body.keys.iter().map(|key| (key.time, key.at.turned(key.turn), key.line));
    Track::new(body.at.turned(body.turn), keys, "body/key")
}

fn activation(start: Real, keys: &[ActivationElement], muscle: &str, line: Line) -> Result<Track<Real>> {
    let element = format!("{muscle}/activation");
    let check = |value: Real, element: &str, line: Line| match (0.0..=1.0).contains(&value) {
        true => Ok(()),
        false => {
            let message = format!("an activation of {value}; it must lie between 0 and 1");
            Err(wrong(Kind::OutOfRange, message, element, line))
        }
    };
    check(start, muscle, line)?;
    keys.iter().try_for_each(|key| check(key.value, &element, key.line))?;
    Track::new(start, keys.iter().map(|key| (key.time, key.value, key.line)), &element)
}
