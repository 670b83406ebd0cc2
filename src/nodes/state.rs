//! The bytes of a saved state.
//!
//! Little endian: magic, format version, node id, the node's state version, parameters as (id, text), the last frame,
//! outputs as (id, numbers), the node's payload; last a CRC-32 of everything before it. A lean state has a format
//! version of its own, and neither parameters nor outputs.

use super::descriptor::NodeDescriptor;
use super::time::Frame;
use crate::error::{Error, Kind, Result};
use crate::math::Real;

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
        let mut out = MAGIC.to_vec();
        out.extend(if self.lean { LEAN } else { WHOLE }.to_le_bytes());
        put_bytes(&mut out, node.id.as_bytes());
        out.extend(node.state_version.to_le_bytes());
        put_length(&mut out, self.params.len());
        for (id, text) in &self.params {
            put_bytes(&mut out, id.as_bytes());
            put_bytes(&mut out, text.as_bytes());
        }
        let frame = self.last.unwrap_or(Frame { number: 0, seconds: 0.0 });
        out.push(u8::from(self.last.is_some()));
        out.extend(frame.number.to_le_bytes());
        out.extend(frame.seconds.to_le_bytes());
        put_length(&mut out, self.outputs.len());
        for (id, values) in &self.outputs {
            put_bytes(&mut out, id.as_bytes());
            put_length(&mut out, values.len());
            out.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        }
        put_bytes(&mut out, &self.payload);
        out.extend(crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// The state version of the node that wrote the bytes, and what they hold.
    pub(super) fn decode(bytes: &[u8], node: &NodeDescriptor) -> Result<(u32, Saved)> {
        let broken = |what: &str| Error::new(Kind::Parse, format!("the saved state {what}"));
        let body = bytes.strip_prefix(MAGIC).ok_or_else(|| broken("has the wrong signature"))?;
        let (body, sum) = body.split_last_chunk::<4>().ok_or_else(|| broken("is cut off"))?;
        // The checksum comes first: what follows can then be trusted, except against malice.
        if crc32fast::hash(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*sum) {
            return Err(broken("is damaged or truncated (its checksum is wrong)"));
        }
        let mut reader = Reader { all: body.len(), rest: body };
        let format = reader.u32()?;
        if format != WHOLE && format != LEAN {
            let message =
                format!("the saved state has format {format}, this version reads {WHOLE} and {LEAN}");
            return Err(Error::new(Kind::WrongVersion, message));
        }
        let id = reader.text()?;
        if id != node.id {
            return Err(Error::new(Kind::WrongType, format!("the saved state belongs to the node \"{id}\"")));
        }
        let version = reader.u32()?;
        if version > node.state_version {
            let ours = node.state_version;
            let message = format!("the saved state has version {version}, this version reads up to {ours}");
            return Err(Error::new(Kind::WrongVersion, message));
        }
        let lean = format == LEAN;
        let mut params = Vec::new();
        for _ in 0..reader.length(1)? {
            params.push((reader.text()?, reader.text()?));
        }
        let flag = reader.array::<1>()?[0];
        let frame = Frame { number: i64::from_le_bytes(reader.array()?), seconds: reader.real()? };
        let last = (flag == 1).then_some(frame);
        let mut outputs = Vec::new();
        for _ in 0..reader.length(1)? {
            let id = reader.text()?;
            let count = reader.length(8)?;
            outputs.push((id, (0..count).map(|_| reader.real()).collect::<Result<_>>()?));
        }
        let payload = reader.bytes()?.to_vec();
        if !reader.rest.is_empty() || flag > 1 || (lean && !(params.is_empty() && outputs.is_empty())) {
            return Err(reader.error("has extra bytes at the end"));
        }
        Ok((version, Saved { lean, params, last, outputs, payload }))
    }
}

fn put_length(out: &mut Vec<u8>, length: usize) {
    out.extend((length as u64).to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_length(out, bytes.len());
    out.extend(bytes);
}

struct Reader<'a> {
    all: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn error(&self, what: &str) -> Error {
        let offset = MAGIC.len() + self.all - self.rest.len();
        Error::new(Kind::Parse, format!("the saved state {what}")).offset(offset as u64)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(length).ok_or_else(|| self.error("is cut off"))?;
        self.rest = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn real(&mut self) -> Result<Real> {
        let value = Real::from_le_bytes(self.array()?);
        // Nothing else is ever saved, and outputs go to hosts unchecked.
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.error(&format!("holds {value}, which is not finite")))
    }

    /// The number of items that follow; rejected if that many of `size` bytes cannot follow.
    fn length(&mut self, size: u64) -> Result<usize> {
        let length = u64::from_le_bytes(self.array()?);
        match length.checked_mul(size) {
            Some(bytes) if bytes <= self.rest.len() as u64 => Ok(length as usize),
            _ => Err(self.error("is cut off")),
        }
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.length(1)?;
        self.take(length)
    }

    fn text(&mut self) -> Result<String> {
        let bytes = self.bytes()?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.error("has a name that is not text"))
    }
}
