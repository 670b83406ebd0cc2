//! What an instance remembers, as bytes, and back.

use super::super::descriptor::Direction;
use super::super::state::Saved;
use super::super::time::Frame;
use super::super::value::{Outputs, ParamValue};
use super::Instance;
use sinew_base::error::{Error, Kind, Result};

impl Instance {
    /// Everything that the node remembers, as bytes: parameters, the last frame, its outputs, the node's own memory.
    /// Inputs are not included; the host has them.
    pub fn save_state(&self) -> Vec<u8> {
        let node = self.descriptor();
        let outputs = node.ports.iter().enumerate().filter(|(_, p)| p.direction == Direction::Output);
        Saved {
            lean: false,
            params: node.params.iter().zip(&self.params).map(|(p, v)| (p.id.into(), v.to_text(p))).collect(),
            last: self.last,
            outputs: outputs.map(|(i, p)| (p.id.into(), self.good.array(i).to_vec())).collect(),
            payload: self.node.save(),
        }
        .encode(node)
    }

    /// The minimum that the next frame needs, as bytes, for hosts that keep it for every frame: neither parameters nor
    /// outputs, and of the node's memory only what matters. After [`Instance::make_lean`] the instance and whoever
    /// loads the bytes continue identically, to the bit; the frame itself cannot be recomputed.
    pub fn save_lean(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put_lean(&mut out);
        out
    }

    /// Replaces the bytes with those of [`Instance::save_lean`]; their memory is used again.
    pub fn put_lean(&self, out: &mut Vec<u8>) {
        let (params, outputs, payload) = (Vec::new(), Vec::new(), Vec::new());
        let head = Saved { lean: true, params, last: self.last, outputs, payload };
        out.clear();
        head.put(self.descriptor(), out, |out| self.node.save_lean(out));
    }

    /// Continues from what [`Instance::save_lean`] returned.
    pub fn make_lean(&mut self) {
        // Otherwise it is lean already.
        if !self.lean {
            self.node.make_lean();
        }
    }

    /// Whether from now on every step continues from what [`Instance::save_lean`] returns for the one before: then
    /// playing and continuing from lean states give the same bits.
    pub fn set_lean(&mut self, lean: bool) {
        self.lean = lean;
        if lean {
            self.node.make_lean();
        }
    }

    /// Restores a saved state; on an error the instance is unchanged.
    pub fn load_state(&mut self, bytes: &[u8]) -> Result<()> {
        let node = self.descriptor();
        self.try_load(bytes).map_err(|e| e.node(node.id))
    }

    /// The same, but keeps the current parameters instead of those saved with the state.
    pub fn go_on_from(&mut self, bytes: &[u8]) -> Result<()> {
        let params = self.params.clone();
        self.load_state(bytes)?;
        self.params = params;
        Ok(())
    }

    /// The last frame in a state of such a node, without restoring it.
    pub fn frame_of_state(&self, bytes: &[u8]) -> Result<Option<Frame>> {
        let node = self.descriptor();
        Saved::decode(bytes, node).map(|saved| saved.last).map_err(|e| e.node(node.id))
    }

    fn try_load(&mut self, bytes: &[u8]) -> Result<()> {
        let descriptor = self.descriptor();
        let saved = Saved::decode(bytes, descriptor)?;
        let mut params: Vec<_> = match saved.lean {
            true => self.params.clone(),
            false => descriptor.params.iter().map(ParamValue::default_of).collect(),
        };
        for (id, text) in &saved.params {
            let index = self.param_index(id)?;
            params[index] = ParamValue::parse(&descriptor.params[index], text)?;
        }
        let mut good = Outputs::new(descriptor);
        for (id, values) in saved.outputs {
            let (index, port) = self.port(Direction::Output, &id)?;
            if !values.len().is_multiple_of(port.kind.components().max(1) as usize) {
                let error = Error::new(Kind::Parse, "a saved output ends in the middle of an item");
                return Err(error.port(port.id));
            }
            *good.array_mut(index) = values;
        }
        self.node.load(&saved.payload)?;
        if self.lean {
            self.node.make_lean();
        }
        (self.params, self.good, self.last) = (params, good, saved.last);
        (self.history, self.readable) = (None, self.last.is_some() && !saved.lean);
        Ok(())
    }
}
