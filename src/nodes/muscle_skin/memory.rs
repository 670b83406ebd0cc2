//! What the node remembers from frame to frame, as bytes.
//!
//! Little endian: the last frame, a checksum of the names of the particles, then the states before it and after it.

use super::super::time::Frame;
use super::super::timeline;
use sinew_base::bytes::Reader;
use sinew_base::error::Result;
use sinew_muscle::{Parts, State};

/// The muscles after a frame.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// `None` before the first frame.
    pub frame: Option<Frame>,
    pub state: State,
}

impl timeline::Memory for Memory {
    fn frame(&self) -> Option<Frame> {
        self.frame
    }
}

/// A saved memory.
#[derive(Clone)]
pub(super) struct Saved {
    /// Whose it is.
    pub names: u32,
    pub before: Memory,
    pub now: Memory,
}

impl Saved {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(self.names.to_le_bytes());
        for memory in [&self.before, &self.now] {
            Frame::put(memory.frame, &mut out);
            memory.state.put(&mut out);
        }
        out
    }

    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new("the saved muscles", bytes);
        let names = reader.u32()?;
        let mut memory = || -> Result<Memory> {
            Ok(Memory { frame: Frame::read(&mut reader)?, state: State::read(&mut reader)? })
        };
        let (before, now) = (memory()?, memory()?);
        reader.end()?;
        Ok(Saved { names, before, now })
    }
}

/// A checksum of the names of muscles and pads, in their order: a memory belongs to them.
pub(super) fn names_of(parts: &Parts) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let muscles = parts.muscles.iter().map(|muscle| &muscle.name);
    for name in muscles.chain(parts.pads.iter().map(|pad| &pad.name)) {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    hasher.finalize()
}
