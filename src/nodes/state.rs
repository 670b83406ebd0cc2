//! The bytes of a saved state.
//!
//! Little endian: magic, format version, node id, the node's state version, parameters as (id, text), the last frame,
//! outputs as (id, numbers), the node's payload; last a CRC-32 of everything before it. A lean state has a format
//! version of its own, and neither parameters nor outputs.

use super::descriptor::NodeDescriptor;
use super::time::Frame;
use sinew_base::bytes::{Reader, put_count, put_counted, put_counted_by, put_reals, seal};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

const MAGIC: &[u8; 8] = b"SINEWSTA";
const WHOLE: u32 = 1;
const LEAN: u32 = 2;

/// What a state holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Saved {
    pub(super) lean: bool,
    pub(super) params: Vec<(String, String)>,
    pub(super) last: Option<Frame>,
    pub(super) outputs: Vec<(String, Vec<Real>)>,
    pub(super) payload: Vec<u8>,
}

impl Saved {
    pub(super) fn encode(&self, node: &NodeDescriptor) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(node, &mut out, |out| out.extend(&self.payload));
        out
    }

    /// Fills an empty `out` with the same, but with the payload that a function appends.
    pub(super) fn put(&self, node: &NodeDescriptor, out: &mut Vec<u8>, payload: impl FnOnce(&mut Vec<u8>)) {
        out.extend(MAGIC);
        out.extend(if self.lean { LEAN } else { WHOLE }.to_le_bytes());
        put_counted(out, node.id.as_bytes());
        out.extend(node.state_version.to_le_bytes());
        put_count(out, self.params.len());
        for (id, text) in &self.params {
            put_counted(out, id.as_bytes());
            put_counted(out, text.as_bytes());
        }
        Frame::put(self.last, out);
        put_count(out, self.outputs.len());
        for (id, values) in &self.outputs {
            put_counted(out, id.as_bytes());
            put_count(out, values.len());
            put_reals(out, values);
        }
        put_counted_by(out, payload);
        seal(out);
    }

    /// What bytes hold.
    pub(super) fn decode(bytes: &[u8], node: &NodeDescriptor) -> Result<Saved> {
        let mut reader = Reader::sealed("the saved state", MAGIC, bytes)?;
        let format = reader.u32()?;
        if format != WHOLE && format != LEAN {
            let message = format!(
                "the saved state has format {format}, this version reads {WHOLE} and {LEAN}: compute the frames again"
            );
            return Err(Error::new(Kind::WrongVersion, message));
        }
        let id = text(&mut reader)?;
        if id != node.id {
            return Err(Error::new(Kind::WrongType, format!("the saved state belongs to the node \"{id}\"")));
        }
        let version = reader.u32()?;
        if version != node.state_version {
            let ours = node.state_version;
            let message = format!(
                "the saved state has version {version}, this version reads {ours}: compute the frames again"
            );
            return Err(Error::new(Kind::WrongVersion, message));
        }
        let lean = format == LEAN;
        let mut params = Vec::new();
        for _ in 0..reader.count(1)? {
            params.push((text(&mut reader)?, text(&mut reader)?));
        }
        let last = Frame::read(&mut reader)?;
        let mut outputs = Vec::new();
        for _ in 0..reader.count(1)? {
            let id = text(&mut reader)?;
            let count = reader.count(8)?;
            // Only finite numbers are ever saved, and outputs go to hosts unchecked.
            outputs.push((id, (0..count).map(|_| reader.real()).collect::<Result<_>>()?));
        }
        let payload = reader.counted()?.to_vec();
        reader.end()?;
        if lean && !(params.is_empty() && outputs.is_empty()) {
            return Err(reader.error("is lean, yet has parameters or outputs"));
        }
        Ok(Saved { lean, params, last, outputs, payload })
    }
}

/// Text after its length.
fn text(reader: &mut Reader) -> Result<String> {
    let length = reader.count(1)?;
    reader.text(length).map(str::to_string)
}
