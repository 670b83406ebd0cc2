//! A saved skin: the memory, followed by what it belongs to.
//!
//! Little endian: the memory; a hash of the model's triangles and a tag, both absent in the first two versions; if
//! stitches had opened, their corners, their count and a tag.

use super::memory::Memory;
use crate::error::Result;
use crate::skin::model::Model;

const SHAPE: [u8; 8] = *b"shape001";
const OPENED: [u8; 8] = *b"opened01";

/// A skin that was loaded.
pub(super) struct Saved {
    pub(super) memory: Memory,
    /// The corners of stitches that had opened.
    pub(super) opened: Vec<u32>,
    /// The shape of the model that it was on, if known.
    shape: Option<u32>,
}

impl Saved {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let (bytes, opened) = without_opened(bytes);
        let (bytes, shape) = without_shape(bytes);
        Ok(Saved { memory: Memory::decode(bytes)?, opened, shape })
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = self.memory.encode();
        put_tail(&mut out, self.shape, &self.opened);
        out
    }

    /// Appends the minimum of it that the next frame needs.
    pub(super) fn put_lean(&self, out: &mut Vec<u8>) {
        self.memory.put_lean(out);
        put_tail(out, self.shape, &self.opened);
    }

    /// Whether it is known to be a skin of this model.
    pub(super) fn is_of(&self, model: &Model) -> bool {
        self.shape.is_some() && self.check(model).is_ok()
    }

    /// Whether it is a skin of this model; the error says why not.
    pub(super) fn check(&self, model: &Model) -> Result<(), String> {
        self.memory.state.check(model).map_err(|e| e.message().to_string())?;
        match self.shape {
            Some(saved) if saved != shape(model) => Err("the mesh has different triangles".into()),
            _ => Ok(()),
        }
    }
}

/// Identifies models by their triangles.
pub(super) fn shape(model: &Model) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&(model.len() as u64).to_le_bytes());
    for corners in &model.rest.mesh().triangles {
        corners.iter().for_each(|corner| hasher.update(&corner.to_le_bytes()));
    }
    hasher.finalize()
}

/// Appends what follows the memory.
pub(super) fn put_tail(bytes: &mut Vec<u8>, shape: Option<u32>, opened: &[u32]) {
    if let Some(shape) = shape {
        bytes.extend(shape.to_le_bytes());
        bytes.extend(SHAPE);
    }
    if !opened.is_empty() {
        bytes.extend(opened.iter().flat_map(|corner| corner.to_le_bytes()));
        bytes.extend((opened.len() as u32).to_le_bytes());
        bytes.extend(OPENED);
    }
}

fn without_shape(bytes: &[u8]) -> (&[u8], Option<u32>) {
    let found = bytes.strip_suffix(&SHAPE).and_then(|bytes| bytes.split_last_chunk::<4>());
    found.map_or((bytes, None), |(bytes, shape)| (bytes, Some(u32::from_le_bytes(*shape))))
}

fn without_opened(bytes: &[u8]) -> (&[u8], Vec<u32>) {
    let found = bytes.strip_suffix(&OPENED).and_then(|bytes| {
        let (bytes, count) = bytes.split_last_chunk::<4>()?;
        let length = (u32::from_le_bytes(*count) as usize).checked_mul(4)?;
        let (bytes, corners) = bytes.split_at(bytes.len().checked_sub(length)?);
        let (corners, _) = corners.as_chunks::<4>();
        Some((bytes, corners.iter().map(|c| u32::from_le_bytes(*c)).collect::<Vec<u32>>()))
    });
    found.map_or((bytes, Vec::new()), |(bytes, mut corners)| {
        corners.sort_unstable();
        (bytes, corners)
    })
}
