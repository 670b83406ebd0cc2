//! A saved skin: what it belongs to, and the memory.
//!
//! Little endian: a hash of the model's triangles, the count and the corners of stitches that had opened, the memory.

use super::memory::Memory;
use sinew_base::bytes::{Reader, put_count};
use sinew_base::error::Result;
use sinew_skin::model::Model;

/// A skin that was loaded.
pub(super) struct Saved {
    /// The shape of the model that it was on.
    shape: u32,
    /// The corners of stitches that had opened.
    pub(super) opened: Vec<u32>,
    pub(super) memory: Memory,
}

impl Saved {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new("the saved skin", bytes);
        let (shape, corners) = (reader.u32()?, reader.count(4)?);
        let mut opened = (0..corners).map(|_| reader.u32()).collect::<Result<Vec<u32>>>()?;
        opened.sort_unstable();
        let memory = Memory::read(&mut reader)?;
        reader.end()?;
        Ok(Saved { shape, opened, memory })
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_head(&mut out, self.shape, &self.opened);
        self.memory.put(&mut out);
        out
    }

    /// Appends the minimum of it that the next frame needs.
    pub(super) fn put_lean(&self, out: &mut Vec<u8>) {
        put_head(out, self.shape, &self.opened);
        self.memory.put_lean(out);
    }

    /// Whether it is a skin of this model; the error says why not.
    pub(super) fn check(&self, model: &Model) -> Result<(), String> {
        self.memory.state.check(model).map_err(|e| e.message().to_string())?;
        match self.shape == shape(model) {
            true => Ok(()),
            false => Err("the mesh has different triangles".into()),
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

/// Appends what precedes the memory.
pub(super) fn put_head(out: &mut Vec<u8>, shape: u32, opened: &[u32]) {
    out.extend(shape.to_le_bytes());
    put_count(out, opened.len());
    out.extend(opened.iter().flat_map(|corner| corner.to_le_bytes()));
}
