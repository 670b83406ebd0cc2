//! What the node remembers from frame to frame, as bytes.
//!
//! Little endian: the last frame, its moments, then the two states of `formats::strand_state`, each preceded by its
//! length.

use super::super::strand_report::Watch;
use super::super::time::Frame;
use super::super::timeline;
use sinew_base::bytes::{Reader, put_counted, put_reals};
use sinew_base::error::Result;
use sinew_formats::strand_state;
use sinew_math::Real;
use sinew_strand::model::Model;
use sinew_strand::state::State;

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

/// The strands after a frame.
#[derive(Clone)]
pub(super) struct Memory {
    /// `None` before the first frame.
    pub last: Option<Last>,
    pub state: State,
    /// What was reported so far; after restoring from bytes everything is reported again.
    pub watch: Watch,
}

impl timeline::Memory for Memory {
    fn frame(&self) -> Option<Frame> {
        self.last.map(|last| last.frame)
    }
}

impl Memory {
    pub fn at_start(model: &Model) -> Self {
        Memory { last: None, state: State::new(model), watch: Watch::default() }
    }

    /// The bytes of the last frame, after what there was before it.
    pub fn encode(&self, before: &Memory, model: &Model) -> Vec<u8> {
        let mut out = Vec::new();
        Frame::put(self.last.map(|last| last.frame), &mut out);
        put_reals(&mut out, &self.last.map_or([0.0; 2], |last| [last.from, last.start]));
        out.push(u8::from(self.last.is_some_and(|last| last.first)));
        for state in [&before.state, &self.state] {
            put_counted(&mut out, &strand_state::encode(model, state));
        }
        out
    }

    /// The element that has changed since the bytes were saved, if any.
    pub fn changed(model: &Model, bytes: &[u8]) -> Result<Option<String>> {
        let (_, [before, _]) = split(bytes)?;
        strand_state::changed(model, before)
    }

    /// The memory before the last frame and after it.
    pub fn decode(model: &Model, bytes: &[u8]) -> Result<[Self; 2]> {
        let (last, [before, now]) = split(bytes)?;
        let memory = |last, bytes| {
            let state = strand_state::decode(model, bytes)?;
            Ok(Memory { last, state, watch: Watch::default() })
        };
        Ok([memory(None, before)?, memory(last, now)?])
    }
}

/// The last frame, and the bytes of the two states, which only their model can read.
pub(super) fn split(bytes: &[u8]) -> Result<(Option<Last>, [&[u8]; 2])> {
    let mut reader = Reader::new("the saved strands", bytes);
    let frame = Frame::read(&mut reader)?;
    let (from, start, first) = (reader.real()?, reader.real()?, reader.bit()?);
    let last = frame.map(|frame| Last { frame, from, start, first });
    if last.is_some_and(|last| last.seconds() < 0.0) {
        return Err(reader.error("end before they begin"));
    }
    let states = [reader.counted()?, reader.counted()?];
    reader.end()?;
    Ok((last, states))
}
