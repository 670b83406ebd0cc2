//! What the node remembers from frame to frame, as bytes.
//!
//! Little endian: the last frame, its moments, then the two states of `formats::strand_state`, each preceded by its length.

use super::super::time::Frame;
use crate::error::{Error, Kind, Result};
use crate::formats::strand_state;
use crate::math::Real;
use crate::scene::strand_watch::Watch;
use crate::strand::model::Model;
use crate::strand::state::State;

/// The last frame.
#[derive(Clone, Copy)]
pub(super) struct Last {
    pub frame: Frame,
    /// When it began, in the host's time: exactly where the frame before ended, so that an event between two frames
    /// happens once.
    pub from: Real,
    /// When, in the host's time, the scene began.
    pub start: Real,
    /// Whether it was the first one after that.
    pub first: bool,
}

impl Last {
    /// How long it took.
    pub fn seconds(&self) -> Real {
        self.frame.seconds - self.from
    }

    /// When it began and ended, in the scene's time.
    pub fn span(&self) -> [Real; 2] {
        [self.from, self.frame.seconds].map(|time| time - self.start)
    }
}

/// The state after a frame and before it, for recomputing that frame.
pub(super) struct Memory {
    /// `None` before the first frame.
    pub last: Option<Last>,
    pub before: State,
    pub now: State,
    /// What was reported before the frame and after it; after restoring from bytes everything is reported again.
    pub watch: [Watch; 2],
}

/// Bytes before the states.
const HEAD: usize = 1 + 8 + 3 * 8 + 1;

impl Memory {
    pub fn at_start(model: &Model) -> Self {
        Memory { last: None, before: State::new(model), now: State::new(model), watch: Default::default() }
    }

    pub fn encode(&self, model: &Model) -> Vec<u8> {
        let nothing = Last { frame: Frame { number: 0, seconds: 0.0 }, from: 0.0, start: 0.0, first: false };
        let last = self.last.unwrap_or(nothing);
        let mut out = vec![u8::from(self.last.is_some())];
        out.extend(last.frame.number.to_le_bytes());
        [last.frame.seconds, last.from, last.start].iter().for_each(|x| out.extend(x.to_le_bytes()));
        out.push(u8::from(last.first));
        for state in [&self.before, &self.now] {
            let bytes = strand_state::encode(model, state);
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
        out
    }

    /// The element that has changed since the bytes were saved, if any.
    pub fn changed(model: &Model, bytes: &[u8]) -> Result<Option<String>> {
        let (_, [before, _]) = split(bytes)?;
        strand_state::changed(model, before)
    }

    pub fn decode(model: &Model, bytes: &[u8]) -> Result<Self> {
        let (last, [before, now]) = split(bytes)?;
        Ok(Memory {
            last,
            before: strand_state::decode(model, before)?,
            now: strand_state::decode(model, now)?,
            watch: Default::default(),
        })
    }
}

/// The last frame, and the bytes of the two states, which only their model can read.
pub(super) fn split(bytes: &[u8]) -> Result<(Option<Last>, [&[u8]; 2])> {
    let broken = || Error::new(Kind::Parse, "the saved strands are cut off or damaged");
    let (head, rest) = bytes.split_at_checked(HEAD).ok_or_else(broken)?;
    let number = |at: usize| -> [u8; 8] { std::array::from_fn(|k| head[at + k]) };
    let real = |k: usize| Real::from_le_bytes(number(9 + 8 * k));
    let frame = Frame { number: i64::from_le_bytes(number(1)), seconds: real(0) };
    let last = Last { frame, from: real(1), start: real(2), first: head[HEAD - 1] == 1 };
    let finite = [0, 1, 2].iter().all(|&k| real(k).is_finite());
    if head[0] > 1 || head[HEAD - 1] > 1 || !finite || last.seconds() < 0.0 {
        return Err(broken());
    }
    let (before, rest) = state(rest).ok_or_else(broken)?;
    let (now, rest) = state(rest).ok_or_else(broken)?;
    if !rest.is_empty() {
        return Err(broken());
    }
    Ok(((head[0] == 1).then_some(last), [before, now]))
}

/// A state's bytes and what follows them.
fn state(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}
